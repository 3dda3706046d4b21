/* measure.c: a verdict from deviations and a derived bound. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "verify/told.h"

enum { ARG, VERDICT, CLAIM, WHY, BOUND, VALUE, F, AT, SAMPLES, SEED }; /* stack slots, ARG at 1 */
#define SLOT(s) ((s) + 1)

static void set(lua_State *L, char **field, const char *text) {
    ph_err err;
    if (ver_set(field, &err, "%s", text) != PH_OK) bind_raise(L, &err);
}

/* A number is at most as long as this in a message. */
static int64_t option_int(lua_State *L, int slot, const char *what, int64_t otherwise, int64_t lo) {
    return lua_isnil(L, SLOT(slot)) ? otherwise
                                    : bind_check_int(L, SLOT(slot), "measure", what, lo, INT64_MAX);
}

static double check_bound(lua_State *L, double bound) {
    if (!isfinite(bound) || bound < 0) {
        char text[32];
        bind_raisef(L, "measure: bound is %s; wanted a finite number from 0",
                    arr_num_text(text, sizeof text, bound));
    }
    return bound;
}

static void check(lua_State *L, ph_status st, ph_err *err) {
    if (st != PH_OK) bind_raise(L, err);
}

/* What f or `at` says of the worst sample, on top of the stack, is popped; nil says nothing. */
static void keep_witness(lua_State *L, ver_verdict *v) {
    ph_free(v->witness);
    v->witness = NULL;
    if (!lua_isnil(L, -1)) set(L, &v->witness, luaL_tolstring(L, -1, NULL)), lua_pop(L, 1);
    lua_pop(L, 1);
}

