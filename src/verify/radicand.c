/* radicand.c: the squares in what a root or a logarithm is taken of. A real polynomial fraction u = c·Π fᵢ^eᵢ in irreducible
 * real fᵢ over Q is s²·r with s = Π fᵢ^⌊eᵢ/2⌋ and r = c·Π over the odd eᵢ of fᵢ. Since s² >= 0,
 *     √u = |s|·√r,    u^a = |s|^2a·r^a  (u != 0),    log u = 2·log|s| + log r  (u != 0)
 * for every r, of whatever sign. The variables of the polynomials are the parts of u that are none themselves; sin² + cos² = 1 and
 * cosh² − sinh² = 1 between them are used in the direction that leaves the least under the root. */
#include "verify/radicand.h"

#include <flint/fmpz_mpoly_factor.h>
#include <stdlib.h>

#include "verify/normal_internal.h"
#include "verify/wide.h"

#define MAX_LEAVES 12
#define MAX_SIZE   400 /* of u, so that the search costs less than what it is for */
#define MAX_DEGREE 40
#define MAX_LENGTH 120

typedef struct {
    expr_builder *b;
    expr_node *leaf[MAX_LEAVES];
    int n;
    bool paired; /* some sin, cos, sinh or cosh is among them, its partner too */
} leaves;

static bool is_polynomial_op(const expr_node *e) {
    return e->op == EXPR_NEG || (e->op >= EXPR_ADD && e->op <= EXPR_DIV) || ver_is_integer_pow(e);
}

static int find_leaf(const leaves *l, const expr_node *e) {
    for (int i = 0; i < l->n; i++)
        if (expr_same(l->leaf[i], e)) return i;
    return -1;
}

static bool add_leaf(leaves *l, expr_node *e) {
    if (!e || !expr_is_real(e)) return false;
    if (find_leaf(l, e) >= 0) return true;
    if (l->n == MAX_LEAVES) return false;
    l->leaf[l->n++] = e;
    return true;
}

/* sin and cos come in pairs, the sine first; sinh and cosh likewise. */
static bool add_pair(leaves *l, expr_node *e) {
    bool round = e->op == EXPR_SIN || e->op == EXPR_COS;
    l->paired = true;
    return add_leaf(l, expr_b_1(l->b, round ? EXPR_SIN : EXPR_SINH, e->arg[0])) &&
           add_leaf(l, expr_b_1(l->b, round ? EXPR_COS : EXPR_COSH, e->arg[0]));
}

static bool gather(leaves *l, expr_node *e) {
    if (e->op == EXPR_RAT) return true;
    if (is_polynomial_op(e))
        return gather(l, e->arg[0]) && (e->op == EXPR_POW || e->nargs < 2 || gather(l, e->arg[1]));
    if (e->op == EXPR_SIN || e->op == EXPR_COS || e->op == EXPR_SINH || e->op == EXPR_COSH)
        return add_pair(l, e);
    return add_leaf(l, e);
}

/* ---- polynomials --------------------------------------------------------------------------------------- */

/* How the pairs are read: as they are, without even powers of the second, without those of the first. The one without is made
 * of the other, so it ranks higher. */
typedef enum { AS_IT_IS, NO_SECOND, NO_FIRST, READINGS } reading;

static slong generator(const leaves *l, int i, reading how) {
    if (how == NO_FIRST && i + 1 < l->n && (l->leaf[i]->op == EXPR_SIN || l->leaf[i]->op == EXPR_SINH))
        return i + 2;
    if (how == NO_FIRST && (l->leaf[i]->op == EXPR_COS || l->leaf[i]->op == EXPR_COSH)) return i;
    return i + 1;
}

/* cos² = 1 − sin², sin² = 1 − cos², cosh² = 1 + sinh², sinh² = cosh² − 1 */
static ph_status relate_pairs(const leaves *l, reading how, ring *r) {
    ph_status st = PH_OK;
    ring_frac t, one;
    ver_ring_frac_init(&t, r);
    ver_ring_frac_init(&one, r);
    for (int i = 0; i + 1 < l->n; i++) {
        bool round = l->leaf[i]->op == EXPR_SIN;
        if (!round && l->leaf[i]->op != EXPR_SINH) continue;
        slong low = generator(l, how == NO_FIRST ? i + 1 : i, how),
              high = generator(l, how == NO_FIRST ? i : i + 1, how);
        ver_ring_gen(&t, low, r);
        PH_TRY(ver_ring_mul(&t, &t, &t, r));
        ver_set_si(&one, !round && how == NO_FIRST ? -1 : 1, 1, r);
        PH_TRY(ver_ring_add(&t, &one, &t, round ? -1 : 1, r));
        PH_TRY(ver_ring_relate(r, high, 2, &t));
    }
done:
    ver_ring_frac_clear(&t, r);
    ver_ring_frac_clear(&one, r);
    return st;
}

