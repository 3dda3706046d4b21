/* rope_turn.c: rotating pairs of columns. Memory is what it costs: x is read and the result written in the order in which they lie,
 * which the processor fetches ahead, but where the tables are larger than a cache: then a block of positions goes through every stack
 * while its cosines and sines are near. Pieces are shared among the threads. */
#include "encoding/rope_turn.h"

#include <string.h>

#include "base/parallel.h"

#define TABLES ((size_t)2 << 20) /* bytes of cosines and sines of a block */
#define WORTH  ((int64_t)65536)  /* entries of a piece, about */

typedef void turn_fn(void *out, const void *x, const void *c, const void *s, int64_t pairs);

/* One row. x and x2, out and out2: where the first and the second of pair 0 come from and go. A pair is read whole before it is written,
 * so they may be the same; `restrict` says what the compiler may take for apart. */
#define PAIR(real, at, x, x2, out, out2)                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                                        \
        real a = x[at], b = x2[at];                                                                          \
        out[at] = a * c[i] - b * s[i];                                                                       \
        out2[at] = a * s[i] + b * c[i];                                                                      \
    }
#define TURN(name, real, TARGET)                                                                             \
    TARGET static void half_##name(void *o, const void *v, const void *cos, const void *sin, int64_t n) {    \
        real *restrict out = o;                                                                              \
        const real *restrict x = v, *restrict c = cos, *restrict s = sin;                                    \
        PAIR(real, i, x, (x + n), out, (out + n))                                                            \
    }                                                                                                        \
    TARGET static void pairs_##name(void *o, const void *v, const void *cos, const void *sin, int64_t n) {   \
        real *restrict out = o;                                                                              \
        const real *restrict x = v, *restrict c = cos, *restrict s = sin;                                    \
        PAIR(real, 2 * i, x, (x + 1), out, (out + 1))                                                        \
    }                                                                                                        \
    TARGET static void half_in_place_##name(void *o, const void *v, const void *cos, const void *sin,        \
                                            int64_t n) {                                                     \
        (void)v;                                                                                             \
        real *restrict x = o, *restrict x2 = x + n;                                                          \
        const real *restrict c = cos, *restrict s = sin;                                                     \
        PAIR(real, i, x, x2, x, x2)                                                                          \
    }                                                                                                        \
    TARGET static void pairs_in_place_##name(void *o, const void *v, const void *cos, const void *sin,       \
                                             int64_t n) {                                                    \
        (void)v;                                                                                             \
        real *restrict x = o;                                                                                \
        const real *restrict c = cos, *restrict s = sin;                                                     \
        PAIR(real, 2 * i, x, (x + 1), x, (x + 1))                                                            \
    }
#define FOUR(name)                                                                                           \
    {                                                                                                        \
        {pairs_##name, half_##name}, { pairs_in_place_##name, half_in_place_##name }                         \
    }
#define LEVEL(level, TARGET)                                                                                 \
    TURN(f64_##level, double, TARGET)                                                                        \
    TURN(f32_##level, float, TARGET)                                                                         \
    static turn_fn *const level[2][2][2] = {FOUR(f64_##level), FOUR(f32_##level)};

LEVEL(baseline, )
#if defined(__x86_64__)
LEVEL(avx2, __attribute__((target("avx2"))))
LEVEL(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
#endif

static turn_fn *choose(const enc_turn *t) {
    bool f32 = t->dtype == ARR_F32, in_place = t->out == t->x;
#if defined(__x86_64__)
    if (ph_cpu() == PH_CPU_AVX512) return avx512[f32][in_place][t->half];
    if (ph_cpu() == PH_CPU_AVX2) return avx2[f32][in_place][t->half];
#endif
    return baseline[f32][in_place][t->half];
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
            if (all > turned && out != x) memcpy(out + turned, x + turned, all - turned);
            if (p->past) ph_write_past((char *)t->out + at, buffer, all);
        }
    if (p->past) ph_written_past();
}

static int64_t between(int64_t lo, int64_t n, int64_t hi) { return n > hi ? hi : n < lo ? lo : n; }

ph_status enc_turn_rows(const enc_turn *t, ph_err *err) {
    if (t->leads == 0 || t->T == 0 || t->d == 0) return PH_OK;
    size_t item = arr_itemsize(t->dtype), row = (size_t)t->d * item;
    plan p = {.t = t, .turn = choose(t), .item = item};
    p.rows = between(1, WORTH / t->d, t->T);
    p.block = between(1, (int64_t)(TABLES / row) / p.rows, parts(t->T, p.rows)) * p.rows;
    p.group = p.rows < t->T ? 1 : between(1, WORTH / t->d / t->T, t->leads);
    p.past = t->out != t->x && row <= BUFFER && (size_t)(t->leads * t->T) >= PH_PAST / row;
    return ph_parallel(turn_piece, &p, parts(t->T, p.block) * (p.block / p.rows) * parts(t->leads, p.group),
                       err);
}
