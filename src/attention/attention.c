/* attention.c: the rows attention and attention_weights: shapes, operands, and which kernel runs. */
#include "attention/attention.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"

/* The operands by what they are. V is absent from attention_weights. */
typedef struct {
    const arr *q, *k, *v, *term[ATT_MAXTERMS];
    int nterms;
} operands;

/* ---- shapes -------------------------------------------------------------------------------------------- */

static bool wants_values(const op *self) { return self->min_in > 2; }

static ph_status name_operands(operands *a, const op *self, const arr *in, int n, ph_err *err) {
    int first = wants_values(self) ? 3 : 2;
    *a = (operands){.q = &in[0], .k = &in[1], .v = wants_values(self) ? &in[2] : NULL, .nterms = n - first};
    if (a->nterms > ATT_MAXTERMS)
        return ph_fail(err, PH_EARG, "%s: %d operands; wanted at most %d", op_title(self), n,
                       first + ATT_MAXTERMS);
    for (int t = 0; t < a->nterms; t++) a->term[t] = &in[first + t];
    return PH_OK;
}

static ph_status check_operand(const op *self, const arr *x, const char *what, const char *shape,
                               ph_err *err) {
    char text[200];
    if (x->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: %s is c128; wanted real numbers", op_title(self), what);
    if (x->ndim < 2)
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted at least two dimensions, (..., %s)",
                       op_title(self), what, arr_shape_text(text, sizeof text, x), shape);
    for (int i = x->ndim - 2; i < x->ndim; i++)
        if (x->shape[i] > INT_MAX)
            return ph_fail(err, PH_EUNABLE, "%s: a size of %s is over %d; BLAS does not count that far",
                           op_title(self), what, INT_MAX);
    return PH_OK;
}

/* Size of the leading dimension `back` places before the last two; 1 where there is none. */
static int64_t lead_size(const arr *x, int back) {
    int i = x->ndim - 3 - back;
    return i < 0 ? 1 : x->shape[i];
}

static ph_status lead_mismatch(const op *self, const operands *a, bool heads, ph_err *err) {
    char tq[200], tk[200], tv[200];
    arr_shape_text(tq, sizeof tq, a->q);
    arr_shape_text(tk, sizeof tk, a->k);
    if (heads)
        return ph_fail(err, PH_EARG,
                       "%s: Q is %s and K is %s; wanted heads of Q (%lld) a multiple of those of K (%lld)",
                       op_title(self), tq, tk, (long long)lead_size(a->q, 0), (long long)lead_size(a->k, 0));
    if (!a->v)
        return ph_fail(err, PH_EARG,
                       "%s: Q is %s and K is %s; the dimensions before the last two must be equal or 1",
                       op_title(self), tq, tk);
    return ph_fail(err, PH_EARG,
                   "%s: Q is %s, K is %s and V is %s; the dimensions before the last two must be equal or 1",
                   op_title(self), tq, tk, arr_shape_text(tv, sizeof tv, a->v));
}

/* The leading dimensions of the result, right to left; the last of them may be query heads that share key heads. */
static ph_status lay_lead(att_problem *p, const op *self, const operands *a, ph_err *err) {
    int q = a->q->ndim, k = a->k->ndim, v = a->v ? a->v->ndim : 2;
    p->nlead = (q > k ? (q > v ? q : v) : (k > v ? k : v)) - 2;
    p->group = p->count = 1;
    for (int back = 0; back < p->nlead; back++) {
        int64_t lq = lead_size(a->q, back), lk = lead_size(a->k, back),
                lv = a->v ? lead_size(a->v, back) : lk;
        int64_t kv = lk == 1 ? lv : lk, out = lq == 1 ? kv : lq;
        if (lv != kv && lv != 1) return lead_mismatch(self, a, false, err);
        if (out != kv && (kv != 1 || (back == 0 && out > 0))) {
            if (back > 0 || kv == 0 || lq == 0) return lead_mismatch(self, a, false, err);
            if (lq % kv != 0) return lead_mismatch(self, a, true, err);
            p->group = lq / kv;
        }
        p->lead[p->nlead - 1 - back] = out;
    }
    return PH_OK;
}

