/* rules_linalg.c: how the rows on matrices differentiate: solve, inv, det, slogdet, cholesky, qr, singular values, least squares,
 * eigenvalues. Formulas: Giles 2008, "Collected matrix derivative results"; Townsend 2016 for the SVD; Golub and Pereyra
 * 1973 for the pseudo-inverse.
 *
 * Letters: ' is the transpose, g the cotangent of a result, o the product entry by entry, F_ij = 1/(w_j - w_i) with 0 on its diagonal.
 * The rows that read a symmetric matrix (cholesky, eigh) are functions of (A + A')/2, and so their derivatives are symmetric.
 *
 * Eigenvectors turn infinitely fast where two eigenvalues meet, and singular vectors likewise. F is a row of its own for that
 * reason ("derivative of eigh", below): it sees the numbers, and refuses them by position and value. The cofactors are another.
 */
#include "array/linalg.h"
#include "array/rule.h"

#include <math.h>
#include <string.h>

#define VJP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx)
#define JVP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy)
#define BATCH(NAME)                                                                                          \
    static void NAME(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y)

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
/* C = y X, X = A'^-1:  gA = <C, g> X - C g' X, for a matrix that is not singular */
VJP(cofactors_vjp) {
    op_val *x = op_swap(c, op_do1(c, "inv", u->x[0])), *all = op_do1(c, "sum", mul(c, u->y[0], g[0]));
    gx[0] = op_fit(c, sub(c, mul(c, all, x), mm(c, u->y[0], mm(c, op_swap(c, g[0]), x))), &u->sx[0]);
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

/* A = Q R, Q (m, n), R (n, n):  gA = (gQ + Q C) R'^-1, where M = R gR' - gQ' Q and C = its lower triangle made symmetric. */
VJP(qr_vjp) {
    const op_spec *q = &u->sy[0], *r = &u->sy[1];
    int64_t m = q->shape[q->ndim - 2], k = q->shape[q->ndim - 1], n = r->shape[r->ndim - 1];
    if (k != n || n > m) {
        (void)op_fail(c, PH_EUNABLE,
                      "qr: A is %lld by %lld%s; its derivative is known for at least as many rows as "
                      "columns, thin form",
                      (long long)m, (long long)n, k > n ? " and Q is full" : "");
        return;
    }
    op_val *middle = sub(c, mm(c, u->y[1], op_swap(c, g[1])), mm(c, op_swap(c, g[0]), u->y[0]));
    op_val *both = op_plus(c, lower(c, middle, 1, 1), op_swap(c, lower(c, middle, 1, 0)));
    op_val *x = op_plus(c, g[0], mm(c, u->y[0], both));
    gx[0] = op_fit(c, op_swap(c, solve(c, u->y[1], op_swap(c, x))), &u->sx[0]);
}

/* ---- eigenvalues ---------------------------------------------------------------------------------------- */

/* A = V diag(w) V':  dw = diag(V' dA V), dV = V (F o V' dA V);  gA = sym(V (diag(gw) + F o V' gV) V') */
VJP(eigh_vjp) {
    op_val *v = u->y[1], *t = op_swap(c, v), *a = NULL;
    if (g[0]) a = mm(c, mul(c, v, as_row(c, g[0])), t);
    if (g[1]) {
        op_val *f = op_do1(c, "derivative of eigh", u->y[0]);
        a = op_plus(c, a, mm(c, v, mm(c, mul(c, f, mm(c, t, g[1])), t)));
    }
    gx[0] = op_fit(c, sym(c, a), &u->sx[0]);
}
/* Values that meet part in directions that depend on dA; V already fixes them only when they are apart. So both results wait
 * for F, unless the vectors are never looked at, which only the transposed rule can know: there is no jvp. */

/* ---- singular values ------------------------------------------------------------------------------------ */

static int64_t rows_of(const op_spec *s) { return s->shape[s->ndim - 2]; }
static int64_t columns_of(const op_spec *s) { return s->shape[s->ndim - 1]; }

/* U diag(v) Vt */
static op_val *weighted(op_ctx *c, op_val *const *usv, op_val *v) {
    return mm(c, mul(c, usv[0], as_row(c, v)), usv[2]);
}

/* A = U diag(s) V', F_ij = 1/(s_j^2 - s_i^2):
 *   gA = U (F o (U'gU - gU'U) S + S F o (V'gV - gV'V) + diag(gs)) V' + (1 - U U') gU S^-1 V' + U S^-1 gV' (1 - V V') */
VJP(svd_vjp) {
    op_val *usv[3] = {u->y[0], u->y[1], u->y[2]}, *gu = g[0], *gs = g[1], *gvt = g[2];
    int64_t m = rows_of(&u->sx[0]), n = columns_of(&u->sx[0]), k = m < n ? m : n;
    bool full = columns_of(&u->sy[0]) > k || rows_of(&u->sy[2]) > k;
    if (full && (gu || gvt)) {
        (void)op_fail(c, PH_EUNABLE,
                      "svd: the further columns of a full factor are not determined by A and have no "
                      "derivative; wanted the "
                      "thin form");
        return;
    }
    if (full) op_do_all(c, "svd", NULL, 1, u->x, usv);
    op_val *a = gs ? weighted(c, usv, gs) : NULL;
    if (gu || gvt) {
        op_par tall = {.nints = 1, .ints = {m != n}};
        op_val *f = op_do(c, "derivative of svd", &tall, 1, &usv[1]), *v = op_swap(c, usv[2]), *middle = NULL;
        op_val *turn_u = mm(c, op_swap(c, usv[0]), gu), *turn_v = mm(c, usv[2], op_swap(c, gvt));
        if (gu) middle = mul(c, mul(c, f, sub(c, turn_u, op_swap(c, turn_u))), as_row(c, usv[1]));
        if (gvt)
            middle = op_plus(c, middle,
                             mul(c, as_column(c, usv[1]), mul(c, f, sub(c, turn_v, op_swap(c, turn_v)))));
        a = op_plus(c, a, mm(c, usv[0], mm(c, middle, usv[2])));
        op_val *inverse = m != n ? op_do2(c, "div", op_num(c, 1), as_row(c, usv[1])) : NULL;
        if (gu && m > k) a = op_plus(c, a, mm(c, mul(c, sub(c, gu, mm(c, usv[0], turn_u)), inverse), usv[2]));
        if (gvt && n > k)
            a = op_plus(c, a, mm(c, mul(c, usv[0], inverse), sub(c, gvt, mm(c, mm(c, gvt, v), usv[2]))));
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
    op_val *gs = op_do2(c, "div", mul(c, mul(c, g[0], u->y[0]), op_hold(c, &ends)), usv[1]);
    gx[0] = op_fit(c, weighted(c, usv, gs), &u->sx[0]);
}

/* Y = A+ at full rank, P = 1 - A Y, Q = 1 - Y A:  gA = -Y'gY' + P g'Y Y' + Y'Y g'Q */
VJP(pinv_vjp) {
    op_val *a = op_do(c, "derivative of pinv", u->par, 1, u->x), *y = u->y[0], *t = op_swap(c, y),
           *gt = op_swap(c, g[0]);
    op_val *x = op_times(c, mm(c, t, mm(c, g[0], t)), -1), *gyy = mm(c, gt, mm(c, y, t)),
           *yyg = mm(c, mm(c, t, y), gt);
    x = op_plus(c, x, sub(c, gyy, mm(c, a, mm(c, y, gyy))));
    gx[0] = op_fit(c, op_plus(c, x, sub(c, yyg, mm(c, mm(c, yyg, y), a))), &u->sx[0]);
}

/* x = A+ b at full rank, r = b - A x, z = A+'gx:  gb = z,  gA = r (A+ z)' - z x' + A+'x (gx - A'z)'
 * The residual norm e = |r|: gA = -g (r/e) x', gb = g r/e, since A'r = 0. The singular values: as svdvals. The rank is a staircase. */
VJP(lstsq_vjp) {
    op_val *a = op_do(c, "derivative of pinv", u->par, 1, u->x), *ga = NULL, *gb = NULL;
    op_val *x = columns(c, u, u->y[0]), *r = sub(c, columns(c, u, u->x[1]), mm(c, a, x));
    if (g[0]) {
        op_val *y = op_do(c, "pinv", u->par, 1, &a), *h = columns(c, u, g[0]), *z = mm(c, op_swap(c, y), h);
        gb = z;
        ga = sub(c, mm(c, r, op_swap(c, mm(c, y, z))), mm(c, z, op_swap(c, x)));
        ga = op_plus(c, ga, mm(c, mm(c, op_swap(c, y), x), op_swap(c, sub(c, h, mm(c, op_swap(c, a), z)))));
    }
    if (g[1]) {
        op_val *along = mul(c, r, op_do2(c, "div", g[1], u->y[1]));
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

/* ---- rows that only rules call --------------------------------------------------------------------------- */

/* F from w (..., n), ascending or descending: 1/(w_j - w_i) or, for svd, 1/(w_j^2 - w_i^2). */
static bool of_squares(const op *self) { return strcmp(self->name, "derivative of svd") == 0; }

LIN_SHAPE(gaps_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = in->dtype, .ndim = in->ndim + 1};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    if (in->ndim < 1 || in->ndim + 1 > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "w has %d dimensions; wanted 1 to 7", in->ndim);
    out[0].shape[in->ndim] = in->shape[in->ndim - 1];
    return PH_OK;
}

/* What a computed value may be off by: n eps times the largest. Closer ones cannot be told from equal ones. */
static ph_status check_apart(const op *self, const double *w, int64_t n, bool tall, int base, ph_err *err) {
    char text[32];
    double top = 0;
    const char *what = of_squares(self) ? "singular" : "eigen";
    for (int64_t i = 0; i < n; i++) top = fmax(top, fabs(w[i]));
    for (int64_t i = 0; i + 1 < n; i++)
        if (!(fabs(w[i + 1] - w[i]) > (double)n * 0x1p-52 * top))
            return ph_fail(err, PH_EDOMAIN,
                           "%s%svalues %lld and %lld are equal (%s); vectors have no derivative there", what,
                           of_squares(self) ? " " : "", (long long)i + base, (long long)i + 1 + base,
                           arr_num_text(text, sizeof text, w[i]));
    if (tall && n > 0 && !(w[n - 1] > (double)n * 0x1p-52 * top))
        return ph_fail(err, PH_EDOMAIN, "singular value %lld is 0; vectors have no derivative there",
                       (long long)n - 1 + base);
    return PH_OK;
}

LIN_FORWARD(gaps_forward) {
    LIN_UNUSED;
    arr w = ARR_NONE;
    int64_t n = in->shape[in->ndim - 1];
    ph_status st;
    PH_TRY(arr_contiguous(&w, in, ARR_F64, err));
    double *f = (double *)out->data;
    for (int64_t b = 0; n > 0 && b < arr_size(&w) / n; b++) {
        const double *v = (const double *)w.data + b * n;
        PH_TRY(check_apart(self, v, n, par->nints > 0 && par->ints[0], 1, err));
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++, f++)
                *f = i == j ? 0 : 1 / ((v[j] - v[i]) * (of_squares(self) ? v[j] + v[i] : 1));
    }
done:
    arr_drop(&w);
    return st;
}

/* With A = U diag(s) V': C = det U det V U diag(c) V', c_i the product of all s but s_i. */
LIN_SHAPE(cofactors_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = ARR_F64, .ndim = in->ndim};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    return arr_lin_check_matrix(in, "A", false, true, err);
}
LIN_FORWARD(cofactors_forward) {
    LIN_UNUSED;
    arr usv[3] = {ARR_NONE}, du = ARR_NONE, dv = ARR_NONE, scaled = ARR_NONE, product = ARR_NONE;
    ph_status st = PH_OK;
    if (arr_size(in) == 0) return PH_OK;
    PH_TRY(op_apply(usv, op_find("svd"), in, 1, par, err));
    PH_TRY(op_call1(&du, "det", &usv[0], err));
    PH_TRY(op_call1(&dv, "det", &usv[2], err));
    double sign = *(double *)du.data * *(double *)dv.data < 0 ? -1 : 1, *s = (double *)usv[1].data;
    int64_t n = usv[1].shape[0];
    PH_TRY(arr_new(&scaled, ARR_F64, 1, &n, err));
    for (int64_t i = 0; i < n; i++) {
        double c = sign;
        for (int64_t j = 0; j < n; j++) c *= j == i ? 1 : s[j];
        ((double *)scaled.data)[i] = c;
    }
    arr_drop(&du);
    PH_TRY(op_call2(&du, "mul", &usv[0], &scaled, err)); /* U diag(c) */
    PH_TRY(op_call2(&product, "matmul", &du, &usv[2], err));
    st = arr_assign(out, &product, err);
done:
    for (int k = 0; k < 3; k++) arr_drop(&usv[k]);
    arr_drop(&du);
    arr_drop(&dv);
    arr_drop(&scaled);
    arr_drop(&product);
    return st;
}

/* A itself, refused where its rank is not full: there the pseudo-inverse jumps. */
LIN_SHAPE(full_rank_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = in->dtype, .ndim = in->ndim};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    return arr_lin_check_matrix(in, "A", true, false, err);
}
LIN_FORWARD(full_rank_forward) {
    LIN_UNUSED;
    arr s = ARR_NONE;
    ph_status st;
    PH_TRY(op_call1(&s, "svdvals", in, err));
    int64_t k = s.shape[s.ndim - 1];
    for (int64_t b = 0; k > 0 && b < arr_size(&s) / k; b++) {
        const double *v = (const double *)s.data + b * k;
        int64_t rank = 0;
        while (rank < k && v[rank] > arr_lin_tolerance(in, par) * v[0]) rank++;
        if (rank < k)
            PH_TRY(
                ph_fail(err, PH_EDOMAIN,
                        "A has rank %lld, below %lld; its pseudo-inverse jumps there and has no derivative",
                        (long long)rank, (long long)k));
    }
    st = arr_assign(out, in, err);
done:
    arr_drop(&s);
    return st;
}

