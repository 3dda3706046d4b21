/* Files for Coq: what they state, what is refused, and that what is false was given to coqc as well. coqc itself runs in `make recheck`; here
 * the false statements that it refuses there (tests/verify/coq-wrong) are held against what the writer makes of them.
 * GOLDEN=write build/tests/verify/test_coq writes them anew.
 * Sources: verify/coq.c verify/coq_forms.c verify/coq_known.c verify/coq_logs.c verify/coq_order.c verify/coq_parts.c verify/coq_proof.c
 * Sources: verify/coq_sums.c verify/coq_term.c verify/coq_units.c verify/coq_values.c verify/points.c */
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
#include "formula.h"
#include "verify/coq.h"
#include "verify/prove.h"

static ver_verdict judge(const char *text) {
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(text);
    if (ver_prove(&v, s, NULL, &err)) fail_msg("%s: %s", text, err.text);
    expr_drop(s);
    return v;
}

/* The text from the lemma on; to be freed. */
static char *lemma(const char *whole) {
    const char *from = strstr(whole, "Lemma statement");
    assert_non_null(from);
    return ph_strdup(from);
}

static char *certificate(const char *text) {
    ver_verdict v = judge(text);
    char *coq = NULL;
    ph_err err = {0};
    if (ver_coq(&coq, &v, &err)) fail_msg("%s: %s", text, err.text);
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
    STATES("sum(cos(θ[i]*x), i, 0, n-1) = sum(cos(-θ[j]*x), j, 0, n-1)", "(θ : Z -> R)",
           "zsum (fun i : Z =>");
    STATES("re(z*conj(z)) = re(z)^2 + im(z)^2", "(z : C)", "Cmul z (Cconj z)");
    STATES("x^2 + y^2 >= 2*x*y", ">=");
}

/* What an order rests on: bounds of floor, exp > 0, positive denominators to multiply by. */
static void orders(void **state) {
    (void)state;
    STATES("y - floor(y) < 1", "pose proof (base_Int_part y)", "with (floor y) in F1");
    STATES("β*(y - floor(y)) >= 0", "pose proof (base_Int_part y)", "order.");
    STATES("1/(k + 2) < 1/(k + 1)", "Rmult_lt_reg_r ((k + 2) * (k + 1))");
    STATES("(exp(x) + exp(y))/(exp(x) + exp(y) + exp(s)) < 1", "(exp_pos x)", "(exp_pos s)",
           "Rmult_lt_reg_r");
    STATES("x^2 + y^2 >= 2*x*y", "  order.\n");
    STATES("sum(log(k), i, n + 1, j) = log(k)*(j - n)", "rewrite ?minus_IZR, ?plus_IZR");
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
    expect_refusal("cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/8", "a fraction of pi");
    expect_refusal("exp(x) + tanh(y) > -1", "an order of tanh");
    expect_refusal("re(z*conj(z)) = abs(z)^2", "abs of a complex number");
    expect_refusal("sum(i, i, -n, n) = 0", "closed form");
    /* what holds of any number in its place needs none */
    STATES("x*floor(y) = floor(y)*x", "part floor");
    STATES("abs(x)^2 = x^2", "an_abs");
    STATES("sin(x + pi/7) = sin(x)*cos(pi/7) + cos(x)*sin(pi/7)", "an_angle");
}

/* ---- what is false ------------------------------------------------------------------------------------- */

/* Whatever certificate is written for them, Coq refuses. Mutants of each kind of statement: a sign, a constant, a bound, a condition left out. */
static const char *const false_ones[] = {
    "sin(a+b) = sin(a)*cos(b) - cos(a)*sin(b)",
    "sin(3*a) = 3*sin(a) - 3*sin(a)^3",
    "cos(a+b) = cos(a)*cos(b) + sin(a)*sin(b)",
    "(k^(2/(d-1))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))",
    "sqrt(k)*sqrt(k) = 2*k",
    "log(k*β) = log(k) - log(β)",
    "x/x = 2",
    "re(z*conj(z)) = re(z)^2",
    "sum(i, i, 1, n) = n*(n-1)/2",
    "sum(cos(θ[i]*x), i, 0, n-1) = sum(cos(θ[j]*x), j, 0, n)",
    "x^2 + y^2 >= 3*x*y",
    "cos(x) <= 1/2",
    "y - floor(y) < 1/2",
    "1/(k + 1) < 1/(k + 2)",
    "(exp(x) + exp(y))/(exp(x) + exp(y) + exp(s)) < 1/2",
};

