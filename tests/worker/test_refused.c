/* What the system may refuse a session in a process of its own (a process, descriptors, a state), what becomes of it when those that it
 * leans on are gone, and what the front end looks after and hears meanwhile.
 * Sources: worker/client.c worker/lineage.c worker/serve.c worker/sandbox.c worker/channel.c worker/fresh.c
 * Sources: worker/wire.c */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/contain.h"
#include "worker/one.h"
#include "worker/wire.h"

static volatile int *refuse; /* shared with every copy of this process */

/* In place of the C library's: a process limit binds no root. */
pid_t fork(void) {
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    if (refuse && *refuse) return errno = EAGAIN, -1;
    return real();
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *how, char *const words[], char *const variables[]) {
    typedef int spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                      char *const[], char *const[]);
    spawn *real = (spawn *)dlsym(RTLD_NEXT, "posix_spawn");
    return refuse && *refuse ? EAGAIN : real(pid, path, actions, how, words, variables);
}

static int close_allowed(void **state) {
    *refuse = 0;
    return close_one(state);
}

/* ---- refused ------------------------------------------------------------------------------------------- */

static void a_process_is_refused(void **state) {
    (void)state;
    static const char *const rows[] = {"S.apart(function() return '' end, 1, 10)",
                                       "S.beside(function() end, 1, 10)", "S.fresh('phasor.course.desk', 10)",
                                       "S.start(function() return '' end, 1, 10)"};
    OK(s, "S = require 'phasor.session'; x = 1");
    *refuse = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        FAILS(s, rows[i], "no process of its own: Resource temporarily");
    /* a cell runs all the same, and it is said that it cannot be undone */
    OK(s, "x = x + 1");
    assert_non_null(strstr(text_of("notice", "text"), "no snapshot before this cell (Resource temporarily"));
    *refuse = 0;
    SHOWS(s, "x", "2");
    assert_null(event_of("notice"));
    SHOWS(s, "(S.apart(function() return '' end, 1, 10))", "ok");
}

static void a_worker_is_refused(void **state) {
    (void)state;
    ses *t;
    ph_err err = {0};
    *refuse = 1;
    assert_int_equal(wrk_open(&t, NULL, &err), PH_EIO);
    assert_non_null(strstr(err.text, "cannot start the worker process: Resource temporarily"));
    assert_null(t);
    *refuse = 0;
    SHOWS(s, "1 + 1", "2");
}

/* A cell that has taken every descriptor leaves none for a snapshot. */
static void descriptors_run_out(void **state) {
    (void)state;
    int pair[2];
    ph_err err = {0};
    struct rlimit was, few;
    OK(s,
       "held = {} for i = 1, 1e5 do local f = io.open '/dev/null' if not f then break end held[i] = f end");
    OK(s, "n = #held");
    assert_non_null(strstr(text_of("notice", "text"), "no snapshot before this cell"));
    SHOWS(s, "n > 10", "true");
    OK(s, "for _, f in ipairs(held) do f:close() end");
    OK(s, "n = 0");
    assert_null(event_of("notice"));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    few = (struct rlimit){3, was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    ph_status st = wrk_wire_pair(pair, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    assert_int_equal(st, PH_EIO);
    assert_non_null(strstr(err.text, "no socket pair: Too many open files"));
}

/* What the front end gives a session to begin with may be wrong: the first request says so, and every later one. */
static void a_session_that_cannot_open_says_why(void **state) {
    (void)state;
    ses *t;
    ph_err err = {0};
    wrk_options opt = {.startup = "error 'the cellar is locked'"};
    assert_int_equal(wrk_open(&t, &opt, &err), PH_OK);
    for (int i = 0; i < 2; i++) {
        forget_events();
        assert_int_equal(ses_request(t, eval_request("1"), collect, NULL, &err), PH_EIO);
        assert_non_null(strstr(err.text, "the cellar is locked"));
    }
    ses_close(t);
}

/* ---- gone ---------------------------------------------------------------------------------------------- */

static bool gone(int pid) {
    for (int i = 0; i < 300; i++, usleep(10000)) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        if (kill(pid, 0) != 0) return true;
    }
    return false;
}

static void a_worker_that_does_not_leave_is_ended(void **state) {
    (void)state;
    ses *t = open_session(true, 0);
    OK(t, "x = 1");
    int pid = ses_worker_pid(t);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    double began = ph_clock();
    ses_close(t);
    assert_true(ph_clock() - began < 10); /* it is given a second; a busy machine takes its time */
    assert_true(gone(pid));
}

/* Children of the worker: its snapshots, the oldest first. */
static int snapshots(int pid[], int most) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", ses_worker_pid(s), ses_worker_pid(s));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < most && fscanf(f, "%d", &pid[n]) == 1) n++;
    fclose(f);
    return n;
}

