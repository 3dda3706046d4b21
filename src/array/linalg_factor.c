/* linalg_factor.c: rows on Householder's A = Q R and on the singular values, A = U diag(s) V^H: qr, svd,
 * svdvals, rank, cond, pinv.
 *
 * Letters: A is (m, n), k = min(m, n). The third output of svd is V^H (V^T for real A), so that A = matmul(U
 * * s, Vt): the rows of Vt are the right singular vectors. qr keeps f32; the others work and result in f64
 * (or c128).
 *
 * Singular values up to tol s[0] count as 0 in rank and pinv (and lstsq); tol is attrs->num, or max(m, n) eps
 * when that is 0, with eps the spacing of the type that A came in: the size of the rounding errors in A
 * itself.
 */
#include "array/linalg.h"

#include <math.h>
#include <string.h>

/* The output `word`: NULL or "" thin, "full" with square orthogonal factors. */
static ph_status read_full(bool *full, const op_attrs *attrs, ph_err *err) {
    *full = attrs->word && strcmp(attrs->word, "full") == 0;
    if (*full || !attrs->word || strcmp(attrs->word, "thin") == 0) return PH_OK;
    return ph_fail(err, PH_EARG, "the shape wanted is \"%s\"; wanted \"thin\" or \"full\"", attrs->word);
}

/* Leading dimensions of x, then (m, n); n < 0: a vector. */
static op_spec like(const arr *x, arr_dtype t, int64_t m, int64_t n) {
    op_spec s = {.dtype = t, .ndim = x->ndim - (n < 0)};
    memcpy(s.shape, x->shape, sizeof s.shape);
    s.shape[x->ndim - 2] = m;
    s.shape[x->ndim - 1] = n < 0 ? 0 : n;
    return s;
}

static int64_t rows_of(const arr *x) { return x->shape[x->ndim - 2]; }
static int64_t cols_of(const arr *x) { return x->shape[x->ndim - 1]; }
static int64_t small_of(const arr *x) { return rows_of(x) < cols_of(x) ? rows_of(x) : cols_of(x); }

/* ---- qr ------------------------------------------------------------------------------------------------ */

LIN_SHAPE(qr_shape) {
    LIN_UNUSED;
    bool full;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(in, "A", true, false, err));
    PH_TRY(read_full(&full, attrs, err));
    int64_t m = rows_of(in), k = full ? m : small_of(in);
    out[0] = like(in, arr_lin_field(in->dtype), m, k);
    out[1] = like(in, arr_lin_field(in->dtype), k, cols_of(in));
done:
    return st;
}

static void negate(arr_dtype t, char *x, int64_t n, int64_t step) {
    for (int64_t i = 0; i < n; i++) {
        if (t == ARR_F32) ((float *)x)[i * step] *= -1;
        else if (t == ARR_F64) ((double *)x)[i * step] *= -1;
        else ((arr_c128 *)x)[i * step].re *= -1, ((arr_c128 *)x)[i * step].im *= -1;
    }
}

/* R out of the factored a (m, n) into r (rows, n), rows <= m; its diagonal, real by construction, made
 * nonnegative. Q's columns q (m, .) turn with it. */
static void take_r(arr_dtype t, const char *a, char *r, char *q, int64_t m, int64_t n, int64_t rows) {
    int64_t item = (int64_t)arr_itemsize(t);
    memset(r, 0, (size_t)(rows * n * item));
    for (int64_t j = 0; j < n; j++)
        memcpy(r + j * rows * item, a + j * m * item, (size_t)((j + 1 < rows ? j + 1 : rows) * item));
    for (int64_t i = 0; i < rows && i < n; i++) {
        char *d = r + (i * rows + i) * item;
        if (!(t == ARR_F32 ? *(float *)d < 0 : *(double *)d < 0)) continue;
        negate(t, d, n - i, rows);
        negate(t, q + i * m * item, m, 1);
    }
}

