/* Lessons as notebooks, and `check "lesson/ref"`, which tries the values that stand in one.
 * Sources: course/notebook.lua course/selfcheck.lua lib/json.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void what_a_notebook_holds(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"teacher.nbformat, teacher.nbformat_minor, teacher.metadata.kernelspec.name, student.metadata.kernelspec.name",
         "4\t5\tphasor\tphasor-zh"},
        {"#teacher.cells == #student.cells", "true"},
        {"source(teacher, 'rotate-check')", "check \"rotate\""},
        {"source(teacher, 'peak-check')", "check \"rope/peak\""}, /* another lesson has such a ref too */
        {"source(teacher, 'rotate-answer'):find('BEGIN SOLUTION') ~= nil", "true"},
        {"source(student, 'rotate-answer')", "function rotated(x, angle)\n  -- 你的答案\nend"},
        {"source(student, 'rotate-hint'):find('<summary>提示 1</summary>', 1, true) ~= nil", "true"},
        {"source(student, 'wish-text'):find('# 旋转位置编码', 1, true)", "1\t20"},
        {"json.read(json.write(student), true) ~= nil", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

/* An id is nbformat's, and stands once; what is graded is locked and has points, what is answered is neither. */
static void ids_and_metadata(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@ids_and_metadata", ""},
        {"m = cell(student, 'rotate-check').metadata.nbgrader; "
         "return m.schema_version, m.grade, m.points, m.locked, m.solution, m.task, m.grade_id",
         "3\ttrue\t2\ttrue\tfalse\tfalse\trotate-check"},
        {"m = cell(student, 'rotate-answer').metadata.nbgrader; return m.grade, m.points, m.locked, m.solution",
         "false\tnil\tfalse\ttrue"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A class that has nbgrader make the students' notebooks of the teachers' gets those that are committed. */
static void what_nbgrader_makes_of_them(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@cleared_by_nbgrader", ""}, {"answers > 2 * 32", "true"}, {NULL, NULL}};
    run_cases(cases);
}

static void answers_that_stand_in_the_notebook(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"check 'rope/rotate'", "…error: `rotated` is not defined yet: that is what is asked for."},
        {"function rotated(x, angle) end", ""},
        {"check 'rope/rotate'", "…error: "},
        {"load(table.concat(cell(teacher, 'rotate-answer').source))()", ""},
        {"check 'rope/rotate'", "Right.\n"},
        {"check('rope/rotate', '--lang=zh')", "正确。\n"},
        {"turn = nil inner = 7 check 'rope/rotate'",
         "Right.\n"}, /* the lesson's own names are not the notebook's */
        {"check 'rope/peak'", "…error: `waiting` is not defined yet"},
        {"check 'rope/rotate'", "Right.\n"}, /* an earlier one, after a later one */
        {"check 'rope/peek'",
         "…error: check: lesson \"rope\" has no exercise \"peek\"; did you mean `peak`?"},
        {"check 'nosuch/peak'", "…error: "},
        {"check 'rotate'", "Right.\n"}, /* a ref that one lesson has */
        {"check 'peak'", "…error: check: an exercise \"peak\" is in"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_notebook_holds),
        cmocka_unit_test(ids_and_metadata),
        cmocka_unit_test(what_nbgrader_makes_of_them),
        cmocka_unit_test(answers_that_stand_in_the_notebook),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
