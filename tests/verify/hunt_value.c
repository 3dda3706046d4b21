/* hunt_value.c: the value of a tree at a point. Written from the conventions
 * in hunt.h, without a look at ball.c or eval.c. */
#include "hunt_arithmetic.h"

#include <stdlib.h>

#define MOST_STEPS 60000 /* parts looked at in one evaluation, sums written out */

void point_init(point *p) {
    for (int i = 0; i < NSYM; i++) value_init(&p->v[i]), p->given[i] = false;
    for (int i = 0; i < MAX_MEMBERS; i++) value_init(&p->member[i].v);
    p->nmember = 0;
    p->seed = 0;
    p->only_given = false;
}
void point_clear(point *p) {
    for (int i = 0; i < NSYM; i++) value_clear(&p->v[i]);
    for (int i = 0; i < MAX_MEMBERS; i++) value_clear(&p->member[i].v);
}
void point_copy(point *to, const point *from) {
    for (int i = 0; i < NSYM; i++) value_set(&to->v[i], &from->v[i]), to->given[i] = from->given[i];
    to->nmember = from->nmember;
    for (int i = 0; i < from->nmember; i++) {
        to->member[i].family = from->member[i].family;
        to->member[i].index = from->member[i].index;
        value_set(&to->member[i].v, &from->member[i].v);
    }
    to->seed = from->seed;
    to->only_given = from->only_given;
}
bool point_member(point *p, int family, int64_t index, const value *v) {
    int k = 0;
    while (k < p->nmember && !(p->member[k].family == family && p->member[k].index == index)) k++;
    if (k == MAX_MEMBERS) return false;
    if (k == p->nmember) p->nmember++;
    p->member[k].family = family;
    p->member[k].index = index;
    value_set(&p->member[k].v, v);
    return true;
}

/* ---- the evaluation -------------------------------------------------------------------------------------- */

typedef struct {
    const point *p;
    const fmpz *bound[NSYM]; /* indices of the sums around */
    slong prec;
    int steps;
} evaluation;

static found ev(value *o, const tree *t, evaluation *e);
static truth ev_statement(const tree *t, evaluation *e, found *how);

/* ---- atoms, sums, cases ---------------------------------------------------------------------------------- */

