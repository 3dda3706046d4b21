-- formula.lua: a formula in the laboratory's own syntax, as a verdict prints what it is about, as TeX.
--
--   sin(t*θ[i])^2 <= 1/d      \sin^{2}(t\theta_{i})\le\frac{1}{d}
--
-- A piece is {tex =, flat =, bind =}: flat is the piece for an exponent, a/b in place of a fraction; bind says how tightly it holds together.
-- What is no formula, words among them, is not read: nil.

local M = {}

local RELATION, ADD, SUM, MUL, NEG, POWER, ATOM = 10, 50, 55, 60, 70, 90, 100

local relations = {["="] = "=", ["≈"] = "\\approx ", ["<="] = "\\le ", [">="] = "\\ge ", ["<"] = "<", [">"] = ">"}
local named = {}
for name in ("sin cos tan exp log min max sinh cosh tanh arg"):gmatch "%a+" do named[name] = "\\" .. name end
for name, shown in pairs {re = "Re", im = "Im", asin = "arcsin", acos = "arccos", atan = "arctan", Ci = "Ci", Si = "Si", erf = "erf", gamma = "Γ"} do
  named[name] = "\\operatorname{" .. shown .. "}"
end
local around = {abs = {"|", "|"}, floor = {"\\lfloor ", "\\rfloor "}, ceil = {"\\lceil ", "\\rceil "}}

local function piece(tex, bind, flat) return {tex = tex, flat = flat or tex, bind = bind} end
local function atom(tex) return piece(tex, ATOM) end
local function give_up() error({no_formula = true}) end

-- f applied to the two forms of each piece.
local function both(bind, f, ...)
  local tex, flat = {}, {}
  for i, p in ipairs {...} do tex[i], flat[i] = p.tex, p.flat end
  return piece(f(table.unpack(tex)), bind, f(table.unpack(flat)))
end

-- Does it stand higher than a line, so that brackets must grow?
local function is_tall(tex) return tex:find("\\frac", 1, true) ~= nil or tex:find("\\sum", 1, true) ~= nil or tex:find("\\begin", 1, true) ~= nil end

-- In brackets where it binds less than `least`.
local function held(p, least)
  if p.bind >= least then return p end
  local left, right = table.unpack(is_tall(p.tex) and {"\\left(", "\\right)"} or {"(", ")"})
  return piece(left .. p.tex .. right, ATOM, "(" .. p.flat .. ")")
end

-- As an operand on the right: in brackets, too, where it begins with a sign.
local function on_right(p, least) return held(p, p.tex:find("^%-") and ATOM or least) end

-- ---- names -------------------------------------------------------------------------------------------------------------

local function letters(name) return name:gsub("%a%a+", "\\mathrm{%0}") end

