/* kernel.c: the loop: what comes on which channel, and who answers it. */
#include "kernel/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/library.h"
#include "kernel/state.h"

#define PATIENCE_MS 1000 /* how often to see whether who started this is still there */

/* Exception to "no global mutable state": a signal handler has no argument. One kernel runs in a process. */
static ses *volatile target;
static volatile sig_atomic_t asked_to_stop, interrupts;

/* ---- sending ------------------------------------------------------------------------------------------- */

void krn_log(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fputs("phasor kernel: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
}

void krn_log_dropped(krn *k, const ph_err *why) {
    long n = ++k->dropped;
    if ((n & (n - 1)) == 0) krn_log("dropped messages: %ld; the last: %s", n, why->text);
}

bool krn_reply(krn *k, krn_channel to, const krn_message *m, const char *type, json_t *content) {
    return krn_send(&k->wire, k->socket[to], &m->ids, type, m->header, content);
}

void krn_publish(krn *k, const char *type, json_t *parent, json_t *content) {
    char topic[64];
    krn_frames ids = {{{topic, (size_t)snprintf(topic, sizeof topic, "kernel.%s", type)}}, 1};
    krn_send(&k->wire, k->socket[KRN_IOPUB], &ids, type, parent, content);
}

static void publish_state(krn *k, const char *state, json_t *parent) {
    krn_publish(k, "status", parent, json_pack("{s:s}", "execution_state", state));
}

/* ---- signals, and the process that started this ---------------------------------------------------------- */

static void handle(int signo) {
    int saved = errno;
    ses *s = target;
    if (signo == SIGINT) interrupts++;
    else asked_to_stop = 1;
    if (s) ses_interrupt(s);
    errno = saved;
}

static void catch_signals(void) {
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction a = {.sa_handler = handle};
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaction(caught[i], &a, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool krn_interrupted(const krn *k) { return k->interrupted || k->stop || interrupts || asked_to_stop; }

/* A client that started this kernel and died without a word leaves it to itself: nobody will ever end it. */
static bool is_left(const krn *k) { return k->parent_process && getppid() != k->parent_process; }

static void stop_if_asked(krn *k) {
    if (k->stop || !(asked_to_stop || is_left(k))) return;
    k->stop = true;
    if (k->running) ses_interrupt(k->session), ses_interrupt(k->session); /* the second ends the worker */
}

/* ---- channels that are heard at any time ----------------------------------------------------------------- */

/* Each frame as it came; the first says who hears the echo. */
static void echo_heartbeats(krn *k) {
    krn_frames f;
    ph_err err;
    while (krn_frames_receive(&f, k->socket[KRN_HEARTBEAT], &err) != PH_OK || f.n) {
        for (int i = 0; i < f.n; i++)
            zmq_send(k->socket[KRN_HEARTBEAT], f.frame[i].s, f.frame[i].n, i + 1 < f.n ? ZMQ_SNDMORE : 0);
        krn_frames_clear(&f);
    }
}

static void answer_interrupt(krn *k, const krn_message *m) {
    k->interrupted = true;
    if (k->running) ses_interrupt(k->session);
    krn_reply(k, KRN_CONTROL, m, "interrupt_reply", json_pack("{s:s}", "status", "ok"));
}

static void answer_shutdown(krn *k, krn_channel from, const krn_message *m) {
    bool restart = krn_flag(m->content, "restart", false);
    krn_reply(k, from, m, "shutdown_reply", json_pack("{s:s, s:b}", "status", "ok", "restart", restart));
    krn_publish(k, "shutdown_reply", m->header, json_pack("{s:s, s:b}", "status", "ok", "restart", restart));
    asked_to_stop = 1;
}

/* What both channels know; false: something else. */
static bool answer_anywhere(krn *k, krn_channel from, const krn_message *m) {
    if (strcmp(m->type, "kernel_info_request") == 0) krn_answer_info(k, from, m);
    else if (strcmp(m->type, "shutdown_request") == 0) answer_shutdown(k, from, m);
    else return false;
    return true;
}

static void answer_control(krn *k, const krn_message *m) {
    publish_state(k, "busy", m->header);
    if (strcmp(m->type, "interrupt_request") == 0) answer_interrupt(k, m);
    else if (!answer_anywhere(k, KRN_CONTROL, m)) krn_log("control: no such request: %.60s", m->type);
    publish_state(k, "idle", m->header);
}

/* The next message of a channel; false: none is there. What is none is logged and skipped. */
static bool next_message(krn *k, krn_channel from, krn_message *m) {
    krn_frames f;
    ph_err err;
    for (;;) {
        ph_status st = krn_frames_receive(&f, k->socket[from], &err);
        if (st == PH_OK && f.n == 0) return false;
        if (st == PH_OK) st = krn_message_read(m, &k->wire, &f, &err);
        if (st == PH_OK) return true;
        krn_log_dropped(k, &err);
    }
}

static void hear_control(krn *k) {
    krn_message m;
    while (next_message(k, KRN_CONTROL, &m)) {
        answer_control(k, &m);
        krn_message_clear(&m);
    }
}

int krn_look(void *kernel) {
    krn *k = kernel;
    echo_heartbeats(k);
    hear_control(k);
    krn_output_look(k, false);
    stop_if_asked(k);
    return 20; /* printed text goes out so often */
}

/* ---- the shell channel ----------------------------------------------------------------------------------- */

static void answer_shell(krn *k, const krn_message *m) {
    static const struct {
        const char *type;
        void (*answer)(krn *k, const krn_message *m);
    } rows[] = {{"execute_request", krn_execute},        {"complete_request", krn_answer_complete},
                {"inspect_request", krn_answer_inspect}, {"is_complete_request", krn_answer_is_complete},
                {"history_request", krn_answer_history}, {"comm_info_request", krn_answer_comm_info},
                {"comm_open", krn_answer_comm_open}};
    if (answer_anywhere(k, KRN_SHELL, m)) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, m->type) == 0) {
            rows[i].answer(k, m);
            return;
        }
    if (strncmp(m->type, "comm_", 5) != 0) krn_log("shell: no such request: %.60s", m->type);
}

/* Busy, the answer, idle, whatever happens between. */
static void serve_message(krn *k, const krn_message *m, void (*answer)(krn *k, const krn_message *m)) {
    krn_output_look(k, true); /* what came meanwhile belongs to the message before */
    json_decref(k->parent);
    k->parent = json_incref(m->header);
    publish_state(k, "busy", m->header);
    k->running = true;
    interrupts = 0;
    target = k->session;
    answer(k, m);
    target = NULL;
    k->running = false;
    krn_output_look(k, true);
    publish_state(k, "idle", m->header);
}

static void refuse(krn *k, const krn_message *m) {
    if (strcmp(m->type, "execute_request") == 0) krn_refuse_execution(k, m);
    else answer_shell(k, m);
}

void krn_collect_waiting(krn *k) {
    while (k->nwaiting < KRN_WAITING && next_message(k, KRN_SHELL, &k->waiting[k->nwaiting])) k->nwaiting++;
}

static void refuse_waiting(krn *k) {
    for (int i = 0; i < k->nwaiting; i++) {
        if (!k->stop) serve_message(k, &k->waiting[i], refuse);
        krn_message_clear(&k->waiting[i]);
    }
    k->nwaiting = 0;
}

static void serve(krn *k) {
    zmq_pollitem_t p[3] = {{k->socket[KRN_SHELL], 0, ZMQ_POLLIN, 0},
                           {k->socket[KRN_CONTROL], 0, ZMQ_POLLIN, 0},
                           {k->socket[KRN_HEARTBEAT], 0, ZMQ_POLLIN, 0}};
    krn_message m;
    while (!k->stop && !k->failed) {
        if (!asked_to_stop) zmq_poll(p, 3, PATIENCE_MS);
        krn_look(k);
        if (k->stop || !next_message(k, KRN_SHELL, &m)) continue;
        serve_message(k, &m, answer_shell);
        krn_message_clear(&m);
        refuse_waiting(k);
    }
}

/* ---- opening and closing --------------------------------------------------------------------------------- */

static void watch_sockets(krn *k) {
    static const krn_channel heard[] = {KRN_CONTROL, KRN_HEARTBEAT};
    int n = 0;
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        size_t size = sizeof k->fds[0];
        if (zmq_getsockopt(k->socket[heard[i]], ZMQ_FD, &k->fds[n], &size) == 0) n++;
    }
    k->watch = (ses_watch){k->fds, n, krn_look, k};
    ses_look_after(k->session, &k->watch);
}

