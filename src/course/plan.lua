-- plan.lua: the course by days: which lessons, how many minutes they take a student who does the exercises (estimates), and what they need.
-- docs/teaching.md has the same table (tests/course/test_plan.sh holds the two together).

local prose = require "phasor.document.prose"

local M = {}

-- {week, day, {lesson, minutes, …}, what is needed: lessons in backquotes}
local days = {
  {1, 1, {"order", 40, "attention", 50}, {en = "matrices, softmax", zh = "矩阵，softmax"}},
  {1, 2, {"recurrence", 40, "absolute", 40}, {en = "`attention`", zh = "`attention`"}},
  {1, 3, {"sinusoids", 70}, {en = "complex numbers", zh = "复数"}},
  {1, 4, {"origin", 60}, {en = "Taylor's formula in several variables", zh = "多元泰勒公式"}},
  {1, 5, {"decay", 80}, {en = "integrals; `sinusoids`", zh = "积分；`sinusoids`"}},
  {2, 1, {"hessian", 70}, {en = "`origin`", zh = "`origin`"}},
  {2, 2, {"relative", 70}, {en = "`attention`, `absolute`", zh = "`attention`、`absolute`"}},
  {2, 3, {"rope", 80}, {en = "`sinusoids`, `relative`", zh = "`sinusoids`、`relative`"}},
  {2, 4, {"context", 80, "training", 40}, {en = "`rope`", zh = "`rope`"}},
  {2, 5, {"modern", 50, "precision", 40, "errata", 30}, {en = "`rope`, `context`", zh = "`rope`、`context`"}},
}

-- Minutes for a lesson; nil for one that is on no day.
function M.minutes(name)
  for _, day in ipairs(days) do
    for i = 1, #day[3], 2 do if day[3][i] == name then return day[3][i + 1] end end
  end
end

-- The names of a day's lessons, each put into `form`, with `comma` between them, and their minutes together.
local function lessons_of(day, form, comma)
  local names, minutes = {}, 0
  for i = 1, #day[3], 2 do
    names[#names + 1], minutes = form:format(day[3][i]), minutes + day[3][i + 1]
  end
  return table.concat(names, comma), minutes
end

-- The rows of the table as docs/teaching.md has them, in Markdown.
function M.markdown()
  local out = {}
  for k, day in ipairs(days) do
    local names, minutes = lessons_of(day, "`%s`", ", ")
    out[k] = ("| %d, day %d | %s | %d | %s |"):format(day[1], day[2], names, minutes, day[4].en)
  end
  return out
end

local words = {
  en = {comma = ", ", head = {"week", "day", "minutes", "lessons", "needs"}, below = "Minutes are estimates, with the exercises. `proof` is for any day."},
  zh = {comma = "、", head = {"周", "日", "分钟", "课", "需要"}, below = "分钟数是估计，包括做练习。`proof` 哪天看都行。"},
}
local WIDE = {5, 4, 8, 26} -- columns before `needs`

local function line(cells)
  local out = ""
  for i, width in ipairs(WIDE) do out = out .. cells[i] .. (" "):rep(math.max(1, width - prose.width(cells[i]))) end
  return out .. cells[#WIDE + 1]
end

-- The same for a terminal of 80 columns.
function M.text(lang)
  local w = words[lang]
  local out = {line(w.head)}
  for _, day in ipairs(days) do
    local names, minutes = lessons_of(day, "%s", w.comma)
    out[#out + 1] = line {tostring(day[1]), tostring(day[2]), tostring(minutes), names, (day[4][lang]:gsub("`", ""))}
  end
  out[#out + 1] = (w.below:gsub("`", ""))
  return table.concat(out, "\n") .. "\n"
end

return M
