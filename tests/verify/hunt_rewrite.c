/* hunt_rewrite.c: the same formula otherwise written, by identities that hold wherever both sides are defined; and, for
 * spoiling, by ones that hold on a part of the domain only. Whether a statement is true is judged by its values, so a rule
 * here need not be trusted: it makes statements worth asking about. */
#include "hunt.h"

#define F1(op, u) T1(EXPR_##op, u)
static tree *imaginary(void) { return T(EXPR_I, 0, NULL); }
static tree *two(void) { return INT(2); }
static tree *half(tree *u) { return DIV(u, INT(2)); }
static tree *square(tree *u) { return POW(u, INT(2)); }

/* ---- anything -------------------------------------------------------------------------------------------- */

static tree *one(void) {
    tree *g = some_term(1, WANT_REAL);
    switch (below(6)) {
    case 0: return ADD(square(F1(SIN, g)), square(F1(COS, g)));
    case 1: return DIV(g, g);
    case 2: return SUB(square(F1(COSH, g)), square(F1(SINH, g)));
    case 3: return POW(INT(-1), MUL(two(), some_leaf(WANT_INTEGER)));
    case 4: return MUL(F1(EXP, g), F1(EXP, NEG(g)));
    default: return POW(some_leaf(WANT_POSITIVE), SUB(g, g));
    }
}

static tree *around(tree *t) {
    tree *g;
    switch (below(12)) {
    case 0: return g = some_term(1, WANT_REAL), SUB(ADD(t, g), g);
    case 1: return MUL(t, one());
    case 2: return NEG(NEG(t));
    case 3: return F1(CONJ, F1(CONJ, t));
    case 4: return ADD(F1(RE, t), MUL(imaginary(), F1(IM, t)));
    case 5: return T_piece(some_condition(), t, one_in(2) ? t : MUL(t, one()));
    case 6: return T_sum(S_J, INT(1), INT(1), t);
    case 7:
        return has_sym(t, S_J) ? t
                               : T_sum(S_J, INT(0), INT(3),
                                       T_piece(T2(EXPR_EQ, T_sym(S_J), INT(between(0, 3))), t, INT(0)));
    case 8:
        return surely_real(t) ? (one_in(2) ? F1(LOG, F1(EXP, t)) : T2(one_in(2) ? EXPR_MIN : EXPR_MAX, t, t))
                              : F1(EXP, F1(LOG, t));
    case 9: return square(F1(SQRT, t));
    case 10: return POW(POW(t, T_rat(1, 3)), INT(3));
    default: return DIV(INT(1), DIV(INT(1), t));
    }
}

/* ---- by the outermost operation --------------------------------------------------------------------------- */

static tree *of_sum(tree *t) {
    tree *u = t->arg[0], *v = t->arg[1];
    bool plus = t->op == EXPR_ADD;
    switch (below(4)) {
    case 0: return plus ? ADD(v, u) : ADD(NEG(v), u);
    case 1: return plus ? SUB(u, NEG(v)) : NEG(SUB(v, u));
    case 2:
        return plus && surely_real(t) ? ADD(T2(EXPR_MIN, u, v), T2(EXPR_MAX, u, v))
                                      : ADD(half(u), T2(plus ? EXPR_ADD : EXPR_SUB, half(u), v));
    default:
        return plus && (u->op == EXPR_ADD || u->op == EXPR_SUB) ? T2(u->op, ADD(u->arg[0], v), u->arg[1]) : t;
    }
}

static tree *of_product(tree *t) {
    tree *u = t->arg[0], *v = t->arg[1];
    switch (below(5)) {
    case 0: return MUL(v, u);
    case 1: return DIV(SUB(square(ADD(u, v)), square(SUB(u, v))), INT(4));
    case 2: return DIV(u, DIV(INT(1), v));
    case 3:
        if (v->op == EXPR_ADD || v->op == EXPR_SUB) return T2(v->op, MUL(u, v->arg[0]), MUL(u, v->arg[1]));
        if (v->op == EXPR_SUM && !has_sym(u, v->arg[0]->sym))
            return T_sum(v->arg[0]->sym, v->arg[1], v->arg[2], MUL(u, v->arg[3]));
        return t;
    default:
        return surely_positive(u) && surely_positive(v) ? F1(EXP, ADD(F1(LOG, u), F1(LOG, v)))
                                                        : NEG(MUL(NEG(u), v));
    }
}

