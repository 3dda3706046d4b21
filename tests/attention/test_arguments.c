/* Masks, and how attention, norms and softmax read their arguments, as a student types them.
 * Sources: lib/attention.lua lua/attention.c */
#include "lua/lab.h"

static void masks_are_their_definitions(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function same(m, T, S, f) return m.dtype, m == fromfunction(function(i, j) return f(i - 1 + S - T, "
         "j - 1) end, T, S) end",
         ""},
        {"same(causal_mask(5), 5, 5, function(i, j) return j <= i end)", "bool\ttrue"},
        {"same(causal_mask(3, 5), 3, 5, function(i, j) return j <= i end)", "bool\ttrue"},
        {"same(causal_mask(5, 3), 5, 3, function(i, j) return j <= i end)", "bool\ttrue"},
        {"same(window_mask(6, 2), 6, 6, function(i, j) return math.abs(i - j) < 2 end)", "bool\ttrue"},
        {"same(window_mask(4, 3, 7), 4, 7, function(i, j) return math.abs(i - j) < 3 end)", "bool\ttrue"},
        {"same(prefix_mask(6, 3), 6, 6, function(i, j) return j <= i or j < 3 end)", "bool\ttrue"},
        {"same(prefix_mask(2, 3, 6), 2, 6, function(i, j) return j <= i or j < 3 end)", "bool\ttrue"},
        {"padding_mask({0, 2}, 2) == reshape(array{false, false, true, true}, 2, 1, 1, 2)", "true"},
        {"padding_mask(array{1}, 2) == reshape(array{true, false}, 1, 1, 1, 2)", "true"},
        {"causal_mask(0).shape, causal_mask(0, 2).shape, causal_mask(2, 0).shape", "{0, 0}\t{0, 2}\t{2, 0}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_masks_are_refused_in_words(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"causal_mask()", "error: t:1: causal_mask: T is nil; wanted an integer of at least 0"},
        {"causal_mask(-1)", "error: t:1: causal_mask: T is -1; wanted an integer of at least 0"},
        {"causal_mask(2, 1.5)", "error: t:1: causal_mask: S is 1.5; wanted an integer of at least 0"},
        {"causal_mask(nan)", "error: t:1: causal_mask: T is nan; wanted an integer of at least 0"},
        {"causal_mask(1e6)",
         "error: t:1: causal_mask: 1000000 by 1000000 is too many; wanted at most 2^31 elements"},
        {"window_mask(3, 0)", "error: t:1: window_mask: w is 0; wanted an integer of at least 1"},
        {"prefix_mask(3, 'x')",
         "error: t:1: prefix_mask: p is the string \"x\"; wanted an integer of at least 0"},
        {"padding_mask({1, 4}, 3)",
         "error: t:1: padding_mask: length 2 is 4; wanted at most 3, all there are"},
        {"padding_mask({1, 0.5}, 3)",
         "error: t:1: padding_mask: length 2 is 0.5; wanted an integer of at least 0"},
        {"padding_mask(3, 3)",
         "error: t:1: padding_mask: lengths have 0 dimensions; wanted a list, one for each sequence"},
        {NULL, NULL}};
    lab_run(cases);
}

static void norms_read_their_options(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"layer_norm({-1, 1}, {eps=0, bias=5}):totable()", "{4.0, 6.0}"},
        {"array{-1, 1}:layer_norm({eps=0, gain={2, 3}}):totable()", "{-2.0, 3.0}"},
        {"layer_norm({-1, 1}, {eps=3}):totable()", "{-0.5, 0.5}"},
        {"layer_norm({2, 2}, {eps=0})(1) ~= layer_norm({2, 2}, {eps=0})(1)", "true"},
        {"rms_norm(array{3, 4}:astype'f32', {gain=ones(2), eps=0}).dtype", "f64"},
        {"rms_norm(array{3, 4}:astype'f32', {gain=2, eps=0}).dtype", "f32"},
        {"rms_norm({1, 2}, {bias=1})", "error: t:1: rms_norm: unknown option 'bias'; wanted eps, gain"},
        {"layer_norm({1, 2}, {esp=1})", "error: t:1: layer_norm: unknown option 'esp'; did you mean 'eps'?"},
        {"layer_norm({1, 2}, 3)", "error: t:1: layer_norm: argument 2 is 3; wanted options such as {eps=0}"},
        {"layer_norm({1, 2}, {eps='x'})", "error: t:1: layer_norm: eps is the string \"x\"; wanted a number"},
        {"layer_norm({1, 2}, {gain={1, 2, 3}})",
         "error: t:1: layer_norm: gain is (3) and x is (2); wanted a number or one for each column, (2)"},
        {"softmax({{0, 0}, {0, 0}}, 3)", "error: t:1: softmax: axis is 3; the array has 2 dimensions"},
        {"softmax(3)", "error: t:1: softmax: x is a single number; wanted at least one dimension"},
        {"softmax({{1, 2}, {1, 2}}, 1):totable()", "{{0.5, 0.5}, {0.5, 0.5}}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void attention_reads_its_options(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"g = rng(1); Q, K, V = randn(g, 2, 5, 4), randn(g, 2, 5, 4), randn(g, 2, 5, 3)", ""},
        {"z, a = attention(Q, K, V, {causal=true, need='weights'}); return z.shape, a.shape",
         "{2, 5, 3}\t{2, 5, 5}"},
        {"z == attention(Q, K, V, {causal=true}), a == attention_weights(Q, K, {causal=true})", "true\ttrue"},
        {"allclose(matmul(a, V), z, {rtol=0, atol=1e-14})", "true"},
        {"attention(Q, K, V, {mask=causal_mask(5)}) == attention(Q, K, V, {bias=where(causal_mask(5), 0, "
         "-inf)})",
         "true"},
        {"attention(Q, K, V, {mask=causal_mask(5)}) == attention(Q, K, V, {causal=true})", "true"},
        {"attention(Q, K, V, {mask=window_mask(5, 2), bias=-1}) == attention(Q, K, V, {window=2, bias=-1})",
         "true"},
        {"attention(Q, K, V, {scale=0.5}) == attention(Q, K, V)", "true"},
        {"all(attention(Q, K, V, {mask=false}):eq(0))", "true"},
        {"attention(Q:astype'f32', K:astype'f32', V:astype'f32', {bias=zeros(5, 5)}).dtype", "f32"},
        {"help(attention):match('^%w+')", "attention"},
        {"attention(Q, K)",
         "error: t:1: attention: operand 3 is nil; wanted a number, an array or a table of numbers"},
        {"attention(Q, K, V, 3)",
         "error: t:1: attention: the last argument is 3; wanted options such as {causal=true}"},
        {"attention(Q, K, V, {causal=true}, 5)",
         "error: t:1: attention: 5 arguments given; wanted 3 to 4, as in attention(Q, K, V [, {mask=, bias=, scale=, causal=, window=, need=}])"},
        {"attention(Q, K, V, {casual=true})",
         "error: t:1: attention: unknown option 'casual'; did you mean 'causal'?"},
        {"attention(Q, K, V, {causal=1})", "error: t:1: attention: causal is 1; wanted true or false"},
        {"attention(Q, K, V, {need='alpha'})",
         "error: t:1: attention: need is the string \"alpha\"; wanted \"weights\""},
        {"attention(Q, K, V, {scale=nan})", "error: t:1: attention: scale is nan; wanted a finite number"},
        {"attention(Q, K, V, {window=0})",
         "error: t:1: attention: window is 0; wanted an integer from 1 to 2147483647"},
        {"attention(Q, V, V)", "error: t:1: attention: Q is (2, 5, 4) and K is (2, 5, 3); wanted the same "
                               "number of columns, at least 1"},
        {"attention(Q, K, V[{ {}, {1, 4} }])",
         "error: t:1: attention: K is (2, 5, 4) and V is (2, 4, 3); wanted as many rows "
         "of V as of K: a value for each key"},
        {"attention(zeros(5, 3, 4), zeros(2, 3, 4), zeros(2, 3, 4))",
         "error: t:1: attention: Q is (5, 3, 4) and K is (2, 3, 4); wanted heads of Q (5) a multiple of "
         "those of K (2)"},
        {"attention(zeros(4, 2, 3, 4), zeros(2, 2, 3, 4), zeros(2, 2, 3, 4))",
         "error: t:1: attention: Q is (4, 2, 3, 4), K is (2, 2, 3, 4) and V is (2, 2, 3, 4); the dimensions "
         "before the last two "
         "must be equal or 1"},
        {"attention(Q, K, V, {mask=causal_mask(4)})", "error: t:1: attention: the mask is (4, 4); wanted a "
                                                      "shape that broadcasts to the scores, (2, 5, 5)"},
        {"attention(Q, K, V, {bias=zeros(2)})",
         "error: t:1: attention: the bias is (2); wanted a shape that broadcasts to the scores, (2, 5, 5)"},
        {"attention(Q, K, V, {bias=I})", "error: t:1: attention: the bias is c128; wanted real numbers"},
        {"attention(Q * I, K, V)", "error: t:1: attention: Q is c128; wanted real numbers"},
        {"attention(zeros(4), K, V)",
         "error: t:1: attention: Q is (4); wanted at least two dimensions, (..., T, d)"},
        {"attention(zeros(3, 0), zeros(3, 0), V[1])",
         "error: t:1: attention: Q is (3, 0) and K is (3, 0); wanted the same number of columns, at least 1"},
        {NULL, NULL}};
    lab_run(cases);
}

