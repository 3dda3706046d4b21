/* above.c: require "phasor.session", what the Lua of the rooms above asks of the session: cells run, prompts, settings. */
#include <string.h>

#include "lua/state.h"
#include "session/core.h"

static int fault_text(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "name");
    lua_getfield(L, 1, "line");
    lua_getfield(L, 1, "message");
    if (lua_tointeger(L, 3) > 0)
        lua_pushfstring(L, "%s:%I: %s", lua_tostring(L, 2), (LUAI_UACINT)lua_tointeger(L, 3),
                        lua_tostring(L, 4));
    return 1;
}

static void set_text(lua_State *L, const char *key, const char *s) {
    lua_pushstring(L, s ? s : "");
    lua_setfield(L, -2, key);
}

/* Pushes c->fault as a table whose tostring is "name:line: message". */
static void push_fault(lua_State *L, const ses_fault *f) {
    size_t i;
    json_t *line;
    lua_newtable(L);
    set_text(L, "message", f->message);
    set_text(L, "name", f->name);
    set_text(L, "source", f->source);
    lua_pushinteger(L, f->line);
    lua_setfield(L, -2, "line");
    lua_pushinteger(L, f->column);
    lua_setfield(L, -2, "column");
    lua_newtable(L);
    json_array_foreach(f->traceback, i, line) {
        lua_pushstring(L, json_string_value(line));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "traceback");
    if (luaL_newmetatable(L, "phasor.session.fault")) {
        lua_pushcfunction(L, fault_text);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}

/* session.cell(code, name [, env]): as a cell of its own. true and its values, or false and the fault. */
static int session_cell(lua_State *L) {
    ses_core *c = ses_core_of(L);
    size_t n;
    bool silent;
    const char *code = luaL_checklstring(L, 1, &n), *name = luaL_checkstring(L, 2);
    lua_settop(L, 3);
    lua_pushcfunction(L, ses_fault_handler);
    lua_pushfstring(L, "=%s", name);
    int status = ses_compile(L, code, n, lua_tostring(L, -1), SES_HOIST, &silent);
    if (status == LUA_OK) {
        if (!lua_isnil(L, 3)) ses_set_env(L, 3);
        status = lua_pcall(L, 0, LUA_MULTRET, 4);
        if (status == LUA_OK) {
            lua_pushboolean(L, 1);
            lua_replace(L, 5);
            return lua_gettop(L) - 4;
        }
        ses_fault_finish(L, status);
    }
    lua_pushboolean(L, 0);
    push_fault(L, &c->fault);
    ses_fault_clear(&c->fault);
    return 2;
}

/* session.env(): fresh globals over the laboratory's names */
static int session_env(lua_State *L) {
    ses_push_env(L);
    return 1;
}

/* session.prompt([text, f]): the front end asks so from now on, and hands what is typed to f; nil: as ever */
static int session_prompt(lua_State *L) {
    ses_core *c = ses_core_of(L);
    const char *text = luaL_optstring(L, 1, NULL);
    if (text) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &ses_handler);
    char *copy = text ? ph_strdup(text) : NULL;
    if (text && !copy) return luaL_error(L, "not enough memory");
    ph_free(c->prompt);
    c->prompt = copy;
    return 0;
}

/* session.focus([env]): the variables that completion and help look among; nil: the globals */
static int session_focus(lua_State *L) {
    if (!lua_isnoneornil(L, 1)) luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &ses_focus);
    return 0;
}

/* session.speak([lang [, columns]]): how verdicts are shown until the request ends, in lines of so many columns (0: one line); nil: as it
 * began */
static int session_speak(lua_State *L) {
    const char *lang = luaL_optstring(L, 1, NULL);
    lua_Integer asked = luaL_optinteger(L, 2, -1);
    lua_settop(L, 1);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "phasor.settings");
    bool fold = lua_getfield(L, 2, "fold") != LUA_TNIL && lua_toboolean(L, -1);
    int columns = lua_getfield(L, 2, "columns") == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : 80;
    lua_getfield(L, 2, "verdicts_asked");
    const char *shown = lang ? lang : luaL_optstring(L, -1, "en");
    bind_set_verdicts(L, shown, asked >= 0 && asked < 10000 ? (int)asked : lang || fold ? columns : 0);
    lua_pushstring(L, shown);
    lua_setfield(L, 2, "verdicts");
    return 0;
}

/* session.strength(name, lang): its word */
static int session_strength(lua_State *L) {
    const char *name = luaL_checkstring(L, 1), *lang = luaL_checkstring(L, 2);
    if (!bind_push_strength(L, name, lang)) return luaL_error(L, "no strength \"%s\" in \"%s\"", name, lang);
    return 1;
}

static const char *fault_field(lua_State *L, const char *key) {
    lua_getfield(L, 1, key);
    return luaL_optstring(L, -1, "");
}

static json_t *fault_trace(lua_State *L) {
    json_t *list = json_array();
    lua_getfield(L, 1, "traceback");
    for (lua_Integer i = 1, n = lua_istable(L, -1) ? (lua_Integer)lua_rawlen(L, -1) : 0; i <= n; i++) {
        size_t len;
        lua_rawgeti(L, -1, i);
        const char *s = lua_tolstring(L, -1, &len);
        if (s) json_array_append_new(list, ses_json_text(s, len));
        lua_pop(L, 1);
    }
    return list;
}

/* session.report(fault): the error event of a fault that session.cell gave, in the language of the request, as of an input at the prompt */
static int session_report(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const char *message = fault_field(L, "message"), *name = fault_field(L, "name"),
               *source = fault_field(L, "source");
    if (ses_core_of(L)->zh && strcmp(message, "interrupted") != 0) {
        bind_push_told(L, message);
        message = lua_tostring(L, -1);
    }
    lua_getfield(L, 1, "line");
    lua_getfield(L, 1, "column");
    json_int_t line = lua_tointeger(L, -2), column = lua_tointeger(L, -1);
    ses_emit(ses_core_of(L),
             json_pack("{s:s, s:o, s:o, s:I, s:I, s:o, s:o}", "event", "error", "message",
                       ses_json_text(message, strlen(message)), "name", ses_json_text(name, strlen(name)),
                       "line", line, "column", column, "source", ses_json_text(source, strlen(source)),
                       "traceback", fault_trace(L)));
    return 0;
}

/* session.flush(): what was printed so far is shown */
static int session_flush(lua_State *L) {
    ses_stream_flush(ses_core_of(L));
    return 0;
}

int ses_open_above(lua_State *L) {
    static const luaL_Reg f[] = {{"cell", session_cell},
                                 {"env", session_env},
                                 {"flush", session_flush},
                                 {"save", ses_save},
                                 {"program", ses_program},
                                 {"contents", bind_contents},
                                 {"sha256", ses_sha256},
                                 {"lock", ses_lock},
                                 {"unlock", ses_unlock},
                                 {"sweep", ses_sweep},
                                 {"prompt", session_prompt},
                                 {"focus", session_focus},
                                 {"report", session_report},
                                 {"speak", session_speak},
                                 {"strength", session_strength},
                                 {"page", ses_page},
                                 {"prefer", ses_prefer},
                                 {"key", ses_key},
                                 {NULL, NULL}};
    luaL_newlib(L, f);
    luaL_setfuncs(L, ses_core_of(L)->functions, 0);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "phasor.settings");
    lua_setfield(L, -2, "settings");
    return 1;
}
