-- Programs of test_model.c, which it names by what stands behind the @.

-- @tools
-- a small model of any encoding, with f64 parameters, so that differences of losses tell
function small(position, more)
  local o = {vocab = 7, length = 12, layers = 2, heads = 2, d = 8, hidden = 12, position = position}
  for k, v in pairs(more or {}) do o[k] = v end
  return transformer(o, 3)
end
ids = {{3, 1, 4, 1, 5, 2}, {2, 7, 1, 6, 2, 6}}
-- the options under which an encoding can stand in these sizes
OPTIONS = {rerope = {window = 8}, shaw = {call = 'Q, K, learned(17, d)'}, rope_axes = {call = "X, {layout='interleaved', exponents='section', positions={range(0, T-1), range(0, T-1)}}"}}
function entry(name)
  local e = {name = name}
  for k, v in pairs(OPTIONS[name] or {}) do e[k] = v end
  return e
end
function worst(A, B) return max(abs(astype(A - B, 'f64'))) end

-- @every_encoding_makes_a_causal_model_1
seen, leaks, blind = 0, {}, {}
for name in pairs(encodings()) do
  local m = small(entry(name))
  local a = m:logits(ids)
  local other = array(ids):copy()
  other[{1, 6}], other[{2, 6}] = 4, 3
  local b = m:logits(other)
  if not (worst(a[{{}, {1, 5}}], b[{{}, {1, 5}}]) <= 16 * 2^-24 * max(abs(a))) then leaks[#leaks + 1] = name end
  if not (worst(a[{{}, {6, 6}}], b[{{}, {6, 6}}]) > 1e-3) then blind[#blind + 1] = name end
  seen = seen + 1
end
return seen >= 19, table.concat(leaks, ' '), table.concat(blind, ' ')

-- @every_encoding_makes_a_causal_model_2
same = {}
for name in pairs(encodings()) do
  local m = small(entry(name), {layers = 1})
  local other = array(ids):copy()
  other[{1, 1}], other[{1, 2}] = ids[1][2], ids[1][1]
  if worst(m:logits(ids)[{1, 6}], m:logits(other)[{1, 6}]) < 1e-5 then same[#same + 1] = name end
end
table.sort(same)
return table.concat(same, ' ')

-- @every_encoding_makes_a_causal_model_3
m = small('rope', {head = 'masked'})
other = array(ids):copy()
other[{1, 6}] = 4
return worst(m:logits(ids)[{1, 1}], m:logits(other)[{1, 1}]) > 1e-3

-- @a_model_is_its_formula_1
function norm(X, N) local c = X - mean(X, 2, {keep=true}) return c / sqrt(mean(c * c, 2, {keep=true}) + 1e-5) * N.gain + N.bias end
function by_hand(m, x, position, bias)
  local function f64(t) local o = {} for k, v in pairs(t) do o[k] = type(v) == 'table' and f64(v) or type(v) == 'userdata' and astype(v, 'f64') or v end return o end
  local P = f64(m.P)
  local X = take(P.tokens, x, 1)
  if position then X = X + position end
  local L = P.layers[1]
  local Y = norm(X, L.norm1)
  local Q, K, V = matmul(Y, L.attention.Wq), matmul(Y, L.attention.Wk), matmul(Y, L.attention.Wv)
  local S = matmul(Q, transpose(K)) / sqrt(8)
  if bias then S = S + bias end
  local E = where(causal_mask(6), exp(S), 0)
  X = X + matmul(matmul(E / sum(E, 2, {keep=true}), V), L.attention.Wo)
  Y = norm(X, L.norm2)
  X = X + matmul(maximum(matmul(Y, L.feed_forward.W1) + L.feed_forward.b1, 0), L.feed_forward.W2) + L.feed_forward.b2
  return matmul(norm(X, P.norm), P.output), P
end

-- @a_model_is_its_formula_2
b = {inputs = array(ids), targets = array{5, 2}, rows = array{4, 9}}
m = small('nope', one)
z = reshape(m:logits(ids), 12, 7)
l = m:losses(b)
return abs(l(1) + log(exp(z(4, 5)) / sum(exp(z[4])))) < 1e-5, abs(l(2) + log(exp(z(9, 2)) / sum(exp(z[9])))) < 1e-5, #l

-- @learned_positions_learn
b = {inputs = array(ids), targets = array{5, 2, 1}, rows = array{4, 9, 12}}
flat = require 'phasor.train.flat'
still, off = {}, {}
for name in pairs(encodings()) do
  local m = small(entry(name))
  if flat.map(m.P.position, function(x) return x end)[1][1] then
    local _, g = value_and_grad(function(P) return m:loss(b, {P = P}) end)(m.P)
    local way, norm = g.position, norm(flat.vector(g.position, 'f64'))
    local function at(h)
      local P = {}
      for k, v in pairs(m.P) do P[k] = v end
      local list = {}
      flat.map(way, function(x) list[#list + 1] = x return x end)
      local k = 0
      P.position = flat.map(m.P.position, function(x) k = k + 1 return astype(x + h / norm * list[k], 'f32') end)
      return m:loss(b, {P = P})
    end
    local slope = (at(0.02) - at(-0.02)) / 0.04
    if norm < 1e-5 then still[#still + 1] = name
    elseif not (abs(slope - norm) <= 1e-4 + 0.03 * norm) then off[#off + 1] = name .. ' ' .. slope .. ' ' .. norm end
  end
end
return table.concat(still, ' '), table.concat(off, ', ')

-- @plans_heads_and_files
m = small('t5')
m:save('model.safetensors')
n = transformer('model.safetensors')
os.remove('model.safetensors')
return n:logits(ids) == m:logits(ids), n.spec.position

-- @bad_models_are_refused
write('plain.safetensors', {a = eye(2)})
ok, e = pcall(transformer, 'plain.safetensors')
os.remove('plain.safetensors')
return e:match('holds no model') ~= nil
