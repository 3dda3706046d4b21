-- step.lua: a lesson as steps, and a step in the terminal: prose, then its code, then what the code shows.

local exercise = require "phasor.course.exercise"
local faults = require "phasor.lib.faults"
local fold = require "phasor.course.fold"
local paint = require "phasor.course.paint"
local prose = require "phasor.document.prose"
local results = require "phasor.course.results"
local run = require "phasor.course.run"
local spoken = require "phasor.course.spoken"
local trim = require "phasor.document.trim"

local M = {}

local WIDEST = 96 -- columns of prose; longer lines are hard to read
M.CODE = 15 -- lines of code that a step shows at most; the rest is folded

-- For a room that reads from a projector: shorter lines, less code at a time, the title on a bar.
local PROJECTED = {columns = 64, code = 10, strong = "\27[1;7m"}
local mode = {columns = WIDEST, code = M.CODE, strong = "\27[1m"}
function M.project(on) mode = on and PROJECTED or {columns = WIDEST, code = M.CODE, strong = "\27[1m"} end

-- Gives each step its title, the last heading so far, which is not shown again in its prose; .goes_on where the heading was an earlier step's.
local function give_titles(steps)
  local title
  for _, step in ipairs(steps) do
    local own, rest
    if step.prose[1] then own, rest = prose.heading(step.prose[1]) end
    if own then title, step.prose[1] = own, rest end
    step.title, step.goes_on = title or "", not own
  end
end

-- Numbers the steps of the lesson proper and those of its appendix, each from 1: .number, .of.
local function give_numbers(steps)
  local counts = {[true] = 0, [false] = 0}
  for _, s in ipairs(steps) do
    counts[s.appendix] = counts[s.appendix] + 1
    s.number = counts[s.appendix]
  end
  for _, s in ipairs(steps) do s.of = counts[s.appendix] end
end

-- Which step it is, in words: "step 2 of 16", "appendix 1 of 3"; short: "2/16", "appendix 1/3".
function M.place(s, words, short)
  local form = s.appendix and (short and words.appendix_short or words.appendix_step) or short and "%d/%d" or words.step
  return form:format(s.number, s.of)
end

-- How many steps the lesson proper has.
function M.main(steps) return steps[1] and steps[1].of or 0 end

-- The refs of a lesson's prose that stand in a language, and how many refs there are.
function M.translated(lesson, lang)
  local seen, own, all = {}, 0, 0
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "markdown" then
      if not seen[cell.ref] then seen[cell.ref], all = {}, all + 1 end
      if cell.lang == lang and not seen[cell.ref].own then seen[cell.ref].own, own = true, own + 1 end
    end
  end
  return own, all, seen
end

