/* Masks, and how the norms and softmax read their arguments, as a student types them. */
#include "lua/lab.h"

static void masks_are_their_definitions(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function same(m, T, S, f) return m.dtype, m == fromfunction(function(i, j) return f(i - 1 + S - T, j - 1) end, T, S) end",
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
        {"causal_mask(1e6)", "error: t:1: causal_mask: 1000000 by 1000000 is too many; wanted at most 2^31 elements"},
        {"window_mask(3, 0)", "error: t:1: window_mask: w is 0; wanted an integer of at least 1"},
        {"prefix_mask(3, 'x')", "error: t:1: prefix_mask: p is \"x\"; wanted an integer of at least 0"},
        {"padding_mask({1, 4}, 3)", "error: t:1: padding_mask: length 2 is 4; wanted at most 3, all there are"},
        {"padding_mask({1, 0.5}, 3)", "error: t:1: padding_mask: length 2 is 0.5; wanted an integer of at least 0"},
        {"padding_mask(3, 3)", "error: t:1: padding_mask: lengths have 0 dimensions; wanted a list, one for each sequence"},
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
        {"rms_norm({1, 2}, {bias=1})", "error: t:1: rms_norm: unknown option 'bias'"},
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_their_definitions),
        cmocka_unit_test(bad_masks_are_refused_in_words),
        cmocka_unit_test(norms_read_their_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
