/* summation.c: every sum as a difference of two values of one function of its bound,
 *     Σ_{i=lo}^{hi} g(i) = F_g(hi + 1) − F_g(lo),   F_g(n + 1) − F_g(n) = g(n)
 * so that ranges split, shift and join by arithmetic, and products, quotients and functions of sums are formulas like any other.
 * Such an F_g exists on the integers wherever the sums of the statement are defined (hi >= lo − 1): it is added up
 * along the ranges. It stands in the formula as a member F[n] of a new family, of which nothing is known but its steps: what is 0
 * for all families is 0 for this one. Where the sums are defined is a condition of the statement as it was given (conditions.h).
 * Before, linearity: a summand is written as Σ c·g, c free of the index, products multiplied out, e^(a+b), x^(a+b), sin(a + b),
 * cos(a + b) taken apart where a is free of the index; and a summand of members is turned and shifted
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
    exp_node *coef;           /* free of the index */
    exp_node *f[MAX_FACTORS]; /* not free of it */
    int n;
} term;

typedef struct {
    term t[MAX_TERMS];
    int n;
} terms;

typedef struct {
    exp_node *g, *family; /* g in the index below */
    bool anchored;
    int64_t anchor; /* constant arguments are counted from the first one met: g need not be defined at 0 */
} antidifference;

typedef struct {
    exp_builder *b;
    exp_set *conditions;
    exp_node *index; /* of every g */
    antidifference f[MAX_FAMILIES];
    int n;
    exp_node *outer[MAX_OUTER]; /* indices of the sums around */
    int depth;
    bool failed;
} summation;

static exp_node *give_up(summation *s) { return s->failed = true, NULL; }

static exp_node *put(summation *s, exp_node *e, exp_node *from, exp_node *to) {
    exp_node *r;
    ph_err unheard;
    if (!e || !to || s->b->st) return NULL;
    ph_status st = exp_subst(&r, e, from, to, &unheard);
    if (ph_is_fatal(st)) s->b->st = ph_fail(s->b->err, st, "%s", unheard.text);
    return st ? give_up(s) : exp_b_keep(s->b, r);
}

static exp_node *rat(summation *s, int64_t n) { return exp_b_rat(s->b, n, 1); }

static exp_node *plus(summation *s, exp_node *x, int64_t k) {
    return exp_b_linear(s->b, exp_b_add(s->b, x, rat(s, k)));
}

/* ---- summands as sums of products ----------------------------------------------------------------------- */

static bool one_term(summation *s, terms *out, exp_node *coef, exp_node *bound) {
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
            t->coef = exp_b_mul(s->b, t->coef, y->t[k].coef);
            for (int m = 0; m < y->t[k].n; m++) t->f[t->n++] = y->t[k].f[m];
        }
    return !s->b->st;
}

static bool expand(summation *s, terms *out, exp_node *e, exp_node *i);

static bool expand_product(summation *s, terms *out, exp_node *u, exp_node *v, exp_node *i) {
    terms *two = ph_alloc(2 * sizeof *two);
    if (!two) return s->b->st = ph_fail_nomem(s->b->err, 2 * sizeof *two), false;
    bool ok = expand(s, two, u, i) && expand(s, two + 1, v, i) && multiply(s, out, two, two + 1);
    ph_free(two);
    return ok;
}

static bool expand_sum(summation *s, terms *out, exp_node *u, exp_node *v, bool minus, exp_node *i) {
    terms *right = ph_alloc(sizeof *right);
    if (!right) return s->b->st = ph_fail_nomem(s->b->err, sizeof *right), false;
    bool ok = expand(s, out, u, i) && expand(s, right, v, i);
    if (ok && out->n + right->n > MAX_TERMS) ok = give_up(s) != NULL;
    for (int k = 0; ok && k < right->n; k++) {
        term *t = &out->t[out->n++];
        *t = right->t[k];
        if (minus) t->coef = exp_b_neg(s->b, t->coef);
    }
    ph_free(right);
    return ok && !s->b->st;
}

