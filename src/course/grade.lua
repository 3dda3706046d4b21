-- grade.lua: `phasor grade FILES…`: students' answers tried again, each against all checks of its exercise, in a process of
-- its own with limits of time and memory. One line of CSV per file and exercise.
--
-- A file is a hand-in (lesson export), or a Lua file with answers in exercise cells, whose lesson is its name's beginning
-- ("rope-ada.lua" or "rope.lua") or given by --lesson. A hand-in names a lesson of the laboratory, or the one that --lesson gives:
-- a lesson is a program, and what checks an answer must not come with it.

local catalogue = require "phasor.course.catalogue"
local pool = require "phasor.course.pool"
local exercise = require "phasor.course.exercise"
local harmless = require "phasor.course.harmless"
local handin = require "phasor.course.handin"
local host = require "phasor.course.host"
local parcel = require "phasor.course.parcel"
local run = require "phasor.course.run"
local stranger = require "phasor.course.stranger"

local M = {}

local MEGABYTES = 65536 -- for a lesson itself

local COLUMNS = {"file", "student", "lesson", "exercise", "variant", "result", "points", "of", "attempts", "hints", "state",
                 "seal", "feedback"}

-- Does a spreadsheet take it for a formula? Some read full-width ＝ ＋ － ＠ as their narrow twins.
local function is_formula(text) return text:find "^[=+@\t\r-]" or text:find "^\xEF\xBC[\x9D\x8B\x8D\xA0]" end

-- A field; one that would be a formula is quoted away, and what a terminal would obey is shown as "?".
local function field(v)
  local text = harmless(tostring(v))
  if type(v) == "string" and is_formula(text) then text = "'" .. text end
  return text:find('[",\r\n]') and '"' .. text:gsub('"', '""') .. '"' or text
end

local function line(row, columns)
  local out = {}
  for i, name in ipairs(columns) do out[i] = field(row[name] == nil and "" or row[name]) end
  return table.concat(out, ",")
end

