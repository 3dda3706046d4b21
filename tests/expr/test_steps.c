/* A pair of formulas as a list of distinct parts: how many there are, that each stands behind its operands, and what they are worth. The oracle of values is
 * the walk of the tree, expr_eval.
 * Sources: expr/steps.c */
#include "formulas.h"

#include <stdio.h>

#include "expr/steps.h"

/* sin(x*y)*sin(x*y) + cos(x*y)*k: every part is built anew where it stands. */
static expr_node *wave(int k) {
    expr_node *s = OP2(MUL, OP1(SIN, OP2(MUL, x, y)), OP1(SIN, OP2(MUL, x, y)));
    return OP2(ADD, s, OP2(MUL, OP1(COS, OP2(MUL, x, y)), R(k, 1)));
}

static void equal_parts_are_one_step(void **state) {
    (void)state;
    expr_steps s;
    expr_node *l = wave(3), *r = OP2(SUB, wave(3), x);
    assert_int_equal(expr_steps_of(&s, l, r, NULL), PH_OK);
    assert_int_equal(s.n, 10); /* x, y, x*y, sin, cos, sin*sin, 3, cos*3, the sum, the sum - x */
    for (int k = 0; k < s.n; k++) {
        const expr_step *p = &s.step[k];
        assert_int_equal(p->a >= 0, p->part->nargs > 0);
        assert_int_equal(p->b >= 0, p->part->nargs > 1);
        assert_true(p->a < k && p->b < k);
        if (p->a >= 0) assert_true(expr_same(s.step[p->a].part, p->part->arg[0]));
        if (p->b >= 0) assert_true(expr_same(s.step[p->b].part, p->part->arg[1]));
        bool turns = p->part->op == EXPR_SIN || p->part->op == EXPR_COS;
        assert_int_equal(p->wave >= 0, turns);
        if (turns) assert_int_equal(s.step[p->wave].wave, k);
        if (turns) assert_int_equal(s.step[p->wave].a, p->a);
    }
    assert_true(expr_same(s.step[s.root[0]].part, l) && expr_same(s.step[s.root[1]].part, r));
    expr_steps_clear(&s);
    assert_int_equal(expr_steps_of(&s, x, x, NULL), PH_OK);
    assert_int_equal(s.n, 1);
    expr_steps_clear(&s);
}

/* The C library's sin and cos are within an ulp, called together or alone; what follows them here multiplies that by less than 16. */
static void values_are_those_of_the_tree(void **state) {
    (void)state;
    expr_node *one = OP2(AT, y, R(1, 1)), *w = OP2(ADD, z, expr_b_op(&B, EXPR_I, 0, NULL));
    expr_node *f[] = {wave(3),
                      OP1(SIN, OP1(COS, OP1(SIN, x))),
                      OP2(ADD, OP1(COS, OP1(SIN, x)), OP1(SIN, OP1(SIN, x))),
                      OP2(SUB, OP1(SIN, w), OP1(COS, w)),
                      OP2(MUL, one, OP1(COS, OP2(MUL, one, expr_b_op(&B, EXPR_PI, 0, NULL)))),
                      OP2(DIV, OP1(SIN, OP1(LOG, x)), OP1(COS, OP1(LOG, x))),
                      OP2(MAX, OP1(ABS, x), OP2(POW, y, R(1, 3)))};
    static const double at_xy[][2] = {{0.3, 0.8}, {-2.5, 1}, {0, 3}, {1e5, 1e6}, {INFINITY, 1}, {NAN, 2}};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++)
        for (size_t p = 0; p < sizeof at_xy / sizeof *at_xy; p++) {
            double complex want = at(f[k], at_xy[p][0], at_xy[p][1]);
            double complex got, other;
            expr_steps s;
            assert_int_equal(expr_steps_of(&s, y, f[k], NULL), PH_OK);
            assert_in_range(s.n, 2, 20);
            assert_int_equal(expr_steps_eval(&other, &got, &s, value_of, (void *)at_xy[p], NULL), PH_OK);
            assert_true(other == at_xy[p][1]);
            assert_int_equal(isnan(creal(got)), isnan(creal(want)));
            bool good = isnan(creal(want)) || got == want ||
                        (k < 6 && cabs(got - want) <= 16 * 2.3e-16 * (1 + cabs(want)));
            if (!good) fail_msg("formula %zu, point %zu: %g, wanted %g", k, p, creal(got), creal(want));
            expr_steps_clear(&s);
        }
}

static void what_binds_or_chooses_has_no_list(void **state) {
    (void)state;
    expr_steps s;
    expr_node *sum = expr_b_op(&B, EXPR_SUM, 4, (expr_node *[]){i, R(0, 1), n, OP2(MUL, i, x)});
    expr_node *f[] = {
        sum,           OP1(SIN, sum), OP2(ADD, x, sum),
        OP2(AT, y, n), OP2(LT, x, y), expr_b_op(&B, EXPR_PIECE, 3, (expr_node *[]){OP2(LT, x, y), x, y})};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++)
        for (int side = 0; side < 2; side++) {
            assert_int_equal(expr_steps_of(&s, side ? x : f[k], side ? f[k] : x, NULL), PH_OK);
            assert_int_equal(s.n, 0);
            assert_null(s.step);
        }
}

/* A tower of squares of 2^11 parts is 12 steps; 5000 numbers are too many. */
static void the_list_is_as_long_as_there_are_parts(void **state) {
    (void)state;
    expr_steps s;
    expr_node *tower = x, *many = x;
    for (int k = 0; k < 11; k++) tower = OP2(MUL, tower, tower);
    assert_int_equal(expr_steps_of(&s, tower, x, NULL), PH_OK);
    assert_int_equal(s.n, 12);
    expr_steps_clear(&s);
    for (int k = 0; k < 50; k++) {
        expr_node *row = y;
        for (int j = 0; j < 100; j++) row = OP2(ADD, row, R(100 * k + j + 1, 7919));
        many = OP2(ADD, many, row);
    }
    assert_int_equal(expr_steps_of(&s, x, many, NULL), PH_OK);
    assert_int_equal(s.n, 0);
}

static void an_atom_without_value_is_an_error(void **state) {
    (void)state;
    expr_steps s;
    ph_err err = {0};
    double complex l, r;
    double xy[2] = {1, 2};
    assert_int_equal(expr_steps_of(&s, x, OP1(SIN, sym("q", EXPR_REAL)), NULL), PH_OK);
    assert_int_equal(expr_steps_eval(&l, &r, &s, value_of, xy, &err), PH_EARG);
    assert_non_null(strstr(err.text, "'q'"));
    expr_steps_clear(&s);
}

static void refused_memory_leaves_nothing(void **state) {
    (void)state;
    expr_steps s;
    expr_node *f = wave(2);
    size_t live = ph_block_live(), k = 0;
    ph_status st;
    do {
        ph_alloc_fail_from(++k);
        st = expr_steps_of(&s, f, x, NULL);
        ph_alloc_fail_from(0);
        assert_true(st == PH_OK || (st == PH_ENOMEM && !s.step && ph_block_live() == live));
    } while (st != PH_OK && k < 10);
    assert_int_equal(k, 3); /* the steps, and where they are found */
    expr_steps_clear(&s);
    assert_int_equal(ph_block_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        T(equal_parts_are_one_step),          T(values_are_those_of_the_tree),
        T(what_binds_or_chooses_has_no_list), T(the_list_is_as_long_as_there_are_parts),
        T(an_atom_without_value_is_an_error), T(refused_memory_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
