/* whole.c: what is special to integers: u > −1 is u >= 0, a polynomial between its roots, induction. */
#include <flint/fmpz_poly.h>

#include "verify/conditions.h"
#include "verify/reading.h"
#include "verify/realroots.h"
#include "verify/settle.h"

#define MAX_RANGE  4096 /* integers between the outermost roots that are looked at */
#define MAX_FROM   64   /* where an induction may begin */
#define MAX_STARTS 5    /* numbers that are looked at one by one before it */

static bool is_integer_symbol(const expr_node *e) {
    return e->op == EXPR_SYM && (e->kind == EXPR_INTEGER || e->kind == EXPR_NATURAL);
}

static bool integer_valued(const expr_node *e) {
    if (e->op == EXPR_RAT) return e->den == 1;
    if (e->op == EXPR_SYM) return is_integer_symbol(e);
    if (e->op == EXPR_POW)
        return integer_valued(e->arg[0]) &&
               ((e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && e->arg[1]->num > 0) ||
                (e->arg[1]->op == EXPR_SYM && e->arg[1]->kind == EXPR_NATURAL));
    if (e->op < EXPR_NEG || e->op > EXPR_MUL) return false;
    return integer_valued(e->arg[0]) && (e->nargs == 1 || integer_valued(e->arg[1]));
}

/* ---- a polynomial in one integer ----------------------------------------------------------------------- */

/* The least integer that x can be, when one is known: a natural one, a fact. */
static bool least_value(int64_t *out, const ver_goal *g, expr_node *x) {
    bool known = x->kind == EXPR_NATURAL;
    *out = 1;
    for (int i = 0; i < g->nfacts; i++) {
        expr_node *c, *r;
        if (!ver_linear_in(g->b, g->fact[i].u, x, &c, &r) || c->num <= 0 || r->op != EXPR_RAT) continue;
        expr_node *at = expr_b_neg(g->b, expr_b_div(g->b, r, c));
        if (!at || at->op != EXPR_RAT) continue;
        int64_t whole = at->num / at->den + (at->num % at->den > 0);
        if (g->fact[i].strict && at->den == 1) whole = at->num + 1;
        if (!known || whole > *out) *out = whole;
        known = true;
    }
    return known;
}

/* The least value of f over the integers from `from` on (or all of them) is >= 0 (> 0). */
static ver_sign over_integers(const fmpz_poly_t f, bool bounded, int64_t from) {
    slong n = 0, degree = fmpz_poly_degree(f);
    if (degree <= 0 || degree > 40 || fmpz_sgn(fmpz_poly_lead(f)) < 0 || (!bounded && degree % 2))
        return VER_SIGN_OPEN;
    if (from > 1 << 30 || from < -(1 << 30)) return VER_SIGN_OPEN;
    fmpz_poly_t d, g;
    fmpz_t at, v;
    arf_t end;
    fmpz_poly_init(d);
    fmpz_poly_init(g);
    fmpz_init(at);
    fmpz_init(v);
    arf_init(end);
    fmpz_poly_derivative(d, f);
    fmpz_poly_gcd(d, d, f);
    fmpz_poly_div(g, f, d);
    slong size = fmpz_poly_degree(g);
    arb_ptr r = ver_real_roots(&n, g);
    int64_t lo = from, hi = from;
    ver_sign s = VER_SIGN_POSITIVE;
    if (n > 0) {
        arb_get_ubound_arf(end, r + n - 1, 64);
        arf_get_fmpz(v, end, ARF_RND_CEIL);
        if (fmpz_bits(v) > 30) s = VER_SIGN_OPEN;
        else if (!bounded || hi < fmpz_get_si(v)) hi = fmpz_get_si(v);
        arb_get_lbound_arf(end, r, 64);
        arf_get_fmpz(v, end, ARF_RND_FLOOR);
        if (fmpz_bits(v) > 30) s = VER_SIGN_OPEN;
        else if (!bounded) lo = fmpz_get_si(v);
    }
    if (hi - lo > MAX_RANGE) s = VER_SIGN_OPEN;
    for (int64_t i = lo; i <= hi && s != VER_SIGN_OPEN;
         i++) { /* beyond them f has the sign of its leading term */
        fmpz_set_si(at, (slong)i);
        fmpz_poly_evaluate_fmpz(v, f, at);
        if (fmpz_sgn(v) < 0) s = VER_SIGN_OPEN;
        else if (fmpz_is_zero(v)) s = VER_SIGN_NONNEGATIVE;
    }
    _arb_vec_clear(r, size);
    fmpz_poly_clear(d);
    fmpz_poly_clear(g);
    fmpz_clear(at);
    fmpz_clear(v);
    arf_clear(end);
    return s;
}

