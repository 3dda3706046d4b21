/* A look inside: what a probe sees against the model itself, against GPT-2 and BERT written out by hand, against sums by hand; and what is refused.
 * Sources: train/families.lua train/probe.lua */
#include "lua/lab.h"

/* The pass of a probe ends in the model's own logits, for every encoding in three kinds of models. Logits are below 8 and sums of at most 60
 * products in f32, in another order: 60 * 8 * 2^-24 < 3e-5; a term left out is off by a hundredth. */
static void a_probe_runs_the_model_that_it_shows(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"@a_probe_runs_the_model_that_it_shows_1", "true\t"},
        /* weights are shares, and nothing is seen ahead; scores are there before they are hidden */
        {"p = probe(model('alibi'))\nA = p:attention(ids, 2)\n"
         "return A.shape, max(abs(sum(A, 3) - 1)) < 1e-6, A(1, 2, 3), A(2, 1, 1), isfinite(p:scores(ids, 2)(1, 2, 3))",
         "{2, 7, 7}\ttrue\t0.0\t1.0\ttrue"},
        /* the same texts one after another, in any order of layers */
        {"@a_probe_runs_the_model_that_it_shows_2", "true\t{2, 3, 3}\ttrue"},
        {"@a_probe_runs_the_model_that_it_shows_3", "{2, 7}\ttrue\ttrue\ttrue"},
        {"W = p:by_distance(ids, 1, 'weights')\nreturn W(1, 7) == p:attention(ids, 1)(1, 7, 1)", "true"},
        {"@a_probe_runs_the_model_that_it_shows_4", "phasor\tprobe: phasor, 2 layers, 2 heads, d = 8\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

/* By hand in doubles: f32 sums of at most 96 products below 4, over two layers with norms that divide by at least 0.1: 96 * 4 * 2^-24 * 10 < 3e-4
 * for outputs; a bias or a norm left out is off by a tenth. */
static void other_families_are_read_by_their_names(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"@other_families_are_read_by_their_names_1", "GPT-2\t2\ttrue\ttrue\ttrue"},
        {"prefixed = {}\nfor k, v in pairs(t) do prefixed['transformer.' .. k] = v end\n"
         "return H.with(prefixed, function(path) return H.worst(probe(path, {heads = 2}):output(ids), out) < 3e-4 end)",
         "true"},
        {"H.with(H.gpt2(rng(1), 128, 1), function(path) return probe(path).heads end)", "2"},
        {"@other_families_are_read_by_their_names_2", "BERT\t2\ttrue\ttrue\ttrue"},
        {"@other_families_are_read_by_their_names_3", "Llama\t2\ttrue\ttrue\ttrue\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void frequencies_and_tables(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        /* a turn keeps lengths: energy from queries and keys that were never turned */
        {"@frequencies_and_tables_1", "{2, 2}\ttrue\ttrue"},
        /* a table of one wave has its whole share in it, a mixture 4 to 1 in squares */
        {"@frequencies_and_tables_2", "{6}\ttrue\ttrue\ttrue"},
        {"m.P.position[1][1] = astype(reshape(5 + 2 * cos(2 * pi / 12 * range(0, 11)) + sin(2 * pi / 12 * 5 * range(0, 11)), 12, 1) * ones(1, 8), 'f32')\n"
         "theta, share = probe(m):spectrum()\nreturn abs(share(1) - 0.8) < 1e-6, abs(share(5) - 0.2) < 1e-6",
         "true\ttrue"},
        /* frequencies that learn: they begin as those of rope, to the same logits, and training moves them; a file keeps them */
        {"f = model('rope', {position = {name = 'rope', learn = true, base = 100}})\nr = model('rope', {position = {name = 'rope', base = 100}})\n"
         "return H.worst(f:logits(ids), r:logits(ids)) < 1e-5, f:count() - r:count()",
         "true\t2"},
        {"a, b = probe(f):frequencies()\nreturn abs(a(2) - 0.1) < 1e-15, H.worst(a, b) < 1e-7, probe(r):frequencies() == a",
         "true\ttrue\ttrue"},
        {"@frequencies_and_tables_3", "true\ttrue\ttrue"},
        {"f:logits(ids, {offset = 5}) == f:logits(ids)", "true"}, /* only distances count */
        /* the slope by log theta against differences of losses at two steps, from which the third derivative goes out. f32 losses are good to 3e-7:
         * over 0.02, and times 5/3, that is 3e-5; terms of the fourth power of 0.02 are as small unless the fifth derivative is beyond 10^4 */
        {"@frequencies_and_tables_4", "true\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void what_cannot_be_looked_into_is_said(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"probe(3)",
         "error: t:1: probe: the model is 3; wanted a transformer, or the path of a .safetensors"},
        {"probe(model('rope'), {heads = 2})",
         "error: t:1: probe: a model of this laboratory knows its own numbers; wanted no options"},
        {"H.with({a = eye(2), b = eye(3)}, function(path) return probe(path) end)",
         "error: t:1: probe: family.safetensors has no names of BERT, GPT-2, Llama, and is no model of this laboratory; it begins with a, b"},
        {"t = H.gpt2(rng(1), 8, 2)\nreturn H.with(t, function(path) return probe(path) end)",
         "error: t:2: probe: family.safetensors does not say how many heads there are; wanted probe(path, {heads=})"},
        {"H.with(t, function(path) probe(path, {heads = 3}) end)",
         "error: t:1: probe: heads is 3; wanted a number that shares out 8 columns of queries and 8 of keys"},
        {"H.with(t, function(path) probe(path, {heads = 2, base = 500}) end)",
         "error: t:1: probe: GPT-2 has no rotation; wanted no base"},
        {"H.with(t, function(path) probe(path, {heads = 2, eps = -1}) end)",
         "error: t:1: probe: eps is -1; wanted a number above 0"},
        {"t['h.1.mlp.c_fc.bias'] = nil\nreturn H.with(t, function(path) return probe(path, {heads = 2}):output(ids) end)",
         "error: t:2: probe: family.safetensors has no h.1.mlp.c_fc.bias; wanted the names of GPT-2"},
        {"t['h.1.mlp.c_fc.bias'] = ones(5)\nreturn H.with(t, function(path) return probe(path, {heads = 2}):output(ids) end)",
         "error: t:2: probe: h.1.mlp.c_fc.bias in family.safetensors is (5); wanted (32)"},
        {"H.with(t, function(path) return probe(path, {heads = 2}):attention(ones(10)) end)",
         "error: t:1: probe: 10 tokens; the table has 9 positions"},
        {"L = H.llama(model('rope', {heads = 4, kv_heads = 2, d = 16, rms = true, activation = 'swiglu'}))\n"
         "return H.with(L, function(path) return probe(path, {heads = 1}):attention(ids) end)",
         "error: t:2: probe: heads is 1; wanted a number that shares out 16 columns of queries and 8 of keys"},
        {"p = probe(model('nope'))\nreturn p:attention{1, 8}",
         "error: t:2: probe: token 2 is 8; wanted 1 to 7"},
        {"p:attention{1.5}", "error: t:1: probe: token 1 is 1.5; wanted 1 to 7"},
        {"p:attention('text')",
         "error: t:1: probe: the tokens are the string \"text\"; wanted a list of whole numbers from 1"},
        {"p:attention(ids, 3)", "error: t:1: probe: layer is 3; wanted 1 to 2"},
        {"p:energy(ids)", "error: t:1: probe: this model turns nothing by rope; wanted one with a rotation"},
        {"p:spectrum()", "error: t:1: probe: this model has no learned table of positions"},
        {"p:by_distance(ids, 1, 'weight')",
         "error: t:1: probe: wanted \"scores\" or \"weights\", not the string \"weight\""},
        {"p.enrgy", "error: t:1: unknown field 'enrgy' of a probe; did you mean 'energy'?"},
        {"transformer{vocab = 5, length = 8, position = {name = 'alibi', learn = true}}",
         "error: t:1: transformer: learn = true is for rope, without a call of its own"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_runs_the_model_that_it_shows),
        cmocka_unit_test(other_families_are_read_by_their_names),
        cmocka_unit_test(frequencies_and_tables),
        cmocka_unit_test(what_cannot_be_looked_into_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
