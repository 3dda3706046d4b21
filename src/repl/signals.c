/* signals.c: see signals.h. */
#include "repl/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t interrupt_seen, resize_seen, suspend_seen, leave_seen;
static volatile sig_atomic_t spent; /* an interrupt came during the request */
static ses *volatile target;        /* where Ctrl-C goes; read by the handler */
static sig_atomic_t earlier;        /* an interrupt came before they were held */
static bool editing;
static sigset_t outside; /* the mask before repl_signals_open */
static const int caught[] = {SIGINT, SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT};
static struct termios at_first; /* the terminal as it was when the editor began */
static bool has_terminal;

static void handle(int signo) {
    int saved = errno;
    ses *s = target;
    if (signo == SIGINT) {
        interrupt_seen = spent = 1;
        if (s) ses_interrupt(s);
    } else if (signo == SIGWINCH) {
        resize_seen = 1;
    } else if (signo == SIGTSTP) {
        suspend_seen = 1;
    } else {
        leave_seen = signo;
        if (s) ses_interrupt(s); /* so that the request ends, and with it the prompt */
    }
    errno = saved;
}

static sigset_t all(void) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaddset(&set, caught[i]);
    return set;
}

/* No SA_RESTART: a read for input_request has to end on Ctrl-C. */
static void catch_one(int signo, void (*how)(int)) {
    struct sigaction a = {.sa_handler = how};
    sigemptyset(&a.sa_mask);
    sigaction(signo, &a, NULL);
}

static void block(void) {
    sigset_t set = all();
    sigprocmask(SIG_BLOCK, &set, NULL);
    catch_one(SIGTSTP, handle);
}

/* Nothing has to be restored when a stop comes now. */
static void unblock(void) {
    catch_one(SIGTSTP, SIG_DFL);
    sigprocmask(SIG_SETMASK, &outside, NULL);
}

/* Whatever mode the editor was in; then the end that the crash would have been. */
static void crashed(int signo) {
    static const char off[] = "\033[?2004l\r\n"; /* pastes are not bracketed any more */
    if (has_terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &at_first);
        if (write(STDOUT_FILENO, off, strlen(off)) < 0) {
        }
    }
    raise(signo); /* SA_RESETHAND: nobody catches this one */
}

/* Where nobody else looks for crashes, as a sanitizer does. */
static void catch_crashes(void) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    has_terminal = tcgetattr(STDIN_FILENO, &at_first) == 0 && isatty(STDOUT_FILENO);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        struct sigaction now, a = {.sa_handler = crashed, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&a.sa_mask);
        if (sigaction(crashes[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(crashes[i], &a, NULL);
    }
}

void repl_signals_open(bool edits) {
    editing = edits;
    sigprocmask(SIG_BLOCK, NULL, &outside);
    catch_one(SIGINT, handle);
    if (!editing) return;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) catch_one(caught[i], handle);
    catch_one(SIGPIPE, SIG_IGN);
    catch_crashes();
    block();
}

void repl_signals_begin(ses *s) {
    interrupt_seen = spent = 0;
    ses_expect(s);
    target = s;
    if (editing) unblock();
}

void repl_signals_end(bool keep) {
    if (editing) block();
    target = NULL;
    interrupt_seen = 0; /* it was the request's */
    if (keep && spent) raise(SIGINT);
}

bool repl_signals_echoed(void) {
    bool seen = interrupt_seen != 0;
    interrupt_seen = 0;
    return seen;
}

bool repl_signals_wait(int fd, double seconds) {
    if (leave_seen) return false; /* it came before this */
    fd_set r;
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    FD_ZERO(&r);
    FD_SET(fd, &r);
    return pselect(fd + 1, &r, NULL, NULL, seconds < 0 ? NULL : &t, &outside) > 0;
}

bool repl_signals_hold(void) {
    if (!editing || !target) return false; /* they are held already */
    block();
    earlier = interrupt_seen;
    interrupt_seen = 0;
    return true;
}

void repl_signals_release(bool held) {
    if (!held) return;
    if (earlier) interrupt_seen = 1;
    unblock();
}

bool repl_signals_go_on(void) {
    if (interrupt_seen || leave_seen) return false;
    if (suspend_seen) {
        suspend_seen = 0;
        repl_signals_suspend();
    }
    return true;
}

signals_seen repl_signals_take(void) {
    signals_seen seen = {interrupt_seen, resize_seen, suspend_seen, leave_seen};
    interrupt_seen = resize_seen = suspend_seen = 0;
    return seen;
}

void repl_signals_suspend(void) {
    catch_one(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    unblock(); /* the stop happens here */
    block();
}
