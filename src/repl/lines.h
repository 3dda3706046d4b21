/* lines.h: standard input by lines, through one buffer, for whoever reads it: the plain editor and programs
 * that ask for input. (stdio would hide from pselect what it has read ahead, and bytes behind a NUL.) */
#ifndef PH_REPL_LINES_H
#define PH_REPL_LINES_H

#include "base/base.h"

/* A text that grows; all zero is the empty one. text is NUL-terminated once it is not NULL. */
typedef struct {
    char *text;
    size_t n;
} lines_text;
void repl_lines_clear(lines_text *t);

typedef enum { LINES_GOT, LINES_END, LINES_SIGNAL, LINES_FAILED } lines_outcome;

/* Appends the next line, with its line break (the last may lack it). SIGNAL: a signal came first; what was
 * read of the line is kept for the next call. */
lines_outcome repl_lines_read(lines_text *t);

#endif
