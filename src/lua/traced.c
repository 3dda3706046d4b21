/* traced.c: the traced array as a Lua value. Inside a derivative a function receives these; they print, index, slice,
 * compare and take methods as arrays do, and every operation on them is written to the tape they belong to.
 *
 * Invariant: the userdata holds one reference to a value, or NULL while it is made; no Lua call is made between an
 * operation and the moment its results are in userdata.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

static const char traced_key = 0;

op_val **bind_new_traced(lua_State *L) {
    bind_collect(L);
    op_val **box = bind_new_finalized(L, sizeof *box, 0);
    *box = NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &traced_key);
    lua_setmetatable(L, -2);
    return box;
}

op_val *bind_test_traced(lua_State *L, int i) {
    if (lua_type(L, i) != LUA_TUSERDATA || bind_kind_of(L, i) != KIND_TRACED) return NULL;
    return *(op_val **)lua_touserdata(L, i);
}

/* ---- operands ------------------------------------------------------------------------------------------ */

static bool has_traced(lua_State *L, int i, int depth) {
    bool found = false;
    bind_reserve(L, 4);
    for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, i); k <= n && !found; k++) {
        int t = lua_rawgeti(L, i, k);
        found = t == LUA_TUSERDATA
                    ? bind_test_traced(L, -1) != NULL
                    : t == LUA_TTABLE && depth < ARR_MAXDIM && has_traced(L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    return found;
}

/* Pushes stack of the entries of the table at i, tables within it first. */
static void push_stacked(lua_State *L, int i) {
    bind_reserve(L, 8);
    bind_push_lab(L);
    lua_getfield(L, -1, "stack");
    lua_remove(L, -2);
    lua_newtable(L);
    int to = lua_gettop(L);
    for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, i); k <= n; k++) {
        if (lua_rawgeti(L, i, k) == LUA_TTABLE) {
            push_stacked(L, lua_gettop(L));
            lua_remove(L, -2);
        }
        lua_rawseti(L, to, k);
    }
    lua_call(L, 1, 1);
}

bool bind_stack_traced(lua_State *L, int i) {
    if (!dif_any_open() || lua_type(L, i) != LUA_TTABLE || !has_traced(L, i, 1)) return false;
    push_stacked(L, i);
    lua_replace(L, i);
    return true;
}

op_val *bind_value(lua_State *L, int i, const char *who, const char *what) {
    ph_err err;
    i = lua_absindex(L, i);
    op_val *v = bind_test_traced(L, i);
    if (v) return v;
    (void)bind_stack_traced(L, i);
    if ((v = bind_test_traced(L, i)) != NULL) return v;
    bind_operand(L, i, who, what);
    op_val **box = bind_new_traced(L);
    arr a = arr_ref(bind_check_arr(L, i, who, what));
    if (dif_constant(box, &a, &err) != PH_OK) bind_raise(L, &err);
    lua_replace(L, i);
    return *box;
}

static void push_plain(lua_State *L, const op_val *v) {
    arr a = arr_ref(dif_array(v));
    bind_push_result(L, &a);
}

void bind_let_go(op_val **box) {
    if (!*box || dif_traced(*box)) return;
    dif_drop(*box);
    *box = NULL;
}

/* People write to what they get: two gradients may be one value, a gradient a number that is stretched, and a result the argument. */
void bind_push_value(lua_State *L, op_val **box) {
    int i = lua_gettop(L);
    ph_err err;
    if (dif_traced(*box)) return;
    if (dif_own(box, &err) != PH_OK) bind_raise(L, &err);
    push_plain(L, *box);
    bind_let_go(box);
    lua_replace(L, i);
}

/* ---- operations ---------------------------------------------------------------------------------------- */

static int apply_traced(lua_State *L, const op *row, const bind_call *c) {
    op_val *few[8], **in = few, *out[OP_MAXOUT], **box[OP_MAXOUT];
    lua_Debug user;
    ph_err err;
    bind_reserve(L, c->n + 16);
    for (int i = 1; i <= c->n; i++) bind_value(L, i, row->name, "an operand");
    if (c->n > 8) in = lua_newuserdatauv(L, (size_t)c->n * sizeof *in, 0);
    for (int k = 0; k < row->n_out; k++) box[k] = bind_new_traced(L);
    for (int i = 0; i < c->n; i++) in[i] = *(op_val **)lua_touserdata(L, i + 1);
    dif_place at = {NULL, 0};
    if (bind_user_line(L, &user)) at = (dif_place){user.short_src, user.currentline};
    int first = lua_gettop(L) - row->n_out + 1;
    if (dif_apply(out, row, in, c->n, &c->attrs, at, &err) != PH_OK) return bind_raise(L, &err);
    for (int k = 0; k < row->n_out; k++) *box[k] = out[k];
    for (int i = 1; i <= c->n; i++) bind_let_go(lua_touserdata(L, i));
    for (int k = 0; k < row->n_out; k++) {
        lua_pushvalue(L, first + k);
        bind_push_value(L, box[k]);
    }
    return row->n_out;
}

