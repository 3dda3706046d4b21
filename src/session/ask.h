/* ask.h: what an input asks for, at the prompt and in a notebook: Lua, a command, or help. Pure functions over strings. */
#ifndef PH_SES_ASK_H
#define PH_SES_ASK_H

#include "base/text.h"

typedef enum {
    ASK_CODE,    /* Lua */
    ASK_BLANK,   /* nothing but blanks */
    ASK_COMMAND, /* :name rest */
    ASK_HELP,    /* ?name or name? */
    ASK_MORE,    /* ??name or name?? */
    ASK_SEARCH   /* ???words */
} ses_ask;

/* rest points into the line: behind the marks, blanks skipped. The marks may stand behind a name, too: `name?`. */
ses_ask ses_classify(const char *line, const char **rest);
/* The length of what is asked for: rest without the blanks and marks at its end. */
size_t ses_asked(const char *rest);

/* Lua that calls a function of the laboratory with the first n bytes of words as its argument: require('phasor').fn('words'). */
void ses_put_call(ph_text *out, const char *fn, const char *words, size_t n);

#endif
