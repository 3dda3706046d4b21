/* Exercises: what is the same answer, what an answer is told that is not, and what a lesson's author is told whose exercise
 * does not do what it should. The example of CONTRIBUTING.md is taken from there.
 * Sources: course/blame.lua course/equivalent.lua course/exercise.lua course/room.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void equivalent_answers_are_the_same(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"told(0.1 + 0.2, 0.3)", "true"},
        {"told(1e20 + 1e5, 1e20)", "true"},
        {"told(2, 2.0)", "true"},
        {"told(dd(2), 2)", "true"},
        {"told(dd(1) / 3, dd(1) / 3)", "true"},
        {"told({1, 2, 3}, array{1, 2, 3})", "true"},
        {"told(range(1, 3):astype 'f32' / 3, range(1, 3) / 3)", "true"},
        {"told(gt(range(0, 2), 1), array{0, 0, 2}:astype 'bool')", "true"},
        {"a, b = sym 'a b'; return told(sin(a) * cos(b) + cos(a) * sin(b), sin(a + b))", "true"},
        {"told(cos(a)^2 + sin(a)^2, 1)", "true"},
        {"told(matrix{{cos(a), 0}}, matrix{{cos(-a), a - a}})", "true"},
        {"told({1, {x = 2}}, {1, {x = 2}})", "true"},
        {"told(' Yes', 'yes')", "true"},
        {"told(function(x) return x + x end, function(x) return 2 * x end, {at = {{1}, {2.5}}})", "true"},
        {"told(zeros(0, 3), zeros(0, 3))", "true"},
        {"told(array{{0, -1/0}, {-1, 0}}, array{{0, -1/0}, {-1, 0}})", "true"},
        {"told(array{1e12, 1 + 1e-2}, array{1e12, 1})", "true"},
        {"told(array{1e12 + 100, 1}, array{1e12, 1})", "true"},
        {"told(array{7, 1 + 5e-6}:astype 'f32', array{7, 1}:astype 'f32')", "true"},
        {"told(-1/0, -1/0)", "true"},
        {"told(array{{0, -1/0}, {-1 + 1e-12, 0}}, array{{0, -1/0}, {-1, 0}})", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_differs_is_told_in_both_languages(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"told(-3, 3)", "The answer is -3: it is the right value with the wrong sign. / 答案 是 "
                        "-3：正负号反了，数值是对的。"},
        {"told(6, 3, {what = 'k'})", "k is 6: it is twice the right value. / k 是 6：恰好是正确值的两倍。"},
        {"told(180, pi)", "…it is in degrees; wanted radians."},
        {"told(3.5, 3)", "…is 3.5: it is too large."},
        {"told(0.3000001, 0.3)", "…it is too large"},
        {"told(0/0, 3)", "…nan"},
        {"told(-(0/0), 'a')", "…is nan; wanted a text."},
        {"told(array(3), zeros(2, 2))", "…has shape (); wanted 2×2."},
        {"told(1/0, 3)", "…is inf: it is too large"},
        {"told(3, 1/0)", "…is 3: it is too small"},
        {"told(-1/0, 1/0)", "…is -inf: it is the right value with the wrong sign"},
        {"told(complex(3, 0), complex(1/0, 0))", "…which is not right"},
        {"told(array{{0, 5}, {-7, 0}}, array{{0, -1/0}, {-1, 0}})", "…2 of 4 entries differ"},
        {"told(array{{0, -1/0}, {-1.5, 0}}, array{{0, -1/0}, {-1, 0}})", "…1 of 4 entries differ"},
        {"told(array{-1e9, 0.5, 1}, array{-1e9, 0, 1})",
         "…1 of 3 entries differ; the first difference is at (2), where it is 0.5."},
        {"told(array{{6.28318, 2e4 * pi}}, array{{2 * pi, 2e4 * pi}})",
         "…1 of 2 entries differ; the first difference is at (1, 1)"},
        {"told(array{1e12, 1.2}, array{1e12, 1})", "…1 of 2 entries differ"},
        {"told(array{complex(1e9, 0), 1}, array{complex(1e9, 0), 2})", "…1 of 2 entries differ"},
        {"told(array{7e4, 1.1}:astype 'f32', array{7e4, 1}:astype 'f32')", "…1 of 2 entries differ"},
        {"told(array{-1e9, 0.5}, array{-1e9, 0}, {tol = 1})", "true"},
        {"told(dd(1) / 3, dd(1) / 2)", "…is 0.333333: it is too small"},
        {"told('3', 3)", "…is \"3\"; wanted a number."},
        {"told(nil, 3)", "The answer is missing. / 答案 还没有值。"},
        {"told(zeros(3), 3)", "…is an array of shape 3; wanted a number."},
        {"told(zeros(2, 3), zeros(3, 2))", "…has shape 2×3; wanted 3×2."},
        {"told(array{{1, 2}, {3, 4}}, array{{1, 3}, {2, 4}})",
         "…it is the transpose of the right one; the first difference is at (1, 2), where it is 2."},
        {"told(array{1, 2, 0/0}, array{1, 2, 3})", "…1 of 3 entries differ; the first difference is at (3)"},
        {"told(gt(zeros(3), 1), zeros(3))", "…has entries of kind bool; wanted f64."},
        {"told(sin(a), cos(a))", "…is another formula: a = "},
        {"told(matrix{{a, a}}, matrix{{a, b}})", "…entry (1, 2) is another formula"},
        {"told(matrix{{a}}, matrix{{a, b}})", "…has shape 1×1; wanted 1×2."},
        {"told({1, 5}, {1, 3}, {what = 'x'})", "…x[2] is 5: it is too large."},
        {"told({1}, {1, 3})", "…has 1 entries; wanted 2."},
        {"told(function(x) return x * x end, function(x) return 2 * x end, {what = 'f', at = {{2}, {3}}})",
         "…f(3) is 9: it is too large."},
        {"told(function(x) error 'oh' end, function(x) return 2 * x end, {what = 'f', at = {{2}}})",
         "…f(2) stops with an error"},
        {"told(function() end, function(x) return 2 * x end)", "…error: same: two functions need {at"},
        {"told(1, 2, {what = 7})", "…error: same: what is a name"},
        {NULL, NULL}};
    run_cases(cases);
}

#define RIGHT "function turn(x, y, a) return x * cos(a) - y * sin(a), x * sin(a) + y * cos(a) end"

/* Whatever an answer does, it gets an answer, and the next one is judged as if it had never been. */
static void an_answer_is_told_what_is_wrong(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"trial '" RIGHT "'", "right\tnil"},
        {"trial ''", "`turn` is still as it was given: nothing is filled in yet.\tnil"},
        {"trial('', 'zh')", "`turn` 还和题目给出的一样：什么都没有填。\tnil"},
        {"trial '-- later\\nfunction turn(x, y, a)\\nend'",
         "`turn` is still as it was given: nothing is filled in yet.\tnil"},
        {"trial 'turn = nil; function turm(x, y, a) return x, y end'",
         "`turn` is not defined; your answer defines `turm`. Is the name right?\tnil"},
        /* of two functions that are asked for: the one that is misspelt, not the one that is still to come */
        {"trial('function sum_part_(h, k) return h end', 'en', shipped('hessian', 'spoils'))",
         "`sum_part` is not defined; your answer defines `sum_part_`. Is the name right?\tnil"},
        {"trial('function relative_part(h, k) return h end', 'en', shipped('hessian', 'spoils'))",
         "`sum_part` is not defined yet: that is what is asked for.\tnil"},
        {"trial 'function turn(x, y, a) return x end'",
         "Result 2 of `turn(1, 0, 1.5708)` is nothing; wanted a number. `turn` must return two numbers.\tnil"},
        {"trial('function turn(x, y) end', 'zh')",
         "`turn(1, 0, 1.5708)` 的第 1 个返回值是空值，应该是一个数。`turn` 要返回两个数。\tnil"},
        {"trial 'turn = 3'", "`turn` must be a function; it is 3.\tnil"},
        {"trial 'turn = nil'", "`turn` is not defined yet: that is what is asked for.\tnil"},
        {"trial 'x ='", "…Your answer stops with an error: answer:1: "},
        {"trial 'error(\"oh\")'", "…Your answer stops with an error: answer:1: oh"},
        {"trial 'function turn() return nil .. 1 end'",
         "…Your answer stops with an error when it is used: answer:1: attempt to concatenate a nil value"},
        {"trial 'sin = 5; cos = nil; pi = 3; type = nil; " RIGHT "'",
         "…Your answer stops with an error when it is used"},
        {"trial 'math.sin = 1; string.format = nil; feedback = print; same = print; function turn() end'",
         "Result 1 of `turn(1, 0, 1.5708)` is nothing; wanted a number. `turn` must return two numbers.\tnil"},
        {"trial 'function same() return true end; function feedback() end; function turn() return 0, 0 end'",
         "…result 1 of turn(1, 0, 0) is 0"},
        {"trial 'os.exit(0)'", "…os.exit is not for answers"},
        {"trial 'require \"phasor.session\"'", "…require is not for answers"},
        {"trial 'debug.getinfo(1)'", "…debug.getinfo is not for answers"},
        {"trial 'function turn() while true do pcall(error) end end'",
         "Your answer did not come to an end within 1 second. Does a loop ever stop?\ttime"},
        {"silent 'time'",
         "time\tfalse\t0\tYour answer did not come to an end within 1 second. Does a loop ever stop?"},
        {"silent 'died'", "…died\tfalse\t0\tYour answer brought down the process it ran in"},
        {"saying(thread)", "…nil\tfalse\t0\tYour answer stops with an error: it has no values"},
        {"saying{values = thread, untouched = {}, given = {}}", "…it has no values"},
        {"saying{values = matrix{{1}}, untouched = {}, given = {}}", "…it has no values"},
        {"saying{values = {}, untouched = matrix{{1}}, given = {}}", "…it has no values"},
        {"saying{values = {}, untouched = {}, given = thread}", "…it has no values"},
        {"saying{values = {turn = thread}, untouched = {}, given = {}, defined = thread, hides = thread}",
         "…nil\tfalse\t0\t`turn` must be a function; it is a value of kind thread."},
        {"forged ''", "…died\tfalse\t0\t"},
        {"forged '\\1\\0\\0\\0{'", "…died\tfalse\t0\t"},
        {"trial 'x = {} for i = 1, 1e9 do x[i] = i end'",
         "Your answer wants more memory than it may have. Does something grow without end?\tmemory"},
        {"trial 'function turn() local x = {} for i = 1, 1e9 do x[i] = zeros(1000, 1000) end end'",
         "…Your answer wants more memory than it may have."},
        {"trial 'function turn() return turn() + 1 end'", "…Your answer "},
        {"trial 'getmetatable(\"\").__index = nil'", "…Your answer stops with an error"},
        {"trial '_G.cos = nil; " RIGHT "'", "right\tnil"},
        {"trial '" RIGHT "'", "right\tnil"},
        {NULL, NULL}};
    run_cases(cases);
}

