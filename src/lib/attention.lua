-- Attention, the part that is better said in Lua: masks, weights on request. Returns what layers.lua checks its arguments with too.
local lab, tools = require "phasor", require "phasor.tools"
local raise, seen = tools.raise, tools.seen
local option_words = require "phasor.lib.option_words"

-- ---- arguments -------------------------------------------------------------------------------------------------------

local function check_int(who, what, v, least)
    local k = type(v) == "number" and math.tointeger(v)
    if not k or k < least or k > 2^31 then
        raise(("%s: %s is %s; wanted an integer of at least %d"):format(who, what, seen(v), least))
    end
    return k
end

-- ---- masks -------------------------------------------------------------------------------------------------------------

-- Positions 0 .. T-1 of the queries as a column, 0 .. S-1 of the keys as a row; the last query stands at the last key.
local function positions(who, T, S)
    T = check_int(who, "T", T, 0)
    S = S == nil and T or check_int(who, "S", S, 0)
    if T * S > 2^31 then raise(("%s: %d by %d is too many; wanted at most 2^31 elements"):format(who, T, S)) end
    local i = lab.reshape(lab.range(0, T - 1), T, 1) + (S - T)
    return i, lab.range(0, S - 1)
end

local function causal_mask(T, S)
    local i, j = positions("causal_mask", T, S)
    return lab.le(j, i)
end

local function window_mask(T, w, S)
    w = check_int("window_mask", "w", w, 1)
    local i, j = positions("window_mask", T, S)
    return lab.logical_and(lab.lt(j, i + w), lab.gt(j, i - w))
end

local function prefix_mask(T, p, S)
    p = check_int("prefix_mask", "p", p, 0)
    local i, j = positions("prefix_mask", T, S)
    return lab.logical_or(lab.le(j, i), lab.lt(j, p))
end

local function padding_mask(lengths, S)
    S = check_int("padding_mask", "S", S, 0)
    if type(lengths) == "table" then
        for k = 1, #lengths do check_int("padding_mask", ("length %d"):format(k), lengths[k], 0) end
    end
    local n = lab.array(lengths)
    if n.ndim ~= 1 then raise(("padding_mask: lengths have %d dimensions; wanted a list, one for each sequence"):format(n.ndim)) end
    for k = 1, #n do
        local length = check_int("padding_mask", ("length %d"):format(k), n(k), 0)
        if length > S then raise(("padding_mask: length %d is %d; wanted at most %d, all there are"):format(k, length, S)) end
    end
    return lab.lt(lab.range(0, S - 1), lab.reshape(n, #n, 1, 1, 1))
end

-- ---- weights on request ------------------------------------------------------------------------------------------------

local blocked = lab.attention
local NEEDS = option_words.declare("need", {"weights"}, "attention", "multi_head")

local function attention(Q, K, V, options, ...)
    if type(options) ~= "table" or options.need == nil then return blocked(Q, K, V, options, ...) end
    option_words.check("attention", "need", options.need, NEEDS)
    local rest = {}
    for key, value in next, options do
        if key ~= "need" then rest[key] = value end
    end
    return blocked(Q, K, V, rest), lab.attention_weights(Q, K, rest)
end

lab.attention = tools.wrap(attention)

-- ---- rows --------------------------------------------------------------------------------------------------------------

local row = require "phasor.lib.rows" "attention"

local MASK = "\nTrue: the query (row) sees the key (column). Masks combine by logical_and and logical_or;" ..
    " where(mask, 0, -inf) is the same to be added to scores."
local SIZES = "T, S: how many queries and keys; S is T when left out. With more keys than queries the last query stands" ..
    " at the last key."
row("causal_mask", causal_mask, "T [, S]", "Whom a query may see when the future is hidden: j <= i.\n" .. SIZES .. MASK,
    "where(causal_mask(2), 1, 0):totable()  --> {{1.0, 0.0}, {1.0, 1.0}}\n" ..
    "where(causal_mask(1, 3), 0, -inf):totable()  --> {{0.0, 0.0, 0.0}}")
row("window_mask", window_mask, "T, w [, S]", "The keys at a distance below w: |i - j| < w.\nw: at least 1, which is the key" ..
    " at the query's own position. " .. SIZES .. MASK,
    "m = window_mask(3, 2)\nwhere(m[1], 1, 0):totable()  --> {1.0, 1.0, 0.0}\n" ..
    "c = logical_and(m, causal_mask(3))\nwhere(c[3], 1, 0):totable()  --> {0.0, 1.0, 1.0}")
row("prefix_mask", prefix_mask, "T, p [, S]", "The first p keys are seen by all, the others as in causal_mask.\n" ..
    "p: 0 or more. " .. SIZES .. MASK,
    "where(prefix_mask(3, 2)[1], 1, 0):totable()  --> {1.0, 1.0, 0.0}")
row("padding_mask", padding_mask, "lengths, S", "The keys that are there, for sequences padded to one length.\n" ..
    "lengths: how many keys each of B sequences has. S: how many there is room for. The result is (B, 1, 1, S), for" ..
    " scores (B, H, T, S)." .. MASK,
    "m = padding_mask({1, 3}, 3)\nm.shape  --> {2, 1, 1, 3}\nsum(where(m, 1, 0), -1):totable()  --> {{{1.0}}, {{3.0}}}")

return {check_int = check_int}
