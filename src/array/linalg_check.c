/* linalg_check.c: what every factorization asks before and after: shapes, finite elements, column-major
 * copies. */
#include "array/linalg.h"

#include "array/loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

arr_dtype arr_lin_field(arr_dtype t) { return t == ARR_BOOL ? ARR_F64 : t; }
arr_dtype arr_lin_wide(arr_dtype t) { return t == ARR_C128 ? ARR_C128 : ARR_F64; }
double arr_lin_eps(arr_dtype t) { return t == ARR_F32 ? 0x1p-23 : 0x1p-52; }

ph_status arr_lin_check_matrix(const arr *x, const char *who, const char *what, bool stack, bool square,
                               ph_err *err) {
    char text[200];
    arr_shape_text(text, sizeof text, x);
    if (x->ndim < 2 || (x->ndim > 2 && !stack))
        return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted %s", who, what, text,
                       stack ? "a matrix, or a stack of them" : "a matrix");
    if (square && x->shape[x->ndim - 1] != x->shape[x->ndim - 2])
        return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted a square matrix", who, what, text);
    return PH_OK;
}
