/* bench_encoding: tables of sines and cosines, rotations, buckets. Each call makes its result anew, with the block cache warm; "copy1"
 * is memcpy of the same array into one that is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "encoding/encoding.h"
#include "limits.h"

#define SAMPLES 7

static void die(const ph_err *err) {
    fprintf(stderr, "bench_encoding: %s\n", err->text);
    exit(1);
}

static enc_call call_of(const char *name) {
    enc_call c;
    enc_begin(&c, enc_find(name)->functions);
    return c;
}

static double seconds_of(enc_call *c) {
    ph_err err;
    arr out[ENC_MAXOUT];
    double start = ph_clock();
    if (enc_run(out, c, &err) != PH_OK) die(&err);
    double seconds = ph_clock() - start;
    for (int k = 0; k < c->fn->n_out; k++) arr_drop(&out[k]);
    return seconds;
}

/* Beside it, "write1" is a write of as many bytes over memory that is there. */
static void measure_beside_write(const char *id, enc_call *c) {
    ph_err err;
    arr out[ENC_MAXOUT];
    ph_set_threads(1);
    seconds_of(c);
    for (int k = 0; k < SAMPLES; k++) {
        printf("%s phasor1 %.9f\n", id, seconds_of(c));
        if (enc_run(out, c, &err) != PH_OK) die(&err);
        printf("%s write1 %.9f\n", id,
               limit_write(out[0].data, (size_t)arr_size(&out[0]) * arr_itemsize(out[0].dtype)));
        arr_drop(&out[0]);
    }
    ph_set_threads(0);
    seconds_of(c);
    for (int k = 0; k < SAMPLES; k++) printf("%s phasor %.9f\n", id, seconds_of(c));
}

static void measure(const char *id, enc_call *c) {
    for (int threads = 1; threads >= 0; threads--) {
        ph_set_threads(threads);
        seconds_of(c);
        for (int k = 0; k < SAMPLES; k++)
            printf("%s %s %.9f\n", id, threads ? "phasor1" : "phasor", seconds_of(c));
    }
}

static void sinusoids(void) {
    for (int f32 = 0; f32 < 2; f32++) {
        enc_call c = call_of("sinusoidal");
        enc_set(&c, "T")->whole = 8192;
        enc_set(&c, "d")->whole = 512;
        enc_set(&c, "dtype")->word = f32 ? "f32" : "f64";
        measure_beside_write(f32 ? "sin_f32" : "sin_f64", &c);
    }
}

static void measure_copy(const char *id, const arr *copy, const arr *x) {
    size_t bytes = (size_t)arr_size(x) * sizeof(float);
    for (int k = 0; k < SAMPLES; k++) {
        double start = ph_clock();
        memcpy(copy->data, x->data, bytes);
        printf("%s copy1 %.9f\n", id, ph_clock() - start);
    }
    if (((float *)copy->data)[bytes / sizeof(float) - 1] != 0.5f) exit(1);
}

/* Beside a result of its own, and into a copy of x, which is there. */
static void rotations(void) {
    ph_err err;
    arr x, copy;
    const int64_t shape[] = {32, 4096, 128};
    if (arr_full(&x, ARR_F32, 3, shape, (arr_c128){0.5, 0}, &err) != PH_OK) die(&err);
    for (int half = 0; half < 2; half++) {
        const char *id = half ? "rope_half" : "rope_pairs";
        enc_call c = call_of("rope");
        enc_set(&c, "x")->array = &x;
        enc_set(&c, "layout")->word = half ? "half" : "interleaved";
        measure(id, &c);
        if (arr_zeros(&copy, ARR_F32, 3, shape, &err) != PH_OK) die(&err);
        measure_copy(id, &copy, &x);
        id = half ? "rope_half_in" : "rope_pairs_in";
        measure_copy(id, &copy, &x);
        enc_set(&c, "x")->array = &copy;
        enc_set(&c, "in_place")->whole = 1;
        measure(id, &c);
        arr_drop(&copy);
    }
    arr_drop(&x);
}

static void buckets(void) {
    ph_err err;
    arr table;
    if (arr_full(&table, ARR_F32, 2, (int64_t[]){32, 12}, (arr_c128){0.5, 0}, &err) != PH_OK) die(&err);
    enc_call c = call_of("t5");
    enc_set(&c, "table")->array = &table;
    enc_set(&c, "T")->whole = 1024;
    enc_set(&c, "direction")->word = "both";
    enc_set(&c, "dtype")->word = "f32";
    measure("t5", &c);
    arr_drop(&table);
}

/* Arrays of one half: what they hold changes no time here. */
static arr halves(int ndim, const int64_t *shape) {
    ph_err err;
    arr x;
    if (arr_full(&x, ARR_F32, ndim, shape, (arr_c128){0.5, 0}, &err) != PH_OK) die(&err);
    return x;
}

static void relative(void) {
    arr q = halves(3, (int64_t[]){8, 1024, 64}), table = halves(2, (int64_t[]){41, 64}),
        W = halves(2, (int64_t[]){64, 64}), u = halves(2, (int64_t[]){8, 64});
    enc_call c = call_of("shaw");
    enc_set(&c, "q")->array = enc_set(&c, "k")->array = &q;
    enc_set(&c, "table")->array = &table;
    measure("shaw", &c);
    c = call_of("transformer_xl");
    enc_set(&c, "q")->array = enc_set(&c, "k")->array = &q;
    enc_set(&c, "u")->array = enc_set(&c, "v")->array = &u;
    enc_set(&c, "W")->array = &W;
    measure("xl", &c);
    arr_drop(&q), arr_drop(&table), arr_drop(&W), arr_drop(&u);
}

int main(void) {
    sinusoids();
    rotations();
    buckets();
    relative();
    return 0;
}
