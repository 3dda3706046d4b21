/* furnish.h: a state of Lua becomes a laboratory, for tests and for programs that measure. */
#ifndef PH_TEST_FURNISH_H
#define PH_TEST_FURNISH_H

#include <lauxlib.h>
#include <lualib.h>

#include "lua/bind.h"

static inline lua_State *lab_furnish(lua_State *L) {
    luaL_openlibs(L);
    bind_open(L);
    bind_env(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_settop(L, 0);
    return L;
}

#endif
