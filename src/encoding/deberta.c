/* deberta.c: disentangled attention: content meets content, content meets position, position meets content.
 *
 *     s_mn = (q_m . k_n + q_m . kr_δ(m,n) + k_n . qr_δ(n,m)) / sqrt(3 d)
 *     δ(m, n) = 0 for m-n <= -K, 2K-1 for m-n >= K, m-n+K between
 *
 *     rows of kr and qr (2K, d)   [m-n <= -K | -K+1 | … | 0 | … | K-2 | >= K-1]
 *
 * Variant "code", as released, has qr_δ(m,n) in the third term: it looks the key's distance up with the sign turned.
 */
#include "encoding/relative.h"

#include <math.h>

enum { Q, K, QR, KR, VARIANT, OFFSET, CONTENT };
enum { PAPER, CODE };

static const enc_param params[] = {
    ENC_Q_ROW,
    ENC_K_ROW,
    {"qr", ENC_ARRAY, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL,
     "an array (2K, d), or one for each head: the positions' queries, which meet the keys"},
    {"kr", ENC_ARRAY, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL,
     "an array (2K, d), or one for each head: the positions' keys, which meet the queries"},
    {"variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,
     "\"paper\": delta(n, m) in the third term; \"code\" (as released): delta(m, n) there too"},
    ENC_FIRST_ROW,
    ENC_CONTENT_ROW,
    {0},
};

/* *reach: K */
static ph_status begin(enc_scores *s, int64_t *reach, const enc_value *v, ph_err *err) {
    char a[200], b[200];
    const arr *qr = v[QR].array, *kr = v[KR].array;
    const enc_part parts[] = {{"qr", qr, false, 0}, {"kr", kr, false, 0}};
    ph_status st = enc_scores_of(s, "deberta", v[Q].array, v[K].array, &v[OFFSET], parts, 2, err);
    if (st != PH_OK) return st;
    int64_t rows = qr->shape[qr->ndim - 2];
    *reach = rows / 2;
    if (rows > 0 && rows % 2 == 0 && rows == kr->shape[kr->ndim - 2]) return PH_OK;
    return ph_fail(err, PH_EARG,
                   "deberta: qr has shape %s and kr %s; wanted (2K, %lld) of both, an even number of rows",
                   arr_shape_text(a, sizeof a, qr), arr_shape_text(b, sizeof b, kr), (long long)s->d);
}

/* out = scale (out + x . row δ(m,n), or δ(n,m) when `turned`), x of queries or keys. δ(m,n) falls with n - m from 2K-1 at 1-K, δ(n,m)
 * grows with it from 0 at -K. */
static ph_status add_term(const arr *out, const enc_scores *s, const arr *x, const arr *table, bool of_keys,
                          bool turned, double scale, ph_err *err) {
    ph_status st;
    arr rows = ARR_NONE, column = ARR_NONE;
    int64_t count = table->shape[table->ndim - 2];
    PH_TRY(enc_rows_of(&rows, table, 0, count, !turned, err));
    PH_TRY(enc_times_transposed(&column, x, &rows, err));
    st = enc_add_by_distance(
        out, s, &(enc_by_distance){&column, of_keys, turned ? -count / 2 : 1 - count / 2}, scale, err);
done:
    arr_drop(&rows);
    arr_drop(&column);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    int64_t reach;
    PH_TRY(begin(&s, &reach, v, err));
    const arr *q = &s.part[0], *k = &s.part[1], *qr = &s.part[2], *kr = &s.part[3];
    PH_TRY(enc_scores_begin(out, &s, v[CONTENT].whole ? q : NULL, k, err));
    PH_TRY(add_term(out, &s, q, kr, false, false, 1, err));
    st = add_term(out, &s, k, qr, true, v[VARIANT].whole == PAPER, 1 / sqrt(3 * (double)s.d), err);
done:
    enc_scores_drop(&s);
    return st;
}

static ph_status check(const enc_value *v, ph_err *err) {
    enc_scores s;
    int64_t reach;
    ph_status st = begin(&s, &reach, v, err);
    enc_scores_drop(&s);
    return st;
}

/* x . row δ(m,n), or δ(n,m) when `turned`, x of queries or keys */
static op_val *term(const enc_d_scores *s, op_val *x, const enc_value *table, bool of_keys, bool turned) {
    op_val *rows = enc_d_value(s->c, table);
    int64_t count = enc_d_size(s->c, rows, 1);
    rows = enc_d_rows(s->c, rows, 0, count, !turned);
    return enc_d_by_distance(s, enc_d_dot(s->c, x, rows), turned ? -count / 2 : 1 - count / 2, of_keys);
}

static void define(const enc_def *d, op_val **y) {
    const enc_value *v = d->v;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    op_val *sum = op_do2(d->c, "add", term(&s, s.q, &v[KR], false, false),
                         term(&s, s.k, &v[QR], true, v[VARIANT].whole == PAPER));
    y[0] = enc_d_over_root(d->c, enc_d_content(&s, sum, v[CONTENT].whole), 3 * s.d);
}

static const enc_function functions[] = {
    {"deberta", "DeBERTa's disentangled scores (..., T, S), divided by sqrt(3 d).",
     "(q_m . k_n + q_m . kr_delta(m,n) + k_n . qr_delta(n,m)) / sqrt(3 d). Content and positions have "
     "projections of their "
     "own: q, k of the tokens, qr = E Wq, kr = E Wk of the 2K rows of relative positions. "
     "attention(q, k, v, {scale=1/sqrt(3*d), bias=deberta(..., {content=false})}) uses it. NaN stays where "
     "it was given.",
     "x = ones(2, 3)\nE = zeros(4, 3)\nE[{2, {}}] = 1\ndeberta(0*x, x, E, E)(2, 1)  --> 1.0\n"
     "deberta(0*x, x, E, E, {variant=\"code\"})(1, 2)  --> 1.0\n"
     "deberta(x, x, ones(3, 3), ones(3, 3))  --> error: an even number of rows",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_deberta = {
    .name = "deberta",
    .title = "disentangled attention",
    .citation = "He, Liu, Gao, Chen, DeBERTa: Decoding-enhanced BERT with Disentangled Attention (2021), "
                "arXiv:2006.03654.",
    .kind = ENC_RELATIVE,
    .layout = "qr, kr (2K, d): [m-n <= -K | ... | 0 | ... | >= K-1]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, learned(8, d), learned(8, d)\n"
              "code: Q, K, learned(8, d), learned(8, d), {variant=\"code\"}",
};
