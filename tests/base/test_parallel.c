/* The pool: every piece once, same answer for any number of threads, nested, interrupted, after a fork,
 * signals apart.
 * Sources: base/parallel.c base/past.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/parallel.h"

#define N 1000

static void count_piece(void *ctx, int64_t i) { atomic_fetch_add((atomic_int *)ctx + i, 1); }

static void every_piece_runs_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= 8; threads++) {
        ph_set_threads(threads);
        for (int64_t n = 0; n <= N; n = 3 * n + 1) {
            atomic_int hits[N + 1] = {0};
            assert_int_equal(ph_parallel(count_piece, hits, n, NULL), PH_OK);
            for (int64_t i = 0; i <= N; i++) assert_int_equal(hits[i], i < n);
        }
    }
    ph_set_threads(0);
}

/* One after another without a pause, and with pauses that are as long as a thread looks out before it sleeps, on fewer threads than
 * cores and on more. */
static void short_jobs_in_a_row_are_each_done_once(void **state) {
    (void)state;
    for (int threads = 2; threads <= 9; threads += 7) {
        ph_set_threads(threads);
        for (int job = 0; job < 20000; job++) {
            atomic_int hits[4] = {0};
            if (job % 100 == 0) nanosleep(&(struct timespec){0, job / 100 % 10 * 20000}, NULL);
            assert_int_equal(ph_parallel(count_piece, hits, 4, NULL), PH_OK);
            for (int i = 0; i < 4; i++) assert_int_equal(hits[i], 1);
        }
    }
    ph_set_threads(0);
}

static void sum_piece(void *ctx, int64_t i) {
    double s = 0;
    for (int64_t k = 1; k <= 1000; k++) s += 1.0 / (double)(1000 * i + k);
    ((double *)ctx)[i] = s;
}

static void the_answer_does_not_depend_on_the_threads(void **state) {
    (void)state;
    double one[64], many[64];
    ph_set_threads(1);
    assert_int_equal(ph_parallel(sum_piece, one, 64, NULL), PH_OK);
    ph_set_threads(5);
    assert_int_equal(ph_parallel(sum_piece, many, 64, NULL), PH_OK);
    assert_memory_equal(one, many, sizeof one);
    ph_set_threads(0);
}

