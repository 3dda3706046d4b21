/* The course from the inside: the lesson format, its lint, what a claim's value means, stepping.
 * Sources: course/catalogue.lua course/counts.lua course/entries.lua course/judge.lua course/lint.lua course/messages.lua course/parse.lua
 * Sources: course/run.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void cells_are_read(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"l = parsed(A .. '-- %% ref=\"a\" claim=\"pe/pair-index\"|x = 1||-- %%|y = 2|')", ""},
        {"#l.cells, l.name, l.file", "4\tl\tl.lua"},
        {"l.cells[1].kind, l.cells[1].lang, l.cells[1].text", "markdown\ten\t# A $x$"},
        {"l.cells[3].kind, l.cells[3].claim, l.cells[3].ref, l.cells[3].code",
         "code\tpe/pair-index\ta\tx = 1"},
        {"parser.code(l.cells[4])", "\n\n\n\n\n\n\n\ny = 2"},
        {"e = parsed('-- %% role=\"exercise\" ref=\"e\" points=2|a = 1|--- BEGIN SOLUTION|b = 2|--- END "
         "SOLUTION|c = 3|')",
         ""},
        {"e.cells[1].points, e.cells[1].regions[1].first, e.cells[1].regions[1].last", "2\t3\t5"},
        {"(parser.code(e.cells[1], true):gsub('\\n+', ' '))", " a = 1 c = 3"},
        {"c = parsed('-- %% role=\"check\" ref=\"e\"|x()|--- BEGIN HIDDEN TESTS|y()|--- END HIDDEN TESTS|')",
         ""},
        {"(parser.code(c.cells[1], true):gsub('\\n+', ' '))", " x() "},
        {"parsed('-- %% role=\"wrong\" ref=\"e\" expect=\"anticlockwise\"|x()|').cells[1].expect",
         "anticlockwise"},
        {"parsed('-- %% role=\"hint\" ref=\"e\" lang=\"en\"|-- think|').cells[1].text", "think"},
        {NULL, NULL}};
    run_cases(cases);
}

/* File, line, what was seen, what is wanted. */
static void malformed_cells_say_where_and_what_is_wanted(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"parsed ''", "error: l.lua:1: no cell; wanted `-- %% [markdown] ref=\"…\" lang=\"en\"`"},
        {"parsed '-- x|x = 1|'",
         "error: l.lua:2: seen `x = 1` before the first cell; wanted a comment or `-- %%`"},
        {"parsed '-- %% rf=\"a\"|x|'",
         "error: l.lua:1: cell marker: unknown key `rf`; the keys are ref, "
         "lang, part, role, claim, points, variants, asks, expect; did you mean `ref`?"},
        {"parsed '-- %% ref=a|x|'", "error: l.lua:1: cell marker: cannot read `ref=a`; wanted key=\"value\""},
        {"parsed '-- %% ref=\"a\"claim=\"b\"|x|'",
         "error: l.lua:1: cell marker: cannot read `ref=\"a\"claim=\"b\"`; wanted key=\"value\""},
        {"parsed '-- %% ref=\"a\" ref=\"b\"|x|'", "error: l.lua:1: cell marker: `ref` is given twice"},
        {"parsed '-- %% ref=\"a b\"|x|'", "error: l.lua:1: ref=\"a b\": wanted letters, digits, - and _"},
        {"parsed '--%% ref=\"a\"|x|'",
         "error: l.lua:1: seen `--%% ref=\"a\"`; a cell starts with `-- %%` and a blank"},
        {"parsed '-- %%x|x|'", "error: l.lua:1: seen `-- %%x`; a cell starts with `-- %%` and a blank"},
        {"parsed '-- %% [markdwn] ref=\"a\"|-- x|'", "error: l.lua:1: cell marker: seen ` [markdwn] "
                                                     "ref=\"a\"`; wanted [markdown] or nothing in brackets"},
        {"parsed '-- %% [markdown] ref=\"a\"|-- x|'", "error: l.lua:1: a markdown cell needs lang=\"…\""},
        {"parsed '-- %% [markdown] ref=\"a\" lang=\"fr\"|-- x|'",
         "error: l.lua:1: lang=\"fr\": wanted en or zh"},
        {"parsed '-- %% lang=\"en\"|x|'", "error: l.lua:1: a code cell has no lang"},
        {"parsed '-- %% ref=\"a\"||-- %%|x|'", "error: l.lua:1: the cell is empty; wanted code"},
        {"parsed '-- %% [markdown] ref=\"a\" lang=\"en\"|-- x|y|'",
         "error: l.lua:3: seen `y`; a line of prose starts with `-- `"},
        {"parsed '-- %% claim=\"shift\"|x|'",
         "error: l.lua:1: claim=\"shift\": wanted a claim of the ledger, like \"pe/shift-formula\""},
        {"parsed '-- %% role=\"chek\" ref=\"a\"|x|'",
         "error: l.lua:1: role=\"chek\" is unknown; the roles are exercise, hint, "
         "check, wrong; did you mean `check`?"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\" points=0|x|'",
         "error: l.lua:1: points=\"0\": wanted a whole number from 1 to 99"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\" points=1|x|'",
         "error: l.lua:1: an exercise cell needs --- BEGIN SOLUTION and --- END SOLUTION"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\" points=1|--- BEGIN SOLUTION|x|'",
         "error: l.lua:2: --- BEGIN SOLUTION is never closed; wanted --- END SOLUTION"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\" points=1|--- BEGIN SOLUTION|--- BEGIN SOLUTION|'",
         "error: l.lua:3: --- BEGIN SOLUTION is open since line 2; wanted --- END SOLUTION first"},
        {"parsed '-- %% role=\"check\" ref=\"a\"|--- END HIDDEN TESTS|'",
         "error: l.lua:2: --- END HIDDEN TESTS without a --- BEGIN HIDDEN TESTS before it"},
        {"parsed '-- %% role=\"check\" ref=\"a\"|--- BEGIN SOLUTION|'",
         "error: l.lua:2: a check cell has no `--- BEGIN SOLUTION` marker; wanted --- BEGIN HIDDEN TESTS"},
        {"parsed '-- %%|--- BEGIN SOLUTION|'",
         "error: l.lua:2: a code cell has no `--- BEGIN SOLUTION` marker"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\" points=1|--- BEGIN SOLUTION|--- END SOLUTON|'",
         "error: l.lua:3: an exercise cell has no `--- END SOLUTON` marker; wanted --- END SOLUTION"},
        {"parsed '-- %% role=\"exercise\" ref=\"a\"|x|'",
         "error: l.lua:1: an exercise cell needs points=\"…\""},
        {"parsed '-- %% [markdown] role=\"hint\" ref=\"a\" lang=\"en\"|-- x|'",
         "error: l.lua:1: a [markdown] cell has no role; a hint is written `-- %% role=\"hint\"`"},
        {"parsed '-- %%|x = \"\\xff\"|'", "error: l.lua:1: the file is not UTF-8 text"},
        {NULL, NULL}};
    run_cases(cases);
}

