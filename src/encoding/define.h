/* define.h: what a definition is written with. For encoding/, and for who runs definitions.
 *
 * A definition says what an encoding computes, once, in operations (array/rule.h). Two engines run it: that of diff/ on
 * arrays, whose operations have derivatives, and that of symbolic.h on formulas, where the exact formula comes from. So it takes
 * every argument that may be traced, or be exact, as a value; sizes, words and whole numbers are as in the call.
 *
 * As in a rule, the context owns the values, the first failure stays in it, and values are NULL after it.
 */
#ifndef PH_ENCODING_DEFINE_H
#define PH_ENCODING_DEFINE_H

#include "encoding/encoding.h"

/* An argument as a value: a number, an array, a list of positions. */
op_val *enc_d_value(op_ctx *c, const enc_value *v);
/* No argument among them is traced, fields of a choice included. */
bool enc_d_plain(const enc_value *v, const enc_param *params);
/* A number that decides something. Fails where the members of a batch may differ in it. */
double enc_d_number(op_ctx *c, const enc_value *v, const char *who, const char *name);

op_val *enc_d_count(op_ctx *c, int64_t n); /* 0, 1, …, n-1 */
op_val *enc_d_numbers(op_ctx *c, const double *x, int64_t n);
op_val *enc_d_powers(op_ctx *c, op_val *base, int64_t pairs, int64_t r); /* base^(-2i/r), i < pairs */
/* The positions of the rows: those that d names, a list, or `count` of them from 0; plus the offset. */
op_val *enc_d_positions(const enc_def *d, const enc_value *list, int64_t count, const enc_value *offset);

/* n - m, each distance once, and where each pair of positions finds its own: (distances) and (T, keys). */
op_val *enc_d_ahead(const enc_def *d, int64_t T, int64_t keys, int64_t first, op_val **place);

int64_t enc_d_size(op_ctx *c, const op_val *x, int back); /* of the last dimension, or one `back` before it */
op_val *enc_d_astype(op_ctx *c, op_val *x, arr_dtype t);
op_val *enc_d_columns(op_ctx *c, op_val *x, int64_t first, int64_t step,
                      int64_t count);                    /* of the last dimension */
op_val *enc_d_concat(op_ctx *c, op_val *a, op_val *b);   /* along the last */
op_val *enc_d_in_turns(op_ctx *c, op_val *a, op_val *b); /* (..., n) and (..., n): (..., 2n), a0 b0 a1 b1 … */
op_val *enc_d_rows(op_ctx *c, op_val *x, int64_t first, int64_t count,
                   bool last_first);        /* of the last but one */
op_val *enc_d_last(op_ctx *c, op_val *x);   /* (...) as (..., 1) */
op_val *enc_d_column(op_ctx *c, op_val *x); /* (n) as (n, 1) */

#endif