LIN_FORWARD(qr_forward) {
    LIN_UNUSED;
    arr_dtype t = out[0].dtype;
    lin_stack a = LIN_NONE, q = LIN_NONE, r = LIN_NONE;
    int64_t m = rows_of(in), n = cols_of(in), k = small_of(in), width = cols_of(&out[0]);
    size_t item = arr_itemsize(t);
    void *tau = NULL;
    ph_status st;
    PH_TRY(arr_lin_load(&a, in, t, "A", attrs, err));
    PH_TRY(arr_lin_new(&q, t, in, m, width, err));
    PH_TRY(arr_lin_new(&r, t, in, width, n, err));
    if (!(tau = ph_alloc((size_t)k * item))) PH_TRY(ph_fail_nomem(err, (size_t)k * item));
    for (int64_t i = 0; i < a.count && m > 0; i++) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        PH_TRY(arr_lap_qr(t, m, n, arr_lin_at(&a, i), tau, err));
        memcpy(arr_lin_at(&q, i), arr_lin_at(&a, i), (size_t)(m * k) * item);
        PH_TRY(arr_lap_qr_q(t, m, width, k, arr_lin_at(&q, i), tau, err));
        take_r(t, arr_lin_at(&a, i), arr_lin_at(&r, i), arr_lin_at(&q, i), m, n, width);
    }
    PH_TRY(arr_lin_store(&out[0], &q, err));
    PH_TRY(arr_lin_store(&out[1], &r, err));
done:
    arr_lin_drop(&a);
    arr_lin_drop(&q);
    arr_lin_drop(&r);
    ph_free(tau);
    return st;
}

/* ---- singular values ----------------------------------------------------------------------------------- */

static ph_status fail_converge(const lin_stack *w, int64_t b, ph_err *err) {
    char which[60];
    return ph_fail(err, PH_EUNABLE, "the singular values of A did not converge%s",
                   arr_lin_which(which, sizeof which, w, b));
}

/* Orthonormal columns for a matrix without elements: the identity. */
static void set_identity(arr_dtype t, char *x, int64_t n) {
    size_t item = arr_itemsize(t);
    memset(x, 0, (size_t)(n * n) * item);
    for (int64_t i = 0; i < n; i++) *(double *)(x + (size_t)(i * n + i) * item) = 1;
}

/* One factor of the phase goes to u's column, its conjugate to vt's row. Further columns and rows of full
 * factors each follow their own rule. */
static void fix_phases(const lin_stack *u, const lin_stack *vt, int64_t b, int64_t k) {
    arr_dtype t = u->data.dtype;
    size_t item = arr_itemsize(t);
    char *x = arr_lin_at(u, b), *y = arr_lin_at(vt, b);
    for (int64_t j = 0; j < u->n; j++) {
        char *column = x + (size_t)(j * u->m) * item;
        arr_c128 f = arr_lin_phase(t, column, u->m);
        arr_lin_scale(t, column, u->m, 1, f);
        if (j < k) arr_lin_scale(t, y + (size_t)j * item, vt->n, vt->m, (arr_c128){f.re, -f.im});
    }
}

/* u, s, vt of every matrix of the stack a, which is destroyed. u, vt NULL: values only. s: (count, k)
 * contiguous. */
static ph_status decompose(lin_stack *a, double *s, lin_stack *u, lin_stack *vt, ph_err *err) {
    arr_dtype t = a->data.dtype;
    int64_t k = a->m < a->n ? a->m : a->n;
    char job = !u ? 'N' : u->n > k || vt->m > k ? 'A' : 'S';
    int info = 0;
    for (int64_t b = 0; b < a->count; b++) {
        if (ph_interrupted()) return ph_fail_interrupted(err);
        if (k > 0) {
            ph_status st = arr_lap_svd(&info, t, job, a->m, a->n, arr_lin_at(a, b), s + b * k,
                                       u ? arr_lin_at(u, b) : NULL, u ? arr_lin_at(vt, b) : NULL, err);
            if (st != PH_OK) return st;
            if (info > 0) return fail_converge(a, b, err);
            if (u) fix_phases(u, vt, b, k);
        } else if (job == 'A') {
            set_identity(t, arr_lin_at(u, b), u->m);
            set_identity(t, arr_lin_at(vt, b), vt->m);
        }
    }
    return PH_OK;
}

LIN_SHAPE(svd_shape) {
    LIN_UNUSED;
    bool full;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(in, "A", true, false, err));
    PH_TRY(read_full(&full, attrs, err));
    arr_dtype t = arr_lin_wide(in->dtype);
    int64_t m = rows_of(in), n = cols_of(in), k = small_of(in);
    PH_TRY(arr_lap_svd_fits(t, true, m, n, err));
    out[0] = like(in, t, m, full ? m : k);
    out[1] = like(in, ARR_F64, k, -1);
    out[2] = like(in, t, full ? n : k, n);
