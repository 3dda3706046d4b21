/* rules.c: how softmax, the norms and attention differentiate.
 *
 * Letters: g is the cotangent of the result; <a, b> is the sum of a b along a row, kept as a column; o the product entry by entry.
 * Hidden keys have weight exactly 0, and every term below carries the weight as a factor: their derivatives are exactly 0.
 */
#include "array/rule_forms.h"

#include <math.h>
#include <string.h>

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
    gx[0] = op_fit(c, softmax_along(c, u->y[0], g[0], op_axis_of(u->attrs, u->sx[0].ndim, -1)), &u->sx[0]);
}
JVP(softmax_jvp) {
    dy[0] =
        softmax_along(c, u->y[0], op_spread(c, dx[0], &u->sy[0]), op_axis_of(u->attrs, u->sx[0].ndim, -1));
}

/* ---- norms ---------------------------------------------------------------------------------------------- */

/* y = gain o z + bias, z = (x - m)/r, r = sqrt(mean (x - m)^2 + eps), m = mean x, or 0 for rms_norm.
 * dz = (dx - mean dx - z o mean(z o dx))/r, which is symmetric too. */
typedef struct {
    op_val *z, *r;
    bool centred;
} norm_parts;

static norm_parts parts_of(op_ctx *c, const op_use *u, const op_spec *y) {
    norm_parts p = {.centred = strstr(u->row->name, "layer_norm") != NULL};
    op_val *x = op_spread(c, u->x[0], y);
    if (p.centred) x = sub(c, x, op_do_axis(c, "mean", x, -1, true));
    op_val *square = op_do_axis(c, "mean", mul(c, x, x), -1, true);
    p.r = op_do1(c, "sqrt", op_do2(c, "add", square, op_num(c, u->attrs->num)));
    p.z = op_do2(c, "div", x, p.r);
    return p;
}

static op_val *norm_along(op_ctx *c, const norm_parts *p, op_val *t) {
    op_val *rest = mul(c, p->z, op_do_axis(c, "mean", mul(c, p->z, t), -1, true));
    if (p->centred) t = sub(c, t, op_do_axis(c, "mean", t, -1, true));
    return op_do2(c, "div", sub(c, t, rest), p->r);
}

/* Numbers go by lines (normalize.c); whoever looks sees what that is in operations. x, g, gain: gx, ggain, gbias. */
static void norm_back_define(op_ctx *c, const op_use *u, op_val **y) {
    op_val *g = u->x[1];
    op_spec none = {.dtype = u->sx[1].dtype, .ndim = 1}, columns = none;
    int64_t wants = u->attrs->ints[0];
    norm_parts p = parts_of(c, u, &u->sx[1]);
    columns.shape[0] = u->sx[0].shape[u->sx[0].ndim - 1];
    y[0] =
        wants & 1 ? norm_along(c, &p, op_spread(c, mul(c, g, u->x[2]), &u->sx[1])) : op_filled(c, &none, 0);
    y[1] = wants & 2 ? op_fit(c, mul(c, g, p.z), &columns) : op_filled(c, &none, 0);
    y[2] = wants & 4 ? op_fit(c, g, &columns) : op_filled(c, &none, 0);
}

VJP(norm_vjp) {
    op_val *gy[3];
    bool layer = strcmp(u->row->name, "layer_norm") == 0;
    op_attrs attrs = {.num = u->attrs->num, .nints = 1};
    for (int k = 0; k < u->n; k++)
        if (u->wants[k]) attrs.ints[0] |= 1 << k;
    op_do_all(c, layer ? "derivative of layer_norm" : "derivative of rms_norm", &attrs, 3,
              (op_val *[]){u->x[0], g[0], u->n > 1 ? u->x[1] : op_num(c, 1)}, gy);
    for (int k = 0; k < u->n; k++)
        if (u->wants[k]) gx[k] = op_fit(c, gy[k], &u->sx[k]);
}
JVP(norm_jvp) {
    norm_parts p = parts_of(c, u, &u->sy[0]);
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
    op_val *z = op_do(c, u->row->name, u->attrs, 1, f);
    if (u->n > 1) z = mul(c, z, f[1]);
    if (u->n > 2) z = op_do2(c, "add", z, f[2]);
    y[0] = z;
}

/* ---- attention ------------------------------------------------------------------------------------------ */

/* S = scale Q K' + terms, W = softmax S, Z = W V. Backwards numbers go by blocks (backward.c), which stores no W; whoever looks at
 * that derivative sees what it is in operations. A key that a query does not see has weight 0 and takes no part, whatever its
 * key and value are: beside a weight, NaN and inf are taken for 0. Where they are seen W or Z are NaN, and so is what comes of it. */
