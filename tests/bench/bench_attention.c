/* bench_attention: causal attention, result allocated anew each time from the warm block cache. */
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

static void attend(const arr *in) {
    ph_err err;
    arr z;
    op_attrs attrs = {.nints = 1, .ints = {1}};
    if (op_apply(&z, op_find("attention"), in, 3, &attrs, &err) != PH_OK) {
        fprintf(stderr, "bench_attention: %s\n", err.text);
        exit(1);
    }
    arr_drop(&z);
}

/* H heads of queries, which share `keys` heads of keys and values. */
static void row(const char *id, int64_t H, int64_t keys, int64_t T, int64_t d) {
    arr in[3] = {random_of(H, T, d, 1), random_of(keys, T, d, 2), random_of(keys, T, d, 3)};
    for (int k = 0; k <= SAMPLES; k++)
        for (int threads = 0; threads < 2; threads++) {
            ph_set_threads(threads);
            double began = ph_clock();
            attend(in);
            if (k > 0) printf("%s %s %.12f\n", id, threads == 0 ? "phasor" : "phasor1", ph_clock() - began);
        }
    double rate = limit_fma(true);
    if (rate > 0)
        printf("%s fma1 %.12f\n", id,
               (double)(H * T * (T + 1) * d) / rate); /* the products of what is seen, at the peak */
    for (int i = 0; i < 3; i++) arr_drop(&in[i]);
}

int main(void) {
    row("attend1024", 8, 8, 1024, 64);
    row("attend4096", 2, 2, 4096, 64);
    row("attend512", 32, 32, 512, 128);
    row("attend_gqa", 32, 8, 1024, 64);
    return 0;
}
