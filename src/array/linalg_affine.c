/* linalg_affine.c: a product and what a layer does to it next, while its blocks are in a cache: x W + b, and max(x W + b, 0). As
 * three operations they are three passes, each with a result of its own that no cache holds and that a tape keeps from being
 * freed. Lua calls them by way of layers.lua; what they are in operations says rules_product.c.
 */
#include "array/linalg.h"

#include "base/parallel.h"

#include <string.h>

#define END(NAME, T)                                                                                         \
    PH_CLONES static void NAME(T *restrict c, int64_t ld, const T *restrict b, int64_t m, int64_t n,         \
                               bool relu) {                                                                  \
        for (int64_t i = 0; i < m; i++, c += ld)                                                             \
            if (relu)                                                                                        \
                for (int64_t j = 0; j < n; j++) {                                                            \
                    const T z = c[j] + b[j];                                                                 \
                    c[j] = z > 0 || z != z ? z : 0;                                                          \
                }                                                                                            \
            else                                                                                             \
                for (int64_t j = 0; j < n; j++) c[j] += b[j];                                                \
    }
END(end_f32, float)
END(end_f64, double)

void arr_lin_end_rows(const lin_product *p, char *c, int64_t j, int64_t m, int64_t n) {
    const char *bias = p->bias + j * (int64_t)arr_itemsize(p->type);
    if (p->type == ARR_F32) end_f32((float *)c, p->n, (const float *)bias, m, n, p->relu);
    else end_f64((double *)c, p->n, (const double *)bias, m, n, p->relu);
}

/* ---- forwards ------------------------------------------------------------------------------------------- */

/* x (..., k), W (k, n), b (n), of one type, f32 or f64 */
LIN_SHAPE(affine_shape) {
    (void)nin, (void)attrs;
    char tx[200], tw[200], tb[200];
    const arr *x = &in[0], *w = &in[1], *b = &in[2];
    bool fits = x->ndim >= 2 && w->ndim == 2 && b->ndim == 1 && x->shape[x->ndim - 1] == w->shape[0] &&
                b->shape[0] == w->shape[1];
    if (!fits || x->dtype != w->dtype || x->dtype != b->dtype || (x->dtype != ARR_F32 && x->dtype != ARR_F64))
        return ph_fail(err, PH_EARG, "%s: x has shape %s, W %s and b %s; no rows, matrix and row of one type",
                       self->name, arr_shape_text(tx, sizeof tx, x), arr_shape_text(tw, sizeof tw, w),
                       arr_shape_text(tb, sizeof tb, b));
    *out = (op_spec){.dtype = x->dtype, .ndim = x->ndim};
    memcpy(out->shape, x->shape, sizeof out->shape);
    out->shape[out->ndim - 1] = w->shape[1];
    return PH_OK;
}

LIN_FORWARD(affine_forward) {
    (void)nin, (void)attrs;
    arr bias;
    ph_status st = arr_contiguous(&bias, &in[2], out->dtype, err);
    if (st == PH_OK) st = arr_lin_matmul(out, self, in, bias.data, self->kernel != NULL, err);
    arr_drop(&bias);
    return st;
}

/* ---- backwards ------------------------------------------------------------------------------------------ */

/* y, g (..., n): g where y is above 0, else 0, and the sums of that down its columns (n). */
LIN_SHAPE(cut_shape) {
    (void)nin, (void)attrs;
    char ty[200], tg[200];
    const arr *g = &in[1];
    if (!arr_same_shape(&in[0], g) || in[0].dtype != g->dtype || g->ndim < 1 ||
        (g->dtype != ARR_F32 && g->dtype != ARR_F64))
        return ph_fail(err, PH_EARG, "%s: y has shape %s and g %s; wanted one shape and type", self->name,
                       arr_shape_text(ty, sizeof ty, &in[0]), arr_shape_text(tg, sizeof tg, g));
    out[0] = (op_spec){.dtype = g->dtype, .ndim = g->ndim};
    memcpy(out[0].shape, g->shape, sizeof g->shape);
    out[1] = (op_spec){.dtype = g->dtype, .ndim = 1, .shape = {g->shape[g->ndim - 1]}};
    return PH_OK;
}

