/* ball_functions.c: one operation on balls, tight where Arb's own encloses more than it must, not finite where it is
 * undefined. */
#include "verify/ball.h"

ver_truth ver_ball_compare(expr_op op, const acb_t x, const acb_t y) {
    if (!acb_is_finite(x) || !acb_is_finite(y)) return VER_UNDECIDED;
    bool same = acb_equal(x, y) && acb_is_exact(x), apart = !acb_overlaps(x, y);
    if (op == EXPR_EQ) return same ? VER_TRUE : apart ? VER_FALSE : VER_UNDECIDED;
    if (op == EXPR_NE) return same ? VER_FALSE : apart ? VER_TRUE : VER_UNDECIDED;
    if (!acb_is_real(x) || !acb_is_real(y)) return VER_UNDECIDED;
    arb_srcptr a = acb_realref(x), c = acb_realref(y);
    switch (op) {
    case EXPR_LT: return arb_lt(a, c) ? VER_TRUE : arb_ge(a, c) ? VER_FALSE : VER_UNDECIDED;
    case EXPR_LE: return arb_le(a, c) ? VER_TRUE : arb_gt(a, c) ? VER_FALSE : VER_UNDECIDED;
    case EXPR_GT: return arb_gt(a, c) ? VER_TRUE : arb_le(a, c) ? VER_FALSE : VER_UNDECIDED;
    default: return arb_ge(a, c) ? VER_TRUE : arb_lt(a, c) ? VER_FALSE : VER_UNDECIDED;
    }
}

/* A function of the real line; the value is undetermined off it. */
static void on_real(acb_t out, const acb_t z, void f(arb_t, const arb_t, slong), slong prec) {
    if (!acb_is_real(z)) {
        acb_indeterminate(out);
        return;
    }
    f(acb_realref(out), acb_realref(z), prec);
    arb_zero(acb_imagref(out));
}

static void real_sign(arb_t y, const arb_t x, slong prec) {
    (void)prec;
    arb_sgn(y, x);
}

/* A ball's radius has MAG_BITS bits and is rounded up: an interval with a longer width gets a little wider. */
void ver_set_interval(arb_t out, const arf_t a, const arf_t b, slong prec) {
    arf_t w, m;
    fmpz_t man, e;
    arf_init(w);
    arf_init(m);
    fmpz_init(man);
    fmpz_init(e);
    arf_sub(w, b, a, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(w, w, -1);
    arf_add(m, a, w, ARF_PREC_EXACT, ARF_RND_DOWN);
    if (arf_bits(w) > MAG_BITS || arf_bits(m) > 8 * prec) arb_set_interval_arf(out, a, b, prec);
    else {
        arf_get_fmpz_2exp(man, e, w);
        arb_set_arf(out, m);
        mag_set_ui(arb_radref(out), fmpz_get_ui(man));
        mag_mul_2exp_fmpz(arb_radref(out), arb_radref(out), e);
    }
    arf_clear(w);
    arf_clear(m);
    fmpz_clear(man);
    fmpz_clear(e);
}

/* floor of both ends; an exact interval where Arb's own is a little wider, beyond an integer. */
static void real_floor(arb_t y, const arb_t x, slong prec) {
    arf_t a, b;
    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, prec + 64);
    arf_floor(a, a);
    arf_floor(b, b);
    ver_set_interval(y, a, b, prec);
    arf_clear(a);
    arf_clear(b);
}

/* [0, max |x|] for a ball around zero, whose lower half |x| folds up. */
static void real_abs(arb_t y, const arb_t x, slong prec) {
    if (!arb_contains_zero(x) || arb_is_zero(x)) {
        arb_abs(y, x);
        return;
    }
    mag_t zero, top;
    mag_init(zero);
    mag_init(top);
    arb_get_mag(top, x);
    arb_set_interval_mag(y, zero, top, prec);
    mag_clear(zero);
    mag_clear(top);
}

