/* exact.h: linear algebra over Q, moments, symmetry, induction: exact answers about formulas beside prove.h.
 *
 * A matrix is rows·cols formulas, row by row, each a rational number or sums, products, quotients and whole powers
 * of them (EARG names the first that is not). Answers that do not fit 64-bit fractions, and sizes beyond the caps, are EBUDGET. */
#ifndef PH_VERIFY_EXACT_H
#define PH_VERIFY_EXACT_H

#include "verify/prove.h"

typedef struct {
    int rows, cols;
    expr_node **entry; /* owned references in results (ver_matrix_clear), borrowed in arguments */
} ver_matrix;
void ver_matrix_clear(ver_matrix *m);

PH_MUST ph_status ver_rank(int64_t *out, const ver_matrix *a, ph_err *err);
PH_MUST ph_status ver_det(expr_node **out, const ver_matrix *a, ph_err *err); /* square, else EARG */
/* Columns are a basis of {x : a·x = 0}; cols may be 0. */
PH_MUST ph_status ver_null_space(ver_matrix *out, const ver_matrix *a, ph_err *err);
/* One x with a·x = b (b may have several columns), its free unknowns 0; EDOMAIN when there is none. *free_unknowns is the
 * dimension of the solution space. */
PH_MUST ph_status ver_solve(ver_matrix *x, int64_t *free_unknowns, const ver_matrix *a, const ver_matrix *b,
                            ph_err *err);

/* E[f] (moment 1) or Var[f] (moment 2), where the symbols in `random`, and the members of families in it, are independent
 * of each other with mean 0 and variance 1; all other symbols are constants. f: polynomial in them, and sums whose summand
 * uses a family at the index only. EOUTSIDE where a moment beyond the second would be needed. */
PH_MUST ph_status ver_moment(expr_node **out, expr_node *f, const expr_set *random, int moment, ph_err *err);

/* Is f unchanged by every permutation of n blocks of `size` symbols each (block by block in sym)? The n−1 exchanges of
 * neighbours generate all of them. */
PH_MUST ph_status ver_symmetric(ver_verdict *out, expr_node *f, expr_node *const *sym, int n, int size,
                                ph_err *err);

/* The statements a[n] = g(n), …, for all integers n >= from, when a[n+r] = … are given: the first r values are compared,
 * then the step, with the given equations and the hypothesis put in. Given equations without n are starting values. */
PH_MUST ph_status ver_induct(ver_verdict *out, expr_node *const *statement, int count, expr_node *n,
                             int64_t from, expr_node *const *given, int ngiven, ph_err *err);

#endif
