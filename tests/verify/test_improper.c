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
    refuse("cos(x)^2", NULL, NULL, "no bound");
    refuse("1 + exp(-x)", "0", NULL, "diverges at x = inf");
    refuse("1/(1 + x)", "0", NULL, "diverges at x = inf");
    refuse("1/(x*(1 + x))", "0", "1", "diverges at x = 0");
    refuse("sqrt(1 + x^2)/x^2", "1", NULL, "diverges at x = inf");
    refuse("log(1 + x)/x^2", "0", "1", "diverges at x = 0");
    refuse("x/sin(x)^2", "0", "1", "diverges at x = 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers), cmocka_unit_test(gammas),
                                       cmocka_unit_test(others)};
    return cmocka_run_group_tests_name("improper", tests, NULL, NULL);
}
