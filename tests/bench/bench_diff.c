/* bench_diff: derivatives of Lua functions, called from C as often as it takes for some 20 ms. */
#include <stdio.h>

#include "base/parallel.h"
#include "lab.h"
#include "limits.h"

enum { SAMPLES = 5 };

static double time_of(lua_State *L, const char *name, int times) {
    double began = ph_clock();
    for (int i = 0; i < times; i++) lab_call(L, name);
    return (ph_clock() - began) / times;
}

static void sample(lua_State *L, bool show, const char *side) {
    double block = time_of(L, "block", 4), gradient = time_of(L, "grad_enc", 2),
           hess = time_of(L, "hess", 20);
    double plain = time_of(L, "ropes", 4), traced = time_of(L, "ropes_traced", 4),
           back = time_of(L, "ropes_back", 4);
    if (!show) return;
    printf("hess %s %.12f\ngrad_enc %s %.12f\n", side, hess, side, gradient);
    printf("grad_cost %s %.12f\n", side, gradient);
    printf("rope_trace %s %.12f\nrope_back %s %.12f\n", side, traced, side, back);
    if (side[6] == '1') printf("rope_trace plain1 %.12f\nrope_back plain1 %.12f\n", plain, plain);
    printf("grad_cost block%s %.12f\n", side + 6, block);
}

/* The multiply-adds of the encoder block of bench_diff.lua and of its gradient, at the processor's peak: each product has two on its way
 * back, attention's two have five. */
static void limits(void) {
    const double T = 256, d = 128, hidden = 512, rate = limit_fma(true);
    const double layers = T * (4 * d * d + 2 * d * hidden), attention = 2 * T * T * d;
    if (rate > 0) printf("grad_enc fma1 %.12f\n", (3 * layers + 3.5 * attention) / rate);
}

int main(void) {
    lua_State *L = lab_new();
    lab_do(L, "@setup");
    for (int k = 0; k <= SAMPLES; k++)
        for (int threads = 0; threads < 2; threads++) {
            ph_set_threads(threads);
            sample(L, k > 0, threads == 0 ? "phasor" : "phasor1");
        }
    limits();
    lua_close(L);
    return 0;
}
