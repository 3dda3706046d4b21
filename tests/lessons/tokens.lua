-- tokens.lua: the code of a cell as Lua's tokens, and what may be spoiled in it.

local M = {}

local OPERATORS = {"...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", ".."}

-- The end of the token that begins at `at`, and its kind; nil for a character that Lua has no token for.
local function token(code, at)
  local long = code:match("^%-%-%[(=*)%[", at) or code:match("^%[(=*)%[", at)
  if long then
    local comment = code:sub(at, at + 1) == "--"
    return select(2, assert(code:find("]" .. long .. "]", at, true))), comment and "comment" or "string"
  end
  if code:find("^%-%-", at) then return (code:find("\n", at, true) or #code + 1) - 1, "comment" end
  local quote = code:match("^[\"']", at)
  if quote then
    local stop = at
    repeat
      stop = code:find('[\\' .. quote .. ']', stop + 1)
      local escaped = code:sub(stop, stop) == "\\"
      if escaped then stop = stop + 1 end
    until not escaped
    return stop, "string"
  end
  local stop = select(2, code:find("^0[xX]%x+", at)) or select(2, code:find("^%d+%.?%d*[eE][+-]?%d+", at))
               or select(2, code:find("^%d+%.%d*", at)) or select(2, code:find("^%.%d+", at)) or select(2, code:find("^%d+", at))
  if stop then return stop, "number" end
  stop = select(2, code:find("^[%a_\x80-\xff][%w_\x80-\xff]*", at))
  if stop then return stop, "name" end
  for _, op in ipairs(OPERATORS) do
    if code:sub(at, at + #op - 1) == op then return at + #op - 1, "operator" end
  end
  return at, "operator"
end

-- {kind, text, first, last, before = index of the token before that is no comment}
function M.read(code)
  local out, at = {}, 1
  while true do
    at = code:find("%S", at)
    if not at then return out end
    local stop, kind = token(code, at)
    if kind ~= "comment" then out[#out + 1] = {kind = kind, text = code:sub(at, stop), first = at, last = stop} end
    at = stop + 1
  end
end

-- ---- where nothing is judged ----------------------------------------------------------------------------------------

-- Calls that show something or draw a sample, and options that say how hard to try: what stands in them is no part of a statement.
local shows = {print = true, display = true, plot = true, progress = true, rng = true, error = true, format = true, heatmap = true,
               rand = true, randn = true, below = true}
local options = {seed = true, samples = true, boxes = true, digits = true, evaluations = true, tolerance = true, points = true, why = true, claim = true,
                 at = true, title = true, xlabel = true, ylabel = true, labels = true}

local opens = {["("] = ")", ["{"] = "}", ["["] = "]"}
local closes = {[")"] = true, ["}"] = true, ["]"] = true}

-- f(g, …) with the generator g draws as well.
local function draws(tokens, i)
  local a, b, c = tokens[i + 1], tokens[i + 2], tokens[i + 3]
  return tokens[i].kind == "name" and c and a.text == "(" and b.text == "g" and c.text == ","
end

local function partner(tokens, i)
  local depth = 0
  for k = i, #tokens do
    if opens[tokens[k].text] and tokens[k].kind == "operator" then depth = depth + 1 end
    if closes[tokens[k].text] and tokens[k].kind == "operator" then depth = depth - 1 end
    if depth == 0 then return k end
  end
  return #tokens
end

-- Marks the tokens in which nothing is judged.
local function mark(tokens)
  local i = 1
  while i <= #tokens do
    local t, following = tokens[i], tokens[i + 1]
    local stop
    if t.kind == "name" and shows[t.text] and following and (following.text == "(" or following.text == "{") or draws(tokens, i) then
      stop = partner(tokens, i + 1)
    elseif t.kind == "name" and options[t.text] and following and following.text == "=" and (i == 1 or tokens[i - 1].text == "," or tokens[i - 1].text == "{") then
      stop = i + 1 -- up to the comma
      while stop < #tokens do
        local text = tokens[stop + 1].text
        if text == "," or closes[text] then break end
        stop = opens[text] and partner(tokens, stop + 1) or stop + 1
      end
    end
    for k = i, stop or i - 1 do tokens[k].idle = true end
    i = (stop or i) + 1
  end
end

-- ---- what may be spoiled --------------------------------------------------------------------------------------------

local exchanged = {["+"] = "-", ["-"] = "+", ["*"] = "+", ["/"] = "*", ["^"] = "*", ["<"] = ">=", [">"] = "<=", ["<="] = ">", [">="] = "<"}
local other_name = {sin = "cos", cos = "sin", lt = "gt", gt = "lt", le = "ge", ge = "le", eq = "ne", ne = "eq", min = "max", max = "min", log = "exp",
                    exp = "log", Ci = "Si", Si = "Ci", ["and"] = "or", ["or"] = "and", sum = "mean", mean = "sum"}

local function numbers(text)
  local n = math.tointeger(tonumber(text))
  if not n then return {{"factor", "(2 * " .. text .. ")"}, {"sign", "(-" .. text .. ")"}} end
  local out = {{"constant", tostring(n + 1)}}
  if n > 0 then out[#out + 1] = {"constant", tostring(n - 1)} end
  if n > 1 then out[#out + 1] = {"factor", tostring(2 * n)} end
  if n > 0 then out[#out + 1] = {"sign", "(-" .. n .. ")"} end
  return out
end

-- A figure, given as text: its last digit, its first, and its sign.
local function figures(text)
  local body = text:match '^"([+-]?%d+%.?%d*e?[+-]?%d*)"$'
  if not body then return {} end
  local function bumped(at)
    return '"' .. body:sub(1, at - 1) .. (tonumber(body:sub(at, at)) + 1) % 10 .. body:sub(at + 1) .. '"'
  end
  local first = body:find "[1-9]"
  local mantissa = body:match "^[^e]*"
  local out = {{"figure", bumped(#mantissa:match "^.*%d")}}
  if first then
    if first < #mantissa then out[#out + 1] = {"figure", bumped(first)} end
    out[#out + 1] = {"sign", '"' .. (body:find "^-" and body:sub(2) or "-" .. body) .. '"'}
  end
  return out
end

local reserved = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"):gmatch "%a+" do
  reserved[word] = true
end

-- An operand: a name that stands as one in a product, a sum or a power.
local function is_operand(before, t, following)
  local arithmetic = {["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true, ["^"] = true}
  if t.kind ~= "name" or reserved[t.text] then return false end
  local after = following and following.text
  if after == "(" or after == "." or after == ":" or after == "[" or after == "{" or after == "=" then return false end
  return before and arithmetic[before.text] and before.text ~= "." or arithmetic[after] or false
end

-- Marks the tokens between brackets that follow a value: indices.
local function mark_indices(tokens)
  for i, t in ipairs(tokens) do
    local before = tokens[i - 1]
    if t.text == "[" and t.kind == "operator" and before and (before.kind == "name" and not reserved[before.text] or before.text == ")" or before.text == "]") then
      for k = i + 1, partner(tokens, i) - 1 do tokens[k].index = true end
    end
  end
end

-- Marks the sizes of reshape(x, …): there -1 stands for the size that is left, so that of 1 it is another way to write it.
local function mark_sizes(tokens)
  for i, t in ipairs(tokens) do
    if t.kind == "name" and t.text == "reshape" and tokens[i + 1] and tokens[i + 1].text == "(" then
      local k, stop = i + 2, partner(tokens, i + 1)
      while k < stop do
        if opens[tokens[k].text] and tokens[k].kind == "operator" then k = partner(tokens, k) end
        tokens[k].size = tokens[k].text == "1"
        k = k + 1
      end
    end
  end
end

-- Marks the tokens whose sign is lost on what takes them: a factor of the product that is all of what cos or abs is called with, and what stands under an
-- even power. In doubles, too, these come out the same to the last bit.
local function mark_even(tokens)
  local product = {["*"] = true, ["/"] = true, ["^"] = true}
  local power = {["^"] = true}
  for i, t in ipairs(tokens) do
    local called = tokens[i + 1]
    if t.kind == "name" and (t.text == "cos" or t.text == "abs") and called and called.text == "(" then
      local factors, k, stop = {}, i + 2, partner(tokens, i + 1)
      local fine = true
      while k < stop do
        local u = tokens[k]
        if opens[u.text] and u.kind == "operator" then k = partner(tokens, k)
        elseif u.kind == "name" or u.kind == "number" or u.text == "-" and k == i + 2 then
          local before, after = tokens[k - 1].text, tokens[k + 1].text
          if not power[before] and not power[after] then factors[#factors + 1] = u end
        end
        fine = fine and (u.kind ~= "operator" or product[u.text] or opens[u.text] or k == i + 2) and not reserved[u.text]
        k = k + 1
      end
      if fine then for _, u in ipairs(factors) do u.even = true end end
    end
    local negative = tokens[i + 2] and tokens[i + 2].text == "-" and 1 or 0
    local by, exponent, further = tokens[i + 1], tokens[i + 2 + negative], tokens[i + 3 + negative]
    local before = tokens[i - 1]
    if (t.kind == "name" or t.kind == "number") and by and by.text == "^" and exponent and exponent.kind == "number"
       and (math.tointeger(tonumber(exponent.text)) or 1) % 2 == 0 and not (further and power[further.text]) and not (before and (before.text == "." or before.text == ":")) then
      t.even = true
    end
  end
end

-- Every way to spoil one token: {first, last, with, kind}, in order.
function M.spoils(code)
  local tokens, out = M.read(code), {}
  mark(tokens)
  mark_indices(tokens)
  mark_sizes(tokens)
  mark_even(tokens)
  for i, t in ipairs(tokens) do
    local before, following = tokens[i - 1], tokens[i + 1]
    local function add(kind, with)
      out[#out + 1] = {first = t.first, last = t.last, with = with, kind = t.index and "index" or kind, was = t.text}
    end
    if t.idle then -- nothing is judged here
    elseif t.kind == "number" then
      for _, n in ipairs(numbers(t.text)) do
        if not ((t.size or t.even) and n[1] == "sign") then add(n[1], n[2]) end
      end
    elseif t.kind == "string" then
      for _, n in ipairs(figures(t.text)) do add(n[1], n[2]) end
    elseif t.kind == "operator" and exchanged[t.text] then
      local operand = before and (before.kind ~= "operator" and not (reserved[before.text] and before.text ~= "end") or closes[before.text])
      if operand then add("operator", exchanged[t.text])
      elseif t.text == "-" and not t.even then add("sign", "") end
    elseif t.kind == "name" and other_name[t.text] and not (before and (before.text == "." or before.text == ":" or before.text == "local" or before.text == "function")) then
      add("function", other_name[t.text])
    elseif is_operand(before, t, following) and not (before and (before.text == "." or before.text == ":")) then
      add("operand", "(" .. t.text .. " + 1)")
      if not t.even then add("sign", "(-" .. t.text .. ")") end
    elseif t.kind == "name" and t.index and not reserved[t.text] and (not following or following.text == "]" or following.text == ",") then
      add("index", "(" .. t.text .. " + 1)")
    end
  end
  return out
end

-- The line of the cell's code at a place: its text without the indentation, its number, and where in the text the place is.
function M.line_at(code, at)
  local before = code:sub(1, at - 1)
  local first = #(before:match "^.*\n" or "") + 1
  local _, number = before:gsub("\n", "")
  local margin, text = code:sub(first):match "^(%s*)([^\n]*)"
  return text, number + 1, at - first - #margin + 1
end

return M
