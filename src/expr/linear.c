/* linear.c: Σ c_i·u_i + c with rational coefficients, written in one way only: so that θ[i+1-1] is θ[i]. */
#include <string.h>

#include "expr/build.h"

#define MAX_PARTS 16

typedef struct {
    exp_node *part[MAX_PARTS], *coef[MAX_PARTS]; /* coef: rational constants */
    exp_node *constant;
    int n;
} linear;

static bool is_rat(const exp_node *e) { return e && e->op == EXP_RAT; }

/* coef·e joins l; false when it does not fit: too many parts, or beyond 64 bits. */
static bool join(exp_builder *b, linear *l, exp_node *e, exp_node *coef) {
    if (!is_rat(coef)) return false;
    exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return is_rat(l->constant = exp_b_add(b, l->constant, exp_b_mul(b, coef, e)));
    case EXP_NEG: return join(b, l, u, exp_b_mul(b, coef, exp_b_rat(b, -1, 1)));
    case EXP_ADD: return join(b, l, u, coef) && join(b, l, v, coef);
    case EXP_SUB: return join(b, l, u, coef) && join(b, l, v, exp_b_mul(b, coef, exp_b_rat(b, -1, 1)));
    case EXP_MUL:
        if (is_rat(u)) return join(b, l, v, exp_b_mul(b, coef, u));
        if (is_rat(v)) return join(b, l, u, exp_b_mul(b, coef, v));
        break;
    case EXP_DIV:
        if (is_rat(v)) return join(b, l, u, exp_b_div(b, coef, v));
        break;
    default: break;
    }
    for (int i = 0; i < l->n; i++)
        if (exp_same(l->part[i], e)) return is_rat(l->coef[i] = exp_b_add(b, l->coef[i], coef));
    if (l->n == MAX_PARTS) return false;
    l->part[l->n] = e;
    l->coef[l->n++] = coef;
    return true;
}

static void sort(linear *l) {
    for (int i = 1; i < l->n; i++)
        for (int k = i; k > 0 && l->part[k - 1]->hash > l->part[k]->hash; k--) {
            exp_node *p = l->part[k], *c = l->coef[k];
            l->part[k] = l->part[k - 1];
            l->coef[k] = l->coef[k - 1];
            l->part[k - 1] = p;
            l->coef[k - 1] = c;
        }
}

exp_node *exp_b_linear(exp_builder *b, exp_node *e) {
    if (!e || b->st) return NULL;
    linear l = {.constant = exp_b_rat(b, 0, 1)};
    exp_node *one = exp_b_rat(b, 1, 1), *sum = NULL;
    if (!one || !join(b, &l, e, one)) return b->st ? NULL : e;
    sort(&l);
    for (int i = 0; i < l.n; i++)
        if (l.coef[i]->num) {
            exp_node *t = exp_b_mul(b, l.coef[i], l.part[i]);
            sum = sum ? exp_b_add(b, sum, t) : t;
        }
    if (!sum) return l.constant;
    if (l.constant->num >= 0) sum = exp_b_add(b, sum, l.constant);
    else sum = exp_b_sub(b, sum, exp_b_neg(b, l.constant));
    return !sum || exp_same(sum, e) ? (b->st ? NULL : e) : sum;
}

bool exp_is_whole(const exp_node *e) {
    const exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return e->den == 1;
    case EXP_SYM: return e->kind == EXP_INTEGER || e->kind == EXP_NATURAL;
    case EXP_AT:
    case EXP_NEG:
    case EXP_ABS:
    case EXP_SIGN: return exp_is_whole(u);
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL:
    case EXP_MIN:
    case EXP_MAX: return exp_is_whole(u) && exp_is_whole(v);
    case EXP_POW: return exp_is_whole(u) && v->op == EXP_RAT && v->den == 1 && v->num > 0;
    case EXP_FLOOR: return exp_is_real(u);
    case EXP_SUM: return exp_is_whole(e->arg[3]);
    default: return false;
    }
}

/* Σ k_i·n_i + c with integers n_i and k_i, and c no integer: no bound and no index. */
bool exp_b_never_integer(exp_builder *b, exp_node *bound) {
    exp_node *e = exp_b_linear(b, bound);
    if (!e) return false;
    if (e->op == EXP_RAT) return e->den != 1;
    return (e->op == EXP_ADD || e->op == EXP_SUB) && e->arg[1]->op == EXP_RAT && e->arg[1]->den != 1 &&
           exp_is_whole(e->arg[0]);
}
