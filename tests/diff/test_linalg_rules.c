/* Derivatives of linear algebra against hyper-dual elimination, Gram-Schmidt and Jacobi; and where there are none.
 * Sources: array/linalg_inner.c array/rule.c array/rules_linalg.c diff/sweep.c */
#include "diff/against.h"

#include "base/rng.h"

/* ---- the functions in C: x holds the entries of the operands one after another ------------------------- */

static hm take_matrix(const hd *x, int rows, int cols) {
    hm m = hm_new(rows, cols);
    memcpy(m.at, x, (size_t)(rows * cols) * sizeof *x);
    return m;
}
/* The sum of (k+1) y_k + y_k^2: every entry counts, and none as another. */
static hd mixture(hm y) {
    hd s = hd_of(0);
    for (int k = 0; k < y.rows * y.cols; k++)
        s = hd_add(s, hd_add(hd_scale(k + 1, y.at[k]), hd_mul(y.at[k], y.at[k])));
    return s;
}
static hm inverse(hm a) { return hm_solve(a, hm_eye(a.rows), NULL); }
/* x as a symmetric positive definite 3x3: X X' + 2 */
static hm definite(const hd *x) {
    hm a = take_matrix(x, 3, 3);
    return hm_zip(hd_add, hm_mul(a, hm_t(a)), hm_scale(2, hm_eye(3)));
}
static hm symmetric(const hd *x) {
    hm a = take_matrix(x, 3, 3);
    return hm_zip(hd_add, a, hm_t(a));
}

#define FUNCTION(NAME)                                                                                       \
    static hd NAME(const hd *x, int n, const void *ctx) {                                                    \
        (void)n, (void)ctx;
FUNCTION(solve_matrix)
return mixture(hm_solve(take_matrix(x, 3, 3), take_matrix(x + 9, 3, 2), NULL));
}
FUNCTION(solve_vector)
return mixture(hm_solve(take_matrix(x, 3, 3), take_matrix(x + 9, 3, 1), NULL));
}
FUNCTION(solve_stack) /* A (2, 2, 2), b (2, 1) for both */
hm y = hm_new(2, 2), b = take_matrix(x + 8, 2, 1);
for (int s = 0; s < 2; s++) {
    hm z = hm_solve(take_matrix(x + 4 * s, 2, 2), b, NULL);
    HM(y, s, 0) = z.at[0], HM(y, s, 1) = z.at[1];
}
return mixture(y);
}
FUNCTION(invert) return mixture(inverse(take_matrix(x, 3, 3)));
}
FUNCTION(determinant)
hd d;
hm_solve(take_matrix(x, 3, 3), hm_eye(3), &d);
return hd_mul(d, d);
}
FUNCTION(log_determinant) return hd_scale(0.5, hd_log(determinant(x, n, ctx)));
}
FUNCTION(factor) return mixture(hm_cholesky(definite(x)));
}
FUNCTION(orthogonalize) /* A (3, 2), Gram-Schmidt; R has a positive diagonal */
hm a = take_matrix(x, 3, 2), q = hm_new(3, 2), r = hm_new(2, 2);
for (int j = 0; j < 2; j++) {
    hd length = hd_of(0);
    for (int i = 0; i < 3; i++) HM(q, i, j) = HM(a, i, j);
    for (int k = 0; k < j; k++) {
        for (int i = 0; i < 3; i++) HM(r, k, j) = hd_add(HM(r, k, j), hd_mul(HM(q, i, k), HM(a, i, j)));
        for (int i = 0; i < 3; i++) HM(q, i, j) = hd_sub(HM(q, i, j), hd_mul(HM(r, k, j), HM(q, i, k)));
    }
    for (int i = 0; i < 3; i++) length = hd_add(length, hd_mul(HM(q, i, j), HM(q, i, j)));
    HM(r, j, j) = hd_sqrt(length);
    for (int i = 0; i < 3; i++) HM(q, i, j) = hd_div(HM(q, i, j), HM(r, j, j));
}
return hd_add(mixture(q), mixture(r));
}
/* Modified Gram-Schmidt with the entries of a as it goes on: the basis q of the columns, and r = q'a. */
FUNCTION(wide) /* A (2, 3) */
hm a = take_matrix(x, 2, 3), q = hm_new(2, 2), r;
hd length = hd_sqrt(hd_add(hd_mul(HM(a, 0, 0), HM(a, 0, 0)), hd_mul(HM(a, 1, 0), HM(a, 1, 0))));
hd turn = hd_sub(hd_mul(HM(a, 0, 0), HM(a, 1, 1)), hd_mul(HM(a, 1, 0), HM(a, 0, 1)));
double sign = turn.v < 0 ? -1 : 1; /* so that r has a positive diagonal */
HM(q, 0, 0) = hd_div(HM(a, 0, 0), length), HM(q, 1, 0) = hd_div(HM(a, 1, 0), length);
HM(q, 0, 1) = hd_scale(-sign, HM(q, 1, 0)), HM(q, 1, 1) = hd_scale(sign, HM(q, 0, 0));
r = hm_mul(hm_t(q), a);
HM(r, 1, 0) = hd_of(0);
return hd_add(mixture(q), mixture(r));
}
static hm complement(hm a) { /* 1 - A (A'A)^-1 A', the projector on what is left over */
    return hm_zip(hd_sub, hm_eye(a.rows), hm_mul(hm_mul(a, inverse(hm_mul(hm_t(a), a))), hm_t(a)));
}
FUNCTION(left_over) return mixture(complement(take_matrix(x, 4, 2)));
}
FUNCTION(left_over_wide) return mixture(complement(hm_t(take_matrix(x, 2, 4))));
}
FUNCTION(low_rank) /* A = B C, B (3, 1), C (1, 2): A+ = C+ B+ */
hm b = take_matrix(x, 3, 1), c = take_matrix(x + 3, 1, 2);
hm bb = hm_mul(hm_t(b), b), cc = hm_mul(c, hm_t(c));
return mixture(hm_mul(hm_mul(hm_t(c), inverse(cc)), hm_mul(inverse(bb), hm_t(b))));
}
FUNCTION(
    low_rank_system) /* the same A, of rank 1, and a right side (3): the shortest solution and the residual's norm */
