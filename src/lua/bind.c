/* bind.c: opens the laboratory, registers rows, and makes the tables a student's globals live in.
 *
 * Registry: &lab_key the table of functions, &state_key the bind_state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "verify/verdict.h"

static const char lab_key = 0, state_key = 0;

/* Below this many array bytes no collection is forced. Low, so that the next array gets memory that is still in a cache:
 * with 64 MB an addition of 10^6 numbers took four times as long. */
#define GC_FLOOR ((size_t)8 << 20)
#define GC_ROOM  ((size_t)32 << 20)
#define GC_AGAIN ((size_t)64 << 20)

bind_state *bind_state_of(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
    bind_state *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

static void new_state(lua_State *L) {
    bind_state *s = lua_newuserdatauv(L, sizeof *s, 0);
    memset(s, 0, sizeof *s);
    s->columns = s->narrow = 80;
    s->rows = 24;
    s->gc_limit = GC_FLOOR;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
}

void bind_set_progress(lua_State *L, bind_on_progress *on, void *ctx) {
    bind_state *s = bind_state_of(L);
    s->on_progress = on;
    s->progress_ctx = ctx;
}

#define QUIET 0.3 /* seconds before progress is told, and PACE between */
#define PACE  0.1

void bind_progress_begin(bind_state *s) { s->progress_due = ph_clock() + QUIET; }
bool bind_progress_due(const bind_state *s) { return s->on_progress && ph_clock() >= s->progress_due; }

void bind_tell(bind_state *s, const char *text, double fraction) {
    s->progress_due = ph_clock() + PACE;
    s->on_progress(s->progress_ctx, text, fraction);
}

void bind_set_caught(lua_State *L, bind_on_caught *on, void *ctx) {
    bind_state *s = bind_state_of(L);
    s->on_caught = on;
    s->caught_ctx = ctx;
}

void bind_set_screen(lua_State *L, int columns, int rows) {
    bind_state *s = bind_state_of(L);
    s->columns = columns < 20 ? 20 : columns;
    s->narrow = columns;
    s->rows = rows < 4 ? 4 : rows;
}

/* Lua sees 200 bytes where an array holds 8 MB. So the array bytes alive are watched: when they pass twice what survived
 * the last full collection, the next one runs. What a collection costs grows with Lua's own memory (a ms a MB), so twice
 * that is added to the least that has to be gained by it, up to a room that boxes just finalized cannot pass. And where the last one
 * freed next to nothing, what it found alive may live again, as what a step of training keeps for its way back does in every step. */
void bind_collect(lua_State *L) {
    if (ph_block_live() < GC_FLOOR) return;
    bind_state *s = bind_state_of(L);
    size_t before = ph_block_live();
    if (before >= s->gc_limit) {
        lua_gc(L, LUA_GCCOLLECT, 0);
        size_t after = ph_block_live();
        s->gc_again = after <= before - before / 4 ? 0 : after < GC_AGAIN ? after : GC_AGAIN;
        s->gc_limit = SIZE_MAX;
    }
    /* what has been freed since, by whatever means, lowers the limit: garbage may not be as large as what once lived */
    size_t live = ph_block_live(), lua = (size_t)lua_gc(L, LUA_GCCOUNT, 0) << 11;
    size_t least = GC_FLOOR + (lua < GC_ROOM ? lua : GC_ROOM) + s->gc_again;
    size_t limit = live + (live > least ? live : least);
    if (limit < s->gc_limit) s->gc_limit = limit;
}

bool bind_made_room(lua_State *L, ph_status st) {
    if (st == PH_ENOMEM) lua_gc(L, LUA_GCCOLLECT, 0);
    return st == PH_ENOMEM;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

void bind_push_lab(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &lab_key); }

/* "Array:copy" and "Array.shape": sets the function in the class's methods or getters. */
static void set_member(lua_State *L, const char *name, const char *sep, lua_CFunction fn) {
    lua_pushliteral(L, "phasor.");
    lua_pushlstring(L, name, (size_t)(sep - name));
    lua_concat(L, 2);
    if (lua_rawget(L, LUA_REGISTRYINDEX) != LUA_TTABLE) bind_raisef(L, "no class for the row %s", name);
    lua_getfield(L, -1, *sep == ':' ? "methods" : "getters");
    lua_pushcfunction(L, fn);
    lua_setfield(L, -2, sep + 1);
    lua_pop(L, 2);
}

void bind_rows(lua_State *L, const bind_row *rows) {
    const char *topic = "general";
    bind_reserve(L, 8);
    for (const bind_row *r = rows; r->name; r++) {
        if (r->name[0] == '#') {
            topic = r->name + 2;
            continue;
        }
        const char *sep = strpbrk(r->name, ":.");
        if (r->fn && sep) set_member(L, r->name, sep, r->fn);
        else if (r->fn) {
            bind_push_lab(L);
            lua_pushcfunction(L, r->fn);
            lua_setfield(L, -2, r->name);
            lua_pop(L, 1);
        }
        bind_help_add(L, r, topic);
    }
}

/* As rows without a function, which live as long as L. */
void bind_help_ops(lua_State *L, const op_help *help) {
    size_t n = 0;
    while (help[n].name) n++;
    bind_reserve(L, 8);
    bind_row *rows = lua_newuserdatauv(L, (n + 1) * sizeof *rows, 0);
    for (size_t i = 0; i <= n; i++)
        rows[i] = (bind_row){help[i].name, NULL, help[i].args, help[i].help, help[i].example};
    lua_rawsetp(L, LUA_REGISTRYINDEX, help);
    bind_rows(L, rows);
}

/* ---- classes ------------------------------------------------------------------------------------------- */

/* The string keys of both methods (upvalue 1) and getters (upvalue 2), in a new table: candidates for the
 * nearest name. */
static void push_members(lua_State *L) {
    lua_newtable(L);
    for (int u = 1; u <= 2; u++)
        for (lua_pushnil(L); lua_next(L, lua_upvalueindex(u)); lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_settable(L, -5);
        }
}

/* __index of every class: upvalues methods, getters, the class's name in words. */
int bind_class_index(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING)
        return bind_raise_arg(L, 2, lua_tostring(L, lua_upvalueindex(3)), "a key", "the name of a field");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    lua_CFunction get = lua_tocfunction(L, -1);
    lua_settop(L, 2);
    if (get) return get(L);
    push_members(L);
    return bind_raise_unknown(L, lua_tostring(L, lua_upvalueindex(3)), lua_tostring(L, 2), -1);
}

