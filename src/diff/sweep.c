/* sweep.c: through a tape backwards (pull) and forwards (push). Only operations between the given inputs and the
 * given results take part. */
#include "diff/internal.h"

#include <string.h>

#define FEW 8

/* What one sweep knows: a cotangent or tangent for each slot, and which slots matter. */
typedef struct {
    dif_trace *tape;
    op_val **at;  /* by slot; NULL: zero */
    bool *from_x; /* by slot: depends on an input that was asked for */
    bool *to_y;   /* by node: something given depends on it */
    int64_t n,
        slots; /* nodes and slots at the start: an outer tape grows while it is swept, this one does not */
} sweep;

static void sweep_end(sweep *s) {
    for (int64_t k = 0; s->at && k < s->slots; k++) dif_drop(s->at[k]);
    ph_free(s->at);
    ph_free(s->from_x);
    ph_free(s->to_y);
}

static ph_status sweep_begin(sweep *s, dif_trace *tape, ph_err *err) {
    *s = (sweep){.tape = tape, .n = tape->n, .slots = tape->slots};
    if (tape->closed) return ph_fail(err, PH_EARG, "the derivative is finished; its record is gone");
    s->at = ph_calloc((size_t)tape->slots + 1, sizeof *s->at);
    s->from_x = ph_calloc((size_t)tape->slots + 1, 1);
    s->to_y = ph_calloc((size_t)tape->n + 1, 1);
    if (s->at && s->from_x && s->to_y) return PH_OK;
    return ph_fail_nomem(err, (size_t)tape->slots * sizeof *s->at);
}

static bool on_tape(const sweep *s, const op_val *v) { return v && v->trace == s->tape; }

/* Marks what depends on the x. */
static void mark_from(sweep *s, int nx, op_val *const *x) {
    for (int i = 0; i < nx; i++)
        if (on_tape(s, x[i])) s->from_x[x[i]->slot] = true;
    for (int64_t i = 0; i < s->n; i++) {
        const dif_node *node = s->tape->nodes[i];
        bool any = false;
        for (int k = 0; k < node->n && !any; k++) any = node->from[k] >= 0 && s->from_x[node->from[k]];
        for (int k = 0; k < node->n_out && any; k++) s->from_x[node->first + k] = true;
    }
}

/* Marks what the y depend on. */
static void mark_to(sweep *s, int ny, op_val *const *y) {
    for (int k = 0; k < ny; k++)
        if (on_tape(s, y[k])) s->to_y[s->tape->node_of[y[k]->slot]] = true;
    for (int64_t i = s->n - 1; i >= 0; i--) {
        const dif_node *node = s->tape->nodes[i];
        if (!s->to_y[i]) continue;
        for (int k = 0; k < node->n; k++)
            if (node->from[k] >= 0) s->to_y[s->tape->node_of[node->from[k]]] = true;
    }
}

static bool same_shape(const op_spec *a, const op_spec *b) {
    return a->ndim == b->ndim && memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0;
}

/* at[slot] += v, where v must have the shape of the slot's value. */
static void accumulate(sweep *s, dif_ctx *x, int64_t slot, op_val *v, const op_spec *want, const op *who) {
    if (!v || x->c.st != PH_OK) return;
    if (!same_shape(&v->spec, want)) {
        op_fail(&x->c, PH_EARG, "%s: its rule for derivatives gave a wrong shape", who->name);
        return;
    }
    if (v->spec.dtype != want->dtype) v = op_spread(&x->c, v, want);
    v = op_plus(&x->c, s->at[slot], v);
    if (x->c.st != PH_OK) return;
    dif_ref(v);
    dif_drop(s->at[slot]);
    s->at[slot] = v;
}

/* ---- one node ------------------------------------------------------------------------------------------ */

static op_use use_of(const dif_node *node, const bool *wants) {
    return (op_use){node->row, node->attrs, node->n, node->x, node->y, node->sx, node->sy, wants, node->ny};
}