hm b = take_matrix(x, 3, 1), c = take_matrix(x + 3, 1, 2), right = take_matrix(x + 5, 3, 1);
hm bb = hm_mul(hm_t(b), b), cc = hm_mul(c, hm_t(c));
hm y = hm_mul(hm_mul(hm_mul(hm_t(c), inverse(cc)), hm_mul(inverse(bb), hm_t(b))), right);
hm r = hm_zip(hd_sub, right, hm_mul(hm_mul(b, c), y));
hd e = hd_of(0);
for (int i = 0; i < 3; i++) e = hd_add(e, hd_mul(r.at[i], r.at[i]));
return hd_add(mixture(y), hd_sqrt(e));
}
FUNCTION(eigenvalues)
hd w[3];
hm_eigh(w, symmetric(x));
return hd_add(hd_mul(w[0], w[1]), hd_mul(w[2], hd_mul(w[2], w[2])));
}
FUNCTION(eigenvectors) /* products of two entries of one vector: blind to its sign */
hd w[3], s = hd_of(0);
hm v = hm_eigh(w, symmetric(x));
for (int k = 0; k < 3; k++)
    s = hd_add(s, hd_mul(hd_add(w[k], hd_of(k)),
                         hd_mul(HM(v, 0, k), hd_add(HM(v, 1, k), hd_mul(HM(v, 2, k), hd_of(2))))));
return s;
}

