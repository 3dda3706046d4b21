-- Programs of hunt_atlas.c, which it names by what stands behind the @.

-- @encodings
-- Encodings with random arguments, from the papers' formulas in plain numbers: none of the laboratory's arithmetic takes part. A subject:
--   name, sample     what the atlas is asked about
--   score(m, n, q, k) of a query at m and a key at n (-inf: hidden); vector(x, m, side) where vectors are made of it
--   phases           the frequencies of its sines, where the score is made of nothing else that grows
--   rows             it knows so many positions, not more; causal: later keys are hidden
hunt_atlas = {T = 32, D = 8, kinds = {}}
local A, D, T = hunt_atlas, hunt_atlas.D, hunt_atlas.T
local state
function A.seed(n) state = n end
function A.below(n) -- splitmix64
  state = state + 0x9E3779B97F4A7C15
  local z = (state ~ state >> 30) * 0xBF58476D1CE4E5B9
  z = (z ~ z >> 27) * 0x94D049BB133111EB
  return ((z ~ z >> 31) >> 1) % math.tointeger(n)
end
local below = A.below
local function pick(...) return (select(below(select("#", ...)) + 1, ...)) end
local function eighth() local n = below(32) - 16 return (n >= 0 and n + 1 or n) / 8 end
function A.vector(n) local x = {} for i = 1, n or D do x[i] = eighth() end return x end
local function grid(r, c) local t = {} for i = 1, r do t[i] = A.vector(c) end return t end
local function lit(x)
  if type(x) ~= "table" then return ("%.17g"):format(x) end
  local out = {}
  for i, e in ipairs(x) do out[i] = lit(e) end
  return "{" .. table.concat(out, ", ") .. "}"
end
local function dot(a, b) local s = 0 for i = 1, #a do s = s + a[i] * b[i] end return s end
local function plus(a, b) local c = {} for i = 1, #a do c[i] = a[i] + b[i] end return c end
local function clip(x, lo, hi) return math.max(lo, math.min(hi, x)) end
A.dot = dot
local sin, cos, log, sqrt, pi = math.sin, math.cos, math.log, math.sqrt, math.pi

