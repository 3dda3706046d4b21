/* scan.c: rows that rework each line along one axis: cumsum, cumprod, sort, argsort. Without an axis: along
 * the last.
 *
 * A line is copied out, in f64 or c128, reworked in place, and written back rounded to the result's type.
 */
#include "array/loop.h"
#include "array/op.h"

#include <math.h>
#include <string.h>

typedef struct {
    int64_t key;
    int64_t at;
} pair; /* a value, as a whole number of the same order, and where it stood */

typedef struct {
    double *x; /* the line: n numbers, or 2n parts when complex */
    pair *p;   /* 2n of them, for rows that sort */
    int64_t n;
    bool is_complex;
    int base;
} scan_line;

typedef struct {
    void (*rework)(scan_line *l);
    bool sorts;
    arr_dtype result[ARR_NDTYPE];
} scan_kernel;

static ph_status scan_axis(int *axis, const op *self, const arr *in, const op_par *par, ph_err *err) {
    if (in->ndim == 0)
        return ph_fail(err, PH_EARG, "%s: x is a single number; wanted at least one dimension", self->name);
    return arr_axis(axis, in->ndim, par->has_axis ? par->axis : -1, par->base, self->name, err);
}

static ph_status scan_shape(op_spec *out, const op *self, const arr *in, int n, const op_par *par,
                            ph_err *err) {
    (void)n;
    const scan_kernel *k = self->kernel;
    int axis;
    ph_status st = scan_axis(&axis, self, in, par, err);
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

static ph_status scan_forward(arr *out, const op *self, const arr *in, int n, const op_par *par,
                              ph_err *err) {
    (void)n;
    scan_job j = {.out = out, .in = in, .k = self->kernel};
    int axis;
    ph_status st = scan_axis(&axis, self, in, par, err);
    if (st != PH_OK || arr_size(in) == 0) return st;
    arr heads[2] = {first_elements(out, axis), first_elements(in, axis)};
    arr_walk_init(&j.walk, heads[0].ndim, heads[0].shape);
    arr_walk_add(&j.walk, &heads[0]);
    arr_walk_add(&j.walk, &heads[1]);
    arr_walk_ready(&j.walk);
    j.out_step = out->stride[axis];
    j.in_step = in->stride[axis];
    j.line = (scan_line){.n = in->shape[axis], .is_complex = in->dtype == ARR_C128, .base = par->base};
    size_t bytes = (size_t)j.line.n * (j.k->sorts ? sizeof(double) + 2 * sizeof(pair) : 2 * sizeof(double));
    j.line.p = ph_alloc(bytes);
    if (!j.line.p) return ph_fail_nomem(err, bytes);
    j.line.x = j.k->sorts ? (double *)(j.line.p + 2 * j.line.n) : (double *)j.line.p;
    arr_walk_run(&j.walk, 0, j.walk.size, scan_run, &j);
    ph_free(j.line.p);
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

/* The bits of a double, those below the sign turned over when it is negative, are in the order of the numbers: whole
 * numbers compare without the branches that NaN needs. NaN stands after every number, -0 just before 0. */
static int64_t key_of(double x) {
    int64_t bits;
    if (isnan(x)) x = (double)NAN;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ ((bits >> 63) & INT64_MAX);
}

static double value_of(int64_t key) {
    double x;
    key ^= (key >> 63) & INT64_MAX;
    memcpy(&x, &key, sizeof x);
    return x;
}

static void insertion(pair *p, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        pair x = p[i];
        int64_t k = i;
        for (; k > 0 && x.key < p[k - 1].key; k--) p[k] = p[k - 1];
        p[k] = x;
    }
}

/* a[0..m) and a[m..n) in order: merged into b. Equal keys keep their order. */
static void merge(pair *b, const pair *a, int64_t m, int64_t n) {
    int64_t i = 0, k = m, to = 0;
    while (i < m && k < n && !((to & 4095) == 0 && ph_interrupted())) {
        bool right = a[k].key < a[i].key;
        b[to++] = a[right ? k : i];
        k += right;
        i += !right;
    }
    memcpy(b + to, a + i, (size_t)(m - i) * sizeof *b);
    memcpy(b + to + (m - i), a + k, (size_t)(n - k) * sizeof *b);
}

/* Long lines digit by digit of the key, the lowest first, each pass stable; a digit that all keys share is passed over, such as the
 * lowest ones of numbers that were f32. Returns where the result stands: in a or in b. */
#define LONG       1024
#define DIGIT_BITS 11
#define DIGITS     6
#define DIGIT(key, d)                                                                                        \
    (int)(((uint64_t)(key) ^ (uint64_t)INT64_MIN) >> ((d)*DIGIT_BITS) & ((1 << DIGIT_BITS) - 1))
#define BY_DIGITS(NAME, T, KEY)                                                                              \
    static void NAME##_pass(T *b, const T *a, int64_t *place, int d, int64_t n) {                            \
        for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += RUN)                                         \
            for (int64_t i = lo; i < n && i < lo + RUN; i++) b[place[DIGIT(KEY(a[i]), d)]++] = a[i];         \
    }                                                                                                        \
    static const T *NAME(T *a, T *b, int64_t n) {                                                            \
        int64_t place[DIGITS][1 << DIGIT_BITS] = {0};                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            for (int d = 0; d < DIGITS; d++) place[d][DIGIT(KEY(a[i]), d)]++;                                \
        for (int d = 0; d < DIGITS && !ph_interrupted(); d++) {                                              \
            if (place[d][DIGIT(KEY(a[0]), d)] == n) continue;                                                \
            int64_t before = 0;                                                                              \
            for (int k = 0; k < 1 << DIGIT_BITS; k++) {                                                      \
                const int64_t here = place[d][k];                                                            \
                place[d][k] = before;                                                                        \
                before += here;                                                                              \
            }                                                                                                \
            NAME##_pass(b, a, place[d], d, n);                                                               \
            T *t = a;                                                                                        \
            a = b;                                                                                           \
            b = t;                                                                                           \
        }                                                                                                    \
        return a;                                                                                            \
    }
