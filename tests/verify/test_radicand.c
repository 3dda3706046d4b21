/* What is taken out of a root: u = s²·r, where r is known by how u is made. Both sides are evaluated at points, by floats; r is held against the product
 * of what u has an odd number of times, so that neither too little is taken out nor what must stay.
 * Sources: verify/radicand.c */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define PICK_SEED 3
#include "pick.h"
#include "formula.h"
#include "verify/radicand.h"

enum { TEXT = 600, POINTS = 7 };

/* x, y and k at the p-th point, of all signs */
static bool at_point(void *ctx, const expr_node *atom, double complex *v) {
    static const double at[POINTS][3] = {{0.3, 1.7, 0.6},   {-1.2, 0.4, 2.5}, {2.1, -0.7, 1.1},
                                         {-0.6, -1.9, 0.2}, {1.4, 2.3, 3.3},  {-2.2, 1.3, 0.9},
                                         {0.8, -1.1, 1.6}};
    int p = *(int *)ctx;
    *v = at[p][!strcmp(atom->name, "x") ? 0 : !strcmp(atom->name, "y") ? 1 : 2];
    return true;
}

static double value(const expr_node *e, int p) {
    double complex v;
    assert_int_equal(expr_eval(&v, e, at_point, &p, NULL), PH_OK);
    assert_true(cimag(v) == 0);
    return creal(v);
}

/* Sums of up to 20 products of some 10 factors, each rounded: 10^-12 of the larger side leaves a factor 10^2. */
static bool near(double a, double b) { return isfinite(a) && fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b) + 1); }

/* want: r, or NULL where nothing is to be taken out */
static void expect(const char *text, const char *want) {
    ph_err err = {0};
    expr_builder b = EXPR_BUILDER(&err);
    ver_radicand out;
    expr_node *u = formula(text), *r = want ? formula(want) : NULL;
    bool taken = ver_take_square(&b, &out, u);
    if (taken != (want != NULL)) fail_msg("%s: %s", text, taken ? "taken apart" : "nothing is taken out");
    for (int p = 0; taken && p < POINTS; p++) {
        double v = value(u, p), s = value(out.s, p), left = value(out.r, p);
        if (!near(s * s * left, v)) fail_msg("%s: %.17g, not %.17g, at point %d", text, s * s * left, v, p);
        if (!near(left, value(r, p))) fail_msg("%s: under the root %.17g, not %s", text, left, want);
    }
    assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
    expr_drop(u);
    expr_drop(r);
}

/* c·Π fᵢ^eᵢ over a denominator of the same kind: r has each fᵢ with an odd exponent once, wherever it stands, and |c| as a fraction. */
static void factors(void **state) {
    (void)state;
    static const char *const f[] = {"(x+y)",       "(x-2*y)", "(x^2+1)", "x",         "(y-3)",
                                    "(x^2+y^2+k)", "k",       "sin(x)",  "(exp(y)+x)"};
    enum { FACTORS = sizeof f / sizeof *f };
    int taken = 0;
    for (int round = 0; round < 150; round++) {
        int e[FACTORS] = {0}, c = pick(2) ? 1 + pick(5) : -1 - pick(5), d = 1 + pick(3), squares = 0;
        char up[TEXT], down[TEXT], text[2 * TEXT + 8], r[2 * TEXT];
        int nu = snprintf(up, sizeof up, "%d", c), nd = snprintf(down, sizeof down, "%d", d);
        int nr = snprintf(r, sizeof r, "%d/%d", c, d);
        for (int i = 1 + pick(3); i > 0; i--) e[pick(FACTORS)] = pick(9) - 4;
        for (int i = 0; i < FACTORS; i++) {
            if (e[i] > 1) nu += snprintf(up + nu, sizeof up - (size_t)nu, "*%s^%d", f[i], e[i]);
            if (e[i] == 1) nu += snprintf(up + nu, sizeof up - (size_t)nu, "*%s", f[i]);
            if (e[i] < -1) nd += snprintf(down + nd, sizeof down - (size_t)nd, "*%s^%d", f[i], -e[i]);
            if (e[i] == -1) nd += snprintf(down + nd, sizeof down - (size_t)nd, "*%s", f[i]);
            if (e[i] % 2) nr += snprintf(r + nr, sizeof r - (size_t)nr, "*%s", f[i]);
            squares += abs(e[i]) > 1;
        }
        snprintf(text, sizeof text, "%s/(%s)", up, down);
        if (!squares) continue;
        expect(text, r);
        taken++;
    }
    assert_true(taken > 80);
}

/* Pairs of sin and cos, sinh and cosh: read in whichever way leaves the least. */
static void pairs(void **state) {
    (void)state;
    static const struct {
        const char *u, *r;
    } rows[] = {
        {"1 - cos(x)^2", "1"},
        {"1 - sin(x)^2", "1"},
        {"cosh(x)^2 - 1", "1"},
        {"1 + sinh(x)^2", "1"},
        {"cos(x)^2 - 1", "-1"},
        {"sin(x)^2 - 1", "-1"},
        {"1 - cosh(x)^2", "-1"},
        {"4 - 4*cos(x)^2", "4"},
        {"(1 - cos(x)^2)*(x + y)", "x + y"},
        {"(1 + sinh(y)^2)*k", "k"},
        {"(1 - sin(x)^2)*(1 + sinh(y)^2)", "1"},
        {"(1 - sin(x)^2)*(cosh(y)^2 - 1)", "1 - sin(x)^2"},
        {"(1 - cos(x)^2)*(1 + sinh(y)^2)", "1 + sinh(y)^2"},
        {"(1 - cos(x)^2)^3", "1"},
        {"(1 - cos(x)^2)*(1 - cos(y)^2)", "1"},
        {"(1 - sin(x)^2)*(1 - sin(y)^2)", "1"},
        {"(1 - sin(x)^2)/(1 - cos(y)^2)", "(1 - sin(x)^2)"},
        {"k/(1 - cos(x)^2)", "k"},
        {"k/(1 + sinh(x)^2)", "k"},
        {"k*(1 - sin(x+y)^2)", "k"},
        {"sin(x)^2*x^2 + cos(x)^2*x^2", "1"},
        {"cosh(x)^2*x - sinh(x)^2*x + x^3 + 2*x^2", "x"},
        {"sin(x)^4 + 2*sin(x)^2*cos(x)^2 + cos(x)^4", "1"},
        {"sin(x)^2 + 2*sin(x)*cos(x) + cos(x)^2", "1"},
        {"x^2 + 2*x*y + y^2", "1"},
        {"x^2*sinh(y)^2 + x^2", "1"},
        {"k^2*cosh(y)^2 - k^2", "1"},
        {"(x*cos(y) - y*sin(y))^2 + (x*sin(y) + y*cos(y))^2", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(rows[i].u, rows[i].r);
}

/* What is in one piece, has a part that is not real, or is larger than what is looked at, stays. */
static void what_stays(void **state) {
    (void)state;
    static const char *const rows[] = {
        "x",           "x + y",         "x^2 + 1",      "sin(x)",       "sin(x) + cos(x)",
        "x + sqrt(x)", "z^2 + 2*z + 1", "x^2 + log(x)", "(x + y)^41*k", "x - x"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(rows[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(factors), cmocka_unit_test(pairs),
                                       cmocka_unit_test(what_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
