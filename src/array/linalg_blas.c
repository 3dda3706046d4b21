/* linalg_blas.c: multiplies stacks of matrices.
 *
 * A product is cut into blocks of its result. Where the cuts lie depends on the shapes alone, so the bits of
 * a result do not depend on the number of threads; ph_parallel runs the blocks, each a call of a
 * single-threaded BLAS or of our own packed panels, and the interrupt flag is looked at between blocks and between slabs of the inner
 * dimension.
 *
 *             n                 b b
 *         +---+---+         +---+---+        one piece: rows x cols of C, all of K in slabs
 *       m | 0 | 2 |  =  a a |   |   |
 *         +---+---+     a a |   |   |
 *         | 1 | 3 |
 *         +---+---+
 *
 * X X^T (the right operand is the left one's transposed view: a Gram matrix) is symmetric: of square blocks only those on and
 * below the diagonal are multiplied, and each is copied across while it is in the caches. The result is symmetric to the bit.
 */
#include "array/linalg_library.h"

#include "array/gemm.h"
#include "array/loop.h"
#include "base/parallel.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

/* A product and how it is cut. */
typedef struct {
    const lin_product *p;
    int64_t pm, pn;      /* sides of a block */
    int64_t rows, cols;  /* blocks of one matrix, down and across */
    int64_t group;       /* small matrices: how many a piece takes; otherwise 1 */
    bool gram;           /* a symmetric product: blocks on and below the diagonal only */
    atomic_bool stopped; /* the interrupt flag was seen inside a piece */
} job;

/* ---- how it is cut: functions of the shape, and of B being A transposed --- */

#define TINY       128 /* m n k up to this: a loop of our own, since a call of BLAS costs more than the work */
#define SLAB       1024 /* of the inner dimension, between looks at the interrupt flag */
#define EDGE       16   /* blocks begin at multiples of it, so that no register tile of a kernel is cut */
#define PIECE_WORK (1 << 20) /* m n k below which a piece (about 50 us) does not pay for waking a thread */
/* Elements that a piece of a matrix-vector or inner product reads, about. A row by 1000 x 1000, least times beside cblas at its best core
 * (f32, f64; one thread): 1.22, 1.25 with pieces of 2^18, whose short strips of rows are fetched late; .92, 1.10 with these. */
#define PIECE_READ (1 << 19)

