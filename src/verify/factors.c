/* factors.c: u >= 0, a product f·v or a sum of such products, from v >= 0 where f > 0 and −v >= 0 where f < 0: where f is 0 and u is defined, u is 0. */
#include "verify/settle.h"

#define MAX_DEPTH 3 /* goals deeper than this have factors enough */
#define MOST      6 /* factors of one term that are tried */

typedef struct {
    expr_node *f[MOST];
    int n;
} factors;

/* Those of e, or of its first term. */
static void gather(factors *out, expr_node *e) {
    switch (e->op) {
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_DIV: gather(out, e->arg[0]); return;
    case EXPR_MUL:
        gather(out, e->arg[0]);
        gather(out, e->arg[1]);
        return;
    case EXPR_POW:
        if (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && e->arg[1]->num > 0) e = e->arg[0];
        break;
    default: break;
    }
    for (int i = 0; i < out->n; i++)
        if (expr_same(out->f[i], e)) return;
    if (out->n < MOST && e->op != EXPR_RAT && expr_is_real(e)) out->f[out->n++] = e;
}

/* e without one factor f; NULL: it has none. */
static expr_node *without(expr_builder *b, expr_node *e, expr_node *f) {
    expr_node *l, *r;
    if (expr_same(e, f)) return expr_b_rat(b, 1, 1);
    switch (e->op) {
    case EXPR_NEG: l = without(b, e->arg[0], f); return l ? expr_b_neg(b, l) : NULL;
    case EXPR_DIV: l = without(b, e->arg[0], f); return l ? expr_b_div(b, l, e->arg[1]) : NULL;
    case EXPR_MUL:
        if ((l = without(b, e->arg[0], f))) return expr_b_mul(b, l, e->arg[1]);
        return (r = without(b, e->arg[1], f)) ? expr_b_mul(b, e->arg[0], r) : NULL;
    case EXPR_POW: {
        const expr_node *k = e->arg[1];
        bool whole = k->op == EXPR_RAT && k->den == 1 && k->num > 0;
        return whole && expr_same(e->arg[0], f) ? expr_b_pow(b, f, expr_b_rat(b, k->num - 1, 1)) : NULL;
    }
    case EXPR_ADD:
    case EXPR_SUB:
        l = without(b, e->arg[0], f), r = l ? without(b, e->arg[1], f) : NULL;
        if (!r) return NULL;
        return e->op == EXPR_ADD ? expr_b_add(b, l, r) : expr_b_sub(b, l, r);
    default: return NULL;
    }
}

ph_status ver_by_factors(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    factors all = {.n = 0};
    ph_status st = PH_OK;
    *method = "the sign of a factor, then what is left of the product";
    if (g->depth <= MAX_DEPTH) gather(&all, u);
    for (int i = 0; i < all.n && *out == VER_SIGN_OPEN && !st; i++) {
        expr_node *v = without(g->b, u, all.f[i]);
        if (g->b->st) return g->b->st;
        if (v && v->op != EXPR_RAT) st = ver_by_sign_of(out, g, all.f[i], v, false, strict);
    }
    return st;
}
