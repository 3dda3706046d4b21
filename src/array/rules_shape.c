/* rules_shape.c: derivatives of rows that rearrange (shape.c) or copy to new places (move.c). All are linear: dy is the
 * operation on dx, gx sends every element back to where it came from.
 */
#include "array/rule_forms.h"

#include <string.h>

#define SX (&u->sx[0])

/* dy = the same operation on dx: rows of one operand. */
static void linear_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    dy[0] = op_do(c, u->row->name, u->attrs, 1, dx);
}

/* ---- views --------------------------------------------------------------------------------------------- */

VJP(reshaped_vjp) { gx[0] = op_to_shape(c, g[0], SX->ndim, SX->shape); }
VJP(stretched_vjp) { gx[0] = op_fit(c, g[0], SX); }
VJP(transpose_vjp) {
    (void)u;
    gx[0] = op_swap(c, g[0]);
}
VJP(flip_vjp) { gx[0] = op_do(c, "flip", u->attrs, 1, g); }

VJP(permute_vjp) {
    int64_t back[ARR_MAXDIM];
    for (int d = 0; d < SX->ndim; d++)
        back[u->attrs->ints[d] < 0 ? u->attrs->ints[d] + SX->ndim : u->attrs->ints[d]] = d;
    gx[0] = op_do_ints(c, "permute", g[0], SX->ndim, back);
}

/* slice's triples for every dimension, then the sizes: what unslice takes. */
VJP(slice_vjp) {
    op_attrs attrs = {.nints = 4 * SX->ndim};
    memcpy(attrs.ints, u->attrs->ints, (size_t)u->attrs->nints * sizeof *attrs.ints);
    for (int d = u->attrs->nints / 3; d < SX->ndim; d++) {
        attrs.ints[3 * d] = 0;
        attrs.ints[3 * d + 1] = 1;
        attrs.ints[3 * d + 2] = SX->shape[d];
    }
    memcpy(attrs.ints + 3 * SX->ndim, SX->shape, (size_t)SX->ndim * sizeof *attrs.ints);
    gx[0] = op_do(c, "unslice", &attrs, 1, g);
}
VJP(unslice_vjp) {
    op_attrs attrs = *u->attrs;
    attrs.nints = attrs.nints / 4 * 3;
    gx[0] = op_do(c, "slice", &attrs, 1, g);
}

BATCH(reshape_batch) {
    (void)batched;
    int64_t shape[ARR_MAXDIM + 1] = {size};
    if (u->attrs->nints >= ARR_MAXDIM) {
        op_fail(c, PH_EARG, "reshape: a batch of arrays with too many dimensions");
        return;
    }
    memcpy(shape + 1, u->attrs->ints, (size_t)u->attrs->nints * sizeof *shape);
    y[0] = op_do_ints(c, "reshape", u->x[0], u->attrs->nints + 1, shape);
}

/* Members get their leading ones first. */
BATCH(broadcast_batch) {
    (void)batched;
    int64_t shape[ARR_MAXDIM + 1] = {size};
    int n = u->attrs->nints, pad = n - SX->ndim;
    if (n >= ARR_MAXDIM || pad < 0) {
        op_fail(c, PH_EARG, "broadcast_to: a batch of arrays with too many dimensions");
        return;
    }
    for (int d = 0; d < n; d++) shape[1 + d] = d < pad ? 1 : SX->shape[d - pad];
    op_val *x = op_to_shape(c, u->x[0], n + 1, shape);
    memcpy(shape + 1, u->attrs->ints, (size_t)n * sizeof *shape);
    y[0] = op_do_ints(c, "broadcast_to", x, n + 1, shape);
}

BATCH(permute_batch) {
    (void)batched, (void)size;
    int64_t perm[ARR_MAXDIM + 1] = {0};
    for (int d = 0; d < SX->ndim; d++)
        perm[d + 1] = u->attrs->ints[d] < 0 ? u->attrs->ints[d] : u->attrs->ints[d] + 1;
    y[0] = op_do_ints(c, "permute", u->x[0], SX->ndim + 1, perm);
}

