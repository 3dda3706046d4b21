-- Analysis, the part that is better said in Lua.
local lab, tools = require "phasor", require "phasor.tools"
local raise, seen = tools.raise, tools.seen

local check_options = tools.check_options

local function matrix(who, name, A, lead)
    if type(A) == "number" or type(A) ~= "table" and type(A) ~= "userdata" then
        raise(("%s: %s is %s; wanted a matrix"):format(who, name, seen(A)))
    end
    A = lab.array(A)
    if A.ndim ~= 2 and not (lead and A.ndim > 2) then
        raise(("%s: %s has %d dimensions; wanted a matrix"):format(who, name, A.ndim))
    end
    return A
end

-- ---- matrices ----------------------------------------------------------------------------------------------------

local function gram(X)
    if type(X) ~= "userdata" then X = matrix("gram", "X", X, true) end
    local known, ndim = pcall(function() return X.ndim end) -- of a traced array too
    if not known or type(ndim) ~= "number" or ndim < 2 then
        raise(("gram: X is %s; wanted (..., T, d), a row for each position"):format(
            known and type(ndim) == "number" and ("an array of %d dimensions"):format(ndim) or seen(X)))
    end
    return lab.matmul(X, lab.transpose(X))
end

-- Shares p_i = s_i / sum s of the singular values, and e^H, H = -sum p_i ln p_i.
local function effective_rank(A)
    A = matrix("effective_rank", "A", A)
    local top = A.size > 0 and lab.norm(A, {ord = math.huge}) or 0 -- near the ends of the range singular values overflow, or lose digits
    if top < 2^-900 then A = A * 2^600 elseif top > 2^900 then A = A * 2^-124 end
    local s = lab.svdvals(A)
    if not (lab.sum(s) > 0) then raise("effective_rank: A is 0 throughout; it has no shares to speak of") end
    s = s / s(1) -- their sum may be beyond all doubles
    local p, H = s / lab.sum(s), 0
    for i = 1, #p do
        local x = p(i)
        if x > 0 then H = H - x * math.log(x) end
    end
    return math.exp(H), p
end

-- Two entries that stand farthest apart on the diagonal on which A leaves its Toeplitz part most.
local function worst_pair(A, part, causal)
    local T, S = A.shape[1], A.shape[2]
    local off, worst = 0, -1
    for m = 1, T do
        for n = 1, causal and math.max(0, m + S - T) or S do
            local far = math.abs(A(m, n) - part(m, n))
            if far > worst then off, worst = m - n, far end
        end
    end
    local low, high
    for m = math.max(1, 1 + off), math.min(T, S + off) do
        local n = m - off
        if not causal or n <= m + S - T then
            if not low or A(m, n) < A(low, low - off) then low = m end
            if not high or A(m, n) > A(high, high - off) then high = m end
        end
    end
    if low > high then low, high = high, low end
    return ("A(%d, %d) = %.17g, A(%d, %d) = %.17g"):format(low, low - off, A(low, low - off), high, high - off, A(high, high - off))
end

local function toeplitz_test(A, options)
    options = check_options("toeplitz_test", options, {"bound", "why", "causal"})
    A = matrix("toeplitz_test", "A", A)
    local bound = options.bound == nil and 0 or options.bound
    if type(bound) ~= "number" or not (bound >= 0 and bound < math.huge) then
        raise(("toeplitz_test: bound is %s; wanted a finite number from 0"):format(seen(bound)))
    end
    if bound > 0 and not options.why then
        raise("toeplitz_test: a bound without why; wanted how it is derived, in words")
    end
    local causal = options.causal and {causal = options.causal} or nil
    local _, spread = lab.relativity_deviation(A, causal)
    return lab.measure{claim = "every diagonal has one value", value = A.size > 0 and spread or {}, bound = bound,
        why = options.why or "exact: equal numbers",
        at = function() return worst_pair(A, lab.toeplitz_part(A, causal), options.causal) end}
end

-- ---- frequencies ---------------------------------------------------------------------------------------------------

local TWO_PI = lab.dd(0x1.921fb54442d18p2, 0x1.1a62633145c07p-52)

-- theta_i as double-doubles, with and without the scaling.
local function frequencies(d, options)
    local set = {base = options.base, p = options.p}
    local plain = lab.dd(lab.rope_frequencies(d, set))
    if options.scaling == nil then return plain, plain end
    set.scaling = options.scaling
    return plain, lab.dd(lab.rope_frequencies(d, set))
end

local function wavelengths(d, options)
    options = check_options("wavelengths", options, {"base", "p", "scaling"})
    local _, theta = frequencies(d, options)
    local hi, out = theta.hi, (TWO_PI / theta).hi
    return lab.where(lab.gt(hi, 0), out, math.huge)
end

-- floor(x) for double-doubles x >= 0. Where x is a whole number but for the rounding of its quotient (under 2^-94 of it), that
-- number: three roundings in theta, one in theta' and one division stay below 2^-90.
local function floor_of(hi, lo)
    local k = math.floor(hi + 0.5)
    if math.abs((hi - k) + lo) <= hi * 2^-90 then return k end
    k = math.floor(hi)
    return (k == hi and lo < 0) and k - 1 or k
end

local function longest_context(d, options)
    options = check_options("longest_context", options, {"train", "base", "p", "scaling"})
    local L = options.train
    if L == nil then raise("longest_context: no train given; wanted the length that the model was trained on, {train=2048}") end
    if type(L) ~= "number" or not (L >= 1 and L <= 2^50 and L == math.floor(L)) then
        raise(("longest_context: train is %s; wanted a whole number of at least 1"):format(seen(L)))
    end
    local plain, theta = frequencies(d, options)
    local ratio, turns = plain * L / theta, plain * L - TWO_PI
    local limits, least, tightest = {}, math.huge, nil
    for i = 1, #plain.hi do
        local pair = theta.hi(i) == 0 and math.huge or floor_of(ratio.hi(i), ratio.lo(i))
        limits[i] = pair
        if turns.hi(i) < 0 and pair < least then least, tightest = pair, i - 1 end
    end
    local whole = math.tointeger(least)
    return whole or least, lab.array(limits), tightest
