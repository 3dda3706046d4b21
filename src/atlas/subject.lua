-- One encoding with one set of arguments, as the laws see it: its function, its vectors and its score as formulas, the score as a
-- function of the distance, the angles in them.
local lab, shapes, try = require "phasor", require "phasor.atlas.asymptotics", require "phasor.verdicts".try

local T, D, H = 32, 8, 4

local m, n, s, t = lab.sym "m n s t"

local each, is_constant, integer, is_zero = shapes.each, shapes.is_constant, shapes.integer, shapes.is_zero
local simplify, has, replace, fill = shapes.simplify, shapes.has, shapes.replace, shapes.fill
local abstract, concrete, sign_of = shapes.abstract, shapes.concrete, shapes.sign_of

-- ---- the subject: one encoding with one set of arguments ---------------------------------------------------------------

local function vector(seed, columns)
    local x, out = lab.randn(lab.rng(seed), columns), {}
    for i = 1, columns do out[i] = math.floor(x(i) * 8 + 0.5) / 8 end
    if out[1] == 0 then out[1] = 1 / 8 end
    return out
end

local function exact(x) -- a dyadic float as a fraction
    local den = 1
    while x ~= math.floor(x) do x, den = x * 2, den * 2 end
    return lab.rat(math.tointeger(x), den)
end

local function fractions(list)
    local out = {}
    for i, x in ipairs(list) do out[i] = exact(x) end
    return out
end

local q_mixed, k_mixed = vector(11, D), vector(12, D)

