/* hunt_calculus.c: derivative, subst, expand_sums and evaluate, against values. */
#include "hunt.h"
#include "hunt_groups.h"

#include <math.h>
#include <stdlib.h>

#include "lua/state.h"

#define POINTS 6

/* The formula at stack index 1 as a tree. */
static tree *answer(lua_State *L) {
    expr_node *e = bind_test_expr(L, 1);
    if (e) return tree_of(e);
    return lua_isinteger(L, 1) ? INT(lua_tointeger(L, 1)) : NULL;
}

static outcome differs(text *why, const char *what, const tree *r, const point *p, const tree *const *about,
                       int n) {
    text shown = {0}, at = {0};
    put_tree(&shown, r);
    point_text(&at, p, about, n);
    outcome o = fault(why, "%s: %.600s; wrong at %s", what, shown.s, at.s ? at.s : "a constant");
    free(shown.s);
    free(at.s);
    return o;
}

/* |a − b| > tolerance·(1 + |b|), certainly */
static bool apart(const acb_t a, const acb_t b, slong tolerance_bits, slong prec) {
    acb_t d;
    arb_t x, y;
    acb_init(d);
    arb_init(x);
    arb_init(y);
    acb_sub(d, a, b, prec);
    acb_abs(x, d, prec);
    acb_abs(y, b, prec);
    arb_add_ui(y, y, 1, prec);
    arb_mul_2exp_si(y, y, -tolerance_bits);
    bool r = arb_gt(x, y);
    acb_clear(d);
    arb_clear(x);
    arb_clear(y);
    return r;
}

/* ---- derivative: differences of the tree's own values, at 500 bits ----------------------------------------- */

#define DIFF_PREC 500

static tree *some_variable(void) {
    switch (below(8)) {
    case 0: return T_at(S_A, INT(between(0, 3)));
    case 1: return T_at(S_A, T_sym(S_N));
    case 2: return T_at(S_B, INT(between(0, 3)));
    case 3: return T_sym(S_K);
    default: return T_sym(one_in(2) ? S_X : S_Y);
    }
}

void make_derivative(hunt_case *c) {
    tree *t = some_term((int)between(1, 3), one_in(6) ? WANT_ANY : WANT_REAL), *x = some_variable();
    tree *i = T_sym(S_I), *n = T_sym(S_N),
         *member = T_at(x->op == EXPR_AT ? x->arg[0]->sym : S_A, one_in(3) ? ADD(i, INT(1)) : i);
    if (x->op == EXPR_AT && !one_in(4)) {
        tree *f = one_in(2) ? POW(member, INT(2)) : MUL(member, T_sym(S_X));
        t = ADD(t, one_in(2) ? T_sum(S_I, INT(between(0, 2)), one_in(2) ? n : INT(3), f)
                             : POW(T_at(member->arg[0]->sym, one_in(2) ? INT(2) : n), INT(2)));
    }
    c->part[0] = t;
    c->part[1] = x;
    c->n = 2;
}

void ask_derivative(text *t, const hunt_case *c) {
    put(t, "derivative(");
    put_tree(t, c->part[0]);
    put(t, ", ");
    put_tree(t, c->part[1]);
    put(t, ")");
}

/* The point with its variable moved by sign·2^−bits. */
static bool moved(point *to, const point *p, const tree *x, int sign, int bits) {
    value v;
    value_init(&v);
    point_copy(to, p);
    bool ok = evaluate(&v, x, p, DIFF_PREC) == DEFINED && v.exact;
    fmpq_t h;
    fmpq_init(h);
    fmpq_one(h);
    fmpq_div_2exp(h, h, (mp_bitcnt_t)bits);
    fmpz_mul_si(fmpq_numref(h), fmpq_numref(h), sign);
    fmpq_canonicalise(h);
    fmpq_add(v.re, v.re, h);
    if (ok && x->op == EXPR_SYM) fmpq_set(to->v[x->sym].re, v.re);
    else if (ok) {
        value index;
        value_init(&index);
        ok = evaluate(&index, x->arg[1], p, DIFF_PREC) == DEFINED && index.exact &&
             point_member(to, x->arg[0]->sym, fmpz_get_si(fmpq_numref(index.re)), &v);
        value_clear(&index);
    }
    fmpq_clear(h);
    value_clear(&v);
    return ok;
}

