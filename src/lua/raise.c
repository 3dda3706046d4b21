/* raise.c: every Lua error of the laboratory starts here, with the user's file:line in front.
 *
 * Invariant: when a function here is called, nothing foreign is held outside a userdata, since it jumps.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/slips.h"
#include "base/text.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

bool bind_user_line(lua_State *L, lua_Debug *ar) {
    for (int level = 0; lua_getstack(L, level, ar); level++) {
        lua_getinfo(L, "Sl", ar);
        if (ar->currentline > 0 && strncmp(ar->source, "=phasor:", 8) != 0) return true;
    }
    return false;
}

/* Pushes "file:line: " of the innermost frame of `from` that is the user's; "" where there is none, or nobody wants it. */
static void push_where(lua_State *L, lua_State *from) {
    lua_Debug ar;
    if (!bind_state_of(L)->bare && bind_user_line(from, &ar))
        lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    else lua_pushliteral(L, "");
}

/* ---- a contradiction inside the program: a value of its own, which pcall hands on ----------------------- */

static const char bug_key = 0; /* its metatable's, in the registry */

bool bind_is_bug(lua_State *L, int i) {
    i = lua_absindex(L, i);
    if (!lua_isuserdata(L, i) || !lua_getmetatable(L, i)) return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bug_key);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

static int bug_tostring(lua_State *L) {
    lua_getiuservalue(L, 1, 1);
    return 1;
}

/* The text on top of the stack becomes the contradiction that says it. */
static void make_bug(lua_State *L) {
    lua_pushliteral(L, ". This is an error of phasor, not of yours: please report it.");
    lua_concat(L, 2);
    lua_newuserdatauv(L, 0, 1); /* no __gc */
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, 1);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &bug_key) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 2);
        lua_pushcfunction(L, bug_tostring);
        lua_setfield(L, -2, "__tostring");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &bug_key);
    }
    lua_setmetatable(L, -2);
}

/* ---- raising -------------------------------------------------------------------------------------------- */

/* With "file:line: " on top of the stack. */
static int raise_there(lua_State *L, ph_status kind, const char *text) {
    bind_state_of(L)->raised = kind;
    lua_pushstring(L, text);
    lua_concat(L, 2);
    if (kind == PH_EBUG) make_bug(L);
    return lua_error(L);
}

static int raise_text(lua_State *L, ph_status kind, const char *text) {
    bind_reserve(L, 8);
    push_where(L, L);
    return raise_there(L, kind, text);
}

int bind_raise(lua_State *L, const ph_err *err) { return raise_text(L, err->code, err->text); }

int bind_raise_from(lua_State *L, const char *who, const ph_err *err) {
    ph_err e = *err;
    if (e.code == PH_EOUTSIDE || e.code == PH_EBUDGET) (void)ph_fail_from(&e, ph_kind(e.code));
    (void)ph_fail_from(&e, who);
    return bind_raise(L, &e);
}

int bind_raise_at(lua_State *L, const char *source, int line, const ph_err *err) {
    if (!source || bind_state_of(L)->bare) return bind_raise(L, err);
    bind_reserve(L, 8);
    lua_pushfstring(L, "%s:%d: ", source, line);
    return raise_there(L, err->code, err->text);
}

int bind_try(lua_State *L) {
    bind_state *s = bind_state_of(L);
    s->raised = PH_EARG;
    lua_pushcfunction(L, bind_users_words);
    lua_insert(L, 1);
    s->bare++;
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
    s->bare--;
    if (status != LUA_OK && (ph_interrupted() || bind_is_bug(L, -1))) return lua_error(L);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 1);
    if (status == LUA_OK) return lua_gettop(L);
    lua_pushstring(L, ph_kind(s->raised));
    return 3;
}

int bind_raisef(lua_State *L, const char *fmt, ...) {
    ph_err e;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e.text, sizeof e.text, fmt, ap);
    va_end(ap);
    return raise_text(L, PH_EARG, e.text);
}

int bind_rethrow(lua_State *L) { return lua_error(L); }

void bind_reserve(lua_State *L, int slots) { luaL_checkstack(L, slots, NULL); }

const char *bind_check_text(lua_State *L, int i) { return luaL_checkstring(L, i); }

/* ---- errors of functions that the user handed over ----------------------------------------------------- */

/* Has a library the function at f under the name that it was called by? If not, *own is the first by the alphabet of the names that
 * libraries have for it; NULL: it has none. */
