/* mutate.h: some of the mutants of a formula, where all would be thousands. */
#ifndef PH_EXPR_MUTATE_H
#define PH_EXPR_MUTATE_H

#include "expr/expr.h"

/* expr_mutants (expr.h), but what stands in for a symbol is taken from `symbols` (NULL: those of e), and of `every` mutants that follow each other only the first is handed on. *count
 * counts all of them on from what it was; most of those left out are never built. */
PH_MUST ph_status expr_mutants_sparse(expr_node *e, const expr_set *symbols, int64_t every, int64_t *count,
                                      expr_on_mutant *on, void *ctx, ph_err *err);

#endif
