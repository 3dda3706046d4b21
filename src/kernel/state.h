/* state.h: what the files of the kernel share. Private to kernel/.
 *
 * One thread does everything. While the session's worker computes, the session waits, and before each wait it calls krn_look, which
 * echoes heartbeats, hears the control channel and lets printed text out; the other channels wait for their turn.
 */
#ifndef PH_KRN_STATE_H
#define PH_KRN_STATE_H

#include <string.h>

#include "base/text.h"
#include "kernel/wire.h"
#include "worker/worker.h"

typedef enum { KRN_SHELL, KRN_CONTROL, KRN_STDIN, KRN_IOPUB, KRN_HEARTBEAT, KRN_SOCKETS } krn_channel;

typedef struct {
    char transport[8], ip[256], key[256];
    int port[KRN_SOCKETS];
} krn_connection;

/* What was printed and is not sent yet. */
typedef struct {
    ph_text text;
    const char *name; /* "stdout" or "stderr" */
    double since;     /* when the first of it came, by ph_clock */
} krn_stream;

enum { KRN_WAITING = 1024 };

/* What programs of the cell write to descriptors 1 and 2 comes through a pipe each. */
typedef struct {
    int ends[2];
    char begun[4]; /* a character that has not arrived whole */
    size_t nbegun;
    bool waiting; /* there was something at the last look */
} krn_pipe;

typedef struct {
    json_t *entries; /* arrays [number, input, output]; owned */
} krn_history;

typedef struct krn {
    ses *session;
    void *context, *socket[KRN_SOCKETS];
    krn_wire wire;
    const char *lang;
    const char *figure; /* the form of pictures: "image/svg+xml" or "image/png" */
    json_t *parent;     /* header of the message that is being answered on the shell channel; owned */
    krn_stream stream;
    krn_pipe pipe[2];
    krn_history history;
    json_t *displays; /* the session's number of a display, as text -> the name it has outside; owned */
    long long display_count;
    long dropped;        /* messages that were none */
    int count;           /* of executions that are kept */
    double looked;       /* at the pipes, by ph_clock */
    long parent_process; /* who started this one; 0: nobody who is waited for */
    bool interrupted;    /* since the present cell began */
    bool running, stop, failed;
    krn_message
        *waiting; /* room for KRN_WAITING: what came before the client could know that a cell has failed */
    int nwaiting;
    ses_watch watch;
    int fds[SES_WATCHED];
} krn;

/* kernel.c: what is sent. Contents are stolen. */
bool krn_reply(krn *k, krn_channel to, const krn_message *m, const char *type, json_t *content);
void krn_publish(krn *k, const char *type, json_t *parent, json_t *content);
void krn_log(const char *fmt, ...) PH_PRINTF(1, 2); /* a line to the server's log */
/* Counts a message that is none; tells of the first, the second, the fourth, the eighth ...: whoever sends a million of them fills neither
 * the log nor a pipe that nobody reads. */
void krn_log_dropped(krn *k, const ph_err *why);
/* Takes in what is on the shell channel: of that no cell will be run. Called before the reply that tells of a failure. */
void krn_collect_waiting(krn *k);
int krn_look(void *kernel);         /* a ses_watch's look */
bool krn_interrupted(const krn *k); /* by a signal or a message, or the end has come */

/* connection.c */
PH_MUST ph_status krn_connection_read(krn_connection *c, const char *path, ph_err *err);
PH_MUST ph_status krn_connection_bind(krn *k, const krn_connection *c, ph_err *err);
void krn_connection_close(krn *k);

/* output.c: streams and pipes */
PH_MUST ph_status krn_output_open(krn *k, ph_err *err);
void krn_output_close(krn *k);
void krn_output_put(krn *k, const char *name, const char *text, size_t n);
void krn_output_flush(krn *k);
void krn_output_look(krn *k, bool now); /* lets out what is due, and hears the pipes; now: all of it */

/* execute.c */
void krn_execute(krn *k, const krn_message *m);
void krn_refuse_execution(krn *k, const krn_message *m); /* an earlier cell has failed */

/* answer.c: requests that run nothing */
void krn_answer_info(krn *k, krn_channel from, const krn_message *m);
void krn_answer_complete(krn *k, const krn_message *m);
void krn_answer_inspect(krn *k, const krn_message *m);
void krn_answer_is_complete(krn *k, const krn_message *m);
void krn_answer_history(krn *k, const krn_message *m);
void krn_answer_comm_info(krn *k, const krn_message *m);
void krn_answer_comm_open(krn *k, const krn_message *m);
/* The reply event of a request to the session (stolen), or NULL; json_decref it. */
json_t *krn_ask(krn *k, json_t *request);
/* Help on the first n bytes of a name as {MIME: text}, or NULL: nothing is known of it. */
json_t *krn_help(krn *k, const char *name, size_t n, size_t pos, int detail);

/* history.c */
void krn_history_add(krn_history *h, int number, const char *input, const char *output);
json_t *krn_history_select(const krn_history *h, const json_t *request); /* the list of a history_reply */

/* Fields of a request. */
static inline const char *krn_text(const json_t *j, const char *key) {
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}
static inline bool krn_flag(const json_t *j, const char *key, bool otherwise) {
    const json_t *v = json_object_get(j, key);
    return json_is_boolean(v) ? json_boolean_value(v) : otherwise;
}
static inline bool krn_is(const json_t *event, const char *kind) {
    const char *s = json_string_value(json_object_get(event, "event"));
    return s && strcmp(s, kind) == 0;
}

#endif
