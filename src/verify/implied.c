/* implied.c: see implied.h. */
#include "verify/implied.h"

#include "verify/conditions.h"
#include "verify/normal.h"
#include "verify/settle.h"

/* The coefficient of x in a linear form; NULL: it is none, or has none. */
static expr_node *slope(expr_builder *b, expr_node *u, expr_node *x) {
    expr_node *c, *r;
    if (b->st || !ver_linear_in(b, u, x, &c, &r)) {
        if (b->st && !ph_is_fatal(b->st)) b->st = PH_OK;
        return NULL;
    }
    return c->num ? c : NULL;
}

/* u = q·k for a rational q != 0 that the first symbol tells, or 1, or −1. */
static bool is_multiple(expr_builder *b, expr_node *u, expr_node *k) {
    expr_set atoms = {0};
    if (b->st || expr_same(u, k)) return !b->st;
    if ((b->st = expr_symbols(&atoms, u, b->err))) return false;
    expr_node *x = atoms.n ? expr_b_keep(b, expr_ref(atoms.item[0])) : NULL;
    expr_set_clear(&atoms);
    expr_node *c = x && x->op == EXPR_SYM ? slope(b, u, x) : NULL, *d = c ? slope(b, k, x) : NULL;
    if (d) return ver_normal_equal(b, expr_b_mul(b, u, d), expr_b_mul(b, k, c));
    return ver_normal_equal(b, u, k) || ver_normal_equal(b, u, expr_b_neg(b, k));
}

/* Σ of positive terms with hi >= lo. */
static bool is_positive_sum(expr_builder *b, const expr_node *u) {
    expr_set open = {0};
    if (u->op != EXPR_SUM || !expr_is_positive(u->arg[3])) return false;
    expr_node *some = expr_b_2(b, EXPR_GE, u->arg[2], u->arg[1]);
    if (some && !b->st) b->st = ver_condition_over(&open, some, NULL, b->err);
    bool yes = some && !b->st && !open.n;
    expr_set_clear(&open);
    return yes;
}

bool ver_nonzero_by(expr_builder *b, expr_node *u, expr_node *const *known, int n) {
    if (b->st || !u) return false;
    if (u->op == EXPR_RAT) return u->num != 0;
    if (expr_is_positive(u) || u->op == EXPR_EXP || u->op == EXPR_PI || u->op == EXPR_I ||
        is_positive_sum(b, u))
        return true;
    for (int i = 0; i < n; i++)
        if (is_multiple(b, u, known[i])) return true;
    switch (u->op) {
    case EXPR_MUL: return ver_nonzero_by(b, u->arg[0], known, n) && ver_nonzero_by(b, u->arg[1], known, n);
    case EXPR_DIV:
    case EXPR_POW:
    case EXPR_NEG:
    case EXPR_SQRT:
    case EXPR_ABS:
    case EXPR_CONJ: return ver_nonzero_by(b, u->arg[0], known, n);
    default: return false;
    }
}

/* c as u >= 0, strict: u > 0; NULL: it says nothing of order. */
static expr_node *excess(expr_builder *b, const expr_node *c, bool *strict) {
    bool less = c->op == EXPR_LE || c->op == EXPR_LT, more = c->op == EXPR_GE || c->op == EXPR_GT;
    *strict = c->op == EXPR_LT || c->op == EXPR_GT;
    if (b->st || !(less || more) || !expr_is_real(c->arg[0]) || !expr_is_real(c->arg[1])) return NULL;
    return expr_b_sub(b, c->arg[less], c->arg[more]);
}

bool ver_order_by(expr_builder *b, const expr_node *c, const expr_node *k) {
    bool strict, given;
    expr_node *u = excess(b, c, &strict), *v = u ? excess(b, k, &given) : NULL,
              *d = v ? expr_b_linear(b, expr_b_sub(b, u, v)) : NULL;
    return d && !b->st && d->op == EXPR_RAT && (d->num > 0 || (d->num == 0 && (given || !strict)));
}

bool ver_decided(bool *holds, expr_builder *b, const expr_node *c) {
    expr_node *d = b->st ? NULL : expr_b_linear(b, expr_b_sub(b, c->arg[0], c->arg[1]));
    if (ph_is_open(b->st)) b->st = PH_OK, d = NULL;
    if (!d || d->op != EXPR_RAT) return false;
    *holds = (d->num == 0 && (c->op == EXPR_EQ || c->op == EXPR_LE || c->op == EXPR_GE)) ||
             (d->num > 0 && (c->op == EXPR_NE || c->op == EXPR_GT || c->op == EXPR_GE)) ||
             (d->num < 0 && (c->op == EXPR_NE || c->op == EXPR_LT || c->op == EXPR_LE));
    return true;
}
