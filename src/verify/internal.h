/* internal.h: what the files of the prover share. Private to verify/. */
#ifndef PH_VERIFY_INTERNAL_H
#define PH_VERIFY_INTERNAL_H

#include "expr/expr.h"
#include "verify/prove.h"

/* What is looked at: a statement, what is assumed, and the symbols that equations have put out of both (given.h; NULL: none). */
typedef struct {
    expr_node *s;
    const ver_assume *a;
    const struct ver_given *given;
} ver_asked;

/* true. A test turns it off, so that between a false statement and "proved" nothing stands but the argument (tests/verify/test_blind.c). */
extern bool ver_looks_at_points;
/* Tries the rational points from … from+n−1 for one where the statement is false; a witness makes *out refuted. */
PH_MUST ph_status ver_search(ver_verdict *out, bool *found, const ver_asked *q, uint64_t from, int n,
                             long prec, ph_err *err);
/* Refuted, by the point of that seed, which is told unless the verdict is bare. */
PH_MUST ph_status ver_refute_at(ver_verdict *out, const ver_asked *q, uint64_t seed, ph_err *err);
/* The same among points that its conditions let in, and that its own constants point to: where the others stay near 0 (witness.c). Not for a bare
 * verdict. */
PH_MUST ph_status ver_search_met(ver_verdict *out, bool *found, const ver_asked *q, ph_err *err);
struct ver_zeros;
/* Gathers the evidence for an equation in z: *all when its difference is zero in every case. Else *out is judged. */
PH_MUST ph_status ver_gather_zeros(bool *all, ver_verdict *out, struct ver_zeros *z, const ver_asked *q,
                                   ph_err *err);
/* ver_prove, whose verdict is bare (verdict.h): for who counts verdicts. */
PH_MUST ph_status ver_prove_bare(ver_verdict *out, expr_node *statement, const ver_assume *assume,
                                 ph_err *err);
/* Closes the meter that was opened for *out. What stayed unknown because it is empty says so. */
PH_MUST ph_status ver_meter_end(ver_verdict *out, ph_status st, ph_err *err);
PH_MUST ph_status ver_say_unknown(ver_verdict *out, ver_reason reason, const char *text, ph_err *err);

#endif
