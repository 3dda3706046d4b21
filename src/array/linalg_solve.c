/* linalg_solve.c: rows on A = P L U and on Cholesky's A = L L^H: solve, inv, det, slogdet, cholesky.
 *
 * solve and cholesky keep f32; the others work and result in f64 (or c128). A matrix that is singular to the
 * last bit has no inverse: that is an error, with the pivot that vanished. One that is merely close to
 * singular gives what backward stable elimination gives, the solution for some A + E with |E| of the order of
 * n u |A|; cond(A) says how far off that may be.
 */
#include "array/linalg.h"

#include <math.h>
#include <string.h>

static ph_status fail_singular(const lin_stack *w, int64_t b, int info, ph_err *err) {
    char which[60];
    return ph_fail(err, PH_EDOMAIN, "A is singular%s: pivot %d is exactly 0",
                   arr_lin_which(which, sizeof which, w, b), info);
}

/* The pivots of one matrix. */
static ph_status new_pivots(int **out, int64_t n, ph_err *err) {
    size_t bytes;
    *out = NULL;
    if (!ph_mul_size(&bytes, (uint64_t)n, sizeof **out)) return ph_fail_nomem(err, SIZE_MAX);
    *out = ph_alloc(bytes);
    return *out ? PH_OK : ph_fail_nomem(err, bytes);
}

/* ---- solve --------------------------------------------------------------------------------------------- */

/* b as a stack of (n, k), borrowed: a vector is one column. */
static arr as_columns(const arr *b) {
    arr x = *b;
    if (x.ndim != 1) return x;
    x.ndim = 2;
    x.shape[1] = x.stride[1] = 1;
    return x;
}

/* Leading dimensions of the result, in *nbatch and shape. */
static ph_status solve_batch(int *nbatch, int64_t *shape, const arr *in, ph_err *err) {
    char ta[200], tb[200];
    arr a = in[0], b = as_columns(&in[1]);
    if (b.ndim < 2 || b.shape[b.ndim - 2] != a.shape[a.ndim - 1]) goto bad;
    a.ndim -= 2;
    b.ndim -= 2;
    if (arr_broadcast_shape(nbatch, shape, (const arr *const[]){&a, &b}, 2, "", NULL) == PH_OK) return PH_OK;
bad:
    return ph_fail(err, PH_EARG,
                   "A is %s and b is %s; wanted b (n), or (n, k), or a stack of those, for A (n, n)",
                   arr_shape_text(ta, sizeof ta, &in[0]), arr_shape_text(tb, sizeof tb, &in[1]));
}

LIN_SHAPE(solve_shape) {
    LIN_UNUSED;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(&in[0], "A", true, true, err));
    PH_TRY(solve_batch(&out->ndim, out->shape, in, err));
    out->dtype = arr_lin_field(arr_common(in, 2));
    out->shape[out->ndim++] = in[0].shape[in[0].ndim - 1];
    if (in[1].ndim > 1) out->shape[out->ndim++] = in[1].shape[in[1].ndim - 1];
done:
    return st;
}

/* Both operands as column-major stacks: b of the result's shape; A too, unless there is but one. */
static ph_status load_system(lin_stack *a, lin_stack *b, const arr *in, arr_dtype t, const op_attrs *attrs,
                             ph_err *err) {
    arr wa = ARR_NONE, wb = ARR_NONE, columns = as_columns(&in[1]);
    int64_t n = in[0].shape[in[0].ndim - 1], shape[ARR_MAXDIM];
    int nbatch;
    ph_status st;
    PH_TRY(solve_batch(&nbatch, shape, in, err));
    shape[nbatch] = n;
    shape[nbatch + 1] = columns.shape[columns.ndim - 1];
    PH_TRY(arr_broadcast_to(&wb, &columns, nbatch + 2, shape, err));
    shape[nbatch + 1] = n;
    if (in[0].ndim == 2) wa = arr_ref(&in[0]);
    else PH_TRY(arr_broadcast_to(&wa, &in[0], nbatch + 2, shape, err));
    PH_TRY(arr_lin_load(a, &wa, t, "A", attrs, err));
    PH_TRY(arr_lin_load(b, &wb, t, in[1].ndim == 1 ? "b, as a column," : "b", attrs, err));
done:
    arr_drop(&wa);
    arr_drop(&wb);
    return st;
}

LIN_FORWARD(solve_forward) {
    LIN_UNUSED;
    lin_stack a = LIN_NONE, b = LIN_NONE;
    arr_dtype t = out->dtype;
    int *pivot = NULL, info = 0;
    ph_status st = PH_OK;
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(load_system(&a, &b, in, t, attrs, err));
    PH_TRY(new_pivots(&pivot, a.n, err));
    for (int64_t i = 0; i < b.count; i++) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        void *lu = arr_lin_at(&a, a.count == 1 ? 0 : i);
        if (i == 0 || a.count > 1) PH_TRY(arr_lap_lu(&info, t, a.n, lu, pivot, err));
        if (info > 0) PH_TRY(fail_singular(&a, i, info, err));
        PH_TRY(arr_lap_lu_solve(t, a.n, b.n, lu, pivot, arr_lin_at(&b, i), err));
    }
    arr view = *out; /* borrowed; of vectors, (..., n), a column each */
    if (in[1].ndim == 1) {
        view.shape[view.ndim] = view.stride[view.ndim] = 1;
        view.ndim++;
    }
    st = arr_lin_store(&view, &b, err);
