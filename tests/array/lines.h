/* lines.h: one line of n values folded the slow way, in long double, with what error its kernel may make; for reductions and scans. */
#ifndef TEST_ARRAY_LINES_H
#define TEST_ARRAY_LINES_H

#include "array/views.h"

typedef long double real;

/* With u = 2^-53 and the result rounded once more to its type (half a spacing, added by the caller): */
typedef struct {
    wide value;
    real bound;
} truth;

static const real u = 0x1p-53L;

/* (67 + ceil(log2(n/1024))) u sum|x|; here n < 2^20, so 77 is enough for every line, and complex parts add
 * sqrt 2. */
static inline truth t_sum(const wide *x, int64_t n) {
    truth t = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        t.value += x[i];
        t.bound += cabsl(x[i]);
    }
    t.bound *= 1.5L * 77 * u;
    return t;
}
/* Each of n-1 products errs by u (real) or sqrt(5) u (complex). */
static inline truth t_prod(const wide *x, int64_t n) {
    truth t = {1, 0};
    for (int64_t i = 0; i < n; i++) /* reals apart: inf + 0i times a real would become NaN */
        t.value = cimagl(t.value) == 0 && cimagl(x[i]) == 0 ? creall(t.value) * creall(x[i]) : t.value * x[i];
    t.bound = 2.25L * n * u * cabsl(t.value);
    return t;
}

/* The result's type: of the field, of x, its real type, f64; bool only. */
enum { COUNT, SAME, REALS, POSITION, BOOLS };

static inline arr_dtype result_type(int types, arr_dtype t) {
    if (types == POSITION) return ARR_F64;
    if (types == SAME || types == BOOLS) return t;
    if (t == ARR_BOOL || (types == REALS && t == ARR_C128)) return ARR_F64;
    return t;
}

/* ---- operands: values and shapes ----------------------------------------------------------------------- */

static const double mild[] = {0, -0.0, 1, -1, 0.5, 2, 3, -2.5, 1e-3, 7.25, -0.3, 1.5, 9.5, -8};
static const double wild[] = {1, NAN, 0.5, -2, 3, 7, -1, 4, 2.5, 0.25, 8, -6, 1, 1, 1, 1, 1, 1, 1};

static const struct {
    int ndim;
    int64_t shape[4];
} shapes[] = {{0, {0}},          {1, {1}}, {1, {37}},   {2, {5, 7}}, {3, {3, 4, 5}}, {2, {20, 3}},
              {4, {2, 3, 2, 3}}, {1, {0}}, {2, {0, 3}}, {2, {3, 0}}, {3, {2, 0, 0}}};

#endif
