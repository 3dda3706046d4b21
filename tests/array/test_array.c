/* Life, views, casts and copies of arrays, against index tuples.
 * Sources: array/array.c array/view.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "array/array.h"
#include "array/op.h"

static const op_attrs none;

/* 0, 1, 2, … in row-major order */
static arr count_up(arr_dtype t, int ndim, const int64_t *shape) {
    ph_err err;
    arr flat, a;
    assert_int_equal(arr_new(&flat, ARR_F64, ndim, shape, &err), PH_OK);
    for (int64_t i = 0; i < arr_size(&flat); i++) ((double *)flat.data)[i] = (double)i;
    assert_int_equal(arr_convert(&a, &flat, t, &err), PH_OK);
    arr_drop(&flat);
    return a;
}

static double get2(const arr *a, int64_t i, int64_t j) {
    return arr_get_num(a, arr_at(a, (int64_t[]){i, j}));
}

static void bad_shapes_are_refused_by_name(void **state) {
    (void)state;
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, ARR_F64, 2, (int64_t[]){3, -1}, &err), PH_EARG);
    assert_non_null(strstr(err.text, "(3, -1)"));
    assert_null(a.buf);
    assert_int_equal(arr_new(&a, ARR_F64, 9, NULL, &err), PH_EARG);
    assert_int_equal(arr_new(&a, ARR_C128, 3, (int64_t[]){INT64_MAX, 0, INT64_MAX}, &err), PH_EARG);
    assert_int_equal(arr_new(&a, ARR_F64, 1, (int64_t[]){PTRDIFF_MAX / 8}, &err), PH_EARG);
}

static void references_share_and_the_last_one_frees(void **state) {
    (void)state;
    size_t before = ph_block_live();
    arr a = count_up(ARR_F64, 2, (int64_t[]){3, 4}), b = arr_ref(&a);
    assert_true(arr_is_shared(&a));
    arr_drop(&b);
    assert_false(arr_is_shared(&a));
    arr_drop(&a);
    arr_drop(&a);
    assert_int_equal(ph_block_live(), before);
}

static void slices_see_the_same_elements(void **state) {
    (void)state;
    ph_err err;
    arr a = count_up(ARR_F32, 2, (int64_t[]){5, 6}), v, row;
    arr_range r[2] = {{4, -2, 3, false}, {1, 2, 2, false}};
    assert_int_equal(arr_slice(&v, &a, 2, r, &err), PH_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) assert_true(get2(&v, i, j) == (4 - 2 * i) * 6 + 1 + 2 * j);
    assert_int_equal(arr_slice(&row, &v, 1, (arr_range[]){{1, 1, 1, true}}, &err), PH_OK);
    assert_int_equal(row.ndim, 1);
    assert_true(arr_get_num(&row, arr_at(&row, (int64_t[]){1})) == 15);
    arr_drop(&row);
    assert_int_equal(arr_slice(&row, &a, 1, (arr_range[]){{4, 1, 2, false}}, &err), PH_EARG);
    assert_int_equal(arr_slice(&row, &a, 1, (arr_range[]){{0, INT64_MAX, 3, false}}, &err), PH_EARG);
    assert_null(row.buf);
    arr_drop(&v);
    arr_drop(&a);
}

/* Every reshape of a view holds the row-major sequence of the view; contiguous ones share storage. */
static void reshape_keeps_the_row_major_order(void **state) {
    (void)state;
    ph_err err;
    static const int64_t shapes[][4] = {{24, 1, 1, 1}, {4, 6, 1, 1}, {2, 3, 4, 1}, {1, 24, 1, 1},
                                        {2, 2, 2, 3},  {3, 8, 1, 1}, {6, 1, 4, 1}, {-1, 2, 3, 1}};
    arr a = count_up(ARR_F64, 3, (int64_t[]){2, 3, 4}), t, s;
    assert_int_equal(arr_permute(&t, &a, (int[]){2, 0, 1}, &err), PH_OK);
    assert_int_equal(arr_slice(&s, &a, 1, (arr_range[]){{1, -1, 2, false}}, &err), PH_OK);
    const arr *views[] = {&a, &t, &s};
    for (int v = 0; v < 3; v++) {
        arr flat;
        assert_int_equal(arr_convert(&flat, views[v], ARR_F64, &err), PH_OK);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            arr r, c;
            assert_int_equal(arr_reshape(&r, views[v], 4, shapes[i], &err), PH_OK);
            if (v == 0) assert_ptr_equal(r.buf, a.buf);
            assert_int_equal(arr_convert(&c, &r, ARR_F64, &err), PH_OK);
            assert_memory_equal(c.data, flat.data, 24 * sizeof(double));
            arr_drop(&r);
            arr_drop(&c);
        }
        arr_drop(&flat);
    }
    arr r;
    assert_int_equal(arr_reshape(&r, &a, 2, (int64_t[]){-1, -1}, &err), PH_EARG);
    assert_int_equal(arr_reshape(&r, &a, 2, (int64_t[]){5, -1}, &err), PH_EARG);
    assert_int_equal(arr_reshape(&r, &a, 2, (int64_t[]){-1, 0}, &err), PH_EARG);
    assert_int_equal(arr_reshape(&r, &a, 1, (int64_t[]){INT64_MAX}, &err), PH_EARG);
    arr_drop(&s);
    arr_drop(&t);
    arr_drop(&a);
}

