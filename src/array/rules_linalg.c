/* rules_linalg.c: how the rows on matrices differentiate: solve, inv, det, slogdet, cholesky, qr, singular values, least squares,
 * eigenvalues. Formulas: Giles 2008, "Collected matrix derivative results"; Townsend 2016 for the SVD; Golub and Pereyra
 * 1973 for the pseudo-inverse.
 *
 * Letters: ' is the transpose, g the cotangent of a result, o the product entry by entry, F_ij = 1/(w_j - w_i) with 0 on its diagonal.
 * The rows that read a symmetric matrix (cholesky, eigh) are functions of (A + A')/2, and so their derivatives are symmetric.
 *
 * Eigenvectors turn infinitely fast where two eigenvalues meet, and singular vectors likewise. F is a row of its own for that
 * reason ("derivative of eigh"): it sees the numbers, and refuses them by position and value. linalg_inner.c has it and the others.
 */
#include "array/linalg.h"
#include "array/rule_forms.h"

#include <string.h>

static op_val *mm(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "matmul", a, b); }
static op_val *mul(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "mul", a, b); }
static op_val *sub(op_ctx *c, op_val *a, op_val *b) { return op_plus(c, a, op_times(c, b, -1)); }
static op_val *solve(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "solve", a, b); }
/* (X + X')/2 */
static op_val *sym(op_ctx *c, op_val *x) { return op_times(c, op_plus(c, x, op_swap(c, x)), 0.5); }

/* (..., n) as rows (..., 1, n) or columns (..., n, 1) to be stretched over a matrix. */
static op_val *lined_up(op_ctx *c, op_val *v, bool row) {
    if (!v || c->st != PH_OK) return NULL;
    op_spec s = *op_spec_of(c, v);
    s.shape[s.ndim] = 1;
    if (row) s.shape[s.ndim] = s.shape[s.ndim - 1], s.shape[s.ndim - 1] = 1;
    return op_to_shape(c, v, s.ndim + 1, s.shape);
}
static op_val *as_row(op_ctx *c, op_val *v) { return lined_up(c, v, true); }
static op_val *as_column(op_ctx *c, op_val *v) { return lined_up(c, v, false); }

/* Entries of the matrix x (..., n, n) times `below` under the diagonal, `on` on it, and 0 above. */
static op_val *lower(op_ctx *c, op_val *x, double below, double on) {
    arr m = ARR_NONE;
    if (!x || c->st != PH_OK) return NULL;
    const op_spec *s = op_spec_of(c, x);
    int64_t n = s->shape[s->ndim - 1];
    arr_dtype t = s->dtype;
    c->st = arr_zeros(&m, t, 2, (int64_t[]){n, n}, &c->err);
    for (int64_t i = 0; c->st == PH_OK && i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double f = i == j ? on : below;
            if (t == ARR_F32) ((float *)m.data)[i * n + j] = (float)f;
            else ((double *)m.data)[i * n + j] = f;
        }
    return c->st == PH_OK ? mul(c, x, op_hold(c, &m)) : NULL;
}

/* ---- solve, inv, det ------------------------------------------------------------------------------------ */

/* b, x and what belongs to them as columns, when b is a vector. */
static op_val *columns(op_ctx *c, const op_use *u, op_val *v) {
    return u->sx[1].ndim == 1 ? as_column(c, v) : v;
}
static op_val *no_columns(op_ctx *c, const op_use *u, op_val *v) {
    if (u->sx[1].ndim != 1 || !v || c->st != PH_OK) return v;
    op_spec s = *op_spec_of(c, v);
    return op_to_shape(c, v, s.ndim - 1, s.shape);
}

