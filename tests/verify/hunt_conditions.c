/* hunt_conditions.c: conditions. The hunt chooses a point first, then assumptions that hold there, so that whoever says that they
 * contradict each other is wrong; and a statement that is an identity where it is defined, so that the conditions that are printed
 * must leave out every point at which one side is not. */
#include "hunt.h"
#include "hunt_groups.h"

#include <stdlib.h>
#include <string.h>

/* Whole values of these symbols are the point: number[k] of chosen[k]. */
static const int chosen[] = {S_X, S_Y, S_U, S_N, S_M, S_P};
#define CHOSEN ((int)(sizeof chosen / sizeof *chosen))

static void draw_point(hunt_case *c) {
    for (int k = 0; k < CHOSEN; k++) {
        expr_kind kind = symbols[chosen[k]].kind;
        bool above = kind == EXPR_POSITIVE || kind == EXPR_NATURAL;
        c->number[k] = above ? between(1, 5) : between(-4, 4);
    }
}

static void set_point(point *p, const hunt_case *c) {
    for (int k = 0; k < CHOSEN; k++) {
        value *v = &p->v[chosen[k]];
        v->exact = p->given[chosen[k]] = true;
        fmpq_set_si(v->re, c->number[k], 1);
        fmpq_zero(v->im);
    }
}

/* a·s + b·t + d in one symbol or two, with its value at the point. */
static tree *linear(const hunt_case *c, int64_t *at) {
    int s = below(CHOSEN), t = below(CHOSEN);
    int64_t a = between(1, 2), b = one_in(2) ? 0 : between(-1, 1), d = one_in(2) ? 0 : between(-3, 3);
    tree *u = MUL(INT(a), T_sym(chosen[s]));
    *at = a * c->number[s] + b * c->number[t] + d;
    if (b) u = b > 0 ? ADD(u, T_sym(chosen[t])) : SUB(u, T_sym(chosen[t]));
    return d ? ADD(u, INT(d)) : u;
}

/* A statement that holds at the point. */
static tree *true_there(const hunt_case *c) {
    int64_t at;
    tree *u = linear(c, &at);
    if (one_in(5)) u = POW(u, INT(2)), at *= at;
    switch (below(6)) {
    case 0: return T2(EXPR_EQ, u, INT(at));
    case 1: return T2(EXPR_NE, u, INT(at + (one_in(2) ? 1 : -1) * between(1, 3)));
    case 2: return T2(EXPR_LE, u, INT(at + between(0, 2)));
    case 3: return T2(EXPR_LT, u, INT(at + between(1, 3)));
    case 4: return T2(EXPR_GE, u, INT(at - between(0, 2)));
    default: return T2(EXPR_GT, u, INT(at - between(1, 3)));
    }
}

/* A formula that is `one` wherever it is defined, and undefined here or there. */
static tree *one_where_defined(const hunt_case *c) {
    int64_t at;
    tree *u = linear(c, &at), *turn;
    switch (below(6)) {
    case 0: return DIV(u, u);
    case 1: return DIV(POW(T1(EXPR_SQRT, u), INT(2)), u);
    case 2: return DIV(T1(EXPR_EXP, T1(EXPR_LOG, u)), u);
    case 3: return POW(u, INT(0));
    case 4: return ADD(SUB(DIV(INT(1), SUB(MUL(u, u), INT(1))), DIV(INT(1), SUB(MUL(u, u), INT(1)))), INT(1));
    default:
        turn = SUB(T1(EXPR_EXP, DIV(MUL(MUL(INT(2), MUL(T(EXPR_PI, 0, NULL), T(EXPR_I, 0, NULL))), u),
                                    one_in(2) ? T_sym(S_P) : INT(between(2, 5)))),
                   INT(1));
        return DIV(turn, turn);
    }
}

void make_conditions(hunt_case *c) {
    draw_point(c);
    tree *w = one_in(2) ? some_leaf(WANT_REAL) : INT(between(1, 5)), *one = one_where_defined(c);
    if (one_in(3)) one = MUL(one, one_where_defined(c));
    c->part[0] = one_in(6) ? T2(EXPR_GE, MUL(one, POW(w, INT(2))), INT(0)) : T2(EXPR_EQ, MUL(one, w), w);
    c->n = 1;
    for (int k = below(4); k > 0; k--) c->part[c->n++] = true_there(c);
}

/* The verdict calls the conditions empty, and the point meets them all. */
static bool denies_the_point(text *why, const hunt_case *c, lua_State *L, const point *p) {
    const char *reason = verdict_field(L, 1, "reason");
    truth there = truth_at(c->part[0], p);
    if (there != IS_TRUE && there != AGREES)
        return false; /* undefined, or nobody knows: e^(2πi) − 1 is 0, and no ball says so */
    if (!strstr(reason, "contradict") && !strstr(reason, "no point")) return false;
    for (int i = 1; i < c->n; i++) {
        truth t = truth_at(c->part[i], p);
        if (t != IS_TRUE && t != AGREES) return false;
    }
    text at = {0};
    point_text(&at, p, (const tree *const *)c->part, c->n);
    fault(why, "%s; but they hold at %s", reason, at.s ? at.s : "a point");
    free(at.s);
    return true;
}

/* One condition is printed twice. */
static bool repeats(text *why, lua_State *L) {
    const char *printed = verdict_field(L, 1, "conditions"), *with = strstr(printed, "with ");
    char copy[2000], *one[64];
    int n = 0;
    if (!with || strlen(with) >= sizeof copy) return false;
    strcpy(copy, with + 5);
    for (char *s = copy, *end; s && n < 64; s = end ? end + 2 : NULL) {
        one[n++] = s;
        if ((end = strstr(s, ", "))) *end = 0;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(one[i], one[k])) return fault(why, "%s: printed twice", printed), true;
    return false;
}

outcome judge_conditions(text *why, const hunt_case *c, lua_State *L) {
    point p;
    point_init(&p);
    set_point(&p, c);
    bool denied = denies_the_point(why, c, L, &p);
    point_clear(&p);
    if (denied || repeats(why, L)) return WAS_FAULT;
    outcome o = judge_statement(why, c, L);
    return o == WAS_LOOSE ? WAS_FAULT : o;
}
