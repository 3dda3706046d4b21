/* rope_turn.c: rotating pairs of columns. Memory is what it costs: x is read and the result written in the order in which they lie,
 * which the processor fetches ahead, but where the tables are larger than a cache: then a block of positions goes through every stack
 * while its cosines and sines are near. Pieces are shared among the threads. */
#include "encoding/rope_turn.h"

#include <string.h>

#include "base/parallel.h"

#define TABLES ((size_t)2 << 20) /* bytes of cosines and sines of a block */
#define WORTH  ((int64_t)65536)  /* entries of a piece, about */

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

#define BUFFER 4096 /* bytes of a row, at most, that goes past the caches */

/* ---- pieces -------------------------------------------------------------------------------------------- */

typedef struct {
    const enc_turn *t;
    turn_fn *turn;
    size_t item;
    int64_t rows, block; /* positions of a piece, and of a block */
    int64_t group;       /* stacks of a piece */
    bool past;           /* the result is written past the caches */
} plan;

static int64_t parts(int64_t n, int64_t size) { return (n - 1) / size + 1; }

static void turn_piece(void *ctx, int64_t piece) {
    const plan *p = ctx;
    const enc_turn *t = p->t;
    const int64_t each = p->block / p->rows,
                  groups = parts(t->leads, p->group); /* pieces of a block: each * groups */
    int64_t row = piece / (each * groups) * p->block + piece % each * p->rows,
            end = row + p->rows < t->T ? row + p->rows : t->T;
    int64_t lead = piece / each % groups * p->group,
            last = lead + p->group < t->leads ? lead + p->group : t->leads;
    size_t turned = 2 * (size_t)t->pairs * p->item, all = (size_t)t->d * p->item;
    _Alignas(64) char buffer[BUFFER];
    for (; lead < last; lead++)
        for (int64_t r = row; r < end; r++) {
            size_t at = (size_t)(lead * t->T + r) * all, table = (size_t)(r * t->pairs) * p->item;
            char *out = p->past ? buffer : (char *)t->out + at;
            const char *x = (const char *)t->x + at;
            p->turn(out, x, (const char *)t->cos + table, (const char *)t->sin + table, t->pairs);
            if (all > turned) memcpy(out + turned, x + turned, all - turned);
            if (p->past) ph_write_past((char *)t->out + at, buffer, all);
        }
    if (p->past) ph_written_past();
}

static int64_t between(int64_t lo, int64_t n, int64_t hi) { return n > hi ? hi : n < lo ? lo : n; }

ph_status enc_turn_rows(const enc_turn *t, ph_err *err) {
    if (t->leads == 0 || t->T == 0 || t->d == 0) return PH_OK;
    size_t item = arr_itemsize(t->dtype), row = (size_t)t->d * item;
    plan p = {.t = t, .turn = choose(t->dtype == ARR_F32, t->half), .item = item};
    p.rows = between(1, WORTH / t->d, t->T);
    p.block = between(1, (int64_t)(TABLES / row) / p.rows, parts(t->T, p.rows)) * p.rows;
    p.group = p.rows < t->T ? 1 : between(1, WORTH / t->d / t->T, t->leads);
    p.past = row <= BUFFER && (size_t)(t->leads * t->T) >= PH_PAST / row;
    return ph_parallel(turn_piece, &p, parts(t->T, p.block) * (p.block / p.rows) * parts(t->leads, p.group),
                       err);
}
