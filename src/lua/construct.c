/* construct.c: where arrays come from: tables, constants, ranges, seeded generators. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

/* ---- arguments ----------------------------------------------------------------------------------------- */

arr_dtype bind_check_dtype(lua_State *L, int i, const char *who) {
    arr_dtype t = ARR_F64;
    if (lua_type(L, i) != LUA_TSTRING || !arr_dtype_parse(&t, lua_tostring(L, i)))
        bind_raise_arg(L, i, who, "dtype", "\"f64\", \"f32\", \"c128\" or \"bool\"");
    return t;
}

int bind_check_ints(lua_State *L, int i, int last, const char *who, const char *what, int64_t lo,
                    int64_t *out, int cap) {
    bool table = last == i && lua_istable(L, i);
    lua_Unsigned n = table ? lua_rawlen(L, i) : (lua_Unsigned)(last >= i ? last - i + 1 : 0);
    if (n > (lua_Unsigned)cap)
        return bind_raisef(L, "%s: %d sizes given; wanted at most %d", who, (int)(n < 10000 ? n : 10000),
                           cap);
    for (int k = 0; k < (int)n; k++) {
        if (table) lua_rawgeti(L, i, k + 1);
        else lua_pushvalue(L, i + k);
        out[k] = bind_check_int(L, -1, who, what, lo, INT64_MAX);
        lua_pop(L, 1);
    }
    return (int)n;
}

/* Takes {dtype="f32"} off the end of the arguments, when it is there. A shape table has entries, an option
 * table names. */
static arr_dtype pop_dtype(lua_State *L, int first, const char *who, arr_dtype otherwise) {
    static const char *const names[] = {"dtype", NULL};
    int top = lua_gettop(L);
    if (top < first || !lua_istable(L, top) || bind_test_arr(L, top) || lua_rawlen(L, top) > 0)
        return otherwise;
    lua_pushnil(L);
    if (!lua_next(L, top)) return top == first ? otherwise : (lua_settop(L, top - 1), otherwise);
    lua_settop(L, top);
    bind_check_options(L, top, who, names);
    lua_getfield(L, top, "dtype");
    arr_dtype t = lua_isnil(L, -1) ? otherwise : bind_check_dtype(L, -1, who);
    lua_settop(L, top - 1);
    return t;
}

/* The sizes given from stack index i to the top. */
static int check_shape(lua_State *L, int i, const char *who, int64_t *shape) {
    if (lua_gettop(L) < i) bind_raisef(L, "%s: no shape given; wanted sizes, as in 3, 4 or {3, 4}", who);
    return bind_check_ints(L, i, lua_gettop(L), who, "a size", 0, shape, ARR_MAXDIM);
}

/* ---- constants ----------------------------------------------------------------------------------------- */

static int new_array(lua_State *L) {
    static const char *const names[] = {"dtype", NULL};
    if (lua_gettop(L) > 2)
        bind_raisef(L, "array: %d arguments given; wanted one table of entries, as in array{1, 2, 3}",
                    lua_gettop(L));
    bind_check_count(L, "array", 1, 2);
    arr_dtype t = ARR_NDTYPE;
    if (lua_gettop(L) == 2) {
        if (!lua_istable(L, 2))
            bind_raise_arg(L, 2, "array", "argument 2", "options such as {dtype=\"f32\"}");
        bind_check_options(L, 2, "array", names);
        lua_getfield(L, 2, "dtype");
        if (!lua_isnil(L, -1)) t = bind_check_dtype(L, -1, "array");
        lua_settop(L, 1);
    }
    if (bind_stack_traced(L, 1) || bind_test_traced(L, 1)) {
        lua_settop(L, 1);
        return 1;
    }
    arr *out = bind_new_arr(L);
    if (lua_istable(L, 1) && bind_kind_of(L, 1) == KIND_ARRAY) {
        bind_from_table(L, out, 1, t, "array");
        return 1;
    }
    bind_operand(L, 1, "array", "entries");
    ph_err err;
    const arr *from = bind_check_arr(L, 1, "array", "entries");
    if (arr_convert(out, from, t == ARR_NDTYPE ? from->dtype : t, &err) == PH_OK) return 1;
    return bind_raise_from(L, "array", &err);
}

/* Every constructor of a constant: the array is made once more after a collection when memory ran out. */
static int constant(lua_State *L, const char *who, arr_dtype t, int n, const int64_t *shape, arr_c128 v) {
    ph_err err;
    arr *a = bind_new_arr(L);
    bool zero = v.re == 0 && v.im == 0 && !signbit(v.re);
    ph_status st = PH_ENOMEM;
    for (int tries = 0; tries < 2 && (tries == 0 || bind_made_room(L, st)); tries++)
        st = zero ? arr_zeros(a, t, n, shape, &err) : arr_full(a, t, n, shape, v, &err);
    return st == PH_OK ? 1 : bind_raise_from(L, who, &err);
}

static int new_zeros(lua_State *L) {
    int64_t shape[ARR_MAXDIM];
    arr_dtype t = pop_dtype(L, 1, "zeros", ARR_F64);
    int n = check_shape(L, 1, "zeros", shape);
    return constant(L, "zeros", t, n, shape, (arr_c128){0, 0});
}

