/* Files for Coq: what they state, and what is refused. coqc itself runs in `make recheck`; here every file that is written is held against the fingerprint that it had
 * when coqc took it (tests/verify/coq-right).
 * GOLDEN=write build/tests/verify/test_coq writes these anew, by coqc.
 * Sources: verify/coq.c verify/coq_asked.c verify/coq_forms.c verify/coq_known.c verify/coq_logs.c verify/coq_order.c verify/coq_pairs.c
 * Sources: verify/coq_over.c verify/coq_parts.c verify/coq_proof.c verify/coq_sizes.c verify/coq_squares.c verify/coq_sums.c verify/coq_term.c
 * Sources: verify/coq_units.c verify/coq_values.c verify/coq_weigh.c verify/points.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/embed.h"
#include "base/sha256.h"
#include "certificate.h"

static const char right_path[] = "tests/verify/coq-right";

/* Does coqc take this file now? */
static bool coqc_takes(const char *coq) {
    FILE *f = fopen("build/right.v", "wb");
    assert_non_null(f);
    fputs(coq, f);
    fclose(f);
    return system("cd build && nice coqc -q right.v > right.out 2>&1") == 0;
}

/* The file is, to the letter, the one that coqc took: whatever spoils how it is written is seen without coqc. */
static void as_coqc_took_it(const char *text, const char *coq) {
    char line[600], sum[PH_SHA256_HEX];
    ver_coq_fingerprint(sum, coq);
    assert_true(snprintf(line, sizeof line, "%s %s\n", sum, text) < (int)sizeof line);
    if (written_anew()) {
        if (!coqc_takes(coq)) fail_msg("coqc refuses build/right.v: %s", text);
        FILE *f = fopen(right_path, "ab");
        assert_non_null(f);
        fputs(line, f);
        fclose(f);
        return;
    }
    char *taken = read_whole(right_path);
    if (!taken || !strstr(taken, line)) fail_msg("%s: coqc took another file: %s", text, sum);
    free(taken);
}

static char *certificate(const char *text) {
    ver_verdict v = judge(text);
    char *coq = NULL;
    ph_err err = {0};
    if (ver_coq(&coq, &v, &err)) fail_msg("%s: %s", text, err.text);
    as_coqc_took_it(text, coq);
    char *out = lemma(coq);
    ph_free(coq);
    ver_clear(&v);
    return out;
}

static void states(const char *text, const char *const *parts) {
    char *coq = certificate(text);
    for (int i = 0; parts[i]; i++)
        if (!strstr(coq, parts[i])) fail_msg("%s: no %s in\n%s", text, parts[i], coq);
    assert_null(strstr(coq, "Admitted"));
    assert_non_null(strstr(coq, "Qed.\n\nPrint Assumptions statement.\n"));
    ph_free(coq);
}

#define STATES(text, ...) states(text, (const char *const[]){__VA_ARGS__, NULL})

static void statements(void **state) {
    (void)state;
    STATES("sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)", "forall (a : R) (b : R),",
           "(sin (a + b)) = (((sin a) * (cos b)) + ((cos a) * (sin b))).");
    /* assumptions on symbols and conditions of the proof are premises */
    STATES("(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))", "0 < k ->", "0 < β ->", "(d - 2) <> 0 ->",
           "Rpower");
    STATES("x/x = 1", "x <> 0 ->");
    /* a denominator of complex numbers; a closed form with exp(1), whose 1 is not the 1s of what it is worth */
    STATES("conj(z/(z + 1)) = conj(z)/(conj(z) + 1)", "pairs; apart; apply both_parts");
    STATES("re(z/(z + 1)) + re(1/(z + 1)) = 1", "pairs; apart; cbn");
    STATES("sum(exp(i + 1), i, 0, n)*(exp(1) - 1) = exp(1)*(exp(n + 1) - 1)", "power (1 * 1) (u'");
    STATES("sum(cos(θ[i]*x), i, 0, n-1) = sum(cos(-θ[j]*x), j, 0, n-1)", "(θ : Z -> R)",
           "zsum (fun i : Z =>");
    STATES("re(z*conj(z)) = re(z)^2 + im(z)^2", "(z : C)", "Cmul z (Cconj z)");
    STATES("x^2 + y^2 >= 2*x*y", ">=");
}

