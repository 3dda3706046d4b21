/* Memory: what Lua's collector does not see drives it all the same, and a refused allocation anywhere leaks
 * nothing.
 * Sources: lua/table.c */
#include "lab.h"

#include <stdlib.h>
#include <sys/resource.h>

/* ---- refused allocations ------------------------------------------------------------------------------- */

static const char *const PROGRAMS[] = {
    "local A = array{{1, 2}, {3, 4}}; local B = A + A.T * 2 - {1, 1}; return B:sum(1)",
    "local A = zeros(3, 4); A[2] = {1, 2, 3, 4}; A[{ {}, 1 }] = 7; A[{1, 1}] = 2; return tostring(A), A[{ "
    "{1, 2} }]",
    "local f = function(x) return sum(tanh(matmul(x, x.T)) * x(1, 2)) end; local x = eye(2) + 0.5; return "
    "grad(f)(x), "
    "hessian(f)(x)",
    "return jacobian(sort){3, 1, 2}, jvp(cumprod, {1, 2, 3}, {1, 0, 0}), "
    "taylor(function(x) return prod(x) / max(x) end, {1, 2}, {1, 1}, 2)",
    "local f = function(P) return sum(concat{P.a, {1, 2} * P.b, array{P.a(1), 2}}) end; local x = {a = {1, "
    "2}, b = ones(2)}; "
    "return grad(f)(x), tostring(graph(f, x)), pcall(grad(function(x) return floor(x) end), 1.5), "
    "pcall(grad(function(x) return log(x - 2) end), 1.5)",
    "return concat{ones(2), range(1, 5), {1, 2}}, stack{1, 2, 3, 4, 5, 6}, take({1, 2, 3}, {3, 1})",
    "return sum(ones(3, 3)), sin(I), I * 2 + array{1, I}, eq(1, 2), where(true, 1, {2, 3})",
    "return randn(rng(7), 3), eye(3):copy():astype('f32'):totable(), linspace(0, 1, 5) == linspace(0, 1, 5)",
    "local t = {} for i = 1, 12 do t[i] = ('x'):rep(5000 + i) end return t", /* Lua's first large buffer */
    "return fromfunction(function(i, j) return i + j end, 2, 2), array{array{1, 2}, {3, 4}}, help 'sum'",
    "return pcall(sin, 'x'), pcall(array, {{1}, {2, 3}}), pcall(function() return zeros(2).shpae end)",
    "local x = sym 'x'; return certify(ge(x, sin(x)), {x = {0, 1}}), roots(cos(x), x, 0, 2), bounds(x, {x = "
    "{0, 1}})",
    "local x = sym 'x'; return enclose(x, {x = 1}), tostring(integral(x, x, 0, 1)), pcall(certify, ge(x, 0), "
    "{x = {1, 0}})",
    "local P = init_encoder(rng(1), 4, 2, 4); return encoder_block(ones(3, 4), P, {causal=true}), "
    "rel_shift(eye(3)), "
    "attention(eye(2), eye(2), eye(2), {need='weights', mask={{true, false}, {true, true}}, bias=1})",
    "local p = plot({1, 2}, {3, 4}, {title='$a_i$', labels={'l'}}); local q = heatmap({{1, 2}}, "
    "{xnames={'a', 'b'}}); "
    "return p:svg(), tostring(panels{p, q}), circle{1}, pcall(plot, 'x')",
    "local t = {}; for i, row in ipairs(array{{1, 2}, {3, 4}}) do t[i] = row // 2 % 2 end; return t, -t[1], "
    "2 ^ t[2]",
};

static int run_program(lua_State *L) {
    lua_pushvalue(L, 1);
    lua_call(L, 0, LUA_MULTRET);
    return 0;
}

/* The program at 1 is run with the n-th allocation from now on refused, for n = 1, 2, ... until it gets
 * through. */
static void starve(lua_State *L, lab_limit *l, const char *program) {
    size_t before = lab_live(L);
    for (long n = 0;; n++) {
        assert_true(n < 5000);
        lua_gc(L, LUA_GCSTOP);
        lua_pushcfunction(L, run_program);
        lua_pushvalue(L, 1);
        l->left = n;
        int status = lua_pcall(L, 1, 0, 0);
        l->left = -1;
        lua_gc(L, LUA_GCRESTART);
        if (status != LUA_OK && lua_type(L, -1) != LUA_TSTRING)
            fail_msg("%s: at %ld: no message", program, n);
        size_t after = lab_live(L);
        if (after != before) fail_msg("%s: refused at %ld: %zu bytes leaked", program, n, after - before);
        if (status == LUA_OK) {
            assert_true(n > 10); /* it did starve */
            break;
        }
    }
}

