/* slope.c: u >= 0 on x >= c from u(c) >= 0 and ∂u/∂x >= 0 there; and on all x, from a point inside, to both
 * sides; between two ends from u'' <= 0.
 *
 * The way from (c, others) to (x, others) must stay where the derivative's sign is known and u is continuous: so the facts used
 * on it are those that hold all along it: the end itself, facts without x, and facts that bound x on the other side. */
#include "verify/ball.h"
#include "verify/normal.h"
#include "verify/settle.h"

#define MAX_ENDS    6
#define MAX_SYMBOLS 4
#define SPLIT_DEPTH 2 /* points inside are tried in goals no deeper than this */

typedef struct {
    expr_node *at;
    bool upper;  /* x <= at */
    bool strict; /* the end itself is not meant */
} end;

/* ---- continuity ---------------------------------------------------------------------------------------- */

static bool certain(const ver_goal *g, expr_node *u, bool strict) {
    ver_sign s = VER_SIGN_OPEN;
    if (strict ? expr_is_positive(u) : expr_is_nonnegative(u)) return true;
    if (ver_settle_within(&s, g, u, strict)) return false;
    return s >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE);
}

static bool never_zero(const ver_goal *g, expr_node *u) {
    if (certain(g, u, true)) return true;
    expr_node *minus = expr_b_neg(g->b, u);
    return minus && certain(g, minus, true);
}

/* Real and continuous wherever the facts of `closed` hold, and differentiable as expr_diff says, but for single points, where those
 * of `open` do (the same without the end point): without that, a derivative >= 0 says nothing across a pole or a jump. */
static bool continuous(const ver_goal *closed, const ver_goal *open, expr_node *e) {
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI: return true;
    case EXPR_SYM: return e->kind != EXPR_COMPLEX;
    case EXPR_AT: return u->kind != EXPR_COMPLEX;
    case EXPR_DIV:
        if (v->op != EXPR_RAT && !never_zero(closed, v)) return false;
        break;
    case EXPR_POW:
        if (v->op == EXPR_RAT && v->den == 1 && v->num > 0) break;
        if (v->op == EXPR_RAT && v->den > 1 && v->num > 0) {
            if (!certain(closed, u, false) || !certain(open, u, true)) return false;
        } else if (!certain(closed, u, true)) return false;
        break;
    case EXPR_LOG:
    case EXPR_CI:
        if (!certain(closed, u, true)) return false;
        break;
    case EXPR_SQRT:
        if (!certain(closed, u, false) || !certain(open, u, true)) return false;
        break;
    case EXPR_TAN: {
        expr_node *c = expr_b_1(closed->b, EXPR_COS, u);
        if (!c || !never_zero(closed, c)) return false;
        break;
    }
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH:
    case EXPR_ATAN:
    case EXPR_SI: break;
    default: return false;
    }
    return continuous(closed, open, u) && (!v || continuous(closed, open, v));
}

/* ---- ends ---------------------------------------------------------------------------------------------- */