static void lint_finds_what_syntax_cannot(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"lint(A)", ""},
        {"lint(A .. '-- %% ref=\"b\"|x|')", "l.lua:5: ref=\"b\" has no prose"},
        /* a name that means nothing is no error on the way: one makes a list of all names, more than 10000 bytes */
        {"many = {} for k = 1, 300 do many[k] = '-- %%|local nobody' .. k .. ' = 1|' end many = parsed(A .. table.concat(many))\n"
         "collectgarbage() collectgarbage 'stop' before = collectgarbage 'count' found = #linter.lint(many, ledger)\n"
         "made = (collectgarbage 'count' - before) * 1024 / 300 collectgarbage 'restart' return found, made < 5000",
         "0\ttrue"},
        {"lint(A .. '-- %% [markdown] ref=\"b\" lang=\"en\"|-- x|')",
         "l.lua:5: ref=\"b\" has no prose with lang=\"zh\""},
        {"lint(A .. A)",
         "l.lua:5: ref=\"a\" lang=\"en\" stands at line 1 already; l.lua:7: ref=\"a\" lang=\"zh\" stands at "
         "line 3 already"},
        {"lint((A:gsub('x', 'y', 1)))",
         "l.lua:1: ref=\"a\": $x$ of the Chinese prose is missing; l.lua:3: ref=\"a\": $y$ of "
         "the English prose is missing"},
        {"lint((A:gsub('%$x%$', '$x', 1)))", "l.lua:1: a $ is not closed"},
        {"lint((A:gsub('x', '\\\\foo')))", "l.lua:1: ref=\"a\": the terminal cannot show \\foo in $\\foo$"},
        {"lint((A:gsub('x', '{x')))", "l.lua:1: ref=\"a\": the terminal cannot show { in ${x$"},
        {"lint(A .. '-- %% ref=\"a\"|local a, error = 1, 2|')",
         "l.lua:5: `error` is a name of the laboratory or of Lua; wanted another"},
        {"lint(A .. '-- %% ref=\"a\"|function rope(x) end|a, softmax = 1, 2|')",
         "l.lua:5: `rope` is a name of the laboratory or of Lua; wanted another; l.lua:5: `softmax` is a name of the "
         "laboratory or of Lua; wanted another"},
        {"lint(A .. '-- %% ref=\"a\"|turned = {error = 1}|  local error = 1|if rope == 1 then end|')", ""},
        {"lint((A:gsub('# ', '')))",
         "l.lua:1: the first cell must be prose that opens with the lesson's title, `# …`"},
        {"lint(A .. '-- %% claim=\"pe/shift-formul\"|x|')",
         "l.lua:5: claim \"pe/shift-formul\" is not in the ledger; did you mean `pe/shift-formula`?"},
        {"lint(A .. '-- %% claim=\"pe/pi\"|x|-- %% claim=\"pe/pi\"|x|')",
         "l.lua:7: claim \"pe/pi\" is checked at line 5 already"},
        {"lint(A .. '-- %% role=\"check\" ref=\"e\"|x|')",
         "l.lua:5: role=\"check\": no exercise \"e\" stands before it"},
        {"lint(A .. '-- %% role=\"exercise\" ref=\"e\" points=1|--- BEGIN SOLUTION|--- END SOLUTION|-- %% "
         "role=\"hint\" "
         "ref=\"e\" lang=\"en\"|-- x|')",
         "…l.lua:8: ref=\"e (hint 1)\" has no prose with lang=\"zh\""},
        {"lint((A:gsub('# A %$x%$|$', '# A $x$|-- *一点。*另一点|')))",
         "l.lua:3: ref=\"a\": a notebook does not see where *一点。* ends; wanted *一点*。"},
        {"lint((A:gsub('# A %$x%$|$', '# A $x$|-- *一点*。另*一点*：`*。*x`，*完。*|-- *又*、*一。*（点）|')))",
         ""},
        {"#linter.mathematics('`$a` costs \\\\$5, $b$ and $$c$$')", "2"},
        {NULL, NULL}};
    run_cases(cases);
}

