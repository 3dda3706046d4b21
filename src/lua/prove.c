/* prove.c: the prover at the prompt. */
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "verify/prove.h"
#include "verify/subject.h"
#include "verify/told.h"

#define MAX_WHERE 32

/* Reads `statement` or `lhs, rhs` from stack index 1; the statement then stands at 1. Returns the index of what follows. */
static int read_statement(lua_State *L, const char *who) {
    ph_err err;
    expr_node *l = bind_expr_operand(L, 1, who, "the statement");
    if (expr_is_statement(l)) return 2;
    if (lua_gettop(L) < 2 || (lua_istable(L, 2) && !bind_test_expr(L, 2)))
        bind_raisef(L, "%s: one formula says nothing; wanted %s(lhs, rhs) or a statement such as eq(a, b)",
                    who, who);
    expr_node *r = bind_expr_operand(L, 2, who, "the right side");
    if (expr_is_statement(r)) bind_raisef(L, "%s: the right side is a statement; wanted a formula", who);
    expr_node **box = bind_new_expr(L);
    if (expr_make2(box, EXPR_EQ, l, r, &err) != PH_OK) bind_raise(L, &err);
    lua_replace(L, 1);
    return 3;
}

/* Has the table at i no other keys than 1 to n? */
static bool is_list(lua_State *L, int i, int n) {
    i = lua_absindex(L, i);
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) n--;
    return n == 0;
}

/* {where = statement or {statements…}} at i; the nodes stay alive in the table. */
static ver_assume read_assume(lua_State *L, int i, const char *who, expr_node **store) {
    static const char *const names[] = {"where", "tries", "caption", NULL};
    ver_assume a = {store, 0};
    if (lua_gettop(L) > i)
        bind_raisef(L, "%s: %d arguments; after a statement only the options", who, lua_gettop(L));
    if (lua_isnoneornil(L, i)) return a;
    if (!lua_istable(L, i))
        bind_raise_arg(L, i, who, "the last argument", "options such as {where = ge(x, 0)}");
    bind_check_options(L, i, who, names);
    if (lua_getfield(L, i, "where") == LUA_TNIL) return a;
    bind_refuse_boolean(L, -1, who, "where");
    if (bind_test_expr(L, -1)) store[a.nwhere++] = bind_test_expr(L, -1);
    else if (!lua_istable(L, -1)) a.nwhere = -1;
    else {
        for (int k = 1; lua_rawgeti(L, -1, k) != LUA_TNIL; k++, lua_pop(L, 1)) {
            bind_refuse_boolean(L, -1, who, "a statement of where");
            if (a.nwhere == MAX_WHERE) bind_raisef(L, "%s: more than %d assumptions", who, MAX_WHERE);
            store[a.nwhere++] = bind_test_expr(L, -1);
        }
        lua_pop(L, 1);
        if (!is_list(L, -1, a.nwhere)) a.nwhere = -1;
    }
    for (int k = 0; k < a.nwhere; k++)
        if (!store[k] || !expr_is_statement(store[k])) a.nwhere = -1;
    if (a.nwhere < 0) bind_raisef(L, "%s: where: wanted statements such as {ge(x, 0)}", who);
    return a;
}

static int prove(lua_State *L) {
    ph_err err;
    expr_node *store[MAX_WHERE];
    bind_check_count(L, "prove", 1, 3);
    int next = read_statement(L, "prove");
    ver_assume a = read_assume(L, next, "prove", store);
    ver_verdict *v = bind_new_verdict(L);
    if (ver_prove_where_real(v, bind_test_expr(L, 1), &a, &err) != PH_OK) return bind_raise(L, &err);
    bind_caption(L, -1, next, "prove");
    return 1;
}

static int counterexample(lua_State *L) {
    ph_err err;
    expr_node *store[MAX_WHERE];
    int tries = 0;
    bind_check_count(L, "counterexample", 1, 3);
    int next = read_statement(L, "counterexample");
    ver_assume a = read_assume(L, next, "counterexample", store);
    if (!lua_isnoneornil(L, next) && lua_getfield(L, next, "tries") != LUA_TNIL)
        tries = (int)bind_check_int(L, -1, "counterexample", "tries", 1, 1000000);
    ver_verdict *v = bind_new_verdict(L);
    if (ver_counterexample(v, bind_test_expr(L, 1), &a, tries, &err) != PH_OK) return bind_raise(L, &err);
    bind_caption(L, -1, next, "counterexample");
    return 1;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

const ver_verdict **bind_read_verdicts(lua_State *L, int i, const char *who, int *n) {
    lua_Integer count = (lua_Integer)lua_rawlen(L, i);
    if (count > INT32_MAX) bind_raisef(L, "%s: too many parts", who);
    const ver_verdict **part = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *part, 0);
    for (lua_Integer k = 1; k <= count; k++, lua_pop(L, 1)) {
        lua_rawgeti(L, i, k);
        part[k - 1] = luaL_testudata(L, -1, "phasor.Verdict");
        if (!part[k - 1]) bind_raisef(L, "%s: part %d is no verdict", who, (int)k);
    }
    *n = (int)count;
    return part;
}

