/* hunt_known.c: identities that hold on some branches only, small changes of what is known to be true, and inequalities on intervals
 * whose ends are known. */
#include "hunt.h"
#include "hunt_groups.h"

#define F1(op, u) T1(EXPR_##op, u)
static tree *square(tree *u) { return POW(u, INT(2)); }
static tree *half_pi(void) { return DIV(T(EXPR_PI, 0, NULL), INT(2)); }
static tree *equal(tree *l, tree *r) { return T2(EXPR_EQ, l, r); }

/* ---- branches -------------------------------------------------------------------------------------------- */

static tree *atom(void) {
    static const int all[] = {S_Z, S_W, S_Z, S_X, S_Y, S_K, S_S, S_N, S_P};
    return T_sym(all[below(9)]);
}

/* What a branch cut is missed by: complex, negative, on the cut, a power, a product. */
static tree *delicate(int depth) {
    tree *u = depth ? delicate(depth - 1) : atom();
    switch (below(16)) {
    case 0: return NEG(T_sym(one_in(2) ? S_K : S_X));
    case 1: return MUL(T(EXPR_I, 0, NULL), u);
    case 2: return MUL(u, atom());
    case 3: return POW(T_sym(S_K), u);
    case 4: return F1(EXP, u);
    case 5: return F1(EXP, MUL(T(EXPR_I, 0, NULL), T_sym(S_X)));
    case 6: return ADD(T_sym(S_X), MUL(T(EXPR_I, 0, NULL), T_sym(S_Y)));
    case 7: return F1(CONJ, u);
    case 8: return DIV(T_sym(S_K), u);
    case 9: return square(u);
    case 10: return one_in(2) ? INT(-2) : T_rat(-1, 2);
    case 11: return F1(SQRT, u);
    case 12: return F1(ABS, u);
    default: return atom();
    }
}

static tree *some_exponent(void) {
    switch (below(5)) {
    case 0: return T_rat(between(-5, 5), between(2, 4));
    case 1: return INT(between(-3, 3));
    case 2: return T_rat(1, 2);
    default: return atom();
    }
}

static tree *of_powers(tree *u, tree *v, tree *a, tree *b) {
    switch (below(10)) {
    case 0: return equal(POW(POW(u, a), b), POW(u, MUL(a, b)));
    case 1: return equal(POW(MUL(u, v), a), MUL(POW(u, a), POW(v, a)));
    case 2: return equal(MUL(POW(u, a), POW(u, b)), POW(u, ADD(a, b)));
    case 3: return equal(POW(DIV(u, v), a), DIV(POW(u, a), POW(v, a)));
    case 4: return equal(F1(SQRT, MUL(u, v)), MUL(F1(SQRT, u), F1(SQRT, v)));
    case 5: return equal(F1(SQRT, DIV(u, v)), DIV(F1(SQRT, u), F1(SQRT, v)));
    case 6: return equal(F1(SQRT, square(u)), one_in(2) ? u : F1(ABS, u));
    case 7: return equal(F1(ABS, POW(u, a)), POW(F1(ABS, u), a));
    case 8: return equal(POW(u, a), F1(EXP, MUL(a, F1(LOG, u))));
    default: return equal(F1(SQRT, POW(u, a)), POW(u, DIV(a, INT(2))));
    }
}

static tree *of_logarithms(tree *u, tree *v, tree *a) {
    switch (below(9)) {
    case 0: return equal(F1(LOG, MUL(u, v)), ADD(F1(LOG, u), F1(LOG, v)));
    case 1: return equal(F1(LOG, DIV(u, v)), SUB(F1(LOG, u), F1(LOG, v)));
    case 2: return equal(F1(LOG, POW(u, a)), MUL(a, F1(LOG, u)));
    case 3: return equal(F1(LOG, F1(EXP, u)), u);
    case 4: return equal(F1(EXP, F1(LOG, u)), u);
    case 5: return equal(F1(RE, F1(LOG, u)), F1(LOG, F1(ABS, u)));
    case 6: return equal(F1(LOG, F1(SQRT, u)), DIV(F1(LOG, u), INT(2)));
    case 7: return equal(F1(ABS, F1(EXP, u)), F1(EXP, F1(RE, u)));
    default: return equal(F1(LOG, NEG(u)), ADD(F1(LOG, u), MUL(T(EXPR_I, 0, NULL), T(EXPR_PI, 0, NULL))));
    }
}

