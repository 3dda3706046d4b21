/* reading_powers.c: b^v and e^(iv) as products of variables, one for each monomial of v. */
#include <string.h>

#include "verify/reading_internal.h"
#include "verify/wide.h"

#define MAX_UNIT   60
#define MAX_DEGREE 64 /* of an integer power that is multiplied out */
#define MAX_ANGLE  16

/* ---- powers -------------------------------------------------------------------------------------------- */

/* out *= base^(c·m): base e (node NULL, prime 0), a prime, or a formula. */
static ph_status times_power(ring_frac *out, reading *x, expr_node *base, int64_t prime, const fmpq_t c,
                             const slong *m, ver_sign sign) {
    read_gen want = {.kind = READ_POWER, .node = base, .prime = prime, .sign = sign};
    uint64_t key =
        ver_read_mix(ver_read_mix(READ_POWER, base ? base->hash : (uint64_t)prime), ver_read_meaning(x, m));
    memcpy(want.exponent, m, sizeof want.exponent);
    if (!fmpz_fits_si(fmpq_numref(c)) || !fmpz_fits_si(fmpq_denref(c)))
        return ver_read_outside(x, "a huge exponent");
    slong num = fmpz_get_si(fmpq_numref(c)), den = fmpz_get_si(fmpq_denref(c)), id = 0;
    ph_status st = ver_read_widen(x, key, den);
    if (st) return st;
    want.unit = *ver_read_unit(x, key);
    for (slong g = 1; g < x->ngens && !id; g++)
        if (x->gen[g].kind == READ_POWER && x->gen[g].prime == prime &&
            (base ? x->gen[g].node && expr_same(base, x->gen[g].node) : !x->gen[g].node) &&
            !memcmp(x->gen[g].exponent, m, sizeof want.exponent))
            id = g;
    bool constant = true;
    for (slong g = 1; g <= READ_GENS; g++) constant = constant && !m[g];
    if (!id) {
        if ((st = ver_read_new(x, &id, &want))) return st;
        if (constant && !base && !prime) {
            expr_node *one = expr_b_rat(x->b, 1, 1), *e = expr_b_1(x->b, EXPR_EXP, one);
            st = e ? ver_read_bound(x, id, e, want.unit) : x->b->st;
            if (st) return st;
        }
    }
    if (num > MAX_UNIT * MAX_DEGREE || num < -MAX_UNIT * MAX_DEGREE)
        return ver_read_outside(x, "a large exponent");
    ring_frac f;
    ver_ring_frac_init(&f, &x->r);
    ver_ring_gen(&f, id, &x->r);
    st = ver_ring_pow(&f, &f, num * (want.unit / den), &x->r);
    if (!st) st = ver_ring_mul(out, out, &f, &x->r);
    ver_ring_frac_clear(&f, &x->r);
    return st;
}

static bool all_zero(const slong *m) {
    for (slong g = 0; g <= READ_GENS; g++)
        if (m[g]) return false;
    return true;
}

/* out *= f^c, c rational. */
static ph_status times_rational_power(ring_frac *out, reading *x, const ring_frac *f, const fmpq_t c) {
    ring_frac t;
    if (!fmpz_fits_si(fmpq_numref(c)) || !fmpz_fits_si(fmpq_denref(c)) ||
        fmpz_cmpabs(fmpq_numref(c), (fmpz[]){MAX_DEGREE}) > 0)
        return ver_read_outside(x, "a large exponent");
    ver_ring_frac_init(&t, &x->r);
    ver_ring_set(&t, f, &x->r);
    ph_status st;
    PH_TRY(ver_read_root(&t, fmpz_get_si(fmpq_denref(c)), x));
    PH_TRY(ver_ring_pow(&t, &t, fmpz_get_si(fmpq_numref(c)), &x->r));
    st = ver_ring_mul(out, out, &t, &x->r);
done:
    ver_ring_frac_clear(&t, &x->r);
    return st;
}

