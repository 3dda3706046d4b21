/* realroots.h: the real roots of a polynomial with integer coefficients, apart from each other. Only the real ones are looked for, by
 * Descartes' rule of signs on halved intervals (Collins and Akritas 1976): what has many complex roots or long coefficients costs little. */
#ifndef PH_VERIFY_REALROOTS_H
#define PH_VERIFY_REALROOTS_H

#include <flint/fmpz_poly.h>
#include <stdbool.h>

#include "verify/flint.h"

/* The real roots of a square-free polynomial that is not 0, in order, no two of their balls with a common point, to 64 bits or exact;
 * *n of them, to be freed by flint's _arb_vec_clear(_, degree). */
arb_ptr ver_real_roots(slong *n, const fmpz_poly_t f);

/* f, square-free and not 0 at 0, has certainly no real root, or (above) none that is > 0. False too where the meter does not allow so
 * much work. */
bool ver_no_real_root(const fmpz_poly_t f, bool above);

#endif
