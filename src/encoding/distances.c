/* distances.c: sines and cosines of the distance in scores.
 *
 * A block of queries and keys needs as many rows of R as it has diagonals. They meet the block's queries in one small product, which is
 * added diagonal by diagonal: no (T, T+S-1) array, and half the work of the shift trick.
 *
 *     keys       n0 … n1-1
 *     query m0   [ d e f g ]        columns of the product: n - m = n0-m1 … n1-1-m0
 *     query m1   [ c d e f ]            [ c d e f g ]
 */
#include "encoding/relative.h"

#include "array/gemm.h"
#include "array/op.h"
#include "base/parallel.h"

#include <math.h>

#define QUERIES 32
#define KEYS    128
#define COLUMNS (QUERIES + KEYS - 1)

ph_status enc_distances_of(enc_distances *r, const char *who, const arr *W, double base, int64_t clamp_at,
                           ph_err *err) {
    int64_t D = W->shape[W->ndim - 2];
    *r = (enc_distances){{D, base, true, false}, false, clamp_at};
    if (D > 0 && D % 2 == 0) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: W has %lld rows; wanted an even number (pairs of a sine and a cosine)",
                   who, (long long)D);
}

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr left, rows; /* (lead, T, d) and (lead, R, d), rows of d elements in a line */
    int64_t lo, R, pieces;
    double scale;
} banded;

typedef union {
    float f32[QUERIES * COLUMNS];
    double f64[QUERIES * COLUMNS];
} scratch;

/* Queries i .. last, keys n .. end-1. */
static void add_block(const banded *p, int64_t batch, int64_t i, int64_t last, int64_t n, int64_t end) {
    scratch columns;
    const enc_scores *s = p->s;
    size_t item = arr_itemsize(s->type);
    int64_t lo = enc_clamp(n - s->first - last - p->lo, 0, p->R - 1),
            hi = enc_clamp(end - 1 - s->first - i - p->lo, 0, p->R - 1);
    int count = (int)(hi - lo + 1), d = (int)s->d;
    arr_gemm g = {s->type, true, false, (int)(last - i + 1), count, d, d, d, count, 1};
    arr_gemm_raw(&g, &columns, enc_row_at(s, &p->left, batch, i), enc_row_at(s, &p->rows, batch, lo));
    for (int64_t r = 0; i + r <= last; r++) {
        char *out = p->out->data + (size_t)((batch * s->T + i + r) * s->S) * item;
        enc_line l = {s->type,    out,   (char *)&columns + (size_t)(r * count) * item,
                      0,          1,     s->first + i + r,
                      p->lo + lo, count, p->scale};
        enc_add_line(&l, n, end);
    }
}

static void add_queries(void *ctx, int64_t piece) {
    const banded *p = ctx;
    int64_t S = p->s->S, batch = piece / p->pieces, i = piece % p->pieces * QUERIES;
    int64_t last = i + QUERIES < p->s->T ? i + QUERIES - 1 : p->s->T - 1;
    for (int64_t n = 0; n < S; n += KEYS) add_block(p, batch, i, last, n, n + KEYS < S ? n + KEYS : S);
}

/* R_t W for every distance, n - m = lo first. */
static ph_status rows_of(arr *out, const enc_scores *s, const enc_distances *r, const arr *W, int64_t lo,
                         int64_t hi, ph_err *err) {
    ph_status st;
    arr waves = ARR_NONE, in_order = ARR_NONE, rows = ARR_NONE;
    enc_positions at = {.n = hi - lo + 1, .first = (double)(r->ahead ? lo : -hi)};
    PH_TRY(enc_wave_rows(&waves, s->type, &r->waves, &at, s->who, err));
    PH_TRY(enc_rows_of(&in_order, &waves, 0, at.n, !r->ahead, err));
    if (W) PH_TRY(op_call2(&rows, "matmul", &in_order, W, err));
    st = arr_contiguous(out, W ? &rows : &in_order, s->type, err);
done:
    arr_drop(&waves);
    arr_drop(&in_order);
    arr_drop(&rows);
    return st;
}

