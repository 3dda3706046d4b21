/* A step in a terminal: its title, its code in few lines, what its verdicts say.
 * Sources: course/fold.lua course/paint.lua course/results.lua course/spoken.lua course/step.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void code_is_folded_from_the_inside(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"folded('a = 1|b = 2', 2)", "a = 1|b = 2"},
        {"folded('local function f(x)|  return x|end|a = f(1)', 3)", "local function f(x) … end|a = f(1)"},
        /* helpers before other blocks, the longest first */
        {"folded('for i = 1, 2 do|  a()|  b()|  c()|end|function f()|  return 1|end', 6)",
         "for i = 1, 2 do|  a()|  b()|  c()|end|function f() … end"},
        {"folded('if a then|  b()|else|  c()|end|d()', 3)", "if a then … end|d()"},
        {"folded('t = {|  1,|  2,|}|x()', 2)", "t = { … }|x()"},
        {"folded('-- one|-- two|-- three|x()', 2)", "-- one …|x()"},
        {"folded('function f()|  a()|  b()|end|function g()|  a()|  b()|end|x()|y()', 3)",
         "function f, g … end|x()|y()"},
        {"folded('a|b|c|d|e|f|g|h', 5)", "a|b|c|…|h"},
        {"folded('a|b|c', 1)", "…"},
        {"folded('', 3)", ""},
        {NULL, NULL}};
    run_cases(cases);
}

/* Code is read in the lesson's language alone, and with what the student's variant gives; either way it is the same program. */
/* Colours of a terminal are read by the reader that pages have. */
static void code_has_colours(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"seen = function(l) return (require 'phasor.course.paint'.line(l):gsub('\\27%[(%d*)m', '<%1>')) end",
         ""},
        {"seen 'local x = f(1.5e3, \"a\") -- b'",
         "<34>local<0> x = f(<36>1.5e3<0>, <32>\"a\"<0>) <2>-- b<0>"},
        {"seen 'θ = 2-x --[[ k ]] end'", "θ = <36>2<0>-x <2>--[[ k ]]<0> <34>end<0>"},
        {NULL, NULL}};
    run_cases(cases);
}

static void code_speaks_one_language(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoken = require 'phasor.course.spoken'", ""},
        {"spoken.code('print(says{en = \"a b\", zh = \"甲\"})', 'zh')", "print(\"甲\")"},
        {"spoken.code('print(says{en = \"%d\", zh = \"共 %d\"}:format(2))', 'en')",
         "print((\"%d\"):format(2))"},
        {"spoken.code('named({en = \"a \\\\\"b\\\\\"\",\\n  zh = \"乙\",}, v)', 'en')",
         "named(\"a \\\"b\\\"\", v)"},
        /* and as code that still runs: only where a text would do as well */
        {"spoken.code('v = measure{claim = {en = \"a\", zh = \"b\"}, value = 0}', 'zh')",
         "v = measure{claim = \"b\", value = 0}"},
        {"spoken.code('fails(f(x, {1}), {en = \"a\", zh = \"b\"})', 'en')", "fails(f(x, {1}), \"a\")"},
        {"spoken.code('figure(both({en = \"a\", zh = \"b\"}, 2), x)', 'en')",
         "figure(both({en = \"a\", zh = \"b\"}, 2), x)"},
        {"spoken.code('told = {en = \"a\", zh = \"b\"}', 'en')", "told = {en = \"a\", zh = \"b\"}"},
        {"spoken.code('for _, row in ipairs {{{en = \"a\", zh = \"b\"}, 1}} do', 'en')",
         "for _, row in ipairs {{{en = \"a\", zh = \"b\"}, 1}} do"},
        {"spoken.code('t = {en = \"a\" .. b, zh = \"c\"}', 'en')", "t = {en = \"a\" .. b, zh = \"c\"}"},
        {"spoken.code('t = {en = \"a\"}; u = {en = f, zh = g}', 'zh')",
         "t = {en = \"a\"}; u = {en = f, zh = g}"},
        {"spoken.code('-- why\\na = 1 -- one\\nb = \"--x\" -- 二', 'zh')", "a = 1\nb = \"--x\" -- 二"},
        {"spoken.code('-- why\\na = 1 -- one', 'en')", "-- why\na = 1 -- one"},
        {"spoken.code('t = {en = \"a', 'zh')", "t = {en = \"a"},
        {"spoken.variant('n = ({12, {1, \", \"}, f(2, 3)})[variant]', 2)", "n = {1, \", \"}"},
        {"spoken.variant('n = ({12, 15})[variant] + variant', 3)", "n = ({12, 15})[variant] + variant"},
        {"@code_speaks_one_language", ""},
        {NULL, NULL}};
    run_cases(cases);
}

