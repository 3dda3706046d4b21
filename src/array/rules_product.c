/* rules_product.c: derivatives of products: matmul, dot, outer, kron, trace.
 *
 * C = A B:  gA = g B^T, gB = A^T g; dC = dA B + A dB. A vector on the left is a row, on the right a column.
 */
#include "array/rule.h"

#include <string.h>

/* v, of shape s, as a stack of matrices. */
static op_val *as_matrix(op_ctx *c, op_val *v, const op_spec *s, bool row) {
    if (s->ndim != 1) return v;
    return op_to_shape(c, v, 2, (int64_t[]){row ? 1 : s->shape[0], row ? s->shape[0] : 1});
}

/* The shape that the product has when both operands are matrices. */
static void full_shape(op_spec *out, const op_use *u, const op_spec *y) {
    *out = *y;
    if (u->sx[1].ndim == 1) out->shape[out->ndim++] = 1;
    if (u->sx[0].ndim == 1) {
        out->shape[out->ndim] = out->shape[out->ndim - 1];
        out->shape[out->ndim - 1] = 1;
        out->ndim++;
    }
}

static op_val *back_to(op_ctx *c, op_val *g, const op_spec *x, bool row) {
    op_spec full = *x;
    if (x->ndim == 1) {
        full.ndim = 2;
        full.shape[0] = row ? 1 : x->shape[0];
        full.shape[1] = row ? x->shape[0] : 1;
    }
    return op_to_shape(c, op_fit(c, g, &full), x->ndim, x->shape);
}

/* (..., m, n) as (... m, n) */
static op_val *rows_of(op_ctx *c, op_val *v) {
    if (!v || c->st != PH_OK) return NULL;
    op_spec s = *op_spec_of(c, v);
    int64_t rows = 1;
    for (int i = 0; i + 1 < s.ndim; i++) rows *= s.shape[i];
    return op_to_shape(c, v, 2, (int64_t[]){rows, s.shape[s.ndim - 1]});
}

static void matmul_vjp(op_ctx *c, const op_use *u, op_val *const *g_, op_val **gx) {
    op_spec full;
    full_shape(&full, u, &u->sy[0]);
    op_val *g = op_to_shape(c, g_[0], full.ndim, full.shape);
    op_val *a = as_matrix(c, u->x[0], &u->sx[0], true), *b = as_matrix(c, u->x[1], &u->sx[1], false);
    if (u->wants[0]) gx[0] = back_to(c, op_do2(c, "matmul", g, op_swap(c, b)), &u->sx[0], true);
    if (!u->wants[1]) return;
    if (u->sx[1].ndim <= 2 && full.ndim > 2 && u->sx[0].ndim == full.ndim) { /* one product of all rows */
        a = rows_of(c, a);
        g = rows_of(c, g);
    }
    gx[1] = back_to(c, op_do2(c, "matmul", op_swap(c, a), g), &u->sx[1], false);
}

/* y = x W + b, and the same where it is above 0: one result of one pass (linalg_affine.c). */
static bool is_cut(const op_use *u) { return strcmp(u->row->name, "affine relu") == 0; }

static void affine_define(op_ctx *c, const op_use *u, op_val **y) {
    op_val *z = op_do2(c, "add", op_do2(c, "matmul", u->x[0], u->x[1]), u->x[2]);
    y[0] = is_cut(u) ? op_do1(c, "relu", z) : z;
}

/* t where y is above 0, else 0: what relu lets through. */
static op_val *let_through(op_ctx *c, op_val *y, op_val *t) {
    op_val *zero = op_num(c, 0);
    return op_do3(c, "where", op_do2(c, "gt", op_stop_gradient(c, y), zero), t, zero);
}

static void affine_vjp(op_ctx *c, const op_use *u, op_val *const *g_, op_val **gx) {
    op_val *cut[OP_MAXOUT] = {g_[0], NULL};
    if (is_cut(u)) op_do_all(c, "derivative of affine relu", NULL, 2, (op_val *[]){u->y[0], g_[0]}, cut);
    if (u->wants[2]) gx[2] = is_cut(u) ? cut[1] : op_fit(c, g_[0], &u->sx[2]);
    if (u->wants[0]) gx[0] = op_do2(c, "matmul", cut[0], op_swap(c, u->x[1]));
    if (u->wants[1]) gx[1] = op_do2(c, "matmul", op_swap(c, rows_of(c, u->x[0])), rows_of(c, cut[0]));
}

