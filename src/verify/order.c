/* order.c: u >= 0 and u > 0, by arguments that are exact.
 *   sign visible     a lower bound of u from |sin|, |cos|, |tanh| <= 1, even powers, positive symbols
 *   one variable     a polynomial over Q is >= 0 on the line iff its factors of odd multiplicity have no real root and
 *                    it is positive somewhere (Sturm, in FLINT)
 *   degree two       u(x) = (1,x)ᵀ G (1,x) is >= 0 for all x iff G = L D Lᵀ has D >= 0: a sum of squares
 *   monotonicity     u(c) >= 0 and u' >= 0 on x >= c, repeated
 */
#include "verify/order.h"

#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <string.h>

#include "expr/build.h"
#include "verify/ball.h"
#include "verify/internal.h"
#include "verify/normal.h"
#include "verify/ring.h"
#include "verify/trust.h"

#define MAX_VARS        64
#define MAX_DERIVATIVES 6
#define POINTS          200

typedef enum { UNSETTLED, NONNEGATIVE, POSITIVE } sign_answer;

/* ---- signs visible in the formula ---------------------------------------------------------------------- */

/* A rational lower (sign = 1) or upper (sign = −1) bound of a real formula for all values; false: none found. */
static bool bound(fmpq_t out, const exp_node *e, int sign) {
    const exp_node *a = e->nargs ? e->arg[0] : NULL, *b = e->nargs > 1 ? e->arg[1] : NULL;
    fmpq_t t;
    bool ok = false;
    switch (e->op) {
    case EXP_RAT: fmpq_set_si(out, e->num, (ulong)e->den); return true;
    case EXP_NEG:
        ok = bound(out, a, -sign);
        fmpq_neg(out, out);
        return ok;
    case EXP_SIN:
    case EXP_COS:
    case EXP_TANH: fmpq_set_si(out, -sign, 1); return exp_is_real(a);
    case EXP_ADD:
    case EXP_SUB:
        fmpq_init(t);
        ok = bound(out, a, sign) && bound(t, b, e->op == EXP_ADD ? sign : -sign);
        if (ok && e->op == EXP_ADD) fmpq_add(out, out, t);
        else if (ok) fmpq_sub(out, out, t);
        fmpq_clear(t);
        return ok;
    case EXP_MUL: /* by a constant */
        if (a->op != EXP_RAT && b->op == EXP_RAT) {
            const exp_node *swap = a;
            a = b;
            b = swap;
        }
        if (a->op == EXP_RAT) {
            fmpq_init(t);
            fmpq_set_si(t, a->num, (ulong)a->den);
            ok = bound(out, b, a->num < 0 ? -sign : sign);
            fmpq_mul(out, out, t);
            fmpq_clear(t);
            if (ok) return true;
        }
        break;
    case EXP_DIV:
        if (b->op == EXP_RAT && b->num > 0 && bound(out, a, sign)) {
            fmpq_init(t);
            fmpq_set_si(t, b->num, (ulong)b->den);
            fmpq_div(out, out, t);
            fmpq_clear(t);
            return true;
        }
        break;
    default: break;
    }
    if (sign > 0 && exp_is_nonnegative(e)) {
        fmpq_zero(out);
        return true;
    }
    return false;
}

static sign_answer visible(const exp_node *u) {
    fmpq_t q;
    fmpq_init(q);
    sign_answer r = exp_is_positive(u) ? POSITIVE : UNSETTLED;
    if (r == UNSETTLED && bound(q, u, 1) && fmpq_sgn(q) >= 0) r = fmpq_sgn(q) > 0 ? POSITIVE : NONNEGATIVE;
    fmpq_clear(q);
    return r;
}

/* ---- polynomials over Q -------------------------------------------------------------------------------- */

typedef struct {
    exp_set vars;
    ring r;
} poly_ring;