static tree *of_power(tree *t) {
    tree *u = t->arg[0], *v = t->arg[1];
    switch (below(5)) {
    case 0: return MUL(POW(u, SUB(v, INT(1))), u);
    case 1: return F1(EXP, MUL(v, F1(LOG, u)));
    case 2: return DIV(INT(1), POW(u, NEG(v)));
    case 3: return surely_positive(u) || surely_integer(v) ? POW(POW(u, v), INT(1)) : t;
    default:
        if (u->op == EXPR_MUL && (surely_integer(v) || surely_positive(u->arg[0])))
            return MUL(POW(u->arg[0], v), POW(u->arg[1], v));
        return v->op == EXPR_ADD ? MUL(POW(u, v->arg[0]), POW(u, v->arg[1])) : t;
    }
}

static tree *of_sin(tree *t) {
    tree *u = t->arg[0], *pi = T(EXPR_PI, 0, NULL);
    switch (below(6)) {
    case 0: return F1(COS, SUB(half(pi), u));
    case 1: return NEG(F1(SIN, NEG(u)));
    case 2: return MUL(two(), MUL(F1(SIN, half(u)), F1(COS, half(u))));
    case 3:
        return DIV(SUB(F1(EXP, MUL(imaginary(), u)), F1(EXP, NEG(MUL(imaginary(), u)))),
                   MUL(two(), imaginary()));
    case 4: return F1(SIN, ADD(u, MUL(MUL(two(), pi), some_leaf(WANT_INTEGER))));
    default:
        if (u->op != EXPR_ADD) return surely_real(u) ? F1(IM, F1(EXP, MUL(imaginary(), u))) : t;
        return ADD(MUL(F1(SIN, u->arg[0]), F1(COS, u->arg[1])), MUL(F1(COS, u->arg[0]), F1(SIN, u->arg[1])));
    }
}

static tree *of_cos(tree *t) {
    tree *u = t->arg[0], *pi = T(EXPR_PI, 0, NULL);
    switch (below(6)) {
    case 0: return F1(SIN, ADD(half(pi), u));
    case 1: return F1(COS, NEG(u));
    case 2: return SUB(INT(1), MUL(two(), square(F1(SIN, half(u)))));
    case 3: return half(ADD(F1(EXP, MUL(imaginary(), u)), F1(EXP, NEG(MUL(imaginary(), u)))));
    case 4: return MUL(POW(INT(-1), some_leaf(WANT_INTEGER)->op == EXPR_RAT ? INT(2) : two()), F1(COS, u));
    default:
        if (u->op != EXPR_ADD) return surely_real(u) ? F1(RE, F1(EXP, MUL(imaginary(), u))) : t;
        return SUB(MUL(F1(COS, u->arg[0]), F1(COS, u->arg[1])), MUL(F1(SIN, u->arg[0]), F1(SIN, u->arg[1])));
    }
}

static tree *of_log(tree *t) {
    tree *u = t->arg[0];
    if (u->op == EXPR_MUL && surely_positive(u->arg[0])) return ADD(F1(LOG, u->arg[0]), F1(LOG, u->arg[1]));
    if (u->op == EXPR_DIV && surely_positive(u->arg[1])) return SUB(F1(LOG, u->arg[0]), F1(LOG, u->arg[1]));
    if (u->op == EXPR_POW && surely_positive(u->arg[0]) && surely_real(u->arg[1]))
        return MUL(u->arg[1], F1(LOG, u->arg[0]));
    if (surely_positive(u))
        return one_in(2) ? NEG(F1(LOG, DIV(INT(1), u))) : MUL(two(), F1(LOG, F1(SQRT, u)));
    return ADD(F1(LOG, F1(ABS, u)), MUL(imaginary(), F1(IM, F1(LOG, u))));
}

