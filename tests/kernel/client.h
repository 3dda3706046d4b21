/* client.h: a kernel in a process of its own, and the five sockets of a Jupyter front end that talks to it. */
#ifndef TESTS_KERNEL_CLIENT_H
#define TESTS_KERNEL_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/library.h"
#include "kernel/state.h"

#define PATIENCE 20000 /* ms; a loaded machine is slow, and a passing test never waits so long */
#define UNUSED   __attribute__((unused))
#define KEY      "a key of the test"

#undef zmq_connect
static __typeof__(zmq_connect) *connect_socket; /* the kernel itself only binds */

typedef struct {
    char folder[40], file[80];
    pid_t pid;
    void *context, *socket[KRN_SOCKETS];
    krn_wire wire;
    json_t *heard; /* published for the last request: arrays [type, content] */
    json_t *reply; /* its content */
    long asked;
    char id[40]; /* of the last request */
} client;

static client c;

static const char *phasor(void) {
    const char *path = getenv("PHASOR");
    return path ? path : "build/phasor";
}

/* ---- the connection ------------------------------------------------------------------------------------ */

static void write_connection(const char *path, unsigned mode, const char *change) {
    char text[700];
    snprintf(
        text, sizeof text,
        "{\"transport\": \"ipc\", \"ip\": \"%s/s\", \"key\": \"" KEY
        "\", \"signature_scheme\": \"hmac-sha256\", "
        "\"shell_port\": 1, \"control_port\": 2, \"stdin_port\": 3, \"iopub_port\": 4, \"hb_port\": 5%s}",
        c.folder, change ? change : "");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static void make_folder(void) {
    strcpy(c.folder, "/tmp/phasor-kernel-XXXXXX");
    assert_non_null(mkdtemp(c.folder));
    snprintf(c.file, sizeof c.file, "%s/connection.json", c.folder);
}

/* What it says on stderr goes to a file, "log" in the folder. */
static pid_t start_kernel(const char *file, const char *lang) {
    char log[80];
    snprintf(log, sizeof log, "%s/log", c.folder);
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0) return pid;
    for (int i = 1; i < 32; i++) signal(i, SIG_DFL); /* not the test library's */
    if (!freopen(log, "a", stderr)) _exit(98);
    setpgid(0, 0);
    execl(phasor(), "phasor", "kernel", "run", file, "--lang", lang, (char *)NULL);
    _exit(97);
}

static void connect_all(void) {
    static const int types[KRN_SOCKETS] = {ZMQ_DEALER, ZMQ_DEALER, ZMQ_DEALER, ZMQ_SUB, ZMQ_REQ};
    int patience = PATIENCE, now = 0;
    c.context = zmq_ctx_new();
    for (int i = 0; i < KRN_SOCKETS; i++) {
        char address[80];
        snprintf(address, sizeof address, "ipc://%s/s-%d", c.folder,
                 i == KRN_IOPUB   ? 4
                 : i == KRN_STDIN ? 3
                                  : i + 1);
        c.socket[i] = zmq_socket(c.context, types[i]);
        assert_non_null(c.socket[i]);
        zmq_setsockopt(c.socket[i], ZMQ_RCVTIMEO, &patience, sizeof patience);
        zmq_setsockopt(c.socket[i], ZMQ_LINGER, &now, sizeof now);
        if (i <= KRN_STDIN)
            zmq_setsockopt(c.socket[i], ZMQ_ROUTING_ID, "test",
                           4); /* the same on all three, as front ends do */
        if (i == KRN_IOPUB) zmq_setsockopt(c.socket[i], ZMQ_SUBSCRIBE, "", 0);
        assert_int_equal(connect_socket(c.socket[i], address), 0);
    }
}

