/* rule.c: finds the rule of a row, and what rules call. */
#include "array/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const op_rule arr_elementwise_rules[], arr_reduce_rules[], arr_shape_rules[], arr_move_rules[],
    arr_product_rules[], arr_linalg_rules[], att_rules[], enc_rules[];
extern const int arr_elementwise_nrules, arr_reduce_nrules, arr_shape_nrules, arr_move_nrules,
    arr_product_nrules, arr_linalg_nrules, att_nrules, enc_nrules;

const op_rule_table op_rule_tables[] = {
    {arr_elementwise_rules, &arr_elementwise_nrules}, /* one table a file */
    {arr_reduce_rules, &arr_reduce_nrules},
    {arr_shape_rules, &arr_shape_nrules},
    {arr_move_rules, &arr_move_nrules},
    {arr_product_rules, &arr_product_nrules},
    {arr_linalg_rules, &arr_linalg_nrules},
    {att_rules, &att_nrules},
    {enc_rules, &enc_nrules},
    {NULL, NULL},
};

/* ---- finding ------------------------------------------------------------------------------------------- */

static const op_rule *replaced; /* tests only */

const op_rule *op_rule_of(const op *row) {
    static op_index index;
    if (replaced && strcmp(replaced->name, row->name) == 0) return replaced;
    if (!index.count)
        for (const op_rule_table *t = op_rule_tables; t->rules; t++)
            op_index_add(&index, t->rules, *t->n, sizeof *t->rules);
    return op_index_find(&index, row->name);
}

void op_rule_replace(const char *name, const op_rule *rule) {
    static op_rule copy;
    replaced = NULL;
    if (!rule) return;
    copy = *rule;
    copy.name = name;
    replaced = &copy;
}

/* ---- calling ------------------------------------------------------------------------------------------- */

void op_fail(op_ctx *c, ph_status code, const char *fmt, ...) {
    if (c->st != PH_OK) return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->err.text, sizeof c->err.text, fmt, ap);
    va_end(ap);
    c->st = c->err.code = code;
}

void op_do_all(op_ctx *c, const char *name, const op_attrs *attrs, int n, op_val *const *in, op_val **out) {
    const op *row = op_find(name);
    if (!row) {
        op_fail(c, PH_EARG, "a rule calls %s, which is no operation", name);
        return;
    }
    for (int k = 0; k < row->n_out; k++) out[k] = NULL;
    if (c->st != PH_OK) return;
    for (int i = 0; i < n; i++)
        if (!in[i]) return;
    c->engine->apply(c, out, row, in, n, attrs);
}

op_val *op_do(op_ctx *c, const char *name, const op_attrs *attrs, int n, op_val *const *in) {
    op_val *out[OP_MAXOUT] = {NULL};
    op_do_all(c, name, attrs, n, in, out);
    return out[0];
}

op_val *op_do1(op_ctx *c, const char *name, op_val *x) { return op_do(c, name, NULL, 1, &x); }

op_val *op_do2(op_ctx *c, const char *name, op_val *x, op_val *y) {
    return op_do(c, name, NULL, 2, (op_val *[]){x, y});
}

op_val *op_do3(op_ctx *c, const char *name, op_val *x, op_val *y, op_val *z) {
    return op_do(c, name, NULL, 3, (op_val *[]){x, y, z});
}

op_val *op_do_axis(op_ctx *c, const char *name, op_val *x, int axis, bool keep) {
    op_attrs attrs = {.has_axis = true, .axis = axis, .keep = keep};
    return op_do(c, name, &attrs, 1, &x);
}

op_val *op_do_ints(op_ctx *c, const char *name, op_val *x, int n, const int64_t *ints) {
    op_attrs attrs = {.nints = n};
    memcpy(attrs.ints, ints, (size_t)n * sizeof *ints);
    return op_do(c, name, &attrs, 1, &x);
}

/* ---- small things -------------------------------------------------------------------------------------- */

op_val *op_plus(op_ctx *c, op_val *a, op_val *b) {
    if (!a) return b;
    return b ? op_do2(c, "add", a, b) : a;
}

