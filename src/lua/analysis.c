/* analysis.c: what analysis.h computes, as Lua functions; analysis.lua holds what is better said in Lua. */
#include "attention/analysis.h"

#include "lua/bind.h"
#include "lua/state.h"

/* The dd at i as it is, a number list or array with low parts 0. It stands at i afterwards. */
static const arr_dd *frequencies(lua_State *L, int i, const char *who) {
    arr_dd *theta = bind_test_dd(L, i);
    if (theta) return theta;
    if (!lua_istable(L, i) && !bind_test_arr(L, i))
        bind_raise_arg(L, i, who, "theta",
                       "frequencies: dd(rope_frequencies(d)), an array or a list of numbers");
    return bind_dd_operand(L, i, who);
}

/* decay_curve(theta, k [, {weights=, first=}]) */
static int decay_curve(lua_State *L) {
    static const char who[] = "decay_curve", *const names[] = {"weights", "first", NULL};
    ph_err err;
    double first = 0;
    const arr *w = NULL, *list = NULL;
    bind_check_count(L, who, 2, 3);
    lua_settop(L, 3);
    const arr_dd *theta = frequencies(L, 1, who);
    int64_t n = 0;
    if (lua_istable(L, 2) || bind_test_arr(L, 2)) list = bind_operand(L, 2, who, "k");
    else n = bind_check_int(L, 2, who, "k", 0, INT64_MAX);
    if (!lua_isnil(L, 3)) {
        if (!lua_istable(L, 3)) bind_raise_arg(L, 3, who, "the last argument", "options such as {first=1}");
        bind_check_options(L, 3, who, names);
        if (lua_getfield(L, 3, "first") != LUA_TNIL) {
            if (list) bind_raisef(L, "%s: first beside a list of distances; it goes with a count", who);
            first = bind_check_num(L, -1, who, "first");
        }
        if (lua_getfield(L, 3, "weights") != LUA_TNIL) w = bind_operand(L, lua_gettop(L), who, "weights");
    }
    arr *out = bind_new_arr(L);
    if (att_decay_curve(out, theta, w, first, n, list, &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

/* {causal = true} at i */
static bool causal_option(lua_State *L, int i, const char *who) {
    static const char *const names[] = {"causal", NULL};
    if (lua_isnil(L, i)) return false;
    if (!lua_istable(L, i)) bind_raise_arg(L, i, who, "the last argument", "options such as {causal=true}");
    bind_check_options(L, i, who, names);
    if (lua_getfield(L, i, "causal") != LUA_TNIL && !lua_isboolean(L, -1))
        bind_raise_arg(L, -1, who, "causal", "true or false");
    return lua_toboolean(L, -1);
}

static int push_scalar(lua_State *L, arr *a) {
    arr copy = arr_ref(a);
    bind_push_result(L, &copy);
    return 1;
}

/* Leaves part, deviation, spread on the stack, from index 3. */
static void project(lua_State *L, const char *who) {
    ph_err err;
    bind_check_count(L, who, 1, 2);
    lua_settop(L, 2);
    const arr *a = bind_operand(L, 1, who, "A");
    bool lower = causal_option(L, 2, who);
    lua_settop(L, 2);
    arr *part = bind_new_arr(L), *deviation = bind_new_arr(L), *spread = bind_new_arr(L);
    if (att_toeplitz(part, deviation, spread, a, lower, who, &err) != PH_OK) bind_raise(L, &err);
}

static int toeplitz_part(lua_State *L) {
    project(L, "toeplitz_part");
    lua_settop(L, 3);
    return 1;
}

static int relativity_deviation(lua_State *L) {
    project(L, "relativity_deviation");
    return push_scalar(L, bind_test_arr(L, 4)) + push_scalar(L, bind_test_arr(L, 5));
}

static int injectivity_margin(lua_State *L) {
    ph_err err;
    double margin;
    int64_t i, j;
    bind_check_count(L, "injectivity_margin", 1, 1);
    const arr *x = bind_operand(L, 1, "injectivity_margin", "P");
    if (att_margin(&margin, &i, &j, x, &err) != PH_OK) return bind_raise(L, &err);
    lua_pushnumber(L, margin);
    lua_pushinteger(L, (lua_Integer)i + 1);
    lua_pushinteger(L, (lua_Integer)j + 1);
    return 3;
}

static const bind_row rows[] = {
    {.name = "# analysis"},
    {"decay_curve", decay_curve, "theta, k [, {weights=, first=0}]",
     "The curve sum_i w_i cos(k theta_i) over distances k.\n"
     "What the inner product of two sinusoidal vectors, or of a rotated query and key of equal content, "
     "makes of their distance.\n"
     "theta: the frequencies, (d/2): dd(rope_frequencies(d)), or numbers, taken as exact. k: how many "
     "distances, first, first + 1, ...; or a list of any distances. weights: w_i, 1 when left out.\n"
     "Absolute error at most (8 + d) 2^-53 times the sum of the |w_i|, where |k theta_i| is at most 2^20. "
     "Frequencies without their low parts are off by k 2^-54.",
     "theta = dd(rope_frequencies(128))\n"
     "S = decay_curve(theta, 101)\nS(1), S(101) / 64 < 0.478  --> 64.0\ttrue\n"
     "decay_curve({pi, 1}, {0}, {weights={3, 0.5}})(1)  --> 3.5"},
    {"toeplitz_part", toeplitz_part, "A [, {causal=false}]",
     "The nearest matrix that depends on m - n only: diagonals at their means.\n"
     "A: scores (..., T, S). causal: only keys up to the query count (the last query stands at the last "
     "key); the others become 0.",
     "toeplitz_part({{1, 5}, {7, 3}}):totable()  --> {{2.0, 5.0}, {7.0, 2.0}}"},
    {"relativity_deviation", relativity_deviation, "A [, {causal=false}]",
     "How far scores are from a function of m - n.\n"
     "Two numbers for each matrix of A (..., T, S): |A - part| / |A| in the Frobenius norm, part = "
     "toeplitz_part(A), so from 0 (a function of m - n) to 1; and the largest difference of two entries on "
     "one diagonal.",
     "relativity_deviation({{1, 5}, {7, 1}})  --> 0.0\t0.0\n"
     "far, spread = relativity_deviation({{1, 0}, {0, -1}})\nfar, spread  --> 1.0\t2.0"},
    {"injectivity_margin", injectivity_margin, "P",
     "The least distance between two rows: how well positions differ.\n"
     "P: (T, d), a vector for each position. Returns the Euclidean distance and the two rows, the first such "
     "pair; 0 when two positions have the same vector.",
     "injectivity_margin({{0, 0}, {3, 4}, {3, 5}})  --> 1.0\t2\t3"},
    {.name = NULL},
};

void bind_open_analysis(lua_State *L) {
    bind_rows(L, rows);
    bind_run(L, "phasor.lib.analysis");
}
