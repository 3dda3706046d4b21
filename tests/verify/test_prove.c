/* The prover, on the identities of the three sources and their false variants. Every verdict is checked twice: by what it
 * says, and by an independent count of mutants.
 * Sources: verify/generators.c verify/mutants.c verify/normal.c verify/prove.c verify/ring.c verify/told.c verify/unity.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "expr/mutate.h"
#include "formula.h"
#include "verify/prove.h"
#include "verify/said.h"

static ver_verdict judge(const char *text) {
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(text);
    ph_status st = ver_prove(&v, s, NULL, &err);
    if (st) fail_msg("%s: %s", text, err.text);
    expr_drop(s);
    return v;
}

static void expect(const char *text, ver_strength want, const char *part) {
    ver_verdict v = judge(text);
    char *line = NULL;
    assert_int_equal(ver_text(&line, &v, VER_EN, false, NULL), PH_OK);
    if (getenv("SHOW")) printf("%-60s %s [%s] %.1f us\n", text, line, v.method ? v.method : "", v.time * 1e6);
    if (v.strength != want || (part && !strstr(line, part))) fail_msg("%s: %s", text, line);
    if (want == VER_REFUTED) assert_non_null(strstr(said(ver_witness, &v), "left side"));
    if (want == VER_UNKNOWN) assert_non_null(v.reason_text);
    ph_free(line);
    ver_clear(&v);
}

static void trigonometric(void **state) {
    (void)state;
    expect("sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)", VER_PROVED, "for all real a, b");
    expect("sin(a-b) = sin(a)*cos(b) - cos(a)*sin(b)", VER_PROVED, NULL);
    expect("cos(a+b) = cos(a)*cos(b) - sin(a)*sin(b)", VER_PROVED, NULL);
    expect("cos(a-b) = cos(a)*cos(b) + sin(a)*sin(b)", VER_PROVED, NULL);
    expect("sin(a+b) = sin(a)*cos(b) - cos(a)*sin(b)", VER_REFUTED, "a = ");
    expect("cos(a+b) = cos(a)*cos(b) + sin(a)*sin(b)", VER_REFUTED, NULL);
    expect("sin(x)^2 + cos(x)^2 = 1", VER_PROVED, NULL);
    expect("tan(x) = sin(x)/cos(x)", VER_PROVED, "cos(x) != 0");
    expect("tan(a+b) = (tan(a)+tan(b))/(1-tan(a)*tan(b))", VER_PROVED, NULL);
    expect("cos(3*x) = 4*cos(x)^3 - 3*cos(x)", VER_PROVED, NULL);
    expect("sin(x/2)^2 = (1-cos(x))/2", VER_PROVED, NULL);
    expect("exp(I*x) = cos(x) + I*sin(x)", VER_PROVED, NULL);
    expect("cos(I*x) = cosh(x)", VER_PROVED, NULL);
    expect("tanh(x) = (exp(2*x)-1)/(exp(2*x)+1)", VER_PROVED, NULL);
    expect("re(conj(z)) = re(z)", VER_PROVED, NULL);
    expect("abs(z)^2 = z*conj(z)", VER_PROVED, NULL);
    expect("sin(t*exp(-x) + u*exp(-x)) = sin(t*exp(-x))*cos(u*exp(-x)) + cos(t*exp(-x))*sin(u*exp(-x))",
           VER_PROVED, NULL);
    expect("sin(x + pi) = -sin(x)", VER_PROVED, NULL);
    expect("cos(x + pi/3) = cos(x)/2 - sqrt(3)/2*sin(x)", VER_PROVED, NULL);
    expect("cos(pi/12) = (sqrt(6)+sqrt(2))/4", VER_PROVED, NULL);
    expect("sin(pi/12) = (sqrt(6)-sqrt(2))/4", VER_PROVED, NULL);
    expect("cos(pi/5) = (1+sqrt(5))/4", VER_PROVED, NULL);
    expect("cos(pi/5) = (1+sqrt(5))/5", VER_REFUTED, NULL);
    expect("sin(pi/7)*sin(2*pi/7)*sin(3*pi/7) = sqrt(7)/8", VER_PROVED, NULL);
    expect("cos(pi/521) = 1 - sin(pi/1042)^2*2", VER_UNKNOWN, "root of unity");
    expect("cos(x/10000)^2 + sin(x/10000)^2 = 1", VER_PROVED, NULL);
    expect("cos(x/10000 + x) = cos(x/10000)*cos(x) - sin(x/10000)*sin(x)", VER_PROVED, NULL);
    expect("cos(x/10000 + x) = cos(x/10000)*cos(x) + sin(x/10000)*sin(x)", VER_REFUTED, NULL);
    expect("exp(2*pi*I*n) = 1", VER_PROVED, "integer n");
    expect("(-1)^n*(-1)^n = 1", VER_PROVED, NULL);
    expect("cos(pi*n) = (-1)^n", VER_PROVED, NULL);
    expect("cos(pi*x)^2 = 1", VER_REFUTED, NULL);
}

static void rational_and_powers(void **state) {
    (void)state;
    expect("(x^2-1)/(x-1) = x+1", VER_PROVED, "x - 1 != 0");
    expect("1/(x+y) = 1/x + 1/y", VER_REFUTED, NULL);
    expect("(p*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))", VER_REFUTED, NULL);
    /* NTK: λ = k^(2/(d-2)) with symbolic d, k, β */
    expect("(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))", VER_PROVED, "d - 2 != 0");
    expect("(k^(2/(d-1))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))", VER_REFUTED, NULL);
    expect("β*k^(d/(d-2)) = (k^(2/(d-2))*β^(2/d))^(d/2)", VER_PROVED, NULL);
    expect("10000^(-2*i/d) = 1/(10000^(2/d))^i", VER_PROVED, NULL);
    expect("sqrt(k)*sqrt(k) = k", VER_PROVED, NULL);
    expect("sqrt(x^2) = x", VER_REFUTED, NULL);
    expect("sqrt(x^2) = abs(x)", VER_PROVED, NULL);
    expect("log(k*β) = log(k) + log(β)", VER_PROVED, NULL);
    expect("log(10000) = 4*log(10)", VER_PROVED, NULL);
    expect("abs(x*y) = abs(x)*abs(y)", VER_PROVED, NULL);
    expect("maximum(x,y) + minimum(x,y) = x + y", VER_PROVED, NULL);
    expect("maximum(x,y) = (x+y+abs(y-x))/2", VER_PROVED, NULL);
    expect("floor(x) = x", VER_REFUTED, NULL);
    expect("2^(1/3)*4^(1/3) = 2", VER_PROVED, NULL);
    expect("1/(x-x) = 1", VER_UNKNOWN, "zero");
}