/* What an order rests on: known sizes, their products and squares, which are all that stand in the file. */
static void orders(void **state) {
    (void)state;
    STATES("y - floor(y) < 1", "pose proof (floor_above y)", "Lemma statement", "intro G'");
    STATES("β*(y - floor(y)) >= 0", "pose proof (floor_below y)", "by products");
    STATES("1/(k + 2) < 1/(k + 1)", "times_le _ _ _ G'", "by (field; nonzero)");
    STATES("(x^2 - 1)/(x - 1) >= x", "by (field; nonzero); lra)");
    STATES("(exp(x) + exp(y))/(exp(x) + exp(y) + exp(s)) < 1", "(exp_pos x)", "(exp_pos s)", "times_le");
    STATES("(a*x + b*y)^2 <= (a^2 + b^2)*(x^2 + y^2)", ") ^ 2) by products");
    STATES("sqrt(k*β) <= (k + β)/2", "root_square (k * β)", "times_0");
    STATES("exp(x) >= 1 + x", "exp_above x");
    STATES("exp((x + y)/2) <= (exp(x) + exp(y))/2", "exp_tangent x ((x + y) / 2)");
    STATES("1/(1 + exp(-x))*(1 - 1/(1 + exp(-x))) <= 1/4", "exp_pos (- x)", ") ^ 2) by products");
    STATES("log(k) <= k - 1", "ln_below k");
    STATES("k*(log(k) - log(β)) >= k - β", "ln_tangent");
    STATES("log(exp(a) + exp(b)) >= a", "exp_over_ln a");
    STATES("x*sign(x) >= 0", "sign_not_negative x");
    STATES("abs(sin(x)) <= abs(x)", "abs_square x", "sin_square x");
    STATES("cos(x) >= 1 - x^2/2", "cos_above x");
    STATES("abs(x + y) <= abs(x) + abs(y)", "abs_bounds (x + y)");
    STATES("abs(sin(3*x)) <= 3*abs(sin(x))", "sin_multiple");
    STATES("n^2 >= n", "whole_square n");
    STATES("exp(x) + tanh(y) > -1", "tanh_bounds y");
    STATES("sum(log(k), i, n + 1, j) = log(k)*(j - n)", "rewrite ?minus_IZR, ?plus_IZR");
}

/* What the functions of a formula are made of; each was given to coqc as well. */
static void functions(void **state) {
    (void)state;
    /* as they stand in the goal, so that Coq need not look for them */
    STATES("exp(a + b) = exp(a)*exp(b)", "here exp (a + b) W'", "elsewhere exp W'");
    STATES("sin(2*a) = 2*sin(a)*cos(a)", "here sin (2 * a) S'", "here cos a C'");
    STATES("k^a*k^b = k^(a + b)", "here exp ((a + b) * (l'");
    /* hyperbolic ones are of exp(x) and exp(-x) */
    STATES("cosh(x)^2 - sinh(x)^2 = 1", "here exp x W'", "here exp (- x) W'");
    STATES("tanh(x + y) = (tanh(x) + tanh(y))/(1 + tanh(x)*tanh(y))", "here exp (- (x + y)) W'");
    STATES("(-1)^n*cos(pi*n) = 1", "a_half_turn", "parity_in D'");
    STATES("(-1)^(3*n) = (-1)^n", "with (n + n + n)%Z by ring", "(a_parity n)");
    STATES("cos(pi/4)*2^(1/2) = 1", "pi_4", "rewrite ?(root_is 2 e'");
    STATES("log(x^4 + 2*x^2 + 1) = 2*log(x^2 + 1)", "logarithm (1 * ((x^2+1) ^ 2))");
    /* log(b)*d/d is log(b), in an exponent over d */
    STATES("k^(1/d)*k^((d - 1)/d) = k", "* ((k) ^ 1)");
    STATES("sqrt(abs(-x)^2 + abs(y)^2) = sqrt(x^2 + y^2)", "rewrite ?pow2_abs");
    STATES("sum(re(exp(I*θ[i])), i, 1, n) = sum(cos(θ[i]), i, 1, n)", "pairs; cbn [fst snd]");
    /* names that a proof gives are none that a symbol may have */
    STATES("cos(u1)^2 + sin(u1)^2 = 1", "forall (u1 : R)", "as (u'");
}