static char *forced(const char *text) {
    ph_err err = {0};
    char *coq = NULL;
    ver_subject s = {.refs = 1, .shape = VER_EACH};
    expr_node *e = formula(text);
    assert_int_equal(expr_set_append(&s.statements, e, &err), PH_OK);
    ph_status st = ver_coq_write(&coq, text, &s, &err);
    if (st && st != PH_EOUTSIDE) fail_msg("%s: %s", text, err.text);
    expr_set_clear(&s.statements);
    expr_drop(e);
    char *out = coq ? lemma(coq) : NULL;
    ph_free(coq);
    return out;
}

static char *read_whole(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *s = calloc(1, 1 << 20);
    size_t n = fread(s, 1, (1 << 20) - 1, f);
    s[n] = 0;
    fclose(f);
    return s;
}

static void false_statements(void **state) {
    (void)state;
    const char *golden = getenv("GOLDEN");
    char path[200];
    int written = 0;
    for (size_t i = 0; i < sizeof false_ones / sizeof *false_ones; i++) {
        ver_verdict v = judge(false_ones[i]);
        assert_int_equal(v.strength, VER_REFUTED);
        ver_clear(&v);
        char *now = forced(false_ones[i]);
        if (!now) continue; /* no certificate can even be written */
        written++;
        snprintf(path, sizeof path, "tests/verify/coq-wrong/f%02zu.v", i + 1);
        if (golden && !strcmp(golden, "write")) {
            FILE *f = fopen(path, "wb");
            assert_non_null(f);
            fputs(now, f);
            fclose(f);
        }
        char *then = read_whole(path);
        if (!then || strcmp(then, now)) fail_msg("%s: %s is not what is written now", false_ones[i], path);
        free(then);
        ph_free(now);
    }
    assert_true(written >= 8);
}

/* ---- what is known ------------------------------------------------------------------------------------- */

static void known(void **state) {
    (void)state;
    const embed_file *f = embed_files;
    while (f->path && strcmp(f->path, "lessons/rechecked")) f++;
    assert_non_null(f->path);
    assert_int_equal(f->length % PH_SHA256_HEX, 0);
    for (size_t i = PH_SHA256_HEX; i + PH_SHA256_HEX <= f->length;
         i += PH_SHA256_HEX) /* in order, once each */
        assert_true(memcmp(f->text + i - PH_SHA256_HEX, f->text + i, PH_SHA256_HEX - 1) < 0);
    ver_verdict v = judge("sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)"); /* as the lesson `proof` has it */
    char *coq = NULL, *line = NULL, *json = NULL;
    assert_int_equal(ver_coq(&coq, &v, NULL), PH_OK);
    assert_true(ver_coq_known(coq));
    assert_true(ver_rechecked(&v));
    assert_int_equal(ver_text(&line, &v, VER_ZH, false, NULL), PH_OK);
    assert_non_null(strstr(line, "已复核"));
    assert_int_equal(ver_json(&json, &v, false, NULL), PH_OK);
    assert_non_null(strstr(json, "\"rechecked\":true"));
    coq[strlen(coq) - 2] = ' '; /* another text by a letter */
    assert_false(ver_coq_known(coq));
    ph_free(coq);
    ph_free(line);
    ph_free(json);
    ver_clear(&v);
    v = judge("sin(a+7*b) = sin(a)*cos(7*b) + cos(a)*sin(7*b)");
    assert_int_equal(v.strength, VER_PROVED);
    assert_false(ver_rechecked(&v));
    ver_clear(&v);
}

/* A refused allocation leaves nothing behind and no text. */
static void without_memory(void **state) {
    (void)state;
    ver_verdict v = judge("(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))");
    for (size_t n = 1;; n++) {
        char *coq = NULL;
        ph_err err = {0};
        ph_alloc_fail_from(n);
        ph_status st = ver_coq(&coq, &v, &err);
        ph_alloc_fail_from(0);
        if (!st) {
            ph_free(coq);
            break;
        }
        assert_int_equal(st, PH_ENOMEM);
        assert_null(coq);
    }
    ver_clear(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements),       cmocka_unit_test(orders), cmocka_unit_test(refusals),
        cmocka_unit_test(false_statements), cmocka_unit_test(known),  cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
