/* The ends of a formula hold its values, and a case is chosen only where it is the one: against values in f64 at points that meet what is
 * assumed.
 * Sources: expr/assume.c verify/linear_facts.c verify/span.c verify/span_ends.c verify/wide.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "formula.h"
#include "verify/prove.h"

static uint64_t state = 1;
static unsigned draw(unsigned n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* A formula of x, y, k and n as text, about `depth` deep. */
static void make(char *out, size_t cap, int depth) {
    static const char *const leaf[] = {"x", "y", "k", "n", "2", "(-3)", "1/7", "pi", "0"};
    static const char *const two[] = {"(%s + %s)",
                                      "(%s - %s)",
                                      "(%s)*(%s)",
                                      "(%s)/(%s)",
                                      "minimum(%s, %s)",
                                      "maximum(%s, %s)",
                                      "piecewise(lt(%s, 1), %s, 2)",
                                      "piecewise(ge(%s, k), 1, %s)"};
    static const char *const one[] = {"(-(%s))",  "sin(%s)", "cos(%s)",   "tanh(%s)",    "atan(%s)",
                                      "exp(%s)",  "log(%s)", "sqrt(%s)",  "abs(%s)",     "floor(%s)",
                                      "sign(%s)", "(%s)^2",  "(%s)^3",    "(%s)^(-2)",   "(%s)^(1/2)",
                                      "sinh(%s)", "2^(%s)",  "(%s)^(-3)", "(%s)^(-5/3)", "Si(%s)"};
    char a[600], b[600];
    if (depth == 0 || draw(8) == 0) {
        snprintf(out, cap, "%s", leaf[draw(9)]);
        return;
    }
    make(a, sizeof a, depth - 1);
    make(b, sizeof b, depth - 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (draw(2)) snprintf(out, cap, two[draw(8)], a, b);
    else snprintf(out, cap, one[draw(20)], a);
#pragma GCC diagnostic pop
}

static double at[4]; /* x, y, k, n */
static bool value(void *ctx, const expr_node *atom, double complex *v) {
    (void)ctx;
    const char *names = "xykn", *p = strchr(names, atom->name[0]);
    return p && (*v = at[p - names], true);
}

/* x >= 1, y <= 2 where `assumed`; k > 0; n whole. */
static void move(bool assumed) {
    double spread = draw(2) ? 3 : 40;
    at[0] = (assumed ? 1 : -spread / 2) + spread * draw(1000) / 1000;
    at[1] = (assumed ? 2 - spread : -spread / 2) + spread * draw(1000) / 1000;
    at[2] = spread * (1 + draw(1000)) / 1000;
    at[3] = (double)draw(12) - 6;
}

static void ends_hold_every_value(void **unused) {
    (void)unused;
    expr_node *where[] = {formula("x >= 1"), formula("y <= 2")};
    int finite = 0, looked = 0;
    for (int t = 0; t < 3000; t++) {
        char text[1400];
        double lo, hi;
        ver_assume a = {where, t % 2 ? 2 : 0};
        make(text, sizeof text, 4);
        expr_node *e = formula_or_null(text);
        if (!e) continue;
        ph_err err;
        assert_int_equal(ver_ends_of(&lo, &hi, e, &a, &err), PH_OK);
        if (isnan(lo) || isnan(hi) || !(lo <= hi)) fail_msg("%s: %g %g", text, lo, hi);
        finite += isfinite(lo) + isfinite(hi);
        for (int k = 0; k < 30; k++) {
            double complex v;
            move(t % 2);
            if (expr_eval(&v, e, value, NULL, &err) || !isfinite(creal(v)) || cimag(v) != 0) continue;
            looked++;
            /* f64 loses some 2^-40 in formulas of this size, unless it cancels; the sampled points are no such places but for
             * jumps, where the value beside is as good */
            double room = 1e-6 * (1 + fabs(creal(v)));
            if (creal(v) < lo - room || creal(v) > hi + room)
                fail_msg("%s in [%.17g, %.17g] is %.17g at x = %g, y = %g, k = %g, n = %g", text, lo, hi,
                         creal(v), at[0], at[1], at[2], at[3]);
        }
        expr_drop(e);
    }
    expr_drop(where[0]), expr_drop(where[1]);
    assert_true(finite > 1500 && looked > 20000);
}

/* Ends that are reached: of k > 0, of each function and of choices, and where a quotient's lower part begins or ends at 0. Outward they may be off by
 * roundings of some 30 bits. */
static const struct {
    const char *text;
    double lo, hi;
} known[] = {
    {"k", 0, INFINITY},
    {"1/k", 0, INFINITY},
    {"-1/k", -INFINITY, 0},
    {"1/(-k)", -INFINITY, 0},
    {"1/(k + 1)", 0, 1},
    {"1/(k + 4)", 0, 0.25},
    {"2/(-4 - k)", -0.5, 0},
    {"1/(k^2 + 2)", 0, 0.5},
    {"1/sin(k)", -INFINITY, INFINITY},
    {"sin(x)", -1, 1},
    {"-3*cos(x) + 1", -2, 4},
    {"tanh(x)", -1, 1},
    {"tanh(k)", 0, 1},
    {"atan(x)", -2, 2}, /* pi/2 is not asked for */
    {"atan(-k)", -2, 0},
    {"sinh(sin(x))", -1.1752011936438014, 1.1752011936438014},
    {"exp(-k)", 0, 1},
    {"exp(k)", 1, INFINITY},
    {"exp(1 - cos(x))", 1, 7.38905609893065},
    {"log(2 + sin(x))", 0, 1.0986122886681098},
    {"log(1 + k)", 0, INFINITY},
    {"sqrt(10 + 6*sin(x))", 2, 4},
    {"sqrt(k + 4)", 2, INFINITY},
    {"abs(sin(x))", 0, 1},
    {"abs(sin(x) - 3)", 2, 4},
    {"abs(sin(x) + 3)", 2, 4},
    {"abs(3*sin(x) + 1)", 0, 4},
    {"abs(x)", 0, INFINITY},
    {"sign(x)", -1, 1},
    {"sign(3 + sin(x))", 1, 1},
    {"sign(sin(x) - 3)", -1, -1},
    {"floor(2 + sin(x)/2)", 1, 2},
    {"floor(k)", 0, INFINITY},
    {"Si(x)", -2, 2},
    {"sin(x)^2", 0, 1},
    {"(sin(x) + 3)^2", 4, 16},
    {"(sin(x) - 3)^3", -64, -8},
    {"(sin(x) + 3)^(-1)", 0.25, 0.5},
    {"2^sin(x)", 0.5, 2},
    {"(sin(x) + 5)^(1/2)", 2, 2.449489742783178},
    {"sin(x)*(cos(y) + 3)", -4, 4},
    {"(sin(x) - 2)*(cos(y) + 3)", -12, -2},
    {"sin(x)/(cos(y) + 3)", -0.5, 0.5},
    {"minimum(sin(x), 2*cos(y) + 1/2)", -1.5, 1},
    {"maximum(sin(x), 2*cos(y) + 1/2)", -1, 2.5},
    {"minimum(k, sin(x) + 3)", 0, 4},
    {"maximum(k, sin(x) + 3)", 2, INFINITY},
    {"piecewise(lt(x, 3), sin(x), 2 + cos(y))", -1, 3},
    {"piecewise(lt(x, 3), 2 + cos(y), sin(x))", -1, 3},
    {"piecewise(lt(x, 0), 1, lt(x, 1), 5, 3)", 1, 5},
    {"piecewise(lt(x, 0), 5, lt(x, 1), 1, 3)", 1, 5},
    {"piecewise(lt(x, 0), 3, lt(x, 1), 4, 9)", 3, 9},
    {"piecewise(lt(k, -1), 7, sin(x))", -1, 1},
    {"piecewise(gt(k, -1), sin(x), 7)", -1, 1},
    {"piecewise(lt(x, 1), sin(x), gt(k, -1), 4, 9)", -1, 4},
    {"piecewise(lt(k, -1), 9, lt(x, 1), 2, gt(k, -1), 4, 9)", 2, 4},
};

static void ends_known_on_paper(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lo, hi, want_lo = known[i].lo, want_hi = known[i].hi;
        ph_err err;
        expr_node *e = formula(known[i].text);
        assert_int_equal(ver_ends_of(&lo, &hi, e, NULL, &err), PH_OK);
        bool low = lo == want_lo || (lo < want_lo + 1e-15 && lo > want_lo - 1e-8 * (1 + fabs(want_lo)));
        bool high = hi == want_hi || (hi > want_hi - 1e-15 && hi < want_hi + 1e-8 * (1 + fabs(want_hi)));
        if (!low || !high) fail_msg("%s: %.17g, %.17g", known[i].text, lo, hi);
        expr_drop(e);
    }
}

