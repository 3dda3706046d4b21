-- find.lua: what a search looks through besides help: the steps of the lessons and the terms of the glossary, in both languages.

local catalogue = require "phasor.course.catalogue"
local glossary = require "phasor.course.glossary"
local prose = require "phasor.document.prose"
local step = require "phasor.course.step"

local M = {}

local entries

local function add_steps(name, lang)
  local lesson = catalogue.open(name)
  if not lesson then return end
  for i, s in ipairs(step.steps(lesson, lang)) do
    local text = table.concat(s.prose, "\n")
    local title = s.title or prose.title(text)
    if title then
      entries[#entries + 1] = {title = title, name = ('lesson "%s"'):format(name), line = ("step %d: %s"):format(i, title), text = text}
    end
  end
end

local function build()
  entries = {}
  for _, t in ipairs(glossary.terms) do
    entries[#entries + 1] = {title = t.en .. " " .. t.zh .. " " .. (t.also or ""), name = ('glossary "%s"'):format(t.en),
                             line = t.text.en, text = t.text.en .. "\n" .. t.text.zh}
  end
  for _, name in ipairs(catalogue.names()) do
    add_steps(name, "en")
    add_steps(name, "zh")
  end
end

function M.entries()
  if not entries then build() end
  return entries
end

return M
