/* The oracle itself: hyper-dual numbers against derivatives known in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff/hyper.h"

/* Accepted when within a few roundings of the closed form; u = 2^-53. Each case below takes fewer than 100 operations on numbers
 * of about the size of the result. */
#define TOLERANCE (200 * 0x1p-53)

static void near(double seen, double wanted, const char *what) {
    double d = fabs(seen - wanted);
    if (!(isfinite(d) && d <= TOLERANCE * fmax(1, fabs(wanted))))
        fail_msg("%s: %.17g; wanted %.17g", what, seen, wanted);
}

/* ---- functions of one variable: f, f', f'' -------------------------------------------------------------- */

static hd cube(hd x) { return hd_mul(x, hd_mul(x, x)); }
static hd power(hd x) { return hd_pow(x, 2.5); }

static void functions_of_one_variable(void **state) {
    (void)state;
    double x = 0.7, t = tanh(x), s = 1 / (1 + exp(-x)), e = exp(x), q = 1 / (1 + x * x);
    const struct {
        const char *name;
        hd (*f)(hd);
        double f0, f1, f2;
    } rows[] = {
        {"x^3", cube, x * x * x, 3 * x * x, 6 * x},
        {"exp", hd_exp, e, e, e},
        {"log", hd_log, log(x), 1 / x, -1 / (x * x)},
        {"sin", hd_sin, sin(x), cos(x), -sin(x)},
        {"cos", hd_cos, cos(x), -sin(x), -cos(x)},
        {"tanh", hd_tanh, t, 1 - t * t, -2 * t * (1 - t * t)},
        {"sigmoid", hd_sigmoid, s, s * (1 - s), s * (1 - s) * (1 - 2 * s)},
        {"sqrt", hd_sqrt, sqrt(x), 0.5 / sqrt(x), -0.25 / (x * sqrt(x))},
        {"1/x", hd_recip, 1 / x, -1 / (x * x), 2 / (x * x * x)},
        {"x^2.5", power, pow(x, 2.5), 2.5 * pow(x, 1.5), 3.75 * sqrt(x)},
        {"atan", hd_atan, atan(x), q, -2 * x * q * q},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* e and e' on the same variable, with different coefficients */
        hd y = rows[i].f((hd){x, 2, 3, 5});
        near(y.v, rows[i].f0, rows[i].name);
        near(y.a, 2 * rows[i].f1, rows[i].name);
        near(y.b, 3 * rows[i].f1, rows[i].name);
        near(y.ab, 5 * rows[i].f1 + 6 * rows[i].f2, rows[i].name);
    }
}

/* ---- functions of many --------------------------------------------------------------------------------- */

static hd polynomial(const hd *x, int n, const void *ctx) { /* x0^2 x1 + x1^3 / x2 */
    (void)n, (void)ctx;
    return hd_add(hd_mul(hd_mul(x[0], x[0]), x[1]), hd_div(cube(x[1]), x[2]));
}

static void a_function_of_three_variables(void **state) {
    (void)state;
    const double x[3] = {1.5, -0.5, 2};
    const double wanted[9] = {2 * x[1],
                              2 * x[0],
                              0,
                              2 * x[0],
                              6 * x[1] / x[2],
                              -3 * x[1] * x[1] / (x[2] * x[2]),
                              0,
                              -3 * x[1] * x[1] / (x[2] * x[2]),
                              2 * cube(hd_of(x[1])).v / (x[2] * x[2] * x[2])};
    double g[3], h[9];
    near(hd_derivatives(g, h, polynomial, x, 3, NULL), x[0] * x[0] * x[1] + x[1] * x[1] * x[1] / x[2], "f");
    near(g[0], 2 * x[0] * x[1], "g0");
    near(g[1], x[0] * x[0] + 3 * x[1] * x[1] / x[2], "g1");
    near(g[2], -x[1] * x[1] * x[1] / (x[2] * x[2]), "g2");
    for (int k = 0; k < 9; k++) near(h[k], wanted[k], "H");
}

/* log sum e^x: gradient p = softmax(x), Hessian diag p - p p^T */
static hd log_of_sum(const hd *x, int n, const void *ctx) {
    (void)ctx;
    hd s = hd_of(0);
    for (int i = 0; i < n; i++) s = hd_add(s, hd_exp(x[i]));
    return hd_log(s);
}

/* the first weight of a softmax: derivatives of p0 are p0 (d0j - pj) */
static hd first_weight(const hd *x, int n, const void *ctx) {
    (void)ctx;
    hm row = hm_new(1, n);
    memcpy(row.at, x, (size_t)n * sizeof *x);
    return hm_softmax(row).at[0];
}

static void softmax_and_its_potential(void **state) {
    (void)state;
    const double x[3] = {0.3, -1.2, 0.8};
    double g[3], h[9], p[3], sum = exp(x[0]) + exp(x[1]) + exp(x[2]), q[3], hq[9];
    for (int i = 0; i < 3; i++) p[i] = exp(x[i]) / sum;
    hd_derivatives(g, h, log_of_sum, x, 3, NULL);
    hd_derivatives(q, hq, first_weight, x, 3, NULL);
    for (int i = 0; i < 3; i++) {
        near(g[i], p[i], "softmax");
        near(q[i], p[0] * ((i == 0) - p[i]), "softmax gradient");
        for (int j = 0; j < 3; j++) {
            near(h[3 * i + j], (i == j) * p[i] - p[i] * p[j], "softmax Hessian");
            near(hq[3 * i + j], p[0] * (((i == 0) - p[i]) * ((j == 0) - p[j]) - p[i] * ((i == j) - p[j])),
                 "second of a weight");
        }
    }
}

