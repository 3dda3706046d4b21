-- tex.lua: the mathematics of a lesson, `$…$` in TeX, as one line of Unicode for a terminal.
--
--   \theta_i = 10000^{-2i/d}    θᵢ = 10000^(−2i/d)
--   \sum_{i=0}^{d/2-1} \cos     ∑_(i=0)^(d/2−1) cos
--
-- A subscript or superscript uses Unicode's small letters when there is one for each character, brackets otherwise.

local M = {}

-- What a command shows, from the one table of symbols; on a line of text some read better otherwise.
local shows, kind_of, character_of = {}, {}, {}
for _, symbol in ipairs(require("phasor.tools").symbols()) do
  local name, character, kind = table.unpack(symbol)
  kind_of[name], character_of[name] = kind, character
end
local otherwise = {Re = "Re", Im = "Im", top = "ᵀ"}
for name, kind in pairs(kind_of) do
  local character = otherwise[name] or character_of[name]
  if kind == "relation" then shows[name] = " " .. (name == "mid" and "|" or character) .. " "
  elseif kind == "function" then shows[name] = "\1" .. name .. "\2"
  elseif kind == "dropped" then shows[name] = ""
  elseif kind ~= "accent" and kind ~= "script" and kind ~= "typed" then shows[name] = character end
end
shows.bmod = " mod "

local fonts = {mathrm = 1, mathbf = 1, mathit = 1, boldsymbol = 1, text = 1, operatorname = 1, textrm = 1, boxed = 1, underbrace = 1, overline = 1, mathsf = 1}
local function accent_of(name) return kind_of[name] == "accent" and character_of[name] or nil end
local blackboard = {R = "ℝ", C = "ℂ", Z = "ℤ", N = "ℕ", Q = "ℚ", E = "𝔼"}
local takes_group = {frac = 2, tfrac = 2, dfrac = 2, sqrt = 1, mathbb = 1, mathcal = 1, label = 1, eqref = 1, begin = 1, ["end"] = 1}

-- Raised and lowered characters: "^2", "_beta" in the table; a minus is written as one.
local function scripts(mark)
  local out = {}
  for name, small in pairs(character_of) do
    local big = kind_of[name] == "script" and name:sub(1, 1) == mark and name:sub(2)
    if big then out[big == "-" and "−" or kind_of[big] and character_of[big] or big] = small end
  end
  return out
end
local above, below = scripts("^"), scripts("_")
above["ᵀ"] = "ᵀ"

-- ---- reading ------------------------------------------------------------------------------------------------------

