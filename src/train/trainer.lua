-- A run of training: an iterator over steps that can be stopped, looked into, saved and taken up again.
--
-- Invariant: what a run is stands in run.now (parameters, moments, step, losses), which a step replaces by one assignment; so an interrupt at
-- any instruction leaves a whole run behind. The batch of step t is drawn from a generator that the seed and t make: nothing else is needed
-- to go on, to the same bits.
local lab, tools = require "phasor", require "phasor.tools"
local adamw, flat = require "phasor.train.adamw", require "phasor.train.flat"
local models, store, values = require "phasor.train.model", require "phasor.train.store", require "phasor.lib.values"
local check_int = require("phasor.lib.attention").check_int
local raise, seen = tools.raise, tools.seen
local value_and_grad_or_nan = require("phasor.lib.diff").value_and_grad_or_nan

local M = {}

local WHO = "trainer"
local OPTIONS = {"model", "data", "steps", "batch", "length", "seed", "schedule", "offsets"}
for name in next, adamw.OPTIONS do OPTIONS[#OPTIONS + 1] = name end
M.OPTIONS = OPTIONS

-- A generator for step t of a run: seeds far apart, so that runs with neighbouring seeds share no step.
local function generator(seed, t) return lab.rng(seed * 1000003 + t) end

-- 1 where weights decay: in matrices, not in norms and biases.
local function heavy_parts(P)
    return flat.vector(flat.map(P, function(x) return lab.full(x.shape, x.ndim >= 2 and 1 or 0, {dtype = "f32"}) end), "f32")
end

local Run = {__name = "a run"}
local FACTS = {
    step = function(r) return r.now.t end,
    loss = function(r) return r.now.loss end,
    norm = function(r) return r.now.norm end, -- of the gradient
    rate = function(r) return adamw.rate(r.optimiser, math.max(1, r.now.t), r.steps) end,
    losses = function(r) return lab.array(table.move(r.history, 1, r.now.t, 1, {})) end,
}
Run.__index = function(r, key)
    if Run[key] ~= nil then return Run[key] end
    if FACTS[key] then return FACTS[key](r) end
    values.unknown_field(key, "a run", {step = 1, loss = 1, norm = 1, rate = 1, losses = 1, model = 1, data = 1, advance = 1, save = 1, test = 1})
end
Run.__tostring = function(r) return ("run: step %d of %d, loss %s"):format(r.now.t, r.steps, r.now.loss and ("%.4f"):format(r.now.loss) or "none yet") end

local function check_model(model)
    if not models.is(model) then raise(("%s: model is %s; wanted a transformer"):format(WHO, seen(model))) end
    return model
end

local function check_source(data)
    if not values.is_plain_table(data) or not values.callable(data.batch) then
        raise(("%s: data is %s; wanted what corpus or task makes, or a table with batch(g, B, T)"):format(WHO, seen(data)))
    end
    return data
end

-- A model, or the specification of one: then the data says how many tokens there are, and the run's seed draws it.
local function model_of(o)
    if models.is(o.model) or not values.is_plain_table(o.model) then return check_model(o.model) end
    local spec = {vocab = check_source(o.data).vocab}
    for key, value in next, o.model do spec[key] = value end
    return models.new(spec, o.seed)
end

local function check_data(data, model)
    if math.tointeger(data.vocab) and data.vocab > model.spec.vocab then
        raise(("%s: the data has %d tokens and the model %d; wanted vocab=%d"):format(WHO, data.vocab, model.spec.vocab, data.vocab))
    end
    return data
end

-- Puts a state in force: the model's parameters become views into its vector.
local function hold(run, state)
    local P = flat.views(run.model.P, state.x)
    run.now, run.model.P = state, P
end

function M.new(options)
    local o = tools.check_options(WHO, options, OPTIONS)
    local model = model_of(o)
    local run = {model = model, data = check_data(check_source(o.data), model), optimiser = adamw.read(WHO, o), history = {},
                 steps = check_int(WHO, "steps", o.steps == nil and 1000 or o.steps, 1), batch = check_int(WHO, "batch", o.batch == nil and 16 or o.batch, 1),
                 length = check_int(WHO, "length", o.length == nil and model.spec.length or o.length, 1), seed = check_int(WHO, "seed", o.seed == nil and 1 or o.seed, 0)}
    run.offsets = check_int(WHO, "offsets", o.offsets == nil and 1 or o.offsets, 1)
    run.heavy = heavy_parts(model.P)
    hold(run, adamw.start(flat.vector(model.P, "f32")))
    return setmetatable(run, Run)
end

-- f of the parameters; an error says the step.
local function tried(run, f, t)
    local ok, value, g = tools.try(f, run.model.P)
    if not ok then raise(("%s: step %d: %s"):format(WHO, t, value)) end
    return value, g
end

-- The gradient as a vector.
local function joined(g)
    local whole, leaves = flat.vector(g, "f32"), {}
    flat.map(g, function(x) leaves[#leaves + 1] = x end)
    flat.close(leaves)
    return whole
end

-- The first parameter that is not finite, in words; nil: they all are.
local function not_finite(P)
    local found
    flat.map(P, function(x, path)
        if not found and not lab.all(lab.isfinite(x)) then found = ("the parameter %s is not finite"):format(path) end
    end)
    return found
end

-- One step: the run after it, or nil when all are done.
function Run.advance(run)
    local t = run.now.t + 1
    if t > run.steps then return nil end
    local draw = generator(run.seed, t)
    local batch = run.data.batch(draw, run.batch, run.length)
    local offset, before = draw:below(run.offsets), run.now
    local function f(P) return run.model:loss(batch, {P = P, offset = offset}) end
    local loss, leaves = tried(run, value_and_grad_or_nan(f), t)
    local g <close> = joined(leaves)
    local state, norm = adamw.step(run.optimiser, before, g, adamw.rate(run.optimiser, t, run.steps), run.heavy)
    if not (norm < math.huge and math.abs(loss) < math.huge) then
        tried(run, lab.value_and_grad(f), t) -- knows where a nan came from
        raise(("%s: step %d: %s, with a loss of %g"):format(WHO, t, not_finite(run.model.P) or "the gradient's norm is " .. tostring(norm), loss))
    end
    state.loss, state.norm = loss, norm
    run.history[t] = loss
    hold(run, state)
    flat.close{before.m, before.v} -- of a state that is kept the parameters are asked for, and no more
    return run
end

-- The model as it was in that state.
function Run.model_at(run, state) return models.of(run.model, flat.views(run.model.P, state.x)) end

-- for step, loss in run do ... end
Run.__call = function(run)
    if not run:advance() then return nil end
    return run.now.t, run.now.loss
end

-- The mean loss on `batches` batches of other data, drawn by `seed`, without learning.
function M.test(model, data, o)
    o = o or {}
    local sum, n = 0, 0
    local batches, B, T = o.batches or 4, o.batch or 16, o.length or model.spec.length
    for k = 1, batches do
        local batch = data.batch(generator(o.seed or 0, 1000000000 + k), B, T)
        local losses = model:losses(batch, {offset = o.offset})
        sum, n = sum + lab.sum(losses), n + losses.size
    end
    return sum / n
end

function Run.test(run, options) return M.test(run.model, options and options.data or run.data.held or run.data, options) end

-- ---- checkpoints -----------------------------------------------------------------------------------------------------------

local function settings(run)
    local o = {steps = run.steps, batch = run.batch, length = run.length, seed = run.seed, offsets = run.offsets, data = run.data.name or "unnamed", tokens = run.data.vocab}
    for key, value in next, run.optimiser do o[key] = value end
    return o
end

-- Writes all that is needed to go on, whole or not at all.
function Run.save(run, path)
    local tensors, texts = {}, {kind = store.RUN, step = tostring(run.now.t)}
    flat.map(run.model.P, function(x, name) tensors[name] = x end)
    tensors["adamw.m"], tensors["adamw.v"] = run.now.m, run.now.v
    tensors["losses"] = run.now.t > 0 and run.losses or lab.zeros(1)
    store.spread("model", run.model.given, texts)
    store.spread("run", settings(run), texts)
    lab.write(path, tensors, {metadata = texts})
end

local function check_kind(path, texts)
    if texts.kind ~= store.RUN or not math.tointeger(tonumber(texts.step)) then
        raise(("resume: %s is no checkpoint of a run; its header has no kind '%s'"):format(path, store.RUN))
    end
    return math.tointeger(tonumber(texts.step))
end

-- Is the checkpoint of the model that is asked for? An error says what differs.
local function check_same(path, wanted, given)
    local a, b = store.spread("", wanted, {}), store.spread("", given, {})
    for _, key in ipairs(values.sorted_keys(a)) do
        if a[key] ~= b[key] then
            raise(("resume: %s is of another model: %s is %s there, and %s here"):format(path, key:sub(2), tostring(b[key] or "s:nothing"):sub(3), a[key]:sub(3)))
        end
    end
end

-- resume(path, data [, model]): the run as it was when it was saved. model: one, or what one is made of, to be compared.
function M.resume(path, data, model)
    local file = lab.read(path)
    local texts = file:metadata()
    local step, given, o = check_kind(path, texts), store.gathered("model", texts), store.gathered("run", texts)
    if model then check_same(path, values.is_plain_table(model) and model or check_model(model).given, given) end
    if type(data) == "table" and data.vocab ~= o.tokens then
        raise(("resume: the data has %s tokens, and had %s when %s was written"):format(tostring(data.vocab), tostring(o.tokens), path))
    end
    o.tokens, o.data, o.model = nil, data, models.new(given, 1)
    local run = M.new(o)
    local x = flat.vector(store.parameters(path, file, run.model.P), "f32")
    local m, v, losses = file:read "adamw.m", file:read "adamw.v", file:read "losses"
    if m.size ~= x.size or v.size ~= x.size or losses.size < step then raise(("resume: %s does not hold what its header says"):format(path)) end
    for k = 1, step do run.history[k] = losses(k) end
    hold(run, {x = x, m = m, v = v, t = step, loss = run.history[step]})
    file:close()
    return run
end

for name, method in next, Run do if name ~= "__index" and name ~= "__name" then Run[name] = tools.wrap(method) end end

return M
