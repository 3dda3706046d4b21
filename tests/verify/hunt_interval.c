/* hunt_interval.c: functions of x from number 0 to number 0 + number 1, in halves: monotonicity, roots and integrals. */
#include "hunt.h"
#include "hunt_groups.h"

#include <stdlib.h>
#include <string.h>

#define F1(op, u) T1(EXPR_##op, u)

static void ask_interval(text *t, const char *call, const hunt_case *c) {
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    box_ends(c, 0, S_X, lo, hi);
    put(t, "%s(", call);
    put_tree(t, c->part[0]);
    put(t, ", x, ");
    put_rational(t, lo);
    put(t, ", ");
    put_rational(t, hi);
    put(t, ")");
    fmpq_clear(lo);
    fmpq_clear(hi);
}

/* x = lo + (hi − lo)·k/n */
static void set_step(point *p, const hunt_case *c, int k, int n) {
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    box_ends(c, 0, S_X, lo, hi);
    fmpq_sub(hi, hi, lo);
    fmpz_mul_si(fmpq_numref(hi), fmpq_numref(hi), k);
    fmpz_mul_si(fmpq_denref(hi), fmpq_denref(hi), n);
    fmpq_canonicalise(hi);
    fmpq_add(p->v[S_X].re, lo, hi);
    p->given[S_X] = true;
    fmpq_clear(lo);
    fmpq_clear(hi);
}

static found at_step(value *out, const hunt_case *c, const tree *f, int k, int n) {
    point p;
    point_init(&p);
    set_step(&p, c, k, n);
    found r = evaluate(out, f, &p, DIGITS60);
    point_clear(&p);
    return r;
}

/* The verdict at stack index `at` says that it leaves the step out. */
static bool leaves_out(lua_State *L, int at, const hunt_case *c, int k, int n) {
    point p;
    point_init(&p);
    set_step(&p, c, k, n);
    bool out = left_out(L, at, &p);
    point_clear(&p);
    return out;
}

static tree *in_x(void) {
    tree *x = T_sym(S_X), *c = T_rat(between(-8, 8), 2);
    switch (below(10)) {
    case 0: return poked(x);
    case 1: return ADD(x, poked(x));
    case 8: return hollow(x);
    case 9: return ADD(hollow(x), one_in(2) ? MUL(INT(between(-3, 3)), x) : poked(x));
    case 2: return MUL(SUB(x, c), SUB(x, T_rat(between(-8, 8), 3)));
    case 3: return MUL(POW(SUB(x, c), INT(between(1, 3))), F1(EXP, x));
    case 4: return SUB(F1(SIN, MUL(INT(between(1, 3)), x)), T_rat(between(-2, 2), 2));
    case 5: return ADD(F1(ABS, SUB(x, c)), MUL(T_rat(between(-3, 3), 2), x));
    case 6: return T_piece(T2(EXPR_LT, x, c), x, one_in(2) ? ADD(x, INT(1)) : SUB(x, INT(1)));
    default: return ADD(POW(x, INT(3)), MUL(INT(between(-3, 3)), x));
    }
}

static void make_in_x(hunt_case *c) {
    c->part[0] = one_in(4) ? rewritten(in_x(), 1) : in_x();
    c->n = 1;
    draw_numbers(c);
    c->number[1] = between(1, 9);
    for (int s = 0; s < NSYM; s++)
        if (s != S_X && has_sym(c->part[0], s)) c->part[0] = POW(T_sym(S_X), INT(3));
}

void make_monotone(hunt_case *c) { make_in_x(c); }
void make_roots(hunt_case *c) { make_in_x(c); }
void ask_monotone(text *t, const hunt_case *c) { ask_interval(t, "monotone", c); }

/* −1, 1: certainly a < b, a > b; 0: not certain. */
static int order_of(const value *a, const value *b) {
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    value_ball(x, a, DIGITS60);
    value_ball(y, b, DIGITS60);
    int r = arb_lt(acb_realref(x), acb_realref(y)) ? -1 : arb_gt(acb_realref(x), acb_realref(y)) ? 1 : 0;
    acb_clear(x);
    acb_clear(y);
    return r;
}

