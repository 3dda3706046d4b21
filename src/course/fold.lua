-- fold.lua: a cell's code in few lines: what stands inside its functions, loops and tables is folded to one line each, as an editor does.
--
-- Blocks are found by their indentation, which the lessons keep to: a line, deeper lines, and the line that closes it. Functions are
-- folded first, since they are the helpers; then what else is long; a cell that is too long even so is cut.

local trim = require "phasor.document.trim"

local M = {}

local MARK = " … "

local function indent_of(line) return #line:match "^ *" end
local function is_blank(line) return not line:find "%S" end
local function is_comment(line) return line:find "^%s*%-%-" ~= nil end
local function closes(line) return line:find "^%s*end%f[^%w_]" or line:find "^%s*until%f[^%w_]" or line:find "^%s*[%]})]" end
local function goes_on(line) return line:find "^%s*else" end

-- The last line of the block that line i opens, and the line that closes it (the same where nothing does); nil: it opens none.
local function block_at(lines, i)
  local depth, last, j = indent_of(lines[i]), nil, i + 1
  while lines[j] do
    local line = lines[j]
    if is_blank(line) or indent_of(line) > depth then
      if not is_blank(line) then last = j end
    elseif indent_of(line) == depth and goes_on(line) then last = j
    elseif indent_of(line) == depth and last and closes(line) then return j, j
    else break end
    j = j + 1
  end
  return last, last
end

local FUNCTION, BLOCK, INSIDE, RETURN, COMMENT = 1, 2, 3, 4, 5 -- in this order

local function kind_of(line)
  if line:find "^return%f[^%w_]" then return RETURN end
  if indent_of(line) > 0 then return INSIDE end
  return line:find "%f[%w_]function%f[^%w_]" and FUNCTION or BLOCK
end

-- What can be folded: {first, last, kind, text}, in the order in which it should be.
local function blocks_of(lines)
  local out = {}
  for i, line in ipairs(lines) do
    if not is_blank(line) and not is_comment(line) then
      local last, close = block_at(lines, i)
      if last and last > i + 1 then
        local tail = closes(lines[close]) and lines[close]:match "^%s*(.*)$" or ""
        out[#out + 1] = {first = i, last = last, kind = kind_of(line), text = trim.right(line .. MARK .. tail)}
      end
    elseif is_comment(line) and (i == 1 or not is_comment(lines[i - 1])) then
      local last = i
      while lines[last + 1] and is_comment(lines[last + 1]) do last = last + 1 end
      if last > i then out[#out + 1] = {first = i, last = last, kind = COMMENT, text = line .. " …"} end
    end
  end
  table.sort(out, function(a, b)
    if a.kind ~= b.kind then return a.kind < b.kind end
    local x, y = a.last - a.first, b.last - b.first
    if x ~= y then return x > y end
    return a.first < b.first
  end)
  return out
end

-- The lines that are left, with the blocks of `folded` (first line -> block) in one line each.
local function shown(lines, folded)
  local out, i = {}, 1
  while lines[i] do
    local b = folded[i]
    out[#out + 1] = b and b.text or lines[i]
    i = b and b.last + 1 or i + 1
  end
  return out
end

local function without_blanks(lines)
  local out = {}
  for _, line in ipairs(lines) do if not is_blank(line) then out[#out + 1] = line end end
  return out
end

local function total(lines, height)
  local n = 0
  for _, line in ipairs(lines) do n = n + height(line) end
  return n
end

-- All folded functions in one line, where the first stood, and without the comments above them: "function layer, orders … end".
local function gathered(lines)
  local out, names, at = {}, {}, nil
  for _, line in ipairs(lines) do
    local name = line:match "^l?o?c?a?l? ?function ([%w_.:]+)%(.* … end$" or line:match "^l?o?c?a?l? ?([%w_.]+) = function%(.* … end$"
    if name then
      while out[#out] and #out ~= at and is_comment(out[#out]) do out[#out] = nil end
      if not at then
        at = #out + 1
        out[at] = ""
      end
      names[#names + 1] = name
    else
      out[#out + 1] = line
    end
  end
  if at then out[at] = "function " .. table.concat(names, ", ") .. MARK .. "end" end
  return out
end

-- The first lines and the last ones, as many as fit; the last say what the cell gives.
local function cut(lines, most, height)
  local first, last, room = {}, {}, most - 1
  local i, j = 1, #lines
  while i <= j do
    local from_end = #last < #first // 2 or #last == 0
    local line = lines[from_end and j or i]
    room = room - height(line)
    if room < 0 then break end
    if from_end then table.insert(last, 1, line) else first[#first + 1] = line end
    if from_end then j = j - 1 else i = i + 1 end
  end
  if i <= j then first[#first + 1] = "…" end
  return table.move(last, 1, #last, #first + 1, first)
end

-- The code in at most `most` lines; height(line) is how many a line takes. Returns it, and whether anything is left out.
function M.fold(code, most, height)
  local lines, folded = {}, {}
  for line in (trim.right(code) .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  if total(lines, height) <= most then return code, false end
  local out
  for _, b in ipairs(blocks_of(lines)) do
    folded[b.first] = b
    out = shown(lines, folded)
    if total(out, height) <= most then return table.concat(out, "\n"), true end
  end
  out = without_blanks(out or lines)
  if total(out, height) > most then out = gathered(out) end
  if total(out, height) > most then out = cut(out, most, height) end
  return table.concat(out, "\n"), true
end

return M
