/* hunt_arithmetic.c: values, exact where they can be and balls otherwise, and what operations make of them. Written from the
 * conventions in hunt.h, without a look at ball.c or eval.c. */
#include "hunt_arithmetic.h"

#include <stdlib.h>

#define MOST_BITS 3000 /* of an exact number */

void value_init(value *v) {
    v->exact = true;
    fmpq_init(v->re);
    fmpq_init(v->im);
    acb_init(v->z);
}
void value_clear(value *v) {
    fmpq_clear(v->re);
    fmpq_clear(v->im);
    acb_clear(v->z);
}
void value_set(value *to, const value *from) {
    to->exact = from->exact;
    fmpq_set(to->re, from->re);
    fmpq_set(to->im, from->im);
    acb_set(to->z, from->z);
}
void value_ball(acb_t out, const value *v, slong prec) {
    if (!v->exact) {
        acb_set(out, v->z);
        return;
    }
    arb_set_fmpq(acb_realref(out), v->re, prec);
    arb_set_fmpq(acb_imagref(out), v->im, prec);
}

found realness(const value *v) {
    if (v->exact) return fmpq_is_zero(v->im) ? DEFINED : UNDEFINED;
    if (arb_is_zero(acb_imagref(v->z))) return DEFINED;
    return arb_contains_zero(acb_imagref(v->z)) ? UNDECIDED : UNDEFINED;
}

void set_si(value *v, slong n) {
    v->exact = true;
    fmpq_set_si(v->re, n, 1);
    fmpq_zero(v->im);
}

static found ball_result(value *o) {
    o->exact = false;
    return acb_is_finite(o->z) ? DEFINED : UNDECIDED;
}

/* Exact numbers that have grown too long go on as balls. */
static found exact_result(value *o, slong prec) {
    o->exact = true;
    if (fmpq_height_bits(o->re) + fmpq_height_bits(o->im) < MOST_BITS) return DEFINED;
    acb_t z;
    acb_init(z);
    value_ball(z, o, prec);
    acb_swap(o->z, z);
    acb_clear(z);
    return ball_result(o);
}

static void exact_mul(value *o, const value *a, const value *b) {
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    fmpq_mul(x, a->re, b->re);
    fmpq_submul(x, a->im, b->im);
    fmpq_mul(y, a->re, b->im);
    fmpq_addmul(y, a->im, b->re);
    fmpq_swap(o->re, x);
    fmpq_swap(o->im, y);
    fmpq_clear(x);
    fmpq_clear(y);
}

static void exact_inv(value *o, const value *a) {
    fmpq_t n;
    fmpq_init(n);
    fmpq_mul(n, a->re, a->re);
    fmpq_addmul(n, a->im, a->im);
    fmpq_div(o->re, a->re, n);
    fmpq_div(o->im, a->im, n);
    fmpq_neg(o->im, o->im);
    fmpq_clear(n);
}

static found ev_power_exact(value *o, const value *a, slong n, slong prec) {
    value b;
    value_init(&b);
    if (n < 0) exact_inv(&b, a);
    else value_set(&b, a);
    set_si(o, 1);
    for (slong k = 0; k < labs(n); k++) exact_mul(o, o, &b);
    value_clear(&b);
    return exact_result(o, prec);
}

/* u^(p/q) where u > 0 is an exact q-th power, u^(1/2) also where u < 0. */
static bool root_exact(value *o, const value *a, const value *b, slong prec) {
    if (!is_real_exact(a) || !is_real_exact(b) || fmpz_cmp_ui(fmpq_denref(b->re), 12) > 0 ||
        fmpz_bits(fmpq_numref(b->re)) > 5)
        return false;
    ulong q = fmpz_get_ui(fmpq_denref(b->re));
    bool negative = fmpq_sgn(a->re) < 0, ok;
    if (negative && q != 2) return false;
    value r;
    fmpz_t n;
    value_init(&r);
    fmpz_init(n);
    fmpz_abs(n, fmpq_numref(a->re));
    ok = fmpz_root(fmpq_numref(r.re), n, (slong)q) &&
         fmpz_root(fmpq_denref(r.re), fmpq_denref(a->re), (slong)q);
    if (ok && negative) fmpq_swap(r.re, r.im);
    if (ok) ok = ev_power_exact(o, &r, fmpz_get_si(fmpq_numref(b->re)), prec) == DEFINED && o->exact;
    fmpz_clear(n);
    value_clear(&r);
    return ok;
}