static void assignment_broadcasts_and_survives_overlap(void **state) {
    (void)state;
    ph_err err;
    arr a = count_up(ARR_F64, 1, (int64_t[]){6}), lo, hi, back;
    assert_int_equal(arr_slice(&lo, &a, 1, (arr_range[]){{0, 1, 5, false}}, &err), PH_OK);
    assert_int_equal(arr_slice(&hi, &a, 1, (arr_range[]){{1, 1, 5, false}}, &err), PH_OK);
    assert_int_equal(arr_slice(&back, &a, 1, (arr_range[]){{5, -1, 6, false}}, &err), PH_OK);
    assert_int_equal(arr_assign(&hi, &lo, &err), PH_OK); /* 0 0 1 2 3 4 */
    static const double shifted[] = {0, 0, 1, 2, 3, 4}, turned[] = {4, 3, 2, 1, 0, 0};
    assert_memory_equal(a.data, shifted, sizeof shifted);
    assert_int_equal(arr_assign(&a, &back, &err), PH_OK);
    assert_memory_equal(a.data, turned, sizeof turned);
    arr m = count_up(ARR_F32, 2, (int64_t[]){2, 6});
    assert_int_equal(arr_assign(&m, &a, &err), PH_OK);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 6; j++) assert_true(get2(&m, i, j) == turned[j]);
    assert_int_equal(arr_assign(&a, &m, &err), PH_EARG);
    arr_drop(&m);
    arr_drop(&back);
    arr_drop(&hi);
    arr_drop(&lo);
    arr_drop(&a);
}

static void complex_goes_to_real_only_without_loss(void **state) {
    (void)state;
    ph_err err;
    arr z, r;
    assert_int_equal(arr_scalar(&z, ARR_C128, (arr_c128){2, 0}, &err), PH_OK);
    assert_int_equal(arr_convert(&r, &z, ARR_F64, &err), PH_OK);
    assert_true(arr_get_num(&r, r.data) == 2);
    assert_int_equal(arr_put_c128(&z, z.data, (arr_c128){2, 3}, &err), PH_OK);
    assert_int_equal(arr_assign(&r, &z, &err), PH_EARG);
    assert_int_equal(arr_put_c128(&r, r.data, (arr_c128){0, 1}, &err), PH_EARG);
    arr_drop(&r);
    assert_int_equal(arr_convert(&r, &z, ARR_F32, &err), PH_EARG);
    assert_null(r.buf);
    arr_drop(&z);
}

static void an_operation_is_found_and_names_itself(void **state) {
    (void)state;
    ph_err err;
    for (const op_table *t = op_tables; t->rows; t++)
        for (int i = 0; i < *t->n; i++) assert_ptr_equal(op_find(t->rows[i].name), &t->rows[i]);
    assert_null(op_find("no such row"));
    char name[8]; /* one address, several names */
    const char *const spelt[] = {"add", "sub", "", "adds", "add", "sub"};
    for (int k = 0; k < 6; k++) {
        strcpy(name, spelt[k]);
        const op *row = op_find(name);
        assert_true(row ? strcmp(row->name, spelt[k]) == 0 : k == 2 || k == 3);
    }
    arr a = count_up(ARR_F64, 2, (int64_t[]){3, 4}), b = count_up(ARR_F64, 1, (int64_t[]){3}), c;
    assert_int_equal(op_call2(&c, "add", &a, &b, &err), PH_EARG);
    assert_non_null(strstr(err.text, "add: shapes (3, 4) and (3) do not match"));
    assert_null(c.buf);
    assert_int_equal(op_apply(&c, op_find("add"), &a, 1, &none, &err), PH_EARG);
    arr_drop(&a);
    arr_drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_shapes_are_refused_by_name),
        cmocka_unit_test(references_share_and_the_last_one_frees),
        cmocka_unit_test(slices_see_the_same_elements),
        cmocka_unit_test(reshape_keeps_the_row_major_order),
        cmocka_unit_test(assignment_broadcasts_and_survives_overlap),
        cmocka_unit_test(complex_goes_to_real_only_without_loss),
        cmocka_unit_test(an_operation_is_found_and_names_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
