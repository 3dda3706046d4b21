/* rope_turn.c: rotating pairs of columns. Memory is what it costs, so a block of positions goes through every stack while its
 * cosines and sines are near, and blocks are shared among the threads. */
#include "encoding/rope_turn.h"

#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "base/parallel.h"

#define ROWS  32               /* positions of a block */
#define WORTH ((int64_t)65536) /* entries of a piece, about */

typedef void turn_fn(void *out, const void *x, const void *c, const void *s, int64_t pairs);

#define TURN_HALF(name, real, TARGET)                                                                        \
    TARGET static void name(void *o, const void *v, const void *cos, const void *sin, int64_t n) {           \
        real *restrict out = o;                                                                              \
        const real *restrict x = v, *restrict c = cos, *restrict s = sin;                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            real a = x[i], b = x[n + i];                                                                     \
            out[i] = a * c[i] - b * s[i];                                                                    \
            out[n + i] = a * s[i] + b * c[i];                                                                \
        }                                                                                                    \
    }
#define TURN_PAIRS(name, real, TARGET)                                                                       \
    TARGET static void name(void *o, const void *v, const void *cos, const void *sin, int64_t n) {           \
        real *restrict out = o;                                                                              \
        const real *restrict x = v, *restrict c = cos, *restrict s = sin;                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            real a = x[2 * i], b = x[2 * i + 1];                                                             \
            out[2 * i] = a * c[i] - b * s[i];                                                                \
            out[2 * i + 1] = a * s[i] + b * c[i];                                                            \
        }                                                                                                    \
    }
#define LEVEL(level, TARGET)                                                                                 \
    TURN_HALF(half_f64_##level, double, TARGET)                                                              \
    TURN_HALF(half_f32_##level, float, TARGET)                                                               \
    TURN_PAIRS(pairs_f64_##level, double, TARGET)                                                            \
    TURN_PAIRS(pairs_f32_##level, float, TARGET)                                                             \
    static turn_fn *const level[2][2] = {{pairs_f64_##level, half_f64_##level},                              \
                                         {pairs_f32_##level, half_f32_##level}};

LEVEL(baseline, )
#if defined(__x86_64__)
LEVEL(avx2, __attribute__((target("avx2"))))
LEVEL(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

static turn_fn *choose(bool f32, bool half) {
#if defined(__x86_64__)
    if (ph_cpu() == PH_CPU_AVX512) return avx512[f32][half];
    if (ph_cpu() == PH_CPU_AVX2) return avx2[f32][half];
#endif
    return baseline[f32][half];
}

/* ---- large results ------------------------------------------------------------------------------------- */

/* A result that no cache will hold is written past the caches: an ordinary store would first read what it overwrites, and
 * memory is the whole cost. */
#define LARGE  ((size_t)16 << 20)
#define BUFFER 4096 /* bytes of a row, at most, that goes this way */

#if defined(__x86_64__)
static bool streams(const enc_turn *t, size_t row) {
    return row <= BUFFER && row % 16 == 0 && (uintptr_t)t->out % 16 == 0 &&
           (size_t)(t->leads * t->T) >= LARGE / row;
}
static void stream(char *to, const char *from, size_t bytes) {
    for (size_t k = 0; k < bytes; k += 16)
        _mm_stream_si128((__m128i *)(to + k), _mm_load_si128((const __m128i *)(from + k)));
}
static void stream_end(void) { _mm_sfence(); }
#else
static bool streams(const enc_turn *t, size_t row) {
    (void)t, (void)row;
    return false;
}
static void stream(char *to, const char *from, size_t bytes) { memcpy(to, from, bytes); }
static void stream_end(void) {}
#endif

/* ---- pieces -------------------------------------------------------------------------------------------- */

typedef struct {
    const enc_turn *t;
    turn_fn *turn;
    size_t item;
    int64_t blocks, group; /* blocks of positions; stacks of a piece */
    bool stream;
} plan;

static void turn_piece(void *ctx, int64_t piece) {
    const plan *p = ctx;
    const enc_turn *t = p->t;
    int64_t row = piece % p->blocks * ROWS, end = row + ROWS < t->T ? row + ROWS : t->T;
    int64_t lead = piece / p->blocks * p->group,
            last = lead + p->group < t->leads ? lead + p->group : t->leads;
    size_t turned = 2 * (size_t)t->pairs * p->item, all = (size_t)t->d * p->item;
    _Alignas(64) char buffer[BUFFER];
    for (; lead < last; lead++)
        for (int64_t r = row; r < end; r++) {
            size_t at = (size_t)(lead * t->T + r) * all, table = (size_t)(r * t->pairs) * p->item;
            char *out = p->stream ? buffer : (char *)t->out + at;
            const char *x = (const char *)t->x + at;
            p->turn(out, x, (const char *)t->cos + table, (const char *)t->sin + table, t->pairs);
            if (all > turned) memcpy(out + turned, x + turned, all - turned);
            if (p->stream) stream((char *)t->out + at, buffer, all);
        }
    if (p->stream) stream_end();
}

ph_status enc_turn_rows(const enc_turn *t, ph_err *err) {
    if (t->leads == 0 || t->T == 0 || t->d == 0) return PH_OK;
    int64_t rows = t->T < ROWS ? t->T : ROWS, group = WORTH / (t->d < WORTH / rows ? rows * t->d : WORTH);
    size_t item = arr_itemsize(t->dtype);
    plan p = {t,     choose(t->dtype == ARR_F32, t->half), item, (t->T + ROWS - 1) / ROWS,
              group, streams(t, (size_t)t->d * item)};
    return ph_parallel(turn_piece, &p, p.blocks * ((t->leads + group - 1) / group), err);
}