/* e as a polynomial in its atoms (ring generators 1, 2, …); false when it is none. */
static bool as_polynomial(ring_frac *out, const exp_node *e, poly_ring *p) {
    if (e->op == EXP_RAT) {
        fmpq_t q;
        fmpq_init(q);
        fmpq_set_si(q, e->num, (ulong)e->den);
        ver_ring_set_fmpq(out, q, &p->r);
        fmpq_clear(q);
        return true;
    }
    for (int i = 0; i < p->vars.n; i++)
        if (exp_same(p->vars.item[i], e)) {
            ver_ring_gen(out, i + 1, &p->r);
            return true;
        }
    if (e->op != EXP_NEG && (e->op < EXP_ADD || e->op > EXP_POW)) return false;
    ring_frac b;
    ver_ring_frac_init(&b, &p->r);
    bool ok = as_polynomial(out, e->arg[0], p);
    if (e->op == EXP_NEG) fmpz_mpoly_neg(out->n, out->n, p->r.ctx);
    else if (e->op == EXP_POW)
        ok = ok && e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && e->arg[1]->num >= 0 &&
             !ver_ring_pow(out, out, e->arg[1]->num, &p->r);
    else {
        ok = ok && as_polynomial(&b, e->arg[1], p);
        if (e->op == EXP_MUL) ok = ok && !ver_ring_mul(out, out, &b, &p->r);
        else if (e->op == EXP_DIV)
            ok = ok && fmpz_mpoly_is_fmpz(b.n, p->r.ctx) && !ver_ring_div(out, out, &b, &p->r);
        else ok = ok && !ver_ring_add(out, out, &b, e->op == EXP_ADD ? 1 : -1, &p->r);
    }
    ver_ring_frac_clear(&b, &p->r);
    return ok;
}

/* The polynomial in one variable that only generator 1 occurs in. */
static void univariate(fmpz_poly_t out, const fmpz_mpoly_t n, poly_ring *p) {
    fmpz_t c;
    fmpz_init(c);
    slong *e = flint_calloc((size_t)p->r.nvars, sizeof *e);
    for (slong i = 0; i < fmpz_mpoly_length(n, p->r.ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, n, i, p->r.ctx);
        fmpz_mpoly_get_term_exp_si(e, n, i, p->r.ctx);
        fmpz_poly_set_coeff_fmpz(out, e[p->r.nvars - 2], c);
    }
    flint_free(e);
    fmpz_clear(c);
}

static sign_answer one_variable(const fmpz_mpoly_t n, poly_ring *p) {
    fmpz_poly_t f;
    fmpz_poly_factor_t fac;
    fmpz_poly_init(f);
    fmpz_poly_factor_init(fac);
    univariate(f, n, p);
    sign_answer r = UNSETTLED;
    bool rootless = true, even = true;
    slong degree = fmpz_poly_degree(f);
    if (degree >= 0 && degree <= 200 && degree % 2 == 0 && fmpz_sgn(fmpz_poly_lead(f)) > 0) {
        fmpz_poly_factor_squarefree(fac, f);
        for (slong i = 0; i < fac->num; i++) {
            bool roots = fmpz_poly_num_real_roots(fac->p + i) > 0;
            if (roots) rootless = false;
            if (roots && fac->exp[i] % 2) even = false;
        }
        if (rootless || even) r = rootless ? POSITIVE : NONNEGATIVE;
    }
    fmpz_poly_clear(f);
    fmpz_poly_factor_clear(fac);
    return r;
}

/* G of the quadratic polynomial n(x) = (1,x)ᵀG(1,x), over its denominator's sign. */
static bool gram(fmpq_mat_t G, const fmpz_mpoly_t n, poly_ring *p) {
    fmpz_t c;
    fmpz_init(c);
    slong *e = flint_calloc((size_t)p->r.nvars, sizeof *e);
    bool quadratic = true;
    for (slong i = 0; i < fmpz_mpoly_length(n, p->r.ctx) && quadratic; i++) {
        slong at[2] = {0, 0}, k = 0;
        fmpz_mpoly_get_term_coeff_fmpz(c, n, i, p->r.ctx);
        fmpz_mpoly_get_term_exp_si(e, n, i, p->r.ctx);
        for (slong g = 1; g < p->r.nvars; g++)
            for (slong m = e[p->r.nvars - 1 - g]; m > 0 && quadratic; m--) {
                if (k == 2) quadratic = false;
                else at[k++] = g;
            }
        if (!quadratic) break;
        fmpq *u = fmpq_mat_entry(G, at[0], at[1]), *v = fmpq_mat_entry(G, at[1], at[0]);
        fmpq_set_fmpz_frac(u, c, (fmpz[]){u == v ? 1 : 2});
        if (u != v) fmpq_set(v, u);
    }
    flint_free(e);
    fmpz_clear(c);
    return quadratic;
}

