/* linalg_check.c: what every factorization asks before and after: shapes, finite elements, column-major
 * copies, symmetry, the phase of a vector.
 */
#include "array/linalg.h"

#include "array/loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

arr_dtype arr_lin_field(arr_dtype t) { return t == ARR_BOOL ? ARR_F64 : t; }
arr_dtype arr_lin_wide(arr_dtype t) { return t == ARR_C128 ? ARR_C128 : ARR_F64; }
double arr_lin_eps(arr_dtype t) { return t == ARR_F32 ? 0x1p-23 : 0x1p-52; }

ph_status arr_lin_check_matrix(const arr *x, const char *what, bool stack, bool square, ph_err *err) {
    char text[200];
    if (x->ndim < 2 || (x->ndim > 2 && !stack))
        return ph_fail(err, PH_EARG, "%s has shape %s; wanted %s", what, arr_shape_text(text, sizeof text, x),
                       stack ? "a matrix, or a stack of them" : "a matrix");
    if (square && x->shape[x->ndim - 1] != x->shape[x->ndim - 2])
        return ph_fail(err, PH_EARG, "%s has shape %s; wanted a square matrix", what,
                       arr_shape_text(text, sizeof text, x));
    return PH_OK;
}

/* ---- finite elements ----------------------------------------------------------------------------------- */

/* The first element that is not finite among n contiguous ones, or -1. */
static int64_t first_not_finite(arr_dtype t, const void *data, int64_t n) {
    if (t == ARR_F32) {
        for (int64_t i = 0; i < n; i++)
            if (!isfinite(((const float *)data)[i])) return i;
    } else if (t == ARR_F64) {
        for (int64_t i = 0; i < n; i++)
            if (!isfinite(((const double *)data)[i])) return i;
    } else {
        const arr_c128 *z = data;
        for (int64_t i = 0; i < n; i++)
            if (!isfinite(z[i].re) || !isfinite(z[i].im)) return i;
    }
    return -1;
}

static const char *not_finite_text(arr_c128 z) {
    double x = isfinite(z.re) ? z.im : z.re;
    return isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/* `at` counts in the column-major copy, (..., n, m); the caller knows (..., m, n). */
static ph_status fail_not_finite(const lin_stack *w, int64_t at, const char *what, const op_attrs *attrs,
                                 ph_err *err) {
    char text[200];
    int64_t index[ARR_MAXDIM];
    int nd = w->data.ndim;
    arr_c128 z = arr_get_c128(&w->data, w->data.data + at * (int64_t)arr_itemsize(w->data.dtype));
    for (int d = nd - 1; d >= 0; d--) {
        index[d] = at % w->data.shape[d] + attrs->base;
        at /= w->data.shape[d];
    }
    int64_t row = index[nd - 1];
    index[nd - 1] = index[nd - 2];
    index[nd - 2] = row;
    return ph_fail(err, PH_EARG, "%s has %s at %s; wanted finite numbers", what, not_finite_text(z),
                   arr_dims_text(text, sizeof text, nd, index));
}

ph_status arr_lin_finish(const arr *out, ph_err *err) {
    int64_t n = arr_size(out);
    if (first_not_finite(out->dtype, out->data, n) >= 0)
        return ph_fail(err, PH_EUNABLE, "the result passes the largest %s", arr_dtype_name(out->dtype));
    if (out->dtype == ARR_F32) {
        for (int64_t i = 0; i < n; i++) ((float *)out->data)[i] += 0.0f;
    } else {
        int64_t parts = out->dtype == ARR_C128 ? 2 : 1;
        for (int64_t i = 0; i < n * parts; i++) ((double *)out->data)[i] += 0.0;
    }
    return PH_OK;
}

/* ---- column-major stacks ------------------------------------------------------------------------------- */

/* The stack as its row-major world sees it, (..., m, n); borrowed. */
static arr seen(const lin_stack *w) {
    arr v = w->data;
    int d = v.ndim - 2;
    v.shape[d] = w->m;
    v.shape[d + 1] = w->n;
    v.stride[d] = 1;
    v.stride[d + 1] = w->m;
    return v;
}

ph_status arr_lin_new(lin_stack *w, arr_dtype t, const arr *like, int64_t m, int64_t n, ph_err *err) {
    int64_t shape[ARR_MAXDIM];
    *w = LIN_NONE;
    memcpy(shape, like->shape, sizeof shape);
    shape[like->ndim - 2] = n;
    shape[like->ndim - 1] = m;
    ph_status st = arr_new(&w->data, t, like->ndim, shape, err);
    w->m = m;
    w->n = n;
    w->count = 1;
    for (int d = 0; d < like->ndim - 2; d++) w->count *= shape[d];
    return st;
}

ph_status arr_lin_load(lin_stack *w, const arr *x, arr_dtype t, const char *what, const op_attrs *attrs,
                       ph_err *err) {
    ph_status st = arr_lin_new(w, t, x, x->shape[x->ndim - 2], x->shape[x->ndim - 1], err);
    if (st != PH_OK) return st;
    arr view = seen(w);
    st = arr_assign(&view, x, err);
    if (st != PH_OK) return st;
    int64_t at = first_not_finite(t, w->data.data, arr_size(&w->data));
    return at < 0 ? PH_OK : fail_not_finite(w, at, what, attrs, err);
}

static ph_status fail_asymmetric(const lin_stack *w, const char *which, int64_t i, int64_t j, arr_c128 p,
                                 arr_c128 q, const op_attrs *attrs, ph_err *err) {
    char lower[80], upper[80];
    bool complex_numbers = w->data.dtype == ARR_C128;
    snprintf(lower, sizeof lower, complex_numbers ? "%g%+gi" : "%g", p.re, p.im);
    snprintf(upper, sizeof upper, complex_numbers ? "%g%+gi" : "%g", q.re, q.im);
    return ph_fail(err, PH_EARG, "A is not %s%s: its elements (%lld, %lld) and (%lld, %lld) are %s and %s",
                   complex_numbers ? "Hermitian" : "symmetric", which, (long long)i + attrs->base,
                   (long long)j + attrs->base, (long long)j + attrs->base, (long long)i + attrs->base, lower,
                   upper);
}

ph_status arr_lin_store(const arr *out, const lin_stack *w, ph_err *err) {
    arr view = seen(w);
    view.shape[view.ndim - 2] = out->shape[out->ndim - 2];
    view.shape[view.ndim - 1] = out->shape[out->ndim - 1];
    ph_status st = arr_assign(out, &view, err);
    return st == PH_OK ? arr_lin_finish(out, err) : st;
}

void arr_lin_drop(lin_stack *w) {
    arr_drop(&w->data);
    *w = LIN_NONE;
}

void *arr_lin_at(const lin_stack *w, int64_t b) {
    return w->data.data + b * w->m * w->n * (int64_t)arr_itemsize(w->data.dtype);
}

const char *arr_lin_which(char *buf, size_t cap, const lin_stack *w, int64_t b) {
    buf[0] = '\0';
    if (w->count > 1) snprintf(buf, cap, " (matrix %lld of the stack)", (long long)b + 1);
    return buf;
}

/* ---- symmetry ------------------------------------------------------------------------------------------ */

static double largest(const arr *a, const char *x, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        arr_c128 z = arr_get_c128(a, x + i * (int64_t)arr_itemsize(a->dtype));
        most = fmax(most, fmax(fabs(z.re), fabs(z.im)));
    }
    return most;
}

