/* linalg_common.h: what the tests of linear algebra share: seeded matrices, slow oracles, norms. */
#ifndef TEST_LINALG_COMMON_H
#define TEST_LINALG_COMMON_H

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "array/array.h"
#include "array/op.h"
#include "base/parallel.h"

typedef double complex cplx;

/* The unit roundoff of the type that results are kept in. */
__attribute__((unused)) static double unit(arr_dtype t) { return t == ARR_F32 ? 0x1p-24 : 0x1p-53; }

__attribute__((unused)) static ph_err last_error;

__attribute__((unused)) static void ok_(ph_status st, const char *file, int line) {
    if (st != PH_OK) print_error("%s\n", last_error.text);
    _assert_int_equal((uintmax_t)st, PH_OK, file, line);
}
#define ok(call) ok_((call), __FILE__, __LINE__)

/* Uniform on [-1, 1), complex in both parts; the same numbers for the same state. */
__attribute__((unused)) static arr random_array(arr_dtype t, int ndim, const int64_t *shape, uint64_t state) {
    arr a;
    ok(arr_new(&a, t, ndim, shape, &last_error));
    int64_t n = arr_size(&a);
    for (int64_t i = 0; i < n; i++) {
        double x[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[k] = (double)(state >> 11) * 0x1p-52 - 1;
        }
        switch (t) {
        case ARR_F32: ((float *)a.data)[i] = (float)x[0]; break;
        case ARR_F64: ((double *)a.data)[i] = x[0]; break;
        case ARR_C128: ((arr_c128 *)a.data)[i] = (arr_c128){x[0], x[1]}; break;
        default: ((unsigned char *)a.data)[i] = x[0] > 0;
        }
    }
    return a;
}
__attribute__((unused)) static arr random_matrix(arr_dtype t, int64_t m, int64_t n, uint64_t state) {
    return random_array(t, 2, (int64_t[]){m, n}, state);
}

__attribute__((unused)) static arr matrix_of(int64_t m, int64_t n, const double *x) {
    arr a;
    ok(arr_new(&a, ARR_F64, 2, (int64_t[]){m, n}, &last_error));
    for (int64_t i = 0; i < m * n; i++) ((double *)a.data)[i] = x[i];
    return a;
}
__attribute__((unused)) static arr vector_of(int64_t n, const double *x) {
    arr a;
    ok(arr_new(&a, ARR_F64, 1, &n, &last_error));
    for (int64_t i = 0; i < n; i++) ((double *)a.data)[i] = x[i];
    return a;
}

__attribute__((unused)) static arr transposed(const arr *a) {
    arr t;
    ok(op_call1(&t, "transpose", a, &last_error));
    return t;
}

/* Complex conjugate transpose. */
__attribute__((unused)) static arr adjoint(const arr *a) {
    arr t, c;
    ok(op_call1(&t, "transpose", a, &last_error));
    ok(arr_convert(&c, &t, a->dtype, &last_error));
    if (c.dtype == ARR_C128)
        for (int64_t i = 0; i < arr_size(&c); i++) ((arr_c128 *)c.data)[i].im *= -1;
    arr_drop(&t);
    return c;
}

__attribute__((unused)) static cplx at1(const arr *a, int64_t i) {
    arr_c128 z = arr_get_c128(a, arr_at(a, &i));
    return CMPLX(z.re, z.im);
}
__attribute__((unused)) static cplx at2(const arr *a, int64_t i, int64_t j) {
    arr_c128 z = arr_get_c128(a, arr_at(a, (int64_t[]){i, j}));
    return CMPLX(z.re, z.im);
}

/* sum_l a_il b_lj, one after the other, in complex long double; also sum |a_il| |b_lj|, for bounds. */
__attribute__((unused)) static cplx slow_product(const arr *a, const arr *b, int64_t i, int64_t j,
                                                 double *size) {
    long double complex s = 0;
    long double m = 0;
    for (int64_t l = 0; l < a->shape[1]; l++) {
        cplx x = at2(a, i, l), y = at2(b, l, j);
        s += (long double complex)x * y;
        m += (long double)cabs(x) * cabs(y);
    }
    *size = (double)m;
    return (cplx)s;
}

__attribute__((unused)) static double frobenius(const arr *a) {
    arr c;
    double s = 0;
    ok(arr_convert(&c, a, ARR_C128, &last_error));
    for (int64_t i = 0; i < arr_size(&c); i++) {
        arr_c128 z = ((arr_c128 *)c.data)[i];
        s = hypot(s, hypot(z.re, z.im));
    }
    arr_drop(&c);
    return s;
}

/* |A - B| in the Frobenius norm. */
__attribute__((unused)) static double distance(const arr *a, const arr *b) {
    arr d;
    ok(op_call2(&d, "sub", a, b, &last_error));
    double s = frobenius(&d);
    arr_drop(&d);
    return s;
}

__attribute__((unused)) static arr mul(const arr *a, const arr *b) {
    arr c;
    ok(op_call2(&c, "matmul", a, b, &last_error));
    return c;
}

/* Accepts only finite deviations within the bound. */
#define assert_within(d, bound)                                                                              \
    do {                                                                                                     \
        double d_ = (d), b_ = (bound);                                                                       \
        if (!(isfinite(d_) && fabs(d_) <= b_)) {                                                             \
            print_error("%s is %g; wanted within %g\n", #d, d_, b_);                                         \
            fail();                                                                                          \
        }                                                                                                    \
    } while (0)

/* The call is refused with this status and a message that holds `part`; it leaves nothing behind. */
#define assert_refused(call, status, part)                                                                   \
    do {                                                                                                     \
        size_t live_ = ph_block_live();                                                                      \
        assert_int_equal((call), status);                                                                    \
        if (!strstr(last_error.text, part)) {                                                                \
            print_error("message: %s\nwanted: %s\n", last_error.text, part);                                 \
            fail();                                                                                          \
        }                                                                                                    \
        assert_int_equal(ph_block_live(), live_);                                                            \
    } while (0)

#endif
