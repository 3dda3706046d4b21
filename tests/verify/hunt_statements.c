/* hunt_statements.c: statements about sums, and inequalities. */
#include "hunt.h"

#define F1(op, u) T1(EXPR_##op, u)
static tree *square(tree *u) { return POW(u, INT(2)); }

/* ---- sums ------------------------------------------------------------------------------------------------ */

static tree *some_bound(void) {
    tree *n = T_sym((int[]){S_N, S_N, S_P, S_M, S_I}[below(5)]);
    switch (below(6)) {
    case 0: return ADD(n, INT(between(-2, 2)));
    case 1: return MUL(INT(2), n);
    case 2: return ADD(MUL(INT(2), n), INT(1));
    case 3: return INT(between(-1, 6));
    default: return n;
    }
}

/* A summand in i, some of them with edges that a general argument does not see. */
static tree *some_summand(tree *i) {
    tree *c = INT(between(-2, 5)), *n = T_sym(S_N);
    switch (below(22)) {
    case 0: return i;
    case 1: return square(i);
    case 2: return POW(i, INT(between(3, 4)));
    case 3: return POW(INT(-1), i);
    case 4: return POW(INT(between(2, 3)), i);
    case 5: return POW(T_sym(S_K), i);
    case 6: return F1(ABS, one_in(2) ? i : SUB(i, c));
    case 7:
        return T_piece(T2((expr_op)(EXPR_EQ + below(6)), i, one_in(2) ? c : n), one_in(2) ? i : INT(1),
                       one_in(2) ? INT(0) : i);
    case 8: return DIV(INT(1), SUB(i, c));
    case 9: return DIV(i, i);
    case 10: return T_at(S_A, i);
    case 11: return square(T_at(S_A, ADD(i, INT(between(-1, 1)))));
    case 12: return MUL(T_at(S_A, i), T_at(S_B, i));
    case 13: return F1(FLOOR, DIV(i, INT(2)));
    case 14: return T2(one_in(2) ? EXPR_MIN : EXPR_MAX, i, one_in(2) ? n : c);
    case 15: return F1(COS, MUL(i, T_sym(S_X)));
    case 16: return F1(SQRT, square(SUB(i, c)));
    case 17: return F1(SIGN, SUB(i, c));
    case 18: return MUL(T_at(S_A, i), T_at(S_A, one_in(2) ? n : c));
    case 19: return POW(SUB(i, c), SUB(i, i));
    case 20: return T_sum(S_J, INT(0), i, one_in(2) ? T_sym(S_J) : INT(1));
    default: return MUL(i, some_term(1, WANT_REAL));
    }
}

/* f(1) + … + f(n) in closed form, for some f. */
static tree *closed(tree *(*f)(tree *), tree *lo, tree *hi) { return SUB(f(hi), f(SUB(lo, INT(1)))); }
static tree *closed_1(tree *n) { return n; }
static tree *closed_i(tree *n) { return DIV(MUL(n, ADD(n, INT(1))), INT(2)); }
static tree *closed_ii(tree *n) {
    return DIV(MUL(MUL(n, ADD(n, INT(1))), ADD(MUL(INT(2), n), INT(1))), INT(6));
}
static tree *closed_iii(tree *n) { return square(closed_i(n)); }
static tree *closed_signs(tree *n) { return DIV(SUB(POW(INT(-1), n), INT(1)), INT(2)); }
static tree *closed_twos(tree *n) { return SUB(POW(INT(2), ADD(n, INT(1))), INT(2)); }
static tree *closed_pairs(tree *n) { return DIV(n, ADD(n, INT(1))); }
static tree *closed_parts(tree *n) { return T_at(S_A, n); }
static tree *closed_fakes(tree *n) { return POW(INT(3), n); }

