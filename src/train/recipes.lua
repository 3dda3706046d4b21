-- What `phasor train NAME` trains: options of train, by name.
local lab = require "phasor"

local M = {}

-- Characters of English prose, the text that travels with the program: 4 layers, 4 heads, d = 128.
function M.characters()
    return {data = lab.corpus{}, model = {length = 64, layers = 4, heads = 4, d = 128, position = "rope"}, steps = 1500, batch = 16, rate = 2e-3, warmup = 100}
end

-- The same in a tenth of the time.
M["small-characters"] = function()
    return {data = lab.corpus{}, model = {length = 64, layers = 2, heads = 4, d = 64, position = "rope"}, steps = 1000, batch = 16, rate = 3e-3, warmup = 50}
end

-- The token 3 back, at 32 places.
function M.offset()
    return {data = lab.task{name = "offset"}, model = {length = 32, layers = 2, heads = 4, d = 32, hidden = 64, position = "rope"}, steps = 700, rate = 3e-3, warmup = 70}
end

-- What came behind the same token before.
function M.induction()
    return {data = lab.task{name = "induction"}, model = {length = 32, layers = 2, heads = 4, d = 32, hidden = 64, position = "rope"}, steps = 1500, rate = 3e-3, warmup = 70}
end

return M