static bool no_value(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* The sign of a constant: exact zero by normal form, else a ball that excludes 0. −1: certainly negative. */
static ph_status constant_sign(ver_sign *out, bool *negative, expr_node *e, ph_err *err) {
    normal_form f;
    ph_status st = PH_OK;
    acb_t v;
    acb_init(v);
    *out = VER_SIGN_OPEN;
    *negative = false;
    for (slong prec = 64; prec <= 256 && *out == VER_SIGN_OPEN && !*negative; prec *= 2) {
        st = ver_ball(v, e, no_value, NULL, prec, err);
        if (st || !acb_is_finite(v) || !acb_is_real(v)) break;
        if (arb_is_positive(acb_realref(v))) *out = VER_SIGN_POSITIVE;
        else if (arb_is_zero(acb_realref(v))) *out = VER_SIGN_NONNEGATIVE;
        *negative = arb_is_negative(acb_realref(v));
    }
    bool finite = acb_is_finite(v);
    acb_clear(v);
    if (*out == VER_SIGN_OPEN && !st && finite && !*negative && !(st = ver_normal_decide(&f, e, err))) {
        if (f.answer == NORMAL_ZERO) *out = VER_SIGN_NONNEGATIVE;
        ver_normal_clear(&f);
    }
    return ph_is_fatal(st) ? st : PH_OK;
}

static bool has_symbols(const expr_node *e) {
    if (e->op == EXPR_SYM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_symbols(e->arg[i])) return true;
    return false;
}

/* The sign of u at x = c, where it must be defined. */
static ph_status sign_at(ver_sign *out, bool *negative, const ver_goal *g, expr_node *u, expr_node *x,
                         expr_node *c, bool strict) {
    expr_node *at;
    *out = VER_SIGN_OPEN;
    *negative = false;
    ph_status st = expr_subst(&at, u, x, c, g->b->err);
    if (st) return ph_is_fatal(st) ? st : PH_OK; /* undefined there */
    if (!(at = expr_b_keep(g->b, at))) return g->b->st;
    if (!has_symbols(at)) return constant_sign(out, negative, at, g->b->err);
    return ver_settle_within(out, g, at, strict);
}

/* All facts that hold on the way from the end to x; open: x is past the end. */
static bool way(ver_goal *out, const ver_goal *g, expr_node *x, const end *e, bool open) {
    expr_node *c, *r;
    *out = *g;
    out->nfacts = 0;
    for (int i = 0; i < g->nfacts; i++) {
        expr_node *f = g->fact[i].u;
        if (expr_has(f, x)) {
            if (!ver_linear_in(g->b, f, x, &c, &r)) continue;
            if (e->upper ? c->num <= 0 : c->num >= 0) continue;
        }
        ver_goal_add(out, f, g->fact[i].strict);
    }
    return ver_goal_add(out, e->upper ? expr_b_sub(g->b, e->at, x) : expr_b_sub(g->b, x, e->at), open);
}

/* Is u, the one symbol of which is x, certainly not constant on the way? At a point next to the end it differs from u(end). All
 * that `continuous` admits is analytic on the open way: so then u' >= 0 has single zeros only, and u rises. */
static ph_status not_constant(bool *out, const ver_goal *open, expr_node *u, expr_node *x, const end *e) {
    ver_sign s;
    bool negative, inside = true;
    expr_set set;
    ph_status st = expr_symbols(&set, u, open->b->err);
    *out = !st && set.n == 1 && e->at->op == EXPR_RAT;
    expr_set_clear(&set);
    expr_node *near = expr_b_add(open->b, e->at, expr_b_rat(open->b, e->upper ? -1 : 1, 64)), *at;
    if (st || !*out || !near) return ph_is_fatal(st) ? st : open->b->st;
    for (int i = 0; i < open->nfacts && inside && !st; i++) {
        if (!expr_has(open->fact[i].u, x)) continue;
        st = sign_at(&s, &negative, open, open->fact[i].u, x, near, true);
        inside = s == VER_SIGN_POSITIVE;
    }
    *out = false;
    if (st || !inside || (st = expr_subst(&at, u, x, e->at, open->b->err)))
        return ph_is_fatal(st) ? st : PH_OK;
    if (!(at = expr_b_keep(open->b, at))) return open->b->st;
    st = sign_at(&s, &negative, open, expr_b_sub(open->b, u, at), x, near, true);
    *out = s == VER_SIGN_POSITIVE || negative;
    return st;
}

static ph_status from_end(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *x, const end *e,
                          bool strict) {
    ver_goal closed, open, outer = *g;
    ver_sign start, slope;
    bool negative;
    expr_node *d;
    outer.nfacts = 0;
    for (int i = 0; i < g->nfacts; i++) /* at the end, only what is free of x is known */
        if (!expr_has(g->fact[i].u, x)) ver_goal_add(&outer, g->fact[i].u, g->fact[i].strict);
    ph_status st = sign_at(&start, &negative, &outer, u, x, e->at, strict);
    if (st || start == VER_SIGN_OPEN) return st;
    if (!way(&closed, g, x, e, false) || !way(&open, g, x, e, true) || !continuous(&closed, &open, u))
        return PH_OK;
    st = expr_diff(&d, u, x, g->b->err);
    if (st) return ph_is_fatal(st) ? st : PH_OK;
    if (!(d = expr_b_keep(g->b, d))) return g->b->st;
    if (e->upper && !(d = expr_b_neg(g->b, d))) return g->b->st;
    bool rising = strict && start != VER_SIGN_POSITIVE;
    if (rising && !e->strict) return PH_OK;
    st = ver_settle_within(&slope, &open, d, rising);
    if (st || slope == VER_SIGN_OPEN) return st;
    bool moves = false;
    if (rising && slope != VER_SIGN_POSITIVE) st = not_constant(&moves, &open, u, x, e);
    if (moves) slope = VER_SIGN_POSITIVE;
    *out = start == VER_SIGN_POSITIVE || (e->strict && slope == VER_SIGN_POSITIVE) ? VER_SIGN_POSITIVE
                                                                                   : VER_SIGN_NONNEGATIVE;
    return st;
}

/* What the facts say of x on one side: x >= at, x <= at. */
static int find_ends(end *out, const ver_goal *g, expr_node *x) {
    expr_node *c, *r;
    int n = 0;
    for (int i = 0; i < g->nfacts && n < MAX_ENDS; i++) {
        if (!ver_linear_in(g->b, g->fact[i].u, x, &c, &r) || c->num == 0) continue;
        expr_node *at = expr_b_linear(g->b, expr_b_neg(g->b, expr_b_div(g->b, r, c))); /* c·x + r >= 0 */
        if (at) out[n++] = (end){at, c->num < 0, g->fact[i].strict};
    }
    return n;
}

/* ---- points inside ------------------------------------------------------------------------------------- */

/* 0, ±1, 1/2, 2, 4, e, 1/e, and the other symbols: where such a function may touch 0. */
static expr_node *candidate(const ver_goal *g, const expr_set *s, int i) {
    static const int num[] = {0, 1, -1, 1, 2, 4}, den[] = {1, 1, 1, 2, 1, 1};
    if (i < 6) return expr_b_rat(g->b, num[i], den[i]);
    if (i < 8) return expr_b_1(g->b, EXPR_EXP, expr_b_rat(g->b, i == 6 ? 1 : -1, 1));
    return i - 8 < s->n ? s->item[i - 8] : NULL;
}

/* May u have its least value at the constant c? Not if u < 0 there, or is smooth and steep. */
static ph_status plausible(bool *out, const ver_goal *g, expr_node *u, expr_node *x, expr_node *c) {
    ver_sign s;
    bool negative, falls = false, rises = false;
    expr_node *d;
    ph_status st = sign_at(&s, &negative, g, u, x, c, false);
    *out = !st && s != VER_SIGN_OPEN;
    if (st || !*out || (st = expr_diff(&d, u, x, g->b->err))) return ph_is_fatal(st) ? st : PH_OK;
    if (!(d = expr_b_keep(g->b, d))) return g->b->st;
    if ((st = sign_at(&s, &falls, g, d, x, c, false))) return st;
    rises = s == VER_SIGN_POSITIVE;
    *out = !falls && !rises;
    return PH_OK;
}

static ph_status from_inside(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *x, const expr_set *s,
                             bool strict) {
    expr_node *c;
    for (int i = 0; (c = candidate(g, s, i)) && *out == VER_SIGN_OPEN; i++) {
        bool likely = !expr_same(c, x);
        ver_sign above = VER_SIGN_OPEN, below = VER_SIGN_OPEN;
        end e = {c, false, false};
        if (likely && s->n == 1) {
            ph_status st = plausible(&likely, g, u, x, c);
            if (st) return st;
        }
        if (!likely) continue;
        ph_status st = from_end(&above, g, u, x, &e, strict);
        e.upper = true;
        if (!st && above != VER_SIGN_OPEN) st = from_end(&below, g, u, x, &e, strict);
        if (st) return st;
        *out = above < below ? above : below;
    }
    return g->b->st;
}

/* ---- between two ends ---------------------------------------------------------------------------------- */

/* No kink and no jump, wherever it is defined: a second derivative says nothing across one. */
static bool bends_nowhere(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI:
    case EXPR_SYM:
    case EXPR_AT: return true;
    case EXPR_POW:
        if (e->arg[1]->op != EXPR_RAT || e->arg[1]->den != 1 || e->arg[1]->num < 1) return false;
        break;
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
    case EXPR_LOG:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH:
    case EXPR_ATAN: break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!bends_nowhere(e->arg[i])) return false;
    return true;
}

