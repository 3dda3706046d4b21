-- @rounds
-- runs: how often the collector was through; rounds(n): n derivatives, each with a tape of 40 MB
runs = 0
local function arm() setmetatable({}, {__gc = function() runs = runs + 1 arm() end}) end
arm()
local step = grad(function(x) for i = 1, 40 do x = sin(x) end return sum(x) end)
local x = ones(131072)
function rounds(n) for i = 1, n do step(x) end end
