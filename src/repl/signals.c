/* signals.c: see signals.h. */
#include "repl/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/select.h>

static volatile sig_atomic_t interrupt_seen, resize_seen, suspend_seen, leave_seen;
static volatile sig_atomic_t spent; /* an interrupt came during the request */
static ses *volatile target;        /* where Ctrl-C goes; read by the handler */
static bool editing;
static sigset_t outside; /* the mask before repl_signals_open */
static const int caught[] = {SIGINT, SIGWINCH, SIGTSTP, SIGTERM, SIGHUP};

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

void repl_signals_open(bool edits) {
    editing = edits;
    sigprocmask(SIG_BLOCK, NULL, &outside);
    catch_one(SIGINT, handle);
    if (!editing) return;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) catch_one(caught[i], handle);
    catch_one(SIGPIPE, SIG_IGN);
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

bool repl_signals_wait(int fd) {
    fd_set r;
    FD_ZERO(&r);
    FD_SET(fd, &r);
    return pselect(fd + 1, &r, NULL, NULL, NULL, &outside) > 0;
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