static int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }
static int64_t clamp(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

/* The side of a block when `size` is cut into `parts`, nearly equal. */
static int64_t side(int64_t size, int64_t parts) {
    int64_t s = ceil_div(ceil_div(size, parts), EDGE) * EDGE;
    return s < size ? s : size;
}

/* The least power of two >= x: pieces of one size share evenly among 2, 4, 8 threads. */
static int64_t power_of_two(int64_t x) {
    int64_t p = 1;
    while (p < x) p *= 2;
    return p;
}

/* Every row of blocks packs all of B anew, every column of blocks all of A, at the price of about one
 * multiplication per element: the loss is near 1/(rows of a block) + 1/(its columns). Hence blocks of at
 * least 256 rows where there are as many, and wide ones; only a product that would not be shared at all is
 * cut finer. */
static void cut_blocks(job *w) {
    const lin_product *p = w->p;
    int64_t down = power_of_two(ceil_div(p->m, clamp(p->m / 4, 256, 1024)));
    int64_t across = power_of_two(ceil_div(p->n, 2048));
    while (down * across < 4 && p->n >= 512 * across && p->m < 512) across *= 2;
    if (down * across == 1) *(p->m >= p->n ? &down : &across) = 2;
    w->pm = side(p->m, down);
    w->pn = side(p->n, across);
}

/* The side of a block of a matrix-vector product: `size` inner products of length k. */
static int64_t vector_side(int64_t size, int64_t k) {
    int64_t parts = power_of_two((int64_t)((double)size * (double)k / PIECE_READ));
    return side(size, clamp(parts, 1, ceil_div(size, 256)));
}

/* B is the transpose of A, element for element the same memory. */
static bool is_gram(const lin_product *p) {
    if (p->bias) return false;
    if (p->a.data != p->b.data || p->m != p->n || p->a.row != p->b.col || p->a.col != p->b.row) return false;
    for (int d = 0; d < p->nbatch; d++)
        if (p->a.batch[d] != p->b.batch[d]) return false;
    return true;
}

/* Square blocks, four a side or more: on the diagonal half of one is enough. Larger ones waste less, smaller ones share better. */
static int64_t gram_side(int64_t m) { return side(m, clamp(ceil_div(m, 512), m < 128 ? 2 : 4, m)); }

static void cut(job *w) {
    const lin_product *p = w->p;
    double work = (double)p->m * (double)p->n * (double)p->k; /* need not fit in 64 bits */
    w->pm = p->m;
    w->pn = p->n;
    w->group = work < PIECE_WORK ? (int64_t)(PIECE_WORK / work) : 1;
    w->gram = is_gram(p);
    if (p->n == 1 && p->m > 1) w->pm = vector_side(p->m, p->k);
    else if (p->m == 1 && p->n > 1) w->pn = vector_side(p->n, p->k);
    else if (work >= 2.0 * PIECE_WORK && w->gram) w->pm = w->pn = gram_side(p->m);
    else if (work >= 2.0 * PIECE_WORK) cut_blocks(w);
    w->rows = ceil_div(p->m, w->pm);
    w->cols = ceil_div(p->n, w->pn);
}

/* ---- kernels on one block ------------------------------------------------------------------------------ */

/* How BLAS sees a strided matrix of `rows` x `cols`: as it lies, or as the transpose of what lies there. A
 * stride along a size of 1 is never used, so it may be anything. False: neither order fits. */
static bool blas_layout(CBLAS_TRANSPOSE *trans, int64_t *ld, int64_t row, int64_t col, int64_t rows,
                        int64_t cols) {
    if ((col == 1 || cols == 1) && (rows == 1 || row >= cols)) {
        *trans = CblasNoTrans;
        *ld = rows == 1 ? cols : row;
    } else if ((row == 1 || rows == 1) && (cols == 1 || col >= rows)) {
        *trans = CblasTrans;
        *ld = cols == 1 ? rows : col;
    } else {
        return false;
    }
    return *ld <= INT_MAX;
}

bool arr_lin_fits(int64_t row, int64_t col, int64_t rows, int64_t cols) {
    CBLAS_TRANSPOSE t;
    int64_t ld;
    return blas_layout(&t, &ld, row, col, rows, cols);
}

/* c(m, n; ldc) = a b + beta c: one call. */
static void gemm(const lin_product *p, char *c, const char *a, const char *b, int64_t m, int64_t n, int64_t k,
                 bool add) {
    static const arr_c128 one = {1, 0}, zero = {0, 0};
    CBLAS_TRANSPOSE ta = CblasNoTrans, tb = CblasNoTrans;
    int64_t lda = 1, ldb = 1;
    const arr_product packed = {p->type, add, m, n, k, p->a.row, p->a.col, p->b.row, p->b.col, p->n};
    if (p->type != ARR_C128 && arr_panel_pays(&packed)) {
        arr_panel_product(&packed, c, a, b);
        return;
    }
    blas_layout(&ta, &lda, p->a.row, p->a.col, p->m, p->k);
    blas_layout(&tb, &ldb, p->b.row, p->b.col, p->k, p->n);
    int im = (int)m, in = (int)n, ik = (int)k, la = (int)lda, lb = (int)ldb, lc = (int)p->n;
    if (p->type == ARR_F32)
        cblas_sgemm(CblasRowMajor, ta, tb, im, in, ik, 1, (const float *)a, la, (const float *)b, lb, add,
                    (float *)c, lc);
    else if (p->type == ARR_F64)
        cblas_dgemm(CblasRowMajor, ta, tb, im, in, ik, 1, (const double *)a, la, (const double *)b, lb, add,
                    (double *)c, lc);
    else cblas_zgemm(CblasRowMajor, ta, tb, im, in, ik, &one, a, la, b, lb, add ? &one : &zero, c, lc);
}

/* The lower triangle of c(m, m; ldc) = a a^T + beta c. */
static void syrk(const lin_product *p, char *c, const char *a, int64_t m, int64_t k, bool add) {
    static const arr_c128 one = {1, 0}, zero = {0, 0};
    CBLAS_TRANSPOSE t = CblasNoTrans;
    int64_t lda = 1;
    blas_layout(&t, &lda, p->a.row, p->a.col, p->m, p->k);
    int im = (int)m, ik = (int)k, la = (int)lda, lc = (int)p->n;
    if (p->type == ARR_F32)
        cblas_ssyrk(CblasRowMajor, CblasLower, t, im, ik, 1, (const float *)a, la, add, (float *)c, lc);
    else if (p->type == ARR_F64)
        cblas_dsyrk(CblasRowMajor, CblasLower, t, im, ik, 1, (const double *)a, la, add, (double *)c, lc);
    else cblas_zsyrk(CblasRowMajor, CblasLower, t, im, ik, &one, a, la, add ? &one : &zero, c, lc);
}

void arr_gemm_raw(const arr_gemm *g, void *c, const void *a, const void *b) {
    CBLAS_TRANSPOSE t = g->transposed ? CblasTrans : CblasNoTrans;
    if (g->type == ARR_F32)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, t, g->m, g->n, g->k, (float)g->alpha, a, g->lda, b, g->ldb,
                    g->add, c, g->ldc);
    else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, t, g->m, g->n, g->k, g->alpha, a, g->lda, b, g->ldb, g->add,
                    c, g->ldc);
}

