/* hunt_certify.c: statements and enclosures over boxes. */
#include "hunt.h"
#include "hunt_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define F1(op, u) T1(EXPR_##op, u)
#define SAMPLES   40

/* ---- boxes: parts from `from` on are pairs of ends, in the order of the symbols of part 0 -------------------- */

static int box_symbols(const hunt_case *c, int *out) {
    int n = 0;
    for (int s = 0; s < S_FAMILY && n < 3; s++)
        if (has_sym(c->part[0], s)) out[n++] = s;
    return n;
}

void box_ends(const hunt_case *c, int k, int sym, fmpq_t lo, fmpq_t hi) {
    int64_t a = c->number[2 * (k % 3)], w = llabs(c->number[2 * (k % 3) + 1]);
    expr_kind kind = symbols[sym].kind;
    if (kind == EXPR_POSITIVE || kind == EXPR_NATURAL) a = llabs(a) + 1;
    bool whole = kind == EXPR_INTEGER || kind == EXPR_NATURAL;
    fmpq_set_si(lo, a, whole ? 1 : 2);
    fmpq_set_si(hi, a + w, whole ? 1 : 2);
}

void put_rational(text *t, const fmpq_t q) {
    put(t, "rat(%" PRId64 ", %" PRId64 ")", (int64_t)fmpz_get_si(fmpq_numref(q)),
        (int64_t)fmpz_get_si(fmpq_denref(q)));
}

static void put_box(text *t, const hunt_case *c) {
    int s[3], n = box_symbols(c, s);
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    put(t, "{");
    for (int k = 0; k < n; k++) {
        box_ends(c, k, s[k], lo, hi);
        put(t, "%s%s = {", k ? ", " : "", symbols[s[k]].name);
        put_rational(t, lo);
        put(t, ", ");
        put_rational(t, hi);
        put(t, "}");
    }
    put(t, "}");
    fmpq_clear(lo);
    fmpq_clear(hi);
}

/* A point of the box: an end, a sixteenth of the way, an integer inside. */
static void draw_in_box(point *p, const hunt_case *c) {
    int s[3], n = box_symbols(c, s);
    fmpq_t lo, hi;
    fmpz_t z;
    fmpq_init(lo);
    fmpq_init(hi);
    fmpz_init(z);
    for (int k = 0; k < n; k++) {
        value *v = &p->v[s[k]];
        box_ends(c, k, s[k], lo, hi);
        p->given[s[k]] = v->exact = true;
        fmpq_zero(v->im);
        fmpq_sub(v->re, hi, lo);
        fmpz_mul_si(fmpq_numref(v->re), fmpq_numref(v->re), one_in(4) ? 16 * below(2) : below(17));
        fmpz_mul_si(fmpq_denref(v->re), fmpq_denref(v->re), 16);
        fmpq_canonicalise(v->re);
        fmpq_add(v->re, v->re, lo);
        if (fmpz_is_one(fmpq_denref(lo)) &&
            (one_in(3) || symbols[s[k]].kind == EXPR_INTEGER || symbols[s[k]].kind == EXPR_NATURAL)) {
            fmpz_fdiv_q(z, fmpq_numref(v->re), fmpq_denref(v->re));
            fmpq_set_fmpz(v->re, z);
        }
    }
    fmpq_clear(lo);
    fmpq_clear(hi);
    fmpz_clear(z);
}

static bool in_box(const point *p, const hunt_case *c) {
    int s[3], n = box_symbols(c, s);
    bool in = true;
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    for (int k = 0; k < n; k++) {
        box_ends(c, k, s[k], lo, hi);
        const value *v = &p->v[s[k]];
        in = in && p->given[s[k]] &&
             (!v->exact || (fmpq_cmp(lo, v->re) <= 0 && fmpq_cmp(v->re, hi) <= 0 && fmpq_is_zero(v->im)));
    }
    fmpq_clear(lo);
    fmpq_clear(hi);
    return in;
}

void draw_numbers(hunt_case *c) {
    for (int i = 0; i < 6; i++) c->number[i] = i % 2 ? between(0, 8) : between(-8, 8);
}

static void
free_of_members(hunt_case *c) { /* a box names symbols only; an unbound index of another case stays away */
    for (int f = S_FAMILY; f < NSYM; f++)
        if (has_sym(c->part[0], f))
            c->part[0] =
                is_statement(c->part[0]) ? T2(c->part[0]->op, T_sym(S_X), INT(1)) : F1(SIN, T_sym(S_X));
}

