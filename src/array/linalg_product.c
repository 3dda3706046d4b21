/* linalg_product.c: the rows that multiply: matmul, dot, outer, kron, trace. */
#include "array/linalg.h"

#include <limits.h>
#include <string.h>

/* ---- operands ------------------------------------------------------------------------------------------ */

static void insert_one(arr *x, int at) {
    for (int d = x->ndim; d > at; d--) {
        x->shape[d] = x->shape[d - 1];
        x->stride[d] = x->stride[d - 1];
    }
    x->shape[at] = 1;
    x->stride[at] = 1;
    x->ndim++;
}

/* The operands as stacks of matrices, borrowed: a vector on the left is a row, on the right a column. */
static ph_status as_matrices(arr *a, arr *b, const arr *in, const char *who, ph_err *err) {
    char ta[200], tb[200];
    *a = in[0];
    *b = in[1];
    if (a->ndim == 0 || b->ndim == 0)
        return ph_fail(err, PH_EARG, "%s: %s is a single number; wanted a vector or matrix (use * to scale)",
                       who, a->ndim == 0 ? "A" : "B");
    if (a->ndim == 1) insert_one(a, 0);
    if (b->ndim == 1) insert_one(b, 1);
    if (a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
        return ph_fail(err, PH_EARG,
                       "%s: A is %s and B is %s; wanted as many columns of A (%lld) as rows of B (%lld)", who,
                       arr_shape_text(ta, sizeof ta, &in[0]), arr_shape_text(tb, sizeof tb, &in[1]),
                       (long long)a->shape[a->ndim - 1], (long long)b->shape[b->ndim - 2]);
    return PH_OK;
}

/* Leading dimensions of the result. */
static ph_status batch_shape(int *nbatch, int64_t *shape, const arr *a, const arr *b, const arr *in,
                             const char *who, ph_err *err) {
    char ta[200], tb[200];
    *nbatch = 0;
    if (a->ndim == 2 && b->ndim == 2) return PH_OK;
    arr la = *a, lb = *b;
    la.ndim -= 2;
    lb.ndim -= 2;
    if (arr_broadcast_shape(nbatch, shape, (const arr *const[]){&la, &lb}, 2, who, NULL) == PH_OK)
        return PH_OK;
    return ph_fail(err, PH_EARG,
                   "%s: A is %s and B is %s; the dimensions before the last two must be equal or 1", who,
                   arr_shape_text(ta, sizeof ta, &in[0]), arr_shape_text(tb, sizeof tb, &in[1]));
}

static arr_dtype product_type(const arr *in) {
    arr_dtype t = arr_common(in, 2);
    return t == ARR_BOOL ? ARR_F64 : t;
}

LIN_SHAPE(matmul_shape) {
    (void)nin, (void)attrs;
    arr a, b;
    ph_status st;
    PH_TRY(as_matrices(&a, &b, in, self->name, err));
    PH_TRY(batch_shape(&out->ndim, out->shape, &a, &b, in, self->name, err));
    if (out->ndim + 2 > ARR_MAXDIM) return ph_fail(err, PH_EARG, "%s: too many dimensions", self->name);
    out->dtype = product_type(in);
    if (in[0].ndim > 1) out->shape[out->ndim++] = a.shape[a.ndim - 2];
    if (in[1].ndim > 1) out->shape[out->ndim++] = b.shape[b.ndim - 1];
done:
    return st;
}

static bool stacked(const arr *x) {
    for (int d = 0; d < x->ndim - 2; d++)
        if (x->shape[d] != 1) return true;
    return false;
}

/* Every matrix of A against one B is a single product of all their rows: (..., m, k) becomes (... m, k). */
static ph_status fold_rows(arr *a, arr *b, ph_err *err) {
    int64_t flat[2] = {-1, a->shape[a->ndim - 1]}, one[2] = {b->shape[b->ndim - 2], b->shape[b->ndim - 1]};
    arr fa = ARR_NONE, fb = ARR_NONE;
    ph_status st;
    PH_TRY(arr_reshape(&fa, a, 2, flat, err));
    PH_TRY(arr_reshape(&fb, b, 2, one, err));
    arr_drop(a);
    arr_drop(b);
    *a = fa;
    *b = fb;
    return PH_OK;
done:
    arr_drop(&fa);
    arr_drop(&fb);
    return st;
}

static void measure(lin_product *p, const arr *a, const arr *b) {
    p->m = a->shape[a->ndim - 2];
    p->k = a->shape[a->ndim - 1];
    p->n = b->shape[b->ndim - 1];
}

static ph_status own_copy(arr *x, ph_err *err) {
    arr c;
    ph_status st = arr_convert(&c, x, x->dtype, err);
    if (st != PH_OK) return st;
    arr_drop(x);
    *x = c;
    return PH_OK;
}

/* Replaces x by a contiguous copy unless BLAS can take its matrices as they lie. */
static ph_status make_usable(arr *x, ph_err *err) {
    const int64_t *shape = x->shape + x->ndim - 2, *stride = x->stride + x->ndim - 2;
    return arr_lin_fits(stride[0], stride[1], shape[0], shape[1]) ? PH_OK : own_copy(x, err);
}

static void take_operand(lin_operand *o, const arr *x, int nbatch) {
    int lead = nbatch - (x->ndim - 2);
    o->data = x->data;
    o->row = x->stride[x->ndim - 2];
    o->col = x->stride[x->ndim - 1];
    for (int d = 0; d < nbatch; d++)
        o->batch[d] = d < lead || x->shape[d - lead] == 1 ? 0 : x->stride[d - lead];
}

static ph_status check_counts(const lin_product *p, const char *who, ph_err *err) {
    if (p->m <= INT_MAX && p->n <= INT_MAX && p->k <= INT_MAX) return PH_OK;
    return ph_fail(err, PH_EUNABLE, "%s: a size is over %d; BLAS does not count that far", who, INT_MAX);
}

/* An own reference to x in type t. */
static ph_status in_type(arr *out, const arr *x, arr_dtype t, ph_err *err) {
    if (x->dtype != t) return arr_convert(out, x, t, err);
    *out = arr_ref(x);
    return PH_OK;
}

/* x is a matrix that can be multiplied as it lies. */
static bool as_it_is(const lin_product *p, const arr *x) {
    return arr_lin_is_tiny(p) || arr_lin_is_small(p) ||
           arr_lin_fits(x->stride[0], x->stride[1], x->shape[0], x->shape[1]);
}

/* Two matrices of the result's type that need no copy and no view. The general way below serves them too, but takes some 0.1 us more, a
 * fiftieth of 64 x 64 x 64. */
static bool plain(lin_product *p, const arr *out, const arr *in) {
    if (in[0].ndim != 2 || in[1].ndim != 2 || in[0].dtype != p->type || in[1].dtype != p->type) return false;
    measure(p, &in[0], &in[1]);
    p->count = 1;
    take_operand(&p->a, &in[0], 0);
    take_operand(&p->b, &in[1], 0);
    return arr_size(out) > 0 && p->k > 0 && as_it_is(p, &in[0]) && as_it_is(p, &in[1]);
}

ph_status arr_lin_matmul(arr *out, const op *self, const arr *in, const char *bias, bool relu, ph_err *err) {
    lin_product p = {.type = out->dtype, .c = out->data, .bias = bias, .relu = relu};
    arr va, vb, a = ARR_NONE, b = ARR_NONE;
    ph_status st;
    if (plain(&p, out, in)) {
        if ((st = arr_lin_open(err)) == PH_OK && (st = check_counts(&p, self->name, err)) == PH_OK)
            st = arr_lin_multiply(&p, err);
        return st;
    }
    PH_TRY(as_matrices(&va, &vb, in, self->name, err));
    if (arr_size(out) == 0) goto done;
    if (vb.shape[vb.ndim - 2] == 0) { /* an empty sum */
        memset(out->data, 0, (size_t)arr_size(out) * arr_itemsize(out->dtype));
        measure(&p, &va, &vb);
        if (bias) arr_lin_end_rows(&p, p.c, 0, arr_size(out) / p.n, p.n);
        goto done;
    }
    PH_TRY(arr_lin_open(err));
    PH_TRY(in_type(&a, &va, p.type, err));
    PH_TRY(in_type(&b, &vb, p.type, err));
    measure(&p, &a, &b);
    if (stacked(&a) && !stacked(&b) && arr_lin_is_small(&p) && !arr_is_contiguous(&b))
        PH_TRY(own_copy(&b, err));
    /* Folding small matrices that do not lie one after another would cost more, in copies, than it saves. */
    if (stacked(&a) && !stacked(&b) && (arr_is_contiguous(&a) || !arr_lin_is_small(&p))) {
        PH_TRY(fold_rows(&a, &b, err));
        measure(&p, &a, &b);
    }
    PH_TRY(check_counts(&p, self->name, err));
    if (!arr_lin_is_tiny(&p) && !arr_lin_is_small(&p)) {
        PH_TRY(make_usable(&a, err));
        PH_TRY(make_usable(&b, err));
    }
    PH_TRY(batch_shape(&p.nbatch, p.shape, &a, &b, in, self->name, err));
    p.count = arr_size(out) / (p.m * p.n);
    take_operand(&p.a, &a, p.nbatch);
    take_operand(&p.b, &b, p.nbatch);
    st = arr_lin_multiply(&p, err);
done:
    arr_drop(&a);
    arr_drop(&b);
    return st;
}

LIN_FORWARD(matmul_forward) {
    (void)nin, (void)attrs;
    return arr_lin_matmul(out, self, in, NULL, false, err);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* dot keeps to vectors and matrices, where everyone means the same by it. */
LIN_SHAPE(dot_shape) {
    char text[200];
    for (int i = 0; i < 2; i++)
        if (in[i].ndim > 2)
            return ph_fail(err, PH_EARG, "dot: %s is %s; wanted vectors or matrices (matmul takes stacks)",
                           i ? "B" : "A", arr_shape_text(text, sizeof text, &in[i]));
    return matmul_shape(out, self, in, nin, attrs, err);
}

/* Elementwise product of a and b, which broadcast, in the shape already given to *out. */
static ph_status multiply_into(arr *out, const arr *a, const arr *b, ph_err *err) {
    arr product;
    int ndim = out->ndim;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, out->shape, sizeof shape);
    arr_drop(out);
    ph_status st = op_call2(&product, "mul", a, b, err);
    if (st == PH_OK) st = arr_reshape(out, &product, ndim, shape, err);
    arr_drop(&product);
    return st;
}

LIN_SHAPE(outer_shape) {
    (void)self, (void)nin, (void)attrs;
    char text[200];
    for (int i = 0; i < 2; i++)
        if (in[i].ndim != 1)
            return ph_fail(err, PH_EARG, "outer: %s has shape %s; wanted a vector", i ? "y" : "x",
                           arr_shape_text(text, sizeof text, &in[i]));
    *out = (op_spec){.dtype = product_type(in), .ndim = 2, .shape = {in[0].shape[0], in[1].shape[0]}};
    return PH_OK;
}

LIN_FORWARD(outer_forward) {
    (void)self, (void)nin, (void)attrs;
    arr x = in[0];
    insert_one(&x, 1);
    return multiply_into(out, &x, &in[1], err);
}

LIN_SHAPE(kron_shape) {
    LIN_UNUSED;
    ph_status st;
    PH_TRY(arr_lin_check_matrix(&in[0], "A", false, false, err));
    PH_TRY(arr_lin_check_matrix(&in[1], "B", false, false, err));
    *out = (op_spec){.dtype = product_type(in), .ndim = 2};
    for (int d = 0; d < 2; d++)
        if (__builtin_mul_overflow(in[0].shape[d], in[1].shape[d], &out->shape[d]))
            return ph_fail(err, PH_EARG, "kron: the result is too large for any memory");
done:
    return st;
}

/* (A (x) B)[i q + r, j s + t] = A[i, j] B[r, t]: A as (m, 1, n, 1) times B as (1, q, 1, s). */
LIN_FORWARD(kron_forward) {
    (void)self, (void)nin, (void)attrs;
    arr a = in[0], b = in[1];
    insert_one(&a, 2);
    insert_one(&a, 1);
    insert_one(&b, 1);
    return multiply_into(out, &a, &b, err);
}

LIN_SHAPE(trace_shape) {
    LIN_UNUSED;
    *out = (op_spec){.dtype = arr_lin_field(in->dtype)};
    return arr_lin_check_matrix(in, "A", false, true, err);
}

LIN_FORWARD(trace_forward) {
    (void)self, (void)nin, (void)attrs;
    arr diagonal = *in; /* borrowed */
    diagonal.ndim = 1;
    diagonal.stride[0] = in->stride[0] + in->stride[1];
    arr_drop(out);
    return op_call1(out, "sum", &diagonal, err);
}

const op arr_product_ops[] = {
    LIN_ROW("matmul", OP_SIG_XY, 2, 2, 1, OP_SMOOTH, matmul_shape, matmul_forward),
    LIN_ROW("dot", OP_SIG_XY, 2, 2, 1, OP_SMOOTH, dot_shape, matmul_forward),
    LIN_ROW("outer", OP_SIG_XY, 2, 2, 1, OP_SMOOTH, outer_shape, outer_forward),
    LIN_ROW("kron", OP_SIG_XY, 2, 2, 1, OP_SMOOTH, kron_shape, kron_forward),
    LIN_ROW("trace", OP_SIG_X, 1, 1, 1, OP_SMOOTH | OP_SCALAR_OUT, trace_shape, trace_forward),
};
const int arr_product_nops = sizeof arr_product_ops / sizeof arr_product_ops[0];
