/* move.c: rows that copy elements to new places: concat, stack, take, diag, triu, tril, tile, roll. */
#include "array/loop.h"
#include "array/row.h"

#include <math.h>
#include <string.h>

static ph_status axis_or(int *axis, int otherwise, int ndim, const op *self, const op_attrs *attrs,
                         ph_err *err) {
    return arr_axis(axis, ndim, attrs->has_axis ? attrs->axis : otherwise, attrs->base, self->name, err);
}

/* Elements first <= i < first+count of one axis, as a view. */
static ph_status section(arr *out, const arr *a, int axis, int64_t first, int64_t count, ph_err *err) {
    arr_range r[ARR_MAXDIM];
    for (int i = 0; i < axis; i++) r[i] = (arr_range){0, 1, a->shape[i], false};
    r[axis] = (arr_range){first, 1, count, false};
    return arr_slice(out, a, axis + 1, r, err);
}

/* Writes src into a section of dst. */
static ph_status place(const arr *dst, int axis, int64_t first, const arr *src, ph_err *err) {
    arr to = ARR_NONE;
    ph_status st;
    if (src->shape[axis] == 0) return PH_OK;
    PH_TRY(section(&to, dst, axis, first, src->shape[axis], err));
    st = arr_assign(&to, src, err);
done:
    arr_drop(&to);
    return st;
}

/* ---- concat, stack ------------------------------------------------------------------------------------- */

static bool same_but(const arr *a, const arr *b, int axis) {
    if (a->ndim != b->ndim) return false;
    for (int i = 0; i < a->ndim; i++)
        if (i != axis && a->shape[i] != b->shape[i]) return false;
    return true;
}

static ph_status check_alike(const op *self, const arr *in, int n, int axis, ph_err *err) {
    char a[200], b[200];
    for (int i = 1; i < n; i++)
        if (!same_but(&in[0], &in[i], axis))
            return ph_fail(err, PH_EARG, "%s: operand 1 has shape %s, operand %d has %s; sizes must agree%s",
                           self->name, arr_shape_text(a, sizeof a, &in[0]), i + 1,
                           arr_shape_text(b, sizeof b, &in[i]), axis >= 0 ? " except along the axis" : "");
    return PH_OK;
}

static void promoted_spec(op_spec *out, const arr *in, int n) {
    same_spec(out, &in[0]);
    for (int i = 1; i < n; i++) out->dtype = arr_promote(out->dtype, in[i].dtype);
}

SHAPE(concat) {
    int axis;
    ph_status st;
    if (in[0].ndim == 0)
        return ph_fail(err, PH_EARG, "concat: operand 1 is a single number; stack joins numbers");
    PH_TRY(axis_or(&axis, 0, in[0].ndim, self, attrs, err));
    PH_TRY(check_alike(self, in, n, axis, err));
    promoted_spec(out, in, n);
    for (int i = 1; i < n; i++)
        if (__builtin_add_overflow(out->shape[axis], in[i].shape[axis], &out->shape[axis]))
            return ph_fail(err, PH_EARG, "concat: the sizes add up to more than any memory");
done:
    return st;
}

FORWARD(concat) {
    int axis;
    int64_t at = 0;
    ph_status st = axis_or(&axis, 0, in[0].ndim, self, attrs, err);
    for (int i = 0; i < n && st == PH_OK; i++) {
        st = place(out, axis, at, &in[i], err);
        at += in[i].shape[axis];
    }
    return st;
}

SHAPE(stack) {
    int axis;
    ph_status st;
    if (in[0].ndim == ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "stack: the operands have %d dimensions, the most there are",
                       ARR_MAXDIM);
    PH_TRY(axis_or(&axis, 0, in[0].ndim + 1, self, attrs, err));
    PH_TRY(check_alike(self, in, n, -1, err));
    promoted_spec(out, in, n);
    for (int i = out->ndim++; i > axis; i--) out->shape[i] = out->shape[i - 1];
    out->shape[axis] = n;
done:
    return st;
}

FORWARD(stack) {
    int axis;
    ph_status st = axis_or(&axis, 0, in[0].ndim + 1, self, attrs, err);
    for (int i = 0; i < n && st == PH_OK; i++) {
        arr one = ARR_NONE;
        st = arr_unsqueeze(&one, &in[i], axis);
        if (st == PH_OK) st = place(out, axis, i, &one, err);
        arr_drop(&one);
    }
    return st;
}

