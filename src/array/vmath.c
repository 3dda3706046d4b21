/* vmath.c: elementary functions of contiguous data: the kernels at each CPU level, their slow paths, the
 * dispatch.
 *
 * The steps of a kernel wait for one another. The Makefile has gcc let those of four vectors take turns before it gives out registers
 * (-fschedule-insns -fsched-pressure): up to a fifth less time. clang does so without being asked. */
#include "array/vmath.h"
#include "array/vmath_poly.h"
#include "base/dd.h"
#include "base/parallel.h"

#include <float.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define TRIG_MAX 1000000 /* beyond: the reduction by integers */

/* ---- one element, any argument ------------------------------------------------------------------------- */

static double log_one(double x) { return x != x ? x : ph_dd_value(ph_dd_log(ph_dd_of(x))); }

static double sin_one(double x) {
    ph_dd s, c;
    ph_dd_sincos(&s, &c, ph_dd_of(x));
    return s.hi;
}
static double cos_one(double x) {
    ph_dd s, c;
    ph_dd_sincos(&s, &c, ph_dd_of(x));
    return c.hi;
}
static double tan_one(double x) {
    ph_dd s, c;
    ph_dd_sincos(&s, &c, ph_dd_of(x));
    return ph_dd_div(s, c).hi;
}

static bool is_odd(double y) { return fabs(fmod(y, 2)) == 1; }

/* |x|^y of a positive, finite |x|: what double-doubles give, with the sign of an odd power. */
static double pow_finite(double x, double y) {
    if (x < 0 && y != floor(y)) return NAN;
    const ph_dd p = ph_dd_mul_d(ph_dd_log(ph_dd_of(fabs(x))), y);
    double size = fabs(y) > 0x1p60 ? (fabs(x) == 1               ? 1
                                      : (fabs(x) > 1) == (y > 0) ? INFINITY
                                                                 : 0)
                                   : ph_dd_value(ph_dd_exp(p));
    return x < 0 && is_odd(y) ? -size : size;
}

/* As C99's Annex F has it. */
static double pow_one(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    if (y == 2) return x * x;
    if (fabs(y) == INFINITY) return fabs(x) == 1 ? 1 : (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
    if (x != 0 && fabs(x) != INFINITY) return pow_finite(x, y);
    double size = (x == 0) == (y < 0) ? INFINITY : 0;
    return is_odd(y) ? copysign(size, x) : size;
}

/* ---- the levels ---------------------------------------------------------------------------------------- */

#define LANES 2
#define TARGET
#define FN(f) f##_baseline
#include "array/vmath_level.inc"

#if defined(__x86_64__)
#define LANES  4
#define TARGET __attribute__((target("avx2,fma")))
#define FN(f)  f##_avx2
#include "array/vmath_level.inc"

#define LANES  8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#define FN(f)  f##_avx512
#include "array/vmath_level.inc"

#define PASS(f, ...)                                                                                         \
    switch (ph_cpu()) {                                                                                      \
    case PH_CPU_AVX512: return f##_avx512(__VA_ARGS__);                                                      \
    case PH_CPU_AVX2: return f##_avx2(__VA_ARGS__);                                                          \
    default: return f##_baseline(__VA_ARGS__);                                                               \
    }
#define RUN(f, ...)                                                                                          \
    switch (ph_cpu()) {                                                                                      \
    case PH_CPU_AVX512: f##_avx512(__VA_ARGS__); break;                                                      \
    case PH_CPU_AVX2: f##_avx2(__VA_ARGS__); break;                                                          \
    default: f##_baseline(__VA_ARGS__);                                                                      \
    }
#else
#define PASS(f, ...) return f##_baseline(__VA_ARGS__);
#define RUN(f, ...)  f##_baseline(__VA_ARGS__);
#endif
#define CHOOSE(f) RUN(f, y, x, n)

void arr_vexp_f64(double *y, const double *x, int64_t n) { CHOOSE(exp_f64) }
void arr_vlog_f64(double *y, const double *x, int64_t n) { CHOOSE(log_f64) }
void arr_vsin_f64(double *y, const double *x, int64_t n) { CHOOSE(sin_f64) }
void arr_vcos_f64(double *y, const double *x, int64_t n) { CHOOSE(cos_f64) }
void arr_vtan_f64(double *y, const double *x, int64_t n) { CHOOSE(tan_f64) }
void arr_vtanh_f64(double *y, const double *x, int64_t n) { CHOOSE(tanh_f64) }
void arr_vsigmoid_f64(double *y, const double *x, int64_t n) { CHOOSE(sigmoid_f64) }
void arr_verf_f64(double *y, const double *x, int64_t n) { CHOOSE(erf_f64) }
void arr_vpow_f64(double *z, const double *x, const double *y, int64_t n) { RUN(pow_f64, z, x, y, n) }
void arr_vsqrt_f64(double *y, const double *x, int64_t n) { CHOOSE(sqrt_f64) }
void arr_vexp_f32(float *y, const float *x, int64_t n) { CHOOSE(exp_single) }
void arr_vlog_f32(float *y, const float *x, int64_t n) { CHOOSE(log_single) }
void arr_vsin_f32(float *y, const float *x, int64_t n) { CHOOSE(sin_single) }
void arr_vcos_f32(float *y, const float *x, int64_t n) { CHOOSE(cos_single) }
void arr_vtan_f32(float *y, const float *x, int64_t n) { CHOOSE(tan_single) }
void arr_vtanh_f32(float *y, const float *x, int64_t n) { CHOOSE(tanh_single) }
void arr_vsigmoid_f32(float *y, const float *x, int64_t n) { CHOOSE(sigmoid_single) }
void arr_verf_f32(float *y, const float *x, int64_t n) { CHOOSE(erf_single) }
void arr_vpow_f32(float *z, const float *x, const float *y, int64_t n) { RUN(pow_single, z, x, y, n) }
void arr_vsqrt_f32(float *y, const float *x, int64_t n) { CHOOSE(sqrt_f32) }

float arr_vmax_f32(const float *x, int64_t n) { PASS(max_f32, x, n) }
double arr_vmax_f64(const double *x, int64_t n) { PASS(max_f64, x, n) }
double arr_vexp_sum_f32(float *y, const float *x, float c, int64_t n) { PASS(exp_sum_f32, y, x, c, n) }
double arr_vexp_sum_f64(double *y, const double *x, double c, int64_t n) { PASS(exp_sum_f64, y, x, c, n) }
void arr_vexp_back_f32(float *y, float *g, float c, float mean, int64_t n) {
    RUN(exp_back_f32, y, g, c, mean, n)
}
void arr_vexp_back_f64(double *y, double *g, double c, double mean, int64_t n) {
    RUN(exp_back_f64, y, g, c, mean, n)
}