static void affine_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    op_val *t = op_plus(c, op_do2(c, "matmul", dx[0], u->x[1]), op_do2(c, "matmul", u->x[0], dx[1]));
    t = op_plus(c, t, dx[2]);
    if (t) t = op_spread(c, t, &u->sy[0]);
    dy[0] = is_cut(u) ? let_through(c, u->y[0], t) : t;
}

/* y, g: what goes through, and its sums down the columns, which go to b. */
static void cut_define(op_ctx *c, const op_use *u, op_val **y) {
    op_spec columns = {.dtype = u->sx[1].dtype, .ndim = 1};
    columns.shape[0] = u->sx[1].shape[u->sx[1].ndim - 1];
    y[0] = let_through(c, u->x[0], u->x[1]);
    y[1] = op_fit(c, y[0], &columns);
}

static void product_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    op_val *left = op_do2(c, u->row->name, dx[0], u->x[1]);
    dy[0] = op_plus(c, left, op_do2(c, u->row->name, u->x[0], dx[1]));
}

/* A batch of vectors becomes a batch of matrices, whose one row or column goes again at the end. */
static void matmul_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    op_val *in[2];
    op_spec s[2];
    int lead = 0;
    for (int i = 0; i < 2; i++) {
        s[i] = u->sx[i];
        if (s[i].ndim == 1) {
            s[i].ndim = 2;
            s[i].shape[1 - i] = u->sx[i].shape[0];
            s[i].shape[i] = 1;
        }
        if (s[i].ndim - 2 > lead) lead = s[i].ndim - 2;
    }
    for (int i = 0; i < 2; i++) {
        int64_t shape[ARR_MAXDIM];
        int at = 0, from = 0;
        if (lead + 3 > ARR_MAXDIM) {
            op_fail(c, PH_EARG, "%s: a batch of products with too many dimensions", u->row->name);
            return;
        }
        if (batched[i]) {
            shape[at++] = size;
            for (int d = s[i].ndim - 2; d < lead; d++) shape[at++] = 1;
        }
        while (from < s[i].ndim) shape[at++] = s[i].shape[from++];
        in[i] = op_to_shape(c, u->x[i], at, shape);
    }
    y[0] = op_do2(c, "matmul", in[0], in[1]);
    if (u->sx[0].ndim == 1) {
        op_attrs row = {.has_axis = true, .axis = -2};
        y[0] = op_do(c, "squeeze", &row, 1, y);
    }
    if (u->sx[1].ndim == 1) {
        op_attrs column = {.has_axis = true, .axis = -1};
        y[0] = op_do(c, "squeeze", &column, 1, y);
    }
}

static void outer_vjp(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    if (u->wants[0]) gx[0] = op_fit(c, op_do2(c, "matmul", g[0], u->x[1]), &u->sx[0]);
    if (u->wants[1]) gx[1] = op_fit(c, op_do2(c, "matmul", op_swap(c, g[0]), u->x[0]), &u->sx[1]);
}

/* x (m, 1) times y (1, n), each perhaps with a batch in front */
static void outer_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    int64_t m = u->sx[0].shape[0], n = u->sx[1].shape[0];
    op_val *a = op_to_shape(c, u->x[0], 3, (int64_t[]){batched[0] ? size : 1, m, 1});
    op_val *b = op_to_shape(c, u->x[1], 3, (int64_t[]){batched[1] ? size : 1, 1, n});
    y[0] = op_do2(c, "mul", a, b);
}

/* C[i q + r, j s + t] = A[i, j] B[r, t], seen as (m, q, n, s). */
static void kron_vjp(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    const int64_t *a = u->sx[0].shape, *b = u->sx[1].shape;
    op_val *whole = op_to_shape(c, g[0], 4, (int64_t[]){a[0], b[0], a[1], b[1]});
    for (int i = 0; i < 2; i++) {
        if (!u->wants[i]) continue;
        int64_t other[2][4] = {{1, b[0], 1, b[1]}, {a[0], 1, a[1], 1}};
        op_val *t = op_do2(c, "mul", whole, op_to_shape(c, u->x[1 - i], 4, other[i]));
        t = op_do_axis(c, "sum", op_do_axis(c, "sum", t, i == 0 ? 3 : 2, false), i == 0 ? 1 : 0, false);
        gx[i] = op_fit(c, t, &u->sx[i]);
    }
}

