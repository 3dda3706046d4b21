/* Strips: products of a few rows by one panel, at every CPU level, against sums in long double.
 * Sources: array/panel.c array/panel.inc array/panel_product.c */
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
    arr_panel s = {.type = t,
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
    arr_panel_raw(&s, c, a, b);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < s.ldc; j++) {
            double seen = get(t, c, i * s.ldc + j), was = get(t, before, i * s.ldc + j);
            if (j >= n) {
                assert_true(seen == was); /* nothing beyond the panel is touched */
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

static void panels_are_sums_at_every_level(void **state) {
    (void)state;
    static const arr_dtype reals[] = {ARR_F32, ARR_F64};
    static const int64_t rows[] = {1, 5, 6, 15, MOST_ROWS}, depths[] = {1, 2, 64, MOST_K};
    ph_cpu_level top = ph_set_cpu(PH_CPU_AVX512);
    ph_rng g;
    ph_rng_seed(&g, 5);
    for (ph_cpu_level l = PH_CPU_BASELINE; l <= top; l++) {
        ph_set_cpu(l);
        for (int t = 0; t < 2; t++)
            for (int n = arr_panel_step(reals[t]); n <= arr_panel_width(reals[t]);
                 n += arr_panel_step(reals[t]))
                for (int r = 0; r < 5; r++)
                    for (int d = 0; d < 4; d++)
                        for (int how = 0; how < 4; how++)
                            check(reals[t], rows[r], n, depths[d], how & 1, how & 2, &g);
    }
    ph_set_cpu(top);
}

/* k fused steps in runs of 256 or more, each brought to what is there: k + k/256 + 2 roundings. */
static void check_product(arr_dtype t, int64_t m, int64_t n, int64_t k, bool add, int order, ph_rng *g) {
    arr_product p = {.type = t, .add = add, .m = m, .n = n, .k = k, .ldc = n + 3};
    p.lda = order & 1 ? 1 : k + 2;
    p.along = order & 1 ? m + 5 : 1;
    p.row = order & 2 ? 1 : n + 1;
    p.col = order & 2 ? k + 3 : order & 4 ? 2 : 1;
    if (order & 4) p.row = 2 * n + 5; /* neither order: every second element */
    int64_t size = (m + n + 8) * (k + 8) * 3;
    double *a = malloc((size_t)size * sizeof *a), *b = malloc((size_t)size * sizeof *b),
           *c = malloc((size_t)(m * p.ldc) * sizeof *c), *before = malloc((size_t)(m * p.ldc) * sizeof *c);
    fill(t, a, size, g);
    fill(t, b, size, g);
    fill(t, c, m * p.ldc, g);
    memcpy(before, c, (size_t)(m * p.ldc) * arr_itemsize(t));
    arr_panel_product(&p, c, a, b);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < p.ldc; j++) {
            double seen = get(t, c, i * p.ldc + j), was = get(t, before, i * p.ldc + j);
            long double want = add ? was : 0, sizes = add ? fabs(was) : 0;
            if (j >= n) assert_true(seen == was);
            for (int64_t l = 0; l < k && j < n; l++) {
                long double x =
                    (long double)get(t, a, i * p.lda + l * p.along) * get(t, b, l * p.row + j * p.col);
                want += x;
                sizes += fabsl(x);
            }
            if (j < n)
                assert_within(fabs((double)(seen - want)),
                              (double)(k + k / 256 + 3) * unit(t) * (double)sizes);
        }
    free(a), free(b), free(c), free(before);
}

static void products_are_sums_at_every_level(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {13, 70, 3}, {50, 64, 9}, {7, 130, 300}, {61, 33, 16}};
    ph_cpu_level top = ph_set_cpu(PH_CPU_AVX512);
    ph_rng g;
    ph_rng_seed(&g, 6);
    for (ph_cpu_level l = PH_CPU_BASELINE; l <= top; l++) {
        ph_set_cpu(l);
        for (int t = ARR_F32; t <= ARR_F64; t++)
            for (int s = 0; s < 5; s++)
                for (int how = 0; how < 12; how++)
                    check_product((arr_dtype)t, sizes[s][0], sizes[s][1], sizes[s][2], how % 2, how / 2, &g);
    }
    ph_set_cpu(top);
}

/* Beyond what one pack holds, more rows than stay in a cache, and an operand of which the next panel is asked for ahead. */
static void large_products_are_sums(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{530, 40, 20}, {9, 33, 1100}, {30, 1000, 300}};
    ph_rng g;
    ph_rng_seed(&g, 7);
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int s = 0; s < 3; s++)
            for (int how = 0; how < 4; how++)
                check_product((arr_dtype)t, sizes[s][0], sizes[s][1], sizes[s][2], how % 2, how / 2, &g);
}

/* Where matmul goes by panels, a NaN stays in its row or column. */
static void matmul_goes_by_panels(void **state) {
    (void)state;
    ph_err err;
    const arr_product p = {.type = ARR_F32, .m = 130, .n = 140, .k = 150, .along = 1};
    assert_int_equal(arr_panel_pays(&p), ph_cpu() == PH_CPU_AVX512);
    arr a, b, c;
    assert_int_equal(arr_full(&a, ARR_F32, 2, (int64_t[]){130, 150}, (arr_c128){1, 0}, &err), PH_OK);
    assert_int_equal(arr_full(&b, ARR_F32, 2, (int64_t[]){150, 140}, (arr_c128){2, 0}, &err), PH_OK);
    ((float *)a.data)[129 * 150 + 7] = NAN;
    ((float *)b.data)[149 * 140 + 139] = INFINITY;
    assert_int_equal(op_call2(&c, "matmul", &a, &b, &err), PH_OK);
    for (int i = 0; i < 130; i++)
        for (int j = 0; j < 140; j++) {
            float x = ((const float *)c.data)[i * 140 + j];
            assert_true(i == 129 ? isnan(x) : j == 139 ? x == INFINITY : x == 300);
        }
    arr_drop(&a);
    arr_drop(&b);
    arr_drop(&c);
}

static void packing_transposes_and_fills_with_zeros(void **state) {
    (void)state;
    float from[3 * 5], to[4 * MOST_COLUMNS];
    int64_t width = arr_panel_width(ARR_F32);
    assert_true(width <= MOST_COLUMNS);
    for (int i = 0; i < 15; i++) from[i] = (float)i;
    memset(to, 0xff, sizeof to);
    arr_panel_pack(ARR_F32, to, from, 5, 3, 4);
    for (int l = 0; l < 4; l++)
        for (int64_t w = 0; w < width; w++) assert_true(to[l * width + w] == (w < 3 ? from[w * 5 + l] : 0));
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_are_sums_at_every_level),
        cmocka_unit_test(products_are_sums_at_every_level),
        cmocka_unit_test(large_products_are_sums),
        cmocka_unit_test(matmul_goes_by_panels),
        cmocka_unit_test(packing_transposes_and_fills_with_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
