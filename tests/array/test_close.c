/* allclose: accepts only what is finite and within, or equal.
 * Sources: array/close.c */
#include "linalg_common.h"

static bool close_to(double x, double y, int n, double rtol, double atol) {
    arr in[4], out;
    double v[] = {x, y, rtol, atol};
    for (int i = 0; i < 4; i++) ok(arr_scalar(&in[i], ARR_F64, (arr_c128){v[i], 0}, &last_error));
    run_with(&out, "allclose", in, n, &from_one);
    bool yes = *(unsigned char *)out.data;
    drop_all(in, 4);
    arr_drop(&out);
    return yes;
}

static void allclose_means_what_it_says(void **state) {
    (void)state;
    assert_true(close_to(1, 1 + 1e-6, 2, 0, 0) && !close_to(1, 1 + 2e-5, 2, 0, 0));
    assert_true(close_to(0, 1e-8, 2, 0, 0) && !close_to(0, 2e-8, 2, 0, 0));
    assert_true(close_to(1, 1.5, 3, 0.5, 0) && !close_to(1, 1.5, 4, 0, 0.25) && close_to(1, 1.5, 4, 0, 0.5));
    assert_true(!close_to(NAN, NAN, 4, 1, 1) && !close_to(0, NAN, 4, 1, 1) && !close_to(NAN, 0, 4, 1, 1));
    assert_true(close_to(INFINITY, INFINITY, 2, 0, 0) && !close_to(INFINITY, -INFINITY, 4, 1, 1) &&
                !close_to(1, INFINITY, 4, 1, 1));
    arr a = random_array(ARR_F64, 2, (int64_t[]){300, 301}, 1), e = random_matrix(ARR_F32, 0, 301, 1), out,
        bad;
    run_with(&out, "allclose", (arr[]){a, a}, 2, &from_one);
    assert_true(*(unsigned char *)out.data);
    arr_drop(&out);
    arr b, t = transposed(&a), tb;
    ok(arr_convert(&b, &a, ARR_C128, &last_error));
    ((arr_c128 *)b.data)[300 * 301 - 1].im = 1;
    tb = transposed(&b);
    run_with(&out, "allclose", (arr[]){t, tb}, 2, &from_one); /* only the last element differs */
    assert_true(!*(unsigned char *)out.data);
    arr_drop(&out);
    run_with(&out, "allclose", (arr[]){e, e}, 2, &from_one);
    assert_true(*(unsigned char *)out.data);
    arr_drop(&out);
    ok(arr_scalar(&bad, ARR_F64, (arr_c128){-1, 0}, &last_error));
    assert_refused(try_row("allclose", (arr[]){a, a, bad}, 3), PH_EARG, "rtol is -1");
    assert_refused(try_row("allclose", (arr[]){a, a, a}, 3), PH_EARG, "rtol is not a real number");
    assert_refused(try_row("allclose", (arr[]){a, t}, 2), PH_EARG, "(300, 301)");
    drop_all((arr[]){a, e, b, t, tb, bad}, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allclose_means_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
