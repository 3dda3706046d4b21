/* ring.c: see ring.h. */
#include <stdlib.h>

#include "verify/meter.h"
#include "verify/ring.h"

static slong var_of(const ring *r, slong gen) {
    return r->nvars - 1 - gen;
} /* variable 0 leads in lex order */

static ph_status budget(const ring *r) {
    return ph_fail(r->err, PH_EBUDGET, "the polynomials grow too large");
}

ph_status ver_ring_init(ring *r, slong nvars, ph_err *err) {
    *r = (ring){.nvars = nvars, .err = err};
    fmpz_mpoly_ctx_init(r->ctx, nvars, ORD_LEX);
    r->rel = ph_calloc((size_t)nvars + 1, sizeof *r->rel);
    if (!r->rel) return ph_fail_nomem(err, (size_t)nvars * sizeof *r->rel);
    ring_relation *i = &r->rel[r->nrel++]; /* I^2 + 1 */
    *i = (ring_relation){.gen = 0, .degree = 2};
    fmpz_mpoly_init(i->poly, r->ctx);
    fmpz_mpoly_gen(i->poly, var_of(r, 0), r->ctx);
    fmpz_mpoly_mul(i->poly, i->poly, i->poly, r->ctx);
    fmpz_mpoly_add_si(i->poly, i->poly, 1, r->ctx);
    return PH_OK;
}

void ver_ring_clear(ring *r) {
    for (slong i = 0; i < r->nrel; i++) fmpz_mpoly_clear(r->rel[i].poly, r->ctx);
    ph_free(r->rel);
    fmpz_mpoly_ctx_clear(r->ctx);
    *r = (ring){0};
}

void ver_ring_frac_init(ring_frac *f, ring *r) {
    fmpz_mpoly_init(f->n, r->ctx);
    fmpz_mpoly_init(f->d, r->ctx);
    fmpz_mpoly_one(f->d, r->ctx);
}

void ver_ring_frac_clear(ring_frac *f, ring *r) {
    fmpz_mpoly_clear(f->n, r->ctx);
    fmpz_mpoly_clear(f->d, r->ctx);
}

void ver_ring_set(ring_frac *out, const ring_frac *a, ring *r) {
    fmpz_mpoly_set(out->n, a->n, r->ctx);
    fmpz_mpoly_set(out->d, a->d, r->ctx);
}

void ver_ring_set_fmpq(ring_frac *out, const fmpq_t q, ring *r) {
    fmpz_mpoly_set_fmpz(out->n, fmpq_numref(q), r->ctx);
    fmpz_mpoly_set_fmpz(out->d, fmpq_denref(q), r->ctx);
}

void ver_ring_gen(ring_frac *out, slong gen, ring *r) {
    fmpz_mpoly_gen(out->n, var_of(r, gen), r->ctx);
    fmpz_mpoly_one(out->d, r->ctx);
}

bool ver_ring_is_zero(const ring_frac *f, ring *r) { return fmpz_mpoly_is_zero(f->n, r->ctx); }

/* Refuses a step that is too dear, or one too many. Exponent vectors of many generators cost too. */
static ph_status spend(ring *r, double products) {
    r->spent += 10 + (products + 1) * (1 + (double)r->nvars / 32);
    if (ph_interrupted()) return ph_fail_interrupted(r->err);
    bool afforded = products <= RING_MAX_WORK && r->spent <= RING_MAX_TOTAL &&
                    ver_meter_spend(0.1 + 0.015 * products * (1 + (double)r->nvars / 32));
    return afforded ? PH_OK : budget(r);
}

/* Divides by each relation whose leading power occurs; lower ones last, since a higher one brings them in. */
static ph_status reduce(fmpz_mpoly_t p, ring *r) {
    fmpz_mpoly_t q;
    ph_status st = PH_OK;
    fmpz_mpoly_init(q, r->ctx);
    for (slong i = r->nrel - 1; i >= 0 && !st; i--) {
        slong degree = fmpz_mpoly_degree_si(p, var_of(r, r->rel[i].gen), r->ctx);
        if (degree < r->rel[i].degree) continue;
        slong steps = degree - r->rel[i].degree + 1, len = fmpz_mpoly_length(p, r->ctx);
        if (steps > RING_MAX_DEGREE) st = budget(r);
        else st = spend(r, (double)len * (double)steps * (double)fmpz_mpoly_length(r->rel[i].poly, r->ctx));
        if (!st) fmpz_mpoly_divrem(q, p, p, r->rel[i].poly, r->ctx);
    }
    fmpz_mpoly_clear(q, r->ctx);
    return st;
}

ph_status ver_ring_relate(ring *r, slong gen, slong degree, const ring_frac *value) {
    ring_relation *rel = &r->rel[r->nrel];
    fmpz_mpoly_t v;
    fmpz_mpoly_init(rel->poly, r->ctx);
    fmpz_mpoly_init(v, r->ctx);
    bool unit = fmpz_mpoly_divides(v, value->n, value->d, r->ctx);
    rel->gen = gen;
    rel->degree = degree;
    r->nrel++;
    fmpz_mpoly_gen(rel->poly, var_of(r, gen), r->ctx);
    int fine = fmpz_mpoly_pow_ui(rel->poly, rel->poly, (ulong)degree, r->ctx);
    fmpz_mpoly_sub(rel->poly, rel->poly, v, r->ctx);
    fmpz_mpoly_clear(v, r->ctx);
    return unit && fine ? PH_OK : ph_fail(r->err, PH_EOUTSIDE, "a relation that is not monic");
}