-- Options as text; each half of the time.
local function options(...)
  local out = {}
  for _, o in ipairs{...} do if o then out[#out + 1] = o end end
  return "{" .. table.concat(out, ", ") .. "}"
end
local function some_base() return pick(10000, 10000, 100, 500000, 2 + below(50)) end

-- x, its pairs turned by m theta_i, and stretched by grow(i).
local function turned(x, m, theta, half, grow)
  local y = {table.unpack(x)}
  for i, f in pairs(theta) do
    local a, b = half and i + 1 or 2 * i + 1, half and i + 1 + theta.pairs or 2 * i + 2
    local s, c, g = sin(m * f), cos(m * f), grow and grow(i) or 1
    y[a], y[b] = g * (c * x[a] - s * x[b]), g * (s * x[a] + c * x[b])
  end
  return y
end
-- theta, from 0, of so many pairs; only numbers are looped over.
local function frequencies(pairs_, base, width)
  local t = {}
  for i = 0, pairs_ - 1 do t[i] = base ^ (-2 * i / width) end
  return t
end
local function with_pairs(t, n) return setmetatable(t, {__index = {pairs = n}}) end
local function list(theta) local out = {} for _, f in pairs(theta) do out[#out + 1] = f end return out end

local function acting(name, sample, turn, phases)
  return {name = name, sample = sample, acts = true, vector = turn, phases = phases,
    score = function(m, n, q, k) return dot(turn(q, m, "q"), turn(k, n, "k")) end}
end

-- ---- rotations -------------------------------------------------------------------------------------------------------

local scalings = {}
scalings["pi"] = function(t, _, _, s) for i in pairs(t) do t[i] = t[i] / s end return "factor=" .. s end
scalings["ntk"] = function(t, base, w, s) for i in pairs(t) do t[i] = (base * s ^ (w / (w - 2))) ^ (-2 * i / w) end return "factor=" .. s end
scalings["dynamic"] = function(t, base, w, s)
  local train, length = 64, pick(32, 64, 100, 400)
  local grown = length > train and base * (s * length / train - (s - 1)) ^ (w / (w - 2)) or base
  for i in pairs(t) do t[i] = grown ^ (-2 * i / w) end
  return ("factor=%s, train=%d, length=%d"):format(s, train, length)
end
scalings["ntk-mixed"] = function(t, _, w, s)
  local power = pick(0.75, 0.5, 1)
  for i in pairs(t) do t[i] = t[i] * math.exp(-log(s) * ((i + 1) / (w / 2)) ^ power) end
  return ("factor=%s, power=%s"):format(s, power)
end
local function by_parts(t, base, w, s)
  local train, fast, slow, code = pick(64, 512), pick(32, 8), 1, below(2) == 0
  local function pair_of(turns) return w * log(train / (turns * 2 * pi)) / (2 * log(base)) end
  local low, high = math.max(math.floor(pair_of(fast)), 0), math.min(math.ceil(pair_of(slow)), w - 1)
  if low == high then high = high + 0.001 end
  for i, f in pairs(t) do
    local keep = code and 1 - clip((i - low) / (high - low), 0, 1) or clip((train * f / (2 * pi) - slow) / (fast - slow), 0, 1)
    t[i] = (1 - keep) * f / s + keep * f
  end
  return ("factor=%s, train=%d, fast=%d, slow=%d, ramp=\"%s\""):format(s, train, fast, slow, code and "code" or "paper")
end
scalings["ntk-parts"] = by_parts
scalings["yarn"] = function(t, base, w, s) return by_parts(t, base, w, s), 1 + log(s) / 10 end
scalings["longrope"] = function(t, _, w, s)
  local train, by = 64, {}
  for i = 0, w // 2 - 1 do by[i + 1] = 1 + below(16) / 4 end
  for i in pairs(t) do t[i] = t[i] / by[i + 1] end
  return ("factor=%s, train=%d, factors=%s"):format(s, train, lit(by)), sqrt(1 + log(s) / log(train))
end
scalings["llama3"] = function(t, _, _, s)
  local train, fast, slow = pick(64, 512), 4, 1
  for i, f in pairs(t) do
    local turns = train * f / (2 * pi)
    local mix = clip((turns - slow) / (fast - slow), 0, 1)
    t[i] = (1 - mix) * f / s + mix * f
  end
  return ("factor=%s, train=%d"):format(s, train)
end
local scaling_names = {"pi", "ntk", "dynamic", "ntk-mixed", "ntk-parts", "yarn", "longrope", "llama3"}

function A.kinds.rope()
  local half, base, width = below(2) == 0, some_base(), pick(8, 8, 8, 4, 6)
  local p, kind = pick(1, 1, 0.5), below(2) == 0 and scaling_names[below(#scaling_names) + 1]
  local theta, text, temperature = frequencies(width // 2, base, width), nil, 1
  if kind then p = 1 end
  if kind then
    local more, warm = scalings[kind](theta, base, width, pick(2, 4, 8))
    text, temperature = ('scaling={kind="%s", %s}'):format(kind, more), warm or 1
  end
  for i = math.floor(p * width / 2), width // 2 - 1 do theta[i] = nil end
  local full = {}
  for i = 0, width // 2 - 1 do full[i] = theta[i] or 0 end
  with_pairs(full, width // 2)
  return acting("rope", "X, " .. options(half and 'layout="half"' or 'layout="interleaved"', "base=" .. base,
      width < D and "rotary=" .. width, p < 1 and "p=" .. p, text), function(x, m)
    return turned(x, m, full, half, function(i) return theta[i] and temperature or 1 end)
  end, list(theta))
end

function A.kinds.rope_axes()
  local half, base, section, first = below(2) == 0, some_base(), below(2) == 0, pick(1, 2, 2, 3)
  local theta = {}
  for i = 0, 3 do
    local axis, at = i < first and 0 or 1, i
    if section and axis == 1 then at = i - first end
    theta[i] = base ^ (-at / (section and (axis == 0 and first or 4 - first) or 4))
  end
  with_pairs(theta, 4)
  return acting("rope_axes", "X, " .. options(half and 'layout="half"' or 'layout="interleaved"', "base=" .. base,
      section and 'exponents="section"' or 'exponents="whole"', ("sections={%d, %d}"):format(first, 4 - first),
      "positions={range(0, T-1), range(0, T-1)}"), function(x, m) return turned(x, m, theta, half) end, list(theta))
end

function A.kinds.xpos()
  local half, base, B, gamma = below(2) == 0, some_base(), pick(512, 64), pick(0.4, 0.25, 2)
  local theta = with_pairs(frequencies(4, base, 8), 4)
  return acting("xpos", "X, " .. options(half and 'layout="half"' or 'layout="interleaved"', "side=side", "base=" .. base,
      "scale_base=" .. B, "gamma=" .. gamma), function(x, m, side)
    local way = (side == "k" and -1 or 1) * m / B
    return turned(x, m, theta, half, function(i) return ((2 * i / 8 + gamma) / (1 + gamma)) ^ way end)
  end, list(theta))
end

function A.kinds.logn()
  local train = pick(2, 4, 16, 1000)
  return acting("logn", ("X, {train=%d}"):format(train), function(x, m, side)
    local y, f = {}, side == "k" and 1 or math.max(1, log(m + 1) / log(train))
    for i, e in ipairs(x) do y[i] = f * e end
    return y
  end)
end

-- ---- vectors that are added --------------------------------------------------------------------------------------------

local function added(name, sample, at, phases, rows)
  return {name = name, sample = sample, vector = function(_, m) return at(m) end, phases = phases, rows = rows,
    score = function(m, n) return dot(at(m), at(n)) end}
end

function A.kinds.sinusoidal()
  local d, base, half = 2 * (1 + below(5)), some_base(), below(2) == 0
  local theta = frequencies(d // 2, base, d)
  return added("sinusoidal", ("T, %d, {base=%d, layout=\"%s\"}"):format(d, base, half and "half" or "interleaved"), function(m)
    local out = {}
    for i = 0, d // 2 - 1 do
      out[half and i + 1 or 2 * i + 1] = sin(m * theta[i])
      out[half and i + 1 + d // 2 or 2 * i + 2] = cos(m * theta[i])
    end
    return out
  end, list(theta))
end

function A.kinds.sinusoidal_t2t()
  local d, base = 4 + below(6), some_base()
  local p, theta = d // 2, {}
  for i = 0, p - 1 do theta[i] = base ^ (-i / (p - 1)) end
  return added("sinusoidal_t2t", ("T, %d, {base=%d}"):format(d, base), function(m)
    local out = {}
    for i = 0, p - 1 do out[i + 1], out[p + i + 1] = sin(m * theta[i]), cos(m * theta[i]) end
    if d % 2 == 1 then out[d] = 0 end
    return out
  end, list(theta))
end

function A.kinds.learned()
  local rows = grid(T, pick(2, 4, 8))
  if below(3) == 0 then rows[5] = rows[2] end
  return added("learned", "array" .. lit(rows) .. ", T", function(m) return rows[m + 1] end, nil, T)
end

-- ---- biases ------------------------------------------------------------------------------------------------------------

local function bias(name, sample, at, causal) return {name = name, sample = sample, score = at, causal = causal} end

function A.kinds.alibi()
  local H = 1 + below(16)
  local power = 1
  while 2 * power <= H do power = 2 * power end
  return bias("alibi", ("%d, T"):format(H), function(m, n) return -2 ^ (-8 / power) * math.abs(m - n) end)
end

function A.kinds.nope() return bias("nope", "T", function(m, n) return n > m and -math.huge or 0 end, true) end

function A.kinds.kerple()
  local r1, r2, p = 1 + below(4), pick(1 / 2, 1, 3), pick(1 / 2, 1, 2)
  if below(2) == 0 then
    return bias("kerple", ('T, {kind="log", r1=%s, r2=%s}'):format(r1, r2), function(m, n) return -r1 * log(1 + r2 * math.abs(m - n)) end)
  end
  return bias("kerple", ('T, {kind="power", a=%s, p=%s}'):format(r2, p), function(m, n) return -r2 * math.abs(m - n) ^ p end)
end

function A.kinds.t5()
  local buckets, both, far = pick(4, 8, 16, 32), below(2) == 0, pick(16, 20, 64, 128)
  local rows = grid(buckets, 1)
  local size = both and buckets // 2 or buckets
  local exact = size // 2
  if far <= exact then far = 2 * exact end
  return bias("t5", ('array%s, T, {direction="%s", max_distance=%d}'):format(lit(rows), both and "both" or "causal", far), function(m, n)
    local s = both and math.abs(m - n) or math.max(m - n, 0)
    local b = s
    if s >= exact then b = math.min(size - 1, exact + math.floor(log(s / exact) / log(far / exact) * (size - exact) + 1e-9)) end
    return rows[b + (both and n > m and size or 0) + 1][1]
  end)
end

function A.kinds.fire()
  local n, c, L, eps = 1 + below(3), pick(1 / 8, 1 / 2, 2), pick(4, 16, 100), pick(0, 0, 1 / 4)
  local w1, b1, w2, b2 = A.vector(n), A.vector(n), grid(n, 1), A.vector(1)
  local function psi(x) return log(math.abs(c * x) + 1) end
  local sample = ("array%s, array%s, array%s, array%s, T, {c=%s, L=%s, eps=%s}"):format(lit(w1), lit(b1), lit(w2), lit(b2), c, L, eps)
  local s = bias("fire", sample, function(m, k)
    local z, sum = psi(m - k) / (psi(math.max(m, L)) + eps), b2[1]
    for u = 1, n do sum = sum + w2[u][1] * math.max(0, w1[u] * z + b1[u]) end
    return sum
  end)
  s.share_from = L
  return s
end

A.pick, A.grid, A.lit, A.plus, A.clip, A.options, A.some_base = pick, grid, lit, plus, clip, options, some_base
A.turned, A.with_pairs, A.frequencies, A.list = turned, with_pairs, frequencies, list

-- @relatives
-- Encodings whose scores know queries and keys.
local A, D, T, below, dot = hunt_atlas, hunt_atlas.D, hunt_atlas.T, hunt_atlas.below, hunt_atlas.dot
local sin, cos, log, sqrt = math.sin, math.cos, math.log, math.sqrt
local pick, grid, lit, plus, clip, options, some_base = A.pick, A.grid, A.lit, A.plus, A.clip, A.options, A.some_base

local function relative(name, sample, at, more)
  local s = {name = name, sample = sample, score = at}
  for key, value in pairs(more or {}) do s[key] = value end
  return s
end

function A.kinds.shaw()
  local variant = pick("paper", "paper", "bert", "bert_query")
  if variant == "paper" then
    local K = 1 + below(6)
    local rows, narrow = grid(2 * K + 1, D), below(3) == 0 and below(K) + 1 or K
    return relative("shaw", ("Q, K, array%s, {clip=%d}"):format(lit(rows), narrow), function(m, n, q, k)
      return dot(q, plus(k, rows[clip(n - m, -narrow, narrow) + K + 1])) / sqrt(D)
    end)
  end
  local rows = grid(2 * T - 1, D)
  return relative("shaw", ('Q, K, array%s, {variant="%s"}'):format(lit(rows), variant), function(m, n, q, k)
    local a = rows[m - n + T]
    return (dot(q, k) + dot(q, a) + (variant == "bert_query" and dot(k, a) or 0)) / sqrt(D)
  end, {rows = T})
end

function A.kinds.rerope()
  local half, window, leak, base = below(2) == 0, 1 + below(20), pick(0, 0, 1 / 4, 1 / 8), some_base()
  local theta = A.with_pairs(A.frequencies(4, base, 8), 4)
  return relative("rerope", "Q, K, " .. options(half and 'layout="half"' or 'layout="interleaved"', "window=" .. window, "leak=" .. leak,
      "base=" .. base), function(m, n, q, k)
      local s = math.abs(m - n)
      if s > window then s = window + (s - window) * leak end
      return dot(A.turned(q, m < n and -s or s, theta, half), k) / sqrt(D)
    end)
end

function A.kinds.tener()
  local u, v, base, code = A.vector(), A.vector(), some_base(), below(2) == 0
  local theta = {}
  for i = 0, 3 do theta[i] = base ^ (code and -i / 3 or -2 * i / D) end
  return relative("tener", ("Q, K, array%s, array%s, {base=%d, variant=\"%s\"}"):format(lit(u), lit(v), base, code and "code" or "paper"),
    function(m, n, q, k)
      local t, R = code and n - m or m - n, {}
      for i = 0, 3 do R[code and i + 1 or 2 * i + 1], R[code and i + 5 or 2 * i + 2] = sin(t * theta[i]), cos(t * theta[i]) end
      return dot(plus(q, u), k) + dot(plus(q, v), R)
    end, {phases = A.list(theta)})
end

local function xl(name)
  local width, u, v, base, clamp = 2 * (1 + below(4)), A.vector(), A.vector(), some_base(), pick(0, 0, 5, 40)
  local W, theta = grid(width, D), A.frequencies(width // 2, base, width)
  return relative(name, ("Q, K, array%s, array%s, array%s, {base=%d, clamp=%d}"):format(lit(W), lit(u), lit(v), base, clamp),
    function(m, n, q, k)
      local t, R = m - n, {}
      if clamp > 0 then t = clip(t, -clamp, clamp) end
      for j = 1, D do
        R[j] = 0
        for i = 0, width // 2 - 1 do R[j] = R[j] + sin(t * theta[i]) * W[i + 1][j] + cos(t * theta[i]) * W[i + 1 + width // 2][j] end
      end
      return (dot(plus(q, u), k) + dot(plus(q, v), R)) / sqrt(D)
    end, {phases = clamp == 0 and A.list(theta) or nil})
end
function A.kinds.transformer_xl() return xl "transformer_xl" end
function A.kinds.xlnet() return xl "xlnet" end

function A.kinds.deberta()
  local K, code = 2 + below(5), below(2) == 0
  local far = code and K % 2 == 0 and K >= 4 and below(2) == 0 and 3 * K or 0
  local qr, kr, mid = grid(2 * K, D), grid(2 * K, D), K // 2
  local function row(s)
    if far > 0 and math.abs(s) > mid then -- DeBERTa-v2: the outer half by the logarithm
      local b = math.ceil(log(math.abs(s) / mid) / log((far - 1) / mid) * (mid - 1) - 1e-9) + mid
      s = s < 0 and -b or b
    end
    return clip(s + K, 0, 2 * K - 1) + 1
  end
  return relative("deberta", ("Q, K, array%s, array%s, {variant=\"%s\", max_distance=%d}"):format(lit(qr), lit(kr), code and "code" or "paper", far),
    function(m, n, q, k)
      return (dot(q, k) + dot(q, kr[row(m - n)]) + dot(k, qr[row(code and m - n or n - m)])) / sqrt(3 * D)
    end)
end

-- Scores with the keys around: K(j) is the key at j.
function A.kinds.cope()
  local N, code = 2 + below(6), below(2) == 0
  local rows = grid(N, D)
  local function context(m, n, q, key)
    if n > m then return -math.huge end
    local p = 0
    for j = n, m do p = p + 1 / (1 + math.exp(-dot(q, key(j)) / (code and sqrt(D) or 1))) end
    p = math.min(p, N - 1)
    local low = math.floor(p)
    local e = dot(q, rows[low + 1])
    if p > low then e = e + (p - low) * (dot(q, rows[low + 2]) - e) end
    return dot(q, key(n)) / sqrt(D) + e / (code and 1 or sqrt(D))
  end
  return relative("cope", ('Q, K, array%s, {variant="%s"}'):format(lit(rows), code and "code" or "paper"), function(m, n, q, k)
    return context(m, n, q, function() return k end)
  end, {context = context, counts = N, causal = true})
end