-- What a law of all contents is asked of, where no proof decides: the two above first, then others, and each column by itself.
local contents = {q_mixed, k_mixed}
for seed = 31, 36 do contents[#contents + 1] = vector(seed, D) end
for i = 1, D do
    local x = {}
    for l = 1, D do x[l] = l == i and 1.0 or 0.0 end
    contents[#contents + 1] = x
end

local function rows(x, count) return lab.zeros(count, #x) + lab.array(x) end

local Subject = {}
Subject.__index = Subject

-- Arguments for `length` positions; query rows Q, key rows K; side "q" or "k".
function Subject:arguments(side, length, Q, K)
    local drawn, count = 0, 0
    local names = {T = length, d = D, H = H, side = side, Q = Q, K = K, V = K, X = side == "k" and K or Q}
    function names.learned(...)
        drawn = drawn + 1
        local x = lab.randn(lab.rng(100 + drawn), ...)
        count = count + x.size
        return lab.floor(x * 8 + 0.5) / 8
    end
    local chunk = assert(load("return " .. self.sample, "=sample", "t", setmetatable(names, {__index = lab})))
    local args = table.pack(chunk())
    self.parameters = count
    return args
end

function Subject:run(side, length, Q, K)
    if side == "k" and self.keys_stay then return K end
    local args = self:arguments(side, length, Q, K)
    return (lab[self.encoding](table.unpack(args, 1, args.n)))
end

-- The function's scores of `length` queries and keys, rows Q and K; of head 1.
function Subject:table_of_scores(length, Q, K)
    if self.kind == "additive vectors" then
        local P = self:run("q", length, Q, K)
        return lab.matmul(P, lab.transpose(P))
    end
    if self.acts then
        return lab.matmul(self:run("q", length, Q, K), lab.transpose(self:run("k", length, Q, K)))
    end
    local S = self:run("q", length, Q, K)
    return S.ndim == 3 and S[1] or S
end

function Subject:constant_scores(length, q, key) return self:table_of_scores(length, rows(q, length), rows(key, length)) end

-- Does the function hide keys after the query, as a causal mask does? A formula of the scores does not tell.
function Subject:is_causal()
    if self.causal == nil then
        local S = self:constant_scores(4, q_mixed, k_mixed)
        self.causal = S(1, 2) == -math.huge
    end
    return self.causal
end

function Subject:column(side, i)
    local args = self.made[side] or self:arguments(side, T, rows(q_mixed, T), rows(k_mixed, T))
    self.made[side] = args
    return lab.formula_of(self.encoding, i, table.unpack(args, 1, args.n))
end

-- The columns of the vectors: of t, or of m and x[...].
function Subject:vectors(side)
    if self.columns[side] then return self.columns[side] end
    if side == "k" and self.keys_stay then -- a factor of q: keys are as they are
        local out, x = {}, lab.sym "x"
        for i = 1, D do out[i] = x[i - 1] end
        self.columns[side] = out
        return out
    end
    local out, width = {}, self:run(side, T, rows(q_mixed, T), rows(k_mixed, T)).shape[2]
    for i = 1, width do
        local f = self:column(side, i)
        if self.kind == "additive vectors" then f = replace(f, t, m) end
        out[i] = f
    end
    self.columns[side] = out
    return out
end

-- One column of the vectors as a formula of m, with a fixed x.
function Subject:images(side, x)
    local out = {}
    for i, f in ipairs(self:vectors(side)) do out[i] = self.acts and fill(f, "x", x) or f end
    return out
end

-- The score as a formula of m, n, q[...], k[...]; nil when there is none, as where positions are counted from what the keys are.
function Subject:score()
    if self.score_made ~= nil then return self.score_made or nil end
    local sum
    if self.kind == "contextual" then sum = nil
    elseif self.vector_kind then
        local q, key = lab.sym "q", lab.sym "k"
        local Q, K = self:vectors("q"), self:vectors("k")
        for i = 1, #Q do
            local a, b = Q[i], replace(K[i], m, n)
            if self.acts then a, b = replace(a, lab.sym "x", q), replace(b, lab.sym "x", key) end
            sum = sum and sum + a * b or a * b
        end
    else sum = self:column("q", 1) end
    self.score_made = sum or false
    return sum
end

-- The score of a contextual encoding as a formula of p, how far the keys from n to m count, q[...] and k[...]; nil of others.
function Subject:counted() return self.kind == "contextual" and self:column("q", 1) or nil end

-- With numbers as content, and one position on every axis.
function Subject:score_of(q, key)
    local f = self:score()
    if not f then return nil end
    f = fill(fill(f, "q", fractions(q)), "k", fractions(key))
    return replace(replace(f, m, m + 0), n, n + 0)
end

-- The formula at whole positions, as a constant; and the ball of it.
local function value_at(f, m_value, n_value)
    for name, value in next, {m = m_value, n = n_value} do
        for _, x in ipairs(f:symbols()) do
            if x.name == name or x.op == "at" and x.args[1].name == name then f = lab.subst(f, x, lab.rat(value)) end
        end
    end
    return f
end
local function at(f, m_value, n_value) return lab.enclose(value_at(f, m_value, n_value)) end

local function unit(i)
    local x = {}
    for l = 1, D do x[l] = lab.rat(l == i and 1 or 0) end
    return x
end

-- The score as a formula of s = m - n alone (members s[a] = m[a] - n[a]), when n drops out; nil otherwise.
function Subject:by_distance()
    if self.distance_made ~= nil then return self.distance_made or nil end
    local f, g = self:score(), nil
    if f then
        g = f
        for _, x in ipairs(f:symbols()) do
            if x.op == "sym" and x.name == "m" then g = lab.subst(g, x, n + s)
            elseif x.op == "at" and x.args[1].name == "m" then
                local a = integer(x.args[2])
                g = lab.subst(g, x, n[a] + s[a])
            end
        end
        g = simplify(g)
        if has(g, "n") then g = nil end
    end
    self.distance_made = g or false
    return g
end

-- The score of equal content at distance s >= 0 to one side (way 1: keys before the query), as a formula of s.
function Subject:side_of(way)
    local g = self:by_distance()
    if not g then return nil end
    g = fill(fill(g, "q", fractions(q_mixed)), "k", fractions(q_mixed))
    for _, x in ipairs(g:symbols()) do
        if x.name == "s" or x.op == "at" and x.args[1].name == "s" then g = lab.subst(g, x, way > 0 and s or -s) end
    end
    return simplify(g)
end

-- The formulas in which positions stand: columns, or the score.
function Subject:placed()
    if self.vector_kind then return self:images("q", fractions(q_mixed)) end
    return {self:score_of(q_mixed, q_mixed)}
end

-- Angles of sines and cosines that know a position: text -> {sin, cos, angle}
function Subject:angles()
    local found, any = {}, false
    for _, f in ipairs(self:placed()) do
        each(f, function(e)
            if (e.op == "sin" or e.op == "cos") and not is_constant(e) then
                local text = tostring(simplify(e.args[1]))
                found[text] = found[text] or {angle = e.args[1]}
                found[text][e.op], any = true, true
            end
        end)
    end
    return any and found
end

-- The angles θ m for which a vector tells cos θm and sin θm: both are columns, or the image of a unit vector is
-- g(m) (cos θm, sin θm) with g > 0. And for each, by its number, the verdict that says so.
function Subject:turning()
    local out, because = {}, {}
    if not self.acts then
        local columns = {}
        for _, f in ipairs(self:images("q")) do columns[tostring(f)] = true end
        for _, f in ipairs(self:images("q")) do
            if f.op == "sin" and columns[tostring(lab.cos(f.args[1]))] then out[#out + 1] = f.args[1] end
        end
        return out, because
    end
    for i = 1, D do
        local parts, angle = {}, nil
        for _, f in ipairs(self:images("q", unit(i))) do
            local e = abstract(f, self.constants)
            if not is_zero(e) then parts[#parts + 1] = e end
            each(e, function(x) if (x.op == "sin" or x.op == "cos") and not is_constant(x) then angle = x.args[1] end end)
        end
        if #parts == 2 and angle then
            local sine, cosine = lab.sin(angle), lab.cos(angle)
            local length = concrete(simplify(replace(parts[1]^2 + parts[2]^2, m, lab.rat(0))), self.constants)
            for _, p in ipairs{{parts[1], parts[2]}, {parts[2], -parts[1]}} do
                local v = lab.prove(p[1] * sine, p[2] * cosine)
                if v.strength == "proved" and sign_of(replace(length, m, lab.rat(0))) == 1 then
                    out[#out + 1] = concrete(angle, self.constants)
                    because[#out] = v
                    break
                end
            end
        end
    end
    return out, because
end

-- Its arguments were made for T positions: does it refuse more?
function Subject:limit()
    if self.vector_kind or self.kind == "score bias" then return false end
    local args = self:arguments("q", T, rows(q_mixed, T + 1), rows(k_mixed, T + 1))
    return not try(lab[self.encoding], table.unpack(args, 1, args.n))
end

-- |θ| of an angle θ m (m[0] + m[1] counts as one position) as a ball and as a constant; nil when it is no such angle.
local function frequency(angle)
    local theta
    for _, x in ipairs(angle:symbols()) do
        local name = x.op == "at" and x.args[1].name or x.name
        if name == "m" then theta = theta and theta + lab.derivative(angle, x) or lab.derivative(angle, x) end
    end
    if not theta or not is_constant(theta) then return nil end
    theta = simplify(lab.abs(theta))
    return lab.enclose(theta), theta
end

local function norm_square(images)
    local sum
    for _, f in ipairs(images) do sum = sum and sum + f^2 or f^2 end
    return sum
end

local acting = {["rotation of q and k"] = true, ["factor of q"] = true}

-- Every encoding with every line of its sample.
local function subjects()
    local names, out = {}, {}
    local all = lab.encodings()
    for name in next, all do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
        local e = all[name]
        for line in (e.sample .. "\n"):gmatch("([^\n]+)\n") do
            local label, sample = line:match("^([%w_%-]+): (.*)$")
            local claims = {}
            for _, law in ipairs(e.laws) do claims[law] = true end
            out[#out + 1] = setmetatable({name = label and name .. " " .. label or name, encoding = name, title = e.title, title_zh = e.title_zh,
                kind = e.kind, sample = sample or line, claims = claims, condition = e.claims, condition_zh = e.claims_zh, made = {}, columns = {}, constants = {},
                acts = acting[e.kind] or false, keys_stay = e.kind == "factor of q", vector_kind = e.kind == "additive vectors" or acting[e.kind] or false,
                any = acting[e.kind] or e.kind:match("^relative") ~= nil, -- its score depends on q and k
                two_sided = (sample or line):find("side", 1, true) ~= nil}, Subject)
        end
    end
    return out
end

return {
    T = T, d = D, H = H, q_mixed = q_mixed, k_mixed = k_mixed, contents = contents, rows = rows, unit = unit, fractions = fractions, exact = exact,
    norm_square = norm_square, vector = vector, at = at, value_at = value_at, frequency = frequency, list = subjects,
}
