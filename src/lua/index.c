/* index.c: A[i], A[{i, j}], A[{ {1, 3}, {} }], A(i, j), and assignment to them. The only place that turns
 * 1-based indices, negative ones from the end, into 0-based ranges.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

#define STEP_MAX ((int64_t)1 << 31)
#define KEYS     "a row number, {i, j, ...}, slices as in {{1, 3}, {}}, or the name of a field"

static int out_of_range(lua_State *L, int64_t i, int dim, int64_t size) {
    return bind_raisef(L, "array: index %lld is out of range for dimension %d of size %lld%s", (long long)i,
                       dim + 1, (long long)size, i == 0 ? "; indices count from 1" : "");
}

static int64_t index_value(lua_State *L, int i) {
    int ok = 0;
    int64_t v = lua_type(L, i) == LUA_TNUMBER ? lua_tointegerx(L, i, &ok) : 0;
    if (!ok) bind_raise_arg(L, i, "array", "an index", "an integer");
    return v;
}

/* 1-based or negative from the end -> 0-based. */
static int64_t resolve(lua_State *L, int64_t i, int dim, int64_t size) {
    if (i >= 1 && i <= size) return i - 1;
    if (i <= -1 && i >= -size) return size + i;
    return out_of_range(L, i, dim, size);
}

/* One end of a slice: entry k of the table at t, 1-based after resolving, within lo..hi. */
static int64_t slice_end(lua_State *L, int t, int k, int64_t absent, int64_t lo, int64_t hi, int dim,
                         int64_t size) {
    int64_t i = absent;
    if (lua_rawgeti(L, t, k) != LUA_TNIL) {
        int64_t given = index_value(L, -1);
        i = given < 0 ? (given >= -size ? size + 1 + given : -1) : given;
        if (i < lo || i > hi) out_of_range(L, given, dim, size);
    }
    lua_pop(L, 1);
    return i;
}

/* {} everything, {first} to the end, {first, last}, {first, last, step}: both ends belong to it. */
static arr_range read_slice(lua_State *L, int t, int dim, int64_t size) {
    arr_range r = {.step = 1};
    if (lua_rawlen(L, t) > 3)
        bind_raisef(L, "array: a slice has %d entries; wanted {first, last, step}", (int)lua_rawlen(L, t));
    if (lua_rawgeti(L, t, 3) != LUA_TNIL)
        r.step = bind_check_int(L, -1, "array", "the step of a slice", -STEP_MAX, STEP_MAX);
    lua_pop(L, 1);
    if (r.step == 0) bind_raisef(L, "array: the step of a slice is 0; wanted a positive or negative integer");
    bool up = r.step > 0;
    int64_t first =
        up ? slice_end(L, t, 1, 1, 1, size + 1, dim, size) : slice_end(L, t, 1, size, 0, size, dim, size);
    int64_t last =
        up ? slice_end(L, t, 2, size, 0, size, dim, size) : slice_end(L, t, 2, 1, 1, size + 1, dim, size);
    if (up ? last >= first : last <= first) {
        r.count = (last - first) / r.step + 1;
        r.first = first - 1;
    }
    return r;
}

/* The index at stack i (an integer, or a table of integers and slices) as ranges; *element: all are integers
 * and they cover every dimension. Returns how many. */
static int read_ranges(lua_State *L, int i, const arr *a, arr_range *r, bool *element) {
    lua_Unsigned n = lua_rawlen(L, i);
    if (n > (lua_Unsigned)a->ndim)
        return bind_raisef(L, "array: %d indices for an array of %d dimension%s", (int)(n < 1000 ? n : 1000),
                           a->ndim, a->ndim == 1 ? "" : "s");
    *element = n == (lua_Unsigned)a->ndim;
    for (int k = 0; k < (int)n; k++) {
        if (lua_rawgeti(L, i, k + 1) == LUA_TTABLE) {
            r[k] = read_slice(L, lua_gettop(L), k, a->shape[k]);
            *element = false;
        } else r[k] = (arr_range){resolve(L, index_value(L, -1), k, a->shape[k]), 1, 1, true};
        lua_pop(L, 1);
    }
    return (int)n;
}