static int new_ones(lua_State *L) {
    int64_t shape[ARR_MAXDIM];
    arr_dtype t = pop_dtype(L, 1, "ones", ARR_F64);
    int n = check_shape(L, 1, "ones", shape);
    return constant(L, "ones", t, n, shape, (arr_c128){1, 0});
}

static int new_full(lua_State *L) {
    int64_t shape[ARR_MAXDIM];
    arr_c128 v;
    arr_dtype own, t = pop_dtype(L, 3, "full", ARR_NDTYPE);
    bind_check_count(L, "full", 2, 2);
    if (!bind_scalar(L, 2, &v, &own))
        return bind_raise_arg(L, 2, "full", "the value", "a number, boolean or complex number");
    lua_settop(L, 1);
    int n = check_shape(L, 1, "full", shape);
    return constant(L, "full", t == ARR_NDTYPE ? own : t, n, shape, v);
}

static int new_eye(lua_State *L) {
    int64_t shape[ARR_MAXDIM];
    ph_err err;
    arr_dtype t = pop_dtype(L, 1, "eye", ARR_F64);
    bind_check_count(L, "eye", 1, 2);
    int n = check_shape(L, 1, "eye", shape);
    if (n == 1) shape[1] = shape[0];
    else if (n != 2) return bind_raisef(L, "eye: %d sizes given; wanted n or n, m", n);
    if (arr_eye(bind_new_arr(L), t, shape[0], shape[1], &err) != PH_OK)
        return bind_raise_from(L, "eye", &err);
    return 1;
}

/* ---- ranges -------------------------------------------------------------------------------------------- */

static int new_range(lua_State *L) {
    ph_err err;
    arr_dtype t = pop_dtype(L, 3, "range", ARR_F64);
    if (lua_gettop(L) == 1)
        return bind_raisef(L, "range: 1 argument given; wanted first and last, as in range(0, n-1)");
    bind_check_count(L, "range", 2, 3);
    double first = bind_check_num(L, 1, "range", "first"), last = bind_check_num(L, 2, "range", "last");
    double step = lua_gettop(L) == 3 ? bind_check_num(L, 3, "range", "step") : 1;
    if (arr_arange(bind_new_arr(L), t, first, last, step, &err) != PH_OK)
        return bind_raise_from(L, "range", &err);
    return 1;
}

static int new_linspace(lua_State *L) {
    ph_err err;
    arr_dtype t = pop_dtype(L, 4, "linspace", ARR_F64);
    bind_check_count(L, "linspace", 3, 3);
    double first = bind_check_num(L, 1, "linspace", "first"), last = bind_check_num(L, 2, "linspace", "last");
    int64_t n = bind_check_int(L, 3, "linspace", "n", 0, INT64_MAX);
    if (arr_linspace(bind_new_arr(L), t, first, last, n, &err) != PH_OK)
        return bind_raise_from(L, "linspace", &err);
    return 1;
}

/* ---- seeded generators --------------------------------------------------------------------------------- */

static ph_rng *check_rng(lua_State *L, int i, const char *who) {
    ph_rng *g = luaL_testudata(L, i, "phasor.Rng");
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a generator first: g = rng(7), then %.20s(g, 3, 4)", who);
    if (!g) bind_raise_arg(L, i, who, "the generator", wanted);
    return g;
}

static int new_rng(lua_State *L) {
    bind_check_count(L, "rng", 1, 1);
    int64_t seed = bind_check_int(L, 1, "rng", "the seed", INT64_MIN, INT64_MAX);
    ph_rng *g = lua_newuserdatauv(L, sizeof *g, 0); /* no __gc */
    ph_rng_seed(g, (uint64_t)seed);
    luaL_setmetatable(L, "phasor.Rng");
    return 1;
}

typedef ph_status draw_fn(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g, ph_err *err);

static int draw(lua_State *L, const char *who, draw_fn *many, double (*one)(ph_rng *)) {
    int64_t shape[ARR_MAXDIM];
    ph_err err;
    ph_rng *g = check_rng(L, 1, who);
    arr_dtype t = pop_dtype(L, 2, who, ARR_F64);
    if (lua_gettop(L) == 1) {
        lua_pushnumber(L, one(g));
        return 1;
    }
    int n = check_shape(L, 2, who, shape);
    arr *a = bind_new_arr(L);
    if (many(a, t, n, shape, g, &err) != PH_OK) return bind_raise_from(L, who, &err);
    return 1;
}

static int new_rand(lua_State *L) { return draw(L, "rand", arr_rand, ph_rng_uniform); }
static int new_randn(lua_State *L) { return draw(L, "randn", arr_randn, ph_rng_normal); }

static int rng_split(lua_State *L) {
    bind_check_count(L, "split", 1, 1);
    check_rng(L, 1, "split");
    ph_rng *child = lua_newuserdatauv(L, sizeof *child, 0); /* no __gc */
    *child = ph_rng_split(check_rng(L, 1, "split"));
    luaL_setmetatable(L, "phasor.Rng");
    return 1;
}

