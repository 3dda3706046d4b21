/* implied.h: what conditions say of formulas besides themselves. Private to verify/. */
#ifndef PH_VERIFY_IMPLIED_H
#define PH_VERIFY_IMPLIED_H

#include "expr/build.h"

/* Is u, wherever it is defined, other than 0 where none of the known formulas is 0? True only when that is certain: a product or quotient by its
 * factors, a power, root or absolute value by what it is of, a sum of positive terms that has one, a formula by one that is it or a multiple of it. */
bool ver_nonzero_by(expr_builder *b, expr_node *u, expr_node *const *known, int n);

/* Does c, a condition of order, hold where k, another, does? True only when the two sides of c are further apart by a constant: N >= 2 where N - 3 >= 0. */
bool ver_order_by(expr_builder *b, const expr_node *c, const expr_node *k);

/* Does a condition whose sides are a rational number apart, wherever they are defined, hold? False: they are not seen to be. */
bool ver_decided(bool *holds, expr_builder *b, const expr_node *c);

#endif
