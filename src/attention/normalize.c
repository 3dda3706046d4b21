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
    const char *x;
    char *y; /* contiguous lines, as x */
    size_t item;
    int64_t n, lines, per; /* elements of a line, lines, lines of a piece */
    double eps;
    const double *gain, *bias; /* gain[i * gain_step]; NULL: 1 and 0 */
    int64_t gain_step, bias_step;
};

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* Sums of n terms are pairwise from runs of at most 512, which are added in 16 lanes: they err by at most 36 + log2 n
 * roundings. Everything is added in f64. */
#define LANES 16
static double join_lanes(double *lane) {
    for (int w = LANES / 2; w > 0; w /= 2)
        for (int l = 0; l < w; l++) lane[l] += lane[l + w];
    return lane[0];
}
#define SUM(NAME, T, TERM)                                                                                   \
    static double NAME(const T *x, int64_t n, double s, double m) {                                          \
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
 * what is not finite. */
static double scale_for(double top) {
    int e;
    if (!(top > 0) || isinf(top)) return 1;
    frexp(top, &e);
    return ldexp(1, e > 1000 ? -1000 : e < -1000 ? 1000 : -e);
}

/* With z = s x:  y_i = gain_i (z_i - m) / sqrt(mean_k (z_k - m)^2 + eps s^2) + bias_i,
 * m = mean z for layer_norm and 0 for rms_norm. s cancels. */
#define NORM(NAME, T, MEAN, SQUARES)                                                                         \
    static void NAME(const line_job *j, void *y_, const void *x_) {                                          \
        T *y = y_;                                                                                           \
        const T *x = x_;                                                                                     \
        double top = 0, n = (double)j->n;                                                                    \
        for (int64_t i = 0; i < j->n; i++)                                                                   \
            if (fabs((double)x[i]) > top) top = fabs((double)x[i]);                                          \
        double s = scale_for(top), m = MEAN;                                                                 \
        double root = sqrt(SQUARES(x, j->n, s, m) / n + j->eps * s * s);                                     \
        for (int64_t i = 0; i < j->n; i++) {                                                                 \
            double z = (x[i] * s - m) / root;                                                                \
            if (j->gain) z *= j->gain[i * j->gain_step];                                                     \
            if (j->bias) z += j->bias[i * j->bias_step];                                                     \
            y[i] = (T)z;                                                                                     \
        }                                                                                                    \
    }
NORM(layer_f32, float, sum_f32(x, j->n, s, 0) / n, squares_f32)
NORM(layer_f64, double, sum_f64(x, j->n, s, 0) / n, squares_f64)
NORM(rms_f32, float, 0, squares_f32)
NORM(rms_f64, double, 0, squares_f64)

typedef struct {
    line_fn *f32, *f64;
} kernels;
static const kernels softmax_kernels = {softmax_f32, softmax_f64}, layer_kernels = {layer_f32, layer_f64},
                     rms_kernels = {rms_f32, rms_f64};

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

static ph_status line_axis(int *axis, const op *self, const arr *x, const op_par *par, ph_err *err) {
    if (x->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: x is c128; wanted real numbers: take abs, re or im first",
                       self->name);
    if (x->ndim == 0)
        return ph_fail(err, PH_EARG, "%s: x is a single number; wanted at least one dimension", self->name);
    return arr_axis(axis, x->ndim, par->has_axis ? par->axis : -1, par->base, self->name, err);
}

static void spec_like(op_spec *out, const arr *x, arr_dtype t) {
    out->dtype = t == ARR_BOOL ? ARR_F64 : t;
    out->ndim = x->ndim;
    memcpy(out->shape, x->shape, sizeof out->shape);
}

static ph_status softmax_shape(op_spec *out, const op *self, const arr *in, int n, const op_par *par,
                               ph_err *err) {
    (void)n;
    int axis;
    spec_like(out, in, in->dtype);
    return line_axis(&axis, self, in, par, err);
}

/* Worked on with the axis last; `to` is the result seen so. */
static ph_status softmax_forward(arr *out, const op *self, const arr *in, int n, const op_par *par,
                                 ph_err *err) {
    (void)n;
    arr moved = ARR_NONE, x = ARR_NONE, y = ARR_NONE, to = ARR_NONE;
    line_job j = {0};
    int axis, perm[ARR_MAXDIM], k = 0;
    ph_status st;
    PH_TRY(line_axis(&axis, self, in, par, err));
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

static ph_status norm_shape(op_spec *out, const op *self, const arr *in, int n, const op_par *par,
                            ph_err *err) {
    static const op_par last;
    int axis;
    ph_status st;
    PH_TRY(line_axis(&axis, self, in, &last, err));
    if (n > 1) PH_TRY(check_factor(self, in, &in[1], "gain", err));
    if (n > 2) PH_TRY(check_factor(self, in, &in[2], "bias", err));
    if (!(par->num >= 0 && par->num <= 1e300))
        return ph_fail(err, PH_EARG, "%s: eps is %g; wanted a number of at least 0", self->name, par->num);
    spec_like(out, in, arr_common(in, n));
done:
    return st;
}

static ph_status norm_forward(arr *out, const op *self, const arr *in, int n, const op_par *par,
                              ph_err *err) {
    arr x = ARR_NONE, gain = ARR_NONE, bias = ARR_NONE;
    line_job j = {.eps = par->num};
    ph_status st;
    PH_TRY(arr_contiguous(&x, in, out->dtype, err));
    if (n > 1) {
        PH_TRY(arr_contiguous(&gain, &in[1], ARR_F64, err));
        j.gain = (const double *)gain.data;
        j.gain_step = gain.ndim;
    }
    if (n > 2) {
        PH_TRY(arr_contiguous(&bias, &in[2], ARR_F64, err));
        j.bias = (const double *)bias.data;
        j.bias_step = bias.ndim;
    }
    PH_TRY(run_lines(&j, self->kernel, out, &x, err));
done:
    arr_drop(&x);
    arr_drop(&gain);
    arr_drop(&bias);
    return st;
}

#define ROW(NAME, MAX, SHAPE, FORWARD, KERNELS)                                                              \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = MAX, .n_out = 1, .sig = OP_SIG_OTHER, .flags = OP_SMOOTH,       \
        .shape = SHAPE, .forward = FORWARD, .kernel = KERNELS                                                \
    }
const op att_normalize_ops[] = {
    ROW("softmax", 1, softmax_shape, softmax_forward, &softmax_kernels),
    ROW("layer_norm", 3, norm_shape, norm_forward, &layer_kernels),
    ROW("rms_norm", 2, norm_shape, norm_forward, &rms_kernels),
};
const int att_normalize_nops = sizeof att_normalize_ops / sizeof *att_normalize_ops;
