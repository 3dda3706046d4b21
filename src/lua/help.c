/* help.c: the index of every public name. Rows stay where they are (static C rows, or userdata for rows that
 * the prelude registers); the index holds pointers to them.
 *
 * Registry "phasor.help" = {rows = {pointer...}, topics = {string...}, byname = {name -> i}, byfn = {function
 * -> name}}
 */
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lua/bind.h"
#include "lua/state.h"

static void push_index(lua_State *L, const char *part) {
    lua_getfield(L, LUA_REGISTRYINDEX, "phasor.help");
    lua_getfield(L, -1, part);
    lua_remove(L, -2);
}

/* Pushes the value that the name stands for: a global of the laboratory or a member of a class; nil for an
 * operator. */
static void push_named(lua_State *L, const char *name) {
    const char *sep = strpbrk(name, ":.");
    if (!sep) {
        bind_push_lab(L);
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        lua_remove(L, -2);
        return;
    }
    lua_pushliteral(L, "phasor.");
    lua_pushlstring(L, name, (size_t)(sep - name));
    lua_concat(L, 2);
    if (*sep == '.' || lua_rawget(L, LUA_REGISTRYINDEX) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushnil(L);
        return;
    }
    lua_getfield(L, -1, "methods");
    lua_getfield(L, -1, sep + 1);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* Adds the row whose pointer (light or full userdata) is at the top; pops it. */
static void add(lua_State *L, const bind_row *r, const char *topic) {
    bind_reserve(L, 12);
    push_index(L, "rows");
    lua_insert(L, -2);
    lua_Integer i = (lua_Integer)lua_rawlen(L, -2) + 1;
    lua_rawseti(L, -2, i);
    push_index(L, "topics");
    lua_pushstring(L, topic);
    lua_rawseti(L, -2, i);
    push_index(L, "byname");
    lua_pushinteger(L, i);
    lua_setfield(L, -2, r->name);
    push_index(L, "byfn");
    push_named(L, r->name);
    if (lua_isfunction(L, -1) || lua_istable(L, -1)) {
        lua_pushstring(L, r->name);
        lua_rawset(L, -3);
    } else lua_pop(L, 1);
    lua_pop(L, 4);
}

void bind_help_add(lua_State *L, const bind_row *row, const char *topic) {
    lua_pushlightuserdata(L, (void *)row);
    add(L, row, topic);
}

/* ---- look-up ------------------------------------------------------------------------------------------- */

const bind_row *bind_help_find(lua_State *L, const char *name) {
    const bind_row *r = NULL;
    bind_reserve(L, 8);
    push_index(L, "byname");
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) == LUA_TNUMBER) r = bind_help_each(L, (int)lua_tointeger(L, -1) - 1, NULL);
    lua_pop(L, 2);
    return r;
}

/* The strings stay alive: topics are anchored in the index, rows are static or anchored there. */
const bind_row *bind_help_each(lua_State *L, int i, const char **topic) {
    bind_reserve(L, 8);
    push_index(L, "rows");
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    const bind_row *r = lua_touserdata(L, -1);
    if (topic) {
        push_index(L, "topics");
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        *topic = lua_tostring(L, -1);
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
    return r;
}

/* ---- what the prelude calls ---------------------------------------------------------------------------- */

static int tool_raise(lua_State *L) { return bind_raisef(L, "%s", bind_check_text(L, 1)); }

/* seen(value) -> its picture in a message */
static int tool_seen(lua_State *L) {
    char text[300];
    lua_settop(L, 1);
    bind_describe(L, text, sizeof text, 1);
    lua_pushstring(L, text);
    return 1;
}

/* is_array(value): an array or one that is traced, no table */
static int tool_is_array(lua_State *L) {
    bind_kind k = lua_isuserdata(L, 1) ? bind_kind_of(L, 1) : KIND_NONE;
    lua_pushboolean(L, k == KIND_ARRAY || k == KIND_TRACED);
    return 1;
}

/* unknown_option(who, key, known [, options]): raises, with the nearest of known's string keys, or the field of the options that holds such */
static int tool_unknown_option(lua_State *L) {
    char text[300];
    const char *who = bind_check_text(L, 1);
    if (lua_type(L, 2) != LUA_TSTRING) {
        bind_describe(L, text, sizeof text, 2);
        return bind_raisef(L, "%s: an option's name is %s; wanted a string", who, text);
    }
    return bind_raise_option(L, who, lua_tostring(L, 2), 3, lua_istable(L, 4) ? 4 : 0);
}

/* check_options(who, options, names): the options, {} for nil; raises when they are no table or have another name. */
static int tool_check_options(lua_State *L) {
    lua_settop(L, 3);
    if (lua_isnil(L, 2)) {
        lua_newtable(L);
        return 1;
    }
    lua_rawgeti(L, 3, 1);
    if (!lua_istable(L, 2)) {
        lua_pushfstring(L, "options such as {%s=...}", lua_tostring(L, -1));
        return bind_raise_arg(L, 2, lua_tostring(L, 1), "the last argument", lua_tostring(L, -1));
    }
    lua_newtable(L);
    int known = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, 3, i) != LUA_TNIL; i++) {
        lua_pushboolean(L, true);
        lua_rawset(L, known);
    }
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        if (lua_rawget(L, known) == LUA_TNIL) {
            lua_pushcfunction(L, tool_unknown_option);
            lua_pushvalue(L, 1);
            lua_pushvalue(L, -5);
            lua_pushvalue(L, known);
            lua_pushvalue(L, 2);
            lua_call(L, 4, 0);
        }
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
    return 1;
}