/* Symmetric elimination: a pivot d > 0 takes its row and column away, d = 0 needs its whole row to be 0, d < 0 ends it.
 * G >= 0 with the constant's own pivot taken last: if that is > 0, u is positive. */
static sign_answer semidefinite(fmpq_mat_t G) {
    slong n = fmpq_mat_nrows(G);
    fmpq_t f, t;
    fmpq_init(f);
    fmpq_init(t);
    sign_answer r = NONNEGATIVE;
    for (slong k = n - 1; k >= 0 && r != UNSETTLED; k--) { /* row 0 is the constant */
        const fmpq *d = fmpq_mat_entry(G, k, k);
        if (fmpq_sgn(d) < 0) r = UNSETTLED;
        if (fmpq_is_zero(d))
            for (slong i = 0; i < k; i++)
                if (!fmpq_is_zero(fmpq_mat_entry(G, i, k))) r = UNSETTLED;
        if (k == 0 && fmpq_sgn(d) > 0 && r != UNSETTLED) r = POSITIVE;
        for (slong i = 0; i < k && r != UNSETTLED && !fmpq_is_zero(d); i++) {
            fmpq_div(f, fmpq_mat_entry(G, i, k), d);
            for (slong j = 0; j < k; j++) {
                fmpq_mul(t, f, fmpq_mat_entry(G, k, j));
                fmpq_sub(fmpq_mat_entry(G, i, j), fmpq_mat_entry(G, i, j), t);
            }
        }
    }
    fmpq_clear(f);
    fmpq_clear(t);
    return r;
}

static ph_status polynomial(sign_answer *out, const char **method, exp_node *u, ph_err *err) {
    poly_ring p = {0};
    *out = UNSETTLED;
    ph_status st = exp_symbols(&p.vars, u, err);
    if (st || p.vars.n == 0 || p.vars.n > MAX_VARS) goto done;
    st = ver_ring_init(&p.r, p.vars.n + 1, err);
    ring_frac f;
    ver_ring_frac_init(&f, &p.r);
    if (!st && as_polynomial(&f, u, &p) && fmpz_mpoly_is_fmpz(f.d, p.r.ctx)) {
        if (p.vars.n == 1) {
            *out = one_variable(f.n, &p);
            *method = "real roots of a polynomial over Q, counted exactly";
        }
        fmpq_mat_t G;
        fmpq_mat_init(G, p.vars.n + 1, p.vars.n + 1);
        if (*out == UNSETTLED && gram(G, f.n, &p)) {
            *out = semidefinite(G);
            *method = "sum of squares over Q (L D L^T with D >= 0)";
        }
        fmpq_mat_clear(G);
    }
    ver_ring_frac_clear(&f, &p.r);
    ver_ring_clear(&p.r);
done:
    exp_set_clear(&p.vars);
    return st;
}

/* ---- monotonicity -------------------------------------------------------------------------------------- */

/* c, or the least value that the kind of x allows where that is above c: of a positive x its limit 0, of a natural one 1. */
static exp_node *within_kind(exp_builder *b, const exp_node *x, exp_node *c) {
    if (x->kind != EXP_POSITIVE && x->kind != EXP_NATURAL) return c;
    int64_t least = x->kind == EXP_NATURAL;
    return !c || c->num < 0 || (least && c->num < c->den) ? exp_b_rat(b, least, 1) : c;
}

