/* derive.c: the derivative of a formula. */
#include "expr/build.h"

static expr_node *diff(expr_builder *b, expr_node *e, expr_node *x);

/* The outer derivative f'(u) of a function of one argument. */
static expr_node *outer_derivative(expr_builder *b, expr_node *e, expr_node *u) {
    expr_node *one = expr_b_rat(b, 1, 1), *two = expr_b_rat(b, 2, 1);
    switch (e->op) {
    case EXPR_SIN: return expr_b_1(b, EXPR_COS, u);
    case EXPR_COS: return expr_b_neg(b, expr_b_1(b, EXPR_SIN, u));
    case EXPR_TAN: return expr_b_add(b, one, expr_b_2(b, EXPR_POW, e, two));
    case EXPR_EXP: return e;
    case EXPR_LOG: return expr_b_div(b, one, u);
    case EXPR_SQRT: return expr_b_div(b, one, expr_b_mul(b, two, e));
    case EXPR_SINH: return expr_b_1(b, EXPR_COSH, u);
    case EXPR_COSH: return expr_b_1(b, EXPR_SINH, u);
    case EXPR_TANH: return expr_b_sub(b, one, expr_b_2(b, EXPR_POW, e, two));
    case EXPR_ATAN: return expr_b_div(b, one, expr_b_add(b, one, expr_b_2(b, EXPR_POW, u, two)));
    case EXPR_ASIN:
    case EXPR_ACOS: {
        expr_node *d = expr_b_1(b, EXPR_SQRT, expr_b_sub(b, one, expr_b_2(b, EXPR_POW, u, two)));
        return expr_b_div(b, expr_b_rat(b, e->op == EXPR_ASIN ? 1 : -1, 1), d);
    }
    case EXPR_CI: return expr_b_div(b, expr_b_1(b, EXPR_COS, u), u);
    case EXPR_SI: return expr_b_div(b, expr_b_1(b, EXPR_SIN, u), u);
    default: return expr_b_rat(b, 0, 1); /* sign, floor */
    }
}

/* |u|' = sgn(u)·u' of a real u; of others Re(ū·u')/|u|. What names nothing complex, such as log x, is real where its sign is
 * defined, but for single points, where u' need not be: u' is asked, too. */
static expr_node *diff_abs(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node *u = e->arg[0], *du = diff(b, u, x);
    if (!du) return NULL;
    if (expr_is_real(u) || (expr_is_real(du) && !expr_has_complex(u)))
        return expr_b_mul(b, expr_b_1(b, EXPR_SIGN, u), du);
    return expr_b_div(b, expr_b_1(b, EXPR_RE, expr_b_mul(b, expr_b_1(b, EXPR_CONJ, u), du)), e);
}

/* Where u and v meet, the mean of their derivatives, as sgn 0 = 0 is of |u|: so kinks that cancel leave nothing behind,
 * max(u, v)' + min(u, v)' = u' + v' and max(u, −u)' = |u|' there as well. */
static expr_node *diff_choice(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node *u = e->arg[0], *v = e->arg[1], *du = diff(b, u, x), *dv = diff(b, v, x);
    if (!du || !dv || expr_same(du, dv)) return du;
    bool least = e->op == EXPR_MIN;
    expr_node *mean = expr_b_div(b, expr_b_add(b, du, dv), expr_b_rat(b, 2, 1));
    return expr_b_op(b, EXPR_PIECE, 5,
                     (expr_node *[]){expr_b_2(b, least ? EXPR_LT : EXPR_GT, u, v), du,
                                     expr_b_2(b, least ? EXPR_GT : EXPR_LT, u, v), dv, mean});
}

/* (u^v)' = u^v·(v'·ln u + v·u'/u), and v·u^(v−1)·u' when v is free of x. */
static expr_node *diff_pow(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node *u = e->arg[0], *v = e->arg[1], *du = diff(b, u, x);
    if (!expr_has(v, x)) {
        expr_node *less = expr_b_2(b, EXPR_SUB, v, expr_b_rat(b, 1, 1));
        expr_node *p = less && expr_is_rat(less, 0, 1)   ? expr_b_rat(b, 1, 1)
                       : less && expr_is_rat(less, 1, 1) ? u
                                                         : expr_b_2(b, EXPR_POW, u, less);
        return expr_b_mul(b, expr_b_mul(b, v, p), du);
    }
    expr_node *left = expr_b_mul(b, diff(b, v, x), expr_b_1(b, EXPR_LOG, u));
    return expr_b_mul(b, e, expr_b_add(b, left, expr_b_div(b, expr_b_mul(b, v, du), u)));
}

