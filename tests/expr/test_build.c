/* Builders of formulas: the first failure stands, zeros and ones go, parts are exchanged.
 * Sources: expr/build.c expr/linear.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/build.h"
#include "formula.h"

static expr_builder B;
static expr_node *keep(const char *text) { return expr_b_keep(&B, formula(text)); }
static void end(void) { assert_int_equal(expr_b_end(&B, NULL, NULL), PH_OK); }

static void same(const expr_node *got, const char *wanted) {
    char *text = NULL;
    expr_node *w = keep(wanted);
    assert_non_null(got);
    if (!expr_same(got, w) && expr_text(&text, got, 0, NULL) == PH_OK)
        fail_msg("wanted %s, got %s", wanted, text);
}

static void zeros_and_ones_go(void **state) {
    (void)state;
    expr_node *x = keep("x"), *nought = keep("0"), *one = keep("1");
    same(expr_b_add(&B, nought, x), "x");
    same(expr_b_add(&B, x, nought), "x");
    same(expr_b_sub(&B, x, nought), "x");
    same(expr_b_sub(&B, nought, x), "-x");
    same(expr_b_mul(&B, x, nought), "0");
    same(expr_b_mul(&B, one, x), "x");
    same(expr_b_div(&B, x, one), "x");
    same(expr_b_pow(&B, x, one), "x");
    same(expr_b_neg(&B, expr_b_neg(&B, x)), "x");
    end();
}

static void linear_forms_are_one_formula(void **state) {
    (void)state;
    expr_node *a = expr_b_linear(&B, keep("2*x + y - x/3 + 1")),
              *b = expr_b_linear(&B, keep("1 + y + 5/3*x"));
    assert_true(a && b && expr_same(a, b));
    same(expr_b_linear(&B, keep("2*(x - y) + 2*y - 2*x + 7")), "7");
    end();
}

static void a_part_is_exchanged_wherever_it_stands(void **state) {
    (void)state;
    expr_node *e = keep("exp(I*x)/(1 - exp(I*x)) + sum(exp(I*x)^i, i, 0, n)"), *part = keep("exp(I*x)");
    same(expr_b_exchange(&B, e, part, keep("z")), "z/(1 - z) + sum(z^i, i, 0, n)");
    assert_ptr_equal(expr_b_exchange(&B, e, keep("y"), keep("z")), e); /* where it stands nowhere */
    same(expr_b_exchange(&B, e, e, keep("z")), "z");
    assert_null(expr_b_exchange(&B, NULL, part, e));
    assert_null(expr_b_exchange(&B, e, part, NULL));
    end();
}

static void the_first_failure_stands(void **state) {
    (void)state;
    ph_err err;
    expr_builder b = EXPR_BUILDER(&err);
    expr_node *x = expr_b_keep(&b, formula("x")), *out = x;
    assert_null(expr_b_div(&b, x, expr_b_rat(&b, 0, 1)));
    assert_null(expr_b_add(&b, x, x)); /* nothing is built any more */
    assert_int_equal(expr_b_end(&b, &out, x), PH_EDOMAIN);
    assert_null(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_and_ones_go),
        cmocka_unit_test(linear_forms_are_one_formula),
        cmocka_unit_test(a_part_is_exchanged_wherever_it_stands),
        cmocka_unit_test(the_first_failure_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