static ph_status read_fraction(ring_frac *out, const expr_node *e, const leaves *l, reading how, ring *r) {
    if (e->op == EXPR_RAT) return ver_set_si(out, e->num, e->den, r), PH_OK;
    if (!is_polynomial_op(e)) return ver_ring_gen(out, generator(l, find_leaf(l, e), how), r), PH_OK;
    ph_status st = read_fraction(out, e->arg[0], l, how, r);
    if (st) return st;
    if (e->op == EXPR_NEG) return fmpz_mpoly_neg(out->n, out->n, r->ctx), PH_OK;
    if (e->op == EXPR_POW) return ver_ring_pow(out, out, e->arg[1]->num, r);
    ring_frac v;
    ver_ring_frac_init(&v, r);
    st = read_fraction(&v, e->arg[1], l, how, r);
    if (!st && e->op == EXPR_MUL) st = ver_ring_mul(out, out, &v, r);
    else if (!st && e->op == EXPR_DIV) st = ver_ring_div(out, out, &v, r);
    else if (!st) st = ver_ring_add(out, out, &v, e->op == EXPR_ADD ? 1 : -1, r);
    ver_ring_frac_clear(&v, r);
    return st;
}

/* ---- back to formulas ---------------------------------------------------------------------------------- */

static expr_node *constant(expr_builder *b, const fmpz_t c) {
    if (!ver_fmpz_fits(c) || ver_fmpz_get(c) == INT64_MIN) return NULL;
    return expr_b_rat(b, ver_fmpz_get(c), 1);
}

static expr_node *term(const leaves *l, const fmpz_mpoly_t p, slong i, reading how, const ring *r) {
    fmpz_t c;
    slong e[MAX_LEAVES + 1];
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, i, r->ctx);
    fmpz_mpoly_get_term_exp_si(e, p, i, r->ctx);
    expr_node *t = constant(l->b, c);
    for (int k = 0; k < l->n && t; k++) {
        slong m = e[r->nvars - 1 - generator(l, k, how)];
        if (m) t = expr_b_mul(l->b, t, expr_b_pow(l->b, l->leaf[k], expr_b_rat(l->b, m, 1)));
    }
    fmpz_clear(c);
    return t;
}

static expr_node *formula_of(const leaves *l, const fmpz_mpoly_t p, reading how, const ring *r) {
    expr_node *sum = NULL;
    for (slong i = 0; i < fmpz_mpoly_length(p, r->ctx); i++) {
        expr_node *t = term(l, p, i, how, r);
        if (!t) return NULL;
        sum = sum ? expr_b_add(l->b, sum, t) : t;
    }
    return sum;
}

/* ---- the two parts ------------------------------------------------------------------------------------- */

static expr_node *times_power(expr_builder *b, expr_node *x, expr_node *f, slong k) {
    return k ? expr_b_mul(b, x, expr_b_pow(b, f, expr_b_rat(b, k, 1))) : x;
}

/* The factors of a numerator or denominator, those that are certainly positive or those that are not, shared out between s and r. */
static bool share(const leaves *l, ver_radicand *out, const fmpz_mpoly_factor_t fac, bool below,
                  bool positive, reading how, const ring *r) {
    for (slong i = 0; i < fac->num; i++) {
        expr_node *f = formula_of(l, fac->poly + i, how, r);
        if (!f || !fmpz_fits_si(fac->exp + i)) return false;
        if (expr_is_positive(f) != positive) continue;
        slong e = fmpz_get_si(fac->exp + i);
        out->s = times_power(l->b, out->s, f, below ? -((e + 1) / 2) : e / 2);
        out->r = times_power(l->b, out->r, f, e % 2);
        out->parts += e % 2 != 0;
    }
    return true;
}

