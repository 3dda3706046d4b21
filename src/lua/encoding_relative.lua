-- The relative forms, written in operations as encoding.lua writes the others. Plain and slow: tables of (T, S) distances, and
-- where a kernel walks, arrays of (T, S, N). Receives the laboratory's table and encoding.lua's small functions; returns the
-- functions by name.
local lab, small = ...
local plain, as_array, column, counted, powers = small.plain, small.as_array, small.column, small.counted, small.powers

-- ---- small things ------------------------------------------------------------------------------------------------------

local function size(x, back) return x.shape[x.ndim - back] end
local function times(a, b) return lab.matmul(a, lab.transpose(b)) end

-- A vector (d), or (H, d) as (H, 1, d).
local function vector(v)
    v = as_array(v)
    return v.ndim == 2 and lab.expand(v, 2) or v
end

-- Rows first .. last of the last but one dimension.
local function rows(x, first, last)
    local at = {}
    for k = 1, x.ndim do at[k] = {} end
    at[x.ndim - 1] = {first, last}
    return x[at]
end

local function first_of(q, k, o) return o.offset or size(k, 1) - size(q, 1) end

-- n - m, (T, S)
local function ahead(T, S, first) return counted(S) - (column(counted(T)) + first) end

-- From columns Z (..., T, R), or (..., S, R) of keys, one for each n - m = lo, lo+1, ...: (..., T, S), the ends beyond.
local function by_distance(Z, T, S, first, lo, of_keys)
    local R, shape = size(Z, 0), {}
    local at = lab.minimum(lab.maximum(ahead(T, S, first) - lo, 0), R - 1)
    local row = of_keys and counted(S) or column(counted(T))
    for k = 1, Z.ndim - 2 do shape[k] = Z.shape[k] end
    shape[#shape + 1] = size(Z, 1) * R
    return lab.take(lab.reshape(Z, shape), row * R + at + 1, -1)
end

-- ---- Shaw --------------------------------------------------------------------------------------------------------------

-- The rows that are used, and n - m of the first.
local function used(table_of, clip)
    local reach = size(table_of, 1) // 2
    local K = clip or reach
    return rows(table_of, reach - K + 1, reach + K + 1), -K
end

local function shaw(q, k, table_of, o)
    o = o or {}
    q, k, table_of = as_array(q), as_array(k), as_array(table_of)
    local T, S, first, lo = size(q, 1), size(k, 1), first_of(q, k, o), nil
    table_of, lo = used(table_of, o.clip)
    local bert = o.variant and o.variant ~= "paper"
    if bert then table_of = lab.flip(table_of, -2) end
    local s = by_distance(times(q, table_of), T, S, first, lo)
    if o.variant == "bert_query" then s = s + by_distance(times(k, table_of), T, S, first, lo, true) end
    if o.content ~= false then s = s + times(q, k) end
    return s / math.sqrt(size(q, 0))
end

local function shaw_values(weights, v, table_of, o)
    o = o or {}
    weights, v, table_of = as_array(weights), as_array(v), as_array(table_of)
    local T, S, lo = size(weights, 1), size(weights, 0), nil
    table_of, lo = used(table_of, o.clip)
    local at = lab.minimum(lab.maximum(ahead(T, S, o.offset or S - T) - lo, 0), size(table_of, 1) - 1)
    local a = lab.take(table_of, at + 1, -2) -- (..., T, S, dv)
    return lab.matmul(weights, v) + lab.sum(lab.expand(weights, weights.ndim + 1) * a, -2)
end

-- ---- sinusoids of the distance -------------------------------------------------------------------------------------------

-- R_t for t = m - n (or n - m) in the order of n - m, and the first n - m.
local function waves(T, S, first, d, o)
    local lo, hi = 1 - first - T, S - 1 - first
    local t = lab.range(lo, hi)
    if not o.ahead then t = -t end
    if o.clamp and o.clamp > 0 then t = lab.maximum(lab.minimum(t, o.clamp), -o.clamp) end
    local angle = column(t) * powers(o.base or 10000, d // 2, o.released and (d > 2 and d - 2 or 2) or d)
    local s, c = lab.sin(angle), lab.cos(angle)
    if o.in_turns then return small.in_turns(s, c), lo end
    return lab.concat({s, c}, 2), lo
end

local function transformer_xl(q, k, W, u, v, o)
    o = o or {}
    q, k, W = as_array(q), as_array(k), as_array(W)
    local T, S, first = size(q, 1), size(k, 1), first_of(q, k, o)
    local R, lo = waves(T, S, first, size(W, 1), {base = o.base, clamp = o.clamp})
    local s = by_distance(times(q + vector(v), lab.matmul(R, W)), T, S, first, lo)
    if o.content ~= false then s = s + times(q + vector(u), k) end
    return s / math.sqrt(size(q, 0))
end

local function xlnet(q, k, W, u, v, o)
    o = o or {}
    local s = transformer_xl(q, k, W, u, v, {offset = o.offset, content = o.content, clamp = o.clamp, base = o.base})
    if not o.segments then return s end
    q, k = as_array(q), as_array(k)
    local T, first, ids = size(q, 1), first_of(q, k, o), plain(as_array(o.segments))
    local same = lab.eq(column(ids[{ {first + 1, first + T} }]), ids)
    local g = times(o.w and q + vector(o.w) or q, as_array(o.same_or_not))
    local at = {}
    for n = 1, g.ndim - 1 do at[n] = {} end
    local function of(c)
        at[g.ndim] = {c, c}
        return g[at]
    end
    return s + lab.where(same, of(1), of(2)) / math.sqrt(size(q, 0))
end

local function tener(q, k, u, v, o)
    o = o or {}
    q, k = as_array(q), as_array(k)
    local T, S, first, code = size(q, 1), size(k, 1), first_of(q, k, o), o.variant == "code"
    local R, lo = waves(T, S, first, size(q, 0), {base = o.base, ahead = code, released = code, in_turns = not code})
    local s = by_distance(times(q + vector(v), R), T, S, first, lo)
    return o.content == false and s or s + times(q + vector(u), k)
end

-- ---- the others ----------------------------------------------------------------------------------------------------------

local function deberta(q, k, qr, kr, o)
    o = o or {}
    q, k, qr, kr = as_array(q), as_array(k), as_array(qr), as_array(kr)
    local T, S, first, K = size(q, 1), size(k, 1), first_of(q, k, o), size(qr, 1) // 2
    local s = by_distance(times(q, lab.flip(kr, -2)), T, S, first, 1 - K)
    if o.variant == "code" then s = s + by_distance(times(k, lab.flip(qr, -2)), T, S, first, 1 - K, true)
    else s = s + by_distance(times(k, qr), T, S, first, -K, true) end
    if o.content ~= false then s = s + times(q, k) end
    return s / math.sqrt(3 * size(q, 0))
end

-- A straight line between rows is a sum of hats: row r counts by max(0, 1 - |p - r|).
local function cope(q, k, table_of, o)
    o = o or {}
    q, k, table_of = as_array(q), as_array(k), as_array(table_of)
    local T, S, N, root = size(q, 1), size(k, 1), size(table_of, 1), math.sqrt(size(q, 0))
    local code = o.variant == "code"
    local seen = lab.le(ahead(T, S, first_of(q, k, o)), 0)
    local logit = times(q, k)
    local gate = lab.where(seen, lab.sigmoid(code and logit / root or logit), 0)
    local p = lab.minimum(lab.flip(lab.cumsum(lab.flip(gate, -1), -1), -1), N - 1)
    local hats = lab.maximum(1 - lab.abs(lab.expand(p, p.ndim + 1) - counted(N)), 0)
    local s = lab.sum(hats * lab.expand(times(q, table_of), -2), -1)
    if not code then s = s / root end
    if o.content ~= false then s = s + logit / root end
    return lab.where(seen, s, -math.huge)
end

local function rerope(q, k, o)
    q, k = as_array(q), as_array(k)
    local T, S, d, w, leak = size(q, 1), size(k, 1), size(q, 0), o.window or 512, o.leak or 0
    local t = -ahead(T, S, first_of(q, k, o))
    local beyond = lab.maximum(lab.abs(t) - w, 0)
    local f = lab.where(lab.lt(lab.abs(t), w), t, lab.sign(t) * (w + beyond * leak))
    local angle = lab.expand(f, 3) * powers(o.base or 10000, d // 2, d)
    local c, s = lab.cos(angle), lab.sin(angle)
    local function pairs_of(x, axis) -- (..., T, 1, P) of queries, (..., 1, S, P) of keys: first and second of each pair
        local a, b
        if o.layout == "half" then a, b = small.columns(x, 1, d // 2), small.columns(x, d // 2 + 1, d)
        else a, b = small.columns(x, 1, d - 1, 2), small.columns(x, 2, d, 2) end
        return lab.expand(a, axis), lab.expand(b, axis)
    end
    local qa, qb = pairs_of(q, q.ndim)
    local ka, kb = pairs_of(k, k.ndim - 1)
    return lab.sum(c * (qa * ka + qb * kb) + s * (qa * kb - qb * ka), -1) / math.sqrt(d)
end

return {shaw = shaw, shaw_values = shaw_values, transformer_xl = transformer_xl, xlnet = xlnet, tener = tener, deberta = deberta,
    cope = cope, rerope = rerope}
