-- Programs of test_probe.c, which it names by what stands behind the @.

-- @tools
H = dofile 'tests/train/probe.lua'
ids = {3, 1, 4, 1, 5, 2, 6}
OPTIONS = {rerope = {window = 8}, shaw = {call = 'Q, K, learned(17, d)'}, rope_axes = {call = "X, {layout='interleaved', exponents='section', positions={range(0, T-1), range(0, T-1)}}"}}
function model(name, more)
  local e = {name = name}
  for k, v in pairs(OPTIONS[name] or {}) do e[k] = v end
  local o = {vocab = 7, length = 12, layers = 2, heads = 2, d = 8, hidden = 12, position = e}
  for k, v in pairs(more or {}) do o[k] = v end
  return transformer(o, 3)
end

-- @a_probe_runs_the_model_that_it_shows_1
off, seen = {}, 0
for name in pairs(encodings()) do
  for _, o in ipairs{{}, {kv_heads = 1, activation = 'swiglu', rms = true}, {norm = 'post', activation = 'gelu', head = 'masked'}} do
    local m = model(name, o)
    if not (H.worst(matmul(probe(m):output(ids), m.P.output), m:logits(ids)[1]) < 3e-5) then off[#off + 1] = name end
    seen = seen + 1
  end
end
return seen >= 57, table.concat(off, ' ')

-- @a_probe_runs_the_model_that_it_shows_2
a = p:attention(ids, 1)
b = p:attention({1, 2, 3}, 2)
c = p:attention(ids, 1)
return a == c, b.shape, probe(model('alibi')):attention({1, 2, 3}, 2) == b

-- @a_probe_runs_the_model_that_it_shows_3
sums, n = {0, 0, 0}, {0, 0, 0}
S = p:scores(ids, 2)
for m = 1, 7 do for k = 0, 2 do if m > k then sums[k + 1], n[k + 1] = sums[k + 1] + S(2, m, m - k), n[k + 1] + 1 end end end
D = p:by_distance(ids, 2)
return D.shape, abs(D(2, 1) - sums[1] / n[1]) < 1e-6, abs(D(2, 3) - sums[3] / n[3]) < 1e-6, abs(D(1, 7) - S(1, 7, 1)) < 1e-6

-- @a_probe_runs_the_model_that_it_shows_4
m = model('t5')
m:save 'own.safetensors'
q = probe 'own.safetensors'
os.remove 'own.safetensors'
return q.family, tostring(q), q:attention(ids) == probe(m):attention(ids)

-- @other_families_are_read_by_their_names_1
t = H.gpt2(rng(1), 8, 2)
out, seen = H.gpt2_by_hand(t, ids, 2, 2)
return H.with(t, function(path)
  local p = probe(path, {heads = 2})
  return p.family, p.layers, H.worst(p:output(ids), out) < 3e-4, H.worst(p:attention(ids), seen[1]) < 1e-5, H.worst(p:attention(ids, 2), seen[2]) < 1e-4
end)

-- @other_families_are_read_by_their_names_2
t = H.bert(rng(2), 8, 2)
out, seen = H.bert_by_hand(t, ids, 4, 2)
return H.with(t, function(path)
  local p = probe(path, {heads = 4})
  return p.family, p.layers, H.worst(p:output(ids), out) < 3e-4, H.worst(p:attention(ids), seen[1]) < 1e-5, H.worst(p:attention(ids, 2), seen[2]) < 1e-4
end)

-- @other_families_are_read_by_their_names_3
m = model('rope', {heads = 4, kv_heads = 2, d = 16, rms = true, activation = 'swiglu'})
own = probe(m)
return H.with(H.llama(m), function(path)
  local p = probe(path, {heads = 4})
  return p.family, p.kv_heads, H.worst(p:output(ids), own:output(ids)) < 1e-5, H.worst(p:attention(ids, 2), own:attention(ids, 2)) < 1e-6,
    H.worst(p:energy(ids), own:energy(ids)) < 1e-5, p:frequencies() == (rope_frequencies(4))
end)

-- @frequencies_and_tables_1
m = model('rope', {layers = 1})
L = m.P.layers[1]
x = layer_norm(take(m.P.tokens, ids, 1), L.norm1)
q, k = matmul(x, L.attention.Wq), matmul(x, L.attention.Wk)
function square(v, a, b) local s = 0 for t = 1, 7 do s = s + v(t, a)^2 + v(t, b)^2 end return s / 7 end
E = probe(m):energy(ids)
-- head 2 has columns 5 to 8; its pairs are (5, 7) and (6, 8)
return E.shape, abs(E(2, 1) - sqrt(square(q, 5, 7) * square(k, 5, 7))) < 1e-5, abs(E(2, 2) - sqrt(square(q, 6, 8) * square(k, 6, 8))) < 1e-5

-- @frequencies_and_tables_2
m = model('learned')
m.P.position[1][1] = astype(matmul(reshape(cos(2 * pi / 12 * 3 * range(0, 11)), 12, 1), ones(1, 8)), 'f32')
theta, share = probe(m):spectrum()
return theta.shape, abs(theta(3) - pi / 2) < 1e-15, abs(share(3) - 1) < 1e-6, abs(sum(share) - 1) < 1e-12

-- @frequencies_and_tables_3
run = trainer{model = f, data = task{name = 'offset', vocab = 7}, steps = 20, batch = 4, rate = 0.01}
for _ in run do end
a, b = probe(run.model):frequencies()
run.model:save 'theta.safetensors'
_, c = probe('theta.safetensors'):frequencies()
os.remove 'theta.safetensors'
return abs(a(1) - 1) < 1e-12, abs(b(1) - 1) > 1e-3, b == c

-- @frequencies_and_tables_4
b = {inputs = array{ids}, targets = array{5, 2, 1}, rows = array{4, 6, 7}}
_, g = value_and_grad(function(P) return f:loss(b, {P = P}) end)(f.P)
old = f.P.position[1][1]:copy()
function at(h) f.P.position[1][1] = old + h * astype(array{1, 0}, 'f32') return f:loss(b) end
function slope(h) return (at(h) - at(-h)) / (2 * h) end
found = (4 * slope(0.01) - slope(0.02)) / 3
return abs(found - g.position[1][1](1)) < 1e-4, abs(found) > 0.01
