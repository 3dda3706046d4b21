/* Whatever is asked of the prover, the answer comes in time: proved, or unknown with its reason; never an abort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <malloc.h>
#include <cmocka.h>

#include "judged.h"
#include "verify/exact.h"
#include "verify/prove.h"

/* Seconds of processor time for one question, whatever else the machine does. Sanitizers slow everything: generous, and far below
 * a hang. */
#define LIMIT 20.0

typedef expr_node *step(expr_builder *b, expr_node *e, int i);

static expr_node *x_of(expr_builder *b) {
    expr_node *x;
    return expr_sym(&x, "x", EXPR_REAL, NULL) ? NULL : expr_b_keep(b, x);
}

static expr_node *add_x(expr_builder *b, expr_node *e, int i) {
    return (void)i, expr_b_2(b, EXPR_ADD, e, x_of(b));
}
static expr_node *twice(expr_builder *b, expr_node *e, int i) { return (void)i, expr_b_2(b, EXPR_ADD, e, e); }
static expr_node *squared(expr_builder *b, expr_node *e, int i) {
    return (void)i, expr_b_2(b, EXPR_MUL, e, e);
}
static expr_node *sine(expr_builder *b, expr_node *e, int i) { return (void)i, expr_b_1(b, EXPR_SIN, e); }
static expr_node *root(expr_builder *b, expr_node *e, int i) {
    return (void)i, expr_b_1(b, EXPR_SQRT, expr_b_2(b, EXPR_ADD, e, expr_b_rat(b, 1, 1)));
}
static expr_node *distance(expr_builder *b, expr_node *e, int i) {
    return expr_b_1(b, EXPR_ABS, expr_b_2(b, EXPR_SUB, e, expr_b_rat(b, i, 1)));
}
static expr_node *fraction(expr_builder *b, expr_node *e, int i) {
    return (void)i, expr_b_2(b, EXPR_DIV, expr_b_rat(b, 1, 1), expr_b_2(b, EXPR_ADD, expr_b_rat(b, 1, 1), e));
}
static expr_node *floors(expr_builder *b, expr_node *e, int i) {
    return expr_b_2(b, EXPR_ADD, e,
                    expr_b_1(b, EXPR_FLOOR, expr_b_2(b, EXPR_ADD, x_of(b), expr_b_rat(b, i, 1))));
}

static const char *const reasons[] = {"", "outside the theory", "out of budget", "undefined", ""};

/* Judges s; the caller's limit on time and the sane shape of the verdict are checked. */
static ver_strength answered(expr_node *s, const char *what) {
    ver_verdict v;
    ph_err err = {0};
    clock_t began = clock();
    if (ver_prove(&v, s, NULL, &err)) fail_msg("%s: %s", what, err.text);
    double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (getenv("SHOW"))
        printf("%-28s %.3f s %s %s\n", what, took, ver_strength_name(v.strength), reasons[v.reason]);
    if (took > LIMIT) fail_msg("%s: %g s", what, took);
    if (v.strength == VER_UNKNOWN) assert_non_null(v.reason_text);
    ver_strength r = v.strength;
    ver_clear(&v);
    return r;
}

/* e = e·1, after n steps from x. */
static void chain(const char *what, step *f, int n, int want) {
    expr_builder b = EXPR_BUILDER(NULL);
    expr_node *e = x_of(&b), *s = NULL;
    for (int i = 1; i <= n && e; i++) e = f(&b, e, i);
    expr_node *t = expr_b_2(&b, EXPR_MUL, e, expr_b_rat(&b, 1, 1));
    assert_int_equal(expr_b_end(&b, &s, expr_b_2(&b, EXPR_EQ, e, t)), PH_OK);
    ver_strength r = answered(s, what);
    if (want >= 0) assert_int_equal(r, want);
    expr_drop(s);
}

static void deep_and_doubling(void **state) {
    (void)state;
    chain("1900 additions", add_x, 1900, VER_PROVED);
    chain("doubled 16 times", twice, 16, VER_PROVED);
    chain("doubled 19 times", twice, 19, VER_UNKNOWN);
    chain("squared 12 times", squared, 12, VER_PROVED);
    chain("300 nested sines", sine, 300, VER_PROVED);
    chain("40 nested roots", root, 40, VER_PROVED);
    chain("100 nested distances", distance, 100, VER_PROVED);
    chain("200 nested fractions", fraction, 200, VER_PROVED);
    chain("1000 floors", floors, 1000, -1);
}