static int rng_below(lua_State *L) {
    bind_check_count(L, "below", 2, 2);
    ph_rng *g = check_rng(L, 1, "below");
    lua_pushinteger(L,
                    (lua_Integer)ph_rng_below(g, (uint64_t)bind_check_int(L, 2, "below", "n", 1, INT64_MAX)));
    return 1;
}

static int rng_tostring(lua_State *L) {
    lua_pushliteral(L, "a random generator");
    return 1;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

#define DTYPE "dtype: \"f64\" (the default), \"f32\", \"c128\" or \"bool\"."
#define REAL  "dtype: \"f64\" (the default) or \"f32\"."
#define SHAPE "n, m, ...: the sizes, one by one or as one table {n, m}.\n" DTYPE

static const bind_row rows[] = {
    {.name = "# making arrays"},
    {"array", new_array, "entries [, {dtype=\"f32\"}]",
     "An array from nested tables.\n"
     "entries: tables of numbers, booleans, complex numbers or arrays, all rows of equal length. " DTYPE "\n"
     "Without dtype: the type that holds every entry.",
     "array{{1, 2}, {3, 4}}.shape  --> {2, 2}\narray({1, 2}, {dtype=\"f32\"}).dtype  --> f32\n"
     "array{{1, 2}, {3}}  --> error: [2] has 1 entries; wanted 2"},
    {"zeros", new_zeros, "n, m, ... [, {dtype=\"f32\"}]", "An array of zeros.\n" SHAPE,
     "zeros(2):totable()  --> {0.0, 0.0}"},
    {"ones", new_ones, "n, m, ... [, {dtype=\"f32\"}]", "An array of ones.\n" SHAPE,
     "sum(ones(2, 3))  --> 6.0"},
    {"full", new_full, "shape, value [, {dtype=\"f32\"}]",
     "An array of one value.\nshape: a size or a table of sizes. Without dtype: that of the value.",
     "full({2, 2}, 7):totable()  --> {{7.0, 7.0}, {7.0, 7.0}}"},
    {"eye", new_eye, "n [, m] [, {dtype=\"f32\"}]",
     "The identity matrix: ones on the diagonal, zeros elsewhere.\nn rows and m columns; m is n when left "
     "out.",
     "eye(2):totable()  --> {{1.0, 0.0}, {0.0, 1.0}}"},
    {"range", new_range, "first, last [, step] [, {dtype=\"f32\"}]",
     "The numbers first, first+step, ... up to and including last.\n"
     "step: 1 when left out; negative counts down. Positions are values: range(0, n-1) is positions 0 to "
     "n-1.\n"
     "last is included when it is reached within rounding. " REAL,
     "range(0, 3):totable()  --> {0.0, 1.0, 2.0, 3.0}\nrange(0, 0.3, 0.1).size  --> 4"},
    {"linspace", new_linspace, "first, last, n [, {dtype=\"f32\"}]",
     "n numbers evenly spaced from first to last, both exact.\nn = 1 gives first. " REAL,
     "linspace(0, 1, 5):totable()  --> {0.0, 0.25, 0.5, 0.75, 1.0}"},
    {.name = "# random numbers"},
    {"rng", new_rng, "seed",
     "A random generator. The same seed gives the same numbers everywhere.\n"
     "seed: any integer. There is no hidden generator: pass this one to rand and randn.\n"
     "Source: xoshiro256++ seeded by splitmix64 (Blackman, Vigna 2021).",
     "rand(rng(7), 3) == rand(rng(7), 3)  --> true"},
    {"rand", new_rand, "g [, n, m, ...] [, {dtype=\"f32\"}]",
     "Random numbers, uniform over 0 to 1 (1 excluded).\ng: a generator, rng(seed). Without sizes: one "
     "number.\n"
     "n, m, ...: the sizes, one by one or as one table. " REAL,
     "x = rand(rng(7), 1000)\nmin(x) >= 0 and max(x) < 1  --> true\nrand(3)  --> error: wanted a generator"},
    {"randn", new_randn, "g [, n, m, ...] [, {dtype=\"f32\"}]",
     "Random numbers, normal with mean 0 and variance 1.\ng: a generator, rng(seed). Without sizes: one "
     "number.\n"
     "n, m, ...: the sizes, one by one or as one table. " REAL,
     "g = rng(7)\nrandn(g, 3, 4).shape  --> {3, 4}"},
    {"Rng:split", rng_split, "", "A generator of its own, whose numbers never meet this one's.",
     "g = rng(7)\nh = g:split()\nrand(g) == rand(h)  --> false"},
    {"Rng:below", rng_below, "n",
     "A random integer from 0 to n-1, each equally likely.\nn: an integer of at least 1.",
     "rng(7):below(1)  --> 0"},
    {.name = NULL},
};

void bind_open_construct(lua_State *L) {
    static const luaL_Reg meta[] = {{"__tostring", rng_tostring}, {NULL, NULL}};
    bind_class(L, "Rng", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
}
