/* linalg_common.h: what the tests of linear algebra share: seeded matrices, slow oracles, norms. */
#ifndef TEST_LINALG_COMMON_H
#define TEST_LINALG_COMMON_H

#include "base/cmplx.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* no test uses all of them */
#pragma GCC diagnostic ignored "-Wunused-variable"

#include "array/array.h"
#include "array/op.h"
#include "base/parallel.h"

typedef double complex cplx;

/* The unit roundoff of the type that results are kept in. */
static double unit(arr_dtype t) { return t == ARR_F32 ? 0x1p-24 : 0x1p-53; }

static ph_err last_error;

static void ok_(ph_status st, const char *file, int line) {
    if (st != PH_OK) print_error("%s\n", last_error.text);
    _assert_int_equal((uintmax_t)st, PH_OK, file, line);
}
#define ok(call) ok_((call), __FILE__, __LINE__)

/* Uniform on [-1, 1), complex in both parts; the same numbers for the same state. */
static arr random_array(arr_dtype t, int ndim, const int64_t *shape, uint64_t state) {
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
static arr random_matrix(arr_dtype t, int64_t m, int64_t n, uint64_t state) {
    return random_array(t, 2, (int64_t[]){m, n}, state);
}

static arr matrix_of(int64_t m, int64_t n, const double *x) {
    arr a;
    ok(arr_new(&a, ARR_F64, 2, (int64_t[]){m, n}, &last_error));
    for (int64_t i = 0; i < m * n; i++) ((double *)a.data)[i] = x[i];
    return a;
}
static arr vector_of(int64_t n, const double *x) {
    arr a;
    ok(arr_new(&a, ARR_F64, 1, &n, &last_error));
    for (int64_t i = 0; i < n; i++) ((double *)a.data)[i] = x[i];
    return a;
}

static arr transposed(const arr *a) {
    arr t;
    ok(op_call1(&t, "transpose", a, &last_error));
    return t;
}

/* Complex conjugate transpose. */
static arr adjoint(const arr *a) {
    arr t, c;
    ok(op_call1(&t, "transpose", a, &last_error));
    ok(arr_convert(&c, &t, a->dtype, &last_error));
    if (c.dtype == ARR_C128)
        for (int64_t i = 0; i < arr_size(&c); i++) ((arr_c128 *)c.data)[i].im *= -1;
    arr_drop(&t);
    return c;
}

static cplx at1(const arr *a, int64_t i) {
    arr_c128 z = arr_get_c128(a, arr_at(a, &i));
    return CMPLX(z.re, z.im);
}
static cplx at2(const arr *a, int64_t i, int64_t j) {
    arr_c128 z = arr_get_c128(a, arr_at(a, (int64_t[]){i, j}));
    return CMPLX(z.re, z.im);
}

/* sum_l a_il b_lj, one after the other, in complex long double; also sum |a_il| |b_lj|, for bounds. */
static cplx slow_product(const arr *a, const arr *b, int64_t i, int64_t j, double *size) {
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

static double frobenius(const arr *a) {
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
static double distance(const arr *a, const arr *b) {
    arr d;
    ok(op_call2(&d, "sub", a, b, &last_error));
    double s = frobenius(&d);
    arr_drop(&d);
    return s;
}

static arr mul(const arr *a, const arr *b) {
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

/* ---- rows by name -------------------------------------------------------------------------------------- */

static const arr_dtype types[] = {ARR_F32, ARR_F64, ARR_C128, ARR_BOOL};
static arr_dtype field(arr_dtype t) { return t == ARR_BOOL ? ARR_F64 : t; }
static arr_dtype wide(arr_dtype t) { return t == ARR_C128 ? t : ARR_F64; }

static const op_attrs from_one = {.base = 1};

static void run_with(arr *out, const char *name, const arr *in, int n, const op_attrs *attrs) {
    ok(op_apply(out, op_find(name), in, n, attrs, &last_error));
}
static void run_row(arr *out, const char *name, const arr *a) { run_with(out, name, a, 1, &from_one); }
static ph_status try_row(const char *name, const arr *in, int n) {
    arr out[OP_MAXOUT];
    return op_apply(out, op_find(name), in, n, &from_one, &last_error);
}
static void drop_all(arr *a, int n) {
    for (int i = 0; i < n; i++) arr_drop(&a[i]);
}
static double number(const arr *a) {
    assert_int_equal(a->ndim, 0);
    return arr_get_num(a, a->data);
}
static double number_of(const char *name, const arr *a) {
    arr out;
    run_row(&out, name, a);
    double x = number(&out);
    arr_drop(&out);
    return x;
}

static arr identity(int64_t n) {
    arr a;
    ok(arr_zeros(&a, ARR_F64, 2, (int64_t[]){n, n}, &last_error));
    for (int64_t i = 0; i < n; i++) ((double *)a.data)[i * n + i] = 1;
    return a;
}

/* |Q^H Q - I| within the bound for m x n columns. */
static void check_orthonormal(const arr *q) {
    arr h = adjoint(q), g = mul(&h, q), e = identity(q->shape[1]);
    assert_within(distance(&g, &e), 16.0 * (double)(q->shape[0] * q->shape[1]) * unit(q->dtype) *
                                        sqrt((double)q->shape[1] + 1));
    arr_drop(&h);
    arr_drop(&g);
    arr_drop(&e);
}

/* A^H A + I is Hermitian and positive definite. */
static arr definite(arr_dtype t, int64_t n, uint64_t seed) {
    arr a = random_matrix(t, n, n, seed), h = adjoint(&a), g = mul(&h, &a), e = identity(n), e2, s;
    ok(arr_convert(&e2, &e, g.dtype, &last_error));
    ok(op_call2(&s, "add", &g, &e2, &last_error));
    drop_all((arr[]){a, h, g, e, e2}, 5);
    return s;
}

static arr matrix_at(const arr *x, int64_t i) { /* borrowed */
    arr m = *x;
    m.data += i * x->stride[0] * (int64_t)arr_itemsize(x->dtype);
    m.ndim--;
    memmove(m.shape, m.shape + 1, sizeof m.shape - sizeof m.shape[0]);
    memmove(m.stride, m.stride + 1, sizeof m.stride - sizeof m.stride[0]);
    return m;
}

#endif