/* y(m) += a(m, k; row, col) x(k; step): y is zeroed first, so that nothing is ever multiplied by what was in
 * it. */
static void gemv(arr_dtype type, char *y, const char *a, int64_t row, int64_t col, int64_t rows, int64_t m,
                 int64_t k, const char *x, int64_t step) {
    static const arr_c128 one = {1, 0};
    CBLAS_TRANSPOSE t = CblasNoTrans;
    int64_t lda = 1;
    if (arr_lin_stream(type, y, &(lin_operand){.data = a, .row = row, .col = col}, m, k, x, step)) return;
    blas_layout(&t, &lda, row, col, rows, k);
    int gm = (int)(t == CblasNoTrans ? m : k), gn = (int)(t == CblasNoTrans ? k : m), ld = (int)lda,
        s = (int)step;
    memset(y, 0, (size_t)m * arr_itemsize(type));
    if (type == ARR_F32)
        cblas_sgemv(CblasRowMajor, t, gm, gn, 1, (const float *)a, ld, (const float *)x, s, 1, (float *)y, 1);
    else if (type == ARR_F64)
        cblas_dgemv(CblasRowMajor, t, gm, gn, 1, (const double *)a, ld, (const double *)x, s, 1, (double *)y,
                    1);
    else cblas_zgemv(CblasRowMajor, t, gm, gn, &one, a, ld, x, s, &one, y, 1);
}

/* c_ij = sum_l a_il b_lj, any strides; f32 is summed in f64 and rounded once. */
#define TINY_LOOP(NAME, T, S, ADD, STORE)                                                                    \
    static void NAME(const lin_product *p, char *c_, const char *a_, const char *b_) {                       \
        const T *a = (const T *)a_, *b = (const T *)b_;                                                      \
        T *c = (T *)c_;                                                                                      \
        for (int64_t i = 0; i < p->m; i++)                                                                   \
            for (int64_t j = 0; j < p->n; j++) {                                                             \
                S s = {0};                                                                                   \
                for (int64_t l = 0; l < p->k; l++) {                                                         \
                    const T x = a[i * p->a.row + l * p->a.col], y = b[l * p->b.row + j * p->b.col];          \
                    ADD;                                                                                     \
                }                                                                                            \
                *c++ = STORE;                                                                                \
            }                                                                                                \
    }
#define ADD_C128 s.re += x.re * y.re - x.im * y.im, s.im += x.re * y.im + x.im * y.re
TINY_LOOP(tiny_f32, float, double, s += (double)x * y, (float)s)
TINY_LOOP(tiny_f64, double, double, s += x * y, s)
TINY_LOOP(tiny_c128, arr_c128, arr_c128, ADD_C128, s)

static void tiny(const lin_product *p, char *c, const char *a, const char *b) {
    if (p->type == ARR_F32) tiny_f32(p, c, a, b);
    else if (p->type == ARR_F64) tiny_f64(p, c, a, b);
    else tiny_c128(p, c, a, b);
}

/* ---- inner products: parts of fixed length, added in order --------------------------------------------- */

#define DOT_PARTS 64

static int64_t dot_parts(int64_t k) { return clamp(k / PIECE_READ, 1, DOT_PARTS); }

