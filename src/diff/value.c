/* value.c: the life of values and traces. */
#include "base/list.h"
#include "diff/internal.h"

#include <string.h>

static uint64_t last_id;
static int open_traces;

/* ---- values -------------------------------------------------------------------------------------------- */

static void trace_unref(dif_trace *t);

static op_val *new_val(ph_err *err) {
    op_val *v = ph_object_alloc(sizeof *v); /* by the thousand, and gone soon: slabs are made for that */
    if (!v) {
        (void)ph_fail_nomem(err, sizeof *v);
        return NULL;
    }
    v->refs = 1;
    v->trace = NULL;
    v->inner = v->before = v->after = NULL;
    v->slot = -1;
    v->a = ARR_NONE;
    return v;
}

op_val *dif_ref(op_val *v) {
    if (v) v->refs++;
    return v;
}

static void unlink_val(op_val *v) {
    if (v->before) v->before->after = v->after;
    else v->trace->values = v->after;
    if (v->after) v->after->before = v->before;
}

/* A chain of values may be as long as traces are nested: no deeper. */
void dif_drop(op_val *v) {
    if (!v || --v->refs > 0) return;
    if (v->trace) {
        unlink_val(v);
        dif_drop(v->inner);
        trace_unref(v->trace);
    }
    if (v->a.buf) arr_drop(&v->a);
    ph_object_free(v, sizeof *v);
}

ph_status dif_constant(op_val **out, arr *a, ph_err *err) {
    op_val *v = *out = new_val(err);
    if (!v) {
        arr_drop(a);
        return PH_ENOMEM;
    }
    v->a = *a;
    v->writes = arr_writes(a);
    *a = ARR_NONE;
    v->spec.dtype = v->a.dtype;
    v->spec.ndim = v->a.ndim;
    memcpy(v->spec.shape, v->a.shape, sizeof v->spec.shape);
    return PH_OK;
}

ph_status dif_wrap(op_val **out, dif_trace *t, op_val *inner, int64_t slot, ph_err *err) {
    op_val *v = *out = new_val(err);
    if (!v) {
        dif_drop(inner);
        return PH_ENOMEM;
    }
    v->trace = t;
    t->refs++;
    v->inner = inner;
    v->slot = slot;
    v->spec = inner->spec;
    if (t->batch) { /* one member */
        v->spec.ndim--;
        memmove(v->spec.shape, v->spec.shape + 1, (ARR_MAXDIM - 1) * sizeof *v->spec.shape);
    }
    v->before = NULL;
    v->after = t->values;
    if (t->values) t->values->before = v;
    t->values = v;
    return PH_OK;
}

/* A number stretched over an array lies in it once. */
static bool is_stretched(const arr *a) {
    for (int d = 0; d < a->ndim; d++)
        if (a->stride[d] == 0 && a->shape[d] > 1) return true;
    return false;
}

ph_status dif_own(op_val **v, ph_err *err) {
    const arr *a = &(*v)->a;
    arr mine;
    if ((*v)->trace || a->ndim == 0) return PH_OK;
    if ((*v)->refs == 1 && !arr_is_shared(a) && !is_stretched(a)) return PH_OK;
    ph_status st = arr_convert(&mine, a, a->dtype, err);
    if (st != PH_OK) return st;
    dif_drop(*v);
    return dif_constant(v, &mine, err);
}

const op_spec *dif_spec(const op_val *v) { return &v->spec; }

bool dif_traced(const op_val *v) { return v->trace != NULL; }

bool dif_escaped(const op_val *v) { return v->trace && v->trace->closed; }

const arr *dif_array(const op_val *v) {
    while (v && v->trace && !v->trace->batch) v = v->inner;
    return v && !v->trace ? &v->a : NULL;
}

op_val *dif_outside(dif_trace *tape, op_val *v) { return v->trace == tape ? v->inner : v; }

/* ---- traces -------------------------------------------------------------------------------------------- */

static ph_status open_trace(dif_trace **out, int64_t batch, ph_err *err) {
    dif_trace *t = *out = ph_calloc(1, sizeof *t);
    if (!t) return ph_fail_nomem(err, sizeof *t);
    t->refs = 1;
    t->id = ++last_id;
    t->batch = batch;
    open_traces++;
    return PH_OK;
}

ph_status dif_open(dif_trace **out, ph_err *err) { return open_trace(out, 0, err); }

