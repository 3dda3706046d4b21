/* arith_past.c: sums, differences, products and quotients of arrays whose result is too large to stay in a cache. Their loops wait for
 * memory, and an ordinary store reads what it overwrites first: these write past the caches. The operations are those of arith.c, to the
 * last bit. Measured on a Zen 4, x + y of 10^6 f64: half the time where the result's memory was used for something else before, two
 * thirds where it is the last result's.
 */
#include "array/elementwise.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* n elements; s and t: 1, or 0 for a constant, not both. */
#define KERNEL(NAME, OP, T, LEVEL, TARGET, BYTES, STREAM, WIDE)                                              \
    TARGET static void NAME##_##T##_##LEVEL(void *out, const void *const *in, const int64_t *step,           \
                                            int64_t n) {                                                     \
        typedef T part __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));                   \
        enum { LANES = BYTES / (int)sizeof(T) };                                                             \
        T *o = out;                                                                                          \
        const T *a = in[0], *b = in[1];                                                                      \
        const int64_t s = step[0], t = step[1];                                                              \
        part first, second;                                                                                  \
        int64_t i = 0;                                                                                       \
        for (int l = 0; l < LANES; l++) first[l] = a[0], second[l] = b[0];                                   \
        for (; i < n && (uintptr_t)(o + i) % BYTES; i++) o[i] = a[i * s] OP b[i * t];                        \
        if (s && t)                                                                                          \
            for (; i + LANES <= n; i += LANES)                                                               \
                STREAM((void *)(o + i), (WIDE)(*(const part *)(a + i) OP * (const part *)(b + i)));          \
        else if (s)                                                                                          \
            for (; i + LANES <= n; i += LANES)                                                               \
                STREAM((void *)(o + i), (WIDE)(*(const part *)(a + i) OP second));                           \
        else                                                                                                 \
            for (; i + LANES <= n; i += LANES)                                                               \
                STREAM((void *)(o + i), (WIDE)(first OP * (const part *)(b + i)));                           \
        for (; i < n; i++) o[i] = a[i * s] OP b[i * t];                                                      \
    }

#define LEVELS(NAME, OP)                                                                                     \
    KERNEL(NAME, OP, double, baseline, , 16, _mm_stream_pd, __m128d)                                         \
    KERNEL(NAME, OP, float, baseline, , 16, _mm_stream_ps, __m128)                                           \
    KERNEL(NAME, OP, double, avx2, __attribute__((target("avx2"))), 32, _mm256_stream_pd, __m256d)           \
    KERNEL(NAME, OP, float, avx2, __attribute__((target("avx2"))), 32, _mm256_stream_ps, __m256)             \
    KERNEL(NAME, OP, double, avx512, __attribute__((target("avx512f"))), 64, _mm512_stream_pd, __m512d)      \
    KERNEL(NAME, OP, float, avx512, __attribute__((target("avx512f"))), 64, _mm512_stream_ps, __m512)
LEVELS(sum, +)
LEVELS(difference, -)
LEVELS(product, *)
LEVELS(quotient, /)

#define BY_TYPE(NAME, LEVEL)                                                                                 \
    { NAME##_float_##LEVEL, NAME##_double_##LEVEL }
#define ALL(LEVEL)                                                                                           \
    { BY_TYPE(sum, LEVEL), BY_TYPE(difference, LEVEL), BY_TYPE(product, LEVEL), BY_TYPE(quotient, LEVEL) }
static arr_ew_loop *const loops[3][4][2] = {ALL(baseline), ALL(avx2), ALL(avx512)};

arr_ew_loop *arr_ew_past(arr_past what, arr_dtype t) {
    if (what == ARR_NOT_PAST || (t != ARR_F32 && t != ARR_F64)) return NULL;
    return loops[ph_cpu()][what - ARR_PAST_SUM][t == ARR_F64];
}
#else
arr_ew_loop *arr_ew_past(arr_past what, arr_dtype t) {
    (void)what, (void)t;
    return NULL;
}
#endif
