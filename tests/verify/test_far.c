/* False statements that no point refutes: each is a true one but beyond 10^20, or nearer to 1/3 than 10^-30, where nobody looks. Only the argument
 * stands between them and "proved"; that it proves the true one shows that it is asked.
 * Sources: verify/given.c verify/identity.c verify/implied.c verify/inverse.c verify/order.c verify/points.c verify/prove.c verify/sample.c
 * Sources: verify/cases.c verify/settle.c verify/span.c verify/summation.c verify/termwise.c verify/under.c verify/waves.c verify/whole.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "judged.h"

/* left > right, or what `sign` says, under the conditions (until NULL), which hold for some x of any size and near 1/3. */
typedef struct {
    const char *left, *sign, *right, *where[CONDITIONS];
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

/* What is an integer, or above -1 and then at least 0, is so by how it is built. The first of each is true, the second fails at a single integer. */
static const char *const rare[][2] = {
    {"(n - 100000000000000000)*(n - 100000000000000000) + 2 >= 2^(1/2)",
     "(n - 100000000000000000)*(n - 100000000000000000) + 1 >= 2^(1/2)"},
    {"(n - 100000000000000000)^2 + 2 >= 2^(1/2)", "(n - 100000000000000000)^2 + 1 >= 2^(1/2)"},
    {"(n - 100000000000000000)^2 + 1 >= 2^(-1)", "(n - 100000000000000000)^2 >= 2^(-1)"},
    {"(n - 100000000000000000)^2 + 2 >= sqrt(2)", "(n - 100000000000000000)^2 + 1 >= sqrt(2)"},
    {"(n - 100000000000000000)^2 + 1 >= 1/2", "(n - 100000000000000000)^2 >= 1/2"},
    {"(n - 100000000000000000)^2 + 4 > pi", "(n - 100000000000000000)^2 + 3 > pi"},
    {"(floor(x) - 100000000000000000)^2 + 2 >= 2^(1/2)", "(floor(x) - 100000000000000000)^2 + 1 >= 2^(1/2)"},
};

static void no_single_integer_is_passed(void **state) {
    (void)state;
    static const char *const none[CONDITIONS] = {NULL};
    int wrong = 0;
    for (size_t k = 0; k < sizeof rare / sizeof *rare; k++) {
        ver_strength is = judged(rare[k][0], none);
        if (is != VER_PROVED) printf("%s: %s\n", rare[k][0], ver_strength_name(is)), wrong++;
        if (judged(rare[k][1], none) == VER_PROVED) printf("%s is no theorem\n", rare[k][1]), wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Within a sum over j is sign(j) another part than outside, of which nothing is known there. Each holds but where n is of the size of 10^12. */
static const struct {
    const char *text, *where[CONDITIONS];
} bound[] = {
    {"1 + sign(j + 10^12)^2 - sum(1 - sign(j + 10^12), j, n, n + 5) >= 0", {"j > -10^12"}},
    {"1 + sign(j + 10^12)^2 - sum(1 - sign(j + 10^12), j, n, n + i) >= 0", {"j > -10^12", "i >= 0"}},
    {"floor(j/10^12) - sum(1 + floor(j/10^12), j, n, n + 5) >= -7", {"j >= -10^12", "j < 0"}},
    {"maximum(j, -10^12) - j >= sum(maximum(j, -10^12) - j, j, n, n + 5)", {"j > -10^12"}},
    {"abs(j + 10^12) - j - 10^12 >= sum(abs(j + 10^12) - j - 10^12, j, n, n + 5)", {"j > -10^12"}},
};

static void what_is_known_of_a_symbol_is_not_of_an_index(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof bound / sizeof *bound; k++)
        if (judged(bound[k].text, bound[k].where) == VER_PROVED)
            printf("%s where %s is no theorem\n", bound[k].text, bound[k].where[0]), wrong++;
    static const char *const none[CONDITIONS] = {NULL};
    if (judged("1 + sign(j)^2 >= sum(abs(j), j, 1, n) - sum(abs(j), j, 1, n)", none) != VER_PROVED)
        printf("cases beside a sum are not taken\n"), wrong++;
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_false_is_proved),
                                       cmocka_unit_test(no_single_integer_is_passed),
                                       cmocka_unit_test(what_is_known_of_a_symbol_is_not_of_an_index)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
