/* bias.h: score biases, and those that depend on the distance m - n only. Private to encoding/.
 *
 * out[h, r, c] = value(h, m - n), query m = offset + r, key n = c. A head has queries + keys - 1 distances; each is computed
 * once, and a row is a piece of their list, read backwards.
 */
#ifndef PH_ENCODING_BIAS_H
#define PH_ENCODING_BIAS_H

#include "encoding/define.h"

/* Parameters that every such bias ends with, in this order. */
#define ENC_SPAN_ROWS                                                                                        \
    {"keys", ENC_INT, ENC_OPTIONAL, 0, 0, 1e15, NULL, NULL, "keys", "positions 0 to keys-1; 0: T + offset"}, \
        {"offset", ENC_INT, ENC_OPTIONAL, 0,           0,                                                    \
         1e15,     NULL,    NULL,         "positions", "the position of the first query"},                   \
    {                                                                                                        \
        "dtype", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "f64 f32", NULL, NULL,                                     \
            "f32 entries are the f64 ones rounded"                                                           \
    }
enum { ENC_SPAN_KEYS, ENC_SPAN_OFFSET, ENC_SPAN_DTYPE };

typedef struct {
    const char *who;
    int64_t heads, queries, keys, offset;
    arr_dtype dtype;
} enc_span;
/* From T and the span's first parameter. */
enc_span enc_span_of(const char *who, int64_t heads, int64_t T, const enc_value *v);

/* (heads, queries, keys), not filled. EARG for a size beyond memory. */
PH_MUST ph_status enc_new_bias(arr *out, const enc_span *s, ph_err *err);

typedef double enc_of_distance(const void *ctx, int64_t head, int64_t distance);
/* (heads, queries, keys). EARG for a size beyond memory, ENOMEM, EINTR. `value` runs on several threads. */
PH_MUST ph_status enc_fill_bias(arr *out, const enc_span *s, enc_of_distance *value, const void *ctx,
                                ph_err *err);

/* In operations: positions m (T, 1) of queries and n (keys) of keys; `span` are the values of ENC_SPAN_ROWS. */
typedef struct {
    op_val *m, *n;
} enc_d_span;
enc_d_span enc_d_span_of(const enc_def *d, int64_t T, const enc_value *span);
op_val *enc_d_distance(const enc_def *d, int64_t T, const enc_value *span); /* |m - n|, (T, keys) */
op_val *enc_d_per_head(op_ctx *c, op_val *v); /* (H) as (H, 1, 1); a number stays one */
/* A bias in the dtype that was asked for, one head where there are none. */
op_val *enc_d_bias(const enc_def *d, op_val *bias, const enc_value *span);

#endif
