/* Values in floating point: at many points what they are at one, and what balls enclose.
 * Sources: expr/eval_many.c expr/eval_ops.c verify/values.c */
#include "verify/flint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "expr/build.h"
#include "verify/ball.h"

/* ---- Ci and Si ----------------------------------------------------------------------------------------- */

/* |value − f(x)| <= 4e-14·max(1, |f(x)|), f by Arb. */
static void check_integral(double x, double value, void f(arb_t, const arb_t, slong)) {
    arb_t y;
    arb_init(y);
    arb_set_d(y, x);
    f(y, y, 200);
    double exact = arf_get_d(arb_midref(y), ARF_RND_NEAR), d = fabs(value - exact);
    arb_clear(y);
    if (!(isfinite(d) && d <= 4e-14 * fmax(1, fabs(exact)))) fail_msg("at %.17g: %.17g", x, value);
}

static void integrals_keep_their_promise(void **state) {
    (void)state;
    static const double special[] = {4.9e-324,
                                     1e-323,
                                     2.2250738585072014e-308,
                                     1e-300,
                                     0.6165054856207162,
                                     7.999999999999999,
                                     8,
                                     8.000000000000002,
                                     1e16,
                                     1e200,
                                     1.7e308};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        check_integral(special[i], expr_ci(special[i]), arb_hypgeom_ci);
        check_integral(special[i], expr_si(special[i]), arb_hypgeom_si);
        check_integral(-special[i], expr_si(-special[i]), arb_hypgeom_si);
    }
    for (double x = 1e-320; x < 1e20; x = x < 0.01 || x > 100 ? x * 3.7 : x * 1.0031) {
        check_integral(x, expr_ci(x), arb_hypgeom_ci);
        check_integral(x, expr_si(x), arb_hypgeom_si);
    }
    assert_true(isnan(expr_ci(-1)) && isinf(expr_ci(0)) && expr_si(0) == 0);
    assert_true(expr_ci(INFINITY) == 0 && expr_si(INFINITY) == M_PI_2 && expr_si(-INFINITY) == -M_PI_2);
}

/* ---- random formulas ------------------------------------------------------------------------------------- */

static uint64_t state;
static int below(int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static expr_node *some(expr_builder *b, expr_node *const *sym, int depth) {
    static const expr_op two[] = {EXPR_ADD, EXPR_ADD,   EXPR_SUB, EXPR_MUL, EXPR_MUL,
                                  EXPR_DIV, EXPR_ATAN2, EXPR_MIN, EXPR_MAX};
    if (b->st) return NULL;
    if (!depth || !below(6)) {
        int k = below(7);
        return k < 4   ? sym[k % 2]
               : k < 6 ? expr_b_rat(b, below(9) - 4, 1 + below(3))
                       : expr_b_op(b, EXPR_PI, 0, NULL);
    }
    expr_node *u = some(b, sym, depth - 1);
    switch (below(8)) {
    case 0: return expr_b_2(b, EXPR_POW, u, expr_b_rat(b, below(9) - 4, 1 + below(4)));
    case 1: {
        expr_node *c = expr_b_2(b, below(2) ? EXPR_LT : EXPR_GE, sym[0], expr_b_rat(b, below(5) - 2, 1));
        return expr_b_op(b, EXPR_PIECE, 3, (expr_node *[]){c, u, some(b, sym, depth - 1)});
    }
    case 2: {
        expr_node *body = expr_b_2(b, EXPR_MUL, u, expr_b_2(b, EXPR_AT, sym[3], sym[2]));
        expr_node *hi = below(2) ? expr_b_1(b, EXPR_FLOOR, sym[1]) : expr_b_rat(b, below(4), 1);
        return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){sym[2], expr_b_rat(b, 0, 1), hi, body});
    }
    case 3:
    case 4: return expr_b_2(b, two[below(sizeof two / sizeof *two)], u, some(b, sym, depth - 1));
    default: return expr_b_1(b, (expr_op)(EXPR_SIN + below(EXPR_IM - EXPR_SIN + 1)), u);
    }
}

/* x, y, i, θ[0…]: the values at the point k of many */
#define POINTS 600
static double x[POINTS], y[POINTS];

static double value_of(const expr_node *atom, int64_t k) {
    if (atom->op == EXPR_AT) return 1 + 0.5 * (double)atom->arg[1]->num;
    return atom->name[0] == 'x' ? x[k] : y[k];
}
static bool one_point(void *ctx, const expr_node *atom, double complex *v) {
    *v = value_of(atom, *(int64_t *)ctx);
    return true;
}
static bool many_points(void *ctx, const expr_node *atom, int64_t first, int n, double complex *v,
                        bool *same) {
    (void)ctx;
    *same = atom->op == EXPR_AT;
    for (int k = 0; k < n; k++) v[k] = value_of(atom, first + k);
    return true;
}
static bool exact_point(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)prec;
    acb_set_d(v, value_of(atom, *(int64_t *)ctx));
    return true;
}

