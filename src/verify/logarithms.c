/* logarithms.c: the logarithm of a base as a sum of logarithms that are generators: powers b^s are e^(s·log b).
 *
 * log is the principal one: cut along the negative axis, its imaginary part in (−π, π]. Taken apart are only products of which one
 * factor is certainly positive, powers of what is positive, and e^u of a real u. A power with a *whole* exponent is the exception: e^(n·l)
 * is the same for every l with e^l = b, so b may be taken apart whatever it is, (u·v)^n = u^n·v^n, (−x)^n = (−1)^n·x^n, (e^u)^n = e^(nu);
 * and b^s, which is e^(s·log b), to the power n is e^(ns·log b) for every s, with the principal logarithm of b unless s is whole too. */
#include "expr/build.h"
#include "verify/ball.h"
#include "verify/normal_internal.h"
#include "verify/wide.h"

/* Balls at one rational point tell most formulas apart. */
static bool certainly_differ(const expr_node *a, const expr_node *b) {
    uint64_t seed = 0;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    bool differ = !ver_ball(x, a, ver_point_atom, &seed, 64, NULL) &&
                  !ver_ball(y, b, ver_point_atom, &seed, 64, NULL) && acb_is_finite(x) && acb_is_finite(y) &&
                  !acb_overlaps(x, y);
    acb_clear(x);
    acb_clear(y);
    return differ;
}

/* More than any formula weighs of which the base can be read only once that of e can: its parts, and for an inverse function what its exponential
 * is written with (angles.c), iu + √(1 − u²) of asin u. */
static uint32_t weight(const expr_node *e) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < e->nargs; i++) {
        uint32_t w = weight(e->arg[i]);
        if (w > most) most = w;
    }
    return most + (ver_is_angle(e) ? 16 : 1);
}

/* The generator log b; the same for bases that are equal without being written alike, such as 1 + x² and x² + 1. Its powers are read from the lightest of
 * them: one that has the others within itself, as 1 + i·tan(atan x) has 1 + ix, would be read for ever. */
ph_status ver_log_get(normal *c, slong *id, expr_node *b) {
    *id = ver_gen_find(c, GEN_LOG, b);
    if (*id >= 0) return PH_OK;
    for (int i = 0; i < c->naliases; i++)
        if (expr_same(c->alias[i].node, b)) return *id = c->alias[i].gen, PH_OK;
    for (slong i = 0; b->nargs && !ver_is_atom(b) && !c->nesting && c->naliases < MAX_ALIASES && i < c->ngens;
         i++) {
        expr_node *a = c->gens[i].node;
        if (c->gens[i].kind != GEN_LOG || !a->nargs || ver_is_atom(a)) continue;
        if (certainly_differ(a, b)) continue;
        expr_builder eb = EXPR_BUILDER(c->err);
        bool same = ver_normal_same(&eb, a, b, 1);
        ph_status st = expr_b_end(&eb, NULL, NULL);
        if (st) return st;
        if (!same) continue;
        bool lighter = weight(b) < weight(a);
        c->alias[c->naliases++] = (struct alias){lighter ? a : expr_ref(b), i};
        if (lighter) c->gens[i].node = expr_ref(b);
        return *id = i, PH_OK;
    }
    return ver_gen_new(c, id, GEN_LOG, b, -1);
}

static ph_status log_leaf(normal *c, ring_frac *out, expr_node *b, const ring_frac *times, int sign,
                          slong k) {
    slong id;
    ph_status st = ver_log_get(c, &id, b);
    if (st || !out) return st;
    ring_frac t;
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, k, 1);
    ver_ring_frac_init(&t, &c->r);
    ver_ring_set_fmpq(&t, q, &c->r);
    PH_TRY(ver_ring_mul(&t, &t, times, &c->r));
    ring_frac l;
    ver_ring_frac_init(&l, &c->r);
    ver_ring_gen(&l, id, &c->r);
    st = ver_ring_mul(&t, &t, &l, &c->r);
    ver_ring_frac_clear(&l, &c->r);
    if (!st) st = ver_ring_add(out, out, &t, sign, &c->r);
done:
    ver_ring_frac_clear(&t, &c->r);
    fmpq_clear(q);
    return st;
}

/* times log n, as ver_log_of. */
static ph_status log_integer(normal *c, ring_frac *out, int64_t n, const ring_frac *times, int sign) {
    fmpz_t z;
    fmpz_factor_t f;
    ph_status st = PH_OK;
    fmpz_init(z);
    fmpz_factor_init(f);
    ver_fmpz_set(z, n);
    fmpz_factor(f, z);
    for (slong i = 0; i < f->num && !st; i++) {
        expr_node *p;
        st = expr_rat(&p, ver_fmpz_get(f->p + i), 1, c->err);
        if (st) break;
        st = log_leaf(c, out, p, times, sign, (slong)f->exp[i]);
        expr_drop(p);
    }
    fmpz_factor_clear(f);
    fmpz_clear(z);
    return st;
}

