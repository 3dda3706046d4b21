/* by_ranges.c: c·f(u) + r = 0, that is f(u) = A with A = −r/c, where f has a range in which its values are told by what they go back to:
 *     asin u = A      when sin A = u and −π/2 <= A <= π/2
 *     acos u = A      when cos A = u and 0 <= A <= π
 *     atan u = A      when tan A = u and −π/2 < A < π/2
 *     atan2(y, x) = A when y·cos A = x·sin A, x·cos A + y·sin A >= 0 and −π < A <= π: then (x, y) = r·(cos A, sin A) with r >= 0, and
 *                     r > 0 since atan2 is defined
 *     floor u = A     when A is a whole number and A <= u < A + 1
 * The equations are told by normal form, the inequalities by the prover of order, under what is assumed. */
#include "verify/identity_ways.h"
#include "verify/meter.h"
#include "verify/order.h"
#include "verify/subject.h"

#define MAX_TERMS 8
#define SHARE     0.3 /* of the meter, for one term */

typedef struct {
    expr_node *f[MAX_TERMS], *coef[MAX_TERMS]; /* coef rational */
    int n;
} inverses;

static bool is_inverse(const expr_node *e) {
    switch (e->op) {
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
    case EXPR_ATAN2:
    case EXPR_FLOOR: return true;
    default: return false;
    }
}

/* The terms of e that are such functions, times rational numbers. */
static void gather(expr_builder *b, inverses *t, expr_node *e, expr_node *coef) {
    if (b->st || !coef || coef->op != EXPR_RAT || !coef->num || t->n == MAX_TERMS) return;
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    if (is_inverse(e)) t->f[t->n] = e, t->coef[t->n++] = coef;
    else if (e->op == EXPR_NEG) gather(b, t, u, expr_b_neg(b, coef));
    else if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
        gather(b, t, u, coef);
        gather(b, t, v, e->op == EXPR_ADD ? coef : expr_b_neg(b, coef));
    } else if (e->op == EXPR_MUL && u->op == EXPR_RAT) gather(b, t, v, expr_b_mul(b, coef, u));
    else if (e->op == EXPR_MUL && v->op == EXPR_RAT) gather(b, t, u, expr_b_mul(b, coef, v));
    else if (e->op == EXPR_DIV && v->op == EXPR_RAT) gather(b, t, u, expr_b_div(b, coef, v));
}

typedef struct {
    const ver_question *q;
    bool stands;
} argument;

/* l op r must be proved, under what is assumed; what else the proof asks for becomes a condition. */
static void need(argument *a, expr_op op, expr_node *l, expr_node *r) {
    expr_builder *b = a->q->b;
    expr_node *s = a->stands ? expr_b_2(b, op, l, r) : NULL;
    ver_verdict v;
    ph_err unheard = {0};
    if (!(a->stands = s && !b->st)) return;
    ver_init(&v);
    ph_status st = ver_prove_order(&v, s, a->q->where, &unheard);
    if (ph_is_fatal(st)) b->st = ph_fail(b->err, st, "%s", unheard.text);
    a->stands = !st && v.strength == VER_PROVED && v.subject;
    for (int i = a->q->where ? a->q->where->nwhere : 0; a->stands && i < v.subject->conditions.n; i++)
        ver_note_condition(a->q, v.subject->conditions.item[i]);
    ver_clear(&v);
}

/* l = r must be proved. */
static void need_zero(argument *a, expr_node *l, expr_node *r) {
    sums_form f;
    expr_node *e = a->stands ? expr_b_2(a->q->b, EXPR_SUB, l, r) : NULL;
    a->stands = e && ver_follows_zero(a->q, &f, e);
    if (a->stands) ver_take_proof(a->q, &f);
}

static expr_node *of_pi(expr_builder *b, int64_t num, int64_t den) {
    return expr_b_mul(b, expr_b_rat(b, num, den), expr_b_op(b, EXPR_PI, 0, NULL));
}

static void need_turn(argument *a, expr_node *f, expr_node *A) {
    expr_builder *b = a->q->b;
    expr_node *y = f->arg[0], *x = f->arg[1], *s = expr_b_1(b, EXPR_SIN, A), *c = expr_b_1(b, EXPR_COS, A);
    a->stands = a->stands && expr_is_real(x) && expr_is_real(y);
    need_zero(a, expr_b_mul(b, y, c), expr_b_mul(b, x, s));
    need(a, EXPR_GT, A, of_pi(b, -1, 1));
    need(a, EXPR_LE, A, of_pi(b, 1, 1));
    need(a, EXPR_GE, expr_b_add(b, expr_b_mul(b, x, c), expr_b_mul(b, y, s)), expr_b_rat(b, 0, 1));
}

/* f(u) = A? */
static bool goes_back(const ver_question *q, expr_node *f, expr_node *A) {
    expr_builder *b = q->b;
    argument a = {q, A && expr_is_real(A) && !ver_meter_is_empty()};
    if (!a.stands) return false;
    switch (f->op) {
    case EXPR_ASIN:
        need_zero(&a, expr_b_1(b, EXPR_SIN, A), f->arg[0]);
        need(&a, EXPR_GE, A, of_pi(b, -1, 2));
        need(&a, EXPR_LE, A, of_pi(b, 1, 2));
        break;
    case EXPR_ACOS:
        need_zero(&a, expr_b_1(b, EXPR_COS, A), f->arg[0]);
        need(&a, EXPR_GE, A, expr_b_rat(b, 0, 1));
        need(&a, EXPR_LE, A, of_pi(b, 1, 1));
        break;
    case EXPR_ATAN:
        need_zero(&a, expr_b_1(b, EXPR_TAN, A), f->arg[0]);
        need(&a, EXPR_GT, A, of_pi(b, -1, 2));
        need(&a, EXPR_LT, A, of_pi(b, 1, 2));
        break;
    case EXPR_ATAN2: need_turn(&a, f, A); break;
    default:
        a.stands = expr_is_whole(A) && expr_is_real(f->arg[0]);
        need(&a, EXPR_GE, f->arg[0], A);
        need(&a, EXPR_LT, f->arg[0], expr_b_add(b, A, expr_b_rat(b, 1, 1)));
        break;
    }
    return a.stands && !b->st;
}

static bool has(const expr_node *e, const expr_node *part) {
    if (expr_same(e, part)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has(e->arg[i], part)) return true;
    return false;
}

bool ver_by_ranges(const ver_question *q) {
    expr_builder *b = q->b;
    inverses t = {.n = 0};
    gather(b, &t, q->e, expr_b_rat(b, 1, 1));
    for (int i = 0; i < t.n && !b->st; i++) {
        const double before = ver_meter_lower(SHARE);
        expr_node *A = expr_b_linear(b, expr_b_sub(b, t.f[i], expr_b_div(b, q->e, t.coef[i])));
        bool proved = A && !has(A, t.f[i]) && goes_back(q, t.f[i], A);
        ver_meter_restore(before);
        if (proved) return true;
        expr_set_clear(&q->out->form.conditions);
    }
    return false;
}
