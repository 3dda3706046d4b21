/* serve.c: the worker's side of the wire.
 *
 * Behind each cell the worker forks a snapshot S of itself with a socket pair of its own (before it, where there is none of that state).
 * The far end goes to the front end; S closes the worker's socket, so the end of that socket means that the worker is gone and nothing
 * else. S sleeps until "resume" (then it *is* the worker, with a snapshot of its own) or until the front end closes its end (then it
 * exits). So a worker that dies while it waits loses nothing, and one that dies in a cell no more than that cell.
 */
#include "worker/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "session/core.h"
#include "worker/wire.h"

#define CHILDREN 64

typedef struct {
    wire w;
    pid_t front;              /* the front end's process */
    bool heard;               /* the front end reads what comes out of descriptors 1 and 2 */
    pid_t children[CHILDREN]; /* snapshots, to be reaped when they have gone */
    int nchildren;
    bool copied; /* the front end has a snapshot of the state as it is */
} worker;

/* ---- the process --------------------------------------------------------------------------------------- */

static void on_interrupt(int signal_number) {
    (void)signal_number;
    ses_stop(SES_INTERRUPTED);
}

/* The end of this process and of the programs that its cells have left running. */
static _Noreturn void leave(int signal_number) {
    (void)signal_number;
    if (getpgrp() == getpid()) kill(0, SIGKILL);
    _exit(0);
}

/* Goes when the front end goes, even out of an endless loop, and takes its programs along. Only Linux can ask for that. */
static void go_with(pid_t front) {
#ifdef __linux__
    if (getppid() == front) prctl(PR_SET_PDEATHSIG, SIGHUP);
    if (getppid() != front && getppid() == 1) leave(SIGHUP);
#else
    (void)front;
#endif
}

static void become_worker(worker *k) {
    struct sigaction sa = {.sa_handler = on_interrupt};
    sigemptyset(&sa.sa_mask);
    setpgid(0, 0); /* the terminal's Ctrl-C is for the front end, which passes it on */
    sigaction(SIGINT, &sa, NULL);
    sigset_t asked;
    sigemptyset(&asked);
    sigaddset(&asked, SIGINT);
    sigaddset(&asked, SIGHUP);
    sigprocmask(SIG_UNBLOCK, &asked, NULL);
    signal(SIGPIPE, SIG_IGN);
    /* a handler of the front end's has no business here: a crash must be the end of the process */
    static const int plain[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGQUIT};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) signal(plain[i], SIG_DFL);
    signal(SIGHUP, leave);
    go_with(k->front);
}

static void quiet_stdin(void) {
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0 && null != 0) {
        dup2(null, 0);
        close(null);
    }
}

/* When memory runs out in the machine, this process goes first and not the terminal. */
static void offer_to_oom(void) {
#ifdef __linux__
    FILE *f = fopen("/proc/self/oom_score_adj", "w");
    if (!f) return;
    fputs("500", f);
    fclose(f);
#endif
}

/* ---- host functions ------------------------------------------------------------------------------------ */

static bool is_event(const json_t *event, const char *kind) {
    const char *name = json_string_value(json_object_get(event, "event"));
    return name && strcmp(name, kind) == 0;
}

/* What a program of the cell has written is read before the cell goes on, so that it stands where it was written. Not for ever: one
 * that was left running may write on and on. */
static void wait_until_heard(void) {
    for (int i = 0; i < 400; i++) {
        int out = 0, err = 0;
        if (ioctl(STDOUT_FILENO, FIONREAD, &out) != 0 || ioctl(STDERR_FILENO, FIONREAD, &err) != 0) return;
        if (out + err == 0 || ses_stopping() != SES_RUN) return;
        usleep(500);
    }
}

static void emit(void *user, json_t *event) {
    worker *k = user;
    ph_err err;
    if (is_event(event, "done"))
        fflush(NULL); /* what a library has printed is out before the cell has ended */
    ph_status st = wrk_wire_send(&k->w, json_incref(event), -1, &err);
    if (st == PH_EIO) _exit(0); /* no one listens any more */
    if (k->heard && is_event(event, "outside")) wait_until_heard();
    if (st == PH_OK) return;
    json_t *say = json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:[]}", "event", "error", "message", err.text,
                            "name", "session", "line", 0, "column", 0, "source", "", "traceback");
    if (wrk_wire_send(&k->w, say, -1, &err) != PH_OK) _exit(1);
}