-- θ, x1, ρm, a_b: one letter, and what is left as its subscript; a longer name is upright.
local function symbol(name)
  if name == "pi" then return "\\pi " elseif name == "I" then return "i" end
  local first = name:match("^" .. utf8.charpattern)
  local rest = name:sub(#first + 1)
  if rest == "" then return name end
  local head, under = name:match("^([^_]+)_(.+)$")
  if head then return symbol(head) .. "_{" .. letters(under) .. "}" end
  if rest:find("^%d+$") or #first > 1 then return first .. "_{" .. letters(rest) .. "}" end
  local stem, digits = name:match("^(%a+)(%d+)$")
  return "\\mathrm{" .. (stem or name) .. "}" .. (digits and "_{" .. digits .. "}" or "")
end

-- ---- applications ----------------------------------------------------------------------------------------------------

local function comma(list)
  return both(0, function(...) return table.concat({...}, ", ") end, table.unpack(list))
end

local shaped = {
  sqrt = function(a) return piece("\\sqrt{" .. a[1].tex .. "}", ATOM, "\\sqrt{" .. a[1].flat .. "}") end,
  conj = function(a) return both(ATOM, function(x) return "\\overline{" .. x .. "}" end, a[1]) end,
  sum = function(a)
    return both(SUM, function(f, i, lo, hi) return "\\sum_{" .. i .. "=" .. lo .. "}^{" .. hi .. "}" .. f end, held(a[1], SUM), a[2], a[3], a[4])
  end,
  integral = function(a)
    return both(SUM, function(f, x, lo, hi) return "\\int_{" .. lo .. "}^{" .. hi .. "}" .. f .. "\\,d" .. x end, held(a[1], SUM), a[2], a[3], a[4])
  end,
}
local wants = {sqrt = 1, conj = 1, sum = 4, integral = 4}

-- sin a, sin(a + b)
local function argument(tex, bare)
  if bare then return "{" .. tex .. "}" end
  return is_tall(tex) and "\\left(" .. tex .. "\\right)" or "(" .. tex .. ")"
end

local function applied(name, list)
  local fence = around[name]
  if shaped[name] then
    if #list ~= wants[name] then give_up() end
    return shaped[name](list)
  elseif fence and #list == 1 then
    local tall = is_tall(list[1].tex)
    return piece((tall and "\\left" or "") .. fence[1] .. list[1].tex .. (tall and "\\right" or "") .. fence[2], ATOM, fence[1] .. list[1].flat .. fence[2])
  end
  local head, inside = named[name] or symbol(name), comma(list)
  local bare = named[name] and #list == 1 and list[1].bind == ATOM and not list[1].head
  local p = both(ATOM, function(x) return head .. argument(x, bare) end, inside)
  p.head, p.inside, p.bare = named[name] and head, inside, bare
  return p
end

local function power(base, exponent)
  if base.head then -- sin(a)^2 is sin²a
    return both(ATOM, function(x) return base.head .. "^{" .. exponent.flat .. "}" .. argument(x, base.bare) end, base.inside)
  end
  return both(POWER, function(x) return x .. "^{" .. exponent.flat .. "}" end, held(base, ATOM))
end

-- ---- reading ---------------------------------------------------------------------------------------------------------

local function next_is(p, pattern)
  p.at = p.text:match("^ *()", p.at)
  local found = p.text:match("^" .. pattern, p.at)
  if found then p.at = p.at + #found end
  return found
end

local expression

local function arguments(p, close)
  local list = {}
  if next_is(p, close) then give_up() end
  repeat list[#list + 1] = expression(p) until not next_is(p, ",")
  if not next_is(p, close) then give_up() end
  return list
end

local CELLS = 16 -- of a matrix; larger ones stay text

-- {{a, b}, {c, d}}, its first brace read
local function matrix(p)
  local rows, n = {}, 0
  repeat
    if not next_is(p, "{") then give_up() end
    local cells = arguments(p, "}")
    n = n + #cells
    for i, cell in ipairs(cells) do cells[i] = cell.flat end
    rows[#rows + 1] = table.concat(cells, " & ")
  until not next_is(p, ",")
  if not next_is(p, "}") or n > CELLS then give_up() end
  return atom("\\begin{pmatrix}" .. table.concat(rows, " \\\\ ") .. "\\end{pmatrix}")
end

local function primary(p)
  local number = next_is(p, "%d+%.?%d*")
  if number then return atom(number) end
  if next_is(p, "%(") then
    local inside = expression(p)
    if not next_is(p, "%)") then give_up() end
    return inside
  end
  if next_is(p, "{") then return matrix(p) end
  if next_is(p, "|") then
    local inside = expression(p)
    if not next_is(p, "|") then give_up() end
    return applied("abs", {inside})
  end
  local name = next_is(p, "[%a\xC3-\xDF][%w_\x80-\xDF]*")
  if not name then give_up() end
  if p.text:sub(p.at, p.at) == "(" then
    p.at = p.at + 1
    return applied(name, arguments(p, "%)"))
  end
  local out = atom(symbol(name))
  while p.text:sub(p.at, p.at) == "[" do
    p.at = p.at + 1
    local inside = comma(arguments(p, "%]"))
    out = atom(out.tex .. "_{" .. inside.flat .. "}")
  end
  return out
end

local unary

local function powered(p)
  local base = primary(p)
  if next_is(p, "%^") then return power(base, unary(p)) end
  return base
end

function unary(p)
  if next_is(p, "%-") then
    return both(NEG, function(x) return "-" .. x end, held(unary(p), SUM))
  end
  return powered(p)
end

-- a·b: a dot stands only before a number.
local function times(a, b)
  a, b = held(a, a.bind == SUM and ATOM or MUL), on_right(b, SUM)
  return both(b.bind == SUM and SUM or MUL, function(x, y)
    return x .. (y:find("^[{%d]") and "\\cdot " or b.head and "\\," or " ") .. y
  end, a, b)
end

local function over(a, b)
  local flat = held(a, MUL).flat .. "/" .. held(b, POWER).flat
  return piece("\\frac{" .. a.tex .. "}{" .. b.tex .. "}", POWER - 1, flat)
end

local function product(p)
  local out = unary(p)
  while true do
    local sign = next_is(p, "[*/]")
    if not sign then return out end
    out = (sign == "*" and times or over)(out, unary(p))
  end
end

function expression(p)
  local out = product(p)
  while true do
    local sign = next_is(p, "[+-]")
    if not sign then return out end
    out = both(ADD, function(x, y) return x .. sign .. y end, out, on_right(product(p), SUM))
  end
end

local function statement(p)
  local out, relations_seen = expression(p), 0
  while true do
    local sign = next_is(p, "[<>]=") or next_is(p, "[=<>]") or next_is(p, "≈")
    if not sign then break end
    relations_seen = relations_seen + 1
    out = both(RELATION, function(x, y) return x .. relations[sign] .. y end, out, expression(p))
  end
  if not p.text:find("^ *$", p.at) or relations_seen == 0 then give_up() end
  return out.tex
end

local LONG = 200 -- bytes; what is longer nobody reads as a formula

-- The TeX of a statement: an equation or an inequality; nil: it is none, or too long.
function M.tex(text)
  if #text > LONG then return nil end
  local ok, result = pcall(statement, {text = text, at = 1})
  if ok then return result end
  if type(result) == "table" and result.no_formula then return nil end
  error(result, 0)
end

return M
