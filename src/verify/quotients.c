/* quotients.c: u >= 0 from u·D >= 0 where D > 0 and −u·D >= 0 where D < 0, for a denominator D of u: where D is 0, u is undefined. */
#include "verify/settle.h"

#define MAX_DEPTH 3 /* goals deeper than this have denominators enough */

static expr_node *find_denominator(const expr_node *e) {
    switch (e->op) {
    case EXPR_DIV:
        return e->arg[1]->op != EXPR_RAT && expr_is_real(e->arg[1]) ? e->arg[1] : find_denominator(e->arg[0]);
    case EXPR_NEG: return find_denominator(e->arg[0]);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL: {
        expr_node *d = find_denominator(e->arg[0]);
        return d ? d : find_denominator(e->arg[1]);
    }
    default: return NULL;
    }
}

/* e·D, with the D that e is divided by gone. */
static expr_node *times(expr_builder *b, expr_node *e, expr_node *D) {
    switch (e->op) {
    case EXPR_NEG: return expr_b_neg(b, times(b, e->arg[0], D));
    case EXPR_ADD: return expr_b_add(b, times(b, e->arg[0], D), times(b, e->arg[1], D));
    case EXPR_SUB: return expr_b_sub(b, times(b, e->arg[0], D), times(b, e->arg[1], D));
    case EXPR_DIV:
        if (expr_same(e->arg[1], D)) return e->arg[0];
        if (e->arg[1]->op == EXPR_RAT) return expr_b_div(b, times(b, e->arg[0], D), e->arg[1]);
        break;
    case EXPR_MUL:
        if (find_denominator(e->arg[0])) return expr_b_mul(b, times(b, e->arg[0], D), e->arg[1]);
        if (find_denominator(e->arg[1])) return expr_b_mul(b, e->arg[0], times(b, e->arg[1], D));
        break;
    default: break;
    }
    return expr_b_mul(b, e, D);
}

expr_node *ver_without_denominators(expr_builder *b, expr_node *u) {
    for (int k = 0; k < MAX_DEPTH && u; k++) {
        expr_node *D = find_denominator(u);
        if (!D || !expr_is_positive(D)) break;
        u = times(b, u, D);
    }
    return u;
}

/* v >= 0 where d > 0. */
static ph_status where(ver_sign *out, const ver_goal *g, expr_node *v, expr_node *d, bool strict) {
    ver_goal h = *g;
    *out = VER_SIGN_OPEN;
    if (!v || !d || !ver_goal_add(&h, d, true)) return g->b->st;
    return ver_settle_within(out, &h, v, strict);
}

ph_status ver_by_sign_of(ver_sign *out, const ver_goal *g, expr_node *d, expr_node *v, bool never_0,
                         bool strict) {
    expr_node *minus = expr_b_neg(g->b, d);
    ver_sign plus, less = VER_SIGN_OPEN, above = VER_SIGN_POSITIVE, below = VER_SIGN_POSITIVE;
    *out = VER_SIGN_OPEN;
    if (!minus) return g->b->st;
    ph_status st = ver_settle_within(&plus, g, d, !never_0);
    if (!st && plus == VER_SIGN_OPEN) st = ver_settle_within(&less, g, minus, !never_0);
    bool apart = never_0 || plus == VER_SIGN_POSITIVE || less == VER_SIGN_POSITIVE;
    if (st || (strict && !apart)) return st;
    if (less == VER_SIGN_OPEN) st = where(&above, g, v, d, strict);
    if (!st && above != VER_SIGN_OPEN && plus == VER_SIGN_OPEN)
        st = where(&below, g, expr_b_neg(g->b, v), minus, strict);
    if (st) return st;
    *out = above < below ? above : below;
    if (!apart && *out == VER_SIGN_POSITIVE) *out = VER_SIGN_NONNEGATIVE;
    return PH_OK;
}

ph_status ver_by_quotients(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_node *D = g->depth <= MAX_DEPTH ? find_denominator(u) : NULL, *v = D ? times(g->b, u, D) : NULL;
    *method = "the sign of a denominator, then what is left of the quotient";
    return v ? ver_by_sign_of(out, g, D, v, true, strict) : g->b->st;
}
