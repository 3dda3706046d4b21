/* Some of the mutants of a formula: those that all of them, one after another, have at the same places.
 * Sources: expr/mutate.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "expr/mutate.h"
#include "formula.h"

enum { MOST = 4000, LONGEST = 160 };

typedef struct {
    char text[MOST][LONGEST];
    int64_t n;
} list;

static list all, some;

static ph_status note(void *ctx, expr_node *mutant, const char *what, ph_err *err) {
    list *l = ctx;
    char *text;
    assert_true(l->n < MOST);
    ph_status st = expr_text(&text, mutant, 100, err);
    if (!st) snprintf(l->text[l->n++], LONGEST, "%.50s: %.100s", what, text);
    ph_free(text);
    return st;
}

static const char *const formulas[] = {
    "x + 1",
    "sin(a + b)*cos(x - y)^2/(1 + k)",
    "a*x + b*y + x*y + a*b + (x - y)/(a + b + x + y)",
    "sum(θ[i]*x + i, i, 1, n) + n + θ[2] - θ[3]*β/k",
    "piecewise(lt(x, y), x - x, y/y) + maximum(a, b)",
    "(x/x)^(x - x + 1)*2/3 + x^0",
    "sum(x*i + y, i, n, 2*n + j) - j*n",
};

static void some_are_those_of_all(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
        for (int64_t every = 1; every <= 13; every += 3) {
            ph_err err;
            expr_node *e = formula(formulas[f]);
            int64_t place = 0;
            all.n = some.n = 0;
            assert_int_equal(expr_mutants(e, note, &all, &err), PH_OK);
            assert_int_equal(expr_mutants_sparse(e, NULL, every, &place, note, &some, &err), PH_OK);
            if (place != all.n)
                fail_msg("%s: %ld mutants; counted %ld", formulas[f], (long)all.n, (long)place);
            assert_int_equal(some.n, (all.n + every - 1) / every);
            for (int64_t i = 0; i < some.n; i++) assert_string_equal(some.text[i], all.text[i * every]);
            expr_drop(e);
        }
}

/* A place that is counted on from 5, with every third: the second mutant is the first that is handed on. */
static void places_are_counted_on(void **state) {
    (void)state;
    ph_err err;
    expr_node *e = formula(formulas[2]);
    int64_t place = 5;
    all.n = some.n = 0;
    assert_int_equal(expr_mutants(e, note, &all, &err), PH_OK);
    assert_int_equal(expr_mutants_sparse(e, NULL, 3, &place, note, &some, &err), PH_OK);
    assert_int_equal(place, all.n + 5);
    for (int64_t i = 0; i < some.n; i++) assert_string_equal(some.text[i], all.text[1 + 3 * i]);
    expr_drop(e);
}

/* What stands beside a factor 0 is left as it is; the product itself, and the 0, are changed. */
static void what_counts_nothing_is_left(void **state) {
    (void)state;
    ph_err err;
    expr_node *e = formula("0*(x + y) + cos(x)*0 + z");
    all.n = 0;
    assert_int_equal(expr_mutants(e, note, &all, &err), PH_OK);
    int64_t zeros = 0, products = 0;
    for (int64_t i = 0; i < all.n; i++) {
        const char *t = all.text[i];
        if (strstr(t, "at x + y:") || strstr(t, "at cos(x):") || strstr(t, "at x:") || strstr(t, "at y:"))
            fail_msg("%s", t);
        zeros += strstr(t, "at 0:") != NULL;
        products += strstr(t, "at 0*(x + y):") || strstr(t, "at cos(x)*0:");
    }
    assert_int_equal(zeros, 4);    /* +1, -1 at two places; twice 0 and half of it are 0 */
    assert_int_equal(products, 7); /* + and / for *, either factor dropped; x/0 is no formula */
    expr_drop(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_are_those_of_all),
        cmocka_unit_test(places_are_counted_on),
        cmocka_unit_test(what_counts_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
