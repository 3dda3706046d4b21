/* wire.h: messages of the Jupyter protocol as frames on a socket: identities, a mark, a signature, four JSON objects. Private to kernel/.
 *
 *     identity ... | <IDS|MSG> | signature | header | parent header | metadata | content | buffers ...
 *
 * The signature is HMAC-SHA256 (RFC 2104) of the four objects' bytes as they travel, in hexadecimal. What is not signed with the key of
 * the connection, or was seen before, is refused; so is what is no message.
 */
#ifndef PH_KRN_WIRE_H
#define PH_KRN_WIRE_H

#include <jansson.h>

#include "base/sha256.h"

#define KRN_FRAMES    24                  /* of one message; identities and buffers are few */
#define KRN_FRAME_MAX ((int64_t)64 << 20) /* bytes; ZeroMQ drops who sends more */

typedef struct {
    char *s; /* owned */
    size_t n;
} krn_frame;

typedef struct {
    krn_frame frame[KRN_FRAMES];
    int n;
} krn_frames;

void krn_frames_clear(krn_frames *f); /* idempotent */
/* The next message of a socket, without waiting: *f is empty when there is none. EARG: it had too many frames. */
PH_MUST ph_status krn_frames_receive(krn_frames *f, void *socket, ph_err *err);

/* ---- signatures ---------------------------------------------------------------------------------------- */

typedef struct {
    ph_sha256 inner, outer; /* what the key alone has made of both */
} krn_key;

void krn_key_set(krn_key *k, const void *key, size_t n);
/* Of n frames one after the other. */
void krn_sign(const krn_key *k, const krn_frame *frames, int n, uint8_t out[PH_SHA256_BYTES]);

/* Signatures that have been seen: the last 16384 at least, twice as many at most. */
enum { KRN_SEEN = 1 << 15 };
typedef struct {
    uint64_t mark
        [2]
        [KRN_SEEN]; /* the first 8 bytes of each, by linear probing; the older half is dropped when the newer is full */
    int n, newer;
} krn_seen;

/* ---- messages ------------------------------------------------------------------------------------------ */

typedef struct {
    krn_frames ids;           /* who sent it: the reply goes there */
    json_t *header, *content; /* owned */
    const char *type;         /* of the header */
} krn_message;

typedef struct {
    krn_key key;
    krn_seen seen;
    char session[33]; /* of this kernel */
    uint64_t sent;
} krn_wire;

/* A session's name from the system's randomness. */
PH_MUST ph_status krn_wire_open(krn_wire *w, const char *key, ph_err *err);

/* Makes a message of frames, which are empty afterwards. EARG: it is none of ours, and why. A content that is no JSON is taken for an
 * empty one, so that its sender gets a reply that says what is missing. */
PH_MUST ph_status krn_message_read(krn_message *m, krn_wire *w, krn_frames *f, ph_err *err);
void krn_message_clear(krn_message *m); /* idempotent */

/* Sends content (stolen) to `ids` (on the publishing socket: a topic), as an answer to the message with the header `parent` (borrowed;
 * NULL: to none). What cannot be sent is dropped: whoever was to have it is gone, or (false, on a socket that says so) not there yet. */
bool krn_send(krn_wire *w, void *socket, const krn_frames *ids, const char *type, json_t *parent,
              json_t *content);

#endif
