/* The lesson on proofs: it is in order, every cell runs, it shows the figures known from elsewhere, and what it says of itself
 * is true of it: its checks can fail.
 */
#include "course/school.h"

static int open_with_prelude(void **state) {
    if (open_school(state) != 0) return -1;
    const char *said = show("@prelude");
    if (*said) print_error("%s\n", said);
    return *said ? -1 : 0;
}

static void it_is_in_order_and_every_verdict_holds(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"#results, others", "0\t11"},
        {"n = 0; for _, c in ipairs(ours.cells) do n = n + (c.prose and 1 or "
         "0) end; return n, #ours.cells - n",
         "60\t33"},
        {"require('phasor.course').main('check', 'proof', '--strict')",
         "0 claims checked: 0 hold, 0 failed; 11 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* cos 710 and its neighbours, the integral (0.18769064251177899887: mpmath, 30 digits) and the error of the adaptive rule
 * (NumPy: 0.34526530 after 1261 values) were computed elsewhere. The number of mutants is the prover's own. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {
        "1000000 of 1000000 samples agree",
        "refuted: t = -11/2: left side 0.70862724, right side 0.70866977",
        "1000000 of 1000000 samples pass",
        "refuted: x = 5592405/16777216: left side 3.552713679e-15, right side\n    1.000000000e-14",
        "0.345265, wanted to 0.001, after 1261 values",
        "integral      0.18769064251177899887 ",
        "closed form   0.18769064251177899887 ",
        "off by 0.158, 158 times its tolerance",
        "unknown: outside the theory: ",
        "unknown: out of budget: ",
        "unknown: undefined: ",
        "b = 0             caught 2 of 5",
        "mean not large    caught 0 of 5",
        "seen to be small  caught 5 of 5",
        "37 mutants: 35 refuted, 2 equivalent",
        "4i sin(a+b)            +2 z^1 w^1  -2 z^-1 w^-1",
        "left - right           0",
        "for all lengths by the general summand",
        "induction over n",
        "The end of this lesson"};
    const char *walked = show("lesson 'proof'");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!strstr(walked, figures[i])) fail_msg("not shown: %s", figures[i]);
    assert_null(strstr(walked, "this step failed"));
    assert_null(strstr(walked, "warning:"));
    reads_to_its_end_in_chinese("proof");
}

#define REFUTED "failed refuted"

static void no_verdict_holds_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('integral', 'closed = enclose((Ci(x) - Ci', 'closed = enclose((Ci(x) + Ci')", "error"},
        {"spoil('integral', 'derivative(-Ci', 'derivative(Ci')", REFUTED},
        {"spoil('integral', 't), cos(x * b^(-t)),', 't), sin(x * b^(-t)),')", REFUTED},
        {"spoil('ladder', 'sin(points)^2 + cos(points)^2', 'sin(points)^2 - cos(points)^2')", REFUTED},
        {"spoil('ladder', 'certify(eq(sin(x)^2 + cos(x)^2, 1)', 'certify(eq(sin(x)^2 + cos(x)^2, rat(999, "
         "1000))')",
         REFUTED},
        {"spoil('ladder', 'prove(sin(x)^2 + cos(x)^2, 1)', 'prove(sin(x)^2 - cos(x)^2, 1)')", REFUTED},
        {"spoil('all-mutants', 'prove(sin(a + b)', 'prove(sin(a - b)')", REFUTED},
        {"spoil('complete', 'verdict = prove(sin(a + b)', 'verdict = prove(cos(a + b)')", REFUTED},
        {"spoil('lengths', 'sum(cos(k * θ[i]), i', 'sum(cos(t * θ[i]), i')", REFUTED},
        {"spoil('lengths', 'sum(cos(i * x), i, 0, n - 1),', 'sum(cos(i * x), i, 0, n),')", REFUTED},
        {"spoil('ladder', '20 * rand', '20 * rand')", "holds measured"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_in_order_and_every_verdict_holds),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_verdict_holds_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