static bool called_by_own_name(lua_State *L, int f, const char *called, const char **own) {
    int loaded = lua_gettop(L) + 1;
    bool same = false;
    *own = NULL;
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    for (lua_pushnil(L); lua_next(L, loaded); lua_settop(L, loaded + 1)) {
        if (!lua_istable(L, loaded + 2)) continue;
        for (lua_pushnil(L); lua_next(L, loaded + 2); lua_settop(L, loaded + 3)) {
            if (lua_type(L, loaded + 3) != LUA_TSTRING || !lua_rawequal(L, f, loaded + 4)) continue;
            const char *name = lua_tostring(L, loaded + 3); /* its table keeps it */
            same = same || (called && strcmp(name, called) == 0);
            if (!*own || strcmp(name, *own) < 0) *own = name;
        }
    }
    lua_settop(L, loaded - 1);
    return same;
}

/* Pushes the place that a C function puts in front of what it says when this frame called it; false: the frame is not ours. */
static bool push_own_place(lua_State *L, lua_State *from, int level) {
    lua_Debug ar;
    if (!lua_getstack(from, level, &ar)) return false;
    lua_getinfo(from, "Sl", &ar);
    if (strncmp(ar.source, "=phasor:", 8) != 0) return false;
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    return true;
}

void bind_users_place(lua_State *L, lua_State *from, int level) {
    lua_Debug ar;
    int top = lua_gettop(L);
    if (lua_type(L, top) != LUA_TSTRING || !lua_checkstack(L, 8) || !push_own_place(L, from, level + 1))
        return;
    const char *text = lua_tostring(L, top), *own;
    size_t n = lua_rawlen(L, -1);
    if (strncmp(text, lua_tostring(L, -1), n) != 0 || !lua_getstack(from, level, &ar))
        return lua_settop(L, top);
    lua_getinfo(L, "Snf", &ar); /* pushes the function here, whichever stack it stands on */
    bool ours = *ar.what != 'C' || called_by_own_name(L, top + 2, ar.name, &own) ||
                strcmp(ar.namewhat, "for iterator") == 0 || (!own && strcmp(ar.namewhat, "method") == 0);
    if (ours) return lua_settop(L, top);
    text += n;
    if (own && ar.name && strncmp(text, "bad argument #", 14) == 0) {
        const char *called = lua_pushfstring(L, "'%s'", ar.name), *named = lua_pushfstring(L, "'%s'", own);
        text = luaL_gsub(L, text, called, named);
    }
    push_where(L, from);
    lua_pushstring(L, text);
    lua_concat(L, 2);
    lua_replace(L, top);
    lua_settop(L, top);
}

int bind_users_words(lua_State *L) {
    lua_settop(L, 1);
    bind_users_place(L, L, 1);
    return 1;
}

/* ---- pictures of values -------------------------------------------------------------------------------- */

/* Copies at most 24 bytes of s, cut at a character boundary, control characters as '?'. */
static void describe_string(char *buf, size_t cap, const char *s, size_t len) {
    size_t n = len < 24 ? len : 24;
    while (n < len && n > 0 && ((unsigned char)s[n] & 0xC0) == 0x80) n--;
    char cut[25];
    for (size_t k = 0; k < n; k++) cut[k] = (unsigned char)s[k] < 32 || s[k] == 127 ? '?' : s[k];
    cut[n] = 0;
    snprintf(buf, cap, "the string \"%s%s\"", cut, n < len ? "..." : "");
}

static void describe_number(lua_State *L, char *buf, size_t cap, int i) {
    if (lua_isinteger(L, i)) snprintf(buf, cap, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, i));
    else arr_num_text(buf, cap, lua_tonumber(L, i));
}

static void describe_object(lua_State *L, char *buf, size_t cap, int i) {
    arr_c128 z;
    char text[220];
    const arr *a = bind_test_arr(L, i);
    const op_val *v = bind_test_traced(L, i);
    const expr_node *f = bind_test_expr(L, i);
    if (v) {
        arr shown = {.ndim = dif_spec(v)->ndim};
        memcpy(shown.shape, dif_spec(v)->shape, sizeof shown.shape);
        snprintf(buf, cap, shown.ndim ? "a traced array of shape %s" : "a traced number",
                 arr_shape_text(text, sizeof text, &shown));
    } else if (a && !a->buf) snprintf(buf, cap, "a closed array");
    else if (a) snprintf(buf, cap, "an array of shape %s", arr_shape_text(text, sizeof text, a));
    else if (bind_test_complex(L, i, &z)) snprintf(buf, cap, "%s", bind_complex_text(text, sizeof text, z));
    else if (f) snprintf(buf, cap, expr_is_statement(f) ? "a statement" : "a formula");
    else if (luaL_getmetafield(L, i, "__name") == LUA_TSTRING) {
        snprintf(buf, cap, "a value of type %.60s", lua_tostring(L, -1));
        lua_pop(L, 1);
    } else snprintf(buf, cap, "a %s", luaL_typename(L, i));
}