/* c·Π over both, the positive parts last: a logarithm of r is taken apart from there. */
static bool share_all(const leaves *l, ver_radicand *out, const fmpz_mpoly_factor_t up,
                      const fmpz_mpoly_factor_t down, reading how, const ring *r) {
    expr_node *c = constant(l->b, up->constant), *d = constant(l->b, down->constant), *q = NULL;
    if (c && d) q = expr_b_div(l->b, c, d);
    if (!q) return false;
    *out = (ver_radicand){.s = expr_b_rat(l->b, 1, 1), .r = expr_b_rat(l->b, q->num < 0 ? -1 : 1, 1)};
    if (!share(l, out, down, true, false, how, r) || !share(l, out, up, false, false, how, r)) return false;
    out->scaled = q->den != 1 || (q->num != 1 && q->num != -1);
    out->r = expr_b_mul(l->b, out->r, expr_b_rat(l->b, q->num < 0 ? -q->num : q->num, q->den));
    return share(l, out, down, true, true, how, r) && share(l, out, up, false, true, how, r);
}

static slong left_under(const fmpz_mpoly_factor_t fac, const ring *r) {
    slong degree = 0;
    for (slong i = 0; i < fac->num; i++)
        if (fmpz_is_odd(fac->exp + i)) degree += fmpz_mpoly_total_degree_si(fac->poly + i, r->ctx);
    return degree;
}

static bool is_small(const fmpz_mpoly_t p, const ring *r) {
    return fmpz_mpoly_length(p, r->ctx) <= MAX_LENGTH &&
           fmpz_mpoly_total_degree_si(p, r->ctx) <= MAX_DEGREE && labs(fmpz_mpoly_max_bits(p)) < 64;
}

/* One reading of u: false when it cannot be had. *left is the degree of what stays under the root. */
static bool decompose(const leaves *l, ver_radicand *out, slong *left, const expr_node *u, reading how) {
    ring r;
    ph_err unheard;
    ring_frac f;
    fmpz_mpoly_factor_t up, down;
    bool ok = !ver_ring_init(&r, l->n + 1, &unheard);
    ver_ring_frac_init(&f, &r);
    fmpz_mpoly_factor_init(up, r.ctx);
    fmpz_mpoly_factor_init(down, r.ctx);
    ok = ok && (how == AS_IT_IS || !relate_pairs(l, how, &r)) && !read_fraction(&f, u, l, how, &r) &&
         !ver_ring_cancel(&f, &r) && !fmpz_mpoly_is_zero(f.n, r.ctx) && is_small(f.n, &r) &&
         is_small(f.d, &r) && fmpz_mpoly_factor(up, f.n, r.ctx) && fmpz_mpoly_factor(down, f.d, r.ctx);
    if (ok) {
        *left = left_under(up, &r) + left_under(down, &r);
        ok = share_all(l, out, up, down, how, &r) && !l->b->st;
    }
    fmpz_mpoly_factor_clear(up, r.ctx);
    fmpz_mpoly_factor_clear(down, r.ctx);
    ver_ring_frac_clear(&f, &r);
    ver_ring_clear(&r);
    return ok;
}

static bool has_sum_of_terms(const expr_node *u) {
    if (u->op == EXPR_ADD || u->op == EXPR_SUB) return true;
    if (u->op == EXPR_POW && ver_is_integer_pow(u)) return u->arg[1]->num != 1;
    return is_polynomial_op(u) &&
           (has_sum_of_terms(u->arg[0]) || (u->nargs > 1 && has_sum_of_terms(u->arg[1])));
}

bool ver_take_square(expr_builder *b, ver_radicand *out, expr_node *u) {
    leaves l = {.b = b};
    if (b->st || u->size > MAX_SIZE || !has_sum_of_terms(u) || !gather(&l, u) || l.n == 0) return false;
    slong best = -1;
    for (int how = AS_IT_IS; how < READINGS && (how == AS_IT_IS || l.paired); how++) {
        slong left;
        ver_radicand r;
        if (!decompose(&l, &r, &left, u, (reading)how) || (best >= 0 && left >= best)) continue;
        best = left;
        *out = r;
    }
    return best >= 0 && !b->st &&
           (!expr_is_rat(out->s, 1, 1) || out->parts > 1 || out->r->op == EXPR_RAT || out->scaled);
}
