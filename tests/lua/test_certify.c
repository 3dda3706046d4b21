/* Ball arithmetic at the prompt: what is printed, what is refused and in which words.
 * Sources: lua/balls.c lua/certify.c verify/certify.c verify/integral.c verify/monotone.c verify/number.c verify/box.c */
#include "lab.h"

static void certificates(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y, t = sym \"x y t\"; n = sym(\"n\", \"integer\"); k = sym(\"k\", \"positive\"); a = sym \"a\"",
         ""},
        {"certify(ge(x, sin(x)), {x = {0, 10}})", "certified for all x in [0, 10]; 7 boxes"},
        {"certify(ge(x, sin(x)), {[x] = {0, 10}}).strength", "certified"},
        {"certify(ge(x, sin(x)), {x = {0, 10}}).strength", "certified"},
        {"certify(ge(cos(x), 0), {x = {-Pi/2, Pi/2}}).strength", "certified"},
        {"certify(lt(x, 1), {x = {0, 1}})", "refuted: x = 1: left side 1.000000000, right side 1.000000000"},
        {"certify(lt(n^2, 90), {n = {0, 10}}).witness",
         "n = 10: left side 100.0000000, right side 90.00000000"},
        {"certify(gt(a[0] + a[1], 0), {[a[0]] = {1, 2}, [a[1]] = {0, 1}})",
         "certified for all a[0] in [1, 2], a[1] in [0, 1]; 1 box"},
        {"certify(gt(a[0] + a[1], 0), {[\"a[0]\"] = {1, 2}, [\"a[1]\"] = 1}).conditions",
         "for all a[0] in [1, 2], a[1] = 1"},
        {"i = sym(\"i\", \"integer\"); f = sum(a[i]*(3 - a[i]), i, 0, 0)",
         ""}, /* the member is hidden in the sum */
        {"certify(ne(f, 2), {[a[0]] = {0, 3}}).strength", "refuted"},
        {"certify(le(f, 3), {[a[0]] = {0, 3}}).strength", "certified"},
        /* two sides that are not real are in no order, though they differ by 0 */
        {"certify(lt(sqrt(x), sqrt(x)), {x = {-2, -1}})",
         "unknown: undefined: the sides are not both real at x = -1"},
        {"certify(ne(sqrt(x), sqrt(x)), {x = {-2, -1}}).strength", "refuted"},
        {"certify(lt(-f, 0), {[a[0]] = {1, 2}}).strength", "certified"},
        {"certify(ge(x^2 + y^2, 2*x*y), {x = {-1, 1}, y = {-1, 1}}, {boxes = 100}).strength", "proved"},
        {"certify(ge(exp(x + y), 1 + x + y), {x = {-1, 1}, y = {-1, 1}}, {boxes = 100}).strength", "unknown"},
        /* Over the whole box the slope by the exponent is unbounded: it must be cut as well, whatever the order of names. */
        {"function series(y, a) local s = rat(0); for k = 15, 0, -1 do s = 1/(2*k*a + 1) - y/((2*k + 1)*(2*k "
         "+ "
         "2))*s end; return s end",
         ""},
        {"certify(gt(series(x, y), rat(1, 1000000)), {x = {0, 64}, y = {rat(3, 2), 8}}, {boxes = "
         "1000}).strength",
         "certified"},
        {"certify(gt(series(y, x), rat(1, 1000000)), {y = {0, 64}, x = {rat(3, 2), 8}}, {boxes = "
         "1000}).strength",
         "certified"},
        {"certify(eq(sin(x), x), {x = {0, rat(1, 10)}}, {radius = rat(1, 1000)}).statement",
         "|sin(x) - (x)| <= 1/1000"},
        {"v = certify(gt(x, 0), {x = {1, 2}})", ""},
        {"v.method", "ball arithmetic with mean-value forms"},
        {"v:json():sub(1, 24)", "{\"strength\":\"certified\","},
        {"#roots(cos(x), x, 0, 10)", "3"},
        {"roots(x^2 + 1, x, -5, 5).verdict", "certified no root, x in [-5, 5]; 1 box"},
        {"bounds(x^2, {x = {-1, 2}}).max:contains(4)", "true"},
        {"bounds(x^2, {x = {-1, 2}}).verdict.strength", "certified"},
        {NULL, NULL}};
    lab_run(cases);
}

