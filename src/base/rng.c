/* rng.c: xoshiro256++, and the distributions drawn from its words. */
#include "base/rng.h"
#include "base/dd.h"
#include "base/product.h"

#include <math.h>

static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

static uint64_t splitmix64(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void ph_rng_seed(ph_rng *g, uint64_t seed) {
    for (int i = 0; i < 4; i++) g->s[i] = splitmix64(&seed);
}

uint64_t ph_rng_bits(ph_rng *g) {
    uint64_t *s = g->s, out = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return out;
}

/* The step is linear over GF(2): 2^128 steps are a polynomial in it, whose coefficients are these bits. */
void ph_rng_jump(ph_rng *g) {
    static const uint64_t poly[4] = {0x180ec6d33cfd0abau, 0xd5a61266f0c9392cu, 0xa9582618e03fc9aau,
                                     0x39abdc4529b1661cu};
    ph_rng sum = {{0}};
    for (int bit = 0; bit < 256; bit++) {
        if (poly[bit / 64] >> (bit % 64) & 1)
            for (int i = 0; i < 4; i++) sum.s[i] ^= g->s[i];
        (void)ph_rng_bits(g);
    }
    *g = sum;
}

ph_rng ph_rng_split(ph_rng *g) {
    ph_rng child = *g;
    ph_rng_jump(g);
    return child;
}

double ph_rng_uniform(ph_rng *g) { return (double)(ph_rng_bits(g) >> 11) * 0x1p-53; }

/* The high half of word * n is uniform when words whose low half is under 2^64 mod n are drawn again (Lemire:
 * ACM TOMACS 29, 2019). */
uint64_t ph_rng_below(ph_rng *g, uint64_t n) {
    if (n == 0) return 0;
    uint64_t least = -n % n;
    ph_product p;
    do p = ph_product_of(ph_rng_bits(g), n);
    while (p.lo < least);
    return p.hi;
}

/* ---- the normal distribution --------------------------------------------------------------------------- */

/* Numerator and denominator of a rational function, constant term first. */
typedef struct {
    double num[8], den[8];
} ratio;

static double ratio_at(const ratio *f, double x) {
    double a = 0, b = 0;
    for (int i = 7; i >= 0; i--) {
        a = a * x + f->num[i];
        b = b * x + f->den[i];
    }
    return a / b;
}

/* AS 241 (PPND16): |p - 1/2| <= 0.425, in 0.180625 - (p - 1/2)^2; then r = sqrt(-ln min(p, 1-p)) up to 5, in
 * r - 1.6; then beyond, in r - 5. */
static const ratio centre = {
    {3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
static const ratio middle = {
    {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
static const ratio tail = {{6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
                            2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                            2.71155556874348757815e-5, 2.01033439929228813265e-7},
                           {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                            1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                            1.42151175831644588870e-7, 2.04426310338993978564e-15}};

double ph_normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    double q = p - 0.5, side = q < 0 ? p : 1 - p;
    if (fabs(q) <= 0.425) return q * ratio_at(&centre, 0.180625 - q * q);
    if (side == 0) return copysign(INFINITY, q);
    double r = sqrt(-ph_dd_log(ph_dd_of(side)).hi);
    return copysign(r <= 5 ? ratio_at(&middle, r - 1.6) : ratio_at(&tail, r - 5), q);
}

/* The middle of one of 2^52 equal cells of (0, 1/2), and a sign: 53 bits, symmetric, never 0 or 1. */
double ph_normal_of_bits(uint64_t w) {
    double z = ph_normal_quantile(((double)(w >> 12) + 0.5) * 0x1p-53);
    return w >> 11 & 1 ? z : -z;
}
double ph_rng_normal(ph_rng *g) { return ph_normal_of_bits(ph_rng_bits(g)); }
