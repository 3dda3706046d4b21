/* shape.h: formulas in one shape, for who looks at how they are built. */
#ifndef PH_VERIFY_SHAPE_H
#define PH_VERIFY_SHAPE_H

#include "expr/expr.h"

/* e without what says nothing, and nothing rounded: sums of symbols with whole coefficients in the order of their names, |x| of such
 * a sum with a first coefficient above 0, comparisons of them as comparisons with 0, zeros and ones left out of products and
 * powers, cases and the greater of two constants decided where balls decide them. A power of a constant 0 is taken for 1. */
PH_MUST ph_status ver_shape(expr_node **out, expr_node *e, ph_err *err);

#endif
