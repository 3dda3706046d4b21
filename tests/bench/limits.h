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
/* LIMIT_CHAINS sums that do not wait for each other, LANES numbers wide. */
#define LIMIT_FMA(NAME, WIDE, LANES, SET, FMA, TARGET)                                                       \
    TARGET static double NAME(void) {                                                                        \
        WIDE sum[LIMIT_CHAINS], x = SET(1), y = SET(0.5);                                                    \
        for (int i = 0; i < LIMIT_CHAINS; i++) sum[i] = x;                                                   \
        double began = ph_clock();                                                                           \
        for (int k = 0; k < LIMIT_TURNS; k++)                                                                \
            _Pragma("GCC unroll 12") for (int i = 0; i < LIMIT_CHAINS; i++) {                                \
                sum[i] = FMA(sum[i], y, x);                                                                  \
                __asm__ volatile("" : "+v"(sum[i])); /* so that none is left out */                          \
            }                                                                                                \
        double seconds = ph_clock() - began;                                                                 \
        return (double)LIMIT_TURNS * LIMIT_CHAINS * LANES / seconds;                                         \
    }
#define LIMIT_AVX2   __attribute__((target("avx2,fma")))
#define LIMIT_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
LIMIT_FMA(limit_f32_avx2, __m256, 8, _mm256_set1_ps, _mm256_fmadd_ps, LIMIT_AVX2)
LIMIT_FMA(limit_f64_avx2, __m256d, 4, _mm256_set1_pd, _mm256_fmadd_pd, LIMIT_AVX2)
LIMIT_FMA(limit_f32_avx512, __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps, LIMIT_AVX512)
LIMIT_FMA(limit_f64_avx512, __m512d, 8, _mm512_set1_pd, _mm512_fmadd_pd, LIMIT_AVX512)
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
