/* A verdict says one line, keeps its worst sample, and never lets NaN pass.
 * Sources: verify/text.c verify/verdict.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "expr/expr.h"
#include "verify/told.h"
#include "verify/verdict.h"

#define REQUIRE(call) assert_int_equal((call), PH_OK)

static void only_finite_and_within_the_bound_is_accepted(void **state) {
    (void)state;
    assert_true(ver_accepts(1, 1));
    assert_true(ver_accepts(-1, 1));
    assert_true(ver_accepts(0, 0));
    assert_false(ver_accepts(nextafter(1, 2), 1));
    assert_false(ver_accepts(-2, 1));
    assert_false(ver_accepts(NAN, 1));
    assert_false(ver_accepts(0, NAN));
    assert_false(ver_accepts(INFINITY, INFINITY));
    assert_false(ver_accepts(0, INFINITY));
    assert_false(ver_accepts(0, -1));
}

static void the_worst_sample_is_kept(void **state) {
    (void)state;
    ver_tally t = VER_TALLY_START;
    assert_true(ver_tally_add(&t, 0, 1));
    assert_true(ver_tally_add(&t, -0.5, 1));
    assert_false(ver_tally_add(&t, 0.5, 1)); /* of equals the first stays */
    assert_false(ver_tally_add(&t, 0.25, 1));
    assert_int_equal(t.worst, 1);
    assert_false(t.uneven);
    assert_true(ver_tally_add(&t, 0.9, 1.2)); /* 0.75 of its bound */
    assert_true(t.uneven);
    assert_int_equal(t.refused, 0);
    assert_true(ver_tally_add(&t, NAN, 1));
    assert_false(ver_tally_add(&t, 7, 1));
    assert_int_equal(t.refused, 2);
    assert_int_equal(t.worst, 5);
    assert_int_equal(t.samples, 7);
}

static void a_bound_of_zero_wants_exactness(void **state) {
    (void)state;
    ver_tally t = VER_TALLY_START;
    assert_true(ver_tally_add(&t, 0, 0));
    assert_int_equal(t.refused, 0);
    assert_true(ver_tally_add(&t, 1e-300, 0));
    assert_true(
        ver_tally_add(&t, 5, 0)); /* both unbounded times their bound: the larger one is the witness */
    assert_int_equal(t.refused, 2);
    assert_int_equal(t.worst, 2);
}

static void a_measurement_of_nothing_settles_nothing(void **state) {
    (void)state;
    ver_verdict v;
    ver_init(&v);
    ver_tally t = VER_TALLY_START;
    REQUIRE(ver_tally_end(&v, &t, NULL));
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_false(ver_holds(&v));
    ver_clear(&v);
    ver_clear(&v);
}

static void expect_chinese(const ver_verdict *v, const char *want) {
    char *s = NULL;
    REQUIRE(ver_text(&s, v, VER_ZH, false, NULL));
    assert_string_equal(s, want);
    ph_free(s);
}

static void expect_both(const ver_verdict *v, const char *en, const char *zh) {
    char *line;
    REQUIRE(ver_text(&line, v, VER_EN, false, NULL));
    assert_string_equal(line, en);
    ph_free(line);
    expect_chinese(v, zh);
}

static void expect_text(const ver_verdict *v, bool with_time, const char *want) {
    char *s = NULL;
    REQUIRE(ver_text(&s, v, VER_EN, with_time, NULL));
    assert_string_equal(s, want);
    ph_free(s);
}

static void tell_seed(ver_verdict *v, int64_t seed) {
    ver_told *t;
    REQUIRE(ver_told_of(&t, v, NULL));
    t->extent = VER_SEEDED;
    t->count = seed;
}

static ver_told *say(ver_verdict *v, ver_part part, const char *en, const char *zh) {
    ver_told *t;
    REQUIRE(ver_told_of(&t, v, NULL));
    REQUIRE(ver_say(t, part, (const char *[VER_LANGS]){[VER_EN] = en, [VER_ZH] = zh}, NULL));
    return t;
}

