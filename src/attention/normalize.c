/* normalize.c: the rows that normalise lines: softmax, layer_norm, rms_norm.
 *
 * A line is a run of n elements along one axis, brought next to one another first. Every line is one thread's
 * work from end to end, and pieces are cut by the shape alone, so neither threads nor strides change a bit.
 */
#include "attention/attention.h"

#include "array/vmath.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

typedef struct line_job line_job;
typedef void line_fn(const line_job *j, void *y, const void *x);

struct line_job {
    line_fn *line;
    const void *kernels; /* the way back: of which row */
    const char *x;
    char *y; /* contiguous lines, as x */
    size_t item;
    int64_t n, lines, per; /* elements of a line, lines, lines of a piece */
    double eps;
    const double *gain, *bias; /* n each; NULL: 1 and 0 */
    const char *g;             /* the way back: cotangents of the lines */
    double *columns;           /* and for each piece, n sums of g o z and n of g; NULL: not wanted */
};

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* Sums of n terms are pairwise from runs of at most 512, which are added in 16 lanes: they err by at most 36 + log2 n
 * roundings. Everything is added in f64. */
#define LANES 16
/* In halves, each with a count that the compiler knows: a line of some hundred numbers waits longer for its four joins than for its
 * sums otherwise. */
__attribute__((always_inline)) static inline double join_lanes(double *lane) {
    for (int l = 0; l < 8; l++) lane[l] += lane[l + 8];
    for (int l = 0; l < 4; l++) lane[l] += lane[l + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}
_Static_assert(LANES == 16, "lanes are joined by halves of 16");
#define SUM(NAME, T, TERM)                                                                                   \
    PH_CLONES static double NAME(const T *x, int64_t n, double s, double m) {                                \
        double lane[LANES] = {0};                                                                            \
        int64_t whole = n / LANES * LANES;                                                                   \
        (void)s, (void)m;                                                                                    \
        if (n > 512) return NAME(x, n / 2, s, m) + NAME(x + n / 2, n - n / 2, s, m);                         \
        for (int64_t k = 0; k < whole; k += LANES)                                                           \
            for (int64_t l = 0, i = k; l < LANES; l++, i++) lane[l] += TERM;                                 \
        for (int64_t i = whole; i < n; i++) lane[i - whole] += TERM;                                         \
        return join_lanes(lane);                                                                             \
    }
SUM(sum_f32, float, x[i] * s)
SUM(sum_f64, double, x[i] * s)
SUM(squares_f32, float, (x[i] * s - m) * (x[i] * s - m))
SUM(squares_f64, double, (x[i] * s - m) * (x[i] * s - m))

/* y_i = e^(x_i - max x) / sum_j e^(x_j - max x), and 0 for a line of -inf. A NaN becomes the maximum and so
 * reaches the whole line; +inf does by inf - inf. */
/* SHARE: of f32 a product with 1/sum, which in f64 is as good as the quotient before it is rounded. */
#define SOFTMAX(NAME, T, TOP, EXP, SUM_OF, SHARE)                                                            \
    void att_##NAME(T *y, const T *x, int64_t n) {                                                           \
        T top = TOP(x, n);                                                                                   \
        if (top == -INFINITY) {                                                                              \
            memset(y, 0, (size_t)n * sizeof *y);                                                             \
            return;                                                                                          \
        }                                                                                                    \
        for (int64_t i = 0; i < n; i++) y[i] = x[i] - top;                                                   \
        EXP(y, y, n);                                                                                        \
        double sum = SUM_OF(y, n, 1, 0);                                                                     \
        double per = 1 / sum;                                                                                \
        (void)per;                                                                                           \
        for (int64_t i = 0; i < n; i++) y[i] = (T)(SHARE);                                                   \
    }                                                                                                        \
    static void NAME(const line_job *j, void *y, const void *x) { att_##NAME(y, x, j->n); }
SOFTMAX(softmax_f32, float, arr_vmax_f32, arr_vexp_f32, sum_f32, y[i] * per)
SOFTMAX(softmax_f64, double, arr_vmax_f64, arr_vexp_f64, sum_f64, y[i] / sum)

/* A power of two s with max |x_i| s in [1/2, 1), so that no square overflows or vanishes; 1 for zeros and for
 * what is not finite. Squares of f32 are at home in f64. */
PH_CLONES static double scale_f64(const double *x, int64_t n) {
    double lane[LANES] = {0}, top = 0;
    int64_t whole = n / LANES * LANES;
    int e;
    for (int64_t k = 0; k < whole; k += LANES)
        for (int64_t l = 0; l < LANES; l++) lane[l] = fabs(x[k + l]) > lane[l] ? fabs(x[k + l]) : lane[l];
    for (int64_t i = whole; i < n; i++)
        if (fabs(x[i]) > top) top = fabs(x[i]);
    for (int l = 0; l < LANES; l++)
        if (lane[l] > top) top = lane[l];
    if (!(top > 0) || isinf(top)) return 1;
    frexp(top, &e);
    return ldexp(1, e > 1000 ? -1000 : e < -1000 ? 1000 : -e);
}
static double scale_f32(const float *x, int64_t n) {
    (void)x, (void)n;
    return 1;
}

/* With z = s x:  y_i = gain_i (z_i - m) / sqrt(mean_k (z_k - m)^2 + eps s^2) + bias_i,
 * m = mean z for layer_norm and 0 for rms_norm. s cancels. OVER: of f32 a product with 1/root, as in softmax. */
#define NORM(NAME, T, t, MEAN, OVER)                                                                         \
    PH_CLONES static void NAME##_##t(const line_job *j, void *y_, const void *x_) {                          \
        T *restrict y = y_;                                                                                  \
        const T *x = x_;                                                                                     \
        const double *gain = j->gain, *bias = j->bias, n = (double)j->n;                                     \
        const double s = scale_##t(x, j->n), m = MEAN(x, s, n);                                              \
        const double root = sqrt(squares_##t(x, j->n, s, m) / n + j->eps * s * s), per = 1 / root;           \
        (void)per;                                                                                           \
        if (bias)                                                                                            \
            for (int64_t i = 0; i < j->n; i++) y[i] = (T)((x[i] * s - m) OVER * gain[i] + bias[i]);          \
        else if (gain)                                                                                       \
            for (int64_t i = 0; i < j->n; i++) y[i] = (T)((x[i] * s - m) OVER * gain[i]);                    \
        else                                                                                                 \
            for (int64_t i = 0; i < j->n; i++) y[i] = (T)((x[i] * s - m) OVER);                              \
    }
#define MEAN_F32(x, s, n) (sum_f32(x, j->n, s, 0) / n)
#define MEAN_F64(x, s, n) (sum_f64(x, j->n, s, 0) / n)
#define NO_MEAN(x, s, n)  0
NORM(layer, float, f32, MEAN_F32, *per)
NORM(layer, double, f64, MEAN_F64, / root)
NORM(rms, float, f32, NO_MEAN, *per)
NORM(rms, double, f64, NO_MEAN, / root)

/* With z = (x - m)/r and t = gain o g:  gx = (t - mean t - z o mean(z o t))/r, without mean t for rms_norm; and the sums over the
 * lines of g o z and g, which go to gain and bias. gx NULL: only these. */
#define BACK(NAME, T, t, MEAN, CENTRED)                                                                      \
    PH_CLONES static void NAME##_back_##t(const line_job *j, T *restrict gx, const T *x, const T *g,         \
                                          double *restrict columns) {                                        \
        const double *gain = j->gain, n = (double)j->n, s = scale_##t(x, j->n), m = MEAN(x, s, n);           \
        const double per = 1 / sqrt(squares_##t(x, j->n, s, m) / n + j->eps * s * s), out = s * per;         \
        double a[LANES] = {0}, b[LANES] = {0};                                                               \
        int64_t whole = j->n / LANES * LANES;                                                                \
        for (int64_t k = 0; k < whole && gx; k += LANES)                                                     \
            for (int64_t l = 0, i = k; l < LANES; l++, i++) {                                                \
                const double h = g[i] * gain[i];                                                             \
                a[l] += h;                                                                                   \
                b[l] += (x[i] * s - m) * per * h;                                                            \
            }                                                                                                \
        for (int64_t i = whole; i < j->n && gx; i++) {                                                       \
            a[i - whole] += g[i] * gain[i];                                                                  \
            b[i - whole] += (x[i] * s - m) * per * (g[i] * gain[i]);                                         \
        }                                                                                                    \
        const double mean = CENTRED ? join_lanes(a) / n : 0, along = join_lanes(b) / n;                      \
        for (int64_t i = 0; i < j->n && gx; i++)                                                             \
            gx[i] = (T)((g[i] * gain[i] - mean - (x[i] * s - m) * per * along) * out);                       \
        for (int64_t i = 0; i < j->n && columns; i++) {                                                      \
            columns[i] += (x[i] * s - m) * per * g[i];                                                       \
            columns[j->n + i] += g[i];                                                                       \
        }                                                                                                    \
    }
BACK(layer, float, f32, MEAN_F32, true)
BACK(layer, double, f64, MEAN_F64, true)
BACK(rms, float, f32, NO_MEAN, false)
BACK(rms, double, f64, NO_MEAN, false)

typedef struct {
    line_fn *f32, *f64;
    void (*back_f32)(const line_job *, float *, const float *, const float *, double *);
    void (*back_f64)(const line_job *, double *, const double *, const double *, double *);
} kernels;
static const kernels softmax_kernels = {.f32 = softmax_f32, .f64 = softmax_f64},
                     layer_kernels = {layer_f32, layer_f64, layer_back_f32, layer_back_f64},
                     rms_kernels = {rms_f32, rms_f64, rms_back_f32, rms_back_f64};

/* ---- lines --------------------------------------------------------------------------------------------- */

#define PIECE 32768 /* elements of a piece, about */

static void run_piece(void *ctx, int64_t piece) {
    const line_job *j = ctx;
    int64_t end = (piece + 1) * j->per < j->lines ? (piece + 1) * j->per : j->lines;
    size_t bytes = (size_t)j->n * j->item;
    for (int64_t i = piece * j->per; i < end; i++)
        j->line(j, j->y + (size_t)i * bytes, j->x + (size_t)i * bytes);
}

/* y and x are contiguous and of one type. */
static ph_status run_lines(line_job *j, const kernels *k, const arr *y, const arr *x, ph_err *err) {
    int64_t size = arr_size(y);
    if (size == 0) return PH_OK;
    j->line = y->dtype == ARR_F32 ? k->f32 : k->f64;
    j->item = arr_itemsize(y->dtype);
    j->x = x->data;
    j->y = y->data;
    j->n = y->shape[y->ndim - 1];
    j->lines = size / j->n;
    j->per = PIECE / j->n + 1;
    return ph_parallel(run_piece, j, (j->lines - 1) / j->per + 1, err);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static ph_status line_axis(int *axis, const op *self, const arr *x, const op_attrs *attrs, ph_err *err) {
    if (x->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: x is c128; wanted real numbers: take abs, re or im first",
                       self->name);
    if (x->ndim == 0)
        return ph_fail(err, PH_EARG, "%s: x is a single number; wanted at least one dimension", self->name);
    return arr_axis(axis, x->ndim, attrs->has_axis ? attrs->axis : -1, attrs->base, self->name, err);
}

static void spec_like(op_spec *out, const arr *x, arr_dtype t) {
    out->dtype = t == ARR_BOOL ? ARR_F64 : t;
    out->ndim = x->ndim;
    memcpy(out->shape, x->shape, sizeof out->shape);
}

static ph_status softmax_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                               ph_err *err) {
    (void)n;
    int axis;
    spec_like(out, in, in->dtype);
    return line_axis(&axis, self, in, attrs, err);
}

/* Worked on with the axis last; `to` is the result seen so. */
static ph_status softmax_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                 ph_err *err) {
    (void)n;
    arr moved = ARR_NONE, x = ARR_NONE, y = ARR_NONE, to = ARR_NONE;
    line_job j = {0};
    int axis, perm[ARR_MAXDIM], k = 0;
    ph_status st;
    PH_TRY(line_axis(&axis, self, in, attrs, err));
    for (int i = 0; i < in->ndim; i++)
        if (i != axis) perm[k++] = i;
    perm[k] = axis;
    PH_TRY(arr_permute(&moved, in, perm, err));
    PH_TRY(arr_contiguous(&x, &moved, out->dtype, err));
    PH_TRY(arr_permute(&to, out, perm, err));
    if (axis == in->ndim - 1) y = arr_ref(out);
    else PH_TRY(arr_new(&y, out->dtype, x.ndim, x.shape, err));
    PH_TRY(run_lines(&j, self->kernel, &y, &x, err));
    if (axis != in->ndim - 1) PH_TRY(arr_assign(&to, &y, err));
done:
    arr_drop(&moved);
    arr_drop(&x);
    arr_drop(&y);
    arr_drop(&to);
    return st;
}