/* The worker and its two newest snapshots die while nothing runs: the one before them goes on, and how far back that is, is said, in the
 * language of the request. */
static void an_older_snapshot_goes_on(void **state) {
    (void)state;
    static const struct {
        const char *lang, *says;
    } rows[] = {{"en", "as they were 2 cells before it"}, {"zh", "变量恢复成往前第 2 条输入执行之前的样子"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int pid[16];
        OK(s, "x = 1");
        OK(s, "x = 2");
        OK(s, "x = 3");
        int n = snapshots(pid, 16);
        assert_true(n >= 3);
        kill(pid[n - 1], SIGKILL);
        kill(pid[n - 2], SIGKILL);
        kill(ses_worker_pid(s), SIGKILL);
        usleep(50000);
        json_t *ask = eval_request("x");
        json_object_set_new(ask, "lang", json_string(rows[i].lang));
        assert_string_equal(ask_with(s, ask, collect, NULL), "ok");
        assert_string_equal(result(), "1");
        if (!strstr(text_of("notice", "text"), rows[i].says)) fail_msg("said: %s", text_of("notice", "text"));
    }
}

/* Somebody else has reaped the worker: how it ended is not known, and nothing is made up. */
static void how_it_ended_may_be_unknown(void **state) {
    (void)state;
    OK(s, "x = 1");
    OK(s, "x = 2");
    int pid = ses_worker_pid(s);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    SHOWS(s, "x", "2");
    assert_non_null(strstr(text_of("notice", "text"), "ended by itself"));
}

/* ---- meanwhile ----------------------------------------------------------------------------------------- */

static int looked, ready_end;

static int look(void *user) {
    char c;
    looked += read(ready_end, &c, 1) == 1;
    return (void)user, -1;
}

static void the_front_end_looks_after_others(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    ready_end = ends[0], looked = 0;
    ses_watch watch = {.fds = &ends[0], .n = 1, .look = look};
    ses_look_after(s, &watch);
    char code[160]; /* the cell itself writes what the front end is to see while it runs */
    snprintf(
        code, sizeof code,
        "local f <close> = io.open('/proc/%d/fd/%d', 'w'); f:write 'x'; f:flush(); local t = os.clock() while os.clock() - t < 0.3 do end",
        (int)getpid(), ends[1]);
    OK(s, code);
    assert_int_equal(looked, 1);
    ses_look_after(s, NULL);
    assert_int_equal(write(ends[1], "x", 1), 1);
    OK(s, "1");
    assert_int_equal(looked, 1);
    close(ends[0]), close(ends[1]);
}

typedef struct {
    int from;
    char text[64];
    volatile int n;
} listener;

static void *hear(void *user) {
    listener *l = user;
    usleep(120000); /* it is waited for */
    for (ssize_t k; (k = read(l->from, l->text + l->n, sizeof l->text - 1 - (size_t)l->n)) > 0;)
        l->n += (int)k;
    return NULL;
}

static listener heard;
static int heard_before;

static void note(void *user, json_t *event) {
    collect(user, event);
    if (strcmp(json_string_value(json_object_get(event, "event")), "stream") == 0 && !heard_before)
        heard_before = heard.n;
}

/* What a program that a cell has started wrote is read before the cell prints what comes after it. */
static void what_programs_write_stands_where_it_was_written(void **state) {
    (void)state;
    int out[2], err[2];
    ses *t;
    ph_err e = {0};
    pthread_t thread;
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    wrk_options opt = {.out = out[1], .err = err[1]};
    assert_int_equal(wrk_open(&t, &opt, &e), PH_OK);
    heard = (listener){.from = out[0]}, heard_before = 0;
    assert_int_equal(pthread_create(&thread, NULL, hear, &heard), 0);
    assert_string_equal(ask_with(t, eval_request("os.execute 'echo first' print 'second'"), note, NULL),
                        "ok");
    assert_int_equal(heard_before, 6);
    ses_close(t);
    close(out[1]), close(err[1]);
    pthread_join(thread, NULL);
    assert_string_equal(heard.text, "first\n");
    close(out[0]), close(err[0]);
}

/* Sockets that a process holds. */
static int sockets_of(int pid) {
    char path[300], to[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%d/fd/%s", pid, e->d_name);
        ssize_t k = readlink(path, to, sizeof to - 1);
        n += k > 7 && strncmp(to, "socket:", 7) == 0;
    }
    closedir(d);
    return n;
}

/* It would keep the front end from seeing that the worker is gone. */
static void a_child_holds_no_wire(void **state) {
    (void)state;
    int pid[16];
    OK(s, "S = require 'phasor.session'");
    SHOWS(s, "(S.wait {S.start(function() return 'x' end, 5, 64)})", "1");
    OK(s, "c = S.start(function() while true do end end, 60, 64)");
    int n = snapshots(pid, 16);
    assert_true(n >= 3); /* behind it only the snapshot of now */
    for (int i = 0; i < 200 && sockets_of(pid[n - 2]) > 0; i++)
        usleep(10000); /* it closes them once it runs */
    assert_int_equal(sockets_of(pid[n - 2]), 0);
    assert_true(sockets_of(ses_worker_pid(s)) >= 1);
    OK(s, "c = nil collectgarbage()");
}

/* ---- a lesson's confinement, asked for by Lua ---------------------------------------------------------- */

static void a_session_is_confined(void **state) {
    (void)state;
    if (wrk_containment_lacks()) {
        print_message("this system lacks %s\n", wrk_containment_lacks());
        skip();
    }
    char folder[] = "/tmp/phasor-refused-XXXXXX", code[320], path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("inside", f);
    fclose(f);
    OK(s, "S = require 'phasor.session'");
    SHOWS(s, "S.lacks()", "nil");
    OK(s, "x = io.open '/etc/passwd' ~= nil");
    SHOWS(s, "x", "true");
    SHOWS(
        s,
        "select('#', S.confine '/there/is/no/such/folder'), (select(2, S.confine '/there/is/no/such/folder'))",
        "2\tthis system contains no process wholly: Landlock is missing");
    ses *t = open_session(true, 0); /* one that has not begun to be confined */
    snprintf(
        code, sizeof code,
        "return require 'phasor.session'.confine '%s', (io.open '%s':read 'a'), io.open '/etc/passwd' == nil, io.open('%s', 'w') == nil",
        folder, path, path);
    SHOWS(t, code, "true\tinside\ttrue\ttrue");
    ses_close(t);
    unlink(path), rmdir(folder);
}

int main(int argc, char **argv) {
    wrk_begin(argc, argv);
    refuse = mmap(NULL, sizeof *refuse, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (refuse == MAP_FAILED) return 1;
#define EACH(f) cmocka_unit_test_setup_teardown(f, open_one, close_allowed)
    const struct CMUnitTest tests[] = {
        EACH(a_process_is_refused),
        EACH(a_worker_is_refused),
        EACH(descriptors_run_out),
        EACH(a_session_that_cannot_open_says_why),
        EACH(a_worker_that_does_not_leave_is_ended),
        EACH(an_older_snapshot_goes_on),
        EACH(how_it_ended_may_be_unknown),
        EACH(the_front_end_looks_after_others),
        EACH(what_programs_write_stands_where_it_was_written),
        EACH(a_child_holds_no_wire),
        EACH(a_session_is_confined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