static void disconnect_all(void) {
    for (int i = 0; i < KRN_SOCKETS; i++)
        if (c.socket[i]) zmq_close(c.socket[i]), c.socket[i] = NULL;
    if (c.context) zmq_ctx_term(c.context);
    c.context = NULL;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Frames and signature by the wire's own sign, which test_wire.c holds against RFC 4231. */
static void send_signed(krn_channel to, const char *key, const char *header, const char *content) {
    krn_key k;
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    krn_frame part[4] = {
        {(char *)header, strlen(header)}, {"{}", 2}, {"{}", 2}, {(char *)content, strlen(content)}};
    krn_key_set(&k, key, strlen(key));
    krn_sign(&k, part, 4, sum);
    ph_sha256_digits(digits, sum);
    zmq_send(c.socket[to], "<IDS|MSG>", 9, ZMQ_SNDMORE);
    zmq_send(c.socket[to], digits, 64, ZMQ_SNDMORE);
    for (int i = 0; i < 4; i++) zmq_send(c.socket[to], part[i].s, part[i].n, i < 3 ? ZMQ_SNDMORE : 0);
}

static void post(krn_channel to, const char *type, const char *content) {
    char header[300];
    snprintf(c.id, sizeof c.id, "m%ld", ++c.asked);
    snprintf(
        header, sizeof header,
        "{\"msg_id\": \"%s\", \"session\": \"t\", \"username\": \"u\", \"date\": \"2026-01-01T00:00:00Z\", \"msg_type\": "
        "\"%s\", \"version\": \"5.3\"}",
        c.id, type);
    send_signed(to, KEY, header, content);
}

/* The next message of a socket: its type into `type`, the id of its parent into `parent`; its content is the caller's. NULL: in vain. */
static json_t *take(krn_channel from, char type[64], char parent[64]) {
    krn_frame f[16];
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    int n = 0, more = 1, mark = 0;
    while (more) {
        zmq_msg_t part;
        zmq_msg_init(&part);
        if (zmq_msg_recv(&part, c.socket[from], 0) < 0) return NULL;
        assert_true(n < 16);
        f[n] = (krn_frame){malloc(zmq_msg_size(&part) + 1), zmq_msg_size(&part)};
        memcpy(f[n].s, zmq_msg_data(&part), f[n].n);
        f[n].s[f[n].n] = 0;
        n++;
        more = zmq_msg_more(&part);
        zmq_msg_close(&part);
    }
    while (mark < n && strcmp(f[mark].s, "<IDS|MSG>") != 0) mark++;
    assert_int_equal(n - mark, 6);
    krn_sign(&c.wire.key, f + mark + 2, 4, sum);
    ph_sha256_digits(digits, sum);
    assert_string_equal(f[mark + 1].s, digits);
    json_t *header = json_loads(f[mark + 2].s, 0, NULL), *above = json_loads(f[mark + 3].s, 0, NULL);
    json_t *content = json_loadb(f[mark + 5].s, f[mark + 5].n, JSON_ALLOW_NUL, NULL);
    assert_non_null(content);
    snprintf(type, 64, "%s", krn_text(header, "msg_type"));
    snprintf(parent, 64, "%s", krn_text(above, "msg_id"));
    json_decref(header);
    json_decref(above);
    for (int i = 0; i < n; i++) free(f[i].s);
    return content;
}

/* ---- asking -------------------------------------------------------------------------------------------- */

/* Takes what is published up to the idle of a request: c.heard. It begins with busy, and holds nothing of another request. */
static void hear(const char *id) {
    char type[64], parent[64];
    bool busy = false;
    json_decref(c.heard);
    c.heard = json_array();
    for (;;) {
        json_t *content = take(KRN_IOPUB, type, parent);
        if (!content) fail_msg("nothing more is published for %s", id);
        if (strcmp(parent, id) != 0) { /* left over: the first state, an interrupt's */
            json_decref(content);
            continue;
        }
        const char *state = strcmp(type, "status") == 0 ? krn_text(content, "execution_state") : "";
        if (!busy) assert_string_equal(state, "busy");
        else if (*state) assert_string_equal(state, "idle");
        bool idle = busy && *state;
        if (!*state) json_array_append_new(c.heard, json_pack("[s, o]", type, json_incref(content)));
        busy = true;
        json_decref(content);
        if (idle) return;
    }
}

static void take_reply(krn_channel from, const char *id, const char *wanted) {
    char type[64], parent[64];
    json_decref(c.reply);
    c.reply = take(from, type, parent);
    if (!c.reply) fail_msg("no reply to %s", id);
    assert_string_equal(type, wanted);
    assert_string_equal(parent, id);
}

/* Posts a request and takes its reply and what is published: the status of the reply. */
static UNUSED const char *request(krn_channel to, const char *name, json_t *content) {
    char type[64], reply[64], *text = json_dumps(content, 0);
    snprintf(type, sizeof type, "%s_request", name);
    snprintf(reply, sizeof reply, "%s_reply", name);
    post(to, type, text);
    free(text);
    json_decref(content);
    take_reply(to, c.id, reply);
    hear(c.id);
    return krn_text(c.reply, "status");
}

static UNUSED const char *run(const char *code) {
    return request(KRN_SHELL, "execute", json_pack("{s:s}", "code", code));
}

static UNUSED void post_cell(const char *code) {
    json_t *content = json_pack("{s:s, s:b}", "code", code, "allow_stdin", 1);
    char *text = json_dumps(content, 0);
    post(KRN_SHELL, "execute_request", text);
    free(text);
    json_decref(content);
}

/* The cell that was posted last: its reply and what it published. */
static UNUSED const char *finish(const char *id) {
    take_reply(KRN_SHELL, id, "execute_reply");
    hear(id);
    return krn_text(c.reply, "status");
}

/* Takes a question on the channel for input, which must be this one, and answers it. */
static UNUSED void answer_with(const char *text, const char *prompt, bool secret) {
    char type[64], parent[64], content[200];
    json_t *question = take(KRN_STDIN, type, parent);
    assert_non_null(question);
    assert_string_equal(type, "input_request");
    assert_string_equal(krn_text(question, "prompt"), prompt);
    assert_int_equal(krn_flag(question, "password", !secret), secret);
    json_decref(question);
    snprintf(content, sizeof content, "{\"value\": \"%s\"}", text);
    char cell[40];
    strcpy(cell, c.id);
    post(KRN_STDIN, "input_reply", content);
    strcpy(c.id, cell);
}

/* The n-th content (from 0) that was published with a type; NULL: there is none. */
static UNUSED const json_t *heard(const char *type, int n) {
    size_t i;
    json_t *m;
    json_array_foreach(c.heard, i, m) if (strcmp(json_string_value(json_array_get(m, 0)), type) == 0 &&
                                          n-- == 0) return json_array_get(m, 1);
    return NULL;
}

/* All that went to a stream; the caller frees. */
static UNUSED char *streamed(const char *name) {
    size_t i;
    json_t *m;
    ph_text all = {0};
    char *text;
    json_array_foreach(c.heard, i, m) {
        const json_t *content = json_array_get(m, 1);
        if (strcmp(json_string_value(json_array_get(m, 0)), "stream") == 0 &&
            strcmp(krn_text(content, "name"), name) == 0)
            ph_puts(&all, krn_text(content, "text"));
    }
    assert_int_equal(ph_text_take(&text, NULL, &all, NULL), PH_OK);
    return text;
}

static UNUSED const char *value(void) {
    return krn_text(json_object_get(heard("execute_result", 0), "data"), "text/plain");
}

#define SHOWS(code, text)                                                                                    \
    do {                                                                                                     \
        const char *s_ = run(code);                                                                          \
        if (strcmp(s_, "ok") != 0) fail_msg("%s: %s: %s", code, s_, krn_text(c.reply, "evalue"));            \
        assert_string_equal(value(), text);                                                                  \
    } while (0)
#define PRINTS(code, text)                                                                                   \
    do {                                                                                                     \
        run(code);                                                                                           \
        char *p_ = streamed("stdout");                                                                       \
        assert_string_equal(p_, text);                                                                       \
        ph_free(p_);                                                                                         \
    } while (0)

/* ---- what a test leaves -------------------------------------------------------------------------------- */

/* The children of this process that live: their command lines. */
static void name_children(void) {
    char path[80], command[200];
    long pid;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%ld", &pid) == 1) {
        snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
        FILE *g = fopen(path, "r");
        size_t n = g ? fread(command, 1, sizeof command - 1, g) : 0;
        if (g) fclose(g);
        for (size_t i = 0; i < n; i++)
            if (!command[i]) command[i] = ' ';
        command[n] = 0;
        print_error("process %ld survives its test: %s\n", pid, command);
        kill((pid_t)pid, SIGKILL);
    }
    if (f) fclose(f);
}