done:
    arr_lin_drop(&a);
    arr_lin_drop(&b);
    ph_free(pivot);
    return st;
}

/* ---- inv ----------------------------------------------------------------------------------------------- */

LIN_SHAPE(inv_shape) {
    LIN_UNUSED;
    *out = (op_spec){.dtype = arr_lin_wide(in->dtype), .ndim = in->ndim};
    memcpy(out->shape, in->shape, sizeof out->shape);
    return arr_lin_check_matrix(in, "A", true, true, err);
}

LIN_FORWARD(inv_forward) {
    LIN_UNUSED;
    lin_stack a = LIN_NONE;
    int *pivot = NULL, info;
    ph_status st;
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(arr_lin_load(&a, in, out->dtype, "A", attrs, err));
    PH_TRY(new_pivots(&pivot, a.n, err));
    for (int64_t i = 0; i < a.count; i++) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        PH_TRY(arr_lap_lu(&info, out->dtype, a.n, arr_lin_at(&a, i), pivot, err));
        if (info > 0) PH_TRY(fail_singular(&a, i, info, err));
        PH_TRY(arr_lap_lu_invert(out->dtype, a.n, arr_lin_at(&a, i), pivot, err));
    }
    st = arr_lin_store(out, &a, err);
done:
    arr_lin_drop(&a);
    ph_free(pivot);
    return st;
}

/* ---- det, slogdet -------------------------------------------------------------------------------------- */

/* det A = sign * mantissa * 2^exponent, mantissa of modulus in [1/2, 1), or 0: products of pivots overflow
 * long before their determinant does. */
typedef struct {
    arr_c128 mantissa;
    int64_t exponent;
} scaled;

static void scaled_times(scaled *d, arr_c128 x) {
    arr_c128 m = d->mantissa;
    int e = 0, f = 0;
    (void)frexp(fmax(fabs(x.re), fabs(x.im)), &e);
    x = (arr_c128){ldexp(x.re, -e), ldexp(x.im, -e)};
    m = (arr_c128){m.re * x.re - m.im * x.im, m.re * x.im + m.im * x.re};
    (void)frexp(fmax(fabs(m.re), fabs(m.im)), &f);
    d->mantissa = (arr_c128){ldexp(m.re, -f), ldexp(m.im, -f)};
    d->exponent += (int64_t)e + f;
}

/* The exponent of the larger part; so small where it is 0 that it counts nowhere. */
static int exponent_of(const double *x, int parts) {
    double size = fmax(fabs(x[0]), fabs(x[parts - 1]));
    int e = -4000;
    if (size > 0) (void)frexp(size, &e);
    return e;
}

/* LAPACK multiplies by the inverse of a pivot, which is inf where that is below 2^-1024, and products leave the range likewise. So a matrix
 * with entries near its ends is given rows, and then columns, whose largest entry has the size 1; the powers of two are put together before
 * they are applied. *exponent: of what the determinant is to be multiplied by. */
static ph_status bring_into_range(const lin_stack *a, int64_t *exponent, ph_err *err) {
    double *x = (double *)a->data.data;
    int parts = a->data.dtype == ARR_C128 ? 2 : 1;
    int64_t n = a->n;
    bool ordinary = true;
    for (int64_t k = 0; k < n * n * parts; k++)
        ordinary &= x[k] == 0 || (fabs(x[k]) > 0x1p-900 && fabs(x[k]) < 0x1p900);
    if (ordinary) return PH_OK;
    int *row = ph_calloc((uint64_t)n, sizeof *row);
    if (!row) return ph_fail_nomem(err, (size_t)n * sizeof *row);
    for (int64_t k = 0; k < n * n; k++) {
        int e = exponent_of(x + k * parts, parts);
        if (k < n || e > row[k % n]) row[k % n] = e;
    }
    for (int64_t i = 0; i < n; i++) *exponent += row[i];
    for (int64_t j = 0; j < n; j++, x += n * parts) {
        int most = -8000;
        for (int64_t i = 0; i < n; i++) {
            int e = exponent_of(x + i * parts, parts) - row[i];
            if (e > most) most = e;
        }
        *exponent += most;
        for (int64_t k = 0; k < n * parts; k++) x[k] = ldexp(x[k], -row[k / parts] - most);
    }
    ph_free(row);
    return PH_OK;
}

