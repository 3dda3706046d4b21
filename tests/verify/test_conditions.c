/* Where sums are defined: conditions read off the formula against counting in integers.
 * Sources: verify/conditions.c verify/parts.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "verify/conditions.h"
#include "verify/prove.h"
#include "verify/said.h"

static ph_err err;

#define ok(call) assert_int_equal(call, PH_OK)

static expr_node *symbol(const char *name, expr_kind kind) {
    expr_node *s;
    ok(expr_sym(&s, name, kind, &err));
    return s;
}

typedef struct {
    const expr_node *n, *m;
    int64_t vn, vm;
} point;

static bool value_of(void *ctx, const expr_node *atom, double _Complex *value) {
    const point *p = ctx;
    if (expr_same(atom, p->n)) return *value = (double)p->vn, true;
    if (p->m && expr_same(atom, p->m)) return *value = (double)p->vm, true;
    return false;
}

/* Small integers in f64: exact. A condition without a value does not hold. */
static bool all_hold(const expr_set *conditions, point *p) {
    for (int i = 0; i < conditions->n; i++) {
        double _Complex v = 0;
        if (expr_eval(&v, conditions->item[i], value_of, p, &err) != PH_OK || !(__real__ v == 1))
            return false;
    }
    return true;
}

/* Σ_{k=lo}^{n} 1/(a k + b): defined iff n >= lo − 1 and no k of the range is the root. */
static void a_pole_counts_when_the_range_reaches_it(void **state) {
    (void)state;
    expr_node *k = symbol("k", EXPR_INTEGER), *n = symbol("n", EXPR_INTEGER), *sum = NULL;
    for (int64_t a = -3; a <= 3; a++)
        for (int64_t b = -5; b <= 5; b++)
            for (int64_t lo = -3; lo <= 3; lo++) {
                if (a == 0) continue;
                expr_builder x = EXPR_BUILDER(&err);
                expr_node *u = expr_b_add(&x, expr_b_mul(&x, expr_b_rat(&x, a, 1), k), expr_b_rat(&x, b, 1));
                expr_node *body = expr_b_2(&x, EXPR_DIV, expr_b_rat(&x, 1, 1), u);
                ok(expr_b_end(
                    &x, &sum,
                    expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, expr_b_rat(&x, lo, 1), n, body})));
                expr_set c = {0};
                ok(ver_conditions_of(&c, sum, &err));
                for (int64_t top = -6; top <= 7; top++) {
                    bool defined = top >= lo - 1;
                    for (int64_t i = lo; i <= top; i++) defined = defined && a * i + b != 0;
                    assert_int_equal(all_hold(&c, &(point){n, NULL, top, 0}), defined);
                }
                expr_set_clear(&c);
                expr_drop(sum);
            }
    expr_drop(k), expr_drop(n);
}

/* Σ_{k=1}^{n} Σ_{i=lo}^{k+s} 1/(i + b k + m): with two free symbols, an inner bound that moves, backwards for small k where s is. */
static void so_under_two_sums(void **state) {
    (void)state;
    expr_node *k = symbol("k", EXPR_INTEGER), *i = symbol("i", EXPR_INTEGER), *n = symbol("n", EXPR_INTEGER),
              *m = symbol("m", EXPR_INTEGER), *sum = NULL;
    for (int64_t b = -2; b <= 2; b++)
        for (int64_t lo = -2; lo <= 2; lo++)
            for (int64_t s = -2; s <= 1; s++) {
                expr_builder x = EXPR_BUILDER(&err);
                expr_node *u = expr_b_add(&x, expr_b_add(&x, i, expr_b_mul(&x, expr_b_rat(&x, b, 1), k)), m);
                expr_node *body = expr_b_2(&x, EXPR_DIV, expr_b_rat(&x, 1, 1), u),
                          *one = expr_b_rat(&x, 1, 1);
                expr_node *inner = expr_b_op(
                    &x, EXPR_SUM, 4,
                    (expr_node *[]){i, expr_b_rat(&x, lo, 1), expr_b_add(&x, k, expr_b_rat(&x, s, 1)), body});
                ok(expr_b_end(&x, &sum, expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, one, n, inner})));
                expr_set c = {0};
                ok(ver_conditions_of(&c, sum, &err));
                for (int64_t top = -1; top <= 4; top++)
                    for (int64_t vm = -4; vm <= 3; vm++) {
                        bool defined = top >= 0;
                        for (int64_t K = 1; K <= top; K++) {
                            defined = defined && K + s >= lo - 1;
                            for (int64_t I = lo; I <= K + s; I++) defined = defined && I + b * K + vm != 0;
                        }
                        assert_int_equal(all_hold(&c, &(point){n, m, top, vm}), defined);
                    }
                expr_set_clear(&c);
                expr_drop(sum);
            }
    expr_drop(k), expr_drop(i), expr_drop(n), expr_drop(m);
}

