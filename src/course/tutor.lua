-- tutor.lua: a lesson with a student at the prompt. It stays open between inputs; input(text) is one of them.
--
-- Two sets of variables: the *official* ones, changed by the lesson's own cells and solutions only, and the student's, a copy
-- which they may do with as they like. So whatever is typed, the lesson goes on as it was written; an answer is tried in a
-- process of its own. After an exercise that was not solved the student's copy gets the official variables.
--
-- phase: "before" the step's code has run, "after", in an "exercise", at "play" (a copy of the copy), at the "end".

local exercise = require "phasor.course.exercise"
local lab = require "phasor"
local json = require "phasor.course.json"
local nearest = require "phasor.course.nearest"
local progress = require "phasor.course.progress"
local prose = require "phasor.document.prose"
local room = require "phasor.course.room"
local step_of = require "phasor.course.step"
local words = require "phasor.course.words"

local M = {}

local LIMITS = {seconds = 5, megabytes = 512} -- of one trial
local HINT_AFTER = 2 -- failed attempts without a hint before one is offered

local T -- the lesson that is open, or nil

local function write(text, ...)
  text = select("#", ...) > 0 and text:format(...) or text
  T.host.write((prose.width(text) < step_of.columns(T.host) and text or prose.fill(text, step_of.columns(T.host))) .. "\n")
end
local function say(key, ...) write(T.words[key], ...) end

local function points_text(got, all) return words.counted(T.words.points, got, all) end

-- ---- variables ------------------------------------------------------------------------------------------------------

local copied

-- A value the student may change without changing the lesson's: arrays and plain tables are copied.
local function own(value, seen)
  if type(value) == "userdata" and getmetatable(value) == "Array" then return value:copy() end
  if type(value) == "table" and getmetatable(value) == nil then return copied(value, seen or {}) end
  return value
end

function copied(t, seen)
  if not seen[t] then
    local out = {}
    seen[t] = out
    for key, value in next, t do out[key] = own(value, seen) end
  end
  return seen[t]
end

-- Brings what the official cells have changed since into the student's variables.
local function sync()
  for name, value in next, T.official do
    if name ~= "_G" and not rawequal(T.synced[name], value) then
      rawset(T.mine, name, own(value))
      T.synced[name] = value
    end
  end
end

local function fresh_variables()
  T.mine, T.synced = exercise.workshop(T.host), {}
  sync()
  T.host.focus(T.mine)
end

local function snapshot()
  local out = {}
  for name, value in next, T.official do if name ~= "_G" then out[name] = value end end
  return out
end

-- In place: functions of the lesson look into this very table.
local function restore(names)
  for name in next, snapshot() do rawset(T.official, name, nil) end
  for name, value in next, names do rawset(T.official, name, value) end
end

-- ---- progress -------------------------------------------------------------------------------------------------------

local function record_of(e)
  local all = T.record.exercises
  all[e.ref] = all[e.ref] or {state = "open", attempts = 0, hints = 0, points = 0, answer = ""}
  return all[e.ref]
end

local function save()
  if T.saving then T.saving = progress.save(T.host, T.name, T.record, say) end
end

local function skipped_index(key)
  for i, k in ipairs(T.record.skipped) do if k == key then return i end end
end

local function mark_skipped(step, is)
  local i = skipped_index(step.key)
  if is and not i then table.insert(T.record.skipped, step.key)
  elseif not is and i then table.remove(T.record.skipped, i) end
end

local function points()
  local got, all = 0, 0
  for _, step in ipairs(T.steps) do
    if step.exercise then
      all = all + step.exercise.points
      got = got + (T.record.exercises[step.exercise.ref] or {points = 0}).points
    end
  end
  return got, all
end

-- ---- steps ----------------------------------------------------------------------------------------------------------

local function step() return T.steps[T.at] end

local function variant_of(e) return exercise.variant(e, T.host, T.student, T.name) end

