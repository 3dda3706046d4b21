/* Arrays from nothing, and the slices, copies and views that other tests do not reach.
 * Sources: array/create.c */
#include "array/views.h"

static const double *values(const arr *a) { return (const double *)a->data; }

static void range_reaches_its_end(void **state) {
    (void)state;
    ph_err err;
    static const struct {
        double a, b, step;
        int64_t n;
        double last;
    } rows[] = {{0, 9, 1, 10, 9},
                {9, 0, -3, 4, 0},
                {0, 0.3, 0.1, 4, 0.3},
                {0, 1, 0.1, 11, 1},
                {1, 0, 1, 0, 0},
                {5, 5, 1, 1, 5},
                {0, 0.95, 0.1, 10, 0.9},
                {-1, 1, 0.25, 9, 1},
                {0, 1e6, 1, 1000001, 1e6},
                {9007199254740990, 9007199254740992, 1, 3, 9007199254740992},
                {0, 99999.5, 1, 100000, 99999}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arr a;
        assert_int_equal(arr_arange(&a, ARR_F64, rows[i].a, rows[i].b, rows[i].step, &err), PH_OK);
        assert_int_equal(a.ndim, 1);
        assert_int_equal(a.shape[0], rows[i].n);
        for (int64_t k = 0; k + 1 < rows[i].n; k++)
            assert_true(values(&a)[k] == rows[i].a + (double)k * rows[i].step);
        if (rows[i].n) assert_true(near_real(ARR_F64, values(&a)[rows[i].n - 1], rows[i].last, 0.5L));
        arr_drop(&a);
    }
    static const double bad[][3] = {{0, 1, 0},   {0, NAN, 1},        {0, INFINITY, 1}, {-INFINITY, 0, 1},
                                    {0, 1, NAN}, {0, 1e300, 1e-300}, {0, 1e18, 1e-3},  {-1e308, 1e308, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        arr a;
        assert_int_equal(arr_arange(&a, ARR_F64, bad[i][0], bad[i][1], bad[i][2], &err), PH_EARG);
        assert_null(a.buf);
    }
}

static void linspace_keeps_both_ends(void **state) {
    (void)state;
    ph_err err;
    static const struct {
        double a, b;
        int64_t n;
    } rows[] = {{0, 1, 11}, {-1e308, 1e308, 5}, {0.1, 0.7, 7}, {3, 3, 4},
                {2, 5, 1},  {2, 5, 0},          {1, -1, 2},    {0, 1, 1000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arr a;
        int64_t n = rows[i].n;
        assert_int_equal(arr_linspace(&a, ARR_F64, rows[i].a, rows[i].b, n, &err), PH_OK);
        assert_int_equal(a.shape[0], n);
        if (n > 0) assert_true(values(&a)[0] == rows[i].a);
        if (n > 1) assert_true(values(&a)[n - 1] == rows[i].b);
        for (int64_t k = 0; k < n && n > 1; k++) {
            long double t = (long double)k / (n - 1),
                        want = rows[i].a + (rows[i].b - (long double)rows[i].a) * t;
            /* h errs by 2 u |h|, so its multiple by 2 u |b-a|/2; product and sum round by u (|b-a|/2 + |x|)
             * more */
            long double scale = fabsl((long double)rows[i].b - rows[i].a) + fabsl(want);
            assert_true(fabsl(values(&a)[k] - want) <= 2 * 0x1p-53L * scale);
        }
        arr_drop(&a);
    }
    arr a;
    assert_int_equal(arr_linspace(&a, ARR_F64, 0, 1, -1, &err), PH_EARG);
    assert_int_equal(arr_linspace(&a, ARR_F64, 0, INFINITY, 3, &err), PH_EARG);
    assert_int_equal(arr_linspace(&a, ARR_F64, 0, 1, INT64_MAX, &err), PH_EARG);
    assert_int_equal(arr_linspace(&a, ARR_C128, 0, 1, 3, &err), PH_EARG);
}

static void constants_and_identity(void **state) {
    (void)state;
    ph_err err;
    for (int t = 0; t < ARR_NDTYPE; t++) {
        arr a;
        assert_int_equal(arr_full(&a, (arr_dtype)t, 2, (int64_t[]){3, 4}, (arr_c128){1, 0}, &err), PH_OK);
        for (int64_t k = 0; k < 12; k++) assert_true(kth(&a, k) == 1);
        arr_drop(&a);
        for (int64_t m = 0; m < 4; m++) {
            assert_int_equal(arr_eye(&a, (arr_dtype)t, m, 3, &err), PH_OK);
            assert_int_equal(arr_size(&a), m * 3);
            for (int64_t k = 0; k < m * 3; k++) assert_true(kth(&a, k) == (k / 3 == k % 3));
            arr_drop(&a);
        }
    }
    arr a;
    assert_int_equal(arr_full(&a, ARR_F64, 1, (int64_t[]){2}, (arr_c128){0, 1}, &err), PH_EARG);
    assert_null(a.buf);
    assert_int_equal(arr_eye(&a, ARR_F64, -1, 3, &err), PH_EARG);
    assert_int_equal(arr_eye(&a, ARR_F64, INT64_MAX, INT64_MAX, &err), PH_EARG);
}

/* The stream of the generator, in row-major order; f32 takes as many draws. */
static void draws_follow_the_generator(void **state) {
    (void)state;
    ph_err err;
    ph_rng g, h;
    arr a, b;
    ph_rng_seed(&g, 42);
    h = g;
    assert_int_equal(arr_rand(&a, ARR_F64, 2, (int64_t[]){5, 7}, &g, &err), PH_OK);
    assert_int_equal(arr_randn(&b, ARR_F32, 1, (int64_t[]){9}, &g, &err), PH_OK);
    for (int i = 0; i < 35; i++) assert_true(values(&a)[i] == ph_rng_uniform(&h));
    for (int i = 0; i < 9; i++) assert_true(((const float *)b.data)[i] == (float)ph_rng_normal(&h));
    assert_memory_equal(&g, &h, sizeof g);
    arr_drop(&a);
    arr_drop(&b);
    assert_int_equal(arr_rand(&a, ARR_F32, 1, (int64_t[]){100000}, &g, &err), PH_OK);
    for (int i = 0; i < 100000; i++)
        assert_true(((const float *)a.data)[i] >= 0 && ((const float *)a.data)[i] < 1);
    arr_drop(&a);
    assert_int_equal(arr_rand(&a, ARR_BOOL, 1, (int64_t[]){3}, &g, &err), PH_EARG);
}

/* ---- no failed creation leaks -------------------------------------------------------------------------- */

static const int64_t square[] = {40, 40};
static ph_rng rng;
static ph_status make_full(arr *a, ph_err *e) { return arr_full(a, ARR_F64, 2, square, (arr_c128){2, 0}, e); }
static ph_status make_eye(arr *a, ph_err *e) { return arr_eye(a, ARR_F32, 5, 5, e); }
static ph_status make_range(arr *a, ph_err *e) { return arr_arange(a, ARR_F64, 0, 9, 1, e); }
static ph_status make_linspace(arr *a, ph_err *e) { return arr_linspace(a, ARR_F64, 0, 9, 5, e); }
static ph_status make_rand(arr *a, ph_err *e) { return arr_rand(a, ARR_F64, 2, square, &rng, e); }
static ph_status make_zeros(arr *a, ph_err *e) { return arr_zeros(a, ARR_C128, 2, square, e); }
static ph_status make_scalar(arr *a, ph_err *e) { return arr_scalar(a, ARR_F64, (arr_c128){1, 0}, e); }

static void refused_allocations_leak_nothing(void **state) {
    (void)state;
    ph_status (*const makers[])(arr *, ph_err *) = {make_full, make_eye,   make_range, make_linspace,
                                                    make_rand, make_zeros, make_scalar};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        ph_err err;
        arr a;
        size_t live = ph_block_live();
        ph_status st = PH_ENOMEM;
        for (size_t n = 1; st != PH_OK; n++) {
            ph_alloc_fail_from(n);
            st = makers[i](&a, &err);
            ph_alloc_fail_from(0);
            assert_true(st == PH_OK ||
                        (st == PH_ENOMEM && a.buf == NULL && n < 50 && ph_block_live() == live));
        }
        arr_drop(&a);
        assert_int_equal(ph_block_live(), live);
    }
}

/* ---- arr_assign, arr_convert --------------------------------------------------------------------------- */

/* Two views of one storage, every pair of kinds that fits: as if src had been copied first. */
static void assignment_between_overlapping_views(void **state) {
    (void)state;
    ph_err err;
    static const arr_range windows[][2] = {
        {{0, 1, 6, false}, {0, 1, 6, false}},   {{5, -1, 6, false}, {0, 1, 6, false}},
        {{1, 1, 6, false}, {2, 1, 6, false}},   {{12, -2, 6, false}, {1, 2, 6, false}},
        {{0, 2, 6, false}, {12, -1, 6, false}}, {{3, 0, 6, false}, {0, 2, 6, false}}};
    enum { W = sizeof windows / sizeof windows[0] };
    for (int d = 0; d < W - 1; d++) /* the last one repeats a row: a source only */
        for (int s = 0; s < W; s++)
            for (int turn = 0; turn < 2; turn++) {
                arr a, dst, view, src, copy;
                assert_int_equal(arr_arange(&view, ARR_F64, 0, 168, 1, &err), PH_OK);
                assert_int_equal(arr_reshape(&a, &view, 2, (int64_t[]){13, 13}, &err), PH_OK);
                arr_drop(&view);
                assert_int_equal(arr_slice(&dst, &a, 2, windows[d], &err), PH_OK);
                assert_int_equal(arr_slice(&view, &a, 2, windows[s], &err), PH_OK);
                assert_int_equal(arr_permute(&src, &view, turn ? (int[]){1, 0} : (int[]){0, 1}, &err), PH_OK);
                assert_int_equal(arr_convert(&copy, &src, ARR_F64, &err), PH_OK);
                assert_int_equal(arr_assign(&dst, &src, &err), PH_OK);
                assert_true(same_bits(&dst, &copy));
                arr_drop(&copy);
                arr_drop(&src);
                arr_drop(&view);
                arr_drop(&dst);
                arr_drop(&a);
            }
}

static void conversions_between_all_types(void **state) {
    (void)state;
    ph_err err;
    static const double pool[] = {0, 1, -2.5, 0.1, 1e300, 3};
    for (int from = 0; from < ARR_NDTYPE; from++)
        for (int to = 0; to < ARR_NDTYPE; to++)
            for (int v = 0; v < VIEWS; v++) {
                arr a = make_view(v, from == ARR_C128 ? ARR_F64 : (arr_dtype)from, 3, (int64_t[]){2, 3, 4},
                                  pool, 6, 1),
                    b, c;
                assert_int_equal(arr_convert(&b, &a, (arr_dtype)from, &err), PH_OK);
                assert_int_equal(arr_convert(&c, &b, (arr_dtype)to, &err), PH_OK);
                assert_true(arr_is_contiguous(&c));
                for (int64_t k = 0; k < arr_size(&a); k++) {
                    wide x = kth(&b, k);
                    wide want = to == ARR_BOOL ? (wide)(x != 0) : to == ARR_F32 ? (wide)(float)creall(x) : x;
                    assert_true(kth(&c, k) == want);
                }
                arr_drop(&a);
                arr_drop(&b);
                arr_drop(&c);
            }
}

int main(void) {
    ph_rng_seed(&rng, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_reaches_its_end),
        cmocka_unit_test(linspace_keeps_both_ends),
        cmocka_unit_test(constants_and_identity),
        cmocka_unit_test(draws_follow_the_generator),
        cmocka_unit_test(refused_allocations_leak_nothing),
        cmocka_unit_test(assignment_between_overlapping_views),
        cmocka_unit_test(conversions_between_all_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
