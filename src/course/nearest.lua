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

-- "; did you mean `x`?" or "", in the language of the words before it. It is a question, so it ends what is said.
function M.hint(name, names, lang)
  local best = M.names(name, names, 1)[1]
  return best and (lang == "zh" and "；你是不是想写 `%s`？" or "; did you mean `%s`?"):format(best) or ""
end

-- "; there are a, b; did you mean `b`?": where what there is is told as well, the question stands behind it.
function M.among(name, names, lead, lang)
  return (lang == "zh" and "；" or "; ") .. lead .. " " .. table.concat(names, lang == "zh" and " " or ", ") .. M.hint(name, names, lang)
end

return M
