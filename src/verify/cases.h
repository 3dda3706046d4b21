/* cases.h: piecewise parts of a formula, taken case by case. Private to verify/. */
#ifndef PH_VERIFY_CASES_H
#define PH_VERIFY_CASES_H

#include "verify/span.h"

/* The first piecewise part, outermost first, that has one value at a point: none that uses an index bound around it. NULL: there is
 * none. */
expr_node *ver_find_case(expr_node *e);
/* e with the branch in place of that part. */
expr_node *ver_take_case(expr_builder *b, expr_node *e, expr_node *piece, expr_node *branch);
/* An expr_rewrite_fn, ctx the ver_ends of what is assumed: conditions are brought to one form; branches whose condition fails everywhere go,
 * and so do those behind one whose condition always holds; of the lesser, the greater and |u| the part that is meant is left. */
expr_node *ver_settle_cases(expr_builder *b, expr_node *e, void *ctx);

#endif
