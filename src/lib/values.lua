-- What the laboratory's Lua asks of any value: may it be called, in which order are its keys, what is its shape, which name was meant.
local tools = require "phasor.tools"

local M = {}

function M.callable(f)
    local meta = debug.getmetatable(f)
    return type(f) == "function" or type(meta) == "table" and rawget(meta, "__call") ~= nil
end

function M.is_plain_table(v) return type(v) == "table" and debug.getmetatable(v) == nil end

local ordered = {boolean = true, number = true, string = true}

-- The keys of a table in an order that is the same in every run, numbers before strings. Keys without an order (tables, functions) come
-- last, as they are found; the second result counts them.
function M.sorted_keys(t)
    local keys, others = {}, {}
    for k in next, t do
        local list = ordered[type(k)] and keys or others
        list[#list + 1] = k
    end
    table.sort(keys, function(a, b)
        local ta, tb = type(a), type(b)
        if ta ~= tb then return ta < tb end
        if ta == "boolean" then return not a and b end
        return a < b
    end)
    table.move(others, 1, #others, #keys + 1, keys)
    return keys, #others
end

-- "(2, 3)"; "()" for a number.
function M.shape_text(v) return "(" .. table.concat(tools.is_array(v) and v.shape or {}, ", ") .. ")" end

function M.same_shape(a, b)
    if a.ndim ~= b.ndim then return false end
    for k = 1, a.ndim do
        if a.shape[k] ~= b.shape[k] then return false end
    end
    return true
end

-- "; did you mean 'x'?" when one of the string keys of `known` is near, else nil. A question ends what is said.
function M.hint(name, known)
    local near = type(name) == "string" and tools.nearest(name, known)
    return near and "; did you mean '" .. near .. "'?" or nil
end

-- The string keys of a table, sorted: "a, b, c".
function M.list(known)
    local names = {}
    for key in pairs(known) do names[#names + 1] = tostring(key) end
    table.sort(names)
    return #names > 0 and table.concat(names, ", ") or "none"
end

-- Raises "unknown field 'x' of a report; did you mean 'y'?".
function M.unknown_field(name, of, known)
    tools.raise(("unknown field '%s' of %s%s"):format(tostring(name):sub(1, 60), of, M.hint(name, known) or ""))
end

-- A verdict's line as its strength and the rest: the strength ends at the first sign or blank, whichever the language.
function M.strength_first(line)
    local stop = #line
    for _, sign in ipairs{" ", ":", ";", ",", "：", "；", "，"} do
        local at = line:find(sign, 1, true)
        if at and at - 1 < stop then stop = at - 1 end
    end
    return line:sub(1, stop), line:sub(stop + 1)
end

return M
