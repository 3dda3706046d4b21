/* keys.h: one key at a time from the terminal, while a request runs. */
#ifndef PH_REPL_KEYS_H
#define PH_REPL_KEYS_H

#include "base/base.h"

#define KEY_NAME 16 /* room for a key's name */

/* "left", "right", "up", "down", "enter", "escape", "space", "end" (of the input), or the character that was typed. NULL: none within so
 * many seconds (< 0: whenever), or a signal came. The signals of the prompt must be open. */
const char *repl_key_read(char name[KEY_NAME], double seconds);

#endif
