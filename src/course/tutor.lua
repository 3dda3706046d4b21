-- tutor.lua: a lesson with a student at the prompt. It stays open between inputs; input(text) is one of them.
--
-- Whatever is typed, the lesson goes on as it was written: its cells run on variables of their own (variables.lua), an answer is tried in
-- a process of its own. After an exercise that was not solved the student's copy gets the official variables.
--
-- phase: "before" the step's code has run, "after", in an "exercise", at "play" (a copy of the copy), before the "appendix", at the "end".

local commands = require "phasor.course.commands"
local exercise = require "phasor.course.exercise"
local json = require "phasor.lib.json"
local marks = require "phasor.course.marks"
local progress = require "phasor.course.progress"
local prose = require "phasor.document.prose"
local room = require "phasor.course.room"
local step_of = require "phasor.course.step"
local variables = require "phasor.course.variables"
local messages = require "phasor.course.messages"
local trim = require "phasor.document.trim"

local M = {}

local LIMITS = {seconds = 5, megabytes = 512} -- of one trial
local HINT_AFTER = 2 -- failed attempts without a hint before one is offered

local T -- the lesson that is open, or nil

-- What commands.lua may do with it.
local act = {}

function act.write(text, ...)
  text = select("#", ...) > 0 and text:format(...) or text
  T.host.write((prose.width(text) < step_of.columns(T.host) and text or prose.fill(text, step_of.columns(T.host))) .. "\n")
end
function act.say(key, ...) act.write(T.words[key], ...) end

local write, say = act.write, act.say

local function points_text(got, all) return messages.counted(T.words.points, got, all) end

function act.save()
  if T.saving then T.saving = progress.save(T.host, T.name, T.record, say) end
end

-- ---- steps ----------------------------------------------------------------------------------------------------------

function act.step() return T.steps[T.at] end

local step = act.step

function act.variant_of(e) return exercise.variant(e, T.host, T.student, T.name) end

local function prompt_text()
  if T.phase == "play" then return T.words.play .. " › " end
  if T.phase == "exercise" then return ("%s %s › "):format(T.words.exercise, step().exercise.ref) end
  return ("%s %s › "):format(T.name, step_of.place(step(), T.words, true))
end

-- From now on what is typed comes here.
function act.ask_on() T.host.prompt(prompt_text(), function(text, name) M.input(text, name) end) end

local TOLD = 3 -- how often the keys are told before they are known

function act.ask()
  local key = T.phase == "before" and "run" or T.phase == "after" and "go_on"
  T.told[key] = (T.told[key] or 0) + 1
  if key and T.told[key] <= TOLD then write("%s   :help", T.words[key]) end
  act.ask_on()
end

function act.begin_answer()
  local e = step().exercise
  T.pieces, T.fresh = {}, false
  rawset(T.mine, "variant", e.variants and act.variant_of(e) or nil)
  T.host.quietly(step_of.exercise_code(e, true), T.lesson.file, T.mine)
end

function act.show_step()
  local s = step()
  step_of.show(T.host, s, T.words)
  if s.exercise then
    say("your_turn")
    write("")
    step_of.show_cell(T.host, step_of.shown_exercise(s.exercise, true, T.lang, act.variant_of(s.exercise)), T.words)
    write("")
    if s.exercise.variants then say(T.student and "variant" or "variant_first", act.variant_of(s.exercise)) end
    local done = marks.is_done(marks.of(T, s.exercise))
    say(not done and "how" or s.exercise.open and "given_before" or "solved")
  end
end

local function enter(at)
  T.at = at
  T.before[at] = variables.snapshot(T)
  T.record.step, T.record.of, T.record.ref = at, step_of.main(T.steps), step().key
  T.phase = step().exercise and "exercise" or step().code and "before" or "after"
  T.result = nil
  act.show_step()
  if step().exercise then act.begin_answer() end
  act.save()
  act.ask()
end

-- Gives the prompt back.
function act.close(word)
  local host = T.host
  local kept = variables.hand_over(T)
  act.save()
  if word then say(word == "left" and not T.saving and "left_unsaved" or word) end
  if T.confined then say("still_confined") end
  if word and #kept > 0 then say("kept_yours", table.concat(kept, ", ")) end
  host.focus(nil)
  host.prompt(nil)
  T = nil
