/* kernel.h: a Jupyter kernel (protocol 5.3): messages in, requests to a session, its events back as messages. */
#ifndef PH_KRN_KERNEL_H
#define PH_KRN_KERNEL_H

#include "base/base.h"

/* Serves the connection that a file describes until it is told to end, or until who started it (JPY_PARENT_PID) is gone. lang: of
 * verdicts, "en" or "zh". Forks the session's worker first, so call it before anything starts threads. Returns the status of the
 * process; what is wrong goes to stderr. */
int krn_run(const char *connection, const char *lang);

/* Tells Jupyter of this program: writes kernels/phasor and kernels/phasor-zh, for the user (prefix NULL) or below a prefix. *where: the
 * folder of both, for ph_free. */
PH_MUST ph_status krn_install(char **where, const char *prefix, ph_err *err);

#endif
