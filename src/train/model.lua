-- A transformer: a table of parameters and what is done with them, built from the laboratory's layers.
-- Letters: B sequences, T positions, d columns, H heads, V tokens. Tokens are whole numbers from 1.
local lab, tools = require "phasor", require "phasor.tools"
local flat, positions = require "phasor.train.flat", require "phasor.train.positions"
local store, values = require "phasor.train.store", require "phasor.lib.values"
local declare = require("phasor.lib.option_words").declare
local raise, seen, is_array = tools.raise, tools.seen, tools.is_array
local check_int = require("phasor.lib.attention").check_int

local WHO = "transformer"

-- ---- what a model is made of ---------------------------------------------------------------------------------------------

local DEFAULTS = {layers = 2, heads = 4, d = 32, position = "rope", norm = "pre", rms = false, activation = "relu", head = "causal",
                  tied = false, size = 1.0}
local OTHERS = {vocab = true, length = true, hidden = true, kv_heads = true, plan = true, classes = true, scale = true}
local NORMS = declare("norm", {pre = true, post = true}, WHO)
declare("position", lab.encodings(), WHO)
local HEADS = declare("head", {causal = true, masked = true, classify = true}, WHO)
local ACTIVATIONS = declare("activation", {relu = "relu", gelu = "gelu", swiglu = "silu"}, WHO)

local function one_of(what, value, known)
    if known[value] == nil then
        raise(("%s: %s is %s; wanted one of %s"):format(WHO, what, seen(value), values.list(known)))
    end
end

local function with_defaults(given)
    if not values.is_plain_table(given) then raise(("%s: the specification is %s; wanted a table such as {vocab=, length=}"):format(WHO, seen(given))) end
    local spec = {}
    for key, value in next, DEFAULTS do spec[key] = value end
    for key, value in next, given do
        if DEFAULTS[key] == nil and not OTHERS[key] then
            local names = {}
            for _, from in ipairs{DEFAULTS, OTHERS} do for name in next, from do names[name] = true end end
            tools.unknown_option(WHO, key, names)
        end
        spec[key] = value
    end
    return spec
end

local function check_sizes(spec)
    for _, what in ipairs{"vocab", "length", "layers", "heads", "d"} do spec[what] = check_int(WHO, what, spec[what], 1) end
    spec.hidden = check_int(WHO, "hidden", spec.hidden or 4 * spec.d, 1)
    spec.kv_heads = check_int(WHO, "kv_heads", spec.kv_heads or spec.heads, 1)
    if spec.layers > 1000 then raise(("%s: layers is %d; wanted at most 1000"):format(WHO, spec.layers)) end
    if spec.d % spec.heads ~= 0 then raise(("%s: d is %d; wanted a multiple of heads, %d"):format(WHO, spec.d, spec.heads)) end
    if spec.heads % spec.kv_heads ~= 0 then
        raise(("%s: heads is %d and kv_heads %d; wanted a multiple of kv_heads"):format(WHO, spec.heads, spec.kv_heads))
    end
    if spec.head == "classify" then spec.classes = check_int(WHO, "classes", spec.classes, 2) end
end

local function check_spec(given)
    local spec = with_defaults(given)
    check_sizes(spec)
    one_of("norm", spec.norm, NORMS)
    one_of("head", spec.head, HEADS)
    one_of("activation", spec.activation, ACTIVATIONS)
    if spec.tied and spec.head == "classify" then raise(WHO .. ": tied is for a head that names tokens; wanted causal or masked") end
    return spec
end

-- Each layer's entries: those of `plan`, over and over, else those of `position`. What is added to the tokens is the model's.
local function read_plan(spec)
    local input, plan = positions.read(WHO, spec.position), {}
    if spec.plan == nil then
        plan[1] = input
        return input, plan
    end
    if type(spec.plan) ~= "table" or #spec.plan == 0 then raise(("%s: plan is %s; wanted a list of positions"):format(WHO, seen(spec.plan))) end
    for k, given in ipairs(spec.plan) do
        plan[k] = positions.read(WHO, given)
        for _, e in ipairs(plan[k]) do
            if e.role == "vectors" then raise(("%s: plan[%d] is %s, which is added to the tokens; give it as position"):format(WHO, k, e.name)) end
        end
    end
    return input, plan
end

-- ---- parameters ----------------------------------------------------------------------------------------------------------

local function drawn(entries, g, sizes)
    local out = {}
    for k, entry in ipairs(entries) do out[k] = positions.init(entry, g, sizes) end
    return out
end

local function norm_of(spec)
    local norm = {gain = lab.ones(spec.d)}
    if not spec.rms then norm.bias = lab.zeros(spec.d) end
    return norm
end

