-- book.lua: `phasor page`: lessons as pages, one or all of them with what belongs to a book, in one language or both.
--
--   DIR/index.html                     leads to both languages (--all)
--   DIR/en/index.html                  contents; glossary.html, atlas.html, ledger.html, report.html, report-su.html
--   DIR/en/rope.html                   a lesson
--   DIR/zh/…                           the same pages and places, in Chinese
--
-- Every lesson runs once, as a check runs it (audit.lua), and once more in Chinese where what it shows depends on the language; then it is written out.

local audit = require "phasor.course.audit"
local catalogue = require "phasor.course.catalogue"
local pool = require "phasor.course.pool"
local host = require "phasor.course.host"
local page_atlas = require "phasor.course.page_atlas"
local page_contents = require "phasor.course.page_contents"
local page_glossary = require "phasor.course.page_glossary"
local page_ledger = require "phasor.course.page_ledger"
local page_lesson = require "phasor.course.page_lesson"
local page_report = require "phasor.course.page_report"
local site_of = require "phasor.course.site"

local M = {}

local function save(path, text)
  local ok, message = host.save(path, text, true)
  if not ok then error({message = message}, 0) end
end

-- The atlas, from a process of its own: it takes as long as a lesson.
local function atlas()
  local gathered, fault
  pool.run(host, 1, 1, function() return 1 end, page_atlas.gather, function(_, value, why) gathered, fault = value, why end)
  if not gathered then error({message = "atlas: " .. tostring(fault)}, 0) end
  return gathered
end

-- The pages of one language: file -> text.
local function pages(site, found, results, drawn)
  local out = {}
  for _, lesson in ipairs(site.lessons) do
    out[lesson.name .. ".html"] = page_lesson.write(site, lesson, found.outputs[lesson.file] or {}, results)
  end
  if site.whole then
    out["index.html"] = page_contents.write(site, found)
    out["glossary.html"] = page_glossary.write(site)
    out["atlas.html"] = page_atlas.write(site, drawn)
    out["ledger.html"] = page_ledger.write(site, found)
    for file, text in pairs(page_report.pages(site, found)) do out[file] = text end
  end
  return out
end

-- The lessons of each language. One that is in the other alone has no page, unless no other page was asked for: then that is said.
local function by_language(lessons, languages)
  local out = {}
  for _, lang in ipairs(languages) do
    out[lang] = {}
    for _, lesson in ipairs(lessons) do
      if not lesson.language or lesson.language == lang then table.insert(out[lang], lesson)
      elseif #languages == 1 then catalogue.refuse_language(lesson) end
    end
  end
  return out
end

-- Writes the pages of the lessons `names` (none: all, and the rest of the book) into the folder options.out. open(name): the lesson, or
-- nil and a message, or raises. options: languages, teacher, jobs, trust; teachers: a folder for the same with solutions. Returns what went wrong
-- in the lessons, as messages.
function M.write(names, open, options)
  local whole, lessons, results = #names == 0, {}, {}
  for i, name in ipairs(whole and catalogue.names() or names) do
    local message
    lessons[i], message = open(name)
    if not lessons[i] then error({message = message}, 0) end
  end
  local spoken = by_language(lessons, options.languages)
  local english = #options.languages == 1 and options.languages[1] == "en"
  local found = audit.run(names, open, options.jobs, {record = english and "en" or "both", tex = true, trust = options.trust, lang = options.languages[1]})
  found.pictures = {}
  for _, r in ipairs(found.results) do results[r.claim.id] = r end
  local drawn = whole and atlas() or nil
  local function write_into(folder, teacher)
    for _, lang in ipairs(options.languages) do
      local site = site_of.new(spoken[lang], {lang = lang, teacher = teacher, both = #options.languages > 1, whole = whole})
      for file, text in pairs(pages(site, found, results, drawn)) do save(("%s/%s/%s"):format(folder, lang, file), text) end
    end
    if whole and #options.languages > 1 then save(folder .. "/index.html", page_contents.door()) end
  end
  write_into(options.out, options.teacher)
  if options.teachers then write_into(options.teachers, true) end
  return found.errors
end

return M
