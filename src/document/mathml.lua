-- mathml.lua: the mathematics of a lesson, `$…$` in TeX, as MathML Core for a page: what tex.lua shows on one line, set out.
--
--   \frac{d}{2}  <mfrac><mi>d</mi><mn>2</mn></mfrac>      \sum_{i=1}^n  <munderover>…      {W^K}^T  <msup><msup>…
--
-- A letter is <mi>, a number <mn>, anything else <mo>; words in \text{…} are kept as they stand.

local width = require "phasor.document.width"

local M = {}

local letters, marks, big, functions, dropped = {}, {}, {}, {}, {}
local list_of = {letter = letters, relation = marks, mark = marks, big = big, ["function"] = functions, dropped = dropped}
for _, symbol in ipairs(require("phasor.tools").symbols()) do
  local name, character, kind = table.unpack(symbol)
  if list_of[kind] then list_of[kind][name] = character end
end
letters.Re, letters.Im, marks.bmod, marks.sqrt = "Re", "Im", "mod", nil
local spaces = {quad = "1em", qquad = "2em", [","] = "0.17em", [";"] = "0.28em", [":"] = "0.22em", [" "] = "0.25em", ["!"] = "-0.17em"}
local thin = '<mspace width="0.167em"/>'
local fonts = {mathbf = "bold", boldsymbol = "bold-italic", mathsf = "sans-serif"}
local words = {text = true, mathrm = true, textrm = true, operatorname = true}
local accents = {hat = "^", bar = "¯", tilde = "~", vec = "→", dot = "˙", overline = "¯"}
local fences = {pmatrix = {"(", ")"}, bmatrix = {"[", "]"}, vmatrix = {"|", "|"}, cases = {"{", ""}}
local blackboard = {R = "ℝ", C = "ℂ", Z = "ℤ", N = "ℕ", Q = "ℚ", E = "𝔼"}

local escapes = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (text:gsub('[&<>"]', escapes)) end
M.escape = escape

local function element(name, body, attributes)
  return ("<%s%s>%s</%s>"):format(name, attributes and " " .. attributes or "", body, name)
end
local function row(list) return #list == 1 and list[1] or element("mrow", table.concat(list)) end

-- ---- reading ------------------------------------------------------------------------------------------------------

local function blanks(p) p.at = p.text:match("^%s*()", p.at) end

-- The words in a group, as they stand: \text{a\ b} is "a b".
local function plain(p)
  blanks(p)
  local body = p.text:match("^%b{}", p.at)
  if not body then error({tex = "a group in braces is wanted"}) end
  p.at = p.at + #body
  return (body:sub(2, -2):gsub("\\([ _%%$#&{}])", "%1"):gsub("\\,", "\u{2009}"))
end

local list_until

local function group(p)
  blanks(p)
  if p.text:sub(p.at, p.at) ~= "{" then return (list_until(p, nil, 1)) end
  p.at = p.at + 1
  local body = list_until(p, "}")
  p.at = p.at + 1
  return body
end

