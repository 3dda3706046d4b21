-- The points at which a function or a formula is drawn, and the bounds within which a formula's curve lies for certain.
local lab, tools = require "phasor", require "phasor.tools"
local raise, seen = tools.raise, tools.seen

-- Where two neighbours of a sampled curve bend too much, the next pass puts a point between. Beyond `most` points it stops.
local FIRST, MOST, PASSES, BEND = 129, 4000, 8, 2e-3

-- The first points, a little off an even grid (by the golden ratio), so that no period hides behind it.
local function first_points(a, b, n, scaled, back)
    local xs = {a}
    for i = 1, n - 2 do xs[i + 1] = back(scaled(a) + (scaled(b) - scaled(a)) * (i + ((i * 0.6180339887498949) % 1 - 0.5) / 2) / (n - 1)) end
    xs[n] = b
    return xs
end

local function finite(y) return y == y and y ~= math.huge and y ~= -math.huge end

-- The range within which nearly all values lie: a pole does not flatten the rest.
local function central(ys)
    local v = {}
    for i = 1, #ys do
        if finite(ys[i]) then v[#v + 1] = ys[i] end
    end
    if #v < 2 then return v[1] or 0, v[1] or 0, false end
    table.sort(v)
    local lo, hi, cut = v[1], v[#v], math.max(1, #v // 20)
    local a, b = v[cut], v[#v + 1 - cut]
    if hi - lo > 20 * (b - a) and b > a then return a - (b - a) / 2, b + (b - a) / 2, true end
    return lo, hi, false
end

local function refine(xs, ys, lo, hi, value, scaled, back)
    local n = #xs
    local width, height = scaled(xs[n]) - scaled(xs[1]), hi - lo
    local split, any = {}, false
    for i = 2, n - 1 do
        local y0, y1, y2 = ys[i - 1], ys[i], ys[i + 1]
        local x0, x1, x2 = scaled(xs[i - 1]), scaled(xs[i]), scaled(xs[i + 1])
        local bent
        if finite(y0) and finite(y1) and finite(y2) then
            local within = math.max(y0, y1, y2) >= lo and math.min(y0, y1, y2) <= hi
            bent = within and math.abs(y1 - (y0 + (y2 - y0) * (x1 - x0) / (x2 - x0))) > BEND * height
        else bent = finite(y0) ~= finite(y1) or finite(y1) ~= finite(y2) end
        if bent and x2 - x0 > 1e-6 * width then split[i - 1], split[i], any = true, true, true end
    end
    if not any or n >= MOST then return xs, ys, false end
    local nx, ny = {}, {}
    for i = 1, n do
        nx[#nx + 1], ny[#ny + 1] = xs[i], ys[i]
        if split[i] then
            local x = back((scaled(xs[i]) + scaled(xs[i + 1])) / 2)
            nx[#nx + 1], ny[#ny + 1] = x, value(x)
        end
    end
    return nx, ny, true
end

-- A jump by more than the whole picture within a millionth of its width is no slope: the curve is cut there.
local function cut_jumps(xs, ys, lo, hi, scaled)
    local width, nx, ny = scaled(xs[#xs]) - scaled(xs[1]), {}, {}
    for i = 1, #xs do
        if i > 1 and math.abs(ys[i] - ys[i - 1]) > hi - lo and scaled(xs[i]) - scaled(xs[i - 1]) < 1e-4 * width then
            nx[#nx + 1], ny[#ny + 1] = xs[i], 0 / 0
        end
        nx[#nx + 1], ny[#ny + 1] = xs[i], ys[i]
    end
    return nx, ny
end

-- The points of a function over {a, b}; also the range of y to show when a pole goes beyond it.
local function sample(who, f, a, b, logarithmic, count)
    local scaled = logarithmic and math.log or function(x) return x end
    local back = logarithmic and math.exp or scaled
    local function value(x)
        local y = f(x)
        if type(y) ~= "number" then raise(("%s: the function gave %s at %s; wanted a number"):format(who, seen(y), tostring(x))) end
        return y
    end
    local xs = first_points(a, b, count or FIRST, scaled, back)
    local ys = {}
    for i = 1, #xs do ys[i] = value(xs[i]) end
    local lo, hi, pole = central(ys)
    local more = count == nil
    for _ = 1, PASSES do
        if not more then break end
        xs, ys, more = refine(xs, ys, lo, hi, value, scaled, back)
    end
    xs, ys = cut_jumps(xs, ys, lo, hi, scaled)
    return lab.array(xs), lab.array(ys), pole and {lo, hi} or nil
end

local function at_integers(who, f, a, b)
    local xs, ys = {}, {}
    for k = math.ceil(a), math.floor(b) do
        local y = f(k)
        if type(y) ~= "number" then raise(("%s: the formula gave %s at %d; wanted a number"):format(who, seen(y), k)) end
        xs[#xs + 1], ys[#ys + 1] = k, y
    end
    return lab.array(xs), lab.array(ys)
end

local function only_symbol(who, f)
    local symbols = f:symbols()
    if #symbols ~= 1 then
        raise(("%s: the formula has %d symbols; wanted one, for the axis of x"):format(who, #symbols))
    end
    return symbols[1]
end

local function formula_function(who, f)
    local symbol = only_symbol(who, f)
    return function(x) return lab.evaluate(f, {[symbol] = x}) end
end

-- A number as the fraction that it is. (Its numerator and denominator fit: sizes beyond are refused with those words.)
local function exact(x)
    local m, power = x, 0
    while m ~= math.floor(m) and power < 62 do m, power = m * 2, power + 1 end
    return lab.rat(math.tointeger(m) or m, 1 << power)
end

-- About `most` whole numbers from a to b, evenly spread on a logarithmic axis, all of them where they are few.
local function steps(a, b, most)
    local out, last = {}, nil
    for i = 0, most do
        local k = math.floor(a * (b / a) ^ (i / most) + 0.5)
        if k ~= last then out[#out + 1], last = k, k end
    end
    return out
end

-- Where a formula certainly lies over {a, b}: x, lower and upper edges, steps over `pieces` intervals; at each integer for an
-- integer symbol.
local PIECES = 160
local function certified_band(who, f, a, b, height, logarithmic)
    local symbol, xs, lo, hi = only_symbol(who, f), {}, {}, {}
    local name = tostring(symbol)
    local function edge(i)
        if i == 0 or i == PIECES then return i == 0 and a or b end
        return logarithmic and a * (b / a) ^ (i / PIECES) or a + (b - a) * i / PIECES
    end
    local function put(x, lower, upper) xs[#xs + 1], lo[#lo + 1], hi[#hi + 1] = x, lower, upper end
    if symbol.assumption == "integer" or symbol.assumption == "natural" then
        if b - a > 4000 then raise(("%s: certified values at %.0f integers; wanted at most 4000"):format(who, b - a)) end
        for k = math.ceil(a), math.floor(b) do
            local ball = lab.enclose(f, {[name] = k})
            put(k, ball.lower, ball.upper)
        end
    else
        for i = 0, PIECES - 1 do
            local from, to = edge(i), edge(i + 1)
            local range = lab.bounds(f, {[name] = {exact(from), exact(to)}}, {tolerance = height / 200, boxes = 40})
            put(from, range.min.lower, range.max.upper)
            put(to, range.min.lower, range.max.upper)
        end
    end
    return lab.array(xs), lab.array(lo), lab.array(hi)
end

return {sample = sample, at_integers = at_integers, only_symbol = only_symbol, formula_function = formula_function,
    certified_band = certified_band, steps = steps, central = central}
