/* array.c: element types, life, copies and single elements.
 *
 * Storage is one block: a 64-byte head with the reference count, then the data, 64-byte aligned. Counts are
 * plain integers: only the main thread makes and ends arrays (worker threads see raw pointers).
 */
#include "array/array.h"

#include "array/loop.h"
#include "base/parallel.h"

#include <stdio.h>
#include <string.h>

#define HEAD 64

struct arr_buf {
    size_t bytes; /* of the whole block */
    int64_t refs;
    uint64_t writes;
};

/* ---- element types ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t size;
} dtypes[ARR_NDTYPE] = {
    [ARR_BOOL] = {"bool", 1}, [ARR_F32] = {"f32", 4}, [ARR_F64] = {"f64", 8}, [ARR_C128] = {"c128", 16}};

size_t arr_itemsize(arr_dtype t) { return dtypes[t].size; }
const char *arr_dtype_name(arr_dtype t) { return dtypes[t].name; }

bool arr_dtype_parse(arr_dtype *out, const char *name) {
    for (int t = 0; t < ARR_NDTYPE; t++)
        if (strcmp(dtypes[t].name, name) == 0) {
            *out = (arr_dtype)t;
            return true;
        }
    return false;
}

arr_dtype arr_promote(arr_dtype a, arr_dtype b) { return a > b ? a : b; }

static int kind(arr_dtype t) { return t == ARR_BOOL ? 0 : t == ARR_C128 ? 2 : 1; }

arr_dtype arr_common(const arr *in, int n) {
    arr_dtype wide = ARR_BOOL, scalar = ARR_BOOL;
    for (int i = 0; i < n; i++) {
        arr_dtype *t = in[i].ndim ? &wide : &scalar;
        *t = arr_promote(*t, in[i].dtype);
    }
    return kind(scalar) > kind(wide) ? scalar : wide;
}

/* ---- life ---------------------------------------------------------------------------------------------- */

char *arr_dims_text(char *buf, size_t cap, int ndim, const int64_t *shape) {
    size_t used = (size_t)snprintf(buf, cap, "(");
    for (int i = 0; i < ndim && used < cap; i++)
        used += (size_t)snprintf(buf + used, cap - used, i ? ", %lld" : "%lld", (long long)shape[i]);
    if (used < cap) snprintf(buf + used, cap - used, ")");
    return buf;
}

char *arr_shape_text(char *buf, size_t cap, const arr *a) {
    return arr_dims_text(buf, cap, a->ndim, a->shape);
}

ph_status arr_check_shape(size_t *bytes, arr_dtype t, int ndim, const int64_t *shape, ph_err *err) {
    char text[200];
    if (ndim < 0 || ndim > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "an array of %d dimensions; wanted 0 to %d", ndim, ARR_MAXDIM);
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return ph_fail(err, PH_EARG, "shape %s has a negative size",
                           arr_dims_text(text, sizeof text, ndim, shape));
    if (!ph_shape_bytes(bytes, shape, ndim, arr_itemsize(t)) || !ph_add_size(bytes, *bytes, HEAD) ||
        *bytes > PTRDIFF_MAX)
        return ph_fail(err, PH_EARG, "shape %s is too large for any memory",
                       arr_dims_text(text, sizeof text, ndim, shape));
    return PH_OK;
}

void arr_set_shape(arr *a, int ndim, const int64_t *shape) {
    int64_t step = 1;
    a->ndim = ndim;
    for (int i = ndim - 1; i >= 0; i--) {
        a->shape[i] = shape[i];
        a->stride[i] = step;
        step *= shape[i] > 0 ? shape[i] : 1;
    }
}

ph_status arr_new(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_err *err) {
    size_t bytes;
    *out = ARR_NONE;
    ph_status st = arr_check_shape(&bytes, t, ndim, shape, err);
    if (st != PH_OK) return st;
    arr_buf *buf = ph_block_alloc(bytes);
    if (!buf) return ph_fail_nomem(err, bytes);
    *buf = (arr_buf){.bytes = bytes, .refs = 1};
    out->buf = buf;
    out->data = (char *)buf + HEAD;
    out->dtype = t;
    arr_set_shape(out, ndim, shape);
    return PH_OK;
}

