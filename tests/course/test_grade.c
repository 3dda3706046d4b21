/* For teachers: hand-ins graded again (right, wrong, looping, memory-eating, damaged), variants by a student's name, a new
 * lesson's scaffold, the lint of all, the glossary.
 * Sources: course/classroom.lua course/desk.lua course/glossary.lua course/grade.lua course/handin.lua course/totals.lua */
#include "school.h"

#include "folder.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void every_kind_of_hand_in_is_graded(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"ada = by('ada', 'function f(x) return x + x end', 'answer = 2')", ""},
        {"graded(ada)",
         "…file,student,lesson,exercise,variant,result,points,of,attempts,hints,state,seal,feedback\n"},
        {"graded(ada)", "…one,,right,4,4,3,1,right,"},
        {"graded(ada)", "…two,1,right,1,1,0,0,open,"},
        {"bob = by('bob', 'function f(x) return x * x end')", ""},
        {"graded(bob)", "…one,,wrong,0,4,3,1,right,"},
        {"graded(bob)", "…f(1) is 1: it is half the right value."},
        {"graded(bob)", "…two,1,missing,0,1,0,0,open,"},
        /* what passes the shown check and not the hidden one has half the points */
        {"graded(by('eve', 'function f(x) return x > 0 and 2 * x or 0 end'))", "…one,,wrong,2,4,"},
        {"graded(by('loop', 'function f(x) while true do pcall(error) end end'))", "…one,,time,0,4,"},
        {"graded(by('eater', 't = {} for i = 1, 1e9 do t[i] = i end'))", "…one,,memory,0,4,"},
        {"graded(by('eater2', 'function f(x) local t = {} for i = 1, 1e9 do t[i] = zeros(1000, 1000) end end'))",
         "…one,,memory,0,4,"},
        {"graded(by('cheat', 'same = function() return true end; feedback = same; base = 3; function f(x) return "
         "base * x end'))",
         "…one,,wrong,0,4,"},
        /* what the laboratory reads at its first use it finds in the process of an answer, too */
        {"graded(by('doors', 'plot({sin}, {0, 1}):svg() vary(function(p) return p.n end, {n = {1, 2}}):frames() tostring(atlas \"rope\") "
         "probe(transformer({vocab = 10, length = 8, d = 16}, 1)) corpus() task \"offset\" function f(x) return 2 * x end'))",
         "…one,,right,4,4,"},
        {"graded(by('exit', 'os.exit(0)'))", "…os.exit is not for answers"},
        {"graded(by('=1+1', 'f = 3'))", "…,'=1+1,"},
        {"graded(by('＝1', 'f = 3'))", "…,'＝1,"},
        {"graded(by('＋1', 'f = 3'))", "…,'＋1,"},
        {"graded(by('－1', 'f = 3'))", "…,'－1,"},
        {"graded(by('＠1', 'f = 3'))", "…,'＠1,"},
        {"graded(by('+1', 'f = 3'))", "…,'+1,"},
        {"graded(by('-1', 'f = 3'))", "…,'-1,"},
        {"graded(by('@1', 'f = 3'))", "…,'@1,"},
        {"graded(by('１＋１', 'f = 3'))", "…,１＋１,"},
        {"graded(by('quote', 'error(\\'a \"b\", c\\')'))",
         "…\"Your answer stops with an error: answer:1: a \"\"b\"\", c\""},
        {"course.main('grade', bob, '--lesson', LESSON, '--lang', 'zh')", "…f(1) 是 1：恰好是正确值的一半。"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_cannot_be_graded_is_said(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"course.main('grade', '/nowhere')",
         "…/nowhere,,,,,unreadable,,,,,,,/nowhere: cannot be opened: No such file or directory\n1"},
        {"course.main('grade', put('x.json', '{'))", "…,unreadable,"},
        {"course.main('grade', put('x.json', '{}'))", "…no hand-in of phasor"},
        {"course.main('grade', put('x.json', '{\"phasor\": \"hand-in\", \"version\": 1}'))", "…wanted "},
        {"course.main('grade', put('x.lua', 'x = 1'))", "…which lesson?"},
        {"course.main('grade', put('x.lua', 'x = 1'), '--lesson', LESSON)", "…no cell with role"},
        {"course.main('grade', '--lesson', LESSON, put('x.json', '{}'), ada)",
         "…one,,right,4,4,"}, /* the others all the same */
        {"course.main('grade', '--lesson', LESSON, put('y.json', (io.open(ada):read('a'):gsub('x %+ x', '2 * x'))))",
         "…right,broken"},
        {"course.main('grade')",
         "phasor: grade: no files; wanted hand-ins (phasor lesson export) or Lua files with "
         "answers\n2"},
        {"course.main('grade', ada, '--seconds', '0')",
         "phasor: grade: --seconds 0; wanted a number above 0\n2"},
        {"course.main('grade', ada, '--memory', 'x')",
         "phasor: grade: --memory x; wanted a number above 0\n2"},
        {"course.main('grade', ada, '--secs', '1')", "…phasor: grade: no option --secs"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Tables for a teacher: by student, by question; texts for the students; no points under a broken seal, unless that is accepted. */
static void a_class_is_summed_up(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function contents(name) local f = assert(io.open(DIR .. '/' .. name)); local text = f:read 'a'; f:close(); return text end",
         ""},
        {"ann, bob = by('ann', 'function f(x) return 2 * x end', 'answer = 2'), by('bob', 'function f(x) return x * x end')",
         ""},
        {"spoilt = put('spoilt.json', (io.open(ann):read('a'):gsub('2 %* x', 'x * 2')))", ""},
        {"graded(ann, bob, spoilt, '--students', DIR .. '/s.csv', '--questions', DIR .. '/q.csv', '--feedback', DIR .. '/fb')",
         "…spoilt.json"},
        {"contents 's.csv'",
         "…student,lesson,points,of,percent,right,wrong,missing,seal,file\nann,turns,5,5,100.0,2,0,0,whole"},
        {"contents 's.csv'", "…bob,turns,0,5,0.0,0,1,1,whole"},
        {"contents 's.csv'", "…ann,turns,0,5,0.0,2,0,0,broken"},
        {"contents 'q.csv'", "…turns,one,4,3,2,1,0,1.33,1,f(1) is 1: it is half the right value."},
        {"contents 'q.csv'", "…turns,two,1,3,2,0,1,0.33,0,\n"},
        {"contents 'fb/turns-ann.txt'", "turns: ann\n5 of 5 points\n\none  4/4  right\ntwo  1/1  right\n"},
        {"contents 'fb/turns-ann-2.txt'", "…seal of this hand-in is broken"},
        {"contents 'fb/turns-bob.txt'", "…    f(1) is 1: it is half the right value."},
        {"graded(spoilt, '--accept-broken')", "…one,,right,4,4,3,1,right,broken"},
        {"graded(spoilt)", "…one,,right,0,4,3,1,right,broken"},
        /* the class in a terminal: what fewest got right first, with the feedback and how many got it */
        {"graded(ann, bob, by('carl', 'function f(x) return x + x end'), '--overview')",
         "…turns: 3 hand-ins\n  exercise                right  wrong  missing  mean\n"
         "  two                     1      0      2        0.33 of 1   ━━━╌╌╌╌╌╌╌\n"
         "  one                     2      1      0        2.67 of 4   ━━━━━━━╌╌╌\n"
         "      1 × f(1) is 1: it is half the right value.\n"},
        {"graded(spoilt, '--overview')", "…spoilt.json: its seal is broken\n  exercise"},
        {"graded(bob, '--overview', '--lang', 'zh')",
         "…turns：1 份作业\n  练习                    对     错     未答     平均分\n"},
        {"graded(bob, '/dev/null', '--overview')", "…not graded: /dev/null: "},
        {"require('phasor.course.totals').file_name('../../José 李/x')", "José-李-x"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Files made to mislead or to end the run: each is answered in its own row, and the next one is graded. */
static void a_hostile_file_costs_its_own_row(void **state) {
    (void)state;
    static const school_case cases[] = {
        /* a hand-in cannot bring the lesson that judges it */
        {"course.main('grade', ada)", "…,unreadable,,,,,,,\"no lesson \"\""},
        {"course.main('grade', ada, '--lesson', 'rope')", "…a lesson of your own is given by --lesson FILE"},
        {"text = io.open(ada):read('a'); graded(put('inf.json', (text:gsub('\"attempts\": 3', '\"attempts\": 1e999'))), ada)",
         "…one,,right,4,4,"},
        {"graded(put('inf.json', (text:gsub('\"attempts\": 3', '\"attempts\": 1e999'))))", "…unreadable"},
        {"graded(put('more.json', (text:gsub('^{', '{\"more\": 1e999,'))))", "…unreadable"},
        {"json.read '[1e999]'", "nil\tbyte 2: a number beyond all doubles"},
        {"json.read('[-0.5e+1]')[1], json.read('[0]')[1]", "-5.0\t0"},
        {"n = 0; for t in ('[01] [1.] [1e] [+1] [-] [.5] [0x1] [1e999]'):gmatch '%S+' do n = n + (json.read(t) and 1 or 0) end; return n",
         "0"},
        {"graded(put('neg.json', (text:gsub('\"attempts\": 3', '\"attempts\": -1'))))",
         "…exercise 1: attempts is -1; wanted a count from 0 to 1000000"},
        {"assert(os.execute('mkfifo ' .. DIR .. '/pipe.json')); graded(DIR .. '/pipe.json', ada)",
         "…one,,right,4,4,"},
        {"graded('/dev/zero', ada)", "…one,,right,4,4,"},
        {"graded(by('esc', 'error(\"\\27]0;title\\7\\27[2J\")'))", "…answer:1: ?]0;title??[2J"},
        {"put('broken.lua', '-- %% [markdown] ref=\"a\" lang=\"en\"\\n-- # B\\n-- %% [markdown] ref=\"a\" lang=\"zh\"\\n-- # B\\n-- "
         "%%\\nerror(1)\\n-- %% role=\"exercise\" ref=\"one\" points=1\\n--- BEGIN SOLUTION\\nx = 1\\n--- END SOLUTION\\n'); course.main('grade', put('broken-a.lua', '-- %% "
         "role=\"exercise\" ref=\"one\"\\nx = 2\\n'), '--lesson', DIR .. '/broken.lua')",
         "…ungraded"},
        {"course.main('grade', put('w.lua', '-- %% role=\"exercise\" ref=\"one\"\\nx = 2\\n'), '--lesson', put('no.lua', '-- %% role=\"hint\"\\n'))",
         "…no.lua:1: "},
        {NULL, NULL}};
    run_cases(cases);
}

/* What an answer tries to reach beyond itself; the names it would use are blocked, so it goes by what the laboratory keeps. */
static void an_answer_reaches_nothing(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"S = require 'phasor.session'; return S.lacks() == nil", "true"},
        {"S.apart(function() return tostring(io.open('/etc/passwd')) end, 1, 32)", "ok\tnil"},
        {"S.apart(function() return tostring((os.execute('true'))) end, 1, 32)", "ok\tnil"},
        {"S.apart(function() return tostring((io.popen('true'))) end, 1, 32)", "ok\tnil"},
        {"S.apart(function() return tostring((pcall(savefig, DIR .. '/x.svg', plot({sin}, {0, 1})))) end, 1, 64)",
         "ok\tfalse"},
        {"S.apart(function() return tostring((os.remove(LESSON))) end, 1, 32)", "ok\tnil"},
        {"S.apart(function() return tostring((os.getenv 'TEST_DIR')) end, 1, 32)", "ok\tnil"},
        {"io.open(LESSON) ~= nil", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

static void lua_files_are_graded_too(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"cells = '-- %% role=\"exercise\" ref=\"one\" points=4\\nfunction f(x)\\n  return 2 * x\\nend\\n\\n-- %% other\\n"
         "error()\\n-- %% role=\"exercise\" ref=\"two\"\\nanswer = given + 1\\n'",
         ""},
        {"course.main('grade', put('zoe.lua', cells), '--lesson', LESSON)", "…one,,right,4,4,0,0,open,none"},
        {"course.main('grade', put('zoe.lua', cells), '--lesson', LESSON)", "…two,1,right,1,1,0,0,open,none"},
        {"course.main('grade', put('zoe.lua', cells), '--lesson', LESSON)", "…zoe.lua,zoe,turns,one,"},
        {"course.main('grade', put('turns-zoe.lua', cells), '--lesson', LESSON)",
         "…turns-zoe.lua,zoe,turns,one,"},
        {"course.main('grade', put('turnstile.lua', cells), '--lesson', LESSON)",
         "…turnstile.lua,turnstile,turns,one,"},
        {"course.main('grade', put('zoe.lua', cells), '--lesson', LESSON, '--out', DIR .. '/t.csv')", "0"},
        {"select(2, io.open(DIR .. '/t.csv'):read('a'):gsub('\\n', ''))", "3"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A variant belongs to a name: the same wherever it is computed, spread over all of them. */
static void variants_belong_to_names(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"e = exercise.of(turns).two; function v(who) return exercise.variant(e, host, who, 'turns') end",
         ""},
        {"v(nil), v 'ada' == v 'ada', v 'ada' >= 1 and v 'ada' <= 30", "1\ttrue\ttrue"},
        {"seen, n = {}, 0; for i = 1, 400 do local k = v('s' .. i); if not seen[k] then seen[k] = 1; n = n + 1 end end; "
         "return n",
         "30"},
        {"exercise.variant(exercise.of(turns).one, host, 'ada', 'turns')", "1"},
        {"graded(by('ida', '', 'answer = given + 1', 'ida'))", "…,right,1,1,"},
        {"v 'ida' ~= 1", "true"},
        {"graded(by('ida', '', 'answer = 2', 'ida'))", "…,wrong,0,1,"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_a_scaffold_is_not_made_for_is_said(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"course.main('lesson', 'new', 'New')", "…wanted a name of small letters"},
        {"course.main('lesson', 'new', '../x')", "…wanted a name of small letters"},
        {"course.main('lesson', 'new')", "phasor: lesson new: wanted one name\n2"},
        {"course.main('lesson', 'new', 'sinusoids')",
         "phasor: lesson new: lessons/sinusoids.lua is there already\n2"},
        {"course.main('lesson', 'lint', 'nonesuch')", "phasor: no lesson \"nonesuch\"\n2"},
        {"course.main('lesson', 'lint', LESSON)", "…exercise \"two\" has no prose that says what to do"},
        {"course.main('lesson', 'export', LESSON)", "…no progress in \"turns\" yet\n2"},
        {NULL, NULL}};
    run_cases(cases);
}

/* In a folder of its own: what is tested may lie where nothing can be written. */
static void a_scaffold_is_in_order(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"course.main('lesson', 'new', 'zz-scaffold')", "…zz-scaffold.lua\n"},
        {"course.main('lesson', 'new', 'zz-scaffold')",
         "phasor: lesson new: zz-scaffold.lua is there already\n2"},
        {"course.main('lesson', 'lint', 'zz-scaffold.lua')",
         "lesson       steps  first do  gap exercises variants English only long\n"
         "zz-scaffold      2         2    0         1       0*            0    0\n"
         "* 1 count to better\n1 lesson, 0 to mend\n0"},
        {"course.main('check', 'zz-scaffold.lua')",
         "0 claims checked: 0 hold, 0 failed; 1 other verdict holds; 1 exercise tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

static void the_glossary_speaks_both_languages(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"glossary 'RoPE'", "…rotary position embedding (RoPE)  ·  旋转位置编码（RoPE）\n    Each pair"},
        {"glossary '位置内插'", "…position interpolation (PI)  ·  位置内插（PI）"},
        {"glossary('高频外推', '--lang=zh')", "…高频外推、低频内插  ·  extrapolating high"},
        {"glossary()", "…\n  wavelength "},
        {"glossary('--lang=zh')", "…\n  旋转位置编码（RoPE） "},
        {"course.main('glossary', 'qqq')", "no term \"qqq\"; glossary() lists them all\n1"},
        /* no formula the terminal cannot show, no term twice, no text missing */
        {"@the_glossary_speaks_both_languages", "true"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(int argc, char **argv) {
    wrk_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_hand_in_is_graded),
        cmocka_unit_test(a_class_is_summed_up),
        cmocka_unit_test(what_cannot_be_graded_is_said),
        cmocka_unit_test(a_hostile_file_costs_its_own_row),
        cmocka_unit_test(an_answer_reaches_nothing),
        cmocka_unit_test(lua_files_are_graded_too),
        cmocka_unit_test(variants_belong_to_names),
        cmocka_unit_test(what_a_scaffold_is_not_made_for_is_said),
        cmocka_unit_test_setup_teardown(a_scaffold_is_in_order, enter_folder, leave_folder),
        cmocka_unit_test(the_glossary_speaks_both_languages)};
    return cmocka_run_group_tests_name("grade", tests, open_with_prelude, close_school);
}
