/* create.c: arrays from nothing: constants, the identity, values evenly apart, random draws. */
#include "array/loop.h"

#include <math.h>

ph_status arr_full(arr *out, arr_dtype t, int ndim, const int64_t *shape, arr_c128 v, ph_err *err) {
    arr one = ARR_NONE;
    ph_status st;
    *out = ARR_NONE;
    PH_TRY(arr_scalar(&one, t, v, err));
    PH_TRY(arr_new(out, t, ndim, shape, err));
    st = arr_assign(out, &one, err);
done:
    arr_drop(&one);
    if (st != PH_OK) arr_drop(out);
    return st;
}

ph_status arr_eye(arr *out, arr_dtype t, int64_t rows, int64_t columns, ph_err *err) {
    ph_status st = arr_zeros(out, t, 2, (int64_t[]){rows, columns}, err);
    if (st != PH_OK) return st;
    arr one = ARR_NONE, line = *out; /* line: borrowed */
    line.ndim = 1;
    line.shape[0] = rows < columns ? rows : columns;
    line.stride[0] = columns + 1;
    st = arr_scalar(&one, t, (arr_c128){1, 0}, err);
    if (st == PH_OK) st = arr_assign(&line, &one, err);
    arr_drop(&one);
    if (st != PH_OK) arr_drop(out);
    return st;
}

/* ---- values evenly apart ------------------------------------------------------------------------------- */

static ph_status check_real_type(arr_dtype t, const char *who, ph_err *err) {
    if (t == ARR_F32 || t == ARR_F64) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: type is %s; wanted f32 or f64", who, arr_dtype_name(t));
}

static void put_real(const arr *a, int64_t i, double x) {
    if (a->dtype == ARR_F32) ((float *)a->data)[i] = (float)x;
    else ((double *)a->data)[i] = x;
}

/* How many values a, a+step, … do not pass b. The quotient (b-a)/step carries three roundings and that of a
 * step such as 0.1 itself, under 4 u together; a quotient that close to a whole number means b itself. */
static ph_status range_count(int64_t *count, bool *ends_on_b, double a, double b, double step, ph_err *err) {
    if (!isfinite(a) || !isfinite(b) || !isfinite(step))
        return ph_fail(err, PH_EARG, "range: from %g to %g by %g; wanted finite numbers", a, b, step);
    if (step == 0) return ph_fail(err, PH_EARG, "range: step is 0; wanted another");
    double q = (b - a) / step, whole = rint(q);
    *ends_on_b = fabs(q - whole) <= 0x1p-51 * fabs(q);
    if (!*ends_on_b) whole = floor(q);
    if (whole >= 0x1p53)
        return ph_fail(err, PH_EARG, "range: from %g to %g by %g has %.3g values, too many for any memory", a,
                       b, step, whole);
    *count = whole < 0 ? 0 : (int64_t)whole + 1;
    return PH_OK;
}

ph_status arr_arange(arr *out, arr_dtype t, double a, double b, double step, ph_err *err) {
    int64_t n = 0;
    bool ends_on_b = false;
    ph_status st;
    *out = ARR_NONE;
    PH_TRY(check_real_type(t, "range", err));
    PH_TRY(range_count(&n, &ends_on_b, a, b, step, err));
    PH_TRY(arr_new(out, t, 1, &n, err));
    for (int64_t i = 0; i < n; i++) put_real(out, i, a + (double)i * step);
    if (n > 0 && ends_on_b) put_real(out, n - 1, b);
done:
    return st;
}

/* x_i = a + i h, h = (b-a)/(n-1), in the first half and b - (n-1-i) h in the second: both ends exact, and
 * symmetric. */
ph_status arr_linspace(arr *out, arr_dtype t, double a, double b, int64_t n, ph_err *err) {
    ph_status st;
    *out = ARR_NONE;
    PH_TRY(check_real_type(t, "linspace", err));
    if (!isfinite(a) || !isfinite(b))
        return ph_fail(err, PH_EARG, "linspace: from %g to %g; wanted finite numbers", a, b);
    if (n < 0) return ph_fail(err, PH_EARG, "linspace: count is %lld; wanted 0 or more", (long long)n);
    PH_TRY(arr_new(out, t, 1, &n, err));
    double last = (double)(n - 1), h = n < 2 ? 0 : b / last - a / last;
    if (isfinite(b - a) && n >= 2) h = (b - a) / last;
    for (int64_t i = 0; i < n; i++) {
        bool left = 2 * i < n - 1 || n == 1;
        put_real(out, i, left ? a + (double)i * h : b - (double)(n - 1 - i) * h);
    }
done:
    return st;
}

/* ---- random draws -------------------------------------------------------------------------------------- */

/* In row-major order, one draw an element. The draws are made in f64 and rounded to the type, so f32 sees the
 * same stream; a uniform just below 1 is kept below 1 there too. */
static ph_status draws(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g,
                       double (*draw)(ph_rng *), const char *who, ph_err *err) {
    ph_status st;
    *out = ARR_NONE;
    PH_TRY(check_real_type(t, who, err));
    PH_TRY(arr_new(out, t, ndim, shape, err));
    int64_t n = arr_size(out);
    for (int64_t i = 0; i < n; i++) {
        if ((i & 0xffff) == 0 && ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        put_real(out, i, draw(g));
    }
done:
    if (st != PH_OK) arr_drop(out);
    return st;
}

static double uniform_f32(ph_rng *g) { return floor(ph_rng_uniform(g) * 0x1p24) * 0x1p-24; }

ph_status arr_rand(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g, ph_err *err) {
    return draws(out, t, ndim, shape, g, t == ARR_F32 ? uniform_f32 : ph_rng_uniform, "rand", err);
}

/* A draw is a moment's work for the generator, which is one, and fifty times that for what is made of it, which many can do. */
#define TOGETHER (1 << 18) /* draws at once */
typedef struct {
    const arr *out;
    const uint64_t *bits;
    int64_t first; /* the element that the first of them becomes */
} normal_job;
static void normal_span(void *ctx, int64_t lo, int64_t hi) {
    const normal_job *j = ctx;
    for (int64_t i = lo; i < hi; i++) put_real(j->out, j->first + i, ph_normal_of_bits(j->bits[i]));
}

ph_status arr_randn(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g, ph_err *err) {
    ph_status st;
    uint64_t *bits = NULL;
    size_t bytes = 0;
    *out = ARR_NONE;
    PH_TRY(check_real_type(t, "randn", err));
    PH_TRY(arr_new(out, t, ndim, shape, err));
    const int64_t n = arr_size(out), most = n < TOGETHER ? n : TOGETHER;
    bytes = (size_t)most * sizeof *bits;
    if (n > 0 && !(bits = ph_block_alloc(bytes))) {
        st = ph_fail_nomem(err, bytes);
        goto done;
    }
    for (int64_t at = 0; at < n; at += most) {
        const int64_t some = n - at < most ? n - at : most;
        for (int64_t i = 0; i < some; i++) bits[i] = ph_rng_bits(g);
        PH_TRY(arr_spans(normal_span, &(normal_job){out, bits, at}, some, err));
    }
    if (ph_interrupted()) st = ph_fail_interrupted(err);
done:
    ph_block_free(bits, bytes);
    if (st != PH_OK) arr_drop(out);
    return st;
}
