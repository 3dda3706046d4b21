-- Where the arrays of a trained model lie in a .safetensors, by the names that the transformers library gives them: GPT-2, BERT, Llama.
--
-- open() makes of each the same: {family, V, d, count (layers), heads, kv_heads, dk, place, causal, rms, eps, base (of a rotation, or nil), tokens(),
-- table() or nil, first (a norm before the first layer, or nil), activation, layer(k)}. A layer is {q, k, v, o, up, gate, down = {W, b or nil},
-- norm1, norm2 = {gain, bias or nil}}, with matrices that multiply from the right: (columns in, columns out).
-- Arrays are read when they are asked for, a layer at a time.
local lab, tools = require "phasor", require "phasor.tools"
local values = require "phasor.lib.values"
local raise = tools.raise

local M = {}

local WHO = "probe"

-- ---- reading ---------------------------------------------------------------------------------------------------------------

local LACKS = "%s: %s has no %s; wanted the names of %s"

local Reader = {}
Reader.__index = Reader

function Reader.has(r, name) return r.names[r.prefix .. name] ~= nil end

-- The array of that name, f32, of that shape; -1: any size.
function Reader.get(r, name, ...)
    local full, wanted = r.prefix .. name, {...}
    if not r:has(name) then raise(LACKS:format(WHO, r.path, full, r.family)) end
    local x = r.file:read(full)
    local fits = x.ndim == #wanted
    for k = 1, fits and #wanted or 0 do fits = fits and (wanted[k] == -1 or x.shape[k] == wanted[k]) end
    if not fits then
        for k = 1, #wanted do wanted[k] = wanted[k] == -1 and "any" or tostring(wanted[k]) end
        raise(("%s: %s in %s is %s; wanted (%s)"):format(WHO, full, r.path, values.shape_text(x), table.concat(wanted, ", ")))
    end
    return x.dtype == "f32" and x or lab.astype(x, "f32")
end

function Reader.shape(r, name)
    if not r:has(name) then raise(LACKS:format(WHO, r.path, r.prefix .. name, r.family)) end
    return r.file:shape(r.prefix .. name)
end

function Reader.maybe(r, name, ...) return r:has(name) and r:get(name, ...) or nil end

-- A layer of torch.nn.Linear: its matrix lies as (out, in).
function Reader.linear(r, name, out, columns)
    local W = r:get(name .. ".weight", out, columns)
    return {W = lab.transpose(W), b = r:maybe(name .. ".bias", W.shape[1])}
end

-- Some files still say gamma and beta.
function Reader.norm(r, name, d)
    local gain = r:has(name .. ".weight") and r:get(name .. ".weight", d) or r:get(name .. ".gamma", d)
    return {gain = gain, bias = r:maybe(name .. ".bias", d) or r:maybe(name .. ".beta", d)}
end

-- How many of pattern there are, numbered from 0.
function Reader.count(r, pattern)
    local n = 0
    while r:has(pattern:format(n)) do n = n + 1 end
    return n
end

-- ---- activations -------------------------------------------------------------------------------------------------------------

-- x times the normal distribution function. erf by Abramowitz and Stegun 7.1.26, off by at most 1.5e-7.
local function exact_gelu(x)
    local z = lab.abs(x) / math.sqrt(2)
    local t = 1 / (1 + 0.3275911 * z)
    local tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * lab.exp(-z * z)
    return x * lab.where(lab.lt(x, 0), 0.5 * tail, 1 - 0.5 * tail)
end

-- ---- families ----------------------------------------------------------------------------------------------------------------

local FAMILIES = {}

FAMILIES["GPT-2"] = {
    prefixes = {"", "transformer."}, mark = "h.0.attn.c_attn.weight", head_size = 64,
    read = function(r, m)
        m.place, m.causal, m.rms, m.eps, m.activation = "pre", true, false, 1e-5, lab.gelu
        m.count, m.last = r:count "h.%d.ln_1.weight", function() return r:norm("ln_f", m.d) end
        function m.tokens() return r:get("wte.weight", -1, -1) end
        function m.table() return r:get("wpe.weight", -1, m.d) end
        local function dense(name, columns, out) -- Conv1D: (in, out)
            local W = r:get(name .. ".weight", columns, out)
            return {W = W, b = r:get(name .. ".bias", W.shape[2])}
        end
        function m.layer(k)
            local at, d = ("h.%d."):format(k - 1), m.d
            local all, L = dense(at .. "attn.c_attn", d, 3 * d), {o = dense(at .. "attn.c_proj", d, d)}
            for i, name in ipairs{"q", "k", "v"} do
                local own = {(i - 1) * d + 1, i * d}
                L[name] = {W = all.W[{ {}, own }], b = all.b[{own}]}
            end
            L.up = dense(at .. "mlp.c_fc", d, -1)
            L.down = dense(at .. "mlp.c_proj", L.up.W.shape[2], d)
            L.norm1, L.norm2 = r:norm(at .. "ln_1", d), r:norm(at .. "ln_2", d)
            return L
        end
    end,
    columns = function(r) return r:get("ln_f.weight", -1).size end,
}

