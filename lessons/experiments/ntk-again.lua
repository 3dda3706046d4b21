-- pe/ntk-perplexity once more: five seeds left both questions of `ntk` open, one of them far from the others. Ten seeds that were not used before, and nothing else changed.
local again = assert(load(beside "ntk.lua", "=ntk.lua", "t", _ENV))()
again.factors = {{"seed", {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}}}
again.rule = again.rule:gsub("^Five", "Ten") .. " A first experiment with seeds 1 to 5 left both open; these are ten others, and its results are not used."
return again