static void one_line_for_each_strength(void **state) {
    (void)state;
    ver_verdict v;
    ver_init(&v);
    v = (ver_verdict){.strength = VER_MEASURED,
                      .has_value = true,
                      .value = 2.2e-15,
                      .bound = 3.6e-14,
                      .size = 512,
                      .time = 0.25};
    tell_seed(&v, 7);
    expect_text(&v, false, "measured: max deviation 2.2e-15 ≤ 3.6e-14 (512 samples, seed 7)");
    expect_text(&v, true, "measured: max deviation 2.2e-15 ≤ 3.6e-14 (512 samples, seed 7) [0.25 s]");
    v.strength = VER_REFUTED;
    v.value = 3.61e-14; /* two digits would show it equal to its bound */
    REQUIRE(ver_set(&v.witness, NULL, "t = %d, pair %d", 5, 2));
    expect_text(&v, false, "refuted: t = 5, pair 2: max deviation 3.61e-14 > 3.6e-14 (512 samples, seed 7)");
    v.value = NAN;
    expect_text(&v, false,
                "refuted: t = 5, pair 2: deviation nan is not within 3.6e-14 (512 samples, seed 7)");
    ver_clear(&v);
    v.strength = VER_PROVED;
    v.size = 4;
    say(&v, VER_CONDITIONS, "for all real a, b", "对一切实数 a, b");
    expect_text(&v, false, "proved for all real a, b; 4 terms");
    v.strength = VER_CERTIFIED;
    v.size = 1;
    expect_text(&v, false, "certified for all real a, b; 1 box");
    ver_clear(&v);
    expect_text(&v, false, "unknown");
    v.reason = VER_NEEDS_DATA;
    REQUIRE(ver_set(&v.reason_text, NULL, "no model was given"));
    expect_text(&v, false, "unknown: needs data: no model was given");
    ver_clear(&v);
}

/* What a certificate, a table or an induction holds over, told as data: a side for each row, an end that is NULL is left out. */
static ver_told *tell_sides(ver_verdict *v, ver_extent extent, int n, const char *const *name, const int *lo,
                            const int *hi) {
    ver_told *t;
    REQUIRE(ver_told_of(&t, v, NULL));
    ver_tell_no_box(t);
    t->extent = extent;
    for (int i = 0; i < n; i++) {
        expr_node *s, *a, *b = NULL;
        REQUIRE(expr_sym(&s, name[i], EXPR_INTEGER, NULL));
        REQUIRE(expr_rat(&a, lo[i], 1, NULL));
        if (hi) REQUIRE(expr_rat(&b, hi[i], 1, NULL));
        REQUIRE(ver_tell_side(t, s, a, b, i > 0, NULL));
        expr_drop(s);
        expr_drop(a);
        expr_drop(b);
    }
    return t;
}

