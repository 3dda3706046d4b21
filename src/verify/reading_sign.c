/* reading_sign.c: the sign of what reading.h has read: facts about its powers, and the two ways to a verdict. */
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <math.h>

#include "verify/meter.h"
#include "verify/reading.h"
#include "verify/realroots.h"

#define MAX_CELL_VARS 6 /* dimensions of a decomposition */

static slong var_of(const reading *x, slong gen) { return x->r.nvars - 1 - gen; }

static void signs(ver_sign *s, const reading *x) {
    for (slong v = 0; v < x->r.nvars; v++) s[v] = VER_SIGN_OPEN;
    for (slong g = 1; g < x->ngens; g++) s[var_of(x, g)] = x->gen[g].sign;
}

/* ---- facts about powers -------------------------------------------------------------------------------- */

/* m = Π (variables)^e as a fraction; a symbol's variable is a root of it, so the exponents are those of the variables. */
static void monomial(fmpz_mpoly_t out, const reading *x, const slong *e) {
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, x->r.ctx);
    fmpz_mpoly_one(out, x->r.ctx);
    for (slong g = 1; g < x->ngens; g++)
        if (e[g]) {
            fmpz_mpoly_gen(t, var_of(x, g), x->r.ctx);
            fmpz_mpoly_pow_ui(t, t, (ulong)e[g], x->r.ctx);
            fmpz_mpoly_mul(out, out, t, x->r.ctx);
        }
    fmpz_mpoly_clear(t, x->r.ctx);
}

/* The symbol that a monomial is, NULL: it is none. */
static expr_node *only_symbol(const reading *x, const slong *e) {
    slong degree = 0, at = 0;
    for (slong g = 1; g < x->ngens; g++)
        if (e[g]) degree += e[g], at = g;
    return degree == 1 && x->gen[at].kind == READ_SYMBOL && x->gen[at].unit == 1 ? x->gen[at].node : NULL;
}

/* E = e^(m/u): u·(E − 1) − m >= 0; and E >= 1 when m >= 0, for every base b >= 1. */
static void facts_of_power(reading *x, slong g) {
    const read_gen *v = &x->gen[g];
    ver_sign s[READ_GENS + 1];
    fmpz_mpoly_t f, m;
    fmpz_mpoly_init(f, x->r.ctx);
    fmpz_mpoly_init(m, x->r.ctx);
    signs(s, x);
    monomial(m, x, v->exponent);
    fmpz_mpoly_gen(f, var_of(x, g), x->r.ctx);
    fmpz_mpoly_sub_si(f, f, 1, x->r.ctx);
    ver_sign exponent = ver_poly_visible(m, s, x->r.ctx);
    expr_node *alone = only_symbol(x, v->exponent), *minus = alone ? expr_b_neg(x->b, alone) : NULL;
    if (!v->node && exponent == VER_SIGN_OPEN && minus &&
        x->ask(x->ctx, minus, false)) { /* e^m <= 1 for m <= 0 */
        fmpz_mpoly_neg(m, f, x->r.ctx);
        ver_reading_fact(x, m, false);
        monomial(m, x, v->exponent);
    }
    bool constant = fmpz_mpoly_is_fmpz(m, x->r.ctx);
    if (!v->node && exponent != VER_SIGN_OPEN && !constant)
        ver_reading_fact(x, f, exponent == VER_SIGN_POSITIVE);
    if (!v->node && !v->prime && !constant) {
        fmpz_mpoly_scalar_mul_si(f, f, v->unit, x->r.ctx);
        fmpz_mpoly_sub(f, f, m, x->r.ctx);
        ver_reading_fact(x, f, false);
    }
    fmpz_mpoly_clear(f, x->r.ctx);
    fmpz_mpoly_clear(m, x->r.ctx);
}

