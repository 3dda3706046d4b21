/* screen.h: events → the terminal (or whatever stdout and stderr are). */
#ifndef PH_REPL_SCREEN_H
#define PH_REPL_SCREEN_H

#include <jansson.h>

#include "base/base.h"
#include "repl/graphics.h"
#include "repl/pager.h"

typedef struct {
    bool out_terminal, err_terminal;
    bool colour;      /* stdout: a terminal that has colours, and no NO_COLOR */
    bool err_colour;  /* the same of stderr */
    bool located;     /* errors begin with FILE:LINE:, as a compiler's; else with "error:" */
    graphics images;  /* which ones the terminal shows */
    const char *cell; /* name of the cell that was just typed, and its lines; NULL: none */
    int lines;
    bool midline;  /* stdout stands behind text on its line */
    bool progress; /* a progress line stands on stderr */
    bool reader;   /* someone sits at the terminal and takes inputs one by one: what is long comes in pages */
    pager pages;
} screen;

void repl_screen_open(screen *s);
void repl_screen_size(const screen *s, int *columns, int *rows); /* 80 and 24 where there is no terminal */

/* Shows stream, display, clear, result, error, progress and notice; anything else is left to the caller
 * (false). */
bool repl_screen_event(screen *s, const json_t *event);

/* A line of our own on stderr, behind a coloured word: ("error", "unknown command…"). word may be NULL: dim
 * text. */
void repl_screen_say(screen *s, const char *word, const char *fmt, ...) PH_PRINTF(3, 4);

/* A request begins, and ends: pages are counted within it. */
void repl_screen_begin(screen *s);
void repl_screen_end(screen *s);

/* Ends a line that a cell left open, so that the prompt stands at the margin; drops a progress line. */
void repl_screen_settle(screen *s);

#endif
