/* Parameters to move: which values a range means, what a wrong one is told, the frames, the keys.
 * Sources: lib/ranges.lua lib/vary.lua */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void a_range_means_these_values(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"values {1, 4}", "1 2 3 4 @2"},
        {"values {1, 4, default = 4}", "1 2 3 4 @4"},
        {"values {0, 1, step = 0.25}", "0 0.25 0.5 0.75 1 @3"},
        {"values {0, 1.0}", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 @6"},
        {"values {100, 1e4}", "100 200 500 1000 2000 5000 10000 @4"},
        {"values {150, 2e4, default = 1000}", "150 200 500 1000 2000 5000 10000 20000 @4"},
        {"values {1, 100, log = false, step = 33}", "1 34 67 100 @2"},
        {"values {1, 16, log = true, step = 2}", "1 2 4 8 16 @3"},
        {"values {8, 16, 64}", "8 16 64 @1"},
        {"values {'half', 'interleaved', default = 'interleaved'}", "half interleaved @2"},
        {"values {choices = {1, 2}}", "1 2 @1"},
        {"values {0, 3, play = true}", "0 1 2 3 @1"},
        {NULL, NULL}};
    run_cases(cases);
}

static void a_wrong_range_is_told(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"values {3, 1}", "…n: the range goes from 3 to 1; wanted the lower end first"},
        {"values {1, 1}", "…wanted the lower end first"},
        {"values {1, 0/0}", "…the end is nan; wanted a finite number"},
        {"values {-math.huge, 1}", "…the begin is -inf; wanted a finite number"},
        {"values {0, 10, log = true}", "…a logarithmic range begins at 0; wanted a positive number"},
        {"values {1, 10, step = 0}", "…step is 0; wanted a number above 0"},
        {"values {1, 10, log = true, step = 1}", "…step is 1; wanted a factor above 1"},
        {"values {1, 1e9, step = 1}", "…wanted at most 200"},
        {"values {1, 10, stpe = 1}", "…unknown option 'stpe'; did you mean 'step'?"},
        {"values {1, 10, default = 11}", "…default is 11; wanted a value between 1 and 10"},
        {"values {'a', 'b', default = 'c'}", "…default is"},
        {"values {choices = {}}", "…wanted a list"},
        {"values {1, 4, label = 3}", "…n: label is 3; wanted a text"},
        {"values {1, 4, label = ''}", "…n: label is"},
        {"values {print, 2, 3}", "…choice 1 is a function"},
        {"values(3)", "…wanted a range such as {1, 10}, or choices"},
        {"vary(3, {n = {1, 2}})", "…wanted a function"},
        {"vary(sin, {})", "…the parameters are an empty table"},
        {"vary(sin, {{1, 2}})", "…wanted a name"},
        {NULL, NULL}};
    run_cases(cases);
}

static void frames_are_all_its_states(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"v = vary(function(p) if p.n == 2 then error 'oh' end return p.n .. p.a end, {n = {1, 3}, a = {'x', 'y', 'z'}})\n"
         "f = v:frames()\n"
         "#f, f[1].label, f[1].text, f[9].values.n, v:first(), f[1].svg",
         "9\ta = x, n = 1\t1x\t3\t2\tnil"},
        {"vary(function(p) return p.n end, {n = {1, 2, label = '底数'}}):frames()[2].label",
         "底数 = 2"}, /* its values keep the name */
        {"vary(function(p) return p.n end, {n = {1, 2, label = '底数'}}):frames()[2].values.n", "2"},
        {"f[2].text", "…raised an error: "},
        {"f[2].text", "…oh"},
        {"require 'phasor.course.host'.speak 'zh' return vary(function() error 'oh' end, {n = {1, 2}}):frames()[1].text",
         "…vary 的函数出错："},
        {"v", "…a = x, n = 2\n"},
        {"w = vary(function(p) return plot({1, p.n}) end, {n = {2, 3}})\n"
         "w:frames()[2].svg:match '^<svg' ~= nil, w:frames()[2].text:find('┤') ~= nil",
         "true\ttrue"},
        {"html = getmetatable(w).__mime(w, {'text/html', 'image/svg+xml'})\n"
         "select(2, html['text/html']:gsub('type=\"radio\"', '')), html['text/html']:find('<script') == nil, html['image/svg+xml'] == w:frames()[1].svg",
         "2\ttrue\ttrue"},
        /* too many states: each parameter by itself */
        {"#vary(function(p) return 0 end, {a = {1, 20}, b = {1, 20}}):frames()", "39"},
        {"v.frame", "…unknown field 'frame' of a vary"},
        {NULL, NULL}};
    run_cases(cases);
}

static void keys_move_it(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"v = vary(function(p) return p.n end, {n = {1, 3}})", ""},
        {"plays(v, 'q')", "n = 2"},
        {"plays(v, 'right', 'right', 'left', 'enter')", "n = 2|n = 3|n = 3|n = 2"},
        {"plays(v, 'up', 'down', 'x', 'escape')", "n = 2|n = 3|n = 2|n = 2"},
        {"plays(v)", "n = 2"}, /* no one there */
        {"w = vary(function(p) return 0 end, {a = {1, 3}, b = {1, 3}})", ""},
        {"plays(w, 'right', 'down', 'right', 'down', 'left', 'q')",
         "a = 2, b = 2|a = 3, b = 2|a = 3, b = 2|a = 3, b = 3|a = 3, b = 3|a = 2, b = 3"},
        {"m = vary(function(p) return 0 end, {t = {0, 2, play = true}})", ""},
        {"plays(m, 'none', 'none', 'none', 'space', 'q')", "t = 0|t = 1|t = 2|t = 0|t = 0"},
        {"waited[1] > 0, waited[5]", "true\t-1"},
        /* never more lines or columns than there are */
        {"tall = vary(function(p) return ('line '):rep(100) .. ('\\n'):rep(100) end, {n = {1, 2}})\n"
         "screen = {columns = 40, rows = 10}; plays(tall, 'q'); seen = drawn[1]; screen = nil\n"
         "select(2, seen:gsub('\\n', '')) <= 9, utf8.len(seen:match '\\n([^\\n]*)') <= 40",
         "true\ttrue"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_means_these_values),
        cmocka_unit_test(a_wrong_range_is_told),
        cmocka_unit_test(frames_are_all_its_states),
        cmocka_unit_test(keys_move_it),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
