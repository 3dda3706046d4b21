/* x W + b and max(x W + b, 0) in one pass, and the way back: against the operations that they are, which have tests of their own.
 * Sources: array/linalg_affine.c */
#include "linalg_common.h"

#include "array/op.h"

/* rows, inner, columns: own loop, small stacks, one call, blocks, a column, a row, long sums. */
static const int64_t sizes[][3] = {
    {2, 2, 2},      {1, 1, 1},    {9, 11, 7}, {70, 40, 90}, {600, 128, 130}, {300, 300, 1},  {1, 300, 300},
    {20, 5000, 24}, {1, 5000, 1}, {5, 0, 3},  {0, 4, 3},    {4, 3, 0},       {300, 70, 1000}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static arr apply(const char *name, const arr *in, int n) {
    arr out[OP_MAXOUT];
    ok(op_apply(out, op_find(name), in, n, NULL, &last_error));
    for (int k = 1; k < op_find(name)->n_out; k++) arr_drop(&out[k]);
    return out[0];
}

static void assert_same(const arr *a, const arr *b) {
    assert_true(arr_same_shape(a, b));
    assert_int_equal(a->dtype, b->dtype);
    assert_memory_equal(a->data, b->data, (size_t)arr_size(a) * arr_itemsize(a->dtype));
}

static arr random_vector(arr_dtype t, int64_t n, uint64_t seed) {
    arr m = random_matrix(t, 1, n, seed), v;
    ok(arr_reshape(&v, &m, 1, &n, &last_error));
    arr_drop(&m);
    return v;
}

/* To the bit: a sum of a product and of b is rounded where it is in three passes. Stacks of x too, and x transposed. */
static void check_forwards(arr_dtype t, const int64_t *size, int form) {
    arr in[3] = {random_matrix(t, form == 2 ? size[1] : size[0], form == 2 ? size[0] : size[1], 1),
                 random_matrix(t, size[1], size[2], 2), random_vector(t, size[2], 3)};
    if (form > 0) {
        int64_t stack[3] = {1, size[0], size[1]};
        arr x = in[0];
        if (form == 1) ok(arr_reshape(&in[0], &x, 3, stack, &last_error));
        else in[0] = transposed(&x);
        arr_drop(&x);
    }
    arr product = apply("matmul", in, 2), sum = apply("add", (const arr[]){product, in[2]}, 2),
        cut = apply("relu", &sum, 1);
    for (int threads = 1; threads <= 3; threads++) {
        ph_set_threads(threads);
        arr y = apply("affine", in, 3), z = apply("affine relu", in, 3);
        assert_same(&y, &sum);
        assert_same(&z, &cut);
        arr_drop(&y);
        arr_drop(&z);
    }
    ph_set_threads(0);
    arr_drop(&product);
    arr_drop(&sum);
    arr_drop(&cut);
    for (int i = 0; i < 3; i++) arr_drop(&in[i]);
}

static void one_pass_has_the_bits_of_three(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int s = 0; s < SIZES; s++)
            for (int form = 0; form < 3; form++) check_forwards((arr_dtype)t, sizes[s], form);
}

/* Thousands of small matrices, which are taken some at a time: stored by columns, so that they are no single product of all their rows. */
static void stacks_of_small_ones_end_like_single_ones(void **state) {
    (void)state;
    enum { STACK = 5000 };
    static const int64_t small[][3] = {{8, 8, 8}, {5, 7, 6}, {3, 9, 17}, {2, 3, 2}};
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int s = 0; s < 4; s++) {
            const int64_t *n = small[s];
            arr in[3] = {ARR_NONE, random_matrix((arr_dtype)t, n[1], n[2], 2),
                         random_vector((arr_dtype)t, n[2], 3)},
                x = random_array((arr_dtype)t, 3, (int64_t[]){STACK, n[1], n[0]}, 1);
            ok(arr_permute(&in[0], &x, (int[]){0, 2, 1}, &last_error));
            arr product = apply("matmul", in, 2), sum = apply("add", (const arr[]){product, in[2]}, 2),
                cut = apply("relu", &sum, 1), y = apply("affine", in, 3), z = apply("affine relu", in, 3);
            assert_same(&y, &sum);
            assert_same(&z, &cut);
            arr *all[] = {&in[0], &in[1], &in[2], &x, &product, &sum, &cut, &y, &z};
            for (size_t i = 0; i < sizeof all / sizeof *all; i++) arr_drop(all[i]);
        }
}