const op arr_rule_ops[] = {
    LIN_ROW("derivative of det", OP_SIG_OTHER, 1, 1, 1, OP_SMOOTH | OP_INNER, cofactors_shape,
            cofactors_forward),
    LIN_ROW("derivative of eigh", OP_SIG_OTHER, 1, 1, 1, OP_SMOOTH | OP_INNER, gaps_shape, gaps_forward),
    LIN_ROW("derivative of svd", OP_SIG_OTHER, 1, 1, 1, OP_SMOOTH | OP_INNER, gaps_shape, gaps_forward),
    LIN_ROW("derivative of pinv", OP_SIG_OTHER, 1, 1, 1, OP_SMOOTH | OP_INNER, full_rank_shape,
            full_rank_forward),
};
const int arr_rule_nops = sizeof arr_rule_ops / sizeof arr_rule_ops[0];

/* F = 1/D, D_ij = w_j - w_i (or the squares):  gD = -g o F o F,  gw_i = sum_k gD_ki - sum_k gD_ik (times 2 w_i) */
VJP(gaps_vjp) {
    op_val *gd = op_times(c, mul(c, g[0], mul(c, u->y[0], u->y[0])), -1);
    op_val *gw = sub(c, op_do_axis(c, "sum", gd, -2, false), op_do_axis(c, "sum", gd, -1, false));
    gx[0] = of_squares(u->row) ? op_times(c, mul(c, u->x[0], gw), 2) : gw;
}
VJP(itself_vjp) {
    (void)c, (void)u;
    gx[0] = g[0];
}

