/* library.c: the functions of a session that Lua code calls, and the stock ones that must read sources as the session does:
 * text only, through the pre-pass.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/core.h"

/* ---- load, loadfile, dofile, require ------------------------------------------------------------------- */

/* Compiles the text at stack index i. LUA_OK: pushes the function; else pushes "NAME:LINE: message". */
static int load_text(lua_State *L, int i, const char *name, unsigned flags) {
    size_t n, at;
    const char *code = lua_tolstring(L, i, &n);
    ses_core *c = ses_core_of(L);
    ses_source src;
    ph_err err;
    int status = LUA_ERRSYNTAX;
    const char *shown = *name == '=' || *name == '@' ? name + 1 : "[string]";
    if (n && code[0] == LUA_SIGNATURE[0]) {
        lua_pushfstring(L, "%s: binary chunks are refused; give Lua text", shown);
        return status;
    }
    if (ses_prepass(&src, code, n, flags, &at, &err) == PH_OK) {
        status = luaL_loadbufferx(L, src.text, src.length, name, "t");
        ses_source_clear(&src);
    } else {
        int line = 1;
        for (size_t k = 0; k < at; k++) line += code[k] == '\n';
        lua_pushfstring(L, "%s:%d: %s", shown, line, err.text);
    }
    if (status == LUA_OK) {
        lua_Debug ar;
        lua_pushvalue(L, -1);
        lua_getinfo(L, ">S", &ar);
        if (strncmp(name, "=phasor:", 8) != 0) ses_remember_text(c, ar.short_src, code, n);
    } else ses_demangle_top(L);
    return status;
}

/* Gives the function just loaded the environment at stack index env, if there is one there. */
void ses_set_env(lua_State *L, int env) {
    if (lua_isnone(L, env)) return;
    lua_pushvalue(L, env);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
}

static int loaded(lua_State *L, int status) {
    if (status == LUA_OK) return 1;
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
}

/* The pieces that a function returns, joined; replaces it at index 1. */
static void gather(lua_State *L) {
    lua_newtable(L);
    int pieces = lua_gettop(L);
    for (lua_Integer i = 1;; i++) {
        lua_pushvalue(L, 1);
        lua_call(L, 0, 1);
        size_t n = 0;
        if (!lua_isnil(L, -1) && !lua_tolstring(L, -1, &n)) /* a number is its digits */
            luaL_error(L, "load: the reader returned a %s; wanted a string", luaL_typename(L, -1));
        if (n == 0) break;
        lua_rawseti(L, pieces, i);
    }
    luaL_Buffer b;
    lua_pop(L, 1);
    luaL_buffinit(L, &b);
    for (lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, pieces); i <= n; i++) {
        lua_rawgeti(L, pieces, i);
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
    lua_replace(L, 1);
    lua_settop(L, pieces - 1);
}

/* load(chunk [, name [, mode [, env]]]) */
static int own_load(lua_State *L) {
    bool text = lua_type(L, 1) == LUA_TSTRING;
    if (!text) luaL_checktype(L, 1, LUA_TFUNCTION);
    const char *name = luaL_optstring(L, 2, text ? lua_tostring(L, 1) : "=(load)");
    const char *mode = luaL_optstring(L, 3, "bt");
    if (!strchr(mode, 't'))
        return luaL_error(L, "load: mode is \"%s\"; binary chunks are refused, wanted \"t\"", mode);
    if (!text) gather(L);
    int env = lua_gettop(L) >= 4 ? 4 : lua_gettop(L) + 100;
    int status = load_text(L, 1, name, 0);
    if (status == LUA_OK && env == 4) ses_set_env(L, 4);
    return loaded(L, status);
}

/* Pushes the whole of a file (NULL: standard input), or a message; false then. */
static bool read_file(lua_State *L, const char *path) {
    luaL_Buffer b;
    if (!path) {
        lua_getglobal(L, "io");
        lua_getfield(L, -1, "read");
        lua_remove(L, -2);
        lua_pushliteral(L, "a");
        lua_call(L, 1, 1);
        return lua_isstring(L, -1);
    }
    luaL_Stream *f = bind_new_finalized(L, sizeof *f, 0); /* owns the file while the buffer grows */
    int owner = lua_gettop(L);
    f->closef = NULL;
    luaL_setmetatable(L, LUA_FILEHANDLE);
    f->f = fopen(path, "rb");
    if (!f->f) {
        lua_pushfstring(L, "cannot open %s: %s", path, strerror(errno));
        return false;
    }
    size_t n;
    luaL_buffinit(L, &b);
    do {
        char *buffer = luaL_prepbuffer(&b);
        n = fread(buffer, 1, LUAL_BUFFERSIZE, f->f);
        luaL_addsize(&b, n);
    } while (n == LUAL_BUFFERSIZE);
    bool bad = ferror(f->f) != 0;
    fclose(f->f);
    f->f = NULL;
    luaL_pushresult(&b);
    if (bad) lua_pushfstring(L, "cannot read %s", path);
    lua_remove(L, owner);
    return !bad;
}

