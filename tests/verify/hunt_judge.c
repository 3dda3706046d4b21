/* hunt_judge.c: is a verdict false? */
#include "hunt.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

outcome fault(text *why, const char *fmt, ...) {
    char line[2000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    why->n = 0;
    put(why, "%s", line);
    return WAS_FAULT;
}

const char *verdict_field(lua_State *L, int i, const char *name) {
    lua_getfield(L, i, name);
    const char *s = lua_tostring(L, -1);
    return s ? s : "";
}

#define PROVED_POINTS   30 /* at which a proof is tried */
#define MOST_CONDITIONS 40

static bool all_hold(const point *p, tree *const *where, int n) {
    for (int i = 0; i < n; i++)
        if (truth_at(where[i], p) != IS_TRUE) return false;
    return true;
}

/* The conditions printed with a proof do not hold there, so that it says nothing of the point. */
static bool excluded(const point *p, tree *const *condition, int n) {
    for (int i = 0; i < n; i++)
        if (truth_at(condition[i], p) == IS_FALSE) return true;
    return false;
}

bool left_out(lua_State *L, int at, const point *p) {
    tree *condition[MOST_CONDITIONS];
    int n = read_conditions(verdict_field(L, at, "conditions"), condition, MOST_CONDITIONS);
    return n > 0 && excluded(p, condition, n);
}

/* Values of at most 10 in size: there two numbers that agree to 1000 digits are one, though no exponential of an exponential
 * is asked; beyond, tanh(10000) is 1 to 1000 digits and less than 1. */
static bool is_near(const point *p) {
    bool near = true;
    arf_t most;
    acb_t z;
    arf_init_set_si(most, 10);
    acb_init(z);
    for (int s = 0; s < S_FAMILY && near; s++) {
        value_ball(z, &p->v[s], DIGITS60);
        near = !p->given[s] || (arf_cmpabs(arb_midref(acb_realref(z)), most) <= 0 &&
                                arf_cmpabs(arb_midref(acb_imagref(z)), most) <= 0);
    }
    arf_clear(most);
    acb_clear(z);
    return near;
}

static bool false_at(tree *s, const point *p) {
    truth t = truth_at(s, p);
    return t == IS_FALSE ||
           (t == AGREES && (s->op == EXPR_LT || s->op == EXPR_GT || s->op == EXPR_NE) && is_near(p));
}

/* One side is defined there and the other is not. */
static bool lopsided(tree *s, const point *p) {
    if (truth_at(s, p) != IS_UNDEFINED) return false;
    value v;
    value_init(&v);
    found l = evaluate(&v, s->arg[0], p, DIGITS60), r = evaluate(&v, s->arg[1], p, DIGITS60);
    value_clear(&v);
    return (l == DEFINED && r == UNDEFINED) || (l == UNDEFINED && r == DEFINED);
}

static outcome judge_proved(text *why, lua_State *L, int at, tree *s, tree *const *where, int nwhere) {
    tree *about[16] = {s}, *condition[MOST_CONDITIONS];
    int nabout = 1, n = -2;
    point p;
    outcome o = WAS_PROVED;
    for (int i = 0; i < nwhere; i++) about[nabout++] = where[i];
    point_init(&p);
    for (int k = 0; k < PROVED_POINTS && o != WAS_FAULT; k++) {
        point_draw(&p, (const tree *const *)about, nabout);
        bool undefined = o == WAS_PROVED && lopsided(s, &p);
        if ((!undefined && !false_at(s, &p)) || !all_hold(&p, where, nwhere)) continue;
        const char *printed = verdict_field(L, at, "conditions");
        if (n == -2) n = read_conditions(printed, condition, MOST_CONDITIONS);
        if (n > 0 && excluded(&p, condition, n)) continue;
        text where_false = {0};
        point_text(&where_false, &p, (const tree *const *)about, nabout);
        o = fault(why, "%s %s; but %s at %s", verdict_field(L, at, "strength"), printed,
                  undefined ? "one side is undefined" : "false", where_false.s ? where_false.s : "once");
        if (undefined) o = WAS_LOOSE;
        free(where_false.s);
    }
    point_clear(&p);
    return o;
}

static bool cannot_be(tree *s, const point *p) {
    truth t = truth_at(s, p);
    bool strict = s->op == EXPR_LT || s->op == EXPR_GT || s->op == EXPR_NE;
    return t == IS_TRUE || t == IS_UNDEFINED || (t == AGREES && !strict);
}

/* where fails at the point. Of symbols that stand in where alone the witness says nothing: not held against it. */
static bool breaks(const point *p, tree *const *where, int n) {
    for (int i = 0; i < n; i++) {
        bool given = true;
        for (int s = 0; s < NSYM; s++)
            given = given && (!has_sym(where[i], s) || s >= S_FAMILY || p->given[s]);
        truth t = truth_at(where[i], p);
        if (given && (t == IS_FALSE || t == IS_UNDEFINED)) return true;
    }
    return false;
}

static outcome judge_refuted(text *why, lua_State *L, int at, tree *s, tree *const *where, int nwhere) {
    const char *witness = verdict_field(L, at, "witness");
    point p;
    outcome o = WAS_REFUTED;
    point_init(&p);
    const char *w = strncmp(witness, "left side", 9) ? witness : "";
    if (!*witness) o = fault(why, "refuted without a witness");
    else if (!point_read(&p, w)) o = fault(why, "refuted; the witness cannot be read: %s", witness);
    else if (cannot_be(s, &p)) o = fault(why, "refuted at %s; but it is not false there", witness);
    else if (breaks(&p, where, nwhere)) o = fault(why, "refuted at %s; where does not hold there", witness);
    for (int i = 0; i < S_FAMILY && o == WAS_REFUTED; i++) {
        if (!p.given[i] || !p.v[i].exact) continue;
        bool integer = fmpz_is_one(fmpq_denref(p.v[i].re)) && fmpq_is_zero(p.v[i].im);
        expr_kind k = symbols[i].kind;
        if ((k != EXPR_COMPLEX && !fmpq_is_zero(p.v[i].im)) ||
            ((k == EXPR_INTEGER || k == EXPR_NATURAL) && !integer) ||
            ((k == EXPR_POSITIVE || k == EXPR_NATURAL) && fmpq_sgn(p.v[i].re) <= 0))
            o = fault(why, "refuted at %s; outside the assumptions", witness);
    }
    point_clear(&p);
    return o;
}

outcome judge_verdict(text *why, lua_State *L, int i, tree *s, tree *const *where, int nwhere) {
    const char *strength = verdict_field(L, i, "strength");
    if (!strcmp(strength, "proved") || !strcmp(strength, "certified"))
        return judge_proved(why, L, i, s, where, nwhere);
    if (!strcmp(strength, "refuted")) return judge_refuted(why, L, i, s, where, nwhere);
    put(why, "%s", verdict_field(L, i, "reason"));
    return WAS_UNKNOWN;
}