static void sizes_that_nobody_counts_are_refused(void **state) {
    (void)state;
    if (SIZE_MAX == UINT32_MAX) skip(); /* no array has such shapes there */
    static const lab_case cases[] = {
        {"attention(broadcast_to(ones(1, 1), 3e9, 1), ones(1, 1), ones(1, 1))",
         "error: t:1: attention: a size of Q is over 2147483647; BLAS does not count that far"},
        {"X = broadcast_to(ones(1, 1), 2e9, 1); return attention_weights(X, X)",
         "error: t:1: attention_weights: shape (2000000000, 2000000000) is too large for any memory"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Where there is nothing to compute, what is given is looked at all the same. */
static void attention_of_nothing_reads_its_terms(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"attention(zeros(0, 4), zeros(0, 4), zeros(0, 4), {bias=zeros(3, 3)})",
         "error: t:1: attention: the bias is (3, 3); wanted a shape that broadcasts to the scores, (0, 0)"},
        {"attention(zeros(0, 4), zeros(5, 4), zeros(5, 4), {mask=causal_mask(4)})",
         "error: t:1: attention: the mask is (4, 4); wanted a shape that broadcasts to the scores, (0, 5)"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_their_definitions),
        cmocka_unit_test(bad_masks_are_refused_in_words),
        cmocka_unit_test(norms_read_their_options),
        cmocka_unit_test(attention_reads_its_options),
        cmocka_unit_test(sizes_that_nobody_counts_are_refused),
        cmocka_unit_test(attention_of_nothing_reads_its_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
