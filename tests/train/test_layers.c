/* Layers and recurrences against loops over index tuples, in layers.lua.
 * Sources: train/layers.lua */
#include "lua/lab.h"

/* Sizes are at most 32 and entries of order 1: each of a few hundred roundings on the way errs by 2^-53 of some 10, and the
 * softmaxes and norms (whose root is above 0.1 here) magnify by less than 100: below 1e-10 with room, while any wrong index gives
 * errors of order 1. */
static void layers_are_their_loops(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"dofile 'tests/train/layers.lua'", ""},
        {"P = init_multi_head(rng(3), 8, 4); return near(multi_head(X, P), (slow_heads(x, x, P, all_seen)), "
         "1e-10)",
         "true"},
        {"z, a = multi_head(X, P, {causal=true, need='weights'}); zs, as = slow_heads(x, x, P, past)", ""},
        {"near(z, zs, 1e-10), near(a, as, 1e-10)", "true\ttrue"},
        {"near(multi_head(X, P, {mask=causal_mask(6)}), zs, 1e-10)", "true"},
        {"near(multi_head(X, P, {context=Y}), (slow_heads(x, y, P, all_seen)), 1e-10)", "true"},
        {"P = init_multi_head(rng(4), 8, 4, {kv_heads=2}); return P.Wk.shape, P.Wv.shape", "{8, 4}\t{8, 4}"},
        {"near(multi_head(X, P), (slow_heads(x, x, P, all_seen)), 1e-10)", "true"},
        {"S = stack{X, X[{ {6, 1, -1} }]}; M = multi_head(S, P); return near(M[2], multi_head(S[2], P), "
         "1e-10)",
         "true"},
        {"near(multi_head(X, P, {rotate=function(q) return 0*q end}), (slow_heads(x, x, {Wq=0*P.Wq, Wk=P.Wk, "
         "Wv=P.Wv, Wo=P.Wo, "
         "heads=4, kv_heads=2}, all_seen)), 1e-10)",
         "true"},
        {"F = init_feed_forward(rng(5), 8, 20); F.b1, F.b2 = randn(rng(6), 20), randn(rng(7), 8)", ""},
        {"near(feed_forward(X, F), slow_ffn(x, F), 1e-10), near(feed_forward(X, F, {activation=tanh}), "
         "matmul(tanh(matmul(X, F.W1) "
         "+ F.b1), F.W2) + F.b2, 1e-12)",
         "true\ttrue"},
        {"E = init_encoder(rng(8), 8, 2, 16)", ""},
        {"h = slow_norm(plus(x, (slow_heads(x, x, E.attention, all_seen)))); h = slow_norm(plus(h, "
         "slow_ffn(h, E.feed_forward)))",
         ""},
        {"near(encoder_block(X, E), h, 1e-10)", "true"},
        {"n = slow_norm(x); h = plus(x, (slow_heads(n, n, E.attention, past))); h = plus(h, "
         "slow_ffn(slow_norm(h), E.feed_forward))",
         ""},
        {"near(encoder_block(X, E, {norm='pre', causal=true}), h, 1e-10)", "true"},
        {"D = init_decoder(rng(9), 8, 2, 16); h = slow_norm(plus(x, (slow_heads(x, x, D.attention, past))))",
         ""},
        {"h = slow_norm(plus(h, (slow_heads(h, y, D.context, all_seen)))); h = slow_norm(plus(h, slow_ffn(h, "
         "D.feed_forward)))",
         ""},
        {"near(decoder_block(X, Y, D), h, 1e-10)", "true"},
        {"seen = decoder_block(X, Y, D, {context_mask=array{true, true, false, false}})", ""},
        {"near(seen, decoder_block(X, Y[{ {1, 2} }], D), 1e-10)", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

static void permutations_and_the_future(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"dofile 'tests/train/layers.lua'", ""},
        {"E = init_encoder(rng(8), 8, 2, 16); p = {3, 6, 1, 5, 2, 4}", ""},
        {"near(encoder_block(take(X, p), E), take(encoder_block(X, E), p), 1e-12)", "true"},
        {"near(encoder_block(take(X, p), E, {causal=true}), take(encoder_block(X, E, {causal=true}), p), "
         "0.1) ~= true",
         "true"},
        {"Z = X:copy(); Z[{ {4, 6} }] = 1e6", ""},
        {"encoder_block(Z, E, {causal=true})[{ {1, 3} }] == encoder_block(X, E, {causal=true})[{ {1, 3} }]",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A step of the recurrence rounds twice; |a| < 1 passes errors on shrunk, so T = 1000 steps stay below 1000 * 2 * 2^-53 * max|h|,
 * max|h| < 100. */
static void recurrences_are_their_loops(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"dofile 'tests/train/layers.lua'", ""},
        {"a, b = tanh(randn(rng(1), 1000, 3)), randn(rng(2), 1000, 3); h = {0.5, -1, 2}; H = {}", ""},
        {"for t = 1, 1000 do H[t] = {}; for l = 1, 3 do h[l] = a(t, l) * h[l] + b(t, l); H[t][l] = h[l] end "
         "end",
         ""},
        {"loop, n = recurrence(a, b, {h0={0.5, -1, 2}}); scan, depth = recurrence(a, b, {h0={0.5, -1, 2}, "
         "method='scan'})",
         ""},
        {"n, depth, near(loop, H, 0), near(scan, H, 2.3e-11)", "1000\t10\ttrue\ttrue"},
        {"for T = 1, 33 do local x, d = recurrence(0.5, b[{ {1, T} }], {method='scan'}); assert(near(x, "
         "recurrence(0.5, b[{ {1, T} }]), "
         "1e-14) == true and d == math.ceil(math.log(T, 2) - 1e-9)) end",
         ""},
        {"P = init_rnn(rng(3), 4, 3); P.b = randn(rng(4), 3); X = randn(rng(5), 7, 4); h = {0.1, 0.2, 0.3}; "
         "H = {}",
         ""},
        {"for t = 1, 7 do local g = {}; for j = 1, 3 do local s = P.b(j); for l = 1, 4 do s = s + X(t, l) * "
         "P.Wx(l, j) end; for l = 1, 3 "
         "do s = s + h[l] * P.Wh(l, j) end; g[j] = tanh(s) end; h = g; H[t] = g end",
         ""},
        {"near(rnn(X, P, {0.1, 0.2, 0.3}), H, 1e-14), rnn(X, P).shape, rnn(zeros(0, 4), P).shape",
         "true\t{7, 3}\t{0, 3}"},
        {"recurrence(1, zeros(0, 2)).shape", "{0, 2}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void rel_shift_is_right_where_causal(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function right(T, R) local S = randn(rng(1), 2, T, R); local Z = rel_shift(S); for h = 1, 2 do for "
         "i = 1, T do for j = 1, i + R - T "
         "do if Z(h, i, j) ~= S(h, i, j + T - i) then return h, i, j end end end end return Z.shape end",
         ""},
        {"right(5, 5), right(3, 7), right(1, 4), right(4, 4)", "{2, 5, 5}\t{2, 3, 7}\t{2, 1, 4}\t{2, 4, 4}"},
        {"rel_shift(reshape(range(1, 9), 3, 3)):totable()",
         "{{3.0, 0.0, 4.0}, {5.0, 6.0, 0.0}, {7.0, 8.0, 9.0}}"}, /* garbage included */
        {"rel_shift(zeros(0, 3)).shape, rel_shift(zeros(2, 3):astype'f32').dtype", "{0, 3}\tf32"},
        {"rel_shift(zeros(3, 2))",
         "error: t:1: rel_shift: S is (3, 2); wanted at least as many columns as rows"},
        {"rel_shift(zeros(3))", "error: t:1: rel_shift: S is (3); wanted at least 2 dimensions"},
        {"function both(T, K) local S = randn(rng(1), 2, T, T + K); local Z = rel_shift(S, K); for h = 1, 2 "
         "do for i = 1, T do "
         "for j = 1, K do if Z(h, i, j) ~= S(h, i, T + 1 - i + j) then return h, i, j end end end end return "
         "Z.shape end",
         ""},
        {"both(5, 5), both(3, 7), both(1, 4), both(6, 2)", "{2, 5, 5}\t{2, 3, 7}\t{2, 1, 4}\t{2, 6, 2}"},
        {"rel_shift(zeros(0, 3), 3).shape, rel_shift(zeros(2, 2), 0).shape", "{0, 3}\t{2, 0}"},
        {"rel_shift(zeros(3, 5), 3)",
         "error: t:1: rel_shift: S is (3, 5); wanted 6 columns, for the distances from 3 keys to 3 queries"},
        {"rel_shift(zeros(3, 5), -1)", "error: t:1: rel_shift: keys is -1; wanted an integer of at least 0"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_parameters_are_refused_in_words(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"X, P = zeros(3, 8), init_multi_head(rng(1), 8, 2)", ""},
        {"multi_head(zeros(8), P)", "error: t:1: multi_head: X is (8); wanted at least 2 dimensions"},
        {"multi_head('x', P)", "error: t:1: multi_head: X is the string \"x\"; wanted an array"},
        {"multi_head(X)", "error: t:1: multi_head: the parameters are nil; wanted a table of arrays"},
        {"multi_head(X, {Wq=P.Wq})",
         "error: t:1: multi_head: the parameters have no Wk; wanted Wq, Wk, Wv, Wo, heads"},
        {"multi_head(zeros(3, 7), P)", "error: t:1: multi_head: Wq is (8, 8); wanted (7, ...), a row for "
                                       "each column of what it multiplies"},
        {"multi_head(X, {Wq=P.Wq, Wk=P.Wk, Wv=P.Wv, Wo=P.Wo, heads=3})",
         "error: t:1: multi_head: Wq has 8 columns; wanted a multiple of its heads, 3"},
        {"multi_head(X, {Wq=P.Wq, Wk=P.Wk, Wv=P.Wv, Wo=P.Wo, heads=4, kv_heads=3})",
         "error: t:1: multi_head: heads is 4 and kv_heads 3; wanted a multiple of kv_heads"},
        {"multi_head(X, {Wq=P.Wq, Wk=P.Wk, Wv=P.Wv, Wo=P.Wo, heads=0.5})",
         "error: t:1: multi_head: heads is 0.5; wanted an integer of at least 1"},
        {"multi_head(X, P, {casual=true})",
         "error: t:1: multi_head: unknown option 'casual'; did you mean 'causal'?"},
        {"multi_head(X, P, 3)",
         "error: t:1: multi_head: the last argument is 3; wanted options such as {causal=...}"},
        {"init_multi_head(rng(1), 8, 3)",
         "error: t:1: init_multi_head: d is 8; wanted a multiple of heads, 3"},
        {"init_multi_head(rng(1), 8, 4, {kv_heads=3})",
         "error: t:1: init_multi_head: heads is 4 and kv_heads 3; wanted a multiple of kv_heads"},
        {"feed_forward(X, {W1=1})",
         "error: t:1: feed_forward: the parameters have no b1; wanted W1, b1, W2, b2"},
        {"encoder_block(X, P)", "error: t:1: encoder_block: the parameters have no attention; wanted "
                                "attention, feed_forward, norm1, norm2"},
        {"encoder_block(X, init_encoder(rng(1), 8, 2, 4), {norm='mid'})",
         "error: t:1: encoder_block: norm is the string \"mid\"; wanted \"post\" or \"pre\""},
        {"residual(X, function(x) return x[1] end)",
         "error: t:1: residual: X is (3, 8) and f(X) is (8); wanted the same shape"},
        {"residual(X)", "error: t:1: residual: f is nil; wanted a function of an array"},
        {"multi_head(X, P, {rotate=3})",
         "error: t:1: multi_head: rotate is 3; wanted a function of an array"},
        {"feed_forward(X, init_feed_forward(rng(1), 8, 2), {activation=false})",
         "error: t:1: feed_forward: activation is false; wanted a function of an array"},
        {"recurrence(zeros(2), zeros(3))",
         "error: t:1: recurrence: a is (2) and b is (3); wanted the same shape, or a number for a"},
        {"recurrence(1, zeros(3), {method='tree'})",
         "error: t:1: recurrence: method is the string \"tree\"; wanted \"loop\" or \"scan\""},
        {"recurrence(1, zeros(3), {h0=zeros(2)})",
         "error: t:1: recurrence: h0 is (2); wanted the shape of one row of b"},
        {"rnn(zeros(2, 3, 4), init_rnn(rng(1), 4, 2))", "error: t:1: rnn: X is (2, 3, 4); wanted (T, d)"},
        {"count_parameters(3)", "error: t:1: count_parameters: P is 3; wanted a table of arrays"},
        {"t = {}; t.t = t; return count_parameters(t)",
         "error: t:1: count_parameters: tables more than 50 deep; does one contain itself?"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_their_loops),
        cmocka_unit_test(permutations_and_the_future),
        cmocka_unit_test(recurrences_are_their_loops),
        cmocka_unit_test(rel_shift_is_right_where_causal),
        cmocka_unit_test(bad_parameters_are_refused_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