/* ---- take ---------------------------------------------------------------------------------------------- */

/* take(x, index) along an axis: x (A, n, B), index (S...) -> (A, S..., B). */
SHAPE(take) {
    (void)n;
    int axis;
    const arr *index = &in[1];
    ph_status st = axis_or(&axis, 0, in[0].ndim, self, attrs, err);
    if (st != PH_OK) return st;
    if (index->dtype == ARR_BOOL || index->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "take: the indices are %s; wanted whole numbers",
                       arr_dtype_name(index->dtype));
    if (in[0].ndim - 1 + index->ndim > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "take: the result would have %d dimensions; at most %d",
                       in[0].ndim - 1 + index->ndim, ARR_MAXDIM);
    out->dtype = in[0].dtype;
    for (int i = 0; i < axis; i++) out->shape[out->ndim++] = in[0].shape[i];
    for (int i = 0; i < index->ndim; i++) out->shape[out->ndim++] = index->shape[i];
    for (int i = axis + 1; i < in[0].ndim; i++) out->shape[out->ndim++] = in[0].shape[i];
    return PH_OK;
}

/* Counts from base, negative from the end, into 0 .. size-1. */
static ph_status resolve_index(int64_t *at, double given, int64_t size, int base, ph_err *err) {
    if (!(given == floor(given) && fabs(given) <= 0x1p53))
        return ph_fail(err, PH_EARG, "take: index is %g; wanted a whole number", given);
    int64_t i = (int64_t)given;
    *at = i < 0 ? i + size : i - base;
    if (*at >= 0 && *at < size) return PH_OK;
    return ph_fail(err, PH_EARG, "take: index is %lld; the axis has size %lld and its first is %d",
                   (long long)i, (long long)size, base);
}

FORWARD(take) {
    (void)n;
    arr x = ARR_NONE, index = ARR_NONE;
    int64_t *at = NULL;
    int axis;
    ph_status st;
    PH_TRY(axis_or(&axis, 0, in[0].ndim, self, attrs, err));
    PH_TRY(arr_contiguous(&x, &in[0], in[0].dtype, err));
    PH_TRY(arr_contiguous(&index, &in[1], ARR_F64, err));
    int64_t size = x.shape[axis], count = arr_size(&index), outer = 1;
    size_t inner = arr_itemsize(x.dtype);
    for (int i = 0; i < axis; i++) outer *= x.shape[i];
    for (int i = axis + 1; i < x.ndim; i++) inner *= (size_t)x.shape[i];
    at = ph_alloc((size_t)count * sizeof *at);
    if (!at) {
        st = ph_fail_nomem(err, (size_t)count * sizeof *at);
        goto done;
    }
    for (int64_t k = 0; k < count && !ph_interrupted(); k++)
        PH_TRY(resolve_index(&at[k], ((double *)index.data)[k], size, attrs->base, err));
    char *to = out->data;
    for (int64_t a = 0; a < outer; a++)
        for (int64_t k = 0; k < count && !ph_interrupted(); k++, to += inner)
            memcpy(to, x.data + (size_t)(a * size + at[k]) * inner, inner);
    if (ph_interrupted()) st = ph_fail_interrupted(err);
done:
    ph_free(at);
    arr_drop(&index);
    arr_drop(&x);
    return st;
}

/* ---- diagonals and triangles --------------------------------------------------------------------------- */

static int64_t diagonal(const op_attrs *attrs) { return attrs->nints > 0 ? attrs->ints[0] : 0; }

/* Length of diagonal k of an (m, n) matrix: 0 when it lies outside. */
static int64_t diagonal_size(int64_t m, int64_t n, int64_t k) {
    int64_t len = k >= 0 ? (k >= n ? 0 : n - k) : (k <= -m ? 0 : m + k);
    int64_t most = k >= 0 ? m : n;
    return len < most ? len : most;
}

