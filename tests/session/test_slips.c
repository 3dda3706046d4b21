/* What people from other languages write: every rule of base/slips.h is met by an input here and by nothing that is right; and values
 * among statements.
 * Sources: base/slips.c session/compile.c session/hint.c session/parts.c */
#include "shared.h"

#include <stdbool.h>

#include "base/slips.h"

static int open_furnished(void **state) {
    if (open_once(state)) return -1;
    OK(s, "x = range(1, 5); A = eye(3); t = {1, 2}");
    return 0;
}

/* Evaluates a text with a word in it, which fails with the hint. */
static void hints(const char *before, const char *word, const char *after, const char *hint) {
    char code[200];
    snprintf(code, sizeof code, "%s%s%s", before, word, after);
    FAILS(s, code, hint);
}

static void names_fields_and_characters(void **state) {
    (void)state;
    for (const ph_slip *r = ph_slips; r->seen; r++) {
        if (r->kind == PH_SLIP_NAME) hints("local function f() return ", r->seen, " end f()", r->hint);
        if (r->kind == PH_SLIP_FIELD) hints("return A.", r->seen, "", r->hint);
        if (r->kind == PH_SLIP_CHAR) hints("return 1 ", r->seen, " 2", r->hint);
    }
}

/* One input for each rule, in the order of the table. */
static const char *const inputs[] = {"import numpy as np",
                                     "from math import sin",
                                     "def f(x): return x",
                                     "fn f(x) { return x }",
                                     "f = lambda x: x",
                                     "lambda x: x",
                                     "class Point: pass",
                                     "let y = 3",
                                     "var y = 3",
                                     "const y = 3",
                                     "del x",
                                     "print x",
                                     "assert x == 1",
                                     "if x == 1 then y = 1 elif y then y = 2 end",
                                     "# a comment",
                                     "// a comment",
                                     "/* a comment */",
                                     "x .* x",
                                     "x ./ x",
                                     "x .^ 2",
                                     "x += 1",
                                     "x -= 1",
                                     "x *= 2",
                                     "x /= 2",
                                     "x++",
                                     "x && x",
                                     "x || x",
                                     "x ** 2",
                                     "x => 1",
                                     "x <> 2",
                                     "function f(x) -> x end",
                                     "if x = 1 then end",
                                     "while x = 1 do end",
                                     "if 1 in t then end",
                                     "y = 3 if true else 4",
                                     "for i in range(3): print(i)",
                                     "A[1, :]",
                                     "A[:, 1]",
                                     "x[2:3]",
                                     "A[1, 2]",
                                     "reshape(x, (5, 1))",
                                     "zeros((2, 3))",
                                     "sum(x, axis=0)",
                                     "y = {1: 2}",
                                     "y = [1, 2]",
                                     "while x > 1:",
                                     "2x",
                                     "A'",
                                     "help rope",
                                     "search rotary",
                                     "y = 0.1(3 - 1)",
                                     "y = 3 x",
                                     "return 3 x",
                                     "y = sin x",
                                     "A(1, 2) = 3",
                                     "y = abs(3) x",
                                     "'a' + 'b'",
                                     "1 + 'b'",
                                     "math.sin(x)",
                                     "for v in t do end",
                                     "if 1 < 2 < 3 then end",
                                     "(1 < 2) < (2 < 3)",
                                     "A:shape()",
                                     "A.shape()",
                                     "sym('x', 'y')",
                                     "(2 + 1)(3 - 1)",
                                     "z = sym 'z'; y = z(z + 1)"};

static void syntax_and_errors(void **state) {
    size_t i = 0, n = sizeof inputs / sizeof *inputs;
    (void)state;
    for (const ph_slip *r = ph_slips; r->seen; r++) {
        if (r->kind != PH_SLIP_CODE && r->kind != PH_SLIP_ERROR) continue;
        OK(s, "x = range(1, 5);");
        if (i == n) fail_msg("no input for the rule \"%s\"", r->seen);
        FAILS(s, inputs[i], r->hint);
        i++;
    }
    assert_int_equal(i, n);
}

