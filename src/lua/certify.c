/* certify.c: ball arithmetic at the prompt: certify, enclose, integral, roots, bounds, monotone.
 *
 * No Lua call is made while numbers of the verifier are open; what it returns is put into a box that exists already.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/balls.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "verify/certify.h"

#define DIGITS 20

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* The symbol with this text in the formula at stack index 1; pushes it (it stays on the stack). */
static expr_node *find_symbol(lua_State *L, const char *name, const char *who) {
    lua_getfield(L, 1, "symbols");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    int t = lua_gettop(L);
    for (int k = 1; lua_rawgeti(L, t, k) != LUA_TNIL; k++, lua_pop(L, 1))
        if (!strcmp(luaL_tolstring(L, -1, NULL), name)) {
            lua_pop(L, 1);
            lua_replace(L, t);
            lua_settop(L, t);
            return bind_test_expr(L, t);
        } else lua_pop(L, 1);
    lua_settop(L, t - 1);
    bind_raisef(L, "%s: '%.60s' is no symbol of the formula", who, name);
    return NULL;
}

/* An end of a range: the value on top of the stack, which stays there as a formula. */
static expr_node *read_end(lua_State *L, const char *who, const char *what) {
    return bind_expr_operand(L, lua_gettop(L), who, what);
}

/* {from, to}, or one value, on top of the stack. */
static void read_range(lua_State *L, ver_range *r, const char *who, const char *name) {
    char what[96];
    int t = lua_gettop(L);
    snprintf(what, sizeof what, "the range of %s", name);
    if (!lua_istable(L, t) || bind_test_expr(L, t)) {
        r->lo = r->hi = read_end(L, who, what);
        return;
    }
    if (lua_rawlen(L, t) != 2) bind_raise_arg(L, t, who, what, "{from, to}, such as {0, rat(1, 2)}");
    lua_rawgeti(L, t, 1);
    r->lo = read_end(L, who, what);
    lua_rawgeti(L, t, 2);
    r->hi = read_end(L, who, what);
}

static int by_name(const void *a, const void *b) {
    const expr_node *x = ((const ver_range *)a)->sym, *y = ((const ver_range *)b)->sym;
    int c =
        strcmp(x->op == EXPR_AT ? x->arg[0]->name : x->name, y->op == EXPR_AT ? y->arg[0]->name : y->name);
    if (c || x->op != EXPR_AT || y->op != EXPR_AT) return c;
    return (x->arg[1]->num > y->arg[1]->num) - (x->arg[1]->num < y->arg[1]->num);
}

/* The ranges of the table at i for the formula at 1, sorted by name; their formulas stay on the stack. */
static ver_ranges read_box(lua_State *L, int i, const char *who, ver_range *store) {
    int n = 0;
    if (!lua_istable(L, i) || bind_test_expr(L, i))
        bind_raise_arg(L, i, who, "the box", "ranges such as {x = {0, 1}}");
    lua_pushnil(L);
    while (lua_next(L, i)) {
        if (n == VER_MAX_VARS) bind_raisef(L, "%s: more than %d ranges", who, VER_MAX_VARS);
        bind_reserve(L, 12);
        int key = lua_gettop(L) - 1;
        store[n].sym = bind_test_expr(L, key);
        if (!store[n].sym && lua_type(L, key) != LUA_TSTRING)
            bind_raise_arg(L, key, who, "a name in the box", "a symbol or its name, as in {x = {0, 1}}");
        if (store[n].sym && store[n].sym->op != EXPR_SYM && store[n].sym->op != EXPR_AT)
            bind_raise_arg(L, key, who, "a name in the box", "a symbol or its name, as in {x = {0, 1}}");
        luaL_tolstring(L, key, NULL);
        if (!store[n].sym) store[n].sym = find_symbol(L, lua_tostring(L, key), who);
        lua_pushvalue(L, key + 1);
        read_range(L, &store[n++], who, lua_tostring(L, key + 2));
        lua_pushvalue(L, key); /* for the next step; what was made stays below */
    }
    qsort(store, (size_t)n, sizeof *store, by_name);
    return (ver_ranges){store, n};
}