static void powers_beyond_the_caps(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int want; /* -1: either, in time */
    } rows[] = {
        {"x^100000 = x^99999*x", VER_PROVED},
        {"x^100000 = x^99998*x", VER_REFUTED},
        {"(1+x)^100000 = (x+1)^99999*(x+1)", VER_UNKNOWN},
        {"(a+b+c+d)^200 = (d+c+b+a)^200", VER_UNKNOWN},
        {"(a+b+c+d)^30 = (d+c+b+a)^30", VER_PROVED},
        {"x*10^400 = 10^400*x", VER_PROVED},
        {"x*10^1000000 = 10^1000000*x", VER_UNKNOWN},
        {"x*10^10000000000 = 10^10000000000*x", VER_UNKNOWN},
        {"x^4611686018427387904 = x*x^4611686018427387903", sizeof(long) > 4 ? VER_UNKNOWN : VER_PROVED},
        {"cos(1000000000*x) = cos(-1000000000*x)", VER_PROVED},
        {"exp(x/9223372036854775807)^9223372036854775807 = exp(x)", VER_UNKNOWN},
        {"2^(1/5040)*2^(1/4999) = 1*2^(1/4999)*2^(1/5040)", VER_UNKNOWN},
        {"sqrt(9223372036854775783)^2 = 9223372036854775783", VER_PROVED},
        {"(x^9000-1)/(x^4500-1) = x^4500+1", VER_PROVED},
        {"sum(i, i, 1, 1000000000000) = 5", VER_UNKNOWN},
        {"sum(exp(i*x), i, 1, 2000) = sum(exp(-i*(-x)), i, 1, 2000)", VER_PROVED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_node *s = formula(rows[i].text);
        ver_strength r = answered(s, rows[i].text);
        if (rows[i].want >= 0 && (int)r != rows[i].want)
            fail_msg("%s: %s", rows[i].text, ver_strength_name(r));
        expr_drop(s);
    }
}

static void an_interrupt_is_seen(void **state) {
    (void)state;
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula("(a+b+c+d)^30 = (d+c+b+a)^30");
    ph_interrupt_flag = 1;
    ph_status st = ver_prove(&v, s, NULL, &err);
    ph_interrupt_flag = 0;
    assert_int_equal(st, PH_EINTR);
    ver_clear(&v);
    expr_drop(s);
}

/* Many questions of all kinds leave the heap where it was. */
static void memory_stays_flat(void **state) {
    (void)state;
    static const char *const mixed[] = {"sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)",
                                        "sin(a+b) = sin(a)*cos(b) - cos(a)*sin(b)",
                                        "floor(x+1) = floor(x)+1",
                                        "1/(x-x) = 1",
                                        "cos(pi/5) = (1+sqrt(5))/4",
                                        "sqrt(x^2+1) = sqrt(1+x^2)",
                                        "x^100000 = x^99999*x",
                                        "sum(i, i, 1, n) = n*(n+1)/2",
                                        "x^2 + y^2 >= 2*x*y",
                                        "log(1+k) <= k",
                                        "maximum(x,y)+minimum(x,y) = x+y",
                                        "(k^(2/(d-2))*β)^(-(d/2-1))*n = (n/k)*β^(-(d/2-1))"};
    enum { KINDS = sizeof mixed / sizeof *mixed };
    expr_node *s[KINDS];
    for (int i = 0; i < KINDS; i++) s[i] = formula(mixed[i]);
    /* Caches of FLINT grow a block at a time, now and then; what leaks grows in each of the windows, by 16 bytes a question at least. */
    size_t before = 0, least = SIZE_MAX;
    for (int window = 0; window < 4 && least; window++) {
        for (int k = 0; k < 100; k++)
            for (int i = 0; i < KINDS; i++) {
                ver_verdict v;
                ph_err err = {0};
                assert_int_equal(ver_prove(&v, s[i], NULL, &err), PH_OK);
                ver_clear(&v);
            }
        size_t now = mallinfo2().uordblks;
        if (window && (now < before || now - before < least)) least = now < before ? 0 : now - before;
        before = now;
    }
    for (int i = 0; i < KINDS; i++) expr_drop(s[i]);
    if (least >= 1600) fail_msg("%zu bytes more after 1200 questions, again and again", least);
}

/* ---- refused memory ------------------------------------------------------------------------------------ */

typedef ph_status question(ph_err *err);

static ph_status ask_rank(ph_err *err) {
    expr_node *e[4] = {formula("1"), formula("2"), formula("3"), formula("4")}, *x = NULL;
    ver_matrix a = {2, 2, e}, out = {0}, y = {0};
    int64_t n;
    ph_status st = ver_rank(&n, &a, err);
    if (!st) st = ver_det(&x, &a, err);
    if (!st) st = ver_null_space(&out, &a, err);
    if (!st) st = ver_solve(&y, &n, &a, &a, err);
    expr_drop(x);
    ver_matrix_clear(&out);
    ver_matrix_clear(&y);
    for (int i = 0; i < 4; i++) expr_drop(e[i]);
    return st;
}