/* sum of a_l b_l over part i of the parts; f32 is summed in f64. */
static arr_c128 dot_part(const lin_product *p, const char *a, const char *b, int64_t i) {
    int64_t parts = dot_parts(p->k), each = ceil_div(p->k, parts), lo = i * each;
    int64_t item = (int64_t)arr_itemsize(p->type);
    int n = (int)clamp(p->k - lo, 0, each), sa = (int)p->a.col, sb = (int)p->b.row;
    arr_c128 sum = {0, 0};
    a += lo * p->a.col * item;
    b += lo * p->b.row * item;
    if (p->type == ARR_F32) sum.re = cblas_dsdot(n, (const float *)a, sa, (const float *)b, sb);
    else if (p->type == ARR_F64) sum.re = cblas_ddot(n, (const double *)a, sa, (const double *)b, sb);
    else cblas_zdotu_sub(n, a, sa, b, sb, &sum);
    return sum;
}

static void dot_store(const lin_product *p, char *c, const arr_c128 *part) {
    arr_c128 sum = part[0];
    for (int64_t i = 1; i < dot_parts(p->k); i++) {
        sum.re += part[i].re;
        sum.im += part[i].im;
    }
    arr_cast_run(c, p->type, 1, &sum, ARR_C128, 1, 1);
}

typedef struct {
    const lin_product *p;
    arr_c128 part[DOT_PARTS];
} dot_job;

static void dot_task(void *ctx, int64_t i) {
    dot_job *j = ctx;
    j->part[i] = dot_part(j->p, j->p->a.data, j->p->b.data, i);
}

static ph_status dot_run(const lin_product *p, ph_err *err) {
    dot_job j = {.p = p};
    ph_status st = ph_parallel(dot_task, &j, dot_parts(p->k), err);
    if (st == PH_OK) dot_store(p, p->c, j.part);
    if (st == PH_OK && p->bias) arr_lin_end_rows(p, p->c, 0, 1, 1);
    return st;
}

/* c(j, i) = c(i, j) for the m x n block at (i, j); on the diagonal from below it. Tile by tile through a buffer, so that rows are read
 * and written along, not across: a power of two as row length would put a whole column into a few places of the cache. */
#define TILE 16
#define MIRROR(NAME, T)                                                                                      \
    static void NAME(T *c, int64_t ld, int64_t i0, int64_t j0, int64_t m, int64_t n) {                       \
        T tile[TILE][TILE];                                                                                  \
        for (int64_t ti = i0; ti < i0 + m; ti += TILE)                                                       \
            for (int64_t tj = j0; tj < j0 + n && tj <= ti; tj += TILE) {                                     \
                int64_t di = i0 + m - ti < TILE ? i0 + m - ti : TILE,                                        \
                        dj = j0 + n - tj < TILE ? j0 + n - tj : TILE;                                        \
                for (int64_t i = 0; i < di; i++)                                                             \
                    for (int64_t j = 0; j < dj; j++) tile[j][i] = c[(ti + i) * ld + tj + j];                 \
                for (int64_t j = 0; j < dj; j++)                                                             \
                    for (int64_t i = ti > tj ? 0 : j + 1; i < di; i++)                                       \
                        c[(tj + j) * ld + ti + i] = tile[j][i];                                              \
            }                                                                                                \
    }
MIRROR(mirror_f32, float)
MIRROR(mirror_f64, double)
MIRROR(mirror_c128, arr_c128)

static void mirror(const lin_product *p, char *c, int64_t i, int64_t j, int64_t m, int64_t n) {
    if (p->type == ARR_F32) mirror_f32((float *)c, p->n, i, j, m, n);
    else if (p->type == ARR_F64) mirror_f64((double *)c, p->n, i, j, m, n);
    else mirror_c128((arr_c128 *)c, p->n, i, j, m, n);
}

/* ---- long inner dimensions: parts of fixed length, added in order --------------------------------------- */

/* A small result of long sums has no blocks worth cutting: each would pack all of the other operand. So the sums are cut. Those of a
 * transposed left operand, as the gradients of matrices are, sooner: what is packed of it lies far apart. (128, 1024) by (1024, 512) in
 * f32 on two threads: 0.83 ms in blocks. */
#define LONG       4096      /* of the inner dimension */
#define LONG_AREA  (1 << 14) /* entries of the result, at most */
#define LONG_PARTS 8
#define TALL       1024 /* the same of A transposed and wide results: others are as fast in blocks */
#define TALL_AREA  (1 << 16)

typedef struct {
    const lin_product *p;
    char *part; /* (m, n) of each part but the first, which is in its place */
    int64_t each, parts;
    atomic_bool stopped;
} long_job;

