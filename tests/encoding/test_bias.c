/* Score biases: every entry against its formula in balls, known slopes and bucket boundaries, the same everywhere.
 * Sources: encoding/alibi.c encoding/bias.c encoding/buckets.c encoding/fire.c encoding/kerple.c encoding/learned.c encoding/t5.c */
#include "against.h"

#include <stdio.h>

static arr from(const double *x, int ndim, const int64_t *shape) {
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, ARR_F64, ndim, shape, &err), PH_OK);
    memcpy(a.data, x, (size_t)arr_size(&a) * sizeof *x);
    return a;
}

/* Every entry of a (heads, queries, keys) bias within half an ulp and `slack` of the formula at m = offset + r, n = c; the f32
 * one is the f64 one rounded. */
static void check_bias(enc_call *c, const char *name, int64_t offset, double slack) {
    ph_err err;
    arr a = run_call(c);
    set_word(c, "dtype", "f32");
    arr b = run_call(c);
    set_word(c, "dtype", "f64");
    assert_int_equal(b.dtype, ARR_F32);
    for (int64_t h = 0; h < a.shape[0]; h++) {
        expr_node *f;
        assert_int_equal(enc_formula(&f, enc_find(name), c, h, &err), PH_OK);
        for (int64_t r = 0; r < a.shape[1]; r++)
            for (int64_t k = 0; k < a.shape[2]; k++) {
                int64_t at[] = {h, r, k};
                double got = arr_get_num(&a, arr_at(&a, at));
                double u = ulps_off(got, f, (at_point){.m = (double)(offset + r), .n = (double)k});
                if (!(isfinite(u) && u <= 0.5 + slack) && !(got == 0 && u == 0))
                    fail_msg("%s[%lld, %lld, %lld]: %.3f ulp", name, (long long)h, (long long)r, (long long)k,
                             u);
                assert_true(arr_get_num(&b, arr_at(&b, at)) == (float)got);
            }
        expr_drop(f);
    }
    arr_drop(&a);
    arr_drop(&b);
}

static void set_span(enc_call *c, int64_t T, int64_t keys, int64_t offset) {
    set_int(c, "T", T);
    set_int(c, "keys", keys);
    set_int(c, "offset", offset);
}

static void spans(enc_call *c, const char *name, double slack) {
    set_span(c, 9, 0, 0);
    check_bias(c, name, 0, slack);
    set_span(c, 3, 0, 20);
    check_bias(c, name, 20, slack);
    set_span(c, 4, 30, 2);
    check_bias(c, name, 2, slack);
    set_span(c, 300, 0, 7);
    same_everywhere(c);
    leaks_nothing(c);
    set_span(c, 0, 5, 0);
    arr empty = run_call(c);
    assert_int_equal(arr_size(&empty), 0);
    arr_drop(&empty);
}

/* ---- ALiBi --------------------------------------------------------------------------------------------- */

/* The released code's slopes for 12 heads: those of 8, then 2^-0.5, 2^-1.5, 2^-2.5, 2^-3.5 (mpmath 1.2.1, rounded). */
static void slopes_for_any_number_of_heads(void **state) {
    (void)state;
    static const double twelve[] = {0x1p-1,
                                    0x1p-2,
                                    0x1p-3,
                                    0x1p-4,
                                    0x1p-5,
                                    0x1p-6,
                                    0x1p-7,
                                    0x1p-8,
                                    0x1.6a09e667f3bcdp-1,
                                    0x1.6a09e667f3bcdp-2,
                                    0x1.6a09e667f3bcdp-3,
                                    0x1.6a09e667f3bcdp-4};
    for (int64_t heads = 1; heads <= 12; heads++) {
        enc_call c = call_of("alibi_slopes");
        set_int(&c, "H", heads);
        arr a = run_call(&c);
        assert_int_equal(arr_size(&a), heads);
        if (heads == 12)
            for (int64_t h = 0; h < 12; h++) assert_true(entry(&a, h, 0) == twelve[h]);
        if (heads == 1) assert_true(entry(&a, 0, 0) == 0x1p-8);
        if (heads == 3)
            assert_true(entry(&a, 0, 0) == 0x1p-4 && entry(&a, 1, 0) == 0x1p-8 && entry(&a, 2, 0) == 0x1p-2);
        arr_drop(&a);
    }
}

/* One product of a double-double is rounded: half an ulp and 2^-40. */
static void alibi_follows_its_formula(void **state) {
    (void)state;
    for (int64_t heads = 1; heads <= 12; heads += 11) {
        enc_call c = call_of("alibi");
        set_int(&c, "H", heads);
        spans(&c, "alibi", 0x1p-40);
    }
}

/* ---- KERPLE -------------------------------------------------------------------------------------------- */

static enc_value coefficients[2]; /* of the last call made */
static enc_call kerple(int64_t form, const arr *a, const arr *b) {
    enc_call c = call_of("kerple");
    coefficients[0] = (enc_value){.given = true, .array = a};
    coefficients[1] = (enc_value){.given = true, .array = b};
    enc_value *v = enc_set(&c, "form");
    v->whole = form;
    v->fields = coefficients;
    return c;
}