static tree *of_arcs(tree *u, tree *v) {
    static const expr_op there[] = {EXPR_SIN, EXPR_COS, EXPR_TAN}, back[] = {EXPR_ASIN, EXPR_ACOS, EXPR_ATAN};
    int k = below(3);
    tree *x = T_sym(S_X), *y = one_in(2) ? T_sym(S_Y) : T_sym(S_K), *c = one_in(2) ? T_sym(S_S) : T_sym(S_N);
    switch (below(11)) {
    case 0: return equal(T1(there[k], T1(back[k], u)), u);
    case 1: return equal(T1(back[k], T1(there[k], u)), u);
    case 2:
        return equal(T1(back[k], NEG(u)),
                     k == 1 ? SUB(MUL(INT(2), half_pi()), F1(ACOS, u)) : NEG(T1(back[k], u)));
    case 3: return equal(ADD(F1(ASIN, u), F1(ACOS, u)), half_pi());
    case 4: return equal(F1(COS, F1(ASIN, u)), F1(SQRT, SUB(INT(1), square(u))));
    case 5: return equal(F1(SIN, F1(ACOS, u)), F1(SQRT, SUB(INT(1), square(u))));
    case 6: return equal(ADD(F1(ATAN, u), F1(ATAN, v)), F1(ATAN, DIV(ADD(u, v), SUB(INT(1), MUL(u, v)))));
    case 7: return equal(ADD(F1(ATAN, u), F1(ATAN, DIV(INT(1), u))), half_pi());
    case 8: return equal(T2(EXPR_ATAN2, MUL(c, x), MUL(c, y)), T2(EXPR_ATAN2, x, y));
    case 9:
        return equal(T2(EXPR_ATAN2, x, y),
                     one_in(2) ? F1(ATAN, DIV(x, y)) : SUB(half_pi(), T2(EXPR_ATAN2, y, x)));
    default: return equal(F1(SIN, T2(EXPR_ATAN2, x, y)), DIV(x, F1(SQRT, ADD(square(x), square(y)))));
    }
}

static tree *of_parts(tree *u, tree *v, tree *a) {
    static const expr_op f[] = {EXPR_LOG,  EXPR_SQRT, EXPR_EXP, EXPR_SIN, EXPR_ATAN,
                                EXPR_ASIN, EXPR_ACOS, EXPR_TAN, EXPR_COSH};
    expr_op op = f[below(9)];
    switch (below(9)) {
    case 0: return equal(F1(CONJ, T1(op, u)), T1(op, F1(CONJ, u)));
    case 1: return equal(F1(CONJ, POW(u, a)), POW(F1(CONJ, u), F1(CONJ, a)));
    case 2: return equal(F1(ABS, MUL(u, v)), MUL(F1(ABS, u), F1(ABS, v)));
    case 3: return equal(F1(RE, MUL(u, v)), SUB(MUL(F1(RE, u), F1(RE, v)), MUL(F1(IM, u), F1(IM, v))));
    case 4: return equal(square(F1(ABS, u)), one_in(2) ? square(u) : MUL(u, F1(CONJ, u)));
    case 5: return equal(F1(IM, T1(op, u)), INT(0));
    case 6: return equal(F1(CONJ, u), u);
    case 7: return equal(F1(RE, F1(SQRT, u)), F1(SQRT, DIV(ADD(F1(ABS, u), F1(RE, u)), INT(2))));
    default: return equal(F1(ABS, T1(op, u)), T1(op, F1(ABS, u)));
    }
}

void make_branch(hunt_case *c) {
    int depth = below(3);
    tree *u = delicate(depth), *v = delicate(below(2)), *a = some_exponent(), *b = some_exponent();
    switch (below(4)) {
    case 0: c->part[0] = of_powers(u, v, a, b); break;
    case 1: c->part[0] = of_logarithms(u, v, a); break;
    case 2: c->part[0] = of_arcs(u, v); break;
    default: c->part[0] = of_parts(u, v, a); break;
    }
    if (one_in(4)) c->part[0]->arg[0] = rewritten(c->part[0]->arg[0], 1);
    c->n = 1;
}

/* ---- mutants --------------------------------------------------------------------------------------------- */

