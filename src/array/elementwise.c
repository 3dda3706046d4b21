/* elementwise.c: the shape rule and the driver of every elementwise row: broadcasting, types, pieces. */
#include "array/elementwise.h"

#include "array/loop.h"

#define MAXIN 3
#define CHUNK 512 /* elements of another type that are cast at once, on the stack */

static const char *operand_name(const op *row, int i) {
    static const char *const plain[] = {"x", "y"}, *const masked[] = {"the condition", "x", "y"};
    return ((const arr_ew *)row->kernel)->mask ? masked[i] : plain[i];
}

static bool has_loop(const arr_ew *k, arr_dtype t) { return k->loop[t] != NULL; }

static ph_status no_loop(const op *row, const arr *in, int n, ph_err *err) {
    const arr_ew *k = row->kernel;
    for (int i = k->mask; i < n; i++) {
        bool bad = in[i].dtype == ARR_C128 ? !has_loop(k, ARR_C128)
                                           : !has_loop(k, ARR_F64) && in[i].dtype != ARR_BOOL;
        if (bad)
            return ph_fail(err, PH_EARG, "%s: %s is %s; wanted %s; %s", row->name, operand_name(row, i),
                           arr_dtype_name(in[i].dtype), has_loop(k, ARR_F64) ? "real numbers" : "bool",
                           k->hint);
    }
    return ph_fail(err, PH_EARG, "%s: operand types not handled", row->name);
}

/* The computing type. */
static ph_status computing_type(arr_dtype *t, const op *row, const arr *in, int n, ph_err *err) {
    const arr_ew *k = row->kernel;
    *t = arr_common(in + k->mask, n - k->mask);
    if (*t == ARR_BOOL && !has_loop(k, ARR_BOOL)) *t = ARR_F64;
    if (!has_loop(k, *t)) return no_loop(row, in, n, err);
    if (k->mask && in[0].dtype != ARR_BOOL)
        return ph_fail(err, PH_EARG, "%s: the condition is %s; wanted bool, as gt(x, 0) gives", row->name,
                       arr_dtype_name(in[0].dtype));
    return PH_OK;
}

ph_status arr_ew_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                       ph_err *err) {
    (void)attrs;
    const arr *each[MAXIN];
    arr_dtype t;
    ph_status st = computing_type(&t, self, in, n, err);
    if (st != PH_OK) return st;
    for (int i = 0; i < n; i++) each[i] = &in[i];
    out->dtype = ((const arr_ew *)self->kernel)->result[t];
    return arr_broadcast_shape(&out->ndim, out->shape, each, n, self->name, err);
}

typedef struct {
    arr_walk walk; /* operand 0: the output, then the inputs */
    const arr *out, *in;
    int n;
    bool cast; /* some operand is not of its computing type */
    arr_dtype type[MAXIN];
    arr_ew_loop *loop, *past; /* past: NULL, or where the steps are 0 or 1 instead of `loop` */
} ew_job;

static void run_loop(const ew_job *j, void *out, const void *const *in, const int64_t *step, int64_t n) {
    const bool close = j->past && (uint64_t)step[0] <= 1 && (uint64_t)step[1] <= 1 && step[0] + step[1] > 0;
    (close ? j->past : j->loop)(out, in, step, n);
}

static void plain_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    const ew_job *j = ctx;
    const void *in[MAXIN];
    for (int i = 0; i < j->n; i++) in[i] = j->in[i].data + at[i + 1] * (int64_t)arr_itemsize(j->in[i].dtype);
    run_loop(j, j->out->data + at[0] * (int64_t)arr_itemsize(j->out->dtype), in, step + 1, n);
}

static void cast_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    const ew_job *j = ctx;
    arr_c128 temp[MAXIN][CHUNK]; /* room for any type, aligned for any */
    const void *in[MAXIN];
    int64_t pace[MAXIN];
    for (int64_t done = 0; done < n; done += CHUNK) {
        int64_t m = n - done < CHUNK ? n - done : CHUNK;
        for (int i = 0; i < j->n; i++) {
            arr_dtype have = j->in[i].dtype;
            int64_t s = step[i + 1];
            in[i] = j->in[i].data + (at[i + 1] + done * s) * (int64_t)arr_itemsize(have);
            pace[i] = s;
            if (have == j->type[i]) continue;
            arr_cast_run(temp[i], j->type[i], 1, in[i], have, s, s ? m : 1);
            in[i] = temp[i];
            pace[i] = s ? 1 : 0;
        }
        run_loop(j, j->out->data + (at[0] + done) * (int64_t)arr_itemsize(j->out->dtype), in, pace, m);
    }
}

