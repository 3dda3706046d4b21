/* whos.c: the variables that the user has made, with what they hold. */
#include <string.h>

#include "base/utf8.h"
#include "session/cursor.h"

/* Names as they were typed; `_` and what begins with it are the session's. */
static bool is_listed(const char *name) {
    return (name[0] != '_' && strcmp(name, "arg") != 0) || ses_is_mangled(name);
}

/* Pushes the sorted list of the names in the table at i. */
static void push_names(lua_State *L, int i) {
    lua_Integer n = 0;
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !is_listed(lua_tostring(L, -2))) continue;
        lua_pushvalue(L, -2);
        ses_demangle_top(L);
        lua_rawseti(L, -4, ++n);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_TABLIBNAME);
    lua_getfield(L, -1, "sort");
    lua_pushvalue(L, -4);
    lua_call(L, 1, 0);
    lua_pop(L, 2);
}

/* Pushes "name  what it is", for the variable of that name. */
static void push_line(lua_State *L, int globals, const char *name, int width) {
    lua_pushstring(L, name);
    if (!ses_cursor_raw(L, globals, name, strlen(name))) lua_pushnil(L);
    ses_describe(L);
    const char *shown = lua_tostring(L, -2), *what = lua_tostring(L, -1);
    int gap = width - (int)ph_utf8_width(shown, strlen(shown));
    lua_pushfstring(L, "%s%s%s", shown,
                    &"                    "[20 - (gap < 1    ? 1
                                                  : gap > 20 ? 20
                                                             : gap)],
                    what);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static int widest(lua_State *L, int names) {
    size_t width = 0;
    for (lua_Integer i = 1; lua_rawgeti(L, names, i) == LUA_TSTRING; i++) {
        const char *name = lua_tostring(L, -1);
        size_t w = ph_utf8_width(name, strlen(name));
        width = w > width && w < 18 ? w : width;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return (int)width + 2;
}

int ses_whos(lua_State *L) {
    lua_settop(L, 0);
    ses_push_globals(L);
    push_names(L, 1);
    int width = widest(L, 2);
    lua_newtable(L);
    lua_Integer n = 0;
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; i++) {
        push_line(L, 1, lua_tostring(L, 4), width);
        lua_rawseti(L, 3, ++n);
        lua_settop(L, 3);
    }
    lua_settop(L, 3);
    if (n == 0) {
        lua_pushliteral(L, "no variables yet");
        return 1;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_TABLIBNAME);
    lua_getfield(L, -1, "concat");
    lua_pushvalue(L, 3);
    lua_pushliteral(L, "\n");
    lua_call(L, 2, 1);
    return 1;
}
