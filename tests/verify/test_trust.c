/* The kernel of trust: no strength without evidence, and false evidence is caught wherever the statement fails: near, far, close to
 * 0, at whole numbers and halves, where symbols coincide, where members do, and where only the conditions lead.
 * Sources: verify/check.c verify/given.c verify/sample.c verify/solved.c verify/summation.c verify/trust.c verify/turns.c verify/under.c
 * Sources: verify/integral.c verify/wide.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/certify.h"
#include "verify/trust.h"
#include "verify/said.h"

/* A forged proof of a statement: a normal form that claims to be zero. */
static ph_status forge(ver_verdict *out, const char *text, const char *where, ph_err *err) {
    expr_node *s = formula(text), *condition = where ? formula(where) : NULL;
    ver_assume assume = {&condition, where ? 1 : 0};
    ver_zeros z = {.zeros = 1};
    ver_init(out);
    ph_status st = s->op == EXPR_EQ
                       ? ver_trust_zeros(out, &(ver_claim){s, &assume}, &z, err)
                       : ver_trust_sign(out, &(ver_claim){s, &assume}, VER_SIGN_POSITIVE, "forged", err);
    expr_drop(s);
    if (condition) expr_drop(condition);
    return st;
}

static void a_false_statement_is_contradicted(void **state) {
    (void)state;
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"x = x + y/10^15", NULL},                                     /* apart by less than f64 sees */
        {"floor(abs(x)/500) = 0", NULL},                               /* far */
        {"maximum(abs(x), 1/200) = abs(x)", NULL},                     /* close to 0 */
        {"piecewise(eq(floor(x), x), 1, 0) = 0", NULL},                /* at whole numbers */
        {"piecewise(eq(floor(2*x), 2*x), x - floor(x), 0) = 0", NULL}, /* at halves */
        {"piecewise(eq(x, y), 1, 0) = 0", NULL},                       /* where two symbols have one value */
        {"piecewise(eq(n, 3), 1, 0)*(a[n] - a[3] + 1) + a[3] = a[3]", NULL}, /* where members are one */
        {"piecewise(eq(x, 3), 1, 0) = 0", "x = 3"},                          /* where the condition leads */
        {"floor(x) = 5", "x > 50"},
        {"piecewise(gt(x, 41), piecewise(lt(x, 42), 1, 0), 0) = 0", "x >= 41"},
        {"x + y > 0", NULL},
        {"abs(x) < 1000", NULL},
        {"x^2 != y^2", NULL},
        {"sum(1, i, 1, 7) = 8", NULL},
        {"sqrt(x^2) = x", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ver_verdict v;
        ph_err err = {0};
        ph_status st = forge(&v, cases[k].text, cases[k].where, &err);
        if (st != PH_EBUG) fail_msg("%s: %s %s", cases[k].text, ph_kind(st), err.text);
        assert_int_equal(v.strength, VER_UNKNOWN);
        assert_non_null(strstr(err.text, "contradicted by a ball"));
        ver_clear(&v);
    }
}

