-- counts.lua: what lint counts in a lesson, beside what it finds: how soon and how often there is something to do, which exercises come in
-- variants, and how much of what is shown stands in English only.

local exercise = require "phasor.course.exercise"
local step = require "phasor.course.step"

local M = {}

M.FIRST, M.GAP = 3, 4 -- something to do comes by this step, and then after so many steps at most

-- Is there something to do in a step: an exercise, or a parameter to move?
local function is_active(s)
  return s.exercise ~= nil or s.code ~= nil and s.code.code:find "%f[%w_]vary%s*%(" ~= nil
end

-- Of a line of code without its comments: texts of a word or more that stand alone where something is shown; beside `en =` there is `zh =`, be
-- it on the next line.
local shows = {"^%s*print%s*%(", "claim%s*=%s*\"", "label%s*=%s*\"", "title%s*=%s*\""}
local function is_english(line)
  if line:find "%f[%a]zh%s*=" or line:find "%f[%a]en%s*=" or line:find "^%s*%-%-" then return false end
  for _, pattern in ipairs(shows) do
    local at = line:find(pattern)
    local rest = at and line:sub(at):match '"([^"]*)"'
    if rest and rest:gsub("%$[^$]*%$", ""):find "%a%a%a" then return true end
  end
  return false
end

local function english_in(lesson)
  local n = 0
  for _, cell in ipairs(lesson.cells) do
    if cell.kind == "code" then
      for line in (cell.code .. "\n"):gmatch "(.-)\n" do n = n + (is_english(line) and 1 or 0) end
    end
  end
  return n
end

-- {steps, first (step with something to do, or nil), gap (the longest run of steps without), exercises, variants, english}
function M.of(lesson)
  local steps = step.steps(lesson, "en")
  local out = {steps = #steps, gap = 0, exercises = 0, variants = 0, english = english_in(lesson)}
  local run = 0
  for i, s in ipairs(steps) do
    if is_active(s) then
      out.first = out.first or i
      if i > out.first then out.gap = math.max(out.gap, run) end
      run = 0
    else
      run = run + 1
    end
  end
  for _, e in ipairs(exercise.of(lesson)) do
    out.exercises, out.variants = out.exercises + 1, out.variants + (e.variants and 1 or 0)
  end
  return out
end

local HEAD = ("%-12s %5s %9s %4s %9s %8s %12s"):format("lesson", "steps", "first do", "gap", "exercises", "variants", "English only")

-- The lines of a table: lessons as {name, counts}; a mark behind what is beyond its bound.
function M.table(list)
  local out = {HEAD}
  for _, l in ipairs(list) do
    local c = l[2]
    local function mark(n, most) return n and tostring(n) .. (n > most and "*" or "") or "none*" end
    out[#out + 1] = ("%-12s %5d %9s %4s %9d %8s %12s"):format(l[1], c.steps, mark(c.first, M.FIRST), mark(c.gap, M.GAP), c.exercises,
                                                              c.variants > 0 and tostring(c.variants) or "0*", mark(c.english, 0))
  end
  return out
end

-- How many marks there are.
function M.marks(list) return select(2, table.concat(M.table(list), "\n"):gsub("%*", "")) end

return M
