/* linalg_lstsq.c: the x of least norm among those that make |A x - b| least, by singular values (gelsd). */
#include "array/linalg.h"

#include <math.h>
#include <string.h>

/* A (m, n); b (m) or (m, q). Outputs: x (n) or (n, q); the residual |A x - b| of each column, a number or
 * (q); the rank; the singular values of A (k), descending. */
LIN_SHAPE(lstsq_shape) {
    LIN_UNUSED;
    char ta[200], tb[200];
    const arr *a = &in[0], *b = &in[1];
    ph_status st;
    PH_TRY(arr_lin_check_matrix(a, "A", false, false, err));
    PH_TRY(arr_lin_check_tolerance(attrs, err));
    if (b->ndim < 1 || b->ndim > 2 || b->shape[0] != a->shape[0])
        return ph_fail(err, PH_EARG, "A is %s and b is %s; wanted b (m) or (m, q) for A (m, n)",
                       arr_shape_text(ta, sizeof ta, a), arr_shape_text(tb, sizeof tb, b));
    arr_dtype t = arr_lin_wide(arr_promote(a->dtype, b->dtype));
    int64_t m = a->shape[0], k = a->shape[1], q = b->ndim == 2 ? b->shape[1] : 0;
    out[0] = (op_spec){.dtype = t, .ndim = b->ndim, .shape = {k, q}};
    out[1] = (op_spec){.dtype = ARR_F64, .ndim = b->ndim - 1, .shape = {q}};
    out[2] = (op_spec){.dtype = ARR_F64};
    out[3] = (op_spec){.dtype = ARR_F64, .ndim = 1, .shape = {m < k ? m : k}};
done:
    return st;
}

/* |A x - b| column by column, from the given A, x and b: what is left, not what elimination says is left. */
static ph_status residual(arr *out, const arr *a, const arr *x, const arr *b, ph_err *err) {
    arr ax = ARR_NONE, d = ARR_NONE, norm = ARR_NONE;
    op_attrs down = {.has_axis = true};
    ph_status st;
    PH_TRY(op_call2(&ax, "matmul", a, x, err));
    PH_TRY(op_call2(&d, "sub", &ax, b, err));
    PH_TRY(op_apply(&norm, op_find("norm"), &d, 1, &down, err));
    st = arr_assign(out, &norm, err);
done:
    arr_drop(&ax);
    arr_drop(&d);
    arr_drop(&norm);
    return st;
}

/* b as the right-hand side LAPACK solves in place: max(m, n) rows. */
static ph_status load_right(lin_stack *w, const arr *b, int64_t rows, arr_dtype t, const op_attrs *attrs,
                            ph_err *err) {
    lin_stack own = LIN_NONE;
    size_t item = arr_itemsize(t);
    ph_status st;
    PH_TRY(arr_lin_load(&own, b, t, "b", attrs, err));
    PH_TRY(arr_lin_new(w, t, b, rows, own.n, err));
    memset(w->data.data, 0, (size_t)arr_size(&w->data) * item);
    for (int64_t j = 0; j < own.n; j++)
        memcpy(w->data.data + (size_t)(j * rows) * item, own.data.data + (size_t)(j * own.m) * item,
               (size_t)own.m * item);
done:
    arr_lin_drop(&own);
    return st;
}

/* A vector (n) as the column (n, 1), borrowed. */
static arr column(const arr *x) {
    arr c = *x;
    if (c.ndim == 1) {
        c.ndim = 2;
        c.shape[1] = c.stride[1] = 1;
    }
    return c;
}

LIN_FORWARD(lstsq_forward) {
    LIN_UNUSED;
    arr_dtype t = out[0].dtype;
    arr b = column(&in[1]), x = column(&out[0]);
    int64_t m = in[0].shape[0], n = in[0].shape[1];
    int info = 0, rank = 0;
    lin_stack a = LIN_NONE, w = LIN_NONE;
    ph_status st;
    PH_TRY(arr_lin_load(&a, &in[0], t, "A", attrs, err));
    PH_TRY(load_right(&w, &b, m > n ? m : n, t, attrs, err));
    if (m > 0 && n > 0)
        PH_TRY(arr_lap_lstsq(&info, &rank, t, m, n, w.n, a.data.data, w.data.data, (double *)out[3].data,
                             arr_lin_tolerance(&in[0], attrs), err));
    else memset(w.data.data, 0, (size_t)arr_size(&w.data) * arr_itemsize(t));
    if (info > 0) PH_TRY(ph_fail(err, PH_EUNABLE, "the singular values of A did not converge"));
    PH_TRY(arr_lin_store(&x, &w, err));
    *(double *)out[2].data = rank;
    st = residual(&out[1], &in[0], &out[0], &in[1], err);
done:
    arr_lin_drop(&a);
    arr_lin_drop(&w);
    return st;
}

const op arr_lstsq_ops[] = {
    LIN_ROW("lstsq", OP_SIG_OTHER, 2, 2, 4, OP_SMOOTH, lstsq_shape, lstsq_forward),
};
const int arr_lstsq_nops = sizeof arr_lstsq_ops / sizeof arr_lstsq_ops[0];