static expr_node *stored[4];
static ver_strength given; /* by the last question about a statement */

static ph_status ask_moment(ph_err *err) {
    expr_set random = {.n = 1, .item = &stored[1]};
    expr_node *out = NULL;
    ph_status st = ver_moment(&out, stored[0], &random, 2, err);
    expr_drop(out);
    return st;
}

static ph_status ask_symmetric(ph_err *err) {
    ver_verdict v;
    ph_status st = ver_symmetric(&v, stored[0], &stored[1], 2, 1, err);
    ver_clear(&v);
    return st;
}

static ph_status ask_induct(ph_err *err) {
    ver_verdict v;
    ph_status st = ver_induct(&v, &stored[0], 1, stored[1], 0, &stored[2], 2, err);
    ver_clear(&v);
    return st;
}

static ph_status ask_statement(ph_err *err) {
    ver_verdict v;
    ph_status st = ver_prove(&v, stored[0], NULL, err);
    given = v.strength;
    ver_clear(&v);
    return st;
}

static ph_status ask_mutants(ph_err *err) {
    ver_mutants_report r;
    return ver_mutants(&r, stored[0], NULL, NULL, NULL, err);
}

/* With memory refused from the k-th allocation on, for k = 1, 2, ...: in words, or the same verdict as with all of it. */
static void starve(question *ask, const char *a, const char *b, const char *c, const char *d) {
    const char *const text[] = {a, b, c, d};
    for (int i = 0; i < 4; i++) stored[i] = text[i] ? formula(text[i]) : NULL;
    bool done = false;
    given = VER_UNKNOWN;
    assert_int_equal(ask(NULL), PH_OK);
    ver_strength wanted = given;
    for (size_t k = 1; k < 5000 && !done; k++) {
        ph_err err = {0};
        ph_alloc_fail_from(k);
        ph_status st = ask(&err);
        ph_alloc_fail_from(0);
        if (st ? st != PH_ENOMEM || strncmp(err.text, "out of memory", 13) : given != wanted)
            fail_msg("%s: at %zu: %d %s: %s", a, k, (int)st, err.text, ver_strength_name(given));
        done = st == PH_OK;
    }
    assert_true(done);
    for (int i = 0; i < 4; i++) expr_drop(stored[i]);
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    starve(ask_moment, "(x*y + 1)^2 + 3*x - x^2*y^2", "x", NULL, NULL);
    starve(ask_symmetric, "x*y + sin(x)*sin(y)", "x", "y", NULL);
    starve(ask_induct, "a[n] = n*a[1]", "n", "a[n+1] = a[n] + a[1]", "a[0] = 0");
    starve(ask_statement, "sum(θ[i]*i, i, 0, n) = n*θ[n] + sum(θ[j]*j, j, 0, n-1)", NULL, NULL, NULL);
    starve(ask_statement, "sqrt(x^2+1)*log(2*k) = sqrt(1+x^2)*(log(2)+log(k))", NULL, NULL, NULL);
    starve(ask_statement, "sum(j, j, 1, n) = n*(n+1)/2", NULL, NULL, NULL);
    starve(ask_statement, "exp(k) >= 1 + k", NULL, NULL, NULL);
    starve(ask_mutants, "sum(θ[j], j, 1, n) = sum(θ[i], i, 1, n)", NULL, NULL, NULL);
    starve(ask_mutants, "sin(x)^2 + cos(x)^2 = 1", NULL, NULL, NULL);
    starve(ask_mutants, "sum(j, j, 1, n) = n*(n+1)/2", NULL, NULL, NULL);
}

static void matrices_within_bounds(void **state) {
    (void)state;
    ph_err err = {0};
    assert_int_equal(ask_rank(&err), PH_OK);
    int64_t n;
    ver_matrix huge = {1000, 1000, NULL};
    assert_int_equal(ver_rank(&n, &huge, &err), PH_EBUDGET);
}

/* Where conditions leave large bounds alone, no point adds up what takes hours. */
static void sums_of_many_terms(void **state) {
    (void)state;
    static const char *const texts[] = {"sum(j, j, 1, n) = n*(n + 1)/2", "sum(x^2*j^2, j, -n, n) >= 0"};
    clock_t began = clock();
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_int_not_equal(judged(texts[k], (const char *[CONDITIONS]){"n > 10^11"}), VER_REFUTED);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_and_doubling),
        cmocka_unit_test(powers_beyond_the_caps),
        cmocka_unit_test(an_interrupt_is_seen),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(refused_memory_leaks_nothing),
        cmocka_unit_test(matrices_within_bounds),
        cmocka_unit_test(sums_of_many_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
