/* moments.c: E[f] and Var[f] for independent random symbols of mean 0 and variance 1.
 *
 * A polynomial term c·Π q_k^e_k has the mean c when every e_k is 0 or 2, and 0 when some e_k is 1 and none is beyond 2.
 * A sum is linear in the mean; its variance is the sum of the variances when the summands are independent, which they are
 * when summand i uses members of families at i only. */
#include <string.h>

#include "expr/build.h"
#include "verify/exact.h"
#include "verify/ring.h"
#include "verify/wide.h"

#define MAX_ATOMS 1024

typedef struct {
    const exp_set *random;
    exp_builder b;
} moments;

static exp_node *outside(moments *m, const char *what) {
    if (!m->b.st) m->b.st = ph_fail(m->b.err, PH_EOUTSIDE, "%s", what);
    return NULL;
}

/* A random symbol as such, or a member of a random family. */
static bool is_random(const moments *m, const exp_node *atom) {
    for (int i = 0; i < m->random->n; i++)
        if (exp_same(m->random->item[i], atom) ||
            (atom->op == EXP_AT && exp_same(m->random->item[i], atom->arg[0])))
            return true;
    return false;
}

static bool has_random(const moments *m, const exp_node *e) {
    if ((e->op == EXP_SYM || e->op == EXP_AT) && is_random(m, e)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_random(m, e->arg[i])) return true;
    return false;
}

static bool has_sum(const exp_node *e) {
    if (e->op == EXP_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

static bool is_arithmetic(const exp_node *e) {
    if (e->op == EXP_POW) return e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && e->arg[1]->num >= 0;
    return e->op >= EXP_NEG && e->op <= EXP_DIV;
}

/* The symbols of a polynomial; a constant that is no polynomial is one as a whole. */
static ph_status find_atoms(moments *m, exp_set *atoms, exp_node *e) {
    ph_status st = PH_OK;
    if (e->op == EXP_RAT) return PH_OK;
    if (!is_arithmetic(e)) {
        if (has_random(m, e) && !((e->op == EXP_SYM || e->op == EXP_AT) && is_random(m, e)))
            return ph_fail(m->b.err, PH_EOUTSIDE,
                           "the moment of what is no polynomial in the random symbols");
        if (atoms->n == MAX_ATOMS) return ph_fail(m->b.err, PH_EBUDGET, "more than %d symbols", MAX_ATOMS);
        return exp_set_append(atoms, e, m->b.err);
    }
    for (uint32_t i = 0; i < e->nargs; i++) PH_TRY(find_atoms(m, atoms, e->arg[i]));
done:
    return st;
}

static ph_status read_polynomial(moments *m, ring_frac *out, exp_node *e, const exp_set *atoms, ring *r) {
    ph_status st = PH_OK;
    for (int i = 0; i < atoms->n; i++)
        if (exp_same(atoms->item[i], e)) return ver_ring_gen(out, i + 1, r), PH_OK;
    fmpq_t q;
    ring_frac v;
    fmpq_init(q);
    ver_ring_frac_init(&v, r);
    if (e->op == EXP_RAT) {
        ver_fmpq_set(q, e->num, e->den);
        ver_ring_set_fmpq(out, q, r);
    } else if (e->op == EXP_NEG) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        fmpz_mpoly_neg(out->n, out->n, r->ctx);
    } else if (e->op == EXP_POW && e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && e->arg[1]->num >= 0) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        st = ver_ring_pow(out, out, e->arg[1]->num, r);
    } else if (e->op >= EXP_ADD && e->op <= EXP_DIV && !(e->op == EXP_DIV && has_random(m, e->arg[1]))) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        PH_TRY(read_polynomial(m, &v, e->arg[1], atoms, r));
        if (e->op == EXP_MUL) st = ver_ring_mul(out, out, &v, r);
        else if (e->op == EXP_DIV) st = ver_ring_div(out, out, &v, r);
        else st = ver_ring_add(out, out, &v, e->op == EXP_ADD ? 1 : -1, r);
    } else st = ph_fail(m->b.err, PH_EOUTSIDE, "the moment of what is no polynomial in the random symbols");
