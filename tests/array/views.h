/* views.h: operands for the array tests: the same values seen through every kind of view, and index-tuple
 * oracles. */
#ifndef TEST_ARRAY_VIEWS_H
#define TEST_ARRAY_VIEWS_H

#include <float.h>
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
#include "array/interrupts.h"
#include "array/op.h"
#include "base/cmplx.h"

typedef long double complex wide; /* oracles compute in this: 11 more bits than any array holds */

enum { PLAIN, TRANSPOSED, REVERSED, STEPPED, STRETCHED, VIEWS };

static inline arr filled(arr_dtype t, int ndim, const int64_t *shape, const double *pool, int npool,
                         unsigned seed) {
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, t, ndim, shape, &err), PH_OK);
    for (int64_t i = 0; i < arr_size(&a); i++) {
        arr_c128 z = {pool[(seed * 7 + (unsigned)i * 5) % (unsigned)npool],
                      pool[(seed + (unsigned)i * 3 + 1) % (unsigned)npool]};
        if (t == ARR_BOOL) z.re = z.re > 0;
        if (t != ARR_C128) z.im = 0;
        assert_int_equal(arr_put_c128(&a, a.data + (size_t)i * arr_itemsize(t), z, &err), PH_OK);
    }
    return a;
}

/* An array of this shape, with values from the pool, reached through a view of the given kind. */
static inline arr make_view(int kind, arr_dtype t, int ndim, const int64_t *shape, const double *pool,
                            int npool, unsigned seed) {
    ph_err err;
    int64_t base[ARR_MAXDIM] = {0};
    int perm[ARR_MAXDIM];
    arr_range r[ARR_MAXDIM];
    arr out;
    for (int i = 0; i < ndim; i++) {
        perm[i] = ndim - 1 - i;
        base[i] = kind == TRANSPOSED            ? shape[ndim - 1 - i]
                  : kind == STEPPED             ? 2 * shape[i] + 1
                  : kind == STRETCHED && i == 0 ? 1
                                                : shape[i];
        r[i] = kind == REVERSED ? (arr_range){shape[i] - 1, -1, shape[i], false}
                                : (arr_range){1, 2, shape[i], false};
    }
    arr a = filled(t, ndim, base, pool, npool, seed);
    if (kind == TRANSPOSED) assert_int_equal(arr_permute(&out, &a, perm, &err), PH_OK);
    else if (kind == REVERSED || kind == STEPPED) assert_int_equal(arr_slice(&out, &a, ndim, r, &err), PH_OK);
    else if (kind == STRETCHED) assert_int_equal(arr_broadcast_to(&out, &a, ndim, shape, &err), PH_OK);
    else out = arr_ref(&a);
    arr_drop(&a);
    return out;
}

/* The index tuple of the k-th element in row-major order. */
static inline void unravel(int64_t *index, int ndim, const int64_t *shape, int64_t k) {
    for (int i = ndim - 1; i >= 0; i--) {
        index[i] = k % shape[i];
        k /= shape[i];
    }
}

/* Element of `a` at an index tuple of a shape that `a` broadcasts to. */
static inline wide element_at(const arr *a, int ndim, const int64_t *index) {
    int64_t own[ARR_MAXDIM];
    for (int i = 0; i < a->ndim; i++) own[i] = a->shape[i] == 1 ? 0 : index[i + ndim - a->ndim];
    arr_c128 z = arr_get_c128(a, arr_at(a, own));
    return CMPLXL(z.re, z.im);
}

static inline wide kth(const arr *a, int64_t k) {
    int64_t index[ARR_MAXDIM];
    unravel(index, a->ndim, a->shape, k);
    return element_at(a, a->ndim, index);
}

/* The spacing of numbers of type t at x. */
static inline long double ulp(arr_dtype t, long double x) {
    int digits = t == ARR_F32 ? FLT_MANT_DIG : DBL_MANT_DIG, least = t == ARR_F32 ? FLT_MIN_EXP : DBL_MIN_EXP;
    int e = x == 0 ? least : ilogbl(x) + 1;
    return ldexpl(1, (e < least ? least : e) - digits);
}

/* got is `want` within `ulps` spacings; NaN for NaN; an infinity for an infinity or for what the type cannot
 * hold. */
static inline bool near_real(arr_dtype t, long double got, long double want, long double ulps) {
    long double top = t == ARR_F32 ? FLT_MAX : DBL_MAX;
    if (isnan(want)) return isnan(got);
    if (fabsl(want) > top) return got == copysignl(INFINITY, want);
    return isfinite(got) && fabsl(got - want) <= ulps * ulp(t, want);
}

/* |got - want| <= bound, which must be a number. */
static inline bool within(wide got, wide want, long double bound) {
    if (isnan(creall(want)) || isnan(cimagl(want))) return isnan(creall(got)) || isnan(cimagl(got));
    if (isinf(creall(want)) || isinf(cimagl(want)))
        return creall(got) == creall(want) && cimagl(got) == cimagl(want);
    return isfinite(bound) && cabsl(got - want) <= bound;
}

static inline bool same_bits(const arr *a, const arr *b) {
    ph_err err;
    arr x, y;
    if (a->dtype != b->dtype || !arr_same_shape(a, b)) return false;
    assert_int_equal(arr_contiguous(&x, a, a->dtype, &err), PH_OK);
    assert_int_equal(arr_contiguous(&y, b, b->dtype, &err), PH_OK);
    bool same = memcmp(x.data, y.data, (size_t)arr_size(&x) * arr_itemsize(x.dtype)) == 0;
    arr_drop(&x);
    arr_drop(&y);
    return same;
}

/* Runs a row with the 1st, 2nd, … allocation refused until it succeeds: every failure says so and leaks
 * nothing. */
static inline void survives_refusals(const op *row, const arr *in, int n, const op_attrs *attrs) {
    ph_err err;
    arr out[OP_MAXOUT];
    size_t live = ph_block_live();
    ph_status st = PH_ENOMEM;
    for (size_t k = 1; st != PH_OK; k++) {
        ph_alloc_fail_from(k);
        st = op_apply(out, row, in, n, attrs, &err);
        ph_alloc_fail_from(0);
        if (st != PH_OK) {
            assert_int_equal(st, PH_ENOMEM);
            assert_true(k < 200);
            assert_null(out[0].buf);
            assert_int_equal(ph_block_live(), live);
        }
    }
    for (int i = 0; i < row->n_out; i++) arr_drop(&out[i]);
    assert_int_equal(ph_block_live(), live);
}

#endif