/* ---- linear algebra ------------------------------------------------------------------------------------ */

static hm square_of(const hd *x, int n) {
    hm m = hm_new(n, n);
    memcpy(m.at, x, (size_t)(n * n) * sizeof *x);
    return m;
}
static hd determinant(const hd *x, int n, const void *ctx) {
    (void)n, (void)ctx;
    hd d;
    hm_solve(square_of(x, 2), hm_eye(2), &d);
    return d;
}
/* entry (1, 1) of the inverse of {{x0, x1}, {x2, x3}}: x3 / det */
static hd inverse_entry(const hd *x, int n, const void *ctx) {
    (void)n, (void)ctx;
    return hm_solve(square_of(x, 2), hm_eye(2), NULL).at[0];
}
static hd same_by_hand(const hd *x, int n, const void *ctx) {
    (void)n, (void)ctx;
    return hd_div(x[3], hd_sub(hd_mul(x[0], x[3]), hd_mul(x[1], x[2])));
}
/* the greater eigenvalue of {{x0, x1}, {x1, x2}} */
static hd top_eigenvalue(const hd *x, int n, const void *ctx) {
    (void)n, (void)ctx;
    hd at[4] = {x[0], x[1], x[1], x[2]}, w[2];
    hm_eigh(w, square_of(at, 2));
    return w[1];
}
static hd top_by_hand(const hd *x, int n, const void *ctx) {
    (void)n, (void)ctx;
    hd mean = hd_scale(0.5, hd_add(x[0], x[2])), half = hd_scale(0.5, hd_sub(x[0], x[2]));
    return hd_add(mean, hd_sqrt(hd_add(hd_mul(half, half), hd_mul(x[1], x[1]))));
}

static void same_derivatives(hd_function *f, hd_function *g, const double *x, int n, const char *what) {
    double gf[9], gg[9], hf[81], hg[81];
    near(hd_derivatives(gf, hf, f, x, n, NULL), hd_derivatives(gg, hg, g, x, n, NULL), what);
    for (int i = 0; i < n; i++) near(gf[i], gg[i], what);
    for (int i = 0; i < n * n; i++) near(hf[i], hg[i], what);
}

static void small_linear_algebra(void **state) {
    (void)state;
    const double x[4] = {0.5, -1.25, 1.5, 0.75};
    double g[4], h[16];
    near(hd_derivatives(g, h, determinant, x, 4, NULL), x[0] * x[3] - x[1] * x[2], "det");
    const double wanted[4] = {x[3], -x[2], -x[1], x[0]};
    for (int i = 0; i < 4; i++) near(g[i], wanted[i], "det gradient");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            near(h[4 * i + j], i + j != 3 ? 0 : i == 0 || i == 3 ? 1 : -1, "det Hessian");
    same_derivatives(inverse_entry, same_by_hand, x, 4, "inverse");
    same_derivatives(top_eigenvalue, top_by_hand, x, 3, "eigenvalue");
}

/* With random directions e and e' on a symmetric 4x4 matrix: V^T V = 1, A V = V W and L L^T = A hold in every part. */
static void decompositions_hold_with_their_derivatives(void **state) {
    (void)state;
    hm_reset();
    hm a = hm_new(4, 4);
    double seed = 0.3;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            double r[4];
            for (int k = 0; k < 4; k++) seed = 3.99 * seed * (1 - seed), r[k] = seed - 0.5;
            HM(a, i, j) = HM(a, j, i) = (hd){r[0] + (i == j ? 3 + i : 0), r[1], r[2], r[3]};
        }
    hd w[4];
    hm v = hm_eigh(w, a), one = hm_mul(hm_t(v), v), av = hm_mul(a, v), l = hm_cholesky(a),
       ll = hm_mul(l, hm_t(l));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            hd e = HM(one, i, j), r = hd_sub(HM(av, i, j), hd_mul(HM(v, i, j), w[j])),
               c = hd_sub(HM(ll, i, j), HM(a, i, j));
            near(e.v, i == j, "V^T V"), near(e.a, 0, "V^T V"), near(e.b, 0, "V^T V"), near(e.ab, 0, "V^T V");
            near(r.v, 0, "A V - V W"), near(r.a, 0, "A V - V W"), near(r.b, 0, "A V - V W"),
                near(r.ab, 0, "A V - V W");
            near(c.v, 0, "L L^T"), near(c.a, 0, "L L^T"), near(c.b, 0, "L L^T"), near(c.ab, 0, "L L^T");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_one_variable),
        cmocka_unit_test(a_function_of_three_variables),
        cmocka_unit_test(softmax_and_its_potential),
        cmocka_unit_test(small_linear_algebra),
        cmocka_unit_test(decompositions_hold_with_their_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
