/* rules.c: how softmax, the norms and attention differentiate.
 *
 * Letters: g is the cotangent of the result; <a, b> is the sum of a b along a row, kept as a column; o the product entry by entry.
 * Hidden keys have weight exactly 0, and every term below carries the weight as a factor: their derivatives are exactly 0.
 */
#include "array/rule.h"

#include <math.h>
#include <string.h>

#define VJP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx)
#define JVP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy)
#define BATCH(NAME)                                                                                          \
    static void NAME(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y)

static op_val *mm(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "matmul", a, b); }
static op_val *mul(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "mul", a, b); }
static op_val *sub(op_ctx *c, op_val *a, op_val *b) {
    if (!b) return a;
    return a ? op_do2(c, "sub", a, b) : op_do1(c, "neg", b);
}
static op_val *dots(op_ctx *c, op_val *a, op_val *b, int axis) {
    return op_do_axis(c, "sum", mul(c, a, b), axis, true);
}

/* ---- softmax -------------------------------------------------------------------------------------------- */

/* y o (t - <y, t>): the Jacobian diag(y) - y y' is symmetric, so it is both rules. */
static op_val *softmax_along(op_ctx *c, op_val *y, op_val *t, int axis) {
    return mul(c, y, sub(c, t, dots(c, y, t, axis)));
}
VJP(softmax_vjp) {
    gx[0] = op_fit(c, softmax_along(c, u->y[0], g[0], op_axis_of(u->par, u->sx[0].ndim, -1)), &u->sx[0]);
}
JVP(softmax_jvp) {
    dy[0] = softmax_along(c, u->y[0], op_spread(c, dx[0], &u->sy[0]), op_axis_of(u->par, u->sx[0].ndim, -1));
}

/* ---- norms ---------------------------------------------------------------------------------------------- */

/* y = gain o z + bias, z = (x - m)/r, r = sqrt(mean (x - m)^2 + eps), m = mean x, or 0 for rms_norm.
 * dz = (dx - mean dx - z o mean(z o dx))/r, which is symmetric too. */
typedef struct {
    op_val *z, *r;
    bool centred;
} norm_parts;

static norm_parts parts_of(op_ctx *c, const op_use *u) {
    norm_parts p = {.centred = strcmp(u->row->name, "layer_norm") == 0};
    op_val *x = op_spread(c, u->x[0], &u->sy[0]);
    if (p.centred) x = sub(c, x, op_do_axis(c, "mean", x, -1, true));
    op_val *square = op_do_axis(c, "mean", mul(c, x, x), -1, true);
    p.r = op_do1(c, "sqrt", op_do2(c, "add", square, op_num(c, u->par->num)));
    p.z = op_do2(c, "div", x, p.r);
    return p;
}

static op_val *norm_along(op_ctx *c, const norm_parts *p, op_val *t) {
    op_val *rest = mul(c, p->z, op_do_axis(c, "mean", mul(c, p->z, t), -1, true));
    if (p->centred) t = sub(c, t, op_do_axis(c, "mean", t, -1, true));
    return op_do2(c, "div", sub(c, t, rest), p->r);
}

VJP(norm_vjp) {
    norm_parts p = parts_of(c, u);
    if (u->wants[0]) gx[0] = op_fit(c, norm_along(c, &p, u->n > 1 ? mul(c, g[0], u->x[1]) : g[0]), &u->sx[0]);
    if (u->n > 1 && u->wants[1]) gx[1] = op_fit(c, mul(c, g[0], p.z), &u->sx[1]);
    if (u->n > 2 && u->wants[2]) gx[2] = op_fit(c, g[0], &u->sx[2]);
}
JVP(norm_jvp) {
    norm_parts p = parts_of(c, u);
    op_val *dz = norm_along(c, &p, op_spread(c, dx[0], &u->sy[0]));
    op_val *d = u->n > 1 ? op_plus(c, mul(c, u->x[1], dz), mul(c, dx[1], p.z)) : dz;
    dy[0] = op_spread(c, u->n > 2 ? op_plus(c, d, dx[2]) : d, &u->sy[0]);
}

