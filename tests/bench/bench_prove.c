/* bench_prove: prove() on identities whose formulas stand already; peer_sympy.py asks SymPy the same. */
#include "lab.h"

enum { SAMPLES = 5 };

static const struct {
    const char *id;
    int times; /* in a sample, for about 20 ms of work */
} rows[] = {{"prove_sin", 500}, {"prove_in8", 100}, {"prove_in128", 3},
            {"prove_rope", 1},  {"prove_hess", 2},  {"prove_ntk", 300}};

static void call(lua_State *L, const char *id, int times) {
    lua_getglobal(L, "run");
    lua_pushstring(L, id);
    lua_pushinteger(L, times);
    lab_need(L, id, lua_pcall(L, 2, 0, 0));
}

int main(void) {
    lua_State *L = lab_new();
    lab_do(L, "@setup");
    for (int k = 0; k <= SAMPLES; k++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            double began = ph_clock();
            call(L, rows[i].id, k ? rows[i].times : 1);
            if (k) printf("%s phasor %.12f\n", rows[i].id, (ph_clock() - began) / rows[i].times);
        }
    lua_close(L);
}