-- A step is the prose (in one language) up to and including one cell of code or one exercise; the last may have none:
-- {prose = {…}, code = cell or nil, exercise = e or nil, key = (its ref, numbered from the second on; for progress), appendix = is it of the
-- appendix?, number =, of =}.
function M.steps(lesson, lang)
  local out, open, beyond = {}, nil, false
  local exercises = exercise.of(lesson)
  local _, _, refs = M.translated(lesson, lang)
  local function close(cell)
    local step = open or {prose = {}, appendix = beyond}
    if not open then out[#out + 1] = step end
    if cell.kind == "code" then step.code = cell else step.exercise = exercises[cell.ref] end
    step.key = step.key or cell.ref or cell.claim or ""
    open = nil
  end
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "markdown" and (cell.lang == lang or not refs[cell.ref].own) then -- what has no translation is shown as it is
      if cell.appendix and not beyond then beyond, open = true, nil end
      if not open then
        open = {prose = {}, key = cell.ref, appendix = beyond}
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
  give_titles(out)
  give_numbers(out)
  return out
end

function M.columns(host) return math.min(host.columns(), mode.columns) end

function M.say(host, text) host.write(prose.render(text, M.columns(host), host.coloured()) .. "\n") end

function M.code_room(host) return math.max(20, host.columns() - 4) end

-- Code behind a bar; lines beyond the terminal's width break there, and are continued behind the bar.
function M.show_code(host, code)
  local room = M.code_room(host)
  local painted = host.coloured() and paint.line or function(text) return text end
  local out = {}
  for line in (trim.right(code) .. "\n"):gmatch("(.-)\n") do
    for i, part in ipairs(prose.pieces(line, room)) do out[#out + 1] = (i == 1 and "  │ " or "  ┆ ") .. painted(part) end
  end
  host.keep(#out)
  host.write(table.concat(out, "\n") .. "\n")
end

-- What is shown of an exercise: in one language, and with what is given in the student's variant.
function M.shown_exercise(e, stub, lang, variant) return spoken.variant(spoken.reading(M.exercise_code(e, stub), lang), variant) end

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

-- "── step 2 of 16 · Every word asks every word ──", as wide as the prose. `short`: "── 2/16 · …", above what a step's code shows.
local function title_line(host, step, words, short)
  local columns = M.columns(host)
  local text = "── " .. M.place(step, words, short)
  local title = step.title .. (step.goes_on and step.title ~= "" and not short and words.continued or "")
  if title ~= "" then text = prose.cut(text .. " · " .. title, columns - 3) end -- a blank and two strokes follow
  return text .. " " .. ("─"):rep(math.max(2, math.min(columns - prose.width(text) - 1, 40)))
end

-- Begins a page of a step: its title, which a front end that shows pages repeats on each.
local function begin(host, line)
  host.write("\n" .. M.strong(host, line) .. "\n")
  host.heading(line)
  host.write("\n")
end

function M.strong(host, text) return host.coloured() and mode.strong .. text .. "\27[0m" or text end

-- A step's code in the lesson's language, folded; `whole`: all of it.
function M.show_cell(host, code, words, whole)
  code = spoken.reading(code, words.lang)
  local room, folded = M.code_room(host), false
  if not whole then
    code, folded = fold.fold(code, mode.code, function(line) return #prose.pieces(line, room) end)
  end
  M.show_code(host, code)
  if folded then host.write("  " .. words.folded .. "\n") end
end

function M.show(host, step, words, whole)
  begin(host, title_line(host, step, words))
  for _, text in ipairs(step.prose) do
    if text:find "%S" then host.write(prose.render(text, M.columns(host), host.coloured()) .. "\n\n") end
  end
  if step.code then
    M.show_cell(host, step.code.code, words, whole)
    host.write("\n")
  end
end

-- Runs a step's code and shows what it gives. Did it go well? And the result (judge.lua), where there is one. `titled`: under its title;
-- told: what has been explained in this lesson.
function M.run(lesson, step, ledger, host, env, words, titled, told)
  if titled then begin(host, title_line(host, step, words, true)) end
  local done = run.cell(lesson, step.code, ledger, host.eval, env, true)
  if not done.ok then host.write(words.failed .. (words.lang == "zh" and faults.placed(done.message) or " " .. done.message) .. "\n")
  elseif done.result then results.show(host, done.result, words, M.columns(host), told or {})
  elseif done.value ~= nil then host.show(done.value) end
  return done.ok and not (done.result and done.result.outcome == "failed"), done.result
end

-- Walks through the whole lesson with no one to answer: exercises are shown with their solution. Returns the number of steps
-- whose code failed.
function M.walk(lesson, ledger, host, lang, words)
  host.speak(lang)
  local steps, failed, told = M.steps(lesson, lang), 0, {}
  for _, step in ipairs(steps) do
    M.show(host, step, words)
    if step.code and not M.run(lesson, step, ledger, host, nil, words, false, told) then failed = failed + 1 end
    if step.exercise then
      host.write((step.exercise.open and words.your_turn or words.solution) .. "\n\n")
      M.show_code(host, M.shown_exercise(step.exercise, step.exercise.open, lang, 1))
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
