/* inverse.c: atan, asin, acos and atan2 of real parts in a goal. Each becomes a symbol s, of which is known what holds of every value:
 *     atan w       −π/2 < s < π/2; s has the sign of w, and is no larger in size; w < 1: s < π/4; w > −1: s > −π/4
 *     asin w       of −1 <= w <= 1, which is asked first: −π/2 <= s <= π/2, < where w is; s has the sign of w, and is no smaller
 *     acos w       of the same: 0 <= s <= π; w >= 0: s <= π/2; w <= 0: s >= π/2
 *     atan2(y, x)  −π < s <= π; y >= 0: s >= 0; y > 0: 0 < s < π; y < 0: s < 0; x >= 0: |s| <= π/2; x > 0: |s| < π/2
 * Before, sin, cos and tan of them are written as what they are, cos(atan w) = 1/√(1 + w²) and so on, with quarter turns more or less. */
#include <stdio.h>

#include "verify/cases.h"
#include "verify/settle.h"

#define MAX_DEPTH 5

static bool is_inverse(const expr_node *e) {
    return e->op == EXPR_ATAN || e->op == EXPR_ASIN || e->op == EXPR_ACOS || e->op == EXPR_ATAN2;
}

/* The first one, innermost first and not under a sum. */
static expr_node *find(expr_node *e) {
    expr_node *f = NULL;
    if (e->op == EXPR_SUM || e->op == EXPR_AT) return NULL;
    for (uint32_t i = 0; i < e->nargs && !f; i++) f = find(e->arg[i]);
    return f ? f : is_inverse(e) ? e : NULL;
}

/* ---- sin, cos and tan of them --------------------------------------------------------------------------- */

static expr_node *square(expr_builder *b, expr_node *u) { return expr_b_pow(b, u, expr_b_rat(b, 2, 1)); }

typedef struct {
    expr_node *cos, *sin;
} turn;

static turn turn_of_inverse(expr_builder *b, expr_node *f) {
    expr_node *one = expr_b_rat(b, 1, 1), *w = f->arg[0];
    if (f->op == EXPR_ATAN || f->op == EXPR_ATAN2) {
        expr_node *x = f->op == EXPR_ATAN ? one : f->arg[1];
        expr_node *r = expr_b_1(b, EXPR_SQRT, expr_b_add(b, square(b, x), square(b, w)));
        return (turn){expr_b_div(b, x, r), expr_b_div(b, w, r)};
    }
    expr_node *other = expr_b_1(b, EXPR_SQRT, expr_b_sub(b, one, square(b, w)));
    return f->op == EXPR_ASIN ? (turn){other, w} : (turn){w, other};
}

/* e = (quarters·π/2) + sign·f; false: it is no such angle. */
static bool read_angle(const expr_node *e, int sign, int64_t *quarters, int *sign_of_f, expr_node **f) {
    switch (e->op) {
    case EXPR_PI: return *quarters += 2 * sign, true;
    case EXPR_RAT: return e->num == 0;
    case EXPR_NEG: return read_angle(e->arg[0], -sign, quarters, sign_of_f, f);
    case EXPR_ADD:
    case EXPR_SUB:
        return read_angle(e->arg[0], sign, quarters, sign_of_f, f) &&
               read_angle(e->arg[1], e->op == EXPR_ADD ? sign : -sign, quarters, sign_of_f, f);
    case EXPR_MUL:
    case EXPR_DIV: { /* a multiple of π */
        bool first = e->op == EXPR_MUL && e->arg[0]->op == EXPR_RAT;
        const expr_node *c = e->arg[first ? 0 : 1], *u = e->arg[first ? 1 : 0];
        if (c->op != EXPR_RAT || u->op != EXPR_PI || c->num == 0) return false;
        int64_t num = e->op == EXPR_DIV ? c->den : c->num, den = e->op == EXPR_DIV ? c->num : c->den;
        if (num > 1000 || num < -1000 || (2 * num) % den) return false;
        return *quarters += sign * (2 * num / den), true;
    }
    default: break;
    }
    if (!is_inverse(e) || *f) return false;
    *sign_of_f = sign;
    *f = (expr_node *)e;
    return true;
}