/* u >= 0 at both ends and u'' <= 0 between them: the graph lies above its chord. Strictly, where u'' < 0 and the ends are not meant. */
static ph_status between(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *x, const end *lo,
                         const end *hi, bool strict) {
    ver_goal outer = *g, inner, open;
    ver_sign left, right = VER_SIGN_OPEN, bent = VER_SIGN_OPEN;
    bool negative;
    expr_node *d, *dd;
    outer.nfacts = 0;
    for (int i = 0; i < g->nfacts; i++)
        if (!expr_has(g->fact[i].u, x)) ver_goal_add(&outer, g->fact[i].u, g->fact[i].strict);
    inner = open = outer;
    expr_node *above = expr_b_sub(g->b, x, lo->at), *below = expr_b_sub(g->b, hi->at, x);
    if (!ver_goal_add(&inner, above, false) || !ver_goal_add(&inner, below, false)) return g->b->st;
    if (!ver_goal_add(&open, above, strict) || !ver_goal_add(&open, below, strict)) return g->b->st;
    ph_status st = sign_at(&left, &negative, &outer, u, x, lo->at, false);
    if (!st && left != VER_SIGN_OPEN) st = sign_at(&right, &negative, &outer, u, x, hi->at, false);
    if (st || right == VER_SIGN_OPEN || !continuous(&inner, &inner, u)) return st;
    st = expr_diff(&d, u, x, g->b->err);
    if (!st && !(d = expr_b_keep(g->b, d))) return g->b->st;
    if (!st) st = expr_diff(&dd, d, x, g->b->err);
    if (st) return ph_is_fatal(st) ? st : PH_OK;
    dd = expr_b_keep(g->b, dd);
    expr_node *minus = dd ? expr_b_neg(g->b, dd) : NULL;
    bool bends_up = false;
    expr_node *middle = expr_b_div(g->b, expr_b_add(g->b, lo->at, hi->at), expr_b_rat(g->b, 2, 1));
    expr_node *look[] = {lo->at, middle, hi->at};
    for (int i = 0; i < 3 && minus && middle && !bends_up && !st; i++)
        /* … then there is no use in proving it */
        st = sign_at(&bent, &bends_up, &outer, minus, x, look[i], false);
    if (st || bends_up) return st;
    st = minus ? ver_settle_within(&bent, &open, minus, strict) : g->b->st;
    if (!st && strict) *out = bent == VER_SIGN_POSITIVE ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
    else if (!st && bent != VER_SIGN_OPEN) *out = left < right ? left : right;
    return st;
}

