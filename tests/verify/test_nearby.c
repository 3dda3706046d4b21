/* What an argument must ask, and what a step must not lose: false statements that hold near all points that are looked at, and their true neighbours.
 * Sources: verify/given.c verify/identity.c verify/implied.c verify/inverse.c verify/order.c verify/points.c verify/prove.c
 * Sources: verify/reading_powers.c verify/settle.c verify/summation.c verify/termwise.c verify/waves.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "judged.h"

typedef struct {
    const char *text, *where[CONDITIONS];
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
        {"x = 0", {"x*y = 0"}, VER_REFUTED},
        {"x = y", {"x*y = y^2"}, VER_REFUTED},
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

/* A power of what is no symbol is one of that, not of e: 1 + y stands below e^y, and not below a power of less than e. The bases are less than e
 * only where y would have to be small for it to show. */
static void a_power_has_its_own_base(void **state) {
    (void)state;
    static const struct {
        const char *text, *where[CONDITIONS];
    } wrong[] = {
        {"sqrt(x^2 + 1)^y >= 1 + y", {"x > 5/2", "y >= 0"}},
        {"sqrt(x^2 + 2)^y >= 1 + y", {"x > 2", "y >= 0"}},
        {"sqrt(x^2 + 7)^y >= 1 + y", {"y >= 0"}},
    };
    static const told right[] = {
        {"sqrt(x^2 + 1)^y >= 1", {"y >= 0"}, VER_PROVED},
        {"sqrt(x^2 + 1)^y > 0", {NULL}, VER_PROVED},
        {"sqrt(x^2 + 1)^y = (x^2 + 1)^(y/2)", {NULL}, VER_PROVED},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (judged(wrong[i].text, wrong[i].where) == VER_PROVED) fail_msg("%s is no theorem", wrong[i].text);
    EXPECT(right);
}

#define LONG "sum(x - 2 + sin(i), i, 1, 2000000)" /* more terms than a ball of a sum may have */

/* A condition that no point can be tried on is not taken for met: |LONG - 2*10^6*(x - 2)| is below 3, as the sines add up to at most 1/sin(1/2), so that
 * the statements with it are true. And what says nothing is seen in whichever condition it stands: complex numbers have no order, and nothing is argued
 * from an integral. */
static void conditions_that_no_point_decides(void **state) {
    (void)state;
    static const struct {
        const char *text, *where[CONDITIONS];
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
        cmocka_unit_test(equations_and_small_differences), cmocka_unit_test(what_holds_nearby_alone),
        cmocka_unit_test(waves_sums_and_the_point_0), cmocka_unit_test(a_power_has_its_own_base),
        cmocka_unit_test(conditions_that_no_point_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
