/* dd.h: arrays of double-doubles: every element is the unevaluated sum hi + lo (base/dd.h), some 32
 * digits, kept as two contiguous f64 arrays of one shape. For phases, and as the yardstick against which f64
 * results are measured; not an operation row, since nothing differentiates or promotes them.
 */
#ifndef PH_ARR_DD_H
#define PH_ARR_DD_H

#include "array/array.h"

typedef struct {
    arr hi, lo; /* owned */
} arr_dd;

#define ARR_DD_NONE ((arr_dd){ARR_NONE, ARR_NONE})

void arr_dd_drop(arr_dd *a); /* idempotent */

/* hi + lo, broadcast together and renormalised so that hi is the nearest double; lo NULL: zeros. Real arrays
 * only. */
PH_MUST ph_status arr_dd_of(arr_dd *out, const arr *hi, const arr *lo, ph_err *err);

typedef enum { ARR_DD_ADD, ARR_DD_SUB, ARR_DD_MUL, ARR_DD_DIV, ARR_DD_POW } arr_dd_binary;
typedef enum { ARR_DD_NEG, ARR_DD_ABS, ARR_DD_EXP, ARR_DD_LOG, ARR_DD_SIN, ARR_DD_COS } arr_dd_unary;

/* Elementwise, with broadcasting; *out may not be an operand. EARG names both shapes; EINTR between blocks.
 */
PH_MUST ph_status arr_dd_apply2(arr_dd *out, arr_dd_binary f, const arr_dd *a, const arr_dd *b, ph_err *err);
PH_MUST ph_status arr_dd_apply1(arr_dd *out, arr_dd_unary f, const arr_dd *a, ph_err *err);

#endif
