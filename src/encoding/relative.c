#include "encoding/relative.h"

#include <stdio.h>
#include <string.h>

#include "array/op.h"
#include "base/parallel.h"

#define ROWS 64 /* queries of a piece */

/* ---- parts --------------------------------------------------------------------------------------------- */

static ph_status check_part(const enc_scores *s, const enc_part *p, ph_err *err) {
    char text[200], wanted[60];
    const arr *a = p->array;
    long long columns = p->columns ? p->columns : s->d;
    if (a->ndim >= (p->vector ? 1 : 2) && a->ndim < ARR_MAXDIM && a->shape[a->ndim - 1] == columns)
        return PH_OK;
    if (p->vector) snprintf(wanted, sizeof wanted, "(%lld) or (H, %lld)", columns, columns);
    else snprintf(wanted, sizeof wanted, "(..., rows, %lld)", columns);
    return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted %s", s->who, p->name,
                   arr_shape_text(text, sizeof text, a), wanted);
}

/* In the common type; a vector (…, d) becomes (…, 1, d). */
static ph_status hold(arr *out, const enc_part *p, arr_dtype t, ph_err *err) {
    ph_status st = PH_OK;
    if (p->array->dtype == t) *out = arr_ref(p->array);
    else st = arr_convert(out, p->array, t, err);
    if (st != PH_OK || !p->vector) return st;
    int n = out->ndim++;
    out->shape[n] = out->shape[n - 1], out->stride[n] = out->stride[n - 1];
    out->shape[n - 1] = 1, out->stride[n - 1] = 0;
    return PH_OK;
}

ph_status enc_lead_shape(int *nlead, int64_t *lead, const arr *const *in, int n, const char *who,
                         ph_err *err) {
    arr copy[ENC_MAXPARTS];
    const arr *all[ENC_MAXPARTS];
    for (int k = 0; k < n; k++) {
        copy[k] = *in[k];
        copy[k].ndim -= 2;
        all[k] = &copy[k];
    }
    return arr_broadcast_shape(nlead, lead, all, n, who, err);
}

static ph_status lay_lead(enc_scores *s, ph_err *err) {
    const arr *all[ENC_MAXPARTS];
    int n = 0;
    for (int k = 0; k < s->parts; k++)
        if (s->part[k].buf) all[n++] = &s->part[k];
    return enc_lead_shape(&s->nlead, s->lead, all, n, s->who, err);
}

static ph_status check_sizes(const enc_scores *s, ph_err *err) {
    size_t bytes;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[s->nlead] = s->T, shape[s->nlead + 1] = s->S;
    if (ph_shape_bytes(&bytes, shape, s->nlead + 2, arr_itemsize(s->type))) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %lld queries and %lld keys are too many for any memory", s->who,
                   (long long)s->T, (long long)s->S);
}

ph_status enc_scores_of(enc_scores *s, const char *who, const arr *q, const arr *k, const enc_value *offset,
                        const enc_part *parts, int n, ph_err *err) {
    char tq[200], tk[200];
    ph_status st;
    *s = (enc_scores){.who = who, .type = ARR_F32, .parts = n + 2};
    if (q->ndim < 2 || k->ndim < 2 || q->shape[q->ndim - 1] != k->shape[k->ndim - 1] ||
        q->shape[q->ndim - 1] == 0)
        return ph_fail(err, PH_EARG,
                       "%s: q has shape %s and k %s; wanted (..., T, d) and (..., S, d), d at least 1", who,
                       arr_shape_text(tq, sizeof tq, q), arr_shape_text(tk, sizeof tk, k));
    s->T = q->shape[q->ndim - 2], s->S = k->shape[k->ndim - 2], s->d = q->shape[q->ndim - 1];
    s->first = offset->given ? offset->whole : s->S - s->T;
    enc_part all[ENC_MAXPARTS] = {{"q", q, false, 0}, {"k", k, false, 0}};
    memcpy(all + 2, parts, (size_t)n * sizeof *parts);
    for (int i = 0; i < s->parts; i++) {
        if (!all[i].array) continue;
        PH_TRY(check_part(s, &all[i], err));
        if (all[i].array->dtype != ARR_F32) s->type = ARR_F64;
    }
    for (int i = 0; i < s->parts; i++)
        if (all[i].array) PH_TRY(hold(&s->part[i], &all[i], s->type, err));
    PH_TRY(lay_lead(s, err));
    st = check_sizes(s, err);
done:
    return st;
}

