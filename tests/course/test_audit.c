/* The whole check: lessons in processes of their own, the order of what they find, one that dies; formulas as MathML; the report.
 * Sources: course/audit.lua course/page_report.lua course/pool.lua course/recheck.lua course/report.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

#define LOOKUP "pe/absolute-lookup          holds     measured: max deviation 0 ≤ 1 (1 sample)\n"
#define SHAW   "pe/shaw                     holds     measured: max deviation 0 ≤ 1 (1 sample)\n"
#define TAYLOR "su/taylor                   holds     measured: max deviation 0 ≤ 1 (1 sample)\n"

static void results_stand_in_the_order_of_the_ledger(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"course.main('check', one, two)", LOOKUP SHAW TAYLOR "3 claims checked: 3 hold, 0 failed\n0"},
        {"course.main('check', two, one, '--jobs', '1')",
         LOOKUP SHAW TAYLOR "3 claims checked: 3 hold, 0 failed\n0"},
        {"course.main('check', two, one, '--jobs=64')",
         LOOKUP SHAW TAYLOR "3 claims checked: 3 hold, 0 failed\n0"},
        {"course.main('check', '--jobs', '0')",
         "phasor: check: --jobs 0; wanted a whole number from 1 to 64\n2"},
        {"course.main('check', '--jobs', '2.5')", "…wanted a whole number from 1 to 64\n2"},
        {"course.main('check', '--jobs', 'nan')", "…wanted a whole number from 1 to 64\n2"},
        {"course.main('check', '--jobs', '65')", "…wanted a whole number from 1 to 64\n2"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A proof is one whether the cell gives it bare, with words of its own or with a source; what is refuted is none. */
static void what_an_entry_holds_is_rechecked(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@what_an_entry_holds_is_rechecked",
         "…file x + x = 2*x\nfile x*x = x^2\nfile x + x + x = 3*x\nfile x - x = 0"},
        /* What it is known by is what the laboratory looks for (tests/verify/test_coq.c). */
        {"return require 'phasor.course.recheck'.fingerprint 'x\\nLemma statement :\\n  a = b.\\nProof.\\nreflexivity.\\nQed.\\n'",
         "62a0ee9088b7e509ab6620ad9bef5d13c3530fd7d42ca95bdf88f17c66afaa07"},
        {NULL, NULL}};
    run_cases(cases);
}

/* What a lesson loses is its own, and is said. */
static void a_lesson_that_ends_early_costs_itself_only(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"course.main('check', one, stop)",
         "…" SHAW "sa/mask                     unsettled its lesson ended before it\n"
         "1 claim checked: 1 holds, 0 failed, 1 unsettled, 1 error\n1"},
        {"course.main('check', 'sa/mask', '--strict'); return course.main('check', stop, '--strict')",
         "…: oh\n"},
        {"die = with('crash', '-- %% claim=\"sa/mask\"|local t = setmetatable({}, {__gc = function() end})|"
         "return io.popen(\"kill -SEGV $PPID\"):read \"a\" or 1')\n"
         "return course.main('check', die, one, '--trust')",
         "…crash.lua: the process that checked it died\n" SHAW
         "sa/mask                     unsettled the process that checked it died\n"
         "1 claim checked: 1 holds, 0 failed, 1 unsettled, 1 error\n1"},
        {NULL, NULL}};
    run_cases(cases);
}

static void the_report_is_one_file_that_needs_no_other(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"text = page(one, stop)", "…1 unsettled, 1 error"},
        {"text:match '^<!DOCTYPE html>', text:match '</html>\\n$' ~= nil", "<!DOCTYPE html>\ttrue"},
        {"select(2, text:gsub('<article', '')), select(2, text:gsub('<math', ''))", "2\t6"},
        {"text:find('https?://') or text:find('<script ') or text:find('<link') or text:find('src=')", "nil"},
        {"text:match '<article id=\"pe/shaw\" data' and text:match 'one.lua:5</code>'", "one.lua:5</code>"},
        {"text:match '<button[^>]*value=\"holds\"' ~= nil and text:match '<dt class=\"proved\">' ~= nil and text:match 'id=\"source/pe\"' ~= nil",
         "true"},
        {"text:match '<p>[^<]*stop.lua:6: oh</p>' ~= nil", "true"},
        {"text:find '%d s</p>', page('--time', one):find '%d s</p>' ~= nil",
         "…nil\ttrue"}, /* a clock only when asked for */
        {"page('--lang', 'zh', one):match '论断已验证'", "…论断已验证"},
        {"draw = with('draw', '-- %% ref=\"a\"|display(plot(sin, {0, 1}))|-- %% ref=\"a\" "
         "claim=\"pe/shaw\"', good)",
         ""},
        {"text = page(draw); return text:match '<figure class=\"wide\"><svg', text:match '</figure><p class=\"faint\">' ~= nil",
         "…<figure class=\"wide\"><svg\ttrue"},
        /* What runs of training decided is neither a claim that holds nor one that was measured: it is counted and filtered apart. */
        {"text = page('su/learned-beats-sinusoidal')", "…1 measured in runs, 0 failed"},
        {"text:match 'data%-kinds=\"([^\"]*)\"', text:match '<b>1</b> ([^<]*)</li><li><b>0</b> failed'",
         "runs\tmeasured in runs of training"},
        {"text:match 'value=\"runs\"', text:match 'value=\"measured\"', text:match '<span class=\"outcome runs\">([^<]*)</span></h3>'",
         "value=\"runs\"\tnil\tmeasured in runs"},
        {"select(2, text:gsub('<div class=\"verdict measured\"><div class=\"says\">', '')) > 0", "true"},
        {"course.main('check', one, '--report', one .. '/y.html')", "…one.lua/y.html"},
        {"course.main('check', one, '--report')", "…--report wants a"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_stand_in_the_order_of_the_ledger),
        cmocka_unit_test(what_an_entry_holds_is_rechecked),
        cmocka_unit_test(a_lesson_that_ends_early_costs_itself_only),
        cmocka_unit_test(the_report_is_one_file_that_needs_no_other),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
