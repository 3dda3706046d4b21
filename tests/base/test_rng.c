/* The generator against its published outputs, the distributions against their moments.
 * Sources: base/rng.c */
#include "verify/flint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"

/* From state 1, 2, 3, 4: first words of Vigna's reference program (as in the tests of Rust's rand_xoshiro).
 */
static void words_are_the_published_ones(void **state) {
    (void)state;
    static const uint64_t want[10] = {41943041u,
                                      58720359u,
                                      3588806011781223u,
                                      3591011842654386u,
                                      9228616714210784205u,
                                      9973669472204895162u,
                                      14011001112246962877u,
                                      12406186145184390807u,
                                      15849039046786891736u,
                                      10450023813501588000u};
    ph_rng g = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) assert_int_equal(ph_rng_bits(&g), want[i]);
}

/* splitmix64 from 1234567: the first four words known from its reference program are the state. */
static void a_seed_spreads_by_splitmix64(void **state) {
    (void)state;
    static const uint64_t want[4] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u};
    ph_rng g;
    ph_rng_seed(&g, 1234567);
    assert_memory_equal(g.s, want, sizeof want);
    ph_rng_seed(&g, 0);
    assert_true(g.s[0] | g.s[1] | g.s[2] | g.s[3]);
}

/* From state 0, 0, 0, 1 a jump gives this state and these words (reference program, tabulated by
 * xoshiro-fortran). */
static void a_jump_is_the_published_one(void **state) {
    (void)state;
    static const uint64_t want[4] = {0x934D05E8B2076310u, 0xEABDD0BF76A1BE51u, 0x75DD6A992ACCB1E8u,
                                     0xC660C602A7330187u};
    ph_rng g = {{0, 0, 0, 1}};
    ph_rng_jump(&g);
    assert_memory_equal(g.s, want, sizeof want);
    assert_int_equal(ph_rng_bits(&g), 0x88F9A31AFDB439F5u);
    assert_int_equal(ph_rng_bits(&g), 0x38134A20DFA1A232u);

    ph_rng_seed(&g, 5);
    ph_rng before = g, child = ph_rng_split(&g);
    assert_memory_equal(&child, &before, sizeof child);
    ph_rng_jump(&before);
    assert_memory_equal(&g, &before, sizeof g);
}

#define N 200000

/* The mean of N independent draws with variance v strays from its expectation by over 6 sqrt(v/N) about twice
 * in 10^9 seeds (central limit): a broken distribution does so always. */
static void close_to(double sum, double expected, double variance) {
    double d = fabs(sum / N - expected), bound = 6 * sqrt(variance / N);
    if (!(isfinite(d) && d <= bound)) fail_msg("mean %g, expected %g +- %g", sum / N, expected, bound);
}

static void uniform_moments(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 1);
    double m1 = 0, m2 = 0, lag = 0, last = 0.5;
    for (int i = 0; i < N; i++) {
        double u = ph_rng_uniform(&g);
        assert_true(u >= 0 && u < 1);
        m1 += u;
        m2 += u * u;
        lag += (u - 0.5) * (last - 0.5);
        last = u;
    }
    close_to(m1, 1.0 / 2, 1.0 / 12);
    close_to(m2, 1.0 / 3, 4.0 / 45); /* Var u^2 = 1/5 - 1/9 */
    close_to(lag, 0, 1.0 / 144);     /* neighbours are independent */
}

static void normal_moments(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 2);
    double m[5] = {0}, beyond2 = 0;
    for (int i = 0; i < N; i++) {
        double z = ph_rng_normal(&g), p = 1;
        assert_true(isfinite(z) && fabs(z) < 8.3);
        for (int k = 1; k <= 4; k++) m[k] += p *= z;
        beyond2 += fabs(z) > 2;
    }
    close_to(m[1], 0, 1);
    close_to(m[2], 1, 2); /* Var z^k = (2k-1)!! - (E z^k)^2 */
    close_to(m[3], 0, 15);
    close_to(m[4], 3, 96); /* 105 - 9 */
    double p = erfc(sqrt(2));
    close_to(beyond2, p, p * (1 - p));
}

