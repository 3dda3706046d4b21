-- nearest.lua: the name that was probably meant.

local M = {}

-- Levenshtein's distance, over bytes; each row of the table from the one above.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal
    diagonal, row[0] = row[0], i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      diagonal, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
    end
  end
  return row[#b]
end

-- Up to n names close to `name`, nearest first: a name within a third of its length, or one that contains it.
function M.names(name, names, n)
  local close = {}
  for order, candidate in ipairs(names) do
    local d = distance(name, candidate)
    if name ~= "" and candidate:find(name, 1, true) then d = math.min(d, 1) end
    if d <= math.max(1, #name // 3) then close[#close + 1] = {candidate, d, order} end
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
