-- reader.lua: TeX's mathematics, `$…$` of a lesson, as a tree. tex.lua writes it on one line, display.lua in two dimensions.
--
-- A row is a list of nodes; below, r stands for a row. What a node holds besides its kind:
--
--   char, number   text                           x  +  12.5
--   symbol         name, character, class         \theta: class is what base/symbols.h calls its kind
--   space          name                           \quad
--   dropped        name                           \big, \displaystyle: says how to set what follows
--   group          body r                         {…}
--   fraction       top r, bottom r                \frac ab
--   root           body r                         \sqrt a
--   words          name, text                     \text{if it is}, \mathrm{PE}, \operatorname{rank}
--   letters        name, text                     \mathbb R
--   font, accent   name, body r                   \mathbf x, \hat x
--   fenced         left, right, body r            \left( … \right): one character each, or none
--   table          name, rows of cells r          \begin{pmatrix} a & b \\ … \end{pmatrix}
--   column, line                                  & and \\ outside of tables
--   label, reference  text                        \label{a}, \eqref{a}
--   scripts        base, list of {mark, body r}   x_i^2 in the order of the source; a mark ' has no body, a base may be missing
--   unknown        name
--
-- What cannot be read is left out or shown as it stands, and the first such place is told beside the tree.

local width = require "phasor.document.width"

local M = {}

local kind_of, character_of = {}, {}
for _, symbol in ipairs(require("phasor.tools").symbols()) do
  local name, character, kind = table.unpack(symbol)
  if kind ~= "script" and kind ~= "typed" then kind_of[name], character_of[name] = kind, character end
end
M.character_of = character_of
M.blackboard = {R = "ℝ", C = "ℂ", Z = "ℤ", N = "ℕ", Q = "ℚ", E = "𝔼"}

local classes = {letter = true, relation = true, mark = true, big = true, ["function"] = true}
local words = {text = true, mathrm = true, textrm = true, operatorname = true}
local fonts = {mathbf = true, mathit = true, boldsymbol = true, mathsf = true, boxed = true, underbrace = true}

-- ---- the source ---------------------------------------------------------------------------------------------------
-- A reader p stands at p.at, before blanks, behind which comes p.char: a character, "\\" for a command of the name p.name, or "" where the
-- source ends; p.behind is the place after it.

local function note(p, fault) p.fault = p.fault or fault end

local function move(p, at)
  local char, behind = p.text:match("^%s*(%S[\x80-\xBF]*)()", at)
  local name, after
  if char == "\\" then
    name, after = p.text:match("^(%a+)()", behind)
    if not name then name, after = p.text:match("^(.[\x80-\xBF]*)()", behind) end
  end
  p.at, p.char, p.name, p.behind = at, char or "", name, after or behind or at
end

local function skip(p) move(p, p.behind) end

-- Is that the next character? Then it is taken.
local function take(p, char)
  if p.char ~= char then return false end
  skip(p)
  return true
end

-- What stands in braces from `at` on, as it stands, and is taken; or nil.
local function braces(p, at)
  local body, behind = p.text:match("^%s*(%b{})()", at)
  if body then move(p, behind) end
  return body and body:sub(2, -2)
end

local row, one

local DEEPEST = 64 -- groups, scripts, fractions, brackets in each other: each is written into the one around it

