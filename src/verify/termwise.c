/* termwise.c: sums of symbolic length: Σ f_i >= 0 when f_i >= 0 for an index within the bounds; Cauchy and Schwarz. */
#include "verify/linear_facts.h"
#include "verify/normal.h"
#include "verify/settle.h"

#define MAX_SUMS 6

typedef struct {
    exp_node *coefficient, *sum;
} term;

typedef struct {
    term t[MAX_SUMS];
    int n;
    exp_node *rest;
} terms;

/* u = Σ coefficient·Σ_i f + rest, coefficients rational. */
static bool collect(exp_builder *b, terms *t, exp_node *u, exp_node *c) {
    if (!u || !c || c->op != EXP_RAT) return false;
    exp_node *l = u->nargs ? u->arg[0] : NULL, *r = u->nargs > 1 ? u->arg[1] : NULL;
    switch (u->op) {
    case EXP_SUM:
        if (t->n == MAX_SUMS) return false;
        t->t[t->n++] = (term){c, u};
        return true;
    case EXP_NEG: return collect(b, t, l, exp_b_sub(b, exp_b_rat(b, 0, 1), c));
    case EXP_ADD: return collect(b, t, l, c) && collect(b, t, r, c);
    case EXP_SUB: return collect(b, t, l, c) && collect(b, t, r, exp_b_sub(b, exp_b_rat(b, 0, 1), c));
    case EXP_MUL:
        if (l->op == EXP_RAT) return collect(b, t, r, exp_b_mul(b, c, l));
        if (r->op == EXP_RAT) return collect(b, t, l, exp_b_mul(b, c, r));
        break;
    case EXP_DIV:
        if (r->op == EXP_RAT) return collect(b, t, l, exp_b_div(b, c, r));
        break;
    default: break;
    }
    exp_node *whole = exp_b_mul(b, c, u);
    t->rest = t->rest ? exp_b_add(b, t->rest, whole) : whole;
    return t->rest != NULL;
}

static bool same_bounds(const exp_node *a, const exp_node *b) {
    return exp_same(a->arg[1], b->arg[1]) && exp_same(a->arg[2], b->arg[2]);
}

/* hi − lo + 1 */
static exp_node *length_of(exp_builder *b, const exp_node *sum) {
    return exp_b_linear(b, exp_b_add(b, exp_b_sub(b, sum->arg[2], sum->arg[1]), exp_b_rat(b, 1, 1)));
}

/* The rest as k·(length of the sums) and what is left. */
static exp_node *share_of_rest(exp_builder *b, exp_node **left, exp_node *rest, exp_node *length) {
    exp_node *zero = exp_b_rat(b, 0, 1), *c, *r, *lc, *lr;
    *left = rest ? rest : zero;
    if (!rest || !length || length->op == EXP_RAT) return zero;
    exp_set s;
    if (exp_symbols(&s, length, b->err)) return zero;
    exp_node *n = s.n == 1 ? exp_b_keep(b, exp_ref(s.item[0])) : NULL;
    exp_set_clear(&s);
    if (!n || !ver_linear_in(b, rest, n, &c, &r) || !ver_linear_in(b, length, n, &lc, &lr)) return zero;
    exp_node *k = exp_b_div(b, c, lc);
    *left = exp_b_linear(b, exp_b_sub(b, rest, exp_b_mul(b, k, length)));
    return k;
}