static ph_status lay_sizes(att_problem *p, const op *self, const operands *a, ph_err *err) {
    char t1[200], t2[200];
    const arr *q = a->q, *k = a->k, *v = a->v;
    ph_status st;
    PH_TRY(check_operand(self, q, "Q", "T, d", err));
    PH_TRY(check_operand(self, k, "K", "S, d", err));
    if (v) PH_TRY(check_operand(self, v, "V", "S, dv", err));
    p->T = q->shape[q->ndim - 2];
    p->d = q->shape[q->ndim - 1];
    p->S = k->shape[k->ndim - 2];
    p->dv = v ? v->shape[v->ndim - 1] : p->S;
    if (k->shape[k->ndim - 1] != p->d || p->d == 0)
        return ph_fail(err, PH_EARG, "%s: Q is %s and K is %s; wanted the same number of columns, at least 1",
                       op_title(self), arr_shape_text(t1, sizeof t1, q), arr_shape_text(t2, sizeof t2, k));
    if (v && v->shape[v->ndim - 2] != p->S)
        return ph_fail(err, PH_EARG,
                       "%s: K is %s and V is %s; wanted as many rows of V as of K: a value for each key",
                       op_title(self), arr_shape_text(t1, sizeof t1, k), arr_shape_text(t2, sizeof t2, v));
    st = lay_lead(p, self, a, err);
done:
    return st;
}

static ph_status lay_options(att_problem *p, const op *self, const op_attrs *attrs, ph_err *err) {
    p->causal = attrs->nints > 0 && attrs->ints[0];
    p->window = attrs->nints > 1 ? attrs->ints[1] : 0;
    p->scale = attrs->nints > 2 && attrs->ints[2] ? attrs->num : 1 / sqrt((double)p->d);
    if (!isfinite(p->scale))
        return ph_fail(err, PH_EARG, "%s: scale is %g; wanted a finite number", op_title(self), p->scale);
    if (p->window < 0 || p->window > INT_MAX)
        return ph_fail(err, PH_EARG, "%s: window is %lld; wanted 1 to %d", op_title(self),
                       (long long)p->window, INT_MAX);
    return PH_OK;
}

/* (lead..., T, S) */
static int scores_shape(const att_problem *p, int64_t *shape) {
    memcpy(shape, p->lead, sizeof p->lead);
    shape[p->nlead] = p->T;
    shape[p->nlead + 1] = p->S;
    return p->nlead + 2;
}

/* A mask or bias as a view of the shape of the scores. */
static ph_status spread(arr *out, const att_problem *p, const op *self, const arr *term, ph_err *err) {
    char seen[200], wanted[200];
    const char *what = term->dtype == ARR_BOOL ? "the mask" : "the bias";
    arr scores = {0};
    if (term->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: %s is c128; wanted real numbers", op_title(self), what);
    scores.ndim = scores_shape(p, scores.shape);
    if (arr_broadcast_to(out, term, scores.ndim, scores.shape, NULL) == PH_OK) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %s is %s; wanted a shape that broadcasts to the scores, %s",
                   op_title(self), what, arr_shape_text(seen, sizeof seen, term),
                   arr_shape_text(wanted, sizeof wanted, &scores));
}

static ph_status lay_out(att_problem *p, operands *a, const op *self, const arr *in, int n,
                         const op_attrs *attrs, ph_err *err) {
    ph_status st;
    *p = (att_problem){0};
    PH_TRY(name_operands(a, self, in, n, err));
    PH_TRY(lay_sizes(p, self, a, err));
    PH_TRY(lay_options(p, self, attrs, err));
    p->type = arr_common(in, wants_values(self) ? 3 : 2);
    if (p->type == ARR_BOOL) p->type = ARR_F64;
done:
    return st;
}

static ph_status check_terms(const att_problem *p, const operands *a, const op *self, ph_err *err) {
    for (int t = 0; t < a->nterms; t++) {
        arr view = ARR_NONE;
        ph_status st = spread(&view, p, self, a->term[t], err);
        arr_drop(&view);
        if (st != PH_OK) return st;
    }
    return PH_OK;
}

/* (lead..., rows, columns) */
static void spec_of(op_spec *out, const att_problem *p, int64_t rows, int64_t columns) {
    *out = (op_spec){.dtype = p->type};
    out->ndim = scores_shape(p, out->shape);
    out->shape[out->ndim - 2] = rows;
    out->shape[out->ndim - 1] = columns;
}

static ph_status attention_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                 ph_err *err) {
    att_problem p;
    operands a;
    ph_status st;
    PH_TRY(lay_out(&p, &a, self, in, n, attrs, err));
    PH_TRY(check_terms(&p, &a, self, err));
    spec_of(&out[0], &p, p.T, p.dv);
    if (self->n_out > 1) spec_of(&out[1], &p, p.T, 2);
done:
    return st;
}

/* What Q, K, V, terms, g, z, sums become; ints[3] says which of gQ, gK, gV, gS are wanted, the others are (0). */
#define AFTER 3 /* operands behind those of attention */
static ph_status backward_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                ph_err *err) {
    att_problem p;
    operands a;
    ph_status st;
    PH_TRY(lay_out(&p, &a, self, in, n - AFTER, attrs, err));
    PH_TRY(check_terms(&p, &a, self, err));
    spec_of(&out[0], &p, p.T, p.d);
    spec_of(&out[1], &p, p.S, p.d);
    spec_of(&out[2], &p, p.S, p.dv);
    spec_of(&out[3], &p, p.T, p.S);
    for (int k = 1; k < 3 && p.nlead > 0; k++) out[k].shape[p.nlead - 1] /= p.group;
    for (int k = 0; k < 4; k++)
        if (attrs->nints < 4 || !(attrs->ints[3] >> k & 1)) out[k] = (op_spec){.dtype = p.type, .ndim = 1};
done:
    return st;
}

