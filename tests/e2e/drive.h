/* drive.h: the real binary, driven as a person would: through a pseudo-terminal, or through pipes. $PHASOR
 * names it (scripts/test says which one was built). */
#ifndef TESTS_E2E_DRIVE_H
#define TESTS_E2E_DRIVE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <util.h>
#else
#include <pty.h>
#endif

#define PATIENCE_MS 90000 /* a loaded machine with sanitizers is slow; a passing test never waits so long */
#define UNUSED      __attribute__((unused))

static char home[64]; /* of the case: HOME and XDG_STATE_HOME */

/* ---- a place for each case ----------------------------------------------------------------------------- */

static UNUSED int set_up(void **state) {
    (void)state;
    strcpy(home, "/tmp/phasor-e2e-XXXXXX");
    if (!mkdtemp(home)) return -1;
    setenv("HOME", home, 1);
    setenv("XDG_STATE_HOME", home, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("INPUTRC", "/dev/null", 1);
    unsetenv("NO_COLOR");
    unsetenv("COLORTERM");
    unsetenv("PHASOR_GRAPHICS");
    unsetenv("PHASOR_HISTORY");
    return 0;
}

static UNUSED int tear_down(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    return system(command);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

static const char *phasor(void) {
    const char *path = getenv("PHASOR");
    return path ? path : "build/phasor";
}

static long milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000L + t.tv_nsec / 1000000L;
}

/* ---- a terminal ---------------------------------------------------------------------------------------- */

typedef struct {
    int fd;
    pid_t pid;
    char *seen;     /* everything shown, NUL-terminated */
    size_t n, mark; /* expect looks behind the mark, and moves it */
} term;

/* Starts phasor with arguments (ended by NULL, without the name) on a terminal of 80 × 24. */
static UNUSED term *term_open(char *const *args) {
    char *argv[16] = {(char *)phasor()};
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    term *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (int i = 0; args && args[i]; i++) argv[i + 1] = args[i];
    t->pid = forkpty(&t->fd, NULL, NULL, &size);
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        execv(argv[0], argv);
        _exit(127);
    }
    t->seen = calloc(1, 1);
    return t;
}

/* Control characters made visible, for a message. */
static void dump(const term *t) {
    fputs("---- the terminal showed:\n", stderr);
    for (size_t i = 0; i < t->n; i++) {
        unsigned char c = (unsigned char)t->seen[i];
        if (c == 27) fputs("<esc>", stderr);
        else if (c < ' ' && c != '\n') fprintf(stderr, "<%02x>", c);
        else fputc(c, stderr);
    }
    fputs("\n----\n", stderr);
}

/* Takes what comes within ms; false at the end of the terminal. */
static bool term_read(term *t, int ms) {
    char buffer[4096];
    struct pollfd p = {t->fd, POLLIN, 0};
    if (poll(&p, 1, ms) <= 0) return true;
    ssize_t got = read(t->fd, buffer, sizeof buffer);
    if (got <= 0) return got < 0 && errno == EINTR;
    t->seen = realloc(t->seen, t->n + (size_t)got + 1);
    assert_non_null(t->seen);
    memcpy(t->seen + t->n, buffer, (size_t)got);
    t->n += (size_t)got;
    t->seen[t->n] = '\0';
    return true;
}

/* Waits for a text behind the mark; the mark goes behind it. */
static UNUSED void expect(term *t, const char *text) {
    long until = milliseconds() + PATIENCE_MS;
    for (;;) {
        char *found = strstr(t->seen + t->mark, text);
        if (found) {
            t->mark = (size_t)(found - t->seen) + strlen(text);
            return;
        }
        if (milliseconds() < until && term_read(t, 100)) continue;
        dump(t);
        fail_msg("the terminal never showed \"%s\"", text);
    }
}

/* Readline switches bracketed paste on when it begins to read. */
#define PROMPT "\033[?2004h"
static UNUSED void expect_prompt(term *t) { expect(t, PROMPT); }

static UNUSED void type(term *t, const char *keys) {
    size_t n = strlen(keys);
    while (n > 0) {
        ssize_t w = write(t->fd, keys, n);
        assert_true(w > 0);
        keys += w, n -= (size_t)w;
    }
}

