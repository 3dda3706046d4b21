/* slips.h: what people who come from another language write, and what to write here. One table of rules; who reports an error asks
 * it for a hint.
 */
#ifndef PH_SLIPS_H
#define PH_SLIPS_H

#include "base/base.h"

typedef enum {
    PH_SLIP_NAME,  /* seen: an unknown name */
    PH_SLIP_FIELD, /* seen: an unknown field or method */
    PH_SLIP_CHAR,  /* seen: a character that no program can contain outside texts */
    PH_SLIP_CODE, /* seen: tokens around a syntax error, or ""; N is a name, D a number, V a name, number or text. message: a part of what
                      Lua says, or NULL. `anywhere`: not only where the error is */
    PH_SLIP_ERROR /* seen: a part of the message of an error at run time */
} ph_slip_kind;

typedef struct {
    ph_slip_kind kind;
    const char *seen, *hint;
    const char *message;
    bool anywhere;
} ph_slip;

#define PH_SLIP_COMMENT "a comment begins with --"

extern const ph_slip ph_slips[]; /* ends with seen == NULL; the first rule that fits counts */

/* The hint for a word seen (NAME, FIELD, CHAR: exactly it; ERROR: a part of it), or NULL. */
const char *ph_slip_hint(ph_slip_kind kind, const char *seen);

#endif