ph_status dif_open_batch(dif_trace **out, int64_t size, ph_err *err) {
    *out = NULL;
    if (size < 1) return ph_fail(err, PH_EARG, "a batch of %lld; wanted at least 1", (long long)size);
    return open_trace(out, size, err);
}

void dif_watch(dif_trace *tape) { tape->watch = true; }

/* Element by element in row-major order, at any strides. */
bool dif_has_nan(const op_val *v) {
    const arr *a = v ? dif_array(v) : NULL;
    int64_t index[ARR_MAXDIM] = {0};
    if (!a || (a->dtype != ARR_F32 && a->dtype != ARR_F64)) return false;
    for (int64_t left = arr_size(a); left > 0; left--) {
        double x = arr_get_num(a, arr_at(a, index));
        if (x != x) return true;
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == a->shape[d]; d--) index[d] = 0;
    }
    return false;
}

bool dif_any_open(void) { return open_traces > 0; }

/* One block holds the node, its lists and its parameters. */
ph_status dif_node_new(dif_node **out, int n, int n_out, int ny, const op_attrs *attrs, ph_err *err) {
    static const op_attrs none;
    size_t lists = (size_t)n * (sizeof(op_spec) + sizeof(op_val *) + sizeof(int64_t)) +
                   (size_t)ny * (sizeof(op_spec) + sizeof(op_val *));
    size_t word = attrs && attrs->word ? strlen(attrs->word) + 1 : 0, bytes = sizeof(dif_node) + lists + word;
    if (attrs) bytes += sizeof *attrs;
    dif_node *node = *out = ph_object_alloc(bytes);
    if (!node) return ph_fail_nomem(err, bytes);
    memset(node, 0, sizeof *node + lists);
    node->bytes = bytes;
    node->n = n;
    node->n_out = n_out;
    node->ny = ny;
    node->sx = (op_spec *)(node + 1);
    node->sy = node->sx + n;
    node->x = (op_val **)(node->sy + ny);
    node->y = node->x + n;
    node->from = (int64_t *)(node->y + ny);
    node->attrs = &none;
    if (!attrs) return PH_OK;
    op_attrs *own = (op_attrs *)(node->from + n);
    memcpy(own, attrs, offsetof(op_attrs, ints)); /* most of the ints are unused */
    memcpy(own->ints, attrs->ints, (size_t)attrs->nints * sizeof attrs->ints[0]);
    own->word = word ? memcpy(own + 1, attrs->word, word) : NULL;
    own->base = attrs->base;
    node->attrs = own;
    return PH_OK;
}

static void free_node(dif_node *node) {
    for (int i = 0; i < node->n; i++) dif_drop(node->x[i]);
    for (int k = 0; k < node->ny; k++) dif_drop(node->y[k]);
    ph_object_free(node, node->bytes);
}

/* Nodes are freed last to first; a value's husk outlives them. Closing one value may end others further in,
 * which belong to other traces. */
static void close_trace(dif_trace *t) {
    if (t->closed) return;
    t->closed = true;
    open_traces--;
    while (t->n > 0) free_node(t->nodes[--t->n]);
    for (op_val *v = t->values; v; v = v->after) {
        dif_drop(v->inner);
        v->inner = NULL;
    }
    for (int i = 0; i < t->n_sources; i++) ph_free(t->sources[i]);
    ph_free(t->sources);
    ph_free(t->nodes);
    ph_free(t->node_of);
    t->sources = NULL;
    t->nodes = NULL;
    t->node_of = NULL;
    t->n_sources = 0;
}

static void trace_unref(dif_trace *t) {
    if (--t->refs == 0) ph_free(t);
}

void dif_end(dif_trace *t) {
    if (!t) return;
    close_trace(t);
    trace_unref(t);
}

/* ---- a tape's store ------------------------------------------------------------------------------------ */

static ph_status grow(void *at, int64_t *cap, int64_t need, size_t item, ph_err *err) {
    void **p = at;
    if (need <= *cap) return PH_OK;
    int64_t more = *cap ? 2 * *cap : 64;
    while (more < need) more *= 2;
    void *bigger = ph_realloc(*p, (size_t)more * item);
    if (!bigger) return ph_fail_nomem(err, (size_t)more * item);
    *p = bigger;
    *cap = more;
    return PH_OK;
}

