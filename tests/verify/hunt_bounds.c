/* hunt_bounds.c: bounds of sums that grow with n, products with their closed forms, floors of whole symbols, and functions that touch at 0.
 * Sums and products are counted term by term in rational numbers: nothing of the laboratory's takes part. */
#include "hunt.h"
#include "hunt_groups.h"

#include <string.h>

#define COUNTED 160 /* values of n that are counted */

/* ---- sums between 1 and n, and products: part 0 is the term in i, part 1 the bound in n ------------------------------------ */

enum { HOW, PRODUCT, SHORT };
static const char *const call[] = {"le", "lt", "ge", "eq"};

static tree *some_term_of_series(void) {
    tree *i = T_sym(S_I), *shifted = ADD(i, T_rat(between(0, 4), between(1, 3)));
    switch (below(8)) {
    case 0: return POW(i, INT(-2));
    case 1: return DIV(INT(1), MUL(i, ADD(i, INT(between(1, 3)))));
    case 2: return DIV(INT(between(1, 3)), POW(shifted, INT(between(2, 4))));
    case 3: return DIV(INT(1), ADD(POW(i, INT(2)), INT(between(1, 5))));
    case 4: return DIV(INT(1), POW(INT(between(2, 4)), i));
    case 5: return DIV(i, POW(INT(between(2, 4)), i));
    case 6: return DIV(INT(1), MUL(i, POW(INT(between(2, 3)), i)));
    default: return DIV(INT(1), shifted);
    }
}

/* The value of a tree in i or n, exactly; false: it is not rational, or not defined. */
static bool at_number(fmpq_t out, const tree *t, int sym, int64_t k) {
    point p;
    value v;
    point_init(&p);
    value_init(&v);
    fmpq_set_si(p.v[sym].re, k, 1);
    bool ok = evaluate(&v, t, &p, DIGITS60) == DEFINED && v.exact && fmpq_is_zero(v.im);
    fmpq_set(out, v.re);
    value_clear(&v);
    point_clear(&p);
    return ok;
}

static bool counted(fmpq_t sum, const hunt_case *c, int64_t n) {
    fmpq_t term;
    bool ok = true;
    fmpq_init(term);
    fmpq_set_si(sum, c->number[PRODUCT] ? 1 : 0, 1);
    for (int64_t k = 1; k <= n && ok; k++) {
        ok = at_number(term, c->part[0], S_I, k);
        if (c->number[PRODUCT]) fmpq_mul(sum, sum, term);
        else fmpq_add(sum, sum, term);
    }
    fmpq_clear(term);
    return ok;
}

/* The bound is what some partial sum comes to, or a little beside it: so that it fails late, or just holds. */
void make_bound(hunt_case *c) {
    fmpq_t sum;
    fmpq_init(sum);
    c->part[0] = some_term_of_series();
    c->number[HOW] = below(3);
    int64_t n = one_in(3) ? 40 : between(1, 6), den = 1;
    if (counted(sum, c, n)) { /* to a short fraction */
        for (den = between(1, 12); den < 400; den *= 7) {
            fmpq_t q;
            fmpq_init(q);
            fmpq_mul_si(q, sum, den);
            fmpz_t floor;
            fmpz_init(floor);
            fmpz_fdiv_q(floor, fmpq_numref(q), fmpq_denref(q));
            c->part[1] = T_rat(fmpz_get_si(floor) + below(2), den);
            fmpz_clear(floor);
            fmpq_clear(q);
            if (one_in(2)) break;
        }
    } else c->part[1] = INT(1);
    if (one_in(4)) c->part[1] = ADD(c->part[1], DIV(INT(between(-2, 2)), T_sym(S_P)));
    c->n = 2;
    fmpq_clear(sum);
}

void make_product(hunt_case *c) {
    tree *i = T_sym(S_I), *n = T_sym(S_P), *k = INT(between(1, 3));
    c->number[HOW] = one_in(3) ? below(3) : 3;
    c->number[PRODUCT] = 1;
    switch (below(5)) {
    case 0: c->part[0] = ADD(INT(1), DIV(INT(1), i)), c->part[1] = ADD(n, INT(1)); break;
    case 1: c->part[0] = DIV(ADD(i, k), ADD(i, ADD(k, INT(-1)))), c->part[1] = DIV(ADD(n, k), k); break;
    case 2: c->part[0] = k, c->part[1] = POW(k, n); break;
    case 3: c->part[0] = DIV(i, ADD(i, INT(1))), c->part[1] = DIV(INT(1), ADD(n, INT(1))); break;
    default:
        c->part[0] = SUB(INT(1), DIV(INT(1), POW(ADD(i, INT(1)), INT(2)))),
        c->part[1] = DIV(ADD(n, INT(2)), MUL(INT(2), ADD(n, INT(1))));
    }
    if (one_in(2)) c->part[one_in(2)] = spoiled(c->part[one_in(2)]);
    c->n = 2;
}

void ask_bound(text *t, const hunt_case *c) {
    put(t, "prove(%s(%s(", call[c->number[HOW]], c->number[PRODUCT] ? "prod" : "sum");
    put_tree(t, c->part[0]);
    put(t, ", i, 1, p), ");
    put_tree(t, c->part[1]);
    put(t, "))");
}

static bool holds(int how, const fmpq_t sum, const fmpq_t bound) {
    int d = fmpq_cmp(sum, bound);
    return how == 0 ? d <= 0 : how == 1 ? d < 0 : how == 2 ? d >= 0 : d == 0;
}

