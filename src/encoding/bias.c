/* bias.c: fills score biases from a function of head and distance; see bias.h. */
#include "encoding/bias.h"

#include <string.h>

#include "base/parallel.h"

#define ROWS 64   /* queries of a piece */
#define MANY 2048 /* distances of a piece */

enc_span enc_span_of(const char *who, int64_t heads, int64_t T, const enc_value *v) {
    int64_t offset = v[ENC_SPAN_OFFSET].whole, keys = v[ENC_SPAN_KEYS].whole;
    return (enc_span){
        who, heads, T, keys ? keys : T + offset, offset, v[ENC_SPAN_DTYPE].whole ? ARR_F32 : ARR_F64};
}

typedef struct {
    const enc_span *s;
    enc_of_distance *value;
    const void *ctx;
    char *list; /* heads x distances; the largest distance first */
    char *out;
    size_t item;
    int64_t distances, pieces; /* pieces of a head */
} plan;

static void fill_list(void *ctx, int64_t piece) {
    const plan *p = ctx;
    int64_t head = piece / p->pieces, first = piece % p->pieces * MANY;
    int64_t end = first + MANY < p->distances ? first + MANY : p->distances;
    int64_t largest = p->s->offset + p->s->queries - 1, at = head * p->distances;
    for (int64_t k = first; k < end; k++) {
        double x = p->value(p->ctx, head, largest - k);
        if (p->s->dtype == ARR_F64) ((double *)p->list)[at + k] = x;
        else ((float *)p->list)[at + k] = (float)x;
    }
}

static void fill_rows(void *ctx, int64_t piece) {
    const plan *p = ctx;
    const enc_span *s = p->s;
    int64_t head = piece / p->pieces, first = piece % p->pieces * ROWS;
    int64_t end = first + ROWS < s->queries ? first + ROWS : s->queries;
    size_t row = (size_t)s->keys * p->item;
    for (int64_t r = first; r < end; r++) /* m - n = offset + r at key 0 */
        memcpy(p->out + (size_t)(head * s->queries + r) * row,
               p->list + (size_t)(head * p->distances + s->queries - 1 - r) * p->item, row);
}

ph_status enc_new_bias(arr *out, const enc_span *s, ph_err *err) {
    size_t bytes;
    const int64_t shape[] = {s->heads, s->queries, s->keys};
    if (ph_shape_bytes(&bytes, shape, 3, arr_itemsize(s->dtype)))
        return arr_new(out, s->dtype, 3, shape, err);
    return ph_fail(err, PH_EARG, "%s: %lld heads of %lld queries and %lld keys are too many for any memory",
                   s->who, (long long)s->heads, (long long)s->queries, (long long)s->keys);
}

ph_status enc_fill_bias(arr *out, const enc_span *s, enc_of_distance *value, const void *ctx, ph_err *err) {
    size_t bytes;
    plan p = {.s = s, .value = value, .ctx = ctx, .item = arr_itemsize(s->dtype)};
    ph_status st = enc_new_bias(out, s, err);
    if (st != PH_OK || arr_size(out) == 0) return st;
    p.distances = s->queries + s->keys - 1;
    bytes = (size_t)(s->heads * p.distances) * p.item; /* at most twice the array's */
    if (!(p.list = ph_block_alloc(bytes))) return ph_fail_nomem(err, bytes);
    p.out = out->data;
    p.pieces = (p.distances + MANY - 1) / MANY;
    PH_TRY(ph_parallel(fill_list, &p, s->heads * p.pieces, err));
    p.pieces = (s->queries + ROWS - 1) / ROWS;
    st = ph_parallel(fill_rows, &p, s->heads * p.pieces, err);
done:
    ph_block_free(p.list, bytes);
    return st;
}

/* ---- in operations ------------------------------------------------------------------------------------- */

static int64_t keys_of(int64_t T, const enc_value *span) {
    int64_t keys = span[ENC_SPAN_KEYS].whole;
    return keys ? keys : T + span[ENC_SPAN_OFFSET].whole;
}

enc_d_span enc_d_span_of(const enc_def *d, int64_t T, const enc_value *span) {
    op_ctx *c = d->c;
    if (d->query) return (enc_d_span){enc_d_column(c, d->query), d->key};
    op_val *m = op_do2(c, "add", enc_d_count(c, T), op_num(c, (double)span[ENC_SPAN_OFFSET].whole));
    return (enc_d_span){enc_d_column(c, m), enc_d_count(c, keys_of(T, span))};
}

op_val *enc_d_distance(const enc_def *d, int64_t T, const enc_value *span) {
    enc_d_span at = enc_d_span_of(d, T, span);
    return op_do1(d->c, "abs", op_do2(d->c, "sub", at.m, at.n));
}

op_val *enc_d_per_head(op_ctx *c, op_val *v) {
    if (!v || c->st != PH_OK || op_spec_of(c, v)->ndim == 0) return v;
    return op_do_ints(c, "reshape", v, 3, (int64_t[]){enc_d_size(c, v, 0), 1, 1});
}

op_val *enc_d_bias(const enc_def *d, op_val *bias, const enc_value *span) {
    op_ctx *c = d->c;
    if (bias && c->st == PH_OK && op_spec_of(c, bias)->ndim < 3)
        bias = op_do_axis(c, "unsqueeze", bias, 0, false);
    return enc_d_astype(c, bias, span[ENC_SPAN_DTYPE].whole ? ARR_F32 : ARR_F64);
}
