/* summation.c: every sum as a difference of two values of one function of its bound,
 *     Σ_{i=lo}^{hi} g(i) = F_g(hi + 1) − F_g(lo),   F_g(n + 1) − F_g(n) = g(n)
 * so that ranges split, shift and join by arithmetic, and products, quotients and functions of sums are formulas like any other.
 * Such an F_g exists on the integers wherever the sums of the statement are defined (hi >= lo − 1): it is added up
 * along the ranges. It stands in the formula as a member F[n] of a new family, of which nothing is known but its steps: what is 0
 * for all families is 0 for this one. Where the sums are defined is a condition of the statement as it was given (conditions.h).
 * Before, linearity: a summand is written as Σ c·g, c free of the index, products multiplied out, e^(a+b), x^(a+b), sin(a + b),
 * cos(a + b) taken apart where a is free of the index; and a summand of members is reversed and shifted
 * so that its first member is x[i]. Known are
 *     Σ_{i<n} i^p                 a polynomial in n (added up from those of lower degree)
 *     Σ_{i<n} r^i = (r^n − 1)/(r − 1),  Σ_{i<n} i·r^i = (r − n·r^n + (n−1)·r^(n+1))/(1 − r)²     r != 1, a condition */
#include "verify/summation.h"

#include <stdio.h>
#include <string.h>

#include "verify/normal_internal.h"

#define MAX_TERMS    96
#define MAX_FACTORS  12
#define MAX_FAMILIES 24
#define MAX_POWER    8
#define MAX_STEPS    24 /* by which the argument of F is moved */
#define MAX_OUTER    4

typedef struct {
    expr_node *coef;           /* free of the index */
    expr_node *f[MAX_FACTORS]; /* not free of it */
    int n;
} term;

typedef struct {
    term t[MAX_TERMS];
    int n;
} terms;

typedef struct {
    expr_node *g, *family; /* g in the index below */
    bool anchored;
    int64_t anchor; /* constant arguments are counted from the first one met: g need not be defined at 0 */
} antidifference;

typedef struct {
    expr_builder *b;
    expr_set *conditions;
    expr_node *index; /* of every g */
    antidifference f[MAX_FAMILIES];
    int n;
    expr_node *outer[MAX_OUTER]; /* indices of the sums around */
    int depth;
    bool failed;
} summation;

static expr_node *give_up(summation *s) { return s->failed = true, NULL; }

static expr_node *put(summation *s, expr_node *e, expr_node *from, expr_node *to) {
    if (!e || !to || s->b->st) return NULL;
    expr_node *r = expr_b_try_subst(s->b, e, from, to);
    return r ? r : give_up(s);
}

static expr_node *rat(summation *s, int64_t n) { return expr_b_rat(s->b, n, 1); }

static expr_node *plus(summation *s, expr_node *x, int64_t k) {
    return expr_b_linear(s->b, expr_b_add(s->b, x, rat(s, k)));
}

/* ---- summands as sums of products ----------------------------------------------------------------------- */

static bool one_term(summation *s, terms *out, expr_node *coef, expr_node *bound) {
    out->t[0] = (term){.coef = coef};
    if (bound) out->t[0].f[out->t[0].n++] = bound;
    out->n = 1;
    return coef && !s->b->st;
}

static bool multiply(summation *s, terms *out, const terms *x, const terms *y) {
    if (x->n * y->n > MAX_TERMS) return give_up(s) != NULL;
    out->n = 0;
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < y->n; k++) {
            term *t = &out->t[out->n++];
            *t = x->t[i];
            if (t->n + y->t[k].n > MAX_FACTORS) return give_up(s) != NULL;
            t->coef = expr_b_mul(s->b, t->coef, y->t[k].coef);
            for (int m = 0; m < y->t[k].n; m++) t->f[t->n++] = y->t[k].f[m];
        }
    return !s->b->st;
}

static bool expand(summation *s, terms *out, expr_node *e, expr_node *i);

