/* The terminal is as it was before phasor, whatever ended or stopped it and whatever it was doing: its modes, and what was switched on in the
 * terminal itself. (After kill -9 of the front end nobody is left who could restore it.)
 * Sources: repl/signals.c repl/keys.c repl/request.c repl/edit_readline.c */
#include <fcntl.h>
#include <termios.h>

#include "drive.h"

/* ---- a shell that restores nothing --------------------------------------------------------------------- */

/* What it tells: 'p' and the process, 's' stopped, 'e' ended and how. It goes on with a stopped one when it is told 'c'. */
typedef struct {
    term t;
    int told, tell;
    pid_t front;
    struct termios before;
} shell;

static void say(int fd, char what, int value) {
    char m[8] = {what};
    memcpy(m + 4, &value, sizeof value);
    if (write(fd, m, sizeof m) != (ssize_t)sizeof m) _exit(3);
}

static char hear(shell *s, int *value) {
    char m[8];
    for (long until = milliseconds() + PATIENCE_MS; milliseconds() < until;) {
        struct pollfd p = {s->told, POLLIN, 0};
        if (poll(&p, 1, 20) == 1) {
            assert_int_equal(read(s->told, m, sizeof m), sizeof m);
            memcpy(value, m + 4, sizeof *value);
            return m[0];
        }
        term_read(&s->t, 0);
    }
    dump(&s->t);
    fail_msg("neither stopped nor ended");
    return 0;
}

/* In the leader of the session: the program in a group of its own, as a shell has it. */
static _Noreturn void lead(int tell, int told) {
    char go;
    int status;
    signal(SIGTTOU, SIG_IGN);
    pid_t pid = fork();
    if (pid == 0) {
        char *argv[] = {(char *)phasor(), NULL};
        setpgid(0, 0);
        tcsetpgrp(STDIN_FILENO, getpid());
        signal(SIGTTOU, SIG_DFL);
        execv(argv[0], argv);
        _exit(127);
    }
    setpgid(pid, pid);
    say(tell, 'p', (int)pid);
    for (;;) {
        if (waitpid(pid, &status, WUNTRACED) != pid) _exit(4);
        tcsetpgrp(STDIN_FILENO, getpid());
        say(tell, WIFSTOPPED(status) ? 's' : 'e',
            WIFEXITED(status)     ? WEXITSTATUS(status)
            : WIFSIGNALED(status) ? 256 + WTERMSIG(status)
                                  : 0);
        if (read(told, &go, 1) != 1) _exit(0);
        tcsetpgrp(STDIN_FILENO, pid);
        kill(-pid, SIGCONT);
    }
}

static shell *start(void) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    int up[2], down[2], pid;
    shell *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_int_equal(pipe(up) | pipe(down), 0);
    s->t.pid = forkpty(&s->t.fd, NULL, NULL, &size);
    assert_true(s->t.pid >= 0);
    if (s->t.pid == 0) {
        char ready;
        close(up[0]), close(down[1]);
        if (read(down[0], &ready, 1) != 1) _exit(5);
        fcntl(up[1], F_SETFD, FD_CLOEXEC), fcntl(down[0], F_SETFD, FD_CLOEXEC);
        lead(up[1], down[0]);
    }
    close(up[1]), close(down[0]);
    s->told = up[0], s->tell = down[1];
    s->t.seen = calloc(1, 1);
    assert_int_equal(tcgetattr(s->t.fd, &s->before), 0);
    assert_int_equal(write(s->tell, "r", 1), 1);
    assert_int_equal(hear(s, &pid), 'p');
    s->front = pid;
    expect_prompt(&s->t);
    return s;
}

/* Is what `on` switches on in the terminal switched off again? */
static bool is_off(const term *t, const char *on, const char *off) {
    const char *last_on = NULL, *last_off = NULL;
    for (const char *p = t->seen; (p = strstr(p, on)); p++) last_on = p;
    for (const char *p = t->seen; (p = strstr(p, off)); p++) last_off = p;
    return !last_on || (last_off && last_off > last_on);
}

static void is_as_before(shell *s, const char *where) {
    struct termios now;
    for (int i = 0; i < 5; i++) term_read(&s->t, 10);
    assert_int_equal(tcgetattr(s->t.fd, &now), 0);
    now.c_lflag &= ~(tcflag_t)PENDIN; /* the kernel's own note, not a mode */
    if (now.c_lflag != s->before.c_lflag || now.c_iflag != s->before.c_iflag ||
        now.c_oflag != s->before.c_oflag || now.c_cflag != s->before.c_cflag ||
        memcmp(now.c_cc, s->before.c_cc, sizeof now.c_cc) != 0) {
        dump(&s->t);
        fail_msg("%s: modes %x %x %x, before %x %x %x", where, now.c_lflag, now.c_iflag, now.c_oflag,
                 s->before.c_lflag, s->before.c_iflag, s->before.c_oflag);
    }
    if (!is_off(&s->t, "\033[?2004h", "\033[?2004l")) {
        dump(&s->t);
        fail_msg("%s: pastes stay bracketed", where);
    }
}