/* A gain or bias: one number, or one for each of the d columns. */
static ph_status check_factor(const op *self, const arr *x, const arr *f, const char *what, ph_err *err) {
    char tx[200], tf[200];
    if (f->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: %s is c128; wanted real numbers", self->name, what);
    if (f->ndim == 0 || (f->ndim == 1 && f->shape[0] == x->shape[x->ndim - 1])) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %s is %s and x is %s; wanted a number or one for each column, (%lld)",
                   self->name, what, arr_shape_text(tf, sizeof tf, f), arr_shape_text(tx, sizeof tx, x),
                   (long long)x->shape[x->ndim - 1]);
}

static ph_status norm_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                            ph_err *err) {
    static const op_attrs last;
    int axis;
    ph_status st;
    PH_TRY(line_axis(&axis, self, in, &last, err));
    if (n > 1) PH_TRY(check_factor(self, in, &in[1], "gain", err));
    if (n > 2) PH_TRY(check_factor(self, in, &in[2], "bias", err));
    if (!(attrs->num >= 0 && attrs->num <= 1e300))
        return ph_fail(err, PH_EARG, "%s: eps is %g; wanted a number of at least 0", self->name, attrs->num);
    spec_like(out, in, arr_common(in, n));
done:
    return st;
}

/* A gain or bias as n numbers. */
static ph_status take_factor(arr *held, const double **to, const arr *f, int64_t n, ph_err *err) {
    arr all = ARR_NONE;
    ph_status st;
    PH_TRY(arr_broadcast_to(&all, f, 1, &n, err));
    PH_TRY(arr_contiguous(held, &all, ARR_F64, err));
    *to = (const double *)held->data;
done:
    arr_drop(&all);
    return st;
}