/* ---- running ------------------------------------------------------------------------------------------- */

void att_describe(att_operand *o, const att_problem *p, const arr *x, bool keys) {
    int missing = p->nlead - (x->ndim - 2);
    o->data = x->data;
    o->type = x->dtype;
    o->keys = keys;
    o->row = x->stride[x->ndim - 2];
    o->col = x->stride[x->ndim - 1];
    for (int d = 0; d < p->nlead; d++)
        o->batch[d] = d < missing || x->shape[d - missing] == 1 ? 0 : x->stride[d - missing];
}

ph_status att_prepare(arr *held, att_operand *o, const att_problem *p, const arr *x, bool keys, ph_err *err) {
    int64_t rows = x->shape[x->ndim - 2], columns = x->shape[x->ndim - 1];
    int64_t row = x->stride[x->ndim - 2], col = x->stride[x->ndim - 1];
    bool fits =
        x->dtype == p->type && (col == 1 || columns <= 1) && row >= columns && row > 0 && row <= INT_MAX;
    ph_status st = PH_OK;
    if (fits) *held = arr_ref(x);
    else st = arr_convert(held, x, p->type, err);
    if (st != PH_OK) return st;
    att_describe(o, p, held, keys);
    if (rows <= 1) o->row = columns > 0 ? columns : 1;
    return PH_OK;
}

/* Not finite: the exponent's bits are all set. Counted without a branch, so that lanes can count. */
PH_CLONES static bool finite_f32(const char *from, int64_t step, int64_t n) {
    const uint32_t *x = (const uint32_t *)(const void *)from, top = 0x7f800000;
    uint32_t bad = 0;
    if (step == 1)
        for (int64_t i = 0; i < n; i++) bad |= (x[i] & top) == top;
    else
        for (int64_t i = 0; i < n; i++) bad |= (x[i * step] & top) == top;
    return bad == 0;
}
PH_CLONES static bool finite_f64(const char *from, int64_t step, int64_t n) {
    const uint64_t *x = (const uint64_t *)(const void *)from, top = 0x7ff0000000000000;
    uint64_t bad = 0;
    if (step == 1)
        for (int64_t i = 0; i < n; i++) bad |= (x[i] & top) == top;
    else
        for (int64_t i = 0; i < n; i++) bad |= (x[i * step] & top) == top;
    return bad == 0;
}

typedef struct {
    const arr *x;
    int64_t lines, length, per; /* numbers that are evenly apart, as many as can be; lines of a piece */
    int dims;                   /* those before a line's */
    atomic_bool bad;
} finite_job;

#define LOOKED_AT 32768 /* numbers of a piece, about */
static void look_at_lines(void *ctx, int64_t piece) {
    finite_job *w = ctx;
    const arr *x = w->x;
    bool (*finite)(const char *, int64_t, int64_t) = x->dtype == ARR_F32 ? finite_f32 : finite_f64;
    for (int64_t r = piece * w->per; r < w->lines && r < (piece + 1) * w->per; r++) {
        int64_t at = 0, rest = r;
        for (int d = w->dims - 1; d >= 0; rest /= x->shape[d], d--) at += rest % x->shape[d] * x->stride[d];
        if (!finite(x->data + at * (int64_t)arr_itemsize(x->dtype), x->stride[x->ndim - 1], w->length)) {
            atomic_store(&w->bad, true);
            return;
        }
    }
}

/* The same numbers in another order, so that what lies together is looked at together: dimensions by their strides, none twice. */
static arr as_it_lies(const arr *x) {
    arr v = *x; /* borrowed */
    v.ndim = 0;
    for (int d = 0; d < x->ndim; d++) {
        int at = v.ndim;
        if (x->shape[d] == 1 || x->stride[d] == 0) continue;
        for (; at > 0 && v.stride[at - 1] < x->stride[d]; at--) {
            v.shape[at] = v.shape[at - 1];
            v.stride[at] = v.stride[at - 1];
        }
        v.shape[at] = x->shape[d];
        v.stride[at] = x->stride[d];
        v.ndim++;
    }
    if (v.ndim == 0) v.shape[v.ndim] = v.stride[v.ndim] = 1, v.ndim++;
    return v;
}