/* X = A^-1 B:  gB = A'^-1 g, gA = -gB X' */
VJP(solve_vjp) {
    op_val *gb = solve(c, op_swap(c, u->x[0]), columns(c, u, g[0]));
    if (u->wants[0])
        gx[0] = op_fit(c, op_times(c, mm(c, gb, op_swap(c, columns(c, u, u->y[0]))), -1), &u->sx[0]);
    if (u->wants[1]) gx[1] = op_fit(c, no_columns(c, u, gb), &u->sx[1]);
}
/* dX = A^-1 (dB - dA X) */
JVP(solve_jvp) {
    op_val *right = sub(c, columns(c, u, dx[1]), mm(c, dx[0], columns(c, u, u->y[0])));
    dy[0] = op_spread(c, no_columns(c, u, solve(c, u->x[0], right)), &u->sy[0]);
}
BATCH(solve_batch) {
    bool vector = u->sx[1].ndim == 1;
    op_spec b = u->sx[1];
    op_val *x = u->x[0], *right = u->x[1];
    if (vector) b.shape[1] = 1, b.ndim = 2, right = as_column(c, right);
    int ndim = u->sx[0].ndim > b.ndim ? u->sx[0].ndim : b.ndim;
    if (batched[0]) x = op_pad_batch(c, x, &u->sx[0], size, ndim);
    if (batched[1]) right = op_pad_batch(c, right, &b, size, ndim);
    y[0] = solve(c, x, right);
    if (vector) y[0] = no_columns(c, u, y[0]);
}

/* Y = A^-1:  gA = -Y' g Y',  dY = -Y dA Y */
VJP(inv_vjp) {
    op_val *t = op_swap(c, u->y[0]);
    gx[0] = op_fit(c, op_times(c, mm(c, t, mm(c, g[0], t)), -1), &u->sx[0]);
}
JVP(inv_jvp) { dy[0] = op_times(c, mm(c, u->y[0], mm(c, dx[0], u->y[0])), -1); }

/* y = det A:  gA = g C, C the cofactors. They are no quotient: a singular matrix has them too. */
VJP(det_vjp) { gx[0] = op_fit(c, mul(c, g[0], op_do1(c, "derivative of det", u->x[0])), &u->sx[0]); }
/* C = D(A, B1, ..., Bk), the cofactors differentiated along all B. They are the gradient of a polynomial P, linear in each B:
 * <g, C> = P(A; g, B1, ..., Bk), and as P does not mind the order of its directions, gA = D(A, g, B1, ..., Bk) and gBi = D(A, g, the
 * other B). */
VJP(cofactors_vjp) {
    op_val *in[16];
    if (u->n + 1 > (int)(sizeof in / sizeof *in)) return;
    in[0] = u->x[0], in[1] = g[0];
    for (int i = 1; i < u->n; i++) in[i + 1] = u->x[i];
    if (u->wants[0]) gx[0] = op_fit(c, op_do(c, "derivative of det", NULL, u->n + 1, in), &u->sx[0]);
    for (int i = 1; i < u->n; i++) { /* in: A, g, and the B but one */
        for (int j = 1, k = 2; j < u->n; j++)
            if (j != i) in[k++] = u->x[j];
        if (u->wants[i]) gx[i] = op_fit(c, op_do(c, "derivative of det", NULL, u->n, in), &u->sx[i]);
    }
}
/* The sign is a staircase; log |det A| has A'^-1. */
VJP(slogdet_vjp) {
    if (g[1]) gx[0] = op_fit(c, mul(c, g[1], op_swap(c, op_do1(c, "inv", u->x[0]))), &u->sx[0]);
}

/* ---- cholesky, qr --------------------------------------------------------------------------------------- */

/* A = L L', low(X) its lower triangle with half the diagonal:
 * dL = L low(L^-1 dA L'^-1),  gA = sym(L'^-1 low(L' g) L^-1) */
VJP(cholesky_vjp) {
    op_val *l = u->y[0], *t = op_swap(c, l);
    op_val *p = solve(c, t, lower(c, mm(c, t, g[0]), 1, 0.5));
    gx[0] = op_fit(c, sym(c, op_swap(c, solve(c, t, op_swap(c, p)))), &u->sx[0]);
}
JVP(cholesky_jvp) {
    op_val *l = u->y[0], *p = solve(c, l, sym(c, dx[0]));
    dy[0] = mm(c, l, lower(c, solve(c, l, op_swap(c, p)), 1, 0.5));
}

static int64_t rows_of(const op_spec *s) { return s->shape[s->ndim - 2]; }
static int64_t columns_of(const op_spec *s) { return s->shape[s->ndim - 1]; }