/* A piece that waits until another thread has one too: passes only when two threads really work at once. */
static void meet(void *ctx, int64_t i) {
    atomic_int *arrived = ctx;
    (void)i;
    atomic_fetch_add(arrived, 1);
    for (int spins = 0; atomic_load(arrived) < 2 && spins < 5000; spins++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static bool two_threads_meet(void) {
    atomic_int arrived = 0;
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    if (ph_parallel(meet, &arrived, 2, NULL) != PH_OK) return false;
    clock_gettime(CLOCK_MONOTONIC, &t1);
    return arrived == 2 && t1.tv_sec - t0.tv_sec < 4; /* alone, the first piece would wait 5 s */
}

static void two_threads_work_at_once(void **state) {
    (void)state;
    ph_set_threads(2);
    assert_true(two_threads_meet());
    ph_set_threads(0);
}

static void the_pool_is_alive_again_after_a_fork(void **state) {
    (void)state;
    ph_set_threads(2);
    for (int round = 0; round < 20; round++) {
        assert_true(two_threads_meet());
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            alarm(20); /* a deadlock ends as a failure */
            _exit(two_threads_meet() && two_threads_meet() ? 0 : 1);
        }
        int status = -1;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_true(two_threads_meet());
    ph_set_threads(0);
}

typedef struct {
    atomic_int outer, inner, moved;
} nest;

typedef struct {
    nest *all;
    pthread_t owner;
} inner_ctx;

static void inner_piece(void *ctx, int64_t i) {
    inner_ctx *c = ctx;
    (void)i;
    atomic_fetch_add(&c->all->inner, 1);
    if (!pthread_equal(c->owner, pthread_self())) atomic_fetch_add(&c->all->moved, 1);
}

static void outer_piece(void *ctx, int64_t i) {
    inner_ctx c = {ctx, pthread_self()};
    (void)i;
    if (ph_parallel(inner_piece, &c, 10, NULL) == PH_OK) atomic_fetch_add(&c.all->outer, 1);
}

static void a_nested_call_stays_on_its_thread(void **state) {
    (void)state;
    nest all = {0};
    ph_set_threads(4);
    assert_int_equal(ph_parallel(outer_piece, &all, 20, NULL), PH_OK);
    assert_int_equal(all.outer, 20);
    assert_int_equal(all.inner, 200);
    assert_int_equal(all.moved, 0);
    ph_set_threads(0);
}

static void interrupt_at_10(void *ctx, int64_t i) {
    atomic_fetch_add((atomic_int *)ctx, 1);
    if (i == 10) ph_interrupt_flag = 1;
}

static void the_interrupt_flag_stops_the_pieces(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        atomic_int ran = 0;
        ph_err err;
        ph_set_threads(threads);
        assert_int_equal(ph_parallel(interrupt_at_10, &ran, 100000, &err), PH_EINTR);
        ph_interrupt_flag = 0;
        assert_int_equal(err.code, PH_EINTR);
        assert_true(ran >= 11 && ran < 100000);
        assert_int_equal(ph_parallel(interrupt_at_10, &ran, 10, &err), PH_OK); /* and the pool still works */
    }
    ph_set_threads(0);
}

static pthread_t handled_by;
static void on_usr1(int sig) {
    (void)sig;
    handled_by = pthread_self();
}
static void raise_usr1(void *ctx, int64_t i) {
    (void)ctx;
    (void)i;
    kill(getpid(), SIGUSR1);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* kill() delivers to any thread that does not block the signal: only the main thread may be left. */
static void signals_reach_the_main_thread_only(void **state) {
    (void)state;
    struct sigaction act = {.sa_handler = on_usr1}, old;
    sigaction(SIGUSR1, &act, &old);
    ph_set_threads(3);
    for (int round = 0; round < 10; round++) {
        handled_by = (pthread_t)0;
        assert_int_equal(ph_parallel(raise_usr1, NULL, 6, NULL), PH_OK);
        assert_true(pthread_equal(handled_by, pthread_self()));
    }
    ph_set_threads(0);
    sigaction(SIGUSR1, &old, NULL);
}

static void the_environment_sets_threads_and_level(void **state) {
    (void)state;
    setenv("PHASOR_THREADS", "7", 1);
    ph_set_threads(0);
    assert_int_equal(ph_threads(), 7);
    const char *bad[] = {"", "0", "-3", "x", "4x", "1e3"};
    unsetenv("PHASOR_THREADS");
    ph_set_threads(0);
    int usual = ph_threads();
    assert_true(usual >= 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("PHASOR_THREADS", bad[i], 1);
        ph_set_threads(0);
        assert_int_equal(ph_threads(), usual);
    }
    unsetenv("PHASOR_THREADS");
    ph_set_threads(0);
    ph_cpu_level has = ph_set_cpu(PH_CPU_AVX512);
    for (ph_cpu_level want = PH_CPU_BASELINE; want <= PH_CPU_AVX512; want++) {
        assert_int_equal(ph_set_cpu(want), want < has ? want : has);
        assert_int_equal(ph_cpu(), want < has ? want : has);
    }
}

/* Every length and every place within a line of the cache, at every level; nothing beside is written. */
static void what_goes_past_the_caches_arrives(void **state) {
    (void)state;
    enum { LINES = 5, ROOM = 64 * (LINES + 2) };
    static _Alignas(64) unsigned char to[ROOM], from[ROOM];
    for (int i = 0; i < ROOM; i++) from[i] = (unsigned char)(1 + i % 251);
    ph_cpu_level has = ph_set_cpu(PH_CPU_AVX512);
    for (ph_cpu_level level = PH_CPU_BASELINE; level <= has; level++) {
        ph_set_cpu(level);
        for (size_t at = 0; at < 64; at++)
            for (size_t n = 0; n <= 64 * LINES; n += 1 + n / 7) {
                memset(to, 0, sizeof to);
                ph_write_past(to + at, from + 3, n);
                ph_written_past();
                assert_memory_equal(to + at, from + 3, n);
                for (size_t i = 0; i < ROOM; i++) assert_true(to[i] == 0 || (i >= at && i < at + n));
            }
    }
    ph_set_cpu(PH_CPU_AVX512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_past_the_caches_arrives),
        cmocka_unit_test(every_piece_runs_once),
        cmocka_unit_test(short_jobs_in_a_row_are_each_done_once),
        cmocka_unit_test(the_answer_does_not_depend_on_the_threads),
        cmocka_unit_test(two_threads_work_at_once),
        cmocka_unit_test(the_pool_is_alive_again_after_a_fork),
        cmocka_unit_test(a_nested_call_stays_on_its_thread),
        cmocka_unit_test(the_interrupt_flag_stops_the_pieces),
        cmocka_unit_test(signals_reach_the_main_thread_only),
        cmocka_unit_test(the_environment_sets_threads_and_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
