/* Statements on a box whose sides touch, at a point or along a line. Each is tried again with the greater side less by 10^-9: where they
 * touch it is false then, by arithmetic on paper, and neither certified nor proved.
 * Sources: verify/cells.c verify/reading.c verify/reading_powers.c verify/reading_variables.c verify/slope.c verify/touching.c verify/visible.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/certify.h"

/* greater >= lesser on [lo, hi] in every variable; they are equal somewhere. */
static const struct {
    const char *greater, *lesser, *lo, *hi;
} touching[] = {
    {"(x-1)^2", "0", "0", "2"},
    {"x^2 + 1", "2*x", "0", "2"},
    {"1", "cos(x)", "-1", "1"},
    {"x", "sin(x)", "0", "1"},
    {"exp(x)", "1 + x", "-1", "1"},
    {"1", "sin(x)", "0", "3"},
    {"cos(x)", "1 - x^2/2", "-3", "3"},
    {"x^4 + 6*x^2 + 1", "4*x^3 + 4*x", "0", "2"},
    {"abs(x)", "abs(sin(x))", "-1", "1"},
    {"sqrt(2)", "sin(x) + cos(x)", "0", "pi"},
    {"exp(-1)", "-x*log(x)", "1/10", "1"},
    {"(x + y)/2", "sqrt(x*y)", "0", "1"},
    {"x^2 + y^2", "2*x*y", "-1", "1"},
    {"(x^2 + 1)*(y^2 + 1)", "(x*y + 1)^2", "-2", "2"},
    {"x^3 + y^3 + w^3", "3*x*y*w", "0", "1"},
    {"2^n", "n + 1", "0", "20"},
    /* at each of the places where a least value is looked for first */
    {"exp(x + 1)", "x + 2", "-3", "2"},
    {"exp(x - 1/2)", "x + 1/2", "-1", "2"},
    {"exp(x - 1)", "x", "-1", "3"},
    {"exp(x - 2)", "x - 1", "-1", "5"},
    {"exp(x - 4)", "x - 3", "-1", "6"},
    {"x*exp(-1)", "log(x)", "1", "5"},
    {"x*log(x)", "x - 1", "1/2", "3"},
};

static ver_verdict judge(const char *statement, const char *lo, const char *hi, const char *radius) {
    expr_node *s = formula(statement), *a = formula(lo), *b = formula(hi),
              *r = radius ? formula(radius) : NULL;
    expr_set atoms;
    ver_range range[4];
    ver_verdict v;
    ph_err err = {0};
    assert_int_equal(expr_symbols(&atoms, s, NULL), PH_OK);
    for (int i = 0; i < atoms.n; i++) range[i] = (ver_range){atoms.item[i], a, b};
    if (ver_certify(&v, s, &(ver_ranges){range, atoms.n}, r, NULL, &err))
        fail_msg("%s: %s", statement, err.text);
    expr_set_clear(&atoms);
    expr_drop(s);
    expr_drop(a);
    expr_drop(b);
    expr_drop(r);
    return v;
}

static void sides_touch(void **state) {
    (void)state;
    char text[300];
    for (size_t i = 0; i < sizeof touching / sizeof *touching; i++) {
        snprintf(text, sizeof text, "%s >= %s", touching[i].greater, touching[i].lesser);
        ver_verdict v = judge(text, touching[i].lo, touching[i].hi, NULL);
        if (v.strength != VER_PROVED && v.strength != VER_CERTIFIED) fail_msg("%s: %s", text, v.reason_text);
        ver_clear(&v);
        snprintf(text, sizeof text, "%s - 1/1000000000 >= %s", touching[i].greater, touching[i].lesser);
        v = judge(text, touching[i].lo, touching[i].hi, NULL);
        if (v.strength == VER_PROVED || v.strength == VER_CERTIFIED) fail_msg("%s is false", text);
        ver_clear(&v);
    }
}

static void equalities_hold_to_any_radius(void **state) {
    (void)state;
    ver_verdict v = judge("sin(x)^2 + cos(x)^2 = 1", "0", "100", "0");
    assert_int_equal(v.strength, VER_PROVED);
    assert_string_equal(v.statement, "|sin(x)^2 + cos(x)^2 - (1)| <= 0");
    ver_clear(&v);
    v = judge("sin(x)^2 + cos(x)^2 = 1 + x/1000000000000000000", "0", "100", "0");
    assert_int_equal(v.strength, VER_REFUTED);
    ver_clear(&v);
}

/* What is not defined throughout the box is no touching point. */
static void undefined_points_stay_unknown(void **state) {
    (void)state;
    static const char *const statement[] = {"sqrt(x) >= 0", "log(x) >= -100", "1/x^2 >= 0",
                                            "(1+x)/x^2 >= -1"};
    for (size_t i = 0; i < sizeof statement / sizeof *statement; i++) {
        ver_verdict v = judge(statement[i], "-1", "1", NULL);
        assert_int_equal(v.strength, VER_UNKNOWN);
        assert_int_equal(v.reason, VER_DOMAIN);
        ver_clear(&v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_touch),
        cmocka_unit_test(equalities_hold_to_any_radius),
        cmocka_unit_test(undefined_points_stay_unknown),
    };
    return cmocka_run_group_tests_name("touching", tests, NULL, NULL);
}
