/* identity.h: identities by more than one normal form. Private to verify/. */
#ifndef PH_VERIFY_IDENTITY_H
#define PH_VERIFY_IDENTITY_H

#include "verify/sums.h"

#define VER_IDENTITY_DEPTH 5 /* ways within ways */

/* Shows that e is 0, when one of the ways of identity.c does; then *out is the proof, with the conditions that the way adds. No way is
 * taken for what is not 0 somewhere; `where` (NULL: nothing) says which points count for that. */
PH_MUST ph_status ver_identity(sums_form *out, bool *proved, expr_node *e, const ver_assume *where, int depth,
                               ph_err *err);

/* As ver_sums_decide; depth: how many ways are in use already. */
PH_MUST ph_status ver_sums_decide_within(sums_form *out, expr_node *e, const ver_assume *where, int depth,
                                         ph_err *err);

#endif
