/* Random cells in one session: thousands of calls of everything that help knows, interrupted now and then, memory scarce. After each
 * there is one "done", whatever went wrong is said in words for a person, and the session goes on. FUZZ_TIME: seconds of processor time;
 * FUZZ_SEED. A cell that ends the process is left in $BUILD/fuzz-cell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "programs.h"
#include "session/core.h"

static ph_text cell;
static char fault_path[200];
static volatile sig_atomic_t stopped;
static volatile clock_t stopped_at;

static struct {
    int done;
    char status[16], result[32], error[400];
    bool internal; /* the words speak of the laboratory's own lines */
} heard;

static void hear(void *user, json_t *event) {
    (void)user;
    const char *kind = json_string_value(json_object_get(event, "event"));
    const char *status = json_string_value(json_object_get(event, "status"));
    const char *message = json_string_value(json_object_get(event, "message"));
    const char *text = json_string_value(json_object_get(json_object_get(event, "data"), "text/plain"));
    if (strcmp(kind, "done") == 0) {
        heard.done++;
        snprintf(heard.status, sizeof heard.status, "%s", status);
    }
    if (strcmp(kind, "result") == 0) snprintf(heard.result, sizeof heard.result, "%s", text ? text : "");
    if (strcmp(kind, "error") == 0) {
        snprintf(heard.error, sizeof heard.error, "%s", message ? message : "");
        heard.internal =
            strstr(heard.error, "phasor:") || strstr(heard.error, "src/") || strstr(heard.error, ".c:");
    }
}

static void interrupt(int signal) {
    (void)signal;
    if (!stopped) stopped_at = clock();
    stopped = 1;
    ses_stop(SES_INTERRUPTED);
}

/* After so much processor time; 0: no more. */
static void interrupt_after(long microseconds) {
    struct itimerval t = {.it_value = {0, microseconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

static void run(ses_core *c, const char *code, size_t n, long patience) {
    memset(&heard, 0, sizeof heard);
    stopped = 0;
    json_t *request = json_pack("{s:s, s:o, s:s, s:b, s:i}", "op", "eval", "code", ses_json_text(code, n),
                                "name", "cell", "echo", 1, "columns", 80);
    assert_non_null(request);
    interrupt_after(patience);
    ses_core_request(c, request);
    interrupt_after(0);
    json_decref(request);
}

static void keep_cell(int signal) {
    int fd = open(fault_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && write(fd, cell.s, cell.n) == (ssize_t)cell.n) (void)!write(2, "\nthe cell is kept\n", 18);
    _exit(128 + signal);
}

static int faults;
static void complain(const char *what) {
    if (faults++ < 20)
        print_error("%s: %s %s\n%s\n\n", what, heard.status, heard.error, cell.s ? cell.s : "");
}

typedef struct {
    long cells, wrong, cut; /* run; that ended in an error; that were interrupted */
    double slowest;         /* processor time from an interrupt to the end of its cell */
} figures;

static void judge(figures *f) {
    f->cells++;
    f->wrong += strcmp(heard.status, "error") == 0;
    f->cut += strcmp(heard.status, "interrupted") == 0;
    if (heard.done != 1) complain("not one done");
    if (heard.internal) complain("words that are not for a person");
    double late = stopped ? (double)(clock() - stopped_at) / CLOCKS_PER_SEC : 0;
    if (late > f->slowest) f->slowest = late;
    if (late > 2)
        complain("two seconds behind the interrupt"); /* a worker would have been ended, and its cell lost */
}

static void random_cells(void **state) {
    (void)state;
    const char *time = getenv("FUZZ_TIME"), *seed = getenv("FUZZ_SEED");
    double seconds = time && atof(time) > 0 ? atof(time) : 4;
    ses_core *c = NULL;
    ses_options options = {0};
    ses_host host = {.emit = hear};
    ph_err err;
    figures f = {0};
    programs p;
    setenv("PHASOR_MEMORY", "256", 1);
    assert_int_equal(ses_core_open(&c, &options, &host, &err), PH_OK);
    programs_open(&p, c->L, seed ? strtoull(seed, NULL, 10) : 20261122);
    assert_true(p.n > 150);
    static const char begin[] = "x, y = sym 'x y'; k, n = sym('k', 'integer'), sym('n', 'natural')";
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;) {
        if (f.cells % 50 == 0) run(c, begin, strlen(begin), 0);
        cell.n = 0;
        programs_cell(&p, &cell);
        if (cell.n == 0) continue;
        run(c, cell.s, cell.n, ph_rng_below(&p.g, 8) ? 300000 : 1 + (long)ph_rng_below(&p.g, 3000));
        judge(&f);
        run(c, "1 + 1", 5, 0);
        if (strcmp(heard.result, "2") != 0) complain("the session is lost");
    }
    print_message(
        "%d calls in %ld cells, %ld errors, %ld interrupted, the slowest %.2f s behind its interrupt\n",
        p.calls, f.cells, f.wrong, f.cut, f.slowest);
    assert_true(f.cells > 100 && f.wrong > f.cells / 10 && f.wrong < f.cells && f.cut > 0);
    programs_close(&p);
    ses_core_close(c);
    ph_text_drop(&cell);
    assert_int_equal(faults, 0);
}

static int enter(void **state) { /* some examples write files */
    const char *build = getenv("BUILD");
    if (enter_folder(state)) return -1;
    if (build && *build == '/') snprintf(fault_path, sizeof fault_path, "%.180s/fuzz-cell", build);
    else
        snprintf(fault_path, sizeof fault_path, "%.150s/%.30s/fuzz-cell", folder_before,
                 build ? build : "build");
    const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], keep_cell);
    signal(SIGPROF, interrupt);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(random_cells, enter, leave_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
