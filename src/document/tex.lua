-- tex.lua: the mathematics of a lesson, `$…$` in TeX, as one line of Unicode for a terminal.
--
--   \theta_i = 10000^{-2i/d}    θᵢ = 10000^(−2i/d)
--   \sum_{i=0}^{d/2-1} \cos     ∑_(i=0)^(d/2−1) cos
--
-- A subscript or superscript uses Unicode's small letters when there is one for each character, brackets otherwise.

local reader = require "phasor.document.reader"
local trim = require "phasor.document.trim"

local M = {}

-- ---- characters ---------------------------------------------------------------------------------------------------

local otherwise = {Re = "Re", Im = "Im", top = "ᵀ", mid = "|"} -- what reads better on a line of text

-- Raised and lowered characters: "^2", "_beta" in the table of symbols; a minus is written as one.
local above, below = {["ᵀ"] = "ᵀ"}, {}
for _, symbol in ipairs(require("phasor.tools").symbols()) do
  local name, small, kind = table.unpack(symbol)
  local big = kind == "script" and name:sub(2)
  if big then (name:sub(1, 1) == "^" and above or below)[big == "-" and "−" or reader.character_of[big] or big] = small end
end

local function all_small(text, alphabet)
  local out = {}
  for char in text:gmatch(utf8.charpattern) do
    if char ~= " " then
      if not alphabet[char] then return nil end
      out[#out + 1] = alphabet[char]
    end
  end
  return table.concat(out)
end

local function characters(text) return utf8.len(text) or #text end

-- Something that needs no brackets as an operand: one character, a number, a name, or already bracketed.
local function whole(text)
  return characters(text) == 1 or text:find("^[%w.]+$") or text:find("^%b()$") or text:find("^%w+%^%b()$")
end
local function bracket(text) return whole(text) and text or "(" .. text .. ")" end

-- Below a root, a stroke or in an exponent two letters or a number and a letter are a product, and need brackets: √(3d), 1/(2d).
local function single(text)
  return whole(text) and not text:find("^%w*%a%w+$") and not text:find("^[%d.]+%a$")
end
local function bracket_product(text) return single(text) and text or "(" .. text .. ")" end

-- ---- nodes --------------------------------------------------------------------------------------------------------

local binary = {["+"] = "+", ["-"] = "−", ["="] = "=", ["<"] = "<", [">"] = ">"}

-- After one of these (or nothing) a sign belongs to what follows; otherwise it is an operator between two operands.
local openers = {}
for _, code in utf8.codes("([{,;=<>+−±∓≤≥≈≠≡∼≪≫∈→↦⇒⇔×·⊕⊗∑∏∫⟨⌊⌈\2") do openers[utf8.char(code)] = true end

local function last_character(list)
  for i = #list, 1, -1 do
    local text = trim.right(list[i])
    if text ~= "" then return text:sub(utf8.offset(text, -1)) end
  end
end

local function sign(out, char)
  local before = (char == "+" or char == "-") and last_character(out)
  if before == nil or openers[before] then return binary[char] end
  return " " .. binary[char] .. " "
end

local write, names_apart -- write appends what a row shows to a list of texts, the last of which says what stands before it

-- A row by itself. The name of a function stands between \1 and \2 until all is written.
local function inside(row)
  local out = {}
  write(out, row)
  return table.concat(out)
end

-- Small letters have no room for the blank behind a function's name: e^(ln L).
local function script(mark, body)
  local text = inside(body)
  local tightened = names_apart(text)
  if tightened:find(" ", 1, true) then tightened = tightened:gsub(" ([+=]) ", "%1"):gsub(" − ", "−"):gsub(", ", ",") end
  local named = text:find("\2", 1, true) and tightened:find(" ", 1, true)
  return not named and all_small(tightened, mark == "^" and above or below) or mark .. bracket(tightened)
end

local show = {
  number = function(node) return node.text end,
  char = function(node, out)
    local char = node.text
    return binary[char] and sign(out, char) or char == "," and ", " or char
  end,
  symbol = function(node)
    if node.class == "function" then return "\1" .. node.name .. "\2" end
    local char = otherwise[node.name] or node.character
    return node.class == "relation" and " " .. char .. " " or char
  end,
  space = function(node) return reader.character_of[node.name] end,
  dropped = function() return "" end,
  label = function() return "" end,
  column = function() return "" end,
  line = function() return " " end,
  reference = function(node) return "(" .. node.text .. ")" end,
  group = function(node) return inside(node.body) end,
  font = function(node) return inside(node.body) end,
  words = function(node) return node.name == "operatorname" and "\1" .. node.text .. "\2" or node.text end,
  letters = function(node) return node.name == "mathbb" and reader.blackboard[node.text] or node.text end,
  accent = function(node) return inside(node.body) .. (reader.character_of[node.name] or "") end,
  fraction = function(node) return bracket(inside(node.top)) .. "/" .. bracket_product(inside(node.bottom)) end,
  root = function(node) return "√" .. bracket_product(inside(node.body)) end,
  unknown = function(node) return "\\" .. node.name end,
}

function show.fenced(node, out)
  out[#out + 1] = node.left
  write(out, node.body)
  return node.right
end

function show.table(node)
  local rows = {}
  for i, cells in ipairs(node.rows) do
    local texts = {}
    for k, cell in ipairs(cells) do texts[k] = inside(cell) end
    rows[i] = table.concat(texts, ", ")
  end
  return "[" .. table.concat(rows, "; ") .. "]"
end

function show.scripts(node, out)
  local base = node.base and inside {node.base}
  if base then out[#out + 1] = node.base.kind == "fraction" and "(" .. base .. ")" or base end
  for _, s in ipairs(node.list) do out[#out + 1] = s.mark == "'" and "′" or script(s.mark, s.body) end
  return ""
end

-- Does a node begin ("front") or end ("back") with an operand? bars: how many | stand before it in its row, which alone tells how one is meant.
local operands = {number = true, group = true, font = true, letters = true, accent = true, fraction = true, root = true, fenced = true, table = true}
local function is_operand(node, side, bars)
  if not node then return false end
  if node.kind == "scripts" then return node.base == nil and side == "back" or is_operand(node.base, side, bars) end
  if node.kind == "words" then return node.name == "operatorname" end
  local char = node.kind == "symbol" and node.character or node.kind == "char" and node.text
  if not char then return operands[node.kind] or false end
  if node.class == "function" then return true end
  if char == "|" then return (bars % 2 == 0) == (side == "front") end
  if side == "front" and (node.class == "big" or ("([⟨⌊⌈"):find(char, 1, true)) then return true end
  if side == "back" and (")]⟩⌋⌉!"):find(char, 1, true) then return true end
  return node.class ~= "relation" and not openers[char] and not binary[char] and not char:find "^[%p%s]$" and not ("⟩⌋⌉"):find(char, 1, true)
end

local thin = {dropped = true, space = true}
local wide = {quad = true, qquad = true}

-- Does a factor stand beside the node at `i`? Without brackets a fraction would take it in: (2/d)S, sin((a + b)/2).
local function is_beside_factor(row, i, bars)
  local function next_to(step)
    local k = i + step
    while row[k] and thin[row[k].kind] and not wide[row[k].name] do k = k + step end
    return row[k]
  end
  return is_operand(next_to(-1), "back", bars - 1) or is_operand(next_to(1), "front", bars)
end

function write(out, row)
  local bars = 0
  for i, node in ipairs(row) do
    local text = show[node.kind](node, out)
    if node.kind == "fraction" and is_beside_factor(row, i, bars) then text = "(" .. text .. ")" end
    if (node.kind == "scripts" and node.base or node).text == "|" then bars = bars + 1 end
    out[#out + 1] = text
  end
end

-- ---- names --------------------------------------------------------------------------------------------------------

-- A function's name keeps a blank from its neighbours: \cos\theta is "cos θ", x\cos(y) is "x cos(y)", 1/\cos x "1/cos x", \sin^2 x is "sin²x", \log_2T "log₂ T".
local close = {}
for _, code in utf8.codes("([{,;)]}^_| ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᵏ′\1") do close[utf8.char(code)] = true end

local subscript = {}
for _, char in pairs(below) do subscript[char] = true end

function names_apart(text)
  if not text:find("\1", 1, true) then return text end
  local out, named = {}, false -- named: a function's name and perhaps its subscript stand last
  for char in text:gmatch(utf8.charpattern) do
    local last = out[#out]
    if char == "\1" and last and not openers[last] and last ~= "/" and last ~= " " then out[#out + 1] = " " end
    if named and not subscript[char] then
      if not close[char] then out[#out + 1] = " " end
      named = false
    end
    if char == "\2" then named = true end
    out[#out + 1] = char
  end
  return (table.concat(out):gsub("[\1\2]", ""))
end

-- ---- lines --------------------------------------------------------------------------------------------------------

-- A row of the tree as a line; follows: something stands before it, so that a sign at its front is one between operands.
function M.line(row, follows)
  local first = row[1] and row[1].kind == "char" and row[1].text
  local out = {follows and (first == "+" or first == "-") and "x" or ""}
  local before = #out[1]
  write(out, row)
  local text = names_apart(table.concat(out))
  if text:find(" ", 1, true) then text = text:gsub("  +", " "):gsub(" ([,;)])", "%1"):gsub("([(%[]) ", "%1") end
  return trim.both(text):sub(1 + before)
end

function M.unicode(source) return M.line((reader.read(source))) end

-- The first thing that cannot be read (a command that nobody knows, a brace without its partner), or nil.
function M.unknown(source)
  local _, fault = reader.read(source)
  return fault
end

return M