static void a_claims_value_is_judged(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"holds, err = ledger.by_id['pe/pi'], ledger.by_id['pe/pair-index']", ""},
        {"function j(c, v) local r = judge.judge(c, v) return r.outcome, r.strength end", ""},
        {"j(holds, good)", "holds\tmeasured"},
        {"j(holds, {good, good})", "holds\tmeasured"},
        {"j(holds, bad)", "failed\trefuted"},
        {"j(holds, {good, bad, open})", "failed\trefuted"},
        {"j(holds, {good, open})", "unknown\tunknown"},
        {"j(holds, {bad, good})", "failed\trefuted"},
        {"judge.judge(holds, 3).line", "the cell's value is a number; wanted a verdict or a list of them"},
        {"judge.judge(holds, nil).line", "the cell's value is nothing; wanted a verdict or a list of them"},
        {"judge.judge(holds, {}).line",
         "the cell's value is a table without verdicts; wanted a verdict or a list of them"},
        {"judge.judge(holds, {good, 1}).line",
         "the cell's value is a list with a number at 2; wanted a verdict or a list of them"},
        {"judge.judge(holds, {good, also = bad}).line",
         "the cell's value is a list with the key also; wanted a verdict or a list of them"},
        {"j(holds, {good, {good, [4] = bad}}), j(err, {written = bad, mended = good, more = bad})",
         "failed\tfailed\tunknown"},
        {"j(holds, true), j(holds, {strength = 'proved'})", "failed\tfailed\tunknown"},
        {"j(err, {written = bad, mended = good})", "mended\tmeasured"},
        {"j(err, {written = good, mended = good})", "failed\tmeasured"},
        {"j(err, {written = bad, mended = bad})", "failed\trefuted"},
        {"j(err, {written = {bad, good}, mended = good})", "failed\tmeasured"},
        {"j(err, {written = {}, mended = good})", "failed\tunknown"},
        {"j(err, {written = {bad, figure('x', 2, '2')}, mended = good})", "mended\tmeasured"},
        {"j(err, {written = {bad, figure('x', 2, '3')}, mended = good})",
         "failed\trefuted"}, /* what is told beside it must be so */
        {"j(err, good)", "failed\tunknown"},
        {NULL, NULL}};
    run_cases(cases);
}