/* f(mid) ± radius·slope for a wide ball, where f's own enclosure grows much faster than that. */
static void lipschitz(arb_t y, const arb_t x, void f(arb_t, const arb_t, slong), const mag_t slope,
                      slong prec) {
    arb_t m;
    mag_t r;
    arb_init(m);
    mag_init(r);
    arf_set(arb_midref(m), arb_midref(x));
    f(y, m, prec);
    mag_mul(r, arb_radref(x), slope);
    arb_add_error_mag(y, r);
    arb_clear(m);
    mag_clear(r);
}

static bool is_wide(const arb_t x) { return mag_cmp_2exp_si(arb_radref(x), -20) > 0; }

static void real_ci(arb_t y, const arb_t x, slong prec) { /* |Ci'(x)| <= 1/x */
    if (!arb_is_positive(x)) {
        arb_indeterminate(y);
        return;
    }
    if (!is_wide(x)) {
        arb_hypgeom_ci(y, x, prec);
        return;
    }
    mag_t slope;
    mag_init(slope);
    arb_get_mag_lower(slope, x);
    mag_inv(slope, slope);
    lipschitz(y, x, arb_hypgeom_ci, slope, prec);
    mag_clear(slope);
}

static void real_si(arb_t y, const arb_t x, slong prec) { /* |Si'(x)| <= 1 */
    if (!is_wide(x)) {
        arb_hypgeom_si(y, x, prec);
        return;
    }
    mag_t slope;
    mag_init(slope);
    mag_one(slope);
    lipschitz(y, x, arb_hypgeom_si, slope, prec);
    mag_clear(slope);
}

/* −i·log(iz + √(1 − z²)): the definition, so that the cuts are where it has them; Arb's own between −1 and 1. */
static void arcsine(acb_t out, const acb_t z, slong p) {
    acb_t r, t;
    acb_init(r);
    acb_init(t);
    acb_mul(r, z, z, p);
    acb_sub_ui(r, r, 1, p);
    acb_neg(r, r);
    if (acb_is_real(z) && arb_is_nonnegative(acb_realref(r))) {
        arb_asin(acb_realref(out), acb_realref(z), p);
        arb_zero(acb_imagref(out));
    } else {
        acb_sqrt(r, r, p);
        acb_mul_onei(t, z);
        acb_add(r, r, t, p);
        acb_log(r, r, p);
        acb_div_onei(out, r);
    }
    acb_clear(r);
    acb_clear(t);
}

void ver_ball_unary(acb_t out, expr_op op, const acb_t z, slong p) {
    switch (op) {
    case EXPR_NEG: acb_neg(out, z); return;
    case EXPR_SIN: acb_sin(out, z, p); return;
    case EXPR_COS: acb_cos(out, z, p); return;
    case EXPR_TAN: acb_tan(out, z, p); return;
    case EXPR_EXP: acb_exp(out, z, p); return;
    case EXPR_LOG:
        if (acb_contains_zero(z)) acb_indeterminate(out);
        else acb_log(out, z, p);
        return;
    case EXPR_SQRT: acb_sqrt(out, z, p); return;
    case EXPR_SINH: acb_sinh(out, z, p); return;
    case EXPR_COSH: acb_cosh(out, z, p); return;
    case EXPR_TANH: acb_tanh(out, z, p); return;
    case EXPR_ATAN: acb_atan(out, z, p); return;
    case EXPR_ASIN: arcsine(out, z, p); return;
    case EXPR_ACOS: {
        acb_t half;
        acb_init(half);
        acb_const_pi(half, p);
        acb_mul_2exp_si(half, half, -1);
        arcsine(out, z, p);
        acb_sub(out, half, out, p);
        acb_clear(half);
        return;
    }
    case EXPR_CI: on_real(out, z, real_ci, p); return;
    case EXPR_SI: on_real(out, z, real_si, p); return;
    case EXPR_ABS:
        if (acb_is_real(z)) real_abs(acb_realref(out), acb_realref(z), p);
        else acb_abs(acb_realref(out), z, p);
        arb_zero(acb_imagref(out));
        return;
    case EXPR_SIGN: on_real(out, z, real_sign, p); return;
    case EXPR_FLOOR: on_real(out, z, real_floor, p); return;
    case EXPR_CONJ: acb_conj(out, z); return;
    case EXPR_RE:
        arb_set(acb_realref(out), acb_realref(z));
        arb_zero(acb_imagref(out));
        return;
    default: /* EXPR_IM */ arb_set(acb_realref(out), acb_imagref(z)); arb_zero(acb_imagref(out));
    }
}

