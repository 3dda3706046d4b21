/* lex.h: Lua's tokens, seen over UTF-8 text, for the rewriting before `load`, for completion and for "is this input
 * finished?". It accepts everything Lua accepts; where Lua would complain it yields a token and goes on, so that Lua
 * itself says what is wrong. Exception: a character no Lua program can contain outside strings (LEX_BAD).
 */
#ifndef PH_SES_LEX_H
#define PH_SES_LEX_H

#include "base/base.h"

typedef enum {
    LEX_END,
    LEX_NAME,
    LEX_KEYWORD,
    LEX_NUMBER,
    LEX_STRING,
    LEX_COMMENT,
    LEX_OP,
    LEX_SPACE,
    LEX_BAD
} lex_kind;

typedef struct {
    lex_kind kind;
    size_t at, len; /* bytes in the text */
    bool
        wide; /* LEX_NAME: contains a character beyond ASCII. LEX_SPACE is always wide: a blank Lua does not know */
    bool open; /* LEX_STRING, LEX_COMMENT: the text ended before it was closed */
} lex_token;

typedef struct {
    const char *text;
    size_t n, at;
    bool
        file; /* a first line that starts with '#' is a comment, as in files; at the prompt it is the length of something */
} lex_state;

/* The next token; ASCII blanks are skipped, comments are tokens. */
void ses_lex(lex_state *lx, lex_token *t);

/* Is the token exactly this ASCII text? */
bool ses_lex_is(const char *text, const lex_token *t, const char *word);

#endif