static void a_box_is_data_and_is_said_last(void **state) {
    (void)state;
    static const char *const xy[] = {"x", "forall", "in_"};
    static const int lo[] = {0, -1, 3}, hi[] = {1, 5, 3};
    expr_node *x, *one;
    ver_verdict v;
    ver_init(&v);
    v.strength = VER_CERTIFIED;
    v.size = 2;
    ver_told *t = tell_sides(&v, VER_OVER, 3, xy, lo, hi);
    assert_int_equal(t->conditions.n, 5); /* two ends, two ends, one value */
    expect_both(&v, "certified for all x in [0, 1], integer forall in [-1, 5], in_ = 3; 2 boxes",
                "已严格验证，对一切 x ∈ [0, 1]，整数 forall ∈ [-1, 5], in_ = 3；2 个区域");
    REQUIRE(expr_sym(&x, "x", EXPR_REAL, NULL));
    REQUIRE(expr_rat(&one, 1, 2, NULL));
    t = tell_sides(&v, VER_WITHIN, 1, xy, lo, hi);
    t->tolerance = 1e-9;
    REQUIRE(ver_tell_condition(t, EXPR_NE, x, one, NULL));
    expect_both(&v, "certified within 1e-09, for all x in [0, 1] with x != 1/2; 2 boxes",
                "已严格验证，误差不超过 1e-09，对一切 x ∈ [0, 1]，其中 x != 1/2；2 个区域");
    for (int n = 0; n <= 2; n++) {
        static const char *const said[][2] = {
            {"no root", "没有根"}, {"exactly 1 root", "恰有 1 个根"}, {"exactly 2 roots", "恰有 2 个根"}};
        char en[100], zh[100];
        t = tell_sides(&v, VER_ROOTS, 1, xy, lo, hi);
        t->count = n;
        snprintf(en, sizeof en, "certified %s, x in [0, 1]; 2 boxes", said[n][0]);
        snprintf(zh, sizeof zh, "已严格验证，%s，x ∈ [0, 1]；2 个区域", said[n][1]);
        expect_both(&v, en, zh);
    }
    t = tell_sides(&v, VER_DIGITS, 0, NULL, NULL, NULL);
    t->count = 15;
    expect_both(&v, "certified the value to 15 digits; 2 boxes", "已严格验证，值准到 15 位；2 个区域");
    t->extent = VER_INTEGRAL;
    expect_both(&v, "certified the integral to 15 digits; 2 boxes", "已严格验证，积分准到 15 位；2 个区域");
    t = tell_sides(&v, VER_ENTRIES, 2, xy + 1, lo + 1, hi);
    expect_both(&v, "certified for all integers forall in [-1, 1], in_ in [3, 5]; 2 boxes",
                "已严格验证，对一切整数 forall ∈ [-1, 1], in_ ∈ [3, 5]；2 个区域");
    v.strength = VER_PROVED;
    t = tell_sides(&v, VER_INDUCTION, 1, xy + 2, lo + 2, NULL);
    t->count = t->early = 3;
    expect_both(&v, "proved for all integers in_ >= 3, when the given equations hold; 2 terms",
                "已证明，对一切整数 in_ >= 3，在所给方程成立时；2 项");
    t->early = 1;
    REQUIRE(ver_tell_condition(t, EXPR_NE, x, one, NULL));
    expect_both(
        &v,
        "proved for all integers in_ >= 3, when the given equations hold (in_ >= 1) with x != 1/2; 2 terms",
        "已证明，对一切整数 in_ >= 3，在所给方程成立时（in_ >= 1），其中 x != 1/2；2 项");
    expr_drop(x);
    expr_drop(one);
    ver_clear(&v);
}

/* A table's worst entry, and two points where a function goes up and down. */
static void a_witness_is_data_and_is_said_last(void **state) {
    (void)state;
    ver_verdict v, up, down;
    ver_told *t, *rise, *fall;
    ver_init(&v), ver_init(&up), ver_init(&down);
    v.strength = VER_REFUTED;
    REQUIRE(ver_told_of(&t, &v, NULL));
    REQUIRE(ver_tell_value(t, "t", "3", false, NULL));
    REQUIRE(ver_tell_value(t, "value", "0", false, NULL));
    REQUIRE(ver_tell_sides(t, ph_strdup("0.5"), ph_strdup("0.25"), NULL));
    t->kind = VER_ENTRY;
    t->beyond = 7;
    expect_both(&v,
                "refuted: t = 3, value = 0: entry 0.5, value 0.25 (the worst of 7 entries beyond the bound)",
                "已反驳，反例：t = 3, value = 0：表中的项 0.5，真值 0.25（共有 7 项越界，这是最坏的一项）");
    ver_clear(&v);
    v.strength = VER_REFUTED;
    REQUIRE(ver_told_of(&t, &v, NULL));
    REQUIRE(ver_told_of(&rise, &up, NULL));
    REQUIRE(ver_told_of(&fall, &down, NULL));
    REQUIRE(ver_tell_value(rise, "x", "1/2", false, NULL));
    REQUIRE(ver_tell_value(fall, "x", "2", false, NULL));
    REQUIRE(ver_tell_slopes(t, rise, fall, NULL));
    expect_both(&v, "refuted: the derivative is positive at x = 1/2 and negative at x = 2",
                "已反驳，反例：导数为正之处 x = 1/2，为负之处 x = 2");
    ver_clear(&v), ver_clear(&up), ver_clear(&down);
}

