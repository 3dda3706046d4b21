/* build.h: writing rules over formulas without a page of clean-up. A builder owns every node it makes; after the first
 * failure all further calls return NULL and the first message stands. For rooms that write formulas, not for what a user calls. */
#ifndef PH_EXPR_BUILD_H
#define PH_EXPR_BUILD_H

#include "expr/expr.h"

typedef struct {
    ph_err *err;
    ph_status st;
    struct expr_owned *own; /* one reference each, dropped by expr_b_end */
} expr_builder;

#define EXPR_BUILDER(e)                                                                                      \
    { .err = (e) }

expr_node *expr_b_keep(expr_builder *b, expr_node *owned); /* takes the reference over; NULL passes */
expr_node *expr_b_op(expr_builder *b, expr_op op, int n,
                     expr_node *const *args); /* NULL when an argument is NULL */
expr_node *expr_b_rat(expr_builder *b, int64_t num, int64_t den);
/* Sums, differences, products, quotients and powers with the obvious zeros and ones removed: what derivative rules
 * want; a user's own formula is never rewritten. */
expr_node *expr_b_add(expr_builder *b, expr_node *x, expr_node *y);
expr_node *expr_b_sub(expr_builder *b, expr_node *x, expr_node *y);
expr_node *expr_b_mul(expr_builder *b, expr_node *x, expr_node *y);
expr_node *expr_b_div(expr_builder *b, expr_node *x, expr_node *y);
expr_node *expr_b_pow(expr_builder *b, expr_node *x, expr_node *y);
expr_node *expr_b_neg(expr_builder *b, expr_node *x);
expr_node *expr_b_1(expr_builder *b, expr_op op, expr_node *x);
expr_node *expr_b_2(expr_builder *b, expr_op op, expr_node *x, expr_node *y);
/* e as Σ c_i·u_i + c, rational c_i, in one order: equal linear forms become the same formula, a constant one a rational.
 * e itself when that does not fit 64 bits. */
expr_node *expr_b_linear(expr_builder *b, expr_node *e);
/* What a function that arrays have is of formulas, in other functions (defined.c); NULL: `name` of n arguments is not so defined. */
typedef expr_node *expr_define_fn(expr_builder *b, expr_node *const *x);
expr_define_fn *expr_definition(const char *name, int n);
/* Certainly no integer, whatever the integer symbols are: n + 1/2. */
bool expr_b_never_integer(expr_builder *b, expr_node *e);
/* e with f applied to each argument from number `first` on; e itself when nothing changed. */
typedef expr_node *expr_rewrite_fn(expr_builder *b, expr_node *e, void *ctx);
expr_node *expr_b_rewrite(expr_builder *b, expr_node *e, uint32_t first, expr_rewrite_fn *f, void *ctx);
/* e with `to` wherever `from` stands in it, in the bounds and bodies of sums, too; NULL where one of them is NULL. What must mind
 * the indices of sums goes through expr_subst. */
expr_node *expr_b_exchange(expr_builder *b, expr_node *e, const expr_node *from, expr_node *to);
/* The builder's own substitution: expr_replace, which minds no family, and expr_subst. NULL where one of them is NULL. */
expr_node *expr_b_replace(expr_builder *b, expr_node *e, expr_node *from, expr_node *to);
expr_node *expr_b_subst(expr_builder *b, expr_node *e, expr_node *from, expr_node *to);
/* NULL also where there is no such formula; only what is fatal ends the builder. */
expr_node *expr_b_try_subst(expr_builder *b, expr_node *e, expr_node *from, expr_node *to);
/* Drops everything but `result`, whose new reference goes to *out (unless NULL). Returns the status. */
PH_MUST ph_status expr_b_end(expr_builder *b, expr_node **out, expr_node *result);

#endif
