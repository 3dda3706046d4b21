/* moments.c: E[f] and Var[f] for independent random symbols of mean 0 and variance 1.
 *
 * A polynomial term c·Π q_k^e_k has the mean c when every e_k is 0 or 2, and 0 when some e_k is 1 and none is beyond 2.
 * The variance is E|f|² − |E f|²: f may be complex. A sum is linear in the mean; its variance is the sum of the variances when the
 * summands are independent, which they are when summand i uses members of families at i only. */
#include <string.h>

#include "expr/build.h"
#include "verify/exact.h"
#include "verify/ring.h"
#include "verify/wide.h"

#define MAX_ATOMS 1024

typedef struct {
    const expr_set *random;
    expr_builder b;
} moments;

static expr_node *outside(moments *m, const char *what) {
    if (!m->b.st) m->b.st = ph_fail(m->b.err, PH_EOUTSIDE, "%s", what);
    return NULL;
}

/* A random symbol as such, or a member of a random family. */
static bool is_random(const moments *m, const expr_node *atom) {
    for (int i = 0; i < m->random->n; i++)
        if (expr_same(m->random->item[i], atom) ||
            (atom->op == EXPR_AT && expr_same(m->random->item[i], atom->arg[0])))
            return true;
    return false;
}

static bool has_random(const moments *m, const expr_node *e) {
    if ((e->op == EXPR_SYM || e->op == EXPR_AT) && is_random(m, e)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_random(m, e->arg[i])) return true;
    return false;
}

static bool has_sum(const expr_node *e) {
    if (e->op == EXPR_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

static bool is_arithmetic(const expr_node *e) {
    if (e->op == EXPR_POW) return e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && e->arg[1]->num >= 0;
    return e->op >= EXPR_NEG && e->op <= EXPR_DIV;
}

/* The symbols of a polynomial; a constant that is no polynomial is one as a whole. */
static ph_status find_atoms(moments *m, expr_set *atoms, expr_node *e) {
    ph_status st = PH_OK;
    if (e->op == EXPR_RAT) return PH_OK;
    if (!is_arithmetic(e)) {
        if (has_random(m, e) && !((e->op == EXPR_SYM || e->op == EXPR_AT) && is_random(m, e)))
            return ph_fail(m->b.err, PH_EOUTSIDE,
                           "the moment of what is no polynomial in the random symbols");
        if (atoms->n == MAX_ATOMS) return ph_fail(m->b.err, PH_EBUDGET, "more than %d symbols", MAX_ATOMS);
        return expr_set_append(atoms, e, m->b.err);
    }
    for (uint32_t i = 0; i < e->nargs; i++) PH_TRY(find_atoms(m, atoms, e->arg[i]));
done:
    return st;
}

static ph_status read_polynomial(moments *m, ring_frac *out, expr_node *e, const expr_set *atoms, ring *r) {
    ph_status st = PH_OK;
    for (int i = 0; i < atoms->n; i++)
        if (expr_same(atoms->item[i], e)) return ver_ring_gen(out, i + 1, r), PH_OK;
    fmpq_t q;
    ring_frac v;
    fmpq_init(q);
    ver_ring_frac_init(&v, r);
    if (e->op == EXPR_RAT) {
        ver_fmpq_set(q, e->num, e->den);
        ver_ring_set_fmpq(out, q, r);
    } else if (e->op == EXPR_NEG) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        fmpz_mpoly_neg(out->n, out->n, r->ctx);
    } else if (e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && e->arg[1]->num >= 0) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        st = ver_ring_pow(out, out, e->arg[1]->num, r);
    } else if (e->op >= EXPR_ADD && e->op <= EXPR_DIV && !(e->op == EXPR_DIV && has_random(m, e->arg[1]))) {
        PH_TRY(read_polynomial(m, out, e->arg[0], atoms, r));
        PH_TRY(read_polynomial(m, &v, e->arg[1], atoms, r));
        if (e->op == EXPR_MUL) st = ver_ring_mul(out, out, &v, r);
        else if (e->op == EXPR_DIV) st = ver_ring_div(out, out, &v, r);
        else st = ver_ring_add(out, out, &v, e->op == EXPR_ADD ? 1 : -1, r);
    } else st = ph_fail(m->b.err, PH_EOUTSIDE, "the moment of what is no polynomial in the random symbols");
done:
    fmpq_clear(q);
    ver_ring_frac_clear(&v, r);
    return st;
}

