-- Models of other families made here, under the names of their files; and what they are, written out with loops over heads and single operations.
local T = {}

-- x normal with that deviation
local function some(g, ...) return astype(0.3 * randn(g, ...), "f32") end

local function norm(x, gain, bias, eps)
  local c = x - mean(x, 2, {keep = true})
  return c / sqrt(mean(c * c, 2, {keep = true}) + eps) * gain + bias
end

-- erf by its series, a number at a time
local function erf(x)
  local sum, term = 0.0, x
  for n = 0, 60 do
    sum = sum + term / (2 * n + 1)
    term = -term * x * x / (n + 1)
  end
  return 2 / math.sqrt(math.pi) * sum
end

local function each(x, f)
  local out = {}
  local flat = reshape(x, x.size)
  for k = 1, x.size do out[k] = f(flat(k)) end
  return reshape(array(out), x.shape)
end

local function f64(t)
  local out = {}
  for k, v in pairs(t) do out[k] = astype(v, "f64") end
  return out
end

-- Attention head by head, from q, k, v (T, d) with biases in them: what leaves it (T, d), and the weights by head.
local function attend(q, k, v, heads, causal)
  local n, dk, z, weights = q.shape[1], q.shape[2] // heads, {}, {}
  for h = 1, heads do
    local own = {{}, {(h - 1) * dk + 1, h * dk}}
    local S = matmul(q[own], transpose(k[own])) / sqrt(dk)
    local E = exp(S)
    if causal then E = E * tril(ones(n, n)) end
    weights[h] = E / sum(E, 2, {keep = true})
    z[h] = matmul(weights[h], v[own])
  end
  return concat(z, 2), weights
end

-- ---- GPT-2 ---------------------------------------------------------------------------------------------------------------------

function T.gpt2(g, d, layers)
  local t = {["wte.weight"] = some(g, 11, d), ["wpe.weight"] = some(g, 9, d), ["ln_f.weight"] = 1 + some(g, d), ["ln_f.bias"] = some(g, d)}
  for k = 0, layers - 1 do
    local function put(name, ...) t[("h.%d.%s"):format(k, name)] = some(g, ...) end
    put("attn.c_attn.weight", d, 3 * d) put("attn.c_attn.bias", 3 * d) put("attn.c_proj.weight", d, d) put("attn.c_proj.bias", d)
    put("mlp.c_fc.weight", d, 4 * d) put("mlp.c_fc.bias", 4 * d) put("mlp.c_proj.weight", 4 * d, d) put("mlp.c_proj.bias", d)
    put("ln_1.weight", d) put("ln_1.bias", d) put("ln_2.weight", d) put("ln_2.bias", d)
    t[("h.%d.attn.bias"):format(k)] = ones(1, 1, 9, 9) -- a mask that such files carry
  end
  return t
end

function T.gpt2_by_hand(t, ids, heads, layers)
  local t, n, weights = f64(t), #ids, {}
  local x = take(t["wte.weight"], ids, 1) + t["wpe.weight"][{{1, n}}]
  local d = x.shape[2]
  for k = 0, layers - 1 do
    local function w(name) return t[("h.%d.%s"):format(k, name)] end
    local a = matmul(norm(x, w "ln_1.weight", w "ln_1.bias", 1e-5), w "attn.c_attn.weight") + w "attn.c_attn.bias"
    local z, seen = attend(a[{{}, {1, d}}], a[{{}, {d + 1, 2 * d}}], a[{{}, {2 * d + 1, 3 * d}}], heads, true)
    weights[k + 1] = stack(seen)
    x = x + matmul(z, w "attn.c_proj.weight") + w "attn.c_proj.bias"
    local u = matmul(norm(x, w "ln_2.weight", w "ln_2.bias", 1e-5), w "mlp.c_fc.weight") + w "mlp.c_fc.bias"
    u = 0.5 * u * (1 + tanh(sqrt(2 / pi) * (u + 0.044715 * u ^ 3)))
    x = x + matmul(u, w "mlp.c_proj.weight") + w "mlp.c_proj.bias"
  end
  return norm(x, t["ln_f.weight"], t["ln_f.bias"], 1e-5), weights
