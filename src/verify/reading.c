/* reading.c: see reading.h. */
#include "verify/reading_internal.h"
#include "verify/wide.h"

#include <string.h>

#define MAX_DEGREE 64 /* of an integer power that is multiplied out */

ph_status ver_reading_init(reading *x, expr_builder *b, read_ask *ask, void *ctx, double *work) {
    *x = (reading){.b = b, .ask = ask, .ctx = ctx, .work = work, .ngens = 1};
    return ver_ring_init(&x->r, READ_GENS + 1, b->err);
}

static void forget(reading *x) {
    for (int i = 0; i < x->nfacts; i++) fmpz_mpoly_clear(&x->fact[i], x->r.ctx);
    for (int i = 0; i < x->nroots; i++) fmpz_mpoly_clear(&x->root[i].of, x->r.ctx);
    x->nfacts = x->nroots = 0;
    ver_ring_clear(&x->r);
}

void ver_reading_clear(reading *x) { forget(x); }

ph_status ver_reading_again(reading *x) {
    forget(x);
    memset(x->gen, 0, sizeof x->gen);
    x->ngens = 1;
    x->again = x->angles = false;
    return ver_ring_init(&x->r, READ_GENS + 1, x->b->err);
}

void ver_reading_fact(reading *x, const fmpz_mpoly_t f, bool strict) {
    bool constant = fmpz_mpoly_is_fmpz(f, x->r.ctx), zero = fmpz_mpoly_is_zero(f, x->r.ctx);
    /* A number of which it is not so contradicts the others. */
    bool holds = constant && (zero ? !strict : fmpz_sgn(f->coeffs) > 0);
    if (x->nfacts == READ_FACTS || holds) return;
    fmpz_mpoly_init(&x->fact[x->nfacts], x->r.ctx);
    fmpz_mpoly_set(&x->fact[x->nfacts], f, x->r.ctx);
    x->strict[x->nfacts++] = strict;
}

/* ---- real and imaginary parts -------------------------------------------------------------------------- */

/* p = re + I·im */
static void split(fmpz_mpoly_t re, fmpz_mpoly_t im, const fmpz_mpoly_t p, const reading *x) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t c;
    fmpz_mpoly_univar_init(u, x->r.ctx);
    fmpz_mpoly_init(c, x->r.ctx);
    fmpz_mpoly_zero(re, x->r.ctx);
    fmpz_mpoly_zero(im, x->r.ctx);
    fmpz_mpoly_to_univar(u, p, ver_read_var(x, 0), x->r.ctx);
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, x->r.ctx); i++) {
        slong k = fmpz_mpoly_univar_get_term_exp_si(u, i, x->r.ctx);
        fmpz_mpoly_univar_get_term_coeff(c, u, i, x->r.ctx);
        fmpz_mpoly_set(k ? im : re, c, x->r.ctx);
    }
    fmpz_mpoly_clear(c, x->r.ctx);
    fmpz_mpoly_univar_clear(u, x->r.ctx);
}

bool ver_read_is_real(const ring_frac *f, const reading *x) {
    return fmpz_mpoly_degree_si(f->n, ver_read_var(x, 0), x->r.ctx) <= 0 &&
           fmpz_mpoly_degree_si(f->d, ver_read_var(x, 0), x->r.ctx) <= 0;
}

static ph_status conjugate(ring_frac *out, const ring_frac *f, reading *x) {
    fmpz_mpoly_t re, im, i;
    fmpz_mpoly_init(re, x->r.ctx);
    fmpz_mpoly_init(im, x->r.ctx);
    fmpz_mpoly_init(i, x->r.ctx);
    ver_read_gen(i, x, 0);
    for (int part = 0; part < 2; part++) {
        split(re, im, part ? f->d : f->n, x);
        fmpz_mpoly_mul(im, im, i, x->r.ctx);
        fmpz_mpoly_sub(part ? out->d : out->n, re, im, x->r.ctx);
    }
    fmpz_mpoly_clear(re, x->r.ctx);
    fmpz_mpoly_clear(im, x->r.ctx);
    fmpz_mpoly_clear(i, x->r.ctx);
    return PH_OK;
}

