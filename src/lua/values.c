/* values.c: the value of a formula for given values of its symbols, numbers or arrays. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cmplx.h"
#include "expr/expr.h"
#include "lua/bind.h"
#include "lua/state.h"

#define WHO         "evaluate"
#define MAX_VALUES  64
#define TRACED_NAME 96

typedef struct {
    const char *name; /* "x", "θ[0]": kept alive by the table at stack index 2 */
    const arr *value; /* f64 or c128, contiguous, of the common shape or of one element */
    bool one;
} given;

typedef struct {
    int n, ndim;
    given item[MAX_VALUES];
    int64_t shape[ARR_MAXDIM];
} scope;

/* ---- atoms --------------------------------------------------------------------------------------------- */

static const given *find(const scope *s, const expr_node *atom) {
    char member[TRACED_NAME];
    const char *name = atom->name;
    if (atom->op == EXPR_AT) {
        snprintf(member, sizeof member, "%s[%lld]", atom->arg[0]->name, (long long)atom->arg[1]->num);
        name = member;
    }
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->item[i].name, name)) return &s->item[i];
    return NULL;
}

static double complex element(const arr *a, int64_t i) {
    if (a->dtype == ARR_F64) return ((const double *)a->data)[i];
    arr_c128 z = ((const arr_c128 *)a->data)[i];
    return CMPLX(z.re, z.im);
}

static bool look_up_one(void *ctx, const expr_node *atom, double complex *v) {
    const given *g = find(ctx, atom);
    if (g) *v = element(g->value, 0);
    return g != NULL;
}

static bool look_up(void *ctx, const expr_node *atom, int64_t first, int n, double complex *v, bool *same) {
    const given *g = find(ctx, atom);
    if (!g) return false;
    *same = g->one;
    for (int i = 0; i < (g->one ? 1 : n); i++) v[i] = element(g->value, g->one ? 0 : first + i);
    return true;
}

/* ---- values given -------------------------------------------------------------------------------------- */

/* Does a value of that name, "a" or "a[2]", belong to the formula? */
static bool is_used(const expr_node *e, const char *name) {
    size_t n = strcspn(name, "[");
    if (e->op == EXPR_SYM) return strlen(e->name) == n && !strncmp(e->name, name, n);
    for (uint32_t i = 0; i < e->nargs; i++)
        if (is_used(e->arg[i], name)) return true;
    return false;
}

/* The table at index 2, each value that the formula uses as an array on the stack; false: one of them is traced. */
static bool read_values(lua_State *L, scope *s, const expr_node *e) {
    if (!lua_checkstack(L, 2 * MAX_VALUES + 8)) bind_raisef(L, WHO ": the stack is full");
    lua_settop(L, 2);
    lua_pushnil(L);
    for (int key = 3; lua_next(L, 2); lua_pop(L, 1)) {
        if (lua_type(L, key) != LUA_TSTRING)
            return bind_raisef(L, WHO ": wanted a table of values such as {x = 1.5}");
        const char *name = lua_tostring(L, key);
        bind_kind kind = bind_kind_of(L, -1);
        if (kind == KIND_TRACED) return false;
        if (!is_used(e, name)) continue;
        if (s->n == MAX_VALUES) return bind_raisef(L, WHO ": more than %d values", MAX_VALUES);
        s->item[s->n++].name = name;
        lua_insert(L, key); /* below the key, where it stays */
        key++;
        bind_operand(L, key - 1, WHO, name);
        lua_pushnil(L); /* for lua_pop */
    }
    return true;
}

/* Contiguous doubles, in the shape of all of them. */
static void spread_values(lua_State *L, scope *s) {
    const arr *in[MAX_VALUES + 1];
    ph_err err;
    arr wide = ARR_NONE;
    for (int i = 0; i < s->n; i++) in[i] = bind_test_arr(L, 3 + i);
    ph_status st = s->n ? arr_broadcast_shape(&s->ndim, s->shape, in, s->n, WHO, &err) : PH_OK;
    for (int i = 0; i < s->n && !st; i++) {
        arr *out = bind_new_arr(L);
        s->item[i].one = arr_size(in[i]) == 1;
        if (s->item[i].one) wide = arr_ref(in[i]);
        else st = arr_broadcast_to(&wide, in[i], s->ndim, s->shape, &err);
        if (!st) st = arr_contiguous(out, &wide, in[i]->dtype == ARR_C128 ? ARR_C128 : ARR_F64, &err);
        arr_drop(&wide);
        s->item[i].value = out;
    }
    if (st) bind_raise(L, &err);
}

/* ---- results ------------------------------------------------------------------------------------------- */

static void push_number(lua_State *L, const expr_node *e, double complex v) {
    if (expr_is_statement(e) && !isnan(creal(v))) lua_pushboolean(L, creal(v) != 0);
    else if (cimag(v) == 0 || isnan(creal(v))) lua_pushnumber(L, creal(v));
    else bind_push_complex(L, (arr_c128){creal(v), cimag(v)});
}

/* Of the narrowest kind that holds every value: truths where all are defined, real numbers, complex ones. */
static arr_dtype kind_of(const expr_node *e, const double complex *v, int64_t n) {
    bool real = true, defined = true;
    for (int64_t i = 0; i < n; i++) {
        real = real && (cimag(v[i]) == 0 || isnan(creal(v[i])));
        defined = defined && !isnan(creal(v[i]));
    }
    return expr_is_statement(e) && defined ? ARR_BOOL : real ? ARR_F64 : ARR_C128;
}

static ph_status evaluate_all(arr *out, arr *whole, scope *s, const expr_node *e, ph_err *err) {
    ph_status st = arr_new(whole, ARR_C128, s->ndim, s->shape, err);
    if (st) return st;
    int64_t n = arr_size(whole);
    double complex *v = (double complex *)(void *)whole->data; /* C lays it out as two doubles */
    st = expr_eval_many(v, n, e, look_up, s, err);
    if (st) return st;
    arr_dtype kind = kind_of(e, v, n);
    for (int64_t i = 0; i < n && kind != ARR_C128; i++) v[i] = creal(v[i]);
    return arr_convert(out, whole, kind, err);
}

/* A Lua function: (f, {name = number, array or table of numbers}) to the value; no value where one of them is traced. */
int bind_evaluate(lua_State *L) {
    scope s = {.n = 0};
    ph_err err;
    double complex v;
    lua_settop(L, 2);
    expr_node *e = bind_expr_operand(L, 1, WHO, "the formula");
    if (!read_values(L, &s, e)) return 0;
    bool numbers = true;
    lua_settop(L, 2 + s.n);
    for (int i = 0; i < s.n; i++) numbers = numbers && bind_test_arr(L, 3 + i)->ndim == 0;
    spread_values(L, &s);
    if (numbers) {
        if (expr_eval(&v, e, look_up_one, &s, &err) != PH_OK) return bind_raise_from(L, WHO, &err);
        push_number(L, e, v);
        return 1;
    }
    arr *whole = bind_new_arr(L), *out = bind_new_arr(L);
    if (evaluate_all(out, whole, &s, e, &err) != PH_OK) return bind_raise_from(L, WHO, &err);
    return 1;
}
