/* complete.c: completion. It runs no line of the user's: names come from raw tables and from the help rows. */
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "session/cursor.h"
#include "session/lex.h"
#include "session/offers.h"

#define MATCHES 1000

typedef struct {
    json_t *list;       /* owned by the caller */
    const char *prefix; /* what is already typed */
    size_t n;
} matches;

static void add(matches *m, const char *text, size_t n, const char *kind) {
    if (n < m->n || memcmp(text, m->prefix, m->n) != 0 || json_array_size(m->list) >= MATCHES) return;
    if (text[0] == '_' && m->n == 0) return; /* private, unless asked for */
    json_array_append_new(m->list, json_pack("{s:o, s:s}", "text", ses_json_text(text, n), "kind", kind));
}

/* ---- names from tables --------------------------------------------------------------------------------- */

static const char *kind_of(lua_State *L, int i) {
    switch (lua_type(L, i)) {
    case LUA_TFUNCTION: return "function";
    case LUA_TNUMBER: return "number";
    case LUA_TTABLE: return "table";
    case LUA_TUSERDATA: return bind_test_arr(L, i) ? "array" : "field";
    default: return "field";
    }
}

/* Is it a name a program can write after a dot? */
static bool is_name(const char *s, size_t n) {
    lex_state lx = {s, n, 0, false};
    lex_token t;
    ses_lex(&lx, &t);
    return t.kind == LEX_NAME && t.len == n;
}

/* The string keys of the table on top. wanted: only functions (behind ':'). kind: NULL: by value. */
static void add_keys(lua_State *L, matches *m, bool functions, const char *kind) {
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        size_t n;
        if (lua_type(L, -2) != LUA_TSTRING || (functions && lua_type(L, -1) != LUA_TFUNCTION)) continue;
        const char *key = lua_tolstring(L, -2, &n);
        char *name = ph_alloc(n + 1);
        if (!name) continue;
        memcpy(name, key, n);
        n = ses_demangle(name, n);
        if (is_name(name, n)) add(m, name, n, kind ? kind : kind_of(L, -1));
        ph_free(name);
    }
}

/* The table on top and all that stand behind it; pops it. */
static void add_chain(lua_State *L, matches *m, bool functions) {
    for (int hops = 0; hops < 16; hops++) {
        add_keys(L, m, functions, NULL);
        if (!ses_cursor_behind(L)) return;
    }
    lua_pop(L, 1);
}

