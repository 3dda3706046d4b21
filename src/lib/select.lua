-- A[mask], A[indices] and A[mask] = v: elements chosen by an array.
local lab, tools = require "phasor", require "phasor.tools"
local values = require "phasor.lib.values"
local raise, seen, shape_text = tools.raise, tools.seen, values.shape_text

local M = {}

-- Of a mask: does it choose elements (true) or rows (false)?
local function by_element(A, mask)
    if values.same_shape(A, mask) then return true end
    if mask.ndim == 1 and A.ndim > 0 and mask.size == A.shape[1] then return false end
    raise(("array: a mask of shape %s for an array of shape %s; wanted the same shape, or one element for each row"):format(
        shape_text(mask), shape_text(A)))
end

function M.get(A, chosen)
    if chosen.dtype ~= "bool" then return lab.take(A, chosen) end
    if not by_element(A, chosen) then return lab.take(A, lab.find(chosen)) end
    return lab.take(lab.reshape(A, A.size), lab.find(lab.reshape(chosen, chosen.size)))
end

local function is_single(v) return not tools.is_array(v) and type(v) ~= "table" or tools.is_array(v) and v.ndim == 0 end

-- All of them, before the first place is written.
local function check_whole(indices)
    for k = 1, indices.shape[1] do
        if not math.tointeger(indices(k)) then raise(("array: index is %s; wanted a whole number"):format(seen(indices(k)))) end
    end
end

-- The values one by one, where the mask is true; rows for a mask of rows.
local function put_each(A, places, v)
    v = lab.array(v)
    local n = places.shape[1]
    if v.ndim == 0 or v.shape[1] ~= n then
        raise(("array: %s places are chosen and the values have shape %s; wanted a number, or as many values"):format(n, shape_text(v)))
    end
    for k = 1, n do A[places.ndim == 1 and math.tointeger(places(k)) or places[k]:totable()] = v[k] end
end

function M.set(A, chosen, v)
    local places = chosen
    if chosen.dtype == "bool" then
        if by_element(A, chosen) and is_single(v) then
            A[{}] = lab.where(chosen, v, A)
            return
        end
        places = lab.find(chosen)
    elseif chosen.ndim ~= 1 then
        raise("array: the indices have shape " .. shape_text(chosen) .. "; wanted a list, or a mask of booleans")
    else check_whole(chosen) end
    if not is_single(v) then return put_each(A, places, v) end
    for k = 1, places.shape[1] do A[math.tointeger(places(k))] = v end
end

return M