static bool never(void *ctx, expr_node *u, bool strict) {
    (void)ctx, (void)u, (void)strict;
    return false;
}

/* The terms of p in generator v alone; they are taken out of p. */
static void take_terms(fmpz_poly_t out, fmpz_mpoly_t p, slong v, const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_t t, q;
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_init(q, ctx);
    for (slong i = 0; i < fmpz_mpoly_length(p, ctx); i++) {
        fmpz_mpoly_get_term(t, p, i, ctx);
        if (!fmpz_mpoly_is_fmpz(t, ctx) && fmpz_mpoly_is_fmpz_poly(t, v, ctx)) fmpz_mpoly_add(q, q, t, ctx);
    }
    fmpz_mpoly_get_fmpz_poly(out, q, v, ctx);
    fmpz_mpoly_sub(p, p, q, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_clear(q, ctx);
}

/* p = Σ p_v(v) + c with p_v >= 0 over the integers and c >= 0; of one variable, c belongs to it. */
static ph_status by_roots(ver_sign *out, const ver_goal *g, expr_node *u) {
    reading *x = ph_alloc(sizeof *x);
    if (!x) return ph_fail_nomem(g->b->err, sizeof *x);
    ring_frac f;
    ph_status st = ver_reading_init(x, g->b, never, NULL, &g->left->roots);
    ver_ring_frac_init(&f, &x->r);
    bool ok = !st && !(st = ver_read(&f, x, u)) && fmpz_mpoly_is_fmpz(f.d, x->r.ctx) && !x->again;
    ver_sign s = VER_SIGN_POSITIVE;
    bool strict = false;
    for (slong v = 1; ok && v < x->ngens; v++) {
        int64_t from;
        fmpz_poly_t one;
        expr_node *node = x->gen[v].node;
        ok = x->gen[v].kind == READ_SYMBOL && is_integer_symbol(node);
        if (!ok) break;
        bool bounded = least_value(&from, g, node);
        fmpz_poly_init(one);
        take_terms(one, f.n, x->r.nvars - 1 - v, x->r.ctx);
        if (x->ngens == 2) {
            fmpz_t c;
            fmpz_init(c);
            fmpz_mpoly_get_coeff_fmpz_ui(c, f.n, (ulong[READ_GENS + 1]){0}, x->r.ctx);
            fmpz_poly_set_coeff_fmpz(one, 0, c);
            fmpz_mpoly_zero(f.n, x->r.ctx);
            fmpz_clear(c);
        }
        ver_sign t = over_integers(one, bounded, bounded ? from : 0);
        if (t == VER_SIGN_OPEN) s = t;
        strict = strict || t == VER_SIGN_POSITIVE;
        fmpz_poly_clear(one);
    }
    ok = ok && fmpz_mpoly_is_fmpz(f.n, x->r.ctx) && x->ngens > 1;
    if (ok && !fmpz_mpoly_is_zero(f.n, x->r.ctx)) {
        ok = fmpz_sgn(f.n->coeffs) > 0;
        strict = true;
    }
    if (ok && s != VER_SIGN_OPEN) *out = strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    ver_ring_frac_clear(&f, &x->r);
    ver_reading_clear(x);
    ph_free(x);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* ---- induction ----------------------------------------------------------------------------------------- */

typedef struct {
    expr_node *n;
    int64_t from; /* n >= from */
} counted;

/* Σ_{i=lo}^{n+k} f = Σ_{i=lo}^{n+k−1} f + f(n+k), for n >= lo − k. */
static expr_node *split_sums(expr_builder *b, expr_node *e, void *ctx) {
    const counted *w = ctx;
    expr_node *last, *c, *k;
    int64_t first;
    if (e->op != EXPR_SUM) return expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, split_sums, ctx);
    expr_node *lo = e->arg[1], *hi = expr_b_linear(b, e->arg[2]);
    if (!hi || lo->op != EXPR_RAT || !ver_linear_in(b, hi, w->n, &c, &k)) return b->st ? NULL : e;
    if (!expr_is_rat(c, 1, 1) || k->op != EXPR_RAT || k->den != 1) return e;
    if (__builtin_add_overflow(w->from, k->num, &first) || first < lo->num) return e;
    if (expr_subst(&last, e->arg[3], e->arg[0], hi, b->err)) return e;
    last = expr_b_keep(b, last);
    hi = expr_b_linear(b, expr_b_sub(b, hi, expr_b_rat(b, 1, 1)));
    expr_node *rest = expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], lo, hi, e->arg[3]});
    return expr_b_add(b, rest, last);
}

