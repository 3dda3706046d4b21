/* relative.c: what the forms with queries, keys and distances share: checks, shapes, products, what is added by distance; see relative.h. */
#include "encoding/relative.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "array/op.h"
#include "base/parallel.h"

#define ROWS 64 /* queries of a piece */

/* ---- parts --------------------------------------------------------------------------------------------- */

static ph_status check_part(const enc_scores *s, const enc_part *p, ph_err *err) {
    char text[200], wanted[60];
    const arr *a = p->array;
    long long columns = p->columns ? p->columns : s->d;
    if (a->ndim >= (p->vector ? 1 : 2) && a->ndim < ARR_MAXDIM && a->shape[a->ndim - 1] == columns)
        return PH_OK;
    if (p->vector) snprintf(wanted, sizeof wanted, "(%lld) or (H, %lld)", columns, columns);
    else snprintf(wanted, sizeof wanted, "(..., rows, %lld)", columns);
    return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted %s", s->who, p->name,
                   arr_shape_text(text, sizeof text, a), wanted);
}

int64_t enc_group_of(const int64_t *q, int nq, const int64_t *k, int nk) {
    int64_t heads = nq > 2 ? q[nq - 3] : 1, own = nk > 2 ? k[nk - 3] : 1;
    return own > 1 && heads > own && heads % own == 0 ? heads / own : 1;
}

ph_status enc_share_heads(arr *k, const arr *q, ph_err *err) {
    op_attrs heads = {.has_axis = true, .axis = -3};
    arr at, all;
    int64_t group = enc_group_of(q->shape, q->ndim, k->shape, k->ndim);
    if (group == 1) return PH_OK;
    int64_t n = k->shape[k->ndim - 3] * group;
    ph_status st = arr_new(&at, ARR_F64, 1, &n, err);
    if (st != PH_OK) return st;
    for (int64_t h = 0; h < n; h++) ((double *)at.data)[h] = (double)(h / group);
    st = op_apply(&all, op_find("take"), (const arr[]){*k, at}, 2, &heads, err);
    arr_drop(&at);
    if (st != PH_OK) return st;
    arr_drop(k);
    *k = all;
    return PH_OK;
}

/* In the common type; a vector (…, d) becomes (…, 1, d). */
static ph_status hold(arr *out, const enc_part *p, arr_dtype t, ph_err *err) {
    ph_status st = PH_OK;
    if (p->array->dtype == t) *out = arr_ref(p->array);
    else st = arr_convert(out, p->array, t, err);
    if (st != PH_OK || !p->vector) return st;
    int n = out->ndim++;
    out->shape[n] = out->shape[n - 1], out->stride[n] = out->stride[n - 1];
    out->shape[n - 1] = 1, out->stride[n - 1] = 0;
    return PH_OK;
}

ph_status enc_lead_shape(int *nlead, int64_t *lead, const arr *const *in, int n, const char *who,
                         ph_err *err) {
    arr copy[ENC_MAXPARTS];
    const arr *all[ENC_MAXPARTS];
    for (int k = 0; k < n; k++) {
        copy[k] = *in[k];
        copy[k].ndim -= 2;
        all[k] = &copy[k];
    }
    return arr_broadcast_shape(nlead, lead, all, n, who, err);
}

static ph_status lay_lead(enc_scores *s, ph_err *err) {
    const arr *all[ENC_MAXPARTS];
    int n = 0;
    for (int k = 0; k < s->parts; k++)
        if (s->part[k].buf) all[n++] = &s->part[k];
    return enc_lead_shape(&s->nlead, s->lead, all, n, s->who, err);
}

static ph_status check_sizes(const enc_scores *s, ph_err *err) {
    size_t bytes;
    if (s->T > INT_MAX || s->S > INT_MAX || s->d > INT_MAX)
        return ph_fail(err, PH_EUNABLE, "%s: a size is over %d; BLAS does not count that far", s->who,
                       INT_MAX);
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[s->nlead] = s->T, shape[s->nlead + 1] = s->S;
    if (ph_shape_bytes(&bytes, shape, s->nlead + 2, arr_itemsize(s->type))) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %lld queries and %lld keys are too many for any memory", s->who,
                   (long long)s->T, (long long)s->S);
}

