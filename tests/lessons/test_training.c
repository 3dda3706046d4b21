/* The lesson on trained models: it is in order, every cell runs, what it trains and what it reads from shipped results are as it says, and
 * none of its checks passes when it is spoiled.
 */
#include "study.h"

static int open_training(void **state) { return open_lesson(state, "training"); }

static void it_is_in_order_and_every_cell_runs(void **state) {
    (void)state;
    static const school_case cases[] = {{"table.concat(linter.lint(ours, ledger), '; ')", ""},
                                        {"table.concat(messages, '; ')", ""},
                                        {"others", "10"},
                                        {NULL, NULL}};
    run_cases(cases);
}

/* The first losses are those of guessing: ln 8 = 2.079, a random model a little above. */
static void it_trains_in_front_of_the_reader(void **state) {
    (void)state;
    static const char *const figures[] = {"step   1  loss 2.", "step 161  loss 0.0", "length 64",
                                          "baseline         1.30", NULL};
    shows_figures("training", figures);
}

static void no_check_passes_when_it_is_spoiled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('train', 'step % 40 == 1 then', 'step == 20 then break elseif step % 40 == 1 then')",
         REFUTED},
        {"spoil('inside', '{{}, {4, 4}}', '{{}, {3, 3}}')", REFUTED},
        {"spoil('stretch', '\"1.50\"', '\"1.51\"')", REFUTED},
        {"spoil('stretch', 'mean(array(R:values \"ntk128\")) - min', 'mean(array(R:values \"pi128\")) - min')",
         REFUTED},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_in_order_and_every_cell_runs),
        cmocka_unit_test(it_trains_in_front_of_the_reader),
        cmocka_unit_test(no_check_passes_when_it_is_spoiled),
    };
    return cmocka_run_group_tests(tests, open_training, close_school);
}
