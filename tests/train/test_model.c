/* Transformers: held against their own definition written with single operations, against what a causal model may not see, and bad
 * specifications against their messages. */
#include "lua/lab.h"

static const char tools[] =
    /* a small model of any encoding, with f64 parameters, so that differences of losses tell */
    "function small(position, more)\n"
    "  local o = {vocab = 7, length = 12, layers = 2, heads = 2, d = 8, hidden = 12, position = position}\n"
    "  for k, v in pairs(more or {}) do o[k] = v end\n"
    "  return transformer(o, 3)\n"
    "end\n"
    "ids = {{3, 1, 4, 1, 5, 2}, {2, 7, 1, 6, 2, 6}}\n"
    /* the options under which an encoding can stand in these sizes */
    "OPTIONS = {rerope = {window = 8}, shaw = {call = 'Q, K, learned(17, d)'}, rope_axes = {call = \"X, {layout='interleaved', "
    "exponents='section', positions={range(0, T-1), range(0, T-1)}}\"}}\n"
    "function entry(name)\n"
    "  local e = {name = name}\n"
    "  for k, v in pairs(OPTIONS[name] or {}) do e[k] = v end\n"
    "  return e\n"
    "end\n"
    "function worst(A, B) return max(abs(astype(A - B, 'f64'))) end\n";

/* Every encoding of the atlas: a later token changes nothing before it (to the last bit of f32: what is hidden takes no part, but blocks
 * of attention may be summed in another grouping, so a few roundings of numbers near 1 are allowed); and it changes the last place. */