/* (f(x + sign·h) − f(x + other·h))/((sign − other)·h) */
static bool slope(acb_t out, const tree *f, const point *p, const tree *x, int sign, int other, int bits) {
    point a, b;
    value u, v;
    acb_t w;
    point_init(&a);
    point_init(&b);
    value_init(&u);
    value_init(&v);
    acb_init(w);
    bool ok = moved(&a, p, x, sign, bits);
    if (ok && other) ok = moved(&b, p, x, other, bits);
    else point_copy(&b, p);
    ok = ok && evaluate(&u, f, &a, DIFF_PREC) == DEFINED && evaluate(&v, f, &b, DIFF_PREC) == DEFINED;
    if (ok) {
        value_ball(out, &u, DIFF_PREC);
        value_ball(w, &v, DIFF_PREC);
        acb_sub(out, out, w, DIFF_PREC);
        acb_mul_2exp_si(out, out, bits);
        acb_div_si(out, out, sign - other, DIFF_PREC);
    }
    point_clear(&a);
    point_clear(&b);
    value_clear(&u);
    value_clear(&v);
    acb_clear(w);
    return ok;
}

outcome judge_derivative(text *why, const hunt_case *c, lua_State *L) {
    const tree *f = c->part[0], *x = c->part[1];
    tree *d = answer(L);
    if (!d) return fault(why, "the derivative is no formula of this case");
    point p;
    value v;
    acb_t left, right, mid, again, got;
    outcome o = WAS_VALUE;
    point_init(&p);
    value_init(&v);
    acb_init(left), acb_init(right), acb_init(mid), acb_init(again), acb_init(got);
    for (int k = 0; k < POINTS && o == WAS_VALUE; k++) {
        point_draw(&p, (const tree *const *)c->part, 2);
        if (!slope(left, f, &p, x, 0, -1, 90) || !slope(right, f, &p, x, 1, 0, 90) ||
            apart(left, right, 40, DIFF_PREC))
            continue;
        if (!slope(mid, f, &p, x, 1, -1, 90) || !slope(again, f, &p, x, 1, -1, 100) ||
            apart(mid, again, 100, DIFF_PREC))
            continue;
        if (evaluate(&v, d, &p, DIFF_PREC) != DEFINED) continue;
        value_ball(got, &v, DIFF_PREC);
        if (apart(got, again, 80, DIFF_PREC))
            o = differs(why, "derivative", d, &p, (const tree *const *)c->part, 2);
    }
    acb_clear(left), acb_clear(right), acb_clear(mid), acb_clear(again), acb_clear(got);
    value_clear(&v);
    point_clear(&p);
    return o;
}

/* ---- subst ------------------------------------------------------------------------------------------------- */

void make_subst(hunt_case *c) {
    c->part[0] = some_term((int)between(1, 4), one_in(4) ? WANT_ANY : WANT_REAL);
    tree *x = one_in(3) ? T_at(S_A, one_in(2) ? INT(between(0, 3)) : T_sym(S_N)) : some_leaf(WANT_REAL);
    if (x->op != EXPR_SYM && x->op != EXPR_AT) x = T_sym(S_X);
    if (x->op == EXPR_AT && one_in(2))
        c->part[0] =
            ADD(c->part[0], T_sum(S_I, INT(1), one_in(2) ? T_sym(S_N) : INT(3), T_at(S_A, T_sym(S_I))));
    c->part[1] = x;
    c->part[2] = one_in(3) ? T_sym(one_in(2) ? S_I : S_J)
                           : some_term(1, surely_integer(x)    ? WANT_INTEGER
                                          : surely_positive(x) ? WANT_POSITIVE
                                                               : WANT_REAL);
    c->n = 3;
}

void ask_subst(text *t, const hunt_case *c) {
    put(t, "subst(");
    put_tree(t, c->part[0]);
    put(t, ", ");
    put_tree(t, c->part[1]);
    put(t, ", ");
    put_tree(t, c->part[2]);
    put(t, ")");
}

/* The point at which the old formula has the new one's value: x is the value there. */
static bool put_in(point *to, const point *p, const tree *x, const tree *v) {
    value u, index;
    value_init(&u);
    value_init(&index);
    point_copy(to, p);
    bool ok = evaluate(&u, v, p, DIGITS60) == DEFINED;
    if (ok && x->op == EXPR_SYM) {
        to->v[x->sym].exact = u.exact;
        fmpq_set(to->v[x->sym].re, u.re);
        fmpq_set(to->v[x->sym].im, u.im);
        acb_set(to->v[x->sym].z, u.z);
    } else if (ok)
        ok = evaluate(&index, x->arg[1], p, DIGITS60) == DEFINED && index.exact &&
             fmpz_bits(fmpq_numref(index.re)) < 40 &&
             point_member(to, x->arg[0]->sym, fmpz_get_si(fmpq_numref(index.re)), &u);
    value_clear(&u);
    value_clear(&index);
    return ok;
}

