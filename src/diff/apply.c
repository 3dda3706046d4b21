/* apply.c: runs an operation on values: at the innermost trace among its operands, and so on outwards. */
#include "diff/internal.h"

#include <stdio.h>
#include <string.h>

#define FEW 8

/* ---- contexts ------------------------------------------------------------------------------------------ */

static void own(dif_ctx *x, op_val *v) {
    if (x->n == x->cap) {
        int more = 2 * x->cap;
        op_val **bigger = ph_alloc((size_t)more * sizeof *bigger);
        if (!bigger) {
            x->c.st = ph_fail_nomem(&x->c.err, (size_t)more * sizeof *bigger);
            dif_drop(v);
            return;
        }
        memcpy(bigger, x->own, (size_t)x->n * sizeof *bigger);
        if (x->own != x->few) ph_free(x->own);
        x->own = bigger;
        x->cap = more;
    }
    x->own[x->n++] = v;
}

static void ctx_apply(op_ctx *c, op_val **out, const op *row, op_val *const *in, int n,
                      const op_attrs *attrs) {
    dif_ctx *x = (dif_ctx *)c;
    c->st = dif_apply(out, row, in, n, attrs, x->at, &c->err);
    for (int k = 0; k < row->n_out && c->st == PH_OK; k++) own(x, out[k]);
    if (c->st != PH_OK)
        for (int k = 0; k < row->n_out; k++) out[k] = NULL;
}

static op_val *ctx_hold(op_ctx *c, arr *a) {
    op_val *v;
    if (c->st != PH_OK) {
        arr_drop(a);
        return NULL;
    }
    c->st = dif_constant(&v, a, &c->err);
    if (c->st != PH_OK) return NULL;
    own((dif_ctx *)c, v);
    return c->st == PH_OK ? v : NULL;
}

/* Out of every tape; a batch stays one. */
static op_val *ctx_still(op_ctx *c, op_val *v) {
    op_val *in, *out;
    while (v->trace && !v->trace->batch) v = v->inner;
    if (!v->trace) return v;
    in = ctx_still(c, v->inner);
    if (in == v->inner || c->st != PH_OK) return v;
    c->st = dif_wrap(&out, v->trace, dif_ref(in), -1, &c->err);
    if (c->st != PH_OK) return NULL;
    own((dif_ctx *)c, out);
    return c->st == PH_OK ? out : NULL;
}

op_val *dif_ctx_take(dif_ctx *x, op_val *v) {
    if (v) own(x, v);
    return x->c.st == PH_OK ? v : NULL;
}

static bool is_number(const op_val *v, double *x) {
    bool plain = !v->trace && v->spec.ndim == 0 && v->spec.dtype != ARR_C128;
    if (plain) *x = arr_get_num(&v->a, v->a.data);
    return plain;
}

static const op_engine engine = {ctx_apply, ctx_hold, ctx_still, dif_spec, is_number};

void dif_ctx_begin(dif_ctx *x, dif_place at) {
    x->c.engine = &engine;
    x->c.st = PH_OK;
    x->at = at;
    x->own = x->few;
    x->n = 0;
    x->cap = (int)(sizeof x->few / sizeof *x->few);
}

void dif_ctx_end(dif_ctx *x) {
    for (int i = 0; i < x->n; i++) dif_drop(x->own[i]);
    if (x->own != x->few) ph_free(x->own);
}

/* ---- constants ----------------------------------------------------------------------------------------- */

