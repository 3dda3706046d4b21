-- nearest.lua: the name that was probably meant, as everywhere in the laboratory (base/text.h).

local distance = require("phasor.tools").name_distance

local M = {}

-- Up to n names close to `name`, nearest first.
function M.names(name, names, n)
  local close = {}
  for order, candidate in ipairs(names) do
    local d = distance(name, candidate)
    if d then close[#close + 1] = {candidate, d, order} end
  end
  table.sort(close, function(a, b) if a[2] ~= b[2] then return a[2] < b[2] end return a[3] < b[3] end)
  local out = {}
  for i = 1, math.min(n or 3, #close) do out[i] = close[i][1] end
  return out
end

-- "; did you mean `x`?" or "".
function M.hint(name, names)
  local best = M.names(name, names, 1)[1]
  return best and ("; did you mean `%s`?"):format(best) or ""
end

return M
