/* A vector by a large matrix, read in one stream: against sums in long double.
 * Sources: array/linalg_stream.c */
#include "linalg_common.h"

#include "array/linalg.h"

static double get(arr_dtype t, const void *x, int64_t i) {
    return t == ARR_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* y (m) = a (m, k) x, a by rows that lie `gap` apart, or by columns. k products and k additions: (k + 1) roundings of at most u times what is
 * summed up, one more for the oracle's, and 1.01 for their products. */
static void check(arr_dtype t, int64_t m, int64_t k, int64_t gap, bool columns, int64_t step) {
    const int64_t lines = columns ? k : m, row = (columns ? m : k) + gap;
    arr a = random_array(t, 1, (int64_t[]){lines * row}, 1), x = random_array(t, 1, (int64_t[]){k * step}, 2),
        y = random_array(t, 1, (int64_t[]){m + 1}, 3);
    const double behind = get(t, y.data, m);
    const lin_operand o = {.data = a.data, .row = columns ? 1 : row, .col = columns ? row : 1};
    assert_true(arr_lin_stream(t, y.data, &o, m, k, x.data, step));
    for (int64_t i = 0; i < m; i++) {
        long double want = 0, size = 0;
        for (int64_t l = 0; l < k; l++) {
            long double p = (long double)get(t, a.data, i * o.row + l * o.col) * get(t, x.data, l * step);
            want += p;
            size += fabsl(p);
        }
        assert_within(fabs((double)(get(t, y.data, i) - want)),
                      1.01 * (double)(k + 2) * unit(t) * (double)size);
    }
    assert_true(get(t, y.data, m) == behind);
    arr_drop(&a), arr_drop(&x), arr_drop(&y);
}

/* Lengths with whole vectors behind the last four, and with single numbers behind the last vector. */
static void streams_are_sums(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int64_t gap = 0; gap < 4; gap += 3) {
            check((arr_dtype)t, 701, 443, gap, false, 1);
            check((arr_dtype)t, 443, 701, gap, true, 1 + gap);
            check((arr_dtype)t, 1030, 300, gap, false, 1);
            check((arr_dtype)t, 301, 1030, gap, true, 1);
        }
}

/* What is small, complex, of short rows, or apart in every direction is left alone. */
static void others_are_left_to_blas(void **state) {
    (void)state;
    static double a[1 << 18], x[1 << 13], y[1 << 13] = {7};
    const lin_operand by_rows = {.data = (const char *)a, .row = 512, .col = 1},
                      apart = {.data = (const char *)a, .row = 1024, .col = 2};
    const char *from = (const char *)x;
    char *to = (char *)y;
    assert_false(arr_lin_stream(ARR_F64, to, &by_rows, 256, 512, from, 1)); /* 1 MB */
    assert_true(arr_lin_stream(ARR_F64, to, &by_rows, 257, 512, from, 1));  /* and a row */
    assert_false(arr_lin_stream(ARR_C128, to, &by_rows, 257, 512, from, 1));
    assert_false(arr_lin_stream(ARR_F64, to, &by_rows, 257, 512, from, 2));
    assert_false(arr_lin_stream(ARR_F64, to, &apart, 257, 512, from, 1));
    assert_false(arr_lin_stream(ARR_F64, to, &by_rows, 1 << 12, 64, from, 1));
    assert_true(y[0] == 0); /* a and x are zeros */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_sums),
        cmocka_unit_test(others_are_left_to_blas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
