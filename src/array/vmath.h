/* vmath.h: elementary functions of contiguous data, y[i] = f(x[i]).
 *
 * One source is compiled for SSE2, AVX2 and AVX-512 (elsewhere: for vectors of two doubles) and ph_cpu()
 * chooses. It uses only IEEE additions, multiplications, divisions and integer steps, never a fused
 * multiply-add or libm, so every level and every machine gives the same bits, and an element's value depends
 * neither on its place nor on n.
 *
 * Domain: every double and float; inf, NaN, zeros with their sign and subnormals as C99 Annex F says. Largest
 * error found against Arb over 400,000 seeded points, in ulps (tests/array/test_vmath.c asserts 1 for f64,
 * 0.55 for f32): f64: exp 0.74, log 0.80, sin 0.77, cos 0.78, tan 0.88, tanh 0.89    f32: all 0.505 |x| >
 * 10^6 in sin, cos, tan, and what is no positive normal number in log, go one by one through base/dd.h: some
 * 0.3 us each instead of 2 ns.
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
void arr_vsqrt_f64(double *y, const double *x, int64_t n); /* correctly rounded */

void arr_vexp_f32(float *y, const float *x, int64_t n);
void arr_vlog_f32(float *y, const float *x, int64_t n);
void arr_vsin_f32(float *y, const float *x, int64_t n);
void arr_vcos_f32(float *y, const float *x, int64_t n);
void arr_vtan_f32(float *y, const float *x, int64_t n);
void arr_vtanh_f32(float *y, const float *x, int64_t n);
void arr_vsqrt_f32(float *y, const float *x, int64_t n);

/* The two passes of softmax, and the way back. The greatest element, NaN when one is NaN, -inf of none. */
float arr_vmax_f32(const float *x, int64_t n);
double arr_vmax_f64(const double *x, int64_t n);

/* y[i] = e^(x[i] - c) for x[i] <= c; returns the sum of the y[i], added in 16 lanes of f32 or 8 of f64. The difference is
 * rounded to the type first. f64: as arr_vexp. f32: in f32 arithmetic, 2 ulps at most (0.9 found) and 0 below e^-87: four
 * times the speed. x[i] or c NaN: NaN. */
double arr_vexp_sum_f32(float *y, const float *x, float c, int64_t n);
double arr_vexp_sum_f64(double *y, const double *x, double c, int64_t n);

/* y[i] = e^(y[i] - c) as above, but 0 for y[i] = -inf whatever c is; then g[i] = y[i] (g[i] - mean), and 0 where y[i] is 0, whatever
 * g[i] and mean are. */
void arr_vexp_back_f32(float *y, float *g, float c, float mean, int64_t n);
void arr_vexp_back_f64(double *y, double *g, double c, double mean, int64_t n);

#endif