static void kerple_follows_its_formula(void **state) {
    (void)state;
    static const double r1[] = {1.5, 0.25, 3}, r2[] = {0.75, 8, 0.125}, p[] = {0.5, 1, 2};
    arr a = from(r1, 1, (int64_t[]){3}), b = from(r2, 1, (int64_t[]){3}), e = from(p, 1, (int64_t[]){3}),
        one = from(r2, 0, NULL);
    enc_call c = kerple(0, &a, &b);
    spans(&c, "kerple", 0x1p-40);
    c = kerple(1, &a, &e);
    spans(&c, "kerple", 0x1p-40);
    c = kerple(1, &one, &e);
    spans(&c, "kerple", 0x1p-40);
    arr_drop(&a), arr_drop(&b), arr_drop(&e), arr_drop(&one);
}

/* mpmath 1.2.1 at 300 bits, rounded. */
static void kerple_computed_elsewhere(void **state) {
    (void)state;
    static const double given[] = {1.5, 0.75, 0.3, 0.7};
    arr x[4];
    for (int k = 0; k < 4; k++) x[k] = from(given + k, 0, NULL);
    enc_call c = kerple(0, &x[0], &x[1]);
    set_span(&c, 1, 1, 1000);
    arr a = run_call(&c);
    c = kerple(1, &x[2], &x[3]);
    set_span(&c, 1, 1, 77);
    arr b = run_call(&c);
    assert_true(*(double *)a.data == -0x1.3dd3d5287a12cp+3 && *(double *)b.data == -0x1.91a5ae738068bp+2);
    arr_drop(&a), arr_drop(&b);
    for (int k = 0; k < 4; k++) arr_drop(&x[k]);
}

/* ---- T5 ------------------------------------------------------------------------------------------------ */

/* Entries that tell buckets and heads apart. */
static arr table(int64_t buckets, int64_t heads) {
    ph_err err;
    arr row, t;
    assert_int_equal(arr_arange(&row, ARR_F64, 1, (double)(buckets * heads), 1, &err), PH_OK);
    assert_int_equal(arr_reshape(&t, &row, 2, (int64_t[]){buckets, heads}, &err), PH_OK);
    arr_drop(&row);
    return t;
}

static void t5_follows_its_formula(void **state) {
    (void)state;
    arr t = table(32, 2);
    for (int both = 0; both < 2; both++) {
        enc_call c = call_of("t5");
        set_array(&c, "table", &t);
        set_word(&c, "direction", both ? "both" : "causal");
        spans(&c, "t5", 0);
        set_span(&c, 2, 140, 130);
        check_bias(&c, "t5", 130, 0);
        set_int(&c, "max_distance", 40);
        set_span(&c, 1, 60, 25);
        check_bias(&c, "t5", 25, 0);
    }
    arr_drop(&t);
}

static double bucket(double ahead, bool both, int64_t buckets, int64_t far) {
    enc_call c = call_of("t5_bucket");
    arr x = from(&ahead, 0, NULL);
    set_array(&c, "ahead", &x);
    set_word(&c, "direction", both ? "both" : "causal");
    set_int(&c, "buckets", buckets);
    set_int(&c, "max_distance", far);
    arr y = run_call(&c);
    double b = *(double *)y.data;
    arr_drop(&x);
    arr_drop(&y);
    return b;
}

/* Where each bucket begins: Python's fractions, by x^(B-E) E^k >= M^k E^(B-E). The last list is the end of 160 buckets a side. */
static void buckets_begin_where_they_should(void **state) {
    (void)state;
    static const int both[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91},
                     causal[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113},
                     fine[] = {450, 464, 477, 491, 505, 520, 535, 551, 567, 583,
                               600, 618, 636, 655, 674, 693, 714, 734, 756, 778};
    for (int k = 0; k < 16; k++) {
        assert_true(bucket(-both[k], true, 32, 128) == k);
        if (k > 0) {
            assert_true(bucket(both[k], true, 32, 128) == 16 + k);
            assert_true(bucket(1 - both[k], true, 32, 128) == k - 1);
        }
    }
    for (int k = 0; k < 32; k++) {
        assert_true(bucket(-causal[k], false, 32, 128) == k);
        assert_true(bucket(causal[k], false, 32, 128) == 0);
        if (k > 0) assert_true(bucket(1 - causal[k], false, 32, 128) == k - 1);
    }
    for (int k = 0; k < 20; k++) {
        assert_true(bucket(-fine[k], true, 320, 800) == 140 + k);
        assert_true(bucket(1 - fine[k], true, 320, 800) == 139 + k);
    }
    assert_true(bucket(-0x1p53, true, 32, 128) == 15 && bucket(0x1p53, true, 32, 128) == 31);
}

/* ---- FIRE and no encoding ------------------------------------------------------------------------------ */

/* psi is off by 3 u (a product, a logarithm within 2 u whose slope is at most 1), their quotient by 8 u, a unit by 10 u of |w1| x + |b1|;
 * the products and the sum over the units add UNITS + 2 u. */
