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
/* For f32 computed in f32, by weighted least squares iterated to the least greatest error, coefficients rounded to floats one after the
 * other from the constant term on. (e^r - 1 - r) / r^2, |r| <= 0.347; |error| < 2^-28.2 of e^r */
static const float exp_ps[5] = {0x1.0p-1f, 0x1.55549p-3f, 0x1.5554c8p-5f, 0x1.123adap-7f, 0x1.6d7124p-10f};
/* (ln(1 + f) - f) / f^2, 1 + f in [sqrt(1/2), sqrt 2]; |error| < 2^-30.3 of ln(1 + f) */
static const float log_ps[10] = {-0x1.0p-1f,      0x1.555548p-2f, -0x1.000006p-2f, 0x1.99a478p-3f,
                                 -0x1.555c4ep-3f, 0x1.233b78p-3f, -0x1.fc26b4p-4f, 0x1.e6c052p-4f,
                                 -0x1.de0fb6p-4f, 0x1.148426p-4f};
/* (sin(t)/t - 1) / z and (cos t - 1 + z/2) / z^2, z = t^2, |t| <= pi/4 + 0.004; |error| < 2^-27.9 and 2^-33.1 */
static const float sin_ps[3] = {-0x1.555546p-3f, 0x1.11076ep-7f, -0x1.994e2ap-13f};
static const float cos_ps[3] = {0x1.55554ap-5f, -0x1.6c0c1ap-10f, 0x1.99e0eep-16f};
/* (1 - t cot t) / z, z = t^2, |t| <= pi/4 + 0.00003, its first term and the others; |error| < 2^-27.3 of t cot t */
static const float tan_ps_first = 0x1.555542p-2f;
static const float tan_ps[3] = {0x1.6c28dap-6f, 0x1.12c37cp-9f, 0x1.04401ep-12f};
/* tanh in eight intervals (vmath_single.inc): their centres, and the coefficients, [k] of y^k; |error| < 2^-27.4 of tanh. The interval
 * with the number i stands at i mod 8, twice, as far as the longest vector reaches. */
static const float tanh_centre[16] = {0x1.4048b6p+1f, 0x1.c01338p+1f, 0x1.3efe3p+2f,  0x1.e0d5bp+2f,
                                      0x0.0p+0f,      0x1.bd0b48p-1f, 0x1.403cf4p+0f, 0x1.ba5426p+0f,
                                      0x1.4048b6p+1f, 0x1.c01338p+1f, 0x1.3efe3p+2f,  0x1.e0d5bp+2f,
                                      0x0.0p+0f,      0x1.bd0b48p-1f, 0x1.403cf4p+0f, 0x1.ba5426p+0f};