/* 0^s is undefined unless s is a positive number; Arb's own 0^0 = 1 is another convention. */
static void power(acb_t out, const acb_t a, const acb_t s, bool analytic, slong p) {
    if (acb_contains_zero(a) && !(acb_is_real(s) && arb_is_positive(acb_realref(s)))) {
        acb_indeterminate(out);
        return;
    }
    if (!acb_is_int(s) || arf_cmpabs_2exp_si(arb_midref(acb_realref(s)), 40) >= 0) {
        if (analytic && acb_contains_zero(a)) acb_indeterminate(out);
        else acb_pow_analytic(out, a, s, analytic, p);
        return;
    }
    fmpz_t k;
    fmpz_init(k);
    arf_get_fmpz(k, arb_midref(acb_realref(s)), ARF_RND_DOWN);
    if (fmpz_is_even(k) && acb_is_real(a) &&
        arb_contains_zero(acb_realref(a))) { /* x^2k = |x|^2k: not below 0 */
        mag_t zero, top;
        mag_init(zero);
        mag_init(top);
        arb_get_mag(top, acb_realref(a));
        mag_pow_fmpz(top, top, k);
        arb_set_interval_mag(acb_realref(out), zero, top, p);
        arb_zero(acb_imagref(out));
        mag_clear(zero);
        mag_clear(top);
        if (acb_is_exact(a)) acb_pow_fmpz(out, a, k, p);
    } else acb_pow_fmpz(out, a, k, p);
    fmpz_clear(k);
}

/* a/b; by a power of two exactly, so that the ends of an interval stay where they are. */
static void divide(acb_t out, const acb_t a, const acb_t b, slong p) {
    fmpz_t man, e;
    fmpz_init(man);
    fmpz_init(e);
    if (acb_is_real(b) && acb_is_exact(b)) arf_get_fmpz_2exp(man, e, arb_midref(acb_realref(b)));
    fmpz_neg(e, e);
    if (fmpz_is_one(man)) acb_mul_2exp_fmpz(out, a, e);
    else acb_div(out, a, b, p);
    fmpz_clear(man);
    fmpz_clear(e);
}

void ver_ball_binary(acb_t out, expr_op op, const acb_t a, const acb_t b, bool analytic, slong p) {
    switch (op) {
    case EXPR_ADD: acb_add(out, a, b, p); return;
    case EXPR_SUB: acb_sub(out, a, b, p); return;
    case EXPR_MUL: acb_mul(out, a, b, p); return;
    case EXPR_DIV:
        if (acb_contains_zero(b)) acb_indeterminate(out);
        else divide(out, a, b, p);
        return;
    case EXPR_POW: power(out, a, b, analytic, p); return;
    default: break;
    }
    if ((op != EXPR_MIN && op != EXPR_MAX && op != EXPR_ATAN2) || !acb_is_real(a) || !acb_is_real(b)) {
        acb_indeterminate(out);
        return;
    }
    if (op == EXPR_ATAN2) {
        if (acb_contains_zero(a) && acb_contains_zero(b)) acb_indeterminate(out);
        else arb_atan2(acb_realref(out), acb_realref(a), acb_realref(b), p), arb_zero(acb_imagref(out));
        return;
    }
    if (op == EXPR_MIN) arb_min(acb_realref(out), acb_realref(a), acb_realref(b), p);
    else arb_max(acb_realref(out), acb_realref(a), acb_realref(b), p);
    arb_zero(acb_imagref(out));
}