/* u = *free + *bound by terms, products multiplied out */
static bool part_terms(summation *s, exp_node *u, exp_node *i, exp_node **freed, exp_node **bound) {
    terms *t = ph_alloc(sizeof *t);
    if (!t) return s->b->st = ph_fail_nomem(s->b->err, sizeof *t), false;
    bool ok = expand(s, t, u, i);
    *freed = *bound = rat(s, 0);
    for (int k = 0; ok && k < t->n; k++) {
        exp_node *x = t->t[k].coef;
        for (int m = 0; m < t->t[k].n; m++) x = exp_b_mul(s->b, x, t->t[k].f[m]);
        exp_node **side = t->t[k].n ? bound : freed;
        *side = exp_b_add(s->b, *side, x);
    }
    ph_free(t);
    return ok && !s->b->st;
}

/* x·1 is x, x·(1/y) is x/y: a reader meets the ratio of a sum among the conditions. */
static exp_node *tidy(exp_builder *b, exp_node *e, void *ctx) {
    exp_node *r = exp_b_rewrite(b, e, 0, tidy, ctx);
    if (!r || r->op != EXP_MUL) return r;
    exp_node *y = r->arg[1];
    if (y->op == EXP_DIV && exp_is_rat(y->arg[0], 1, 1)) return exp_b_div(b, r->arg[0], y->arg[1]);
    return exp_b_mul(b, r->arg[0], y);
}

/* u = c·i with c free of the integer symbol i */
static exp_node *slope(summation *s, exp_node *u, exp_node *i) {
    exp_node *c = put(s, u, i, rat(s, 1)), *zero = put(s, u, i, rat(s, 0));
    if (!c || !zero || exp_has(c, i)) return NULL;
    return ver_normal_same(s->b, zero, rat(s, 0), 1) && ver_normal_same(s->b, u, exp_b_mul(s->b, c, i), 1)
               ? tidy(s->b, c, NULL)
               : NULL;
}

/* sin u, cos u: by the addition formulas when a part of u is free of the index; by exponentials when u = c·i. */
static bool expand_wave(summation *s, terms *out, exp_node *e, exp_node *i) {
    exp_builder *b = s->b;
    exp_node *freed, *bound;
    if (!part_terms(s, e->arg[0], i, &freed, &bound)) return false;
    bool sine = e->op == EXP_SIN;
    if (!exp_is_rat(freed, 0,
                    1)) { /* sin(a+u) = sin a cos u + cos a sin u; cos(a+u) = cos a cos u − sin a sin u */
        exp_node *x = exp_b_mul(b, exp_b_1(b, e->op, freed), exp_b_1(b, EXP_COS, bound)),
                 *y = exp_b_mul(b, exp_b_1(b, sine ? EXP_COS : EXP_SIN, freed), exp_b_1(b, EXP_SIN, bound));
        return x && y && expand_sum(s, out, x, y, !sine, i);
    }
    exp_node *c = slope(s, bound, i);
    if (!c) return !s->failed && one_term(s, out, rat(s, 1), exp_b_1(b, e->op, bound));
    exp_node *turn = exp_b_mul(b, exp_b_mul(b, exp_b_op(b, EXP_I, 0, NULL), c), i), *two = rat(s, 2);
    exp_node *up = exp_b_1(b, EXP_EXP, turn), *down = exp_b_1(b, EXP_EXP, exp_b_neg(b, turn));
    exp_node *half = exp_b_div(b, rat(s, 1), sine ? exp_b_mul(b, two, exp_b_op(b, EXP_I, 0, NULL)) : two);
    if (!half || !up || !down) return false;
    out->n = 2;
    out->t[0] = (term){half, {up}, 1};
    out->t[1] = (term){sine ? exp_b_neg(b, half) : half, {down}, 1};
    return !b->st;
}

