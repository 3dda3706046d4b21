/* Strips: products of a few rows by one strip, at every CPU level, against sums in long double. */
#include "linalg_common.h"

#include "array/gemm.h"
#include "base/parallel.h"

enum { MOST_ROWS = 27, MOST_K = 70, MOST_COLUMNS = 64 };

static double get(arr_dtype t, const void *x, int64_t i) {
    return t == ARR_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}
static void set(arr_dtype t, void *x, int64_t i, double v) {
    if (t == ARR_F32) ((float *)x)[i] = (float)v;
    else ((double *)x)[i] = v;
}
static void fill(arr_dtype t, void *x, int64_t n, ph_rng *g) {
    for (int64_t i = 0; i < n; i++) set(t, x, i, ph_rng_normal(g));
}

/* a by rows, or by columns (a transposed matrix). k fused steps, one product with alpha, one addition: k + 2 roundings of at most u times what has been summed up. */
static void check(arr_dtype t, int64_t m, int n, int64_t k, bool add, bool columns, ph_rng *g) {
    static double a[(MOST_ROWS + 1) * (MOST_K + 1)], b[MOST_K * (MOST_COLUMNS + 3)],
        c[MOST_ROWS * (MOST_COLUMNS + 2)];
    static double before[MOST_ROWS * (MOST_COLUMNS + 2)];
    arr_strip s = {.type = t,
                   .add = add,
                   .n = n,
                   .m = m,
                   .k = k,
                   .lda = columns ? 1 : k + 1,
                   .along = columns ? m + 1 : 1,
                   .ldb = n + 3,
                   .ldc = n + 2,
                   .alpha = -0.75};
    fill(t, a, (m + 1) * (k + 1), g);
    fill(t, b, k * s.ldb, g);
    fill(t, c, m * s.ldc, g);
    memcpy(before, c, sizeof c);
    arr_strip_raw(&s, c, a, b);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < s.ldc; j++) {
            double seen = get(t, c, i * s.ldc + j), was = get(t, before, i * s.ldc + j);
            if (j >= n) {
                assert_true(seen == was); /* nothing beyond the strip is touched */
                continue;
            }
            long double want = add ? was : 0, size = add ? fabs(was) : 0;
            for (int64_t l = 0; l < k; l++) {
                long double x = s.alpha * get(t, a, i * s.lda + l * s.along) * get(t, b, l * s.ldb + j);
                want += x;
                size += fabsl(x);
            }
            assert_within(fabs((double)(seen - want)), (double)(k + 3) * unit(t) * (double)size);
        }
}

static void strips_are_sums_at_every_level(void **state) {
    (void)state;
    static const arr_dtype reals[] = {ARR_F32, ARR_F64};
    static const int64_t rows[] = {1, 5, 6, 15, MOST_ROWS}, depths[] = {1, 2, 64, MOST_K};
    ph_cpu_level top = ph_set_cpu(PH_CPU_AVX512);
    ph_rng g;
    ph_rng_seed(&g, 5);
    for (ph_cpu_level l = PH_CPU_BASELINE; l <= top; l++) {
        ph_set_cpu(l);
        for (int t = 0; t < 2; t++)
            for (int n = arr_strip_step(reals[t]); n <= arr_strip_width(reals[t]);
                 n += arr_strip_step(reals[t]))
                for (int r = 0; r < 5; r++)
                    for (int d = 0; d < 4; d++)
                        for (int how = 0; how < 4; how++)
                            check(reals[t], rows[r], n, depths[d], how & 1, how & 2, &g);
    }
    ph_set_cpu(top);
}

static void packing_transposes_and_fills_with_zeros(void **state) {
    (void)state;
    float from[3 * 5], to[4 * MOST_COLUMNS];
    int64_t width = arr_strip_width(ARR_F32);
    assert_true(width <= MOST_COLUMNS);
    for (int i = 0; i < 15; i++) from[i] = (float)i;
    memset(to, 0xff, sizeof to);
    arr_strip_pack(ARR_F32, to, from, 5, 3, 4);
    for (int l = 0; l < 4; l++)
        for (int64_t w = 0; w < width; w++) assert_true(to[l * width + w] == (w < 3 ? from[w * 5 + l] : 0));
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_are_sums_at_every_level),
        cmocka_unit_test(packing_transposes_and_fills_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
