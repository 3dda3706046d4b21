-- Models and runs in a .safetensors: arrays by the names of the parameters, settings as texts in its header.
local lab, tools = require "phasor", require "phasor.tools"
local flat, values = require "phasor.train.flat", require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local M = {}

M.MODEL, M.RUN = "phasor transformer 1", "phasor training run 1"

-- Nested settings as texts by path, for a header of texts: "position.1.name" -> "s:rope".
function M.spread(prefix, v, out)
    if type(v) == "table" then
        for _, k in ipairs(values.sorted_keys(v)) do M.spread(prefix .. "." .. (math.type(k) and "#" or "") .. tostring(k), v[k], out) end
    elseif type(v) == "number" then out[prefix] = math.type(v) == "integer" and ("i:%d"):format(v) or ("f:%a"):format(v)
    elseif type(v) == "boolean" then out[prefix] = "b:" .. tostring(v)
    elseif type(v) == "string" then out[prefix] = "s:" .. v
    else raise(("save: %s is %s, which no checkpoint holds"):format(prefix, seen(v))) end
    return out
end

local READ = {i = math.tointeger, f = tonumber, b = function(t) return t == "true" end, s = function(t) return t end}

function M.gathered(prefix, texts)
    local out = {}
    for _, path in ipairs(values.sorted_keys(texts)) do
        if path:sub(1, #prefix + 1) == prefix .. "." then
            local at, keys = out, {}
            for key in path:sub(#prefix + 2):gmatch "[^.]+" do keys[#keys + 1] = key:sub(1, 1) == "#" and math.tointeger(key:sub(2)) or key end
            for k = 1, #keys - 1 do
                at[keys[k]] = at[keys[k]] or {}
                at = at[keys[k]]
            end
            local kind, text = texts[path]:match "^(%a):(.*)$"
            if READ[kind] then at[keys[#keys]] = READ[kind](kind == "i" and tonumber(text) or text) end
        end
    end
    return out
end

-- The parameters in a file, for a tree like P.
function M.parameters(path, file, P)
    local names = {}
    for _, name in ipairs(file:names()) do names[name] = true end
    return flat.map(P, function(like, name)
        if not names[name] then raise(("%s has no %s; wanted the parameters of this model"):format(path, name)) end
        local x = file:read(name)
        if values.shape_text(x) ~= values.shape_text(like) then
            raise(("%s in %s is %s; wanted %s"):format(name, path, values.shape_text(x), values.shape_text(like)))
        end
        return lab.astype(x, "f32")
    end)
end

-- Writes a model alone.
function M.save(path, given, P)
    local tensors = {}
    flat.map(P, function(x, name) tensors[name] = x end)
    lab.write(path, tensors, {metadata = M.spread("model", given, {kind = M.MODEL})})
end

-- What the model in a file is made of, and the file, open.
function M.open(path)
    if type(path) ~= "string" then raise(("transformer: the file is %s; wanted a path"):format(seen(path))) end
    local file = lab.read(path)
    local texts = tools.is_array(file) and {} or file:metadata()
    if texts.kind ~= M.RUN and texts.kind ~= M.MODEL then
        raise(("transformer: %s holds no model of this laboratory; its header has no kind '%s'"):format(path, M.MODEL))
    end
    return M.gathered("model", texts), file
end

return M
