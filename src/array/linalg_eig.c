/* linalg_eig.c: rows on eigenvalues, A v = w v: eigh, eig.
 *
 * All work and result in f64 (or c128; eig always in c128). Vectors are columns of norm 1, with the phase of
 * arr_lin_phase. eigh sorts its values ascending; eig by real part, then by imaginary part, ascending.
 */
#include "array/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ph_status fail_converge(const lin_stack *w, int64_t b, ph_err *err) {
    char which[60];
    return ph_fail(err, PH_EUNABLE, "the eigenvalues of A did not converge%s",
                   arr_lin_which(which, sizeof which, w, b));
}

/* values (..., n), vectors (..., n, n) */
static ph_status eig_specs(op_spec *out, const arr *in, arr_dtype values, arr_dtype vectors, ph_err *err) {
    ph_status st = arr_lin_check_matrix(in, "A", true, true, err);
    if (st != PH_OK) return st;
    for (int k = 0; k < 2; k++) {
        out[k] = (op_spec){.dtype = k ? vectors : values, .ndim = in->ndim - 1 + k};
        memcpy(out[k].shape, in->shape, sizeof out[k].shape);
    }
    return PH_OK;
}

static void fix_phases(const lin_stack *v, int64_t b) {
    char *x = arr_lin_at(v, b);
    arr_dtype t = v->data.dtype;
    for (int64_t j = 0; j < v->n; j++, x += (size_t)v->m * arr_itemsize(t))
        arr_lin_scale(t, x, v->m, 1, arr_lin_phase(t, x, v->m));
}

/* ---- eigh ---------------------------------------------------------------------------------------------- */

LIN_SHAPE(eigh_shape) {
    LIN_UNUSED;
    ph_status st = eig_specs(out, in, ARR_F64, arr_lin_wide(in->dtype), err);
    return st == PH_OK ? arr_lap_eigh_fits(in->shape[in->ndim - 1], err) : st;
}

LIN_FORWARD(eigh_forward) {
    LIN_UNUSED;
    arr_dtype t = out[1].dtype;
    lin_stack a = LIN_NONE;
    int info;
    ph_status st;
    if (arr_size(&out[1]) == 0) return PH_OK;
    PH_TRY(arr_lin_load(&a, in, t, "A", attrs, err));
    PH_TRY(arr_lin_symmetrize(&a, arr_lin_eps(in->dtype), attrs, err));
    for (int64_t b = 0; b < a.count; b++) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        PH_TRY(arr_lap_eigh(&info, t, a.n, arr_lin_at(&a, b), (double *)out[0].data + b * a.n, err));
        if (info > 0) PH_TRY(fail_converge(&a, b, err));
        fix_phases(&a, b);
    }
    PH_TRY(arr_lin_finish(&out[0], err));
    st = arr_lin_store(&out[1], &a, err);
done:
    arr_lin_drop(&a);
    return st;
}

/* ---- eig ----------------------------------------------------------------------------------------------- */

LIN_SHAPE(eig_shape) {
    LIN_UNUSED;
    return eig_specs(out, in, ARR_C128, ARR_C128, err);
}

typedef struct {
    arr_c128 value;
    int64_t at; /* among the unsorted */
} ranked;

static int by_value(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->value.re != b->value.re) return a->value.re < b->value.re ? -1 : 1;
    if (a->value.im != b->value.im) return a->value.im < b->value.im ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Values and column-major vectors of one matrix, put in order. */
static void put_in_order(arr_c128 *values, arr_c128 *sorted, const arr_c128 *unsorted, ranked *order,
                         int64_t n) {
    for (int64_t j = 0; j < n; j++) order[j] = (ranked){values[j], j};
    qsort(order, (size_t)n, sizeof *order, by_value);
    for (int64_t j = 0; j < n; j++) {
        values[j] = order[j].value;
        memcpy(sorted + j * n, unsorted + order[j].at * n, (size_t)n * sizeof *sorted);
    }
}

LIN_FORWARD(eig_forward) {
    LIN_UNUSED;
    arr_dtype t = arr_lin_wide(in->dtype);
    lin_stack a = LIN_NONE, v = LIN_NONE;
    arr loose = ARR_NONE;
    ranked *order = NULL;
    int info;
    ph_status st;
    if (arr_size(&out[1]) == 0) return PH_OK;
    PH_TRY(arr_lin_load(&a, in, t, "A", attrs, err));
    PH_TRY(arr_lin_new(&v, ARR_C128, in, a.n, a.n, err));
    PH_TRY(arr_new(&loose, ARR_C128, 2, (int64_t[]){a.n, a.n}, err));
    size_t bytes = (size_t)a.n * sizeof *order; /* fits: a row of `loose` is half of it */
    if (!(order = ph_alloc(bytes))) PH_TRY(ph_fail_nomem(err, bytes));
    for (int64_t b = 0; b < a.count; b++) {
        arr_c128 *values = (arr_c128 *)out[0].data + b * a.n;
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        PH_TRY(arr_lap_eig(&info, t, a.n, arr_lin_at(&a, b), values, (arr_c128 *)loose.data, err));
        if (info > 0) PH_TRY(fail_converge(&a, b, err));
        put_in_order(values, arr_lin_at(&v, b), (arr_c128 *)loose.data, order, a.n);
        fix_phases(&v, b);
    }
    PH_TRY(arr_lin_finish(&out[0], err));
    st = arr_lin_store(&out[1], &v, err);
done:
    arr_lin_drop(&a);
    arr_lin_drop(&v);
    arr_drop(&loose);
    ph_free(order);
    return st;
}

/* ---- expm: scaling and squaring (Higham 2005, The Scaling and Squaring Method for the Matrix Exponential
 * Revisited) ----- */

const op arr_eig_ops[] = {
    LIN_ROW("eigh", OP_SIG_X, 1, 1, 2, OP_SMOOTH, eigh_shape, eigh_forward),
    LIN_ROW("eig", OP_SIG_X, 1, 1, 2, OP_SMOOTH, eig_shape, eig_forward),
};
const int arr_eig_nops = sizeof arr_eig_ops / sizeof arr_eig_ops[0];
