/* values.c: a formula read into the ring: exponentials from their directions, roots of unity from square roots. */
#include <stdlib.h>

#include "expr/build.h"
#include "verify/normal_internal.h"
#include "verify/wide.h"

static plan *plan_of(const normal *c, const expr_node *e) {
    const formula_part *p = ver_part_of(c, e);
    return p && p->plan >= 0 ? &c->plans[p->plan] : NULL;
}

void ver_set_si(ring_frac *f, int64_t num, int64_t den, ring *r) {
    fmpq_t q;
    fmpq_init(q);
    ver_fmpq_set(q, num, den);
    ver_ring_set_fmpq(f, q, r);
    fmpq_clear(q);
}

/* e^(coef·log b): integer powers of b itself, the rest in powers of b^(1/q) = w/d, where b = n/d and w^q = n·d^(q−1). */
static ph_status log_power(normal *c, ring_frac *out, const direction *d, const fmpq_t coef) {
    expr_node *b = c->gens[d->f[0].gen].node;
    slong units; /* coef in 1/q */
    fmpz_t t, whole, rest;
    fmpz_init(t);
    fmpz_init(whole);
    fmpz_init(rest);
    fmpz_mul_si(t, fmpq_numref(coef), d->q);
    fmpz_divexact(t, t, fmpq_denref(coef));
    ph_status st = PH_OK;
    ring_frac base, w;
    ver_ring_frac_init(&base, &c->r);
    ver_ring_frac_init(&w, &c->r);
    if (fmpz_cmp_si(t, 1000000) > 0 || fmpz_cmp_si(t, -1000000) < 0) {
        st = ph_fail(c->err, PH_EBUDGET, "an exponent beyond 10^6");
        goto done;
    }
    units = fmpz_get_si(t);
    ver_ring_gen(&w, d->gen, &c->r);
    if (ver_is_atom(b) && expr_is_positive(b)) { /* the symbol is e^(log x) itself */
        st = ver_ring_pow(out, &w, units, &c->r);
        goto done;
    }
    fmpz_set_si(t, units);
    fmpz_set_si(rest, d->q);
    fmpz_fdiv_qr(whole, rest, t, rest);
    PH_TRY(ver_convert(c, &base, b));
    PH_TRY(ver_ring_pow(out, &base, fmpz_get_si(whole), &c->r));
    if (!fmpz_is_zero(rest)) {
        fmpz_mpoly_set(base.n, base.d, c->r.ctx);
        fmpz_mpoly_one(base.d, c->r.ctx);
        PH_TRY(ver_ring_div(&w, &w, &base, &c->r));
        PH_TRY(ver_ring_pow(&w, &w, fmpz_get_si(rest), &c->r));
        st = ver_ring_mul(out, out, &w, &c->r);
    }
done:
    ver_ring_frac_clear(&base, &c->r);
    ver_ring_frac_clear(&w, &c->r);
    fmpz_clear(t);
    fmpz_clear(whole);
    fmpz_clear(rest);
    return st;
}

/* e^(coef·direction), a power of its generator */
static ph_status direction_power(normal *c, ring_frac *out, const direction *d, const fmpq_t coef) {
    fmpz_t n; /* in units of 1/q */
    fmpz_init(n);
    fmpz_mul_si(n, fmpq_numref(coef), d->q);
    fmpz_divexact(n, n, fmpq_denref(coef));
    if (d->kind == DIR_PARITY) fmpz_mod_ui(n, n, 2 * (ulong)d->q);
    bool fits = fmpz_cmp_si(n, MAX_UNITS) <= 0 && fmpz_cmp_si(n, -MAX_UNITS) >= 0;
    slong units = fits ? fmpz_get_si(n) : 0;
    fmpz_clear(n);
    if (!fits) return ph_fail(c->err, PH_EBUDGET, "an exponent beyond 10^%d", UNITS_DIGITS);
    ver_ring_gen(out, d->gen, &c->r);
    return ver_ring_pow(out, out, units, &c->r);
}

