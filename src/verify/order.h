/* order.h: inequalities, where an argument is exact: sums of squares of quadratic forms, polynomials in one variable by
 * their real roots, signs that are visible in the formula, and monotonicity from an end point. Private to verify/. */
#ifndef PH_VERIFY_ORDER_H
#define PH_VERIFY_ORDER_H

#include "verify/internal.h"
#include "verify/trust.h"

/* Judges ne lt le gt ge (out is already begun). */
PH_MUST ph_status ver_prove_order(ver_verdict *out, expr_node *statement, const ver_assume *assume,
                                  ph_err *err);
/* Judges the claim by a statement that follows from it and from which it follows. */
PH_MUST ph_status ver_prove_order_of(ver_verdict *out, const ver_claim *c, const ver_asked *q, ph_err *err);
/* An equation of what is real wherever it is defined, by l >= r and r >= l at the same points; *out stays as it is where that is not shown. */
PH_MUST ph_status ver_prove_both_orders(ver_verdict *out, const ver_claim *c, ph_err *err);
/* Do the assumptions and conditions, as inequalities, contradict each other? True only when that is certain. */
PH_MUST ph_status ver_order_contradictory(bool *out, const ver_assume *assume, const expr_set *conditions,
                                          ph_err *err);

#endif
