-- survivors.lua: why a spoiled cell may pass: nothing that the claim says was spoiled. Each row has the reason, and when it is given.
--
-- f: {id, kind, was, with, text (the line), at, fate}

local function any(...)
  local patterns = {...}
  return function(text) for _, p in ipairs(patterns) do if text:find(p) then return true end end end
end

-- A line in which a bound on rounding is put together: u is half an ulp of 1.
local bounds = any("%f[%w_]u%f[^%w_]", "2%^%-5%d", "^local δ", "^local bound", "^local share", "^local slack", "^local size =", "^local rounding", "^local allowed",
                   "/ bound%f[^%w]", "/ apart%(", "/ allowed", "%* max%(abs%(V%)%)$", "%+ 2 %* means%)", "return X, f, sum%(abs%(weights%)%)", "^local A, e = max%(sum",
                   "^local long = tol", "/ δ", "^local third", "near_enough")

-- A line that says how large a sample is, or which whole numbers, words and positions are tried.
local samples = any("^local [%w_, ]+ = %d+[%d, ]*$", "g:below", "rand", "^local g, T, d = rng", "^for _? ?,? ?[%w_]+ = ?%d", "^for [%w_]+ = %d+, %d+",
                    "network%(g", "symmatrix%(", "^local rows, width", "^function whole", "whole%(g", "^for i, size in ipairs", "ones%(2, 3%)", "position_ids = range",
                    "table_of%(20", "^local keys = array", "^local place = reshape", "array{7, 0, 3}", "both%(")

local rows = {
  {"a bound on rounding: what is met stays well below it, so another constant bounds it as well; beyond a factor of a million the judge refuses it",
   function(f) return bounds(f.text) end},
  {"another sample of the same statement, which holds for every size",
   function(f) return samples(f.text) and f.kind ~= "figure" end},
  {"what is refuted is listed with its witness, and both are the same after the change",
   function(f) return any("written", "fails%(", "symmetric%(out")(f.text) end},
  {"a deviation counts by its size, and one of 0 has none: its sign says nothing",
   function(f) return f.kind == "sign" and any("^return .*off", "^return .*worst", "value = ", "^return max")(f.text) end},
  {"in the largest of several deviations that are all 0, max and min are one", function(f) return f.was == "max" and f.with == "min" end},
  {"what is printed beside the verdicts, for the reader", function(f) return any("^print", "enclose%(rat", "^line%(")(f.text) end},
  {"cos is even, and squares are", function(f) return f.kind == "sign" and any("cos%(", "%^ ?2", "sin%(m %* θ%)")(f.text) end},
}

-- The reason why a spoiled cell passes; nil when it must not.
return function(f)
  for _, row in ipairs(rows) do if row[2](f) then return row[1] end end
end