/* b is p/2 for an odd p */
static bool halves(const value *b) {
    return is_real_exact(b) && fmpz_equal_ui(fmpq_denref(b->re), 2) && fmpz_bits(fmpq_numref(b->re)) < 20;
}

static found ev_power(value *o, const value *a, const value *b, slong prec) {
    if (is_zero_exact(a)) {
        if (realness(b) != DEFINED) return realness(b);
        if (b->exact ? fmpq_sgn(b->re) > 0 : arb_is_positive(acb_realref(b->z))) return set_si(o, 0), DEFINED;
        return b->exact || arb_is_negative(acb_realref(b->z)) ? UNDEFINED : UNDECIDED;
    }
    if (is_integer_exact(b) && a->exact && fmpz_cmp_si(fmpq_numref(b->re), 40) <= 0 &&
        fmpz_cmp_si(fmpq_numref(b->re), -40) >= 0)
        return ev_power_exact(o, a, fmpz_get_si(fmpq_numref(b->re)), prec);
    if (root_exact(o, a, b, prec)) return DEFINED;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, prec);
    value_ball(y, b, prec);
    found f = acb_contains_zero(x) ? UNDECIDED : DEFINED;
    if (is_integer_exact(b)) {
        if (fmpz_bits(fmpq_numref(b->re)) > 26) f = UNDECIDED;
        else {
            if (fmpz_sgn(fmpq_numref(b->re)) > 0) f = DEFINED;
            acb_pow_si(o->z, x, fmpz_get_si(fmpq_numref(b->re)), prec);
        }
    } else if (f == DEFINED && halves(b)) {
        acb_sqrt(x, x, prec);
        acb_pow_si(o->z, x, fmpz_get_si(fmpq_numref(b->re)), prec);
    } else if (f == DEFINED) {
        acb_log(x, x, prec);
        acb_mul(x, x, y, prec);
        acb_exp(o->z, x, prec);
        if (is_real_exact(a) && fmpq_sgn(a->re) > 0 && realness(b) == DEFINED) arb_zero(acb_imagref(o->z));
    }
    acb_clear(x);
    acb_clear(y);
    return f == DEFINED ? ball_result(o) : f;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

static found ev_real_function(value *o, expr_op op, const value *a, slong prec) {
    found f = realness(a);
    if (f != DEFINED) return f;
    if (op == EXPR_SIGN && a->exact) return set_si(o, fmpq_sgn(a->re)), DEFINED;
    if (op == EXPR_FLOOR && a->exact) {
        fmpz_t q;
        fmpz_init(q);
        fmpz_fdiv_q(q, fmpq_numref(a->re), fmpq_denref(a->re));
        fmpq_set_fmpz(o->re, q);
        fmpq_zero(o->im);
        o->exact = true;
        fmpz_clear(q);
        return DEFINED;
    }
    acb_t x;
    acb_init(x);
    value_ball(x, a, prec);
    arb_ptr u = acb_realref(x);
    f = DEFINED;
    if (op == EXPR_SIGN) {
        if (arb_contains_zero(u)) f = UNDECIDED;
        else set_si(o, arb_is_positive(u) ? 1 : -1);
    } else if (op == EXPR_FLOOR) {
        fmpz_t n;
        fmpz_init(n);
        arb_floor(u, u, prec);
        if (!arb_get_unique_fmpz(n, u)) f = UNDECIDED;
        else fmpq_set_fmpz(o->re, n), fmpq_zero(o->im), o->exact = true;
        fmpz_clear(n);
    } else if (op == EXPR_CI) {
        if (arb_is_positive(u)) arb_hypgeom_ci(acb_realref(o->z), u, prec), arb_zero(acb_imagref(o->z));
        else f = arb_is_nonpositive(u) ? UNDEFINED : UNDECIDED;
        o->exact = false;
    } else if (is_zero_exact(a)) set_si(o, 0);
    else arb_hypgeom_si(acb_realref(o->z), u, prec), arb_zero(acb_imagref(o->z)), o->exact = false;
    acb_clear(x);
    return f == DEFINED && !o->exact ? ball_result(o) : f;
}

