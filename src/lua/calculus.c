/* calculus.c: derivatives, substitution and values of formulas. */
#include "base/cmplx.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/expr.h"
#include "lua/bind.h"
#include "lua/state.h"

static void finish(lua_State *L, ph_status st, const ph_err *err) {
    if (st != PH_OK) bind_raise(L, err);
}

/* ---- calculus ------------------------------------------------------------------------------------------ */

static int derivative(lua_State *L) {
    ph_err err;
    bind_check_count(L, "derivative", 2, 3);
    int64_t n = lua_isnoneornil(L, 3) ? 1 : bind_check_int(L, 3, "derivative", "the order", 0, 20);
    lua_settop(L, 2);
    exp_node *e = bind_expr_operand(L, 1, "derivative", "the formula"),
             *x = bind_expr_operand(L, 2, "derivative", "the variable");
    lua_pushvalue(L, 1);
    for (int64_t k = 0; k < n; k++) {
        finish(L, exp_diff(bind_new_expr(L), e, x, &err), &err);
        e = bind_test_expr(L, -1);
        lua_replace(L, 3);
    }
    return 1;
}

/* subst(e, x, value) */
static int substitute(lua_State *L) {
    ph_err err;
    bind_check_count(L, "subst", 3, 3);
    exp_node *e = bind_expr_operand(L, 1, "subst", "the formula"),
             *x = bind_expr_operand(L, 2, "subst", "the symbol"),
             *v = bind_expr_operand(L, 3, "subst", "the value");
    finish(L, exp_subst(bind_new_expr(L), e, x, v, &err), &err);
    return 1;
}

static int expand(lua_State *L) {
    ph_err err;
    bind_check_count(L, "expand_sums", 1, 1);
    exp_node *e = bind_expr_operand(L, 1, "expand_sums", "the formula");
    finish(L, exp_expand_sums(bind_new_expr(L), e, &err), &err);
    return 1;
}

/* ---- values -------------------------------------------------------------------------------------------- */

typedef struct {
    int n;
    const char *name[64]; /* kept alive by the table at stack index 2 */
    double complex value[64];
} scope;

static bool look_up(void *ctx, const exp_node *atom, double complex *v) {
    const scope *s = ctx;
    char name[96];
    if (atom->op == EXP_AT)
        snprintf(name, sizeof name, "%s[%lld]", atom->arg[0]->name, (long long)atom->arg[1]->num);
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->name[i], atom->op == EXP_AT ? name : atom->name)) return *v = s->value[i], true;
    return false;
}

/* The scalar values of names, for the prelude: value(e, {x = 1.5}). A name's text, "θ[0]" for a member. */
int bind_evaluate_scalar(lua_State *L) {
    scope s = {0};
    arr_c128 z;
    arr_dtype t;
    ph_err err;
    double complex v;
    lua_settop(L, 2);
    exp_node *e = bind_expr_operand(L, 1, "evaluate", "the formula");
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !bind_scalar(L, -1, &z, &t))
            return bind_raisef(L, "evaluate: wanted a table of values such as {x = 1.5}");
        if (s.n == 64) return bind_raisef(L, "evaluate: more than 64 values");
        s.name[s.n] = lua_tostring(L, -2);
        s.value[s.n++] = CMPLX(z.re, z.im);
    }
    ph_status st = exp_eval(&v, e, look_up, &s, &err);
    if (st != PH_OK) return bind_raise_from(L, "evaluate", &err);
    if (exp_is_statement(e) && !isnan(creal(v))) lua_pushboolean(L, creal(v) != 0);
    else if (cimag(v) == 0 || isnan(creal(v))) lua_pushnumber(L, creal(v));
    else bind_push_complex(L, (arr_c128){creal(v), cimag(v)});
    return 1;
}

static const bind_row rows[] = {
    {.name = "# formulas"},
    {"derivative", derivative, "f, x [, order]",
     "The derivative of a formula, as a formula.\n"
     "f: a formula; x: a real symbol or member; order: 0 to 20 (1). At a kink (abs, floor, minimum) the "
     "derivative away from it.",
     "x = sym \"x\"\nderivative(sin(x)*x, x)  --> cos(x)*x + sin(x)\nderivative(x^3, x, 3)  --> 6"},
    {"subst", substitute, "f, x, value",
     "The formula with every free x replaced.\n"
     "x: a symbol or member; value: a formula or an exact number.",
     "x, y = sym \"x y\"\nsubst(x^2 + y, x, y + 1)  --> (y + 1)^2 + y"},
    {"expand_sums", expand, "f", "The formula with its sums written out where their bounds are integers.",
     "i, w = sym(\"i\", \"integer\"), sym \"w\"\nexpand_sums(sum(cos(w[i]), i, 0, 1))  --> cos(w[0]) + "
     "cos(w[1])"},
    {.name = NULL},
};

void bind_open_calculus(lua_State *L) { bind_rows(L, rows); }
