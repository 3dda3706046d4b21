/* attention.c: attention and its parts as Lua functions: how their operations read arguments, and their help. */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

#define TOPIC "# attention"

/* layer_norm(x [, {gain=, bias=, eps=}]): gain and bias become operands 2 and 3; a bias alone has gain 1. */
void bind_read_norm(lua_State *L, const op *row, bind_call *c) {
    static const char *const layer[] = {"gain", "bias", "eps", NULL}, *const rms[] = {"gain", "eps", NULL};
    bind_check_count(L, row->name, 1, 2);
    c->n = 1;
    c->par.num = 1e-5;
    if (lua_gettop(L) == 1) return;
    if (!lua_istable(L, 2)) bind_raise_arg(L, 2, row->name, "argument 2", "options such as {eps=0}");
    bind_check_options(L, 2, row->name, row->max_in == 3 ? layer : rms);
    lua_getfield(L, 2, "gain");
    lua_getfield(L, 2, "bias");
    if (lua_getfield(L, 2, "eps") != LUA_TNIL) c->par.num = bind_check_num(L, -1, row->name, "eps");
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
    memset(c->par.ints, 0, sizeof c->par.ints);
    c->par.nints = 3;
    if (lua_getfield(L, at, "scale") != LUA_TNIL) {
        c->par.ints[2] = 1;
        c->par.num = bind_check_num(L, -1, row->name, "scale");
    }
    if (lua_getfield(L, at, "causal") != LUA_TNIL && lua_type(L, -1) != LUA_TBOOLEAN)
        bind_raise_arg(L, -1, row->name, "causal", "true or false");
    c->par.ints[0] = lua_toboolean(L, -1);
    if (lua_getfield(L, at, "window") != LUA_TNIL)
        c->par.ints[1] = bind_check_int(L, -1, row->name, "window", 1, INT32_MAX);
    lua_settop(L, at);
    for (int t = 0; t < 2; t++)
        if (lua_getfield(L, at, names[t]) != LUA_TNIL) c->n++;
        else lua_pop(L, 1);
    lua_remove(L, at);
}

#define NORM_ARGS                                                                                            \
    "x: an array; each row along the last axis by itself. gain: a number or one for each column."
#define NORM_EPS                                                                                             \
    " eps: added under the root, 1e-5 when left out; with {eps=0} a row without any spread is nan."

#define OPTIONS                                                                                              \
    "\nmask: boolean, true where the query sees the key, or numbers to add (-inf hides). bias: numbers to "  \
    "add. Both "                                                                                             \
    "broadcast to (..., H, T, S). scale: 1/sqrt(d) when left out. causal: hides later keys; window: hides "  \
    "keys at a "                                                                                             \
    "distance of window or more. The last query stands at the last key."

static const bind_row rows[] = {
    {.name = TOPIC},
    {"softmax", NULL, "x [, axis]",
     "e^x over the sum of e^x: weights that add up to 1.\n"
     "x: an array. axis: from 1, or from -1 at the end; the last when left out. The greatest element is "
     "subtracted first, so nothing overflows.\n"
     "-inf has weight exactly 0. Where everything is -inf, nothing can be chosen: the weights are then all "
     "0. "
     "A line with nan or inf is nan throughout.",
     "softmax{0, 0}:totable()  --> {0.5, 0.5}\nsoftmax{1000, 1000, -inf}:totable()  --> {0.5, 0.5, 0.0}\n"
     "softmax{-inf, -inf}:totable()  --> {0.0, 0.0}"},
    {"layer_norm", NULL, "x [, {gain=, bias=, eps=1e-5}]",
     "Rows of mean 0 and variance 1: gain (x - mean) / sqrt(var + eps) + bias.\n" NORM_ARGS
     " bias: the same." NORM_EPS "\nWith eps > 0 the variance is v / (v + eps), a little under 1. Ba, Kiros "
     "and Hinton 2016.",
     "layer_norm({1, 3}, {eps=0}):totable()  --> {-1.0, 1.0}\n"
     "layer_norm({1, 3}, {eps=0, gain=9, bias={5, 6}}):totable()  --> {-4.0, 15.0}"},
    {"rms_norm", NULL, "x [, {gain=, eps=1e-5}]",
     "Rows of mean square 1: gain x / sqrt(mean(x^2) + eps).\n" NORM_ARGS NORM_EPS
     "\nZhang and Sennrich 2019.",
     "rms_norm({3, 3, -3}, {eps=0}):totable()  --> {1.0, 1.0, -1.0}"},
    {"attention", NULL, "Q, K, V [, {mask=, bias=, scale=, causal=, window=, need=}]",
     "Scaled dot-product attention: softmax(scale Q K^T + bias) V.\n"
     "Q: (..., H, T, d), K: (..., Hk, S, d), V: (..., Hk, S, dv); the result is (..., H, T, dv). H may be a "
     "multiple of "
     "Hk: then each key head serves H/Hk query heads in a row (grouped queries). " OPTIONS
     "\nneed: \"weights\" also returns the weights, (..., H, T, S); otherwise they are never stored and "
     "memory grows "
     "with T, not T^2.\n"
     "A hidden key takes no part, were its value nan. A query that sees no key gets zeros, not nan. nan or "
     "inf "
     "among the scores it sees makes its result nan.\nVaswani and others 2017, equation 1.",
     "X = array{{0}, {4}}\nattention(0*X, X, X, {causal=true}):totable()  --> {{0.0}, {2.0}}\n"
     "z, a = attention({{1}}, {{0}, {0}}, {{3}, {5}}, {need=\"weights\"})\n"
     "a:totable(), z(1, 1)  --> {{0.5, 0.5}}\t4.0\n"
     "attention({{1}}, {{0}}, {{3}}, {mask={{false}}}):totable()  --> {{0.0}}"},
    {"attention_weights", NULL, "Q, K [, {mask=, bias=, scale=, causal=, window=}]",
     "The weights of attention, softmax(scale Q K^T + bias): (..., H, T, S).\n"
     "Q: (..., H, T, d), K: (..., Hk, S, d). " OPTIONS
     "\nRows add up to 1; a hidden key has weight exactly 0, a "
     "query that sees no key has weights 0.",
     "attention_weights({{0}}, {{1}, {2}}):totable()  --> {{0.5, 0.5}}\n"
     "attention_weights({{1}}, {{0}, {0}}, {bias={0, -inf}})(1, 1)  --> 1.0"},
    {.name = NULL},
};

void bind_open_attention(lua_State *L) {
    bind_require(L, "phasor.lib.attention");
    bind_require(L, "phasor.train.layers");
    lua_pop(L, 2);
    bind_rows(L, rows); /* after the functions that the file puts in their places, so that help finds those */
}
