/* A session in a process of its own: it can be interrupted wherever it is, and its death costs one cell.
 * Sources: worker/client.c worker/lineage.c worker/serve.c */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/one.h"

/* ---- interrupts from a thread -------------------------------------------------------------------------- */

typedef struct {
    pthread_t thread;
    double after; /* seconds */
    int times;
} presser;

static void *press(void *data) {
    presser *p = data;
    for (int i = 0; i < p->times; i++) {
        usleep((useconds_t)(p->after * 1e6));
        ses_interrupt(s);
    }
    return NULL;
}

/* Runs a cell and interrupts it; returns how it ended, *seconds how long that took. */
static const char *interrupted(const char *code, double after, int times, double *seconds) {
    presser p = {.after = after, .times = times};
    double began = ph_clock();
    assert_int_equal(pthread_create(&p.thread, NULL, press, &p), 0);
    const char *status = eval(s, code);
    *seconds = ph_clock() - began;
    pthread_join(p.thread, NULL);
    return status;
}

static void loops_are_interrupted(void **state) {
    (void)state;
    static const char *const rows[] = {
        "while true do end",
        "while true do pcall(error, 'x') end",
        "while true do pcall(function() while true do end end) end",
        "repeat local ok = xpcall(function() while true do end end, function(m) return m end) until false",
        "local function f() while true do end end coroutine.wrap(f)()",
        "local co = coroutine.create(function() while true do coroutine.yield() end end) while true do "
        "coroutine.resume(co) end",
        "coroutine.wrap(function() coroutine.wrap(function() while true do pcall(function() while true do "
        "end end) end end)() end)()",
        "local function f() return f() end f()",
        "local t = setmetatable({}, {__close = function() while true do end end}) do local x <close> = t end",
        "table.sort(setmetatable({}, {__len = function() return 1e6 end, __index = function() return 1 end, "
        "__newindex = function() end}), function(a, b) return a < b end)",
        "('x'):rep(100):gsub('.', function() while true do end end)",
        "while true do print('x') end",
        "load(function() while true do end end)",
    };
    OK(s, "kept = 42");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double seconds;
        const char *status = interrupted(rows[i], 0.05, 1, &seconds);
        if (strcmp(status, "interrupted") != 0)
            fail_msg("%s: %s %s", rows[i], status, text_of("error", "message"));
        if (seconds > 1.5) fail_msg("%s: took %.1f s", rows[i], seconds);
        assert_string_equal(text_of("error", "message"), "interrupted");
        SHOWS(s, "kept", "42");
    }
    /* the flag does not linger, nor a hook in a coroutine that was under way */
    OK(s, "co = coroutine.wrap(function() while true do coroutine.yield(7) end end)");
    double seconds;
    assert_string_equal(interrupted("while true do co() end", 0.05, 1, &seconds), "interrupted");
    SHOWS(s, "local n = 0 for i = 1, 1e5 do n = n + 1 end return n", "100000");
}

static void what_does_not_stop_is_ended(void **state) {
    (void)state;
    double seconds;
    OK(s, "kept = {1, 2, 3}");
    int pid = ses_worker_pid(s);
    /* finalizers run without hooks; two presses end it at once */
    assert_string_equal(
        interrupted("setmetatable({}, {__gc = function() while true do end end}) kept = nil collectgarbage()",
                    0.05, 2, &seconds),
        "died");
    assert_true(seconds < 1.5);
    assert_non_null(strstr(text_of("notice", "text"), "did not stop"));
    assert_non_null(strstr(text_of("notice", "text"), "before it"));
    assert_int_not_equal(ses_worker_pid(s), pid);
    SHOWS(s, "#kept", "3");
    /* one press, and the grace of 2 s: pattern matching never returns to Lua */
    assert_string_equal(
        interrupted("local x = ('a'):rep(40) x:find(('a?'):rep(40) .. x .. 'b')", 0.05, 1, &seconds), "died");
    assert_true(seconds > 1.9 && seconds < 4);
    SHOWS(s, "#kept", "3");
}

