-- classroom.lua: `lesson` and what goes with it: the map of the course, opening a lesson, and for teachers and authors a new
-- lesson's scaffold, the lint of all, and a hand-in.

local catalogue = require "phasor.course.catalogue"
local counts = require "phasor.course.counts"
local exercise = require "phasor.course.exercise"
local handin = require "phasor.course.handin"
local host = require "phasor.course.host"
local ledger = require "phasor.ledger"
local lint = require "phasor.course.lint"
local plan = require "phasor.course.plan"
local progress = require "phasor.course.progress"
local prose = require "phasor.document.prose"
local step = require "phasor.course.step"
local stranger = require "phasor.course.stranger"
local totals = require "phasor.course.totals"
local tutor = require "phasor.course.tutor"
local messages = require "phasor.course.messages"
local trim = require "phasor.document.trim"

local M = {}

-- ---- the map --------------------------------------------------------------------------------------------------------

local APPENDIX = "proof"
local BAR = 10

local function said(w) return function(key, ...) host.write(w[key]:format(...) .. "\n") end end

local function pad(text, columns) return text .. (" "):rep(math.max(0, columns - prose.width(text))) end

-- "━━━━╌╌╌╌╌╌": how much of the lesson lies behind.
local function bar(record)
  local share = record and (record.finished and 1 or (record.step - 1) / math.max(1, record.of)) or 0
  local n = math.floor(share * BAR + 0.5)
  return ("━"):rep(n) .. ("╌"):rep(BAR - n)
end

local function earned(lesson, record)
  local got, all = 0, 0
  for _, e in ipairs(exercise.of(lesson)) do
    all = all + e.points
    got = got + (record and record.exercises[e.ref] or {points = 0}).points
  end
  return got, all
end