static bool expand_product(summation *s, terms *out, expr_node *u, expr_node *v, expr_node *i) {
    terms *two = ph_alloc(2 * sizeof *two);
    if (!two) return s->b->st = ph_fail_nomem(s->b->err, 2 * sizeof *two), false;
    bool ok = expand(s, two, u, i) && expand(s, two + 1, v, i) && multiply(s, out, two, two + 1);
    ph_free(two);
    return ok;
}

static bool expand_sum(summation *s, terms *out, expr_node *u, expr_node *v, bool minus, expr_node *i) {
    terms *right = ph_alloc(sizeof *right);
    if (!right) return s->b->st = ph_fail_nomem(s->b->err, sizeof *right), false;
    bool ok = expand(s, out, u, i) && expand(s, right, v, i);
    if (ok && out->n + right->n > MAX_TERMS) ok = give_up(s) != NULL;
    for (int k = 0; ok && k < right->n; k++) {
        term *t = &out->t[out->n++];
        *t = right->t[k];
        if (minus) t->coef = expr_b_neg(s->b, t->coef);
    }
    ph_free(right);
    return ok && !s->b->st;
}

/* u = *free + *bound by terms, products multiplied out */
static bool part_terms(summation *s, expr_node *u, expr_node *i, expr_node **freed, expr_node **bound) {
    terms *t = ph_alloc(sizeof *t);
    if (!t) return s->b->st = ph_fail_nomem(s->b->err, sizeof *t), false;
    bool ok = expand(s, t, u, i);
    *freed = *bound = rat(s, 0);
    for (int k = 0; ok && k < t->n; k++) {
        expr_node *x = t->t[k].coef;
        for (int m = 0; m < t->t[k].n; m++) x = expr_b_mul(s->b, x, t->t[k].f[m]);
        expr_node **side = t->t[k].n ? bound : freed;
        *side = expr_b_add(s->b, *side, x);
    }
    ph_free(t);
    return ok && !s->b->st;
}

/* x·1 is x, x·(1/y) is x/y: a reader meets the ratio of a sum among the conditions. */
static expr_node *tidy(expr_builder *b, expr_node *e, void *ctx) {
    expr_node *r = expr_b_rewrite(b, e, 0, tidy, ctx);
    if (!r || r->op != EXPR_MUL) return r;
    expr_node *y = r->arg[1];
    if (y->op == EXPR_DIV && expr_is_rat(y->arg[0], 1, 1)) return expr_b_div(b, r->arg[0], y->arg[1]);
    return expr_b_mul(b, r->arg[0], y);
}

/* u = c·i with c free of the integer symbol i */
static expr_node *slope(summation *s, expr_node *u, expr_node *i) {
    expr_node *c = put(s, u, i, rat(s, 1)), *zero = put(s, u, i, rat(s, 0));
    if (!c || !zero || expr_has(c, i)) return NULL;
    return ver_normal_same(s->b, zero, rat(s, 0), 1) && ver_normal_same(s->b, u, expr_b_mul(s->b, c, i), 1)
               ? tidy(s->b, c, NULL)
               : NULL;
}

/* sin u, cos u: by the addition formulas when a part of u is free of the index; by exponentials when u = c·i. */
static bool expand_wave(summation *s, terms *out, expr_node *e, expr_node *i) {
    expr_builder *b = s->b;
    expr_node *freed, *bound;
    if (!part_terms(s, e->arg[0], i, &freed, &bound)) return false;
    bool sine = e->op == EXPR_SIN;
    if (!expr_is_rat(freed, 0,
                     1)) { /* sin(a+u) = sin a cos u + cos a sin u; cos(a+u) = cos a cos u − sin a sin u */
        expr_node *x = expr_b_mul(b, expr_b_1(b, e->op, freed), expr_b_1(b, EXPR_COS, bound)),
                  *y = expr_b_mul(b, expr_b_1(b, sine ? EXPR_COS : EXPR_SIN, freed),
                                  expr_b_1(b, EXPR_SIN, bound));
        return x && y && expand_sum(s, out, x, y, !sine, i);
    }
    expr_node *c = slope(s, bound, i);
    if (!c) return !s->failed && one_term(s, out, rat(s, 1), expr_b_1(b, e->op, bound));
    expr_node *turn = expr_b_mul(b, expr_b_mul(b, expr_b_op(b, EXPR_I, 0, NULL), c), i), *two = rat(s, 2);
    expr_node *up = expr_b_1(b, EXPR_EXP, turn), *down = expr_b_1(b, EXPR_EXP, expr_b_neg(b, turn));
    expr_node *half =
        expr_b_div(b, rat(s, 1), sine ? expr_b_mul(b, two, expr_b_op(b, EXPR_I, 0, NULL)) : two);
    if (!half || !up || !down) return false;
    out->n = 2;
    out->t[0] = (term){half, {up}, 1};
    out->t[1] = (term){sine ? expr_b_neg(b, half) : half, {down}, 1};
    return !b->st;
}

