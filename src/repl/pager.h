/* pager.h: long text by pages, for a reader at a terminal. The heading of a page stands at its top, and never leaves the screen before the
 * page is turned.
 *
 * Counted are rows: a line that the terminal breaks takes several, escape sequences none.
 */
#ifndef PH_REPL_PAGER_H
#define PH_REPL_PAGER_H

#include "base/base.h"

typedef struct {
    bool on;   /* what is put comes in pages */
    bool left; /* the reader wants no more of this request */
    bool colour;
    bool zh; /* speaks Chinese */
    int rows, columns;
    int used;      /* rows that stand between the top of the page and the cursor's */
    int blank;     /* of these, empty ones right below the heading */
    int column;    /* of the cursor */
    char *heading; /* owned, or NULL */
} pager;

/* From here on text comes in pages. heading: the line that has just been shown, to be repeated; NULL: none. */
void repl_pager_begin(pager *p, int columns, int rows, const char *heading);
void repl_pager_end(pager *p);

/* Writes text to stdout; at the end of a page waits for a key. Nothing is written once the reader has left. */
void repl_pager_put(pager *p, const char *text);
/* Turns the page if so many rows do not fit below, but would on a page of their own; where nothing but empty rows stands below the heading,
 * takes these back instead. The rows of a text. */
void repl_pager_keep(pager *p, int rows);
int repl_pager_rows(const pager *p, const char *text);
/* So many rows were written past the pager. */
void repl_pager_count(pager *p, int rows);

#endif
