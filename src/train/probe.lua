-- A look inside a trained model: what its heads attend to, scores by distance, the energy of each frequency, the waves of a learned table.
--
-- Ours, and those of other families (families.lua), become one and run through one forward pass, in plain operations, that keeps the scores.
-- Letters: T tokens of one text, d columns, H heads, dk = d/H, V tokens.
local lab, tools = require "phasor", require "phasor.tools"
local families, models = require "phasor.train.families", require "phasor.train.model"
local store, values = require "phasor.train.store", require "phasor.lib.values"
local check_int = require("phasor.lib.attention").check_int
local raise, seen = tools.raise, tools.seen

local M = {}

local WHO = "probe"

-- ---- ours ------------------------------------------------------------------------------------------------------------------

local function plain(W) return {W = W} end

-- The first rotation in force, as positions.lua reads it; nil: there is none.
local function rotation_of(entries)
    for _, e in ipairs(entries) do if e.role == "turn" then return e end end
end

local function own(model)
    local spec, P = model.spec, model.P
    local m = {family = "phasor", d = spec.d, heads = spec.heads, kv_heads = spec.kv_heads, dk = spec.d // spec.heads, count = spec.layers, place = spec.norm, rms = spec.rms,
               causal = spec.head == "causal", eps = 1e-5, activation = model.activation, model = model, turn = rotation_of(model.plan[1])}
    function m.tokens() return P.tokens end
    for k, e in ipairs(model.input) do
        if e.name == "learned" and P.position[k][1] then function m.table() return P.position[k][1] end end
    end
    function m.last() return P.norm end
    function m.layer(k)
        local L, A, F = P.layers[k], P.layers[k].attention, P.layers[k].feed_forward
        return {q = plain(A.Wq), k = plain(A.Wk), v = plain(A.Wv), o = plain(A.Wo), norm1 = L.norm1, norm2 = L.norm2,
                up = {W = F.W1, b = F.b1}, gate = F.W3 and plain(F.W3), down = {W = F.W2, b = F.b2}}
    end
    return m
end

-- ---- one pass ----------------------------------------------------------------------------------------------------------------

local function dense(x, L)
    local y = lab.matmul(x, L.W)
    return L.b and y + L.b or y
end

local function normed(m, x, norm)
    return (m.rms and lab.rms_norm or lab.layer_norm)(x, {gain = norm.gain, bias = norm.bias, eps = m.eps})
end

