/* close.c: allclose: whether two arrays agree within a tolerance, everywhere. */
#include "array/loop.h"
#include "array/op.h"

#include <math.h>
#include <stdatomic.h>

#define CHUNK 256

typedef struct {
    arr_walk walk;
    const arr *a, *b;
    double rtol, atol;
    atomic_bool differ;
} close_job;

/* Equal (infinities among them), or |x - y| <= atol + rtol |y| with a finite left side. A NaN is close to
 * nothing. */
static bool near(arr_c128 x, arr_c128 y, double rtol, double atol) {
    if (x.re == y.re && x.im == y.im) return true;
    double d = hypot(x.re - y.re, x.im - y.im);
    return isfinite(d) && d <= atol + rtol * hypot(y.re, y.im);
}

static void close_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    close_job *j = ctx;
    arr_c128 x[CHUNK], y[CHUNK];
    int64_t ia = (int64_t)arr_itemsize(j->a->dtype), ib = (int64_t)arr_itemsize(j->b->dtype);
    for (int64_t i = 0; i < n && !atomic_load(&j->differ); i += CHUNK) {
        int64_t m = n - i < CHUNK ? n - i : CHUNK;
        arr_cast_run(x, ARR_C128, 1, j->a->data + (at[0] + i * step[0]) * ia, j->a->dtype, step[0], m);
        arr_cast_run(y, ARR_C128, 1, j->b->data + (at[1] + i * step[1]) * ib, j->b->dtype, step[1], m);
        for (int64_t k = 0; k < m; k++)
            if (!near(x[k], y[k], j->rtol, j->atol)) atomic_store(&j->differ, true);
    }
}

static void close_span(void *ctx, int64_t lo, int64_t hi) {
    close_job *j = ctx;
    arr_walk_run(&j->walk, lo, hi, close_run, j);
}

static double tolerance(const arr *in, int n, int at, double otherwise) {
    return at < n ? arr_get_num(&in[at], in[at].data) : otherwise;
}

static ph_status close_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                             ph_err *err) {
    (void)attrs;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    for (int k = 2; k < n; k++) {
        const char *what = k == 2 ? "rtol" : "atol";
        if (in[k].ndim > 0 || in[k].dtype == ARR_C128)
            return ph_fail(err, PH_EARG, "%s: %s is not a real number", self->name, what);
        double tol = arr_get_num(&in[k], in[k].data);
        if (!(isfinite(tol) && tol >= 0))
            return ph_fail(err, PH_EARG, "%s: %s is %g; wanted a finite number from 0", self->name, what,
                           tol);
    }
    *out = (op_spec){.dtype = ARR_BOOL};
    return arr_broadcast_shape(&ndim, shape, (const arr *const[]){&in[0], &in[1]}, 2, self->name, err);
}

static ph_status close_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                               ph_err *err) {
    (void)attrs;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    close_job j = {
        .a = &in[0], .b = &in[1], .rtol = tolerance(in, n, 2, 1e-5), .atol = tolerance(in, n, 3, 1e-8)};
    ph_status st =
        arr_broadcast_shape(&ndim, shape, (const arr *const[]){&in[0], &in[1]}, 2, self->name, err);
    if (st != PH_OK) return st;
    arr_walk_init(&j.walk, ndim, shape);
    arr_walk_add(&j.walk, j.a);
    arr_walk_add(&j.walk, j.b);
    arr_walk_ready(&j.walk);
    st = arr_spans(close_span, &j, j.walk.size, err);
    *(unsigned char *)out->data = !atomic_load(&j.differ);
    return st;
}

/* allclose(a, b [, rtol [, atol]]): rtol 1e-5 and atol 1e-8 when left out, as in NumPy. */
const op arr_close_ops[] = {
    {.name = "allclose",
     .min_in = 2,
     .max_in = 4,
     .n_out = 1,
     .sig = OP_SIG_OTHER,
     .flags = OP_SCALAR_OUT,
     .shape = close_shape,
     .forward = close_forward},
};
const int arr_close_nops = sizeof arr_close_ops / sizeof arr_close_ops[0];