/* Singular values, descending, and vectors of A (rows, cols), tall or square, by A'A. */
static void singular(hd *s, hm *u, hm *v, hm a) {
    hd w[8];
    hm e = hm_eigh(w, hm_mul(hm_t(a), a));
    *v = hm_new(a.cols, a.cols);
    for (int k = 0; k < a.cols; k++) {
        s[k] = hd_sqrt(w[a.cols - 1 - k]);
        for (int i = 0; i < a.cols; i++) HM(*v, i, k) = HM(e, i, a.cols - 1 - k);
    }
    *u = hm_mul(a, *v);
    for (int k = 0; k < a.cols; k++)
        for (int i = 0; i < a.rows; i++) HM(*u, i, k) = hd_div(HM(*u, i, k), s[k]);
}
static hd of_singular(hm a) { /* s_k^3 + (k+1) u_0k v_1k + u_1k u_2k */
    hd s[8], f = hd_of(0);
    hm u, v;
    singular(s, &u, &v, a);
    for (int k = 0; k < a.cols; k++) {
        f = hd_add(f, hd_mul(s[k], hd_mul(s[k], s[k])));
        f = hd_add(f, hd_scale(k + 1, hd_mul(HM(u, 0, k), HM(v, 1, k))));
        f = hd_add(f, hd_mul(HM(u, 1, k), HM(u, 2, k)));
    }
    return f;
}
FUNCTION(svd_square) return of_singular(take_matrix(x, 3, 3));
}
FUNCTION(svd_tall) return of_singular(take_matrix(x, 4, 2));
}
FUNCTION(values_only)
hd s[8];
hm u, v;
singular(s, &u, &v, take_matrix(x, 3, 3));
return hd_add(hd_mul(s[0], s[1]), hd_exp(s[2]));
}
FUNCTION(condition)
hd s[8];
hm u, v;
singular(s, &u, &v, take_matrix(x, 3, 3));
return hd_div(s[0], s[2]);
}
static hm pseudo_inverse(hm a) { return hm_mul(inverse(hm_mul(hm_t(a), a)), hm_t(a)); }
FUNCTION(pinv_tall) return mixture(pseudo_inverse(take_matrix(x, 4, 2)));
}
FUNCTION(pinv_wide) return mixture(hm_t(pseudo_inverse(hm_t(take_matrix(x, 2, 3)))));
}
FUNCTION(least_squares) /* A (4, 2), b (4): x, the residual's norm, the singular values */
hm a = take_matrix(x, 4, 2), b = take_matrix(x + 8, 4, 1), y = hm_mul(pseudo_inverse(a), b), u, v;
hm r = hm_zip(hd_sub, hm_mul(a, y), b);
hd s[8], e = hd_of(0);
for (int i = 0; i < 4; i++) e = hd_add(e, hd_mul(r.at[i], r.at[i]));
singular(s, &u, &v, a);
return hd_add(mixture(y), hd_add(hd_sqrt(e), hd_mul(s[0], s[1])));
}
FUNCTION(exponential) /* 40 terms of the series; |A| is at most 4 here, and 4^40/40! below 1e-23 */
hm a = take_matrix(x, 3, 3), term = hm_eye(3), sum = hm_eye(3);
for (int k = 1; k <= 40; k++) {
    term = hm_scale(1.0 / k, hm_mul(term, a));
    sum = hm_zip(hd_add, sum, term);
}
return mixture(sum);
}

