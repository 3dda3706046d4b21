/* Arguments that are one of some words: Tab offers what help and errors list.
 * Sources: lib/offers.lua lib/option_words.lua */
#include "lab.h"

static void every_word_of_the_help_is_offered(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@every_word_of_the_help_is_offered", "\ttrue"}, {NULL, NULL}};
    lab_run(cases);
}

static void every_word_that_is_offered_is_taken(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@every_word_that_is_offered_is_taken", "\t34"}, {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_of_the_help_is_offered),
                                       cmocka_unit_test(every_word_that_is_offered_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
