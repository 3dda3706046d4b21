-- Formulas, looked at by their shape: taken apart and put together, simplified without rounding (C does that, in verify/shape.c), and
-- what follows from how they are built: growth, bounds.
local lab, verdicts = require "phasor", require "phasor.verdicts"
local simplify, is_constant = verdicts.shape, verdicts.is_constant

local s = lab.sym "s"

-- ---- formulas: taking apart and putting together ---------------------------------------------------------------------

local rebuild = {
    ["+"] = function(a, b) return a + b end, ["*"] = function(a, b) return a * b end,
    ["/"] = function(a, b) return a / b end, ["^"] = function(a, b) return a ^ b end,
    ["-"] = function(a, b) if b == nil then return -a end return a - b end,
}

local leaves = {sym = true, at = true, rat = true, pi = true}

local function map(e, f)
    local op = e.op
    if leaves[op] then return e end
    local args, same = e.args, true
    for i, a in ipairs(args) do
        args[i] = f(a)
        same = same and rawequal(args[i], a)
    end
    return same and e or (rebuild[op] or lab[op])(table.unpack(args, 1, #args))
end

local function each(e, f)
    f(e)
    if not leaves[e.op] then for _, a in ipairs(e.args) do each(a, f) end end
end

local function integer(e) return e.op == "rat" and math.tointeger(tonumber(tostring(e))) or nil end
local function is_zero(e) return integer(e) == 0 end

-- Comparisons are statements, which bounds decide.
local comparison = {lt = true, le = true, gt = true, ge = true, eq = true, ne = true}

local function has(e, name)
    for _, x in ipairs(e:symbols()) do
        if tostring(x) == name or x.op == "at" and x.args[1].name == name then return true end
    end
    return false
end

-- Puts `to` for the symbol `from`, and to[i] for members from[i].
local function replace(e, from, to)
    for _, x in ipairs(e:symbols()) do
        if x.op == "at" and x.args[1].name == from.name then e = lab.subst(e, x, to.op == "sym" and to[integer(x.args[2])] or to)
        elseif x.op == "sym" and x.name == from.name then e = lab.subst(e, x, to) end
    end
    return e
end

-- from -> from + by, members by their own amounts from[i] -> from[i] + by[i]
local function shift(e, from, by)
    for _, x in ipairs(e:symbols()) do
        if x.op == "at" and x.args[1].name == from.name then e = lab.subst(e, x, x + by[integer(x.args[2])])
        elseif x.op == "sym" and x.name == from.name then e = lab.subst(e, x, x + by) end
    end
    return e
end

local function fill(e, family, values)
    for _, x in ipairs(e:symbols()) do
        if x.op == "at" and x.args[1].name == family then e = lab.subst(e, x, values[integer(x.args[2]) + 1]) end
    end
    return e
end

-- Frequencies and other constants become symbols: what holds for them holds for the numbers. One table a subject.
local arithmetic = {["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true}

local function abstract_all(e, known)
    if e.op == "sym" or e.op == "at" or e.op == "rat" and not tostring(e):match("/%d%d%d") then return e end
    if is_constant(e) and not arithmetic[e.op] then
        local text = tostring(e)
        if not known[text] then
            known.count = (known.count or 0) + 1
            known[text] = lab.sym("w" .. known.count, lab.enclose(e).lower > 0 and "positive" or "real")
            known.number = known.number or {}
            known.number["w" .. known.count] = e
        end
        return known[text]
    end
    return map(e, function(a) return abstract_all(a, known) end)
end
-- The numbers again.
local function concrete(e, known)
    for _, x in ipairs(e:symbols()) do
        local number = known.number and known.number[tostring(x)]
        if number then e = lab.subst(e, x, number) end
    end
    return e
end

local function abstract(e, known) return abstract_all(simplify(e), known) end

-- ---- growth: what a formula of s does from s = 0 on, by how it is built ----------------------------------------------

local increasing = {log = true, sqrt = true, exp = true, tanh = true, atan = true, sinh = true}

local function sign_of(e) -- of a constant; nil: unknown
    local b = lab.enclose(e)
    return b.lower > 0 and 1 or b.upper < 0 and -1 or b.lower == 0 and b.upper == 0 and 0 or nil
end

-- 1 or -1: grows beyond every bound, to that side, as s does. nil: not seen from the shape.
local function divergence(e)
    if is_constant(e) then return nil end
    if e.op == "sym" then return 1 end
    local args = e.args
    local a = divergence(args[1])
    if e.op == "-" and #args == 1 then return a and -a end
    if e.op == "abs" then return a and 1 end
    if (e.op == "log" or e.op == "sqrt") and a == 1 then return 1 end
    if not args[2] then return nil end
    local b, ca, cb = divergence(args[2]), is_constant(args[1]), is_constant(args[2])
    if e.op == "-" and b then b = -b end
    if e.op == "+" or e.op == "-" then
        if ca then return b elseif cb then return a end
        return a == b and a or nil
    end
    if e.op == "maximum" then return (a == 1 or b == 1) and 1 or nil end
    if e.op == "minimum" then return (a == -1 or b == -1) and -1 or nil end
    if e.op == "*" then
        if ca then a, b, args = b, a, {args[2], args[1]} elseif not cb then return nil end
        local z = sign_of(args[2])
        return a and z and z ~= 0 and a * z or nil
    end
    if e.op == "/" and cb then
        local z = sign_of(args[2])
        return a and z and z ~= 0 and a * z or nil
    end
    if e.op == "^" and cb and a == 1 and sign_of(args[2]) == 1 then return 1 end
    return nil
end

-- ---- bounds: where s, m and p are, as positions and distances, no less than 0 ------------------------------------------

local from_zero = {s = true, m = true, p = true}

-- Constants that e is never below, never above; nil: none is seen from the shape.
local lower, upper

local function up_to(x, least) -- the bound x of an argument, if a function may be applied to it
    local z = x and sign_of(x)
    return z and z >= least and x or nil
end

local function bound(e, same, other)
    local a, b, op = e.args[1], e.args[2], e.op
    if op == "-" then
        if not b then
            local x = other(a)
            return x and -x
        end
        local x, y = same(a), other(b)
        return x and y and x - y
    elseif op == "+" then
        local x, y = same(a), same(b)
        return x and y and x + y
    elseif op == "*" or op == "/" then
        if op == "*" and not is_constant(a) then a, b = b, a end
        local factor, rest = a, b
        if op == "/" then factor, rest = b, a end
        local z = is_constant(factor) and sign_of(factor)
        if not z or z == 0 then return nil end
        local x = (z > 0 and same or other)(rest)
        return x and (op == "*" and factor * x or x / factor)
    elseif op == "log" then
        local x = up_to(same(a), 1)
        return x and lab.log(x)
    elseif op == "exp" or op == "tanh" or op == "atan" or op == "floor" then
        local x = same(a)
        return x and lab[op](x)
    elseif op == "maximum" or op == "minimum" then
        local x, y = same(a), same(b)
        if x and y then return lab[op](x, y) end
        -- the larger of two is above either, the smaller below either
        return (op == "maximum") == (same == lower) and (x or y) or nil
    elseif op == "^" and is_constant(b) and sign_of(b) == 1 and up_to(lower(a), 0) then
        local x = same(a)
        return x and x ^ b
    end
end

function lower(e)
    if is_constant(e) then return e end
    if e.op == "sym" then return from_zero[e.name] and lab.rat(0) or nil end
    if e.op == "sin" or e.op == "cos" then return lab.rat(-1) end
    if e.op == "abs" then
        local x, y = up_to(lower(e.args[1]), 0), upper(e.args[1])
        return x or y and up_to(-y, 0) or lab.rat(0)
    end
    return bound(e, lower, upper)
end

function upper(e)
    if is_constant(e) then return e end
    if e.op == "sin" or e.op == "cos" then return lab.rat(1) end
    if e.op == "sym" then return nil end
    if e.op == "abs" then
        local x, y = lower(e.args[1]), upper(e.args[1])
        return x and y and lab.maximum(-x, y)
    end
    return bound(e, upper, lower)
end

-- Is a never below b?
local function is_above(a, b)
    local x = lower(simplify(a - b))
    local z = x and sign_of(x)
    return z and z >= 0, z == 1
end

local function truth_of(op, a, b)
    local above, over = is_above(a, b)
    local below, under = is_above(b, a)
    if op == "ge" and above or op == "gt" and over or op == "le" and below or op == "lt" and under then return true end
    if op == "lt" and above or op == "le" and over or op == "gt" and below or op == "ge" and under then return false end
    return nil
end

-- e where s >= 0: cases, the lesser, the greater and |x| are decided where bounds decide them.
local function settle(e)
    if leaves[e.op] or comparison[e.op] then return e end
    if e.op == "piecewise" then
        local args, out = e.args, {}
        for i = 1, #args - 1, 2 do
            local truth = truth_of(args[i].op, args[i].args[1], args[i].args[2])
            if truth == nil then out[#out + 1], out[#out + 2] = args[i], settle(args[i + 1]) end
            if truth then args = {settle(args[i + 1])} break end
        end
        out[#out + 1] = settle(args[#args])
        return #out == 1 and out[1] or lab.piecewise(table.unpack(out))
    end
    e = map(e, settle)
    local a, b = e.args[1], e.args[2]
    if e.op == "maximum" or e.op == "minimum" then
        if is_above(b, a) then a, b = b, a elseif not is_above(a, b) then return e end
        return e.op == "maximum" and a or b
    end
    return e.op == "abs" and is_above(a, lab.rat(0)) and a or e
end

-- Is u <= v wherever 0 <= s <= m?
local function is_below(u, v)
    if is_constant(u) and is_constant(v) then return (sign_of(v - u) or -1) >= 0 end
    if tostring(u) == tostring(v) then return true end
    local a, b = u.args, v.args
    if v.op == "maximum" and (is_below(u, b[1]) or is_below(u, b[2])) then return true end
    if v.op == "+" then
        for i = 1, 2 do if is_constant(b[i]) and (sign_of(b[i]) or -1) >= 0 and is_below(u, b[3 - i]) then return true end end
    end
    if u.op == "sym" then return u.name == "s" and v.op == "sym" and v.name == "m" end
    if u.op ~= v.op then return false end
    if increasing[u.op] then return is_below(a[1], b[1]) end
    if u.op == "+" then
        return is_below(a[1], b[1]) and is_below(a[2], b[2]) or is_below(a[1], b[2]) and is_below(a[2], b[1])
    end
    return u.op == "*" and is_constant(a[1]) and tostring(a[1]) == tostring(b[1]) and sign_of(a[1]) == 1 and is_below(a[2], b[2])
end

-- Is the quotient between 0 and 1 wherever 0 <= s <= m?
local function is_share(e)
    local u, v = e.args[1], e.args[2]
    return up_to(lower(u), 0) ~= nil and up_to(lower(v), 1) ~= nil and is_below(u, v)
end

-- e, settled, with min(1, max(0, xi)) for every quotient that is between 0 and 1 where 0 <= s <= m; and these, by their text.
local function without_shares(e)
    local found, names, count = {}, {}, 0
    local function put(part)
        if leaves[part.op] then return part end
        if part.op ~= "/" or is_constant(part) or not is_share(part) then return map(part, put) end
        local text = tostring(part)
        if not found[text] then found[text], count = part, count + 1 end
        names[text] = names[text] or lab.sym("x" .. count)
        return lab.minimum(1, lab.maximum(0, names[text]))
    end
    return put(settle(e)), found
end

return {
    each = each, is_constant = is_constant, integer = integer, is_zero = is_zero,
    simplify = simplify, has = has, replace = replace, shift = shift, fill = fill, abstract = abstract,
    concrete = concrete, sign_of = sign_of, divergence = divergence,
    settle = settle, without_shares = without_shares,
}
