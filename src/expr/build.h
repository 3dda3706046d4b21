/* build.h: writing rules over formulas without a page of clean-up. A builder owns every node it makes; after the first
 * failure all further calls return NULL and the first message stands. Private to expr/ and verify/. */
#ifndef PH_EXPR_BUILD_H
#define PH_EXPR_BUILD_H

#include "expr/expr.h"

typedef struct {
    ph_err *err;
    ph_status st;
    exp_node **own; /* one reference each, dropped by exp_b_end */
    size_t n, cap;
} exp_builder;

#define EXP_BUILDER(e)                                                                                       \
    { .err = (e) }

exp_node *exp_b_keep(exp_builder *b, exp_node *owned); /* takes the reference over; NULL passes */
exp_node *exp_b_op(exp_builder *b, exp_op op, int n,
                   exp_node *const *args); /* NULL when an argument is NULL */
exp_node *exp_b_rat(exp_builder *b, int64_t num, int64_t den);
/* Sums, differences, products, quotients and powers with the obvious zeros and ones removed: what derivative rules
 * want; a user's own formula is never rewritten. */
exp_node *exp_b_add(exp_builder *b, exp_node *x, exp_node *y);
exp_node *exp_b_sub(exp_builder *b, exp_node *x, exp_node *y);
exp_node *exp_b_mul(exp_builder *b, exp_node *x, exp_node *y);
exp_node *exp_b_div(exp_builder *b, exp_node *x, exp_node *y);
exp_node *exp_b_pow(exp_builder *b, exp_node *x, exp_node *y);
exp_node *exp_b_neg(exp_builder *b, exp_node *x);
exp_node *exp_b_1(exp_builder *b, exp_op op, exp_node *x);
exp_node *exp_b_2(exp_builder *b, exp_op op, exp_node *x, exp_node *y);
/* e as Σ c_i·u_i + c, rational c_i, in one order: equal linear forms become the same formula, a constant one a rational.
 * e itself when that does not fit 64 bits. */
exp_node *exp_b_linear(exp_builder *b, exp_node *e);
/* Certainly no integer, whatever the integer symbols are: n + 1/2. */
bool exp_b_never_integer(exp_builder *b, exp_node *e);
/* e with f applied to each argument from number `first` on; e itself when nothing changed. */
typedef exp_node *exp_rewrite_fn(exp_builder *b, exp_node *e, void *ctx);
exp_node *exp_b_rewrite(exp_builder *b, exp_node *e, uint32_t first, exp_rewrite_fn *f, void *ctx);
/* Drops everything but `result`, whose new reference goes to *out (unless NULL). Returns the status. */
PH_MUST ph_status exp_b_end(exp_builder *b, exp_node **out, exp_node *result);

#endif
