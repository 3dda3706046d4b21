-- Programs of bench_grade.c, which it names by what stands behind the @.

-- @setup
course = {grade = require "phasor.course.grade", exercise = require "phasor.course.exercise", host = require "phasor.course.host"}
clock, FOLDER = require("phasor.guard").clock, os.getenv "BENCH_FOLDER" .. "/"
LESSON = FOLDER .. "turns.lua"
course.host.save(LESSON, [[
-- %% [markdown] ref="one" lang="en"
-- # Turns
-- %% [markdown] ref="one" lang="zh"
-- # 圈
-- %%
function base() return 4711 end
-- %% role="exercise" ref="one" points=4
function f(x)
  --- BEGIN SOLUTION
  return 2 * x
  --- END SOLUTION
end
-- %% role="check" ref="one"
feedback(not pcall(f, nil), {en = "no number, no answer", zh = "不是数"})
feedback(same(f, function(x) return 2 * x end, {what = "f", at = {{1}, {2}, {-3}}}))
]])

function hand_in(name, answer)
  local path = ("%sturns-%s.lua"):format(FOLDER, name)
  assert(course.host.save(path, '-- %% role="exercise" ref="one"\n' .. answer .. "\n"))
  return path
end

function grade(paths, seconds)
  local _, unread, rows = course.grade.grade(paths, {lesson = LESSON, lang = "en", trust = true, limits = {seconds = seconds, megabytes = 64}})
  assert(unread == 0 and #rows == #paths)
  return rows
end

-- @hundred
local paths = {}
for i = 1, 100 do paths[i] = hand_in("s" .. i, "function f(x) return x + x end") end
local began = clock()
local rows = grade(paths, 10)
print(("hundred phasor %.9f"):format(clock() - began))
for _, row in ipairs(rows) do assert(row.result == "right") end

-- @overrun
-- The budget is processor time, of the answer and the check together; on a machine with nothing else to do it is as much time. None of them only
-- waits.
local SECONDS = 0.3
local paths, name, lines = {}, nil, {}
local function finish() if name then paths[#paths + 1] = hand_in(name, table.concat(lines, "\n")) end end
for line in io.lines "tests/course/hostile-answers" do
  local next_name = line:match "^## (%S+)"
  if next_name then
    finish()
    name, lines = next_name, {}
  elseif name and not line:find "^#" then lines[#lines + 1] = (line:gsub("SECONDS", SECONDS)) end
end
finish()
local try, late = course.exercise.try_apart, 0
function course.exercise.try_apart(...)
  local began = clock()
  local r = try(...)
  late = math.max(late, clock() - began - SECONDS)
  return r
end
assert(#grade(paths, SECONDS) > 190)
course.exercise.try_apart = try
print(("overrun phasor %.9f"):format(late))
