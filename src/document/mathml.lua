-- mathml.lua: the mathematics of a lesson, `$…$` in TeX, as MathML Core for a page.
--
--   \frac{d}{2}  <mfrac><mi>d</mi><mn>2</mn></mfrac>      \sum_{i=1}^n  <munderover>…      {W^K}^T  <msup><mrow><msup>…
--
-- A letter is <mi>, a number <mn>, anything else <mo>; words in \text{…} are kept as they stand. Fences keep the size of the text, as TeX's
-- do, unless they come in \left … \right.

local reader = require "phasor.document.reader"

local M = {}

local escapes = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (text:gsub('[&<>"]', escapes)) end
M.escape = escape

local function element(name, body, attributes)
  return "<" .. name .. (attributes and " " .. attributes or "") .. ">" .. body .. "</" .. name .. ">"
end

-- ---- signs -------------------------------------------------------------------------------------------------------------

local fixed = 'stretchy="false"'
local attributes_of = {}
for _, code in utf8.codes("()[]{}⟨⟩⌊⌋⌈⌉") do attributes_of[utf8.char(code)] = fixed end
for _, ruled in ipairs {"|", "‖", "/"} do attributes_of[ruled] = fixed .. ' lspace="0" rspace="0"' end
local dots = {["…"] = true, ["⋯"] = true, ["⋮"] = true, ["⋱"] = true} -- no operators: no space around them

local function sign(character, attributes)
  if character == "-" then character = "−" elseif character == "'" then character = "′" end
  return element(dots[character] and "mi" or "mo", escapes[character] or character, attributes or attributes_of[character])
end

local spaces = {quad = "1em", qquad = "2em", [","] = "0.17em", [";"] = "0.28em", [":"] = "0.22em", [" "] = "0.25em", ["!"] = "-0.17em"}
local wide = {quad = true, qquad = true} -- these part formulas
local applied = "<mo>\u{2061}</mo>" -- a function to what follows it: a sign that is not seen
local thin = '<mspace width="0.167em"/>'
local script = {B = "ℬ", E = "ℰ", F = "ℱ", H = "ℋ", I = "ℐ", L = "ℒ", M = "ℳ", R = "ℛ"} -- the others stand in a row
for code = 65, 90 do script[string.char(code)] = script[string.char(code)] or utf8.char(0x1D49C + code - 65) end
local fonts = {mathbf = "bold", boldsymbol = "bold-italic", mathsf = "sans-serif", boxed = "boxed"}
local accents = {hat = "^", bar = "¯", tilde = "~", vec = "→", dot = "˙", overline = "¯"}
local fences = {pmatrix = {"(", ")"}, bmatrix = {"[", "]"}, vmatrix = {"|", "|"}, cases = {"{", ""}}
local classes = {cases = "cases", aligned = "aligned", split = "aligned", align = "aligned", ["align*"] = "aligned"}
local upright = {Re = true, Im = true}

-- ---- nodes (reader.lua) ------------------------------------------------------------------------------------------------

local elements

-- A row as one element.
local function row(nodes)
  local list = elements(nodes)
  return #list == 1 and list[1] or element("mrow", table.concat(list))
end

local write = {}

function write.char(node)
  local char = node.text
  if char:find("^%a$") or #char > 1 and not attributes_of[char] and not dots[char] then return element("mi", escape(char)) end
  return sign(char)
end
function write.number(node) return element("mn", node.text) end

function write.symbol(node)
  if upright[node.name] or node.class == "function" then return element("mi", node.name) end
  if node.class == "letter" then return element("mi", node.character, node.name:find("^%u") and 'mathvariant="normal"' or nil) end
  return node.class == "big" and element("mo", node.character) or sign(node.character)
end

function write.space(node) return ('<mspace width="%s"/>'):format(spaces[node.name] or "0") end
function write.dropped() return "" end
function write.group(node) return element("mrow", table.concat(elements(node.body))) end
function write.fraction(node) return element("mfrac", row(node.top) .. row(node.bottom)) end

local fontless = false -- is what is written for fonts without a table of mathematics, in which Chromium draws no radical sign?

function write.root(node)
  if not fontless then return element("msqrt", row(node.body)) end
  return element("mrow", sign("√") .. write.fenced{left = "(", right = ")", body = node.body})
end