static bool expand_power(summation *s, terms *out, expr_node *e, expr_node *i) {
    expr_builder *b = s->b;
    expr_node *u = e->arg[0], *v = e->arg[1], *freed, *bound;
    bool sum = u->op == EXPR_ADD || u->op == EXPR_SUB || u->op == EXPR_MUL || u->op == EXPR_NEG ||
               u->op == EXPR_SIN || u->op == EXPR_COS;
    if (ver_is_integer_pow(e) && v->num >= 2 && v->num <= 6 && sum)
        return expand_product(s, out, u, expr_b_pow(b, u, rat(s, v->num - 1)), i);
    if (ver_is_integer_pow(e) && v->num == 1) return expand(s, out, u, i);
    if (!expr_has(v, i)) return one_term(s, out, rat(s, 1), e);
    if (!part_terms(s, v, i, &freed, &bound)) return false;
    expr_node *c = expr_is_rat(freed, 0, 1) ? rat(s, 1) : expr_b_2(b, EXPR_POW, u, freed),
              *f = expr_b_2(b, EXPR_POW, u, bound);
    if (expr_has(u, i)) return one_term(s, out, rat(s, 1), e);
    return f && one_term(s, out, c, f);
}

static bool expand(summation *s, terms *out, expr_node *e, expr_node *i) {
    expr_node *u = e && e->nargs ? e->arg[0] : NULL, *v = e && e->nargs > 1 ? e->arg[1] : NULL, *freed,
              *bound;
    if (!e || s->failed || s->b->st) return false;
    if (!expr_has(e, i)) return one_term(s, out, e, NULL);
    switch (e->op) {
    case EXPR_NEG: return expand_product(s, out, rat(s, -1), u, i);
    case EXPR_ADD:
    case EXPR_SUB: return expand_sum(s, out, u, v, e->op == EXPR_SUB, i);
    case EXPR_MUL: return expand_product(s, out, u, v, i);
    case EXPR_DIV:
        if (expr_is_rat(u, 1, 1)) return one_term(s, out, rat(s, 1), e);
        return expand_product(s, out, u, expr_b_2(s->b, EXPR_DIV, rat(s, 1), v), i);
    case EXPR_POW: return expand_power(s, out, e, i);
    case EXPR_SIN:
    case EXPR_COS: return expand_wave(s, out, e, i);
    case EXPR_EXP:
        if (!part_terms(s, u, i, &freed, &bound)) return false;
        return one_term(s, out, expr_is_rat(freed, 0, 1) ? rat(s, 1) : expr_b_1(s->b, EXPR_EXP, freed),
                        expr_b_1(s->b, EXPR_EXP, bound));
    default: return one_term(s, out, rat(s, 1), e);
    }
}

/* ---- what is known of a product ------------------------------------------------------------------------- */

/* Σ_{i<n} i^p by (n^(p+1) − Σ_{k<p} C(p+1,k)·Σ_{i<n} i^k)/(p+1) */
static expr_node *power_sum(summation *s, expr_node *n, int p) {
    expr_builder *b = s->b;
    expr_node *sum[MAX_POWER + 1];
    for (int m = 0; m <= p; m++) {
        expr_node *x = expr_b_pow(b, n, rat(s, m + 1));
        int64_t c = 1; /* C(m+1, k) */
        for (int k = 0; k < m; k++) {
            x = expr_b_sub(b, x, expr_b_mul(b, rat(s, c), sum[k]));
            c = c * (m + 1 - k) / (k + 1);
        }
        sum[m] = expr_b_div(b, x, rat(s, m + 1));
    }
    return sum[p];
}