/* True statements of the kinds that lessons prove. */
static tree *known_equality(void) {
    tree *x = T_sym(S_X), *y = T_sym(S_Y), *u = T_sym(S_U), *k = T_sym(S_K), *n = T_sym(S_N), *p = T_sym(S_P),
         *i = T_sym(S_I), *ai = T_at(S_A, i), *bi = T_at(S_B, i), *one = INT(1), *two = INT(2);
    switch (below(26)) {
    case 0: return equal(F1(SIN, ADD(x, y)), ADD(MUL(F1(SIN, x), F1(COS, y)), MUL(F1(COS, x), F1(SIN, y))));
    case 1: return equal(F1(COS, SUB(x, y)), ADD(MUL(F1(COS, x), F1(COS, y)), MUL(F1(SIN, x), F1(SIN, y))));
    case 2: return equal(ADD(square(F1(SIN, x)), square(F1(COS, x))), one);
    case 3:
        return equal(F1(SIN, MUL(INT(3), x)),
                     SUB(MUL(INT(3), F1(SIN, x)), MUL(INT(4), POW(F1(SIN, x), INT(3)))));
    case 4: return equal(SUB(square(F1(COSH, x)), square(F1(SINH, x))), one);
    case 5: return equal(SUB(square(x), square(y)), MUL(SUB(x, y), ADD(x, y)));
    case 6: return equal(POW(k, ADD(x, y)), MUL(POW(k, x), POW(k, y)));
    case 7: return equal(F1(LOG, MUL(k, T_sym(S_S))), ADD(F1(LOG, k), F1(LOG, T_sym(S_S))));
    case 8: return equal(F1(SQRT, square(x)), F1(ABS, x));
    case 9: return equal(T_sum(S_I, one, p, i), DIV(MUL(p, ADD(p, one)), two));
    case 10: return equal(T_sum(S_I, one, p, POW(two, i)), SUB(POW(two, ADD(p, one)), two));
    case 11:
        return equal(T_sum(S_I, one, p, ADD(ai, bi)), ADD(T_sum(S_I, one, p, ai), T_sum(S_I, one, p, bi)));
    case 12: return equal(T_sum(S_I, one, p, MUL(x, ai)), MUL(x, T_sum(S_I, one, p, ai)));
    case 13: return equal(T_sum(S_I, INT(0), p, ai), ADD(T_at(S_A, INT(0)), T_sum(S_I, one, p, ai)));
    case 14:
        return equal(T_sum(S_I, one, p, SUB(ai, T_at(S_A, SUB(i, one)))),
                     SUB(T_at(S_A, p), T_at(S_A, INT(0))));
    case 15: return equal(POW(INT(-1), MUL(two, n)), one);
    case 16: return equal(F1(COS, MUL(T(EXPR_PI, 0, NULL), n)), POW(INT(-1), n));
    case 17: return equal(T2(EXPR_MAX, x, y), DIV(ADD(ADD(x, y), F1(ABS, SUB(x, y))), two));
    case 18: return equal(F1(FLOOR, ADD(x, n)), ADD(F1(FLOOR, x), n));
    case 19:
        return equal(F1(EXP, MUL(T(EXPR_I, 0, NULL), x)),
                     ADD(F1(COS, x), MUL(T(EXPR_I, 0, NULL), F1(SIN, x))));
    case 20:
        return equal(DIV(F1(EXP, x), ADD(F1(EXP, x), F1(EXP, y))), DIV(one, ADD(one, F1(EXP, SUB(y, x)))));
    case 21: return equal(F1(TANH, x), SUB(DIV(two, ADD(one, F1(EXP, NEG(MUL(two, x))))), one));
    case 22:
        return equal(square(ADD(ADD(x, y), u)), ADD(ADD(ADD(square(x), square(y)), square(u)),
                                                    MUL(two, ADD(ADD(MUL(x, y), MUL(y, u)), MUL(x, u)))));
    case 23: return equal(F1(ATAN, k), SUB(half_pi(), F1(ATAN, DIV(one, k))));
    case 24: return equal(T_piece(T2(EXPR_LT, x, INT(0)), NEG(x), x), F1(ABS, x));
    default: return equal(T_sum(S_I, one, p, T_piece(T2(EXPR_EQ, i, one), x, INT(0))), x);
    }
}

static tree *known_order(void) {
    tree *x = T_sym(S_X), *y = T_sym(S_Y), *k = T_sym(S_K), *n = T_sym(S_N), *p = T_sym(S_P), *one = INT(1),
         *two = INT(2);
    switch (below(14)) {
    case 0: return T2(EXPR_GE, ADD(square(x), square(y)), MUL(two, MUL(x, y)));
    case 1: return T2(EXPR_GE, F1(EXP, x), ADD(one, x));
    case 2: return T2(EXPR_LE, F1(LOG, k), SUB(k, one));
    case 3: return T2(EXPR_GE, F1(COS, x), SUB(one, DIV(square(x), two)));
    case 4: return T2(EXPR_LE, F1(ABS, F1(SIN, x)), F1(ABS, x));
    case 5: return T2(EXPR_GE, ADD(k, DIV(one, k)), two);
    case 6: return T2(EXPR_GE, square(n), n);
    case 7: return T2(EXPR_GT, POW(two, p), p);
    case 8: return T2(EXPR_LE, F1(ABS, ADD(x, y)), ADD(F1(ABS, x), F1(ABS, y)));
    case 9: return T2(EXPR_LE, F1(FLOOR, x), x);
    case 10: return T2(EXPR_GT, ADD(F1(FLOOR, x), one), x);
    case 11: return T2(EXPR_GE, POW(ADD(one, k), p), ADD(one, MUL(p, k)));
    case 12: return T2(EXPR_LE, MUL(F1(SIN, x), F1(COS, x)), T_rat(1, 2));
    default: return T2(EXPR_GE, SUB(POW(x, INT(4)), MUL(INT(4), x)), INT(-3));
    }
}

