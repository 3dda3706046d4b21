/* Arrays as bytes and back: what is written is read, all else is refused.
 * Sources: array/bytes.c */
#include "array/bytes.h"
#include "array/views.h"

static const double pool[] = {0, -0.0, 1, -2.5, NAN, INFINITY, 1e-300};

static arr sample(arr_dtype t, int ndim, const int64_t *shape) { return filled(t, ndim, shape, pool, 7, 3); }

static const struct {
    int ndim;
    int64_t shape[3];
} shapes[] = {{0, {0}}, {1, {4}}, {2, {3, 5}}, {3, {2, 0, 3}}};

static void what_is_written_is_read(void **state) {
    (void)state;
    for (int t = 0; t < ARR_NDTYPE; t++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            ph_text text = {0};
            ph_err err;
            arr a = sample((arr_dtype)t, shapes[i].ndim, shapes[i].shape), b;
            arr_put_bytes(&text, &a);
            ph_putc(&text, 'x'); /* what follows stays */
            ph_bytes left = {text.s, text.n};
            assert_int_equal(arr_of_bytes(&b, &left, &err), PH_OK);
            assert_true(same_bits(&a, &b));
            assert_int_equal(left.n, 1);
            assert_int_equal(*left.s, 'x');
            arr_drop(&a), arr_drop(&b), ph_text_drop(&text);
        }
}

static void refused(const char *s, size_t n) {
    ph_err err;
    arr b = ARR_NONE;
    size_t live = ph_block_live();
    assert_int_equal(arr_of_bytes(&b, &(ph_bytes){s, n}, &err), PH_EARG);
    assert_null(b.buf);
    assert_int_equal(ph_block_live(), live);
}

static void what_is_no_array_is_refused(void **state) {
    (void)state;
    ph_text text = {0};
    arr a = sample(ARR_F64, 2, (int64_t[]){3, 5});
    arr_put_bytes(&text, &a);
    for (size_t n = 0; n < text.n; n++) refused(text.s, n); /* every beginning of it */
    text.s[0] = 'B';
    refused(text.s, text.n);
    text.s[0] = 'A', text.s[1] = ARR_NDTYPE;
    refused(text.s, text.n);
    text.s[1] = ARR_F64, text.s[2] = ARR_MAXDIM + 1;
    refused(text.s, text.n);
    text.s[2] = 2;
    static const int64_t sizes[][2] = {{-3, -5}, {INT64_MAX, 2}, {INT64_MAX / 4, 1}, {3, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(text.s + 3, sizes[i], sizeof sizes[i]);
        refused(text.s, text.n);
    }
    arr_drop(&a), ph_text_drop(&text);
}

static void a_bool_is_one_or_zero_whatever_was_sent(void **state) {
    (void)state;
    ph_err err;
    arr b;
    char bytes[] = {'A', ARR_BOOL, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7};
    assert_int_equal(arr_of_bytes(&b, &(ph_bytes){bytes, sizeof bytes}, &err), PH_OK);
    assert_memory_equal(b.data, ((char[]){0, 1, 1}), 3);
    arr_drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_no_array_is_refused),
        cmocka_unit_test(a_bool_is_one_or_zero_whatever_was_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
