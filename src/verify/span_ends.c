/* span_ends.c: the ends of single symbols, from their kinds and from the facts about them alone; see span.h. */
#include "verify/span.h"

#include "verify/wide.h"

/* c·x + r >= 0 gives x >= −r/c or x <= −r/c, rounded outwards. */
static void note(ver_ends *t, const expr_node *x, const expr_node *c, const expr_node *r) {
    fmpq_t q, d;
    arb_t end;
    if (t->n == SETTLE_FACTS) return;
    fmpq_init(q);
    fmpq_init(d);
    arb_init(end);
    ver_fmpq_set(q, r->num, r->den);
    ver_fmpq_set(d, c->num, c->den);
    fmpq_div(q, q, d);
    fmpq_neg(q, q);
    arb_set_fmpq(end, q, SPAN_BITS);
    t->at[t->n].atom = x;
    t->at[t->n].lower = c->num > 0;
    arf_init(t->at[t->n].end);
    if (c->num > 0) arb_get_lbound_arf(t->at[t->n].end, end, SPAN_BITS);
    else arb_get_ubound_arf(t->at[t->n].end, end, SPAN_BITS);
    t->n++;
    arb_clear(end);
    fmpq_clear(q);
    fmpq_clear(d);
}

void ver_ends_init(ver_ends *t, const ver_goal *g) {
    t->n = 0;
    for (int i = 0; i < g->nfacts; i++) {
        expr_set atoms = {0};
        expr_node *c, *r;
        ph_err ignored; /* one name, two symbols: the caller has refused that */
        if (expr_symbols(&atoms, g->fact[i].u, &ignored) == PH_OK && atoms.n == 1 &&
            ver_linear_in(g->b, g->fact[i].u, atoms.item[0], &c, &r) && c->num && r->op == EXPR_RAT)
            note(t, expr_b_keep(g->b, expr_ref(atoms.item[0])), c, r);
        expr_set_clear(&atoms);
    }
}

void ver_ends_assume(ver_ends *t, expr_builder *b, const ver_assume *a) {
    ver_goal facts = {.b = b};
    for (int i = 0; a && i < a->nwhere; i++)
        if (!ver_goal_assume(&facts, a->where[i])) break;
    ver_ends_init(t, &facts);
}

void ver_ends_clear(ver_ends *t) {
    for (int i = 0; i < t->n; i++) arf_clear(t->at[i].end);
    t->n = 0;
}

bool ver_ends_known(ver_span *s, const expr_node *e, const ver_ends *t) {
    const expr_node *sym = e->op == EXPR_AT ? e->arg[0] : e;
    ver_span_set_whole(s);
    if (sym->kind == EXPR_COMPLEX) return false;
    if (sym->kind == EXPR_POSITIVE) arf_zero(s->lo);
    if (sym->kind == EXPR_NATURAL) arf_one(s->lo);
    for (int i = 0; i < t->n; i++) {
        if (!expr_same(t->at[i].atom, e)) continue;
        if (t->at[i].lower && arf_cmp(t->at[i].end, s->lo) > 0) arf_set(s->lo, t->at[i].end);
        if (!t->at[i].lower && arf_cmp(t->at[i].end, s->hi) < 0) arf_set(s->hi, t->at[i].end);
    }
    if (arf_cmp(s->lo, s->hi) > 0)
        ver_span_set_whole(s); /* the facts contradict each other: nothing is concluded */
    return true;
}

ph_status ver_ends_of(double *lo, double *hi, expr_node *e, const ver_assume *a, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    ver_ends ends;
    ver_span s;
    ver_span_init(&s);
    ver_ends_assume(&ends, &b, a);
    if (!ver_span_of(&s, e, &ends)) ver_span_set_whole(&s);
    *lo = arf_get_d(s.lo, ARF_RND_FLOOR);
    *hi = arf_get_d(s.hi, ARF_RND_CEIL);
    ver_ends_clear(&ends);
    ver_span_clear(&s);
    return expr_b_end(&b, NULL, NULL);
}
