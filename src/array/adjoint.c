/* adjoint.c: rows that derivative rules need beside the public ones: what a slice, a gather or a scan becomes when it
 * is transposed. Lua does not see them (no reader), but for astype.
 *
 *   astype(x)             word: the dtype
 *   unslice(g)            ints: slice's triples for every dimension of the result, then its shape: zeros, g in the slice
 *   put(g, index)         axis, ints: size of that axis in the result: zeros (A, size, B), += g (A, S..., B) where take(x,
 *                         index) reads; index counts from base
 *   take_along(x, index)  axis; index has x's shape: x_(..., index, ...)         put_along(g, index)  its transpose
 *   recur(a, b)           axis, ints: 1 for backwards: h_t = a_t h_(t-1) + b_t, or a_t h_(t+1) + b_t
 */
#include "array/row.h"

#include <math.h>
#include <string.h>

static void clear(arr *a) { memset(a->data, 0, (size_t)arr_size(a) * arr_itemsize(a->dtype)); }

static ph_status real_only(const op *self, const arr *x, ph_err *err) {
    if (x->dtype == ARR_F64 || x->dtype == ARR_F32) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: x is %s; wanted f64 or f32", self->name, arr_dtype_name(x->dtype));
}

/* ---- astype -------------------------------------------------------------------------------------------- */

SHAPE(astype) {
    arr_dtype t;
    (void)n;
    if (!attrs->word || !arr_dtype_parse(&t, attrs->word))
        return ph_fail(err, PH_EARG, "%s: no dtype", self->name);
    same_spec(out, in);
    out->dtype = t;
    return PH_OK;
}
FORWARD(astype) {
    (void)n;
    arr_dtype t;
    if (!arr_dtype_parse(&t, attrs->word)) return ph_fail(err, PH_EARG, "%s: no dtype", self->name);
    return arr_convert(out, in, t, err);
}

/* ---- unslice ------------------------------------------------------------------------------------------- */

static ph_status unslice_ranges(arr_range *r, int *ndim, const op *self, const op_attrs *attrs, ph_err *err) {
    *ndim = attrs->nints / 4;
    if (attrs->nints % 4 != 0 || *ndim > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "%s: wanted a triple and a size for each dimension", self->name);
    for (int d = 0; d < *ndim; d++) {
        const int64_t *q = attrs->ints + 3 * d;
        r[d] = (arr_range){q[0], q[1], q[2] == -1 ? 1 : q[2], q[2] == -1};
    }
    return PH_OK;
}
SHAPE(unslice) {
    (void)n;
    arr_range r[ARR_MAXDIM];
    ph_status st = unslice_ranges(r, &out->ndim, self, attrs, err);
    if (st != PH_OK) return st;
    out->dtype = in->dtype;
    memcpy(out->shape, attrs->ints + 3 * out->ndim, (size_t)out->ndim * sizeof *out->shape);
    return PH_OK;
}
FORWARD(unslice) {
    (void)n;
    arr_range r[ARR_MAXDIM];
    arr part = ARR_NONE;
    int ndim;
    ph_status st;
    PH_TRY(unslice_ranges(r, &ndim, self, attrs, err));
    clear(out);
    PH_TRY(arr_slice(&part, out, ndim, r, err));
    st = arr_same_shape(&part, in) ? arr_assign(&part, in, err)
                                   : ph_fail(err, PH_EARG, "%s: g has not the slice's shape", self->name);
done:
    arr_drop(&part);
    return st;
}

/* ---- put ----------------------------------------------------------------------------------------------- */

