/* The table of symbols: in order, every name once, every character UTF-8 of one rune where it stands for one.
 * Sources: base/symbols.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/symbols.h"
#include "base/utf8.h"

static void names_are_in_order_and_once(void **state) {
    (void)state;
    for (const ph_symbol *s = ph_symbols; s[1].name; s++)
        if (strcmp(s->name, s[1].name) >= 0) fail_msg("%s before %s", s->name, s[1].name);
}

static void a_symbol_is_one_character(void **state) {
    (void)state;
    for (const ph_symbol *s = ph_symbols; s->name; s++) {
        size_t n = strlen(s->character);
        if (!ph_utf8_valid(s->character, n)) fail_msg("%s is no UTF-8", s->name);
        if (s->kind == PH_FUNCTION || s->kind == PH_SPACE || s->kind == PH_DROPPED) continue;
        if (ph_utf8_count(s->character, n) != 1) fail_msg("%s is not one character", s->name);
        if (s->kind == PH_ACCENT) assert_int_equal(ph_utf8_width(s->character, n), 0);
    }
}

static void a_letter_leads_back_to_its_name(void **state) {
    (void)state;
    for (const ph_symbol *s = ph_symbols; s->name; s++) {
        if (s->kind != PH_LETTER) continue;
        const ph_symbol *back = ph_symbol_of(s->character, strlen(s->character));
        assert_non_null(back);
        assert_string_equal(back->character, s->character);
        assert_ptr_equal(ph_find_symbol(s->name, strlen(s->name)), s);
        uint32_t rune = ph_utf8_decode(s->character, strlen(s->character)).rune;
        if (rune >= 0x370 && rune < 0x400) assert_ptr_equal(back, s); /* of Greek letters each has one name */
    }
    assert_null(ph_find_symbol("thet", 4));
    assert_null(ph_symbol_of("q", 1));
}

static void scripts(void **state) {
    (void)state;
    static const char *const cases[][3] = {{"2", "²", "₂"},  {"−", "⁻", "₋"}, {"β", "ᵝ", "ᵦ"},
                                           {"T", "ᵀ", NULL}, {"φ", "ᵠ", "ᵩ"}, {"⊤", "ᵀ", NULL},
                                           {"Q", NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int down = 0; down < 2; down++) {
            const char *got = ph_script(cases[i][0], strlen(cases[i][0]), down ? '_' : '^');
            const char *want = cases[i][1 + down];
            assert_string_equal(got ? got : "none", want ? want : "none");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_in_order_and_once),
        cmocka_unit_test(a_symbol_is_one_character),
        cmocka_unit_test(a_letter_leads_back_to_its_name),
        cmocka_unit_test(scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