op_val *op_times(op_ctx *c, op_val *a, double f) {
    if (!a || f == 1) return a;
    return f == -1 ? op_do1(c, "neg", a) : op_do2(c, "mul", a, op_num(c, f));
}

op_val *op_hold(op_ctx *c, arr *a) { return c->engine->hold(c, a); }

op_val *op_num(op_ctx *c, double x) {
    arr a;
    if (c->st != PH_OK) return NULL;
    c->st = arr_scalar(&a, ARR_F64, (arr_c128){x, 0}, &c->err);
    return c->st == PH_OK ? op_hold(c, &a) : NULL;
}

/* One element, stretched: no memory for zeros. */
op_val *op_filled(op_ctx *c, const op_spec *s, double x) {
    arr one = ARR_NONE, all = ARR_NONE;
    if (c->st != PH_OK) return NULL;
    c->st = arr_scalar(&one, s->dtype, (arr_c128){x, 0}, &c->err);
    if (c->st == PH_OK) c->st = arr_broadcast_to(&all, &one, s->ndim, s->shape, &c->err);
    arr_drop(&one);
    return c->st == PH_OK ? op_hold(c, &all) : NULL;
}

op_val *op_stop_gradient(op_ctx *c, op_val *v) { return v && c->st == PH_OK ? c->engine->still(c, v) : NULL; }

const op_spec *op_spec_of(op_ctx *c, const op_val *v) { return c->engine->spec(v); }

bool op_is_number(op_ctx *c, const op_val *v, double *x) { return v && c->engine->number(v, x); }

op_val *op_to_shape(op_ctx *c, op_val *v, int ndim, const int64_t *shape) {
    if (!v || c->st != PH_OK) return NULL;
    const op_spec *s = op_spec_of(c, v);
    bool same = s->ndim == ndim;
    for (int i = 0; same && i < ndim; i++) same = s->shape[i] == shape[i];
    return same ? v : op_do_ints(c, "reshape", v, ndim, shape);
}

op_val *op_swap(op_ctx *c, op_val *v) { return op_do1(c, "transpose", v); }

static op_val *to_dtype(op_ctx *c, op_val *v, arr_dtype t) {
    if (!v || c->st != PH_OK || op_spec_of(c, v)->dtype == t) return v;
    op_attrs attrs = {.word = arr_dtype_name(t)};
    return op_do(c, "astype", &attrs, 1, &v);
}

op_val *op_fit(op_ctx *c, op_val *g, const op_spec *x) {
    if (!g || c->st != PH_OK) return NULL;
    op_spec s = *op_spec_of(c, g);
    int lead = s.ndim - x->ndim;
    if (lead > 1) { /* all leading dimensions at once */
        int64_t shape[ARR_MAXDIM], rows = 1;
        for (int i = 0; i < lead; i++) rows *= s.shape[i];
        shape[0] = rows;
        for (int i = lead; i < s.ndim; i++) shape[i - lead + 1] = s.shape[i];
        g = op_to_shape(c, g, s.ndim - lead + 1, shape);
    }
    if (lead > 0) g = op_do_axis(c, "sum", g, 0, false);
    for (int i = 0; i < x->ndim; i++)
        if (lead >= 0 && x->shape[i] == 1 && s.shape[i + lead] != 1) g = op_do_axis(c, "sum", g, i, true);
    return to_dtype(c, g, x->dtype);
}

op_val *op_spread(op_ctx *c, op_val *t, const op_spec *y) {
    if (!t || c->st != PH_OK) return NULL;
    const op_spec *s = op_spec_of(c, t);
    bool same = s->ndim == y->ndim;
    for (int i = 0; same && i < s->ndim; i++) same = s->shape[i] == y->shape[i];
    if (!same) t = op_do_ints(c, "broadcast_to", t, y->ndim, y->shape);
    return to_dtype(c, t, y->dtype);
}

int op_axis_of(const op_attrs *attrs, int ndim, int otherwise) {
    int axis = attrs->has_axis ? attrs->axis : otherwise;
    return axis < 0 ? axis + ndim : axis;
}
