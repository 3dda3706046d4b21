/* client.c: the front end's side: one worker, its snapshots (lineage.c), and what to do when the worker is gone.
 *
 * Invariant: between requests `w` leads to a worker that waits. The front end becomes the reaper of orphans (Linux), so that snapshots
 * whose worker has died leave no zombies.
 */
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "worker/lineage.h"
#include "worker/serve.h"
#include "worker/wire.h"

#define UNDO_DEPTH 8
#define GRACE      2.0 /* seconds between an interrupt and the end of the worker */
#define REMIND     0.2 /* an interrupt is repeated: a child process may have caught the first one */
#define LEAVE      1.0 /* seconds a worker has to close its state */

enum {
    NOTHING,
    COMING,
    EARLY
}; /* no request, one is about to be made, and its interrupt has come before it */

typedef struct {
    wrk_options opt;
    wire w;
    volatile pid_t pid; /* read by interrupt() */
    lineage kept;
    int wake[2]; /* pipe: interrupt() wakes the waiting request */
    volatile sig_atomic_t busy, asked;
    volatile sig_atomic_t expected; /* while nothing runs: */
    bool opened;                    /* the first worker has been started */
    bool began;                     /* the cell of the running request has begun */
    bool heard;                     /* the worker has said something of the running request */
    bool zh;                        /* notices in Chinese: the "lang" of the last request that had one */
    char why[200];                  /* a worker that could not open says this */
    const ses_watch *watch;         /* what the front end looks after meanwhile; may be NULL */
    ses_on_event *on_event;
    void *user;
} client;

/* ---- a worker from nothing ----------------------------------------------------------------------------- */

/* Nothing that the front end has opened since is the worker's business: no socket of a notebook, no end of a snapshot's wire. */
static void close_others(int keep) {
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = STDERR_FILENO + 1; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
        if (fd != keep) close(fd);
}

/* In the child. What runs in the worker and writes to descriptors 1 and 2 is heard by the front end. */
static void lead_output(const wrk_options *opt) {
    fflush(NULL);
    if (opt->out > 0) dup2(opt->out, STDOUT_FILENO);
    if (opt->err > 0) dup2(opt->err, STDERR_FILENO);
}

static _Noreturn void be_worker(client *k, int fd) {
    lead_output(&k->opt);
    if (k->opened) close_others(fd);
    close(k->wake[0]);
    close(k->wake[1]);
    wrk_serve(fd, &k->opt);
}

static ph_status start_fresh(client *k, ph_err *err) {
    int pair[2];
    ph_status st = wrk_wire_pair(pair, err);
    if (st != PH_OK) return st;
    fflush(NULL);
    sigset_t interrupt, before; /* one that comes before the child has its handler would be its end */
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    pid_t pid = fork();
    if (pid != 0) sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid == 0) {
        close(pair[0]);
        be_worker(k, pair[1]);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return ph_fail(err, PH_EIO, "cannot start the worker process: %s", strerror(errno));
    }
    setpgid(pid, pid); /* the child does it too; whoever comes first */
    wrk_wire_init(&k->w, pair[0]);
    k->pid = pid;
    k->opened = true;
    return PH_OK;
}

static void close_client(void *self) {
    client *k = self;
    int status;
    ph_err err;
    if (!k) return;
    if (k->w.fd >= 0) {
        bool told = wrk_wire_send(&k->w, json_pack("{s:s}", "op", "close"), -1, &err) == PH_OK;
        if (!told || !wrk_wait_end(k->pid, LEAVE, &status)) {
            kill(-k->pid, SIGKILL);
            wrk_wait_end(k->pid, LEAVE, &status);
        }
        wrk_wire_close(&k->w);
    }
    wrk_lineage_close(&k->kept, LEAVE);
    for (int i = 0; i < 2; i++)
        if (k->wake[i] >= 0) close(k->wake[i]);
    ph_free(k);
}