#define MIX                  "local function mix(y) y = reshape(y, y.size) return sum(range(1, y.size) * y + y * y) end "
#define AT(FIRST, LAST, ...) "reshape(x[{{" #FIRST ", " #LAST "}}], " #__VA_ARGS__ ")"
static const struct {
    const char *name, *lua;
    hd_function *c;
    int n;
} cases[] = {
    {"solve", MIX "f = function(x) return mix(solve(" AT(1, 9, 3, 3) ", " AT(10, 15, 3, 2) ")) end",
     solve_matrix, 15},
    {"solve, a vector", MIX "f = function(x) return mix(solve(" AT(1, 9, 3, 3) ", x[{{10, 12}}])) end",
     solve_vector, 12},
    {"solve, a stack", MIX "f = function(x) return mix(solve(" AT(1, 8, 2, 2, 2) ", x[{{9, 10}}])) end",
     solve_stack, 10},
    {"inv", MIX "f = function(x) return mix(inv(" AT(1, 9, 3, 3) ")) end", invert, 9},
    {"inv, a stack", MIX "f = function(x) return mix(inv(stack({" AT(1, 9, 3, 3) ", eye(3)}))[1]) end",
     invert, 9},
    {"det", "f = function(x) return det(" AT(1, 9, 3, 3) ")^2 end", determinant, 9},
    {"slogdet", "f = function(x) local s, l = slogdet(" AT(1, 9, 3, 3) ") return l end", log_determinant, 9},
    {"cholesky",
     MIX "f = function(x) local X = " AT(1, 9, 3,
                                         3) " return mix(cholesky(matmul(X, transpose(X)) + 2*eye(3))) end",
     factor, 9},
    {"qr", MIX "f = function(x) local Q, R = qr(" AT(1, 6, 3, 2) ") return mix(Q) + mix(R) end",
     orthogonalize, 6},
    {"qr, wide", MIX "f = function(x) local Q, R = qr(" AT(1, 6, 2, 3) ") return mix(Q) + mix(R) end", wide,
     6},
    {"qr, full, the triangle",
     MIX "f = function(x) local A = " AT(1, 6, 3, 2) " local Q, R = qr(A, 'full') return mix(R[{{1, 2}}]) + "
                                                     "mix(qr(A)) end",
     orthogonalize, 6},
    {"qr, full, what is left over",
     MIX
     "f = function(x) local Q = qr(" AT(1, 8, 4, 2) ", 'full') Q = Q[{ {}, {3, 4} }] return mix(matmul(Q, "
                                                    "Q.T)) end",
     left_over, 8},
    {"svd, full, what is left over",
     MIX "f = function(x) local U = svd(" AT(1, 8, 4, 2) ", 'full') U = U[{ {}, {3, 4} }] return "
                                                         "mix(matmul(U, U.T)) end",
     left_over, 8},
    {"svd, full and wide",
     MIX "f = function(x) local U, s, V = svd(" AT(1, 8, 2, 4) ", 'full') V = V[{ {3, 4} }] return "
                                                               "mix(matmul(V.T, V)) end",
     left_over_wide, 8},
    {"pinv, below full rank",
     MIX "f = function(x) return mix(pinv(outer(x[{{1, 3}}], x[{{4, 5}}]), 1e-9)) end", low_rank, 5},
    {"lstsq, below full rank",
     MIX
     "f = function(x) local y, e = lstsq(outer(x[{{1, 3}}], x[{{4, 5}}]), x[{{6, 8}}], 1e-9) return mix(y) "
     "+ e end",
     low_rank_system, 8},
    {"eigh, values",
     "f = function(x) local X = " AT(1, 9, 3,
                                     3) " local w = eigh(X + transpose(X)) return w(1)*w(2) + w(3)^3 end",
     eigenvalues, 9},
    {"eigh, vectors",
     "f = function(x) local X = " AT(
         1, 9, 3, 3) " local w, V = eigh(X + transpose(X)) return sum((w + {0, 1, 2}) * V[1] * (V[2] + "
                     "2*V[3])) end",
     eigenvectors, 9},
    {"svd, square",
     "f = function(x) local U, s, Vt = svd(" AT(
         1, 9, 3, 3) ") return sum(s^3 + range(1, 3)*U[1]*transpose(Vt)[2] + U[2]*U[3]) end",
     svd_square, 9},
    {"svd, tall",
     "f = function(x) local U, s, Vt = svd(" AT(
         1, 8, 4, 2) ") return sum(s^3 + range(1, 2)*U[1]*transpose(Vt)[2] + U[2]*U[3]) end",
     svd_tall, 8},
    {"svd, wide",
     "f = function(x) local Vt, s, U = svd(transpose(" AT(
         1, 8, 4, 2) ")) return sum(s^3 + range(1, 2)*transpose(U)[1]*Vt[2] + "
                     "transpose(U)[2]*transpose(U)[3]) end",
     svd_tall, 8},
    {"svd, full, values",
     "f = function(x) local U, s, Vt = svd(" AT(1, 9, 3, 3) ", 'full') return s(1)*s(2) + exp(s(3)) end",
     values_only, 9},
    {"svdvals", "f = function(x) local s = svdvals(" AT(1, 9, 3, 3) ") return s(1)*s(2) + exp(s(3)) end",
     values_only, 9},
    {"cond", "f = function(x) return cond(" AT(1, 9, 3, 3) ") end", condition, 9},
    {"pinv, tall", MIX "f = function(x) return mix(pinv(" AT(1, 8, 4, 2) ")) end", pinv_tall, 8},
    {"pinv, wide", MIX "f = function(x) return mix(pinv(" AT(1, 6, 2, 3) ")) end", pinv_wide, 6},
    {"lstsq",
     MIX "f = function(x) local y, e, r, s = lstsq(" AT(
         1, 8, 4, 2) ", x[{{9, 12}}]) return mix(y) + e + s(1)*s(2) end",
     least_squares, 12},
    {"expm", MIX "f = function(x) return mix(expm(" AT(1, 9, 3, 3) ")) end", exponential, 9},
};

