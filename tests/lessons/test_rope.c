/* The lesson on rotary positions: it is in order, every cell runs, its claims are settled, it shows the figures known from
 * elsewhere, and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_rope(void **state) { return open_lesson(state, "rope"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "pe/rope-functional-equation holds proved, pe/rope-matrix holds proved, "
         "pe/rope-elementwise holds proved, pe/rope-conjugate mended proved, "
         "pe/rope-theta-range mended certified, pe/complex-matrix holds proved, pe/rope-snippet mended measured"},
        {"mutants_decided(), others", "5\t6"},
        {"course.main('check', 'rope', '--strict')",
         "…7 claims checked: 4 hold, 3 mended, 0 failed; 6 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Python's complex numbers give the two products; pairs inside the range: 10000^(-i/64) <= pi/4096 from i = 49.8 on. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"-1.113304957503",
                                          "6.982875630540",
                                          "3.299081412321",
                                          "6.254283478934",
                                          "certified for all integer i in [50, 63]",
                                          "as trained:                2.555680  0.526799",
                                          "the other layout:          2.555680  0.397736",
                                          "base 500000 for 10000:     2.555680  0.594926",
                                          NULL};
    shows_figures("rope", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('pe/rope-functional-equation', '{sin(m * θ), cos(m * θ)}', '{-sin(m * θ), cos(m * θ)}')",
         REFUTED},
        {"spoil('pe/rope-functional-equation', 'turn(n - m)', 'turn(m - n)')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'ρm ^ 2 * re', 'ρm * re')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'sin(φm - φn)', 'sin(φm + φn)')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'ρm * ρn * cos', 'cos')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'conj(f(k, ρn, φn))', 'f(k, ρn, φn)')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'sum(δ, j, 0, M - 1)', 'sum(δ, j, 0, M)')", REFUTED},
        {"spoil('pe/rope-functional-equation', 'φ[M] - φ[0]', 'φ[M - 1] - φ[0]')", REFUTED},
        {"spoil('pe/rope-conjugate', 'mended = q * conj(k)', 'mended = q * k')", REFUTED},
        {"spoil('pe/rope-conjugate', 'written = q * k', 'written = q * conj(k)')", REFUTED},
        {"spoil('pe/rope-conjugate', 'written = q * k * exp(I * (m - n)', 'written = q * k * exp(I * (m + "
         "n)')",
         REFUTED},
        {"spoil('pe/rope-conjugate', 'conj(turned(c + I * d, n))', 'turned(c + I * d, n)')", REFUTED},
        {"spoil('pe/rope-conjugate', 'prove(re(numbers)', 'prove(im(numbers)')", REFUTED},
        {"spoil('pe/rope-theta-range', '{i = {0, 49}}', '{i = {0, 50}}')", REFUTED},
        {"spoil('pe/rope-theta-range', '{i = {50, 63}}', '{i = {49, 63}}')", REFUTED},
        {"spoil('pe/rope-theta-range', 'most = Pi / (2 * N)', 'most = Pi / N')", REFUTED},
        {"spoil('pe/rope-theta-range', 'return cos(x)', 'return sin(x)')", REFUTED},
        {"spoil('pe/rope-theta-range', 't, 0, Pi / 2)', 't, 0, 3 * Pi / 2)')", REFUTED},
        {"spoil('pe/rope-theta-range', '{i = {0, 63}}', '{i = {50, 63}}')", "failed"},
        {"spoil('pe/rope-theta-range', '{i = {43, 49}}', '{i = {42, 49}}')", REFUTED},
        {"spoil('pe/rope-matrix', '{{0, -θ}, {θ, 0}}', '{{0, θ}, {-θ, 0}}')", REFUTED},
        {"spoil('pe/rope-matrix', '{{0, -θ}, {θ, 0}}', '{{0, -θ}, {1, 0}}')", REFUTED},
        {"spoil('pe/rope-matrix', '{c, -s, 0, 0}', '{c, s, 0, 0}')", REFUTED},
        {"spoil('pe/rope-matrix', 'turn(n)), turn(n - m)', 'turn(n)), turn(n + m)')", REFUTED},
        {"spoil('pe/rope-matrix', 'exp(I * m * θ)', 'exp(-1 * I * m * θ)')", REFUTED},
        {"spoil('pe/rope-matrix', 'return array {{cos(θ), -sin(θ)}, {sin(θ), cos(θ)}}', 'return array {{cos(θ), -sin(θ)}, {sin(θ), -cos(θ)}}')",
         REFUTED},
        {"spoil('pe/rope-matrix', 'exp(2 * I)', 'exp(3 * I)')", REFUTED},
        {"spoil('pe/rope-elementwise', '{-x[2], x[1], -x[4], x[3]}', '{x[2], x[1], -x[4], x[3]}')", REFUTED},
        {"spoil('pe/rope-elementwise', '{-x[3], -x[4], x[1], x[2]}', '{-x[2], x[1], -x[4], x[3]}')", REFUTED},
        {"spoil('pe/rope-elementwise', '{c, c1, c, c1}', '{c, c, c1, c1}')", REFUTED},
        {"spoil('pe/rope-elementwise', '{x[1], x[3], x[2], x[4]}', '{x[1], x[2], x[3], x[4]}')", REFUTED},
        {"spoil('pe/rope-elementwise', 'sin((m - n) * θ)', 'sin((n - m) * θ)')", REFUTED},
        {"spoil('pe/rope-elementwise', 'prove(score(half, e0, e1), 0)', 'prove(score(half, e0, {0, 0, 1, 0}), 0)')",
         REFUTED},
        {"spoil('layouts', '{1, 3, 5, 7, 2, 4, 6, 8}', '{1, 2, 3, 4, 5, 6, 7, 8}')", REFUTED},
        {"spoil('layouts', 'take(one, order, 2)', 'one')", REFUTED},
        {"spoil('pe/rope-snippet', 'weight[first], weight[second]', 'weight[even], weight[odd]')", "failed"},
        {"spoil('pe/rope-snippet', 'weight[even], weight[odd])', 'weight[odd], weight[even])')", REFUTED},
        {"spoil('pe/rope-snippet', '{-X[odd], X[even]}', '{X[odd], X[even]}')", REFUTED},
        {"spoil('pe/rope-snippet', '10000 ^', '1000 ^')", REFUTED},
        {"spoil('relatives', 'on_grid(k, n, 2 * n)', 'on_grid(k, n, n)')", REFUTED},
        {"spoil('relatives', 'side = side', 'side = \"q\"')", REFUTED},
        {"spoil('relatives', 'part(k, n)', 'part(k, 2 * n)')", REFUTED},
        {"spoil('relatives', 'ζ ^ (-n / B)', 'ζ ^ (n / B)')", REFUTED},
        {"spoil('practice', 'score(5, 5, \"interleaved\")', 'score(8, 5, \"interleaved\")')", REFUTED},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_rope, close_school);
}
