-- formula.lua: a formula in the laboratory's own syntax, as a verdict prints what it is about, as TeX.
--
--   sin(t*θ[i])^2 <= 1/d      \sin^{2}(t\theta_{i})\le\frac{1}{d}
--
-- A piece is {tex =, flat =, bind =}: flat is the piece for an exponent, a/b in place of a fraction; bind says how tightly it holds together.
-- What is no formula, words among them, is not read: nil. A formula among words (typed.lua finds it) is typed as people do, 100 t^2, |E|_2, W^Q h':
-- there a letter is a variable, more letters are words, what stands side by side is a product, and brackets stay where they are.

local M = {}

local RELATION, ADD, SUM, MUL, NEG, POWER, ATOM = 10, 50, 55, 60, 70, 90, 100

local relations = {["="] = "=", ["≈"] = "\\approx ", ["<="] = "\\le ", [">="] = "\\ge ", ["<"] = "<", [">"] = ">", ["≤"] = "\\le ", ["≥"] = "\\ge "}
local named = {}
for name in ("sin cos tan exp log min max sinh cosh tanh arg det"):gmatch "%a+" do named[name] = "\\" .. name end
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
  return both(POWER, function(x) return x .. "^{" .. (exponent.within or exponent).flat .. "}" end, held(base, ATOM))
end

-- ---- reading ---------------------------------------------------------------------------------------------------------

local function next_is(p, pattern)
  p.at = p.text:match("^ *()", p.at)
  local found = p.text:match("^" .. pattern, p.at)
  if found then p.at = p.at + #found end
  return found
end

local expression, powered

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

-- ---- among words -----------------------------------------------------------------------------------------------------

-- What f reads, or nil, and then nothing is read.
local function try(p, f)
  local at, raised, fences = p.at, p.raised, p.fences
  local ok, out = pcall(f, p)
  if ok then return out end
  if type(out) ~= "table" or not out.no_formula then error(out, 0) end
  p.at, p.raised, p.fences = at, raised, fences
  return nil
end

local GREEK = "[\xCE\xCF][\x80-\xBF]"
local signs = {["∂"] = "\\partial ", ["Σ"] = "\\sum "}

-- x_m, x_{m+1}, x_11, x', x(…) with no blank before: what clings to a variable.
local function with_marks(p, out, plain)
  while true do
    local before = p.at
    local prime, under = p.text:match("^'+", p.at), p.text:match("^_(%d+)", p.at) or p.text:match("^_(%a+)", p.at) or p.text:match("^_(" .. GREEK .. ")", p.at)
    if prime and not p.text:find("^'s[%s,.;:]", p.at) and not p.text:find("^'s$", p.at) then p.at, out = p.at + #prime, atom(out.tex .. prime)
    elseif under then p.at, out = p.at + 1 + #under, atom(out.tex .. "_{" .. under .. "}")
    elseif p.text:find("^_{", p.at) then
      p.at = p.at + 2
      out = atom(out.tex .. "_{" .. arguments(p, "}")[1].flat .. "}")
    elseif p.text:find("^%[", p.at) then
      p.at = p.at + 1
      out = atom(out.tex .. "_{" .. comma(arguments(p, "%]")).flat .. "}")
    elseif plain and p.text:find("^%(", p.at) then
      local raised = p.raised
      p.at, p.raised = p.at + 1, true
      local list = arguments(p, "%)")
      p.raised = raised
      return atom(out.tex .. "(" .. comma(list).flat .. ")")
    end
    if p.at == before then return out end
  end
end

-- A letter, or letters that are a function's name; in exponents and behind a function's letter two letters are a product.
local function word(p)
  local run = p.text:match("^%a+", p.at)
  local after = p.at + #run
  local called = p.text:find("^%(", after)
  if #run == 1 then
    local entry = p.text:match("^%u(%d%d)%f[^%w]", p.at) -- B12, of a matrix; T5 and f32 are names
    if entry then
      p.at = after + 2
      return with_marks(p, atom(run .. "_{" .. entry .. "}"))
    end
    if p.text:find("^%d", after) or run == "a" and p.text:find("^ +[%a(]", after) then give_up() end
    p.at = after
    return with_marks(p, atom(run), true)
  end
  p.at = after
  if run == "pi" then return atom("\\pi ") elseif run == "eps" then return with_marks(p, atom("ε")) end
  if run == "det" and not called then
    local of = powered(p)
    return piece("\\det " .. of.tex, MUL, "\\det " .. of.flat)
  elseif called then
    p.at = after + 1
    local known = named[run] or around[run] or shaped[run]
    local list = arguments(p, "%)")
    if known then return applied(run, list) end
    return atom("\\operatorname{" .. run .. "}(" .. comma(list).flat .. ")")
  elseif #run == 2 and p.raised then return atom(run) end
  give_up()
end

local function fenced(p, fence, left, right)
  local outer = p.fences
  p.fences = true
  local inside = expression(p)
  p.fences = outer
  if not next_is(p, fence) then give_up() end
  return with_marks(p, atom(left .. inside.flat .. right))
end

-- A number may have a power of ten; a stop behind it ends the sentence.
local function number_among(p)
  local digits = p.text:match("^%d+%.%d+", p.at) or p.text:match("^%d+", p.at)
  p.at = p.at + #digits
  local power = p.text:match("^e([+-]?%d+)%f[^%w]", p.at)
  if not power then return atom(digits) end
  p.at = p.at + #p.text:match("^e[+-]?%d+", p.at)
  return piece(("%s\\times10^{%d}"):format(digits, math.tointeger(tonumber(power))), MUL)