static found ev_parts(value *o, expr_op op, const value *a, slong prec) {
    if (a->exact) {
        value_set(o, a);
        if (op == EXPR_NEG) fmpq_neg(o->re, o->re), fmpq_neg(o->im, o->im);
        else if (op == EXPR_CONJ) fmpq_neg(o->im, o->im);
        else if (op == EXPR_ABS) fmpq_abs(o->re, o->re);
        else {
            if (op == EXPR_IM) fmpq_swap(o->re, o->im);
            fmpq_zero(o->im);
        }
        if (op != EXPR_ABS || fmpq_is_zero(a->im)) return DEFINED;
    }
    acb_t x;
    acb_init(x);
    value_ball(x, a, prec);
    if (op == EXPR_NEG) acb_neg(o->z, x);
    else if (op == EXPR_CONJ) acb_conj(o->z, x);
    else if (op == EXPR_ABS) acb_abs(acb_realref(o->z), x, prec), arb_zero(acb_imagref(o->z));
    else
        arb_set(acb_realref(o->z), op == EXPR_RE ? acb_realref(x) : acb_imagref(x)),
            arb_zero(acb_imagref(o->z));
    acb_clear(x);
    return ball_result(o);
}

/* asin z = −i log(iz + √(1 − z²)), acos z = π/2 − asin z: beyond ±1 the real part of asin is ±π/2, and the imaginary part ∓log(|x| + √(x² − 1)). */
static found ev_arc(value *o, expr_op op, const value *a, slong prec) {
    acb_t x;
    arb_t s, t;
    acb_init(x);
    arb_init(s);
    arb_init(t);
    value_ball(x, a, prec);
    arb_ptr u = acb_realref(x), re = acb_realref(o->z), im = acb_imagref(o->z);
    bool real = realness(a) == DEFINED,
         inside = a->exact && fmpz_cmpabs(fmpq_numref(a->re), fmpq_denref(a->re)) <= 0;
    arb_set_si(s, 1);
    if (!real) acb_asin(o->z, x, prec);
    else if (inside || (!a->exact && (arb_abs(t, u), arb_lt(t, s)))) arb_asin(re, u, prec), arb_zero(im);
    else if (a->exact || arb_gt(t, s)) {
        int sign = arb_is_positive(u) ? 1 : -1;
        arb_abs(t, u);
        arb_acosh(im, t, prec);
        arb_mul_si(im, im, -sign, prec);
        arb_const_pi(re, prec);
        arb_mul_2exp_si(re, re, -1);
        arb_mul_si(re, re, sign, prec);
    } else acb_indeterminate(o->z);
    if (op == EXPR_ACOS) {
        arb_const_pi(s, prec);
        arb_mul_2exp_si(s, s, -1);
        arb_sub(re, s, re, prec);
        arb_neg(im, im);
    }
    acb_clear(x);
    arb_clear(s);
    arb_clear(t);
    return ball_result(o);
}

static found ev_analytic(value *o, expr_op op, const value *a, slong prec) {
    if (op == EXPR_ASIN || op == EXPR_ACOS) return ev_arc(o, op, a, prec);
    if (is_zero_exact(a)) { /* exact values */
        if (op == EXPR_LOG) return UNDEFINED;
        return set_si(o, op == EXPR_COS || op == EXPR_EXP || op == EXPR_COSH), DEFINED;
    }
    if (op == EXPR_LOG && is_real_exact(a) && fmpq_is_one(a->re)) return set_si(o, 0), DEFINED;
    if (op == EXPR_ATAN && a->exact && fmpq_is_zero(a->re) && fmpz_is_pm1(fmpq_numref(a->im)) &&
        fmpz_is_one(fmpq_denref(a->im)))
        return UNDEFINED;
    acb_t x;
    acb_init(x);
    value_ball(x, a, prec);
    found f = op == EXPR_LOG && acb_contains_zero(x) ? UNDECIDED : DEFINED;
    bool real = realness(a) == DEFINED && (op != EXPR_LOG || arb_is_positive(acb_realref(x)));
    switch (op) {
    case EXPR_SIN: acb_sin(o->z, x, prec); break;
    case EXPR_COS: acb_cos(o->z, x, prec); break;
    case EXPR_TAN: acb_tan(o->z, x, prec); break;
    case EXPR_EXP: acb_exp(o->z, x, prec); break;
    case EXPR_LOG: acb_log(o->z, x, prec); break;
    case EXPR_SINH: acb_sinh(o->z, x, prec); break;
    case EXPR_COSH: acb_cosh(o->z, x, prec); break;
    case EXPR_TANH: acb_tanh(o->z, x, prec); break;
    default: acb_atan(o->z, x, prec);
    }
    if (real) arb_zero(acb_imagref(o->z));
    acb_clear(x);
    return f == DEFINED ? ball_result(o) : f;
}

