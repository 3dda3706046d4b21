/* bench_growth: how times grow with the size: lines "SERIES@SIZE phasor1 seconds", of which scripts/bench makes a table with what
 * a doubling costs. One thread. Beside sinusoids a write of the same bytes, beside attention its products at the processor's peak. */
#include "array/op.h"
#include "encoding/encoding.h"
#include "lab.h"
#include "limits.h"

enum { SAMPLES = 3 };

static void need(ph_status st, const ph_err *err) {
    if (st == PH_OK) return;
    fprintf(stderr, "bench_growth: %s\n", err->text);
    exit(1);
}

static arr random_of(int64_t H, int64_t T, int64_t d, uint64_t seed) {
    ph_err err;
    ph_rng g;
    arr a;
    ph_rng_seed(&g, seed);
    need(arr_randn(&a, ARR_F32, 3, (int64_t[]){H, T, d}, &g, &err), &err);
    return a;
}

/* Causal, one head of 64 columns: T (T + 1) / 2 pairs, in two products. */
static void attention(void) {
    double rate = limit_fma(true);
    for (int64_t T = 256; T <= 16384; T *= 2) {
        arr in[3] = {random_of(1, T, 64, 1), random_of(1, T, 64, 2), random_of(1, T, 64, 3)};
        for (int k = 0; k <= SAMPLES; k++) {
            ph_err err;
            arr z;
            op_attrs attrs = {.nints = 1, .ints = {1}};
            double began = ph_clock();
            need(op_apply(&z, op_find("attention"), in, 3, &attrs, &err), &err);
            if (k) printf("grow_attend@%lld phasor1 %.12f\n", (long long)T, ph_clock() - began);
            arr_drop(&z);
        }
        if (rate > 0)
            printf("grow_attend@%lld fma1 %.12f\n", (long long)T, (double)(T * (T + 1)) * 64 / rate);
        for (int i = 0; i < 3; i++) arr_drop(&in[i]);
    }
}

/* d = 16, so that 2^22 positions are 256 MB. */
static void sinusoids(void) {
    for (int64_t N = 1 << 10; N <= 1 << 22; N *= 2)
        for (int k = 0; k <= SAMPLES; k++) {
            ph_err err;
            arr out[ENC_MAXOUT];
            enc_call c;
            enc_begin(&c, enc_find("sinusoidal")->functions);
            enc_set(&c, "T")->whole = N;
            enc_set(&c, "d")->whole = 16;
            enc_set(&c, "dtype")->word = "f32";
            double began = ph_clock();
            need(enc_run(out, &c, &err), &err);
            double taken = ph_clock() - began,
                   written = limit_write(out[0].data, (size_t)N * 16 * sizeof(float));
            if (k)
                printf("grow_sin@%lld phasor1 %.12f\ngrow_sin@%lld write1 %.12f\n", (long long)N, taken,
                       (long long)N, written);
            arr_drop(&out[0]);
        }
}

/* What bench_growth.lua says: it calls `told(series, size, seconds)`. */
static int told(lua_State *L) {
    printf("%s@%s phasor1 %.12f\n", luaL_checkstring(L, 1), luaL_tolstring(L, 2, NULL),
           luaL_checknumber(L, 3));
    return 0;
}

static int now(lua_State *L) {
    lua_pushnumber(L, ph_clock());
    return 1;
}

static void proofs(void) {
    lua_State *L = lab_new();
    lua_register(L, "told", told);
    lua_register(L, "now", now);
    lab_do(L, "@proofs");
    lab_do(L, "@atlas");
    lua_close(L);
}

static void peaks(void) {
    for (int f32 = 0; f32 < 2; f32++) {
        double rate = limit_fma(f32);
        if (rate > 0) printf("fma_%s phasor1 %.12f\n", f32 ? "f32" : "f64", 1e9 / rate);
    }
}

int main(void) {
    ph_set_threads(1);
    peaks();
    attention();
    sinusoids();
    proofs();
    return 0;
}