ph_status enc_scores_of(enc_scores *s, const char *who, const arr *q, const arr *k, const enc_value *offset,
                        const enc_part *parts, int n, ph_err *err) {
    char tq[200], tk[200];
    ph_status st;
    *s = (enc_scores){.who = who, .type = ARR_F32, .parts = n + 2};
    if (q->ndim < 2 || k->ndim < 2 || q->shape[q->ndim - 1] != k->shape[k->ndim - 1] ||
        q->shape[q->ndim - 1] == 0)
        return ph_fail(err, PH_EARG,
                       "%s: q has shape %s and k %s; wanted (..., T, d) and (..., S, d), d at least 1", who,
                       arr_shape_text(tq, sizeof tq, q), arr_shape_text(tk, sizeof tk, k));
    s->T = q->shape[q->ndim - 2], s->S = k->shape[k->ndim - 2], s->d = q->shape[q->ndim - 1];
    s->first = offset->given ? offset->whole : s->S - s->T;
    enc_part all[ENC_MAXPARTS] = {{"q", q, false, 0}, {"k", k, false, 0}};
    for (int i = 0; i < n; i++) all[i + 2] = parts[i];
    for (int i = 0; i < s->parts; i++) {
        if (!all[i].array) continue;
        PH_TRY(check_part(s, &all[i], err));
        if (all[i].array->dtype != ARR_F32) s->type = ARR_F64;
    }
    for (int i = 0; i < s->parts; i++)
        if (all[i].array) PH_TRY(hold(&s->part[i], &all[i], s->type, err));
    PH_TRY(enc_share_heads(&s->part[1], q, err));
    PH_TRY(lay_lead(s, err));
    st = check_sizes(s, err);
done:
    return st;
}

void enc_scores_drop(enc_scores *s) {
    for (int k = 0; k < s->parts; k++) arr_drop(&s->part[k]);
}

ph_status enc_scores_check(enc_scores_fn *begin, const enc_value *v, ph_err *err) {
    enc_scores s;
    ph_status st = begin(&s, v, err);
    enc_scores_drop(&s);
    return st;
}

/* ---- products ------------------------------------------------------------------------------------------ */

ph_status enc_times_transposed(arr *out, const arr *a, const arr *b, ph_err *err) {
    int perm[ARR_MAXDIM], n = b->ndim;
    arr turned;
    for (int k = 0; k < n; k++) perm[k] = k;
    perm[n - 2] = n - 1, perm[n - 1] = n - 2;
    ph_status st = arr_permute(&turned, b, perm, err);
    if (st != PH_OK) return st;
    st = op_call2(out, "matmul", a, &turned, err);
    arr_drop(&turned);
    return st;
}

ph_status enc_scores_begin(arr *out, const enc_scores *s, const arr *left, const arr *right, ph_err *err) {
    ph_status st;
    arr product = ARR_NONE;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[s->nlead] = s->T, shape[s->nlead + 1] = s->S;
    if (!left) return arr_zeros(out, s->type, s->nlead + 2, shape, err);
    PH_TRY(enc_times_transposed(&product, left, right, err));
    if (product.ndim == s->nlead + 2 &&
        memcmp(product.shape, shape, (size_t)product.ndim * sizeof *shape) == 0)
        *out = arr_ref(&product);
    else {
        PH_TRY(arr_new(out, s->type, s->nlead + 2, shape, err));
        st = arr_assign(out, &product, err);
    }
done:
    arr_drop(&product);
    return st;
}

ph_status enc_spread(arr *out, const enc_scores *s, const arr *x, ph_err *err) {
    int n = s->nlead + 2;
    int64_t shape[ARR_MAXDIM];
    memcpy(shape, s->lead, sizeof shape);
    shape[n - 2] = x->shape[x->ndim - 2], shape[n - 1] = x->shape[x->ndim - 1];
    return arr_broadcast_to(out, x, n, shape, err);
}

const char *enc_row_at(const enc_scores *s, const arr *x, int64_t b, int64_t row) {
    return x->data + (size_t)(enc_batch_at(s, x, b) + row * x->stride[s->nlead]) * arr_itemsize(x->dtype);
}

int64_t enc_batch_at(const enc_scores *s, const arr *x, int64_t b) {
    int64_t at = 0;
    for (int k = s->nlead - 1; k >= 0; k--) {
        at += b % s->lead[k] * x->stride[k];
        b /= s->lead[k];
    }
    return at;
}

/* ---- by distance --------------------------------------------------------------------------------------- */

#define ADD_SPAN(NAME, TYPE)                                                                                 \
    static void NAME(TYPE *out, const TYPE *x, int64_t n, int64_t step, TYPE scale) {                        \
        if (step == 0)                                                                                       \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + *x);                                  \
        else if (step == 1)                                                                                  \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + x[j]);                                \
        else                                                                                                 \
            for (int64_t j = 0; j < n; j++) out[j] = scale * (out[j] + x[j * step]);                         \
    }
ADD_SPAN(add_f32, float)
ADD_SPAN(add_f64, double)

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr column; /* broadcast to (lead, rows, R) */
    bool of_keys;
    int64_t lo, R, pieces;
    double scale;
} adder;