/* A measurement's worst: by its number or its place, in an array without axes as the value. */
static void the_worst_of_a_measurement_is_data(void **state) {
    (void)state;
    ver_verdict v;
    ver_told *t;
    ver_init(&v);
    v = (ver_verdict){.strength = VER_REFUTED, .has_value = true, .value = 3, .bound = 2, .size = 9};
    REQUIRE(ver_told_of(&t, &v, NULL));
    REQUIRE(ver_tell_place(t, NULL, 0, NULL));
    expect_both(&v, "refuted: the value: max deviation 3 > 2 (9 samples)",
                "已反驳，反例：所给的值：最大偏差 3 > 2（9 个样本）");
    REQUIRE(ver_tell_place(t, (const int64_t[]){7}, 1, NULL));
    expect_both(&v, "refuted: at [7]: max deviation 3 > 2 (9 samples)",
                "已反驳，反例：位于 [7]：最大偏差 3 > 2（9 个样本）");
    ver_clear(&v);
    v = (ver_verdict){.strength = VER_REFUTED, .has_value = true, .value = 3, .bound = 2, .size = 9};
    tell_seed(&v, -7);
    REQUIRE(ver_tell_sample(v.told, 5, NULL));
    expect_both(&v, "refuted: sample 5: max deviation 3 > 2 (9 samples, seed -7)",
                "已反驳，反例：样本 5：最大偏差 3 > 2（9 个样本，种子 -7）");
    assert_string_equal(v.told->at[0].value, "5");
    ver_clear(&v);
}

/* A form's gaps are filled from one list in either language, each as often as it stands there; what has no value stays empty. */
static void a_sentence_is_worded_last(void **state) {
    (void)state;
    ver_verdict v, other;
    ver_init(&v), ver_init(&other);
    v.strength = VER_REFUTED;
    ver_told *t = say(&v, VER_WITNESS, "at {m} it is {score}, so {m} > {n}{none}", "{score} 在 {m} 处{");
    REQUIRE(ver_say_value(t, VER_WITNESS, "m", "3", NULL));
    REQUIRE(ver_say_value(t, VER_WITNESS, "n", "{m}", NULL)); /* a value is no form */
    REQUIRE(ver_say_value(t, VER_WITNESS, "score", "-1/2", NULL));
    expect_both(&v, "refuted: at 3 it is -1/2, so 3 > {m}", "已反驳，反例：-1/2 在 3 处");
    other.strength = VER_REFUTED;
    REQUIRE(ver_told_of(&t, &other, NULL));
    REQUIRE(ver_say_as(t, VER_WITNESS, v.told, NULL));
    ver_clear(&v);
    expect_both(&other, "refuted: at 3 it is -1/2, so 3 > {m}", "已反驳，反例：-1/2 在 3 处");
    ver_clear(&other);
    v.reason = VER_DOMAIN;
    say(&v, VER_REASON, "no vector", "没有向量");
    expect_both(&v, "unknown: undefined: no vector", "未定：无定义：没有向量");
    ver_clear(&v);
}

/* What is a name, a formula or another's message stays as it is, also where it has a phrase's letters in it. */
static void the_same_line_in_chinese(void **state) {
    (void)state;
    ver_verdict v;
    ver_init(&v);
    v = (ver_verdict){
        .strength = VER_MEASURED, .has_value = true, .value = 2.2e-15, .bound = 3.6e-14, .size = 512};
    tell_seed(&v, 7);
    expect_chinese(&v, "实测：最大偏差 2.2e-15 ≤ 3.6e-14（512 个样本，种子 7）");
    v.uneven = true;
    v.strength = VER_REFUTED;
    v.value = 1;
    REQUIRE(ver_tell_place(v.told, (const int64_t[]){2, 3}, 2, NULL));
    expect_chinese(&v, "已反驳，反例：位于 [2, 3]：最坏偏差 1 > 3.6e-14（512 个样本，种子 7）");
    v.value = NAN;
    expect_chinese(&v, "已反驳，反例：位于 [2, 3]：偏差 nan 越过了界 3.6e-14（512 个样本，种子 7）");
    ver_clear(&v);
    v.strength = VER_REFUTED;
    expect_chinese(&v, "已反驳：没有留下反例");
    /* words of who measured, also where they look like ours */
    REQUIRE(ver_set(&v.witness, NULL, "sample 3: the value at [2], seed 1"));
    expect_both(&v, "refuted: sample 3: the value at [2], seed 1",
                "已反驳，反例：sample 3: the value at [2], seed 1");
    ver_clear(&v);
    expect_chinese(&v, "未定");
    static const char *const reasons[] = {"超出判定理论", "超出预算", "无定义", "缺少数据"};
    for (int r = VER_OUTSIDE_THEORY; r <= VER_NEEDS_DATA; r++) {
        char want[100];
        v.reason = r;
        REQUIRE(ver_set(&v.reason_text, NULL, "not one sample was measured"));
        snprintf(want, sizeof want, "未定：%s：一个样本也没有测过", reasons[r - 1]);
        expect_chinese(&v, want);
    }
    ver_clear(&v);
    ver_lang lang;
    assert_true(ver_lang_parse(&lang, "zh") && lang == VER_ZH);
    assert_true(ver_lang_parse(&lang, "en") && lang == VER_EN);
    assert_false(ver_lang_parse(&lang, "fr"));
}