static ph_status between_ends(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *x, const end *e,
                              int n, bool strict) {
    if (!bends_nowhere(u)) return PH_OK;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n && *out == VER_SIGN_OPEN; k++) {
            if (e[i].upper || !e[k].upper || (strict && !(e[i].strict && e[k].strict))) continue;
            ph_status st = between(out, g, u, x, &e[i], &e[k], strict);
            if (st) return st;
        }
    return PH_OK;
}

/* ---- the argument -------------------------------------------------------------------------------------- */

/* The same in a real x of which the facts say all that its assumption did: what holds for all real x >= c holds for the whole ones
 * among them, and at an end point 0 a positive x is not positive. */
static ph_status among_reals(ver_goal *g, expr_node **u, expr_node **x) {
    expr_node *real = NULL, *old = *x;
    if (old->kind == EXPR_REAL) return PH_OK;
    ph_status st = expr_sym(&real, old->name, EXPR_REAL, g->b->err);
    if (st) return st;
    if (!(*x = expr_b_keep(g->b, real))) return g->b->st;
    if ((st = ver_goal_subst(g, u, old, *x))) return st;
    expr_node *one = expr_b_rat(g->b, 1, 1);
    if (old->kind == EXPR_NATURAL) ver_goal_add(g, expr_b_sub(g->b, *x, one), false);
    if (old->kind == EXPR_POSITIVE) ver_goal_add(g, *x, true);
    return g->b->st;
}

static ph_status along(ver_sign *out, const ver_goal *given, expr_node *u, expr_node *x, const expr_set *s,
                       bool strict) {
    ver_goal g = *given;
    end e[MAX_ENDS];
    ph_status st = among_reals(&g, &u, &x);
    if (st) return ph_is_fatal(st) ? st : PH_OK;
    int n = find_ends(e, &g, x);
    if (g.depth <= SPLIT_DEPTH) st = between_ends(out, &g, u, x, e, n, strict);
    for (int i = 0; i < n && *out == VER_SIGN_OPEN && !st; i++) st = from_end(out, &g, u, x, &e[i], strict);
    if (!st && *out == VER_SIGN_OPEN && g.depth <= SPLIT_DEPTH && s->n <= MAX_SYMBOLS)
        st = from_inside(out, &g, u, x, s, strict);
    return st;
}

ph_status ver_by_slope(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_set s;
    ph_status st = expr_symbols(&s, u, g->b->err);
    if (st) return ph_is_fatal(st) ? st : PH_OK;
    for (int i = 0; i < s.n && i < MAX_SYMBOLS && *out == VER_SIGN_OPEN && !st; i++) {
        expr_node *x = expr_b_keep(g->b, expr_ref(s.item[i]));
        if (!x) st = g->b->st;
        else if (x->op == EXPR_SYM && x->kind != EXPR_COMPLEX && !expr_has_family(u, x))
            st = along(out, g, u, x, &s, strict);
    }
    expr_set_clear(&s);
    *method = "monotonicity, by signs of derivatives";
    return st;
}