/* Runs an operation on the value at stack 1 with these parameters, and pushes the result. */
static int run_with(lua_State *L, const char *name, const op_attrs *attrs) {
    bind_call c = {.n = 1, .attrs = *attrs};
    return apply_traced(L, op_find(name), &c);
}

/* ---- fields and methods -------------------------------------------------------------------------------- */

static const op_spec *self(lua_State *L, const char *who) {
    op_val *v = bind_test_traced(L, 1);
    if (!v) bind_raise_arg(L, 1, who, "the first operand", "an array");
    return dif_spec(v);
}

static int get_shape(lua_State *L) {
    const op_spec *s = self(L, "shape");
    return bind_push_shape(L, s->ndim, s->shape);
}

static int get_ndim(lua_State *L) {
    lua_pushinteger(L, self(L, "ndim")->ndim);
    return 1;
}

static int get_size(lua_State *L) {
    arr a = op_outline(self(L, "size"));
    lua_pushinteger(L, arr_size(&a));
    return 1;
}

static int get_dtype(lua_State *L) {
    lua_pushstring(L, arr_dtype_name(self(L, "dtype")->dtype));
    return 1;
}

static int get_T(lua_State *L) {
    const op_spec *s = self(L, "T");
    op_attrs attrs = {.nints = s->ndim};
    for (int k = 0; k < s->ndim; k++) attrs.ints[k] = s->ndim - 1 - k;
    lua_settop(L, 1);
    return run_with(L, "permute", &attrs);
}

static int method_t(lua_State *L) {
    bind_check_count(L, "t", 1, 1);
    return get_T(L);
}

/* Nothing writes into a traced array, so it is its own copy. */
static int method_copy(lua_State *L) {
    bind_check_count(L, "copy", 1, 1);
    self(L, "copy");
    return 1;
}

static int method_item(lua_State *L) {
    bind_check_count(L, "item", 1, 1);
    arr a = op_outline(self(L, "item"));
    if (arr_size(&a) != 1) return bind_raise_arg(L, 1, "item", "the operand", "an array of one element");
    return run_with(L, "reshape", &(op_attrs){0});
}

static int method_totable(lua_State *L) {
    return bind_raisef(
        L, "totable: the array is traced; its numbers would leave the derivative. stop_gradient(x):totable() "
           "reads them as constants");
}

/* ---- metamethods --------------------------------------------------------------------------------------- */

static int drop(lua_State *L) {
    op_val **box = lua_touserdata(L, 1);
    op_val *v = *box;
    *box = NULL;
    dif_drop(v);
    return 0;
}

/* Replaces the values at the top two places by an operation on them. */
static void call_op2(lua_State *L, const char *name) {
    bind_push_lab(L);
    lua_getfield(L, -1, name);
    lua_replace(L, -2);
    lua_insert(L, -3);
    lua_call(L, 2, 1);
}

/* x - floor(x / y) y, where the whole number is a constant: between the jumps the derivatives are 1 and -floor(x / y). */
static int meta_mod(lua_State *L) {
    lua_settop(L, 2);
    bind_reserve(L, 8);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    call_op2(L, "div");
    op_val *q = bind_test_traced(L, -1);
    if (q && dif_array(q)) {
        push_plain(L, q);
        lua_replace(L, -2);
    }
    bind_push_lab(L);
    lua_getfield(L, -1, "floor");
    lua_replace(L, -2);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    lua_pushvalue(L, 2);
    call_op2(L, "mul");
    call_op2(L, "sub");
    return 1;
}

/* The concrete value of a number, or of a traced one. */
static bool scalar_value(lua_State *L, int i, double *x) {
    op_val *v = bind_test_traced(L, i);
    const arr *a = v ? dif_array(v) : NULL;
    if (lua_type(L, i) == LUA_TNUMBER) *x = lua_tonumber(L, i);
    else if (a && a->ndim == 0) *x = arr_get_num(a, a->data);
    else return false;
    return true;
}

/* Traced numbers compare by their values: a branch is taken as the function is computed. */
static void two_scalars(lua_State *L, double *x, double *y) {
    if (!scalar_value(L, 1, x) || !scalar_value(L, 2, y))
        bind_raisef(
            L,
            "arrays have no order as a whole; lt le gt ge compare element by element, as in all(lt(A, B))");
}
static int meta_lt(lua_State *L) {
    double x = 0, y = 0;
    two_scalars(L, &x, &y);
    lua_pushboolean(L, x < y);
    return 1;
}
static int meta_le(lua_State *L) {
    double x = 0, y = 0;
    two_scalars(L, &x, &y);
    lua_pushboolean(L, x <= y);
    return 1;
}