/* Same bits; one NaN is as good as another. */
static bool identical(double complex a, double complex b) {
    return (creal(a) == creal(b) || (isnan(creal(a)) && isnan(creal(b)))) &&
           (cimag(a) == cimag(b) || (isnan(cimag(a)) && isnan(cimag(b)))) &&
           signbit(cimag(a)) == signbit(cimag(b));
}

/* Every part, where it is evaluated, is 0 or between 1e-280 and 1e280 in size: nothing overflows or loses digits below. */
static bool in_range(const expr_node *e, int64_t k) {
    acb_t z;
    if (e->op == EXPR_SUM || e->op == EXPR_PIECE) return e->size < 12; /* too small to leave the range */
    if (expr_is_statement(e)) return true;
    acb_init(z);
    bool ok = ver_ball(z, e, exact_point, &k, 60, NULL) == PH_OK && acb_is_finite(z);
    for (int part = 0; part < 2 && ok; part++) {
        arb_ptr t = part ? acb_imagref(z) : acb_realref(z);
        ok = arb_is_zero(t) || (arf_cmpabs_2exp_si(arb_midref(t), 930) < 0 &&
                                (arf_cmpabs_2exp_si(arb_midref(t), -930) > 0 || arb_contains_zero(t)));
    }
    acb_clear(z);
    for (uint32_t i = e->op == EXPR_AT ? 2 : 0; i < e->nargs && ok; i++) ok = in_range(e->arg[i], k);
    return ok;
}

/* The ball with 46 bits allows each operation an error of 2^-46 of its value, 64 times f64's own: the complex functions of C's
 * library are within 10 units in the last place. */
static bool is_enclosed(double complex v, const expr_node *e, int64_t k, bool *judged) {
    acb_t z, w;
    acb_init(z);
    acb_init(w);
    *judged = ver_ball(z, e, exact_point, &k, 46, NULL) == PH_OK && acb_is_finite(z) && in_range(e, k);
    if (isfinite(creal(v)) && isfinite(cimag(v))) acb_set_d_d(w, creal(v), cimag(v));
    else acb_indeterminate(w);
    arf_t least; /* what rounding leaves of an exact 0 */
    arf_init(least);
    arf_set_si_2exp_si(least, 1, -46);
    arb_add_error_arf(acb_realref(z), least);
    arb_add_error_arf(acb_imagref(z), least);
    bool ok = !*judged || (acb_is_finite(w) && acb_contains(z, w));
    arf_clear(least);
    acb_clear(z);
    acb_clear(w);
    return ok;
}

static void check_formula(const expr_node *e, int *judged) {
    static double complex many[POINTS];
    double complex one;
    ph_err err = {0};
    char *text = NULL;
    assert_int_equal(expr_text(&text, e, 0, NULL), PH_OK);
    ph_status st = expr_eval_many(many, POINTS, e, many_points, NULL, &err);
    for (int64_t k = 0; k < POINTS; k++) {
        ph_status at_one = expr_eval(&one, e, one_point, &k, &err);
        assert_true(st || !at_one); /* what one point refuses, many do */
        if (st) continue;
        if (!identical(one, many[k]))
            fail_msg("%s at x = %g, y = %g: %g%+gi and %g%+gi among many", text, x[k], y[k], creal(one),
                     cimag(one), creal(many[k]), cimag(many[k]));
        bool was_judged = false;
        if (k % 97 == 0 && !is_enclosed(one, e, k, &was_judged))
            fail_msg("%s at x = %.17g, y = %.17g: %.17g%+.17gi is outside its ball", text, x[k], y[k],
                     creal(one), cimag(one));
        *judged += was_judged;
    }
    ph_free(text);
}

static void many_points_are_each_one(void **unused) {
    (void)unused;
    expr_node *sym[4];
    int judged = 0;
    assert_int_equal(expr_sym(&sym[0], "x", EXPR_REAL, NULL), PH_OK);
    assert_int_equal(expr_sym(&sym[1], "y", EXPR_REAL, NULL), PH_OK);
    assert_int_equal(expr_sym(&sym[2], "i", EXPR_INTEGER, NULL), PH_OK);
    assert_int_equal(expr_sym(&sym[3], "θ", EXPR_REAL, NULL), PH_OK);
    for (int64_t k = 0; k < POINTS; k++) { /* a block of one value, of integers, and mixed ones */
        x[k] = k < 256 ? -2 : k % 3 ? -4 + 0.013 * (double)k : (double)(k % 7) - 3;
        y[k] = k < 256 ? 1.5 : (double)(k % 11) / 2 - 1;
    }
    state = 20261122;
    for (int n = 0; n < 1500; n++) {
        expr_builder b = EXPR_BUILDER(NULL);
        expr_node *e = NULL, *root = some(&b, sym, 1 + below(4));
        if (expr_b_end(&b, &e, root)) continue; /* 1/0 was written */
        check_formula(e, &judged);
        expr_drop(e);
    }
    assert_true(judged > 2000);
    for (int i = 0; i < 4; i++) expr_drop(sym[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_keep_their_promise),
        cmocka_unit_test(many_points_are_each_one),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
