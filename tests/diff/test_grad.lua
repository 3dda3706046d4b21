-- Programs of test_grad.c, which it names by what stands behind the @.

-- @hidden_keys_take_no_part_1
Q, K, V = randn(rng(1), 3, 2), randn(rng(2), 3, 2), randn(rng(3), 3, 2)
w, all = array{{1, 2}, {3, -1}, {2, 1}}, {mask = gt(array{1, 1, 0}, 0)}
function f(Q, K, V) return sum(w * attention(Q, K, V, all)) end
function g(K) return sum(exp(attention_weights(Q, K, all)) * array{1, 2, 3}) end

-- @hidden_keys_take_no_part_2
a, b, c = grad(f)(Q, K, V)
d, e = hessian(f)(Q, K, V), grad(g)(K)
K[3], V[3] = {nan, inf}, {inf, nan}
A, B, C = grad(f)(Q, K, V)
D, E = hessian(f)(Q, K, V), grad(g)(K)

-- @heads_of_many_dimensions
function wide(X) return reshape(X, 1, 1, 1, 1, 1, table.unpack(X.shape)) end
function same(f, Q, K)
  local function g(Q, K) return grad(function(K) return f(Q, K) end)(K) end
  local function second(Q, K) return grad(function(K) return sum(g(Q, K)^2) end)(K) end
  return allclose(g(wide(Q), wide(K)), wide(g(Q, K))) and allclose(second(wide(Q), wide(K)), wide(second(Q, K)))
end
function weigh(Q, K) return sum(attention_weights(Q, K)^2) end
function attend(Q, K) return sum(attention(Q, K, K)^2) end
Q, one, two = sin(reshape(range(1, 24), 4, 3, 2)), cos(reshape(range(1, 4), 1, 2, 2)), cos(reshape(range(1, 8), 2, 2, 2))

-- @memory_grows_with_positions_1
grad(function(x)
 local y = x - 2
 return log(y)*0
end)(1.0)

-- @memory_grows_with_positions_2
grad(function(x)
 local y = x*x
 return sqrt(y)
end)(0.0)
