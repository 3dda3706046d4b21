/* Inequalities between two ends: bent graphs over their chords, quotients by the sign of their denominators, waves between zeros. Random
 * ends and constants near those where the statement turns false; balls at many points between the ends say which are.
 * Sources: verify/cells.c verify/polysign.c verify/reading.c verify/reading_variables.c verify/settle.c verify/slope.c verify/visible.c
 * Sources: verify/waves.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define PICK_SEED 7
#include "pick.h"
#include "formula.h"
#include "verify/ball.h"
#include "verify/prove.h"
#include "verify/settle.h"

enum { ROUNDS = 12, POINTS = 300 };

static bool at_point(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)atom, (void)prec;
    acb_set_arb(v, *(arb_t *)ctx);
    return true;
}

static bool no_atom(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* Does a point between the ends, or one of them, make l < r certain, for l >= r? */
static bool fails(const expr_node *s, const expr_node *lo, const expr_node *hi) {
    acb_t a, b, l, r;
    arb_t x;
    bool bad = false;
    acb_init(a);
    acb_init(b);
    acb_init(l);
    acb_init(r);
    arb_init(x);
    assert_int_equal(ver_ball(a, lo, no_atom, NULL, 200, NULL), PH_OK);
    assert_int_equal(ver_ball(b, hi, no_atom, NULL, 200, NULL), PH_OK);
    for (int k = 0; k <= POINTS && !bad; k++) {
        arb_sub(x, acb_realref(b), acb_realref(a), 200);
        arb_mul_si(x, x, k, 200);
        arb_div_si(x, x, POINTS, 200);
        arb_add(x, x, acb_realref(a), 200);
        if (ver_ball(l, s->arg[0], at_point, &x, 200, NULL) ||
            ver_ball(r, s->arg[1], at_point, &x, 200, NULL))
            continue;
        bad = acb_is_finite(l) && acb_is_finite(r) && ver_ball_compare(s->op, l, r) == VER_FALSE;
    }
    acb_clear(a);
    acb_clear(b);
    acb_clear(l);
    acb_clear(r);
    arb_clear(x);
    return bad;
}

typedef struct {
    int proved, open, failing;
} tally;

static void judge(tally *t, const char *text, const char *lo, const char *hi) {
    ver_verdict v;
    ph_err err = {0};
    char bound[2][120];
    snprintf(bound[0], sizeof bound[0], "x >= %s", lo);
    snprintf(bound[1], sizeof bound[1], "x <= %s", hi);
    expr_node *s = formula(text), *a = formula(lo), *b = formula(hi),
              *where[2] = {formula(bound[0]), formula(bound[1])};
    bool bad = fails(s, a, b);
    if (ver_prove(&v, s, &(ver_assume){where, 2}, &err)) fail_msg("%s: %s", text, err.text);
    if (v.strength == VER_PROVED && bad) fail_msg("%s on [%s, %s] is false, and proved", text, lo, hi);
    if (v.strength == VER_REFUTED && !bad && !v.witness) fail_msg("%s: refuted without a witness", text);
    t->failing += bad;
    t->proved += v.strength == VER_PROVED;
    t->open += v.strength == VER_UNKNOWN && !bad;
    ver_clear(&v);
    expr_drop(s);
    expr_drop(a);
    expr_drop(b);
    expr_drop(where[0]);
    expr_drop(where[1]);
}

static void enough(const char *what, tally t) {
    printf("%s: %d proved, %d false, %d open\n", what, t.proved, t.failing, t.open);
    assert_true(t.failing > 0 && t.proved > t.open);
}

/* a·f(x) against the chord through its ends, a little lower or higher */
static void over_chords(void **state) {
    (void)state;
    static const char *const f[] = {"sin(x)", "cos(x)", "-exp(x)", "-x^2", "log(1+x)"};
    tally t = {0, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        char text[300], hi[20];
        const char *g = f[pick(5)];
        int e = 1 + pick(6); /* the end is e/4 */
        double x = e / 4.0, y0 = *g == 's' ? 0 : *g == 'c' ? 1 : g[1] == 'e' ? -1 : 0;
        double y1 = *g == 's'     ? sin(x)
                    : *g == 'c'   ? cos(x)
                    : g[1] == 'e' ? -exp(x)
                    : *g == 'l'   ? log1p(x)
                                  : -x * x;
        long m =
            lround((y1 - y0) / x * 1000) + pick(7) - 4; /* the chord's slope, in thousandths, and a bit off */
        snprintf(hi, sizeof hi, "%d/4", e);
        snprintf(text, sizeof text, "%s >= %g + (%ld)/1000*x", g, y0, m);
        judge(&t, text, "0", hi);
    }
    enough("chords", t);
}