static bool is_tall(const lin_product *p) {
    return p->a.col != 1 && p->n > p->m && p->k >= TALL && p->m <= TALL_AREA / p->n &&
           p->m > LONG_AREA / p->n;
}
static bool is_long(const lin_product *p) {
    if (p->count != 1 || p->m == 1 || p->n == 1) return false;
    return (p->k >= LONG && p->m <= LONG_AREA / p->n) || (is_tall(p) && !is_gram(p));
}

static void long_task(void *ctx, int64_t i) {
    long_job *w = ctx;
    const lin_product *p = w->p;
    int64_t item = (int64_t)arr_itemsize(p->type), first = i * w->each;
    int64_t end = first + w->each < p->k ? first + w->each : p->k;
    char *c = i == 0 ? p->c : w->part + (i - 1) * p->m * p->n * item;
    for (int64_t l = first; l < end; l += SLAB) {
        if (ph_interrupted()) {
            atomic_store(&w->stopped, true);
            return;
        }
        gemm(p, c, p->a.data + l * p->a.col * item, p->b.data + l * p->b.row * item, p->m, p->n,
             end - l < SLAB ? end - l : SLAB, l > first);
    }
}

#define ADD_PARTS(NAME, T)                                                                                   \
    static void NAME(T *c, const T *part, int64_t size, int64_t parts) {                                     \
        for (int64_t i = 1; i < parts; i++, part += size)                                                    \
            for (int64_t e = 0; e < size; e++) c[e] += part[e];                                              \
    }
ADD_PARTS(add_f32, float)
ADD_PARTS(add_f64, double)