/* No process survives its test. Those whose parents have ended became children of this one (open_tests). */
static bool all_have_ended(void) {
    for (int i = 0; i < PATIENCE / 5; i++) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) continue;
        if (ended < 0 && errno == ECHILD) return true;
        usleep(5000);
    }
    name_children();
    while (waitpid(-1, NULL, 0) > 0) continue;
    return false;
}

/* ---- a kernel for a test ------------------------------------------------------------------------------- */

static int open_tests(void **state) {
    ph_err err;
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (krn_library_open(&err) != PH_OK) return print_error("%s\n", err.text), -1;
    void *file = dlopen(PH_ZMQ_FILE, RTLD_NOW), *found = file ? dlsym(file, "zmq_connect") : NULL;
    memcpy(&connect_socket, &found, sizeof found);
    krn_key_set(&c.wire.key, KEY, strlen(KEY));
    return found ? 0 : -1;
}

static UNUSED int open_kernel_in(const char *lang) {
    make_folder();
    write_connection(c.file, 0600, NULL);
    c.pid = start_kernel(c.file, lang);
    connect_all();
    /* a subscription takes effect when the kernel hears of it: ask until something is published */
    for (int i = 0; i < 200; i++) {
        char type[64], parent[64];
        int brief = 50, patience = PATIENCE;
        post(KRN_SHELL, "kernel_info_request", "{}");
        take_reply(KRN_SHELL, c.id, "kernel_info_reply");
        zmq_setsockopt(c.socket[KRN_IOPUB], ZMQ_RCVTIMEO, &brief, sizeof brief);
        json_t *m;
        bool idle = false;
        while (!idle && (m = take(KRN_IOPUB, type, parent)) != NULL) {
            idle = strcmp(parent, c.id) == 0 && strcmp(krn_text(m, "execution_state"), "idle") == 0;
            json_decref(m);
        }
        zmq_setsockopt(c.socket[KRN_IOPUB], ZMQ_RCVTIMEO, &patience, sizeof patience);
        if (idle) return 0;
    }
    return -1;
}

static UNUSED int open_kernel(void **state) {
    (void)state;
    return open_kernel_in("en");
}

/* How the kernel ended, within the patience; -1: it did not. */
static int wait_for_end(void) {
    int status;
    for (int i = 0; i < PATIENCE / 5; i++) {
        pid_t r = waitpid(c.pid, &status, WNOHANG);
        if (r == c.pid) return c.pid = 0, status;
        usleep(5000);
    }
    return -1;
}

static int close_kernel(void **state) {
    char command[100];
    (void)state;
    int status = 0;
    if (c.pid > 0) {
        post(KRN_CONTROL, "shutdown_request", "{\"restart\": false}");
        status = wait_for_end();
        if (status == -1) kill(c.pid, SIGKILL), waitpid(c.pid, NULL, 0);
    }
    disconnect_all();
    json_decref(c.heard);
    json_decref(c.reply);
    c.heard = c.reply = NULL;
    bool alone = all_have_ended();
    snprintf(command, sizeof command, "rm -rf '%s'", c.folder);
    if (system(command) != 0 || !alone) return -1;
    return status; /* it ends by itself, with 0 */
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, open_kernel, close_kernel)

#endif
