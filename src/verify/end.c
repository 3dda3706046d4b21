/* end.c: power forms of a formula near an end, operation by operation; where it is smooth up to the end, by Taylor's formula. */
#include "verify/end.h"

#include <stdlib.h>

#include "verify/prove.h"

#define MAX_ZERO  6       /* order of a zero that is looked for */
#define MAX_DECAY 1000000 /* α that stands for an exponential */
#define LOG_ORDER 32      /* log t = t^(−1/32)·β */

typedef ver_end_form form;

static void form_init(form *f) {
    fmpq_init(f->a);
    acb_init(f->b);
}
static void form_clear(form *f) {
    fmpq_clear(f->a);
    acb_clear(f->b);
}

static ph_status walk(bool *known, form *out, expr_node *e, const ver_end *n);

/* ---- powers of t --------------------------------------------------------------------------------------- */

/* 2^(−j·a), t^a at t = δ */
static void delta_power(arb_t out, const fmpq_t a, const ver_end *n) {
    arb_set_fmpq(out, a, n->prec);
    arb_mul_si(out, out, -n->j, n->prec);
    arb_t two;
    arb_init(two);
    arb_set_ui(two, 2);
    arb_pow(out, two, out, n->prec);
    arb_clear(two);
}

/* b times t^d, for d >= 0: the hull over t in (0, δ]. */
static void times_power(acb_t b, const fmpq_t d, const ver_end *n) {
    arb_t top, zero;
    if (fmpq_is_zero(d)) return;
    arb_init(top);
    arb_init(zero);
    delta_power(top, d, n);
    arb_union(top, top, zero, n->prec);
    acb_mul_arb(b, b, top, n->prec);
    arb_clear(top);
    arb_clear(zero);
}

/* The values of the form themselves, for a >= 0. */
static void values(acb_t out, const form *f, const ver_end *n) {
    acb_set(out, f->b);
    times_power(out, f->a, n);
}

static void disc(acb_t b, const arb_t radius) {
    mag_t r;
    mag_init(r);
    arb_get_mag(r, radius);
    acb_zero(b);
    arb_add_error_mag(acb_realref(b), r);
    arb_add_error_mag(acb_imagref(b), r);
    mag_clear(r);
}

/* [−r, r] */
static bool within(form *out, slong r) {
    fmpq_zero(out->a);
    acb_zero(out->b);
    mag_set_ui(arb_radref(acb_realref(out->b)), (ulong)r);
    return true;
}

/* ---- smooth up to the end ------------------------------------------------------------------------------ */

typedef struct {
    const ver_end *n;
    arb_t x; /* the closed interval from the end */
} near;

static bool near_atom(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const near *w = ctx;
    if (expr_same(atom, w->n->x)) {
        acb_set_arb(v, w->x);
        return true;
    }
    return w->n->other && w->n->other(w->n->ctx, v, atom, prec);
}

static ph_status closed_interval(arb_t x, const ver_end *n) {
    acb_t c;
    arb_t d;
    acb_init(c);
    arb_init(d);
    ph_status st = ver_ball(c, n->c, n->other, n->ctx, n->prec, n->err);
    arb_set_si(d, n->side);
    arb_mul_2exp_si(d, d, -n->j);
    arb_add(d, d, acb_realref(c), n->prec);
    arb_union(x, acb_realref(c), d, n->prec);
    acb_clear(c);
    arb_clear(d);
    return st;
}

