-- Optimisers: the least value of a function of parameters.
--
-- Parameters are a number, an array (a list of numbers is one), or tables of these, as deep as one likes. Inside, they are a list of leaves in a fixed
-- order (the keys of each table sorted, numbers first), so sums come out the same in every run. What has no gradient is no
-- parameter: it is handed on as it came.
--
-- Invariant: run.best and the history are replaced or extended by one assignment, so that an interrupt at any instruction
-- leaves a whole one behind.
local lab, tools = require "phasor", require "phasor.tools"
local shared, guarded, values = require "phasor.lib.diff", require "phasor.guard", require "phasor.lib.values"
local raise, seen, is_array = tools.raise, tools.seen, tools.is_array

local is_tree, callable = values.is_plain_table, values.callable
local function finite(x) return x == x and math.abs(x) < math.huge end

-- ---- options -----------------------------------------------------------------------------------------------------------

-- What an option may be: a test and the words for it.
local positive = {function(v) return v > 0 and finite(v) end, "a number above 0"}
local at_least_0 = {function(v) return v >= 0 and finite(v) end, "a number of at least 0"}
local decay = {function(v) return v >= 0 and v < 1 end, "a number from 0, below 1"}
local count = {function(v) return math.tointeger(v) and v >= 0 and v <= 2^31 end, "a whole number of at least 0"}
local memory = {function(v) return math.tointeger(v) and v >= 1 and v <= 1000 end, "a whole number from 1 to 1000"}

-- The options with their defaults filled in; rules: name -> {default, kind}.
local function read_options(who, given, rules)
    local out = {}
    if given ~= nil and not is_tree(given) then
        raise(("%s: the options are %s; wanted a table such as {steps=100}"):format(who, seen(given)))
    end
    for key in next, given or {} do
        if key ~= "gradient" and not rules[key] then
            local names = {gradient = true}
            for name in next, rules do names[name] = true end
            tools.unknown_option(who, key, names)
        end
    end
    for name, rule in next, rules do
        local v = given and given[name]
        if v == nil then v = rule[1] end
        if type(v) ~= "number" or not rule[2][1](v) then raise(("%s: %s is %s; wanted %s"):format(who, name, seen(v), rule[2][2])) end
        out[name] = v
    end
    out.gradient = given and given.gradient
    if out.gradient ~= nil and not callable(out.gradient) then
        raise(("%s: gradient is %s; wanted a function of the parameters"):format(who, seen(out.gradient)))
    end
    return out
end

-- ---- parameters --------------------------------------------------------------------------------------------------------

local DEPTH = 50

-- A list of numbers, or of such lists: the laboratory reads it as an array.
local function is_numbers(t, depth)
    local n, entries = rawlen(t), 0
    if n == 0 or depth > 8 then return false end
    for _, v in next, t do
        entries = entries + 1
        if type(v) ~= "number" and not (is_tree(v) and is_numbers(v, depth + 1)) then return false end
    end
    return entries == n
end

-- The same with arrays for lists of numbers.
local function with_arrays(v, depth)
    if not is_tree(v) or depth > DEPTH then return v end
    if is_numbers(v, 1) then return lab.array(v) end
    local out = {}
    for k, x in next, v do out[k] = with_arrays(x, depth + 1) end
    return out
end

local function shape_text(v)
    return is_array(v) and values.shape_text(v) or seen(v)
end

