/* wire.c: see wire.h. */
#include "kernel/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "kernel/library.h"

static const char mark[] = "<IDS|MSG>";

/* ---- frames -------------------------------------------------------------------------------------------- */

void krn_frames_clear(krn_frames *f) {
    for (int i = 0; i < f->n; i++) ph_free(f->frame[i].s);
    f->n = 0;
}

/* Adds a copy of a frame that was received; EARG: there are too many. */
static ph_status keep(krn_frames *f, zmq_msg_t *part, ph_err *err) {
    size_t n = zmq_msg_size(part);
    if (f->n == KRN_FRAMES) return ph_fail(err, PH_EARG, "more than %d frames", KRN_FRAMES);
    char *copy = ph_alloc(n + 1);
    if (!copy) return ph_fail_nomem(err, n);
    if (n) memcpy(copy, zmq_msg_data(part), n);
    copy[n] = '\0';
    f->frame[f->n++] = (krn_frame){copy, n};
    return PH_OK;
}

ph_status krn_frames_receive(krn_frames *f, void *socket, ph_err *err) {
    ph_status st = PH_OK;
    bool more = true;
    f->n = 0;
    while (more) { /* to its end in any case: the next message begins there */
        zmq_msg_t part;
        zmq_msg_init(&part);
        int got = zmq_msg_recv(&part, socket, ZMQ_DONTWAIT);
        if (got < 0 && zmq_errno() == EINTR) continue;
        more = got >= 0 && zmq_msg_more(&part);
        if (got >= 0 && st == PH_OK) st = keep(f, &part, err);
        zmq_msg_close(&part);
    }
    if (st != PH_OK) krn_frames_clear(f);
    return st;
}

/* ---- signatures ---------------------------------------------------------------------------------------- */

void krn_key_set(krn_key *k, const void *key, size_t n) {
    uint8_t block[64] = {0};
    ph_sha256 s;
    if (n > sizeof block) {
        ph_sha256_begin(&s);
        ph_sha256_add(&s, key, n);
        ph_sha256_end(&s, block);
    } else memcpy(block, key, n);
    for (int i = 0; i < 64; i++) block[i] ^= 0x36;
    ph_sha256_begin(&k->inner);
    ph_sha256_add(&k->inner, block, sizeof block);
    for (int i = 0; i < 64; i++) block[i] ^= 0x36 ^ 0x5c;
    ph_sha256_begin(&k->outer);
    ph_sha256_add(&k->outer, block, sizeof block);
}

/* H(key ^ opad, H(key ^ ipad, text)) */
void krn_sign(const krn_key *k, const krn_frame *frames, int n, uint8_t out[PH_SHA256_BYTES]) {
    ph_sha256 inner = k->inner, outer = k->outer;
    for (int i = 0; i < n; i++) ph_sha256_add(&inner, frames[i].s, frames[i].n);
    ph_sha256_end(&inner, out);
    ph_sha256_add(&outer, out, PH_SHA256_BYTES);
    ph_sha256_end(&outer, out);
}

/* In a time that does not tell how much of it agrees. */
static bool same_digits(const char *a, const char *b) {
    unsigned differ = 0;
    for (int i = 0; i < PH_SHA256_HEX - 1; i++) differ |= (unsigned)(unsigned char)(a[i] ^ b[i]);
    return differ == 0;
}

/* The place of a signature's beginning in a table, or the empty one where it would stand. */
static uint64_t *place(uint64_t *table, uint64_t first) {
    size_t i = first % KRN_SEEN;
    while (table[i] && table[i] != first) i = (i + 1) % KRN_SEEN;
    return &table[i];
}

