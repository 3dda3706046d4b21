/* core.c: opening and closing the Lua state of a session, and handing requests out. */
#include "session/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

ses_core *ses_core_of(lua_State *L) { return *(ses_core **)lua_getextraspace(L); }

/* ---- environments -------------------------------------------------------------------------------------- */

/* Is the value at 2 a name beyond ASCII, which a program spells mangled? */
static bool wide_name(lua_State *L) {
    size_t n, i = 0;
    if (lua_type(L, 2) != LUA_TSTRING) return false;
    const char *s = lua_tolstring(L, 2, &n);
    bool wide = false;
    while (i < n) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        if (!u.valid || !(i ? ph_rune_continues_name(u.rune) : ph_rune_starts_name(u.rune))) return false;
        if (u.bytes > 1) wide = true;
        i += (size_t)u.bytes;
    }
    return wide;
}

/* Replaces the key at 2 by its mangled form. May raise. */
static void mangle_key(lua_State *L) {
    size_t n;
    const char *s = lua_tolstring(L, 2, &n);
    char *m = ses_mangle(s, n);
    if (!m) luaL_error(L, "not enough memory");
    const char *kept = lua_pushstring(L, m); /* a failure here loses the few bytes of m, no more */
    (void)kept;
    ph_free(m);
    lua_replace(L, 2);
}

/* Pushes the laboratory's value of the name at 2, which stands there mangled; false and nothing when there is none. */
static bool push_lab_name(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING || !ses_is_mangled(lua_tostring(L, 2))) return false;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "phasor");
    lua_pushvalue(L, 2);
    ses_demangle_top(L);
    if (lua_istable(L, -2) && lua_rawget(L, -2) != LUA_TNIL) return true;
    lua_settop(L, 2);
    return false;
}

/* The end of the chain of lookups: _G["θ"], and names of the laboratory beyond ASCII. upvalues: 1 the function that was
 * there, 2 the environment */
static int env_get(lua_State *L) {
    if (wide_name(L)) {
        mangle_key(L);
        lua_pushvalue(L, 2);
        lua_gettable(L, lua_upvalueindex(2));
        return 1;
    }
    if (push_lab_name(L)) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int env_set(lua_State *L) {
    if (wide_name(L)) {
        mangle_key(L);
        lua_settable(L, lua_upvalueindex(2));
        return 0;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 3, 0);
    return 0;
}

/* next over an environment, with the names as they were written */
static int env_next(lua_State *L) {
    lua_settop(L, 2);
    if (wide_name(L)) mangle_key(L);
    if (!lua_next(L, 1)) return 0;
    lua_insert(L, -2);
    ses_demangle_top(L);
    lua_insert(L, -2);
    return 2;
}

static int env_pairs(lua_State *L) {
    lua_pushcfunction(L, env_next);
    lua_pushvalue(L, 1);
    return 2;
}

/* Puts fn between the metamethod `event` of the table at i (a function) and its callers. */
static void wrap(lua_State *L, int i, const char *event, lua_CFunction fn, int env) {
    if (!lua_getmetatable(L, i)) return;
    if (lua_getfield(L, -1, event) == LUA_TFUNCTION) {
        lua_pushvalue(L, env);
        lua_pushcclosure(L, fn, 2);
        lua_setfield(L, -2, event);
        lua_pop(L, 1);
    } else lua_pop(L, 2);
}

void ses_push_env(lua_State *L) {
    luaL_checkstack(L, 10, NULL);
    bind_env(L);
    int env = lua_gettop(L);
    wrap(L, env, "__newindex", env_set, env);
    lua_getmetatable(L, env);
    lua_pushcfunction(L, env_pairs);
    lua_setfield(L, -2, "__pairs");
    lua_pop(L, 1);
    lua_pushvalue(L, env);
    while (luaL_getmetafield(L, -1, "__index") == LUA_TTABLE) lua_remove(L, -2);
    lua_pop(L, 1); /* the function; below it the last table of the chain */
    wrap(L, lua_gettop(L), "__index", env_get, env);
    lua_settop(L, env);
}

const char ses_focus = 0, ses_handler = 0;

void ses_push_globals(lua_State *L) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &ses_focus) == LUA_TTABLE) return;
    lua_pop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

/* ---- warnings ------------------------------------------------------------------------------------------ */

/* A warning in one piece is words, which a front end may fold. */
static void add_to_warning(ses_core *c, const char *text, int to_be_continued) {
    bool whole = !c->in_warning && !to_be_continued && !c->direct;
    ph_text t = {0};
    if (!c->in_warning) ph_putf(&t, "%s", c->zh ? "警告：" : "warning: ");
    ph_putf(&t, "%s%s", text, to_be_continued ? "" : "\n");
    size_t n = t.failed ? 0 : ses_demangle(t.s, t.n);
    if (whole && n > 0)
        ses_emit(c, json_pack("{s:s, s:s, s:o, s:b}", "event", "stream", "name", "stderr", "text",
                              ses_json_text(t.s, n), "words", 1));
    else if (n > 0) ses_stream_put(c, "stderr", t.s, n);
    ph_free(t.s);
}

