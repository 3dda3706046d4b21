/* half.h: the two 16-bit floating formats, for files and for quantize.
 *   f16   seeeeeff ffffffff   IEEE binary16: largest 65504, least normal 2^-14, least subnormal 2^-24
 *   bf16  seeeeeee efffffff   the upper half of an f32: least normal 2^-126, least subnormal 2^-133
 * To 16 bits: rounded once from the double, to nearest, ties to even, subnormals kept, overflow to inf; a NaN
 * keeps its sign and leading payload bits and becomes quiet. From 16 bits: exact (a signalling NaN becomes
 * quiet).
 */
#ifndef PH_HALF_H
#define PH_HALF_H

#include "base/base.h"

uint16_t ph_f64_to_f16(double x);
uint16_t ph_f64_to_bf16(double x);
double ph_f16_to_f64(uint16_t h);
double ph_bf16_to_f64(uint16_t h);

#endif
