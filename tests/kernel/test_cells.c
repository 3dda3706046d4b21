/* Cells in a notebook: what they show, what the front end may ask besides, and that busy and idle are balanced (client.h's hear holds
 * every request to it). The real binary, over its sockets.
 * Sources: kernel/answer.c kernel/execute.c kernel/history.c kernel/output.c lib/mime.lua lib/verdict_forms.lua */
#include "client.h"
#include "fixture.h"

static void values_and_text(void **state) {
    (void)state;
    SHOWS("6 * 7", "42");
    assert_int_equal(json_integer_value(json_object_get(c.reply, "execution_count")), 1);
    assert_int_equal(json_integer_value(json_object_get(heard("execute_result", 0), "execution_count")), 1);
    assert_string_equal(krn_text(heard("execute_input", 0), "code"), "6 * 7");
    run("θ = 3");
    SHOWS("θ + 1", "4");
    SHOWS("_ + 1", "5");
    PRINTS("print 'a'; io.stderr:write 'b'; print 'c'", "a\nc\n");
    char *err = streamed("stderr");
    assert_string_equal(err, "b");
    ph_free(err);
    run("42;");
    assert_null(heard("execute_result", 0));
    run("   \n");
    assert_int_equal(json_integer_value(json_object_get(c.reply, "execution_count")), 6);
}

static void values_have_richer_forms(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"eye(2)", "text/html"},
        {"sin(sym 'a')", "text/latex"},
        {"prove(sin(sym 'a')^2 + cos(sym 'a')^2, 1)", "text/html"},
        {"plot({1, 2, 3})", "image/svg+xml"},
        {"{prove(sin(sym 'a'), 1), named = prove(sym 'a', 2)}", "text/html"},
        {"eye(2), 7", "text/html"},
        {"1, plot({1, 2})", "text/html"},
        {"matrix{{sym 'a', 1}}", "text/latex"},
        {"array{{1, 2}, {3, 4}}, 7", "text/html"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(rows[i][0]);
        const json_t *data = json_object_get(heard("execute_result", 0), "data");
        if (!*krn_text(data, rows[i][1])) fail_msg("%s has no %s", rows[i][0], rows[i][1]);
        assert_true(*krn_text(data, "text/plain") != 0);
    }
    run("{1, 2, 3}, 'x'");
    assert_null(json_object_get(json_object_get(heard("execute_result", 0), "data"), "text/html"));
    run("plot({1, 2, 3})"); /* in a page it follows the notebook's theme, and its names are its own */
    const char *page = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_non_null(strstr(page, "data-jp-theme-light"));
    assert_null(strstr(page, "prefers-color-scheme"));
    run("named('so it is', prove(sin(sym 'a'), sin(sym 'a')))");
    page = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_non_null(strstr(page, "<div>so it is</div><div><math"));
    assert_non_null(strstr(value(), "so it is: proved for all real a"));
    run("{prove(sin(sym 'a'), sin(sym 'a')), prove(sin(sym 'a'), 1)}");
    page = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_non_null(strstr(page, "phasor-proved"));
    assert_non_null(strstr(page, "phasor-refuted"));
}

static void several_values_have_names(void **state) {
    (void)state;
    SHOWS("qr({{1, 0}, {0, 1}})", "Q:\nf64 (2, 2)\n  1  0\n  0  1\nR:\nf64 (2, 2)\n  1  0\n  0  1");
    const char *page = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_true(strncmp(page, "<div><i>Q</i><table>", 20) == 0);
    assert_non_null(strstr(page, "<div><i>R</i><table>"));
    SHOWS("slogdet({{1, 0}, {0, 1}})", "sign: 1.0\tlog|det|: 0.0");
    SHOWS("slogdet({{1, 0}, {0, 1}}), 7", "1.0\t7");
}

