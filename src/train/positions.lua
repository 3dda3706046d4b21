-- How an encoding of the atlas enters a model: by its name, with options of its own.
--
--   additive vectors            are added to the tokens, once
--   rotation of q and k         turns queries and keys of each head
--   factor of q                 multiplies queries
--   score bias                  is added to the scores
--   relative, contextual        makes the scores
--
-- What is called is a text in the words of a descriptor's sample (T, d, H, Q, K, X, side, learned(...)), so an encoding that is new in
-- the atlas enters by its sample, or by its descriptor's text for models where that is too small: there L is the length that is trained, causal is
-- whether keys after the query are hidden, and near(x, ...) is learned, and x at first. `table`: an array that is not trained.
--
-- Invariant: a text asks for its learned arrays in the same order at every call, so they are a list.
local lab, tools = require "phasor", require "phasor.tools"
local values = require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local M = {}

local ROLES = {["additive vectors"] = "vectors", ["rotation of q and k"] = "turn", ["factor of q"] = "factor", ["score bias"] = "bias",
               ["relative keys and values"] = "scores", contextual = "scores"}

local OWN = {name = true, call = true, std = true, size = true, table = true, learn = true} -- what of an entry is no option of the encoding

-- A rotation whose frequencies are learned, by their logarithms: they begin as those of these options.
local LEARNED = "X, turned_by(exp(from(log_start)), T)"
local OF_START = {"base", "p", "scaling"}

-- Tables of cosines and sines for positions 0 .. T-1: only distances count, so any offset has the same scores.
local function turned_by(theta, T)
    local phase = lab.reshape(lab.range(0, T - 1), T, 1) * theta
    return {layout = "half", cos = lab.cos(phase), sin = lab.sin(phase)}
end

local function check_name(who, name)
    local known = lab.encodings()
    if type(name) ~= "string" then raise(("%s: position is %s; wanted the name of an encoding"):format(who, seen(name))) end
    if not known[name] then
        raise(("%s: no encoding is called '%s'%s"):format(who, name:sub(1, 60), values.hint(name, known) or "; encodings() lists them"))
    end
    return known[name]
end

local function check_number(who, name, what, x, otherwise)
    if x == nil then return otherwise end
    if type(x) ~= "number" or not (x >= 0 and x < math.huge) then
        raise(("%s: %s of %s is %s; wanted a number of at least 0"):format(who, what, name, seen(x)))
    end
    return x
end

-- An entry: {name, role, chunk (nil: it does nothing), options, std, size}.
local function read_entry(who, given)
    if type(given) == "string" then given = {name = given} end
    if not values.is_plain_table(given) then raise(("%s: position is %s; wanted a name, {name=, ...}, or a list of these"):format(who, seen(given))) end
    local known = check_name(who, given.name)
    local text, options = given.call, {}
    if text == nil and known.model then text = known.model ~= "" and known.model end
    if given.table ~= nil then text = "table, T" end
    if given.learn then
        if given.name ~= "rope" or given.call or given.learn ~= true then raise(("%s: learn = true is for rope, without a call of its own"):format(who)) end
        text = LEARNED
    end
    if text == nil then text = known.sample:match "[^\n]+" end
    for key, value in next, given do if not OWN[key] then options[key] = value end end
    local start = {}
    for _, key in ipairs(given.learn and OF_START or {}) do start[key], options[key] = options[key], nil end
    local chunk, fault = nil, nil
    if text then
        chunk, fault = load("local _ENV = ...; return " .. tostring(text), "=call", "t", {})
        if not chunk then raise(("%s: call of %s: %s"):format(who, given.name, fault)) end
    elseif next(options) then raise(("%s: %s takes no options here"):format(who, given.name)) end
    return {name = given.name, role = ROLES[known.kind], chunk = chunk, options = options, cache = {}, table = given.table, start = start, learn = given.learn,
            std = check_number(who, given.name, "std", given.std, 0.02), size = check_number(who, given.name, "size", given.size, 1)}
end

local function is_list(given) return values.is_plain_table(given) and given.name == nil end

-- One name, {name=, options}, or a list of these, all of which act.
function M.read(who, given)
    local out = {}
    for k, entry in ipairs(is_list(given) and given or {given}) do out[k] = read_entry(who, entry) end
    if #out == 0 then raise(who .. ": the list of positions is empty; wanted a name such as \"rope\", or \"nope\" for none") end
    local scores = 0
    for _, e in ipairs(out) do if e.role == "scores" then scores = scores + 1 end end
    if scores > 1 then raise(who .. ": two encodings that each make the scores; wanted one") end
    return out
