/* What the session puts in the place of Lua's own: closing and resuming coroutines, load, loadfile, dofile and require; and what inspecting says of
 * every kind of value, in both languages.
 * Sources: session/interrupt.c session/library.c session/inspect.c */
#include <unistd.h>

#include "drive.h"
#include "folder.h"

static ses *s;
static int enter(void **state) {
    s = open_session(false, 0);
    return enter_folder(state);
}
static int leave(void **state) {
    close_session(s);
    return leave_folder(state);
}

static void coroutines_close(void **state) {
    (void)state;
    OK(s,
       "log = {} closer = function(tag, fails) return setmetatable({}, {__close = function(_, e) log[#log + 1] = tag .. tostring(e) "
       "if fails then error('β = ' .. tag) end end}) end");
    OK(s,
       "co = coroutine.create(function() local a <close> = closer 'a' local b <close> = closer 'b' coroutine.yield(1) end)");
    SHOWS(s, "coroutine.resume(co)", "true\t1");
    SHOWS(s, "coroutine.close(co)", "true");
    SHOWS(s, "table.concat(log, ' '), coroutine.status(co)", "bnil anil\tdead");
    SHOWS(s, "coroutine.close(co)", "true"); /* a dead one that ended well */
    SHOWS(s, "coroutine.close(coroutine.create(print))", "true");
    OK(s,
       "co = coroutine.create(function() local a <close> = closer('α', true) coroutine.yield() end) coroutine.resume(co)");
    OK(s, "ok, why = coroutine.close(co)");
    SHOWS(s, "ok, why:match 'β = α$'", "false\tβ = α");
    OK(s, "co = coroutine.create(function() error('lost', 0) end) coroutine.resume(co)");
    SHOWS(s, "coroutine.close(co)", "false\tlost");
    SHOWS(s, "coroutine.close(co)", "true"); /* said once */
    FAILS(s, "coroutine.close(coroutine.running())", "cannot close a running coroutine");
    OK(s, "outer = coroutine.wrap(function() local me = coroutine.running() "
          "return coroutine.wrap(function() return pcall(coroutine.close, me) end)() end)");
    SHOWS(s, "outer()", "false\tcannot close a running coroutine");
    FAILS(s, "coroutine.close(1)", "coroutine expected");
    FAILS(s, "coroutine.resume('x')", "coroutine expected");
}

/* The stack of a coroutine, or of who resumes it, has no room for that many values: an error, and the session goes on. */
static void values_beyond_a_stack_are_refused(void **state) {
    (void)state;
    OK(s,
       "many = {} for i = 1, 250000 do many[i] = i end "
       "function deep(n, f) local a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w if n == 0 then return f() end local x = deep(n - 1, f) return x end");
    OK(s,
       "co = coroutine.create(function() return deep(33000, function() return select('#', coroutine.yield()) end) end) coroutine.resume(co)");
    SHOWS(s, "coroutine.resume(co, table.unpack(many))", "false\ttoo many arguments to resume");
    OK(s, "giver = coroutine.create(function() coroutine.yield(table.unpack(many)) end)");
    SHOWS(s, "deep(33000, function() return select(2, coroutine.resume(giver)) end)",
          "too many results to resume");
    SHOWS(s, "1 + 1", "2");
}

static void put(const char *name, const char *text) {
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static void texts_are_loaded_and_refused(void **state) {
    (void)state;
    put("good.lua", "return 1 + (... and #... or 0)");
    put("bad.lua", "return return");
    SHOWS(s, "loadfile('good.lua')('abc'), dofile 'good.lua'", "4\t1");
    SHOWS(s, "select(2, loadfile 'bad.lua')", "bad.lua:1: unexpected symbol near 'return'");
    SHOWS(s, "(select(2, loadfile 'none.lua'):gsub(':.*', ''))", "cannot open none.lua");
    FAILS(s, "dofile 'bad.lua'", "unexpected symbol near 'return'");
    FAILS(s, "loadfile('good.lua', 'b')", "loadfile: mode is \"b\"; binary chunks are refused, wanted \"t\"");
    FAILS(s, "load('x', 'x', 'b')", "load: mode is \"b\"");
    FAILS(s, "load(function() return {} end)", "load: the reader returned a table; wanted a string");
    OK(s, "left = {'return ', 4, 2} next_piece = function() return table.remove(left, 1) end");
    SHOWS(s, "load(next_piece)()", "42");
    OK(s, "package.path = './?.lua'");
    SHOWS(s, "require 'good' == 1 + #'good'", "true");
    FAILS(s, "require 'bad'", "error loading module 'bad':");
    assert_int_equal(chdir("/"), 0); /* standard input is a text too: of this test, an empty one */
    FILE *none = freopen("/dev/null", "r", stdin);
    assert_non_null(none);
    SHOWS(s, "dofile() == nil", "true");
}

/* The words for a value, in the language that is asked for. */
static void told(const char *name, const char *english, const char *chinese) {
    const char *const want[] = {english, chinese}, *const lang[] = {"en", "zh"};
    for (int k = 0; k < 2; k++) {
        json_t *request = json_pack("{s:s, s:s, s:i, s:s}", "op", "inspect", "code", name, "pos",
                                    (int)strlen(name), "lang", lang[k]);
        assert_string_equal(ask_with(s, request, collect, NULL), "ok");
        char *all = json_dumps(events, JSON_COMPACT);
        if (!strstr(all, want[k])) fail_msg("%s: %s; wanted %s", name, all, want[k]);
        free(all);
    }
}

static void values_are_told_in_both_languages(void **state) {
    (void)state;
    OK(s,
       "f1 = function(a) end f2 = function(a, b, ...) end yes = true no = false t0 = {} t1 = {1} half = 0.5 seven = 7 text = 'héé' array1 = ones(2, 3) "
       "th = coroutine.create(print) file1 = io.stdout c1 = string.rep");
    told("f1", "a function of 1 argument, from", "函数，1 个参数，定义在");
    told("f2", "a function of 2 arguments or more, from", "函数，2 个参数或更多，定义在");
    told("c1", "a built-in function", "内置函数");
    told("yes", "true", "true");
    told("no", "false", "false");
    told("t0", "a table with 0 entries", "表，0 项");
    told("t1", "a table with 1 entry", "表，1 项");
    told("half", "the number 0.5", "数 0.5");
    told("seven", "the integer 7", "整数 7");
    told("text", "a string of 5 bytes", "字符串，5 字节");
    told("array1", "an array: f64 (2, 3)", "数组：f64 (2, 3)");
    told("th", "a thread", "thread");
    told("file1", "a value of type FILE*", "一个值，类型是 FILE*");
}

static void warnings_are_switched(void **state) {
    (void)state;
    OK(s, "warn 'one'");
    assert_non_null(strstr(printed("stderr"), "one"));
    OK(s, "warn '@off' warn('t', 'wo') ");
    assert_null(strstr(printed("stderr"), "two"));
    OK(s, "warn '@on' warn('th', 'ree') warn '@unknown'");
    assert_non_null(strstr(printed("stderr"), "three"));
    assert_null(strstr(printed("stderr"), "unknown"));
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, enter, leave)
    const struct CMUnitTest tests[] = {T(coroutines_close), T(values_beyond_a_stack_are_refused),
                                       T(texts_are_loaded_and_refused), T(values_are_told_in_both_languages),
                                       T(warnings_are_switched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