done:
    return st;
}

LIN_FORWARD(svd_forward) {
    LIN_UNUSED;
    arr_dtype t = out[0].dtype;
    lin_stack a = LIN_NONE, u = LIN_NONE, vt = LIN_NONE;
    ph_status st;
    PH_TRY(arr_lin_load(&a, in, t, "A", attrs, err));
    PH_TRY(arr_lin_new(&u, t, in, a.m, cols_of(&out[0]), err));
    PH_TRY(arr_lin_new(&vt, t, in, rows_of(&out[2]), a.n, err));
    PH_TRY(decompose(&a, (double *)out[1].data, &u, &vt, err));
    PH_TRY(arr_lin_store(&out[0], &u, err));
    PH_TRY(arr_lin_store(&out[2], &vt, err));
    st = arr_lin_finish(&out[1], err);
done:
    arr_lin_drop(&a);
    arr_lin_drop(&u);
    arr_lin_drop(&vt);
    return st;
}

LIN_SHAPE(svdvals_shape) {
    LIN_UNUSED;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(in, "A", true, false, err));
    PH_TRY(arr_lap_svd_fits(arr_lin_wide(in->dtype), false, rows_of(in), cols_of(in), err));
    *out = like(in, ARR_F64, small_of(in), -1);
done:
    return st;
}

LIN_FORWARD(svdvals_forward) {
    LIN_UNUSED;
    lin_stack a = LIN_NONE;
    ph_status st;
    PH_TRY(arr_lin_load(&a, in, arr_lin_wide(in->dtype), "A", attrs, err));
    PH_TRY(decompose(&a, (double *)out->data, NULL, NULL, err));
    st = arr_lin_finish(out, err);
done:
    arr_lin_drop(&a);
    return st;
}

/* ---- rank, cond ---------------------------------------------------------------------------------------- */

ph_status arr_lin_check_tolerance(const op_attrs *attrs, ph_err *err) {
    if (attrs->num >= 0 && attrs->num < 1) return PH_OK;
    return ph_fail(err, PH_EARG, "the tolerance is %g; wanted a number from 0 (the default) to below 1",
                   attrs->num);
}

double arr_lin_tolerance(const arr *x, const op_attrs *attrs) {
    int64_t m = rows_of(x), n = cols_of(x);
    return attrs->num > 0 ? attrs->num : (double)(m > n ? m : n) * arr_lin_eps(x->dtype);
}

static int64_t count_above(const double *s, int64_t k, double tol) {
    int64_t r = 0;
    while (r < k && s[r] > tol * s[0]) r++; /* s descends */
    return r;
}

LIN_SHAPE(number_shape) {
    LIN_UNUSED;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(in, "A", false, false, err));
    PH_TRY(arr_lap_svd_fits(arr_lin_wide(in->dtype), false, rows_of(in), cols_of(in), err));
    PH_TRY(arr_lin_check_tolerance(attrs, err));
    *out = (op_spec){.dtype = ARR_F64};
done:
    return st;
}

/* The singular values of one matrix, as a vector of their own. */
static ph_status values_of(arr *s, const arr *x, const op_attrs *attrs, ph_err *err) {
    int64_t k = small_of(x);
    ph_status st = arr_new(s, ARR_F64, 1, &k, err);
    return st == PH_OK ? svdvals_forward(s, NULL, x, 1, attrs, err) : st;
}

LIN_FORWARD(rank_forward) {
    LIN_UNUSED;
    arr s;
    ph_status st = values_of(&s, in, attrs, err);
    if (st == PH_OK)
        *(double *)out->data =
            (double)count_above((double *)s.data, s.shape[0], arr_lin_tolerance(in, attrs));
    arr_drop(&s);
    return st;
}

/* s[0] / s[k-1], inf for a singular matrix. */
LIN_FORWARD(cond_forward) {
    LIN_UNUSED;
    arr s;
    if (arr_size(in) == 0) return ph_fail(err, PH_EDOMAIN, "A is empty, and has no singular values");
    ph_status st = values_of(&s, in, attrs, err);
    if (st == PH_OK) {
        const double *x = (const double *)s.data, least = x[s.shape[0] - 1];
        *(double *)out->data = least > 0 ? x[0] / least : INFINITY;
    }
    arr_drop(&s);
    return st;
}

