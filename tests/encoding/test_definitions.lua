-- Programs of test_definitions.c, which it names by what stands behind the @.

-- @prelude
X = fromfunction(function(r, c) return math.sin(r + 2*(c - 1)) end, 3, 6)
A7 = fromfunction(function(r, c) return math.cos(r * c) end, 7, 6)
B8 = fromfunction(function(r, c) return math.cos(r - c * c) end, 8, 6)
H2 = stack({X, 0.5 * X + 0.1})
W = fromfunction(function(r, c) return math.sin(r * r + c) end, 6, 6)
u, v = W[1], W[2]
Q4 = stack({stack({X, 0.5*X, -X, 0.25*X}), stack({0.3*X, X, 0.1*X, -0.5*X})}) -- four heads that share two
K4 = stack({H2, 0.7*H2})

-- @definitions_equal_the_kernels
local f = %s local seen
grad(function(x) local y = f(x) seen = stop_gradient(y) return sum(y) end)(1.0)
local y = f(1.0)
return max(abs(seen - y)) <= (%d * 2^-53) * (1 + max(abs(y))), #seen.shape == #y.shape, seen.dtype == y.dtype

-- @derivatives_are_those_of_the_kernels
local F = %s
local function f(x) local y = F(x) y = reshape(y, y.size) return sum(range(1, y.size) * y) / y.size end
local h = 2^-10
local d = (f(1 - 2*h) - 8*f(1 - h) + 8*f(1 + h) - f(1 + 2*h)) / (12*h)
return abs(grad(f)(1.0) - d) <= 1e-9 or grad(f)(1.0) - d

-- @a_rotation_is_one_step
local t, steps = tapes.tape(), {}
local x = tapes.input(t, randn(rng(3), 2, 5, 8), 'f', 'x')
rope(x, {layout = 'half', scaling = {kind = 'yarn', factor = 4, train = 64}})
xpos(x, {layout = 'interleaved', side = 'k'})
for k, step in ipairs(tapes.nodes(t)) do steps[k] = step.op or 'input' end
return table.concat(steps, ', ')