static void every_encoding_makes_a_causal_model(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"seen, leaks, blind = 0, {}, {}\n"
         "for name in pairs(encodings()) do\n"
         "  local m = small(entry(name))\n"
         "  local a = m:logits(ids)\n"
         "  local other = array(ids):copy()\n"
         "  other[{1, 6}], other[{2, 6}] = 4, 3\n"
         "  local b = m:logits(other)\n"
         "  if not (worst(a[{{}, {1, 5}}], b[{{}, {1, 5}}]) <= 16 * 2^-24 * max(abs(a))) then leaks[#leaks + 1] = name end\n"
         "  if not (worst(a[{{}, {6, 6}}], b[{{}, {6, 6}}]) > 1e-3) then blind[#blind + 1] = name end\n"
         "  seen = seen + 1\n"
         "end\n"
         "return seen >= 19, table.concat(leaks, ' '), table.concat(blind, ' ')",
         "true\t\t"},
        /* and where order can be told: the first two tokens exchanged change the last place, for all that know positions */
        {"same = {}\n"
         "for name in pairs(encodings()) do\n"
         "  local m = small(entry(name), {layers = 1})\n"
         "  local other = array(ids):copy()\n"
         "  other[{1, 1}], other[{1, 2}] = ids[1][2], ids[1][1]\n"
         "  if worst(m:logits(ids)[{1, 6}], m:logits(other)[{1, 6}]) < 1e-5 then same[#same + 1] = name end\n"
         "end\n"
         "table.sort(same)\n"
         "return table.concat(same, ' ')",
         "logn nope"},
        /* a masked model sees both sides */
        {"m = small('rope', {head = 'masked'})\nother = array(ids):copy()\nother[{1, 6}] = 4\n"
         "return worst(m:logits(ids)[{1, 1}], m:logits(other)[{1, 1}]) > 1e-3",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* One layer, one head, no norm to speak of, written out with matrix products. Bound: each logit is a sum of at most 60 products of numbers
 * below 8 in f32, so 60 * 64 * 2^-24 < 3e-4 is beyond what rounding does; a wrong term is off by a tenth. */
static void a_model_is_its_formula(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"function norm(X, N) local c = X - mean(X, 2, {keep=true}) return c / sqrt(mean(c * c, 2, {keep=true}) + 1e-5) * N.gain + N.bias end\n"
         "function by_hand(m, x, position, bias)\n"
         "  local function f64(t) local o = {} for k, v in pairs(t) do o[k] = type(v) == 'table' and f64(v) or type(v) == 'userdata' and "
         "astype(v, 'f64') or v end return o end\n"
         "  local P = f64(m.P)\n"
         "  local X = take(P.tokens, x, 1)\n"
         "  if position then X = X + position end\n"
         "  local L = P.layers[1]\n"
         "  local Y = norm(X, L.norm1)\n"
         "  local Q, K, V = matmul(Y, L.attention.Wq), matmul(Y, L.attention.Wk), matmul(Y, L.attention.Wv)\n"
         "  local S = matmul(Q, transpose(K)) / sqrt(8)\n"
         "  if bias then S = S + bias end\n"
         "  local E = where(causal_mask(6), exp(S), 0)\n"
         "  X = X + matmul(matmul(E / sum(E, 2, {keep=true}), V), L.attention.Wo)\n"
         "  Y = norm(X, L.norm2)\n"
         "  X = X + matmul(maximum(matmul(Y, L.feed_forward.W1) + L.feed_forward.b1, 0), L.feed_forward.W2) + L.feed_forward.b2\n"
         "  return matmul(norm(X, P.norm), P.output), P\n"
         "end",
         ""},
        {"one = {layers = 1, heads = 1}\nm = small('sinusoidal', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], sinusoidal(6, 8))) < 3e-4", "true"},
        {"m:logits(ids, {offset = 5}) == m:logits(ids)", "false"},
        {"worst(m:logits(ids, {offset = 5})[1], by_hand(m, ids[1], sinusoidal(6, 8, {offset = 5}))) < 3e-4", "true"},
        {"m = small({name = 'sinusoidal', base = 100, size = 0.5}, one)\n"
         "return worst(m:logits(ids)[1], by_hand(m, ids[1], 0.5 * sinusoidal(6, 8, {base = 100}))) < 3e-4",
         "true"},
        {"m = small('alibi', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], nil, alibi(1, 6)[1])) < 3e-4", "true"},
        {"m = small('learned', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], m.P.position[1][1][{{1, 6}}])) < 3e-4", "true"},
        {"m = small('nope', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4", "true"},
        {"m = small('rope', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4", "false"},
        /* a relative encoding whose table is nought is none */
        {"m = small({name = 'shaw', std = 0, call = 'Q, K, learned(9, d)'}, one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4", "true"},
        /* the loss of a batch is -log of the softmax at its targets */
        {"b = {inputs = array(ids), targets = array{5, 2}, rows = array{4, 9}}\n"
         "m = small('nope', one)\nz = reshape(m:logits(ids), 12, 7)\nl = m:losses(b)\n"
         "return abs(l(1) + log(exp(z(4, 5)) / sum(exp(z[4])))) < 1e-5, abs(l(2) + log(exp(z(9, 2)) / sum(exp(z[9])))) < 1e-5, #l",
         "true\ttrue\t2"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The gradient by every kind of parameter, against a difference of losses along it. f32 losses are good to 2e-7 or so, so a central
 * difference over a step of length 0.02 is good to 2e-5 + third derivatives (1e-4 of the step squared); slopes here are near 0.3. */
static void learned_positions_learn(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"b = {inputs = array(ids), targets = array{5, 2, 1}, rows = array{4, 9, 12}}\n"
         "flat = require 'phasor.train.flat'\n"
         "still, off = {}, {}\n"
         "for name in pairs(encodings()) do\n"
         "  local m = small(entry(name))\n"
         "  if flat.map(m.P.position, function(x) return x end)[1][1] then\n"
         "    local _, g = value_and_grad(function(P) return m:loss(b, {P = P}) end)(m.P)\n"
         "    local way, norm = g.position, norm(flat.vector(g.position, 'f64'))\n"
         "    local function at(h)\n"
         "      local P = {}\n"
         "      for k, v in pairs(m.P) do P[k] = v end\n"
         "      local list = {}\n"
         "      flat.map(way, function(x) list[#list + 1] = x return x end)\n"
         "      local k = 0\n"
         "      P.position = flat.map(m.P.position, function(x) k = k + 1 return astype(x + h / norm * list[k], 'f32') end)\n"
         "      return m:loss(b, {P = P})\n"
         "    end\n"
         "    local slope = (at(0.02) - at(-0.02)) / 0.04\n"
         "    if norm < 1e-5 then still[#still + 1] = name\n"
         "    elseif not (abs(slope - norm) <= 1e-4 + 0.03 * norm) then off[#off + 1] = name .. ' ' .. slope .. ' ' .. norm end\n"
         "  end\n"
         "end\n"
         "return table.concat(still, ' '), table.concat(off, ', ')",
         "\t"},
        {NULL, NULL}};
    lab_run(cases);
}