static void silence_and_history(void **state) {
    (void)state;
    request(KRN_SHELL, "execute", json_pack("{s:s, s:b}", "code", "x = 5 print(x) display(x)", "silent", 1));
    assert_int_equal(json_array_size(c.heard), 0);
    assert_int_equal(json_integer_value(json_object_get(c.reply, "execution_count")), 0);
    request(KRN_SHELL, "execute", json_pack("{s:s, s:b}", "code", "x + 1", "store_history", 0));
    assert_string_equal(value(), "6");
    assert_int_equal(json_integer_value(json_object_get(c.reply, "execution_count")), 0);
    SHOWS("x", "5");
    request(KRN_SHELL, "history",
            json_pack("{s:s, s:b, s:b, s:i}", "hist_access_type", "tail", "output", 1, "raw", 1, "n", 9));
    char *text = json_dumps(json_object_get(c.reply, "history"), JSON_COMPACT);
    assert_string_equal(text, "[[1,1,[\"x\",\"5\"]]]");
    free(text);
}

/* What of the history a request selects, as JSON. */
static void remembers(json_t *wanted, const char *entries) {
    request(KRN_SHELL, "history", wanted);
    char *text = json_dumps(json_object_get(c.reply, "history"), JSON_COMPACT);
    assert_string_equal(text, entries);
    free(text);
}
static json_t *searched(const char *pattern) {
    return json_pack("{s:s, s:s}", "hist_access_type", "search", "pattern", pattern);
}

static void history_is_searched(void **state) {
    (void)state;
    static const char *const inputs[] = {"u = 1", "αβ = 2", "u = 1", "uu = 3"};
    for (int i = 0; i < 4; i++) run(inputs[i]);
    remembers(searched("u*"), "[[1,1,\"u = 1\"],[1,3,\"u = 1\"],[1,4,\"uu = 3\"]]");
    remembers(searched("u"), "[]"); /* the whole input matches, or nothing does */
    remembers(searched("*u = ?"), "[[1,1,\"u = 1\"],[1,3,\"u = 1\"],[1,4,\"uu = 3\"]]");
    remembers(searched("?u*3*"), "[[1,4,\"uu = 3\"]]");
    remembers(searched("*?? = 2"), "[[1,2,\"αβ = 2\"]]");
    remembers(searched("?? = ?"),
              "[[1,2,\"αβ = 2\"],[1,4,\"uu = 3\"]]"); /* a character, of however many bytes */
    remembers(searched("??? = ?"), "[]");
    remembers(json_pack("{s:s, s:s, s:b}", "hist_access_type", "search", "pattern", "u =*", "unique", 1),
              "[[1,3,\"u = 1\"]]");
    remembers(json_pack("{s:s, s:s, s:i}", "hist_access_type", "search", "pattern", "", "n", 1),
              "[[1,4,\"uu = 3\"]]");
    remembers(
        json_pack("{s:s, s:i, s:i, s:i}", "hist_access_type", "range", "session", 0, "start", 2, "stop", 4),
        "[[1,2,\"αβ = 2\"],[1,3,\"u = 1\"]]");
    remembers(json_pack("{s:s, s:i, s:i}", "hist_access_type", "range", "session", 1, "start", 4),
              "[[1,4,\"uu = 3\"]]");
    remembers(json_pack("{s:s, s:i}", "hist_access_type", "range", "session", -1), "[]");
    remembers(json_pack("{s:s}", "hist_access_type", "all"), "[]");
}

/* A line of its own that changes in its place, after half a second, and not more often than four times a second. */
static void a_long_cell_tells_how_far_it_is(void **state) {
    (void)state;
    run("progress('at once', 0.1)");
    assert_null(heard("display_data", 0));
    run("local function wait(s) local t = os.clock() repeat until os.clock() - t > s end\n"
        "wait(0.6) progress('half', 0.5) progress('a little more', 0.51) wait(0.3) progress('nearly')");
    const json_t *first = heard("display_data", 0), *then = heard("update_display_data", 0);
    assert_string_equal(krn_text(json_object_get(first, "data"), "text/plain"), "half  50 %");
    assert_string_equal(krn_text(json_object_get(then, "data"), "text/plain"), "nearly");
    const char *name = krn_text(json_object_get(first, "transient"), "display_id");
    assert_true(*name);
    assert_string_equal(krn_text(json_object_get(then, "transient"), "display_id"), name);
    assert_null(heard("display_data", 1));
    const json_t *end = heard("update_display_data", 1); /* the cell is over: nothing stands there */
    assert_string_equal(krn_text(json_object_get(end, "data"), "text/plain"), "");
    assert_null(heard("update_display_data", 2));
}

