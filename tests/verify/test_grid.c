/* A table against its formula. The oracle is IEEE 754 itself: divisions and square roots are rounded to nearest, so such a
 * table is within half an ulp, and moved by one float anywhere it is not.
 * Sources: lua/grid.c verify/grid.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "formula.h"
#include "verify/told.h"
#include "verify/grid.h"

#define N 6

/* An axis of the integer symbol n, and one of i. */
static expr_node *sym_n, *sym_i;
static int open_symbols(void **state) {
    (void)state;
    return expr_sym(&sym_n, "n", EXPR_INTEGER, NULL) || expr_sym(&sym_i, "i", EXPR_INTEGER, NULL) ? -1 : 0;
}
static int close_symbols(void **state) {
    (void)state;
    expr_drop(sym_n);
    expr_drop(sym_i);
    return 0;
}

/* f against value[N], n = from … from + N − 1, or value[N/2][2] with i = 0, 1 as the second axis. */
static ph_status judge(ver_verdict *v, const char *f, int64_t from, bool two, ver_table table, double ulps,
                       ph_err *err) {
    expr_node *e = formula(f);
    ver_axis axis[] = {{sym_n, from, two ? N / 2 : N}, {sym_i, 0, 2}};
    ph_status st = ver_certify_table(v, e, axis, two ? 2 : 1, &table, ulps, err);
    expr_drop(e);
    return st;
}

static ver_strength strength(const char *f, int64_t from, bool two, ver_table table, double ulps) {
    ver_verdict v;
    ph_err err;
    ph_status st = judge(&v, f, from, two, table, ulps, &err);
    if (st) fail_msg("%s: %s", f, err.text);
    ver_strength s = v.strength;
    ver_clear(&v);
    return s;
}

