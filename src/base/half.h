/* half.h: the two 16-bit floating formats, for files, for quantize and for what lies in 16 bits in memory.
 *   f16   seeeeeff ffffffff   IEEE binary16: largest 65504, least normal 2^-14, least subnormal 2^-24
 *   bf16  seeeeeee efffffff   the upper half of an f32: least normal 2^-126, least subnormal 2^-133
 * To 16 bits: rounded once from the double, to nearest, ties to even, subnormals kept, overflow to inf; a NaN
 * keeps its sign and leading payload bits and becomes quiet. From 16 bits: exact (a signalling NaN becomes
 * quiet).
 */
#ifndef PH_HALF_H
#define PH_HALF_H

#include "base/base.h"

#include <string.h>

uint16_t ph_f64_to_f16(double x);
uint16_t ph_f64_to_bf16(double x);
double ph_f16_to_f64(uint16_t h);
double ph_bf16_to_f64(uint16_t h);

/* Exponent and fraction of f16 are those of f32 but for the bias: a product with 2^112 moves it, subnormals included. */
static inline float ph_f16_to_f32(uint16_t h) {
    uint32_t b = (uint32_t)(h & 0x7fff) << 13, special;
    float f;
    memcpy(&f, &b, sizeof f);
    f *= 0x1p112f;
    special = b | 0x7f800000 | (b & 0x7fffff ? 0x400000 : 0); /* inf, or a NaN made quiet */
    memcpy(&b, &f, sizeof b);
    b = ((h & 0x7c00) == 0x7c00 ? special : b) | (uint32_t)(h & 0x8000) << 16;
    memcpy(&f, &b, sizeof f);
    return f;
}

static inline float ph_bf16_to_f32(uint16_t h) {
    uint32_t b = (uint32_t)h << 16;
    float f;
    if ((h & 0x7f80) == 0x7f80 && (h & 0x7f)) b |= 0x400000;
    memcpy(&f, &b, sizeof f);
    return f;
}

#endif
