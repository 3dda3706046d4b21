/* Derivatives that are refused memory: at the N-th allocation of the core and all after it, for every N until one succeeds, each says so, leaves
 * nothing behind, and the next one is right. Operations of many operands, since their lists do not stand on the stack.
 * Sources: diff/apply.c diff/sweep.c diff/value.c */
#include "lua/lab.h"

/* Each gives true. The functions are x -> (1 x1, 2 x2, ..., 12 x12) and the sum of its squares. */
static const char many[] =
    "many = function(x) local p = {} for i = 1, 12 do p[i] = i * x(i) end return stack(p) end "
    "n = array{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} x0 = ones(12) one = 1.5 * ones(3, 2)";
static const char *const programs[] = {
    "return grad(function(x) return sum(many(x)^2) end)(x0) == 2 * n^2",
    "return jacobian(many)(x0) == diag(n)",
    "local y, d = jvp(many, x0, x0) return y == n and d == n",
    "return hessian(function(x) return sum(many(x)^2) end)(x0) == diag(2 * n^2)",
    "local y, g = vjp(function(P) return sum(P.a) end, {a = x0, b = one}, 1) return g.a == x0 and g.b == 0 * one",
    "local y, d = jvp(function(P) return 2 * P.b end, {a = x0, b = one}, {a = x0, b = one}) return d == 2 * one",
    "local y, g = vjp(function(P) return concat{P.a, P.b, P.a, P.a, P.a, P.a, P.a, P.a, P.a, P.a} end, {a = x0, b = n}, ones(120)) "
    "return g.a == 9 * x0 and g.b == x0",
    "return jacobian(function(x) return concat{x, n, x, n, x, n, x, n, x, x} end)(x0).shape[1] == 120",
};

static int run(lua_State *L) {
    lua_call(L, 0, 1);
    return 1;
}

static void refused_at_every_allocation(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_int_equal(luaL_dostring(L, many), LUA_OK);
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        lua_settop(L, 0);
        assert_int_equal(luaL_loadstring(L, programs[k]), LUA_OK);
        const size_t before = lab_live(L);
        int status = LUA_ERRRUN;
        for (size_t n = 1; status != LUA_OK; n++) {
            assert_true(n < 5000);
            lua_pushcfunction(L, run);
            lua_pushvalue(L, 1);
            ph_alloc_fail_from(n);
            status = lua_pcall(L, 1, 1, 0);
            ph_alloc_fail_from(0);
            if (status != LUA_OK && !strstr(lua_tostring(L, -1), "out of memory"))
                fail_msg("%s: at %zu: %s", programs[k], n, lua_tostring(L, -1));
            if (status == LUA_OK && !lua_toboolean(L, -1)) fail_msg("%s is not true", programs[k]);
            if (status == LUA_OK) assert_true(n > 20); /* it did starve */
            if (lab_live(L) != before) fail_msg("%s: at %zu something stays", programs[k], n);
        }
    }
    lua_close(L);
}

/* An interrupt that comes while the function runs ends the sweep behind it; the next derivative is whole. */
static int interrupt(lua_State *L) {
    (void)L;
    ph_interrupt_flag = 1;
    return 0;
}
static void an_interrupt_ends_a_sweep(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_int_equal(luaL_dostring(L, many), LUA_OK);
    lua_register(L, "interrupt", interrupt);
    static const char *const sweeps[] = {
        "grad(function(x) local y = sum(many(x)^2) interrupt() return y end)(x0)",
        "jvp(function(x) local y = many(x) interrupt() return y end, x0, x0)"};
    for (size_t k = 0; k < sizeof sweeps / sizeof *sweeps; k++) {
        const int status = luaL_dostring(L, sweeps[k]);
        ph_interrupt_flag = 0;
        if (status == LUA_OK || !strstr(lua_tostring(L, -1), "interrupted"))
            fail_msg("%s: %s", sweeps[k], status ? lua_tostring(L, -1) : "it went on");
        lua_settop(L, 0);
        assert_int_equal(luaL_dostring(L, programs[0]), LUA_OK);
        assert_true(lua_toboolean(L, -1));
    }
    lua_close(L);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(refused_at_every_allocation),
                                              cmocka_unit_test(an_interrupt_ends_a_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
