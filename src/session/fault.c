/* fault.c: from a Lua error to words, a place and a short way back through the user's own functions.
 *
 * Frames of C and of the laboratory's prelude (chunks named "=phasor:...") are never shown. Names are as the user wrote
 * them, not as the pre-pass rewrote them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "session/core.h"

#define TEXTS      512 /* source texts remembered */
#define TRACE_HEAD 8   /* frames shown from the inside … */
#define TRACE_TAIL 3   /* … and from the outside, when there are more than both */
#define TRACE_EDGE 50  /* frames looked at from either end: a runaway recursion leaves 200000 */

void ses_fault_clear(ses_fault *f) {
    ph_free(f->message);
    ph_free(f->name);
    ph_free(f->source);
    json_decref(f->traceback);
    *f = (ses_fault){0};
}

/* ---- source texts -------------------------------------------------------------------------------------- */

static char *copy(const char *s, size_t n) {
    char *p = ph_alloc(n + 1);
    if (!p) return NULL;
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

void ses_remember_text(ses_core *c, const char *name, const char *text, size_t n) {
    size_t i = 0;
    while (i < c->ntexts && strcmp(c->texts[i].name, name) != 0) i++;
    if (i == c->ntexts) {
        if (i < TEXTS) {
            ses_text *t = ph_list_more(c->texts, i, sizeof *t);
            if (!t) return;
            c->texts = t;
            c->texts[c->ntexts++] = (ses_text){NULL, NULL};
        } else i = c->next_text++ % TEXTS;
    }
    ph_free(c->texts[i].name);
    ph_free(c->texts[i].text);
    c->texts[i] = (ses_text){copy(name, strlen(name)), copy(text, n)};
    if (!c->texts[i].name || !c->texts[i].text) { /* then rather not at all */
        ph_free(c->texts[i].name);
        ph_free(c->texts[i].text);
        c->texts[i] = c->texts[--c->ntexts];
    }
}

static const char *text_of(const ses_core *c, const char *name) {
    for (size_t i = 0; i < c->ntexts; i++)
        if (strcmp(c->texts[i].name, name) == 0) return c->texts[i].text;
    return NULL;
}

/* Line number `line` (from 1) of a text, a copy; NULL when there is none. */
static char *line_of(const char *text, int line) {
    while (text && --line > 0)
        if ((text = strchr(text, '\n'))) text++;
    return text ? copy(text, strcspn(text, "\r\n")) : NULL;
}

/* ---- the handler --------------------------------------------------------------------------------------- */

static bool is_users(const lua_Debug *ar) {
    return ar->currentline > 0 && strncmp(ar->source, "=phasor:", 8) != 0;
}

static int to_display(lua_State *L) {
    if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) luaL_tolstring(L, 1, NULL);
    else bind_display(L, 1);
    return 1;
}

/* The error value in words; owned. User code in a __tostring runs protected. */
static char *words(lua_State *L, int i) {
    size_t n;
    i = lua_absindex(L, i);
    if (lua_type(L, i) == LUA_TSTRING) {
        const char *s = lua_tolstring(L, i, &n);
        return copy(s, n);
    }
    if (lua_isnil(L, i)) return ph_strdup("error without a message (nil)");
    lua_pushcfunction(L, to_display);
    lua_pushvalue(L, i);
    char *text = NULL;
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING) {
        const char *s = lua_tolstring(L, -1, &n);
        text = copy(s, n);
    } else text = ph_strdup("error with a value that cannot be shown");
    lua_pop(L, 1);
    return text;
}

/* "NAME:LINE: text" → name, line and text, when NAME is a chunk of the user's. */
static void split_position(ses_core *c, ses_fault *f, const char *short_src) {
    char *m = f->message, *colon = m;
    while ((colon = strchr(colon, ':')) != NULL) {
        char *end;
        long line = strtol(colon + 1, &end, 10);
        if (end > colon + 1 && strncmp(end, ": ", 2) == 0) {
            *colon = 0;
            if (text_of(c, m) || (short_src && strcmp(m, short_src) == 0)) {
                f->name = ph_strdup(m);
                f->line = (int)line;
                memmove(m, end + 2, strlen(end + 2) + 1);
                return;
            }
            *colon = ':';
        }
        colon++;
    }
}

