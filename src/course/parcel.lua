-- parcel.lua: values as bytes between the process of a check and that of an answer: what arrives is data and nothing else.
--
-- Numbers, strings, booleans, nil, arrays, formulas and tables of these arrive as equal ones; a table with its own entries (whatever
-- its metatable would say), one that occurs twice as one that occurs twice. A function arrives as one that asks for it to be called,
-- where it is; one that comes home is itself again. A verdict is not believed: its statement is proved again where it arrives. Anything
-- else arrives as a thing of that kind, with which nothing can be done.

local lab = require "phasor"
local leaf = require "phasor.parcel"

local M = {}

local DEPTH = 180 -- of tables in tables
local FUNCTIONS = 10000

local matrix_class = getmetatable(lab.matrix {{1}})
local name_of -- the laboratory's functions -> their names

local function lab_name(f)
  if not name_of then
    name_of = {}
    for name, value in next, lab do if type(value) == "function" and type(name) == "string" then name_of[value] = name end end
  end
  return name_of[f]
end

-- ---- things of which only the kind arrives ---------------------------------------------------------------------------

local opaque_class = {__name = "opaque", __tostring = function(t) return "a " .. rawget(t, "kind") end}
function opaque_class.__index(t, key)
  error(("a %s of the answer cannot be asked for .%s: only data arrives here"):format(rawget(t, "kind"), tostring(key)), 2)
end

-- The kind of such a thing; nil for anything else.
function M.opaque(v) return type(v) == "table" and getmetatable(v) == opaque_class and rawget(v, "kind") or nil end

local function opaque(kind) return setmetatable({kind = kind:gsub("[^%w ]", "?"):sub(1, 40)}, opaque_class) end

-- ---- a side ---------------------------------------------------------------------------------------------------------

-- One end of a conversation. call(id, …): asks the other end to call its function of that number. names: the laboratory's functions go
-- by their names, since the other end has the same.
function M.side(call, names)
  return {call = call, names = names, own = {}, ids = {}, theirs = setmetatable({}, {__mode = "v"}), id_of = setmetatable({}, {__mode = "k"})}
end

-- A function of our own as a number that the other end can name.
local function number_of(side, f)
  local id = side.ids[f]
  if id then return id end
  id = #side.own + 1
  if id > FUNCTIONS then error("too many functions", 0) end
  side.own[id], side.ids[f] = f, id
  return id
end

local function stand_in(side, id)
  local f = side.theirs[id]
  if not f then
    f = function(...) return side.call(id, ...) end
    side.theirs[id], side.id_of[f] = f, id
  end
  return f
end

-- ---- writing --------------------------------------------------------------------------------------------------------

local put

