/* scores.h: operands for scores of queries and keys, kept until the call has been judged. */
#ifndef TEST_ENCODING_SCORES_H
#define TEST_ENCODING_SCORES_H

#include "against.h"

#include <stdio.h>

enum { H = 2, T = 5, S = 9, D = 6, WAVES = 4 };
static const double U[] = {[ARR_F32] = 0x1p-24, [ARR_F64] = 0x1p-53};

/* Normal numbers rounded to multiples of 2^-20, which formulas hold exactly and f32 too. */
static ph_rng generator;
static inline arr random_array(arr_dtype t, int ndim, const int64_t *shape) {
    ph_err err;
    arr x;
    assert_int_equal(arr_randn(&x, t, ndim, shape, &generator, &err), PH_OK);
    for (int64_t i = 0; i < arr_size(&x); i++)
        if (t == ARR_F32)
            ((float *)x.data)[i] = (float)(rint((double)((float *)x.data)[i] * 0x1p20) * 0x1p-20);
        else ((double *)x.data)[i] = rint(((double *)x.data)[i] * 0x1p20) * 0x1p-20;
    return x;
}
#define RANDOM(t, ...)                                                                                       \
    random_array(t, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

/* One call: its arrays by parameter, kept here. */
static arr kept[16];
static int nkept;
static inline const arr *keep(arr a) {
    kept[nkept] = a;
    return &kept[nkept++];
}
static inline void drop_kept(void) {
    while (nkept > 0) arr_drop(&kept[--nkept]);
}

static inline double at3(const arr *a, int64_t h, int64_t i, int64_t j) {
    int64_t at[ARR_MAXDIM] = {0};
    int n = a->ndim;
    if (n > 2) at[n - 3] = a->shape[n - 3] > 1 ? h : 0;
    if (n > 1) at[n - 2] = i;
    at[n - 1] = j;
    return arr_get_num(a, arr_at(a, at));
}

/* Largest absolute value. */
static inline double largest(const arr *a) {
    double most = 0;
    for (int64_t i = 0; i < arr_size(a); i++) {
        double x = fabs(a->dtype == ARR_F32 ? (double)((float *)a->data)[i] : ((double *)a->data)[i]);
        most = x > most ? x : most;
    }
    return most;
}

/* A call of more than one block. */
enum { LONG_T = 70, LONG_S = 300 };
static const arr *q_long, *k_long;
static inline void long_parts(enc_call *c) {
    q_long = keep(RANDOM(ARR_F64, LONG_T, D)), k_long = keep(RANDOM(ARR_F64, LONG_S, D));
    set_array(c, "q", q_long), set_array(c, "k", k_long), set_int(c, "content", 0);
}

#endif
