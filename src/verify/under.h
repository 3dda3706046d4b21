/* under.h: statements under equations. Private to verify/. */
#ifndef PH_VERIFY_UNDER_H
#define PH_VERIFY_UNDER_H

#include "verify/prove.h"

/* Judges a statement by what is left of it where the equations among the assumptions have put symbols out (given.h); *out, which is begun,
 * stays as it is where that decides nothing. */
PH_MUST ph_status ver_prove_under(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err);

#endif
