/* A look inside: what a probe sees against the model itself, against GPT-2 and BERT written out by hand, against sums by hand; and what is refused. */
#include "lua/lab.h"

static const char tools[] = "H = dofile 'tests/train/probe.lua'\nids = {3, 1, 4, 1, 5, 2, 6}\n"
                            "OPTIONS = {rerope = {window = 8}, shaw = {call = 'Q, K, learned(17, d)'}, rope_axes = {call = \"X, {layout='interleaved', "
                            "exponents='section', positions={range(0, T-1), range(0, T-1)}}\"}}\n"
                            "function model(name, more)\n"
                            "  local e = {name = name}\n"
                            "  for k, v in pairs(OPTIONS[name] or {}) do e[k] = v end\n"
                            "  local o = {vocab = 7, length = 12, layers = 2, heads = 2, d = 8, hidden = 12, position = e}\n"
                            "  for k, v in pairs(more or {}) do o[k] = v end\n"
                            "  return transformer(o, 3)\n"
                            "end\n";

/* The pass of a probe ends in the model's own logits, for every encoding in three kinds of models. Logits are below 8 and sums of at most 60
 * products in f32, in another order: 60 * 8 * 2^-24 < 3e-5; a term left out is off by a hundredth. */
static void a_probe_runs_the_model_that_it_shows(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"off, seen = {}, 0\n"
         "for name in pairs(encodings()) do\n"
         "  for _, o in ipairs{{}, {kv_heads = 1, activation = 'swiglu', rms = true}, {norm = 'post', activation = 'gelu', head = 'masked'}} do\n"
         "    local m = model(name, o)\n"
         "    if not (H.worst(matmul(probe(m):output(ids), m.P.output), m:logits(ids)[1]) < 3e-5) then off[#off + 1] = name end\n"
         "    seen = seen + 1\n"
         "  end\n"
         "end\n"
         "return seen >= 57, table.concat(off, ' ')",
         "true\t"},
        /* weights are shares, and nothing is seen ahead; scores are there before they are hidden */
        {"p = probe(model('alibi'))\nA = p:attention(ids, 2)\n"
         "return A.shape, max(abs(sum(A, 3) - 1)) < 1e-6, A(1, 2, 3), A(2, 1, 1), isfinite(p:scores(ids, 2)(1, 2, 3))",
         "{2, 7, 7}\ttrue\t0.0\t1.0\ttrue"},
        /* the same texts one after another, in any order of layers */
        {"a = p:attention(ids, 1)\nb = p:attention({1, 2, 3}, 2)\nc = p:attention(ids, 1)\nreturn a == c, b.shape, probe(model('alibi')):attention({1, 2, 3}, 2) == b",
         "true\t{2, 3, 3}\ttrue"},
        {"sums, n = {0, 0, 0}, {0, 0, 0}\nS = p:scores(ids, 2)\n"
         "for m = 1, 7 do for k = 0, 2 do if m > k then sums[k + 1], n[k + 1] = sums[k + 1] + S(2, m, m - k), n[k + 1] + 1 end end end\n"
         "D = p:by_distance(ids, 2)\n"
         "return D.shape, abs(D(2, 1) - sums[1] / n[1]) < 1e-6, abs(D(2, 3) - sums[3] / n[3]) < 1e-6, abs(D(1, 7) - S(1, 7, 1)) < 1e-6",
         "{2, 7}\ttrue\ttrue\ttrue"},
        {"W = p:by_distance(ids, 1, 'weights')\nreturn W(1, 7) == p:attention(ids, 1)(1, 7, 1)", "true"},
        {"m = model('t5')\nm:save 'own.safetensors'\nq = probe 'own.safetensors'\nos.remove 'own.safetensors'\n"
         "return q.family, tostring(q), q:attention(ids) == probe(m):attention(ids)",
         "phasor\tprobe: phasor, 2 layers, 2 heads, d = 8\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

/* By hand in doubles: f32 sums of at most 96 products below 4, over two layers with norms that divide by at least 0.1: 96 * 4 * 2^-24 * 10 < 3e-4
 * for outputs; a bias or a norm left out is off by a tenth. */
static void other_families_are_read_by_their_names(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"t = H.gpt2(rng(1), 8, 2)\nout, seen = H.gpt2_by_hand(t, ids, 2, 2)\n"
         "return H.with(t, function(path)\n"
         "  local p = probe(path, {heads = 2})\n"
         "  return p.family, p.layers, H.worst(p:output(ids), out) < 3e-4, H.worst(p:attention(ids), seen[1]) < 1e-5, H.worst(p:attention(ids, 2), seen[2]) < 1e-4\n"
         "end)",
         "GPT-2\t2\ttrue\ttrue\ttrue"},
        {"prefixed = {}\nfor k, v in pairs(t) do prefixed['transformer.' .. k] = v end\n"
         "return H.with(prefixed, function(path) return H.worst(probe(path, {heads = 2}):output(ids), out) < 3e-4 end)",
         "true"},
        {"H.with(H.gpt2(rng(1), 128, 1), function(path) return probe(path).heads end)", "2"},
        {"t = H.bert(rng(2), 8, 2)\nout, seen = H.bert_by_hand(t, ids, 4, 2)\n"
         "return H.with(t, function(path)\n"
         "  local p = probe(path, {heads = 4})\n"
         "  return p.family, p.layers, H.worst(p:output(ids), out) < 3e-4, H.worst(p:attention(ids), seen[1]) < 1e-5, H.worst(p:attention(ids, 2), seen[2]) < 1e-4\n"
         "end)",
         "BERT\t2\ttrue\ttrue\ttrue"},
        {"m = model('rope', {heads = 4, kv_heads = 2, d = 16, rms = true, activation = 'swiglu'})\nown = probe(m)\n"
         "return H.with(H.llama(m), function(path)\n"
         "  local p = probe(path, {heads = 4})\n"
         "  return p.family, p.kv_heads, H.worst(p:output(ids), own:output(ids)) < 1e-5, H.worst(p:attention(ids, 2), own:attention(ids, 2)) < 1e-6,\n"
         "    H.worst(p:energy(ids), own:energy(ids)) < 1e-5, p:frequencies() == (rope_frequencies(4))\n"
         "end)",
         "Llama\t2\ttrue\ttrue\ttrue\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void frequencies_and_tables(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        /* a turn keeps lengths: energy from queries and keys that were never turned */
        {"m = model('rope', {layers = 1})\nL = m.P.layers[1]\nx = layer_norm(take(m.P.tokens, ids, 1), L.norm1)\nq, k = matmul(x, L.attention.Wq), matmul(x, L.attention.Wk)\n"
         "function square(v, a, b) local s = 0 for t = 1, 7 do s = s + v(t, a)^2 + v(t, b)^2 end return s / 7 end\n"
         "E = probe(m):energy(ids)\n" /* head 2 has columns 5 to 8; its pairs are (5, 7) and (6, 8) */
         "return E.shape, abs(E(2, 1) - sqrt(square(q, 5, 7) * square(k, 5, 7))) < 1e-5, abs(E(2, 2) - sqrt(square(q, 6, 8) * square(k, 6, 8))) < 1e-5",
         "{2, 2}\ttrue\ttrue"},
        /* a table of one wave has its whole share in it, a mixture 4 to 1 in squares */
        {"m = model('learned')\nm.P.position[1][1] = astype(matmul(reshape(cos(2 * pi / 12 * 3 * range(0, 11)), 12, 1), ones(1, 8)), 'f32')\n"
         "theta, share = probe(m):spectrum()\nreturn theta.shape, abs(theta(3) - pi / 2) < 1e-15, abs(share(3) - 1) < 1e-6, abs(sum(share) - 1) < 1e-12",
         "{6}\ttrue\ttrue\ttrue"},
        {"m.P.position[1][1] = astype(reshape(5 + 2 * cos(2 * pi / 12 * range(0, 11)) + sin(2 * pi / 12 * 5 * range(0, 11)), 12, 1) * ones(1, 8), 'f32')\n"
         "theta, share = probe(m):spectrum()\nreturn abs(share(1) - 0.8) < 1e-6, abs(share(5) - 0.2) < 1e-6",
         "true\ttrue"},
        /* frequencies that learn: they begin as those of rope, to the same logits, and training moves them; a file keeps them */
        {"f = model('rope', {position = {name = 'rope', learn = true, base = 100}})\nr = model('rope', {position = {name = 'rope', base = 100}})\n"
         "return H.worst(f:logits(ids), r:logits(ids)) < 1e-5, f:count() - r:count()",
         "true\t2"},
        {"a, b = probe(f):frequencies()\nreturn abs(a(2) - 0.1) < 1e-15, H.worst(a, b) < 1e-7, probe(r):frequencies() == a", "true\ttrue\ttrue"},
        {"run = trainer{model = f, data = task{name = 'offset', vocab = 7}, steps = 20, batch = 4, rate = 0.01}\nfor _ in run do end\n"
         "a, b = probe(run.model):frequencies()\nrun.model:save 'theta.safetensors'\n_, c = probe('theta.safetensors'):frequencies()\nos.remove 'theta.safetensors'\n"
         "return abs(a(1) - 1) < 1e-12, abs(b(1) - 1) > 1e-3, b == c",
         "true\ttrue\ttrue"},
        {"f:logits(ids, {offset = 5}) == f:logits(ids)", "true"}, /* only distances count */
        /* the slope by log theta against differences of losses at two steps, from which the third derivative goes out. f32 losses are good to 3e-7:
         * over 0.02, and times 5/3, that is 3e-5; terms of the fourth power of 0.02 are as small unless the fifth derivative is beyond 10^4 */
        {"b = {inputs = array{ids}, targets = array{5, 2, 1}, rows = array{4, 6, 7}}\n"
         "_, g = value_and_grad(function(P) return f:loss(b, {P = P}) end)(f.P)\nold = f.P.position[1][1]:copy()\n"
         "function at(h) f.P.position[1][1] = old + h * astype(array{1, 0}, 'f32') return f:loss(b) end\n"
         "function slope(h) return (at(h) - at(-h)) / (2 * h) end\nfound = (4 * slope(0.01) - slope(0.02)) / 3\n"
         "return abs(found - g.position[1][1](1)) < 1e-4, abs(found) > 0.01",
         "true\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void what_cannot_be_looked_into_is_said(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"probe(3)", "error: t:1: probe: the model is 3; wanted a transformer, or the path of a .safetensors"},
        {"probe(model('rope'), {heads = 2})", "error: t:1: probe: a model of this laboratory knows its own numbers; wanted no options"},
        {"H.with({a = eye(2), b = eye(3)}, function(path) return probe(path) end)",
         "error: t:1: probe: family.safetensors has no names of BERT, GPT-2, Llama, and is no model of this laboratory; it begins with a, b"},
        {"t = H.gpt2(rng(1), 8, 2)\nreturn H.with(t, function(path) return probe(path) end)",
         "error: t:2: probe: family.safetensors does not say how many heads there are; wanted probe(path, {heads=})"},
        {"H.with(t, function(path) probe(path, {heads = 3}) end)", "error: t:1: probe: heads is 3; wanted a number that shares out 8 columns of queries and 8 of keys"},
        {"H.with(t, function(path) probe(path, {heads = 2, base = 500}) end)", "error: t:1: probe: GPT-2 has no rotation; wanted no base"},
        {"H.with(t, function(path) probe(path, {heads = 2, eps = -1}) end)", "error: t:1: probe: eps is -1; wanted a number above 0"},
        {"t['h.1.mlp.c_fc.bias'] = nil\nreturn H.with(t, function(path) return probe(path, {heads = 2}):output(ids) end)",
         "error: t:2: probe: family.safetensors has no h.1.mlp.c_fc.bias; wanted the names of GPT-2"},
        {"t['h.1.mlp.c_fc.bias'] = ones(5)\nreturn H.with(t, function(path) return probe(path, {heads = 2}):output(ids) end)",
         "error: t:2: probe: h.1.mlp.c_fc.bias in family.safetensors is (5); wanted (32)"},
        {"H.with(t, function(path) return probe(path, {heads = 2}):attention(ones(10)) end)", "error: t:1: probe: 10 tokens; the table has 9 positions"},
        {"L = H.llama(model('rope', {heads = 4, kv_heads = 2, d = 16, rms = true, activation = 'swiglu'}))\n"
         "return H.with(L, function(path) return probe(path, {heads = 1}):attention(ids) end)",
         "error: t:2: probe: heads is 1; wanted a number that shares out 16 columns of queries and 8 of keys"},
        {"p = probe(model('nope'))\nreturn p:attention{1, 8}", "error: t:2: probe: token 2 is 8; wanted 1 to 7"},
        {"p:attention{1.5}", "error: t:1: probe: token 1 is 1.5; wanted 1 to 7"},
        {"p:attention('text')", "error: t:1: probe: the tokens are the string \"text\"; wanted a list of whole numbers from 1"},
        {"p:attention(ids, 3)", "error: t:1: probe: layer is 3; wanted 1 to 2"},
        {"p:energy(ids)", "error: t:1: probe: this model turns nothing by rope; wanted one with a rotation"},
        {"p:spectrum()", "error: t:1: probe: this model has no learned table of positions"},
        {"p:by_distance(ids, 1, 'weight')", "error: t:1: probe: wanted \"scores\" or \"weights\", not the string \"weight\""},
        {"p.enrgy", "error: t:1: unknown field 'enrgy' of a probe; did you mean 'energy'?"},
        {"transformer{vocab = 5, length = 8, position = {name = 'alibi', learn = true}}",
         "error: t:1: transformer: learn = true is for rope, without a call of its own"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_runs_the_model_that_it_shows), cmocka_unit_test(other_families_are_read_by_their_names), cmocka_unit_test(frequencies_and_tables),
        cmocka_unit_test(what_cannot_be_looked_into_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
