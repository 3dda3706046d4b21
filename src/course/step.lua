-- step.lua: a lesson as steps, and a step in the terminal: prose, then its code, then what the code shows.

local exercise = require "phasor.course.exercise"
local judge = require "phasor.course.judge"
local prose = require "phasor.document.prose"
local run = require "phasor.course.run"

local M = {}

local WIDEST = 96 -- columns of prose; longer lines are hard to read

-- A step is the prose (in one language) up to and including one cell of code or one exercise; the last may have none:
-- {prose = {…}, code = cell or nil, exercise = e or nil, key = (its ref, numbered from the second on; for progress)}.
function M.steps(lesson, lang)
  local out, open = {}, nil
  local exercises = exercise.of(lesson)
  local function close(cell)
    local step = open or {prose = {}}
    if not open then out[#out + 1] = step end
    if cell.kind == "code" then step.code = cell else step.exercise = exercises[cell.ref] end
    step.key = step.key or cell.ref or cell.claim or ""
    open = nil
  end
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "markdown" and cell.lang == lang then
      if not open then
        open = {prose = {}, key = cell.ref}
        out[#out + 1] = open
      end
      open.prose[#open.prose + 1] = cell.text
    elseif cell.kind == "code" or cell.kind == "exercise" then
      close(cell)
    end
  end
  local times = {}
  for _, step in ipairs(out) do -- several steps may stand under one ref
    times[step.key] = (times[step.key] or 0) + 1
    if times[step.key] > 1 then step.key = ("%s %d"):format(step.key, times[step.key]) end
  end
  return out
end

function M.columns(host) return math.min(host.columns(), WIDEST) end

function M.say(host, text) host.write(prose.render(text, M.columns(host)) .. "\n") end

-- Code behind a bar; lines beyond the terminal's width break there, and are continued behind the bar.
function M.show_code(host, code)
  local room = math.max(20, host.columns() - 4)
  local out = {}
  for line in (code:gsub("%s+$", "") .. "\n"):gmatch("(.-)\n") do
    for i, part in ipairs(prose.pieces(line, room)) do out[#out + 1] = (i == 1 and "  │ " or "  ┆ ") .. part end
  end
  host.write(table.concat(out, "\n") .. "\n")
end

-- The lines of an exercise with its solution, or without (stub): then a comment stands in its place.
function M.exercise_code(e, stub)
  local out, inside = {}, false
  for line in (e.cell.code .. "\n"):gmatch("(.-)\n") do
    local indent, edge = line:match("^(%s*)%-%-%- (%u+) SOLUTION")
    if edge then
      inside = edge == "BEGIN"
      if stub and inside then out[#out + 1] = indent .. "-- …" end
    elseif not (stub and inside) then
      out[#out + 1] = line
    end
  end
  return table.concat(out, "\n")
end

function M.show(host, step, at, total, words)
  host.write(("\n── %s %s\n\n"):format(words.step:format(at, total), ("─"):rep(8)))
  for _, text in ipairs(step.prose) do host.write(prose.render(text, M.columns(host)) .. "\n\n") end
  if step.code then
    M.show_code(host, step.code.code)
    host.write("\n")
  end
end

-- Each verdict on a line of its own, after what it says; equal ones in a row once, with their number.
local function show_result(host, result, words)
  local function line(text) host.write(prose.fill(text, host.columns(), "  ", "      ") .. "\n") end
  if result.claim then host.write(result.claim.id .. words.colon .. words.outcomes[result.outcome] .. "\n") end
  local texts = {}
  for i, e in ipairs(result.verdicts) do texts[i] = e:line(words.lang) end
  local i = 1
  while texts[i] do
    local n = 1
    while texts[i + n] == texts[i] do n = n + 1 end
    line(texts[i] .. (n > 1 and " (×" .. n .. ")" or ""))
    i = i + n
  end
  if result.mutants then line(judge.mutants_text(result.mutants, words.lang)) end
  if #result.verdicts == 0 then line(result.lines[words.lang]) end
end

-- Runs a step's code and shows what it gives. Did it go well?
function M.run(lesson, step, ledger, host, env, words)
  local done = run.cell(lesson, step.code, ledger, host.eval, env, true)
  if not done.ok then host.write(words.failed .. " " .. done.message .. "\n")
  elseif done.result then show_result(host, done.result, words)
  elseif done.value ~= nil then host.show(done.value) end
  return done.ok and not (done.result and done.result.outcome == "failed")
end

-- Walks through the whole lesson with no one to answer: exercises are shown with their solution. Returns the number of steps
-- whose code failed.
function M.walk(lesson, ledger, host, lang, words)
  host.speak(lang)
  local steps, failed = M.steps(lesson, lang), 0
  for at, step in ipairs(steps) do
    M.show(host, step, at, #steps, words)
    if step.code and not M.run(lesson, step, ledger, host, nil, words) then failed = failed + 1 end
    if step.exercise then
      host.write(words.solution .. "\n\n")
      M.show_code(host, M.exercise_code(step.exercise))
      local ok, message = exercise.solve(step.exercise, host, host.globals(), 1)
      if not ok then
        host.write(words.failed .. " " .. message .. "\n")
        failed = failed + 1
      end
    end
  end
  host.write("\n" .. words.finished .. "\n")
  host.speak()
  return failed
end

return M
