/* rules_reduce.c: derivatives of folds (folds.c) and scans (scan.c).
 *
 * Kinks: the extremes share g equally among all that attain them; the norm has 0 at 0. Where the spread is 0, std has no
 * derivative: 0/0, NaN.
 */
#include "array/rule_forms.h"

#include <math.h>
#include <string.h>

#define X  u->x[0]
#define SX (&u->sx[0])

/* ---- folds --------------------------------------------------------------------------------------------- */

/* A result brought to x's dimensions, the folded ones of size 1. */
static op_val *kept(op_ctx *c, const op_use *u, op_val *v) {
    int64_t shape[ARR_MAXDIM];
    int axis = op_axis_of(u->attrs, SX->ndim, 0);
    for (int d = 0; d < SX->ndim; d++) shape[d] = u->attrs->has_axis && d != axis ? SX->shape[d] : 1;
    return op_to_shape(c, v, SX->ndim, shape);
}

/* How many elements a result folds. */
static double folded(const op_use *u) {
    double n = 1;
    int axis = op_axis_of(u->attrs, SX->ndim, 0);
    for (int d = 0; d < SX->ndim; d++)
        if (!u->attrs->has_axis || d == axis) n *= (double)SX->shape[d];
    return n;
}

/* A fold of x by another name, along the same axis. */
static op_val *fold(op_ctx *c, const op_use *u, const char *name, op_val *x) {
    op_attrs attrs = {.has_axis = u->attrs->has_axis, .axis = u->attrs->axis, .keep = u->attrs->keep};
    return op_do(c, name, &attrs, 1, &x);
}

VJP(sum_vjp) { gx[0] = op_spread(c, kept(c, u, g[0]), SX); }
JVP(sum_jvp) { dy[0] = fold(c, u, "sum", dx[0]); }

VJP(mean_vjp) { gx[0] = op_spread(c, kept(c, u, op_times(c, g[0], 1 / folded(u))), SX); }
JVP(mean_jvp) { dy[0] = fold(c, u, "mean", dx[0]); }

static op_val *centred(op_ctx *c, const op_use *u) {
    return op_do2(c, "sub", X, kept(c, u, fold(c, u, "mean", X)));
}
/* var: 2 (x - mean)/(n - ddof);  std: (x - mean)/((n - ddof) y) */
VJP(var_vjp) {
    double f = 2 / (folded(u) - u->attrs->num);
    gx[0] = op_do2(c, "mul", kept(c, u, op_times(c, g[0], f)), centred(c, u));
}
JVP(var_jvp) {
    double f = 2 / (folded(u) - u->attrs->num);
    dy[0] = op_times(c, fold(c, u, "sum", op_do2(c, "mul", dx[0], centred(c, u))), f);
}
VJP(std_vjp) {
    double f = 1 / (folded(u) - u->attrs->num);
    op_val *scaled = kept(c, u, op_do2(c, "div", op_times(c, g[0], f), u->y[0]));
    gx[0] = op_do2(c, "mul", scaled, centred(c, u));
}

/* x divided by its norm; 0 where the norm is 0, and so are its own derivatives: x/1 would have 1. */
static op_val *direction(op_ctx *c, const op_use *u) {
    op_val *y = u->y[0], *none = op_num(c, 0), *zero = op_do2(c, "eq", y, none);
    op_val *unit = op_do2(c, "div", X, kept(c, u, op_do3(c, "where", zero, op_num(c, 1), y)));
    return op_do3(c, "where", kept(c, u, zero), none, unit);
}

/* Which elements attain y, each with its share: 1 / how many do. */
static op_val *attaining(op_ctx *c, const op_use *u, op_val *x) {
    op_val *at = op_do2(c, "eq", op_stop_gradient(c, x), kept(c, u, op_stop_gradient(c, u->y[0])));
    op_val *one = op_do3(c, "where", at, op_filled(c, SX, 1), op_num(c, 0));
    return op_do2(c, "div", one, kept(c, u, fold(c, u, "sum", one)));
}

static op_val *norm_slope(op_ctx *c, const op_use *u) {
    double order = u->attrs->num;
    if (order == 1) return op_do1(c, "sign", op_stop_gradient(c, X));
    if (!isinf(order)) return direction(c, u);
    op_val *share = attaining(c, u, op_do1(c, "abs", X));
    return op_do2(c, "mul", share, op_do1(c, "sign", op_stop_gradient(c, X)));
}
VJP(norm_vjp) { gx[0] = op_do2(c, "mul", kept(c, u, g[0]), norm_slope(c, u)); }
JVP(norm_jvp) { dy[0] = fold(c, u, "sum", op_do2(c, "mul", dx[0], norm_slope(c, u))); }

VJP(extreme_vjp) { gx[0] = op_do2(c, "mul", kept(c, u, g[0]), attaining(c, u, X)); }
JVP(extreme_jvp) { dy[0] = fold(c, u, "sum", op_do2(c, "mul", dx[0], attaining(c, u, X))); }