/* Methods and fields of a userdata's class; pops the value. */
static void add_class(lua_State *L, matches *m, bool functions) {
    static const char *const parts[] = {"methods", "getters"};
    if (lua_getmetatable(L, -1)) {
        for (int i = 0; i < (functions ? 1 : 2); i++) {
            lua_pushstring(L, parts[i]);
            if (lua_rawget(L, -2) == LUA_TTABLE) add_keys(L, m, false, i ? "field" : "function");
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void add_members(lua_State *L, const cursor *at, matches *m) {
    bool method = at->depth && at->start > 0 && at->text[at->start - 1] == ':';
    if (!ses_cursor_value(L, at, false)) return;
    if (lua_istable(L, -1)) add_chain(L, m, method);
    else if (lua_isuserdata(L, -1)) add_class(L, m, method);
    else if (lua_type(L, -1) == LUA_TSTRING) {
        lua_pop(L, 1);
        luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
        lua_pushliteral(L, LUA_STRLIBNAME);
        if (lua_rawget(L, -2) == LUA_TTABLE) add_keys(L, m, true, NULL);
        lua_pop(L, 2);
    } else lua_pop(L, 1);
}

static void add_names(lua_State *L, matches *m) {
    static const char *const words[] = {
        "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
        "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(m, words[i], strlen(words[i]), "keyword");
    ses_push_globals(L);
    add_chain(L, m, false);
}

/* ---- \theta -------------------------------------------------------------------------------------------- */

/* The length of "\name" that ends at pos, 0 when there is none. */
static size_t symbol_length(const char *text, size_t pos) {
    size_t n = 0;
    while (n < pos && n < 24) {
        char ch = text[pos - n - 1];
        if (ch == '\\') return n + 1;
        if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' ||
              ch == '^'))
            return 0;
        n++;
    }
    return 0;
}

static void put_symbol(json_t *list, const char *text) {
    json_array_append_new(list, json_pack("{s:s, s:s}", "text", text, "kind", "symbol"));
}

/* What is typed as a character: no names of functions, no commands that only set. */
static bool is_typed(const ph_symbol *s) {
    return s->kind != PH_FUNCTION && s->kind != PH_DROPPED && s->kind != PH_SPACE;
}

/* The character itself when the name is whole or the only one that begins so, else the names to choose from. */
static void add_symbols(json_t *list, const char *name, size_t n) {
    const ph_symbol *only = ph_find_symbol(name, n);
    int found = 0;
    if (only && is_typed(only)) {
        put_symbol(list, only->character);
        return;
    }
    for (const ph_symbol *s = ph_symbols; s->name; s++)
        if (is_typed(s) && strncmp(s->name, name, n) == 0) only = s, found++;
    if (found == 1) put_symbol(list, only->character);
    else
        for (const ph_symbol *s = ph_symbols; s->name; s++) {
            char text[32] = "\\";
            if (is_typed(s) && strncmp(s->name, name, n) == 0) put_symbol(list, strcat(text, s->name));
        }
}

/* ---- the request --------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *m) { return json_string_value(json_object_get(m, "text")); }

static int by_text(const void *a, const void *b) {
    const char *x = text_of(*(json_t *const *)a), *y = text_of(*(json_t *const *)b);
    return strcmp(x ? x : "", y ? y : "");
}

/* Sorted, each name once (an inner table's name hides the outer one's). */
static json_t *sorted(json_t *list) {
    size_t n = json_array_size(list);
    json_t **items = ph_calloc(n, sizeof *items), *out = json_array();
    for (size_t i = 0; items && i < n; i++) items[i] = json_array_get(list, i);
    if (items) qsort(items, n, sizeof *items, by_text);
    for (size_t i = 0; items && i < n; i++)
        if (i == 0 || by_text(&items[i - 1], &items[i]) != 0) json_array_append(out, items[i]);
    ph_free(items);
    return out;
}

typedef struct {
    cursor *at;
    matches m;
    const char *text;
    size_t pos;
} search;

static void take(void *m, const char *text, size_t n, const char *kind) { add(m, text, n, kind); }

/* What is typed is known when it is known where it begins. */
static void take_string(void *user, const char *text, size_t n, const char *kind) {
    search *s = user;
    s->m.prefix = s->text + s->at->start;
    s->m.n = s->pos - s->at->start;
    add(&s->m, text, n, kind);
}

static int collect(lua_State *L) {
    search *s = lua_touserdata(L, 1);
    luaL_checkstack(L, 20, NULL);
    if (s->at->in_string) ses_offer_strings(L, s->text, s->pos, &s->at->start, take_string, s);
    else if (s->at->member) add_members(L, s->at, &s->m);
    else {
        ses_offer_options(L, s->at, take, &s->m);
        if (s->m.n) add_names(L, &s->m);
    }
    return 0;
}

void ses_complete(ses_core *c, const json_t *request) {
    const json_t *code = json_object_get(request, "code");
    const char *text = json_string_value(code) ? json_string_value(code) : "";
    size_t n = json_string_length(code), pos = (size_t)json_integer_value(json_object_get(request, "pos"));
    json_t *list = json_array();
    cursor at;
    ses_cursor_find(&at, text, n, pos, false);
    size_t symbol = at.in_string ? 0 : symbol_length(text, pos > n ? n : pos);
    if (symbol) {
        at.start = at.end - symbol;
        add_symbols(list, text + at.start + 1, symbol - 1);
    } else if (!at.in_comment) {
        search s = {&at, {list, text + at.start, at.end - at.start}, text, pos > n ? n : pos};
        lua_pushcfunction(c->L, collect);
        lua_pushlightuserdata(c->L, &s);
        lua_pcall(c->L, 1, 0, 0); /* out of memory: then with what was found */
        lua_settop(c->L, 0);
    }
    ses_emit(c, json_pack("{s:s, s:o, s:I, s:I}", "event", "reply", "matches", sorted(list), "start",
                          (json_int_t)at.start, "end", (json_int_t)at.end));
    json_decref(list);
    ses_emit_done(c, "ok");
}
