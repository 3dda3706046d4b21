/* vmath_kernels.h: the vector source of vmath.c, which includes it once for each CPU level with
 *   LANES   doubles in a vector
 *   TARGET  the attribute that lets a function use that level's instructions
 *   FN(f)   the level's name of f
 * A kernel is branch-free: it computes every lane in full and selects. Lanes that it does not serve ("rare")
 * are found a block ahead and done one by one afterwards.
 */
typedef double FN(vd) __attribute__((vector_size(8 * LANES), may_alias));
typedef int64_t FN(vl) __attribute__((vector_size(8 * LANES), may_alias));
typedef float FN(vf) __attribute__((vector_size(4 * LANES), may_alias));
#define vd     FN(vd)
#define vl     FN(vl)
#define vf     FN(vf)
#define HELPER TARGET __attribute__((always_inline)) static inline

/* ---- small steps
 * ---------------------------------------------------------------------------------------------- */

HELPER vd FN(splat)(double c) { return (vd){0} + c; }
HELPER vd FN(select)(vl mask, vd yes, vd no) { return (vd)((mask & (vl)yes) | (~mask & (vl)no)); }
HELPER vd FN(abs)(vd x) { return (vd)((vl)x & INT64_MAX); }
HELPER vd FN(with_sign)(vd x, vd of) { return (vd)(((vl)x & INT64_MAX) | ((vl)of & INT64_MIN)); }

/* Nearest integers for |x| < 2^51: n as doubles; the low bits of `biased` hold them as integers. */
#define MAGIC 0x1.8p52
typedef struct {
    vd n;
    vl biased;
} FN(whole);
#define whole FN(whole)
HELPER whole FN(nearest)(vd x) {
    vd t = x + MAGIC;
    return (whole){t - MAGIC, (vl)t};
}

/* 2^n for -1022 <= n <= 1023. */
HELPER vd FN(pow2)(vl n) { return (vd)((n << 52) + ((int64_t)1023 << 52)); }

/* c[0] + c[1] x + ... */
#define HORNER(c, x) FN(horner)(c, (int)(sizeof(c) / sizeof *(c)), x)
HELPER vd FN(horner)(const double *c, int n, vd x) {
    vd p = FN(splat)(c[n - 1]);
    for (int i = n - 2; i >= 0; i--) p = p * x + c[i];
    return p;
}

/* a + b = hi + lo exactly. fast: where |a| >= |b| or a = 0. */
typedef struct {
    vd hi, lo;
} FN(pair);
#define pair FN(pair)
HELPER pair FN(fast_sum)(vd a, vd b) {
    vd s = a + b;
    return (pair){s, b - (s - a)};
}
HELPER pair FN(diff)(vd a, vd b) {
    vd s = a - b, t = s - a;
    return (pair){s, (a - (s - t)) - (b + t)};
}

/* (n.hi + n.lo) / (d.hi + d.lo) to about half an ulp: the quotient of the heads, then its remainder, exact by
 * Dekker's product. */
HELPER vd FN(divide)(pair n, pair d) {
    vd r = 1 / d.hi, q = n.hi * r, p = q * d.hi;
    vd c = 134217729.0 * q, qh = c - (c - q), ql = q - qh;
    vd e = 134217729.0 * d.hi, dh = e - (e - d.hi), dl = d.hi - dh;
    vd low = ((qh * dh - p) + qh * dl + ql * dh) + ql * dl; /* q d.hi = p + low */
    return q + ((((n.hi - p) - low) + n.lo) - q * d.lo) * r;
}

/* ---- f64
 * ------------------------------------------------------------------------------------------------------ */

/* x = n ln2 + r.hi + r.lo; n ln2_hi is exact. e^(r.hi + r.lo) - 1 = r.hi + (r.lo (1 + r.hi) + r.hi^2
 * P(r.hi)). */
typedef struct {
    whole n;
    vd r, rest;
} FN(expm1_parts);
HELPER FN(expm1_parts) FN(expm1_reduced)(vd x) {
    whole n = FN(nearest)(x * per_ln2);
    vd a = x - n.n * ln2_hi, b = n.n * ln2_lo, r = a - b, lo = (a - r) - b;
    return (FN(expm1_parts)){n, r, lo * (1 + r) + r * r * HORNER(exp_p, r)};
}

/* e^x = 2^n (1 + (e^r - 1)), the sum with its rounding error put back; 2^n in two factors, so that the result
 * overflows or becomes subnormal in the last product only. */