/* f with a real denominator: n·d̄ / (d·d̄). */
static ph_status rationalise(ring_frac *f, reading *x) {
    ring_frac c, dbar;
    ph_status st = PH_OK;
    if (fmpz_mpoly_degree_si(f->d, ver_read_var(x, 0), x->r.ctx) <= 0) return st;
    ver_ring_frac_init(&c, &x->r);
    ver_ring_frac_init(&dbar, &x->r);
    PH_TRY(conjugate(&c, f, x));
    fmpz_mpoly_set(dbar.n, c.d, x->r.ctx);
    fmpz_mpoly_set(c.n, f->d, x->r.ctx);
    fmpz_mpoly_one(c.d, x->r.ctx);
    PH_TRY(ver_ring_mul(&c, &c, &dbar, &x->r)); /* d·d̄ */
    fmpz_mpoly_swap(c.d, f->d, x->r.ctx);
    fmpz_mpoly_one(f->d, x->r.ctx);
    PH_TRY(ver_ring_mul(f, f, &dbar, &x->r));
    fmpz_mpoly_set(f->d, c.n, x->r.ctx);
done:
    ver_ring_frac_clear(&c, &x->r);
    ver_ring_frac_clear(&dbar, &x->r);
    return st;
}

/* re (part 0), im (part 1) of f in place. */
static ph_status part(ring_frac *f, int which, reading *x) {
    fmpz_mpoly_t re, im;
    ph_status st = rationalise(f, x);
    if (st) return st;
    fmpz_mpoly_init(re, x->r.ctx);
    fmpz_mpoly_init(im, x->r.ctx);
    split(re, im, f->n, x);
    fmpz_mpoly_set(f->n, which ? im : re, x->r.ctx);
    fmpz_mpoly_clear(re, x->r.ctx);
    fmpz_mpoly_clear(im, x->r.ctx);
    return PH_OK;
}

/* ---- roots --------------------------------------------------------------------------------------------- */

static void signs(ver_sign *s, const reading *x) {
    for (slong v = 0; v < x->r.nvars; v++) s[v] = VER_SIGN_OPEN;
    for (slong g = 1; g < x->ngens; g++) s[ver_read_var(x, g)] = x->gen[g].sign;
}

ver_sign ver_read_visible(const fmpz_mpoly_t f, const reading *x) {
    ver_sign s[READ_GENS + 1];
    signs(s, x);
    return ver_poly_visible(f, s, x->r.ctx);
}

/* A variable s with s^q = f. */
static ph_status new_root(slong *id, reading *x, const fmpz_mpoly_t f, slong q) {
    for (int i = 0; i < x->nroots; i++)
        if (x->root[i].degree == q && fmpz_mpoly_equal(&x->root[i].of, f, x->r.ctx))
            return *id = x->root[i].gen, PH_OK;
    if (x->nroots == CELL_ROOTS) return ph_fail(x->b->err, PH_EBUDGET, "many roots");
    ver_sign sign = ver_read_visible(f, x) == VER_SIGN_POSITIVE ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    ph_status st = ver_read_new(x, id, &(read_gen){.kind = READ_ROOT, .unit = 1, .sign = sign});
    if (st) return st;
    ring_frac v;
    ver_ring_frac_init(&v, &x->r);
    fmpz_mpoly_set(v.n, f, x->r.ctx);
    st = ver_ring_relate(&x->r, *id, q, &v);
    ver_ring_frac_clear(&v, &x->r);
    read_root *r = &x->root[x->nroots++];
    *r = (read_root){.gen = *id, .degree = q};
    fmpz_mpoly_init(&r->of, x->r.ctx);
    fmpz_mpoly_set(&r->of, f, x->r.ctx);
    return st;
}

