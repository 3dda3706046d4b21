/* Signs that belong to a whole and not to its parts: even powers under roots and logarithms, the least value of a symbol of
 * some kind, natural indices. The oracle of a false identity is its value in f64 where the base is negative.
 * Sources: verify/linear_facts.c verify/order.c verify/points.c verify/reading_sign.c verify/settle.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "judged.h"

static ver_strength strength_of(expr_node *s, const ver_assume *a) {
    ver_verdict v;
    ph_err err = {0};
    if (ver_prove(&v, s, a, &err)) fail_msg("%s", err.text);
    ver_strength strength = v.strength;
    ver_clear(&v);
    return strength;
}

static bool at_far_point(void *ctx, const expr_node *atom, double complex *v) {
    (void)ctx;
    *v = atom->kind == EXPR_POSITIVE ? 0.75 : strcmp(atom->name, "y") ? -4321.0 : 3.0;
    return true;
}

/* Are the sides apart at x = -4321? Then no verdict may be "proved". */
static bool false_far_away(const expr_node *s) {
    double complex l, r;
    assert_int_equal(expr_eval(&l, s->arg[0], at_far_point, NULL, NULL), PH_OK);
    assert_int_equal(expr_eval(&r, s->arg[1], at_far_point, NULL, NULL), PH_OK);
    return cabs(l - r) > 1e-6 * (cabs(l) + cabs(r));
}

/* Every identity that takes an even power for its base, in bases that are negative only beyond where points are tried. */
static void even_powers(void **state) {
    (void)state;
    static const char *const base[] = {"(x+1000)", "(x-y+2000)", "(x+1000)*(y^2+1)", "(3*x+4000)/(1+y^2)",
                                       "(exp(y)+x)"};
    static const char *const wrong[] = {
        "sqrt((%s)^(-2)) = 1/(%s)",
        "log((%s)^(-2)) = -2*log(%s)",
        "((%s)^(-4))^(1/4) = 1/(%s)",
        "((%s)^(-2))^k = (%s)^(-2*k)",
        "sqrt(k*(%s)^(-2)) = sqrt(k)/(%s)",
        "sqrt((%s)^(-2)/k) = 1/(sqrt(k)*(%s))",
        "log(exp(y)*(%s)^(-2)) = y - 2*log(%s)",
        "sqrt(sqrt((%s)^(-4))) = 1/(%s)",
        "sqrt(1/(%s)^2) = 1/(%s)",
        "sqrt((%s)^(-2)*(y^2+1)) = sqrt(y^2+1)/(%s)",
        "sqrt(((%s)^(-2))^3) = (%s)^(-3)",
        "(((%s)^2)^(-1))^(1/2) = 1/(%s)",
    };
    static const char *const right[] = {"sqrt((%s)^(-2)) = 1/abs(%s)", "((%s)^(-4))^(1/4) = 1/abs(%s)",
                                        "sqrt((%s)^4) = (%s)^2"};
    char text[300];
    int seen = 0;
    for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            snprintf(text, sizeof text, wrong[k], base[i], base[i]);
            expr_node *s = formula(text);
            seen += false_far_away(s);
            if (false_far_away(s) && strength_of(s, NULL) == VER_PROVED) fail_msg("proved: %s", text);
            expr_drop(s);
        }
        for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
            snprintf(text, sizeof text, right[k], base[i], base[i]);
            expr_node *s = formula(text);
            assert_false(false_far_away(s));
            if (strength_of(s, NULL) != VER_PROVED) fail_msg("not proved: %s", text);
            expr_drop(s);
        }
    }
    assert_true(seen >= 50);
}

