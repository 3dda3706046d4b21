-- prose.lua: a lesson's Markdown as text for a terminal: headings, paragraphs, lists, code blocks, mathematics.
-- Lines are filled to the terminal's width, in columns (a Chinese character takes two), and break by each script's habit:
-- between words, or between any two Chinese characters, but never before a closing mark or after an opening one.

local display = require "phasor.document.display"
local markdown = require "phasor.document.markdown"
local tex = require "phasor.document.tex"
local width = require "phasor.document.width"
local trim = require "phasor.document.trim"

local M = {}

local is_wide = width.is_wide
M.width = width.of

local function letters(text)
  local out = {}
  for _, code in utf8.codes(text) do out[utf8.char(code)] = true end
  return out
end
local closing = letters("\u{FF0C}\u{3002}\u{FF1B}\u{FF1A}\u{FF01}\u{FF1F}\u{3001}\u{FF09}\u{300B}\u{300D}\u{300F}\u{3011}"
                        .. "\u{201D}\u{2019},.;:!?)]}%\u{2026}")
local opening = letters("\u{FF08}\u{300A}\u{300C}\u{300E}\u{3010}\u{201C}\u{2018}([{\3\4")

local NBSP = "\u{A0}"

-- Inline marks: mathematics becomes Unicode (and does not break inside); **bold** and *emphasis* lose their stars, and in a paragraph
-- stand between characters that no text holds (width.plain), until it is filled.
local BOLD, EMPHASIS, ENDED = "\3", "\4", "\5"
local styles = {[BOLD] = "\27[1m", [EMPHASIS] = "\27[3m", [ENDED] = "\27[0m"}
local function unmarked(text) return (text:gsub("[\3-\5]", "")) end

local function unbroken(text) return (text:gsub(" ", NBSP)) end
local function same(text) return text end
local marked = {code = unbroken, math = function(body) return unbroken(tex.unicode(body)) end, text = same,
                bold = BOLD .. "%1" .. ENDED, emphasis = EMPHASIS .. "%1" .. ENDED}
local function inline(text) return unmarked(markdown.inline(text, marked)) end

-- A filled paragraph with its marks as a terminal obeys them, a line by itself (what a line begins it ends), or without.
local function styled(text, coloured)
  if not coloured then return unmarked(text) end
  local open = ""
  return (text:gsub("[\3-\5\n]", function(mark)
    if mark == "\n" then return open ~= "" and styles[ENDED] .. "\n" .. open or nil end
    open = mark ~= ENDED and styles[mark] or ""
    return styles[mark]
  end))
end

local CHARACTER = "^" .. utf8.charpattern