/* One token of the formula, changed. */
static tree *tweaked(tree *t) {
    static const expr_op pairs[][2] = {{EXPR_ADD, EXPR_SUB},  {EXPR_SIN, EXPR_COS}, {EXPR_SINH, EXPR_COSH},
                                       {EXPR_MUL, EXPR_ADD},  {EXPR_LE, EXPR_LT},   {EXPR_GE, EXPR_GT},
                                       {EXPR_MIN, EXPR_MAX},  {EXPR_MUL, EXPR_DIV}, {EXPR_ABS, EXPR_NEG},
                                       {EXPR_FLOOR, EXPR_ABS}};
    int first = t->op == EXPR_SUM || t->op == EXPR_AT;
    if (t->n > first && (is_statement(t) || !one_in(3))) {
        tree *r = T(t->op, t->n, t->arg);
        int i = first + below(t->n - first);
        r->sym = t->sym;
        r->arg[i] = tweaked(t->arg[i]);
        return r;
    }
    if (t->op == EXPR_RAT) return one_in(2) ? INT(t->num + (one_in(2) ? 1 : -1)) : NEG(t);
    if (t->op == EXPR_SYM)
        return one_in(2)                           ? ADD(t, INT(one_in(2) ? 1 : -1))
               : symbols[t->sym].kind == EXPR_REAL ? T_sym(S_Y)
                                                   : MUL(INT(2), t);
    for (int k = below(10), tries = 0; tries < 10; k = (k + 1) % 10, tries++)
        for (int way = 0; way < 2; way++)
            if (t->op == pairs[k][way] && !is_statement(t)) return T(pairs[k][!way], t->n, t->arg);
    return t->op == EXPR_PIECE || is_statement(t) ? t : one_in(2) ? NEG(t) : MUL(INT(2), t);
}

void make_mutant(hunt_case *c) {
    c->part[0] = one_in(3) ? known_order() : known_equality();
    for (int k = below(3); k >= 0; k--) c->part[0] = tweaked(c->part[0]);
    if (one_in(4)) c->part[0]->arg[1] = rewritten(c->part[0]->arg[1], 1);
    c->n = 1;
}

/* ---- intervals ------------------------------------------------------------------------------------------- */

/* The end itself, or a little inside or outside. */
static tree *about(int64_t num, int64_t den) {
    static const int64_t fine[] = {10, 1000, 1000000};
    int64_t d = fine[below(3)];
    switch (below(4)) {
    case 0: return T_rat(num * d + den, den * d);
    case 1: return T_rat(num * d - den, den * d);
    default: return T_rat(num, den);
    }
}

void make_interval(hunt_case *c) {
    static const int which[] = {S_X, S_K, S_N, S_P};
    tree *x = T_sym(which[below(4)]), *y = T_sym(S_Y), *f;
    int64_t a = between(-4, 3), b = a + between(0, 5), den = between(1, 3);
    tree *lo = T_rat(a, den), *hi = T_rat(b, den),
         *rest = one_in(2) ? ADD(square(x), INT(between(0, 2))) : F1(EXP, x);
    switch (below(7)) {
    case 0: f = MUL(SUB(x, lo), SUB(hi, x)); break;
    case 1: f = MUL(MUL(SUB(x, lo), SUB(hi, x)), rest); break;
    case 2: f = SUB(DIV(square(SUB(hi, lo)), INT(4)), square(SUB(x, DIV(ADD(lo, hi), INT(2))))); break;
    case 3: f = F1(SQRT, MUL(SUB(x, lo), SUB(hi, x))); break;
    case 4: f = DIV(SUB(hi, x), SUB(x, SUB(lo, INT(1)))); break;
    case 5: f = MUL(SUB(x, lo), SUB(hi, one_in(2) ? y : x)); break;
    default: f = F1(LOG, SUB(ADD(INT(1), hi), x)); break;
    }
    tree *zero = INT(0);
    expr_op op = (expr_op[]){EXPR_GE, EXPR_GE, EXPR_GT, EXPR_NE, EXPR_EQ}[below(5)];
    c->part[0] = op == EXPR_EQ ? equal(F1(ABS, f), f) : T2(op, f, zero);
    c->n = 1;
    if (!one_in(5)) c->part[c->n++] = T2(one_in(3) ? EXPR_GT : EXPR_GE, x, about(a, den));
    if (!one_in(5)) c->part[c->n++] = T2(one_in(3) ? EXPR_LT : EXPR_LE, x, about(b, den));
    if (has_sym(f, S_Y)) c->part[c->n++] = T2(EXPR_LE, y, about(b, den));
}