SHAPE(put) {
    (void)n;
    int m = in[1].ndim, axis = attrs->axis;
    ph_status st = real_only(self, in, err);
    if (st != PH_OK) return st;
    if (attrs->nints != 1 || axis < 0 || axis + m > in[0].ndim || in[0].ndim - m + 1 > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "%s: g does not fit the index", self->name);
    out->dtype = in[0].dtype;
    for (int d = 0; d < axis; d++) out->shape[out->ndim++] = in[0].shape[d];
    out->shape[out->ndim++] = attrs->ints[0];
    for (int d = axis + m; d < in[0].ndim; d++) out->shape[out->ndim++] = in[0].shape[d];
    return PH_OK;
}
static void add_run(arr_dtype t, char *to, const char *from, int64_t n) {
    if (t == ARR_F32)
        for (int64_t i = 0; i < n; i++) ((float *)to)[i] += ((const float *)from)[i];
    else
        for (int64_t i = 0; i < n; i++) ((double *)to)[i] += ((const double *)from)[i];
}
FORWARD(put) {
    (void)n;
    arr g = ARR_NONE, index = ARR_NONE;
    ph_status st;
    PH_TRY(arr_contiguous(&g, &in[0], out->dtype, err));
    PH_TRY(arr_contiguous(&index, &in[1], ARR_F64, err));
    int64_t size = attrs->ints[0], count = arr_size(&index), outer = 1, inner = 1;
    for (int d = 0; d < attrs->axis; d++) outer *= out->shape[d];
    for (int d = attrs->axis + 1; d < out->ndim; d++) inner *= out->shape[d];
    size_t run = (size_t)inner * arr_itemsize(out->dtype);
    const double *at = (const double *)index.data;
    clear(out);
    for (int64_t a = 0; a < outer; a++)
        for (int64_t k = 0; k < count && !ph_interrupted(); k++) {
            int64_t i = at[k] < 0 ? (int64_t)at[k] + size : (int64_t)at[k] - attrs->base;
            if (i < 0 || i >= size) {
                st = ph_fail(err, PH_EARG, "%s: index %g is out of range", self->name, at[k]);
                goto done;
            }
            add_run(out->dtype, out->data + (size_t)(a * size + i) * run,
                    g.data + (size_t)(a * count + k) * run, inner);
        }
    if (ph_interrupted()) st = ph_fail_interrupted(err);
done:
    arr_drop(&g);
    arr_drop(&index);
    return st;
}

/* ---- along an axis, line by line ----------------------------------------------------------------------- */

SHAPE(along) {
    (void)n;
    int axis;
    ph_status st = real_only(self, in, err);
    if (st != PH_OK) return st;
    if (!arr_same_shape(&in[0], &in[1]))
        return ph_fail(err, PH_EARG, "%s: the operands differ in shape", self->name);
    same_spec(out, in);
    out->dtype = arr_common(in, strcmp(self->name, "recur") == 0 ? 2 : 1);
    return arr_axis(&axis, in->ndim, attrs->has_axis ? attrs->axis : -1, attrs->base, self->name, err);
}

/* n elements at distance `step`. */
typedef struct {
    int64_t n, step;
    bool backwards;
} line;
typedef ph_status line_fn(const line *l, void *y, const void *x, const void *z, const op *self, ph_err *err);

#define TAKE_LINE(NAME, T, STORE)                                                                            \
    static ph_status NAME(const line *l, void *y_, const void *x_, const void *z, const op *self,            \
                          ph_err *err) {                                                                     \
        T *y = y_;                                                                                           \
        const T *x = x_;                                                                                     \
        const double *at = z;                                                                                \
        for (int64_t i = 0; i < l->n; i++) {                                                                 \
            int64_t k = (int64_t)at[i * l->step];                                                            \
            if (k < 0 || k >= l->n)                                                                          \
                return ph_fail(err, PH_EARG, "%s: an index is out of range", self->name);                    \
            STORE;                                                                                           \
        }                                                                                                    \
        return PH_OK;                                                                                        \
    }
TAKE_LINE(take_f32, float, y[i * l->step] = x[k * l->step])
TAKE_LINE(take_f64, double, y[i * l->step] = x[k * l->step])
TAKE_LINE(put_f32, float, y[k * l->step] += x[i * l->step])
TAKE_LINE(put_f64, double, y[k * l->step] += x[i * l->step])