static ph_status open_client(client **out, const wrk_options *opt, ph_err *err) {
    ph_status st = PH_OK;
    client *k = ph_calloc(1, sizeof *k);
    *out = NULL;
    if (!k) return ph_fail_nomem(err, sizeof *k);
    k->opt = *opt;
    int depth = opt->undo_depth > 0 ? opt->undo_depth < 60 ? opt->undo_depth : 60 : UNDO_DEPTH;
    wrk_wire_init(&k->w, -1);
    k->wake[0] = k->wake[1] = -1;
    PH_TRY(wrk_lineage_open(&k->kept, depth, err));
    if (pipe(k->wake) != 0) PH_TRY(ph_fail(err, PH_EIO, "no pipe: %s", strerror(errno)));
    for (int i = 0; i < 2; i++) {
        fcntl(k->wake[i], F_SETFD, FD_CLOEXEC);
        fcntl(k->wake[i], F_SETFL, O_NONBLOCK);
    }
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    PH_TRY(start_fresh(k, err));
    *out = k;
    k = NULL;
done:
    close_client(k);
    return st;
}

/* ---- the end of a worker, and another ------------------------------------------------------------------ */

/* The worker is gone or not wanted any more: ends it for good. *status: how it ended, -1 unknown. */
static void end_worker(client *k, int *status) {
    *status = -1;
    kill(-k->pid, SIGKILL); /* its children too */
    kill(k->pid, SIGKILL);
    if (!wrk_wait_end(k->pid, LEAVE, status)) *status = -1;
    wrk_wire_close(&k->w);
}

/* ---- when the worker has died -------------------------------------------------------------------------- */

static void deliver(client *k, json_t *event) {
    if (event && k->on_event) k->on_event(k->user, event);
    json_decref(event);
}

static void notice(client *k, const char *text) {
    deliver(k, json_pack("{s:s, s:s}", "event", "notice", "text", text));
}

