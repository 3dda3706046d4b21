/* text.h: what happens to typed text before anything is evaluated: pasted prompts. Pure functions over strings. */
#ifndef PH_REPL_TEXT_H
#define PH_REPL_TEXT_H

#include "session/ask.h"

#define REPL_PROMPT      "> "  /* begins an input */
#define REPL_PROMPT_MORE ">> " /* continues it */

/* Takes the next input out of a text that may be a pasted session. *pos starts at 0 and moves on; NULL (with
 * *st PH_OK) after the last. A text whose first line begins with "> " is a session: each "> " begins an
 * input, ">> " continues it, every other line is output and is dropped. Any other text is one input, whole.
 * The caller frees. */
PH_MUST char *repl_next_input(const char *text, size_t *pos, ph_status *st);

/* Where the word stands when the input is that alone, with or without (); else NULL. *n: its length. */
const char *repl_is_word(const char *input, const char *word, size_t *n);
/* Where `quit` or `exit` stands when the input is that alone, with or without (); else NULL. *n: its length. */
const char *repl_leave_word(const char *input, size_t *n);

#endif