BATCH(slice_batch) {
    (void)batched;
    op_attrs attrs = {.nints = u->attrs->nints + 3, .ints = {0, 1, size}};
    if (attrs.nints > 3 * ARR_MAXDIM) {
        op_fail(c, PH_EARG, "slice: a batch of arrays with too many dimensions");
        return;
    }
    memcpy(attrs.ints + 3, u->attrs->ints, (size_t)u->attrs->nints * sizeof *attrs.ints);
    y[0] = op_do(c, "slice", &attrs, 1, u->x);
}

BATCH(unslice_batch) {
    (void)batched;
    int n = u->attrs->nints / 4;
    op_attrs attrs = {.nints = 4 * (n + 1), .ints = {0, 1, size}};
    if (n >= ARR_MAXDIM) {
        op_fail(c, PH_EARG, "unslice: a batch of arrays with too many dimensions");
        return;
    }
    memcpy(attrs.ints + 3, u->attrs->ints, (size_t)(3 * n) * sizeof *attrs.ints);
    attrs.ints[3 * (n + 1)] = size;
    memcpy(attrs.ints + 3 * (n + 1) + 1, u->attrs->ints + 3 * n, (size_t)n * sizeof *attrs.ints);
    y[0] = op_do(c, "unslice", &attrs, 1, u->x);
}

/* To the shape that one member gets. */
BATCH(squeeze_batch) {
    (void)batched;
    int64_t shape[ARR_MAXDIM] = {size};
    int n = 1, axis = op_axis_of(u->attrs, SX->ndim, 0);
    for (int d = 0; d < SX->ndim; d++)
        if (u->attrs->has_axis ? d != axis : SX->shape[d] != 1) shape[n++] = SX->shape[d];
    y[0] = op_to_shape(c, u->x[0], n, shape);
}

BATCH(unsqueeze_batch) {
    (void)batched, (void)size;
    op_attrs attrs = *u->attrs;
    attrs.axis = op_axis_of(&attrs, SX->ndim + 1, 0) + 1;
    attrs.has_axis = true;
    y[0] = op_do(c, "unsqueeze", &attrs, 1, u->x);
}

BATCH(flip_batch) {
    (void)batched, (void)size;
    int axis = op_axis_of(u->attrs, SX->ndim, 0);
    y[0] = u->x[0];
    for (int d = 0; d < SX->ndim; d++)
        if (!u->attrs->has_axis || d == axis) y[0] = op_do_axis(c, "flip", y[0], d + 1, false);
}

/* ---- copies -------------------------------------------------------------------------------------------- */

static int first_axis(const op_use *u, int ndim) { return op_axis_of(u->attrs, ndim, 0); }

/* g cut into the pieces that were joined; stack drops the axis again. */
static void pieces(op_ctx *c, const op_use *u, op_val *g, op_val **gx, int axis, bool drop) {
    int64_t at = 0;
    for (int i = 0; i < u->n; i++) {
        op_attrs attrs = {.nints = 3 * (axis + 1)};
        int64_t size = drop ? 1 : u->sx[i].shape[axis];
        for (int d = 0; d < axis; d++) {
            attrs.ints[3 * d + 1] = 1;
            attrs.ints[3 * d + 2] = SX->shape[d];
        }
        attrs.ints[3 * axis] = size > 0 ? at : 0;
        attrs.ints[3 * axis + 1] = 1;
        attrs.ints[3 * axis + 2] = drop ? -1 : size;
        if (u->wants[i]) gx[i] = op_do(c, "slice", &attrs, 1, &g);
        at += size;
    }
}
VJP(concat_vjp) { pieces(c, u, g[0], gx, first_axis(u, SX->ndim), false); }
VJP(stack_vjp) { pieces(c, u, g[0], gx, first_axis(u, SX->ndim + 1), true); }

/* Every operand that stands still counts with zeros. */
static void join_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    op_val **in = ph_alloc((size_t)u->n * sizeof *in);
    if (!in) {
        c->st = ph_fail_nomem(&c->err, (size_t)u->n * sizeof *in);
        return;
    }
    for (int i = 0; i < u->n; i++) in[i] = dx[i] ? dx[i] : op_filled(c, &u->sx[i], 0);
    dy[0] = op_do(c, u->row->name, u->attrs, u->n, in);
    ph_free(in);
}

