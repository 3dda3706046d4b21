/* parallel.c: a pool of sleeping threads that claim numbered pieces of one job at a time.
 *
 * Life of a job: the caller publishes it under the lock and wakes the pool; a thread that wakes while the job
 * is open joins it (`busy`), claims pieces until none is left, and leaves. The caller claims pieces too, then
 * closes the job and waits for those inside: it never waits for a thread that has not woken.
 *
 * Each thread has a lane, a share of neighbouring pieces, and helps in those of the others when its own is done. So of arrays that are
 * cut alike, as the rows of one operation after another, it has the same part again, which is in its cache; and one that comes late
 * finds less to do.
 *
 * To wake a thread takes as long as to add 10^5 numbers. So who waits looks out for a moment before it sleeps: where jobs follow one
 * another closely, as the operations of a step of training do, they find the threads awake.
 *
 * Invariant: `pool` changes only under its lock, `lane`, `stopped`, `published` and `inside_job` apart, which are atomic; the last two
 * repeat what is in `pool` for those who look out, and nothing is decided by them. Exception: the
 * child of a fork, where no other thread exists, starts from a fresh pool; whatever the lock's state was is
 * thrown away with it.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_THREADS 256

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    int started;       /* threads of the pool alive, the caller not counted */
    int seats;         /* how many more of them may join the job */
    int busy;          /* how many are inside it */
    unsigned long job; /* number of the last job published */
    bool open;
    bool
        crowded; /* there are more threads than cores: who looks out would keep from working the one it waits for */
    ph_task *task;
    void *ctx;
    int64_t n;
    int lanes;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* The first piece of each lane that nobody has claimed. Apart by a line of the cache: each is mostly its own thread's. */
static struct { _Alignas(128) atomic_int_fast64_t next; } lane[MAX_THREADS];
static atomic_bool stopped;
static atomic_ulong published; /* pool.job */
static atomic_int inside_job;  /* pool.busy */
/* This thread is running a piece: a nested call stays on it. (The model is the one that a module of Lua can use as well.) */
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

/* Where lane k of `lanes` begins among n pieces, and so where the one before it ends. */
static int64_t lane_begin(int64_t n, int lanes, int k) { return n / lanes * k + n % lanes * k / lanes; }

/* Claims and runs pieces, those of lane `own` first, until none is left or the interrupt flag is seen. */
static void run_pieces(ph_task *task, void *ctx, int64_t n, int lanes, int own) {
    bool stop = false;
    inside = true;
    for (int k = 0; k < lanes && !stop; k++) {
        const int at = (own + k) % lanes;
        const int64_t end = lane_begin(n, lanes, at + 1);
        int64_t i;
        while (!stop && (i = atomic_fetch_add(&lane[at].next, 1)) < end) {
            stop = ph_interrupted();
            if (stop) atomic_store(&stopped, true);
            else task(ctx, i);
        }
    }
    inside = false;
}

#define MOMENT 60e-6 /* seconds: operations of a step follow one another within 20 to 60 us */
#define LOOKS  32    /* between two at the clock */

static bool job_after(unsigned long known) {
    return atomic_load_explicit(&published, memory_order_relaxed) != known;
}
static bool all_left(unsigned long unused) {
    (void)unused;
    return atomic_load_explicit(&inside_job, memory_order_relaxed) == 0;
}

/* Waits awake, for a moment at most, without the lock that the caller holds. */
static void look_out(bool (*come)(unsigned long), unsigned long known) {
    if (pool.crowded) return;
    pthread_mutex_unlock(&pool.lock);
    bool seen = come(known);
    for (double end = ph_clock() + MOMENT; !seen && ph_clock() < end;)
        for (int i = 0; i < LOOKS && !seen; i++) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            seen = come(known);
        }
    pthread_mutex_lock(&pool.lock);
}

/* Until there is a job after `known`: awake, then asleep. */
static void wait_for_job(unsigned long known) {
    look_out(job_after, known);
    while (pool.job == known) pthread_cond_wait(&pool.work, &pool.lock);
}