-- Rows as CSV under the names of the columns.
function M.csv(columns, rows)
  local out = {table.concat(columns, ",")}
  for _, row in ipairs(rows) do out[#out + 1] = line(row, columns) end
  return table.concat(out, "\n") .. "\n"
end

local function lesson_of_file(path, asked)
  if asked then return asked end
  local base = path:match("([^/]+)%.lua$") or ""
  local best
  for _, name in ipairs(catalogue.names()) do
    if base == name or base:sub(1, #name + 1):find("^" .. name:gsub("%-", "%%-") .. "[._-]$") then best = best or name end
  end
  return best
end

local function stem(name) return name:match("([^/]+)%.lua$") or name end

-- "ada" of rope-ada.lua; where a file's name does not begin with its lesson's, which --lesson gives, all of it.
local function student_of(path, lesson)
  local own, name = stem(path), stem(lesson)
  if own == name then return "" end
  return own:sub(1, #name) == name and own:match("^[._-](.*)", #name + 1) or own
end

-- The lesson that a hand-in may be judged by; or nil and why there is none.
local function lesson_of_hand_in(name, asked)
  if asked and stem(asked) == stem(name) then return asked end
  for _, shipped in ipairs(catalogue.names()) do if shipped == name then return name end end
  return nil, ("no lesson \"%s\"; a lesson of your own is given by --lesson FILE"):format(name)
end

-- What a file holds: {file, student, seed, name (of the lesson), answers = {ref -> …}, seal}; or nil and why not.
local function submission(path, options)
  local text, message = host.contents(path)
  if not text then return nil, message end
  local t
  if path:find("%.lua$") then
    local name = lesson_of_file(path, options.lesson)
    if not name then return nil, "which lesson? name the file like rope-ada.lua, or give --lesson NAME; FILE.lua of your own" end
    t = {lesson = name, student = student_of(path, name), seed = options.seed, seal = "none",
         exercises = handin.read_lua(text)}
    if #t.exercises == 0 then return nil, "no cell with role=\"exercise\" in it" end
  else
    t, message = handin.read(text, host)
    if not t then return nil, message end
    t.lesson, message = lesson_of_hand_in(t.lesson, options.lesson)
    if not t.lesson then return nil, message end
    t.seed, t.seal = t.seed ~= "" and t.seed or nil, t.sealed and "whole" or "broken"
  end
  t.file, t.answers = path, {}
  for _, e in ipairs(t.exercises) do t.answers[e.ref] = e end
  return t
end

-- The process that answers run in copies of (desk.lua), as this side sees it; nil: there are no processes. folder: what it may read of files
-- (nil: all).
local function open_desk(folder, weak)
  if not host.fresh then return nil end
  local side = parcel.side(function() error "nothing is called" end, false)
  local channel = host.fresh("phasor.course.desk", MEGABYTES)
  local function say(q) return channel:send(parcel.write(side, q)) end
  local function ask(q)
    local reply = say(q) and channel:receive()
    if not reply then error({message = "the process of the lesson has ended"}, 0) end
    return table.unpack(parcel.read(side, reply), 1, 2)
  end
  if folder and not ask {verb = "confine", folder = folder} and not weak then
    channel:close()
    error({message = "the process of the lesson could not be confined"}, 0)
  end
  return {
    cell = function(code, file, variants) return ask {verb = "cell", code = code, file = file, variants = variants} end,
    open = function(task, limits)
      local answers = say {verb = "try", seconds = limits.seconds, megabytes = limits.megabytes} and channel:take()
      if not answers then error({message = "no process for an answer"}, 0) end
      answers:send(parcel.write(side, task))
      return answers
    end,
    close = function() return (ask {verb = "close"}) end,
    leave = function() channel:close() end,
  }
end

local function row_of(t, e, options, official, desk)
  local lang, limits = options.lang, options.limits
  local a = t.answers[e.ref] or {answer = "", attempts = 0, hints = 0, state = "open"}
  local variant = exercise.variant(e, host, t.seed, t.lesson)
  local row = {file = t.file, student = t.student, lesson = t.lesson, exercise = e.ref, variant = e.variants and variant or nil,
               of = e.points, points = 0, attempts = a.attempts, hints = a.hints, state = a.state, seal = t.seal}
  if not a.answer:find("%S") then
    row.result = "missing"
    return row
  end
  local r = exercise.try_apart(e, host, official, {{code = a.answer, name = "answer"}}, variant, limits, desk)
  row.result = r.ended or (r.right and "right" or "wrong")
  local counts = a.state ~= "shown" and (t.seal:find("^broken") == nil or options["accept-broken"])
  if counts then row.points = ("%g"):format(e.points * r.passed / math.max(1, r.total)) end
  row.feedback = r.feedback and r.feedback[lang]:gsub("%s+", " ") or nil
  return row
end

-- Runs a cell of the lesson here, for the checks, and at the desk, for the answers.
local function run_cell(lesson, cell, env, desk)
  local code = exercise.code(cell)
  if cell.variants then rawset(env, "variant", 1) end
  local ok, message = host.eval(code, lesson.file, env)
  if ok and desk then ok, message = desk.cell(code, lesson.file, cell.variants ~= nil) end
  if not ok then error({message = message}, 0) end
end

-- Rows of one lesson's submissions: the lesson runs once, and at each exercise every answer is tried.
local function rows_at(desk, lesson, list, rows, options)
  local env, exercises = host.silent(), exercise.of(lesson)
  if stranger.is(lesson, options) then stranger.guard(env) end
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "exercise" then
      for _, t in ipairs(list) do
        table.insert(rows[t], row_of(t, exercises[cell.ref], options, env, desk))
      end
    end
    if run.runs(cell) then run_cell(lesson, cell, env, desk) end
  end
end

-- In a process of its own, where only the files beside the lesson can be read; the rows come back.
local function rows_confined(desk, lesson, list, rows, options)
  local got, why
  pool.run(host, 1, 1, function() return 1 end, function()
    local out = {}
    stranger.confine(lesson, options)
    local ok, fault = pcall(rows_at, desk, lesson, list, rows, options)
    if not ok then error(type(fault) == "table" and fault.message or fault, 0) end
    for i, t in ipairs(list) do out[i] = rows[t] end
    return out
  end, function(_, value, message) got, why = value, message end)
  if not got then error({message = why}, 0) end
  for i, t in ipairs(list) do rows[t] = got[i] end
end

-- The desk is opened here: what is confined starts no program.
local function grade_lesson(lesson, list, rows, options)
  local confined = host.confine and stranger.is(lesson, options)
  local desk = open_desk(confined and lesson.folder, options.weak)
  local ok, fault = pcall(confined and rows_confined or rows_at, desk, lesson, list, rows, options)
  if desk then desk.leave() end
  if not ok then error(fault, 0) end
end

-- Grades the files. Returns the CSV, how many files could not be graded, and the rows.
function M.grade(paths, options)
  local all, rows, by_lesson, order, unread = {}, {}, {}, {}, 0
  local given = {}
  for i, path in ipairs(paths) do
    local t, message = submission(path, options)
    local lesson, why
    if t then lesson, why = catalogue.open(t.lesson) end
    if t and not lesson then t, message = nil, why or ("no lesson \"%s\""):format(t.lesson) end
    if t then
      if lesson.original then error({message = ("grade: %s is a student's copy, without checks"):format(lesson.file)}, 0) end
      if not by_lesson[lesson.name] then
        by_lesson[lesson.name] = {lesson = lesson}
        order[#order + 1] = lesson.name
      end
      t.lesson = lesson.name
      if t.hash and t.hash ~= host.sha256(lesson.text) then t.seal = t.seal .. ", another version of the lesson" end
      table.insert(by_lesson[lesson.name], t)
    else
      unread = unread + 1
      t = {}
      rows[t] = {{file = path, result = "unreadable", feedback = message}}
    end
    given[i] = t
    rows[t] = rows[t] or {}
  end
  for _, name in ipairs(order) do
    local list = by_lesson[name]
    local ok, fault = pcall(grade_lesson, list.lesson, list, rows, options)
    if not ok then
      local why = type(fault) == "table" and fault.message or tostring(fault)
      if why == "interrupted" then error(fault, 0) end
      for _, t in ipairs(list) do
        unread = unread + 1
        rows[t] = {{file = t.file, student = t.student, lesson = name, result = "ungraded", feedback = "the lesson itself fails: " .. why}}
      end
    end
  end
  for _, t in ipairs(given) do
    table.move(rows[t], 1, #rows[t], #all + 1, all)
  end
  return M.csv(COLUMNS, all), unread, all
end

return M
