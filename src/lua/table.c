/* table.c: Lua values as operands: scalars become 0-d arrays, nested tables become arrays. No metamethod is
 * called, so nothing changes between the two passes over a table.
 */
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

bool bind_scalar(lua_State *L, int i, arr_c128 *z, arr_dtype *t) {
    switch (lua_type(L, i)) {
    case LUA_TNUMBER:
        *z = (arr_c128){lua_tonumber(L, i), 0};
        *t = ARR_F64;
        return true;
    case LUA_TBOOLEAN:
        *z = (arr_c128){lua_toboolean(L, i), 0};
        *t = ARR_BOOL;
        return true;
    default: *t = ARR_C128; return bind_test_complex(L, i, z);
    }
}

/* ---- nested tables ------------------------------------------------------------------------------------- */

typedef struct {
    lua_State *L;
    const char *who;
    arr_dtype dtype; /* pass 1: the promotion of every entry so far */
    bool any;        /* an entry was seen */
    int ndim;        /* dimensions, by the first entries */
    int64_t shape[ARR_MAXDIM];
    int64_t index[ARR_MAXDIM]; /* where we are, 0-based */
    arr *out;                  /* pass 2 */
} reader;

/* "[2][3]", the Lua way to the entry at `depth`. */
static const char *path(const reader *rd, int depth, char *buf, size_t cap) {
    size_t at = 0;
    buf[0] = 0;
    for (int k = 0; k < depth && at < cap; k++)
        at += (size_t)snprintf(buf + at, cap - at, "[%lld]", (long long)rd->index[k] + 1);
    return depth ? buf : "the table";
}

static void bad_entry(reader *rd, int depth) {
    char buf[200];
    bind_raise_arg(rd->L, -1, rd->who, path(rd, depth, buf, sizeof buf),
                   "a number, boolean, complex number, array or table");
}

static void ragged(reader *rd, int depth, int64_t seen, int64_t wanted) {
    char buf[200];
    bind_raisef(rd->L, "%s: %s has %lld entries; wanted %lld, as in the first (rows of unequal length)",
                rd->who, path(rd, depth, buf, sizeof buf), (long long)seen, (long long)wanted);
}

/* A key besides 1..n is a mistake, most often an option put among the entries. The value at the top is the
 * table. */
static void check_keys(reader *rd, int depth, int64_t n) {
    lua_State *L = rd->L;
    char buf[200];
    if (n) lua_pushinteger(L, n);
    else lua_pushnil(L);
    for (; lua_next(L, -2); lua_pop(L, 1)) {
        int64_t k = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        if (k >= 1 && k <= n) continue;
        if (lua_type(L, -2) == LUA_TSTRING)
            bind_raisef(
                L, "%s: %s has the key '%.40s'; options go in a table of their own: %s(..., {%.40s=...})",
                rd->who, path(rd, depth, buf, sizeof buf), lua_tostring(L, -2), rd->who, lua_tostring(L, -2));
        bind_raisef(L, "%s: %s has entries beyond [%lld]; wanted a list without gaps", rd->who,
                    path(rd, depth, buf, sizeof buf), (long long)n);
    }
}

/* The shape, found by following the first entries down. */
static void find_shape(reader *rd) {
    lua_State *L = rd->L;
    int top = lua_gettop(L);
    while (bind_kind_of(L, -1) == KIND_ARRAY && lua_istable(L, -1)) {
        if (rd->ndim == ARR_MAXDIM)
            bind_raisef(L, "%s: the table is nested deeper than %d", rd->who, ARR_MAXDIM);
        rd->shape[rd->ndim++] = (int64_t)lua_rawlen(L, -1);
        bind_reserve(L, 12);
        if (lua_rawgeti(L, -1, 1) == LUA_TNIL) break;
    }
    const arr *a = bind_test_arr(L, -1);
    for (int k = 0; a && k < a->ndim; k++) {
        if (rd->ndim == ARR_MAXDIM) bind_raisef(L, "%s: more than %d dimensions", rd->who, ARR_MAXDIM);
        rd->shape[rd->ndim++] = a->shape[k];
    }
    lua_settop(L, top);
}