static void push_words(lua_State *L, const char *name) {
    char words[40];
    size_t n = strlen(name) < 30 ? strlen(name) : 30;
    int at = strchr("AEIOU", name[0]) ? 3 : 2;
    memcpy(words, at == 3 ? "an " : "a ", 3);
    for (size_t k = 0; k < n; k++) words[(size_t)at + k] = (char)(name[k] | 32);
    lua_pushlstring(L, words, (size_t)at + n);
}

void bind_class(lua_State *L, const char *name, bind_kind kind, const luaL_Reg *metamethods) {
    bind_reserve(L, 8);
    lua_newtable(L);
    lua_pushfstring(L, "phasor.%s", name);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
    lua_pushinteger(L, kind);
    lua_rawsetp(L, -2, &bind_kind_key);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__metatable");
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, -2);
    lua_setfield(L, -4, "methods");
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "getters");
    push_words(L, name);
    lua_pushcclosure(L, bind_class_index, 3);
    lua_setfield(L, -2, "__index");
    luaL_setfuncs(L, metamethods, 0);
}

/* ---- a student's globals ------------------------------------------------------------------------------- */

/* upvalues: 1 the laboratory, 2 the names warned of, 3 the names assigned */
static int env_newindex(lua_State *L) {
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_pushvalue(L, 2);
        lua_pushboolean(L, 1);
        lua_rawset(L, lua_upvalueindex(3));
        lua_pushvalue(L, 2);
        bool ours = lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL;
        lua_pushvalue(L, 2);
        if (ours && lua_rawget(L, lua_upvalueindex(2)) == LUA_TNIL) {
            lua_pushvalue(L, 2);
            lua_pushboolean(L, 1);
            lua_rawset(L, lua_upvalueindex(2));
            const char *name = lua_tostring(L, 2);
            bind_warn(L,
                      lua_pushfstring(L, "'%s' now hides the laboratory's own; '%s = nil' brings that back",
                                      name, name));
        }
        lua_settop(L, 3);
    }
    lua_rawset(L, 1);
    return 0;
}