end

local function primary_among(p)
  p.at = p.text:match("^ *()", p.at)
  if p.text:find("^%d", p.at) then return number_among(p) end
  if p.text:find("^%a", p.at) then return word(p) end
  local greek = next_is(p, GREEK .. "%d*")
  if greek and signs[greek] then return atom(signs[greek]) end
  if greek then return with_marks(p, atom(symbol(greek)), true) end
  if next_is(p, "∂²") then return atom("\\partial^{2}") elseif next_is(p, "∂") then return atom("\\partial ") end
  if next_is(p, "||") then return fenced(p, "||", "\\|", "\\|") elseif next_is(p, "|") then return fenced(p, "|", "|", "|") end
  if next_is(p, "±") then return both(NEG, function(x) return "\\pm " .. x end, primary_among(p)) end
  if p.raised and next_is(p, "{") then
    local inside = expression(p)
    if not next_is(p, "}") then give_up() end
    return piece(inside.tex, ATOM, inside.flat)
  end
  if next_is(p, "{") then return matrix(p) end
  if not next_is(p, "%(") then give_up() end
  local fences, inside = p.fences, nil
  p.fences = nil
  inside = expression(p)
  p.fences = fences
  if not next_is(p, "%)") then give_up() end
  local out = with_marks(p, atom("(" .. inside.flat .. ")"))
  out.within = out.tex == "(" .. inside.flat .. ")" and inside or nil
  return out
end

-- Does what comes next stand beside the last factor as another one?
local function is_beside(p)
  if p.text:find("^ *%a", p.at) or p.text:find("^ *" .. GREEK, p.at) or p.text:find("^ *∂", p.at) or p.text:find("^ *%(", p.at) then return true end
  return not p.fences and p.text:find("^ *|", p.at) ~= nil
end

-- ---- both ------------------------------------------------------------------------------------------------------------

local function primary(p)
  if p.among then return primary_among(p) end
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

local function exponent(p)
  local raised = p.raised
  p.raised = true
  local out = unary(p)
  p.raised = raised
  return out
end

function powered(p)
  local base = primary(p)
  if p.among and p.text:find("^%^", p.at) or not p.among and p.text:find("^ *%^", p.at) then
    next_is(p, "%^")
    return power(base, exponent(p))
  end
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

-- What stands behind a sign; among words it need not be a formula, and then the sign is a mark of the sentence: nil, and it is not read.
local function operand(p, at, read)
  if not p.among then return read(p) end
  local out = try(p, read)
  if not out then p.at = at end
  return out
end

local dots = {["·"] = "\\cdot ", ["×"] = "\\times "}
local function side_by_side(a, b, sign) return both(MUL, function(x, y) return x .. (dots[sign] or " ") .. y end, held(a, MUL), held(b, MUL)) end

local function product(p)
  local out = unary(p)
  while true do
    local at, factor = p.at, nil
    local sign = next_is(p, "[*/]") or p.among and (next_is(p, "·") or next_is(p, "×"))
    if sign then
      factor = operand(p, at, unary)
      if factor then out = (sign == "/" and over or sign == "*" and times or side_by_side)(out, factor, sign) end
    elseif p.among and is_beside(p) then
      factor = operand(p, at, powered)
      if factor then out = side_by_side(out, factor) end
    end
    if not factor then return out end
  end
end

function expression(p)
  local out = product(p)
  while true do
    local at = p.at
    local sign = next_is(p, "[+-]")
    local term = sign and operand(p, at, product)
    if not term then return out end
    out = both(ADD, function(x, y) return x .. sign .. y end, out, on_right(term, SUM))
  end
end

local function relation(p)
  return next_is(p, "[<>]=") or next_is(p, "[=<>]") or next_is(p, "≈") or p.among and (next_is(p, "≤") or next_is(p, "≥"))
end

-- The value that a sentence ends with belongs to all of it: "…, d = 64 ≈ 15.99", "pairs W^Q, W^K = 256".
local function ends_sentence(p, sign, out, seen)
  if not p.among or not p.text:find("^%s*$", p.at) then return false end
  return sign == "≈" and (seen > 0 or p.from > 1) or sign == "=" and p.from > 1 and #out.tex > 1 and p.text:find("= *%-?[%d.]+%s*$") ~= nil
end

-- A formula, or a chain of equations and inequalities; how many.
local function chain(p)
  local out, seen = expression(p), 0
  while true do
    local at = p.at
    local sign = relation(p)
    local side = sign and operand(p, at, expression)
    if side and ends_sentence(p, sign, out, seen) then p.at, side = at, nil end
    if not side then return out, seen end
    seen = seen + 1
    out = both(RELATION, function(x, y) return x .. relations[sign] .. y end, out, side)
  end
end

local function statement(p)
  local out, relations_seen = chain(p)
  if not p.text:find("^ *$", p.at) or relations_seen == 0 then give_up() end
  return out.tex
end

M.LONG = 200 -- bytes; what is longer nobody reads as a formula

-- The TeX of a statement: an equation or an inequality; nil: it is none, or too long.
function M.tex(text)
  if #text > M.LONG then return nil end
  local ok, result = pcall(statement, {text = text, at = 1})
  if ok then return result end
  if type(result) == "table" and result.no_formula then return nil end
  error(result, 0)
end

-- The formula among words that begins at a byte: its TeX, and the byte behind it. nil: what stands there is none.
function M.among(text, at)
  local p = {text = text, at = at, from = at, among = true}
  local out = try(p, chain)
  if out then return out.flat, p.at end
end

return M