static const float tanh_ps[8][16] = {
    {0x1.f92d3ap-1f, 0x1.ff1174p-1f, 0x1.fff3b8p-1f, 0x1.ffffecp-1f, 0x0.0p+0f, 0x1.66e6fcp-1f,
     0x1.b27464p-1f, 0x1.e0aa84p-1f, 0x1.f92d3ap-1f, 0x1.ff1174p-1f, 0x1.fff3b8p-1f, 0x1.ffffecp-1f,
     0x0.0p+0f, 0x1.66e6fcp-1f, 0x1.b27464p-1f, 0x1.e0aa84p-1f},
    {0x1.b1c89ap-6f, 0x1.dca8dap-9f, 0x1.88f9dcp-13f, 0x1.3fa16p-20f, 0x0.0p+0f, 0x1.046a94p-1f,
     0x1.1eb128p-2f, 0x1.e6007ep-4f, 0x1.b1c89ap-6f, 0x1.dca8dap-9f, 0x1.88f9dcp-13f, 0x1.3fa16p-20f,
     0x0.0p+0f, 0x1.046a94p-1f, 0x1.1eb128p-2f, 0x1.e6007ep-4f},
    {-0x1.ac001ep-6f, -0x1.dbcba2p-9f, -0x1.89305ep-13f, -0x1.42bd1p-20f, -0x1.55554ap-2f, -0x1.6d1802p-2f,
     -0x1.e68ab4p-3f, -0x1.c8424cp-4f, -0x1.ac001ep-6f, -0x1.dbcba2p-9f, -0x1.89305ep-13f, -0x1.42bd1p-20f,
     -0x1.55554ap-2f, -0x1.6d1802p-2f, -0x1.e68ab4p-3f, -0x1.c8424cp-4f},
    {0x1.15b2ccp-6f, 0x1.3c0a94p-9f, 0x1.05fe8ep-13f, 0x1.aed9b8p-21f, 0x1.110de2p-3f, 0x1.49372ap-4f,
     0x1.bb72f4p-4f, 0x1.0a560ep-4f, 0x1.15b2ccp-6f, 0x1.3c0a94p-9f, 0x1.05fe8ep-13f, 0x1.aed9b8p-21f,
     0x1.110de2p-3f, 0x1.49372ap-4f, 0x1.bb72f4p-4f, 0x1.0a560ep-4f},
    {-0x1.06c554p-7f, -0x1.399244p-10f, -0x1.02df4ep-14f, -0x1.8e479p-22f, -0x1.b98296p-5f, 0x1.fffa88p-5f,
     -0x1.9f42f8p-7f, -0x1.87d802p-6f, -0x1.06c554p-7f, -0x1.399244p-10f, -0x1.02df4ep-14f, -0x1.8e479p-22f,
     -0x1.b98296p-5f, 0x1.fffa88p-5f, -0x1.9f42f8p-7f, -0x1.87d802p-6f},
    {0x1.75d7dcp-9f, 0x1.ee6fp-12f, 0x1.9ff06cp-16f, 0x1.3dde4ap-23f, 0x1.5f9decp-6f, -0x1.dd0a6cp-5f,
     -0x1.39480cp-6f, 0x1.be3a32p-9f, 0x1.75d7dcp-9f, 0x1.ee6fp-12f, 0x1.9ff06cp-16f, 0x1.3dde4ap-23f,
     0x1.5f9decp-6f, -0x1.dd0a6cp-5f, -0x1.39480cp-6f, 0x1.be3a32p-9f},
    {-0x1.6df636p-11f, -0x1.48fc78p-13f, -0x1.3ea326p-17f, -0x1.3595bcp-24f, -0x1.f6c4p-8f, 0x1.a12f8cp-7f,
     0x1.ed32bap-7f, 0x1.385e3p-9f, -0x1.6df636p-11f, -0x1.48fc78p-13f, -0x1.3ea326p-17f, -0x1.3595bcp-24f,
     -0x1.f6c4p-8f, 0x1.a12f8cp-7f, 0x1.ed32bap-7f, 0x1.385e3p-9f},
    {0x1.f1509ap-15f, 0x1.5ed5dp-15f, 0x1.5f0e5ap-19f, 0x1.62a50ap-26f, 0x1.c99298p-10f, -0x1.9fb266p-6f,
     -0x1.2253f2p-8f, -0x1.04ff5ap-9f, 0x1.f1509ap-15f, 0x1.5ed5dp-15f, 0x1.5f0e5ap-19f, 0x1.62a50ap-26f,
     0x1.c99298p-10f, -0x1.9fb266p-6f, -0x1.2253f2p-8f, -0x1.04ff5ap-9f},
};
/* erf of floats in sixteen intervals, 1/4 wide but the first (vmath_single.inc). The first, at 2, up to 5/8: [k] of z^(k-1), z = x^2, is erf(x)/x - 1. The
 * others, each at its number mod 16: centres whose erf is a float to 2^-29 and better, [0], and [k] of y^k. As erf_p. */
static const float erf_centres[16] = {0x1.0927cp+2f,  0x0.0p+0f,      0x0.0p+0f,      0x1.800e58p-1f,
                                      0x1.ffe5dcp-1f, 0x1.3fd312p+0f, 0x1.7ff5f6p+0f, 0x1.c005b8p+0f,
                                      0x1.fff7p+0f,   0x1.20248cp+1f, 0x1.3ff308p+1f, 0x1.6003dap+1f,
                                      0x1.7fdeaep+1f, 0x1.a00ca4p+1f, 0x1.b97c6cp+1f, 0x1.df38c8p+1f};