tree *poked(tree *x) {
    tree *c = T_rat(between(-8, 8), 2), *u = SUB(x, c);
    switch (below(9)) {
    case 0: return DIV(INT(1), u);
    case 1: return F1(SQRT, u);
    case 2: return F1(LOG, u);
    case 3: return F1(ABS, u);
    case 4: return F1(FLOOR, u);
    case 5: return POW(u, T_rat(between(-3, 3), between(1, 3)));
    case 6: return T_piece(T2(one_in(2) ? EXPR_EQ : EXPR_LT, x, c), INT(1), INT(0));
    case 7: return DIV(F1(SIN, u), u);
    default: return F1(TAN, u);
    }
}

/* (…)/(x − c), which has a limit at c, or seems to. */
tree *hollow(tree *x) {
    tree *c = T_rat(between(-8, 8), 2), *u = SUB(x, c);
    switch (below(7)) {
    case 0: return DIV(POW(u, INT(2)), u);
    case 1: return DIV(SUB(F1(EXP, u), INT(1)), u);
    case 2: return DIV(SUB(INT(1), F1(COS, u)), POW(u, INT(between(1, 3))));
    case 3: return DIV(SUB(POW(x, INT(2)), POW(c, INT(2))), u);
    case 4: return DIV(F1(ABS, u), u);
    case 5: return DIV(u, SUB(F1(EXP, u), INT(1)));
    default: return DIV(F1(SIN, MUL(INT(between(1, 3)), u)), MUL(u, one_in(3) ? F1(COS, u) : INT(1)));
    }
}

/* ---- certify -------------------------------------------------------------------------------------------------- */

void make_certify(hunt_case *c) {
    tree *s = some_inequality(), *x = T_sym(one_in(4) ? S_N : one_in(4) ? S_K : S_X);
    if (one_in(3))
        s = T2((expr_op)(EXPR_NE + below(5)), poked(x),
               one_in(2) ? INT(between(-4, 4)) : ADD(x, INT(between(-3, 3))));
    c->part[0] = s;
    c->n = 1;
    free_of_members(c);
    draw_numbers(c);
}

void ask_certify(text *t, const hunt_case *c) {
    put(t, "certify(");
    put_tree(t, c->part[0]);
    put(t, ", ");
    put_box(t, c);
    put(t, ", {boxes = 300})");
}

outcome judge_certify(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength");
    bool holds = !strcmp(strength, "certified") || !strcmp(strength, "proved");
    tree *s = c->part[0];
    point p;
    outcome o = holds ? WAS_PROVED : WAS_UNKNOWN;
    point_init(&p);
    if (!strcmp(strength, "refuted")) {
        o = judge_verdict(why, L, 1, s, NULL, 0);
        if (o == WAS_REFUTED && point_read(&p, verdict_field(L, 1, "witness")) && !in_box(&p, c))
            o = fault(why, "refuted at %s; outside the box", verdict_field(L, 1, "witness"));
    }
    for (int k = 0; k < SAMPLES && holds && o == WAS_PROVED; k++) {
        draw_in_box(&p, c);
        truth t = truth_at(s, &p);
        if (t != IS_FALSE && t != IS_UNDEFINED &&
            !(t == AGREES && (s->op == EXPR_LT || s->op == EXPR_GT || s->op == EXPR_NE)))
            continue;
        if (t == IS_UNDEFINED && left_out(L, 1, &p)) continue;
        text at = {0};
        point_text(&at, &p, (const tree *const *)c->part, 1);
        o = fault(why, "%s; but %s at %s", strength, t == IS_UNDEFINED ? "undefined" : "false",
                  at.s ? at.s : "once");
        free(at.s);
    }
    point_clear(&p);
    return o;
}

/* ---- bounds, enclose -------------------------------------------------------------------------------------------- */

void make_bounds(hunt_case *c) {
    tree *x = T_sym(S_X), *y = T_sym(one_in(2) ? S_Y : S_N);
    tree *t = one_in(3)   ? poked(x)
              : one_in(4) ? MUL(hollow(x), one_in(2) ? y : INT(2))
              : one_in(2) ? some_term(2, WANT_REAL)
                          : ADD(MUL(SUB(x, INT(1)), y), poked(x));
    c->part[0] = one_in(3) ? MUL(t, F1(COS, x)) : t;
    c->n = 1;
    free_of_members(c);
    draw_numbers(c);
}