static void refused_by_lua(void **state) {
    (void)state;
    lab_limit l;
    size_t start = ph_block_live();
    lua_State *L = lab_open_limited(&l);
    for (size_t k = 0; k < sizeof PROGRAMS / sizeof *PROGRAMS; k++) {
        assert_int_equal(luaL_loadstring(L, PROGRAMS[k]), LUA_OK);
        starve(L, &l, PROGRAMS[k]);
        lua_settop(L, 0);
    }
    lua_close(L);
    assert_int_equal(ph_block_live(), start);
}

/* The same through the core's own door: every refusal is an error in words, and nothing is left behind. */
static void refused_by_the_core(void **state) {
    (void)state;
    size_t start = ph_block_live();
    lua_State *L = lab_open();
    for (size_t k = 0; k < sizeof PROGRAMS / sizeof *PROGRAMS; k++) {
        assert_int_equal(luaL_loadstring(L, PROGRAMS[k]), LUA_OK);
        size_t before = lab_live(L);
        int status = LUA_ERRRUN;
        for (size_t n = 1; status != LUA_OK; n++) {
            assert_true(n < 2000);
            lua_pushcfunction(L, run_program);
            lua_pushvalue(L, 1);
            ph_alloc_fail_from(n);
            status = lua_pcall(L, 1, 0, 0);
            ph_alloc_fail_from(0);
            if (status != LUA_OK) assert_non_null(strstr(lua_tostring(L, -1), "out of memory"));
            assert_int_equal(lab_live(L), before);
        }
        lua_settop(L, 0);
    }
    lua_close(L);
    assert_int_equal(ph_block_live(), start);
}

/* ---- the collector ------------------------------------------------------------------------------------- */

static long peak_megabytes(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss / 1024;
}

#ifdef __SANITIZE_ADDRESS__
#define HELD_BACK 256 /* megabytes: what was freed is kept that long, so that its use is noticed */
#else
#define HELD_BACK 0
#endif

/* 300 dropped arrays of 8 MB, 2.4 GB in all, in far less memory; views keep only what they look at. */
static void dropped_arrays_are_collected(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(lab_eval(L, "for i = 1, 300 do local A = ones(1000, 1000) end; return 'done'"),
                        "done");
    assert_string_equal(lab_eval(L, "most = 0 for i = 1, 300000 do local A = ones(2, 2)"
                                    " if i % 1000 == 0 then most = max{most, collectgarbage 'count'} end end"
                                    " return most < 60000"),
                        "true"); /* kilobytes: the boxes of 8 MB of small arrays are some 15 MB */
    long peak = peak_megabytes();
    print_message("peak %ld MB\n", peak);
    assert_true(peak > 8 && peak < 200 + HELD_BACK);
    lua_close(L);
}

static void survivors_raise_the_limit(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(
        lab_eval(L, "kept = {}; for i = 1, 40 do kept[i] = zeros(500, 1000); local x = zeros(500, 1000) end"),
        "");
    assert_true(ph_block_live() >= 160u << 20);
    lab_eval(L, "kept = nil; collectgarbage()");
    assert_true(ph_block_live() < 1u << 20);
    lua_close(L);
    assert_int_equal(ph_block_live(), 0);
}

/* A tape's values are freed when it ends, without a collection; those in between would free nothing. */
static void what_is_alive_in_every_round_is_not_looked_through_in_vain(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(lab_eval(L, "@rounds"), "");
    assert_string_equal(lab_eval(L, "rounds(4)"), "");
    assert_string_equal(lab_eval(L, "runs = 0; rounds(16); return runs < 16"),
                        "true"); /* two a round and more, once */
    lua_close(L);
}

static void closing_twice_is_fine(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A = ones(3); do local a <close> = A end; do local a <close> = A end; return tostring(A)",
         "closed array"},
        {"pcall(function() for i, r in ipairs(A) do end end)",
         "false\tt:1: array: the operand is a closed array; wanted an array"},
        {"A == A, A == ones(3)", "true\tfalse"},
        {"collectgarbage()", "0"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropped_arrays_are_collected),
        cmocka_unit_test(survivors_raise_the_limit),
        cmocka_unit_test(what_is_alive_in_every_round_is_not_looked_through_in_vain),
        cmocka_unit_test(closing_twice_is_fine),
        cmocka_unit_test(refused_by_lua),
        cmocka_unit_test(refused_by_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