void enc_scores_drop(enc_scores *s) {
    for (int k = 0; k < s->parts; k++) arr_drop(&s->part[k]);
}

ph_status enc_check_head(const enc_scores *s, int64_t head, ph_err *err) {
    int64_t heads = s->nlead ? s->lead[s->nlead - 1] : 1;
    if (head >= 0 && head < heads) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: head %lld asked for; there %s %lld", s->who, (long long)head + 1,
                   heads == 1 ? "is" : "are", (long long)heads);
}

/* ---- products ------------------------------------------------------------------------------------------ */

ph_status enc_times_transposed(arr *out, const arr *a, const arr *b, ph_err *err) {
    int perm[ARR_MAXDIM], n = b->ndim;
    arr turned;
    for (int k = 0; k < n; k++) perm[k] = k;
    perm[n - 2] = n - 1, perm[n - 1] = n - 2;
    ph_status st = arr_permute(&turned, b, perm, err);
    if (st != PH_OK) return st;
    st = op_call2(out, "matmul", a, &turned, err);
    arr_drop(&turned);
    return st;
}

ph_status enc_scores_begin(arr *out, const enc_scores *s, const arr *left, const arr *right, ph_err *err) {
    ph_status st;
    arr product = ARR_NONE;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[s->nlead] = s->T, shape[s->nlead + 1] = s->S;
    if (!left) return arr_zeros(out, s->type, s->nlead + 2, shape, err);
    PH_TRY(enc_times_transposed(&product, left, right, err));
    if (product.ndim == s->nlead + 2 &&
        memcmp(product.shape, shape, (size_t)product.ndim * sizeof *shape) == 0)
        *out = arr_ref(&product);
    else {
        PH_TRY(arr_new(out, s->type, s->nlead + 2, shape, err));
        st = arr_assign(out, &product, err);
    }
done:
    arr_drop(&product);
    return st;
}

ph_status enc_spread(arr *out, const enc_scores *s, const arr *x, ph_err *err) {
    int n = s->nlead + 2;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[n - 2] = x->shape[x->ndim - 2], shape[n - 1] = x->shape[x->ndim - 1];
    return arr_broadcast_to(out, x, n, shape, err);
}

int64_t enc_batch_at(const enc_scores *s, const arr *x, int64_t b) {
    int64_t at = 0;
    for (int k = s->nlead - 1; k >= 0; k--) {
        at += b % s->lead[k] * x->stride[k];
        b /= s->lead[k];
    }
    return at;
}

/* ---- by distance --------------------------------------------------------------------------------------- */

#define ADD_SPAN(NAME, TYPE)                                                                                 \
    static void NAME(TYPE *out, const TYPE *x, int64_t n, int64_t step, TYPE scale) {                        \
        if (step == 0)                                                                                       \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + *x);                                  \
        else if (step == 1)                                                                                  \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + x[j]);                                \
        else                                                                                                 \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + x[j * step]);                         \
    }
ADD_SPAN(add_f32, float)
ADD_SPAN(add_f64, double)

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr column; /* broadcast to (lead, rows, R) */
    bool of_keys;
    int64_t lo, R, pieces;
    double scale;
} adder;