static int load_file(lua_State *L, const char *path) {
    if (!read_file(L, path)) return LUA_ERRFILE;
    const char *name = path ? lua_pushfstring(L, "@%s", path) : lua_pushliteral(L, "=stdin");
    return load_text(L, -2, name, SES_FILE);
}

/* loadfile([path [, mode [, env]]]) */
static int own_loadfile(lua_State *L) {
    const char *path = luaL_optstring(L, 1, NULL), *mode = luaL_optstring(L, 2, "bt");
    bool env = lua_gettop(L) >= 3;
    if (!strchr(mode, 't'))
        return luaL_error(L, "loadfile: mode is \"%s\"; binary chunks are refused, wanted \"t\"", mode);
    int status = load_file(L, path);
    if (status == LUA_OK && env) ses_set_env(L, 3);
    return loaded(L, status);
}

static int own_dofile(lua_State *L) {
    const char *path = luaL_optstring(L, 1, NULL);
    lua_settop(L, 1);
    if (load_file(L, path) != LUA_OK) return lua_error(L);
    int base = lua_gettop(L) - 1;
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - base;
}

/* The searcher of Lua files for require. upvalue 1: package */
static int search_file(lua_State *L) {
    const char *name = luaL_checkstring(L, 1);
    lua_getfield(L, lua_upvalueindex(1), "searchpath");
    lua_pushvalue(L, 1);
    lua_getfield(L, lua_upvalueindex(1), "path");
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2)) return 1; /* where it looked in vain */
    lua_pop(L, 1);
    const char *path = lua_tostring(L, -1);
    if (load_file(L, path) != LUA_OK)
        return luaL_error(L, "error loading module '%s':\n%s", name, lua_tostring(L, -1));
    lua_pushstring(L, path);
    return 2;
}

/* 1: preload, 2: Lua files, 3 and 4: C libraries. The laboratory puts its own files before these. */
static void open_searcher(lua_State *L) {
    lua_getglobal(L, LUA_LOADLIBNAME);
    lua_getfield(L, -1, "searchers");
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, search_file, 1);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 2);
}

/* ---- leaving ------------------------------------------------------------------------------------------- */

/* os.exit([code [, close]]) unwinds the cell, whatever pcall stands in the way; the front end decides what it means. */
static int own_exit(lua_State *L) {
    ses_core *c = ses_core_of(L);
    c->exit_code = lua_isboolean(L, 1) ? !lua_toboolean(L, 1) : (int)luaL_optinteger(L, 1, 0);
    c->exited = true;
    ses_stop(SES_EXITING);
    lua_pushliteral(L, "exit");
    return lua_error(L);
}

/* A function of the system that starts programs, upvalue 1: what was printed before it is shown before, and what the program wrote
 * is heard when it has ended. */
static int run_outside(lua_State *L) {
    ses_core *c = ses_core_of(L);
    int n = lua_gettop(L);
    ses_stream_flush(c);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    if (!c->direct) ses_emit(c, json_pack("{s:s}", "event", "outside"));
    return lua_gettop(L);
}

static void wrap_outside(lua_State *L, const char *library, const char *name) {
    lua_getglobal(L, library);
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, run_outside, 1);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

/* ---- showing ------------------------------------------------------------------------------------------- */

/* Argument 1 of display as MIME data: a table of ["type/subtype"] = text as it is, anything else as a result would be. */
static json_t *display_data(lua_State *L) {
    json_t **data = ses_push_json(L);
    bool raw = lua_istable(L, 1) && !luaL_getmetafield(L, 1, "__tostring");
    if (raw)
        for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
            size_t n;
            if (lua_type(L, -2) != LUA_TSTRING || !strchr(lua_tostring(L, -2), '/') ||
                lua_type(L, -1) != LUA_TSTRING) {
                raw = false;
                lua_pop(L, 2);
                break;
            }
            const char *s = lua_tolstring(L, -1, &n);
            json_object_set_new(*data, lua_tostring(L, -2), ses_json_text(s, n));
        }
    if (raw && json_object_size(*data)) return json_incref(*data);
    return ses_mime_bundle(L, 1);
}