/* number: a pointer that is the thread's; the caller of a job is number 0. */
static void *thread_main(void *number) {
    const int own = (int)(intptr_t)number;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.open || pool.job == seen || pool.seats == 0) wait_for_job(pool.job);
        seen = pool.job;
        pool.seats--;
        atomic_store(&inside_job, ++pool.busy);
        pthread_mutex_unlock(&pool.lock);
        run_pieces(pool.task, pool.ctx, pool.n, pool.lanes, own); /* constant while busy > 0 */
        pthread_mutex_lock(&pool.lock);
        atomic_store(&inside_job, --pool.busy);
        if (pool.busy == 0) pthread_cond_signal(&pool.done);
    }
    return NULL;
}

static void after_fork_child(void) {
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.started = pool.busy = 0;
    atomic_store(&inside_job, 0);
    pool.open = false;
    inside = false;
}

static int clamp_threads(long n) { return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n; }

/* Those that this process may use. */
static int cores(void) {
    static int known;
    if (known) return known;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return known = clamp_threads(CPU_COUNT(&set));
#endif
    return known = clamp_threads(sysconf(_SC_NPROCESSORS_ONLN));
}

/* Fewer threads than wanted is no error: the caller does the work. Signals stay with the main thread. */
static void start_threads(int wanted) {
    static bool watching;
    if (pool.started >= wanted) return;
    if (!watching) watching = pthread_atfork(NULL, NULL, after_fork_child) == 0;
    if (!watching) return;
    sigset_t all, old;
    pthread_attr_t detached;
    if (pthread_attr_init(&detached) != 0) return;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool.started < wanted) {
        pthread_t t;
        if (pthread_create(&t, &detached, thread_main, (void *)(intptr_t)(pool.started + 1)) != 0) break;
        pool.started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&detached);
}

static void run_with_pool(ph_task *task, void *ctx, int64_t n, int helpers) {
    pthread_mutex_lock(&pool.lock);
    start_threads(helpers);
    pool.crowded = pool.started >= cores();
    pool.seats = helpers;
    pool.task = task;
    pool.ctx = ctx;
    pool.n = n;
    pool.lanes = helpers + 1;
    atomic_store(&published, ++pool.job);
    pool.open = true;
    if (helpers == 1) pthread_cond_signal(&pool.work);
    else pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    run_pieces(task, ctx, n, helpers + 1, 0);
    pthread_mutex_lock(&pool.lock);
    pool.open = false;
    if (pool.busy > 0) look_out(all_left, 0);
    while (pool.busy > 0) pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

static ph_status run_inline(ph_task *task, void *ctx, int64_t n, ph_err *err) {
    for (int64_t i = 0; i < n; i++) {
        if (ph_interrupted()) return ph_fail_interrupted(err);
        task(ctx, i);
    }
    return PH_OK;
}

ph_status ph_parallel(ph_task *task, void *ctx, int64_t n, ph_err *err) {
    int helpers = ph_threads() - 1;
    if (helpers > n - 1) helpers = (int)(n - 1);
    if (inside || helpers < 1) return run_inline(task, ctx, n, err);
    for (int k = 0; k <= helpers; k++) atomic_store(&lane[k].next, lane_begin(n, helpers + 1, k));
    atomic_store(&stopped, false);
    run_with_pool(task, ctx, n, helpers);
    return atomic_load(&stopped) ? ph_fail_interrupted(err) : PH_OK;
}

/* ---- how many ------------------------------------------------------------------------------------------ */

static int default_threads(void) {
    const char *s = getenv("PHASOR_THREADS");
    if (s && *s) {
        char *end;
        long n = strtol(s, &end, 10);
        if (*end == '\0' && n >= 1) return clamp_threads(n);
    }
    return cores();
}

static int n_threads; /* 0: not yet asked for */

int ph_threads(void) {
    if (n_threads == 0) n_threads = default_threads();
    return n_threads;
}

void ph_set_threads(int n) { n_threads = n >= 1 ? clamp_threads(n) : 0; }