/* Refuses Lua's integers beyond 2^53 at i, in the tables of an operand too: an f64 holds few of them, and a difference that wrapped is one. */
static void refuse_large(lua_State *L, int i, const char *what) {
    static const int64_t largest = INT64_C(1) << 53;
    int64_t n = lua_isinteger(L, i) ? lua_tointeger(L, i) : 0;
    if (n > largest || n < -largest)
        bind_raisef(L,
                    "measure: %s is %lld; wanted a float, or an integer up to 2^53: beyond it an f64 rounds "
                    "integers, and Lua's may have wrapped",
                    what, (long long)n);
    if (!lua_istable(L, i)) return;
    bind_reserve(L, 4);
    for (lua_Integer k = 1; lua_rawgeti(L, i, k) != LUA_TNIL; k++) {
        refuse_large(L, lua_gettop(L), what);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The array at i, or what stands there as one. A table is looked at after it was read: one that holds itself has no end. */
static const arr *operand(lua_State *L, int i, const char *what) {
    lua_pushvalue(L, i);
    const int given = lua_gettop(L);
    const arr *x = bind_operand(L, i, "measure", what);
    refuse_large(L, given, what);
    lua_remove(L, given);
    return x;
}

/* |x| as contiguous f64. */
static const arr *absolute(lua_State *L, int i, const char *what, const char *wanted) {
    if (lua_isboolean(L, i)) bind_raise_arg(L, i, "measure", what, wanted);
    const arr *x = operand(L, i, what);
    if (x->dtype == ARR_BOOL) bind_raise_arg(L, i, "measure", what, wanted);
    arr *size = bind_new_arr(L), *whole = bind_new_arr(L);
    ph_err err;
    if (op_call1(size, "abs", x, &err) != PH_OK || arr_contiguous(whole, size, ARR_F64, &err) != PH_OK)
        bind_raise(L, &err);
    return whole;
}

/* The largest of what f returned; no number where one of them is none. */
static double largest(lua_State *L, int i) {
    static const char what[] = "what f returned", wanted[] = "numbers, the deviations";
    if (lua_type(L, i) == LUA_TNUMBER) {
        refuse_large(L, i, what);
        return lua_tonumber(L, i);
    }
    if (!lua_istable(L, i) && !lua_isuserdata(L, i)) bind_raise_arg(L, i, "measure", what, wanted);
    const arr *x = absolute(L, i, what, wanted);
    const double *value = (const double *)x->data;
    int64_t n = arr_size(x);
    if (!n) bind_raise_arg(L, i, "measure", what, wanted);
    double most = 0;
    for (int64_t k = 0; k < n && !isnan(most); k++)
        if (!(value[k] <= most)) most = value[k];
    return most;
}

/* Runs f(g), `samples` times; f returns a deviation or an array of them and, if it likes, where it was. */
static void measure_function(lua_State *L, ver_verdict *v, ver_tally *t) {
    int64_t samples = option_int(L, SAMPLES, "samples", 1000, 1),
            seed = option_int(L, SEED, "seed", 1, INT64_MIN);
    double bound = check_bound(L, bind_check_num(L, SLOT(BOUND), "measure", "bound"));
    refuse_large(L, SLOT(BOUND), "bound");
    lua_settop(L, SLOT(SEED));
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "phasor");
    lua_getfield(L, -1, "rng");
    lua_pushinteger(L, (lua_Integer)seed);
    lua_call(L, 1, 1);
    int g = lua_gettop(L);
    for (int64_t k = 0; k < samples; k++) {
        lua_pushvalue(L, SLOT(F));
        lua_pushvalue(L, g);
        lua_call(L, 1, 2);
        double worst = largest(L, g + 1);
        lua_settop(L, g + 2);
        if (ver_tally_add(t, worst, bound)) keep_witness(L, v);
        lua_settop(L, g);
    }
    ph_err err;
    ver_told *told;
    check(L, ver_told_of(&told, v, &err), &err);
    told->extent = VER_SEEDED;
    told->count = seed;
    if (t->refused) check(L, ver_tell_sample(told, t->worst + 1, &err), &err);
    set(L, &v->method, "seeded samples");
}

/* The bounds, broadcast to the deviations' shape. */
static const arr *bounds_like(lua_State *L, const arr *x) {
    const arr *b = operand(L, SLOT(BOUND), "bound");
    if (b->dtype == ARR_C128 || b->dtype == ARR_BOOL)
        bind_raise_arg(L, SLOT(BOUND), "measure", "bound", "real numbers");
    arr *wide = bind_new_arr(L), *whole = bind_new_arr(L);
    ph_err err;
    if (arr_broadcast_to(wide, b, x->ndim, x->shape, &err) != PH_OK)
        bind_raise_from(L, "measure: bound", &err);
    if (arr_contiguous(whole, wide, ARR_F64, &err) != PH_OK) bind_raise(L, &err);
    return whole;
}

/* The place of element `flat`, counted from 1, and what at(i, j, …) says of it. */
static void keep_place(lua_State *L, ver_verdict *v, const arr *x, int64_t flat) {
    int64_t index[ARR_MAXDIM];
    ph_err err;
    ver_told *told;
    for (int d = x->ndim - 1; d >= 0; d--) {
        index[d] = flat % x->shape[d] + 1;
        flat /= x->shape[d];
    }
    check(L, ver_told_of(&told, v, &err), &err);
    check(L, ver_tell_place(told, index, x->ndim, &err), &err);
    if (lua_isnil(L, SLOT(AT))) return;
    if (!lua_checkstack(L, ARR_MAXDIM + 2)) bind_raisef(L, "measure: the stack is full");
    lua_pushvalue(L, SLOT(AT));
    for (int d = 0; d < x->ndim; d++) lua_pushinteger(L, (lua_Integer)index[d]);
    lua_call(L, x->ndim, 1);
    keep_witness(L, v);
}

static void measure_value(lua_State *L, ver_verdict *v, ver_tally *t) {
    if (!lua_isnil(L, SLOT(SEED)))
        bind_raisef(L, "measure: seed goes with f; value says all its deviations at once");
    const arr *x = absolute(L, SLOT(VALUE), "value", "numbers, the deviations"), *b = bounds_like(L, x);
    const double *value = (const double *)x->data, *bound = (const double *)b->data;
    int64_t n = arr_size(x);
    for (int64_t i = 0; i < n; i++) ver_tally_add(t, value[i], check_bound(L, bound[i]));
    if (t->worst >= 0 && t->refused) keep_place(L, v, x, t->worst);
    set(L, &v->method, "every value given");
}

static void check_function(lua_State *L, int slot, const char *what) {
    if (!lua_isnil(L, SLOT(slot)) && !lua_isfunction(L, SLOT(slot)))
        bind_raise_arg(L, SLOT(slot), "measure", what, "a function");
}

static const char *check_words(lua_State *L, int slot, const char *what, const char *wanted, bool needed) {
    bool absent = lua_isnil(L, SLOT(slot)) && !needed;
    if (!absent && (lua_type(L, SLOT(slot)) != LUA_TSTRING || lua_rawlen(L, SLOT(slot)) == 0))
        bind_raise_arg(L, SLOT(slot), "measure", what, wanted);
    return lua_tostring(L, SLOT(slot));
}

/* A claim in both languages is the caption too; the English one is the statement. */
static void claim_in_both(lua_State *L) {
    if (!lua_istable(L, SLOT(CLAIM))) return;
    lua_pushvalue(L, SLOT(CLAIM));
    if (!bind_is_caption(L))
        bind_raise_arg(L, SLOT(CLAIM), "measure", "claim",
                       "the statement, in words, or {en = text, zh = text}");
    lua_setiuservalue(L, SLOT(VERDICT), 1);
    lua_getfield(L, SLOT(CLAIM), "en");
    lua_replace(L, SLOT(CLAIM));
}

/* measure{claim=, value= | f=, samples=, seed=, bound=, why=, at=} */
static int measure(lua_State *L) {
    static const char *const names[] = {"claim", "why",     "bound", "value",   "f",
                                        "at",    "samples", "seed",  "caption", NULL};
    double began = ph_clock();
    ph_err err;
    bind_check_count(L, "measure", 1, 1);
    bind_check_named(L, 1, "measure", names);
    ver_verdict *v = bind_new_verdict(L);
    for (int k = 0; names[k]; k++) lua_getfield(L, 1, names[k]);
    claim_in_both(L);
    const char *claim = check_words(L, CLAIM, "claim", "the statement, in words", false);
    const char *why = check_words(L, WHY, "why", "how the bound is derived, in words", true);
    if (lua_isnil(L, SLOT(F)) == lua_isnil(L, SLOT(VALUE)))
        return bind_raisef(L,
                           "measure: wanted either value (the deviations) or f (a function that yields one)");
    check_function(L, F, "f");
    check_function(L, AT, "at");
    if (lua_isnil(L, SLOT(BOUND)))
        bind_raise_arg(L, SLOT(BOUND), "measure", "bound", "what the deviation may be at most");
    if (claim) set(L, &v->statement, claim);
    set(L, &v->why, why);
    ver_tally t = VER_TALLY_START;
    int64_t observed = lua_isnil(L, SLOT(F)) ? option_int(L, SAMPLES, "samples", 0, 1) : 0;
    if (lua_isnil(L, SLOT(F))) measure_value(L, v, &t);
    else measure_function(L, v, &t);
    if (ver_tally_end(v, &t, &err) != PH_OK) return bind_raise(L, &err);
    if (observed > 0 && t.samples > 0) v->size = observed;
    if (v->strength != VER_REFUTED) {
        ph_free(v->witness);
        v->witness = NULL;
    }
    v->time = ph_clock() - began;
    lua_settop(L, SLOT(VERDICT));
    bind_caption(L, SLOT(VERDICT), 1, "measure");
    return 1;
}

static const bind_row rows[] = {
    {.name = "# verdicts"},
    {"measure", measure,
     "{value= or f=, bound=, why= [, claim=] [, at=] [, samples=] [, seed=] [, caption=]}",
     "A verdict from deviations, held against a derived bound.\n"
     "value: a number or array of deviations; its absolute values count. Or f: a function that takes a "
     "generator, draws a sample and returns the deviation, or an array of them, and, if it likes, where that "
     "was; it is called samples times (1000) with rng(seed) (1).\n"
     "bound: the most a deviation may be: a number or, with value, an array that broadcasts to it.\n"
     "why: the derivation of the bound. It must be said: a bound found by trying proves nothing.\n"
     "samples: with value, of how many observations it was computed, where that is not what it holds.\n"
     "claim: the statement in words, or {en = text, zh = text}, which is its caption as well (see Verdict.caption). at: with value, a function of the worst element's indices that says "
     "where that is.\n"
     "The worst deviation is kept; when it is not finite or beyond its bound the verdict is refuted, with "
     "that as the witness. No deviation at all: unknown.",
     "v = measure{value=0.5, bound=1, why=\"rounding\"}\n"
     "v  --> measured: max deviation 0.5 ≤ 1 (1 sample)\n"
     "v = measure{value={0, 3}, bound=1, why=\"the claim\"}\n"
     "v  --> refuted: at [2]: max deviation 3 > 1 (2 samples)\n"
     "function f(g) local x = rand(g) return cos(x)^2 + sin(x)^2 - 1 end\n"
     "measure{f=f, bound=2^-51, why=\"four roundings below 1\"}.holds  --> true\n"
     "measure{f=f, bound=2^-51, why=\"\"}  --> error: wanted how the bound"},
    {.name = NULL},
};

void bind_open_measure(lua_State *L) { bind_rows(L, rows); }