static ph_status open_kernel(krn *k, const char *path, ph_err *err) {
    krn_connection c;
    ph_status st;
    PH_TRY(krn_connection_read(&c, path, err));
    PH_TRY(krn_output_open(k, err));
    wrk_options opt = {.out = k->pipe[0].ends[1], .err = k->pipe[1].ends[1]};
    PH_TRY(wrk_open(&k->session, &opt,
                    err)); /* before ZeroMQ has threads and sockets: the worker shall have neither */
    PH_TRY(krn_wire_open(&k->wire, c.key, err));
    PH_TRY(krn_connection_bind(k, &c, err));
    k->waiting = ph_calloc(KRN_WAITING, sizeof *k->waiting);
    if (!(k->displays = json_object()) || !k->waiting) PH_TRY(ph_fail_nomem(err, 0));
    watch_sockets(k);
    catch_signals();
done:
    return st;
}

static void close_kernel(krn *k) {
    krn_connection_close(k);
    if (k->session) ses_close(k->session);
    krn_output_close(k);
    ph_free(k->waiting);
    json_decref(k->parent);
    json_decref(k->displays);
    json_decref(k->history.entries);
    ph_free(k);
}

int krn_run(const char *connection, const char *lang) {
    krn *k = ph_calloc(1, sizeof *k);
    const char *started_by = getenv("JPY_PARENT_PID"), *figure = getenv("PHASOR_FIGURES");
    ph_err err;
    if (!k) return krn_log("out of memory"), 1;
    k->lang = lang;
    k->figure = figure && strcmp(figure, "png") == 0 ? "image/png" : "image/svg+xml";
    k->parent_process = started_by && *started_by ? (long)getppid() : 0;
    for (int i = 0; i < 4; i++) k->pipe[i / 2].ends[i % 2] = -1;
    int status = 0;
    if (open_kernel(k, connection, &err) != PH_OK) krn_log("%s", err.text), status = 1;
    else {
        publish_state(k, "starting", NULL);
        serve(k);
        status = k->failed;
    }
    close_kernel(k);
    return status;
}
