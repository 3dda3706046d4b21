-- For test_layers.c: layers as loops over index tuples, from their definitions, with numbers only.

-- near(A, B, bound): same shape, and |a - b| <= bound everywhere.
function near(A, B, bound)
  local D = array(A) - array(B)
  for k, n in ipairs(array(B).shape) do if array(A).shape[k] ~= n then return 'shapes differ' end end
  local worst = max(abs(D))
  return worst <= bound or worst
end
-- matrix product of tables
function times(A, B)
  local C = {}
  for i = 1, #A do C[i] = {} for j = 1, #B[1] do local s = 0 for l = 1, #B do s = s + A[i][l] * B[l][j] end C[i][j] = s end end
  return C
end
-- one head, on tables of rows: query i sees key j when sees(i, j)
function one_head(Q, K, V, sees)
  local Z, A = {}, {}
  for i = 1, #Q do
    local e, sum = {}, 0
    for j = 1, #K do
      local s = 0
      for l = 1, #Q[1] do s = s + Q[i][l] * K[j][l] end
      e[j] = sees(i, j) and math.exp(s / math.sqrt(#Q[1])) or 0
      sum = sum + e[j]
    end
    Z[i], A[i] = {}, e
    for j = 1, #K do e[j] = e[j] / sum end
    for l = 1, #V[1] do local z = 0 for j = 1, #K do z = z + e[j] * V[j][l] end Z[i][l] = z end
  end
  return Z, A
end
function columns(A, first, last)
  local C = {}
  for i = 1, #A do C[i] = table.move(A[i], first, last, 1, {}) end
  return C
end
function slow_heads(X, Y, P, sees)
  local Q, K, V = times(X, P.Wq:totable()), times(Y, P.Wk:totable()), times(Y, P.Wv:totable())
  local H, Hk, J, A = P.heads, P.kv_heads or P.heads, {}, {}
  local dk, dv = #Q[1] // H, #V[1] // Hk
  for i = 1, #X do J[i] = {} end
  for h = 1, H do
    local g = (h - 1) // (H // Hk)
    local Z
    Z, A[h] = one_head(columns(Q, (h - 1) * dk + 1, h * dk), columns(K, g * dk + 1, g * dk + dk), columns(V, g * dv + 1, g * dv + dv), sees)
    for i = 1, #X do for l = 1, dv do J[i][(h - 1) * dv + l] = Z[i][l] end end
  end
  return times(J, P.Wo:totable()), A
end
function all_seen() return true end
function past(i, j) return j <= i end
function slow_norm(X)
  local Y = {}
  for i, x in ipairs(X) do
    local m, v = 0, 0
    for _, c in ipairs(x) do m = m + c / #x end
    for _, c in ipairs(x) do v = v + (c - m)^2 / #x end
    Y[i] = {}
    for l, c in ipairs(x) do Y[i][l] = (c - m) / math.sqrt(v + 1e-5) end
  end
  return Y
end
function plus(A, B)
  local C = {}
  for i = 1, #A do C[i] = {} for j = 1, #A[1] do C[i][j] = A[i][j] + B[i][j] end end
  return C
end
function slow_ffn(X, P)
  local U = times(X, P.W1:totable())
  for i = 1, #U do for j = 1, #U[1] do U[i][j] = math.max(0, U[i][j] + P.b1(j)) end end
  local Z = times(U, P.W2:totable())
  for i = 1, #Z do for j = 1, #Z[1] do Z[i][j] = Z[i][j] + P.b2(j) end end
  return Z
end
X, Y = randn(rng(1), 6, 8), randn(rng(2), 4, 8)
x, y = X:totable(), Y:totable()