found ev_function(value *o, expr_op op, const value *a, slong prec) {
    switch (op) {
    case EXPR_NEG:
    case EXPR_CONJ:
    case EXPR_RE:
    case EXPR_IM:
    case EXPR_ABS: return ev_parts(o, op, a, prec);
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_CI:
    case EXPR_SI: return ev_real_function(o, op, a, prec);
    case EXPR_SQRT: {
        value h;
        value_init(&h);
        fmpq_set_si(h.re, 1, 2);
        found f = ev_power(o, a, &h, prec);
        value_clear(&h);
        return f;
    }
    default: return ev_analytic(o, op, a, prec);
    }
}

/* ---- two operands ---------------------------------------------------------------------------------------- */

static found ev_choice(value *o, expr_op op, const value *a, const value *b, slong prec) {
    found f = realness(a) > realness(b) ? realness(a) : realness(b);
    if (realness(a) == UNDEFINED || realness(b) == UNDEFINED) return UNDEFINED;
    if (f != DEFINED) return f;
    if (a->exact && b->exact) {
        value_set(o, (order_exact(a, b) < 0) == (op == EXPR_MIN) ? a : b);
        return DEFINED;
    }
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, prec);
    value_ball(y, b, prec);
    if (op == EXPR_MIN) arb_min(acb_realref(o->z), acb_realref(x), acb_realref(y), prec);
    else arb_max(acb_realref(o->z), acb_realref(x), acb_realref(y), prec);
    arb_zero(acb_imagref(o->z));
    acb_clear(x);
    acb_clear(y);
    return ball_result(o);
}

static found ev_atan2(value *o, const value *a, const value *b, slong prec) {
    found f = realness(a), g = realness(b);
    if (f != DEFINED || g != DEFINED) return f != DEFINED ? f : g;
    if (is_zero_exact(a) && is_zero_exact(b)) return UNDEFINED;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, prec);
    value_ball(y, b, prec);
    bool origin = arb_contains_zero(acb_realref(x)) && arb_contains_zero(acb_realref(y));
    arb_atan2(acb_realref(o->z), acb_realref(x), acb_realref(y), prec);
    arb_zero(acb_imagref(o->z));
    acb_clear(x);
    acb_clear(y);
    return origin ? UNDECIDED : ball_result(o);
}

found ev_arithmetic(value *o, expr_op op, const value *a, const value *b, slong prec) {
    if (op == EXPR_POW) return ev_power(o, a, b, prec);
    if (op == EXPR_MIN || op == EXPR_MAX) return ev_choice(o, op, a, b, prec);
    if (op == EXPR_ATAN2) return ev_atan2(o, a, b, prec);
    if (op == EXPR_DIV && is_zero_exact(b)) return UNDEFINED;
    if (op == EXPR_MUL && (is_zero_exact(a) || is_zero_exact(b))) return set_si(o, 0), DEFINED;
    if (a->exact && b->exact) {
        if (op == EXPR_ADD) fmpq_add(o->re, a->re, b->re), fmpq_add(o->im, a->im, b->im);
        else if (op == EXPR_SUB) fmpq_sub(o->re, a->re, b->re), fmpq_sub(o->im, a->im, b->im);
        else if (op == EXPR_MUL) exact_mul(o, a, b);
        else {
            value q;
            value_init(&q);
            exact_inv(&q, b);
            exact_mul(o, a, &q);
            value_clear(&q);
        }
        return exact_result(o, prec);
    }
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, prec);
    value_ball(y, b, prec);
    if (op == EXPR_ADD) acb_add(o->z, x, y, prec);
    else if (op == EXPR_SUB) acb_sub(o->z, x, y, prec);
    else if (op == EXPR_MUL) acb_mul(o->z, x, y, prec);
    else acb_div(o->z, x, y, prec);
    acb_clear(x);
    acb_clear(y);
    return ball_result(o);
}