/* Does f rise (sign 1) or fall (−1) from 2^−40 before x to 2^−40 after it, x the number after `what` in the witness? */
static bool goes(const hunt_case *c, const char *witness, const char *what, int sign) {
    const char *at = strstr(witness, what);
    point p;
    value v[2], x;
    point_init(&p);
    value_init(&v[0]);
    value_init(&v[1]);
    value_init(&x);
    tree *e = at ? read_formula(&(const char *){at + strlen(what)}) : NULL;
    bool ok = e && evaluate(&x, e, &p, DIGITS60) == DEFINED && x.exact;
    for (int k = 0; k < 2 && ok; k++) {
        fmpq_t h;
        fmpq_init(h);
        fmpq_set_si(h, 2 * k - 1, (ulong)1 << 40);
        fmpq_add(p.v[S_X].re, x.re, h);
        p.given[S_X] = true;
        ok = evaluate(&v[k], c->part[0], &p, DIGITS60) == DEFINED;
        fmpq_clear(h);
    }
    ok = ok && order_of(&v[0], &v[1]) == -sign;
    value_clear(&v[0]);
    value_clear(&v[1]);
    value_clear(&x);
    point_clear(&p);
    return ok;
}

/* The witness of one that is neither: where it rises and where it falls. */
static bool turns(const hunt_case *c, const char *witness) {
    return goes(c, witness, "positive at x = ", 1) && goes(c, witness, "negative at x = ", -1);
}

outcome judge_monotone(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength"), *said = verdict_field(L, 1, "statement");
    bool sure = !strcmp(strength, "certified") || !strcmp(strength, "proved");
    value v, last;
    int ups = 0, downs = 0, defined = 0, undefined = 0;
    value_init(&v);
    value_init(&last);
    for (int k = 0; k <= 48; k++) {
        found f = at_step(&v, c, c->part[0], k, 48);
        undefined += f == UNDEFINED && !(sure && leaves_out(L, 1, c, k, 48));
        if (f != DEFINED) continue;
        if (defined++) ups += order_of(&last, &v)<0, downs += order_of(&last, &v)> 0;
        value_set(&last, &v);
    }
    value_clear(&v);
    value_clear(&last);
    if (sure && undefined) return fault(why, "%s %s; but undefined at a point", strength, said);
    bool up = strstr(said, "never decreasing") || strstr(said, "is increasing"),
         down = strstr(said, "never increasing") || strstr(said, "is decreasing"),
         flat = strstr(said, "is constant");
    if (sure && !up && !down && !flat) return fault(why, "%s %s: what is that?", strength, said);
    if (sure && (up || flat) && downs) return fault(why, "%s %s; but it falls", strength, said);
    if (sure && (down || flat) && ups) return fault(why, "%s %s; but it rises", strength, said);
    if (!strcmp(strength, "refuted") && (!ups || !downs) && defined == 49 &&
        !turns(c, verdict_field(L, 1, "witness")))
        return fault(why, "refuted %s with %s; but 49 points are in order", said,
                     verdict_field(L, 1, "witness"));
    return sure ? WAS_PROVED : !strcmp(strength, "refuted") ? WAS_REFUTED : WAS_UNKNOWN;
}

void ask_roots(text *t, const hunt_case *c) {
    put(t, "(function(r) local e = {} for k = 1, #r do e[#e + 1] = r[k].lower e[#e + 1] = r[k].upper end "
           "return r.verdict.strength, table.unpack(e) end)(");
    ask_interval(t, "roots", c);
    put(t, ")");
}

/* Exact zeros on a grid of 1/6, each of which must be in one of the balls; and no more sign changes than balls. */
outcome judge_roots(text *why, const hunt_case *c, lua_State *L) {
    bool sure = !strcmp(lua_tostring(L, 1), "certified");
    int balls = (lua_gettop(L) - 1) / 2, zeros = 0;
    int64_t a = c->number[0], w = llabs(c->number[1]);
    value v;
    outcome o = sure ? WAS_PROVED : WAS_UNKNOWN;
    value_init(&v);
    for (int64_t k = 0; k <= 3 * w && sure; k++) { /* x = a/2 + k/6 */
        if (at_step(&v, c, c->part[0], (int)k, (int)(3 * w > 0 ? 3 * w : 1)) != DEFINED || !v.exact ||
            !fmpq_is_zero(v.re) || !fmpq_is_zero(v.im))
            continue;
        bool seen = false;
        double x = (double)a / 2 + (double)k / 6;
        for (int b = 0; b < balls; b++)
            seen =
                seen || (lua_tonumber(L, 2 + 2 * b) - 1e-12 <= x && x <= lua_tonumber(L, 3 + 2 * b) + 1e-12);
        zeros++;
        if (!seen) o = fault(why, "certified %d roots; but %g is one and in no ball", balls, x);
    }
    for (int b = 0; b < balls && o != WAS_FAULT;
         b++) { /* f is small in the middle of a ball, or is not defined */
        point p;
        point_init(&p);
        p.given[S_X] = true;
        arf_t m;
        arf_init(m);
        arf_set_d(m, (lua_tonumber(L, 2 + 2 * b) + lua_tonumber(L, 3 + 2 * b)) / 2);
        arf_get_fmpq(p.v[S_X].re, m);
        arf_clear(m);
        if (evaluate(&v, c->part[0], &p, DIGITS60) == DEFINED && beside(&v, -1e-6, 1e-6))
            o = fault(why, "a root at %.17g, where the value is not near 0", (lua_tonumber(L, 2 + 2 * b)));
        point_clear(&p);
    }
    if (sure && o != WAS_FAULT && zeros > balls)
        o = fault(why, "certified %d roots; there are at least %d", balls, zeros);
    value_clear(&v);
    return o;
}

