/* arith.c: rows of arithmetic, comparison, logic and choice.
 *
 * Real arithmetic is IEEE: one rounding an operation, NaN and Inf as they come; nothing is refused for its
 * value. Arithmetic on bool computes in f64. Complex products and quotients follow the textbook formula;
 * ordering complex numbers is refused.
 */
#include "array/elementwise.h"
#include "array/vmath.h"

#include <complex.h>
#include <math.h>

typedef double complex c128;

/* (a+bi)(c+di) = (ac-bd) + (ad+bc)i, without the recovery of infinities that the compiler would add. */
static inline c128 cmul(c128 x, c128 y) {
    double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    return arr_cmplx(a * c - b * d, a * d + b * c);
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

#define ARITH(NAME, PAST, EXPR, CEXPR)                                                                       \
    ARR_LOOP2(NAME##_f32, float, float, EXPR)                                                                \
    ARR_LOOP2(NAME##_f64, double, double, EXPR)                                                              \
    ARR_LOOP2(NAME##_c128, c128, c128, CEXPR)                                                                \
    static double NAME##_num(double x, double y) { return EXPR; }                                            \
    static const arr_ew NAME = {.loop = {NULL, NAME##_f32, NAME##_f64, NAME##_c128},                         \
                                .result = {0, ARR_F32, ARR_F64, ARR_C128},                                   \
                                .past = PAST};

ARITH(add, ARR_PAST_SUM, x + y, x + y)
ARITH(sub, ARR_PAST_DIFFERENCE, x - y, x - y)
ARITH(mul, ARR_PAST_PRODUCT, x *y, cmul(x, y))
ARITH(divide, ARR_PAST_QUOTIENT, x / y, x / y)

/* Integer exponents by repeated squaring, so that i^2 is exactly -1; others are exp(y log x). */
static c128 pow_c128(c128 x, c128 y) {
    double n = creal(y);
    if (cimag(y) != 0 || n != floor(n) || fabs(n) > 1024) return cpow(x, y);
    c128 r = 1, base = x;
    for (int k = (int)fabs(n); k; k >>= 1) {
        if (k & 1) r = cmul(r, base);
        if (k > 1) base = cmul(base, base);
    }
    return n < 0 ? 1 / r : r;
}
/* x^y, to under an ulp, exact where the power is a double; squares are x*x, rounded once. A negative x with a fractional y is
 * NaN; make x complex for the principal value. */
static double pow_f64(double x, double y) {
    arr_vpow_f64(&x, &x, &y, 1);
    return x;
}
ARR_LOOP1(squares_f32, float, float, x *x)
ARR_LOOP1(squares_f64, double, double, x *x)

/* n elements every `step` as they lie in memory, or copied behind one another to `scratch`. */
#define POWER_PART 512
#define POWER(T, t)                                                                                          \
    static const T *close_##t(T *scratch, const T *from, int64_t step, int64_t n) {                          \
        if (step == 1) return from;                                                                          \
        for (int64_t i = 0; i < n; i++) scratch[i] = from[i * step];                                         \
        return scratch;                                                                                      \
    }                                                                                                        \
    static void power_##t(void *out, const void *const *in, const int64_t *step, int64_t n) {                \
        T a[POWER_PART], b[POWER_PART], *o = out;                                                            \
        const T *x = in[0], *y = in[1];                                                                      \
        if (step[1] == 0 && y[0] == 2) {                                                                     \
            squares_##t(out, in, step, n);                                                                   \
            return;                                                                                          \
        }                                                                                                    \
        for (int64_t i = 0; i < n; i += POWER_PART) {                                                        \
            const int64_t m = n - i < POWER_PART ? n - i : POWER_PART;                                       \
            const T *base = close_##t(a, x + i * step[0], step[0], m);                                       \
            arr_vpow_##t(o + i, base, close_##t(b, y + i * step[1], step[1], m), m);                         \
        }                                                                                                    \
    }
POWER(float, f32)
POWER(double, f64)
ARR_LOOP2(power_c128, c128, c128, pow_c128(x, y))
static const arr_ew power = {.loop = {NULL, power_f32, power_f64, power_c128},
                             .result = {0, ARR_F32, ARR_F64, ARR_C128}};

#define NO_COMPLEX "take re, im or abs first"

#define REAL2(NAME, F32, F64)                                                                                \
    ARR_LOOP2(NAME##_f32, float, float, F32)                                                                 \
    ARR_LOOP2(NAME##_f64, double, double, F64)                                                               \
    static const arr_ew NAME = {.loop = {NULL, NAME##_f32, NAME##_f64, NULL},                                \
                                .result = {0, ARR_F32, ARR_F64, 0},                                          \
                                .hint = NO_COMPLEX};

REAL2(arctan2, atan2f(x, y), atan2(x, y))
REAL2(hypotenuse, hypotf(x, y), hypot(x, y))

/* The smaller (larger) of two; a NaN on either side wins, so that it is never hidden. */
#define MINIMUM (x < y || x != x ? x : y)
#define MAXIMUM (x > y || x != x ? x : y)
#define CHOICE(NAME, EXPR)                                                                                   \
    ARR_LOOP2(NAME##_bool, arr_bool, arr_bool, EXPR)                                                         \
    ARR_LOOP2(NAME##_f32, float, float, EXPR)                                                                \
    ARR_LOOP2(NAME##_f64, double, double, EXPR)                                                              \
    static double NAME##_num(double x, double y) { return EXPR; }                                            \
    static const arr_ew NAME = {.loop = {NAME##_bool, NAME##_f32, NAME##_f64, NULL},                         \
                                .result = {ARR_BOOL, ARR_F32, ARR_F64, 0},                                   \
                                .hint = NO_ORDER};
#define NO_ORDER "complex numbers have no order: compare abs, re or im"
CHOICE(minimum, MINIMUM)
CHOICE(maximum, MAXIMUM)

/* ---- comparison: false wherever a NaN stands, except ne ------------------------------------------------ */

#define COMPARE(NAME, OP)                                                                                    \
    ARR_LOOP2(NAME##_bool, arr_bool, arr_bool, x OP y)                                                       \
    ARR_LOOP2(NAME##_f32, float, arr_bool, x OP y)                                                           \
    ARR_LOOP2(NAME##_f64, double, arr_bool, x OP y)
#define ORDER(NAME, OP)                                                                                      \
    COMPARE(NAME, OP)                                                                                        \
    static const arr_ew NAME = {.loop = {NAME##_bool, NAME##_f32, NAME##_f64, NULL}, .hint = NO_ORDER};
#define EQUALITY(NAME, OP)                                                                                   \
    COMPARE(NAME, OP)                                                                                        \
    ARR_LOOP2(NAME##_c128, c128, arr_bool, x OP y)                                                           \
    static const arr_ew NAME = {.loop = {NAME##_bool, NAME##_f32, NAME##_f64, NAME##_c128}};
/* every result type is ARR_BOOL, which is 0 */
EQUALITY(equal, ==)
EQUALITY(unequal, !=)
ORDER(less, <)
ORDER(lessequal, <=)
ORDER(greater, >)
ORDER(greaterequal, >=)

/* ---- logic: on bool only ------------------------------------------------------------------------------- */

#define NO_NUMBER "compare first, as in ne(x, 0)"
#define LOGIC(NAME, EXPR)                                                                                    \
    ARR_LOOP2(NAME##_bool, arr_bool, arr_bool, EXPR)                                                         \
    static const arr_ew NAME = {.loop = {NAME##_bool}, .hint = NO_NUMBER};
LOGIC(both, x &y)
LOGIC(either, x | y)
LOGIC(exclusive, x ^ y)
ARR_LOOP1(negation_bool, arr_bool, arr_bool, !x)
static const arr_ew negation = {.loop = {negation_bool}, .hint = NO_NUMBER};

/* ---- where(c, x, y): x where c, else y ----------------------------------------------------------------- */

#define WHERE(NAME, T)                                                                                       \
    ARR_CLONES static void NAME(void *out, const void *const *in, const int64_t *step, int64_t n) {          \
        T *restrict o = out;                                                                                 \
        const arr_bool *c = in[0];                                                                           \
        const T *a = in[1], *b = in[2];                                                                      \
        const int64_t r = step[0], s = step[1], t = step[2];                                                 \
        if (r == 1 && s == 1 && t == 1)                                                                      \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[i], y = b[i];                                                                  \
                o[i] = c[i] ? x : y;                                                                         \
            }                                                                                                \
        else if (r == 1 && s == 1 && t == 0)                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[i], y = b[0];                                                                  \
                o[i] = c[i] ? x : y;                                                                         \
            }                                                                                                \
        else if (r == 1 && s == 0 && t == 1)                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[0], y = b[i];                                                                  \
                o[i] = c[i] ? x : y;                                                                         \
            }                                                                                                \
        else                                                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[i * s], y = b[i * t];                                                          \
                o[i] = c[i * r] ? x : y;                                                                     \
            }                                                                                                \
    }
WHERE(where_bool, arr_bool)
WHERE(where_f32, float)
WHERE(where_f64, double)
WHERE(where_c128, arr_c128)
static const arr_ew where = {.loop = {where_bool, where_f32, where_f64, where_c128},
                             .result = {ARR_BOOL, ARR_F32, ARR_F64, ARR_C128},
                             .mask = true};

/* ---- rows ---------------------------------------------------------------------------------------------- */

const op arr_arith_ops[] = {
    ARR_EW2("add", OP_SMOOTH, add_num, &add),
    ARR_EW2("sub", OP_SMOOTH, sub_num, &sub),
    ARR_EW2("mul", OP_SMOOTH, mul_num, &mul),
    ARR_EW2("div", OP_SMOOTH, divide_num, &divide),
    ARR_EW2("pow", OP_SMOOTH, pow_f64, &power),
    ARR_EW2("atan2", OP_SMOOTH, atan2, &arctan2),
    ARR_EW2("hypot", OP_SMOOTH, hypot, &hypotenuse),
    ARR_EW2("minimum", OP_SMOOTH, minimum_num, &minimum),
    ARR_EW2("maximum", OP_SMOOTH, maximum_num, &maximum),
    ARR_EW2("eq", 0, NULL, &equal),
    ARR_EW2("ne", 0, NULL, &unequal),
    ARR_EW2("lt", 0, NULL, &less),
    ARR_EW2("le", 0, NULL, &lessequal),
    ARR_EW2("gt", 0, NULL, &greater),
    ARR_EW2("ge", 0, NULL, &greaterequal),
    ARR_EW2("logical_and", 0, NULL, &both),
    ARR_EW2("logical_or", 0, NULL, &either),
    ARR_EW2("logical_xor", 0, NULL, &exclusive),
    ARR_EW1("logical_not", 0, NULL, &negation),
    ARR_EW("where", OP_SIG_XYZ, 3, OP_SMOOTH, NULL, NULL, &where),
};
const int arr_arith_nops = sizeof arr_arith_ops / sizeof arr_arith_ops[0];