-- What read(p) finds one level further in; below the deepest the rest of the source is left out, for … .
local function nested(p, read)
  if p.depth == DEEPEST then
    note(p, ("more than %d groups in each other"):format(DEEPEST))
    move(p, #p.text + 1)
    return {{kind = "char", text = "…"}}
  end
  p.depth = p.depth + 1
  local out = read(p)
  p.depth = p.depth - 1
  return out
end

local function only_one(p) return {one(p, true)} end -- at the end of the source nothing

-- The group or the one thing that a command or a script takes.
local function argument(p)
  if not take(p, "{") then return nested(p, only_one) end
  local body = nested(p, row)
  if not take(p, "}") then note(p, "{") end
  return body
end

-- The words in a group, as they stand: \text{a\ b} is "a b".
local function plain(p)
  local body = braces(p, p.at)
  if not body then
    note(p, "a group in braces is wanted")
    return ""
  end
  return (body:gsub("\\([ _%%$#&{}])", "%1"):gsub("\\,", "\u{2009}"))
end

-- ---- commands -----------------------------------------------------------------------------------------------------

-- The delimiter behind \left or \right as one character, "" for a dot.
local function delimiter(p)
  local char, name = p.char, p.name
  skip(p)
  if name then return name == "|" and "‖" or character_of[name] or name end
  return char == "." and "" or char
end

local function fenced(p)
  local left = delimiter(p)
  local body = nested(p, row)
  if p.name ~= "right" then
    note(p, "\\left without its \\right")
    return {kind = "fenced", left = left, right = "", body = body}
  end
  skip(p)
  return {kind = "fenced", left = left, right = delimiter(p), body = body}
end

-- Up to \end{…}; rows that hold nothing are none.
local function rows_of(p, name)
  local rows, cells, filled = {}, {}, false
  repeat
    local cell = nested(p, row)
    cells[#cells + 1] = cell
    filled = filled or #cell > 0
    local more = p.char == "&" or p.name == "\\"
    if p.char ~= "&" then
      if filled or #cells > 1 then rows[#rows + 1] = cells end
      cells, filled = {}, false
    end
    if more then skip(p) end
  until not more
  if p.name ~= "end" or not braces(p, p.behind) then note(p, "\\begin{" .. name .. "} without its \\end") end
  return rows
end

local function environment(p)
  local name = plain(p)
  if name == "array" then braces(p, p.at) end -- how its columns are set
  return {kind = "table", name = name, rows = rows_of(p, name)}
end

local takes = {
  frac = function(p, name)
    local top = argument(p)
    return {kind = "fraction", name = name, top = top, bottom = argument(p)}
  end,
  sqrt = function(p) return {kind = "root", body = argument(p)} end,
  mathbb = function(p, name)
    local letter = p.char:match "^%a$"
    if letter then skip(p) end
    return {kind = "letters", name = name, text = letter or p.char == "{" and plain(p) or ""}
  end,
  label = function(p) return {kind = "label", text = plain(p)} end,
  eqref = function(p) return {kind = "reference", text = plain(p)} end,
  begin = environment,
  left = fenced,
}
takes.tfrac, takes.dfrac, takes.mathcal = takes.frac, takes.frac, takes.mathbb

local function command(p, name)
  if takes[name] then return takes[name](p, name) end
  if name == "bmod" then return {kind = "symbol", name = name, character = "mod", class = "relation"} end
  local kind = kind_of[name]
  if classes[kind] then return {kind = "symbol", name = name, character = character_of[name], class = kind} end
  if kind == "space" or kind == "dropped" then return {kind = kind, name = name} end
  if words[name] then return {kind = "words", name = name, text = plain(p)} end
  if fonts[name] then return {kind = "font", name = name, body = argument(p)} end
  if kind == "accent" or name == "overline" then return {kind = "accent", name = name, body = argument(p)} end
  note(p, "\\" .. name)
  return {kind = "unknown", name = name}
end

-- ---- rows ---------------------------------------------------------------------------------------------------------

-- One thing that can carry scripts; nil where there is none. single: of a number one digit, as x^12 means.
function one(p, single)
  local char, name = p.char, p.name
  if char == "" or char == "}" then return nil end
  if char == "{" then return {kind = "group", body = argument(p)} end
  if char:find "^%d" then
    local number, behind = p.text:match(single and "^%s*(%d)()" or "^%s*(%d+%.?%d*)()", p.at)
    move(p, behind)
    return {kind = "number", text = number}
  end
  skip(p)
  return name and command(p, name) or {kind = "char", text = char}
end

local marks = {_ = true, ["^"] = true, ["'"] = true}

local function with_scripts(p, base)
  if not marks[p.char] then return base end
  local list = {}
  repeat
    local mark = p.char
    skip(p)
    list[#list + 1] = {mark = mark, body = mark ~= "'" and argument(p) or nil}
  until not marks[p.char]
  return {kind = "scripts", base = base, list = list}
end

local ends = {[""] = true, ["}"] = true, ["&"] = true}
local closing = {["\\"] = true, ["end"] = true, right = true} -- names

-- Nodes up to a closing brace, &, \\, \end, \right or the end of the source.
function row(p)
  local out = {}
  while not (ends[p.char] or closing[p.name]) do
    out[#out + 1] = with_scripts(p, not marks[p.char] and one(p) or nil)
  end
  return out
end

-- The tree, and the first thing that could not be read: "\name", a brace without its partner, or what is wanted; nil: all was.
function M.read(source)
  local p, out = {text = width.plain(source), depth = 0}, {}
  move(p, 1)
  repeat
    for _, node in ipairs(row(p)) do out[#out + 1] = node end
    if p.char == "&" then out[#out + 1] = {kind = "column"}
    elseif p.name == "\\" then out[#out + 1] = {kind = "line"}
    elseif p.char ~= "" then note(p, p.name and "\\" .. p.name or p.char) end
    if p.name ~= "end" or not braces(p, p.behind) then skip(p) end
  until p.char == ""
  return out, p.fault
end

return M