/* Is the value at i the number ∞ of that sign, which an integral may reach to? */
static bool is_infinite(lua_State *L, int i, int sign) {
    return lua_type(L, i) == LUA_TNUMBER && lua_tonumber(L, i) == sign * HUGE_VAL;
}

/* Called between two boxes: no Lua call may be made here, and none is. */
static void tell(void *ctx, int64_t done, int64_t left) {
    bind_state *s = ctx;
    char text[80];
    if (!bind_progress_due(s)) return;
    const char *format = s->lang == VER_ZH ? "已查 %lld 个区域，还剩 %lld 个" : "%lld boxes done, %lld wait";
    snprintf(text, sizeof text, format, (long long)done, (long long)left);
    bind_tell(s, text, (double)done / ((double)done + (double)left + 1));
}

/* Options at i, when there are any. */
static ver_budget read_budget(lua_State *L, int i, const char *who, const char *const *names) {
    ver_budget b = {.digits = DIGITS};
    bind_state *s = bind_state_of(L);
    bind_progress_begin(s);
    if (s->on_progress) b.on = tell, b.ctx = s;
    if (lua_isnoneornil(L, i)) return b;
    if (!lua_istable(L, i) || bind_test_expr(L, i))
        bind_raise_arg(L, i, who, "the last argument", "a table of options");
    bind_check_options(L, i, who, names);
    for (; *names; names++) {
        int64_t most = !strcmp(*names, "digits") ? VER_MAX_DIGITS : VER_MAX_BOXES;
        if (strcmp(*names, "digits") && strcmp(*names, "boxes") && strcmp(*names, "evaluations")) continue;
        if (lua_getfield(L, i, *names) != LUA_TNIL) {
            int64_t v = bind_check_int(L, -1, who, *names, 1, most);
            if (most == VER_MAX_DIGITS) b.digits = (int)v;
            else b.boxes = v;
        }
        lua_pop(L, 1);
    }
    return b;
}

/* f, x, a, b [, options] at 1 … 5. An infinite end, where there may be one, is NULL. */
static ver_range read_interval(lua_State *L, const char *who, bool infinite, const char *const *names,
                               ver_budget *b) {
    ver_range r;
    bind_check_count(L, who, 4, 5);
    *b = read_budget(L, 5, who, names);
    bind_expr_operand(L, 1, who, "the formula");
    r.lo = infinite && is_infinite(L, 3, -1) ? NULL : bind_expr_operand(L, 3, who, "the lower end");
    r.hi = infinite && is_infinite(L, 4, 1) ? NULL : bind_expr_operand(L, 4, who, "the upper end");
    if (lua_type(L, 2) == LUA_TSTRING) {
        r.sym = find_symbol(L, lua_tostring(L, 2), who);
        lua_replace(L, 2);
        r.sym = bind_test_expr(L, 2);
    } else r.sym = bind_test_expr(L, 2);
    if (!r.sym || (r.sym->op != EXPR_SYM && r.sym->op != EXPR_AT))
        bind_raise_arg(L, 2, who, "the variable", "a symbol");
    return r;
}

/* ---- the functions ------------------------------------------------------------------------------------- */

static int certify(lua_State *L) {
    static const char *const names[] = {"radius", "boxes", "caption", NULL};
    ph_err err;
    ver_range store[VER_MAX_VARS];
    expr_node *radius = NULL;
    bind_check_count(L, "certify", 2, 3);
    lua_settop(L, 3);
    expr_node *s = bind_expr_operand(L, 1, "certify", "the statement");
    ver_budget b = read_budget(L, 3, "certify", names);
    if (lua_istable(L, 3) && lua_getfield(L, 3, "radius") != LUA_TNIL)
        radius = bind_expr_operand(L, lua_gettop(L), "certify", "the radius");
    ver_ranges box = read_box(L, 2, "certify", store);
    ver_verdict *v = bind_new_verdict(L);
    if (ver_certify(v, s, &box, radius, &b, &err) != PH_OK) return bind_raise(L, &err);
    bind_caption(L, -1, 3, "certify");
    return 1;
}

