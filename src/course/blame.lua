-- blame.lua: what is said where an answer is not there, is called otherwise, is the stub as it was given, or is of another kind than the
-- check expects. A student never reads the names that a check has for its own things.

local nearest = require "phasor.course.nearest"
local equivalent = require "phasor.course.equivalent"

local M = {}

M.UNKNOWN = {} -- stands for a right value that is not known here

local function told(en, zh, ...) return {en = en:format(...), zh = zh:format(...)} end

-- Without comments, blanks and line breaks.
local function bare(code) return (code:gsub("%-%-[^\n]*", ""):gsub("%s+", "")) end

-- Is what was handed in the stub, with nothing filled in?
function M.is_stub(stub, pieces)
  local out = {}
  for i, piece in ipairs(pieces) do out[i] = bare(piece.code) end
  local text = table.concat(out)
  return text == "" or text == bare(stub) or text == bare(stub):rep(#pieces)
end

function M.unchanged(name)
  return told("`%s` is still as it was given: nothing is filled in yet.", "`%s` 还和题目给出的一样：什么都没有填。", name)
end

-- The name among those that the answer has given values to that is a slip for this one, or nil.
function M.misspelt(name, defined) return nearest.names(name, defined, 1)[1] end

-- A name that is asked for and has no value; `defined`: the names that the answer has given values to.
function M.missing(name, defined)
  local close = M.misspelt(name, defined)
  if not close and #defined == 1 then close = defined[1] end
  if not close then
    return told("`%s` is not defined yet: that is what is asked for.", "`%s` 还没有定义：这一题要的就是它。", name)
  end
  return told("`%s` is not defined; your answer defines `%s`. Is the name right?",
              "`%s` 没有定义；你的答案定义的是 `%s`。名字写对了吗？", name, close)
end

-- ---- functions that are watched ---------------------------------------------------------------------------------------

-- A function that does what f does; `log` keeps its last call. name = {name = in tables, text = as it was written}.
function M.watch(log, name, f)
  return function(...)
    local arguments = table.pack(...)
    log.name, log.text, log.arguments, log.results = name.name, name.text, arguments, nil
    local results = table.pack(f(...))
    log.name, log.text, log.arguments, log.results = name.name, name.text, arguments, results
    return table.unpack(results, 1, results.n)
  end
end

-- What f gives for these arguments, or nil where it stops.
local function results_of(f, arguments)
  local r = table.pack(pcall(f, table.unpack(arguments, 1, arguments.n)))
  if not r[1] then return nil end
  return table.move(r, 2, r.n, 1, {n = r.n - 1})
end

local function call_of(log, lang) return equivalent.call(log.text, log.arguments, lang) end

-- A difference in kind or shape between what a function returned and what it should have.
local function other_result(log, official)
  local wanted = log.results and type(official) == "function" and results_of(official, log.arguments)
  if not wanted then return nil end
  for i = 1, wanted.n do
    local got, right = log.results[i], wanted[i]
    if equivalent.kind(got) ~= equivalent.kind(right) then
      local en, zh = equivalent.say(got)
      local wen, wzh = equivalent.kind_words(right)
      if wanted.n > 1 then
        return {en = ("Result %d of `%s` is %s; wanted %s."):format(i, call_of(log), en, wen),
                zh = ("`%s` 的第 %d 个返回值是%s，应该是%s。"):format(call_of(log, "zh"), i, zh, wzh)}, got == nil
      end
      return {en = ("`%s` returns %s; wanted %s."):format(call_of(log), en, wen),
              zh = ("`%s` 返回的是%s，应该是%s。"):format(call_of(log, "zh"), zh, wzh)}, got == nil
    end
  end
end

-- Did the last call return nothing where it should return something? Then that is what is said.
function M.nothing(log, asked)
  local said, nothing = other_result(log, asked[log.name])
  return nothing and said or nil
end

-- One text behind another; the first may be missing.
function M.with(first, text)
  return first and {en = first.en .. " " .. text.en, zh = first.zh .. text.zh} or text
end

local function other_value(written, asked, values)
  for _, key in ipairs(written) do
    local right, got = asked[key.name], values[key.name]
    if type(right) ~= "function" and right ~= M.UNKNOWN and equivalent.kind(right) ~= equivalent.kind(got) then
      local en, zh = equivalent.say(got)
      local wen, wzh = equivalent.kind_words(right)
      return {en = ("`%s` is %s; wanted %s."):format(key.text, en, wen), zh = ("`%s` 是%s，应该是%s。"):format(key.text, zh, wzh)}
    end
  end
end

-- Does a message speak of variables, which are the check's?
function M.of_variables(message)
  for _, pattern in ipairs {"%(%a+ '", "%(for %a+", "unknown name", "unknown field", "attempt to", "bad argument", "bad 'for'"} do
    if message:find(pattern) then return true end
  end
  return false
end

-- A check stopped with an error of its own, or said no more than false. names: those asked for, in order, as {name =, text =}.
function M.explain(log, names, asked, values, message)
  local said = other_result(log, asked[log.name]) or other_value(names, asked, values)
  if said then return said end
  local because = message and not M.of_variables(message) and message
  local where = log.name and log.results
  if not message then return told("That is not right yet.", "还不对。") end
  if because then return told("The check could not use your answer: %s", "检查用不了你的答案：%s", because) end
  if where then
    local en, zh = equivalent.say(log.results[1])
    return {en = ("The check could not use your answer: `%s` gives %s."):format(call_of(log), en),
            zh = ("检查用不了你的答案：`%s` 给出%s。"):format(call_of(log, "zh"), zh)}
  end
  return told("The check could not use your answer: it has another form than was asked for.",
              "检查用不了你的答案：它的形式与题目要求的不同。")
end

return M