-- Sublayers write into a sum of 2 layers terms, so each is drawn smaller by the root of that (GPT-2).
local function init_layer(spec, g)
    local P = lab.init_encoder(g, spec.d, spec.heads, spec.hidden, {kv_heads = spec.kv_heads})
    local small = 1 / math.sqrt(2 * spec.layers)
    P.attention.Wo, P.feed_forward.W2 = small * P.attention.Wo, small * P.feed_forward.W2
    if spec.activation == "swiglu" then P.feed_forward.W3 = lab.randn(g, spec.d, spec.hidden) / math.sqrt(spec.d) end
    P.norm1, P.norm2 = norm_of(spec), norm_of(spec)
    return P
end

local function init(model, seed)
    local spec, g, P = model.spec, lab.rng(seed), {layers = {}, plan = {}}
    P.tokens = spec.size * lab.randn(g, spec.vocab, spec.d)
    for k = 1, spec.layers do P.layers[k] = init_layer(spec, g) end
    if spec.norm == "pre" then P.norm = norm_of(spec) end
    if not spec.tied then P.output = lab.randn(g, spec.d, spec.classes or spec.vocab) / math.sqrt(spec.d) end
    P.position = drawn(model.input, g, model.sizes)
    for k, entries in ipairs(spec.plan and model.plan or {}) do P.plan[k] = drawn(entries, g, model.sizes) end
    return P
end

-- ---- from tokens to logits -------------------------------------------------------------------------------------------------

-- (B, T) tokens as a flat array, with B and T.
local function check_tokens(model, ids)
    if type(ids) == "table" and not is_array(ids) then ids = lab.array(ids) end
    if not is_array(ids) or ids.ndim > 2 or ids.ndim == 0 or ids.size == 0 then
        raise(("%s: the tokens are %s; wanted whole numbers (B, T)"):format(WHO, is_array(ids) and "of shape " .. values.shape_text(ids) or seen(ids)))
    end
    local B, T = ids.ndim == 2 and ids.shape[1] or 1, ids.shape[ids.ndim]
    local least, most = lab.min(ids), lab.max(ids)
    if not (least >= 1 and most <= model.spec.vocab) then
        raise(("%s: a token is %g; wanted 1 to vocab, %d"):format(WHO, least >= 1 and most or least, model.spec.vocab))
    end
    return lab.reshape(ids, B * T), B, T
end

local function block_of(model, P, k, T, offset)
    local own = model.spec.plan ~= nil
    local at = own and (k - 1) % #model.plan + 1 or 1
    local options = positions.attention(model.plan[at], own and P.plan[at] or P.position, model.sizes, T, offset)
    options.norm, options.rms, options.scale = model.spec.norm, model.spec.rms or nil, options.scores == nil and model.spec.scale or nil
    options.causal, options.activation = model.sizes.causal or nil, model.activation
    return options
end

local function check_offset(model, offset)
    local fixed = offset and offset ~= 0 and (positions.fixed(model.input) or positions.fixed(model.plan[1]))
    if fixed then raise(("%s: %s has no places of its own; wanted offset 0"):format(WHO, fixed)) end
    return offset
end

-- The last layer's outputs (B T, d), normed. offset: the place of the first token.
local function hidden(model, P, ids, B, T, offset)
    local spec = model.spec
    check_offset(model, offset)
    local X = lab.reshape(lab.take(P.tokens, ids, 1), B, T, spec.d)
    local vectors = positions.vectors(model.input, P.position, model.sizes, T, offset)
    if vectors then X = X + vectors end
    for k = 1, spec.layers do X = lab.encoder_block(X, P.layers[k], block_of(model, P, k, T, offset)) end
    if spec.norm == "pre" then X = (spec.rms and lab.rms_norm or lab.layer_norm)(X, P.norm) end
    return X
end

local function to_logits(model, P, X)
    if not model.spec.tied then return lab.matmul(X, P.output) end
    return lab.matmul(X, lab.transpose(P.tokens)) * (1 / math.sqrt(model.spec.d))
end

local Model = {__name = "transformer"}
Model.__index = function(m, key)
    if Model[key] == nil or tostring(key):find "^__" then values.unknown_field(key, "a transformer", {spec = 1, P = 1, logits = 1, losses = 1, loss = 1, with = 1, count = 1, save = 1}) end
    return Model[key]
