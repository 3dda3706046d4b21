-- Derivatives: grad, jvp, vjp, jacobian, hessian, hvp, taylor, made of tapes and sweeps. Receives the laboratory's table, C's
-- helpers and those of diff.c.
-- A structure is a number, an array, or a table of structures. Its leaves are its arrays and the tables of numbers in it, and
-- its numbers that are not whole; whole numbers in a table (heads = 4), strings, booleans and functions stay what they are.
local lab, tools, diff = ...
local raise = tools.raise

-- ---- structures ------------------------------------------------------------------------------------------------------

local function class_of(v)
    local meta = type(v) == "userdata" and debug.getmetatable(v)
    return type(meta) == "table" and meta.__name or nil
end

local function is_array(v)
    local class = class_of(v)
    return class == "Array" or class == "Traced"
end

local function is_plain_table(v) return type(v) == "table" and debug.getmetatable(v) == nil end

-- A list of numbers, or of such lists: the laboratory reads it as an array.
local function is_numbers(t, depth)
    local n, seen = #t, 0
    if n == 0 or depth > 8 then return false end
    for _, v in next, t do
        seen = seen + 1
        if type(v) ~= "number" and not (is_plain_table(v) and is_numbers(v, depth + 1)) then return false end
    end
    return seen == n
end

local function callable(f)
    local meta = debug.getmetatable(f)
    return type(f) == "function" or type(meta) == "table" and rawget(meta, "__call") ~= nil
end

local function seen(v)
    if type(v) == "string" then return '"' .. v:sub(1, 40) .. '"' end
    if is_array(v) then return "an array of shape (" .. table.concat(v.shape, ", ") .. ")" end
    return (type(v) == "number" or v == nil or type(v) == "boolean") and tostring(v) or "a " .. (class_of(v) or type(v)):lower()
end

local function check_function(who, f)
    if not callable(f) then raise(("%s: f is %s; wanted a function of arrays"):format(who, seen(f))) end
    return f
end