static expr_node *without_turns(expr_builder *b, expr_node *e, void *none) {
    if (e->op == EXPR_SUM) return e;
    e = expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, without_turns, none);
    if (!e || (e->op != EXPR_SIN && e->op != EXPR_COS && e->op != EXPR_TAN)) return e;
    expr_node *f = NULL;
    int64_t quarters = 0;
    int sign = 1;
    if (!read_angle(e->arg[0], 1, &quarters, &sign, &f) || !f) return e;
    turn t = turn_of_inverse(b, f);
    if (sign < 0) t.sin = expr_b_neg(b, t.sin);
    for (int64_t k = (quarters % 4 + 4) % 4; k > 0; k--) t = (turn){expr_b_neg(b, t.sin), t.cos};
    return e->op == EXPR_SIN ? t.sin : e->op == EXPR_COS ? t.cos : expr_b_div(b, t.sin, t.cos);
}

/* ---- what is known of a value --------------------------------------------------------------------------- */

typedef struct {
    ver_goal g;
    expr_node *s;
    ph_status st;
} value;

static expr_node *of_pi(expr_builder *b, int64_t num, int64_t den) {
    return expr_b_mul(b, expr_b_rat(b, num, den), expr_b_op(b, EXPR_PI, 0, NULL));
}

static void above(value *v, expr_node *end, bool strict) {
    ver_goal_add(&v->g, expr_b_sub(v->g.b, v->s, end), strict);
}
static void below(value *v, expr_node *end, bool strict) {
    ver_goal_add(&v->g, expr_b_sub(v->g.b, end, v->s), strict);
}

static void within(value *v, expr_node *end, bool strict) {
    above(v, expr_b_neg(v->g.b, end), strict);
    below(v, end, strict);
}

/* The sign of l − r. */
static ver_sign sign_of(value *v, expr_node *l, expr_node *r) {
    ver_sign s = VER_SIGN_OPEN;
    expr_node *u = v->st ? NULL : expr_b_sub(v->g.b, l, r);
    if (!u) return s;
    v->st = ver_settle_within(&s, &v->g, u, true);
    if (s == VER_SIGN_OPEN && !v->st) v->st = ver_settle_within(&s, &v->g, u, false);
    return s;
}

/* s has the sign of w; of sizes the other is no larger: s <= w for w >= 0 where `flat`. */
static void like(value *v, expr_node *w, bool flat) {
    expr_node *zero = expr_b_rat(v->g.b, 0, 1);
    ver_sign up = sign_of(v, w, zero), down = up == VER_SIGN_OPEN ? sign_of(v, zero, w) : VER_SIGN_OPEN;
    if (up == VER_SIGN_OPEN && down == VER_SIGN_OPEN) return;
    bool more = up != VER_SIGN_OPEN;
    if (more) above(v, zero, up == VER_SIGN_POSITIVE);
    else below(v, zero, down == VER_SIGN_POSITIVE);
    if (more == flat) below(v, w, false);
    else above(v, w, false);
}

static bool know_atan(value *v, expr_node *w, int more) {
    expr_builder *b = v->g.b;
    expr_node *one = expr_b_rat(b, 1, 1), *eighth = of_pi(b, 1, 4);
    within(v, of_pi(b, 1, 2), true);
    if (more > 0) like(v, w, true);
    if (more < 2) return true;
    ver_sign s = sign_of(v, one, w);
    if (s != VER_SIGN_OPEN) below(v, eighth, s == VER_SIGN_POSITIVE);
    s = sign_of(v, w, expr_b_neg(b, one));
    if (s != VER_SIGN_OPEN) above(v, expr_b_neg(b, eighth), s == VER_SIGN_POSITIVE);
    return true;
}

