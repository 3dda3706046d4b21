/* compile.c: the text of a cell or a script as a function: through the pre-pass, as an expression, as statements, or in parts. */
#include <stdlib.h>
#include <string.h>

#include "session/core.h"
#include "session/parts.h"
#include "session/wraps.h"

/* What lua_load reads: "return ", then the text; whole, or byte by byte so that `read` says how far Lua had looked when
 * it gave up. */
typedef struct {
    const char *prefix, *text;
    size_t n, read;
    bool bytewise;
} feed;

static const char *reader(lua_State *L, void *data, size_t *size) {
    (void)L;
    feed *f = data;
    const char *s = f->prefix;
    if (s) {
        f->prefix = NULL;
        *size = strlen(s);
        return s;
    }
    s = f->text + f->read;
    *size = f->bytewise && f->read < f->n ? 1 : f->n - f->read;
    f->read += *size;
    return s;
}

static int load(lua_State *L, const ses_source *src, const char *name, bool as_expression, bool bytewise,
                size_t *read) {
    feed f = {as_expression ? "return " : NULL, src->text, src->length, 0, bytewise};
    int status = lua_load(L, reader, &f, name, "t");
    *read = f.read;
    return status;
}

/* Where the token that Lua's message complains of begins in src->text. Lua reads one character past a token, and in a
 * table constructor one token further, so the last occurrence of the token before `read` is looked for. */
static size_t error_offset(const ses_source *src, const char *message, size_t read) {
    const char *near = NULL;
    for (const char *s = message; (s = strstr(s, "near ")) != NULL; s++) near = s + 5;
    if (near && *near == '\'') {
        size_t len = strlen(++near);
        if (len && near[len - 1] == '\'') len--;
        for (size_t at = read >= len ? read - len + 1 : 0; len && at-- > 0;)
            if (at + len <= read && memcmp(src->text + at, near, len) == 0) return at;
    }
    if (!near || strncmp(near, "<eof>", 5) != 0) return read ? read - 1 : 0;
    size_t end = src->length; /* the end: just after the last thing that stands there */
    while (end > 0 && strchr(" \t\r\n", src->text[end - 1])) end--;
    return end;
}

/* The text of a syntax error without the "NAME:LINE: " that Lua put in front. */
static const char *without_position(const char *message) {
    for (const char *s = message; (s = strchr(s, ':')) != NULL; s++) {
        char *end;
        strtol(s + 1, &end, 10);
        if (end > s + 1 && strncmp(end, ": ", 2) == 0) return end + 2;
    }
    return message;
}

/* Without '=' or '@'. */
static const char *display_name(const char *name) { return *name == '=' || *name == '@' ? name + 1 : name; }

/* Of a program that would be fine as an input at the prompt. */
#define VALUE_ALONE "write print(x): only the prompt, -e and -i show a value that stands alone"

/* Both readings failed: the one that came further knows better what the user meant. */
static void syntax_fault(lua_State *L, const ses_source *src, const char *code, size_t n, const char *name,
                         bool cell) {
    size_t read[2] = {0, 0};
    int best = 0;
    if (load(L, src, name, false, true, &read[0]) == LUA_OK || lua_type(L, -1) != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushliteral(L, "not enough memory to read this");
    }
    if (cell && load(L, src, name, true, true, &read[1]) == LUA_ERRSYNTAX && read[1] > read[0]) best = 1;
    const char *message = lua_tostring(L, best ? -1 : -1 - (cell ? 1 : 0));
    bool quote = src->open_quote && strstr(message, "unfinished string");
    size_t at = quote ? src->quote_at : ses_source_offset(src, error_offset(src, message, read[best]));
    const char *text = without_position(message), *hint = NULL;
    if (!cell) {
        if (load(L, src, name, true, true, &read[1]) == LUA_OK) hint = VALUE_ALONE;
        lua_pop(L, 1);
    }
    if (!hint) hint = ses_syntax_hint(text, code, n, at);
    if (hint) text = lua_pushfstring(L, "%s; %s", text, hint);
    ses_fault_at(ses_core_of(L), code, n, at, display_name(name), text);
    if (hint) lua_pop(L, 1);
    lua_pop(L, cell ? 2 : 1);
}

/* Keeps the source for messages, under the name that the function on top gives to its chunk. */
static void remember(lua_State *L, const char *code, size_t n) {
    lua_Debug ar;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &ar);
    ses_remember_text(ses_core_of(L), ar.short_src, code, n);
}

/* Pushes a function that runs statements and values one after the other: true; or nothing. */
static bool load_parts(lua_State *L, const ses_source *src, const char *code, size_t n, const char *name) {
    size_t rest;
    if (!ses_parts(L, src, name, &rest)) return false;
    remember(L, code, n);
    lua_pop(L, 1);
    return true;
}

/* A ses_known: the integer that a global variable is. The table is walked, since a key to look it up would take memory, which raises. */
static bool global_integer(void *ctx, const char *name, size_t n, int64_t *value) {
    lua_State *L = ctx;
    char *key = ses_mangle(name, n);
    bool found = false;
    if (!key || !lua_checkstack(L, 4)) {
        ph_free(key);
        return false;
    }
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (found || !lua_isinteger(L, -1) || lua_type(L, -2) != LUA_TSTRING) continue;
        found = strcmp(lua_tostring(L, -2), key) == 0;
        if (found) *value = lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
    ph_free(key);
    return found;
}

int ses_compile(lua_State *L, const char *code, size_t n, const char *name, unsigned flags, bool *silent) {
    ses_core *c = ses_core_of(L);
    ses_source src;
    ph_err err;
    size_t at = 0, read;
    int status = LUA_ERRSYNTAX;
    bool cell = (flags & SES_HOIST) != 0;
    if (ses_wraps(code, n, (flags & SES_FILE) != 0, global_integer, L, &at, &err) != PH_OK ||
        ses_prepass(&src, code, n, flags, &at, &err) != PH_OK) {
        ses_fault_at(c, code, n, at, display_name(name), err.text);
        return status;
    }
    if (cell && (status = load(L, &src, name, true, false, &read)) != LUA_OK) lua_pop(L, 1);
    bool parts = status != LUA_OK && (flags & SES_VALUES) && load_parts(L, &src, code, n, name);
    if (parts) status = LUA_OK;
    if (status != LUA_OK && (status = load(L, &src, name, false, false, &read)) != LUA_OK) {
        lua_pop(L, 1);
        if (cell && load_parts(L, &src, code, n, name)) status = LUA_OK;
        else syntax_fault(L, &src, code, n, name, cell);
    } else if (!parts) remember(L, code, n);
    *silent = src.silent;
    ses_source_clear(&src);
    return status;
}
