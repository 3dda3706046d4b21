/* trust.h: the only place where `proved` and `certified` are made. Private to verify/.
 *
 * A strength is given for evidence, which these functions demand and look at, never on somebody's word. A proof is
 * tried, too: on the statement as it was given (before cases were split, sums removed, symbols replaced), at points of every scale that
 * meet its conditions. Where a ball contradicts a proof the failure is EBUG, which no caller may turn into an answer. A statement whose
 * conditions contradict each other, or whose sides are defined at no point that was tried, is never proved: it is
 * `unknown`, undefined, with that reason.
 */
#ifndef PH_VERIFY_TRUST_H
#define PH_VERIFY_TRUST_H

#include "verify/ball.h"
#include "verify/normal.h"
#include "verify/prove.h"
#include "verify/sign.h"
#include "verify/sums.h"

/* What was asked. */
typedef struct {
    expr_node *statement;
    const ver_assume *assume; /* NULL: nothing */
} ver_claim;

/* ---- proofs -------------------------------------------------------------------------------------------- */

/* An equation is true when the differences of its sides are zero in every case: their normal forms are gathered here. */
typedef struct ver_zeros {
    int zeros, others; /* normal forms that are 0, and those that are not */
    int64_t terms;
    bool exponentials, algebraic, by_summand;
    char induction[64];
    expr_set conditions; /* of all cases */
} ver_zeros;
PH_MUST ph_status ver_zeros_add(ver_zeros *z, const sums_form *f, ph_err *err);
void ver_zeros_clear(ver_zeros *z);
/* Proved when at least one case was decided and all of them are zero; EBUG otherwise. */
PH_MUST ph_status ver_trust_zeros(ver_verdict *out, const ver_claim *c, const ver_zeros *z, ph_err *err);

/* What an exact argument says of the difference of the sides of an inequality: right − left for < and <=, left − right for the
 * others; for != also its negative. */
PH_MUST ph_status ver_trust_sign(ver_verdict *out, const ver_claim *c, ver_sign sign, const char *method,
                                 ph_err *err);

/* What exact arguments say of left − right and of right − left in an equation whose sides are real wherever they are defined. */
PH_MUST ph_status ver_trust_both_signs(ver_verdict *out, const ver_claim *c, const ver_sign sign[2],
                                       const char *const method[2], ph_err *err);

/* Turns `unknown` into `undefined`, with the reason, where what is assumed contradicts itself: there is nothing to be decided. */
PH_MUST ph_status ver_trust_nothing(ver_verdict *out, const ver_claim *c, ph_err *err);

/* sin u != 0 where u is rational and not 0, as a quotient of natural numbers is: π is irrational. False in *out->strength (unknown): it is
 * another statement. */
PH_MUST ph_status ver_trust_irrational(ver_verdict *out, const ver_claim *c, ph_err *err);

/* e^(2πi·q) != 1 (turns.h) where q lies between two whole numbers that follow each other, which is proved first. Unknown: another statement. */
PH_MUST ph_status ver_trust_turns(ver_verdict *out, const ver_claim *c, ph_err *err);

/* ---- certificates -------------------------------------------------------------------------------------- */

/* A search over a whole box has come to its end: pieces that were settled, that still wait, and that stayed undecided. */
typedef struct {
    int64_t settled, waiting, undecided;
} ver_cover;
PH_MUST ph_status ver_trust_cover(ver_verdict *out, const ver_cover *c, ph_err *err);
/* A value is enclosed with so many bits, relative to its size, or absolutely where it may be 0. */
PH_MUST ph_status ver_trust_value(ver_verdict *out, const acb_t z, slong bits, ph_err *err);
bool ver_is_accurate(const acb_t z, slong bits); /* relatively, or exact */
bool ver_is_small(const acb_t z, slong bits);    /* below 2^-bits */

#endif