local function standing(w, lesson, record)
  local parts = {}
  if record and record.finished then parts[1] = w.map_done
  elseif record and record.step > 1 then parts[1] = w.map_at:format(record.step, record.of) end
  local got, all = earned(lesson, record)
  if all > 0 and record and not lesson.original then parts[#parts + 1] = messages.counted(w.map_points, got, all) end
  return table.concat(parts, w.map_comma)
end

-- The lessons in order with their titles and, where there is progress, how far each has been taken.
function M.map(lang)
  local w = messages.of(lang)
  local records = progress.load(host, said(w)) or {}
  local any, columns = next(records) ~= nil, host.columns() - 1
  host.write(w.lessons .. "\n")
  for i, name in ipairs(catalogue.names()) do
    local lesson, message = catalogue.open(name)
    if name == APPENDIX then host.write("  " .. w.map_appendix .. "\n") end
    if lesson then
      local line = ("  %s %s "):format(name == APPENDIX and "  " or ("%2d"):format(i), pad(name, 11))
      if any and columns >= 60 then line = line .. bar(records[name]) .. "  " end
      local how, minutes = any and standing(w, lesson, records[name]) or "", plan.minutes(name)
      if how == "" and minutes then how = w.minutes:format(minutes) end
      local title = catalogue.title(lesson, lang) .. (how ~= "" and w.in_brackets:format(how) or "")
      host.write(trim.right(prose.fill(title, columns, line, (" "):rep(prose.width(line)))) .. "\n")
    else
      host.write("  " .. message .. "\n")
    end
  end
  host.write(prose.fill(w.lesson_plan, columns) .. "\n")
end

-- ---- opening --------------------------------------------------------------------------------------------------------

local function following(lang)
  return function(name)
    local names = catalogue.names()
    for i, n in ipairs(names) do
      if n == name and names[i + 1] and names[i + 1] ~= APPENDIX then
        local lesson = catalogue.open(names[i + 1])
        return lesson and {name = names[i + 1], title = catalogue.title(lesson, lang)}
      end
    end
  end
end

local function lesson_named(name, lang, usage)
  local lesson, message = catalogue.open(name)
  if lesson then return lesson end
  if message then error({message = message}, 0) end
  usage(messages.of(lang).no_lesson, name, catalogue.hint(name, lang))
end

-- The name that was given with any lesson, or nil.
local function name_in(records)
  local names = {}
  for _, r in pairs(records) do if type(r.name) == "string" then names[#names + 1] = r.name end end
  table.sort(names)
  return names[1]
end

-- Keeps a name with every lesson.
local function keep_name(records, name, w)
  for key, r in pairs(records) do
    if r.name ~= name then
      r.name = name
      progress.save(host, key, r, said(w))
    end
  end
end

-- :export, in a lesson. Returns the name that the hand-in carries, or nil.
local function export_here(name, lang)
  local ok, fault = pcall(M.export, name, {lang = lang}, function(text, ...) error({message = text:format(...)}, 0) end)
  if not ok then host.write((type(fault) == "table" and fault.message or tostring(fault)) .. "\n") end
  return name_in(progress.load(host, said(messages.of(lang))) or {})
end

-- The language to show a lesson in: the one asked for, or the other where there is none in it, which is said, as is a half-translated one.
local function spoken(lesson, lang)
  local other = lang == "zh" and "en" or "zh"
  local own, all = step.translated(lesson, lang)
  if own == all then return lang end
  local w = messages.of(lang)
  host.write((own == 0 and w.no_translation or w.half_translated):format(lesson.name, all - own, all) .. "\n")
  return own == 0 and other or lang
end

-- Opens a lesson for someone at the prompt; without one it runs through. options: lang, seed, restart, trust.
function M.open(name, options, usage)
  local lang = options.lang
  local lesson = lesson_named(name, lang, usage)
  lang = spoken(lesson, lang)
  if options.asked and host.interactive() then host.prefer(lang) end -- before a stranger's lesson is let in, from which none is taken
  local foreign = stranger.is(lesson, options)
  local confined = foreign and stranger.confine(lesson, options, function(text) io.stderr:write(prose.fill(text, host.columns() - 1), "\n") end)
  if not host.interactive() and foreign then stranger.guard(host.globals()) end
  if not host.interactive() then return step.walk(lesson, ledger, host, lang, messages.of(lang)) > 0 and 1 or 0 end
  local function records() return not foreign and progress.load(host, said(messages.of(lang))) or {} end
  tutor.open {name = lesson.name, lesson = lesson, ledger = ledger, host = host, lang = lang, words = messages.of(lang),
              stranger = foreign, confined = confined, student = options.seed, known = name_in(records()),
              rename = function(to) keep_name(records(), to, messages.of(lang)) end, restart = options.restart, map = function() M.map(lang) end,
              export = function() return export_here(name, lang) end, following = following(lang)}
  return 0
end

-- ---- for authors ----------------------------------------------------------------------------------------------------

local SCAFFOLD = [==[
-- NAME: what this lesson is about, in one line.

-- %% [markdown] ref="start" lang="en"
-- # Title of the lesson
-- Why one would want to know this. Let $d$ be the length of a code.

-- %% [markdown] ref="start" lang="zh"
-- # 本课标题
-- 为什么要学这个。设 $d$ 为编码的长度。

-- %% ref="start"
local a, b = sym "a b"
return prove(cos(a - b), cos(a) * cos(b) + sin(a) * sin(b))

-- %% [markdown] ref="first" lang="en"
-- ## Exercise: the wavelength
-- Write `wavelength(i, d)`: after how many steps pair $i$ of a code of length $d$ comes round.

-- %% [markdown] ref="first" lang="zh"
-- ## 练习：波长
-- 写一个函数 `wavelength(i, d)`：长度为 $d$ 的编码，第 $i$ 对每走多少步转满一圈。

-- %% role="exercise" ref="first" points=1
function wavelength(i, d)
  --- BEGIN SOLUTION
  return 2 * pi * 10000 ^ (2 * i / d)
  --- END SOLUTION
end

-- %% role="hint" ref="first" lang="en"
-- How far does the pair turn in one step?
-- %% role="hint" ref="first" lang="zh"
-- 这一对每走一步转过多少？

-- %% role="hint" ref="first" lang="en"
-- By $10000^{-2i/d}$; a full turn is $2\pi$.
-- %% role="hint" ref="first" lang="zh"
-- 转过 $10000^{-2i/d}$；一整圈是 $2\pi$。

-- %% role="check" ref="first"
feedback(not same(wavelength(1, 8), 10000 ^ (2 / 8)), {
  en = "That is the number of steps for one radian; a full turn is 2π.",
  zh = "这是转一弧度所需的步数；一整圈是 2π。",
})
local function right(i, d) return 2 * pi * 10000 ^ (2 * i / d) end
feedback(same(wavelength, right, {what = "wavelength", at = {{0, 8}, {3, 8}, {63, 128}}}))

-- %% role="wrong" ref="first" expect="one radian"
function wavelength(i, d) return 10000 ^ (2 * i / d) end

-- %% role="wrong" ref="first" expect="wavelength(3, 8)"
function wavelength(i, d) return 2 * pi * 10000 ^ (-2 * i / d) end
]==]

-- `lesson new NAME`: a file that is in order and shows every kind of cell. Where there is a folder of lessons it goes there.
function M.new(name, usage)
  if not name:find("^%l[%l%d_-]*$") then usage("lesson new: \"%s\"; wanted a name of small letters, digits, - and _", name) end
  local path = (host.exists("lessons/ledger.lua") and "lessons/" or "") .. name .. ".lua"
  if host.exists(path) then usage("lesson new: %s is there already", path) end
  local ok, message = host.save(path, (SCAFFOLD:gsub("NAME", name, 1)))
  if not ok then error({message = message}, 0) end
  host.write(("%s\n  phasor lesson lint %s   what is missing\n  phasor check %s         runs it as a test\n"
              .. "  phasor lesson %s        walks through it\n"):format(path, path, path, path))
  return 0
end

-- `lesson lint [NAME…]`: what is not in order or not finished; all lessons without a name.
function M.lint(names, lang, usage)
  local found, n, counted = 0, 0, {}
  for _, name in ipairs(#names > 0 and names or catalogue.names()) do
    local lesson, message = catalogue.open(name)
    if not lesson and not message then lesson_named(name, lang, usage) end
    local list = lesson and lint.lint(lesson, ledger) or {message}
    if lesson and name ~= APPENDIX then for _, text in ipairs(lint.unfinished(lesson)) do list[#list + 1] = text end end
    for _, text in ipairs(list) do host.write(text .. "\n") end
    if lesson and name ~= APPENDIX then counted[#counted + 1] = {lesson.name, counts.of(lesson)} end
    found, n = found + #list, n + 1
  end
  for _, line in ipairs(counts.table(counted)) do host.write(line .. "\n") end
  host.write(messages.counted("* %d count(s) to better\n", counts.marks(counted)))
  host.write(messages.counted("%d lesson(s), %d to mend\n", n, found))
  return found > 0 and 1 or 0
end

-- ---- handing in -----------------------------------------------------------------------------------------------------

-- The student's name: as it was given before, with any lesson, or asked for once. nil where nobody answers.
local function known_name(records, w)
  if name_in(records) then return name_in(records) end
  if not host.interactive() then return nil end
  io.write(w.your_name)
  local name = trim.both(io.read() or ""):gsub("[%c\x7F]", "")
  if name == "" then return nil end
  keep_name(records, name, w)
  return name
end

-- `lesson export NAME`: the student's answers as a file to be graded.
function M.export(name, options, usage)
  local w = messages.of(options.lang)
  local lesson = lesson_named(name, options.lang, usage)
  local records = progress.load(host, said(w)) or {}
  local record = records[lesson.name]
  if not record then usage("lesson export: no progress in \"%s\" yet", lesson.name) end
  local student = options.student or known_name(records, w)
  local path = options.out or lesson.name .. "-" .. (student and totals.file_name(student) or "answers") .. ".json"
  local old, _, missing = host.contents(path)
  if not missing and not handin.read(old or "", host) then usage("lesson export: %s is there and is no hand-in; give --out FILE", path) end
  local ok, message = host.save(path, handin.write(lesson, record, student or record.student, host))
  if not ok then error({message = message}, 0) end
  host.write(path .. "\n")
  return 0
end

return M