static void join_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    op_val **in = ph_alloc((size_t)u->n * sizeof *in);
    op_attrs attrs = *u->attrs;
    bool stacks = strcmp(u->row->name, "stack") == 0;
    if (!in) {
        c->st = ph_fail_nomem(&c->err, (size_t)u->n * sizeof *in);
        return;
    }
    attrs.axis = first_axis(u, SX->ndim + stacks) + 1;
    attrs.has_axis = true;
    for (int i = 0; i < u->n && c->st == PH_OK; i++) {
        op_spec s = u->sx[i];
        if (s.ndim == ARR_MAXDIM) {
            op_fail(c, PH_EARG, "%s: a batch of arrays with too many dimensions", u->row->name);
            break;
        }
        memmove(s.shape + 1, s.shape, (ARR_MAXDIM - 1) * sizeof *s.shape);
        s.shape[0] = size;
        s.ndim++;
        in[i] = batched[i] ? u->x[i] : op_spread(c, u->x[i], &s);
    }
    if (c->st == PH_OK) y[0] = op_do(c, u->row->name, &attrs, u->n, in);
    ph_free(in);
}

/* take along an axis of `size`; put adds every row of g to the place it was taken from. */
static op_val *put(op_ctx *c, const op_use *u, op_val *g, int axis, int64_t size) {
    op_attrs attrs = {.has_axis = true, .axis = axis, .nints = 1, .ints = {size}, .base = u->attrs->base};
    return op_do(c, "put", &attrs, 2, (op_val *[]){g, u->x[1]});
}
static op_val *taken(op_ctx *c, const op_use *u, op_val *x, int axis) {
    op_attrs attrs = {.has_axis = true, .axis = axis, .base = u->attrs->base};
    return op_do(c, "take", &attrs, 2, (op_val *[]){x, u->x[1]});
}
VJP(take_vjp) {
    int axis = first_axis(u, SX->ndim);
    if (u->wants[0]) gx[0] = put(c, u, g[0], axis, SX->shape[axis]);
    if (u->wants[1]) op_fail(c, PH_EARG, "take: the index is traced; whole numbers have no derivative");
}
static void take_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    if (dx[1]) op_fail(c, PH_EARG, "take: the index is traced; whole numbers have no derivative");
    dy[0] = taken(c, u, dx[0], first_axis(u, SX->ndim));
}
VJP(put_vjp) { gx[0] = taken(c, u, g[0], u->attrs->axis); }
static void put_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    dy[0] = put(c, u, dx[0], u->attrs->axis, u->attrs->ints[0]);
}
BATCH(take_batch) {
    if (batched[1]) {
        op_batch_each(c, u, batched, size, y);
        return;
    }
    op_attrs attrs = *u->attrs;
    attrs.axis = first_axis(u, SX->ndim) + 1;
    attrs.has_axis = true;
    y[0] = op_do(c, u->row->name, &attrs, 2, u->x);
}

/* The k-th diagonal of (m, n), put back among zeros: diag gives a square, cut or extended to (m, n). */
VJP(diag_vjp) {
    op_val *v = op_do(c, "diag", u->attrs, 1, g);
    if (SX->ndim == 1 || !v || c->st != PH_OK) {
        gx[0] = v;
        return;
    }
    op_spec s = *op_spec_of(c, v);
    op_attrs cut = {.nints = 6}, attrs = {.nints = 8};
    for (int d = 0; d < 2; d++) {
        int64_t common = s.shape[d] < SX->shape[d] ? s.shape[d] : SX->shape[d];
        memcpy(cut.ints + 3 * d, (int64_t[]){0, 1, common}, 3 * sizeof *cut.ints);
        memcpy(attrs.ints + 3 * d, (int64_t[]){0, 1, common}, 3 * sizeof *attrs.ints);
        attrs.ints[6 + d] = SX->shape[d];
    }
    v = op_do(c, "slice", &cut, 1, &v);
    gx[0] = op_do(c, "unslice", &attrs, 1, &v);
}

VJP(same_vjp) { gx[0] = op_do(c, u->row->name, u->attrs, 1, g); }

