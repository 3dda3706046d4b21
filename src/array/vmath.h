/* vmath.h: elementary functions of contiguous data, y[i] = f(x[i]).
 *
 * One source is compiled for AVX2, AVX-512 and vectors of two doubles, and ph_cpu() chooses. It uses only IEEE operations,
 * the fused multiply-add among them, and integer steps, never libm. Where the processor has no such instruction the steps
 * that make one up from additions and products are compiled in; so every level and every machine gives the same bits, and
 * an element's value depends neither on its place nor on n.
 *
 * Domain: every double and float; inf, NaN, zeros with their sign and subnormals as C99 Annex F says. Largest error found
 * against Arb, in ulps (tests/array/test_vmath.c asserts 1, at every exponent of f32; 0.7 for powers of f32):
 *   f64: exp 0.81, log 0.67, sin 0.75, cos 0.73, tan 0.89, tanh 0.78, sigmoid 0.69, erf 0.79, pow 0.71
 *   f32: exp 0.93, log 0.96, sin 0.78, cos 0.78, tan 0.95, tanh 0.73, sigmoid 0.93, erf 0.63, pow 0.59
 * f32 is computed in f32 where the kernels of vmath_single.inc serve: |x| <= 87 in exp and sigmoid, 32768 in sin, cos and tan, normal
 * x in log and powers, powers between e^-87 and e^87. What they do not serve goes through doubles, rounded once.
 * |x| > 10^6 in sin, cos, tan, what is no normal number under 2^1023 in log and as a base, and powers beyond e^708 or e^-708 go one by
 * one through base/dd.h: some 0.3 us each instead of 1 ns. Their reduction is by integers, exact for every argument.
 *
 * y == x is allowed; other overlaps are not. n >= 0. Any thread may call.
 */
#ifndef PH_ARRAY_VMATH_H
#define PH_ARRAY_VMATH_H

#include "base/base.h"

void arr_vexp_f64(double *y, const double *x, int64_t n);
void arr_vlog_f64(double *y, const double *x, int64_t n);
void arr_vsin_f64(double *y, const double *x, int64_t n);
void arr_vcos_f64(double *y, const double *x, int64_t n);
void arr_vtan_f64(double *y, const double *x, int64_t n);
void arr_vtanh_f64(double *y, const double *x, int64_t n);
void arr_vsigmoid_f64(double *y, const double *x, int64_t n);
void arr_verf_f64(double *y, const double *x, int64_t n);
void arr_vpow_f64(double *z, const double *x, const double *y, int64_t n); /* z[i] = x[i]^y[i] */
void arr_vsqrt_f64(double *y, const double *x, int64_t n);                 /* correctly rounded */

void arr_vexp_f32(float *y, const float *x, int64_t n);
void arr_vlog_f32(float *y, const float *x, int64_t n);
void arr_vsin_f32(float *y, const float *x, int64_t n);
void arr_vcos_f32(float *y, const float *x, int64_t n);
void arr_vtan_f32(float *y, const float *x, int64_t n);
void arr_vtanh_f32(float *y, const float *x, int64_t n);
void arr_vsigmoid_f32(float *y, const float *x, int64_t n);
void arr_verf_f32(float *y, const float *x, int64_t n);
void arr_vpow_f32(float *z, const float *x, const float *y, int64_t n);
void arr_vsqrt_f32(float *y, const float *x, int64_t n);

/* The two passes of softmax, and the way back. The greatest element, NaN when one is NaN, -inf of none. */
float arr_vmax_f32(const float *x, int64_t n);
double arr_vmax_f64(const double *x, int64_t n);

/* y[i] = e^(x[i] - c) for x[i] <= c; returns the sum of the y[i], added in 16 lanes of f32 or 8 of f64. The difference is
 * rounded to the type first. f64: as arr_vexp. f32: 1.2 ulps at most (0.84 found) and 0 below e^-87. x[i] or c NaN: NaN. */
double arr_vexp_sum_f32(float *y, const float *x, float c, int64_t n);
double arr_vexp_sum_f64(double *y, const double *x, double c, int64_t n);

/* y[i] = e^(y[i] - c) as above, but 0 for y[i] = -inf whatever c is; then g[i] = y[i] (g[i] - mean), and 0 where y[i] is 0, whatever
 * g[i] and mean are. */
void arr_vexp_back_f32(float *y, float *g, float c, float mean, int64_t n);
void arr_vexp_back_f64(double *y, double *g, double c, double mean, int64_t n);

#endif
