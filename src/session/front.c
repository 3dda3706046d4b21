/* front.c: what Lua asks of the front end: to show by pages what comes, and for a key. */
#include <string.h>

#include "session/core.h"

int ses_page(lua_State *L) {
    size_t n;
    const char *heading = luaL_optlstring(L, 1, NULL, &n);
    lua_Integer rows = luaL_optinteger(L, 2, 0);
    json_t *event = json_pack("{s:s}", "event", "page");
    if (event && heading) json_object_set_new(event, "heading", ses_json_text(heading, n));
    if (event && rows > 0) json_object_set_new(event, "rows", json_integer(rows));
    ses_emit(ses_core_of(L), event);
    return 0;
}

static bool is_set(lua_State *L, int settings, const char *name) {
    bool set = lua_getfield(L, settings, name) != LUA_TNIL && lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

int ses_prefer(lua_State *L) {
    ses_core *c = ses_core_of(L);
    const char *lang = luaL_checkstring(L, 1);
    if (!c->confined) ses_emit(c, json_pack("{s:s, s:s}", "event", "prefer", "lang", lang));
    return 0;
}

/* Pushes the settings. Does someone sit at a terminal, and see what is written? */
static bool at_terminal(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "phasor.settings");
    int settings = lua_gettop(L);
    return ses_core_of(L)->host.read_line && is_set(L, settings, "dialogue") &&
           is_set(L, settings, "terminal") && is_set(L, settings, "fold");
}

int ses_key(lua_State *L) {
    ses_core *c = ses_core_of(L);
    double seconds = luaL_optnumber(L, 1, -1);
    if (!at_terminal(L)) return 0;
    ses_stream_flush(c);
    json_t *question =
        json_pack("{s:s, s:b, s:b, s:f}", "prompt", "", "secret", 0, "key", 1, "seconds", seconds);
    char *line = c->host.read_line(c->host.user, c, question);
    if (!line) return 0;
    size_t n = strcspn(line, "\n");
    lua_pushlstring(L, n ? line : "none",
                    n ? n : 4); /* short; were there no memory for it, the line would be lost */
    ph_free(line);
    return 1;
}

bool ses_lines(lua_State *L, int i) {
    int top = lua_gettop(L);
    ses_core *c = ses_core_of(L);
    if (!luaL_getmetafield(L, i, "__lines")) return false;
    lua_pushvalue(L, i);
    bool there = at_terminal(L);
    lua_settop(L, top + 2);
    if (there) {
        lua_call(L, 1, 1);
        ses_stream_flush(c);
        ses_emit(c, json_pack("{s:s}", "event", "page"));
        for (;;) {
            size_t n;
            lua_settop(L, top + 1);
            lua_pushvalue(L, -1);
            lua_call(L, 0, 1);
            const char *line = lua_tolstring(L, -1, &n);
            if (!line) break;
            lua_pushliteral(L, "\n");
            lua_concat(L, 2);
            line = lua_tolstring(L, -1, &n);
            ses_emit(c, json_pack("{s:s, s:s, s:o}", "event", "stream", "name", "stdout", "text",
                                  ses_json_text(line, n)));
        }
    }
    lua_settop(L, top);
    return there;
}

bool ses_play(lua_State *L, int i) {
    int top = lua_gettop(L);
    if (!luaL_getmetafield(L, i, "__play")) return false;
    lua_pushvalue(L, i);
    lua_pushcfunction(L, ses_key);
    bool there = at_terminal(L);
    if (there) lua_call(L, 3, 0);
    lua_settop(L, top);
    return there;
}
