/* linalg_inner.c: rows that only the derivative rules of linear algebra call (rules_linalg.c): what must see the numbers.
 *
 *   derivative of det(A, B1, ..., Bk)     the cofactors of A, differentiated along B1, ..., Bk
 *   derivative of eigh(w), of svd(s)      F_ij = 1/(w_j - w_i), 1/(s_j^2 - s_i^2), 0 on the diagonal
 *   derivative of eigenvalues(w, g)       g itself; of singular values (s, g): 0 where s is 0; ints: one, when g is a tangent
 *   derivative of cond(s), of qr(R)       the operand itself
 *   derivative of pinv(A)                 the same; num: the tolerance that pinv was given
 *   derivative of a rank(dA, A)           dA itself; num as for pinv
 *   derivative of a basis(g, M)           g itself, M = Q'g
 *
 * All but the first refuse what has no derivative, by position and value: values that meet, ranks that are not full.
 */
#include "array/linalg.h"

#include <math.h>
#include <string.h>

static bool named(const op *self, const char *name) { return strcmp(self->name, name) == 0; }

/* ---- cofactors ------------------------------------------------------------------------------------------ */

/* det is a polynomial: it has derivatives of every order everywhere, also where no inverse is. With A = U diag(s) V', the
 * cofactors of A + t B + ... are det U det V U C V', C those of diag(s) + t U'BV + .... Their derivative along B1, ..., Bk at
 * t = 0: every set I of k+1 rows (and the same columns) adds the product of the s outside of I times the mixed cofactors of
 * U'B1V, ..., U'BkV on I. No division: a singular matrix is as good as any other. n^(k+1) terms. */
enum { MOST_BS = 6 };

typedef struct {
    int64_t n;
    int k;
    const double *b[MOST_BS]; /* each (n, n) */
    const double *s;
    double *c;               /* C, to be added to */
    int64_t at[MOST_BS + 1]; /* I, ascending */
} mixture;

/* The sum over all ways to take one entry from each of k matrices, in different rows `row` on and different columns, with the
 * sign of the permutation: the coefficient of t1 ... tk in det(t1 B1 + ... + tk Bk). */
static double mixed_det(const mixture *x, int row, int out_row, unsigned columns, unsigned matrices) {
    double sum = 0;
    int sign = 1;
    if (matrices == 0) return 1;
    if (row == out_row) row++;
    for (int j = 0; j <= x->k; j++) {
        if (!(columns & 1u << j)) continue;
        for (int m = 0; m < x->k; m++)
            if (matrices & 1u << m)
                sum += sign * x->b[m][x->at[row] * x->n + x->at[j]] *
                       mixed_det(x, row + 1, out_row, columns & ~(1u << j), matrices & ~(1u << m));
        sign = -sign;
    }
    return sum;
}

static void add_set(const mixture *x, double rest) {
    unsigned all = (1u << (x->k + 1)) - 1, matrices = (1u << x->k) - 1;
    for (int i = 0; i <= x->k; i++)
        for (int j = 0; j <= x->k; j++)
            x->c[x->at[i] * x->n + x->at[j]] +=
                ((i + j) % 2 ? -rest : rest) * mixed_det(x, 0, i, all & ~(1u << j), matrices);
}

/* All I that continue at[0 .. chosen-1] with indices from `from` on; rest: the product of the s below `from` that were left out. */
static void add_sets(mixture *x, int chosen, int64_t from, double rest) {
    if (rest == 0 || ph_interrupted()) return;
    if (chosen == x->k + 1) {
        for (int64_t i = from; i < x->n; i++) rest *= x->s[i];
        if (rest != 0) add_set(x, rest);
        return;
    }
    for (int64_t i = from; i < x->n - (x->k - chosen); i++) {
        x->at[chosen] = i;
        add_sets(x, chosen + 1, i + 1, rest);
        rest *= x->s[i];
    }
}

