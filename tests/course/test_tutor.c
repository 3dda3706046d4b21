/* A lesson with a student at the prompt, from input to input: what they are shown, what they can break (nothing), what is
 * kept between sessions, and what they hand in.
 * Sources: course/commands.lua course/handin.lua course/marks.lua course/progress.lua course/tutor.lua course/variables.lua session/disk.c */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

#define TWICE "function twice(x) return 2 * x end"

static void a_lesson_is_worked_through(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"go()", "…── step 1 of 5 · Tutored x ────────────────────────────────────────\n\n"
                 "First words.\n\n  │ A = array{1, 2, 3}"},
        {"again ''", "…sum 6.0\n12"},
        {"again ''", "…── step 2 of 5"},
        {"again ':show'", "…  │ function twice(x)\n  │   -- …\n  │ end\n"},
        {"again ''", "…Nothing to check yet"},
        {"again 'function twice(x) return x * x end'", ""},
        {"again 'twice(5)'", "25"},
        {"again 'twice(5);'", ""},
        {"again ''", "✗ That squares.\n"},
        {"again ''", ":check when you have it, :hint for a hint; :help lists the rest\n"},
        {"again(':hint', ':hint', ':hint')",
         "Hint 1 of 2:\nThink of 2x.\nHint 2 of 2:\nAdd.\nThat was the last hint. :solution shows the "
         "solution.\n"},
        {"again(':check', 'function twice(x) return x end', ':check')",
         "✗ That squares.\n✗ twice(1) is 1: it is half the right value.\n"},
        {"again('" TWICE "', ':check')", "…✓ Right.  2 of 3 points so far in this lesson\n"},
        {"again ''", "…── step 3 of 5"},
        {"again ''", "…48.0"},
        {"again('', 'given')", "…10"},
        {"again('answer = 20', '')", "…✗ answer is 20: it is too small.\n"},
        {"again('answer = 30', '')", "…✓ Right.  3 of 3 points"},
        {"again('', '')",
         "…That is all.\n\n\nThe end of this lesson. Its variables are yours: go on playing.\n3 of 3 points"},
        {"twice(4), answer, result", "8\t30\t48.0"},
        {"s = saved(); return s.finished, s.exercises.double.state, s.exercises.double.attempts, "
         "s.exercises.double.hints, s.exercises.double.points",
         "true\tright\t4\t2\t2"},
        {"again 'x'", ""}, /* no lesson is open */
        /* once more: it begins anew and stays finished; left on the way, it goes on there */
        {"go()", "…── step 1 of 5"},
        {"again(':quit'); s = saved(); return s.finished, s.step, s.exercises.double.points", "…true\t1\t2"},
        {"go('', '', ':quit'); s = saved(); return s.finished, s.step", "…true\t2"},
        {"go()", "…── step 2 of 5"},
        {"again ':quit'", "…"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Whatever the student does to variables, libraries or the laboratory, the lesson's cells give what they should. */
static void nothing_breaks_the_lesson(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"fresh()", "…"},
        {"go('', '', 'A[{1}] = 100; list[1] = 100; sum = 3; math.floor = nil; string.format = nil; table = nil')",
         "…"},
        {"again '" TWICE "'", "…"},
        {"again 'error(\"oh\")'", "…error: oh"},
        {"again 'x = = 1'", "…error: "},
        {"again ':check'", "…✓ Right."},
        {"again('', '')", "…48.0"},
        {"A = 7; again ':back'", "…step 2 of 5"},
        {"again 'A'", "…100"},
        {"again(':reset', 'A(1)')", "Your answer is forgotten; begin anew.\n1.0"},
        {"again(':play', 'A = nil', 'twice = 3', 'twice')", "…3"},
        {"again ':play'", "Back in the lesson; everything is as it was.\n"},
        {"again('A(1)', 'twice ~= nil')", "1.0true"},
        {"again ('function twice() while true do pcall(error) end end')", ""},
        {"again('os.exit(3)')", ""}, /* unwinds the input, no more */
        {"again ':reset'", "…forgotten"},
        {"again(':skip', '', '')", "…Skipped; the lesson's own variables are in place."},
        {"again 'twice(8)'", "16"},
        {"again ':go'", "…no command :go here"},
        {"again ':hnt'", "…:quit; did you mean `:hint`?"},
        {"again(':back', ':back', ':back', ':back', ':back', ':back')", "…this is the first step"},
        {"again ':hint'", ":hint is for exercises; this step has none\n"},
        {"again ':help'", "…:solution "},
        {"session.settings.columns = 46; again ':help'",
         "…\n  :reset         forgets what you typed here;\n                 :reset all begins the lesson\n"
         "                 anew\n  :show "},
        {"again ':quit'", "…your place is saved"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_was_skipped_is_reviewed(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"fresh()", "…"},
        {"go('', '', ':skip', '', '', ':skip')", "…step 5 of 5"},
        {"again ''",
         "…Skipped: step 2 (exercise double), step 4 (exercise own).\n[Enter] goes back to what was "
         "skipped; :quit leaves.\n"},
        {"again ':hint'", "[Enter] goes back to what was skipped; :quit leaves.\n"},
        {"again ''", "…step 2 of 5"},
        {"again('" TWICE "', '')", "…✓ Right.  2 of 3 points so far in this lesson\n"},
        {NULL, NULL}};
    run_cases(cases);
    static const school_case more[] = {
        {"again ''", "…step 4 of 5"},
        {"again ':solution'", "…  │ answer = 3 * given"},
        {"again ''", "…That was all that was skipped.\n\nThe end of this lesson."},
        {"#saved().skipped, saved().exercises.own.state", "0\tshown"},
        {NULL, NULL}};
    run_cases(more);
}