static ph_status norm_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                              ph_err *err) {
    arr x = ARR_NONE, gain = ARR_NONE, bias = ARR_NONE;
    line_job j = {.eps = attrs->num};
    ph_status st;
    PH_TRY(arr_contiguous(&x, in, out->dtype, err));
    if (n > 1) PH_TRY(take_factor(&gain, &j.gain, &in[1], x.shape[x.ndim - 1], err));
    if (n > 2) PH_TRY(take_factor(&bias, &j.bias, &in[2], x.shape[x.ndim - 1], err));
    PH_TRY(run_lines(&j, self->kernel, out, &x, err));
done:
    arr_drop(&x);
    arr_drop(&gain);
    arr_drop(&bias);
    return st;
}

/* ---- the way back --------------------------------------------------------------------------------------- */

/* x, g, gain: gx and the columns' sums for gain and bias, in the type of g; ints[0]: which are wanted (1, 2, 4), the others are (0). */
static ph_status back_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                            ph_err *err) {
    static const op_attrs last;
    int axis;
    ph_status st;
    PH_TRY(line_axis(&axis, self, in, &last, err));
    PH_TRY(check_factor(self, in, &in[2], "gain", err));
    if (n != 3 || !arr_same_shape(&in[0], &in[1]) || attrs->nints < 1)
        return ph_fail(err, PH_EARG, "%s: no such operands", self->name);
    for (int k = 0; k < 3; k++) {
        out[k] = (op_spec){.dtype = in[1].dtype, .ndim = 1};
        if (!(attrs->ints[0] >> k & 1)) continue;
        if (k == 0) spec_like(out, in, in[1].dtype);
        else out[k].shape[0] = in->shape[in->ndim - 1];
    }
done:
    return st;
}