/* None may be undecided, and some must have been refuted. */
static void mutants_beside_a_proof_are_judged(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function report(r, e, u) return {total = r + e + u, refuted = r, equivalent = e, undecided = u} "
         "end",
         ""},
        {"x = sym 'x'; proof = prove(x + x, 2*x)", ""},
        {"j(holds, {proof, cited('Lambert 1761', good)})", "holds\tmeasured"},
        {"judge.judge(holds, {proof, cited({en = 'Lambert 1761', zh = 'L'}, proof), cited({en = 'Lambert 1761', zh = 'L'}, proof)}).line",
         "…; cited: Lambert 1761"},
        {"judge.judge(holds, cited({en = 'Lambert 1761', zh = 'L'}, proof)).lines.zh", "…；引用：L"},
        {"j(holds, {proof, cited('Lambert 1761', bad)})", "failed\trefuted"},
        {"j(holds, {proof, mutants(x + x, 2*x)})", "holds\tproved"},
        {"j(holds, {{proof, report(5, 1, 0)}, {good, report(3, 0, 0)}})", "holds\tmeasured"},
        {"judge.judge(holds, {{proof, report(5, 1, 0)}, {proof, report(3, 0, 0)}}).line",
         "proved for all real x; 1 term; 2 statements in all; 21 mutants: 20 refuted, 1 equivalent"},
        {"j(holds, {proof, report(5, 1, 1)})", "unknown\tproved"},
        {"j(holds, {proof, report(0, 3, 0)})", "failed\tproved"},
        {"j(holds, {proof, mutants(x + x, 3*x)})", "failed\tproved"}, /* mutants of what does not hold */
        {"judge.judge(holds, {proof, mutants(x + x, 3*x)}).line", "…, of a formula that is refuted itself"},
        /* a proof that no change of its statement would have made fail */
        {"judge.judge(holds, {proof, named('t', prove(x, x))}).line",
         "verdict 2 of the cell could not have failed: none of its mutants is refuted: t: proved for all real x"},
        {"j(holds, {bad, report(5, 1, 0)})", "failed\trefuted"},
        {"j(holds, {report(5, 1, 0)})", "failed\tunknown"},
        {"j(holds, {good, {}})", "failed\tunknown"},
        {"loop = {}; loop[1] = loop; return j(holds, loop)", "failed\tunknown"},
        {"judge.value(loop), judge.value(3), judge.value(matrix{{x}}), judge.value({1, 2}), judge.value(nil)",
         "nil\tnil\tnil\tnil\tnil"},
        {"judge.value({good, bad}).outcome", "failed"},
        /* figures alone are judged, and so shown as lines */
        {"judge.value({figure('f', 2.5, '2.5'), figure('g', 3, '3')}).outcome", "holds"},
        {"judge.value(figure('f', 2.5, '2.6')).outcome, #judge.value({figure('f', 2.5, '2.5'), figure('g', 2, '3')}).verdicts",
         "failed\t2"},
        {"judge.value(fails(bad)).outcome, judge.value(fails(good)).outcome", "holds\tfailed"},
        {"judge.judge(holds, figure('f', 2.5, '2.5')).line",
         "…figures without a statement; wanted a verdict or a list of them"},
        {"judge.weaker('measured', 'proved'), judge.weaker('proved', 'certified')", "true\tfalse"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_is_measured_beside_a_proof_must_hold_and_does_not_weaken_it(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"m = measure{claim = 'm', value = 1, bound = 2, why = 'a'}; return judge.judge(holds, {proof, also('beside', m)}).line",
         "…; 1 check beside; 12 mutants: 12 refuted, 0 equivalent"},
        {"j(holds, {proof, also('beside', m)})", "holds\tproved"},
        {"j(holds, {proof, also('beside', bad)})", "failed\trefuted"},
        {"j(holds, {also('beside', m)})", "failed\tunknown"},
        {"also('beside', 3)", "…also: v is a number; wanted a verdict"},
        {NULL, NULL}};
    run_cases(cases);
}

