/* shape.c: rows that only rearrange: reshape, permute, transpose, slice, broadcast_to, squeeze, unsqueeze, flip.
 * They are views where strides allow.
 */
#include "array/loop.h"
#include "array/op.h"

static ph_status no_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                          ph_err *err) {
    (void)out, (void)self, (void)in, (void)n, (void)attrs, (void)err; /* a view row makes its own output */
    return PH_OK;
}

#define FORWARD(NAME)                                                                                        \
    static ph_status NAME(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs, ph_err *err)
#define UNUSED (void)self, (void)n, (void)attrs, (void)err

FORWARD(reshape) {
    UNUSED;
    return arr_reshape(out, in, attrs->nints, attrs->ints, err);
}

FORWARD(broadcast_to) {
    UNUSED;
    return arr_broadcast_to(out, in, attrs->nints, attrs->ints, err);
}

FORWARD(permute) {
    UNUSED;
    int perm[ARR_MAXDIM];
    if (attrs->nints != in->ndim)
        return ph_fail(err, PH_EARG, "permute: %d axes given; the array has %d dimensions", attrs->nints,
                       in->ndim);
    for (int i = 0; i < attrs->nints; i++) {
        if (attrs->ints[i] < -in->ndim || attrs->ints[i] >= in->ndim)
            return ph_fail(err, PH_EARG, "permute: axis is %lld; the array has %d dimensions",
                           (long long)(attrs->ints[i] + (attrs->ints[i] >= 0 ? attrs->base : 0)), in->ndim);
        perm[i] = (int)(attrs->ints[i] + (attrs->ints[i] < 0 ? in->ndim : 0));
    }
    return arr_permute(out, in, perm, err);
}

/* Swaps the last two dimensions: a matrix, or each matrix of a stack. */
FORWARD(transpose) {
    UNUSED;
    int perm[ARR_MAXDIM];
    char text[200];
    if (in->ndim < 2)
        return ph_fail(err, PH_EARG,
                       "transpose: x has shape %s; wanted at least two dimensions (reshape a vector first)",
                       arr_shape_text(text, sizeof text, in));
    for (int i = 0; i < in->ndim; i++) perm[i] = i;
    perm[in->ndim - 1] = in->ndim - 2;
    perm[in->ndim - 2] = in->ndim - 1;
    return arr_permute(out, in, perm, err);
}

FORWARD(slice) {
    UNUSED;
    arr_range r[ARR_MAXDIM];
    int m = attrs->nints / 3;
    if (attrs->nints % 3 != 0 || m > in->ndim)
        return ph_fail(err, PH_EARG, "slice: %d indices into an array of %d dimensions", m, in->ndim);
    for (int i = 0; i < m; i++) {
        const int64_t *q = &attrs->ints[3 * i];
        bool drop = q[2] == -1;
        r[i] = (arr_range){q[0], q[1], drop ? 1 : q[2], drop};
    }
    return arr_slice(out, in, m, r, err);
}

/* Drops one axis of size 1, or all of them. */
FORWARD(squeeze) {
    UNUSED;
    char text[200];
    int axis = -1, m = 0;
    ph_status st =
        attrs->has_axis ? arr_axis(&axis, in->ndim, attrs->axis, attrs->base, self->name, err) : PH_OK;
    if (st != PH_OK) return st;
    if (axis >= 0 && in->shape[axis] != 1)
        return ph_fail(err, PH_EARG, "squeeze: axis %d of shape %s is not of size 1", axis + attrs->base,
                       arr_shape_text(text, sizeof text, in));
    arr v = *in;
    for (int i = 0; i < in->ndim; i++) {
        if (axis >= 0 ? i == axis : in->shape[i] == 1) continue;
        v.shape[m] = in->shape[i];
        v.stride[m++] = in->stride[i];
    }
    v.ndim = m;
    *out = arr_ref(&v);
    return PH_OK;
}

ph_status arr_unsqueeze(arr *out, const arr *a, int axis) {
    arr v = *a;
    v.ndim = a->ndim + 1;
    for (int i = a->ndim; i > axis; i--) {
        v.shape[i] = a->shape[i - 1];
        v.stride[i] = a->stride[i - 1];
    }
    v.shape[axis] = v.stride[axis] = 1;
    *out = arr_ref(&v);
    return PH_OK;
}

/* A new axis of size 1; its number is that in the result. */
FORWARD(unsqueeze) {
    UNUSED;
    int axis = 0;
    if (in->ndim == ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "unsqueeze: x has %d dimensions, the most there are", in->ndim);
    if (attrs->has_axis) {
        ph_status st = arr_axis(&axis, in->ndim + 1, attrs->axis, attrs->base, self->name, err);
        if (st != PH_OK) return st;
    }
    return arr_unsqueeze(out, in, axis);
}

FORWARD(flip) {
    UNUSED;
    int axis = -1;
    ph_status st =
        attrs->has_axis ? arr_axis(&axis, in->ndim, attrs->axis, attrs->base, self->name, err) : PH_OK;
    if (st != PH_OK) return st;
    arr_range r[ARR_MAXDIM];
    for (int i = 0; i < in->ndim; i++) {
        bool turn = axis < 0 || i == axis;
        r[i] = (arr_range){turn ? in->shape[i] - 1 : 0, turn ? -1 : 1, in->shape[i], false};
    }
    return arr_slice(out, in, in->ndim, r, err);
}

#define VIEW(NAME, SIG, FN)                                                                                  \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = 1, .n_out = 1, .sig = SIG, .flags = OP_VIEW | OP_SMOOTH,        \
        .shape = no_shape, .forward = FN                                                                     \
    }

const op arr_shape_ops[] = {
    VIEW("reshape", OP_SIG_OTHER, reshape),     VIEW("permute", OP_SIG_OTHER, permute),
    VIEW("transpose", OP_SIG_X, transpose),     VIEW("broadcast_to", OP_SIG_OTHER, broadcast_to),
    VIEW("slice", OP_SIG_OTHER, slice),         VIEW("squeeze", OP_SIG_OTHER, squeeze),
    VIEW("unsqueeze", OP_SIG_OTHER, unsqueeze), VIEW("flip", OP_SIG_OTHER, flip),
};
const int arr_shape_nops = sizeof arr_shape_ops / sizeof arr_shape_ops[0];
