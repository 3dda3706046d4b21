/* turns.c: see turns.h. */
#include "verify/turns.h"

#include "verify/normal.h"
#include "verify/settle.h"

static const expr_node *find_exp(const expr_node *e) {
    if (e->op == EXPR_EXP) return e;
    for (uint32_t i = 0; i < e->nargs; i++) {
        const expr_node *p = find_exp(e->arg[i]);
        if (p) return p;
    }
    return NULL;
}

/* w = 2πi·q; the guess, π/(2π) and i/i put in, is told by normal form. */
static expr_node *quotient(expr_builder *b, expr_node *w) {
    expr_node *I = expr_b_op(b, EXPR_I, 0, NULL), *pi = expr_b_op(b, EXPR_PI, 0, NULL);
    expr_node *q = expr_b_exchange(b, expr_b_exchange(b, w, I, expr_b_rat(b, 1, 1)), pi, expr_b_rat(b, 1, 2));
    expr_node *back = expr_b_mul(b, expr_b_mul(b, expr_b_rat(b, 2, 1), pi), expr_b_mul(b, I, q));
    return back && expr_is_real(q) && ver_normal_equal(b, w, back) ? q : NULL;
}

expr_node *ver_turns_of(expr_builder *b, const expr_node *s) {
    const expr_node *e = s->op == EXPR_NE ? find_exp(s) : NULL;
    expr_node *t = NULL, *c, *rest;
    if (!e || (b->st = expr_sym(&t, "turn'", EXPR_COMPLEX, b->err)) || !(t = expr_b_keep(b, t))) return NULL;
    expr_node *u = expr_b_exchange(b, expr_b_sub(b, s->arg[0], s->arg[1]), e, t);
    if (!u || !ver_linear_in(b, u, t, &c, &rest) || rest->op != EXPR_RAT || c->num == 0) return NULL;
    return rest->num == -c->num && rest->den == c->den ? quotient(b, e->arg[0]) : NULL;
}
