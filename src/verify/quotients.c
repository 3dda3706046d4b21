/* quotients.c: u >= 0 from u·D >= 0 where D > 0 and −u·D >= 0 where D < 0, for a denominator D of u: where D is 0, u is undefined. */
#include "verify/settle.h"

#define MAX_DEPTH 3 /* goals deeper than this have denominators enough */

static exp_node *find_denominator(const exp_node *e) {
    switch (e->op) {
    case EXP_DIV:
        return e->arg[1]->op != EXP_RAT && exp_is_real(e->arg[1]) ? e->arg[1] : find_denominator(e->arg[0]);
    case EXP_NEG: return find_denominator(e->arg[0]);
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL: {
        exp_node *d = find_denominator(e->arg[0]);
        return d ? d : find_denominator(e->arg[1]);
    }
    default: return NULL;
    }
}

/* e·D, with the D that e is divided by gone. */
static exp_node *times(exp_builder *b, exp_node *e, exp_node *D) {
    switch (e->op) {
    case EXP_NEG: return exp_b_neg(b, times(b, e->arg[0], D));
    case EXP_ADD: return exp_b_add(b, times(b, e->arg[0], D), times(b, e->arg[1], D));
    case EXP_SUB: return exp_b_sub(b, times(b, e->arg[0], D), times(b, e->arg[1], D));
    case EXP_DIV:
        if (exp_same(e->arg[1], D)) return e->arg[0];
        if (e->arg[1]->op == EXP_RAT) return exp_b_div(b, times(b, e->arg[0], D), e->arg[1]);
        break;
    case EXP_MUL:
        if (find_denominator(e->arg[0])) return exp_b_mul(b, times(b, e->arg[0], D), e->arg[1]);
        if (find_denominator(e->arg[1])) return exp_b_mul(b, e->arg[0], times(b, e->arg[1], D));
        break;
    default: break;
    }
    return exp_b_mul(b, e, D);
}

/* v >= 0 where d > 0. */
static ph_status where(ver_sign *out, const ver_goal *g, exp_node *v, exp_node *d, bool strict) {
    ver_goal h = *g;
    *out = VER_SIGN_OPEN;
    if (!v || !d || !ver_goal_add(&h, d, true)) return g->b->st;
    return ver_settle_within(out, &h, v, strict);
}

ph_status ver_by_quotients(ver_sign *out, const char **method, const ver_goal *g, exp_node *u, bool strict) {
    exp_builder *b = g->b;
    exp_node *D = g->depth <= MAX_DEPTH ? find_denominator(u) : NULL, *v = D ? times(b, u, D) : NULL;
    ver_sign above = VER_SIGN_OPEN, below = VER_SIGN_OPEN;
    *method = "the sign of a denominator, then what is left of the quotient";
    if (!v) return b->st;
    ph_status st = where(&above, g, v, D, strict);
    if (st || above == VER_SIGN_OPEN) return st;
    if (exp_is_nonnegative(D)) below = above;
    else st = where(&below, g, exp_b_neg(b, v), exp_b_neg(b, D), strict);
    if (!st) *out = above < below ? above : below;
    return st;
}
