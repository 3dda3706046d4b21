-- site.lua: the pages of a book in one language, how they lead to each other, and what several of them show.

local catalogue = require "phasor.course.catalogue"
local frame = require "phasor.document.frame"
local host = require "phasor.course.host"
local html = require "phasor.document.html"
local messages = require "phasor.course.messages"

local M = {}

local escape = html.escape

local said = {
  en = {home = "phasor", glossary = "Glossary", atlas = "Atlas", ledger = "Ledger", report = "Report", data = "needs a trained model", runs = "measured in runs"},
  zh = {home = "phasor", glossary = "术语表", atlas = "图谱", ledger = "论断总表", report = "验证报告", data = "需要训练好的模型", runs = "由多次训练测得"},
}

M.LISTS = {"glossary", "atlas", "ledger", "report"}
M.APPENDIX = "proof"

local Site = {}
Site.__index = Site

-- lessons: parsed, in order. options: lang, teacher, both (the other language is there too), whole (contents and lists are there).
function M.new(lessons, options)
  local self = setmetatable({lessons = lessons, lang = options.lang, teacher = options.teacher, both = options.both, whole = options.whole}, Site)
  self.place, self.words = {}, said[options.lang]
  for i, lesson in ipairs(lessons) do self.place[lesson.name] = i end
  return self
end

function Site:title(lesson) return catalogue.title(lesson, self.lang) end

-- The headings on top of every page. here: the file of this one.
function Site:nav(here)
  if not self.whole then return nil end
  local out = {{href = "index.html", html = self.words.home, here = here == "index.html"}}
  for _, name in ipairs(M.LISTS) do
    out[#out + 1] = {href = name .. ".html", html = self.words[name], here = here == name .. ".html"}
  end
  return out
end

-- A page as its file's text. p: as frame.page wants it, but what this fills in; p.of: the file of the page that it belongs to; p.alone: it is in one language only.
function Site:page(file, p)
  p.lang, p.nav = self.lang, self:nav(p.of or file)
  p.other = self.both and not p.alone and ("../%s/%s"):format(self.lang == "zh" and "en" or "zh", file) or nil
  return frame.page(p)
end

-- A link to a lesson, at a place; its text where the book has no such page.
function Site:lesson_link(name, text, ref)
  if not self.place[name] then return text end
  return ('<a href="%s.html%s">%s</a>'):format(name, ref and "#" .. ref or "", text)
end

function Site:claim_link(id)
  if not self.whole then return ('<code class="id">%s</code>'):format(id) end
  return ('<a class="id" href="ledger.html#claim/%s">%s</a>'):format(id, id)
end

-- What became of a claim, in one word: its outcome; "data" where it lacks a trained model, "runs" where runs of an experiment decide it at their
-- size, which is neither that it holds nor what a single measurement says.
function M.kind(r)
  if r.outcome == "unknown" and r.claim.stance == "empirical" then return "data" end
  return r.outcome == "measured" and "runs" or r.outcome
end

-- That word, as a reader has it.
function Site:outcome(r)
  local kind = M.kind(r)
  return ('<span class="outcome %s">%s</span>'):format(kind == "unknown" and "open" or kind, self.words[kind] or messages.of(self.lang).outcomes[kind])
end

function Site:strength(name) return ('<span class="%s">%s</span>'):format(name, host.strength(name, self.lang)) end

-- Buttons that show only entries of some kind, and a box for words. groups: lists of {kind, HTML}; page.js does it.
function Site:filters(groups, hint)
  local out = {'<div class="filters" hidden>'}
  for g, group in ipairs(groups) do
    for _, b in ipairs(group) do
      out[#out + 1] = ('<button type="button" name="g%d" value="%s" aria-pressed="false">%s</button>'):format(g, b[1], b[2])
    end
  end
  out[#out + 1] = ('<input type="search" placeholder="%s" aria-label="%s">'):format(escape(hint), escape(hint))
  return table.concat(out, "\n") .. "</div>\n"
end

return M