static void integers_have_no_bias(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 3);
    for (uint64_t n = 1; n <= 7; n++) {
        double hits[7] = {0};
        for (int i = 0; i < N; i++) {
            uint64_t k = ph_rng_below(&g, n);
            assert_true(k < n);
            hits[k]++;
        }
        for (uint64_t k = 0; k < n; k++)
            close_to(hits[k], 1.0 / (double)n, (1.0 - 1.0 / (double)n) / (double)n);
    }
    /* n = 3 2^62: the plain high half of word * n would give 0 mod 3 half of the time instead of a third */
    double hits[3] = {0};
    for (int i = 0; i < N; i++) hits[ph_rng_below(&g, 3ull << 62) % 3]++;
    for (int k = 0; k < 3; k++) close_to(hits[k], 1.0 / 3, 2.0 / 9);
    assert_int_equal(ph_rng_below(&g, 0), 0);
}

/* Phi(z) against p in Arb. Phi' = phi, so an error of 1e-15 |z| in z shows as at most 1e-15 |z| phi(z), taken
 * 1% wider for the curvature. */
static void check_quantile(double p) {
    double z = ph_normal_quantile(p);
    arb_t x, r;
    arb_init(x);
    arb_init(r);
    arb_set_d(x, -z);
    arb_set_ui(r, 2);
    arb_sqrt(r, r, 200);
    arb_div(x, x, r, 200);
    arb_hypgeom_erfc(r, x, 200); /* 2 Phi(z) */
    arb_set_d(x, 2 * p);
    arb_sub(r, r, x, 200);
    double d = arf_get_d(arb_midref(r), ARF_RND_NEAR) / 2;
    double bound = 1.01e-15 * fabs(z) * exp(-z * z / 2) / sqrt(2 * acos(-1));
    if (!(isfinite(z) && fabs(d) <= bound))
        fail_msg("p = %a: z = %.17g, Phi off by %g, bound %g", p, z, d, bound);
    arb_clear(x);
    arb_clear(r);
}

static void the_quantile_inverts_phi(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 4);
    for (int i = 0; i < 2000; i++) {
        double u = (ph_rng_uniform(&g) + 0x1p-54) / 2;
        check_quantile(i % 2 ? u : ldexp(u, -(i % 1000)));
    }
    check_quantile(0x1p-54);
    check_quantile(1 - 0x1p-53);
    check_quantile(0.075);
    assert_true(ph_normal_quantile(0.5) == 0);
    assert_true(ph_normal_quantile(0) == -INFINITY && ph_normal_quantile(1) == INFINITY);
    assert_true(isnan(ph_normal_quantile(-0.1)) && isnan(ph_normal_quantile(1.1)) &&
                isnan(ph_normal_quantile(NAN)));
}

static uint64_t mix(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (hash ^ bits) * 0x100000001b3u;
}

/* The same bits on every machine, compiler and option: FNV-1a, by words, over the first thousand draws. */
static void draws_are_pinned(void **state) {
    (void)state;
    ph_rng g;
    uint64_t normal = 0xcbf29ce484222325u, uniform = normal;
    ph_rng_seed(&g, 42);
    for (int i = 0; i < 1000; i++) uniform = mix(uniform, ph_rng_uniform(&g));
    ph_rng_seed(&g, 42);
    for (int i = 0; i < 1000; i++) normal = mix(normal, ph_rng_normal(&g));
    assert_int_equal(uniform, 0x2c192490141266beu);
    assert_int_equal(normal, 0xb6d27bc58b5256a4u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_the_published_ones),
        cmocka_unit_test(a_seed_spreads_by_splitmix64),
        cmocka_unit_test(a_jump_is_the_published_one),
        cmocka_unit_test(uniform_moments),
        cmocka_unit_test(normal_moments),
        cmocka_unit_test(integers_have_no_bias),
        cmocka_unit_test(the_quantile_inverts_phi),
        cmocka_unit_test(draws_are_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