static ph_status vanishes(bool *zero, expr_node *e, const ver_end *n) {
    expr_node *at = NULL, *nought = NULL, *s = NULL;
    ver_verdict v;
    ver_init(&v);
    ph_status st;
    PH_TRY(expr_subst(&at, e, n->x, n->c, n->err));
    PH_TRY(expr_rat(&nought, 0, 1, n->err));
    PH_TRY(expr_make2(&s, EXPR_EQ, at, nought, n->err));
    st = ver_prove(&v, s, NULL, n->err);
done:
    *zero = !st && v.strength == VER_PROVED;
    ver_clear(&v);
    expr_drop(at);
    expr_drop(nought);
    expr_drop(s);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* u(c ± t) = t^k·(±1)^k·u^(k)(ξ)/k! where all derivatives before vanish at c; for complex values the mean of u^(k). */
static ph_status taylor(bool *known, form *out, expr_node *e, const ver_end *n) {
    near w = {.n = n};
    expr_node *d = expr_ref(e);
    ph_status st = PH_OK;
    arb_init(w.x);
    *known = false;
    if (!n->c) goto done;
    PH_TRY(closed_interval(w.x, n));
    for (slong k = 0, factorial = 1; k <= MAX_ZERO; factorial *= ++k) {
        expr_node *next = NULL;
        bool zero = false;
        st = ver_ball_as(out->b, VER_SMOOTH, d, near_atom, &w, n->prec, n->err);
        if (ph_is_open(st)) st = PH_OK, acb_indeterminate(out->b);
        if (st || !acb_is_finite(out->b)) break;
        if (acb_contains_zero(out->b)) PH_TRY(vanishes(&zero, d, n));
        if (!zero || k == MAX_ZERO) {
            fmpq_set_si(out->a, k, 1);
            acb_div_si(out->b, out->b, (n->side < 0 && k % 2 ? -1 : 1) * factorial, n->prec);
            *known = true;
            break;
        }
        st = expr_diff(&next, d, n->x, n->err);
        if (!ph_is_fatal(st) && st) st = PH_OK;
        if (!next) break;
        expr_drop(d);
        d = next;
    }
done:
    expr_drop(d);
    arb_clear(w.x);
    return st;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

static bool is_real(const form *f) { return acb_is_real(f->b); }

static bool add(form *out, const form *u, const form *v, bool minus, const ver_end *n) {
    const form *low = fmpq_cmp(u->a, v->a) <= 0 ? u : v, *high = low == u ? v : u;
    fmpq_t d;
    acb_t rest;
    fmpq_init(d);
    acb_init(rest);
    fmpq_sub(d, high->a, low->a);
    acb_set(rest, high->b);
    times_power(rest, d, n);
    if (minus && high == v) acb_neg(rest, rest);
    acb_set(out->b, low->b);
    if (minus && low == v) acb_neg(out->b, out->b);
    acb_add(out->b, out->b, rest, n->prec);
    fmpq_set(out->a, low->a);
    fmpq_clear(d);
    acb_clear(rest);
    return true;
}

static bool divide(form *out, const form *u, const form *v, const ver_end *n) {
    if (acb_contains_zero(v->b)) return false;
    fmpq_sub(out->a, u->a, v->a);
    acb_div(out->b, u->b, v->b, n->prec);
    return true;
}

/* (t^a β)^r = t^(ar) β^r: t^a is positive. */
static bool power(form *out, const form *u, int64_t num, int64_t den, const ver_end *n) {
    acb_t x, y, z; /* of their own: not every function of a part may write over it */
    fmpq_t q;
    if (llabs(num) > 10000 || den > 10000) return false;
    acb_init(x);
    acb_init(y);
    acb_init(z);
    fmpq_init(q);
    fmpq_set_si(q, (slong)num, (ulong)den);
    bool ok = (den == 1 && num > 0) || !acb_contains_zero(u->b);
    acb_set_fmpq(y, q, n->prec);
    acb_set(x, u->b);
    if (ok) ver_ball_binary(z, EXPR_POW, x, y, false, n->prec);
    acb_swap(out->b, z);
    fmpq_mul(out->a, u->a, q);
    acb_clear(x);
    acb_clear(y);
    acb_clear(z);
    fmpq_clear(q);
    return ok && acb_is_finite(out->b);
}

/* α log t + log β; −log t is between log(1/δ) and t^(−ε)/(εe), ε = 1/LOG_ORDER, for small t in any case at most that. */
static bool logarithm(form *out, const form *u, const ver_end *n) {
    if (acb_contains_zero(u->b)) return false;
    acb_log(out->b, u->b, n->prec);
    fmpq_zero(out->a);
    if (fmpq_is_zero(u->a)) return acb_is_finite(out->b);
    fmpq_t eps;
    arb_t top, zero;
    fmpq_init(eps);
    arb_init(top);
    arb_init(zero);
    fmpq_set_si(eps, 1, LOG_ORDER);
    times_power(out->b, eps, n);
    arb_const_e(top, n->prec);
    arb_ui_div(top, LOG_ORDER, top, n->prec);
    arb_union(top, top, zero, n->prec); /* −log t·t^ε, for δ <= 1 */
    arb_set_fmpq(zero, u->a, n->prec);
    arb_mul(top, top, zero, n->prec);
    acb_sub_arb(out->b, out->b, top, n->prec);
    fmpq_neg(out->a, eps);
    fmpq_clear(eps);
    arb_clear(top);
    arb_clear(zero);
    return acb_is_finite(out->b);
}

/* u/log w, w = t^α·β with β > 0, α not 0: log w = α log t + log β is beyond ±m, with the sign of −α, m = |α|·log(1/δ) ± log β. */
static bool over_logarithm(form *out, const form *u, const form *w, const ver_end *n) {
    arb_t m, q;
    arf_t low;
    int sign = -fmpq_sgn(w->a);
    if (sign == 0 || !is_real(w) || !arb_is_positive(acb_realref(w->b))) return false;
    arb_init(m), arb_init(q);
    arf_init(low);
    arb_const_log2(m, n->prec);
    arb_mul_si(m, m, n->j, n->prec);
    arb_set_fmpq(q, w->a, n->prec);
    arb_abs(q, q);
    arb_mul(m, m, q, n->prec);
    arb_log(q, acb_realref(w->b), n->prec);
    arb_addmul_si(m, q, sign, n->prec);
    arb_get_lbound_arf(low, m, n->prec);
    bool beyond = arf_is_finite(low) && arf_sgn(low) > 0;
    arb_set_arf(m, low);
    arb_ui_div(m, 1, m, n->prec);
    arb_mul_si(m, m, sign, n->prec);
    arb_zero(q);
    arb_union(m, m, q, n->prec);
    if (beyond) acb_mul_arb(out->b, u->b, m, n->prec);
    fmpq_set(out->a, u->a);
    arb_clear(m), arb_clear(q);
    arf_clear(low);
    return beyond;
}

/* exp of w = t^(−s)·β: |exp w| <= exp(−c·y^s), y = 1/t, −c the upper end of re β < 0; y^k·exp(−c·y^s) falls from y = 1/δ on
 * where c·s·y^s >= k there. */
static bool decay(form *out, const form *u, const ver_end *n) {
    arb_t c, s, y, m;
    arf_t low;
    fmpz_t k;
    fmpq_t a;
    if (arb_is_zero(acb_realref(u->b))) { /* a phase */
        arb_init(c);
        arb_one(c);
        disc(out->b, c);
        fmpq_zero(out->a);
        arb_clear(c);
        return true;
    }
    if (!arb_is_negative(acb_realref(u->b))) return false;
    arb_init(c), arb_init(s), arb_init(y), arb_init(m);
    arf_init(low);
    fmpz_init(k);
    fmpq_init(a);
    arb_neg(c, acb_realref(u->b));
    arb_get_lbound_arf(low, c, n->prec);
    arb_set_arf(c, low);
    delta_power(y, u->a, n);   /* (1/δ)^s */
    arb_mul(c, c, y, n->prec); /* c·y^s */
    fmpq_neg(a, u->a);
    arb_set_fmpq(s, a, n->prec);
    arb_mul(m, c, s, n->prec);
    arb_get_lbound_arf(low, m, n->prec);
    arf_get_fmpz(k, low, ARF_RND_FLOOR);
    if (fmpz_cmp_si(k, MAX_DECAY) > 0) fmpz_set_si(k, MAX_DECAY);
    if (fmpz_sgn(k) < 0) fmpz_zero(k);
    arb_const_log2(m, n->prec); /* k·log y − c·y^s */
    arb_mul_si(m, m, n->j, n->prec);
    arb_mul_fmpz(m, m, k, n->prec);
    arb_sub(m, m, c, n->prec);
    arb_exp(m, m, n->prec);
    disc(out->b, m);
    if (is_real(u)) arb_zero(acb_imagref(out->b));
    fmpq_set_fmpz(out->a, k);
    arb_clear(c), arb_clear(s), arb_clear(y), arb_clear(m);
    arf_clear(low);
    fmpz_clear(k);
    fmpq_clear(a);
    return acb_is_finite(out->b);
}

/* sin w = w·β, β between 1 − w²/6 and 1 for real w. */
static bool small_sine(form *out, const form *u, const ver_end *n) {
    acb_t w;
    arb_t one;
    acb_init(w);
    arb_init(one);
    values(w, u, n);
    acb_mul(w, w, w, n->prec);
    arb_div_si(acb_realref(w), acb_realref(w), -6, n->prec);
    arb_add_ui(acb_realref(w), acb_realref(w), 1, n->prec);
    arb_one(one);
    arb_union(one, one, acb_realref(w), n->prec);
    acb_mul_arb(out->b, u->b, one, n->prec);
    fmpq_set(out->a, u->a);
    acb_clear(w);
    arb_clear(one);
    return true;
}

static bool function(form *out, expr_op op, const form *u, const ver_end *n) {
    bool large = fmpq_sgn(u->a) < 0;
    switch (op) {
    case EXPR_NEG:
    case EXPR_ABS:
    case EXPR_CONJ:
    case EXPR_RE:
    case EXPR_IM: /* of β: t^a is positive */
        fmpq_set(out->a, u->a);
        ver_ball_unary(out->b, op, u->b, n->prec);
        return true;
    case EXPR_LOG: return logarithm(out, u, n);
    case EXPR_EXP:
        if (large) return decay(out, u, n);
        break;
    case EXPR_SIN:
        if (large) return is_real(u) && within(out, 1);
        if (fmpq_sgn(u->a) > 0 && is_real(u)) return small_sine(out, u, n);
        break;
    case EXPR_COS:
    case EXPR_TANH:
        if (large) return is_real(u) && within(out, 1);
        break;
    case EXPR_ATAN:
    case EXPR_SI:
        if (large) return is_real(u) && within(out, 2);
        break;
    default: break;
    }
    if (large) return false;
    acb_t w;
    acb_init(w);
    values(w, u, n);
    ver_ball_unary(out->b, op, w, n->prec);
    fmpq_zero(out->a);
    acb_clear(w);
    return acb_is_finite(out->b);
}

static ph_status combine(bool *known, form *out, expr_node *e, const ver_end *n) {
    form u, v;
    bool two = e->nargs == 2 && e->op != EXPR_POW;
    form_init(&u);
    form_init(&v);
    ph_status st;
    PH_TRY(walk(known, &u, e->arg[0], n));
    if (*known && two) PH_TRY(walk(known, &v, e->arg[1], n));
    if (!*known) goto done;
    switch (e->op) {
    case EXPR_ADD:
    case EXPR_SUB: *known = add(out, &u, &v, e->op == EXPR_SUB, n); break;
    case EXPR_MUL:
        fmpq_add(out->a, u.a, v.a);
        acb_mul(out->b, u.b, v.b, n->prec);
        break;
    case EXPR_DIV:
        *known = divide(out, &u, &v, n);
        if (!*known && e->arg[1]->op == EXPR_LOG) {
            PH_TRY(walk(known, &v, e->arg[1]->arg[0], n));
            *known = *known && over_logarithm(out, &u, &v, n);
        }
        break;
    case EXPR_POW: *known = power(out, &u, e->arg[1]->num, e->arg[1]->den, n); break;
    case EXPR_SQRT: *known = power(out, &u, 1, 2, n); break;
    default: *known = e->nargs == 1 && function(out, e->op, &u, n);
    }
done:
    form_clear(&u);
    form_clear(&v);
    return st;
}

/* A part without the variable. */
static ph_status constant(bool *known, form *out, expr_node *e, const ver_end *n) {
    fmpq_zero(out->a);
    ph_status st = ver_ball(out->b, e, n->other, n->ctx, n->prec, n->err);
    *known = !st && acb_is_finite(out->b);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* u^v of a v without the variable, known as a ball. */
static ph_status ball_power(bool *known, form *out, expr_node *e, const ver_end *n) {
    form u, v;
    *known = false;
    if (expr_has(e->arg[1], n->x)) return PH_OK;
    form_init(&u);
    form_init(&v);
    ph_status st = constant(known, &v, e->arg[1], n);
    if (!st && *known) st = walk(known, &u, e->arg[0], n);
    *known = !st && *known && ver_end_power(out, &u, v.b, n->prec);
    form_clear(&u);
    form_clear(&v);
    return st;
}

/* By another formula of the same value. */
static ph_status rewritten(bool *known, form *out, expr_node *e, const ver_end *n) {
    expr_node *other = NULL;
    *known = false;
    ph_status st = ver_end_rewrite(&other, e, n);
    if (!st && other) st = walk(known, out, other, n);
    expr_drop(other);
    return st;
}

static ph_status walk(bool *known, form *out, expr_node *e, const ver_end *n) {
    if (!expr_has(e, n->x)) return constant(known, out, e, n);
    if (expr_same(e, n->x) && !n->c) {
        fmpq_set_si(out->a, -1, 1);
        acb_set_si(out->b, n->side);
        *known = true;
        return PH_OK;
    }
    ph_status st = taylor(known, out, e, n);
    if (st || *known) return st;
    st = rewritten(known, out, e, n);
    if (st || *known) return st;
    if (e->op == EXPR_POW && e->arg[1]->op != EXPR_RAT) return ball_power(known, out, e, n);
    if (expr_body(e) || e->op == EXPR_PIECE || e->op == EXPR_SYM || expr_is_statement(e)) return PH_OK;
    return combine(known, out, e, n);
}

/* ---- the integral -------------------------------------------------------------------------------------- */

/* t^a over (0, δ], or x^−a over [X, ∞): δ^p/p with p = a + 1 or a − 1. */
ph_status ver_end_integral(acb_t out, ver_tail *how, expr_node *f, const ver_end *end) {
    form u;
    fmpq_t p, one;
    arb_t w;
    bool known = false;
    form_init(&u);
    fmpq_init(p);
    fmpq_init(one);
    arb_init(w);
    fmpq_set_si(one, end->c ? 1 : -1, 1);
    ph_status st = walk(&known, &u, f, end);
    *how = VER_NO_BOUND;
    acb_indeterminate(out);
    if (st || !known) goto done;
    fmpq_add(p, u.a, one);
    if (fmpq_sgn(p) > 0) {
        *how = VER_CONVERGES;
        delta_power(w, p, end);
        acb_mul_arb(out, u.b, w, end->prec);
        arb_set_fmpq(w, p, end->prec);
        acb_div_arb(out, out, w, end->prec);
        if (!acb_is_finite(out)) *how = VER_NO_BOUND;
    } else if (acb_is_real(u.b) && !acb_contains_zero(u.b)) *how = VER_DIVERGES;
done:
    form_clear(&u);
    fmpq_clear(p);
    fmpq_clear(one);
    arb_clear(w);
    return st;
}
