/* half.c: f16 and bf16, by the bits. */
#include "base/half.h"

#include <math.h>
#include <string.h>

typedef struct {
    int frac, bias; /* fraction bits; exponent bias. 15 - frac exponent bits. */
} format;

static const format f16 = {10, 15}, bf16 = {7, 127};

static uint64_t bits_of(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* v 2^-shift to the nearest integer, ties to even. 0 < shift < 64. */
static uint64_t shift_round(uint64_t v, int shift) {
    uint64_t whole = v >> shift, rest = v << (64 - shift), half = (uint64_t)1 << 63;
    return whole + (rest > half || (rest == half && (whole & 1)));
}

/* Exponent and fraction side by side make one integer, so that a carry out of the fraction enters the
 * exponent, up to inf. A subnormal result is the fraction alone, its leading 1 shown. */
static uint16_t narrow(double x, format f) {
    uint64_t b = bits_of(x), frac = b & 0xfffffffffffff;
    unsigned sign = (unsigned)(b >> 63) << 15, inf = 0x7fffu >> f.frac << f.frac;
    int e = (int)(b >> 52 & 0x7ff) - 1023 + f.bias, drop = 52 - f.frac;
    if (isnan(x)) return (uint16_t)(sign | inf | 1u << (f.frac - 1) | (unsigned)(frac >> drop));
    if (e >= 0x7fff >> f.frac) return (uint16_t)(sign | inf);
    if (e >= 1) return (uint16_t)(sign | (unsigned)shift_round((uint64_t)e << 52 | frac, drop));
    if (e < -f.frac) return (uint16_t)sign; /* under half of the least subnormal */
    return (uint16_t)(sign | (unsigned)shift_round((uint64_t)1 << 52 | frac, drop + 1 - e));
}

static double widen(uint16_t h, format f) {
    int e = (h & 0x7fff) >> f.frac, frac = h & ((1 << f.frac) - 1);
    double sign = h & 0x8000 ? -1.0 : 1.0;
    if (e == 0) return sign * ldexp(frac, 1 - f.bias - f.frac);
    if (e < (0x7fff >> f.frac)) return sign * ldexp(frac + (1 << f.frac), e - f.bias - f.frac);
    if (frac == 0) return sign * INFINITY;
    uint64_t b = (uint64_t)(h >> 15) << 63 | (uint64_t)0xfff << 51 | (uint64_t)frac << (52 - f.frac);
    double nan;
    memcpy(&nan, &b, sizeof nan);
    return nan;
}

uint16_t ph_f64_to_f16(double x) { return narrow(x, f16); }
uint16_t ph_f64_to_bf16(double x) { return narrow(x, bf16); }
double ph_f16_to_f64(uint16_t h) { return widen(h, f16); }
double ph_bf16_to_f64(uint16_t h) { return widen(h, bf16); }