/* In every lesson, at the terminal's width and at a narrow one, no step shows more lines of code than it may. */
static void no_step_shows_much_code(void **state) {
    (void)state;
    static const school_case cases[] = {{"@no_step_shows_much_code", "\ttrue"}, {NULL, NULL}};
    run_cases(cases);
}

/* A title that the terminal breaks would be two rows, of which pages repeat one. */
static void every_title_fits_its_line(void **state) {
    (void)state;
    static const school_case cases[] = {{"@every_title_fits_its_line", "\ttrue"}, {NULL, NULL}};
    run_cases(cases);
}

static void every_step_has_a_title(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@every_step_has_a_title", "A b x₁|false|Text.; A b x₁|true|More."},
        {"prose.cut('abcdef', 6), prose.cut('abcdef', 5), prose.cut('词词词', 5)", "abcdef\tabcd…\t词词…"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A caption and the strength; a short formula; else a number; never raw terms. */
static void verdicts_read_as_sentences(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"a, b = sym 'a b'", ""},
        {"long = sin(a + b + 1)*sin(a)*cos(b)*sin(2*a)*cos(2*b)*sin(3*a)*cos(3*b)", ""},
        {"said('en', prove(cos(a - b), cos(b - a), {caption = {en = 'even in $a - b$', zh = '偶函数'}}))",
         "  proved     even in a − b"},
        {"said('zh', prove(cos(a - b), cos(b - a), {caption = {en = 'even', zh = '是 $a - b$ 的偶函数'}}))",
         "  已证明      是 a − b 的偶函数"},
        {"said('en', prove(cos(a), cos(-a)))", "  proved     cos(a) = cos(−a)"},
        {"said('en', prove(long, long + 0))", "  proved     1 statement"},
        {"named('\\27[2J', prove(a, a))", "…named: words holds a control character; wanted a line of text"},
        {"fails(prove(a, 2*a), {en = 'a\\nb', zh = 'c'})", "…fails: words holds a control character"},
        {"said('en', named('one', prove(a, a)), prove(long, 0 + long), prove(long, long*1))",
         "  proved     one\n  proved     2 more statements"},
        {"said('en', prove(a, a, {caption = 'it is itself'}), fails(prove(a, b), {en = 'the other one', zh = '另一个'}))",
         "  proved     it is itself\n  refuted    the other one: false, as it should be"},
        /* printed figures are told without their bounds; more than two are counted */
        {"f = figure({en = 'half', zh = '一半'}, 0.5, '0.50')", ""},
        {"said('en', f, prove(a, a, {caption = 'itself'}), f)",
         "  measured   half ≈ 0.50\n  proved     itself\n  measured   half ≈ 0.50"},
        {"said('zh', f, f, prove(a, a, {caption = 'itself'}), f)",
         "  已证明      itself\n  文中的 3 个数值：逐一核对，到末位都对"},
        /* where each deviation has a bound of its own, that is said in words; what guards the bounds is not */
        {"function pair(off) return in_bounds {claim = {en = 'c', zh = '丙'}, f = function() return off * 2^-53, 8 * 2^-53 end, "
         "samples = 2, seed = 1, why = 'w', told = '8'} end",
         ""},
        {"said('en', f, f, table.unpack(pair(3)))",
         "  measured   half ≈ 0.50 (×2)\n  measured   c (to within rounding)"},
        {"said('zh', table.unpack(pair(-3)))", "  实测        丙（只差舍入）"},
        {"said('en', table.unpack(pair(0)))", "  measured   c (no deviation)"},
        {"results.why(pair(3)[1], words.of 'en', 80)",
         "c\n  measured: max deviation 0.38 ≤ 1 (2 samples, seed 1)\n  largest difference 3 u, where u = 2^-53 is what one rounding may change near\n"
         "      1; at most about 38 % of what rounding allows\n"
         "  method: seeded samples\n  where the bound comes from: w"},
        /* so is a figure that only guards a bound */
        {"g = figure({en = 'the bound in units of u', zh = '界'}, 3.0, '3', {guard = true})", ""},
        {"said('en', f, f, g)", "  measured   half ≈ 0.50 (×2)"},
        {"results.why(g, words.of 'en', 80)",
         "the bound in units of u ≈ 3\n  measured: max deviation 0 ≤ 0.5 (1 sample)\n  method: every value given\n"
         "  where the bound comes from: half a unit of the last digit, and the rounding of\n      both numbers"},
        {"figure('g', 3.0, '3', 'guard')", "…figure: options are \"guard\"; wanted {guard = true}"},
        {"figure('g', 3.0, '3', {gard = true})", "…figure: options are others; wanted {guard = true}"},
        {NULL, NULL}};
    run_cases(cases);
}

