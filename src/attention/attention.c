/* attention.c: the rows attention and attention_weights: shapes, operands, and which kernel runs. */
#include "attention/attention.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The operands by what they are. V is absent from attention_weights. */
typedef struct {
    const arr *q, *k, *v, *term[ATT_MAXTERMS];
    int nterms;
} operands;

/* ---- shapes -------------------------------------------------------------------------------------------- */

static bool wants_values(const op *self) { return self->min_in == 3; }

static ph_status name_operands(operands *a, const op *self, const arr *in, int n, ph_err *err) {
    int first = self->min_in;
    *a = (operands){.q = &in[0], .k = &in[1], .v = wants_values(self) ? &in[2] : NULL, .nterms = n - first};
    if (a->nterms > ATT_MAXTERMS)
        return ph_fail(err, PH_EARG, "%s: %d operands; wanted at most %d", self->name, n,
                       first + ATT_MAXTERMS);
    for (int t = 0; t < a->nterms; t++) a->term[t] = &in[first + t];
    return PH_OK;
}

static ph_status check_operand(const op *self, const arr *x, const char *what, const char *shape,
                               ph_err *err) {
    char text[200];
    if (x->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: %s is c128; wanted real numbers", self->name, what);
    if (x->ndim < 2)
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted at least two dimensions, (..., %s)", self->name,
                       what, arr_shape_text(text, sizeof text, x), shape);
    for (int i = x->ndim - 2; i < x->ndim; i++)
        if (x->shape[i] > INT_MAX)
            return ph_fail(err, PH_EUNABLE, "%s: a size of %s is over %d; BLAS does not count that far",
                           self->name, what, INT_MAX);
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
                       self->name, tq, tk, (long long)lead_size(a->q, 0), (long long)lead_size(a->k, 0));
    if (!a->v)
        return ph_fail(err, PH_EARG,
                       "%s: Q is %s and K is %s; the dimensions before the last two must be equal or 1",
                       self->name, tq, tk);
    return ph_fail(err, PH_EARG,
                   "%s: Q is %s, K is %s and V is %s; the dimensions before the last two must be equal or 1",
                   self->name, tq, tk, arr_shape_text(tv, sizeof tv, a->v));
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
        if (out != kv && kv != 1) {
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
                       self->name, arr_shape_text(t1, sizeof t1, q), arr_shape_text(t2, sizeof t2, k));
    if (v && v->shape[v->ndim - 2] != p->S)
        return ph_fail(err, PH_EARG,
                       "%s: K is %s and V is %s; wanted as many rows of V as of K: a value for each key",
                       self->name, arr_shape_text(t1, sizeof t1, k), arr_shape_text(t2, sizeof t2, v));
    st = lay_lead(p, self, a, err);
done:
    return st;
}

static ph_status lay_options(att_problem *p, const op *self, const op_par *par, ph_err *err) {
    p->causal = par->nints > 0 && par->ints[0];
    p->window = par->nints > 1 ? par->ints[1] : 0;
    p->scale = par->nints > 2 && par->ints[2] ? par->num : 1 / sqrt((double)p->d);
    if (!isfinite(p->scale))
        return ph_fail(err, PH_EARG, "%s: scale is %g; wanted a finite number", self->name, p->scale);
    if (p->window < 0 || p->window > INT_MAX)
        return ph_fail(err, PH_EARG, "%s: window is %lld; wanted 1 to %d", self->name, (long long)p->window,
                       INT_MAX);
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
        return ph_fail(err, PH_EARG, "%s: %s is c128; wanted real numbers", self->name, what);
    scores.ndim = scores_shape(p, scores.shape);
    if (arr_broadcast_to(out, term, scores.ndim, scores.shape, NULL) == PH_OK) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %s is %s; wanted a shape that broadcasts to the scores, %s", self->name,
                   what, arr_shape_text(seen, sizeof seen, term),
                   arr_shape_text(wanted, sizeof wanted, &scores));
}

static ph_status lay_out(att_problem *p, operands *a, const op *self, const arr *in, int n, const op_par *par,
                         ph_err *err) {
    ph_status st;
    *p = (att_problem){0};
    PH_TRY(name_operands(a, self, in, n, err));
    PH_TRY(lay_sizes(p, self, a, err));
    PH_TRY(lay_options(p, self, par, err));
    p->type = arr_common(in, self->min_in);
    if (p->type == ARR_BOOL) p->type = ARR_F64;
done:
    return st;
}

