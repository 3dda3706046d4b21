/* history.h: what was typed, across sessions.
 *
 * One entry is one line of the file, with "\n" for a line break and "\\" for a backslash, so that a
 * multi-line entry stays one and any line-based tool can read the file. Several sessions append at once: an
 * entry is one O_APPEND write under a lock. Lines that are not entries (damage) are skipped in reading and
 * left alone in the file.
 */
#ifndef PH_REPL_HISTORY_H
#define PH_REPL_HISTORY_H

#include "base/base.h"

#define HISTORY_KEPT      2000       /* entries kept when the file is shortened */
#define HISTORY_MAX_ENTRY 65536      /* longer inputs are remembered in memory only */
#define HISTORY_MAX_FILE  (1u << 22) /* bytes; past this, the file is shortened on loading */

/* $PHASOR_HISTORY, else $XDG_STATE_HOME/phasor/history, else $HOME/.local/state/phasor/history. NULL when
 * there is no home or no memory, or when PHASOR_HISTORY is empty (history off). The caller frees. Makes no
 * directory. */
PH_MUST char *repl_history_path(void);

/* Hands over the entries, oldest first, at most HISTORY_KEPT. A file that does not exist has none. */
PH_MUST ph_status repl_history_load(const char *path, void (*entry)(void *user, const char *text), void *user,
                                    ph_err *err);

/* Appends an entry; makes the directory (0700) and the file (0600) when they are missing. */
PH_MUST ph_status repl_history_append(const char *path, const char *text, ph_err *err);

#endif
