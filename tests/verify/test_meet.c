/* A proof under conditions says something only where a point meets them. Conditions that points meet are told apart from those that none does.
 * Sources: verify/meet.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "judged.h"
#include "said.h"
#include "verify/solved.h"

/* statement under conditions (until NULL) */
typedef struct {
    const char *statement, *where[CONDITIONS];
} row;

/* Points of every scale miss most of these: the search finds one, and nothing is remarked. */
static void conditions_that_points_meet(void **state) {
    (void)state;
    static const row rows[] = {
        {"y = y", {"(3*n)^2 <= 81", "n >= 0", "(y + 3)^2 <= 0"}},
        {"y = y", {"(n - x - 2)^2 < 1", "2*y + 1 > 6", "2*n < 4"}},
        {"y = y", {"n <= 0", "2*j + x < -8", "(2*k)^2 < 5"}},
        {"y = y", {"x^2 + y^2 = 3/7"}},
        {"y = y", {"exp(x) + y^2 = 3", "y < -1"}},
        {"y = y", {"2^n = 8"}},
        {"y = y", {"n^2 + j^2 = 25", "n < j", "n > 0"}},
        {"y = y", {"x*y > 10", "x < 1/2", "x > 1/4"}},
        {"y = y", {"abs(x) = 3", "x < 1"}},
        /* the one point is the end of what another condition leaves */
        {"y = y", {"x <= 1729/1024", "x^2 >= 2989441/1048576", "x > -1729/1024"}},
        {"y = y", {"x >= -3", "x^2 >= 9", "x < 3"}},
        {"y = y", {"x <= 3", "abs(x) >= 3", "x > -3"}},
        {"y = y", {"x >= 0", "x^2 <= 0"}},
        {"y = y", {"x <= 0", "abs(x) <= 0"}},
        {"y = y", {"cos(x) = 1/2", "x < -1"}},
        {"y = y", {"log(x) = 2", "y^3 = x"}},
        {"y = y", {"x > 1000", "x < 1000 + 1/1000"}},
        {"y = y", {"sqrt(x) > 30", "y/x > 2", "y < 2000"}},
        {"y = y", {"n > 100", "n < 104", "3*j = n"}},
        {"y = y", {"k^3 < 1/1000000", "x > 1/k"}},
        {"x/x = 1", {"x^2 = 4", "x < 0"}},
        {"(x - y)/(x - y) = 1", {"x^2 = y^2"}},
        {"1/(n - j) - 1/(n - j) = 0", {"n*j = 12", "n < j"}},
        {"y = y", {"floor(x) = 7", "x > 15/2"}},
        {"y = y", {"tan(x) = 2", "sin(y) = 1/3"}},
        {"y = y", {"x + 2*y = 3*x - y + 1", "x > 40"}},
        /* one point, which is no contradiction: both conditions have it */
        {"y = y", {"x >= 3", "x <= 3"}},
        {"y = y", {"n >= 3", "n <= 3"}},
        {"x/x = 1", {"x <= 3", "3 <= x"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ver_verdict v;
        judge(&v, rows[k].statement, rows[k].where);
        if (v.strength != VER_PROVED) fail_msg("%s …: %s", rows[k].where[0], v.reason_text);
        if (strstr(said(ver_conditions, &v), "no point"))
            fail_msg("%s …: %s", rows[k].where[0], said(ver_conditions, &v));
        ver_clear(&v);
    }
}

/* Each with a window of w that points of every scale miss, so that all of the point is found by steps: where an interval loses the points that there are,
 * none is; where it keeps too many, these are too few among them. */
#define WINDOW "(w - 1729/1024)^2 < 1/10^12"

static void points_that_steps_find(void **state) {
    (void)state;
    static const row rows[] = {
        /* a quotient by what ends at 0, or has it inside */
        {"y = y", {WINDOW, "x <= 0", "1/x < -300"}},
        {"y = y", {WINDOW, "x >= 0", "1/x > 300"}},
        {"y = y", {WINDOW, "x <= 0", "1/(-x) > 300"}},
        {"y = y", {WINDOW, "x >= 0", "1/(-x) < -300"}},
        {"y = y", {WINDOW, "x > -5", "x < 1/2", "1/x > 300"}},
        {"y = y", {WINDOW, "x > -1/2", "x < 5", "1/x < -300"}},
        /* a size: 0, at an end, on one side of 0, or on either until another condition says which */
        {"y = y", {WINDOW, "abs(x - 7) <= 0"}},
        {"y = y", {WINDOW, "(x - 7)^2 <= 0"}},
        {"y = y", {WINDOW, "abs(x - 1000) < 1/2"}},
        {"y = y", {WINDOW, "x >= -3", "abs(x) >= 3", "x < 3"}},
        {"y = y", {WINDOW, "x <= 3", "abs(x) >= 3", "x > -3"}},
        {"y = y", {WINDOW, "x <= 1/2", "abs(x) >= 1/8", "x > 0"}},
        {"y = y", {WINDOW, "x >= -1/2", "abs(x) >= 1/8", "x < 0"}},
        {"y = y", {WINDOW, "x >= 0", "abs(x) > 300", "x < 301"}},
        {"y = y", {WINDOW, "x <= 0", "abs(x) > 300", "x > -301"}},
        {"y = y", {WINDOW, "x >= -2", "abs(x) > 300", "x < 301"}},
        {"y = y", {WINDOW, "x <= 2", "abs(x) > 300", "x > -301"}},
        /* powers, odd and even, and of a number */
        {"y = y", {WINDOW, "x^3 < -5"}},
        {"y = y", {WINDOW, "x^3 < -10^6", "x > -101"}},
        {"y = y", {WINDOW, "x^4 > 10^8", "x < -100", "x > -101"}},
        {"y = y", {WINDOW, "x^5 < -10^10", "x > -101"}},
        {"y = y", {WINDOW, "x^6 > 10^12", "x > -101", "x < -99"}},
        {"y = y", {WINDOW, "x^9 < -1", "x^9 > -2"}},
        {"y = y", {WINDOW, "2^x < 11*10^17", "2^x > 10^18"}},
        {"y = y", {WINDOW, "2^x > 10^18", "2^x < 11*10^17"}},
        {"y = y", {WINDOW, "3^x > 10^18", "3^x < 11*10^17"}},
        {"y = y", {WINDOW, "1^x < 2", "x > 300"}},
        {"y = y", {WINDOW, "2^x < 11/10^19", "2^x > 1/10^18"}},
        {"y = y", {WINDOW, "2^x > 1/10^18", "2^x < 11/10^19"}},
        /* roots, logarithms and whole parts of what is far out */
        {"y = y", {WINDOW, "sqrt(x) > 300", "x < 90001"}},
        {"y = y", {WINDOW, "x >= 0", "sqrt(x) > 300", "x < 90001"}},
        {"y = y", {WINDOW, "x >= 1/2", "sqrt(x) > 300", "x < 90001"}},
        {"y = y", {WINDOW, "x >= 1/2", "log(x) > 11", "x < 59875"}},
        {"y = y", {WINDOW, "x > 2", "log(x) > 11", "x < 59875"}},
        {"y = y", {WINDOW, "floor(x) > 4999", "floor(x) < 5001"}},
        {"y = y", {WINDOW, "floor(x) >= -5000", "floor(x) < -4999"}},
        {"y = y", {WINDOW, "floor(x) <= 2", "x > 2"}},
        /* a sum with a root, and a root turned round, are real; a product of two roots may be so below 0 */
        {"y = y", {WINDOW, "sqrt(x) + y > 300", "y < 0", "x < 90001"}},
        {"y = y", {WINDOW, "y + sqrt(x) > 300", "y < 0", "x < 90001"}},
        {"y = y", {WINDOW, "-sqrt(x) < -300", "x < 90001"}},
        {"y = y", {WINDOW, "sqrt(x)*sqrt(y) < 0", "x < -300", "x > -301", "y < -300"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ver_verdict v;
        judge(&v, rows[k].statement, rows[k].where);
        if (v.strength != VER_PROVED || strstr(said(ver_conditions, &v), "no point"))
            fail_msg("%s %s ...: %s %s", rows[k].where[1], rows[k].where[2] ? rows[k].where[2] : "",
                     ver_strength_name(v.strength), said(ver_conditions, &v));
        ver_clear(&v);
    }
}

/* What is assumed contradicts itself, or leaves out all that the statement needs. */
static void conditions_that_none_meets(void **state) {
    (void)state;
    static const row rows[] = {
        {"x/x = 1", {"x = 0"}},
        {"x/x = 1", {"x^2 = 0"}},
        {"x/x = 1", {"x <= 0", "x >= 0"}},
        {"x/x = 1", {"abs(x) <= 0"}},
        {"x/x = 1", {"cos(x) = 1", "x^2 < 1"}},
        {"x/x = 1", {"x*y = 0", "y != 0"}},
        {"(x - y)/(x - y) = 1", {"x <= y", "x >= y"}},
        {"(x - y)/(x - y) = 1", {"x^3 = y^3"}},
        {"(n - j)/(n - j) = 1", {"n < j + 1", "n > j - 1"}},
        {"1/(n - 2) - 1/(n - 2) = 0", {"n > 1", "n < 3"}},
        {"y = y", {"exp(x) = 0"}},
        {"y = y", {"exp(x) <= 0"}},
        {"y = y", {"x^2 < 10^(-40)", "x > 10^(-18)"}},
        {"y = y", {"n^2 = 2"}},
        {"y = y", {"2*n = 2*j + 1"}},
        {"y = y", {"n^2 + j^2 = 25", "n < 0", "j > 4", "j < 5"}},
        {"1/floor(x)*floor(x) = 1", {"x >= 0", "x < 1"}},
        {"y = y", {"x^2*y > 1000", "y < 1/2", "abs(x) < 40"}},
        {"y = y", {"x^2 - 2*x*y + y^2 < 0"}},
        {"y = y", {"sqrt(x) = -3"}},
        {"y = y", {"sin(x) + cos(x) = 5/2"}},
        {"y = y", {"sin(x) + cos(x) = -5/2"}},
        {"y = y", {"tanh(x) - cos(x) = 9/4"}},
        {"y = y", {"sign(x) + sin(x) = -9/4"}},
        {"y = y", {"abs(x) < -1"}},
        {"y = y", {"x^2 + 1/2 < 0"}},
        {"y = y", {"floor(x) <= 5", "x >= 6"}},
        {"y = y", {"x > 3", "x <= 3"}},
        {"y = y", {"x >= 3", "x < 3"}},
        /* y^5 + y + sin(y) is above 1 there, though below 2 */
        {"y = y", {"sign(x) = y^5 + y + sin(y)", "y > 21/20"}},
        {"y = y", {"sign(x) = y^5 + y + sin(y)", "y < -21/20"}},
        {"y = y", {"tanh(x) = y^5 + y + sin(y)", "y > 21/20"}},
        {"y = y", {"tanh(x) = y^5 + y + sin(y)", "y < -21/20"}},
        {"y = y", {"sin(x) = y^5 + y + sin(y)", "y > 21/20"}},
        {"y = y", {"cos(x) = y^5 + y + sin(y)", "y < -21/20"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ver_verdict v;
        judge(&v, rows[k].statement, rows[k].where);
        if (v.strength != VER_UNKNOWN || v.reason != VER_DOMAIN)
            fail_msg("%s …: %s %s", rows[k].where[0], ver_strength_name(v.strength),
                     said(ver_conditions, &v));
        ver_clear(&v);
    }
}

/* x = 3 and a y below 1 meet these, though no search finds them: ends that touch are no contradiction. */
static void ends_that_touch_do_not_contradict(void **state) {
    (void)state;
    static const row touching = {"y = y", {"x >= 3", "x <= 3", "sign(x) = y^5 + y + sin(y)", "y > 1/5"}},
                     apart = {"y = y", {"x > 3", "x <= 3", "sign(x) = y^5 + y + sin(y)", "y > 1/5"}};
    ver_verdict v;
    judge(&v, touching.statement, touching.where);
    assert_int_equal(v.strength, VER_PROVED);
    ver_clear(&v);
    judge(&v, apart.statement, apart.where);
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_string_equal(v.reason_text, "the conditions contradict each other");
    ver_clear(&v);
}

/* What an equation is solved to is a solution: put in, it gives an identity wherever it is defined. */
static void solutions_solve(void **state) {
    (void)state;
    static const char *const equations[] = {"x^2 + y^2 = 3/7",      "2*x + y = 5*x - k", "exp(k*x + 1) = y",
                                            "sqrt(x + 1) = k",      "k/(x - 1) = y",     "2^(x + y) = k",
                                            "log(x)/k = y",         "y - x^3 = k",       "abs(x - y) = k",
                                            "tan(x) = k + y^2",     "(x + y)^(-1) = k",  "k = 3 - x/y",
                                            "cos(2*x) = y/(y^2+1)", "sin(x) = y/(y^2+1)"};
    int proved = 0;
    for (size_t k = 0; k < sizeof equations / sizeof *equations; k++) {
        ph_err err = {0};
        expr_builder b = EXPR_BUILDER(&err);
        expr_node *e = formula(equations[k]), *x = formula("x"), *value[2], *put;
        if (!ver_solved(&value[0], &value[1], &b, e, x)) fail_msg("%s is not solved", equations[k]);
        for (int i = 0; i < 2; i++) {
            ver_verdict v;
            if (!value[i]) continue;
            assert_int_equal(expr_subst(&put, e, x, value[i], &err), PH_OK);
            assert_int_equal(ver_prove(&v, put, NULL, &err), PH_OK);
            if (v.strength == VER_REFUTED) fail_msg("%s: %s", equations[k], said(ver_witness, &v));
            proved += v.strength == VER_PROVED;
            ver_clear(&v);
            expr_drop(put);
        }
        expr_drop(e);
        expr_drop(x);
        assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
    }
    assert_true(proved >= 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_that_points_meet),
        cmocka_unit_test(points_that_steps_find),
        cmocka_unit_test(conditions_that_none_meets),
        cmocka_unit_test(ends_that_touch_do_not_contradict),
        cmocka_unit_test(solutions_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
