/* atlas.c: the laws of every encoding, src/lua/atlas.lua, and how it writes a verdict down. */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

static const char *text_field(lua_State *L, const char *name) {
    return lua_getfield(L, 1, name) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
}

/* verdict{strength=, statement=, conditions=, witness=, method=, why=, undefined= or needs_data= or unknown=, value=, bound=,
 * size=}: for atlas.lua alone, which gives one only after prove, enclose, measure or an exact comparison has decided. */
static int verdict(lua_State *L) {
    static const struct {
        const char *name;
        ver_reason reason;
    } reasons[] = {
        {"undefined", VER_DOMAIN}, {"needs_data", VER_NEEDS_DATA}, {"unknown", VER_OUTSIDE_THEORY}};
    ph_err err;
    ver_verdict *v = bind_new_verdict(L);
    int at = lua_gettop(L);
    struct {
        const char *name;
        char **field;
    } texts[] = {{"statement", &v->statement},
                 {"conditions", &v->conditions},
                 {"witness", &v->witness},
                 {"method", &v->method},
                 {"why", &v->why}};
    const char *strength = text_field(L, "strength");
    if (strength && !ver_strength_parse(&v->strength, strength))
        return bind_raisef(L, "atlas: no strength is called '%s'", strength);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const char *text = text_field(L, texts[k].name);
        if (text && ver_set(texts[k].field, &err, "%s", text) != PH_OK) return bind_raise(L, &err);
    }
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
        const char *text = text_field(L, reasons[k].name);
        if (!text) continue;
        v->reason = reasons[k].reason;
        if (ver_set(&v->reason_text, &err, "%s", text) != PH_OK) return bind_raise(L, &err);
    }
    if (lua_getfield(L, 1, "size") == LUA_TNUMBER) v->size = (int64_t)lua_tointeger(L, -1);
    lua_settop(L, at);
    return 1;
}

/* contradiction(text): a verdict that the function itself belies is an error of this program. */
static int contradiction(lua_State *L) {
    ph_err err;
    (void)ph_fail(&err, PH_EBUG, "%s", lua_tostring(L, 1));
    return bind_raise(L, &err);
}

/* Pushes what a file returns, called with the laboratory and the n values at the top, which it takes. */
static void run_file(lua_State *L, const char *path, const char *chunk, int n) {
    bind_load(L, path, chunk);
    bind_push_lab(L);
    lua_rotate(L, -n - 2, 2);
    lua_call(L, n + 1, 1);
}

static const char atlas_key = 0;

/* The function is made when it is first called: most sessions never ask, and each would pay for reading a thousand lines. */
static int atlas(lua_State *L) {
    int n = lua_gettop(L);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &atlas_key) == LUA_TNIL) {
        lua_pop(L, 1);
        bind_room(L, 16);
        run_file(L, "src/lua/shapes.lua", "=phasor:shapes", 0);
        lua_pushvalue(L, -1);
        lua_pushcfunction(L, bind_try);
        run_file(L, "src/lua/subject.lua", "=phasor:subject", 2);
        lua_pushcfunction(L, verdict);
        lua_rotate(L, -3, 1);
        lua_pushcfunction(L, bind_try);
        run_file(L, "src/lua/tried.lua", "=phasor:tried", 0);
        lua_pushcfunction(L, contradiction);
        run_file(L, "src/lua/laws.lua", "=phasor:laws", 6);
        bind_push_help_tools(L);
        lua_insert(L, -2);
        run_file(L, "src/lua/atlas.lua", "=phasor:atlas", 2);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &atlas_key);
    }
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# positional encodings"},
    {"atlas", atlas, "[name] [, {N=512}]",
     "Every encoding against every law, with a verdict in each cell.\n"
     "Printed, a table of marks; atlas().rope is a row, atlas().rope.even a verdict, with its witness where "
     "it "
     "is refuted. atlas(\"rope\") prints a row in full. N: how many positions were trained on, for the laws "
     "injective and extrapolates.\n"
     ":json() and :markdown() give the table as text; .rows and .laws for programs. A row has one field for "
     "each law, and name, encoding, kind, title, sample, learned (numbers), broken_claims.\n"
     "The rows are the samples of the descriptors, encodings().rope.sample; what is proved of one holds for "
     "its arguments.",
     "atlas().rope.relative.strength  --> proved\natlas(\"alibi\").bounded.holds  --> false\n"
     "atlas().rope.norm_keeping.holds  --> true\n"
     "atlas(\"roep\")  --> error: unknown encoding 'roep'; did you mean 'rope'?"},
    {.name = NULL},
};

void bind_open_atlas(lua_State *L) { bind_rows(L, rows); }
