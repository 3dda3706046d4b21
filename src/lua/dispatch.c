/* dispatch.c: every operation row becomes a Lua function. Its signature says how the arguments are read, the
 * highest kind among the operands who computes it.
 *
 * Invariant: between op_apply and the moment its outputs are in userdata, no Lua call is made.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

const char bind_kind_key = 0;

/* The kind that the value's metatable says, KIND_NONE without one. */
static bind_kind class_kind(lua_State *L, int i) {
    if (!lua_getmetatable(L, i)) return KIND_NONE;
    lua_rawgetp(L, -1, &bind_kind_key);
    bind_kind k = (bind_kind)lua_tointeger(L, -1);
    lua_pop(L, 2);
    return k;
}

bind_kind bind_kind_of(lua_State *L, int i) {
    bind_kind k;
    switch (lua_type(L, i)) {
    case LUA_TNUMBER: return KIND_NUMBER;
    case LUA_TBOOLEAN: return KIND_BOOLEAN;
    case LUA_TUSERDATA: return class_kind(L, i);
    case LUA_TTABLE:
        k = class_kind(L, i);
        return k == KIND_NONE ? KIND_ARRAY : k; /* a table of numbers, until its entries say otherwise */
    default: return KIND_NONE;
    }
}

/* ---- results ------------------------------------------------------------------------------------------- */

/* Reads a 0-d array, ends it, and pushes its value; a whole one as a Lua integer. */
static void push_scalar(lua_State *L, arr *a, bool whole) {
    arr_c128 z = arr_get_c128(a, a->data);
    arr_dtype t = a->dtype;
    arr_drop(a);
    if (t == ARR_C128) bind_push_complex(L, z);
    else if (t == ARR_BOOL) lua_pushboolean(L, z.re != 0);
    else if (whole && z.re >= -0x1p53 && z.re <= 0x1p53) lua_pushinteger(L, (lua_Integer)z.re);
    else lua_pushnumber(L, z.re);
}

static int push_boxed(lua_State *L) {
    arr *a = lua_touserdata(L, 1), *box = bind_new_arr(L);
    *box = *a;
    *a = ARR_NONE;
    return 1;
}

/* The box is made under a protected call: when Lua has no memory for it, the array is dropped before the
 * error goes on. */
void bind_push_arr(lua_State *L, arr *a) {
    if (!lua_checkstack(L, 3)) {
        arr_drop(a);
        bind_reserve(L, 3);
    }
    lua_pushcfunction(L, push_boxed);
    lua_pushlightuserdata(L, a);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK) return;
    arr_drop(a);
    bind_rethrow(L);
}

void bind_push_result(lua_State *L, arr *a) {
    if (a->ndim == 0) push_scalar(L, a, false);
    else bind_push_arr(L, a);
}

/* ---- arrays: the general case -------------------------------------------------------------------------- */

#define FEW    4
#define WANTED "a number, an array or a table of numbers"

static const char *operand_name(int i) {
    static const char *const names[FEW] = {"operand 1", "operand 2", "operand 3", "operand 4"};
    return i < FEW ? names[i] : "an operand";
}

/* The operands of one call: where they live (userdata on the stack, which do not move), and copies that
 * borrow their storage for the operation. */
typedef struct {
    arr **at, *in;
    arr *few_at[FEW], few[FEW];
} operands;

static void find_operands(lua_State *L, operands *o, const op *row, int n) {
    o->at = o->few_at;
    o->in = o->few;
    bind_reserve(L, n + 12);
    if (n > FEW) {
        o->at = lua_newuserdatauv(L, (size_t)n * sizeof *o->at, 0);
        o->in = lua_newuserdatauv(L, (size_t)n * sizeof *o->in, 0);
    }
    for (int i = 0; i < n; i++) o->at[i] = bind_operand(L, i + 1, row->name, operand_name(i));
}