-- What may not be parted: words, single Chinese characters with the marks that cling to them. {text, blank before?}
local function atoms(text)
  local out, blank, cling, at = {}, false, false, 1
  while at <= #text do
    local part = text:match("^[^%s\5\x80-\xFF]+", at) or text:match(CHARACTER, at) -- of a word in ASCII all at once
    local last = out[#out]
    at = at + #part
    if part:find "^%s" then
      blank, cling = true, false
    elseif part == ENDED and last then table.insert(last, part)
    else
      local is_wide = part:byte() > 127 and is_wide(utf8.codepoint(part))
      local joins = last and not blank and (cling or closing[part:match(utf8.charpattern)] or (not is_wide and not last.wide))
      if joins then
        table.insert(last, part)
        last.wide = is_wide
      else
        out[#out + 1] = {part, blank = blank, wide = is_wide}
      end
      cling, blank = opening[part:sub(utf8.offset(part, -1))] or false, false
    end
  end
  for _, atom in ipairs(out) do atom.text = table.concat(atom) end
  return out
end

local function fill(text, columns, first, rest)
  local lines, line, width = {}, first, M.width(first)
  local empty = true
  for _, atom in ipairs(atoms(text)) do
    local w = M.width(atom.text)
    local gap = (atom.blank and not empty) and 1 or 0
    if not empty and width + gap + w > columns then
      lines[#lines + 1] = line
      line, width, gap = rest, M.width(rest), 0
    end
    line, width, empty = line .. (gap == 1 and " " or "") .. atom.text, width + gap + w, false
  end
  lines[#lines + 1] = line
  return (table.concat(lines, "\n"):gsub(NBSP, " "))
end

local show = {
  text = function(b, columns, coloured) return styled(fill(markdown.inline(markdown.join(b.lines), marked), columns, "", ""), coloured) end,
  item = function(b, columns, coloured)
    local mark = (b.extra:find("%d") and b.extra or b.extra:gsub("[%-*]", "•")) .. " "
    return styled(fill(markdown.inline(markdown.join(b.lines), marked), columns, mark, (" "):rep(M.width(mark))), coloured)
  end,
  heading = function(b)
    local title = inline(b.lines[1]):gsub(NBSP, " ")
    return title .. "\n" .. (b.extra == 1 and "═" or "─"):rep(M.width(title))
  end,
  code = function(b) return "    " .. table.concat(b.lines, "\n    ") end,
  math = function(b, columns) return display.render(b.lines[1], columns) end,
}

-- An aside has a bar at its left.
function show.aside(b, columns, coloured)
  local title, body = markdown.aside(b)
  local text = (title and M.line(title) .. "\n" or "") .. M.render(body, columns - 4, coloured, true)
  return "  ┃ " .. text:gsub("\n", "\n  ┃ "):gsub("[^\n]+", trim.right)
end

-- One paragraph without marks, filled; `first` stands in front of its first line, `rest` of the others.
function M.fill(text, columns, first, rest) return fill(text, columns, first or "", rest or "") end

-- The marks of a line as a terminal shows them.
function M.line(text) return (inline(text):gsub(NBSP, " ")) end

local INSIDE, BESIDE_EQUALS = 100, 0.5 -- how much worse it is to break inside a string, and beside "=", than inside a bracket

-- Where a line of code, of which `from` and what follows is left, is best broken so that its next piece, behind `before` columns, is no wider than
-- `columns`: before a comment behind code; else behind a blank of the last half, the one that the fewest brackets hold and no string, of equals
-- the last. nil: it fits. Nothing behind the piece is looked at. comment: false where all of it is one.
local function break_at(line, from, columns, indent, before, comment)
  local total, depth, quote, at, best = before, 0, nil, nil, nil
  local least = math.max(columns // 2, indent + 1)
  for place, char in line:gmatch("()(" .. utf8.charpattern .. ")", from) do
    total = total + M.width(char)
    if not quote and comment == nil and line:find("^%-%-", place) then comment = place end
    if total > columns and place > from then
      return comment and line:sub(from, comment - 1):find "%S" and comment or at or place
    end
    if quote then
      if char == quote then quote = nil end
    elseif char == '"' or char == "'" then quote = char
    elseif char:find("[(%[{]") then depth = depth + 1
    elseif char:find("[)%]}]") then depth = depth - 1 end
    if char == " " and total >= least then
      local beside = place > from and line:find("^= ", place - 1) or line:find("^ =", place)
      local cost = depth + (quote and INSIDE or 0) + (beside and BESIDE_EQUALS or 0)
      if not best or cost <= best then at, best = place + 1, cost end
    end
  end
end

-- A line of code in pieces no wider than `columns`; those after the first are indented further than the line, and of a comment are comments.
function M.pieces(line, columns)
  local out, indent, front, from = {}, #line:match("^ *"), "", 1
  local comment
  if line:find "^%s*%-%-" then comment = false end
  local further = (" "):rep(math.min(indent, columns // 3)) .. (comment == false and "-- " or "    ")
  local at = break_at(line, from, columns, indent, 0, comment)
  while at do
    out[#out + 1] = trim.right(front .. line:sub(from, at - 1))
    front, from = further, at
    at = break_at(line, from, columns, #further, #further, comment)
  end
  out[#out + 1] = front .. line:sub(from)
  return out
end

-- The text to print, without a newline at its end; coloured: bold and emphasis are seen; inside: it is an aside's.
function M.render(text, columns, coloured, inside)
  local out, before = {}, nil
  for _, b in ipairs(markdown.blocks(text, inside)) do
    if before then out[#out + 1] = (before == "item" and b.kind == "item") and "\n" or "\n\n" end
    out[#out + 1] = show[b.kind](b, columns, coloured)
    before = b.kind
  end
  return table.concat(out)
end

-- The text of the heading that a text opens with, and what follows it; nil when it opens with none.
function M.heading(text)
  local title, rest = text:match "^#+ ([^\n]*)\n*(.*)$"
  if title then return M.line(title), rest end
end

-- A line in at most so many columns, with … where it was cut.
function M.cut(text, columns)
  if M.width(text) <= columns then return text end
  local out, width = "", 1
  for _, code in utf8.codes(text) do
    local char = utf8.char(code)
    width = width + M.width(char)
    if width > columns then break end
    out = out .. char
  end
  return out .. "…"
end

-- The title of a lesson: the text of the first heading.
function M.title(text)
  local title = text:match("^# ([^\n]*)")
  return title and (inline(title):gsub(NBSP, " "))
end

return M
