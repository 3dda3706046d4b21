/* bounds, monotone and roots see through a removable hole, and say that it is left out; what only looks like one stays undecided. The least and
 * greatest values, the ways and the roots are those of calculus by hand.
 * Sources: verify/bounds.c verify/monotone.c verify/number.c verify/roots.c */
#include "../lua/lab.h"

static void bounds_of_what_is_nought_over_nought(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y = sym 'x y'; function fails(f, ...) local ok, e = pcall(f, ...); return not ok and e:match('undefined, unbounded') end "
         "function near(b, v) return b:contains(v) or math.abs(b.mid - v) < 2e-6 end",
         ""},
        {"b = bounds(sin(x)/x, {x = {-2, 1}}); return near(b.min, math.sin(2)/2), near(b.max, 1)",
         "true\ttrue"},
        {"b.verdict.conditions:sub(-11)", "with x != 0"},
        {"b = bounds((exp(x) - 1)/x, {x = {-1, 2}}); return near(b.min, 1 - math.exp(-1)), near(b.max, (math.exp(2) - 1)/2)",
         "true\ttrue"},
        {"b = bounds((x^3 - 1)/(x - 1), {x = {0, 2}}); return near(b.min, 1), near(b.max, 7)", "true\ttrue"},
        {"fails(bounds, (x + 1)/x, {x = {-1, 1}}), fails(bounds, abs(x)/x, {x = {-1, 1}})",
         "undefined, unbounded\tundefined, unbounded"},
        {NULL, NULL}};
    lab_run(cases);
}

static void a_way_across_a_hole(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym 'x'; function way(f, a, b) local v = monotone(f, x, a, b); "
         "return v.strength == 'certified' and v.statement:match('is (.*)$') or v.strength end",
         ""},
        {"way((exp(x) - 1)/x, -1, 2), way((x^2 - 1)/(x - 1), 0, 2), way(x - x^2/x^2, -1, 1)",
         "increasing\tincreasing\tincreasing"},
        {"way(sin(x)/x, -1, 1), way((1 - exp(x))/x, -1, 1)", "refuted\tdecreasing"},
        {"way(x/x, -1, 1)", "never decreasing"},
        {"monotone((exp(x) - 1)/x, x, -1, 2).conditions", "increasing, x in [-1, 2] with x != 0"},
        /* The slope is above 0 but in the hole, and there the function falls, or has no value. */
        {"way(x/x + 10*x - 3*sign(x), -1, 1), way(sin(x)/x + 9*x - floor(x), -1, 1)", "unknown\tunknown"},
        {"way(10*x + abs(x)/x, -1, 1), way(-1/x, -1, 1), way(x/x - 1/x, -1, 1)", "unknown\tunknown\tunknown"},
        {NULL, NULL}};
    lab_run(cases);
}

static void roots_beside_a_hole(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym 'x'", ""},
        {"roots(sin(x)/x, x, -5, 5).verdict",
         "certified exactly 2 roots, x in [-5, 5] with x != 0; 25 boxes"},
        {"#roots((exp(x) - 1)/x - 2, x, -3, 3), #roots((x^2 - 1)/(x - 1), x, -2, 2)", "1\t1"},
        {"roots((x^2 - 1)/(x - 1), x, -2, 2).verdict.strength", "certified"},
        {"roots((1 - cos(x))/x, x, -1, 1).verdict.strength",
         "unknown"}, /* 0 is its limit there, and no root */
        {NULL, NULL}};
    lab_run(cases);
}

/* 1/log x is bounded at 0: what diverges, diverges at 1. li(1/2) = -0.37867104306108797672… (Abramowitz and Stegun, 5.1). */
static void an_integral_names_the_place_where_it_diverges(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym 'x'; function place(f, b) local ok, e = pcall(integral, f, x, 0, b); return not ok and e:match('diverges at x = [^:]*') end",
         ""},
        {"place(1/log(x), 2), place(1/log(x), 3), place(1/(log(x)^2*x) + 1/(x - 1), 2)",
         "diverges at x = 1\tdiverges at x = 1\tdiverges at x = 1"},
        {"tostring(integral(1/log(x), x, 0, rat(1, 2))):sub(1, 19)", "-0.3786710430610879"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_of_what_is_nought_over_nought),
                                       cmocka_unit_test(a_way_across_a_hole),
                                       cmocka_unit_test(roots_beside_a_hole),
                                       cmocka_unit_test(an_integral_names_the_place_where_it_diverges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