FAMILIES.BERT = {
    prefixes = {"", "bert."}, mark = "encoder.layer.0.attention.self.query.weight", head_size = 64,
    read = function(r, m)
        m.place, m.causal, m.rms, m.eps, m.activation = "post", false, false, 1e-12, exact_gelu
        m.count, m.first = r:count "encoder.layer.%d.attention.self.query.weight", r:norm("embeddings.LayerNorm", m.d)
        function m.tokens() -- every token is of the first of two kinds
            local kind = r:maybe("embeddings.token_type_embeddings.weight", -1, m.d)
            local words = r:get("embeddings.word_embeddings.weight", -1, m.d)
            return kind and words + kind[1] or words
        end
        function m.table() return r:get("embeddings.position_embeddings.weight", -1, m.d) end
        function m.layer(k)
            local at, d = ("encoder.layer.%d."):format(k - 1), m.d
            local L = {o = r:linear(at .. "attention.output.dense", d, d), up = r:linear(at .. "intermediate.dense", -1, d)}
            L.down = r:linear(at .. "output.dense", d, L.up.W.shape[2])
            for short, long in next, {q = "query", k = "key", v = "value"} do L[short] = r:linear(at .. "attention.self." .. long, d, d) end
            L.norm1, L.norm2 = r:norm(at .. "attention.output.LayerNorm", d), r:norm(at .. "output.LayerNorm", d)
            return L
        end
    end,
    columns = function(r) return r:get("encoder.layer.0.attention.self.query.bias", -1).size end,
}

FAMILIES.Llama = {
    prefixes = {"model.", ""}, mark = "layers.0.self_attn.q_proj.weight",
    read = function(r, m)
        m.place, m.causal, m.rms, m.eps, m.base, m.activation = "pre", true, true, 1e-5, 10000, lab.silu
        m.count, m.last = r:count "layers.%d.self_attn.q_proj.weight", function() return r:norm("norm", m.d) end
        m.columns = {q = r:shape("layers.0.self_attn.q_proj.weight")[1], k = r:shape("layers.0.self_attn.k_proj.weight")[1]}
        function m.tokens() return r:get("embed_tokens.weight", -1, m.d) end
        function m.layer(k)
            local at, d = ("layers.%d."):format(k - 1), m.d
            local L = {q = r:linear(at .. "self_attn.q_proj", -1, d), k = r:linear(at .. "self_attn.k_proj", -1, d), up = r:linear(at .. "mlp.up_proj", -1, d)}
            L.v, L.o = r:linear(at .. "self_attn.v_proj", L.k.W.shape[2], d), r:linear(at .. "self_attn.o_proj", d, L.q.W.shape[2])
            L.gate, L.down = r:linear(at .. "mlp.gate_proj", L.up.W.shape[2], d), r:linear(at .. "mlp.down_proj", d, L.up.W.shape[2])
            L.norm1, L.norm2 = r:norm(at .. "input_layernorm", d), r:norm(at .. "post_attention_layernorm", d)
            return L
        end
    end,
    columns = function(r) return r:get("norm.weight", -1).size end,
}

-- The family whose names a file has, and their prefix; nil when it is none.
local function recognised(names)
    for _, family in ipairs(values.sorted_keys(FAMILIES)) do
        for _, prefix in ipairs(FAMILIES[family].prefixes) do
            if names[prefix .. FAMILIES[family].mark] then return family, prefix end
        end
    end
end

-- heads, kv_heads and dk; columns: how many queries and keys have.
local function read_heads(m, path, given, columns)
    local size = FAMILIES[m.family].head_size
    m.heads = given or size and m.d % size == 0 and m.d // size
    if not m.heads then raise(("%s: %s does not say how many heads there are; wanted probe(path, {heads=})"):format(WHO, path)) end
    m.dk = columns.q // m.heads
    m.kv_heads = m.dk > 0 and columns.k // m.dk or 0
    if m.dk * m.heads ~= columns.q or m.dk * m.kv_heads ~= columns.k or m.heads % m.kv_heads ~= 0 then
        raise(("%s: heads is %d; wanted a number that shares out %d columns of queries and %d of keys"):format(WHO, m.heads, columns.q, columns.k))
    end
end

-- The model in an open file; options: heads, base, eps, where the file's numbers are others than a family's first models had.
function M.open(path, file, options)
    local names, list = {}, file:names()
    for _, name in ipairs(list) do names[name] = true end
    local family, prefix = recognised(names)
    if not family then
        raise(("%s: %s has no names of %s, and is no model of this laboratory; it begins with %s"):format(WHO, path, values.list(FAMILIES),
            table.concat(list, ", ", 1, math.min(3, #list))))
    end
    local r = setmetatable({path = path, file = file, names = names, prefix = prefix, family = family}, Reader)
    local m = {family = family, d = FAMILIES[family].columns(r)}
    FAMILIES[family].read(r, m)
    read_heads(m, path, options.heads, m.columns or {q = m.d, k = m.d})
    if options.base and not m.base then raise(("%s: %s has no rotation; wanted no base"):format(WHO, family)) end
    m.base, m.eps = options.base or m.base, options.eps or m.eps
    return m
end

return M
