/* The guard behind blocks, which every test in C has (tests/guard.c): what reads too far gets NaN, what writes too far ends.
 * Sources: base/guard.c base/base.c base/block.c */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/guard.h"

enum { BLOCK, ALLOCATED, ZEROED, GROWN };
#ifdef __GLIBC__
#define KINDS 4
#else
#define KINDS 1
#endif

static void *take(int kind, size_t bytes) {
    void *p = kind == BLOCK       ? ph_block_alloc(bytes)
              : kind == ALLOCATED ? ph_alloc(bytes)
              : kind == ZEROED    ? ph_calloc(1, bytes)
                                  : ph_realloc(NULL, bytes / 2);
    if (kind == GROWN && p) p = ph_realloc(p, bytes);
    assert_non_null(p);
    return p;
}
static void give(int kind, void *p, size_t bytes) {
    if (kind == BLOCK) ph_block_free(p, bytes);
    else ph_free(p);
}

static const size_t sizes[] = {0, 8, 64, 1000, 4096, 40000, 200000, 9 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void what_is_no_array_any_more_is_no_number(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < SIZES; s++) {
            char *p = take(kind, sizes[s]);
            double x;
            float y;
            memcpy(&x, p + sizes[s], sizeof x);
            memcpy(&y, p + sizes[s], sizeof y);
            if (kind == BLOCK || sizes[s]) assert_true(isnan(x) && isnan(y));
            if (kind < ZEROED && sizes[s] > 0 && sizes[s] < 100000) {
                memcpy(&x, p, sizeof x);
                assert_true(isnan(x)); /* not written yet */
            }
            memset(p, 1, sizes[s]);
            give(kind, p, sizes[s]);
        }
}

/* The first byte behind, one of the last, and none. What malloc gave keeps a size in eight bytes behind these. */
static void a_write_behind_ends_the_program(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 1; s < SIZES; s++)
            for (int far = 0; far <= 2; far++) {
                pid_t child = fork();
                assert_true(child >= 0);
                if (child == 0) {
                    close(2);
                    char *p = take(kind, sizes[s]);
                    if (far) p[far == 1 ? sizes[s] : ph_guard_more(sizes[s]) - 1 - sizeof(size_t)] = 0;
                    if (kind == GROWN && far == 1) p = ph_realloc(p, 2 * sizes[s]);
                    give(kind, p, sizes[s]);
                    _exit(0);
                }
                int status;
                assert_int_equal(waitpid(child, &status, 0), child);
                if (far) assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
                else assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            }
}

static void what_no_memory_holds_is_refused(void **state) {
    (void)state;
    for (size_t less = 0; less < 200; less++) {
        assert_null(ph_alloc(SIZE_MAX - less));
        assert_null(ph_block_alloc(SIZE_MAX - less));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_no_array_any_more_is_no_number),
                                       cmocka_unit_test(a_write_behind_ends_the_program),
                                       cmocka_unit_test(what_no_memory_holds_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