/* e^(x - y): the weights of a softmax. A line of -inf has none. */
static op_val *weights(op_ctx *c, const op_use *u) {
    op_val *y = op_do3(c, "where", op_do1(c, "isfinite", u->y[0]), u->y[0], op_num(c, 0));
    return op_do1(c, "exp", op_do2(c, "sub", X, kept(c, u, y)));
}
VJP(lse_vjp) { gx[0] = op_do2(c, "mul", kept(c, u, g[0]), weights(c, u)); }
JVP(lse_jvp) { dy[0] = fold(c, u, "sum", op_do2(c, "mul", dx[0], weights(c, u))); }

/* ---- scans --------------------------------------------------------------------------------------------- */

static int scan_axis(const op_use *u) { return op_axis_of(u->attrs, SX->ndim, -1); }

static op_val *reversed(op_ctx *c, op_val *v, int axis) { return op_do_axis(c, "flip", v, axis, false); }

/* Entry t of the result is entry t - 1 of v (t + 1 for by -1), along the axis; `first` where there is none. */
static op_val *shifted(op_ctx *c, op_val *v, int axis, int by, double first) {
    if (!v || c->st != PH_OK) return NULL;
    op_spec s = *op_spec_of(c, v), edge = s;
    op_attrs along = {.has_axis = true, .axis = axis};
    op_attrs cut = {.nints = 3 * s.ndim};
    if (s.shape[axis] == 0) return v;
    edge.shape[axis] = 1;
    for (int d = 0; d < s.ndim; d++) {
        cut.ints[3 * d] = d == axis && by < 0;
        cut.ints[3 * d + 1] = 1;
        cut.ints[3 * d + 2] = s.shape[d] - (d == axis);
    }
    op_val *rest = op_do(c, "slice", &cut, 1, &v), *end = op_filled(c, &edge, first);
    return op_do(c, "concat", &along, 2, (op_val *[]){by > 0 ? end : rest, by > 0 ? rest : end});
}

VJP(cumsum_vjp) {
    int axis = scan_axis(u);
    gx[0] = reversed(c, op_do_axis(c, "cumsum", reversed(c, g[0], axis), axis, false), axis);
}
JVP(cumsum_jvp) { dy[0] = op_do_axis(c, "cumsum", dx[0], scan_axis(u), false); }

/* h_t = a_t h_(t-1) + b_t along the axis; backwards: h_t = a_t h_(t+1) + b_t. */
static op_val *recur(op_ctx *c, op_val *a, op_val *b, int axis, bool backwards) {
    op_attrs attrs = {.has_axis = true, .axis = axis, .nints = 1, .ints = {backwards}};
    return op_do(c, "recur", &attrs, 2, (op_val *[]){a, b});
}

/* y_t = x_t y_(t-1) with y_0 = 1: dy_t = x_t dy_(t-1) + dx_t y_(t-1). Right where some x are 0, too. */
VJP(cumprod_vjp) {
    int axis = scan_axis(u);
    op_val *s = recur(c, shifted(c, X, axis, -1, 0), g[0], axis, true);
    gx[0] = op_do2(c, "mul", s, shifted(c, u->y[0], axis, 1, 1));
}
JVP(cumprod_jvp) {
    int axis = scan_axis(u);
    dy[0] = recur(c, X, op_do2(c, "mul", dx[0], shifted(c, u->y[0], axis, 1, 1)), axis, false);
}

/* The product of all the others: those before times those after. */
static op_val *others(op_ctx *c, const op_use *u) {
    int64_t n = (int64_t)folded(u);
    int axis = u->attrs->has_axis ? op_axis_of(u->attrs, SX->ndim, 0) : 0;
    op_val *x = u->attrs->has_axis ? X : op_to_shape(c, X, 1, &n);
    op_val *before = shifted(c, op_do_axis(c, "cumprod", x, axis, false), axis, 1, 1);
    op_val *after = reversed(c, op_do_axis(c, "cumprod", reversed(c, x, axis), axis, false), axis);
    after = shifted(c, after, axis, -1, 1);
    return op_to_shape(c, op_do2(c, "mul", before, after), SX->ndim, SX->shape);
}
VJP(prod_vjp) { gx[0] = op_do2(c, "mul", kept(c, u, g[0]), others(c, u)); }
JVP(prod_jvp) { dy[0] = fold(c, u, "sum", op_do2(c, "mul", dx[0], others(c, u))); }