static void quotients(void **state) {
    (void)state;
    static const struct {
        const char *f;
        int limit; /* in thousandths: at 0 */
        int above; /* the quotient stays above it */
    } q[] = {
        {"sin(x)/x", 1000, 0}, {"(1-cos(x))/x^2", 500, 0}, {"log(1+x)/x", 1000, 0}, {"tanh(x)/x", 1000, 0}};
    tally t = {0, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        char text[300], hi[20];
        int k = pick(4);
        snprintf(hi, sizeof hi, "%d/3", 1 + pick(5));
        snprintf(text, sizeof text, "(%d)/1000 >= %s", q[k].limit - 2 + pick(5), q[k].f);
        judge(&t, text, k == 2 ? "0" : "-1", hi);
    }
    enough("quotients", t);
}

/* ±sin or ±cos of p·x + q·π/6 between ends that are multiples of π/12 */
static void waves(void **state) {
    (void)state;
    tally t = {0, 0, 0};
    for (int round = 0; round < 4 * ROUNDS; round++) {
        char text[300], lo[40], hi[40];
        int from = pick(25) - 12, p = 1 + pick(2);
        snprintf(lo, sizeof lo, "(%d)*pi/12", from);
        snprintf(hi, sizeof hi, "(%d)*pi/12", from + 1 + pick(p == 2 ? 7 : 13));
        snprintf(text, sizeof text, "%s%s(%d*x + (%d)*pi/6) >= 0", pick(2) ? "-" : "",
                 pick(2) ? "sin" : "cos", p, pick(7) - 3);
        judge(&t, text, lo, hi);
    }
    printf("waves: %d proved, %d false, %d open\n", t.proved, t.failing, t.open);
    assert_true(t.failing > ROUNDS && t.proved > ROUNDS / 3);
}

/* A kink under a chord, a pole between the ends, a denominator of both signs. */
static void what_is_false_stays_so(void **state) {
    (void)state;
    static const char *const s[] = {"abs(x) >= 1/2",      "sqrt(x^2) - 1/3 >= 0", "1/x >= -100",
                                    "x^2 - 1/4 >= 0",     "-1/x^2 >= -100",       "sin(x)/x >= 1",
                                    "abs(x+1/3) >= 1/10", "tan(2*x) >= -50"};
    tally t = {0, 0, 0};
    for (size_t i = 0; i < sizeof s / sizeof *s; i++) judge(&t, s[i], "-1", "1");
    assert_int_equal(t.proved, 0);
}

/* 1/c - 1/(n - 5) grows from n = 1 to 4 and from n = 6 on, starts above 0, and lies below 0 at n = 6: an induction from 1 must not pass the
 * place where it has no value; from 7 on there is none. */
static void no_induction_passes_a_pole(void **state) {
    (void)state;
    ph_err err = {0};
    const struct {
        const char *u;
        int from;
        bool holds;
    } cases[] = {{"1/2 - 1/(n-5)", 1, false},
                 {"1/2 - 1/(n-5)", 7, true},
                 {"2 - 1/(n-5) + 1/(n-5)^2", 1, false},
                 {"sum(1/(i-5)^2, i, 1, n)", 1, false},
                 {"1 - 1/n", 1, true},
                 {"2^n - n", 1, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expr_builder b = EXPR_BUILDER(&err);
        ver_effort left = {200, 1e6};
        ver_goal nothing = {.b = &b, .left = &left};
        ver_sign s = VER_SIGN_OPEN;
        expr_node *u = formula(cases[i].u);
        expr_set symbols;
        assert_int_equal(expr_symbols(&symbols, u, &err), PH_OK);
        assert_int_equal(ver_induct_from(&s, &nothing, u, symbols.item[0], cases[i].from, false), PH_OK);
        if ((s != VER_SIGN_OPEN) != cases[i].holds) fail_msg("%s from %d: %d", cases[i].u, cases[i].from, s);
        expr_set_clear(&symbols);
        expr_drop(u);
        assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(over_chords), cmocka_unit_test(quotients),
                                       cmocka_unit_test(waves), cmocka_unit_test(what_is_false_stays_so),
                                       cmocka_unit_test(no_induction_passes_a_pole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