/* An optimiser takes an interrupt for itself: the cell goes on, is not reminded of it, and can be interrupted again. */
static void an_optimiser_keeps_the_best_so_far(void **state) {
    (void)state;
    static const char descend[] = "local x, r = gradient_descent(function(x) return x^2 end, 1, {gradient = "
                                  "function(x) return 2*x end, rate = "
                                  "1e-9, steps = 1e9}) print(r.reason, x < 1) local t = os.clock() while "
                                  "os.clock() - t < 0.5 do end return 'on'";
    double seconds;
    assert_string_equal(interrupted(descend, 0.05, 1, &seconds), "ok");
    assert_string_equal(printed("stdout"), "interrupted\ttrue\n");
    assert_string_equal(result(), "on");
    assert_string_equal(interrupted(descend, 0.2, 2, &seconds), "interrupted");
    assert_string_equal(printed("stdout"), "interrupted\ttrue\n");
    assert_string_equal(
        interrupted("adam(function(x) while true do end end, 1, {gradient = function(x) return x end})", 0.05,
                    1, &seconds),
        "error");
    assert_true(seconds < 1.5);
}

static void an_interrupt_between_cells_is_nothing(void **state) {
    (void)state;
    ses_interrupt(s);
    SHOWS(s, "local n = 0 for i = 1, 1e6 do n = n + 1 end return n", "1000000");
}

/* Between the reading of a line and the moment its cell runs. */
static void an_interrupt_just_before_a_cell_is_for_it(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double began = ph_clock();
        ses_expect(s);
        ses_interrupt(s);
        assert_string_equal(eval(s, "while true do end"), "interrupted");
        assert_true(ph_clock() - began <
                    1.5); /* not by the worker's end: its variables are those of this cell */
    }
    ses_expect(s);
    OK(s, "1 + 1");
    ses_interrupt(s); /* too late for that one, and not for the next */
    SHOWS(s, "local n = 0 for i = 1, 1e6 do n = n + 1 end return n", "1000000");
}

/* ---- deaths -------------------------------------------------------------------------------------------- */

typedef struct {
    pthread_t thread;
    int signal;
} killer;

static void *kill_soon(void *data) {
    usleep(50000);
    kill(ses_worker_pid(s), ((killer *)data)->signal);
    return NULL;
}

static const char *killed(const char *code, int signal_number) {
    killer k = {.signal = signal_number};
    assert_int_equal(pthread_create(&k.thread, NULL, kill_soon, &k), 0);
    const char *status = eval(s, code);
    pthread_join(k.thread, NULL);
    return status;
}

static void a_death_costs_one_cell(void **state) {
    (void)state;
    OK(s, "x = 1; A = ones(3, 3); g = rng(7); first = rng(7):below(1000000)");
    OK(s, "x = 2");
    assert_string_equal(killed("print('before') x = 3 while true do end", SIGKILL), "died");
    assert_string_equal(printed("stdout"), "before\n");
    assert_non_null(strstr(text_of("notice", "text"), "killed from outside"));
    SHOWS(s, "x", "2");
    SHOWS(s, "sum(A)", "9.0");
    SHOWS(s, "g:below(1000000) == first", "true"); /* generators go back too */
    assert_string_equal(killed("x = 4 while true do end", SIGSEGV), "died");
    assert_non_null(strstr(text_of("notice", "text"), "crashed"));
    SHOWS(s, "x", "2");
    /* and again, nested */
    for (int i = 0; i < 12; i++) assert_string_equal(killed("while true do end", SIGKILL), "died");
    SHOWS(s, "x", "2");
}

static bool undo(void) {
    assert_string_equal(ask_with(s, json_pack("{s:s}", "op", "undo"), collect, NULL), "ok");
    return json_is_true(json_object_get(event_of("reply"), "undone"));
}

static void kill_the_idle_worker(void) {
    kill(ses_worker_pid(s), SIGKILL);
    usleep(20000); /* it is noticed by the next request */
}