end
Model.__tostring = function(m)
    local s, names = m.spec, {}
    for _, e in ipairs(m.input) do names[#names + 1] = e.name end
    return ("transformer: %d layers, %d heads, d = %d, %s, %d tokens, length %d, %d parameters"):format(
        s.layers, s.heads, s.d, table.concat(names, " + "), s.vocab, s.length, m:count())
end

function Model.count(m) return lab.count_parameters(m.P) end

-- (B, T, V), or (B, classes)
function Model.logits(m, ids, how)
    local offset = how and how.offset
    local flat_ids, B, T = check_tokens(m, ids)
    local X = hidden(m, how and how.P or m.P, flat_ids, B, T, offset)
    if m.spec.head == "classify" then X = lab.mean(X, 2) end
    return to_logits(m, how and how.P or m.P, X)
end

local function check_batch(batch)
    if not values.is_plain_table(batch) or not is_array(batch.targets) then
        raise(("%s: the batch is %s; wanted a table {inputs=, targets=} of arrays"):format(WHO, values.is_plain_table(batch) and "without targets" or seen(batch)))
    end
end

-- Targets are one for each row that counts, and among the V things that a row gives a score; a number beyond would be read from another row.
local function check_targets(targets, n, V)
    if targets.ndim ~= 1 or targets.size ~= n then
        raise(("%s: %d targets for %d rows; wanted one for each row that counts"):format(WHO, targets.size, n))
    end
    if n == 0 then raise(WHO .. ": a batch without a target") end
    local least, most = lab.min(targets), lab.max(targets)
    if not (least >= 1 and most <= V) then
        raise(("%s: a target is %g; wanted 1 to %d"):format(WHO, least >= 1 and most or least, V))
    end
end

-- -log p of each target that counts, a vector in the order of the rows. Targets: (B, T), 0 where none is asked for; or (B).
function Model.losses(m, batch, how)
    check_batch(batch)
    local P = how and how.P or m.P
    local ids, B, T = check_tokens(m, batch.inputs)
    local X = hidden(m, P, ids, B, T, how and how.offset)
    local rows, targets, spec = batch.rows, batch.targets, m.spec
    if spec.head == "classify" then X = lab.mean(X, 2)
    else
        X = lab.reshape(X, B * T, spec.d)
        if rows then X = lab.take(X, rows, 1) end
    end
    local Z = to_logits(m, P, X)
    local n, V = Z.shape[1], Z.shape[2]
    check_targets(targets, n, V)
    local right = lab.take(lab.reshape(Z, n * V), targets + V * lab.range(0, n - 1), 1)
    return lab.logsumexp(Z, 2) - right
end

function Model.loss(m, batch, how) return lab.mean(m:losses(batch, how)) end

-- For a look inside (probe.lua): what attention in layer k is told, what is added to the tokens, and the frequencies that were learned.
function Model.attention_options(m, k, T) return block_of(m, m.P, k, T) end
function Model.input_vectors(m, T) return positions.vectors(m.input, m.P.position, m.sizes, T) end
function Model.learned_frequencies(m)
    local own = m.spec.plan ~= nil
    for k, e in ipairs(m.plan[1]) do
        if e.learn then return lab.exp((own and m.P.plan[1] or m.P.position)[k][1]) end
    end
end

local function make(given, P)
    local spec = check_spec(given)
    local model = {spec = spec, given = given, activation = lab[ACTIVATIONS[spec.activation]],
                   sizes = {d = spec.d, dk = spec.d // spec.heads, heads = spec.heads, length = spec.length, causal = spec.head == "causal"}}
    model.input, model.plan = read_plan(spec)
    model.P = P
    return setmetatable(model, Model)
end

-- Is P shaped as a new model's would be? The first array that is not, in words; nil when all are.
local function misfit(model, P)
    local wanted, fault = {}, nil
    flat.map(init(model, 1), function(x, path) wanted[path] = values.shape_text(x) end)
    flat.map(P, function(x, path)
        local text = values.shape_text(x)
        if wanted[path] ~= text then fault = fault or ("%s is %s; wanted %s"):format(path, text, wanted[path] or "nothing of that name") end
        wanted[path] = nil
    end)
    local missing = values.sorted_keys(wanted)[1]
    return fault or missing and missing .. " is missing"
end

-- The same parameters under another specification: other lengths, other options of its positions.
function Model.with(m, changes)
    if not values.is_plain_table(changes) then raise(("%s: with takes %s; wanted a table such as {length=64}"):format(WHO, seen(changes))) end
    local given = {}
    for _, from in ipairs{m.given, changes} do for key, value in next, from do given[key] = value end end
    local other = make(given, m.P)
    local fault = misfit(other, m.P)
    if fault then raise(("%s: the parameters do not fit: %s"):format(WHO, fault)) end
    return other
end

function Model.save(m, path) store.save(path, m.given, m.P) end

for name, method in next, Model do if name:sub(1, 2) ~= "__" then Model[name] = tools.wrap(method) end end

local M = {}

local function load_from(path)
    local given, file = store.open(path)
    local model = make(given)
    model.P = store.parameters(path, file, flat.map(init(model, 1), function(x) return lab.astype(x, "f32") end))
    file:close()
    return model
end

-- A model with parameters drawn by `seed`; or that of a file.
function M.new(given, seed)
    if type(given) == "string" then return load_from(given) end
    local model = make(given)
    model.P = flat.map(init(model, seed and check_int(WHO, "seed", seed, 0) or 1), function(x) return lab.astype(x, "f32") end)
    return model
end

-- The same model with other parameters.
function M.of(model, P) return make(model.given, P) end

function M.is(v) return getmetatable(v) == Model end

return M
