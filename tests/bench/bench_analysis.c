/* bench_analysis: a decay curve and a Gram matrix, each made anew with the block cache warm. The peers of the Gram matrix are raw calls
 * into a result that is there, with as many threads as ours: gemm computes all of it, syrk one triangle and leaves the other
 * unset. OpenBLAS's threads spin for some 25 ms after a call, so ours begins after a pause. */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "array/op.h"
#include "attention/analysis.h"
#include "base/dd.h"
#include "base/parallel.h"

#define SAMPLES 7
#define T       2048
#define D       512

static void die(const ph_err *err) {
    fprintf(stderr, "bench_analysis: %s\n", err->text);
    exit(1);
}

static void decay(void) {
    ph_err err;
    arr_dd theta;
    int64_t pairs = 64;
    if (arr_new(&theta.hi, ARR_F64, 1, &pairs, &err) != PH_OK) die(&err);
    if (arr_new(&theta.lo, ARR_F64, 1, &pairs, &err) != PH_OK) die(&err);
    for (int64_t i = 0; i < pairs; i++) {
        ph_dd x = ph_dd_pow(ph_dd_of(10000), ph_dd_of(-(double)i / 64));
        ((double *)theta.hi.data)[i] = x.hi;
        ((double *)theta.lo.data)[i] = x.lo;
    }
    for (int threads = 1; threads >= 0; threads--) {
        ph_set_threads(threads);
        for (int k = -2; k < SAMPLES; k++) {
            arr s;
            double start = ph_clock();
            if (att_decay_curve(&s, &theta, NULL, 0, 65536, NULL, &err) != PH_OK) die(&err);
            if (k >= 0) printf("decay %s %.9f\n", threads ? "phasor1" : "phasor", ph_clock() - start);
            arr_drop(&s);
        }
    }
    arr_dd_drop(&theta);
}

static double ours(const arr *x, const arr *xt) {
    ph_err err;
    arr g;
    double start = ph_clock();
    if (op_call2(&g, "matmul", x, xt, &err) != PH_OK) die(&err);
    double seconds = ph_clock() - start;
    arr_drop(&g);
    return seconds;
}

static double raw(const arr *x, const arr *g, bool half) {
    const double *a = (const double *)x->data;
    double *c = (double *)g->data, start = ph_clock();
    openblas_set_num_threads(ph_threads());
    if (half) cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, T, D, 1, a, D, 0, c, T);
    else cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, T, T, D, 1, a, D, a, D, 0, c, T);
    double seconds = ph_clock() - start;
    openblas_set_num_threads(1);
    return seconds;
}

static void gram(void) {
    ph_err err;
    ph_rng g;
    arr x, xt, out;
    ph_rng_seed(&g, 7);
    if (arr_randn(&x, ARR_F64, 2, (int64_t[]){T, D}, &g, &err) != PH_OK) die(&err);
    if (arr_permute(&xt, &x, (int[]){1, 0}, &err) != PH_OK) die(&err);
    if (arr_zeros(&out, ARR_F64, 2, (int64_t[]){T, T}, &err) != PH_OK) die(&err);
    ours(&x, &xt);
    for (int k = 0; k < SAMPLES; k++) {
        nanosleep(&(struct timespec){0, 60 * 1000 * 1000}, NULL);
        double mine = ours(&x, &xt), whole = raw(&x, &out, false), half = raw(&x, &out, true);
        printf("gram phasor %.9f\ngram gemm %.9f\n", mine, whole);
        printf("gram_half phasor %.9f\ngram_half syrk %.9f\n", mine, half);
    }
    ph_set_threads(1);
    for (int k = 0; k < SAMPLES; k++) printf("gram phasor1 %.9f\n", ours(&x, &xt));
    ph_set_threads(0);
    arr_drop(&x);
    arr_drop(&xt);
    arr_drop(&out);
}

int main(void) {
    decay();
    gram();
    return 0;
}
