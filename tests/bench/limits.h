/* limits.h: what the machine can do, measured beside what we do: multiply-adds in registers, bytes written. One thread. */
#ifndef PH_BENCH_LIMITS_H
#define PH_BENCH_LIMITS_H

#include <string.h>

#include "base/parallel.h"

enum { LIMIT_CHAINS = 12, LIMIT_TURNS = 200000 };

/* LIMIT_CHAINS sums that do not wait for each other, LANES numbers wide; volatile, so that none is left out. */
#define LIMIT_FMA(NAME, T, LANES, TARGET)                                                                    \
    TARGET static double NAME(void) {                                                                        \
        typedef T wide __attribute__((vector_size(LANES * sizeof(T))));                                      \
        volatile T one = (T)1;                                                                               \
        wide sum[LIMIT_CHAINS], x = one - (wide){0}, y = x * (T)0.5;                                         \
        for (int i = 0; i < LIMIT_CHAINS; i++) sum[i] = x * (T)i;                                            \
        double began = ph_clock();                                                                           \
        for (int k = 0; k < LIMIT_TURNS; k++)                                                                \
            for (int i = 0; i < LIMIT_CHAINS; i++) {                                                         \
                sum[i] = sum[i] * y + x;                                                                     \
                __asm__ volatile("" : "+v"(sum[i]));                                                         \
            }                                                                                                \
        double seconds = ph_clock() - began;                                                                 \
        for (int i = 0; i < LIMIT_CHAINS; i++) one = sum[i][0];                                              \
        return (double)LIMIT_TURNS * LIMIT_CHAINS * LANES / seconds;                                         \
    }
#if defined(__x86_64__)
/* Contracted here, and only here: what is measured is the instruction, not its result. */
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast", "unroll-loops")
LIMIT_FMA(limit_f32_avx2, float, 8, __attribute__((target("avx2,fma"))))
LIMIT_FMA(limit_f64_avx2, double, 4, __attribute__((target("avx2,fma"))))
LIMIT_FMA(limit_f32_avx512, float, 16, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma"))))
LIMIT_FMA(limit_f64_avx512, double, 8, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma"))))
#pragma GCC pop_options
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
