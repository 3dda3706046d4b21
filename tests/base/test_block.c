/* Blocks: aligned, counted, reused, capped, refused on demand, and not shared with a forked child.
 * Sources: base/block.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/guard.h"

#define MB ((size_t)1 << 20)

static void blocks_are_aligned_and_counted(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 63, 64, 4096, MB - 1, MB, MB + 1, 3 * MB + 17};
    size_t n = sizeof sizes / sizeof *sizes, before = ph_block_live(), total = 0;
    void *p[sizeof sizes / sizeof *sizes];
    for (size_t i = 0; i < n; i++) {
        p[i] = ph_block_alloc(sizes[i]);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 64, 0);
        memset(p[i], 0x5a, sizes[i]);
        total += sizes[i];
        assert_int_equal(ph_block_live(), before + total);
    }
    for (size_t i = 0; i < n; i++) ph_block_free(p[i], sizes[i]);
    assert_int_equal(ph_block_live(), before);
}

static void a_freed_large_block_serves_the_next_of_its_class(void **state) {
    (void)state;
    ph_block_trim();
    void *p = ph_block_alloc(8 * MB);
    assert_non_null(p);
    ph_block_free(p, 8 * MB);
    assert_int_equal(ph_block_cached(), 8 * MB);
    void *small = ph_block_alloc(4 * MB); /* another class: the kept block stays */
    assert_int_equal(ph_block_cached(), 8 * MB);
    void *again = ph_block_alloc(8 * MB - 100); /* rounds up to the same class */
    assert_ptr_equal(again, p);
    assert_int_equal(ph_block_cached(), 0);
    ph_block_free(again, 8 * MB - 100);
    ph_block_free(small, 4 * MB);
    assert_int_equal(ph_block_cached(), 12 * MB);
    void *middle = ph_block_alloc(MB / 8); /* the smallest that is kept */
    ph_block_free(middle, MB / 8);
    assert_int_equal(ph_block_cached(), 12 * MB + MB / 8);
    ph_block_trim();
    assert_int_equal(ph_block_cached(), 0);
}

/* 10000 bytes are one eighth over 8 KB, rounded up: 10240. AddressSanitizer's builds keep none of these. */
static void a_freed_middle_block_serves_the_next_of_its_class(void **state) {
    (void)state;
    enum { N = 1000 };
    static void *p[N];
    ph_block_trim();
    void *first = ph_block_alloc(10000);
    assert_non_null(first);
    ph_block_free(first, 10000);
    if (ph_block_cached() == 0) skip();
    assert_int_equal(ph_block_cached(), 10240);
    assert_ptr_equal(p[0] = ph_block_alloc(9500), first);
    assert_int_equal(ph_block_cached(), 0);
    for (int i = 1; i < N; i++) assert_non_null(p[i] = ph_block_alloc(10000));
    size_t most = 0;
    for (int i = 0; i < N; i++) {
        ph_block_free(p[i], i ? 10000 : 9500);
        if (ph_block_cached() > most) most = ph_block_cached();
    }
    assert_true(most <= 8 * MB && most > 7 * MB); /* 1000 blocks are 10 MB */
    assert_int_equal(ph_block_cached(),
                     (N - most / 10240 - 1) * 10240); /* those behind the one that did not fit */
    ph_block_trim();
    assert_int_equal(ph_block_cached(), 0);
}

static void the_cache_stays_under_its_cap(void **state) {
    (void)state;
    enum { N = 40 };
    void *p[N];
    for (int i = 0; i < N; i++) assert_non_null(p[i] = ph_block_alloc(5 * MB));
    for (int i = 0; i < N; i++) {
        ph_block_free(p[i], 5 * MB);
        assert_true(ph_block_cached() <= 96 * MB);
    }
    assert_int_equal(ph_block_cached(), 95 * MB);
    void *huge =
        ph_block_alloc(200 * MB); /* over the cap: given back at once, and nothing kept is lost for it */
    assert_non_null(huge);
    ph_block_free(huge, 200 * MB);
    assert_int_equal(ph_block_cached(), 95 * MB);
    assert_ptr_equal(p[0] = ph_block_alloc(5 * MB), p[N - 1]); /* the youngest first */
    ph_block_free(p[0], 5 * MB);
    ph_block_trim();
}

static void impossible_sizes_and_refusals_give_null(void **state) {
    (void)state;
    size_t live = ph_block_live();
    assert_null(ph_block_alloc(SIZE_MAX));
    assert_null(ph_block_alloc((size_t)PTRDIFF_MAX + 1));
    if (sizeof(size_t) > 4) { /* of 4 GB the system may have half to give */
        assert_null(ph_block_alloc(SIZE_MAX / 2));
        assert_null(ph_block_alloc(SIZE_MAX / 4 + 1));
    }
    ph_alloc_fail_from(1);
    void *a = ph_block_alloc(10), *b = ph_block_alloc(MB);
    ph_alloc_fail_from(0);
    assert_null(a);
    assert_null(b);
    assert_int_equal(ph_block_live(), live);
}

/* The child must see live blocks and must not see kept ones; the parent keeps both. */
static void a_fork_carries_live_blocks_only(void **state) {
    (void)state;
    ph_block_trim();
    unsigned char *live = ph_block_alloc(2 * MB), *gone = ph_block_alloc(3 * MB);
    assert_non_null(live);
    assert_non_null(gone);
    memset(live, 7, 2 * MB);
    memset(gone, 8, 3 * MB);
    ph_block_free(gone, 3 * MB);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool ok = live[MB] == 7 && ph_block_cached() == 0 && ph_block_live() == 2 * MB;
        unsigned char *fresh = ph_block_alloc(3 * MB);
        ok = ok && fresh && (memset(fresh, 9, 3 * MB), true);
        if (fresh) ph_block_free(fresh, 3 * MB);
        _exit(ok && ph_block_cached() == 3 * MB ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(ph_block_cached(), 3 * MB);
    unsigned char *again = ph_block_alloc(3 * MB);
    assert_ptr_equal(again, gone);
    memset(again, 1, 3 * MB);
    ph_block_free(again, 3 * MB);
    ph_block_free(live, 2 * MB);
    ph_block_trim();
}

/* What is worked in is held to what the limit leaves, when it is much; a little is given where nothing is left. */
static void work_is_held_to_the_limit(void **state) {
    (void)state;
    ph_block_set_limit(ph_block_live() + 4 * MB);
    void *p = ph_block_alloc(2 * MB), *fits = ph_alloc(2 * MB), *zeros = ph_calloc(2, MB);
    assert_true(p && fits && zeros);
    assert_null(ph_alloc(2 * MB + 1));
    assert_null(ph_calloc(3, MB));
    void *q = ph_block_alloc(2 * MB), *little = ph_alloc(MB - 1);
    assert_true(q && little);
    assert_null(ph_alloc(MB));
    ph_block_set_limit(SIZE_MAX);
    ph_free(fits), ph_free(zeros), ph_free(little);
    ph_block_free(p, 2 * MB), ph_block_free(q, 2 * MB);
}

int main(void) {
    ph_guard(NULL); /* blocks of just the sizes that are asked for */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_counted),
        cmocka_unit_test(a_freed_large_block_serves_the_next_of_its_class),
        cmocka_unit_test(a_freed_middle_block_serves_the_next_of_its_class),
        cmocka_unit_test(the_cache_stays_under_its_cap),
        cmocka_unit_test(impossible_sizes_and_refusals_give_null),
        cmocka_unit_test(work_is_held_to_the_limit),
        cmocka_unit_test(a_fork_carries_live_blocks_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