/* To be called last before the operation: whatever may run a finalizer may close an array. */
static void borrow(lua_State *L, operands *o, const op *row, int n) {
    for (int i = 0; i < n; i++) {
        if (!o->at[i]->buf) bind_raise_arg(L, i + 1, row->name, operand_name(i), WANTED);
        o->in[i] = *o->at[i];
    }
}

/* True only when every output is certainly 0-d: no box is made for it then. */
static bool scalar_result(const op *row, const bind_call *c, const operands *o) {
    if (row->n_out != 1 || (row->flags & OP_VIEW)) return false;
    if ((row->flags & OP_SCALAR_OUT) || (row->sig == OP_SIG_AXIS && !c->attrs.has_axis && !c->attrs.keep))
        return true;
    if (!(row->flags & OP_ELEMENTWISE)) return false;
    for (int i = 0; i < c->n; i++)
        if (o->at[i]->ndim > 0) return false;
    return true;
}

/* op_apply, once more after a full collection when memory ran out. */
static void run_row(lua_State *L, arr *out, operands *o, const op *row, const bind_call *c) {
    ph_err err;
    borrow(L, o, row, c->n);
    ph_status st = op_apply(out, row, o->in, c->n, &c->attrs, &err);
    if (bind_made_room(L, st)) {
        borrow(L, o, row, c->n);
        st = op_apply(out, row, o->in, c->n, &c->attrs, &err);
    }
    if (st != PH_OK) bind_raise(L, &err);
}

static int apply_array(lua_State *L, const op *row, const bind_call *c) {
    operands o;
    arr out[OP_MAXOUT], *box[OP_MAXOUT];
    bool whole = row->flags & OP_WHOLE;
    find_operands(L, &o, row, c->n);
    if (scalar_result(row, c, &o)) {
        run_row(L, out, &o, row, c);
        if (out[0].ndim == 0) push_scalar(L, &out[0], whole);
        else bind_push_arr(L, &out[0]);
        return 1;
    }
    int first = lua_gettop(L) + 1;
    for (int k = 0; k < row->n_out; k++) box[k] = bind_new_arr(L);
    run_row(L, out, &o, row, c);
    for (int k = 0; k < row->n_out; k++) *box[k] = out[k];
    for (int k = 0; k < row->n_out; k++) {
        if (box[k]->ndim == 0) push_scalar(L, box[k], whole);
        else lua_pushvalue(L, first + k);
    }
    return row->n_out;
}

/* A pure-number call stays numbers when the row has a scalar form. */
static int apply_number(lua_State *L, const op *row, const bind_call *c) {
    if (c->n == 1 && row->num1 && lua_isnumber(L, 1)) {
        lua_pushnumber(L, row->num1(lua_tonumber(L, 1)));
        return 1;
    }
    if (c->n == 2 && row->num2 && lua_isnumber(L, 1) && lua_isnumber(L, 2)) {
        lua_pushnumber(L, row->num2(lua_tonumber(L, 1), lua_tonumber(L, 2)));
        return 1;
    }
    return apply_array(L, row, c);
}

/* ---- the kinds ----------------------------------------------------------------------------------------- */

void bind_kind_set(lua_State *L, bind_kind kind, bind_apply *apply) { bind_state_of(L)->apply[kind] = apply; }

#define LOOKED_AT 16 /* entries of a table in which a formula is looked for, and rows of it */

/* Does a table hold a formula, near its beginning or in the beginning of a row? */
static bool holds_formula(lua_State *L, int i, int depth) {
    bool found = false;
    bind_reserve(L, 4);
    for (int k = 1; k <= LOOKED_AT && !found; k++) {
        int type = lua_rawgeti(L, i, k);
        if (type == LUA_TUSERDATA) found = class_kind(L, -1) == KIND_EXPR;
        else if (type == LUA_TTABLE && depth > 0) found = holds_formula(L, lua_gettop(L), depth - 1);
        lua_pop(L, 1);
        if (type == LUA_TNIL) break;
    }
    return found;
}

