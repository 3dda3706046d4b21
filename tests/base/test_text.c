/* Growing text, with every allocation refused in turn; bytes taken from the front; strings of JSON; the nearest of several names.
 * Sources: base/nearest.c base/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"

static void a_text_is_what_was_put(void **state) {
    (void)state;
    ph_text t = {0};
    char want[3 * 2000 + 1], *got;
    size_t n;
    for (int i = 0; i < 2000; i++) {
        ph_putf(&t, "%d", i % 10);
        ph_put(&t, "ab", 2);
        want[3 * i] = (char)('0' + i % 10), want[3 * i + 1] = 'a', want[3 * i + 2] = 'b';
    }
    want[6000] = '\0';
    assert_int_equal(ph_text_take(&got, &n, &t, NULL), PH_OK);
    assert_int_equal(n, 6000);
    assert_string_equal(got, want);
    assert_null(t.s);
    ph_free(got);
}

static void a_formatted_piece_is_never_cut(void **state) {
    (void)state;
    for (int wide = 250; wide < 262; wide++) { /* around the buffer on the stack */
        ph_text t = {0};
        ph_putf(&t, "<%*d>", wide, 7);
        assert_int_equal(t.n, wide + 2);
        assert_int_equal(t.s[wide], '7');
        assert_string_equal(t.s + wide + 1, ">");
        ph_text_drop(&t);
    }
}

static void nothing_put_is_an_empty_text(void **state) {
    (void)state;
    ph_text t = {0};
    char *got;
    assert_int_equal(ph_text_take(&got, NULL, &t, NULL), PH_OK);
    assert_string_equal(got, "");
    ph_free(got);
}

static void write_some(ph_text *t) {
    for (int i = 0; i < 40; i++) ph_putf(t, "%0300d", i);
    ph_put_json(t, "\"", 1);
}

static void a_refusal_is_told_at_the_end(void **state) {
    (void)state;
    int refused = 0;
    for (size_t k = 1; k < 100; k++, refused++) {
        ph_text t = {0};
        char *got = (char *)"";
        ph_alloc_fail_from(k);
        write_some(&t);
        ph_status st = ph_text_take(&got, NULL, &t, NULL);
        ph_alloc_fail_from(0);
        assert_null(t.s);
        if (st == PH_OK) {
            assert_int_equal(strlen(got), 40 * 300 + 4);
            ph_free(got);
            break;
        }
        assert_int_equal(st, PH_ENOMEM);
        assert_null(got);
    }
    assert_in_range(refused, 2, 98);
}

static void expect_json(const char *s, size_t n, const char *want) {
    ph_text t = {0};
    ph_put_json(&t, s, n);
    assert_string_equal(t.s, want);
    ph_text_drop(&t);
}
static void json_strings(void **state) {
    (void)state;
    expect_json("", 0, "\"\"");
    expect_json("a\"\\\n\t\r\x01\x7f/", 9, "\"a\\\"\\\\\\n\\t\\r\\u0001\\u007f/\"");
    expect_json("a\0b", 3, "\"a\\u0000b\"");
    expect_json("θ位", 5, "\"θ位\"");
    expect_json("\xFFz\xE4\xBD", 4, "\"\xEF\xBF\xBDz\xEF\xBF\xBD\"");
}

static void the_nearest_name(void **state) {
    (void)state;
    static const char *const names[] = {"check", "claims", "lesson", "undo", "pe/shift-formula",
                                        "rope",  "order",  NULL};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"chekc", "check"},  {"lessons", "lesson"}, {"nudo", "undo"},
        {"claim", "claims"}, {"rpoe", "rope"},      {"roep", "rope"},
        {"ordre", "order"},  {"ROPE", "rope"},      {"shift", "pe/shift-formula"},
        {"ormul", NULL},     {"zebra", NULL},       {"", NULL},
        {"u", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *near = ph_nearest(cases[i].typed, names);
        if (!cases[i].meant) assert_null(near);
        else assert_string_equal(near ? near : "nothing", cases[i].meant);
    }
    char longer[100];
    memset(longer, 'c', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(ph_nearest(longer, names));
    static const char *const ties[] = {"gamma", "ab", "aa", NULL};
    assert_string_equal(ph_nearest("ac", ties), "aa");
    static const char *const doubled[] = {"sign", "sin", "sinh", "mode", NULL};
    assert_string_equal(ph_nearest("sinn", doubled), "sin");
    assert_string_equal(ph_nearest("siin", doubled), "sin");
    assert_string_equal(ph_nearest("sinnh", doubled), "sinh");
    assert_string_equal(ph_nearest("siNnH", doubled), "sinh");
}

static void bytes_are_taken_from_the_front(void **state) {
    (void)state;
    char out[4] = "....";
    ph_bytes b = {"abcde", 5};
    assert_true(ph_take(&b, out, 2) && !memcmp(out, "ab..", 4));
    assert_false(ph_take(&b, out, 4)); /* one too many: nothing is taken */
    assert_true(b.n == 3 && *b.s == 'c' && !memcmp(out, "ab..", 4));
    assert_true(ph_take(&b, out, 0) && ph_take(&b, out, 3) && !memcmp(out, "cde.", 4));
    assert_true(b.n == 0 && !ph_take(&b, out, 1) && ph_take(&(ph_bytes){NULL, 0}, out, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_what_was_put),
        cmocka_unit_test(a_formatted_piece_is_never_cut),
        cmocka_unit_test(nothing_put_is_an_empty_text),
        cmocka_unit_test(a_refusal_is_told_at_the_end),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(bytes_are_taken_from_the_front),
        cmocka_unit_test(the_nearest_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