static ph_status by_summand(ver_sign *out, const ver_goal *g, exp_node *u) {
    exp_builder *b = g->b;
    terms t = {.n = 0};
    ver_goal h = *g;
    exp_node *one = exp_b_rat(b, 1, 1), *left, *body = NULL, *one_body;
    if (!collect(b, &t, u, one) || t.n == 0) return b->st;
    for (int i = 1; i < t.n; i++)
        if (!same_bounds(t.t[0].sum, t.t[i].sum)) return PH_OK;
    exp_node *index = t.t[0].sum->arg[0], *lo = t.t[0].sum->arg[1], *hi = t.t[0].sum->arg[2];
    if (exp_has(lo, index) || exp_has(hi, index) || exp_has(u, index)) return PH_OK;
    exp_node *k = share_of_rest(b, &left, t.rest, length_of(b, t.t[0].sum));
    if (!k || k->op != EXP_RAT) return b->st;
    body = k;
    for (int i = 0; i < t.n; i++) {
        if (exp_subst(&one_body, t.t[i].sum->arg[3], t.t[i].sum->arg[0], index, b->err)) return PH_OK;
        one_body = exp_b_keep(b, one_body);
        body = exp_b_add(b, body, exp_b_mul(b, t.t[i].coefficient, one_body));
    }
    if (!body || !left) return b->st;
    ver_sign each = VER_SIGN_OPEN, rest = VER_SIGN_OPEN;
    ph_status st = ver_settle_within(&rest, g, left, false);
    if (st || rest == VER_SIGN_OPEN) return st;
    for (int i = 0; i < h.nfacts; i++)
        if (exp_has(h.fact[i].u, index)) return PH_OK;
    ver_goal_add(&h, exp_b_sub(b, index, lo), false);
    ver_goal_add(&h, exp_b_sub(b, hi, index), false);
    st = ver_settle_within(&each, &h, body, true);
    if (st || each == VER_SIGN_OPEN) return st;
    *out = VER_SIGN_NONNEGATIVE;
    if (each != VER_SIGN_POSITIVE && rest != VER_SIGN_POSITIVE) return PH_OK;
    ver_sign some = rest; /* a sum of positive terms is > 0 when there is a term */
    if (rest != VER_SIGN_POSITIVE) st = ver_settle_within(&some, g, length_of(b, t.t[0].sum), true);
    if (!st && some == VER_SIGN_POSITIVE) *out = VER_SIGN_POSITIVE;
    return st;
}

/* ---- Cauchy and Schwarz -------------------------------------------------------------------------------- */

static void find_sums(exp_node **out, int *n, exp_node *e) {
    if (e->op == EXP_SUM) {
        for (int i = 0; i < *n; i++)
            if (exp_same(out[i], e)) return;
        if (*n < MAX_SUMS) out[(*n)++] = e;
        return;
    }
    for (uint32_t i = 0; i < e->nargs; i++) find_sums(out, n, e->arg[i]);
}

/* The body of a sum with the index of another. */
static exp_node *body_of(exp_builder *b, const exp_node *sum, exp_node *index) {
    exp_node *v;
    if (exp_subst(&v, sum->arg[3], sum->arg[0], index, b->err)) return NULL;
    return exp_b_keep(b, v);
}

/* Of sums with f >= 0, g >= 0 (g NULL: 1) and h² = f·g: (Σf)(Σg) − (Σh)² >= 0 joins the facts. */
static bool schwarz(ver_goal *g, exp_node *f, exp_node *other, exp_node *h) {
    exp_builder *b = g->b;
    exp_node *index = f->arg[0], *two = exp_b_rat(b, 2, 1);
    exp_node *bf = f->arg[3], *bg = other ? body_of(b, other, index) : exp_b_rat(b, 1, 1),
             *bh = body_of(b, h, index);
    if (!bg || !bh || !exp_is_real(bh) || !exp_is_nonnegative(bf) || !exp_is_nonnegative(bg)) return false;
    if (!ver_normal_equal(b, exp_b_mul(b, bf, bg), exp_b_pow(b, bh, two))) return false;
    exp_node *weight = other ? other : length_of(b, f);
    exp_node *fact = exp_b_sub(b, exp_b_mul(b, f, weight), exp_b_pow(b, h, two));
    return fact && ver_goal_add(g, fact, false);
}

static bool add_schwarz(ver_goal *g, exp_node *u) {
    exp_node *s[MAX_SUMS];
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

ph_status ver_by_terms(ver_sign *out, const char **method, const ver_goal *g, exp_node *u, bool strict) {
    exp_node *s[MAX_SUMS];
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
