/* What certificates, balls and the normal form refuse and in which words, and beside each refusal the nearest thing that they take.
 * Sources: verify/ball.c verify/bounds.c verify/box.c verify/certify.c verify/coq.c verify/grid.c verify/holes.c verify/improper.c
 * Sources: verify/integral.c verify/moments.c verify/monotone.c verify/number.c verify/recurrence.c verify/roots.c verify/unity.c verify/values.c */
#include "lua/lab.h"

static const char *const symbols =
    "x, y = sym \"x y\"; n, m, k = sym(\"n m k\", \"integer\")\n"
    "p, t, w = sym(\"p\", \"positive\"), sym(\"t\", \"natural\"), sym(\"w\", \"complex\")";

static void run(const lab_case *cases) {
    lua_State *L = lab_open();
    assert_string_equal(lab_eval(L, symbols), "");
    lab_run_in(L, cases);
    lua_close(L);
}

static void what_a_box_may_be(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"certify(ge(n, 0), {n = {sqrt(rat(2))^2, 7}})",
         "error: t:1: certify: an end of the range of the integer n is too near an integer to round"},
        {"certify(ge(n, 0), {n = {Pi, 7}})", "certified for all integer n in [pi, 7]; 1 box"},
        {"certify(ge(n, 0), {n = {rat(1, 2), rat(7, 2)}})",
         "certified for all integer n in [1/2, 7/2]; 1 box"},
        {"certify(ge(n, 0), {n = {rat(1, 3), rat(2, 3)}})",
         "error: t:1: certify: no integer is in the range of n"},
        {"certify(ge(n, 0), {n = {1, rat(3, 2)}})", "certified for all integer n in [1, 3/2]; 1 box"},
        {"certify(gt(x, -1), {x = {0, 1}}, {radius = rat(1, 10)})",
         "error: t:1: certify: a radius goes with an equality, eq(f, g)"},
        {"certify(eq(x, x), {x = {0, 1}})",
         "error: t:1: certify: balls show an equality up to a radius only; add {radius = rat(\"1e-9\")}, or use prove"},
        {"certify(eq(x, x), {x = {0, 1}}, {radius = rat(1, 10)})", "certified for all x in [0, 1]; 1 box"},
        {"certify(eq(x, 1), {x = {0, 2}}, {radius = 1})", "certified for all x in [0, 2]; 1 box"},
        {"certify(eq(x, 1), {x = {0, 2}}, {radius = rat(9, 10)})",
         "refuted: x = 0: left side 0, right side 1.000000000"},
        {"certify(eq(x, x), {x = {0, 1}}, {radius = x})",
         "error: t:1: certify: the radius is no constant; wanted a number such as rat(1, 1000)"},
        {"certify(eq(x, 1), {x = {0, 2}}, {radius = -1})",
         "error: t:1: certify: the radius is no finite number from 0"},
        {"certify(gt(x, 0), {x = 1})", "certified for all x = 1; 1 box"},
        {"enclose(x, {x = ge(x, 1)})",
         "error: t:1: enclose: an end of the range of x is no constant: a statement stands where a value is wanted"},
        {"certify(ge(sum(k, k, n, 2), 0), {n = {3, 5}})",
         "unknown: undefined: a side is undefined, or its value is not decided, at n = 5"},
        {"certify(ge(sum(k, k, n, 2), 0), {n = {1, 3}})", "certified for all integer n in [1, 3]; 5 boxes"},
        {"enclose(sum(k, k, n, 2), {n = 3})", "0"},
        {"enclose(sum(k, k, n, 2), {n = 4})",
         "error: t:1: enclose: undefined, or not decided with 16384 bits, at n = 4"},
        {NULL, NULL}};
    run(cases);
}