static ph_status determinant(scaled *d, const arr *x, const op_attrs *attrs, ph_err *err) {
    lin_stack a = LIN_NONE;
    int *pivot = NULL, info;
    ph_status st;
    *d = (scaled){{1, 0}, 0};
    PH_TRY(arr_lin_load(&a, x, arr_lin_wide(x->dtype), "A", attrs, err));
    PH_TRY(new_pivots(&pivot, a.n, err));
    PH_TRY(bring_into_range(&a, &d->exponent, err));
    PH_TRY(arr_lap_lu(&info, a.data.dtype, a.n, a.data.data, pivot, err));
    for (int64_t i = 0; i < a.n; i++) {
        arr_c128 p = arr_get_c128(&a.data, arr_at(&a.data, (int64_t[]){i, i}));
        if (pivot[i] != i + 1) p = (arr_c128){-p.re, -p.im};
        scaled_times(d, p);
    }
    if (isnan(d->mantissa.re) || isnan(d->mantissa.im))
        st = ph_fail(err, PH_EUNABLE, "elimination leaves the range of f64");
done:
    arr_lin_drop(&a);
    ph_free(pivot);
    return st;
}

LIN_SHAPE(det_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = arr_lin_wide(in->dtype)};
    if (self->n_out > 1) out[1] = (op_spec){.dtype = ARR_F64};
    return arr_lin_check_matrix(in, "A", false, true, err);
}

static int clamp_exponent(int64_t e) { return e > 4000 ? 4000 : e < -4000 ? -4000 : (int)e; }

LIN_FORWARD(det_forward) {
    LIN_UNUSED;
    scaled d;
    ph_status st = determinant(&d, in, attrs, err);
    if (st != PH_OK) return st;
    int e = clamp_exponent(d.exponent);
    arr_c128 z = {ldexp(d.mantissa.re, e), ldexp(d.mantissa.im, e)};
    if (!isfinite(z.re) || !isfinite(z.im))
        return ph_fail(err, PH_EUNABLE, "the determinant passes the largest f64; take slogdet");
    return arr_put_c128(out, out->data, z, err);
}

/* det = sign e^log, |sign| = 1; sign 0 and log -inf when singular. */
LIN_FORWARD(slogdet_forward) {
    LIN_UNUSED;
    scaled d;
    ph_status st = determinant(&d, in, attrs, err);
    if (st != PH_OK) return st;
    double size = hypot(d.mantissa.re, d.mantissa.im);
    arr_c128 sign = size > 0 ? (arr_c128){d.mantissa.re / size, d.mantissa.im / size} : (arr_c128){0, 0};
    *(double *)out[1].data = size > 0 ? log(size) + (double)d.exponent * log(2) : -INFINITY;
    return arr_put_c128(&out[0], out[0].data, sign, err);
}

/* ---- cholesky ------------------------------------------------------------------------------------------ */

LIN_SHAPE(cholesky_shape) {
    LIN_UNUSED;
    *out = (op_spec){.dtype = arr_lin_field(in->dtype), .ndim = in->ndim};
    memcpy(out->shape, in->shape, sizeof out->shape);
    return arr_lin_check_matrix(in, "A", true, true, err);
}

/* Column-major: the upper triangle of each column is its head. */
static void clear_upper(const lin_stack *w, int64_t b) {
    char *x = arr_lin_at(w, b);
    size_t item = arr_itemsize(w->data.dtype);
    for (int64_t j = 1; j < w->n; j++) memset(x + (size_t)(j * w->n) * item, 0, (size_t)j * item);
}

LIN_FORWARD(cholesky_forward) {
    LIN_UNUSED;
    lin_stack a = LIN_NONE;
    char which[60];
    int info;
    ph_status st;
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(arr_lin_load(&a, in, out->dtype, "A", attrs, err));
    PH_TRY(arr_lin_symmetrize(&a, arr_lin_eps(in->dtype), attrs, err));
    for (int64_t i = 0; i < a.count; i++) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        PH_TRY(arr_lap_cholesky(&info, out->dtype, a.n, arr_lin_at(&a, i), err));
        if (info > 0)
            PH_TRY(ph_fail(err, PH_EDOMAIN,
                           "A is not positive definite%s: its leading minor of order %d is not positive",
                           arr_lin_which(which, sizeof which, &a, i), info));
        clear_upper(&a, i);
    }
    st = arr_lin_store(out, &a, err);
done:
    arr_lin_drop(&a);
    return st;
}

const op arr_solve_ops[] = {
    LIN_ROW("solve", OP_SIG_XY, 2, 2, 1, OP_SMOOTH, solve_shape, solve_forward),
    LIN_ROW("inv", OP_SIG_X, 1, 1, 1, OP_SMOOTH, inv_shape, inv_forward),
    LIN_ROW("det", OP_SIG_X, 1, 1, 1, OP_SMOOTH | OP_SCALAR_OUT, det_shape, det_forward),
    LIN_ROW("slogdet", OP_SIG_X, 1, 1, 2, OP_SMOOTH, det_shape, slogdet_forward),
    LIN_ROW("cholesky", OP_SIG_X, 1, 1, 1, OP_SMOOTH, cholesky_shape, cholesky_forward),
};
const int arr_solve_nops = sizeof arr_solve_ops / sizeof arr_solve_ops[0];
