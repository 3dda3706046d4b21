-- page_glossary.lua: the terms of the field as a page of the book.

local glossary = require "phasor.course.glossary"
local html = require "phasor.document.html"

local M = {}

local said = {
  en = {title = "Glossary", find = "a part of a term", lesson = "lesson"},
  zh = {title = "术语表", find = "术语的一部分", lesson = "课"},
}

-- "query, key, value" -> "term/query-key-value": the same in both languages.
local function id_of(term) return "term/" .. term.en:lower():gsub("[^%w]+", "-"):gsub("^%-", ""):gsub("%-$", "") end

local function entry(site, term, titles)
  local other = site.lang == "zh" and "en" or "zh"
  local title = titles[term.lesson]
  return ('<article class="term" id="%s"><h3><b>%s</b> <span class="faint" lang="%s">%s</span></h3>\n<p>%s</p>\n%s</article>\n'):format(
    id_of(term), html.inline(term[site.lang]), other == "zh" and "zh-Hans" or "en", html.inline(term[other]), html.inline(term.text[site.lang]),
    title and '<p class="faint">' .. site:lesson_link(term.lesson, title) .. "</p>" or "")
end

function M.write(site)
  local w, titles = said[site.lang], {}
  for _, lesson in ipairs(site.lessons) do titles[lesson.name] = html.inline(site:title(lesson)) end
  local out = {"<h1>" .. w.title .. "</h1>\n", site:filters({}, w.find)}
  for _, term in ipairs(glossary.terms) do out[#out + 1] = entry(site, term, titles) end
  return site:page("glossary.html", {title = "phasor: " .. w.title, body = table.concat(out)})
end

return M