static void what_has_no_slope(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"monotone(n^2, n, 0, 3)",
         "error: t:1: monotone: the variable is an integer; certify gt(f(n + 1), f(n)) instead"},
        {"monotone(t^2, t, 1, 3)",
         "error: t:1: monotone: the variable is an integer; certify gt(f(n + 1), f(n)) instead"},
        {"monotone(p^2, p, 1, 3)", "certified increasing, p in [1, 3]; 2 boxes"},
        {"monotone(x^2, x, 1, 1)", "error: t:1: monotone: the interval is a single point"},
        {"monotone(x^2, x, 2, 1)",
         "error: t:1: monotone: the range of x is reversed: its lower end is above its upper end"},
        {"monotone(x*y, x, 0, 1)", "error: t:1: monotone: no range is given for y; add {y = {from, to}}"},
        {"monotone(x^2, x, -1, 1)", "refuted: the derivative is positive at x = 1 and negative at x = -1"},
        {"monotone(-x, x, 0, 1)", "certified decreasing, x in [0, 1]; 2 boxes"},
        {"bounds(ge(x, 0), {x = {0, 1}})", "error: t:1: bounds: a statement is given; wanted a formula"},
        {"bounds(log(x), {x = {-1, 1}})",
         "error: t:1: bounds: the formula is undefined, unbounded or not real in the box, or not decided to be otherwise within 20000 boxes"},
        {"bounds(x^2, {x = {0, 1}}, {tolerance = 0})",
         "error: t:1: bounds: the tolerance is no finite number above 0"},
        {"roots(eq(x, 1), x, 0, 3)", "error: t:1: roots: a statement is given; wanted a formula"},
        {"roots(x*y, x, 0, 1)", "error: t:1: roots: no range is given for y; add {y = {from, to}}"},
        {"roots(n - 1, n, 0, 3)", "error: t:1: roots: wanted a real variable and two different ends"},
        {"roots(x - 1, x, 1, 1)", "error: t:1: roots: wanted a real variable and two different ends"},
        {NULL, NULL}};
    run(cases);
}

static void what_has_no_integral(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"integral(1/(x - rat(1, 3)), x, 0, 1)",
         "error: t:1: integral: it diverges at x = 1/3: the integrand is there at least of the size that has no integral"},
        {"integral(1/sin(100*x), x, 1, 5)",
         "error: t:1: integral: the integrand is not decided to be finite in too many places"},
        {"integral(tan(x), x, 0, 100)",
         "error: t:1: integral: the integrand is undefined or unbounded at more than 10 points"},
        {"integral(sin(x)/x, x, 1, math.huge)",
         "error: t:1: integral: improper at x = inf, and no bound of the integrand there is known under which it converges"},
        {"integral(1/(x^3 - 2), x, 0, 2)",
         "error: t:1: integral: the integrand is undefined or unbounded near 1.25992104989, a place that has no short name; make it an end of the interval"},
        {"integral(x, x, 1, 1)", "0"},
        {"integral(w, w, 0, 1)",
         "error: t:1: integral: w is complex and has no range; write x + I*y with real x, y"},
        {"integral(n, n, 0, 1)",
         "error: t:1: integral: the variable is an integer symbol; wanted a real one"},
        {"integral(x, 2, 0, 1)", "error: t:1: integral: the variable is 2; wanted a symbol"},
        {"integral(1/x, x, 1, math.huge)",
         "error: t:1: integral: it diverges at x = inf: the integrand is there at least of the size that has no integral"},
        {"integral(1/x, x, 0, 1)",
         "error: t:1: integral: it diverges at x = 0: the integrand is there at least of the size that has no integral"},
        {"integral(log(abs(x) - x), x, 0, 1)",
         "error: t:1: integral: the integrand is not decided to be finite in too many places"},
        {NULL, NULL}};
    run(cases);
}