static expr_node *diff_sum(expr_builder *b, expr_node *e, expr_node *x) {
    if (expr_has(e->arg[1], x) || expr_has(e->arg[2], x)) {
        b->st = ph_fail(b->err, PH_EARG, "derivative: the bounds of the sum depend on '%s'", x->name);
        return NULL;
    }
    return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], e->arg[1], e->arg[2], diff(b, e->arg[3], x)});
}

/* May f jump, at a place in `var` that moves with x? The derivative away from a jump forgets it; an integral does not:
 * (∫_0^1 sign(t − x) dt)' = −2 between 0 and 1. Functions with a cut jump there where their argument is not real. A jump into a pole
 * needs no look: the derivative has no integral there. */
static bool jumps(const expr_node *f, const expr_node *var, const expr_node *x) {
    const expr_node *u = f->nargs ? f->arg[0] : NULL, *v = f->nargs > 1 ? f->arg[1] : NULL;
    if (!expr_has(f, x) || !expr_has(f, var)) return false;
    if (expr_is_statement(f)) return true; /* of a case */
    switch (f->op) {
    case EXPR_SIGN:
    case EXPR_FLOOR: return true;
    case EXPR_ATAN2:
        if (!expr_is_positive(v)) return true;
        break;
    case EXPR_POW:
        if (!(v->op == EXPR_RAT && v->den == 1) && !expr_is_real(u)) return true;
        break;
    case EXPR_LOG:
    case EXPR_SQRT:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
        if (!expr_is_real(u)) return true;
        break;
    default: break;
    }
    for (uint32_t i = 0; i < f->nargs; i++)
        if (jumps(f->arg[i], var, x)) return true;
    return false;
}

/* (∫_lo^hi f)' = f(hi)·hi' − f(lo)·lo' + ∫_lo^hi f' */
static expr_node *diff_integral(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node *arg[4] = {e->arg[0]}, *var = e->arg[0], *sum = expr_b_rat(b, 0, 1);
    for (uint32_t i = 2; i < e->nargs; i++) {
        arg[i] = e->arg[i];
        if (!expr_has(arg[i], x)) continue;
        expr_node *rim = expr_b_mul(b, expr_b_replace(b, e->arg[1], var, arg[i]), diff(b, arg[i], x));
        sum = i == 2 ? expr_b_sub(b, sum, rim) : expr_b_add(b, sum, rim);
    }
    if (expr_same(var, x) || !expr_has(e->arg[1], x)) return sum;
    if (jumps(e->arg[1], var, x)) {
        b->st = ph_fail(b->err, PH_EARG,
                        "derivative: the integrand may jump at a place that moves with the symbol; write "
                        "the sum of the integrals between its jumps");
        return NULL;
    }
    arg[1] = diff(b, e->arg[1], x);
    return expr_b_add(b, sum, expr_b_op(b, EXPR_INTEGRAL, (int)e->nargs, arg));
}

/* l = r at one x only, whatever the other symbols are: l − r is linear in x, since from x to x + 1 it grows by a number. */
static bool meet_once(expr_builder *b, const expr_node *c, expr_node *x) {
    if (b->st || (c->op != EXPR_EQ && c->op != EXPR_NE)) return false;
    expr_node *u = expr_b_linear(b, expr_b_sub(b, c->arg[0], c->arg[1]));
    expr_node *next = u ? expr_b_try_subst(b, u, x, expr_b_add(b, x, expr_b_rat(b, 1, 1))) : NULL;
    expr_node *grows = next ? expr_b_linear(b, expr_b_sub(b, next, u)) : NULL;
    return grows && grows->op == EXPR_RAT && grows->num != 0;
}

