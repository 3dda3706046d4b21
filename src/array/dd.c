/* dd.c: double-double arithmetic over arrays. */
#include "array/dd.h"

#include "base/dd.h"

#define BLOCK 4096 /* elements between two looks at the interrupt flag: at most a few ms */

void arr_dd_drop(arr_dd *a) {
    arr_drop(&a->hi);
    arr_drop(&a->lo);
}

static ph_dd get(const arr_dd *a, int64_t i) {
    return (ph_dd){((double *)a->hi.data)[i], ((double *)a->lo.data)[i]};
}

static void put(arr_dd *a, int64_t i, ph_dd x) {
    ((double *)a->hi.data)[i] = x.hi;
    ((double *)a->lo.data)[i] = x.lo;
}

static ph_status fresh(arr_dd *out, int ndim, const int64_t *shape, ph_err *err) {
    ph_status st;
    *out = ARR_DD_NONE;
    PH_TRY(arr_new(&out->hi, ARR_F64, ndim, shape, err));
    PH_TRY(arr_new(&out->lo, ARR_F64, ndim, shape, err));
done:
    if (st != PH_OK) arr_dd_drop(out);
    return st;
}

/* a, stretched to the shape, as contiguous f64. */
static ph_status stretch(arr *out, const arr *a, int ndim, const int64_t *shape, ph_err *err) {
    arr wide = ARR_NONE;
    ph_status st;
    PH_TRY(arr_broadcast_to(&wide, a, ndim, shape, err));
    PH_TRY(arr_contiguous(out, &wide, ARR_F64, err));
done:
    arr_drop(&wide);
    return st;
}

static ph_status stretch_both(arr_dd *out, const arr_dd *a, int ndim, const int64_t *shape, ph_err *err) {
    ph_status st;
    *out = ARR_DD_NONE;
    PH_TRY(stretch(&out->hi, &a->hi, ndim, shape, err));
    PH_TRY(stretch(&out->lo, &a->lo, ndim, shape, err));
done:
    if (st != PH_OK) arr_dd_drop(out);
    return st;
}

/* The sum of two doubles as a double-double; a value that is not finite is carried in hi alone. */
static ph_dd normal(double hi, double lo) {
    ph_dd s = ph_two_sum(hi, lo);
    return isfinite(s.hi) ? s : (ph_dd){s.hi, 0};
}

ph_status arr_dd_of(arr_dd *out, const arr *hi, const arr *lo, ph_err *err) {
    arr zero = ARR_NONE, h = ARR_NONE, l = ARR_NONE;
    ph_status st;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    *out = ARR_DD_NONE;
    if (hi->dtype == ARR_C128 || (lo && lo->dtype == ARR_C128))
        return ph_fail(err, PH_EARG, "dd: a complex array is given; wanted real parts hi and lo");
    if (!lo) {
        PH_TRY(arr_scalar(&zero, ARR_F64, (arr_c128){0, 0}, err));
        lo = &zero;
    }
    PH_TRY(arr_broadcast_shape(&ndim, shape, (const arr *const[]){hi, lo}, 2, "dd", err));
    PH_TRY(stretch(&h, hi, ndim, shape, err));
    PH_TRY(stretch(&l, lo, ndim, shape, err));
    PH_TRY(fresh(out, ndim, shape, err));
    for (int64_t i = 0, n = arr_size(&h); i < n; i++)
        put(out, i, normal(((double *)h.data)[i], ((double *)l.data)[i]));
done:
    arr_drop(&zero);
    arr_drop(&h);
    arr_drop(&l);
    return st;
}

/* x^n by squaring: exact signs, and fewer roundings than e^(n ln x) while n is small. */
static ph_dd whole_power(ph_dd x, double n) {
    ph_dd r = ph_dd_of(1);
    for (unsigned k = (unsigned)fabs(n); k; k >>= 1) {
        if (k & 1) r = ph_dd_mul(r, x);
        x = ph_dd_mul(x, x);
    }
    return n < 0 ? ph_dd_div(ph_dd_of(1), r) : r;
}

static ph_dd power(ph_dd x, ph_dd y) {
    bool whole = y.lo == 0 && fabs(y.hi) <= 64 && y.hi == floor(y.hi);
    return whole ? whole_power(x, y.hi) : ph_dd_pow(x, y);
}

static ph_dd binary(arr_dd_binary f, ph_dd x, ph_dd y) {
    switch (f) {
    case ARR_DD_ADD: return ph_dd_add(x, y);
    case ARR_DD_SUB: return ph_dd_sub(x, y);
    case ARR_DD_MUL: return ph_dd_mul(x, y);
    case ARR_DD_DIV: return ph_dd_div(x, y);
    case ARR_DD_POW: return power(x, y);
    }
    return ph_dd_of(NAN);
}

/* Where the parts of a double-double result are not finite (overflow, 1/0), plain arithmetic says what the
 * result is. */
static double plain(arr_dd_binary f, double x, double y) {
    switch (f) {
    case ARR_DD_ADD: return x + y;
    case ARR_DD_SUB: return x - y;
    case ARR_DD_MUL: return x * y;
    case ARR_DD_DIV: return x / y;
    case ARR_DD_POW: return pow(x, y);
    }
    return NAN;
}

static ph_dd unary(arr_dd_unary f, ph_dd x) {
    ph_dd s, c;
    switch (f) {
    case ARR_DD_NEG: return ph_dd_neg(x);
    case ARR_DD_ABS: return signbit(x.hi) ? ph_dd_neg(x) : x;
    case ARR_DD_EXP: return ph_dd_exp(x);
    case ARR_DD_LOG: return ph_dd_log(x);
    case ARR_DD_SIN:
    case ARR_DD_COS: ph_dd_sincos(&s, &c, x); return f == ARR_DD_SIN ? s : c;
    }
    return ph_dd_of(NAN);
}

ph_status arr_dd_apply2(arr_dd *out, arr_dd_binary f, const arr_dd *a, const arr_dd *b, ph_err *err) {
    arr_dd x = ARR_DD_NONE, y = ARR_DD_NONE;
    ph_status st;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    *out = ARR_DD_NONE;
    PH_TRY(arr_broadcast_shape(&ndim, shape, (const arr *const[]){&a->hi, &b->hi}, 2, "dd", err));
    PH_TRY(stretch_both(&x, a, ndim, shape, err));
    PH_TRY(stretch_both(&y, b, ndim, shape, err));
    PH_TRY(fresh(out, ndim, shape, err));
    for (int64_t i = 0, n = arr_size(&x.hi); i < n; i++) {
        if (i % BLOCK == 0 && ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        ph_dd p = get(&x, i), q = get(&y, i), r = binary(f, p, q);
        put(out, i, isfinite(r.hi) && isfinite(r.lo) ? r : ph_dd_of(plain(f, p.hi, q.hi)));
    }
done:
    arr_dd_drop(&x);
    arr_dd_drop(&y);
    if (st != PH_OK) arr_dd_drop(out);
    return st;
}

ph_status arr_dd_apply1(arr_dd *out, arr_dd_unary f, const arr_dd *a, ph_err *err) {
    ph_status st;
    *out = ARR_DD_NONE;
    PH_TRY(fresh(out, a->hi.ndim, a->hi.shape, err));
    for (int64_t i = 0, n = arr_size(&a->hi); i < n; i++) {
        if (i % BLOCK == 0 && ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        ph_dd r = unary(f, get(a, i));
        put(out, i, isfinite(r.hi) ? r : ph_dd_of(r.hi));
    }
done:
    if (st != PH_OK) arr_dd_drop(out);
    return st;
}