/* A few words for the value at i. Calls no user code. */
void bind_describe(lua_State *L, char *buf, size_t cap, int i) {
    size_t len;
    const char *s;
    switch (lua_type(L, i)) {
    case LUA_TNONE: snprintf(buf, cap, "missing"); break;
    case LUA_TNIL: snprintf(buf, cap, "nil"); break;
    case LUA_TBOOLEAN: snprintf(buf, cap, lua_toboolean(L, i) ? "true" : "false"); break;
    case LUA_TNUMBER: describe_number(L, buf, cap, i); break;
    case LUA_TSTRING:
        s = lua_tolstring(L, i, &len);
        describe_string(buf, cap, s, len);
        break;
    default: describe_object(L, buf, cap, i);
    }
}

int bind_raise_arg(lua_State *L, int i, const char *who, const char *what, const char *wanted) {
    char seen[240];
    bind_reserve(L, 4);
    bind_describe(L, seen, sizeof seen, i);
    return bind_raisef(L, "%s: %s is %s; wanted %s", who, what, seen, wanted);
}

/* ---- the nearest name ---------------------------------------------------------------------------------- */

/* Pushes the nearest string key of the table at t (base/text.h), or nil when none is near; names that begin with _ are private. Ties go
 * to the alphabetically first, since the order of a table is no order. */
void bind_push_nearest(lua_State *L, const char *name, int t) {
    int best = -1;
    t = lua_absindex(L, t);
    lua_pushnil(L); /* the answer */
    for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "_";
        int d = key[0] == '_' ? -1 : ph_name_distance(name, key);
        if (d < 0 || (best >= 0 && (d > best || (d == best && strcmp(key, lua_tostring(L, -3)) > 0))))
            continue;
        best = d;
        lua_pushvalue(L, -2);
        lua_replace(L, -4);
    }
}

/* Pushes "; did you mean 'x'?", or nil. A question ends what is said. */
static const char *push_hint(lua_State *L, const char *name, int t) {
    bind_push_nearest(L, name, t);
    if (!lua_isnil(L, -1)) lua_pushfstring(L, "; did you mean '%s'?", lua_tostring(L, -1)), lua_remove(L, -2);
    return lua_tostring(L, -1);
}

/* Pushes the string keys of the table at t, sorted, with commas between. */
static const char *push_list(lua_State *L, int t) {
    int names = 0;
    t = lua_absindex(L, t);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) continue;
        lua_pushvalue(L, -2);
        lua_rawseti(L, -4, ++names);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_TABLIBNAME);
    lua_getfield(L, -1, "sort");
    lua_pushvalue(L, -4);
    lua_call(L, 1, 0);
    lua_getfield(L, -1, "concat");
    lua_pushvalue(L, -4);
    lua_pushliteral(L, ", ");
    lua_call(L, 2, 1);
    return names ? lua_tostring(L, -1) : "none";
}

int bind_raise_name(lua_State *L, const char *kind, const char *name, const char *of, int t) {
    bind_reserve(L, 8);
    const char *slip = strcmp(kind, "field") == 0  ? ph_slip_hint(PH_SLIP_FIELD, name)
                       : strcmp(kind, "name") == 0 ? ph_slip_hint(PH_SLIP_NAME, name)
                                                   : NULL;
    if (slip) return bind_raisef(L, "unknown %s '%.60s'%s; %s", kind, name, of, slip);
    const char *hint = push_hint(L, name, t);
    return bind_raisef(L, "unknown %s '%.60s'%s%s", kind, name, of, hint ? hint : "");
}

int bind_raise_kind(lua_State *L, const char *who, const char *kind, const char *name, int t) {
    const char *hint = push_hint(L, name, t);
    return bind_raisef(L, "%s: unknown %s '%.60s'%s", who, kind, name, hint ? hint : "");
}

