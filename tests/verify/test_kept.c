/* The values of the side that stays while the other is mutated: the same as those found anew, bit for bit and at the same cost, and of no other
 * formula.
 * Sources: verify/kept.c */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_what_is_found),
        cmocka_unit_test(no_other_formula_is_taken_for_it),
        cmocka_unit_test(what_an_empty_meter_saw_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