/* Both sides work with matrices whose condition numbers are below 100 (seeds chosen so), and second derivatives magnify
 * by the square of it at most: 10^4 times some 100 roundings of 1.1e-16 is 1e-10. */
static void every_rule(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int wrong = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x[16], e[OF_KINDS];
        ph_rng g;
        ph_rng_seed(&g, 77 + k);
        for (int i = 0; i < cases[k].n; i++) x[i] = ph_rng_normal(&g);
        int64_t n = cases[k].n;
        push_shape(L, x, 1, &n);
        lua_setglobal(L, "x");
        if (luaL_dostring(L, cases[k].lua)) fail_msg("%s: %s", cases[k].name, lua_tostring(L, -1));
        errors_of(e, L, cases[k].c, x, cases[k].n, NULL);
        for (int i = 0; i < OF_KINDS; i++)
            if (!(isfinite(e[i]) && e[i] <= 1e-10)) {
                print_error("%s: kind %d is off by %g\n", cases[k].name, i, e[i]);
                wrong++;
            }
    }
    lua_close(L);
    assert_int_equal(wrong, 0);
}

/* The determinant as the sum over all permutations. */
static hd leibniz(hm a, int row, unsigned used) {
    hd s = hd_of(0);
    double sign = 1;
    if (row == a.rows) return hd_of(1);
    for (int j = 0; j < a.cols; j++) {
        if (used & 1u << j) continue;
        s = hd_add(s, hd_scale(sign, hd_mul(HM(a, row, j), leibniz(a, row + 1, used | 1u << j))));
        sign = -sign;
    }
    return s;
}
FUNCTION(by_permutations) return leibniz(take_matrix(x, 4, 4), 0, 0);
}
FUNCTION(squared) return hd_mul(by_permutations(x, n, ctx), by_permutations(x, n, ctx));
}
FUNCTION(first_cofactor) /* of the matrix times itself, whose rank is as low */
hm a = take_matrix(x, 4, 4), b = hm_mul(a, a), c = hm_new(3, 3);
for (int i = 0; i < 9; i++) c.at[i] = HM(b, i / 3 + 1, i % 3 + 1);
return hd_add(hd_of(0), leibniz(c, 0, 0));
}

/* Whole numbers below 10: the oracle is exact. Singular values come within some n u of the largest, 20, and what is wanted is
 * a sum of products of at most 4 (of 8 for the cofactor of A A) with |C| below 10^4 times the largest: 1e-11 of that is
 * 10^5 roundings. */
