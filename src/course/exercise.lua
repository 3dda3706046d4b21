-- exercise.lua: an exercise of a lesson, and the trial of an answer to it.
--
-- An exercise is a cell with role="exercise" and the cells that name its ref: hints, checks, wrong answers. The cell without
-- its solution is the stub: what the student begins with. What the solution assigns and the stub does not (or otherwise) are
-- the names *asked for*; a check sees those from the answer, and all else as the lesson has it: an answer that
-- redefines the laboratory, or a variable of the lesson, misleads only itself.
--
-- A check says what is wrong by feedback(), in both languages; an answer is right when no check has anything to say.
--
-- A student's copy of a lesson (pack.lua) has no solution, and checks only where they give none away: its marker names what is asked for.
-- There an answer that nothing is said against is *open*: judged where it is graded.

local blame = require "phasor.course.blame"
local harmless = require "phasor.course.harmless"
local judge = require "phasor.course.judge"
local parse = require "phasor.course.parse"
local room = require "phasor.course.room"
local equivalent = require "phasor.course.equivalent"
local talk = require "phasor.course.talk"
local messages = require "phasor.course.messages"

local M = {}

-- The exercises of a lesson in order: {cell, ref, points, variants, hints = {en = {…}, zh = {…}}, checks, wrongs, open (a student's copy?)};
-- also by ref.
function M.of(lesson)
  local out = {}
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "exercise" then
      local e = {cell = cell, ref = cell.ref, points = cell.points, variants = cell.variants, lesson = lesson, open = cell.asks ~= nil,
                 hints = {en = {}, zh = {}}, checks = {}, wrongs = {}}
      out[#out + 1] = e
      out[cell.ref] = e
    elseif cell.role then
      local e = out[cell.ref]
      if not e then -- the lint says so
      elseif cell.kind == "hint" then table.insert(e.hints[cell.lang], cell.text)
      elseif cell.kind == "check" then table.insert(e.checks, cell)
      else table.insert(e.wrongs, cell) end
    end
  end
  return out
end

-- Names and values that `env` has and `before` has not, or otherwise.
local function assigned(env, before)
  local out = {}
  for name, value in next, env do
    if name ~= "_G" and not rawequal(rawget(before, name), value) then out[name] = value end
  end
  return out
end

local function sorted(names)
  local out = {}
  for name in pairs(names) do out[#out + 1] = name end
  table.sort(out)
  return out
end

-- ---- feedback -------------------------------------------------------------------------------------------------------

local function both(text) return type(text) == "table" and type(text.en) == "string" and type(text.zh) == "string" end

-- The value of a condition: a verdict counts as true when it holds.
local function holds(condition)
  local r = type(condition) == "userdata" and judge.value(condition)
  if r then return r.outcome == "holds" end
  return condition and true or false
end

-- The functions that a check has beside the laboratory's; what is said goes to say(text).
local function helpers(say)
  local function feedback(condition, text)
    if not both(text) and not (condition == true and text == nil) then
      error("feedback: wanted a condition and {en = \"…\", zh = \"…\"}", 2)
    end
    if not holds(condition) then
      say(text)
      error("feedback", 0)
    end
  end
  return {
    feedback = feedback,
    same = equivalent.same,
    wrong = function(text) feedback(false, text) end,
  }
end

local function told(en, zh, ...) return {en = en:format(...), zh = zh:format(...)} end

-- ---- the trial ------------------------------------------------------------------------------------------------------

local LONGEST = 1000 -- bytes of what an answer says that are shown

local function plain(message)
  local text = harmless((tostring(message):gsub("^phasor:[%w.]+:%d+: ", "")):sub(1, LONGEST + 4))
  return #text > LONGEST and text:sub(1, utf8.offset(text, 0, LONGEST) - 1) .. "…" or text
end

local function out_of_memory(message) return message:find("not enough memory", 1, true) or message:find("out of memory", 1, true) end

-- Feedback for an error of the answer's own, which came at once or `later`, when it was used.
local function failed(message, later)
  message = plain(message)
  if out_of_memory(message) then
    local text = told("Your answer wants more memory than it may have. Does something grow without end?",
                      "你的答案所要的内存超出了限额。是不是有什么东西在无止境地变大？")
    text.memory = true
    return text
  elseif later then
    return told("Your answer stops with an error when it is used: %s", "你的答案在使用时出错：%s", message)
  end
  return told("Your answer stops with an error: %s", "你的答案运行出错：%s", message)
end

-- The names that a student's copy asks for: a function for each function, else a value of no kind.
local function asked_by_name(exercise, host)
  local out = {}
  for name, brackets in exercise.cell.asks:gmatch "([^%s()]+)(%(?%)?)" do
    local env = host.env()
    host.eval(name .. " = true", exercise.lesson.file, env) -- as the session keeps a name beyond ASCII
    for key in next, env do if key ~= "_G" then out[key] = brackets == "()" and function() end or blame.UNKNOWN end end
  end
  return out
end

-- What the solution of an exercise assigns beyond its stub: names -> values; and all it assigns.
function M.asked(exercise, host, official, variant)
  if exercise.open then return asked_by_name(exercise, host) end
  local stub, solved = room.room(host, official, variant), room.room(host, official, variant)
  local before = room.snapshot(stub)
  local file = exercise.lesson.file
  local ok, message = host.eval(parse.code(exercise.cell, true), file, stub)
  if not ok then error("the stub must run as it stands: " .. tostring(message), 0) end
  local same_start = room.snapshot(solved)
  ok, message = host.eval(parse.code(exercise.cell), file, solved)
  if not ok then error("the solution: " .. tostring(message), 0) end
  local given, out = assigned(stub, before), {}
  for name, value in pairs(assigned(solved, same_start)) do
    local before = given[name]
    local alike = rawequal(before, value) or type(value) == "table" and type(before) == "table" and equivalent.same(before, value) == true
    if not alike then out[name] = value end
  end
  if not next(out) then error("the solution assigns nothing that the stub does not; an answer is a variable or a function", 0) end
  return out, solved
end

-- The names that an answer says it defines, without those that are asked for; they come from the answer's process.
local function defined_by(answer, asked)
  local out = {}
  for _, name in ipairs(answer.defined or {}) do
    if type(name) == "string" and #name <= 60 and not asked[name] then out[#out + 1] = plain(name) end
  end
  return out
end

-- Is something asked for not there, or as it was given, or no function where one is wanted?
local function missing(host, names, answer, official_values, is_stub)
  if is_stub and names[1] then return blame.unchanged(room.written(host, names[1])) end
  local asked = {}
  for _, key in ipairs(names) do asked[room.written(host, key)] = true end
  local others = defined_by(answer, asked)
  for _, key in ipairs(#names > 1 and names or {}) do -- of several the one that is misspelt, before one that is still to come
    local name = room.written(host, key)
    if answer.values[key] == nil and blame.misspelt(name, others) then return blame.missing(name, others) end
  end
  for _, key in ipairs(names) do
    local seen, wanted, name = answer.values[key], official_values[key], room.written(host, key)
    if seen == nil or (type(wanted) ~= "function" and answer.untouched[key]) then
      return seen == nil and blame.missing(name, others) or blame.unchanged(name)
    end
    if answer.given and answer.given[key] then
      return #others > 0 and blame.missing(name, others) or blame.unchanged(name)
    end
    if type(wanted) == "function" and type(seen) ~= "function" then
      local en, zh = equivalent.say(seen)
      return {en = ("`%s` must be a function; it is %s."):format(name, en), zh = ("`%s` 应该是函数，现在是 %s。"):format(name, zh)}
    end
  end
end

-- Runs one check cell on the answer's values. nil when it has nothing to say; else feedback.
local function run_check(exercise, cell, host, official, names, asked, answer, side, variant)
  local env, said, log = room.copy(host, official), nil, {}
  rawset(env, "variant", variant)
  for name, f in pairs(helpers(function(text) said = said or text end)) do rawset(env, name, f) end
  for _, name in ipairs {"print", "display", "progress"} do rawset(env, name, function() end) end
  local written = {}
  for i, name in ipairs(names) do
    local value = answer.values[name]
    written[i] = {name = name, text = room.written(host, name)}
    rawset(env, name, type(value) == "function" and blame.watch(log, written[i], value) or value)
  end
  local ok, value, fault = host.eval(parse.code(cell), exercise.lesson.file, env)
  if said then return blame.with(blame.nothing(log, asked), said) end
  if not ok then
    if side.raised and fault and fault.message:find(side.raised, 1, true) then return failed(side.raised, true) end
    if fault and fault.name == exercise.lesson.file and not out_of_memory(fault.message) then
      return blame.explain(log, written, asked, answer.values, plain(fault.message)), "unforeseen"
    end
    return failed(value, true)
  end
  local r = judge.value(value)
  if r and r.outcome ~= "holds" then
    return {en = "This does not hold: " .. r.lines.en, zh = "这一条不成立：" .. r.lines.zh}
  end
  if value == false then return blame.explain(log, written, asked, answer.values), "unforeseen" end
end

-- Adds to the feedback which name of the laboratory the answer hides.
local function warn_of_hidden(name, feedback)
  if type(name) ~= "string" then return end
  for lang, text in pairs {en = feedback.en, zh = feedback.zh} do
    feedback[lang] = text .. (lang == "zh" and "" or " ") .. messages.of(lang).hides:format(plain(name))
  end
end

-- Wherever the memory ran out (a comparison may have caught it), that is what is said.
local function note_memory(result)
  if result.feedback and (out_of_memory(result.feedback.en) or result.feedback.memory) then
    result.ended, result.feedback = "memory", failed "not enough memory"
  end
  return result
end

-- Is it a table with nothing but its own entries? What else can arrive as a table raises when it is asked.
local function is_data(v) return type(v) == "table" and getmetatable(v) == nil end

-- The answer as it was told: tables of data, whatever its process sent.
local function answer_of(told_by)
  local a = is_data(told_by) and told_by or {}
  if type(a.fault) ~= "string" and not (is_data(a.values) and is_data(a.untouched) and is_data(a.given)) then
    return {fault = "it has no values"}
  end
  a.defined = is_data(a.defined) and a.defined or nil
  return a
end

local function task_of(exercise, pieces, names, variant)
  return {stub = parse.code(exercise.cell, true), pieces = pieces, file = exercise.lesson.file, names = names, variant = variant}
end

-- All checks of an exercise on an answer, whose functions are asked over `side`. Returns {right = , feedback = {en, zh} or nil, passed = ,
-- total = (check cells), line = (of the check that complained), unforeseen = (the check did not expect such an answer), gone = (its
-- process ended meanwhile: nothing is right then)}. May raise when the exercise itself is broken.
local function judge_answer(exercise, host, official, asked, names, answer, side, variant, is_stub)
  local result = {right = false, passed = 0, total = #exercise.checks, gone = side.gone}
  result.feedback = answer.fault and failed(answer.fault) or missing(host, names, answer, asked, is_stub)
  if result.feedback then return note_memory(result) end
  for _, cell in ipairs(exercise.checks) do
    local said, unforeseen = run_check(exercise, cell, host, official, names, asked, answer, side, variant)
    if said then
      if not result.feedback then result.feedback, result.line, result.unforeseen = said, cell.line, unforeseen ~= nil end
    else
      result.passed = result.passed + 1
    end
  end
  result.gone = side.gone
  if side.gone then result.passed = 0 end
  result.right = result.passed == result.total
  if not result.right then
    result.feedback = result.feedback or told("That is not right yet.", "还不对。")
    warn_of_hidden(answer.hides, result.feedback)
  end
  return note_memory(result)
end

-- Tries an answer, here: what is trusted, an author's. The result of judge_answer. `even`: even where it is the stub. asked: what M.asked
-- gives for the variant, where that is known (to have it the stub and the solution are run).
function M.try(exercise, host, official, pieces, variant, even, asked)
  asked = asked or M.asked(exercise, host, official, variant)
  local names = sorted(asked)
  local check, other = talk.pair()
  local answer = room.run(host, official, task_of(exercise, pieces, names, variant))
  answer = check.read(other.write(answer))[1]
  return judge_answer(exercise, host, official, asked, names, answer, check, variant,
                      not even and blame.is_stub(parse.code(exercise.cell, true), pieces))
end

-- The same for the values that stand in the variables `env`: a notebook's, which nobody grades.
function M.try_values(exercise, host, official, env, variant)
  local asked = M.asked(exercise, host, official, variant)
  local names, answer = sorted(asked), {values = {}, untouched = {}}
  for _, name in ipairs(names) do
    answer.values[name] = rawget(env, name)
    answer.untouched[name] = rawequal(answer.values[name], rawget(official, name))
  end
  return judge_answer(exercise, host, official, asked, names, answer, {}, variant)
end

-- ---- in processes of their own --------------------------------------------------------------------------------------

local FORM = ">Bi4i4i4BBBs4s4"

local function packed(r)
  local f = r.feedback or {en = "", zh = ""}
  return FORM:pack(r.right and 1 or 0, r.passed, r.total, r.line or 0, r.unforeseen and 1 or 0,
                   r.ended and 1 or 0, r.gone and 1 or 0, f.en, f.zh)
end

local function unpacked(text)
  local right, passed, total, line, unforeseen, memory, gone, en, zh = FORM:unpack(text)
  return {right = right == 1, passed = passed, total = total, line = line > 0 and line or nil, unforeseen = unforeseen == 1,
          ended = memory == 1 and "memory" or nil, gone = gone == 1, feedback = right == 0 and {en = en, zh = zh} or nil}
end

local function feedback_of(how, limits)
  if how == "time" then
    return {en = messages.counted("Your answer did not come to an end within %g second(s). Does a loop ever stop?", limits.seconds),
            zh = ("你的答案在 %g 秒内没有算完。是不是有个循环停不下来？"):format(limits.seconds)}
  end
  return told("Your answer brought down the process it ran in; it probably wanted too much memory, or recursed too deeply.",
              "你的答案弄垮了运行它的进程：多半是要的内存太多，或者递归太深。")
end

-- What became of a trial, from how the process of the check ended, its text, and how that of the answer did.
local function outcome(exercise, how, text, answers_end, limits)
  local out = {right = false, passed = 0, total = #exercise.checks}
  if how == "stopped" then error("interrupted", 0) end
  if how == "error" and not out_of_memory(text) then error(text, 0) end
  local result = how == "ok" and unpacked(text)
  if result and not result.gone then return result end
  if how == "error" or how == "memory" or how == "ok" and answers_end == "memory" then -- the last: it had not enough left to say so
    out.ended, out.feedback = "memory", failed "not enough memory"
    return out
  end
  out.ended = (how == "time" or answers_end == "time") and "time" or "died"
  out.feedback = feedback_of(out.ended, limits)
  return out
end

-- Tries an answer: it runs in one process, contained, and the check in another, which asks it. An answer may loop, eat memory, crash or
-- wreck what it can reach; it cannot reach the check. `desk` (desk.lua) makes the answer's process, which has seen no check and no
-- solution; without it that is a copy of this one. limits: {seconds = , megabytes = } for both together. The result as above; with
-- .ended = "time", "memory" or "died" when it had to be ended.
function M.try_apart(exercise, host, official, pieces, variant, limits, desk)
  if not host.beside then return M.try(exercise, host, official, pieces, variant) end
  local asked = M.asked(exercise, host, official, variant)
  local names = sorted(asked)
  local task = task_of(exercise, pieces, names, variant)
  local channel <close> = desk and desk.open(task, limits)
    or host.beside(function(c) room.serve(c, host, official, task) end, limits.seconds, limits.megabytes)
  local how, text = host.apart(function()
    local side = talk.over(channel, true)
    local ok, got = pcall(side.read, channel:receive() or "")
    side.gone = not ok
    local judged, r = pcall(judge_answer, exercise, host, official, asked, names, answer_of(ok and got[1]), side, variant,
                            blame.is_stub(task.stub, pieces))
    if not judged then -- costs this answer, not those beside it
      r = note_memory {right = false, passed = 0, total = #exercise.checks, gone = side.gone, feedback = failed(r, true)}
    end
    return packed(r)
  end, limits.seconds, limits.megabytes, {channel})
  local answers_end = channel:close()
  if desk then answers_end = desk.close() end
  return outcome(exercise, how, text, answers_end, limits)
end

-- ---- an exercise, tested --------------------------------------------------------------------------------------------

local function cell_piece(exercise, cell, strip)
  return {code = parse.code(cell, strip), name = exercise.lesson.file}
end

-- Answers that no one should get through with, whatever is asked: for every name asked for, values of every kind.
local function blunders(exercise, asked)
  local out = {}
  for name, value in pairs(asked) do
    local list = type(value) == "function"
      and {"function() end", "function() return 'text' end", "function() return {} end", "function() return 0/0 end",
           "function() error('oh') end", "function() return function() end end", "function() return zeros(3, 5, 2) end"}
      or {"'text'", "{}", "0/0", "function() end", "zeros(3, 5, 2)", "true", "sym 'oh'"}
    for _, code in ipairs(list) do
      if not (type(value) == "boolean" and code == "true") then
        out[#out + 1] = {name = name, code = code}
      end
    end
  end
  table.sort(out, function(a, b) return a.name .. a.code < b.name .. b.code end)
  return out
end

local function trial_of_blunders(exercise, asked, try, say)
  for _, b in ipairs(blunders(exercise, asked)) do
    local code = ("%s = %s"):format(b.name, b.code)
    local r = try {cell_piece(exercise, exercise.cell), {code = code, name = "answer"}}
    if r.right then say(exercise.cell, "the answer `%s` passes the checks", code) end
    local own = r.feedback and r.feedback.en:find("^Your answer stops")
    if r.feedback and not own and blame.of_variables(r.feedback.en) then
      say(exercise.cell, "the answer `%s` is told of the check's own names: %s", code, r.feedback.en)
    end
  end
end

-- An answer that is not there: the stub alone, nothing at all, and the first thing asked for under a name with a letter too many.
local function trial_of_absence(exercise, host, asked, try, say)
  local key = sorted(asked)[1]
  local name = room.written(host, key)
  local stub = parse.code(exercise.cell, true)
  for _, a in ipairs {{code = stub, says = "given"}, {code = "", says = "given"}, {code = key .. " = nil\n" .. key .. "q = 1", says = name .. "q"}} do
    local r = try {{code = a.code, name = "answer"}}
    local text = r.feedback and r.feedback.en or "nothing"
    if r.right or not text:find("`" .. name .. "`", 1, true) or not text:find(a.says, 1, true) then
      say(exercise.cell, "an answer without `%s` is told: %s", name, text)
    end
  end
end

local TEST_LIMITS = {seconds = 60, megabytes = 2048}

-- Tests an exercise: the solution passes, the stub fails, each wrong answer fails with the feedback it must get, and so does
-- every blunder. Here; M.test does it apart.
local function test_here(exercise, host, official, say)
  for variant = 1, exercise.variants or 1 do
    local asked = M.asked(exercise, host, official, variant) -- once: of all that the trials of a variant run, half would be this
    local function try(pieces, even) return M.try(exercise, host, official, pieces, variant, even, asked) end
    local function try_cell(cell, strip) return try({cell_piece(exercise, cell, strip)}, strip) end
    local which = exercise.variants and (" (variant %d)"):format(variant) or ""
    local r = try_cell(exercise.cell)
    if not r.right then say(exercise.cell, "the solution does not pass%s: %s", which, r.feedback.en) end
    if try_cell(exercise.cell, true).right then say(exercise.cell, "the unsolved stub passes%s", which) end
    for _, wrong in ipairs(exercise.wrongs) do
      r = try_cell(wrong)
      if r.right then say(wrong, "this wrong answer passes%s", which)
      elseif not (r.feedback.en:find(wrong.expect, 1, true) or r.feedback.zh:find(wrong.expect, 1, true)) then
        say(wrong, "expected feedback with \"%s\"%s; it was: %s", wrong.expect, which, r.feedback.en)
      end
    end
    if variant == 1 then
      trial_of_absence(exercise, host, asked, try, say)
      trial_of_blunders(exercise, asked, try, say)
    end
  end
end

-- Tests an exercise in a process of its own, so that what its wrong answers do stays there. say(line, text) takes what is not so.
function M.test(exercise, host, official, say)
  local how, text = host.apart(function()
    local out = {}
    local ok, message = pcall(test_here, exercise, host, official, function(cell, form, ...)
      out[#out + 1] = (">i4s4"):pack(cell.line, form:format(...))
    end)
    if not ok then out[#out + 1] = (">i4s4"):pack(exercise.cell.line, plain(message)) end
    return table.concat(out)
  end, TEST_LIMITS.seconds, TEST_LIMITS.megabytes)
  if how == "stopped" then error("interrupted", 0) end
  if how ~= "ok" then return say(exercise.cell.line, "its trial ended early: " .. (text or how)) end
  local at = 1
  while at <= #text do
    local line, message
    line, message, at = (">i4s4"):unpack(text, at)
    say(line, message)
  end
end

-- Which of its variants a student gets: by the fingerprint of their name, the lesson and the exercise; without a name the first.
function M.variant(exercise, host, student, lesson)
  if not exercise.variants or not student then return 1 end
  local digest = host.sha256(("%s\0%s\0%s"):format(student, lesson, exercise.ref))
  return tonumber(digest:sub(1, 12), 16) % exercise.variants + 1
end

M.code, M.copy, M.workshop, M.is_library = parse.code, room.copy, room.workshop, room.is_library

-- Does what the exercise leaves behind when it is solved officially: its solution, run in the lesson's environment.
function M.solve(exercise, host, env, variant)
  rawset(env, "variant", variant)
  local ok, message = host.eval(parse.code(exercise.cell), exercise.lesson.file, env)
  rawset(env, "variant", nil)
  return ok, message
end

-- In a student's copy the lesson goes on with the student's own answer.
function M.adopt(exercise, host, env, own)
  for key in pairs(asked_by_name(exercise, host)) do rawset(env, key, rawget(own, key)) end
end

return M
