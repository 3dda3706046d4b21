/* scan.c: rows that rework each line along one axis: cumsum, cumprod, sort, argsort. Without an axis: along
 * the last.
 *
 * A line is copied out, in f64 or c128, reworked in place, and written back rounded to the result's type.
 */
#include "array/loop.h"
#include "array/op.h"
#include "array/sort.h"

#include <math.h>
#include <string.h>

typedef struct {
    double *x;     /* the line: n numbers, or 2n parts when complex */
    void *scratch; /* arr_sort_scratch(n) bytes, for rows that sort */
    int64_t n;
    bool is_complex;
    int base;
} scan_line;

typedef struct {
    void (*rework)(scan_line *l);
    bool sorts;
    arr_dtype result[ARR_NDTYPE];
} scan_kernel;

static ph_status scan_axis(int *axis, const op *self, const arr *in, const op_attrs *attrs, ph_err *err) {
    if (in->ndim == 0)
        return ph_fail(err, PH_EARG, "%s: x is a single number; wanted at least one dimension", self->name);
    return arr_axis(axis, in->ndim, attrs->has_axis ? attrs->axis : -1, attrs->base, self->name, err);
}

static ph_status scan_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                            ph_err *err) {
    (void)n;
    const scan_kernel *k = self->kernel;
    int axis;
    ph_status st = scan_axis(&axis, self, in, attrs, err);
    if (st == PH_OK && k->sorts && in->dtype == ARR_C128)
        st = ph_fail(err, PH_EARG, "%s: x is c128; complex numbers have no order: take abs, re or im first",
                     self->name);
    out->dtype = k->result[in->dtype];
    out->ndim = in->ndim;
    for (int i = 0; i < in->ndim; i++) out->shape[i] = in->shape[i];
    return st;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

typedef struct {
    arr_walk walk; /* first elements of the lines: of the result, of the operand */
    const arr *out, *in;
    int64_t out_step, in_step;
    const scan_kernel *k;
    scan_line line;
} scan_job;

static void scan_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    scan_job *j = ctx;
    scan_line *l = &j->line;
    arr_dtype t = l->is_complex ? ARR_C128 : ARR_F64;
    for (int64_t i = 0; i < n && !ph_interrupted(); i++) {
        const char *from = j->in->data + (at[1] + i * step[1]) * (int64_t)arr_itemsize(j->in->dtype);
        char *to = j->out->data + (at[0] + i * step[0]) * (int64_t)arr_itemsize(j->out->dtype);
        arr_cast_run(l->x, t, 1, from, j->in->dtype, j->in_step, l->n);
        j->k->rework(l);
        arr_cast_run(to, j->out->dtype, j->out_step, l->x, t, 1, l->n);
    }
}

/* A borrowed view of the first elements of all lines. */
static arr first_elements(const arr *a, int axis) {
    arr v = *a;
    v.ndim = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (i == axis) continue;
        v.shape[v.ndim] = a->shape[i];
        v.stride[v.ndim++] = a->stride[i];
    }
    return v;
}

static ph_status scan_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                              ph_err *err) {
    (void)n;
    scan_job j = {.out = out, .in = in, .k = self->kernel};
    int axis;
    ph_status st = scan_axis(&axis, self, in, attrs, err);
    if (st != PH_OK || arr_size(in) == 0) return st;
    arr heads[2] = {first_elements(out, axis), first_elements(in, axis)};
    arr_walk_init(&j.walk, heads[0].ndim, heads[0].shape);
    arr_walk_add(&j.walk, &heads[0]);
    arr_walk_add(&j.walk, &heads[1]);
    arr_walk_ready(&j.walk);
    j.out_step = out->stride[axis];
    j.in_step = in->stride[axis];
    j.line = (scan_line){.n = in->shape[axis], .is_complex = in->dtype == ARR_C128, .base = attrs->base};
    size_t numbers = (size_t)j.line.n * (j.line.is_complex ? 2 : 1) * sizeof(double);
    size_t bytes = numbers + (j.k->sorts ? arr_sort_scratch(j.line.n) : 0);
    j.line.x = ph_alloc(bytes);
    if (!j.line.x) return ph_fail_nomem(err, bytes);
    j.line.scratch = (char *)j.line.x + numbers;
    arr_walk_run(&j.walk, 0, j.walk.size, scan_run, &j);
    ph_free(j.line.x);
    return ph_interrupted() ? ph_fail_interrupted(err) : PH_OK;
}

