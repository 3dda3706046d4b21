/* serve.h: the process that runs cells, and its sleeping snapshots. Internal to worker/.
 *
 * A snapshot restores memory: variables, arrays, random generators. It does not restore the outside: files keep what was
 * written (and their shared position), removed files stay removed, child processes are gone.
 */
#ifndef PH_WRK_SERVE_H
#define PH_WRK_SERVE_H

#include "worker/worker.h"

/* Runs requests that arrive on fd until its end; never returns. Called in a fresh child process. */
_Noreturn void wrk_serve(int fd, const wrk_options *opt);

#endif