/* row(i) -> name, args, help, example, topic; nothing past the end */
static int tool_row(lua_State *L) {
    const char *topic;
    const bind_row *r =
        bind_help_each(L, (int)bind_check_int(L, 1, "help", "the row", 1, INT32_MAX) - 1, &topic);
    if (!r) return 0;
    lua_pushstring(L, r->name);
    lua_pushstring(L, r->args ? r->args : "");
    lua_pushstring(L, r->help ? r->help : "");
    lua_pushstring(L, r->example ? r->example : "");
    lua_pushstring(L, topic);
    return 5;
}

/* find(name) -> i or nil */
static int tool_find(lua_State *L) {
    push_index(L, "byname");
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    return 1;
}

/* name_of(value) -> the name it is documented under, or nil. A name may have got another value since its row was added:
 * the prelude puts a `prove` that takes matrices before that of C. */
static int tool_name_of(lua_State *L) {
    const bind_row *r;
    push_index(L, "byfn");
    lua_pushvalue(L, 1);
    if (lua_isnil(L, 1) || lua_rawget(L, -2) != LUA_TNIL) return 1;
    for (int i = 0; (r = bind_help_each(L, i, NULL)); i++) {
        lua_settop(L, 1);
        push_named(L, r->name);
        if (!lua_rawequal(L, 1, 2)) continue;
        lua_pushstring(L, r->name);
        return 1;
    }
    lua_pushnil(L);
    return 1;
}

/* nearest(name, table) -> the nearest of its string keys, or nil */
static int tool_nearest(lua_State *L) {
    bind_push_nearest(L, bind_check_text(L, 1), 2);
    return 1;
}

/* name_distance(name, other) -> how far apart (base/text.h), or nil: too far to be meant */
static int tool_name_distance(lua_State *L) {
    int d = ph_name_distance(bind_check_text(L, 1), bind_check_text(L, 2));
    if (d < 0) lua_pushnil(L);
    else lua_pushinteger(L, d);
    return 1;
}

/* symbols() -> {{TeX's name, character, kind}, ...} (base/symbols.h) */
static int tool_symbols(lua_State *L) {
    static const char *const kinds[] = {"letter",   "typed",  "relation", "mark",  "big",
                                        "function", "accent", "script",   "space", "dropped"};
    lua_newtable(L);
    for (int i = 0; ph_symbols[i].name; i++) {
        const ph_symbol *s = &ph_symbols[i];
        lua_createtable(L, 3, 0);
        lua_pushstring(L, s->name);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, s->character);
        lua_rawseti(L, -2, 2);
        lua_pushstring(L, kinds[s->kind]);
        lua_rawseti(L, -2, 3);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* width(text) -> its columns in a terminal; columns(code point) -> 0, 1 or 2 */
static int tool_width(lua_State *L) {
    size_t n;
    bind_check_text(L, 1);
    const char *s = lua_tolstring(L, 1, &n);
    lua_pushinteger(L, (lua_Integer)ph_utf8_width(s, n));
    return 1;
}
static int tool_columns(lua_State *L) {
    lua_pushinteger(L, ph_rune_width((uint32_t)bind_check_int(L, 1, "columns", "code", 0, 0x10FFFF)));
    return 1;
}

/* class(name) -> the metatable of a class of C's */
static int tool_class(lua_State *L) {
    lua_pushfstring(L, "phasor.%s", bind_check_text(L, 1));
    lua_rawget(L, LUA_REGISTRYINDEX);
    return 1;
}

/* names() -> {documented name = i} */
static int tool_names(lua_State *L) {
    push_index(L, "byname");
    return 1;
}

static int wrapped_end(lua_State *L, int status, lua_KContext ctx) {
    (void)status, (void)ctx;
    return lua_gettop(L);
}

static int wrapped(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, wrapped_end);
    return wrapped_end(L, LUA_OK, 0);
}

/* wrap(f) -> f behind a C function: a tail call of that keeps the caller's frame, so errors still find the
 * user's line */