static bool expand_power(summation *s, terms *out, exp_node *e, exp_node *i) {
    exp_builder *b = s->b;
    exp_node *u = e->arg[0], *v = e->arg[1], *freed, *bound;
    bool sum = u->op == EXP_ADD || u->op == EXP_SUB || u->op == EXP_MUL || u->op == EXP_NEG ||
               u->op == EXP_SIN || u->op == EXP_COS;
    if (ver_is_integer_pow(e) && v->num >= 2 && v->num <= 6 && sum)
        return expand_product(s, out, u, exp_b_pow(b, u, rat(s, v->num - 1)), i);
    if (ver_is_integer_pow(e) && v->num == 1) return expand(s, out, u, i);
    if (!exp_has(v, i)) return one_term(s, out, rat(s, 1), e);
    if (!part_terms(s, v, i, &freed, &bound)) return false;
    exp_node *c = exp_is_rat(freed, 0, 1) ? rat(s, 1) : exp_b_2(b, EXP_POW, u, freed),
             *f = exp_b_2(b, EXP_POW, u, bound);
    if (exp_has(u, i)) return one_term(s, out, rat(s, 1), e);
    return f && one_term(s, out, c, f);
}

static bool expand(summation *s, terms *out, exp_node *e, exp_node *i) {
    exp_node *u = e && e->nargs ? e->arg[0] : NULL, *v = e && e->nargs > 1 ? e->arg[1] : NULL, *freed, *bound;
    if (!e || s->failed || s->b->st) return false;
    if (!exp_has(e, i)) return one_term(s, out, e, NULL);
    switch (e->op) {
    case EXP_NEG: return expand_product(s, out, rat(s, -1), u, i);
    case EXP_ADD:
    case EXP_SUB: return expand_sum(s, out, u, v, e->op == EXP_SUB, i);
    case EXP_MUL: return expand_product(s, out, u, v, i);
    case EXP_DIV:
        if (exp_is_rat(u, 1, 1)) return one_term(s, out, rat(s, 1), e);
        return expand_product(s, out, u, exp_b_2(s->b, EXP_DIV, rat(s, 1), v), i);
    case EXP_POW: return expand_power(s, out, e, i);
    case EXP_SIN:
    case EXP_COS: return expand_wave(s, out, e, i);
    case EXP_EXP:
        if (!part_terms(s, u, i, &freed, &bound)) return false;
        return one_term(s, out, exp_is_rat(freed, 0, 1) ? rat(s, 1) : exp_b_1(s->b, EXP_EXP, freed),
                        exp_b_1(s->b, EXP_EXP, bound));
    default: return one_term(s, out, rat(s, 1), e);
    }
}

/* ---- what is known of a product ------------------------------------------------------------------------- */

/* Σ_{i<n} i^p by (n^(p+1) − Σ_{k<p} C(p+1,k)·Σ_{i<n} i^k)/(p+1) */
static exp_node *power_sum(summation *s, exp_node *n, int p) {
    exp_builder *b = s->b;
    exp_node *sum[MAX_POWER + 1];
    for (int m = 0; m <= p; m++) {
        exp_node *x = exp_b_pow(b, n, rat(s, m + 1));
        int64_t c = 1; /* C(m+1, k) */
        for (int k = 0; k < m; k++) {
            x = exp_b_sub(b, x, exp_b_mul(b, rat(s, c), sum[k]));
            c = c * (m + 1 - k) / (k + 1);
        }
        sum[m] = exp_b_div(b, x, rat(s, m + 1));
    }
    return sum[p];
}

static bool require(summation *s, exp_op op, exp_node *x, exp_node *y) {
    exp_node *c = exp_b_2(s->b, op, x, y);
    for (int k = 0; c && k < s->depth; k++)
        if (exp_has(c, s->outer[k]))
            return give_up(s) != NULL; /* no condition on a bound index can be said */
    if (c && !s->b->st) s->b->st = exp_set_append(s->conditions, c, s->b->err);
    return c && !s->b->st;
}