static tree *closed_form(int i, tree *lo, tree *hi) {
    tree *I = T_sym(i);
    switch (below(9)) {
    case 0: return T2(EXPR_EQ, T_sum(i, lo, hi, INT(1)), closed(closed_1, lo, hi));
    case 1: return T2(EXPR_EQ, T_sum(i, lo, hi, one_in(3) ? F1(ABS, I) : I), closed(closed_i, lo, hi));
    case 2: return T2(EXPR_EQ, T_sum(i, lo, hi, square(I)), closed(closed_ii, lo, hi));
    case 3: return T2(EXPR_EQ, T_sum(i, lo, hi, POW(I, INT(3))), closed(closed_iii, lo, hi));
    case 4: return T2(EXPR_EQ, T_sum(i, lo, hi, POW(INT(-1), I)), closed(closed_signs, lo, hi));
    case 5: return T2(EXPR_EQ, T_sum(i, lo, hi, POW(INT(2), I)), closed(closed_twos, lo, hi));
    case 6:
        return T2(EXPR_EQ, T_sum(i, lo, hi, DIV(INT(1), MUL(I, ADD(I, INT(1))))),
                  closed(closed_pairs, lo, hi));
    case 7:
        return T2(EXPR_EQ, T_sum(i, lo, hi, SUB(T_at(S_A, I), T_at(S_A, SUB(I, INT(1))))),
                  closed(closed_parts, lo, hi));
    default:
        return T2(EXPR_EQ, T_sum(i, lo, hi, MUL(INT(2), POW(INT(3), SUB(I, INT(1))))),
                  closed(closed_fakes, lo, hi));
    }
}

static tree *sum_law(int i, tree *lo, tree *hi) {
    tree *I = T_sym(i), *f = some_summand(I), *g = some_summand(I),
         *m = one_in(2) ? T_sym(S_M) : INT(between(0, 3));
    tree *S = T_sum(i, lo, hi, f);
    switch (below(9)) {
    case 0: return T2(EXPR_EQ, ADD(T_sum(i, lo, m, f), T_sum(i, ADD(m, INT(1)), hi, f)), S);
    case 1: return T2(EXPR_EQ, T_sum(i, lo, hi, tree_put(f, i, SUB(ADD(lo, hi), I))), S);
    case 2: return T2(EXPR_EQ, T_sum(i, lo, hi, ADD(f, g)), ADD(S, T_sum(i, lo, hi, g)));
    case 3:
        return T2(EXPR_EQ, square(S),
                  MUL(S, T_sum(i == S_J ? S_M : S_J, lo, hi, tree_put(f, i, T_sym(i == S_J ? S_M : S_J)))));
    case 4: return T2(EXPR_EQ, S, one_in(2) ? MUL(f, ADD(SUB(hi, lo), INT(1))) : rewritten(f, 1));
    case 5: return T2(EXPR_EQ, S, T_sum(i, lo, hi, rewritten(f, 2)));
    case 6: return T2(EXPR_EQ, MUL(T_sym(S_I), S), T_sum(i, lo, hi, MUL(T_sym(S_I), f)));
    case 7: return T2(EXPR_EQ, T_sum(i, lo, hi, DIV(f, f)), ADD(SUB(hi, lo), INT(1)));
    default: return T2(EXPR_EQ, S, rewritten(S, 2));
    }
}

tree *some_sum_identity(void) {
    int i = one_in(6) ? S_R : one_in(3) ? S_J : S_I;
    tree *lo = one_in(3) ? INT(0) : one_in(2) ? INT(1) : one_in(3) ? some_bound() : INT(between(-3, 4));
    tree *hi = some_bound(), *s;
    s = one_in(2) ? closed_form(i, lo, hi) : sum_law(i, lo, hi);
    if (one_in(3)) s->arg[one_in(2)] = spoiled(s->arg[1]);
    if (one_in(3)) s->arg[0] = rewritten(s->arg[0], 1);
    return s;
}

/* ---- inequalities ---------------------------------------------------------------------------------------- */

/* A number that a bound stands near: the bound itself, a little to either side. */
static tree *nearly(tree *t) {
    static const int64_t small[] = {10, 100, 1000, 100000};
    switch (below(4)) {
    case 0: return ADD(t, T_rat(1, small[below(4)]));
    case 1: return SUB(t, T_rat(1, small[below(4)]));
    default: return t;
    }
}

