/* math.c: rows of functions of one number.
 *
 * Real kernels take real numbers to real numbers: outside the domain (log of a negative, sqrt(-1), asin(2))
 * the result is NaN, never complex; the same function of a complex array gives the principal value, with
 * C99's branch cuts. bool computes in f64. f32 computes in f32.
 */
#include "array/elementwise.h"
#include "array/vmath.h"

#include <complex.h>
#include <math.h>

typedef double complex c128;

#define NO_COMPLEX "take re, im or abs first"

/* FIELD: the function keeps its field (real to real, complex to complex). REAL: reals only. */
#define FIELD(NAME, F32, F64, C128)                                                                          \
    ARR_LOOP1(NAME##_f32, float, float, F32)                                                                 \
    ARR_LOOP1(NAME##_f64, double, double, F64)                                                               \
    ARR_LOOP1(NAME##_c128, c128, c128, C128)                                                                 \
    static double NAME##_num(double x) { return F64; }                                                       \
    static const arr_ew NAME##_row = {.loop = {NULL, NAME##_f32, NAME##_f64, NAME##_c128},                   \
                                      .result = {0, ARR_F32, ARR_F64, ARR_C128}};
#define REAL(NAME, F32, F64)                                                                                 \
    ARR_LOOP1(NAME##_f32, float, float, F32)                                                                 \
    ARR_LOOP1(NAME##_f64, double, double, F64)                                                               \
    static double NAME##_num(double x) { return F64; }                                                       \
    static const arr_ew NAME##_row = {.loop = {NULL, NAME##_f32, NAME##_f64, NULL},                          \
                                      .result = {0, ARR_F32, ARR_F64, 0},                                    \
                                      .hint = NO_COMPLEX};

/* VECTOR: as FIELD, the real loops and the scalar form through vmath.h, so that a number and an element agree
 * in every bit. A strided operand is gathered into the output first. */
#define VECTOR_LOOP(T, t)                                                                                    \
    static void vector_##t(void (*f)(T *, const T *, int64_t), T *o, const T *a, int64_t s, int64_t n) {     \
        if (s != 1) {                                                                                        \
            for (int64_t i = 0; i < n; i++) o[i] = a[i * s];                                                 \
            a = o;                                                                                           \
        }                                                                                                    \
        f(o, a, n);                                                                                          \
    }
VECTOR_LOOP(float, f32)
VECTOR_LOOP(double, f64)
#define VECTOR_TYPE(NAME, t)                                                                                 \
    static void NAME##_##t(void *out, const void *const *in, const int64_t *step, int64_t n) {               \
        vector_##t(arr_v##NAME##_##t, out, in[0], step[0], n);                                               \
    }
#define VECTOR_NUM(NAME)                                                                                     \
    VECTOR_TYPE(NAME, f32)                                                                                   \
    VECTOR_TYPE(NAME, f64)                                                                                   \
    static double NAME##_num(double x) {                                                                     \
        arr_v##NAME##_f64(&x, &x, 1);                                                                        \
        return x;                                                                                            \
    }
#define VECTOR(NAME, C128)                                                                                   \
    VECTOR_NUM(NAME)                                                                                         \
    ARR_LOOP1(NAME##_c128, c128, c128, C128)                                                                 \
    static const arr_ew NAME##_row = {.loop = {NULL, NAME##_f32, NAME##_f64, NAME##_c128},                   \
                                      .result = {0, ARR_F32, ARR_F64, ARR_C128}};
#define VECTOR_REAL(NAME)                                                                                    \
    VECTOR_NUM(NAME)                                                                                         \
    static const arr_ew NAME##_row = {.loop = {NULL, NAME##_f32, NAME##_f64, NULL},                          \
                                      .result = {0, ARR_F32, ARR_F64, 0},                                    \
                                      .hint = NO_COMPLEX};

FIELD(neg, -x, -x, -x)
FIELD(square, x *x, x *x, arr_cmplx((creal(x) - cimag(x)) * (creal(x) + cimag(x)), 2 * creal(x) * cimag(x)))
VECTOR(exp, cexp(x))
VECTOR(log, clog(x))
VECTOR(sqrt, csqrt(x))
VECTOR(sin, csin(x))
VECTOR(cos, ccos(x))
VECTOR(tan, ctan(x))
FIELD(asin, asinf(x), asin(x), casin(x))
FIELD(acos, acosf(x), acos(x), cacos(x))
FIELD(atan, atanf(x), atan(x), catan(x))
FIELD(sinh, sinhf(x), sinh(x), csinh(x))
FIELD(cosh, coshf(x), cosh(x), ccosh(x))
VECTOR(tanh, ctanh(x))

