/* repl.h: the terminal front end: a client of a session. */
#ifndef PH_REPL_REPL_H
#define PH_REPL_REPL_H

#include "worker/worker.h"

typedef struct repl repl;

/* Opens a session, here or in a worker, and for a worker takes over the signals of this process. A worker is forked here, so call
 * it before anything else starts threads or takes memory. */
PH_MUST ph_status repl_open(repl **out, bool worker, ph_err *err);
void repl_close(repl *r);

/* Runs a whole text as a script. name stands in messages; args (borrowed, may be NULL) become `...` and
 * `arg`. Returns 0, 1 after an error, 130 when interrupted, or the code of os.exit; then *left (may be NULL)
 * is true. */
int repl_run(repl *r, const char *code, size_t n, const char *name, char *const *args, bool *left);
/* The same for one input (-e): its values are shown. */
int repl_run_input(repl *r, const char *code, const char *name, bool *left);

/* Reads inputs until the end and evaluates each: 0, or 1 when the session was lost. At a terminal with
 * editing and a welcome. */
int repl_prompt(repl *r);
/* The same for a lesson: runs the code that opens it, and the prompt for as long as it wants inputs and after its end; but
 * leaving the lesson leaves. */
int repl_visit(repl *r, const char *code, size_t n, const char *name, char *const *args);

#endif