static bool require(summation *s, expr_op op, expr_node *x, expr_node *y) {
    expr_node *c = expr_b_2(s->b, op, x, y);
    for (int k = 0; c && k < s->depth; k++)
        if (expr_has(c, s->outer[k]))
            return give_up(s) != NULL; /* no condition on a bound index can be said */
    if (c && !s->b->st) s->b->st = expr_set_append(s->conditions, c, s->b->err);
    return c && !s->b->st;
}

/* Σ_{i<n} i^p·r^i, r != 1 */
static expr_node *geometric(summation *s, expr_node *n, int p, expr_node *r) {
    expr_builder *b = s->b;
    if (!require(s, EXPR_NE, expr_b_sub(b, r, rat(s, 1)), rat(s, 0))) return give_up(s);
    expr_node *rn = expr_b_2(b, EXPR_POW, r, n), *gap = expr_b_sub(b, r, rat(s, 1));
    if (p == 0) return expr_b_div(b, expr_b_sub(b, rn, rat(s, 1)), gap);
    expr_node *up = expr_b_sub(b, r, expr_b_mul(b, n, rn));
    up = expr_b_add(b, up, expr_b_mul(b, plus(s, n, -1), expr_b_mul(b, rn, r)));
    return expr_b_div(b, up, expr_b_pow(b, gap, rat(s, 2)));
}

/* Is the product i^p·r^i? Of r = 1 *r is NULL. */
static bool is_geometric(summation *s, const term *t, expr_node *i, int *p, expr_node **r) {
    expr_builder *b = s->b;
    expr_node *exponent = NULL; /* the exponents of e, added up */
    *p = 0;
    *r = NULL;
    for (int k = 0; k < t->n; k++) {
        expr_node *f = t->f[k], *c = NULL;
        if (expr_same(f, i)) ++*p;
        else if (ver_is_integer_pow(f) && expr_same(f->arg[0], i) && f->arg[1]->num > 0 &&
                 f->arg[1]->num <= MAX_POWER)
            *p += (int)f->arg[1]->num;
        else if (f->op == EXPR_EXP && (c = slope(s, f->arg[0], i))) {
            exponent = exponent ? expr_b_linear(b, expr_b_add(b, exponent, c)) : c;
            continue;
        } else if (f->op == EXPR_POW && !expr_has(f->arg[0], i) && (c = slope(s, f->arg[1], i)))
            c = expr_b_pow(b, f->arg[0], c);
        else return false;
        if (c) *r = *r ? expr_b_mul(b, *r, c) : c;
        if (*p > MAX_POWER) return false;
    }
    if (exponent) exponent = expr_b_1(b, EXPR_EXP, exponent);
    if (exponent) *r = *r ? expr_b_mul(b, *r, exponent) : exponent;
    if (*r && ver_normal_same(b, *r, rat(s, 1), 1)) *r = NULL;
    return !b->st && !s->failed;
}

/* ---- families ------------------------------------------------------------------------------------------- */

/* The member x[±i + c] whose family's name comes first. */
static void first_member(expr_node *e, const expr_node *i, expr_node **best) {
    if (e->op == EXPR_AT && expr_has(e->arg[1], i) &&
        (!*best || strcmp(e->arg[0]->name, (*best)->arg[0]->name) < 0))
        *best = e;
    for (uint32_t k = e->op == EXPR_AT ? 1 : 0; k < e->nargs; k++) first_member(e->arg[k], i, best);
}