static const float erf_ps[7][16] = {
    {0x1.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.6c25dp-1f, 0x1.af6bap-1f, 0x1.d87118p-1f, 0x1.eea2f2p-1f,
     0x1.f92da2p-1f, 0x1.fd9a82p-1f, 0x1.ff4152p-1f, 0x1.ffca8cp-1f, 0x1.fff2d2p-1f, 0x1.fffd16p-1f,
     0x1.ffff7p-1f, 0x1.ffffdcp-1f, 0x1.fffffcp-1f},
    {0x1.5b22fcp-23f, 0x0.0p+0f, 0x1.06eba8p-3f, 0x1.49206ep-1f, 0x1.a93d5ap-2f, 0x1.e539d8p-3f,
     0x1.e75cc4p-4f, 0x1.b03364p-5f, 0x1.52cb3ep-6f, 0x1.d1bc2cp-8f, 0x1.1e13dcp-9f, 0x1.332df4p-11f,
     0x1.25d26p-13f, 0x1.e87c06p-16f, 0x1.020b3ep-17f, 0x1.ef47ecp-21f},
    {0x1.385524p-20f, 0x0.0p+0f, -0x1.812744p-2f, -0x1.edc316p-2f, -0x1.a927a4p-2f, -0x1.2f1992p-2f,
     -0x1.6d7c04p-3f, -0x1.7a31ccp-4f, -0x1.52c54ap-5f, -0x1.061b12p-6f, -0x1.658a5cp-8f, -0x1.a6639ap-10f,
     -0x1.b8947cp-12f, -0x1.8cefbcp-14f, -0x1.bce1f4p-16f, -0x1.cfaed8p-19f},
    {0x1.0fbc42p-17f, 0x0.0p+0f, 0x1.ce2e14p-4f, 0x1.b7f26ap-6f, 0x1.1b434p-3f, 0x1.57257cp-3f,
     0x1.1c38acp-3f, 0x1.713808p-4f, 0x1.8b338cp-5f, 0x1.628b38p-6f, 0x1.120f98p-7f, 0x1.6998eap-9f,
     0x1.9febeep-11f, 0x1.99aabp-13f, 0x1.e93896p-15f, 0x1.16bd28p-17f},
    {0x1.8ef366p-16f, 0x0.0p+0f, -0x1.b7febp-6f, 0x1.348c24p-3f, 0x1.1baa52p-4f, -0x1.890174p-8f,
     -0x1.6d42fap-5f, -0x1.8a05f8p-5f, -0x1.1a3ffep-5f, -0x1.37b4eep-6f, -0x1.1aed5p-7f, -0x1.aae63ap-9f,
     -0x1.134672p-10f, -0x1.2c033ep-12f, -0x1.8590d6p-14f, -0x1.de9c0ep-17f},
    {0x1.67d194p-15f, 0x0.0p+0f, 0x1.52be9cp-8f, -0x1.b0c854p-5f, -0x1.19f34cp-4f, -0x1.828558p-5f,
     -0x1.eb56d4p-7f, 0x1.a928a8p-8f, 0x1.aa4b46p-7f, 0x1.5c164cp-7f, 0x1.922b64p-8f, 0x1.6b09eap-9f,
     0x1.0e0904p-10f, 0x1.4c9a34p-12f, 0x1.059cb4p-13f, 0x1.4acf3p-16f},
    {0x1.ba71d4p-16f, 0x0.0p+0f, -0x1.7c695cp-11f, -0x1.b782c6p-6f, 0x1.25f954p-8f, 0x1.5aa52p-6f,
     0x1.3c1ceep-6f, 0x1.24f4acp-7f, 0x1.091f42p-11f, -0x1.74e73p-9f, -0x1.6faf94p-9f, -0x1.ad4baap-10f,
     -0x1.79bafep-11f, -0x1.0ecafep-12f, -0x1.1b617ap-13f, -0x1.bad3d6p-16f}};
/* Powers of floats. Sixteen intervals of 2^19 floats each from 0.703 on, 1 in the middle of one: a number with few bits that is nearly 1/m in
 * each, so that m c - 1 is a float, and -ln c in two floats, the first a multiple of 2^-17, as ln2_w of the exponent is */
static const float pow_c[16] = {0x1.6p+0f,  0x1.58p+0f, 0x1.48p+0f, 0x1.38p+0f, 0x1.3p+0f, 0x1.28p+0f,
                                0x1.18p+0f, 0x1.1p+0f,  0x1.08p+0f, 0x1.0p+0f,  0x1.ep-1f, 0x1.c8p-1f,
                                0x1.bp-1f,  0x1.98p-1f, 0x1.88p-1f, 0x1.7p-1f};
static const float pow_ln[16] = {-0x1.4618p-2f, -0x1.2e8ep-2f, -0x1.fb9p-3f, -0x1.9524p-3f,
                                 -0x1.5ff4p-3f, -0x1.2954p-3f, -0x1.6f1p-4f, -0x1.f0ap-5f,
                                 -0x1.f82p-6f,  0x0.0p+0f,     0x1.0858p-4f, 0x1.da7p-4f,
                                 0x1.5bf4p-3f,  0x1.d104p-3f,  0x1.1178p-2f, 0x1.522ap-2f};