ph_status dif_trace_room(dif_trace *t, int n_out, ph_err *err) {
    ph_status st = grow(&t->nodes, &t->cap, t->n + 1, sizeof *t->nodes, err);
    if (st == PH_OK) st = grow(&t->node_of, &t->slot_cap, t->slots + n_out, sizeof *t->node_of, err);
    return st;
}

void dif_trace_add(dif_trace *t, dif_node *node) {
    node->first = t->slots;
    for (int k = 0; k < node->n_out; k++) t->node_of[t->slots++] = t->n;
    t->nodes[t->n++] = node;
}

/* The newest name is the likeliest. */
const char *dif_trace_source(dif_trace *t, const char *source) {
    if (!source) return NULL;
    for (int i = t->n_sources - 1; i >= 0; i--)
        if (t->sources[i] == source || strcmp(t->sources[i], source) == 0) return t->sources[i];
    char **bigger = ph_list_more(t->sources, (size_t)t->n_sources, sizeof *bigger);
    if (!bigger) return NULL;
    t->sources = bigger;
    char *copy = ph_strdup(source);
    if (copy) t->sources[t->n_sources++] = copy;
    return copy;
}

/* ---- looking at a tape --------------------------------------------------------------------------------- */

bool dif_node_at(const dif_trace *tape, int64_t i, dif_op *out) {
    if (i >= tape->n) return false;
    const dif_node *node = tape->nodes[i];
    *out = (dif_op){node->row, node->rule && node->rule->moves, node->n, node->from, node->sy, node->at};
    return true;
}

int64_t dif_slot(const dif_trace *tape, const op_val *v) { return v->trace == tape ? v->slot : -1; }

int64_t dif_node_of(const dif_trace *tape, int64_t slot) { return tape->node_of[slot]; }

/* ---- inputs -------------------------------------------------------------------------------------------- */

ph_status dif_input(op_val **out, dif_trace *tape, op_val *v, ph_err *err) {
    *out = NULL;
    if (v->spec.dtype != ARR_F64 && v->spec.dtype != ARR_F32)
        return ph_fail(err, PH_EARG, "is %s; derivatives are taken in real numbers, f64 or f32",
                       arr_dtype_name(v->spec.dtype));
    ph_status st = dif_trace_room(tape, 1, err);
    dif_node *node;
    if (st == PH_OK) st = dif_node_new(&node, 0, 1, 1, NULL, err);
    if (st != PH_OK) return st;
    node->sy[0] = v->spec;
    dif_trace_add(tape, node);
    return dif_wrap(out, tape, dif_ref(v), node->first, err);
}

ph_status dif_batched(op_val **out, dif_trace *batch, op_val *v, ph_err *err) {
    char text[200];
    arr shown = {.ndim = v->spec.ndim};
    memcpy(shown.shape, v->spec.shape, sizeof shown.shape);
    *out = NULL;
    if (v->spec.ndim < 1 || v->spec.shape[0] != batch->batch)
        return ph_fail(err, PH_EARG, "a batch of %lld from a value of shape %s", (long long)batch->batch,
                       arr_shape_text(text, sizeof text, &shown));
    return dif_wrap(out, batch, dif_ref(v), -1, err);
}

ph_status dif_members(op_val **out, dif_trace *batch, op_val *v, ph_err *err) {
    dif_ctx x;
    op_spec s = v->spec;
    *out = NULL;
    if (v->trace == batch) {
        *out = dif_ref(v->inner);
        return PH_OK;
    }
    dif_ctx_begin(&x, (dif_place){NULL, 0});
    memmove(s.shape + 1, s.shape, (ARR_MAXDIM - 1) * sizeof *s.shape);
    s.shape[0] = batch->batch;
    s.ndim++;
    if (s.ndim > ARR_MAXDIM)
        op_fail(&x.c, PH_EARG, "a batch of values with %d dimensions; at most %d", s.ndim - 1,
                ARR_MAXDIM - 1);
    *out = dif_ref(op_spread(&x.c, v, &s));
    ph_status st = x.c.st;
    if (st != PH_OK) *err = x.c.err;
    dif_ctx_end(&x);
    if (st == PH_OK) st = dif_own(out, err); /* somebody may write to them */
    if (st != PH_OK) {
        dif_drop(*out);
        *out = NULL;
    }
    return st;
}
