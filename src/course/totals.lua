-- totals.lua: what the rows of `grade` come to: a table by student, one by question, the class in a terminal, a text of feedback for each hand-in.

local counted = require "phasor.course.messages".counted
local harmless = require "phasor.course.harmless"
local prose = require "phasor.document.prose"
local trim = require "phasor.document.trim"

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

local function is_broken(row) return tostring(row.seal):find("^broken") ~= nil end

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

-- The rows in groups of one feedback, the largest first; of equals the one that came first.
local function by_feedback(rows)
  local out, place = groups(rows, function(row) return row.feedback end), {}
  for i, g in ipairs(out) do place[g] = i end
  table.sort(out, function(a, b)
    if #a ~= #b then return #a > #b end
    return place[a] < place[b]
  end)
  return out
end

-- The feedback that most answers got: how many, and its text.
local function commonest(rows)
  local most = by_feedback(rows)[1]
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
  en = {students = "%s: %d hand-in(s)", head = {"exercise", "right", "wrong", "missing", "mean"}, of = "%s of %s", unread = "not graded: %s: %s", seal = "%s: its seal is broken",
        points = "%s of %s points", right = "right", missing = "no answer", wrong = "wrong",
        broken = "The seal of this hand-in is broken: it was changed after it was exported."},
  zh = {students = "%s：%d 份作业", head = {"练习", "对", "错", "未答", "平均分"}, of = "%s/%s", unread = "未能批改：%s：%s", seal = "%s：封印已破",
        points = "得 %s 分，满分 %s 分", right = "正确", missing = "没有作答", wrong = "错误",
        broken = "这份作业的封印已破：导出之后又被改动过。"},
}

local WIDE, BAR, SHOWN = {24, 7, 7, 9, 12}, 10, 2 -- columns; of the bar; feedback of one exercise

local function put_line(out, cells)
  local text = "  "
  for i, width in ipairs(WIDE) do text = text .. cells[i] .. (" "):rep(math.max(1, width - prose.width(cells[i]))) end
  out[#out + 1] = trim.right(text .. (cells[#WIDE + 1] or ""))
end

-- An exercise: its line, and below it what most wrong answers were told, with how many were.
local function put_question(out, q, rows, w, columns)
  local share = math.floor(BAR * q.right / q.students + 0.5)
  put_line(out, {q.exercise, tostring(q.right), tostring(q.wrong), tostring(q.missing), w.of:format(q.mean, q.of),
                 ("━"):rep(share) .. ("╌"):rep(BAR - share)})
  for i, g in ipairs(by_feedback(rows)) do
    if i > SHOWN then break end
    out[#out + 1] = prose.fill(harmless(g[1].feedback), columns, ("    %3d × "):format(#g), (" "):rep(10))
  end
end

-- The class at a glance, for a terminal: by lesson its exercises, those that fewest got right first; then what could not be graded.
function M.overview(rows, lang, columns)
  local out, w = {}, words[lang] or words.en
  for _, g in ipairs(groups(rows, function(row) return is_graded(row) and row.lesson end)) do
    local list, place, of = M.questions(g), {}, {}
    for i, q in ipairs(list) do place[q] = i end
    for _, row in ipairs(g) do of[row.exercise] = of[row.exercise] or {}; table.insert(of[row.exercise], row) end
    table.sort(list, function(a, b)
      local left, right = a.right * b.students, b.right * a.students
      if left ~= right then return left < right end
      return place[a] < place[b]
    end)
    out[#out + 1] = counted(w.students, g[1].lesson, #groups(g, function(row) return row.file end))
    for _, one in ipairs(groups(g, function(row) return is_broken(row) and row.file end)) do
      out[#out + 1] = "  " .. w.seal:format(harmless(one[1].file))
    end
    put_line(out, w.head)
    for _, q in ipairs(list) do put_question(out, q, of[q.exercise], w, columns) end
  end
  for _, row in ipairs(rows) do
    if not is_graded(row) then out[#out + 1] = w.unread:format(harmless(row.file), harmless(row.feedback or "")) end
  end
  return table.concat(out, "\n") .. "\n"
end

-- {name = (of a file), text = } for each hand-in; two of one name are numbered.
function M.feedback(rows, lang)
  local out, times, w = {}, {}, words[lang] or words.en
  for i, g in ipairs(groups(rows, function(row) return is_graded(row) and row.file .. "\0" .. row.lesson end)) do
    local lines = {("%s: %s"):format(g[1].lesson, g[1].student), w.points:format(("%g"):format(sum(g, "points")), ("%g"):format(sum(g, "of"))), ""}
    if is_broken(g[1]) then table.insert(lines, 2, w.broken) end
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
