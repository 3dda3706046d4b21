/* row.h: what the files write their rows with. Private to array/. Include last. */
#ifndef PH_ARRAY_ROW_H
#define PH_ARRAY_ROW_H

#include <string.h>

#include "array/op.h"

#define SHAPE(NAME)                                                                                          \
    static ph_status NAME##_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs, \
                                  ph_err *err)
#define FORWARD(NAME)                                                                                        \
    static ph_status NAME(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs, ph_err *err)
#define UNUSED (void)self, (void)in, (void)n, (void)attrs, (void)err

static inline void same_spec(op_spec *out, const arr *x) {
    out->dtype = x->dtype;
    out->ndim = x->ndim;
    memcpy(out->shape, x->shape, sizeof out->shape);
}

#endif