/* ---- integral: of terms whose antiderivatives are known; part 0 is f, part 1 is F ------------------------------- */

static void known_integral(tree **f, tree **F) {
    tree *x = T_sym(S_X), *c = T_rat(between(-8, 8), 2), *u = SUB(x, c);
    switch (below(11)) {
    case 0: *f = POW(u, INT(2)), *F = DIV(POW(u, INT(3)), INT(3)); return;
    case 1: *f = F1(SIN, MUL(INT(3), x)), *F = DIV(NEG(F1(COS, MUL(INT(3), x))), INT(3)); return;
    case 2: *f = F1(EXP, NEG(x)), *F = NEG(F1(EXP, NEG(x))); return;
    case 3: *f = F1(ABS, u), *F = DIV(MUL(u, F1(ABS, u)), INT(2)); return;
    case 4: *f = F1(SIGN, u), *F = F1(ABS, u); return;
    case 5: *f = DIV(INT(1), u), *F = F1(LOG, F1(ABS, u)); return;
    case 6: *f = DIV(INT(1), ADD(INT(1), POW(u, INT(2)))), *F = F1(ATAN, u); return;
    case 7: *f = T2(EXPR_MAX, u, INT(0)), *F = DIV(POW(T2(EXPR_MAX, u, INT(0)), INT(2)), INT(2)); return;
    case 8:
        *f = T_piece(T2(EXPR_LT, x, c), INT(1), INT(3)), *F = T_piece(T2(EXPR_LT, x, c), u, MUL(INT(3), u));
        return;
    case 9: *f = POW(u, INT(-2)), *F = NEG(POW(u, INT(-1))); return;
    default: *f = MUL(x, F1(COS, POW(x, INT(2)))), *F = DIV(F1(SIN, POW(x, INT(2))), INT(2)); return;
    }
}

void make_integral(hunt_case *c) {
    known_integral(&c->part[0], &c->part[1]);
    if (one_in(2)) {
        tree *f, *F;
        known_integral(&f, &F);
        c->part[0] = ADD(c->part[0], f);
        c->part[1] = ADD(c->part[1], F);
    }
    c->n = 2;
    draw_numbers(c);
}

void ask_integral(text *t, const hunt_case *c) {
    put(t, "(function(r) return r.lower, r.upper end)(");
    ask_interval(t, "integral", c);
    put(t, ")");
}

/* A pole of the integrand at x = k/2 in the interval: 1/u or 1/u^2 at u = 0. */
static bool has_pole(const hunt_case *c) {
    value v;
    value_init(&v);
    bool pole = false;
    int64_t w = llabs(c->number[1]);
    for (int64_t k = 0; k <= w && !pole; k++)
        pole = at_step(&v, c, c->part[0], (int)k, (int)(w > 0 ? w : 1)) == UNDEFINED;
    value_clear(&v);
    return pole;
}

outcome judge_integral(text *why, const hunt_case *c, lua_State *L) {
    value a, b;
    acb_t x, y;
    outcome o = WAS_VALUE;
    value_init(&a);
    value_init(&b);
    acb_init(x);
    acb_init(y);
    double lo = lua_tonumber(L, 1), hi = lua_tonumber(L, 2);
    if (c->number[1] && has_pole(c)) o = fault(why, "an integral %g … %g over a pole", lo, hi);
    else if (at_step(&a, c, c->part[1], 0, 1) == DEFINED && at_step(&b, c, c->part[1], 1, 1) == DEFINED) {
        value_ball(x, &a, DIGITS60);
        value_ball(y, &b, DIGITS60);
        acb_sub(y, y, x, DIGITS60);
        b.exact = false;
        acb_set(b.z, y);
        if (beside(&b, lo, hi)) o = fault(why, "the integral is said to lie in %.17g … %.17g", lo, hi);
    }
    value_clear(&a);
    value_clear(&b);
    acb_clear(x);
    acb_clear(y);
    return o;
}
