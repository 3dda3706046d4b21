-- totals.lua: what the rows of `grade` come to: a table by student, one by question, and a text of feedback for each hand-in.

local M = {}

-- Rows in groups by `key(row)`, in the order in which they first come.
local function groups(rows, key)
  local out, of = {}, {}
  for _, row in ipairs(rows) do
    local k = key(row)
    if k then
      if not of[k] then
        of[k] = {}
        out[#out + 1] = of[k]
      end
      table.insert(of[k], row)
    end
  end
  return out
end

local function count(rows, test)
  local n = 0
  for _, row in ipairs(rows) do if test(row) then n = n + 1 end end
  return n
end

local function is(result) return function(row) return row.result == result end end

local function sum(rows, name)
  local total = 0
  for _, row in ipairs(rows) do total = total + (tonumber(row[name]) or 0) end
  return total
end

-- A file could be read and its lesson ran.
local function is_graded(row) return row.exercise ~= nil end

M.STUDENT = {"student", "lesson", "points", "of", "percent", "right", "wrong", "missing", "seal", "file"}

-- One row a hand-in.
function M.students(rows)
  local out = {}
  for i, g in ipairs(groups(rows, function(row) return is_graded(row) and row.file .. "\0" .. row.lesson end)) do
    local points, of = sum(g, "points"), sum(g, "of")
    local right, missing = count(g, is "right"), count(g, is "missing")
    out[i] = {student = g[1].student, lesson = g[1].lesson, points = ("%g"):format(points), of = ("%g"):format(of),
              percent = ("%.1f"):format(of > 0 and 100 * points / of or 0), right = right, wrong = #g - right - missing,
              missing = missing, seal = g[1].seal, file = g[1].file}
  end
  return out
end

-- The feedback that most answers got: how many, and its text.
local function commonest(rows)
  local most
  for _, g in ipairs(groups(rows, function(row) return row.feedback end)) do
    if not most or #g > #most then most = g end
  end
  return most and #most or 0, most and most[1].feedback or ""
end

M.QUESTION = {"lesson", "exercise", "of", "students", "right", "wrong", "missing", "mean", "same_feedback", "feedback"}

-- One row an exercise: the class at a glance.
function M.questions(rows)
  local out = {}
  for i, g in ipairs(groups(rows, function(row) return is_graded(row) and row.lesson .. "\0" .. row.exercise end)) do
    local right, missing = count(g, is "right"), count(g, is "missing")
    local n, feedback = commonest(g)
    out[i] = {lesson = g[1].lesson, exercise = g[1].exercise, of = g[1].of, students = #g, right = right, wrong = #g - right - missing,
              missing = missing, mean = ("%.2f"):format(sum(g, "points") / #g), same_feedback = n, feedback = feedback}
  end
  return out
end

-- A name that is safe in a file's: letters, digits and what is beyond ASCII; at most 60 bytes.
function M.file_name(text)
  local name = text:gsub("[^%w\x80-\xFF_-]+", "-"):gsub("^%-+", ""):gsub("%-+$", "")
  while #name > 60 do name = name:sub(1, utf8.offset(name, -1) - 1) end
  return name
end

local words = {
  en = {points = "%s of %s points", right = "right", missing = "no answer", wrong = "wrong",
        broken = "The seal of this hand-in is broken: it was changed after it was exported."},
  zh = {points = "得 %s 分，满分 %s 分", right = "正确", missing = "没有作答", wrong = "错误",
        broken = "这份作业的封印已破：导出之后又被改动过。"},
}

-- {name = (of a file), text = } for each hand-in; two of one name are numbered.
function M.feedback(rows, lang)
  local out, times, w = {}, {}, words[lang] or words.en
  for i, g in ipairs(groups(rows, function(row) return is_graded(row) and row.file .. "\0" .. row.lesson end)) do
    local lines = {("%s: %s"):format(g[1].lesson, g[1].student), w.points:format(("%g"):format(sum(g, "points")), ("%g"):format(sum(g, "of"))), ""}
    if tostring(g[1].seal):find("^broken") then table.insert(lines, 2, w.broken) end
    for _, row in ipairs(g) do
      lines[#lines + 1] = ("%s  %s/%s  %s"):format(row.exercise, row.points, row.of, w[row.result] or w.wrong)
      if row.feedback then lines[#lines + 1] = "    " .. row.feedback end
    end
    local name = M.file_name(g[1].lesson:match("([^/]+)%.lua$") or g[1].lesson) .. "-" .. M.file_name(g[1].student or "")
    times[name] = (times[name] or 0) + 1
    if times[name] > 1 then name = name .. "-" .. times[name] end
    out[i] = {name = name .. ".txt", text = table.concat(lines, "\n") .. "\n"}
  end
  return out
end

return M
