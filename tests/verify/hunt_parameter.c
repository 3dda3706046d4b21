/* hunt_parameter.c: certificates of integrals with a parameter y in a box. The truth is the antiderivative in x, put in at the ends by the
 * hunt's own evaluation: part 0 is the integrand in x and y, part 1 its antiderivative, part 2 the bound that is asked for. */
#include "hunt.h"
#include "hunt_groups.h"

#include <string.h>

#define INNER 7 /* values of y that are looked at in the box, with its ends */

enum { FROM, TO, LEFT, RIGHT, STRETCH, HOW }; /* x from FROM/2 to TO/2, y from LEFT/2 to RIGHT/2 */

static tree *e_to(tree *u) { return T1(EXPR_EXP, u); }

/* f in x and y, and F with ∂F/∂x = f. Poles at y = 0, and at x = y, x = −y, are within reach of the boxes. */
static void some_integral(tree **f, tree **F) {
    tree *x = T_sym(S_X), *y = T_sym(S_Y), *xy = MUL(x, y), *u = SUB(x, y), *two = INT(2);
    switch (below(12)) {
    case 0: *f = e_to(NEG(xy)), *F = NEG(DIV(*f, y)); return;
    case 1: *f = T1(EXPR_COS, xy), *F = DIV(T1(EXPR_SIN, xy), y); return;
    case 2: *f = T1(EXPR_ABS, u), *F = DIV(MUL(u, T1(EXPR_ABS, u)), two); return;
    case 3: *f = T1(EXPR_SIGN, u), *F = T1(EXPR_ABS, u); return;
    case 4: *f = T2(EXPR_MAX, u, INT(0)), *F = DIV(POW(T2(EXPR_MAX, u, INT(0)), two), two); return;
    case 5: *f = POW(u, INT(3)), *F = DIV(POW(u, INT(4)), INT(4)); return;
    case 6: *f = DIV(INT(1), ADD(INT(1), POW(u, two))), *F = T1(EXPR_ATAN, u); return;
    case 7: *f = MUL(y, T1(EXPR_SIN, xy)), *F = NEG(T1(EXPR_COS, xy)); return;
    case 8: *f = DIV(y, ADD(POW(x, two), POW(y, two))), *F = T1(EXPR_ATAN, DIV(x, y)); return;
    case 9: *f = POW(u, INT(-2)), *F = NEG(POW(u, INT(-1))); return;
    case 10: *f = DIV(INT(1), u), *F = T1(EXPR_LOG, T1(EXPR_ABS, u)); return;
    default:
        *f = T_piece(T2(EXPR_LT, x, y), y, x),
        *F = T_piece(T2(EXPR_LT, x, y), xy, DIV(ADD(POW(x, two), POW(y, two)), two));
        return;
    }
}

void make_parameter(hunt_case *c) {
    some_integral(&c->part[0], &c->part[1]);
    if (one_in(3)) {
        tree *f, *F;
        some_integral(&f, &F);
        c->part[0] = ADD(c->part[0], f);
        c->part[1] = ADD(c->part[1], F);
    }
    c->number[FROM] = between(-4, 4);
    c->number[TO] = c->number[FROM] + between(-1, 4);
    c->number[LEFT] = between(-4, 5);
    c->number[RIGHT] = c->number[LEFT] + between(0, 4);
    c->number[STRETCH] = between(-1, 1);
    c->number[HOW] = below(3);
    c->part[2] = DIV(INT(between(-40, 40)), INT(8));
    c->n = 0; /* not shrunk: the antiderivative goes with the integrand */
}

/* An end of the interval: itself, or moved with y. */
static tree *end_of(const hunt_case *c, int which) {
    tree *at = T_rat(c->number[which], 2);
    return which == TO && c->number[STRETCH] > 0 ? ADD(at, POW(T_sym(S_Y), INT(2))) : at;
}

static tree *closed_form(const hunt_case *c) {
    tree *F = c->part[1];
    return SUB(tree_put(F, S_X, end_of(c, TO)), tree_put(F, S_X, end_of(c, FROM)));
}

/* 0: J <= bound; 1: J >= bound; 2: |J − closed form| <= 1/1000, or that of a closed form that is spoiled by 1/100. */
void ask_parameter(text *t, const hunt_case *c) {
    static const char *const call[] = {"le", "ge", "eq"};
    put(t, "certify(%s(integral(", call[c->number[HOW]]);
    put_tree(t, c->part[0]);
    put(t, " + 0*y, x, ");
    put_tree(t, end_of(c, FROM));
    put(t, ", ");
    put_tree(t, end_of(c, TO));
    put(t, "), ");
    put_tree(t, c->number[HOW] < 2   ? c->part[2]
                : c->number[STRETCH] ? closed_form(c)
                                     : ADD(closed_form(c), T_rat(1, 100)));
    put(t, " + 0*y), {y = {rat(%lld, 2), rat(%lld, 2)}}, {boxes = 300%s})", (long long)c->number[LEFT],
        (long long)c->number[RIGHT], c->number[HOW] == 2 ? ", radius = rat(1, 1000)" : "");
}