static void rounded_to_nearest_is_within_half_an_ulp(void **state) {
    (void)state;
    double third[N], root[N], grid[N], power[N];
    for (int k = 0; k < N; k++) {
        third[k] = (k - 2) / 3.0;
        root[k] = sqrt(k + 1);
        grid[k] = (k / 2 + 1) / (k % 2 ? 7.0 : 1.0);
        power[k] = ldexp(1, k - 3);
    }
    assert_int_equal(strength("n/3", -2, false, VER_F64(third), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("sqrt(n)", 1, false, VER_F64(root), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("n/7^i", 1, true, VER_F64(grid), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("2^n", -3, false, VER_F64(power), 0), VER_CERTIFIED);
    assert_int_equal(
        strength("sum(2^i, i, 0, n - 1)", 0, false, VER_F64(((double[]){0, 1, 3, 7, 15, 31})), 0),
        VER_CERTIFIED);
}

static void one_float_aside_is_beyond_half_an_ulp(void **state) {
    (void)state;
    for (int k = 0; k < N; k++) {
        double root[N], grid[N];
        for (int j = 0; j < N; j++) root[j] = sqrt(j + 1), grid[j] = (j / 2 + 1) / (j % 2 ? 7.0 : 1.0);
        root[k] = nextafter(root[k], INFINITY);
        grid[k] = nextafter(grid[k], INFINITY);
        assert_int_equal(strength("sqrt(n)", 1, false, VER_F64(root), 0.5), VER_REFUTED);
        assert_int_equal(strength("n/7^i", 1, true, VER_F64(grid), 0.5), VER_REFUTED);
        assert_int_equal(strength("sqrt(n)", 1, false, VER_F64(root), 2), VER_CERTIFIED);
    }
}

static void a_float_has_ulps_of_its_own(void **state) {
    (void)state;
    double root[N];
    for (int k = 0; k < N; k++) root[k] = (float)sqrt(k + 2);
    assert_int_equal(strength("sqrt(n)", 2, false, VER_F32(root), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("sqrt(n)", 2, false, VER_F64(root), 1), VER_REFUTED);
    root[3] = nextafterf((float)root[3], 0);
    assert_int_equal(strength("sqrt(n)", 2, false, VER_F32(root), 0.5), VER_REFUTED);
}

/* Near 0 the unit is the format's least number, and a value that is 0 without being seen to be takes more bits. */
static void small_values_keep_their_ulp(void **state) {
    (void)state;
    double zero[N] = {0}, tiny[N];
    for (int k = 0; k < N; k++) tiny[k] = ldexp(1, -1074);
    assert_int_equal(strength("sqrt(2)*sqrt(2)*n - 2*n", 1, false, VER_F64(zero), 1), VER_CERTIFIED);
    assert_int_equal(strength("0*n", 0, false, VER_F64(tiny), 1), VER_CERTIFIED);
    assert_int_equal(strength("0*n", 0, false, VER_F64(tiny), 0.5), VER_REFUTED);
    assert_int_equal(strength("3/2^1075 + 0*n", 0, false, VER_F64(tiny), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("n/10^200*10^(-100)", 1, false,
                              VER_F64(((double[]){1e-300, 2e-300, 3e-300, 4e-300, 5e-300, 6e-300})), 0.5),
                     VER_CERTIFIED);
}

/* Deviations that differ from the bound by less than a double tells: both were unknown. 1 + 2^-53 (1 ± 2^-147) is half an ulp from 1 and
 * a little more or less; the doubles beside 1/3 are that times 1/3 of an ulp away, and 10^-400 is 1 + 10^-77 units from -2^-1074. */
static void a_deviation_is_compared_before_it_is_rounded(void **state) {
    (void)state;
    double one[N], third[N], tiny[N];
    for (int k = 0; k < N; k++) one[k] = 1, third[k] = 1 / 3.0, tiny[k] = -0x1p-1074;
    assert_int_equal(strength("1 + (1 + 1/2^147)/2^53 + 0*n", 0, false, VER_F64(one), 0.5), VER_REFUTED);
    assert_int_equal(strength("1 + (1 - 1/2^147)/2^53 + 0*n", 0, false, VER_F64(one), 0.5), VER_CERTIFIED);
    assert_int_equal(strength("1/3 + 0*n", 0, false, VER_F64(third), 1 / 3.0), VER_REFUTED);
    assert_int_equal(strength("1/3 + 0*n", 0, false, VER_F64(third), nextafter(1 / 3.0, 1)), VER_CERTIFIED);
    assert_int_equal(strength("1/10^400 + 0*n", 0, false, VER_F64(tiny), 1), VER_REFUTED);
    ver_verdict v;
    ph_err err;
    char *line = NULL;
    assert_int_equal(judge(&v, "1 + (1 + 1/2^147)/2^53 + 0*n", 0, false,
                           VER_F64(((double[]){1, 1, 1, 1, 1, 1})), 0.5, &err),
                     PH_OK);
    assert_true(v.value == nextafter(0.5, 1));
    assert_int_equal(ver_text(&line, &v, VER_EN, false, &err), PH_OK);
    assert_non_null(strstr(line, "max deviation 0.5000000000000001 > 0.5 ulp"));
    ph_free(line);
    ver_clear(&v);
}

static void expect_words(ph_status (*words)(char **, const ver_verdict *, ver_lang, ph_err *),
                         const ver_verdict *v, const char *want) {
    char *s = NULL;
    assert_int_equal(words(&s, v, VER_EN, NULL), PH_OK);
    assert_non_null(s);
    assert_string_equal(s, want);
    ph_free(s);
}

static void the_verdict_says_what_was_seen(void **state) {
    (void)state;
    double table[N] = {0, 1, 2, 3.5, 4, 5.25};
    ver_verdict v;
    ph_err err;
    assert_int_equal(judge(&v, "n", 0, false, VER_F64(table), 1, &err), PH_OK);
    expect_words(ver_witness, &v,
                 "n = 3: entry 3.5, value 3.0000000000000000000 (the worst of 2 entries beyond the bound)");
    assert_true(v.has_value && v.value == 0.5 / ldexp(1, -51) && v.bound == 1 && v.size == N);
    ver_clear(&v);
    table[3] = table[5] = NAN;
    assert_int_equal(judge(&v, "n", 0, false, VER_F64(table), 1, &err), PH_OK);
    assert_int_equal(v.strength, VER_REFUTED);
    assert_string_equal(v.told->at[0].value, "3");
    assert_string_equal(v.told->left, "nan");
    ver_clear(&v);
    assert_int_equal(
        judge(&v, "n/3", 0, false, VER_F64(((double[]){0, 1 / 3.0, 2 / 3.0, 1, 4 / 3.0, 5 / 3.0})), 1, &err),
        PH_OK);
    expect_words(ver_conditions, &v, "for all integers n in [0, 5]");
    /* 1/3 and 2/3 lie a third of an ulp from their neighbours, 4/3 and 5/3 too */
    assert_true(v.value >= 1 / 3.0 && v.value <= 1 / 3.0 + 1e-8);
    char *line = NULL;
    assert_int_equal(ver_text(&line, &v, VER_EN, false, &err), PH_OK);
    assert_string_equal(line, "certified for all integers n in [0, 5]: max deviation 0.34 ≤ 1 ulp; 6 points");
    ph_free(line);
    ver_clear(&v);
}

static void what_cannot_be_decided_is_unknown(void **state) {
    (void)state;
    double table[N] = {0};
    ver_verdict v;
    ph_err err;
    assert_int_equal(judge(&v, "log(n)", 0, false, VER_F64(table), 1, &err), PH_OK);
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_int_equal(v.reason, VER_DOMAIN);
    assert_string_equal(v.reason_text, "no real number at n = 0");
    ver_clear(&v);
    assert_int_equal(judge(&v, "I*n", 1, false, VER_F64(table), 1, &err), PH_OK);
    assert_int_equal(v.reason, VER_DOMAIN);
    ver_clear(&v);
    /* √2² is 2 without being seen to be, so its ulp may be the one below 2, and 2 + 2^-51 is at one ulp or at two */
    for (int k = 0; k < N; k++) table[k] = 2 + ldexp(1, -51);
    assert_int_equal(judge(&v, "sqrt(2)*sqrt(2) + 0*n", 0, false, VER_F64(table), 1, &err), PH_OK);
    assert_int_equal(v.reason, VER_OUT_OF_BUDGET);
    ver_clear(&v);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    double table[N] = {0};
    ver_verdict v;
    ph_err err;
    static const char *const bad[] = {"x + n", "n = 1", "n + i"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(judge(&v, bad[k], 0, false, VER_F64(table), 1, &err), PH_EARG);
        ver_clear(&v);
    }
    assert_int_equal(judge(&v, "n", 0, false, VER_F64(table), NAN, &err), PH_EARG);
    ver_clear(&v);
    assert_int_equal(judge(&v, "n", 0, false, VER_F64(table), -1, &err), PH_EARG);
    ver_clear(&v);
    ver_axis twice[] = {{sym_n, 0, 2}, {sym_n, 0, 3}};
    expr_node *e = formula("n");
    assert_int_equal(ver_certify_table(&v, e, twice, 2, &VER_F64(table), 1, &err), PH_EARG);
    ver_clear(&v);
    ver_axis none[] = {{sym_n, 0, 0}};
    assert_int_equal(ver_certify_table(&v, e, none, 1, &VER_F64(table), 1, &err), PH_OK);
    assert_int_equal(v.reason, VER_NEEDS_DATA);
    ver_clear(&v);
    ph_interrupt_flag = 1;
    assert_int_equal(ver_certify_table(&v, e, (ver_axis[]){{sym_n, 0, N}}, 1, &VER_F64(table), 1, &err),
                     PH_EINTR);
    ph_interrupt_flag = 0;
    ver_clear(&v);
    expr_drop(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_to_nearest_is_within_half_an_ulp),
        cmocka_unit_test(one_float_aside_is_beyond_half_an_ulp),
        cmocka_unit_test(a_float_has_ulps_of_its_own),
        cmocka_unit_test(small_values_keep_their_ulp),
        cmocka_unit_test(a_deviation_is_compared_before_it_is_rounded),
        cmocka_unit_test(the_verdict_says_what_was_seen),
        cmocka_unit_test(what_cannot_be_decided_is_unknown),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, open_symbols, close_symbols);
}
