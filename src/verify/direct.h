/* direct.h: formulas of symbols, sines, cosines and exponentials, without roots, logarithms and fractions whose denominators have more
 * than one term, are Laurent polynomials in symbols and exponentials as they stand. Private to verify/.
 *
 * Most identities of the lessons are of this kind, and with words for coefficients and lists of the powers that occur they cost a
 * tenth of what the ring of normal.h costs, or a hundredth where there are hundreds of generators. Only 0 is an
 * answer: no relation but I^2 = −1 and e^u·e^v = e^(u+v) is used, so what is not 0 here may be 0 in the ring.
 */
#ifndef PH_VERIFY_DIRECT_H
#define PH_VERIFY_DIRECT_H

#include "verify/normal.h"

/* *zero: e is identically 0 where it is defined, and *out is what ver_normal_decide would say; else *out is empty. */
PH_MUST ph_status ver_direct_decide(normal_form *out, bool *zero, expr_node *e, ph_err *err);

#endif
