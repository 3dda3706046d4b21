/* readers.c: the arguments of operations that no common signature fits: a reader for each, found by name.
 * What each row takes is said in array/op.h.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

/* f(x, n, m, ...) or f(x, {n, m}) */
static void read_sizes(lua_State *L, const op *row, bind_call *c) {
    bool infer = strcmp(row->name, "reshape") == 0; /* one size may be -1 there */
    if (lua_gettop(L) < 2)
        bind_raisef(L, "%s: no sizes given; wanted them as in %s(x, 3, 4)", row->name, row->name);
    c->attrs.nints =
        bind_check_ints(L, 2, lua_gettop(L), row->name, "a size", infer ? -1 : 0, c->attrs.ints, ARR_MAXDIM);
    c->n = 1;
}

/* permute(x, 2, 1, 3) or permute(x, {2, 1, 3}) */
static void read_permutation(lua_State *L, const op *row, bind_call *c) {
    int64_t axes[ARR_MAXDIM];
    if (lua_gettop(L) < 2)
        bind_raisef(L, "%s: no axes given; wanted all of them, as in %s(x, 2, 1)", row->name, row->name);
    int n = bind_check_ints(L, 2, lua_gettop(L), row->name, "an axis", -ARR_MAXDIM, axes, ARR_MAXDIM);
    for (int k = 0; k < n; k++) {
        if (axes[k] == 0)
            bind_raisef(L, "%s: an axis is 0; axes count from 1, or from -1 at the end", row->name);
        c->attrs.ints[k] = axes[k] > 0 ? axes[k] - 1 : axes[k];
    }
    c->attrs.nints = n;
    c->n = 1;
}

static void optional_axis(lua_State *L, int i, const op *row, bind_call *c) {
    if (lua_isnoneornil(L, i)) return;
    c->attrs.axis = bind_check_axis(L, i, row->name);
    c->attrs.has_axis = true;
}

/* f(x [, axis]) */
static void read_optional_axis(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 1, 2);
    optional_axis(L, 2, row, c);
    c->n = 1;
}

/* f(x, axis) */
static void read_required_axis(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 2, 2);
    c->attrs.axis = bind_check_axis(L, 2, row->name);
    c->attrs.has_axis = true;
    c->n = 1;
}

/* diag(x [, k]) */
static void read_diagonal(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 1, 2);
    if (!lua_isnoneornil(L, 2)) {
        c->attrs.ints[0] = bind_check_int(L, 2, row->name, "the diagonal", INT32_MIN, INT32_MAX);
        c->attrs.nints = 1;
    }
    c->n = 1;
}

/* roll(x, shift [, axis]) */
static void read_roll(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 2, 3);
    c->attrs.ints[0] = bind_check_int(L, 2, row->name, "the shift", INT64_MIN / 2, INT64_MAX / 2);
    c->attrs.nints = 1;
    optional_axis(L, 3, row, c);
    c->n = 1;
}

/* take(x, index [, axis]) */
static void read_take(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 2, 3);
    optional_axis(L, 3, row, c);
    c->n = 2;
}

/* quantize(x, format); the string at 2 outlives the call */
static void read_format(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 2, 2);
    if (lua_type(L, 2) != LUA_TSTRING)
        bind_raise_arg(L, 2, row->name, "the format", "\"f32\", \"f16\" or \"bf16\"");
    c->attrs.word = lua_tostring(L, 2);
    c->n = 1;
}

/* astype(x, dtype) */
static void read_dtype(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 2, 2);
    c->attrs.word = arr_dtype_name(bind_check_dtype(L, 2, row->name));
    c->n = 1;
}

/* concat({A, B, ...} [, axis]): the entries become the operands */
static void read_list(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 1, 2);
    if (!lua_istable(L, 1)) bind_raise_arg(L, 1, row->name, "argument 1", "a table of arrays, as in {A, B}");
    optional_axis(L, 2, row, c);
    lua_Unsigned n = lua_rawlen(L, 1);
    if (n == 0) bind_raisef(L, "%s: the table has no arrays; wanted at least one", row->name);
    if (n > 10000) bind_raisef(L, "%s: %llu arrays; wanted at most 10000", row->name, (unsigned long long)n);
    lua_settop(L, 1);
    bind_reserve(L, (int)n + 20);
    for (int k = 1; k <= (int)n; k++) lua_rawgeti(L, 1, k);
    lua_remove(L, 1);
    c->n = (int)n;
}

/* f(A [, tol]) or f(A, b [, tol]): the tolerance is checked by the row; 0 is its default */
static void read_tolerance(lua_State *L, const op *row, bind_call *c) {
    int n = row->min_in;
    bind_check_count(L, row->name, n, n + 1);
    if (!lua_isnoneornil(L, n + 1)) c->attrs.num = bind_check_num(L, n + 1, row->name, "the tolerance");
    c->n = n;
}

/* f(A [, "full"]); the string at 2 outlives the call */
static void read_form(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 1, 2);
    if (!lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TSTRING)
        bind_raise_arg(L, 2, row->name, "argument 2", "\"thin\" or \"full\"");
    c->attrs.word = lua_tostring(L, 2);
    c->n = 1;
}

/* allclose(a, b [, {rtol=1e-5, atol=1e-8}]): the tolerances become operands 3 and 4, which the row checks */
static void read_close(lua_State *L, const op *row, bind_call *c) {
    static const char *const names[] = {"rtol", "atol", NULL};
    static const double otherwise[] = {1e-5, 1e-8};
    bind_check_count(L, row->name, 2, 3);
    lua_settop(L, 3);
    if (!lua_isnil(L, 3) && !lua_istable(L, 3))
        bind_raise_arg(L, 3, row->name, "argument 3", "options such as {rtol=1e-9}");
    if (lua_istable(L, 3)) bind_check_options(L, 3, row->name, names);
    for (int k = 0; k < 2; k++) {
        if (lua_istable(L, 3)) lua_getfield(L, 3, names[k]);
        else lua_pushnil(L);
        lua_pushnumber(L, lua_isnil(L, -1) ? otherwise[k] : bind_check_num(L, -1, row->name, names[k]));
        lua_remove(L, -2);
    }
    lua_remove(L, 3);
    c->n = 4;
}

static const struct {
    const char *name;
    bind_reader *read;
} readers[] = {
    {"reshape", read_sizes},
    {"broadcast_to", read_sizes},
    {"tile", read_sizes},
    {"permute", read_permutation},
    {"squeeze", read_optional_axis},
    {"flip", read_optional_axis},
    {"unsqueeze", read_required_axis},
    {"diag", read_diagonal},
    {"triu", read_diagonal},
    {"tril", read_diagonal},
    {"roll", read_roll},
    {"take", read_take},
    {"quantize", read_format},
    {"astype", read_dtype},
    {"rank", read_tolerance},
    {"pinv", read_tolerance},
    {"lstsq", read_tolerance},
    {"qr", read_form},
    {"svd", read_form},
    {"allclose", read_close},
    {"softmax", read_optional_axis},
    {"layer_norm", bind_read_norm},
    {"rms_norm", bind_read_norm},
    {"attention", bind_read_attention},
    {"attention_weights", bind_read_attention},
    {"concat", read_list},
    {"stack", read_list},
    {NULL, NULL},
};

bind_reader *bind_find_reader(const op *row) {
    for (int k = 0; readers[k].name; k++)
        if (strcmp(readers[k].name, row->name) == 0) return readers[k].read;
    return NULL;
}
