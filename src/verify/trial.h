/* trial.h: is a formula that shall be 0 another number at one of the points tried? Private to verify/. */
#ifndef PH_VERIFY_TRIAL_H
#define PH_VERIFY_TRIAL_H

#include "verify/prove.h"

/* One of the first n points: a ball that excludes 0 there, where the assumptions (NULL: none) hold. */
bool ver_fails_somewhere(const expr_node *e, const ver_assume *where, uint64_t n, long prec);

/* A point at which the integer symbols of e are small, all combinations of them: where ratios are 1 and indices
 * meet, which points far apart from each other do not show. */
bool ver_fails_among_small_integers(const expr_node *e, const ver_assume *where);

#endif