/* A base b of a power b^n in u, number k of them; NULL: no more. */
static expr_node *base_of(expr_node *u, const expr_node *n, int *k) {
    if (u->op == EXPR_POW && expr_has(u->arg[1], n) && !expr_has(u->arg[0], n) && (*k)-- == 0)
        return u->arg[0];
    for (uint32_t i = 0; i < u->nargs && u->op != EXPR_SUM; i++) {
        expr_node *r = base_of(u->arg[i], n, k);
        if (r) return r;
    }
    return NULL;
}

static ph_status put(expr_node **out, expr_builder *b, expr_node *u, expr_node *n, expr_node *by) {
    expr_node *v;
    ph_status st = expr_subst(&v, u, n, by, b->err);
    if (st) return *out = NULL, ph_is_fatal(st) ? st : PH_OK;
    *out = expr_b_keep(b, v);
    return b->st;
}

/* u(from) >= 0 and u(n+1) − m·u(n) >= 0 with m >= 0 (m > 0 for >), for n >= from. */
static ph_status step(ver_sign *out, const ver_goal *g, expr_node *u, const counted *w, expr_node *m,
                      bool strict) {
    expr_node *next;
    ver_sign s = VER_SIGN_OPEN;
    ph_status st = put(&next, g->b, u, w->n, expr_b_add(g->b, w->n, expr_b_rat(g->b, 1, 1)));
    if (st || !next) return st;
    next = split_sums(g->b, next, (void *)w);
    expr_node *d = next ? expr_b_sub(g->b, next, expr_b_mul(g->b, m, u)) : NULL;
    if (!d) return g->b->st;
    if (!expr_is_positive(m)) {
        st = ver_settle_within(&s, g, m, strict);
        if (st || s < (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE)) return st;
    }
    return ver_settle_within(out, g, d, false);
}

ph_status ver_at_whole(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *n, int64_t at,
                       bool strict) {
    expr_node *there, *written;
    *out = VER_SIGN_OPEN;
    ph_status st = put(&there, g->b, u, n, expr_b_rat(g->b, at, 1));
    if (st || !there) return st;
    if (expr_expand_sums(&written, there, g->b->err)) return PH_OK;
    if (!(written = expr_b_keep(g->b, written))) return g->b->st;
    return ver_settle_within(out, g, written, strict);
}

/* l > r (strict) or l >= r under the facts. */
static ph_status above(bool *out, const ver_goal *g, expr_node *l, expr_node *r, bool strict) {
    ver_sign s = VER_SIGN_OPEN;
    expr_node *d = expr_b_sub(g->b, l, r);
    ph_status st = d ? ver_settle_within(&s, g, d, strict) : g->b->st;
    *out = s >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE);
    return st;
}

/* Has u a value at every n that the facts leave? An induction passes through all of them: beyond a place where u has none, its steps say
 * nothing. */
static ph_status defined_throughout(bool *out, const ver_goal *g, expr_node *u, const expr_node *n) {
    expr_set asked = {0};
    ph_status st = ver_conditions_of(&asked, u, g->b->err);
    *out = !st;
    for (int i = 0; i < asked.n && *out && !st; i++) {
        expr_node *c = asked.item[i], **side = c->arg;
        bool either = c->op == EXPR_NE, strict = either || c->op == EXPR_GT || c->op == EXPR_LT;
        if (!expr_has(c, n)) continue;
        *out = false;
        if (either || c->op == EXPR_GT || c->op == EXPR_GE) st = above(out, g, side[0], side[1], strict);
        if (!st && !*out && (either || c->op == EXPR_LT || c->op == EXPR_LE))
            st = above(out, g, side[1], side[0], strict);
    }
    expr_set_clear(&asked);
    return ph_is_fatal(st) ? st : PH_OK;
}