/* join(statement, {verdicts}, options): one proof of many entries, with the largest size and the conditions of all. */
int bind_join_proofs(lua_State *L) {
    ph_err err;
    int n;
    lua_settop(L, 3);
    ver_verdict *all = bind_new_verdict(L);
    const ver_verdict **part = bind_read_verdicts(L, 2, "prove", &n);
    ph_status st = ver_trust_parts(all, part, n, &err);
    for (int i = 0; i < n && !st; i++) st = ver_tell_also(all, part[i], &err);
    if (!st)
        st = ver_set(&all->method, &err, "%s; each of %d entries", part[0]->method ? part[0]->method : "", n);
    if (!st) st = ver_set(&all->statement, &err, "%s", lua_tostring(L, 1));
    if (st != PH_OK) return bind_raise(L, &err);
    lua_pop(L, 1);
    bind_caption(L, -1, 3, "prove");
    return 1;
}

/* ---- mutants ------------------------------------------------------------------------------------------- */

/* The first undecided mutants, in words; gathered without a Lua call. */
typedef struct {
    char text[800];
    size_t n;
} undecided;

static void note(void *ctx, const char *what, const ver_verdict *v) {
    undecided *u = ctx;
    if (v->strength != VER_UNKNOWN || v->reason == VER_DOMAIN) return;
    size_t k = strlen(what);
    if (u->n + k + 3 > sizeof u->text) return;
    if (u->n) memcpy(u->text + u->n, "; ", 2), u->n += 2;
    memcpy(u->text + u->n, what, k + 1);
    u->n += k;
}

static void set_count(lua_State *L, const char *name, int64_t n) {
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, name);
}

static int push_report(lua_State *L, const ver_mutants_report *r, const undecided *u) {
    lua_createtable(L, 0, 10);
    lua_pushstring(L, ver_strength_name(r->original));
    lua_setfield(L, -2, "original");
    set_count(L, "total", r->total);
    set_count(L, "refuted", r->refuted);
    set_count(L, "equivalent", r->equivalent);
    set_count(L, "undecided", r->undecided);
    set_count(L, "undefined", r->undefined);
    set_count(L, "untried", r->untried);
    if (u->n) {
        lua_pushstring(L, u->text);
        lua_setfield(L, -2, "undecided_ones");
    }
    return 1;
}

/* Pushes a formula's text, whole. */
static void push_formula(lua_State *L, const expr_node *e) {
    ph_err err;
    char **text = bind_new_text(L);
    (void)bind_give_text(L, text, expr_text(text, e, 0, &err), &err);
    lua_remove(L, -2);
}

#define MUTANTS 300 /* of a verdict; of one long formula there may be thousands */

/* mutants(verdict [, {but = {text = true}}]): those of all that it proved, without the statements that `but` names; others: how many these
 * are. statements: what was changed. */
static int mutants_of(lua_State *L, const ver_verdict *v) {
    static const char *const names[] = {"but", NULL};
    ph_err err;
    ver_mutants_report r;
    undecided u = {.n = 0};
    u.text[0] = 0;
    bind_check_count(L, "mutants", 1, 2);
    if (v->strength != VER_PROVED) return bind_raisef(L, "mutants: only a proved verdict has mutants");
    const ver_subject *subject = v->subject;
    int n = subject ? subject->statements.n : 0, others = 0;
    lua_settop(L, 2);
    bool *but = lua_newuserdatauv(L, (size_t)n * sizeof *but + 1, 0);
    for (int k = 0; k < n; k++) but[k] = false;
    if (!lua_isnil(L, 2)) {
        if (!lua_istable(L, 2))
            bind_raise_arg(L, 2, "mutants", "the last argument", "options such as {but = {}}");
        bind_check_options(L, 2, "mutants", names);
        lua_getfield(L, 2, "but");
        if (!lua_istable(L, 4)) bind_raise_arg(L, 4, "mutants", "but", "a table whose keys are statements");
        for (int k = 0; k < n; k++, lua_settop(L, 4)) {
            push_formula(L, subject->statements.item[k]);
            others += but[k] = lua_getfield(L, 4, lua_tostring(L, 5)) != LUA_TNIL;
        }
    }
    if (ver_mutants_of(&r, v, but, MUTANTS, note, &u, &err) != PH_OK) return bind_raise(L, &err);
    push_report(L, &r, &u);
    set_count(L, "others", others);
    lua_newtable(L);
    for (int k = 0, at = 0; k < n; k++)
        if (!but[k]) {
            push_formula(L, subject->statements.item[k]);
            lua_rawseti(L, -2, ++at);
        }
    lua_setfield(L, -2, "statements");
    return 1;
}

