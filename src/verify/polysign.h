/* polysign.h: the sign of a polynomial over Z whose variables are real, some of them >= 0 or > 0. Private to verify/. */
#ifndef PH_VERIFY_POLYSIGN_H
#define PH_VERIFY_POLYSIGN_H

#include "verify/flint.h"

#include <flint/fmpz_mpoly_factor.h>

#include "base/base.h"
#include "verify/sign.h"

/* Every term is >= 0 by its coefficient, even powers and the signs of the variables (sign[v]: of variable v); > 0 when one
 * term is. */
ver_sign ver_poly_visible(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx);

/* By its irreducible factors: even powers, what is visible, real roots counted by Sturm, sums of squares of linear forms
 * (L D Lᵀ with D >= 0), and A·x² + B·x + C with A >= 0 and 4AC − B² >= 0, which is asked again. */
ver_sign ver_poly_sign(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx);

/* Has the meter enough for the resultant of f and g by v, or for a discriminant (f twice)? */
bool ver_poly_affords(const fmpz_mpoly_t f, const fmpz_mpoly_t g, slong v, const fmpz_mpoly_ctx_t ctx);
/* Factors f over Z; false where that would cost too much, judged by its degrees and coefficients. */
bool ver_poly_factor(fmpz_mpoly_factor_t out, const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx);

#endif
