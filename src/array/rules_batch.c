/* rules_batch.c: how an operation takes operands with a batch in front. */
#include "array/rule.h"

#include <string.h>

op_val *op_pad_batch(op_ctx *c, op_val *x, const op_spec *member, int64_t size, int ndim) {
    int64_t shape[ARR_MAXDIM + 1] = {size};
    int pad = ndim - member->ndim;
    if (1 + ndim > ARR_MAXDIM) {
        (void)op_fail(c, PH_EUNABLE, "a batch of derivatives would need %d dimensions; there are at most %d",
                      1 + ndim, ARR_MAXDIM);
        return NULL;
    }
    for (int i = 0; i < ndim; i++) shape[1 + i] = i < pad ? 1 : member->shape[i - pad];
    return op_to_shape(c, x, 1 + ndim, shape);
}

/* One number for each member beside arrays must not widen their type, as one number would not. */
static op_val *narrowed(op_ctx *c, op_val *raw, const op_use *u, int i) {
    arr_dtype t = ARR_BOOL;
    if (u->sx[i].ndim > 0 || u->sx[i].dtype != ARR_F64) return raw;
    for (int k = 0; k < u->n; k++)
        if (u->sx[k].ndim > 0) t = arr_promote(t, u->sx[k].dtype);
    if (t != ARR_F32) return raw;
    op_attrs attrs = {.word = arr_dtype_name(t)};
    return op_do(c, "astype", &attrs, 1, &raw);
}

/* An operand that is the same for all members stretches over them as it is. */
void op_batch_elementwise(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    op_val *in[3];
    int ndim = 0;
    for (int i = 0; i < u->n; i++)
        if (u->sx[i].ndim > ndim) ndim = u->sx[i].ndim;
    for (int i = 0; i < u->n; i++)
        in[i] = batched[i] ? op_pad_batch(c, narrowed(c, u->x[i], u, i), &u->sx[i], size, ndim) : u->x[i];
    y[0] = op_do(c, u->row->name, u->attrs, u->n, in);
}

void op_batch_stack(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    (void)batched, (void)size;
    op_do_all(c, u->row->name, u->attrs, u->n, u->x, y);
}

/* Without an axis these rows take the last one, of a batch too. */
void op_batch_axis(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    (void)batched, (void)size;
    op_attrs attrs = *u->attrs;
    attrs.axis = attrs.has_axis ? (attrs.axis >= 0 ? attrs.axis + 1 : attrs.axis) : -1;
    attrs.has_axis = true;
    y[0] = op_do(c, u->row->name, &attrs, u->n, u->x);
}

void op_batch_fold(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    op_attrs attrs = *u->attrs;
    int64_t shape[ARR_MAXDIM] = {size, 1};
    op_val *x = u->x[0];
    if (attrs.has_axis) {
        op_batch_axis(c, u, batched, size, y);
        return;
    }
    for (int d = 0; d < u->sx[0].ndim; d++) shape[1] *= u->sx[0].shape[d];
    x = op_to_shape(c, x, 2, shape);
    attrs.has_axis = true;
    attrs.axis = 1;
    attrs.keep = false;
    y[0] = op_do(c, u->row->name, &attrs, 1, &x);
    for (int d = 1; d <= u->sx[0].ndim; d++) shape[d] = 1;
    if (u->attrs->keep) y[0] = op_to_shape(c, y[0], 1 + u->sx[0].ndim, shape);
}

/* Member b of a batch. */
static op_val *member(op_ctx *c, op_val *raw, int64_t b) {
    return op_do_ints(c, "slice", raw, 3, (int64_t[]){b, 1, -1});
}

void op_batch_each(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    size_t per = (size_t)u->n, n_out = (size_t)u->row->n_out;
    op_val **all = ph_calloc((size_t)size * n_out + per, sizeof *all), **in = NULL;
    op_attrs stack = {.has_axis = true};
    if (!all) {
        c->st = ph_fail_nomem(&c->err, (size_t)size * n_out * sizeof *all);
        return;
    }
    in = all + (size_t)size * n_out;
    for (int64_t b = 0; b < size && c->st == PH_OK; b++) {
        op_val *out[OP_MAXOUT] = {NULL};
        for (size_t i = 0; i < per; i++) in[i] = batched[i] ? member(c, u->x[i], b) : u->x[i];
        op_do_all(c, u->row->name, u->attrs, u->n, in, out);
        for (size_t k = 0; k < n_out; k++) all[k * (size_t)size + (size_t)b] = out[k];
    }
    for (size_t k = 0; k < n_out && c->st == PH_OK; k++)
        y[k] = op_do(c, "stack", &stack, (int)size, all + k * (size_t)size);
    ph_free(all);
}
