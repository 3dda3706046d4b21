/* dd.c: arrays of double-doubles as Lua values: some 32 digits, for phases and for measuring the errors of
 * f64. */
#include <string.h>

#include "array/dd.h"
#include "lua/bind.h"
#include "lua/state.h"

arr_dd *bind_new_dd(lua_State *L) {
    arr_dd *a = bind_new_finalized(L, sizeof *a, 0);
    *a = ARR_DD_NONE;
    luaL_setmetatable(L, "phasor.Dd");
    return a;
}

arr_dd *bind_test_dd(lua_State *L, int i) { return luaL_testudata(L, i, "phasor.Dd"); }

static int dd_gc(lua_State *L) {
    arr_dd_drop(lua_touserdata(L, 1));
    return 0;
}

static arr_dd *check_dd(lua_State *L, int i, const char *who) {
    arr_dd *a = luaL_testudata(L, i, "phasor.Dd");
    if (!a) bind_raise_arg(L, i, who, "the operand", "a double-double, dd(x)");
    return a;
}

/* An operand that may be a plain number or array: it replaces the value at i. */
const arr_dd *bind_dd_operand(lua_State *L, int i, const char *who) {
    arr_dd *a = bind_test_dd(L, i);
    if (a) return a;
    const arr *x = bind_operand(L, i, who, "the operand");
    ph_err err;
    a = bind_new_dd(L);
    if (arr_dd_of(a, x, NULL, &err) != PH_OK) bind_raise(L, &err);
    lua_replace(L, i);
    return a;
}

static int dd_of(lua_State *L) {
    ph_err err;
    bind_check_count(L, "dd", 1, 2);
    if (lua_gettop(L) == 1 && luaL_testudata(L, 1, "phasor.Dd")) return 1;
    bool two = lua_gettop(L) == 2;
    const arr *hi = bind_operand(L, 1, "dd", "hi"), *lo = two ? bind_operand(L, 2, "dd", "lo") : NULL;
    if (arr_dd_of(bind_new_dd(L), hi, lo, &err) != PH_OK) bind_raise(L, &err);
    return 1;
}

static int apply2(lua_State *L, arr_dd_binary f, const char *who) {
    ph_err err;
    const arr_dd *a = bind_dd_operand(L, 1, who), *b = bind_dd_operand(L, 2, who);
    if (arr_dd_apply2(bind_new_dd(L), f, a, b, &err) != PH_OK) bind_raise(L, &err);
    return 1;
}
static int dd_add(lua_State *L) { return apply2(L, ARR_DD_ADD, "dd addition"); }
static int dd_sub(lua_State *L) { return apply2(L, ARR_DD_SUB, "dd subtraction"); }
static int dd_mul(lua_State *L) { return apply2(L, ARR_DD_MUL, "dd multiplication"); }
static int dd_div(lua_State *L) { return apply2(L, ARR_DD_DIV, "dd division"); }
static int dd_pow(lua_State *L) { return apply2(L, ARR_DD_POW, "dd power"); }

static int apply1(lua_State *L, arr_dd_unary f, const char *who) {
    ph_err err;
    const arr_dd *a = check_dd(L, 1, who);
    if (arr_dd_apply1(bind_new_dd(L), f, a, &err) != PH_OK) bind_raise(L, &err);
    return 1;
}
static int dd_neg(lua_State *L) { return apply1(L, ARR_DD_NEG, "dd negation"); }
static int dd_abs(lua_State *L) { return apply1(L, ARR_DD_ABS, "abs"); }
static int dd_exp(lua_State *L) { return apply1(L, ARR_DD_EXP, "exp"); }
static int dd_log(lua_State *L) { return apply1(L, ARR_DD_LOG, "log"); }
static int dd_sin(lua_State *L) { return apply1(L, ARR_DD_SIN, "sin"); }
static int dd_cos(lua_State *L) { return apply1(L, ARR_DD_COS, "cos"); }

static int push_part(lua_State *L, const arr *part) {
    arr copy = arr_ref(part);
    bind_push_result(L, &copy);
    return 1;
}
static int get_hi(lua_State *L) { return push_part(L, &check_dd(L, 1, "hi")->hi); }
static int get_lo(lua_State *L) { return push_part(L, &check_dd(L, 1, "lo")->lo); }

/* "hi + lo", each with digits that read back: nothing is lost in print. */
static int dd_tostring(lua_State *L) {
    const arr_dd *a = check_dd(L, 1, "tostring");
    lua_settop(L, 1);
    if (a->hi.ndim == 0) {
        char hi[48], lo[48];
        double low = *(double *)a->lo.data;
        arr_num_text(hi, sizeof hi, *(double *)a->hi.data);
        arr_num_text(lo, sizeof lo, low < 0 ? -low : low);
        lua_pushfstring(L, "%s %s %s", hi, low < 0 ? "-" : "+", lo);
        return 1;
    }
    lua_pushliteral(L, "double-double, hi: ");
    push_part(L, &a->hi);
    luaL_tolstring(L, -1, NULL);
    lua_remove(L, -2);
    lua_concat(L, 2);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# double-doubles"},
    {"dd", dd_of, "hi [, lo]",
     "Numbers with some 32 digits: the unevaluated sum hi + lo of two.\n"
     "hi, lo: numbers or real arrays, broadcast together; lo is 0 when left out.\n"
     "Operators + - * / ^ take double-doubles, numbers and arrays, elementwise. Phases are carried this way: "
     "the last bits of a frequency, multiplied by a position, are no longer small.\n"
     "Source: Joldes, Muller, Popescu, ACM TOMS 44 (2017).",
     "(dd(1)/3*3 - 1).hi  --> 0.0\ndd(10)^-1  --> 0.1 - 5.551115123125783e-18"},
    {"Dd.hi", get_hi, "", "The nearest doubles: a number or an array.",
     "(dd(2)^dd(0.5)).hi == sqrt(2)  --> true"},
    {"Dd.lo", get_lo, "", "What the nearest doubles miss.", "dd(1, 2^-80).lo == 2^-80  --> true"},
    {"Dd:abs", dd_abs, "", "The absolute value.", "dd(-3):abs().hi  --> 3.0"},
    {"Dd:exp", dd_exp, "", "e to this power.", "dd(0):exp().hi  --> 1.0"},
    {"Dd:log", dd_log, "", "The natural logarithm; NaN below 0.",
     "(dd(2):log():exp() - 2).hi < 2^-95  --> true"},
    {"Dd:sin", dd_sin, "", "The sine, for any finite argument.",
     "dd(1e22):sin().hi  --> -0.8522008497671888"},
    {"Dd:cos", dd_cos, "", "The cosine, for any finite argument.", "dd(0):cos().hi  --> 1.0"},
    {.name = NULL},
};

void bind_open_dd(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", dd_gc},   {"__add", dd_add},           {"__sub", dd_sub},
                                    {"__mul", dd_mul}, {"__div", dd_div},           {"__pow", dd_pow},
                                    {"__unm", dd_neg}, {"__tostring", dd_tostring}, {NULL, NULL}};
    bind_class(L, "Dd", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
}
