-- Programs of bench_train.c, which it names by what stands behind the @.

-- @setup
local model = {length = 64, layers = 4, heads = 4, d = 128, position = "rope"}
local run = trainer{data = corpus{}, model = model, steps = 1500, batch = 16, rate = 2e-3, warmup = 100}
function step() assert(run:advance()) end