/* p*q reduced; refused beforehand when too dear. */
static ph_status times(fmpz_mpoly_t out, const fmpz_mpoly_t p, const fmpz_mpoly_t q, ring *r) {
    if (fmpz_mpoly_is_one(p, r->ctx) || fmpz_mpoly_is_zero(q, r->ctx))
        return fmpz_mpoly_set(out, q, r->ctx), PH_OK;
    if (fmpz_mpoly_is_one(q, r->ctx) || fmpz_mpoly_is_zero(p, r->ctx))
        return fmpz_mpoly_set(out, p, r->ctx), PH_OK;
    slong a = fmpz_mpoly_length(p, r->ctx), b = fmpz_mpoly_length(q, r->ctx);
    double m = a ? (double)labs(fmpz_mpoly_max_bits(p)) : 0, n = b ? (double)labs(fmpz_mpoly_max_bits(q)) : 0;
    if (m + n > RING_MAX_BITS) return budget(r);
    ph_status st = spend(r, (double)a * (double)b * (1 + m * n / 32768)); /* 64×64 bits: an eighth more */
    if (st) return st;
    for (slong v = 0; v < r->nvars; v++)
        if ((double)fmpz_mpoly_degree_si(p, v, r->ctx) + (double)fmpz_mpoly_degree_si(q, v, r->ctx) >
            RING_MAX_EXPONENT)
            return budget(r);
    fmpz_mpoly_mul(out, p, q, r->ctx);
    if (fmpz_mpoly_length(out, r->ctx) > RING_MAX_TERMS) return budget(r);
    return r->nrel ? reduce(out, r) : PH_OK;
}

/* Is the common factor of p and q found in a moment? One of them a single term, or both short and of low degree. */
static bool gcd_is_cheap(const fmpz_mpoly_t p, const fmpz_mpoly_t q, ring *r) {
    slong a = fmpz_mpoly_length(p, r->ctx), b = fmpz_mpoly_length(q, r->ctx);
    if (a <= 1 || b <= 1) return true;
    if ((double)a * (double)b > RING_MAX_GCD) return false;
    for (slong v = 0; v < r->nvars; v++)
        if (fmpz_mpoly_degree_si(p, v, r->ctx) + fmpz_mpoly_degree_si(q, v, r->ctx) > RING_MAX_GCD_DEGREE)
            return false;
    return true;
}

/* Removes the common factor when finding it is cheap; a monomial or constant denominator always is. */
static ph_status cancel(ring_frac *f, bool whatever_it_costs, ring *r) {
    if (fmpz_mpoly_is_one(f->d, r->ctx)) return PH_OK;
    if (fmpz_mpoly_is_zero(f->n, r->ctx)) {
        fmpz_mpoly_one(f->d, r->ctx);
        return PH_OK;
    }
    slong a = fmpz_mpoly_length(f->n, r->ctx), b = fmpz_mpoly_length(f->d, r->ctx);
    if (!whatever_it_costs && b > 1 && a * b > 400) return PH_OK;
    if (!gcd_is_cheap(f->n, f->d, r)) return whatever_it_costs ? budget(r) : PH_OK;
    ph_status st = spend(r, 20 * (double)a * (double)b);
    if (st) return st;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, r->ctx);
    if (!fmpz_mpoly_gcd(g, f->n, f->d, r->ctx)) st = budget(r);
    else if (!fmpz_mpoly_is_one(g, r->ctx)) {
        fmpz_mpoly_divides(f->n, f->n, g, r->ctx);
        fmpz_mpoly_divides(f->d, f->d, g, r->ctx);
    }
    fmpz_mpoly_clear(g, r->ctx);
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, f->d, 0, r->ctx);
    if (fmpz_sgn(c) < 0) {
        fmpz_mpoly_neg(f->n, f->n, r->ctx);
        fmpz_mpoly_neg(f->d, f->d, r->ctx);
    }
    fmpz_clear(c);
    if (!st && b == 1 && fmpz_mpoly_degree_si(f->d, var_of(r, 0), r->ctx) == 1) { /* n/(I·m) = −I·n/m */
        fmpz_mpoly_t i;
        fmpz_mpoly_init(i, r->ctx);
        fmpz_mpoly_gen(i, var_of(r, 0), r->ctx);
        fmpz_mpoly_divides(f->d, f->d, i, r->ctx);
        fmpz_mpoly_neg(i, i, r->ctx);
        fmpz_mpoly_mul(f->n, f->n, i, r->ctx);
        fmpz_mpoly_clear(i, r->ctx);
        st = reduce(f->n, r);
    }
    return st;
}

ph_status ver_ring_cancel(ring_frac *f, ring *r) { return cancel(f, true, r); }

