/* Quotients that read 0/0 somewhere in a box. Bounds just above the least value that balls saw at points beside the place are false and are
 * never certified; bounds a little below it are, with the place left out of what is said.
 * Sources: verify/holes.c verify/order.c verify/polysign.c verify/waves.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "ranges.h"
#include "verify/told.h"
#include "verify/ball.h"
#include "verify/certify.h"

enum { POINTS = 240 };

static const struct {
    const char *f, *lo, *hi, *but; /* but: what the verdict leaves out */
} rows[] = {
    {"sin(x)/x", "0", "1", "x != 0"},
    {"sin(x)/x", "-2", "3", "x != 0"},
    {"-sin(x)/x", "-1", "1", "x != 0"},
    {"(1-cos(x))/x^2", "-1", "1", "x != 0"},
    {"(cos(x)-1)/x^2", "-1", "2", "x != 0"},
    {"(exp(x)-1)/x", "-1", "1", "x != 0"},
    {"x/(exp(x)-1)", "-1", "1", "x != 0"},
    {"-x/(exp(x)-1)", "-1", "1", "x != 0"},
    {"log(1+x)/x", "0", "1", "x != 0"},
    {"log(x)/(x-1)", "1/2", "2", "x != 1"},
    {"-log(x)/(x-1)", "1/2", "2", "x != 1"},
    {"tanh(x)/x", "-1", "1", "x != 0"},
    {"(x^3-8)/(x-2)", "1", "3", "x != 2"},
    {"(x-sin(x))/x^3", "-1", "1", "x != 0"},
    {"-(x-sin(x))/x^3", "-1", "1", "x != 0"},
    {"sin(3*x)/sin(2*x)", "-1/2", "1/2", "x != 0"},
    {"sin(x)/x + (exp(x)-1)/x", "-1", "1", "x != 0"},
    {"abs(sin(x)/x) + x", "-1", "1", "x != 0"},
    {"(2*x-1)/(4*x^2-1)", "0", "1", "x != 1/2"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool at_point(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)atom, (void)prec;
    acb_set_arb(v, *(arb_t *)ctx);
    return true;
}

/* The least upper end of balls of f at points of [lo, hi], spaced evenly and, towards the place, ever closer. */
static double least_seen(const expr_node *f, double lo, double hi, double place) {
    double least = HUGE_VAL;
    acb_t y;
    arb_t x;
    arf_t u;
    acb_init(y);
    arb_init(x);
    arf_init(u);
    for (int k = 0; k <= 2 * POINTS; k++) {
        double at = lo + (hi - lo) * k / POINTS;
        if (k > POINTS) at = place + ((k & 1) ? 1 : -1) * ldexp(1, -(k - POINTS) / 8);
        if (at < lo || at > hi || at == place) continue;
        arb_set_d(x, at);
        if (ver_ball(y, f, at_point, &x, 400, NULL) || !acb_is_finite(y)) continue;
        arb_get_ubound_arf(u, acb_realref(y), 64);
        double d = arf_get_d(u, ARF_RND_CEIL);
        if (d < least) least = d;
    }
    acb_clear(y);
    arb_clear(x);
    arf_clear(u);
    return least;
}

/* f > bound on the box */
static ver_strength judge(int i, double bound, char *said, size_t room) {
    ver_verdict v;
    ph_err err = {0};
    expr_builder b = EXPR_BUILDER(NULL);
    expr_node *f = expr_b_keep(&b, formula(rows[i].f)), *s, *x = expr_b_keep(&b, formula("x"));
    expr_node *r = expr_b_rat(&b, (int64_t)floor(ldexp(bound, 40)), INT64_C(1) << 40);
    expr_node *lo = expr_b_keep(&b, formula(rows[i].lo)), *hi = expr_b_keep(&b, formula(rows[i].hi));
    assert_int_equal(expr_b_end(&b, &s, expr_b_2(&b, EXPR_GT, f, r)), PH_OK);
    x = formula("x"), lo = formula(rows[i].lo), hi = formula(rows[i].hi);
    ver_range range = {x, lo, hi};
    ver_budget budget = {.boxes = 3000};
    if (ver_certify(&v, s, &(ver_ranges){&range, 1}, NULL, &budget, &err)) fail_msg("%s", err.text);
    ver_strength got = v.strength;
    char *conditions = NULL;
    if (ver_conditions(&conditions, &v, VER_EN, &err)) fail_msg("%s", err.text);
    snprintf(said, room, "%s", conditions ? conditions : "");
    ph_free(conditions);
    ver_clear(&v);
    expr_drop(s);
    expr_drop(x);
    expr_drop(lo);
    expr_drop(hi);
    return got;
}

static double number(const char *text) {
    expr_node *e = formula(text);
    double _Complex v;
    assert_int_equal(expr_eval(&v, e, NULL, NULL, NULL), PH_OK);
    expr_drop(e);
    return __real__ v;
}

static void bounds_beside_the_least_value(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        char said[200];
        expr_node *f = formula(rows[i].f);
        double least =
            least_seen(f, number(rows[i].lo), number(rows[i].hi), number(strstr(rows[i].but, "= ") + 2));
        assert_true(isfinite(least));
        for (int e = 4; e <= 36; e += 8) { /* above a value that is taken: false */
            ver_strength got = judge(i, least + ldexp(1, -e), said, sizeof said);
            if (got >= VER_MEASURED) fail_msg("%s > %.12g was certified", rows[i].f, least + ldexp(1, -e));
        }
        if (judge(i, least - 0.05, said, sizeof said) != VER_CERTIFIED)
            fail_msg("%s > %g was not certified", rows[i].f, least - 0.05);
        if (!strstr(said, rows[i].but))
            fail_msg("%s: '%s' does not leave out %s", rows[i].f, said, rows[i].but);
        expr_drop(f);
    }
}

/* Poles, kinks and jumps are no holes. */
static void what_has_no_limit_stays_undefined(void **state) {
    (void)state;
    static const char *const open[] = {"1/x < 100000",           "sin(x)/x^2 > -5",     "abs(x)/x > 1/2",
                                       "(1+sin(x))/x < 9999999", "floor(x)/x < 9",      "sqrt(x^2)/x > 0",
                                       "sin(x)/abs(x) > 0",      "(x-sin(x))/x^4 > -1", "cos(x)/x > -99999"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        ver_strength got = strength_on(open[i], "x -1 1", &(ver_budget){.boxes = 300});
        if (got >= VER_MEASURED) fail_msg("%s holds, it says", open[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_beside_the_least_value),
                                       cmocka_unit_test(what_has_no_limit_stays_undefined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