local function prompt_text()
  local s = step()
  if T.phase == "play" then return T.words.play .. " › " end
  if T.phase == "exercise" then return ("%s %s › "):format(T.words.exercise, s.exercise.ref) end
  return ("%s %d/%d › "):format(T.name, T.at, #T.steps)
end

-- From now on what is typed comes here.
local function ask_on() T.host.prompt(prompt_text(), function(text, name) M.input(text, name) end) end

local TOLD = 3 -- how often the keys are told before they are known

local function ask()
  local key = T.phase == "before" and "run" or T.phase == "after" and "go_on"
  T.told[key] = (T.told[key] or 0) + 1
  if key and T.told[key] <= TOLD then write("%s   :help", T.words[key]) end
  ask_on()
end

local function begin_answer()
  local e = step().exercise
  T.pieces, T.fresh = {}, false
  rawset(T.mine, "variant", e.variants and variant_of(e) or nil)
  T.host.quietly(step_of.exercise_code(e, true), T.lesson.file, T.mine)
end

local function show_step()
  local s = step()
  step_of.show(T.host, s, T.at, #T.steps, T.words)
  if s.exercise then
    say("your_turn")
    write("")
    step_of.show_code(T.host, step_of.exercise_code(s.exercise, true))
    write("")
    if s.exercise.variants then say("variant", variant_of(s.exercise)) end
    if record_of(s.exercise).state == "right" then say("solved") else say("how") end
  end
end

local function enter(at)
  T.at = at
  T.before[at] = snapshot()
  T.record.step, T.record.of, T.record.ref = at, #T.steps, step().key
  T.phase = step().exercise and "exercise" or step().code and "before" or "after"
  show_step()
  if step().exercise then begin_answer() end
  save()
  ask()
end

-- Gives the lesson's variables to the prompt, but for those whose names stand for something there; those are told.
local handed = {} -- what the prompt has from a lesson and has not changed: a later lesson may put its own there

-- Lua's own names, such as `require`, which a confined lesson has others for. A name that is none raises.
local function is_of_lua(globals, name)
  local known, value = pcall(function() return globals[name] end)
  return known and value ~= nil
end

local function hand_over()
  local globals, kept = T.host.globals(), {}
  for name, value in next, T.mine do
    if (name:sub(1, 1) ~= "_" or name:find("^_u%x")) and not exercise.is_library(name) and rawget(lab, name) == nil then
      local there = rawget(globals, name)
      if there == nil and is_of_lua(globals, name) then
        if not T.stranger then kept[#kept + 1] = name end
      elseif there == nil or rawequal(there, handed[name]) then globals[name], handed[name] = value, value
      elseif not rawequal(there, value) then kept[#kept + 1] = name end
    end
  end
  table.sort(kept)
  return kept
end

-- Gives the prompt back.
local function close(word)
  local host = T.host
  local kept = hand_over()
  save()
  if word then say(word) end
  if word and #kept > 0 then say("kept_yours", table.concat(kept, ", ")) end
  host.focus(nil)
  host.prompt(nil)
  T = nil
end

local function finish()
  T.record.finished = true
  write("")
  say("finished")
  local got, all = points()
  if all > 0 then write(points_text(got, all)) end
  local following = T.following(T.name)
  if following then say("next_lesson", following.name, following.title) end
  close()
end

-- The steps that were skipped, in order.
local function skipped_steps()
  local out = {}
  for i, s in ipairs(T.steps) do if skipped_index(s.key) then out[#out + 1] = i end end
  return out
end

local function at_end()
  local left = skipped_steps()
  if #left == 0 then return finish() end
  local names = {}
  for i, at in ipairs(left) do
    local s = T.steps[at]
    names[i] = T.words.review_step:format(at) .. (s.exercise and (" (%s %s)"):format(T.words.exercise, s.exercise.ref) or "")
  end
  T.phase = "end"
  write("")
  say("review", table.concat(names, ", "))
  say("review_ask")
  ask_on()
end

local function goto_step(at)
  if T.before[at] then restore(T.before[at]) end
  sync()
  enter(at)
end

-- What comes after this step: the next one, or in a review the next that was skipped.
local function advance()
  if T.reviewing then
    for _, at in ipairs(skipped_steps()) do if at > T.at then return goto_step(at) end end
    say("reviewed")
    return finish()
  end
  if T.at == #T.steps then return at_end() end
  enter(T.at + 1)
end

-- Runs the step's own code, or the solution of its exercise, on the official variables. silent: shows nothing.
local function run_official(s, silent)
  if s.exercise then return exercise.solve(s.exercise, T.host, T.official, variant_of(s.exercise)) end
  if not s.code then return true end
  if silent then return T.host.quietly(exercise.code(s.code), T.lesson.file, T.official) end
  return step_of.run(T.lesson, s, T.ledger, T.host, T.official, T.words)
end

-- ---- exercises ------------------------------------------------------------------------------------------------------

-- After an exercise was solved: the lesson has its own solution, the student keep theirs.
local function keep_answer(e)
  local before = snapshot()
  exercise.solve(e, T.host, T.official, variant_of(e))
  for name, value in next, T.official do
    if name ~= "_G" and not rawequal(before[name], value) then T.synced[name] = value end
  end
end

local function answer_text()
  local out = {}
  for i, piece in ipairs(T.pieces) do out[i] = piece.code end
  return table.concat(out, "\n")
end

local function check()
  local e, s = step().exercise, step()
  local r = record_of(e)
  if #T.pieces == 0 then return say("nothing_yet") end
  local result = exercise.try_apart(e, T.host, T.official, T.pieces, variant_of(e), LIMITS)
  T.fresh = false
  r.attempts = r.attempts + 1
  if not result.right then
    step_of.say(T.host, "✗ " .. result.feedback[T.lang])
    if r.attempts >= HINT_AFTER and r.hints == 0 then say("try_hint") end
    if r.state == "open" then r.answer = answer_text() end
    return save()
  end
  if r.state ~= "shown" then r.points = e.points end
  r.state, r.answer = r.state == "shown" and "shown" or "right", answer_text()
  mark_skipped(s, false)
  local got, all = points()
  write("✓ " .. T.words.right .. "  " .. points_text(got, all))
  keep_answer(e)
  T.phase = "after"
  save()
  ask()
end

-- Runs what was typed among the student's variables and shows what it gives.
local function try_input(text, name)
  local here = T
  local result = table.pack(T.host.cell(text, name, T.mine))
  if T ~= here then return end -- it opened another lesson
  if not result[1] then
    T.host.report(result[2])
    return
  end
  if result.n > 1 then rawset(T.mine, "_", result[2]) end
  if not text:find(";%s*$") then
    for i = 2, result.n do if result[i] ~= nil then T.host.show(result[i]) end end
  end
  if T.phase == "exercise" then
    T.fresh = true
    if load(text, "=answer") then table.insert(T.pieces, {code = text, name = "answer"}) end -- a bare expression is no part of it
  end
end

-- ---- commands -------------------------------------------------------------------------------------------------------

local commands = {}

local KEYS = 15 -- columns of a key, and of what an explanation's further lines stand below

function commands.help()
  for _, row in ipairs(T.words.help) do
    local key = "  " .. row[1] .. (" "):rep(math.max(1, KEYS - prose.width(row[1])))
    T.host.write(prose.fill(row[2], step_of.columns(T.host), key, (" "):rep(KEYS + 2)) .. "\n")
  end
end

function commands.hint()
  local e = step().exercise
  local hints, r = e.hints[T.lang], record_of(e)
  T.shown = (T.shown_of == e and T.shown or 0) + 1
  T.shown_of = e
  if T.shown > #hints then return say("no_more_hints") end
  r.hints = math.max(r.hints, T.shown)
  say("hint", T.shown, #hints)
  step_of.say(T.host, hints[T.shown])
  save()
end

commands.check = check

local function leave_unsolved(state)
  local s = step()
  local r = record_of(s.exercise)
  if r.state ~= "right" then r.state = state end
  run_official(s, true)
  T.synced = {}
  sync()
end

function commands.solution()
  say("solution")
  write("")
  step_of.show_code(T.host, step_of.exercise_code(step().exercise))
  write("")
  leave_unsolved("shown")
  mark_skipped(step(), false)
  say("solution_now")
  T.phase = "after"
  save()
  ask()
end

function commands.skip()
  local s = step()
  if T.phase == "exercise" then
    if record_of(s.exercise).state ~= "right" then mark_skipped(s, true) end
    leave_unsolved("skipped")
    say("skipped")
  elseif T.phase == "before" then
    run_official(s, true)
    sync()
    mark_skipped(s, true)
  end
  advance()
end

function commands.back()
  if T.at == 1 then return say("first") end
  T.reviewing = false
  goto_step(T.at - 1)
end

function commands.play()
  if T.phase == "play" then
    T.mine, T.phase = T.kept.mine, T.kept.phase
    say("play_off")
  else
    T.kept = {mine = T.mine, phase = T.phase}
    local copy = exercise.workshop(T.host)
    for name, value in next, T.mine do if name ~= "_G" and not exercise.is_library(name) then rawset(copy, name, own(value)) end end
    T.mine, T.phase = copy, "play"
    say("play_on")
  end
  T.host.focus(T.mine)
  ask_on()
end

local function restart()
  T.record = progress.new(T.hash, #T.steps)
  T.record.student = T.student
  T.before, T.reviewing = {}, false
  restore {}
  fresh_variables()
  say("restarted")
  enter(1)
end

function commands.reset(what)
  if what == "all" then return restart() end
  fresh_variables()
  if T.phase == "exercise" then
    begin_answer()
    say("reset_exercise")
  else
    say("reset")
  end
end

function commands.show()
  show_step()
  ask()
end

function commands.map() T.map() end

function commands.export()
  save()
  T.record.name = T.export() or T.record.name
end

function commands.quit() close("left") end

local only_in_exercises = {hint = true, check = true, solution = true}
local in_play = {export = true, play = true, help = true, quit = true, map = true}
local at_the_end = {export = true, quit = true, help = true, map = true, back = true, play = false}
local listed = {":hint", ":check", ":solution", ":skip", ":back", ":play", ":reset", ":show", ":map", ":export", ":help", ":quit"}

local function command(word, rest)
  local run = commands[word]
  if not run then
    return say("unknown_command", ":" .. word, nearest.hint(":" .. word, listed), table.concat(listed, " "))
  end
  if T.phase == "play" and not in_play[word] then -- the others mean the lesson, so it is gone back to
    commands.play()
  end
  if T.phase == "end" and not at_the_end[word] then return say("review_ask") end
  if only_in_exercises[word] and T.phase ~= "exercise" then
    if not step().exercise then return say("not_exercise", ":" .. word) end
    T.phase = "exercise"
    ask_on()
  end
  return run(rest)
end

local function enter_key()
  if T.phase == "play" then return say("play_on") end
  if T.phase == "end" then
    T.reviewing = true
    return goto_step(skipped_steps()[1])
  end
  if T.phase == "exercise" then
    if T.fresh and #T.pieces > 0 then return check() end
    if record_of(step().exercise).state == "right" then return advance() end
    return say(#T.pieces == 0 and "nothing_yet" or "how")
  end
  if T.phase == "before" then
    local ok = run_official(step())
    sync()
    if ok then mark_skipped(step(), false) end
    T.phase = "after"
    if T.at == #T.steps and not T.reviewing then return advance() end
    return ask()
  end
  advance()
end

-- ---- from outside ---------------------------------------------------------------------------------------------------

-- One input, as typed; `name` is what messages call it.
function M.input(text, name)
  if not T then return end
  T.host.speak(T.lang)
  local word, rest = text:match("^%s*:%s*(%a+)%s*(.-)%s*$")
  if word then return command(word, rest) end
  if not text:find("%S") then return enter_key() end
  try_input(text, name or "input")
end

-- Where to go on: the step of the record, by its ref where the lesson has changed.
local function place(record, steps)
  for i, s in ipairs(steps) do if s.key == record.ref and i >= record.step then return i end end
  for i, s in ipairs(steps) do if s.key == record.ref then return i end end
  return math.max(1, math.min(record.step, #steps))
end

-- Runs the official cells before a step, silently; the student's right answers in their own variables.
local function rebuild(upto)
  for at = 1, upto - 1 do
    T.at = at
    T.before[at] = snapshot()
    if upto > 3 then T.host.progress(T.words.rebuilding, at / upto) end
    local s = T.steps[at]
    local ok, message = run_official(s, true)
    if ok == false then write(T.words.broken_step, at, tostring(message)) end
    sync()
    local r = s.exercise and T.record.exercises[s.exercise.ref]
    if r and r.state == "right" then T.host.quietly(r.answer, "answer", T.mine) end
  end
end

-- Opens a lesson: {name, lesson, text, ledger, host, lang, words, student, restart, map = f, following = f(name)}.
function M.open(o)
  if T then
    write(T.words.open_already, T.name)
    close()
  end
  T = {name = o.name, lesson = o.lesson, ledger = o.ledger, host = o.host, lang = o.lang, words = o.words, map = o.map,
       following = o.following, export = o.export, official = o.host.env(), before = {}, told = {}, at = 1, phase = "after"}
  T.host.speak(T.lang)
  T.steps = step_of.steps(o.lesson, o.lang)
  T.hash = o.host.sha256(o.lesson.text)
  if o.stranger then room.guard(T.official) end
  local all = not o.stranger and progress.load(o.host, say) or nil -- of a stranger's lesson no progress is kept: it could write it
  T.saving = all ~= nil and progress.path() ~= nil
  local record = all and all[o.name]
  T.record = record and not o.restart and record or progress.new(T.hash, #T.steps)
  T.student = o.student or T.record.student
  T.record.student = T.student
  fresh_variables()
  if record and not o.restart and not record.finished and record.step > 1 then
    local at = place(record, T.steps)
    if record.hash ~= T.hash then say("changed") end
    T.record.hash = T.hash
    rebuild(at)
    say("resumed", at, #T.steps)
    return enter(at)
  end
  if record and record.finished and not o.restart then -- once more, keeping what was earned
    T.record.finished, T.record.skipped = false, json.list()
  end
  enter(1)
end

function M.is_open() return T ~= nil end

return M