static void what_a_table_may_be(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"certify_table(x, {}, array{1})",
         "error: t:1: certify_table: 0 axes for a table of 1 dimensions; wanted one for each"},
        {"certify_table(eq(n, 1), {{n, 0, 1}}, array{0., 1.})",
         "error: t:1: certify_table: the formula is a statement; wanted its value"},
        {"certify_table(n, {{n, 5, 4}}, array{1.})",
         "error: t:1: certify_table: axis 1: n runs through 0 values, and the table has 1 there"},
        {"certify_table(n + m, {{n, 0, 1}, {n, 0, 1}}, array{{0., 1.}, {1., 2.}})",
         "error: t:1: certify_table: n has two axes"},
        {"certify_table(n + m, {{n, 0, 1}, {m, 0, 1}}, array{{0., 1.}, {1., 2.}})",
         "certified for all integers n in [0, 1], m in [0, 1]: max deviation 0 ≤ 1 ulp; 4 points"},
        {"certify_table(n + m, {{n, 0, 1}}, array{0., 1.})",
         "error: t:1: certify_table: the symbol m has no axis"},
        {"certify_table(n, {{n, 0, 1}}, array{0., 1.}, {ulp = -1})",
         "error: t:1: certify_table: the bound is no finite number from 0"},
        {"certify_table(n, {{n, 0, 1}}, array{0., 1.}, {ulp = 1/0})",
         "error: t:1: certify_table: the bound is no finite number from 0"},
        {"certify_table(n, {{n, 0, 1}}, array{0., 1.}, {ulp = 0})",
         "certified for all integers n in [0, 1]: max deviation 0 ≤ 0 ulp; 2 points"},
        {"certify_table(p, {{p, -1, 1}}, array{-1., 0., 1.})",
         "error: t:1: certify_table: p is positive, yet its axis begins at -1"},
        {"certify_table(t, {{t, 0, 1}}, array{0., 1.})",
         "error: t:1: certify_table: t is natural, yet its axis begins at 0"},
        {"certify_table(t, {{t, 1, 2}}, array{1., 2.})",
         "certified for all integers t in [1, 2]: max deviation 0 ≤ 1 ulp; 2 points"},
        {"certify_table(sqrt(n), {{n, -1, 1}}, array{0., 0., 1.})",
         "unknown: undefined: no real number at n = -1"},
        {"certify_table(n, {{n, 0, 3000000000}}, zeros(2))",
         "error: t:1: certify_table: axis 1: n runs through 3000000001 values, and the table has 2 there"},
        {NULL, NULL}};
    run(cases);
}

static void what_the_normal_form_leaves(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"prove(x, 1):coq()", "error: t:1: coq: only a proved verdict has a certificate"},
        {"prove(0^x, 0)", "unknown: undefined: 0 to a power that may not be positive is undefined"},
        {"prove(log(x - x), 1)", "unknown: undefined: log(0) is undefined"},
        {"log(rat(0))", "error: t:1: log(0) is undefined"},
        {"prove(exp(2*Pi*I/1000003)^1000003, 1)",
         "unknown: out of budget: a root of unity of an order beyond 10^6"},
        {"prove(exp(2*Pi*I/1048576)^1048576, 1)", "unknown: out of budget: a root of unity of order 2^20"},
        {"prove(exp(2*Pi*I/1009)^1009, 1)", "unknown: out of budget: a root of unity of order 1009^1"},
        {"prove(exp(2*Pi*I/2187)^2187, 1)", "unknown: out of budget: a root of unity of order 3^7"},
        {"prove(exp(2*Pi*I/729)^729, 1)", "proved; 1 term"},
        {"prove(exp(2*Pi*I/128)^64, -1)", "proved; 1 term"},
        {"prove(exp(2*Pi*I/121)^11, 1)",
         "refuted: left side 0.84125353 + 0.54064082*I, right side 1.0000000"},
        {"prove((x + 1)^1000001, (x + 1)^1000001)", "unknown: out of budget: the polynomials grow too large"},
        {"prove(Ci(x), Ci(x))", "proved for all real x with x > 0; 1 term"},
        {"prove(sum(k, k, 1, n/2), n/2*(n/2 + 1)/2)",
         "proved for all integer n with n/2 >= 0, floor(n/2) = n/2; 3 terms"},
        {"induct(eq(x, 1), n, 0, {eq(x, 1)})",
         "error: t:1: induct: a given equation is not of the form eq(a[n+1], ...)"},
        {"expectation(n^2, {n})", "1"},
        {"expectation(exp(x), {x})",
         "error: t:1: expectation: outside the theory: the moment of what is no polynomial in the random symbols"},
        {"expectation(1/(1 + x), x)",
         "error: t:1: expectation: outside the theory: the moment of what is no polynomial in the random symbols"},
        {"expectation(x^2*p, {p})",
         "error: t:1: expectation: the random symbol 'p' is positive; one of mean 0 and variance 1 is real"},
        {"expectation(w^2, {w})",
         "error: t:1: expectation: the random symbol 'w' is complex; one of mean 0 and variance 1 is real"},
        {"expectation(x^4, {x})",
         "error: t:1: expectation: outside the theory: a moment beyond the second, which mean 0 and variance 1 do not give"},
        {"enclose(rat(10)^1000000):digits(5)",
         "error: t:1: the number is too long to be written in decimals"},
        {NULL, NULL}};
    run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_box_may_be),           cmocka_unit_test(what_has_no_slope),
        cmocka_unit_test(what_has_no_integral),        cmocka_unit_test(what_a_table_may_be),
        cmocka_unit_test(what_the_normal_form_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