static void json_is_json_whatever_the_text_holds(void **state) {
    (void)state;
    ver_verdict v;
    ver_init(&v);
    v.strength = VER_REFUTED;
    v.has_value = true;
    v.value = INFINITY;
    v.bound = 0.1;
    v.size = 3;
    REQUIRE(ver_set(&v.statement, NULL, "a \"b\" \\ \n θ 余弦"));
    REQUIRE(ver_set(&v.witness, NULL, "bad \xff\xc0\x80 bytes \xe4\xbd"));
    char *s = NULL;
    REQUIRE(ver_json(&s, &v, false, NULL));
    json_t *j = json_loads(s, 0, NULL);
    assert_non_null(j);
    assert_string_equal(json_string_value(json_object_get(j, "strength")), "refuted");
    assert_string_equal(json_string_value(json_object_get(j, "statement")), "a \"b\" \\ \n θ 余弦");
    assert_string_equal(json_string_value(json_object_get(j, "witness")),
                        "bad \uFFFD\uFFFD\uFFFD bytes \uFFFD");
    assert_string_equal(json_string_value(json_object_get(j, "value")), "inf");
    assert_true(json_real_value(json_object_get(j, "bound")) == 0.1);
    assert_int_equal(json_integer_value(json_object_get(j, "size")), 3);
    assert_null(json_object_get(j, "time"));
    assert_null(json_object_get(j, "method"));
    json_decref(j);
    ph_free(s);
    ver_clear(&v);
}

/* Read back as the same double, from as few digits as that takes. */
static void numbers_of_json_are_exact_and_short(void **state) {
    (void)state;
    static const double x[] = {0.1, 1.0 / 3, 0.1 + 0.2, 5e-324, NAN, -INFINITY};
    static const char want[][40] = {
        "e\":0.1,",     "e\":0.3333333333333333,", "e\":0.30000000000000004,", "e\":5e-324,", "e\":\"nan\",",
        "e\":\"-inf\","};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        ver_verdict v = {.has_value = true, .value = x[i]};
        char *s = NULL;
        REQUIRE(ver_json(&s, &v, false, NULL));
        if (!strstr(s, want[i])) fail_msg("wanted %s in %s", want[i], s);
        ph_free(s);
    }
}

static void latex_is_escaped_and_sets_figures_as_mathematics(void **state) {
    (void)state;
    ver_verdict v = {.strength = VER_MEASURED, .has_value = true, .value = 2.2e-15, .bound = 1, .size = 5};
    ver_told *t = say(&v, VER_CONDITIONS, "{odd}", "{odd}");
    REQUIRE(ver_say_value(t, VER_CONDITIONS, "odd", "50% of x_1 & {y} ≤ 3^2\\", NULL));
    char *s = NULL;
    REQUIRE(ver_latex(&s, &v, NULL));
    assert_string_equal(
        s, "measured: max deviation $2.2\\times10^{-15}\\le1$ (5 samples, 50\\% of x\\_1 \\& \\{y\\} "
           "$\\le$ 3\\textasciicircum{}2\\textbackslash{})");
    ph_free(s);
    ver_clear(&v);
}

