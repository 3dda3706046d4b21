/* attention.c: attention and its parts as Lua functions: how their operations read arguments. */
#include <string.h>

#include "attention/attention.h"
#include "lua/bind.h"
#include "lua/state.h"

/* layer_norm(x [, {gain=, bias=, eps=}]): gain and bias become operands 2 and 3; a bias alone has gain 1. */
void bind_read_norm(lua_State *L, const op *row, bind_call *c) {
    static const char *const layer[] = {"gain", "bias", "eps", NULL}, *const rms[] = {"gain", "eps", NULL};
    bind_check_count(L, row->name, 1, 2);
    c->n = 1;
    c->attrs.num = 1e-5;
    if (lua_gettop(L) == 1) return;
    if (!lua_istable(L, 2)) bind_raise_arg(L, 2, row->name, "argument 2", "options such as {eps=0}");
    bind_check_options(L, 2, row->name, row->max_in == 3 ? layer : rms);
    lua_getfield(L, 2, "gain");
    lua_getfield(L, 2, "bias");
    if (lua_getfield(L, 2, "eps") != LUA_TNIL) c->attrs.num = bind_check_num(L, -1, row->name, "eps");
    lua_settop(L, 4);
    lua_remove(L, 2);
    if (!lua_isnil(L, 3)) {
        c->n = 3;
        if (!lua_isnil(L, 2)) return;
        lua_pushinteger(L, 1);
        lua_replace(L, 2);
    } else if (!lua_isnil(L, 2)) {
        c->n = 2;
    }
}

/* attention(Q, K, V [, options]), attention_weights(Q, K [, options]): mask and bias become further operands. */
void bind_read_attention(lua_State *L, const op *row, bind_call *c) {
    static const char *const names[] = {"mask", "bias", "scale", "causal", "window", NULL};
    int n = row->min_in, at = n + 1;
    bind_check_count(L, row->name, n, at);
    c->n = n;
    if (lua_isnoneornil(L, at)) return;
    if (!lua_istable(L, at))
        bind_raise_arg(L, at, row->name, "the last argument", "options such as {causal=true}");
    bind_check_options(L, at, row->name, names);
    memset(c->attrs.ints, 0, sizeof c->attrs.ints);
    c->attrs.nints = 3;
    if (lua_getfield(L, at, "scale") != LUA_TNIL) {
        c->attrs.ints[2] = 1;
        c->attrs.num = bind_check_num(L, -1, row->name, "scale");
    }
    if (lua_getfield(L, at, "causal") != LUA_TNIL && lua_type(L, -1) != LUA_TBOOLEAN)
        bind_raise_arg(L, -1, row->name, "causal", "true or false");
    c->attrs.ints[0] = lua_toboolean(L, -1);
    if (lua_getfield(L, at, "window") != LUA_TNIL)
        c->attrs.ints[1] = bind_check_int(L, -1, row->name, "window", 1, INT32_MAX);
    lua_settop(L, at);
    for (int t = 0; t < 2; t++)
        if (lua_getfield(L, at, names[t]) != LUA_TNIL) c->n++;
        else lua_pop(L, 1);
    lua_remove(L, at);
}

/* affine(x, W, b, cut): x W + b, and 0 for what is below when `cut`; x has two dimensions or more, all are of one type */
static int affine(lua_State *L) {
    bool cut = lua_toboolean(L, 4);
    return bind_call_op(L, cut ? "affine relu" : "affine", 3);
}

void bind_open_attention(lua_State *L) {
    static const luaL_Reg fused[] = {{"affine", affine}, {NULL, NULL}};
    luaL_newlib(L, fused);
    bind_provide(L, "phasor.fused"); /* what layers.lua runs in one pass where it can */
    bind_run(L, "phasor.lib.attention");
    bind_run(L, "phasor.train.layers");
    bind_help_ops(
        L, att_help); /* after the functions that the file puts in their places, so that help finds those */
}
