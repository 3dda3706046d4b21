/* deberta.c: disentangled attention: content meets content, content meets position, position meets content.
 *
 *     s_mn = (q_m . k_n + q_m . kr_δ(m,n) + k_n . qr_δ(n,m)) / sqrt(3 d)
 *     δ(m, n) = 0 for m-n <= -K, 2K-1 for m-n >= K, m-n+K between
 *
 *     rows of kr and qr (2K, d)   [m-n <= -K | -K+1 | … | 0 | … | K-2 | >= K-1]
 *
 * Variant "code", as released, has qr_δ(m,n) in the third term: it looks the key's distance up with the sign turned.
 *
 * DeBERTa-v2 gives half of the rows to far distances, by their logarithm. With E = K/2 and M = max_distance, a distance x of either sign
 * counts as b(x) before δ looks it up:
 *     b(x) = x for |x| <= E;    b(x) = ±(E + ceil((E - 1) ln(|x|/E) / ln((M-1)/E))) beyond, so that b(M-1) = K-1
 */
#include "encoding/buckets.h"
#include "encoding/relative.h"

#include "array/op.h"

#include <math.h>

enum { Q, K, QR, KR, VARIANT, FAR, OFFSET, CONTENT };
enum { PAPER, CODE };

static const enc_param params[] = {
    ENC_Q_ROW,
    ENC_K_ROW,
    {"qr", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (2K, d), or one for each head: the positions' queries, which meet the keys"},
    {"kr", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (2K, d), or one for each head: the positions' keys, which meet the queries"},
    {"variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,
     "\"paper\": delta(n, m) in the third term; \"code\" (as released): delta(m, n) there too"},
    {"max_distance", ENC_INT, ENC_OPTIONAL, 0, 0, 0x7fffffff, NULL, NULL, "positions",
     "as in DeBERTa-v2: the outer half of the rows is for the distances from K/2 to max_distance-1, by their logarithm; 0: a row for each "
     "distance"},
    ENC_FIRST_ROW,
    ENC_CONTENT_ROW,
    {0},
};

/* ---- the row of a distance ------------------------------------------------------------------------------- */

/* K, and M or 0 */
typedef struct {
    int64_t reach, far;
} rows;

static int64_t bucket_of(const rows *r, int64_t x) {
    int64_t e = r->reach / 2;
    if (r->far == 0 || x <= e) return x;
    return x >= r->far ? r->reach : e + enc_log_steps(x, e, r->far - 1, e - 1, true);
}

/* δ of the distance x, which is m-n */
static int64_t row_of(const void *ctx, int64_t x) {
    const rows *r = ctx;
    return enc_clamp(r->reach + (x < 0 ? -bucket_of(r, -x) : bucket_of(r, x)), 0, 2 * r->reach - 1);
}

static ph_status check_far(const rows *r, ph_err *err) {
    if (r->far == 0 ||
        (r->reach >= 4 && r->reach % 2 == 0 && r->reach <= 2 * ENC_MOST_STEPS && r->far > r->reach / 2 + 1))
        return PH_OK;
    return ph_fail(
        err, PH_EARG,
        "deberta: max_distance is %lld with K = %lld; wanted an even K from 4 to %d and max_distance over K/2 + 1",
        (long long)r->far, (long long)r->reach, 2 * ENC_MOST_STEPS);
}

/* ---- scores ---------------------------------------------------------------------------------------------- */

static ph_status begin(enc_scores *s, rows *r, const enc_value *v, ph_err *err) {
    char a[200], b[200];
    const arr *qr = v[QR].array, *kr = v[KR].array;
    const enc_part parts[] = {{"qr", qr, false, 0}, {"kr", kr, false, 0}};
    ph_status st = enc_scores_of(s, "deberta", v[Q].array, v[K].array, &v[OFFSET], parts, 2, err);
    if (st != PH_OK) return st;
    int64_t count = qr->shape[qr->ndim - 2];
    *r = (rows){count / 2, v[FAR].whole};
    if (count > 0 && count % 2 == 0 && count == kr->shape[kr->ndim - 2]) return check_far(r, err);
    return ph_fail(err, PH_EARG,
                   "deberta: qr has shape %s and kr %s; wanted (2K, %lld) of both, an even number of rows",
                   arr_shape_text(a, sizeof a, qr), arr_shape_text(b, sizeof b, kr), (long long)s->d);
}

/* Of columns (..., 2K), in the order of the rows, those for n - m = lo, lo + 1, … as far as the scores have different ones. */
static ph_status by_distance(arr *out, int64_t *lo, const enc_scores *s, const arr *columns, const rows *r,
                             bool turned, ph_err *err) {
    int64_t most = r->far ? r->far : r->reach, count;
    op_attrs last = {.has_axis = true, .axis = -1};
    arr at;
    *lo = enc_clamp(1 - s->first - s->T, -most, most);
    count = enc_clamp(s->S - 1 - s->first, *lo, most) - *lo + 1;
    ph_status st = arr_new(&at, ARR_F64, 1, &count, err);
    if (st != PH_OK) return st;
    for (int64_t i = 0; i < count; i++)
        ((double *)at.data)[i] = (double)row_of(r, turned ? *lo + i : -*lo - i);
    st = op_apply(out, op_find("take"), (const arr[]){*columns, at}, 2, &last, err);
    arr_drop(&at);
    return st;
}

/* out = scale (out + x . row δ(m,n), or δ(n,m) when `turned`), x of queries or keys. */
static ph_status add_term(const arr *out, const enc_scores *s, const arr *x, const arr *table, const rows *r,
                          bool of_keys, bool turned, double scale, ph_err *err) {
    ph_status st;
    int64_t lo;
    arr products = ARR_NONE, column = ARR_NONE;
    PH_TRY(enc_times_transposed(&products, x, table, err));
    PH_TRY(by_distance(&column, &lo, s, &products, r, turned, err));
    st = enc_add_by_distance(out, s, &(enc_by_distance){&column, of_keys, lo}, scale, err);
done:
    arr_drop(&products);
    arr_drop(&column);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    rows r;
    PH_TRY(begin(&s, &r, v, err));
    const arr *q = &s.part[0], *k = &s.part[1], *qr = &s.part[2], *kr = &s.part[3];
    PH_TRY(enc_scores_begin(out, &s, v[CONTENT].whole ? q : NULL, k, err));
    PH_TRY(add_term(out, &s, q, kr, &r, false, false, 1, err));
    st = add_term(out, &s, k, qr, &r, true, v[VARIANT].whole == PAPER, 1 / sqrt(3 * (double)s.d), err);
done:
    enc_scores_drop(&s);
    return st;
}

static ph_status check(const enc_value *v, ph_err *err) {
    enc_scores s;
    rows r;
    ph_status st = begin(&s, &r, v, err);
    enc_scores_drop(&s);
    return st;
}

/* δ(m,n) of every pair, or δ(n,m) when `turned`, looked up once for each distance */
static op_val *rows_at(const enc_d_scores *s, const rows *r, bool turned) {
    const op_attrs first = {.has_axis = true};
    op_ctx *c = s->c;
    op_val *place, *x = enc_d_ahead(s->def, s->T, s->S, s->first, &place);
    if (!turned) x = op_do1(c, "neg", x);
    if (r->far) x = enc_d_stairs(c, x, row_of, r, -r->far, r->far, 0);
    else {
        x = op_do2(c, "maximum", op_do2(c, "add", x, op_num(c, (double)r->reach)), op_num(c, 0));
        x = op_do2(c, "minimum", x, op_num(c, (double)(2 * r->reach - 1)));
    }
    return op_do(c, "take", &first, 2, (op_val *[]){x, place});
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    op_val *qr = enc_d_value(c, &v[QR]), *kr = enc_d_value(c, &v[KR]);
    rows r = {enc_d_size(c, kr, 1) / 2, v[FAR].whole};
    op_val *by_query = enc_d_by_index(&s, enc_d_dot(c, s.q, kr), rows_at(&s, &r, false), false);
    op_val *by_key =
        enc_d_by_index(&s, enc_d_dot(c, s.k, qr), rows_at(&s, &r, v[VARIANT].whole == PAPER), true);
    op_val *sum = op_do2(c, "add", by_query, by_key);
    y[0] = enc_d_over_root(c, enc_d_content(&s, sum, v[CONTENT].whole), 3 * s.d);
}

static const enc_function functions[] = {
    {"deberta", "DeBERTa's disentangled scores (..., T, S), divided by sqrt(3 d).",
     "(q_m . k_n + q_m . kr_delta(m,n) + k_n . qr_delta(n,m)) / sqrt(3 d). Content and positions have "
     "projections of their own: q, k of the tokens, qr = E Wq, kr = E Wk of the 2K rows of relative "
     "positions. attention(q, k, v, {scale=1/sqrt(3*d), bias=deberta(..., {content=false})}) uses it. NaN "
     "stays where it was given.\n"
     "DeBERTa-v2, as released: {variant=\"code\", max_distance=M}, with 2K rows for its K buckets.",
     "x = ones(2, 3)\nE = zeros(4, 3)\nE[{2, {}}] = 1\ndeberta(0*x, x, E, E)(2, 1)  --> 1.0\n"
     "deberta(0*x, x, E, E, {variant=\"code\"})(1, 2)  --> 1.0\n"
     "deberta(x, x, ones(3, 3), ones(3, 3))  --> error: an even number of rows",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_deberta = {
    .name = "deberta",
    .title = {"disentangled attention", "解耦注意力"},
    .citation = "He, Liu, Gao, Chen, DeBERTa: Decoding-enhanced BERT with Disentangled Attention (2021), "
                "arXiv:2006.03654.",
    .kind = ENC_RELATIVE,
    .layout = "qr, kr (2K, d): [m-n <= -K | ... | 0 | ... | >= K-1]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, learned(8, d), learned(8, d)\n"
              "code: Q, K, learned(8, d), learned(8, d), {variant=\"code\"}\n"
              "v2: Q, K, learned(8, d), learned(8, d), {variant=\"code\", max_distance=12}",
    .model = "Q, K, learned(2 * L, d), learned(2 * L, d)",
};
