/* panel_product.c: a whole product on the calling thread, panel by panel.
 *
 *                     b (k, n)
 *               +----+----+----+--        Of b, KC rows of one panel are packed (64 KB: they stay in the second cache) and
 *            KC |    |////|    |          multiplied with all rows of a, which are read as they lie, in either order: six
 *               +----+----+----+--        rows of a are a few numbers a step, which no packing makes fewer.
 *   a (m, KC)   c (m, n), += panel by panel
 *
 * OpenBLAS packs both operands; where the rows of a stay in the second cache that costs a tenth to a quarter more than this.
 * Below 100 x 100 x 100 it has kernels that pack nothing either, and for larger a packing pays: there it is called.
 */
#include "array/gemm.h"
#include "base/parallel.h"

#include <string.h>

#define KC                                                                                                   \
    256 /* rows of b in a pack; twice as many where a is read by rows: fewer sums go to memory and back */
#define BLOCK_ROWS 512 /* rows of a that are read again for each panel */
#define AHEAD      24  /* rows of c, between which a part of the next panel is asked for */
#define ROWS       48  /* of a ragged last panel at once */
#define WIDE       64  /* columns of the widest panel: 256 bytes of f32 */
#define PACKED     ((size_t)(2 * KC * WIDE) * sizeof(float))
#define LINE       64
#define EIGHT      8

/* to (e, w) = b (w, e) for eight by eight: three times, of two rows the halves of each pair are put together. */
#define EIGHT_BY_EIGHT(NAME, T)                                                                              \
    __attribute__((always_inline)) static inline void NAME(T *restrict to, int64_t ldt, const T *restrict b, \
                                                           int64_t ldb) {                                    \
        typedef T vec __attribute__((vector_size(EIGHT * sizeof(T))));                                       \
        vec r[EIGHT], s[EIGHT];                                                                              \
        for (int w = 0; w < EIGHT; w++) memcpy(&r[w], b + w * ldb, sizeof r[w]);                             \
        for (int round = 0; round < 3; round++) {                                                            \
            for (int w = 0; w < EIGHT / 2; w++) {                                                            \
                s[2 * w] = __builtin_shufflevector(r[w], r[w + EIGHT / 2], 0, 8, 1, 9, 2, 10, 3, 11);        \
                s[2 * w + 1] = __builtin_shufflevector(r[w], r[w + EIGHT / 2], 4, 12, 5, 13, 6, 14, 7, 15);  \
            }                                                                                                \
            for (int w = 0; w < EIGHT; w++) r[w] = s[w];                                                     \
        }                                                                                                    \
        for (int e = 0; e < EIGHT; e++) memcpy(to + e * ldt, &r[e], sizeof r[e]);                            \
    }
EIGHT_BY_EIGHT(turn_f32, float)
EIGHT_BY_EIGHT(turn_f64, double)

/* to (k, width) = b (k, n; row, col), n <= width, zeros beyond n. A transposed b is read by lines of the cache. */
#define PACK(NAME, T, TURN)                                                                                  \
    PH_CLONES static void NAME(T *restrict to, const T *b, int64_t row, int64_t col, int64_t n, int64_t k,   \
                               int64_t width) {                                                              \
        if (col == 1)                                                                                        \
            for (int64_t l = 0; l < k; l++) {                                                                \
                memcpy(to + l * width, b + l * row, (size_t)n * sizeof *to);                                 \
                for (int64_t w = n; w < width; w++) to[l * width + w] = 0;                                   \
            }                                                                                                \
        else                                                                                                 \
            for (int64_t l = 0; l < k; l += EIGHT) {                                                         \
                const int64_t most = k - l < EIGHT ? k - l : EIGHT;                                          \
                int64_t done = 0;                                                                            \
                for (; most == EIGHT && row == 1 && done + EIGHT <= n; done += EIGHT)                        \
                    TURN(to + l * width + done, width, b + l + done * col, col);                             \
                for (int64_t w = done; w < n; w++)                                                           \
                    for (int64_t e = 0; e < most; e++) to[(l + e) * width + w] = b[(l + e) * row + w * col]; \
                for (int64_t e = 0; e < most; e++)                                                           \
                    for (int64_t w = n; w < width; w++) to[(l + e) * width + w] = 0;                         \
            }                                                                                                \
    }
PACK(pack_f32, float, turn_f32)
PACK(pack_f64, double, turn_f64)

void arr_panel_pack(arr_dtype type, void *to, const void *b, int64_t row, int64_t n, int64_t k) {
    int64_t width = arr_panel_width(type);
    if (type == ARR_F32) pack_f32(to, b, 1, row, n, k, width);
    else pack_f64(to, b, 1, row, n, k, width);
}

#define ADD(NAME, T)                                                                                         \
    static void NAME(T *c, int64_t ldc, const T *part, int64_t width, int64_t m, int64_t n, bool add) {      \
        for (int64_t i = 0; i < m; i++)                                                                      \
            for (int64_t j = 0; j < n; j++)                                                                  \
                c[i * ldc + j] = add ? c[i * ldc + j] + part[i * width + j] : part[i * width + j];           \
    }
ADD(add_f32, float)
ADD(add_f64, double)

