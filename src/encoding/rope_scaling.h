/* rope_scaling.h: the frequencies of a rotation: base, partial rotation, and the ways to stretch a trained model's context.
 * Private to encoding/.
 *
 * Letters: r columns that rotate, P = r/2 pairs, i pair, s factor, L training length, L' length in use, b base,
 * θ_i = b^(-2i/r), λ_i = 2π/θ_i wavelength, a temperature: cosines and sines times a, so scores times a^2.
 *
 *   pi         θ_i / s
 *   ntk        θ_i of base b s^(r/(r-2))
 *   dynamic    θ_i of base b (s L'/L - (s-1))^(r/(r-2)), for L' > L
 *   ntk-mixed  θ_i exp(-ln(s) ((i+1)/P)^power)
 *   ntk-parts  (1-γ) θ_i/s + γ θ_i
 *   yarn       the same, a = 1 + ln(s)/10
 *   longrope   θ_i / factors_i, a = sqrt(1 + ln s/ln L)
 *   llama3     (1-γ) θ_i/s + γ θ_i, γ the paper's with 1 and 4 for slow and fast
 *
 *   γ, paper   (L/λ_i - slow)/(fast - slow) held to [0, 1]
 *   γ, code    1 - (i - lo)/(hi - lo) held to [0, 1]; lo = floor(at(fast)), not below 0, hi = ceil(at(slow)), not above r-1,
 *              at(n) = r ln(L/(2π n))/(2 ln b); where they meet hi is lo + 1/1000
 */
#ifndef PH_ENCODING_ROPE_SCALING_H
#define PH_ENCODING_ROPE_SCALING_H

#include "encoding/define.h"

typedef struct {
    const char *who;
    int64_t r;
    double base, p;           /* the first floor(p P) pairs turn, the others have θ = 0 */
    const enc_value *scaling; /* of a parameter with enc_rope_scalings; NULL: none */
} enc_rope_setting;

extern const enc_choice enc_rope_scalings[];

/* EARG unless r is even, p leaves the range, the scaling asks for r > 2, or the list has not P positive entries. */
PH_MUST ph_status enc_rope_check(const enc_rope_setting *s, ph_err *err);
/* theta[0 .. P-1]; relative error under 2^-96. */
void enc_rope_frequencies(ph_dd *theta, const enc_rope_setting *s);
ph_dd enc_rope_temperature(const enc_rope_setting *s); /* 1 without scaling */

/* The same in operations: theta (P), and the temperature, NULL for 1. */
typedef struct {
    enc_rope_setting s;
    const enc_value *base, *p;
} enc_rope_def;
op_val *enc_rope_d_frequencies(op_ctx *c, const enc_rope_def *r);
op_val *enc_rope_d_temperature(op_ctx *c, const enc_rope_def *r);

#endif
