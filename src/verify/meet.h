/* meet.h: a point that meets conditions, looked for in steps on intervals. Private to verify/.
 *
 * Every symbol has an interval. A condition is taken apart from outside, and what its parts can be narrows them down to the symbols; where
 * nothing narrows any more, one symbol gets a simple number of its interval, and so on, with a step back where an interval is empty.
 * The intervals are doubles and no proof of anything: whoever is handed a point looks whether it meets the conditions.
 */
#ifndef PH_VERIFY_MEET_H
#define PH_VERIFY_MEET_H

#include "verify/sample.h"

/* Is the point that the sampler now is at what was wanted? Then the search ends. */
typedef ph_status ver_at_point(bool *wanted, void *ctx, ph_err *err);

/* *empty: the conditions leave no point, as far as the intervals see. */
PH_MUST ph_status ver_meet(bool *empty, ver_sampler *at, expr_node *const *condition, int n,
                           ver_at_point *look, void *ctx, ph_err *err);

#endif