static double scale_of(const op_use *u) {
    const op_spec *q = &u->sx[0];
    return u->attrs->nints > 2 && u->attrs->ints[2] ? u->attrs->num : 1 / sqrt((double)q->shape[q->ndim - 1]);
}
static bool has_values(const op_use *u) { return strcmp(u->row->name, "attention_weights") != 0; }
static int first_term(const op_use *u) { return has_values(u) ? 3 : 2; }

static op_val *weights_of(op_ctx *c, const op_use *u) {
    op_val *in[16];
    int n = 0;
    if (!has_values(u)) return u->y[0];
    in[n++] = u->x[0];
    in[n++] = u->x[1];
    for (int k = 3; k < u->n && n < 16; k++) in[n++] = u->x[k];
    return op_do(c, "attention_weights", u->attrs, n, in);
}

static op_val *or_zero(op_ctx *c, op_val *v) {
    return v ? op_do3(c, "where", op_do1(c, "isfinite", op_stop_gradient(c, v)), v, op_num(c, 0)) : NULL;
}

static int64_t heads_of(const op_spec *s) { return s->ndim > 2 ? s->shape[s->ndim - 3] : 1; }
/* How many query heads share one of K's (or V's); 1 when broadcasting sees to that. */
static int64_t group_of(const op_use *u, int k) {
    int64_t heads = heads_of(&u->sx[0]), own = heads_of(&u->sx[k]);
    return own > 1 && heads > own ? heads / own : 1;
}

/* (..., Hk, S, d) with each head as often as queries share it: (..., H, S, d), by way of (..., Hk, r, S d), which has no dimension
 * more. */
static op_val *per_query_head(op_ctx *c, const op_use *u, int k, op_val *v) {
    int64_t r = group_of(u, k);
    op_spec s = u->sx[k];
    int64_t *heads = s.shape + s.ndim - 3, rows = s.shape[s.ndim - 2], columns = s.shape[s.ndim - 1];
    if (r == 1 || !v) return v;
    heads[1] = 1;
    heads[2] = rows * columns;
    v = op_to_shape(c, v, s.ndim, s.shape);
    heads[1] = r;
    v = op_do_ints(c, "broadcast_to", v, s.ndim, s.shape);
    heads[0] *= r;
    heads[1] = rows;
    heads[2] = columns;
    return op_to_shape(c, v, s.ndim, s.shape);
}

/* The transpose of that: (..., H, S, d) added up over the r queries that share a head. */
static op_val *per_key_head(op_ctx *c, op_val *v, int64_t r) {
    if (r == 1 || !v || c->st != PH_OK) return v;
    op_spec s = *op_spec_of(c, v);
    int64_t *heads = s.shape + s.ndim - 3, rows = heads[1], columns = heads[2];
    heads[0] /= r;
    heads[1] = r;
    heads[2] = rows * columns;
    v = op_do_axis(c, "sum", op_to_shape(c, v, s.ndim, s.shape), -2, true);
    heads[1] = rows;
    heads[2] = columns;
    return op_to_shape(c, v, s.ndim, s.shape);
}

enum { WANTS_Q = 1, WANTS_K = 2, WANTS_V = 4, WANTS_S = 8 };

/* gS = W o (gW - <W, gW>), and what is wanted of it: scale gS K, scale gS' Q, W' g. */
static void attention_back(op_ctx *c, const op_use *u, op_val *g, op_val *z, int64_t wants, op_val **gx) {
    op_val *w = weights_of(c, u), *gs;
    int64_t heads = heads_of(&u->sx[0]), own = heads_of(&u->sx[1]), r;
    if (has_values(u) && heads_of(&u->sx[2]) > own) own = heads_of(&u->sx[2]);
    r = heads > own && own > 0 ? heads / own : 1;
    if (has_values(u)) {
        op_val *gw = mm(c, g, op_swap(c, or_zero(c, per_query_head(c, u, 2, u->x[2]))));
        if (wants & WANTS_V) gx[2] = per_key_head(c, mm(c, op_swap(c, w), g), r);
        gs = mul(c, w, sub(c, gw, dots(c, g, z, -1))); /* <W, gW> = <g, Z> */
    } else gs = softmax_along(c, w, g, -1);
    gs = op_do3(c, "where", op_do2(c, "eq", op_stop_gradient(c, w), op_num(c, 0)), op_num(c, 0), gs);
    /* the scale goes to the products with d columns, not to all (T, S) scores */
    op_val *k = or_zero(c, per_query_head(c, u, 1, u->x[1])), *q = or_zero(c, u->x[0]);
    if (wants & WANTS_Q) gx[0] = op_times(c, mm(c, gs, k), scale_of(u));
    if (wants & WANTS_K) gx[1] = per_key_head(c, op_times(c, mm(c, op_swap(c, gs), q), scale_of(u)), r);
    if (wants & WANTS_S) gx[3] = gs;
}

