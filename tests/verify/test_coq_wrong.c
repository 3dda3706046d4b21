/* What is false was given to coqc as well: the files that it refuses in `make recheck` (tests/verify/coq-wrong) are held against what the writer makes of these
 * statements. And no memory for a file leaves none.
 * GOLDEN=write build/tests/verify/test_coq_wrong writes the files anew.
 * Sources: verify/coq.c verify/coq_order.c verify/coq_weigh.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "certificate.h"

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
    /* of each way to an order one that is false by a little */
    "(a*x + b*y)^2 <= (a^2 + b^2)*(x^2 + y^2) - 1/100",
    "sqrt(k*β) <= (k + β)/3",
    "exp(x) >= 1 + 2*x",
    "exp((x + y)/2) >= (exp(x) + exp(y))/2",
    "1/(1 + exp(-x))*(1 - 1/(1 + exp(-x))) <= 1/5",
    "log(k) < k - 1",
    "abs(sin(x)) <= abs(x)/2",
    "cos(x) >= 1 - x^2/3",
    "abs(x - y) <= abs(x) - abs(y)",
    "abs(sin(3*x)) <= 2*abs(sin(x))",
    "n^2 > n",
    "k + 1/k > 2",
    "floor(x/k)*k > x - k/2",
    "maximum(x, y) <= (x + y)/2",
    "tanh(x) < 9/10",
    "x^2 > 0",
    "log(exp(a) + exp(b)) >= a + 1/10",
    "sign(x) <= 1/2",
    "(-1)^(3*n) = 1",
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

static void false_statements(void **state) {
    (void)state;
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
        if (written_anew()) {
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

/* A refused allocation leaves nothing behind and no text. */
static void refuse_memory(const char *text) {
    ver_verdict v = judge(text);
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

static void without_memory(void **state) {
    (void)state;
    refuse_memory("(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))");
    refuse_memory("abs(x + y)/k <= abs(x)/k + abs(y)/k");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(false_statements), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