static void expressions_beside_the_cell(void **state) {
    (void)state;
    request(KRN_SHELL, "execute",
            json_pack("{s:s, s:{s:s, s:s, s:s}}", "code", "y = 2", "user_expressions", "a", "y * 3", "b",
                      "error 'oh'", "c", "=="));
    const json_t *all = json_object_get(c.reply, "user_expressions");
    assert_string_equal(krn_text(json_object_get(json_object_get(all, "a"), "data"), "text/plain"), "6");
    assert_string_equal(krn_text(json_object_get(all, "b"), "status"), "error");
    assert_string_equal(krn_text(json_object_get(all, "c"), "status"), "error");
    assert_null(heard("execute_result", 0));
}

static void errors_say_where(void **state) {
    (void)state;
    assert_string_equal(run(fixture("@errors_say_where")), "error");
    const json_t *error = heard("error", 0), *trace = json_object_get(error, "traceback");
    assert_string_equal(krn_text(error, "evalue"), "[1]:2: oh");
    assert_string_equal(krn_text(c.reply, "evalue"), "[1]:2: oh");
    assert_true(json_array_size(trace) >= 2);
    assert_non_null(strstr(json_string_value(json_array_get(trace, 1)), "error 'oh'"));
    assert_string_equal(run("x = = 1"), "error");
    SHOWS("1", "1");
}

/* The cells that wait behind a failed one are not run, unless it said that they may be. */
static void cells_behind_an_error(void **state) {
    (void)state;
    char ids[3][40], *status[3];
    for (int careful = 1; careful >= 0; careful--) {
        run("z = 0 require('phasor').sum(require('phasor').zeros(3))");
        char content[100];
        snprintf(content, sizeof content, "{\"code\": \"error 'first'\", \"stop_on_error\": %s}",
                 careful ? "true" : "false");
        post(KRN_SHELL, "execute_request",
             "{\"code\": \"for i = 1, 3e7 do end\"}"); /* while the others arrive */
        char before[40];
        strcpy(before, c.id);
        for (int i = 0; i < 3; i++) {
            post(KRN_SHELL, "execute_request", i ? "{\"code\": \"z = z + 1\"}" : content);
            strcpy(ids[i], c.id);
        }
        take_reply(KRN_SHELL, before, "execute_reply");
        for (int i = 0; i < 3; i++) {
            take_reply(KRN_SHELL, ids[i], "execute_reply");
            status[i] = strdup(krn_text(c.reply, "status"));
        }
        hear(ids[2]);
        assert_string_equal(status[0], "error");
        for (int i = 1; i < 3; i++) assert_string_equal(status[i], careful ? "aborted" : "ok");
        SHOWS("z", careful ? "0" : "2");
        for (int i = 0; i < 3; i++) free(status[i]);
    }
}

static void displays_and_their_updates(void **state) {
    (void)state;
    run("d = display('a') e = display('b') display('c', d)");
    const json_t *a = heard("display_data", 0), *b = heard("display_data", 1),
                 *u = heard("update_display_data", 0);
    const char *name = krn_text(json_object_get(a, "transient"), "display_id");
    assert_true(*name != 0);
    assert_string_not_equal(name, krn_text(json_object_get(b, "transient"), "display_id"));
    assert_string_equal(name, krn_text(json_object_get(u, "transient"), "display_id"));
    char *kept = strdup(name);
    run("display('later', d)");
    assert_string_equal(krn_text(json_object_get(heard("update_display_data", 0), "transient"), "display_id"),
                        kept);
    run("f = display('lost') os.execute('kill -9 $PPID')");
    char *lost = strdup(krn_text(json_object_get(heard("display_data", 0), "transient"), "display_id"));
    run("f = display('new')"); /* the session's number is that of the lost one */
    const char *fresh = krn_text(json_object_get(heard("display_data", 0), "transient"), "display_id");
    assert_string_not_equal(fresh, lost);
    assert_string_not_equal(fresh, kept);
    free(kept);
    free(lost);
    run("print 'x' clear() clear(true)");
    assert_false(krn_flag(heard("clear_output", 0), "wait", true));
    assert_true(krn_flag(heard("clear_output", 1), "wait", false));
}