/* Σ_{i<n} i^p·r^i, r != 1 */
static exp_node *geometric(summation *s, exp_node *n, int p, exp_node *r) {
    exp_builder *b = s->b;
    if (!require(s, EXP_NE, exp_b_sub(b, r, rat(s, 1)), rat(s, 0))) return give_up(s);
    exp_node *rn = exp_b_2(b, EXP_POW, r, n), *gap = exp_b_sub(b, r, rat(s, 1));
    if (p == 0) return exp_b_div(b, exp_b_sub(b, rn, rat(s, 1)), gap);
    exp_node *up = exp_b_sub(b, r, exp_b_mul(b, n, rn));
    up = exp_b_add(b, up, exp_b_mul(b, plus(s, n, -1), exp_b_mul(b, rn, r)));
    return exp_b_div(b, up, exp_b_pow(b, gap, rat(s, 2)));
}

/* Is the product i^p·r^i? Of r = 1 *r is NULL. */
static bool is_geometric(summation *s, const term *t, exp_node *i, int *p, exp_node **r) {
    exp_builder *b = s->b;
    exp_node *turn = NULL; /* the exponents of e, added up */
    *p = 0;
    *r = NULL;
    for (int k = 0; k < t->n; k++) {
        exp_node *f = t->f[k], *c = NULL;
        if (exp_same(f, i)) ++*p;
        else if (ver_is_integer_pow(f) && exp_same(f->arg[0], i) && f->arg[1]->num > 0 &&
                 f->arg[1]->num <= MAX_POWER)
            *p += (int)f->arg[1]->num;
        else if (f->op == EXP_EXP && (c = slope(s, f->arg[0], i))) {
            turn = turn ? exp_b_linear(b, exp_b_add(b, turn, c)) : c;
            continue;
        } else if (f->op == EXP_POW && !exp_has(f->arg[0], i) && (c = slope(s, f->arg[1], i)))
            c = exp_b_pow(b, f->arg[0], c);
        else return false;
        if (c) *r = *r ? exp_b_mul(b, *r, c) : c;
        if (*p > MAX_POWER) return false;
    }
    if (turn) turn = exp_b_1(b, EXP_EXP, turn);
    if (turn) *r = *r ? exp_b_mul(b, *r, turn) : turn;
    if (*r && ver_normal_same(b, *r, rat(s, 1), 1)) *r = NULL;
    return !b->st && !s->failed;
}

/* ---- families ------------------------------------------------------------------------------------------- */

/* The member x[±i + c] whose family's name comes first. */
static void first_member(exp_node *e, const exp_node *i, exp_node **best) {
    if (e->op == EXP_AT && exp_has(e->arg[1], i) &&
        (!*best || strcmp(e->arg[0]->name, (*best)->arg[0]->name) < 0))
        *best = e;
    for (uint32_t k = e->op == EXP_AT ? 1 : 0; k < e->nargs; k++) first_member(e->arg[k], i, best);
}

/* g turned and shifted so that its first member is x[i]; the range [from, to) goes with it. */
static exp_node *align(summation *s, exp_node *g, exp_node *i, exp_node **from, exp_node **to) {
    exp_builder *b = s->b;
    exp_node *m = NULL;
    first_member(g, i, &m);
    if (!m) return g;
    exp_node *at0 = put(s, m->arg[1], i, rat(s, 0)), *at1 = put(s, m->arg[1], i, rat(s, 1));
    exp_node *step = at0 && at1 ? exp_b_linear(b, exp_b_sub(b, at1, at0)) : NULL;
    if (!step || (!exp_is_rat(step, 1, 1) && !exp_is_rat(step, -1, 1))) return g;
    bool turn = step->num < 0; /* index −i + c = k: i = c − k, and [from, to) becomes (c − to, c − from] */
    exp_node *back = turn ? exp_b_sub(b, at0, i) : exp_b_sub(b, i, at0);
    exp_node *lo = turn ? plus(s, exp_b_sub(b, at0, *to), 1) : exp_b_add(b, *from, at0);
    exp_node *hi = turn ? plus(s, exp_b_sub(b, at0, *from), 1) : exp_b_add(b, *to, at0);
    *from = exp_b_linear(b, lo);
    *to = exp_b_linear(b, hi);
    g = put(s, g, i, back);
    return g && *from && *to ? ver_prepare(b, g, 1) : NULL;
}