static void a_method_called_like_a_function(void **state) {
    (void)state;
    OK(s, "x = range(1, 5);");
    FAILS(s, "x.mean()", "with a colon");
    FAILS(s, "x.dot(x)", "with a colon");
    FAILS(s, "y = 1\nx.reshape(2, 2)", "with a colon");
    assert_string_equal(eval(s, "phasor.mean()"), "error");
    assert_null(strstr(text_of("error", "message"), "colon"));
    assert_string_equal(eval(s, "mean()"), "error");
    assert_null(strstr(text_of("error", "message"), "colon"));
}

static void a_loop_over_an_array(void **state) {
    (void)state;
    FAILS(s, "x = range(1, 3)\nfor v in x do end", "write for i, v in ipairs");
    FAILS(s, "for row in A do end", "ipairs(A)");
    FAILS(s, "for i = 1, 2 do A(1) end", "array");
    assert_null(strstr(text_of("error", "message"), "ipairs"));
}

/* No hint where Lua's words say enough. */
static void other_errors_have_none(void **state) {
    static const char *const plain[] = {"x = = 1", "f(", "error('attempt')", "t.y.z = 1", "x = 1 .. {}"};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        assert_string_equal(eval(s, plain[i]), "error");
        for (const ph_slip *r = ph_slips; r->seen; r++)
            assert_null(strstr(text_of("error", "message"), r->hint));
    }
}

/* ---- values among statements --------------------------------------------------------------------------- */

static size_t results(void) {
    size_t i, n = 0;
    json_t *e;
    json_array_foreach(events, i, e) n +=
        strcmp(json_string_value(json_object_get(e, "event")), "result") == 0;
    return n;
}

static void values_behind_statements(void **state) {
    (void)state;
    SHOWS(s, "a = 3; b = 4; a*b", "12");
    SHOWS(s, "_", "12");
    SHOWS(s, "a = 5\na*b", "20");
    SHOWS(s, "local c = 7; c", "7");
    SHOWS(s, "θ = 1; θ + 1", "2");
    SHOWS(s, "@values_behind_statements", "3");
    SHOWS(s, "for i = 1, 3 do a = i end\na", "3");
    SHOWS(s, "a = 4; tostring(a)", "4");
    OK(s, "tostring(1); tostring(2)\na = 3");
    assert_int_equal(results(), 0);
    SHOWS(s, "a = {\n1,\n2}\n#a", "2");
    OK(s, "1 + 1; 2 + 2");
    assert_int_equal(results(), 2);
    SHOWS(s, "_", "4");
    OK(s, "a = 1; a;");
    assert_int_equal(results(), 0);
}

static void parts_stay_what_lua_reads(void **state) {
    (void)state;
    SHOWS(s, "a = tostring\n(3)\na", "3"); /* a call over two lines, as in Lua */
    OK(s, "a = 1\nb = a\n+ 1");
    SHOWS(s, "b", "2");
    OK(s, "a = 1; if a == 1 then return end a = 2"); /* leaves the input, not a part of it */
    SHOWS(s, "a", "1");
    FAILS(s, "a = 2; b = 3; a b", "parentheses");
    SHOWS(s, "a", "1"); /* nothing of it has run */
    FAILS(s, "a = 1\n\na = a + nil; a", "nil");
    assert_int_equal(int_of("error", "line"), 3);
    assert_string_equal(text_of("error", "source"), "a = a + nil; a");
}

static const char *completeness(const char *code) {
    ask_with(s, json_pack("{s:s, s:s}", "op", "is_complete", "code", code), collect, NULL);
    return text_of("reply", "status");
}

static void parts_that_are_not_whole(void **state) {
    (void)state;
    assert_string_equal(completeness("a = 3; a"), "complete");
    assert_string_equal(completeness("a = 3; a; for i = 1, 2 do"), "incomplete");
    assert_string_equal(completeness("a = 3; a b"), "invalid");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_fields_and_characters),     cmocka_unit_test(syntax_and_errors),
        cmocka_unit_test(a_method_called_like_a_function), cmocka_unit_test(a_loop_over_an_array),
        cmocka_unit_test(other_errors_have_none),          cmocka_unit_test(values_behind_statements),
        cmocka_unit_test(parts_stay_what_lua_reads),       cmocka_unit_test(parts_that_are_not_whole),
    };
    return cmocka_run_group_tests(tests, open_furnished, close_once);
}
