/* dd.h: double-double arithmetic: a number as the unevaluated sum hi + lo of two doubles, |lo| <= ulp(hi)/2,
 * some 106 bits. Phases m theta are carried this way, because a plain double loses the angle's last bits
 * times m.
 *
 * u = 2^-53. Relative errors proved for finite results whose parts neither overflow nor underflow (|hi| and
 * the parts of a product between 2^-900 and 2^990): add, sub 3u^2    mul 5u^2    mul_d 3u^2    div 10u^2
 * (Joldes, Muller, Popescu: ACM TOMS 44, 2017), sqrt 25/8 u^2 (Lefèvre, Louvet, Muller, Picot, Rideau: ACM
 * TOMS 49, 2023). Functions, measured against Arb (tests/base/test_dd.c), relative to the exact value at the
 * given hi + lo: exp, log, sincos: under 2^-100; pow: under 2^-100 (1 + |y log x|). Only IEEE operations and
 * no libm but sqrt, which IEEE rounds: the same bits on every machine, with or without a fused multiply-add.
 * Needs -ffp-contract=off and round to nearest.
 */
#ifndef PH_DD_H
#define PH_DD_H

#include <math.h>

#include "base/base.h"

typedef struct {
    double hi, lo;
} ph_dd;

/* ---- error-free steps ---------------------------------------------------------------------------------- */

/* a + b exactly. */
static inline ph_dd ph_two_sum(double a, double b) {
    double s = a + b, t = s - a;
    return (ph_dd){s, (a - (s - t)) + (b - t)};
}

/* a + b exactly, for |a| >= |b| or a = 0. */
static inline ph_dd ph_fast_two_sum(double a, double b) {
    double s = a + b;
    return (ph_dd){s, b - (s - a)};
}

/* a = hi + lo, each of at most 26 bits (Veltkamp). */
static inline ph_dd ph_split(double a) {
    double c = 134217729.0 * a, hi = c - (c - a);
    return (ph_dd){hi, a - hi};
}

/* a b exactly. */
static inline ph_dd ph_two_prod(double a, double b) {
    double p = a * b;
#ifdef __FMA__
    return (ph_dd){p, __builtin_fma(a, b, -p)};
#else
    ph_dd x = ph_split(a), y = ph_split(b);
    return (ph_dd){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
#endif
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

static inline ph_dd ph_dd_of(double x) { return (ph_dd){x, 0}; }
static inline double ph_dd_value(ph_dd a) { return a.hi + a.lo; } /* the nearest double */
static inline ph_dd ph_dd_neg(ph_dd a) { return (ph_dd){-a.hi, -a.lo}; }

static inline ph_dd ph_dd_add(ph_dd a, ph_dd b) {
    ph_dd s = ph_two_sum(a.hi, b.hi), t = ph_two_sum(a.lo, b.lo);
    s = ph_fast_two_sum(s.hi, s.lo + t.hi);
    return ph_fast_two_sum(s.hi, s.lo + t.lo);
}
static inline ph_dd ph_dd_sub(ph_dd a, ph_dd b) { return ph_dd_add(a, ph_dd_neg(b)); }

static inline ph_dd ph_dd_add_d(ph_dd a, double b) {
    ph_dd s = ph_two_sum(a.hi, b);
    return ph_fast_two_sum(s.hi, s.lo + a.lo);
}

static inline ph_dd ph_dd_mul(ph_dd a, ph_dd b) {
    ph_dd p = ph_two_prod(a.hi, b.hi);
    return ph_fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline ph_dd ph_dd_mul_d(ph_dd a, double b) {
    ph_dd p = ph_two_prod(a.hi, b);
    return ph_fast_two_sum(p.hi, p.lo + a.lo * b);
}

/* a / b: a first quotient, then the remainder's, twice. */
static inline ph_dd ph_dd_div(ph_dd a, ph_dd b) {
    double q1 = a.hi / b.hi;
    ph_dd r = ph_dd_sub(a, ph_dd_mul_d(b, q1));
    double q2 = r.hi / b.hi;
    r = ph_dd_sub(r, ph_dd_mul_d(b, q2));
    ph_dd q = ph_fast_two_sum(q1, q2);
    return ph_dd_add_d(q, r.hi / b.hi);
}

/* a > 0. One step of Newton from the nearest double s, whose square misses a by what two doubles hold. */
static inline ph_dd ph_dd_sqrt(ph_dd a) {
    double s = sqrt(a.hi);
    ph_dd p = ph_two_prod(s, s);
    return ph_fast_two_sum(s, (((a.hi - p.hi) - p.lo) + a.lo) / (2 * s));
}

/* ---- functions ----------------------------------------------------------------------------------------- */

/* e^x. Above 709.79 inf, below -745.2 zero; results under 2^-960 keep fewer bits of lo. NaN for NaN. */
ph_dd ph_dd_exp(ph_dd x);
/* ln x for x > 0; -inf at 0, NaN below, inf at inf. Full relative accuracy at x near 1 too. */
ph_dd ph_dd_log(ph_dd x);
/* x^y = e^(y ln x) for x > 0, NaN otherwise; theta_i = b^(-2i/d) is ph_dd_pow(b, -2i/d). */
ph_dd ph_dd_pow(ph_dd x, ph_dd y);
/* sin x and cos x for every finite x: the reduction multiplies by 2/pi in integers with 265 bits behind the
 * point (Payne and Hanek, SIGNUM Newsletter 18, 1983), so it costs the same and loses nothing at 10^300. NaN
 * otherwise. */
void ph_dd_sincos(ph_dd *s, ph_dd *c, ph_dd x);

#endif