/* Takes c^q out of an integer content c·…, and v^q of variables v >= 0: f = out^q · f. Symbols under a root get finer units. */
static ph_status take_out(fmpz_mpoly_t out, fmpz_mpoly_t f, slong q, reading *x) {
    ph_status st = PH_OK;
    fmpz_t c, k;
    fmpz_mpoly_t m;
    fmpz_init(c);
    fmpz_init(k);
    fmpz_mpoly_init(m, x->r.ctx);
    fmpz_mpoly_one(out, x->r.ctx);
    _fmpz_vec_content(c, f->coeffs, f->length);
    if (fmpz_root(k, c, q)) { /* exact */
        fmpz_mpoly_scalar_mul_fmpz(out, out, k, x->r.ctx);
        fmpz_mpoly_scalar_divexact_fmpz(f, f, c, x->r.ctx);
    }
    fmpz_mpoly_term_content(m, f, x->r.ctx);
    for (slong g = 1; g < x->ngens && !st && !fmpz_mpoly_is_zero(f, x->r.ctx); g++) {
        slong e = fmpz_mpoly_degree_si(m, ver_read_var(x, g), x->r.ctx);
        if (e == 0 || x->gen[g].sign == VER_SIGN_OPEN) continue;
        if (e % q && x->gen[g].kind == READ_SYMBOL)
            st = ver_read_widen(x, ver_read_mix(READ_SYMBOL, x->gen[g].node->hash),
                                x->gen[g].unit * (q / (slong)n_gcd((ulong)q, (ulong)e)));
        if (st || e < q) continue;
        fmpz_mpoly_t v, w;
        fmpz_mpoly_init(v, x->r.ctx);
        fmpz_mpoly_init(w, x->r.ctx);
        ver_read_gen(v, x, g);
        fmpz_mpoly_pow_ui(w, v, (ulong)(e / q), x->r.ctx);
        fmpz_mpoly_mul(out, out, w, x->r.ctx);
        fmpz_mpoly_pow_ui(w, v, (ulong)(e / q * q), x->r.ctx);
        fmpz_mpoly_divides(f, f, w, x->r.ctx);
        fmpz_mpoly_clear(v, x->r.ctx);
        fmpz_mpoly_clear(w, x->r.ctx);
    }
    fmpz_clear(c);
    fmpz_clear(k);
    fmpz_mpoly_clear(m, x->r.ctx);
    return st;
}

/* f^(1/q) >= 0 of a real f = n/d >= 0, d > 0: (n·d^(q−1))^(1/q) / d. */
ph_status ver_read_root(ring_frac *f, slong q, reading *x) {
    ph_status st = PH_OK;
    slong id = 0;
    fmpz_mpoly_t n, t;
    if (q == 1) return PH_OK;
    if (!ver_read_is_real(f, x) || q > 12)
        return ver_read_outside(x, "a root of what is not real, or a high one");
    fmpz_mpoly_init(n, x->r.ctx);
    fmpz_mpoly_init(t, x->r.ctx);
    if (ver_read_visible(f->d, x) != VER_SIGN_POSITIVE) {
        fmpz_mpoly_neg(f->d, f->d, x->r.ctx);
        fmpz_mpoly_neg(f->n, f->n, x->r.ctx);
    }
    if (ver_read_visible(f->d, x) != VER_SIGN_POSITIVE) {
        st = ver_read_outside(x, "a root with a denominator whose sign is not visible");
        goto done;
    }
    fmpz_mpoly_pow_ui(t, f->d, (ulong)q - 1, x->r.ctx);
    fmpz_mpoly_mul(n, f->n, t, x->r.ctx);
    PH_TRY(take_out(t, n, q, x));
    fmpz_mpoly_swap(f->n, t, x->r.ctx);
    if (!fmpz_mpoly_is_one(n, x->r.ctx)) {
        if (fmpz_mpoly_is_zero(n, x->r.ctx)) {
            fmpz_mpoly_zero(f->n, x->r.ctx);
            goto done;
        }
        PH_TRY(new_root(&id, x, n, q));
        ver_read_gen(t, x, id);
        fmpz_mpoly_mul(f->n, f->n, t, x->r.ctx);
    }
    st = ver_ring_cancel(f, &x->r);
done:
    fmpz_mpoly_clear(n, x->r.ctx);
    fmpz_mpoly_clear(t, x->r.ctx);
    return st;
}

/* ---- formulas ------------------------------------------------------------------------------------------ */