static tree *of_hyperbolic(tree *t) {
    tree *u = t->arg[0], *e = F1(EXP, u), *f = F1(EXP, NEG(u));
    if (t->op == EXPR_SINH)
        return one_in(2) ? half(SUB(e, f)) : NEG(MUL(imaginary(), F1(SIN, MUL(imaginary(), u))));
    if (t->op == EXPR_COSH) return one_in(2) ? half(ADD(e, f)) : F1(COS, MUL(imaginary(), u));
    if (t->op == EXPR_TAN) return one_in(2) ? DIV(F1(SIN, u), F1(COS, u)) : NEG(F1(TAN, NEG(u)));
    return one_in(2) ? DIV(F1(SINH, u), F1(COSH, u))
                     : SUB(INT(1), DIV(INT(2), ADD(F1(EXP, MUL(two(), u)), INT(1))));
}

static tree *of_abs(tree *t) {
    tree *u = t->arg[0];
    if (!surely_real(u)) return one_in(2) ? F1(SQRT, MUL(u, F1(CONJ, u))) : F1(ABS, F1(CONJ, u));
    switch (below(6)) {
    case 0: return F1(SQRT, square(u));
    case 1: return T2(EXPR_MAX, u, NEG(u));
    case 2: return T_piece(T2(one_in(2) ? EXPR_GE : EXPR_GT, u, INT(0)), u, NEG(u));
    case 3: return MUL(F1(SIGN, u), u);
    case 4:
        return u->op == EXPR_MUL ? MUL(F1(ABS, u->arg[0]), F1(ABS, u->arg[1])) : DIV(square(u), F1(ABS, u));
    default: return F1(ABS, NEG(u));
    }
}

static tree *of_choice(tree *t) {
    tree *u = t->arg[0], *v = t->arg[1], *gap = F1(ABS, SUB(u, v));
    bool min = t->op == EXPR_MIN;
    switch (below(4)) {
    case 0: return half(T2(min ? EXPR_SUB : EXPR_ADD, ADD(u, v), gap));
    case 1: return NEG(T2(min ? EXPR_MAX : EXPR_MIN, NEG(u), NEG(v)));
    case 2: return T2(t->op, v, u);
    default: return T_piece(T2(min ? EXPR_LT : EXPR_GT, u, v), u, v);
    }
}

static tree *of_kinked(tree *t) {
    tree *u = t->arg[0];
    switch (t->op) {
    case EXPR_SIGN:
        return one_in(2)   ? DIV(u, F1(ABS, u))
               : one_in(2) ? NEG(F1(SIGN, NEG(u)))
                           : T_piece(T2(EXPR_GT, u, INT(0)), INT(1),
                                     T_piece(T2(EXPR_LT, u, INT(0)), INT(-1), INT(0)));
    case EXPR_FLOOR: return one_in(2) || !surely_integer(u) ? SUB(F1(FLOOR, ADD(u, INT(3))), INT(3)) : u;
    case EXPR_SI: return NEG(F1(SI, NEG(u)));
    case EXPR_ATAN:
        return surely_positive(u) && one_in(2) ? SUB(half(T(EXPR_PI, 0, NULL)), F1(ATAN, DIV(INT(1), u)))
                                               : NEG(F1(ATAN, NEG(u)));
    case EXPR_RE: return half(ADD(u, F1(CONJ, u)));
    case EXPR_IM: return DIV(SUB(u, F1(CONJ, u)), MUL(two(), imaginary()));
    case EXPR_CONJ:
        if (u->op == EXPR_ADD || u->op == EXPR_MUL || u->op == EXPR_SUB || u->op == EXPR_DIV)
            return T2(u->op, F1(CONJ, u->arg[0]), F1(CONJ, u->arg[1]));
        return surely_real(u) ? u : SUB(MUL(two(), F1(RE, u)), u);
    default: return t;
    }
}

