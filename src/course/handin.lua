-- handin.lua: what a student hands in, as a text: answers, attempts, hints used, the versions of what they worked with, and a
-- seal, by which a change that was made by accident shows (it is no secret, so it proves no honesty).

local exercise = require "phasor.course.exercise"
local json = require "phasor.lib.json"
local lab = require "phasor"

local M = {}

local VERSION = 1

local function versions()
  local out = {}
  for name, text in pairs(lab.version) do out[name] = tostring(text) end
  return out
end

function M.write(lesson, record, student, host)
  local t = {phasor = "hand-in", version = VERSION, lesson = lesson.name, hash = lesson.original or host.sha256(lesson.text), student = student or "",
             seed = record.student or "", versions = versions(), finished = record.finished, exercises = json.list()}
  for _, e in ipairs(exercise.of(lesson)) do
    local r = record.exercises[e.ref] or {state = "open", attempts = 0, hints = 0, points = 0, answer = ""}
    table.insert(t.exercises, {ref = e.ref, state = r.state, attempts = r.attempts, hints = r.hints, points = r.points,
                               answer = r.answer, variant = exercise.variant(e, host, record.student, lesson.name)})
  end
  t.seal = host.sha256(json.write(t))
  return json.write(t)
end

local fields = {lesson = "text", hash = "text", student = "text", seed = "text", exercises = "list", seal = "text"}
local exercise_fields = {ref = "text", state = "text", attempts = "count", hints = "count", answer = "text", variant = "count"}

-- The hand-in in a text, with .sealed = is the seal right; or nil and what is wrong.
function M.read(text, host)
  local t, message = json.read(text)
  if not t then return nil, message end
  if type(t) ~= "table" or t.phasor ~= "hand-in" then return nil, "no hand-in of phasor" end
  if t.version ~= VERSION then return nil, ("version %s; this phasor reads %d"):format(tostring(t.version), VERSION) end
  local astray = json.astray(t, fields)
  if astray then return nil, astray end
  for i, e in ipairs(t.exercises) do
    astray = json.astray(e, exercise_fields)
    if astray then return nil, ("exercise %d: %s"):format(i, astray) end
  end
  local seal = t.seal
  t.seal = nil
  t.sealed = seal == host.sha256(json.write(t))
  return t
end

-- A Lua file with answers in cells of the lesson's form: role="exercise" ref="…". Anything else in it is left alone.
function M.read_lua(text)
  local out, open = {}, nil
  for line in (text:gsub("\r\n", "\n") .. "\n"):gmatch("(.-)\n") do
    if line:find("^%-%- %%%%") then
      local ref = line:find('role="exercise"', 1, true) and line:match('ref="([%w_-]+)"')
      open = ref and {} or nil
      if ref then out[#out + 1] = {ref = ref, lines = open} end
    elseif open then open[#open + 1] = line end
  end
  for _, e in ipairs(out) do
    e.answer, e.lines = table.concat(e.lines, "\n"), nil
    e.state, e.attempts, e.hints = "open", 0, 0
  end
  return out
end

return M