static bool mentions_outer(const summation *s, const exp_node *g) {
    for (int k = 0; k < s->depth; k++)
        if (exp_has(g, s->outer[k])) return true;
    return false;
}

/* The family whose steps are g, or −g. */
static antidifference *family_of(summation *s, exp_node *g, bool *minus) {
    char name[16];
    exp_node *sym;
    for (int k = 0; k < s->n; k++) {
        *minus = false;
        if (exp_same(s->f[k].g, g) || ver_normal_same(s->b, s->f[k].g, g, 1)) return &s->f[k];
        *minus = true;
        if (ver_normal_same(s->b, s->f[k].g, exp_b_neg(s->b, g), 1)) return &s->f[k];
    }
    *minus = false;
    if (s->b->st || s->n == MAX_FAMILIES || mentions_outer(s, g)) return s->failed = true, NULL;
    snprintf(name, sizeof name, VER_FRESH_SUM "%d", s->n);
    if ((s->b->st = exp_sym(&sym, name, exp_is_real(g) ? EXP_REAL : EXP_COMPLEX, s->b->err))) return NULL;
    sym = exp_b_keep(s->b, sym);
    s->f[s->n] = (antidifference){.g = g, .family = sym};
    return sym ? &s->f[s->n++] : NULL;
}

/* F[n] with the whole constant of n taken off in steps: F[m + 2] = F[m] + g(m) + g(m + 1). */
static exp_node *value_at(summation *s, antidifference *a, exp_node *n) {
    exp_builder *b = s->b;
    exp_node *family = a->family, *g = a->g;
    n = exp_b_linear(b, n);
    if (!n) return NULL;
    bool constant = n->op == EXP_RAT && n->den == 1;
    if (constant && !a->anchored) a->anchored = true, a->anchor = n->num;
    int64_t k = constant                                       ? n->num - a->anchor
                : n->op == EXP_ADD && n->arg[1]->op == EXP_RAT ? n->arg[1]->num
                : n->op == EXP_SUB && n->arg[1]->op == EXP_RAT ? -n->arg[1]->num
                                                               : 0;
    if (k > MAX_STEPS || k < -MAX_STEPS) return exp_b_2(b, EXP_AT, family, n);
    exp_node *base = plus(s, n, -k), *x = exp_b_2(b, EXP_AT, family, base);
    for (int64_t m = 0; m < k && x; m++) x = exp_b_add(b, x, put(s, g, s->index, plus(s, base, m)));
    for (int64_t m = -1; m >= k && x; m--) x = exp_b_sub(b, x, put(s, g, s->index, plus(s, base, m)));
    return x;
}

static exp_node *sum_of_term(summation *s, const term *t, exp_node *i, exp_node *from, exp_node *to) {
    exp_builder *b = s->b;
    int p;
    exp_node *r;
    if (is_geometric(s, t, i, &p, &r) && (!r || p <= 1)) {
        exp_node *hi = r ? geometric(s, to, p, r) : power_sum(s, to, p),
                 *lo = r ? geometric(s, from, p, r) : power_sum(s, from, p);
        return exp_b_mul(b, t->coef, exp_b_sub(b, hi, lo));
    }
    exp_node *g = t->f[0];
    for (int k = 1; k < t->n; k++) g = exp_b_mul(b, g, t->f[k]);
    if (s->failed || !g || !(g = align(s, g, i, &from, &to))) return NULL;
    g = put(s, g, i, s->index);
    bool minus;
    antidifference *a = g ? family_of(s, g, &minus) : NULL;
    if (!a) return NULL;
    exp_node *low = value_at(s, a, from); /* first: the lower end is where constants are counted from */
    exp_node *range = exp_b_sub(b, value_at(s, a, to), low);
    return exp_b_mul(b, t->coef, minus ? exp_b_neg(b, range) : range);
}

