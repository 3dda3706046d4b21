/* calculus.c: derivatives and substitution. */
#include <math.h>

#include "expr/build.h"
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
    expr_node *e = bind_expr_operand(L, 1, "derivative", "the formula"),
              *x = bind_expr_operand(L, 2, "derivative", "the variable");
    lua_pushvalue(L, 1);
    for (int64_t k = 0; k < n; k++) {
        finish(L, expr_diff(bind_new_expr(L), e, x, &err), &err);
        e = bind_test_expr(L, -1);
        lua_replace(L, 3);
    }
    return 1;
}

/* subst(e, x, value) */
static int substitute(lua_State *L) {
    ph_err err;
    bind_check_count(L, "subst", 3, 3);
    expr_node *e = bind_expr_operand(L, 1, "subst", "the formula"),
              *x = bind_expr_operand(L, 2, "subst", "the symbol"),
              *v = bind_expr_operand(L, 3, "subst", "the value");
    finish(L, expr_subst(bind_new_expr(L), e, x, v, &err), &err);
    return 1;
}

void bind_turn_integral(lua_State *L) {
    ph_err err;
    const bool down = lua_type(L, 3) == LUA_TNUMBER && lua_tonumber(L, 3) == HUGE_VAL;
    if (!down && !(lua_type(L, 4) == LUA_TNUMBER && lua_tonumber(L, 4) == -HUGE_VAL)) return;
    expr_node *f = bind_expr_operand(L, 1, "integral", "the formula");
    if (expr_is_statement(f)) bind_raise_arg(L, 1, "integral", "the formula", "a formula");
    finish(L, expr_make1(bind_new_expr(L), EXPR_NEG, f, &err), &err);
    lua_replace(L, 1);
    lua_pushvalue(L, 3);
    lua_copy(L, 4, 3);
    lua_replace(L, 4);
}

/* From −∞ it is the integral of f(−x) to ∞. */
bool bind_push_integral(lua_State *L, expr_node *x, expr_node *lo, expr_node *hi) {
    ph_err err;
    expr_builder w = EXPR_BUILDER(&err);
    expr_node *f = bind_test_expr(L, 1), *whole = NULL;
    bool inside = false, outside = (lo && !expr_is_constant(lo)) || (hi && !expr_is_constant(hi));
    if (expr_is_statement(f) || x->op != EXPR_SYM) return false;
    expr_node **box = bind_new_expr(L);
    expr_set atoms = {0};
    w.st = expr_symbols(&atoms, f, &err);
    for (int i = 0; i < atoms.n; i++) inside = inside || !expr_same(atoms.item[i], x);
    expr_set_clear(&atoms);
    if (!lo && hi && x->kind != EXPR_POSITIVE) {
        f = expr_b_replace(&w, f, x, expr_b_neg(&w, x));
        lo = expr_b_neg(&w, hi);
        hi = NULL;
    }
    if ((inside || outside) && !w.st)
        whole = expr_b_op(&w, EXPR_INTEGRAL, hi && lo ? 4 : lo ? 3 : 2, (expr_node *[]){x, f, lo, hi});
    finish(L, expr_b_end(&w, box, whole), &err);
    if (!whole) lua_pop(L, 1);
    return whole != NULL;
}

static int expand(lua_State *L) {
    ph_err err;
    bind_check_count(L, "expand_sums", 1, 1);
    expr_node *e = bind_expr_operand(L, 1, "expand_sums", "the formula");
    finish(L, expr_expand_sums(bind_new_expr(L), e, &err), &err);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# formulas"},
    {"derivative", derivative, "f, x [, order]",
     "The derivative of a formula, as a formula.\n"
     "f: a formula; x: a real symbol or member; order: 0 to 20 (1). At a kink (abs, minimum) the "
     "mean of the derivatives on its two sides, at a jump (floor) the derivative away from it.",
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
