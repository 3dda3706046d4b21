/* Pasted prompts, prompt commands.
 * Sources: repl/text.c session/ask.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "repl/text.h"

/* The inputs of text are exactly those given, ended by NULL. */
static void expect_inputs(const char *text, const char *const *inputs) {
    size_t pos = 0;
    ph_status st;
    for (; *inputs; inputs++) {
        char *got = repl_next_input(text, &pos, &st);
        assert_int_equal(st, PH_OK);
        assert_non_null(got);
        assert_string_equal(got, *inputs);
        ph_free(got);
    }
    assert_null(repl_next_input(text, &pos, &st));
    assert_int_equal(st, PH_OK);
}

#define INPUTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_plain_text_is_one_input(void **state) {
    (void)state;
    expect_inputs("x = 1", INPUTS("x = 1"));
    expect_inputs("x = (a\n> b)\n", INPUTS("x = (a\n> b)\n"));
    expect_inputs(">> 1", INPUTS(">> 1"));
    expect_inputs(">1", INPUTS(">1"));
    expect_inputs("", (const char *const[]){NULL});
}

static void test_pasted_session(void **state) {
    (void)state;
    expect_inputs("> 1 + 1", INPUTS("1 + 1"));
    expect_inputs("> for i = 1, 2 do\n>>   print(i)\n>> end\n1\n2\n> θ = 1/3\n> θ\n0.333\n",
                  INPUTS("for i = 1, 2 do\n  print(i)\nend", "θ = 1/3", "θ"));
    expect_inputs("> \n> x\n>\n>> y", INPUTS("", "x", "\ny"));
}

/* Each allocation refused in turn: a status, no text, nothing lost. */
static void test_no_memory(void **state) {
    (void)state;
    for (int session = 0; session < 2; session++) {
        size_t pos = 0;
        ph_status st;
        ph_alloc_fail_from(1);
        char *got = repl_next_input(session ? "> 1" : "1", &pos, &st);
        ph_alloc_fail_from(0);
        assert_null(got);
        assert_int_equal(st, PH_ENOMEM);
    }
}

static void expect_ask(const char *line, ses_ask ask, const char *rest) {
    const char *got;
    assert_int_equal(ses_classify(line, &got), ask);
    assert_string_equal(got, rest);
}

static void test_classify(void **state) {
    (void)state;
    expect_ask("  \t\n", ASK_BLANK, "");
    expect_ask("x?y", ASK_CODE, "x?y");
    expect_ask("::top:: goto top", ASK_CODE, "::top:: goto top");
    expect_ask(" :time on", ASK_COMMAND, "time on");
    expect_ask(": undo", ASK_COMMAND, "undo");
    expect_ask("?rope", ASK_HELP, "rope");
    expect_ask("? rope", ASK_HELP, "rope");
    expect_ask("??rope", ASK_MORE, "rope");
    expect_ask("??? decay of", ASK_SEARCH, "decay of");
    expect_ask("?", ASK_HELP, "");
    expect_ask("rope?", ASK_HELP, "rope?");
    expect_ask(" math.sin ?? ", ASK_MORE, "math.sin ?? ");
    expect_ask("x + y?", ASK_CODE, "x + y?");
    assert_int_equal(ses_asked("rope? "), 4);
    assert_int_equal(ses_asked("??"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text_is_one_input),
        cmocka_unit_test(test_pasted_session),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_classify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
