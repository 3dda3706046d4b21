-- display.lua: a formula on lines of its own, `$$…$$`, in two dimensions: fractions, matrices and cases as they are written
-- by hand, limits of sums above and below, broken before a relation or sign where it is too wide.
--
-- A box is {lines, width, base}: lines of that many columns, the base-th of which stands on the line of the formula.

local tex = require "phasor.document.tex"
local width = require "phasor.document.width"

local M = {}

-- ---- boxes ----------------------------------------------------------------------------------------------------------

local function text_box(text) return {lines = {text}, width = width.of(text), base = 1} end

local function blank(n) return (" "):rep(n) end

local function centred(text, columns)
  local left = (columns - width.of(text)) // 2
  return blank(left) .. text .. blank(columns - width.of(text) - left)
end

-- Boxes side by side, on one base line.
local function beside(boxes)
  local above, below, total = 0, 0, 0
  for _, b in ipairs(boxes) do
    above, below, total = math.max(above, b.base - 1), math.max(below, #b.lines - b.base), total + b.width
  end
  local lines = {}
  for i = 1, above + 1 + below do
    local parts = {}
    for k, b in ipairs(boxes) do parts[k] = b.lines[i - (above + 1 - b.base)] or blank(b.width) end
    lines[i] = table.concat(parts)
  end
  return {lines = lines, width = total, base = above + 1}
end

-- Boxes below each other, centred; the base line is that of the one numbered `base`.
local function stacked(boxes, base)
  local columns, lines, at = 0, {}, 1
  for _, b in ipairs(boxes) do columns = math.max(columns, b.width) end
  for k, b in ipairs(boxes) do
    if k == base then at = #lines + b.base end
    for _, line in ipairs(b.lines) do lines[#lines + 1] = centred(line, columns) end
  end
  return {lines = lines, width = columns, base = at}
end

local delimiters = { -- alone, top, middle, bottom
  ["("] = {"(", "⎛", "⎜", "⎝"}, [")"] = {")", "⎞", "⎟", "⎠"}, ["["] = {"[", "⎡", "⎢", "⎣"}, ["]"] = {"]", "⎤", "⎥", "⎦"},
  ["{"] = {"{", "⎧", "⎪", "⎩", "⎨"}, ["}"] = {"}", "⎫", "⎪", "⎭", "⎬"}, ["|"] = {"|", "│", "│", "│"}, ["‖"] = {"‖", "‖", "‖", "‖"},
  ["⌊"] = {"⌊", "⎢", "⎢", "⎣"}, ["⌋"] = {"⌋", "⎥", "⎥", "⎦"}, ["⌈"] = {"⌈", "⎡", "⎢", "⎢"}, ["⌉"] = {"⌉", "⎤", "⎥", "⎥"},
}

local function delimiter(char, like)
  local d, n = delimiters[char], #like.lines
  if not d then return text_box(char) end
  local lines = {}
  for i = 1, n do lines[i] = n == 1 and d[1] or i == 1 and d[2] or i == n and d[4] or d[3] end
  if d[5] and n > 2 then lines[(n + 1) // 2] = d[5] end
  return {lines = lines, width = 1, base = like.base}
end

local function between(left, box, right)
  local parts = {box}
  if left ~= "" then table.insert(parts, 1, delimiter(left, box)) end
  if right ~= "" then parts[#parts + 1] = delimiter(right, box) end
  return beside(parts)
end

-- ---- reading --------------------------------------------------------------------------------------------------------

-- The group or the one thing at `at`: its text without braces, and where it ends.
local function group(s, at)
  at = s:match("^%s*()", at)
  local body, stop = s:match("^(%b{})()", at)
  if body then return body:sub(2, -2), stop end
  local command, after = s:match("^(\\%a+)()", at)
  if command then return command, after end
  local char = s:match("^" .. utf8.charpattern, at) or ""
  return char, at + #char
end

-- Where the partner of the \begin or \left at `at` stands: its first and last byte.
local function partner(s, at, open, close)
  local depth, i = 0, at
  while true do
    local a, b = s:find("\\(%a+)", i)
    if not a then return nil end
    local word = s:sub(a + 1, b)
    if word == open then depth = depth + 1 elseif word == close then depth = depth - 1 end
    if depth == 0 then return a, b end
    i = b + 1
  end
end

local layout

-- Splits at the separator (an exact text) outside braces and inner environments.
local function split(s, separator)
  local out, depth, from, i = {}, 0, 1, 1
  while i <= #s do
    if s:find("^\\begin", i) then depth = depth + 1 elseif s:find("^\\end", i) then depth = depth - 1 end
    if depth == 0 and s:sub(i, i + #separator - 1) == separator then
      out[#out + 1] = s:sub(from, i - 1)
      i = i + #separator
      from = i
    elseif s:find("^\\.", i) then i = i + 2
    else
      local c = s:sub(i, i)
      depth = depth + (c == "{" and 1 or c == "}" and -1 or 0)
      i = i + 1
    end
  end
  out[#out + 1] = s:sub(from)
  return out
end

local environments = {pmatrix = {"(", ")"}, bmatrix = {"[", "]"}, vmatrix = {"|", "|"}, matrix = {"", ""}, cases = {"{", ""},
                      aligned = {"", ""}, split = {"", ""}, align = {"", ""}, ["align*"] = {"", ""}, array = {"", ""}}
local lines_up = {aligned = true, split = true, align = true, ["align*"] = true}

-- Rows and cells of an environment's body, as boxes in a grid.
local function grid(body, kind)
  local rows, widths = {}, {}
  for _, row in ipairs(split(body, "\\\\")) do
    if row:find("%S") then
      local cells = {}
      for c, cell in ipairs(split(row, "&")) do
        cells[c] = layout(cell, c > 1 and kind == "aligned")
        widths[c] = math.max(widths[c] or 0, cells[c].width)
      end
      rows[#rows + 1] = cells
    end
  end
  local lines, tall = {}, false
  for _, cells in ipairs(rows) do for _, cell in ipairs(cells) do tall = tall or #cell.lines > 1 end end
  for r, cells in ipairs(rows) do
    local parts = {}
    for c, w in ipairs(widths) do
      local cell = cells[c] or text_box ""
      local left = kind == "cases" and 0 or kind == "aligned" and (c % 2 == 1 and w - cell.width or 0) or (w - cell.width) // 2
      if c > 1 then parts[#parts + 1] = text_box(kind == "aligned" and (c % 2 == 0 and " " or "  ") or "  ") end
      parts[#parts + 1] = text_box(blank(left))
      parts[#parts + 1] = cell
      parts[#parts + 1] = text_box(blank(w - cell.width - left))
    end
    if tall and r > 1 then lines[#lines + 1] = text_box "" end
    lines[#lines + 1] = beside(parts)
  end
  local box = stacked(lines, 1)
  box.base = (#box.lines + 1) // 2
  return box
end

-- The piece of text `s`, which follows a box (then a sign in front is one between operands).
local function flat(s, follows)
  if follows and s:find("^%s*[+%-]") then return (tex.unicode("x" .. s):sub(2)) end
  return tex.unicode(s)
end

-- A limit, whose signs need no blanks.
local function tight(s) return (tex.unicode(s):gsub(" ([=+−]) ", "%1"):gsub(" − ", "−")) end

-- The delimiter behind \left or \right, as one character ("" for a dot), and where it ends.
local function edge(s, at)
  local name, after = s:match("^%s*(\\%a+)()", at)
  if not name then name, after = s:match("^%s*(\\?" .. utf8.charpattern .. ")()", at) end
  if not name then return "", at end -- the formula ends here
  return name == "." and "" or tex.unicode(name), after
end

-- One thing that is taller than a line at `at`: its box and where it ends; nil when there is none.
-- inline: the formula is part of a fraction, where sums keep to their line.
local function tall_at(s, at, inline)
  local stop = s:match("^\\[dt]?frac()%f[%A]", at)
  if stop then
    local top, bottom
    top, stop = group(s, stop)
    bottom, stop = group(s, stop)
    local a, b = layout(top, false, true), layout(bottom, false, true)
    local bar = text_box(("─"):rep(math.max(a.width, b.width) + 2))
    return stacked({a, bar, b}, 2), stop
  end
  local symbol
  symbol, stop = s:match("^\\(%a+)()", at)
  if (symbol == "sum" or symbol == "prod") and not inline then
    local limits = {}
    while s:find("^%s*[_^]", stop) do
      local mark, after = s:match("^%s*([_^])()", stop)
      limits[mark], stop = group(s, after)
    end
    local sign = text_box(symbol == "sum" and "∑" or "∏")
    if not limits._ and not limits["^"] then return sign, stop end
    local parts, base = {}, 1
    if limits["^"] then parts, base = {text_box(tight(limits["^"]))}, 2 end
    parts[#parts + 1] = sign
    if limits._ then parts[#parts + 1] = text_box(tight(limits._)) end
    return stacked(parts, base), stop
  elseif symbol == "begin" then
    local kind, body = s:match("^{(%a+%*?)}()", stop)
    local first, last = partner(s, at, "begin", "end")
    local ends = first and environments[kind]
    if not ends then return nil end
    if kind == "array" then body = s:match("^%b{}()", body) or body end
    local box = grid(s:sub(body, first - 1), lines_up[kind] and "aligned" or kind)
    return between(ends[1], box, ends[2]), s:match("^%b{}()", last + 1) or last + 1
  elseif symbol == "left" then
    local first, last = partner(s, at, "left", "right")
    if not first then return nil end
    local open, inside = edge(s, stop)
    local close, after = edge(s, last + 1)
    local inner = layout(s:sub(inside, first - 1))
    if #inner.lines == 1 then return nil end
    return between(open, inner, close), after
  end
end

-- A script behind a tall box stands at its upper or lower corner.
local function script_at(s, at, box)
  local mark, after = s:match("^%s*([_^])()", at)
  if not mark then return nil end
  local body, stop = group(s, after)
  local small = tex.unicode("{}" .. mark .. "{" .. body .. "}")
  local lines = {}
  for i = 1, #box.lines do lines[i] = blank(width.of(small)) end
  lines[mark == "^" and 1 or #lines] = small
  return {lines = lines, width = width.of(small), base = box.base}, stop
end

local function tight_after(text) return text == "" or text:find("[(%[{|]$") ~= nil or text:find("⟨$") ~= nil end
local function tight_before(text) return text:find("^[%s,.;:)%]}|]") ~= nil or text:find("^⟩") ~= nil end

-- The pieces of a formula: boxes and texts ({text = }), in order; and is anything taller than a line?
local function pieces(s, follows, inline)
  local out, from, at, tall = {}, 1, 1, false
  local function flush(to)
    local part = s:sub(from, to)
    if part:find("%S") then out[#out + 1] = {text = flat(part, follows or #out > 0)} end
  end
  while at <= #s do
    local box, stop = tall_at(s, at, inline)
    if box then
      flush(at - 1)
      out[#out + 1] = box
      tall = tall or #box.lines > 1
      local script, after = script_at(s, stop, box)
      while script do
        out[#out + 1] = script
        script.sticks, stop = true, after
        script, after = script_at(s, stop, box)
      end
      from, at = stop, stop
    elseif s:find("^\\quad", at) or s:find("^\\qquad", at) then
      flush(at - 1)
      out[#out + 1] = {text = "   "}
      at = s:match("^\\%a+()", at)
      from = at
    elseif s:find("^\\%a", at) then at = s:match("^\\%a+()", at)
    elseif s:find("^[_^]%s*{", at) then at = s:match("^[_^]%s*%b{}()", at) or at + 1
    elseif s:find("^{", at) then at = s:match("^%b{}()", at) or at + 1
    else at = at + 1 end
  end
  flush(#s)
  return out, tall
end

-- Pieces as boxes, with the blanks that stand between them; texts in words, where a line may break.
local function spaced(list)
  local out = {}
  for i, p in ipairs(list) do
    local before = list[i - 1]
    local apart = before and not p.sticks and not (before.text and tight_after(before.text)) and not (p.text and tight_before(p.text))
    if apart and not (p.text == "   " or (before.text == "   ")) then out[#out + 1] = text_box " " end
    if p.text then
      for blanks, word in p.text:gmatch("(%s*)(%S+)") do
        if blanks ~= "" then out[#out + 1] = text_box(blanks) end
        out[#out + 1] = text_box(word)
      end
      if p.text == "   " then out[#out + 1] = text_box "   " end
    else
      out[#out + 1] = p
    end
  end
  return out
end

function layout(s, follows, inline)
  local list, tall = pieces(s, follows, inline)
  if not tall then return text_box(flat(s, follows)) end
  return beside(spaced(list))
end

-- ---- lines ----------------------------------------------------------------------------------------------------------

local breaks = {}
for _, word in ipairs {"=", "≈", "≤", "≥", "<", ">", "→", "⇒", "⇔", "+", "−", "∼", "≡", "∈"} do breaks[word] = true end

local function depth_change(text)
  local _, open = text:gsub("[(%[{]", "")
  local _, close = text:gsub("[)%]}]", "")
  return open - close
end

-- Where boxes in a row may be broken: before a relation or a sign that no bracket holds.
local function rows(boxes, columns)
  local out, row, total, depth, at = {}, {}, 0, 0, nil
  for _, b in ipairs(boxes) do
    local alone = #b.lines == 1 and b.lines[1]
    if alone and breaks[alone] and depth == 0 and #row > 0 then at = #row + 1 end
    row[#row + 1], total = b, total + b.width
    if alone then depth = math.max(0, depth + depth_change(alone)) end
    if total > columns and at then
      out[#out + 1] = table.move(row, 1, at - 1, 1, {})
      row = table.move(row, at, #row, 1, {})
      total, at = 0, nil
      for _, r in ipairs(row) do total = total + r.width end
    end
  end
  out[#out + 1] = row
  return out
end

local INDENT, MORE = 4, 4 -- in front of a formula, and of its further lines besides

-- The formula as lines for a terminal of so many columns.
function M.render(source, columns)
  local list, tall = pieces(source)
  local boxes = tall and spaced(list) or spaced {{text = tex.unicode(source)}}
  local out = {}
  for i, row in ipairs(rows(boxes, columns - INDENT - MORE)) do
    while row[1] and row[1].lines[1]:find("^%s*$") and #row[1].lines == 1 do table.remove(row, 1) end
    local front = blank(INDENT + (i > 1 and MORE or 0))
    for _, line in ipairs(beside(row).lines) do out[#out + 1] = (front .. line):gsub("%s+$", "") end
  end
  return table.concat(out, "\n")
end

return M