/* gx from g by whichever rule there is. */
static void run_vjp(op_ctx *c, const dif_node *node, const op_use *u, op_val *const *g, op_val **gx) {
    if (node->rule->vjp) {
        node->rule->vjp(c, u, g, gx);
        return;
    }
    for (int i = 0; i < u->n; i++)
        if (u->wants[i]) gx[i] = op_fit(c, node->rule->pass(c, u, i, g[0]), &u->sx[i]);
}

/* J dx = d(J^T g)/dg transposed, times dx: the vjp of a cotangent that is an input of its own tape, pulled back from dx. Its
 * value does not matter, since the vjp is linear. */
static void transposed(op_ctx *c, const dif_node *node, const op_use *u, op_val *const *dx, op_val **dy) {
    dif_trace *tape = NULL;
    op_val *g[OP_MAXOUT] = {NULL}, *out[OP_MAXOUT] = {NULL}, *few[FEW], **gx = few;
    dif_ctx inner;
    dif_ctx_begin(&inner, ((dif_ctx *)c)->at);
    if (node->n > FEW) gx = ph_alloc((size_t)node->n * sizeof *gx);
    if (!gx) c->st = ph_fail_nomem(&c->err, (size_t)node->n * sizeof *gx);
    if (c->st == PH_OK) c->st = dif_open(&tape, &c->err);
    for (int k = 0; k < node->n_out && c->st == PH_OK; k++) {
        op_val *zero = op_filled(&inner.c, &node->sy[k], 0);
        if (zero) c->st = dif_input(&g[k], tape, zero, &c->err);
    }
    if (c->st == PH_OK) {
        memset(gx, 0, (size_t)node->n * sizeof *gx);
        run_vjp(&inner.c, node, u, g, gx);
        if ((c->st = inner.c.st) != PH_OK) c->err = inner.c.err;
    }
    if (c->st == PH_OK) {
        dif_place at;
        int m = 0; /* the operands that move */
        op_val **y = ph_alloc((size_t)node->n * sizeof *y), **t = ph_alloc((size_t)node->n * sizeof *t);
        if (!y || !t) c->st = ph_fail_nomem(&c->err, (size_t)node->n * sizeof *y);
        for (int i = 0; i < node->n && c->st == PH_OK; i++)
            if (dx[i] && gx[i]) {
                y[m] = gx[i];
                t[m++] = dx[i];
            }
        if (c->st == PH_OK) c->st = dif_vjp(tape, m, y, t, node->n_out, g, out, true, &at, &c->err);
        ph_free(y);
        ph_free(t);
    }
    /* The context takes the results over by an operation of its own kind: a reference kept until it ends. */
    for (int k = 0; k < node->n_out; k++) {
        if (c->st == PH_OK) dy[k] = dif_ctx_take((dif_ctx *)c, out[k]);
        else dif_drop(out[k]);
        dif_drop(g[k]);
    }
    if (gx != few) ph_free(gx);
    dif_ctx_end(&inner);
    dif_end(tape);
}

static void run_jvp(op_ctx *c, const dif_node *node, const op_use *u, op_val *const *dx, op_val **dy) {
    if (node->rule->jvp) node->rule->jvp(c, u, dx, dy);
    else if (node->rule->pass)
        for (int i = 0; i < u->n; i++) {
            if (dx[i]) dy[0] = op_plus(c, dy[0], op_spread(c, node->rule->pass(c, u, i, dx[i]), &u->sy[0]));
        }
    else transposed(c, node, u, dx, dy);
}

/* What is needed for a node: flags and values for its operands. */
typedef struct {
    op_val *few[FEW], **v;
    bool few_wants[FEW], *wants;
} operands;

static ph_status operands_begin(operands *o, int n, ph_err *err) {
    o->v = o->few;
    o->wants = o->few_wants;
    if (n > FEW) {
        o->v = ph_alloc((size_t)n * sizeof *o->v);
        o->wants = ph_alloc((size_t)n);
    }
    if (!o->v || !o->wants) {
        if (o->v != o->few) ph_free(o->v);
        if (o->wants != o->few_wants) ph_free(o->wants);
        return ph_fail_nomem(err, (size_t)n * sizeof *o->v);
    }
    memset(o->v, 0, (size_t)n * sizeof *o->v);
    return PH_OK;
}