typedef struct {
    const arr *y, *g;
    arr *out;
    int64_t n, rows, per; /* numbers of a row, rows, rows of a piece */
    double *sums;         /* (pieces, n) */
} cut_job;

/* Sums are of f64, from the first row of a piece to its last; the pieces of at most MOST rows are added in order. So they err by at
 * most MOST + (their number) roundings. */
#define CUT(NAME, T)                                                                                         \
    PH_CLONES static void NAME(const T *restrict y, const T *restrict g, T *restrict to,                     \
                               double *restrict sums, int64_t rows, int64_t n) {                             \
        for (int64_t i = 0; i < rows; i++, y += n, g += n, to += n)                                          \
            for (int64_t j = 0; j < n; j++) {                                                                \
                const T t = y[j] > 0 ? g[j] : 0;                                                             \
                to[j] = t;                                                                                   \
                sums[j] += t;                                                                                \
            }                                                                                                \
    }
CUT(cut_f32, float)
CUT(cut_f64, double)

#define MOST  256
#define PIECE 32768 /* numbers of a piece, about */
static void cut_piece(void *ctx, int64_t piece) {
    const cut_job *w = ctx;
    int64_t first = piece * w->per, rows = w->rows - first < w->per ? w->rows - first : w->per,
            at = first * w->n;
    double *sums = w->sums + piece * w->n;
    memset(sums, 0, (size_t)w->n * sizeof *sums);
    if (w->g->dtype == ARR_F32)
        cut_f32((const float *)w->y->data + at, (const float *)w->g->data + at, (float *)w->out->data + at,
                sums, rows, w->n);
    else
        cut_f64((const double *)w->y->data + at, (const double *)w->g->data + at, (double *)w->out->data + at,
                sums, rows, w->n);
}

LIN_FORWARD(cut_forward) {
    (void)self, (void)nin, (void)attrs;
    arr y = ARR_NONE, g = ARR_NONE, sums = ARR_NONE, total = ARR_NONE;
    cut_job w = {.y = &y, .g = &g, .out = &out[0], .n = out[1].shape[0]};
    ph_status st;
    PH_TRY(arr_zeros(&total, ARR_F64, 1, out[1].shape, err));
    if (arr_size(&out[0]) > 0) {
        PH_TRY(arr_contiguous(&y, &in[0], out->dtype, err));
        PH_TRY(arr_contiguous(&g, &in[1], out->dtype, err));
        w.rows = arr_size(&g) / w.n;
        w.per = PIECE / w.n + 1 < MOST ? PIECE / w.n + 1 : MOST;
        int64_t pieces = (w.rows - 1) / w.per + 1;
        PH_TRY(arr_new(&sums, ARR_F64, 2, (int64_t[]){pieces, w.n}, err));
        w.sums = (double *)sums.data;
        PH_TRY(ph_parallel(cut_piece, &w, pieces, err));
        for (int64_t i = 0; i < pieces; i++)
            for (int64_t j = 0; j < w.n; j++) ((double *)total.data)[j] += w.sums[i * w.n + j];
    }
    st = arr_assign(&out[1], &total, err);
done:
    arr_drop(&y);
    arr_drop(&g);
    arr_drop(&sums);
    arr_drop(&total);
    return st;
}

#define AFFINE(NAME, RELU)                                                                                   \
    {                                                                                                        \
        .name = NAME, .min_in = 3, .max_in = 3, .n_out = 1, .sig = OP_SIG_OTHER,                             \
        .flags = OP_SMOOTH | OP_INNER, .shape = affine_shape, .forward = affine_forward, .kernel = RELU      \
    }
const op arr_affine_ops[] = {
    AFFINE("affine", NULL),
    AFFINE("affine relu", "relu"),
    LIN_ROW("derivative of affine relu", OP_SIG_OTHER, 2, 2, 2, OP_SMOOTH | OP_INNER, cut_shape, cut_forward),
};
const int arr_affine_nops = sizeof arr_affine_ops / sizeof arr_affine_ops[0];