/* e^(±E) for the exponent of a plan */
static ph_status exponential(normal *c, ring_frac *out, const plan *p, int sign) {
    ph_status st = PH_OK;
    fmpq_t k;
    ring_frac f;
    fmpq_init(k);
    ver_ring_frac_init(&f, &c->r);
    ver_set_si(out, 1, 1, &c->r);
    for (int i = 0; i < p->nparts; i++) {
        const direction *d = &c->dirs[p->part[i].dir];
        if (sign > 0) fmpq_set(k, p->part[i].coef);
        else fmpq_neg(k, p->part[i].coef);
        if (d->kind == DIR_LOG) PH_TRY(log_power(c, &f, d, k));
        else if (d->kind == DIR_ROOT_OF_UNITY) PH_TRY(ver_unity_value(c, &f, k));
        else PH_TRY(direction_power(c, &f, d, k));
        PH_TRY(ver_ring_mul(out, out, &f, &c->r));
    }
done:
    fmpq_clear(k);
    ver_ring_frac_clear(&f, &c->r);
    return st;
}

/* e^E = up/down as exponent vectors, when no part of E needs more than its own generator. */
static bool monomial(const normal *c, ulong *up, ulong *down, const plan *p) {
    fmpz_t n;
    fmpz_init(n);
    bool ok = true;
    for (int i = 0; i < p->nparts && ok; i++) {
        const direction *d = &c->dirs[p->part[i].dir];
        const expr_node *b = d->kind == DIR_LOG ? c->gens[d->f[0].gen].node : NULL;
        ok = d->kind == DIR_PLAIN || (b && ver_is_atom(b) && expr_is_positive(b));
        if (!ok) break;
        fmpz_mul_si(n, fmpq_numref(p->part[i].coef), d->q);
        fmpz_divexact(n, n, fmpq_denref(p->part[i].coef));
        ok = fmpz_cmp_si(n, MAX_UNITS) <= 0 && fmpz_cmp_si(n, -MAX_UNITS) >= 0;
        if (ok)
            (fmpz_sgn(n) > 0 ? up : down)[c->r.nvars - 1 - d->gen] +=
                fmpz_sgn(n) > 0 ? fmpz_get_ui(n) : 0 - (ulong)fmpz_get_si(n);
    }
    fmpz_clear(n);
    return ok;
}

/* With e^E = P/N, both monomials: sin = −I(P² − N²)/(2PN), cos = (P² + N²)/(2PN), tan = −I(P² − N²)/(P² + N²). */
static bool from_monomial(normal *c, ring_frac *out, expr_op op, const plan *p) {
    slong n = c->r.nvars;
    ulong *up = ph_calloc(3 * (size_t)n, sizeof *up), *down = up + n, *both = down + n;
    bool ok = up && monomial(c, up, down, p);
    if (!ok) {
        ph_free(up);
        return false;
    }
    bool trig = op == EXPR_SIN || op == EXPR_COS || op == EXPR_TAN,
         power = !trig && op != EXPR_SINH && op != EXPR_COSH && op != EXPR_TANH;
    bool even = op == EXPR_COS || op == EXPR_COSH, ratio = op == EXPR_TAN || op == EXPR_TANH;
    fmpz_mpoly_zero(out->n, c->r.ctx);
    fmpz_mpoly_zero(out->d, c->r.ctx);
    for (slong v = 0; v < n; v++) both[v] = up[v] + down[v];
    if (power) {
        fmpz_mpoly_push_term_si_ui(out->n, 1, up, c->r.ctx);
        fmpz_mpoly_push_term_si_ui(out->d, 1, down, c->r.ctx);
    } else {
        for (slong v = 0; v < n; v++) up[v] *= 2, down[v] *= 2;
        if (ratio) {
            fmpz_mpoly_push_term_si_ui(out->d, 1, up, c->r.ctx);
            fmpz_mpoly_push_term_si_ui(out->d, 1, down, c->r.ctx);
        } else fmpz_mpoly_push_term_si_ui(out->d, 2, both, c->r.ctx);
        slong sign = trig && !even ? -1 : 1;
        up[n - 1] = down[n - 1] = trig && !even; /* the generator I */
        fmpz_mpoly_push_term_si_ui(out->n, sign, up, c->r.ctx);
        fmpz_mpoly_push_term_si_ui(out->n, even ? sign : -sign, down, c->r.ctx);
    }
    ph_free(up);
    fmpz_mpoly_sort_terms(out->n, c->r.ctx);
    fmpz_mpoly_sort_terms(out->d, c->r.ctx);
    fmpz_mpoly_combine_like_terms(out->n, c->r.ctx);
    fmpz_mpoly_combine_like_terms(out->d, c->r.ctx);
    return true;
}