static int mutants(lua_State *L) {
    expr_node *store[MAX_WHERE];
    ph_err err;
    ver_mutants_report r;
    undecided u = {.n = 0};
    u.text[0] = 0;
    const ver_verdict *v = luaL_testudata(L, 1, "phasor.Verdict");
    if (v) return mutants_of(L, v);
    bind_check_count(L, "mutants", 1, 3);
    int next = read_statement(L, "mutants");
    ver_assume a = read_assume(L, next, "mutants", store);
    expr_node *s = bind_test_expr(L, 1);
    if (!expr_is_statement(s)) return bind_raisef(L, "mutants: wanted a statement");
    if (ver_mutants(&r, s, &a, note, &u, &err) != PH_OK) return bind_raise(L, &err);
    push_report(L, &r, &u);
    push_formula(L, s);
    lua_setfield(L, -2, "statement");
    return 1;
}

static const bind_row rows[] = {
    {.name = "# proofs"},
    {"prove", prove, "lhs, rhs [, {where=, caption=}]",
     "Decides whether lhs = rhs for all values of the symbols; or a statement.\n"
     "lhs, rhs: formulas; or one statement: prove(ge(f, g)). where: statements assumed, such as {ge(x, 0)}.\n"
     "The verdict is proved (by an exact normal form; conditions such as x != 0 are said), refuted (with a "
     "rational point at which balls exclude equality) or unknown (with its reason: outside the theory, out "
     "of budget, undefined).\n"
     "Exact for: trigonometric and exponential identities in real symbols, fractions, powers of positive "
     "symbols, roots, sums over symbolic bounds by the general summand or by induction; inequalities by sums "
     "of squares, real roots, monotonicity. An order is asked where its sides are real: le(log(x), x - 1) "
     "where x > 0.",
     "a, b = sym \"a b\"\n"
     "prove(cos(a - b), cos(b - a))  --> proved for all real a, b; 2 terms\n"
     "prove(sin(a + b), sin(a)*cos(b) - cos(a)*sin(b)).strength  --> refuted\n"
     "x = sym \"x\"\n"
     "prove(x/x, 1).conditions  --> for all real x with x != 0\n"
     "prove(ge(x^2 + 1, 2*x)).strength  --> proved"},
    {"counterexample", counterexample, "lhs, rhs [, {where=, tries=, caption=}]",
     "Looks for a rational point at which a statement is false.\n"
     "As prove, but it only searches: refuted with the point, or unknown. tries: how many points (400).",
     "x = sym \"x\"\ncounterexample(sqrt(x^2), x).strength  --> refuted\ncounterexample(x + x, 2*x).strength "
     " --> unknown"},
    {"mutants", mutants, "lhs, rhs [, {where=}]",
     "Changes a true formula in every small way and judges each change.\n"
     "Or of one statement; or mutants(v [, {but=}]) of a proved verdict: of all its statements that are no key of but, 300 at most, spread evenly; "
     "untried counts those left out. Of an inequality the sides are exchanged, too; many of its mutants are true. "
     "Signs, sin and cos, constants and indices by one, factors of two, swapped symbols, dropped operands: a "
     "check worth having refutes each, or proves it equivalent (cos is even). A table: total = refuted + "
     "equivalent + undecided; undefined counts the changes that leave no formula; original: the strength of "
     "the formula unchanged, without which the rest says nothing; statement: what was changed.",
     "x = sym \"x\"\nm = mutants(sin(x)^2 + cos(x)^2, 1)\nm.total - m.refuted - m.equivalent  --> 0\nm.total "
     "> 20  --> true\nm.original, mutants(sin(x), cos(x)).original  --> proved\trefuted\n"
     "mutants(prove(sin(x)^2 + cos(x)^2, 1)).total == m.total  --> true"},
    {.name = NULL},
};

void bind_open_prove(lua_State *L) { bind_rows(L, rows); }