LIN_SHAPE(cofactors_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = ARR_F64, .ndim = in->ndim};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    if (nin - 1 > MOST_BS)
        return ph_fail(err, PH_EUNABLE, "derivatives of det are known up to order %d", MOST_BS + 1);
    for (int i = 1; i < nin; i++)
        if (!arr_same_shape(&in[i], in)) return ph_fail(err, PH_EARG, "a direction has not the shape of A");
    return arr_lin_check_matrix(in, "A", false, true, err);
}
LIN_FORWARD(cofactors_forward) {
    LIN_UNUSED;
    arr usv[3] = {ARR_NONE}, rotated[MOST_BS] = {ARR_NONE}, ut = ARR_NONE, v = ARR_NONE, d = ARR_NONE,
        t = ARR_NONE, c = ARR_NONE;
    mixture x = {.n = in->shape[0], .k = nin - 1};
    double sign = 1;
    ph_status st = PH_OK;
    if (arr_size(in) == 0) return PH_OK;
    PH_TRY(op_apply(usv, op_find("svd"), in, 1, &(op_attrs){0}, err));
    for (int i = 0; i < 3; i += 2) {
        PH_TRY(op_call1(&d, "det", &usv[i], err));
        sign = *(double *)d.data < 0 ? -sign : sign;
        arr_drop(&d);
    }
    PH_TRY(arr_permute(&ut, &usv[0], (int[]){1, 0}, err));
    PH_TRY(arr_permute(&v, &usv[2], (int[]){1, 0}, err));
    for (int i = 0; i < x.k; i++) {
        PH_TRY(op_call2(&d, "matmul", &ut, &in[i + 1], err));
        PH_TRY(op_call2(&t, "matmul", &d, &v, err));
        PH_TRY(arr_contiguous(&rotated[i], &t, ARR_F64, err));
        x.b[i] = (const double *)rotated[i].data;
        arr_drop(&d);
        arr_drop(&t);
    }
    PH_TRY(arr_zeros(&c, ARR_F64, 2, in->shape, err));
    x.c = (double *)c.data;
    x.s = (const double *)usv[1].data;
    add_sets(&x, 0, 0, sign);
    if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
    PH_TRY(op_call2(&d, "matmul", &usv[0], &c, err));
    PH_TRY(op_call2(&t, "matmul", &d, &usv[2], err));
    st = arr_assign(out, &t, err);
done:
    for (int k = 0; k < 3; k++) arr_drop(&usv[k]);
    for (int k = 0; k < MOST_BS; k++) arr_drop(&rotated[k]);
    arr_drop(&ut);
    arr_drop(&v);
    arr_drop(&d);
    arr_drop(&t);
    arr_drop(&c);
    return st;
}

/* ---- values that meet ----------------------------------------------------------------------------------- */

/* Computed values are off by n eps times the largest at most. Closer ones cannot be told from equal ones, nor smaller ones from 0. */
static double resolution(const double *w, int64_t n) {
    double top = 0;
    for (int64_t i = 0; i < n; i++) top = fmax(top, fabs(w[i]));
    return (double)n * 0x1p-52 * top;
}
static bool apart(double a, double b, double least) { return fabs(a - b) > least; }

LIN_SHAPE(gaps_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = in->dtype, .ndim = in->ndim + 1};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    if (in->ndim < 1 || in->ndim + 1 > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "w has %d dimensions; wanted 1 to 7", in->ndim);
    out[0].shape[in->ndim] = in->shape[in->ndim - 1];
    return PH_OK;
}

static ph_status check_apart(bool singular, const double *w, int64_t n, bool tall, ph_err *err) {
    char text[32];
    double least = resolution(w, n);
    for (int64_t i = 0; i + 1 < n; i++)
        if (!apart(w[i], w[i + 1], least))
            return ph_fail(err, PH_EDOMAIN,
                           "%svalues %lld and %lld are equal (%s); vectors have no derivative there",
                           singular ? "singular " : "eigen", (long long)i + 1, (long long)i + 2,
                           arr_num_text(text, sizeof text, w[i]));
    if (tall && n > 0 && !(w[n - 1] > least))
        return ph_fail(err, PH_EDOMAIN, "singular value %lld is 0; vectors have no derivative there",
                       (long long)n);
    return PH_OK;
}

LIN_FORWARD(gaps_forward) {
    LIN_UNUSED;
    arr w = ARR_NONE;
    int64_t n = in->shape[in->ndim - 1];
    bool singular = named(self, "derivative of svd");
    ph_status st;
    PH_TRY(arr_contiguous(&w, in, ARR_F64, err));
    double *f = (double *)out->data;
    for (int64_t b = 0; n > 0 && b < arr_size(&w) / n; b++) {
        const double *v = (const double *)w.data + b * n;
        PH_TRY(check_apart(singular, v, n, attrs->nints > 0 && attrs->ints[0], err));
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++, f++)
                *f = i == j ? 0 : 1 / ((v[j] - v[i]) * (singular ? v[j] + v[i] : 1));
    }