/* out *= n^(c·m) by primes. */
static ph_status times_integer_power(ring_frac *out, reading *x, const fmpz_t n, const fmpq_t c,
                                     const slong *m) {
    fmpz_factor_t fac;
    fmpq_t k;
    ph_status st = PH_OK;
    if (!ver_fmpz_fits(n)) return ver_read_outside(x, "a large base");
    fmpz_factor_init(fac);
    fmpq_init(k);
    fmpz_factor(fac, n);
    for (slong i = 0; i < fac->num && !st; i++) {
        fmpq_mul_si(k, c, (slong)fac->exp[i]);
        st = times_power(out, x, NULL, ver_fmpz_get(fac->p + i), k, m, VER_SIGN_POSITIVE);
    }
    fmpz_factor_clear(fac);
    fmpq_clear(k);
    return st;
}

/* Is c·m a natural symbol n by itself? Then base^n is real whatever the base. */
static bool is_natural(const reading *x, const fmpq_t c, const slong *m) {
    slong degree = 0, at = 0;
    for (slong g = 1; g < x->ngens; g++)
        if (m[g]) degree += m[g], at = g;
    const expr_node *s = degree == 1 ? x->gen[at].node : NULL;
    return s && fmpq_is_one(c) && x->gen[at].kind == READ_SYMBOL && x->gen[at].unit == 1 &&
           s->op == EXPR_SYM && s->kind == EXPR_NATURAL;
}

/* A single term with positive coefficient in positive symbols and powers. */
static bool is_positive_term(const fmpz_mpoly_t f, const reading *x) {
    bool ok = fmpz_mpoly_length(f, x->r.ctx) == 1 && ver_read_visible(f, x) == VER_SIGN_POSITIVE;
    for (slong g = 1; g < x->ngens && ok; g++)
        if (fmpz_mpoly_degree_si(f, ver_read_var(x, g), x->r.ctx) > 0)
            ok = x->gen[g].sign == VER_SIGN_POSITIVE &&
                 (x->gen[g].kind == READ_SYMBOL || x->gen[g].kind == READ_POWER);
    return ok;
}

static ph_status times_base_power(ring_frac *out, reading *x, expr_node *base, const ring_frac *f,
                                  const fmpq_t c, const slong *m);

/* out *= term^(c·m) for a term of positive variables: symbols, powers. */
static ph_status times_term_power(ring_frac *out, reading *x, const fmpz_mpoly_t term, const fmpq_t c,
                                  const slong *m) {
    ph_status st = PH_OK;
    fmpz_t k;
    fmpq_t w;
    slong e[READ_GENS + 1];
    fmpz_init(k);
    fmpq_init(w);
    fmpz_mpoly_get_term_coeff_fmpz(k, term, 0, x->r.ctx);
    fmpz_mpoly_get_term_exp_si(e, term, 0, x->r.ctx);
    PH_TRY(times_integer_power(out, x, k, c, m));
    for (slong g = 1; g < x->ngens; g++) {
        slong power = e[ver_read_var(x, g)];
        const read_gen *v = &x->gen[g];
        if (!power) continue;
        fmpq_mul_si(w, c, power);
        fmpq_div_fmpz(w, w, (fmpz[]){v->unit});
        if (v->kind == READ_SYMBOL) st = times_power(out, x, v->node, 0, w, m, VER_SIGN_POSITIVE);
        else { /* (b^a)^m = b^(a·m) */ slong both[READ_GENS + 1];
            for (slong i = 0; i <= READ_GENS; i++) both[i] = v->exponent[i] + m[i];
            st = times_power(out, x, v->node, v->prime, w, both, VER_SIGN_POSITIVE);
        }
        if (st) break;
    }
done:
    fmpz_clear(k);
    fmpq_clear(w);
    return st;
}

