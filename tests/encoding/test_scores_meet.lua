-- Programs of test_scores_meet.c, which it names by what stands behind the @.

-- @cope_follows_its_formula_of_p_1
function counted(c)
  local P = zeros(T, T)
  for m = 1, T do
    local p = 0
    for n = m, 1, -1 do p = p + 1/(1 + exp(-c*sum(q[m]*k[n]))) P[{m, n}] = p end
  end
  return P
end

-- @cope_follows_its_formula_of_p_2
function at(name, P)
  local c = tonumber(name:match '%d')
  return name == 'p' and P or name:match '^q' and q[{{}, {c + 1, c + 1}}] or k[{{}, c + 1}]
end

-- @cope_follows_its_formula_of_p_3
function by_formula(P, o)
  local f, given = formula_of('cope', 1, q, k, e, o), {}
  for _, x in ipairs(f:symbols()) do given[tostring(x)] = at(tostring(x), P) end
  return where(low, evaluate(f, given), 0)
end

-- @grouped_queries
forms = {shaw=function(k) return shaw(q6, k, a) end, cope=function(k) return where(low, cope(q6, k, a), 0) end,
  query=function(k) return shaw(q6, k, randn(rng(9), 2*T - 1, d), {variant='bert_query'}) end,
  deberta=function(k) return deberta(q6, k, W, 2*W, {max_distance=5}) end,
  xl=function(k) return transformer_xl(q6, k, W, u, w) end, tener=function(k) return tener(q6, k, u, w) end,
  xlnet=function(k) return xlnet(q6, k, W, u, w) end,
  rerope=function(k) return rerope(q6, k, {layout='half', window=2}) end,
  values=function(v) return shaw_values(softmax(matmul(q6, transpose(q6))), v, a) end}

-- @corners
function count(x) return x.shape[1] end
score = {shaw=function(q, k) return shaw(q, k, a) end, cope=function(q, k) return cope(q, k, a) end,
  deberta=function(q, k) return deberta(q, k, W, 2*W, {max_distance=5}) end,
  xl=function(q, k) return transformer_xl(q, k, W, u, w) end, tener=function(q, k) return tener(q, k, u, w) end,
  xlnet=function(q, k) return xlnet(q, k, W, u, w) end,
  rerope=function(q, k) return rerope(q, k, {layout='half', window=2}) end,
  alibi=function(q) return alibi(2, count(q))[2] end, nope=function(q) return nope(count(q)) end,
  t5=function(q) return t5(randn(rng(3), 32, 1), count(q), {direction='causal'})[1] end,
  kerple=function(q) return kerple(count(q), {kind='log', r1=2, r2=0.5})[1] end}

-- @what_a_corner_is
function first(x, n) return x[{{1, n}, {}}] end
function corners(f, c)
  local wrong, whole = 0, f(q, k)
  for n = 1, c do
    local part = f(first(q, n), first(k, n))
    for i = 1, n do for j = 1, i do if not (abs(part[{i, j}] - whole[{i, j}]) < 2e-13) then wrong = wrong + 1 end end end
  end
  return wrong
end