/* The mean of the term with exponents e as a formula; NULL for 0 (or a failure). */
static expr_node *mean_of_term(moments *m, const fmpz_t coef, const slong *e, const expr_set *atoms,
                               slong nvars) {
    bool zero = false;
    expr_node *t;
    if (!ver_fmpz_fits(coef)) return outside(m, "a coefficient beyond 64 bits");
    for (int i = 0; i < atoms->n; i++) {
        slong k = e[nvars - 2 - i];
        if (!is_random(m, atoms->item[i])) continue;
        if (k > 2) return outside(m, "a moment beyond the second, which mean 0 and variance 1 do not give");
        zero = zero || k == 1;
    }
    if (zero) return NULL;
    t = expr_b_rat(&m->b, ver_fmpz_get(coef), 1);
    for (int i = 0; i < atoms->n && t; i++) {
        slong k = e[nvars - 2 - i];
        if (k && !is_random(m, atoms->item[i]))
            t = expr_b_mul(&m->b, t, expr_b_pow(&m->b, atoms->item[i], expr_b_rat(&m->b, k, 1)));
    }
    return t;
}

/* The mean of a polynomial, term by term. */
static expr_node *mean_of_terms(moments *m, const fmpz_mpoly_t p, const expr_set *atoms, ring *r) {
    expr_node *sum = expr_b_rat(&m->b, 0, 1);
    slong *e = flint_calloc((size_t)r->nvars, sizeof *e);
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(p, r->ctx) && sum; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, r->ctx);
        fmpz_mpoly_get_term_exp_si(e, p, i, r->ctx);
        expr_node *t = mean_of_term(m, c, e, atoms, r->nvars);
        if (m->b.st) sum = NULL;
        else if (t) sum = expr_b_add(&m->b, sum, t);
    }
    fmpz_clear(c);
    flint_free(e);
    return sum;
}

/* q[i] and q[j] are independent only when i and j certainly differ. */
static void check_members(moments *m, const expr_set *atoms) {
    for (int i = 0; i < atoms->n; i++)
        for (int k = 0; k < i && !m->b.st; k++) {
            expr_node *x = atoms->item[i], *y = atoms->item[k];
            if (x->op != EXPR_AT || y->op != EXPR_AT || !expr_same(x->arg[0], y->arg[0]) || !is_random(m, x))
                continue;
            expr_node *gap = expr_b_linear(&m->b, expr_b_sub(&m->b, x->arg[1], y->arg[1]));
            if (gap && (gap->op != EXPR_RAT || gap->num == 0))
                outside(m, "members of a random family that may be the same one");
        }
}

static expr_node *mean_of_polynomial(moments *m, expr_node *e) {
    expr_set atoms = {0};
    ring r;
    expr_node *out = NULL;
    if ((m->b.st = find_atoms(m, &atoms, e))) goto done;
    check_members(m, &atoms);
    if (m->b.st) goto done;
    m->b.st = ver_ring_init(&r, atoms.n + 1, m->b.err);
    if (!m->b.st) {
        ring_frac f;
        ver_ring_frac_init(&f, &r);
        m->b.st = read_polynomial(m, &f, e, &atoms, &r);
        if (!m->b.st)
            out = expr_b_div(&m->b, mean_of_terms(m, f.n, &atoms, &r), mean_of_terms(m, f.d, &atoms, &r));
        ver_ring_frac_clear(&f, &r);
    }
    ver_ring_clear(&r);
done:
    expr_set_clear(&atoms);
    return out;
}

static expr_node *mean(moments *m, expr_node *e) {
    expr_builder *b = &m->b;
    if (b->st || !e) return NULL;
    if (!has_random(m, e)) return e;
    if (!has_sum(e)) return mean_of_polynomial(m, e);
    expr_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_NEG: return expr_b_neg(b, mean(m, u));
    case EXPR_ADD: return expr_b_add(b, mean(m, u), mean(m, v));
    case EXPR_SUB: return expr_b_sub(b, mean(m, u), mean(m, v));
    case EXPR_MUL:
        if (!has_random(m, u)) return expr_b_mul(b, u, mean(m, v));
        if (!has_random(m, v)) return expr_b_mul(b, mean(m, u), v);
        break;
    case EXPR_DIV:
        if (!has_random(m, v)) return expr_b_div(b, mean(m, u), v);
        break;
    case EXPR_SUM:
        if (has_random(m, v) || has_random(m, e->arg[2])) break;
        return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){u, v, e->arg[2], mean(m, e->arg[3])});
    default: break;
    }
    return outside(m, "the moment of a product with a sum");
}

