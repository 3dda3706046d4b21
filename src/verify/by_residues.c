/* by_residues.c: e = 0 with floors in it, by the residues of whole symbols.
 *     floor(u(m)) = u(m) − (u(r) − floor(u(r)))   for m = Q·t + r, where u is a polynomial in whole symbols and floors with rational coefficients, Q such
 *                                                 that u(m) − u(r) is whole: a multiple of their common denominator, where u has no floors. Every m is of one such form.
 *     floor(a·x + d) = floor(a·k/M + d)           for a real x, k = floor(M·x), where M/a and M·d/a are whole and a > 0: with s = M/a both are
 *                                                 floor((k + d·s)/s), since floor(y/s) = floor(floor(y)/s). x may stand nowhere else. */
#include <stdio.h>

#include "verify/identity_ways.h"
#include "verify/settle.h"

#define MAX_MODULUS  24
#define MAX_SYMBOLS  3
#define MAX_RESIDUES 40 /* combinations */

static expr_node *symbol(expr_builder *b, const char *letter, int at) {
    char name[16];
    expr_node *s;
    snprintf(name, sizeof name, "'%s%d", letter, at);
    return b->st || (b->st = expr_sym(&s, name, EXPR_INTEGER, b->err)) ? NULL : expr_b_keep(b, s);
}

/* The least common multiple; 0: that is large, or one of them is 0. */
static int64_t both(int64_t p, int64_t q) {
    if (p <= 0 || q <= 0 || p > MAX_MODULUS || q > MAX_MODULUS) return 0;
    int64_t m = p / (int64_t)n_gcd((ulong)p, (ulong)q) * q;
    return m <= MAX_MODULUS ? m : 0;
}

static int64_t product(int64_t p, int64_t q) { return p && q && p * q <= MAX_MODULUS ? p * q : 0; }

/* Of p, what a factor leaves. */
static int64_t reduced(int64_t p, int64_t factor) {
    return p ? p / (int64_t)n_gcd((ulong)p, (ulong)(factor < 0 ? -(factor % p) : factor % p)) : 0;
}

/* ---- whole symbols -------------------------------------------------------------------------------------- */

/* Of a polynomial u in whole symbols and floors: den·u is whole, and u(m) − u(r) is a multiple of q, for every whole q, where m and r differ by
 * multiples of `period` and of scale·q; scale 0: of the period alone, as for n − 3·floor(n/3). period 0: u is none, or these are large. */
typedef struct {
    int64_t period, scale, den;
} repetition;

static const repetition unknown = {0, 0, 0};

static bool scaled(int64_t *out, int64_t scale, int64_t by) {
    *out = scale ? product(scale, by) : 0;
    return !scale || *out;
}

/* Where u − u' is to be a multiple of x·q, and v − v' one of y·q. */
static repetition joined(repetition u, repetition v, int64_t x, int64_t y, int64_t den) {
    int64_t s, t;
    if (!u.period || !v.period || !den || !scaled(&s, u.scale, x) || !scaled(&t, v.scale, y)) return unknown;
    int64_t period = both(u.period, v.period), scale = s && t ? both(s, t) : s + t;
    return period && (scale || !(s && t)) ? (repetition){period, scale, den} : unknown;
}

/* u·v − u'·v' = (u − u')·v + u'·(v − v') */
static repetition of_product(repetition u, repetition v) {
    return joined(u, v, v.den, u.den, product(u.den, v.den));
}

static repetition repeats(const expr_node *u);

/* c·w; without floors w is a whole polynomial over den. */
static repetition of_multiple(const expr_node *c, const expr_node *w) {
    repetition v = repeats(w);
    int64_t den =
        v.period && c->num ? product(reduced(v.den, c->num), c->den <= MAX_MODULUS ? c->den : 0) : 0;
    if (!den) return unknown;
    if (!ver_has_op((expr_node *)w, EXPR_FLOOR)) return (repetition){1, den, den};
    return joined((repetition){1, 0, 1}, v, 1, c->den, den);
}

