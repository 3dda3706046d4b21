/* solved.c: see solved.h. */
#include "verify/solved.h"

#include "verify/settle.h"

static int count(const expr_node *e, const expr_node *x) {
    int n = expr_same(e, x);
    for (uint32_t i = 0; i < e->nargs && n < 2; i++) n += count(e->arg[i], x);
    return n;
}

static expr_node *root(expr_builder *b, expr_node *r, const expr_node *n) {
    if (expr_is_rat(n, 2, 1)) return expr_b_1(b, EXPR_SQRT, r);
    return n->op == EXPR_RAT && n->num ? expr_b_pow(b, r, expr_b_div(b, expr_b_rat(b, 1, 1), (expr_node *)n))
                                       : NULL;
}

/* f(u) = r for an f of one argument: u = …, and the other value that it may have. */
static expr_node *inverse(expr_builder *b, expr_op f, expr_node *r, expr_node **other) {
    switch (f) {
    case EXPR_NEG: return expr_b_neg(b, r);
    case EXPR_EXP: return expr_b_1(b, EXPR_LOG, r);
    case EXPR_LOG: return expr_b_1(b, EXPR_EXP, r);
    case EXPR_SQRT: return expr_b_pow(b, r, expr_b_rat(b, 2, 1));
    case EXPR_ABS: return *other = expr_b_neg(b, r), r;
    case EXPR_SIN: return expr_b_1(b, EXPR_ASIN, r);
    case EXPR_COS: return *other = expr_b_neg(b, expr_b_1(b, EXPR_ACOS, r)), expr_b_1(b, EXPR_ACOS, r);
    case EXPR_TAN: return expr_b_1(b, EXPR_ATAN, r);
    case EXPR_ATAN: return expr_b_1(b, EXPR_TAN, r);
    case EXPR_ASIN: return expr_b_1(b, EXPR_SIN, r);
    case EXPR_ACOS: return expr_b_1(b, EXPR_COS, r);
    default: return NULL;
    }
}

/* u·v = r, and so on, of which one side has x. */
static expr_node *inverse_2(expr_builder *b, const expr_node *e, bool left, expr_node *r, expr_node **other) {
    expr_node *u = e->arg[0], *v = e->arg[1];
    switch (e->op) {
    case EXPR_ADD: return expr_b_sub(b, r, left ? v : u);
    case EXPR_SUB: return left ? expr_b_add(b, r, v) : expr_b_sub(b, u, r);
    case EXPR_MUL: return expr_b_div(b, r, left ? v : u);
    case EXPR_DIV: return left ? expr_b_mul(b, r, v) : expr_b_div(b, u, r);
    case EXPR_POW:
        if (!left) return expr_b_div(b, expr_b_1(b, EXPR_LOG, r), expr_b_1(b, EXPR_LOG, u));
        r = root(b, r, v);
        if (r && v->den == 1 && v->num % 2 == 0) *other = expr_b_neg(b, r);
        return r;
    default: return NULL;
    }
}

static expr_node *step(expr_builder *b, const expr_node *e, int i, expr_node *r, expr_node **other) {
    *other = NULL;
    if (!r) return NULL;
    return e->nargs == 1 ? inverse(b, e->op, r, other) : inverse_2(b, e, i == 0, r, other);
}

/* e = r, or e = *other, step by step from outside. */
static expr_node *peel(expr_builder *b, const expr_node *e, const expr_node *x, expr_node *r,
                       expr_node **other) {
    while (r && !b->st && !expr_same(e, x)) {
        if (e->nargs < 1 || e->nargs > 2) return NULL;
        int i = e->nargs == 2 && !expr_has(e->arg[0], x);
        expr_node *second, *unused;
        r = step(b, e, i, r, &second);
        *other = *other ? step(b, e, i, *other, &unused) : second;
        e = e->arg[i];
    }
    return r;
}

bool ver_solved(expr_node **one, expr_node **other, expr_builder *b, const expr_node *equation,
                const expr_node *x) {
    expr_node *l = equation->arg[0], *r = equation->arg[1], *c, *rest;
    *one = *other = NULL;
    if (b->st) return false;
    int on_left = count(l, x), on_right = count(r, x);
    if (on_left + on_right == 1) *one = on_left ? peel(b, l, x, r, other) : peel(b, r, x, l, other);
    else if (on_left + on_right > 1 && ver_linear_in(b, expr_b_sub(b, l, r), (expr_node *)x, &c, &rest) &&
             c->num && !expr_has(rest, x))
        *one = expr_b_neg(b, expr_b_div(b, rest, c));
    if (b->st && !ph_is_fatal(b->st)) b->st = PH_OK, *one = NULL;
    return *one && !b->st;
}