local function matrix(p, kind)
  local rows, cells = {}, {}
  repeat
    cells[#cells + 1] = element("mtd", row(list_until(p, "&")))
    local mark = p.text:match("^&", p.at) or p.text:match("^\\\\", p.at) or ""
    if mark ~= "&" then rows[#rows + 1], cells = element("mtr", table.concat(cells)), {} end
    p.at = p.at + #mark
  until mark == ""
  p.at = p.text:match("^\\end%s*%b{}()", p.at) or error({tex = "\\begin{" .. kind .. "} without its \\end"})
  local fence = fences[kind] or {"", ""}
  local out = {element("mtable", table.concat(rows))}
  if fence[1] ~= "" then table.insert(out, 1, element("mo", fence[1])) end
  if fence[2] ~= "" then out[#out + 1] = element("mo", fence[2]) end
  return row(out)
end

local takes = {
  frac = function(p) local a = row(group(p)) return element("mfrac", a .. row(group(p))) end,
  sqrt = function(p) return element("msqrt", row(group(p))) end,
  mathbb = function(p) local t = plain(p) return element("mi", blackboard[t] or escape(t)) end,
  mathcal = function(p) return element("mi", escape(plain(p)), 'class="script"') end,
  boxed = function(p) return element("mrow", row(group(p)), 'class="boxed"') end,
  underbrace = function(p) return element("munder", row(group(p)) .. "<mo>⏟</mo>") end,
  label = function(p) plain(p) return "" end,
  eqref = function(p) return element("mtext", "(" .. escape(plain(p)) .. ")") end,
  begin = function(p) return matrix(p, plain(p)) end,
}
takes.tfrac, takes.dfrac = takes.frac, takes.frac

-- One command: its MathML, and "big" when its scripts stand under and over it, "function" when it is the name of one.
local function command(p, name)
  if letters[name] then return element("mi", letters[name], name:find("^%u") and 'mathvariant="normal"') end
  if marks[name] then return element("mo", escape(marks[name])) end
  if big[name] then return element("mo", big[name]), name ~= "int" and "big" or nil end
  if spaces[name] then return ('<mspace width="%s"/>'):format(spaces[name]) end
  if functions[name] then return element("mi", name), "function" end
  if dropped[name] then return "" end
  if words[name] then
    local body = escape(plain(p)):gsub(" ", "\u{A0}")
    if name == "operatorname" then return element("mi", body, 'mathvariant="normal"'), "function" end
    return element("mtext", body)
  end
  if fonts[name] then return element("mrow", row(group(p)), ('class="%s"'):format(fonts[name])) end
  if name == "mathit" then return row(group(p)) end
  if accents[name] then return element("mover", row(group(p)) .. element("mo", accents[name]), 'accent="true"') end
  if takes[name] then return takes[name](p) end
  error({tex = "\\" .. name})
end

-- One thing that can carry scripts.
local function atom(p)
  local name = p.text:match("^\\(%a+)", p.at) or p.text:match("^\\(" .. utf8.charpattern .. ")", p.at)
  if name then
    p.at = p.at + 1 + #name
    return command(p, name)
  end
  local number = p.text:match("^%d+%.?%d*", p.at)
  if number then
    p.at = p.at + #number
    return element("mn", number)
  end
  if p.text:sub(p.at, p.at) == "{" then return element("mrow", table.concat(group(p))) end
  local char = p.text:match("^" .. utf8.charpattern, p.at)
  p.at = p.at + #char
  if char == "'" then return "<mo>′</mo>" end
  if char == "-" then return "<mo>−</mo>" end
  if char:find("^%a$") or #char > 1 then return element("mi", escape(char)) end
  return element("mo", escape(char), (char == "/" or char == "|") and 'stretchy="false"' or nil)
end

-- What _ and ^ (and ′) put on `base`.
local function scripts(p, base, kind)
  local below, above
  while true do
    blanks(p)
    local mark = p.text:sub(p.at, p.at)
    if mark == "'" then
      above = {(above and table.concat(above) or "") .. "<mo>′</mo>"}
      p.at = p.at + 1
    elseif mark == "_" and not below then
      p.at = p.at + 1
      below = group(p)
    elseif mark == "^" and (not above or above[1] == "<mo>′</mo>") then
      p.at = p.at + 1
      local had = above and above[1] or ""
      above = group(p)
      above[1] = had .. (above[1] or "")
    else
      break
    end
  end
  if not below and not above then return base end
  local wide = kind == "big"
  if below and above then
    return element(wide and "munderover" or "msubsup", base .. row(below) .. element("mrow", table.concat(above)))
  elseif below then
    return element(wide and "munder" or "msub", base .. row(below))
  end
  return element(wide and "mover" or "msup", base .. element("mrow", table.concat(above)))
end

-- Elements up to `stop` (one character), \\, \end or the end; or as many as `most`.
function list_until(p, stop, most)
  local out = {}
  while true do
    blanks(p)
    if p.at > #p.text then
      if stop == "}" then error({tex = "{"}) end
      break
    end
    local char = p.text:sub(p.at, p.at)
    if char == stop or char == "}" or p.text:find("^\\\\", p.at) or p.text:find("^\\end%f[%A]", p.at) then
      if char == "}" and stop ~= "}" and not most then error({tex = "}"}) end
      break
    end
    local body, kind = atom(p)
    if most then
      out[1] = body
      break
    end
    body = scripts(p, body, kind)
    -- sin a cos b: browsers put no space of their own around the name of a function
    local last = out[#out]
    if kind == "function" and last and not last:find("</mo>$") and not last:find("/>$") then out[#out + 1] = thin end
    if body ~= "" then out[#out + 1] = body end
    if kind == "function" then
      out[#out + 1] = "<mo>&#x2061;</mo>"
      if not p.text:find("^%s*[%({\\]?[%({]", p.at) and not p.text:find("^%s*\\left", p.at) then out[#out + 1] = thin end
    end
  end
  return out
end

-- The formula as <math>…</math>; nil and what cannot be read.
function M.mathml(source, block)
  local p = {text = width.plain(source), at = 1}
  local ok, result = pcall(function()
    local out = list_until(p)
    if p.at <= #p.text then error({tex = p.text:match("^\\?" .. utf8.charpattern, p.at)}) end
    return element("math", element("mrow", table.concat(out)), block and 'display="block"')
  end)
  if ok then return result end
  if type(result) == "table" then return nil, result.tex end
  error(result, 0)
end

return M