static void back_piece(void *ctx, int64_t piece) {
    const line_job *j = ctx;
    const kernels *k = j->kernels;
    int64_t end = (piece + 1) * j->per < j->lines ? (piece + 1) * j->per : j->lines;
    double *columns = j->columns ? j->columns + piece * 2 * j->n : NULL;
    for (int64_t i = piece * j->per; i < end; i++) {
        int64_t at = i * j->n;
        if (j->item == sizeof(float))
            k->back_f32(j, j->y ? (float *)j->y + at : NULL, (const float *)j->x + at,
                        (const float *)j->g + at, columns);
        else
            k->back_f64(j, j->y ? (double *)j->y + at : NULL, (const double *)j->x + at,
                        (const double *)j->g + at, columns);
    }
}

/* Sum k of the pieces' columns (0: g o z, 1: g), in order. */
static ph_status add_columns(arr *out, const arr *columns, int k, ph_err *err) {
    arr part = *columns, sum = ARR_NONE; /* part: borrowed */
    int64_t n = columns->shape[2];
    double *to;
    ph_status st;
    PH_TRY(arr_zeros(&sum, ARR_F64, 1, &n, err));
    to = (double *)sum.data;
    for (int64_t p = 0; p < columns->shape[0]; p++)
        for (int64_t i = 0; i < n; i++) to[i] += ((const double *)part.data)[(2 * p + k) * n + i];
    st = arr_assign(out, &sum, err);
done:
    arr_drop(&sum);
    return st;
}

