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

#define NORM_ARGS                                                                                            \
    "x: an array; each row along the last axis by itself. gain: a number or one for each column."
#define NORM_EPS                                                                                             \
    " eps: added under the root, 1e-5 when left out; with {eps=0} a row without any spread is nan."

static const bind_row rows[] = {
    {.name = TOPIC},
    {"softmax", NULL, "x [, axis]",
     "e^x over the sum of e^x: weights that add up to 1.\n"
     "x: an array. axis: from 1, or from -1 at the end; the last when left out. The greatest element is "
     "subtracted first, so nothing overflows.\n"
     "-inf has weight exactly 0. Where everything is -inf, nothing can be chosen: the weights are then all 0. "
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
    {.name = NULL},
};

void bind_open_attention(lua_State *L) {
    bind_rows(L, rows);
    bind_load(L, "src/lua/attention.lua", "=phasor:attention");
    bind_push_lab(L);
    bind_push_help_tools(L);
    lua_call(L, 2, 0);
}