/* times·s, then on to the base. Of b^s with a whole s any logarithm of b will do, where any of the whole will. */
static ph_status log_scaled(normal *c, ring_frac *out, expr_node *b, expr_node *s, const ring_frac *times,
                            int sign, bool whole) {
    whole = whole && expr_is_whole(s);
    if (!out) return ver_log_of(c, NULL, b, NULL, sign, whole);
    ring_frac t;
    ver_ring_frac_init(&t, &c->r);
    ph_status st = PH_OK;
    PH_TRY(ver_convert(c, &t, s));
    PH_TRY(ver_ring_mul(&t, &t, times, &c->r));
    st = ver_log_of(c, out, b, &t, sign, whole);
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

/* √b is e^(log b/2), and the imaginary part of that stays within (−π/2, π/2]: log √b = log b/2 for every b. */
static ph_status log_root(normal *c, ring_frac *out, expr_node *b, const ring_frac *times, int sign) {
    expr_builder eb = EXPR_BUILDER(c->err);
    expr_node *half = expr_b_rat(&eb, 1, 2);
    ph_status st = half ? log_scaled(c, out, b, half, times, sign, false) : PH_OK;
    ph_status end = expr_b_end(&eb, NULL, NULL);
    return st ? st : end;
}

/* times·u, for log e^u */
static ph_status log_exp(normal *c, ring_frac *out, const expr_node *u, const ring_frac *times, int sign) {
    if (!out) return PH_OK;
    ring_frac t;
    ver_ring_frac_init(&t, &c->r);
    ph_status st;
    PH_TRY(ver_convert(c, &t, u));
    PH_TRY(ver_ring_mul(&t, &t, times, &c->r));
    st = ver_ring_add(out, out, &t, sign, &c->r);
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

/* out ± times·I·pi·num/den */
static ph_status log_turn(normal *c, ring_frac *out, const ring_frac *times, int sign, slong num, slong den) {
    ring_frac t, u;
    slong id;
    ph_status st = ver_gen_get(c, &id, GEN_PI, NULL);
    if (!out || st) return st;
    ver_ring_frac_init(&t, &c->r);
    ver_ring_frac_init(&u, &c->r);
    ver_ring_gen(&t, id, &c->r);
    ver_ring_gen(&u, 0, &c->r);
    PH_TRY(ver_ring_mul(&t, &t, &u, &c->r));
    ver_set_si(&u, num, den, &c->r);
    PH_TRY(ver_ring_mul(&t, &t, &u, &c->r));
    PH_TRY(ver_ring_mul(&t, &t, times, &c->r));
    st = ver_ring_add(out, out, &t, sign, &c->r);
done:
    ver_ring_frac_clear(&t, &c->r);
    ver_ring_frac_clear(&u, &c->r);
    return st;
}

/* log(p·u) = log p + log u for p > 0 and any u; log(p/u) needs u > 0. Up to 2πi both hold without. */
static bool splits(const expr_node *b, bool whole) {
    if (b->op != EXPR_MUL && b->op != EXPR_DIV) return false;
    return whole || expr_is_positive(b->arg[1]) || (b->op == EXPR_MUL && expr_is_positive(b->arg[0]));
}

ph_status ver_log_of(normal *c, ring_frac *out, expr_node *b, const ring_frac *times, int sign, bool whole) {
    ph_status st = PH_OK;
    bool positive = expr_is_positive(b);
    if (b->op == EXPR_RAT && b->num != 0 && b->num != INT64_MIN) {
        if (b->num < 0) PH_TRY(log_turn(c, out, times, sign, 1, 1)); /* log(−r) = log r + iπ */
        PH_TRY(log_integer(c, out, b->num < 0 ? -b->num : b->num, times, sign));
        return log_integer(c, out, b->den, times, -sign);
    }
    if (splits(b, whole)) {
        PH_TRY(ver_log_of(c, out, b->arg[0], times, sign, whole));
        return ver_log_of(c, out, b->arg[1], times, b->op == EXPR_MUL ? sign : -sign, whole);
    }
    if (b->op == EXPR_NEG && (whole || expr_is_positive(b->arg[0]))) {
        PH_TRY(log_turn(c, out, times, sign, 1, 1));
        return ver_log_of(c, out, b->arg[0], times, sign, whole);
    }
    if (b->op == EXPR_I) return log_turn(c, out, times, sign, 1, 2);
    /* u^2 is positive for u < 0 too, yet log u^2 is not 2 log u there; p^(2πi) is 1 for p = e, yet its logarithm is not 2πi */
    if (b->op == EXPR_POW && (whole || (expr_is_positive(b->arg[0]) && expr_is_real(b->arg[1]))))
        return log_scaled(c, out, b->arg[0], b->arg[1], times, sign, whole);
    if (b->op == EXPR_SQRT) return log_root(c, out, b->arg[0], times, sign);
    if (b->op == EXPR_EXP && (positive || whole)) return log_exp(c, out, b->arg[0], times, sign);
    return log_leaf(c, out, b, times, sign, 1);
done:
    return st;
}