static ph_status attention_shape(op_spec *out, const op *self, const arr *in, int n, const op_par *par,
                                 ph_err *err) {
    att_problem p;
    operands a;
    ph_status st;
    PH_TRY(lay_out(&p, &a, self, in, n, par, err));
    for (int t = 0; t < a.nterms; t++) {
        arr view = ARR_NONE;
        PH_TRY(spread(&view, &p, self, a.term[t], err));
        arr_drop(&view);
    }
    out->dtype = p.type;
    out->ndim = scores_shape(&p, out->shape);
    out->shape[out->ndim - 1] = p.dv;
done:
    return st;
}

/* ---- running ------------------------------------------------------------------------------------------- */

static void see(att_operand *o, const att_problem *p, const arr *x) {
    int missing = p->nlead - (x->ndim - 2);
    o->data = x->data;
    o->type = x->dtype;
    o->row = x->stride[x->ndim - 2];
    o->col = x->stride[x->ndim - 1];
    for (int d = 0; d < p->nlead; d++)
        o->batch[d] = d < missing || x->shape[d - missing] == 1 ? 0 : x->stride[d - missing];
}

/* *held: x in the problem's type with rows that BLAS can take as they lie; o: how it lies. */
static ph_status take(arr *held, att_operand *o, const att_problem *p, const arr *x, ph_err *err) {
    int64_t rows = x->shape[x->ndim - 2], columns = x->shape[x->ndim - 1];
    int64_t row = x->stride[x->ndim - 2], col = x->stride[x->ndim - 1];
    bool fits =
        x->dtype == p->type && (col == 1 || columns <= 1) && row >= columns && row > 0 && row <= INT_MAX;
    ph_status st = PH_OK;
    if (fits) *held = arr_ref(x);
    else st = arr_convert(held, x, p->type, err);
    if (st != PH_OK) return st;
    see(o, p, held);
    if (rows <= 1) o->row = columns > 0 ? columns : 1;
    return PH_OK;
}

/* A sum is finite only when every term is. */
static ph_status all_finite(bool *yes, const arr *x, ph_err *err) {
    arr sum;
    ph_status st = op_call1(&sum, "sum", x, err);
    if (st != PH_OK) return st;
    *yes = isfinite(arr_get_num(&sum, sum.data));
    arr_drop(&sum);
    return PH_OK;
}

static ph_status attention_forward(arr *out, const op *self, const arr *in, int n, const op_par *par,
                                   ph_err *err) {
    arr held[3 + ATT_MAXTERMS] = {ARR_NONE}, strips = ARR_NONE;
    att_problem p;
    operands a;
    ph_status st;
    PH_TRY(lay_out(&p, &a, self, in, n, par, err));
    if (arr_size(out) == 0) goto done;
    for (int d = 0; d < p.nlead; d++) p.count *= p.lead[d];
    p.out = out->data;
    PH_TRY(take(&held[0], &p.q, &p, a.q, err));
    PH_TRY(take(&held[1], &p.k, &p, a.k, err));
    if (a.v) {
        PH_TRY(take(&held[2], &p.v, &p, a.v, err));
        PH_TRY(all_finite(&p.finite, &held[2], err));
        if (att_strips_pay(&p)) {
            PH_TRY(att_pack_strips(&strips, &held[1], err));
            see(&p.strips, &p, &strips);
        }
    }
    for (p.nterms = 0; p.nterms < a.nterms; p.nterms++) {
        arr *view = &held[3 + p.nterms];
        PH_TRY(spread(view, &p, self, a.term[p.nterms], err));
        see(&p.term[p.nterms], &p, view);
    }
    st = (a.v ? att_blocked : att_weigh)(&p, err);
done:
    arr_drop(&strips);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) arr_drop(&held[i]);
    return st;
}

/* Operands of attention: Q, K, V and at most two terms; of attention_weights: Q, K and terms. */
#define ROW(NAME, LEAST)                                                                                     \
    {                                                                                                        \
        .name = NAME, .min_in = LEAST, .max_in = -1, .n_out = 1, .sig = OP_SIG_OTHER, .flags = OP_SMOOTH,    \
        .shape = attention_shape, .forward = attention_forward                                               \
    }
const op att_attention_ops[] = {
    ROW("attention", 3),
    ROW("attention_weights", 2),
};
const int att_attention_nops = sizeof att_attention_ops / sizeof *att_attention_ops;