/* ---- cumulative sums and products ---------------------------------------------------------------------- */

#define RUN 128 /* numbers between two looks at the interrupt */

/* s_i = x_1 + ... + x_i. Runs of 128 are added plainly from 0 and set on the sum of the runs before, which is
 * carried with its rounding error (Knuth's two-sum): the error is at most about 129 u times the sum of |x|,
 * whatever the length. */
static void cumulate(double *x, int64_t n, int64_t step) {
    double base = 0, lost = 0;
    for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += RUN) {
        int64_t hi = lo + RUN < n ? lo + RUN : n;
        double run = 0;
        for (int64_t i = lo; i < hi; i++) {
            run += x[i * step];
            x[i * step] = base + (run + lost);
        }
        double sum = base + run, part = sum - base;
        double slip = (base - (sum - part)) + (run - part);
        lost = isfinite(sum) ? lost + slip : 0;
        base = sum;
    }
}

static void cumsum(scan_line *l) {
    cumulate(l->x, l->n, l->is_complex ? 2 : 1);
    if (l->is_complex) cumulate(l->x + 1, l->n, 2);
}

static void real_products(double *x, int64_t lo, int64_t hi) {
    for (int64_t i = lo; i < hi; i++) x[i] *= x[i - 1];
}

static void complex_products(double *x, int64_t lo, int64_t hi) {
    for (int64_t i = 2 * lo; i < 2 * hi; i += 2) {
        double a = x[i - 2], b = x[i - 1], c = x[i], d = x[i + 1];
        x[i] = a * c - b * d;
        x[i + 1] = a * d + b * c;
    }
}

static void cumprod(scan_line *l) {
    for (int64_t lo = 1; lo < l->n && !ph_interrupted(); lo += RUN) {
        int64_t hi = lo + RUN < l->n ? lo + RUN : l->n;
        (l->is_complex ? complex_products : real_products)(l->x, lo, hi);
    }
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

static void sort(scan_line *l) { arr_sort_line(l->x, l->scratch, l->n); }
static void argsort(scan_line *l) { arr_argsort_line(l->x, l->scratch, l->n, l->base); }

/* ---- rows ---------------------------------------------------------------------------------------------- */

static const scan_kernel cumsum_k = {cumsum, false, {ARR_F64, ARR_F32, ARR_F64, ARR_C128}};
static const scan_kernel cumprod_k = {cumprod, false, {ARR_F64, ARR_F32, ARR_F64, ARR_C128}};
static const scan_kernel sort_k = {sort, true, {ARR_BOOL, ARR_F32, ARR_F64, 0}};
static const scan_kernel argsort_k = {argsort, true, {ARR_F64, ARR_F64, ARR_F64, 0}};

#define ROW(NAME, FLAGS, KERNEL)                                                                             \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = 1, .n_out = 1, .sig = OP_SIG_AXIS, .flags = FLAGS,              \
        .shape = scan_shape, .forward = scan_forward, .kernel = KERNEL                                       \
    }

const op arr_scan_ops[] = {
    ROW("cumsum", OP_SMOOTH, &cumsum_k),
    ROW("cumprod", OP_SMOOTH, &cumprod_k),
    ROW("sort", OP_SMOOTH, &sort_k),
    ROW("argsort", 0, &argsort_k),
};
const int arr_scan_nops = sizeof arr_scan_ops / sizeof arr_scan_ops[0];