local function put_table(side, out, t, depth)
  local seen = out.seen[t]
  if seen then
    out[#out + 1] = "@" .. ("I4"):pack(seen)
    return
  end
  out.tables = out.tables + 1
  out.seen[t] = out.tables
  out[#out + 1] = getmetatable(t) == matrix_class and "M" or "{"
  for key, value in next, t do
    put(side, out, key, depth + 1)
    put(side, out, value, depth + 1)
  end
  out[#out + 1] = "}"
end

local function put_verdict(side, out, v, depth)
  local statements, conditions = leaf.judged(v)
  if not statements then
    out[#out + 1] = ("o" .. ("s1"):pack "Verdict")
    return
  end
  out[#out + 1] = "V"
  put(side, out, statements, depth + 1)
  put(side, out, conditions, depth + 1)
end

local function put_function(side, out, f)
  local home, name = side.id_of[f], side.names and lab_name(f)
  if home then out[#out + 1] = "R" .. ("I4"):pack(home)
  elseif name then out[#out + 1] = "L" .. ("s1"):pack(name)
  else out[#out + 1] = "F" .. ("I4"):pack(number_of(side, f)) end
end

local function class_name(v)
  local class = getmetatable(v)
  if type(class) == "table" then class = rawget(class, "__name") end
  return type(class) == "string" and class or type(v)
end

local function put_thing(side, out, v, depth)
  local class = class_name(v)
  local bytes = leaf.bytes(v)
  if bytes then out[#out + 1] = "u" .. ("s4"):pack(bytes)
  elseif class == "Verdict" then put_verdict(side, out, v, depth)
  else out[#out + 1] = "o" .. ("s1"):pack(class:sub(1, 40)) end
end

local numbers = {integer = function(v) return "i" .. ("j"):pack(v) end, float = function(v) return "d" .. ("n"):pack(v) end}

function put(side, out, v, depth)
  if depth > DEPTH then error("tables in tables, too deep", 0) end
  local kind = type(v)
  if v == nil then out[#out + 1] = "n"
  elseif kind == "boolean" then out[#out + 1] = v and "t" or "f"
  elseif kind == "number" then out[#out + 1] = numbers[math.type(v)](v)
  elseif kind == "string" then out[#out + 1] = "s" .. ("s4"):pack(v)
  elseif kind == "table" and M.opaque(v) then out[#out + 1] = "o" .. ("s1"):pack(M.opaque(v))
  elseif kind == "table" then put_table(side, out, v, depth)
  elseif kind == "function" then put_function(side, out, v)
  else put_thing(side, out, v, depth) end
end

-- The values as bytes.
function M.write(side, ...)
  local out, n = {seen = {}, tables = 0}, select("#", ...)
  for i = 1, n do put(side, out, (select(i, ...)), 1) end
  return ("I4"):pack(n) .. table.concat(out)
end

-- ---- reading --------------------------------------------------------------------------------------------------------

local get

local function get_table(side, p, depth)
  local t = {}
  p.tables[#p.tables + 1] = t
  while p.text:byte(p.at) ~= 0x7D do
    local key = get(side, p, depth + 1)
    t[key] = get(side, p, depth + 1)
  end
  p.at = p.at + 1
  return t
end

local MOST = 1000000 -- entries of a matrix

local function size(v) return math.type(v) == "integer" and v >= 1 and v <= MOST end

-- A matrix has no entries but formulas and exact numbers, as many as it says.
local function get_matrix(side, p, depth)
  local place = #p.tables + 1
  local t = get_table(side, p, depth)
  local list, n = rawget(t, "entries"), size(t.rows) and size(t.cols) and t.rows * t.cols
  if type(list) ~= "table" or not n or n > MOST or #list ~= n then error("no matrix", 0) end
  local rows = {}
  for r = 1, t.rows do rows[r] = table.move(list, (r - 1) * t.cols + 1, r * t.cols, 1, {}) end
  p.tables[place] = lab.matrix(rows)
  return p.tables[place]
end

-- The verdict on a statement that was judged elsewhere: it is proved here.
local function prove_again(statements, conditions)
  if type(statements) ~= "table" or #statements ~= 1 then return opaque "Verdict" end
  local where = #conditions > 0 and {where = conditions} or nil
  local ok, v = pcall(lab.prove, statements[1], where)
  return ok and v or opaque "Verdict"
end

local function unpacked(p, form)
  local value
  value, p.at = form:unpack(p.text, p.at)
  return value
end

local readers = {
  n = function() return nil end,
  t = function() return true end,
  f = function() return false end,
  i = function(_, p) return unpacked(p, "j") end,
  d = function(_, p) return unpacked(p, "n") end,
  s = function(_, p) return unpacked(p, "s4") end,
  u = function(_, p) return leaf.value(unpacked(p, "s4")) end,
  o = function(_, p) return opaque(unpacked(p, "s1")) end,
  ["{"] = get_table,
  M = get_matrix,
  V = function(side, p, depth) return prove_again(get(side, p, depth + 1), get(side, p, depth + 1)) end,
  ["@"] = function(_, p) return p.tables[unpacked(p, "I4")] end,
  F = function(side, p) return stand_in(side, unpacked(p, "I4")) end,
  R = function(side, p) return side.own[unpacked(p, "I4")] end,
  L = function(side, p) -- for who was asked, never for who asks
    if side.names then error("no value", 0) end
    return rawget(lab, unpacked(p, "s1"))
  end,
}

function get(side, p, depth)
  if depth > DEPTH then error("tables in tables, too deep", 0) end
  local read = readers[p.text:sub(p.at, p.at)]
  if not read then error("no value", 0) end
  p.at = p.at + 1
  return read(side, p, depth)
end

-- The values in bytes, as table.pack gives them; an error when they are no such bytes.
function M.read(side, text)
  local p = {text = text, at = 1, tables = {}}
  local out = {n = unpacked(p, "I4")}
  if out.n > #text then error("no values", 0) end
  for i = 1, out.n do out[i] = get(side, p, 1) end
  if p.at ~= #text + 1 then error("something stands behind the values", 0) end
  return out
end

return M