static void operands_end(operands *o) {
    if (o->v != o->few) ph_free(o->v);
    if (o->wants != o->few_wants) ph_free(o->wants);
}

/* A NaN among the cotangents that go out, and none among those that came in. */
static void check_nan(const sweep *s, op_ctx *c, const dif_node *node, op_val *const *gx) {
    for (int k = 0; k < node->n_out; k++)
        if (dif_has_nan(s->at[node->first + k])) return;
    for (int i = 0; i < node->n; i++)
        if (dif_has_nan(gx[i]))
            op_fail(c, PH_EDOMAIN, "%s: its derivative is nan here, the first one on the way back",
                    node->row->name);
}

/* What a tape keeps of an operand shares its elements: written to since, they are not what the operation saw. */
static bool was_written(const op_val *v) {
    while (v && v->trace) v = v->inner;
    return v && arr_writes(&v->a) != v->writes;
}

static ph_status check_written(const dif_node *node, ph_err *err) {
    for (int i = 0; i < node->n; i++)
        if (was_written(node->x[i]))
            return ph_fail(err, PH_EARG,
                           "%s: operand %d was written to after this; the derivative needs it as it was: "
                           "write to a copy, A:copy()",
                           node->row->name, i + 1);
    return PH_OK;
}

static ph_status pull_node(sweep *s, const dif_node *node, ph_err *err) {
    dif_ctx x;
    operands o;
    ph_status st = check_written(node, err);
    if (st == PH_OK) st = operands_begin(&o, node->n, err);
    if (st != PH_OK) return st;
    dif_ctx_begin(&x, node->at);
    for (int i = 0; i < node->n; i++) o.wants[i] = node->from[i] >= 0 && s->from_x[node->from[i]];
    op_use u = use_of(node, o.wants);
    run_vjp(&x.c, node, &u, s->at + node->first, o.v);
    if (s->tape->watch) check_nan(s, &x.c, node, o.v);
    for (int i = 0; i < node->n; i++)
        if (o.wants[i]) accumulate(s, &x, node->from[i], o.v[i], &node->sx[i], node->row);
    if ((st = x.c.st) != PH_OK) *err = x.c.err;
    dif_ctx_end(&x);
    operands_end(&o);
    return st;
}

static ph_status push_node(sweep *s, const dif_node *node, ph_err *err) {
    dif_ctx x;
    operands o;
    op_val *dy[OP_MAXOUT] = {NULL};
    ph_status st = check_written(node, err);
    if (st == PH_OK) st = operands_begin(&o, node->n, err);
    if (st != PH_OK) return st;
    dif_ctx_begin(&x, node->at);
    for (int i = 0; i < node->n; i++) {
        o.v[i] = node->from[i] >= 0 ? s->at[node->from[i]] : NULL;
        o.wants[i] = o.v[i] != NULL;
    }
    op_use u = use_of(node, o.wants);
    run_jvp(&x.c, node, &u, o.v, dy);
    for (int k = 0; k < node->n_out; k++) accumulate(s, &x, node->first + k, dy[k], &node->sy[k], node->row);
    if ((st = x.c.st) != PH_OK) *err = x.c.err;
    dif_ctx_end(&x);
    operands_end(&o);
    return st;
}

/* ---- sweeps -------------------------------------------------------------------------------------------- */

static bool any_at(const sweep *s, const dif_node *node) {
    for (int k = 0; k < node->n_out; k++)
        if (s->at[node->first + k]) return true;
    return false;
}

static bool any_from(const sweep *s, const dif_node *node) {
    for (int i = 0; i < node->n; i++)
        if (node->from[i] >= 0 && s->at[node->from[i]]) return true;
    return false;
}

static void release(dif_node *node) {
    for (int i = 0; i < node->n; i++) dif_drop(node->x[i]), node->x[i] = NULL;
    for (int k = 0; k < node->ny; k++) dif_drop(node->y[k]), node->y[k] = NULL;
}

