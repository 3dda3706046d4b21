/* sums.h: identities with sums over symbolic bounds. Private to verify/. */
#ifndef PH_VERIFY_SUMS_H
#define PH_VERIFY_SUMS_H

#include "verify/normal.h"
#include "verify/prove.h"

typedef struct {
    normal_form form;   /* of the hardest part; conditions of all parts */
    bool by_summand;    /* some Σ was removed because its general summand is 0 */
    char induction[64]; /* the symbol a closed form was proved by induction over; "" when none was */
} sums_form;

/* Is e identically zero? As normal_decide, with sums. NONZERO with form.opaque set when only the sums' theory gave out. Where the
 * assumptions do not hold e need not be 0; they are not used otherwise, and NULL is none. */
PH_MUST ph_status ver_sums_decide(sums_form *out, expr_node *e, const ver_assume *where, ph_err *err);

#endif