static ph_status two(ring_frac *a, ring_frac *b, reading *x, const expr_node *e) {
    ph_status st = ver_read(a, x, e->arg[0]);
    return st ? st : ver_read(b, x, e->arg[1]);
}

static ph_status read_trigonometric(ring_frac *out, reading *x, const expr_node *e) {
    ring_frac v, s;
    ver_ring_frac_init(&v, &x->r);
    ver_ring_frac_init(&s, &x->r);
    ph_status st = PH_OK;
    PH_TRY(ver_read(&v, x, e->arg[0]));
    PH_TRY(ver_read_turn(out, x, &v));
    ver_ring_set(&s, out, &x->r);
    PH_TRY(part(out, e->op != EXPR_COS, x));
    if (e->op == EXPR_TAN) {
        PH_TRY(part(&s, 0, x));
        st = ver_ring_div(out, out, &s, &x->r);
    }
done:
    ver_ring_frac_clear(&v, &x->r);
    ver_ring_frac_clear(&s, &x->r);
    return st;
}

/* e^v = e^(re v)·e^(i·im v) */
static ph_status exponential(ring_frac *out, reading *x, ring_frac *v) {
    if (ver_read_is_real(v, x)) return ver_read_power(out, x, NULL, v);
    ring_frac im, w;
    ver_ring_frac_init(&im, &x->r);
    ver_ring_frac_init(&w, &x->r);
    ph_status st = PH_OK;
    ver_ring_set(&im, v, &x->r);
    PH_TRY(part(v, 0, x));
    PH_TRY(part(&im, 1, x));
    PH_TRY(ver_read_power(&w, x, NULL, v));
    PH_TRY(ver_read_turn(out, x, &im));
    st = ver_ring_mul(out, out, &w, &x->r);
done:
    ver_ring_frac_clear(&im, &x->r);
    ver_ring_frac_clear(&w, &x->r);
    return st;
}

/* sinh, cosh, tanh with E = e^v */
static ph_status read_hyperbolic(ring_frac *out, reading *x, expr_node *e) {
    ring_frac E, inverse, d;
    ver_ring_frac_init(&E, &x->r);
    ver_ring_frac_init(&inverse, &x->r);
    ver_ring_frac_init(&d, &x->r);
    ph_status st = PH_OK;
    PH_TRY(ver_read(&d, x, e->arg[0]));
    PH_TRY(ver_read_power(&E, x, NULL, &d));
    PH_TRY(ver_ring_pow(&inverse, &E, -1, &x->r));
    PH_TRY(ver_ring_add(out, &E, &inverse, e->op == EXPR_COSH ? 1 : -1, &x->r));
    if (e->op == EXPR_TANH) PH_TRY(ver_ring_add(&d, &E, &inverse, 1, &x->r));
    else fmpz_mpoly_set_si(d.n, 2, x->r.ctx), fmpz_mpoly_one(d.d, x->r.ctx);
    st = ver_ring_div(out, out, &d, &x->r);
done:
    ver_ring_frac_clear(&E, &x->r);
    ver_ring_frac_clear(&inverse, &x->r);
    ver_ring_frac_clear(&d, &x->r);
    return st;
}

/* |z| = sqrt(re² + im²) */
static ph_status read_abs(ring_frac *out, reading *x, expr_node *e) {
    ring_frac c;
    ver_ring_frac_init(&c, &x->r);
    ph_status st = PH_OK;
    PH_TRY(ver_read(out, x, e->arg[0]));
    PH_TRY(rationalise(out, x));
    PH_TRY(conjugate(&c, out, x));
    PH_TRY(ver_ring_mul(out, out, &c, &x->r));
    st = ver_read_root(out, 2, x);
done:
    ver_ring_frac_clear(&c, &x->r);
    return st;
}

