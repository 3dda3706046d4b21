/* eval.c: a cell or a script: run, its values shown, its end told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/state.h"
#include "session/core.h"

/* ---- values -------------------------------------------------------------------------------------------- */

static void add_text(lua_State *L, json_t *data, const char *mime, int i) {
    size_t n;
    const char *s = lua_tolstring(L, i, &n);
    json_object_set_new(data, mime, ses_json_text(s, n));
}

/* The same of what a person reads, and of no more than a person would. */
static void add_shown(lua_State *L, const ses_core *c, json_t *data, int i) {
    size_t n;
    const char *s = lua_tolstring(L, i, &n);
    json_object_set_new(data, "text/plain", ses_json_shown(c, s, n));
}

/* Does the front end show anything but text? */
static bool accepts_more(const ses_core *c) {
    size_t i;
    json_t *type;
    json_array_foreach(c->mime, i, type) if (strcmp(json_string_value(type) ? json_string_value(type) : "",
                                                    "text/plain") != 0) return true;
    return false;
}

static void push_accepted(lua_State *L, const ses_core *c) {
    size_t k;
    json_t *type;
    lua_newtable(L);
    json_array_foreach(c->mime, k, type) {
        lua_pushstring(L, json_string_value(type));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* A value may offer richer forms of itself: __mime(value, accepted) returns {["image/png"] = base64, ...}. */
static void add_rich(lua_State *L, ses_core *c, json_t *data, int i) {
    size_t k;
    json_t *type;
    if (!accepts_more(c)) return;
    if (!luaL_getmetafield(L, i, "__mime")) {
        if (lua_type(L, i) != LUA_TTABLE) return;
        bind_push_mime(L, "list");
    }
    lua_pushvalue(L, i);
    push_accepted(L, c);
    lua_call(L, 2, 1);
    json_array_foreach(c->mime, k, type) {
        if (!lua_istable(L, -1)) break;
        if (lua_getfield(L, -1, json_string_value(type)) == LUA_TSTRING)
            add_text(L, data, json_string_value(type), -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* A JSON object under construction, which Lua drops when an error passes by. */
static int drop_json(lua_State *L) {
    json_t **j = lua_touserdata(L, 1);
    json_decref(*j);
    *j = NULL;
    return 0;
}

json_t **ses_push_json(lua_State *L) {
    json_t **j = bind_new_owner(L, sizeof *j, "phasor.session.json", drop_json);
    if (!(*j = json_object())) luaL_error(L, "not enough memory");
    return j;
}

json_t *ses_mime_bundle(lua_State *L, int i) {
    i = lua_absindex(L, i);
    json_t **data = ses_push_json(L);
    bind_display(L, i);
    add_shown(L, ses_core_of(L), *data, -1);
    lua_pop(L, 1);
    add_rich(L, ses_core_of(L), *data, i);
    json_t *done = json_incref(*data);
    lua_pop(L, 1);
    return done;
}

/* Pushes the labels of n values of this input, a table, or nil: only where the front end wants some. */
static void push_labels(lua_State *L, const ses_core *c, int n) {
    lua_pushnil(L);
    if (!c->typed) return;
    lua_pop(L, 1);
    bind_push_mime(L, "labels");
    lua_pushstring(L, c->typed);
    lua_pushinteger(L, n);
    lua_pushstring(L, c->zh ? "zh" : "en");
    lua_call(L, 3, 1);
}

/* Writes the label of value i from the table at `labels`, if that is one. */
static void add_label(lua_State *L, luaL_Buffer *b, int labels, int i, const char *text) {
    if (!lua_istable(L, labels)) return;
    lua_geti(L, labels, i);
    luaL_addvalue(b);
    luaL_addstring(b, strchr(text, '\n') ? ":\n" : ": ");
}

/* Several values: their texts side by side, or below each other when one of them has lines; labelled where they have names. */
static void join_texts(lua_State *L, const ses_core *c, json_t *data, int n) {
    luaL_Buffer b;
    bool lines = false;
    push_labels(L, c, n);
    int labels = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        bind_display(L, i);
        if (strchr(lua_tostring(L, -1), '\n')) lines = true;
    }
    luaL_buffinit(L, &b);
    for (int i = 1; i <= n; i++) {
        if (i > 1) luaL_addchar(&b, lines ? '\n' : '\t');
        size_t len;
        const char *s = lua_tolstring(L, labels + i, &len); /* the texts stand behind the labels */
        add_label(L, &b, labels, i, s);
        luaL_addlstring(&b, s, len);
    }
    luaL_pushresult(&b);
    add_shown(L, c, data, -1);
}

/* … and, where one of them has more than text, all as one piece of HTML. */
static void join_rich(lua_State *L, const ses_core *c, json_t *data, int n) {
    if (!accepts_more(c)) return;
    bind_push_mime(L, "joined");
    push_accepted(L, c);
    push_labels(L, c, n);
    for (int i = 1; i <= n; i++) lua_pushvalue(L, i);
    lua_call(L, n + 2, 1);
    if (lua_type(L, -1) == LUA_TSTRING) add_text(L, data, "text/html", -1);
}

/* Arguments: the values of the cell. Sends their result event and makes the first one `_`. */
static int show_values(lua_State *L) {
    ses_core *c = ses_core_of(L);
    int n = lua_gettop(L);
    luaL_checkstack(L, 2 * n + 20, "too many values");
    json_t **data = ses_push_json(L);
    if (n == 1) {
        json_t *bundle = ses_mime_bundle(L, 1);
        json_object_update(*data, bundle);
        json_decref(bundle);
    } else {
        join_texts(L, c, *data, n);
        join_rich(L, c, *data, n);
    }
    ses_emit(c, json_pack("{s:s, s:O}", "event", "result", "data", *data));
    if (n != 1 || !lua_isboolean(L, 1) || !c->typed || c->told_equality) return 0;
    c->told_equality = ses_compares_formulas(L, c->typed, lua_toboolean(L, 1));
    if (c->told_equality)
        bind_warn(L, "== asks whether two formulas are one object; prove(a, b) asks of all values");
    return 0;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Makes `_` the first of the values on the stack. */
static bool keep_value(lua_State *L, const ses_core *c) {
    if (lua_gettop(L) == 0 || !c->echo) return false;
    if (lua_gettop(L) == 1 && luaL_testudata(L, 1, LUA_FILEHANDLE)) return false; /* of io.write(...) */
    if (!c->aside) {
        lua_pushvalue(L, 1);
        lua_setglobal(L, "_");
    }
    return true;
}

void ses_show(lua_State *L) {
    int n = lua_gettop(L);
    if (!keep_value(L, ses_core_of(L)) || (n == 1 && (ses_play(L, 1) || ses_lines(L, 1)))) return;
    lua_pushcfunction(L, show_values);
    lua_insert(L, 1);
    lua_call(L, n, 0);
}

/* Calls its first argument with the others, and shows all values. */
static int run_cell(lua_State *L) {
    ses_core *c = ses_core_of(L);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    if (c->silent) keep_value(L, c);
    else ses_show(L);
    return 0;
}

/* A script's `require` looks beside the script first. */
static void look_beside(lua_State *L, const char *name) {
    const char *end = strrchr(name, '/');
    if (!end || lua_getglobal(L, LUA_LOADLIBNAME) != LUA_TTABLE) return lua_settop(L, 2);
    lua_pushlstring(L, name, (size_t)(end - name) + 1);
    const char *folder = lua_tostring(L, -1);
    lua_getfield(L, 3, "path");
    lua_pushfstring(L, "%s?.lua;%s?/init.lua;%s", folder, folder, lua_tostring(L, -1));
    lua_setfield(L, 3, "path");
    lua_settop(L, 2);
}

/* Pushes the script's arguments and sets the table `arg`. */
static int push_args(lua_State *L) {
    const json_t *args = lua_touserdata(L, 1);
    const char *name = lua_touserdata(L, 2);
    size_t n = json_array_size(args);
    luaL_checkstack(L, (int)n + 4, "too many arguments");
    look_beside(L, name);
    lua_createtable(L, (int)n, 1);
    lua_pushstring(L, name);
    lua_rawseti(L, -2, 0);
    for (size_t i = 0; i < n; i++) {
        const json_t *a = json_array_get(args, i);
        lua_pushlstring(L, json_string_value(a) ? json_string_value(a) : "", json_string_length(a));
        lua_pushvalue(L, -1);
        lua_rawseti(L, 3, (lua_Integer)i + 1);
    }
    lua_pushvalue(L, 3);
    lua_setglobal(L, "arg");
    return (int)n;
}

/* Calls the function on the stack under the session's guard. Returns the status of the cell's end, for "done". */
static const char *guarded_call(ses_core *c, const json_t *args, const char *name, int *code) {
    lua_State *L = c->L; /* stack: the compiled function */
    int status, base;
    lua_pushcfunction(L, ses_fault_handler);
    lua_insert(L, 1);
    lua_pushcfunction(L, run_cell);
    lua_insert(L, 2);
    base = lua_gettop(L);
    ses_fault_clear(&c->fault);
    c->exited = false;
    ses_cell_begins(L);
    lua_pushcfunction(L, push_args);
    lua_pushlightuserdata(L, (void *)args);
    lua_pushlightuserdata(L, (void *)name);
    status = lua_pcall(L, 2, args ? LUA_MULTRET : 0, 1);
    if (status == LUA_OK) status = lua_pcall(L, lua_gettop(L) - base + 1, 0, 1);
    int why = ses_cell_ends(L);
    if (status != LUA_OK) ses_fault_finish(L, status);
    lua_settop(L, 0);
    if (c->exited) {
        ses_fault_clear(&c->fault);
        *code = c->exit_code;
        return "ok";
    }
    if (status == LUA_OK) return "ok";
    ses_fault_emit(c);
    return why == SES_INTERRUPTED ? "interrupted" : "error";
}

static bool field_flag(const json_t *request, const char *key, bool otherwise) {
    const json_t *v = json_object_get(request, key);
    return json_is_boolean(v) ? json_boolean_value(v) : otherwise;
}

static int field_int(const json_t *request, const char *key, int otherwise, int lo, int hi) {
    const json_t *v = json_object_get(request, key);
    json_int_t x = json_is_integer(v) ? json_integer_value(v) : otherwise;
    return x < lo ? lo : x > hi ? hi : (int)x;
}

static const char *field_text(const json_t *request, const char *key, const char *otherwise) {
    const char *s = json_string_value(json_object_get(request, key));
    return s ? s : otherwise;
}

/* What Lua code may ask about the front end: require "phasor.session".settings. */
static int set_settings(lua_State *L) {
    const json_t *request = lua_touserdata(L, 1);
    int columns = field_int(request, "columns", 80, 20, 10000),
        rows = field_int(request, "rows", 24, 4, 10000);
    bind_set_screen(L, field_int(request, "columns", 80, 1, 10000), rows);
    int palette = field_int(request, "palette", 0, 0, 1 << 24);
    bind_set_pictures(L,
                      palette < 256       ? 0
                      : palette < 1 << 24 ? 256
                                          : palette,
                      field_flag(request, "unicode", true), field_int(request, "pixels", 0, 0, 10000));
    bool fold = field_flag(request, "fold", false);
    bind_set_verdicts(L, field_text(request, "verdicts", "en"), fold ? columns : 0);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "phasor.settings");
    lua_pushboolean(L, fold);
    lua_setfield(L, -2, "fold");
    lua_pushinteger(L, columns);
    lua_setfield(L, -2, "columns");
    lua_pushinteger(L, rows);
    lua_setfield(L, -2, "rows");
    lua_pushboolean(L, field_flag(request, "colour", false));
    lua_setfield(L, -2, "colour");
    lua_pushboolean(L, ses_core_of(L)->interactive);
    lua_setfield(L, -2, "interactive");
    lua_pushboolean(L, field_flag(request, "terminal", true));
    lua_setfield(L, -2, "terminal");
    lua_pushstring(L, field_text(request, "lang", "en"));
    lua_setfield(L, -2, "lang");
    lua_pushstring(L, field_text(request, "verdicts", "en"));
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "verdicts");
    lua_setfield(L, -2, "verdicts_asked"); /* what it is again after speak() */
    lua_pushboolean(L, field_flag(request, "dialogue", false));
    lua_setfield(L, -2, "dialogue");
    return 0;
}

static void accept_settings(ses_core *c, const json_t *request, bool script) {
    const json_t *mime = json_object_get(request, "mime");
    json_decref(c->mime);
    c->mime = json_is_array(mime) ? json_incref((json_t *)mime) : json_array();
    c->interactive = field_flag(request, "interactive", true);
    c->aside = field_flag(request, "aside", false);
    c->echo = field_flag(request, "echo", !script);
    c->direct = script && !c->host.read_line;
    bool labels = field_flag(request, "labels", field_flag(request, "dialogue", false));
    c->typed = labels && !script ? field_text(request, "code", NULL) : NULL;
    c->zh = strcmp(field_text(request, "lang", "en"), "zh") == 0;
    lua_pushcfunction(c->L, set_settings);
    lua_pushlightuserdata(c->L, (void *)request);
    if (lua_pcall(c->L, 1, 0, 0) != LUA_OK)
        lua_pop(c->L, 1); /* no memory for eight fields: the cell will say so */
}

static void emit_done(ses_core *c, const char *status, double seconds, bool exited, int code) {
    json_t *done =
        json_pack("{s:s, s:s, s:o}", "event", "done", "status", status, "seconds", ses_json_number(seconds));
    if (exited) json_object_set_new(done, "exit", json_integer(code));
    if (c->prompt) json_object_set_new(done, "prompt", ses_json_text(c->prompt, strlen(c->prompt)));
    ses_emit(c, done);
}

/* Calls the function on Lua's stack as the cell `text` and says how it ended; NULL: this process is a snapshot that was resumed, before the
 * cell or behind it. */
static const char *run_between_snapshots(ses_core *c, const char *text, const json_t *args, const char *name,
                                         int *code, double *seconds) {
    const ses_host *h = &c->host;
    double began = ph_clock();
    if (!c->aside && h->before_run && !h->before_run(h->user, c, text)) {
        lua_settop(c->L, 0);
        return NULL;
    }
    const char *status = guarded_call(c, args, name, code);
    ses_stream_flush(c);
    *seconds = ph_clock() - began;
    bool itself = c->aside || c->exited || !h->after_run || h->after_run(h->user);
    return itself ? status : NULL;
}

/* Runs what stands on Lua's stack, a function or (st no LUA_OK) a fault, as the cell `text`. */
static void answer(ses_core *c, const char *text, int st, const char *name, const json_t *args) {
    const char *status = "error";
    int exit_code = 0;
    double seconds = 0;
    if (st != LUA_OK) ses_fault_emit(c);
    else
        status =
            run_between_snapshots(c, text, json_is_array(args) ? args : NULL, name, &exit_code, &seconds);
    ses_stream_flush(c);
    c->direct = false;
    if (status) emit_done(c, status, seconds, c->exited, exit_code);
}

void ses_eval(ses_core *c, const json_t *request) {
    const json_t *code = json_object_get(request, "code");
    const char *text = json_string_value(code);
    bool script = field_flag(request, "script", false);
    char name[512];
    int st = LUA_ERRRUN;
    c->exited = false;
    snprintf(name, sizeof name, "%c%s", script ? '@' : '=',
             field_text(request, "name", script ? "script" : "prompt"));
    accept_settings(c, request, script);
    if (!text) ses_fault_at(c, "", 0, 0, name + 1, "eval: the request has no code");
    else
        st = ses_compile(c->L, text, json_string_length(code), name,
                         c->echo  ? SES_HOIST | SES_VALUES
                         : script ? SES_FILE
                                  : SES_HOIST,
                         &c->silent);
    answer(c, text, st, name + 1, json_object_get(request, "args"));
}

/* What was typed goes to the handler, with the name of the input in messages. */
void ses_hear(ses_core *c, const json_t *request) {
    const char *text = field_text(request, "text", "");
    int st = LUA_OK;
    c->exited = false;
    accept_settings(c, request, false);
    c->echo = false;
    json_t *args =
        json_pack("[O?, s]", json_object_get(request, "text"), field_text(request, "name", "input"));
    if (!c->prompt || !args || lua_rawgetp(c->L, LUA_REGISTRYINDEX, &ses_handler) != LUA_TFUNCTION) {
        lua_settop(c->L, 0);
        ses_fault_at(c, "", 0, 0, "input", "input: nothing waits for one");
        st = LUA_ERRRUN;
    }
    answer(c, text, st, "phasor:input", args);
    json_decref(args);
}