ph_status att_all_finite(bool *finite, const arr *given, ph_err *err) {
    const arr lying = as_it_lies(given), *x = &lying;
    finite_job w = {.x = x, .dims = x->ndim - 1, .length = x->shape[x->ndim - 1]};
    *finite = true;
    if (arr_size(given) == 0) return PH_OK;
    for (int d = w.dims - 1;
         d >= 0 && w.length < LOOKED_AT && x->stride[d] == w.length * x->stride[x->ndim - 1]; d--, w.dims--)
        w.length *= x->shape[d];
    w.lines = arr_size(x) / w.length;
    w.per = (LOOKED_AT - 1) / w.length + 1;
    ph_status st = ph_parallel(look_at_lines, &w, (w.lines - 1) / w.per + 1, err);
    *finite = !atomic_load(&w.bad);
    return st;
}

/* Checks and lays out; in: Q, K, V or not, terms. Ends with close_call, after a failure too. */
static ph_status open_call(att_call *c, const op *self, const arr *in, int n, const op_attrs *attrs,
                           ph_err *err) {
    att_problem *p = &c->p;
    operands a;
    ph_status st;
    *c = (att_call){0};
    PH_TRY(lay_out(p, &a, self, in, n, attrs, err));
    for (int d = 0; d < p->nlead; d++) p->count *= p->lead[d];
    PH_TRY(att_prepare(&c->held[0], &p->q, p, a.q, false, err));
    PH_TRY(att_prepare(&c->held[1], &p->k, p, a.k, true, err));
    if (a.v) {
        PH_TRY(att_prepare(&c->held[2], &p->v, p, a.v, true, err));
        PH_TRY(att_all_finite(&p->finite, &c->held[2], err));
    }
    for (p->nterms = 0; p->nterms < a.nterms; p->nterms++) {
        arr *view = &c->held[3 + p->nterms];
        PH_TRY(spread(view, p, self, a.term[p->nterms], err));
        att_describe(&p->term[p->nterms], p, view, false);
    }
done:
    return st;
}

static void close_call(att_call *c) {
    arr_drop(&c->panels);
    for (size_t i = 0; i < sizeof c->held / sizeof *c->held; i++) arr_drop(&c->held[i]);
}

static ph_status pack_keys(att_call *c, ph_err *err) {
    ph_status st = att_pack_panels(&c->panels, &c->held[1], err);
    if (st == PH_OK) att_describe(&c->p.panels, &c->p, &c->panels, true);
    return st;
}

static void clear(arr *a) { memset(a->data, 0, (size_t)arr_size(a) * arr_itemsize(a->dtype)); }

static ph_status attention_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                   ph_err *err) {
    att_call c = {0};
    ph_status st = PH_OK;
    if (self->n_out > 1 && arr_size(out) == 0) clear(&out[1]);
    if (arr_size(out) == 0) return PH_OK;
    PH_TRY(open_call(&c, self, in, n, attrs, err));
    c.p.out = out->data;
    c.p.sums = self->n_out > 1 ? out[1].data : NULL;
    if (wants_values(self) && att_panels_pay(&c.p)) PH_TRY(pack_keys(&c, err));
    st = (wants_values(self) ? att_blocked : att_weigh)(&c.p, err);
done:
    close_call(&c);
    return st;
}

static ph_status backward_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                  ph_err *err) {
    att_call c = {0};
    ph_status st;
    PH_TRY(open_call(&c, self, in, n - AFTER, attrs, err));
    if (c.p.S > 0) PH_TRY(pack_keys(&c, err));
    st = att_backward(out, &c, &in[n - 3], &in[n - 2], &in[n - 1], err);
done:
    close_call(&c);
    return st;
}

/* Operands of attention: Q, K, V and at most two terms; of attention_weights: Q, K and terms. Then what derivatives need:
 * attention with its sums (..., T, 2), each query's greatest score and the sum of the weights before they are divided by it;
 * and the derivative: Q, K, V, terms, g, z, sums. */
#define ROW(NAME, LEAST, OUTS, FLAGS, SHAPE, FORWARD)                                                        \
    {                                                                                                        \
        .name = NAME, .min_in = LEAST, .max_in = -1, .n_out = OUTS, .sig = OP_SIG_OTHER,                     \
        .flags = OP_SMOOTH | (FLAGS), .shape = SHAPE, .forward = FORWARD                                     \
    }
const op att_attention_ops[] = {
    ROW("attention", 3, 1, 0, attention_shape, attention_forward),
    ROW("attention_weights", 2, 1, 0, attention_shape, attention_forward),
    {.name = "attention with sums",
     .title = "attention",
     .min_in = 3,
     .max_in = -1,
     .n_out = 2,
     .sig = OP_SIG_OTHER,
     .flags = OP_SMOOTH | OP_INNER,
     .shape = attention_shape,
     .forward = attention_forward},
    ROW("derivative of attention", 3 + AFTER, 4, OP_INNER, backward_shape, backward_forward),
};
const int att_attention_nops = sizeof att_attention_ops / sizeof *att_attention_ops;
