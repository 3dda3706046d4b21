-- commands.lua: what may be typed behind ":" in a lesson that is open. Each gets the lesson T and act, what tutor.lua does with it.

local marks = require "phasor.course.marks"
local nearest = require "phasor.course.nearest"
local prose = require "phasor.document.prose"
local results = require "phasor.course.results"
local spoken = require "phasor.course.spoken"
local step_of = require "phasor.course.step"
local variables = require "phasor.course.variables"

local M = {}

local commands = {}

local KEYS = 15 -- columns of a key, and of what an explanation's further lines stand below

function commands.help(T)
  for _, row in ipairs(T.words.help) do
    local key = "  " .. row[1] .. (" "):rep(math.max(1, KEYS - prose.width(row[1])))
    T.host.write(prose.fill(row[2], step_of.columns(T.host), key, (" "):rep(KEYS + 2)) .. "\n")
  end
end

function commands.hint(T, act)
  local e = act.step().exercise
  local hints, r = e.hints[T.lang], marks.of(T, e)
  T.shown = (T.shown_of == e and T.shown or 0) + 1
  T.shown_of = e
  if T.shown > #hints then return act.say(e.open and "last_hint" or "no_more_hints") end
  r.hints = math.max(r.hints, T.shown)
  act.say("hint", T.shown, #hints)
  step_of.say(T.host, hints[T.shown])
  act.save()
end

function commands.check(_, act) act.check() end

local function leave_unsolved(T, act, state)
  local s = act.step()
  local r = marks.of(T, s.exercise)
  if not marks.is_done(r) then r.state = state end
  act.run_official(s, true)
  T.synced = {}
  variables.sync(T)
end

function commands.solution(T, act)
  if act.step().exercise.open then return act.say("no_solution") end
  act.say("solution")
  act.write("")
  step_of.show_code(T.host, step_of.shown_exercise(act.step().exercise, false, T.lang, act.variant_of(act.step().exercise)))
  act.write("")
  leave_unsolved(T, act, "shown")
  marks.skip(T, act.step(), false)
  act.say("solution_now")
  T.phase = "after"
  act.save()
  act.ask()
end

function commands.skip(T, act)
  local s = act.step()
  if T.phase == "exercise" then
    if not marks.is_done(marks.of(T, s.exercise)) then marks.skip(T, s, true) end
    leave_unsolved(T, act, "skipped")
    act.say("skipped")
  elseif T.phase == "before" then
    act.run_official(s, true)
    variables.sync(T)
    marks.skip(T, s, true)
  end
  act.advance()
end

function commands.back(T, act)
  if T.at == 1 then return act.say("first") end
  T.reviewing = false
  act.goto_step(T.at - 1)
end

function commands.play(T, act)
  if T.phase == "play" then
    T.mine, T.phase = T.kept.mine, T.kept.phase
    act.say("play_off")
  else
    T.kept = {mine = T.mine, phase = T.phase}
    T.mine, T.phase = variables.playground(T), "play"
    act.say("play_on")
  end
  T.host.focus(T.mine)
  act.ask_on()
end

function commands.reset(T, act, what)
  if what == "all" then return act.restart() end
  variables.fresh(T)
  if T.phase == "exercise" then
    act.begin_answer()
    act.say("reset_exercise")
  else
    act.say("reset")
  end
end

function commands.show(_, act)
  act.show_step()
  act.ask()
end

-- The step's code, all of it.
function commands.code(T, act)
  local s = act.step()
  local e = s.exercise
  local code = e and step_of.shown_exercise(e, true, T.lang, act.variant_of(e)) or s.code and spoken.reading(s.code.code, T.lang)
  if code then step_of.show_code(T.host, code) else act.say("no_code") end
end

-- What stands behind the verdicts that the step has shown.
function commands.why(T, act)
  if not T.result then return act.say(T.phase == "before" and "why_run" or "why_none") end
  T.host.write(results.why_all(T.result, T.words, step_of.columns(T.host)) .. "\n")
end

-- As for a projector, and back.
function commands.projector(T, act)
  T.projected = not T.projected
  step_of.project(T.projected)
  act.show_step()
  act.ask()
end

-- The prompt keeps the language; here the lesson turns to it.
function commands.lang(_, act, lang) act.turn_to(lang) end

function commands.map(T) T.map() end

-- Who the student is: signs the hand-in, and is the seed of the variants as long as none of this lesson's was tried.
function commands.name(T, act, name)
  name = name:gsub("[%c\x7F]", "")
  if name == "" then return act.say(T.record.name and "name_now" or "name_none", T.record.name) end
  T.record.name = name
  act.save()
  T.rename(name)
  if T.student == name or marks.has_tried_variants(T) then return act.say(T.student == name and "name_is" or "name_kept", name) end
  T.student, T.record.student = name, name
  act.save()
  act.say("name_is", name)
  if act.step().exercise and act.step().exercise.variants and T.phase == "exercise" then
    variables.fresh(T)
    act.begin_answer()
    act.show_step()
  end
end

function commands.export(T, act)
  act.save()
  T.record.name = T.export() or T.record.name
end

function commands.quit(_, act) act.close("left") end

local only_in_exercises = {hint = true, check = true, solution = true}
local in_play = {export = true, name = true, play = true, help = true, quit = true, map = true, code = true, why = true, lang = true}
local at_the_end = {export = true, name = true, quit = true, help = true, map = true, back = true}
local listed = {":hint", ":check", ":solution", ":skip", ":back", ":play", ":reset", ":show", ":code", ":why", ":lang", ":projector", ":map", ":name", ":export",
                ":help",                ":quit"}

function M.run(T, act, word, rest)
  local run = commands[word]
  if not run then
    return act.say("unknown_command", ":" .. word, nearest.among(":" .. word, listed, T.lang == "zh" and "可用的有" or "there are", T.lang))
  end
  if T.phase == "play" and not in_play[word] then commands.play(T, act) end -- the others mean the lesson, so it is gone back to
  if T.phase == "end" and not at_the_end[word] then return act.say("review_ask") end
  if only_in_exercises[word] and T.phase ~= "exercise" then
    if not act.step().exercise then return act.say("not_exercise", ":" .. word) end
    T.phase = "exercise"
    act.ask_on()
  end
  return run(T, act, rest)
end

return M