#define RECUR_LINE(NAME, T)                                                                                  \
    static ph_status NAME(const line *l, void *y_, const void *x, const void *z, const op *self,             \
                          ph_err *err) {                                                                     \
        T *y = y_;                                                                                           \
        const T *a = x, *b = z;                                                                              \
        int64_t s = l->backwards ? -l->step : l->step, at = l->backwards ? (l->n - 1) * l->step : 0;         \
        (void)self, (void)err;                                                                               \
        if (l->n == 0) return PH_OK;                                                                         \
        y[at] = b[at];                                                                                       \
        for (int64_t i = 1; i < l->n; i++) {                                                                 \
            T before = y[at];                                                                                \
            at += s;                                                                                         \
            y[at] = a[at] * before + b[at];                                                                  \
        }                                                                                                    \
        return PH_OK;                                                                                        \
    }
RECUR_LINE(recur_f32, float)
RECUR_LINE(recur_f64, double)

static ph_status run_lines(arr *out, const op *self, const arr *in, const op_attrs *attrs, arr_dtype second,
                           line_fn *fn, ph_err *err) {
    arr x = ARR_NONE, z = ARR_NONE;
    int axis;
    ph_status st;
    PH_TRY(arr_axis(&axis, in->ndim, attrs->has_axis ? attrs->axis : -1, attrs->base, self->name, err));
    PH_TRY(arr_contiguous(&x, &in[0], out->dtype, err));
    PH_TRY(arr_contiguous(&z, &in[1], second, err));
    clear(out);
    line l = {.n = out->shape[axis], .step = 1, .backwards = attrs->nints > 0 && attrs->ints[0]};
    for (int d = axis + 1; d < out->ndim; d++) l.step *= out->shape[d];
    int64_t outer = 1, size = (int64_t)arr_itemsize(out->dtype), other = (int64_t)arr_itemsize(second);
    for (int d = 0; d < axis; d++) outer *= out->shape[d];
    for (int64_t a = 0; a < outer && !ph_interrupted(); a++)
        for (int64_t k = 0; k < l.step; k++) {
            int64_t at = a * l.n * l.step + k;
            PH_TRY(fn(&l, out->data + at * size, x.data + at * size, z.data + at * other, self, err));
        }
    if (ph_interrupted()) st = ph_fail_interrupted(err);
done:
    arr_drop(&x);
    arr_drop(&z);
    return st;
}
FORWARD(take_along) {
    (void)n;
    return run_lines(out, self, in, attrs, ARR_F64, out->dtype == ARR_F32 ? take_f32 : take_f64, err);
}
FORWARD(put_along) {
    (void)n;
    return run_lines(out, self, in, attrs, ARR_F64, out->dtype == ARR_F32 ? put_f32 : put_f64, err);
}
FORWARD(recur) {
    (void)n;
    return run_lines(out, self, in, attrs, out->dtype, out->dtype == ARR_F32 ? recur_f32 : recur_f64, err);
}

#define ROW(NAME, N, FLAGS, SHAPE_FN, FN)                                                                    \
    {                                                                                                        \
        .name = NAME, .min_in = N, .max_in = N, .n_out = 1, .sig = OP_SIG_OTHER, .flags = FLAGS | OP_SMOOTH, \
        .shape = SHAPE_FN, .forward = FN                                                                     \
    }
const op arr_adjoint_ops[] = {
    ROW("astype", 1, OP_VIEW, astype_shape, astype),
    ROW("unslice", 1, OP_INNER, unslice_shape, unslice),
    ROW("put", 2, OP_INNER, put_shape, put),
    ROW("take_along", 2, OP_INNER, along_shape, take_along),
    ROW("put_along", 2, OP_INNER, along_shape, put_along),
    ROW("recur", 2, OP_INNER, along_shape, recur),
};
const int arr_adjoint_nops = sizeof arr_adjoint_ops / sizeof arr_adjoint_ops[0];
