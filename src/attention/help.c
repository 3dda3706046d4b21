/* help.c: the help of attention and what belongs to it. */
#include "attention/attention.h"

#define NORM_ARGS                                                                                            \
    "x: an array; each row along the last axis by itself. gain: a number or one for each column."
#define NORM_EPS                                                                                             \
    " eps: added under the root, 1e-5 when left out; with {eps=0} a row without any spread is nan."

#define OPTIONS                                                                                              \
    "\nmask: boolean, true where the query sees the key, or numbers to add (-inf hides). bias: numbers to "  \
    "add. Both "                                                                                             \
    "broadcast to (..., H, T, S). scale: 1/sqrt(d) when left out. causal: hides later keys; window: hides "  \
    "keys at a "                                                                                             \
    "distance of window or more. The last query stands at the last key."

const op_help att_help[] = {
    {.name = "# attention"},
    {"softmax", "x [, axis]",
     "e^x over the sum of e^x: weights that add up to 1.\n"
     "x: an array. axis: from 1, or from -1 at the end; the last when left out. The greatest element is "
     "subtracted first, so nothing overflows.\n"
     "-inf has weight exactly 0. Where everything is -inf, nothing can be chosen: the weights are then all "
     "0. A line with nan or inf is nan throughout.",
     "softmax{0, 0}:totable()  --> {0.5, 0.5}\nsoftmax{1000, 1000, -inf}:totable()  --> {0.5, 0.5, 0.0}\n"
     "softmax{-inf, -inf}:totable()  --> {0.0, 0.0}"},
    {"layer_norm", "x [, {gain=, bias=, eps=1e-5}]",
     "Rows of mean 0 and variance 1: gain (x - mean) / sqrt(var + eps) + bias.\n" NORM_ARGS
     " bias: the same." NORM_EPS "\nWith eps > 0 the variance is v / (v + eps), a little under 1. Ba, Kiros "
     "and Hinton 2016.",
     "layer_norm({1, 3}, {eps=0}):totable()  --> {-1.0, 1.0}\n"
     "layer_norm({1, 3}, {eps=0, gain=9, bias={5, 6}}):totable()  --> {-4.0, 15.0}"},
    {"rms_norm", "x [, {gain=, eps=1e-5}]",
     "Rows of mean square 1: gain x / sqrt(mean(x^2) + eps).\n" NORM_ARGS NORM_EPS
     "\nZhang and Sennrich 2019.",
     "rms_norm({3, 3, -3}, {eps=0}):totable()  --> {1.0, 1.0, -1.0}"},
    {"attention", "Q, K, V [, {mask=, bias=, scale=, causal=, window=, need=}]",
     "Scaled dot-product attention: softmax(scale Q K^T + bias) V.\n"
     "Q: (..., H, T, d), K: (..., Hk, S, d), V: (..., Hk, S, dv); the result is (..., H, T, dv). H may be a "
     "multiple of Hk: then each key head serves H/Hk query heads in a row (grouped queries). " OPTIONS
     "\nneed: \"weights\" also returns the weights, (..., H, T, S); otherwise they are never stored and "
     "memory grows with T, not T^2. Numbers in 16 bits (halves) are computed with in f32.\n"
     "A hidden key takes no part, were its value nan. A query that sees no key gets zeros, not nan. nan or "
     "inf among the scores it sees makes its result nan.\n"
     "Vaswani and others 2017, equation 1.",
     "X = array{{0}, {4}}\nattention(0*X, X, X, {causal=true}):totable()  --> {{0.0}, {2.0}}\n"
     "z, a = attention({{1}}, {{0}, {0}}, {{3}, {5}}, {need=\"weights\"})\n"
     "a:totable(), z(1, 1)  --> {{0.5, 0.5}}\t4.0\n"
     "attention({{1}}, {{0}}, {{3}}, {mask={{false}}}):totable()  --> {{0.0}}"},
    {"attention_weights", "Q, K [, {mask=, bias=, scale=, causal=, window=}]",
     "The weights of attention, softmax(scale Q K^T + bias): (..., H, T, S).\n"
     "Q: (..., H, T, d), K: (..., Hk, S, d). " OPTIONS
     "\nRows add up to 1; a hidden key has weight exactly 0, a query that sees no key has weights 0.",
     "attention_weights({{0}}, {{1}, {2}}):totable()  --> {{0.5, 0.5}}\n"
     "attention_weights({{1}}, {{0}, {0}}, {bias={0, -inf}})(1, 1)  --> 1.0"},
    {.name = NULL},
};
