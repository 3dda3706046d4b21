/* Streams and tasks: every batch is held against what the task says in words, by loops of its own; the same seed gives the same batch.
 * Sources: train/data.lua */
#include "lua/lab.h"

static void tasks_ask_for_what_they_say(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"@tasks_ask_for_what_they_say_1", "0"},
        {"@tasks_ask_for_what_they_say_2", "true"},
        {"@tasks_ask_for_what_they_say_3", "0"},
        {"@tasks_ask_for_what_they_say_4", "0"},
        {"@tasks_ask_for_what_they_say_5", "0"},
        {"@tasks_ask_for_what_they_say_6", "0"},
        {"@tasks_ask_for_what_they_say_7", "0"},
        /* two numbers of 3 digits, the lowest first: what is asked for is the sum modulo 1000 */
        {"@tasks_ask_for_what_they_say_8", "0"},
        {"@tasks_ask_for_what_they_say_9", "all"},
        {NULL, NULL}};
    lab_run(cases);
}

static void streams_follow_their_text(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"data = corpus{text = ('to be or not to be '):rep(30), hold = 0.2}\nreturn data.vocab, text_of(data.tokens):sub(1, 9), data.size, data.held.size",
         "7\t  o t b e\t456\t114"},
        /* every target is the token behind its place, and every window stands in the text */
        {"@streams_follow_their_text_1", "0\tnil"},
        {"data = corpus{text = ('To be, or not. '):rep(20), unit = 'words', most = 3}\nreturn data.vocab, text_of(data.tokens)",
         "4\t, . To <other>"},
        {"data = corpus{text = ('αβγ '):rep(20)}\nreturn data.vocab, data.tokens[2]", "4\tα"},
        /* a masked stream: what is asked for is what stood there, and most of it is behind the mask */
        {"@streams_follow_their_text_2", "9\t0\ttrue\ttrue"},
        {"corpus().vocab > 30, corpus().held.size > 5000", "true\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_data_is_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"task('sorting')",
         "error: t:1: task: name is the string \"sorting\"; wanted one of addition, copy, induction, offset, parity, passkey, sort"},
        {"task{name = 'copy', vocab = 1}", "error: t:1: task: vocab is 1; wanted an integer of at least 2"},
        {"task{name = 'copy', vcab = 1}", "error: t:1: task: unknown option 'vcab'; did you mean 'vocab'?"},
        {"corpus{file = 'none.txt'}",
         "error: t:1: corpus: none.txt: cannot be opened: No such file or directory"},
        {"corpus{text = 'abc'}", "error: t:1: corpus: 3 tokens; wanted 20 or more"},
        {"corpus{text = ('abc'):rep(20), mask = 2}",
         "error: t:1: corpus: mask is 2; wanted a share between 0 and 1"},
        {"corpus{text = ('abc'):rep(20), hold = 1}",
         "error: t:1: corpus: hold is 1; wanted a share from 0, below 0.9"},
        {"corpus{text = ('abc'):rep(20), unit = 'bytes'}",
         "error: t:1: corpus: unit is the string \"bytes\"; wanted \"characters\" or \"words\""},
        {"pcall(task('copy').batch, 3, 1, 8)", "false\tt:1: copy: g is 3; wanted a generator, rng(seed)"},
        {"pcall(task('copy').batch, rng(1), 1e6, 64)",
         "false\tt:1: copy: a batch of 1000000 by 64 tokens; wanted at most 16777216"},
        {"pcall(task('addition').batch, rng(1), 1, 5)",
         "false\tt:1: task: addition wants a length of at least 6, not 5"},
        {"pcall(corpus{text = ('abc'):rep(20)}.batch, rng(1), 1, 500)",
         "false\tt:1: corpus: T is 500, and the text has 54 tokens"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_ask_for_what_they_say),
        cmocka_unit_test(streams_follow_their_text),
        cmocka_unit_test(bad_data_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
