/* vmath_poly.h: constants of vmath.c: polynomials by Remez exchange at 300 bits, coefficients rounded to
 * doubles, constant term first; |error| is that of the exchange, times the stated weight. Included by vmath.c
 * only. */
#ifndef PH_VMATH_POLY_H
#define PH_VMATH_POLY_H

/* (e^r - 1 - r) / r^2, |r| <= ln2/2; error times r^2; |error| < 2^-57.9 */
static const double exp_p[10] = {0x1.000000000000bp-1,  0x1.5555555555561p-3,  0x1.55555555503e1p-5,
                                 0x1.111111110d7c6p-7,  0x1.6c16c18500e7bp-10, 0x1.a01a01ba6f46ap-13,
                                 0x1.a01998122f657p-16, 0x1.71dde0ae390b9p-19, 0x1.28af13d0f3a2bp-22,
                                 0x1.af8445543199dp-26};
/* the same, for f32; |error| < 2^-34.2 */
static const double exp_p32[6] = {0x1.000000412cc77p-1, 0x1.555555975d261p-3,  0x1.555482faa723dp-5,
                                  0x1.11107dab52570p-7, 0x1.6d94a8e14d460p-10, 0x1.a1b72e3a5b5edp-13};
/* the same, for f32 computed in f32, |r| <= 0.3501; relative error of e^r < 2^-26.4 */
static const float exp_pf[5] = {0x1.000000p-1f, 0x1.5554d8p-3f, 0x1.555516p-5f, 0x1.12106cp-7f,
                                0x1.6d1606p-10f};
/* (sin(t)/t - 1) / z, z = t^2, |t| <= pi/4; error times z; |error| < 2^-57.9 */
static const double sin_p[6] = {-0x1.5555555555549p-3, 0x1.111111110f8d0p-7,   -0x1.a01a019c1a76cp-13,
                                0x1.71de357e63a8dp-19, -0x1.ae5e6ae6f0d23p-26, 0x1.5d943d6817308p-33};
/* (cos t - 1 + z/2) / z^2; error times z^2; |error| < 2^-64.0 */
static const double cos_p[6] = {0x1.555555555554ep-5,   -0x1.6c16c16c15523p-10, 0x1.a01a019d013d6p-16,
                                -0x1.27e4f83d420d7p-22, 0x1.1eea0b9ca42f4p-29,  -0x1.8fbdb819a8051p-37};
/* the first of them, for f32; |error| < 2^-37.5 */
static const double sin_p32[4] = {-0x1.5555554ccf20ep-3, 0x1.111108a197617p-7, -0x1.a00fa4e57891ap-13,
                                  0x1.6cd9ca84b754ap-19};
/* the same for |t| <= pi/2, relative to sin t; |error| < 2^-35.3 */
static const double sin_long[5] = {-0x1.55555547695e9p-3, 0x1.11110c49feb8dp-7, -0x1.a017d99f7d3b3p-13,
                                   0x1.71708009ea1f2p-19, -0x1.9a6885553f82bp-26};
/* the second of those for pi/4, for f32; |error| < 2^-33.2 */
static const double cos_p32[3] = {0x1.55554ad663355p-5, -0x1.6c0c9d4ebe4d3p-10, 0x1.9a06b528938e9p-16};
/* (2 atanh(s)/s - 2) / z, z = s^2, |s| <= (sqrt2-1)/(sqrt2+1); error times z; |error| < 2^-58.4 */
static const double log_p[7] = {0x1.555555555558fp-1, 0x1.9999999980d63p-2, 0x1.249249413711cp-2,
                                0x1.c71c528da0bbep-3, 0x1.74662688e185bp-3, 0x1.39a3f9f09ed44p-3,
                                0x1.2ef067f748b1bp-3};
/* the same, for f32; |error| < 2^-36.5 */
static const double log_p32[4] = {0x1.555554ff51180p-1, 0x1.999a7833e294bp-2, 0x1.2439539527918p-2,
                                  0x1.e2e66a5ec9837p-3};
/* (2 atanh(s)/s - 2 - 2/3 z) / z^2, z and s as above; error times z^2; |error| < 2^-72.4 */
static const double pow_p[8] = {0x1.9999999999996p-2, 0x1.2492492492f48p-2, 0x1.c71c71c5984cfp-3,
                                0x1.745d182859412p-3, 0x1.3b1365115f9b9p-3, 0x1.11206420d4687p-3,
                                0x1.de3f2fca556b2p-4, 0x1.eab76cd5f5469p-4};
static const double two_thirds = 0x1.5555555555555p-1, two_thirds_rest = 0x1.5555555555555p-55;
/* pi/2 in three parts of 33 bits (n times one is exact for |n| < 2^20) and the rest */
static const double pio2[4] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                               0x1.b839a252049c1p-104};
static const double ln2_hi = 0x1.62e42fee00000p-1, ln2_lo = 0x1.a39ef35793c76p-33; /* ln2_hi has 32 bits */
static const double ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
static const double per_ln2 = 0x1.71547652b82fep+0, per_pio2 = 0x1.45f306dc9c883p-1;

#endif