static void which_way_a_function_goes(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym 'x'", ""},
        {"monotone(exp(x), x, 0, 1).strength", "certified"},
        {"monotone(exp(x), \"x\", 0, 1).statement", "exp(x) is increasing"},
        {"monotone(sqrt((x + 5)^2) - x, x, 0, 1).statement",
         "sqrt((x + 5)^2) - x is never decreasing"}, /* proved: its slope is 0 */
        {"monotone(exp(-x), x, 0, 1)", "certified decreasing, x in [0, 1]; 2 boxes"},
        {"monotone(exp(-x), x, 0, 1):text('zh')", "已严格验证，递减，x ∈ [0, 1]；2 个区域"},
        {"monotone(exp(x), x, 0, 1):text('zh')", "已严格验证，递增，x ∈ [0, 1]；2 个区域"},
        {"monotone(x^3, x, 0, 1)", "certified never decreasing, x in [0, 1]; 2 boxes"},
        {"monotone(x^3, x, 0, 1):text('zh')", "已严格验证，从不递减，x ∈ [0, 1]；2 个区域"},
        {"monotone(-x^3, x, 0, 1):text('zh')", "已严格验证，从不递增，x ∈ [0, 1]；2 个区域"},
        /* each rises, and its slope as it is written has no value at 0: one sign is refuted, the other not decided */
        {"i = sym('i', 'integer')", ""},
        {"monotone(sum(x^i, i, 1, 3), x, -1, 1).kind", "undefined"},
        {"monotone(-sum(x^i, i, 1, 1), x, rat(-1, 2), 1).kind", "undefined"},
        {"monotone(sum(x^i, i, 2, 3), x, -1, 1).witness",
         "the derivative is positive at x = -1 and negative at x = -1/2"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The derivative of an integral with a parameter, at single points, against the derivative of its closed form. The last integral is
 * a exp(-a^2), with slope 1 at 0, where the integrand's derivative is 0 at each x: no value may be given there. */
static void derivatives_under_integrals_at_a_point(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, a = sym 'x a'", ""},
        {"slope = function(f, to, at) return enclose(derivative(integral(f, x, 0, to), a), {a = at}) end",
         ""},
        {"slope(exp(-a*x), 1, 0):contains(rat(-1, 2))", "true"},
        {"slope(exp(-a*x), 1, 2):overlaps(enclose((3*exp(rat(-2)) - 1)/4))", "true"},
        {"slope(sin(a*x)/x, 1, 2):overlaps(enclose(sin(rat(2))/2))", "true"},
        {"slope(x^a, 1, rat(-1, 2)):contains(-4)", "true"},
        {"slope(sqrt(x), a^2, 3):contains(18)", "true"},
        {"slope(abs(x - a), 1, rat(1, 2)):contains(0), slope(abs(x - a), 1, 0):contains(-1)", "true\ttrue"},
        {"slope(maximum(x, a), 1, rat(1, 3)):contains(rat(1, 3))", "true"},
        {"slope(x^a, 1, -1)", "error: t:1: enclose: undefined, or not decided with 16384 bits, at a = -1"},
        {"slope(a^3/x^2*exp(-a^2/x), 1, 1):overlaps(enclose(-exp(rat(-1))))", "true"},
        {"slope(a^3/x^2*exp(-a^2/x), 1, 0)",
         "error: t:1: enclose: undefined, or not decided with 16384 bits, at a = 0"},
        {NULL, NULL}};
    lab_run(cases);
}

static void balls(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, t = sym \"x t\"", ""},
        {"p = enclose(Pi)", ""},
        {"p", "3.1415926535897932385 ± 3.74e-20"},
        {"p.lower <= math.pi and math.pi <= p.upper and p.radius < 1e-20", "true"},
        {"p.mid == math.pi", "true"},
        {"enclose(Pi, {digits = 5}):digits(5)", "3.1416"},
        {"#enclose(Pi, {digits = 1000}):digits(1000)", "1001"},
        {"p:contains(math.pi)", "false"},
        {"p:contains(Pi)", "true"},
        {"p:contains(3), p:contains(0/0), p:contains(1/0)", "false\tfalse\tfalse"},
        {"enclose(sin(x), {x = Pi/6}):contains(rat(1, 2))", "true"},
        {"p:overlaps(enclose(4*atan(rat(1)))), p:overlaps(enclose(rat(3)))", "true\tfalse"},
        {"enclose(sqrt(x), {x = -4})", "0\t2.0000000000000000000"},
        {"p < p", "error: t:1: a Ball is an interval, not a number; compare its ends: p.upper < q.lower, or "
                  "p:overlaps(q)"},
        {"p + 1", "error: t:1: a Ball takes part in no arithmetic; enclose the whole formula, or use its "
                  "fields mid, lower, upper"},
        {"p.verdict", "certified the value to 20 digits"},
        {"integral(abs(t), t, -1, 1).verdict.strength", "certified"},
        {"integral(1, t, 0, 3):contains(3)", "true"},
        {"integral(t, t, 1, 0):contains(-rat(1, 2))", "true"},
        {"select(\"#\", integral(exp(I*t), t, 0, 1))", "2"},
        /* quadrature at equidistant points is silently wrong here; the ball is not */
        {"x = 1000; s = 0; for j = 1, 100 do s = s + math.cos(x*10000^(-(j - 0.5)/100))/100 end", ""},
        {"integral(cos(x*10000^(-t)), t, 0, 1):contains(s)", "false"},
        {NULL, NULL}};
    lab_run(cases);
}