static outcome compare_at(text *why, const char *what, const hunt_case *c, const tree *new, const point *p,
                          const point *old) {
    value u, v;
    acb_t x, y;
    value_init(&u);
    value_init(&v);
    acb_init(x);
    acb_init(y);
    outcome o = WAS_VALUE;
    found f = evaluate(&u, new, p, DIGITS60), g = evaluate(&v, c->part[0], old, DIGITS60);
    if (f == DEFINED && g == DEFINED) {
        value_ball(x, &u, DIGITS60);
        value_ball(y, &v, DIGITS60);
        if (!acb_overlaps(x, y)) o = differs(why, what, new, p, (const tree *const *)c->part, c->n);
    }
    acb_clear(x);
    acb_clear(y);
    value_clear(&u);
    value_clear(&v);
    return o;
}

outcome judge_subst(text *why, const hunt_case *c, lua_State *L) {
    tree *new = answer(L);
    if (!new) return fault(why, "subst: no formula of this case");
    point p, old;
    point_init(&p);
    point_init(&old);
    outcome o = WAS_VALUE;
    for (int k = 0; k < POINTS && o == WAS_VALUE; k++) {
        point_draw(&p, (const tree *const *)c->part, 3);
        if (put_in(&old, &p, c->part[1], c->part[2])) o = compare_at(why, "subst", c, new, &p, &old);
    }
    point_clear(&p);
    point_clear(&old);
    return o;
}

/* ---- expand_sums ------------------------------------------------------------------------------------------- */

void make_expand(hunt_case *c) {
    tree *i = T_sym(S_I), *body = some_term(2, WANT_REAL);
    tree *s = T_sum(one_in(2) ? S_I : S_J, INT(between(-2, 2)), INT(between(-1, 4)),
                    MUL(one_in(2) ? i : T_at(S_A, i), body));
    c->part[0] = one_in(2) ? s : ADD(s, some_term(2, WANT_REAL));
    c->n = 1;
}

void ask_expand(text *t, const hunt_case *c) { ask_with(t, "expand_sums", c, 1); }

outcome judge_same_value(text *why, const hunt_case *c, lua_State *L) {
    tree *new = answer(L);
    if (!new) return fault(why, "no formula of this case");
    point p;
    point_init(&p);
    outcome o = WAS_VALUE;
    for (int k = 0; k < POINTS && o == WAS_VALUE; k++) {
        point_draw(&p, (const tree *const *)c->part, c->n);
        o = compare_at(why, "value", c, new, &p, &p);
    }
    point_clear(&p);
    return o;
}

/* ---- evaluate: floating point, so only gross errors are errors --------------------------------------------- */

void make_evaluate(hunt_case *c) {
    c->part[0] = some_term((int)between(1, 4), one_in(3) ? WANT_ANY : WANT_REAL);
    c->n = 1;
    for (int i = 0; i < 6; i++) c->number[i] = between(-6, 9);
}

/* Symbol s has a dyadic value that depends on the case only. */
static int64_t quarter(const hunt_case *c, int s) {
    int64_t v = c->number[s % 6];
    expr_kind k = symbols[s].kind;
    if (k == EXPR_POSITIVE || k == EXPR_NATURAL) v = llabs(v) + 1;
    return k == EXPR_INTEGER || k == EXPR_NATURAL ? 4 * v : v;
}

static void ask_values(text *t, const hunt_case *c, bool array) {
    const char *sep = "";
    put(t, "evaluate(");
    put_tree(t, c->part[0]);
    put(t, ", {");
    for (int s = 0; s < S_FAMILY; s++) {
        if (!has_sym(c->part[0], s)) continue;
        double v = (double)quarter(c, s) / 4;
        if (symbols[s].kind == EXPR_COMPLEX) put(t, "%s%s = complex(%g, 0.5)", sep, symbols[s].name, v);
        else if (array && s < S_N) put(t, "%s%s = array{%g, %g}", sep, symbols[s].name, v, v);
        else put(t, "%s%s = %g", sep, symbols[s].name, v);
        sep = ", ";
    }
    for (int s = S_FAMILY; s < NSYM; s++)
        for (int i = 0; i < 4 && has_sym(c->part[0], s); i++) {
            put(t, "%s[\"%s[%d]\"] = %d", sep, symbols[s].name, i, i + 1);
            sep = ", ";
        }
    put(t, "})");
}

