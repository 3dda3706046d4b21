/* cases.c: piecewise parts of a formula, taken case by case. A part under Σ that uses the index stands for many values, each of
 * which may be in a case of its own: such a part is no case of the whole. */
#include "verify/cases.h"

/* A chain of bound indices, innermost first. */
typedef struct bound {
    const exp_node *sym;
    const struct bound *up;
} bound;

static bool uses(const exp_node *e, const bound *b) {
    for (; b; b = b->up)
        if (exp_has(e, b->sym)) return true;
    return false;
}

static exp_node *find(exp_node *e, const bound *b) {
    if (e->op == EXP_PIECE && !uses(e, b)) return e;
    exp_node *p = NULL;
    for (uint32_t i = 0; i < e->nargs && !p; i++) {
        bound in = {e->arg[0], b};
        p = find(e->arg[i], e->op == EXP_SUM && i == 3 ? &in : b);
    }
    return p;
}

exp_node *ver_find_case(exp_node *e) { return find(e, NULL); }

typedef struct {
    exp_node *piece, *branch;
} pick;

/* Where an index of the same name is bound, what looks like the part is another one. */
static exp_node *take(exp_builder *b, exp_node *e, void *ctx) {
    pick *p = ctx;
    if (exp_same(e, p->piece)) return p->branch;
    if (e->op != EXP_SUM || !exp_has(p->piece, e->arg[0])) return exp_b_rewrite(b, e, 0, take, ctx);
    exp_node *lo = take(b, e->arg[1], ctx), *hi = take(b, e->arg[2], ctx);
    return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){e->arg[0], lo, hi, e->arg[3]});
}

exp_node *ver_take_case(exp_builder *b, exp_node *e, exp_node *piece, exp_node *branch) {
    return take(b, e, &(pick){piece, branch});
}

/* a op c for rational numbers, by cross multiplication in 128 bits */
static bool holds(exp_op op, const exp_node *a, const exp_node *c) {
    __int128 l = (__int128)a->num * c->den, r = (__int128)c->num * a->den;
    switch (op) {
    case EXP_EQ: return l == r;
    case EXP_NE: return l != r;
    case EXP_LT: return l < r;
    case EXP_LE: return l <= r;
    case EXP_GT: return l > r;
    default: return l >= r;
    }
}

exp_node *ver_settle_cases(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, 0, ver_settle_cases, ctx);
    if (!e || e->op != EXP_PIECE) return e;
    for (uint32_t i = 0; i + 1 < e->nargs;
         i += 2) { /* up to the first condition that is not between numbers */
        exp_node *c = e->arg[i], *l = c->arg[0], *r = c->arg[1];
        if (l->op != EXP_RAT || r->op != EXP_RAT) return e;
        if (holds(c->op, l, r)) return e->arg[i + 1];
    }
    return e->arg[e->nargs - 1];
}