static void determinants_of_singular_matrices(void **state) {
    (void)state;
    static const double matrices[][16] = {
        {1, 2, 3, 4, 2, 4, 6, 8, 0, 1, 1, 5, 3, -1, 2, 2},     /* rank 3 */
        {1, 2, 3, 4, 2, 4, 6, 8, 0, 1, 1, 5, 1, 3, 4, 9},      /* rank 2 */
        {1, 2, 3, 4, 2, 4, 6, 8, -1, -2, -3, -4, 3, 6, 9, 12}, /* rank 1 */
        {0},
        {2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 2, 1, 1, 0, 0, 2}, /* rank 4 */
    };
    static const struct {
        const char *lua;
        hd_function *c;
    } functions[] = {
        {"f = function(x) return det(reshape(x, 4, 4)) end", by_permutations},
        {"f = function(x) return det(reshape(x, 4, 4))^2 end", squared},
        {"f = function(x) local A = reshape(x, 4, 4) return grad(det)(matmul(A, A))(1, 1) end",
         first_cofactor},
    };
    static double mine[256], grad[16], hess[256];
    lua_State *L = lab_open();
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++)
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            push_shape(L, matrices[m], 1, &(int64_t){16});
            lua_setglobal(L, "x");
            assert_int_equal(luaL_dostring(L, functions[k].lua), LUA_OK);
            double scale = 1, f = hd_derivatives(grad, hess, functions[k].c, matrices[m], 16, NULL);
            scale = fmax(scale, fabs(f));
            for (int i = 0; i < 16; i++) scale = fmax(scale, fabs(grad[i]));
            for (int i = 0; i < 256; i++) scale = fmax(scale, fabs(hess[i]));
            lua_numbers(L, mine, 16, "return grad(f)(x)");
            for (int i = 0; i < 16; i++) assert_true(fabs(mine[i] - grad[i]) <= 1e-11 * scale);
            lua_numbers(L, mine, 256, "return hessian(f)(x)");
            for (int i = 0; i < 256; i++) assert_true(fabs(mine[i] - hess[i]) <= 1e-11 * scale);
        }
    lua_close(L);
}