static ph_status apply_constants(op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs,
                                 ph_err *err) {
    arr few[FEW], *a = few, res[OP_MAXOUT];
    few[0] = ARR_NONE; /* for the compiler: an operation has operands */
    if (n > FEW && !(a = ph_alloc((size_t)n * sizeof *a))) return ph_fail_nomem(err, (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = in[i]->a; /* borrowed */
    ph_status st = op_apply(res, row, a, n, attrs, err);
    if (a != few) ph_free(a);
    if (st != PH_OK) return st;
    for (int k = 0; k < row->n_out; k++)
        if (st == PH_OK) st = dif_constant(&out[k], &res[k], err);
        else arr_drop(&res[k]);
    return st;
}

/* ---- a shortcut, the long way ------------------------------------------------------------------------- */

ph_status dif_define(op_val **out, int n_out, const char *who, dif_define_fn *define, const void *ctx,
                     dif_place at, ph_err *err) {
    op_val *y[OP_MAXOUT] = {NULL};
    dif_ctx x;
    ph_status st;
    dif_ctx_begin(&x, at);
    define(&x.c, ctx, y);
    for (int k = 0; k < n_out; k++)
        if (!y[k]) op_fail(&x.c, PH_EARG, "%s: its definition gave nothing", who);
    if ((st = x.c.st) != PH_OK) *err = x.c.err;
    for (int k = 0; k < n_out; k++) out[k] = st == PH_OK ? dif_ref(y[k]) : NULL;
    dif_ctx_end(&x);
    return st;
}

static void define_row(op_ctx *c, const void *ctx, op_val **y) {
    const op_use *u = ctx;
    op_rule_of(u->row)->define(c, u, y);
}

static ph_status apply_defined(op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs,
                               dif_place at, ph_err *err) {
    static const op_attrs none;
    op_spec *sx = ph_alloc((size_t)n * sizeof *sx);
    if (!sx) return ph_fail_nomem(err, (size_t)n * sizeof *sx);
    for (int i = 0; i < n; i++) sx[i] = in[i]->spec;
    op_use u = {.row = row, .attrs = attrs ? attrs : &none, .n = n, .x = in, .sx = sx};
    ph_status st = dif_define(out, row->n_out, row->name, define_row, &u, at, err);
    ph_free(sx);
    return st;
}

/* ---- a batch ------------------------------------------------------------------------------------------- */

static ph_status apply_batch(op_val **out, dif_trace *t, const op *row, op_val *const *in, int n,
                             const op_attrs *attrs, dif_place at, ph_err *err) {
    static const op_attrs none;
    dif_ctx x;
    const op_rule *rule = op_rule_of(row);
    op_val *y[OP_MAXOUT] = {NULL}, *few_raw[FEW], **raw = few_raw;
    op_spec few_sx[FEW], *sx = few_sx;
    bool few_batched[FEW], *batched = few_batched;
    ph_status st = PH_OK;
    if (rule && rule->define && !rule->batch) return apply_defined(out, row, in, n, attrs, at, err);
    dif_ctx_begin(&x, at);
    if (n > FEW) {
        raw = ph_alloc((size_t)n * sizeof *raw);
        sx = ph_alloc((size_t)n * sizeof *sx);
        batched = ph_alloc((size_t)n);
    }
    if (!raw || !sx || !batched) {
        st = ph_fail_nomem(err, (size_t)n * sizeof *sx);
        goto done;
    }
    for (int i = 0; i < n; i++) {
        batched[i] = in[i]->trace == t;
        raw[i] = batched[i] ? in[i]->inner : in[i];
        sx[i] = in[i]->spec;
    }
    op_use u = {.row = row, .attrs = attrs ? attrs : &none, .n = n, .x = raw, .sx = sx};
    (rule && rule->batch ? rule->batch : op_batch_each)(&x.c, &u, batched, t->batch, y);
    for (int k = 0; k < row->n_out && x.c.st == PH_OK; k++)
        if (!y[k] || y[k]->spec.ndim < 1 || y[k]->spec.shape[0] != t->batch)
            op_fail(&x.c, PH_EARG, "%s: its rule for batches is wrong", row->name);
    if ((st = x.c.st) != PH_OK) *err = x.c.err;
    for (int k = 0; k < row->n_out && st == PH_OK; k++) st = dif_wrap(&out[k], t, dif_ref(y[k]), -1, err);
done:
    dif_ctx_end(&x);
    if (raw != few_raw) ph_free(raw);
    if (sx != few_sx) ph_free(sx);
    if (batched != few_batched) ph_free(batched);
    return st;
}

/* ---- a tape -------------------------------------------------------------------------------------------- */

static ph_status record(op_val **out, dif_trace *t, const op *row, const op_rule *rule, op_val *const *in,
                        int n, op_val **res, int ny, const op_attrs *attrs, dif_place at, ph_err *err) {
    ph_status st = dif_trace_room(t, row->n_out, err);
    dif_node *node;
    if (st == PH_OK) st = dif_node_new(&node, n, row->n_out, ny, attrs, err);
    if (st != PH_OK) return st;
    node->row = row;
    node->rule = rule;
    node->at = (dif_place){dif_trace_source(t, at.source), at.line};
    int all = 0;
    for (int i = 0; i < n; i++) all += in[i]->trace == t;
    for (int i = 0; i < n; i++) {
        bool mine = in[i]->trace == t;
        bool drop = rule->drop >> (i < 8 ? i : 7) & 1 || (rule->mutual && all == mine);
        node->from[i] = mine ? in[i]->slot : -1;
        node->sx[i] = in[i]->spec;
        node->x[i] = drop ? NULL : dif_ref(mine ? in[i]->inner : in[i]);
    }
    for (int k = 0; k < ny; k++) {
        node->sy[k] = res[k]->spec;
        node->y[k] = rule->drop & OP_DROP_Y ? NULL : dif_ref(res[k]);
    }
    dif_trace_add(t, node);
    for (int k = 0; k < row->n_out && st == PH_OK; k++)
        st = dif_wrap(&out[k], t, dif_ref(res[k]), node->first + k, err);
    return st;
}

static ph_status check_nan(const op *row, op_val *const *in, int n, op_val *const *res, ph_err *err) {
    for (int i = 0; i < n; i++)
        if (dif_has_nan(in[i])) return PH_OK;
    for (int k = 0; k < row->n_out; k++)
        if (dif_has_nan(res[k]))
            return ph_fail(err, PH_EDOMAIN, "%s: its result is nan here, the first one on the way",
                           row->name);
    return PH_OK;
}

static ph_status apply_tape(op_val **out, dif_trace *t, const op *row, op_val *const *in, int n,
                            const op_attrs *attrs, dif_place at, ph_err *err) {
    op_val *few[FEW], **inner = few, *res[OP_MAXOUT] = {NULL};
    const op_rule *rule = op_rule_of(row);
    const op *run = rule && rule->keeps ? op_find(rule->keeps) : row;
    ph_status st;
    if (rule && rule->define && !rule->vjp) return apply_defined(out, row, in, n, attrs, at, err);
    if (!rule || rule->refuse)
        return ph_fail(err, PH_EARG, "%s: %s", row->name,
                       rule ? rule->refuse : "has no rule for derivatives");
    if (n > FEW && !(inner = ph_alloc((size_t)n * sizeof *inner)))
        return ph_fail_nomem(err, (size_t)n * sizeof *inner);
    for (int i = 0; i < n; i++) inner[i] = dif_outside(t, in[i]);
    st = dif_apply(rule->plain ? out : res, run, inner, n, attrs, at, err);
    if (inner != few) ph_free(inner);
    if (st != PH_OK || rule->plain) return st;
    for (int k = 0; k < row->n_out && st == PH_OK; k++)
        if (res[k]->spec.dtype == ARR_C128)
            st = ph_fail(err, PH_EARG,
                         "%s: the result is complex; derivatives are taken in real numbers (carry re and im "
                         "as two arrays)",
                         row->name);
    if (st == PH_OK && res[0]->spec.dtype == ARR_BOOL) { /* a choice among bools: nothing to differentiate */
        for (int k = 0; k < row->n_out; k++) out[k] = res[k];
        return PH_OK;
    }
    if (st == PH_OK && t->watch) st = check_nan(row, in, n, res, err);
    if (st == PH_OK) st = record(out, t, row, rule, in, n, res, run->n_out, attrs, at, err);
    for (int k = 0; k < run->n_out; k++) dif_drop(res[k]);
    return st;
}

/* ---- any ----------------------------------------------------------------------------------------------- */

ph_status dif_apply(op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs,
                    dif_place at, ph_err *err) {
    dif_trace *top = NULL;
    ph_status st;
    for (int k = 0; k < row->n_out; k++) out[k] = NULL;
    for (int i = 0; i < n; i++) {
        dif_trace *t = in[i]->trace;
        if (t && t->closed)
            return ph_fail(err, PH_EARG,
                           "%s: operand %d has escaped: it was made inside a derivative that is finished; "
                           "return it from the function instead",
                           row->name, i + 1);
        if (t && (!top || t->id > top->id)) top = t;
    }
    if (!top) st = apply_constants(out, row, in, n, attrs, err);
    else st = (top->batch ? apply_batch : apply_tape)(out, top, row, in, n, attrs, at, err);
    if (st != PH_OK)
        for (int k = 0; k < row->n_out; k++) {
            dif_drop(out[k]);
            out[k] = NULL;
        }
    return st;
}
