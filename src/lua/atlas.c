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

void bind_open_atlas(lua_State *L) {
    bind_load(L, "src/lua/shapes.lua", "=phasor:shapes");
    bind_push_lab(L);
    lua_call(L, 1, 1);
    int shapes = lua_gettop(L);
    bind_load(L, "src/lua/subject.lua", "=phasor:subject");
    bind_push_lab(L);
    lua_pushvalue(L, shapes);
    lua_call(L, 2, 1);
    bind_load(L, "src/lua/laws.lua", "=phasor:laws");
    bind_push_lab(L);
    lua_pushcfunction(L, verdict);
    lua_pushvalue(L, shapes);
    lua_pushvalue(L, shapes + 1);
    lua_call(L, 4, 1);
    bind_load(L, "src/lua/atlas.lua", "=phasor:atlas");
    bind_push_lab(L);
    bind_push_help_tools(L);
    lua_pushvalue(L, shapes + 2);
    lua_call(L, 3, 0);
    lua_settop(L, shapes - 1);
}