/* Each case of a piecewise is 0 by itself or is not: a case that is 0 says nothing of the whole, and points at which the whole
 * fails do not contradict it. */
static void cases(void **state) {
    (void)state;
    char text[200];
    expect("piecewise(lt(x,1), 2, 3)^2 = piecewise(lt(x,1), 4, 9)", VER_PROVED, NULL); /* by both orders */
    expect("abs(x)*piecewise(lt(x,1), 2, 2) = 2*abs(x)", VER_PROVED, NULL);
    for (int k = -24; k <= 24; k++) { /* false for x from k-1 to k only: few of the points tried lie there */
        snprintf(text, sizeof text, "piecewise(lt(x,%d), 1, 2) = piecewise(lt(x+1,%d), 1, 2)", k, k);
        ver_verdict v = judge(text);
        assert_true(v.strength == VER_REFUTED || v.strength == VER_UNKNOWN);
        ver_clear(&v);
    }
}

static void sums(void **state) {
    (void)state;
    expect("sum(i, i, 1, n) = n*(n+1)/2", VER_PROVED, NULL);
    expect("sum(i, i, 1, n) = n*(n-1)/2", VER_REFUTED, NULL);
    expect("sum(i^2, i, 1, n) = n*(n+1)*(2*n+1)/6", VER_PROVED, NULL);
    expect("sum(x^i, i, 0, n) = (1-x^(n+1))/(1-x)", VER_PROVED, NULL);
    expect("sum(sin(θ[i]*t)*sin(θ[i]*(t+k)) + cos(θ[i]*t)*cos(θ[i]*(t+k)), i, 0, n-1) = sum(cos(θ[i]*k), i, "
           "0, n-1)",
           VER_PROVED, NULL);
    expect("sum(sin(θ[i]*t)*sin(θ[i]*(t+k)) - cos(θ[i]*t)*cos(θ[i]*(t+k)), i, 0, n-1) = sum(cos(θ[i]*k), i, "
           "0, n-1)",
           VER_REFUTED, NULL);
    expect("sum(cos(θ[i]*x), i, 0, n-1) = sum(cos(-θ[j]*x), j, 0, n-1)", VER_PROVED, NULL);
    expect("sum(i, i, 1, 100) = 5050", VER_PROVED, NULL);
}