end

-- ---- calls -------------------------------------------------------------------------------------------------------------

local function merged(args, options)
    if next(options) == nil then return args end
    local last = args[args.n]
    local own = values.is_plain_table(last) and #last == 0
    local all = {}
    for key, value in next, own and last or {} do all[key] = value end
    for key, value in next, options do all[key] = value end
    if own then args[args.n] = all else args.n, args[args.n + 1] = args.n + 1, all end
    return args
end

-- The arguments of a call; names: what the text may use beside the laboratory's.
local function arguments(entry, names)
    names.table = entry.table
    return merged(table.pack(entry.chunk(setmetatable(names, {__index = lab}))), entry.options)
end

-- The learned arrays of an entry for a model of these sizes, drawn from g: a list, perhaps empty.
function M.init(entry, g, sizes)
    local drawn = {}
    if not entry.chunk then return drawn end
    local function near(x, ...)
        drawn[#drawn + 1] = lab.randn(g, ...) * (x == 0 and 0.3 or entry.std) + x
        return drawn[#drawn]
    end
    local function learned(...)
        drawn[#drawn + 1] = lab.randn(g, ...) * entry.std
        return drawn[#drawn]
    end
    local function from(x)
        drawn[#drawn + 1] = x
        return x
    end
    local d = entry.role == "vectors" and sizes.d or sizes.dk
    local x = lab.zeros(1, d)
    arguments(entry, {T = 1, L = sizes.length, d = d, H = sizes.heads, Q = x, K = x, V = x, X = x, side = "q", causal = sizes.causal,
                      learned = learned, near = near, from = from, turned_by = turned_by,
                      log_start = entry.learn and lab.log((lab.rope_frequencies(d, entry.start)))})
    return drawn
end

local function call(entry, P, sizes, names, offset)
    local at = 0
    function names.learned()
        at = at + 1
        return P[at]
    end
    names.near, names.L, names.H, names.causal = names.learned, sizes.length, sizes.heads, sizes.causal
    names.from, names.turned_by, names.log_start = names.learned, turned_by, 0
    local args = arguments(entry, names)
    if offset and offset ~= 0 and not entry.learn then args = merged(args, {offset = offset}) end
    return (lab[entry.name](table.unpack(args, 1, args.n)))
end

local function as_f32(x) return x.dtype == "f32" and x or lab.astype(x, "f32") end

-- What does not depend on the parameters is made once for each length and offset.
local function made(entry, P, sizes, T, offset, width)
    local key = T .. "/" .. (offset or 0)
    if entry.cache[key] then return entry.cache[key] end
    local x = as_f32(call(entry, P, sizes, {T = T, d = width}, offset))
    if entry.size ~= 1 then x = entry.size * x end
    if #P == 0 then entry.cache[key] = x end
    return x
end

-- The vectors to be added to T tokens, or nil.
function M.vectors(entries, P, sizes, T, offset)
    local sum
    for k, entry in ipairs(entries) do
        if entry.role == "vectors" and entry.chunk then
            local x = made(entry, P[k], sizes, T, offset, sizes.d)
            sum = sum and sum + x or x
        end
    end
    return sum
end

local function turn(entries, P, sizes, offset)
    return function(X, side)
        for k, entry in ipairs(entries) do
            if entry.role == "turn" or entry.role == "factor" and side == "q" then
                X = call(entry, P[k], sizes, {X = X, T = X.shape[X.ndim - 1], d = sizes.dk, side = side}, offset)
            end
        end
        return X
    end
end

-- What attention is told for these entries: options of multi_head.
function M.attention(entries, P, sizes, T, offset)
    local out, turns = {}, false
    for k, entry in ipairs(entries) do
        local role = entry.role
        if role == "bias" and entry.chunk then
            local bias = made(entry, P[k], sizes, T, nil, sizes.dk)
            out.bias = out.bias and out.bias + bias or bias
        elseif role == "scores" then
            function out.scores(Q, K) return call(entry, P[k], sizes, {Q = Q, K = K, V = K, T = T, d = sizes.dk}) end
        elseif role == "turn" or role == "factor" then turns = true end
    end
    if out.scores and out.bias then
        local scores, bias = out.scores, out.bias
        function out.scores(Q, K) return scores(Q, K) + bias end
        out.bias = nil
    end
    if turns then out.rotate = turn(entries, P, sizes, offset) end
    return out
end

-- May these entries stand at places other than 0, 1, ...? The first that may not, or nil.
function M.fixed(entries)
    for _, e in ipairs(entries) do if e.chunk and e.role == "scores" then return e.name end end
end

return M
