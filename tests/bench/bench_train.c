/* bench_train: steps of training, gradient and AdamW, of the recipe `characters`: 4 layers of pre-norm, 4 heads with RoPE, d = 128, hidden 512, 64
 * positions, 16 sequences, f32. peer_train.py has the same model in PyTorch. */
#include <stdio.h>

#include "base/parallel.h"
#include "lab.h"
#include "limits.h"

enum {
    STEPS = 12,
    FIRST = 2
}; /* each is a sample; the first of each side are not shown: their memory is new */

/* The multiply-adds of a step at the processor's peak: each product has two on its way back, attention's two, of what is seen, have five. */
static void limit(void) {
    const double rows = 16 * 64, T = 64, d = 128, hidden = 512, tokens = 37, rate = limit_fma(true);
    const double layers = 4 * rows * (4 * d * d + 2 * d * hidden) + rows * d * tokens,
                 attention = 4 * rows * (T + 1) * d;
    if (rate > 0) printf("train fma1 %.12f\n", (3 * layers + 3.5 * attention) / rate);
}

int main(void) {
    lua_State *L = lab_new();
    lab_do(L, "@setup");
    for (int k = 0; k < STEPS; k++)
        for (int threads = 0; threads < 2; threads++) {
            ph_set_threads(threads);
            double began = ph_clock();
            lab_call(L, "step");
            if (k >= FIRST)
                printf("train %s %.12f\n", threads == 0 ? "phasor" : "phasor1", ph_clock() - began);
        }
    limit();
    lua_close(L);
    return 0;
}
