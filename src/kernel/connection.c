/* connection.c: the file that says where to listen and what to sign with, and the five sockets. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "kernel/library.h"
#include "kernel/state.h"

#define FILE_MAX  65536
#define LINGER_MS 1000 /* a last message has so long to reach a client that has stopped reading */

static const char *const port_names[KRN_SOCKETS] = {"shell_port", "control_port", "stdin_port", "iopub_port",
                                                    "hb_port"};

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Whoever reads the key may run code in the user's name. Jupyter has a switch for file systems without permissions. */
static ph_status check_readers(const char *path, ph_err *err) {
    struct stat s;
    const char *allowed = getenv("JUPYTER_ALLOW_INSECURE_WRITES");
    if (stat(path, &s) != 0) return ph_fail(err, PH_EIO, "%s: %s", path, strerror(errno));
    if (!(s.st_mode & (S_IRWXG | S_IRWXO)) || (allowed && *allowed)) return PH_OK;
    return ph_fail(
        err, PH_EARG,
        "%s: others can read this file, and with its key run code in your name; chmod 600 it (or set "
        "JUPYTER_ALLOW_INSECURE_WRITES)",
        path);
}

static ph_status read_json(json_t **out, const char *path, ph_err *err) {
    char *text = NULL;
    ph_status st;
    ph_file f = PH_FILE_NONE;
    PH_TRY(ph_file_open(&f, path, err));
    if (f.size > FILE_MAX) PH_TRY(ph_fail(err, PH_EARG, "%s: too large for a connection file", path));
    if (!(text = ph_alloc((size_t)f.size))) PH_TRY(ph_fail_nomem(err, (size_t)f.size));
    PH_TRY(ph_file_read(&f, text, (size_t)f.size, 0, err));
    *out = json_loadb(text, (size_t)f.size, 0, NULL);
    if (!json_is_object(*out)) PH_TRY(ph_fail(err, PH_EARG, "%s: no JSON object", path));
done:
    ph_file_close(&f);
    ph_free(text);
    return st;
}

/* What a field holds instead of `wanted`. */
static ph_status astray(ph_err *err, const char *path, const char *key, const json_t *v, const char *wanted) {
    char seen[49];
    size_t n =
        v ? json_dumpb(v, seen, sizeof seen - 1, JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_COMPACT) : 0;
    seen[n < sizeof seen ? n : sizeof seen - 1] = '\0';
    return ph_fail(err, PH_EARG, "%s: %s is %s%s; wanted %s", path, key, v ? seen : "missing",
                   n >= sizeof seen ? "..." : "", wanted);
}

static ph_status copy_text(char *out, size_t cap, const json_t *file, const char *path, const char *key,
                           ph_err *err) {
    const json_t *v = json_object_get(file, key);
    const char *s = json_string_value(v);
    if (s && strlen(s) >= cap) /* not shown: it may be the key */
        return ph_fail(err, PH_EARG, "%s: %s is a text of %zu bytes; wanted at most %zu", path, key,
                       strlen(s), cap - 1);
    if (!s || !*s) {
        char wanted[48];
        snprintf(wanted, sizeof wanted, "a text of 1 to %zu bytes", cap - 1);
        return astray(err, path, key, v, wanted);
    }
    memcpy(out, s, strlen(s) + 1);
    return PH_OK;
}

static ph_status copy_ports(krn_connection *c, const json_t *file, const char *path, ph_err *err) {
    for (int i = 0; i < KRN_SOCKETS; i++) {
        const json_t *port = json_object_get(file, port_names[i]);
        json_int_t n = json_integer_value(port);
        if (!json_is_integer(port) || n < 1 || n > 65535)
            return astray(err, path, port_names[i], port, "a port from 1 to 65535");
        c->port[i] = (int)n;
    }
    return PH_OK;
}

static ph_status check_kind(const krn_connection *c, const json_t *file, const char *path, ph_err *err) {
    const json_t *scheme = json_object_get(file, "signature_scheme");
    const char *name = json_string_value(scheme);
    if (scheme && !(name && (!*name || strcmp(name, "hmac-sha256") == 0)))
        return astray(err, path, "signature_scheme", scheme, "\"hmac-sha256\"");
    if (strcmp(c->transport, "tcp") == 0 || strcmp(c->transport, "ipc") == 0) return PH_OK;
    return astray(err, path, "transport", json_object_get(file, "transport"), "\"tcp\" or \"ipc\"");
}

ph_status krn_connection_read(krn_connection *c, const char *path, ph_err *err) {
    json_t *file = NULL;
    ph_status st;
    PH_TRY(check_readers(path, err));
    PH_TRY(read_json(&file, path, err));
    PH_TRY(copy_text(c->transport, sizeof c->transport, file, path, "transport", err));
    PH_TRY(copy_text(c->ip, sizeof c->ip, file, path, "ip", err));
    PH_TRY(copy_text(c->key, sizeof c->key, file, path, "key", err));
    PH_TRY(copy_ports(c, file, path, err));
    st = check_kind(c, file, path, err);
done:
    json_decref(file);
    return st;
}

/* ---- sockets ------------------------------------------------------------------------------------------- */

static void set(void *socket, int option, int value) {
    (void)zmq_setsockopt(socket, option, &value, sizeof value);
}

/* No limit on what waits to be sent: a client that reads slowly gets everything in the end. */
static void set_limits(void *socket, int type) {
    int64_t most = KRN_FRAME_MAX;
    (void)zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    set(socket, ZMQ_SNDHWM, 0);
    set(socket, ZMQ_LINGER, LINGER_MS);
    if (type == ZMQ_ROUTER)
        set(socket, ZMQ_ROUTER_HANDOVER, 1); /* a client that comes back has its old name */
}

/* Heartbeats have a ROUTER too: a REP loses the beat behind a message that ended in its middle. */
static ph_status bind_one(krn *k, int i, const krn_connection *c, ph_err *err) {
    static const int types[KRN_SOCKETS] = {ZMQ_ROUTER, ZMQ_ROUTER, ZMQ_ROUTER, ZMQ_PUB, ZMQ_ROUTER};
    char address[320];
    bool tcp = strcmp(c->transport, "tcp") == 0;
    snprintf(address, sizeof address, "%s://%s%c%d", c->transport, c->ip, tcp ? ':' : '-', c->port[i]);
    k->socket[i] = zmq_socket(k->context, types[i]);
    if (!k->socket[i]) return ph_fail(err, PH_EIO, "no socket: %s", zmq_strerror(zmq_errno()));
    set_limits(k->socket[i], types[i]);
    if (i == KRN_STDIN)
        set(k->socket[i], ZMQ_ROUTER_MANDATORY,
            1); /* a question is asked when its reader has come, not lost */
    if (zmq_bind(k->socket[i], address) == 0) return PH_OK;
    return ph_fail(err, PH_EIO, "cannot listen at %s: %s", address, zmq_strerror(zmq_errno()));
}

ph_status krn_connection_bind(krn *k, const krn_connection *c, ph_err *err) {
    ph_status st = krn_library_open(err);
    if (st != PH_OK) return st;
    if (!(k->context = zmq_ctx_new()))
        return ph_fail(err, PH_EIO, "no ZeroMQ: %s", zmq_strerror(zmq_errno()));
    for (int i = 0; st == PH_OK && i < KRN_SOCKETS; i++) st = bind_one(k, i, c, err);
    return st;
}

void krn_connection_close(krn *k) {
    for (int i = 0; i < KRN_SOCKETS; i++)
        if (k->socket[i]) zmq_close(k->socket[i]);
    if (k->context) zmq_ctx_term(k->context);
}
