/* balls.c: the class Ball: an interval around a number, with the verdict on it. */
#include "lua/balls.h"

#include "lua/state.h"

#define BALL "phasor.Ball"

ball *bind_new_ball(lua_State *L, int digits) {
    ball *b = bind_new_finalized(L, sizeof *b, 1);
    *b = (ball){NULL, digits};
    luaL_setmetatable(L, BALL);
    return b;
}

static ball *check_ball(lua_State *L, int i, const char *who) {
    ball *b = luaL_testudata(L, i, BALL);
    if (!b || !b->n) bind_raise_arg(L, i, who, "the operand", "a Ball");
    return b;
}

static int ball_gc(lua_State *L) {
    ball *b = lua_touserdata(L, 1);
    ver_number_free(b->n);
    b->n = NULL;
    return 0;
}

typedef ph_status text_of(char **out, const ver_number *n, int digits, ph_err *err);

static int push_text(lua_State *L, text_of *f, const ver_number *n, int digits) {
    ph_err err;
    char **text = bind_new_text(L);
    return bind_give_text(L, text, f(text, n, digits, &err), &err);
}

static int ball_tostring(lua_State *L) {
    ball *b = check_ball(L, 1, "tostring");
    return push_text(L, ver_number_text, b->n, b->digits);
}

static int ball_digits(lua_State *L) {
    bind_check_count(L, "digits", 1, 2);
    ball *b = check_ball(L, 1, "digits");
    int n = lua_isnoneornil(L, 2) ? b->digits
                                  : (int)bind_check_int(L, 2, "digits", "how many", 1, VER_MAX_DIGITS);
    return push_text(L, ver_number_digits, b->n, n);
}

static int ball_order(lua_State *L) {
    return bind_raisef(
        L, "a Ball is an interval, not a number; compare its ends: p.upper < q.lower, or p:overlaps(q)");
}

static int ball_arithmetic(lua_State *L) {
    return bind_raisef(
        L,
        "a Ball takes part in no arithmetic; enclose the whole formula, or use its fields mid, lower, upper");
}

static int push_number(lua_State *L, double f(const ver_number *), const char *who) {
    lua_pushnumber(L, f(check_ball(L, 1, who)->n));
    return 1;
}
static int get_mid(lua_State *L) { return push_number(L, ver_number_mid, "mid"); }
static int get_radius(lua_State *L) { return push_number(L, ver_number_radius, "radius"); }
static int get_lower(lua_State *L) { return push_number(L, ver_number_lower, "lower"); }
static int get_upper(lua_State *L) { return push_number(L, ver_number_upper, "upper"); }

static int get_verdict(lua_State *L) {
    check_ball(L, 1, "verdict");
    lua_getiuservalue(L, 1, 1);
    return 1;
}

/* A float is the number that it is, exactly; anything else must be exact as in a formula. */
static int ball_contains(lua_State *L) {
    ph_err err;
    bool in = false;
    bind_check_count(L, "contains", 2, 2);
    ball *b = check_ball(L, 1, "contains");
    if (lua_type(L, 2) == LUA_TNUMBER && !lua_isinteger(L, 2))
        in = ver_number_contains_double(b->n, lua_tonumber(L, 2));
    else if (ver_number_contains(&in, b->n, bind_expr_operand(L, 2, "contains", "the number"), &err) != PH_OK)
        return bind_raise(L, &err);
    lua_pushboolean(L, in);
    return 1;
}

static int ball_overlaps(lua_State *L) {
    bind_check_count(L, "overlaps", 2, 2);
    lua_pushboolean(L, ver_number_overlaps(check_ball(L, 1, "overlaps")->n, check_ball(L, 2, "overlaps")->n));
    return 1;
}

static const bind_row rows[] = {
    {.name = "# certificates"},
    {"Ball.mid", get_mid, "", "The middle, as the nearest float.", "enclose(rat(1, 2)).mid  --> 0.5"},
    {"Ball.radius", get_radius, "", "The radius, rounded up.", "enclose(rat(1, 2)).radius  --> 0.0"},
    {"Ball.lower", get_lower, "", "A float at or below every point of the ball.",
     "enclose(Pi).lower < enclose(Pi).upper  --> true"},
    {"Ball.upper", get_upper, "", "A float at or above every point of the ball.",
     "enclose(Pi).upper  --> 3.1415926535897936"},
    {"Ball.verdict", get_verdict, "", "The verdict on the value, root or integral.",
     "enclose(Pi).verdict  --> certified the value to 20 digits"},
    {"Ball:digits", ball_digits, "[n]", "The digits that are certain, at most n, as text.",
     "enclose(Pi):digits(8)  --> 3.1415927"},
    {"Ball:contains", ball_contains, "x",
     "Is x in the ball?\nx: an exact number or constant formula; a float counts as the number that it "
     "exactly is.",
     "enclose(Pi):contains(rat(22, 7))  --> false"},
    {"Ball:overlaps", ball_overlaps, "other", "Do two balls have a point in common?",
     "enclose(Pi):overlaps(enclose(4*atan(rat(1))))  --> true"},
    {.name = NULL},
};

void bind_open_balls(lua_State *L) {
    static const luaL_Reg meta[] = {
        {"__gc", ball_gc},          {"__tostring", ball_tostring}, {"__lt", ball_order},
        {"__le", ball_order},       {"__eq", ball_order},          {"__add", ball_arithmetic},
        {"__sub", ball_arithmetic}, {"__mul", ball_arithmetic},    {"__div", ball_arithmetic},
        {"__pow", ball_arithmetic}, {"__unm", ball_arithmetic},    {NULL, NULL}};
    bind_class(L, "Ball", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
}