/* 0 <= b <= 1: 0 <= b^n <= b; b >= 1: b^n >= b, for natural n. */
static ph_status facts_of_natural_power(reading *x, slong g) {
    const read_gen *v = &x->gen[g];
    expr_node *one = expr_b_rat(x->b, 1, 1), *less = expr_b_sub(x->b, one, v->node);
    expr_node *more = expr_b_sub(x->b, v->node, one);
    if (!less || !more) return x->b->st;
    bool small = x->ask(x->ctx, v->node, false) && x->ask(x->ctx, less, false);
    if (!small && !x->ask(x->ctx, more, false)) return PH_OK;
    ring_frac f, p;
    ver_ring_frac_init(&f, &x->r);
    ver_ring_frac_init(&p, &x->r);
    ver_ring_gen(&p, g, &x->r);
    ph_status st;
    PH_TRY(ver_read(&f, x, v->node));
    PH_TRY(ver_ring_add(&f, &f, &p, -1, &x->r));
    if (fmpz_mpoly_is_fmpz(f.d, x->r.ctx)) {
        if (!small) fmpz_mpoly_neg(f.n, f.n, x->r.ctx);
        ver_reading_fact(x, f.n, false);
    }
done:
    ver_ring_frac_clear(&f, &x->r);
    ver_ring_frac_clear(&p, &x->r);
    return st;
}

static bool natural_exponent(const reading *x, const read_gen *v) {
    const expr_node *s = v->unit == 1 ? only_symbol(x, v->exponent) : NULL;
    return s && s->op == EXPR_SYM && s->kind == EXPR_NATURAL;
}

ph_status ver_reading_powers(reading *x, bool tangents) {
    ph_status st = PH_OK;
    for (slong g = 1, n = x->ngens; g < n && !st; g++) {
        if (x->gen[g].kind != READ_POWER) continue;
        if (x->gen[g].node && natural_exponent(x, &x->gen[g])) st = facts_of_natural_power(x, g);
        else if (!x->gen[g].node && tangents) facts_of_power(x, g);
    }
    return st;
}

/* ---- angles of π --------------------------------------------------------------------------------------- */

/* The sign, 1 or −1, of the coefficient of the highest power of a variable; 0: not seen. */
static int leading_sign(const fmpz_mpoly_t f, slong v, const reading *x) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t c;
    ver_sign s[READ_GENS + 1];
    int sign = 0;
    signs(s, x);
    fmpz_mpoly_univar_init(u, x->r.ctx);
    fmpz_mpoly_init(c, x->r.ctx);
    fmpz_mpoly_to_univar(u, f, v, x->r.ctx);
    if (fmpz_mpoly_univar_length(u, x->r.ctx)) fmpz_mpoly_univar_get_term_coeff(c, u, 0, x->r.ctx);
    if (ver_poly_visible(c, s, x->r.ctx) == VER_SIGN_POSITIVE) sign = 1;
    fmpz_mpoly_neg(c, c, x->r.ctx);
    if (!sign && ver_poly_visible(c, s, x->r.ctx) == VER_SIGN_POSITIVE) sign = -1;
    fmpz_mpoly_clear(c, x->r.ctx);
    fmpz_mpoly_univar_clear(u, x->r.ctx);
    return sign;
}

bool ver_reading_reaches_pi(reading *x, const ring_frac *f) {
    slong at = 0;
    for (slong g = 1; g < x->ngens; g++) {
        slong v = var_of(x, g);
        if (x->gen[g].kind == READ_ROOT && x->angles &&
            (fmpz_mpoly_degree_si(f->n, v, x->r.ctx) > 0 || fmpz_mpoly_degree_si(f->d, v, x->r.ctx) > 0))
            return false; /* may depend on t */
        if (x->gen[g].kind != READ_TAN ||
            (fmpz_mpoly_degree_si(f->n, v, x->r.ctx) <= 0 && fmpz_mpoly_degree_si(f->d, v, x->r.ctx) <= 0))
            continue;
        if (at) return false;
        at = g;
    }
    if (!at) return true;
    slong v = var_of(x, at), n = fmpz_mpoly_degree_si(f->n, v, x->r.ctx),
          d = fmpz_mpoly_degree_si(f->d, v, x->r.ctx);
    int sign = leading_sign(f->n, v, x) * leading_sign(f->d, v, x), *side = &x->gen[at].side;
    if (!sign) return false;
    if (n >= d) return true;                /* at π it is not 0, or not defined */
    if ((d - n) % 2 == 0) return sign == 1; /* it is 0 there, and has that sign on both sides */
    if (!*side) *side = sign;
    return *side == sign;
}

