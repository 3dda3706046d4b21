-- Encodings written in operations: what runs when an argument is traced, so that there are derivatives with respect to inputs,
-- positions, frequencies, bases, factors and learned numbers, to any order. Receives the laboratory's table, C's helpers and
-- encoding_relative.lua; returns the functions by the name of the encoding's function.
--
-- Invariant: the fast kernel has run before, on the plain values of the same arguments, so every argument is known to be good.
-- Phases are plain f64 here: what the kernel rounds once is off by about u |m theta| more.
local lab, tools, relative_forms = ...
local plain = tools.plain -- a traced value without its trace, anything else as it is

-- ---- small things ------------------------------------------------------------------------------------------------------

local function is_plain_table(v) return type(v) == "table" and debug.getmetatable(v) == nil end

-- A list of numbers, some of them traced, as an array.
local function as_array(v)
    if not is_plain_table(v) then return v end
    for _, x in ipairs(v) do
        if type(x) ~= "number" then return lab.stack(v) end
    end
    return lab.array(v)
end

local function column(v) return lab.expand(v, 2) end
local function counted(n) return lab.range(0, n - 1) end -- 0, 1, ..., n-1

-- A count T, or a list of positions.
local function positions(T, offset)
    local at = type(T) == "number" and counted(T) or as_array(T)
    return at + (offset or 0)
end

local function as_dtype(x, dtype)
    if x.dtype == dtype then return x end
    return x:astype(dtype)
end

-- x[..., first .. last] of the last dimension
local function columns(x, first, last, step)
    local at = {}
    for k = 1, x.ndim - 1 do at[k] = {} end
    at[x.ndim] = {first, last, step}
    return x[at]
end

-- (..., n) and (..., n) as (..., 2n), in turns
local function in_turns(a, b)
    local shape, n = a.shape, a.ndim
    shape[n] = 2 * shape[n]
    return lab.reshape(lab.stack({a, b}, n + 1), shape)
end

-- ---- biases -----------------------------------------------------------------------------------------------------------

-- base^(-2i/r), i < pairs
local function powers(base, pairs, r) return base ^ (counted(pairs) * (-2 / r)) end

-- ---- calls -------------------------------------------------------------------------------------------------------------

-- The same without traces, tables within tables too; nil and true when a value has none to show.
local function stripped(v)
    if not is_plain_table(v) then
        local x = plain(v)
        return x, x == nil and v ~= nil
    end
    local out, lost = {}, false
    for k, x in next, v do
        local y, gone = stripped(x)
        out[k], lost = y, lost or gone
    end
    return out, lost
end

-- What counts has no derivative: options that are whole numbers, offsets where positions index a table of distances, sizes.
local WHOLE = {rotary = true, keys = true, window = true, clip = true, clamp = true, max_distance = true, buckets = true}
local REAL_OFFSET = {}
local SIZES = {
    kerple = {"T"},
    learned = {[2] = "T"}, t5 = {[2] = "T"}, fire = {[5] = "T"},
}

local function check_whole(name, args)
    local function traced(v) return not rawequal(plain(v), v) end
    local function refuse(what)
        tools.raise(("%s: %s is traced; whole numbers have no derivative (stop_gradient makes a constant of it)"):format(name, what))
    end
    for k, what in next, SIZES[name] or {} do
        if not is_plain_table(args[k]) and traced(args[k]) and args[k].ndim == 0 then refuse(what) end
    end
    for _, options in next, args do
        for key, v in next, is_plain_table(options) and options or {} do
            if (WHOLE[key] or key == "offset" and not REAL_OFFSET[name]) and not is_plain_table(v) and traced(v) then refuse(key) end
        end
    end
end

local composed = {
}
local more = relative_forms(lab, {plain = plain, as_array = as_array, column = column, counted = counted, powers = powers, columns = columns,
    in_turns = in_turns, as_dtype = as_dtype, positions = positions})
for name, compose in next, more do composed[name] = compose end
local out = {}
for name, compose in next, composed do
    out[name] = function(...)
        local args, lost = stripped({...})
        if not lost then lab[name](table.unpack(args, 1, select("#", ...))) end
        check_whole(name, {...})
        return compose(...)
    end
end
return out