REAL(log1p, log1pf(x), log1p(x))
REAL(expm1, expm1f(x), expm1(x))
REAL(log2, log2f(x), log2(x))
REAL(floor, floorf(x), floor(x))
REAL(ceil, ceilf(x), ceil(x))
REAL(round, rintf(x), rint(x)) /* halves go to the even neighbour */
REAL(sign, (x > 0) - (x < 0) + (x != x ? x : 0), (x > 0) - (x < 0) + (x != x ? x : 0))
REAL(relu, (x > 0 || x != x ? x : 0), (x > 0 || x != x ? x : 0))

/* 1/(1+e^-x) */
VECTOR_REAL(sigmoid)
VECTOR_REAL(erf)

/* ---- between the fields -------------------------------------------------------------------------------- */

/* |x|: real for every type; bool counts as 0 and 1. */
ARR_LOOP1(abs_f32, float, float, fabsf(x))
ARR_LOOP1(abs_f64, double, double, fabs(x))
ARR_LOOP1(abs_c128, c128, double, cabs(x))
static const arr_ew abs_row = {.loop = {NULL, abs_f32, abs_f64, abs_c128},
                               .result = {0, ARR_F32, ARR_F64, ARR_F64}};

/* The phase in radians, in (-pi, pi]; 0 or pi for a real number. */
ARR_LOOP1(angle_f32, float, float, atan2f(0, x))
ARR_LOOP1(angle_f64, double, double, atan2(0, x))
ARR_LOOP1(angle_c128, c128, double, carg(x))
static const arr_ew angle_row = {.loop = {NULL, angle_f32, angle_f64, angle_c128},
                                 .result = {0, ARR_F32, ARR_F64, ARR_F64}};

ARR_LOOP1(same_f32, float, float, x)
ARR_LOOP1(same_f64, double, double, x)
ARR_LOOP1(conj_c128, c128, c128, conj(x))
ARR_LOOP1(re_c128, c128, double, creal(x))
ARR_LOOP1(im_f32, float, float, ((void)x, 0.0f))
ARR_LOOP1(im_f64, double, double, ((void)x, 0.0))
ARR_LOOP1(im_c128, c128, double, cimag(x))
static const arr_ew conj_row = {.loop = {NULL, same_f32, same_f64, conj_c128},
                                .result = {0, ARR_F32, ARR_F64, ARR_C128}};
static const arr_ew re_row = {.loop = {NULL, same_f32, same_f64, re_c128},
                              .result = {0, ARR_F32, ARR_F64, ARR_F64}};
static const arr_ew im_row = {.loop = {NULL, im_f32, im_f64, im_c128},
                              .result = {0, ARR_F32, ARR_F64, ARR_F64}};

/* ---- tests --------------------------------------------------------------------------------------------- */

#define TEST(NAME, EXPR, CEXPR)                                                                              \
    ARR_LOOP1(NAME##_f32, float, arr_bool, EXPR)                                                             \
    ARR_LOOP1(NAME##_f64, double, arr_bool, EXPR)                                                            \
    ARR_LOOP1(NAME##_c128, c128, arr_bool, CEXPR)                                                            \
    static const arr_ew NAME##_row = {.loop = {NULL, NAME##_f32, NAME##_f64, NAME##_c128}};
TEST(isnan, x != x, creal(x) != creal(x) || cimag(x) != cimag(x))
TEST(isfinite, x - x == 0, creal(x) - creal(x) == 0 && cimag(x) - cimag(x) == 0)

/* ---- rows ---------------------------------------------------------------------------------------------- */

#define SMOOTH(NAME) ARR_EW1(#NAME, OP_SMOOTH, NAME##_num, &NAME##_row)
#define ROUGH(NAME)  ARR_EW1(#NAME, 0, NAME##_num, &NAME##_row)

const op arr_math_ops[] = {
    SMOOTH(neg),
    SMOOTH(square),
    SMOOTH(exp),
    SMOOTH(log),
    SMOOTH(sqrt),
    SMOOTH(sin),
    SMOOTH(cos),
    SMOOTH(tan),
    SMOOTH(asin),
    SMOOTH(acos),
    SMOOTH(atan),
    SMOOTH(sinh),
    SMOOTH(cosh),
    SMOOTH(tanh),
    SMOOTH(log1p),
    SMOOTH(expm1),
    SMOOTH(log2),
    SMOOTH(relu),
    ROUGH(floor),
    SMOOTH(sigmoid),
    SMOOTH(erf),
    ROUGH(ceil),
    ROUGH(round),
    ROUGH(sign),
    ARR_EW1("abs", OP_SMOOTH, fabs, &abs_row),
    ARR_EW1("angle", OP_SMOOTH, NULL, &angle_row),
    ARR_EW1("conj", OP_SMOOTH, NULL, &conj_row),
    ARR_EW1("re", OP_SMOOTH, NULL, &re_row),
    ARR_EW1("im", OP_SMOOTH, NULL, &im_row),
    ARR_EW1("isnan", 0, NULL, &isnan_row),
    ARR_EW1("isfinite", 0, NULL, &isfinite_row),
};
const int arr_math_nops = sizeof arr_math_ops / sizeof arr_math_ops[0];