/* ---- decomposition ------------------------------------------------------------------------------------- */

/* Is {f >= 0} convex? f linear, or quadratic with a Hessian <= 0. */
static bool is_convex(const fmpz_mpoly_t f, const reading *x) {
    slong n = x->r.nvars, *e = flint_calloc((size_t)n, sizeof *e);
    fmpz_mpoly_t square;
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_init(square, x->r.ctx);
    bool ok = true;
    for (slong i = 0; i < fmpz_mpoly_length(f, x->r.ctx) && ok; i++) {
        slong degree = 0;
        fmpz_mpoly_get_term_exp_si(e, f, i, x->r.ctx);
        for (slong v = 0; v < n; v++) degree += e[v];
        ok = degree <= 2;
        if (degree != 2) continue;
        fmpz_mpoly_get_term_coeff_fmpz(c, f, i, x->r.ctx);
        fmpz_neg(c, c);
        fmpz_mpoly_push_term_fmpz_ui(square, c, (ulong *)e, x->r.ctx);
    }
    ver_sign s[READ_GENS + 1] = {VER_SIGN_OPEN}; /* as a form in all of space */
    ok = ok && (fmpz_mpoly_is_zero(square, x->r.ctx) || ver_poly_sign(square, s, x->r.ctx) != VER_SIGN_OPEN);
    fmpz_mpoly_clear(square, x->r.ctx);
    fmpz_clear(c);
    flint_free(e);
    return ok;
}

typedef struct {
    bool used[READ_GENS + 1]; /* by variable */
    slong at[READ_GENS + 1], n;
} choice;

static bool uses_any(const choice *c, const fmpz_mpoly_t f, const reading *x) {
    for (slong v = 0; v < x->r.nvars; v++)
        if (c->used[v] && fmpz_mpoly_degree_si(f, v, x->r.ctx) > 0) return true;
    return false;
}

/* The variables of f are used; says whether one was not before. */
static bool use(choice *c, const fmpz_mpoly_t f, const reading *x) {
    bool new = false;
    for (slong v = 0; v < x->r.nvars; v++)
        if (fmpz_mpoly_degree_si(f, v, x->r.ctx) > 0 && !c->used[v]) c->used[v] = new = true;
    return new;
}

static bool has_kind(const fmpz_mpoly_t f, const reading *x, read_kind kind) {
    for (slong g = 1; g < x->ngens; g++)
        if (x->gen[g].kind == kind && fmpz_mpoly_degree_si(f, var_of(x, g), x->r.ctx) > 0) return true;
    return false;
}

/* A fact whose closed set is not known to be the closure of its inside is left out, unless it is strict; so is one of an angle
 * or a root that is not. */
static bool usable(const reading *x, int i) {
    const fmpz_mpoly_struct *f = &x->fact[i];
    return x->strict[i] || (!has_kind(f, x, READ_TAN) && !has_kind(f, x, READ_ROOT) && is_convex(f, x));
}

/* The variables of f, of what stands under their roots, and of the facts that share one of them. */
static void choose(choice *c, const reading *x, const fmpz_mpoly_t f) {
    *c = (choice){.n = 0};
    for (bool new = use(c, f, x); new;) {
        new = false;
        for (int i = 0; i < x->nroots; i++)
            if (c->used[var_of(x, x->root[i].gen)] && use(c, &x->root[i].of, x)) new = true;
        for (int i = 0; i < x->nfacts; i++)
            if (usable(x, i) && uses_any(c, &x->fact[i], x) && use(c, &x->fact[i], x)) new = true;
    }
    for (slong v = 0; v < x->r.nvars; v++)
        if (c->used[v]) c->at[v] = c->n++;
}