static int display(lua_State *L) {
    ses_core *c = ses_core_of(L);
    luaL_checkany(L, 1);
    lua_Integer id = luaL_optinteger(L, 2, 0);
    if (ses_play(L, 1)) return 0;
    bool update = id > 0 && id <= c->display_id;
    if (id <= 0) id = ++c->display_id;
    json_t *data = display_data(L);
    ses_emit(c, json_pack("{s:s, s:I, s:b, s:o}", "event", "display", "id", (json_int_t)id, "update", update,
                          "data", data));
    lua_pushinteger(L, id);
    return 1;
}

static void emit_progress(ses_core *c, const char *text, size_t n, double fraction) {
    ses_emit(c, json_pack("{s:s, s:o, s:o}", "event", "progress", "text", ses_json_text(text, n), "fraction",
                          ses_json_number(fraction)));
}

void ses_on_progress(void *ctx, const char *text, double fraction) {
    emit_progress(ctx, text, strlen(text), fraction);
}

static int progress(lua_State *L) {
    size_t n;
    const char *s = bind_said(L, 1, &n);
    if (!s) s = luaL_checklstring(L, 1, &n);
    emit_progress(ses_core_of(L), s, n, luaL_optnumber(L, 2, 0));
    return 0;
}

static int clear(lua_State *L) {
    ses_emit(ses_core_of(L), json_pack("{s:s, s:b}", "event", "clear", "wait", lua_toboolean(L, 1)));
    return 0;
}

/* ask([prompt [, secret]]): the line, or nil */
static int ask(lua_State *L) {
    ses_core *c = ses_core_of(L);
    size_t n;
    const char *prompt = luaL_optlstring(L, 1, "", &n);
    if (c->host.read_line) {
        ses_stream_ask(c, prompt, n, lua_toboolean(L, 2));
        lua_settop(L, 0);
    } else ses_stream_put(c, "stdout", prompt, n);
    lua_getglobal(L, LUA_IOLIBNAME);
    lua_getfield(L, -1, "read");
    lua_call(L, 0, 1);
    return 1;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

void ses_library_open(lua_State *L) {
    static const luaL_Reg own[] = {
        {"load", own_load}, {"loadfile", own_loadfile}, {"dofile", own_dofile}, {NULL, NULL}};
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, own, 0);
    lua_getfield(L, -1, LUA_OSLIBNAME);
    lua_pushcfunction(L, own_exit);
    lua_setfield(L, -2, "exit");
    lua_pop(L, 2);
    wrap_outside(L, LUA_OSLIBNAME, "execute");
    wrap_outside(L, LUA_IOLIBNAME, "popen");
    open_searcher(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, ses_open_above);
    lua_setfield(L, -2, "phasor.session");
    lua_pop(L, 1);
}

void ses_library_rows(lua_State *L) {
    static const bind_row rows[] = {
        {.name = "# the session"},
        {"display", display, "value [, id]",
         "Shows a value now, in the middle of a cell.\n"
         "A table {[\"image/svg+xml\"] = text, ...} is shown in the richest form the front end can. Returns "
         "an id; with the id of an earlier display, that one is replaced where the front end can do so.",
         NULL},
        {"progress", progress, "text [, fraction]",
         "Tells how far a long computation has come.\ntext: a text, or {en = text, zh = text}: the one of the language that is "
         "spoken. fraction: from 0 to 1.",
         NULL},
        {"whos", ses_whos, "", "Your variables, with what they hold.\nAt the prompt `whos` alone will do.",
         NULL},
        {"clear", clear, "[wait]",
         "Clears what the running cell has shown so far, where the front end can.\nwait: true to leave it until something new "
         "is shown, so that a picture that changes does not flicker.",
         NULL},
        {"ask", ask, "[prompt [, secret]]",
         "Asks whoever runs the cell, and returns the line that is typed; nil where nobody answers.\nsecret: true hides "
         "what is typed, where the front end can.",
         NULL},
        {.name = NULL}};
    bind_rows(L, rows);
}