/* diag(v)[i, i+k] = v[i], 0 elsewhere; diag(A)[i] = A[i, i+k]. */
SHAPE(diag) {
    (void)n;
    char text[200];
    int64_t k = diagonal(attrs), away, size;
    out->dtype = in->dtype;
    if (in->ndim == 2) {
        out->ndim = 1;
        out->shape[0] = diagonal_size(in->shape[0], in->shape[1], k);
        return PH_OK;
    }
    if (in->ndim != 1)
        return ph_fail(err, PH_EARG, "%s: x has shape %s; wanted a vector or a matrix", self->name,
                       arr_shape_text(text, sizeof text, in));
    if (__builtin_sub_overflow(k < 0 ? (int64_t)0 : k, k < 0 ? k : 0, &away) ||
        __builtin_add_overflow(in->shape[0], away, &size))
        return ph_fail(err, PH_EARG, "%s: diagonal %lld is too far out for any memory", self->name,
                       (long long)k);
    out->ndim = 2;
    out->shape[0] = out->shape[1] = size;
    return PH_OK;
}

/* The k-th diagonal of a matrix, as a borrowed view. */
static arr diagonal_of(const arr *a, int64_t k) {
    arr v = *a;
    v.ndim = 1;
    v.shape[0] = diagonal_size(a->shape[0], a->shape[1], k);
    v.stride[0] = a->stride[0] + a->stride[1];
    if (v.shape[0] > 0)
        v.data += (k < 0 ? -k * a->stride[0] : k * a->stride[1]) * (int64_t)arr_itemsize(a->dtype);
    return v;
}

FORWARD(diag) {
    UNUSED;
    if (in->ndim == 2) {
        arr line = diagonal_of(in, diagonal(attrs));
        return arr_assign(out, &line, err);
    }
    memset(out->data, 0, (size_t)arr_size(out) * arr_itemsize(out->dtype));
    arr line = diagonal_of(out, diagonal(attrs));
    return arr_assign(&line, in, err);
}

SHAPE(triangle) {
    (void)n, (void)attrs;
    char text[200];
    if (in->ndim < 2)
        return ph_fail(err, PH_EARG, "%s: x has shape %s; wanted a matrix or a stack of them", self->name,
                       arr_shape_text(text, sizeof text, in));
    same_spec(out, in);
    return PH_OK;
}

static int64_t clamp(int64_t x, int64_t hi) { return x < 0 ? 0 : x > hi ? hi : x; }

/* Row r keeps columns [0, r+k] (tril) or [r+k, n) (triu); the rest is 0. */
static ph_status triangle(arr *out, const arr *in, int64_t k, bool lower, ph_err *err) {
    ph_status st = arr_assign(out, in, err);
    int64_t n = out->shape[out->ndim - 1], m = out->shape[out->ndim - 2], size = arr_size(out);
    size_t item = arr_itemsize(out->dtype);
    if (st != PH_OK || size == 0) return st;
    for (int64_t row = 0; row < size / n; row++) {
        int64_t r = row % m, edge = clamp(k >= 0 ? (k > n ? n : r + k) : (k < -m ? 0 : r + k), n);
        int64_t lo = 0, hi = edge;
        if (lower) {
            lo = k < -m ? 0 : clamp(k > n ? n : r + k + 1, n);
            hi = n;
        }
        memset(out->data + (size_t)(row * n + lo) * item, 0, (size_t)(hi - lo) * item);
    }
    return PH_OK;
}

FORWARD(triu) {
    UNUSED;
    return triangle(out, in, diagonal(attrs), false, err);
}
FORWARD(tril) {
    UNUSED;
    return triangle(out, in, diagonal(attrs), true, err);
}

/* ---- tile, roll ---------------------------------------------------------------------------------------- */

/* x repeated r_i times along dimension i; fewer repetitions than dimensions count from the last one. */
SHAPE(tile) {
    (void)n, (void)self;
    int ndim = attrs->nints > in->ndim ? attrs->nints : in->ndim;
    if (ndim > ARR_MAXDIM) return ph_fail(err, PH_EARG, "tile: %d repetitions; at most %d", ndim, ARR_MAXDIM);
    out->dtype = in->dtype;
    out->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        int64_t size = i < ndim - in->ndim ? 1 : in->shape[i - (ndim - in->ndim)];
        int64_t times = i < ndim - attrs->nints ? 1 : attrs->ints[i - (ndim - attrs->nints)];
        if (times < 0)
            return ph_fail(err, PH_EARG, "tile: %lld repetitions; wanted 0 or more", (long long)times);
        if (__builtin_mul_overflow(size, times, &out->shape[i]))
            return ph_fail(err, PH_EARG, "tile: %lld times %lld elements are too many for any memory",
                           (long long)times, (long long)size);
    }
    return PH_OK;
}