/* x − k·floor(x/k) of a whole x. */
static repetition of_remainder(const expr_node *x, const expr_node *y) {
    const expr_node *k = y->op == EXPR_MUL ? y->arg[0] : NULL, *f = k ? y->arg[1] : NULL;
    int64_t steps;
    if (k && k->op == EXPR_FLOOR) k = y->arg[1], f = y->arg[0];
    if (!k || k->op != EXPR_RAT || k->den != 1 || k->num < 1 || k->num > MAX_MODULUS || f->op != EXPR_FLOOR)
        return unknown;
    const expr_node *q = f->arg[0];
    if (q->op != EXPR_DIV || !expr_same(q->arg[0], x) || !expr_same(q->arg[1], k)) return unknown;
    repetition u = repeats(x);
    if (u.den != 1 || !scaled(&steps, u.scale, k->num)) return unknown;
    int64_t period = steps ? both(u.period, steps) : u.period;
    return period ? (repetition){period, 0, 1} : unknown;
}

static repetition repeats(const expr_node *u) {
    const expr_node *v = u->nargs ? u->arg[0] : NULL, *w = u->nargs > 1 ? u->arg[1] : NULL;
    repetition r = {1, 0, 1}, x, y;
    switch (u->op) {
    case EXPR_RAT: return u->den <= MAX_MODULUS ? (repetition){1, 0, u->den} : unknown;
    case EXPR_SYM:
        return u->kind == EXPR_INTEGER || u->kind == EXPR_NATURAL ? (repetition){1, 1, 1} : unknown;
    case EXPR_NEG: return repeats(v);
    case EXPR_FLOOR: r = repeats(v); return r.period ? (repetition){r.period, r.scale, 1} : unknown;
    case EXPR_SUB:
        r = of_remainder(v, w);
        if (r.period) return r; /* fall through */
    case EXPR_ADD: x = repeats(v), y = repeats(w); return joined(x, y, 1, 1, both(x.den, y.den));
    case EXPR_MUL: return v->op == EXPR_RAT ? of_multiple(v, w) : of_product(repeats(v), repeats(w));
    case EXPR_DIV:
        if (w->op != EXPR_RAT || w->den != 1 || w->num <= 0 || w->num > MAX_MODULUS) return unknown;
        x = repeats(v);
        return joined(r, x, 1, w->num, product(x.den, w->num));
    case EXPR_POW:
        if (w->op != EXPR_RAT || w->den != 1 || w->num < 1 || w->num > 12) return unknown;
        for (int64_t k = 0; k < w->num; k++) r = of_product(r, repeats(v));
        return r;
    default: return unknown;
    }
}

/* A modulus whose residues tell the floor of u, and those within; 0: there is none, or it is large. */
static int64_t modulus_of(const expr_node *u) {
    repetition r = repeats(u);
    return r.scale ? both(r.period, r.scale) : r.period;
}

typedef struct {
    expr_node *m[MAX_SYMBOLS];
    int64_t r[MAX_SYMBOLS];
    int n;
    int64_t modulus;
    bool fits;
} residues;

/* The symbols in floors, and the modulus that serves all of them. */
static void gather(residues *s, expr_node *e, bool within) {
    bool floor = e->op == EXPR_FLOOR;
    if (!s->fits || (s->fits = e->op != EXPR_SUM, !s->fits)) return;
    if (floor && !within) s->modulus = both(s->modulus, modulus_of(e->arg[0]));
    s->fits = s->modulus != 0;
    for (uint32_t i = 0; i < e->nargs && s->fits; i++) gather(s, e->arg[i], within || floor);
    if (!within || e->op != EXPR_SYM) return;
    for (int i = 0; i < s->n; i++)
        if (expr_same(s->m[i], e)) return;
    if (s->n == MAX_SYMBOLS) s->fits = false;
    else s->m[s->n++] = e;
}