/* out *= base^(c·m); f is the base, read. */
static ph_status times_base_power(ring_frac *out, reading *x, expr_node *base, const ring_frac *f,
                                  const fmpq_t c, const slong *m) {
    if (!ver_read_is_real(f, x)) return ver_read_outside(x, "a power of what is not real");
    bool whole = fmpz_is_one(fmpq_denref(c));
    if (all_zero(m) && whole) return times_rational_power(out, x, f, c);
    if (all_zero(m)) {
        if (ver_read_sign_of(x, base) == VER_SIGN_OPEN || fmpq_sgn(c) < 0)
            if (ver_read_sign_of(x, base) != VER_SIGN_POSITIVE)
                return ver_read_outside(x, "a root of what may be negative");
        return times_rational_power(out, x, f, c);
    }
    if (is_positive_term(f->n, x) && is_positive_term(f->d, x)) {
        fmpq_t minus;
        fmpq_init(minus);
        fmpq_neg(minus, c);
        ph_status st = times_term_power(out, x, f->n, c, m);
        if (!st) st = times_term_power(out, x, f->d, minus, m);
        fmpq_clear(minus);
        return st;
    }
    ver_sign sign = ver_read_sign_of(x, base);
    if (sign != VER_SIGN_POSITIVE && !is_natural(x, c, m))
        return ver_read_outside(x, "a power of what may be negative");
    return times_power(out, x, base, 0, c, m, sign);
}

/* The one logarithm in a monomial of degree 1 in it; m is then the rest. NULL: none. */
static expr_node *take_log(const reading *x, slong *m) {
    for (slong g = 1; g < x->ngens; g++)
        if (m[g] == 1 && x->gen[g].kind >= READ_CONSTANT && x->gen[g].node->op == EXPR_LOG) {
            m[g] = 0;
            return x->gen[g].node->arg[0];
        }
    return NULL;
}

/* Has v, not a constant, a negative constant term? */
static bool lowers(const ring_frac *v, const reading *x) {
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_coeff_fmpz_ui(c, v->n, (ulong[READ_GENS + 1]){0}, x->r.ctx);
    bool yes = !fmpz_mpoly_is_fmpz(v->n, x->r.ctx) && fmpz_sgn(c) < 0;
    fmpz_clear(c);
    return yes;
}

/* base^v, term by term of v; base NULL: e. */
ph_status ver_read_power(ring_frac *out, reading *x, expr_node *base, ring_frac *v) {
    ph_status st = PH_OK;
    ring_frac f, g;
    fmpq_t c;
    slong e[READ_GENS + 1], m[READ_GENS + 1];
    if (!ver_read_is_real(v, x) || !fmpz_mpoly_is_fmpz(v->d, x->r.ctx))
        return ver_read_outside(x, "an exponent that is no real polynomial");
    ver_ring_frac_init(&f, &x->r);
    ver_ring_frac_init(&g, &x->r);
    fmpq_init(c);
    if (base) PH_TRY(ver_read(&f, x, base));
    if (base && lowers(v, x) && ver_read_sign_of(x, base) != VER_SIGN_POSITIVE) {
        st = ver_read_outside(x, "a power of what may be 0"); /* b^(n−1) is not b^n / b at b = 0 */
        goto done;
    }
    fmpz_mpoly_one(out->n, x->r.ctx);
    fmpz_mpoly_one(out->d, x->r.ctx);
    for (slong i = 0; i < fmpz_mpoly_length(v->n, x->r.ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), v->n, i, x->r.ctx);
        fmpz_mpoly_get_coeff_fmpz_ui(fmpq_denref(c), v->d, (ulong[READ_GENS + 1]){0}, x->r.ctx);
        fmpq_canonicalise(c);
        fmpz_mpoly_get_term_exp_si(e, v->n, i, x->r.ctx);
        for (slong k = 0; k <= READ_GENS; k++) m[k] = e[ver_read_var(x, k)];
        expr_node *of = base ? NULL : take_log(x, m);
        if (of) PH_TRY(ver_read(&g, x, of));
        if (of) PH_TRY(times_base_power(out, x, of, &g, c, m));
        else if (base) PH_TRY(times_base_power(out, x, base, &f, c, m));
        else PH_TRY(times_power(out, x, NULL, 0, c, m, VER_SIGN_POSITIVE));
    }
done:
    ver_ring_frac_clear(&f, &x->r);
    ver_ring_frac_clear(&g, &x->r);
    fmpq_clear(c);
    return st;
}