/* The line of a list shows the measurement with the widest bound, whatever was measured: on another processor another one comes
 * closest to its bound. */
static void rounding_does_not_choose_the_measurement_that_is_shown(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function at(value, bound) return measure{claim = 'm', value = value, bound = bound, why = 'a'} end\n"
         "function shown(...) return judge.judge(holds, {...}).line:match '≤ ([^ ]+) ' end",
         ""},
        {"shown(at(0, 0), at(2.2e-16, 3e-15)), shown(at(0, 0), at(0, 3e-15)), shown(at(0, 3e-15), at(0, 0))",
         "3e-15\t3e-15\t3e-15"},
        {"shown(at(0, 0), at(0, 0))", "0"},
        {"shown(at(0.5, 1), at(0, 2)), shown(at(0, 1), at(1, 2)), shown(at(1, 2), at(1, 1))", "2\t2\t2"},
        {"judge.judge(holds, {at(1, 2), at(1, 3)}).line:match '; (.-)$'", "the widest of 2 bounds"},
        {NULL, NULL}};
    run_cases(cases);
}

/* f gives a deviation and its bound: one number, or one for each entry. Below 0 a share would hold whatever is measured. */
static void a_bound_of_its_own_is_not_negative(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function of(off, bound) return in_bounds {claim = 'c', f = function() return off, bound end, "
         "samples = 2, seed = 1, why = 'w'} end",
         ""},
        {"function said(off, bound) local v, mean = of(off, bound) return v.strength, mean == 3 end", ""},
        {"said(1, 3)", "measured\ttrue"},
        {"said(array{1, 4}, array{2, 4})", "measured\ttrue"},
        {"said(array{1, 5}, array{2, 4})", "refuted\ttrue"},
        {"function told(text) return in_bounds {claim = 'c', f = function() return 3 * 2^-53, 6 * 2^-53 end, samples = 2, "
         "seed = 1, why = 'w', told = text} end",
         ""},
        {"pair = told '6'", ""},
        {"#pair, pair[1].apart, pair[1].value, pair[2].guard, pair[2].strength",
         "2\t3.0\t0.5\ttrue\tmeasured"},
        {"told('7')[2].strength", "refuted"}, /* a bound that grew or shrank */
        {"of(-1, -2)", "…in_bounds: f gave the bound -2.0; wanted 0 or more"},
        {"of(-1, -2.0)", "…in_bounds: f gave the bound -2.0; wanted 0 or more"},
        {"of(array{1, -1}, array{2, -2})", "…in_bounds: f gave the bound -2.0; wanted 0 or more"},
        {"of(array{1, 1}, array{2, nan})", "…in_bounds: f gave the bound nan; wanted 0 or more"},
        {NULL, NULL}};
    run_cases(cases);
}

