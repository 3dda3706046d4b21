-- Derivatives: grad, jvp, vjp, jacobian, hessian, hvp, taylor, made of tapes and sweeps.
-- A structure is a number, an array, or a table of structures. Its leaves are its arrays and the tables of numbers in it, and
-- its numbers that are not whole; whole numbers in a table (heads = 4), strings, booleans and functions stay what they are.
local lab, tools = require "phasor", require "phasor.tools"
local diff, values = require "phasor.tapes", require "phasor.lib.values"
local raise, seen, is_array = tools.raise, tools.seen, tools.is_array

-- ---- structures ------------------------------------------------------------------------------------------------------

local is_plain_table, callable, sorted_keys, shape_text = values.is_plain_table, values.callable, values.sorted_keys, values.shape_text

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

local function check_function(who, f)
    if not callable(f) then raise(("%s: f is %s; wanted a function of arrays"):format(who, seen(f))) end
    return f
end

-- The name of an entry of what is called `name`.
local function entry(name, k)
    return math.type(k) == "integer" and ("%s[%d]"):format(name, k) or ("%s.%s"):format(name, tostring(k))
end

-- Calls visit(leaf, name, path) for every leaf of v and returns the structure with what visit gives; path is the list of keys that
-- lead there, for the time of the call. What is no leaf is kept, or left out when how.only. At the top every number is a leaf, and
-- with how.numbers, in a result, at every depth.
local function map(v, name, visit, how)
    local path, only, numbers = {}, how and how.only, how and how.numbers
    local function walk(v, name)
        local depth = #path
        if depth > 50 then raise(name:sub(1, 40) .. "...: tables more than 50 deep; does one contain itself?") end
        if type(v) == "number" and (depth == 0 or numbers or math.type(v) == "float") then return visit(v, name, path) end
        if is_array(v) and (depth == 0 or v.dtype == "f64" or v.dtype == "f32") then return visit(v, name, path) end
        if not is_plain_table(v) then
            if depth == 0 then return visit(v, name, path) end
            return (not only) and v or nil
        end
        if is_numbers(v, 1) then return visit(lab.array(v), name, path) end
        local out = {}
        for _, k in ipairs(sorted_keys(v)) do
            path[depth + 1] = k
            out[k] = walk(v[k], entry(name, k))
            path[depth + 1] = nil
        end
        return out
    end
    return walk(v, name)
end

