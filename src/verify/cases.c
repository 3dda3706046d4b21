/* cases.c: piecewise parts of a formula, taken case by case. A part under Σ that uses the index stands for many values, each of
 * which may be in a case of its own: such a part is no case of the whole. */
#include "verify/cases.h"

static expr_node *find(expr_node *e, const expr_bound *b) {
    if (e->op == EXPR_PIECE && !expr_uses_bound(e, b)) return e;
    expr_node *p = NULL;
    for (uint32_t i = 0; i < e->nargs && !p; i++) {
        expr_bound in = {e->arg[0], b};
        p = find(e->arg[i], e->op == EXPR_SUM && i == 3 ? &in : b);
    }
    return p;
}

expr_node *ver_find_case(expr_node *e) { return find(e, NULL); }

typedef struct {
    expr_node *piece, *branch;
} pick;

/* Where an index of the same name is bound, what looks like the part is another one. */
static expr_node *take(expr_builder *b, expr_node *e, void *ctx) {
    pick *p = ctx;
    if (expr_same(e, p->piece)) return p->branch;
    if (e->op != EXPR_SUM || !expr_has(p->piece, e->arg[0])) return expr_b_rewrite(b, e, 0, take, ctx);
    expr_node *lo = take(b, e->arg[1], ctx), *hi = take(b, e->arg[2], ctx);
    return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], lo, hi, e->arg[3]});
}

expr_node *ver_take_case(expr_builder *b, expr_node *e, expr_node *piece, expr_node *branch) {
    return take(b, e, &(pick){piece, branch});
}

/* Of two ways to write an equation the one that stands first. */
static bool is_turned(const expr_node *u, const expr_node *minus) {
    if (u->op == EXPR_RAT) return u->num < 0;
    return u->hash > minus->hash;
}

/* u < 0, u <= 0, u = 0 or u != 0 with a linear u in one order: two ways to say the same become one. */
static expr_node *one_form(expr_builder *b, expr_node *c) {
    expr_node *l = c->arg[0], *r = c->arg[1], *zero = expr_b_rat(b, 0, 1);
    bool order = c->op != EXPR_EQ && c->op != EXPR_NE;
    if (order && (!expr_is_real(l) || !expr_is_real(r))) return c;
    expr_node *u = expr_b_linear(b, expr_b_sub(b, l, r)), *minus = expr_b_linear(b, expr_b_sub(b, r, l));
    if (!u || !minus) return NULL;
    switch (c->op) {
    case EXPR_GT: return expr_b_2(b, EXPR_LT, minus, zero);
    case EXPR_GE: return expr_b_2(b, EXPR_LE, minus, zero);
    case EXPR_EQ:
    case EXPR_NE: return expr_b_2(b, c->op, is_turned(u, minus) ? minus : u, zero);
    default: return expr_b_2(b, c->op, u, zero);
    }
}

/* The branches that are left. */
static expr_node *settle_piece(expr_builder *b, expr_node *e, const ver_ends *ends) {
    expr_node **kept = ph_alloc((size_t)e->nargs * sizeof *kept), *out;
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
    out = n == 1 ? kept[0] : n == e->nargs ? e : expr_b_op(b, EXPR_PIECE, (int)n, kept);
    ph_free(kept);
    return out;
}

/* The least, the greatest, |u|: the part that it always is; e where none is. */
static expr_node *settle_choice(expr_builder *b, expr_node *e, const ver_ends *ends) {
    expr_node *x = e->arg[0], *y = e->op == EXPR_ABS ? expr_b_rat(b, 0, 1) : e->arg[1];
    expr_node *u = expr_is_real(x) && expr_is_real(y) ? expr_b_linear(b, expr_b_sub(b, x, y)) : NULL;
    ver_span s;
    if (!u) return b->st ? NULL : e;
    ver_span_init(&s);
    bool known = ver_span_of(&s, u, ends), above = known && arf_sgn(s.lo) >= 0,
         below = known && arf_sgn(s.hi) <= 0;
    ver_span_clear(&s);
    if (!above && !below) return e;
    if (e->op == EXPR_ABS) return above ? x : expr_b_neg(b, x);
    return above == (e->op == EXPR_MAX) ? x : y;
}

/* What is assumed of a symbol is not said of an index that has its name. */
static bool names(const ver_ends *ends, const expr_node *index) {
    for (int i = 0; i < ends->n; i++)
        if (expr_has(ends->at[i].atom, index)) return true;
    return false;
}

expr_node *ver_settle_cases(expr_builder *b, expr_node *e, void *ctx) {
    if (e->op == EXPR_SUM && names(ctx, e->arg[0])) return e;
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, ver_settle_cases, ctx);
    if (!e) return NULL;
    if (expr_is_statement(e)) return one_form(b, e);
    if (e->op == EXPR_PIECE) return settle_piece(b, e, ctx);
    if (e->op == EXPR_MIN || e->op == EXPR_MAX || e->op == EXPR_ABS) return settle_choice(b, e, ctx);
    return e;
}