/* __index of the table of all names, the last resort. upvalues: 1 the names assigned, 2 the environment */
static int unknown_name(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    bind_push_lab(L); /* a row registered after this environment was made */
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        lua_pushnil(L);
        return 1;
    }
    lua_newtable(L);
    for (int t = 0; t < 2; t++)
        for (lua_pushnil(L); lua_next(L, t ? lua_upvalueindex(2) : 1); lua_pop(L, 1)) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, -5);
        }
    return bind_raise_name(L, "name", lua_tostring(L, 2), "", -1);
}

static void copy_into(lua_State *L, int to, int from) {
    for (lua_pushnil(L); lua_next(L, from);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
}

void bind_env(lua_State *L) {
    bind_reserve(L, 16);
    lua_newtable(L);
    int env = lua_gettop(L), names = env + 1, lab = env + 2, declared = env + 3;
    lua_createtable(L, 0, 300); /* about all of them: to grow on the way takes longer */
    bind_push_lab(L);
    lua_newtable(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_GNAME);
    copy_into(L, names, lua_gettop(L));
    copy_into(L, names, lab);
    lua_pushvalue(L, lab);
    lua_setfield(L, names, "phasor");
    lua_pushvalue(L, env);
    lua_setfield(L, env, LUA_GNAME);

    lua_createtable(L, 0, 1); /* names: falls to unknown_name */
    lua_pushvalue(L, declared);
    lua_pushvalue(L, env);
    lua_pushcclosure(L, unknown_name, 2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, names);

    lua_createtable(L, 0, 2); /* env: falls to names */
    lua_pushvalue(L, names);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, lab);
    lua_newtable(L);
    lua_pushvalue(L, declared);
    lua_pushcclosure(L, env_newindex, 3);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, env);
    lua_settop(L, env);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* phasor.sni: the nearest name, as everywhere. */
static int lab_index(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    return bind_raise_unknown(L, "the laboratory", lua_tostring(L, 2), 1);
}

/* print(1/3) shows every digit that counts: numbers get a tostring of their own. */
static int number_tostring(lua_State *L) {
    char buf[48];
    if (lua_isinteger(L, 1)) {
        lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, 1));
        return 1;
    }
    lua_pushstring(L, arr_num_text(buf, sizeof buf, lua_tonumber(L, 1)));
    return 1;
}

static void open_numbers(lua_State *L) {
    static const luaL_Reg meta[] = {{"__tostring", number_tostring}, {NULL, NULL}};
    lua_pushnumber(L, 0);
    luaL_newlib(L, meta);
    lua_pushliteral(L, "number");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

static void open_constants(lua_State *L) {
    static const bind_row rows[] = {
        {.name = "# numbers"},
        {"pi", NULL, "", "The number π, 3.14159...", "pi  --> 3.141592653589793"},
        {"π", NULL, "", "The number pi under its own letter.\nAt the prompt \\pi and Tab type it.",
         "phasor[\"π\"] == pi  --> true"},
        {"inf", NULL, "", "Infinity.", "1/inf  --> 0.0"},
        {"nan", NULL, "", "Not a number; unequal to everything, itself included.", "nan == nan  --> false"},
        {.name = NULL}};
    lua_pushnumber(L, 3.14159265358979323846);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "pi");
    lua_setfield(L, -2, "π");
    lua_pushnumber(L, INFINITY);
    lua_setfield(L, -2, "inf");
    lua_pushnumber(L, NAN);
    lua_setfield(L, -2, "nan");
    bind_rows(L, rows);
}

/* The prelude returns the functions that C calls. */
static void open_prelude(lua_State *L) {
    bind_require(L, "phasor.lib.prelude");
    lua_setfield(L, LUA_REGISTRYINDEX, "phasor.prelude");
}

