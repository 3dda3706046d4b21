/* Integrals with a symbol besides their variable: what they are as formulas, and that nothing is certified where one diverges, or its
 * derivative under the sign is none. The closed forms are textbook ones.
 * Sources: verify/end_power.c verify/quadrature.c */
#include "../lua/lab.h"

#define SYMBOLS                                                                                               \
    {                                                                                                         \
        "x, y, t = sym 'x y t'; p, a = sym('p a', 'positive'); n = sym('n', 'integer'); box = {boxes = 300}", \
            ""                                                                                                \
    }

static void an_integral_is_a_formula_in_its_parameters(void **state) {
    (void)state;
    static const lab_case cases[] = {
        SYMBOLS,
        {"integral(x*t, t, 0, 1)", "integral(x*t, t, 0, 1)"},
        {"integral(exp(-p*t), t, 0, math.huge)", "integral(exp((-p)*t), t, 0, math.huge)"},
        {"integral(exp(p*t), t, -math.huge, x)", "integral(exp(p*(-t)), t, -x, math.huge)"},
        {"#integral(x*t*y, t, 0, x):symbols()", "2"},
        {"integral(x*t, t, 0, 1):latex()", "\\int_{0}^{1} x t \\, dt"},
        {"integral(x*t, t, 0, math.huge):latex()", "\\int_{0}^{\\infty} x t \\, dt"},
        {"integral(exp(-p*t^2), t, -math.huge, math.huge):latex():sub(1, 23)", "\\int_{-\\infty}^{\\infty}"},
        {"subst(integral(x*t, t, 0, t), t, 2)", "integral(x*t, t, 0, 2)"},
        {"subst(integral(x*t, t, 0, x), x, 3)", "integral(3*t, t, 0, 3)"},
        {"subst(integral(x*t, t, 0, 1), x, t)",
         "error: t:1: substitution: the variable 't' of an integral would capture the one that is put in"},
        {"subst(integral(x*t, t, 0, 1), t, 7)", "integral(x*t, t, 0, 1)"},
        {"derivative(integral(cos(t^2), t, 0, x), x)", "cos(x^2)"},
        {"derivative(integral(x^2*t, t, 0, 1), x)", "integral(2*x*t, t, 0, 1)"},
        {"derivative(integral(x*t, t, x, 1), x)", "-x*x + integral(t, t, x, 1)"},
        {"derivative(integral(x*t, t, 0, 1), t)", "0"},
        {"integral(x*n, n, 0, 1)", "error: t:1: integral: the variable 'n' is integer; wanted a real symbol"},
        {"integral(a*p, p, -math.huge, 1)",
         "error: t:1: integral: 'p' is positive, and the interval begins at -inf"},
        {"integral(ge(x, t), t, 0, 1)", "error: t:1: integral: a statement is given; wanted a formula"},
        {"integral(x*t, t, 0, 1, {digits = 30})",
         "error: t:1: integral: the integral has a symbol besides t and is a formula; digits and evaluations are for its value, as "
         "in enclose(f, {a = 1}, {digits = 30})"},
        {"evaluate(integral(x*t, t, 0, 1), {x = 1})",
         "error: t:1: evaluate: an integral has no value in floating point here; enclose(f, {a = 1}) gives it as a ball"},
        {NULL, NULL}};
    lab_run(cases);
}

static void nothing_is_said_where_an_integral_is_none(void **state) {
    (void)state;
    static const lab_case cases[] = {
        SYMBOLS,
        {"certify(ge(integral(1/t^x, t, 1, math.huge), 0), {x = {rat(1, 2), 2}}, box).strength", "unknown"},
        {"certify(ge(integral(1/t^x, t, 1, math.huge), 0), {x = {rat(3, 2), 2}}, box).strength", "certified"},
        {"certify(ge(integral(t^x, t, 0, 1), 0), {x = {-2, 1}}, box).strength", "unknown"},
        {"certify(ge(integral(t^x, t, 0, 1), 0), {x = {-rat(1, 2), 1}}, box).strength", "certified"},
        {"certify(ge(integral(exp(-x*t), t, 0, math.huge), 0), {x = {0, 1}}, box).strength", "unknown"},
        {"certify(le(integral(1/(t - x), t, 0, 1), 100), {x = {-1, 2}}, box).strength", "unknown"},
        {"certify(ge(integral(1/(t - x)^2, t, 0, 1), -1), {x = {rat(1, 3), rat(1, 2)}}, box).strength",
         "unknown"},
        {"certify(ge(integral(sqrt(t - x), t, 0, 1), 0), {x = {-1, rat(1, 2)}}, box).strength", "unknown"},
        {"(pcall(enclose, integral(p*a, p, -1, 1), {a = 1}))", "false"},
        {"enclose(integral(log(p)*a, p, 0, 1), {a = 1}):contains(-1)", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A kink or a jump that moves with the parameter: ∫ sign(x − t) dt rises, but the integral of the derivative is 0. */
static void a_derivative_under_the_sign_is_one_or_is_not_used(void **state) {
    (void)state;
    static const lab_case cases[] = {
        SYMBOLS,
        {"monotone(integral(sign(x - t), t, 0, 1), x, 0, 1).strength", "unknown"},
        {"monotone(integral(floor(x + t), t, 0, 1), x, 0, 1).strength", "unknown"},
        {"monotone(integral(piecewise(lt(t, x), 1, -1), t, 0, 1), x, 0, 1).strength", "unknown"},
        {"certify(eq(integral(sign(x - t), t, 0, 1), 0), {x = {0, 1}}, {radius = rat(9, 10), boxes = 300}).strength",
         "refuted"},
        {"monotone(integral(t, t, 0, x), x, 0, 1).strength", "certified"},
        {"monotone(integral(t, t, 0, x), x, -1, 1).strength", "refuted"},
        {"monotone(integral(log(t + x), t, 0, 1), x, 1, 2).statement",
         "integral(log(t + x), t, 0, 1) is increasing"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The prover's rules take symbols for free ones; the variable of an integral is none. */
static void the_prover_does_not_look_into_an_integral(void **state) {
    (void)state;
    static const lab_case cases[] = {
        SYMBOLS,
        {"prove(integral(x*t, t, 0, 1), x/2)",
         "unknown: outside the theory: no exact argument for an integral; certify it on a box"},
        {"prove(integral(x*t, t, 0, 1), x).strength", "refuted"},
        {"prove(ge(integral(sqrt(t^2), t, -1, x), integral(t, t, -1, x)), {where = {gt(t, 0), ge(x, -1)}}).strength",
         "unknown"},
        {"prove(gt(x, 0), {where = gt(integral(x*t, t, 0, 1), 0)}).strength", "unknown"},
        {"(pcall(expectation, integral(x*t, t, 0, 1), {x}))", "false"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_integral_is_a_formula_in_its_parameters),
                                       cmocka_unit_test(nothing_is_said_where_an_integral_is_none),
                                       cmocka_unit_test(a_derivative_under_the_sign_is_one_or_is_not_used),
                                       cmocka_unit_test(the_prover_does_not_look_into_an_integral)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
