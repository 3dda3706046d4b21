/* wide.h: the one door between int64_t and FLINT. FLINT's own integers are as wide as a limb: 32 bits where long is. Private to verify/. */
#ifndef PH_VERIFY_WIDE_H
#define PH_VERIFY_WIDE_H

#include "base/base.h"
#include "verify/flint.h"

void ver_fmpz_set(fmpz_t out, int64_t k);
bool ver_fmpz_fits(const fmpz_t z);
int64_t ver_fmpz_get(const fmpz_t z);                    /* of one that fits */
void ver_fmpq_set(fmpq_t out, int64_t num, int64_t den); /* lowest terms, den > 0 */
void ver_acb_set(acb_t out, int64_t k);
void ver_acb_div(acb_t out, int64_t k, slong prec); /* out/k */

/* A fraction of two words, den > 0; not always in lowest terms. */
typedef struct {
    int64_t num, den;
} ver_ratio;
void ver_arb_set(arb_t out, ver_ratio q, slong prec); /* exact where it fits the precision */

#endif
