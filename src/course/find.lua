-- find.lua: what a search looks through besides help: the steps of the lessons and the terms of the glossary, in both languages; what a
-- list shows of them is in the session's.

local catalogue = require "phasor.course.catalogue"
local glossary = require "phasor.course.glossary"
local host = require "phasor.course.host"
local prose = require "phasor.document.prose"
local step = require "phasor.course.step"

local M = {}

local entries

-- A step of a lesson is one entry: {lines = by language, …} as search.lua has them.
local function add_steps(name)
  local lesson = catalogue.open(name)
  if not lesson then return end
  local zh = step.steps(lesson, "zh")
  for i, s in ipairs(step.steps(lesson, "en")) do
    local other = zh[i] or s
    entries[#entries + 1] = {title = s.title .. " " .. other.title, names = {s.title, other.title}, name = ('lesson "%s"'):format(name),
                             lines = {en = ("step %d: %s"):format(i, s.title), zh = ("第 %d 步：%s"):format(i, other.title)},
                             text = table.concat(s.prose, "\n") .. "\n" .. table.concat(other.prose, "\n")}
  end
end

local function build()
  entries = {}
  for _, t in ipairs(glossary.terms) do
    entries[#entries + 1] = {title = t.en .. " " .. t.zh .. " " .. (t.also or ""), names = {t.en, t.zh}, called = {en = ('glossary "%s"'):format(t.en), zh = ('glossary "%s"'):format(t.zh)},
                             lines = {en = prose.line(t.text.en), zh = prose.line(t.text.zh)}, text = t.text.en .. "\n" .. t.text.zh}
  end
  for _, name in ipairs(catalogue.names()) do add_steps(name) end
end

function M.entries()
  if not entries then build() end
  local lang = host.language()
  for _, e in ipairs(entries) do e.line, e.name = e.lines[lang], e.called and e.called[lang] or e.name end
  return entries
end

return M
