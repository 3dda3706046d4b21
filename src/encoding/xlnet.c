/* xlnet.c: Transformer-XL's scores in both directions, and a term that knows whether two tokens share a segment.
 *
 *     s_mn = ((q_m + u) . k_n + (q_m + v) . (R_{m-n} W) + (q_m + w) . g_mn) / sqrt(d)        R_t = [sin t θ_i ‖ cos t θ_i]
 *
 * g_mn is row 1 of a table where tokens m and n have the same segment, row 2 where not. R runs over distances S … -T+1, so keys
 * after the query have theirs.
 */
#include "encoding/relative.h"

#include "array/op.h"
#include "base/parallel.h"

enum { SEGMENTS = ENC_XL_MORE, TABLE, SHIFT };
enum { PART_TABLE = ENC_XL_OWN, PART_SHIFT };

static const enc_param params[] = {
    ENC_XL_ROWS,
    {"segments", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (S), a number for the segment of each token; with it goes same_or_not"},
    {"same_or_not", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (2, d), learned, or one for each head: a row for tokens of one segment, one for others"},
    {"w", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,
     "a vector (d) or (H, d), learned: meets the rows of same_or_not; left out: 0"},
    {0},
};

static ph_status check_segments(const enc_scores *s, const enc_value *v, ph_err *err) {
    char text[200];
    const arr *ids = v[SEGMENTS].array, *table = v[TABLE].array;
    if (!ids != !table || (v[SHIFT].array && !ids))
        return ph_fail(err, PH_EARG, "xlnet: segments, same_or_not and w belong together; only %s given",
                       ids     ? "segments"
                       : table ? "same_or_not"
                               : "w");
    if (!ids) return PH_OK;
    if (table->shape[table->ndim - 2] != 2)
        return ph_fail(err, PH_EARG, "xlnet: same_or_not has shape %s; wanted (2, %lld)",
                       arr_shape_text(text, sizeof text, table), (long long)s->d);
    if (ids->ndim != 1 || ids->shape[0] != s->S)
        return ph_fail(err, PH_EARG, "xlnet: segments has shape %s; wanted (%lld), one for each key",
                       arr_shape_text(text, sizeof text, ids), (long long)s->S);
    if (s->T > 0 && (s->first < 0 || s->first + s->T > s->S))
        return ph_fail(err, PH_EARG,
                       "xlnet: queries at %lld to %lld are not among the %lld tokens that have a segment",
                       (long long)s->first, (long long)(s->first + s->T - 1), (long long)s->S);
    return PH_OK;
}

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr both; /* (lead, T, 2): (q + w) . g for the same segment, and for another */
    const double *id;
} chooser;

static void add_choice(void *ctx, int64_t row) {
    const chooser *c = ctx;
    const enc_scores *s = c->s;
    int64_t i = row % s->T, step = c->both.stride[s->nlead + 1];
    int64_t at = enc_batch_at(s, &c->both, row / s->T) + i * c->both.stride[s->nlead];
    double own = c->id[s->first + i];
    if (s->type == ARR_F32) {
        const float *x = (const float *)c->both.data + at;
        for (int64_t n = 0; n < s->S; n++)
            ((float *)c->out->data)[row * s->S + n] += c->id[n] == own ? x[0] : x[step];
    } else {
        const double *x = (const double *)c->both.data + at;
        for (int64_t n = 0; n < s->S; n++)
            ((double *)c->out->data)[row * s->S + n] += c->id[n] == own ? x[0] : x[step];
    }
}

static ph_status add_segments(const arr *out, const enc_scores *s, const enc_value *v, ph_err *err) {
    ph_status st;
    arr qw = ARR_NONE, both = ARR_NONE, id = ARR_NONE;
    chooser c = {.s = s, .out = out, .both = ARR_NONE};
    const arr *q = &s->part[0], *w = &s->part[PART_SHIFT];
    if (arr_size(out) == 0) return PH_OK;
    if (w->buf) PH_TRY(op_call2(&qw, "add", q, w, err));
    PH_TRY(enc_times_transposed(&both, w->buf ? &qw : q, &s->part[PART_TABLE], err));
    PH_TRY(enc_spread(&c.both, s, &both, err));
    PH_TRY(arr_contiguous(&id, v[SEGMENTS].array, ARR_F64, err));
    c.id = (const double *)id.data;
    st = ph_parallel(add_choice, &c, arr_size(out) / s->S, err);
done:
    arr_drop(&qw);
    arr_drop(&both);
    arr_drop(&c.both);
    arr_drop(&id);
    return st;
}

static ph_status begin(enc_xl *x, const enc_value *v, ph_err *err) {
    const enc_part own[] = {{"same_or_not", v[TABLE].array, false, 0}, {"w", v[SHIFT].array, true, 0}};
    *x = enc_xl_of(v);
    if (v[SEGMENTS].array) x->add = add_segments;
    ph_status st =
        enc_xl_begin(x, "xlnet", v[ENC_XL_Q].array, v[ENC_XL_K].array, &v[ENC_XL_OFFSET], own, 2, err);
    if (st == PH_OK) st = check_segments(&x->s, v, err);
    if (st == PH_OK)
        st = enc_distances_of(&x->r, "xlnet", x->W, v[ENC_XL_BASE].num, v[ENC_XL_CLAMP].whole, err);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) { return enc_xl_run(out, begin, v, err); }

static ph_status check(const enc_value *v, ph_err *err) { return enc_xl_check(begin, v, err); }

/* (q_m + w) . g_mn */
static op_val *segments_of(const enc_d_scores *s, const enc_value *v) {
    const op_attrs rows = {.has_axis = true};
    op_ctx *c = s->c;
    op_val *left = s->q, *ids = enc_d_value(c, &v[SEGMENTS]);
    if (v[SHIFT].given) left = op_do2(c, "add", left, enc_d_vector(c, enc_d_value(c, &v[SHIFT])));
    op_val *both = enc_d_dot(c, left, enc_d_value(c, &v[TABLE])); /* (..., T, 2) */
    op_val *of_query = op_do(c, "take", &rows, 2, (op_val *[]){ids, s->m});
    op_val *of_key = op_do(c, "take", &rows, 2, (op_val *[]){ids, s->n});
    return op_do3(c, "where", op_do2(c, "eq", of_query, of_key), enc_d_columns(c, both, 0, 1, 1),
                  enc_d_columns(c, both, 1, 1, 1));
}

static void define(const enc_def *d, op_val **y) {
    const enc_value *v = d->v;
    enc_d_scores s = enc_d_scores_of(d, &v[ENC_XL_OFFSET]);
    enc_d_xl x = enc_d_xl_of(d);
    if (v[SEGMENTS].given) x.more = segments_of(&s, v);
    y[0] = enc_d_xl_scores(&s, &x);
}

static const enc_function functions[] = {
    {"xlnet", "XLNet's scores (..., T, S): Transformer-XL's, both ways, with segments.",
     "((q_m + u) . k_n + (q_m + v) . (R_(m-n) W) + (q_m + w) . g_mn) / sqrt(d). g_mn is the first row of "
     "same_or_not where tokens m and n have the same segment, the second where not; without segments this is "
     "transformer_xl. NaN stays where it was given.",
     "q = zeros(2, 2)\nz = {0, 0}\n"
     "o = {segments={7, 8}, same_or_not={{3, 0}, {5, 0}}, w={sqrt(2), 0}}\n"
     "s = xlnet(q, q, 0*eye(2), z, z, o)\nmax(abs(s - array{{3, 5}, {5, 3}})) < 1e-15  --> true\n"
     "xlnet(q, q, eye(2), z, z, {w=z})  --> error: belong together; only w given",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_xlnet = {
    .name = "xlnet",
    .title = {"sinusoids of the distance, and segments", "距离正弦与片段"},
    .citation =
        "Yang et al., XLNet: Generalized Autoregressive Pretraining for Language Understanding (2019), "
        "arXiv:1906.08237.",
    .kind = ENC_RELATIVE,
    .layout = "R_t: [s0 s1 ... c0 c1 ...]   same_or_not: [same | other]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .claims = {"relative: but for the segments", "相对：片段除外"},
    .functions = functions,
    .sample = "Q, K, learned(d, d), learned(d), learned(d)",
};
