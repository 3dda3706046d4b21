/* under.c: see under.h. */
#include "verify/under.h"

#include <string.h>

#include "verify/given.h"
#include "verify/internal.h"
#include "verify/order.h"

#define INSTANCES 60 /* points of each */

/* Of two that follow from each other, by g: the statement with the values put in, and what it holds under. False: it cannot be done. */
static bool reduce(ver_asked *q, ver_assume *a, const ver_given *g, expr_builder *b, expr_node *s) {
    expr_node *r = ver_given_put(g, b, s);
    r = r ? ver_given_replace(g, b, r) : NULL;
    *a = (ver_assume){g->rest, g->nrest};
    *q = (ver_asked){r, a, g};
    return r && !expr_same(r, s);
}

/* An equation holds when it does for either sign of a root. */
static ph_status equal_under(ver_verdict *out, const ver_claim *c, expr_builder *b, ph_err *err) {
    ver_zeros z = {0};
    ver_given g;
    ver_asked q;
    ver_assume a;
    bool all = true;
    ph_status st = PH_OK;
    for (int sign = 1; sign >= -1 && all && !st; sign -= 2) {
        (void)ver_given_solve(&g, b, c->assume, sign);
        all = !b->st && reduce(&q, &a, &g, b, c->statement);
        if (all) st = ver_gather_zeros(&all, out, &z, &q, err);
        if (!g.root) break;
    }
    if (!st && all && !b->st) st = ver_trust_zeros(out, c, &z, err);
    if (!st && ver_is_open(out) && !b->st && !g.root) st = ver_search_met(out, &all, &q, err);
    ver_zeros_clear(&z);
    return st;
}

static ph_status order_under(ver_verdict *out, const ver_claim *c, expr_builder *b, ph_err *err) {
    ver_given g;
    ver_asked q;
    ver_assume a;
    (void)ver_given_solve(&g, b, c->assume, 0);
    return b->st || !reduce(&q, &a, &g, b, c->statement) ? PH_OK : ver_prove_order_of(out, c, &q, err);
}

static bool has_equation(const ver_assume *a) {
    for (int i = 0; a && i < a->nwhere; i++)
        if (a->where[i]->op == EXPR_EQ) return true;
    return false;
}

/* The first whole symbol in the bounds of a sum in e. */
static expr_node *length_of(expr_node *e) {
    expr_node *n = NULL;
    for (uint32_t i = 1; e->op == EXPR_SUM && i <= 2 && !n; i++) {
        expr_set atoms;
        if (expr_symbols(&atoms, e->arg[i], NULL)) return NULL;
        for (int k = 0; k < atoms.n && !n; k++)
            if (atoms.item[k]->op == EXPR_SYM && atoms.item[k]->kind == EXPR_NATURAL) n = atoms.item[k];
        expr_set_clear(&atoms); /* the bound holds it, too */
    }
    for (uint32_t i = 0; i < e->nargs && !n; i++) n = length_of(e->arg[i]);
    return n;
}

/* An equation with a sum of symbolic length: a witness is sought among sums of two and three terms, where it is one for a member. */
static ph_status by_instances(ver_verdict *out, const ver_claim *c, expr_builder *b, ph_err *err) {
    expr_node *n = NULL, *list[VER_REST];
    bool found = false;
    ph_status st = PH_OK;
    for (int i = 0; i < c->assume->nwhere && !n; i++)
        if (c->assume->where[i]->op == EXPR_EQ) n = length_of(c->assume->where[i]);
    if (!n || c->assume->nwhere >= VER_REST) return PH_OK;
    memcpy(list, c->assume->where, (size_t)c->assume->nwhere * sizeof *list);
    for (int terms = 2; terms <= 3 && !found && !st; terms++) {
        ver_given g;
        ver_asked q;
        ver_assume a;
        list[c->assume->nwhere] = expr_b_2(b, EXPR_EQ, n, expr_b_rat(b, terms, 1));
        if (b->st || !ver_given_solve(&g, b, &(ver_assume){list, c->assume->nwhere + 1}, 0)) break;
        if (reduce(&q, &a, &g, b, c->statement)) st = ver_search(out, &found, &q, 0, INSTANCES, 256, err);
    }
    return st;
}

/* By the statement that is left where equations have put symbols out; what that leaves open stays unsaid. */
ph_status ver_prove_under(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_err unheard = {0};
    ver_verdict v;
    ver_claim c = {s, a};
    if (!has_equation(a)) return PH_OK;
    expr_builder b = EXPR_BUILDER(&unheard);
    ver_init(&v);
    ph_status st = s->op == EXPR_EQ ? equal_under(&v, &c, &b, err) : order_under(&v, &c, &b, err);
    if (!st && v.strength == VER_UNKNOWN) st = by_instances(&v, &c, &b, err);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (!st && ph_is_fatal(end)) st = ph_fail(err, end, "%s", unheard.text);
    if (!st) ver_take_decided(out, &v);
    ver_clear(&v);
    return st;
}
