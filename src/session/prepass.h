/* prepass.h: what the session does to source text before Lua reads it.
 *
 *   θ = 1/3             _u3b8_ = 1/3          a variable beyond ASCII gets a name Lua can read
 *   t.θ                 t["θ"]                fields keep their name
 *   {θ = 1}             {["θ"] = 1}
 *   function t.θ(x)     t["θ"] = function(x)
 *   local x             x = nil;              (SES_HOIST, outside every block) stays visible in the next cell
 *   local y <const> = 1       y          = 1
 *
 * Names are compared after the normalisation of nfc.c. A name written _u3b8_ in the source *is* θ. Strings and comments
 * are never touched, lines keep their numbers, and a map leads from every byte of the result to the source.
 * Exception: a method name beyond ASCII has no ASCII form in `obj:name()`, and is an error that says what to write.
 */
#ifndef PH_SES_PREPASS_H
#define PH_SES_PREPASS_H

#include "base/base.h"

enum {
    SES_HOIST = 1,  /* a cell: outside every block `local` makes a session variable (`<close>` stays local) */
    SES_VALUES = 4, /* a cell that was typed: the value of a call at its end is shown too (parts.h) */
    SES_FILE = 2    /* a first line that starts with '#' is skipped */
};

/* out_len bytes at out_at stand for src_len bytes at src_at; what lies between edits was copied. */
typedef struct {
    size_t src_at, src_len, out_at, out_len;
} ses_edit;

typedef struct {
    char *text; /* rewritten, NUL-terminated; owned */
    size_t length;
    ses_edit *edits; /* ascending; owned */
    size_t nedits;
    bool silent;     /* the last token is ';' */
    bool blank;      /* no token at all */
    bool open_quote; /* a quoted string is not closed on its line, and no backslash carries it on: */
    size_t quote_at; /* its place in the source */
    int depth;       /* blocks and brackets still open at the end */
} ses_source;

/* On PH_EARG *at is the byte offset in `code` that the message is about. Other failures: PH_ENOMEM. */
PH_MUST ph_status ses_prepass(ses_source *out, const char *code, size_t n, unsigned flags, size_t *at,
                              ph_err *err);
void ses_source_clear(ses_source *s); /* idempotent */

/* Byte offset in the source of a byte of the result; the inside of a rewritten name maps to its start. */
size_t ses_source_offset(const ses_source *s, size_t out_offset);

/* "θ" → "_u3b8_" for a whole name of n bytes. NULL: out of memory. Result is ph_alloc'ed. */
char *ses_mangle(const char *name, size_t n);
/* Every _u3b8_ in a text back to θ; never longer than the original, done in place. Returns the new length. */
size_t ses_demangle(char *text, size_t n);
/* true when text (NUL-terminated) is the mangled form of some name */
bool ses_is_mangled(const char *text);

#endif
