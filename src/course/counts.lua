-- counts.lua: what lint counts in a lesson, beside what it finds: how soon and how often there is something to do, which exercises come in
-- variants, how much of what is shown stands in English only, and which sentences are too long to be read at once.

local exercise = require "phasor.course.exercise"
local lab = require "phasor"
local step = require "phasor.course.step"

local M = {}

M.FIRST, M.GAP = 3, 4 -- something to do comes by this step, and then after so many steps at most

-- Is there something to do in a step: an exercise, or a parameter to move?
local function is_active(s)
  return s.exercise ~= nil or s.code ~= nil and s.code.code:find "%f[%w_]vary%s*%(" ~= nil
end

-- What shows a text, which follows at once or behind a name and "..". Beside `en =` there is `zh =`, be it on the next line.
local SHOWS = {"print%s*%(", "display%s*%(", "claim%s*=", "label%s*=", "title%s*=", "xlabel%s*=", "ylabel%s*=", "caption%s*=",
               "why%s*=", "figure%s*%(", "named%s*%(", "fails%s*%(.*%)%s*,"}
local BOTH = '{%s*en%s*=%s*"[^"]*"%s*,%s*zh%s*=%s*"[^"]*"%s*}'
local LIST = "labels%s*=%s*(%b{})" -- texts of which each is read

-- Two English words, or one of four letters or more, formulas, functions and what is filled in aside.
local function has_words(text)
  text = text:gsub("%$[^$]*%$", ""):gsub("%a+%(", "("):gsub("%%[-+ #0]*%d*%.?%d*%a", "")
  return text:find "%f[%a]%l%l%l%l+%f[^%a]" ~= nil or text:find "%f[%a]%a%l+ %a%l+" ~= nil
end

local NAMES = {softmax = true, yarn = true, float = true, erope = true} -- what is called so in both languages
for name in pairs(lab.encodings()) do NAMES[name] = true end

local function is_english(line)
  line = line:gsub(BOTH, "{}")
  if line:find "%f[%a]zh%s*=" or line:find "%f[%a]en%s*=" or line:find "says%s*[{(]" or line:find "^%s*%-%-" then return false end
  local function reads(text) return text and not NAMES[text] and has_words(text) end
  for text in (line:match(LIST) or ""):gmatch '"([^"]*)"' do if reads(text) then return true end end
  for _, pattern in ipairs(SHOWS) do
    local _, at = line:find("%f[%w_]" .. pattern)
    local rest = at and line:sub(at + 1)
    if rest and reads(rest:match '^%s*%(*"([^"]*)"' or rest:match '^%s*%(*[%w_]+%s*%.%.%s*"([^"]*)"') then return true end
  end
  return false
end

-- The lines of a lesson's file that show English only, as {number, text}.
function M.english(lesson)
  local out = {}
  for _, cell in ipairs(lesson.cells) do
    local at = cell.line
    for line in ((cell.kind == "code" and cell.code or "") .. "\n"):gmatch "(.-)\n" do
      at = at + 1
      if is_english(line) then out[#out + 1] = {at, line} end
    end
  end
  return out
end

M.LONGEST = {en = 40, zh = 90} -- words of an English sentence, characters of a Chinese one

-- Words or Chinese characters of a sentence; formulas and code are none.
local function length(sentence, lang)
  local n = 0
  if lang == "en" then return select(2, sentence:gsub("%f[%a]%a[%a']*", "")) end
  for _, code in utf8.codes(sentence) do if code >= 0x4E00 and code <= 0x9FFF then n = n + 1 end end
  return n
end

-- Sentences of a text: one ends at . ? ! before a blank (and marks of emphasis), at 。？！, and where a block ends.
local function sentences(text)
  local out = {}
  text = ("\n" .. text .. "\n"):gsub("\n#+ [^\n]*", "\n\n"):gsub("\n> %*%*[^\n]*%*%*\n", "\n\n") -- titles
  text = text:gsub("%$%$.-%$%$", "\n\n"):gsub("%$[^$]*%$", "0"):gsub("`[^`\n]*`", "0"):gsub("\n> ?", "\n"):gsub("\n%s*%- ", "\n\n"):gsub("\n%s*\n", "\0")
  text = text:gsub("([.?!][%)%*\"]*)%s", "%1\0"):gsub("。", "\0"):gsub("？", "\0"):gsub("！", "\0")
  for sentence in text:gmatch "[^%z]+" do out[#out + 1] = sentence end
  return out
end

-- The sentences of a lesson that are longer, as {line of their cell, text}.
function M.long(lesson)
  local out = {}
  for _, cell in ipairs(lesson.cells) do
    for _, sentence in ipairs(cell.prose and sentences(cell.text) or {}) do
      if length(sentence, cell.lang) > M.LONGEST[cell.lang] then out[#out + 1] = {cell.line, sentence} end
    end
  end
  return out
end

-- {steps, first (step with something to do, or nil), gap (the longest run of steps without), exercises, variants, english, long}
function M.of(lesson)
  local steps = step.steps(lesson, "en")
  steps = table.move(steps, 1, step.main(steps), 1, {}) -- an appendix is read, not practised
  local out = {steps = #steps, gap = 0, exercises = 0, variants = 0, english = #M.english(lesson), long = #M.long(lesson)}
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

local HEAD = ("%-12s %5s %9s %4s %9s %8s %12s %4s"):format("lesson", "steps", "first do", "gap", "exercises", "variants", "English only", "long")

-- The lines of a table: lessons as {name, counts}; a mark behind what is beyond its bound.
function M.table(list)
  local out = {HEAD}
  for _, l in ipairs(list) do
    local c = l[2]
    local function mark(n, most) return n and tostring(n) .. (n > most and "*" or "") or "none*" end
    out[#out + 1] = ("%-12s %5d %9s %4s %9d %8s %12s %4s"):format(l[1], c.steps, mark(c.first, M.FIRST), mark(c.gap, M.GAP), c.exercises,
                                                              c.variants > 0 and tostring(c.variants) or "0*", mark(c.english, 0), mark(c.long, 0))
  end
  return out
end

-- How many marks there are.
function M.marks(list) return select(2, table.concat(M.table(list), "\n"):gsub("%*", "")) end

return M