static int run(lua_State *L, const op *row, const bind_call *c) {
    bind_kind top = KIND_NONE;
    for (int i = 1; i <= c->n; i++) {
        bind_kind k = bind_kind_of(L, i);
        if (k == KIND_NONE && bind_widen(L, i)) k = KIND_ARRAY;
        if (k == KIND_ARRAY && bind_stack_traced(L, i)) k = KIND_TRACED;
        if (k == KIND_ARRAY && lua_istable(L, i) && holds_formula(L, i, 1)) k = KIND_EXPR;
        if (k == KIND_NONE) return bind_raise_arg(L, i, row->name, operand_name(i - 1), WANTED);
        if (k > top) top = k;
    }
    if (top == KIND_NUMBER) return apply_number(L, row, c);
    if (top <= KIND_ARRAY) return apply_array(L, row, c);
    bind_apply *apply = bind_state_of(L)->apply[top];
    if (!apply) return bind_raisef(L, "%s: not defined for this kind of operand", row->name);
    return apply(L, row, c);
}

/* ---- arguments, by signature --------------------------------------------------------------------------- */

/* Negative axes count from the end in both worlds; positive ones from 1 here, from 0 in C. */
int bind_check_axis(lua_State *L, int i, const char *who) {
    int64_t k = bind_check_int(L, i, who, "axis", -ARR_MAXDIM, ARR_MAXDIM);
    if (k == 0) bind_raisef(L, "%s: axis is 0; axes count from 1, or from -1 at the end", who);
    return (int)(k > 0 ? k - 1 : k);
}

/* The one number that some reductions take as an option, which becomes attrs.num; NULL: none. */
static const char *number_option(const op *row) {
    static const char *const rows[][2] = {{"var", "ddof"}, {"std", "ddof"}, {"norm", "ord"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k][0], row->name) == 0) return rows[k][1];
    return NULL;
}

/* The options of a reduction at stack index i: {axis=2, keep=true, ddof=1}. */
static void read_axis_options(lua_State *L, int i, const op *row, bind_call *c) {
    const char *number = number_option(row), *const names[] = {"axis", "keep", number, NULL};
    bind_check_options(L, i, row->name, names);
    lua_getfield(L, i, "keep");
    c->attrs.keep = lua_toboolean(L, -1);
    if (lua_getfield(L, i, "axis") != LUA_TNIL)
        c->attrs.axis = bind_check_axis(L, -1, row->name), c->attrs.has_axis = true;
    if (number && lua_getfield(L, i, number) != LUA_TNIL) {
        c->attrs.num = bind_check_num(L, -1, row->name, number);
        if (c->attrs.num == 0 && strcmp(number, "ord") == 0) /* where 0 would mean: none given */
            bind_raise_arg(L, -1, row->name, number, "1, 2 or inf");
    }
    lua_settop(L, i - 1);
}

/* max(1, 2) is how most languages compare two numbers. */
static void check_one_operand(lua_State *L, const op *row) {
    bool order = strcmp(row->name, "min") == 0 || strcmp(row->name, "max") == 0;
    if (order && lua_gettop(L) == 2 && !lua_isnil(L, 2) && (lua_isnumber(L, 1) || !lua_isnumber(L, 2)))
        bind_raisef(L, "%s: folds one array; %simum(x, y) compares two", row->name, row->name);
}

/* f(x [, axis] [, {keep=true}]) */
static void read_axis(lua_State *L, const op *row, bind_call *c) {
    bind_check_count(L, row->name, 1, 3);
    int last = lua_gettop(L);
    if (last > 1 && lua_istable(L, last)) read_axis_options(L, last, row, c);
    else if (last == 3) bind_raise_arg(L, 3, row->name, "argument 3", "options such as {keep=true}");
    check_one_operand(L, row);
    if (lua_gettop(L) > 1 && !lua_isnil(L, 2))
        c->attrs.axis = bind_check_axis(L, 2, row->name), c->attrs.has_axis = true;
    c->n = 1;
}