void ask_bounds(text *t, const hunt_case *c) {
    put(t,
        "(function(r) return r.min.lower, r.min.upper, r.max.lower, r.max.upper, r.verdict.strength, r.verdict end)(bounds(");
    put_tree(t, c->part[0]);
    put(t, ", ");
    put_box(t, c);
    put(t, ", {boxes = 300}))");
}

int beside(const value *v, double lo, double hi) {
    acb_t z;
    arb_t l, h;
    acb_init(z);
    arb_init(l);
    arb_init(h);
    value_ball(z, v, DIGITS60);
    arb_set_d(l, lo);
    arb_set_d(h, hi);
    int r = arb_lt(acb_realref(z), l) ? -1 : arb_gt(acb_realref(z), h) ? 1 : 0;
    acb_clear(z);
    arb_clear(l);
    arb_clear(h);
    return r;
}

outcome judge_bounds(text *why, const hunt_case *c, lua_State *L) {
    point p;
    value v;
    outcome o = WAS_VALUE;
    double lo = lua_tonumber(L, 1), hi = lua_tonumber(L, 4);
    bool sure = !strcmp(lua_tostring(L, 5) ? lua_tostring(L, 5) : "", "certified");
    point_init(&p);
    value_init(&v);
    for (int k = 0; k < SAMPLES && o == WAS_VALUE; k++) {
        draw_in_box(&p, c);
        found f = evaluate(&v, c->part[0], &p, DIGITS60);
        text at = {0};
        point_text(&at, &p, (const tree *const *)c->part, 1);
        if (f == UNDEFINED && sure && !left_out(L, 6, &p))
            o = fault(why, "bounds certified; but undefined at %s", at.s);
        else if (f == DEFINED && beside(&v, lo, hi))
            o = fault(why, "bounds %.17g … %.17g; but outside at %s", lo, hi, at.s);
        free(at.s);
    }
    value_clear(&v);
    point_clear(&p);
    return o;
}

static void put_point(text *t, const hunt_case *c) {
    int n = 0;
    put(t, "{");
    for (int s = 0; s < S_FAMILY; s++) {
        expr_kind k = symbols[s].kind;
        int64_t v = c->number[s % 6];
        if (k == EXPR_POSITIVE || k == EXPR_NATURAL) v = llabs(v) + 1;
        if (has_sym(c->part[0], s) && k != EXPR_COMPLEX)
            put(t, "%s%s = rat(%" PRId64 ", %d)", n++ ? ", " : "", symbols[s].name, v,
                k == EXPR_INTEGER || k == EXPR_NATURAL ? 1 : 4);
    }
    put(t, "}");
}

void ask_enclose(text *t, const hunt_case *c) {
    put(t, "(function(r, q) return r.lower, r.upper, q and q.lower, q and q.upper end)(enclose(");
    put_tree(t, c->part[0]);
    put(t, ", ");
    put_point(t, c);
    put(t, "))");
}

outcome judge_enclose(text *why, const hunt_case *c, lua_State *L) {
    point p;
    value v;
    outcome o = WAS_VALUE;
    point_init(&p);
    value_init(&v);
    for (int s = 0; s < S_FAMILY; s++) {
        expr_kind k = symbols[s].kind;
        int64_t n = c->number[s % 6];
        if (k == EXPR_POSITIVE || k == EXPR_NATURAL) n = llabs(n) + 1;
        p.given[s] = k != EXPR_COMPLEX;
        fmpq_set_si(p.v[s].re, n, k == EXPR_INTEGER || k == EXPR_NATURAL ? 1 : 4);
    }
    found f = evaluate(&v, c->part[0], &p, DIGITS60);
    double lo = lua_tonumber(L, 1), hi = lua_tonumber(L, 2);
    if (f == UNDEFINED) o = fault(why, "enclosed in %.17g … %.17g; but undefined", lo, hi);
    else if (f == DEFINED && beside(&v, lo, hi))
        o = fault(why, "enclosed in %.17g … %.17g; but outside", lo, hi);
    value_clear(&v);
    point_clear(&p);
    return o;
}