/* Gain and bias are one number or a row each; batches of them are put in afterwards. */
BATCH(norm_batch) {
    op_val *f[3] = {NULL};
    int ndim = u->sx[0].ndim;
    for (int k = 0; k < u->n; k++)
        f[k] = batched[k] ? op_pad_batch(c, u->x[k], &u->sx[k], size, ndim) : u->x[k];
    op_val *z = op_do(c, u->row->name, u->par, 1, f);
    if (u->n > 1) z = mul(c, z, f[1]);
    if (u->n > 2) z = op_do2(c, "add", z, f[2]);
    y[0] = z;
}

/* ---- attention ------------------------------------------------------------------------------------------ */

/* S = scale Q K' + terms, W = softmax S, Z = W V. The rules look at W, which attention does not store: it is computed again. */
static double scale_of(const op_use *u) {
    const op_spec *q = &u->sx[0];
    return u->par->nints > 2 && u->par->ints[2] ? u->par->num : 1 / sqrt((double)q->shape[q->ndim - 1]);
}
static bool has_values(const op_use *u) { return strcmp(u->row->name, "attention") == 0; }
static int first_term(const op_use *u) { return has_values(u) ? 3 : 2; }

static op_val *weights_of(op_ctx *c, const op_use *u) {
    op_val *in[16];
    int n = 0;
    if (!has_values(u)) return u->y[0];
    in[n++] = u->x[0];
    in[n++] = u->x[1];
    for (int k = 3; k < u->n && n < 16; k++) in[n++] = u->x[k];
    return op_do(c, "attention_weights", u->par, n, in);
}

/* How many query heads share one of K's (or V's); 1 when it is no such case. */
static int64_t group_of(const op_use *u, int k) {
    const op_spec *q = &u->sx[0], *s = &u->sx[k];
    int64_t heads = q->ndim > 2 ? q->shape[q->ndim - 3] : 1, own = s->ndim > 2 ? s->shape[s->ndim - 3] : 1;
    return own > 1 && heads > own ? heads / own : 1;
}

/* (..., Hk, S, d) with each head as often as queries share it: (..., H, S, d). */
static op_val *per_query_head(op_ctx *c, const op_use *u, int k, op_val *v) {
    int64_t r = group_of(u, k), shape[ARR_MAXDIM + 1];
    const op_spec *s = &u->sx[k];
    int d = s->ndim;
    if (r == 1 || !v) return v;
    if (d + 1 > ARR_MAXDIM) {
        (void)op_fail(c, PH_EUNABLE,
                      "grouped queries with %d dimensions have no derivative; wanted at most %d", d,
                      ARR_MAXDIM - 1);
        return NULL;
    }
    memcpy(shape, s->shape, (size_t)d * sizeof *shape);
    memmove(shape + d - 1, shape + d - 2, 2 * sizeof *shape);
    shape[d - 2] = 1;
    v = op_to_shape(c, v, d + 1, shape);
    shape[d - 2] = r;
    v = op_do_ints(c, "broadcast_to", v, d + 1, shape);
    memmove(shape + d - 2, shape + d - 1, 2 * sizeof *shape);
    shape[d - 3] *= r;
    return op_to_shape(c, v, d, shape);
}

/* The transpose of that: a cotangent (..., H, S, d) added up over the queries that share a head, then over what was stretched. */
static op_val *per_key_head(op_ctx *c, const op_use *u, int k, op_val *v) {
    int64_t r = group_of(u, k);
    if (r > 1 && v && c->st == PH_OK) {
        op_spec s = *op_spec_of(c, v);
        int d = s.ndim;
        memmove(s.shape + d - 1, s.shape + d - 2, 2 * sizeof *s.shape);
        s.shape[d - 2] = r;
        s.shape[d - 3] /= r;
        v = op_do_axis(c, "sum", op_to_shape(c, v, d + 1, s.shape), d - 2, false);
    }
    return op_fit(c, v, &u->sx[k]);
}

