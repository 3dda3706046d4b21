/* eval_many.c: the values of a formula at many points, a block of points at a time.
 *
 * Each operation goes through the block before the next, by the same functions of numbers as at one point; parts that are the
 * same at all points are worked out once for the block, and so is what stands in the formula twice. Where the points of a block
 * go different ways (another branch of piecewise, another bound of a sum, another member), each goes its own by eval.c.
 */
#include "expr/eval.h"

#include <string.h>

#define BLOCK  256
#define SHARED 64 /* parts of a block that are kept because they may be asked for again */

typedef struct values {
    bool same;           /* v[0] holds everywhere */
    struct values *next; /* while it is not in use */
    double complex v[BLOCK];
} values;

typedef struct {
    expr_lookup_many *lookup;
    void *ctx;
    ph_err *err;
    int64_t first; /* the block's points */
    int n;
    values *spare;
    struct {
        const expr_node *part;
        values *values;
    } shared[SHARED];
    int64_t at; /* the point that eval.c is asked for */
} many;

static ph_status walk(values *out, const expr_node *e, const expr_frame *f, many *m);

/* ---- blocks -------------------------------------------------------------------------------------------- */

static ph_status borrow(values **out, many *m) {
    *out = m->spare ? m->spare : ph_alloc(sizeof **out);
    if (!*out) return ph_fail_nomem(m->err, sizeof **out);
    if (m->spare) m->spare = m->spare->next;
    return PH_OK;
}

static void give_back(values *v, many *m) {
    if (!v) return;
    v->next = m->spare;
    m->spare = v;
}

static void copy(values *to, const values *from, int n) {
    to->same = from->same;
    memcpy(to->v, from->v, (size_t)(from->same ? 1 : n) * sizeof *to->v);
}

static void constant(values *out, double complex z) {
    out->same = true;
    out->v[0] = z;
}

/* Are all points of one value? Comparison by bits would tell 0 from −0, which no branch or bound depends on. */
static bool agree(values *u, int n) {
    for (int i = 1; i < n && !u->same; i++)
        if (u->v[i] != u->v[0] && !(expr_is_undefined(u->v[i]) && expr_is_undefined(u->v[0]))) return false;
    u->same = true;
    return true;
}

/* ---- point by point ------------------------------------------------------------------------------------ */

static bool one_value(void *ctx, const expr_node *atom, double complex *v) {
    const many *m = ctx;
    bool same = false;
    return m->lookup(m->ctx, atom, m->at, 1, v, &same);
}

static ph_status each(values *out, const expr_node *e, const expr_frame *f, many *m) {
    out->same = false;
    for (int i = 0; i < m->n; i++) {
        m->at = m->first + i;
        ph_status st = expr_eval_within(&out->v[i], e, f, &(expr_evaluator){one_value, m, m->err, NULL});
        if (st) return st;
    }
    return PH_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static ph_status walk_atom(values *out, const expr_node *e, many *m) {
    out->same = false;
    return m->lookup(m->ctx, e, m->first, m->n, out->v, &out->same) ? PH_OK : expr_no_value(e, m->err);
}

static ph_status walk_symbol(values *out, const expr_node *e, const expr_frame *f, many *m) {
    for (; f; f = f->up)
        if (expr_same(f->sym, e)) {
            constant(out, f->value);
            return PH_OK;
        }
    return walk_atom(out, e, m);
}

static ph_status walk_member(values *out, const expr_node *e, const expr_frame *f, many *m) {
    expr_node *member = NULL;
    ph_status st = walk(out, e->arg[1], f, m);
    if (st) return st;
    if (!agree(out, m->n)) return each(out, e, f, m);
    PH_TRY(expr_member(&member, e->arg[0], out->v[0], m->err));
    st = walk_atom(out, member, m);
done:
    expr_drop(member);
    return st;
}

static void combine(values *out, expr_op op, const values *b, int n) {
    if (out->same && b->same) {
        constant(out, expr_apply2(op, out->v[0], b->v[0]));
        return;
    }
    double complex one = out->v[0];
    for (int i = 0; i < n; i++)
        out->v[i] = expr_apply2(op, out->same ? one : out->v[i], b->v[b->same ? 0 : i]);
    out->same = false;
}

static ph_status walk_sum(values *out, const expr_node *e, const expr_frame *f, many *m) {
    values *hi = NULL;
    ph_status st = PH_OK;
    PH_TRY(borrow(&hi, m));
    PH_TRY(walk(out, e->arg[1], f, m));
    PH_TRY(walk(hi, e->arg[2], f, m));
    if (!agree(out, m->n) || !agree(hi, m->n)) {
        st = each(out, e, f, m);
        goto done;
    }
    PH_TRY(expr_check_bounds(e, out->v[0], hi->v[0], m->err));
    int64_t from = (int64_t)creal(out->v[0]), to = (int64_t)creal(hi->v[0]);
    constant(out, to < from - 1 ? EXPR_UNDEFINED : 0);
    for (int64_t i = from; i <= to; i++) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(m->err);
            goto done;
        }
        PH_TRY(walk(hi, e->arg[3], &(expr_frame){e->arg[0], (double)i, f}, m));
        combine(out, EXPR_ADD, hi, m->n);
    }
