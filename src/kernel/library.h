/* library.h: ZeroMQ, opened when a kernel starts. Private to kernel/.
 *
 * It is not linked: it and the eighteen libraries that it needs would be loaded at every start of `phasor`, for one or two milliseconds,
 * and without them nothing at all would run. Its functions are looked up once, and their names stand for the table's entries.
 */
#ifndef PH_KRN_LIBRARY_H
#define PH_KRN_LIBRARY_H

#include <zmq.h>

#include "base/base.h"

/* clang-format off */
#define KRN_FUNCTIONS(F)                                                                                      \
    F(zmq_ctx_new) F(zmq_ctx_term) F(zmq_ctx_set) F(zmq_socket) F(zmq_close) F(zmq_bind) F(zmq_setsockopt)     \
    F(zmq_getsockopt) F(zmq_send) F(zmq_msg_init) F(zmq_msg_recv) F(zmq_msg_data) F(zmq_msg_size)              \
    F(zmq_msg_more) F(zmq_msg_close) F(zmq_poll) F(zmq_strerror) F(zmq_errno)
/* clang-format on */

typedef struct {
#define FIELD(f) __typeof__(f) *f;
    KRN_FUNCTIONS(FIELD)
#undef FIELD
} krn_library;
extern krn_library krn_zmq; /* filled by krn_library_open */

#define zmq_ctx_new    krn_zmq.zmq_ctx_new
#define zmq_ctx_term   krn_zmq.zmq_ctx_term
#define zmq_ctx_set    krn_zmq.zmq_ctx_set
#define zmq_socket     krn_zmq.zmq_socket
#define zmq_close      krn_zmq.zmq_close
#define zmq_bind       krn_zmq.zmq_bind
#define zmq_setsockopt krn_zmq.zmq_setsockopt
#define zmq_getsockopt krn_zmq.zmq_getsockopt
#define zmq_send       krn_zmq.zmq_send
#define zmq_msg_init   krn_zmq.zmq_msg_init
#define zmq_msg_recv   krn_zmq.zmq_msg_recv
#define zmq_msg_data   krn_zmq.zmq_msg_data
#define zmq_msg_size   krn_zmq.zmq_msg_size
#define zmq_msg_more   krn_zmq.zmq_msg_more
#define zmq_msg_close  krn_zmq.zmq_msg_close
#define zmq_poll       krn_zmq.zmq_poll
#define zmq_strerror   krn_zmq.zmq_strerror
#define zmq_errno      krn_zmq.zmq_errno

PH_MUST ph_status krn_library_open(ph_err *err);

#endif
