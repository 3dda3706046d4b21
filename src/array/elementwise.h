/* elementwise.h: private to array/. What an elementwise row keeps in its `kernel`: one loop per element type
 * it computes in.
 *
 * Operands are brought to the computing type first: the lowest type with a loop that is at least
 * arr_common(operands), where bool goes to f64 when there is no bool loop. Results are made in row-major
 * order; the pieces given to threads are of fixed size, so their number changes nothing.
 */
#ifndef PH_ARRAY_ELEMENTWISE_H
#define PH_ARRAY_ELEMENTWISE_H

#include "array/op.h"
#include "base/parallel.h"

/* out is contiguous and overlaps no input; in[k] advances by step[k] elements (0: a constant). */
typedef void arr_ew_loop(void *out, const void *const *in, const int64_t *step, int64_t n);

/* Which loops of arith_past.c write a large result: past the caches. */
typedef enum {
    ARR_NOT_PAST,
    ARR_PAST_SUM,
    ARR_PAST_DIFFERENCE,
    ARR_PAST_PRODUCT,
    ARR_PAST_QUOTIENT
} arr_past;
/* NULL: there is none. Its steps are 0 or 1, not both 0; ph_written_past follows. */
arr_ew_loop *arr_ew_past(arr_past what, arr_dtype t);

typedef struct {
    arr_ew_loop *loop[ARR_NDTYPE]; /* by computing type; NULL: not computed in that type */
    arr_dtype result[ARR_NDTYPE];  /* by computing type */
    arr_past past;                 /* with results of PH_PAST bytes and more */
    bool mask;                     /* the first operand is bool whatever the others are */
    const char *hint;              /* when an operand's type has no loop: what to do instead */
} arr_ew;

op_shape_fn arr_ew_shape;
op_forward_fn arr_ew_forward;

#define ARR_EW(NAME, SIG, N, FLAGS, NUM1, NUM2, KERNEL)                                                      \
    {                                                                                                        \
        .name = NAME, .min_in = N, .max_in = N, .n_out = 1, .sig = SIG, .flags = OP_ELEMENTWISE | (FLAGS),   \
        .shape = arr_ew_shape, .forward = arr_ew_forward, .num1 = NUM1, .num2 = NUM2, .kernel = KERNEL       \
    }
#define ARR_EW1(NAME, FLAGS, NUM, KERNEL) ARR_EW(NAME, OP_SIG_X, 1, FLAGS, NUM, NULL, KERNEL)
#define ARR_EW2(NAME, FLAGS, NUM, KERNEL) ARR_EW(NAME, OP_SIG_XY, 2, FLAGS, NULL, NUM, KERNEL)

#define ARR_CLONES PH_CLONES

/* ---- loops --------------------------------------------------------------------------------------------- */

/* out[i] = EXPR in x (type T) */
#define ARR_LOOP1(NAME, T, R, EXPR)                                                                          \
    ARR_CLONES static void NAME(void *out, const void *const *in, const int64_t *step, int64_t n) {          \
        R *restrict o = out;                                                                                 \
        const T *a = in[0];                                                                                  \
        const int64_t s = step[0];                                                                           \
        if (s == 1)                                                                                          \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[i];                                                                            \
                o[i] = EXPR;                                                                                 \
            }                                                                                                \
        else                                                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const T x = a[i * s];                                                                        \
                o[i] = EXPR;                                                                                 \
            }                                                                                                \
    }

#define ARR_LOOP2_CASE(T, XI, YI, EXPR)                                                                      \
    for (int64_t i = 0; i < n; i++) {                                                                        \
        const T x = a[XI], y = b[YI];                                                                        \
        o[i] = EXPR;                                                                                         \
    }

/* out[i] = EXPR in x and y (type T); the three contiguous cases are spelt out so that each becomes vector
 * code. */
#define ARR_LOOP2(NAME, T, R, EXPR)                                                                          \
    ARR_CLONES static void NAME(void *out, const void *const *in, const int64_t *step, int64_t n) {          \
        R *restrict o = out;                                                                                 \
        const T *a = in[0], *b = in[1];                                                                      \
        const int64_t s = step[0], t = step[1];                                                              \
        if (s == 1 && t == 1) ARR_LOOP2_CASE(T, i, i, EXPR)                                                  \
        else if (s == 1 && t == 0) ARR_LOOP2_CASE(T, i, 0, EXPR)                                             \
        else if (s == 0 && t == 1) ARR_LOOP2_CASE(T, 0, i, EXPR)                                             \
        else ARR_LOOP2_CASE(T, i *s, i *t, EXPR)                                                             \
    }

/* re + im i exactly, also where the compiler lacks CMPLX: `re + im * I` would turn an infinite im into a NaN
 * re. */
static inline double _Complex arr_cmplx(double re, double im) {
    union {
        double part[2];
        double _Complex z;
    } u = {{re, im}};
    return u.z;
}

/* A bool is stored as one byte, 0 or 1. */
typedef unsigned char arr_bool;

#endif