static const float pow_ln_rest[16] = {-0x1.78438cp-19f, -0x1.5d708ep-21f, -0x1.86d5e4p-19f, -0x1.a9cf46p-19f,
                                      0x1.f1eb0ep-20f,  -0x1.2f82p-19f,   0x1.6ba8d4p-19f,  -0x1.86008cp-20f,
                                      -0x1.361cfp-19f,  0x0.0p+0f,        0x1.8b59e4p-20f,  0x1.3b1c22p-19f,
                                      0x1.ad50f6p-25f,  -0x1.01b354p-20f, 0x1.d044fcp-19f,  0x1.c0e714p-19f};
/* (ln(1 + r) - r + r^2/2) / r^3, |r| <= 0.0343; |error| < 2^-36.5 of ln(1 + r) */
static const float pow_ps[4] = {0x1.55555p-2f, -0x1.fffff4p-3f, 0x1.9a115ep-3f, -0x1.55c832p-3f};
/* 2^(j/16) in two floats, and (e^r - 1 - r) / r^2, |r| <= ln2/32; |error| < 2^-29.2 of e^r */
static const float exp2_16[16] = {0x1.0p+0f,      0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
                                  0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
                                  0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
                                  0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
static const float exp2_16_rest[16] = {0x0.0p+0f,        0x1.9f3122p-25f,  -0x1.c15742p-27f, 0x1.ceac48p-25f,
                                       0x1.4636e2p-25f,  0x1.824684p-25f,  -0x1.593abcp-25f, -0x1.5bd5ecp-27f,
                                       0x1.9fcef4p-26f,  -0x1.829fdp-25f,  0x1.15506ep-27f,  0x1.51f848p-27f,
                                       -0x1.a94b14p-26f, -0x1.3d56b2p-27f, -0x1.822dbcp-27f, 0x1.52486cp-27f};
static const float exp_16[2] = {0x1.00022p-1f, 0x1.555716p-3f};
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
/* the same; |error| < 2^-57.2 of t cot t */
static const double tan_p_first = 0x1.555555555556bp-2;
static const double tan_p[8] = {0x1.6c16c16c11651p-6,  0x1.1566abc3badfcp-9,  0x1.bbd776bea2920p-13,
                                0x1.66a969f53ac63p-16, 0x1.2272bd11f64e6p-19, 0x1.d8c41c461ec96p-23,
                                0x1.6938e566f8357p-26, 0x1.aa84bb3342f31p-29};
/* Logarithms. ln2 in two parts, the first a multiple of 2^-42, as are the logarithms below: k times one plus another is exact. */
static const double ln2_42 = 0x1.62e42fefa38p-1, ln2_42_rest = 0x1.ef35793c7673p-45;
/* Sixteen intervals of 2^48 doubles each from log_first on, 1 in the middle of one: a number with few bits that is nearly 1/m in each, so that
 * r = m c - 1 is a double, and -ln c in two doubles; |r| < 0.0342 */
static const uint64_t log_first = 0x3fe6800000000000;
static const double log_c[16] = {0x1.6p+0,  0x1.58p+0, 0x1.48p+0, 0x1.38p+0, 0x1.3p+0, 0x1.28p+0,
                                 0x1.18p+0, 0x1.1p+0,  0x1.08p+0, 0x1.0p+0,  0x1.ep-1, 0x1.c8p-1,
                                 0x1.bp-1,  0x1.98p-1, 0x1.88p-1, 0x1.7p-1};
static const double log_ln[16] = {
    -0x1.4618bc21c6p-2, -0x1.2e8e2bae12p-2, -0x1.fb9186d5e4p-3, -0x1.9525a9cf46p-3,
    -0x1.5ff3070a7ap-3, -0x1.29552f82p-3,   -0x1.6f0d28ae58p-4, -0x1.f0a30c0118p-5,
    -0x1.f829b0e78p-6,  0x0.0p+0,           0x1.08598b59e4p-4,  0x1.da72763844p-4,
    0x1.5bf406b544p-3,  0x1.d1037f2656p-3,  0x1.1178e8227ep-2,  0x1.522ae0738ap-2};
static const double log_ln_rest[16] = {0x1.3d82f484c84ccp-46,  0x1.67b1e99b72bd8p-45,
                                       0x1.d572aab993c87p-47,  0x1.297137d9f158fp-44,
                                       0x1.8586f183bebf2p-44,  0x1.5b967f4471dfcp-44,
                                       0x1.4b4641b664613p-44,  0x1.d599e83368e91p-45,
                                       -0x1.980267c7e09e4p-45, 0x0.0p+0,
                                       -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46,
                                       -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47,
                                       0x1.1ef78ce2d07f2p-44,  0x1.ebe708164c759p-45};
/* (ln(1 + r) - r) / r^2; error times r; |error| < 2^-55.4 */
static const double log_p[8] = {-0x1.fffffffffffc5p-2, 0x1.55555555547c2p-2,  -0x1.00000000d1bbdp-2,
                                0x1.999999c707e07p-3,  -0x1.55553e128f9c3p-3, 0x1.2490f1cab9676p-3,
                                -0x1.0077df8fa4d1cp-3, 0x1.cd73576a42331p-4};
/* The same for powers, in thirty-two intervals of 2^47; |r| < 0.0198 */
static const uint64_t pow_first = 0x3fe6400000000000;
static const double pow_c64[32] = {
    0x1.6cp+0, 0x1.64p+0, 0x1.5cp+0, 0x1.54p+0, 0x1.5p+0, 0x1.48p+0, 0x1.4p+0,  0x1.3cp+0,
    0x1.34p+0, 0x1.3p+0,  0x1.28p+0, 0x1.24p+0, 0x1.2p+0, 0x1.1cp+0, 0x1.14p+0, 0x1.1p+0,
    0x1.0cp+0, 0x1.08p+0, 0x1.04p+0, 0x1.0p+0,  0x1.fp-1, 0x1.ep-1,  0x1.d4p-1, 0x1.c8p-1,
    0x1.b8p-1, 0x1.bp-1,  0x1.a4p-1, 0x1.98p-1, 0x1.9p-1, 0x1.88p-1, 0x1.7cp-1, 0x1.74p-1};
static const double pow_ln64[32] = {
    -0x1.686c81e9b1p-2, -0x1.51aad872ep-2,  -0x1.3a64c55694p-2, -0x1.22941fbcf8p-2, -0x1.1675cababap-2,
    -0x1.fb9186d5e4p-3, -0x1.c8ff7c79aap-3, -0x1.af3c94e80cp-3, -0x1.7ab890210ep-3, -0x1.5ff3070a7ap-3,
    -0x1.29552f82p-3,   -0x1.0d77e7cd08p-3, -0x1.e27076e2bp-4,  -0x1.a926d3a4acp-4, -0x1.341d7961bcp-4,
    -0x1.f0a30c0118p-5, -0x1.77458f633p-5,  -0x1.f829b0e78p-6,  -0x1.fc0a8b0fcp-7,  0x0.0p+0,
    0x1.0415d89e78p-5,  0x1.08598b59e4p-4,  0x1.700d30aeacp-4,  0x1.da72763844p-4,  0x1.365fcb015ap-3,
    0x1.5bf406b544p-3,  0x1.95a5adcf7p-3,   0x1.d1037f2656p-3,  0x1.f991c6cb3cp-3,  0x1.1178e8227ep-2,
    0x1.314f1e1d36p-2,  0x1.4718dc271cp-2};
static const double pow_ln64_rest[32] = {
    -0x1.2bb110af84054p-44, 0x1.f4bd8db0a7cc1p-44,  -0x1.7a71cbcd735dp-44,  0x1.a6976f5eb0963p-44,
    -0x1.8380e731f55c4p-44, 0x1.d572aab993c87p-47,  0x1.7794f689f8434p-45,  0x1.a4e633fcd9066p-52,
    0x1.bdb9072534a58p-45,  0x1.8586f183bebf2p-44,  0x1.5b967f4471dfcp-44,  -0x1.cb2cd2ee2f482p-44,
    0x1.a342c2af0003cp-45,  -0x1.563650bd22a9cp-44, -0x1.1d0929983761p-44,  0x1.d599e83368e91p-45,
    0x1.181dce586af09p-44,  -0x1.980267c7e09e4p-45, -0x1.f1e7cf6d3a69cp-50, 0x0.0p+0,
    -0x1.dddc7f461c516p-44, -0x1.7e5dd7009902cp-46, 0x1.c1e8da99ded32p-49,  0x1.a89401fa71733p-46,
    -0x1.fd3a0afb9691bp-44, -0x1.27023eb68981cp-46, 0x1.7f22858a0ff6fp-47,  -0x1.84a7e75b6f6e4p-47,
    -0x1.90d04cd7cc834p-44, 0x1.1ef78ce2d07f2p-44,  -0x1.8e27ad3213cb8p-45, 0x1.06c18fb4c14c5p-44};
/* (ln(1 + r) - r + r^2/2) / r^3; error times r^2; |error| < 2^-66.4 */
static const double pow_p[8] = {0x1.5555555555555p-2,  -0x1.ffffffffffeebp-3, 0x1.99999999a6f23p-3,
                                -0x1.5555555a2c0e8p-3, 0x1.24924708ecdcbp-3,  -0x1.ffff2fda38167p-4,
                                0x1.c75fa8cd0b2bp-4,   -0x1.9f1af8304cb78p-4};
/* 2^(j/16) in two doubles, and (e^r - 1 - r) / r^2, |r| <= ln2/32; error times r^2; |error| < 2^-56.3 */
static const double root_16[16] = {0x1.0p+0,
                                   0x1.0b5586cf9890fp+0,
                                   0x1.172b83c7d517bp+0,
                                   0x1.2387a6e756238p+0,
                                   0x1.306fe0a31b715p+0,
                                   0x1.3dea64c123422p+0,
                                   0x1.4bfdad5362a27p+0,
                                   0x1.5ab07dd485429p+0,
                                   0x1.6a09e667f3bcdp+0,
                                   0x1.7a11473eb0187p+0,
                                   0x1.8ace5422aa0dbp+0,
                                   0x1.9c49182a3f09p+0,
                                   0x1.ae89f995ad3adp+0,
                                   0x1.c199bdd85529cp+0,
                                   0x1.d5818dcfba487p+0,
                                   0x1.ea4afa2a490dap+0};
static const double root_16_rest[16] = {0x0.0p+0,
                                        0x1.8a62e4adc610bp-54,
                                        -0x1.19041b9d78a76p-55,
                                        0x1.9b07eb6c70573p-54,
                                        0x1.6f46ad23182e4p-55,
                                        0x1.ada0911f09ebcp-55,
                                        0x1.d4397afec42e2p-56,
                                        0x1.6324c054647adp-54,
                                        -0x1.bdd3413b26456p-54,
                                        -0x1.41577ee04992fp-55,
                                        0x1.6e9f156864b27p-54,
                                        0x1.c7c46b071f2bep-56,
                                        0x1.7a1cd345dcc81p-54,
                                        0x1.11065895048ddp-55,
                                        0x1.2ed02d75b3707p-55,
                                        -0x1.e9c23179c2893p-54};
static const double exp_p16[5] = {0x1.0000000000005p-1, 0x1.555555548f7d7p-3, 0x1.555555545f869p-5,
                                  0x1.11123ab6c320cp-7, 0x1.6c185d5f8fb43p-10};
/* erf in sixteen intervals, 16/47 wide but the first (vmath_f64.inc). The first, at 2, up to 40/47: [k] of z^(k-1), z = x^2, is
 * erf(x)/x - 1; |error| < 2^-56.3 of erf. The others, each at its number mod 16: centres whose erf is a double to 2^-62.9, [0], and [k] of y^k;
 * |error| < 2^-58.1. By interpolation at Chebyshev's points at 300 bits, coefficients rounded to doubles. */
static const double erf_centre[16] = {0x1.5c8942b931057p+2, 0x1.714fcae4c415dp+2, 0x0.0p+0,
                                      0x1.0572621092c41p+0, 0x1.5c9882baf2057p+0, 0x1.b3bea36d2e46dp+0,
                                      0x1.057262084dc41p+1, 0x1.310572608464cp+1, 0x1.5c9882b8ef857p+1,
                                      0x1.882b931169262p+1, 0x1.b346a3677d46dp+1, 0x1.e0a533bea3678p+1,
                                      0x1.069fa20ae4c41p+2, 0x1.1ca7aa3677d47p+2, 0x1.308472620ae4cp+2,
                                      0x1.46ee7a8d9df52p+2};
static const double erf_p[13][16] = {
    {0x1.fffffffffff87p-1, 0x1.ffffffffffffdp-1, 0x0.0p+0, 0x1.b3e3a977377f3p-1, 0x1.e44822df9221dp-1,
     0x1.f7c4cefa81d5ep-1, 0x1.fe04d018f9c65p-1, 0x1.ff9d7d7ad13e9p-1, 0x1.fff09c6d79b1cp-1,
     0x1.fffe123dcf0f8p-1, 0x1.ffffcd24eb8f8p-1, 0x1.fffffc548c9e1p-1, 0x1.ffffffc81e41dp-1,
     0x1.fffffffd46165p-1, 0x1.ffffffffda6b7p-1, 0x1.fffffffffee45p-1},
    {0x1.4edb734b3ec26p-43, 0x1.1903fc1d643c4p-48, 0x1.06eba8214db69p-3, 0x1.972d548beb8bep-2,
     0x1.69d3edc9968ddp-3, 0x1.fe060b0ae7449p-5, 0x1.1d18159d07eedp-6, 0x1.f9933dc472fe9p-9,
     0x1.638b2a6beae6dp-11, 0x1.8c9d8ff564abep-14, 0x1.67c1adbeffeccp-17, 0x1.c7a50998de90ep-21,
     0x1.d787a8e015f6dp-25, 0x1.8d617d0321e5cp-29, 0x1.6d340a29ba7cdp-33, 0x1.70fd29068d756p-38},
    {-0x1.c7e5db723c0d9p-41, -0x1.9566555f088a3p-46, -0x1.812746b0379e6p-2, -0x1.9fd7255c04171p-2,
     -0x1.ecb3a5d911276p-3, -0x1.b210096b8b6efp-4, -0x1.2328efef30a56p-5, -0x1.2d31972cb803ap-7,
     -0x1.e424fdd9679f7p-10, -0x1.2fca636031b35p-12, -0x1.31d8af6967c2p-15, -0x1.abbdbdbb80fe7p-19,
     -0x1.e3bade8f1f76dp-23, -0x1.b9dc697f334cep-27, -0x1.b26abe1408a82p-31, -0x1.d73a1e3f29d83p-36},
    {0x1.96d15d2326c26p-39, 0x1.8009d36ebe0d5p-44, 0x1.ce2f21a042a9dp-4, 0x1.26cca5390785ep-3,
     0x1.46aa8337da966p-3, 0x1.978ca6d4e4a47p-4, 0x1.5cf51786ec948p-5, 0x1.b45c62621fccep-7,
     0x1.99e0e0a389ed7p-9, 0x1.25ba832059d8ap-11, 0x1.4bb2527323df8p-14, 0x1.02347e4cdbdfcp-17,
     0x1.4101c3d5be298p-21, 0x1.3f4493cd90a97p-25, 0x1.50e3ec5ec27f3p-29, 0x1.89820c9d2271p-34},
    {-0x1.0b6fe8ab2a5bp-37, -0x1.0c90cbaa5cbbfp-42, -0x1.b82ce31280826p-6, 0x1.fac3aa9bc18bfp-5,
     -0x1.d16a8a23b7f26p-6, -0x1.945377c43f7b7p-5, -0x1.0354267273509p-5, -0x1.a3857ceb935fcp-7,
     -0x1.dd710b3669396p-9, -0x1.8f55dca0f15e7p-11, -0x1.00810b01b4e71p-13, -0x1.c123e7b0efc7dp-17,
     -0x1.35283071af541p-20, -0x1.5097fef7c7f9fp-24, -0x1.7ea32cbc41879p-28, -0x1.e2e7c3721d58ap-33},
    {0x1.1407be0f4d292p-36, 0x1.278cc0a81825fp-41, 0x1.565bcd0cb49d5p-8, -0x1.186391f99c1fep-4,
     -0x1.093f655372876p-5, 0x1.ec19421fa867cp-9, 0x1.acc26a1b3febap-7, 0x1.0cf9db2e9f4dp-7,
     0x1.8d249e5429f7cp-9, 0x1.91479acd2bc78p-11, 0x1.2b26e43844fb2p-13, 0x1.2a93ca68b9bbfp-16,
     0x1.cb4c648c82bf7p-20, 0x1.137883195615cp-23, 0x1.52db7d7653a5dp-27, 0x1.cfda389ed02b9p-32},
    {-0x1.d16ae40c5847fp-36, -0x1.0a5767466ebacp-40, -0x1.c02db39468d2ep-11, 0x1.be20af96b44a7p-8,
     0x1.6ce735a83bb69p-6, 0x1.697ad9df53a19p-7, -0x1.e9ba8d49cf709p-12, -0x1.97211677a04ffp-9,
     -0x1.d26b24620345p-10, -0x1.2f54007dc7dc6p-11, -0x1.0eb26894a3514p-13, -0x1.39d6897b31ef9p-16,
     -0x1.10e67f10634e5p-19, -0x1.6b870f46869cap-23, -0x1.e66b4ac49ab9ap-27, -0x1.6ab9135a8486p-31},
    {0x1.493b72bce6596p-35, 0x1.93f0df915d885p-40, 0x1.f9a3161b58ff6p-14, 0x1.d4fc5597caf2ap-7,
     -0x1.f51e8068f1dfap-11, -0x1.9a2cb20cde488p-8, -0x1.749e14892d08ap-9, 0x1.506db1823c0c2p-13,
     0x1.5b9fa21981565p-11, 0x1.53f819a6e5524p-12, 0x1.7f90561abdbp-14, 0x1.099e03101ba59p-16,
     0x1.0947006d6be19p-19, 0x1.8c603b063426cp-23, 0x1.224af6bdaa9e4p-26, 0x1.da2f34bf7899bp-31},
    {-0x1.8e5d88b8f2acep-35, -0x1.06c8b0fd202afp-39, -0x1.f4d09e9ee0b5p-17, -0x1.4f14acb5a7275p-8,
     -0x1.23732d4d2dcfp-8, 0x1.39f551dae74bap-12, 0x1.96c7eda98cce6p-10, 0x1.2adc9420db2ep-11,
     -0x1.264a215f82d15p-14, -0x1.04ceec12c1cf4p-13, -0x1.a4258f613fca3p-15, -0x1.6c330d45a3f7ep-17,
     -0x1.ab5393735bb72p-20, -0x1.6ada4e6e2de27p-23, -0x1.252fc5523f3f5p-26, -0x1.07ec1b8a2ee67p-30},
    {0x1.a1aa7d0f16eddp-35, 0x1.297e81df0be3p-39, 0x1.b9c8017e56f57p-20, -0x1.a95d70a4f9b69p-10,
     0x1.917584870911cp-10, 0x1.215892cf98e33p-10, -0x1.3dc50368b1d07p-13, -0x1.5d3e27a3c4675p-12,
     -0x1.6aadeadb9740fp-14, 0x1.6ae682bc98a15p-16, 0x1.50b0f683d0a8ep-16, 0x1.913be2e3a47c2p-18,
     0x1.1e7fe50acf2c6p-20, 0x1.1989d96ea8c7ap-23, 0x1.faf3fc1881fc4p-27, 0x1.faa94a3559bbdp-31},
    {-0x1.806d438576155p-35, -0x1.2a8f322e748afp-39, -0x1.5e0a725bebe54p-23, 0x1.45249001b3acfp-10,
     0x1.87ad4597a53p-12, -0x1.c1c88d0bc249cp-12, -0x1.c0b69b69ababdp-13, 0x1.e16958c9338a5p-15,
     0x1.f3b51a6ab4f33p-15, 0x1.292626117984bp-17, -0x1.3e4a2a8556afp-18, -0x1.57beaf4b53b47p-19,
     -0x1.3e2c574ce6bc4p-21, -0x1.73338a4f7d96ep-24, -0x1.7ab3691b225c5p-27, -0x1.a7c65d6b92398p-31},
    {0x1.45199ef698e1dp-35, 0x1.11056dee306c1p-39, 0x1.e774b114f23e3p-27, 0x1.3989efc874987p-15,
     -0x1.63c58398277ccp-12, -0x1.9b623eacc53dap-15, 0x1.b04982a5fe667p-14, 0x1.f5efe7917187p-16,
     -0x1.fa2722f80688ap-17, -0x1.1cdf71e89787dp-17, -0x1.a00e6a33d24b1p-22, 0x1.9ae30a675822fp-21,
     0x1.20f0d99943fc9p-22, 0x1.a5476b97c018cp-25, 0x1.f37ea44764644p-28, 0x1.40f4768a757c1p-31},
    {-0x1.cdbd28c66cecdp-36, -0x1.76c44c3deaa58p-40, -0x1.e56eb2b506f2dp-31, -0x1.92ba3afccadc8p-13,
     0x1.54840b61adb33p-16, 0x1.47000e74186b1p-14, -0x1.699f89bd08337p-19, -0x1.550e4bc5a3858p-16,
     -0x1.1eddede35a836p-19, 0x1.8d0ec0f973ab6p-19, 0x1.e68f7f8446f56p-21, -0x1.6410b9033f697p-24,
     -0x1.a454d5be13cep-24, -0x1.b7400ac37fa9ap-26, -0x1.0933502e71209p-28, -0x1.a0493609d505dp-32},
};
static const double two_per_root_pi = 0x1.20dd750429b6dp+0;
/* pi/2 in three parts, the second a multiple of 2^-86: n times it is exact for |n| < 2^20 */
static const double pio2[3] = {0x1.921fb54442d18p+0, 0x1.1a626331p-54, 0x1.1701b839a252p-88};
static const double ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
static const double per_ln2 = 0x1.71547652b82fep+0, per_pio2 = 0x1.45f306dc9c883p-1;

#endif