/* Σ_{k=n/a}^{n/b} k: defined iff both bounds are whole, and it does not run backwards; a and b are powers of 2, so that f64 is exact. */
static void bounds_are_whole(void **state) {
    (void)state;
    static const expr_kind kinds[] = {EXPR_REAL, EXPR_INTEGER};
    static const int64_t parts[] = {1, -1, 2, -2, 4, -4};
    expr_node *k = symbol("k", EXPR_INTEGER), *sum = NULL;
    for (int of = 0; of < 2; of++) {
        expr_node *n = symbol("n", kinds[of]);
        for (int lo = 0; lo < 6; lo++)
            for (int hi = 0; hi < 6; hi++) {
                int64_t a = parts[lo], b = parts[hi];
                expr_builder x = EXPR_BUILDER(&err);
                expr_node *from = expr_b_div(&x, n, expr_b_rat(&x, a, 1)),
                          *to = expr_b_div(&x, n, expr_b_rat(&x, b, 1));
                ok(expr_b_end(&x, &sum, expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, from, to, k})));
                expr_set c = {0};
                ok(ver_conditions_of(&c, sum, &err));
                for (int64_t v = -9; v <= 9; v++) {
                    bool defined = v % a == 0 && v % b == 0 && v / b >= v / a - 1;
                    assert_int_equal(all_hold(&c, &(point){n, NULL, v, 0}), defined);
                }
                expr_set_clear(&c);
                expr_drop(sum);
            }
        expr_drop(n);
    }
    expr_drop(k);
}

static expr_node *inner_part(expr_builder *x, int which, expr_node *n) {
    expr_node *i = expr_b_op(x, EXPR_I, 0, NULL), *third = expr_b_rat(x, 1, 3), *in = expr_b_mul(x, i, n);
    switch (which) {
    case 0: return expr_b_1(x, EXPR_SQRT, n);
    case 1: return expr_b_1(x, EXPR_LOG, n);
    case 2: return expr_b_1(x, EXPR_ASIN, n);
    case 3: return expr_b_1(x, EXPR_ACOS, expr_b_div(x, n, expr_b_rat(x, 2, 1)));
    case 4: return expr_b_2(x, EXPR_POW, n, third);
    case 5: return in;
    case 6: return expr_b_mul(x, in, in);
    case 7: return expr_b_1(x, EXPR_EXP, in);
    case 8: return expr_b_1(x, EXPR_SQRT, expr_b_add(x, in, expr_b_rat(x, 4, 1)));
    case 9: return expr_b_1(x, EXPR_ATAN, in);
    case 10: return expr_b_mul(x, expr_b_1(x, EXPR_LOG, third), expr_b_1(x, EXPR_SQRT, n));
    case 11: return expr_b_div(x, expr_b_1(x, EXPR_LOG, n), expr_b_1(x, EXPR_LOG, third));
    case 12: return expr_b_1(x, EXPR_SQRT, expr_b_1(x, EXPR_LOG, n));
    case 13: return expr_b_mul(x, n, expr_b_1(x, EXPR_LOG, n));
    case 14: return expr_b_1(x, EXPR_LOG, expr_b_sub(x, expr_b_rat(x, 1, 2), expr_b_1(x, EXPR_ASIN, n)));
    case 15: return expr_b_2(x, EXPR_POW, n, expr_b_rat(x, -1, 3));
    default: return expr_b_1(x, EXPR_ABS, in);
    }
}

static expr_node *outer_part(expr_builder *x, int which, expr_node *u) {
    expr_node *one = expr_b_rat(x, 1, 1), *two = expr_b_rat(x, 2, 1), *less;
    switch (which) {
    case 0: return expr_b_1(x, EXPR_FLOOR, expr_b_sub(x, one, expr_b_mul(x, two, u)));
    case 1: return expr_b_1(x, EXPR_SIGN, expr_b_div(x, u, two));
    case 2: return expr_b_1(x, EXPR_SI, expr_b_neg(x, u));
    case 3: return expr_b_2(x, EXPR_MAX, one, u);
    case 4: return expr_b_2(x, EXPR_MIN, u, two);
    case 5: return expr_b_2(x, EXPR_ATAN2, u, one);
    case 6: return expr_b_2(x, EXPR_ATAN2, one, u);
    case 7: return expr_b_1(x, EXPR_CI, u);
    default:
        less = expr_b_2(x, EXPR_LT, one, u);
        return expr_b_op(x, EXPR_PIECE, 3, (expr_node *[]){less, one, two});
    }
}