static ph_status symmetrize_one(const lin_stack *w, int64_t b, double eps, const op_attrs *attrs,
                                ph_err *err) {
    char which[60];
    char *x = arr_lin_at(w, b);
    int64_t n = w->n, item = (int64_t)arr_itemsize(w->data.dtype);
    double slack = sqrt(eps) * largest(&w->data, x, n * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            char *lower = x + (j * n + i) * item, *upper = x + (i * n + j) * item;
            arr_c128 p = arr_get_c128(&w->data, lower), q = arr_get_c128(&w->data, upper);
            double d = fmax(fabs(p.re - q.re), fabs(p.im + q.im));
            if (!(d <= slack))
                return fail_asymmetric(w, arr_lin_which(which, sizeof which, w, b), i, j, p, q, attrs, err);
            arr_c128 mean = {p.re / 2 + q.re / 2, p.im / 2 - q.im / 2}, conjugate = {mean.re, -mean.im};
            arr_cast_run(lower, w->data.dtype, 1, &mean, ARR_C128, 1, 1);
            arr_cast_run(upper, w->data.dtype, 1, &conjugate, ARR_C128, 1, 1);
        }
    return PH_OK;
}

ph_status arr_lin_symmetrize(lin_stack *w, double eps, const op_attrs *attrs, ph_err *err) {
    ph_status st = PH_OK;
    for (int64_t b = 0; b < w->count && st == PH_OK; b++) st = symmetrize_one(w, b, eps, attrs, err);
    return st;
}

/* ---- phase --------------------------------------------------------------------------------------------- */

arr_c128 arr_lin_phase(arr_dtype t, const void *x, int64_t n) {
    const double *re = x;
    const int64_t step = t == ARR_C128 ? 2 : 1;
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = fmax(most, hypot(re[i * step], step == 2 ? re[i * 2 + 1] : 0));
    for (int64_t i = 0; i < n; i++) {
        double r = re[i * step], m = step == 2 ? re[i * 2 + 1] : 0, size = hypot(r, m);
        if (size > 0 && size >= 0.9 * most) return (arr_c128){r / size, -m / size};
    }
    return (arr_c128){1, 0};
}

void arr_lin_scale(arr_dtype t, void *x, int64_t n, int64_t step, arr_c128 f) {
    for (int64_t i = 0; i < n; i++) {
        if (t == ARR_F64) {
            ((double *)x)[i * step] *= f.re;
        } else {
            arr_c128 *z = (arr_c128 *)x + i * step, v = *z;
            *z = (arr_c128){v.re * f.re - v.im * f.im, v.re * f.im + v.im * f.re};
        }
    }
}
