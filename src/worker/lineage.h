/* lineage.h: the sleeping copies of a worker that the front end keeps: one for each of the last cells, as it was before it, and one as
 * it is now. Internal to worker/.
 */
#ifndef PH_WRK_LINEAGE_H
#define PH_WRK_LINEAGE_H

#include <sys/types.h>

#include "worker/wire.h"

typedef struct {
    wire w; /* fd -1: there is none */
    pid_t pid;
    char *code; /* first line of the cell that it comes before; may be NULL */
} snapshot;

typedef struct {
    snapshot *before; /* the newest on top */
    int n, depth;
    snapshot now;
    pid_t gone[128]; /* dropped ones that are to be reaped */
    int ngone;
} lineage;

PH_MUST ph_status wrk_lineage_open(lineage *l, int depth, ph_err *err);
void wrk_lineage_close(lineage *l, double patience); /* idempotent; gives each so many seconds to end */

/* The message "snapshot" has come over `from`, with the descriptor of a copy of the worker as it is now. */
void wrk_lineage_keep(lineage *l, wire *from, const json_t *m);
/* A cell begins whose first line is this (copied; may be NULL): what was now is before it; false: there is no such copy. */
bool wrk_lineage_begin(lineage *l, const char *code);
void wrk_lineage_drop_now(lineage *l);

/* Makes the newest copy that still wakes a worker that waits: its wire and process. Those that are newer are dropped: *cells counts the
 * cells whose effects are lost with it, 0 where it is the state as it was. *code: first line of the oldest of these; the caller's; may be
 * NULL. false: none is left, and everything lost. */
bool wrk_lineage_wake(lineage *l, wire *w, pid_t *pid, int *cells, char **code);

void wrk_lineage_reap(lineage *l);

/* Waits for the end of a child, at most so long; true with its status when there is one to have. */
bool wrk_wait_end(pid_t pid, double seconds, int *status);

#endif
