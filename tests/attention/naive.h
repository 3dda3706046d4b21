/* naive.h: attention by loops over index tuples, in long double, written from the definition; for tests. */
#ifndef TEST_ATTENTION_NAIVE_H
#define TEST_ATTENTION_NAIVE_H

#include "array/views.h"

#include "base/parallel.h"
#include "base/rng.h"

typedef long double real;

typedef struct {
    int64_t H, Hk, T, S, d, dv;
    bool causal;
    int64_t window;
    double scale; /* 0: left out */
} setting;

static inline arr random_of(arr_dtype t, int ndim, const int64_t *shape, uint64_t seed) {
    ph_err err;
    ph_rng g;
    arr a;
    ph_rng_seed(&g, seed);
    assert_int_equal(arr_randn(&a, t, ndim, shape, &g, &err), PH_OK);
    return a;
}

/* No more integers than the setting needs: those left out are none. */
static inline op_attrs par_of(const setting *s) {
    return (op_attrs){.base = 1,
                      .nints = s->scale != 0 ? 3
                               : s->window   ? 2
                                             : s->causal,
                      .ints = {s->causal, s->window, s->scale != 0},
                      .num = s->scale};
}

static inline real at4(const arr *x, int64_t b, int64_t h, int64_t i, int64_t j) {
    return creall(element_at(x, 4, (int64_t[]){b, h, i, j}));
}

/* One query's weights, and `spread`: max over the seen keys of |scale| sum_l |q_l k_l| + |terms| + |s| (what the scores'
 * rounding errors are relative to). Returns whether it sees a key. */
static inline bool weights_of(real *alpha, real *spread, const setting *s, const arr *q, const arr *k,
                              const arr *mask, const arr *bias, int64_t b, int64_t h, int64_t i) {
    real top = -INFINITY, sum = 0, scale = s->scale != 0 ? s->scale : 1 / sqrtl(s->d);
    int64_t hk = h / (s->H / s->Hk), at = i + s->S - s->T;
    *spread = 0;
    for (int64_t j = 0; j < s->S; j++) {
        real dot = 0, size = 0, extra = bias ? at4(bias, b, h, i, j) : 0;
        bool seen = (!s->causal || j <= at) && (!s->window || (j > at - s->window && j < at + s->window));
        if (mask) seen = seen && at4(mask, b, h, i, j) != 0;
        alpha[j] = -INFINITY;
        if (!seen || extra == -INFINITY) continue;
        for (int64_t l = 0; l < s->d; l++) {
            dot += at4(q, b, h, i, l) * at4(k, b, hk, j, l);
            size += fabsl(at4(q, b, h, i, l) * at4(k, b, hk, j, l));
        }
        alpha[j] = scale * dot + extra;
        *spread = fmaxl(*spread, fabsl(scale) * size + fabsl(extra) + fabsl(alpha[j]));
        if (alpha[j] > top) top = alpha[j];
    }
    for (int64_t j = 0; j < s->S; j++) sum += alpha[j] = top == -INFINITY ? 0 : expl(alpha[j] - top);
    for (int64_t j = 0; j < s->S && sum > 0; j++) alpha[j] /= sum;
    return sum > 0;
}

static inline real unit_of(arr_dtype t) { return t == ARR_F32 ? 0x1p-24L : 0x1p-53L; }

/* A score errs by (d + 3) u spread; the difference to the running maximum by 2 u spread more, which both e^ carries over as
 * relative error of a weight, with two ulps (4 u) of its own; in f32, weights below e^-87 of the greatest count as 0. Each of the blocks so far rescales: 4 u each, plus 2 u spread
 * as the maxima's differences telescope; sums of S terms err by S u at most. Twice, for numerator and denominator. */
static inline real relative_bound(const setting *s, arr_dtype t, real spread) {
    real blocks = (real)(s->S / 256 + 2);
    return 2 * ((real)(s->d + 8) * spread + 6 * blocks + 4 + 2 * blocks * spread + s->S) * unit_of(t);
}

static inline arr run(const char *name, const arr *in, int n, const setting *s) {
    ph_err err;
    arr z;
    op_attrs attrs = par_of(s);
    if (op_apply(&z, op_find(name), in, n, &attrs, &err) != PH_OK) fail_msg("%s", err.text);
    return z;
}

static inline void set(arr *x, int64_t k, double v) {
    ph_err err;
    assert_int_equal(arr_put_c128(x, x->data + (size_t)k * arr_itemsize(x->dtype), (arr_c128){v, 0}, &err),
                     PH_OK);
}

/* One of an array's, by the generator g. */
#define ONE_OF(LIST) LIST[ph_rng_below(&g, sizeof LIST / sizeof *LIST)]

#endif