static const lab_case refusals_cases[] = {
    {"x, y, t = sym \"x y t\"; n = sym(\"n\", \"natural\"); k = sym(\"k\", \"positive\"); z = sym(\"z\", "
     "\"complex\")",
     ""},
    {"certify(ge(x, 0), {x = {1, 0}})",
     "error: t:1: certify: the range of x is reversed: its lower end is above its upper end"},
    {"certify(ge(x, 0), {x = {0, 0.5}})",
     "error: t:1: certify: 0.5 is a floating-point number; a formula holds exact ones: write "
     "rat(1, 2) or rat(\"0.5\")"},
    {"certify(ge(x, 0), {x = {0, 1/0}})", "error: t:1: certify: inf cannot stand in a formula"},
    {"certify(ge(x, 0), {x = {0/0, 1}})", "error: t:1: certify: nan cannot stand in a formula"},
    {"certify(ge(x, 0), {x = {0}})",
     "error: t:1: certify: the range of x is a table; wanted {from, to}, such as {0, rat(1, 2)}"},
    {"certify(ge(x, y), {x = {0, 1}})", "error: t:1: certify: no range is given for y; add {y = {from, to}}"},
    {"certify(ge(x, 0), {x = {0, 1}, w = {0, 1}})", "error: t:1: certify: 'w' is no symbol of the formula"},
    {"certify(ge(x, 0), {[x] = {0, 1}, [y] = {0, 1}})",
     "error: t:1: certify: a range is given for y, which does not occur"},
    {"certify(ge(x, 0), {[x] = {0, 1}, x = {0, 1}})", "error: t:1: certify: two ranges are given for x"},
    {"certify(ge(x, 0), {x = {0, y}})",
     "error: t:1: certify: an end of the range of x is no constant: no value for the symbol 'y'"},
    {"certify(ge(x, 0), {x = {0, tan(Pi/2)}})",
     "error: t:1: certify: an end of the range of x is undefined; wanted a finite real number"},
    {"certify(ge(x, 0), {x = {0, sqrt(rat(-1))}})",
     "error: t:1: certify: an end of the range of x is not real"},
    {"certify(ge(x, 0), {x = {0, rat(10)^100000}})",
     "error: t:1: certify: an end of the range of x is beyond 2^65536"},
    {"certify(ge(n, 0), {n = {rat(1, 3), rat(1, 2)}})",
     "error: t:1: certify: no integer is in the range of n"},
    {"certify(ge(n, 0), {n = {0, 3}})",
     "error: t:1: certify: n is natural (1, 2, …); its range starts below 1"},
    {"certify(ge(k, 0), {k = {0, 3}})", "error: t:1: certify: k is positive; its range starts at 0 or below"},
    {"certify(ne(z, 0), {z = {0, 3}})",
     "error: t:1: certify: z is complex and has no range; write x + I*y with real x, y"},
    {"certify(x, {x = {0, 1}})",
     "error: t:1: certify: a formula says nothing; wanted a statement such as ge(f, 0)"},
    {"certify(eq(x, x), {x = {0, 1}})", "error: t:1: certify: balls show an equality up to a radius "
                                        "only; add {radius = rat(\"1e-9\")}, or use prove"},
    {"certify(eq(x, x), {x = {0, 1}}, {radius = -1})",
     "error: t:1: certify: the radius is no finite number from 0"},
    {"certify(ge(x, 0), {x = {0, 1}}, {boxs = 1})",
     "error: t:1: certify: unknown option 'boxs'; did you mean 'boxes'?"},
    {"certify(ge(x, 0), {x = {0, 1}}, {boxes = 0})",
     "error: t:1: certify: boxes is 0; wanted an integer from 1 to 10000000"},
    {"certify(ge(x, 0), 3)", "error: t:1: certify: the box is 3; wanted ranges such as {x = {0, 1}}"},
    {"enclose(x, {x = {0, 1}})",
     "error: t:1: enclose: a range is given; wanted one value for each symbol (bounds takes ranges)"},
    {"enclose(1/x, {x = 0})", "error: t:1: enclose: undefined, or not decided with 16384 bits, at x = 0"},
    {"enclose(x, {x = 1}, {digits = 100000})",
     "error: t:1: enclose: digits is 100000; wanted an integer from 1 to 3000"},
    {"integral(x*t, t, 0, 1)", "integral(x*t, t, 0, 1)"},
    {"integral(t, t, 0, 1/0)",
     "error: t:1: integral: it diverges at t = inf: the integrand is there at least of the size that has no integral"},
    {"integral(exp(-t), t, 0, math.huge):contains(1)", "true"},
    {"integral(exp(-t), t, math.huge, 0):contains(-1)", "true"},
    {"integral(exp(-t), t, math.huge, math.huge)", "error: t:1: integral: inf cannot stand in a formula"},
    {"integral(ge(t, 0), t, math.huge, 0)",
     "error: t:1: integral: the formula is a statement; wanted a formula"},
    {"integral(function(t) return t end, t, 0, 1)",
     "error: t:1: integral: the formula is a function; wanted a formula, an integer or rat(p, q)"},
    {"integral(ge(t, 0), t, 0, 1)", "error: t:1: integral: a statement is given; wanted a formula"},
    {"integral(t, t + 1, 0, 1)", "error: t:1: integral: the variable is a formula; wanted a symbol"},
    {"roots(x*y, x, 0, 1)", "error: t:1: roots: no range is given for y; add {y = {from, to}}"},
    {"roots(x, x, 1, 1)", "error: t:1: roots: wanted a real variable and two different ends"},
    {"bounds(x, {x = {0, 1}}, {tolerance = 0/0})",
     "error: t:1: bounds: the tolerance is no finite number above 0"},
    {"bounds(1/x, {x = {-1, 1}}, {boxes = 500}).min",
     "error: t:1: bounds: the formula is undefined, unbounded or not real in the box, or not decided to "
     "be otherwise within "
     "500 boxes"},
    {NULL, NULL}};