const op_rule arr_linalg_rules[] = {
    {.name = "solve", .vjp = solve_vjp, .jvp = solve_jvp, .batch = solve_batch, .drop = 2},
    {.name = "inv", .vjp = inv_vjp, .jvp = inv_jvp, .batch = op_batch_stack, .drop = OP_DROP_X},
    {.name = "det", .vjp = det_vjp, .drop = OP_DROP_Y},
    {.name = "derivative of det", .vjp = cofactors_vjp},
    {.name = "slogdet", .vjp = slogdet_vjp, .drop = OP_DROP_Y},
    {.name = "cholesky",
     .vjp = cholesky_vjp,
     .jvp = cholesky_jvp,
     .batch = op_batch_stack,
     .drop = OP_DROP_X},
    {.name = "qr", .vjp = qr_vjp, .batch = op_batch_stack, .drop = OP_DROP_X},
    {.name = "svd", .vjp = svd_vjp, .batch = op_batch_stack},
    {.name = "svdvals", .vjp = svdvals_vjp, .batch = op_batch_stack, .drop = OP_DROP_Y},
    {.name = "cond", .vjp = cond_vjp},
    {.name = "pinv", .vjp = pinv_vjp, .batch = op_batch_stack},
    {.name = "lstsq", .vjp = lstsq_vjp},
    {.name = "eigh", .vjp = eigh_vjp, .batch = op_batch_stack, .drop = OP_DROP_X},
    {.name = "derivative of eigh", .vjp = gaps_vjp, .batch = op_batch_stack},
    {.name = "derivative of svd", .vjp = gaps_vjp, .batch = op_batch_stack},
    {.name = "derivative of pinv", .vjp = itself_vjp, .batch = op_batch_stack, .drop = OP_DROP_X | OP_DROP_Y},
};
const int arr_linalg_nrules = sizeof arr_linalg_rules / sizeof *arr_linalg_rules;