outcome judge_bound(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength");
    bool proved = !strcmp(strength, "proved"), refuted = !strcmp(strength, "refuted"),
         false_somewhere = false;
    outcome o = proved ? WAS_PROVED : refuted ? WAS_REFUTED : WAS_UNKNOWN;
    fmpq_t sum, term, bound;
    fmpq_init(sum), fmpq_init(term), fmpq_init(bound);
    fmpq_set_si(sum, c->number[PRODUCT] ? 1 : 0, 1);
    bool known = true;
    for (int64_t n = 1; n <= COUNTED && known && o != WAS_UNKNOWN && o != WAS_FAULT; n++) {
        point p;
        known = at_number(term, c->part[0], S_I, n);
        if (c->number[PRODUCT]) fmpq_mul(sum, sum, term);
        else fmpq_add(sum, sum, term);
        if (!known || !at_number(bound, c->part[1], S_P, n) || holds((int)c->number[HOW], sum, bound))
            continue;
        point_init(&p);
        fmpq_set_si(p.v[S_P].re, n, 1);
        p.given[S_P] = true;
        false_somewhere = true;
        if (proved && !left_out(L, 1, &p)) o = fault(why, "proved, and false at n = %d", (int)n);
        point_clear(&p);
    }
    if (refuted && !false_somewhere && known && c->part[1]->op == EXPR_RAT && c->number[HOW] == 2 &&
        !c->number[PRODUCT])
        o = fault(
            why,
            "refuted, and all terms are positive: the first n decides"); /* the sum grows: n = 1 is the least */
    fmpq_clear(sum), fmpq_clear(term), fmpq_clear(bound);
    return o;
}

/* ---- floors of whole symbols: generic statements, judged at points ----------------------------------------------------------- */

static tree *quotient(tree *u, int64_t k) { return T1(EXPR_FLOOR, DIV(u, INT(k))); }
static tree *rest(tree *u, int64_t k) { return SUB(u, MUL(INT(k), quotient(u, k))); }

static tree *whole_form(void) {
    tree *m = T_sym(S_M), *n = T_sym(S_N);
    switch (below(5)) {
    case 0: return ADD(m, INT(between(-3, 3)));
    case 1: return MUL(INT(between(1, 3)), m);
    case 2: return POW(m, INT(between(2, 3)));
    case 3: return ADD(m, n);
    default: return MUL(m, n);
    }
}

void make_floor(hunt_case *c) {
    int64_t k = between(2, 6);
    tree *u = whole_form(), *v = whole_form(), *l, *r;
    switch (below(5)) {
    case 0: l = rest(ADD(u, v), k), r = rest(ADD(rest(u, k), rest(v, k)), k); break;
    case 1: l = rest(MUL(u, v), k), r = rest(MUL(rest(u, k), rest(v, k)), k); break;
    case 2: l = ADD(MUL(INT(k), quotient(u, k)), rest(u, k)), r = u; break;
    case 3: l = quotient(ADD(u, INT(k)), k), r = ADD(quotient(u, k), INT(1)); break;
    default: l = quotient(quotient(u, k), 2), r = quotient(u, 2 * k);
    }
    if (one_in(2)) r = one_in(2) ? spoiled(r) : ADD(r, rest(v, 2));
    c->part[0] = T2(one_in(4) ? (one_in(2) ? EXPR_LE : EXPR_LT) : EXPR_EQ, l, r);
    c->n = 1;
}

/* ---- functions that touch their expansion at 0, on an interval from there --------------------------------------------------- */

void make_touch(hunt_case *c) {
    static const struct {
        expr_op f;
        int from; /* the order of the first term */
        int64_t num[4], den[4];
    } series[] = {
        {EXPR_SIN, 1, {1, -1, 1, -1}, {1, 6, 120, 5040}}, {EXPR_COS, 0, {1, -1, 1, -1}, {1, 2, 24, 720}},
        {EXPR_TAN, 1, {1, 1, 2, 17}, {1, 3, 15, 315}},    {EXPR_ATAN, 1, {1, -1, 1, -1}, {1, 3, 5, 7}},
        {EXPR_SINH, 1, {1, 1, 1, 1}, {1, 6, 120, 5040}},  {EXPR_COSH, 0, {1, 1, 1, 1}, {1, 2, 24, 720}},
        {EXPR_TANH, 1, {1, -1, 2, -17}, {1, 3, 15, 315}}};
    int s = below(7), terms = (int)between(1, 3);
    tree *x = T_sym(S_X), *sum = INT(0), *f = T1(series[s].f, x);
    for (int k = 0; k < terms; k++) {
        tree *a = T_rat(series[s].num[k], series[s].den[k]);
        if (one_in(6)) a = T_rat(series[s].num[k] * between(1, 3), series[s].den[k] + between(0, 1));
        sum = ADD(sum, MUL(a, POW(x, INT(series[s].from + 2 * k + (series[s].from ? 0 : 0)))));
        if (!series[s].from && !k) sum = T_rat(series[s].num[0], 1);
    }
    c->part[0] = T2((expr_op)(EXPR_LT + below(4)), one_in(5) ? MUL(f, T1(EXPR_COS, x)) : f, sum);
    c->part[1] = T2(one_in(2) ? EXPR_GT : EXPR_GE, x, INT(0));
    tree *half = DIV(T1(EXPR_ACOS, INT(-1)), INT(2));
    c->part[2] = T2(one_in(2) ? EXPR_LT : EXPR_LE, x, one_in(2) ? half : T_rat(between(1, 8), 2));
    c->n = one_in(4) ? 2 : 3;
}
