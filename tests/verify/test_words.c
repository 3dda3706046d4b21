/* Every sentence that the prover can give as a reason has its Chinese: the sources are read, and what is left of ASCII letters after the
 * translation is a fault; every word of the frame has both, and witness and conditions are no texts but of who measures.
 * Sources: verify/reasons.c verify/words.c */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "verify/words.h"

/* Names of functions stay as they are typed. */
static const char *const kept[] = {"certify", "log", "Ci", "inf"};
/* Pieces that are put between others, not sentences. */
static const char *const pieces[] = {" at ", ", at ", " with", "inf", "-inf"};

static int seen, missing;

static bool among(const char *s, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s, list[i])) return true;
    return false;
}
#define AMONG(s, list) among(s, list, sizeof list / sizeof *list)

static void put(void *t, const char *s, size_t n) { ph_put(t, s, n); }
static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Two letters or more that are no kept name. */
static bool has_english(const char *s) {
    char word[200];
    for (size_t n; *s; s += n ? n : 1) {
        for (n = 0; letter(s[n]) && n < sizeof word - 1; n++) word[n] = s[n];
        word[n] = 0;
        if (n >= 2 && !AMONG(word, kept)) return true;
    }
    return false;
}

/* "%lld boxes" as it may come out: "1 boxes". A plural's ending, and a place before a word, may be empty. */
static void fill(char *out, const char *form) {
    for (bool glued = false; *form; form++) {
        if (*form != '%') {
            *out++ = *form;
            glued = letter(*form);
            continue;
        }
        for (form++; *form && !strchr("sdfgu", *form); form++) {
        }
        if (!glued && !letter(form[1]) && form[1] != '%') *out++ = '1'; /* root%s, %s%sleft */
    }
    *out = 0;
}

static void check(const char *file, const char *form) {
    char english[2000];
    ph_text zh = {0};
    char *text;
    fill(english, form);
    if (!has_english(english) || AMONG(form, pieces)) return;
    seen++;
    ver_put_reason(english, VER_ZH, put, &zh);
    assert_int_equal(ph_text_take(&text, NULL, &zh, NULL), PH_OK);
    if (has_english(text)) missing++, print_error("%s: no Chinese for \"%s\": %s\n", file, form, text);
    ph_free(text);
}

/* Each string literal of a statement, those beside each other as one. */
static void check_literals(const char *file, const char *s, const char *end) {
    char text[2000];
    size_t n = 0;
    bool open = false, any = false;
    for (; s < end; s++) {
        if (open && *s == '\\') text[n++] = *++s;
        else if (*s == '"') open = !open, any = true;
        else if (open) text[n++] = *s;
        else if (any && *s != ' ' && *s != '\n') {
            text[n] = 0;
            bool error = strstr(text, ": ") && !strchr("%", text[0]) &&
                         strcspn(text, " ") > strcspn(text, ":") && strncmp(text, "sum:", 4) != 0;
            if (!error) check(file, text); /* "integral: …" is raised, never a reason */
            n = 0, any = false;
        }
        assert_true(n < sizeof text - 2);
    }
}

static bool is_open_failure(const char *s, const char *end) {
    static const char *const codes[] = {"PH_EOUTSIDE", "PH_EBUDGET", "PH_EDOMAIN"};
    for (size_t i = 0; i < 3; i++) {
        const char *at = strstr(s, codes[i]);
        if (at && at < end) return true;
    }
    return false;
}