static void warning(void *user, const char *text, int to_be_continued) {
    ses_core *c = user;
    if (!c->in_warning && !to_be_continued && *text == '@') { /* a control message */
        if (strcmp(text, "@off") == 0) c->no_warnings = true;
        if (strcmp(text, "@on") == 0) c->no_warnings = false;
        return;
    }
    if (!c->no_warnings) add_to_warning(c, text, to_be_continued);
    c->in_warning = to_be_continued != 0;
}

/* ---- opening and closing ------------------------------------------------------------------------------- */

/* The globals that the startup text assigns become names of the laboratory. */
static void run_startup(lua_State *L, const char *text) {
    if (luaL_loadbufferx(L, text, strlen(text), "=phasor:startup", "t") != LUA_OK) lua_error(L);
    ses_push_env(L);
    int env = lua_gettop(L);
    lua_pushvalue(L, env);
    lua_setupvalue(L, env - 1, 1);
    lua_pushvalue(L, env - 1);
    lua_call(L, 0, 0);
    lua_pushnil(L);
    lua_setfield(L, env, LUA_GNAME);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "phasor");
    int lab = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, env);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, lab);
    }
    lua_settop(L, env - 2);
}

static int open_all(lua_State *L) {
    ses_core *c = ses_core_of(L);
    lua_gc(L, LUA_GCSTOP); /* next to nothing of what is made here is garbage */
    luaL_openlibs(L);
    ses_catching_open(L);
    ses_coroutines_open(L);
    ses_stream_open(L);
    ses_library_open(L);
    bind_open(L);
    lua_pop(L, 1);
    bind_set_progress(L, ses_on_progress, c);
    bind_set_caught(L, ses_caught, c);
    ses_library_rows(L);
    ses_push_env(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "phasor.clean");
    if (c->startup) run_startup(L, c->startup);
    ses_push_env(L); /* the user's globals, also for whatever is loaded from now on */
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_gc(L, LUA_GCRESTART);
    return 0;
}

ph_status ses_core_open(ses_core **out, const ses_options *opt, const ses_host *host, ph_err *err) {
    ph_status st = PH_OK;
    ses_core *c = ph_calloc(1, sizeof *c);
    *out = NULL;
    if (!c) return ph_fail_nomem(err, sizeof *c);
    ses_memory_init(&c->memory);
    c->host = *host;
    c->startup = opt->startup;
    c->functions = opt->functions ? opt->functions : ses_here;
    c->stream.name = "stdout";
    c->L = lua_newstate(ses_memory_alloc, &c->memory);
    if (!c->L) PH_TRY(ph_fail_nomem(err, sizeof *c));
    *(ses_core **)lua_getextraspace(c->L) = c;
    c->memory.L = c->L;
    lua_setwarnf(c->L, warning, c);
    lua_pushcfunction(c->L, open_all);
    if (lua_pcall(c->L, 0, 0, 0) != LUA_OK) {
        const char *why = lua_tostring(c->L, -1);
        PH_TRY(ph_fail(err, PH_EUNABLE, "the laboratory does not open: %s", why ? why : "no reason given"));
    }
    *out = c;
    c = NULL;
done:
    ses_core_close(c);
    return st;
}

void ses_core_close(ses_core *c) {
    if (!c) return;
    /* A finalizer that is refused memory while a state closes, as where the limit is reached, makes Lua collect in the midst of that, and Lua 5.4.4
     * then freed metatables of objects still to be finalized: seen in four of ten ends of a session that had left much garbage and a collection
     * under way, in none of six behind a whole collection. */
    if (c->L) {
        lua_gc(c->L, LUA_GCCOLLECT);
        bind_close(c->L);
        lua_close(c->L);
    }
    ses_memory_end(&c->memory);
    ph_block_set_limit(SIZE_MAX);
    ses_stream_flush(c);
    for (int i = 0; i < 3; i++)
        if (c->files[i]) fclose(c->files[i]);
    for (size_t i = 0; i < c->ntexts; i++) {
        ph_free(c->texts[i].name);
        ph_free(c->texts[i].text);
    }
    ph_free(c->texts);
    ph_free(c->prompt);
    json_decref(c->question);
    ses_fault_clear(&c->fault);
    json_decref(c->mime);
    ph_free(c);
}

/* ---- requests ------------------------------------------------------------------------------------------ */

void ses_emit_done(ses_core *c, const char *status) {
    ses_emit(c, json_pack("{s:s, s:s, s:f}", "event", "done", "status", status, "seconds", 0.0));
}

static void unknown_request(ses_core *c, const json_t *request) {
    char text[160];
    const char *asked = json_string_value(json_object_get(request, "op"));
    snprintf(text, sizeof text, "unknown request '%.60s'", asked ? asked : "");
    ses_fault_at(c, "", 0, 0, "session", text);
    ses_fault_emit(c);
    ses_emit_done(c, "error");
}

void ses_core_request(ses_core *c, const json_t *request) {
    static const struct {
        const char *name;
        void (*run)(ses_core *, const json_t *);
    } rows[] = {{"eval", ses_eval},
                {"input", ses_hear},
                {"complete", ses_complete},
                {"inspect", ses_inspect},
                {"is_complete", ses_is_complete}};
    const char *asked = json_string_value(json_object_get(request, "op"));
    for (size_t i = 0; asked && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, asked) == 0) {
            rows[i].run(c, request);
            return;
        }
    unknown_request(c, request);
}
