/* dd.c: exp, log, pow and sincos of double-doubles: reduction to a small argument by a table, then a Taylor
 * series whose far terms, being under 2^-53 of the near ones, are summed in plain doubles. */
#include "base/dd.h"
#include "base/dd_tables.h"
#include "base/product.h"

/* ---- exp ----------------------------------------------------------------------------------------------- */

/* c + x for |x| < |c|/2, as the terms of a series are: no cancellation, so the quick sum keeps 3u^2. */
static inline ph_dd add_term(ph_dd c, ph_dd x) {
    ph_dd s = ph_fast_two_sum(c.hi, x.hi);
    return ph_fast_two_sum(s.hi, s.lo + (c.lo + x.lo));
}

/* e^t - 1 = t + t^2 (1/2! + t/3! + ... ), |t| <= ln2/64; from t^8/8! on, 2^-60 of t, in doubles. */
static ph_dd expm1_tiny(ph_dd t) {
    double tail = 0;
    for (int n = 13; n >= 8; n--) tail = tail * t.hi + inv_fact[n].hi;
    ph_dd p = ph_dd_of(tail);
    for (int n = 7; n >= 2; n--) p = add_term(inv_fact[n], ph_dd_mul(p, t));
    return add_term(t, ph_dd_mul(ph_dd_mul(t, t), p));
}

/* x = n ln2/32 + t; e^x = 2^k (1 + E)(1 + expm1 t), n = 32 k + j, E = 2^(j/32) - 1. Returns (e^x) 2^-k - 1.
 * |x| < 1100. */
static ph_dd exp_reduced(ph_dd x, int *k) {
    double n = rint(x.hi * per_ln2_32);
    ph_dd t =
        ph_two_sum(x.hi - n * ln2_32[0], -(n * ln2_32[1])); /* both products and the difference are exact */
    t = ph_dd_add_d(t, x.lo);
    t = ph_dd_add(t, ph_dd_neg(ph_dd_mul_d((ph_dd){ln2_32[2], ln2_32[3]}, n)));
    int j = (((int)n + 16) & 31) - 16;
    *k = ((int)n - j) / 32;
    ph_dd p = expm1_tiny(t), e = exp2m1_table[j + 16];
    return ph_dd_add(e, ph_dd_add(p, ph_dd_mul(e, p)));
}

ph_dd ph_dd_exp(ph_dd x) {
    if (isnan(x.hi)) return ph_dd_of(x.hi);
    if (x.hi > 709.79) return ph_dd_of(INFINITY);
    if (x.hi < -746) return ph_dd_of(0);
    int k;
    ph_dd y = ph_dd_add_d(exp_reduced(x, &k), 1);
    double hi = ldexp(y.hi, k);
    return isinf(hi) ? ph_dd_of(hi) : ph_fast_two_sum(hi, ldexp(y.lo, k));
}

/* ---- log ----------------------------------------------------------------------------------------------- */

/* ln m to about a double's precision for m in [0.7, 1.42]: 2 atanh(s) = 2s + 2s^3/3 + ..., s = (m-1)/(m+1),
 * |s| < 0.18. */
static double log_guess(double m) {
    double s = (m - 1) / (m + 1), z = s * s, p = 0;
    for (int n = 21; n >= 3; n -= 2) p = (p + 1.0 / n) * z;
    return 2 * s * (1 + p);
}

/* With y near ln m and c = m e^-y - 1 = (m - 1) + m expm1(-y): ln m = y + c - c^2/2 + ...; c is some 2^-52 y,
 * so c^3 is nothing, and the cancellation in c costs bits that y has to spare. */
static ph_dd log_near_1(ph_dd m) {
    int k;
    double y = log_guess(m.hi);
    ph_dd e = exp_reduced(ph_dd_of(-y), &k);
    if (k) e = ph_dd_add_d((ph_dd){ldexp(e.hi, k), ldexp(e.lo, k)}, ldexp(1, k) - 1);
    ph_dd c = ph_dd_add(ph_dd_add_d(m, -1), ph_dd_mul(m, e));
    return ph_dd_add_d(ph_dd_add_d(c, -0.5 * c.hi * c.hi), y);
}

ph_dd ph_dd_log(ph_dd x) {
    if (x.hi == 0) return ph_dd_of(-INFINITY);
    if (!(x.hi > 0)) return ph_dd_of(NAN);
    if (isinf(x.hi)) return x;
    int e;
    double f = frexp(x.hi, &e);
    if (f < 0.70710678118654752) e--; /* m in [0.707, 1.414] */
    ph_dd y = log_near_1((ph_dd){ldexp(x.hi, -e), ldexp(x.lo, -e)});
    return e ? ph_dd_add(ph_dd_mul_d(ln2, e), y) : y;
}

ph_dd ph_dd_pow(ph_dd x, ph_dd y) {
    if (!(x.hi > 0)) return ph_dd_of(NAN);
    return ph_dd_exp(ph_dd_mul(y, ph_dd_log(x)));
}

/* ---- sin and cos --------------------------------------------------------------------------------------- */

#define LIMBS 5 /* most significant first */

static void negate(uint64_t f[LIMBS]) {
    bool carry = true;
    for (int i = LIMBS - 1; i >= 0; i--) {
        f[i] = ~f[i] + carry;
        carry = carry && f[i] == 0;
    }
}

static void add(uint64_t f[LIMBS], const uint64_t g[LIMBS]) {
    bool carry = false;
    for (int i = LIMBS - 1; i >= 0; i--) {
        bool over = __builtin_add_overflow(f[i], g[i], &f[i]);
        carry = __builtin_add_overflow(f[i], (uint64_t)carry, &f[i]) || over;
    }
}

