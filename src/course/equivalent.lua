-- equivalent.lua: is an answer the right one? Equivalent answers are: numbers and arrays are compared with a tolerance, formulas
-- by proof, tables and functions part by part. What is not the same is told in both languages, as far as it can be told
-- without giving the answer away: its kind, its shape, the entry, or how it was probably gone wrong (a sign, a factor, …).
--
-- The tolerance, unless told otherwise, is 1e-9 of the right value, or 1e-9 where that is below 1: some 10^7 roundings of
-- f64, which no honest order of operations piles up; an f32 array has 1e-5, some 10^2 of its roundings. An infinite value, as
-- in a mask, is right only when it is that one, and gives the others no tolerance; nor does a large one.

local lab = require "phasor"
local parcel = require "phasor.course.parcel"
local trim = require "phasor.document.trim"

local M = {}

local matrix_class = getmetatable(lab.matrix {{1}})

-- What a value is, for comparing it.
local function kind(v)
  local t = type(v)
  local class = getmetatable(v)
  if t == "userdata" then
    return ({Array = "array", Expr = "formula", Dd = "dd", Complex = "complex"})[class] or tostring(class)
  end
  return t == "table" and (class == matrix_class and "matrix" or parcel.opaque(v) and "opaque") or t
end
M.kind = kind

local function shape(x) return x.ndim == 0 and "()" or table.concat(x.shape, "×") end