end

-- ---- rows ------------------------------------------------------------------------------------------------------------

local row = require "phasor.lib.rows" "analysis"

row("gram", gram, "X", "The matrix of inner products of rows, X X^T.\n" ..
    "X: (..., T, d), a row for each position; the result is (..., T, T), symmetric to the bit. Only half of the products are" ..
    " computed; matmul(X, transpose(X)) is the same.",
    "gram({{3, 4}, {1, 0}}):totable()  --> {{25.0, 3.0}, {3.0, 1.0}}\n" ..
    "G = gram(sinusoidal(64, 32))\nfar = relativity_deviation(G)\nfar < 1e-14  --> true")
row("effective_rank", effective_rank, "A", "The effective rank of a matrix, and the shares of its spectrum.\n" ..
    "e^H with H the entropy of the shares p_i = s_i / sum s of the singular values: 1 for rank one, min(m, n) when all are" ..
    " equal. Returns it and the shares, descending. (rank counts singular values above a tolerance.)\n" ..
    "Roy and Vetterli, The effective rank (EUSIPCO 2007).",
    "r, p = effective_rank(eye(3))\nabs(r - 3) < 1e-14, p(1) == p(3)  --> true\ttrue\n" ..
    "r = effective_rank(sinusoidal(512, 128))\nr < 64  --> true")
row("toeplitz_test", toeplitz_test, "A [, {bound=0, why=, causal=false}]",
    "A verdict on whether every diagonal of A has one value.\n" ..
    "A: scores (T, S). bound: how much two entries of one diagonal may differ, with why: its derivation in words. causal: only" ..
    " keys up to the query count. Refuted with two entries as witness.",
    "toeplitz_test({{1, 2}, {3, 1}}).holds  --> true\n" ..
    "toeplitz_test({{1, 2}, {3, 4}}).witness  --> A(1, 1) = 1, A(2, 2) = 4\n" ..
    "toeplitz_test(eye(2), {bound=1})  --> error: a bound without why")
row("wavelengths", wavelengths, "d [, {base=10000, p=1, scaling=}]",
    "After how many positions each pair comes round: 2 Pi / theta_i, (d/2).\n" ..
    "Options as of rope_frequencies. A pair that does not turn has wavelength inf.",
    "wavelengths(4)(1) == 2*pi  --> true\nsum(gt(wavelengths(128), 512))  --> 33.0\nwavelengths(4, {p=0.5})(2)  --> inf")
row("longest_context", longest_context, "d, {train= [, base=10000, p=1, scaling=]}",
    "How long a context may be before a rotation meets a phase beyond training.\n" ..
    "Pair i was trained up to the phase train theta_i and now turns by theta'_i a position, theta' with the scaling: n" ..
    " positions stay within while n theta'_i <= train theta_i. A pair whose train theta_i reaches 2 Pi has turned fully and has" ..
    " seen every phase.\n" ..
    "Returns the longest context among pairs that have not turned fully (inf when there is none), the array of every pair's" ..
    " own, and which pair decides, counted from 0.",
    "ntk = {kind=\"ntk\", factor=8}\nn, pairs, i = longest_context(128, {train=2048, scaling=ntk})\n" ..
    "n, pairs(1), i  --> 7926\t2048.0\t41\n" ..
    "pi8 = {kind=\"pi\", factor=8}\nlongest_context(128, {train=2048, scaling=pi8}) == 16384  --> true\n" ..
    "longest_context(128)  --> error: no train given")
row("rope_config", function(...) return require("phasor.lib.rope_config").of(...) end, "path or table [, {length=, layers=}]",
    "What a model's config.json says of its rotation, as options.\n" ..
    "The keys are those of the transformers library: rope_theta, rope_scaling or rope_parameters, head_dim or hidden_size and" ..
    " num_attention_heads, partial_rotary_factor, qk_rope_head_dim, max_position_embeddings, original_max_position_embeddings." ..
    " rope_type: default, linear, dynamic, yarn, longrope, llama3; another, or a temperature that the scaling of that name has not, is refused, and so is a" ..
    " model that does not turn (BERT, T5, ALiBi).\n" ..
    "length: positions; the length in use, which dynamic and longrope look at; the model's own when left out. layers: which, where" ..
    " they differ, such as \"full_attention\".\n" ..
    "The result c has c.d: columns of a head; c.rotary: how many turn; c.train, c.length: positions, before and after it was extended;" ..
    " c.unread: keys of the scaling that nothing is made of; c.sections of M-RoPE; and the options: rope_frequencies(c.rotary," ..
    " c.frequencies), longest_context(c.rotary, c.context), rope(q, c.rope). c.rope.layout is as the library turns that model_type, nil where it" ..
    " is not known. With a scaling that a model was trained further with, train is still the length before it.",
    "long = {type=\"yarn\", factor=4}\nmodel = {head_dim=128, max_position_embeddings=4096, rope_scaling=long}\n" ..
    "c = rope_config(model)\n" ..
    "c.rotary, c.train, c.rope.layout  --> 128\t4096\tnil\nn, own = longest_context(c.rotary, c.context)\n" ..
    "n, sum(lt(own, n))  --> 16384\t46.0\n" ..
    "rope_config{head_dim=64, rope_scaling={type=\"x\"}}  --> error: rope_type is")
