/* worker.h: the process that runs cells, and its sleeping snapshots. Internal to session/.
 *
 * A snapshot restores memory: variables, arrays, random generators. It does not restore the outside: files keep what was
 * written (and their shared position), removed files stay removed, child processes are gone.
 */
#ifndef PH_SES_WORKER_H
#define PH_SES_WORKER_H

#include "session/session.h"

/* Runs requests that arrive on fd until its end; never returns. Called in a fresh child process. */
_Noreturn void ses_worker_run(int fd, const ses_options *opt);

#endif
