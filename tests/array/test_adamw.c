/* A step of AdamW in one pass against the same formula in single operations on arrays, bit by bit (tests/train holds the algorithm against
 * numbers); vectors that do not fit; memory that runs out.
 * Sources: array/adamw.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "array/adamw.h"
#include "array/op.h"
#include "base/parallel.h"

static const arr_adamw_numbers numbers = {.keep_m = 0.9,
                                          .add_m = 0.1 * 0.37,
                                          .keep_v = 0.99,
                                          .add_v = 0.01 * 0.37 * 0.37,
                                          .step = 3e-3 / 0.1,
                                          .grow = 1 / 0.01,
                                          .eps = 1e-8,
                                          .shrink = 3e-5};

/* Vectors that own themselves; the first step lies in a matrix with two columns, so it is no neighbour of the next. */
typedef struct {
    arr in[ARR_ADAMW_INPUTS], pairs;
} vectors;

static void fill(vectors *t, int64_t n) {
    ph_rng g;
    ph_rng_seed(&g, 5);
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++) {
        assert_int_equal(arr_new(&t->in[k], ARR_F32, 1, &n, NULL), PH_OK);
        float *x = (float *)t->in[k].data;
        for (int64_t i = 0; i < n; i++) {
            float r = (float)ph_rng_normal(&g);
            x[i] = k == ARR_ADAMW_V ? r * r : k == ARR_ADAMW_HEAVY ? (float)(i % 3 != 0) : r;
        }
    }
    int64_t shape[2] = {n, 2};
    assert_int_equal(arr_zeros(&t->pairs, ARR_F32, 2, shape, NULL), PH_OK);
    arr column = t->pairs;
    column.ndim = 1;
    assert_int_equal(arr_assign(&column, &t->in[ARR_ADAMW_X], NULL), PH_OK);
}
static void drop(vectors *t) {
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++) arr_drop(&t->in[k]);
    arr_drop(&t->pairs);
}

/* y = a OP b, a and b dropped */
static arr two(const char *row, arr a, arr b) {
    arr y;
    assert_int_equal(op_call2(&y, row, &a, &b, NULL), PH_OK);
    arr_drop(&a);
    arr_drop(&b);
    return y;
}
static arr number(double v) {
    arr y;
    assert_int_equal(arr_scalar(&y, ARR_F64, (arr_c128){v, 0}, NULL), PH_OK);
    return y;
}
static arr times(double v, const arr *x) { return two("mul", number(v), arr_ref(x)); }

static void in_single_operations(arr out[3], const arr *in, const arr_adamw_numbers *p) {
    const arr *g = &in[ARR_ADAMW_G];
    arr squares = two("mul", arr_ref(g), arr_ref(g)), root, grown;
    out[1] = two("add", times(p->keep_m, &in[ARR_ADAMW_M]), times(p->add_m, g));
    out[2] = two("add", times(p->keep_v, &in[ARR_ADAMW_V]), times(p->add_v, &squares));
    grown = times(p->grow, &out[2]);
    assert_int_equal(op_call1(&root, "sqrt", &grown, NULL), PH_OK);
    arr way = two("div", times(p->step, &out[1]), two("add", root, number(p->eps)));
    arr left =
        two("mul", arr_ref(&in[ARR_ADAMW_X]), two("sub", number(1), times(p->shrink, &in[ARR_ADAMW_HEAVY])));
    out[0] = two("sub", left, way);
    arr_drop(&squares);
    arr_drop(&grown);
}

static void one_pass_gives_the_bits_of_single_operations(void **state) {
    (void)state;
    static const int64_t sizes[] = {0, 1, 7, 1000, 100003}; /* the last is four pieces */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        vectors t;
        arr wanted[3], got[3];
        fill(&t, sizes[s]);
        in_single_operations(wanted, t.in, &numbers);
        for (int threads = 1; threads <= 3; threads++) {
            arr in[ARR_ADAMW_INPUTS];
            memcpy(in, t.in, sizeof in);
            if (threads == 2) { /* a column of a matrix */
                in[ARR_ADAMW_X] = t.pairs;
                in[ARR_ADAMW_X].ndim = 1;
            }
            ph_set_threads(threads);
            assert_int_equal(arr_adamw(got, in, &numbers, NULL), PH_OK);
            for (int k = 0; k < 3; k++) {
                assert_int_equal(got[k].shape[0], sizes[s]);
                assert_memory_equal(got[k].data, wanted[k].data, (size_t)sizes[s] * sizeof(float));
                arr_drop(&got[k]);
            }
        }
        ph_set_threads(0);
        for (int k = 0; k < 3; k++) arr_drop(&wanted[k]);
        drop(&t);
    }
}

static void vectors_that_do_not_fit_are_named(void **state) {
    (void)state;
    vectors t, other;
    arr out[3], in[ARR_ADAMW_INPUTS];
    ph_err err;
    fill(&t, 10);
    fill(&other, 11);
    memcpy(in, t.in, sizeof in);
    in[ARR_ADAMW_HEAVY] = other.in[ARR_ADAMW_HEAVY];
    assert_int_equal(arr_adamw(out, in, &numbers, &err), PH_EARG);
    assert_string_equal(err.text, "adamw: heavy is f32 (11); wanted a vector of f32, as long as x");
    memcpy(in, t.in, sizeof in);
    in[ARR_ADAMW_M] = t.pairs;
    assert_int_equal(arr_adamw(out, in, &numbers, &err), PH_EARG);
    assert_string_equal(err.text, "adamw: m is f32 (10, 2); wanted a vector of f32, as long as x");
    for (int k = 0; k < 3; k++) assert_null(out[k].buf);
    drop(&t);
    drop(&other);
}

static void memory_that_runs_out_leaves_nothing_behind(void **state) {
    (void)state;
    vectors t;
    arr out[3], in[ARR_ADAMW_INPUTS];
    fill(&t, 100);
    memcpy(in, t.in, sizeof in);
    in[ARR_ADAMW_X] = t.pairs; /* takes a copy */
    in[ARR_ADAMW_X].ndim = 1;
    int failures = 0;
    for (long n = 1;; n++) {
        ph_alloc_fail_from(n);
        ph_status st = arr_adamw(out, in, &numbers, NULL);
        ph_alloc_fail_from(0);
        if (st == PH_OK) break;
        assert_int_equal(st, PH_ENOMEM);
        for (int k = 0; k < 3; k++) assert_null(out[k].buf);
        failures++;
    }
    assert_true(failures >= 4); /* the copy and three results */
    for (int k = 0; k < 3; k++) arr_drop(&out[k]);
    drop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_gives_the_bits_of_single_operations),
        cmocka_unit_test(vectors_that_do_not_fit_are_named),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