static int monotone(lua_State *L) {
    static const char *const names[] = {"boxes", "caption", NULL};
    ph_err err;
    ver_budget b;
    ver_range x = read_interval(L, "monotone", false, names, &b);
    ver_verdict *v = bind_new_verdict(L);
    if (ver_monotone(v, bind_test_expr(L, 1), &x, &b, &err) != PH_OK) return bind_raise(L, &err);
    bind_caption(L, -1, 5, "monotone");
    return 1;
}

/* The balls at re and re + 1 have been filled; gives each the verdict at v. Returns how many results there are. */
static int give_values(lua_State *L, int re, int v) {
    ball *im = lua_touserdata(L, re + 1);
    for (int i = re; i <= re + (im->n != NULL); i++) {
        lua_pushvalue(L, v);
        lua_setiuservalue(L, i, 1);
    }
    lua_settop(L, re + (im->n != NULL));
    return im->n ? 2 : 1;
}

static bool has_symbols(lua_State *L) {
    lua_getfield(L, 1, "symbols");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    bool any = lua_rawlen(L, -1) > 0;
    lua_pop(L, 1);
    return any;
}

static int enclose(lua_State *L) {
    static const char *const names[] = {"digits", NULL};
    ph_err err;
    ver_range store[VER_MAX_VARS];
    ver_ranges point = {store, 0};
    bind_check_count(L, "enclose", 1, 3);
    lua_settop(L, 3);
    expr_node *f = bind_expr_operand(L, 1, "enclose", "the formula");
    if (lua_isnil(L, 3) && !lua_isnil(L, 2) && !has_symbols(L))
        lua_insert(L, 2); /* a constant needs no values */
    ver_budget b = read_budget(L, 3, "enclose", names);
    if (!lua_isnil(L, 2)) point = read_box(L, 2, "enclose", store);
    ver_verdict *v = bind_new_verdict(L);
    int at = lua_gettop(L);
    ball *re = bind_new_ball(L, b.digits), *im = bind_new_ball(L, b.digits);
    if (ver_enclose(&re->n, &im->n, v, f, &point, &b, &err) != PH_OK) return bind_raise(L, &err);
    return give_values(L, at + 1, at);
}

static int integral(lua_State *L) {
    static const char *const names[] = {"digits", "evaluations", NULL};
    ph_err err;
    ver_budget b;
    bind_turn_integral(L);
    ver_range x = read_interval(L, "integral", true, names, &b);
    bool options = !lua_isnoneornil(L, 5);
    if (bind_push_integral(L, x.sym, x.lo, x.hi)) {
        if (options)
            return bind_raisef(L,
                               "integral: the integral has a symbol besides %s and is a formula; digits and "
                               "evaluations are for its value, as in enclose(f, {a = 1}, {digits = 30})",
                               x.sym->name);
        return 1;
    }
    ver_verdict *v = bind_new_verdict(L);
    int at = lua_gettop(L);
    ball *re = bind_new_ball(L, b.digits), *im = bind_new_ball(L, b.digits);
    if (ver_integral(&re->n, &im->n, v, bind_test_expr(L, 1), &x, &b, &err) != PH_OK)
        return bind_raise(L, &err);
    return give_values(L, at + 1, at);
}

/* Owns the roots until each has a box. */
typedef struct {
    ver_number **item;
    int n;
} harvest;

static int harvest_gc(lua_State *L) {
    harvest *h = lua_touserdata(L, 1);
    ver_roots_free(h->item, h->n);
    *h = (harvest){0};
    return 0;
}

