/* False statements that no point refutes: each is a true one but beyond 10^20, or nearer to 1/3 than 10^-30, where nobody looks. Only the argument
 * stands between them and "proved"; that it proves the true one shows that it is asked.
 * Sources: verify/given.c verify/identity.c verify/implied.c verify/inverse.c verify/order.c verify/points.c verify/prove.c verify/sample.c
 * Sources: verify/settle.c verify/span.c verify/summation.c verify/termwise.c verify/under.c verify/waves.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/prove.h"

#define MOST 3

/* left > right, or what `sign` says, under the conditions (until NULL), which hold for some x of any size and near 1/3. */
typedef struct {
    const char *left, *sign, *right, *where[MOST];
} row;

static const row rows[] = {
    {"x^2 + 1", ">", "0", {NULL}},
    {"x^2 - 2*x*y + 2*y^2", ">=", "0", {NULL}},
    {"(x - y)^2", ">", "0", {"x != y"}},
    {"exp(x)", ">", "0", {NULL}},
    {"exp(x)", ">=", "x + 1", {NULL}},
    {"exp(x)", ">", "x + 1", {"x != 0"}},
    {"cosh(x)", ">=", "1", {NULL}},
    {"abs(x) + abs(y)", ">=", "abs(x + y)", {NULL}},
    {"sqrt(x^2 + 1)", ">", "x", {NULL}},
    {"2", ">", "sin(x) + cos(x)", {NULL}},
    {"1", ">", "tanh(x)", {NULL}},
    {"x", ">=", "floor(x)", {NULL}},
    {"floor(x) + 1", ">", "x", {NULL}},
    {"maximum(x, y)", ">=", "x", {NULL}},
    {"x", ">=", "minimum(x, y)", {NULL}},
    {"piecewise(lt(x, y), y - x, x - y)", ">=", "0", {NULL}},
    {"x + k", ">", "x", {NULL}},
    {"x^2 + k*y^2 + 1/k", ">", "0", {NULL}},
    {"x*y", ">", "0", {"x > 0", "y > 0"}},
    {"x*y", ">=", "0", {"x >= 0", "y >= 0"}},
    {"x*y", ">", "0", {"x > 1/4", "y > x"}},
    {"x - 1/4", ">", "0", {"x > 1/4"}},
    {"x^2*(y - 3)", ">=", "0", {"y >= 3"}},
    {"log(1 + x)", ">", "0", {"x > 0"}},
    {"x", ">=", "log(1 + x)", {"x >= 0"}},
    {"x - 1", ">=", "log(x)", {"x > 0"}},
    {"sqrt(x + 1)", ">=", "1", {"x >= 0"}},
    {"1/(1 + x^2)", ">", "0", {NULL}},
    {"x/(x + 1)", ">", "0", {"x > 0"}},
    {"x^3", ">", "0", {"x > 0"}},
    {"(x + 1)^5", ">=", "x^5", {"x >= 0"}},
    {"y", ">", "0", {"x*y = 1", "x > 0"}},
    {"x^2 + y^2", ">=", "2*x - 1", {"y = x^2"}},
    {"n*x^2", ">=", "x^2", {"n >= 1"}},
    {"2^n*(x^2 + 1)", ">", "x^2", {"n >= 0"}},
    {"sum(x^2 + i, i, 1, n)", ">", "0", {"n >= 1"}},
    {"sum(exp(i*x), i, 0, n)", ">", "0", {"n >= 0"}},
    {"exp(-abs(x))", ">", "0", {NULL}},
    {"1", ">=", "exp(-x^2)", {NULL}},
    {"1", ">", "x/sqrt(x^2 + 1)", {NULL}},
    {"3", ">", "Si(x)", {NULL}},
};

/* Each is above 0, but where nobody looks. */
static const char *const far[] = {"(10^20)^2 - x^2", "10^20 - x", "(x - 1/3)^2 - 1/(10^30)^2"};

static void judge(ver_verdict *v, const char *text, const char *const *where) {
    ph_err err = {0};
    expr_node *s = formula(text), *given[MOST];
    int n = 0;
    for (; n < MOST && where[n]; n++) given[n] = formula(where[n]);
    if (ver_prove(v, s, &(ver_assume){given, n}, &err)) fail_msg("%s: %s", text, err.text);
    expr_drop(s);
    for (int i = 0; i < n; i++) expr_drop(given[i]);
}