/* Columns (rows, when `down`) first .. first + count - 1 of a matrix (..., m, n). */
static op_val *part(op_ctx *c, op_val *x, bool down, int64_t first, int64_t count) {
    if (!x || c->st != PH_OK) return NULL;
    const op_spec *s = op_spec_of(c, x);
    op_attrs attrs = {.nints = 3 * s->ndim};
    for (int d = 0; d < s->ndim; d++) {
        bool cut = d == s->ndim - (down ? 2 : 1);
        attrs.ints[3 * d] = cut ? first : 0;
        attrs.ints[3 * d + 1] = 1;
        attrs.ints[3 * d + 2] = cut ? count : s->shape[d];
    }
    return op_do(c, "slice", &attrs, 1, &x);
}

/* What the further columns q of a full factor add to gA, where A = Q Y: q is orthogonal to Q = A Y^-1, so dq = -Q Y'^-1 dA' q and
 * gA = -q (gq' Q Y'^-1). As gq'q is symmetric, no more is to be said about which basis q is; `slope` is Q Y'^-1. */
static op_val *further(op_ctx *c, op_val *q, op_val *gq, op_val *slope) {
    gq = op_do2(c, "derivative of a basis", gq, mm(c, op_swap(c, q), gq));
    return op_times(c, mm(c, q, mm(c, op_swap(c, gq), slope)), -1);
}

/* A = Q R, Q (m, n), R (n, n):  gA = (gQ + Q C) R'^-1, where M = R gR' - gQ' Q and C = its lower triangle made symmetric.
 * A wide A = (B, D), B square, has R = (R1, Q'D): then gQ counts D gR2' too, and gD = Q gR2. */
VJP(qr_vjp) {
    int64_t m = rows_of(&u->sx[0]), n = columns_of(&u->sx[0]), k = m < n ? m : n;
    bool full = columns_of(&u->sy[0]) > k;
    op_val *q = u->y[0], *r = u->y[1], *gq = g[0], *gr = g[1], *gd = NULL, *more = NULL;
    if (full) q = part(c, q, false, 0, k), r = part(c, r, true, 0, k), gr = part(c, gr, true, 0, k);
    op_val *square = op_do1(c, "derivative of qr", part(c, r, false, 0, k));
    if (full && gq) {
        op_val *slope = op_swap(c, solve(c, square, op_swap(c, q)));
        more = further(c, part(c, u->y[0], false, k, m - k), part(c, gq, false, k, m - k), slope);
        gq = part(c, gq, false, 0, k);
    }
    if (n > k) {
        op_val *gr2 = part(c, gr, false, k, n - k);
        gd = mm(c, q, gr2);
        gq = op_plus(c, gq, mm(c, part(c, u->x[0], false, k, n - k), op_swap(c, gr2)));
        gr = part(c, gr, false, 0, k);
    }
    op_val *middle = sub(c, mm(c, square, op_swap(c, gr)), mm(c, op_swap(c, gq), q));
    op_val *both = op_plus(c, lower(c, middle, 1, 1), op_swap(c, lower(c, middle, 1, 0)));
    op_val *x = op_plus(c, gq, mm(c, q, both));
    x = op_plus(c, op_swap(c, solve(c, square, op_swap(c, x))), more);
    if (n > k) {
        op_attrs side = {.has_axis = true, .axis = u->sx[0].ndim - 1};
        op_spec rest = u->sx[0];
        rest.shape[rest.ndim - 1] = n - k;
        x = op_do(c, "concat", &side, 2, (op_val *[]){x, gd ? gd : op_filled(c, &rest, 0)});
    }
    gx[0] = op_fit(c, x, &u->sx[0]);
}

/* ---- eigenvalues ---------------------------------------------------------------------------------------- */