/* gW: the cotangent of the weights, and gS = W o (gW - <W, gW>). */
VJP(attention_vjp) {
    op_val *w = weights_of(c, u), *gw = g[0], *gs;
    if (has_values(u)) {
        gw = mm(c, g[0], op_swap(c, per_query_head(c, u, 2, u->x[2])));
        if (u->wants[2]) gx[2] = per_key_head(c, u, 2, mm(c, op_swap(c, w), g[0]));
        gs = mul(c, w, sub(c, gw, dots(c, g[0], u->y[0], -1))); /* <W, gW> = <g, Z> */
    } else gs = softmax_along(c, w, gw, -1);
    /* the scale goes to the products with d columns, not to all (T, S) scores */
    if (u->wants[0])
        gx[0] = op_fit(c, op_times(c, mm(c, gs, per_query_head(c, u, 1, u->x[1])), scale_of(u)), &u->sx[0]);
    if (u->wants[1]) gx[1] = per_key_head(c, u, 1, op_times(c, mm(c, op_swap(c, gs), u->x[0]), scale_of(u)));
    for (int k = first_term(u); k < u->n; k++)
        if (u->wants[k] && u->sx[k].dtype != ARR_BOOL) gx[k] = op_fit(c, gs, &u->sx[k]);
}

JVP(attention_jvp) {
    op_val *w = weights_of(c, u), *k = per_query_head(c, u, 1, u->x[1]), *dk = per_query_head(c, u, 1, dx[1]);
    op_val *ds =
        op_times(c, op_plus(c, mm(c, dx[0], op_swap(c, k)), mm(c, u->x[0], op_swap(c, dk))), scale_of(u));
    for (int t = first_term(u); t < u->n; t++) ds = op_plus(c, ds, dx[t]);
    op_val *dw = ds ? softmax_along(c, w, op_spread(c, ds, op_spec_of(c, w)), -1) : NULL;
    if (has_values(u))
        dw =
            op_plus(c, mm(c, dw, per_query_head(c, u, 2, u->x[2])), mm(c, w, per_query_head(c, u, 2, dx[2])));
    dy[0] = op_spread(c, dw, &u->sy[0]);
}

BATCH(attention_batch) {
    int ndim = 2;
    op_val *in[16];
    if (u->n > 16) {
        op_batch_each(c, u, batched, size, y);
        return;
    }
    for (int k = 0; k < u->n; k++)
        if (u->sx[k].ndim > ndim) ndim = u->sx[k].ndim;
    for (int k = 0; k < u->n; k++)
        in[k] = batched[k] ? op_pad_batch(c, u->x[k], &u->sx[k], size, ndim) : u->x[k];
    if (!batched[0] &&
        u->n > first_term(u)) { /* terms do not widen the scores: the queries are repeated then */
        op_spec q = u->sx[0];
        int pad = 1 + ndim - q.ndim;
        memmove(q.shape + pad, q.shape, (size_t)q.ndim * sizeof *q.shape);
        for (int k = 0; k < pad; k++) q.shape[k] = k ? 1 : size;
        if (c->st == PH_OK) in[0] = op_do_ints(c, "broadcast_to", in[0], 1 + ndim, q.shape);
    }
    y[0] = op_do(c, u->row->name, u->par, u->n, in);
}

const op_rule att_rules[] = {
    {.name = "softmax", .vjp = softmax_vjp, .jvp = softmax_jvp, .batch = op_batch_axis, .drop = OP_DROP_X},
    {.name = "layer_norm", .vjp = norm_vjp, .jvp = norm_jvp, .batch = norm_batch, .drop = 4 | OP_DROP_Y},
    {.name = "rms_norm", .vjp = norm_vjp, .jvp = norm_jvp, .batch = norm_batch, .drop = 4 | OP_DROP_Y},
    {.name = "attention", .vjp = attention_vjp, .jvp = attention_jvp, .batch = attention_batch},
    {.name = "attention_weights", .vjp = attention_vjp, .jvp = attention_jvp, .batch = attention_batch},
};
const int att_nrules = sizeof att_rules / sizeof *att_rules;