static void the_author_is_told_what_an_exercise_does_not_do(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"faults(example)", ""},
        {"spoiled('x * sin(a) + y * cos(a)\\n', 'x * sin(a) - y * cos(a)\\n')",
         "…the solution does not pass: result 2 of turn(3, 4, 1.25) is"},
        {"spoiled('expect=\"clockwise\"', 'expect=\"widdershins\"')",
         "…expected feedback with \"widdershins\"; it was: This turns clockwise"},
        {"spoiled('feedback(same(turn, right, {what = \"turn\", at = {{1, 0, 0}, {3, 4, 1.25}, {-2, 0.5, "
         "-7}}}))', '')",
         "…this wrong answer passes"},
        {"spoiled('local x, y = turn(1, 0, pi / 2)\\n', 'if true then return end;')",
         "…the unsolved stub passes"},
        {"spoiled('en = \"`turn` must return two numbers.\",', '')",
         "…feedback: wanted a condition and {en = "},
        {"spoiled('  return x * cos(a) - y * sin(a), x * sin(a) + y * cos(a)\\n', '')", "…does not pass"},
        {"spoiled('--- BEGIN SOLUTION', '--- BEGIN SOLUTION\\n  return')", "…the solution: l.lua:"},
        {"faults((example:gsub('%-%- %%%% role=\"wrong\".-end\\n', '', 1)))",
         "l.lua:9: exercise \"turn\" has 1 wrong answer; wanted 2 or more"},
        {"faults((example:gsub('%-%- %%%% role=\"hint\" ref=\"turn\" lang=\"%a+\"\\n%-%- [^\\n]*\\n', '', 2)))",
         "l.lua:9: exercise \"turn\" has 1 hint; wanted 2 or more"},
        {"faults((example:gsub('%-%- %%%% role=\"check\".-END HIDDEN TESTS\\n', '')))", "…has 0 checks"},
        {"linter.unfinished(parser.parse(example, 'l.lua'))[1]",
         "l.lua:1: the lesson has 1 exercise; wanted 3 or more"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Every variant is tested: what is right for the first only is found. */
static void variants_are_all_tested(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"head = example:match '^(.-)%-%- %%%% role=\"exercise\"'\n"
         "hints = example:match '(%-%- %%%% role=\"hint\".-)%-%- %%%% role=\"check\"'\n"
         "function with(check) return faults(head .. '-- %% role=\"exercise\" ref=\"turn\" points=1 "
         "variants=9\\n"
         "given = variant\\nanswer = nil\\n--- BEGIN SOLUTION\\nanswer = 2 * given\\n--- END SOLUTION\\n\\n' .. hints .. "
         "'-- %% role=\"check\" ref=\"turn\"\\n' .. check .. '\\n"
         "-- %% role=\"wrong\" ref=\"turn\" expect=\"half\"\\nanswer = given\\n"
         "-- %% role=\"wrong\" ref=\"turn\" expect=\"twice\"\\nanswer = 4 * given\\n') end",
         ""},
        {"with 'feedback(same(answer, 2 * variant, {what = \"answer\"}))'", ""},
        {"with 'feedback(same(answer, 2, {what = \"answer\"}))'",
         "…the solution does not pass (variant 2): answer is 4: it is twice the right value."},
        {"with 'given = 7; feedback(same(answer, 2 * given))'",
         "…the solution does not pass (variant 1): The answer is 2: it is too small."},
        /* a picture to move whose function raises is found, and one that does not is not */
        {"raising = '-- %% [markdown] ref=\"a\" lang=\"en\"\\n-- # A\\n-- %% [markdown] ref=\"a\" lang=\"zh\"\\n-- # A\\n-- %% ref=\"a\"\\n'\n"
         "function messages_of(body) return table.concat(select(2, require('phasor.course.run').lesson(parser.parse(raising .. body, 'v.lua'),\n"
         "  require 'phasor.ledger', require('phasor.course.host').eval, require('phasor.course.host').silent())), ';') end",
         ""},
        {"messages_of 'return vary(function(p) return p.n * 2 end, {n = {1, 3}})'", ""},
        {"messages_of 'return vary(function(p) if p.n == 3 then error \"oh\" end return 1 end, {n = {1, 3}})'",
         "…v.lua:5: n = 3: the function of vary raised an error: "},
        /* a list that the stub gives is no part of the answer, though each run makes its own */
        {"faults(head .. '-- %% role=\"exercise\" ref=\"turn\" points=1\\ngiven = {3, {4}}\\n--- BEGIN SOLUTION\\n"
         "answer = given[1]\\n--- END SOLUTION\\n\\n' .. hints .. '-- %% role=\"check\" ref=\"turn\"\\n"
         "feedback(same(answer, 3, {what = \"answer\"}))\\n-- %% role=\"wrong\" ref=\"turn\" expect=\"too many\"\\nanswer = 4\\n"
         "-- %% role=\"wrong\" ref=\"turn\" expect=\"too few\"\\nanswer = 2\\n')",
         ""},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equivalent_answers_are_the_same),
                                       cmocka_unit_test(what_differs_is_told_in_both_languages),
                                       cmocka_unit_test(an_answer_is_told_what_is_wrong),
                                       cmocka_unit_test(the_author_is_told_what_an_exercise_does_not_do),
                                       cmocka_unit_test(variants_are_all_tested)};
    return cmocka_run_group_tests_name("exercises", tests, open_with_prelude, close_school);
}
