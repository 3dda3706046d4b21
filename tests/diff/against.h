/* against.h: a function written in Lua against the same one in hyper-dual loops: value, gradient, Hessian. */
#ifndef PH_TEST_AGAINST_H
#define PH_TEST_AGAINST_H

#include "lua/lab.h"

#include "diff/hyper.h"

/* Pushes an array of that shape. */
static inline void push_shape(lua_State *L, const double *x, int ndim, const int64_t *shape) {
    arr *a = bind_new_arr(L);
    ph_err err;
    assert_int_equal(arr_new(a, ARR_F64, ndim, shape, &err), PH_OK);
    memcpy(a->data, x, (size_t)arr_size(a) * sizeof *x);
}

/* The n numbers of what `code` returns. */
static inline void lua_numbers(lua_State *L, double *out, int n, const char *code) {
    if (luaL_dostring(L, code)) fail_msg("%s\n%s", lua_tostring(L, -1), code);
    arr *a = bind_operand(L, lua_gettop(L), "test", "result"), flat = ARR_NONE;
    ph_err err;
    if (arr_size(a) != n) fail_msg("%d numbers; wanted %d\n%s", (int)arr_size(a), n, code);
    assert_int_equal(arr_contiguous(&flat, a, ARR_F64, &err), PH_OK);
    memcpy(out, flat.data, (size_t)n * sizeof *out);
    arr_drop(&flat);
    lua_settop(L, 0);
}

/* The largest difference over the largest entry wanted; infinite when a difference is no number. */
static inline double relative_error(const double *seen, const double *wanted, int n) {
    double top = 0, worst = 0;
    for (int i = 0; i < n; i++) {
        double d = fabs(seen[i] - wanted[i]);
        if (!isfinite(d)) return INFINITY;
        top = fmax(top, fabs(wanted[i]));
        worst = fmax(worst, d);
    }
    return top > 0 ? worst / top : worst;
}

enum { OF_VALUE, OF_GRADIENT, OF_HESSIAN, OF_FORWARD, OF_SYMMETRY, OF_KINDS };

/* Lua's global f of the global x, an array of n numbers, against g: relative errors of the value, the gradient, the Hessian, the
 * derivative forward along 1, 2, 3, ..., and how far the Hessian is from symmetric. */
static inline void errors_of(double *e, lua_State *L, hd_function *g, const double *x, int n,
                             const void *ctx) {
    static double grad[HD_MAXVARS], hess[HD_MAXVARS * HD_MAXVARS], mine[HD_MAXVARS * HD_MAXVARS];
    static double mirror[HD_MAXVARS * HD_MAXVARS];
    double f = hd_derivatives(grad, hess, g, x, n, ctx), along = 0, terms = 0;
    lua_numbers(L, mine, 1, "return f(x)");
    e[OF_VALUE] = relative_error(mine, &f, 1);
    lua_numbers(L, mine, n, "return grad(f)(x)");
    e[OF_GRADIENT] = relative_error(mine, grad, n);
    lua_numbers(L, mine, 1, "return (select(2, jvp(f, x, reshape(range(1, x.size), x.shape))))");
    for (int i = 0; i < n; i++) along += (i + 1) * grad[i], terms += fabs((i + 1) * grad[i]);
    e[OF_FORWARD] = terms > 0 ? fabs(*mine - along) / terms : fabs(*mine); /* the terms may cancel */
    lua_numbers(L, mine, n * n, "return hessian(f)(x)");
    e[OF_HESSIAN] = relative_error(mine, hess, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) mirror[i * n + j] = mine[j * n + i];
    e[OF_SYMMETRY] = relative_error(mine, mirror, n * n);
}

#endif