static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9FB21C651E98DF25u;
    x = (x ^ (x >> 28)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

/* A member's value: small, sometimes equal to others. */
static void draw_member(value *o, int family, int64_t index, uint64_t seed) {
    uint64_t h = scramble(seed * 31 + (uint64_t)index * 1000003 + (uint64_t)family * 7919 + 1);
    expr_kind kind = symbols[family].kind;
    slong den = kind == EXPR_INTEGER ? 1 : 1 + (slong)(h >> 8) % 4, num = (slong)((h >> 16) % 13) - 5;
    if (den < 1) den = 1;
    if (kind == EXPR_POSITIVE) num = num < 0 ? -num : num + (num == 0);
    o->exact = true;
    fmpq_set_si(o->re, num, (ulong)den);
    fmpq_zero(o->im);
    if (kind == EXPR_COMPLEX) fmpq_set_si(o->im, (slong)((h >> 40) % 9) - 4, 3);
}

static found ev_member(value *o, const tree *t, evaluation *e) {
    found f = ev(o, t->arg[1], e);
    if (f != DEFINED) return f;
    if (!o->exact) return UNDECIDED;
    if (!is_integer_exact(o) || fmpz_bits(fmpq_numref(o->re)) > 60) return UNDEFINED;
    int64_t index = fmpz_get_si(fmpq_numref(o->re));
    for (int k = 0; k < e->p->nmember; k++)
        if (e->p->member[k].family == t->arg[0]->sym && e->p->member[k].index == index)
            return value_set(o, &e->p->member[k].v), DEFINED;
    if (e->p->only_given) return UNDECIDED;
    draw_member(o, t->arg[0]->sym, index, e->p->seed);
    return DEFINED;
}

static found ev_sum(value *o, const tree *t, evaluation *e) {
    value lo, hi;
    value_init(&lo);
    value_init(&hi);
    found f = ev(&lo, t->arg[1], e), g = ev(&hi, t->arg[2], e);
    if (f == DEFINED) f = g;
    if (f == DEFINED && (!lo.exact || !hi.exact)) f = UNDECIDED;
    if (f == DEFINED && (!is_integer_exact(&lo) || !is_integer_exact(&hi))) f = UNDEFINED;
    set_si(o, 0);
    if (f == DEFINED) {
        fmpz_t i, n;
        fmpz_init(n);
        fmpz_init_set(i, fmpq_numref(lo.re));
        fmpz_sub(n, fmpq_numref(hi.re), i);
        if (fmpz_cmp_si(n, -1) < 0) f = UNDEFINED;
        else if (fmpz_cmp_si(n, 5000) > 0) f = UNDECIDED;
        const fmpz *outer = e->bound[t->arg[0]->sym];
        e->bound[t->arg[0]->sym] = i;
        value term;
        value_init(&term);
        for (; f == DEFINED && fmpz_cmp(i, fmpq_numref(hi.re)) <= 0; fmpz_add_ui(i, i, 1)) {
            f = ev(&term, t->arg[3], e);
            if (f == DEFINED) f = ev_arithmetic(o, EXPR_ADD, o, &term, e->prec);
        }
        value_clear(&term);
        e->bound[t->arg[0]->sym] = outer;
        fmpz_clear(i);
        fmpz_clear(n);
    }
    value_clear(&lo);
    value_clear(&hi);
    return f;
}

static found ev_cases(value *o, const tree *t, evaluation *e) {
    for (int i = 0; i + 1 < t->n; i += 2) {
        found how;
        truth c = ev_statement(t->arg[i], e, &how);
        if (how != DEFINED) return how;
        if (c == IS_TRUE) return ev(o, t->arg[i + 1], e);
        if (c != IS_FALSE) return UNDECIDED;
    }
    return ev(o, t->arg[t->n - 1], e);
}

static found ev(value *o, const tree *t, evaluation *e) {
    if (e->steps-- <= 0) return UNDECIDED;
    switch (t->op) {
    case EXPR_RAT:
        o->exact = true;
        fmpq_set_si(o->re, t->num, (ulong)t->den);
        fmpq_zero(o->im);
        return DEFINED;
    case EXPR_I:
        set_si(o, 0);
        fmpq_one(o->im);
        return DEFINED;
    case EXPR_PI:
        o->exact = false;
        acb_const_pi(o->z, e->prec);
        return DEFINED;
    case EXPR_SYM:
        if (e->bound[t->sym]) {
            set_si(o, 0);
            fmpq_set_fmpz(o->re, e->bound[t->sym]);
        } else value_set(o, &e->p->v[t->sym]);
        return e->bound[t->sym] || e->p->given[t->sym] ? DEFINED : UNDECIDED;
    case EXPR_AT: return ev_member(o, t, e);
    case EXPR_SUM: return ev_sum(o, t, e);
    case EXPR_PIECE: return ev_cases(o, t, e);
    default: break;
    }
    value a, b;
    value_init(&a);
    value_init(&b);
    found f = ev(&a, t->arg[0], e), g = t->n == 2 ? ev(&b, t->arg[1], e) : DEFINED;
    if (f == UNDEFINED || g == UNDEFINED) f = UNDEFINED;
    else if (g == UNDECIDED) f = g;
    if (f == DEFINED)
        f = t->n == 2 ? ev_arithmetic(o, t->op, &a, &b, e->prec) : ev_function(o, t->op, &a, e->prec);
    value_clear(&a);
    value_clear(&b);
    return f;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

static truth holds(expr_op op, int order) { /* order: sign of left − right */
    bool yes = op == EXPR_EQ   ? order == 0
               : op == EXPR_NE ? order != 0
               : op == EXPR_LT ? order < 0
               : op == EXPR_LE ? order <= 0
               : op == EXPR_GT ? order > 0
                               : order >= 0;
    return yes ? IS_TRUE : IS_FALSE;
}

static truth compare(expr_op op, const value *a, const value *b, slong prec) {
    bool equality = op == EXPR_EQ || op == EXPR_NE;
    if (a->exact && b->exact)
        return holds(op,
                     equality ? !(fmpq_equal(a->re, b->re) && fmpq_equal(a->im, b->im)) : order_exact(a, b));
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, prec);
    value_ball(y, b, prec);
    truth t = AGREES;
    if (equality && !acb_overlaps(x, y)) t = holds(op, 1);
    if (!equality && arb_lt(acb_realref(x), acb_realref(y))) t = holds(op, -1);
    if (!equality && arb_gt(acb_realref(x), acb_realref(y))) t = holds(op, 1);
    acb_sub(x, x, y, prec); /* agreement is to 60 digits, or none was seen */
    if (t == AGREES && (mag_cmp_2exp_si(arb_radref(acb_realref(x)), -150) > 0 ||
                        mag_cmp_2exp_si(arb_radref(acb_imagref(x)), -150) > 0))
        t = NO_ANSWER;
    acb_clear(x);
    acb_clear(y);
    return t;
}

static truth ev_statement(const tree *t, evaluation *e, found *how) {
    value a, b;
    value_init(&a);
    value_init(&b);
    truth answer = NO_ANSWER;
    found f = ev(&a, t->arg[0], e), g = ev(&b, t->arg[1], e);
    *how = f == UNDEFINED || g == UNDEFINED ? UNDEFINED : f == UNDECIDED ? f : g;
    if (*how == DEFINED && t->op != EXPR_EQ && t->op != EXPR_NE) {
        f = realness(&a);
        g = realness(&b);
        *how = f == UNDEFINED || g == UNDEFINED ? UNDEFINED : f == UNDECIDED ? f : g;
    }
    if (*how == DEFINED) answer = compare(t->op, &a, &b, e->prec);
    value_clear(&a);
    value_clear(&b);
    return answer;
}

found evaluate(value *out, const tree *t, const point *p, slong prec) {
    return ev(out, t, &(evaluation){.p = p, .prec = prec, .steps = MOST_STEPS});
}

truth truth_at(const tree *s, const point *p) {
    truth t = NO_ANSWER;
    for (slong prec = DIGITS60; prec <= 16 * DIGITS60; prec *= 4) {
        found how;
        t = ev_statement(s, &(evaluation){.p = p, .prec = prec, .steps = MOST_STEPS}, &how);
        if (how == UNDEFINED) return IS_UNDEFINED;
        if (how == DEFINED && (t == IS_TRUE || t == IS_FALSE ||
                               (t == AGREES && s->op != EXPR_LT && s->op != EXPR_GT && s->op != EXPR_NE)))
            return t;
    }
    return t;
}