/* g reversed and shifted so that its first member is x[i]; the range [from, to) goes with it. */
static expr_node *align(summation *s, expr_node *g, expr_node *i, expr_node **from, expr_node **to) {
    expr_builder *b = s->b;
    expr_node *m = NULL;
    first_member(g, i, &m);
    if (!m) return g;
    expr_node *at0 = put(s, m->arg[1], i, rat(s, 0)), *at1 = put(s, m->arg[1], i, rat(s, 1));
    expr_node *step = at0 && at1 ? expr_b_linear(b, expr_b_sub(b, at1, at0)) : NULL;
    if (!step || (!expr_is_rat(step, 1, 1) && !expr_is_rat(step, -1, 1))) return g;
    bool reversed =
        step->num < 0; /* index −i + c = k: i = c − k, and [from, to) becomes (c − to, c − from] */
    expr_node *back = reversed ? expr_b_sub(b, at0, i) : expr_b_sub(b, i, at0);
    expr_node *lo = reversed ? plus(s, expr_b_sub(b, at0, *to), 1) : expr_b_add(b, *from, at0);
    expr_node *hi = reversed ? plus(s, expr_b_sub(b, at0, *from), 1) : expr_b_add(b, *to, at0);
    *from = expr_b_linear(b, lo);
    *to = expr_b_linear(b, hi);
    g = put(s, g, i, back);
    return g && *from && *to ? ver_prepare(b, g, 1) : NULL;
}

static bool mentions_outer(const summation *s, const expr_node *g) {
    for (int k = 0; k < s->depth; k++)
        if (expr_has(g, s->outer[k])) return true;
    return false;
}

/* The family whose steps are g, or −g. */
static antidifference *family_of(summation *s, expr_node *g, bool *minus) {
    char name[16];
    expr_node *sym;
    for (int k = 0; k < s->n; k++) {
        *minus = false;
        if (expr_same(s->f[k].g, g) || ver_normal_same(s->b, s->f[k].g, g, 1)) return &s->f[k];
        *minus = true;
        if (ver_normal_same(s->b, s->f[k].g, expr_b_neg(s->b, g), 1)) return &s->f[k];
    }
    *minus = false;
    if (s->b->st || s->n == MAX_FAMILIES || mentions_outer(s, g)) return s->failed = true, NULL;
    snprintf(name, sizeof name, VER_FRESH_SUM "%d", s->n);
    if ((s->b->st = expr_sym(&sym, name, expr_is_real(g) ? EXPR_REAL : EXPR_COMPLEX, s->b->err))) return NULL;
    sym = expr_b_keep(s->b, sym);
    s->f[s->n] = (antidifference){.g = g, .family = sym};
    return sym ? &s->f[s->n++] : NULL;
}

/* F[n] with the whole constant of n taken off in steps: F[m + 2] = F[m] + g(m) + g(m + 1). */
static expr_node *value_at(summation *s, antidifference *a, expr_node *n) {
    expr_builder *b = s->b;
    expr_node *family = a->family, *g = a->g;
    n = expr_b_linear(b, n);
    if (!n) return NULL;
    bool constant = n->op == EXPR_RAT && n->den == 1;
    if (constant && !a->anchored) a->anchored = true, a->anchor = n->num;
    int64_t k = constant                                         ? n->num - a->anchor
                : n->op == EXPR_ADD && n->arg[1]->op == EXPR_RAT ? n->arg[1]->num
                : n->op == EXPR_SUB && n->arg[1]->op == EXPR_RAT ? -n->arg[1]->num
                                                                 : 0;
    if (k > MAX_STEPS || k < -MAX_STEPS) return expr_b_2(b, EXPR_AT, family, n);
    expr_node *base = plus(s, n, -k), *x = expr_b_2(b, EXPR_AT, family, base);
    for (int64_t m = 0; m < k && x; m++) x = expr_b_add(b, x, put(s, g, s->index, plus(s, base, m)));
    for (int64_t m = -1; m >= k && x; m--) x = expr_b_sub(b, x, put(s, g, s->index, plus(s, base, m)));
    return x;
}

