/* optimise.c: what optimise.lua and adamw.lua cannot do themselves: survive an interrupt with what they have, tell how far they have
 * come, and take a step of AdamW in one pass. Opens
 * hessian.lua too. */
#include "array/adamw.h"

#include <stdio.h>

#include "lua/state.h"

/* ---- an interrupt that costs nothing ------------------------------------------------------------------- */

static bool was_interrupted(lua_State *L) {
    bind_state *s = bind_state_of(L);
    if (s->on_caught) return s->on_caught(s->caught_ctx);
    bool seen = ph_interrupted();
    if (seen) ph_interrupt_flag = 0;
    return seen;
}

static int guarded_end(lua_State *L, int status, lua_KContext ctx) {
    (void)ctx;
    bool ended = status == LUA_OK || status == LUA_YIELD;
    if (!ended && !was_interrupted(L)) return bind_rethrow(L);
    lua_settop(L, 0);
    lua_pushboolean(L, ended);
    return 1;
}

/* guard(f) -> true when f() came to its end, false when it was interrupted; any other error goes on */
static int guard(lua_State *L) {
    lua_settop(L, 1);
    lua_pushcfunction(L, bind_users_words);
    lua_insert(L, 1);
    return guarded_end(L, lua_pcallk(L, 0, 0, 1, 0, guarded_end), 0);
}

/* ---- progress ------------------------------------------------------------------------------------------ */

static int begin(lua_State *L) {
    bind_progress_begin(bind_state_of(L));
    return 0;
}

/* tell(who, step, steps, value): to be called once a step; raises when interrupted */
static int tell(lua_State *L) {
    bind_state *s = bind_state_of(L);
    if (ph_interrupted()) {
        ph_err err;
        (void)ph_fail_interrupted(&err);
        return bind_raise(L, &err);
    }
    if (!bind_progress_due(s)) return 0;
    char value[32], text[120];
    lua_Integer step = lua_tointeger(L, 2), steps = lua_tointeger(L, 3);
    snprintf(text, sizeof text,
             s->lang == VER_ZH ? "%s：第 %lld 步，共 %lld 步，f = %s" : "%s: step %lld of %lld, f = %s",
             bind_check_text(L, 1), (long long)step, (long long)steps,
             arr_num_text(value, sizeof value, lua_tonumber(L, 4)));
    bind_tell(s, text, steps > 0 ? (double)step / (double)steps : 1);
    return 0;
}

/* due(): has long work run for a while, and does somebody want to hear of it? */
static int due(lua_State *L) {
    lua_pushboolean(L, bind_progress_due(bind_state_of(L)));
    return 1;
}

/* say(text or {en =, zh =}, fraction) */
static int say(lua_State *L) {
    const char *text = bind_said(L, 1, NULL);
    if (text) bind_tell(bind_state_of(L), text, lua_tonumber(L, 2));
    return 0;
}

/* clock(): seconds, for what is shown while something runs; no result depends on it */
static int clock_now(lua_State *L) {
    lua_pushnumber(L, ph_clock());
    return 1;
}

/* ---- a step of AdamW ------------------------------------------------------------------------------------- */

/* adamw_step(x, m, v, g, heavy, {keep_m=, add_m=, keep_v=, add_v=, step=, grow=, eps=, shrink=}): the next x, m and v */
static int adamw_step(lua_State *L) {
    static const char *const name[ARR_ADAMW_INPUTS] = {"x", "m", "v", "g", "heavy"};
    arr in[ARR_ADAMW_INPUTS], out[ARR_ADAMW_OUTPUTS], *held[ARR_ADAMW_OUTPUTS];
    arr_adamw_numbers p;
    const struct {
        const char *key;
        double *at;
    } numbers[] = {{"keep_m", &p.keep_m}, {"add_m", &p.add_m}, {"keep_v", &p.keep_v}, {"add_v", &p.add_v},
                   {"step", &p.step},     {"grow", &p.grow},   {"eps", &p.eps},       {"shrink", &p.shrink}};
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++)
        in[k] = *bind_check_arr(L, k + 1, "adamw", name[k]); /* the stack keeps them */
    if (!lua_istable(L, ARR_ADAMW_INPUTS + 1))
        return bind_raise_arg(L, ARR_ADAMW_INPUTS + 1, "adamw", "the step", "a table of numbers");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        lua_getfield(L, ARR_ADAMW_INPUTS + 1, numbers[k].key);
        *numbers[k].at = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    for (int k = 0; k < ARR_ADAMW_OUTPUTS; k++) held[k] = bind_new_arr(L);
    ph_err err;
    if (arr_adamw(out, in, &p, &err) != PH_OK) return bind_raise(L, &err);
    for (int k = 0; k < ARR_ADAMW_OUTPUTS; k++) *held[k] = out[k];
    return ARR_ADAMW_OUTPUTS;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

void bind_open_optimise(lua_State *L) {
    static const luaL_Reg own[] = {
        {"guard", guard},     {"begin", begin},           {"tell", tell}, {"due", due}, {"say", say},
        {"clock", clock_now}, {"adamw_step", adamw_step}, {NULL, NULL}};
    luaL_newlib(L, own);
    bind_provide(L, "phasor.guard");
    bind_run(L, "phasor.train.optimise");
    bind_run(L, "phasor.train.doors");
    bind_run(L, "phasor.lib.hessian");
}