static void check_source(const char *file, const char *text) {
    static const struct {
        const char *call;
        bool failure;
    } calls[] = {{"ph_fail(", true},
                 {"ver_say_unknown(", false},
                 {"outside(", false},
                 {"undefined_at(", false},
                 {"ver_set(which", false},
                 {"ver_set(why", false},
                 {"ver_set(&out->reason_text", false},
                 {"ver_set(&v->reason_text", false},
                 {"snprintf(c->out->reason", false}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (const char *s = text; (s = strstr(s, calls[i].call)) != NULL; s++) {
            const char *end = strchr(s, ';');
            while (end && end[1] == ' ' && end[2] != '\n' && strchr("\"%)", end[1]))
                end = strchr(end + 1, ';');
            if (end && (!calls[i].failure || is_open_failure(s, end))) check_literals(file, s, end + 1);
        }
}

static char *contents(const char *path) {
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    for (char *s = text; (s = strstr(s, "/*")) != NULL;) { /* comments become blanks */
        char *end = strstr(s, "*/");
        memset(s, ' ', end ? (size_t)(end + 2 - s) : strlen(s));
    }
    return text;
}

/* Whose failures are raised to the user and never become a verdict. */
static const char *const raised[] = {"moments.c", "number.c", "rational.c"};

static void check_folder(const char *folder) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[512];
        size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c") || !strncmp(e->d_name, "coq", 3) ||
            AMONG(e->d_name, raised))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        char *text = contents(path);
        check_source(path, text);
        free(text);
    }
    closedir(d);
}

static void every_sentence_of_the_sources_has_its_chinese(void **state) {
    (void)state;
    check_folder("src/verify");
    check_folder("src/expr");
    assert_true(seen > 90);
    assert_int_equal(missing, 0);
}

static void a_sentence_without_a_row_is_found(void **state) {
    (void)state;
    missing = 0;
    check_source("planted",
                 "st = ph_fail(err, PH_EBUDGET, \"the stars \"\n   \"grow cold after %lld years\", n);\n");
    check_source("planted", "return ver_say_unknown(out, VER_DOMAIN, \"0^0 is undefined\", err);\n");
    check_source("planted", "return ph_fail(err, PH_EARG, \"a message of an error\");\n");
    assert_int_equal(missing, 1);
}

/* Conditions and witnesses are data; a measurement alone may bring words, which are the user's. */
static void only_who_measures_brings_words(void **state) {
    (void)state;
    static const char *const folder[] = {"src/verify", "src/lua"};
    int found = 0;
    for (size_t k = 0; k < 2; k++) {
        DIR *d = opendir(folder[k]);
        assert_non_null(d);
        for (struct dirent *e; (e = readdir(d)) != NULL;) {
            char path[512];
            size_t n = strlen(e->d_name);
            if (n < 3 || strcmp(e->d_name + n - 2, ".c") != 0) continue;
            snprintf(path, sizeof path, "%s/%s", folder[k], e->d_name);
            char *text = contents(path);
            bool words = strstr(text, "&v->witness") || strstr(text, "out->witness");
            if (words && (k == 0 || strcmp(e->d_name, "measure.c") != 0))
                fail_msg("%s writes a witness", path);
            found += words;
            free(text);
        }
        closedir(d);
    }
    assert_int_equal(found, 1);
    for (int i = 0; i < VER_WORDS; i++)
        for (int lang = 0; lang < VER_LANGS; lang++)
            if (!ver_word(lang, (ver_word_id)i)) fail_msg("word %d has no text in language %d", i, lang);
}

static void gaps_keep_what_stands_in_them(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"an index is no integer", "下标不是整数"},
        {"x + 1 is no integer", "x + 1 不是整数"},
        {"undecided after 20 boxes for x in [0, 1], y in [2, 3]",
         "未能判定：已查 20 个区域，x ∈ [0, 1], y ∈ [2, 3]"},
        {"no point meets the condition lt(x^2, 0)", "没有点满足条件 lt(x^2, 0)"},
        {"the integral is enclosed, but not to 20 digits", "积分已界定，但未准到 20 位"},
        {"words of nobody", "words of nobody"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ph_text zh = {0};
        char *text;
        ver_put_reason(rows[i][0], VER_ZH, put, &zh);
        assert_int_equal(ph_text_take(&text, NULL, &zh, NULL), PH_OK);
        assert_string_equal(text, rows[i][1]);
        ph_free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_sentence_of_the_sources_has_its_chinese),
                                       cmocka_unit_test(a_sentence_without_a_row_is_found),
                                       cmocka_unit_test(only_who_measures_brings_words),
                                       cmocka_unit_test(gaps_keep_what_stands_in_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
