/* panel.c: products of a few rows with one panel of columns, for attention's blocks. A panel is as wide as the sums of six
 * rows fill the registers:
 *
 *                  b (k, n)                                vectors   registers of sums
 *                 | | | |          baseline  16 bytes          2          12 of 16
 *        a (6, k) s s s s          AVX2      32                2          12 of 16
 *                 s s s s …        AVX-512   64                4          24 of 32
 *
 * What a general product loses here is packing: both operands are copied for each call, although the panel serves every
 * block of queries and the rows are read once.
 */
#include "array/gemm.h"
#include "base/parallel.h"
#include "base/pools.h"

#include <string.h>

#define PANEL_ROWS 6 /* a multiple of 3: tile has a pointer for three */
/* Loops over a tile are unrolled before the compiler decides what lives in registers; under AddressSanitizer, which asks about every
 * access, clang would take a quarter of an hour for it. */
#if defined(__clang__) && defined(PH_NO_POOLS)
#define TILE
#elif defined(__clang__)
#define TILE _Pragma("clang loop unroll(full)")
#else
#define TILE _Pragma("GCC unroll 24")
#endif

#define NV    2
#define BYTES 16
#define TARGET
#define T            float
#define FN(f)        f##_baseline_f32
#define FMA(a, b, c) ((a) * (b) + (c))
#include "array/panel.inc"

#define NV    2
#define BYTES 16
#define TARGET
#define T            double
#define FN(f)        f##_baseline_f64
#define FMA(a, b, c) ((a) * (b) + (c))
#include "array/panel.inc"

#if defined(__x86_64__)
#include <immintrin.h>

#define NV           2
#define BYTES        32
#define TARGET       __attribute__((target("avx2,fma")))
#define T            float
#define FN(f)        f##_avx2_f32
#define FMA(a, b, c) ((vec)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#include "array/panel.inc"

#define NV           2
#define BYTES        32
#define TARGET       __attribute__((target("avx2,fma")))
#define T            double
#define FN(f)        f##_avx2_f64
#define FMA(a, b, c) ((vec)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#include "array/panel.inc"

#define NV           4
#define BYTES        64
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#define T            float
#define FN(f)        f##_avx512_f32
#define FMA(a, b, c) ((vec)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#include "array/panel.inc"

#define NV           4
#define BYTES        64
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#define T            double
#define FN(f)        f##_avx512_f64
#define FMA(a, b, c) ((vec)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#include "array/panel.inc"
#endif

typedef void panel_fn(const arr_panel *g, void *c, const void *a, const void *b);

typedef struct {
    panel_fn *f32, *f64;
    int step, width; /* bytes */
} level;

static level here(void) {
#if defined(__x86_64__)
    if (ph_cpu() == PH_CPU_AVX512) return (level){panel_avx512_f32, panel_avx512_f64, 64, 256};
    if (ph_cpu() == PH_CPU_AVX2) return (level){panel_avx2_f32, panel_avx2_f64, 32, 64};
#endif
    return (level){panel_baseline_f32, panel_baseline_f64, 16, 32};
}

int arr_panel_width(arr_dtype type) { return here().width / (int)arr_itemsize(type); }
int arr_panel_step(arr_dtype type) { return here().step / (int)arr_itemsize(type); }

void arr_panel_raw(const arr_panel *g, void *c, const void *a, const void *b) {
    (g->type == ARR_F32 ? here().f32 : here().f64)(g, c, a, b);
}