/* What rests on whole numbers, which coq_whole.v is for, and what takes its place in the goal only later. */
static void whole_numbers(void **state) {
    (void)state;
    /* any number of turns over 3, over 6: what is known of the angle is z^q = 1 */
    STATES("cos(2*pi*n/3)*(2*cos(2*pi*n/3) - 1) = 1", "a_part_of_turn 3", "field [ P'");
    STATES("sin(7*pi*n/3) = sin(pi*n/3)", "a_part_of_turn 6", " ^ 2 = s'");
    STATES("(-1)^(n - 2) = (-1)^n", "constant_powers");
    /* n*n and n are even together */
    STATES("cos(pi*i*n) = cos(pi*i*n^3)", "by twins D'");
    /* what no whole number makes 0; powers with a constant exponent */
    STATES("2*sum(1/(2*i - 1), i, -3, n) = sum(2/(2*i - 1), i, -3, n)", "whole_nonzero");
    STATES("sum(2^i, i, 0, n) = 2*2^n - 1", "constant_powers");
    STATES("sum((-1)^i, i, 1, n) = ((-1)^n - 1)/2", "constant_powers");
}

/* Parts that depend on each other, and what is of use in one way only. */
static void dependent_parts(void **state) {
    (void)state;
    STATES("exp(x/(1 + y))*exp(x*y/(1 + y)) = exp(x)", "(u'2 + u'1)");
    STATES("((x^2 + 1)^(1/5040))^2 = (x^2 + 1)^(1/2520)", "a_power (((l'"); /* without e^5040 */
    STATES("atan(log(exp(x))) = atan(x)", "elsewhere ln", "part atan");
    STATES("x + im(sqrt(k)) = x", "pairs; cbn");
    STATES("j*sum(θ[i], i, 1, n) = sum(j*θ[i], i, 1, n)", "zsum_same1"); /* j may be 0 */
}

static void expect_refusal(const char *text, const char *part) {
    ver_verdict v = judge(text);
    char *coq = NULL;
    ph_err err = {0};
    assert_int_not_equal(ver_coq(&coq, &v, &err), PH_OK);
    assert_null(coq);
    if (!strstr(err.text, part)) fail_msg("%s: %s", text, err.text);
    ver_clear(&v);
}

static const char *const further[] = {
    "x^4 + 1 >= x^2",
    "x^4 + y^4 >= x^3*y + x*y^3",
    "3*(x^2 + y^2 + s^2) >= (x + y + s)^2",
    "minimum(x, y) <= (x + y)/2",
    "log(k^3/β) = 3*log(k) - log(β)",
    "sqrt(k)*sqrt(β) = sqrt(k*β)",
    "re(exp(I*x)*exp(-I*y)) = cos(x - y)",
    "im(exp(I*x)^2) = 2*sin(x)*cos(x)",
    "sum(i^2, i, 0, n) = n*(n + 1)*(2*n + 1)/6",
    "sum(2*θ[i], i, 1, n) = 2*sum(θ[j], j, 1, n)",
    "cos(2*pi/3) = -1/2",
    "cos(x + 2*pi*n) = cos(x)",
    "1/k + 1/β >= 4/(k + β)",
    "x/(1 + x^2) <= 1/2",
    "exp(-k) < 1",
    "-floor(-x) >= x",
    "sqrt(x^2 + y^2) <= abs(x) + abs(y)",
};

/* Coq's functions of choices, squares, pairs and powers, which the statements above do not ask for. */
static void further_statements(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof further / sizeof *further; i++) ph_free(certificate(further[i]));
}

