/* conditions.h: where a statement is defined, as statements. Private to verify/.
 *
 * Under a sum a part is asked for at every value of the index. Where that is not certain, the condition counts the values at which it
 * fails, and wants none, so that it is a statement like any other, which balls can judge:
 *     Σ_{k=lo}^{hi} piecewise(k − 2 != 0, 0, 1) = 0        shown as: k - 2 != 0 (k = lo, …, hi)
 */
#ifndef PH_VERIFY_CONDITIONS_H
#define PH_VERIFY_CONDITIONS_H

#include "expr/build.h"

/* A sum that a part stands in. */
typedef struct ver_scope {
    expr_node *index, *lo, *hi;
    const struct ver_scope *outer; /* NULL: the outermost */
} ver_scope;

/* Adds the statements under which every part of e has a value, each once: what parts ask for, and for each sum hi >= lo − 1. */
PH_MUST ph_status ver_conditions_of(expr_set *out, expr_node *e, ph_err *err);

/* Adds c, which holds for whatever index it mentions, as a condition for all of their values; nothing where that is certain. */
PH_MUST ph_status ver_condition_over(expr_set *out, expr_node *c, const ver_scope *s, ph_err *err);

/* Adds, as ver_condition_over does, what makes the arguments of e real where e has a value of real numbers only: floor, sign, min, max, atan2, Ci,
 * Si, and an order; of atan that its argument is none of its poles. realness.c. */
PH_MUST ph_status ver_wants_real(expr_set *out, expr_node *e, const ver_scope *s, ph_err *err);

/* An expr_rewrite_fn: linear parts in one way only, so that what is written in two ways is one. */
expr_node *ver_tidy(expr_builder *b, expr_node *e, void *none);

/* The sum and the condition that a counting condition consists of; false: it is another statement. */
bool ver_condition_counts(const expr_node *c, const expr_node **sum, const expr_node **counted);

#endif
