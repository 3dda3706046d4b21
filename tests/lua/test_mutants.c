/* mutants of a verdict: of every statement that it proved, whatever its kind.
 * Sources: lib/about.lua verify/mutants.c verify/subject.c */
#include "lab.h"

/* What becomes of each was worked out by hand. */
static void of_every_kind_of_statement(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y, a = sym \"x y a\" n, i = sym(\"n\", \"natural\"), sym(\"i\", \"integer\")", ""},
        {"function fates(v, o) local m = mutants(v, o) return m.total .. \" \" .. m.refuted .. \" \" .. m.equivalent .. \" \" .. m.undecided end",
         ""},
        /* x*y: x*x, y*y, x/y, x and y are not symmetric, x + y is */
        {"fates(symmetric(x*y, {x, y}))", "6 5 1 0"},
        /* 2*n: 2 + n, 2, n, 3n, n, 4n, n are others; 2/n is undefined at 0 */
        {"fates(induct(eq(a[i], 2*i), i, 0, {eq(a[i + 1], a[i] + 2), eq(a[0], 0)}))", "7 7 0 0"},
        /* of two statements each has its own */
        {"b = sym \"b\" two = {eq(a[i + 1], a[i] + 2), eq(a[0], 0), eq(b[i + 1], b[i] + 3), eq(b[0], 0)}",
         ""},
        {"fates(induct({eq(a[i], 2*i), eq(b[i], 3*i)}, i, 0, two))", "14 14 0 0"},
        {"fates(prove(ne(sin(n/2), 0)))", "1 1 0 0"},
        {"fates(prove(eq(rat(12), 12)))", "8 8 0 0"},
        {"mutants(prove(gt(x^2 + 1, 0))).refuted > 0", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* One entry of a matrix is spoiled where it stands, with the symbols of the others as well. */
static void of_every_entry_of_a_matrix(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y = sym \"x y\" v = prove(matrix{{x, y}, {x + y, x*y}, {x - y, 2*x}}, matrix{{x, y}, {y + x, y*x}, {x - y, x + x}})",
         ""},
        {"m = mutants(v) return #m.statements, m.undecided, m.untried", "6\t0\t0"},
        {"m = mutants(v, {but = {[\"eq(x, x)\"] = true}}) return #m.statements, m.others", "5\t1"},
        {"mutants(prove(matrix{x, y}, matrix{x, y})).refuted", "4"}, /* y for x and x for y, on either side */
        {"mutants(prove(x, x)).total", "0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Of a long formula a spread is judged, and the rest counted. */
static void of_a_long_formula_a_spread(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = symmatrix(\"x\", 1, 20).entries s, t = 0, 0 for k = 1, 20 do s, t = s + x[k]^2*k, t + x[21 - k]^2*(21 - k) end",
         ""},
        {"all, some = mutants(s, t), mutants(prove(s, t))", ""},
        {"all.untried, some.untried > 0, some.total <= 301, some.total > 150, some.undecided",
         "0\ttrue\ttrue\ttrue\t0"},
        {"some.total + some.undefined + some.untried == all.total + all.undefined", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_every_kind_of_statement),
        cmocka_unit_test(of_every_entry_of_a_matrix),
        cmocka_unit_test(of_a_long_formula_a_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
