/* test_realroots.c: the real roots of polynomials whose roots are known, of random ones (beside Sturm's count and all complex roots), and
 * of those that are hard to part.
 * Sources: verify/realroots.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "verify/meter.h"
#include "verify/realroots.h"

/* f *= d·x − n. */
static void times(fmpz_poly_t f, slong n, slong d) {
    fmpz_poly_t l;
    fmpz_poly_init(l);
    fmpz_poly_set_coeff_si(l, 1, d);
    fmpz_poly_set_coeff_si(l, 0, -n);
    fmpz_poly_mul(f, f, l);
    fmpz_poly_clear(l);
}

/* Whether there is a root, on the line and above 0, by Sturm's sequence. */
static void there_is_one(const fmpz_poly_t f) {
    slong below, above;
    if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(f, 0))) return;
    _fmpz_poly_num_real_roots_sturm(&below, &above, f->coeffs, f->length);
    assert_int_equal(ver_no_real_root(f, false), below + above == 0);
    assert_int_equal(ver_no_real_root(f, true), above == 0);
}

/* In order, apart, each to 64 bits, each with a change of sign or the root itself; as many as Sturm's sequence counts. */
static slong sound(const fmpz_poly_t f) {
    slong n = 0;
    arb_ptr x = ver_real_roots(&n, f);
    assert_int_equal(n, fmpz_poly_num_real_roots_sturm(f));
    there_is_one(f);
    for (slong i = 0; i < n; i++) {
        arb_t y;
        arb_init(y);
        arb_fmpz_poly_evaluate_arb(y, f, x + i, 4096);
        assert_true(arb_contains_zero(y));
        assert_true(arb_is_exact(x + i) || arb_rel_accuracy_bits(x + i) >= 62);
        if (i) assert_true(arb_lt(x + i - 1, x + i));
        arb_clear(y);
    }
    _arb_vec_clear(x, fmpz_poly_degree(f));
    return n;
}

static void known_roots(void **state) {
    (void)state;
    static const slong root[][2] = {{-7, 1}, {-5, 3}, {-1, 2}, {0, 1}, {1, 1024}, {1, 4},
                                    {1, 3},  {1, 2},  {3, 4},  {1, 1}, {8, 1}};
    enum { ROOTS = sizeof root / sizeof *root };
    for (int without = 0; without <= ROOTS;
         without++) { /* ends of intervals that are roots, on either side */
        fmpz_poly_t f;
        slong n = 0, k = 0;
        fmpz_poly_init(f);
        fmpz_poly_one(f);
        for (int i = 0; i < ROOTS; i++)
            if (i != without) times(f, root[i][0], root[i][1]);
        arb_ptr x = ver_real_roots(&n, f);
        assert_int_equal(n, ROOTS - (without < ROOTS));
        for (int i = 0; i < ROOTS; i++) {
            fmpq_t q;
            if (i == without) continue;
            fmpq_init(q);
            fmpq_set_si(q, root[i][0], (ulong)root[i][1]);
            assert_true(arb_contains_fmpq(x + k++, q));
            fmpq_clear(q);
        }
        _arb_vec_clear(x, fmpz_poly_degree(f));
        sound(f);
        fmpz_poly_clear(f);
    }
}

/* (x^k − 2)(x^k·10^60 − 2·10^60 − 1): pairs of roots that agree to 60 digits; 20 is Wilkinson's; 2(ax − 1)^2 − x^m has two near 1/a. */
static void close_roots(void **state) {
    (void)state;
    fmpz_poly_t f, g;
    fmpz_t big;
    fmpz_init(big);
    fmpz_poly_init(f);
    fmpz_poly_init(g);
    for (slong k = 1; k <= 6; k++) {
        fmpz_ui_pow_ui(big, 10, 60);
        fmpz_poly_zero(f), fmpz_poly_zero(g);
        fmpz_poly_set_coeff_si(f, k, 1), fmpz_poly_set_coeff_si(f, 0, -2);
        fmpz_poly_scalar_mul_fmpz(g, f, big);
        fmpz_sub_ui(fmpz_poly_get_coeff_ptr(g, 0), fmpz_poly_get_coeff_ptr(g, 0), 1);
        fmpz_poly_mul(f, f, g);
        assert_int_equal(sound(f), k % 2 ? 2 : 4);
    }
    fmpz_poly_one(f);
    for (slong i = 1; i <= 20; i++) times(f, i, 1);
    assert_int_equal(sound(f), 20);
    for (slong m = 10; m <= 40; m += 10) { /* Mignotte's */
        fmpz_poly_zero(f);
        fmpz_poly_set_coeff_si(f, 1, 1000), fmpz_poly_set_coeff_si(f, 0, -1);
        fmpz_poly_mul(f, f, f);
        fmpz_poly_scalar_mul_si(f, f, 2);
        fmpz_poly_set_coeff_si(f, m, -1);
        assert_int_equal(sound(f), 4);
    }
    fmpz_poly_clear(f);
    fmpz_poly_clear(g);
    fmpz_clear(big);
}

/* Without a root: sums of squares. Within an empty meter nothing is certain. */
static void none(void **state) {
    (void)state;
    fmpz_poly_t f;
    fmpz_poly_init(f);
    for (slong a = -3; a <= 3; a++)
        for (slong m = 1; m <= 4; m++) {
            fmpz_poly_zero(f);
            fmpz_poly_set_coeff_si(f, m, 1), fmpz_poly_set_coeff_si(f, 0, a);
            fmpz_poly_pow(f, f, 2 * (ulong)m);
            fmpz_poly_set_coeff_si(f, 0, fmpz_get_si(fmpz_poly_get_coeff_ptr(f, 0)) + 1);
            assert_true(ver_no_real_root(f, false));
            there_is_one(f);
            ver_meter_allow(1);
            ver_meter_open(1);
            assert_false(ver_no_real_root(f, false));
            ver_meter_close();
            ver_meter_allow(VER_METER);
        }
    fmpz_poly_clear(f);
}

static void random_ones(void **state) {
    (void)state;
    flint_rand_t rng;
    fmpz_poly_t f, d;
    slong several = 0;
    flint_randinit(rng);
    fmpz_poly_init(f);
    fmpz_poly_init(d);
    for (int k = 0; k < 400; k++) {
        fmpz_poly_randtest_not_zero(f, rng, 2 + k % 24, 1 + (flint_bitcnt_t)(k % 200));
        for (slong i = 0; i < k % 5; i++)
            times(f, (slong)n_randint(rng, 41) - 20, 1 + (slong)n_randint(rng, 8));
        fmpz_poly_derivative(d, f);
        fmpz_poly_gcd(d, d, f);
        fmpz_poly_div(f, f, d);
        if (fmpz_poly_degree(f) < 1) continue;
        several += sound(f) > 2;
    }
    assert_true(several > 40);
    fmpz_poly_clear(f);
    fmpz_poly_clear(d);
    flint_randclear(rng);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_roots),
        cmocka_unit_test(close_roots),
        cmocka_unit_test(none),
        cmocka_unit_test(random_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