ph_status arr_zeros(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_err *err) {
    ph_status st = arr_new(out, t, ndim, shape, err);
    if (st == PH_OK)
        memset(out->data, 0, (size_t)arr_size(out) * arr_itemsize(t)); /* all bits 0 is 0 in every type */
    return st;
}

arr arr_ref(const arr *a) {
    if (a->buf) a->buf->refs++;
    return *a;
}

void arr_drop(arr *a) {
    if (a->buf && --a->buf->refs == 0) ph_block_free(a->buf, a->buf->bytes);
    *a = ARR_NONE;
}

bool arr_is_shared(const arr *a) { return a->buf && a->buf->refs > 1; }

uint64_t arr_writes(const arr *a) { return a->buf ? a->buf->writes : 0; }

void arr_written(const arr *a) {
    if (a->buf) a->buf->writes++;
}

/* ---- questions ----------------------------------------------------------------------------------------- */

int64_t arr_size(const arr *a) {
    int64_t n = 1;
    for (int i = 0; i < a->ndim; i++) n *= a->shape[i];
    return n;
}

bool arr_is_contiguous(const arr *a) {
    int64_t step = 1;
    if (arr_size(a) == 0) return true;
    for (int i = a->ndim - 1; i >= 0; i--) {
        if (a->shape[i] != 1 && a->stride[i] != step) return false;
        step *= a->shape[i];
    }
    return true;
}

bool arr_same_shape(const arr *a, const arr *b) {
    return a->ndim == b->ndim && memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

/* ---- copies -------------------------------------------------------------------------------------------- */

typedef struct {
    arr_walk walk; /* operand 0: dst, operand 1: src */
    const arr *dst, *src;
} copy_job;

static void copy_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    const copy_job *j = ctx;
    arr_cast_run(j->dst->data + at[0] * (int64_t)arr_itemsize(j->dst->dtype), j->dst->dtype, step[0],
                 j->src->data + at[1] * (int64_t)arr_itemsize(j->src->dtype), j->src->dtype, step[1], n);
}

static void copy_span(void *ctx, int64_t lo, int64_t hi) {
    copy_job *j = ctx;
    arr_walk_run(&j->walk, lo, hi, copy_run, j);
}

/* Runs with jumps between them wait for memory more than for anything: smaller pieces than arr_spans takes. */
#define COPY_PIECE 8192
static void copy_piece(void *ctx, int64_t piece) {
    copy_job *j = ctx;
    int64_t lo = piece * COPY_PIECE, hi = lo + COPY_PIECE;
    copy_span(j, lo, hi < j->walk.size ? hi : j->walk.size);
}

/* dst and src do not overlap; src broadcasts to dst. */
static ph_status copy(const arr *dst, const arr *src, ph_err *err) {
    copy_job j = {.dst = dst, .src = src};
    arr_walk_init(&j.walk, dst->ndim, dst->shape);
    arr_walk_add(&j.walk, dst);
    arr_walk_add(&j.walk, src);
    arr_walk_ready(&j.walk);
    if (j.walk.ndim > 1 && j.walk.size > COPY_PIECE)
        return ph_parallel(copy_piece, &j, (j.walk.size - 1) / COPY_PIECE + 1, err);
    return arr_spans(copy_span, &j, j.walk.size, err);
}

static void see_imaginary(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    const arr_c128 *x = (const arr_c128 *)((const copy_job *)ctx)->src->data + at[0];
    arr_c128 *seen = (arr_c128 *)((const copy_job *)ctx)->dst->data;
    for (int64_t i = 0; i < n; i++)
        if (x[i * step[0]].im != 0) *seen = x[i * step[0]];
}