static void refusals(void **state) {
    (void)state;
    lab_run(refusals_cases);
}

/* Numbers beyond all decimals are told by their size: log2 of exp(exp(40)) is 339589157164094110.18 (mpmath), and that of
 * exp(exp(exp(10))) has 9567 digits. What is far out and yet in reach is a number: the sine is mpmath's, at 900 digits. */
static void huge_numbers(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"enclose(exp(exp(rat(40))))", "below 2^339589157164094111 in size"},
        {"enclose(exp(-exp(rat(40))))", "below 2^-339589157164094110 in size"},
        {"enclose(exp(exp(exp(rat(10)))))", "below 2^(10^9567) in size"},
        {"tostring(enclose(sin(exp(rat(1000))))):sub(1, 23)", "-0.90687417072191509809"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A ball is asked for numbers that lie in it, and for what is none. */
static void constants_in_balls(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"e = enclose(exp(rat(1)))", ""},
        {"e:contains(exp(rat(1))), e:contains(Pi)", "true\tfalse"},
        {"e:contains(sqrt(rat(-1)))", "error: t:1: contains: the constant is not real"},
        {"e:contains(exp(I*Pi/3))", "error: t:1: contains: the constant is not real"},
        {"e:contains(1/(sqrt(rat(2))^2 - 2))", "error: t:1: contains: the constant is undefined"},
        {NULL, NULL}};
    lab_run(cases);
}

static void ranges_and_variables(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, p, n = sym \"x\", sym(\"p\", \"positive\"), sym(\"n\", \"integer\")", ""},
        {"integral(exp(p), p, -math.huge, 0)",
         "error: t:1: integral: p is positive, and the interval begins at -inf"},
        {"integral(n, n, 0, 1)",
         "error: t:1: integral: the variable is an integer symbol; wanted a real one"},
        {"enclose(eq(x, 1), {x = 1})", "error: t:1: enclose: a statement is given; wanted a formula"},
        {"monotone(eq(x, 1), x, 0, 1)", "error: t:1: monotone: a statement is given; wanted a formula"},
        {"certify(ge(x, 0), {x = {Pi, 1 + Pi - 1}})",
         "error: t:1: certify: the ends of the range of x cannot be told apart; give one value"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(certificates),
                                       cmocka_unit_test(which_way_a_function_goes),
                                       cmocka_unit_test(derivatives_under_integrals_at_a_point),
                                       cmocka_unit_test(balls),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(huge_numbers),
                                       cmocka_unit_test(constants_in_balls),
                                       cmocka_unit_test(ranges_and_variables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
