/* loop.c: the walk over strided operands, and casts between element types. */
#include "array/loop.h"

#include "base/parallel.h"

#include <string.h>

/* ---- the walk ------------------------------------------------------------------------------------------ */

void arr_walk_init(arr_walk *w, int ndim, const int64_t *shape) {
    w->nop = 0;
    w->ndim = ndim;
    w->size = 1;
    for (int i = 0; i < ndim; i++) {
        w->shape[i] = shape[i];
        w->size *= shape[i];
    }
}

void arr_walk_add(arr_walk *w, const arr *a) {
    int64_t *s = w->stride[w->nop++];
    int lead = w->ndim - a->ndim;
    for (int i = 0; i < w->ndim; i++) {
        bool stays = i < lead || a->shape[i - lead] == 1;
        s[i] = stays ? 0 : a->stride[i - lead];
    }
}

static bool merges(const arr_walk *w, int outer, int inner) {
    for (int k = 0; k < w->nop; k++)
        if (w->stride[k][outer] != w->stride[k][inner] * w->shape[inner]) return false;
    return true;
}

void arr_walk_ready(arr_walk *w) {
    int m = 0; /* dimensions kept so far; the last of them is m-1 */
    for (int i = 0; i < w->ndim; i++) {
        if (w->shape[i] == 1) continue;
        bool merge = m > 0 && merges(w, m - 1, i);
        int to = merge ? m - 1 : m++;
        w->shape[to] = merge ? w->shape[to] * w->shape[i] : w->shape[i];
        for (int k = 0; k < w->nop; k++) w->stride[k][to] = w->stride[k][i];
    }
    if (m == 0) {
        m = 1;
        w->shape[0] = 1;
        for (int k = 0; k < w->nop; k++) w->stride[k][0] = 1;
    }
    w->ndim = m;
}

void arr_walk_run(const arr_walk *w, int64_t lo, int64_t hi, arr_run_fn *fn, void *ctx) {
    if (lo >= hi) return;
    int last = w->ndim - 1;
    int64_t index[ARR_MAXDIM], at[ARR_WALKMAX] = {0}, step[ARR_WALKMAX] = {0};
    int64_t rest = lo;
    for (int d = last; d >= 0; d--) {
        index[d] = rest % w->shape[d];
        rest /= w->shape[d];
    }
    for (int k = 0; k < w->nop; k++) {
        for (int d = 0; d <= last; d++) at[k] += index[d] * w->stride[k][d];
        step[k] = w->stride[k][last];
    }
    while (lo < hi) {
        int64_t n = w->shape[last] - index[last];
        if (n > hi - lo) n = hi - lo;
        fn(ctx, at, step, n);
        lo += n;
        index[last] += n;
        for (int k = 0; k < w->nop; k++) at[k] += n * step[k];
        for (int d = last; d > 0 && index[d] == w->shape[d]; d--) {
            index[d] = 0;
            index[d - 1]++;
            for (int k = 0; k < w->nop; k++) at[k] += w->stride[k][d - 1] - w->shape[d] * w->stride[k][d];
        }
    }
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

typedef struct {
    arr_span_fn *fn;
    void *ctx;
    int64_t size;
} span_job;

static void span_piece(void *ctx, int64_t piece) {
    const span_job *j = ctx;
    int64_t lo = piece * ARR_PIECE, hi = lo + ARR_PIECE;
    j->fn(j->ctx, lo, hi < j->size ? hi : j->size);
}

ph_status arr_spans(arr_span_fn *fn, void *ctx, int64_t size, ph_err *err) {
    if (size <= ARR_PIECE) {
        if (size > 0) fn(ctx, 0, size);
        return PH_OK;
    }
    span_job j = {fn, ctx, size};
    return ph_parallel(span_piece, &j, (size - 1) / ARR_PIECE + 1, err);
}

/* ---- casts --------------------------------------------------------------------------------------------- */

typedef unsigned char boolean; /* stored as 0 or 1 */

#define CAST(NAME, S, D, EXPR)                                                                               \
    static void NAME(void *dst, int64_t ds, const void *src, int64_t ss, int64_t n) {                        \
        D *d = dst;                                                                                          \
        const S *s = src;                                                                                    \
        if (ds == 1 && ss == 1)                                                                              \
            for (int64_t i = 0; i < n; i++) {                                                                \
                S x = s[i];                                                                                  \
                d[i] = EXPR;                                                                                 \
            }                                                                                                \
        else                                                                                                 \
            for (int64_t i = 0; i < n; i++) {                                                                \
                S x = s[i * ss];                                                                             \
                d[i * ds] = EXPR;                                                                            \
            }                                                                                                \
    }

CAST(bool_bool, boolean, boolean, x)
CAST(bool_f32, boolean, float, x)
CAST(bool_f64, boolean, double, x)
CAST(bool_c128, boolean, arr_c128, ((arr_c128){x, 0}))
CAST(f32_bool, float, boolean, x != 0)
CAST(f32_f32, float, float, x)
CAST(f32_f64, float, double, x)
CAST(f32_c128, float, arr_c128, ((arr_c128){(double)x, 0}))
CAST(f64_bool, double, boolean, x != 0)
CAST(f64_f32, double, float, (float)x)
CAST(f64_f64, double, double, x)
CAST(f64_c128, double, arr_c128, ((arr_c128){x, 0}))
CAST(c128_bool, arr_c128, boolean, (x.re != 0 || x.im != 0))
CAST(c128_f32, arr_c128, float, (float)x.re)
CAST(c128_f64, arr_c128, double, x.re)
CAST(c128_c128, arr_c128, arr_c128, x)

typedef void cast_fn(void *dst, int64_t ds, const void *src, int64_t ss, int64_t n);

static cast_fn *const casts[ARR_NDTYPE][ARR_NDTYPE] = {
    [ARR_BOOL] = {bool_bool, bool_f32, bool_f64, bool_c128},
    [ARR_F32] = {f32_bool, f32_f32, f32_f64, f32_c128},
    [ARR_F64] = {f64_bool, f64_f32, f64_f64, f64_c128},
    [ARR_C128] = {c128_bool, c128_f32, c128_f64, c128_c128},
};

void arr_cast_run(void *dst, arr_dtype dt, int64_t ds, const void *src, arr_dtype st, int64_t ss, int64_t n) {
    if (dt == st && ds == 1 && ss == 1) memmove(dst, src, (size_t)n * arr_itemsize(dt));
    else casts[st][dt](dst, ds, src, ss, n);
}