local function leaves_of(v, name, how)
    local into = {}
    map(v, name, function(leaf, path)
        into[#into + 1] = leaf
        into[-#into] = path
    end, how)
    return into
end

-- The structure of v with the values of a list in the places of its leaves.
local function rebuilt(v, list, from, numbers)
    local k = from or 0
    return map(v, "", function()
        k = k + 1
        return list[k]
    end, {only = true, numbers = numbers}), k
end

-- What f returned: its leaves, each a number or an array of real numbers, and their names at -1, -2, ...
local RESULT = {numbers = true}
local function results_of(who, y)
    local list = leaves_of(y, "the result", RESULT)
    for _, v in ipairs(list) do
        if is_array(v) and v.dtype ~= "f64" and v.dtype ~= "f32" then
            raise(("%s: f returned %s numbers; wanted real ones"):format(who, v.dtype))
        end
        if not is_array(v) and type(v) ~= "number" then raise(("%s: f returned %s; wanted numbers or arrays"):format(who, seen(v))) end
    end
    if #list == 0 then raise(("%s: f returned %s; wanted numbers or arrays"):format(who, seen(y))) end
    return list
end

-- ---- recording -------------------------------------------------------------------------------------------------------

-- Calls f on traced copies of the arguments: what it returns, the traced leaves, and their names.
local function record(who, tape, f, args, base)
    local inputs, traced, names = {}, {}, {}
    for i = 1, args.n do
        local top = args.n == 1 and (base or "the argument") or (base or "argument ") .. i
        traced[i] = map(args[i], top, function(leaf, name)
            local x = diff.input(tape, leaf, who, name)
            inputs[#inputs + 1], names[#names + 1] = x, name
            return x
        end)
    end
    if #inputs == 0 then raise(who .. ": the arguments hold no array and no number to differentiate by (whole numbers in tables are settings: write 2.0)") end
    return table.pack(f(table.unpack(traced, 1, args.n))), inputs, names
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
    if not is_array(v) or v.size == 0 then return false end
    if v.dtype ~= "c128" then -- a sum is nan of a nan, and of opposite infinities: then look closer
        local s = lab.sum(v)
        if s == s then return false end
    end
    return lab.any(lab.isnan(v))
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

-- The value and the gradient by every leaf, as lists. A nan on the way is an error that says where it came from, unless it `may`.
local function gradient(who, f, args, may)
    local tape <close> = diff.tape()
    local y, inputs = record(who, tape, f, args)
    local value = check_scalar(who, y[1])
    local plain = diff.outside(tape, value)
    local list = diff.pull(tape, {value}, {1.0}, inputs, true)
    value = plain
    if not may and (has_nan(value) or any_nan(list)) and not any_nan(leaves_of(args, "")) then watched(who, f, args) end
    return value, list
end

-- The gradients in the shape of the arguments.
local function all_rebuilt(args, list)
    local out, k = {}, 0
    for i = 1, args.n do out[i], k = rebuilt(args[i], list, k) end
    return table.unpack(out, 1, args.n)
end

local function value_and_grad(f)
    check_function("value_and_grad", f)
    return tools.wrap(function(...)
        local args = table.pack(...)
        local value, list = gradient("value_and_grad", f, args)
        return value, all_rebuilt(args, list)
    end)
end

-- For optimisers, which step back from where f is not defined.
local function value_and_grad_or_nan(f)
    return function(x)
        local value, list = gradient("value_and_grad", f, {x, n = 1}, true)
        return value, (rebuilt(x, list))
    end
end

local function grad(f)
    check_function("grad", f)
    return tools.wrap(function(...)
        local args = table.pack(...)
        local _, list = gradient("grad", f, args)
        return all_rebuilt(args, list)
    end)
end

-- ---- sweeps in one direction -----------------------------------------------------------------------------------------


-- Every entry of v has one of x beside it.
local function check_entries(who, what, v, x, of)
    if not is_plain_table(v) or not is_plain_table(x) or is_numbers(x, 1) then return end
    for _, k in ipairs(sorted_keys(v)) do
        if x[k] == nil then raise(("%s: %s has no counterpart; wanted the structure of %s"):format(who, entry(what, k), of)) end
        check_entries(who, entry(what, k), v[k], x[k], entry(of, k))
    end
end

-- For each leaf of x what stands in the same place of v, of the same shape.
local function matching(who, what, v, x, of, how)
    local list = {}
    map(x, of, function(leaf, name, path)
        if not is_array(leaf) and type(leaf) ~= "number" then
            raise(("%s: %s is %s; wanted a number, an array or a table of numbers"):format(who, name, seen(leaf)))
        end
        local w, called = v, what
        for _, k in ipairs(path) do
            called = entry(called, k)
            w = (is_plain_table(w) or is_array(w) and math.type(k) == "integer" and k <= #w) and w[k] or nil
        end
        if is_plain_table(w) and is_numbers(w, 1) then w = lab.array(w) end
        if type(w) ~= "number" and not is_array(w) then
            raise(("%s: %s is %s; wanted %s, as %s"):format(who, called, seen(w),
                is_array(leaf) and leaf.ndim > 0 and "an array of shape " .. shape_text(leaf) or "a number", name))
        end
        if is_array(w) and w.dtype ~= "f64" and w.dtype ~= "f32" then
            raise(("%s: %s is %s; wanted real numbers"):format(who, called, w.dtype))
        end
        if shape_text(w) ~= shape_text(leaf) then
            raise(("%s: %s has shape %s; wanted %s, as %s"):format(who, called, shape_text(w), shape_text(leaf), name))
        end
        list[#list + 1] = w
    end, how)
    check_entries(who, what, v, x, of) -- as deep as x, which is known by now
    return list
end

local function outside_of(tape, y)
    return map(y, "the result", function(leaf) return diff.outside(tape, leaf) end, RESULT)
end

local function jvp_as(who, f, x, v)
    check_function(who, f)
    local dx = matching(who, "v", v, x, "x")
    local tape <close> = diff.tape()
    local y, inputs = record(who, tape, f, {x, n = 1}, "x")
    local dy = diff.push(tape, inputs, dx, results_of(who, y[1]))
    return outside_of(tape, y[1]), (rebuilt(y[1], dy, 0, true))
end

local function jvp(f, x, v) return jvp_as("jvp", f, x, v) end

local function vjp(f, x, w)
    check_function("vjp", f)
    local tape <close> = diff.tape()
    local y, inputs = record("vjp", tape, f, {x, n = 1}, "x")
    local ys, plain = results_of("vjp", y[1]), outside_of(tape, y[1])
    local list = diff.pull(tape, ys, matching("vjp", "w", w, y[1], "the result", RESULT), inputs, true)
    return plain, (rebuilt(x, list))
end

-- ---- matrices of derivatives -----------------------------------------------------------------------------------------

local BATCH = 512 -- columns at a time: what bounds the memory

local function shape_of(v) return is_array(v) and v.shape or {} end

local function size_of(v) return is_array(v) and v.size or 1 end

local function joined(a, b)
    local out = {table.unpack(a)}
    for _, n in ipairs(b) do out[#out + 1] = n end
    return out
end

-- The unit tangents first .. last of a leaf, in front of its shape.
local function units(leaf, first, last)
    local whole <close> = lab.eye(size_of(leaf)) -- closed, since a collection to free them costs more than they do
    local part <close> = whole[{ {first, last} }]
    local typed <close> = is_array(leaf) and leaf.dtype == "f32" and lab.astype(part, "f32") or part
    return lab.reshape(typed, joined({last - first + 1}, shape_of(leaf)))
end

-- Sweeps with the unit values of `leaf`, BATCH at a time: run(unit) gives a list, with the shapes of `like`; each entry comes back as
-- (n, its shape).
local function sweep_units(leaf, like, run)
    local n, parts = size_of(leaf), {}
    if n == 0 then
        for k, v in ipairs(like) do parts[k] = lab.zeros(joined({0}, shape_of(v))) end
        return parts
    end
    for first = 1, n, BATCH do
        local last = math.min(n, first + BATCH - 1)
        local batch <close> = diff.batch(last - first + 1)
        local unit <close> = units(leaf, first, last)
        local list = run(diff.batched(batch, unit))
        for k, v in ipairs(list) do
            parts[k] = parts[k] or {}
            table.insert(parts[k], diff.members(batch, v))
        end
    end
    for k, list in ipairs(parts) do parts[k] = #list == 1 and list[1] or lab.concat(list) end
    return parts
end

-- J[o][i]: the derivative of result leaf o by input leaf i, of shape (shape of o, shape of i).
local function jacobian_lists(who, f, args, forward)
    local tape <close> = diff.tape()
    local y, inputs = record(who, tape, f, args)
    local outs = results_of(who, y[1])
    local n, m, J = 0, 0, {}
    for _, x in ipairs(inputs) do n = n + size_of(x) end
    for o, out in ipairs(outs) do m, J[o] = m + size_of(out), {} end
    if forward == nil then forward = n <= m end
    if forward then
        for i, x in ipairs(inputs) do
            local columns = sweep_units(x, outs, function(unit) return diff.push(tape, {x}, {unit}, outs) end)
            for o, c in ipairs(columns) do
                local column <close> = c
                local flat <close> = lab.reshape(column, size_of(x), size_of(outs[o]))
                local transposed <close> = lab.transpose(flat)
                J[o][i] = lab.reshape(transposed, joined(shape_of(outs[o]), shape_of(x)))
            end
        end
    else
        for o, out in ipairs(outs) do
            local rows = sweep_units(out, inputs, function(unit) return diff.pull(tape, {out}, {unit}, inputs, false) end)
            for i, x in ipairs(inputs) do J[o][i] = lab.reshape(rows[i], joined(shape_of(out), shape_of(x))) end
        end
    end
    return J, y[1]
end

-- A 0-d array is a number.
local function settled(v)
    if type(v) == "number" or diff.is_traced(v) then return v end
    return v.ndim == 0 and v:item() or v
end

local function jacobian_as(who, f, forward)
    return tools.wrap(function(...)
        local args, o = table.pack(...), 0
        local J, y = jacobian_lists(who, f, args, forward)
        return (map(y, "the result", function()
            local list, out, k = {}, {}, 0
            o = o + 1
            for i, v in ipairs(J[o]) do list[i] = settled(v) end
            for i = 1, args.n do out[i], k = rebuilt(args[i], list, k) end
            if args.n == 1 then return out[1] end
            return out
        end, {only = true, numbers = true}))
    end)
end

local function jacobian(f)
    return jacobian_as("jacobian", check_function("jacobian", f))
end

-- The gradient as one value: of one argument what has its structure, of several a list.
local function gradient_value(who, f)
    return function(...)
        local args, out, k = table.pack(...), {}, 0
        local _, list = gradient(who, f, args)
        for i = 1, args.n do out[i], k = rebuilt(args[i], list, k) end
        if args.n == 1 then return out[1] end
        return out
    end
end

local function hessian(f)
    check_function("hessian", f)
    return jacobian_as("hessian", gradient_value("hessian", f), true)
end

local function hvp(f, x, v)
    check_function("hvp", f)
    local _, Hv = jvp_as("hvp", gradient_value("hvp", f), x, v)
    return Hv
end

-- f(x + t v) and its first derivatives by t at 0, each tape one order: all from one run of f. A list of lists of leaves, and what f
-- returned.
local function jet(f, order)
    if order == 0 then
        return function(t)
            local y = f(t)
            return {results_of("taylor", y)}, y
        end
    end
    local lower = jet(f, order - 1)
    return function(t)
        local tape <close> = diff.tape()
        local x = diff.input(tape, t, "taylor", "t")
        local list, y = lower(x)
        list[order + 1] = diff.push(tape, {x}, {1.0}, list[order])
        for k = 1, order do
            for i, leaf in ipairs(list[k]) do list[k][i] = diff.outside(tape, leaf) end
        end
        return list, y
    end
end

local function taylor(f, x, v, order)
    check_function("taylor", f)
    local n = type(order) == "number" and math.tointeger(order)
    if not n or n < 0 or n > 4 then raise(("taylor: order is %s; wanted a whole number from 0 to 4"):format(seen(order))) end
    local dx = matching("taylor", "v", v, x, "x")
    if #dx == 0 then raise("taylor: x holds no array and no number to differentiate by") end
    local function along(t)
        local k = 0
        return f(map(x, "x", function(leaf)
            k = k + 1
            return leaf + t * dx[k]
        end))
    end
    local c, factorial, list, y = {}, 1, jet(along, n)(0.0)
    for k = 0, n do
        if k > 0 then factorial = factorial * k end
        for i, leaf in ipairs(list[k + 1]) do list[k + 1][i] = leaf / factorial end
        c[k] = rebuilt(y, list[k + 1], 0, true)
    end
    return c
end

local function stop_gradient(x)
    return (map(x, "x", function(leaf)
        local v = diff.plain(leaf)
        if v == nil then raise("stop_gradient: x has escaped: it was made inside a derivative that is finished") end
        return v
    end))
end

-- ---- rows ------------------------------------------------------------------------------------------------------------

local row = require "phasor.lib.rows" "derivatives"

row("grad", grad, "f", "The gradient of a function, as a function: exact, to rounding.\n" ..
    "f: takes numbers, arrays and tables of them and returns one real number. The gradient takes the same and returns, for each" ..
    " argument, what has its shape. Lists of numbers count as arrays; whole numbers inside tables are settings and have no" ..
    " gradient.\nA branch is taken as the value says (if x > 0), and the derivative is that of the branch. But x == 2 is always false for a" ..
    " traced x, since Lua compares a number only with a number: write eq(x, 2). Arrays that f has used must stay as they are until" ..
    " f returns.\nWritten once backwards through the operations of f: a few times the cost of f, however many variables.",
    "grad(function(x) return x^3 end)(2)  --> 12.0\ngrad(function(x) return sum(x*x) end){1, 2}:totable()  --> {2.0, 4.0}\n" ..
    "grad(grad(function(x) return sin(x) end))(0)  --> -0.0\ngrad(function(x) return 2*x end){1, 2}  --> error: wanted one number")
row("value_and_grad", value_and_grad, "f", "As grad, with the value in front: value, gradient.\nf: as for grad.",
    "value_and_grad(function(x) return x^2 end)(3)  --> 9.0\t6.0")
row("jvp", jvp, "f, x, v", "The derivative along a direction: f(x) and J v, J the Jacobian of f.\n" ..
    "f: a function of one number, array or table of them, to a number, an array or a table. v: what has the structure and shapes of x." ..
    " One run of f and one sweep forwards. Derivatives of derivatives may be nested at will.",
    "jvp(function(x) return x^3 end, 2, 1)  --> 8.0\t12.0\n" ..
    "y, d = jvp(function(x) return x*x end, {1, 2}, {1, 0})\nd:totable()  --> {2.0, 0.0}")
row("vjp", vjp, "f, x, w", "The derivative backwards: f(x) and w J, J the Jacobian of f.\n" ..
    "f: as for jvp. w: what has the structure and shapes of f(x). One run of f and one sweep backwards.",
    "y, g = vjp(function(x) return x*x end, {1, 2}, {1, 1})\ng:totable()  --> {2.0, 4.0}")
row("jacobian", jacobian, "f", "The Jacobian of a function, as a function: all derivatives of all results.\n" ..
    "f: takes numbers, arrays or tables of them, returns a number, an array or a table. The result has the shape of f's result" ..
    " followed by the shape of the argument; for several arguments a list, for tables a table.\nf runs once; the sweeps go the" ..
    " shorter way, forwards or backwards, all directions together.",
    "f = function(x) return x*x end\njacobian(f){1, 2}:totable()  --> {{2.0, 0.0}, {0.0, 4.0}}\n" ..
    "jacobian(function(x) return {x, x^2} end)(3)  --> {1.0, 6.0}")
row("hessian", hessian, "f", "The matrix of second derivatives of a function, as a function.\n" ..
    "f: as for grad. The result has the shape of the argument twice; of several arguments, or of tables, it is a table of blocks:" ..
    " H[1][2] is the derivative of the gradient by argument 1 with respect to argument 2.\nThe gradient is pushed forwards along" ..
    " all directions together.",
    "f = function(x) return x(1)^2 * x(2) end\nhessian(f){1, 2}:totable()  --> {{4.0, 2.0}, {2.0, 0.0}}\n" ..
    "hessian(function(x, y) return x*y^2 end)(1, 2)[1][2]  --> 4.0")
row("hvp", hvp, "f, x, v", "The Hessian times a vector, without the Hessian.\n" ..
    "f: a function of one number, array or table, to one number. v: what has the structure and shapes of x. Costs a few gradients.",
    "f = function(x) return sum(x^3) end\nhvp(f, {1, 2}, {1, 1}):totable()  --> {6.0, 12.0}")
row("taylor", taylor, "f, x, v, order", "The Taylor coefficients of f(x + t v) in t, up to order 4.\n" ..
    "f: a function of one number, array or table, to a number, an array or a table. v: a direction, with the structure of x. The result is a" ..
    " table c with f(x + t v) = c[0] + c[1] t + ... + c[order] t^order + smaller: c[k] is the k-th derivative over k!.",
    "c = taylor(exp, 0, 1, 4)\nc[0], c[1], c[2], c[3] == 1/6, c[4] == 1/24  --> 1.0\t1.0\t0.5\ttrue\ttrue")
row("stop_gradient", stop_gradient, "x", "x as a constant: no derivative goes through it.\n" ..
    "x: a number, an array or a table of them. Outside of derivatives it is x itself.",
    "grad(function(x) return x * stop_gradient(x) end)(3)  --> 3.0")

return {record = record, leaves_of = leaves_of, check_function = check_function, value_and_grad_or_nan = value_and_grad_or_nan}