static void trace_vjp(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    arr eye;
    if (c->st != PH_OK) return;
    if ((c->st = arr_eye(&eye, u->sx[0].dtype, u->sx[0].shape[0], u->sx[0].shape[1], &c->err)) != PH_OK)
        return;
    gx[0] = op_do2(c, "mul", g[0], op_hold(c, &eye));
}

static void trace_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    (void)u;
    dy[0] = op_do1(c, "trace", dx[0]);
}

/* The sum of x where the unit matrix is 1. */
static void trace_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    (void)batched;
    arr eye;
    int64_t n = u->sx[0].shape[0];
    if (c->st != PH_OK) return;
    if ((c->st = arr_eye(&eye, u->sx[0].dtype, n, n, &c->err)) != PH_OK) return;
    op_val *t = op_do2(c, "mul", u->x[0], op_hold(c, &eye));
    y[0] = op_do_axis(c, "sum", op_to_shape(c, t, 2, (int64_t[]){size, n * n}), 1, false);
}

/* expm of the block matrix (A, dA; 0, A) has the derivative in its corner; backwards the same with A^T. */
static op_val *expm_along(op_ctx *c, op_val *a, op_val *da, const op_spec *s) {
    if (!da || c->st != PH_OK) return NULL;
    int64_t n = s->shape[s->ndim - 1];
    op_attrs side = {.has_axis = true, .axis = s->ndim - 1}, down = {.has_axis = true, .axis = s->ndim - 2};
    op_attrs corner = {.nints = 3 * s->ndim};
    for (int d = 0; d < s->ndim; d++) {
        corner.ints[3 * d] = d == s->ndim - 1 ? n : 0;
        corner.ints[3 * d + 1] = 1;
        corner.ints[3 * d + 2] = s->shape[d];
    }
    op_val *upper = op_do(c, "concat", &side, 2, (op_val *[]){a, da});
    op_val *lower = op_do(c, "concat", &side, 2, (op_val *[]){op_filled(c, s, 0), a});
    op_val *e = op_do1(c, "expm", op_do(c, "concat", &down, 2, (op_val *[]){upper, lower}));
    return op_do(c, "slice", &corner, 1, &e);
}
static void expm_vjp(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    gx[0] = expm_along(c, op_swap(c, u->x[0]), g[0], &u->sx[0]);
}
static void expm_jvp(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy) {
    dy[0] = expm_along(c, u->x[0], dx[0], &u->sx[0]);
}

const op_rule arr_product_rules[] = {
    {.name = "expm", .vjp = expm_vjp, .jvp = expm_jvp, .batch = op_batch_stack, .drop = OP_DROP_Y},
    {.name = "eig",
     .refuse = "gives complex numbers; derivatives are taken in real ones (eigh has real values)"},
    {.name = "rank", .plain = true},
    {.name = "allclose", .plain = true},
    {.name = "matmul", .vjp = matmul_vjp, .jvp = product_jvp, .batch = matmul_batch, .drop = OP_DROP_Y},
    {.name = "dot", .vjp = matmul_vjp, .jvp = product_jvp, .batch = matmul_batch, .drop = OP_DROP_Y},
    {.name = "affine", .vjp = affine_vjp, .jvp = affine_jvp, .define = affine_define, .drop = 4 | OP_DROP_Y},
    {.name = "affine relu", .vjp = affine_vjp, .jvp = affine_jvp, .define = affine_define, .drop = 4},
    {.name = "derivative of affine relu", .define = cut_define},
    {.name = "outer", .vjp = outer_vjp, .jvp = product_jvp, .batch = outer_batch, .drop = OP_DROP_Y},
    {.name = "kron", .vjp = kron_vjp, .jvp = product_jvp, .drop = OP_DROP_Y},
    {.name = "trace",
     .vjp = trace_vjp,
     .jvp = trace_jvp,
     .batch = trace_batch,
     .drop = OP_DROP_X | OP_DROP_Y},
};
const int arr_product_nrules = sizeof arr_product_rules / sizeof *arr_product_rules;
