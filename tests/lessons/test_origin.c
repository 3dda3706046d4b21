/* The lesson on the origin of sinusoids: it is in order, every cell runs, its claims are settled, it shows the figures known from
 * elsewhere, and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_origin(void **state) { return open_lesson(state, "origin"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "su/one-scalar holds proved, su/inner-as-real-part holds proved, su/polar-solution holds proved, "
         "su/complex-as-vector holds proved, su/superposition holds proved, su/not-unique holds proved, "
         "su/order-of-dims holds proved, su/expansion-displacement holds proved, "
         "su/full-taylor-comment mended proved, su/norm-and-score mended proved"},
        {"mutants_decided()", "10"},
        {"course.main('check', 'origin', '--strict')",
         "…10 claims checked: 8 hold, 2 mended, 0 failed; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* cos 3 + cos 0.03, and e^49/(e^49 + e^42 + …), e^7/(1 + e + … + e^7) by hand. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {
        "2145 equations, 65 unknowns, rank 64", "seen from place 7: 0.99909",
        "seen from place 1: 0.632, from place 0: 0.125", "n = 1000   one order  0.00956", NULL};
    shows_figures("origin", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('su/expansion-displacement', 'p * q * d(x, y)', '2 * p * q * d(x, y)')", REFUTED},
        {"spoil('su/expansion-displacement', 'p * d(x) + q * d(y)', 'q * d(x) + p * d(y)')", REFUTED},
        {"spoil('su/expansion-displacement', '(y - a)^2 * b2', '(y - x)^2 * b2')", REFUTED},
        {"spoil('su/full-taylor-comment', 'second(i, 4) * u(4))', 'second(i, 4) * u(3))')", REFUTED},
        {"spoil('su/full-taylor-comment', 'written = prove(f(a + u), first + others + own + both, {', 'written = "
         "prove(f(a + u), first + others + own + both + crossed, {')",
         "failed"},
        {"spoil('su/norm-and-score', 'c^2 * score(p, q)', 'c * score(p, q)')", REFUTED},
        {"spoil('su/one-scalar', 'p(m) * p(n), j * (m + n + j)', 'p(m) * p(n), j * (m + n)')", REFUTED},
        {"spoil('su/inner-as-real-part', 'conj(c + d * I)', '(c + d * I)')", REFUTED},
        {"spoil('su/inner-as-real-part', 'cos(φ - ψ)', 'cos(φ + ψ)')", REFUTED},
        {"spoil('su/polar-solution', 'steps[m + 1] = m end', 'steps[m + 1] = m * m end')", REFUTED},
        {"spoil('su/polar-solution', 'φ[m] + θ), eq(φ[0], 0)', 'φ[m] + θ), eq(φ[0], 1)')", REFUTED},
        {"spoil('su/polar-solution', '{m, 1}, {n, -1}', '{m, 1}, {n, 1}')", "…nil"},
        {"spoil('su/polar-solution', 'real(m, n), 1 + (-1)^(m - n)', 'real(m, n), 1 - (-1)^(m - n)')",
         REFUTED},
        {"spoil('su/complex-as-vector', '-sin(m * θ)', 'sin(m * θ)')", REFUTED},
        {"spoil('su/superposition', 'cos((m - n) * θ[i])', 'cos((m + n) * θ[i])')", REFUTED},
        {"spoil('su/not-unique', 'matmul(U.T, U) - eye2', 'matmul(U, U) - eye2')", REFUTED},
        {"spoil('su/not-unique', '2 * g(1)^2', 'g(1)^2')", REFUTED},
        {"spoil('su/order-of-dims', 'matrix{p(i), r(i)}', 'matrix{p(i), r(i % 8 + 1)}')", REFUTED},
        {"spoil('su/order-of-dims', '{sin(m * θ), cos(m * θ)}', '{sin(m * θ), cos(2 * m * θ)}')", REFUTED},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_origin, close_school);
}
