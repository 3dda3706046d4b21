/* kept.h: the side of a statement that stays as it is while mutants of the other are judged, and its values. Private to verify/.
 *
 * Mutants of one side share the other, and most end at the first points: without this the side that stays is evaluated anew for each of them.
 * Why no verdict changes: the values of symbols at a point of points.c depend on the symbol and the seed alone, and a formula never changes; so
 * the ball of the side at a seed and a precision is the same whenever it is asked for, bit for bit, and what is handed out is a copy of it. The
 * side is known by its address, and a reference is held, so that no other formula can come to stand there. What the first evaluation took
 * from the meter each further one takes too: a statement runs out of work where it would have.
 */
#ifndef PH_VERIFY_KEPT_H
#define PH_VERIFY_KEPT_H

#include "verify/flint.h"

#include "expr/expr.h"

/* From now on the values of this side are kept, of this thread, and of no other side; NULL: of none. */
void ver_keep(expr_node *side);

/* The ball of e, and its value in f64, at the point of that seed: as ver_ball and expr_eval find them. */
PH_MUST ph_status ver_kept_ball(acb_t out, const expr_node *e, uint64_t seed, slong prec, ph_err *err);
PH_MUST ph_status ver_kept_double(double _Complex *out, const expr_node *e, uint64_t seed, ph_err *err);

#endif
