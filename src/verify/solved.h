/* solved.h: an equation, solved for a symbol that stands in it once. Private to verify/.
 *
 * Points are made with it, never proofs: whoever uses a value looks whether the equation has it.
 */
#ifndef PH_VERIFY_SOLVED_H
#define PH_VERIFY_SOLVED_H

#include "expr/build.h"

/* x as a formula of what else stands in the equation, and (or NULL) as another: ±√. False: x stands in it more than once, or under what has no
 * inverse. What fails on the way settles nothing. */
bool ver_solved(expr_node **one, expr_node **other, expr_builder *b, const expr_node *equation,
                const expr_node *x);

#endif