/* Was it seen before? From now on it was. */
static bool seen_before(krn_seen *s, const uint8_t sum[PH_SHA256_BYTES]) {
    uint64_t first;
    memcpy(&first, sum, sizeof first);
    if (first == 0) first = 1;
    if (*place(s->mark[0], first) || *place(s->mark[1], first)) return true;
    if (s->n == KRN_SEEN / 2) {
        s->newer = !s->newer;
        s->n = 0;
        memset(s->mark[s->newer], 0, sizeof s->mark[0]);
    }
    *place(s->mark[s->newer], first) = first;
    s->n++;
    return false;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

ph_status krn_wire_open(krn_wire *w, const char *key, ph_err *err) {
    uint8_t random[16];
    if (getentropy(random, sizeof random) != 0)
        return ph_fail(err, PH_EIO, "no randomness for a session's name: %s", strerror(errno));
    for (size_t i = 0; i < sizeof random; i++) snprintf(w->session + 2 * i, 3, "%02x", random[i]);
    krn_key_set(&w->key, key, strlen(key));
    return PH_OK;
}

void krn_message_clear(krn_message *m) {
    krn_frames_clear(&m->ids);
    json_decref(m->header);
    json_decref(m->content);
    *m = (krn_message){0};
}

/* How many frames stand before the mark; -1: there is none, or less than a message behind it. */
static int identities(const krn_frames *f) {
    for (int i = 0; i + 6 <= f->n; i++)
        if (f->frame[i].n == sizeof mark - 1 && memcmp(f->frame[i].s, mark, sizeof mark - 1) == 0) return i;
    return -1;
}

static ph_status check_signature(krn_wire *w, const krn_frame *given, ph_err *err) {
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    krn_sign(&w->key, given + 1, 4, sum);
    ph_sha256_digits(digits, sum);
    if (given->n != PH_SHA256_HEX - 1 || !same_digits(given->s, digits))
        return ph_fail(err, PH_EARG, "its signature is not of this connection's key");
    if (seen_before(&w->seen, sum)) return ph_fail(err, PH_EARG, "it was sent before");
    return PH_OK;
}

/* An object, or NULL. Bytes that are no UTF-8 become U+FFFD. */
static json_t *object(const krn_frame *f) {
    size_t n;
    char *clean = ph_utf8_clean(&n, f->s, f->n);
    json_t *j = clean ? json_loadb(clean, n, JSON_ALLOW_NUL, NULL) : NULL;
    ph_free(clean);
    if (json_is_object(j)) return j;
    json_decref(j);
    return NULL;
}

/* A text of the header, or NULL. One that holds a NUL is refused: it would pass for what stands before the NUL. */
static const char *name(const json_t *header, const char *key) {
    const json_t *v = json_object_get(header, key);
    const char *s = json_string_value(v);
    return s && strlen(s) == json_string_length(v) ? s : NULL;
}

/* The frames from the mark on: signature, header, parent header, metadata, content. */
static ph_status read_parts(krn_message *m, krn_wire *w, const krn_frame *f, ph_err *err) {
    ph_status st = check_signature(w, f, err);
    if (st != PH_OK) return st;
    m->header = object(f + 1);
    m->content = object(f + 4);
    if (!m->content) m->content = json_object();
    m->type = name(m->header, "msg_type");
    if (!m->content) return ph_fail_nomem(err, 0);
    if (!m->type || !name(m->header, "msg_id"))
        return ph_fail(err, PH_EARG, "its header names no type or no message");
    return PH_OK;
}

ph_status krn_message_read(krn_message *m, krn_wire *w, krn_frames *f, ph_err *err) {
    int n = identities(f);
    *m = (krn_message){0};
    ph_status st = n < 0 ? ph_fail(err, PH_EARG, "its %d frames are no message", f->n)
                         : read_parts(m, w, f->frame + n + 1, err);
    if (st != PH_OK) krn_message_clear(m);
    else {
        memcpy(m->ids.frame, f->frame, (size_t)n * sizeof *f->frame);
        m->ids.n = n;
        f->n -= n;
        memmove(f->frame, f->frame + n, (size_t)f->n * sizeof *f->frame);
    }
    krn_frames_clear(f);
    return st;
}

/* ---- sending ------------------------------------------------------------------------------------------- */

static json_t *new_header(krn_wire *w, const char *type) {
    char id[64], date[40];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(date + n, sizeof date - n, ".%06ldZ", now.tv_nsec / 1000 % 1000000);
    snprintf(id, sizeof id, "%s_%llu", w->session, (unsigned long long)++w->sent);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "msg_id", id, "session", w->session, "username",
                     "phasor", "date", date, "msg_type", type, "version", "5.3");
}

/* A frame that json_dumps has written; freed with free. */
static krn_frame dumped(const json_t *j) {
    char *s = j ? json_dumps(j, JSON_COMPACT) : NULL;
    return (krn_frame){s, s ? strlen(s) : 0};
}

static bool put(void *socket, const void *s, size_t n, bool more) {
    int sent;
    while ((sent = zmq_send(socket, s, n, more ? ZMQ_SNDMORE : 0)) < 0 && zmq_errno() == EINTR) {
    }
    return sent >= 0;
}

/* When the first frame cannot be sent, to nobody, nothing is. */
static bool send_parts(krn_wire *w, void *socket, const krn_frames *ids, const krn_frame part[4]) {
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    krn_sign(&w->key, part, 4, sum);
    ph_sha256_digits(digits, sum);
    for (int i = 0; i < ids->n; i++)
        if (!put(socket, ids->frame[i].s, ids->frame[i].n, true)) return false;
    put(socket, mark, sizeof mark - 1, true);
    put(socket, digits, sizeof digits - 1, true);
    for (int i = 0; i < 4; i++) put(socket, part[i].s, part[i].n, i < 3);
    return true;
}

bool krn_send(krn_wire *w, void *socket, const krn_frames *ids, const char *type, json_t *parent,
              json_t *content) {
    json_t *header = new_header(w, type), *none = json_object();
    krn_frame part[4] = {dumped(header), dumped(parent ? parent : none), dumped(none), dumped(content)};
    bool sent = part[0].s && part[1].s && part[2].s && part[3].s && send_parts(w, socket, ids, part);
    for (int i = 0; i < 4; i++) free(part[i].s); /* jansson's own allocation */
    json_decref(header);
    json_decref(none);
    json_decref(content);
    return sent;
}
