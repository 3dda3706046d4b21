/* Double-doubles against Arb: at seeded points of every size, the distance from the ball of the exact value.
 * Sources: base/dd.c */
#include "verify/flint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/dd.h"

#define PREC   1600 /* bits: enough for sin at 2^1023 */
#define POINTS 4000

static uint64_t seed = 20240501;
static uint64_t
bits64(void) { /* splitmix64; the generator under test elsewhere is not used as a source here */
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static double between(double lo, double hi) { return lo + (hi - lo) * ldexp((double)(bits64() >> 11), -53); }
static double sign(void) { return bits64() & 1 ? 1 : -1; }

/* hi 2^e-ish with a full random low part. */
static ph_dd pair(double hi) { return ph_fast_two_sum(hi, hi * ldexp(between(-1, 1), -53)); }
static ph_dd any_size(int e_lo, int e_hi) {
    return pair(sign() * ldexp(between(1, 2), (int)between(e_lo, e_hi)));
}

static void set(arb_t x, ph_dd a) {
    arb_t lo;
    arb_init(lo);
    arb_set_d(x, a.hi);
    arb_set_d(lo, a.lo);
    arb_add(x, x, lo, ARF_PREC_EXACT);
    arb_clear(lo);
}

/* An upper bound of |got - want| / |want|; NaN or inf when there is none. */
static double error_of(ph_dd got, const arb_t want) {
    arb_t g;
    mag_t top, bottom;
    arb_init(g);
    mag_init(top);
    mag_init(bottom);
    set(g, got);
    arb_sub(g, g, want, PREC);
    arb_get_mag(top, g);
    arb_get_mag_lower(bottom, want);
    mag_div(top, top, bottom);
    double e = isfinite(got.hi) && isfinite(got.lo) ? mag_get_d(top) : NAN;
    mag_clear(top);
    mag_clear(bottom);
    arb_clear(g);
    return e;
}

static double worst;
static void within(ph_dd got, const arb_t want, double bound) {
    double e = error_of(got, want);
    if (!(isfinite(e) && e <= bound)) {
        print_error("got %a + %a: error 2^%.2f, bound 2^%.2f\n", got.hi, got.lo, log2(e), log2(bound));
        fail();
    }
    if (fabs(got.lo) > ldexp(fabs(got.hi), -53)) fail_msg("%a + %a: the parts overlap", got.hi, got.lo);
    if (e > worst) worst = e;
}
static void report(const char *what) {
    print_message("  %s: worst relative error 2^%.2f\n", what, worst > 0 ? log2(worst) : -INFINITY);
    worst = 0;
}

static void arithmetic_keeps_its_proved_bounds(void **state) {
    (void)state;
    const double u2 = ldexp(1, -106);
    arb_t a, b, r;
    arb_init(a);
    arb_init(b);
    arb_init(r);
    for (int i = 0; i < POINTS; i++) {
        ph_dd x = any_size(-100, 100), y = any_size(-100, 100);
        if (i % 2) y = ph_dd_mul_d(pair(-x.hi), between(0.9, 1.1)); /* cancellation */
        set(a, x);
        set(b, y);
        arb_add(r, a, b, PREC);
        within(ph_dd_add(x, y), r, 3 * u2 * 1.001); /* 3u^2 + O(u^3) */
        arb_sub(r, a, b, PREC);
        within(ph_dd_sub(x, y), r, 3 * u2 * 1.001);
        arb_mul(r, a, b, PREC);
        within(ph_dd_mul(x, y), r, 5 * u2 * 1.001);
        arb_div(r, a, b, PREC);
        within(ph_dd_div(x, y), r, 10 * u2 * 1.001);
        if (x.hi > 0) {
            arb_sqrt(r, a, PREC);
            within(ph_dd_sqrt(x), r, 25. / 8 * u2 * 1.001);
        }
        set(b, ph_dd_of(y.hi));
        arb_mul(r, a, b, PREC);
        within(ph_dd_mul_d(x, y.hi), r, 3 * u2 * 1.001);
        arb_add(r, a, b, PREC);
        if (ph_dd_value(ph_dd_add_d(x, y.hi)) != 0) within(ph_dd_add_d(x, y.hi), r, 3 * u2 * 1.001);
    }
    report("arithmetic");
    arb_clear(a);
    arb_clear(b);
    arb_clear(r);
}

static void error_free_steps_are_exact(void **state) {
    (void)state;
    arb_t a, b, r, s;
    arb_init(a);
    arb_init(b);
    arb_init(r);
    arb_init(s);
    for (int i = 0; i < POINTS; i++) {
        double x = any_size(-300, 300).hi, y = any_size(-300, 300).hi;
        if (i % 2) y = any_size(-60, 60).hi, x = any_size(-60, 60).hi;
        arb_set_d(a, x);
        arb_set_d(b, y);
        arb_mul(r, a, b, ARF_PREC_EXACT);
        set(s, ph_two_prod(x, y));
        assert_true(arb_equal(r, s));
        arb_add(r, a, b, ARF_PREC_EXACT);
        set(s, ph_two_sum(x, y));
        assert_true(arb_equal(r, s));
        ph_dd p =
            ph_two_prod(x, y); /* and the same with the fused operation, where one is made or emulated */
        assert_true(p.lo == fma(x, y, -p.hi));
    }
    arb_clear(a);
    arb_clear(b);
    arb_clear(r);
    arb_clear(s);
}

/* The header's promise for the functions. */
#define F_BOUND ldexp(1, -103)

static void exp_and_log(void **state) {
    (void)state;
    arb_t a, r;
    arb_init(a);
    arb_init(r);
    for (int i = 0; i < POINTS; i++) {
        ph_dd x = i % 2 ? any_size(-120, 9) : pair(between(-660, 709));
        set(a, x);
        arb_exp(r, a, PREC);
        if (x.hi > -660 && x.hi < 709.7) within(ph_dd_exp(x), r, F_BOUND);
    }
    report("exp");
    for (int i = 0; i < POINTS; i++) {
        ph_dd x = any_size(-900, 1000);
        if (i % 3 == 1) x = ph_dd_add_d(any_size(-60, -2), 1);
        if (i % 3 == 2) x = pair(between(0.3, 3));
        if (x.hi < 0) x = ph_dd_neg(x);
        set(a, x);
        arb_log(r, a, PREC);
        within(ph_dd_log(x), r, F_BOUND);
    }
    report("log");
    arb_clear(a);
    arb_clear(r);
}

static void pow_for_frequencies(void **state) {
    (void)state;
    arb_t a, b, r;
    arb_init(a);
    arb_init(b);
    arb_init(r);
    const double bases[] = {10000, 500000, 1e6, 2, 1.5};
    for (int k = 0; k < 5; k++)
        for (int d = 2; d <= 256; d *= 2)
            for (int i = 0; i < d / 2; i++) {
                ph_dd y = ph_dd_div(ph_dd_of(-2.0 * i), ph_dd_of(d)), x = ph_dd_of(bases[k]);
                set(a, x);
                set(b, y);
                arb_pow(r, a, b, PREC);
                within(ph_dd_pow(x, y), r, F_BOUND * (1 + fabs(y.hi * log(x.hi))));
            }
    report("pow");
    arb_clear(a);
    arb_clear(b);
    arb_clear(r);
}

static void check_sincos(ph_dd x) {
    arb_t a, s, c;
    arb_init(a);
    arb_init(s);
    arb_init(c);
    ph_dd gs, gc;
    set(a, x);
    arb_sin_cos(s, c, a, PREC);
    ph_dd_sincos(&gs, &gc, x);
    within(gs, s, F_BOUND);
    within(gc, c, F_BOUND);
    arb_clear(a);
    arb_clear(s);
    arb_clear(c);
}

static void sincos_over_the_whole_range(void **state) {
    (void)state;
    for (int i = 0; i < POINTS; i++) check_sincos(i % 2 ? any_size(-100, 1023) : any_size(-8, 21));
    /* near multiples of pi/2, where the reduction cancels most: the nearest pairs, and the double that comes
     * nearest of all, 6381956970095103 2^797 (Kahan 1983) */
    arb_t p;
    arb_init(p);
    for (int i = 1; i < POINTS; i++) {
        arb_const_pi(p, 300);
        arb_mul_si(p, p, i < POINTS / 2 ? i : (slong)(bits64() >> 20), 300);
        arb_mul_2exp_si(p, p, -1);
        double hi = arf_get_d(arb_midref(p), ARF_RND_NEAR);
        arf_t rest;
        arf_init(rest);
        arf_set_d(rest, hi);
        arf_sub(rest, arb_midref(p), rest, ARF_PREC_EXACT, ARF_RND_DOWN);
        check_sincos(ph_dd_of(hi));
        check_sincos(ph_fast_two_sum(hi, arf_get_d(rest, ARF_RND_NEAR)));
        arf_clear(rest);
    }
    check_sincos(ph_dd_of(ldexp(6381956970095103.0, 797)));
    check_sincos(ph_dd_of(0x1.fffffffffffffp1023));
    report("sincos");
    arb_clear(p);
}

static void special_values(void **state) {
    (void)state;
    ph_dd s, c;
    assert_true(ph_dd_exp(ph_dd_of(0)).hi == 1);
    assert_true(ph_dd_exp(ph_dd_of(INFINITY)).hi == INFINITY);
    assert_true(ph_dd_exp(ph_dd_of(710)).hi == INFINITY && ph_dd_exp(ph_dd_of(710)).lo == 0);
    assert_true(ph_dd_exp(ph_dd_of(-INFINITY)).hi == 0);
    assert_true(ph_dd_exp(ph_dd_of(-745)).hi == 0x1p-1074);
    assert_true(isnan(ph_dd_exp(ph_dd_of(NAN)).hi));
    assert_true(ph_dd_log(ph_dd_of(1)).hi == 0);
    assert_true(ph_dd_log(ph_dd_of(0)).hi == -INFINITY);
    assert_true(ph_dd_log(ph_dd_of(INFINITY)).hi == INFINITY);
    assert_true(isnan(ph_dd_log(ph_dd_of(-1)).hi));
    assert_true(isnan(ph_dd_log(ph_dd_of(NAN)).hi));
    assert_true(isnan(ph_dd_pow(ph_dd_of(-2), ph_dd_of(2)).hi));
    ph_dd_sincos(&s, &c, ph_dd_of(INFINITY));
    assert_true(isnan(s.hi) && isnan(c.hi));
    ph_dd_sincos(&s, &c, ph_dd_of(-0.0));
    assert_true(s.hi == 0 && signbit(s.hi) && c.hi == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_free_steps_are_exact),
        cmocka_unit_test(arithmetic_keeps_its_proved_bounds),
        cmocka_unit_test(exp_and_log),
        cmocka_unit_test(pow_for_frequencies),
        cmocka_unit_test(sincos_over_the_whole_range),
        cmocka_unit_test(special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