/* As for arrays: one shape and equal elements. */
static int meta_eq(lua_State *L) {
    for (int i = 1; i <= 2; i++) {
        op_val *v = bind_test_traced(L, i);
        const arr *a = v ? dif_array(v) : bind_test_arr(L, i);
        if (!a) {
            lua_pushboolean(L, 0);
            return 1;
        }
        arr held = arr_ref(a);
        bind_push_arr(L, &held);
    }
    lua_pushboolean(L, lua_compare(L, -2, -1, LUA_OPEQ));
    return 1;
}

static int meta_len(lua_State *L) {
    const op_spec *s = self(L, "#");
    if (s->ndim == 0) return bind_raisef(L, "#: a single number has no length");
    lua_pushinteger(L, s->shape[0]);
    return 1;
}

/* As the array prints, with one word in front. */
static int meta_tostring(lua_State *L) {
    op_val *v = bind_test_traced(L, 1);
    const arr *a = v ? dif_array(v) : NULL;
    if (!a) {
        lua_pushstring(L, v && dif_escaped(v) ? "traced value of a finished derivative" : "traced batch");
        return 1;
    }
    push_plain(L, v);
    lua_pushliteral(L, "traced ");
    luaL_tolstring(L, -2, NULL);
    lua_concat(L, 2);
    return 1;
}

static int index_ranges(lua_State *L, arr_range *r, int n) {
    op_attrs attrs = {.nints = 3 * n};
    for (int k = 0; k < n; k++) {
        attrs.ints[3 * k] = r[k].first;
        attrs.ints[3 * k + 1] = r[k].step;
        attrs.ints[3 * k + 2] = r[k].drop ? -1 : r[k].count;
    }
    lua_settop(L, 1);
    return run_with(L, "slice", &attrs);
}

static int meta_index(lua_State *L) {
    arr_range r[ARR_MAXDIM];
    bool element;
    if (lua_type(L, 2) == LUA_TSTRING) return bind_class_index(L);
    arr a = op_outline(self(L, "array"));
    if (a.ndim > 0 && lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) == (double)a.shape[0] + 1) {
        lua_pushnil(L); /* ipairs ends here */
        return 1;
    }
    int n = bind_read_key(L, &a, r, &element);
    return index_ranges(L, r, n);
}

static int meta_call(lua_State *L) {
    arr_range r[ARR_MAXDIM];
    arr a = op_outline(self(L, "array"));
    int n = bind_read_call(L, &a, r);
    return index_ranges(L, r, n);
}

static int meta_newindex(lua_State *L) {
    return bind_raisef(
        L,
        "array: a traced array cannot be written to: what was computed from it would be forgotten; build a "
        "new one with where, concat or stack");
}

static int next_row(lua_State *L) {
    const op_spec *s = self(L, "pairs");
    return bind_next_row(L, s->ndim ? s->shape[0] : 0);
}

static int meta_pairs(lua_State *L) {
    self(L, "pairs");
    return bind_pairs(L, next_row);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static const luaL_Reg meta[] = {
    {"__gc", drop},
    {"__close", drop},
    {"__unm", bind_meta_unm},
    {"__lt", meta_lt},
    {"__le", meta_le},
    {"__eq", meta_eq},
    {"__len", meta_len},
    {"__tostring", meta_tostring},
    {"__concat", bind_meta_concat},
    {"__pairs", meta_pairs},
    {"__newindex", meta_newindex},
    {"__mod", meta_mod},
    {"__idiv", bind_meta_idiv},
    {"__call", meta_call},
    {NULL, NULL},
};

void bind_open_traced(lua_State *L) {
    static const luaL_Reg getters[] = {{"shape", get_shape}, {"ndim", get_ndim}, {"size", get_size},
                                       {"dtype", get_dtype}, {"T", get_T},       {NULL, NULL}};
    static const luaL_Reg methods[] = {{"t", method_t},
                                       {"copy", method_copy},
                                       {"item", method_item},
                                       {"totable", method_totable},
                                       {NULL, NULL}};
    bind_class(L, "Traced", KIND_TRACED, meta);
    lua_getfield(L, -1, "__index");
    for (int k = 1; k <= 2; k++) lua_getupvalue(L, -k, k);
    lua_pushliteral(L, "a traced array");
    lua_pushcclosure(L, meta_index, 3);
    lua_setfield(L, -3, "__index");
    lua_pop(L, 1);
    lua_getfield(L, -1, "getters");
    luaL_setfuncs(L, getters, 0);
    lua_pop(L, 1);
    lua_getfield(L, -1, "methods");
    luaL_setfuncs(L, methods, 0);
    lua_pop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &traced_key);
    bind_kind_set(L, KIND_TRACED, apply_traced);
}
