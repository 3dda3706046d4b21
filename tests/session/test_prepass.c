/* The pre-pass: what each rule rewrites, that nothing else is touched, and that columns lead back to the source.
 * Sources: base/slips.c session/lex.c session/nfc.c session/prepass.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "session/lex.h"
#include "session/prepass.h"

typedef struct {
    const char *code, *want;
} row;

/* What becomes of the code with a blank put in at a place, runs of blanks as one; "refused". */
static void with_blank(char got[512], const char *code, size_t place, const char *blank, unsigned flags) {
    char text[256];
    ses_source s;
    ph_err err = {0};
    size_t at, n = 0;
    snprintf(text, sizeof text, "%.*s%s%s", (int)place, code, blank, code + place);
    ph_status st = ses_prepass(&s, text, strlen(text), flags, &at, &err);
    if (st != PH_OK) {
        strcpy(got, "refused");
        return;
    }
    assert_true(s.length < 512);
    for (const char *c = s.text; *c; c++)
        if (*c != ' ' || n == 0 || got[n - 1] != ' ') got[n++] = *c;
    got[n] = 0;
    ses_source_clear(&s);
}

/* Before every token a blank that Lua does not know is as one that it knows; behind a comment it is part of the comment. */
static void blanks_are_blanks(const char *code, unsigned flags) {
    lex_state lx = {code, strlen(code), 0, (flags & SES_FILE) != 0};
    lex_token t = {.kind = LEX_END};
    do {
        lex_kind before = t.kind;
        char known[512], odd[512];
        ses_lex(&lx, &t);
        if (before == LEX_COMMENT) continue;
        with_blank(known, code, t.at, " ", flags);
        with_blank(odd, code, t.at, "\xE3\x80\x80", flags);
        if (strcmp(known, odd) != 0)
            fail_msg("%s, a blank at %zu\n gave %s\n want %s", code, t.at, odd, known);
    } while (t.kind != LEX_END);
}

static void check(const char *code, const char *want, unsigned flags) {
    ses_source s;
    ph_err err = {0};
    size_t at;
    if (ses_prepass(&s, code, strlen(code), flags, &at, &err) != PH_OK)
        fail_msg("%s: refused: %s", code, err.text);
    if (strcmp(s.text, want) != 0) fail_msg("%s\n gave %s\n want %s", code, s.text, want);
    assert_int_equal(s.length, strlen(want));
    ses_source_clear(&s);
    blanks_are_blanks(code, flags);
}

