/* Sizes are checked where they wrap, and a refused allocation is refused.
 * Sources: base/base.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"

static void sizes_that_wrap_are_refused(void **state) {
    (void)state;
    size_t n = 0;
    assert_true(ph_shape_bytes(&n, (int64_t[]){3, 4}, 2, 8));
    assert_int_equal(n, 96);
    assert_true(ph_shape_bytes(&n, (int64_t[]){3, 0}, 2, 8));
    assert_int_equal(n, 0);
    assert_false(ph_shape_bytes(&n, (int64_t[]){3, -1}, 2, 8));
    /* a product that wraps to 4 in 64 bits, and one that hides behind a zero */
    assert_false(ph_shape_bytes(&n, (int64_t[]){4194305, 4194305, 211106198978564}, 3, 1));
    assert_false(ph_shape_bytes(&n, (int64_t[]){INT64_MAX, INT64_MAX, 0}, 3, 8));
    assert_false(ph_shape_bytes(&n, (int64_t[]){INT64_C(1) << 61}, 1, 8));
    assert_true(ph_shape_bytes(&n, (int64_t[]){(INT64_C(1) << 32) + 1}, 1, 8) == (SIZE_MAX > UINT32_MAX));
}

/* Counts of 64 bits are not cut where size_t has 32. */
static void counts_that_no_memory_holds_are_refused(void **state) {
    (void)state;
    assert_null(ph_calloc(UINT64_C(1) << 60, 16));
    assert_null(ph_calloc((UINT64_C(1) << 62) + 1, 4));
    assert_null(ph_calloc(UINT64_MAX, 1));
}

static void the_door_refuses_from_the_nth(void **state) {
    (void)state;
    ph_alloc_fail_from(2);
    void *a = ph_alloc(1), *b = ph_alloc(1), *c = ph_calloc(1, 1);
    ph_alloc_fail_from(0);
    assert_non_null(a);
    assert_null(b);
    assert_null(c);
    ph_free(a);
}

static void an_interrupt_waits_for_the_nth_look(void **state) {
    (void)state;
    assert_false(ph_interrupted());
    ph_interrupt_from(3);
    for (size_t look = 1; look <= 5; look++) {
        assert_true(ph_interrupted() == (look >= 3));
        assert_int_equal(ph_interrupt_looks(), look);
    }
    ph_interrupt_from(SIZE_MAX);
    assert_false(ph_interrupted());
    assert_int_equal(ph_interrupt_looks(), 1);
    ph_interrupt_from(0);
    assert_false(ph_interrupted());
    ph_interrupt_flag = 1; /* a signal's is seen at once */
    assert_true(ph_interrupted());
    ph_interrupt_flag = 0;
}

static void a_failure_carries_code_and_words(void **state) {
    (void)state;
    ph_err err;
    assert_int_equal(ph_fail(&err, PH_EDOMAIN, "log of %d", 0), PH_EDOMAIN);
    assert_int_equal(err.code, PH_EDOMAIN);
    assert_string_equal(err.text, "log of 0");
    assert_int_equal(ph_fail_from(&err, "log"), PH_EDOMAIN);
    assert_string_equal(err.text, "log: log of 0");
    (void)ph_fail_from(&err, "log");
    assert_string_equal(err.text, "log: log of 0");
}

/* What may be answered by another way, what an attempt must pass on, and what is an error of the caller: every kind is one of them. */
static void kinds_are_told_apart(void **state) {
    (void)state;
    for (int st = PH_OK; st <= PH_EIO; st++) {
        bool open = st == PH_EDOMAIN || st == PH_EOUTSIDE || st == PH_EBUDGET || st == PH_EUNABLE;
        assert_int_equal(ph_is_open(st), open);
        assert_int_equal(ph_is_fatal(st), st == PH_ENOMEM || st == PH_EINTR || st == PH_EBUG);
        assert_non_null(ph_kind(st));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_wrap_are_refused),
        cmocka_unit_test(counts_that_no_memory_holds_are_refused),
        cmocka_unit_test(the_door_refuses_from_the_nth),
        cmocka_unit_test(an_interrupt_waits_for_the_nth_look),
        cmocka_unit_test(a_failure_carries_code_and_words),
        cmocka_unit_test(kinds_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
