/* Ball arithmetic whose work is cut short: refused memory, an interrupt, a budget; and memory over many calls.
 * Sources: verify/certify.c */
#include "verify/ranges.h"

#include <malloc.h>

/* Each of the six on small work; the status of the first failure. */
static ph_status everything(ph_err *err) {
    ver_number *a = NULL, *b = NULL, **r = NULL;
    ver_verdict v;
    char *text = NULL;
    int n = 0;
    expr_node *s = formula("x >= sin(x)"), *f = formula("cos(x)*exp(x)");
    box x, at;
    make_box(&x, "x 0 2");
    make_box(&at, "x 1/3 1/3");
    ph_status st = ver_certify(&v, s, &x.all, NULL, NULL, err);
    ver_clear(&v);
    if (!st) st = ver_integral(&a, &b, &v, f, x.range, NULL, err), ver_clear(&v);
    if (!st && a) st = ver_number_text(&text, a, 20, err);
    ph_free(text);
    ver_number_free(a);
    ver_number_free(b);
    a = b = NULL;
    if (!st) st = ver_roots(&r, &n, &v, f, x.range, NULL, err), ver_clear(&v);
    ver_roots_free(r, n);
    if (!st) st = ver_bounds(&a, &b, &v, f, &x.all, 0.01, NULL, err), ver_clear(&v);
    ver_number_free(a);
    ver_number_free(b);
    a = b = NULL;
    if (!st) st = ver_enclose(&a, &b, &v, f, &at.all, NULL, err), ver_clear(&v);
    ver_number_free(a);
    ver_number_free(b);
    if (!st) st = ver_monotone(&v, f, x.range, NULL, err), ver_clear(&v);
    expr_drop(s);
    expr_drop(f);
    drop_box(&x);
    drop_box(&at);
    return st;
}

static size_t in_use(void) {
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static void memory_stays_flat(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) assert_int_equal(everything(NULL), PH_OK);
    size_t before = in_use();
    for (int i = 0; i < 300; i++) assert_int_equal(everything(NULL), PH_OK); /* 1800 calls */
    size_t after = in_use();
    if (after > before + 16384) fail_msg("%zu bytes more", after - before);
}

static ph_status certify_only(const expr_node *s, box *x) {
    ver_verdict v;
    ph_status st = ver_certify(&v, (expr_node *)s, &x->all, NULL, NULL, NULL);
    ver_clear(&v);
    return st;
}

/* The allocation door refuses from the n-th on: an error each time, no crash; the sanitizer sees to leaks. */
static void refused_memory(void **state) {
    (void)state;
    expr_node *s = formula("x*exp(x) >= sin(x)*cos(x) - 1/10"), *f = formula("cos(x)*exp(x)");
    box x;
    make_box(&x, "x 0 2");
    for (int which = 0; which < 5; which++) {
        ph_status st = PH_ENOMEM;
        for (size_t n = 1; st != PH_OK && n < 3000; n++) {
            ver_number *a = NULL, *b = NULL, **r = NULL;
            int k = 0;
            ver_verdict v;
            ver_init(&v);
            ph_alloc_fail_from(n);
            st = which == 0   ? certify_only(s, &x)
                 : which == 1 ? ver_integral(&a, &b, &v, f, x.range, NULL, NULL)
                 : which == 2 ? ver_roots(&r, &k, &v, f, x.range, NULL, NULL)
                 : which == 3 ? ver_bounds(&a, &b, &v, f, &x.all, 0.01, NULL, NULL)
                              : ver_monotone(&v, f, x.range, NULL, NULL);
            ph_alloc_fail_from(0);
            if (st) assert_int_equal(st, PH_ENOMEM);
            ver_roots_free(r, k);
            ver_number_free(a);
            ver_number_free(b);
            ver_clear(&v);
        }
        assert_int_equal(st, PH_OK);
    }
    expr_drop(s);
    expr_drop(f);
    drop_box(&x);
}

static void interrupted(void **state) {
    (void)state;
    ph_err err = {0};
    ph_interrupt_flag = 1;
    ph_status st = everything(&err);
    expr_node *f = formula("cos(x)*exp(x)");
    box x;
    make_box(&x, "x 0 2");
    ver_number *a, *b, **r;
    int n;
    ver_verdict v;
    assert_int_equal(st, PH_EINTR);
    assert_int_equal(ver_integral(&a, &b, &v, f, x.range, NULL, &err), PH_EINTR);
    ver_clear(&v);
    assert_int_equal(ver_roots(&r, &n, &v, f, x.range, NULL, &err), PH_EINTR);
    ver_clear(&v);
    assert_int_equal(ver_bounds(&a, &b, &v, f, &x.all, 0.01, NULL, &err), PH_EINTR);
    ver_clear(&v);
    assert_int_equal(ver_monotone(&v, f, x.range, NULL, &err), PH_EINTR);
    ver_clear(&v);
    ph_interrupt_flag = 0;
    expr_drop(f);
    drop_box(&x);
}

static void told(void *ctx, int64_t done, int64_t left) {
    int64_t *calls = ctx;
    assert_true(done > 0 && left >= 0);
    ++*calls;
}

static void progress_and_budget(void **state) {
    (void)state;
    int64_t calls = 0;
    ver_verdict v;
    ver_budget budget = {.boxes = 1000, .on = told, .ctx = &calls};
    expr_node *s =
        formula("exp(x + y) >= 1 + x + y"); /* they touch along a line; no exact argument is known */
    box b;
    make_box(&b, "x -1 1, y -1 1");
    assert_int_equal(ver_certify(&v, s, &b.all, NULL, &budget, NULL), PH_OK);
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_int_equal(v.reason, VER_OUT_OF_BUDGET);
    assert_true(calls >= 3);
    ver_clear(&v);
    expr_drop(s);
    drop_box(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(refused_memory),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(progress_and_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
