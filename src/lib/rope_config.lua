-- rope_config.lua: what a model's config.json, in the keys of the transformers library, says of its rotation, as options of rope,
-- rope_frequencies and longest_context. What the laboratory has no name for is refused: a rotation that is nearly the model's is none.
local tools, json = require "phasor.tools", require "phasor.lib.json"
local raise, seen = tools.raise, tools.seen

local WHO, ROOM = "rope_config", 16 * 1024 * 1024 -- bytes of a configuration
local M = {}

-- ---- reading -----------------------------------------------------------------------------------------------------------

-- null is a key that is not there.
local function without_nulls(v)
    if type(v) ~= "table" then return v end
    for key, x in pairs(v) do v[key] = x ~= json.null and without_nulls(x) or nil end
    return v
end

-- A file's object, or the table itself; and how errors call it.
local function opened(from)
    if type(from) == "table" then return from, "the table" end
    if type(from) ~= "string" then raise(("%s: the configuration is %s; wanted a path to a config.json, or a table"):format(WHO, seen(from))) end
    local text, fault = tools.contents(from, ROOM)
    if not text then raise(("%s: %s"):format(WHO, fault)) end
    if text == "" then raise(("%s: %s is empty"):format(WHO, from)) end
    local value, wrong = json.read(text, true)
    if value == nil then raise(("%s: %s: %s"):format(WHO, from, wrong)) end
    if type(value) ~= "table" or json.is_list(value) then raise(("%s: %s holds no object"):format(WHO, from)) end
    return without_nulls(value), from
end