static void add_span(const adder *p, int64_t out, int64_t from, int64_t n, int64_t step) {
    if (n <= 0) return;
    if (p->out->dtype == ARR_F32)
        add_f32((float *)p->out->data + out, (const float *)p->column.data + from, n, step, (float)p->scale);
    else add_f64((double *)p->out->data + out, (const double *)p->column.data + from, n, step, p->scale);
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

/* Row i of a batch whose columns begin at `from`: a piece of the first column, the middle, a piece of the last. */
static void add_row(const adder *p, int64_t batch, int64_t from, int64_t i) {
    int n = p->column.ndim;
    int64_t S = p->s->S, out = (batch * p->s->T + i) * S, m = p->s->first + i;
    int64_t row = p->column.stride[n - 2], w = p->column.stride[n - 1], key = p->of_keys ? row : 0;
    if (!p->of_keys) from += i * row;
    int64_t left = clamp(m + p->lo + 1, 0, S), right = clamp(m + p->lo + p->R - 1, left, S);
    add_span(p, out, from, left, key);
    add_span(p, out + left, from + left * key + (left - m - p->lo) * w, right - left, key + w);
    add_span(p, out + right, from + right * key + (p->R - 1) * w, S - right, key);
}

static void add_rows(void *ctx, int64_t piece) {
    const adder *p = ctx;
    int64_t batch = piece / p->pieces, first = piece % p->pieces * ROWS;
    int64_t end = first + ROWS < p->s->T ? first + ROWS : p->s->T,
            from = enc_batch_at(p->s, &p->column, batch);
    for (int64_t i = first; i < end; i++) add_row(p, batch, from, i);
}

ph_status enc_rows_of(arr *out, const arr *x, int64_t skip, int64_t count, bool turned, ph_err *err) {
    arr_range all[ARR_MAXDIM];
    for (int k = 0; k < x->ndim; k++) all[k] = (arr_range){0, 1, x->shape[k], false};
    all[x->ndim - 2] = (arr_range){turned ? skip + count - 1 : skip, turned ? -1 : 1, count, false};
    return arr_slice(out, x, x->ndim, all, err);
}

ph_status enc_add_by_distance(const arr *out, const enc_scores *s, const enc_by_distance *by, double scale,
                              ph_err *err) {
    adder p = {.s = s, .out = out, .of_keys = by->of_keys, .lo = by->lo, .scale = scale};
    if (arr_size(out) == 0) return PH_OK;
    ph_status st = enc_spread(&p.column, s, by->column, err);
    if (st != PH_OK) return st;
    p.R = p.column.shape[s->nlead + 1];
    p.pieces = (s->T + ROWS - 1) / ROWS;
    st = ph_parallel(add_rows, &p, arr_size(out) / (s->T * s->S) * p.pieces, err);
    arr_drop(&p.column);
    return st;
}

/* ---- sines and cosines of the distance ---- */

ph_status enc_distances_of(enc_distances *r, const char *who, const arr *W, double base, int64_t clamp_at,
                           ph_err *err) {
    int64_t D = W->shape[W->ndim - 2];
    *r = (enc_distances){{D, base, true, false}, false, clamp_at};
    if (D > 0 && D % 2 == 0) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: W has %lld rows; wanted an even number (pairs of a sine and a cosine)",
                   who, (long long)D);
}

ph_status enc_add_waves(const arr *out, const enc_scores *s, const enc_distances *r, const arr *left,
                        const arr *W, double scale, ph_err *err) {
    ph_status st;
    arr waves = ARR_NONE, in_order = ARR_NONE, rows = ARR_NONE, column = ARR_NONE;
    int64_t lo = 1 - s->first - s->T, hi = s->S - 1 - s->first; /* of n - m */
    if (arr_size(out) == 0) return PH_OK;
    if (r->clamp) lo = clamp(lo, -r->clamp, r->clamp), hi = clamp(hi, -r->clamp, r->clamp);
    enc_positions at = {.n = hi - lo + 1, .first = (double)(r->ahead ? lo : -hi)};
    PH_TRY(enc_wave_rows(&waves, s->type, &r->waves, &at, s->who, err));
    PH_TRY(enc_rows_of(&in_order, &waves, 0, at.n, !r->ahead, err));
    if (W) PH_TRY(op_call2(&rows, "matmul", &in_order, W, err));
    PH_TRY(enc_times_transposed(&column, left, W ? &rows : &in_order, err));
    st = enc_add_by_distance(out, s, &(enc_by_distance){&column, false, lo}, scale, err);
done:
    arr_drop(&waves);
    arr_drop(&in_order);
    arr_drop(&rows);
    arr_drop(&column);
    return st;
}