static void add_span(const enc_line *l, int64_t n, int64_t end, int64_t column) {
    int64_t from = n * l->key + column * l->step,
            step = l->key + (column > 0 && column < l->R - 1 ? l->step : 0);
    if (n >= end) return;
    if (l->type == ARR_F32)
        add_f32((float *)l->out + n, (const float *)l->column + from, end - n, step, (float)l->scale);
    else add_f64((double *)l->out + n, (const double *)l->column + from, end - n, step, l->scale);
}

/* A piece of the first column, the middle, a piece of the last. */
void enc_add_line(const enc_line *l, int64_t first, int64_t end) {
    int64_t zero = l->m + l->lo; /* the key of column 0 */
    int64_t left = enc_clamp(zero + 1, first, end), right = enc_clamp(zero + l->R - 1, left, end);
    add_span(l, first, left, 0);
    add_span(l, left, right, left - zero);
    add_span(l, right, end, l->R - 1);
}

static void add_rows(void *ctx, int64_t piece) {
    const adder *p = ctx;
    const enc_scores *s = p->s;
    size_t item = arr_itemsize(s->type);
    int64_t batch = piece / p->pieces, first = piece % p->pieces * ROWS;
    int64_t end = first + ROWS < s->T ? first + ROWS : s->T, row = p->column.stride[s->nlead];
    const char *from = p->column.data + (size_t)enc_batch_at(s, &p->column, batch) * item;
    for (int64_t i = first; i < end; i++) {
        enc_line l = {.type = s->type, .m = s->first + i, .lo = p->lo, .R = p->R, .scale = p->scale};
        l.out = p->out->data + (size_t)((batch * s->T + i) * s->S) * item;
        l.column = p->of_keys ? from : from + i * row * (int64_t)item;
        l.key = p->of_keys ? row : 0, l.step = p->column.stride[s->nlead + 1];
        enc_add_line(&l, 0, s->S);
    }
}

ph_status enc_rows_of(arr *out, const arr *x, int64_t skip, int64_t count, bool turned, ph_err *err) {
    arr_range all[ARR_MAXDIM];
    for (int k = 0; k < x->ndim; k++) all[k] = (arr_range){0, 1, x->shape[k], false};
    all[x->ndim - 2] = (arr_range){turned ? skip + count - 1 : skip, turned ? -1 : 1, count, false};
    return arr_slice(out, x, x->ndim, all, err);
}

ph_status enc_add_by_distance(const arr *out, const enc_scores *s, const enc_by_distance *by, double scale,
                              ph_err *err) {
    adder p = {.s = s, .out = out, .of_keys = by->of_keys, .lo = by->lo, .scale = scale};
    if (arr_size(out) == 0) return PH_OK;
    ph_status st = enc_spread(&p.column, s, by->column, err);
    if (st != PH_OK) return st;
    p.R = p.column.shape[s->nlead + 1];
    p.pieces = (s->T + ROWS - 1) / ROWS;
    st = ph_parallel(add_rows, &p, arr_size(out) / (s->T * s->S) * p.pieces, err);
    arr_drop(&p.column);
    return st;
}

/* ---- in operations --------------------------------------------------------------------------------------- */

op_val *enc_d_share_heads(op_ctx *c, op_val *q, op_val *k) {
    const op_attrs heads = {.has_axis = true, .axis = -3};
    if (!q || !k || c->st != PH_OK) return k;
    op_spec of_q = *op_spec_of(c, q), of_k = *op_spec_of(c, k);
    int64_t group = enc_group_of(of_q.shape, of_q.ndim, of_k.shape, of_k.ndim);
    if (group == 1) return k;
    op_val *at =
        op_do2(c, "div", enc_d_count(c, of_k.shape[of_k.ndim - 3] * group), op_num(c, (double)group));
    return op_do(c, "take", &heads, 2, (op_val *[]){k, op_do1(c, "floor", at)});
}

enc_d_scores enc_d_scores_of(const enc_def *d, const enc_value *offset) {
    op_ctx *c = d->c;
    enc_d_scores s = {.def = d, .c = c, .q = enc_d_value(c, &d->v[0]), .k = enc_d_value(c, &d->v[1])};
    s.k = enc_d_share_heads(c, s.q, s.k);
    s.T = enc_d_size(c, s.q, 1);
    s.S = enc_d_size(c, s.k, 1);
    s.d = enc_d_size(c, s.q, 0);
    s.first = offset->given ? offset->whole : s.S - s.T;
    s.n = d->query ? d->key : enc_d_count(c, s.S);
    s.m = d->query ? d->query : op_do2(c, "add", enc_d_count(c, s.T), op_num(c, (double)s.first));
    s.m = enc_d_column(c, s.m);
    return s;
}
