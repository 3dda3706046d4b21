-- Parameters as one vector: the arrays of a tree are views into it, in a fixed order (the keys of each table sorted), so that an optimiser's
-- step is a few passes over one array. Numbers, strings and whole numbers in the tree stay what they are.
local lab, tools = require "phasor", require "phasor.tools"
local values = require "phasor.lib.values"
local is_array = tools.is_array

local M = {}

-- Calls visit(array, path) for each array of a tree and returns the tree with what visit gives in their places.
local function map(tree, visit, path)
    if is_array(tree) then return visit(tree, path) end
    if not values.is_plain_table(tree) then return tree end
    local out = {}
    for _, k in ipairs(values.sorted_keys(tree)) do out[k] = map(tree[k], visit, path == "" and tostring(k) or path .. "." .. tostring(k)) end
    return out
end

-- visit(array, "layers.1.attention.Wq")
function M.map(tree, visit) return map(tree, visit, "") end

-- Gives the storage of a list of arrays back now, so that no collection is needed for it.
function M.close(list)
    for _, x in ipairs(list) do local _ <close> = x end
end

-- The arrays of a tree one after another, as one vector of that dtype.
function M.vector(tree, dtype)
    local parts = {}
    M.map(tree, function(x)
        x = x.dtype == dtype and x or lab.astype(x, dtype)
        parts[#parts + 1] = lab.reshape(x, x.size)
        return x
    end)
    local whole = lab.concat(parts)
    M.close(parts)
    return whole
end

-- A tree like `tree` whose arrays are views into the vector x.
function M.views(tree, x)
    local at = 0
    return M.map(tree, function(like)
        local n = like.size
        local v = lab.reshape(x[{ {at + 1, at + n} }], like.shape)
        at = at + n
        return v
    end)
end

return M