/* Repetitions are summed, one dimension after another: (before, times, size and after). */
VJP(tile_vjp) {
    op_val *v = g[0];
    if (!v || c->st != PH_OK) return;
    op_spec s = *op_spec_of(c, v);
    int lead = s.ndim - SX->ndim;
    for (int d = 0; d < s.ndim; d++) {
        int64_t size = d < lead ? 1 : SX->shape[d - lead], before = 1, after = size;
        int at = s.ndim - u->attrs->nints;
        int64_t times = d < at ? 1 : u->attrs->ints[d - at];
        if (times == 1) continue;
        for (int k = 0; k < d; k++) before *= s.shape[k];
        for (int k = d + 1; k < s.ndim; k++) after *= s.shape[k];
        v = op_to_shape(c, v, 3, (int64_t[]){before, times, after});
        v = op_do_axis(c, "sum", v, 1, false);
        s.shape[d] = size;
    }
    gx[0] = op_to_shape(c, v, SX->ndim, SX->shape);
}
BATCH(tile_batch) {
    (void)batched;
    int n = u->attrs->nints > SX->ndim ? u->attrs->nints : SX->ndim, pad = n - SX->ndim;
    int64_t shape[ARR_MAXDIM + 1] = {size}, times[ARR_MAXDIM + 1] = {1};
    if (n >= ARR_MAXDIM) {
        op_fail(c, PH_EARG, "tile: a batch of arrays with too many dimensions");
        return;
    }
    for (int d = 0; d < n; d++) {
        shape[1 + d] = d < pad ? 1 : SX->shape[d - pad];
        times[1 + d] = d < n - u->attrs->nints ? 1 : u->attrs->ints[d - (n - u->attrs->nints)];
    }
    y[0] = op_do_ints(c, "tile", op_to_shape(c, u->x[0], n + 1, shape), n + 1, times);
}

VJP(roll_vjp) {
    op_attrs attrs = *u->attrs;
    attrs.ints[0] = -attrs.ints[0];
    gx[0] = op_do(c, "roll", &attrs, 1, g);
}

/* ---- rules --------------------------------------------------------------------------------------------- */

#define LINEAR(NAME, V, BATCH_FN)                                                                            \
    {                                                                                                        \
        .name = NAME, .vjp = V, .jvp = linear_jvp, .batch = BATCH_FN, .drop = OP_DROP_X | OP_DROP_Y,         \
        .moves = true                                                                                        \
    }
const op_rule arr_shape_rules[] = {
    LINEAR("reshape", reshaped_vjp, reshape_batch),
    LINEAR("permute", permute_vjp, permute_batch),
    LINEAR("transpose", transpose_vjp, op_batch_stack),
    LINEAR("broadcast_to", stretched_vjp, broadcast_batch),
    LINEAR("slice", slice_vjp, slice_batch),
    LINEAR("unslice", unslice_vjp, unslice_batch),
    LINEAR("squeeze", reshaped_vjp, squeeze_batch),
    LINEAR("unsqueeze", reshaped_vjp, unsqueeze_batch),
    LINEAR("flip", flip_vjp, flip_batch),
};
const int arr_shape_nrules = sizeof arr_shape_rules / sizeof *arr_shape_rules;

const op_rule arr_move_rules[] = {
    {.name = "concat",
     .vjp = concat_vjp,
     .jvp = join_jvp,
     .batch = join_batch,
     .drop = OP_DROP_X | OP_DROP_Y,
     .moves = true},
    {.name = "stack",
     .vjp = stack_vjp,
     .jvp = join_jvp,
     .batch = join_batch,
     .drop = OP_DROP_X | OP_DROP_Y,
     .moves = true},
    {.name = "take",
     .vjp = take_vjp,
     .jvp = take_jvp,
     .batch = take_batch,
     .drop = 1 | OP_DROP_Y,
     .moves = true},
    {.name = "put",
     .vjp = put_vjp,
     .jvp = put_jvp,
     .batch = take_batch,
     .drop = 1 | OP_DROP_Y,
     .moves = true},
    LINEAR("diag", diag_vjp, NULL),
    LINEAR("triu", same_vjp, op_batch_stack),
    LINEAR("tril", same_vjp, op_batch_stack),
    LINEAR("tile", tile_vjp, tile_batch),
    LINEAR("roll", roll_vjp, op_batch_axis),
};
const int arr_move_nrules = sizeof arr_move_rules / sizeof *arr_move_rules;