/* e at m = r where its floors are concerned. */
static expr_node *without_floors(expr_builder *b, expr_node *e, void *ctx) {
    const residues *s = ctx;
    e = e ? expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, without_floors, ctx) : NULL;
    if (!e || e->op != EXPR_FLOOR) return e;
    expr_node *u = e->arg[0], *at = u;
    for (int i = 0; i < s->n; i++) at = expr_b_try_subst(b, at, s->m[i], expr_b_rat(b, s->r[i], 1));
    at = at ? expr_b_linear(b, at) : NULL;
    if (!at || at->op != EXPR_RAT) return NULL;
    int64_t over = at->num % at->den;
    return expr_b_sub(b, u, expr_b_rat(b, over < 0 ? over + at->den : over, at->den));
}

static bool take_if_zero(const ver_question *q, expr_node *e) {
    sums_form f;
    if (!e || !ver_follows_zero(q, &f, e)) return false;
    for (int i = 0; i < f.form.conditions.n; i++)
        if (ver_is_fresh(f.form.conditions.item[i])) return ver_normal_clear(&f.form), false;
    ver_take_proof(q, &f);
    return true;
}

/* Is e 0 where m = r? As it stands, or with m written as Q·t + r. */
static bool holds_at(const ver_question *q, residues *s) {
    expr_builder *b = q->b;
    expr_node *e = without_floors(b, q->e, s);
    if (!e) return false;
    if (take_if_zero(q, e)) return true;
    for (int i = 0; i < s->n; i++) {
        expr_node *t = expr_b_mul(b, expr_b_rat(b, s->modulus, 1), symbol(b, "t", i));
        e = expr_b_try_subst(b, e, s->m[i], expr_b_add(b, t, expr_b_rat(b, s->r[i], 1)));
    }
    return take_if_zero(q, e);
}

static bool over_residues(const ver_question *q, expr_node *e) {
    residues s = {.modulus = 1, .fits = true};
    ver_question own = *q;
    int64_t all = 1;
    own.e = e;
    gather(&s, e, false);
    if (!s.fits || !s.n || s.modulus == 1) return false;
    for (int i = 0; i < s.n; i++)
        if ((all *= s.modulus) > MAX_RESIDUES) return false;
    for (int64_t k = 0; k < all; k++) {
        int64_t rest = k;
        for (int i = 0; i < s.n; i++, rest /= s.modulus) s.r[i] = rest % s.modulus;
        if (!holds_at(&own, &s)) return false;
    }
    return !q->b->st;
}

/* ---- real symbols --------------------------------------------------------------------------------------- */

/* x stands in floors of a·x + d only; *m: the least M for all of them. */
static bool is_in_floors(expr_builder *b, int64_t *m, expr_node *e, expr_node *x) {
    expr_node *a, *d;
    if (!expr_has(e, x)) return true;
    if (e->op == EXPR_SUM || e->op == EXPR_SYM || e->op == EXPR_AT) return false;
    if (e->op == EXPR_FLOOR && ver_linear_in(b, e->arg[0], x, &a, &d)) {
        expr_node *shift = d->op == EXPR_RAT && a->num > 0 ? expr_b_div(b, d, a) : NULL;
        if (!shift || shift->op != EXPR_RAT) return false;
        *m = both(both(*m, a->num), shift->den);
        return *m != 0;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!is_in_floors(b, m, e->arg[i], x)) return false;
    return true;
}

/* e with x = k/M in its floors, a whole k for each such x. */
static expr_node *with_whole(expr_builder *b, expr_node *e) {
    expr_set atoms;
    if (b->st || expr_symbols(&atoms, e, NULL)) return NULL;
    for (int i = 0; i < atoms.n && e; i++) {
        int64_t m = 1;
        expr_node *x = atoms.item[i];
        if (x->op != EXPR_SYM || (x->kind != EXPR_REAL && x->kind != EXPR_POSITIVE) ||
            !is_in_floors(b, &m, e, x))
            continue;
        e = expr_b_try_subst(b, e, x, expr_b_div(b, symbol(b, "k", i), expr_b_rat(b, m, 1)));
    }
    expr_set_clear(&atoms);
    return e;
}

bool ver_by_residues(const ver_question *q) {
    if (!ver_has_op(q->e, EXPR_FLOOR)) return false;
    expr_node *e = with_whole(q->b, q->e);
    return e && over_residues(q, e);
}