/* What the last cell did is there, however it ended and whatever came after it; again and again, and undo goes on from there. */
static void a_death_while_nothing_runs_costs_nothing(void **state) {
    (void)state;
    json_t *aside = eval_request("aside = 1");
    OK(s, "x = 5; A = ones(3, 3); g = rng(7)");
    OK(s, "x = 6; A[1] = 0; first = g:below(1000000); again = rng(7); again:below(1000000)");
    for (int i = 0; i < 12; i++) {
        kill_the_idle_worker();
        SHOWS(s, "x, sum(A)", "6\t6.0");
        assert_string_equal(text_of("notice", "text"), "The process of the session was killed from outside "
                                                       "(out of memory?). No variable is lost.");
    }
    SHOWS(s, "g:below(1000000) == again:below(1000000)", "true");
    FAILS(s, "x = 7 error 'raised'", "raised");
    kill_the_idle_worker();
    SHOWS(s, "x", "7");
    double seconds;
    assert_string_equal(interrupted("x = 8 while true do end", 0.05, 1, &seconds), "interrupted");
    kill_the_idle_worker();
    assert_true(undo());
    SHOWS(s, "x", "7");
    assert_string_equal(killed("x = 9 while true do end", SIGKILL), "died");
    kill_the_idle_worker();
    SHOWS(s, "x", "7");
    json_object_set_new(aside, "aside", json_true());
    assert_string_equal(ask_with(s, aside, collect, NULL), "ok");
    OK(s, "x = 10");
    kill_the_idle_worker();
    SHOWS(s, "x, aside", "10\t1");
    assert_true(undo());
    assert_true(undo());
    SHOWS(s, "x, aside", "7\t1"); /* a step of undo begins behind what was done aside */
}

static void the_end_of_a_cell_that_leaves(void **state) {
    (void)state;
    int pid = ses_worker_pid(s);
    OK(s, "x = 1");
    OK(s, "os.exit(4)");
    assert_int_equal(int_of("done", "exit"), 4);
    SHOWS(s, "x", "1");
    assert_int_equal(ses_worker_pid(s), pid);
}

static void snapshots_that_are_gone(void **state) {
    (void)state;
    char path[64];
    int pid, n = 0;
    OK(s, "x = 1");
    OK(s, "x = 2");
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", ses_worker_pid(s), ses_worker_pid(s));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (; fscanf(f, "%d", &pid) == 1; n++) kill(pid, SIGKILL);
    fclose(f);
    assert_int_equal(n, 3); /* before each cell, and now */
    kill(ses_worker_pid(s), SIGKILL);
    usleep(20000);
    FAILS(s, "x", "'x'");
    assert_non_null(strstr(text_of("notice", "text"), "all variables are lost"));
    OK(s, "x = 3");
    SHOWS(s, "x", "3");
}

/* ---- undo ---------------------------------------------------------------------------------------------- */

static void undo_goes_back_step_by_step(void **state) {
    (void)state;
    assert_false(undo());
    OK(s, "x = 1");
    OK(s, "x = 2");
    OK(s, "x = 3\nprint(x)");
    FAILS(s, "x = = 4", "near"); /* never ran: nothing to undo */
    assert_true(undo());
    assert_string_equal(text_of("reply", "text"), "back to before: x = 3");
    assert_string_equal(
        ask_with(s, json_pack("{s:s, s:s, s:i}", "op", "complete", "code", "x", "pos", 1), collect, NULL),
        "ok");
    assert_true(undo());
    SHOWS(s, "x", "1"); /* itself a cell */
    assert_true(undo());
    assert_true(undo());
    assert_false(undo());
    FAILS(s, "x", "'x'");
    for (int i = 0; i < 20; i++) OK(s, "y = (rawget(_G, 'y') or 0) + 1");
    int steps = 0;
    while (undo()) steps++;
    assert_int_equal(steps, 8);
    SHOWS(s, "y", "12");
}

/* ---- input --------------------------------------------------------------------------------------------- */

static void answer(void *user, json_t *event) {
    collect(NULL, event);
    if (strcmp(json_string_value(json_object_get(event, "event")), "input_request") == 0) ses_input(s, user);
}

