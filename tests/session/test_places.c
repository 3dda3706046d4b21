/* Whose line an error names: the user's, where our own Lua called a function of C that the user handed over; our own, where the fault is
 * ours. Sources: lua/optimise.c lua/raise.c session/fault.c session/interrupt.c */
#include "shared.h"

/* Cells of one line, whose error names it and begins with these words. */
static void a_function_handed_over_fails_at_the_users_line(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"graph(error, 1, 2)", "bad argument #2 to 'error' (number expected, got Traced)"},
        {"graph((\"\").lower, 1)", "bad argument #1 to 'lower' (string expected, got Traced)"},
        {"f = error; graph(f, 1, 2)", "bad argument #2 to 'error' (number"},
        {"grad(math.floor)(1)", "bad argument #1 to 'floor' (number"},
        {"graph(io.read, 1)", "bad argument #1 to 'read' (string"},
        {"graph(setmetatable, 1, 2)", "bad argument #1 to 'setmetatable' (table"},
        {"graph(print, setmetatable)", "graph: x is "},
        {"jvp(string.rep, 1.0, 1.0)", "bad argument #1 to 'rep' (string"},
        {"hessian(string.rep)(1.0)", "bad argument #1 to 'rep' (string"},
        {"taylor(utf8.char, 1.0, 1.0, 2)", "bad argument #1 to 'char' (number"},
        {"plot({sin, string.rep}, {0, 1})", "bad argument #2 to 'rep' (number"},
        {"lbfgs(string.rep, {1.0})", "bad argument #1 to 'rep' (string"},
        {"adam(table.concat, {1.0})", "invalid value (userdata) at index 1"},
        {"grad(setmetatable({}, {__call = error}))(1.0)", "bad argument #2 to 'error' (number"},
        {"coroutine.wrap(function() graph(error, 1, 2) end)()", "bad argument #2 to 'error' (number"},
        {"coroutine.wrap(graph)(error, 1, 2)", "bad argument #2 to 'error' (number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FAILS(s, rows[i][0], rows[i][1]);
        assert_ptr_equal(strstr(text_of("error", "message"), rows[i][1]), text_of("error", "message"));
        assert_string_equal(text_of("error", "name"), "prompt");
        assert_string_equal(text_of("error", "source"), rows[i][0]);
    }
}

static void so_it_is_where_the_error_is_caught(void **state) {
    (void)state;
    SHOWS(s, "pcall(graph, math.floor, 1)",
          "false\tprompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
    SHOWS(s, "pcall(function() return (graph(math.floor, 1)) end)",
          "false\tprompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
    SHOWS(s, "xpcall(function() return (graph(math.floor, 1)) end, function(m) return 'H ' .. m end)",
          "false\tH prompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
    SHOWS(s, "coroutine.resume(coroutine.create(function() return (graph(math.floor, 1)) end))",
          "false\tprompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
    SHOWS(
        s, "vary(string.rep, {a = {1, 2, 3}}):frames()[1].text",
        "the function of vary raised an error: bad argument #1 to 'string.rep' (string expected, got table)");
    SHOWS(
        s,
        "co = coroutine.wrap(function() local t <close> = setmetatable({}, {__close = function(_, e) seen = e "
        "end}) return (graph(math.floor, 1)) end) return pcall(co)",
        "false\tprompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
    SHOWS(s, "math.type(select(2, pcall(function() return (plot(error, {0, 1})) end)))",
          "integer"); /* no text */
    SHOWS(s, "seen", "prompt:1: bad argument #1 to 'floor' (number expected, got Traced)");
}

/* Chunks named as the laboratory's own stand for its faults. */
static void a_fault_of_ours_names_our_line(void **state) {
    (void)state;
    static const char *const rows[] = {
        "string.rep({}, 1)",
        "local rep = string.rep; return (rep({}, 1))",
        "local nothing; return nothing.field",
        "return (('x'):rep({}))",
        "error('lost')",
        "io.stderr:seek('nowhere')",
        "for k in next, nil do end",
        "for w in ('x'):gmatch '(' do end",
        "local function f() error('deep') end f()",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char code[200];
        snprintf(code, sizeof code, "load([==[\n\n%s]==], '=phasor:src/lib/mine.lua')()", rows[i]);
        FAILS(s, code, "phasor:src/lib/mine.lua:2: ");
        snprintf(code, sizeof code,
                 "select(2, pcall(load([==[\n\n%s]==], '=phasor:src/lib/mine.lua'))):sub(1, 26)", rows[i]);
        SHOWS(s, code, "phasor:src/lib/mine.lua:2:");
    }
    FAILS(s, "load([[local f = ... f({})]], '=phasor:src/lib/mine.lua')(function(x) return x.y.z end)",
          "attempt to index");
    assert_string_equal(text_of("error", "name"), "prompt"); /* a function in Lua has its own line */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_handed_over_fails_at_the_users_line),
        cmocka_unit_test(so_it_is_where_the_error_is_caught),
        cmocka_unit_test(a_fault_of_ours_names_our_line),
    };
    return cmocka_run_group_tests(tests, open_once, close_once);
}
