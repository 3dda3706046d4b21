-- For test_samples.c: the samples of descriptors as arguments, and kernels against formulas at every place.
T, d, H, g = 12, 8, 2, rng(9)
function drawn(g, ...) return floor(randn(g, ...)*1024 + 0.5)/1024 end
Q, K = drawn(g, T, d), drawn(g, T, d)
function arguments(text, side)
  local names = {T = T, d = d, H = H, side = side, Q = Q, K = K, V = K, X = side == 'k' and K or Q}
  local g = rng(17)
  function names.learned(...) return drawn(g, ...) end
  return table.pack(assert(load('return ' .. text, '=sample', 't', setmetatable(names, {__index = _G})))())
end
function symbols(side)
  local at = {t = reshape(range(0, T - 1), T, 1), n = range(0, T - 1)}
  at.m = at.t
  for c = 0, d - 1 do
    local column = {{}, {c + 1, c + 1}}
    at[('m[%d]'):format(c)], at[('q[%d]'):format(c)], at[('k[%d]'):format(c)] = at.m, Q[column], K[{{}, c + 1}]
    at[('x[%d]'):format(c)] = (side == 'k' and K or Q)[column]
  end
  return at
end
function value(f, side)
  local at, given = symbols(side), {}
  for _, s in ipairs(f:symbols()) do given[tostring(s)] = at[tostring(s)] end
  return evaluate(f, given)
end
-- the columns of vectors, the heads of scores; a key that is hidden has no formula
function worst(name, text, side, vectors)
  local a, far = arguments(text, side), 0
  local y = _G[name](table.unpack(a, 1, a.n))
  for c = 1, vectors and y.shape[2] or y.ndim == 3 and y.shape[1] or 1 do
    local got = vectors and y[{{}, {c, c}}] or y.ndim == 3 and y[c] or y
    local off = abs(got - value(formula_of(name, c, table.unpack(a, 1, a.n)), side))
    far = max{far, max(where(eq(got, -inf), 0, off))}
  end
  return far
end
