-- Programs of test_hunt.c, which it names by what stands behind the @.

-- @atlas_laws
-- What the atlas says of such an encoding, held against its scores. A law that holds may have no example against it; of one that is refuted the
-- numbers it shows must be those of the scores, and go against it.
local A, D, T, below, dot = hunt_atlas, hunt_atlas.D, hunt_atlas.T, hunt_atlas.below, hunt_atlas.dot
local lab = require "phasor"
local TRIES = 80

local function subject_vector(seed) -- the atlas's own content, which its numbers are of
  local x, out = lab.randn(lab.rng(seed), D), {}
  for i = 1, D do out[i] = math.floor(x(i) * 8 + 0.5) / 8 end
  if out[1] == 0 then out[1] = 1 / 8 end
  return out
end
local q_mixed, k_mixed = subject_vector(11), subject_vector(12)
local equal_contents = {q_mixed, k_mixed}
for seed = 31, 36 do equal_contents[#equal_contents + 1] = subject_vector(seed) end
for i = 1, D do
  local x = {}
  for l = 1, D do x[l] = l == i and 1.0 or 0.0 end
  equal_contents[#equal_contents + 1] = x
end

-- Equal but for rounding; different beyond it. Numbers here are sums of some 50 terms, angles up to some 10^6: each is right to 10^-9.
local function same(a, b) return a == b or math.abs(a - b) < math.huge and math.abs(a - b) <= 1e-7 * (1 + math.abs(a) + math.abs(b)) end
local function shown(a, text) return math.abs(a - tonumber(text)) <= 1e-6 * (1 + math.abs(a)) end

local function place(s) return below(s.rows or (below(3) == 0 and 1500 or 60)) end
local function point_of(v)
  local out = {}
  for _, p in ipairs(v.point or {}) do out[p.name] = math.tointeger(tonumber(p.value)) or p.value end
  return out
end

-- The two scores of a witness at the atlas's content; nil and why, where they are not its numbers.
local function witness(s, v, equal)
  local p = point_of(v)
  if not (p.m and p.n and p.m2 and p.n2) then return nil, "no two scores in the witness " .. tostring(v.witness) end
  local function look(q, key)
    local a, b = s.score(p.m, p.n, q, key), s.score(p.m2, p.n2, q, key)
    if shown(a, p.score) and (p.score2 == nil and b == -math.huge or p.score2 and shown(b, p.score2)) then return {a = a, b = b, p = p} end
  end
  for _, x in ipairs(equal_contents) do
    local found = look(x, x)
    if found then return found end
  end
  if not equal then
    local found = look(q_mixed, k_mixed)
    if found then return found end
  end
  return nil, ("the scores are not those of %s, but %.9g"):format(v.witness, s.score(p.m, p.n, q_mixed, k_mixed))
end

local function moved(s, equal)
  local q = A.vector()
  local k = equal and q or A.vector()
  local m, n, c = place(s), place(s), place(s)
  if s.rows then c = c % (s.rows - math.max(m, n)) end
  if equal and s.context and n > m then m, n = n, m end
  local a, b = s.score(m, n, q, k), s.score(m + c, n + c, q, k)
  if not same(a, b) then return ("score(%d, %d) = %.9g, score(%d, %d) = %.9g"):format(m, n, a, m + c, n + c, b) end
end
-- The same with other keys around: a contextual score may change.
local function other_keys(s)
  local q, k, K, c = A.vector(), A.vector(), {}, 1 + below(9)
  for j = 0, 40 do K[j] = A.vector() end
  K[3], K[3 + c] = k, k
  local function key(j) return K[j] end
  local a, b = s.context(5, 3, q, key), s.context(5 + c, 3 + c, q, key)
  return not same(a, b) and "other keys around"
end
local function mirrored(s)
  local q, k, m, a = A.vector(), A.vector(), place(s), nil
  a = below(math.min(m, (s.rows or 4000) - 1 - m) + 1)
  local x, y = s.score(m, m - a, q, k), s.score(m, m + a, q, k)
  if not same(x, y) then return ("score(%d, %d) = %.9g, score(%d, %d) = %.9g"):format(m, m - a, x, m, m + a, y) end
end
local function some(find, s, ...)
  for _ = 1, TRIES do
    local found = find(s, ...)
    if found then return found end
  end
end

local laws = {}

function laws.relative(s, v)
  local find = s.context and other_keys or moved
  local found = some(find, s)
  if v.holds then return found end
  if s.context then return not found and "no example of it" end
  local w, why = witness(s, v)
  if not w then return why end
  if w.p.m - w.p.n ~= w.p.m2 - w.p.n2 or same(w.a, w.b) then return "is no example: " .. v.witness end
end

function laws.even(s, v)
  if v.holds then return some(moved, s) or some(mirrored, s) end
  if s.context then return end
  local w, why = witness(s, v)
  if not w then return why end
  if math.abs(w.p.m - w.p.n) ~= math.abs(w.p.m2 - w.p.n2) or same(w.a, w.b) then return "is no example: " .. v.witness end
end

function laws.direction_aware(s, v)
  local found = some(mirrored, s)
  if v.holds then return not found and "no two sides differ" end
  return found
end

function laws.toeplitz(s, v)
  local found = some(moved, s, true)
  if v.holds then return found end
  local w, why = witness(s, v, true)
  if not w then return why end
  if w.p.m - w.p.n ~= w.p.m2 - w.p.n2 or same(w.a, w.b) then return "is no example: " .. v.witness end
end

-- How large its numbers are at positions up to 2000, and far away.
local function sizes(s, earlier)
  local near, far = 0, 0
  local function look(most, m, n)
    if s.vector then
      for _, side in ipairs(s.acts and {"q", "k"} or {"q"}) do
        for _, x in ipairs(s.vector(q_mixed, m, side)) do most = math.max(most, math.abs(x)) end
      end
    else
      local a = s.score(m, n, q_mixed, k_mixed)
      if a ~= -math.huge then most = math.max(most, math.abs(a)) end
    end
    return most
  end
  for m = 0, (s.rows or 300) - 1 do near = look(look(near, m, 0), m, m // 2) if not earlier then near = look(near, 0, m) end end
  if s.rows or s.context then return near, near end
  for _ = 1, s.acts and 0 or 1000 do
    near = look(near, below(10 ^ (3 + below(5))), 0)
    if not earlier then near = look(near, 0, below(10 ^ (3 + below(5)))) end
  end
  for _, m in ipairs{1e9, 1e15, 1e100, 1e300} do far = look(look(far, m, 0), m, m / 2) if not earlier then far = look(far, 0, m) end end
  return near, far
end
function laws.bounded(s, v)
  local earlier = s.causal
  for _, e in ipairs(v.requires) do earlier = earlier or tostring(e) == "le(n, m)" end
  local near, far = sizes(s, earlier)
  local grows = not (far <= 1.5 * near + 1)
  if v.holds == grows then return ("%.4g up to 300, %.4g far away"):format(near, far) end
end

local function risen(s)
  local q, m = A.vector(), place(s)
  local n = place(s)
  local far = n < m and below(n + 1) or n + (s.rows and below(s.rows - n) or below(50))
  local a, b = s.score(m, n, q, q), s.score(m, far, q, q)
  if b > a and not same(a, b) then return ("score(%d, %d) = %.9g, score(%d, %d) = %.9g"):format(m, n, a, m, far, b) end
end
function laws.decaying(s, v)
  if v.holds then return v.strength ~= "measured" and some(risen, s) end
  local w, why = witness(s, v, true)
  if not w then return why end
  local near, far = w.p.n - w.p.m, w.p.n2 - w.p.m2
  if near * far < 0 or math.abs(far) <= math.abs(near) or w.b <= w.a then return "is no example: " .. v.witness end
end

local function length(s, m, side) local x = s.vector(q_mixed, m, side) return dot(x, x) end
function laws.norm_keeping(s, v)
  if not v.holds then
    local p = point_of(v)
    local a, b = length(s, 0, "q"), p.m and length(s, p.m, "q")
    return not (b and shown(a, p.value) and shown(b, p.value2) and not same(a, b)) and "is no example: " .. v.witness
  end
  for _ = 1, TRIES do
    local m, side, x = place(s), below(2) == 0 and "k" or "q", s.acts and A.vector() or q_mixed
    local a, b = s.vector(x, 0, side), s.vector(x, m, side)
    if not same(dot(a, a), dot(b, b)) then return ("%.9g at 0, %.9g at %d"):format(dot(a, a), dot(b, b), m) end
  end
end

-- R(m + c) R(0) = R(m) R(c), applied to x; where vectors are added, P(m + 2c) is the same of P(m + c) and P(m) as at any other m, for each
-- pair of a sine and a cosine: P(m + 2c) + P(m) = 2 cos(c theta) P(m + c).
function laws.shift_linear(s, v)
  if not v.holds then return end
  for _ = 1, TRIES do
    local m, c, x = place(s), place(s), s.acts and A.vector() or nil
    local a, b
    if s.acts then
      a, b = s.vector(s.vector(x, 0, "q"), m + c, "q"), s.vector(s.vector(x, c, "q"), m, "q")
    else
      if s.rows then return "rows of a table" end
      local p0, p1, p2 = s.vector(nil, m), s.vector(nil, m + c), s.vector(nil, m + 2 * c)
      local o0, o1, o2 = s.vector(nil, 0), s.vector(nil, c), s.vector(nil, 2 * c)
      a, b = {}, {}
      for i = 1, #p0 do a[i], b[i] = (p2[i] + p0[i]) * o1[i], (o2[i] + o0[i]) * p1[i] end
    end
    for i = 1, #a do if not same(a[i], b[i]) then return ("a step of %d from %d: %.9g, %.9g"):format(c, m, a[i], b[i]) end end
  end
end

function laws.injective(s, v, N)
  if s.rows then N = math.min(N, s.rows) end
  local function at(j) return s.vector and s.vector(q_mixed, j, "q") or {s.score(N - 1, N - 1 - j, q_mixed, q_mixed)} end
  local function alike(a, b)
    for i = 1, #a do if not same(a[i], b[i]) then return false end end
    return true
  end
  if v.holds then -- only what is the same exactly counts against it
    local seen = {}
    for j = 0, (s.context and T or N) - 1 do
      local text = {}
      for i, x in ipairs(s.context and {s.score(T - 1, T - 1 - j, q_mixed, q_mixed)} or at(j)) do text[i] = ("%.17g"):format(x) end
      text = table.concat(text, " ")
      if seen[text] then return ("%d and %d are alike: %s"):format(seen[text], j, text) end
      seen[text] = j
    end
    return
  end
  local p = point_of(v)
  local a, b = p.m or p.s, p.m2 or p.s2
  if not (a and b) or a == b or math.max(a, b) >= N and not s.context then return "is no example: " .. v.witness end
  if s.context then N = T end
  if not alike(at(a), at(b)) then return "is no example: " .. v.witness end
end

function laws.extrapolates(s, v, N)
  if s.rows then return v.holds and "it has no more positions" end
  if s.share_from then -- from L on a query has every share; before, where no share counts, all scores are one
    local a = s.score(2 * N - 1, N - 1, q_mixed, q_mixed)
    for j = N, v.holds and N - 1 < s.share_from and 2 * N - 1 or 0 do
      if not same(a, s.score(2 * N - 1, 2 * N - 1 - j, q_mixed, q_mixed)) then return ("query N - 1 has not the share of distance %d"):format(j) end
    end
    return
  end
  if s.counts then return v.holds and N < s.counts and "p goes on" end
  if s.phases then
    local slow = math.huge
    for _, f in ipairs(s.phases) do slow = math.min(slow, f * N / (2 * math.pi)) end
    local off = v.holds and slow < 1 - 1e-9 or v.strength == "refuted" and slow > 1 + 1e-9
    return off and ("the slowest pair has turned %.9g times"):format(slow)
  end
  if s.vector then
    local p = point_of(v)
    if v.holds or not p.value2 then return v.holds and same(length(s, N, "q"), length(s, 2 * N, "q")) == false and "vectors go on" end
    local a, b = s.vector(q_mixed, p.m, "q")[1], s.vector(q_mixed, p.m2, "q")[1]
    return (not shown(a, p.value) or not shown(b, p.value2) or same(a, b)) and "is no example: " .. v.witness
  end
  local function far_of(way, j) return s.score(2 * N - 1, 2 * N - 1 - way * j, q_mixed, q_mixed) end
  local function nearest(way, x)
    local gap = math.huge
    for j = 0, N - 1 do gap = math.min(gap, math.abs(far_of(way, j) - x)) end
    return gap
  end
  if v.holds then
    for _ = 1, 12 do
      local way, j = below(2) == 0 and 1 or -1, N + below(N)
      local x = far_of(way, j)
      if x ~= -math.huge and nearest(way, x) > 1e-7 * (1 + math.abs(x)) then return ("distance %d scores %.9g, which is new"):format(way * j, x) end
    end
    return
  end
  local p = point_of(v)
  if not p.s then return "no distance in " .. v.witness end
  local way = v.witness:find "ahead" and -1 or 1
  local x = far_of(way, p.s)
  if p.s < N or p.s >= 2 * N or not shown(x, p.score) or nearest(way, x) < 1e-9 then return "is no example: " .. v.witness end
end

-- One encoding, all laws: how many held, were refuted, stayed open; and what is false, or nil.
function hunt_atlas.ask(seed)
  A.seed(seed)
  local names = {}
  for name in pairs(A.kinds) do names[#names + 1] = name end
  table.sort(names)
  local s = A.kinds[names[below(#names) + 1]]()
  local N, all = below(4) == 0 and 2 + below(10) or 2 + below(600), lab.encodings
  local held, refuted, open, wrong = 0, 0, 0, nil
  function lab.encodings() local e = all()[s.name] e.sample = s.sample return {[s.name] = e} end
  local ok, row = pcall(function() local row = lab.atlas(s.name, {N = N}) return row, row.relative end)
  lab.encodings = all
  if not ok then return 0, 0, 0, ("%s(%s), N = %d: %s"):format(s.name, s.sample, N, row) end
  for key, law in pairs(laws) do
    local v = row[key]
    if v.holds then held = held + 1 elseif v.strength == "refuted" then refuted = refuted + 1 else open = open + 1 end
    local found = v.strength ~= "unknown" and law(s, v, N)
    if found then wrong = ("%s of %s(%s), N = %d: %s; but %s"):format(key, s.name, s.sample, N, tostring(v), found) end
  end
  row = nil
  collectgarbage()
  return held, refuted, open, wrong
end