-- Keys in an order that is the same in every run.
local function sorted_keys(t)
    local keys = {}
    for k in next, t do keys[#keys + 1] = k end
    table.sort(keys, function(a, b)
        if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
        return type(a) < type(b)
    end)
    return keys
end

-- Calls visit(leaf, name) for every leaf of v and returns the structure with what visit gives; what is no leaf is kept, or left
-- out when `only`. At the top every number is a leaf.
local function map(v, name, visit, only, depth)
    depth = depth or 0
    if depth > 50 then raise(name .. ": tables more than 50 deep; does one contain itself?") end
    if type(v) == "number" and (depth == 0 or math.type(v) == "float") then return visit(v, name) end
    if is_array(v) then
        if depth > 0 and v.dtype ~= "f64" and v.dtype ~= "f32" then return (not only) and v or nil end
        return visit(v, name)
    end
    if not is_plain_table(v) then
        if depth == 0 then return visit(v, name) end
        return (not only) and v or nil
    end
    if is_numbers(v, 1) then return visit(lab.array(v), name) end
    local out = {}
    for _, k in ipairs(sorted_keys(v)) do
        local path = math.type(k) == "integer" and ("%s[%d]"):format(name, k) or ("%s.%s"):format(name, tostring(k))
        out[k] = map(v[k], path, visit, only, depth + 1)
    end
    return out
end

local function leaves_of(v, name, into)
    into = into or {}
    map(v, name, function(leaf, path)
        into[#into + 1] = leaf
        into[-#into] = path
    end)
    return into
end

-- The structure of v with the values of a list in the places of its leaves.
local function rebuilt(v, list, from)
    local k = from or 0
    return map(v, "", function()
        k = k + 1
        return list[k]
    end, true), k
end

-- ---- recording -------------------------------------------------------------------------------------------------------

-- Calls f on traced copies of the arguments: what it returns, and the traced leaves.
local function record(who, tape, f, args)
    local inputs, traced = {}, {}
    for i = 1, args.n do
        traced[i] = map(args[i], args.n == 1 and "the argument" or "argument " .. i, function(leaf, name)
            local x = diff.input(tape, leaf, who, name)
            inputs[#inputs + 1] = x
            return x
        end)
    end
    if #inputs == 0 then raise(who .. ": the arguments hold no array and no number to differentiate by") end
    return table.pack(f(table.unpack(traced, 1, args.n))), inputs
end

local function check_scalar(who, y)
    if type(y) == "number" then return y end
    if is_array(y) and (y.dtype == "f64" or y.dtype == "f32") then
        if y.size == 1 then return y.ndim == 0 and y or lab.reshape(y, {}) end
        raise(("%s: f returned an array of shape (%s); wanted one number (jacobian takes arrays)"):format(who, table.concat(y.shape, ", ")))
    end
    raise(("%s: f returned %s; wanted one real number"):format(who, seen(y)))
end

local function has_nan(v)
    v = diff.plain(v)
    if type(v) == "number" then return v ~= v end
    return is_array(v) and v.size > 0 and lab.any(lab.isnan(v))
end

local function any_nan(list)
    for _, v in ipairs(list) do
        if has_nan(v) then return true end
    end
    return false
end

-- The same once more, with every operation watched: raises where the first nan is made.
local function watched(who, f, args)
    local tape <close> = diff.tape()
    diff.watch(tape)
    local y, inputs = record(who, tape, f, args)
    diff.pull(tape, {y[1]}, {1.0}, inputs, true)
end

-- The value and the gradient by every leaf, as lists.
local function gradient(who, f, args)
    local tape <close> = diff.tape()
    local y, inputs = record(who, tape, f, args)
    local value = check_scalar(who, y[1])
    local list = diff.pull(tape, {value}, {1.0}, inputs, true)
    value = diff.outside(tape, value)
    if (has_nan(value) or any_nan(list)) and not any_nan(leaves_of(args, "")) then watched(who, f, args) end
    return value, list
end

local function value_and_grad(f)
    check_function("value_and_grad", f)
    return tools.wrap(function(...)
        local args = table.pack(...)
        local value, list = gradient("value_and_grad", f, args)
        local out, k = {}, 0
        for i = 1, args.n do out[i], k = rebuilt(args[i], list, k) end
        return value, table.unpack(out, 1, args.n)
    end)
end

local function grad(f)
    check_function("grad", f)
    return tools.wrap(function(...)
        local args = table.pack(...)
        local _, list = gradient("grad", f, args)
        local out, k = {}, 0
        for i = 1, args.n do out[i], k = rebuilt(args[i], list, k) end
        return table.unpack(out, 1, args.n)
    end)
end

-- ---- rows ------------------------------------------------------------------------------------------------------------

local function row(name, fn, args, help, example)
    tools.register{topic = "derivatives", name = name, fn = tools.wrap(fn), args = args, help = help, example = example}
end

row("grad", grad, "f", "The gradient of a function, as a function: exact, to rounding.\n" ..
    "f: takes numbers, arrays and tables of them and returns one real number. The gradient takes the same and returns, for each" ..
    " argument, what has its shape. Lists of numbers count as arrays; whole numbers inside tables are settings and have no" ..
    " gradient.\nWritten once backwards through the operations of f: a few times the cost of f, however many variables.",
    "grad(function(x) return x^3 end)(2)  --> 12.0\ngrad(function(x) return sum(x*x) end){1, 2}:totable()  --> {2.0, 4.0}\n" ..
    "grad(grad(function(x) return sin(x) end))(0)  --> -0.0\ngrad(function(x) return 2*x end){1, 2}  --> error: wanted one number")
row("value_and_grad", value_and_grad, "f", "As grad, with the value in front: value, gradient.\nf: as for grad.",
    "value_and_grad(function(x) return x^2 end)(3)  --> 9.0\t6.0")
