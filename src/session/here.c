/* here.c: what runs apart where there are processes, run in this one, for a system without: no limits, and what it does stays.
 *
 * A child is a table that holds how it ended: it has run to its end when start returns.
 */
#include "session/core.h"

/* Calls the function at index 1: pushes "ok" and its string, or "error" and why there is none. */
static int run(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    bool ok = lua_pcall(L, 0, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING;
    if (lua_type(L, -1) != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushliteral(L, "");
    }
    lua_pushstring(L, ses_stopping() != SES_RUN ? "stopped" : ok ? "ok" : "error");
    lua_insert(L, -2);
    return 2;
}

static int start(lua_State *L) {
    run(L);
    lua_createtable(L, 2, 0);
    lua_insert(L, -3);
    lua_rawseti(L, -3, 2);
    lua_rawseti(L, -2, 1);
    return 1;
}

/* The first of a list of children that has not been waited for: its place, and how it ended. */
static int wait_for(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    for (lua_Integer i = 1, n = luaL_len(L, 1); i <= n; i++) {
        lua_geti(L, 1, i);
        luaL_checktype(L, -1, LUA_TTABLE);
        int child = lua_gettop(L);
        if (lua_rawgeti(L, child, 1) == LUA_TSTRING) {
            lua_pushinteger(L, i);
            lua_insert(L, -2);
            lua_rawgeti(L, child, 2);
            lua_pushnil(L);
            lua_rawseti(L, child, 1);
            return 3;
        }
        lua_settop(L, child - 1);
    }
    return luaL_argerror(L, 1, "a list of 1 to 64 children wanted that have not been waited for");
}

static int lacks(lua_State *L) {
    lua_pushliteral(L, "process apart");
    return 1;
}

static int cores(lua_State *L) {
    lua_pushinteger(L, 1);
    return 1;
}

const struct luaL_Reg ses_here[] = {{"apart", run},     {"lacks", lacks}, {"start", start},
                                    {"wait", wait_for}, {"cores", cores}, {NULL, NULL}};