static void strengths_have_names_and_an_order(void **state) {
    (void)state;
    ver_strength s;
    for (int i = VER_UNKNOWN; i <= VER_PROVED; i++) {
        assert_true(ver_strength_parse(&s, ver_strength_name((ver_strength)i)));
        assert_int_equal(s, i);
    }
    assert_false(ver_strength_parse(&s, "sure"));
    static const char *const reasons[] = {"",          "outside the theory", "out of budget",
                                          "undefined", "needs data",         ""};
    for (int r = VER_NO_REASON; r <= VER_NEEDS_DATA + 1; r++)
        assert_string_equal(ver_reason_name((ver_reason)r), reasons[r]);
    assert_string_equal(ver_reason_name((ver_reason)-1), "");
    assert_string_equal(ver_strength_name((ver_strength)(VER_PROVED + 1)), "unknown");
    assert_true(VER_REFUTED < VER_MEASURED && VER_MEASURED < VER_CERTIFIED && VER_CERTIFIED < VER_PROVED);
}

/* Every allocation in turn is refused: an error comes back, nothing leaks (the sanitizer build looks). */
static ph_status english(char **out, const ver_verdict *v, bool with_time, ph_err *err) {
    return ver_text(out, v, VER_EN, with_time, err);
}

/* The same of what is told: a sentence, its values, a place. */
static ph_status told_all(ver_verdict *v, ph_err *err) {
    ver_told *t;
    static const char *const form[VER_LANGS] = {"at {m}", "在 {m}"};
    ph_status st = ver_told_of(&t, v, err);
    if (!st) st = ver_say(t, VER_WITNESS, form, err);
    if (!st) st = ver_say_value(t, VER_WITNESS, "m", "3", err);
    if (!st) st = ver_say_as(t, VER_REASON, &(ver_told){.said[VER_REASON] = t->said[VER_WITNESS]}, err);
    if (!st) st = ver_tell_place(t, (const int64_t[]){2, 3}, 2, err);
    return st;
}

static void telling_survives_refused_memory(void **state) {
    (void)state;
    int refusals = 0;
    for (size_t n = 1;; n++) {
        ver_verdict v;
        ph_err err;
        ver_init(&v);
        ph_alloc_fail_from(n);
        ph_status st = told_all(&v, &err);
        ph_alloc_fail_from(0);
        ver_clear(&v);
        if (st == PH_OK) break;
        assert_int_equal(st, PH_ENOMEM);
        refusals++;
    }
    assert_true(refusals >= 8);
}

static void a_refused_allocation_leaves_nothing_behind(void **state) {
    (void)state;
    ph_status (*render[])(char **, const ver_verdict *, bool, ph_err *) = {english, ver_json};
    for (int which = 0; which < 2; which++) {
        ver_verdict v = {.strength = VER_REFUTED, .has_value = true, .size = 2};
        REQUIRE(ver_set(&v.witness, NULL, "%0500d", 7));
        REQUIRE(ver_set(&v.statement, NULL, "%0900d", 7));
        int refusals = 0;
        for (size_t n = 1;; n++) {
            char *s = NULL;
            ph_err err;
            ph_alloc_fail_from(n);
            ph_status st = render[which](&s, &v, true, &err);
            ph_alloc_fail_from(0);
            if (st == PH_OK) {
                ph_free(s);
                break;
            }
            assert_int_equal(st, PH_ENOMEM);
            assert_null(s);
            refusals++;
        }
        assert_true(refusals >= 2);
        ver_clear(&v);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_finite_and_within_the_bound_is_accepted),
        cmocka_unit_test(the_worst_sample_is_kept),
        cmocka_unit_test(a_bound_of_zero_wants_exactness),
        cmocka_unit_test(a_measurement_of_nothing_settles_nothing),
        cmocka_unit_test(one_line_for_each_strength),
        cmocka_unit_test(the_same_line_in_chinese),
        cmocka_unit_test(a_box_is_data_and_is_said_last),
        cmocka_unit_test(a_witness_is_data_and_is_said_last),
        cmocka_unit_test(the_worst_of_a_measurement_is_data),
        cmocka_unit_test(a_sentence_is_worded_last),
        cmocka_unit_test(json_is_json_whatever_the_text_holds),
        cmocka_unit_test(numbers_of_json_are_exact_and_short),
        cmocka_unit_test(latex_is_escaped_and_sets_figures_as_mathematics),
        cmocka_unit_test(strengths_have_names_and_an_order),
        cmocka_unit_test(telling_survives_refused_memory),
        cmocka_unit_test(a_refused_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