static ver_strength judged(const char *text, const char *where) {
    expr_node *s = formula(text), *w = where ? formula(where) : NULL;
    ver_assume a = {&w, w != NULL};
    ver_verdict v;
    ph_err err = {0};
    if (ver_prove(&v, s, &a, &err)) fail_msg("%s: %s", text, err.text);
    ver_strength is = v.strength;
    ver_clear(&v);
    expr_drop(s), expr_drop(w);
    return is;
}

/* Statements and their false neighbours. */
static void cases_are_chosen_by_what_is_assumed(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *where;
        ver_strength is;
    } cases[] = {
        {"piecewise(lt(x, 3), 1, 2) = piecewise(gt(3, x), 1, 2)", NULL, VER_PROVED},
        {"piecewise(lt(x, 3), 1, 2) = piecewise(ge(3, x), 1, 2)", NULL, VER_REFUTED}, /* false at 3 only */
        {"piecewise(lt(x - y, 3), x, 2) = piecewise(lt(-3, y - x), x, 2)", NULL, VER_PROVED},
        {"piecewise(eq(x, y), x, 2) = piecewise(eq(y - x, 0), x, 2)", NULL, VER_PROVED},
        {"piecewise(lt(x, 3), 1, 2) = 2", "x >= 3", VER_PROVED},
        {"piecewise(lt(x, 3), 1, 2) = 2", "x >= 2", VER_REFUTED},
        {"piecewise(le(x, 3), 1, 2) = 2", "x >= 3", VER_REFUTED}, /* false at 3 only */
        {"piecewise(le(x, 3), 1, 2) = 2", "x > 4", VER_PROVED},
        {"maximum(x, 3) = x", "x >= 3", VER_PROVED},
        {"minimum(x, 3) = 3", "x >= 3", VER_PROVED},
        {"abs(x - 3) = x - 3", "x >= 3", VER_PROVED},
        {"abs(x - 3) = 3 - x", "x <= 3", VER_PROVED},
        {"abs(x - 4) = x - 4", "x >= 3", VER_REFUTED},
        {"sum(maximum(i, 3), i, 1, 3) = 6", "i >= 3",
         VER_REFUTED}, /* the index is no symbol that is assumed of */
        {"sum(piecewise(lt(i, 3), 1, 0), i, 1, 3) = 0", "i >= 3", VER_REFUTED},
        {"sum(piecewise(lt(i, 3), 1, 0), i, 1, 3) = 2", "i >= 3", VER_PROVED},
        {"log(1 + abs(x)/8) <= log(1 + (abs(x) + k)/8)", NULL, VER_PROVED},
        {"log(x) <= log(x + 1)", NULL, VER_UNKNOWN}, /* undefined, or of no order, for x < 0 */
        {"log(x) <= log(x + 1)", "x > 0", VER_PROVED},
        {"-2*log(x) < -2*log(x + 1)", "x > 0", VER_REFUTED},
        {"-2*log(x) > -2*log(x + 1)", "x > 0", VER_PROVED},
        {"sin(1/2) != 0", NULL, VER_PROVED},
        {"sin(n/2) != 0", NULL, VER_REFUTED}, /* an integer may be 0 */
        {"sin(x) != 0", NULL, VER_REFUTED},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ver_strength is = judged(cases[k].text, cases[k].where);
        if (is != cases[k].is) fail_msg("%s: %s", cases[k].text, ver_strength_name(is));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_hold_every_value),
                                       cmocka_unit_test(ends_known_on_paper),
                                       cmocka_unit_test(cases_are_chosen_by_what_is_assumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