/* The recurrence itself: s is it the other way, for the cotangent; gb = s, ga_t = s_t h_(t-1). */
VJP(recur_vjp) {
    int axis = scan_axis(u), way = u->attrs->ints[0] ? -1 : 1;
    op_val *s = recur(c, shifted(c, u->x[0], axis, -way, 0), g[0], axis, way > 0);
    gx[1] = s;
    if (u->wants[0]) gx[0] = op_do2(c, "mul", s, shifted(c, u->y[0], axis, way, 0));
}
JVP(recur_jvp) {
    int axis = scan_axis(u), way = u->attrs->ints[0] ? -1 : 1;
    op_val *b = op_plus(c, dx[1], op_do2(c, "mul", dx[0], shifted(c, u->y[0], axis, way, 0)));
    dy[0] = recur(c, u->x[0], b, axis, way < 0);
}

/* Both operands get the batch, and the axis moves by one. */
static void pair_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    op_val *in[2];
    for (int i = 0; i < 2; i++) {
        op_spec s = u->sx[i];
        memmove(s.shape + 1, s.shape, (ARR_MAXDIM - 1) * sizeof *s.shape);
        s.shape[0] = size;
        s.ndim++;
        if (s.ndim > ARR_MAXDIM) {
            op_fail(c, PH_EARG, "%s: a batch with too many dimensions", u->row->name);
            return;
        }
        in[i] = batched[i] ? u->x[i] : op_spread(c, u->x[i], &s);
    }
    op_attrs attrs = *u->attrs;
    attrs.axis = scan_axis(u) + 1;
    attrs.has_axis = true;
    y[0] = op_do(c, u->row->name, &attrs, 2, in);
}

/* Sorting is taking in an order; the order is a constant. Equal values keep their places. */
static op_val *order(op_ctx *c, const op_use *u) {
    return op_do_axis(c, "argsort", op_stop_gradient(c, X), scan_axis(u), false);
}
static op_val *along(op_ctx *c, const op_use *u, const char *name, op_val *v, op_val *index) {
    op_attrs attrs = {.has_axis = true, .axis = scan_axis(u)};
    return op_do(c, name, &attrs, 2, (op_val *[]){v, index});
}
VJP(sort_vjp) { gx[0] = along(c, u, "put_along", g[0], order(c, u)); }
JVP(sort_jvp) { dy[0] = along(c, u, "take_along", dx[0], order(c, u)); }
VJP(take_along_vjp) { gx[0] = along(c, u, "put_along", g[0], u->x[1]); }
JVP(take_along_jvp) { dy[0] = along(c, u, "take_along", dx[0], u->x[1]); }
VJP(put_along_vjp) { gx[0] = along(c, u, "take_along", g[0], u->x[1]); }
JVP(put_along_jvp) { dy[0] = along(c, u, "put_along", dx[0], u->x[1]); }

/* ---- rules --------------------------------------------------------------------------------------------- */

#define FOLD(NAME, V, J, DROP)                                                                               \
    { .name = NAME, .vjp = V, .jvp = J, .batch = op_batch_fold, .drop = DROP }
#define SCAN(NAME, V, J, DROP)                                                                               \
    { .name = NAME, .vjp = V, .jvp = J, .batch = op_batch_axis, .drop = DROP }
#define PAIR(NAME, V, J, DROP)                                                                               \
    { .name = NAME, .vjp = V, .jvp = J, .batch = pair_batch, .drop = DROP }

const op_rule arr_reduce_rules[] = {
    FOLD("sum", sum_vjp, sum_jvp, OP_DROP_X | OP_DROP_Y),
    FOLD("mean", mean_vjp, mean_jvp, OP_DROP_X | OP_DROP_Y),
    FOLD("prod", prod_vjp, prod_jvp, OP_DROP_Y),
    FOLD("var", var_vjp, var_jvp, OP_DROP_Y),
    FOLD("std", std_vjp, NULL, 0),
    FOLD("norm", norm_vjp, norm_jvp, 0),
    FOLD("min", extreme_vjp, extreme_jvp, 0),
    FOLD("max", extreme_vjp, extreme_jvp, 0),
    FOLD("logsumexp", lse_vjp, lse_jvp, 0),
    {.name = "argmin", .plain = true, .batch = op_batch_fold},
    {.name = "argmax", .plain = true, .batch = op_batch_fold},
    {.name = "any", .plain = true, .batch = op_batch_fold},
    {.name = "all", .plain = true, .batch = op_batch_fold},
    SCAN("cumsum", cumsum_vjp, cumsum_jvp, OP_DROP_X | OP_DROP_Y),
    SCAN("cumprod", cumprod_vjp, cumprod_jvp, 0),
    SCAN("sort", sort_vjp, sort_jvp, OP_DROP_Y),
    {.name = "argsort", .plain = true, .batch = op_batch_axis},
    PAIR("recur", recur_vjp, recur_jvp, 0),
    PAIR("take_along", take_along_vjp, take_along_jvp, 1 | OP_DROP_Y),
    PAIR("put_along", put_along_vjp, put_along_jvp, 1 | OP_DROP_Y),
};
const int arr_reduce_nrules = sizeof arr_reduce_rules / sizeof *arr_reduce_rules;