-- The names of a tree's parts; what stands under any other key is no parameter.
local function sorted_keys(t)
    local keys = {}
    for _, k in ipairs(values.sorted_keys(t)) do
        if type(k) == "string" or type(k) == "number" then keys[#keys + 1] = k end
    end
    return keys
end

local function path_text(path) return #path == 0 and "x" or "x." .. table.concat(path, ".") end

local function same_shape(x, g)
    if type(x) == "number" then return type(g) == "number" end
    if not is_array(g) or x.ndim ~= g.ndim then return false end
    for k = 1, x.ndim do
        if x.shape[k] ~= g.shape[k] then return false end
    end
    return true
end

-- The paths of the leaves at which g has something: what will be moved.
local function find_leaves(who, x, g, path, out)
    if g == nil then return out end
    if type(x) == "number" or is_array(x) then
        if is_array(g) and g.ndim == 0 and type(x) == "number" then g = lab.sum(g) end
        if not same_shape(x, g) then
            raise(("%s: %s is %s and its gradient %s; wanted the same shape"):format(who, path_text(path), shape_text(x), shape_text(g)))
        end
        if is_array(x) and x.dtype ~= "f64" and x.dtype ~= "f32" then
            raise(("%s: %s is of type %s; wanted real numbers"):format(who, path_text(path), x.dtype))
        end
        out[#out + 1] = table.move(path, 1, #path, 1, {})
    elseif is_tree(x) then
        if not is_tree(g) then
            raise(("%s: %s is a table and its gradient %s; wanted a table like it"):format(who, path_text(path), shape_text(g)))
        end
        if #path >= DEPTH then raise(("%s: tables more than %d deep; does one contain itself?"):format(who, DEPTH)) end
        for _, k in ipairs(sorted_keys(x)) do
            path[#path + 1] = k
            find_leaves(who, x[k], g[k], path, out)
            path[#path] = nil
        end
    end
    return out
end

local function leaf(tree, path)
    for _, k in ipairs(path) do tree = is_tree(tree) and tree[k] or nil end
    return tree
end

-- A table like x with other leaves.
local function rebuild(x, paths, leaves)
    if #paths == 1 and #paths[1] == 0 then return leaves[1] end
    local made = {}
    local function copy(t)
        if not made[t] then
            made[t] = {}
            for k, v in next, t do made[t][k] = v end
        end
        return made[t]
    end
    local out = copy(x)
    for i, path in ipairs(paths) do
        local to, from = out, x
        for k = 1, #path - 1 do
            from = from[path[k]]
            to[path[k]] = copy(from)
            to = to[path[k]]
        end
        to[path[#path]] = leaves[i]
    end
    return out
end

local function each(f, ...)
    local lists, out = {...}, {}
    for i = 1, #lists[1] do
        if lists[2] then out[i] = f(lists[1][i], lists[2][i], lists[3] and lists[3][i])
        else out[i] = f(lists[1][i]) end
    end
    return out
end

local function dot(a, b)
    local s = 0.0
    for i = 1, #a do s = s + (type(a[i]) == "number" and a[i] * b[i] or lab.sum(a[i] * b[i])) end
    return s
end

-- a + c b
local function along(a, c, b)
    return each(function(x, y) return x + c * y end, a, b)
end

-- ---- a run -------------------------------------------------------------------------------------------------------------

local function value_of(who, v)
    if is_array(v) and v.ndim == 0 then v = lab.sum(v) end
    if type(v) ~= "number" then
        raise(("%s: f(x) is %s; wanted a number"):format(who, is_array(v) and "an array " .. shape_text(v) or seen(v)))
    end
    return v + 0.0
end

-- Value and gradient leaves at the parameters `x`.
local function evaluate(run, x)
    local tree = run.paths and rebuild(run.start, run.paths, x) or run.start
    local value, g = run.compute(tree)
    value, g = value_of(run.who, value), with_arrays(g, 0)
    if not run.paths then
        run.paths = find_leaves(run.who, run.start, g, {}, {})
        if #run.paths == 0 then raise(run.who .. ": the gradient has nothing for any parameter; wanted a table like x, or one like its shape") end
        x = each(function(path) local v = leaf(run.start, path) return type(v) == "number" and v + 0.0 or v end, run.paths)
    end
    local leaves = each(function(path)
        local d = leaf(g, path)
        return is_array(d) and d.ndim == 0 and lab.sum(d) or d
    end, run.paths)
    for i, path in ipairs(run.paths) do
        if not same_shape(x[i], leaves[i]) then
            raise(("%s: %s is %s and its gradient %s; wanted the same shape"):format(run.who, path_text(path), shape_text(x[i]), shape_text(leaves[i])))
        end
    end
    run.evaluations = run.evaluations + 1
    return {x = x, f = value, g = leaves, norm = math.sqrt(dot(leaves, leaves))}
end

-- Takes note of a point that a step led to. False: it is time to end.
local function note(run, p)
    run.history[#run.history + 1] = p.f
    if not run.best or p.f <= run.best.f then run.best = p end
    if not finite(p.f) or not finite(p.norm) then run.reason = "diverged"
    elseif p.norm <= run.options.tolerance then run.reason = "within tolerance"
    elseif #run.history > run.options.steps then run.reason = "out of steps" end
    guarded.tell(run.who, #run.history - 1, run.options.steps, p.f)
    return run.reason == nil
end

local report = {}
report.__name = "report"
report.__index = function(t, key)
    values.unknown_field(key, "a report", t)
end
report.__tostring = function(t)
    return ("%s: %d step%s, f = %.6g, |gradient| = %.2g, %s"):format(t.method, t.steps, t.steps == 1 and "" or "s", t.value,
        t.gradient_norm, t.reason)
end

local function compute_of(f, gradient)
    if gradient then return function(x) return f(x), gradient(x) end end
    return shared.value_and_grad_or_nan(f)
end

-- Runs step(run, point) -> next point (nil: there is none) from x on until note says that it is time, or Ctrl-C does.
local function optimise(who, f, x, options, step)
    if not callable(f) then raise(("%s: f is %s; wanted a function of the parameters"):format(who, seen(f))) end
    if type(x) ~= "number" and not is_array(x) and not is_tree(x) then
        raise(("%s: x is %s; wanted a number, an array or a table of these"):format(who, seen(x)))
    end
    x = with_arrays(x, 0)
    local run = {who = who, start = x, options = options, history = {}, evaluations = 0, compute = compute_of(f, options.gradient)}
    guarded.begin()
    local ended = guarded.guard(function()
        local p = evaluate(run)
        if not finite(p.f) or not finite(p.norm) then
            if not options.gradient then lab.value_and_grad(f)(x) end -- knows where a nan came from
            local what, v = "f(x)", p.f
            if finite(p.f) then what, v = "the gradient's norm", p.norm end
            raise(("%s: %s is %s at the start; wanted a finite number"):format(who, what, tostring(v)))
        end
        while note(run, p) do
            p = step(run, p)
            if not p then
                run.reason = "no descent left"
                break
            end
        end
    end)
    if not run.best then raise("interrupted") end
    return rebuild(x, run.paths, run.best.x), setmetatable({
        method = who, value = run.best.f, gradient_norm = run.best.norm, steps = #run.history - 1, evaluations = run.evaluations,
        history = lab.array(run.history), reason = ended and run.reason or "interrupted",
    }, report)
end

-- ---- gradient descent and Adam -----------------------------------------------------------------------------------------

-- x <- x - rate g
local function gradient_descent(f, x, options)
    options = read_options("gradient_descent", options, {rate = {0.1, positive}, steps = {1000, count}, tolerance = {1e-8, at_least_0}})
    return optimise("gradient_descent", f, x, options, function(run, p) return evaluate(run, along(p.x, -options.rate, p.g)) end)
end

local function sqrt(v) return type(v) == "number" and math.sqrt(v) or lab.sqrt(v) end

-- m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2, x <- x - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)
local function adam(f, x, options)
    options = read_options("adam", options, {rate = {1e-3, positive}, steps = {1000, count}, tolerance = {1e-8, at_least_0},
        beta1 = {0.9, decay}, beta2 = {0.999, decay}, eps = {1e-8, positive}})
    local b1, b2, m, v, t = options.beta1, options.beta2, nil, nil, 0
    return optimise("adam", f, x, options, function(run, p)
        t = t + 1
        m = m or each(function(g) return 0 * g end, p.g)
        v = v or m
        m = each(function(a, g) return b1 * a + (1 - b1) * g end, m, p.g)
        v = each(function(a, g) return b2 * a + (1 - b2) * (g * g) end, v, p.g)
        local c1, c2 = 1 - b1^t, 1 - b2^t
        return evaluate(run, each(function(y, a, b) return y - options.rate * (a / c1) / (sqrt(b / c2) + options.eps) end, p.x, m, v))
    end)
end

-- ---- L-BFGS ------------------------------------------------------------------------------------------------------------

-- Where the cubic through both values and slopes is least, kept off both ends; the middle when there is no such place.
local function between(lo, hi)
    local width = hi.a - lo.a
    local t = 0.5
    if finite(hi.f) and finite(hi.d) then
        local d1 = lo.d + hi.d - 3 * (hi.f - lo.f) / width
        local root = d1 * d1 - lo.d * hi.d
        if root >= 0 then
            local d2 = math.sqrt(root) * (width > 0 and 1 or -1)
            local r = 1 - (hi.d + d2 - d1) / (hi.d - lo.d + 2 * d2)
            if finite(r) then t = math.max(0.1, math.min(0.9, r)) end
        end
    end
    return lo.a + t * width
end

local C1, C2, SLACK, TRIES = 1e-4, 0.9, 1e-10, 50

-- A step a > 0 with the strong Wolfe conditions (Nocedal and Wright 2006, algorithms 3.5 and 3.6 in one), or where f no longer
-- tells its values apart, with Hager and Zhang's (2005) approximate ones, which look at slopes. probe(a) -> {a, f, d}.
-- Failing that, the lowest found; nil when nothing was lower.
local function line_search(probe, f0, d0, a)
    local slack = SLACK * math.abs(f0)
    local lo, hi = {a = 0.0, f = f0, d = d0}, nil
    for _ = 1, TRIES do
        local p = probe(a)
        local low, flat = p.f <= f0 + C1 * a * d0, p.f <= f0 + slack
        if low and math.abs(p.d) <= -C2 * d0 or flat and p.d >= C2 * d0 and p.d <= (2 * C1 - 1) * d0 then return p end
        if not (low or flat) or not (p.f <= lo.f + slack) or p.d ~= p.d then hi = p
        else
            if p.d * (hi and hi.a - lo.a or 1) >= 0 then hi = lo end
            lo = p
        end
        if not hi then a = 4 * a
        elseif math.abs(hi.a - lo.a) <= 1e-16 * math.max(lo.a, hi.a) then break
        else a = between(lo, hi) end
    end
    if not hi and lo.a > 0 then lo.endless = true end -- down all the way
    return lo.f < f0 and lo or nil -- lower, if not by as much as it should be: f may have no least value this way
end

-- -H g, H the inverse Hessian as the last steps s and changes y of the gradient tell it (Nocedal and Wright, algorithm 7.4).
local function direction(pairs_kept, g)
    local q, alpha, n = g, {}, #pairs_kept
    for i = n, 1, -1 do
        local k = pairs_kept[i]
        alpha[i] = dot(k.s, q) / k.sy
        q = along(q, -alpha[i], k.y)
    end
    local last = pairs_kept[n]
    if last then
        local scale = last.sy / dot(last.y, last.y)
        q = each(function(v) return scale * v end, q)
    end
    for i = 1, n do
        local k = pairs_kept[i]
        q = along(q, alpha[i] - dot(k.y, q) / k.sy, k.s)
    end
    return each(function(v) return -v end, q)
end

local function remember(kept, most, from, to)
    local s, y = along(to.x, -1, from.x), along(to.g, -1, from.g)
    local sy = dot(s, y)
    if not (sy > 2^-52 * math.sqrt(dot(s, s) * dot(y, y))) then return end -- no curvature to be learned there
    kept[#kept + 1] = {s = s, y = y, sy = sy}
    if #kept > most then table.remove(kept, 1) end
end

local function lbfgs(f, x, options)
    options = read_options("lbfgs", options, {steps = {1000, count}, tolerance = {1e-8, at_least_0}, memory = {10, memory}})
    local kept = {}
    local function try(run, p)
        local way = direction(kept, p.g)
        local slope = dot(p.g, way)
        if not (slope < 0 and finite(slope)) then return nil end
        local found = line_search(function(a)
            local q = evaluate(run, along(p.x, a, way))
            return {a = a, f = q.f, d = dot(q.g, way), point = q}
        end, p.f, slope, #kept == 0 and math.min(1.0, 1 / p.norm) or 1.0)
        if found and found.endless then run.reason = "falls without end" end
        return found and found.point
    end
    return optimise("lbfgs", f, x, options, function(run, p)
        local q = try(run, p)
        if not q and #kept > 0 then -- what is remembered may mislead: once more, straight down
            kept = {}
            q = try(run, p)
        end
        if not q then return nil end
        remember(kept, options.memory, p, q)
        if q.f > run.best.f then run.best = q end -- higher by rounding only, and its gradient is smaller
        return q
    end)
end

-- ---- rows --------------------------------------------------------------------------------------------------------------

local COMMON = "\nf: a function of x to a number. x: a number, an array or a table of these, nested at will; other things in it" ..
    " stay as they are, and so do whole numbers in tables, which are settings (write 2.0).\ngradient: a function of x to a table like x; what it leaves out is not moved. Without it the gradient is" ..
    " that of grad. steps: at most so many. tolerance: the gradient's norm at which it ends.\nResults: the best x seen, and a report" ..
    " with value, gradient_norm, steps, evaluations, history (f at every step) and reason. Ctrl-C ends it too, and the best so far" ..
    " is returned. A start at which f is not finite is an error; if f becomes so later, the reason is \"diverged\".\n"

local row = require "phasor.lib.rows" "optimisers"

row("gradient_descent", gradient_descent, "f, x [, {gradient=, rate=0.1, steps=1000, tolerance=1e-8}]",
    "Steps against the gradient: x <- x - rate g." .. COMMON .. "rate: above 0. On a quadratic it converges when rate is below" ..
    " 2 / (the largest curvature).",
    "f = function(x) return (x - 3)^2 end\nx, r = gradient_descent(f, 0, {gradient = function(x) return 2*(x - 3) end})\n" ..
    "abs(x - 3) < 1e-8, r.reason  --> true\twithin tolerance")
row("adam", adam, "f, x [, {gradient=, rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, ...}]",
    "Steps of about `rate` in each parameter, whatever the gradient's size." .. COMMON .. "beta1, beta2: how slowly the means of g" ..
    " and g^2 forget. Kingma and Ba 2015, algorithm 1. Further options: steps=1000, tolerance=1e-8.",
    "f = function(p) return sum(p.w * p.w) end\nfunction g(p) return {w = 2 * p.w} end\n" ..
    "x = adam(f, {w = array{1, 100}}, {gradient = g, steps = 1})\nmax(abs(x.w - array{0.999, 99.999})) < 1e-10  --> true")
row("lbfgs", lbfgs, "f, x [, {gradient=, memory=10, steps=1000, tolerance=1e-8}]",
    "Quasi-Newton steps: curvature learned from the last few gradients." .. COMMON .. "memory: how many steps are remembered. Each" ..
    " step meets the strong Wolfe conditions. The best for smooth functions without noise. Nocedal and Wright 2006, chapter 7.",
    "f = function(p) return (1 - p.x)^2 + 100*(p.y - p.x^2)^2 end\n" ..
    "e = function(p) return p.y - p.x^2 end\ng = function(p) return {x = 2*(p.x - 1) - 400*p.x*e(p), y = 200*e(p)} end\n" ..
    "x, r = lbfgs(f, {x = -1.2, y = 1}, {gradient = g})\nabs(x.x - 1) < 1e-7, abs(x.y - 1) < 1e-7  --> true\ttrue\n" ..
    "r.reason  --> within tolerance")