static ver_strength judged(const char *text, const char *const *where) {
    ver_verdict v;
    judge(&v, text, where);
    ver_strength is = v.strength;
    ver_clear(&v);
    return is;
}

static void nothing_false_is_proved(void **state) {
    (void)state;
    char text[400];
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const row *r = &rows[k];
        snprintf(text, sizeof text, "%s %s %s", r->left, r->sign, r->right);
        ver_strength is = judged(text, r->where);
        if (is != VER_PROVED) printf("%s: %s\n", text, ver_strength_name(is)), wrong++;
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            snprintf(text, sizeof text, "(%s - (%s))*(%s) %s 0", r->left, r->right, far[i], r->sign);
            is = judged(text, r->where);
            if (is == VER_PROVED) printf("%s where %s is no theorem\n", text, r->where[0]), wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

typedef struct {
    const char *text, *where[MOST];
    ver_strength is;
} told;

static void expect(const told *rows_told, size_t n) {
    int wrong = 0;
    for (size_t i = 0; i < n; i++) {
        ver_strength is = judged(rows_told[i].text, rows_told[i].where);
        if (is != rows_told[i].is) printf("%s: %s\n", rows_told[i].text, ver_strength_name(is)), wrong++;
    }
    assert_int_equal(wrong, 0);
}
#define EXPECT(t) expect(t, sizeof t / sizeof *t)

/* Nothing is divided by what may be 0, where all points that an equation is solved for would pass it by; and balls are made smaller until both
 * sides have a value, here by 2^-166. */
static void equations_and_small_differences(void **state) {
    (void)state;
    static const told cases[] = {
        {"x = 0", {"x*y = 0"}, VER_UNKNOWN},
        {"x = y", {"x*y = y^2"}, VER_UNKNOWN},
        {"x = 0", {"x*y = 0", "y != 0"}, VER_PROVED},
        {"x = 3/k", {"k*x = 3"}, VER_PROVED},
        {"1/((x + 1/(10^18*10^18*10^14)) - x) = 5", {NULL}, VER_REFUTED},
    };
    EXPECT(cases);
}

/* What an argument has to ask. The angle of w is within π/4 only where |w| <= 1, which x/10^30 leaves; floor(x²/10^30) is 0 as far as 10^15
 * alone; sums are compared term by term only where they have the same bounds: of n terms and j ones, j may be more than 10^30·n. */
static void what_holds_nearby_alone(void **state) {
    (void)state;
    static const told cases[] = {
        {"atan(x) >= -pi/4", {"x >= -1"}, VER_PROVED},
        {"atan(x) <= pi/4", {"x <= 1"}, VER_PROVED},
        {"atan(x/10^30) >= -pi/4", {NULL}, VER_UNKNOWN},
        {"atan(x/10^30) <= pi/4", {NULL}, VER_UNKNOWN},
        {"atan(y + x/10^30) >= -pi/4", {"y >= 0"}, VER_UNKNOWN},
        {"exp(sum(i, i, 1, n)) = exp(n*(n + 1)/2)", {"n >= 1"}, VER_PROVED},
        {"exp(sum(i, i, 1, n) + floor(x^2/10^30)) = exp(n*(n + 1)/2)", {"n >= 1"}, VER_UNKNOWN},
        {"sum(10^30*(1 + x^2), i, 1, n) >= sum(x^2, i, 1, n)", {"n >= 1"}, VER_PROVED},
        {"sum(10^30*(1 + x^2), i, 1, n) >= sum(x^2, i, 1, j)", {"n >= 1", "j >= 1"}, VER_UNKNOWN},
        {"sum(10^30*exp(sin(i)), i, 1, n) >= sum(exp(sin(i)), i, 1, j)", {"n >= 1", "j >= 1"}, VER_UNKNOWN},
        {"sum(10^30*exp(sin(i)), i, 1, n) >= sum(exp(sin(i)), i, 1 - j, n)",
         {"n >= 1", "j >= 1"},
         VER_UNKNOWN},
    };
    EXPECT(cases);
}

/* A wave keeps its sign times a number, whose sign counts; a sum is the same read backwards or from another place; and what fails at 0 alone
 * is looked at there. */
static void waves_sums_and_the_point_0(void **state) {
    (void)state;
    static const told cases[] = {
        {"2*sin(x) >= 0", {"x >= 0", "x <= pi"}, VER_PROVED},
        {"-2*sin(x) >= 0", {"x >= -pi", "x <= 0"}, VER_PROVED},
        {"-3*cos(x)/2 >= 0", {"x >= pi/2", "x <= 3*pi/2"}, VER_PROVED},
        {"-2*sin(x) >= 0", {"x >= 0", "x <= pi"}, VER_REFUTED},
        {"sum(x[n - i], i, 0, n) = sum(x[i], i, 0, n)", {"n >= 0"}, VER_PROVED},
        {"sum(x[i + 1], i, 0, n) = sum(x[i], i, 1, n + 1)", {"n >= 0"}, VER_PROVED},
        {"sum(x[n - i], i, 0, n) = sum(x[i], i, 1, n)", {"n >= 0"}, VER_REFUTED},
        {"x^2 > 0", {NULL}, VER_REFUTED},
        {"abs(x) + abs(y) > 0", {NULL}, VER_REFUTED},
        {"i^2 > 0", {NULL}, VER_REFUTED},
        {"abs(i) + abs(j) > 0", {NULL}, VER_REFUTED},
    };
    EXPECT(cases);
}

#define LONG "sum(x - 2 + sin(i), i, 1, 2000000)" /* more terms than a ball of a sum may have */

/* A condition that no point can be tried on is not taken for met: |LONG - 2*10^6*(x - 2)| is below 3, as the sines add up to at most 1/sin(1/2), so that
 * the statements with it are true. And what says nothing is seen in whichever condition it stands: complex numbers have no order, and nothing is argued
 * from an integral. */
static void conditions_that_no_point_decides(void **state) {
    (void)state;
    static const struct {
        const char *text, *where[MOST];
        ver_reason reason; /* of UNKNOWN; VER_NO_REASON: anything but refuted */
    } cases[] = {
        {"x > 1", {LONG " > -1"}, VER_NO_REASON},
        {"x > 1", {"-1 < " LONG}, VER_NO_REASON},
        {"x < 3", {LONG " < 1"}, VER_NO_REASON},
        {"x < 3", {"y > 0", LONG " < 1"}, VER_NO_REASON},
        {"x = x + 1", {"z < 1"}, VER_DOMAIN},
        {"x = x", {"z < 1"}, VER_DOMAIN},
        {"x^2 >= 0", {"z < 1", "x > 0"}, VER_DOMAIN},
        {"x^2 >= 0", {"x > 0", "z < 1"}, VER_DOMAIN},
        {"x = x", {"x > 0", "z >= 0", "y > 0"}, VER_DOMAIN},
        {"y = 1/2", {"integral(x, x, 0, 1) = y"}, VER_OUTSIDE_THEORY},
        {"y = 1/3", {"x = y", "integral(x, x^2, 0, 1) = y"}, VER_OUTSIDE_THEORY},
        {"x^2 >= 0", {"integral(y, exp(y), 0, x) > 0"}, VER_OUTSIDE_THEORY},
        {"x^2 >= 0", {"x > 0", "integral(y, exp(y), 0, x) > 0"}, VER_OUTSIDE_THEORY},
        {"x^2 >= 0", {"integral(y, exp(y), 0, x) > 0", "x > 0"}, VER_OUTSIDE_THEORY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ver_verdict v;
        judge(&v, cases[i].text, cases[i].where);
        bool right = cases[i].reason ? v.strength == VER_UNKNOWN && v.reason == cases[i].reason
                                     : v.strength != VER_REFUTED;
        if (!right)
            fail_msg("%s where %s: %s %s", cases[i].text, cases[i].where[0], ver_strength_name(v.strength),
                     v.reason_text);
        ver_clear(&v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_false_is_proved), cmocka_unit_test(equations_and_small_differences),
        cmocka_unit_test(what_holds_nearby_alone), cmocka_unit_test(waves_sums_and_the_point_0),
        cmocka_unit_test(conditions_that_no_point_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