/* A choice is a premise where it is a condition: each case opens a bracket, and all are closed behind the last. */
static void choices(void **state) {
    (void)state;
    static const struct {
        const char *where, *name, *premise; /* name: in the list of what coqc took */
    } rows[] = {
        {"piecewise(lt(x, 0), 1, 2) > 0", "x/x = 1, one case", "(if Rlt_dec x 0 then 1 else 2) > 0 ->"},
        {"piecewise(lt(x, 0), 1, lt(x, 1), 2, 3) > 0", "x/x = 1, two cases",
         "(if Rlt_dec x 0 then 1 else (if Rlt_dec x 1 then 2 else 3)) > 0 ->"},
        {"piecewise(ge(x, 2), x, eq(x, 1), 1, gt(x, 0), 5, 3) > 0", "x/x = 1, three cases",
         "(if Rle_dec 2 x then x else (if Req_EM_T x 1 then 1 else (if Rlt_dec 0 x then 5 else 3))) > 0 ->"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_verdict v = judge_where("x/x = 1", rows[i].where);
        char *coq = NULL;
        ph_err err = {0};
        if (ver_coq(&coq, &v, &err)) fail_msg("%s: %s", rows[i].where, err.text);
        if (!strstr(coq, rows[i].premise))
            fail_msg("%s: no %s in\n%s", rows[i].where, rows[i].premise, lemma(coq));
        as_coqc_took_it(rows[i].name, coq);
        ph_free(coq);
        ver_clear(&v);
    }
}

static void refusals(void **state) {
    (void)state;
    expect_refusal("sin(a) = cos(a)", "only a proved verdict has a certificate");
    ver_verdict v = {.strength = VER_PROVED};
    char *coq = NULL;
    ph_err err = {0};
    assert_int_equal(ver_coq(&coq, &v, &err), PH_EOUTSIDE);
    assert_string_equal(err.text, "coq: not expressible: a statement in words");
    assert_false(ver_rechecked(&v));
    /* ways of proof for which no certificate is written */
    expect_refusal("floor(2*x) = floor(x) + floor(x + 1/2)", "by cases, residues");
    expect_refusal("floor(x + 1) = floor(x) + 1", "by cases, residues");
    expect_refusal("abs(x*y) = abs(x)*abs(y)", "by cases, residues");
    expect_refusal("tan(atan(x)) = x", "by cases, residues");
    expect_refusal("Si(-x) = -Si(x)", "by cases, residues"); /* not so of every function R -> R */
    expect_refusal("exp(2*pi*I/9)*exp(2*pi*I/25) = exp(68*pi*I/225)", "an angle taken 50 times");
    expect_refusal("cos(pi*n/17) = cos(33*pi*n/17)", "parts of a turn beyond its 1/24");
    expect_refusal("((x^2 + 1)^(1/500))^500 = x^2 + 1", "a root beyond the 100th");
    expect_refusal("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/8", "a fraction of pi");
    expect_refusal("tan(x)^2 >= 0", "an order of tan");
    /* an order that known sizes do not show, by the way in which it was proved */
    expect_refusal("k*β <= k^3/3 + β^(3/2)*2/3", "no certificate for an order by factors over Q");
    expect_refusal("re(z*conj(z)) = abs(z)^2", "abs of a complex number");
    expect_refusal("sum(i, i, -n, n) = 0", "closed form");
    expect_refusal("((1 + I)/2^(1/2))^8 = 1", "a high power of a complex number");
    /* what holds of any number in its place needs none */
    STATES("x*floor(y) = floor(y)*x", "part floor");
    STATES("abs(x)^2 = x^2", "an_abs");
    STATES("sin(x + pi/7) = sin(x)*cos(pi/7) + cos(x)*sin(pi/7)", "an_angle");
}

/* ---- what is known ------------------------------------------------------------------------------------- */

/* The list of the lessons: fingerprints, in order, once each. */
static void the_list_is_in_order(void **state) {
    (void)state;
    const embed_file *f = embed_files;
    while (f->path && strcmp(f->path, "lessons/rechecked")) f++;
    assert_non_null(f->path);
    assert_int_equal(f->length % PH_SHA256_HEX, 0);
    for (size_t i = PH_SHA256_HEX; i + PH_SHA256_HEX <= f->length; i += PH_SHA256_HEX)
        assert_true(memcmp(f->text + i - PH_SHA256_HEX, f->text + i, PH_SHA256_HEX - 1) < 0);
}

/* What recheck.lua makes of the same text (tests/course/test_audit.c); by hashlib of Python. */
static void fingerprints(void **state) {
    (void)state;
    char sum[PH_SHA256_HEX];
    ver_coq_fingerprint(sum, "x\nLemma statement :\n  a = b.\nProof.\nreflexivity.\nQed.\n");
    assert_string_equal(sum, "62a0ee9088b7e509ab6620ad9bef5d13c3530fd7d42ca95bdf88f17c66afaa07");
    ver_coq_fingerprint(sum, "no lemma");
    assert_string_equal(sum, "cb890bda7bf86ca2cb890bda7bf86ca24932ff1c5b1db8e0f0a0edc3beaa1458");
}

static const char addition[] = "sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)";

/* Three lines, with that of `text` in its place. */
static char *list_with(const char *text) {
    static char list[3 * PH_SHA256_HEX + 1];
    memset(list, '0', sizeof list);
    memset(list + 2 * PH_SHA256_HEX, 'f', PH_SHA256_HEX);
    ver_coq_fingerprint(list + PH_SHA256_HEX, text);
    for (int i = 1; i <= 3; i++) list[i * PH_SHA256_HEX - 1] = '\n';
    list[3 * PH_SHA256_HEX] = 0;
    return list;
}

static void known(void **state) {
    (void)state;
    ver_verdict v = judge(addition), other = judge("sin(a+7*b) = sin(a)*cos(7*b) + cos(a)*sin(7*b)");
    char *coq = NULL;
    assert_int_equal(ver_coq(&coq, &v, NULL), PH_OK);
    const char *list = list_with(coq);
    assert_true(ver_coq_known(coq, list));
    assert_true(ver_rechecked_by(&v, list));
    assert_int_equal(other.strength, VER_PROVED);
    assert_false(ver_rechecked_by(&other, list));
    assert_false(ver_rechecked_by(&v, ""));
    coq[strlen(coq) - 2] = ' '; /* another text by a letter, which states the same */
    assert_false(ver_coq_known(coq, list));
    assert_false(ver_rechecked_by(&v, list_with(coq)));
    ph_free(coq);
    ver_clear(&v);
    ver_clear(&other);
}

/* A verdict's line, in both languages, and its JSON say that it was rechecked when it is known. */
static void known_is_said(void **state) {
    (void)state;
    ver_verdict v = judge(addition);
    for (int known = -1; known <= 1; known += 2) {
        char *line = NULL, *zh = NULL, *json = NULL;
        v.subject->known = known; /* as the list answered */
        assert_true(ver_rechecked(&v) == (known > 0));
        assert_int_equal(ver_text(&line, &v, VER_EN, false, NULL), PH_OK);
        assert_int_equal(ver_text(&zh, &v, VER_ZH, false, NULL), PH_OK);
        assert_int_equal(ver_json(&json, &v, false, NULL), PH_OK);
        assert_true(!strstr(line, "; rechecked") == (known < 0));
        assert_true(!strstr(zh, "已复核") == (known < 0));
        assert_true(!strstr(json, "\"rechecked\":true") == (known < 0));
        ph_free(line);
        ph_free(zh);
        ph_free(json);
    }
    ver_clear(&v);
}

#define ENOUGH 100000 /* allocations of one certificate, by far */

/* How many allocations the verdict's file takes, or to ask whether it is known. */
static size_t allocations(const ver_verdict *v, bool file) {
    size_t left = 0;
    char *coq = NULL;
    ph_alloc_fail_from(ENOUGH);
    if (file) assert_int_equal(ver_coq(&coq, v, NULL), PH_OK);
    else assert_false(ver_rechecked_by(v, ""));
    ph_free(coq);
    for (void *p; (p = ph_alloc(1)) != NULL; left++) ph_free(p);
    ph_alloc_fail_from(0);
    return ENOUGH - 1 - left;
}

/* Of what the list does not state no certificate is made: to print a verdict costs a small part of that. */
static void unknown_statements_cost_little(void **state) {
    (void)state;
    ver_verdict v = judge(addition);
    size_t asked = allocations(&v, false), written = allocations(&v, true);
    if (asked < 1 || asked * 3 > written) fail_msg("%zu allocations to ask, %zu to write", asked, written);
    ver_clear(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements),         cmocka_unit_test(orders),
        cmocka_unit_test(functions),          cmocka_unit_test(choices),
        cmocka_unit_test(refusals),           cmocka_unit_test(the_list_is_in_order),
        cmocka_unit_test(fingerprints),       cmocka_unit_test(known),
        cmocka_unit_test(known_is_said),      cmocka_unit_test(unknown_statements_cost_little),
        cmocka_unit_test(further_statements), cmocka_unit_test(whole_numbers),
        cmocka_unit_test(dependent_parts),
    };
    if (written_anew()) remove(right_path);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