/* The constant c of an assumption x >= c or x > c, in either order; NULL: it is none. */
static exp_node *bound_of(const exp_node *w, const exp_node *x) {
    bool up = w->op == EXP_GE || w->op == EXP_GT, down = w->op == EXP_LE || w->op == EXP_LT;
    if (up && exp_same(w->arg[0], x) && w->arg[1]->op == EXP_RAT) return w->arg[1];
    return down && exp_same(w->arg[1], x) && w->arg[0]->op == EXP_RAT ? w->arg[0] : NULL;
}

/* The end point c when what is known of the one symbol x is x >= c: an assumption, or the kind of x. Never below what x
 * can be: a formula in a positive x need not be defined, nor continuous, from a negative c on. */
static bool end_point(exp_node **x, exp_node **c, exp_builder *b, const exp_node *u, const ver_assume *a) {
    exp_set s;
    if (b->st || (b->st = exp_symbols(&s, u, b->err))) return false;
    *c = NULL;
    bool one = s.n == 1 && s.item[0]->op == EXP_SYM && !exp_has_family(u, s.item[0]) && (*x = exp_b_keep(b, exp_ref(s.item[0])));
    if (one) {
        for (int i = 0; a && i < a->nwhere && !*c; i++) *c = bound_of(a->where[i], *x);
        *c = within_kind(b, *x, *c);
    }
    exp_set_clear(&s);
    return one && *c;
}

/* Of an integer x, the same formula in a real x: what holds for all real x >= c holds for the whole ones among them. */
static ph_status among_reals(exp_node **u, exp_node **x, exp_builder *b) {
    exp_kind kind = (*x)->kind;
    if (kind != EXP_INTEGER && kind != EXP_NATURAL) return PH_OK;
    exp_node *real = NULL, *v = NULL;
    ph_status st = exp_sym(&real, (*x)->name, kind == EXP_NATURAL ? EXP_POSITIVE : EXP_REAL, b->err);
    if (st) return st;
    if (!(real = exp_b_keep(b, real))) return b->st;
    if ((st = exp_subst(&v, *u, *x, real, b->err))) return st;
    if (!(v = exp_b_keep(b, v))) return b->st;
    *u = v;
    *x = real;
    return PH_OK;
}

static bool no_value(void *ctx, acb_t v, const exp_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* Out of memory or interrupted: what no other argument may take the place of. */
/* The sign of a constant formula: exact zero by normal form, else a ball that excludes 0. */
static ph_status constant_sign(sign_answer *out, const exp_node *e, ph_err *err) {
    normal_form f;
    ph_status st = PH_OK;
    acb_t v;
    acb_init(v);
    *out = UNSETTLED;
    for (slong prec = 64; prec <= 512 && *out == UNSETTLED; prec *= 2) {
        st = ver_ball(v, e, no_value, NULL, prec, err);
        if (st || !acb_is_finite(v) || !acb_is_real(v)) break;
        if (arb_is_positive(acb_realref(v))) *out = POSITIVE;
        else if (arb_is_negative(acb_realref(v))) break;
    }
    acb_clear(v);
    if (*out == UNSETTLED && !ph_is_fatal(st) && !(st = ver_normal_decide(&f, (exp_node *)e, err))) {
        if (f.answer == NORMAL_ZERO) *out = NONNEGATIVE;
        ver_normal_clear(&f);
    }
    return ph_is_fatal(st) ? st : PH_OK;
}

/* Continuous wherever the assumptions on its symbols hold, with the derivative that exp_diff gives except at single points:
 * without that, a derivative >= 0 says nothing across a pole or a jump. */
static bool continuous(const exp_node *e) {
    const exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT:
    case EXP_SYM:
    case EXP_PI: return true;
    case EXP_DIV:
        if (v->op != EXP_RAT && !exp_is_positive(v)) return false;
        break;
    case EXP_POW:
        if (!(v->op == EXP_RAT && v->den == 1 && v->num > 0) && !exp_is_positive(u)) return false;
        break;
    case EXP_LOG:
    case EXP_CI:
    case EXP_SQRT:
        if (!exp_is_positive(u)) return false;
        break;
    case EXP_NEG:
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL:
    case EXP_MIN:
    case EXP_MAX:
    case EXP_SIN:
    case EXP_COS:
    case EXP_EXP:
    case EXP_SINH:
    case EXP_COSH:
    case EXP_TANH:
    case EXP_ATAN:
    case EXP_SI:
    case EXP_ABS: break;
    default: return false;
    }
    return continuous(u) && (!v || continuous(v));
}

