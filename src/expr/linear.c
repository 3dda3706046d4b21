/* linear.c: Σ c_i·u_i + c with rational coefficients, written in one way only: so that θ[i+1-1] is θ[i]. */
#include <string.h>

#include "expr/build.h"

#define MAX_PARTS 16

typedef struct {
    expr_node *part[MAX_PARTS], *coef[MAX_PARTS]; /* coef: rational constants */
    expr_node *constant;
    int n;
} linear;

static bool is_rat(const expr_node *e) { return e && e->op == EXPR_RAT; }

/* coef·e joins l; false when it does not fit: too many parts, or beyond 64 bits. */
static bool join(expr_builder *b, linear *l, expr_node *e, expr_node *coef) {
    if (!is_rat(coef)) return false;
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_RAT: return is_rat(l->constant = expr_b_add(b, l->constant, expr_b_mul(b, coef, e)));
    case EXPR_NEG: return join(b, l, u, expr_b_mul(b, coef, expr_b_rat(b, -1, 1)));
    case EXPR_ADD: return join(b, l, u, coef) && join(b, l, v, coef);
    case EXPR_SUB: return join(b, l, u, coef) && join(b, l, v, expr_b_mul(b, coef, expr_b_rat(b, -1, 1)));
    case EXPR_MUL:
        if (is_rat(u)) return join(b, l, v, expr_b_mul(b, coef, u));
        if (is_rat(v)) return join(b, l, u, expr_b_mul(b, coef, v));
        break;
    case EXPR_DIV:
        if (is_rat(v)) return join(b, l, u, expr_b_div(b, coef, v));
        break;
    default: break;
    }
    for (int i = 0; i < l->n; i++)
        if (expr_same(l->part[i], e)) return is_rat(l->coef[i] = expr_b_add(b, l->coef[i], coef));
    if (l->n == MAX_PARTS) return false;
    l->part[l->n] = e;
    l->coef[l->n++] = coef;
    return true;
}

static void sort(linear *l) {
    for (int i = 1; i < l->n; i++)
        for (int k = i; k > 0 && l->part[k - 1]->hash > l->part[k]->hash; k--) {
            expr_node *p = l->part[k], *c = l->coef[k];
            l->part[k] = l->part[k - 1];
            l->coef[k] = l->coef[k - 1];
            l->part[k - 1] = p;
            l->coef[k - 1] = c;
        }
}

expr_node *expr_b_linear(expr_builder *b, expr_node *e) {
    if (!e || b->st) return NULL;
    linear l = {.constant = expr_b_rat(b, 0, 1)};
    expr_node *one = expr_b_rat(b, 1, 1), *sum = NULL;
    if (!one || !join(b, &l, e, one)) return b->st ? NULL : e;
    sort(&l);
    for (int i = 0; i < l.n; i++)
        if (l.coef[i]->num) {
            expr_node *t = expr_b_mul(b, l.coef[i], l.part[i]);
            sum = sum ? expr_b_add(b, sum, t) : t;
        }
    if (!sum) return l.constant;
    if (l.constant->num >= 0) sum = expr_b_add(b, sum, l.constant);
    else sum = expr_b_sub(b, sum, expr_b_neg(b, l.constant));
    return !sum || expr_same(sum, e) ? (b->st ? NULL : e) : sum;
}

bool expr_is_whole(const expr_node *e) {
    const expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_RAT: return e->den == 1;
    case EXPR_SYM: return e->kind == EXPR_INTEGER || e->kind == EXPR_NATURAL;
    case EXPR_AT:
    case EXPR_NEG:
    case EXPR_ABS:
    case EXPR_SIGN: return expr_is_whole(u);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_MIN:
    case EXPR_MAX: return expr_is_whole(u) && expr_is_whole(v);
    case EXPR_POW: return expr_is_whole(u) && v->op == EXPR_RAT && v->den == 1 && v->num > 0;
    case EXPR_FLOOR: return expr_is_real(u);
    case EXPR_SUM: /* the closed form goes on between whole bounds, where it need not be whole */
        return expr_is_whole(e->arg[1]) && expr_is_whole(e->arg[2]) && expr_is_whole(e->arg[3]);
    default: return false;
    }
}

/* Σ k_i·n_i + c with integers n_i and k_i, and c no integer: no bound and no index. */
bool expr_b_never_integer(expr_builder *b, expr_node *bound) {
    expr_node *e = expr_b_linear(b, bound);
    if (!e) return false;
    if (e->op == EXPR_RAT) return e->den != 1;
    return (e->op == EXPR_ADD || e->op == EXPR_SUB) && e->arg[1]->op == EXPR_RAT && e->arg[1]->den != 1 &&
           expr_is_whole(e->arg[0]);
}