static const lab_case no_derivative[] = {
    {"grad(function(A) local w, V = eigh(A) return V(1, 1) end)(eye(3))",
     "error: t:1: derivative of eigh: eigenvalues 1 and 2 are equal (1.0); vectors have no derivative "
     "there"},
    {"grad(function(A) local w, V = eigh(A) return sum(w*w) end)(eye(2)):totable()",
     "{{2.0, 0.0}, {0.0, 2.0}}"},
    {"grad(function(A) local U, s, V = svd(A) return U(1, 1) end)(array{{2, 0}, {0, 2}})",
     "error: t:1: derivative of svd: singular values 1 and 2 are equal (2.0); vectors have no derivative "
     "there"},
    {"grad(function(A) local U, s, V = svd(A) return U(1, 1) end)(array{{2, 0}, {0, 0}, {0, 0}})",
     "error: t:1: derivative of svd: singular value 2 is 0; vectors have no derivative there"},
    {"grad(function(A) local U = svd(A, 'full') return U(1, 3)^2 end)(array{{2, 0}, {0, 1}, {0, "
     "0}}):totable()",
     "{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}"},
    {"grad(function(A) local U = svd(A, 'full') return U(1, 2) end)(array{{2}, {1}, {2}})",
     "error: t:1: derivative of a basis: the further columns of a full factor are any basis of what is "
     "left "
     "over, and the function depends on which; wanted the thin form, or a function of matmul(Q, Q.T) of "
     "these columns"},
    {"grad(function(A) local Q = qr(A, 'full') return Q(1, 2) end)(array{{2}, {1}, {2}})",
     "error: t:1: derivative of a basis: the further columns of a full factor are any basis of what is "
     "left "
     "over, and the function depends on which; wanted the thin form, or a function of matmul(Q, Q.T) of "
     "these columns"},
    /* a value that meets another has a kink; what treats both alike has none */
    {"grad(function(A) return eigh(A)(1) end)(eye(2))",
     "error: t:1: derivative of eigenvalues: 1 and 2 are equal (1.0): each alone has a kink there. Only "
     "what "
     "treats both alike, as their sum does, has a derivative, and only grad can tell"},
    {"jvp(svdvals, eye(2), ones(2, 2))",
     "error: t:1: derivative of singular values: 1 and 2 are equal (1.0): each alone has a kink there. "
     "Only "
     "what treats both alike, as their sum does, has a derivative, and only grad can tell"},
    {"grad(function(A) return sum(svdvals(A)) end)(eye(2)):totable()", "{{1.0, 0.0}, {0.0, 1.0}}"},
    {"grad(function(A) return svdvals(A)(2) end)(diag{2, 0}):totable()", "{{0.0, 0.0}, {0.0, 0.0}}"},
    {"grad(cond)(eye(2))",
     "error: t:1: derivative of singular values: 1 and 2 are equal (1.0): each alone has a kink there. "
     "Only "
     "what treats both alike, as their sum does, has a derivative, and only grad can tell"},
    {"grad(cond)(diag{2, 0})", "error: t:1: derivative of cond: A is singular: the condition number is "
                               "infinite and has no derivative"},
    {"grad(function(A) return sum(pinv(A)) end)(array{{1, 1}, {1, 1}})",
     "error: t:1: derivative of pinv: A has rank 1, below 2; its pseudo-inverse jumps there and has no "
     "derivative. A tolerance of your own, as in pinv(A, 1e-9), says that the rank stays what it is"},
    {"grad(function(A) return sum((lstsq(A, {1, 2}))) end)(array{{1, 1}, {1, 1}})",
     "error: t:1: derivative of pinv: A has rank 1, below 2; its pseudo-inverse jumps there and has no "
     "derivative. A tolerance of your own, as in pinv(A, 1e-9), says that the rank stays what it is"},
    {"grad(function(A) local Q, R = qr(A) return R(1, 1) end)(ones(2, 3))",
     "error: t:1: derivative of qr: column 2 of A depends on those before it; Q has no derivative there"},
    /* along matrices of one rank; the first derivative is that of the truncated pseudo-inverse in every direction:
     * of (1, 1; 1, 1 + t) the smaller singular value is cut off, and at t = 0 the derivative is -e'A+ u u'... by hand:
     * u = (1, 1)/sqrt 2, A+ = uu'/2, dA = (0, 0; 0, 1), d sum(A+) = -(u'dA u)/4 sum(uu') = -1/4 */
    {"abs(grad(function(A) return sum(pinv(A, 1e-9)) end)(ones(2, 2))(2, 2) + 1/4) <= 2^-48", "true"},
    {"hessian(function(A) return sum(pinv(A, 1e-9)) end)(ones(2, 2))",
     "error: t:1: derivative of a rank: A moves to matrices of another rank; the pseudo-inverse has no "
     "second "
     "derivative that way"},
    {"grad(function(A) return sum(pinv(A, 0.5)) end)(diag{1, 0.25})",
     "error: t:1: derivative of pinv: singular value 2 of A is cut off by the tolerance but is not 0 "
     "(0.25); "
     "derivatives are known along matrices of one rank"},
    {"grad(function(b) local x, e = lstsq(array{{1, 0}, {0, 1}, {0, 0}}, b) return e end){1, 2, "
     "0}:totable()",
     "{0.0, 0.0, 0.0}"},
    /* cofactors are no quotients: of singular matrices, the last with a rank below n - 1 */
    {"max(abs(grad(det)(array{{1, 2}, {2, 4}}) - array{{4, -2}, {-2, 1}})) <= 2^-48", "true"},
    {"max(abs(grad(det)(array{{1, 2, 3}, {0, 1, 1}, {1, 3, 4}}) - array{{1, 1, -1}, {1, 1, -1}, {-1, -1, "
     "1}})) <= 2^-46",
     "true"},
    {"max(abs(grad(det)(ones(3, 3)))) <= 2^-46", "true"},
    {"grad(det)(array{{7}}):totable()", "{{1.0}}"},
    /* a polynomial in t, whatever its coefficients vanish: by hand, det(A + t B) = -18 t - 45 t^2 - 7 t^3 */
    {"c = taylor(function(t) return det(array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}} + t*array{{1, 0, 2}, {0, "
     "1, "
     "1}, {3, 1, 0}}) end, 0, 1, 4) return max(abs(array{c[0], c[1], c[2], c[3], c[4]} - array{0, -18, "
     "-45, "
     "-7, 0})) <= 2^-44",
     "true"},
    {"grad(function(A) return sum(inv(A)) end)(ones(2, 2))",
     "error: t:1: inv: A is singular: pivot 2 is exactly 0"},
    {"grad(function(A) return rank(A) * sum(A) end)(eye(2)):totable()", "{{2.0, 2.0}, {2.0, 2.0}}"},
    {NULL, NULL}};

static void where_there_is_no_derivative(void **state) {
    (void)state;
    lab_run(no_derivative);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule),
        cmocka_unit_test(determinants_of_singular_matrices),
        cmocka_unit_test(where_there_is_no_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
