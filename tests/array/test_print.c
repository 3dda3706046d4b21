/* How arrays and numbers look.
 * Sources: array/print.c array/text.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "array/array.h"

static arr from_doubles(arr_dtype t, int ndim, const int64_t *shape, const double *x) {
    ph_err err;
    arr flat, a;
    assert_int_equal(arr_new(&flat, ARR_F64, ndim, shape, &err), PH_OK);
    memcpy(flat.data, x, (size_t)arr_size(&flat) * sizeof *x);
    assert_int_equal(arr_convert(&a, &flat, t, &err), PH_OK);
    arr_drop(&flat);
    return a;
}

static void looks(const arr *a, int columns, int rows, const char *want) {
    ph_err err;
    char *got;
    assert_int_equal(arr_print(&got, a, columns, rows, &err), PH_OK);
    assert_string_equal(got, want);
    ph_free(got);
}

static void columns_align_at_their_points(void **state) {
    (void)state;
    arr a = from_doubles(ARR_F64, 2, (int64_t[]){3, 3},
                         (double[]){1, 0.5, -2, 1.0 / 3, 1e-12, NAN, 12.25, 123456.7, -INFINITY});
    looks(&a, 80, 20,
          "f64 (3, 3)\n"
          "   1              0.5      -2\n"
          "   0.333333       1e-12   nan\n"
          "  12.25      123457.     -inf");
    arr_drop(&a);
    a = from_doubles(ARR_BOOL, 1, (int64_t[]){2}, (double[]){1, 0});
    looks(&a, 80, 20, "bool (2)\n   true  false");
    arr_drop(&a);
}

static void complex_cells_align_both_parts(void **state) {
    (void)state;
    ph_err err;
    arr z;
    assert_int_equal(arr_new(&z, ARR_C128, 2, (int64_t[]){2, 1}, &err), PH_OK);
    ((arr_c128 *)z.data)[0] = (arr_c128){0.5, -10};
    ((arr_c128 *)z.data)[1] = (arr_c128){-3, 1e-20};
    looks(&z, 80, 20, "c128 (2, 1)\n   0.5-10i\n  -3   +1e-20i");
    arr_drop(&z);
}

static void what_is_beyond_the_screen_is_marked(void **state) {
    (void)state;
    ph_err err;
    arr a, v;
    assert_int_equal(arr_arange(&v, ARR_F64, 1, 1000, 1, &err), PH_OK);
    looks(&v, 24, 5,
          "f64 (1000)\n"
          "     1     2     3\n"
          "     4     5     6 …\n"
          "   998   999  1000");
    assert_int_equal(arr_reshape(&a, &v, 2, (int64_t[]){10, 100}, &err), PH_OK);
    looks(&a, 24, 4,
          "f64 (10, 100)\n"
          "    1    2  …   99   100\n"
          "  101  102  …  199   200\n"
          "  ⋮\n"
          "  901  902  …  999  1000");
    arr_drop(&a);
    assert_int_equal(arr_reshape(&a, &v, 3, (int64_t[]){250, 2, 2}, &err), PH_OK);
    looks(&a, 40, 12,
          "f64 (250, 2, 2)\n"
          "  [1]\n  1  2\n  3  4\n"
          "  [2]\n  5  6\n  7  8\n"
          "  [3]\n   9  10\n  11  12\n"
          "  ⋮\n"
          "  [250]\n  997   998\n  999  1000");
    arr_drop(&a);
    arr_drop(&v);
}

static void vectors_wrap_and_empty_ones_say_so(void **state) {
    (void)state;
    ph_err err;
    arr v;
    assert_int_equal(arr_arange(&v, ARR_F64, 8, 12, 1, &err), PH_OK);
    looks(&v, 20, 5, "f64 (5)\n   8   9  10  11  12");
    arr_drop(&v);
    assert_int_equal(arr_arange(&v, ARR_F64, 98, 104, 1, &err), PH_OK);
    looks(&v, 20, 5, "f64 (7)\n   98   99  100  101\n  102  103  104");
    arr_drop(&v);
    assert_int_equal(arr_zeros(&v, ARR_F32, 2, (int64_t[]){0, 3}, &err), PH_OK);
    looks(&v, 80, 5, "f32 (0, 3) empty");
    arr_drop(&v);
}

static void scalars_round_trip(void **state) {
    (void)state;
    static const struct {
        double x;
        const char *text;
    } rows[] = {{3, "3.0"},
                {-0.0, "-0.0"},
                {0.1, "0.1"},
                {1.0 / 3, "0.3333333333333333"},
                {1e-300, "1e-300"},
                {0.1 + 0.2, "0.30000000000000004"},
                {5e-324, "5e-324"},
                {1e15, "1e+15"},
                {NAN, "nan"},
                {-INFINITY, "-inf"},
                {1.7976931348623157e308, "1.7976931348623157e+308"}};
    char buf[40];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(arr_num_text(buf, sizeof buf, rows[i].x), rows[i].text);
    ph_rng g;
    ph_rng_seed(&g, 7);
    for (int i = 0; i < 2000; i++) {
        uint64_t bits = ph_rng_bits(&g);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) assert_true(strtod(arr_num_text(buf, sizeof buf, x), NULL) == x);
    }
    ph_err err;
    arr a;
    assert_int_equal(arr_scalar(&a, ARR_F32, (arr_c128){0.1, 0}, &err), PH_OK);
    looks(&a, 80, 5, "f32 ()  0.1");
    arr_drop(&a);
    assert_int_equal(arr_scalar(&a, ARR_C128, (arr_c128){0.1, -2}, &err), PH_OK);
    looks(&a, 80, 5, "c128 ()  0.1-2i");
    arr_drop(&a);
}

/* No cell of a random array of any magnitude reads as 0 unless it is, and each agrees with its value to 6
 * digits. */