/* The integral at a value of y: its antiderivative at the ends, where the integrand is defined between them. */
static found integral_at(value *v, const hunt_case *c, const fmpq_t y) {
    point p;
    value a, b;
    found f = UNDECIDED;
    point_init(&p);
    value_init(&a);
    value_init(&b);
    p.given[S_Y] = p.given[S_X] = true;
    fmpq_set(p.v[S_Y].re, y);
    value_set(&b, &p.v[S_Y]);
    if (evaluate(&a, end_of(c, FROM), &p, DIGITS60) == DEFINED &&
        evaluate(&b, end_of(c, TO), &p, DIGITS60) == DEFINED && a.exact && b.exact) {
        fmpq_t step, w;
        fmpq_init(step), fmpq_init(w);
        fmpq_sub(w, b.re, a.re);
        fmpz_set_si(fmpq_numref(step), 1), fmpz_set_si(fmpq_denref(step), 48);
        f = DEFINED;
        for (int k = 0; k <= 48 && f == DEFINED;
             k++) { /* poles lie at ±y and 0, ends at quarters: some k meets them */
            fmpq_set_si(p.v[S_X].re, k, 48);
            fmpq_mul(p.v[S_X].re, p.v[S_X].re, w);
            fmpq_add(p.v[S_X].re, p.v[S_X].re, a.re);
            f = evaluate(v, c->part[0], &p, DIGITS60);
        }
        fmpq_clear(step), fmpq_clear(w);
        if (f == DEFINED) f = evaluate(v, closed_form(c), &p, DIGITS60);
    }
    point_clear(&p);
    value_clear(&a);
    value_clear(&b);
    return f;
}

/* −1, 0, 1: the statement is certainly false, open, certainly true there. */
static int holds_at(const value *v, const hunt_case *c, const value *bound) {
    acb_t x, y;
    int s = 0;
    acb_init(x), acb_init(y);
    value_ball(x, v, DIGITS60);
    value_ball(y, bound, DIGITS60);
    arb_sub(acb_realref(x), acb_realref(x), acb_realref(y), DIGITS60);
    if (c->number[HOW] == 0) arb_neg(acb_realref(x), acb_realref(x));
    if (c->number[HOW] < 2)
        s = arb_is_negative(acb_realref(x)) ? -1 : arb_is_positive(acb_realref(x)) ? 1 : 0;
    else s = c->number[STRETCH] ? 1 : -1; /* the closed form, or one that is 1/100 off */
    acb_clear(x), acb_clear(y);
    return s;
}

/* The value of y that the witness names. */
static bool witness_of(fmpq_t y, const char *witness) {
    point p;
    point_init(&p);
    bool ok = point_read(&p, witness) && p.given[S_Y];
    if (ok) fmpq_set(y, p.v[S_Y].re);
    point_clear(&p);
    return ok;
}

outcome judge_parameter(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength");
    bool sure = !strcmp(strength, "certified") || !strcmp(strength, "proved"),
         refuted = !strcmp(strength, "refuted");
    outcome o = sure ? WAS_PROVED : refuted ? WAS_REFUTED : WAS_UNKNOWN;
    value v, bound;
    fmpq_t y;
    point none;
    value_init(&v), value_init(&bound);
    fmpq_init(y);
    point_init(&none);
    if (evaluate(&bound, c->part[2], &none, DIGITS60) != DEFINED) sure = refuted = false;
    for (int k = 0; k <= INNER && sure; k++) {
        fmpq_set_si(y, c->number[LEFT] * (INNER - k) + c->number[RIGHT] * k, 2 * INNER);
        found f = integral_at(&v, c, y);
        if (f == DEFINED && holds_at(&v, c, &bound) < 0)
            o = fault(why, "certified, and false at y = %g", (double)k);
    }
    if (refuted && !witness_of(y, verdict_field(L, 1, "witness")))
        o = fault(why, "a witness that cannot be read");
    else if (refuted && integral_at(&v, c, y) == DEFINED && holds_at(&v, c, &bound) > 0)
        o = fault(why, "refuted at a point where it holds: %s", verdict_field(L, 1, "witness"));
    value_clear(&v), value_clear(&bound);
    fmpq_clear(y);
    point_clear(&none);
    return o;
}
