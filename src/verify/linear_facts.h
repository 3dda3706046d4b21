/* linear_facts.h: n >= 0 as a combination of facts. Private to verify/. */
#ifndef PH_VERIFY_LINEAR_FACTS_H
#define PH_VERIFY_LINEAR_FACTS_H

#include "verify/reading.h"

/* Every monomial is taken as a variable of its own, the facts (and the products of two of them, or of n < 0 with each and with itself) as linear inequalities; f = n/d,
 * d > 0 visibly, is >= 0 (> 0) when these and n < 0 (n <= 0) contradict each other: by elimination of the variables one by one
 * (Fourier, Motzkin), which is exact. */
PH_MUST ph_status ver_linear_facts(ver_sign *out, const char **method, reading *x, const ring_frac *f,
                                   bool strict);

#endif
