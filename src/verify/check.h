/* check.h: a statement looked at in many points. Private to verify/. */
#ifndef PH_VERIFY_CHECK_H
#define PH_VERIFY_CHECK_H

#include "verify/prove.h"

typedef struct {
    int met;       /* points that meet the conditions */
    int defined;   /* of them, those at which both sides are finite */
    bool costly;   /* a sum of so many terms that no point was worked out */
    bool unsolved; /* an equation among the conditions gives no symbol a value: points are hardly found */
    char *against; /* a point where a ball contradicts the statement, in words; owned; NULL: none */
} ver_check;

/* Looks at the statement at points of every scale which meet the assumptions and the conditions, by f64 first; balls judge what
 * f64 finds suspicious, and a point near 1 in any case. Sums are worked out term by term. */
PH_MUST ph_status ver_check_statement(ver_check *out, const expr_node *s, const ver_assume *a,
                                      const expr_set *conditions, ph_err *err);
/* Can the assumptions and conditions be met by no point, for a reason that is seen: constants, ends that cross, x != x? *which, owned,
 * says it. */
PH_MUST ph_status ver_check_vacuous(char **which, const expr_node *s, const ver_assume *a,
                                    const expr_set *conditions, ph_err *err);

/* Finite, and together up to what f64 loses on the way. Decides nothing. */
bool ver_doubles_agree(double _Complex l, double _Complex r);

/* Are two real numbers in that order, and far apart for f64? */
bool ver_doubles_hold(expr_op op, double _Complex l, double _Complex r);

#endif
