/* Lua's memory: small blocks and large ones keep what is in them, wherever they grow to, and are given back.
 * Sources: session/crumbs.c session/memory.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "session/core.h"

#define BLOCKS 4000

typedef struct {
    unsigned char *p, mark;
    size_t size;
} held;

static held all[BLOCKS];
static uint64_t drawn = 7;

static size_t random_below(size_t n) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(drawn >> 33) % n;
}

/* Sizes on both sides of every step, of the largest small one, and far beyond. */
static size_t some_size(void) {
    size_t kind = random_below(10);
    if (kind == 0) return 500 + random_below(30);
    if (kind == 1) return 1 + random_below(20000);
    return 1 + random_below(300);
}

static void looks_whole(const held *h) {
    assert_int_equal((uintptr_t)h->p % 16, 0);
    for (size_t i = 0; i < h->size; i++)
        if (h->p[i] != h->mark) fail_msg("byte %zu of %zu is %d, not %d", i, h->size, h->p[i], h->mark);
}

static void resize(ses_memory *m, held *h, size_t size) {
    size_t kept = h->size < size ? h->size : size;
    unsigned char *p = ses_memory_alloc(m, h->p, h->p ? h->size : 0, size);
    assert_true(size == 0 ? p == NULL : p != NULL);
    for (size_t i = 0; i < kept; i++)
        if (p[i] != h->mark) fail_msg("byte %zu of %zu got lost", i, kept);
    h->p = p;
    h->size = size;
    h->mark = (unsigned char)random_below(256);
    if (size) memset(p, h->mark, size);
}

static void blocks_keep_what_is_in_them(void **state) {
    (void)state;
    ses_memory m = {.limit = SIZE_MAX};
    size_t sum = 0;
    for (int turn = 0; turn < 200000; turn++) {
        held *h = &all[random_below(BLOCKS)];
        looks_whole(h);
        sum -= h->size;
        resize(&m, h, h->p && random_below(3) == 0 ? 0 : some_size());
        sum += h->size;
        assert_int_equal(m.used, sum);
    }
    for (int i = 0; i < BLOCKS; i++) looks_whole(&all[i]), resize(&m, &all[i], 0);
    assert_int_equal(m.used, 0);
    ses_memory_end(&m);
    ph_block_set_limit(SIZE_MAX);
}

/* Tables by the million, and then none: what they took serves arrays, not only tables of that size. */
static void what_is_empty_goes_back(void **state) {
    (void)state;
    enum { MANY = 400000 };
    ses_memory m = {.limit = SIZE_MAX};
    ph_block_trim();
    void **list = malloc(MANY * sizeof *list);
    assert_non_null(list);
    for (size_t i = 0; i < MANY; i++) {
        list[i] = ses_memory_alloc(&m, NULL, 0, 56);
        assert_non_null(list[i]);
    }
    size_t before = ph_block_cached();
    for (size_t i = 0; i < MANY; i++) ses_memory_alloc(&m, list[i * 7919 % MANY], 56, 0);
    assert_int_equal(m.used, 0);
    if (SES_CRUMB) assert_true(ph_block_cached() >= before + MANY * 56 - (4 << 20));
    ses_memory_end(&m);
    ph_block_set_limit(SIZE_MAX);
    ph_block_trim();
    free(list);
}

/* A refused block leaves the old one as it was. */
static void refused_blocks_stay(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{40, 400}, {400, 4000}, {4000, 40000}, {4000, 40}, {400, 40}};
    ses_memory m = {.limit = SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        held h = {0};
        resize(&m, &h, sizes[i][0]);
        ph_alloc_fail_from(1);
        assert_null(ses_memory_alloc(&m, h.p, h.size, sizes[i][1]));
        ph_alloc_fail_from(0);
        looks_whole(&h);
        assert_int_equal(m.used, h.size);
        resize(&m, &h, 0);
    }
    ses_memory_end(&m);
    ph_block_set_limit(SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_what_is_in_them),
        cmocka_unit_test(what_is_empty_goes_back),
        cmocka_unit_test(refused_blocks_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
