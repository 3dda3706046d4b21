/* atlas.c: the laws of every encoding, src/atlas, and how it writes a verdict down: it can make none that holds, but say what verdicts
 * that hold amount to. */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "verify/prove.h"
#include "verify/shape.h"
#include "verify/told.h"

/* Sets a field to the string at i; nil leaves it. */
static void set_text(lua_State *L, int i, char **field) {
    ph_err err;
    const char *text = lua_tostring(L, i);
    if (text && ver_set(field, &err, "%s", text) != PH_OK) bind_raise(L, &err);
}

static void check(lua_State *L, ph_status st, ph_err *err) {
    if (st != PH_OK) bind_raise(L, err);
}

/* What a law says for that part, the table at i (atlas/say.lua): its form in each language, the names and values of its gaps. */
static void say(lua_State *L, int i, ver_verdict *v, ver_part part) {
    ph_err err;
    ver_told *told;
    lua_getfield(L, i, "en");
    lua_getfield(L, i, "zh");
    const char *form[VER_LANGS] = {[VER_EN] = lua_tostring(L, -2), [VER_ZH] = lua_tostring(L, -1)};
    if (!form[VER_EN] || !form[VER_ZH]) bind_raisef(L, "atlas: a law says nothing");
    check(L, ver_told_of(&told, v, &err), &err);
    check(L, ver_say(told, part, form, &err), &err);
    lua_pop(L, 2);
    for (int k = 1; lua_rawgeti(L, i, k) == LUA_TTABLE; k++) {
        lua_rawgeti(L, -1, 1);
        lua_rawgeti(L, -2, 2);
        check(L, ver_say_value(told, part, lua_tostring(L, -2), lua_tostring(L, -1), &err), &err);
        lua_pop(L, 3);
    }
    lua_pop(L, 1);
}

