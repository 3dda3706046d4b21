/* Improper integrals: random ones with closed forms (Γ, powers, logarithms) by Arb's own Γ; divergent ones, which differ from convergent
 * ones by an exponent, have no value.
 * Sources: verify/end.c verify/improper.c */
#include "verify/flint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/certify.h"
#include "verify/end.h"

static uint64_t state = 7;
static int below(int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* lo, hi: NULL for the infinities */
static ph_status integrate(double *lower, double *upper, const char *f, const char *lo, const char *hi,
                           ph_err *err) {
    expr_node *e = formula(f), *a = lo ? formula(lo) : NULL, *b = hi ? formula(hi) : NULL, *x = formula("x");
    ver_range r = {x, a, b};
    ver_number *re = NULL, *im = NULL;
    ver_verdict v;
    ph_status st = ver_integral(&re, &im, &v, e, &r, NULL, err);
    if (!st) {
        if (im) fail_msg("%s is not real", f);
        assert_int_equal(v.strength, VER_CERTIFIED);
        *lower = ver_number_lower(re);
        *upper = ver_number_upper(re);
    }
    ver_number_free(re);
    ver_verdict *w = &v;
    ver_clear(w);
    expr_drop(e), expr_drop(a), expr_drop(b), expr_drop(x);
    return st;
}

/* The ball is within 1e-15 of the truth, which is known to its last digit or two. */
static void expect(const char *f, const char *lo, const char *hi, double truth) {
    ph_err err = {0};
    double a = 0, b = 0, slack = 4e-15 * fmax(1, fabs(truth));
    if (integrate(&a, &b, f, lo, hi, &err)) fail_msg("%s: %s", f, err.text);
    if (!(a - slack <= truth && truth <= b + slack && b - a <= slack))
        fail_msg("%s: %.17g … %.17g, not %.17g", f, a, b, truth);
}

static void refuse(const char *f, const char *lo, const char *hi, const char *words) {
    ph_err err = {0};
    double a = 0, b = 0;
    ph_status st = integrate(&a, &b, f, lo, hi, &err);
    if (!st) fail_msg("%s: %.17g … %.17g", f, a, b);
    assert_true(ph_is_open(st));
    if (!strstr(err.text, words)) fail_msg("%s: %s", f, err.text);
}

/* Γ(p/q) */
static double gamma_of(int p, int q) {
    arb_t g;
    fmpq_t x;
    arb_init(g);
    fmpq_init(x);
    fmpq_set_si(x, p, (ulong)q);
    arb_gamma_fmpq(g, x, 200);
    double r = arf_get_d(arb_midref(g), ARF_RND_NEAR);
    arb_clear(g);
    fmpq_clear(x);
    return r;
}

static void powers(void **unused) {
    (void)unused;
    char f[200], lo[40], hi[40];
    for (int k = 0; k < 60; k++) {
        int q = 2 + below(6), p = 1 + below(3 * q), a = 1 + below(4);
        double e = (double)p / q;
        /* near 0, and from either side of a point inside: ∫ |x − c|^(e−1) */
        snprintf(f, sizeof f, "x^((%d)/%d)", p - q, q);
        expect(f, "0", "1", 1 / e);
        int c = below(7) - 3;
        snprintf(f, sizeof f, "abs(x - (%d)/3)^((%d)/%d)", c, p - q, q);
        snprintf(lo, sizeof lo, "%d/3 - %d", c, a);
        snprintf(hi, sizeof hi, "%d/3 + 1", c);
        expect(f, lo, hi, (pow(a, e) + 1) / e);
        /* at infinity, and the same exponents where they diverge */
        snprintf(f, sizeof f, "x^((%d)/%d)", -p - q, q);
        expect(f, "1", NULL, 1 / e);
        refuse(f, "0", "1", "diverges at x = 0");
        snprintf(f, sizeof f, "x^((%d)/%d)", p - q, q);
        refuse(f, "1", NULL, p < q ? "diverges at x = inf" : "at x = inf");
        /* logarithms */
        int m = 1 + below(3);
        snprintf(f, sizeof f, "x^((%d)/%d)*log(x)^%d", p - q, q, m);
        if (5 * p >= q) expect(f, "0", "1", tgamma(m + 1) * pow(-1, m) / pow(e, m + 1));
    }
    refuse("1/x", "0", "1", "diverges at x = 0");
    refuse("1/x^2", "-1", "1", "diverges at x = 0");
    refuse("1/x", "-1", "1", "diverges at x = 0");
    refuse("1/(x - 1/3)^2", "0", "1", "diverges at x = 1/3");
    refuse("1/(x - 3000000019)^2", "0", "3000000020", "diverges at x = 3000000019");
    refuse("tan(x)", "0", "pi/2", "diverges at x = pi/2");
    refuse("1/sin(x)", "1", "4", "diverges at x = pi");
    refuse("1/sqrt(x^2 + x^4)", "0", "1", "diverges at x = 0");
}

static void gammas(void **unused) {
    (void)unused;
    char f[200];
    for (int k = 0; k < 60; k++) {
        int q = 1 + below(3), p = 1 + below(4 * q), m = 1 + below(3), c = 1 + below(3);
        /* x^(p/q − 1) exp(−c x^m) over the positive half: Γ(p/(qm))/(m c^(p/(qm))) */
        snprintf(f, sizeof f, "x^((%d)/%d)*exp(-%d*x^%d)", p - q, q, c, m);
        expect(f, "0", NULL, gamma_of(p, q * m) / m / pow(c, (double)p / q / m));
        /* x^(p/q − 1) (1 − x)^(s/q − 1) */
        int s = 1 + below(4 * q);
        snprintf(f, sizeof f, "x^((%d)/%d)*(1 - x)^((%d)/%d)", p - q, q, s - q, q);
        expect(f, "0", "1", gamma_of(p, q) * gamma_of(s, q) / gamma_of(p + s, q));
        /* a Gaussian, and a Cauchy density */
        int b = below(5) - 2;
        snprintf(f, sizeof f, "exp(-%d*x^2 + (%d)*x)", c, b);
        expect(f, NULL, NULL, sqrt(M_PI / c) * exp((double)b * b / 4 / c));
        snprintf(f, sizeof f, "1/((x - (%d))^2 + %d)", b, c);
        expect(f, NULL, NULL, M_PI / sqrt(c));
        snprintf(f, sizeof f, "exp(%d*x^%d)", c, m);
        refuse(f, "0", NULL, "x = inf");
        snprintf(f, sizeof f, "exp(%d*x)", c);
        refuse(f, NULL, NULL, "x = inf");
        expect(f, NULL, "0", 1.0 / c);
    }
}

static void others(void **unused) {
    (void)unused;
    expect("1/sqrt(1 - x^2)", "-1", "1", M_PI);
    expect("log(sin(x))", "0", "pi", -M_PI * log(2));
    expect("exp(-x)*log(x)", "0", NULL, -0.57721566490153286061);
    expect("exp(-x)*cos(x)", "0", NULL, 0.5);
    expect("2^(-x)", "0", NULL, 1 / log(2));
    expect("sin(x)/x", "-2", "2", 3.2108259536053896972);      /* 2 Si(2), by Arb */
    expect("(1 - cos(x))/x^2", "0", "1", 0.48638537623532273); /* Si(1) − 1 + cos 1 */
    expect("log(x)/(x - 1)", "0", "1", M_PI * M_PI / 6);
    expect("1/sqrt(x)", "1", "0", -2);
    refuse("sin(x)", "0", NULL, "no bound");
    refuse("1/sqrt(abs(sin(50*x)))", "0", "3", "at more than 10 points");
    refuse("cos(x)^2", NULL, NULL, "no bound");
    refuse("1 + exp(-x)", "0", NULL, "diverges at x = inf");
    refuse("1/(1 + x)", "0", NULL, "diverges at x = inf");
    refuse("1/(x*(1 + x))", "0", "1", "diverges at x = 0");
    refuse("sqrt(1 + x^2)/x^2", "1", NULL, "diverges at x = inf");
    refuse("log(1 + x)/x^2", "0", "1", "diverges at x = 0");
    refuse("x/sin(x)^2", "0", "1", "diverges at x = 0");
}

/* ---- one end ------------------------------------------------------------------------------------------- */

/* ∫ f(1/x)/x^40 from 1/δ to infinity is ∫ t^38·f(t) over (0, δ], here by Simpson's rule with 4000 panels: the integrand is t^38
 * times what varies little, so that its fourth derivative is about 38⁴/δ⁴ of it, and the rule errs by 38⁴/(180·4000⁴) < 1e-10
 * of the integral. */
static double by_simpson(double (*f)(double), double delta) {
    double sum = 0;
    enum { PANELS = 4000 };
    for (int k = 0; k <= PANELS; k++) {
        double t = delta * k / PANELS;
        sum += (k == 0 || k == PANELS ? 1 : k % 2 ? 4 : 2) * pow(t, 38) * f(t);
    }
    return sum * delta / PANELS / 3;
}
static double less_one(double t) { return expm1(t); }
static double under_root(double t) { return sqrt(1 + t); }

/* A weight that is nearly all at the far end of the piece asks how far the enclosure reaches there, where a closed form of the whole
 * integral lets it be too narrow. */
static void an_end_holds_its_far_side(void **ignored) {
    (void)ignored;
    static const struct {
        const char *f;
        double (*of)(double);
    } rows[] = {{"sin(1/x)", sin},          {"cos(1/x)", cos},       {"exp(1/x)", exp},
                {"exp(1/x) - 1", less_one}, {"log(1 + 1/x)", log1p}, {"sqrt(1 + 1/x)", under_root},
                {"sinh(1/x)", sinh},        {"cosh(1/x)", cosh},     {"tanh(1/x)", tanh},
                {"atan(1/x)", atan},        {"tan(1/x)", tan},       {"asin(1/x)", asin}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (slong j = 1; j <= 6; j++) {
            char text[100];
            ph_err err = {0};
            snprintf(text, sizeof text, "(%s)/x^40", rows[i].f);
            expr_node *e = formula(text), *x = formula("x");
            acb_t v;
            ver_tail how;
            acb_init(v);
            ver_end n = {.x = x, .side = 1, .j = j, .prec = 64, .err = &err};
            if (ver_end_integral(v, &how, e, &n)) fail_msg("%s: %s", text, err.text);
            double truth = by_simpson(rows[i].of, ldexp(1, (int)-j)), lower, upper;
            if (how == VER_CONVERGES) {
                arf_t a, b;
                arf_init(a), arf_init(b);
                arb_get_interval_arf(a, b, acb_realref(v), 64);
                lower = arf_get_d(a, ARF_RND_DOWN), upper = arf_get_d(b, ARF_RND_UP);
                arf_clear(a), arf_clear(b);
                if (!(lower - 1e-9 * truth <= truth && truth <= upper + 1e-9 * truth))
                    fail_msg("%s to 2^-%ld: %.12g … %.12g, not %.12g", text, (long)j, lower, upper, truth);
            } else if (j > 3) fail_msg("%s to 2^-%ld: no bound", text, (long)j);
            acb_clear(v);
            expr_drop(e), expr_drop(x);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers), cmocka_unit_test(gammas),
                                       cmocka_unit_test(others), cmocka_unit_test(an_end_holds_its_far_side)};
    return cmocka_run_group_tests_name("improper", tests, NULL, NULL);
}