/* An array as entry at `depth` stands for the dimensions below it. */
static void visit_array(reader *rd, int depth, const arr *a) {
    ph_err err;
    if (!a->buf) bad_entry(rd, depth);
    if (a->ndim != rd->ndim - depth)
        ragged(rd, depth, a->ndim ? a->shape[0] : 1, depth < rd->ndim ? rd->shape[depth] : 1);
    for (int k = 0; k < a->ndim; k++)
        if (a->shape[k] != rd->shape[depth + k]) ragged(rd, depth, a->shape[k], rd->shape[depth + k]);
    rd->dtype = rd->any ? arr_promote(rd->dtype, a->dtype) : a->dtype;
    rd->any = true;
    if (!rd->out) return;
    arr_range r[ARR_MAXDIM];
    arr view = ARR_NONE;
    for (int k = 0; k < depth; k++) r[k] = (arr_range){rd->index[k], 1, 1, true};
    ph_status st = arr_slice(&view, rd->out, depth, r, &err);
    if (st == PH_OK) st = arr_assign(&view, a, &err);
    arr_drop(&view);
    if (st != PH_OK) bind_raise(rd->L, &err);
}

static void visit_scalar(reader *rd, int depth) {
    arr_c128 z;
    arr_dtype t;
    ph_err err;
    if (!bind_scalar(rd->L, -1, &z, &t)) bad_entry(rd, depth);
    if (depth != rd->ndim) {
        char buf[200];
        bind_raise_arg(rd->L, -1, rd->who, path(rd, depth, buf, sizeof buf),
                       "a table or array, as the first entry is");
    }
    rd->dtype = rd->any ? arr_promote(rd->dtype, t) : t;
    rd->any = true;
    if (rd->out && arr_put_c128(rd->out, arr_at(rd->out, rd->index), z, &err) != PH_OK)
        bind_raise(rd->L, &err);
}

/* Visits the value at the top of the stack, which stands at index[0..depth-1]; leaves it there. */
static void visit(reader *rd, int depth) {
    lua_State *L = rd->L;
    const arr *a = bind_test_arr(L, -1);
    if (a) {
        visit_array(rd, depth, a);
        return;
    }
    if (!lua_istable(L, -1) || bind_kind_of(L, -1) != KIND_ARRAY) {
        visit_scalar(rd, depth);
        return;
    }
    int64_t n = (int64_t)lua_rawlen(L, -1);
    if (depth >= rd->ndim) {
        char buf[200];
        bind_raisef(L, "%s: %s is a table; wanted a number, as the first entry is", rd->who,
                    path(rd, depth, buf, sizeof buf));
    }
    if (n != rd->shape[depth]) ragged(rd, depth, n, rd->shape[depth]);
    if (!rd->out) check_keys(rd, depth, n);
    bind_reserve(L, 12);
    for (int64_t k = 0; k < n; k++) {
        rd->index[depth] = k;
        lua_rawgeti(L, -1, k + 1);
        visit(rd, depth + 1);
        lua_pop(L, 1);
        if (ph_interrupted()) bind_raisef(L, "interrupted");
    }
}

void bind_from_table(lua_State *L, arr *out, int i, arr_dtype dtype, const char *who) {
    reader rd = {.L = L, .who = who, .dtype = ARR_F64};
    ph_err err;
    bind_reserve(L, 16);
    lua_pushvalue(L, i);
    find_shape(&rd);
    visit(&rd, 0);
    if (arr_new(out, dtype == ARR_NDTYPE ? rd.dtype : dtype, rd.ndim, rd.shape, &err) != PH_OK) {
        ph_err e = err;
        bind_raisef(L, "%s: %s", who, e.text);
    }
    rd.out = out;
    visit(&rd, 0);
    lua_pop(L, 1);
}

/* ---- operands ------------------------------------------------------------------------------------------ */

arr *bind_operand(lua_State *L, int i, const char *who, const char *what) {
    arr_c128 z;
    arr_dtype t;
    ph_err err;
    arr *a = bind_test_arr(L, i);
    if (a && a->buf) return a;
    if (bind_widen(L, i)) return bind_test_arr(L, i);
    if (bind_scalar(L, i, &z, &t)) {
        a = bind_new_arr(L);
        if (arr_scalar(a, t, z, &err) != PH_OK) bind_raise(L, &err);
    } else if (lua_istable(L, i) && bind_kind_of(L, i) == KIND_ARRAY) {
        a = bind_new_arr(L);
        bind_from_table(L, a, i, ARR_NDTYPE, who);
    } else bind_raise_arg(L, i, who, what, "a number, an array or a table of numbers");
    lua_replace(L, i);
    return a;
}