static void hang_up(void *user, json_t *event) {
    collect(user, event);
    if (strcmp(json_string_value(json_object_get(event, "event")), "input_request") == 0) ses_interrupt(s);
}

static void a_cell_may_ask(void **state) {
    (void)state;
    assert_string_equal(
        ask_with(s, eval_request("io.write('name? ') n = io.read() return 'hello ' .. n"), answer, "Ωmega"),
        "ok");
    assert_string_equal(result(), "hello Ωmega");
    assert_string_equal(printed("stdout"), "name? ");
    assert_string_equal(ask_with(s, eval_request("io.read('n') + 1"), answer, "41"), "ok");
    assert_string_equal(result(), "42");
    OK(s, "io.read()"); /* the rest of that line */
    assert_string_equal(result(), "");
    assert_string_equal(ask_with(s, eval_request("io.read()"), answer, NULL), "ok");
    assert_string_equal(result(), "nil");
    json_t *alone = eval_request("io.read()");
    json_object_set_new(alone, "interactive", json_false());
    assert_string_equal(ask_with(s, alone, answer, "unasked"), "ok");
    assert_null(event_of("input_request"));
    assert_string_equal(result(), "nil");
    assert_string_equal(ask_with(s, eval_request("while true do io.read() end"), hang_up, NULL),
                        "interrupted");
    SHOWS(s, "n", "Ωmega");
}

/* ---- order in the house -------------------------------------------------------------------------------- */

static int descriptors(void) {
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    if (!d) return -1;
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

/* Processes below this one, zombies included, whatever their parent; -1 without /proc. */
static int processes(void) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
    FILE *f = fopen(path, "r");
    int n = 0, pid;
    if (!f) return -1;
    while (fscanf(f, "%d", &pid) == 1) {
        n++;
        char below[64];
        snprintf(below, sizeof below, "/proc/%d/task/%d/children", pid, pid);
        FILE *g = fopen(below, "r");
        if (!g) continue;
        if (fgets(line, sizeof line, g))
            for (char *p = line; *p; p++) n += *p == ' ';
        fclose(g);
    }
    fclose(f);
    return n;
}

static void nothing_piles_up(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) OK(s, "x = 1");
    int fds = descriptors(), procs = processes();
    for (int i = 0; i < 200; i++) OK(s, "x = (x or 0) + 1");
    SHOWS(s, "x", "201");
    assert_int_equal(descriptors(), fds);
    usleep(50000); /* the last ones dropped are ending */
    OK(s, "x");
    assert_true(processes() <= procs + 1); /* the last one dropped may not be reaped yet */
    procs = processes();
    /* a child of the worker's inherits no more descriptors than one of this process's */
    int here = 0;
    char shown[16];
    FILE *ls = popen("ls /proc/self/fd | wc -l", "r");
    assert_int_equal(fscanf(ls, "%d", &here), 1);
    pclose(ls);
    snprintf(shown, sizeof shown, "%d", here);
    SHOWS(s, "io.popen('ls /proc/self/fd | wc -l'):read('n')", shown);
    for (int i = 0; i < 5; i++) assert_true(undo());
    for (int i = 0; i < 3; i++) assert_string_equal(killed("while true do end", SIGKILL), "died");
    usleep(50000);
    OK(s, "x = 1");
    assert_true(descriptors() <= fds);
    assert_true(processes() <= procs + 1);
}

static void closing_leaves_nothing(void **state) {
    (void)state;
    int fds = descriptors();
    ses *t = open_session(true, 3);
    for (int i = 0; i < 6; i++) OK(t, "x = 1");
    ses_close(t);
    assert_int_equal(descriptors(), fds);
    usleep(20000);
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG),
                     0); /* 0: a child that runs, the session of this test; -1 would be none */
}