static void programs_are_heard_in_order(void **state) {
    (void)state;
    PRINTS("print 'a' os.execute 'echo b; echo d >&2' print 'c'", "a\nb\nc\n");
    char *err = streamed("stderr");
    assert_string_equal(err, "d\n");
    ph_free(err);
    PRINTS("os.execute 'printf \"\\\\316\"; sleep .1; printf \"\\\\270\"'",
           "θ"); /* a character in two pieces */
    PRINTS(
        "for i = 1, 20 do print(i) os.execute('echo ' .. i) end",
        "1\n1\n2\n2\n3\n3\n4\n4\n5\n5\n6\n6\n7\n7\n8\n8\n9\n9\n10\n10\n11\n11\n12\n12\n13\n13\n14\n14\n15\n15\n16\n16\n17\n17\n"
        "18\n18\n19\n19\n20\n20\n");
    run("os.execute 'head -c 300000 /dev/zero | tr \"\\\\0\" x'"); /* more than a pipe holds */
    char *all = streamed("stdout");
    assert_int_equal(strlen(all), 300000);
    ph_free(all);
}

static void a_flood_is_complete(void **state) {
    (void)state;
    run("for i = 1, 200000 do print(i) end");
    char *all = streamed("stdout"), *at = all;
    for (long i = 1; i <= 200000; i++) assert_int_equal(strtol(at, &at, 10), i);
    assert_string_equal(at, "\n");
    assert_true(json_array_size(c.heard) < 3000);
    ph_free(all);
}

static void prompt_habits_work_here(void **state) {
    (void)state;
    run("q = 1");
    run("q = 2");
    PRINTS(":undo", "back to before: q = 2\n");
    SHOWS("q", "1");
    run("? rope");
    assert_non_null(
        strstr(krn_text(json_object_get(heard("display_data", 0), "data"), "text/plain"), "rope(x"));
    run("?? rope");
    assert_non_null(heard("display_data", 0));
    assert_string_equal(run("??? matrix"), "ok");
    run("? it's"); /* a name that is none, with a quote in it */
    assert_string_equal(run(":nonsense"), "error");
    assert_string_equal(run(":help"), "ok");
    SHOWS("q", "1");
}

/* Cursors are counted in characters. */
static void completion_counts_characters(void **state) {
    (void)state;
    const struct {
        const char *code;
        int cursor;
        const char *match;
        int start, end;
    } rows[] = {{"θθθ = 1 sinusoi", 15, "sinusoidal", 8, 15},
                {"\\the", 4, "θ", 0, 4},
                {"x = θ_lon", 9, "θ_long", 4, 9},
                {"x = θ_lon", 5, "θ_long", 4, 5},
                {"A.sha", 5, "shape", 2, 5},
                {"string.rev", 1000, "reverse", 7, 10},
                {"sinusoi", -5, NULL, 0, 0}};
    run("θ_long = 1 A = eye(2)");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        request(KRN_SHELL, "complete",
                json_pack("{s:s, s:i}", "code", rows[i].code, "cursor_pos", rows[i].cursor));
        const json_t *matches = json_object_get(c.reply, "matches");
        bool found = !rows[i].match;
        for (size_t j = 0; rows[i].match && j < json_array_size(matches); j++)
            found |= strcmp(json_string_value(json_array_get(matches, j)), rows[i].match) == 0;
        if (!found) fail_msg("%s at %d: no %s", rows[i].code, rows[i].cursor, rows[i].match);
        assert_int_equal(json_integer_value(json_object_get(c.reply, "cursor_start")), rows[i].start);
        assert_int_equal(json_integer_value(json_object_get(c.reply, "cursor_end")), rows[i].end);
    }
}