done:
    arr_drop(&w);
    return st;
}

/* Equal values part in directions that depend on dA: each alone has a kink there. A function that treats them alike, as their
 * sum does, has none; its g is the same for both, but for the rounding that made it, which sqrt(eps) leaves room for. Forwards
 * there is no g that could say so. */
static ph_status slopes(double *out, const double *w, const double *g, int64_t n, bool singular,
                        bool forwards, ph_err *err) {
    char text[32];
    double least = resolution(w, n), top = 0;
    for (int64_t i = 0; i < n; i++) {
        out[i] = singular && !(w[i] > least) ? 0 : g[i];
        top = fmax(top, fabs(out[i]));
    }
    for (int64_t i = 0; i + 1 < n; i++)
        if (!apart(w[i], w[i + 1], least) && (forwards || apart(out[i], out[i + 1], 0x1p-26 * top)))
            return ph_fail(err, PH_EDOMAIN,
                           "%lld and %lld are equal (%s): each alone has a kink there. Only what treats both "
                           "alike, as their sum does, has a derivative, and only grad can tell",
                           (long long)i + 1, (long long)i + 2, arr_num_text(text, sizeof text, w[i]));
    return PH_OK;
}
LIN_SHAPE(slopes_shape) {
    LIN_UNUSED;
    const arr *both[2] = {&in[0], &in[1]};
    out->dtype = ARR_F64;
    if (in[0].ndim < 1) return ph_fail(err, PH_EARG, "w is one number; wanted (..., n)");
    return arr_broadcast_shape(&out->ndim, out->shape, both, 2, self->name, err);
}
LIN_FORWARD(slopes_forward) {
    LIN_UNUSED;
    arr operand[2] = {ARR_NONE, ARR_NONE}, flat[2] = {ARR_NONE, ARR_NONE};
    int64_t n = out->shape[out->ndim - 1];
    ph_status st = PH_OK;
    for (int i = 0; i < 2; i++) {
        PH_TRY(arr_broadcast_to(&operand[i], &in[i], out->ndim, out->shape, err));
        PH_TRY(arr_contiguous(&flat[i], &operand[i], ARR_F64, err));
    }
    for (int64_t at = 0; at < arr_size(out); at += n)
        PH_TRY(slopes((double *)out->data + at, (const double *)flat[0].data + at,
                      (const double *)flat[1].data + at, n, named(self, "derivative of singular values"),
                      attrs->nints > 0, err));
done:
    for (int i = 0; i < 2; i++) {
        arr_drop(&operand[i]);
        arr_drop(&flat[i]);
    }
    return st;
}

/* ---- ranks ---------------------------------------------------------------------------------------------- */

LIN_SHAPE(itself_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = in->dtype, .ndim = in->ndim};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    return PH_OK;
}

/* What a rank below full means for the pseudo-inverse: without a tolerance it jumps as soon as A moves. A tolerance of the
 * user's own keeps the rank: then what it cuts off must be 0, since the formulas hold along matrices of one rank. */
static ph_status check_rank(const double *s, int64_t k, const arr *a, const op_attrs *attrs, ph_err *err) {
    char text[32];
    int64_t rank = 0, whole = 0;
    while (rank < k && s[rank] > arr_lin_tolerance(a, attrs) * s[0]) rank++;
    while (whole < k && s[whole] > arr_lin_tolerance(a, &(op_attrs){0}) * s[0]) whole++;
    if (rank < k && !(attrs->num > 0))
        return ph_fail(err, PH_EDOMAIN,
                       "A has rank %lld, below %lld; its pseudo-inverse jumps there and has no derivative. "
                       "A tolerance of your own, as in pinv(A, 1e-9), says that the rank stays what it is",
                       (long long)rank, (long long)k);
    if (rank < whole)
        return ph_fail(err, PH_EDOMAIN,
                       "singular value %lld of A is cut off by the tolerance but is not 0 (%s); derivatives "
                       "are known along matrices of one rank",
                       (long long)rank + 1, arr_num_text(text, sizeof text, s[rank]));
    return PH_OK;
}
LIN_FORWARD(rank_forward) {
    LIN_UNUSED;
    arr s = ARR_NONE;
    ph_status st;
    PH_TRY(op_call1(&s, "svdvals", in, err));
    int64_t k = s.shape[s.ndim - 1];
    for (int64_t b = 0; k > 0 && b < arr_size(&s) / k; b++)
        PH_TRY(check_rank((const double *)s.data + b * k, k, in, attrs, err));
    st = arr_assign(out, in, err);
done:
    arr_drop(&s);
    return st;
}