#define ITSELF(key)   (key)
#define KEY_OF(place) (place).key
BY_DIGITS(keys_by_digits, int64_t, ITSELF)
BY_DIGITS(pairs_by_digits, pair, KEY_OF)

/* Stable: by digits, or by merging runs of 16. Returns where the result stands: in p or in p+n. */
static const pair *sort_pairs(scan_line *l) {
    int64_t n = l->n;
    pair *p = l->p, *q = p + n;
    for (int64_t i = 0; i < n; i++) p[i] = (pair){key_of(l->x[i]), i};
    if (n >= LONG) return pairs_by_digits(p, q, n);
    for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += 16) insertion(p + lo, n - lo < 16 ? n - lo : 16);
    for (int64_t width = 16; width < n && !ph_interrupted(); width *= 2) {
        for (int64_t lo = 0; lo < n && !ph_interrupted(); lo += 2 * width) {
            int64_t m = n - lo < width ? n - lo : width, both = n - lo < 2 * width ? n - lo : 2 * width;
            merge(q + lo, p + lo, m, both);
        }
        pair *t = p;
        p = q;
        q = t;
    }
    return p;
}

static void sort(scan_line *l) {
    int64_t *keys = (int64_t *)l->p;
    if (l->n < LONG) {
        const pair *p = sort_pairs(l);
        for (int64_t i = 0; i < l->n; i++) l->x[i] = value_of(p[i].key);
        return;
    }
    for (int64_t i = 0; i < l->n; i++) keys[i] = key_of(l->x[i]);
    const int64_t *sorted = keys_by_digits(keys, keys + l->n, l->n);
    for (int64_t i = 0; i < l->n; i++) l->x[i] = value_of(sorted[i]);
}

static void argsort(scan_line *l) {
    for (int64_t i = 0; i < l->n; i++) l->x[i] += 0.0; /* -0 becomes 0: equal numbers keep their order */
    const pair *p = sort_pairs(l);
    for (int64_t i = 0; i < l->n; i++) l->x[i] = (double)(p[i].at + l->base);
}

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
