/* entering.c: numbers that may enter a formula: only exact ones.
 *
 * Floating-point numbers stay outside, whole ones too: nothing tells 1.0 as typed from tanh(20), which is not 1. Lua's
 * integers wrap at 2^63: what is beyond 2^53 may be the remainder of that, and is written as text. */
#include "base/cmplx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lua/bind.h"
#include "lua/state.h"

#define WANTED  "a formula, an integer or rat(p, q)"
#define LARGEST (INT64_C(1) << 53)

void bind_refuse_boolean(lua_State *L, int i, const char *who, const char *what) {
    if (lua_isboolean(L, i))
        bind_raisef(L,
                    "%s: %s is %s: between formulas == and ~= are decided by Lua at once; write eq(a, b) or "
                    "ne(a, b), and lt(a, b), le(a, b) for < and <=",
                    who, what, lua_toboolean(L, i) ? "true" : "false");
}

/* The shortest decimal that reads back as x, when it has at most 12 digits. */
static bool short_decimal(char *buf, size_t cap, double x) {
    for (int digits = 1; digits <= 12; digits++) {
        snprintf(buf, cap, "%.*g", digits, x);
        if (strtod(buf, NULL) == x) return true;
    }
    return false;
}

int bind_refuse_float(lua_State *L, const char *who, double x) {
    char text[40], decimal[40];
    arr_num_text(text, sizeof text, x);
    if (isnan(x) || isinf(x)) return bind_raisef(L, "%s: %s cannot stand in a formula", who, text);
    if (x == floor(x) && fabs(x) <= (double)LARGEST)
        return bind_raisef(
            L,
            "%s: %s is a floating-point number, which may be rounded; a formula holds exact ones: write %.0f "
            "(powers and quotients of Lua's numbers are floats: rat(10)^4, rat(6, 2))",
            who, text, x);
    expr_node *e = NULL;
    ph_err err;
    ph_status st = short_decimal(decimal, sizeof decimal, x) ? expr_rat_text(&e, decimal, &err) : PH_EARG;
    if (st == PH_ENOMEM) return bind_raise(L, &err);
    if (st == PH_OK) {
        long long p = (long long)e->num, q = (long long)e->den;
        expr_drop(e);
        return bind_raisef(
            L,
            "%s: %s is a floating-point number; a formula holds exact ones: write rat(%lld, %lld) or "
            "rat(\"%s\")",
            who, text, p, q, decimal);
    }
    return bind_raisef(
        L,
        "%s: %s is a floating-point number; a formula holds exact ones: write rat(1, 10) for 0.1, Pi for π",
        who, text);
}

static void push_integer(lua_State *L, const char *who, int64_t n) {
    ph_err err;
    if (n > LARGEST || n < -LARGEST)
        bind_raisef(
            L,
            "%s: %lld is beyond 2^53, where Lua's integers may have wrapped; write rat(\"%lld\") if that is "
            "meant",
            who, (long long)n, (long long)n);
    if (expr_rat(bind_new_expr(L), n, 1, &err) != PH_OK) bind_raise(L, &err);
}

static void push_whole(lua_State *L, double x) { push_integer(L, "a complex number", (int64_t)x); }

/* re + im·I with whole parts */
static void push_gaussian(lua_State *L, arr_c128 z) {
    expr_node *parts[2];
    push_whole(L, z.re);
    push_whole(L, z.im);
    expr_node *i = bind_push_op(L, EXPR_I, 0, NULL);
    if (z.im != 1) i = bind_push_op(L, EXPR_MUL, 2, (expr_node *[]){bind_test_expr(L, -2), i});
    parts[0] = bind_test_expr(L, z.im != 1 ? -4 : -3);
    parts[1] = i;
    if (z.re != 0) bind_push_op(L, EXPR_ADD, 2, parts);
}

/* The value at stack index i as a formula; what had to be made takes its place there. */
expr_node *bind_expr_operand(lua_State *L, int i, const char *who, const char *what) {
    arr_c128 z;
    int top = lua_gettop(L);
    expr_node *e = bind_test_expr(L, i);
    if (e) return e;
    i = lua_absindex(L, i);
    if (lua_isinteger(L, i)) push_integer(L, who, lua_tointeger(L, i));
    else if (lua_type(L, i) == LUA_TNUMBER) bind_refuse_float(L, who, lua_tonumber(L, i));
    else if (bind_test_complex(L, i, &z)) {
        if (!bind_exact_complex(L, i))
            bind_refuse_float(L, who, z.re != floor(z.re) || z.im == 0 ? z.re : z.im);
        push_gaussian(L, z);
    } else {
        bind_refuse_boolean(L, i, who, what);
        bind_raise_arg(L, i, who, what, WANTED);
    }
    lua_replace(L, i);
    lua_settop(L, top);
    return bind_test_expr(L, i);
}