/* Waits until the socket can be read; false when an interrupt came first, however close before the wait. */
static bool wait_readable(int fd) {
    sigset_t interrupt, before;
    fd_set set;
    bool ready = false;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    while (!ready && ses_stopping() == SES_RUN) {
        FD_ZERO(&set);
        FD_SET(fd, &set);
        ready = pselect(fd + 1, &set, NULL, NULL, NULL, &before) > 0;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready;
}

static bool is_op(const json_t *m, const char *name) {
    const char *s = json_string_value(json_object_get(m, "op"));
    return s && strcmp(s, name) == 0;
}

static char *read_line(void *user, ses_core *c, json_t *question) {
    worker *k = user;
    ph_err err;
    if (question) json_object_set_new(question, "event", json_string("input_request"));
    ses_emit(c, question);
    for (;;) {
        json_t *m = NULL;
        if (wrk_wire_take(&k->w, &m, &err) != PH_OK) _exit(0);
        if (!m) {
            if (!wait_readable(k->w.fd)) return NULL;
            ph_status st = wrk_wire_fill(&k->w, &err);
            if (st != PH_OK && st != PH_EINTR) _exit(0);
            continue;
        }
        const char *text = json_string_value(json_object_get(m, "text"));
        bool reply = is_op(m, "input_reply");
        char *line = reply && text ? ph_alloc(strlen(text) + 2) : NULL;
        if (line) sprintf(line, "%s\n", text);
        json_decref(m);
        if (reply) return line;
    }
}

/* A child for a trial: the end of the worker must not wait for it. */
static void forked(void *user) {
    worker *k = user;
    wrk_wire_close(&k->w);
}

/* ---- snapshots ----------------------------------------------------------------------------------------- */

static void reap(worker *k) {
    int left = 0;
    for (int i = 0; i < k->nchildren; i++)
        if (waitpid(k->children[i], NULL, WNOHANG) == 0) k->children[left++] = k->children[i];
    k->nchildren = left;
}

/* In the snapshot: sleeps; returns when it has become the worker. */
static void sleep_as_snapshot(worker *k, int fd) {
    ph_err err;
    json_t *m;
    setpgid(0, 0);
    wrk_wire_close(&k->w);
    wrk_wire_init(&k->w, fd);
    k->nchildren = 0;
    if (wrk_wire_next(&k->w, &m, false, &err) != PH_OK) _exit(0);
    json_decref(m);
    become_worker(k);
}

typedef enum {
    COPIED,
    REFUSED,
    RESUMED
} outcome; /* RESUMED: this process is the snapshot, and the worker now */

static outcome fork_snapshot(worker *k, const char **why) {
    int pair[2];
    ph_err err;
    reap(k);
    fflush(NULL); /* else both would write what is buffered */
    *why = "too many are kept";
    if (k->nchildren == CHILDREN || wrk_wire_pair(pair, &err) != PH_OK) return REFUSED;
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        sleep_as_snapshot(k, pair[1]);
        return RESUMED;
    }
    *why = strerror(errno);
    close(pair[1]);
    if (pid > 0) {
        setpgid(pid, pid); /* at once: the end of this process's group must not be the snapshot's */
        k->children[k->nchildren++] = pid;
        json_t *m = json_pack("{s:s, s:i}", "event", "snapshot", "pid", (int)pid);
        if (wrk_wire_send(&k->w, m, pair[0], &err) == PH_EIO) _exit(0);
    }
    close(pair[0]);
    return pid > 0 ? COPIED : REFUSED;
}

/* Whoever is resumed makes one in its turn, before it says that it waits. */
static outcome snapshot(worker *k, const char **why) {
    ph_err err;
    outcome o = fork_snapshot(k, why);
    bool resumed = o == RESUMED;
    while (o == RESUMED) o = fork_snapshot(k, why);
    k->copied = o == COPIED;
    if (!resumed) return o;
    if (wrk_wire_send(&k->w, json_pack("{s:s}", "event", "resumed"), -1, &err) != PH_OK) _exit(0);
    return RESUMED;
}

static void no_snapshot(ses_core *c, const char *why) {
    char text[200];
    snprintf(text, sizeof text, "no snapshot before this cell (%s): :undo will not bring it back", why);
    ses_emit(c, json_pack("{s:s, s:s}", "event", "notice", "text", text));
}

static bool before_run(void *user, ses_core *c, const char *code) {
    worker *k = user;
    const char *why;
    ph_err err;
    if (!k->copied) {
        outcome o = snapshot(k, &why);
        if (o == RESUMED) return false;
        if (o == REFUSED) no_snapshot(c, why);
    }
    if (k->copied) {
        json_t *m =
            json_pack("{s:s, s:o}", "event", "begins", "code", ses_json_text(code, strcspn(code, "\r\n")));
        if (wrk_wire_send(&k->w, m, -1, &err) == PH_EIO) _exit(0);
    }
    k->copied = false;
    return true;
}

/* Where the system refuses a snapshot, the next cell asks again, and says so. */
static bool after_run(void *user) {
    const char *why;
    return snapshot(user, &why) != RESUMED;
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

static void refuse_to_open(worker *k, const ph_err *why) {
    ph_err err;
    json_t *m =
        json_pack("{s:s, s:o}", "event", "failed", "text", ses_json_text(why->text, strlen(why->text)));
    if (wrk_wire_send(&k->w, m, -1, &err) != PH_OK) _exit(1);
    _exit(0);
}

_Noreturn void wrk_serve(int fd, const wrk_options *opt) {
    static worker k; /* static: one per process, and alive in every snapshot */
    ses_core *c;
    ph_err err;
    json_t *m;
    k.front = getppid();
    k.heard = opt->out > 0 && opt->err > 0;
    wrk_wire_init(&k.w, fd);
    quiet_stdin();
    offer_to_oom();
    become_worker(&k);
    ses_host host = {emit, before_run, after_run, read_line, forked, &k};
    const ses_options options = {.startup = opt->startup, .functions = wrk_functions};
    if (ses_core_open(&c, &options, &host, &err) != PH_OK) refuse_to_open(&k, &err);
    if (wrk_wire_send(&k.w, json_pack("{s:s}", "event", "ready"), -1, &err) != PH_OK) _exit(0);
    while (wrk_wire_next(&k.w, &m, false, &err) == PH_OK) {
        if (is_op(m, "close")) {
            ses_core_close(c);
            fflush(NULL);
            _exit(0);
        }
        if (json_is_true(json_object_get(m, "aside")))
            k.copied = false;                                 /* it may leave something, and makes none */
        if (!is_op(m, "input_reply")) ses_core_request(c, m); /* a late reply answers nothing */
        json_decref(m);
    }
    leave(SIGHUP); /* the front end is gone */
}