end

local function finish()
  T.record.finished = true
  write("")
  say("finished")
  local got, all = marks.points(T)
  if all > 0 and T.lesson.original then say("hand_in") elseif all > 0 then write(points_text(got, all)) end
  local following = T.following(T.name)
  if following then say("next_lesson", following.name, following.title) end
  act.close()
end

local function at_end()
  local left = marks.skipped(T)
  if #left == 0 then return finish() end
  local names = {}
  for i, at in ipairs(left) do
    local s = T.steps[at]
    names[i] = (s.appendix and step_of.place(s, T.words) or T.words.review_step:format(at)) .. (s.exercise and T.words.review_exercise:format(s.exercise.ref) or "")
  end
  T.phase = "end"
  write("")
  say("review", table.concat(names, T.words.review_between))
  say("review_ask")
  act.ask_on()
end

-- The lesson proper is done; what follows is for those who want it.
local function before_appendix()
  T.phase = "appendix"
  T.record.finished = true
  act.save()
  write("")
  write(messages.counted(T.words.appendix_follows, #T.steps - T.at))
  act.ask_on()
end

function act.goto_step(at)
  if T.before[at] then variables.restore(T, T.before[at]) end
  variables.sync(T)
  enter(at)
end

-- What comes after this step: the next one, or in a review the next that was skipped.
function act.advance()
  if T.reviewing then
    for _, at in ipairs(marks.skipped(T)) do if at > T.at then return act.goto_step(at) end end
    say("reviewed")
    return finish()
  end
  if T.at == #T.steps then return at_end() end
  if T.at == step_of.main(T.steps) and T.phase ~= "appendix" then return before_appendix() end
  enter(T.at + 1)
end

-- Runs the step's own code, or the solution of its exercise, on the official variables. silent: shows nothing.
function act.run_official(s, silent)
  if s.exercise then return exercise.solve(s.exercise, T.host, T.official, act.variant_of(s.exercise)) end
  if not s.code then return true end
  if silent then return T.host.quietly(exercise.code(s.code), T.lesson.file, T.official) end
  local ok, result = step_of.run(T.lesson, s, T.ledger, T.host, T.official, T.words, true, T.told)
  T.result = result
  return ok
end

-- The language that the lesson speaks from now on; the step is shown in it.
function act.turn_to(lang)
  if lang ~= "" and messages.of(lang) and lang ~= T.lang then
    T.lang, T.words = lang, messages.of(lang)
    T.host.speak(lang)
    T.steps = step_of.steps(T.lesson, lang)
    act.show_step()
  end
  act.ask()
end

local function restart()
  T.record = progress.new(T.hash, step_of.main(T.steps))
  T.record.student = T.student
  T.before, T.reviewing = {}, false
  variables.restore(T, {})
  variables.fresh(T)
  say("restarted")
  enter(1)
end
act.restart = restart

-- ---- exercises ------------------------------------------------------------------------------------------------------

-- After an exercise was solved: the lesson has its own solution, the student keep theirs.
local function keep_answer(e)
  local before = variables.snapshot(T)
  exercise.solve(e, T.host, T.official, act.variant_of(e))
  if e.open then exercise.adopt(e, T.host, T.official, T.mine) end
  variables.keep_own(T, before)
end

local function answer_text()
  local out = {}
  for i, piece in ipairs(T.pieces) do out[i] = piece.code end
  return table.concat(out, "\n")
end

function act.check()
  local e, s = step().exercise, step()
  local r = marks.of(T, e)
  if #T.pieces == 0 then return say("nothing_yet") end
  local result = exercise.try_apart(e, T.host, T.official, T.pieces, act.variant_of(e), LIMITS)
  T.fresh = false
  r.attempts = r.attempts + 1
  if not result.right then
    step_of.say(T.host, "✗ " .. result.feedback[T.lang])
    if r.attempts >= HINT_AFTER and r.hints == 0 then say("try_hint") end
    if r.state == "open" then r.answer = answer_text() end
    return act.save()
  end
  if r.state ~= "shown" and not e.open then r.points = e.points end
  r.state, r.answer = e.open and "given" or r.state == "shown" and "shown" or "right", answer_text()
  marks.skip(T, s, false)
  local got, all = marks.points(T)
  if e.open then say("given") else write("✓ " .. T.words.right .. "  " .. points_text(got, all)) end
  keep_answer(e)
  T.phase = "after"
  act.save()
  act.ask()
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
  if not trim.right(text):find(";$") then
    for i = 2, result.n do if result[i] ~= nil then T.host.show(result[i]) end end
  end
  if T.phase == "exercise" then
    T.fresh = true
    if load(text, "=answer") then table.insert(T.pieces, {code = text, name = "answer"}) end -- a bare expression is no part of it
  end
end

local function enter_key()
  if T.phase == "play" then return say("play_on") end
  if T.phase == "end" then
    T.reviewing = true
    return act.goto_step(marks.skipped(T)[1])
  end
  if T.phase == "exercise" then
    if T.fresh and #T.pieces > 0 then return act.check() end
    if marks.is_done(marks.of(T, step().exercise)) then return act.advance() end
    return say(#T.pieces == 0 and "nothing_yet" or "how")
  end
  if T.phase == "before" then
    local ok = act.run_official(step())
    variables.sync(T)
    if ok then marks.skip(T, step(), false) end
    T.phase = "after"
    if (T.at == #T.steps or T.at == step_of.main(T.steps)) and not T.reviewing then return act.advance() end
    return act.ask()
  end
  act.advance()
end

-- ---- from outside ---------------------------------------------------------------------------------------------------

-- One input, as typed; `name` is what messages call it.
function M.input(text, name)
  if not T then return end
  T.host.speak(T.lang)
  local word, rest = text:match("^%s*:%s*(%a+)(.*)$")
  if word then return commands.run(T, act, word, trim.both(rest)) end
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
    T.before[at] = variables.snapshot(T)
    if upto > 3 then T.host.progress(T.words.rebuilding, at / upto) end
    local s = T.steps[at]
    local ok, message = act.run_official(s, true)
    if ok == false then write(T.words.broken_step, at, tostring(message)) end
    variables.sync(T)
    local r = s.exercise and T.record.exercises[s.exercise.ref]
    if r and marks.is_done(r) then
      T.host.quietly(r.answer, "answer", T.mine)
      if s.exercise.open then exercise.adopt(s.exercise, T.host, T.official, T.mine) end
    end
  end
end

-- Goes on where the record says.
local function resume(record)
  local at = place(record, T.steps)
  if record.hash ~= T.hash then say("changed") end
  T.record.hash = T.hash
  rebuild(at)
  say("resumed", step_of.place(T.steps[at], T.words))
  enter(at)
end

-- Opens a lesson: {name, lesson, text, ledger, host, lang, words, student (a seed), known (a name),
-- restart, map = f, rename = f(name), following = f(name), stranger, confined}.
function M.open(o)
  if T then
    write(T.words.open_already, T.name)
    act.close()
  end
  T = {name = o.name, lesson = o.lesson, ledger = o.ledger, host = o.host, lang = o.lang, words = o.words, map = o.map,
       following = o.following, export = o.export, rename = o.rename, stranger = o.stranger, confined = o.confined, official = o.host.env(), before = {}, told = {}, at = 1, phase = "after"}
  T.host.speak(T.lang)
  step_of.project(false)
  T.steps = step_of.steps(o.lesson, o.lang)
  T.hash = o.host.sha256(o.lesson.text)
  if o.stranger then room.guard(T.official) end
  local all = not o.stranger and progress.load(o.host, say) or nil -- of a stranger's lesson no progress is kept: it could write it
  T.saving = all ~= nil and progress.path() ~= nil
  local record = all and all[o.name]
  T.record = record and not o.restart and record or progress.new(T.hash, step_of.main(T.steps))
  T.record.name = T.record.name or o.known
  T.student = o.student or T.record.student or not marks.has_tried_variants(T) and T.record.name or nil
  T.record.student = T.student
  variables.fresh(T)
  local ended = record and record.finished and record.step >= record.of
  if record and not o.restart and not ended and record.step > 1 then return resume(record) end
  if ended and not o.restart then T.record.skipped = json.list() end -- once more; what was earned stays, and that it was finished
  enter(1)
end

return M
