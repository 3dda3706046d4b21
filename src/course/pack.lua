-- pack.lua: `phasor course pack --student`: the lessons as students may have them, and a program with these in place of its own.
--
--   DIR/phasor             this program, whose lessons are those below
--   DIR/lessons/NAME.lua   a lesson without solutions, wrong answers and checks; --checks keeps what is not hidden of a check
--
-- A check says what it wants, and so gives its exercise away to who reads it: it stays only where it is asked for. What an exercise asks
-- for, which its solution told, stands in its marker (parse.lua, "asks"), so that an answer that is missing or misnamed is still named.

local catalogue = require "phasor.course.catalogue"
local pool = require "phasor.course.pool"
local exercise = require "phasor.course.exercise"
local host = require "phasor.course.host"
local parse = require "phasor.course.parse"
local room = require "phasor.course.room"
local run = require "phasor.course.run"

local M = {}

-- ---- what an exercise asks for --------------------------------------------------------------------------------------

local function names_of(asked)
  local names = {}
  for key, value in pairs(asked) do
    names[#names + 1] = room.written(host, key) .. (type(value) == "function" and "()" or "")
  end
  table.sort(names)
  return table.concat(names, " ")
end

local function run_cell(lesson, cell, env)
  if not run.runs(cell) then return end
  if cell.variants then rawset(env, "variant", 1) end
  local ok, message = host.eval(parse.code(cell), lesson.file, env)
  if not ok then error(message, 0) end
end

-- ref -> "turn() x". Most solutions run without the lesson; for the others its cells before them run here.
local function asks_of(lesson)
  local env, exercises, out, waiting = host.silent(), exercise.of(lesson), {}, {}
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "exercise" then
      local alone, asked = pcall(exercise.asked, exercises[cell.ref], host, host.silent(), 1)
      if not alone then
        for _, before in ipairs(waiting) do run_cell(lesson, before, env) end
        asked, waiting = exercise.asked(exercises[cell.ref], host, env, 1), {}
      end
      out[cell.ref] = names_of(asked)
    end
    waiting[#waiting + 1] = cell
  end
  return out
end

-- ---- a lesson without them ------------------------------------------------------------------------------------------

local function in_regions(cell, line)
  for _, r in ipairs(cell.regions or {}) do
    if line >= r.first and line <= r.last then return r end
  end
end

-- The lines of a cell that a student may read; nil: the whole cell goes.
local function kept_lines(cell, lines, last, checks, asks)
  if cell.kind == "wrong" or cell.kind == "check" and not checks then return nil end
  local marker = lines[cell.line]
  local out, says = {cell.kind == "exercise" and marker .. (' asks="%s"'):format(asks[cell.ref]) or marker}, false
  for i = cell.line + 1, last do
    local region = in_regions(cell, i)
    if not region then
      out[#out + 1] = lines[i]
      says = says or lines[i]:find "%S" ~= nil
    elseif cell.kind == "exercise" and i == region.first then
      out[#out + 1] = lines[i]:match "^%s*" .. "-- …"
      says = true
    end
  end
  return says and out or nil
end

-- A lesson's text without what a student is to find; asks: ref -> names (above). checks: what is not hidden of the checks stays.
function M.text(lesson, asks, checks)
  local lines, out = {}, {}
  for line in (lesson.text:gsub("\r\n", "\n") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  table.move(lines, 1, lesson.cells[1].line - 1, 1, out)
  for i, cell in ipairs(lesson.cells) do
    local last = lesson.cells[i + 1] and lesson.cells[i + 1].line - 1 or #lines
    local kept = kept_lines(cell, lines, last, checks, asks)
    if kept then table.move(kept, 1, #kept, #out + 1, out) end
  end
  return parse.COPY:format(host.sha256(lesson.text)) .. table.concat(out, "\n"):gsub("\n+$", "") .. "\n"
end

-- ---- the program ----------------------------------------------------------------------------------------------------

-- This program with each text of `instead` (text -> another) in the place of its own, filled up with empty lines; or nil and why not.
local function program_with(instead)
  local path, message = host.program()
  local bytes
  if path then bytes, message = host.contents(path, 1 << 30) end
  if not bytes then return nil, message end
  for text, other in pairs(instead) do
    local at, last = bytes:find(text, 1, true)
    if not at or bytes:find(text, last + 1, true) then return nil, path .. ": a lesson does not stand in it once" end
    if #other > #text then return nil, "a student's copy is longer than its lesson" end
    bytes = table.concat {bytes:sub(1, at - 1), other, ("\n"):rep(#text - #other), bytes:sub(last + 1)}
  end
  return bytes
end

local function save(path, text, how)
  local ok, message = host.save(path, text, how)
  if not ok then error({message = message}, 0) end
end

-- Writes the folder. Returns the names of the lessons in it; raises what goes wrong.
function M.write(folder, options)
  local lessons, copies, instead, names = {}, {}, {}, catalogue.names()
  for i, name in ipairs(names) do
    local message
    lessons[i], message = catalogue.open(name)
    if not lessons[i] then error({message = message}, 0) end
    if lessons[i].original then error({message = "course pack: this program is a student's own, without solutions"}, 0) end
  end
  pool.run(host, #lessons, options.jobs, function(i) return #lessons[i].cells end, function(i) return asks_of(lessons[i]) end,
           function(i, asks, why)
    if not asks then error({message = ("%s: %s"):format(lessons[i].file, why)}, 0) end
    copies[i] = M.text(lessons[i], asks, options.checks)
    host.progress(names[i], 1)
  end)
  for i, lesson in ipairs(lessons) do instead[lesson.text] = copies[i] end
  local program, message = program_with(instead)
  if not program then error({message = message}, 0) end
  for i, name in ipairs(names) do save(("%s/lessons/%s.lua"):format(folder, name), copies[i], true) end
  save(folder .. "/phasor", program, "program")
  return names
end

return M
