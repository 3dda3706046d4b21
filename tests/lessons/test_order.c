/* The lesson on order: it is in order, every cell runs, its claims are settled, it shows the figures known from elsewhere, and
 * none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_order(void **state) { return open_lesson(state, "order"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()", "sa/identity-qkv holds proved, sa/no-order holds proved, su/symmetry mended measured, "
                   "su/break-symmetry "
                   "holds certified, sa/add-positions holds certified, sa/add-to-inputs mended proved, "
                   "su/relative-meaning mended proved"},
        {"mutants_decided(), others", "7\t6"},
        {"course.main('check', 'order', '--strict')",
         "…7 claims checked: 4 hold, 3 mended, 0 failed; 6 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* 641 positions and the orders of six words are counted by hand; the output of word 1 at place 1 is
 * (3 e^2 + e)/(e^2 + e) by paper and pencil, at place 2 (3*0 + 4 e^6)/(1 + e^6). */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"bf16 keeps 641 of 2048 positions", "(720 samples)",
                                          "word 1 at place 1, x = (1, 0): 2.46212",
                                          "word 1 at place 2, x = (1, 0): 3.99011", NULL};
    shows_figures("order", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('sa/identity-qkv', 'A - A.T', 'A + A.T')", REFUTED},
        {"spoil('sa/identity-qkv', 'sum(y[c] * x[c]', 'sum(y[c] * x[c + 1]')", REFUTED},
        {"spoil('sa/no-order', 'b + t + s', 'b + t + t')", REFUTED},
        {"spoil('sa/no-order', 'matmul(P, layer(X, Q, K, V))', 'layer(X, Q, K, V)')", REFUTED},
        {"spoil('sa/no-order', 'a(i, 1) * v(1, c), a(i, 1)', 'a(i, 1) * v(1, c), a(1, 1)')", REFUTED},
        {"spoil('sa/no-order', 'rows[i][c] = top / bottom', 'rows[i][c] = top * bottom')", REFUTED},
        {"spoil('sa/no-order', 'take(Y, o, 1)', 'Y')", REFUTED},
        {"spoil('su/symmetry', 'out(1) + out(2) + out(3)', 'out(1) + out(2) - out(3)')", REFUTED},
        {"spoil('su/symmetry', 'mean(reading(take(X, o, 1)), 1)', 'reading(take(X, o, 1))[1]')", REFUTED},
        {"spoil('su/symmetry', 'local reader = a + 2 * b', 'local reader = a + b')", "failed"},
        {"spoil('su/break-symmetry', 'total(x2 + 0, x1 + 1)', 'total(x2 + 1, x1 + 0)')", REFUTED},
        {"spoil('su/break-symmetry', 'total(x1 + p, x2 + p)', 'total(x1 + p, x2 + 2 * p)')", REFUTED},
        {"spoil('sa/add-positions', 'output(matrix{x(2), x(1)}, matrix{0, 1}, 2)', 'output(matrix{x(2), "
         "x(1)}, "
         "matrix{1, 0}, 2)')",
         REFUTED},
        {"spoil('sa/add-to-inputs', 'matmul(x, W) + matmul(p, W)', 'matmul(x, W) - matmul(p, W)')", REFUTED},
        {"spoil('su/relative-meaning', '{-sin(k * θ), cos(k * θ)}', '{sin(k * θ), cos(k * θ)}')", REFUTED},
        {"spoil('su/relative-meaning', 'cis(k * θ2)', 'cis(k * θ)')", "failed"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_order, close_school);
}