/* sin = −I(W − V)/2, cos = (W + V)/2, tan = −I(W − V)/(W + V) with W = e^E, V = e^−E, E = I·u (E = u for sinh, …) */
static ph_status from_exponential(normal *c, ring_frac *out, expr_op op, const plan *p) {
    ring_frac V, sum, diff;
    ph_status st = PH_OK;
    ver_ring_frac_init(&V, &c->r);
    ver_ring_frac_init(&sum, &c->r);
    ver_ring_frac_init(&diff, &c->r);
    PH_TRY(exponential(c, out, p, 1));
    if (op == EXPR_EXP || op == EXPR_POW || op == EXPR_SQRT) goto done;
    bool trig = op == EXPR_SIN || op == EXPR_TAN, ratio = op == EXPR_TAN || op == EXPR_TANH;
    PH_TRY(exponential(c, &V, p, -1));
    if (op == EXPR_COS || op == EXPR_COSH || ratio) PH_TRY(ver_ring_add(&sum, out, &V, 1, &c->r));
    if (op != EXPR_COS && op != EXPR_COSH) PH_TRY(ver_ring_add(&diff, out, &V, -1, &c->r));
    if (trig) {
        ver_ring_gen(&V, 0, &c->r);
        PH_TRY(ver_ring_div(&diff, &diff, &V, &c->r));
    }
    if (ratio) {
        st = ver_ring_div(out, &diff, &sum, &c->r);
        goto done;
    }
    ver_set_si(&V, 1, 2, &c->r);
    st = ver_ring_mul(out, op == EXPR_COS || op == EXPR_COSH ? &sum : &diff, &V, &c->r);
done:
    ver_ring_frac_clear(&V, &c->r);
    ver_ring_frac_clear(&sum, &c->r);
    ver_ring_frac_clear(&diff, &c->r);
    return st;
}

static ph_status convert_function(normal *c, ring_frac *out, const expr_node *e) {
    if (e->op == EXPR_LOG) {
        ring_frac one;
        ver_ring_frac_init(&one, &c->r);
        ver_set_si(&one, 1, 1, &c->r);
        ph_status st = ver_convert(c, out, e->arg[0]);
        if (!st && ver_ring_is_zero(out, &c->r)) st = ph_fail(c->err, PH_EDOMAIN, "log(0) is undefined");
        ver_set_si(out, 0, 1, &c->r);
        if (!st) st = ver_log_of(c, out, e->arg[0], &one, 1, false);
        ver_ring_frac_clear(&one, &c->r);
        return st;
    }
    const plan *p = plan_of(c, e);
    if (!p) return ph_fail(c->err, PH_EOUTSIDE, "%s of this argument", expr_ops[e->op].name);
    if (p->zero) return ver_set_si(out, 0, 1, &c->r), PH_OK;
    if (p->gen < 0) return from_monomial(c, out, e->op, p) ? PH_OK : from_exponential(c, out, e->op, p);
    ring_frac s;
    ver_ring_frac_init(&s, &c->r);
    ver_ring_gen(out, p->gen, &c->r);
    ver_set_si(&s, p->sign, 1, &c->r);
    ph_status st = ver_ring_mul(out, out, &s, &c->r);
    ver_ring_frac_clear(&s, &c->r);
    return st;
}

static ph_status convert_atom(normal *c, ring_frac *out, const expr_node *e) {
    if (expr_is_positive(e))
        for (slong i = 0; i < c->ndirs; i++) {
            const direction *d = &c->dirs[i];
            if (d->kind != DIR_LOG || !expr_same(c->gens[d->f[0].gen].node, e)) continue;
            ver_ring_gen(out, d->gen, &c->r);
            return ver_ring_pow(out, out, d->q, &c->r);
        }
    ver_ring_gen(out, ver_gen_find(c, GEN_ATOM, e), &c->r);
    return PH_OK;
}

/* ---- sums: merged in pairs of equal weight, so that n terms over n denominators cost n log n, not n² ---- */

typedef struct {
    ring_frac f[48];
    int weight[48]; /* log2 of the number of terms in it */
    int n;
} merger;

