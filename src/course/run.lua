-- run.lua: runs a lesson cell by cell in one environment, and judges what its cells return.
--
-- A verdict that a cell returns must hold, whether the cell has a claim or not; one that is meant to fail is printed.
-- An exercise is tested where it stands, with the variables that the cells before it left; then its solution runs.

local exercise = require "phasor.course.exercise"
local judge = require "phasor.course.judge"
local parse = require "phasor.course.parse"
local stated = require "phasor.course.stated"

local M = {}

-- What runs by itself; a check or a wrong answer runs with its exercise.
function M.runs(cell) return cell.kind == "code" or cell.kind == "exercise" end

-- What is wrong with a picture to move: a state in which its function raises an error; nil: nothing.
local function fault_of_states(value)
  local meta = type(value) == "table" and getmetatable(value)
  if type(meta) ~= "table" or rawget(meta, "__name") ~= "Vary" then return nil end
  for _, frame in ipairs(value:frames()) do
    if frame.failed then return frame.label .. ": " .. frame.text end
  end
end

-- Runs one cell: {cell, ok, value | message, time (seconds), result (of a claim, or of verdicts without one)}.
-- quick: its proofs are not put to their mutants.
function M.cell(lesson, cell, ledger, eval, env, quick)
  local began = os.clock()
  if cell.variants and env then rawset(env, "variant", 1) end
  local ok, value = eval(parse.code(cell), lesson.file, env)
  local out = {cell = cell, ok = ok, time = os.clock() - began}
  if not ok then
    out.message = tostring(value)
    return out
  end
  out.value = value
  local claim = cell.claim and ledger.by_id[cell.claim]
  out.result = claim and judge.judge(claim, value, quick) or not claim and judge.value(value) or nil
  if out.result then
    out.result.claim, out.result.lesson, out.result.cell, out.result.time = claim, lesson, cell, out.time
  end
  if claim then
    out.result.stated = stated.lines(claim.id, out.result)
    out.result.astray = stated.astray(lesson, out.result)
  end
  return out
end

-- Runs the cells in order until one cannot run or all of `wanted` (a set of claim ids; nil: everything) have been checked.
-- Returns the results of claims in order; messages: the error that ended it, and verdicts without a claim that do not hold;
-- how many verdicts without a claim do hold;
-- and the number of exercises tested. `host`, when given, tests the exercises. `watch`, when given, is told of each cell: before(cell),
-- and after(cell, value, result), or failed(cell, message).
function M.lesson(lesson, ledger, eval, env, wanted, host, watch)
  local results, messages, others, left, tested = {}, {}, 0, 0, 0
  local exercises = exercise.of(lesson)
  for _ in pairs(wanted or {}) do left = left + 1 end
  for _, cell in ipairs(lesson.cells) do
    if wanted and left == 0 then break end
    if M.runs(cell) then
      if cell.kind == "exercise" and host and not wanted and not exercises[cell.ref].open then
        tested = tested + 1
        exercise.test(exercises[cell.ref], host, env, function(line, text)
          messages[#messages + 1] = ("%s:%d: exercise \"%s\": %s"):format(lesson.file, line, cell.ref, text)
        end)
      end
      if watch then watch.before(cell) end
      local done = M.cell(lesson, cell, ledger, eval, env)
      if watch and done.ok then watch.after(cell, done.value, done.result) end
      if watch and watch.failed and not done.ok then watch.failed(cell, done.message) end
      local r, unmoved = done.result, done.ok and fault_of_states(done.value)
      if not done.ok then
        messages[#messages + 1] = done.message
        break
      elseif unmoved then
        messages[#messages + 1] = ("%s:%d: %s"):format(lesson.file, cell.line, unmoved)
      elseif r and r.claim then
        if not wanted or wanted[cell.claim] then
          results[#results + 1] = r
          left = left - 1
        end
      elseif r and r.outcome ~= "holds" then
        messages[#messages + 1] = ("%s:%d: %s"):format(lesson.file, cell.line, r.line)
      elseif r then
        others = others + #r.verdicts
      end
    end
  end
  return results, messages, others, tested
end

return M