static void a_nonzero_never_prints_as_zero(void **state) {
    (void)state;
    ph_err err;
    ph_rng g;
    arr a;
    char *got;
    ph_rng_seed(&g, 3);
    assert_int_equal(arr_new(&a, ARR_F64, 2, (int64_t[]){200, 1}, &err), PH_OK);
    double *x = (double *)a.data;
    for (int i = 0; i < 200; i++) {
        do {
            uint64_t bits = ph_rng_bits(&g);
            memcpy(&x[i], &bits, sizeof bits);
        } while (!isfinite(x[i]));
    }
    assert_int_equal(arr_print(&got, &a, 80, 1000, &err), PH_OK);
    const char *line = strchr(got, '\n');
    for (int i = 0; i < 200; i++) {
        char *end;
        double y = strtod(line + 1, &end);
        assert_true((y != 0) == (x[i] != 0));
        /* half a unit of the sixth digit, at most 5e-6 of the value; subnormals move by their own spacing */
        assert_true(isfinite(y) && fabs(y - x[i]) <= 5e-6 * fabs(x[i]) + 5e-324);
        line = strchr(line + 1, '\n');
    }
    ph_free(got);
    arr_drop(&a);
}

/* Bytes of UTF-8 minus continuation bytes: every mark is one column wide. */
static int line_width(const char *s) {
    int n = 0;
    for (; *s && *s != '\n'; s++) n += (*s & 0xC0) != 0x80;
    return n;
}

static void no_line_is_wider_than_the_screen(void **state) {
    (void)state;
    ph_err err;
    ph_rng g;
    ph_rng_seed(&g, 5);
    static const struct {
        int ndim;
        int64_t shape[3];
    } cases[] = {{1, {1000}},     {1, {60}},         {2, {1, 50}}, {2, {40, 30}},
                 {3, {4, 5, 60}}, {3, {30, 30, 30}}, {1, {1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arr a;
        assert_int_equal(arr_randn(&a, ARR_F64, cases[i].ndim, cases[i].shape, &g, &err), PH_OK);
        for (int columns = 20; columns < 130; columns += 7) {
            char *got;
            assert_int_equal(arr_print(&got, &a, columns, 24, &err), PH_OK);
            for (const char *p = got; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
                assert_true(line_width(p) <= columns);
            ph_free(got);
        }
        arr_drop(&a);
    }
}

static void a_refused_allocation_leaks_nothing(void **state) {
    (void)state;
    ph_err err;
    arr a;
    char *got = NULL;
    assert_int_equal(arr_zeros(&a, ARR_F64, 3, (int64_t[]){3, 20, 20}, &err), PH_OK);
    ph_status st = PH_ENOMEM;
    for (size_t n = 1; st != PH_OK; n++) {
        ph_alloc_fail_from(n);
        st = arr_print(&got, &a, 80, 20, &err);
        ph_alloc_fail_from(0);
        assert_true(st == PH_OK || (st == PH_ENOMEM && got == NULL && n < 100));
    }
    ph_free(got);
    arr_drop(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_align_at_their_points),
        cmocka_unit_test(complex_cells_align_both_parts),
        cmocka_unit_test(what_is_beyond_the_screen_is_marked),
        cmocka_unit_test(vectors_wrap_and_empty_ones_say_so),
        cmocka_unit_test(scalars_round_trip),
        cmocka_unit_test(a_nonzero_never_prints_as_zero),
        cmocka_unit_test(no_line_is_wider_than_the_screen),
        cmocka_unit_test(a_refused_allocation_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
