/* termwise.c: sums of symbolic length: Σ f_i >= 0 when f_i >= 0 for an index within the bounds; Cauchy and Schwarz. */
#include "verify/linear_facts.h"
#include "verify/normal.h"
#include "verify/settle.h"

#define MAX_SUMS 6

typedef struct {
    expr_node *coefficient, *sum;
} term;

typedef struct {
    term t[MAX_SUMS];
    int n;
    expr_node *rest;
} terms;

/* u = Σ coefficient·Σ_i f + rest, coefficients rational. */
static bool collect(expr_builder *b, terms *t, expr_node *u, expr_node *c) {
    if (!u || !c || c->op != EXPR_RAT) return false;
    expr_node *l = u->nargs ? u->arg[0] : NULL, *r = u->nargs > 1 ? u->arg[1] : NULL;
    switch (u->op) {
    case EXPR_SUM:
        if (t->n == MAX_SUMS) return false;
        t->t[t->n++] = (term){c, u};
        return true;
    case EXPR_NEG: return collect(b, t, l, expr_b_sub(b, expr_b_rat(b, 0, 1), c));
    case EXPR_ADD: return collect(b, t, l, c) && collect(b, t, r, c);
    case EXPR_SUB: return collect(b, t, l, c) && collect(b, t, r, expr_b_sub(b, expr_b_rat(b, 0, 1), c));
    case EXPR_MUL:
        if (l->op == EXPR_RAT) return collect(b, t, r, expr_b_mul(b, c, l));
        if (r->op == EXPR_RAT) return collect(b, t, l, expr_b_mul(b, c, r));
        break;
    case EXPR_DIV:
        if (r->op == EXPR_RAT) return collect(b, t, l, expr_b_div(b, c, r));
        break;
    default: break;
    }
    expr_node *whole = expr_b_mul(b, c, u);
    t->rest = t->rest ? expr_b_add(b, t->rest, whole) : whole;
    return t->rest != NULL;
}

static bool same_bounds(const expr_node *a, const expr_node *b) {
    return expr_same(a->arg[1], b->arg[1]) && expr_same(a->arg[2], b->arg[2]);
}

/* hi − lo + 1 */
static expr_node *length_of(expr_builder *b, const expr_node *sum) {
    return expr_b_linear(b, expr_b_add(b, expr_b_sub(b, sum->arg[2], sum->arg[1]), expr_b_rat(b, 1, 1)));
}

/* The rest as k·(length of the sums) and what is left. */
static expr_node *share_of_rest(expr_builder *b, expr_node **left, expr_node *rest, expr_node *length) {
    expr_node *zero = expr_b_rat(b, 0, 1), *c, *r, *lc, *lr;
    *left = rest ? rest : zero;
    if (!rest || !length || length->op == EXPR_RAT) return zero;
    expr_set s;
    if (expr_symbols(&s, length, b->err)) return zero;
    expr_node *n = s.n == 1 ? expr_b_keep(b, expr_ref(s.item[0])) : NULL;
    expr_set_clear(&s);
    if (!n || !ver_linear_in(b, rest, n, &c, &r) || !ver_linear_in(b, length, n, &lc, &lr)) return zero;
    expr_node *k = expr_b_div(b, c, lc);
    *left = expr_b_linear(b, expr_b_sub(b, rest, expr_b_mul(b, k, length)));
    return k;
}

static ph_status by_summand(ver_sign *out, const ver_goal *g, expr_node *u) {
    expr_builder *b = g->b;
    terms t = {.n = 0};
    ver_goal h = *g;
    expr_node *one = expr_b_rat(b, 1, 1), *left, *body = NULL, *one_body;
    if (!collect(b, &t, u, one) || t.n == 0) return b->st;
    for (int i = 1; i < t.n; i++)
        if (!same_bounds(t.t[0].sum, t.t[i].sum)) return PH_OK;
    expr_node *index = t.t[0].sum->arg[0], *lo = t.t[0].sum->arg[1], *hi = t.t[0].sum->arg[2];
    if (expr_has(lo, index) || expr_has(hi, index) || expr_has(u, index)) return PH_OK;
    expr_node *k = share_of_rest(b, &left, t.rest, length_of(b, t.t[0].sum));
    if (!k || k->op != EXPR_RAT) return b->st;
    body = k;
    for (int i = 0; i < t.n; i++) {
        if (expr_subst(&one_body, t.t[i].sum->arg[3], t.t[i].sum->arg[0], index, b->err)) return PH_OK;
        one_body = expr_b_keep(b, one_body);
        body = expr_b_add(b, body, expr_b_mul(b, t.t[i].coefficient, one_body));
    }
    if (!body || !left) return b->st;
    ver_sign each = VER_SIGN_OPEN, rest = VER_SIGN_OPEN;
    ph_status st = ver_settle_within(&rest, g, left, false);
    if (st || rest == VER_SIGN_OPEN) return st;
    for (int i = 0; i < h.nfacts; i++)
        if (expr_has(h.fact[i].u, index)) return PH_OK;
    ver_goal_add(&h, expr_b_sub(b, index, lo), false);
    ver_goal_add(&h, expr_b_sub(b, hi, index), false);
    st = ver_settle_within(&each, &h, body, true);
    if (st || each == VER_SIGN_OPEN) return st;
    *out = VER_SIGN_NONNEGATIVE;
    if (each != VER_SIGN_POSITIVE && rest != VER_SIGN_POSITIVE) return PH_OK;
    ver_sign some = rest; /* a sum of positive terms is > 0 when there is a term */
    if (rest != VER_SIGN_POSITIVE) st = ver_settle_within(&some, g, length_of(b, t.t[0].sum), true);
    if (!st && some == VER_SIGN_POSITIVE) *out = VER_SIGN_POSITIVE;
    return st;
}