static void a_lesson_runs_through_where_no_one_answers(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@stepping", ""},
        {"s = walk('en') return n, m, failed, s:find('step 1 of 3') ~= nil, s:find('一') == nil",
         "1\t1\t1\ttrue\ttrue"},
        {"L2, L = L, A .. '-- %% ref=\"a\"|local hidden = 41|-- %% ref=\"a\"|return hidden + 1|'\n"
         "s2, L = walk('en'), L2\nreturn s2:match('\\n42') ~= nil",
         "true"},
        {"s:match('failed: .-\\n  refuted') ~= nil", "true"},
        {"s = walk('zh') return s:find('一') ~= nil, s:find('One') == nil", "true\ttrue"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Sentences that are too long to be read at once, in each language: formulas, code and titles are no words of theirs. */
static void long_sentences_are_counted(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@long_sentences_are_counted", ""},
        {"long(forty), long(forty .. 'more'), long(forty .. '. More of it.'), long('(A ' .. forty .. ')')",
         "0\t1\t0\t1"},
        {"long('# Title\\n' .. forty), long('> **Title**\\n> ' .. forty), long(forty .. '$\\\\sin x$ `code` 12.')",
         "0\t0\t0"},
        {"long(forty .. '\\n$$x + y$$\\nword'), long('- ' .. forty .. '\\n- ' .. forty), long(forty .. '\\n' .. forty)",
         "0\t0\t1"},
        {"long(ninety, 'zh'), long(ninety .. '字', 'zh'), long(ninety .. '。字', 'zh'), long(ninety .. '，字', 'zh')",
         "0\t1\t0\t1"},
        {NULL, NULL}};
    run_cases(cases);
}

/* The lessons themselves: something to do by step 3 and then soon again, variants, both languages, no long sentence. */
static void the_lessons_are_within_their_bounds(void **state) {
    (void)state;
    static const school_case cases[] = {{"@the_lessons_are_within_their_bounds", ""}, {NULL, NULL}};
    run_cases(cases);
}

/* A text that is shown and stands in English only is counted; names, formulas and text in both languages are not. */
static void english_texts_are_counted(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"counts = require 'phasor.course.counts'\n"
         "function shown(code) return #counts.english {cells = {{kind = 'code', line = 1, code = code}}} end",
         ""},
        {"shown 'print(\"two words\")', shown 'print(says{en = \"two words\", zh = \"x\"})'", "1\t0"},
        {"shown 'figure(\"the mean\", 1, \"1\")', shown 'figure({en = \"the mean\", zh = \"x\"}, 1, \"1\")'",
         "1\t0"},
        {"shown 'figure(\"f(2)\", 1, \"1\")', shown 'x = {claim = \"no weight\"}', shown 'named(\"$\\\\sin x$\", v)'",
         "0\t1\t0"},
        {"shown 'plot(x, {labels = {\"rope\", \"10^4\"}})', shown 'plot(x, {labels = {\"rope\", \"one turn\"}})'",
         "0\t1"},
        {"shown '-- print(\"two words\")', shown 'print((\"%5.2f %s\"):format(a, b))', shown 'x = \"two words\"'",
         "0\t0\t0"},
        {"counts.english({cells = {{kind = 'code', line = 7, code = 'a = 1\\nprint \"x\"\\nprint(\"two words\")'}}})[1][1]",
         "10"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Where long code breaks: outside brackets and strings if it can, indented further than the line; whatever it is, within the width. */
/* Whatever is written behind a key in square brackets: the key has one name in Chinese. */
static void keys_have_one_name_in_chinese(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function found(t, what) local n = 0 for _, v in pairs(t) do\n"
         "n = n + (type(v) == 'table' and found(v, what) or type(v) == 'string' and v:find(what, 1, true) and 1 or 0) end return n end",
         ""},
        {"found(require('phasor.course.messages').of 'zh', '[Enter]')", "0"},
        {"found(require('phasor.course.messages').of 'zh', '[回车]') > 3", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

static void long_code_is_folded_where_it_can_be_read(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"prose = require 'phasor.document.prose'\n"
         "function fold(line, columns) return table.concat(prose.pieces(line, columns), '|') end",
         ""},
        {"fold('f(a, b)', 20)", "f(a, b)"},
        {"fold('local c, d = sym(\"c\", \"integer\"), sym(\"d\", \"natural\")', 42)",
         "local c, d = sym(\"c\", \"integer\"),|    sym(\"d\", \"natural\")"},
        {"fold('  t[i] = prove(layer(P, Q), layer(P, R))', 34)",
         "  t[i] = prove(layer(P, Q),|      layer(P, R))"},
        {"fold('f(\"one two three four five\", x)', 30)", "f(\"one two three four five\",|    x)"},
        {"fold('f(\"one two three four five six\")', 20)", "f(\"one two three|    four five six\")"},
        {"fold('one = two + three -- what it is for', 30)", "one = two + three|    -- what it is for"},
        {"fold('  -- one two three four', 16)", "  -- one two|  -- three four"},
        {"fold('f(\"one -- two\", three, four)', 20)", "f(\"one -- two\",|    three, four)"},
        {"fold('first, second, t = 15, 16', 22)", "first, second,|    t = 15, 16"},
        {"@long_code_is_folded_where_it_can_be_read", ""},
        {NULL, NULL}};
    run_cases(cases);
}

/* After 1 the ending of a noun is left out, and a verb has one; also where several numbers stand in a text. */
static void one_is_no_plural(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"counted = require('phasor.course.messages').counted", ""},
        {"counted('%d claim(s) checked: %d hold[s]', 1, 2)", "1 claim checked: 2 hold"},
        {"counted('%d claim(s) checked: %d hold[s]', 21, 1)", "21 claims checked: 1 holds"},
        {"counted('%d other verdict(s) hold[s]', 1), counted('%d other verdict(s) hold[s]', 0)",
         "1 other verdict holds\t0 other verdicts hold"},
        {"judge.mutants_text({total = 1, refuted = 1, equivalent = 0, undecided = 0}, 'en')",
         "1 mutant: 1 refuted, 0 equivalent"},
        {"judge.mutants_text({total = 3, refuted = 1, equivalent = 1, undecided = 1}, 'zh')",
         "3 个变异体：驳倒 1 个，等价 1 个，未定 1 个"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Inside a lesson, in its language and in lines as wide as the screen; outside one, and for a program, one English line. */
static void printed_verdicts_are_folded(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"session = require 'phasor.session'\nv = measure{value={0, 0}, bound=1, why='r'}", ""},
        {"print(v)", "measured: max deviation 0 ≤ 1 (2 samples)\n"},
        {"@printed_verdicts_are_folded_1",
         "measured: max deviation 0 ≤ 1\n    (2 samples)\n"
         "much before it\tmeasured: max\n    deviation 0 ≤ 1 (2\n    samples)\n"
         "measured: max deviation 0 ≤ 1 (2 samples)\n"},
        {"@printed_verdicts_are_folded_2",
         "实测：最大偏差 0 ≤ 1（2 个样\n    本）\n实测：最大偏差 0 ≤ 1（2 个样\n    本）"
         "measured: max deviation 0 ≤ 1 (2 samples)\n"},
        {"v", "measured: max deviation 0 ≤ 1 (2 samples)"},
        {"session.strength('certified', 'zh'), session.strength('refuted', 'en')", "已严格验证\trefuted"},
        {"session.strength('sure', 'en')", "…no strength \"sure\" in \"en\""},
        {NULL, NULL}};
    run_cases(cases);
}

