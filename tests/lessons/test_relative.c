/* The lesson on relative positions: it is in order, every cell runs, its claims are settled, it shows the figures known from
 * elsewhere, and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_relative(void **state) { return open_lesson(state, "relative"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "pe/four-terms holds proved, pe/shaw holds measured, pe/t5-bias holds certified, "
         "pe/deberta mended measured, pe/relative-toeplitz holds proved, "
         "pe/transformer-xl mended proved, pe/xl-relshift holds measured, pe/relative-snippet-1 mended measured, "
         "pe/relative-snippet-2 mended measured"},
        {"mutants_decided(), others", "4\t22"},
        {"course.main('check', 'relative', '--strict')",
         "…9 claims checked: 5 hold, 4 mended, 0 failed; 22 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* The buckets of T5 by hand: 23/8 = 16^(3.05/8), so 23 begins bucket 11; 113/16 = 8^(15.04/16), so 113 begins bucket 31. The
 * slopes of 12 heads are 2^-1 … 2^-8 and every second one of 2^(-h/2); 641 distinct biases are counted in test_order. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"[23, 31]; 9 boxes",
                                          "certified for all integer n in [113, 127]",
                                          "\n  3  0  4\n",
                                          "off by sin 1/√2: measured: max deviation",
                                          "0.707107    0.353553    0.176777    0.0883883",
                                          "different biases of 2048 in bf16: 641",
                                          "CoPE, equal words:         entries differ by up to 0\n",
                                          "0.333333  0.25",
                                          NULL};
    shows_figures("relative", figures);
}

static void what_is_proved_is_what_the_functions_do(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@then_forms", ""},
        {"then_forms('T.a[j - i]', 'T.a[i - j]')", "holds, then failed"},
        {"then_forms('T.near[i - j]', 'T.near[j - i]')", "holds, then failed"},
        {"then_forms('sin(t) +', 'cos(t) +')", "holds, then failed"},
        {"then_forms('T.k + T.β[j - i]', 'T.k - T.β[j - i]')", "holds, then failed"},
        {"then_forms('abs(i - j)', '(i - j)')", "holds, then failed"},
        {"then_forms('T.q', 'T.q')", "holds, then holds"},
        {NULL, NULL}};
    run_cases(cases);
}

static const school_case spoiled[] = {
    {"spoil('pe/four-terms', 'part(xi, pj) +', 'part(pj, xi) +')", REFUTED},
    {"spoil('pe/four-terms', 'form(xi + pi_, xj + pj)', 'form(xi + pi_, xj - pj)')", REFUTED},
    {"spoil('pe/four-terms', 'matmul(b, WK).T', 'matmul(b, WQ).T')", REFUTED},
    {"spoil('pe/shaw', 'a, s = table[clipped(j - i, K)', 'a, s = table[clipped(i - j, K)')", REFUTED},
    {"spoil('pe/shaw', 'math.min(t, K)', 'math.min(t, K - 1)')", REFUTED},
    {"spoil('pe/shaw', 's / math.sqrt(d)', 's / d')", REFUTED},
    {"spoil('pe/shaw', '(v[j] + a)', 'v[j]')", REFUTED},
    {"spoil('pe/shaw', '(n - K)', '(n - K + 1)')", REFUTED},
    {"spoil('pe/transformer-xl', 'prove(grown, c * old - new)', 'prove(grown, c * old - c * new)')", REFUTED},
    {"spoil('pe/transformer-xl', '-WQ(1, 2)}', 'WQ(1, 2)}')", REFUTED},
    {"spoil('pe/transformer-xl', 'one, I2 = matrix {{1, 0}, {0, 0}}', 'one, I2 = matrix {{1, 0}, {0, "
     "1}}')",
     REFUTED},
    {"spoil('pe/transformer-xl', 'prove(old, new)', 'prove(new, new)')", "failed"},
    {"spoil('pe/xl-relshift', 'P(i, n - (i - j))', 'P(j, n - (i - j))')", REFUTED},
    {"spoil('pe/xl-relshift', 'array{2, 1, 0}', 'array{0, 1, 2}')", REFUTED},
    {"spoil('pe/xl-relshift', 'direct(i, j) -', 'direct(i, j) +')", REFUTED},
    {"spoil('pe/xl-relshift', 'S(1, 3) - P(2, 1)', 'S(1, 3) - P(1, 1)')", REFUTED},
    {"spoil('pe/xl-relshift', 'concat({zeros(3, 1), P}, 2)', 'concat({P, zeros(3, 1)}, 2)')", REFUTED},
    {"spoil('pe/deberta', 'or t >= K and 2 * K - 1', 'or t >= K and 2 * K - 2')", REFUTED},
    {"spoil('pe/deberta', 'and δ(j - i)', 'and δ(i - j)')", REFUTED},
    {"spoil('pe/deberta', 'math.sqrt(3 * d)', 'math.sqrt(d)')", REFUTED},
    {"spoil('pe/deberta', 'matmul(R, matmul(WK.T, x.T))', 'matmul(matmul(R, WK), matmul(WK.T, x.T))')",
     "failed"},
    {"spoil('pe/t5-bias', 'ge(inside, 0)', 'gt(inside, 0)')", REFUTED},
    {"spoil('pe/t5-bias', 'edge(k + 1) - 1', 'edge(k) - 1')", REFUTED},
    {"spoil('pe/t5-bias', 'rat(ratio) ^ k', 'rat(ratio + 1) ^ k')", REFUTED},
    {"spoil('pe/t5-bias', '{direction = direction}', '{direction = direction, max_distance = 127}')",
     REFUTED},
    {"spoil('pe/t5-bias', 'bucket[{ {1, exact} }]', 'bucket[{ {2, exact + 1} }]')", REFUTED},
    {"spoil('pe/t5-bias', 'certified(8, \"both\"', 'certified(8, \"causal\"')", REFUTED},
    {"spoil('pe/t5-bias', 'both\" - 16', 'both\" - 15')", REFUTED},
    {"spoil('pe/t5-bias', '\"both\"})[1])', '\"both\"})[1] * range(1, 200))')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'a[j - i]', 'a[j]')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'local t = (i - j) * T', 'local t = (i + j) * T')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'far[j - i]', 'far[j + i]')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'β[j - i]', 'β[j * i]')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'abs(i - j)', 'abs(i + j)')", REFUTED},
    {"spoil('pe/relative-toeplitz', '(ψ[i] - ψ[i + 1])', '(ψ[i] + ψ[i + 1])')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'ψ[i - j] / ψ[i]', 'ψ[i - j]')", REFUTED},
    {"spoil('pe/relative-toeplitz', 'γ[i + 1] - γ[j]', 'γ[i + 1] - γ[i]')", REFUTED},
    {"spoil('diagonals', '{ {1, 512}, {1, 512} }', '{ {1, 514}, {1, 514} }')", REFUTED},
    {"spoil('diagonals', 'constant(name, scores[name])', 'constant(name, scores[name] * range(1, 600))')",
     REFUTED},
    {"spoil('pe/relative-snippet-1', 'range(0, n - 1) - column(n)', 'column(n) - range(0, n - 1)')", REFUTED},
    {"spoil('pe/relative-snippet-1', 'minimum(distance, K)', 'minimum(distance, K - 1)')", REFUTED},
    {"spoil('pe/relative-snippet-1', '* aV, 2)', '* aK, 2)')", REFUTED},
    {"spoil('pe/relative-snippet-1', 'column(nq) - column(nk)', 'column(nq) - range(0, nk - 1)')", "failed"},
    {"spoil('pe/relative-snippet-1', 'matmul(α, v) - shaw', 'shaw_values(α, v, tv) - shaw')", "failed"},
    {"spoil('pe/relative-snippet-1', 'randn(g, 2 * MAX - 1, d)', 'randn(g, 2 * MAX + 2, d)')", "failed"},
    {"spoil('pe/relative-snippet-2', 'outer(inverse, position_ids)', 'sin(outer(inverse, "
     "position_ids))')",
     "failed"},
    {"spoil('pe/relative-snippet-2', '(zeros(L, hidden), L, H, hidden)', '(zeros(L, hidden), L, H, 1, "
     "hidden)')",
     "failed"},
    {"spoil('pe/relative-snippet-2', '{sin(angles), cos(angles)}', '{cos(angles), sin(angles)}')", REFUTED},
    {"spoil('pe/relative-snippet-2', 'tril(rel_shift(products))', 'tril(products)')", REFUTED},
    {"spoil('pe/relative-snippet-2', '2) / hidden)', '2) / (hidden - 2))')", REFUTED},
    {"spoil('practice', 'alibi_slopes(12)', '2 ^ (-8 * range(1, 12) / 12)')", REFUTED},
    {"spoil('practice', '\"bf16\")', '\"f16\")')", REFUTED},
    {"spoil('practice', 'bias = nope(4)', 'bias = nope(4)[1]')", REFUTED},
    {"spoil('forms', 'forms[name](T, i, j)', 'forms[name](T, j, i)')", REFUTED},
    {"spoil('forms', 'column(far), column(near)', 'column(near), column(far)')", REFUTED},
    {"spoil('forms', 'v = v1(1)', 'v = u1(1)')", REFUTED},
    {"spoil('forms', 'slope = alibi_slopes(1)(1)', 'slope = 1')", REFUTED},
    {"spoil('forms', 'exp(-y(i, 1)', 'exp(y(i, 1)')", REFUTED},
    {NULL, NULL}};

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    run_cases(spoiled);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(what_is_proved_is_what_the_functions_do),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_relative, close_school);
}
