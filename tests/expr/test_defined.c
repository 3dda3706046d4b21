/* Functions of formulas that are others written out: their values are those that libm and integers have.
 * Sources: expr/defined.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "expr/build.h"
#include "formula.h"

static double sigmoid(const double *x) { return 1 / (1 + exp(-x[0])); }
static double relu(const double *x) { return x[0] > 0 ? x[0] : 0; }
static double ceiling(const double *x) { return ceil(x[0]); }
static double nearest(const double *x) { return nearbyint(x[0]); } /* of two the even one */
static double remainder_of(const double *x) { return x[0] - x[1] * floor(x[0] / x[1]); }
static double quotient(const double *x) { return floor(x[0] / x[1]); }

static double square(const double *x) { return x[0] * x[0]; }
static double length(const double *x) { return hypot(x[0], x[1]); }
static double log_beside(const double *x) { return log1p(x[0]); }
static double exp_less(const double *x) { return expm1(x[0]); }
static double binary_log(const double *x) { return log2(x[0]); }

static const struct {
    const char *name;
    int n;
    double (*of)(const double *x);
    double from; /* x > from */
} functions[] = {{"sigmoid", 1, sigmoid, -9}, {"relu", 1, relu, -9},        {"ceil", 1, ceiling, -9},
                 {"round", 1, nearest, -9},   {"mod", 2, remainder_of, -9}, {"floor_div", 2, quotient, -9},
                 {"square", 1, square, -9},   {"hypot", 2, length, -9},     {"log1p", 1, log_beside, -1},
                 {"expm1", 1, exp_less, -9},  {"log2", 1, binary_log, 0}};

static bool value_of(void *ctx, const expr_node *atom, double complex *v) {
    *v = ((const double *)ctx)[atom->name[0] == 'y'];
    return true;
}

/* Quarters are exact. With u = 2^-53, a function of libm errs by 2u of its value and each operation by u: two logarithms and a
 * division by 5u; e^x - 1 by 3u·e^x <= 3u(1 + |e^x - 1|). */
static void values_are_those_of_the_function(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        expr_builder b = {0};
        expr_node *x[] = {expr_b_keep(&b, formula("x")), expr_b_keep(&b, formula("y"))};
        expr_define_fn *define = expr_definition(functions[f].name, functions[f].n);
        assert_non_null(define);
        expr_node *e = define(&b, x);
        assert_non_null(e);
        for (int p = -14; p <= 14; p++)
            for (int q = -3; q <= 3; q += 2) {
                double at[] = {p / 4.0, q / 2.0};
                if (at[0] <= functions[f].from) continue;
                double want = functions[f].of(at);
                double complex got;
                assert_int_equal(expr_eval(&got, e, value_of, at, NULL), PH_OK);
                double d = fabs(creal(got) - want);
                assert_true(isfinite(d) && d <= 6 * 0x1p-53 * (1 + fabs(want)) && cimag(got) == 0);
            }
        assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
    }
}

/* What is whole already is left as it is, so that formulas of indices stay small. */
static void whole_numbers_are_left(void **state) {
    (void)state;
    expr_builder b = {0};
    expr_node *n = expr_b_keep(&b, formula("n"));
    assert_ptr_equal(expr_definition("ceil", 1)(&b, &n), n);
    assert_ptr_equal(expr_definition("round", 1)(&b, &n), n);
    assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
}

static void nothing_else_is_defined(void **state) {
    (void)state;
    assert_null(expr_definition("sigmoid", 2));
    assert_null(expr_definition("sin", 1));
    assert_null(expr_definition("", 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_function),
        cmocka_unit_test(whole_numbers_are_left),
        cmocka_unit_test(nothing_else_is_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