/* A = V diag(w) V':  dw = diag(V' dA V), dV = V (F o V' dA V);  gA = sym(V (diag(gw) + F o V' gV) V') */
VJP(eigh_vjp) {
    op_val *v = u->y[1], *t = op_swap(c, v), *a = NULL;
    if (g[0]) {
        op_val *gw = op_do2(c, "derivative of eigenvalues", u->y[0], g[0]);
        a = mm(c, mul(c, v, as_row(c, gw)), t);
    }
    if (g[1]) {
        op_val *f = op_do1(c, "derivative of eigh", u->y[0]);
        a = op_plus(c, a, mm(c, v, mm(c, mul(c, f, mm(c, t, g[1])), t)));
    }
    gx[0] = op_fit(c, sym(c, a), &u->sx[0]);
}
/* Values that meet part in directions that depend on dA; V already fixes them only when they are apart. So both results wait
 * for F, unless the vectors are never looked at, which only the transposed rule can know: there is no jvp. */

/* ---- singular values ------------------------------------------------------------------------------------ */

/* U diag(gs) Vt: what the cotangent of the singular values sends to A. */
static op_val *weighted(op_ctx *c, op_val *const *usv, op_val *gs) {
    op_val *slope = op_do2(c, "derivative of singular values", usv[1], gs);
    return mm(c, mul(c, usv[0], as_row(c, slope)), usv[2]);
}

/* A = U diag(s) V', F_ij = 1/(s_j^2 - s_i^2):
 *   gA = U (F o (U'gU - gU'U) S + S F o (V'gV - gV'V) + diag(gs)) V' + (1 - U U') gU S^-1 V' + U S^-1 gV' (1 - V V') */
VJP(svd_vjp) {
    op_val *usv[3] = {u->y[0], u->y[1], u->y[2]}, *gu = g[0], *gs = g[1], *gv = op_swap(c, g[2]);
    op_val *a = NULL, *more_u = NULL, *more_gu = NULL, *more_v = NULL, *more_gv = NULL;
    int64_t m = rows_of(&u->sx[0]), n = columns_of(&u->sx[0]), k = m < n ? m : n;
    bool full_u = columns_of(&u->sy[0]) > k, full_v = rows_of(&u->sy[2]) > k;
    if (full_u) {
        more_u = part(c, usv[0], false, k, m - k), usv[0] = part(c, usv[0], false, 0, k);
        more_gu = part(c, gu, false, k, m - k), gu = part(c, gu, false, 0, k);
    }
    op_val *v = op_swap(c, usv[2]);
    if (full_v) {
        more_v = part(c, v, false, k, n - k), v = part(c, v, false, 0, k), usv[2] = op_swap(c, v);
        more_gv = part(c, gv, false, k, n - k), gv = part(c, gv, false, 0, k);
    }
    if (gs) a = weighted(c, usv, gs);
    if (gu || gv) {
        op_attrs tall = {.nints = 1, .ints = {m != n}};
        op_val *f = op_do(c, "derivative of svd", &tall, 1, &usv[1]), *middle = NULL;
        op_val *turn_u = mm(c, op_swap(c, usv[0]), gu), *turn_v = mm(c, usv[2], gv);
        if (gu) middle = mul(c, mul(c, f, sub(c, turn_u, op_swap(c, turn_u))), as_row(c, usv[1]));
        if (gv)
            middle = op_plus(c, middle,
                             mul(c, as_column(c, usv[1]), mul(c, f, sub(c, turn_v, op_swap(c, turn_v)))));
        a = op_plus(c, a, mm(c, usv[0], mm(c, middle, usv[2])));
        op_val *inverse = m != n ? op_do2(c, "div", op_num(c, 1), as_row(c, usv[1])) : NULL;
        if (gu && m > k) a = op_plus(c, a, mm(c, mul(c, sub(c, gu, mm(c, usv[0], turn_u)), inverse), usv[2]));
        if (gv && n > k)
            a = op_plus(c, a, mm(c, mul(c, usv[0], inverse), op_swap(c, sub(c, gv, mm(c, v, turn_v)))));
        if (more_gu) a = op_plus(c, a, further(c, more_u, more_gu, mm(c, mul(c, usv[0], inverse), usv[2])));
        if (more_gv) {
            op_val *slope = mm(c, mul(c, v, inverse), op_swap(c, usv[0]));
            a = op_plus(c, a, op_swap(c, further(c, more_v, more_gv, slope)));
        }
    }
    gx[0] = op_fit(c, a, &u->sx[0]);
}
VJP(svdvals_vjp) {
    op_val *usv[OP_MAXOUT] = {NULL};
    op_do_all(c, "svd", NULL, 1, u->x, usv);
    gx[0] = op_fit(c, weighted(c, usv, g[0]), &u->sx[0]);
}
/* y = s_1 / s_k:  gs = g y (1/s_1, 0, ..., 0, -1/s_k) */
VJP(cond_vjp) {
    op_val *usv[OP_MAXOUT] = {NULL};
    arr ends = ARR_NONE;
    op_do_all(c, "svd", NULL, 1, u->x, usv);
    if (c->st != PH_OK) return;
    int64_t k = columns_of(op_spec_of(c, usv[1]));
    c->st = arr_zeros(&ends, ARR_F64, 1, &k, &c->err);
    if (c->st != PH_OK) return;
    ((double *)ends.data)[0] += 1;
    ((double *)ends.data)[k - 1] -= 1;
    op_val *s = op_do1(c, "derivative of cond", usv[1]);
    op_val *gs = op_do2(c, "div", mul(c, mul(c, g[0], u->y[0]), op_hold(c, &ends)), s);
    gx[0] = op_fit(c, weighted(c, usv, gs), &u->sx[0]);
}

