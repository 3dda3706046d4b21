/* nonzero.h: what is not 0 because other formulas are not. Private to verify/. */
#ifndef PH_VERIFY_NONZERO_H
#define PH_VERIFY_NONZERO_H

#include "expr/build.h"

/* Is u, wherever it is defined, other than 0 where none of the known formulas is 0? True only when that is certain: a product or quotient by its
 * factors, a power, root or absolute value by what it is of, a formula by one that is it or a multiple of it. */
bool ver_nonzero_by(expr_builder *b, expr_node *u, expr_node *const *known, int n);

#endif