static void plans_heads_and_files(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        /* a plan of no position in any layer is no position; rope in one layer is not */
        {"a, b = small('nope'), small('nope', {plan = {'nope', 'nope', 'nope'}})\nreturn a:logits(ids) == b:logits(ids)", "true"},
        {"b = small('nope', {plan = {'nope', 'rope'}})\nreturn a:logits(ids) == b:logits(ids)", "false"},
        {"b = small('nope', {plan = {'nope', {name = 't5', std = 1}}})\nreturn #b.P.plan[2][1], a:logits(ids) == b:logits(ids)", "1\tfalse"},
        {"small('rope', {kv_heads = 1}).P.layers[1].attention.Wk.shape", "{8, 4}"},
        {"small('rope', {activation = 'swiglu'}).P.layers[1].feed_forward.W3.shape", "{8, 12}"},
        {"small('rope', {rms = true}).P.layers[1].norm1.bias", "nil"},
        {"small('shaw', {kv_heads = 1}):logits(ids).shape", "{2, 6, 7}"},
        {"m = small('rope', {tied = true})\nreturn m.P.output, m:logits(ids).shape", "nil\t{2, 6, 7}"},
        {"small('rope', {head = 'classify', classes = 3, activation = 'gelu', norm = 'post'}):logits(ids).shape", "{2, 3}"},
        {"m = small{'rope', {name = 'logn', train = 4}}\nreturn m:logits(ids) == small('rope'):logits(ids)", "false"},
        {"m:logits(ids)[{{}, {1, 4}}] == small('rope'):logits(ids)[{{}, {1, 4}}]", "true"},
        {"m = small('t5')\nm:save('model.safetensors')\nn = transformer('model.safetensors')\nos.remove('model.safetensors')\n"
         "return n:logits(ids) == m:logits(ids), n.spec.position",
         "true\tt5"},
        {"tostring(m):match('t5'), m:count() == count_parameters(m.P)", "t5\ttrue"},
        {"m = small('rope')\nn = m:with{position = {name = 'rope', scaling = {kind = 'pi', factor = 1}}}\nreturn n:logits(ids) == m:logits(ids)", "true"},
        {"m:with{position = {name = 'rope', scaling = {kind = 'pi', factor = 4}}}:logits(ids) == m:logits(ids)", "false"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_models_are_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"transformer{vocab = 5, length = 8, position = 'ropes'}", "error: t:1: transformer: no encoding is called 'ropes'; did you mean 'rope'?"},
        {"transformer{vocab = 5, length = 8, position = 3}", "error: t:1: transformer: position is 3; wanted a name, {name=, ...}, or a list of these"},
        {"transformer{vocab = 5, length = 8, position = {}}", "error: t:1: transformer: the list of positions is empty; wanted a name such as \"rope\", or \"nope\" for none"},
        {"transformer{vocab = 5, length = 8, position = {'shaw', 'cope'}}", "error: t:1: transformer: two encodings that each make the scores; wanted one"},
        {"transformer{vocab = 5, length = 8, plan = {'learned'}}", "error: t:1: transformer: plan[1] is learned, which is added to the tokens; give it as position"},
        {"transformer{length = 8}", "error: t:1: transformer: vocab is nil; wanted an integer of at least 1"},
        {"transformer{vocab = 5, length = 8, heads = 3}", "error: t:1: transformer: d is 32; wanted a multiple of heads, 3"},
        {"transformer{vocab = 5, length = 8, kv_heads = 3}", "error: t:1: transformer: heads is 4 and kv_heads 3; wanted a multiple of kv_heads"},
        {"transformer{vocab = 5, length = 8, head = 'causl'}", "error: t:1: transformer: head is the string \"causl\"; wanted one of causal, classify, masked"},
        {"transformer{vocab = 5, length = 8, tied = true, head = 'classify', classes = 2}", "error: t:1: transformer: tied is for a head that names tokens; wanted causal or masked"},
        {"transformer{vocab = 5, length = 8, position = {name = 'rope', std = -1}}", "error: t:1: transformer: std of rope is -1; wanted a number of at least 0"},
        {"m = small('learned')\nreturn m:logits(ones(1, 13))", "error: t:2: learned: position 12 is not in the table; it has 12 rows, the positions 0 to 11"},
        {"m:logits{{1, 8}}", "error: t:1: transformer: a token is 8; wanted 1 to vocab, 7"},
        {"m:logits{{1, nan}}", "error: t:1: transformer: a token is nan; wanted 1 to vocab, 7"},
        {"m:logits(3)", "error: t:1: transformer: the tokens are 3; wanted whole numbers (B, T)"},
        {"m:with{length = 16}", "error: t:1: transformer: the parameters do not fit: position.1.1 is (12, 8); wanted (16, 8)"},
        {"m.logit", "error: t:1: unknown field 'logit' of a transformer; did you mean 'logits'?"},
        {"small('shaw'):logits(ids, {offset = 2})", "error: t:1: transformer: shaw has no places of its own; wanted offset 0"},
        {"write('plain.safetensors', {a = eye(2)})\nok, e = pcall(transformer, 'plain.safetensors')\nos.remove('plain.safetensors')\nreturn e:match('holds no model') ~= nil", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_makes_a_causal_model), cmocka_unit_test(a_model_is_its_formula), cmocka_unit_test(learned_positions_learn),
        cmocka_unit_test(plans_heads_and_files), cmocka_unit_test(bad_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
