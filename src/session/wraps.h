/* wraps.h: integer arithmetic in typed text that comes out wrong because Lua's integers wrap.
 *
 * Lua counts integers modulo 2^64: (1 << 32)*(1 << 32) is 0. A formula refuses integers beyond 2^53; one that wrapped and came back below
 * that is like any other once it is computed. So the text is looked at before it runs: an expression of numerals, of names whose
 * integers are known and of + - * << is computed exactly, and refused where Lua's value is another one that a formula would take.
 * Exceptions: what loops, functions and library calls compute is not seen; what wraps to beyond 2^53 (hashes) is left alone.
 */
#ifndef PH_SES_WRAPS_H
#define PH_SES_WRAPS_H

#include "base/base.h"

/* The integer that a variable has before the text runs; false: none. */
typedef bool ses_known(void *ctx, const char *name, size_t n, int64_t *value);

/* PH_EARG: such an expression begins at byte *at of the text. Other failures: PH_ENOMEM. */
PH_MUST ph_status ses_wraps(const char *code, size_t n, bool file, ses_known *known, void *ctx, size_t *at,
                            ph_err *err);

#endif