static int tool_wrap(lua_State *L) {
    lua_settop(L, 1);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static const char *field(lua_State *L, const char *name) {
    lua_getfield(L, 1, name); /* left on the stack: becomes a user value that keeps the text alive */
    return bind_check_text(L, -1);
}

/* register{name=, args=, help=, example=, topic=, fn=}: a row from the prelude. */
static int tool_register(lua_State *L) {
    bind_push_lab(L);
    lua_getfield(L, 1, "name");
    lua_getfield(L, 1, "fn");
    lua_settable(L, -3);
    bind_row *r = lua_newuserdatauv(L, sizeof *r, 4);
    int at = lua_gettop(L);
    r->fn = NULL;
    r->name = field(L, "name");
    r->args = field(L, "args");
    r->help = field(L, "help");
    r->example = field(L, "example");
    for (int k = 4; k >= 1; k--) lua_setiuservalue(L, at, k);
    lua_getfield(L, 1, "topic");
    lua_pushvalue(L, at);
    add(L, r, bind_check_text(L, -2));
    return 0;
}

/* shown(v): what a prompt shows for it, verdicts in the language that is spoken */
static int tool_shown(lua_State *L) {
    lua_settop(L, 1);
    bind_display(L, 1);
    return 1;
}

/* spoken(): the language that verdicts are shown in, "en" or "zh" */
static int tool_spoken(lua_State *L) {
    lua_pushstring(L, bind_state_of(L)->lang == VER_ZH ? "zh" : "en");
    return 1;
}

const char *bind_said(lua_State *L, int i, size_t *n) {
    if (lua_istable(L, i)) {
        lua_getfield(L, i, bind_state_of(L)->lang == VER_ZH ? "zh" : "en");
        lua_replace(L, i);
    }
    return lua_type(L, i) == LUA_TSTRING ? lua_tolstring(L, i, n) : NULL;
}

static bool speaks_chinese(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "phasor.settings");
    bool zh = lua_getfield(L, -1, "lang") == LUA_TSTRING && strcmp(lua_tostring(L, -1), "zh") == 0;
    lua_pop(L, 2);
    return zh;
}

void bind_warn(lua_State *L, const char *text) {
    bool zh = speaks_chinese(L);
    if (zh) bind_push_told(L, text);
    lua_warning(L, zh ? lua_tostring(L, -1) : text, 0);
    if (zh) lua_pop(L, 1);
}

/* language(): the one that the session speaks, "en" or "zh" */
static int tool_language(lua_State *L) {
    lua_pushstring(L, speaks_chinese(L) ? "zh" : "en");
    return 1;
}

void bind_push_help_tools(lua_State *L) {
    static const luaL_Reg tools[] = {
        {"raise", tool_raise},
        {"try", bind_try},
        {"row", tool_row},
        {"find", tool_find},
        {"name_of", tool_name_of},
        {"nearest", tool_nearest},
        {"name_distance", tool_name_distance},
        {"symbols", tool_symbols},
        {"width", tool_width},
        {"columns", tool_columns},
        {"class", tool_class},
        {"names", tool_names},
        {"register", tool_register},
        {"wrap", tool_wrap},
        {"seen", tool_seen},
        {"contents", bind_contents},
        {"writable", bind_writable},
        {"shown", tool_shown},
        {"spoken", tool_spoken},
        {"language", tool_language},
        {"is_array", tool_is_array},
        {"unknown_option", tool_unknown_option},
        {"check_options", tool_check_options},
        {NULL, NULL},
    };
    luaL_newlib(L, tools);
}

void bind_open_help(lua_State *L) {
    static const char *const parts[] = {"rows", "topics", "byname", "byfn"};
    lua_newtable(L);
    for (int k = 0; k < 4; k++) {
        lua_newtable(L);
        lua_setfield(L, -2, parts[k]);
    }
    lua_setfield(L, LUA_REGISTRYINDEX, "phasor.help");
}

/* ---- what C calls in the prelude ----------------------------------------------------------------------- */

static void push_prelude(lua_State *L, const char *name) {
    bind_reserve(L, 8);
    lua_getfield(L, LUA_REGISTRYINDEX, "phasor.prelude");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

bool bind_help_text(lua_State *L, const char *name, bool detail, bool zh) {
    if (!bind_help_find(L, name)) return false;
    push_prelude(L, "help_text");
    lua_pushstring(L, name);
    lua_pushboolean(L, detail);
    lua_pushstring(L, zh ? "zh" : "en");
    lua_call(L, 3, 1);
    return true;
}

void bind_display(lua_State *L, int i) {
    i = lua_absindex(L, i);
    if (bind_push_verdict_shown(L, i, 0)) return;
    push_prelude(L, "display");
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
}

/* A table of nobody's class is shown with what it holds: its address says nothing, and differs from run to run. */
static bool is_plain_table(lua_State *L, int i) {
    if (!lua_istable(L, i)) return false;
    if (!lua_getmetatable(L, i)) return true;
    lua_pop(L, 1);
    return false;
}

void bind_push_printed(lua_State *L, int i, size_t column) {
    i = lua_absindex(L, i);
    if (is_plain_table(L, i)) bind_display(L, i);
    else if (!bind_push_verdict_shown(L, i, column)) luaL_tolstring(L, i, NULL);
}