static ph_status back_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                              ph_err *err) {
    (void)n;
    arr x = ARR_NONE, g = ARR_NONE, gain = ARR_NONE, columns = ARR_NONE;
    arr_dtype t = in[1].dtype;
    int64_t wants = attrs->ints[0], size = arr_size(in), pieces;
    line_job j = {
        .eps = attrs->num, .kernels = self->kernel, .item = arr_itemsize(t), .n = in->shape[in->ndim - 1]};
    ph_status st = PH_OK;
    if (size == 0) {
        for (int k = 0; k < 3; k++) memset(out[k].data, 0, (size_t)arr_size(&out[k]) * j.item);
        return PH_OK;
    }
    PH_TRY(arr_contiguous(&x, &in[0], t, err));
    PH_TRY(arr_contiguous(&g, &in[1], t, err));
    PH_TRY(take_factor(&gain, &j.gain, &in[2], j.n, err));
    j.x = x.data;
    j.g = g.data;
    j.y = wants & 1 ? out[0].data : NULL;
    j.lines = size / j.n;
    j.per = PIECE / j.n + 1;
    pieces = (j.lines - 1) / j.per + 1;
    if (wants & 6) PH_TRY(arr_zeros(&columns, ARR_F64, 3, (int64_t[]){pieces, 2, j.n}, err));
    j.columns = (double *)columns.data;
    PH_TRY(ph_parallel(back_piece, &j, pieces, err));
    if (wants & 2) PH_TRY(add_columns(&out[1], &columns, 0, err));
    if (wants & 4) PH_TRY(add_columns(&out[2], &columns, 1, err));
done:
    arr_drop(&x);
    arr_drop(&g);
    arr_drop(&gain);
    arr_drop(&columns);
    return st;
}

#define ROW(NAME, MAX, SHAPE, FORWARD, KERNELS)                                                              \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = MAX, .n_out = 1, .sig = OP_SIG_OTHER, .flags = OP_SMOOTH,       \
        .shape = SHAPE, .forward = FORWARD, .kernel = KERNELS                                                \
    }
#define BACK_ROW(NAME, KERNELS)                                                                              \
    {                                                                                                        \
        .name = NAME, .min_in = 3, .max_in = 3, .n_out = 3, .sig = OP_SIG_OTHER,                             \
        .flags = OP_SMOOTH | OP_INNER, .shape = back_shape, .forward = back_forward, .kernel = KERNELS       \
    }
const op att_normalize_ops[] = {
    ROW("softmax", 1, softmax_shape, softmax_forward, &softmax_kernels),
    ROW("layer_norm", 3, norm_shape, norm_forward, &layer_kernels),
    ROW("rms_norm", 2, norm_shape, norm_forward, &rms_kernels),
    BACK_ROW("derivative of layer_norm", &layer_kernels),
    BACK_ROW("derivative of rms_norm", &rms_kernels),
};
const int att_normalize_nops = sizeof att_normalize_ops / sizeof *att_normalize_ops;