/* The last columns of c, which are no whole vectors: beside it, then brought there. */
static void ragged(const arr_panel *whole, char *c, const char *a, const char *b, int64_t n) {
    _Alignas(64) char part[ROWS * WIDE * sizeof(float)];
    const size_t item = arr_itemsize(whole->type);
    for (int64_t i = 0; i < whole->m; i += ROWS) {
        arr_panel g = *whole;
        g.m = whole->m - i < ROWS ? whole->m - i : ROWS;
        g.add = false;
        g.ldc = g.n;
        arr_panel_raw(&g, part, a + (size_t)(i * g.lda) * item, b);
        char *to = c + (size_t)(i * whole->ldc) * item;
        if (g.type == ARR_F32) add_f32((float *)to, whole->ldc, (const float *)part, g.n, g.m, n, whole->add);
        else add_f64((double *)to, whole->ldc, (const double *)part, g.n, g.m, n, whole->add);
    }
}

/* Where this was the faster one with AVX-512, beside the kernels of Cooperlake (SkylakeX has the same) and Haswell; Prescott's are far
 * behind. Times beside cblas, least, one thread, Cooperlake and Haswell:
 *   a of up to 512 KB               (4096, 128) by (128, 128): f32 .90, f64 .83; 512 x 512 x 512: .95, .97 and .96, .94
 *   a by columns, of up to 1 MB for two panels, else 256 KB: (512, 1024) transposed by (1024, 128), f32: 1.22 ms beside 1.38. Columns lie
 *                                   far apart, so they fill fewer places of the cache, where they are read for each panel
 *   a by rows, of any size, f64     1024 x 1024 x 1024: .99 and .95, 2048: .99 and .98
 *   the same in f32 from 512 columns and terms on: .96 and 1.01, with runs of 256 .98 and 1.04; fewer terms or columns stay with BLAS as they were
 * 64 x 64 x 64 by a panel that is read as it lies took 1.07 and 1.05 of Cooperlake's time: it stays with BLAS. */
bool arr_panel_pays(const arr_product *p) {
    const double work = (double)p->m * (double)p->n * (double)p->k;
    const int64_t bytes = p->m * p->k * (int64_t)arr_itemsize(p->type), most = p->along == 1 ? 1 << 19
                                                                               : p->n <= 128 ? 1 << 20
                                                                                             : 1 << 18;
    if (ph_cpu() != PH_CPU_AVX512 || p->m < 48 || p->n < 64 || work < 1 << 20) return false;
    return bytes <= most || (p->along == 1 && (p->type == ARR_F64 || (p->n >= 512 && p->k >= 512)));
}

/* All rows of c by the panel b; meanwhile what the next panel will pack, at `next`, is brought into the second cache. */
static void all_rows(const arr_panel *panel, char *c, const char *a, const char *b, const char *next,
                     int64_t row) {
    const size_t item = arr_itemsize(panel->type);
    const int64_t width = panel->n * (int64_t)item, parts = (panel->m + AHEAD - 1) / AHEAD,
                  each = (panel->k + parts - 1) / parts;
    arr_panel g = *panel;
    if (next) g.m = AHEAD;
    for (int64_t i = 0; i < panel->m; i += g.m) {
        if (panel->m - i < g.m) g.m = panel->m - i;
        for (int64_t l = i / AHEAD * each; next && l < (i / AHEAD + 1) * each && l < g.k; l++)
            for (int64_t at = 0; at < width; at += LINE)
                __builtin_prefetch(next + (size_t)(l * row) * item + at, 0, 2);
        arr_panel_raw(&g, c + (size_t)(i * g.ldc) * item, a + (size_t)(i * g.lda) * item, b);
    }
}

/* At most BLOCK_ROWS rows and 2 KC terms, so that one panel of b is packed at a time. */
static void slab(const arr_product *p, char *c, const char *a, const char *b) {
    _Alignas(LINE) char pack[PACKED];
    const int64_t width = arr_panel_width(p->type), step = arr_panel_step(p->type);
    const size_t item = arr_itemsize(p->type);
    const bool far = p->col == 1 && (size_t)(p->k * p->n) * item > (size_t)1 << 20;
    for (int64_t j = 0; j < p->n; j += width) {
        const int64_t n = p->n - j < width ? p->n - j : width;
        const char *of = b + (size_t)(j * p->col) * item;
        char *to = c + (size_t)j * item;
        arr_panel g = {.type = p->type,
                       .add = p->add,
                       .n = (int)((n + step - 1) / step * step),
                       .m = p->m,
                       .k = p->k,
                       .lda = p->lda,
                       .along = p->along,
                       .ldb = width,
                       .ldc = p->ldc,
                       .alpha = 1};
        if (p->type == ARR_F32) pack_f32((float *)pack, (const float *)of, p->row, p->col, n, p->k, width);
        else pack_f64((double *)pack, (const double *)of, p->row, p->col, n, p->k, width);
        if (g.n == n)
            all_rows(&g, to, a, pack, far && p->n - j >= 2 * width ? of + g.n * item : NULL, p->row);
        else ragged(&g, to, a, pack, n);
    }
}

void arr_panel_product(const arr_product *p, void *c, const void *a, const void *b) {
    const size_t item = arr_itemsize(p->type);
    const int64_t deep = p->along == 1 ? 2 * KC : KC;
    for (int64_t l = 0; l < p->k; l += deep)
        for (int64_t i = 0; i < p->m; i += BLOCK_ROWS) {
            arr_product part = *p;
            part.add = p->add || l > 0;
            part.m = p->m - i < BLOCK_ROWS ? p->m - i : BLOCK_ROWS;
            part.k = p->k - l < deep ? p->k - l : deep;
            slab(&part, (char *)c + (size_t)(i * p->ldc) * item,
                 (const char *)a + (size_t)(i * p->lda + l * p->along) * item,
                 (const char *)b + (size_t)(l * p->row) * item);
        }
}
