/* UTF-8: every code point there and back, ill-formed bytes as the Unicode Standard cuts them, columns, names.
 * Sources: base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"

static void every_scalar_value_goes_there_and_back(void **state) {
    (void)state;
    for (uint32_t r = 0; r <= 0x10FFFF + 10; r++) {
        char b[4];
        int n = ph_utf8_encode(b, r);
        if (r > 0x10FFFF || (r >= 0xD800 && r < 0xE000)) {
            assert_int_equal(n, 0);
            continue;
        }
        ph_utf8 u = ph_utf8_decode(b, (size_t)n);
        if (!(n > 0 && u.valid && u.rune == r && u.bytes == n)) fail_msg("U+%04X", r);
        for (int cut = 1; cut < n; cut++)
            if (ph_utf8_decode(b, (size_t)cut).valid) fail_msg("U+%04X cut at %d", r, cut);
    }
}

/* The plain oracle: a sequence is valid exactly when it is some rune's encoding. All two-byte and
 * lead-three-byte ones. */
static void short_sequences_are_valid_only_if_encoded(void **state) {
    (void)state;
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++) {
            char s[3] = {(char)a, (char)b, (char)0x80}, back[4];
            for (size_t n = 1; n <= 3; n++) {
                ph_utf8 u = ph_utf8_decode(s, n);
                assert_true(u.bytes >= 1 && (size_t)u.bytes <= n);
                if (u.valid) {
                    assert_int_equal(ph_utf8_encode(back, u.rune), u.bytes);
                    assert_memory_equal(back, s, (size_t)u.bytes);
                } else assert_int_equal(u.rune, 0xFFFD);
            }
        }
}

static void cleaned(const char *in, size_t n, const char *want) {
    size_t len;
    char *out = ph_utf8_clean(&len, in, n);
    assert_non_null(out);
    assert_int_equal(len, strlen(want));
    assert_string_equal(out, want);
    assert_int_equal(ph_utf8_valid(in, n), n == len && memcmp(in, want, n) == 0);
    ph_free(out);
}

#define BAD "\xEF\xBF\xBD"
static void ill_formed_parts_become_one_replacement_each(void **state) {
    (void)state;
    cleaned("plain θ 位", 12, "plain θ 位");
    cleaned("", 0, "");
    /* Unicode 15, tables 3-8 to 3-11 */
    cleaned("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", 9, BAD BAD BAD BAD BAD BAD BAD BAD "A");
    cleaned("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", 9, BAD BAD BAD BAD BAD BAD BAD BAD "A");
    cleaned("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", 9, BAD BAD BAD BAD BAD "A" BAD BAD "B");
    cleaned("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", 9, BAD BAD BAD BAD "A");
    ph_alloc_fail_from(1);
    char *none = ph_utf8_clean(NULL, "x", 1);
    ph_alloc_fail_from(0);
    assert_null(none);
}

static void widths(void **state) {
    (void)state;
    struct {
        const char *s;
        size_t width, runes;
    } t[] = {{"", 0, 0},     {"abc", 3, 3},       {"θ²", 2, 2},
             {"位置", 4, 2}, {"e\xCC\x81", 1, 2}, {"ａ", 2, 1},
             {"한", 2, 1},   {"—", 1, 1},         {"\xF0\x9F\x98\x80", 2, 1},
             {"\x1b", 0, 1}, {"\xC2\x85", 0, 1},  {"\xE2\x80\x8B", 0, 1},
             {"\xFF", 1, 1}, {"𠀀", 2, 1},        {"∑", 1, 1}};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        size_t n = strlen(t[i].s);
        if (ph_utf8_width(t[i].s, n) != t[i].width) fail_msg("'%s'", t[i].s);
        assert_int_equal(ph_utf8_count(t[i].s, n), t[i].runes);
        assert_int_equal(ph_utf8_offset(t[i].s, n, t[i].runes), n);
    }
}

/* The text cut at ph_utf8_fit again and again, "|" between the lines. */
static void expect_lines(const char *s, size_t columns, const char *want) {
    char got[400] = "";
    for (size_t n = strlen(s); n > 0;) {
        size_t fits = ph_utf8_fit(s, n, columns);
        assert_true(fits > 0 && fits <= n);
        strncat(got, s, fits);
        for (s += fits, n -= fits; n > 0 && *s == ' '; n--) s++;
        if (n > 0) strcat(got, "|");
    }
    assert_string_equal(got, want);
}

static void lines_end_between_words(void **state) {
    (void)state;
    expect_lines("one two three", 20, "one two three");
    expect_lines("one two three", 13, "one two three");
    expect_lines("one two three", 12, "one two|three");
    expect_lines("one two three", 7, "one two|three");
    expect_lines("one  two", 5, "one|two");
    expect_lines("a longerword b", 4, "a|longerword|b");
    expect_lines("ab", 0, "ab");
    expect_lines("  ab cd", 4, "  ab|cd");
    expect_lines("ab cd   ", 5, "ab cd");
    expect_lines("位置编码", 5, "位置|编码");
    expect_lines("位置，编码", 4, "位|置，|编码"); /* no comma begins a line */
    expect_lines("（位）置", 3, "（位）|置");
    expect_lines("x位 y置", 3, "x位|y置");
    expect_lines("e\xCC\x81 f", 1, "e\xCC\x81|f");
    expect_lines("\xFF\xFF b", 2, "\xFF\xFF|b");
    assert_int_equal(ph_utf8_fit("", 0, 3), 0);
}

static void places_of_runes(void **state) {
    (void)state;
    const char *s = "a位e\xCC\x81z"; /* bytes: a 0, 位 1..3, e 4, accent 5..6, z 7 */
    assert_int_equal(ph_utf8_width(s, 8), 5);
    assert_int_equal(ph_utf8_offset(s, 8, 2), 4);
    assert_int_equal(ph_utf8_offset(s, 8, 100), 8);
}

static bool is_name(const char *s) {
    size_t n = strlen(s), i = 0;
    while (i < n) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        if (!u.valid || !(i == 0 ? ph_rune_starts_name(u.rune) : ph_rune_continues_name(u.rune)))
            return false;
        i += (size_t)u.bytes;
    }
    return n > 0;
}

static void names(void **state) {
    (void)state;
    const char *good[] = {"a",    "_x1",  "θ",    "Δθ", "φ_k", "ω₀", "x²", "x′", "é", "e\xCC\x81", "naïve",
                          "位置", "かな", "한글", "Ω",  "ℝ",   "∂f", "∇",  "λ1", "Ⅷ", "ﬁ"};
    const char *bad[] = {"1a",       "²x",    "₀", "→",  "≤",  "a b",      "a-b",
                         "×",        "a→",    "“", "，", "。", "\xCC\x81", "a\xE2\x80\x8B",
                         "\xC2\xA0", "x\xFF", "😀", "∑",  "√",  "′"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!is_name(good[i])) fail_msg("'%s' is a name", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_name(bad[i])) fail_msg("'%s' is no name", bad[i]);
    for (uint32_t r = 0; r <= 0x10FFFF; r++)
        if (ph_rune_starts_name(r) && !ph_rune_continues_name(r))
            fail_msg("U+%04X starts but does not continue", r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_value_goes_there_and_back),
        cmocka_unit_test(short_sequences_are_valid_only_if_encoded),
        cmocka_unit_test(ill_formed_parts_become_one_replacement_each),
        cmocka_unit_test(widths),
        cmocka_unit_test(lines_end_between_words),
        cmocka_unit_test(places_of_runes),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
