/* quantize against the bit-by-bit conversions of base/half.h and the compiler's f32.
 * Sources: array/quantize.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "array/op.h"
#include "base/half.h"
#include "base/parallel.h"
#include "base/rng.h"

static ph_status quantize(arr *out, const arr *x, const char *word, ph_err *err) {
    op_attrs attrs = {.word = word};
    return op_apply(out, op_find("quantize"), x, 1, &attrs, err);
}

static double by_f16(double x) { return ph_f16_to_f64(ph_f64_to_f16(x)); }
static double by_bf16(double x) { return ph_bf16_to_f64(ph_f64_to_bf16(x)); }
static double by_f32(double x) { return (double)(float)x; }

static const struct {
    const char *word;
    double (*oracle)(double);
    int e_min, e_max;
} formats[] = {{"f32", by_f32, -150, 129}, {"f16", by_f16, -26, 17}, {"bf16", by_bf16, -135, 129}};

#define N 70000 /* more than two pieces */

/* Numbers of the format, their midpoints, the neighbours of both, any bits at all, and the special ones. */
static double number(ph_rng *g, int i, double (*oracle)(double), int e_min, int e_max) {
    static const double special[] = {0,       -0.0,     INFINITY,     -INFINITY, NAN,
                                     DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, FLT_MAX,   65504};
    double x = ldexp(1 + ph_rng_uniform(g), e_min + (int)ph_rng_below(g, (uint64_t)(e_max - e_min)));
    uint64_t b = ph_rng_bits(g);
    if (i < 10) return special[i];
    if (i % 4 == 0) {
        memcpy(&x, &b, sizeof x);
        return x;
    }
    double a = oracle(x), c = oracle(x + (x - a)); /* the neighbour on the other side, or a again */
    double m = i % 4 == 1 ? x : i % 4 == 2 ? a / 2 + c / 2 : a;
    if (i % 3 == 0) m = nextafter(m, 0);
    if (i % 3 == 1) m = nextafter(m, DBL_MAX);
    return b & 1 ? m : -m;
}

static bool same(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static void every_format_rounds_like_its_bits(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        ph_rng g;
        arr x, y, z;
        ph_rng_seed(&g, 31);
        assert_int_equal(arr_new(&x, ARR_F64, 1, (int64_t[]){N}, NULL), PH_OK);
        double *v = (double *)x.data;
        for (int i = 0; i < N; i++)
            v[i] = number(&g, i, formats[k].oracle, formats[k].e_min, formats[k].e_max);
        assert_int_equal(quantize(&y, &x, formats[k].word, NULL), PH_OK);
        assert_int_equal(y.dtype, ARR_F64);
        for (int i = 0; i < N; i++) {
            double got = ((double *)y.data)[i], want = formats[k].oracle(v[i]);
            if (!same(got, want)) fail_msg("%s: %a -> %a, wanted %a", formats[k].word, v[i], got, want);
        }
        assert_int_equal(quantize(&z, &y, formats[k].word, NULL), PH_OK); /* and once rounded, it stays */
        for (int i = 0; i < N; i++) assert_true(same(((double *)z.data)[i], ((double *)y.data)[i]));
        arr_drop(&x);
        arr_drop(&y);
        arr_drop(&z);
    }
}

static void types_and_views(void **state) {
    (void)state;
    arr x, t, y;
    assert_int_equal(arr_new(&x, ARR_F32, 2, (int64_t[]){2, 3}, NULL), PH_OK);
    for (int i = 0; i < 6; i++) ((float *)x.data)[i] = (float)i + 0.0001f;
    assert_int_equal(arr_permute(&t, &x, (int[]){1, 0}, NULL), PH_OK);
    assert_int_equal(quantize(&y, &t, "f16", NULL), PH_OK);
    assert_int_equal(y.dtype, ARR_F32);
    assert_int_equal(y.shape[0], 3);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 2; j++) {
            double want = by_f16((double)((float *)x.data)[3 * j + i]);
            assert_true(arr_get_num(&y, arr_at(&y, (int64_t[]){i, j})) == want);
        }
    arr_drop(&x);
    arr_drop(&t);
    arr_drop(&y);

    assert_int_equal(arr_scalar(&x, ARR_C128, (arr_c128){0.1, -1e9}, NULL), PH_OK);
    assert_int_equal(quantize(&y, &x, "f16", NULL), PH_OK);
    arr_c128 c = arr_get_c128(&y, y.data);
    assert_true(c.re == by_f16(0.1) && c.im == -INFINITY);
    arr_drop(&x);
    arr_drop(&y);

    assert_int_equal(arr_new(&x, ARR_F64, 1, (int64_t[]){0}, NULL), PH_OK);
    assert_int_equal(quantize(&y, &x, "bf16", NULL), PH_OK);
    assert_int_equal(arr_size(&y), 0);
    arr_drop(&x);
    arr_drop(&y);
}

static void a_bad_format_is_named(void **state) {
    (void)state;
    arr x, y;
    ph_err err;
    assert_int_equal(arr_scalar(&x, ARR_F64, (arr_c128){1, 0}, NULL), PH_OK);
    assert_int_equal(quantize(&y, &x, "f8", &err), PH_EARG);
    assert_string_equal(err.text, "quantize: format \"f8\"; wanted \"f32\", \"f16\" or \"bf16\"");
    assert_int_equal(quantize(&y, &x, NULL, &err), PH_EARG);
    assert_string_equal(err.text, "quantize: format missing; wanted \"f32\", \"f16\" or \"bf16\"");
    ph_alloc_fail_from(1);
    ph_status st = quantize(&y, &x, "f16", &err);
    ph_alloc_fail_from(0);
    assert_int_equal(st, PH_ENOMEM);
    assert_null(y.buf);
    arr_drop(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_rounds_like_its_bits),
        cmocka_unit_test(types_and_views),
        cmocka_unit_test(a_bad_format_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
