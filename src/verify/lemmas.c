/* lemmas.c: facts that hold of what stands in a goal, whatever else does:
 *     e^z >= e^w·(1 + z − w)               e^(z−w) >= 1 + (z − w), times e^w: the tangent at w, below a convex function; > where z != w
 *     log p <= log q + (p − q)/q           p, q > 0: the tangent at q, above a concave one; < where p != q
 *     Σ_{i=lo}^{hi} f(i) >= f(k)           a whole k, lo <= k <= hi and f >= 0: the other terms are left out
 *     |sin(n·w)| <= |n|·|sin w|            whole n; for n >= 0 by induction: |sin(nw + w)| <= |sin nw|·|cos w| + |cos nw|·|sin w| */
#include "verify/settle.h"

#define MAX_PARTS 4

typedef struct {
    expr_node *part[MAX_PARTS];
    int n;
} parts;

static void note(parts *p, expr_node *e) {
    for (int i = 0; i < p->n; i++)
        if (expr_same(p->part[i], e)) return;
    if (p->n < MAX_PARTS) p->part[p->n++] = e;
}

/* The parts of that kind which stand under no sum; of sums the sums themselves. */
static void find(parts *p, expr_node *e, expr_op op) {
    if (e->op == op) note(p, e);
    if (e->op == EXPR_SUM) return;
    for (uint32_t i = 0; i < e->nargs; i++) find(p, e->arg[i], op);
}

static bool settled(ver_goal *g, expr_node *u, bool strict, ph_status *st) {
    ver_sign s = VER_SIGN_OPEN;
    if (*st || !u) return false;
    *st = ver_settle_within(&s, g, u, strict);
    return !*st && s >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE);
}

static bool add_theorem(ver_goal *g, expr_node *u) {
    if (!ver_goal_add(g, u, false)) return false;
    return g->fact[g->nfacts - 1].always = true;
}

/* ---- tangents of exp and log ---------------------------------------------------------------------------- */

/* Is v known to be above 0, or to be below it? */
static bool apart(ver_goal *g, expr_node *v, ph_status *st) {
    return settled(g, v, true, st) || settled(g, expr_b_neg(g->b, v), true, st);
}

static bool exponential_tangents(ver_goal *g, const parts *p, bool strict, ph_status *st) {
    expr_builder *b = g->b;
    bool any = false;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->n; k++) {
            expr_node *z = p->part[i]->arg[0], *w = p->part[k]->arg[0];
            if (i == k || !expr_is_real(z) || !expr_is_real(w)) continue;
            expr_node *step = expr_b_sub(b, z, w), *line = expr_b_add(b, expr_b_rat(b, 1, 1), step);
            expr_node *above = expr_b_sub(b, p->part[i], expr_b_mul(b, p->part[k], line));
            if (strict && apart(g, step, st)) any |= ver_goal_add(g, above, true);
            else any |= add_theorem(g, above);
        }
    return any;
}

static bool logarithm_tangents(ver_goal *g, const parts *l, bool strict, ph_status *st) {
    expr_builder *b = g->b;
    bool any = false, positive[MAX_PARTS];
    for (int i = 0; i < l->n; i++) positive[i] = settled(g, l->part[i]->arg[0], true, st);
    for (int i = 0; i < l->n && l->n > 1; i++)
        for (int k = 0; k < l->n; k++) {
            if (i == k || !positive[i] || !positive[k]) continue;
            expr_node *p = l->part[i]->arg[0], *q = l->part[k]->arg[0], *step = expr_b_sub(b, p, q);
            expr_node *line = expr_b_add(b, l->part[k], expr_b_div(b, step, q));
            any |= ver_goal_add(g, expr_b_sub(b, line, l->part[i]), strict && apart(g, step, st));
        }
    return any;
}

ph_status ver_by_tangents(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    parts e = {.n = 0}, l = {.n = 0};
    ver_goal h = *g;
    ph_status st = PH_OK;
    *method = "tangents of convex and concave functions";
    find(&e, u, EXPR_EXP);
    find(&l, u, EXPR_LOG);
    h.depth++;
    bool any = exponential_tangents(&h, &e, strict, &st);
    any |= logarithm_tangents(&h, &l, strict, &st);
    return st || !any ? st : ver_by_reading(out, method, &h, u, strict, false);
}

/* ---- facts for every goal ------------------------------------------------------------------------------- */

/* The indices of members that stand under no sum. */
static void find_indices(parts *p, expr_node *e) {
    if (e->op == EXPR_AT) note(p, e->arg[1]);
    if (e->op == EXPR_SUM) return;
    for (uint32_t i = 0; i < e->nargs; i++) find_indices(p, e->arg[i]);
}

static void leave_terms_out(ver_goal *g, expr_node *sum, const parts *indices, ph_status *st) {
    expr_builder *b = g->b;
    if (!expr_is_nonnegative(sum->arg[3])) return;
    for (int i = 0; i < indices->n && !*st; i++) {
        expr_node *k = indices->part[i], *term = NULL;
        if (!expr_is_whole(k) || !settled(g, expr_b_sub(b, k, sum->arg[1]), false, st) ||
            !settled(g, expr_b_sub(b, sum->arg[2], k), false, st))
            continue;
        ph_status put = expr_replace(&term, sum->arg[3], sum->arg[0], k, NULL);
        if (put || !(term = expr_b_keep(b, term))) continue;
        ver_goal_add(g, expr_b_sub(b, sum, term), false);
    }
}

/* a = n·w with a factor n that is whole by how it is built. */
static void compare_sines(ver_goal *g, expr_node *s, const parts *sines) {
    expr_builder *b = g->b;
    for (int i = 0; i < sines->n; i++) {
        expr_node *w = sines->part[i]->arg[0], *square = expr_b_rat(b, 2, 1);
        if (expr_same(s, sines->part[i]) || !expr_is_real(w)) continue;
        for (uint32_t k = 0; k < 2 && s->arg[0]->op == EXPR_MUL; k++) {
            expr_node *n = s->arg[0]->arg[k];
            if (!expr_is_whole(n) || !expr_same(s->arg[0]->arg[1 - k], w)) continue;
            expr_node *size = expr_is_nonnegative(n) ? n : expr_b_1(b, EXPR_ABS, n);
            expr_node *sine = sines->part[i];
            add_theorem(
                g, expr_b_sub(b, expr_b_mul(b, size, expr_b_1(b, EXPR_ABS, sine)), expr_b_1(b, EXPR_ABS, s)));
            add_theorem(g, expr_b_sub(b, expr_b_mul(b, expr_b_pow(b, n, square), expr_b_pow(b, sine, square)),
                                      expr_b_pow(b, s, square)));
        }
    }
}

ph_status ver_goal_know(ver_goal *g, expr_node *u) {
    parts sums = {.n = 0}, indices = {.n = 0}, sines = {.n = 0};
    ph_status st = PH_OK;
    find(&sums, u, EXPR_SUM);
    find(&sines, u, EXPR_SIN);
    if (sums.n) find_indices(&indices, u);
    for (int i = 0; i < sums.n; i++) leave_terms_out(g, sums.part[i], &indices, &st);
    for (int i = 0; i < sines.n && sines.n > 1; i++) compare_sines(g, sines.part[i], &sines);
    return st ? st : g->b->st;
}
