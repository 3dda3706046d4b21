/* bench_prove: prove() on identities whose formulas stand already; peer_sympy.py asks SymPy the same. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "lua/bind.h"

enum { SAMPLES = 5 };

static const char setup[] =
    "a, b, t, u, k, m, n = sym 'a b t u k m n'\n"
    "function long(count, f) local s = f(1) for r = 2, count do s = s + f(r) end return s end\n"
    "function inner(d) local w = symmatrix('w', d // 2)\n"
    "  return eq(long(d // 2, function(r) return sin(w(r)*t)*sin(w(r)*(t+k)) + cos(w(r)*t)*cos(w(r)*(t+k)) "
    "end),\n"
    "            long(d // 2, function(r) return cos(w(r)*k) end)) end\n"
    "function hessian(d) local w, h, g = symmatrix('w', d // 2), symmatrix('h', d // 2), symmatrix('g', d // "
    "2)\n"
    "  return eq(long(d // 2, function(r) return h(r)*cos(m*w(r))*cos(n*w(r)) + g(r)*sin(m*w(r))*sin(n*w(r)) "
    "end),\n"
    "            long(d // 2, function(r) return (h(r)+g(r))/2*cos((m-n)*w(r)) + "
    "(h(r)-g(r))/2*cos((m+n)*w(r)) end)) end\n"
    "function rope(d) local w, q, v = symmatrix('w', d // 2), symmatrix('q', d), symmatrix('v', d)\n"
    "  local function turn(x, r, at) local c, s = cos(at*w(r)), sin(at*w(r))\n"
    "    return c*x(2*r-1) - s*x(2*r), s*x(2*r-1) + c*x(2*r) end\n"
    "  return eq(long(d // 2, function(r) local x, y = turn(q, r, m) local z, w2 = turn(v, r, n) return x*z "
    "+ y*w2 end),\n"
    "            long(d // 2, function(r) local z, w2 = turn(v, r, n - m) return q(2*r-1)*z + q(2*r)*w2 "
    "end)) end\n"
    "K, B, D = sym('K B D', 'positive')\n"
    "S = {prove_sin = eq(sin(a+b), sin(a)*cos(b) + cos(a)*sin(b)), prove_in8 = inner(8), prove_in128 = "
    "inner(128),\n"
    "     prove_rope = rope(128), prove_hess = hessian(128),\n"
    "     prove_ntk = eq(n/(K^(2/(D-2))*B)^(D/2-1), (n/K)/B^(D/2-1))}\n"
    "function run(id, times) local v for i = 1, times do v = prove(S[id]) end assert(v.strength == 'proved') "
    "end\n";

static const struct {
    const char *id;
    int times; /* in a sample, for about 20 ms of work */
} rows[] = {{"prove_sin", 500}, {"prove_in8", 100}, {"prove_in128", 3},
            {"prove_rope", 1},  {"prove_hess", 2},  {"prove_ntk", 300}};

static int call(lua_State *L, const char *id, int times) {
    lua_getglobal(L, "run");
    lua_pushstring(L, id);
    lua_pushinteger(L, times);
    return lua_pcall(L, 2, 0, 0);
}

int main(void) {
    lua_State *L = luaL_newstate();
    if (!L) return 1;
    luaL_openlibs(L);
    bind_open(L);
    bind_env(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_settop(L, 0);
    int failed = luaL_dostring(L, setup);
    for (int k = 0; k <= SAMPLES && !failed; k++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; i++) {
            double began = ph_clock();
            failed = call(L, rows[i].id, k ? rows[i].times : 1);
            if (k && !failed) printf("%s phasor %.12f\n", rows[i].id, (ph_clock() - began) / rows[i].times);
        }
    if (failed) fprintf(stderr, "bench_prove: %s\n", lua_tostring(L, -1));
    lua_close(L);
    return failed != 0;
}