static tree *of_sigma(tree *t) {
    int i = t->arg[0]->sym;
    tree *lo = t->arg[1], *hi = t->arg[2], *body = t->arg[3];
    bool natural = symbols[i].kind == EXPR_NATURAL;
    if (has_sym(lo, i) || has_sym(hi, i)) return t;
    switch (below(6)) {
    case 0:
        return natural ? t
                       : T_sum(i, ADD(lo, INT(1)), ADD(hi, INT(1)), tree_put(body, i, SUB(T_sym(i), INT(1))));
    case 1: return natural ? t : T_sum(i, lo, hi, tree_put(body, i, SUB(ADD(lo, hi), T_sym(i))));
    case 2: return ADD(tree_put(body, i, lo), T_sum(i, ADD(lo, INT(1)), hi, body));
    case 3: return ADD(T_sum(i, lo, SUB(hi, INT(1)), body), tree_put(body, i, hi));
    case 4:
        if (body->op == EXPR_ADD || body->op == EXPR_SUB)
            return T2(body->op, T_sum(i, lo, hi, body->arg[0]), T_sum(i, lo, hi, body->arg[1]));
        return NEG(T_sum(i, lo, hi, NEG(body)));
    default: return i == S_I && !has_sym(body, S_M) ? T_sum(S_M, lo, hi, tree_put(body, i, T_sym(S_M))) : t;
    }
}

static tree *by_operation(tree *t) {
    switch (t->op) {
    case EXPR_ADD:
    case EXPR_SUB: return of_sum(t);
    case EXPR_MUL: return of_product(t);
    case EXPR_DIV:
        return one_in(2) ? MUL(t->arg[0], POW(t->arg[1], INT(-1))) : NEG(DIV(t->arg[0], NEG(t->arg[1])));
    case EXPR_POW: return of_power(t);
    case EXPR_SQRT: return one_in(2) ? POW(t->arg[0], T_rat(1, 2)) : F1(EXP, half(F1(LOG, t->arg[0])));
    case EXPR_EXP:
        return t->arg[0]->op == EXPR_ADD ? MUL(F1(EXP, t->arg[0]->arg[0]), F1(EXP, t->arg[0]->arg[1]))
                                         : DIV(INT(1), F1(EXP, NEG(t->arg[0])));
    case EXPR_SIN: return of_sin(t);
    case EXPR_COS: return of_cos(t);
    case EXPR_LOG: return of_log(t);
    case EXPR_TAN:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: return of_hyperbolic(t);
    case EXPR_ABS: return of_abs(t);
    case EXPR_MIN:
    case EXPR_MAX: return of_choice(t);
    case EXPR_SUM: return of_sigma(t);
    case EXPR_PIECE:
        return t->n == 3 && t->arg[0]->op == EXPR_LT
                   ? T_piece(T2(EXPR_GE, t->arg[0]->arg[0], t->arg[0]->arg[1]), t->arg[2], t->arg[1])
                   : t;
    default: return t->n == 1 ? of_kinked(t) : t;
    }
}

/* ---- a random part, rewritten by f -------------------------------------------------------------------------- */

typedef tree *rule(tree *t);

static tree *somewhere(tree *t, rule *f, bool inside_index) {
    int first = t->op == EXPR_SUM || t->op == EXPR_AT;
    if (t->n <= first || inside_index || one_in(3)) return is_statement(t) || inside_index ? t : f(t);
    tree *r = T(t->op, t->n, t->arg);
    int i = first + below(t->n - first);
    r->arg[i] = somewhere(t->arg[i], f, t->op == EXPR_AT || (t->op == EXPR_SUM && i < 3));
    return r;
}

static tree *anyhow(tree *t) { return one_in(4) ? around(t) : by_operation(t); }

tree *rewritten(tree *t, int times) {
    for (int k = 0; k < times && tree_size(t) < 120; k++) t = somewhere(t, anyhow, false);
    return t;
}

/* ---- identities that hold on a part -------------------------------------------------------------------------- */

