/* text.h: text that grows, bytes read from their front, and the nearest of several names.
 *
 * Invariant: after a refused allocation a text stays as it is, says so (`failed`) and takes nothing more, so a writer asks once, at
 * the end. A text that has taken anything ends with a NUL that `n` does not count.
 */
#ifndef PH_TEXT_H
#define PH_TEXT_H

#include "base/base.h"

typedef struct {
    char *s; /* NULL until something was put */
    size_t n, cap;
    bool failed;
} ph_text; /* all zero: the empty one */

void ph_put(ph_text *t, const char *s, size_t n); /* n bytes, NULs among them */
void ph_putc(ph_text *t, int byte);
void ph_puts(ph_text *t, const char *s);
void ph_putf(ph_text *t, const char *fmt, ...) PH_PRINTF(2, 3); /* of any length */
/* A string of JSON with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void ph_put_json(ph_text *t, const char *s, size_t n);
/* Hands the text over to the caller, who frees it ("" when nothing was put); *n (may be NULL): its length. ENOMEM when anything
 * was refused: then it is freed, and *out is NULL. Either way t is empty. */
PH_MUST ph_status ph_text_take(char **out, size_t *n, ph_text *t, ph_err *err);
void ph_text_drop(ph_text *t);

/* ---- what was written, read from its front -------------------------------------------------------------- */

typedef struct {
    const char *s;
    size_t n; /* left */
} ph_bytes;

/* The next n bytes; false, and nothing is taken, where fewer are left. */
bool ph_take(ph_bytes *b, void *out, size_t n);

/* ---- the name that was probably meant ------------------------------------------------------------------ */

/* How far `other` is from the `name` that was typed: smaller is nearer, -1: too far to be meant. Near is at most a third of the
 * letters wrong (inserted, dropped, changed, or two neighbours swapped; case does not count), at least one; then, farther than those, a
 * name in which a word begins with what was typed, when that is three letters or more. */
int ph_name_distance(const char *name, const char *other);
/* The nearest of a list ended by NULL, or NULL; of two as near, the first in the alphabet. */
const char *ph_nearest(const char *name, const char *const *names);

#endif