/* u >= 0 on x >= c when u(c) >= 0 and u' >= 0 there; strict when u(c) > 0, or u' > 0 and x > c. */
static ph_status monotone(sign_answer *out, exp_builder *b, exp_node *u, exp_node *x, exp_node *c,
                          int depth) {
    ph_status st = PH_OK;
    const char *method;
    *out = visible(u);
    if (*out == UNSETTLED) PH_TRY(polynomial(out, &method, u, b->err));
    if (*out != UNSETTLED || depth == 0 || !continuous(u)) return PH_OK;
    exp_node *at = NULL, *d = NULL;
    PH_TRY(exp_subst(&at, u, x, c, b->err));
    if (!(at = exp_b_keep(b, at))) return b->st;
    PH_TRY(exp_diff(&d, u, x, b->err));
    if (!(d = exp_b_keep(b, d))) return b->st;
    sign_answer start, slope;
    PH_TRY(constant_sign(&start, at, b->err));
    if (start == UNSETTLED) return PH_OK;
    PH_TRY(monotone(&slope, b, d, x, c, depth - 1));
    if (slope != UNSETTLED) *out = start;
done:
    if (ph_is_open(st)) st = PH_OK; /* undefined at the end point: this argument does not apply */
    return st;
}

/* ---- the statement ------------------------------------------------------------------------------------- */

static ph_status judge(sign_answer *out, const char **method, exp_builder *b, exp_node *u,
                       const ver_assume *a) {
    *out = visible(u);
    *method = "signs visible in the formula";
    if (*out != UNSETTLED) return PH_OK;
    ph_status st = polynomial(out, method, u, b->err);
    exp_node *x, *c;
    if (!st && *out == UNSETTLED && end_point(&x, &c, b, u, a)) {
        st = among_reals(&u, &x, b);
        if (!st) st = monotone(out, b, u, x, c, MAX_DERIVATIVES);
        *method = "monotonicity from the end point, by signs of derivatives";
    }
    return st;
}

ph_status ver_prove_order(ver_verdict *out, exp_node *s, const ver_assume *a, ph_err *err) {
    bool found;
    ph_status st = ver_search(out, &found, s, a, 0, POINTS, 256, err);
    if (st || found) return st;
    exp_builder b = EXP_BUILDER(err);
    exp_node *u = s->op == EXP_LT || s->op == EXP_LE ? exp_b_sub(&b, s->arg[1], s->arg[0])
                                                     : exp_b_sub(&b, s->arg[0], s->arg[1]);
    sign_answer sign = UNSETTLED;
    const char *method = "";
    if (!u) st = b.st;
    else if (!exp_is_real(u)) st = PH_OK;
    else st = judge(&sign, &method, &b, u, a);
    if (!st && s->op == EXP_NE && sign != POSITIVE && u &&
        exp_is_real(u)) /* u < 0 everywhere will do as well */
        st = judge(&sign, &method, &b, exp_b_neg(&b, u), a);
    bool strict = s->op == EXP_LT || s->op == EXP_GT || s->op == EXP_NE;
    if (!st && (sign == POSITIVE || (sign == NONNEGATIVE && !strict)))
        st = ver_trust_sign(out, &(ver_claim){s, a},
                            sign == POSITIVE ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE, method, err);
    else if (!st)
        st = ver_say_unknown(out, VER_OUTSIDE_THEORY,
                             "no exact argument for this inequality; certify it on a box", err);
    ph_status end = exp_b_end(&b, NULL, NULL);
    return st ? st : end;
}
