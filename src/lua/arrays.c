/* arrays.c: the array as a Lua value: its life, its fields, its operators, its methods that are no
 * operations.
 *
 * Invariant: the userdata holds one arr; after __close or __gc it is ARR_NONE, which every access refuses in
 * words.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

static const char array_key = 0;

arr *bind_new_arr(lua_State *L) {
    bind_collect(L);
    arr *a = bind_new_finalized(L, sizeof *a, 0);
    *a = ARR_NONE;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &array_key);
    lua_setmetatable(L, -2);
    return a;
}

arr *bind_test_arr(lua_State *L, int i) {
    if (lua_type(L, i) != LUA_TUSERDATA || bind_kind_of(L, i) != KIND_ARRAY) return NULL;
    return lua_touserdata(L, i);
}

arr *bind_check_arr(lua_State *L, int i, const char *who, const char *what) {
    arr *a = bind_test_arr(L, i);
    if (!a || !a->buf) bind_raise_arg(L, i, who, what, "an array");
    return a;
}

static int drop(lua_State *L) {
    arr *a = bind_test_arr(L, 1);
    if (a) arr_drop(a);
    return 0;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

static const arr *self(lua_State *L, const char *who) {
    return bind_check_arr(L, 1, who, "the first operand");
}

int bind_push_shape(lua_State *L, int ndim, const int64_t *shape) {
    lua_createtable(L, ndim, 0);
    for (int k = 0; k < ndim; k++) {
        lua_pushinteger(L, shape[k]);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int get_shape(lua_State *L) {
    const arr *a = self(L, "shape");
    return bind_push_shape(L, a->ndim, a->shape);
}

static int get_ndim(lua_State *L) {
    lua_pushinteger(L, self(L, "ndim")->ndim);
    return 1;
}

static int get_size(lua_State *L) {
    lua_pushinteger(L, arr_size(self(L, "size")));
    return 1;
}

static int get_dtype(lua_State *L) {
    lua_pushstring(L, arr_dtype_name(self(L, "dtype")->dtype));
    return 1;
}

static int transposed(lua_State *L, const char *who) {
    ph_err err;
    int perm[ARR_MAXDIM];
    bind_check_arr(L, 1, who, "the first operand");
    arr *out = bind_new_arr(L);
    const arr *a = self(L, who);
    for (int k = 0; k < a->ndim; k++) perm[k] = a->ndim - 1 - k;
    if (arr_permute(out, a, perm, &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

static int get_T(lua_State *L) { return transposed(L, "T"); }

/* ---- methods ------------------------------------------------------------------------------------------- */

static int method_t(lua_State *L) {
    bind_check_count(L, "t", 1, 1);
    return transposed(L, "t");
}

static int convert(lua_State *L, const char *who, arr_dtype t) {
    ph_err err;
    arr *out = bind_new_arr(L);
    const arr *a = self(L, who);
    if (arr_convert(out, a, t == ARR_NDTYPE ? a->dtype : t, &err) != PH_OK)
        return bind_raise_from(L, who, &err);
    return 1;
}

static int method_copy(lua_State *L) {
    bind_check_count(L, "copy", 1, 1);
    self(L, "copy");
    return convert(L, "copy", ARR_NDTYPE);
}

static void push_element(lua_State *L, const arr *a, const void *at) {
    if (a->dtype == ARR_C128) bind_push_complex(L, arr_get_c128(a, at));
    else if (a->dtype == ARR_BOOL) lua_pushboolean(L, arr_get_num(a, at) != 0);
    else lua_pushnumber(L, arr_get_num(a, at));
}

void bind_push_element(lua_State *L, const arr *a, const int64_t *index) {
    push_element(L, a, arr_at(a, index));
}

static int method_item(lua_State *L) {
    static const int64_t zero[ARR_MAXDIM] = {0};
    bind_check_count(L, "item", 1, 1);
    const arr *a = self(L, "item");
    if (arr_size(a) != 1) return bind_raise_arg(L, 1, "item", "the operand", "an array of one element");
    bind_push_element(L, a, zero);
    return 1;
}

/* Pushes the sub-array at index[0..dim-1] as nested tables. `a` is a view that its userdata at 1 keeps alive.
 */
static void push_table(lua_State *L, const arr *a, int64_t *index, int dim) {
    bind_reserve(L, 4);
    if (dim == a->ndim) {
        bind_push_element(L, a, index);
        return;
    }
    lua_createtable(L, a->shape[dim] < 1 << 20 ? (int)a->shape[dim] : 1 << 20, 0);
    for (int64_t k = 0; k < a->shape[dim]; k++) {
        index[dim] = k;
        push_table(L, a, index, dim + 1);
        lua_rawseti(L, -2, k + 1);
        if (ph_interrupted()) bind_raisef(L, "interrupted");
    }
}

static int method_totable(lua_State *L) {
    int64_t index[ARR_MAXDIM] = {0};
    bind_check_count(L, "totable", 1, 1);
    arr *held = bind_new_arr(L); /* a reference of its own: a finalizer may close the array meanwhile */
    *held = arr_ref(self(L, "totable"));
    push_table(L, held, index, 0);
    return 1;
}

/* ---- operators ----------------------------------------------------------------------------------------- */

static void call_op2(lua_State *L, const char *name, int a, int b) {
    bind_push_lab(L);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
}

/* a - floor(a / b) b, as Lua's own % */
static int meta_mod(lua_State *L) {
    lua_settop(L, 2);
    lua_pushcfunction(L, bind_meta_idiv);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    call_op2(L, "mul", 3, 2);
    call_op2(L, "sub", 1, 4);
    return 1;
}

