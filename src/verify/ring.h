/* ring.h: fractions of polynomials over Z in numbered generators, modulo monic relations. Private to verify/.
 *
 * Generator 0 is I, with I^2 = -1. Generator g has lexicographic rank above every generator below it, and a relation g^q = r may use only generators
 * below g: so reduction is division, and terminates.
 * Every operation checks the cost first: EBUDGET rather than a computation that does not end. Between
 * init and clear nothing here can jump.
 */
#ifndef PH_VERIFY_RING_H
#define PH_VERIFY_RING_H

#include "verify/flint.h"

#include "base/base.h"

#define RING_MAX_TERMS  200000 /* of one polynomial */
#define RING_MAX_WORK   4e6 /* of one multiplication, in products of word-sized coefficients: below 100 ms */
#define RING_MAX_TOTAL  1e8 /* of one normal form: a second or two */
#define RING_MAX_DEGREE 20000 /* steps of one reduction, and power of a polynomial of several terms */
#define RING_MAX_EXPONENT                                                                                    \
    1e17 /* of a generator: no cost of its own in a sparse polynomial, but it must fit a word */
#define RING_MAX_BITS       200000 /* of one coefficient */
#define RING_MAX_GCD        10000 /* product of the lengths of two polynomials whose common factor is sought */
#define RING_MAX_GCD_DEGREE 1000  /* and the sum of their degrees in any generator */

typedef struct {
    fmpz_mpoly_t n, d; /* d is never 0 */
} ring_frac;

typedef struct {
    slong gen; /* generator whose power leads */
    slong degree;
    fmpz_mpoly_t poly; /* gen^degree − (lower) */
} ring_relation;

typedef struct {
    fmpz_mpoly_ctx_t ctx;
    slong nvars;
    ring_relation *rel;
    slong nrel;
    double spent; /* work done so far */
    ph_err *err;
} ring;

PH_MUST ph_status ver_ring_init(ring *r, slong nvars, ph_err *err); /* nvars >= 1; ring_clear in any case */
void ver_ring_clear(ring *r);
/* Adds gen^degree = value; value is a polynomial in lower generators (value->d divides value->n). Ascending gen. */
PH_MUST ph_status ver_ring_relate(ring *r, slong gen, slong degree, const ring_frac *value);

void ver_ring_frac_init(ring_frac *f, ring *r); /* 0/1 */
void ver_ring_frac_clear(ring_frac *f, ring *r);
void ver_ring_set(ring_frac *out, const ring_frac *a, ring *r);
void ver_ring_set_fmpq(ring_frac *out, const fmpq_t q, ring *r);
void ver_ring_gen(ring_frac *out, slong gen, ring *r);
/* Outputs may alias inputs. */
PH_MUST ph_status ver_ring_add(ring_frac *out, const ring_frac *a, const ring_frac *b, int sign, ring *r);
PH_MUST ph_status ver_ring_mul(ring_frac *out, const ring_frac *a, const ring_frac *b, ring *r);
PH_MUST ph_status ver_ring_div(ring_frac *out, const ring_frac *a, const ring_frac *b,
                               ring *r);                                                /* b = 0: EDOMAIN */
PH_MUST ph_status ver_ring_pow(ring_frac *out, const ring_frac *a, int64_t k, ring *r); /* k < 0: 1/a^|k| */
PH_MUST ph_status ver_ring_cancel(ring_frac *f,
                                  ring *r); /* lowest terms, leading coefficient of d positive */
bool ver_ring_is_zero(const ring_frac *f, ring *r);

#endif
