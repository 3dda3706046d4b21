-- Programs of test_api.c, which it names by what stands behind the @.

-- @prelude
-- What is called by a name of its own: methods, fields, operators.
function method(name) return function(o, ...) return o[name](o, ...) end end
function field(name) return function(o) return o[name] end end
op = {
  add = function(a, b) return a + b end, sub = function(a, b) return a - b end, mul = function(a, b) return a * b end,
  div = function(a, b) return a / b end, pow = function(a, b) return a ^ b end, mod = function(a, b) return a % b end,
  idiv = function(a, b) return a // b end, unm = function(a) return -a end, concat = function(a, b) return a .. b end,
  eq = function(a, b) return a == b end, lt = function(a, b) return a < b end, le = function(a, b) return a <= b end,
  len = function(a) return #a end, index = function(a, b) return a[b] end, call = function(a, ...) return a(...) end,
  each = function(a) local n = 0; for _ in pairs(a) do n = n + 1; if n > 20 then break end end return n end,
  tostring = function(a) return tostring(a) end, set = function(a, b, c) a[b] = c; return a end,
  close = function(a) local c <close> = a end, slice = function(a, b, c) return a[{b, c}] end,
}
x, y = sym 'x y'
k, n = sym('k', 'integer'), sym('n', 'natural')
-- Behind an episode: globals that it took for its own are as they were (a call may set any field of _G), and the session answers.
local G, next, rawset, assert, sum, array, kept = _G, next, rawset, assert, sum, array, {}
for name, v in next, G do kept[name] = v end
return function()
  for name in next, G do rawset(G, name, kept[name]) end
  for name, v in next, kept do rawset(G, name, v) end
  assert(sum(array{1, 2, 3}) == 6)
end
