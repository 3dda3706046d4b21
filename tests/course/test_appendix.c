/* What part="appendix" does: the lesson ends before it, and the tour, notebooks, pages and counts say so.
 * Sources: course/counts.lua course/step.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void it_is_marked_once_in_both_languages(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"found(text)", ""},
        {"select(2, parse.parse(text:gsub('\"appendix\"', '\"annex\"'), 'parted.lua'))",
         "parted.lua:11: part=\"annex\": wanted \"appendix\""},
        {"select(2, parse.parse('-- %% ref=\"a\" part=\"appendix\"\\nx = 1\\n', 'parted.lua'))",
         "parted.lua:1: a code cell has no part"},
        {"found((text:gsub(PART, '', 1)))",
         "parted.lua:11: ref=\"proof\" has part=\"appendix\" in the other language only"},
        {"found(text .. prose('again', '## Again', PART))",
         "parted.lua:21: part=\"appendix\": it began with ref=\"proof\" already; "
         "parted.lua:23: part=\"appendix\": it began with ref=\"proof\" already"},
        {"found(prose('one', '# Parted', PART))",
         "parted.lua:1: part=\"appendix\": a lesson cannot begin with its appendix; "
         "parted.lua:3: part=\"appendix\": a lesson cannot begin with its appendix"},
        {NULL, NULL}};
    run_cases(cases);
}

static void its_steps_are_numbered_apart_and_not_counted(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"places()", "step 1 of 2, step 2 of 2, appendix 1 of 2, appendix 2 of 2"},
        {"steps.main(steps.steps(parsed(text), 'en')), counts.of(parsed(text)).steps", "2\t2"},
        {"steps.main(steps.steps(parsed(prose('one', '# Whole')), 'en')), steps.main {}", "1\t0"},
        {NULL, NULL}};
    run_cases(cases);
}

static void the_lesson_ends_before_it_and_goes_on_for_those_who_want(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"go('', '')", "…── step 2 of 2 · Done en ──"},
        {"course.input('', 'typed')",
         "\nYou have finished the lesson. An appendix of 2 steps follows, with proofs in\n"
         "full and details: [Enter] goes on, :quit ends.\n"},
        {"saved().finished, saved().step, saved().of", "true\t2\t2"},
        {"course.input('', 'typed')", "…── appendix 1 of 2 · Proof en ──"},
        {"course.input('', 'typed')", "…── appendix 1/2 · Proof en ──"},
        {"course.input(':quit', 'typed')", "…"},
        {"saved().finished", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

static void notebooks_and_pages_say_where_it_begins(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@notebooks_and_pages_say_where_it_begins_1",
         "one-text one done-text appendix proof-text proof more-text\t"
         "one-text one done-text appendix proof-text proof more-text"},
        {"notebook.make(parsed(text), {lang = 'zh'}).cells[4].source[1]", "# 附录\n"},
        {"@notebooks_and_pages_say_where_it_begins_2", "1\ttrue\ttrue\ttrue\ttrue\ttrue"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_marked_once_in_both_languages),
        cmocka_unit_test(its_steps_are_numbered_apart_and_not_counted),
        cmocka_unit_test(the_lesson_ends_before_it_and_goes_on_for_those_who_want),
        cmocka_unit_test(notebooks_and_pages_say_where_it_begins),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
