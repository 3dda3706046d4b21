/* bench_attention: causal attention, result allocated anew each time from the warm block cache; then with its way back. */
#include <stdio.h>
#include <stdlib.h>

#include "array/op.h"
#include "base/parallel.h"
#include "limits.h"

enum { SAMPLES = 5 };

static arr random_of(int64_t H, int64_t T, int64_t d, uint64_t seed) {
    ph_err err;
    ph_rng g;
    arr a;
    ph_rng_seed(&g, seed);
    if (arr_randn(&a, ARR_F32, 3, (int64_t[]){H, T, d}, &g, &err) != PH_OK) {
        fprintf(stderr, "bench_attention: %s\n", err.text);
        exit(1);
    }
    return a;
}

/* What row `name` makes of n operands, in out. */
static void run(arr *out, const char *name, const arr *in, int n, const op_attrs *attrs) {
    ph_err err;
    if (op_apply(out, op_find(name), in, n, attrs, &err) == PH_OK) return;
    fprintf(stderr, "bench_attention: %s\n", err.text);
    exit(1);
}

static void attend(const arr *in) {
    arr z;
    run(&z, "attention", in, 3, &(op_attrs){.nints = 1, .ints = {1}});
    arr_drop(&z);
}

/* What a tape does: attention, which keeps the sums of its weights, and the derivative by Q, K and V for a cotangent in[3]. */
static void attend_and_back(const arr *in) {
    arr operand[6] = {in[0], in[1], in[2], in[3]}, out[4];
    run(&operand[4], "attention with sums", in, 3, &(op_attrs){.nints = 1, .ints = {1}});
    run(out, "derivative of attention", operand, 6, &(op_attrs){.nints = 4, .ints = {1, 0, 0, 7}});
    for (int k = 0; k < 4; k++) arr_drop(&out[k]);
    arr_drop(&operand[4]);
    arr_drop(&operand[5]);
}

/* H heads of queries, which share `keys` heads of keys and values; with the way back there are seven products in place of two. */
static void row(const char *id, bool back, int64_t H, int64_t keys, int64_t T, int64_t d) {
    arr in[4] = {random_of(H, T, d, 1), random_of(keys, T, d, 2), random_of(keys, T, d, 3),
                 random_of(H, T, d, 4)};
    for (int k = 0; k <= SAMPLES; k++)
        for (int threads = 0; threads < 2; threads++) {
            ph_set_threads(threads);
            double began = ph_clock();
            (back ? attend_and_back : attend)(in);
            if (k > 0) printf("%s %s %.12f\n", id, threads == 0 ? "phasor" : "phasor1", ph_clock() - began);
        }
    double rate = limit_fma(true);
    if (rate > 0)
        printf("%s fma1 %.12f\n", id,
               (back ? 3.5 : 1) * (double)(H * T * (T + 1) * d) /
                   rate); /* the products of what is seen, at the peak */
    for (int i = 0; i < 4; i++) arr_drop(&in[i]);
}

int main(void) {
    row("attend1024", false, 8, 8, 1024, 64);
    row("attend4096", false, 2, 2, 4096, 64);
    row("attend512", false, 32, 32, 512, 128);
    row("attend_gqa", false, 32, 8, 1024, 64);
    row("attend_back", true, 8, 8, 1024, 64);
    return 0;
}