end

-- ---- BERT ----------------------------------------------------------------------------------------------------------------------

function T.bert(g, d, layers)
  local t = {}
  local function put(name, ...) t["bert." .. name] = some(g, ...) end
  put("embeddings.word_embeddings.weight", 11, d) put("embeddings.position_embeddings.weight", 9, d) put("embeddings.token_type_embeddings.weight", 2, d)
  put("embeddings.LayerNorm.gamma", d) put("embeddings.LayerNorm.beta", d) -- as the oldest files have it
  for k = 0, layers - 1 do
    local function layer(name, out, columns)
      put(("encoder.layer.%d.%s.weight"):format(k, name), table.unpack {out, columns})
      put(("encoder.layer.%d.%s.bias"):format(k, name), out)
    end
    for _, name in ipairs {"query", "key", "value"} do layer("attention.self." .. name, d, d) end
    layer("attention.output.dense", d, d) layer("intermediate.dense", 3 * d, d) layer("output.dense", d, 3 * d)
    layer("attention.output.LayerNorm", d) layer("output.LayerNorm", d)
  end
  return t
end

function T.bert_by_hand(t, ids, heads, layers)
  local t, n, weights = f64(t), #ids, {}
  local e = "bert.embeddings."
  local x = take(t[e .. "word_embeddings.weight"], ids, 1) + t[e .. "position_embeddings.weight"][{{1, n}}] + t[e .. "token_type_embeddings.weight"][1]
  x = norm(x, t[e .. "LayerNorm.gamma"], t[e .. "LayerNorm.beta"], 1e-12)
  for k = 0, layers - 1 do
    local function w(name) return t[("bert.encoder.layer.%d.%s"):format(k, name)] end
    local function linear(y, name) return matmul(y, transpose(w(name .. ".weight"))) + w(name .. ".bias") end
    local z, seen = attend(linear(x, "attention.self.query"), linear(x, "attention.self.key"), linear(x, "attention.self.value"), heads, false)
    weights[k + 1] = stack(seen)
    x = norm(x + linear(z, "attention.output.dense"), w "attention.output.LayerNorm.weight", w "attention.output.LayerNorm.bias", 1e-12)
    local u = each(linear(x, "intermediate.dense"), function(v) return v / 2 * (1 + erf(v / math.sqrt(2))) end)
    x = norm(x + linear(u, "output.dense"), w "output.LayerNorm.weight", w "output.LayerNorm.bias", 1e-12)
  end
  return x, weights
end

-- ---- Llama ---------------------------------------------------------------------------------------------------------------------

-- A model of this laboratory under Llama's names. Its feed-forward has no biases yet.
function T.llama(m)
  local P = m.P
  local t = {["model.embed_tokens.weight"] = P.tokens, ["model.norm.weight"] = P.norm.gain, ["lm_head.weight"] = transpose(P.output):copy()}
  for k, L in ipairs(P.layers) do
    local function put(name, x) t[("model.layers.%d.%s.weight"):format(k - 1, name)] = x:copy() end
    for short, W in pairs {q = "Wq", k = "Wk", v = "Wv", o = "Wo"} do put(("self_attn.%s_proj"):format(short), transpose(L.attention[W])) end
    put("mlp.gate_proj", transpose(L.feed_forward.W1)) put("mlp.up_proj", transpose(L.feed_forward.W3)) put("mlp.down_proj", transpose(L.feed_forward.W2))
    put("input_layernorm", L.norm1.gain) put("post_attention_layernorm", L.norm2.gain)
  end
  return t
end

-- Runs f on the path of a file with these arrays.
function T.with(tensors, f)
  write("family.safetensors", tensors)
  local got = table.pack(pcall(f, "family.safetensors"))
  os.remove "family.safetensors"
  if not got[1] then error(got[2], 0) end
  return table.unpack(got, 2, got.n)
end

function T.worst(a, b) return max(abs(astype(a, "f64") - astype(b, "f64"))) end

return T
