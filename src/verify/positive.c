/* positive.c: see positive.h. */
#include "verify/positive.h"

#include <string.h>

#include "verify/internal.h"

#define MOST_SIGNS 3 /* symbols that may be 0, each of which doubles the cases */

/* The real or integer symbol that is above 0 where c holds; NULL: c does not say so of one. *all: c says nothing else. */
static expr_node *said_positive(bool *all, const expr_node *c) {
    bool less = c->op == EXPR_LT || c->op == EXPR_LE;
    if (!less && c->op != EXPR_GT && c->op != EXPR_GE) return NULL;
    expr_node *x = c->arg[less], *least = c->arg[!less];
    if (x->op != EXPR_SYM || (x->kind != EXPR_REAL && x->kind != EXPR_INTEGER)) return NULL;
    bool strict = c->op == EXPR_LT || c->op == EXPR_GT;
    *all = expr_is_rat(least, strict ? 0 : 1, 1) && (strict || x->kind == EXPR_INTEGER);
    return expr_is_positive(least) || (strict && expr_is_nonnegative(least)) ? x : NULL;
}

bool ver_says_positive(const ver_assume *a) {
    bool all, says = false;
    for (int i = 0; i < a->nwhere; i++) says |= said_positive(&all, a->where[i]) != NULL;
    return says;
}

/* x as a positive symbol throughout; false: it cannot be put in. */
static bool put_positive(expr_node **claim, int n, expr_builder *b, expr_node *x) {
    expr_node *t = NULL;
    if (b->st || (b->st = expr_sym(&t, x->name, x->kind == EXPR_REAL ? EXPR_POSITIVE : EXPR_NATURAL, b->err)))
        return false;
    (void)expr_b_keep(b, t);
    for (int i = 0; i <= n; i++) {
        claim[i] = expr_b_try_subst(b, claim[i], x, t);
        if (!claim[i]) return false;
    }
    return true;
}

void ver_as_positive(expr_node **claim, int *n, expr_builder *b, expr_node *s, const ver_assume *a) {
    bool found = false, all = false;
    int left = a ? a->nwhere : 0;
    *n = -1;
    claim[0] = s;
    for (int i = 0; i < left; i++) claim[i + 1] = a->where[i];
    for (int i = 1; i <= left; i++) {
        expr_node *x = said_positive(&all, claim[i]);
        if (!x) continue;
        if (all) claim[i] = claim[left--];
        if (!put_positive(claim, left, b, x)) return;
        found = true;
        i = 0; /* what is above x is positive, too */
    }
    if (found) *n = left;
}

/* ---- what may be 0 ------------------------------------------------------------------------------------- */

/* The real symbol of which c says that it is >= 0, and nothing else. */
static expr_node *said_nonnegative(const expr_node *c) {
    bool less = c->op == EXPR_LE;
    if (!less && c->op != EXPR_GE) return NULL;
    expr_node *x = c->arg[less];
    return x->op == EXPR_SYM && x->kind == EXPR_REAL && expr_is_rat(c->arg[!less], 0, 1) ? x : NULL;
}

typedef struct {
    bool all;
    ver_zeros *z;
    expr_builder *b;
} gathered;

/* claim[0] is the statement, n conditions follow. */
static ph_status gather(gathered *g, expr_node *const *claim, int n, int most, ph_err *err);

/* The case x = 0 (at: claim[at] said that x >= 0), or x > 0. */
static ph_status gather_case(gathered *g, expr_node *const *claim, int n, int at, bool zero, int most,
                             ph_err *err) {
    expr_node *x = said_nonnegative(claim[at]), *none = expr_b_rat(g->b, 0, 1);
    expr_node **one = ph_alloc((size_t)(n + 1) * sizeof *one);
    if (!one) return ph_fail_nomem(err, sizeof *one);
    memcpy(one, claim, (size_t)(n + 1) * sizeof *one);
    if (zero) one[at] = one[n--];
    else one[at] = expr_b_2(g->b, EXPR_GT, x, none);
    for (int i = 0; zero && i <= n; i++) one[i] = expr_b_try_subst(g->b, one[i], x, none);
    for (int i = 0; i <= n; i++) g->all &= one[i] != NULL;
    ph_status st = g->all ? gather(g, one, n, most, err) : PH_OK;
    ph_free(one);
    return st;
}

static ph_status gather(gathered *g, expr_node *const *claim, int n, int most, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 1; i <= n; i++) {
        if (!said_nonnegative(claim[i])) continue;
        g->all &= most > 0;
        for (int zero = 0; zero < 2 && g->all && !st; zero++)
            st = gather_case(g, claim, n, i, zero, most - 1, err);
        return st;
    }
    expr_node **one = ph_alloc((size_t)(n + 1) * sizeof *one);
    if (!one) return ph_fail_nomem(err, sizeof *one);
    ver_verdict v; /* what a case says by itself: a point of it lacks the symbols that are 0 */
    ver_init(&v);
    v.bare = true;
    int left;
    ver_assume a = {(expr_node *const *)claim + 1, n};
    ver_as_positive(one, &left, g->b, claim[0], &a);
    if (left >= 0) a = (ver_assume){one + 1, left};
    if (!g->b->st)
        st = ver_gather_zeros(&g->all, &v, g->z, &(ver_asked){left < 0 ? claim[0] : one[0], &a, NULL}, err);
    g->all &= !g->b->st && g->z->conditions.n == 0;
    ver_clear(&v);
    ph_free(one);
    return st;
}

ph_status ver_gather_by_signs(bool *all, ver_zeros *z, const ver_claim *c, ph_err *err) {
    ph_err unheard = {0};
    expr_builder b = EXPR_BUILDER(&unheard);
    int n = c->assume ? c->assume->nwhere : 0;
    expr_node **claim = ph_alloc((size_t)(n + 1) * sizeof *claim);
    if (!claim) return ph_fail_nomem(err, sizeof *claim);
    claim[0] = c->statement;
    bool any = false;
    for (int i = 0; i < n; i++) {
        claim[i + 1] = c->assume->where[i];
        any |= said_nonnegative(claim[i + 1]) != NULL;
    }
    gathered g = {any, z, &b};
    ph_status st = any ? gather(&g, claim, n, MOST_SIGNS, err) : PH_OK;
    *all = g.all && !st;
    ph_status end = expr_b_end(&b, NULL, NULL);
    ph_free(claim);
    return st || !ph_is_fatal(end) ? st : ph_fail(err, end, "%s", unheard.text);
}