/* f in the fewer variables of the decomposition. */
static void carry(fmpz_mpoly_t out, const fmpz_mpoly_ctx_t to, const fmpz_mpoly_t f, const choice *c,
                  const reading *x) {
    slong *e = flint_calloc((size_t)x->r.nvars, sizeof *e);
    ulong *t = flint_calloc((size_t)c->n + 1, sizeof *t);
    fmpz_t k;
    fmpz_init(k);
    fmpz_mpoly_zero(out, to);
    for (slong i = 0; i < fmpz_mpoly_length(f, x->r.ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(k, f, i, x->r.ctx);
        fmpz_mpoly_get_term_exp_si(e, f, i, x->r.ctx);
        for (slong v = 0; v < x->r.nvars; v++)
            if (c->used[v]) t[c->at[v]] = (ulong)e[v];
        fmpz_mpoly_push_term_fmpz_ui(out, k, t, to);
    }
    fmpz_mpoly_sort_terms(out, to);
    fmpz_clear(k);
    flint_free(e);
    flint_free(t);
}

static bool pose(cell_problem *p, const reading *x, const fmpz_mpoly_t f, const choice *c) {
    bool ok = true;
    carry(&p->goal, p->ctx, f, c, x);
    for (int i = 0; i < x->nroots && ok; i++) {
        slong v = var_of(x, x->root[i].gen);
        if (!c->used[v]) continue;
        fmpz_mpoly_struct *of = ver_cells_root(p, c->at[v], x->root[i].degree);
        if ((ok = of != NULL)) carry(of, p->ctx, &x->root[i].of, c, x);
    }
    for (int i = 0; i < x->nfacts && ok; i++) {
        if (!usable(x, i) || !uses_any(c, &x->fact[i], x)) continue;
        fmpz_mpoly_struct *to = ver_cells_fact(p);
        if ((ok = to != NULL)) carry(to, p->ctx, &x->fact[i], c, x);
    }
    for (slong g = 1; g < x->ngens && ok; g++) {
        slong v = var_of(x, g);
        if (!c->used[v] || x->gen[g].sign == VER_SIGN_OPEN || x->gen[g].kind == READ_ROOT) continue;
        fmpz_mpoly_struct *to = ver_cells_fact(p);
        if ((ok = to != NULL)) fmpz_mpoly_gen(to, c->at[v], p->ctx);
    }
    return ok;
}

static slong dimensions(const choice *c, const reading *x) {
    slong n = c->n;
    for (int i = 0; i < x->nroots; i++) n -= c->used[var_of(x, x->root[i].gen)];
    return n;
}

static ph_status by_cells(ver_sign *out, reading *x, const fmpz_mpoly_t f) {
    choice c;
    cells_answer a = CELLS_UNDECIDED;
    cell_problem p;
    choose(&c, x, f);
    if (c.n == 0 || *x->work < 0 || dimensions(&c, x) > MAX_CELL_VARS) return PH_OK;
    ver_cells_init(&p, c.n);
    p.work = x->work;
    ph_status st = pose(&p, x, f, &c) ? ver_cells_decide(&a, &p, x->b->err) : PH_OK;
    if (a == CELLS_HOLD) *out = VER_SIGN_NONNEGATIVE;
    ver_cells_clear(&p);
    return st;
}

/* ---- strictness ---------------------------------------------------------------------------------------- */

/* Is one fact certainly false at a root r of the irreducible g? */
static bool excluded(const reading *x, slong v, const arb_t r, const fmpz_poly_t g) {
    bool out = false;
    fmpz_poly_t f, h;
    arb_t y;
    fmpz_poly_init(f);
    fmpz_poly_init(h);
    arb_init(y);
    for (int i = -1; i < x->nfacts && !out; i++) {
        bool strict = i < 0 ? x->gen[x->r.nvars - 1 - v].sign == VER_SIGN_POSITIVE : x->strict[i];
        if (i < 0 && x->gen[x->r.nvars - 1 - v].sign == VER_SIGN_OPEN) continue;
        if (i < 0) fmpz_poly_set_coeff_si(f, 1, 1);
        else if (!fmpz_mpoly_is_fmpz_poly(&x->fact[i], v, x->r.ctx) ||
                 !fmpz_mpoly_get_fmpz_poly(f, &x->fact[i], v, x->r.ctx))
            continue;
        fmpz_poly_gcd(h, f, g);
        arb_fmpz_poly_evaluate_arb(y, f, r, 128);
        out = fmpz_poly_degree(h) > 0 ? strict : arb_is_negative(y);
        fmpz_poly_zero(f);
    }
    fmpz_poly_clear(f);
    fmpz_poly_clear(h);
    arb_clear(y);
    return out;
}

/* A polynomial in one variable, >= 0 by now: > 0 when each of its real roots is excluded by a fact. */
static bool has_no_zero(const reading *x, const fmpz_mpoly_t p) {
    choice c = {.n = 0};
    bool ok = use(&c, p, x);
    slong v = -1;
    for (slong i = 0; i < x->r.nvars; i++)
        if (c.used[i]) v = v == -1 ? i : -2;
    if (!ok || v < 0 || has_kind(p, x, READ_TAN) || has_kind(p, x, READ_ROOT)) return false;
    fmpz_poly_t f;
    fmpz_poly_factor_t fac;
    fmpz_poly_init(f);
    fmpz_poly_factor_init(fac);
    fmpz_mpoly_get_fmpz_poly(f, p, v, x->r.ctx);
    double degree = (double)fmpz_poly_degree(f);
    if (degree > 60 || !ver_meter_spend(degree * degree * (1 + fabs((double)fmpz_poly_max_bits(f)) / 64)))
        ok = false;
    else fmpz_poly_factor(fac, f);
    for (slong i = 0; i < fac->num && ok; i++) {
        slong n = 0;
        arb_ptr r = ver_real_roots(&n, fac->p + i);
        for (slong k = 0; k < n && ok; k++) ok = excluded(x, v, r + k, fac->p + i);
        _arb_vec_clear(r, fmpz_poly_degree(fac->p + i));
    }
    fmpz_poly_clear(f);
    fmpz_poly_factor_clear(fac);
    return ok;
}

/* n/d − 2^(−k) >= 0 for a k: then n/d > 0. */
static ph_status above_a_constant(ver_sign *out, reading *x, const ring_frac *f) {
    ph_status st = PH_OK;
    fmpz_mpoly_t n, p;
    fmpz_mpoly_init(n, x->r.ctx);
    fmpz_mpoly_init(p, x->r.ctx);
    ver_sign s[READ_GENS + 1], got = VER_SIGN_OPEN;
    signs(s, x);
    for (ulong k = 4; k <= 24 && got == VER_SIGN_OPEN && !st; k += 20) {
        fmpz_mpoly_scalar_mul_si(n, f->n, (slong)1 << k, x->r.ctx);
        fmpz_mpoly_sub(n, n, f->d, x->r.ctx);
        fmpz_mpoly_mul(p, n, f->d, x->r.ctx);
        got = ver_poly_sign(p, s, x->r.ctx);
        if (got == VER_SIGN_OPEN) st = by_cells(&got, x, p);
    }
    if (got != VER_SIGN_OPEN) *out = VER_SIGN_POSITIVE;
    fmpz_mpoly_clear(n, x->r.ctx);
    fmpz_mpoly_clear(p, x->r.ctx);
    return st;
}

ph_status ver_reading_sign(ver_sign *out, const char **method, reading *x, const ring_frac *f, bool strict) {
    ver_sign s[READ_GENS + 1];
    fmpz_mpoly_t p;
    ph_status st = PH_OK;
    fmpz_mpoly_init(p, x->r.ctx);
    fmpz_mpoly_mul(p, f->n, f->d, x->r.ctx);
    signs(s, x);
    *out = ver_poly_sign(p, s, x->r.ctx);
    if (*out == VER_SIGN_POSITIVE && x->angles)
        *out = VER_SIGN_NONNEGATIVE; /* at an angle of π nothing was looked at */
    *method = "factors over Q, each a square, without a real root, or a sum of squares (L D L^T with D >= 0)";
    if (*out == VER_SIGN_OPEN) {
        st = by_cells(out, x, p);
        *method = "a rational point in every cell between the zeros of the polynomials";
    }
    if (*out == VER_SIGN_NONNEGATIVE && strict && !st && has_no_zero(x, p)) *out = VER_SIGN_POSITIVE;
    if (*out == VER_SIGN_NONNEGATIVE && strict && !st) st = above_a_constant(out, x, f);
    fmpz_mpoly_clear(p, x->r.ctx);
    return st;
}
