-- Programs of test_optimise.c, which it names by what stands behind the @.

-- @tools
-- f(x) = sum c x^2 / 2 over leaves x.a (an array), x.deep.b (a number)
ca, cb = array{1, 2, 0.5}, 2
function bowl(x) return (sum(ca * x.a * x.a) + cb * x.deep.b^2) / 2 end
function slopes(x) return {a = ca * x.a, deep = {b = cb * x.deep.b}} end
function start() return {a = array{1, -3, 5}, deep = {b = 7, name = 'kept'}, heads = 2} end
function rosenbrock(p) return (1 - p.x)^2 + 100 * (p.y - p.x^2)^2 end
function its_slopes(p) return {x = -2*(1 - p.x) - 400*p.x*(p.y - p.x^2), y = 200*(p.y - p.x^2)} end

-- @an_interrupt_returns_the_best_so_far
n = 0
x, r = gradient_descent(function(x) n = n + 1 if n == 5 then press() end return x^2 end, 1024,
  {gradient = function(x) return 2*x end, rate = 0.25})
return x, r.reason, r.steps, r.history.size