int bind_read_key(lua_State *L, const arr *a, arr_range *r, bool *element) {
    if (lua_type(L, 2) == LUA_TNUMBER) {
        if (a->ndim == 0) return bind_raisef(L, "array: a 0-d array has no rows; A:item() reads it");
        r[0] = (arr_range){resolve(L, index_value(L, 2), 0, a->shape[0]), 1, 1, true};
        *element = a->ndim == 1;
        return 1;
    }
    if (lua_type(L, 2) != LUA_TTABLE) return bind_raise_arg(L, 2, "array", "an index", KEYS);
    return read_ranges(L, 2, a, r, element);
}

static void *element_at(const arr *a, const arr_range *r) {
    int64_t index[ARR_MAXDIM] = {0};
    for (int k = 0; k < a->ndim; k++) index[k] = r[k].first;
    return arr_at(a, index);
}

static void push_element(lua_State *L, const arr *a, const arr_range *r) {
    int64_t index[ARR_MAXDIM] = {0};
    for (int k = 0; k < a->ndim; k++) index[k] = r[k].first;
    bind_push_element(L, a, index);
}

/* Pushes the view of the array at 1; checked again, since making the box may run a finalizer. */
static arr *push_view(lua_State *L, const arr_range *r, int n) {
    ph_err err;
    arr *view = bind_new_arr(L);
    const arr *a = bind_check_arr(L, 1, "array", "the operand");
    if (arr_slice(view, a, n, r, &err) != PH_OK) bind_raise(L, &err);
    return view;
}

int bind_array_index(lua_State *L) {
    arr_range r[ARR_MAXDIM];
    bool element;
    if (lua_type(L, 2) == LUA_TSTRING) return bind_class_index(L);
    const arr *a = bind_check_arr(L, 1, "array", "the operand");
    if (a->ndim > 0 && lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) == (double)a->shape[0] + 1) {
        lua_pushnil(L); /* ipairs ends here */
        return 1;
    }
    if (bind_test_arr(L, 2)) return bind_select(L, "get");
    int n = bind_read_key(L, a, r, &element);
    if (element) push_element(L, a, r);
    else push_view(L, r, n);
    return 1;
}

int bind_next_row(lua_State *L, int64_t rows) {
    int64_t k = lua_isnil(L, 2) ? 1 : bind_check_int(L, 2, "pairs", "the key", 0, INT64_MAX - 1) + 1;
    if (k > rows) return 0;
    lua_pushinteger(L, k);
    lua_geti(L, 1, k);
    return 2;
}

int bind_pairs(lua_State *L, lua_CFunction next) {
    lua_pushcfunction(L, next);
    lua_pushvalue(L, 1);
    return 2;
}

int bind_read_call(lua_State *L, const arr *a, arr_range *r) {
    int n = lua_gettop(L) - 1;
    if (n != a->ndim)
        return bind_raisef(
            L, "array: %d %s for an array of %d dimension%s; A(i, j) reads one element, A[{i}] a part", n,
            n == 1 ? "index" : "indices", a->ndim, a->ndim == 1 ? "" : "s");
    for (int k = 0; k < n; k++)
        r[k] = (arr_range){resolve(L, index_value(L, k + 2), k, a->shape[k]), 1, 1, true};
    return n;
}

int bind_array_call(lua_State *L) {
    arr_range r[ARR_MAXDIM];
    const arr *a = bind_check_arr(L, 1, "array", "the operand");
    bind_read_call(L, a, r);
    push_element(L, a, r);
    return 1;
}

int bind_array_newindex(lua_State *L) {
    arr_range r[ARR_MAXDIM];
    bool element;
    arr_c128 z;
    arr_dtype t;
    ph_err err;
    lua_settop(L, 3);
    if (lua_type(L, 2) == LUA_TSTRING)
        return bind_raisef(L, "array: the field '%.60s' cannot be set; A[{i, j}] = v sets elements",
                           lua_tostring(L, 2));
    const arr *a = bind_check_arr(L, 1, "array", "the operand");
    if (bind_test_arr(L, 2)) return bind_select(L, "set"), 0;
    int n = bind_read_key(L, a, r, &element);
    arr_written(a);
    if (element && bind_scalar(L, 3, &z, &t)) {
        if (arr_put_c128(a, element_at(a, r), z, &err) != PH_OK) return bind_raise(L, &err);
        return 0;
    }
    bind_operand(L, 3, "array", "the assigned value");
    arr *view = push_view(L, r, n);
    const arr *value = bind_check_arr(L, 3, "array", "the assigned value");
    if (arr_assign(view, value, &err) != PH_OK) return bind_raise(L, &err);
    return 0;
}
