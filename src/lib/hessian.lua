-- What a second-order expansion in two rows of X says: its six terms, the order of what it leaves out, the mixed block of the
-- Hessian and its parts.
-- Letters: X (T, d), rows m and n counted from 1, p and q displacements of these rows, H = d2f/dx_m dx_n (d, d).
local lab, tools = require "phasor", require "phasor.tools"
local values, option_words = require "phasor.lib.values", require "phasor.lib.option_words"
local raise, seen, is_array = tools.raise, tools.seen, tools.is_array

-- ---- arguments -------------------------------------------------------------------------------------------------------

local shape_text = values.shape_text

local function check_array(who, what, v, wanted, fits)
    if type(v) == "table" and not debug.getmetatable(v) then v = lab.array(v) end
    if not is_array(v) then raise(("%s: %s is %s; wanted an array %s"):format(who, what, seen(v), wanted)) end
    if v.dtype ~= "f64" and v.dtype ~= "f32" then raise(("%s: %s is %s; wanted real numbers"):format(who, what, v.dtype)) end
    if not fits(v.shape) then raise(("%s: %s is %s; wanted %s"):format(who, what, shape_text(v), wanted)) end
    return v
end

local function check_function(who, f)
    if not values.callable(f) then
        raise(("%s: f is %s; wanted a function of X"):format(who, seen(f)))
    end
end

local function check_row(who, what, v, T)
    local k = type(v) == "number" and math.tointeger(v)
    if not k or k < 1 or k > T then raise(("%s: %s is %s; wanted a row of X, 1 to %d"):format(who, what, seen(v), T)) end
    return k
end

local function check_place(who, f, X, m, n)
    check_function(who, f)
    X = check_array(who, "X", X, "(T, d), a row for each position", function(s) return #s == 2 end)
    return X, check_row(who, "m", m, X.shape[1]), check_row(who, "n", n, X.shape[1])
end

local function check_options(who, options, rules, example)
    options = options == nil and {} or options
    if type(options) ~= "table" or debug.getmetatable(options) then
        raise(("%s: the options are %s; wanted a table such as %s"):format(who, seen(options), example))
    end
    for key in next, options do
        if not rules[key] then
            tools.unknown_option(who, key, rules)
        end
    end
    return options
end

-- A result whose unknown fields are errors and which prints itself.
local function object(name, text)
    return {__name = name, __tostring = text, __index = function(t, key) values.unknown_field(key, name, t) end}
end

-- ---- the expansion -----------------------------------------------------------------------------------------------------

-- X with row `r` moved by u, as an operation on u.
local function moved(X, r, u)
    local one = lab.zeros(X.shape[1], 1)
    one[{r, 1}] = 1
    return X + one * lab.reshape(u, 1, X.shape[2])
end

local function mixed_hessian(f, X, m, n)
    X, m, n = check_place("mixed_hessian", f, X, m, n)
    local still = lab.zeros(X.shape[2])
    return lab.jacobian(function(v)
        return lab.grad(function(u) return f(moved(moved(X, m, u), n, v)) end)(still)
    end)(still)
end

local names = {"f(X)", "p·∂f/∂xₘ", "q·∂f/∂xₙ", "½ pᵀ ∂²f/∂xₘ² p", "½ qᵀ ∂²f/∂xₙ² q", "pᵀ ∂²f/∂xₘ∂xₙ q"}
local function padded(name) return name .. (" "):rep(19 - utf8.len(name)) end
local compared = {en = "   %-19s %.10g, so %.3g is left out", zh = "   %-19s %.10g，略去的是 %.3g"}
local expansion = object("an expansion", function(t)
    local out = {}
    for k = 1, 6 do out[k] = ("%d  %s %.10g"):format(k, padded(names[k]), t[k]) end
    out[7] = ("   %s %.10g"):format(padded "1 + … + 6", t.sum)
    out[8] = compared[tools.spoken()]:format("f(X + p + q)", t.exact, t.remainder)
    return table.concat(out, "\n")
end)

-- The function of two numbers s, t that moves row m by s p and row n by t q; its derivatives at 0 are the terms.
local function in_two_numbers(who, f, X, m, n, p, q)
    X, m, n = check_place(who, f, X, m, n)
    if m == n then raise(("%s: m and n are both %d; wanted two different rows"):format(who, m)) end
    local d = X.shape[2]
    local wanted = ("(%d), a number for each column of X"):format(d)
    local function fits(s) return #s == 1 and s[1] == d end
    p, q = check_array(who, "p", p, wanted, fits), check_array(who, "q", q, wanted, fits)
    return function(st) return f(moved(moved(X, m, st[1] * p), n, st[2] * q)) end
end

-- The six terms; those of the rows moved by e p and e q are these times 1, e, e, e^2, e^2, e^2.
local function terms_of(g)
    local still = lab.zeros(2)
    local d, h = lab.grad(g)(still), lab.hessian(g)(still)
    return {lab.sum(g(still)), d(1), d(2), h(1, 1) / 2, h(2, 2) / 2, h(1, 2)}
end

local function taylor_terms(f, X, m, n, p, q)
    local g = in_two_numbers("taylor_terms", f, X, m, n, p, q)
    local t = terms_of(g)
    t.sum = t[1] + t[2] + t[3] + t[4] + t[5] + t[6]
    t.exact = lab.sum(g(lab.ones(2)))
    t.remainder = t.exact - t.sum
    return setmetatable(t, expansion)
end

-- ---- the order of what is left out ---------------------------------------------------------------------------------------

-- 0.975 quantiles of Student's t with 1, 2, ... degrees of freedom.
local STUDENT = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985,
    2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963}