/* ---- angles -------------------------------------------------------------------------------------------- */

/* out *= e^(i·c·m) = ((1 + i·t)²/(1 + t²))^k with t = tan(m/(2·unit)), k = c·unit. */
static ph_status times_turn(ring_frac *out, reading *x, const fmpq_t c, const slong *m) {
    read_gen want = {.kind = READ_TAN};
    uint64_t key = ver_read_mix(READ_TAN, ver_read_meaning(x, m));
    memcpy(want.exponent, m, sizeof want.exponent);
    if (!fmpz_fits_si(fmpq_denref(c))) return ver_read_outside(x, "a huge angle");
    if (fmpz_cmpabs(fmpq_numref(c), (fmpz[]){MAX_ANGLE}) > 0)
        return ver_read_outside(x, "a large multiple of an angle");
    ph_status st = ver_read_widen(x, key, fmpz_get_si(fmpq_denref(c)));
    if (st) return st;
    want.unit = *ver_read_unit(x, key);
    slong id = 0, k = fmpz_get_si(fmpq_numref(c)) * (want.unit / fmpz_get_si(fmpq_denref(c)));
    if (k > MAX_ANGLE || k < -MAX_ANGLE) return ver_read_outside(x, "a large multiple of an angle");
    for (slong g = 1; g < x->ngens && !id; g++)
        if (x->gen[g].kind == READ_TAN && !memcmp(x->gen[g].exponent, m, sizeof want.exponent)) id = g;
    if (!id && (st = ver_read_new(x, &id, &want))) return st;
    x->angles = true;
    ring_frac t, u;
    ver_ring_frac_init(&t, &x->r);
    ver_ring_frac_init(&u, &x->r);
    ver_read_gen(t.n, x, id);
    ver_read_gen(u.n, x, 0);
    fmpz_mpoly_mul(u.n, u.n, t.n, x->r.ctx);
    if (k < 0) fmpz_mpoly_neg(u.n, u.n, x->r.ctx);
    fmpz_mpoly_add_si(u.n, u.n, 1, x->r.ctx);
    fmpz_mpoly_mul(t.n, t.n, t.n, x->r.ctx);
    fmpz_mpoly_add_si(t.n, t.n, 1, x->r.ctx);
    slong n = k < 0 ? -k : k;
    PH_TRY(ver_ring_pow(&u, &u, 2 * n, &x->r));
    PH_TRY(ver_ring_pow(&t, &t, n, &x->r));
    PH_TRY(ver_ring_mul(out, out, &u, &x->r));
    st = ver_ring_div(out, out, &t, &x->r);
done:
    ver_ring_frac_clear(&t, &x->r);
    ver_ring_frac_clear(&u, &x->r);
    return st;
}

/* e^(i·v) for a real polynomial v without constant term. */
ph_status ver_read_turn(ring_frac *out, reading *x, const ring_frac *v) {
    ph_status st = PH_OK;
    fmpq_t c;
    slong e[READ_GENS + 1], m[READ_GENS + 1];
    if (!ver_read_is_real(v, x) || !fmpz_mpoly_is_fmpz(v->d, x->r.ctx))
        return ver_read_outside(x, "an angle that is no real polynomial");
    fmpq_init(c);
    fmpz_mpoly_one(out->n, x->r.ctx);
    fmpz_mpoly_one(out->d, x->r.ctx);
    for (slong i = 0; i < fmpz_mpoly_length(v->n, x->r.ctx) && !st; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), v->n, i, x->r.ctx);
        fmpz_mpoly_get_coeff_fmpz_ui(fmpq_denref(c), v->d, (ulong[READ_GENS + 1]){0}, x->r.ctx);
        fmpq_canonicalise(c);
        fmpz_mpoly_get_term_exp_si(e, v->n, i, x->r.ctx);
        for (slong k = 0; k <= READ_GENS; k++) m[k] = e[ver_read_var(x, k)];
        st = times_turn(out, x, c, m);
    }
    fmpq_clear(c);
    return st;
}
