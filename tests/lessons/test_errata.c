/* The lesson on errata: it is in order, every cell runs, it counts as the ledger does, and none of its checks passes when its
 * formula is spoiled. Its claims are settled in the lessons it names.
 */
#include "study.h"

static int open_errata(void **state) { return open_lesson(state, "errata"); }

static void every_verdict_holds(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"#results, others", "0\t16"},
        {"course.main('check', 'errata', '--strict')",
         "…0 claims checked: 0 hold, 0 failed; 16 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Python: sum(cos(k 10000^(-i/32))) / 32 is .2839 at k = 128 and .5624 at 847603. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"101 statements: 68 hold, 28 errata, 5 about trained models",
                                          "at 128: 0.284   at 847603: 0.562",
                                          "refuted: k = 37/7, t = -11/2",
                                          "i = 2: rows 4 and 5; the last is 3",
                                          "sin and cos differ by 1.4142",
                                          NULL};
    shows_figures("errata", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('why', 'open - 5', 'open - 6')", REFUTED},
        {"spoil('why', 'c.stance] or 0) + 1', 'c.stance] or 1) + 1')", REFUTED},
        {"spoil('kinds', '\"pe/pair-index\", ', '')", REFUTED},
        {"spoil('kinds', '\"su/decay\", ', '\"su/decay\", \"pe/pi\", ')", REFUTED},
        {"spoil('kinds', '\"su/decay\", ', '\"su/decay\", \"pe/deberta\", ')", REFUTED},
        {"spoil('ends', '(-2 * i / (dim - 2))', '(-2 * i / dim)')", REFUTED},
        {"spoil('ends', '(-2 * i / (dim - 2))', '(2 * i / (dim - 2) - 1)')", REFUTED},
        {"spoil('premise', '{k, 1}}', '{0, 1}}')", REFUTED},
        {"spoil('premise', '1 + t^2 + t * k', '1 + t * k')", REFUTED},
        {"spoil('premise', '{-sin(k * θ), cos(k * θ)}', '{sin(k * θ), cos(k * θ)}')", REFUTED},
        {"spoil('premise', 'matrix {sin(t * θ), cos(t * θ)}', 'matrix {1, t * θ}')", REFUTED},
        {"spoil('picture', 'rat(28, 100)', 'rat(29, 100)')", REFUTED},
        {"spoil('picture', 'exact(847603)', 'exact(847600)')", REFUTED},
        {"spoil('picture', 'rat(10000) ^', 'rat(1000) ^')", REFUTED},
        {"spoil('run', 'pcall(score, 6, 4)', 'pcall(score, 6, 6)')", REFUTED},
        {"spoil('practice', 'left = sin(x)^2 + cos', 'left = sin(x)^2 - cos')", REFUTED},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_holds),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_errata, close_school);
}
