-- Programs of bench_prove.c, which it names by what stands behind the @.

-- @setup
a, b, t, u, k, m, n = sym 'a b t u k m n'
function long(count, f) local s = f(1) for r = 2, count do s = s + f(r) end return s end
function inner(d) local w = symmatrix('w', d // 2)
  return eq(long(d // 2, function(r) return sin(w(r)*t)*sin(w(r)*(t+k)) + cos(w(r)*t)*cos(w(r)*(t+k)) end),
            long(d // 2, function(r) return cos(w(r)*k) end)) end
function hessian(d) local w, h, g = symmatrix('w', d // 2), symmatrix('h', d // 2), symmatrix('g', d // 2)
  return eq(long(d // 2, function(r) return h(r)*cos(m*w(r))*cos(n*w(r)) + g(r)*sin(m*w(r))*sin(n*w(r)) end),
            long(d // 2, function(r) return (h(r)+g(r))/2*cos((m-n)*w(r)) + (h(r)-g(r))/2*cos((m+n)*w(r)) end)) end
function rope(d) local w, q, v = symmatrix('w', d // 2), symmatrix('q', d), symmatrix('v', d)
  local function turn(x, r, at) local c, s = cos(at*w(r)), sin(at*w(r))
    return c*x(2*r-1) - s*x(2*r), s*x(2*r-1) + c*x(2*r) end
  return eq(long(d // 2, function(r) local x, y = turn(q, r, m) local z, w2 = turn(v, r, n) return x*z + y*w2 end),
            long(d // 2, function(r) local z, w2 = turn(v, r, n - m) return q(2*r-1)*z + q(2*r)*w2 end)) end
K, B, D = sym('K B D', 'positive')
S = {prove_sin = eq(sin(a+b), sin(a)*cos(b) + cos(a)*sin(b)), prove_in8 = inner(8), prove_in128 = inner(128),
     prove_rope = rope(128), prove_hess = hessian(128),
     prove_ntk = eq(n/(K^(2/(D-2))*B)^(D/2-1), (n/K)/B^(D/2-1))}
function run(id, times) local v for i = 1, times do v = prove(S[id]) end assert(v.strength == 'proved') end
