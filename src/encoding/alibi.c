/* alibi.c: attention with linear biases.
 *
 *     bias[h, m, n] = -slope_h |m - n|
 *     H a power of 2   slope_h = 2^(-8(h+1)/H), h from 0
 *     otherwise        the slopes of c heads, c the power of 2 below H, then every second one of 2c heads, from the first
 */
#include "encoding/bias.h"

enum { HEADS, T, SPAN };

#define HEADS_ROW                                                                                            \
    { "H", ENC_INT, ENC_POSITIONAL, 0, 1, 1e6, NULL, NULL, NULL, "the number of heads" }
static const enc_param params[] = {
    HEADS_ROW,
    {"T", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "queries", "how many positions"},
    ENC_SPAN_ROWS,
    {0},
};

/* slope_h = 2^(-num/den) */
static void exponent(int64_t *num, int64_t *den, int64_t heads, int64_t h) {
    int64_t c = 1;
    while (2 * c <= heads) c *= 2;
    *num = h < c ? 8 * (h + 1) : 4 * (2 * (h - c) + 1);
    *den = c;
}

static ph_dd slope(int64_t heads, int64_t h) {
    int64_t num, den;
    exponent(&num, &den, heads, h);
    return ph_dd_pow(ph_dd_of(2), ph_dd_of(-(double)num / (double)den)); /* den is a power of 2: exact */
}

static double value(const void *ctx, int64_t head, int64_t distance) {
    const ph_dd *slopes = ctx;
    double far = (double)(distance < 0 ? -distance : distance);
    return far == 0 ? 0 : -ph_dd_mul_d(slopes[head], far).hi;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    int64_t heads = v[HEADS].whole;
    enc_span s = enc_span_of("alibi", heads, v[T].whole, v + SPAN);
    ph_dd *slopes = ph_calloc((uint64_t)heads, sizeof *slopes);
    if (!slopes) return ph_fail_nomem(err, (size_t)heads * sizeof *slopes);
    for (int64_t h = 0; h < heads; h++) slopes[h] = slope(heads, h);
    ph_status st = enc_fill_bias(out, &s, value, slopes, err);
    ph_free(slopes);
    return st;
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    int64_t heads = d->v[HEADS].whole;
    op_val *far = enc_d_distance(d, d->v[T].whole, d->v + SPAN);
    double *up = ph_calloc(2 * (uint64_t)heads, sizeof *up), *down = up + heads;
    if (!up) {
        op_fail(c, PH_ENOMEM, "out of memory for the slopes of %lld heads", (long long)heads);
        return;
    }
    for (int64_t h = 0; h < heads; h++) {
        int64_t num, den;
        exponent(&num, &den, heads, h);
        up[h] = -(double)num, down[h] = (double)den;
    }
    op_val *power = op_do2(c, "div", enc_d_numbers(c, up, heads), enc_d_numbers(c, down, heads));
    ph_free(up);
    op_val *slopes = op_do2(c, "pow", op_num(c, 2), power);
    op_val *bias = op_do1(c, "neg", op_do2(c, "mul", enc_d_per_head(c, slopes), far));
    y[0] = enc_d_bias(d, bias, d->v + SPAN);
}

static const enc_param slope_params[] = {HEADS_ROW, {0}};

static ph_status run_slopes(arr *out, const enc_value *v, ph_err *err) {
    ph_status st = arr_new(out, ARR_F64, 1, &v[HEADS].whole, err);
    for (int64_t h = 0; st == PH_OK && h < v[HEADS].whole; h++)
        ((double *)out->data)[h] = slope(v[HEADS].whole, h).hi;
    return st;
}

static const enc_function functions[] = {
    {"alibi", "ALiBi's score biases (H, T, keys): -slope |m - n|.",
     "Query m is position offset, offset+1, ...; key n is 0, 1, ... They are added to the logits; a causal "
     "mask is not included.\n"
     "When H is no power of 2, the slopes of the power below are followed by every second one of the power "
     "above.",
     "alibi(8, 3)(1, 3, 1)  --> -1.0\nalibi(2, 1, {offset=2}):totable()[1]  --> {{-0.125, -0.0625, 0.0}}\n"
     "alibi(0, 3)  --> error: H is 0",
     params, 1, run, NULL, define},
    {"alibi_slopes", "The slopes of ALiBi's heads, (H).",
     "2^(-8 h/H), h = 1 to H, when H is a power of 2; see alibi.",
     "alibi_slopes(4):totable()  --> {0.25, 0.0625, 0.015625, 0.00390625}\n"
     "alibi_slopes(12)(9) == 2^-0.5  --> true",
     slope_params, 1, run_slopes, NULL, NULL},
    {0},
};

const enc_encoding enc_alibi = {
    .name = "alibi",
    .title = {"attention with linear biases", "线性偏置注意力"},
    .citation =
        "Press, Smith, Lewis, Train Short, Test Long (ALiBi, 2022), arXiv:2108.12409; slopes as in its code.",
    .kind = ENC_BIAS,
    .layout = "(H, T, keys)",
    .laws = ENC_IS_RELATIVE | ENC_IS_EVEN | ENC_IS_DECAYING,
    .functions = functions,
    .sample = "H, T",
};
