-- selfcheck.lua: `check "ref"` or `check "lesson/ref"`: the values that stand in a notebook, or at the prompt, against the checks of an exercise.
--
-- The checks see the names asked for as the student has them, and everything else as the lesson has it: the lesson is run here, quietly
-- and officially, as far as the exercise. It goes on from there for the next one. It may do what whoever runs it may: a lesson from a file wants
-- to be trusted.

local catalogue = require "phasor.course.catalogue"
local exercise = require "phasor.course.exercise"
local host = require "phasor.course.host"
local nearest = require "phasor.course.nearest"
local room = require "phasor.course.room"
local run = require "phasor.course.run"

local M = {}

local said = {en = {right = "Right.", open = "Your answer runs; it is judged where it is graded."},
              zh = {right = "正确。", open = "你的答案可以运行，对不对要等批改。"}}

local owners -- ref of an exercise -> the names of the lessons that have one of that name

local function owners_of(ref)
  if not owners then
    owners = {}
    for _, name in ipairs(catalogue.names()) do
      local lesson = catalogue.open(name)
      for _, e in ipairs(lesson and exercise.of(lesson) or {}) do
        owners[e.ref] = owners[e.ref] or {}
        table.insert(owners[e.ref], name)
      end
    end
  end
  return owners[ref] or {}
end

-- What an exercise of the laboratory is called by: its ref where no other lesson has one of that name, else "lesson/ref".
function M.name(lesson, ref)
  local names = owners_of(ref)
  return #names == 1 and names[1] == lesson and ref or lesson .. "/" .. ref
end

-- The call that checks an exercise, as a notebook has it. A lesson from a file is looked for beside the notebook.
function M.call(lesson, ref)
  if not lesson.folder then return ('check "%s"'):format(M.name(lesson.name, ref)) end
  return ('check(%q, "--trust")'):format(lesson.file:match "[^/]+$" .. "/" .. ref)
end

-- "rope/turn", "my.lua/turn" or "turn" -> the lesson's name and the exercise's; nil when it is nothing of the kind.
function M.split(id)
  local name, ref = id:match("^(.+)/([%w_-]+)$")
  if name and name:find "%.lua$" then return name, ref end
  for _, known in ipairs(catalogue.names()) do
    if name == known then return name, ref end
    if id == known then return nil end
  end
  local names = owners_of(id)
  if #names > 1 then error({message = ("check: an exercise \"%s\" is in %s; wanted \"%s/%s\", say"):format(id, table.concat(names, " and "), names[1], id)}, 0) end
  return names[1], names[1] and id
end

local official = {} -- lesson -> {lesson, exercises, env, at = (cells run), before = {ref -> the variables before an exercise}}

local function opened(name)
  if not official[name] then
    local lesson, message = catalogue.open(name)
    if not lesson then error({message = message or "no lesson " .. name}, 0) end
    official[name] = {lesson = lesson, exercises = exercise.of(lesson), env = host.silent(), at = 0, before = {}}
  end
  return official[name]
end

local function run_next(o)
  o.at = o.at + 1
  local cell = o.lesson.cells[o.at]
  if cell.kind == "exercise" then o.before[cell.ref] = room.copy(host, o.env) end
  if not run.runs(cell) then return end
  if cell.variants then rawset(o.env, "variant", 1) end
  local ok, message = host.eval(exercise.code(cell), o.lesson.file, o.env)
  if not ok then error({message = message}, 0) end
end

-- The lesson's variables as they are before an exercise.
local function before(o, ref)
  while not o.before[ref] do run_next(o) end
  return o.before[ref]
end

local function exercise_named(o, name, ref)
  if o.exercises[ref] then return o.exercises[ref] end
  local refs = {}
  for i, e in ipairs(o.exercises) do refs[i] = e.ref end
  error({message = ("check: lesson \"%s\" has no exercise \"%s\"%s"):format(name, ref, nearest.hint(ref, refs))}, 0)
end

-- Says that the answer is right; or raises what is wrong with it, as an error of the cell.
function M.check(name, ref, lang, trust)
  if name:find "%.lua$" and not trust then
    error({message = ("check: %s runs here with all your rights; where it is yours, write check(\"%s/%s\", \"--trust\")"):format(name, name, ref)}, 0)
  end
  local o = opened(name)
  local e = exercise_named(o, name, ref)
  local result = exercise.try_values(e, host, before(o, ref), host.globals(), 1)
  if not result.right then error({message = result.feedback[lang]}, 0) end
  host.write(said[lang][e.open and "open" or "right"] .. "\n")
  return 0
end

return M
