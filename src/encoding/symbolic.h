/* symbolic.h: runs definitions (define.h) on arrays of formulas. For encoding/.
 *
 * An array of formulas has a shape, and an entry is made when it is asked for: what operation made the array, and of which entries
 * of its operands. Numbers in it are exact, so they must be ratios of 64-bit integers where an entry needs them.
 *
 *     enc_symbolic s;
 *     enc_symbolic_begin(&s, err);
 *     x = enc_symbols(&s, "x", 4, 2, (int64_t[]){1, 4});      an array of x[0], x[1], x[2], x[3]
 *     y = op_do1(&s.c, "sin", x);
 *     e = enc_symbolic_entry(&s, y, 3);                      sin(x[3]), the builder's
 *     st = enc_symbolic_end(&s, &out, e);
 */
#ifndef PH_ENCODING_SYMBOLIC_H
#define PH_ENCODING_SYMBOLIC_H

#include "array/rule.h"
#include "expr/build.h"

typedef struct enc_sym enc_sym; /* what an op_val is here */
typedef struct {
    op_ctx c; /* first: rules get it */
    expr_builder b;
    enc_sym *values; /* all of them, the last one first */
} enc_symbolic;

void enc_symbolic_begin(enc_symbolic *s, ph_err *err);
/* An array of name[0], name[1], …, which begin again at each row of `row` entries; row 0: an array of one entry, the symbol itself. */
op_val *enc_symbols(enc_symbolic *s, const char *name, int64_t row, int ndim, const int64_t *shape);
/* Entry `at`, counted row by row. */
expr_node *enc_symbolic_entry(enc_symbolic *s, op_val *v, int64_t at);
/* As expr_b_end, and ends every value. */
PH_MUST ph_status enc_symbolic_end(enc_symbolic *s, expr_node **out, expr_node *result);

/* ---- between its files ---------------------------------------------------------------------------------- */

typedef expr_node *enc_entry_fn(expr_builder *b, expr_node *const *operands);
enc_entry_fn *enc_entry_of(const op *row); /* NULL: no elementwise row that formulas know */
/* Without the signs that a reader would not write: x + (-y) is x - y. */
expr_node *enc_b_sum(expr_builder *b, expr_node *x, expr_node *y);
expr_node *enc_b_product(expr_builder *b, expr_node *x, expr_node *y);

#endif