function write.words(node)
  local body = escape(node.text):gsub(" ", "\u{A0}")
  if node.name == "text" or node.name == "textrm" then return element("mtext", body) end
  return element("mi", body, #body == 1 and 'mathvariant="normal"' or nil)
end

function write.letters(node)
  if node.name == "mathcal" then return element("mi", (escape(node.text):gsub("%u", script))) end
  return element("mi", reader.blackboard[node.text] or escape(node.text))
end

function write.font(node)
  if node.name == "underbrace" then return element("munder", row(node.body) .. "<mo>⏟</mo>") end
  local class = fonts[node.name]
  return class and element("mrow", row(node.body), ('class="%s"'):format(class)) or row(node.body)
end

-- A bar over more than a letter is a line (page.css): fonts have none so wide.
function write.accent(node)
  if node.name == "overline" and #node.body > 1 then return element("mrow", row(node.body), 'class="overline"') end
  return element("mover", row(node.body) .. element("mo", accents[node.name] or reader.character_of[node.name]), 'accent="true"')
end

-- \left( … \right): fences that grow with what is between them. First and last in a row of their own, they need not say which side they close.
function write.fenced(node)
  local list = elements(node.body)
  local alone = #list == 0 and 'form="prefix"' or nil
  if node.left ~= "" then table.insert(list, 1, element("mo", escape(node.left), alone)) end
  if node.right ~= "" then list[#list + 1] = element("mo", escape(node.right), #list == 0 and 'form="postfix"' or nil) end
  return element("mrow", table.concat(list))
end

function write.table(node)
  local out, fence, class = {}, fences[node.name] or {"", ""}, classes[node.name]
  for i, cells in ipairs(node.rows) do
    local line = {}
    for k, cell in ipairs(cells) do line[k] = element("mtd", row(cell)) end
    out[i] = element("mtr", table.concat(line))
  end
  local body = element("mtable", table.concat(out), class and ('class="%s"'):format(class))
  local left, right = fence[1] ~= "" and element("mo", fence[1]) or "", fence[2] ~= "" and element("mo", fence[2]) or ""
  return left .. right == "" and body or element("mrow", left .. body .. right)
end

function write.column() return "" end
write.line, write.label = write.column, write.column
function write.reference(node) return element("mtext", "(" .. escape(node.text) .. ")") end

local function is_big(base) return base ~= nil and base.kind == "symbol" and base.class == "big" and base.name ~= "int" end

-- What _ and ^ (and ′) put on a base.
function write.scripts(node)
  local below, above = nil, {}
  for _, s in ipairs(node.list) do
    if s.mark == "_" then below = s.body
    elseif s.mark == "'" then above[#above + 1] = "<mo>′</mo>"
    else for _, e in ipairs(elements(s.body)) do above[#above + 1] = e end end
  end
  local over = #above == 1 and above[1] or element("mrow", table.concat(above))
  local base, big = node.base and row{node.base} or "<mrow></mrow>", is_big(node.base)
  if below and #above > 0 then return element(big and "munderover" or "msubsup", base .. row(below) .. over) end
  if below then return element(big and "munder" or "msub", base .. row(below)) end
  return element(big and "mover" or "msup", base .. over)
end

-- Is it the name of a function, with scripts or without?
local function is_function(node)
  if node.kind == "scripts" then return node.base ~= nil and is_function(node.base) end
  return node.kind == "symbol" and node.class == "function" and not upright[node.name] or node.kind == "words" and node.name == "operatorname"
end

local function opens(node)
  return node == nil or node.kind == "fenced" or node.kind == "char" and node.text == "("
         or node.kind == "scripts" and node.base ~= nil and opens(node.base) or node.kind == "space"
end

local signs = {["-"] = "-", ["+"] = "+", pm = "±", mp = "∓"}
local ahead = {} -- signs behind which an operand begins
for _, code in utf8.codes("([{⟨⌊⌈=<>+-,;:/") do ahead[utf8.char(code)] = true end

-- Does an operand begin behind this node? bars: how many bars stand before, with it: the first opens.
local function awaits(node, bars)
  if node == nil or node.kind == "space" then return true end
  if node.kind == "scripts" then return awaits(node.base or {}, bars) end
  if node.kind == "symbol" then return node.class == "relation" or node.class == "big" or node.class == "mark" and ahead[node.character] or false end
  return node.kind == "char" and (ahead[node.text] or (node.text == "|" or node.text == "‖") and bars % 2 == 1) or false
end

-- (-1, 1): a browser takes a sign for one between operands, with a space on either side, unless it is the first of its row; so it is told.
-- sin a cos b: browsers put no space of their own around the name of a function.
function elements(nodes)
  local out, before, bars = {}, nil, 0
  for i, node in ipairs(nodes) do
    local body, named = write[node.kind](node), is_function(node)
    local one = signs[node.kind == "char" and node.text or node.kind == "symbol" and node.name]
    if one and awaits(before, bars) then body = sign(one, 'form="prefix"') end
    if node.text == "|" or node.text == "‖" then bars = bars + 1 end
    if node.kind ~= "space" or wide[node.name] then before = node end
    local last = out[#out]
    if named and last and not last:find("</mo>$") and not last:find("/>$") then out[#out + 1] = thin end
    if body ~= "" then out[#out + 1] = body end
    if named then out[#out + 1] = opens(nodes[i + 1]) and applied or applied .. thin end
  end
  return out
end

-- ---- formulas ----------------------------------------------------------------------------------------------------------

-- The tree of a formula; nil and what cannot be read.
local function read(source)
  local tree, fault = reader.read(source)
  if fault then return nil, fault end
  return tree
end

local function math(list, first, last, attributes)
  return element("math", element("mrow", table.concat(list, "", first, last)), attributes)
end

-- Where a line may break, as TeX breaks it: behind a relation, a sign between two operands, a comma or a wide space.
local breaks = {}
for _, character in ipairs {"=", "<", ">", "+", "-", ","} do breaks[character] = true end

local function may_break(node, before)
  if node.kind == "space" then return wide[node.name] end
  if node.kind == "symbol" then return node.class == "relation" end
  if node.kind ~= "char" or not breaks[node.text] then return false end
  local signed = node.text == "+" or node.text == "-" -- behind another sign they are none between operands
  return not (signed and (before.kind == "symbol" and before.class == "relation" or before.kind == "char" and breaks[before.text]))
end

local deeper = {["("] = 1, ["["] = 1, ["{"] = 1, [")"] = -1, ["]"] = -1, ["}"] = -1, ["⟨"] = 1, ["⟩"] = -1, ["⌊"] = 1, ["⌋"] = -1}
local LONG = 12 -- nodes; shorter formulas stay whole
local LONG_BRACKETS = 30 -- letters, numbers and signs; no line breaks between shorter ones

-- How many letters, numbers and signs a row has; nil: one of its parts is higher than a line.
local lasting = {char = 1, number = 1, symbol = 1, words = 1, letters = 1, space = 0, dropped = 0}
local function length(nodes)
  local n = 0
  for _, node in ipairs(nodes) do
    local parts = {node.body, node.base and {node.base}}
    for _, s in ipairs(node.list or {}) do parts[#parts + 1] = s.body end
    if node.class == "big" or not (lasting[node.kind] or node.list or node.kind == "group" or node.kind == "fenced") then return nil end
    n = n + (lasting[node.kind] or 0) + (node.kind == "fenced" and 2 or 0)
    for _, part in pairs(parts) do
      local more = length(part)
      if not more then return nil end
      n = n + more
    end
  end
  return n
end

-- Long brackets that need not grow are opened, so that a line can break between them.
local function loosened(nodes, out)
  for _, node in ipairs(nodes) do
    if node.kind == "fenced" and (length(node.body) or 0) > LONG_BRACKETS then
      if node.left ~= "" then out[#out + 1] = {kind = "char", text = node.left} end
      loosened(node.body, out)
      if node.right ~= "" then out[#out + 1] = {kind = "char", text = node.right} end
    else out[#out + 1] = node end
  end
  return out
end

-- The formula as one or more <math>, between which a line may break where the formula is long. nil and what cannot be read.
local function pieces(source, attributes)
  local tree, why = read(source)
  if not tree then return nil, why end
  tree = loosened(tree, {})
  local out, part, depth = {}, {}, 0
  for i, node in ipairs(tree) do
    part[#part + 1] = node
    local here = node.kind == "scripts" and node.base or node
    depth = depth + (deeper[here.text or here.character] or 0)
    if #tree >= LONG and (depth <= 0 or #part > LONG_BRACKETS) and #part > 1 and i < #tree and may_break(node, tree[i - 1]) then
      local list = elements(part)
      list[#list] = list[#list]:gsub("^<mo>", '<mo form="infix">')
      out[#out + 1], part = math(list, 1, #list, attributes), {}
    end
  end
  local list = elements(part)
  out[#out + 1] = math(list, 1, #list, attributes)
  return out
end

-- The formula for a line of text. nil and what cannot be read.
function M.inline(source)
  local list, why = pieces(source)
  if not list then return nil, why end
  return table.concat(list, "<wbr>")
end

-- The formula for a line of its own, which breaks on paper alone (page.css). nil and what cannot be read.
function M.display(source)
  local list, why = pieces(source, 'displaystyle="true"')
  if not list then return nil, why end
  return #list == 1 and list[1]:gsub('^<math displaystyle="true"', '<math display="block"', 1) or table.concat(list, "<wbr>")
end

-- The same for pages of others, which have neither our font nor our style. nil and what cannot be read.
function M.elsewhere(source)
  fontless = true
  local set, why = M.display(source)
  fontless = false
  return set and set:gsub('class="overline"', 'style="border-top:.06em solid;padding-top:.1em"'), why
end

return M