-- Slope of the straight line through (x, y), and half its 95 % interval.
local function fit(x, y)
    local n, mx, my, xx, xy, rest = #x, 0, 0, 0, 0, 0
    for k = 1, n do mx, my = mx + x[k] / n, my + y[k] / n end
    for k = 1, n do xx, xy = xx + (x[k] - mx)^2, xy + (x[k] - mx) * (y[k] - my) end
    local slope = xy / xx
    for k = 1, n do rest = rest + (y[k] - my - slope * (x[k] - mx))^2 end
    return slope, STUDENT[n - 2] * math.sqrt(rest / (n - 2) / xx)
end

local fitted = {en = "order %.4f, 95 %% interval [%.4f, %.4f] over %d octaves", zh = "阶 %.4f，95%% 区间 [%.4f, %.4f]，ε 减半 %d 次"}
local order = object("a fitted order", function(t)
    return fitted[tools.spoken()]:format(t.order, t.low, t.high, t.octaves)
end)

local function remainder_order(f, X, m, n, p, q, options)
    local who = "remainder_order"
    options = check_options(who, options, {from = true, octaves = true}, "{octaves=7}")
    local from, octaves = options.from or 2^-4, options.octaves or 7
    if type(from) ~= "number" or not (from > 0 and from < math.huge) then
        raise(("%s: from is %s; wanted a number above 0"):format(who, seen(from)))
    end
    octaves = type(octaves) == "number" and math.tointeger(octaves) or octaves
    if math.type(octaves) ~= "integer" or octaves < 2 or octaves > 20 then
        raise(("%s: octaves is %s; wanted a whole number from 2 to 20"):format(who, seen(octaves)))
    end
    local g = in_two_numbers(who, f, X, m, n, p, q)
    local t = terms_of(g)
    local eps, left, x, y = {}, {}, {}, {}
    for k = 1, octaves + 1 do
        local e = from * 2.0 ^ (1 - k)
        local exact = lab.sum(g(lab.full({2}, e)))
        eps[k], left[k] = e, math.abs(exact - (t[1] + e * (t[2] + t[3]) + e * e * (t[4] + t[5] + t[6])))
        -- a value of f is off by some 10 u |f| at least: then 1000 u |f| is known to one part in 100
        if not (left[k] >= 1000 * 2^-53 * math.abs(exact)) or left[k] == 0 then
            raise(("%s: at %g the remainder is %.2g, too near the rounding of f(X) = %.3g; wanted fewer octaves, or a greater from")
                :format(who, e, left[k], exact))
        end
        x[k], y[k] = math.log(e), math.log(left[k])
    end
    local slope, half = fit(x, y)
    return setmetatable({order = slope, low = slope - half, high = slope + half, octaves = octaves, eps = lab.array(eps),
        remainders = lab.array(left)}, order)
end

-- ---- the parts of H --------------------------------------------------------------------------------------------------------

local parts = object("the parts of a Hessian", function(t)
    return ("shares of the mass: aI %.4f, bJ %.4f, the diagonal's rest %.4f, everything else %.4f;\n"
        .. "diagonal %.4f, relative %.4f")
        :format(t.shares.equal, t.shares.turn, t.shares.unequal, t.shares.rest, t.diagonal, t.relative)
end)

-- H = sum of four parts, orthogonal to one another (their squares add up): of each pair's block {{a+c, .}, {., a-c}} the multiple of
-- the identity aI, bJ with J = {{0, -1}, {1, 0}}, and diag(c, -c); then all that is left.
local LAYOUTS = option_words.declare("layout", {"interleaved", "half"}, "hessian_parts")

