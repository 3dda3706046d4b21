-- display.lua: a formula on lines of its own, `$$…$$`, in two dimensions: fractions, matrices and cases as they are written
-- by hand, limits of sums above and below, broken before a relation or sign where it is too wide.
--
-- A box is {lines, width, base}: lines of that many columns, the base-th of which stands on the line of the formula.

local reader = require "phasor.document.reader"
local tex = require "phasor.document.tex"
local width = require "phasor.document.width"
local trim = require "phasor.document.trim"

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

-- ---- nodes ----------------------------------------------------------------------------------------------------------

local layout

local environments = {pmatrix = {"(", ")"}, bmatrix = {"[", "]"}, vmatrix = {"|", "|"}, matrix = {"", ""}, cases = {"{", ""},
                      aligned = {"", ""}, split = {"", ""}, align = {"", ""}, ["align*"] = {"", ""}, array = {"", ""}}
local lines_up = {aligned = true, split = true, align = true, ["align*"] = true}

-- The cells of a table as boxes in a grid.
local function grid(table_rows, kind)
  local rows, widths = {}, {}
  for r, row in ipairs(table_rows) do
    rows[r] = {}
    for c, cell in ipairs(row) do
      rows[r][c] = layout(cell, c > 1 and kind == "aligned")
      widths[c] = math.max(widths[c] or 0, rows[r][c].width)
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

-- A limit, whose signs need no blanks.
local function tight(row) return (tex.line(row):gsub(" ([=+−]) ", "%1"):gsub(" − ", "−")) end

local tall = {}

function tall.fraction(node)
  local a, b = layout(node.top, false, true), layout(node.bottom, false, true)
  local bar = text_box(("─"):rep(math.max(a.width, b.width) + 2))
  return stacked({a, bar, b}, 2)
end

function tall.table(node)
  local ends = environments[node.name]
  return ends and between(ends[1], grid(node.rows, lines_up[node.name] and "aligned" or node.name), ends[2])
end

function tall.fenced(node)
  local inner = layout(node.body)
  return #inner.lines > 1 and between(node.left, inner, node.right) or nil
end

local function is_sum(node) return node.kind == "symbol" and (node.name == "sum" or node.name == "prod") end

-- A sum or product with its limits; the scripts that are none.
local function sum_box(node)
  local limits, list = {}, node.list or {}
  for i = 1, #list do limits[list[i].mark] = list[i].body end
  local sign = text_box((node.base or node).character)
  if not limits._ and not limits["^"] then return sign end
  local parts, base = {}, 1
  if limits["^"] then parts, base = {text_box(tight(limits["^"]))}, 2 end
  parts[#parts + 1] = sign
  if limits._ then parts[#parts + 1] = text_box(tight(limits._)) end
  return stacked(parts, base)
end

-- A script behind a tall box stands at its upper or lower corner.
local function script_box(script, box)
  local small = tex.line{{kind = "scripts", list = {script}}}
  local lines = {}
  for i = 1, #box.lines do lines[i] = blank(width.of(small)) end
  lines[script.mark == "_" and #lines or 1] = small
  return {lines = lines, width = width.of(small), base = box.base, sticks = true}
end

-- The boxes of a node that is taller than a line, or nil. inline: the formula is part of a fraction, where sums keep to their line.
local function boxes_of(node, inline)
  if is_sum(node.base or node) then return not inline and {sum_box(node)} or nil end
  local base = node.kind == "scripts" and node.base or node
  local box = tall[base.kind] and tall[base.kind](base)
  local out = {box}
  for _, script in ipairs(box and base ~= node and node.list or {}) do out[#out + 1] = script_box(script, box) end
  return box and out
end

local function tight_after(text) return text == "" or text:find("[(%[{|]$") ~= nil or text:find("⟨$") ~= nil end
local function tight_before(text) return text:find("^[%s,.;:)%]}|]") ~= nil or text:find("^⟩") ~= nil end

-- The pieces of a formula: boxes, spaces ({text = }) and rows ({row = , follows = }, tex.lua), in order; and is anything taller than a line?
local function pieces(row, follows, inline)
  local out, part, is_tall = {}, {}, false
  local function flush()
    if #part > 0 then out[#out + 1] = {row = part, follows = follows or #out > 0} end
    part = {}
  end
  for _, node in ipairs(row) do
    local boxes = boxes_of(node, inline)
    local wide = node.kind == "space" and (node.name == "quad" or node.name == "qquad")
    if boxes or wide then flush() end
    for _, box in ipairs(boxes or {}) do
      out[#out + 1] = box
      is_tall = is_tall or #box.lines > 1
    end
    if wide then out[#out + 1] = {text = "   "} elseif not boxes then part[#part + 1] = node end
  end
  flush()
  return out, is_tall
end

-- Pieces as boxes, with the blanks that stand between them; texts in words, where a line may break.
local function spaced(list)
  local out = {}
  for i, p in ipairs(list) do
    local before = list[i - 1]
    if p.row then p.text = tex.line(p.row, p.follows) end
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

function layout(row, follows, inline)
  local list, is_tall = pieces(row, follows, inline)
  if not is_tall then return text_box(tex.line(row, follows)) end
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
  local row, room = reader.read(source), columns - INDENT - MORE
  local list, is_tall = pieces(row)
  local line = not is_tall and tex.line(row)
  if line and width.of(line) <= room then return trim.right(blank(INDENT) .. line) end
  local out = {}
  for i, row in ipairs(rows(spaced(is_tall and list or {{text = line}}), room)) do
    while row[1] and row[1].lines[1]:find("^%s*$") and #row[1].lines == 1 do table.remove(row, 1) end
    local front = blank(INDENT + (i > 1 and MORE or 0))
    for _, line in ipairs(beside(row).lines) do out[#out + 1] = trim.right(front .. line) end
  end
  return table.concat(out, "\n")
end

return M