/* Y = A+ along matrices of one rank (Golub and Pereyra), P = 1 - A Y, Q = 1 - Y A:  gA = -Y'gY' + P g'Y Y' + Y'Y g'Q */
VJP(pinv_vjp) {
    op_val *a = op_do(c, "derivative of pinv", u->attrs, 1, u->x), *y = u->y[0], *t = op_swap(c, y),
           *gt = op_swap(c, g[0]);
    op_val *x = op_times(c, mm(c, t, mm(c, g[0], t)), -1), *gyy = mm(c, gt, mm(c, y, t)),
           *yyg = mm(c, mm(c, t, y), gt);
    x = op_plus(c, x, sub(c, gyy, mm(c, a, mm(c, y, gyy))));
    gx[0] = op_fit(c, op_plus(c, x, sub(c, yyg, mm(c, mm(c, yyg, y), a))), &u->sx[0]);
}

/* x = A+ b along matrices of one rank, r = b - A x, z = A+'gx:  gb = z,  gA = r (A+ z)' - z x' + A+'x (gx - A'z)'
 * The residual norm e = |r|: gA = -g (r/e) x', gb = g r/e, since A'r = 0. The singular values: as svdvals. The rank is a staircase. */
VJP(lstsq_vjp) {
    op_val *a = op_do(c, "derivative of pinv", u->attrs, 1, u->x), *ga = NULL, *gb = NULL;
    op_val *x = columns(c, u, u->y[0]), *r = sub(c, columns(c, u, u->x[1]), mm(c, a, x));
    if (g[0]) {
        op_val *y = op_do(c, "pinv", u->attrs, 1, &a), *h = columns(c, u, g[0]), *z = mm(c, op_swap(c, y), h);
        gb = z;
        ga = sub(c, mm(c, r, op_swap(c, mm(c, y, z))), mm(c, z, op_swap(c, x)));
        ga = op_plus(c, ga, mm(c, mm(c, op_swap(c, y), x), op_swap(c, sub(c, h, mm(c, op_swap(c, a), z)))));
    }
    if (g[1]) {
        op_val *zero = op_do2(c, "eq", u->y[1], op_num(c, 0)); /* the norm has 0 at 0 */
        op_val *e = op_do3(c, "where", zero, op_num(c, 1), u->y[1]),
               *along = mul(c, r, op_do2(c, "div", g[1], e));
        gb = op_plus(c, gb, along);
        ga = sub(c, ga, mm(c, along, op_swap(c, x)));
    }
    if (g[3]) {
        op_val *usv[OP_MAXOUT] = {NULL};
        op_do_all(c, "svd", NULL, 1, u->x, usv);
        ga = op_plus(c, ga, weighted(c, usv, g[3]));
    }
    if (u->wants[0]) gx[0] = op_fit(c, ga, &u->sx[0]);
    if (u->wants[1]) gx[1] = op_fit(c, no_columns(c, u, gb), &u->sx[1]);
}

