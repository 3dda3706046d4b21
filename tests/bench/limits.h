/* limits.h: what the machine can do, measured beside what we do: multiply-adds in registers, bytes written. One thread. */
#ifndef PH_BENCH_LIMITS_H
#define PH_BENCH_LIMITS_H

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/parallel.h"

enum { LIMIT_CHAINS = 12, LIMIT_TURNS = 200000 };

#if defined(__x86_64__)
/* Twelve sums that do not wait for each other, LANES numbers wide, each in a register of its own. */
#define LIMIT_EACH(X) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h) X(i) X(j) X(k) X(l)
#define LIMIT_FMA(NAME, WIDE, LANES, SET, FMA, TARGET)                                                       \
    TARGET static double NAME(void) {                                                                        \
        const WIDE one = SET(1), half = SET(0.5);                                                            \
        WIDE a = one, b = one, c = one, d = one, e = one, f = one, g = one, h = one, i = one, j = one,       \
             k = one, l = one;                                                                               \
        double began = ph_clock();                                                                           \
        for (int turn = 0; turn < LIMIT_TURNS; turn++) {                                                     \
            LIMIT_EACH(FMA)                                                                                  \
        }                                                                                                    \
        double seconds = ph_clock() - began;                                                                 \
        return (double)LIMIT_TURNS * LIMIT_CHAINS * LANES / seconds;                                         \
    }
/* The empty statement keeps each sum: none is left out. */
#define LIMIT_STEP(F, x)                                                                                     \
    x = F(x, half, one);                                                                                     \
    __asm__ volatile("" : "+v"(x));
#define LIMIT_PS256(x) LIMIT_STEP(_mm256_fmadd_ps, x)
#define LIMIT_PD256(x) LIMIT_STEP(_mm256_fmadd_pd, x)
#define LIMIT_PS512(x) LIMIT_STEP(_mm512_fmadd_ps, x)
#define LIMIT_PD512(x) LIMIT_STEP(_mm512_fmadd_pd, x)
#define LIMIT_AVX2     __attribute__((target("avx2,fma")))
#define LIMIT_AVX512   __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
LIMIT_FMA(limit_f32_avx2, __m256, 8, _mm256_set1_ps, LIMIT_PS256, LIMIT_AVX2)
LIMIT_FMA(limit_f64_avx2, __m256d, 4, _mm256_set1_pd, LIMIT_PD256, LIMIT_AVX2)
LIMIT_FMA(limit_f32_avx512, __m512, 16, _mm512_set1_ps, LIMIT_PS512, LIMIT_AVX512)
LIMIT_FMA(limit_f64_avx512, __m512d, 8, _mm512_set1_pd, LIMIT_PD512, LIMIT_AVX512)
#endif

/* Multiply-adds a second on one thread, the best of twenty; 0: not known of this processor. */
static inline double limit_fma(bool f32) {
    double best = 0;
    for (int k = 0; k < 20; k++) {
        double rate = 0;
#if defined(__x86_64__)
        if (ph_cpu() == PH_CPU_AVX512) rate = f32 ? limit_f32_avx512() : limit_f64_avx512();
        else if (ph_cpu() == PH_CPU_AVX2) rate = f32 ? limit_f32_avx2() : limit_f64_avx2();
#endif
        if (rate > best) best = rate;
    }
    return best;
}

/* Seconds to write so many bytes over memory that is there. */
static inline double limit_write(void *to, size_t bytes) {
    static unsigned char turn;
    double began = ph_clock();
    memset(to, ++turn, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
    return ph_clock() - began;
}

#endif
