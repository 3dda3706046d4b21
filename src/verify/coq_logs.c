/* coq_logs.c: the logarithm of a product as a sum of logarithms, each named. */
#include "verify/coq_forms.h"
#include "verify/polysign.h"

static bool failed(const coq_forms *f) { return f->c->b.st != PH_OK; }

/* The generator ln b; b > 0 is a prime, a positive generator or a polynomial. */
static slong log_gen(coq_forms *f, const ring_frac *b) {
    for (slong i = 1; i < f->ngens; i++)
        if (f->gens[i].is_log && fmpz_mpoly_equal(f->gens[i].of.n, b->n, f->r.ctx) &&
            fmpz_mpoly_equal(f->gens[i].of.d, b->d, f->r.ctx))
            return i;
    int id = ++f->c->fresh;
    slong g = ver_coq_gen_new(f, NULL, "l'%d", id);
    if (failed(f)) return g;
    coq_gen *l = &f->gens[g];
    l->is_log = l->has_of = true;
    ver_ring_frac_init(&l->of, &f->r);
    ver_ring_set(&l->of, b, &f->r);
    COQ_PUT(f->c, "  destruct (a_logarithm ");
    ver_coq_put_frac(f, b);
    COQ_PUT(f->c, " ltac:(positive)) as (l'%d & L'%d & X'%d).\n", id, id, id);
    return g;
}

/* out += times·ln b for the part b of the argument. */
static void add_log(coq_forms *f, ring_frac *out, const ring_frac *b, slong times) {
    ring_frac l, k;
    fmpq_t q;
    ver_ring_frac_init(&l, &f->r);
    ver_ring_frac_init(&k, &f->r);
    fmpq_init(q);
    fmpq_set_si(q, times, 1);
    ver_ring_set_fmpq(&k, q, &f->r);
    ver_ring_gen(&l, log_gen(f, b), &f->r);
    if (!failed(f) && (ver_ring_mul(&l, &l, &k, &f->r) || ver_ring_add(out, out, &l, 1, &f->r)))
        ver_coq_refuse(f->c, "a logarithm that grows too large");
    fmpq_clear(q);
    ver_ring_frac_clear(&l, &f->r);
    ver_ring_frac_clear(&k, &f->r);
}

/* What a logarithm's argument is a product of; each factor with its power. */
typedef struct {
    ring_frac b[32];
    slong power[32];
    int n;
} factors;

static void push_factor(coq_forms *f, factors *p, const fmpz_mpoly_t b, slong power) {
    if (p->n == 32) {
        ver_coq_refuse(f->c, "the logarithm of a long product");
        return;
    }
    ver_ring_frac_init(&p->b[p->n], &f->r);
    fmpz_mpoly_set(p->b[p->n].n, b, f->r.ctx);
    p->power[p->n++] = power;
}

static void factor_integer(coq_forms *f, factors *p, const fmpz_t n, slong sign) {
    fmpz_factor_t fac;
    fmpz_mpoly_t b;
    fmpz_factor_init(fac);
    fmpz_mpoly_init(b, f->r.ctx);
    if (fmpz_bits(n) > 60) ver_coq_refuse(f->c, "the logarithm of a large number");
    else fmpz_factor(fac, n);
    for (slong i = 0; i < fac->num && !failed(f); i++) {
        fmpz_mpoly_set_fmpz(b, fac->p + i, f->r.ctx);
        push_factor(f, p, b, sign * (slong)fac->exp[i]);
    }
    fmpz_factor_clear(fac);
    fmpz_mpoly_clear(b, f->r.ctx);
}

/* A sum that is a product of sums, each of them visibly positive: (x^2 + 1)^2. */
static bool factor_sum(coq_forms *f, factors *p, const fmpz_mpoly_t rest, slong sign) {
    fmpz_mpoly_factor_t of;
    ver_sign *known = ph_calloc((size_t)f->r.nvars, sizeof *known); /* open */
    if (!known) {
        f->c->b.st = ph_fail_nomem(f->c->b.err, (size_t)f->r.nvars * sizeof *known);
        return false;
    }
    for (slong g = 1; g < f->ngens; g++)
        if (f->gens[g].positive) known[f->r.nvars - 1 - g] = VER_SIGN_POSITIVE;
    fmpz_mpoly_factor_init(of, f->r.ctx);
    bool positive = ver_poly_factor(of, rest, f->r.ctx) && fmpz_is_one(of->constant);
    for (slong i = 0; i < of->num && positive; i++)
        positive =
            fmpz_fits_si(of->exp + i) && ver_poly_visible(of->poly + i, known, f->r.ctx) == VER_SIGN_POSITIVE;
    for (slong i = 0; i < of->num && positive; i++)
        push_factor(f, p, of->poly + i, sign * (slong)fmpz_get_si(of->exp + i));
    fmpz_mpoly_factor_clear(of, f->r.ctx);
    ph_free(known);
    return positive;
}