static tree *polynomial(tree *x) {
    tree *a = SUB(x, T_rat(between(-6, 6), between(1, 3))), *b = SUB(x, INT(between(-3, 3)));
    switch (below(6)) {
    case 0: return square(a);
    case 1: return MUL(a, b);
    case 2: return MUL(square(a), square(b));
    case 3: return MUL(a, SUB(a, INT(1)));
    case 4: return MUL(square(a), b);
    default: return ADD(square(a), MUL(b, T_sym(S_Y)));
    }
}

/* left >= right, true, or true up to a few points, or for some kinds of x only. */
static void known_order(tree **l, tree **r) {
    tree *x = one_in(3) ? some_term(1, WANT_REAL) : some_leaf(WANT_REAL), *y = some_leaf(WANT_REAL),
         *k = some_leaf(WANT_POSITIVE);
    tree *n = some_leaf(WANT_INTEGER);
    *r = INT(0);
    switch (below(24)) {
    case 0: *l = polynomial(x); return;
    case 1: *l = INT(1), *r = F1(SIN, x); return;
    case 2: *l = F1(EXP, x), *r = ADD(INT(1), x); return;
    case 3: *l = SUB(k, INT(1)), *r = F1(LOG, k); return;
    case 4: *l = F1(ABS, x), *r = F1(SIN, x); return;
    case 5: *l = F1(COS, x), *r = SUB(INT(1), DIV(square(x), INT(2))); return;
    case 6: *l = ADD(square(x), square(y)), *r = MUL(MUL(INT(2), x), y); return;
    case 7: *l = ADD(F1(ABS, x), F1(ABS, y)), *r = F1(ABS, ADD(x, y)); return;
    case 8: *l = x, *r = F1(FLOOR, x); return;
    case 9: *l = MUL(n, SUB(n, INT(between(1, 3)))); return;
    case 10: *l = square(n), *r = n; return;
    case 11: *l = POW(INT(2), n), *r = n; return;
    case 12: *l = F1(COSH, x), *r = ADD(INT(1), DIV(square(x), INT(between(1, 4)))); return;
    case 13: *l = DIV(INT(1), ADD(INT(1), square(x))), *r = SUB(INT(1), square(x)); return;
    case 14: *l = T2(EXPR_MAX, x, y), *r = one_in(2) ? x : DIV(ADD(x, y), INT(2)); return;
    case 15: *l = DIV(ADD(k, y), INT(2)), *r = F1(SQRT, MUL(k, y)); return;
    case 16: *l = T_sum(S_I, INT(1), T_sym(S_N), square(T_at(S_A, T_sym(S_I)))); return;
    case 17: *l = F1(EXP, F1(SIN, x)), *r = T_rat(1, 3); return;
    case 18: *l = ADD(k, DIV(INT(1), k)), *r = INT(2); return;
    case 19: *l = SUB(INT(between(10, 2000)), x); return;
    case 20: *l = POW(ADD(x, INT(between(-3, 1000))), INT(between(-4, 4))); return;
    case 21: *l = F1(TANH, x), *r = INT(-1); return;
    case 22: *l = ADD(F1(SIN, x), F1(COS, x)), *r = NEG(F1(SQRT, INT(2))); return;
    default: *l = some_term(2, WANT_REAL), *r = some_term(1, WANT_REAL);
    }
}

tree *some_inequality(void) {
    tree *l, *r;
    known_order(&l, &r);
    if (one_in(3)) {
        tree *l2, *r2;
        known_order(&l2, &r2);
        if (one_in(3) && is_int(r, 0) && is_int(r2, 0)) l = MUL(l, l2);
        else l = ADD(l, l2), r = ADD(r, r2);
    }
    r = nearly(r);
    if (one_in(3)) l = rewritten(l, 1);
    if (one_in(8)) l = spoiled(l);
    if (one_in(3)) l = SUB(l, r), r = INT(0);
    switch (below(6)) {
    case 0: return T2(EXPR_LE, r, l);
    case 1: return T2(EXPR_GT, l, r);
    case 2: return T2(EXPR_LT, r, l);
    case 3: return one_in(2) ? T2(EXPR_NE, l, r) : T2(EXPR_LE, l, r);
    default: return T2(EXPR_GE, l, r);
    }
}