done:
    give_back(hi, m);
    return st;
}

static ph_status walk_piece(values *out, const expr_node *e, const expr_frame *f, many *m) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        ph_status st = walk(out, e->arg[i], f, m);
        if (st) return st;
        if (!agree(out, m->n)) return each(out, e, f, m);
        if (expr_is_undefined(out->v[0])) return PH_OK;
        if (out->v[0] != 0) return walk(out, e->arg[i + 1], f, m);
    }
    return walk(out, e->arg[e->nargs - 1], f, m);
}

static ph_status walk_operation(values *out, const expr_node *e, const expr_frame *f, many *m) {
    values *b = NULL;
    ph_status st = PH_OK;
    PH_TRY(walk(out, e->arg[0], f, m));
    if (e->nargs == 2) {
        PH_TRY(borrow(&b, m));
        PH_TRY(walk(b, e->arg[1], f, m));
        combine(out, e->op, b, m->n);
    } else
        for (int i = 0; i < (out->same ? 1 : m->n); i++) out->v[i] = expr_apply1(e->op, out->v[i]);
done:
    give_back(b, m);
    return st;
}

static ph_status walk_part(values *out, const expr_node *e, const expr_frame *f, many *m) {
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_I:
    case EXPR_PI:
        out->same = true;
        return expr_eval_within(out->v, e, NULL, &(expr_evaluator){one_value, m, m->err, NULL});
    case EXPR_SYM: return walk_symbol(out, e, f, m);
    case EXPR_AT: return walk_member(out, e, f, m);
    case EXPR_SUM: return walk_sum(out, e, f, m);
    case EXPR_PIECE: return walk_piece(out, e, f, m);
    case EXPR_INTEGRAL: return expr_no_value(e, m->err);
    default: return walk_operation(out, e, f, m);
    }
}

/* What others refer to as well may come again in the formula; under a sum it may have another value then. */
static ph_status walk(values *out, const expr_node *e, const expr_frame *f, many *m) {
    if (f || e->refs < 2 || !e->nargs) return walk_part(out, e, f, m);
    int slot = (int)(e->hash % SHARED);
    if (m->shared[slot].part == e) {
        copy(out, m->shared[slot].values, m->n);
        return PH_OK;
    }
    ph_status st = walk_part(out, e, f, m);
    if (!st && !m->shared[slot].values) st = borrow(&m->shared[slot].values, m);
    if (st) return st;
    copy(m->shared[slot].values, out, m->n);
    m->shared[slot].part = e;
    return PH_OK;
}

/* ---- the door ------------------------------------------------------------------------------------------ */

static void forget_shared(many *m) {
    for (int i = 0; i < SHARED; i++) m->shared[i].part = NULL;
}

static void free_blocks(many *m) {
    for (int i = 0; i < SHARED; i++) give_back(m->shared[i].values, m);
    while (m->spare) {
        values *v = m->spare;
        m->spare = v->next;
        ph_free(v);
    }
}

ph_status expr_eval_many(double complex *out, int64_t n, const expr_node *e, expr_lookup_many *lookup,
                         void *ctx, ph_err *err) {
    many m = {.lookup = lookup, .ctx = ctx, .err = err};
    values *v = NULL;
    ph_status st = borrow(&v, &m);
    for (; !st && m.first < n; m.first += BLOCK) {
        m.n = n - m.first < BLOCK ? (int)(n - m.first) : BLOCK;
        forget_shared(&m);
        if (ph_interrupted()) st = ph_fail_interrupted(err);
        else st = walk(v, e, NULL, &m);
        for (int i = 0; i < m.n && !st; i++) out[m.first + i] = v->v[v->same ? 0 : i];
    }
    give_back(v, &m);
    free_blocks(&m);
    return st;
}