/* U diag(1 where s counts) U', or the same of V. */
static ph_status projector(arr *out, const arr *s, const arr *u, bool right, double tol, ph_err *err) {
    arr t = ARR_NONE, columns = *u, kept = ARR_NONE, mask = ARR_NONE;
    int n = u->ndim, order[ARR_MAXDIM];
    int64_t k = s->shape[s->ndim - 1], shape[ARR_MAXDIM];
    ph_status st;
    for (int d = 0; d < n; d++) order[d] = d < n - 2 ? d : 2 * n - 3 - d;
    PH_TRY(arr_permute(&t, u, order, err));
    if (right) columns = t;
    const arr *rows = right ? u : &t;
    memcpy(shape, s->shape, sizeof shape);
    shape[n - 1] = k, shape[n - 2] = 1;
    PH_TRY(arr_zeros(&mask, ARR_F64, n, shape, err));
    for (int64_t i = 0; i < arr_size(s); i++) {
        const double *x = (const double *)s->data;
        ((double *)mask.data)[i] = x[i] > tol * x[i - i % k];
    }
    PH_TRY(op_call2(&kept, "mul", &columns, &mask, err));
    st = op_call2(out, "matmul", &kept, rows, err);
done:
    arr_drop(&t);
    arr_drop(&kept);
    arr_drop(&mask);
    return st;
}

/* The formulas of pinv are those along matrices of one rank, and so are their derivatives. dA leaves these matrices by (1 - P) dA
 * (1 - Q), P and Q the projectors on A's columns and rows. Of the first derivative nothing is missing by that: the tolerance cuts
 * it off. Of the second it is. What rounding leaves is far below sqrt(eps). */
LIN_FORWARD(moving_forward) {
    LIN_UNUSED;
    arr usv[3] = {ARR_NONE}, p = ARR_NONE, q = ARR_NONE, t = ARR_NONE, left = ARR_NONE, rest = ARR_NONE;
    double tol = arr_lin_tolerance(&in[1], attrs), norm[2];
    ph_status st;
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(op_apply(usv, op_find("svd"), &in[1], 1, &(op_attrs){0}, err));
    PH_TRY(projector(&p, &usv[1], &usv[0], false, tol, err));
    PH_TRY(projector(&q, &usv[1], &usv[2], true, tol, err));
    PH_TRY(op_call2(&t, "matmul", &p, &in[0], err));
    PH_TRY(op_call2(&left, "sub", &in[0], &t, err));
    arr_drop(&t);
    PH_TRY(op_call2(&t, "matmul", &left, &q, err));
    PH_TRY(op_call2(&rest, "sub", &left, &t, err));
    for (int i = 0; i < 2; i++) {
        arr_drop(&t);
        PH_TRY(op_apply(&t, op_find("norm"), i == 0 ? &rest : in, 1, &(op_attrs){.num = 2}, err));
        norm[i] = arr_get_num(&t, t.data);
    }
    if (!(norm[0] <= sqrt(arr_lin_eps(in[0].dtype)) * norm[1]))
        PH_TRY(ph_fail(
            err, PH_EDOMAIN,
            "A moves to matrices of another rank; the pseudo-inverse has no second derivative that way"));
    st = arr_assign(out, in, err);
done:
    for (int k = 0; k < 3; k++) arr_drop(&usv[k]);
    arr_drop(&p);
    arr_drop(&q);
    arr_drop(&t);
    arr_drop(&left);
    arr_drop(&rest);
    return st;
}