static void forget(sweep *s, const dif_node *node) {
    for (int k = 0; k < node->n_out; k++) {
        dif_drop(s->at[node->first + k]);
        s->at[node->first + k] = NULL;
    }
}

/* The values at the given places; zeros where there is none. */
static ph_status collect(const sweep *s, int n, op_val *const *v, op_val **out, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < n && st == PH_OK; i++) {
        op_val *have = on_tape(s, v[i]) ? s->at[v[i]->slot] : NULL;
        arr zero;
        if (have) out[i] = dif_ref(have);
        else if ((st = arr_zeros(&zero, v[i]->spec.dtype, v[i]->spec.ndim, v[i]->spec.shape, err)) == PH_OK)
            st = dif_constant(&out[i], &zero, err);
    }
    for (int i = 0; i < n && st != PH_OK; i++) {
        dif_drop(out[i]);
        out[i] = NULL;
    }
    return st;
}

/* The given values go to their places. */
static ph_status place_all(sweep *s, int n, op_val *const *at, op_val *const *v, const char *what,
                           ph_err *err) {
    dif_ctx x;
    char a[200], b[200];
    dif_ctx_begin(&x, (dif_place){NULL, 0});
    for (int i = 0; i < n && x.c.st == PH_OK; i++) {
        if (!on_tape(s, at[i]) || !v[i]) continue;
        arr have = {.ndim = v[i]->spec.ndim}, want = {.ndim = at[i]->spec.ndim};
        memcpy(have.shape, v[i]->spec.shape, sizeof have.shape);
        memcpy(want.shape, at[i]->spec.shape, sizeof want.shape);
        if (!same_shape(&v[i]->spec, &at[i]->spec))
            op_fail(&x.c, PH_EARG, "%s %d has shape %s; wanted %s, the shape of its value", what, i + 1,
                    arr_shape_text(a, sizeof a, &have), arr_shape_text(b, sizeof b, &want));
        else accumulate(s, &x, at[i]->slot, v[i], &at[i]->spec, NULL);
    }
    if (x.c.st != PH_OK) *err = x.c.err;
    dif_ctx_end(&x);
    return x.c.st;
}

ph_status dif_vjp(dif_trace *tape, int ny, op_val *const *y, op_val *const *g, int nx, op_val *const *x,
                  op_val **gx, bool last, dif_place *at, ph_err *err) {
    sweep s;
    ph_status st;
    *at = (dif_place){NULL, 0};
    for (int i = 0; i < nx; i++) gx[i] = NULL;
    PH_TRY(sweep_begin(&s, tape, err));
    mark_from(&s, nx, x);
    PH_TRY(place_all(&s, ny, y, g, "cotangent", err));
    for (int64_t i = s.n - 1; i >= 0; i--) {
        const dif_node *node = tape->nodes[i];
        if (!node->row) continue;
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        if (any_at(&s, node) && s.from_x[node->first]) {
            *at = node->at;
            PH_TRY(pull_node(&s, node, err));
        }
        forget(&s, node);
        if (last) release(tape->nodes[i]);
    }
    st = collect(&s, nx, x, gx, err);
done:
    sweep_end(&s);
    return st;
}

ph_status dif_jvp(dif_trace *tape, int nx, op_val *const *x, op_val *const *dx, int ny, op_val *const *y,
                  op_val **dy, dif_place *at, ph_err *err) {
    sweep s;
    ph_status st;
    *at = (dif_place){NULL, 0};
    for (int k = 0; k < ny; k++) dy[k] = NULL;
    PH_TRY(sweep_begin(&s, tape, err));
    mark_to(&s, ny, y);
    PH_TRY(place_all(&s, nx, x, dx, "tangent", err));
    for (int64_t i = 0; i < s.n; i++) {
        const dif_node *node = tape->nodes[i];
        if (!node->row || !s.to_y[i] || !any_from(&s, node)) continue;
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        *at = node->at;
        PH_TRY(push_node(&s, node, err));
    }
    st = collect(&s, ny, y, dy, err);
done:
    sweep_end(&s);
    return st;
}
