/* How long a person waits: from Ctrl-C to the end of a cell, from the death of a worker to the next one, from the death of the front end
 * to that of all its processes. Each is tried a few times (LATENCY_TIMES), the least, the middle and the longest wait are printed, and a
 * machine that is busy with other work is given a second and a half.
 * Sources: worker/client.c worker/lineage.c worker/serve.c session/interrupt.c */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pools.h"
#include "one.h"

#define MOST     64
#define PATIENCE 1.5

static int times(int usual) {
    const char *asked = getenv("LATENCY_TIMES");
    int n = asked ? atoi(asked) : usual;
    return n < 1 ? 1 : n > MOST ? MOST : n;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(const char *what, double *wait, int n, double least, double most) {
    qsort(wait, (size_t)n, sizeof *wait, by_size);
    print_message("%s: %.1f to %.1f ms, half of %d within %.1f\n", what, 1e3 * wait[0], 1e3 * wait[n - 1], n,
                  1e3 * wait[n / 2]);
    assert_true(wait[0] >= least && wait[n - 1] <= most);
}

static int signal_sent; /* 0: an interrupt, as Ctrl-C gives it */
static double sent_at;

static void *send_soon(void *unused) {
    usleep(150000); /* the cell is under way */
    int pid = ses_worker_pid(s);
    sent_at = ph_clock();
    if (signal_sent) kill(pid, signal_sent);
    else ses_interrupt(s);
    return unused;
}

/* How long the cell goes on after the signal. */
static double end_of(const char *cell, int signal_number, const char *status) {
    pthread_t t;
    signal_sent = signal_number;
    assert_int_equal(pthread_create(&t, NULL, send_soon, NULL), 0);
    const char *ended = eval(s, cell);
    double now = ph_clock();
    pthread_join(t, NULL);
    assert_string_equal(ended, status);
    return now - sent_at;
}

static void interrupts(const char *what, const char *cell) {
    double wait[MOST];
    int n = times(7);
    OK(s, "kept = 42");
    for (int i = 0; i < n; i++) wait[i] = end_of(cell, 0, "interrupted");
    SHOWS(s, "kept", "42");
    tell(what, wait, n, 0, PATIENCE);
}

static void a_loop_in_lua(void **state) {
    (void)state;
    interrupts("interrupt of a loop in Lua", "while true do end");
}

/* A product of this size takes a second or more; a hundred of them, all that a test has. AddressSanitizer asks about every access: it makes
 * the pieces between two looks at the interrupt thirty times as long. */
#ifdef PH_NO_POOLS
#define SIDE "800"
#else
#define SIDE "3000"
#endif
static void a_product(void **state) {
    (void)state;
    OK(s, "A = ones(" SIDE ", " SIDE ")");
    interrupts("interrupt of a product of " SIDE " by " SIDE, "for i = 1, 100 do matmul(A, A) end");
}

/* Pattern matching never looks at an interrupt: its process is ended after the grace of two seconds, and half of one for the rest. */
static void what_does_not_listen(void **state) {
    (void)state;
    double wait[MOST];
    int n = times(1);
    OK(s, "kept = 42");
    for (int i = 0; i < n; i++) {
        wait[i] = end_of("local x = ('a'):rep(40) x:find(('a?'):rep(40) .. x .. 'b')", 0, "died");
        SHOWS(s, "kept", "42");
    }
    tell("interrupt of what does not listen, to the end and a new worker", wait, n, 1.9, 2 + PATIENCE);
}

static void another_takes_over(void **state) {
    (void)state;
    double wait[MOST];
    int n = times(7);
    OK(s, "kept, big = 42, zeros(1000, 1000)");
    for (int i = 0; i < n; i++) {
        wait[i] = end_of("kept = 0 big[1] = 1 while true do end", SIGKILL, "died");
        SHOWS(s, "kept, sum(big)", "42\t0.0");
    }
    tell("takeover of a killed worker, 8 MB of variables", wait, n, 0, PATIENCE);
}

/* The answer of the next cell, after the death of a worker that waited. */
static void another_waits_in_its_place(void **state) {
    (void)state;
    double wait[MOST];
    int n = times(7), status;
    OK(s, "kept, big = 42, zeros(1000, 1000)");
    OK(s, "kept, big[1] = 43, 1");
    for (int i = 0; i < n; i++) {
        pid_t pid = ses_worker_pid(s);
        kill(pid, SIGKILL);
        while (waitpid(pid, &status, WNOHANG) == 0) {
        }
        double began = ph_clock();
        OK(s, "return 1");
        wait[i] = ph_clock() - began;
        assert_non_null(strstr(text_of("notice", "text"), "No variable is lost"));
        SHOWS(s, "kept, sum(big)", "43\t1000.0");
    }
    tell("next cell after the death of a worker that waited, 8 MB of variables", wait, n, 0, PATIENCE);
}

/* The front end is another process here, which is killed while its worker is in a loop; the worker holds the end of a pipe. */
static double all_gone(void) {
    int p[2];
    char byte;
    assert_int_equal(pipe(p), 0);
    pid_t front = fork();
    if (front == 0) {
        ses *t = open_session(true, 0);
        if (strcmp(eval(t, "x = 1"), "ok") != 0 || write(p[1], "r", 1) != 1) _exit(1);
        eval(t, "while true do end");
        _exit(0);
    }
    close(p[1]);
    assert_int_equal(read(p[0], &byte, 1), 1);
    usleep(150000);
    double killed_at = ph_clock();
    kill(front, SIGKILL);
    waitpid(front, NULL, 0);
    assert_int_equal(read(p[0], &byte, 1), 0); /* the end of the pipe: nobody holds it any more */
    close(p[0]);
    return ph_clock() - killed_at;
}

static void nothing_outlives_the_front_end(void **state) {
    (void)state;
    double wait[MOST];
    int n = times(5);
    for (int i = 0; i < n; i++) wait[i] = all_gone();
    tell("end of all processes after kill -9 of the front end", wait, n, 0, PATIENCE);
}

int main(void) {
#define EACH(f) cmocka_unit_test_setup_teardown(f, open_one, close_one)
    const struct CMUnitTest tests[] = {EACH(a_loop_in_lua),
                                       EACH(a_product),
                                       EACH(what_does_not_listen),
                                       EACH(another_takes_over),
                                       EACH(another_waits_in_its_place),
                                       EACH(nothing_outlives_the_front_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