-- (T, H dk) as (H, T, dk), each key head as often as queries share it.
local function heads_of(x, H, each)
    local T = x.shape[1]
    x = lab.permute(lab.reshape(x, T, H, x.shape[2] // H), {2, 1, 3})
    if each == 1 then return x end
    local index = {}
    for h = 1, H * each do index[h] = (h - 1) // each + 1 end
    return lab.take(x, index, 1)
end

-- What positions do in layer k: {rotate, bias, scores} as multi_head takes them.
local function positions_in(m, k, T)
    if m.model then return m.model:attention_options(k, T) end
    if not m.base then return {} end
    return {rotate = function(x) return lab.rope(x, {layout = "half", base = m.base}) end}
end

-- Queries, keys and values by head, rotated, and all scores (H, T, T) before anything is hidden.
local function scored(m, k, L, x)
    local each = m.heads // m.kv_heads
    local q, key, v = heads_of(dense(x, L.q), m.heads, 1), heads_of(dense(x, L.k), m.kv_heads, each), heads_of(dense(x, L.v), m.kv_heads, each)
    local how = positions_in(m, k, x.shape[1])
    if how.rotate then q, key = how.rotate(q, "q"), how.rotate(key, "k") end
    local scale = how.scale or 1 / math.sqrt(q.shape[3])
    local S = how.scores and how.scores(q, key) or scale * lab.matmul(q, lab.transpose(key))
    if how.bias then S = S + how.bias end
    return S, v, q, key
end

local function feed_forward(m, L, x)
    local up = L.gate and m.family ~= "phasor" and m.activation(dense(x, L.gate)) * dense(x, L.up)
        or L.gate and m.activation(dense(x, L.up)) * dense(x, L.gate) or m.activation(dense(x, L.up))
    return dense(up, L.down)
end

-- One layer on x (T, d): its output, and what was seen in it.
local function through(m, k, x)
    local L = m.layer(k)
    local T = x.shape[1]
    local S, v, q, key = scored(m, k, L, m.place == "pre" and normed(m, x, L.norm1) or x)
    local W = lab.softmax(m.causal and lab.where(lab.causal_mask(T), S, -math.huge) or S)
    local z = lab.reshape(lab.permute(lab.matmul(W, v), {2, 1, 3}), T, v.shape[1] * v.shape[3])
    x = x + dense(z, L.o)
    if m.place == "pre" then x = x + feed_forward(m, L, normed(m, x, L.norm2))
    else
        x = normed(m, x, L.norm1)
        x = normed(m, x + feed_forward(m, L, x), L.norm2)
    end
    return x, {scores = S, weights = W, q = q, k = key}
end

-- The tokens' vectors with what is added to them, (T, d).
local function embedded(m, ids)
    local x, T = lab.take(m.tokens(), ids, 1), ids.size
    if m.model then
        local vectors = m.model:input_vectors(T)
        return vectors and x + vectors or x
    end
    if m.table then
        local table_ = m.table()
        if T > table_.shape[1] then raise(("%s: %d tokens; the table has %d positions"):format(WHO, T, table_.shape[1])) end
        x = x + table_[{ {1, T} }]
    end
    return m.first and normed(m, x, m.first) or x
end

local function check_ids(m, ids)
    if type(ids) == "table" and not tools.is_array(ids) then ids = lab.array(ids) end
    if not tools.is_array(ids) or ids.ndim ~= 1 or ids.size == 0 then
        raise(("%s: the tokens are %s; wanted a list of whole numbers from 1"):format(WHO, tools.is_array(ids) and "of shape " .. values.shape_text(ids) or seen(ids)))
    end
    local V = m.tokens().shape[1]
    for k = 1, ids.size do
        if not math.tointeger(ids(k)) or ids(k) < 1 or ids(k) > V then raise(("%s: token %d is %g; wanted 1 to %d"):format(WHO, k, ids(k), V)) end
    end
    return ids
end

-- ---- what is asked -------------------------------------------------------------------------------------------------------------

local Probe = {__name = "a probe"}
local FACTS = {family = 1, layers = 1, heads = 1, kv_heads = 1, d = 1, look = 1, attention = 1, scores = 1, by_distance = 1, energy = 1, frequencies = 1, table = 1,
               spectrum = 1, output = 1}
Probe.__index = function(p, key)
    if Probe[key] ~= nil then return Probe[key] end
    values.unknown_field(key, "a probe", FACTS)
end
Probe.__tostring = function(p)
    return ("probe: %s, %d layers, %d heads, d = %d"):format(p.family, p.layers, p.heads, p.d)
end

local function check_layer(p, layer)
    layer = check_int(WHO, "layer", layer == nil and 1 or layer, 1)
    if layer > p.layers then raise(("%s: layer is %d; wanted 1 to %d"):format(WHO, layer, p.layers)) end
    return layer
end

-- What layer `layer` sees on these tokens. A text is kept: its layers are looked at one after another.
local function look(p, ids, layer)
    layer, ids = check_layer(p, layer), check_ids(p.m, ids)
    local kept = rawget(p, "kept")
    if not kept or kept.ids.size ~= ids.size or lab.max(lab.abs(kept.ids - ids)) > 0 then
        kept = {ids = ids:copy(), x = embedded(p.m, ids), n = 0}
        rawset(p, "kept", kept)
    end
    for k = kept.n + 1, layer do
        local x, found = through(p.m, k, kept.x)
        kept.x, kept[k], kept.n = x, found, k
    end
    return kept[layer]
end

function Probe.attention(p, ids, layer) return look(p, ids, layer).weights end
function Probe.scores(p, ids, layer) return look(p, ids, layer).scores end

-- (T, d): what the last layer gives, normed as the model norms it.
function Probe.output(p, ids)
    look(p, ids, p.layers)
    local x = rawget(p, "kept").x
    return p.m.place == "pre" and normed(p.m, x, p.m.last()) or x
end

-- (H, T): the mean over all queries of what key m - distance gets, distances 0, 1, ...
function Probe.by_distance(p, ids, layer, what)
    if what ~= nil and what ~= "scores" and what ~= "weights" then raise(('%s: wanted "scores" or "weights", not %s'):format(WHO, seen(what))) end
    local A = look(p, ids, layer)[what or "scores"]
    local H, T, out = A.shape[1], A.shape[2], {}
    A = lab.reshape(A, H, T * T)
    for distance = 0, T - 1 do
        local at = {}
        for m = distance + 1, T do at[#at + 1] = (m - 1) * T + m - distance end
        out[distance + 1] = lab.mean(lab.take(A, at, 2), 2)
    end
    return lab.transpose(lab.stack(out))
end

-- (..., dk) as the squared length of each pair, (..., dk/2).
local function pair_squares(x, layout)
    local half, first, second = x.shape[3] // 2, {}, {}
    for i = 1, half do
        first[i] = layout == "half" and i or 2 * i - 1
        second[i] = layout == "half" and i + half or 2 * i
    end
    local a, b = lab.take(x, first, 3), lab.take(x, second, 3)
    return a * a + b * b
end

local function rotation(p)
    local m = p.m
    if m.base then return {layout = "half", theta = (lab.rope_frequencies(m.dk, {base = m.base}))} end
    local turn = m.turn
    if not turn or turn.name ~= "rope" then raise(("%s: this model turns nothing by rope; wanted one with a rotation"):format(WHO)) end
    local o = turn.options
    local given = turn.learn and turn.start or {base = o.base, p = o.p, scaling = o.scaling}
    local start = (lab.rope_frequencies(m.dk, given))
    return {layout = o.layout or "half", theta = start, learned = m.model:learned_frequencies()}
end

-- (H, dk/2): root mean square length of pair i of the queries times that of the keys.
function Probe.energy(p, ids, layer)
    local layout, found = rotation(p).layout, look(p, ids, layer)
    return lab.sqrt(lab.mean(pair_squares(found.q, layout), 2) * lab.mean(pair_squares(found.k, layout), 2))
end

-- Frequencies (dk/2) as training began, and as they are.
function Probe.frequencies(p)
    local r = rotation(p)
    return r.theta, r.learned or r.theta
end

function Probe.table(p)
    if not p.m.table then raise(("%s: this model has no learned table of positions"):format(WHO)) end
    return p.m.table()
end

-- Frequencies 2 pi j/L, j = 1 .. L/2, and the share that waves of each have in the table's columns, the means left out.
function Probe.spectrum(p)
    local x = lab.astype(p:table(), "f64")
    local L = x.shape[1]
    if L < 2 then raise(("%s: the table has %d positions; wanted 2 or more"):format(WHO, L)) end
    local theta = 2 * math.pi / L * lab.range(1, L // 2)
    local phase = lab.reshape(theta, L // 2, 1) * lab.range(0, L - 1)
    local a, b = lab.matmul(lab.cos(phase), x), lab.matmul(lab.sin(phase), x)
    local power = lab.sum(a * a + b * b, 2)
    return theta, power / lab.sum(power)
end

for name, method in next, Probe do if name:sub(1, 2) ~= "__" then Probe[name] = tools.wrap(method) end end

local OPTIONS = {"heads", "base", "eps"}

local function opened(path, options)
    local file = lab.read(path)
    if tools.is_array(file) then raise(("%s: %s holds one array; wanted a model in a .safetensors"):format(WHO, path)) end
    local kind = path:find "%.safetensors$" and file:metadata().kind
    if kind ~= store.RUN and kind ~= store.MODEL then return families.open(path, file, options) end
    file:close()
    return own(models.new(path))
end

function M.new(model, options)
    local o = tools.check_options(WHO, options, OPTIONS)
    if o.heads ~= nil then o.heads = check_int(WHO, "heads", o.heads, 1) end
    for _, name in ipairs{"base", "eps"} do
        if o[name] ~= nil and not (type(o[name]) == "number" and o[name] > 0 and o[name] < math.huge) then
            raise(("%s: %s is %s; wanted a number above 0"):format(WHO, name, seen(o[name])))
        end
    end
    if type(model) ~= "string" and not models.is(model) then
        raise(("%s: the model is %s; wanted a transformer, or the path of a .safetensors"):format(WHO, seen(model)))
    end
    local m = models.is(model) and own(model) or opened(model, o)
    if m.family == "phasor" and next(o) then raise(WHO .. ": a model of this laboratory knows its own numbers; wanted no options") end
    return setmetatable({m = m, family = m.family, layers = m.count, heads = m.heads, kv_heads = m.kv_heads, d = m.d}, Probe)
end

return M
