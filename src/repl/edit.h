/* edit.h: one input from the user, one line or many. Two editors behind it: GNU Readline where both ends are
 * a terminal (edit_readline.c, the only file that names it), plain lines everywhere else.
 *
 * The editor knows no Lua: it asks the hooks whether a text is whole and what could stand at the cursor.
 */
#ifndef PH_REPL_EDIT_H
#define PH_REPL_EDIT_H

#include "base/base.h"

typedef struct {
    char **text; /* n texts that may replace the bytes start … end-1 of the input; allocated, freed by the
                    editor */
    size_t n, start, end;
} edit_matches;

typedef struct {
    void *user;
    bool colour;
    const char *(*prompt)(void *user); /* what to ask with; NULL: REPL_PROMPT */
    /* Is text the beginning of an input that is not whole yet? Then *indent is how far the next line is
     * indented. */
    bool (*incomplete)(void *user, const char *text, int *indent);
    void (*complete)(void *user, const char *text, size_t pos, edit_matches *out); /* out comes zeroed */
} edit_hooks;

typedef enum {
    EDIT_INPUT,      /* a whole input */
    EDIT_UNFINISHED, /* the end came inside an input; its text is given */
    EDIT_CANCELLED,  /* Ctrl-C */
    EDIT_END,        /* Ctrl-D, end of file, or a signal to leave */
    EDIT_FAILED      /* no memory, or the input cannot be read */
} edit_outcome;

typedef struct editor editor;

/* Readline when it was built in and stdin and stdout are terminals; else plain lines, prompts on stderr when
 * stdin is a terminal, no prompts when it is not. NULL: no memory. */
editor *repl_edit_open(const edit_hooks *hooks);
void repl_edit_close(editor *e);

/* *text (allocated; NULL for CANCELLED, END, FAILED) without its last line breaks. */
edit_outcome repl_edit_read(editor *e, char **text);
void repl_edit_remember(editor *e,
                        const char *text); /* newest entry of the history; nothing for plain lines */
bool repl_edit_fancy(const editor *e);     /* is there a history at all? */
void repl_edit_type(const char *s,
                    size_t n); /* as if typed, before the next input; nothing for plain lines */

/* Releases the texts of matches. */
void repl_edit_matches_clear(edit_matches *m);

/* Name and version of the line editor built in: "8.2", or "none". */
const char *repl_edit_version(void);

/* ---- between the two editors --------------------------------------------------------------------------- */

/* What edit.c is made of; repl_edit_readline() gives NULL when Readline is not built in. */
typedef struct {
    bool (*open)(const edit_hooks *hooks);
    void (*close)(void);
    edit_outcome (*read)(char **text);
    void (*remember)(const char *text);
    void (*type)(const char *s, size_t n);
} edit_backend;
const edit_backend *repl_edit_readline(void);

#endif