done:
    fmpq_clear(q);
    ver_ring_frac_clear(&v, r);
    return st;
}

/* The mean of the term with exponents e as a formula; NULL for 0 (or a failure). */
static exp_node *mean_of_term(moments *m, const fmpz_t coef, const slong *e, const exp_set *atoms,
                              slong nvars) {
    bool zero = false;
    exp_node *t;
    if (!ver_fmpz_fits(coef)) return outside(m, "a coefficient beyond 64 bits");
    for (int i = 0; i < atoms->n; i++) {
        slong k = e[nvars - 2 - i];
        if (!is_random(m, atoms->item[i])) continue;
        if (k > 2) return outside(m, "a moment beyond the second, which mean 0 and variance 1 do not give");
        zero = zero || k == 1;
    }
    if (zero) return NULL;
    t = exp_b_rat(&m->b, ver_fmpz_get(coef), 1);
    for (int i = 0; i < atoms->n && t; i++) {
        slong k = e[nvars - 2 - i];
        if (k && !is_random(m, atoms->item[i]))
            t = exp_b_mul(&m->b, t, exp_b_pow(&m->b, atoms->item[i], exp_b_rat(&m->b, k, 1)));
    }
    return t;
}

/* The mean of a polynomial, term by term. */
static exp_node *mean_of_terms(moments *m, const fmpz_mpoly_t p, const exp_set *atoms, ring *r) {
    exp_node *sum = exp_b_rat(&m->b, 0, 1);
    slong *e = flint_calloc((size_t)r->nvars, sizeof *e);
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(p, r->ctx) && sum; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, r->ctx);
        fmpz_mpoly_get_term_exp_si(e, p, i, r->ctx);
        exp_node *t = mean_of_term(m, c, e, atoms, r->nvars);
        if (m->b.st) sum = NULL;
        else if (t) sum = exp_b_add(&m->b, sum, t);
    }
    fmpz_clear(c);
    flint_free(e);
    return sum;
}

/* q[i] and q[j] are independent only when i and j certainly differ. */
static void check_members(moments *m, const exp_set *atoms) {
    for (int i = 0; i < atoms->n; i++)
        for (int k = 0; k < i && !m->b.st; k++) {
            exp_node *x = atoms->item[i], *y = atoms->item[k];
            if (x->op != EXP_AT || y->op != EXP_AT || !exp_same(x->arg[0], y->arg[0]) || !is_random(m, x))
                continue;
            exp_node *gap = exp_b_linear(&m->b, exp_b_sub(&m->b, x->arg[1], y->arg[1]));
            if (gap && (gap->op != EXP_RAT || gap->num == 0))
                outside(m, "members of a random family that may be the same one");
        }
}

static exp_node *mean_of_polynomial(moments *m, exp_node *e) {
    exp_set atoms = {0};
    ring r;
    exp_node *out = NULL;
    if ((m->b.st = find_atoms(m, &atoms, e))) goto done;
    check_members(m, &atoms);
    if (m->b.st) goto done;
    m->b.st = ver_ring_init(&r, atoms.n + 1, m->b.err);
    if (!m->b.st) {
        ring_frac f;
        ver_ring_frac_init(&f, &r);
        m->b.st = read_polynomial(m, &f, e, &atoms, &r);
        if (!m->b.st)
            out = exp_b_div(&m->b, mean_of_terms(m, f.n, &atoms, &r), mean_of_terms(m, f.d, &atoms, &r));
        ver_ring_frac_clear(&f, &r);
    }
    ver_ring_clear(&r);
done:
    exp_set_clear(&atoms);
    return out;
}

static exp_node *mean(moments *m, exp_node *e) {
    exp_builder *b = &m->b;
    if (b->st || !e) return NULL;
    if (!has_random(m, e)) return e;
    if (!has_sum(e)) return mean_of_polynomial(m, e);
    exp_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_NEG: return exp_b_neg(b, mean(m, u));
    case EXP_ADD: return exp_b_add(b, mean(m, u), mean(m, v));
    case EXP_SUB: return exp_b_sub(b, mean(m, u), mean(m, v));
    case EXP_MUL:
        if (!has_random(m, u)) return exp_b_mul(b, u, mean(m, v));
        if (!has_random(m, v)) return exp_b_mul(b, mean(m, u), v);
        break;
    case EXP_DIV:
        if (!has_random(m, v)) return exp_b_div(b, mean(m, u), v);
        break;
    case EXP_SUM:
        if (has_random(m, v) || has_random(m, e->arg[2])) break;
        return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){u, v, e->arg[2], mean(m, e->arg[3])});
    default: break;
    }
    return outside(m, "the moment of a product with a sum");
}