/* out = scale (out + left . (R_t W)), W (…, waves.d, d) or NULL for none */
static ph_status add_waves(const arr *out, const enc_scores *s, const enc_distances *r, const arr *left,
                           const arr *W, double scale, ph_err *err) {
    ph_status st;
    arr rows = ARR_NONE, queries = ARR_NONE;
    banded p = {.s = s, .out = out, .left = ARR_NONE, .rows = ARR_NONE, .scale = scale};
    int64_t hi = s->S - 1 - s->first; /* of n - m */
    p.lo = 1 - s->first - s->T;
    if (arr_size(out) == 0) return PH_OK;
    if (r->clamp) p.lo = enc_clamp(p.lo, -r->clamp, r->clamp), hi = enc_clamp(hi, -r->clamp, r->clamp);
    p.R = hi - p.lo + 1;
    PH_TRY(rows_of(&rows, s, r, W, p.lo, hi, err));
    PH_TRY(arr_contiguous(&queries, left, s->type, err));
    PH_TRY(enc_spread(&p.rows, s, &rows, err));
    PH_TRY(enc_spread(&p.left, s, &queries, err));
    p.pieces = (s->T + QUERIES - 1) / QUERIES;
    PH_TRY(arr_gemm_ready(err));
    st = ph_parallel(add_queries, &p, arr_size(out) / (s->T * s->S) * p.pieces, err);
done:
    arr_drop(&rows);
    arr_drop(&queries);
    arr_drop(&p.left);
    arr_drop(&p.rows);
    return st;
}

/* ---- the frame of Transformer-XL ----------------------------------------------------------------------- */

enc_xl enc_xl_of(const enc_value *v) {
    return (enc_xl){.W = v[ENC_XL_W].array,
                    .u = v[ENC_XL_U].array,
                    .v = v[ENC_XL_V].array,
                    .content = v[ENC_XL_CONTENT].whole,
                    .scaled = true};
}

ph_status enc_xl_begin(enc_xl *x, const char *who, const arr *q, const arr *k, const enc_value *offset,
                       const enc_part *own, int n, ph_err *err) {
    enc_part parts[ENC_MAXPARTS - ENC_XL_W] = {
        {"W", x->W, false, 0}, {"u", x->u, true, 0}, {"v", x->v, true, 0}};
    for (int i = 0; i < n; i++) parts[ENC_XL_OWN - ENC_XL_W + i] = own[i];
    return enc_scores_of(&x->s, who, q, k, offset, parts, ENC_XL_OWN - ENC_XL_W + n, err);
}

/* The first product, or zeros. */
static ph_status content(arr *out, const enc_xl *x, ph_err *err) {
    ph_status st;
    arr left = ARR_NONE;
    const arr *part = x->s.part;
    if (x->content) PH_TRY(op_call2(&left, "add", &part[ENC_XL_Q], &part[ENC_XL_U], err));
    st = enc_scores_begin(out, &x->s, x->content ? &left : NULL, &part[ENC_XL_K], err);
done:
    arr_drop(&left);
    return st;
}

/* out = scale (out + the last product) */
static ph_status distance(const arr *out, const enc_xl *x, ph_err *err) {
    arr left;
    const arr *part = x->s.part;
    ph_status st = op_call2(&left, "add", &part[ENC_XL_Q], &part[ENC_XL_V], err);
    if (st != PH_OK) return st;
    st = add_waves(out, &x->s, &x->r, &left, x->W ? &part[ENC_XL_W] : NULL,
                   x->scaled ? 1 / sqrt((double)x->s.d) : 1, err);
    arr_drop(&left);
    return st;
}

ph_status enc_xl_run(arr *out, enc_xl_fn *begin, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_xl x;
    PH_TRY(begin(&x, v, err));
    PH_TRY(content(out, &x, err));
    if (x.add) PH_TRY(x.add(out, &x.s, v, err));
    st = distance(out, &x, err);
done:
    enc_scores_drop(&x.s);
    return st;
}

ph_status enc_xl_check(enc_xl_fn *begin, const enc_value *v, ph_err *err) {
    enc_xl x;
    ph_status st = begin(&x, v, err);
    enc_scores_drop(&x.s);
    return st;
}