/* A denominator must not vanish modulo the relations. */
static ph_status check_denominator(ring_frac *f, ring *r) {
    return fmpz_mpoly_is_zero(f->d, r->ctx) ? ph_fail(r->err, PH_EDOMAIN, "division by zero is undefined")
                                            : PH_OK;
}

/* a/b ± c/d = (a·(d/g) ± c·(b/g)) / (b·(d/g)), g = gcd(b, d) */
ph_status ver_ring_add(ring_frac *out, const ring_frac *x, const ring_frac *y, int sign, ring *r) {
    ph_status st = PH_OK;
    fmpz_mpoly_t g, u, v, w;
    fmpz_mpoly_init(g, r->ctx);
    fmpz_mpoly_init(u, r->ctx);
    fmpz_mpoly_init(v, r->ctx);
    fmpz_mpoly_init(w, r->ctx);
    if (fmpz_mpoly_equal(x->d, y->d, r->ctx)) {
        if (sign > 0) fmpz_mpoly_add(out->n, x->n, y->n, r->ctx);
        else fmpz_mpoly_sub(out->n, x->n, y->n, r->ctx);
        fmpz_mpoly_set(out->d, x->d, r->ctx);
    } else {
        if (!gcd_is_cheap(x->d, y->d, r)) fmpz_mpoly_one(g, r->ctx);
        else if (!fmpz_mpoly_gcd(g, x->d, y->d, r->ctx)) fmpz_mpoly_one(g, r->ctx);
        fmpz_mpoly_divides(u, y->d, g, r->ctx); /* d/g */
        fmpz_mpoly_divides(v, x->d, g, r->ctx); /* b/g */
        PH_TRY(times(w, x->d, u, r));
        PH_TRY(times(u, x->n, u, r));
        PH_TRY(times(v, y->n, v, r));
        if (sign > 0) fmpz_mpoly_add(out->n, u, v, r->ctx);
        else fmpz_mpoly_sub(out->n, u, v, r->ctx);
        fmpz_mpoly_swap(out->d, w, r->ctx);
    }
    PH_TRY(check_denominator(out, r));
    if (fmpz_mpoly_length(out->n, r->ctx) > RING_MAX_TERMS) st = budget(r);
    else if (fmpz_mpoly_is_zero(out->n, r->ctx)) fmpz_mpoly_one(out->d, r->ctx);
done:
    fmpz_mpoly_clear(g, r->ctx);
    fmpz_mpoly_clear(u, r->ctx);
    fmpz_mpoly_clear(v, r->ctx);
    fmpz_mpoly_clear(w, r->ctx);
    return st;
}

ph_status ver_ring_mul(ring_frac *out, const ring_frac *a, const ring_frac *b, ring *r) {
    ph_status st = PH_OK;
    PH_TRY(times(out->n, a->n, b->n, r));
    PH_TRY(times(out->d, a->d, b->d, r));
    PH_TRY(check_denominator(out, r));
    st = cancel(out, false, r);
done:
    return st;
}

ph_status ver_ring_div(ring_frac *out, const ring_frac *a, const ring_frac *b, ring *r) {
    if (ver_ring_is_zero(b, r)) return ph_fail(r->err, PH_EDOMAIN, "division by zero is undefined");
    ring_frac inverse; /* a shallow exchange of numerator and denominator: read only */
    inverse.n[0] = b->d[0];
    inverse.d[0] = b->n[0];
    ring_frac t;
    ver_ring_frac_init(&t, r);
    ph_status st = ver_ring_mul(&t, a, &inverse, r);
    fmpz_mpoly_swap(out->n, t.n, r->ctx);
    fmpz_mpoly_swap(out->d, t.d, r->ctx);
    ver_ring_frac_clear(&t, r);
    return st;
}

ph_status ver_ring_pow(ring_frac *out, const ring_frac *a, int64_t k, ring *r) {
    bool monomial = fmpz_mpoly_length(a->n, r->ctx) <= 1 && fmpz_mpoly_length(a->d, r->ctx) <= 1;
    if (!monomial && (k > RING_MAX_DEGREE || k < -RING_MAX_DEGREE)) return budget(r);
    ph_status st = PH_OK;
    ring_frac base, power;
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    ver_ring_frac_init(&base, r);
    ver_ring_frac_init(&power, r);
    ver_ring_set_fmpq(&power, one, r);
    ver_ring_set(&base, a, r);
    for (uint64_t m = k < 0 ? 0 - (uint64_t)k : (uint64_t)k; m; m >>= 1) {
        if (m & 1) PH_TRY(ver_ring_mul(&power, &power, &base, r));
        if (m > 1) PH_TRY(ver_ring_mul(&base, &base, &base, r));
    }
    if (k < 0) {
        ver_ring_set_fmpq(&base, one, r);
        PH_TRY(ver_ring_div(&power, &base, &power, r));
    }
    ver_ring_set(out, &power, r);
done:
    ver_ring_frac_clear(&base, r);
    ver_ring_frac_clear(&power, r);
    fmpq_clear(one);
    return st;
}