static int meta_order(lua_State *L) {
    return bind_raisef(
        L, "arrays have no order as a whole; lt le gt ge compare element by element, as in all(lt(A, B))");
}

/* True when the shapes and all elements are equal; Lua asks only when both are userdata. */
static int meta_eq(lua_State *L) {
    const arr *a = bind_test_arr(L, 1), *b = bind_test_arr(L, 2);
    if (!a || !b || !a->buf || !b->buf || !arr_same_shape(a, b)) {
        lua_pushboolean(L, 0);
        return 1;
    }
    arr in[2] = {*a, *b}, same = ARR_NONE, all = ARR_NONE;
    ph_err err;
    ph_status st = op_apply(&same, op_find("eq"), in, 2, NULL, &err);
    if (st == PH_OK) st = op_apply(&all, op_find("all"), &same, 1, NULL, &err);
    arr_drop(&same);
    if (st != PH_OK) return bind_raise(L, &err);
    bind_push_result(L, &all);
    return 1;
}

static int meta_len(lua_State *L) {
    const arr *a = self(L, "#");
    if (a->ndim == 0) return bind_raisef(L, "#: a 0-d array has no length; A:item() reads it");
    lua_pushinteger(L, a->shape[0]);
    return 1;
}

static int meta_tostring(lua_State *L) {
    const bind_state *s = bind_state_of(L);
    const arr *a = bind_test_arr(L, 1);
    ph_err err;
    if (a && !a->buf) {
        lua_pushliteral(L, "closed array");
        return 1;
    }
    bind_check_arr(L, 1, "tostring", "the operand");
    char **text = bind_new_text(L);
    a = bind_check_arr(L, 1, "tostring", "the operand");
    return bind_give_text(L, text, arr_print(text, a, s->columns, s->rows, &err), &err);
}

static int next_row(lua_State *L) {
    const arr *a = self(L, "pairs");
    return bind_next_row(L, a->ndim ? a->shape[0] : 0);
}

static int meta_pairs(lua_State *L) {
    self(L, "pairs");
    return bind_pairs(L, next_row);
}

static const luaL_Reg meta[] = {
    {"__gc", drop},
    {"__close", drop},
    {"__unm", bind_meta_unm},
    {"__idiv", bind_meta_idiv},
    {"__mod", meta_mod},
    {"__lt", meta_order},
    {"__le", meta_order},
    {"__eq", meta_eq},
    {"__len", meta_len},
    {"__tostring", meta_tostring},
    {"__concat", bind_meta_concat},
    {"__pairs", meta_pairs},
    {"__newindex", bind_array_newindex},
    {"__call", bind_array_call},
    {NULL, NULL},
};

static const bind_row rows[] = {
    {.name = "# arrays"},
    {"Array.shape", get_shape, "", "The sizes of the dimensions, a table.", "zeros(3, 4).shape  --> {3, 4}"},
    {"Array.ndim", get_ndim, "", "The number of dimensions.", "zeros(3, 4).ndim  --> 2"},
    {"Array.size", get_size, "", "The number of elements.", "zeros(3, 4).size  --> 12"},
    {"Array.dtype", get_dtype, "", "The type of the elements: \"f64\", \"f32\", \"c128\" or \"bool\".",
     "zeros(3).dtype  --> f64\nlt(zeros(3), 1).dtype  --> bool"},
    {"Array.T", get_T, "", "The transpose: all dimensions in reverse order.\nA view: it shares the elements.",
     "array{{1, 2, 3}, {4, 5, 6}}.T.shape  --> {3, 2}"},
    {"Array:t", method_t, "", "The transpose, as the field T.\nA view: it shares the elements.",
     "array{{1, 2}, {3, 4}}:t():totable()  --> {{1.0, 3.0}, {2.0, 4.0}}"},
    {"Array:copy", method_copy, "",
     "A copy with elements of its own.\nRows and slices are views; this cuts the tie.",
     "A = zeros(2)\nB = A:copy()\nB[1] = 7\nA(1)  --> 0.0"},
    {"astype", NULL, "x, dtype",
     "A copy with elements of another type.\n"
     "dtype: \"f64\", \"f32\", \"c128\" or \"bool\". c128 becomes real only when every imaginary part is 0. "
     "Numbers in 16 bits are no array's: see halves.",
     "array({1/3}):astype(\"f32\")(1)  --> 0.3333333432674408"},
    {"Array:item", method_item, "", "The only element of an array of one element.",
     "array{{7}}:item()  --> 7.0"},
    {"Array:totable", method_totable, "", "The elements as (nested) Lua tables.",
     "array{{1, 2}, {3, 4}}:totable()  --> {{1.0, 2.0}, {3.0, 4.0}}"},
    {"Array:mm", NULL, "B", "The matrix product, matmul(A, B).",
     "eye(2):mm(array{{1, 2}, {3, 4}}):totable()  --> {{1.0, 2.0}, {3.0, 4.0}}"},
    {.name = NULL},
};

void bind_open_array(lua_State *L) {
    bind_class(L, "Array", KIND_ARRAY, meta);
    lua_getfield(L, -1, "__index");
    for (int k = 1; k <= 3; k++) lua_getupvalue(L, -k, k);
    lua_pushcclosure(L, bind_array_index, 3);
    lua_setfield(L, -3, "__index");
    lua_pop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &array_key);
    bind_rows(L, rows);
    bind_open_halves(L);
}
