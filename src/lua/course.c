/* course.c: `lesson`, `check` and `claims` as names of the laboratory. They live in the course's Lua, which
 * is there where a session is; this file finds it at the first call. */
#include "lua/bind.h"
#include "lua/state.h"

static int call(lua_State *L, const char *name) {
    for (int i = 1; i <= lua_gettop(L); i++)
        if (lua_type(L, i) != LUA_TSTRING)
            return bind_raise_arg(L, i, name, "a name", "text in quotes, as in \"sinusoids\"");
    lua_getglobal(L, "require");
    lua_pushliteral(L, "phasor.course");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        return bind_raisef(L, "%s: the course is not here: %s", name, lua_tostring(L, -1));
    lua_getfield(L, -1, name);
    lua_replace(L, -2);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}
static int lesson(lua_State *L) { return call(L, "lesson"); }
static int check(lua_State *L) { return call(L, "check"); }
static int claims(lua_State *L) { return call(L, "claims"); }

static const bind_row rows[] = {
    {.name = "# the course"},
    {"lesson", lesson, "[name] [, \"--lang=zh\"]",
     "Walks through a lesson, step by step; without a name, lists the lessons.\n"
     "name: a lesson, or the path of a file of your own that ends in .lua. [Enter] runs a step; :back, :skip "
     "and :quit steer; "
     "anything else is Lua, to try something on the way. The lesson's variables stay.",
     "lesson(3)  --> error: wanted text in quotes"},
    {"check", check, "[claim or lesson, ...] [, \"--strict\"] [, \"--json\"] [, \"--time\"]",
     "Runs the checks of claims and prints a verdict for each.\n"
     "Claims are called by their id (see claims), lessons by name or path; without any, every lesson runs.",
     "check(3)  --> error: wanted text in quotes"},
    {"claims", claims, "[\"--json\"] [, \"--lang=zh\"]",
     "Lists every claim of the three sources, and whether it is settled.\n"
     "Each with the strength its verdict must reach.",
     "claims(3)  --> error: wanted text in quotes"},
    {.name = NULL},
};

void bind_open_course(lua_State *L) { bind_rows(L, rows); }
