-- run.lua: runs a lesson cell by cell in one environment, and judges the claims its cells check.

local judge = require "phasor.course.judge"
local parse = require "phasor.course.parse"

local M = {}

-- Exercises run with their solution, checks with their hidden tests; a wrong answer is the tutor's to run.
function M.runs(cell) return not cell.prose and cell.kind ~= "wrong" end

-- Runs one cell: {cell, ok, value | message, time (seconds), result (of a claim)}.
function M.cell(lesson, cell, ledger, eval, env)
  local began = os.clock()
  local ok, value = eval(parse.code(cell), lesson.file, env)
  local out = {cell = cell, ok = ok, time = os.clock() - began}
  if not ok then
    out.message = tostring(value)
    return out
  end
  out.value = value
  if cell.claim then
    local claim = ledger.by_id[cell.claim]
    out.result = judge.judge(claim, value)
    out.result.claim, out.result.lesson, out.result.cell, out.result.time = claim, lesson, cell, out.time
  end
  return out
end

-- Runs the cells in order until one fails or all of `wanted` (a set of claim ids; nil: everything) have been checked.
-- Returns the results of claims in order, and the failure {cell, message} or nil.
function M.lesson(lesson, ledger, eval, env, wanted)
  local results, left = {}, 0
  for _ in pairs(wanted or {}) do left = left + 1 end
  for _, cell in ipairs(lesson.cells) do
    if wanted and left == 0 then break end
    if M.runs(cell) then
      local done = M.cell(lesson, cell, ledger, eval, env)
      if not done.ok then return results, done end
      if done.result and (not wanted or wanted[cell.claim]) then
        results[#results + 1] = done.result
        left = left - 1
      end
    end
  end
  return results, nil
end

return M