/* What goes through is g or 0, exactly. A sum of m numbers in doubles, of which no run is longer than 256 + m/256, errs by as many
 * roundings of the sum of sizes at most, and once more in the type of the result. */
static void the_way_back_lets_through_what_was_above_0(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int s = 0; s < SIZES; s++) {
            const int64_t m = sizes[s][0], n = sizes[s][2];
            arr in[2] = {random_matrix((arr_dtype)t, m, n, 4), random_matrix((arr_dtype)t, m, n, 5)},
                out[2][OP_MAXOUT];
            for (int k = 0; k < 2; k++) {
                ph_set_threads(1 + 2 * k);
                ok(op_apply(out[k], op_find("derivative of affine relu"), in, 2, NULL, &last_error));
            }
            ph_set_threads(0);
            for (int k = 0; k < 2; k++) assert_same(&out[0][k], &out[1][k]);
            for (int64_t j = 0; j < n; j++) {
                long double sum = 0, size = 0;
                for (int64_t i = 0; i < m; i++) {
                    const double y = creal(at2(&in[0], i, j)), g = creal(at2(&in[1], i, j));
                    assert_true(creal(at2(&out[0][0], i, j)) == (y > 0 ? g : 0));
                    sum += y > 0 ? g : 0;
                    size += y > 0 ? fabs(g) : 0;
                }
                const double got = arr_get_num(&out[0][1], arr_at(&out[0][1], &j));
                const double roundings = (double)(256 + m / 256 + 1);
                assert_within((double)fabsl(got - sum),
                              roundings * 0x1p-53 * (double)size + unit((arr_dtype)t) * (double)fabsl(sum));
            }
            for (int k = 0; k < 2; k++) {
                arr_drop(&in[k]);
                for (int i = 0; i < 2; i++) arr_drop(&out[k][i]);
            }
        }
}

/* Of 1, -1 and what is lost beside 2^53, sums show in which order they are taken: rows by 256 at most. */
static void sums_are_taken_by_256_rows(void **state) {
    (void)state;
    static const int64_t columns[] = {1, 127, 128, 129};
    for (int s = 0; s < 4; s++) {
        const int64_t m = 258, n = columns[s];
        arr in[2], out[OP_MAXOUT];
        for (int k = 0; k < 2; k++) ok(arr_zeros(&in[k], ARR_F64, 2, (int64_t[]){m, n}, &last_error));
        double *y = (double *)in[0].data, *g = (double *)in[1].data;
        for (int64_t i = 0; i < m * n; i++) y[i] = 1;
        for (int64_t j = 0; j < n; j++) g[j] = 0x1p53, g[256 * n + j] = g[257 * n + j] = 1;
        ok(op_apply(out, op_find("derivative of affine relu"), in, 2, NULL, &last_error));
        for (int64_t j = 0; j < n; j++) assert_true(((double *)out[1].data)[j] == 0x1p53 + 2);
        for (int k = 0; k < 2; k++) {
            arr_drop(&in[k]);
            arr_drop(&out[k]);
        }
    }
}

/* NaN is no number below 0: it stays, as relu has it, and lets nothing through. */
static void nan_stays(void **state) {
    (void)state;
    arr in[3] = {random_matrix(ARR_F32, 40, 30, 1), random_matrix(ARR_F32, 30, 20, 2),
                 random_vector(ARR_F32, 20, 3)};
    ((float *)in[0].data)[5 * 30] = NAN;
    arr y = apply("affine relu", in, 3), g[2] = {y, y}, back = apply("derivative of affine relu", g, 2);
    for (int64_t j = 0; j < 20; j++) {
        assert_true(isnan(creal(at2(&y, 5, j))));
        assert_true(creal(at2(&back, 5, j)) == 0);
        assert_true(creal(at2(&y, 4, j)) >= 0);
    }
    arr_drop(&y);
    arr_drop(&back);
    for (int i = 0; i < 3; i++) arr_drop(&in[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_has_the_bits_of_three),
        cmocka_unit_test(stacks_of_small_ones_end_like_single_ones),
        cmocka_unit_test(the_way_back_lets_through_what_was_above_0),
        cmocka_unit_test(sums_are_taken_by_256_rows),
        cmocka_unit_test(nan_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