/* ---- pinv ---------------------------------------------------------------------------------------------- */

LIN_SHAPE(pinv_shape) {
    LIN_UNUSED;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(in, "A", true, false, err));
    PH_TRY(arr_lin_check_tolerance(attrs, err));
    PH_TRY(arr_lap_svd_fits(arr_lin_wide(in->dtype), true, rows_of(in), cols_of(in), err));
    *out = like(in, arr_lin_wide(in->dtype), cols_of(in), rows_of(in));
done:
    return st;
}

/* Column-major u (m, k) with columns over s, or 0: read row-major it is (U / s)^T; conjugated, diag(1/s) U^H.
 */
static void divide_columns(const lin_stack *u, int64_t b, const double *s, double tol) {
    arr_dtype t = u->data.dtype;
    size_t item = arr_itemsize(t);
    int64_t r = count_above(s, u->n, tol);
    char *x = arr_lin_at(u, b);
    for (int64_t j = 0; j < u->n; j++)
        for (int64_t i = 0; i < u->m; i++) {
            double *z = (double *)(x + (size_t)(j * u->m + i) * item);
            z[0] = j < r ? z[0] / s[j] : 0;
            if (t == ARR_C128) z[1] = j < r ? -z[1] / s[j] : 0;
        }
}

static void conjugate_all(const lin_stack *w) {
    arr_c128 *z = (arr_c128 *)w->data.data;
    if (w->data.dtype == ARR_C128)
        for (int64_t i = 0; i < arr_size(&w->data); i++) z[i].im *= -1;
}

/* A+ = V diag(1/s) U^H. The column-major Vt (k, n), conjugated, reads row-major as V (n, k). */
LIN_FORWARD(pinv_forward) {
    LIN_UNUSED;
    arr_dtype t = out->dtype;
    lin_stack a = LIN_NONE, u = LIN_NONE, vt = LIN_NONE;
    arr product = ARR_NONE;
    double *s = NULL;
    int64_t k = small_of(in);
    size_t bytes;
    ph_status st;
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(arr_lin_load(&a, in, t, "A", attrs, err));
    PH_TRY(arr_lin_new(&u, t, in, a.m, k, err));
    PH_TRY(arr_lin_new(&vt, t, in, k, a.n, err));
    bytes = (size_t)(a.count * k) * sizeof *s; /* fits: u exists */
    if (!(s = ph_alloc(bytes))) PH_TRY(ph_fail_nomem(err, bytes));
    PH_TRY(decompose(&a, s, &u, &vt, err));
    for (int64_t b = 0; b < a.count; b++) divide_columns(&u, b, s + b * k, arr_lin_tolerance(in, attrs));
    conjugate_all(&vt);
    PH_TRY(op_call2(&product, "matmul", &vt.data, &u.data, err));
    PH_TRY(arr_lin_finish(&product, err));
    st = arr_assign(out, &product, err);
done:
    arr_lin_drop(&a);
    arr_lin_drop(&u);
    arr_lin_drop(&vt);
    arr_drop(&product);
    ph_free(s);
    return st;
}

const op arr_factor_ops[] = {
    LIN_ROW("qr", OP_SIG_OTHER, 1, 1, 2, OP_SMOOTH, qr_shape, qr_forward),
    LIN_ROW("svd", OP_SIG_OTHER, 1, 1, 3, OP_SMOOTH, svd_shape, svd_forward),
    LIN_ROW("svdvals", OP_SIG_X, 1, 1, 1, OP_SMOOTH, svdvals_shape, svdvals_forward),
    LIN_ROW("rank", OP_SIG_OTHER, 1, 1, 1, OP_SCALAR_OUT | OP_WHOLE, number_shape, rank_forward),
    LIN_ROW("cond", OP_SIG_X, 1, 1, 1, OP_SMOOTH | OP_SCALAR_OUT, number_shape, cond_forward),
    LIN_ROW("pinv", OP_SIG_OTHER, 1, 1, 1, OP_SMOOTH, pinv_shape, pinv_forward),
};
const int arr_factor_nops = sizeof arr_factor_ops / sizeof arr_factor_ops[0];