static ph_status read_power(ring_frac *out, reading *x, expr_node *e) {
    expr_node *base = e->arg[0], *v = e->arg[1];
    if (v->op == EXPR_RAT && v->den == 1) {
        ph_status st = ver_read(out, x, base);
        if (v->num > MAX_DEGREE || v->num < -MAX_DEGREE) return ver_read_outside(x, "a high power");
        return st ? st : ver_ring_pow(out, out, v->num, &x->r);
    }
    ring_frac k;
    ver_ring_frac_init(&k, &x->r);
    ph_status st = ver_read(&k, x, v);
    if (!st) st = ver_read_power(out, x, base, &k);
    ver_ring_frac_clear(&k, &x->r);
    return st;
}

static ph_status read_arithmetic(ring_frac *out, reading *x, const expr_node *e) {
    ring_frac b;
    ver_ring_frac_init(&b, &x->r);
    ph_status st = two(out, &b, x, e);
    if (!st && e->op == EXPR_MUL) st = ver_ring_mul(out, out, &b, &x->r);
    else if (!st && e->op == EXPR_DIV) st = ver_ring_div(out, out, &b, &x->r);
    else if (!st) st = ver_ring_add(out, out, &b, e->op == EXPR_ADD ? 1 : -1, &x->r);
    ver_ring_frac_clear(&b, &x->r);
    return st;
}

static bool has_symbols(const expr_node *e) {
    if (e->op == EXPR_SYM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_symbols(e->arg[i])) return true;
    return false;
}

static ph_status read_function(ring_frac *out, reading *x, expr_node *e) {
    ph_status st = PH_OK;
    switch (e->op) {
    case EXPR_EXP: {
        ring_frac v;
        ver_ring_frac_init(&v, &x->r);
        st = ver_read(&v, x, e->arg[0]);
        if (!st) st = exponential(out, x, &v);
        ver_ring_frac_clear(&v, &x->r);
        return st;
    }
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return read_trigonometric(out, x, e);
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: return read_hyperbolic(out, x, e);
    case EXPR_SQRT:
        if ((st = ver_read(out, x, e->arg[0]))) return st;
        if (!ver_read_is_real(out, x) || (ver_read_sign_of(x, e->arg[0]) == VER_SIGN_OPEN))
            return ver_read_outside(x, "a root of what may be negative");
        return ver_read_root(out, 2, x);
    case EXPR_ABS: return read_abs(out, x, e);
    case EXPR_CONJ:
        if ((st = ver_read(out, x, e->arg[0])) || (st = rationalise(out, x))) return st;
        return conjugate(out, out, x);
    case EXPR_RE:
    case EXPR_IM: st = ver_read(out, x, e->arg[0]); return st ? st : part(out, e->op == EXPR_IM, x);
    case EXPR_LOG:
        if (ver_read_sign_of(x, e->arg[0]) != VER_SIGN_POSITIVE)
            return ver_read_outside(x, "log of what may be negative");
        return has_symbols(e) ? ver_read_atom(out, x, e) : ver_read_constant(out, x, e);
    case EXPR_ATAN:
    case EXPR_SI:
    case EXPR_SUM:
        if (!expr_is_real(e)) return ver_read_outside(x, "a part that may not be real");
        return has_symbols(e) ? ver_read_atom(out, x, e) : ver_read_constant(out, x, e);
    default: return ver_read_outside(x, "a function without a rule here");
    }
}

ph_status ver_read(ring_frac *out, reading *x, expr_node *e) {
    fmpq_t q;
    switch (e->op) {
    case EXPR_RAT:
        fmpq_init(q);
        ver_fmpq_set(q, e->num, e->den);
        ver_ring_set_fmpq(out, q, &x->r);
        fmpq_clear(q);
        return PH_OK;
    case EXPR_I: return ver_ring_gen(out, 0, &x->r), PH_OK;
    case EXPR_PI: return ver_read_constant(out, x, e);
    case EXPR_SYM: return ver_read_symbol(out, x, e);
    case EXPR_AT: return ver_read_symbol(out, x, e);
    case EXPR_NEG: {
        ph_status st = ver_read(out, x, e->arg[0]);
        fmpz_mpoly_neg(out->n, out->n, x->r.ctx);
        return st;
    }
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: return read_arithmetic(out, x, e);
    case EXPR_POW: return read_power(out, x, e);
    default: return read_function(out, x, e);
    }
}