/* Going from complex to real loses nothing, or is refused. */
static ph_status check_real(const arr *a, arr_dtype t, ph_err *err) {
    if (a->dtype != ARR_C128 || t == ARR_C128 || t == ARR_BOOL) return PH_OK;
    arr_c128 seen = {0, 0};
    arr into = {.data = (char *)&seen};
    copy_job j = {.dst = &into, .src = a};
    arr_walk_init(&j.walk, a->ndim, a->shape);
    arr_walk_add(&j.walk, a);
    arr_walk_ready(&j.walk);
    arr_walk_run(&j.walk, 0, j.walk.size, see_imaginary, &j);
    if (seen.im == 0) return PH_OK;
    return ph_fail(err, PH_EARG, "%g%+gi does not fit in %s; take re or abs first", seen.re, seen.im,
                   arr_dtype_name(t));
}

ph_status arr_convert(arr *out, const arr *a, arr_dtype t, ph_err *err) {
    *out = ARR_NONE;
    ph_status st = check_real(a, t, err);
    if (st == PH_OK) st = arr_new(out, t, a->ndim, a->shape, err);
    if (st == PH_OK) st = copy(out, a, err);
    if (st != PH_OK) arr_drop(out);
    return st;
}

ph_status arr_contiguous(arr *out, const arr *a, arr_dtype t, ph_err *err) {
    if (a->dtype != t || !arr_is_contiguous(a)) return arr_convert(out, a, t, err);
    *out = arr_ref(a);
    return PH_OK;
}

/* Bytes [lo, hi) that a view touches. */
static void extent(const arr *a, const char **lo, const char **hi) {
    int64_t item = (int64_t)arr_itemsize(a->dtype);
    *lo = a->data;
    *hi = a->data + item;
    for (int i = 0; i < a->ndim; i++) {
        int64_t reach = (a->shape[i] - 1) * a->stride[i] * item;
        if (reach < 0) *lo += reach;
        else *hi += reach;
    }
}

static bool overlap(const arr *a, const arr *b) {
    const char *alo, *ahi, *blo, *bhi;
    if (a->buf != b->buf) return false;
    extent(a, &alo, &ahi);
    extent(b, &blo, &bhi);
    return alo < bhi && blo < ahi;
}

ph_status arr_assign(const arr *dst, const arr *src, ph_err *err) {
    arr view = ARR_NONE, temp = ARR_NONE;
    ph_status st;
    PH_TRY(arr_broadcast_to(&view, src, dst->ndim, dst->shape, err));
    if (arr_size(dst) == 0) goto done;
    PH_TRY(check_real(src, dst->dtype, err));
    if (overlap(dst, src)) {
        PH_TRY(arr_convert(&temp, src, dst->dtype, err));
        st = copy(dst, &temp, err);
    } else {
        st = copy(dst, &view, err);
    }
done:
    arr_drop(&view);
    arr_drop(&temp);
    return st;
}

/* ---- single elements ----------------------------------------------------------------------------------- */

void *arr_at(const arr *a, const int64_t *index) {
    int64_t at = 0;
    for (int i = 0; i < a->ndim; i++) at += index[i] * a->stride[i];
    return a->data + at * (int64_t)arr_itemsize(a->dtype);
}

arr_c128 arr_get_c128(const arr *a, const void *at) {
    arr_c128 z;
    arr_cast_run(&z, ARR_C128, 1, at, a->dtype, 1, 1);
    return z;
}

double arr_get_num(const arr *a, const void *at) { return arr_get_c128(a, at).re; }

ph_status arr_put_c128(const arr *a, void *at, arr_c128 v, ph_err *err) {
    if (v.im != 0 && a->dtype != ARR_C128)
        return ph_fail(err, PH_EARG, "%g%+gi does not fit in %s; take re or abs first", v.re, v.im,
                       arr_dtype_name(a->dtype));
    arr_cast_run(at, a->dtype, 1, &v, ARR_C128, 1, 1);
    return PH_OK;
}

ph_status arr_scalar(arr *out, arr_dtype t, arr_c128 v, ph_err *err) {
    ph_status st = arr_new(out, t, 0, NULL, err);
    if (st == PH_OK) st = arr_put_c128(out, out->data, v, err);
    if (st != PH_OK) arr_drop(out);
    return st;
}
