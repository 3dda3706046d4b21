/* The inequality prover by itself. A statement's points are looked at before it is proved, so that an argument that is wrong
 * is seldom seen in a verdict; here nothing is looked at before, and balls at many points say afterwards whether what was answered is so.
 * Sources: verify/cells.c verify/polysign.c verify/reading.c verify/reading_powers.c verify/settle.c verify/slope.c verify/visible.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define PICK_SEED 11
#include "pick.h"
#include "formula.h"
#include "verify/ball.h"
#include "verify/settle.h"

enum { POINTS = 200, TEXT = 400, BITS = 128 };

/* ---- formulas ------------------------------------------------------------------------------------------ */

/* A formula in x, of parts that the prover's files are about: constants in exponents, roots, sizes, waves, quotients. */
static void some_formula(char *out, size_t cap, int depth) {
    static const char *const leaf[] = {"x", "x", "x", "2", "1/3", "pi", "log(2)", "sqrt(2)", "atan(3)"};
    static const char *const one[] = {"sin(%s)",       "cos(%s)",          "exp(%s)",         "log(%s)",
                                      "sqrt(%s)",      "abs(%s)",          "atan(%s)",        "tanh(%s)",
                                      "(%s)^2",        "(%s)^3",           "-(%s)",           "1/(1+(%s)^2)",
                                      "exp(-abs(%s))", "2^(%s)",           "cosh(%s)",        "1/(%s)",
                                      "floor(%s)",     "(1+(%s)^2)^(1/2)", "exp(log(2)*(%s))"};
    static const char *const two[] = {"(%s)+(%s)",      "(%s)-(%s)",      "(%s)*(%s)",
                                      "maximum(%s,%s)", "minimum(%s,%s)", "(%s)/(%s)"};
    char a[TEXT], b[TEXT];
    int way = depth ? pick(5) : 0;
    if (!way) {
        snprintf(out, cap, "%s", leaf[pick(sizeof leaf / sizeof *leaf)]);
        return;
    }
    some_formula(a, sizeof a, depth - 1);
    if (way < 3) {
        snprintf(out, cap, one[pick(sizeof one / sizeof *one)], a);
        return;
    }
    some_formula(b, sizeof b, depth - 1);
    snprintf(out, cap, two[pick(sizeof two / sizeof *two)], a, b);
}

/* ---- balls --------------------------------------------------------------------------------------------- */

static bool at_point(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)atom, (void)prec;
    acb_set_arb(v, ctx);
    return true;
}

/* e at the point lo + (hi - lo)·k/POINTS; false where it has no real value there. */
static bool value_at(arb_t out, const expr_node *e, int lo, int hi, int k) {
    acb_t v;
    arb_t x;
    acb_init(v);
    arb_init(x);
    arb_set_si(x, (slong)lo * POINTS + (slong)(hi - lo) * k);
    arb_div_si(x, x, POINTS, BITS);
    bool real =
        !ver_ball(v, e, at_point, x, BITS, NULL) && acb_is_finite(v) && arb_contains_zero(acb_imagref(v));
    arb_set(out, acb_realref(v));
    acb_clear(v);
    arb_clear(x);
    return real;
}

/* ---- signs --------------------------------------------------------------------------------------------- */

typedef struct {
    int decided, below, open;
} tally;

/* The least value of f at the points, about, in hundredths; false where f is real at few of them, or large. */
static bool least(long *out, const expr_node *f, int lo, int hi) {
    int real = 0;
    double low = INFINITY;
    arb_t v;
    arb_init(v);
    for (int k = 0; k <= POINTS; k += 4) {
        if (!value_at(v, f, lo, hi, k)) continue;
        low = fmin(low, arf_get_d(arb_midref(v), ARF_RND_NEAR));
        real++;
    }
    arb_clear(v);
    if (real < POINTS / 8 || !(fabs(low) < 1e4)) return false;
    *out = (long)floor(low * 100);
    return true;
}

/* f − c/100 over [lo, hi]: what settle says, against balls. */
static void judge_sign(tally *t, const char *text, const expr_node *f, long c, int lo, int hi) {
    ph_err err = {0};
    expr_builder b = EXPR_BUILDER(&err);
    ver_effort left = {12, 2e3};
    ver_goal g = {.b = &b, .left = &left};
    ver_sign s = VER_SIGN_OPEN;
    const char *method = "";
    bool below = false, touches = false, strict = pick(2);
    expr_node *x = NULL, *bound = expr_b_rat(&b, c, 100);
    assert_int_equal(expr_sym(&x, "x", EXPR_REAL, &err), PH_OK);
    x = expr_b_keep(&b, x);
    assert_true(ver_goal_add(&g, expr_b_sub(&b, x, expr_b_rat(&b, lo, 1)), false));
    assert_true(ver_goal_add(&g, expr_b_sub(&b, expr_b_rat(&b, hi, 1), x), false));
    expr_node *u = expr_b_sub(&b, (expr_node *)f, bound);
    ph_status st = ver_settle(&s, &method, &g, u, strict);
    assert_false(ph_is_fatal(st));
    arb_t v;
    arb_init(v);
    for (int k = 0; k <= POINTS; k++) {
        if (!value_at(v, u, lo, hi, k)) continue;
        below |= arb_is_negative(v);
        touches |= arb_is_nonpositive(v);
    }
    arb_clear(v);
    if (s >= VER_SIGN_NONNEGATIVE && below)
        fail_msg("%s >= %ld/100 on [%d, %d] is false; %s", text, c, lo, hi, method);
    if (s == VER_SIGN_POSITIVE && touches)
        fail_msg("%s > %ld/100 on [%d, %d] is false; %s", text, c, lo, hi, method);
    t->decided += s != VER_SIGN_OPEN;
    t->below += below;
    t->open += s == VER_SIGN_OPEN && !below;
    assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
}

static void no_sign_is_wrong(void **state) {
    (void)state;
    char text[TEXT];
    tally t = {0, 0, 0};
    for (int round = 0; round < 60; round++) {
        int lo = pick(6) - 3, hi = lo + 1 + pick(3);
        long c;
        some_formula(text, sizeof text, 1 + pick(3));
        expr_node *f = strlen(text) < 100 ? formula_or_null(text) : NULL;
        if (f && least(&c, f, lo, hi))
            for (int k = -1; k < 2; k++) judge_sign(&t, text, f, c + k, lo, hi);
        expr_drop(f);
    }
    printf("signs: %d decided, %d not so, %d open\n", t.decided, t.below, t.open);
    assert_true(t.decided > 20 && t.below > 20);
}

/* Constants in exponents that lie near each other; e^(x·c) is c'^x for c = log c' alone. */
static void constants_in_exponents_stay_apart(void **state) {
    (void)state;
    static const char *const f[] = {"3^x - exp(x*atan(3))", "exp(x*atan(3)) - 3^x", "exp(x*log(3)) - 3^x",
                                    "exp(x*sqrt(2)) - 2^x", "2^x - exp(x*sqrt(2))", "exp(x*log(2)) - 3^x",
                                    "exp(x*pi) - pi^x",     "pi^x - exp(x*pi)"};
    tally t = {0, 0, 0};
    for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
        expr_node *e = formula(f[i]);
        for (int lo = -2; lo < 2; lo++) judge_sign(&t, f[i], e, 0, lo, lo + 2);
        expr_drop(e);
    }
    assert_true(t.below > 0 && t.decided > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_sign_is_wrong),
                                       cmocka_unit_test(constants_in_exponents_stay_apart)};
    return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