void ask_evaluate(text *t, const hunt_case *c) { ask_values(t, c, false); }
void ask_evaluate_array(text *t, const hunt_case *c) {
    put(t, "(function(v) return type(v) == \"userdata\" and v.shape and v[1] or v end)(");
    ask_values(t, c, true);
    put(t, ")");
}

/* The number at stack index 1. */
static bool number_at(acb_t out, lua_State *L, bool *finite) {
    double re = 0, im = 0;
    if (lua_type(L, 1) == LUA_TNUMBER) re = lua_tonumber(L, 1);
    else {
        if (luaL_getmetafield(L, 1, "__name") != LUA_TSTRING) return false;
        lua_getfield(L, 1, "re");
        lua_getfield(L, 1, "im");
        if (lua_type(L, -1) != LUA_TNUMBER || lua_type(L, -2) != LUA_TNUMBER) return false;
        re = lua_tonumber(L, -2);
        im = lua_tonumber(L, -1);
    }
    *finite = isfinite(re) && isfinite(im);
    if (*finite) acb_set_d_d(out, re, im);
    return true;
}

/* |z|, which is exactly 0 or 1e-250 … 10^4: no cancellation, no sine of 10^20, no underflow. */
static bool has_moderate_size(const value *v) {
    acb_t z;
    arb_t r;
    arf_t most, least;
    acb_init(z);
    arb_init(r);
    arf_init_set_si(most, 10000);
    arf_init_set_si(least, 1);
    arf_mul_2exp_si(least, least, -830);
    value_ball(z, v, DIGITS60);
    acb_abs(r, z, DIGITS60);
    bool ok = arf_cmp(arb_midref(r), most) < 0 && (arb_is_zero(r) || arf_cmp(arb_midref(r), least) > 0);
    acb_clear(z);
    arb_clear(r);
    arf_clear(most);
    arf_clear(least);
    return ok;
}

typedef bool part_test(const tree *t, const point *p);

/* The test of the body of a sum at each index; false for bounds that are no integers, or far apart. */
static bool at_each_index(const tree *sum, const point *p, part_test *test) {
    value lo, hi;
    value_init(&lo);
    value_init(&hi);
    bool ok = evaluate(&lo, sum->arg[1], p, DIGITS60) == DEFINED && lo.exact &&
              evaluate(&hi, sum->arg[2], p, DIGITS60) == DEFINED && hi.exact &&
              fmpz_bits(fmpq_numref(lo.re)) < 40 && fmpz_bits(fmpq_numref(hi.re)) < 40 &&
              fmpz_is_one(fmpq_denref(lo.re)) && fmpz_is_one(fmpq_denref(hi.re));
    int64_t from = ok ? fmpz_get_si(fmpq_numref(lo.re)) : 0, to = ok ? fmpz_get_si(fmpq_numref(hi.re)) : -1;
    ok = ok && to - from < 40;
    for (int64_t i = from; i <= to && ok; i++) ok = test(tree_put(sum->arg[3], sum->arg[0]->sym, INT(i)), p);
    value_clear(&lo);
    value_clear(&hi);
    return ok;
}

/* A whole number, or nearly, by arithmetic that rounds: floor may fall on either side. */
static bool is_brink(const tree *u, const point *p) {
    value v;
    acb_t z;
    arf_t n;
    value_init(&v);
    acb_init(z);
    arf_init(n);
    double off = 0;
    if (!surely_integer(u) && evaluate(&v, u, p, DIGITS60) == DEFINED) {
        value_ball(z, &v, DIGITS60);
        arf_mul_2exp_si(arb_midref(acb_realref(z)), arb_midref(acb_realref(z)), 1);
        arf_floor(n, arb_midref(acb_realref(z)));
        arf_sub(n, arb_midref(acb_realref(z)), n, 60, ARF_RND_NEAR); /* nearly a half is left out with it */
        off = arf_get_d(n, ARF_RND_NEAR);
    }
    value_clear(&v);
    acb_clear(z);
    arf_clear(n);
    return !surely_integer(u) && (off < 1e-9 || off > 1 - 1e-9);
}