/* The statements in the table at i are conditions, too. */
static void require_all(lua_State *L, int i, ver_verdict *v) {
    ph_err err;
    ver_told *told;
    check(L, ver_told_of(&told, v, &err), &err);
    for (int k = 1; lua_rawgeti(L, i, k) != LUA_TNIL; k++) {
        check(L, expr_set_append(&told->conditions, bind_test_expr(L, -1), &err), &err);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* follows({verdicts}, said, {statements} [, method]): what verdicts that hold amount to. Its strength is that of the weakest of them and its
 * statement is made of theirs, here, where no law can say more; the law says for what they add up to it, in words and as statements, and how. */
static int follows(lua_State *L) {
    ph_err err;
    int n;
    lua_settop(L, 4);
    ver_verdict *all = bind_new_verdict(L);
    const ver_verdict **part = bind_read_verdicts(L, 1, "atlas", &n);
    check(L, ver_follow(all, part, n, &err), &err);
    say(L, 2, all, VER_CONDITIONS);
    require_all(L, 3, all);
    set_text(L, 4, &all->method);
    all->size = 0;
    lua_pushvalue(L, 5);
    return 1;
}

/* refuted(said or a verdict that says it, method): never without a witness. */
static int refuted(lua_State *L) {
    ph_err err;
    ver_told *told;
    lua_settop(L, 2);
    const ver_verdict *other = luaL_testudata(L, 1, "phasor.Verdict");
    if (!other && !lua_istable(L, 1)) return bind_raisef(L, "atlas: refuted without a witness");
    ver_verdict *v = bind_new_verdict(L);
    v->strength = VER_REFUTED;
    check(L, ver_told_of(&told, v, &err), &err);
    if (!other) say(L, 1, v, VER_WITNESS);
    else if (other->told && other->told->said[VER_WITNESS].form[VER_EN])
        check(L, ver_say_as(told, VER_WITNESS, other->told, &err), &err);
    else return bind_raisef(L, "atlas: refuted without a witness");
    set_text(L, 2, &v->method);
    lua_settop(L, 3);
    return 1;
}

/* open("undefined" or "unknown", said) */
static int open_question(lua_State *L) {
    ver_verdict *v = bind_new_verdict(L);
    bool undefined = strcmp(lua_tostring(L, 1), "undefined") == 0;
    v->reason = undefined ? VER_DOMAIN : VER_OUTSIDE_THEORY;
    say(L, 2, v, VER_REASON);
    lua_settop(L, 3);
    return 1;
}

/* ends(f [, statements]): two numbers between which f lies where the statements hold, infinite where none are seen. */
static int ends(lua_State *L) {
    ph_err err;
    expr_node *where[8];
    int n = 0;
    double lo, hi;
    lua_settop(L, 2);
    for (; lua_istable(L, 2) && n < 8 && lua_rawgeti(L, 2, n + 1) != LUA_TNIL; n++)
        where[n] = bind_test_expr(L, -1);
    ver_assume assume = {where, n};
    if (ver_ends_of(&lo, &hi, bind_expr_operand(L, 1, "atlas", "a formula"), &assume, &err) != PH_OK)
        return bind_raise(L, &err);
    lua_pushnumber(L, lo);
    lua_pushnumber(L, hi);
    return 2;
}

/* shape(f): the formula in one shape (verify/shape.h). */
static int shape(lua_State *L) {
    ph_err err;
    lua_settop(L, 1);
    expr_node *e = bind_expr_operand(L, 1, "atlas", "a formula");
    if (ver_shape(bind_new_expr(L), e, &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

static int is_constant(lua_State *L) {
    lua_pushboolean(L, expr_is_constant(bind_expr_operand(L, 1, "atlas", "a formula")));
    return 1;
}

/* contradiction(text): a verdict that the function itself belies is an error of this program. */
static int contradiction(lua_State *L) {
    ph_err err;
    (void)ph_fail(&err, PH_EBUG, "%s", lua_tostring(L, 1));
    return bind_raise(L, &err);
}

static const luaL_Reg verdicts[] = {
    {"follows", follows}, {"refuted", refuted},         {"open", open_question},          {"ends", ends},
    {"shape", shape},     {"is_constant", is_constant}, {"contradiction", contradiction}, {"try", bind_try},
    {NULL, NULL}};

/* The laws get the means to write a verdict down while they are read; nobody can ask for them afterwards. */
static void require_atlas(lua_State *L) {
    luaL_newlib(L, verdicts);
    bind_provide(L, "phasor.verdicts");
    bind_require(L, "phasor.atlas");
    bind_withdraw(L, "phasor.verdicts");
    bind_withdraw(L, "phasor.atlas.say");
}

static const char atlas_key = 0;

/* The function is made when it is first called: most sessions never ask, and each would pay for reading a thousand lines. */
static int atlas(lua_State *L) {
    int n = lua_gettop(L);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &atlas_key) == LUA_TNIL) {
        lua_pop(L, 1);
        bind_reserve(L, 16);
        require_atlas(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &atlas_key);
    }
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# positional encodings"},
    {"atlas", atlas, "[name] [, {N=512}]",
     "Every encoding against every law, with a verdict in each cell.\n"
     "Printed, a table of marks; atlas().rope is a row, atlas().rope.even a verdict, with its witness where "
     "it is refuted. atlas(\"rope\") prints a row in full. N: how many positions were trained on, for the "
     "laws injective and extrapolates.\n"
     ":json() and :markdown() give the table as text; .rows and .laws for programs. A row has one field for "
     "each law, and name, encoding, kind, title, sample, learned (numbers), broken_claims. .statement of a cell that holds is what was judged, "
     "statement by statement; that they add up to the law is the law's reasoning, in its .conditions and .method.\n"
     "The rows are the samples of the descriptors, encodings().rope.sample; what is proved of one holds for "
     "its arguments.",
     "atlas().rope.relative.strength  --> proved\natlas(\"alibi\").bounded.holds  --> false\n"
     "atlas().rope.norm_keeping.holds  --> true\n"
     "atlas(\"roep\")  --> error: unknown encoding 'roep'; did you mean 'rope'?"},
    {.name = NULL},
};

void bind_open_atlas(lua_State *L) { bind_rows(L, rows); }