static tree *wrong_branch(tree *t) {
    tree *u = t->n > 0 ? t->arg[0] : t;
    switch (t->op) {
    case EXPR_SQRT:
        return u->op == EXPR_POW   ? POW(u->arg[0], half(u->arg[1]))
               : u->op == EXPR_MUL ? MUL(F1(SQRT, u->arg[0]), F1(SQRT, u->arg[1]))
                                   : DIV(u, F1(SQRT, u));
    case EXPR_LOG:
        return u->op == EXPR_MUL   ? ADD(F1(LOG, u->arg[0]), F1(LOG, u->arg[1]))
               : u->op == EXPR_POW ? MUL(u->arg[1], F1(LOG, u->arg[0]))
               : u->op == EXPR_EXP ? u->arg[0]
                                   : half(F1(LOG, square(u)));
    case EXPR_POW:
        return u->op == EXPR_POW   ? POW(u->arg[0], MUL(u->arg[1], t->arg[1]))
               : u->op == EXPR_MUL ? MUL(POW(u->arg[0], t->arg[1]), POW(u->arg[1], t->arg[1]))
                                   : POW(POW(u, half(t->arg[1])), two());
    case EXPR_ABS: return one_in(2) ? u : F1(SQRT, square(u));
    case EXPR_SIGN: return DIV(F1(ABS, u), u);
    case EXPR_FLOOR:
        return u->op == EXPR_ADD ? ADD(F1(FLOOR, u->arg[0]), F1(FLOOR, u->arg[1]))
               : one_in(2)       ? u
                                 : NEG(F1(FLOOR, NEG(u)));
    case EXPR_MIN:
    case EXPR_MAX: return t->arg[below(2)];
    case EXPR_CONJ: return u->n == 1 ? T1(u->op, F1(CONJ, u->arg[0])) : u;
    case EXPR_RE: return u;
    case EXPR_TAN: return u->op == EXPR_ATAN ? u->arg[0] : t;
    case EXPR_ATAN: return SUB(half(T(EXPR_PI, 0, NULL)), F1(ATAN, DIV(INT(1), u)));
    case EXPR_PIECE: return t->arg[1 + below(2)];
    case EXPR_AT: return T_at(u->sym, one_in(2) ? ADD(t->arg[1], INT(1)) : INT(1));
    case EXPR_SUM:
        return one_in(2) ? T_sum(u->sym, t->arg[1], SUB(t->arg[2], INT(1)), t->arg[3])
                         : T_sum(u->sym, ADD(t->arg[1], INT(1)), t->arg[2], t->arg[3]);
    default: return surely_real(t) ? F1(SQRT, square(t)) : F1(LOG, F1(EXP, t));
    }
}

/* ---- differences --------------------------------------------------------------------------------------------- */

/* 0 on most of the domain, or small, or both. */
static tree *difference(void) {
    static const int64_t edges[] = {0, 1, 2, 5, 7, 10, 13, 50, 100, 1000, 1234, 100000};
    tree *c = INT(edges[below(12)]), *x = some_leaf(WANT_REAL), *n = some_leaf(WANT_INTEGER);
    if (one_in(3)) x = some_term(1, WANT_REAL);
    switch (below(14)) {
    case 0: return T_rat(1, (int64_t[]){10, 1000, 1000000, 1000000000000}[below(4)]);
    case 1: return T_piece(T2(EXPR_GT, x, c), INT(1), INT(0));
    case 2: return T_piece(T2(EXPR_EQ, n, c), INT(1), INT(0));
    case 3: return SUB(F1(ABS, x), x);
    case 4: return T2(EXPR_MAX, SUB(x, c), INT(0));
    case 5: return SUB(F1(SQRT, square(ADD(x, c))), ADD(x, c));
    case 6: return ADD(ADD(F1(FLOOR, x), F1(FLOOR, NEG(x))), INT(1));
    case 7: return SUB(F1(SIGN, ADD(x, c)), INT(1));
    case 8: return F1(FLOOR, DIV(F1(ABS, x), ADD(c, INT(1))));
    case 9:
        return T_sum(S_I, INT(0), T_sym(one_in(2) ? S_N : S_P),
                     T_piece(T2(EXPR_EQ, T_sym(S_I), c), INT(1), INT(0)));
    case 10: return SUB(T_at(S_A, T_sym(S_N)), T_at(S_A, INT(between(0, 3))));
    case 11: return SUB(F1(ABS, SUB(n, c)), SUB(n, c));
    case 12: return SUB(F1(SQRT, POW(ADD(x, c), INT(-2))), DIV(INT(1), ADD(x, c)));
    default: return F1(IM, F1(SQRT, ADD(x, c)));
    }
}

tree *spoiled(tree *t) {
    if (one_in(2)) return rewritten(somewhere(t, wrong_branch, false), below(2));
    tree *d = difference();
    return one_in(2) ? ADD(t, d) : one_in(2) ? MUL(t, ADD(INT(1), d)) : ADD(t, MUL(d, some_leaf(WANT_REAL)));
}
