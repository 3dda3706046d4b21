/* The values of the side that stays while the other is mutated, and of symbols that a statement has many times: the same as those found anew, bit for bit and at the same cost, and of no other
 * formula.
 * Sources: verify/kept.c verify/sample.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/ball.h"
#include "verify/kept.h"
#include "verify/meter.h"
#include "verify/sample.h"

#define SEEDS 24 /* more than are kept */
#define MANY  8  /* formulas, so that one has the place of the last */

/* Is what is handed out for e what is found anew, at every point, at two precisions? */
static void same_as_anew(const expr_node *e) {
    acb_t kept, anew;
    acb_init(kept);
    acb_init(anew);
    for (int k = 0; k < 3 * SEEDS; k++) {
        uint64_t seed = (uint64_t)(k % SEEDS);
        slong prec = k % 5 == 4 ? 128 : 64;
        double _Complex v, w;
        ver_meter_open(1);
        ph_status st = ver_ball(anew, e, ver_point_atom, &seed, prec, NULL);
        double cost = ver_meter_used();
        ver_meter_close();
        ver_meter_open(1);
        assert_int_equal(ver_kept_ball(kept, e, seed, prec, NULL), st);
        assert_true(ver_meter_used() == cost);
        ver_meter_close();
        if (!st) assert_true(acb_equal(kept, anew)); /* centre and radius: not only overlapping */
        st = expr_eval(&w, e, ver_point_double, &seed, NULL);
        assert_int_equal(ver_kept_double(&v, e, seed, NULL), st);
        if (!st) assert_memory_equal(&v, &w, sizeof v);
    }
    acb_clear(kept);
    acb_clear(anew);
}

static void what_is_kept_is_what_is_found(void **state) {
    (void)state;
    static const char *const sides[] = {"sin(a)*cos(b) + cos(a)*sin(b)", "exp(60*a)/(x - 1)", "log(x)^2",
                                        "7/3", "sum(i^2, i, 1, n)"};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        expr_node *side = formula(sides[i]);
        ver_keep(side);
        same_as_anew(side);
        ver_keep(NULL);
        expr_drop(side);
    }
}

/* The first side is let go, by itself or by the next; what is made then may stand where it stood. */
static void no_other_formula_is_taken_for_it(void **state) {
    (void)state;
    static const char *const sides[] = {"a + 1", "a + 2", "a + 3", "b + 1"};
    for (int letting = 0; letting < 2; letting++)
        for (int i = 0; i < 8; i++) {
            expr_node *side = formula(sides[i % 4]), *other = formula(sides[(i + 1) % 4]);
            ver_keep(side);
            same_as_anew(side);
            same_as_anew(other);
            if (letting) ver_keep(NULL);
            expr_drop(side);
            expr_drop(other);
            expr_node *next[MANY];
            for (int k = 0; k < MANY; k++) next[k] = formula(sides[(i + 2) % 4]);
            for (int k = 0; k < MANY; k++) {
                same_as_anew(next[k]);
                expr_drop(next[k]);
            }
        }
    ver_keep(NULL);
}

/* An empty meter counts nothing: what is found then is not kept at no cost. */
static void what_an_empty_meter_saw_is_not_kept(void **state) {
    (void)state;
    expr_node *side = formula("sin(a)*cos(b) + cos(a)*sin(b)");
    acb_t z;
    acb_init(z);
    ver_keep(side);
    ver_meter_open(1);
    while (ver_meter_spend(VER_METER / 8)) {
    }
    assert_int_equal(ver_kept_ball(z, side, 0, 64, NULL), PH_OK);
    ver_meter_close();
    same_as_anew(side);
    ver_keep(NULL);
    acb_clear(z);
    expr_drop(side);
}

/* Symbols that stand in a statement many times, more of them than are remembered, of all kinds; a bound index of the same name. */
static void both_sides_are_what_each_is(void **state) {
    (void)state;
    static const char *const statements[] = {
        "sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)",
        "a + b + c + x + y + n + k + z + t + u = u + t + z + k + n + y + x + c + b + a",
        "sum(a*i, i, 1, 3) + a = 7*a", "x^2 + 1 >= 2*x"};
    acb_t l, r, left, right;
    acb_init(l);
    acb_init(r);
    acb_init(left);
    acb_init(right);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        expr_node *s = formula(statements[i]);
        ver_sampler at;
        expr_steps steps;
        assert_int_equal(expr_steps_of(&steps, s->arg[0], s->arg[1], NULL), PH_OK);
        assert_int_equal(steps.n > 0, i != 2);
        ver_sampler_init(&at, s, NULL, 0);
        for (int k = 0; k < 12 * VER_SCALES; k++) {
            slong prec = 64 << k % 2;
            at.seed = (uint64_t)(k / VER_SCALES);
            at.scale = (ver_scale)(k % VER_SCALES);
            assert_int_equal(ver_sample_sides(l, r, s, NULL, &at, prec, NULL), PH_OK);
            assert_int_equal(ver_ball(left, s->arg[0], ver_sample_ball, &at, prec, NULL), PH_OK);
            assert_int_equal(ver_ball(right, s->arg[1], ver_sample_ball, &at, prec, NULL), PH_OK);
            assert_true(acb_equal(l, left) && acb_equal(r, right));
            assert_int_equal(ver_sample_sides(l, r, s, &steps, &at, prec, NULL), PH_OK);
            assert_true(acb_overlaps(l, left) && acb_overlaps(r, right));
        }
        ver_sampler_clear(&at);
        expr_steps_clear(&steps);
        expr_drop(s);
    }
    acb_clear(l);
    acb_clear(r);
    acb_clear(left);
    acb_clear(right);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_what_is_found),
        cmocka_unit_test(no_other_formula_is_taken_for_it),
        cmocka_unit_test(what_an_empty_meter_saw_is_not_kept),
        cmocka_unit_test(both_sides_are_what_each_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