/* Every part is of moderate size, those under sums at each index. */
static bool moderate(const tree *t, const point *p) {
    value v;
    value_init(&v);
    bool ok = is_statement(t) || t->op == EXPR_SYM ||
              (evaluate(&v, t, p, DIGITS60) == DEFINED && has_moderate_size(&v));
    value_clear(&v);
    if (ok && t->op == EXPR_FLOOR && is_brink(t->arg[0], p)) return false;
    if (ok && t->op == EXPR_SUM) return at_each_index(t, p, moderate);
    for (int i = 0; i < t->n && ok && t->op != EXPR_PIECE; i++) ok = moderate(t->arg[i], p);
    return ok;
}

static bool is_short_dyadic(const fmpq_t x) {
    return fmpz_bits(fmpq_numref(x)) < 40 && fmpz_val2(fmpq_denref(x)) + 1 == fmpz_bits(fmpq_denref(x));
}

/* Undefined in floating point as well: what the undefined parts are made of is exact there, so that no rounding hides a pole. */
static bool plainly_undefined(const tree *t, const point *p) {
    value v;
    if (t->op == EXPR_SYM) return true;
    value_init(&v);
    found f = is_statement(t) ? UNDEFINED : evaluate(&v, t, p, DIGITS60);
    bool ok = f == DEFINED ? v.exact && is_short_dyadic(v.re) && is_short_dyadic(v.im) : f == UNDEFINED;
    value_clear(&v);
    for (int i = t->op == EXPR_SUM; i < (t->op == EXPR_SUM ? 3 : t->n) && ok && f == UNDEFINED; i++)
        ok = plainly_undefined(t->arg[i], p);
    return ok && (f == DEFINED || t->op != EXPR_SUM || at_each_index(t, p, plainly_undefined));
}

outcome judge_evaluate(text *why, const hunt_case *c, lua_State *L) {
    point p, q;
    value v, w;
    acb_t x, y, z;
    bool finite;
    outcome o = WAS_VALUE;
    point_init(&p);
    point_init(&q);
    value_init(&v);
    value_init(&w);
    acb_init(x), acb_init(y), acb_init(z);
    for (int s = 0; s < S_FAMILY; s++) {
        fmpq_set_si(p.v[s].re, quarter(c, s), 4);
        if (symbols[s].kind == EXPR_COMPLEX) fmpq_set_si(p.v[s].im, 1, 2);
        p.given[s] = true;
    }
    for (int s = S_FAMILY; s < NSYM; s++)
        for (int i = 0; i < 4; i++) {
            fmpq_set_si(v.re, i + 1, 1);
            point_member(&p, s, i, &v);
        }
    p.only_given = true;
    found f = evaluate(&v, c->part[0], &p, DIGITS60);
    point_copy(&q, &p); /* a value that moves much when the symbols do is not held against rounding */
    for (int s = 0; s < S_N; s++)
        fmpq_set_si(q.v[s].re, quarter(c, s) * 100000000 + 1 + (quarter(c, s) == 0), 400000000);
    if (!number_at(x, L, &finite)) {
        if (f == DEFINED) o = fault(why, "evaluate gives no number");
    } else if (f == UNDEFINED && finite && plainly_undefined(c->part[0], &p))
        o = fault(why, "evaluate gives %g where the formula is undefined",
                  arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR));
    else if (f == DEFINED) {
        value_ball(y, &v, DIGITS60);
        bool calm = moderate(c->part[0], &p) && evaluate(&w, c->part[0], &q, DIGITS60) == DEFINED;
        if (calm) value_ball(z, &w, DIGITS60), calm = !apart(y, z, 10, DIGITS60);
        arf_t big;
        arf_init_set_si(big, 1000000);
        calm = calm && arf_cmpabs(arb_midref(acb_realref(y)), big) < 0;
        if (calm && !finite) o = fault(why, "evaluate gives no finite number; the value is finite");
        else if (calm && apart(x, y, 10, DIGITS60))
            o = fault(why, "evaluate gives %g; the value is %g",
                      arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR),
                      arf_get_d(arb_midref(acb_realref(y)), ARF_RND_NEAR));
        arf_clear(big);
    }
    acb_clear(x), acb_clear(y), acb_clear(z);
    value_clear(&v);
    value_clear(&w);
    point_clear(&p);
    point_clear(&q);
    return o;
}