ph_status ver_induct_from(ver_sign *out, const ver_goal *without, expr_node *u, expr_node *n, int64_t from,
                          bool strict) {
    ver_goal g = *without;
    ver_sign first = VER_SIGN_OPEN, then = VER_SIGN_OPEN;
    *out = VER_SIGN_OPEN;
    bool defined;
    ver_goal_add(&g, expr_b_sub(g.b, n, expr_b_rat(g.b, from, 1)), false);
    ph_status st = defined_throughout(&defined, &g, u, n);
    if (st || !defined) return st;
    st = ver_at_whole(&first, without, u, n, from, strict);
    if (st || first < (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE)) return st;
    st = step(&then, &g, u, &(counted){n, from}, expr_b_rat(g.b, 1, 1), strict);
    for (int k = 0; !st && then == VER_SIGN_OPEN && k < 3; k++) {
        int skip = k;
        expr_node *m = base_of(u, n, &skip);
        if (!m) break;
        st = step(&then, &g, u, &(counted){n, from}, m, strict);
    }
    if (!st && then != VER_SIGN_OPEN) *out = strict ? first : VER_SIGN_NONNEGATIVE;
    return st;
}

bool ver_from_whole(int64_t *from, ver_goal *without, const ver_goal *given, expr_node *n) {
    *without = *given;
    without->nfacts = 0;
    for (int i = 0; i < given->nfacts; i++)
        if (!expr_has(given->fact[i].u, n)) ver_goal_add(without, given->fact[i].u, given->fact[i].strict);
    return least_value(from, given, n) && *from >= 0 && *from <= MAX_FROM;
}

static ph_status induct(ver_sign *out, const ver_goal *given, expr_node *u, expr_node *n, bool strict) {
    ver_goal without;
    int64_t from;
    if (!ver_from_whole(&from, &without, given, n)) return PH_OK;
    return ver_induct_from(out, &without, u, n, from, strict);
}

/* From the first later number behind which the step holds, with those before it one by one: 3^n >= n^3, for 1 and 2 by itself. */
static ph_status induct_later(ver_sign *out, const ver_goal *given, expr_node *u, expr_node *n, bool strict) {
    ver_goal without;
    int64_t from;
    ver_sign least = VER_SIGN_POSITIVE, here = VER_SIGN_OPEN;
    if (!ver_from_whole(&from, &without, given, n)) return PH_OK;
    for (int64_t k = from; k < from + MAX_STARTS; k++) {
        ph_status st = ver_at_whole(&here, &without, u, n, k, strict);
        if (st || here < (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE)) return st;
        if (here < least) least = here;
        st = ver_induct_from(out, &without, u, n, k + 1, strict);
        if (*out > least) *out = least;
        if (st || *out != VER_SIGN_OPEN) return st;
    }
    return PH_OK;
}

static bool has_power_or_sum(const expr_node *u, const expr_node *n) {
    if (u->op == EXPR_POW && expr_has(u->arg[1], n)) return true;
    if (u->op == EXPR_SUM && expr_has(u->arg[2], n)) return true;
    for (uint32_t i = 0; i < u->nargs; i++)
        if (has_power_or_sum(u->arg[i], n)) return true;
    return false;
}

/* ---- the arguments ------------------------------------------------------------------------------------- */

ph_status ver_by_integers(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_set s;
    ph_status st = expr_symbols(&s, u, g->b->err);
    if (st) return ph_is_fatal(st) ? st : PH_OK;
    bool all = s.n > 0, some = false;
    for (int i = 0; i < s.n; i++) {
        if (is_integer_symbol(s.item[i])) some = true;
        else all = false;
    }
    if (all) {
        st = by_roots(out, g, u);
        *method = "the integers between the roots of a polynomial";
        expr_node *times = integer_valued(u) ? u : ver_whole_multiple(g->b, u);
        expr_node *more = times ? expr_b_add(g->b, times, expr_b_rat(g->b, 1, 1)) : NULL;
        if (!st && *out == VER_SIGN_OPEN && !strict && g->depth < 6 && more) {
            if (more) st = ver_settle_within(out, g, more, true);
            *out = *out == VER_SIGN_POSITIVE ? VER_SIGN_NONNEGATIVE : VER_SIGN_OPEN;
            *method = "an integer above -1";
        }
    }
    for (int i = 0; some && !st && i < s.n && *out == VER_SIGN_OPEN && g->depth < 3; i++)
        if (is_integer_symbol(s.item[i]) && has_power_or_sum(u, s.item[i])) {
            expr_node *n = expr_b_keep(g->b, expr_ref(s.item[i]));
            if (n) st = induct(out, g, u, n, strict);
            *method = "induction over the integers";
            if (st || !n || *out != VER_SIGN_OPEN) continue;
            st = ver_by_tail(out, g, u, n, strict);
            *method = "induction over the integers, with a bound of what the sum still lacks";
            if (st || *out != VER_SIGN_OPEN) continue;
            st = induct_later(out, g, u, n, strict);
            *method = "induction over the integers";
        }
    expr_set_clear(&s);
    return st ? st : g->b->st;
}