/* ---- short rows ---------------------------------------------------------------------------------------- */

/* A call of the loop for each row of a few elements costs more than the row. So `rows` rows of n elements are brought to lie one
 * behind another, to[r n + i] = from[r apart + i step], and are one run for the loop. */
#define SHORT 128 /* a row of fewer elements is short */
#define SPREAD(NAME, T)                                                                                      \
    ARR_CLONES static void NAME(void *to_, const void *from_, int64_t rows, int64_t apart, int64_t n,        \
                                int64_t step) {                                                              \
        T *restrict to = to_;                                                                                \
        const T *from = from_;                                                                               \
        for (int64_t r = 0; r < rows; r++, to += n, from += apart) {                                         \
            const T first = from[0];                                                                         \
            if (step == 0)                                                                                   \
                for (int64_t i = 0; i < n; i++) to[i] = first;                                               \
            else                                                                                             \
                for (int64_t i = 0; i < n; i++) to[i] = from[i * step];                                      \
        }                                                                                                    \
    }
SPREAD(spread_bool, arr_bool)
SPREAD(spread_f32, float)
SPREAD(spread_f64, double)
SPREAD(spread_c128, arr_c128)
static void (*const spread[ARR_NDTYPE])(void *, const void *, int64_t, int64_t, int64_t,
                                        int64_t) = {spread_bool, spread_f32, spread_f64, spread_c128};

static void rows_run(void *ctx, const int64_t *at, const int64_t *step, int64_t rows) {
    const ew_job *j = ctx;
    const arr_walk *w = &j->walk;
    const int last = w->ndim - 1;
    const int64_t n = w->shape[last], each = CHUNK / n;
    arr_c128 temp[MAXIN][CHUNK];
    const void *in[MAXIN];
    int64_t pace[MAXIN];
    for (int64_t done = 0; done < rows; done += each) {
        int64_t m = rows - done < each ? rows - done : each;
        for (int i = 0; i < j->n; i++) {
            const int64_t s = w->stride[i + 1][last], apart = step[i + 1];
            in[i] = j->in[i].data + (at[i + 1] + done * apart) * (int64_t)arr_itemsize(j->in[i].dtype);
            pace[i] = s;
            if (apart == n * s) continue;
            if (apart != 0 || done == 0) spread[j->in[i].dtype](temp[i], in[i], m, apart, n, s);
            in[i] = temp[i];
            pace[i] = 1;
        }
        run_loop(j, j->out->data + (at[0] + done * n) * (int64_t)arr_itemsize(j->out->dtype), in, pace,
                 m * n);
    }
}

/* Whole rows together; what is cut off at either end as it lies. */
static void rows_span(ew_job *j, int64_t lo, int64_t hi) {
    arr_walk rows = j->walk;
    const int64_t n = rows.shape[--rows.ndim], first = (lo + n - 1) / n, end = hi / n;
    if (first >= end) {
        arr_walk_run(&j->walk, lo, hi, plain_run, j);
        return;
    }
    arr_walk_run(&j->walk, lo, first * n, plain_run, j);
    arr_walk_run(&rows, first, end, rows_run, j);
    arr_walk_run(&j->walk, end * n, hi, plain_run, j);
}

static void ew_span(void *ctx, int64_t lo, int64_t hi) {
    ew_job *j = ctx;
    if (!j->cast && j->walk.ndim > 1 && j->walk.shape[j->walk.ndim - 1] < SHORT) rows_span(j, lo, hi);
    else arr_walk_run(&j->walk, lo, hi, j->cast ? cast_run : plain_run, j);
    if (j->past) ph_written_past();
}

ph_status arr_ew_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs, ph_err *err) {
    (void)attrs;
    const arr_ew *k = self->kernel;
    arr_dtype t;
    ph_status st = computing_type(&t, self, in, n, err);
    if (st != PH_OK) return st;
    ew_job j = {.out = out, .in = in, .n = n, .loop = k->loop[t]};
    arr_walk_init(&j.walk, out->ndim, out->shape);
    arr_walk_add(&j.walk, out);
    for (int i = 0; i < n; i++) {
        arr_walk_add(&j.walk, &in[i]);
        j.type[i] = k->mask && i == 0 ? ARR_BOOL : t;
        j.cast = j.cast || in[i].dtype != j.type[i];
    }
    arr_walk_ready(&j.walk);
    if ((size_t)j.walk.size >= PH_PAST / arr_itemsize(out->dtype)) j.past = arr_ew_past(k->past, t);
    return arr_spans(ew_span, &j, j.walk.size, err);
}