static void questions_about_text(void **state) {
    (void)state;
    request(KRN_SHELL, "inspect",
            json_pack("{s:s, s:i, s:i}", "code", "x = rope(θ", "cursor_pos", 6, "detail_level", 1));
    assert_true(krn_flag(c.reply, "found", false));
    assert_non_null(strstr(krn_text(json_object_get(c.reply, "data"), "text/markdown"), "rope(x"));
    request(KRN_SHELL, "inspect", json_pack("{s:s, s:i}", "code", "nosuchname", "cursor_pos", 3));
    assert_false(krn_flag(c.reply, "found", true));
    assert_string_equal(request(KRN_SHELL, "is_complete", json_pack("{s:s}", "code", "for i = 1, 2 do")),
                        "incomplete");
    assert_string_equal(krn_text(c.reply, "indent"), "  ");
    assert_string_equal(request(KRN_SHELL, "is_complete", json_pack("{s:s}", "code", "θ = 1")), "complete");
    request(KRN_SHELL, "comm_info", json_object());
    assert_int_equal(json_object_size(json_object_get(c.reply, "comms")), 0);
    request(KRN_SHELL, "kernel_info", json_object());
    assert_string_equal(krn_text(json_object_get(c.reply, "language_info"), "name"), "lua");
}

static int open_chinese(void **state) {
    (void)state;
    return open_kernel_in("zh");
}

static void verdicts_speak_the_notebooks_language(void **state) {
    (void)state;
    run("prove(sin(sym 'a')^2 + cos(sym 'a')^2, 1)");
    assert_non_null(strstr(value(), "已证明"));
    assert_non_null(
        strstr(krn_text(json_object_get(heard("execute_result", 0), "data"), "text/latex"), "已证明"));
    run("{a = {prove(sin(sym 'a')^2 + cos(sym 'a')^2, 1)}, mutants(sin(sym 'a'), sin(sym 'a'))}");
    assert_non_null(strstr(value(), "a: 已证明"));
    assert_non_null(
        strstr(krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html"), ">已证明</b>"));
    assert_null(strstr(krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html"), "0x"));
    run("atlas('rope')");
    assert_non_null(strstr(value(), "* 相对性   已证明，对一切 m、n 与步长 c，任意 q、k\n"));
    const char *row = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_non_null(strstr(row, "旋转位置编码（旋转 q 与 k）</div><table>"));
    assert_non_null(strstr(row, ">已反驳</b>，反例：score("));
    run("mutants(sin(sym 'a')^2 + cos(sym 'a')^2, 1)");
    row = krn_text(json_object_get(heard("execute_result", 0), "data"), "text/html");
    assert_non_null(strstr(row, "个变异体：驳倒"));
    SHOWS("slogdet({{1, 0}, {0, 1}})", "符号: 1.0\tlog|det|: 0.0");
    SHOWS("1", "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(values_and_text),
        CASE(values_have_richer_forms),
        CASE(several_values_have_names),
        CASE(silence_and_history),
        CASE(history_is_searched),
        CASE(a_long_cell_tells_how_far_it_is),
        CASE(expressions_beside_the_cell),
        CASE(errors_say_where),
        CASE(cells_behind_an_error),
        CASE(displays_and_their_updates),
        CASE(programs_are_heard_in_order),
        CASE(a_flood_is_complete),
        CASE(prompt_habits_work_here),
        CASE(completion_counts_characters),
        CASE(questions_about_text),
        cmocka_unit_test_setup_teardown(verdicts_speak_the_notebooks_language, open_chinese, close_kernel),
    };
    return cmocka_run_group_tests(tests, open_tests, NULL);
}
