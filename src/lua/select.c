/* select.c: find, and elements chosen by an array: A[mask], A[indices]. */
#include "lua/bind.h"
#include "lua/state.h"

static int64_t count_true(const arr *m, int64_t size) {
    int64_t n = 0;
    for (int64_t i = 0; i < size; i++) n += ((const unsigned char *)m->data)[i] != 0;
    return n;
}

/* Writes where element i of an array of that shape stands, counted from 1. */
static void put_place(double *place, int64_t i, const arr *m) {
    for (int k = m->ndim - 1; k >= 0; i /= m->shape[k--]) place[k] = (double)(i % m->shape[k] + 1);
}

/* find(mask) */
static int find(lua_State *L) {
    ph_err err;
    bind_check_count(L, "find", 1, 1);
    const arr *given = bind_operand(L, 1, "find", "the mask");
    if (given->dtype != ARR_BOOL || given->ndim == 0)
        return bind_raise_arg(L, 1, "find", "the mask", "booleans, as in find(gt(x, 1))");
    arr *m = bind_new_arr(L), *out = bind_new_arr(L);
    if (arr_contiguous(m, given, ARR_BOOL, &err) != PH_OK) return bind_raise(L, &err);
    int64_t size = arr_size(m), shape[] = {count_true(m, size), m->ndim};
    if (arr_new(out, ARR_F64, m->ndim > 1 ? 2 : 1, shape, &err) != PH_OK) return bind_raise(L, &err);
    double *place = (double *)out->data;
    for (int64_t i = 0; i < size; i++) {
        if (!((const unsigned char *)m->data)[i]) continue;
        put_place(place, i, m);
        place += m->ndim;
    }
    return 1;
}

int bind_select(lua_State *L, const char *how) {
    int n = lua_gettop(L);
    bind_require(L, "phasor.lib.select");
    lua_getfield(L, -1, how);
    lua_replace(L, n + 1);
    lua_settop(L, n + 1);
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# comparison and choice"},
    {"find", find, "mask",
     "Where a condition holds: the places of what is true, counted from 1.\n"
     "mask: booleans, as eq ne lt le gt ge and the logical_ functions give them. Of one dimension: an array of indices; of more: a row "
     "of indices for each.\n"
     "A[mask] are the elements there (or the rows, where the mask has one element a row), A[mask] = v sets them; A[find(mask)] too.",
     "x = array{3, 8, 1, 9}\n"
     "find(gt(x, 2)):totable()  --> {1.0, 2.0, 4.0}\n"
     "x[gt(x, 5)]:totable()  --> {8.0, 9.0}\n"
     "x[lt(x, 5)] = 0\n"
     "x:totable()  --> {0.0, 8.0, 0.0, 9.0}\n"
     "find(eq(eye(2), 1)):totable()  --> {{1.0, 1.0}, {2.0, 2.0}}\n"
     "find{1, 2}  --> error: wanted booleans"},
    {.name = NULL},
};

void bind_open_select(lua_State *L) { bind_rows(L, rows); }