/* Singular values, (k). */
LIN_FORWARD(cond_forward) {
    LIN_UNUSED;
    const double *s = (const double *)in->data;
    int64_t k = in->shape[0];
    if (k > 0 && !(s[(k - 1) * in->stride[0]] > (double)k * 0x1p-52 * s[0]))
        return ph_fail(err, PH_EDOMAIN,
                       "A is singular: the condition number is infinite and has no derivative");
    return arr_assign(out, in, err);
}

/* R (..., n, n), upper triangular. */
LIN_FORWARD(triangle_forward) {
    LIN_UNUSED;
    arr r = ARR_NONE;
    int64_t n = in->shape[in->ndim - 1];
    ph_status st;
    PH_TRY(arr_contiguous(&r, in, ARR_F64, err));
    for (int64_t b = 0; n > 0 && b < arr_size(&r) / (n * n); b++) {
        const double *x = (const double *)r.data + b * n * n;
        double least = 0;
        for (int64_t i = 0; i < n * n; i++) least = fmax(least, fabs(x[i]));
        least *= (double)n * arr_lin_eps(in->dtype);
        for (int64_t i = 0; i < n; i++)
            if (!(fabs(x[i * n + i]) > least))
                PH_TRY(ph_fail(err, PH_EDOMAIN,
                               "column %lld of A depends on those before it; Q has no derivative there",
                               (long long)i + 1));
    }
    st = arr_assign(out, in, err);
done:
    arr_drop(&r);
    return st;
}

/* ---- a basis of what is left over ----------------------------------------------------------------------- */

/* The further columns Q of a full factor are any orthonormal basis of the complement: only a function that does not see which has
 * a derivative. When Q turns by dQ = Q K, K skew, it must not change: <g, Q K> = 0, so M = Q'g is symmetric. What rounding
 * leaves is far below sqrt(eps). */
LIN_SHAPE(basis_shape) {
    LIN_UNUSED;
    out[0] = (op_spec){.dtype = in->dtype, .ndim = in->ndim};
    memcpy(out[0].shape, in->shape, sizeof in->shape);
    return arr_lin_check_matrix(&in[1], "M", true, true, err);
}
LIN_FORWARD(basis_forward) {
    LIN_UNUSED;
    arr m = ARR_NONE, top = ARR_NONE;
    int64_t n = in[1].shape[in[1].ndim - 1];
    ph_status st;
    PH_TRY(arr_contiguous(&m, &in[1], ARR_F64, err));
    PH_TRY(op_apply(&top, op_find("norm"), in, 1, &(op_attrs){.num = 2}, err));
    double least = sqrt(arr_lin_eps(in->dtype)) * arr_get_num(&top, top.data);
    for (int64_t b = 0; n > 0 && b < arr_size(&m) / (n * n); b++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < i; j++) {
                const double *x = (const double *)m.data + b * n * n;
                if (!(fabs(x[i * n + j] - x[j * n + i]) <= least))
                    PH_TRY(ph_fail(
                        err, PH_EDOMAIN,
                        "the further columns of a full factor are any basis of what is left over, and "
                        "the function depends on which; wanted the thin form, or a function of "
                        "matmul(Q, Q.T) of these columns"));
            }
    st = arr_assign(out, in, err);
done:
    arr_drop(&m);
    arr_drop(&top);
    return st;
}

#define ROW(NAME, MIN, MAX, SHAPE, FORWARD)                                                                  \
    LIN_ROW("derivative of " NAME, OP_SIG_OTHER, MIN, MAX, 1, OP_SMOOTH | OP_INNER, SHAPE, FORWARD)
const op arr_rule_ops[] = {
    ROW("det", 1, -1, cofactors_shape, cofactors_forward),
    ROW("eigh", 1, 1, gaps_shape, gaps_forward),
    ROW("svd", 1, 1, gaps_shape, gaps_forward),
    ROW("eigenvalues", 2, 2, slopes_shape, slopes_forward),
    ROW("singular values", 2, 2, slopes_shape, slopes_forward),
    ROW("pinv", 1, 1, itself_shape, rank_forward),
    ROW("a rank", 2, 2, itself_shape, moving_forward),
    ROW("cond", 1, 1, itself_shape, cond_forward),
    ROW("qr", 1, 1, itself_shape, triangle_forward),
    ROW("a basis", 2, 2, basis_shape, basis_forward),
};
const int arr_rule_nops = sizeof arr_rule_ops / sizeof arr_rule_ops[0];