/* c·Σ f + rest >= c·L·f(e) + rest, L >= 1 the number of terms, where f(e) is the least of the terms (the greatest, for c < 0), at an
 * end e of the index. */
ph_status ver_by_end_term(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_builder *b = g->b;
    *method = "the least or greatest term of a sum, at an end of its index";
    terms t = {.n = 0};
    ver_goal within = *g;
    expr_node *one = expr_b_rat(b, 1, 1), *at;
    if (!collect(b, &t, u, one) || t.n != 1) return b->st;
    expr_node *sum = t.t[0].sum, *index = sum->arg[0], *f = sum->arg[3], *length = length_of(b, sum);
    if (expr_has(sum->arg[1], index) || expr_has(sum->arg[2], index) || expr_has(u, index) || !length)
        return b->st;
    for (int i = 0; i < g->nfacts; i++)
        if (expr_has(g->fact[i].u, index)) return PH_OK;
    ver_sign some = VER_SIGN_OPEN;
    ph_status st = ver_settle_within(&some, g, expr_b_sub(b, length, one), false);
    if (st || some == VER_SIGN_OPEN) return st;
    ver_goal_add(&within, expr_b_sub(b, index, sum->arg[1]), false);
    ver_goal_add(&within, expr_b_sub(b, sum->arg[2], index), false);
    for (int end = 1; end <= 2 && *out == VER_SIGN_OPEN && !st; end++) {
        ver_sign least = VER_SIGN_OPEN;
        if (expr_subst(&at, f, index, sum->arg[end], b->err) || !(at = expr_b_keep(b, at))) continue;
        expr_node *gap = t.t[0].coefficient->num > 0 ? expr_b_sub(b, f, at) : expr_b_sub(b, at, f);
        expr_node *bound = expr_b_mul(b, t.t[0].coefficient, expr_b_mul(b, length, at));
        if (t.rest) bound = expr_b_add(b, bound, t.rest);
        if (!gap || !bound) return b->st;
        st = ver_settle_within(&least, &within, gap, false);
        if (!st && least != VER_SIGN_OPEN) st = ver_settle_within(out, g, bound, strict);
    }
    return st;
}

/* ---- Cauchy and Schwarz -------------------------------------------------------------------------------- */

static void find_sums(expr_node **out, int *n, expr_node *e) {
    if (e->op == EXPR_SUM) {
        for (int i = 0; i < *n; i++)
            if (expr_same(out[i], e)) return;
        if (*n < MAX_SUMS) out[(*n)++] = e;
        return;
    }
    for (uint32_t i = 0; i < e->nargs; i++) find_sums(out, n, e->arg[i]);
}

/* The body of a sum with the index of another. */
static expr_node *body_of(expr_builder *b, const expr_node *sum, expr_node *index) {
    expr_node *v;
    if (expr_subst(&v, sum->arg[3], sum->arg[0], index, b->err)) return NULL;
    return expr_b_keep(b, v);
}

/* Of sums with f >= 0, g >= 0 (g NULL: 1) and h² = f·g: (Σf)(Σg) − (Σh)² >= 0 joins the facts. */
static bool schwarz(ver_goal *g, expr_node *f, expr_node *other, expr_node *h) {
    expr_builder *b = g->b;
    expr_node *index = f->arg[0], *two = expr_b_rat(b, 2, 1);
    expr_node *bf = f->arg[3], *bg = other ? body_of(b, other, index) : expr_b_rat(b, 1, 1),
              *bh = body_of(b, h, index);
    if (!bg || !bh || !expr_is_real(bh) || !expr_is_nonnegative(bf) || !expr_is_nonnegative(bg)) return false;
    if (!ver_normal_equal(b, expr_b_mul(b, bf, bg), expr_b_pow(b, bh, two))) return false;
    expr_node *weight = other ? other : length_of(b, f);
    expr_node *fact = expr_b_sub(b, expr_b_mul(b, f, weight), expr_b_pow(b, h, two));
    return fact && ver_goal_add(g, fact, false);
}

static bool add_schwarz(ver_goal *g, expr_node *u) {
    expr_node *s[MAX_SUMS];
    int n = 0;
    bool any = false;
    find_sums(s, &n, u);
    for (int i = 0; i < n; i++)
        for (int h = 0; h < n; h++) {
            if (h == i || !same_bounds(s[i], s[h])) continue;
            any = schwarz(g, s[i], NULL, s[h]) || any;
            for (int k = 0; k < i; k++)
                if (k != h && same_bounds(s[i], s[k])) any = schwarz(g, s[i], s[k], s[h]) || any;
        }
    return any;
}

ph_status ver_by_terms(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_node *s[MAX_SUMS];
    int n = 0;
    find_sums(s, &n, u);
    if (n == 0) return PH_OK;
    ph_status st = by_summand(out, g, u);
    *method = "the sign of the general summand, for all lengths";
    if (st || *out != VER_SIGN_OPEN) return st;
    ver_goal h = *g;
    if (add_schwarz(&h, u)) st = ver_by_reading(out, method, &h, u, strict, false);
    *method = "the inequality of Cauchy and Schwarz for sums of any length";
    return st ? st : g->b->st;
}
