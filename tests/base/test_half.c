/* 16-bit formats: every pattern, every midpoint and its neighbours, one rounding, and the processor as
 * oracle.
 * Sources: base/half.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "base/half.h"
#include "base/rng.h"

typedef struct {
    const char *name;
    uint16_t (*to)(double);
    double (*from)(uint16_t);
    int frac, e_min, e_max; /* fraction bits, exponents of the least and greatest normal numbers */
} format;

static const format formats[] = {{"f16", ph_f64_to_f16, ph_f16_to_f64, 10, -14, 15},
                                 {"bf16", ph_f64_to_bf16, ph_bf16_to_f64, 7, -126, 127}};
#define EACH(f) for (const format *f = formats; f < formats + 2; f++)
#define INF(f)  (0x7fffu >> (f)->frac << (f)->frac)

/* The value by its definition: the k-th finite number from zero up. */
static double nth(const format *f, unsigned k) {
    unsigned per = 1u << f->frac;
    if (k < per) return ldexp(k, f->e_min - f->frac);
    return ldexp(per + k % per, f->e_min - f->frac + (int)(k / per) - 1);
}

static void every_pattern_is_its_value_and_comes_back(void **state) {
    (void)state;
    EACH(f) for (unsigned h = 0; h < 0x8000; h++) {
        double x = f->from((uint16_t)h), y = f->from((uint16_t)(h | 0x8000));
        if (h < INF(f)) assert_true(x == nth(f, h) && y == -x && signbit(y));
        else if (h == INF(f)) assert_true(x == INFINITY && y == -INFINITY);
        else assert_true(isnan(x) && isnan(y) && !signbit(x) && signbit(y));
        unsigned quiet = h > INF(f) ? h | 1u << (f->frac - 1) : h;
        assert_int_equal(f->to(x), quiet);
        assert_int_equal(f->to(y), quiet | 0x8000);
    }
}

/* What reads files and arrays in 16 bits as f32 has the bits of the exact value. */
static void every_pattern_as_f32(void **state) {
    (void)state;
    for (unsigned h = 0; h < 0x10000; h++) {
        float a = ph_f16_to_f32((uint16_t)h), b = ph_bf16_to_f32((uint16_t)h);
        float f16 = (float)ph_f16_to_f64((uint16_t)h), bf16 = (float)ph_bf16_to_f64((uint16_t)h);
        assert_memory_equal(&a, &f16, sizeof a);
        assert_memory_equal(&b, &bf16, sizeof b);
    }
}

/* Between neighbours h and h+1: the midpoint goes to the even one, the doubles beside it to their own side.
 * The last pair is the largest finite number and the 2^(e_max + 1) that stands for inf. */
static void midpoints_go_to_even(void **state) {
    (void)state;
    EACH(f) for (unsigned h = 0; h < INF(f); h++) {
        double m = (nth(f, h) + nth(f, h + 1)) / 2;
        for (int sign = 0; sign < 2; sign++) {
            double s = sign ? -1 : 1;
            unsigned bit = sign ? 0x8000 : 0;
            assert_int_equal(f->to(s * m), (h + (h & 1)) | bit);
            assert_int_equal(f->to(s * nextafter(m, 0)), h | bit);
            assert_int_equal(f->to(s * nextafter(m, INFINITY)), (h + 1) | bit);
        }
    }
}

static void the_ends(void **state) {
    (void)state;
    EACH(f) {
        assert_int_equal(f->to(0x1p-1074), 0);
        assert_int_equal(f->to(-0x1p-1074), 0x8000);
        assert_int_equal(f->to(-0.0), 0x8000);
        for (int e = f->e_max + 1; e < 1024; e++) assert_int_equal(f->to(ldexp(1.7, e)), INF(f));
        assert_int_equal(f->to(0x1.fffffffffffffp1023), INF(f));
        assert_int_equal(f->to(-INFINITY), INF(f) | 0x8000);
    }
    assert_true(ph_f16_to_f64(0x7bff) == 65504);
    /* through f32 this would round twice: 1 + 2^-11 + 2^-30 lies above the midpoint, but its f32 is the
     * midpoint */
    assert_int_equal(ph_f64_to_f16(1 + 0x1p-11 + 0x1p-30), 0x3c01);
    assert_int_equal(ph_f64_to_f16((double)(float)(1 + 0x1p-11 + 0x1p-30)), 0x3c00);
}

/* ---- the processor ------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

__attribute__((target("f16c"))) static uint16_t cpu_f16(float x) {
    return (uint16_t)_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(x), _MM_FROUND_TO_NEAREST_INT));
}
__attribute__((target("f16c"))) static float cpu_from_f16(uint16_t h) {
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(h)));
}
__attribute__((target("avx512bf16,avx512vl"))) static uint16_t cpu_bf16(float x) {
    __m128bh b = _mm_cvtneps_pbh(_mm_set_ss(x));
    uint16_t h[8];
    memcpy(h, &b, sizeof h);
    return h[0];
}

static float any_float(ph_rng *g) {
    uint32_t b = (uint32_t)ph_rng_bits(g);
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static void agrees_with_f16c(void **state) {
    (void)state;
    if (!__builtin_cpu_supports("avx2"))
        skip(); /* every processor with AVX2 has F16C, which clang cannot ask for */
    ph_rng g;
    ph_rng_seed(&g, 21);
    for (int i = 0; i < 300000; i++) {
        float x = any_float(&g);
        if (i % 2) x = (float)ldexp(1 + ph_rng_uniform(&g), (int)ph_rng_below(&g, 44) - 27);
        if (cpu_f16(x) != ph_f64_to_f16((double)x)) fail_msg("%a", (double)x);
    }
    for (unsigned h = 0; h < 0x10000; h++) {
        float c = cpu_from_f16((uint16_t)h), o = (float)ph_f16_to_f64((uint16_t)h);
        assert_memory_equal(&c, &o, sizeof c);
    }
}

/* Leaf 7.1, EAX bit 5; not every compiler knows the feature by name. */
static bool has_avx512_bf16(void) {
    unsigned a = 0, b, c, d;
    return __builtin_cpu_supports("avx512vl") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 5 & 1);
}

/* The instruction takes subnormal f32 numbers for zero; elsewhere it rounds as we do. */
static void agrees_with_avx512_bf16(void **state) {
    (void)state;
    if (!has_avx512_bf16()) skip();
    ph_rng g;
    ph_rng_seed(&g, 22);
    for (int i = 0; i < 300000; i++) {
        float x = any_float(&g);
        if (fpclassify(x) == FP_SUBNORMAL) continue;
        if (cpu_bf16(x) != ph_f64_to_bf16((double)x)) fail_msg("%a", (double)x);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_is_its_value_and_comes_back),
        cmocka_unit_test(every_pattern_as_f32),
        cmocka_unit_test(midpoints_go_to_even),
        cmocka_unit_test(the_ends),
#if defined(__x86_64__)
        cmocka_unit_test(agrees_with_f16c),
        cmocka_unit_test(agrees_with_avx512_bf16),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
