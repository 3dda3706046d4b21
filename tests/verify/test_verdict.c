/* A verdict says one line, keeps its worst sample, and never lets NaN pass.
 * Sources: verify/text.c verify/verdict.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <jansson.h>

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

static void expect_text(const ver_verdict *v, bool with_time, const char *want) {
    char *s = NULL;
    REQUIRE(ver_text(&s, v, VER_EN, with_time, NULL));
    assert_string_equal(s, want);
    ph_free(s);
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
    REQUIRE(ver_set(&v.conditions, NULL, "seed %d", 7));
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
    REQUIRE(ver_set(&v.conditions, NULL, "for all real a, b"));
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

static void expect_chinese(const ver_verdict *v, const char *want) {
    char *s = NULL;
    REQUIRE(ver_text(&s, v, VER_ZH, false, NULL));
    assert_string_equal(s, want);
    ph_free(s);
}

/* What is a name, a formula or another's message stays as it is, also where it has a phrase's letters in it. */
static void the_same_line_in_chinese(void **state) {
    (void)state;
    ver_verdict v;
    ver_init(&v);
    v = (ver_verdict){
        .strength = VER_MEASURED, .has_value = true, .value = 2.2e-15, .bound = 3.6e-14, .size = 512};
    REQUIRE(ver_set(&v.conditions, NULL, "seed %d", 7));
    expect_chinese(&v, "实测：最大偏差 2.2e-15 ≤ 3.6e-14（512 个样本，种子 7）");
    v.uneven = true;
    v.strength = VER_REFUTED;
    v.value = 1;
    REQUIRE(ver_set(&v.witness, NULL, "at [2, 3]"));
    expect_chinese(&v, "已反驳，反例：位于 [2, 3]：最坏偏差 1 > 3.6e-14（512 个样本，种子 7）");
    v.value = NAN;
    expect_chinese(&v, "已反驳，反例：位于 [2, 3]：偏差 nan 越过了界 3.6e-14（512 个样本，种子 7）");
    ver_clear(&v);
    v.strength = VER_REFUTED;
    expect_chinese(&v, "已反驳：没有留下反例");
    REQUIRE(ver_set(&v.witness, NULL, "seed = 1, unseed = 2: left side -1, right side 2"));
    expect_chinese(&v, "已反驳，反例：seed = 1, unseed = 2：左边 -1，右边 2");
    ver_clear(&v);
    v.strength = VER_PROVED;
    v.size = 4;
    REQUIRE(ver_set(&v.conditions, NULL, "for all real a, b, positive k with k - 1 != 0"));
    expect_chinese(&v, "已证明，对一切实数 a, b，正数 k，其中 k - 1 != 0；4 项");
    v.strength = VER_CERTIFIED;
    v.size = 1;
    REQUIRE(ver_set(&v.conditions, NULL, "exactly 1 root, x in [1, 2]"));
    expect_chinese(&v, "已严格界定，恰有 1 个根，x ∈ [1, 2]；1 个区域");
    v.has_value = true;
    v.unit = "ulp";
    v.size = 2;
    v.value = v.bound = 0.5;
    REQUIRE(ver_set(&v.conditions, NULL, "for all integers forall in [0, 1], in_ in [0, 2]"));
    expect_chinese(&v,
                   "已严格界定，对一切整数 forall ∈ [0, 1], in_ ∈ [0, 2]：最大偏差 0.5 ≤ 0.5 ulp；2 个点");
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

static void latex_is_escaped_and_sets_figures_as_mathematics(void **state) {
    (void)state;
    ver_verdict v = {.strength = VER_MEASURED, .has_value = true, .value = 2.2e-15, .bound = 1, .size = 5};
    REQUIRE(ver_set(&v.conditions, NULL, "50%% of x_1 & {y} ≤ 3^2\\"));
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
    assert_true(VER_REFUTED < VER_MEASURED && VER_MEASURED < VER_CERTIFIED && VER_CERTIFIED < VER_PROVED);
}

/* Every allocation in turn is refused: an error comes back, nothing leaks (the sanitizer build looks). */
static ph_status english(char **out, const ver_verdict *v, bool with_time, ph_err *err) {
    return ver_text(out, v, VER_EN, with_time, err);
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
        cmocka_unit_test(json_is_json_whatever_the_text_holds),
        cmocka_unit_test(latex_is_escaped_and_sets_figures_as_mathematics),
        cmocka_unit_test(strengths_have_names_and_an_order),
        cmocka_unit_test(a_refused_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
