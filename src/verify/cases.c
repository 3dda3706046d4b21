/* cases.c: piecewise parts of a formula, taken case by case. A part under Σ that uses the index stands for many values, each of
 * which may be in a case of its own: such a part is no case of the whole. */
#include "verify/cases.h"

static exp_node *find(exp_node *e, const exp_bound *b) {
    if (e->op == EXP_PIECE && !exp_uses_bound(e, b)) return e;
    exp_node *p = NULL;
    for (uint32_t i = 0; i < e->nargs && !p; i++) {
        exp_bound in = {e->arg[0], b};
        p = find(e->arg[i], e->op == EXP_SUM && i == 3 ? &in : b);
    }
    return p;
}

exp_node *ver_find_case(exp_node *e) { return find(e, NULL); }

typedef struct {
    exp_node *piece, *branch;
} pick;

/* Where an index of the same name is bound, what looks like the part is another one. */
static exp_node *take(exp_builder *b, exp_node *e, void *ctx) {
    pick *p = ctx;
    if (exp_same(e, p->piece)) return p->branch;
    if (e->op != EXP_SUM || !exp_has(p->piece, e->arg[0])) return exp_b_rewrite(b, e, 0, take, ctx);
    exp_node *lo = take(b, e->arg[1], ctx), *hi = take(b, e->arg[2], ctx);
    return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){e->arg[0], lo, hi, e->arg[3]});
}

exp_node *ver_take_case(exp_builder *b, exp_node *e, exp_node *piece, exp_node *branch) {
    return take(b, e, &(pick){piece, branch});
}

/* Of two ways to write an equation the one that stands first. */
static bool is_turned(const exp_node *u, const exp_node *minus) {
    if (u->op == EXP_RAT) return u->num < 0;
    return u->hash > minus->hash;
}

/* u < 0, u <= 0, u = 0 or u != 0 with a linear u in one order: two ways to say the same become one. */
static exp_node *one_form(exp_builder *b, exp_node *c) {
    exp_node *l = c->arg[0], *r = c->arg[1], *zero = exp_b_rat(b, 0, 1);
    bool order = c->op != EXP_EQ && c->op != EXP_NE;
    if (order && (!exp_is_real(l) || !exp_is_real(r))) return c;
    exp_node *u = exp_b_linear(b, exp_b_sub(b, l, r)), *minus = exp_b_linear(b, exp_b_sub(b, r, l));
    if (!u || !minus) return NULL;
    switch (c->op) {
    case EXP_GT: return exp_b_2(b, EXP_LT, minus, zero);
    case EXP_GE: return exp_b_2(b, EXP_LE, minus, zero);
    case EXP_EQ:
    case EXP_NE: return exp_b_2(b, c->op, is_turned(u, minus) ? minus : u, zero);
    default: return exp_b_2(b, c->op, u, zero);
    }
}

/* The branches that are left. */
static exp_node *settle_piece(exp_builder *b, exp_node *e, const ver_ends *ends) {
    exp_node **kept = ph_alloc((size_t)e->nargs * sizeof *kept), *out;
    uint32_t n = 0;
    if (!kept) return b->st = ph_fail_nomem(b->err, (size_t)e->nargs * sizeof *kept), NULL;
    for (uint32_t i = 0; i < e->nargs; i += 2) {
        bool last = i + 1 == e->nargs;
        ver_when w = last ? VER_ALWAYS : ver_span_decides(e->arg[i], ends);
        if (w == VER_NEVER) continue;
        if (w == VER_SOMETIMES) kept[n++] = e->arg[i];
        kept[n++] = e->arg[last ? i : i + 1];
        if (w == VER_ALWAYS) break;
    }
    out = n == 1 ? kept[0] : n == e->nargs ? e : exp_b_op(b, EXP_PIECE, (int)n, kept);
    ph_free(kept);
    return out;
}

/* The least, the greatest, |u|: the part that it always is; e where none is. */
static exp_node *settle_choice(exp_builder *b, exp_node *e, const ver_ends *ends) {
    exp_node *x = e->arg[0], *y = e->op == EXP_ABS ? exp_b_rat(b, 0, 1) : e->arg[1];
    exp_node *u = exp_is_real(x) && exp_is_real(y) ? exp_b_linear(b, exp_b_sub(b, x, y)) : NULL;
    ver_span s;
    if (!u) return b->st ? NULL : e;
    ver_span_init(&s);
    bool known = ver_span_of(&s, u, ends), above = known && arf_sgn(s.lo) >= 0,
         below = known && arf_sgn(s.hi) <= 0;
    ver_span_clear(&s);
    if (!above && !below) return e;
    if (e->op == EXP_ABS) return above ? x : exp_b_neg(b, x);
    return above == (e->op == EXP_MAX) ? x : y;
}

/* What is assumed of a symbol is not said of an index that has its name. */
static bool names(const ver_ends *ends, const exp_node *index) {
    for (int i = 0; i < ends->n; i++)
        if (exp_has(ends->at[i].atom, index)) return true;
    return false;
}

exp_node *ver_settle_cases(exp_builder *b, exp_node *e, void *ctx) {
    if (e->op == EXP_SUM && names(ctx, e->arg[0])) return e;
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, ver_settle_cases, ctx);
    if (!e) return NULL;
    if (exp_is_statement(e)) return one_form(b, e);
    if (e->op == EXP_PIECE) return settle_piece(b, e, ctx);
    if (e->op == EXP_MIN || e->op == EXP_MAX || e->op == EXP_ABS) return settle_choice(b, e, ctx);
    return e;
}