static void read_fixed(lua_State *L, const op *row, bind_call *c) {
    c->n = row->sig == OP_SIG_X ? 1 : row->sig == OP_SIG_XY ? 2 : 3;
    bind_check_count(L, row->name, c->n, c->n);
}

/* The Lua function of a row, which is upvalue 1. */
static int call_op(lua_State *L) {
    const op *row = lua_touserdata(L, lua_upvalueindex(1));
    bind_call c;
    c.n = 0;
    memset(&c.attrs, 0, offsetof(op_attrs, ints));
    c.attrs.word = NULL;
    c.attrs.base = 1;
    if (row->sig == OP_SIG_AXIS) read_axis(L, row, &c);
    else if (row->sig != OP_SIG_OTHER) read_fixed(L, row, &c);
    else bind_find_reader(row)(L, row, &c);
    return run(L, row, &c);
}

int bind_call_op(lua_State *L, const char *name, int n) {
    const op *row = op_find(name);
    bind_call c = {.n = n, .attrs = {.base = 1}};
    if (!row) return bind_raisef(L, "%s: no such operation", name);
    lua_settop(L, n);
    return run(L, row, &c);
}

/* ---- metamethods of several classes --------------------------------------------------------------------- */

/* Lua passes the operand twice. */
int bind_meta_unm(lua_State *L) { return bind_call_op(L, "neg", 1); }

int bind_meta_idiv(lua_State *L) {
    bind_call_op(L, "div", 2);
    lua_replace(L, 1);
    return bind_call_op(L, "floor", 1);
}

int bind_meta_concat(lua_State *L) {
    luaL_tolstring(L, 1, NULL);
    luaL_tolstring(L, 2, NULL);
    lua_concat(L, 2);
    return 1;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* Sets the function at the top as a method too, unless the class has a field of that name. */
static void set_method(lua_State *L, const char *class, const char *name) {
    luaL_getmetatable(L, class);
    lua_getfield(L, -1, "getters");
    bool free = lua_getfield(L, -1, name) == LUA_TNIL;
    lua_getfield(L, -3, "methods");
    lua_pushvalue(L, -5);
    if (free) lua_setfield(L, -2, name);
    lua_settop(L, -1 - (free ? 4 : 5));
}

static void set_metamethods(lua_State *L, const char *class) {
    static const char *const events[][2] = {
        {"__add", "add"}, {"__sub", "sub"}, {"__mul", "mul"}, {"__div", "div"}, {"__pow", "pow"}};
    luaL_getmetatable(L, class);
    bind_push_lab(L);
    for (int k = 0; k < 5; k++) {
        lua_getfield(L, -1, events[k][1]);
        lua_setfield(L, -3, events[k][0]);
    }
    lua_pop(L, 2);
}

/* The function of every row, which is also a method of arrays, and of complex numbers when it is elementwise
 * in one. */
void bind_open_ops(lua_State *L) {
    bind_push_lab(L);
    for (const op_table *t = op_tables; t->rows; t++)
        for (const op *row = t->rows; row < t->rows + *t->n; row++) {
            if (row->sig == OP_SIG_OTHER && !bind_find_reader(row)) continue;
            lua_pushlightuserdata(L, (void *)row);
            lua_pushcclosure(L, call_op, 1);
            if (row->max_in >= 0) set_method(L, "phasor.Array", row->name);
            if (row->max_in >= 0) set_method(L, "phasor.Traced", row->name);
            if (row->max_in >= 0) set_method(L, "phasor.Half", row->name);
            if (row->sig == OP_SIG_X && (row->flags & OP_ELEMENTWISE))
                set_method(L, "phasor.Complex", row->name);
            lua_setfield(L, -2, row->name);
        }
    lua_getfield(L, -1, "matmul");
    set_method(L, "phasor.Array", "mm");
    set_method(L, "phasor.Traced", "mm");
    lua_pop(L, 2);
    set_metamethods(L, "phasor.Array");
    set_metamethods(L, "phasor.Traced");
    set_metamethods(L, "phasor.Half");
}
