/* positive.h: conditions that say of a symbol that it is positive, or not negative. Private to verify/. */
#ifndef PH_VERIFY_POSITIVE_H
#define PH_VERIFY_POSITIVE_H

#include "expr/build.h"
#include "verify/prove.h"
#include "verify/trust.h"

/* The same claim of positive symbols, natural ones in place of integers, where a condition says that a symbol is: log(x*y) = log(x) + log(y) where
 * x > 0 and y > 0. It holds exactly where the given one does. claim[0] is the statement, then come the n conditions that are left: there is room for
 * a->nwhere of them. *n -1: no condition says that, or the formulas cannot be built. What is written is b's. */
void ver_as_positive(expr_node **claim, int *n, expr_builder *b, expr_node *s, const ver_assume *a);

/* Does a condition say that? */
bool ver_says_positive(const ver_assume *a);

/* Gathers the normal forms of an equation where each symbol that a condition says is >= 0 is 0, and where it is positive. *all: each of these
 * cases is an equation that holds without a further condition. Errors: ENOMEM, EINTR. */
PH_MUST ph_status ver_gather_by_signs(bool *all, ver_zeros *z, const ver_claim *c, ph_err *err);

#endif