static void it_goes_on_where_it_was_left(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"fresh()", "…"},
        {"go('', '', '" TWICE "', '', '', ':quit')", "…Left the lesson"},
        {"saved().step, saved().ref", "3\tdouble 2"},
        {"go()", "…Going on at step 3 of 5, where you were; :reset all begins anew.\n\n── step 3 of 5"},
        {"again('twice(8)', '')", "…48.0"},
        {"again ':reset all'", "…From the beginning.\n\n── step 1 of 5"},
        {"again 'twice == nil'", "…error: unknown name 'twice'"},
        {"again('', '', ':quit')", "…"},
        {"options = {'--restart'} go ':quit'", "…── step 1 of 5"},
        {"options = {'--lang', 'zh'} go('', '')", "…第 2 步，共 5 步"},
        {"options = {'--lang', 'zh'} go ':hnt'", "…:quit；你是不是想写\n`:hint`？"},
        {"again(':hint', ':hint')", "提示 1/2：\n想想 2x。\n提示 2/2：\n相加。\n"},
        {"again('function twice(x) return x * x end', ':check')", "✗ 这是平方。\n"},
        {"again('" TWICE "', ':check')", "…✓ 对了。"},
        {"again ':quit'", "…已离开本课"},
        /* an edited lesson: the step is found by its ref */
        {"write_file(FILE, (lesson_text:gsub('%-%- %%%% %[markdown%] ref=\"double\"', '-- %%%% [markdown] "
         "ref=\"new\" "
         "lang=\"en\"\\n-- New.\\n-- %%%% [markdown] ref=\"new\" lang=\"zh\"\\n-- 新。\\n-- %%%%\\nx = "
         "1\\n%0', 1)))",
         ""},
        {"options = {} go ':quit'", "…The lesson has been changed since you were here."},
        {"write_file(FILE, lesson_text)", ""},
        {NULL, NULL}};
    run_cases(cases);
}

/* A damaged file is said and set aside, and what it held is never written over. */
static void a_damaged_file_is_set_aside(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"fresh() go('', '', ':quit') kept = io.open(STATE):read 'a'", "…"},
        {"@a_damaged_file_is_set_aside", ""},
        {"damaged(kept:sub(1, -20))", "…(byte "},
        {"aside() == kept:sub(1, -20)", "true"},
        {"damaged(kept:gsub('\"step\": 2', '\"step\": 3'))", "…its seal does not fit"},
        {"aside '-2':find '\"step\": 3' ~= nil", "true"},
        {"damaged 'x'", "…wanted a value"},
        {"damaged(kept:gsub('\"version\": 1', '\"version\": 2'))", "…version 2; this phasor reads 1"},
        {"damaged '{\"phasor\": \"progress\", \"version\": 1, \"seal\": \"\", \"lessons\": {\"a\": 3}}'",
         "…lesson a: it is 3; wanted an object"},
        {"damaged '\\xff'", "…not UTF-8 text"},
        {"damaged ''", "…wanted a value"},
        {"aside '-7'", ""},
        {"aside() == kept:sub(1, -20)", "true"},
        {"os.remove(STATE) os.execute('mkdir ' .. STATE) go(':quit') os.execute('rmdir ' .. STATE)",
         "…cannot be "},
        {NULL, NULL}};
    run_cases(cases);
}

