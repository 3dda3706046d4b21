/* diff.c: tapes and sweeps for diff.lua, which makes grad, jacobian and the others of them.
 *
 * Invariant: the userdata of a trace owns it and ends it in __gc or __close, whichever comes first: an error inside a
 * derivative, or Ctrl-C, leaves nothing behind.
 */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

static dif_trace **check_trace(lua_State *L, int i) {
    dif_trace **t = luaL_testudata(L, i, "phasor.Tape");
    if (!t || !*t) bind_raisef(L, "the derivative is finished");
    return t;
}

static int end_trace(lua_State *L) {
    dif_trace **t = lua_touserdata(L, 1), *end = *t;
    *t = NULL;
    dif_end(end);
    return 0;
}

static dif_trace **new_trace(lua_State *L) {
    dif_trace **t = bind_new_finalized(L, sizeof *t, 0);
    *t = NULL;
    luaL_setmetatable(L, "phasor.Tape");
    return t;
}

/* tape() */
static int tool_tape(lua_State *L) {
    ph_err err;
    if (dif_open(new_trace(L), &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

/* batch(n) */
static int tool_batch(lua_State *L) {
    ph_err err;
    int64_t n = bind_check_int(L, 1, "batch", "n", 1, INT32_MAX);
    if (dif_open_batch(new_trace(L), n, &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

/* input(tape, value, who, what): the traced value; "grad: argument 1 is bool; ..." */
static int tool_input(lua_State *L) {
    ph_err err;
    const char *who = bind_check_text(L, 3), *what = bind_check_text(L, 4);
    dif_trace **t = check_trace(L, 1);
    op_val *v = bind_value(L, 2, who, what), **box = bind_new_traced(L);
    if (dif_input(box, *t, v, &err) != PH_OK) return bind_raisef(L, "%s: %s %s", who, what, err.text);
    bind_let_go(lua_touserdata(L, 2));
    return 1;
}

/* ---- lists of values ----------------------------------------------------------------------------------- */

/* The table at i as values, borrowed from boxes that its copy (pushed) keeps alive; the list stands in a userdata
 * (pushed). `false` stands for no value. */
static op_val **list_of(lua_State *L, int i, int *n) {
    *n = (int)lua_rawlen(L, i);
    bind_reserve(L, 8);
    lua_createtable(L, *n, 0);
    int copy = lua_gettop(L);
    op_val **list = lua_newuserdatauv(L, ((size_t)*n + 1) * sizeof *list, 0);
    for (int k = 0; k < *n; k++) {
        lua_rawgeti(L, i, k + 1);
        list[k] = lua_toboolean(L, -1) ? bind_value(L, -1, "derivative", "a value") : NULL;
        lua_rawseti(L, copy, k + 1);
    }
    return list;
}

/* A table of n empty boxes, and the boxes. */
static op_val ***boxes(lua_State *L, int n) {
    bind_reserve(L, 8);
    lua_createtable(L, n, 0);
    op_val ***box = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *box, 0);
    for (int k = 0; k < n; k++) {
        box[k] = bind_new_traced(L);
        lua_rawseti(L, -3, k + 1);
    }
    return box;
}

/* Fills the boxes of the table at `table` and replaces those of constants by arrays and numbers. */
static int finish_boxes(lua_State *L, int table, op_val ***box, op_val **v, int n) {
    for (int k = 0; k < n; k++) *box[k] = v[k];
    for (int k = 0; k < n; k++) {
        lua_rawgeti(L, table, k + 1);
        bind_push_value(L, box[k]);
        lua_rawseti(L, table, k + 1);
    }
    lua_pushvalue(L, table);
    return 1;
}

/* pull(tape, ys, gs, xs, last) and push(tape, xs, dxs, ys). last: it ends the tape */
static int sweep(lua_State *L, bool back) {
    int na, nb, nc;
    ph_err err;
    dif_place at;
    bool last = back && lua_toboolean(L, 5);
    op_val **a = list_of(L, 2, &na), **b = list_of(L, 3, &nb), **c = list_of(L, 4, &nc);
    op_val **out = lua_newuserdatauv(L, ((size_t)nc + 1) * sizeof *out, 0);
    op_val ***box = boxes(L, nc);
    int table = lua_gettop(L) - 1;
    dif_trace **t = check_trace(L, 1);
    for (int k = 0; k < nc; k++)
        if (!c[k]) return bind_raisef(L, "a derivative without a value");
    ph_status st = back ? dif_vjp(*t, na, a, b, nc, c, out, last, &at, &err)
                        : dif_jvp(*t, na, a, b, nc, c, out, &at, &err);
    if (st != PH_OK) return bind_raise_at(L, at.source, at.line, &err);
    if (last) { /* before anything is made: else a collection may look through all that the tape kept */
        dif_end(*t);
        *t = NULL;
    }
    return finish_boxes(L, table, box, out, nc);
}
static int tool_pull(lua_State *L) { return sweep(L, true); }
static int tool_push(lua_State *L) { return sweep(L, false); }

/* ---- single values ------------------------------------------------------------------------------------- */

typedef ph_status value_fn(op_val **out, dif_trace *t, op_val *v, ph_err *err);

static int through(lua_State *L, value_fn *fn) {
    ph_err err;
    dif_trace **t = check_trace(L, 1);
    op_val *v = bind_value(L, 2, "derivative", "a value"), **box = bind_new_traced(L);
    if (fn(box, *t, v, &err) != PH_OK) return bind_raise(L, &err);
    bind_let_go(lua_touserdata(L, 2));
    bind_push_value(L, box);
    return 1;
}

static ph_status outside(op_val **out, dif_trace *t, op_val *v, ph_err *err) {
    (void)err;
    *out = dif_ref(dif_outside(t, v));
    return PH_OK;
}

static int tool_outside(lua_State *L) { return through(L, outside); }
static int tool_batched(lua_State *L) { return through(L, dif_batched); }
static int tool_members(lua_State *L) { return through(L, dif_members); }

/* on(tape, value): it belongs to this tape */
static int tool_on(lua_State *L) {
    op_val *v = bind_test_traced(L, 2);
    lua_pushboolean(L, v && dif_outside(*check_trace(L, 1), v) != v);
    return 1;
}

/* plain(value): the array (a copy) or number behind it, nil when it has escaped */
static int tool_plain(lua_State *L) {
    ph_err err;
    arr held;
    op_val *v = bind_test_traced(L, 1);
    const arr *a = v ? dif_array(v) : NULL;
    if (!v) {
        lua_settop(L, 1);
        return 1;
    }
    if (!a) return 0;
    if (arr_convert(&held, a, a->dtype, &err) != PH_OK) return bind_raise(L, &err);
    bind_push_result(L, &held);
    return 1;
}

/* watch(tape): the next operation that makes a nan out of numbers is an error */
static int tool_watch(lua_State *L) {
    dif_watch(*check_trace(L, 1));
    return 0;
}

static int tool_is_traced(lua_State *L) {
    lua_pushboolean(L, bind_test_traced(L, 1) != NULL);
    return 1;
}

/* nodes(tape): a list of {op=, moves=, from={...}, shape=, line=, source=}; an input has no op */
static int tool_nodes(lua_State *L) {
    char text[200];
    lua_newtable(L);
    for (int64_t i = 0;; i++) {
        dif_op node;
        if (!dif_node_at(*check_trace(L, 1), i, &node)) return 1;
        lua_newtable(L);
        lua_newtable(L);
        for (int k = 0, n = 0; k < node.n; k++)
            if (node.from[k] >= 0) {
                lua_pushinteger(L, dif_node_of(*check_trace(L, 1), node.from[k]) + 1);
                lua_rawseti(L, -2, ++n);
            }
        lua_setfield(L, -2, "from");
        arr shown = op_outline(node.shape);
        lua_pushstring(L, arr_shape_text(text, sizeof text, &shown));
        lua_setfield(L, -2, "shape");
        if (node.row) {
            lua_pushstring(L, node.row->name);
            lua_setfield(L, -2, "op");
            lua_pushboolean(L, node.moves);
            lua_setfield(L, -2, "moves");
            lua_pushinteger(L, node.at.line);
            lua_setfield(L, -2, "line");
            lua_pushstring(L, node.at.source);
            lua_setfield(L, -2, "source");
        }
        lua_rawseti(L, -2, i + 1);
    }
}

/* node_of(tape, value): its number, nil when the value is none of the tape's */
static int tool_node_of(lua_State *L) {
    op_val *v = bind_test_traced(L, 2);
    int64_t slot = v ? dif_slot(*check_trace(L, 1), v) : -1;
    if (slot < 0) return 0;
    lua_pushinteger(L, dif_node_of(*check_trace(L, 1), slot) + 1);
    return 1;
}

void bind_open_diff(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", end_trace}, {"__close", end_trace}, {NULL, NULL}};
    static const luaL_Reg tools[] = {
        {"tape", tool_tape},       {"batch", tool_batch},     {"input", tool_input},
        {"pull", tool_pull},       {"push", tool_push},       {"outside", tool_outside},
        {"batched", tool_batched}, {"members", tool_members}, {"on", tool_on},
        {"plain", tool_plain},     {"watch", tool_watch},     {"is_traced", tool_is_traced},
        {"nodes", tool_nodes},     {"node_of", tool_node_of}, {NULL, NULL}};
    bind_class(L, "Tape", KIND_NONE, meta);
    lua_pop(L, 1);
    luaL_newlib(L, tools);
    bind_provide(L, "phasor.tapes");
    bind_run(L, "phasor.lib.diff");
    bind_run(L, "phasor.lib.graph");
    bind_open_optimise(L);
}