-- Pieces: {command}, or one character as a string.
local function pieces(source)
  local out, at = {}, 1
  while at <= #source do
    local name = source:match("^\\(%a+)", at) or source:match("^\\(" .. utf8.charpattern .. ")", at)
    if name then
      out[#out + 1] = {name}
      at = at + 1 + #name
    else
      local char = source:match("^" .. utf8.charpattern, at)
      out[#out + 1] = char:find("%s") and " " or char
      at = at + #char
    end
  end
  return out
end

local function all_small(text, alphabet)
  local out = {}
  for _, code in utf8.codes(text) do
    local char = utf8.char(code)
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

local render

local function group(p)
  while p.list[p.at] == " " do p.at = p.at + 1 end
  local piece = p.list[p.at]
  if piece ~= "{" then return render(p, 1) end
  p.at = p.at + 1
  local text = render(p)
  p.at = p.at + 1 -- the closing brace
  return text
end

-- A matrix: rows by \\, columns by &, up to \end{…}.
local function matrix(p)
  group(p) -- its name
  return "[" .. render(p, nil, true) .. "]"
end

local function command(p, name)
  if name == "sqrt" then return "√" .. bracket_product(group(p)) end
  if shows[name] then return shows[name] end
  if fonts[name] then
    local text = group(p)
    return name == "operatorname" and "\1" .. text .. "\2" or text
  end
  if accent_of(name) then return group(p) .. accent_of(name) end
  if name == "mathbb" then local text = group(p) return blackboard[text] or text end
  if name == "label" then
    group(p)
    return ""
  end
  if name == "eqref" then return "(" .. group(p) .. ")" end
  if name == "mathcal" then return group(p) end
  if takes_group[name] == 2 then
    local top = bracket(group(p))
    return top .. "/" .. bracket_product(group(p))
  end
  if name == "begin" then return matrix(p) end
  return "\\" .. name
end

local function script(p, mark, alphabet)
  local text = group(p):gsub("[\1\2]", "")
  local tightened = text:gsub(" ([+=]) ", "%1"):gsub(" − ", "−"):gsub(", ", ",")
  return all_small(tightened, alphabet) or mark .. bracket(tightened)
end

local binary = {["+"] = "+", ["-"] = "−", ["="] = "=", ["<"] = "<", [">"] = ">"}

-- After one of these (or nothing) a sign belongs to what follows; otherwise it is an operator between two operands.
local openers = {}
for _, code in utf8.codes("([{,;=<>+−±∓≤≥≈≠≡∼≪≫∈→↦⇒⇔×·⊕⊗∑∏∫⟨⌊⌈\2") do openers[utf8.char(code)] = true end

local function last_character(list)
  local text = table.concat(list):gsub("%s+$", "")
  return text ~= "" and text:sub(utf8.offset(text, -1)) or nil
end

local function sign(out, char)
  local before = (char == "+" or char == "-") and last_character(out)
  if before == nil or openers[before] then return binary[char] end
  return " " .. binary[char] .. " "
end

function render(p, limit, in_matrix)
  local out = {}
  local taken = 0
  while p.at <= #p.list and not (limit and taken >= limit) do
    local piece = p.list[p.at]
    if piece == "}" then break end
    p.at = p.at + 1
    if type(piece) == "table" then
      if piece[1] == "end" then
        group(p)
        break
      elseif piece[1] == "\\" then
        out[#out + 1] = in_matrix and "; " or " "
      else
        out[#out + 1] = command(p, piece[1])
      end
    elseif piece == "{" then
      p.at = p.at - 1
      out[#out + 1] = group(p)
    elseif piece == "^" then
      out[#out + 1] = script(p, "^", above)
    elseif piece == "_" then
      out[#out + 1] = script(p, "_", below)
    elseif piece == "&" then
      out[#out + 1] = in_matrix and ", " or ""
    elseif piece == "'" then
      out[#out + 1] = "′"
    elseif piece == "," then
      out[#out + 1] = ", "
    elseif binary[piece] then
      out[#out + 1] = sign(out, piece)
    elseif piece ~= " " then
      out[#out + 1] = piece
    end
    if piece ~= " " then taken = taken + 1 end
  end
  return table.concat(out)
end

-- A function's name keeps a blank from its neighbours: \cos\theta is "cos θ", x\cos(y) is "x cos(y)", \sin^2 x is "sin²x", \log_2T "log₂ T".
local close = {}
for _, code in utf8.codes("([{,;)]}^_| ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᵏ′\1") do close[utf8.char(code)] = true end

local subscript = {}
for _, char in pairs(below) do subscript[char] = true end

local function names_apart(text)
  local out, named = {}, false -- named: a function's name and perhaps its subscript stand last
  for _, code in utf8.codes(text) do
    local char, last = utf8.char(code), out[#out]
    if char == "\1" and last and not openers[last] and last ~= " " then out[#out + 1] = " " end
    if named and not subscript[char] then
      if not close[char] then out[#out + 1] = " " end
      named = false
    end
    if char == "\2" then named = true end
    out[#out + 1] = char
  end
  return (table.concat(out):gsub("[\1\2]", ""))
end

function M.unicode(source)
  source = source:gsub("\\left%s*%.", ""):gsub("\\right%s*%.", "") -- delimiters that are not there
  local p = {list = pieces(source), at = 1}
  local text = render(p)
  text = names_apart(text):gsub("  +", " "):gsub(" ([,;)])", "%1"):gsub("([(%[]) ", "%1")
  return text:match("^%s*(.-)%s*$")
end

-- The first thing this file cannot show (a command it does not know, a brace without its partner), or nil.
function M.unknown(source)
  local depth = 0
  for _, piece in ipairs(pieces(source)) do
    depth = depth + (piece == "{" and 1 or piece == "}" and -1 or 0)
    if depth < 0 then return "}" end
    local name = type(piece) == "table" and piece[1]
    if name and not (shows[name] or fonts[name] or accent_of(name) or takes_group[name] or name == "\\") then
      return "\\" .. name
    end
  end
  return depth > 0 and "{" or nil
end

return M
