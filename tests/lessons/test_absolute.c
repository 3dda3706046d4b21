/* The lesson on learned positions: it is in order, every cell runs, its claims are settled, it shows the figures known from
 * elsewhere, and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_absolute(void **state) { return open_lesson(state, "absolute"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told(), others", "pe/absolute-lookup holds measured, pe/absolute-snippet mended measured, "
                           "sa/learned-flexible holds measured, "
                           "sa/learned-no-extrapolation holds measured, su/learned-beats-sinusoidal measured "
                           "measured, su/embedding-covariance measured "
                           "measured\t1"},
        {"course.main('check', 'absolute')",
         "…6 claims checked: 3 hold, 2 measured in runs, 1 mended, 0 failed; "
         "1 other verdict holds; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* 512 rows of 768 numbers; RoBERTa's 514 rows serve 512 words from place 2; 1/sqrt(3999). */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"parameters: 393216, and for sinusoids: 0",
                                          "512 words from place 2: 512 rows",
                                          "position 514 is not in the table", "1/sqrt(n-1) = 0.0158", NULL};
    shows_figures("absolute", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"l = 'pe/absolute-lookup'", ""},
        {"spoil(l, 'range(0, N - 1)), 1, 0)', 'range(1, N)), 1, 0)')", REFUTED}, /* counted from 1 */
        {"spoil(l, '1, 0)', '1, 0.5)')", REFUTED},
        {"spoil(l, 'refuses(P, array{t}, t)', 'refuses(P, array{t % N}, t)')", REFUTED}, /* comes round */
        {"spoil(l, 'refuses(P, array{t}, t)', 'refuses(P, minimum(array{t}, N - 1), t)')",
         REFUTED}, /* stays at the end */
        {"spoil(l, '(\"position %d is not in the table\"):format(t)', '(\"position %d is not in the "
         "table\"):format(t + 1)')",
         REFUTED},
        {"s = 'pe/absolute-snippet'", ""},
        {"spoil(s, 'do position_embedding = position_embedding(names', 'do local _ = position_embedding(names')",
         "failed"}, /* not overwritten */
        {"spoil(s, 'as_written, \"position_id\")', 'function() end)')", "failed"},
        {"spoil(s, 'out[batch] = X + position_embedding(position_ids)', 'out[batch] = "
         "position_embedding(position_ids)')",
         REFUTED},
        {"spoil(s, 'X + position_embedding(position_ids)', 'X + position_embedding(position_ids + 1)')",
         REFUTED},
        {"spoil(s, 'embedding(P)\\nlocal function', 'embedding(-P)\\nlocal function')", REFUTED},
        {"f = 'sa/learned-flexible'", ""},
        {"spoil(f, '(take(P, places + 1) - y)^2) / 2', '(take(P, places + 1) - y)^2)')", REFUTED},
        {"spoil(f, '(take(P, places + 1) - y)^2) / 2', '(take(P, places + 1) - y)^2) / 2 + sum(P)')",
         REFUTED}, /* rows tied */
        {"spoil(f, 'array{7, 0, 3}, randn(g, 3, d)', 'array{7, 0, 7}, randn(g, 3, d)')",
         REFUTED}, /* a place twice */
        {"spoil(f, '= P[places(i) + 1] - y[i]', '= y[i] - P[places(i) + 1]')", REFUTED},
        {"spoil(f, 'take(P - gradient, ', 'take(P - 2 * gradient, ')", REFUTED},
        {"e = 'sa/learned-no-extrapolation'", ""},
        {"spoil(e, 'refuses(randn(g, T, 4), T + 1, T)', 'refuses(randn(g, T, 4), T, T)')", REFUTED},
        {"spoil(e, 'array{T - 1}) - table[{ {T, T}, {} }]', 'array{0}) - table[{ {T, T}, {} }]')", REFUTED},
        {"spoil(e, 'refuses(randn(g, T, 4), T + 1, T)', 'refuses(randn(g, T, 4), T + 1, T + 1)')", REFUTED},
        {"spoil('trained', 'X - mean(X, 1)', 'X')", REFUTED}, /* not centred */
        {"spoil('trained', '- sum(on * on)', '')", REFUTED},
        {"spoil('trained', 'randn(g, n, wide) + 3', 'matmul(randn(g, n, wide), mixing(0.1))')",
         REFUTED}, /* not independent */
        {"for _, id in ipairs {l, s, f, e, 'trained'} do local o = run_with(cell_of(id), "
         "cell_of(id).code).outcome\n"
         "  assert(o == 'holds' or o == 'mended', id) end",
         ""},
        {NULL, NULL}};
    run_cases(cases);
}

/* What needs a model's data is settled as soon as there is some, either way. */
static void what_needs_data_is_settled_by_it(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"c = 'su/embedding-covariance'", ""},
        {"given = 'randn(rng(1), 4000, 32), 0.1 * randn(rng(2), 512, 32)'", ""},
        {"spoil(c, 'trained()', given)", "holds"},
        {"spoil(c, 'trained()', (given:gsub('0.1', '1.1')))", REFUTED}, /* positions longer than words */
        {"spoil(c, 'trained()', (given:gsub('32%), 0', '32) + randn(rng(3), 4000, 1), 0')))",
         REFUTED}, /* not diagonal */
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
        cmocka_unit_test(what_needs_data_is_settled_by_it),
    };
    return cmocka_run_group_tests(tests, open_absolute, close_school);
}