/* The same where what is shown may come in pages: each is turned. */
#define MORE_PAGES    "\xe2\x94\x80\xe2\x94\x80 Enter: next page"
#define MORE_PAGES_ZH "── 回车：下一页"
static UNUSED void expect_prompt_by_pages(term *t) {
    size_t turned = t->mark;
    long until = milliseconds() + PATIENCE_MS;
    while (!strstr(t->seen + t->mark, PROMPT)) {
        char *page = strstr(t->seen + turned, MORE_PAGES), *other = strstr(t->seen + turned, MORE_PAGES_ZH);
        if (!page || (other && other < page)) page = other;
        if (page) {
            turned = (size_t)(page - t->seen) + strlen(MORE_PAGES_ZH);
            type(t, " ");
        }
        if (milliseconds() > until || !term_read(t, 100)) break;
    }
    expect_prompt(t);
}

/* An input and its Enter; then something that has to be shown among what follows (NULL: anything), and the
 * next prompt. */
#define RUNS "\033[?2004l\r" /* Readline leaves the line to the program */
static UNUSED void enter(term *t, const char *input, const char *shown) {
    type(t, input);
    type(t, "\r");
    expect(t, RUNS);
    if (shown) expect(t, shown);
    expect_prompt(t);
}

/* The same; what is shown before the next prompt is exactly this. */
static UNUSED void gives(term *t, const char *input, const char *shown) {
    type(t, input);
    type(t, "\r");
    expect(t, RUNS);
    size_t from = t->mark;
    expect_prompt(t);
    size_t n = t->mark - strlen(PROMPT) - from;
    if (n == strlen(shown) && memcmp(t->seen + from, shown, n) == 0) return;
    dump(t);
    fail_msg("%s gives \"%.*s\", not \"%s\"", input, (int)n, t->seen + from, shown);
}

/* The text did not appear since the mark `from`. */
static UNUSED void expect_none(const term *t, size_t from, const char *text) {
    if (!strstr(t->seen + from, text)) return;
    dump(t);
    fail_msg("the terminal showed \"%s\"", text);
}

/* Waits for the end; returns the exit status, or 256 + the signal. */
static UNUSED int term_close(term *t) {
    long until = milliseconds() + PATIENCE_MS;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(t->pid, &status, WNOHANG)) == 0 && milliseconds() < until) term_read(t, 20);
    if (ended == 0) {
        dump(t);
        kill(t->pid, SIGKILL);
        waitpid(t->pid, &status, 0);
        fail_msg("phasor does not end");
    }
    close(t->fd);
    free(t->seen);
    free(t);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* A session with the first prompt shown; and its end by Ctrl-D. */
static UNUSED term *term_at_prompt(void) {
    term *t = term_open(NULL);
    expect_prompt(t);
    return t;
}
static UNUSED void term_leave(term *t) {
    type(t, "\004");
    assert_int_equal(term_close(t), 0);
}

/* ---- pipes --------------------------------------------------------------------------------------------- */

typedef struct {
    int status;
    char out[65536], err[65536]; /* NUL-terminated; longer output is cut */
} outcome;

static void read_back(FILE *f, char *text, size_t size) {
    rewind(f);
    text[fread(text, 1, size - 1, f)] = '\0';
    fclose(f);
}

/* Runs phasor with arguments (ended by NULL) and an input. */
static UNUSED outcome *run(const char *input, char *const *args) {
    static outcome o;
    char *argv[16] = {(char *)phasor()};
    FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
    assert_true(in && out && err);
    fputs(input, in);
    rewind(in);
    for (int i = 0; args[i]; i++) argv[i + 1] = args[i];
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(fileno(in), 0), dup2(fileno(out), 1), dup2(fileno(err), 2);
        execv(argv[0], argv);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
    fclose(in);
    read_back(out, o.out, sizeof o.out);
    read_back(err, o.err, sizeof o.err);
    return &o;
}

#define ARGS(...) ((char *[]){__VA_ARGS__, NULL})
#define NO_ARGS   ((char *[]){NULL})

static UNUSED void expect_in(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

#endif
