/* prove.h: exact decisions about formulas.
 *
 * An equality is decided by normal form (normal.h); a sum with symbolic bounds by its general summand or by differencing.
 * `proved` is tried on the statement as it was given, at points of every scale (trust.h): disagreement is EBUG, never a verdict.
 * `refuted` always carries a rational point at which a ball excludes 0. `unknown` says whether outside the theory, out of
 * budget, or undefined.
 */
#ifndef PH_VERIFY_PROVE_H
#define PH_VERIFY_PROVE_H

#include "expr/expr.h"
#include "verify/verdict.h"

/* What a verdict is asked under: statements that hold (assumptions for witnesses, and for inequalities). */
typedef struct {
    expr_node *const *where;
    int nwhere;
} ver_assume;

/* Judges a statement: eq by normal form, ne lt le gt ge by ver_prove_order. The caller must clear *out, even on failure. Errors: EARG for
 * symbols of different assumptions under one name; ENOMEM; EINTR. */
PH_MUST ph_status ver_prove(ver_verdict *out, expr_node *statement, const ver_assume *assume, ph_err *err);

/* The same; an order that is left open is asked where its sides are real: under conditions on what stands in their roots, logarithms, rational powers,
 * arc sines and arc cosines, which join those of the verdict. */
PH_MUST ph_status ver_prove_where_real(ver_verdict *out, expr_node *statement, const ver_assume *assume,
                                       ph_err *err);

/* Looks for a rational point where the statement is false: refuted, or unknown. tries <= 0: the default (400). */
PH_MUST ph_status ver_counterexample(ver_verdict *out, expr_node *statement, const ver_assume *assume,
                                     int tries, ph_err *err);

/* A statement that is several: as strong as the weakest of its parts, of which there must be one, and each must hold (EBUG
 * otherwise). The words are the caller's; size and time are gathered. */
PH_MUST ph_status ver_trust_parts(ver_verdict *out, const ver_verdict *const *part, int n, ph_err *err);
/* The same, with a statement made of theirs and the method of the first. */
PH_MUST ph_status ver_follow(ver_verdict *all, const ver_verdict *const *part, int n, ph_err *err);

/* Two numbers between which e lies wherever the assumptions hold, rounded outwards, infinite where none are seen in how it is built; what
 * is to follow from them is for ver_prove. */
PH_MUST ph_status ver_ends_of(double *lo, double *hi, expr_node *e, const ver_assume *assume, ph_err *err);

/* One mutant's fate, told as it is decided: by a verdict that is bare (verdict.h). */
typedef void ver_on_mutant(void *ctx, const char *what, const ver_verdict *v);
typedef struct {
    int64_t total, refuted, equivalent, undecided;
    int64_t undefined;     /* not a formula any more; not in total */
    int64_t untried;       /* there were so many that only a spread of them was judged; not in total */
    ver_strength original; /* of the statement as it stands: mutants of what does not hold show nothing */
    double time;
} ver_mutants_report;
/* Judges a statement, then mutates each of its sides in turn and judges every mutant; of an inequality also the sides exchanged. A mutant
 * that is true as well counts as equivalent: so are many of an inequality. */
PH_MUST ph_status ver_mutants(ver_mutants_report *out, expr_node *statement, const ver_assume *assume,
                              ver_on_mutant *on, void *ctx, ph_err *err);
/* The same of all that a proved verdict states, without the statements for which but[k] is true (NULL: none): of an induction its right
 * sides, of a symmetry its formula; of an inequality of the kind != only whether its sides are equal. `most` at most are judged, spread evenly over the
 * statements and over each one's mutants. */
PH_MUST ph_status ver_mutants_of(ver_mutants_report *out, const ver_verdict *v, const bool *but, int64_t most,
                                 ver_on_mutant *on, void *ctx, ph_err *err);

#endif
