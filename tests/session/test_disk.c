/* Locks of files, between processes: who has one, who may share it, who waits, and what is no lock.
 * Sources: session/disk.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "folder.h"
#include "session/core.h"

static lua_State *L;

static int enter(void **state) {
    L = luaL_newstate();
    luaL_openlibs(L);
    lua_register(L, "lock", ses_lock);
    lua_register(L, "unlock", ses_unlock);
    lua_register(L, "program", ses_program);
    return enter_folder(state);
}
static int leave(void **state) {
    lua_close(L);
    return leave_folder(state);
}

/* The values of an expression as text, "nil another process is writing there true"; what it raised. */
static const char *value(const char *code) {
    static char text[400];
    lua_settop(L, 0);
    (void)luaL_loadstring(
        L,
        "local code = ... local f = load('return ' .. code) local t = table.pack(pcall(f)) "
        "for i = 2, t.n do t[i] = type(t[i]) == 'userdata' and 'held' or tostring(t[i]) end return table.concat(t, ' ', 2, t.n)");
    lua_pushstring(L, code);
    lua_call(L, 1, 1);
    snprintf(text, sizeof text, "%s", lua_tostring(L, -1));
    return text;
}

/* Another process, which evaluates the code and, at *go, a pipe that it reads, ends. What the code gave comes through `said`. */
typedef struct {
    pid_t pid;
    int go;
} other;
static other elsewhere(const char *code, char *said, size_t cap) {
    int out[2], in[2];
    other o;
    assert_true(pipe(out) == 0 && pipe(in) == 0);
    o.pid = fork();
    assert_true(o.pid >= 0);
    if (o.pid == 0) {
        char wait;
        close(in[1]);
        const char *text = value(code);
        if (write(out[1], text, strlen(text)) < 0 || read(in[0], &wait, 1) < 0) _exit(1);
        _exit(0);
    }
    close(out[1]), close(in[0]);
    const ssize_t n = read(out[0], said, cap - 1);
    assert_true(n >= 0);
    said[n] = 0;
    close(out[0]);
    o.go = in[1];
    return o;
}
static void end(other o) {
    close(o.go);
    assert_int_equal(waitpid(o.pid, NULL, 0), o.pid);
}
#define ELSEWHERE(code, want)                                                                                \
    do {                                                                                                     \
        char said_[400];                                                                                     \
        end(elsewhere(code, said_, sizeof said_));                                                           \
        assert_string_equal(said_, want);                                                                    \
    } while (0)

#define TAKEN "nil another process is writing there true"

static void one_has_it_or_all_share_it(void **state) {
    (void)state;
    assert_string_equal(value("(function() h = lock('new/a.lock') return h end)()"),
                        "held"); /* folders are made */
    ELSEWHERE("lock('new/a.lock')", TAKEN);
    ELSEWHERE("lock('new/a.lock', 'shared')", TAKEN);
    assert_string_equal(value("unlock(h)"), "");
    assert_string_equal(value("unlock(h)"), ""); /* once more is fine */
    ELSEWHERE("lock('new/a.lock')", "held");
    assert_string_equal(value("(function() h = lock('new/a.lock', 'shared') return h end)()"), "held");
    ELSEWHERE("lock('new/a.lock', 'shared')", "held");
    ELSEWHERE("lock('new/a.lock')", TAKEN);
    assert_string_equal(value("unlock(h)"), "");
    struct stat s;
    assert_int_equal(stat("new/a.lock", &s), 0);
    assert_int_equal(s.st_mode & 077, 0); /* nobody else's business */
    assert_non_null(strstr(value("unlock(5)"), "phasor.lock expected, got number"));
}

/* A lock goes with its process, however that ends. */
static void a_killed_process_lets_go(void **state) {
    (void)state;
    char said[400];
    other o = elsewhere("(function() h = lock('b.lock') return h end)()", said, sizeof said);
    assert_string_equal(said, "held");
    assert_string_equal(value("lock('b.lock')"), TAKEN);
    assert_int_equal(kill(o.pid, SIGKILL), 0);
    end(o);
    assert_string_equal(value("lock('b.lock')"), "held");
}

static pid_t to_end;
static void let_go(int signo) {
    (void)signo;
    kill(to_end, SIGKILL);
}
static void interrupted(int signo) {
    (void)signo;
    ph_interrupt_flag = 1;
}

/* Who waits has it as soon as it is free, and not before; or hears an interrupt. */
static void waiting_ends(void **state) {
    (void)state;
    char said[400];
    struct timespec before, after;
    other o = elsewhere("(function() h = lock('c.lock') return h end)()", said, sizeof said);
    assert_string_equal(said, "held");
    signal(SIGALRM, interrupted);
    ualarm(120000, 0);
    assert_string_equal(value("lock('c.lock', 'wait')"), "nil interrupted false");
    ph_interrupt_flag = 0;
    to_end = o.pid;
    signal(SIGALRM, let_go);
    clock_gettime(CLOCK_MONOTONIC, &before);
    ualarm(200000, 0);
    assert_string_equal(value("lock('c.lock', 'wait')"), "held");
    clock_gettime(CLOCK_MONOTONIC, &after);
    const double took =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    assert_true(took >= 0.19); /* the alarm may come a little early */
    signal(SIGALRM, SIG_DFL);
    end(o);
}

static void what_is_no_lock_says_why(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(mkdir("folder", 0700), 0);
    FILE *f = fopen("file", "w");
    assert_non_null(f);
    fclose(f);
    assert_string_equal(value("lock('pipe')"), "nil Invalid argument false");
    assert_string_equal(value("lock('folder')"), "nil Is a directory false");
    assert_string_equal(value("lock('file/x/y.lock')"), "nil Not a directory false");
}

static void the_program_knows_itself(void **state) {
    (void)state;
    char want[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", want, sizeof want - 1);
    if (n < 0) skip(); /* no /proc here */
    want[n] = 0;
    assert_string_equal(value("program()"), want);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, enter, leave)
    const struct CMUnitTest tests[] = {T(one_has_it_or_all_share_it), T(a_killed_process_lets_go),
                                       T(waiting_ends), T(what_is_no_lock_says_why),
                                       T(the_program_knows_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