static void inequalities(void **state) {
    (void)state;
    expect("x^2 + y^2 >= 2*x*y", VER_PROVED, NULL);
    expect("x^2 + y^2 >= 3*x*y", VER_REFUTED, NULL);
    expect("x^4 - x^2 + 1 > 0", VER_PROVED, NULL);
    expect("x^4 - 2*x^2 + 1 >= 0", VER_PROVED, NULL);
    expect("x^4 - 2*x^2 + 1 > 0", VER_REFUTED, NULL);
    expect("sin(x)*2 <= 3", VER_PROVED, NULL);
    expect("exp(k) >= 1 + k", VER_PROVED, NULL);
    expect("sin(k) <= k", VER_PROVED, NULL);
    expect("1 - k^2/2 <= cos(k)", VER_PROVED, NULL);
    expect("exp(x) > 0", VER_PROVED, NULL);
}

/* Σ_i over d/2 pairs, written out */
static char *inner_product(int d, bool wrong) {
    char *t = malloc(200 * (size_t)d + 100);
    size_t n = 0;
    for (int i = 0; i < d / 2; i++)
        n += (size_t)sprintf(t + n, "%ssin(w%d*t)*sin(w%d*(t+x)) + cos(w%d*t)*cos(w%d*(t+x))", i ? " + " : "",
                             i, i, i, i);
    n += (size_t)sprintf(t + n, " = ");
    for (int i = 0; i < d / 2; i++)
        n += (size_t)sprintf(t + n, "%scos(w%d*%s)", i ? " + " : "", i, wrong && i == d / 2 - 1 ? "t" : "x");
    return t;
}

static void long_identities(void **state) {
    (void)state;
    int d[] = {8, 128};
    for (int i = 0; i < 2; i++) {
        char *right = inner_product(d[i], false), *wrong = inner_product(d[i], true);
        expect(right, VER_PROVED, NULL);
        expect(wrong, VER_REFUTED, NULL);
        free(right);
        free(wrong);
    }
}

static void show_mutant(void *ctx, const char *what, const ver_verdict *v) {
    (void)ctx;
    if (v->strength == VER_UNKNOWN && v->reason != VER_DOMAIN)
        printf("    undecided: %s (%s)\n", what, v->reason_text ? v->reason_text : "");
}