/* A name signs what is handed in and is the seed of the variants, but never of those that were tried already. */
static void a_name_gives_variants(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@a_name_gives_variants", "true"},
        {"go('', '', ':skip', '', '')", "…your variant: 1; :name and your name give you one of your own\n"},
        {"again ':name'", ":name and your name, such as :name Ann\n"},
        {"again ':name Ann'",
         "…Your name is kept: Ann. It signs what you hand in, and your variants go by it.\n"},
        {"again('print(given == 10 * ' .. own 'Ann' .. ')')", "true\n"},
        {"again ':name'", "Your name, for the hand-in: Ann\n"},
        {"again('answer = 3 * given', '')", "…✓ Right."},
        {"again ':name Bob'",
         "…Your name is kept: Bob. It signs what you hand in; your variants go by it from\nthe next lesson on.\n"},
        {"saved().name, saved().student", "Bob\tAnn"},
        {"again ':quit'", "…"},
        /* with a record that is known, a lesson that is begun anew has the name's variants at once */
        {"options = {'--restart'}; go('', '', ':skip', '', ''); options = {}", "…your variant: "},
        {"again('print(given == 10 * ' .. own 'Bob' .. ')')", "true\n"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A student's copy has no solution: what is missing is still named, an answer is taken and graded by the lesson itself. */
static void a_students_copy_takes_answers(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@a_students_copy_takes_answers", ""},
        {"go('', '')", "…  │ function twice(x)\n  │   -- …\n  │ end\n"},
        {"again(':solution')", "This copy of the lesson has no solutions.\n"},
        {"again('function twize(x) return x end', '')",
         "…✗ twice is not defined; your answer defines twize."},
        {"again('twice = 3', '')", "…✗ twice must be a function; it is 3."},
        {"again(':reset', '" TWICE "', '')", "…✓ Your answer runs and is kept."},
        {"json.write(saved().exercises.double):match '\"state\": *\"(%a+)\"'", "given"},
        {"again('')", "…── step 3 of 5"},
        {"again('')", "…48"}, /* with the student's own answer: 42 + 1 + 5 */
        {"again('', 'answer = given * 3', '')", "…✓ Your answer runs and is kept."},
        {"again('', '')", "…Your answers are graded where you hand them in"},
        {"t = handin.read(handin.write(parse.parse(copy, FILE), saved(), 'ann', host), host)\n"
         "return t.hash == host.sha256(lesson_text), t.exercises[1].answer == '" TWICE
         "', t.exercises[1].points",
         "true\ttrue\t0"},
        {"write_file(FILE, lesson_text); fresh()", "…"},
        {NULL, NULL}};
    run_cases(cases);
}

static void json_is_read_strictly(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"t = {b = json.list {1, 2.5, 'x\\n\"\\\\\\t', true}, a = {}, c = json.list()}\n"
         "return json.write(json.read(json.write(t))) == json.write(t)",
         "true"},
        {"json.read '{\"a\": \"\\\\u4f60\\\\ud83d\\\\ude00\"}'.a", "你😀"},
        {"json.read '[1, 2'", "nil\tbyte 6: wanted `,` or `]`"},
        {"json.read '{\"a\":1,\"a\":2}'", "nil\tbyte 11: the key \"a\" stands there twice"},
        {"json.read '1 2'", "nil\tbyte 3: something stands behind the end"},
        {"json.read 'null'", "nil\tbyte 1: wanted a value"},
        {"json.read '\"\\\\ud800\"'", "…half of a surrogate pair"},
        {"json.read '\"\\\\x\"'", "…no such escape"},
        {"json.read '\"a\\nb\"'", "…a control character in a string"},
        {"json.read '\"a'", "…a string without an end"},
        {"json.read(('['):rep(1000))", "…nested too deeply"},
        {"json.write(0/0)", "…cannot be written"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_is_worked_through),    cmocka_unit_test(nothing_breaks_the_lesson),
        cmocka_unit_test(what_was_skipped_is_reviewed),  cmocka_unit_test(it_goes_on_where_it_was_left),
        cmocka_unit_test(a_damaged_file_is_set_aside),   cmocka_unit_test(json_is_read_strictly),
        cmocka_unit_test(a_students_copy_takes_answers), cmocka_unit_test(a_name_gives_variants)};
    return cmocka_run_group_tests_name("tutor", tests, open_with_prelude, close_school);
}