static int roots(lua_State *L) {
    static const char *const names[] = {"digits", "boxes", NULL};
    ph_err err;
    ver_budget b;
    ver_range x = read_interval(L, "roots", false, names, &b);
    ver_verdict *v = bind_new_verdict(L);
    int at = lua_gettop(L);
    harvest *h = bind_new_owner(L, sizeof *h, "phasor.certify.roots", harvest_gc);
    if (ver_roots(&h->item, &h->n, v, bind_test_expr(L, 1), &x, &b, &err) != PH_OK)
        return bind_raise(L, &err);
    lua_createtable(L, h->n, 1);
    for (int i = 0; i < h->n; i++) {
        ball *r = bind_new_ball(L, b.digits);
        r->n = h->item[i];
        h->item[i] = NULL;
        lua_pushvalue(L, at);
        lua_setiuservalue(L, -2, 1);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushvalue(L, at);
    lua_setfield(L, -2, "verdict");
    return 1;
}

static int bounds(lua_State *L) {
    static const char *const names[] = {"tolerance", "boxes", NULL};
    ph_err err;
    ver_range store[VER_MAX_VARS];
    double tolerance = 1e-6;
    bind_check_count(L, "bounds", 2, 3);
    lua_settop(L, 3);
    expr_node *f = bind_expr_operand(L, 1, "bounds", "the formula");
    ver_budget b = read_budget(L, 3, "bounds", names);
    if (lua_istable(L, 3) && lua_getfield(L, 3, "tolerance") != LUA_TNIL)
        tolerance = bind_check_num(L, lua_gettop(L), "bounds", "tolerance");
    ver_ranges box = read_box(L, 2, "bounds", store);
    lua_createtable(L, 0, 3);
    int t = lua_gettop(L);
    ver_verdict *v = bind_new_verdict(L);
    lua_setfield(L, t, "verdict");
    ball *lo = bind_new_ball(L, DIGITS);
    lua_setfield(L, t, "min");
    ball *hi = bind_new_ball(L, DIGITS);
    lua_setfield(L, t, "max");
    if (ver_bounds(&lo->n, &hi->n, v, f, &box, tolerance, &b, &err) != PH_OK) return bind_raise(L, &err);
    lua_settop(L, t);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# certificates"},
    {"certify", certify, "statement, {x = {from, to}, ...} [, {radius=, boxes=, caption=}]",
     "Judges a statement for every point of a box, by ball arithmetic.\n"
     "statement: ge(f, g) and the like; an equality holds up to a radius: certify(eq(f, g), box, "
     "{radius=rat(1, 1000)}). The box gives each symbol a range {from, to}, or one value; ends are exact: "
     "integers, rat(p, q), Pi/2. An integer symbol runs through the integers of its range. boxes: how many "
     "pieces may be looked at (20000).\n"
     "certified: true at every point, but for those that the line leaves out (with x != 0), where a quotient reads 0/0 and has "
     "a limit. proved: the sides touch, and an exact argument shows it under the conditions that are said. "
     "refuted: false at the exact point that is said. unknown: out of budget, with the piece where it failed; "
     "or undefined, with the point.",
     "x, y = sym \"x y\"\n"
     "certify(ge(x, sin(x)), {x = {0, 10}}).strength  --> certified\n"
     "certify(ge(x^2 + y^2, 2*x*y), {x = {0, 1}, y = {0, 1}}).strength  --> proved\n"
     "certify(ge(sin(x)/x, 0), {x = {0, 1}}).conditions:sub(-6)  --> x != 0\n"
     "certify(lt(x, 2), {x = {0, 3}}).witness:sub(1, 5)  --> x = 3\n"
     "certify(gt(1/x, -9), {x = {-1, 1}}).strength  --> unknown\n"
     "certify(lt(x, 2), {x = {0, 0.5}})  --> error: write rat(1, 2)"},
    {"monotone", monotone, "f, x, from, to [, {boxes=, caption=}]",
     "Is f increasing or decreasing in x from one end to the other?\n"
     "certified by the sign of the derivative; refuted with two points where that has opposite signs; or "
     "unknown.",
     "x = sym \"x\"\nmonotone(cos(x), x, 1, 3)  --> certified decreasing, x in [1, 3]; 2 boxes\n"
     "monotone(cos(x), x, 0, 4).strength  --> refuted"},
    {"enclose", enclose, "f [, {x = value, ...}] [, {digits=}]",
     "The value of a formula as a Ball that contains it, to any digits.\n"
     "Values are exact: integers, rat(p, q), formulas such as Pi/2. digits: 1 to 3000 (20). A value that is "
     "not real is two balls, its real and its imaginary part. An undefined one raises.",
     "x = sym \"x\"\nenclose(exp(rat(1)), {digits=25}):digits(25)  --> 2.718281828459045235360287\n"
     "enclose(sin(x), {x = Pi/6}):contains(rat(1, 2))  --> true\n"
     "enclose(1/x, {x = 0})  --> error: undefined"},
    {"integral", integral, "f, x, from, to [, {digits=, evaluations=}]",
     "The integral of a formula in one symbol, as a Ball that contains it.\n"
     "Quadrature whose error is bounded: kinks, jumps and branch cuts of the formula are found and cut at. "
     "Ends are exact, or math.huge and -math.huge, the greater one first as well. Where the formula is unbounded or undefined at an end or at "
     "points inside, and at infinity, the part next to the point is bounded by C·t^p; an integral that diverges raises, with "
     "the place, and so does one of which no such bound is known (those that converge by cancellation alone).\n"
     "digits: wanted (20); evaluations: how many of the formula are allowed (200000). Fewer digits than wanted make the "
     "verdict of the ball unknown; an integral without finite enclosure raises.\n"
     "With another symbol in the formula or in an end it is a formula in that symbol, of which certify, bounds, monotone, "
     "roots, enclose and derivative know what it is: for every value in a box, improper ones too.",
     "t = sym \"t\"\n"
     "integral(cos(1000*10000^(-t)), t, 0, 1):digits(12)  --> 0.187690642512\n"
     "integral(abs(t), t, -1, 1):contains(1)  --> true\n"
     "integral(exp(-t^2), t, -math.huge, math.huge):digits(12)  --> 1.77245385091\n"
     "integral(log(t), t, 0, 1):contains(-1)  --> true\n"
     "integral(exp(-t), t, math.huge, 0):contains(-1)  --> true\n"
     "a = sym(\"a\", \"positive\")\n"
     "J = integral(exp(-a*t), t, 0, math.huge)\n"
     "J  --> integral(exp((-a)*t), t, 0, math.huge)\n"
     "certify(lt(J, 2), {a = {1, 2}}).strength  --> certified\n"
     "certify(le(J, 1/a^2), {a = {1, 2}}).strength  --> refuted\n"
     "integral(1/t, t, -1, 1)  --> error: diverges at t = 0"},
    {"roots", roots, "f, x, from, to [, {digits=, boxes=}]",
     "All roots of f in an interval, each as a Ball, and proof that they are all.\n"
     "A table in order; its field verdict is certified (with their number) or unknown (a multiple root, a "
     "pole, a piece that is undecided). digits: of each root (20).",
     "x = sym \"x\"\nr = roots(sin(x), x, 1, 10)\n"
     "r.verdict  --> certified exactly 3 roots, x in [1, 10]; 11 boxes\n"
     "r[1]:digits(12)  --> 3.14159265359\n"
     "roots((x - 1)^2, x, 0, 3).verdict.strength  --> unknown"},
    {"bounds", bounds, "f, {x = {from, to}, ...} [, {tolerance=, boxes=}]",
     "The least and the greatest value of a formula over a box.\n"
     "A table: min and max are balls that contain them, no wider than tolerance (1e-6) when the field "
     "verdict is certified.",
     "x, y = sym \"x y\"\nb = bounds(x*y - x, {x = {0, 1}, y = {0, 3}})\n"
     "b.min:contains(-1) and b.max:contains(2)  --> true"},
    {.name = NULL},
};

void bind_open_certify(lua_State *L) {
    bind_rows(L, rows);
    bind_open_balls(L);
}
