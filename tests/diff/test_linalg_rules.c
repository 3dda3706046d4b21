/* Derivatives of linear algebra against hyper-dual elimination, Gram-Schmidt and Jacobi; and where there are none. */
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

static void where_there_is_no_derivative(void **state) {
    (void)state;
    static const lab_case bad[] = {
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
        {"grad(function(A) local U, s, V = svd(A, 'full') return U(1, 1) end)(array{{2, 0}, {0, 1}, {0, 0}})",
         "error: t:1: svd: the further columns of a full factor are not determined by A and have no "
         "derivative; wanted the thin form"},
        {"grad(function(A) return sum(pinv(A)) end)(array{{1, 1}, {1, 1}})",
         "error: t:1: derivative of pinv: A has rank 1, below 2; its pseudo-inverse jumps there and has no "
         "derivative"},
        {"grad(function(A) return sum((lstsq(A, {1, 2}))) end)(array{{1, 1}, {1, 1}})",
         "error: t:1: derivative of pinv: A has rank 1, below 2; its pseudo-inverse jumps there and has no "
         "derivative"},
        {"grad(function(A) local Q, R = qr(A) return R(1, 1) end)(ones(2, 3))",
         "error: t:1: qr: A is 2 by 3; its derivative is known for at least as many rows as columns, thin "
         "form"},
        /* cofactors are no quotients: of singular matrices, the last with a rank below n - 1 */
        {"max(abs(grad(det)(array{{1, 2}, {2, 4}}) - array{{4, -2}, {-2, 1}})) <= 2^-48", "true"},
        {"max(abs(grad(det)(array{{1, 2, 3}, {0, 1, 1}, {1, 3, 4}}) - array{{1, 1, -1}, {1, 1, -1}, {-1, -1, "
         "1}})) <= 2^-46",
         "true"},
        {"max(abs(grad(det)(ones(3, 3)))) <= 2^-46", "true"},
        {"grad(det)(array{{7}}):totable()", "{{1.0}}"},
        {"hessian(det)(ones(2, 2))", "error: t:1: inv: A is singular: pivot 2 is exactly 0"},
        {"grad(function(A) return sum(inv(A)) end)(ones(2, 2))",
         "error: t:1: inv: A is singular: pivot 2 is exactly 0"},
        {"grad(function(A) return rank(A) * sum(A) end)(eye(2)):totable()", "{{2.0, 2.0}, {2.0, 2.0}}"},
        {NULL, NULL}};
    lab_run(bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule),
        cmocka_unit_test(where_there_is_no_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
