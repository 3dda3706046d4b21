/* exact.c: C's part of the exact functions of formulas.lua. A list is a table of formulas; while it is used its table stays
 * on the stack, which keeps the formulas alive. */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"
#include "verify/exact.h"

/* The formulas of the table at i, as an array in a new userdata; numbers in it are an error. */
static expr_node **read_list(lua_State *L, int i, const char *who, int *n) {
    if (!lua_istable(L, i)) bind_raise_arg(L, i, who, "a list", "a table of formulas");
    int count = (int)lua_rawlen(L, i);
    bind_reserve(L, 8);
    expr_node **e = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *e, 0);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, i, k + 1);
        e[k] = bind_test_expr(L, -1);
        if (!e[k]) bind_raise_arg(L, lua_gettop(L), who, "an item of the list", "a formula");
        lua_pop(L, 1);
    }
    if (n) *n = count;
    return e;
}

/* rows, columns, entries from stack index i. */
static ver_matrix read_matrix(lua_State *L, int i, const char *who) {
    int n;
    ver_matrix m = {(int)lua_tointeger(L, i), (int)lua_tointeger(L, i + 1), NULL};
    m.entry = read_list(L, i + 2, who, &n);
    if ((int64_t)m.rows * m.cols != n) bind_raisef(L, "%s: the matrix is damaged", who);
    return m;
}

static int fail(lua_State *L, const char *who, const ph_err *err) { return bind_raise_from(L, who, err); }

static int rank(lua_State *L) {
    ph_err err;
    int64_t r;
    ver_matrix a = read_matrix(L, 1, "rank");
    if (ver_rank(&r, &a, &err) != PH_OK) return fail(L, "rank", &err);
    lua_pushinteger(L, (lua_Integer)r);
    return 1;
}

static int det(lua_State *L) {
    ph_err err;
    ver_matrix a = read_matrix(L, 1, "det");
    if (ver_det(bind_new_expr(L), &a, &err) != PH_OK) return fail(L, "det", &err);
    return 1;
}

static int free_matrix(lua_State *L) {
    ver_matrix_clear(lua_touserdata(L, 1));
    return 0;
}

/* An empty matrix that the collector clears. */
static ver_matrix *new_matrix(lua_State *L) {
    return bind_new_owner(L, sizeof(ver_matrix), "phasor.exact.matrix", free_matrix);
}

static void push_entries(lua_State *L, const ver_matrix *m) {
    int n = m->rows * m->cols;
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        bind_push_expr(L, m->entry[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* entries, columns of a basis */
static int null_space(lua_State *L) {
    ph_err err;
    ver_matrix a = read_matrix(L, 1, "null_space"), *out = new_matrix(L);
    if (ver_null_space(out, &a, &err) != PH_OK) return fail(L, "null_space", &err);
    push_entries(L, out);
    lua_pushinteger(L, out->cols);
    return 2;
}

/* entries of one solution, number of free unknowns */
static int solve(lua_State *L) {
    ph_err err;
    int64_t free_unknowns;
    ver_matrix a = read_matrix(L, 1, "solve"), b = read_matrix(L, 4, "solve"), *out = new_matrix(L);
    if (ver_solve(out, &free_unknowns, &a, &b, &err) != PH_OK) return fail(L, "solve", &err);
    push_entries(L, out);
    lua_pushinteger(L, (lua_Integer)free_unknowns);
    return 2;
}

/* moment(f, {symbols}, 1 or 2, who) */
static int moment(lua_State *L) {
    ph_err err;
    int n;
    const char *who = lua_tostring(L, 4);
    expr_node *f = bind_expr_operand(L, 1, who, "the formula"), **sym = read_list(L, 2, who, &n);
    for (int i = 0; i < n; i++)
        if (sym[i]->op != EXPR_SYM && sym[i]->op != EXPR_AT)
            return bind_raisef(L, "%s: a random quantity is no symbol", who);
    expr_set random = {.n = n, .item = sym};
    if (ver_moment(bind_new_expr(L), f, &random, (int)lua_tointeger(L, 3), &err) != PH_OK)
        return fail(L, who, &err);
    return 1;
}

/* symmetric(f, {symbols}, n, size) */
static int symmetric(lua_State *L) {
    ph_err err;
    int n, blocks = (int)lua_tointeger(L, 3), size = (int)lua_tointeger(L, 4);
    expr_node *f = bind_expr_operand(L, 1, "symmetric", "the formula"),
              **sym = read_list(L, 2, "symmetric", &n);
    if (blocks < 1 || size < 1 || (int64_t)blocks * size != n)
        return bind_raisef(L, "symmetric: the symbols differ in size");
    for (int i = 0; i < n; i++)
        if (sym[i]->op != EXPR_SYM && sym[i]->op != EXPR_AT)
            return bind_raisef(L, "symmetric: only symbols can be exchanged");
    if (ver_symmetric(bind_new_verdict(L), f, sym, blocks, size, &err) != PH_OK)
        return fail(L, "symmetric", &err);
    return 1;
}

/* induct({statements}, n, from, {given}) */
static int induct(lua_State *L) {
    ph_err err;
    int count, ngiven;
    int64_t from = bind_check_int(L, 3, "induct", "from", INT32_MIN, INT32_MAX);
    expr_node **s = read_list(L, 1, "induct", &count), *n = bind_expr_operand(L, 2, "induct", "the variable"),
              **given = read_list(L, 4, "induct", &ngiven);
    if (!count) return bind_raisef(L, "induct: no statement");
    if (ver_induct(bind_new_verdict(L), s, count, n, from, given, ngiven, &err) != PH_OK)
        return fail(L, "induct", &err);
    return 1;
}

/* part(f): what is the same for the same part of a formula only, as long as that is there */
static int part(lua_State *L) {
    lua_pushlightuserdata(L, bind_expr_operand(L, 1, "part", "the formula"));
    return 1;
}

void bind_push_exact(lua_State *L) {
    static const luaL_Reg functions[] = {{"rank", rank},     {"det", det},       {"null_space", null_space},
                                         {"solve", solve},   {"moment", moment}, {"symmetric", symmetric},
                                         {"induct", induct}, {"part", part},     {NULL, NULL}};
    luaL_newlib(L, functions);
}
