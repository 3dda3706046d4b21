/* Large results of + - * /, which go past the caches: the bits of their parts, which do not.
 * Sources: array/arith_past.c array/elementwise.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "array/op.h"
#include "base/parallel.h"

enum { PARTS = 4, SHAPES = 5 };

/* (4, rows, columns), or what stretches to it: a number, a row, one part, a column of each part. */
static arr operand(int shape, arr_dtype t, int64_t rows, int64_t columns) {
    const int64_t shapes[SHAPES][3] = {
        {PARTS, rows, columns}, {0}, {columns}, {rows, columns}, {PARTS, rows, 1}};
    const int ndim[SHAPES] = {3, 0, 1, 2, 3};
    ph_err err;
    ph_rng g;
    arr x;
    ph_rng_seed(&g, (uint64_t)shape + 1);
    assert_int_equal(arr_rand(&x, t, ndim[shape], shapes[shape], &g, &err), PH_OK);
    return x;
}

static arr part_of(const arr *x, int64_t k) {
    ph_err err;
    arr y;
    arr_range r = {k, 1, 1, true};
    if (x->ndim < 3) return arr_ref(x);
    assert_int_equal(arr_slice(&y, x, 1, &r, &err), PH_OK);
    return y;
}

static void check(const char *name, const arr in[2]) {
    ph_err err;
    arr all, one, part[2];
    assert_int_equal(op_apply(&all, op_find(name), in, 2, NULL, &err), PH_OK);
    size_t bytes = (size_t)arr_size(&all) * arr_itemsize(all.dtype);
    assert_true(bytes >= PH_PAST && bytes / PARTS < PH_PAST);
    for (int k = 0; k < PARTS; k++) {
        for (int i = 0; i < 2; i++) part[i] = part_of(&in[i], k);
        assert_int_equal(op_apply(&one, op_find(name), part, 2, NULL, &err), PH_OK);
        assert_memory_equal(all.data + (size_t)k * (bytes / PARTS), one.data, bytes / PARTS);
        arr_drop(&part[0]), arr_drop(&part[1]), arr_drop(&one);
    }
    arr_drop(&all);
}

/* Short rows are brought together, long ones have an odd length, so that no piece begins where the last one did in a line. */
static void results_are_those_of_their_parts(void **state) {
    (void)state;
    static const char *const names[] = {"add", "sub", "mul", "div"};
    static const int64_t rows[] = {3001, 10}, columns[] = {101, 30001};
    int run = 0;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int kind = 0; kind < 2 * SHAPES; kind++) {
            int64_t m = rows[kind % 2], n = columns[kind % 2];
            arr x = operand(0, (arr_dtype)t, m, n), y = operand(kind / 2, (arr_dtype)t, m, n);
            for (ph_cpu_level level = PH_CPU_BASELINE, top = ph_set_cpu(PH_CPU_AVX512); level <= top;
                 level++) {
                ph_set_cpu(level);
                check(names[run++ % 4], (arr[]){x, y});
                check(names[run % 4], (arr[]){y, x});
            }
            ph_set_cpu(PH_CPU_AVX512);
            arr_drop(&x), arr_drop(&y);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_those_of_their_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
