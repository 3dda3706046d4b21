/* The passes of softmax and of its derivative: error in ulps against Arb, the same bits at every CPU level, place and length.
 * Sources: array/vmath.c array/vmath_softmax.inc */
#include "array/ulps.h"

/* f64: as exp. f32, with u = 2^-24: e^r = 1 + (r + r^2 q), |r| < 0.35. r errs by 0.25 u and so does the inner
 * sum, r^2 q by 0.13 u and its polynomial by 0.06 u: 0.7 u together, 0.7 ulps where the result is in [1/2, 1) (an ulp is u
 * there), and half an ulp for the last sum. */
static void exp_sum_is_within_its_bound(void **state) {
    (void)state;
    enum { M = 4000 };
    static double x[M], y[M];
    static float x32[M], y32[M];
    ph_rng g;
    ph_rng_seed(&g, 5);
    arb_t a;
    arb_init(a);
    for (int i = 0; i < M; i++) x[i] = i % 2 ? -740 * ph_rng_uniform(&g) : -ph_rng_uniform(&g);
    for (int i = 0; i < M; i++) x32[i] = (float)(i % 2 ? -87 * ph_rng_uniform(&g) : -ph_rng_uniform(&g));
    arr_vexp_sum_f64(y, x, 0, M);
    arr_vexp_sum_f32(y32, x32, 0, M);
    double worst = 0;
    for (int i = 0; i < M; i++) {
        arb_set_d(a, x[i]);
        arb_exp(a, a, 200);
        assert_true(ulps(y[i], a, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG) <= 1);
        arb_set_d(a, x32[i]);
        arb_exp(a, a, 200);
        worst = fmax(worst, ulps(y32[i], a, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG));
    }
    print_message("  exp_sum f32: %.3f ulp\n", worst);
    assert_true(worst <= 1.2);
    arb_clear(a);
}

/* Same bits at every level; in place; sums of all lengths near those of the elements; nothing written beyond n. */
static void softmax_passes_agree(void **state) {
    (void)state;
    enum { M = 100 };
    double x[M], y[M + 1], first[M], z[M];
    float x32[M], y32[M + 1], first32[M], z32[M];
    ph_rng g;
    ph_rng_seed(&g, 6);
    for (int i = 0; i < M; i++) x32[i] = (float)(x[i] = i % 9 == 4 ? -INFINITY : -90 * ph_rng_uniform(&g));
    for (int n = 0; n <= M; n++) {
        double sum = 0, sum32 = 0, seen = 0, seen32 = 0, greatest = -INFINITY;
        EACH_LEVEL(level) {
            ph_set_cpu(level);
            y[n] = y32[n] = 7;
            double s = arr_vexp_sum_f64(y, x, 0.5, n), s32 = arr_vexp_sum_f32(y32, x32, 0.5f, n);
            if (level == PH_CPU_BASELINE) {
                memcpy(first, y, (size_t)n * sizeof *y);
                memcpy(first32, y32, (size_t)n * sizeof *y32);
                sum = s, sum32 = s32;
            }
            assert_true(y[n] == 7 && y32[n] == 7 && s == sum && s32 == sum32);
            assert_memory_equal(y, first, (size_t)n * sizeof *y);
            assert_memory_equal(y32, first32, (size_t)n * sizeof *y32);
            memcpy(z, x, sizeof z);
            memcpy(z32, x32, sizeof z32);
            assert_true(arr_vexp_sum_f64(z, z, 0.5, n) == sum &&
                        arr_vexp_sum_f32(z32, z32, 0.5f, n) == sum32);
            assert_memory_equal(z, first, (size_t)n * sizeof *z);
            assert_memory_equal(z32, first32, (size_t)n * sizeof *z32);
        }
        ph_set_cpu(PH_CPU_AVX512);
        for (int i = 0; i < n; i++) {
            seen += first[i], seen32 += first32[i];
            if (x[i] > greatest) greatest = x[i];
        }
        assert_true(fabs(sum - seen) <= 2 * n * 0x1p-53 * seen &&
                    fabs(sum32 - seen32) <= n * 0x1p-24 * seen32);
        assert_true(arr_vmax_f64(x, n) == greatest && arr_vmax_f32(x32, n) == (float)greatest);
    }
}

/* The weight is that of exp_sum, the cotangent one difference and one product (2 u); same bits at every level, nothing written
 * beyond n. A weight of 0, hidden or too small, makes 0 of everything, -inf has weight 0 beside a NaN too. */