static json_t *frame_words(lua_State *L, lua_Debug *ar) {
    char text[LUA_IDSIZE + 160];
    bool zh = ses_core_of(L)->zh;
    lua_getinfo(L, "n", ar);
    int n = snprintf(text, sizeof text, "%s:%d%s", ar->short_src, ar->currentline, zh ? "：" : ": ");
    size_t at = n < (int)sizeof text ? (size_t)n : sizeof text - 1, cap = sizeof text - at;
    if (ar->what && strcmp(ar->what, "main") == 0)
        n += snprintf(text + at, cap, zh ? "最外层" : "at the top");
    else if (ar->name) n += snprintf(text + at, cap, zh ? "在 %.100s 里" : "in %.100s", ar->name);
    else n += snprintf(text + at, cap, zh ? "在一个函数里" : "in a function");
    size_t len = n < (int)sizeof text ? (size_t)n : sizeof text - 1;
    return ses_json_text(text, ses_demangle(text, len));
}

/* Frames on the stack. lua_getstack(level) walks `level` steps, so they are not counted one by one. */
static int stack_depth(lua_State *L) {
    lua_Debug ar;
    int lo = 0, hi = 1;
    while (lua_getstack(L, hi, &ar)) lo = hi, hi *= 2;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (lua_getstack(L, mid, &ar)) lo = mid;
        else hi = mid;
    }
    return hi;
}

/* The user's frames among the first and last ones of the stack, from the inside out, into at[]; returns how many. */
static int user_frames(lua_State *L, lua_Debug *at) {
    int depth = stack_depth(L), n = 0;
    for (int level = 0; level < depth; level++) {
        if (depth > 2 * TRACE_EDGE && level == TRACE_EDGE) level = depth - TRACE_EDGE;
        if (!lua_getstack(L, level, &at[n])) break;
        lua_getinfo(L, "Sl", &at[n]);
        if (is_users(&at[n])) n++;
    }
    return n;
}

static json_t *traceback(lua_State *L, lua_Debug *at, int users) {
    json_t *list = json_array();
    for (int i = 0; users > 1 && i < users; i++) {
        if (i < TRACE_HEAD || users - i <= TRACE_TAIL) json_array_append_new(list, frame_words(L, &at[i]));
        else if (i == TRACE_HEAD) json_array_append_new(list, json_string("..."));
    }
    return list;
}

static void demangle_all(ses_fault *f) {
    if (f->message) ses_demangle(f->message, strlen(f->message));
}

void ses_demangle_top(lua_State *L) {
    size_t n;
    const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
    if (!s || !ses_is_mangled(s)) return;
    luaL_Buffer b;
    char *copied = luaL_buffinitsize(L, &b, n + 1);
    memcpy(copied, s, n);
    luaL_pushresultsize(&b, ses_demangle(copied, n));
    lua_remove(L, -2);
}

static void add_hint(const ses_core *c, ses_fault *f) {
    char *line = f->name ? line_of(text_of(c, f->name), f->line) : NULL, *text;
    const char *hint = ses_error_hint(f->message, line);
    ph_text t = {0};
    ph_err err;
    if (hint) ph_putf(&t, "%s; %s", f->message, hint);
    if (hint && ph_text_take(&text, NULL, &t, &err) == PH_OK) {
        ph_free(f->message);
        f->message = text;
    }
    ph_free(line);
}

int ses_fault_handler(lua_State *L) {
    ses_core *c = ses_core_of(L);
    ses_fault *f = &c->fault;
    lua_Debug at[2 * TRACE_EDGE + 1];
    int users = user_frames(L, at);
    bind_users_words(L);
    ses_fault_clear(f);
    f->traceback = traceback(L, at, users);
    f->message = words(L, 1);
    if (!f->message) return 1;
    split_position(c, f, users ? at[0].short_src : NULL);
    if (!f->name && users) {
        f->name = ph_strdup(at[0].short_src);
        f->line = at[0].currentline;
    }
    demangle_all(f);
    add_hint(c, f);
    return 1;
}

void ses_fault_finish(lua_State *L, int status) {
    ses_core *c = ses_core_of(L);
    ses_fault *f = &c->fault;
    if (status == LUA_ERRMEM) { /* no handler has run for it */
        ses_fault_clear(f);
        f->message = ph_calloc(1, 96);
        if (f->message)
            snprintf(f->message, 96, "not enough memory: this session may use %zu MB", c->memory.limit >> 20);
    } else if (!f->message) f->message = words(L, -1);
    lua_pop(L, 1);
    if (f->name && !f->source) f->source = line_of(text_of(c, f->name), f->line);
}