HELPER vd FN(exp_f64_at)(vd x) {
    x = FN(select)(x > 710, FN(splat)(710), x); /* a NaN stays */
    x = FN(select)(x < -746, FN(splat)(-746), x);
    FN(expm1_parts) p = FN(expm1_reduced)(x);
    pair s = FN(fast_sum)(FN(splat)(1), p.r);
    vd t = p.n.n * 0.5 + MAGIC;
    vl half = (vl)t;
    return (s.hi + (s.lo + p.rest)) * FN(pow2)(half) * FN(pow2)(p.n.biased - half);
}

/* x = 2^k m, m in [sqrt(1/2), sqrt 2), f = m - 1, s = f / (2 + f):
 *   ln m = 2 atanh s = f - f^2/2 + s (f^2/2 + z R(z)), z = s^2
 * f is exact, k ln2_hi too; the large terms are summed with their errors. */
HELPER vd FN(log_f64_at)(vd x) {
    const int64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
    vl u = (vl)x + (one - root);
    vd f = (vd)((u & 0xfffffffffffff) + root) - 1;
    vd k = (vd)((vl)((u & INT64_MAX) >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
    vd s = f / (2 + f), z = s * s, h = 0.5 * f * f;
    pair head = FN(fast_sum)(k * ln2_hi, f);
    return head.hi - (h - (s * (h + z * HORNER(log_p, z)) + (head.lo + k * ln2_lo)));
}

/* x = n pi/2 + t.hi + t.lo, |t| <= pi/4, for |x| <= 10^6 (n < 2^20): Cody and Waite with a pi/2 of 152 bits.
 * The products with the 33-bit parts are exact and so is the first difference; the others keep their errors.
 */
typedef struct {
    whole n;
    vd hi, lo;
} FN(angle);
HELPER FN(angle) FN(reduce)(vd x) {
    whole n = FN(nearest)(x * per_pio2);
    pair b = FN(diff)(x - n.n * pio2[0], n.n * pio2[1]);
    pair c = FN(diff)(b.hi, n.n * pio2[2]);
    vd rest = (b.lo + c.lo) - n.n * pio2[3], hi = c.hi + rest;
    return (FN(angle)){n, hi, (c.hi - hi) + rest};
}

/* sin t = t.hi + (t.lo (1 - z/2) + t.hi z S(z)); cos t = 1 - z/2 + (z^2 C(z) - t.hi t.lo), z = t.hi^2. Each
 * as a large part and a small one; 1 - z/2 with its rounding error. */
HELPER pair FN(sin_pair)(vd t, vd lo, vd z) {
    return (pair){t, lo - 0.5 * z * lo + t * z * HORNER(sin_p, z)};
}
HELPER pair FN(cos_pair)(vd t, vd lo, vd z) {
    vd h = 0.5 * z;
    pair w = FN(fast_sum)(FN(splat)(1), -h);
    return (pair){w.hi, w.lo + (z * z * HORNER(cos_p, z) - t * lo)};
}

/* All ones where the integer's bit is set. */
#define BIT_MASK(n, bit) (-(((n) >> (bit)) & 1))

/* quarter 0: sin; 1: cos = sin a quarter turn on. */
HELPER vd FN(sincos_f64_at)(vd x, int64_t quarter) {
    FN(angle) t = FN(reduce)(x);
    vd z = t.hi * t.hi;
    pair s = FN(sin_pair)(t.hi, t.lo, z), c = FN(cos_pair)(t.hi, t.lo, z);
    vl q = t.n.biased + quarter;
    vd y = FN(select)(BIT_MASK(q, 0), c.hi + c.lo, s.hi + s.lo);
    return (vd)((vl)y ^ ((q & 2) << 62));
}
HELPER vd FN(sin_f64_at)(vd x) { return FN(select)(FN(abs)(x) < 0x1p-27, x, FN(sincos_f64_at)(x, 0)); }
HELPER vd FN(cos_f64_at)(vd x) { return FN(sincos_f64_at)(x, 1); }

/* tan t = sin t / cos t, and -cos t / sin t a quarter turn on. Both roundings count, so the one of z that
 * weighs most, in cos t = 1 - z/2, is put back: t^2 = z + square_error(t, z). */
HELPER vd FN(square_error)(vd t, vd z) {
    vd c = 134217729.0 * t, h = c - (c - t), l = t - h;
    return ((h * h - z) + 2 * h * l) + l * l;
}
HELPER vd FN(tan_f64_at)(vd x) {
    FN(angle) t = FN(reduce)(x);
    vd z = t.hi * t.hi;
    pair s = FN(sin_pair)(t.hi, t.lo, z), c = FN(cos_pair)(t.hi, t.lo, z), n, d;
    c.lo -= 0.5 * FN(square_error)(t.hi, z);
    s = FN(fast_sum)(s.hi, s.lo);
    c = FN(fast_sum)(c.hi, c.lo);
    vl odd = BIT_MASK(t.n.biased, 0);
    n.hi = FN(select)(odd, -c.hi, s.hi), n.lo = FN(select)(odd, -c.lo, s.lo);
    d.hi = FN(select)(odd, s.hi, c.hi), d.lo = FN(select)(odd, s.lo, c.lo);
    return FN(select)(FN(abs)(x) < 0x1p-27, x, FN(divide)(n, d));
}

/* tanh x = E / (E + 2), E = e^2|x| - 1 = (2^n - 1) + 2^n (e^r - 1), carried with its error; 1 from |x| = 22
 * on. */
HELPER vd FN(tanh_f64_at)(vd x) {
    vd a = FN(abs)(x);
    a = FN(select)(a > 22, FN(splat)(22), a);
    FN(expm1_parts) p = FN(expm1_reduced)(a + a);
    vd scale = FN(pow2)(p.n.biased);
    pair m = FN(fast_sum)(p.r, p.rest);
    vd less = scale - 1, more = scale + 1; /* each rounds when n > 52 */
    pair num = FN(fast_sum)(less, m.hi * scale), den = FN(fast_sum)(more, m.hi * scale);
    num.lo += m.lo * scale + ((scale - less) - 1);
    den.lo += m.lo * scale + ((scale - more) + 1);
    vd y = FN(select)(FN(abs)(x) < 0x1p-28, x, FN(divide)(num, den));
    return FN(with_sign)(y, x);
}

/* ---- f32, computed in f64 with shorter polynomials and rounded once
 * ------------------------------------------ */

HELPER vd FN(exp_f32_at)(vd x) {
    x = FN(select)(x > 104, FN(splat)(104), x);
    x = FN(select)(x < -104, FN(splat)(-104), x);
    whole n = FN(nearest)(x * per_ln2);
    vd r = x - n.n * (ln2_hi + ln2_lo);
    return (1 + (r + r * r * HORNER(exp_p32, r))) * FN(pow2)(n.biased);
}

HELPER vd FN(log_f32_at)(vd x) {
    const int64_t root = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
    vl u = (vl)x + (one - root);
    vd f = (vd)((u & 0xfffffffffffff) + root) - 1;
    vd k = (vd)((vl)((u & INT64_MAX) >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
    vd s = f / (2 + f), z = s * s;
    return k * (ln2_hi + ln2_lo) + (s + s + s * z * HORNER(log_p32, z));
}

HELPER vd FN(reduce_f32)(vd x, whole n) { return (x - n.n * pio2[0]) - n.n * (pio2[1] + pio2[2]); }

HELPER vd FN(sincos_f32_at)(vd x, int64_t quarter) {
    whole n = FN(nearest)(x * per_pio2);
    vd t = FN(reduce_f32)(x, n), z = t * t;
    vd s = t + t * z * HORNER(sin_p32, z), c = 1 - 0.5 * z + z * z * HORNER(cos_p32, z);
    vl q = n.biased + quarter;
    vd y = FN(select)(BIT_MASK(q, 0), c, s);
    return (vd)((vl)y ^ ((q & 2) << 62));
}
HELPER vd FN(sin_f32_at)(vd x) { return FN(select)(FN(abs)(x) < 0x1p-30, x, FN(sincos_f32_at)(x, 0)); }
HELPER vd FN(cos_f32_at)(vd x) { return FN(sincos_f32_at)(x, 1); }
HELPER vd FN(tan_f32_at)(vd x) {
    whole n = FN(nearest)(x * per_pio2);
    vd t = FN(reduce_f32)(x, n), z = t * t;
    vd s = t + t * z * HORNER(sin_p32, z), c = 1 - 0.5 * z + z * z * HORNER(cos_p32, z);
    vl odd = BIT_MASK(n.biased, 0);
    return FN(select)(FN(abs)(x) < 0x1p-30, x, FN(select)(odd, -c, s) / FN(select)(odd, s, c));
}

HELPER vd FN(tanh_f32_at)(vd x) {
    vd a = FN(abs)(x);
    a = FN(select)(a > 22, FN(splat)(22), a);
    whole n = FN(nearest)((a + a) * per_ln2);
    vd r = (a + a) - n.n * (ln2_hi + ln2_lo), scale = FN(pow2)(n.biased);
    vd e = (scale - 1) + scale * (r + r * r * HORNER(exp_p32, r));
    return FN(with_sign)(FN(select)(FN(abs)(x) < 0x1p-30, x, e / (e + 2)), x);
}

/* ---- loops
 * ---------------------------------------------------------------------------------------------------- */

HELPER vd FN(load_f64)(const double *x) {
    vd v;
    memcpy(&v, x, sizeof v);
    return v;
}
HELPER void FN(store_f64)(double *y, vd v) { memcpy(y, &v, sizeof v); }
HELPER vd FN(load_f32)(const float *x) {
    vf v;
    memcpy(&v, x, sizeof v);
    return __builtin_convertvector(v, vd);
}
HELPER void FN(store_f32)(float *y, vd v) {
    vf f = __builtin_convertvector(v, vf);
    memcpy(y, &f, sizeof f);
}

/* The last vector of an array is filled up with ones. */
#define LOOP(f, T, t)                                                                                        \
    TARGET static void FN(f##_all)(T * y, const T *x, int64_t n) {                                           \
        T last[LANES];                                                                                       \
        int64_t i, full = n - n % LANES;                                                                     \
        for (i = 0; i < full; i += LANES) FN(store_##t)(y + i, FN(f##_at)(FN(load_##t)(x + i)));             \
        if (full == n) return;                                                                               \
        for (i = 0; i < LANES; i++) last[i] = full + i < n ? x[full + i] : 1;                                \
        FN(store_##t)(last, FN(f##_at)(FN(load_##t)(last)));                                                 \
        for (i = full; i < n; i++) y[i] = last[i - full];                                                    \
    }

/* Is some x[i] not in [lo, hi]? */
#define OUTSIDE(T, t)                                                                                        \
    TARGET static bool FN(outside_##t)(const T *x, int64_t n, double lo, double hi) {                        \
        vl bad = {0};                                                                                        \
        bool some = false;                                                                                   \
        int64_t i = 0;                                                                                       \
        for (; i + LANES <= n; i += LANES) {                                                                 \
            vd v = FN(load_##t)(x + i);                                                                      \
            bad |= ~((v >= lo) & (v <= hi));                                                                 \
        }                                                                                                    \
        for (; i < n; i++) some |= !((double)x[i] >= lo && (double)x[i] <= hi);                              \
        for (int k = 0; k < LANES; k++) some |= bad[k] != 0;                                                 \
        return some;                                                                                         \
    }
OUTSIDE(double, f64)
OUTSIDE(float, f32)

/* The same with the elements outside [lo, hi] done by ONE, from a copy made before y, which may be x, is
 * written. */
#define GUARDED(f, T, t, lo, hi, ONE)                                                                        \
    LOOP(f, T, t)                                                                                            \
    TARGET static void FN(f)(T * y, const T *x, int64_t n) {                                                 \
        T copy[BLOCK];                                                                                       \
        for (; n > 0; x += BLOCK, y += BLOCK, n -= BLOCK) {                                                  \
            int64_t m = n < BLOCK ? n : BLOCK;                                                               \
            bool some = FN(outside_##t)(x, m, lo, hi);                                                       \
            if (some) memcpy(copy, x, (size_t)m * sizeof *x);                                                \
            FN(f##_all)(y, x, m);                                                                            \
            for (int64_t i = 0; some && i < m; i++)                                                          \
                if (!(copy[i] >= (T)(lo) && copy[i] <= (T)(hi))) y[i] = (T)ONE((double)copy[i]);             \
        }                                                                                                    \
    }
#define PLAIN(f, T, t)                                                                                       \
    LOOP(f, T, t)                                                                                            \
    TARGET static void FN(f)(T * y, const T *x, int64_t n) { FN(f##_all)(y, x, n); }

PLAIN(exp_f64, double, f64)
PLAIN(exp_f32, float, f32)
PLAIN(tanh_f64, double, f64)
PLAIN(tanh_f32, float, f32)
GUARDED(log_f64, double, f64, DBL_MIN, DBL_MAX, log_one)
GUARDED(log_f32, float, f32, (double)FLT_TRUE_MIN, (double)FLT_MAX, log_one)
GUARDED(sin_f64, double, f64, -TRIG_MAX, TRIG_MAX, sin_one)
GUARDED(sin_f32, float, f32, -TRIG_MAX, TRIG_MAX, sin_one)
GUARDED(cos_f64, double, f64, -TRIG_MAX, TRIG_MAX, cos_one)
GUARDED(cos_f32, float, f32, -TRIG_MAX, TRIG_MAX, cos_one)
GUARDED(tan_f64, double, f64, -TRIG_MAX, TRIG_MAX, tan_one)
GUARDED(tan_f32, float, f32, -TRIG_MAX, TRIG_MAX, tan_one)

#undef vd
#undef vl
#undef vf
#undef whole
#undef pair
#undef HELPER
#undef HORNER
#undef BIT_MASK
#undef LOOP
#undef OUTSIDE
#undef GUARDED
#undef PLAIN