static void the_way_back_agrees(void **state) {
    (void)state;
    enum { M = 70 };
    double x[M], h[M], e[M], y[M + 1], g[M + 1], first[M];
    float x32[M], h32[M], e32[M], y32[M + 1], g32[M + 1], first32[M];
    ph_rng r;
    ph_rng_seed(&r, 8);
    for (int i = 0; i < M; i++) {
        x32[i] = (float)(x[i] = i % 9 == 4 ? -INFINITY : i % 9 == 5 ? -1e3 : -20 * ph_rng_uniform(&r));
        h32[i] = (float)(h[i] = i % 9 == 4 ? NAN : i % 9 == 5 ? INFINITY : ph_rng_normal(&r));
    }
    for (int n = 0; n <= M; n++) {
        EACH_LEVEL(level) {
            ph_set_cpu(level);
            arr_vexp_sum_f64(e, x, 0.5, n), arr_vexp_sum_f32(e32, x32, 0.5f, n);
            memcpy(y, x, sizeof x), memcpy(y32, x32, sizeof x32);
            memcpy(g, h, sizeof h), memcpy(g32, h32, sizeof h32);
            y[n] = y32[n] = g[n] = g32[n] = 7;
            arr_vexp_back_f64(y, g, 0.5, 0.25, n), arr_vexp_back_f32(y32, g32, 0.5f, 0.25f, n);
            assert_memory_equal(y, e, (size_t)n * sizeof *y);
            assert_memory_equal(y32, e32, (size_t)n * sizeof *y32);
            assert_true(y[n] == 7 && y32[n] == 7 && g[n] == 7 && g32[n] == 7);
            for (int i = 0; i < n; i++) {
                double want = e[i] == 0 ? 0 : e[i] * (h[i] - 0.25),
                       want32 = e32[i] == 0 ? 0 : e32[i] * (h32[i] - 0.25);
                assert_true(fabs(g[i] - want) <= 2 * 0x1p-53 * fabs(want));
                assert_true(fabs(g32[i] - want32) <= 3 * 0x1p-24 * fabs(want32));
            }
            if (level == PH_CPU_BASELINE) memcpy(first, g, sizeof h), memcpy(first32, g32, sizeof h32);
            assert_memory_equal(g, first, (size_t)n * sizeof *g);
            assert_memory_equal(g32, first32, (size_t)n * sizeof *g32);
            arr_vexp_back_f64(memcpy(y, x, sizeof x), g, NAN, 0, n);
            arr_vexp_back_f32(memcpy(y32, x32, sizeof x32), g32, NAN, 0, n);
            for (int i = 0; i < n; i++)
                assert_true(x[i] == -INFINITY ? y[i] == 0 && y32[i] == 0 && g[i] == 0 && g32[i] == 0
                                              : isnan(y[i]) && isnan(y32[i]));
        }
        ph_set_cpu(PH_CPU_AVX512);
    }
}

static void softmax_passes_at_the_edges(void **state) {
    (void)state;
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        for (int n = 1; n < 40; n++)
            for (int at = 0; at < n; at++) {
                double x[40], y[40];
                float x32[40], y32[40];
                for (int i = 0; i < n; i++) x32[i] = (float)(x[i] = i == at ? NAN : i - 20);
                assert_true(isnan(arr_vmax_f64(x, n)) && isnan(arr_vmax_f32(x32, n)));
                assert_true(isnan(arr_vexp_sum_f64(y, x, 20, n)) && isnan(arr_vexp_sum_f32(y32, x32, 20, n)));
                for (int i = 0; i < n; i++)
                    assert_true(!!isnan(y[i]) == (i == at) && !!isnan(y32[i]) == (i == at));
                x[at] = x32[at] = 50;
                assert_true(arr_vmax_f64(x, n) == 50 && arr_vmax_f32(x32, n) == 50);
            }
        float low[3] = {-INFINITY, -87.5f, -3e38f}, y[3];
        assert_true(arr_vexp_sum_f32(y, low, 0, 3) == 0 && y[0] == 0 && y[1] == 0 && y[2] == 0);
        assert_true(arr_vexp_sum_f32(y, (float[]){-87}, 0, 1) > 0);
        assert_true(isnan(arr_vexp_sum_f32(y, (float[]){1}, NAN, 1)) &&
                    isnan(arr_vexp_sum_f32(y, (float[]){INFINITY}, INFINITY, 1)));
    }
    ph_set_cpu(PH_CPU_AVX512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_sum_is_within_its_bound),
        cmocka_unit_test(softmax_passes_agree),
        cmocka_unit_test(the_way_back_agrees),
        cmocka_unit_test(softmax_passes_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