/* Of the running cell, or of the process where none ran. */
static void how_it_died(const client *k, char *buf, size_t cap, int status) {
    const char *who = k->zh      ? k->began ? "执行这条输入的进程" : "会话的进程"
                      : k->began ? "The process of the cell"
                                 : "The process of the session";
    if (k->asked)
        snprintf(buf, cap,
                 k->zh ? "这条输入没有应要求停止，已被强行结束"
                       : "The cell did not stop when asked and was ended");
    else if (status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(buf, cap,
                 k->zh ? "%s被外部杀死（内存不足？）" : "%s was killed from outside (out of memory?)", who);
    else if (status != -1 && WIFSIGNALED(status))
        snprintf(buf, cap, k->zh ? "%s崩溃了（%s）" : "%s crashed (%s)", who, strsignal(WTERMSIG(status)));
    else snprintf(buf, cap, k->zh ? "%s自己结束了" : "%s ended by itself", who);
}

/* What is left of the variables when the effects of so many cells are lost, the running one among them if it had begun. */
static void what_is_left(const client *k, char *buf, size_t cap, int cells) {
    int back = k->began ? cells - 1 : cells;
    if (cells == 0) snprintf(buf, cap, k->zh ? "变量都在，没有丢失。" : "No variable is lost.");
    else if (back == 0)
        snprintf(buf, cap,
                 k->zh ? "变量恢复成它执行之前的样子。" : "The variables are as they were before it.");
    else if (back == 1 && !k->began)
        snprintf(buf, cap,
                 k->zh ? "变量恢复成上一条输入执行之前的样子。"
                       : "The variables are as they were before the last cell.");
    else
        snprintf(buf, cap,
                 k->zh ? "变量恢复成往前第 %d 条输入执行之前的样子。"
                       : "The variables are as they were %d cells before it.",
                 back);
}

/* Brings a worker back from the newest snapshot that still wakes, else from nothing, and says so. */
static ph_status recover(client *k, int status, ph_err *err) {
    char how[160], left[160], text[400];
    int cells;
    pid_t pid;
    how_it_died(k, how, sizeof how, status);
    if (wrk_lineage_wake(&k->kept, &k->w, &pid, &cells, NULL)) {
        k->pid = pid;
        what_is_left(k, left, sizeof left, cells);
    } else {
        ph_status st = start_fresh(k, err);
        if (st != PH_OK) return st;
        snprintf(left, sizeof left,
                 k->zh ? "没有留下快照：变量全部丢失，会话重新开始。"
                       : "No snapshot was left: all variables are lost, the session starts anew.");
    }
    snprintf(text, sizeof text, k->zh ? "%s。%s" : "%s. %s", how, left);
    wrk_lineage_reap(&k->kept);
    notice(k, text);
    return PH_OK;
}

static ph_status worker_died(client *k, double began, ph_err *err) {
    int status;
    end_worker(k, &status);
    if (k->why[0]) return ph_fail(err, PH_EIO, "%s", k->why);
    ph_status st = recover(k, status, err);
    if (st == PH_OK)
        deliver(k, json_pack("{s:s, s:s, s:f}", "event", "done", "status", "died", "seconds",
                             ph_clock() - began));
    return st;
}

/* ---- a request ----------------------------------------------------------------------------------------- */

/* Waits until the worker has something to say. Meanwhile: reminds it of an interrupt, and ends it after the grace. */
static void wait_for_worker(client *k, double *asked_at, double *reminded_at) {
    struct pollfd p[2 + SES_WATCHED] = {{k->w.fd, POLLIN, 0}, {k->wake[0], POLLIN, 0}};
    const ses_watch *watch = k->watch;
    nfds_t n = 2;
    char drain[16];
    if (!k->asked) *asked_at = -1;
    for (int i = 0; watch && i < watch->n && i < SES_WATCHED; i++)
        p[n++] = (struct pollfd){watch->fds[i], POLLIN, 0};
    for (;;) {
        int most = watch ? watch->look(watch->user) : -1;
        int r = poll(p, n, k->asked && (most < 0 || most > 20) ? 20 : most);
        double now = ph_clock();
        if (r > 0 && p[1].revents)
            while (read(k->wake[0], drain, sizeof drain) > 0) {
            }
        if (k->asked && *asked_at < 0) *asked_at = *reminded_at = now;
        if (k->asked && now - *asked_at > GRACE) kill(-k->pid, SIGKILL);
        else if (k->asked && now - *reminded_at > REMIND) {
            kill(-k->pid, SIGINT);
            *reminded_at = now;
        }
        if (r > 0 && p[0].revents) return;
    }
}

/* Handles one message; true when it was the last of the request. */
static bool handle(client *k, json_t *m) {
    const char *event = json_string_value(json_object_get(m, "event"));
    bool done = event && strcmp(event, "done") == 0;
    if (event && strcmp(event, "ready") != 0) k->heard = true;
    if (event && strcmp(event, "snapshot") == 0) wrk_lineage_keep(&k->kept, &k->w, m);
    else if (event && strcmp(event, "begins") == 0)
        k->began = wrk_lineage_begin(&k->kept, json_string_value(json_object_get(m, "code")));
    else if (event && strcmp(event, "failed") == 0)
        snprintf(k->why, sizeof k->why, "%s", json_string_value(json_object_get(m, "text")));
    else if (event && strcmp(event, "caught") == 0)
        k->asked = 0; /* the cell goes on; the next one is a first one */
    else if (event && strcmp(event, "ready") != 0) {
        if (done) k->busy = 0; /* an interrupt from now on is too late */
        deliver(k, json_incref(m));
    }
    json_decref(m);
    return done;
}

/* PH_OK at "done", PH_EIO when the worker is gone. */
static ph_status listen_to_worker(client *k, ph_err *err) {
    double asked_at = -1, reminded_at = -1;
    for (;;) {
        json_t *m = NULL;
        ph_status st = wrk_wire_take(&k->w, &m, err);
        if (st != PH_OK) return st;
        if (m) {
            if (handle(k, m)) return PH_OK;
            continue;
        }
        wait_for_worker(k, &asked_at, &reminded_at);
        st = wrk_wire_fill(&k->w, err);
        if (st != PH_OK && st != PH_EINTR) return st;
    }
}

static void reply_and_done(client *k, json_t *reply, const char *status) {
    if (reply) deliver(k, reply);
    deliver(k, json_pack("{s:s, s:s, s:f}", "event", "done", "status", status, "seconds", 0.0));
}

static ph_status undo(client *k, ph_err *err) {
    char *code = NULL, text[300];
    int status, cells;
    pid_t pid;
    if (k->kept.n == 0) {
        reply_and_done(k,
                       json_pack("{s:s, s:b, s:s}", "event", "reply", "undone", 0, "text",
                                 k->zh ? "没有可撤销的输入" : "nothing to undo"),
                       "ok");
        return PH_OK;
    }
    end_worker(k, &status); /* first: the snapshot then has this process as its parent */
    wrk_lineage_drop_now(&k->kept);
    if (!wrk_lineage_wake(&k->kept, &k->w, &pid, &cells, &code)) return recover(k, status, err);
    k->pid = pid;
    if (k->zh) snprintf(text, sizeof text, "已退回到执行之前：%.200s", code ? code : "上一条输入");
    else snprintf(text, sizeof text, "back to before: %.200s", code ? code : "the last cell");
    ph_free(code);
    wrk_lineage_reap(&k->kept);
    json_t *t = json_string(text);
    reply_and_done(
        k, json_pack("{s:s, s:b, s:o}", "event", "reply", "undone", 1, "text", t ? t : json_string("back")),
        "ok");
    return PH_OK;
}

static bool is_op(const json_t *request, const char *name) {
    const char *s = json_string_value(json_object_get(request, "op"));
    return s && strcmp(s, name) == 0;
}

static void interrupt(void *self) {
    client *k = self;
    int saved = errno;
    if (k->busy) {
        kill(-k->pid, k->asked ? SIGKILL : SIGINT);
        k->asked = 1;
        if (write(k->wake[1], "i", 1) < 0) {
        } /* full: it is awake already */
    } else if (k->expected) k->expected = EARLY;
    errno = saved;
}

static ph_status ask_worker(client *k, json_t *message, ph_err *err) {
    ph_status st = wrk_wire_send(&k->w, json_incref(message), -1, err);
    return st == PH_OK ? listen_to_worker(k, err) : st;
}

static ph_status request(void *self, json_t *message, ses_on_event *on_event, void *user, ph_err *err) {
    client *k = self;
    double began = ph_clock();
    ph_status st;
    k->on_event = on_event;
    k->user = user;
    k->asked = 0;
    k->began = k->heard = false;
    const char *lang = json_string_value(json_object_get(message, "lang"));
    if (lang) k->zh = strcmp(lang, "zh") == 0;
    if (is_op(message, "undo") || is_op(message, "interrupt")) {
        k->expected = NOTHING;
        bool back = is_op(message, "undo");
        json_decref(message);
        if (back) return undo(k, err);
        reply_and_done(k, NULL, "ok");
        return PH_OK;
    }
    k->busy = 1;
    if (k->expected == EARLY) interrupt(k); /* the worker is reminded of it once the cell runs */
    k->expected = NOTHING;
    st = ask_worker(k, message, err);
    if (st == PH_EIO && !k->heard &&
        !k->asked) { /* it died before it began: bring one back, and ask that one */
        int status;
        end_worker(k, &status);
        if ((st = recover(k, status, err)) == PH_OK) st = ask_worker(k, message, err);
    }
    json_decref(message);
    if (st == PH_EIO) st = worker_died(k, began, err);
    k->busy = 0;
    return st;
}

static void input(void *self, const char *text) {
    client *k = self;
    ph_err err;
    json_t *m = text ? json_pack("{s:s, s:o}", "op", "input_reply", "text", json_string(text))
                     : json_pack("{s:s, s:b}", "op", "input_reply", "eof", 1);
    if (wrk_wire_send(&k->w, m, -1, &err) != PH_OK)
        return; /* a dead worker is noticed by the request that runs */
}

static void expect(void *self) { ((client *)self)->expected = COMING; }

static int worker_pid(const void *self) { return (int)((const client *)self)->pid; }

static void look_after(void *self, const ses_watch *watch) { ((client *)self)->watch = watch; }

ph_status wrk_open(ses **out, const wrk_options *opt, ph_err *err) {
    static const ses_way way = {request, interrupt, close_client, input, expect, worker_pid, look_after};
    static const wrk_options plain = {0};
    client *k;
    *out = NULL;
    ph_status st = open_client(&k, opt ? opt : &plain, err);
    return st == PH_OK ? ses_open_as(out, &way, k, err) : st;
}