local function hessian_parts(H, options)
    local who = "hessian_parts"
    H = check_array(who, "H", H, "(d, d), d even", function(s) return #s == 2 and s[1] == s[2] and s[1] % 2 == 0 and s[1] > 0 end)
    local layout = check_options(who, options, {layout = true}, '{layout="half"}').layout or "interleaved"
    option_words.check(who, "layout", layout, LAYOUTS)
    local d = H.shape[1]
    local equal, turn, unequal = lab.zeros(d, d), lab.zeros(d, d), lab.zeros(d, d)
    for i = 1, d // 2 do
        local k, l = 2 * i - 1, 2 * i
        if layout == "half" then k, l = i, i + d // 2 end
        local a, b, c = (H(k, k) + H(l, l)) / 2, (H(l, k) - H(k, l)) / 2, (H(k, k) - H(l, l)) / 2
        equal[{k, k}], equal[{l, l}] = a, a
        turn[{l, k}], turn[{k, l}] = b, -b
        unequal[{k, k}], unequal[{l, l}] = c, -c
    end
    local rest = H - equal - turn - unequal
    local total = lab.sum(H * H)
    local function share(A) return total > 0 and lab.sum(A * A) / total or 0.0 end
    local s = {equal = share(equal), turn = share(turn), unequal = share(unequal), rest = share(rest)}
    return setmetatable({equal = equal, turn = turn, unequal = unequal, rest = rest, shares = s, diagonal = s.equal + s.unequal,
        relative = s.equal + s.turn}, parts)
end

-- ---- rows ------------------------------------------------------------------------------------------------------------------

local row = require "phasor.lib.rows" "derivatives"

local PLACE = "\nf: a function of X to a number, written with operations. X: (T, d). m, n: rows of X, from 1."

row("mixed_hessian", mixed_hessian, "f, X, m, n", "The second derivatives by two rows of X: d2f/dx_m dx_n, (d, d)." .. PLACE ..
    " Row i, column j: by X(m, i) and X(n, j). With m = n it is the Hessian in that row.",
    "f = function(X) return dot(X[1], X[2]) end\nmixed_hessian(f, zeros(3, 2), 1, 2) == eye(2)  --> true\n" ..
    "mixed_hessian(f, zeros(3, 2), 1, 4)  --> error: n is 4; wanted a row of X")
row("taylor_terms", taylor_terms, "f, X, m, n, p, q", "The second-order expansion of f when two rows move: six numbers." .. PLACE ..
    " p, q: (d), how far row m and row n move. Result: a list t. t[1] is f(X); t[2], t[3] the linear terms of p and q; t[4], t[5]" ..
    " half their quadratic ones; t[6] = p' H q, the only one in which both meet. t.sum, t.exact = f of the moved X, and" ..
    " t.remainder = exact - sum.\nSu 2021, equation 4.",
    "f = function(X) return sum(X[1] * X[1]) * X(2, 1) end\nX = array{{1, 2}, {3, 4}}\n" ..
    "t = taylor_terms(f, X, 1, 2, {1, 0}, {0.5, 0})\n{table.unpack(t)}  --> {15.0, 6.0, 2.5, 3.0, 0.0, 1.0}\nt.remainder  --> 0.5")
row("remainder_order", remainder_order, "f, X, m, n, p, q [, {from=1/16, octaves=7}]",
    "How fast what the expansion leaves out vanishes: the fitted order." .. PLACE .. " p, q: (d). The displacements e p and e q are" ..
    " halved again and again from e = from on; the order is the slope of log |remainder| against log e, with its 95 % interval" ..
    " (Student's t).\nFields: order, low, high, octaves, eps, remainders. 3 is expected where the third derivative is not 0.",
    "f = function(X) return sum(exp(X)) end\nr = remainder_order(f, zeros(2, 2), 1, 2, {1, 0}, {0, 1})\nabs(r.order - 3) < 0.05  --> true")
row("hessian_parts", hessian_parts, 'H [, {layout="interleaved"}]', "What of a block H keeps p_m' H p_n a function of m - n." ..
    "\nH: (d, d), d even. layout: of the pairs, as in sinusoidal: \"interleaved\" or \"half\".\nFour orthogonal parts that add up to" ..
    " H: equal (aI in each pair), turn (bJ, J = {{0, -1}, {1, 0}}), unequal (diag(c, -c)), rest. Sinusoidal positions make the" ..
    " first two functions of m - n exactly.\nshares: of the squared mass, by the same names; diagonal = equal + unequal; relative =" ..
    " equal + turn.",
    "s = hessian_parts{{2, -1}, {1, 2}}\ns.relative, s.diagonal  --> 1.0\t0.8\nhessian_parts{{1, 0}, {0, 2}}.shares.unequal  --> 0.1")
