/* signals.h: the signals of the prompt. While a line is edited they are blocked, except inside
 * repl_signals_wait; while a request runs they are open, and Ctrl-C goes to the session. */
#ifndef PH_REPL_SIGNALS_H
#define PH_REPL_SIGNALS_H

#include "session/session.h"

typedef struct {
    bool interrupt; /* SIGINT */
    bool resize;    /* SIGWINCH */
    bool suspend;   /* SIGTSTP, while editing */
    int leave;      /* SIGTERM, SIGHUP or SIGQUIT: its number; stays set */
} signals_seen;

/* editing: all of them, blocked from now on, and after a crash the terminal is as it was. Else only SIGINT, for scripts: everything else kills as usual.
 */
void repl_signals_open(bool editing);

/* Around a request: open the signals, Ctrl-C interrupts s, also one that came since the line was read; back to blocked. A Ctrl-C
 * during a request that the editor makes (`keep`) is not spent on it: it stays, for the line or for what runs next. */
void repl_signals_begin(ses *s);
void repl_signals_end(bool keep);
bool repl_signals_echoed(
    void); /* since the last call, did a Ctrl-C come (whose ^C the terminal has shown)? */

/* Waits until fd can be read (true); or so many seconds have passed (< 0: never), or a signal came, one to leave also before (false). */
bool repl_signals_wait(int fd, double seconds);

/* Within a request, around waits with the terminal in another mode: signals are held but for repl_signals_wait, so that none finds the
 * terminal so. The mode is set before each wait and undone behind it. When a wait came to nothing, go_on stops the process if that was
 * asked for, and says whether to wait again: not behind an interrupt or a signal to leave. */
bool repl_signals_hold(void);
void repl_signals_release(bool held);
bool repl_signals_go_on(void);
signals_seen repl_signals_take(void); /* and forget, but for leave */

/* Stops this process as SIGTSTP would; returns when it goes on. */
void repl_signals_suspend(void);

#endif