static void finish(shell *s) {
    int status;
    close(s->tell); /* the leader ends */
    kill(s->front, SIGKILL);
    waitpid(s->t.pid, &status, 0);
    close(s->told), close(s->t.fd);
    free(s->t.seen), free(s);
}

/* ---- what it may be doing ------------------------------------------------------------------------------ */

static const struct {
    const char *name, *typed, *shown; /* shown: it has begun */
    const char *on;                   /* what is typed to go on behind a stop, and what is shown then */
    const char *goes;
} doings[] = {
    {"a line", "1 + ", "1 + ", "1\r", "2"},
    {"a cell", "print 'begun' while true do end\r", "begun\r", "\003", "interrupted"},
    {"pages", "require 'phasor.session'.page() for i = 1, 90 do print('line', i) end\r", MORE_PAGES, "q",
     NULL},
    {"a key", "print 'begun' print('got ' .. require 'phasor.session'.key())\r", "begun\r", "x", "got x"},
    {"vary", "vary(function(p) return 'square ' .. p.n^2 end, {n = {1, 5}})\r", "square 9", "\033[C",
     "square 16"},
    {"a secret", "print('got ' .. ask('word? ', true))\r", "word? ", "abc\r", "got abc"},
};
#define DOINGS (sizeof doings / sizeof *doings)

static shell *doing(size_t i) {
    shell *s = start();
    type(&s->t, doings[i].typed);
    if (strstr(doings[i].typed, "\r")) expect(&s->t, RUNS);
    expect(&s->t, doings[i].shown);
    usleep(50000); /* it waits by now */
    return s;
}

static void ended_by(int signal_number) {
    for (size_t i = 0; i < DOINGS; i++) {
        int status;
        shell *s = doing(i);
        kill(s->front, signal_number);
        char what = hear(s, &status);
        if (what != 'e' || status != 128 + signal_number) {
            dump(&s->t);
            fail_msg("%s, signal %d: %c %d", doings[i].name, signal_number, what, status);
        }
        is_as_before(s, doings[i].name);
        finish(s);
    }
}

static void it_is_told_to_end(void **state) {
    (void)state;
    ended_by(SIGTERM);
}
static void its_terminal_is_hung_up(void **state) {
    (void)state;
    ended_by(SIGHUP);
}
static void ctrl_backslash(void **state) {
    (void)state;
    ended_by(SIGQUIT);
}

#ifdef __SANITIZE_ADDRESS__ /* a sanitizer ends the program itself at a bad address */
#define CRASH SIGABRT
#else
#define CRASH SIGSEGV
#endif

static void it_crashes(void **state) {
    (void)state;
    for (size_t i = 0; i < DOINGS; i++) {
        int status;
        shell *s = doing(i);
        kill(s->front, CRASH);
        assert_int_equal(hear(s, &status), 'e');
        assert_true(status != 0); /* a sanitizer gives a status of its own */
        is_as_before(s, doings[i].name);
        finish(s);
    }
}

/* A stop leaves the terminal to the shell as it was; what was under way goes on behind it. */
static void it_is_stopped_and_goes_on(void **state) {
    (void)state;
    for (size_t i = 0; i < DOINGS; i++) {
        int status;
        shell *s = doing(i);
        type(&s->t, "\032");
        char what = hear(s, &status);
        if (what != 's') {
            dump(&s->t);
            fail_msg("%s: %c %d", doings[i].name, what, status);
        }
        is_as_before(s, doings[i].name);
        assert_int_equal(write(s->tell, "c", 1), 1);
        usleep(100000);
        type(&s->t, doings[i].on);
        if (doings[i].goes) expect(&s->t, doings[i].goes);
        if (strcmp(doings[i].name, "vary") == 0) type(&s->t, "q");
        expect_prompt(&s->t);
        type(&s->t, ":quit\r");
        assert_int_equal(hear(s, &status), 'e');
        assert_int_equal(status, 0);
        is_as_before(s, doings[i].name);
        finish(s);
    }
}

static pid_t child_of(pid_t pid) {
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &child), 1);
    fclose(f);
    return child;
}

static void its_worker_is_killed(void **state) {
    (void)state;
    for (size_t i = 0; i < DOINGS; i++) {
        int status;
        shell *s = doing(i);
        kill(child_of(s->front), SIGKILL);
        usleep(100000);
        type(&s->t, doings[i].on); /* who waits for a key finds out then */
        if (i) expect_prompt(&s->t);
        type(&s->t, "\r");
        expect_prompt(&s->t);
        type(&s->t, ":quit\r");
        assert_int_equal(hear(s, &status), 'e');
        assert_int_equal(status, 0);
        is_as_before(s, doings[i].name);
        finish(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(it_is_told_to_end), CASE(its_terminal_is_hung_up),   CASE(ctrl_backslash),
        CASE(it_crashes),        CASE(it_is_stopped_and_goes_on), CASE(its_worker_is_killed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