/* Case by case. A value at one x alone is no function of x: what is beside it has a derivative there, or none. */
static expr_node *diff_piece(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node **arg = ph_alloc(e->nargs * sizeof *arg);
    if (!arg) {
        b->st = ph_fail_nomem(b->err, e->nargs * sizeof *arg);
        return NULL;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->nargs; i += 2) {
        bool last = i + 1 == e->nargs, once = !last && meet_once(b, e->arg[i], x);
        if (once && e->arg[i]->op == EXPR_EQ) continue;
        if (!last && !once) arg[n++] = e->arg[i];
        arg[n++] = diff(b, e->arg[last ? i : i + 1], x);
        if (once) break; /* l != r is all the others */
    }
    expr_node *r = n == 1 ? arg[0] : expr_b_op(b, EXPR_PIECE, (int)n, arg);
    ph_free(arg);
    return r;
}

static expr_node *diff(expr_builder *b, expr_node *e, expr_node *x) {
    if (b->st) return NULL;
    if (expr_same(e, x)) return expr_b_rat(b, 1, 1);
    if (!expr_has(e, x)) return expr_b_rat(b, 0, 1);
    expr_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_NEG: return expr_b_neg(b, diff(b, u, x));
    case EXPR_ADD: return expr_b_add(b, diff(b, u, x), diff(b, v, x));
    case EXPR_SUB: return expr_b_sub(b, diff(b, u, x), diff(b, v, x));
    case EXPR_MUL: return expr_b_add(b, expr_b_mul(b, diff(b, u, x), v), expr_b_mul(b, u, diff(b, v, x)));
    case EXPR_DIV: {
        expr_node *du = diff(b, u, x); /* once: twice would be 2^k times in x/2/2/…/2 */
        if (!expr_has(v, x)) return expr_b_div(b, du, v);
        expr_node *n = expr_b_sub(b, expr_b_mul(b, du, v), expr_b_mul(b, u, diff(b, v, x)));
        return expr_b_div(b, n, expr_b_2(b, EXPR_POW, v, expr_b_rat(b, 2, 1)));
    }
    case EXPR_POW: return diff_pow(b, e, x);
    case EXPR_ABS: return diff_abs(b, e, x);
    case EXPR_MIN:
    case EXPR_MAX: return diff_choice(b, e, x);
    case EXPR_ATAN2: { /* (x·y' − y·x')/(x² + y²) of atan2(y, x) */
        expr_node *two = expr_b_rat(b, 2, 1),
                  *n = expr_b_sub(b, expr_b_mul(b, v, diff(b, u, x)), expr_b_mul(b, u, diff(b, v, x)));
        return expr_b_div(b, n, expr_b_add(b, expr_b_2(b, EXPR_POW, u, two), expr_b_2(b, EXPR_POW, v, two)));
    }
    case EXPR_CONJ:
    case EXPR_RE:
    case EXPR_IM: return expr_b_1(b, e->op, diff(b, u, x));
    case EXPR_SUM: return diff_sum(b, e, x);
    case EXPR_INTEGRAL: return diff_integral(b, e, x);
    case EXPR_PIECE: return diff_piece(b, e, x);
    case EXPR_AT:
        b->st = ph_fail(b->err, PH_EARG, "derivative: '%s' stands in an index", x->name);
        return NULL;
    default: return expr_b_mul(b, outer_derivative(b, e, u), diff(b, u, x));
    }
}

ph_status expr_diff(expr_node **out, expr_node *e, expr_node *x, ph_err *err) {
    *out = NULL;
    if (x->op != EXPR_SYM && x->op != EXPR_AT)
        return ph_fail(err, PH_EARG, "derivative: the second argument is no symbol");
    if (expr_is_statement(e))
        return ph_fail(err, PH_EARG, "derivative: a statement has none; wanted a formula");
    const expr_node *s = x->op == EXPR_AT ? x->arg[0] : x;
    if (s->kind != EXPR_REAL && s->kind != EXPR_POSITIVE)
        return ph_fail(err, PH_EARG, "derivative: '%s' is %s; wanted a real symbol", s->name,
                       expr_kind_name(s->kind));
    expr_node *ready = NULL;
    ph_status st = expr_names_agree((expr_node *[]){e, x}, 2, err);
    if (!st) st = expr_members_apart(&ready, e, x, err);
    expr_builder b = EXPR_BUILDER(err);
    if (!st) st = expr_b_end(&b, out, diff(&b, ready, x));
    expr_drop(ready);
    return st;
}
