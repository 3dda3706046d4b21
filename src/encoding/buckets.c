/* buckets.c: steps of logarithms in whole numbers, and functions that are stairs. */
#include "encoding/buckets.h"

#include <math.h>

/* A whole number of up to 32 * LIMBS bits: powers of distances, for the boundaries. */
#define LIMBS 1100
typedef struct {
    uint32_t limb[LIMBS];
    int used;
} natural;

static void times(natural *a, uint32_t b, int64_t power) {
    for (; power > 0; power--) {
        uint64_t carry = 0;
        for (int k = 0; k < a->used || carry; k++) {
            if (k == a->used) a->limb[a->used++] = 0;
            carry += (uint64_t)a->limb[k] * b;
            a->limb[k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* x^steps from^k against far^k from^steps, that is steps ln(x/from) / ln(far/from) against k: -1, 0 or 1. On each side stand at most 1024
 * factors below 2^31, steps and k: 1024 * 31 bits fit. */
static int compare_steps(int64_t x, int64_t from, int64_t far, int64_t steps, int64_t k) {
    natural a = {{1}, 1}, b = {{1}, 1};
    times(&a, (uint32_t)x, steps);
    times(&a, (uint32_t)from, k);
    times(&b, (uint32_t)far, k);
    times(&b, (uint32_t)from, steps);
    if (a.used != b.used) return a.used > b.used ? 1 : -1;
    for (int i = a.used - 1; i >= 0; i--)
        if (a.limb[i] != b.limb[i]) return a.limb[i] > b.limb[i] ? 1 : -1;
    return 0;
}

int64_t enc_log_steps(int64_t x, int64_t from, int64_t far, int64_t steps, bool up) {
    ph_dd f = ph_dd_of((double)from);
    ph_dd q = ph_dd_div(ph_dd_log(ph_dd_div(ph_dd_of((double)x), f)),
                        ph_dd_log(ph_dd_div(ph_dd_of((double)far), f)));
    double l = ph_dd_value(ph_dd_mul_d(q, (double)steps)), k = rint(l);
    if (fabs(l - k) >= 1e-9) return (int64_t)(up ? ceil(l) : floor(l));
    int side = compare_steps(x, from, far, steps, (int64_t)k); /* so close only whole numbers decide */
    return (int64_t)k + (up ? side > 0 : -(side < 0));
}

/* The least x from lo to hi with f(x) >= k. */
static int64_t begin_of(enc_stairs_fn *f, const void *ctx, int64_t lo, int64_t hi, int64_t k) {
    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        if (f(ctx, middle) >= k) hi = middle;
        else lo = middle + 1;
    }
    return hi;
}

op_val *enc_d_stairs(op_ctx *c, op_val *x, enc_stairs_fn *f, const void *ctx, int64_t lo, int64_t hi,
                     int64_t plus) {
    int64_t first = f(ctx, lo), k = f(ctx, hi);
    op_val *y = op_num(c, (double)(plus + k));
    for (; k > first; k--) {
        op_val *before = op_do2(c, "lt", x, op_num(c, (double)begin_of(f, ctx, lo, hi, k)));
        y = op_do3(c, "where", before, op_num(c, (double)(plus + k - 1)), y);
    }
    return y;
}