/* Constant, positive generators, positive sums, and the rest as it is. */
static void factor_poly(coq_forms *f, factors *p, const fmpz_mpoly_t whole, slong sign) {
    fmpz_mpoly_t rest, quotient, g;
    fmpz_t content;
    fmpz_mpoly_init(rest, f->r.ctx);
    fmpz_mpoly_init(quotient, f->r.ctx);
    fmpz_mpoly_init(g, f->r.ctx);
    fmpz_init(content);
    fmpz_mpoly_set(rest, whole, f->r.ctx);
    _fmpz_vec_content(content, rest->coeffs, fmpz_mpoly_length(rest, f->r.ctx));
    if (!fmpz_is_zero(content)) fmpz_mpoly_scalar_divexact_fmpz(rest, rest, content, f->r.ctx);
    factor_integer(f, p, content, sign);
    for (slong i = 1; i < f->ngens && !failed(f); i++) {
        slong k = 0;
        if (!f->gens[i].positive) continue;
        fmpz_mpoly_gen(g, f->r.nvars - 1 - i, f->r.ctx);
        while (!fmpz_mpoly_is_zero(rest, f->r.ctx) && fmpz_mpoly_divides(quotient, rest, g, f->r.ctx)) {
            fmpz_mpoly_swap(rest, quotient, f->r.ctx);
            k++;
        }
        if (k) push_factor(f, p, g, sign * k);
    }
    if (!fmpz_mpoly_is_one(rest, f->r.ctx) && !factor_sum(f, p, rest, sign)) push_factor(f, p, rest, sign);
    fmpz_mpoly_clear(rest, f->r.ctx);
    fmpz_mpoly_clear(quotient, f->r.ctx);
    fmpz_mpoly_clear(g, f->r.ctx);
    fmpz_clear(content);
}

/* out = ln of a product of factors; "logarithm (product) (sum)." */
void ver_coq_log_of(coq_forms *f, ring_frac *out, ring_frac *b, const char *as) {
    factors p = {.n = 0};
    int id = ++f->c->fresh;
    ring_frac k;
    fmpq_t q;
    ver_ring_frac_init(&k, &f->r);
    fmpq_init(q);
    fmpz_mpoly_zero(out->n, f->r.ctx);
    fmpz_mpoly_one(out->d, f->r.ctx);
    if (ver_ring_cancel(b, &f->r)) ver_coq_refuse(f->c, "a logarithm that grows too large");
    factor_poly(f, &p, b->n, 1);
    factor_poly(f, &p, b->d, -1);
    for (int i = 0; i < p.n && !failed(f); i++) {
        slong gen = -1;
        for (slong g = 1; g < f->ngens && gen < 0; g++)
            if (f->gens[g].is_power && fmpz_mpoly_is_gen(p.b[i].n, f->r.nvars - 1 - g, f->r.ctx)) gen = g;
        if (gen < 0) add_log(f, out, &p.b[i], p.power[i]);
        else {
            fmpq_set_si(q, p.power[i], 1);
            ver_ring_set_fmpq(&k, q, &f->r);
            if (ver_ring_mul(&k, &k, &f->gens[gen].of, &f->r) || ver_ring_add(out, out, &k, 1, &f->r))
                ver_coq_refuse(f->c, "a logarithm that grows too large");
        }
    }
    COQ_PUT(f->c, "  logarithm (1");
    for (int i = 0; i < p.n; i++) {
        COQ_PUT(f->c, " * %s", p.power[i] < 0 ? "/ " : "");
        COQ_PUT(f->c, "(");
        ver_coq_put_poly(f, p.b[i].n);
        COQ_PUT(f->c, " ^ %ld)", (long)(p.power[i] < 0 ? -p.power[i] : p.power[i]));
        ver_ring_frac_clear(&p.b[i], &f->r);
    }
    COQ_PUT(f->c, ") ");
    ver_coq_put_frac(f, out);
    COQ_PUT(f->c, " W'%d.\n", id);
    if (as) COQ_PUT(f->c, "  here ln %s W'%d.\n", as, id);
    COQ_PUT(f->c, "  elsewhere ln W'%d.\n", id);
    fmpq_clear(q);
    ver_ring_frac_clear(&k, &f->r);
}