/* How many keys a table at i has when all of them are keys of the table at t; 0 where it is none, or another key is among them. */
static int known_keys(lua_State *L, int i, int t) {
    int n = 0;
    if (!lua_istable(L, i)) return 0;
    i = lua_absindex(L, i);
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1), n++) {
        lua_pushvalue(L, -2);
        if (lua_rawget(L, t) == LUA_TNIL) return lua_pop(L, 3), 0;
        lua_pop(L, 1);
    }
    return n;
}

/* Pushes the field of the table at i that is a table of such options, of several the one with the most; or nil. A table that holds the
 * options of several functions was handed over as a whole. */
static const char *push_inside(lua_State *L, int i, int t) {
    int most = 0;
    bind_reserve(L, 8);
    lua_pushnil(L); /* the answer */
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
        int n = lua_type(L, -2) == LUA_TSTRING ? known_keys(L, -1, t) : 0;
        if (n < most || n == 0 || (n == most && strcmp(lua_tostring(L, -2), lua_tostring(L, -3)) > 0))
            continue;
        most = n;
        lua_pushvalue(L, -2);
        lua_replace(L, -4);
    }
    return lua_tostring(L, -1);
}

int bind_raise_option(lua_State *L, const char *who, const char *key, int t, int i) {
    t = lua_absindex(L, t);
    const char *inside = i ? push_inside(L, lua_absindex(L, i), t) : NULL;
    if (inside)
        return bind_raisef(L, "%s: unknown option '%.60s'; the table's field '%.60s' holds such options", who,
                           key, inside);
    const char *hint = push_hint(L, key, t);
    if (hint) return bind_raise_kind(L, who, "option", key, t);
    return bind_raisef(L, "%s: unknown option '%.60s'; wanted %s", who, key, push_list(L, t));
}

int bind_raise_unknown(lua_State *L, const char *of, const char *name, int t) {
    char tail[80];
    snprintf(tail, sizeof tail, " of %s", of);
    return bind_raise_name(L, "field", name, tail, t);
}

/* ---- checks -------------------------------------------------------------------------------------------- */

int64_t bind_check_int(lua_State *L, int i, const char *who, const char *what, int64_t lo, int64_t hi) {
    int ok = 0;
    int64_t v = lua_type(L, i) == LUA_TNUMBER ? lua_tointegerx(L, i, &ok) : 0;
    if (ok && v >= lo && v <= hi) return v;
    char wanted[96];
    if (hi == INT64_MAX && lo == INT64_MIN) snprintf(wanted, sizeof wanted, "an integer");
    else if (hi == INT64_MAX) snprintf(wanted, sizeof wanted, "an integer of at least %lld", (long long)lo);
    else snprintf(wanted, sizeof wanted, "an integer from %lld to %lld", (long long)lo, (long long)hi);
    return bind_raise_arg(L, i, who, what, wanted);
}

double bind_check_num(lua_State *L, int i, const char *who, const char *what) {
    if (lua_type(L, i) != LUA_TNUMBER) bind_raise_arg(L, i, who, what, "a number");
    return lua_tonumber(L, i);
}

#define SHOWN_ARGUMENTS 64 /* bytes: more is for the help */

/* What was wanted is shown as the help shows it. */
void bind_check_count(lua_State *L, const char *who, int lo, int hi) {
    int n = lua_gettop(L);
    if (n >= lo && n <= hi) return;
    char wanted[48];
    if (lo == hi) snprintf(wanted, sizeof wanted, "%d", lo);
    else snprintf(wanted, sizeof wanted, "%d to %d", lo, hi);
    const bind_row *row = bind_help_find(L, who); /* none for a method, whose object counts as an argument */
    bool shown = row && row->args && strlen(row->args) <= SHOWN_ARGUMENTS;
    bind_raisef(L, "%s: %d argument%s given; wanted %s%s%s%s%s%s", who, n, n == 1 ? "" : "s", wanted,
                shown ? ", as in " : "", shown ? who : "", shown ? "(" : "", shown ? row->args : "",
                shown ? ")" : "");
}

void bind_check_options(lua_State *L, int i, const char *who, const char *const *names) {
    i = lua_absindex(L, i);
    bind_reserve(L, 8);
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            bind_raise_arg(L, -2, who, "an option's name", "a string, as in {dtype=\"f32\"}");
        const char *key = lua_tostring(L, -2);
        int k = 0;
        while (names[k] && strcmp(names[k], key) != 0) k++;
        if (names[k]) continue;
        lua_newtable(L);
        for (k = 0; names[k]; k++) {
            lua_pushboolean(L, 1);
            lua_setfield(L, -2, names[k]);
        }
        bind_raise_option(L, who, key, -1, i);
    }
}