static expr_node *sum_of_term(summation *s, const term *t, expr_node *i, expr_node *from, expr_node *to) {
    expr_builder *b = s->b;
    int p;
    expr_node *r;
    if (is_geometric(s, t, i, &p, &r) && (!r || p <= 1)) {
        expr_node *hi = r ? geometric(s, to, p, r) : power_sum(s, to, p),
                  *lo = r ? geometric(s, from, p, r) : power_sum(s, from, p);
        return expr_b_mul(b, t->coef, expr_b_sub(b, hi, lo));
    }
    expr_node *g = t->f[0];
    for (int k = 1; k < t->n; k++) g = expr_b_mul(b, g, t->f[k]);
    if (s->failed || !g || !(g = align(s, g, i, &from, &to))) return NULL;
    g = put(s, g, i, s->index);
    bool minus;
    antidifference *a = g ? family_of(s, g, &minus) : NULL;
    if (!a) return NULL;
    expr_node *low = value_at(s, a, from); /* first: the lower end is where constants are counted from */
    expr_node *range = expr_b_sub(b, value_at(s, a, to), low);
    return expr_b_mul(b, t->coef, minus ? expr_b_neg(b, range) : range);
}

static expr_node *rewrite(expr_builder *b, expr_node *e, void *ctx);

static expr_node *without_sum(summation *s, expr_node *e) {
    expr_builder *b = s->b;
    expr_node *i = e->arg[0], *lo = rewrite(b, e->arg[1], s), *hi = rewrite(b, e->arg[2], s);
    if (!lo || !hi || s->depth == MAX_OUTER || expr_b_never_integer(b, lo) || expr_b_never_integer(b, hi))
        return give_up(s);
    lo = expr_b_linear(b, lo);
    hi = expr_b_linear(b, hi);
    if (!lo || !hi) return NULL;
    char name[16];
    expr_node *own; /* no other index, and no symbol of a user, has its name */
    snprintf(name, sizeof name, "'i%d", s->depth);
    if ((b->st = expr_sym(&own, name, EXPR_INTEGER, b->err))) return NULL;
    own = expr_b_keep(b, own);
    expr_node *body = put(s, e->arg[3], i, own);
    if (!body) return NULL;
    s->outer[s->depth++] = own;
    body = rewrite(b, body, s);
    s->depth--;
    terms *t = body ? ph_alloc(sizeof *t) : NULL;
    if (!t) return body ? (b->st = ph_fail_nomem(b->err, sizeof *t), NULL) : NULL;
    expr_node *total = rat(s, 0), *past = plus(s, hi, 1);
    bool ok = expand(s, t, body, own);
    for (int k = 0; ok && k < t->n && total; k++)
        total = expr_b_add(b, total, sum_of_term(s, &t->t[k], own, lo, past));
    ph_free(t);
    return ok ? total : NULL;
}

static bool has_sum(const expr_node *e) {
    if (e->op == EXPR_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

/* |u|² = u·conj u: conj goes into the sums. */
static expr_node *square_of_abs(summation *s, expr_node *e) {
    expr_node *u = e->arg[0]->arg[0], *p;
    expr_node *square = expr_b_2(s->b, EXPR_MUL, u, expr_b_1(s->b, EXPR_CONJ, u));
    if (!square || (s->b->st = expr_push_conj(&p, square, s->b->err))) return NULL;
    return expr_b_pow(s->b, expr_b_keep(s->b, p), rat(s, e->arg[1]->num / 2));
}

static expr_node *rewrite(expr_builder *b, expr_node *e, void *ctx) {
    summation *s = ctx;
    if (!e || b->st || s->failed) return NULL;
    if (!has_sum(e)) return e;
    if (e->op == EXPR_SUM) return without_sum(s, e);
    if (ver_is_integer_pow(e) && e->arg[0]->op == EXPR_ABS && e->arg[1]->num % 2 == 0 &&
        !expr_is_real(e->arg[0]->arg[0]))
        return rewrite(b, square_of_abs(s, e), s);
    return expr_b_rewrite(b, e, 0, rewrite, s);
}

expr_node *ver_without_sums(expr_builder *b, expr_node *e, expr_set *conditions) {
    summation s = {.b = b, .conditions = conditions};
    expr_node *index, *pushed;
    if (b->st || (b->st = expr_sym(&index, "'i", EXPR_INTEGER, b->err))) return NULL;
    s.index = expr_b_keep(b, index);
    if (b->st || (b->st = expr_push_conj(&pushed, e, b->err))) return NULL;
    expr_node *r = rewrite(b, expr_b_keep(b, pushed), &s);
    return s.failed ? NULL : r;
}
