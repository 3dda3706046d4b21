/* worker.h: a session in a process of its own, which may die without harm: the front end keeps sleeping copies of it, one for each of
 * the last cells, and the newest of them goes on. And functions that run apart, each in a contained copy of the process.
 *
 * All that forks stands in this room; without it a session runs in its own process and knows no undo.
 */
#ifndef PH_WRK_WORKER_H
#define PH_WRK_WORKER_H

#include "session/session.h"

typedef struct {
    const char *startup; /* as in ses_options */
    int undo_depth;      /* snapshots that are kept; 0: the default (8) */
    /* Where descriptors 1 and 2 of the worker lead, and so those of the processes it starts; 0: where this process's lead. What Lua
     * prints is events in any case. Open as long as the session. */
    int out, err;
} wrk_options;

/* Forks at once, so call it before anything starts threads and from a thread that stays (the worker goes when that thread
 * goes); returns before the laboratory is open. The calling process becomes the reaper of orphans (Linux). opt may be NULL. A worker
 * that has to be started anew later inherits no descriptor but the three standard ones. */
PH_MUST ph_status wrk_open(ses **out, const wrk_options *opt, ph_err *err);

/* To be called first by a program whose sessions have wrk_functions: does not return in a process that `fresh` of session.h has started,
 * which is this program anew. Where it was not called `fresh` fails. */
void wrk_begin(int argc, char **argv);

/* apart, lacks, start, wait and cores of session.h, with processes: for ses_options.functions. A worker has them by itself. */
extern const struct luaL_Reg *const wrk_functions;

#endif
