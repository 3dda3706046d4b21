/* conj.c: conj, re and im pushed to the symbols of a formula. */
#include "expr/build.h"

static expr_node *push(expr_builder *b, expr_node *e, void *ctx);

/* Is e real on its branch cut's side, or without a cut? conj(f(u)) = f(conj u) then. */
static bool commutes_with_conj(const expr_node *e) {
    const expr_node *u = e->nargs ? e->arg[0] : NULL;
    switch (e->op) {
    case EXPR_LOG: return expr_is_positive(u);
    case EXPR_SQRT: return expr_is_nonnegative(u);
    case EXPR_POW: return expr_is_whole(e->arg[1]) || expr_is_positive(u);
    case EXPR_ASIN: /* cut along the real axis beyond ±1 */
    case EXPR_ACOS: return false;
    case EXPR_ATAN:
    case EXPR_CI:
    case EXPR_SI: return expr_is_real(u);
    default: return true;
    }
}

/* conj of an already pushed formula. */
static expr_node *conjugate(expr_builder *b, expr_node *e, void *ctx) {
    if (b->st) return NULL;
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_ATAN2:
    case EXPR_MIN:
    case EXPR_MAX: return e; /* real wherever they are defined */
    case EXPR_I: return expr_b_neg(b, e);
    case EXPR_SYM: return e->kind == EXPR_COMPLEX ? expr_b_1(b, EXPR_CONJ, e) : e;
    case EXPR_AT: return e->arg[0]->kind == EXPR_COMPLEX ? expr_b_1(b, EXPR_CONJ, e) : e;
    case EXPR_CONJ: return e->arg[0];
    case EXPR_SUM:
        return expr_b_op(b, EXPR_SUM, 4,
                         (expr_node *[]){e->arg[0], e->arg[1], e->arg[2], conjugate(b, e->arg[3], ctx)});
    case EXPR_INTEGRAL: return expr_is_real(e) ? e : expr_b_1(b, EXPR_CONJ, e);
    case EXPR_PIECE:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: return expr_is_statement(e) ? e : expr_b_rewrite(b, e, 0, conjugate, ctx);
    default:
        return commutes_with_conj(e) ? expr_b_rewrite(b, e, 0, conjugate, ctx) : expr_b_1(b, EXPR_CONJ, e);
    }
}

/* re z = (z + z̄)/2, im z = (z − z̄)/(2i) */
static expr_node *push(expr_builder *b, expr_node *e, void *ctx) {
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, push, ctx);
    if (!e || (e->op != EXPR_CONJ && e->op != EXPR_RE && e->op != EXPR_IM)) return e;
    expr_node *z = e->arg[0], *c = conjugate(b, z, ctx);
    if (e->op == EXPR_CONJ) return c;
    bool real = c && expr_same(z, c);
    if (e->op == EXPR_RE) return real ? z : expr_b_div(b, expr_b_add(b, z, c), expr_b_rat(b, 2, 1));
    if (real) return expr_b_rat(b, 0, 1);
    expr_node *i = expr_b_op(b, EXPR_I, 0, NULL);
    return expr_b_div(b, expr_b_sub(b, z, c), expr_b_mul(b, expr_b_rat(b, 2, 1), i));
}

ph_status expr_push_conj(expr_node **out, expr_node *e, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, push(&b, e, NULL));
}
