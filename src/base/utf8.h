/* utf8.h: text as the terminal and the reader see it: code points, columns, names.
 *
 * A `rune` is a code point. Text is bytes with a length, NULs are bytes like any other, and nothing here
 * depends on the locale. Bytes that are no UTF-8 never stop a function: each maximal ill-formed part counts
 * as one U+FFFD (Unicode Standard, section 3.9, table 3-7: no surrogates, no overlong forms, nothing above
 * U+10FFFF).
 */
#ifndef PH_UTF8_H
#define PH_UTF8_H

#include "base/base.h"

typedef struct {
    uint32_t rune; /* U+FFFD when !valid */
    int bytes;     /* taken from the text: 1..4; 0 only at its end */
    bool valid;
} ph_utf8;

ph_utf8 ph_utf8_decode(const char *s, size_t n); /* the first rune of s[0..n) */
int ph_utf8_encode(char out[4], uint32_t rune);  /* bytes written; 0 when it is no scalar value */
bool ph_utf8_valid(const char *s, size_t n);
size_t ph_utf8_count(const char *s, size_t n); /* runes */
size_t ph_utf8_offset(const char *s, size_t n,
                      size_t runes); /* the byte where that many runes have passed; at most n */

/* A copy with every ill-formed part replaced by U+FFFD, NUL-terminated, for ph_free; NULL when refused.
 * *out_n (may be NULL): its length. */
PH_MUST char *ph_utf8_clean(size_t *out_n, const char *s, size_t n);

/* How many bytes at the end begin a rune that may go on behind it: 0..3. */
size_t ph_utf8_unfinished(const char *s, size_t n);

/* ---- columns ------------------------------------------------------------------------------------------- */

/* Columns of a terminal: 0 for combining marks, format characters and controls, 2 for East Asian wide and
 * full-width ones, else 1. (A tab's width depends on its place: expand it first.) */
int ph_rune_width(uint32_t rune);
size_t ph_utf8_width(const char *s, size_t n);
/* The bytes of a text (without line breaks) that stand on a line of so many columns: as many words as fit, at least one, without
 * blanks at their end. East Asian wide runes are words each, with the marks that cling to them. */
size_t ph_utf8_fit(const char *s, size_t n, size_t columns);

/* ---- names --------------------------------------------------------------------------------------------- */

/* A name begins with a letter of any script (general category L or Nl: a, θ, é, 位), with _, ∂ or ∇, and goes
 * on with these, digits, sub- and superscript digits and other numbers (Nd, No), combining marks (Mn, Mc),
 * connectors (Pc) and the primes ′ ″ ‴. Names are compared byte by byte; é as one rune and as e with an
 * accent are two names. */
bool ph_rune_starts_name(uint32_t rune);
bool ph_rune_continues_name(uint32_t rune);

#endif