static void conditions_that_no_point_meets_prove_nothing(void **state) {
    (void)state;
    static const struct {
        const char *where, *reason;
    } cases[] = {
        {"x != x", "no point meets the condition ne(x, x)"},
        {"0 != 0", "no point meets"},
        {"x < x", "no point meets"},
        {"(x + 1)^2 != x^2 + 2*x + 1", "no point meets"},
        {"k < 0", "the conditions contradict each other"},
        {"k <= 0", "the conditions contradict each other"},
        {"1 > 2", "no point meets the condition"},
        {"x^2 > x^2 + 1", "no point meets the condition gt(x^2, x^2 + 1)"},
        {"n >= n + 2", "no point meets the condition"},
        {"-k > 0", "no point meets the condition"},
        {"x^2 + y^2 = -1", "no point meets the condition"},
        {"x^2 + 2*x < -2", "no point was found that meets the conditions"},
        {"exp(x) < -k", "no point meets the condition"},
        {"sum(piecewise(ne(i, 2), 0, 1), i, 1, j^2 + 3) = 0", "found that meets the conditions"},
        {"exp(x) = 0", "the conditions contradict each other"},
        {"n^2 = 2", "found that meets the conditions"},
        {"2^n = 9", "found that meets the conditions"},
        {"floor(x) = 1/2", "found that meets the conditions"},
        {"x^2 + y^4 <= -k/9", "found that meets the conditions"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ver_verdict v;
        ph_err err = {0};
        assert_int_equal(forge(&v, "x + k = k + x", cases[k].where, &err), PH_OK);
        if (v.strength != VER_UNKNOWN) fail_msg("%s: proved, %s", cases[k].where, said(ver_conditions, &v));
        assert_int_equal(v.reason, VER_DOMAIN);
        if (!strstr(v.reason_text, cases[k].reason)) fail_msg("%s: %s", cases[k].where, v.reason_text);
        ver_clear(&v);
    }
    ver_verdict v;
    ph_err err = {0};
    assert_int_equal(forge(&v, "x = x", "x^5 + x = 3", &err), PH_OK);
    assert_int_equal(v.strength, VER_PROVED);
    assert_non_null(strstr(said(ver_conditions, &v), "x^5 + x = 3 (no point was found that meets this)"));
    ver_clear(&v);
    assert_int_equal(forge(&v, "log(x - x) = log(x - x)", NULL, &err), PH_OK); /* defined nowhere */
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_int_equal(v.reason, VER_DOMAIN);
    ver_clear(&v);
}

/* Statements that say nothing: an order of complex numbers, poles that every range meets; and one name for two symbols. */
static void what_says_nothing_is_not_proved(void **state) {
    (void)state;
    static const char *const cases[] = {"z < z + 1",
                                        "x < x + 1 + 0*I*z",
                                        "sum(1/(i - 2), i, 1, j^2 + 3) = sum(1/(i - 2), i, 1, j^2 + 3)",
                                        "sum(i, i, j + 3, j) = sum(i, i, j + 3, j)",
                                        "Ci(-k) = Ci(-k)",
                                        "sum(i/i, i, -j^2, j^2) = 2*j^2 + 1"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ver_verdict v;
        ph_err err = {0};
        expr_node *s = formula(cases[k]);
        assert_int_equal(ver_prove(&v, s, NULL, &err), PH_OK);
        if (v.strength != VER_UNKNOWN) fail_msg("%s: %s", cases[k], ver_strength_name(v.strength));
        ver_clear(&v);
        expr_drop(s);
    }
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula("x = x"), *other, *w;
    assert_int_equal(expr_sym(&other, "x", EXPR_POSITIVE, &err), PH_OK);
    assert_int_equal(expr_make2(&w, EXPR_GT, other, other, &err), PH_OK);
    assert_int_equal(ver_prove(&v, s, &(ver_assume){&w, 1}, &err), PH_EARG);
    assert_non_null(strstr(err.text, "two symbols"));
    ver_clear(&v);
    assert_int_equal(ver_counterexample(&v, s, &(ver_assume){&w, 1}, 0, &err), PH_EARG);
    ver_clear(&v);
    expr_drop(s), expr_drop(other), expr_drop(w);
}

/* A hundred conditions are a hundred conditions. */
static void no_condition_is_cut(void **state) {
    (void)state;
    char text[8000] = "0";
    size_t n = 1;
    for (int k = 1; k <= 100; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, " + (x - %d1)/(x - %d1)", k, k);
    snprintf(text + n, sizeof text - n, " = 100");
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(text);
    assert_int_equal(ver_prove(&v, s, NULL, &err), PH_OK);
    if (v.strength == VER_PROVED)
        for (int k = 1; k <= 100; k++) {
            snprintf(text, sizeof text, "x - %d1 != 0", k);
            if (!strstr(said(ver_conditions, &v), text)) fail_msg("%s is missing", text);
        }
    else fail_msg("%s %s", ver_strength_name(v.strength), v.reason_text);
    ver_clear(&v);
    expr_drop(s);
}

static void no_strength_without_evidence(void **state) {
    (void)state;
    ver_verdict out, weak, strong;
    ph_err err = {0};
    expr_node *s = formula("x = x"), *order = formula("x < x + 1");
    ver_claim equal = {s, NULL}, less = {order, NULL};
    ver_init(&out);
    ver_init(&weak);
    assert_int_equal(ver_trust_zeros(&out, &equal, &(ver_zeros){0}, &err), PH_EBUG);
    assert_int_equal(ver_trust_zeros(&out, &equal, &(ver_zeros){.zeros = 2, .others = 1}, &err), PH_EBUG);
    assert_int_equal(ver_trust_zeros(&out, &less, &(ver_zeros){.zeros = 1}, &err), PH_EBUG);
    assert_int_equal(ver_trust_sign(&out, &less, VER_SIGN_NONNEGATIVE, "", &err), PH_EBUG);
    assert_int_equal(ver_trust_sign(&out, &less, VER_SIGN_OPEN, "", &err), PH_EBUG);
    assert_int_equal(ver_trust_cover(&out, &(ver_cover){0, 0, 0}, &err), PH_EBUG);
    assert_int_equal(ver_trust_cover(&out, &(ver_cover){9, 1, 0}, &err), PH_EBUG);
    assert_int_equal(ver_trust_cover(&out, &(ver_cover){9, 0, 1}, &err), PH_EBUG);
    assert_int_equal(ver_trust_parts(&out, NULL, 0, &err), PH_EBUG);
    assert_int_equal(out.strength, VER_UNKNOWN);
    assert_int_equal(ver_prove(&strong, s, NULL, &err), PH_OK);
    assert_int_equal(strong.strength, VER_PROVED);
    assert_int_equal(ver_trust_parts(&out, (const ver_verdict *[]){&strong, &weak}, 2, &err), PH_EBUG);
    assert_int_equal(out.strength, VER_UNKNOWN);
    weak.strength = VER_MEASURED;
    assert_int_equal(ver_trust_parts(&out, (const ver_verdict *[]){&strong, &weak}, 2, &err), PH_OK);
    assert_int_equal(out.strength, VER_MEASURED);
    assert_int_equal(ver_trust_parts(&out, (const ver_verdict *[]){&strong}, 1, &err), PH_OK);
    assert_int_equal(out.strength, VER_PROVED);
    ver_clear(&strong);
    ver_clear(&weak);
    ver_clear(&out);
    expr_drop(s);
    expr_drop(order);
}

/* Few decimals are no value. */
static void a_value_needs_its_digits(void **state) {
    (void)state;
    ver_verdict out;
    ph_err err = {0};
    acb_t z;
    acb_init(z);
    ver_init(&out);
    arb_set_si(acb_realref(z), 3);
    arb_add_error_2exp_si(acb_realref(z), -20);
    assert_int_equal(ver_trust_value(&out, z, 60, &err), PH_EBUG);
    assert_int_equal(out.strength, VER_UNKNOWN);
    assert_int_equal(ver_trust_value(&out, z, 18, &err), PH_OK);
    assert_int_equal(out.strength, VER_CERTIFIED);
    acb_indeterminate(z);
    assert_int_equal(ver_trust_value(&out, z, 4, &err), PH_EBUG);
    acb_clear(z);
    ver_clear(&out);
}

/* sin(√2·2^k) is lost bit by bit: of VER_MAX_BITS bits k are before the point, and √2 and the product round away fewer than 4. 28 digits are
 * 93.01 bits, so k certifies nothing beyond VER_MAX_BITS − 93, and 8 before that some k does, whose sine is above 1/2. */
static void digits_run_out_bit_by_bit(void **state) {
    (void)state;
    int last = 0;
    for (int k = VER_MAX_BITS - 120; k < VER_MAX_BITS - 60; k++) {
        char text[60];
        ph_err err = {0};
        ver_verdict v;
        ver_number *re, *im;
        snprintf(text, sizeof text, "sin(sqrt(2)*2^%d)", k);
        expr_node *e = formula(text);
        if (ver_enclose(&re, &im, &v, e, &(ver_ranges){NULL, 0}, &(ver_budget){.digits = 28}, &err))
            fail_msg("%s: %s", text, err.text);
        if (v.strength == VER_CERTIFIED) last = k;
        else assert_true(v.strength == VER_UNKNOWN && v.reason == VER_OUT_OF_BUDGET);
        ver_number_free(re);
        ver_number_free(im);
        ver_clear(&v);
        expr_drop(e);
    }
    assert_in_range(last, VER_MAX_BITS - 93 - 8, VER_MAX_BITS - 93);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_false_statement_is_contradicted),
        cmocka_unit_test(conditions_that_no_point_meets_prove_nothing),
        cmocka_unit_test(what_says_nothing_is_not_proved),
        cmocka_unit_test(no_condition_is_cut),
        cmocka_unit_test(no_strength_without_evidence),
        cmocka_unit_test(a_value_needs_its_digits),
        cmocka_unit_test(digits_run_out_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