/* How near a measurement came to its bound. */
static void nearness_is_told(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"said('en', measure{claim = 'small', value = 0.5, bound = 1, why = 'w'})",
         "  measured   small (50 % of what the bound allows)"},
        {"said('zh', measure{claim = {en = 'small', zh = '很小'}, value = 0.5, bound = 1, why = 'w'})",
         "  实测        很小（是界所容许的 50%）"},
        {"said('en', measure{claim = 'small', value = 0.5, bound = 2, why = 'w'})",
         "  measured   small (0.5 ≤ 2)"},
        /* pure rounding is said in words, where the sentence does not; :why has the figures */
        {"function off(value, text) return measure{claim = {en = text, zh = text}, value = value, bound = 2^-50, why = 'w'} end",
         ""},
        {"said('en', off(2^-52, 'equal'))", "  measured   equal (to within rounding)"},
        {"said('zh', off(2^-52, '相等'))", "  实测        相等（只差舍入）"},
        {"said('en', off(2^-52, 'equal but for rounding'))", "  measured   equal but for rounding"},
        {"said('zh', off(2^-52, '舍入之外相等'))", "  实测        舍入之外相等"},
        {"said('en', off(0, 'equal'), off(0, 'so, but for rounding'))",
         "  measured   equal (no deviation)\n  measured   so, but for rounding (no deviation)"},
        {"said('zh', measure{claim = 'small', value = 0.5, bound = 1, why = 'w'})", "  实测        1 条命题"},
        {NULL, NULL}};
    run_cases(cases);
}

static void why_shows_what_stands_behind(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"w = words.of 'en'", ""},
        {"results.why(prove(1/(1 + a^2), 1/(a^2 + 1), {caption = 'one over'}), w, 80)", "…one over\n"},
        {"results.why(prove(1/(1 + a^2), 1/(a^2 + 1)), w, 80)", "…────"},
        {"results.why(prove(1/(1 + a^2), 1/(a^2 + 1)), w, 80)", "…proved for all real a"},
        {"results.why(measure{claim = 'small', value = 0.5, bound = 1, why = 'halves'}, w, 80)",
         "small\n  measured: max deviation 0.5 ≤ 1 (1 sample)\n  method: every value given\n  where the bound comes from: halves"},
        {"results.why(measure{claim = 'small', value = 0.5, bound = 1, why = '一半'}, words.of 'zh', 80)",
         "…\n  界的来历：一半"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_folded_from_the_inside), cmocka_unit_test(code_has_colours),
        cmocka_unit_test(code_speaks_one_language),       cmocka_unit_test(no_step_shows_much_code),
        cmocka_unit_test(every_title_fits_its_line),      cmocka_unit_test(every_step_has_a_title),
        cmocka_unit_test(verdicts_read_as_sentences),     cmocka_unit_test(nearness_is_told),
        cmocka_unit_test(why_shows_what_stands_behind),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
