/* wire.h: JSON objects over a stream socket, each behind its length (4 bytes, big-endian), a descriptor riding along where
 * one is passed. Internal to worker/.
 */
#ifndef PH_WRK_WIRE_H
#define PH_WRK_WIRE_H

#include <jansson.h>

#include "base/base.h"

#define WIRE_MAX ((size_t)64 << 20) /* bytes of one frame */

typedef struct {
    int fd;
    char *in; /* received and not yet taken; owned */
    size_t n, cap;
    int passed; /* the last descriptor that came along, or -1; owned until taken */
} wire;

void wrk_wire_init(wire *w, int fd);
void wrk_wire_close(wire *w); /* idempotent; closes the socket */

/* A close-on-exec pair. */
PH_MUST ph_status wrk_wire_pair(int pair[2], ph_err *err);

/* Sends one frame (reference stolen), with descriptor `pass` unless it is -1. PH_EARG: larger than WIRE_MAX, nothing was
 * sent. PH_EIO: the other side is gone. */
PH_MUST ph_status wrk_wire_send(wire *w, json_t *message, int pass, ph_err *err);

/* Reads what is there (blocks when nothing is). PH_EIO: the other side is gone. PH_EINTR: a signal came first. */
PH_MUST ph_status wrk_wire_fill(wire *w, ph_err *err);
/* The next whole frame of what was read: PH_OK with *message NULL when there is none yet. PH_EIO: no frame of ours. */
PH_MUST ph_status wrk_wire_take(wire *w, json_t **message, ph_err *err);
/* Both, until there is a frame; gives up on a signal only if `interruptible`. */
PH_MUST ph_status wrk_wire_next(wire *w, json_t **message, bool interruptible, ph_err *err);

#endif
