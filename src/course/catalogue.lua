-- catalogue.lua: which lessons there are, and a lesson by its name or by the path of a file.

local ledger = require "phasor.ledger"
local host = require "phasor.course.host"
local lint = require "phasor.course.lint"
local nearest = require "phasor.course.nearest"
local parse = require "phasor.course.parse"
local prose = require "phasor.document.prose"
local shipped = require "phasor.course.shipped"

local M = {}

-- In the order of the course; the rest by name.
function M.names()
  local out, place = {}, {}
  for i, name in ipairs(ledger.order) do place[name] = i end
  for i, lesson in ipairs(shipped) do out[i] = lesson.name end
  table.sort(out, function(a, b)
    local x, y = place[a] or math.huge, place[b] or math.huge
    if x ~= y then return x < y end
    return a < b
  end)
  return out
end

local function text_of(name)
  for _, lesson in ipairs(shipped) do
    if lesson.name == name then return lesson.text, lesson.file end
  end
  if name:find("%.lua$") then
    local text, message = host.contents(name)
    return text, text and name or message
  end
  return nil
end

-- The language of a lesson whose prose is in one only, nil of another.
local function only_language(lesson)
  local found
  for _, cell in ipairs(lesson.cells) do
    if cell.lang and found and cell.lang ~= found then return nil end
    found = found or cell.lang
  end
  return found
end

-- The parsed lesson, with .folder where it comes from a file, and then .language where it is in one language: those of the course are in both;
-- or nil and a message; the message is nil when there is no such lesson.
function M.open(name)
  local text, file = text_of(name)
  if not text then return nil, file end
  local lesson, message = parse.parse(text, file)
  if not lesson then return nil, message end
  lesson.text, lesson.folder = text, name:find "%.lua$" and (file:match "^(.*)/[^/]*$" or ".") or nil
  lesson.language = lesson.folder and only_language(lesson)
  return lesson, message
end

function M.refuse_language(lesson)
  error({message = ("%s is in %s only"):format(lesson.file, lesson.language == "en" and "English" or "Chinese")}, 0)
end

function M.hint(name, lang) return nearest.hint(name, M.names(), lang) end

function M.lint(lesson, ledger) return lint.lint(lesson, ledger) end

function M.title(lesson, lang)
  for _, cell in ipairs(lesson.cells) do
    if cell.prose and cell.lang == lang then return prose.title(cell.text) or lesson.name end
  end
  return lesson.name
end

function M.claims(lesson)
  local out = {}
  for _, cell in ipairs(lesson.cells) do out[#out + 1] = cell.claim end
  return out
end

-- id -> {name, file, line} of the lesson and cell that check it, over all lessons that travel with the laboratory; and these, by name.
function M.lesson_of()
  local out, lessons = {}, {}
  for _, name in ipairs(M.names()) do
    local lesson = M.open(name)
    lessons[name] = lesson
    for _, cell in ipairs(lesson and lesson.cells or {}) do
      if cell.claim then out[cell.claim] = {name = name, file = lesson.file, line = cell.line} end
    end
  end
  return out, lessons
end

return M