/* What stands several times in a row among the verdicts of a cell is shown once. */
static void equal_verdicts_are_shown_once(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"L = A .. '-- %% ref=\"a\"|local v = measure{value=0, bound=1, why=\"r\"}|"
         "local w = measure{value=0, bound=2, why=\"r\"}|return {v, v, v, w, v}|'\n"
         "return walk('en'):match('│ return[^\\n]*\\n\\n(.-)\\n\\n')",
         "  measured   largest deviation 0 ≤ 1 (×3)\n"
         "  measured   largest deviation 0 ≤ 2\n"
         "  measured   largest deviation 0 ≤ 1\n"
         "  :why shows the statements themselves, and how each verdict was reached"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_read),
        cmocka_unit_test(malformed_cells_say_where_and_what_is_wanted),
        cmocka_unit_test(lint_finds_what_syntax_cannot),
        cmocka_unit_test(a_claims_value_is_judged),
        cmocka_unit_test(mutants_beside_a_proof_are_judged),
        cmocka_unit_test(what_is_measured_beside_a_proof_must_hold_and_does_not_weaken_it),
        cmocka_unit_test(rounding_does_not_choose_the_measurement_that_is_shown),
        cmocka_unit_test(english_texts_are_counted),
        cmocka_unit_test(long_sentences_are_counted),
        cmocka_unit_test(the_lessons_are_within_their_bounds),
        cmocka_unit_test(a_bound_of_its_own_is_not_negative),
        cmocka_unit_test(a_lesson_runs_through_where_no_one_answers),
        cmocka_unit_test(keys_have_one_name_in_chinese),
        cmocka_unit_test(long_code_is_folded_where_it_can_be_read),
        cmocka_unit_test(one_is_no_plural),
        cmocka_unit_test(printed_verdicts_are_folded),
        cmocka_unit_test(equal_verdicts_are_shown_once),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
