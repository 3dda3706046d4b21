/* formulas.h: what the tests of formulas share: symbols, a builder that is emptied after each case, values at a point. */
#ifndef TEST_EXPR_FORMULAS_H
#define TEST_EXPR_FORMULAS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "expr/build.h"

static expr_builder B;
static expr_node *x, *y, *z, *n, *i;

static expr_node *sym(const char *name, expr_kind kind) {
    expr_node *e;
    assert_int_equal(expr_sym(&e, name, kind, NULL), PH_OK);
    return expr_b_keep(&B, e);
}

static int setup(void **state) {
    (void)state;
    B = (expr_builder){0};
    x = sym("x", EXPR_REAL);
    y = sym("y", EXPR_REAL);
    z = sym("z", EXPR_COMPLEX);
    n = sym("n", EXPR_INTEGER);
    i = sym("i", EXPR_INTEGER);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ph_status st = expr_b_end(&B, NULL, NULL);
    (void)st;
    return 0;
}

#define R(num, den)   expr_b_rat(&B, num, den)
#define OP1(op, a)    expr_b_1(&B, EXPR_##op, a)
#define OP2(op, a, b) expr_b_2(&B, EXPR_##op, a, b)

static bool value_of(void *ctx, const expr_node *atom, double complex *v) {
    const double *xy = ctx;
    if (atom->op == EXPR_AT) {
        *v = (double)atom->arg[1]->num + 0.5; /* y[k] = k + 1/2 */
        return true;
    }
    if (!strcmp(atom->name, "x")) *v = xy[0];
    else if (!strcmp(atom->name, "y")) *v = xy[1];
    else if (!strcmp(atom->name, "z")) *v = CMPLX(xy[0], xy[1]);
    else return false;
    return true;
}

static double complex at(const expr_node *e, double a, double b) {
    double complex v;
    assert_non_null(e);
    assert_int_equal(expr_eval(&v, e, value_of, (double[]){a, b}, NULL), PH_OK);
    return v;
}

static inline void assert_text(const expr_node *e, const char *text, const char *latex) {
    char *t, *l;
    assert_int_equal(expr_text(&t, e, 0, NULL), PH_OK);
    assert_int_equal(expr_latex(&l, e, 0, NULL), PH_OK);
    assert_string_equal(t, text);
    assert_string_equal(l, latex);
    ph_free(t);
    ph_free(l);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
