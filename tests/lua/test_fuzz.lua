-- Programs of test_fuzz.c, which it names by what stands behind the @.

-- @values
-- No size here is both possible and large: each is small, or beyond any memory.
local e = setmetatable({}, {__index = function() error('index: touched') end})
local loop = {}; loop[1] = loop
local closed = zeros(2); do local c <close> = closed end
return {n = 34, nil, true, false, 'x', '', 'sum', {}, {{}}, {1, 2}, {{1, 2}, {3, 4}}, {1, {2}}, {'x'}, {keep = true},
  {dtype = 'f32'}, 0, 1, -1, 2, 1.5, 2^53, 1e300, nan, inf, math.maxinteger, math.mininteger, array{}, array(3),
  array{{1, nan}, {3, 4}}, array{1 + I, 2}, array{true, false}, complex(1, nan), loop, closed, rng(1)},
  {n = 6, function() end, function() error('mine: raised') end, coroutine.create(function() end), e, io.stdout,
  zeros(1, 1, 1, 1, 1, 1, 1, 1)}
