/* bench_prove: prove() on identities whose formulas stand already; peer_sympy.py asks SymPy the same. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

#include "../fixture.h"
#include "lua/bind.h"

enum { SAMPLES = 5 };

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
    int failed = luaL_dostring(L, fixture("@setup"));
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