static void fire_follows_its_formula(void **state) {
    (void)state;
    enum { UNITS = 5, HEADS = 11, T = 6, FIRST = 4, KEYS = 140 };
    ph_rng g;
    ph_err err;
    arr part[4];
    const int64_t shapes[][2] = {{UNITS}, {UNITS}, {UNITS, HEADS}, {HEADS}};
    const char *names[] = {"w1", "b1", "w2", "b2"};
    enc_call c = call_of("fire");
    ph_rng_seed(&g, 3);
    for (int p = 0; p < 4; p++) {
        assert_int_equal(arr_randn(&part[p], ARR_F64, p == 2 ? 2 : 1, shapes[p], &g, &err), PH_OK);
        for (int64_t i = 0; i < arr_size(&part[p]); i++)
            ((double *)part[p].data)[i] = rint(((double *)part[p].data)[i] * 0x1p20) * 0x1p-20;
        set_array(&c, names[p], &part[p]);
    }
    set_span(&c, T, KEYS, FIRST), set_num(&c, "L", 6.5), set_num(&c, "eps", 0x1p-10), set_num(&c, "c", 0.1);
    arr a = run_call(&c);
    for (int64_t h = 0; h < HEADS; h++) {
        expr_node *f;
        assert_int_equal(enc_formula(&f, enc_find("fire"), &c, h, &err), PH_OK);
        for (int64_t i = 0; i < T; i++)
            for (int64_t n = 0; n < KEYS; n++) {
                int64_t at[] = {h, i, n};
                int e;
                double m = (double)(FIRST + i), size = fabs(((double *)part[3].data)[h]);
                double x = 1.01 * log(0.1 * fabs(m - (double)n) + 1) / log(0.1 * fmax(m, 6.5) + 1);
                for (int u = 0; u < UNITS; u++)
                    size += fabs(entry(&part[2], u, h)) *
                            (fabs(((double *)part[0].data)[u]) * x + fabs(((double *)part[1].data)[u]));
                double off =
                    off_by(arr_get_num(&a, arr_at(&a, at)), f, (at_point){.m = m, .n = (double)n}, &e);
                assert_true(isfinite(off) && off <= (UNITS + 12) * 0x1p-53 * size);
            }
        expr_drop(f);
    }
    set_word(&c, "dtype", "f32");
    arr b = run_call(&c);
    for (int64_t i = 0; i < arr_size(&a); i++)
        assert_true(((float *)b.data)[i] == (float)((double *)a.data)[i]);
    set_span(&c, 300, 0, 2), same_everywhere(&c), leaks_nothing(&c);
    arr_drop(&a), arr_drop(&b);
    for (int p = 0; p < 4; p++) arr_drop(&part[p]);
}

static void no_encoding_is_the_causal_mask(void **state) {
    (void)state;
    enc_call c = call_of("nope");
    set_span(&c, 5, 9, 2);
    arr a = run_call(&c);
    for (int64_t i = 0; i < 5; i++)
        for (int64_t n = 0; n < 9; n++) {
            assert_true(entry(&a, i, n) == (n <= i + 2 ? 0 : -INFINITY));
        }
    arr_drop(&a);
    same_everywhere(&c), leaks_nothing(&c);
}

/* ---- learned ------------------------------------------------------------------------------------------- */

static void learned_rows_follow_their_formula(void **state) {
    (void)state;
    ph_err err;
    arr t = table(7, 3), out;
    enc_call c = call_of("learned");
    set_array(&c, "table", &t), set_int(&c, "T", 5), set_num(&c, "offset", 2);
    arr a = run_call(&c);
    for (int64_t j = 0; j < 3; j++) {
        expr_node *f;
        assert_int_equal(enc_formula(&f, enc_find("learned"), &c, j, &err), PH_OK);
        for (int64_t r = 0; r < 5; r++)
            assert_true(ulps_off(entry(&a, r, j), f, (at_point){.t = (double)(r + 2)}) == 0);
        expr_drop(f);
    }
    arr_drop(&a);
    leaks_nothing(&c);
    set_int(&c, "T", 6);
    assert_int_equal(enc_run(&out, &c, &err), PH_EARG);
    assert_string_equal(err.text,
                        "learned: position 7 is not in the table; it has 7 rows, the positions 0 to 6");
    set_num(&c, "offset", -1);
    assert_int_equal(enc_run(&out, &c, &err), PH_EARG);
    arr_drop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_for_any_number_of_heads),
        cmocka_unit_test(alibi_follows_its_formula),
        cmocka_unit_test(kerple_follows_its_formula),
        cmocka_unit_test(kerple_computed_elsewhere),
        cmocka_unit_test(t5_follows_its_formula),
        cmocka_unit_test(buckets_begin_where_they_should),
        cmocka_unit_test(fire_follows_its_formula),
        cmocka_unit_test(no_encoding_is_the_causal_mask),
        cmocka_unit_test(learned_rows_follow_their_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