/* What f64 finds a value for, and nothing else: floors, signs, orders and their like want real numbers, atan no pole. */
static void some_functions_want_real_numbers(void **state) {
    (void)state;
    expr_node *n = symbol("n", EXPR_INTEGER), *e = NULL;
    for (int outer = 0; outer <= 8; outer++)
        for (int inner = 0; inner <= 16; inner++) {
            expr_builder x = EXPR_BUILDER(&err);
            ok(expr_b_end(&x, &e, outer_part(&x, outer, inner_part(&x, inner, n))));
            expr_set c = {0};
            ok(ver_conditions_of(&c, e, &err));
            for (int64_t at = -4; at <= 4; at++) {
                double _Complex v;
                point p = {n, NULL, at, 0};
                ok(expr_eval(&v, e, value_of, &p, &err));
                assert_int_equal(all_hold(&c, &p), __real__ v == __real__ v);
            }
            expr_set_clear(&c);
            expr_drop(e);
        }
    expr_drop(n);
}

/* Σ_{k=1}^{n} floor(√(m − k)): at each k. */
static void so_under_a_sum(void **state) {
    (void)state;
    expr_node *k = symbol("k", EXPR_INTEGER), *n = symbol("n", EXPR_INTEGER), *m = symbol("m", EXPR_INTEGER),
              *sum = NULL;
    expr_builder x = EXPR_BUILDER(&err);
    expr_node *body = expr_b_1(&x, EXPR_FLOOR, expr_b_1(&x, EXPR_SQRT, expr_b_sub(&x, m, k)));
    ok(expr_b_end(&x, &sum, expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, expr_b_rat(&x, 1, 1), n, body})));
    expr_set c = {0};
    ok(ver_conditions_of(&c, sum, &err));
    for (int64_t top = -2; top <= 4; top++)
        for (int64_t vm = -2; vm <= 5; vm++)
            assert_int_equal(all_hold(&c, &(point){n, m, top, vm}), top == 0 || (top > 0 && vm >= top));
    expr_set_clear(&c);
    expr_drop(sum), expr_drop(k), expr_drop(n), expr_drop(m);
}

/* What is certain is not said: a sum from 1 of 1/(k (k + 1)) has no condition. */
static void what_is_certain_is_not_said(void **state) {
    (void)state;
    expr_node *k = symbol("k", EXPR_INTEGER), *N = symbol("N", EXPR_NATURAL), *sum = NULL;
    expr_builder x = EXPR_BUILDER(&err);
    expr_node *one = expr_b_rat(&x, 1, 1), *u = expr_b_mul(&x, k, expr_b_add(&x, k, one));
    expr_node *body = expr_b_2(&x, EXPR_DIV, one, u);
    ok(expr_b_end(&x, &sum, expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, one, N, body})));
    expr_set c = {0};
    ok(ver_conditions_of(&c, sum, &err));
    assert_int_equal(c.n, 0);
    expr_set_clear(&c);
    expr_drop(sum), expr_drop(k), expr_drop(N);
}

/* What a proof cancels must be defined all the same: S − S, and (…)/(…) = 1, under the conditions of S. */
static void what_cancels_keeps_its_conditions(void **state) {
    (void)state;
    expr_node *k = symbol("k", EXPR_INTEGER), *n = symbol("n", EXPR_INTEGER), *s = NULL;
    expr_builder x = EXPR_BUILDER(&err);
    expr_node *body = expr_b_2(&x, EXPR_DIV, expr_b_rat(&x, 1, 1), expr_b_sub(&x, k, expr_b_rat(&x, 2, 1)));
    expr_node *sum = expr_b_op(&x, EXPR_SUM, 4, (expr_node *[]){k, expr_b_rat(&x, 1, 1), n, body});
    ok(expr_b_end(&x, &s, expr_b_2(&x, EXPR_EQ, expr_b_2(&x, EXPR_SUB, sum, sum), expr_b_rat(&x, 0, 1))));
    ver_verdict v;
    ok(ver_prove(&v, s, NULL, &err));
    assert_int_equal(v.strength, VER_PROVED);
    assert_non_null(strstr(said(ver_conditions, &v), "n >= 0"));
    assert_non_null(strstr(said(ver_conditions, &v), "k - 2 != 0 (k = 1, …, n)"));
    ver_clear(&v);
    expr_drop(s), expr_drop(k), expr_drop(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pole_counts_when_the_range_reaches_it),
        cmocka_unit_test(so_under_two_sums),
        cmocka_unit_test(bounds_are_whole),
        cmocka_unit_test(some_functions_want_real_numbers),
        cmocka_unit_test(so_under_a_sum),
        cmocka_unit_test(what_is_certain_is_not_said),
        cmocka_unit_test(what_cancels_keeps_its_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