/* f = x 2/pi mod 4, two's complement, 2 bits before the point and 318 behind. x = m 2^e: the bits of 2/pi
 * that, times m 2^e, give multiples of 4 are left out; of the rest the first 320 are taken, and m < 2^53
 * makes the error 2^-265. two_over_pi  ....[.... 320 bits ....]....      the window starts at the bit of
 * weight 2^(1-e) |x| < 2^-202 counts as 0: only the small half of a pair is that small beside a large one. */
static void quarter_turns(uint64_t f[LIMBS], double x) {
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53), carry = 0;
    int start = 254 + e - 53;
    if (m == 0 || start < 0) m = 0, start = 0;
    const uint64_t *w = two_over_pi + start / 64;
    int s = start % 64;
    for (int i = LIMBS - 1; i >= 0; i--) {
        uint64_t bits = s ? w[i] << s | w[i + 1] >> (64 - s) : w[i];
        ph_product p = ph_product_of(m, bits);
        carry = p.hi + __builtin_add_overflow(p.lo, carry, &f[i]);
    }
    if (x < 0) negate(f);
}

/* The fixed-point fraction f (320 bits behind the point, sign apart) as a double-double. */
static ph_dd fraction_to_dd(const uint64_t f[LIMBS]) {
    int i = 0;
    while (i < LIMBS - 1 && f[i] == 0) i++;
    if (f[i] == 0) return ph_dd_of(0);
    uint64_t w[3] = {f[i], i + 1 < LIMBS ? f[i + 1] : 0, i + 2 < LIMBS ? f[i + 2] : 0};
    int s = __builtin_clzll(w[0]);
    if (s) w[0] = w[0] << s | w[1] >> (64 - s), w[1] = w[1] << s | w[2] >> (64 - s);
    double hi = (double)(w[0] >> 11), lo = (double)(w[0] << 53 | w[1] >> 11); /* 53 bits, then 64 more */
    return ph_fast_two_sum(ldexp(hi, -53 - 64 * i - s), ldexp(lo, -117 - 64 * i - s));
}

/* x = (q + f) pi/2, f in [-1/2, 1/2]; q mod 4. */
static int reduce(ph_dd *f, ph_dd x) {
    uint64_t a[LIMBS], b[LIMBS];
    quarter_turns(a, x.hi);
    quarter_turns(b, x.lo);
    add(a, b);
    int q = (int)((a[0] + ((uint64_t)1 << 61)) >> 62); /* nearest, mod 4 */
    for (int i = 0; i < LIMBS; i++) a[i] = a[i] << 2 | (i + 1 < LIMBS ? a[i + 1] >> 62 : 0);
    bool negative = a[0] >> 63;
    if (negative) negate(a);
    *f = fraction_to_dd(a);
    if (negative) *f = ph_dd_neg(*f);
    return q;
}

/* sin t = t - t u (1/3! - u/5! + ...) and cos t - 1 = -u (1/2! - u/4! + ...), u = t^2, |t| <= pi/64. The
 * double tails start at t^9/9!, 2^-53 of t, and u^5/10!, 2^-55 of u. */
static void sincos_tiny(ph_dd *s, ph_dd *c1, ph_dd t) {
    ph_dd u = ph_dd_mul(t, t), v = ph_dd_neg(u);
    double ts = 0, tc = 0;
    for (int n = 17; n >= 9; n -= 2) ts = ts * v.hi + inv_fact[n].hi;
    for (int n = 18; n >= 10; n -= 2) tc = tc * v.hi + inv_fact[n].hi;
    ph_dd ps = ph_dd_of(ts), pc = ph_dd_of(tc);
    for (int n = 7; n >= 3; n -= 2) ps = add_term(inv_fact[n], ph_dd_mul(ps, v));
    for (int n = 8; n >= 2; n -= 2) pc = add_term(inv_fact[n], ph_dd_mul(pc, v));
    *s = add_term(t, ph_dd_mul(ph_dd_mul(t, v), ps));
    *c1 = ph_dd_mul(v, pc);
}

/* sin and cos of (j + g) pi/32, |g| <= 1/2, from the table and the addition formulas; c1 = cos t - 1 keeps
 * the table's entry apart from its small correction. */
static void sincos_table(ph_dd *s, ph_dd *c, int j, ph_dd t) {
    ph_dd st, c1, sj = sin_table[j < 0 ? -j : j], cj = cos_table[j < 0 ? -j : j];
    if (j < 0) sj = ph_dd_neg(sj);
    sincos_tiny(&st, &c1, t);
    *s = ph_dd_add(sj, ph_dd_add(ph_dd_mul(cj, st), ph_dd_mul(sj, c1)));
    *c = ph_dd_add(cj, ph_dd_sub(ph_dd_mul(cj, c1), ph_dd_mul(sj, st)));
}

void ph_dd_sincos(ph_dd *s, ph_dd *c, ph_dd x) {
    if (!isfinite(x.hi)) {
        *s = *c = ph_dd_of(NAN);
        return;
    }
    if (fabs(x.hi) < 0.049) {
        sincos_table(s, c, 0, x);
        if (x.hi == 0) s->hi = x.hi; /* the sign of zero */
        return;
    }
    ph_dd f, a, b;
    int q = reduce(&f, x);
    double j = rint(f.hi * 16);
    sincos_table(&a, &b, (int)j, ph_dd_mul(ph_dd_add_d(f, -j / 16), half_pi));
    if (q & 1) *s = b, *c = ph_dd_neg(a);
    else *s = a, *c = b;
    if (q & 2) *s = ph_dd_neg(*s), *c = ph_dd_neg(*c);
}