static int64_t wanted(const op_use *u) {
    int64_t bits = 0;
    for (int k = 0; k < u->n; k++)
        if (u->wants[k] && u->sx[k].dtype != ARR_BOOL) bits |= k < first_term(u) ? 1 << k : WANTS_S;
    return bits;
}

VJP(attention_vjp) {
    op_val *gy[4] = {NULL}, *in[16];
    op_attrs attrs = *u->attrs;
    int64_t wants = wanted(u);
    if (u->n + 3 > 16) {
        op_fail(c, PH_EARG, "%s: too many operands", u->row->name);
        return;
    }
    if (has_values(u)) {
        for (int k = attrs.nints; k < 3; k++) attrs.ints[k] = 0;
        attrs.ints[3] = wants;
        attrs.nints = 4;
        memcpy(in, u->x, (size_t)u->n * sizeof *in);
        memcpy(in + u->n, (op_val *[]){g[0], u->y[0], u->y[1]}, 3 * sizeof *in);
        op_do_all(c, "derivative of attention", &attrs, u->n + 3, in, gy);
    } else attention_back(c, u, g[0], NULL, wants, gy);
    for (int k = 0; k < u->n; k++) {
        bool term = k >= first_term(u);
        if (u->wants[k] && u->sx[k].dtype != ARR_BOOL) gx[k] = op_fit(c, gy[term ? 3 : k], &u->sx[k]);
    }
}

/* The operands are those of attention, then g, Z and the sums, which are part of Z's way and not of this one. */
static void attention_back_define(op_ctx *c, const op_use *u, op_val **y) {
    op_use a = *u;
    a.n -= 3;
    attention_back(c, &a, u->x[a.n], u->x[a.n + 1], u->attrs->ints[3], y);
    for (int k = 0; k < 4; k++)
        if (!(u->attrs->ints[3] >> k & 1))
            y[k] = op_filled(c, &(op_spec){.dtype = u->sx[0].dtype, .ndim = 1}, 0);
}

/* dZ = (W o dS) V - <W, dS> o Z + W dV */
JVP(attention_jvp) {
    op_val *w = weights_of(c, u), *q = or_zero(c, u->x[0]), *k = or_zero(c, per_query_head(c, u, 1, u->x[1]));
    op_val *dk = per_query_head(c, u, 1, dx[1]);
    op_val *ds = op_times(c, op_plus(c, mm(c, dx[0], op_swap(c, k)), mm(c, q, op_swap(c, dk))), scale_of(u));
    for (int t = first_term(u); t < u->n; t++) ds = op_plus(c, ds, dx[t]);
    if (ds) ds = op_spread(c, ds, op_spec_of(c, w));
    if (has_values(u)) {
        op_val *v = or_zero(c, per_query_head(c, u, 2, u->x[2])), *wds = mul(c, w, ds);
        op_val *mean = op_do_axis(c, "sum", wds, -1, true);
        op_val *dz = ds ? sub(c, mm(c, wds, v), mul(c, mean, u->y[0])) : NULL;
        dy[0] = op_plus(c, dz, mm(c, w, per_query_head(c, u, 2, dx[2])));
    } else dy[0] = ds ? softmax_along(c, w, ds, -1) : NULL;
    dy[0] = op_spread(c, dy[0], &u->sy[0]);
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
    op_do_all(c, u->row->name, u->attrs, u->n, in, y);
}

const op_rule att_rules[] = {
    {.name = "softmax", .vjp = softmax_vjp, .jvp = softmax_jvp, .batch = op_batch_axis, .drop = OP_DROP_X},
    {.name = "layer_norm", .vjp = norm_vjp, .jvp = norm_jvp, .batch = norm_batch, .drop = 4 | OP_DROP_Y},
    {.name = "rms_norm", .vjp = norm_vjp, .jvp = norm_jvp, .batch = norm_batch, .drop = 4 | OP_DROP_Y},
    {.name = "derivative of layer_norm", .define = norm_back_define},
    {.name = "derivative of rms_norm", .define = norm_back_define},
    {.name = "attention",
     .vjp = attention_vjp,
     .jvp = attention_jvp,
     .batch = attention_batch,
     .keeps = "attention with sums"},
    {.name = "attention with sums", .vjp = attention_vjp, .jvp = attention_jvp, .batch = attention_batch},
    {.name = "derivative of attention", .define = attention_back_define},
    {.name = "attention_weights", .vjp = attention_vjp, .jvp = attention_jvp, .batch = attention_batch},
};
const int att_nrules = sizeof att_rules / sizeof *att_rules;