static void names_beyond_ascii(void **state) {
    (void)state;
    static const row rows[] = {
        {"θ = 1/3", "_u3b8_ = 1/3"},
        {"αβ + x₁ + x′", "_u3b1__u3b2_ + x_u2081_ + x_u2032_"},
        {"print(θ, \"θ\", 'θ') -- θ", "print(_u3b8_, \"θ\", 'θ') -- θ"},
        {"s = [==[ θ ]] ]==] .. θ", "s = [==[ θ ]] ]==] .. _u3b8_"},
        {"--[[ θ\nθ ]] θ = 2", "--[[ θ\nθ ]] _u3b8_ = 2"},
        {"s = \"a\\\"θ\\z\n   θ\" .. θ", "s = \"a\\\"θ\\z\n   θ\" .. _u3b8_"},
        {"t.θ = t . λ.x", "t[\"θ\"] = t  [\"λ\"].x"},
        {"t.\n θ()", "t\n [\"θ\"]()"},
        {"{θ = 1, λ; [θ] = 2, μ == 1}", "{[\"θ\"] = 1, _u3bb_; [_u3b8_] = 2, _u3bc_ == 1}"},
        {"f{θ=1}", "f{[\"θ\"]=1}"},
        {"{f = function() a, θ = 1, 2 end, θ = 3}", "{f = function() a, _u3b8_ = 1, 2 end, [\"θ\"] = 3}"},
        {"goto δ ::δ::", "goto _u3b4_ ::_u3b4_::"},
        {"function θ(ω) return ω end", "function _u3b8_(_u3c9_) return _u3c9_ end"},
        {"function θ.x:m(ω) end", "function _u3b8_.x:m(_u3c9_) end"},
        {"function t.θ(x) end", "         t[\"θ\"] = function(x) end"},
        {"function t.θ:m() end", "         t[\"θ\"].m = function(self) end"},
        {"function t.θ:m(a) end", "         t[\"θ\"].m = function(self, a) end"},
        {"function α.β.γ(x) end", "         _u3b1_[\"β\"][\"γ\"] = function(x) end"},
        {"local θ <const> = 1", "local _u3b8_ <const> = 1"},
        {"for θ = 1, 2 do end", "for _u3b8_ = 1, 2 do end"},
        {"a..θ", "a.._u3b8_"},
        {"x = 3 .. θ", "x = 3 .. _u3b8_"},
        {"#t", "#t"},
        {"位置 = 1", "_u4f4d__u7f6e_ = 1"},
        {"x\xC2\xA0= 1", "x = 1"},     /* no-break space */
        {"x\xE3\x80\x80= 1", "x = 1"}, /* ideographic space */
        {"", ""},
        {"a = 0x1p-3 + 1e+5 + 3.", "a = 0x1p-3 + 1e+5 + 3."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(rows[i].code, rows[i].want, 0);
}

static void one_spelling_for_one_name(void **state) {
    (void)state;
    check("\xC2\xB5", "_u3bc_", 0);     /* MICRO SIGN is μ */
    check("\xE2\x84\xA6", "_u3a9_", 0); /* OHM SIGN is Ω */
    check("\xE2\x84\xAB", "_uc5_", 0);  /* ANGSTROM SIGN is Å */
    check("A\xCC\x8A", "_uc5_", 0);     /* A and a combining ring are Å */
    check("\xE2\x84\xAA", "K", 0);      /* KELVIN SIGN is K */
    check("t.e\xCC\x81", "t[\"é\"]", 0);
}

static void locals_of_a_cell(void **state) {
    (void)state;
    static const row rows[] = {
        {"local x = 1", "      x = 1"},
        {"local x", "      x = nil;"},
        {"local x\n(f)()", "      x = nil;\n(f)()"},
        {"local a <const>, b = 1, 2", "      a        , b = 1, 2"},
        {"local a <const>", "      a         = nil;"},
        {"local f <close> = g()", "local f <close> = g()"},
        {"local a, f <close> = 1, g()", "local a, f <close> = 1, g()"},
        {"local f <cnst> = 1", "local f <cnst> = 1"}, /* Lua's own error */
        {"local function θ() local y end", "      function _u3b8_() local y end"},
        {"do local x end local y = 1", "do local x end       y = 1"},
        {"if a then local x elseif b then local y else local z end local w",
         "if a then local x elseif b then local y else local z end       w = nil;"},
        {"repeat local x until x local y = 1", "repeat local x until x       y = 1"},
        {"while a do local x end for i=1,2 do local y end local z=1",
         "while a do local x end for i=1,2 do local y end       z=1"},
        {"f(function() local x end) local y=1", "f(function() local x end)       y=1"},
        {"local = 1", "local = 1"},
        {"local α, β", "      _u3b1_, _u3b2_ = nil;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(rows[i].code, rows[i].want, SES_HOIST);
    check("local x = 1", "local x = 1", 0);
}

static void first_line_of_a_file(void **state) {
    (void)state;
    check("#!/usr/bin/env phasor θ\nθ = 1", "\n_u3b8_ = 1", SES_FILE);
}

static void what_no_program_contains(void **state) {
    (void)state;
    static const struct {
        const char *code, *part;
        size_t at;
    } rows[] = {
        {"x = 2 × 3", "write *", 6},
        {"x != 1", "~=", 2},
        {"θ:ω()", "write obj.ω(obj)", 3},
        {"function t:ω() end", "method name", 11},
        {"x ≤ 1", "le(a, b)", 2},
        {"print(“a”)", "write \"", 6},
        {"f\xEF\xBC\x88"
         "1)",
         "write (", 1},
        {"x = \xFF", "byte 0xFF", 4},
        {"x = 1 \x01", "byte 0x01", 6},
        {"x = −1", "write -", 4},
        {"y = 2θ", "2*θ", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ses_source s;
        ph_err err = {0};
        size_t at = 99;
        if (ses_prepass(&s, rows[i].code, strlen(rows[i].code), 0, &at, &err) != PH_EARG)
            fail_msg("%s: taken", rows[i].code);
        if (!strstr(err.text, rows[i].part)) fail_msg("%s: %s", rows[i].code, err.text);
        assert_int_equal(at, rows[i].at);
        assert_null(s.text);
    }
}

static void columns_lead_back(void **state) {
    (void)state;
    const char *code = "θ.λ = local_ + ω(";
    ses_source s;
    ph_err err;
    size_t at;
    assert_int_equal(ses_prepass(&s, code, strlen(code), 0, &at, &err), PH_OK);
    assert_string_equal(s.text, "_u3b8_[\"λ\"] = local_ + _u3c9_(");
    assert_int_equal(ses_source_offset(&s, 0), 0);
    assert_int_equal(ses_source_offset(&s, 3), 0); /* inside θ */
    assert_int_equal(ses_source_offset(&s, (size_t)(strstr(s.text, "[") - s.text)), strlen("θ."));
    assert_int_equal(ses_source_offset(&s, (size_t)(strstr(s.text, "local_") - s.text)),
                     strstr(code, "local_") - code);
    assert_int_equal(ses_source_offset(&s, (size_t)(strstr(s.text, "_u3c9_") - s.text)),
                     strstr(code, "ω") - code);
    assert_int_equal(ses_source_offset(&s, s.length - 1), strlen(code) - 1);
    assert_int_equal(ses_source_offset(&s, s.length), strlen(code));
    ses_source_clear(&s);
}

static void lines_keep_their_numbers(void **state) {
    (void)state;
    const char *code = fixture("@lines_keep_their_numbers");
    ses_source s;
    ph_err err;
    size_t at;
    assert_int_equal(ses_prepass(&s, code, strlen(code), SES_HOIST, &at, &err), PH_OK);
    int lines[2] = {0, 0};
    for (const char *p = code; *p; p++) lines[0] += *p == '\n';
    for (const char *p = s.text; *p; p++) lines[1] += *p == '\n';
    assert_int_equal(lines[0], lines[1]);
    ses_source_clear(&s);
}

static void names_come_back(void **state) {
    (void)state;
    char text[] = "attempt to index a nil value (global '_u3b8_') x_u2081_ _u41_ _uzz_ _u3b8";
    ses_demangle(text, strlen(text));
    assert_string_equal(text, "attempt to index a nil value (global 'θ') x₁ _u41_ _uzz_ _u3b8");
    assert_true(ses_is_mangled("x_u3b8_"));
    assert_false(ses_is_mangled("x_u41_"));
}

static void how_a_cell_ends(void **state) {
    (void)state;
    static const struct {
        const char *code;
        bool silent, blank;
        int depth;
    } rows[] = {{"x = 1;", true, false, 0}, {"x;  -- done", true, false, 0},
                {"x", false, false, 0},     {" -- ;", false, true, 0},
                {"f({", false, false, 2},   {"for i=1,2 do", false, false, 1},
                {"';'", false, false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ses_source s;
        ph_err err;
        size_t at;
        assert_int_equal(ses_prepass(&s, rows[i].code, strlen(rows[i].code), 0, &at, &err), PH_OK);
        assert_int_equal(s.silent, rows[i].silent);
        assert_int_equal(s.blank, rows[i].blank);
        assert_int_equal(s.depth, rows[i].depth);
        ses_source_clear(&s);
    }
}

/* Every allocation refused in turn: a status, nothing kept, nothing half done. */
static void memory_refused_anywhere(void **state) {
    (void)state;
    const char *code = "local θ, β <const>\nfunction t.λ:m() return {α = [[x]]} end";
    ph_status st = PH_ENOMEM;
    for (size_t n = 1; st == PH_ENOMEM; n++) {
        ses_source s;
        ph_err err;
        size_t at;
        assert_true(n < 200);
        ph_alloc_fail_from(n);
        st = ses_prepass(&s, code, strlen(code), SES_HOIST, &at, &err);
        ph_alloc_fail_from(0);
        if (st == PH_OK) ses_source_clear(&s);
        else assert_null(s.text);
    }
    assert_int_equal(st, PH_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_beyond_ascii),       cmocka_unit_test(one_spelling_for_one_name),
        cmocka_unit_test(locals_of_a_cell),         cmocka_unit_test(first_line_of_a_file),
        cmocka_unit_test(what_no_program_contains), cmocka_unit_test(columns_lead_back),
        cmocka_unit_test(lines_keep_their_numbers), cmocka_unit_test(names_come_back),
        cmocka_unit_test(how_a_cell_ends),          cmocka_unit_test(memory_refused_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