-- A reader of one object's fields: what it was asked for is noted, so that the rest can be told.
local function fields(object, where)
    local read = {}
    local self = {where = where, object = object, read = read}
    -- The first of `names` that is there, a number from `least` to `most`, whole if so asked; or nil.
    function self.number(names, least, most, whole)
        for name in names:gmatch "%S+" do
            local x = object[name]
            if x ~= nil then
                read[name] = true
                if type(x) ~= "number" or not (x >= least and x <= most) or whole and x ~= math.floor(x) then
                    raise(("%s: %s: %s is %s; wanted %s from %g to %g"):format(WHO, where, name, seen(x), whole and "a whole number" or "a number", least, most))
                end
                return whole and math.tointeger(x) or x
            end
        end
    end
    function self.wanted(names, least, most, whole)
        local x = self.number(names, least, most, whole)
        if x == nil then raise(("%s: %s has no %s"):format(WHO, where, names:gsub(" ", ", and no "))) end
        return x
    end
    function self.text(names)
        for name in names:gmatch "%S+" do
            local x = object[name]
            if x ~= nil then
                read[name] = true
                if type(x) ~= "string" then raise(("%s: %s: %s is %s; wanted text"):format(WHO, where, name, seen(x))) end
                return x
            end
        end
    end
    function self.list(name, n)
        local x = object[name]
        read[name] = true
        if type(x) ~= "table" or n and #x ~= n then
            raise(("%s: %s: %s is %s; wanted a list of %s numbers"):format(WHO, where, name,
                type(x) == "table" and ("a list of %d"):format(#x) or seen(x), n or "whole"))
        end
        return table.move(x, 1, #x, 1, {})
    end
    return self
end

-- ---- the kinds of scaling ----------------------------------------------------------------------------------------------

local LONG = 1e12 -- positions

local function factor_of(s, model)
    local factor = s.number("factor", 1, 1e6)
    local whole, trained = model.length, model.train
    if not factor and whole and trained and whole > trained then factor = whole / trained end
    return factor or raise(("%s: %s has no factor"):format(WHO, s.where))
end

-- What cos and sin are multiplied with has to be what the scaling of that name does.
local function check_temperature(s, given, own, name)
    if math.abs(given - own) > 1e-6 * own then
        raise(("%s: %s: cos and sin are multiplied by %.9g; %s has %.9g"):format(WHO, s.where, given, name, own))
    end
end

local kinds = {}

function kinds.default() return nil end
kinds.mrope = kinds.default

function kinds.linear(s, model) return {kind = "pi", factor = factor_of(s, model)} end

function kinds.dynamic(s, model)
    return {kind = "dynamic", factor = factor_of(s, model), train = model.train, length = math.max(model.wanted or model.train, model.train)}
end

-- ln(factor)/10 + 1; mscale and mscale_all_dim, where both are given, say the quotient of two such numbers.
function kinds.yarn(s, model)
    local factor = factor_of(s, model)
    local function growth(m) return 0.1 * m * math.log(factor) + 1 end
    local one, all = s.number("mscale", 0, 1e6), s.number("mscale_all_dim", 0, 1e6)
    local given = s.number("attention_factor", 1e-6, 1e6) or
        one and all and one ~= 0 and all ~= 0 and growth(one) / growth(all) or growth(1)
    if s.object.truncate == false then
        raise(("%s: %s: truncate is false: a ramp whose ends are no whole pairs; rope has none"):format(WHO, s.where))
    end
    s.read.truncate = true
    local plain = math.abs(given - 1) <= 1e-6
    if not plain then check_temperature(s, given, growth(1), "yarn") end
    return {kind = plain and "ntk-parts" or "yarn", factor = factor, train = model.train, ramp = "code",
            fast = s.number("beta_fast", 1e-3, 1e6) or 32, slow = s.number("beta_slow", 1e-3, 1e6) or 1}
end

function kinds.longrope(s, model)
    local factor = model.length and model.length > model.train and model.length / model.train or s.number("factor", 1, 1e6) or 1
    s.read.factor = true
    local own = math.sqrt(1 + math.log(factor) / math.log(model.train))
    check_temperature(s, s.number("attention_factor", 1e-6, 1e6) or own, own, "longrope")
    local pairs_of = model.rotary // 2
    local long, short = s.list("long_factor", pairs_of), s.list("short_factor", pairs_of)
    return {kind = "longrope", factor = factor, train = model.train, factors = (model.wanted or model.length or model.train) > model.train and long or short}
end
kinds.su = kinds.longrope

function kinds.llama3(s, model)
    return {kind = "llama3", factor = factor_of(s, model), train = s.wanted("original_max_position_embeddings", 2, LONG),
            fast = s.wanted("high_freq_factor", 1e-3, 1e6), slow = s.wanted("low_freq_factor", 1e-3, 1e6)}
end

-- ---- the model ---------------------------------------------------------------------------------------------------------

-- As the transformers library turns them, read in src/transformers/models/NAME/modeling_NAME.py or the modular_NAME.py that it is made from: half
-- where rotate_half takes x[..., : d/2] and x[..., d/2 :] (gpt_oss: chunk(x, 2)), interleaved where it takes x[..., 0::2] and x[..., 1::2]
-- or view_as_complex of neighbours (llama4, deepseek_v2). tests/lib/test_rope_config.lua says which file says so of each. Of a model that is
-- not here nothing is said.
local layouts = {
    half = "llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe gemma gemma2 gemma3 gemma3_text phi phi3 gpt_neox gpt_oss stablelm olmo olmo2 starcoder2 falcon granite smollm3",
    interleaved = "gptj codegen cohere cohere2 glm glm4 helium ernie4_5 llama4_text deepseek_v2",
}

local function layout_of(model_type, config)
    if config.rope_interleave ~= nil then return config.rope_interleave and "interleaved" or "half" end
    for layout, models in pairs(layouts) do
        for name in models:gmatch "%S+" do
            if name == model_type then return layout end
        end
    end
end

-- Where these are trained with another base, and the library has it as its default, a configuration without one does not say 10000.
local other_base = " mixtral gemma3 gemma3_text gemma3n_text gpt_oss llama4_text smollm3 helium ernie4_5 modernbert "
-- The keys that only the configuration of a model that turns has; one of a model_type that is known to turn may have none of them.
local speaks = "rope_theta global_rope_theta rope_scaling rope_parameters rotary_emb_base rotary_pct rotary_dim partial_rotary_factor qk_rope_head_dim rope_interleave"

local function check_that_it_turns(config, where, model_type)
    if config.alibi == true then raise(("%s: %s: alibi is true: this model adds biases and turns nothing"):format(WHO, where)) end
    if model_type == nil or layout_of(model_type, config) then return end -- without one it is no model's, and what is asked for is clear
    for name in speaks:gmatch "%S+" do
        if config[name] ~= nil then return end
    end
    raise(("%s: nothing in %s speaks of a rotation: no rope_theta, no rope_scaling, and model_type is %s"):format(WHO, where, seen(model_type)))
end

-- Configurations from before rope_parameters say in keys of their own that layers with a window have another base, and no scaling.
local function by_kind_of_layer(config)
    local whole, window = config.global_rope_theta or config.rope_theta, config.local_rope_theta or config.rope_local_base_freq
    if window == nil or config.rope_parameters ~= nil then return nil end
    local full = {rope_type = "default", rope_theta = whole}
    for name, x in pairs(type(config.rope_scaling) == "table" and config.rope_scaling or {}) do full[name] = x end
    return {full_attention = full, sliding_attention = {rope_type = "default", rope_theta = window}}
end

-- The object that says how positions turn: of a list by kinds of layers, the one that is asked for.
local function scaling_object(config, where, layers)
    local apart = by_kind_of_layer(config)
    local key = apart and "rope_theta and rope_scaling" or config.rope_parameters ~= nil and "rope_parameters" or "rope_scaling"
    local object = apart or config[key]
    if object == nil then return fields({}, where .. ": " .. key) end
    if type(object) ~= "table" then raise(("%s: %s: %s is %s; wanted an object"):format(WHO, where, key, seen(object))) end
    local names = {}
    for name, part in pairs(object) do
        if type(part) == "table" and not json.is_list(part) and (part.rope_type or part.rope_theta) then names[#names + 1] = name end
    end
    if #names == 0 then return fields(object, where .. ": " .. key) end
    table.sort(names)
    if not layers or type(object[layers]) ~= "table" then
        raise(("%s: %s: %s differ by layer; wanted {layers=}, one of \"%s\""):format(WHO, where, key, table.concat(names, '", "')))
    end
    return fields(object[layers], where .. ": " .. key .. "." .. layers)
end

-- How many columns a head has, and how many of them turn.
local function columns(c, s)
    local rope_only = c.number("qk_rope_head_dim", 2, 65536, true) -- keys in two parts, of which one turns
    local d = rope_only or c.number("head_dim", 2, 65536, true)
    if not d then
        local all, heads = c.wanted("hidden_size n_embd", 2, 2^30, true), c.wanted("num_attention_heads n_head", 1, 2^20, true)
        if all % heads ~= 0 then raise(("%s: %s: %d columns for %d heads; wanted a multiple"):format(WHO, c.where, all, heads)) end
        d = all // heads
    end
    if rope_only then return d, d end
    local share = s.number("partial_rotary_factor", 0, 1) or c.number("partial_rotary_factor rotary_pct", 0, 1)
    local rotary = c.number("rotary_dim", 2, d, true) or share and math.floor(d * share) or d
    if rotary < 2 or rotary % 2 ~= 0 then raise(("%s: %s: %d of %d columns turn; wanted an even number (pairs)"):format(WHO, c.where, rotary, d)) end
    return d, rotary
end

local function unread(s)
    local out = {}
    for name in pairs(s.object) do
        if not s.read[name] then out[#out + 1] = name end
    end
    table.sort(out)
    return out
end

function M.of(from, options)
    options = tools.check_options(WHO, options, {"length", "layers"})
    local wanted = options.length
    if wanted ~= nil and (type(wanted) ~= "number" or not (wanted >= 1 and wanted <= LONG)) then
        raise(("%s: length is %s; wanted a number from 1 to %g"):format(WHO, seen(wanted), LONG))
    end
    local config, where = opened(from)
    if config.hidden_size == nil and type(config.text_config) == "table" then config, where = config.text_config, where .. ": text_config" end
    local c, s = fields(config, where), scaling_object(config, where, options.layers)
    local kind = s.text "rope_type type" or "default"
    s.read.type = true
    if not kinds[kind] then
        raise(("%s: %s: rope_type is %s; wanted \"default\", \"linear\", \"dynamic\", \"yarn\", \"longrope\" or \"llama3\""):format(WHO, s.where, seen(kind)))
    end
    local model_type = c.text "model_type"
    check_that_it_turns(config, where, model_type)
    local d, rotary = columns(c, s)
    local length = c.number("max_position_embeddings n_positions", 2, LONG)
    local train = s.number("original_max_position_embeddings", 2, LONG) or c.number("original_max_position_embeddings", 2, LONG) or length
    if kind ~= "default" and kind ~= "linear" and kind ~= "mrope" and not train then
        raise(("%s: %s has no max_position_embeddings"):format(WHO, where))
    end
    local base = s.number("rope_theta", 1, 1e300) or c.number("rope_theta rotary_emb_base", 1, 1e300)
    if not base and model_type and other_base:find(" " .. model_type .. " ", 1, true) then
        raise(("%s: %s has no rope_theta, and %s has another than 10000"):format(WHO, where, model_type))
    end
    base = base or 10000
    local scaling = kinds[kind](s, {length = length, train = train, rotary = rotary, wanted = wanted})
    local sections = s.object.mrope_section ~= nil and s.list "mrope_section" or nil
    local layout = layout_of(model_type, config)
    return {
        model = model_type, d = d, rotary = rotary, length = length, train = train, sections = sections, unread = unread(s),
        frequencies = {base = base, scaling = scaling},
        context = {base = base, scaling = scaling, train = train},
        rope = {base = base, scaling = scaling, layout = layout, rotary = rotary < d and rotary or nil},
    }
end

return M