static ph_status long_run(const lin_product *p, ph_err *err) {
    long_job w = {.p = p, .parts = clamp(p->k / (is_tall(p) ? TALL / 2 : SLAB), 1, LONG_PARTS)};
    int64_t size = p->m * p->n;
    size_t bytes = (size_t)((w.parts - 1) * size) * arr_itemsize(p->type);
    if (!(w.part = ph_block_alloc(bytes))) return ph_fail_nomem(err, bytes);
    w.each = ceil_div(ceil_div(p->k, w.parts), EDGE) * EDGE;
    w.parts = ceil_div(p->k, w.each);
    ph_status st = ph_parallel(long_task, &w, w.parts, err);
    if (st == PH_OK && atomic_load(&w.stopped)) st = ph_fail_interrupted(err);
    if (st == PH_OK && p->type == ARR_F32) add_f32((float *)p->c, (const float *)w.part, size, w.parts);
    else if (st == PH_OK) /* a complex number is two numbers side by side */
        add_f64((double *)p->c, (const double *)w.part, p->type == ARR_C128 ? 2 * size : size, w.parts);
    if (st == PH_OK && is_gram(p)) mirror(p, p->c, 0, 0, p->m, p->n);
    if (st == PH_OK && p->bias) arr_lin_end_rows(p, p->c, 0, p->m, p->n);
    ph_block_free(w.part, bytes);
    return st;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* One block of one matrix, rows from i, columns from j. */
static void block(job *w, char *c, const char *a, const char *b, int64_t i, int64_t j) {
    const lin_product *p = w->p;
    int64_t item = (int64_t)arr_itemsize(p->type);
    int64_t m = p->m - i < w->pm ? p->m - i : w->pm, n = p->n - j < w->pn ? p->n - j : w->pn;
    char *whole = c;
    a += i * p->a.row * item;
    b += j * p->b.col * item;
    c += (i * p->n + j) * item;
    if (n == 1 && p->n == 1) {
        gemv(p->type, c, a, p->a.row, p->a.col, p->m, m, p->k, b, p->b.row);
    } else if (m == 1 && p->m == 1) {
        gemv(p->type, c, b, p->b.col, p->b.row, p->n, n, p->k, a, p->a.col);
    } else {
        for (int64_t l = 0; l < p->k; l += SLAB) {
            if (l > 0 && ph_interrupted()) {
                atomic_store(&w->stopped, true);
                return;
            }
            int64_t k = p->k - l < SLAB ? p->k - l : SLAB;
            if (w->gram && i == j) syrk(p, c, a + l * p->a.col * item, m, k, l > 0);
            else gemm(p, c, a + l * p->a.col * item, b + l * p->b.row * item, m, n, k, l > 0);
        }
        if (w->gram) mirror(p, whole, i, j, m, n);
    }
    if (p->bias) arr_lin_end_rows(p, c, j, m, n);
}

static int64_t batch_offset(const lin_product *p, const lin_operand *x, int64_t index) {
    int64_t at = 0;
    for (int d = p->nbatch - 1; d >= 0; d--) {
        at += index % p->shape[d] * x->batch[d];
        index /= p->shape[d];
    }
    return at * (int64_t)arr_itemsize(p->type);
}

bool arr_lin_is_tiny(const lin_product *p) {
    return p->m <= TINY && p->n <= TINY && p->k <= TINY && p->m * p->n * p->k <= TINY;
}

static void matrix_block(job *w, int64_t matrix, int64_t i, int64_t j) {
    const lin_product *p = w->p;
    const char *a = p->a.data + batch_offset(p, &p->a, matrix),
               *b = p->b.data + batch_offset(p, &p->b, matrix);
    char *c = p->c + matrix * p->m * p->n * (int64_t)arr_itemsize(p->type);
    if (arr_lin_is_tiny(p)) {
        tiny(p, c, a, b);
    } else if (arr_lin_is_small(p)) {
        arr_lin_small(p, c, a, b, 1, 0, 0);
    } else if (p->m == 1 && p->n == 1) {
        arr_c128 part[DOT_PARTS];
        for (int64_t l = 0; l < dot_parts(p->k); l++) part[l] = dot_part(p, a, b, l);
        dot_store(p, c, part);
    } else {
        block(w, c, a, b, i, j);
        return;
    }
    if (p->bias) arr_lin_end_rows(p, c, 0, p->m, p->n);
}

/* Elements from one matrix of a stack to the next, where that is the same everywhere. */
static bool even_steps(int64_t *step, const lin_product *p, const lin_operand *x) {
    int64_t behind = 1; /* matrices in the dimensions behind d */
    *step = 0;
    for (int d = p->nbatch - 1; d >= 0; behind *= p->shape[d--])
        if (p->shape[d] == 1) continue;
        else if (behind == 1) *step = x->batch[d];
        else if (x->batch[d] != *step * behind) return false;
    return true;
}

/* Small matrices first .. last - 1 in one go; false: they are too large, or too far apart. */
static bool small_stack(const lin_product *p, int64_t first, int64_t last) {
    int64_t next_a, next_b, item = (int64_t)arr_itemsize(p->type);
    if (arr_lin_is_tiny(p) || !arr_lin_is_small(p) || !even_steps(&next_a, p, &p->a) ||
        !even_steps(&next_b, p, &p->b))
        return false;
    arr_lin_small(p, p->c + first * p->m * p->n * item, p->a.data + first * next_a * item,
                  p->b.data + first * next_b * item, last - first, next_a, next_b);
    if (p->bias) arr_lin_end_rows(p, p->c + first * p->m * p->n * item, 0, (last - first) * p->m, p->n);
    return true;
}

/* Panel `at` of those with i >= j, row by row. */
static void gram_piece(void *ctx, int64_t index) {
    job *w = ctx;
    int64_t each = w->rows * (w->rows + 1) / 2, i = 0, at = index % each;
    while (at > i) at -= ++i;
    matrix_block(w, index / each, i * w->pm, at * w->pn);
}

static void piece(void *ctx, int64_t index) {
    job *w = ctx;
    int64_t blocks = w->rows * w->cols, first = index / blocks * w->group, at = index % blocks;
    int64_t last = first + w->group < w->p->count ? first + w->group : w->p->count;
    if (small_stack(w->p, first, last)) return;
    for (int64_t b = first; b < last; b++) matrix_block(w, b, at % w->rows * w->pm, at / w->rows * w->pn);
}

ph_status arr_lin_multiply(const lin_product *p, ph_err *err) {
    if (p->count == 1 && p->m == 1 && p->n == 1 && !arr_lin_is_tiny(p)) return dot_run(p, err);
    if (is_long(p)) return long_run(p, err);
    job w = {.p = p};
    cut(&w);
    ph_status st = w.gram && w.rows > 1
                       ? ph_parallel(gram_piece, &w, p->count * (w.rows * (w.rows + 1) / 2), err)
                       : ph_parallel(piece, &w, ceil_div(p->count, w.group) * w.rows * w.cols, err);
    return st == PH_OK && atomic_load(&w.stopped) ? ph_fail_interrupted(err) : st;
}