static ph_status merge_top(normal *c, merger *m) {
    ph_status st = ver_ring_add(&m->f[m->n - 2], &m->f[m->n - 2], &m->f[m->n - 1], 1, &c->r);
    ver_ring_frac_clear(&m->f[--m->n], &c->r);
    m->weight[m->n - 1]++;
    return st;
}

static ph_status merge_terms(normal *c, merger *m, const expr_node *e, int sign, bool root) {
    bool sum = e->op == EXPR_ADD || e->op == EXPR_SUB;
    const formula_part *p = sum && !root ? ver_part_of(c, e) : NULL;
    if (sum && !(p && p->uses > 1)) { /* a shared part is read once, as one term */
        ph_status st = merge_terms(c, m, e->arg[0], sign, false);
        return st ? st : merge_terms(c, m, e->arg[1], e->op == EXPR_ADD ? sign : -sign, false);
    }
    ring_frac *f = &m->f[m->n];
    m->weight[m->n++] = 0;
    ver_ring_frac_init(f, &c->r);
    ph_status st = ver_convert(c, f, e);
    if (sign < 0) fmpz_mpoly_neg(f->n, f->n, c->r.ctx);
    while (!st && m->n > 1 && (m->weight[m->n - 2] == m->weight[m->n - 1] || m->n == 48))
        st = merge_top(c, m);
    return st;
}

static ph_status convert_sum(normal *c, ring_frac *out, const expr_node *e) {
    merger *m = ph_alloc(sizeof *m); /* too large for the stack of a deep formula */
    if (!m) return ph_fail_nomem(c->err, sizeof *m);
    m->n = 0;
    ph_status st = merge_terms(c, m, e, 1, true);
    while (!st && m->n > 1) st = merge_top(c, m);
    if (!st) fmpz_mpoly_swap(out->n, m->f[0].n, c->r.ctx);
    if (!st) fmpz_mpoly_swap(out->d, m->f[0].d, c->r.ctx);
    while (m->n > 0) ver_ring_frac_clear(&m->f[--m->n], &c->r);
    ph_free(m);
    return st;
}

static ph_status convert_arithmetic(normal *c, ring_frac *out, const expr_node *e) {
    if (e->op == EXPR_ADD || e->op == EXPR_SUB) return convert_sum(c, out, e);
    ring_frac b;
    ph_status st = PH_OK;
    ver_ring_frac_init(&b, &c->r);
    PH_TRY(ver_convert(c, out, e->arg[0]));
    if (e->op == EXPR_NEG) {
        fmpz_mpoly_neg(out->n, out->n, c->r.ctx);
        goto done;
    }
    if (e->op == EXPR_POW) { /* an integer exponent */
        if (e->arg[1]->num == 0 && ver_ring_is_zero(out, &c->r))
            st = ph_fail(c->err, PH_EDOMAIN, "0^0 is undefined");
        else st = ver_ring_pow(out, out, e->arg[1]->num, &c->r);
        goto done;
    }
    PH_TRY(ver_convert(c, &b, e->arg[1]));
    if (e->op == EXPR_MUL) st = ver_ring_mul(out, out, &b, &c->r);
    else st = ver_ring_div(out, out, &b, &c->r);
done:
    ver_ring_frac_clear(&b, &c->r);
    return st;
}

ph_status ver_convert(normal *c, ring_frac *out, const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT: ver_set_si(out, e->num, e->den, &c->r); return PH_OK;
    case EXPR_I: ver_ring_gen(out, 0, &c->r); return PH_OK;
    case EXPR_PI: ver_ring_gen(out, ver_gen_find(c, GEN_PI, NULL), &c->r); return PH_OK;
    default: break;
    }
    if (ver_is_atom(e)) return convert_atom(c, out, e);
    formula_part *p = ver_part_of(c, e);
    if (p && p->known) {
        ver_ring_set(out, &p->value, &c->r);
        return PH_OK;
    }
    ph_status st = ver_is_function(e) ? convert_function(c, out, e) : convert_arithmetic(c, out, e);
    slong n = fmpz_mpoly_length(out->n, c->r.ctx);
    if (!st && n > c->out->terms) c->out->terms = n;
    if (st || !p || p->uses < 2) return st;
    ver_ring_frac_init(&p->value, &c->r);
    ver_ring_set(&p->value, out, &c->r);
    p->known = true;
    return PH_OK;
}