void ses_fault_at(ses_core *c, const char *code, size_t n, size_t at, const char *name, const char *message) {
    ses_fault *f = &c->fault;
    ses_fault_clear(f);
    f->line = f->column = 1;
    for (size_t i = 0; i < at && i < n; i++) {
        if (code[i] == '\n') f->line++, f->column = 1;
        else if (((unsigned char)code[i] & 0xC0) != 0x80) f->column++;
    }
    f->name = ph_strdup(name);
    f->message = ph_strdup(message);
    f->source = line_of(code, f->line);
    f->traceback = json_array();
    demangle_all(f);
}

/* told(message as a light userdata) -> the message in Chinese */
static int in_chinese(lua_State *L) {
    bind_push_told(L, lua_touserdata(L, 1));
    return 1;
}

/* The message in the language of the request, where there are words for it; front ends know an interruption by its word. */
static void speak(ses_core *c, ses_fault *f) {
    lua_State *L = c->L;
    if (!c->zh || !f->message || strcmp(f->message, "interrupted") == 0 || !lua_checkstack(L, 8)) return;
    int top = lua_gettop(L);
    lua_pushcfunction(L, in_chinese);
    lua_pushlightuserdata(L, f->message);
    char *said = NULL;
    if (lua_pcall(L, 1, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING)
        said = ph_strdup(lua_tostring(L, -1));
    lua_settop(L, top);
    if (!said) return; /* memory is short: in English then */
    ph_free(f->message);
    f->message = said;
}

void ses_fault_emit(ses_core *c) {
    ses_fault *f = &c->fault;
    speak(c, f);
    const char *m = f->message ? f->message : "out of memory";
    json_t *e = json_pack("{s:s, s:o, s:o, s:i, s:i, s:o, s:o}", "event", "error", "message",
                          ses_json_shown(c, m, strlen(m)), "name",
                          ses_json_text(f->name ? f->name : "", f->name ? strlen(f->name) : 0), "line",
                          f->line, "column", f->column, "source",
                          ses_json_shown(c, f->source ? f->source : "", f->source ? strlen(f->source) : 0),
                          "traceback", f->traceback ? json_incref(f->traceback) : json_array());
    ses_emit(c, e);
    ses_fault_clear(f);
}

/* ---- errors that the user's code catches --------------------------------------------------------------- */

/* The end of pcall and xpcall; `before` values on the stack are not results. */
static int caught(lua_State *L, int status, lua_KContext before) {
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)before;
    if (bind_is_bug(L, -1)) return lua_error(L);
    ses_demangle_top(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

/* pcall(f, ...): the stock one, but messages have the names and places as they were written. */
static int own_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushcfunction(L, bind_users_words);
    lua_pushboolean(L, 1);
    lua_rotate(L, 1, 2); /* handler, true, f, arguments */
    return caught(L, lua_pcallk(L, lua_gettop(L) - 3, LUA_MULTRET, 1, 1, caught), 1);
}

/* A message handler between names as Lua has them and the user's handler, upvalue 1; what that says (a traceback?) too. */
static int handler(lua_State *L) {
    bind_users_words(L);
    ses_demangle_top(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    ses_demangle_top(L);
    return 1;
}

/* xpcall(f, handler, ...) */
static int own_xpcall(lua_State *L) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2); /* f, handler, true, f, arguments */
    return caught(L, lua_pcallk(L, lua_gettop(L) - 4, LUA_MULTRET, 2, 2, caught), 2);
}

/* assert(v, ...): the stock one, which takes every verdict for true; a verdict that does not hold is an error here. upvalue: the stock one */
static int own_assert(lua_State *L) {
    bool verdict = luaL_testudata(L, 1, "phasor.Verdict") != NULL;
    bool fails = verdict && lua_getfield(L, 1, "holds") == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    lua_pop(L, verdict ? 1 : 0);
    if (fails && lua_gettop(L) == 1) {
        lua_pushliteral(L, "assertion failed: ");
        luaL_tolstring(L, 1, NULL);
        lua_concat(L, 2);
        return lua_error(L);
    }
    if (fails) {
        lua_settop(L, 2);
        return lua_error(L);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

void ses_catching_open(lua_State *L) {
    static const luaL_Reg own[] = {{"pcall", own_pcall}, {"xpcall", own_xpcall}, {NULL, NULL}};
    lua_getglobal(L, LUA_GNAME);
    lua_getfield(L, -1, "assert");
    lua_pushcclosure(L, own_assert, 1);
    lua_setfield(L, -2, "assert");
    luaL_setfuncs(L, own, 0);
    lua_pop(L, 1);
}