/* Which of the compiled forms of a kernel run here, and on how many threads. */
static char *cpu_text(char *buf, size_t cap) {
    static const char *const level[] = {"baseline", "AVX2", "AVX-512"};
    int n = ph_threads();
    snprintf(buf, cap, "kernels for %s, %d thread%s", level[ph_cpu()], n, n == 1 ? "" : "s");
    return buf;
}

/* Fields of the version table that are asked for when somebody looks, since to know them opens a library. */
static int version_index(lua_State *L) {
    char text[192];
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *name = lua_tostring(L, 2);
    if (strcmp(name, "blas") == 0) lua_pushstring(L, arr_blas_text(text, sizeof text));
    else if (strcmp(name, "lapack") == 0) lua_pushstring(L, arr_lapack_text(text, sizeof text));
    else if (strcmp(name, "flint") == 0) lua_pushstring(L, ver_flint_text(text, sizeof text));
    else if (strcmp(name, "cpu") == 0) return lua_pushstring(L, cpu_text(text, sizeof text)), 1;
    else return bind_raise_unknown(L, "phasor.version", name, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, 1, name);
    return 1;
}

static int version_next(lua_State *L) {
    lua_settop(L, 2);
    return lua_next(L, 1) ? 2 : 0;
}

/* pairs(version) has all but the cpu, which is no version. */
static int version_pairs(lua_State *L) {
    static const char *const late[] = {"blas", "lapack", "flint"};
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        lua_getfield(L, 1, late[i]);
        lua_pop(L, 1);
    }
    lua_pushcfunction(L, version_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* What a report sets beside its figures. BLAS and LAPACK are named by the room that calls them. */
static void open_version(lua_State *L) {
    static const bind_row rows[] = {
        {.name = "# help"},
        {"version", NULL, "", "The versions of the laboratory and its libraries, a table: phasor.version.",
         "type(phasor.version.lua)  --> string"},
        {.name = NULL}};
    bind_push_lab(L);
    lua_createtable(L, 0, 6);
    lua_pushliteral(L, PH_VERSION);
    lua_setfield(L, -2, "phasor");
    lua_pushliteral(L, LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE);
    lua_setfield(L, -2, "lua");
    lua_pushstring(L, file_zlib_text());
    lua_setfield(L, -2, "zlib");
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, version_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, version_pairs);
    lua_setfield(L, -2, "__pairs");
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, "version");
    lua_pop(L, 1);
    bind_rows(L, rows);
}

/* Numbers, arrays, their operations and the help on them. */
static void open_arrays(lua_State *L) {
    open_numbers(L);
    open_constants(L);
    bind_open_complex(L);
    bind_open_array(L);
    bind_open_traced(L);
    bind_open_construct(L);
    bind_open_ops(L);
    bind_open_select(L);
    bind_help_ops(L, arr_help_elementwise);
    bind_help_ops(L, arr_help_shape);
    bind_help_ops(L, arr_help_linalg);
}

/* Lua makes the metatable of its large buffers with the first of them. Were memory refused between the table and its functions, the table
 * would stay as it is, and every large buffer from then on would end in "a non-closable value" (Lua 5.4.4). */
static void make_first_buffer(lua_State *L) {
    luaL_Buffer b;
    luaL_buffinitsize(L, &b, LUAL_BUFFERSIZE + 1);
    luaL_pushresultsize(&b, 0);
    lua_pop(L, 1);
}

int bind_open(lua_State *L) {
    bind_reserve(L, 20);
    make_first_buffer(L);
    new_state(L);
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, lab_index);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lab_key);
    lua_pushvalue(L, -1);
    bind_provide(L, "phasor");
    bind_open_modules(L);
    bind_open_help(L);
    bind_push_help_tools(L);
    bind_provide(L, "phasor.tools");
    bind_run(L, "phasor.lib.language");
    open_arrays(L);
    open_version(L);
    bind_open_dd(L);
    bind_open_files(L);
    bind_open_verify(L);
    bind_open_parcel(L);
    open_prelude(L);
    bind_run(L, "phasor.course.names");
    bind_open_attention(L);
    bind_open_diff(L);
    bind_open_expr(L);
    bind_open_encoding(L);
    bind_open_analysis(L);
    bind_open_atlas(L);
    bind_open_plot(L);
    bind_run(L, "phasor.lib.mime");
    return 1;
}
