/* text.h: what happens to typed text before anything is evaluated: pasted prompts, prompt commands. Pure functions over strings. */
#ifndef PH_REPL_TEXT_H
#define PH_REPL_TEXT_H

#include "base/base.h"

#define REPL_PROMPT      "> "  /* begins an input */
#define REPL_PROMPT_MORE ">> " /* continues it */

/* Takes the next input out of a text that may be a pasted session. *pos starts at 0 and moves on; NULL (with
 * *st PH_OK) after the last. A text whose first line begins with "> " is a session: each "> " begins an
 * input, ">> " continues it, every other line is output and is dropped. Any other text is one input, whole.
 * The caller frees. */
PH_MUST char *repl_next_input(const char *text, size_t *pos, ph_status *st);

/* What a line asks for. rest points into the line: behind the marks, blanks skipped. */
typedef enum {
    ASK_CODE,    /* Lua */
    ASK_BLANK,   /* nothing but blanks */
    ASK_COMMAND, /* :name rest */
    ASK_HELP,    /* ?name */
    ASK_MORE,    /* ??name */
    ASK_SEARCH   /* ???words */
} text_ask;
text_ask repl_classify(const char *line, const char **rest);

/* Where `quit` or `exit` stands when the input is that alone, with or without (); else NULL. *n: its length. */
const char *repl_leave_word(const char *input, size_t *n);

#endif