/* ---- formulas ------------------------------------------------------------------------------------------ */

/* Entry j of row `row` of head `head`, where arrays without heads serve all. */
static double entry(const arr *a, int64_t head, int64_t row, int64_t j, bool vector) {
    int64_t at[ARR_MAXDIM] = {0};
    int n = a->ndim, lead = n - (vector ? 2 : 3);
    at[n - 1] = j;
    if (!vector) at[n - 2] = row;
    if (lead >= 0) at[lead] = a->shape[lead] > 1 ? head : 0;
    return arr_get_num(a, arr_at(a, at));
}

exp_node *enc_b_entry(exp_builder *b, const enc_vector *x, int64_t j) {
    if (x->symbol) return enc_b_at(b, x->symbol, j);
    return enc_b_num(b, entry(x->array, x->head, x->row, j, x->row < 0));
}

exp_node *enc_b_dot(exp_builder *b, const enc_vector *x, const enc_vector *y, int64_t d) {
    exp_node *sum = exp_b_rat(b, 0, 1);
    for (int64_t j = 0; j < d; j++)
        sum = exp_b_add(b, sum, exp_b_mul(b, enc_b_entry(b, x, j), enc_b_entry(b, y, j)));
    return sum;
}

exp_node *enc_b_by_distance(exp_builder *b, int64_t lo, int64_t R, exp_node *const *value) {
    exp_node *piece[EXP_MAX_ARGS], *ahead = exp_b_sub(b, enc_b_sym(b, "n"), enc_b_sym(b, "m"));
    int n = 0;
    if (R > EXP_MAX_ARGS / 2) {
        if (b->st == PH_OK)
            b->st =
                ph_fail(b->err, PH_EUNABLE, "a formula holds tables of at most %d rows; this one has %lld",
                        EXP_MAX_ARGS / 2, (long long)R);
        return NULL;
    }
    if (R == 1) return value[0];
    for (int64_t r = 0; r < R; r++) {
        if (r < R - 1) piece[n++] = exp_b_2(b, EXP_LT, ahead, exp_b_rat(b, lo + r + 1, 1));
        piece[n++] = value[r];
    }
    return exp_b_op(b, EXP_PIECE, n, piece);
}

exp_node *enc_b_waves(exp_builder *b, const enc_distances *r, const enc_vector *left, const enc_vector *plus,
                      const enc_vector *W, int64_t d) {
    exp_node *m = enc_b_sym(b, "m"), *n = enc_b_sym(b, "n"), *sum = exp_b_rat(b, 0, 1);
    exp_node *t = r->ahead ? exp_b_sub(b, n, m) : exp_b_sub(b, m, n);
    if (r->clamp) {
        t = exp_b_2(b, EXP_MIN, t, exp_b_rat(b, r->clamp, 1));
        t = exp_b_2(b, EXP_MAX, t, exp_b_rat(b, -r->clamp, 1));
    }
    for (int64_t c = 0; c < d; c++) {
        exp_node *wave = exp_b_rat(b, 0, 1);
        for (int64_t e = W ? 0 : c; e < (W ? r->waves.d : c + 1); e++) {
            exp_node *x = enc_b_wave(b, &r->waves, t, e);
            if (W)
                x = exp_b_mul(b, x,
                              enc_b_entry(b, &(enc_vector){.array = W->array, .head = W->head, .row = e}, c));
            wave = exp_b_add(b, wave, x);
        }
        exp_node *x = exp_b_add(b, enc_b_entry(b, left, c), enc_b_entry(b, plus, c));
        sum = exp_b_add(b, sum, exp_b_mul(b, x, wave));
    }
    return sum;
}

exp_node *enc_b_over_root(exp_builder *b, exp_node *x, int64_t n) {
    return exp_b_div(b, x, exp_b_1(b, EXP_SQRT, exp_b_rat(b, n, 1)));
}