/* u >= 0 from the end point on: an assumption may lie below everything that the symbol can be. */
static void ends_below_the_domain(void **state) {
    (void)state;
    static const struct {
        const char *statement, *where;
        bool holds;
    } rows[] = {
        {"log(1+k) >= 0", "k >= -5", true},
        {"k^3 - k + 1 >= 0", "k >= -3", true},
        {"exp(k) >= 1 + k", "k >= -7", true},
        {"log(k) + 10 >= 0", "k >= -1", false},
        {"k*log(k) + 1/100 >= 0", "k >= -2", false},
        {"1/k >= 100", "k >= -1", false},
        {"sqrt(k) >= 1", "k >= -4", false},
        {"sinh(k) > 0", "k >= 0", true},
        {"exp(k) >= 1", "k > -1", true},
        {"exp(k) >= 1", "-3 < k", true},
        {"exp(k) - 2 >= 0", "k >= -9", false},
        {"exp(k) - 2 >= 0", "k >= 1", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_node *s = formula(rows[i].statement), *w = formula(rows[i].where);
        ver_strength v = strength_of(s, &(ver_assume){&w, 1});
        if (rows[i].holds ? v == VER_REFUTED : v == VER_PROVED) fail_msg("%s", rows[i].statement);
        expr_drop(s);
        expr_drop(w);
    }
}

/* At an angle of π, which the tangent of its half leaves out, the sides meet, or all that is assumed holds there alone. What is false there
 * is not proved, and what holds there does not contradict itself. */
static void angles_of_pi(void **state) {
    (void)state;
    static const struct {
        const char *statement, *where[CONDITIONS];
        bool holds;
    } rows[] = {
        {"cos(x) > -1", {"x >= 0", "x <= 4"}, false},
        {"cos(x) != -1", {"x >= 3", "x <= 4"}, false},
        {"2*cos(3*x) > -2", {"x >= 1", "y >= 0"}, false},
        {"y*cos(x) + y > 0", {"y > 0", "x >= 0"}, false},
        {"cos(x) >= 0", {"sin(x) + cos(x) = -1", "x >= 0"}, false},
        {"cos(x) >= 0", {"cos(x) <= -1", "x >= 0"}, false},
        {"sin(x) > 0", {"(cos(x) + 1)*y = 0", "y != 0"}, false},
        {"y < 0", {"cos(x)*y <= -y", "y > 0"}, false},
        {"cos(x) >= 0", {"sin(x) = 0", "cos(x) <= 0"}, false},
        {"cos(x/3) >= 0", {"1 - cos(x/3) >= 2", "x >= 0"}, false},
        {"y < x", {"y - cos(x) >= y + 1", "y >= 0"}, false},
        {"cos(x) + abs(sin(2*x)) - 2*abs(sin(x)) >= 0", {"cos(x) <= -1"}, false},
        {"y >= 0", {"y*abs(sin(x)) >= abs(sin(n*x))"}, false},
        {"y >= 0", {"y*abs(sin(x)) >= abs(sin(2*x))", "cos(x) <= -1"}, false},
        {"abs(sin(n*x)) <= abs(n)*abs(sin(x))", {"x >= 0"}, true},
        {"cos(x) >= -1", {"x >= 0", "x <= 4"}, true},
        {"cos(x) > -1", {"cos(x) >= 0", "x >= 0"}, true},
        {"2*cos(x) >= 1/3", {"cos(x) >= 1/2", "x >= 0"}, true},
        {"cos(x) + sin(x) >= 0", {"sin(x) >= 0", "cos(x) >= 0"}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_verdict v;
        judge(&v, rows[i].statement, rows[i].where);
        if ((v.strength == VER_PROVED) != rows[i].holds) fail_msg("%s", rows[i].statement);
        if (v.reason_text && strstr(v.reason_text, "contradict"))
            fail_msg("%s: %s", rows[i].where[0], v.reason_text);
        ver_clear(&v);
    }
}

/* A natural index is at least 1: the sum is refused unless its lower bound is. */
static void natural_indices(void **state) {
    (void)state;
    static const struct {
        expr_kind kind;
        int64_t shift;
        bool fine;
    } rows[] = {{EXPR_NATURAL, 0, true},  {EXPR_NATURAL, 3, true},  {EXPR_NATURAL, -1, false},
                {EXPR_INTEGER, 0, false}, {EXPR_INTEGER, 5, false}, {EXPR_REAL, 0, false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ph_err err = {0};
        expr_builder b = EXPR_BUILDER(&err);
        expr_node *index, *from, *sum;
        assert_int_equal(expr_sym(&index, "t", EXPR_NATURAL, &err), PH_OK);
        assert_int_equal(expr_sym(&from, "m", rows[k].kind, &err), PH_OK);
        index = expr_b_keep(&b, index);
        from = expr_b_add(&b, expr_b_keep(&b, from), expr_b_rat(&b, rows[k].shift, 1));
        ph_status st =
            expr_make(&sum, EXPR_SUM, 4, (expr_node *[]){index, from, expr_b_rat(&b, 9, 1), index}, &err);
        assert_int_equal(st, rows[k].fine ? PH_OK : PH_EARG);
        expr_drop(sum);
        for (int64_t lo = -3; lo <= 3; lo++) {
            st = expr_make(&sum, EXPR_SUM, 4,
                           (expr_node *[]){index, expr_b_rat(&b, lo, 1), expr_b_rat(&b, 9, 1), index}, &err);
            assert_int_equal(st, lo >= 1 ? PH_OK : PH_EARG);
            expr_drop(sum);
        }
        assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(even_powers), cmocka_unit_test(ends_below_the_domain),
                                       cmocka_unit_test(angles_of_pi), cmocka_unit_test(natural_indices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