static void mutants_never_survive(void **state) {
    (void)state;
    static const char *const laws[] = {"sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)",
                                       "cos(a-b) = cos(a)*cos(b) + sin(a)*sin(b)",
                                       "sin(x)^2 + cos(x)^2 = 1",
                                       "cos(3*x) = 4*cos(x)^3 - 3*cos(x)",
                                       "(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))",
                                       "sum(i, i, 1, n) = n*(n+1)/2",
                                       "exp(I*x) = cos(x) + I*sin(x)",
                                       "(x^2-1)/(x-1) = x+1",
                                       "x^2+1 >= 2*x"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        ver_mutants_report r;
        expr_node *s = formula(laws[i]);
        ph_err err = {0};
        ph_status st = ver_mutants(&r, s, NULL, show_mutant, NULL, &err);
        if (st) fail_msg("%s: %s", laws[i], err.text);
        if (getenv("SHOW"))
            printf("%s: %ld mutants, %ld refuted, %ld equivalent, %ld undecided, %ld undefined, %.2f ms\n",
                   laws[i], (long)r.total, (long)r.refuted, (long)r.equivalent, (long)r.undecided,
                   (long)r.undefined, r.time * 1e3);
        assert_true(r.total >= 10);
        assert_int_equal(r.refuted + r.equivalent, r.total);
        assert_int_equal(r.original, VER_PROVED);
        expr_drop(s);
    }
}

typedef struct {
    ver_strength bare[200];
    int n, next; /* how many were judged; which comes next */
    expr_node *right;
} fates;

static void note_fate(void *ctx, const char *what, const ver_verdict *v) {
    fates *f = ctx;
    (void)what;
    assert_true(f->n < 200);
    f->bare[f->n++] = v->strength;
}

/* The same mutant, judged in full. */
static ph_status judge_in_full(void *ctx, expr_node *mutant, const char *what, ph_err *err) {
    fates *f = ctx;
    ver_verdict v;
    expr_node *s = NULL;
    assert_int_equal(expr_make2(&s, EXPR_EQ, mutant, f->right, err), PH_OK);
    assert_int_equal(ver_prove(&v, s, NULL, err), PH_OK);
    if (v.strength != f->bare[f->next])
        fail_msg("%s: %d in full, %d counted", what, v.strength, f->bare[f->next]);
    f->next++;
    ver_clear(&v);
    expr_drop(s);
    return PH_OK;
}

/* Who counts mutants looks for a witness at other points than who proves a statement, and comes to the same: of weights that f64 sees as 1
 * and 0 at many points, and of sides that f64 sees apart where they are equal. */
static void counted_or_told_is_the_same(void **state) {
    (void)state;
    static const char *const laws[] = {
        "(exp(60*a)*x + exp(60*b)*y)/(exp(60*a) + exp(60*b)) = (exp(60*b)*y + exp(60*a)*x)/(exp(60*b) + exp(60*a))",
        "10^18*(cos(x)^2 + sin(x)^2 - 1) = 0",
        "exp(x + 50)*exp(-x) - exp(50)*(1 + a) = -a*exp(50)",
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        fates f = {.n = 0};
        ver_mutants_report r;
        ph_err err = {0};
        expr_node *s = formula(laws[i]);
        assert_int_equal(ver_mutants(&r, s, NULL, note_fate, &f, &err), PH_OK);
        assert_int_equal(r.original, VER_PROVED);
        assert_true(r.refuted > 0 && r.refuted + r.equivalent + r.undefined == f.n);
        f.right = s->arg[1];
        assert_int_equal(expr_mutants(s->arg[0], judge_in_full, &f, &err), PH_OK);
        assert_true(f.next >= 5);
        expr_drop(s);
    }
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    expr_node *s = formula("sin(a+b)*sqrt(1+x^2) = (sin(a)*cos(b) + cos(a)*sin(b))*sqrt(x^2+1)");
    bool done = false;
    for (size_t k = 1; k < 3000 && !done; k++) {
        ver_verdict v;
        ph_err err = {0};
        ph_alloc_fail_from(k);
        ph_status st = ver_prove(&v, s, NULL, &err);
        ph_alloc_fail_from(0);
        done = st == PH_OK;
        if (!done) assert_int_equal(st, PH_ENOMEM);
        ver_clear(&v);
    }
    assert_true(done);
    expr_drop(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trigonometric),
        cmocka_unit_test(rational_and_powers),
        cmocka_unit_test(cases),
        cmocka_unit_test(sums),
        cmocka_unit_test(inequalities),
        cmocka_unit_test(long_identities),
        cmocka_unit_test(mutants_never_survive),
        cmocka_unit_test(counted_or_told_is_the_same),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
