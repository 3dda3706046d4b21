/* wire.c: framed JSON, see wire.h. */
#include "worker/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* macOS: SO_NOSIGPIPE on the socket instead */
#endif

void wrk_wire_init(wire *w, int fd) { *w = (wire){.fd = fd, .passed = -1}; }

void wrk_wire_close(wire *w) {
    if (w->fd >= 0) close(w->fd);
    if (w->passed >= 0) close(w->passed);
    ph_free(w->in);
    wrk_wire_init(w, -1);
}

ph_status wrk_wire_pair(int pair[2], ph_err *err) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return ph_fail(err, PH_EIO, "no socket pair: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(pair[i], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
        setsockopt(pair[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
    }
    return PH_OK;
}

/* The descriptor, when there is one, travels with the first byte. */
static ssize_t send_some(int fd, const char *bytes, size_t n, int pass) {
    union { /* aligned as a cmsghdr must be */
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec io = {(void *)bytes, n};
    struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
    if (pass >= 0) {
        memset(&control, 0, sizeof control);
        m.msg_control = control.bytes;
        m.msg_controllen = sizeof control.bytes;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &pass, sizeof pass);
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL);
}

ph_status wrk_wire_send(wire *w, json_t *message, int pass, ph_err *err) {
    ph_status st = PH_OK;
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL, *frame = NULL;
    size_t n = text ? strlen(text) : 0;
    json_decref(message);
    if (!text) PH_TRY(ph_fail_nomem(err, 0));
    if (n > WIRE_MAX)
        PH_TRY(ph_fail(err, PH_EARG, "%zu MB to show at once; the most is %zu MB", n >> 20, WIRE_MAX >> 20));
    if (!(frame = ph_alloc(n + 4))) PH_TRY(ph_fail_nomem(err, n));
    for (int i = 0; i < 4; i++) frame[i] = (char)(n >> (8 * (3 - i)) & 0xFF);
    memcpy(frame + 4, text, n);
    for (size_t sent = 0; sent < n + 4;) {
        ssize_t k = send_some(w->fd, frame + sent, n + 4 - sent, pass);
        if (k > 0) sent += (size_t)k, pass = -1;
        else if (k < 0 && errno != EINTR)
            PH_TRY(ph_fail(err, PH_EIO, "the other process is gone: %s", strerror(errno)));
    }
done:
    ph_free(frame);
    free(text); /* jansson's own allocation */
    return st;
}

static void take_descriptor(wire *w, struct msghdr *m) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        if (w->passed >= 0) close(w->passed);
        memcpy(&w->passed, CMSG_DATA(c), sizeof w->passed);
        fcntl(w->passed, F_SETFD, FD_CLOEXEC);
    }
}

ph_status wrk_wire_fill(wire *w, ph_err *err) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    if (w->cap - w->n < 4096) {
        size_t cap = w->cap ? 2 * w->cap : 16384;
        char *p = ph_realloc(w->in, cap);
        if (!p) return ph_fail_nomem(err, cap);
        w->in = p;
        w->cap = cap;
    }
    struct iovec io = {w->in + w->n, w->cap - w->n};
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
    ssize_t k = recvmsg(w->fd, &m, 0);
    if (k < 0 && errno == EINTR) return ph_fail_interrupted(err);
    if (k <= 0) return ph_fail(err, PH_EIO, "the other process is gone");
    take_descriptor(w, &m);
    w->n += (size_t)k;
    return PH_OK;
}

ph_status wrk_wire_take(wire *w, json_t **message, ph_err *err) {
    size_t n = 0;
    *message = NULL;
    if (w->n < 4) return PH_OK;
    for (int i = 0; i < 4; i++) n = n << 8 | (unsigned char)w->in[i];
    if (n > WIRE_MAX) return ph_fail(err, PH_EIO, "a frame of %zu bytes; the most is %zu", n, WIRE_MAX);
    if (w->n - 4 < n) return PH_OK;
    *message = json_loadb(w->in + 4, n, JSON_ALLOW_NUL, NULL);
    w->n -= n + 4;
    memmove(w->in, w->in + n + 4, w->n);
    if (!json_is_object(*message)) {
        json_decref(*message);
        *message = NULL;
        return ph_fail(err, PH_EIO, "a frame that is no JSON object");
    }
    return PH_OK;
}

ph_status wrk_wire_next(wire *w, json_t **message, bool interruptible, ph_err *err) {
    for (;;) {
        ph_status st = wrk_wire_take(w, message, err);
        if (st != PH_OK || *message) return st;
        st = wrk_wire_fill(w, err);
        if (st != PH_OK && (st != PH_EINTR || interruptible)) return st;
    }
}
