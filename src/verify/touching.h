/* touching.h: what the pieces of a box leave undecided. Private to verify/. */
#ifndef PH_VERIFY_TOUCHING_H
#define PH_VERIFY_TOUCHING_H

#include "verify/certify.h"
#include "verify/prove.h"

/* Is there an exact proof of the statement with the box as its conditions? *out is to be cleared in any case. */
PH_MUST ph_status ver_prove_on_box(bool *proved, ver_verdict *out, expr_node *statement,
                                   const ver_ranges *box, ph_err *err);

#endif