-- A value in few words, in both languages.
function M.say(v)
  local k = kind(v)
  local text
  if k == "nil" then return "nothing", "空值" end
  if k == "number" then text = math.type(v) == "integer" and ("%d"):format(v) or v ~= v and "nan" or ("%.6g"):format(v)
  elseif k == "string" then text = ("%q"):format(#v > 40 and v:sub(1, 40) .. "…" or v)
  elseif k == "boolean" then text = tostring(v)
  elseif k == "array" and v.size == 1 then return "an array with the one entry " .. tostring(v:reshape(1)(1)), "只有一项的数组"
  elseif k == "array" then return "an array of shape " .. shape(v), "形状为 " .. shape(v) .. " 的数组"
  elseif k == "formula" then
    text = tostring(v)
    text = #text > 60 and text:sub(1, 60) .. "…" or text
    return "the formula " .. text, "式子 " .. text
  elseif k == "matrix" then
    return ("a %d×%d matrix of formulas"):format(v.rows, v.cols), ("%d×%d 的式子矩阵"):format(v.rows, v.cols)
  elseif k == "table" then return "a table", "一个表"
  elseif k == "function" then return "a function", "一个函数"
  else
    k = parcel.opaque(v) or k
    return "a value of kind " .. k, "类型为 " .. k .. " 的值"
  end
  return text, text
end

local kinds = {
  number = {"a number", "一个数"}, array = {"an array", "数组"}, formula = {"a formula", "式子"},
  matrix = {"a matrix of formulas", "式子矩阵"}, ["function"] = {"a function", "函数"}, table = {"a table", "表"},
  string = {"a text", "字符串"}, boolean = {"true or false", "true 或 false"}, dd = {"a double-double", "双双精度数"},
  complex = {"a complex number", "复数"},
}

-- false, and the texts filled: with the name of what is compared, then with the rest, {en = , zh = } where they differ.
local function no(what, en, zh, ...)
  local in_en, in_zh = {what.en}, {what.zh}
  for i = 1, select("#", ...) do
    local x = (select(i, ...))
    in_en[i + 1], in_zh[i + 1] = type(x) == "table" and x.en or x, type(x) == "table" and x.zh or x
  end
  return false, {en = en:format(table.unpack(in_en)), zh = zh:format(table.unpack(in_zh))}
end

local function pair(en, zh) return {en = en, zh = zh} end

local function another_kind(answer, official, what)
  local wanted = kinds[kind(official)] or {kind(official), kind(official)}
  return no(what, "%s is %s; wanted %s.", "%s 是 %s；这里要的是%s。", pair(M.say(answer)), pair(table.unpack(wanted)))
end

local function tolerance(official, options) return options.tol or 1e-9 * math.max(1, math.abs(official)) end

local function near(x, y, tol) return x == y or tol < math.huge and lab.abs(x - y) <= tol end

-- The slips that people make, each as what it turns the right number into.
local slips = {
  {function(y) return -y end, "it is the right value with the wrong sign", "正负号反了，数值是对的"},
  {function(y) return 2 * y end, "it is twice the right value", "恰好是正确值的两倍"},
  {function(y) return y / 2 end, "it is half the right value", "恰好是正确值的一半"},
  {function(y) return y + 1 end, "it is one too many", "恰好多了 1"},
  {function(y) return y - 1 end, "it is one too few", "恰好少了 1"},
  {function(y) return y ~= 0 and 1 / y end, "it is the reciprocal of the right value", "恰好是正确值的倒数"},
  {function(y) return y * 180 / math.pi end, "it is in degrees; wanted radians", "用了角度制，这里要的是弧度"},
  {function(y) return y * math.pi / 180 end, "a radian was taken for a degree", "把弧度当成了度"},
  {function(y) return y >= 0 and math.sqrt(y) end, "it is the square root of the right value", "恰好是正确值的平方根"},
  {function(y) return y * y end, "it is the square of the right value", "恰好是正确值的平方"},
}

local function slip(x, y)
  for _, s in ipairs(slips) do
    local z = s[1](y)
    if z and z == z and near(x, z, 1e-9 * math.max(1, math.abs(z))) then return s[2], s[3] end
  end
  if x > y then return "it is too large", "偏大" end
  return "it is too small", "偏小"
end

local function numbers(x, y, what, options)
  if x ~= x then return no(what, "%s is nan, not a number; was 0 divided by 0?", "%s 是 nan（不是数）；是不是出现了 0/0？") end
  if near(x, y, tolerance(y, options)) then return true end
  return no(what, "%s is %s: %s.", "%s 是 %s：%s。", (M.say(x)), pair(slip(x, y)))
end

-- ---- arrays ---------------------------------------------------------------------------------------------------------

local function close_arrays(x, y, tol)
  return lab.sum(lab.logical_or(lab.eq(x, y), lab.le(lab.abs(x - y), tol))) == y.size
end

-- An entry's is of its own size: beside a -1e9, as in a mask, the others are no looser. But what is left of a sum of large ones has
-- their roundings: 1e-13 of the largest is some 10^3 of f64, 1e-6 some 16 of f32.
local function tolerances(y, options, loose)
  if options.tol or y.dtype == "bool" then return options.tol or 0 end
  local size = lab.where(lab.isfinite(y), lab.abs(y), 0)
  return lab.maximum((loose and 1e-5 or 1e-9) * lab.maximum(1, size), (loose and 1e-6 or 1e-13) * lab.max(size))
end

local function same_shape(x, y)
  if #x.shape ~= #y.shape then return false end
  for i, n in ipairs(y.shape) do if x.shape[i] ~= n then return false end end
  return true
end

-- "(2, 3)": the place of the k-th entry, row by row.
local function place(k, sizes)
  local out = {}
  for i = #sizes, 1, -1 do
    out[i] = (k - 1) % sizes[i] + 1
    k = (k - 1) // sizes[i] + 1
  end
  return "(" .. table.concat(out, ", ") .. ")"
end

local function entry_text(v) return type(v) == "number" and (M.say(v)) or tostring(v) end

-- Which entries differ, and what the whole looks like otherwise.
local function array_difference(x, y, tol, what)
  local flat, right = x:reshape(x.size), y:reshape(y.size)
  local first, wrong = nil, 0
  local own = type(tol) ~= "number" and tol:reshape(y.size)
  for k = 1, y.size do
    local a, b = flat(k), right(k)
    local ok
    if type(b) == "boolean" then ok = a == b else ok = near(a, b, own and own(k) or tol) end
    if not ok then first, wrong = first or k, wrong + 1 end
  end
  local en, zh = ("%d of %d entries differ"):format(wrong, y.size), ("%d 项中有 %d 项不对"):format(y.size, wrong)
  if y.dtype ~= "bool" and x.dtype ~= "bool" then
    if close_arrays(-x, y, tol) then en, zh = "it is the right one with the wrong sign", "正负号反了，数值都对"
    elseif #y.shape == 2 and x.shape[1] == x.shape[2] and close_arrays(x.T, y, tol) then
      en, zh = "it is the transpose of the right one", "恰好是正确结果的转置"
    elseif close_arrays(x / 2, y, tol) then en, zh = "it is twice the right one", "恰好是正确结果的两倍"
    elseif close_arrays(2 * x, y, tol) then en, zh = "it is half the right one", "恰好是正确结果的一半" end
  end
  local at, seen = place(first, y.shape), entry_text(flat(first))
  return no(what, "%s: %s; the first difference is at %s, where it is %s.", "%s：%s；第一处不同在 %s，那里是 %s。", pair(en, zh), at, seen)
end

local function arrays(x, y, what, options)
  if not same_shape(x, y) then
    return no(what, "%s has shape %s; wanted %s.", "%s 的形状是 %s，应为 %s。", shape(x), shape(y))
  end
  if y.size == 0 then return true end
  if (x.dtype == "bool") ~= (y.dtype == "bool") then
    return no(what, "%s has entries of kind %s; wanted %s.", "%s 的各项是 %s 类型，应为 %s。", x.dtype, y.dtype)
  end
  local loose = x.dtype == "f32" or y.dtype == "f32"
  local tol = tolerances(y, options, loose)
  local right = y.dtype == "bool" and lab.sum(lab.ne(x, y)) == 0 or y.dtype ~= "bool" and close_arrays(x, y, tol)
  if right then return true end
  return array_difference(x, y, tol, what)
end

-- ---- formulas -------------------------------------------------------------------------------------------------------

local function formulas(x, y, what)
  local ok, v = pcall(lab.prove, x, y)
  if not ok then
    return no(what, "%s cannot be compared: %s.", "%s 无法比较：%s。", tostring(v))
  end
  if v.strength == "proved" then return true end
  if v.strength == "refuted" then
    return no(what, "%s is another formula: %s (left yours, right the one wanted).", "%s 与要求的式子不等：%s（左边是你的，右边是要求的）。",
              pair((v:text("en"):gsub("^refuted: ", "")), v:text("zh")))
  end
  return no(what, "%s: this could not be decided (%s); write it more simply.", "%s：判断不了（%s），请换一种更简单的写法。",
            pair(v:text("en"), v:text("zh")))
end

local function matrices(x, y, what)
  if x.rows ~= y.rows or x.cols ~= y.cols then
    return no(what, "%s has shape %s; wanted %s.", "%s 的形状是 %s，应为 %s。", x.rows .. "×" .. x.cols, y.rows .. "×" .. y.cols)
  end
  for r = 1, y.rows do
    for c = 1, y.cols do
      local name = ("(%d, %d)"):format(r, c)
      local right, why = formulas(x(r, c), y(r, c), M.what {en = what.en .. ", entry " .. name, zh = what.zh .. " 的第 " .. name .. " 项"})
      if not right then return false, why end
    end
  end
  return true
end

-- ---- tables and functions -------------------------------------------------------------------------------------------

local function tables(x, y, what, options)
  if #x ~= #y then return no(what, "%s has %s entries; wanted %s.", "%s 有 %s 项，应有 %s 项。", #x, #y) end
  local keys = {}
  for key in pairs(y) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    local name = type(key) == "number" and ("[%d]"):format(key) or "." .. tostring(key)
    local right, why = M.same(x[key], y[key], {tol = options.tol, at = options.at,
                                               what = {en = what.en .. name, zh = what.zh .. name}})
    if not right then return false, why end
  end
  return true
end

local function call_text(name, arguments, lang)
  local out = {}
  for i = 1, arguments.n or #arguments do out[i] = select(lang == "zh" and 2 or 1, M.say(arguments[i])) end
  return ("%s(%s)"):format(name, table.concat(out, ", "))
end

local function functions(f, g, what, options)
  if not options.at then error("same: two functions need {at = {{…}, …}}: lists of arguments to call them with", 3) end
  for _, arguments in ipairs(options.at) do
    local n = arguments.n or #arguments
    local wanted = table.pack(g(table.unpack(arguments, 1, n)))
    local got = table.pack(pcall(f, table.unpack(arguments, 1, n)))
    local en, zh = call_text(what.en, arguments), call_text(what.zh, arguments, "zh")
    if not got[1] then
      return no(pair(en, zh), "%s stops with an error: %s", "%s 运行出错：%s", tostring(got[2]))
    end
    for i = 1, wanted.n do
      local which = wanted.n == 1 and {en = en, zh = zh} or {en = ("result %d of %s"):format(i, en), zh = ("%s 的第 %d 个结果"):format(zh, i)}
      local right, why = M.same(got[i + 1], wanted[i], {tol = options.tol, what = which})
      if not right then return false, why end
    end
  end
  return true
end

-- ---- all ------------------------------------------------------------------------------------------------------------

-- How the thing compared is called.
M.call = call_text

-- The words for what a value is, without the value.
function M.kind_words(v)
  local words = kinds[kind(v)] or {M.say(v)}
  return words[1], words[2]
end

function M.what(what)
  if type(what) == "string" then what = {en = what, zh = what} end
  if what == nil then what = {en = "The answer", zh = "答案"} end
  if type(what) ~= "table" or type(what.en) ~= "string" or type(what.zh) ~= "string" then
    error("same: what is a name, or {en = …, zh = …}", 3)
  end
  return {en = what.en, zh = what.zh}
end

local function converted(x, y)
  local a, b = kind(x), kind(y)
  if a == "dd" then x = x.hi end
  if b == "dd" then y = y.hi end
  if kind(y) == "array" and a == "table" then
    local ok, made = pcall(lab.array, x)
    if ok then x = made end
  end
  return x, y
end

local compare = {number = numbers, array = arrays, formula = formulas, matrix = matrices, table = tables, ["function"] = functions}

-- same(answer, official [, {tol = , what = , at = }]): true; or false and {en = , zh = }, what is wrong with it.
function M.same(answer, official, options)
  options = options or {}
  local what = M.what(options.what)
  local x, y = converted(answer, official)
  local a, b = kind(x), kind(y)
  if x == nil and y ~= nil then
    return no(what, "%s is missing.", "%s 还没有值。")
  end
  if (a == "formula" and b == "number") or (a == "number" and b == "formula") then return formulas(x, y, what) end
  if a == "complex" and b == "number" or a == "number" and b == "complex" or (a == "complex" and b == "complex") then
    if near(x, y, tolerance(lab.abs(y), options)) then return true end
    return no(what, "%s is %s, which is not right.", "%s 是 %s，不对。", tostring(x))
  end
  if a ~= b then return another_kind(x, y, what) end
  if compare[b] then return compare[b](x, y, what, options) end
  if b == "string" then
    local function plain(s) return trim.both(s):lower() end
    if plain(x) == plain(y) then return true end
  elseif x == y then return true end
  return no(what, "%s is %s, which is not right.", "%s 是 %s，不对。", (M.say(x)))
end

return M