/* The front end dies while a cell runs for ever: worker and snapshots go with it. */
static void orphans_do_not_stay(void **state) {
    (void)state;
    int pipe_fds[2], before = processes();
    assert_int_equal(pipe(pipe_fds), 0);
    pid_t front = fork();
    if (front == 0) {
        ses *t = open_session(true, 0);
        if (strcmp(eval(t, "x = 1"), "ok") != 0) _exit(1);
        int pid = ses_worker_pid(t);
        if (write(pipe_fds[1], &pid, sizeof pid) != sizeof pid) _exit(1);
        eval(t, "while true do end");
        _exit(0);
    }
    int pid = 0;
    close(pipe_fds[1]);
    assert_int_equal(read(pipe_fds[0], &pid, sizeof pid), sizeof pid);
    close(pipe_fds[0]);
    usleep(50000);
    kill(front, SIGKILL);
    waitpid(front, NULL, 0);
    bool gone = false;
    for (int i = 0; i < 1000 && !gone; i++) { /* a loaded machine is slow; who passes waits less */
        usleep(10000);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }                                                  /* orphans come to us, who are their reaper */
        gone = kill(pid, 0) != 0 && processes() == before; /* the snapshots too */
    }
    assert_true(gone);
}

static void odd_bytes_travel(void **state) {
    (void)state;
    OK(s, "print('a\\0b\\xff')");
    json_t *t = json_object_get(event_of("stream"), "text");
    assert_int_equal(json_string_length(t), 7);
    assert_memory_equal(json_string_value(t), "a\0b\xEF\xBF\xBD\n", 7);
    OK(s, "progress('x', -1/0)");
    assert_string_equal(text_of("progress", "fraction"), "-inf");
    json_t *drawn = eval_request(
        "setmetatable({}, {__mime = function() return {['image/png'] = string.rep('x', 70 * 2^20)} end})");
    json_object_set_new(drawn, "mime", json_pack("[s, s]", "text/plain", "image/png"));
    assert_string_equal(ask_with(s, drawn, collect, NULL),
                        "ok"); /* too large for one event: said, not fatal */
    assert_non_null(strstr(text_of("error", "message"), "MB"));
    SHOWS(s, "1", "1");
}

/* What nobody would read to its end is not sent: of a value or of an error a megabyte, and how much more there is. */
static void large_texts_are_cut(void **state) {
    (void)state;
    static const char *const rows[] = {"string.rep('x', 300 * 2^20)", "'x' .. string.rep('é', 50 * 2^20)",
                                       "{string.rep('x', 100 * 2^20)}", "string.rep('x', 100 * 2^20), 1"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(s, rows[i]);
        size_t n = strlen(result());
        if (n < 1 << 20 || n > (1 << 20) + 100 || !strstr(result() + (1 << 20) - 4, " more bytes, not shown"))
            fail_msg("%s: %zu bytes: %s", rows[i], n, result() + n - 40);
        assert_null(strstr(result(), "\xEF\xBF\xBD")); /* no character was cut in two */
    }
    json_t *zh = eval_request("string.rep('é', 2^20)");
    json_object_set_new(zh, "lang", json_string("zh"));
    assert_string_equal(ask_with(s, zh, collect, NULL), "ok");
    assert_non_null(strstr(result() + (1 << 20), "其余 1048576 字节没有显示"));
    assert_string_equal(eval(s, "error(string.rep('x', 100 * 2^20), 0)"), "error");
    assert_non_null(strstr(text_of("error", "message"), " more bytes, not shown"));
    SHOWS(s, "1", "1");
}

int main(void) {
#define EACH(f) cmocka_unit_test_setup_teardown(f, open_one, close_one)
    const struct CMUnitTest tests[] = {
        EACH(loops_are_interrupted),
        EACH(what_does_not_stop_is_ended),
        EACH(an_optimiser_keeps_the_best_so_far),
        EACH(an_interrupt_between_cells_is_nothing),
        EACH(an_interrupt_just_before_a_cell_is_for_it),
        EACH(a_death_costs_one_cell),
        EACH(a_death_while_nothing_runs_costs_nothing),
        EACH(the_end_of_a_cell_that_leaves),
        EACH(snapshots_that_are_gone),
        EACH(undo_goes_back_step_by_step),
        EACH(a_cell_may_ask),
        EACH(nothing_piles_up),
        EACH(closing_leaves_nothing),
        EACH(orphans_do_not_stay),
        EACH(odd_bytes_travel),
        EACH(large_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