static exp_node *rewrite(exp_builder *b, exp_node *e, void *ctx);

static exp_node *without_sum(summation *s, exp_node *e) {
    exp_builder *b = s->b;
    exp_node *i = e->arg[0], *lo = rewrite(b, e->arg[1], s), *hi = rewrite(b, e->arg[2], s);
    if (!lo || !hi || s->depth == MAX_OUTER || exp_b_never_integer(b, lo) || exp_b_never_integer(b, hi))
        return give_up(s);
    lo = exp_b_linear(b, lo);
    hi = exp_b_linear(b, hi);
    if (!lo || !hi) return NULL;
    char name[16];
    exp_node *own; /* no other index, and no symbol of a user, has its name */
    snprintf(name, sizeof name, "'i%d", s->depth);
    if ((b->st = exp_sym(&own, name, EXP_INTEGER, b->err))) return NULL;
    own = exp_b_keep(b, own);
    exp_node *body = put(s, e->arg[3], i, own);
    if (!body) return NULL;
    s->outer[s->depth++] = own;
    body = rewrite(b, body, s);
    s->depth--;
    terms *t = body ? ph_alloc(sizeof *t) : NULL;
    if (!t) return body ? (b->st = ph_fail_nomem(b->err, sizeof *t), NULL) : NULL;
    exp_node *total = rat(s, 0), *past = plus(s, hi, 1);
    bool ok = expand(s, t, body, own);
    for (int k = 0; ok && k < t->n && total; k++)
        total = exp_b_add(b, total, sum_of_term(s, &t->t[k], own, lo, past));
    ph_free(t);
    return ok ? total : NULL;
}

static bool has_sum(const exp_node *e) {
    if (e->op == EXP_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

/* |u|² = u·conj u: conj goes into the sums. */
static exp_node *square_of_abs(summation *s, exp_node *e) {
    exp_node *u = e->arg[0]->arg[0], *p;
    exp_node *square = exp_b_2(s->b, EXP_MUL, u, exp_b_1(s->b, EXP_CONJ, u));
    if (!square || (s->b->st = exp_push_conj(&p, square, s->b->err))) return NULL;
    return exp_b_pow(s->b, exp_b_keep(s->b, p), rat(s, e->arg[1]->num / 2));
}

static exp_node *rewrite(exp_builder *b, exp_node *e, void *ctx) {
    summation *s = ctx;
    if (!e || b->st || s->failed) return NULL;
    if (!has_sum(e)) return e;
    if (e->op == EXP_SUM) return without_sum(s, e);
    if (ver_is_integer_pow(e) && e->arg[0]->op == EXP_ABS && e->arg[1]->num % 2 == 0 &&
        !exp_is_real(e->arg[0]->arg[0]))
        return rewrite(b, square_of_abs(s, e), s);
    return exp_b_rewrite(b, e, 0, rewrite, s);
}

exp_node *ver_without_sums(exp_builder *b, exp_node *e, exp_set *conditions) {
    summation s = {.b = b, .conditions = conditions};
    exp_node *index, *pushed;
    if (b->st || (b->st = exp_sym(&index, "'i", EXP_INTEGER, b->err))) return NULL;
    s.index = exp_b_keep(b, index);
    if (b->st || (b->st = exp_push_conj(&pushed, e, b->err))) return NULL;
    exp_node *r = rewrite(b, exp_b_keep(b, pushed), &s);
    return s.failed ? NULL : r;
}