/* Every random atom is a member at exactly the index. */
static bool only_at(const moments *m, const exp_node *e, const exp_node *index) {
    if (e->op == EXP_SUM) return false;
    if ((e->op == EXP_AT || e->op == EXP_SYM) && is_random(m, e))
        return e->op == EXP_AT && exp_same(e->arg[1], index);
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!only_at(m, e->arg[i], index)) return false;
    return true;
}

static exp_node *variance(moments *m, exp_node *e) {
    exp_builder *b = &m->b;
    if (b->st || !e) return NULL;
    if (!has_random(m, e)) return exp_b_rat(b, 0, 1);
    exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL,
             *two = exp_b_rat(b, 2, 1);
    if (!has_sum(e)) {
        exp_node *square = mean(m, exp_b_mul(b, e, e)), *first = mean(m, e);
        return exp_b_sub(b, square, exp_b_mul(b, first, first));
    }
    switch (e->op) {
    case EXP_NEG: return variance(m, u);
    case EXP_ADD:
    case EXP_SUB:
        if (!has_random(m, u)) return variance(m, v);
        if (!has_random(m, v)) return variance(m, u);
        break;
    case EXP_MUL:
        if (!has_random(m, u)) return exp_b_mul(b, exp_b_pow(b, u, two), variance(m, v));
        if (!has_random(m, v)) return exp_b_mul(b, exp_b_pow(b, v, two), variance(m, u));
        break;
    case EXP_DIV:
        if (!has_random(m, v)) return exp_b_div(b, variance(m, u), exp_b_pow(b, v, two));
        break;
    case EXP_SUM:
        if (!only_at(m, e->arg[3], u)) return outside(m, "a sum whose summands may depend on each other");
        return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){u, v, e->arg[2], variance(m, e->arg[3])});
    default: break;
    }
    return outside(m, "the variance of sums that are added or multiplied");
}

/* A quantity of mean 0 and variance 1 has both signs, and no complex value: there the square would not be enough. */
static void check_kind(moments *m, const exp_node *x) {
    const exp_node *s = x->op == EXP_AT ? x->arg[0] : x;
    if (m->b.st || s->kind == EXP_REAL || s->kind == EXP_INTEGER) return;
    m->b.st = ph_fail(m->b.err, PH_EARG, "the random symbol '%s' is %s; one of mean 0 and variance 1 is real",
                      s->name, exp_kind_name(s->kind));
}

/* f with its sums written out, and each random member apart from those that are none. */
static exp_node *prepare(moments *m, exp_node *f) {
    exp_node *e = f, *next;
    for (int i = 0; i < m->random->n && !m->b.st; i++) {
        check_kind(m, m->random->item[i]);
        if (!m->b.st) m->b.st = exp_names_agree((exp_node *[]){e, m->random->item[i]}, 2, m->b.err);
        if (m->b.st || (m->b.st = exp_members_apart(&next, e, m->random->item[i], m->b.err))) return NULL;
        if (!(e = exp_b_keep(&m->b, next))) return NULL;
    }
    if (m->b.st || (m->b.st = exp_expand_sums(&next, e, m->b.err))) return NULL;
    return exp_b_keep(&m->b, next);
}

ph_status ver_moment(exp_node **out, exp_node *f, const exp_set *random, int moment, ph_err *err) {
    *out = NULL;
    moments m = {.random = random, .b = EXP_BUILDER(err)};
    exp_node *e = prepare(&m, f);
    exp_node *r = !e ? NULL : moment == 1 ? mean(&m, e) : variance(&m, e);
    return exp_b_end(&m.b, out, r);
}