static bool know_asin(value *v, expr_node *w, bool acos) {
    expr_builder *b = v->g.b;
    expr_node *one = expr_b_rat(b, 1, 1), *zero = expr_b_rat(b, 0, 1), *half = of_pi(b, 1, 2);
    ver_sign up = sign_of(v, one, w), down = up == VER_SIGN_OPEN ? up : sign_of(v, w, expr_b_neg(b, one));
    if (down == VER_SIGN_OPEN) return false;
    bool not_one = up == VER_SIGN_POSITIVE, not_minus = down == VER_SIGN_POSITIVE;
    if (!acos) {
        below(v, half, not_one);
        above(v, expr_b_neg(b, half), not_minus);
        like(v, w, false);
        return true;
    }
    above(v, zero, not_one);
    below(v, of_pi(b, 1, 1), not_minus);
    ver_sign s = sign_of(v, w, zero);
    if (s != VER_SIGN_OPEN) below(v, half, s == VER_SIGN_POSITIVE);
    s = sign_of(v, zero, w);
    if (s != VER_SIGN_OPEN) above(v, half, s == VER_SIGN_POSITIVE);
    return true;
}

static bool know_atan2(value *v, expr_node *y, expr_node *x) {
    expr_builder *b = v->g.b;
    expr_node *zero = expr_b_rat(b, 0, 1), *pi = of_pi(b, 1, 1);
    ver_sign s = sign_of(v, y, zero);
    if (s != VER_SIGN_OPEN) above(v, zero, s == VER_SIGN_POSITIVE);
    else above(v, expr_b_neg(b, pi), true);
    below(v, pi, s == VER_SIGN_POSITIVE);
    if (s == VER_SIGN_OPEN && sign_of(v, zero, y) == VER_SIGN_POSITIVE) below(v, zero, true);
    s = sign_of(v, x, zero);
    if (s != VER_SIGN_OPEN) within(v, of_pi(b, 1, 2), s == VER_SIGN_POSITIVE);
    return true;
}

/* more: 0 the range, 1 signs, 2 what else may serve. */
static bool know(value *v, expr_node *f, int more) {
    expr_node *w = f->arg[0];
    if (!expr_is_real(w) || (f->op == EXPR_ATAN2 && !expr_is_real(f->arg[1]))) return false;
    return f->op == EXPR_ATAN    ? know_atan(v, w, more)
           : f->op == EXPR_ATAN2 ? know_atan2(v, w, f->arg[1])
                                 : know_asin(v, w, f->op == EXPR_ACOS);
}

ph_status ver_by_inverse(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_builder *b = g->b;
    value v = {.g = *g};
    char name[32];
    const char *how;
    *method = "ranges of inverse functions";
    if (g->depth > MAX_DEPTH || !find(u)) return PH_OK;
    u = without_turns(b, u, NULL);
    expr_node *f = u ? find(u) : NULL;
    if (!f) return u ? ver_settle_within(out, g, u, strict) : b->st;
    snprintf(name, sizeof name, "inverse %d", g->depth);
    if ((v.st = expr_sym(&v.s, name, EXPR_REAL, b->err)) || !(v.s = expr_b_keep(b, v.s)))
        return v.st ? v.st : b->st;
    u = ver_take_case(b, u, f, v.s);
    for (int more = f->op == EXPR_ATAN ? 0 : 2;
         more <= 2 && u && *out < (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE); more++) {
        v.g = *g;
        v.g.depth++;
        bool known = know(&v, f, more);
        for (int i = 0; i < v.g.nfacts && !b->st; i++)
            v.g.fact[i].u = ver_take_case(b, v.g.fact[i].u, f, v.s);
        if (v.st || b->st || !known) break;
        v.st = more < 2 ? ver_by_reading(out, &how, &v.g, u, strict, false)
                        : ver_settle_within(out, &v.g, u, strict);
    }
    return v.st ? v.st : b->st;
}
