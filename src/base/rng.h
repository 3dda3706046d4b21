/* rng.h: random numbers, the same on every machine.
 *
 * xoshiro256++ 1.0 (Blackman, Vigna: ACM TOMS 47, 2021), its 256 bits filled from a 64-bit seed by splitmix64
 * (Steele, Lea, Flood: OOPSLA 2014). Period 2^256 - 1. Not for cryptography. There is no global generator:
 * the caller owns the state and passes it in. Every draw below uses IEEE operations only, no libm, and takes
 * exactly one 64-bit word (ph_rng_below: one, rarely more), so a stream can be followed by hand.
 */
#ifndef PH_RNG_H
#define PH_RNG_H

#include "base/base.h"

typedef struct {
    uint64_t s[4]; /* never all zero */
} ph_rng;

void ph_rng_seed(ph_rng *g, uint64_t seed); /* every seed is good, 0 too */
uint64_t ph_rng_bits(ph_rng *g);            /* uniform over 0 .. 2^64 - 1 */
double ph_rng_uniform(ph_rng *g);           /* k 2^-53, k uniform over 0 .. 2^53 - 1: in [0, 1) */
double ph_normal_of_bits(uint64_t w);       /* what ph_rng_normal makes of a draw of ph_rng_bits */
double ph_rng_normal(ph_rng *g); /* mean 0, variance 1; the quantile of a 53-bit uniform, |z| < 8.3 */
uint64_t ph_rng_below(ph_rng *g, uint64_t n); /* uniform over 0 .. n - 1 without bias; n >= 1 (0 gives 0) */

/* As 2^128 calls of ph_rng_bits. */
void ph_rng_jump(ph_rng *g);
/* A stream of its own for a task: the child goes on from here, g jumps; the two meet after 2^128 draws. */
ph_rng ph_rng_split(ph_rng *g);

/* z with Phi(z) = p, for 0 < p < 1, relative error under 1e-15 (Wichura, AS 241, Applied Statistics 37,
 * 1988). -inf at 0, inf at 1, NaN elsewhere. */
double ph_normal_quantile(double p);

#endif