/* Every random atom is a member at exactly the index. */
static bool only_at(const moments *m, const expr_node *e, const expr_node *index) {
    if (e->op == EXPR_SUM) return false;
    if ((e->op == EXPR_AT || e->op == EXPR_SYM) && is_random(m, e))
        return e->op == EXPR_AT && expr_same(e->arg[1], index);
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!only_at(m, e->arg[i], index)) return false;
    return true;
}

/* |e|² */
static expr_node *size_squared(moments *m, expr_node *e) {
    expr_builder *b = &m->b;
    expr_node *conj;
    if (!e) return NULL;
    if (expr_is_real(e)) return expr_b_pow(b, e, expr_b_rat(b, 2, 1));
    expr_node *of = expr_b_1(b, EXPR_CONJ, e);
    if (!of || (b->st = expr_push_conj(&conj, of, b->err))) return NULL;
    return expr_b_mul(b, e, expr_b_keep(b, conj));
}

static expr_node *variance(moments *m, expr_node *e) {
    expr_builder *b = &m->b;
    if (b->st || !e) return NULL;
    if (!has_random(m, e)) return expr_b_rat(b, 0, 1);
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    if (!has_sum(e)) return expr_b_sub(b, mean(m, size_squared(m, e)), size_squared(m, mean(m, e)));
    switch (e->op) {
    case EXPR_NEG: return variance(m, u);
    case EXPR_ADD:
    case EXPR_SUB:
        if (!has_random(m, u)) return variance(m, v);
        if (!has_random(m, v)) return variance(m, u);
        break;
    case EXPR_MUL:
        if (!has_random(m, u)) return expr_b_mul(b, size_squared(m, u), variance(m, v));
        if (!has_random(m, v)) return expr_b_mul(b, size_squared(m, v), variance(m, u));
        break;
    case EXPR_DIV:
        if (!has_random(m, v)) return expr_b_div(b, variance(m, u), size_squared(m, v));
        break;
    case EXPR_SUM:
        if (!only_at(m, e->arg[3], u)) return outside(m, "a sum whose summands may depend on each other");
        return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){u, v, e->arg[2], variance(m, e->arg[3])});
    default: break;
    }
    return outside(m, "the variance of sums that are added or multiplied");
}

/* A quantity of mean 0 and variance 1 has both signs, and no complex value: there the square would not be enough. */
static void check_kind(moments *m, const expr_node *x) {
    const expr_node *s = x->op == EXPR_AT ? x->arg[0] : x;
    if (m->b.st || s->kind == EXPR_REAL || s->kind == EXPR_INTEGER) return;
    m->b.st = ph_fail(m->b.err, PH_EARG, "the random symbol '%s' is %s; one of mean 0 and variance 1 is real",
                      s->name, expr_kind_name(s->kind));
}

/* f with its sums written out, and each random member apart from those that are none. */
static expr_node *prepare(moments *m, expr_node *f) {
    expr_node *e = f, *next;
    for (int i = 0; i < m->random->n && !m->b.st; i++) {
        check_kind(m, m->random->item[i]);
        if (!m->b.st) m->b.st = expr_names_agree((expr_node *[]){e, m->random->item[i]}, 2, m->b.err);
        if (m->b.st || (m->b.st = expr_members_apart(&next, e, m->random->item[i], m->b.err))) return NULL;
        if (!(e = expr_b_keep(&m->b, next))) return NULL;
    }
    if (m->b.st || (m->b.st = expr_expand_sums(&next, e, m->b.err))) return NULL;
    return expr_b_keep(&m->b, next);
}

ph_status ver_moment(expr_node **out, expr_node *f, const expr_set *random, int moment, ph_err *err) {
    *out = NULL;
    moments m = {.random = random, .b = EXPR_BUILDER(err)};
    expr_node *e = prepare(&m, f);
    expr_node *r = !e ? NULL : moment == 1 ? mean(&m, e) : variance(&m, e);
    return expr_b_end(&m.b, out, r);
}