#define COPY ((size_t)1 << 20) /* bytes between two looks at the interrupt */

/* Fills dst up to `total` bytes, a multiple of `block`, with copies of its first block, in ever longer pieces. */
static void repeat_block(char *dst, size_t block, size_t total) {
    size_t most = block < COPY ? COPY / block * block : block;
    for (size_t have = block; have < total && !ph_interrupted();) {
        size_t more = have < most ? have : most;
        if (more > total - have) more = total - have;
        memcpy(dst + have, dst, more);
        have += more;
    }
}

/* Writes dimensions d.. of x, tiled to `shape`, at dst; returns the end. One copy of the block is made by
 * recursion, the others from it. */
static char *tile_from(char *dst, const char *src, const arr *x, const int64_t *shape, int d) {
    size_t item = arr_itemsize(x->dtype);
    char *end = dst;
    int64_t step = x->stride[d] * (int64_t)item;
    if (d == x->ndim - 1) {
        arr_cast_run(dst, x->dtype, 1, src, x->dtype, x->stride[d], x->shape[d]);
        end = dst + (size_t)x->shape[d] * item;
    } else {
        for (int64_t i = 0; i < x->shape[d]; i++) end = tile_from(end, src + i * step, x, shape, d + 1);
    }
    size_t block = (size_t)(end - dst), total = block * (size_t)(shape[d] / x->shape[d]);
    repeat_block(dst, block, total);
    return dst + total;
}

FORWARD(tile) {
    UNUSED;
    arr x = ARR_NONE;
    int64_t ones[ARR_MAXDIM];
    if (arr_size(out) == 0) return PH_OK;
    for (int i = 0; i < out->ndim; i++)
        ones[i] = i < out->ndim - in->ndim ? 1 : in->shape[i - (out->ndim - in->ndim)];
    ph_status st = arr_broadcast_to(&x, in, out->ndim, ones, err);
    if (st == PH_OK && x.ndim == 0) memcpy(out->data, x.data, arr_itemsize(x.dtype));
    else if (st == PH_OK) tile_from(out->data, x.data, &x, out->shape, 0);
    arr_drop(&x);
    return st == PH_OK && ph_interrupted() ? ph_fail_interrupted(err) : st;
}

/* out[(i + shift) mod n] = x[i] along one axis. */
SHAPE(roll) {
    (void)n;
    int axis;
    ph_status st = axis_or(&axis, -1, in->ndim, self, attrs, err);
    if (st == PH_OK && attrs->nints != 1) st = ph_fail(err, PH_EARG, "roll: wanted one shift");
    same_spec(out, in);
    return st;
}

FORWARD(roll) {
    (void)n;
    arr head = ARR_NONE, tail = ARR_NONE;
    int axis;
    ph_status st;
    PH_TRY(axis_or(&axis, -1, in->ndim, self, attrs, err));
    int64_t size = in->shape[axis];
    if (arr_size(in) == 0) goto done;
    int64_t shift = (attrs->ints[0] % size + size) % size;
    PH_TRY(section(&head, in, axis, 0, size - shift, err));
    PH_TRY(section(&tail, in, axis, size - shift, shift, err));
    PH_TRY(place(out, axis, shift, &head, err));
    st = place(out, axis, 0, &tail, err);
done:
    arr_drop(&head);
    arr_drop(&tail);
    return st;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

#define ROW(NAME, LO, HI, SHAPE_FN, FN)                                                                      \
    {                                                                                                        \
        .name = NAME, .min_in = LO, .max_in = HI, .n_out = 1, .sig = OP_SIG_OTHER, .flags = OP_SMOOTH,       \
        .shape = SHAPE_FN, .forward = FN                                                                     \
    }

const op arr_move_ops[] = {
    ROW("concat", 1, -1, concat_shape, concat), ROW("stack", 1, -1, stack_shape, stack),
    ROW("take", 2, 2, take_shape, take),        ROW("diag", 1, 1, diag_shape, diag),
    ROW("triu", 1, 1, triangle_shape, triu),    ROW("tril", 1, 1, triangle_shape, tril),
    ROW("tile", 1, 1, tile_shape, tile),        ROW("roll", 1, 1, roll_shape, roll),
};
const int arr_move_nops = sizeof arr_move_ops / sizeof arr_move_ops[0];
