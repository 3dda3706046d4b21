/* shape.c: rows that only rearrange: reshape, permute, transpose, slice, broadcast_to, squeeze, expand, flip.
 * They are views where strides allow.
 */
#include "array/loop.h"
#include "array/op.h"

static ph_status no_shape(op_spec *out, const op *self, const arr *in, int n, const op_par *par,
                          ph_err *err) {
    (void)out, (void)self, (void)in, (void)n, (void)par, (void)err; /* a view row makes its own output */
    return PH_OK;
}

#define FORWARD(NAME)                                                                                        \
    static ph_status NAME(arr *out, const op *self, const arr *in, int n, const op_par *par, ph_err *err)
#define UNUSED (void)self, (void)n, (void)par, (void)err

FORWARD(reshape) {
    UNUSED;
    return arr_reshape(out, in, par->nints, par->ints, err);
}

FORWARD(broadcast_to) {
    UNUSED;
    return arr_broadcast_to(out, in, par->nints, par->ints, err);
}

FORWARD(permute) {
    UNUSED;
    int perm[ARR_MAXDIM];
    if (par->nints != in->ndim)
        return ph_fail(err, PH_EARG, "permute: %d axes given; the array has %d dimensions", par->nints,
                       in->ndim);
    for (int i = 0; i < par->nints; i++) {
        if (par->ints[i] < -in->ndim || par->ints[i] >= in->ndim)
            return ph_fail(err, PH_EARG, "permute: axis is %lld; the array has %d dimensions",
                           (long long)(par->ints[i] + (par->ints[i] >= 0 ? par->base : 0)), in->ndim);
        perm[i] = (int)(par->ints[i] + (par->ints[i] < 0 ? in->ndim : 0));
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

#define VIEW(NAME, SIG, FN)                                                                                  \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = 1, .n_out = 1, .sig = SIG, .flags = OP_VIEW | OP_SMOOTH,        \
        .shape = no_shape, .forward = FN                                                                     \
    }

const op arr_shape_ops[] = {
    VIEW("reshape", OP_SIG_OTHER, reshape),
    VIEW("permute", OP_SIG_OTHER, permute),
    VIEW("transpose", OP_SIG_X, transpose),
    VIEW("broadcast_to", OP_SIG_OTHER, broadcast_to),
};
const int arr_shape_nops = sizeof arr_shape_ops / sizeof arr_shape_ops[0];
