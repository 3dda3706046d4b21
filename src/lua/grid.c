/* grid.c: certify_table: an array against the formula that it was made from. */
#include "lua/bind.h"
#include "lua/state.h"
#include "verify/grid.h"

#define WHO "certify_table"

/* {symbol, first, last} at the top of the stack, which is popped; the symbol stays alive in the table. */
static ver_axis read_axis(lua_State *L, int64_t wanted, int k) {
    ver_axis axis = {0};
    int t = lua_gettop(L);
    if (!lua_istable(L, t) || lua_rawlen(L, t) != 3)
        bind_raisef(L, WHO ": axis %d: wanted {symbol, first, last}, as in {t, 0, 4096}", k);
    lua_rawgeti(L, t, 1);
    lua_rawgeti(L, t, 2);
    lua_rawgeti(L, t, 3);
    axis.sym = bind_test_expr(L, t + 1);
    if (!axis.sym || axis.sym->op != EXPR_SYM)
        bind_raisef(L, WHO ": axis %d: its first item is no symbol", k);
    axis.from = bind_check_int(L, t + 2, WHO, "the first value", -((int64_t)1 << 53), (int64_t)1 << 53);
    int64_t last = bind_check_int(L, t + 3, WHO, "the last value", -((int64_t)1 << 53), (int64_t)1 << 53);
    axis.count = last - axis.from + 1;
    if (axis.count != wanted)
        bind_raisef(L, WHO ": axis %d: %s runs through %lld values, and the table has %lld there", k,
                    axis.sym->name, (long long)axis.count, (long long)wanted);
    lua_settop(L, t - 1);
    return axis;
}

/* certify_table(f, axes, table [, {ulp = 1}]) */
static int certify_table(lua_State *L) {
    static const char *const names[] = {"ulp", "caption", NULL};
    ver_axis axis[VER_MAX_AXES];
    ph_err err;
    double ulps = 1;
    bind_check_count(L, WHO, 3, 4);
    expr_node *f = bind_expr_operand(L, 1, WHO, "the formula");
    if (!lua_istable(L, 2))
        bind_raise_arg(L, 2, WHO, "the axes", "a list such as {{t, 0, 4096}, {i, 0, 63}}");
    const arr *table = bind_operand(L, 3, WHO, "the table");
    if (table->dtype != ARR_F64 && table->dtype != ARR_F32)
        bind_raisef(L, WHO ": the table is %s; wanted f64 or f32", arr_dtype_name(table->dtype));
    if (!lua_isnoneornil(L, 4)) {
        if (!lua_istable(L, 4)) bind_raise_arg(L, 4, WHO, "the last argument", "options such as {ulp = 1}");
        bind_check_options(L, 4, WHO, names);
        if (lua_getfield(L, 4, "ulp") != LUA_TNIL) ulps = bind_check_num(L, -1, WHO, "ulp");
    }
    int n = (int)lua_rawlen(L, 2);
    if (n != table->ndim || n > VER_MAX_AXES || n == 0)
        return bind_raisef(L, WHO ": %d axes for a table of %d dimensions; wanted one for each", n,
                           table->ndim);
    for (int k = 0; k < n; k++) {
        lua_rawgeti(L, 2, k + 1);
        axis[k] = read_axis(L, table->shape[k], k + 1);
    }
    arr *whole = bind_new_arr(L);
    if (arr_contiguous(whole, table, ARR_F64, &err) != PH_OK) return bind_raise(L, &err);
    const double *value = (const double *)whole->data;
    ver_table entries = table->dtype == ARR_F32 ? VER_F32(value) : VER_F64(value);
    ver_verdict *v = bind_new_verdict(L);
    if (ver_certify_table(v, f, axis, n, &entries, ulps, &err) != PH_OK) return bind_raise(L, &err);
    bind_caption(L, -1, 4, WHO);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# certificates"},
    {"certify_table", certify_table, "f, {{symbol, first, last}, ...}, A [, {ulp=1, caption=}]",
     "Holds every entry of a table against the exact value of its formula.\n"
     "f: a formula in the symbols of the axes. The axes are those of A, in order; each symbol runs through "
     "the integers from its first to its last. A: f64 or f32. ulp: how many units in the last place an entry "
     "may be off (1); the unit is that of the exact value in A's format.\n"
     "Each value is a ball that contains the exact one, so nothing rests on rounding: certified, with the "
     "largest deviation (rounded up); refuted, with the worst entry and how many are beyond the bound; or "
     "unknown. Parts of f in which an axis does not occur are evaluated once, not at every point.",
     "t, i = sym(\"t i\", \"integer\")\n"
     "f = cos(t/10^i)\n"
     "A = cos(reshape(range(0, 9), 10, 1) / array{1, 10, 100})\n"
     "certify_table(f, {{t, 0, 9}, {i, 0, 2}}, A).strength  --> certified\n"
     "certify_table(f, {{t, 0, 9}, {i, 0, 2}}, A + 1e-9).strength  --> refuted\n"
     "certify_table(f, {{t, 0, 9}}, A)  --> error: wanted one for each"},
    {.name = NULL},
};

void bind_open_grid(lua_State *L) { bind_rows(L, rows); }