/* ---- rules of the rows that only rules call (linalg_inner.c) ---------------------------------------------- */

/* F = 1/D, D_ij = w_j - w_i (or the squares):  gD = -g o F o F,  gw_i = sum_k gD_ki - sum_k gD_ik (times 2 w_i) */
VJP(gaps_vjp) {
    op_val *gd = op_times(c, mul(c, g[0], mul(c, u->y[0], u->y[0])), -1);
    op_val *gw = sub(c, op_do_axis(c, "sum", gd, -2, false), op_do_axis(c, "sum", gd, -1, false));
    gx[0] = strcmp(u->row->name, "derivative of svd") == 0 ? op_times(c, mul(c, u->x[0], gw), 2) : gw;
}
VJP(itself_vjp) {
    (void)c, (void)u;
    gx[0] = g[0];
}
/* The slope g again; its own slope by w is none, since equal values and zeros are excluded or stay what they are. */
VJP(slopes_vjp) {
    op_attrs forwards = {.nints = 1};
    gx[1] = op_fit(c, op_do(c, u->row->name, &forwards, 2, (op_val *[]){u->x[0], g[0]}), &u->sx[1]);
}
JVP(full_rank_jvp) { dy[0] = op_do(c, "derivative of a rank", u->attrs, 2, (op_val *[]){dx[0], u->x[0]}); }

const op_rule arr_linalg_rules[] = {
    {.name = "solve", .vjp = solve_vjp, .jvp = solve_jvp, .batch = solve_batch, .drop = 2},
    {.name = "inv", .vjp = inv_vjp, .jvp = inv_jvp, .batch = op_batch_stack, .drop = OP_DROP_X},
    {.name = "det", .vjp = det_vjp, .drop = OP_DROP_Y},
    {.name = "derivative of det", .vjp = cofactors_vjp, .drop = OP_DROP_Y},
    {.name = "slogdet", .vjp = slogdet_vjp, .drop = OP_DROP_Y},
    {.name = "cholesky",
     .vjp = cholesky_vjp,
     .jvp = cholesky_jvp,
     .batch = op_batch_stack,
     .drop = OP_DROP_X},
    {.name = "qr", .vjp = qr_vjp, .batch = op_batch_stack},
    {.name = "svd", .vjp = svd_vjp, .batch = op_batch_stack},
    {.name = "svdvals", .vjp = svdvals_vjp, .batch = op_batch_stack, .drop = OP_DROP_Y},
    {.name = "cond", .vjp = cond_vjp},
    {.name = "pinv", .vjp = pinv_vjp, .batch = op_batch_stack},
    {.name = "lstsq", .vjp = lstsq_vjp},
    {.name = "eigh", .vjp = eigh_vjp, .batch = op_batch_stack, .drop = OP_DROP_X},
    {.name = "derivative of eigh", .vjp = gaps_vjp, .batch = op_batch_stack},
    {.name = "derivative of svd", .vjp = gaps_vjp, .batch = op_batch_stack},
    {.name = "derivative of pinv",
     .vjp = itself_vjp,
     .jvp = full_rank_jvp,
     .batch = op_batch_stack,
     .drop = OP_DROP_Y},
    {.name = "derivative of a rank", .vjp = itself_vjp, .drop = OP_DROP_X | OP_DROP_Y},
    {.name = "derivative of cond", .vjp = itself_vjp, .drop = OP_DROP_X | OP_DROP_Y},
    {.name = "derivative of qr", .vjp = itself_vjp, .batch = op_batch_stack, .drop = OP_DROP_X | OP_DROP_Y},
    {.name = "derivative of a basis", .vjp = itself_vjp, .drop = OP_DROP_X | OP_DROP_Y},
    {.name = "derivative of eigenvalues",
     .vjp = slopes_vjp,
     .batch = op_batch_elementwise,
     .drop = 2 | OP_DROP_Y},
    {.name = "derivative of singular values",
     .vjp = slopes_vjp,
     .batch = op_batch_elementwise,
     .drop = 2 | OP_DROP_Y},
};
const int arr_linalg_nrules = sizeof arr_linalg_rules / sizeof *arr_linalg_rules;
