-- page_contents.lua: the first page of the book, and the door to both languages.

local html = require "phasor.document.html"
local page_lesson = require "phasor.course.page_lesson"
local report = require "phasor.course.report"
local site_of = require "phasor.course.site"
local messages = require "phasor.course.messages"

local M = {}

local said = {
  en = {title = "phasor: the mathematics of positional encodings",
        lead = "Where does a word stand? These lessons re-derive the encodings that tell a model so. Every claim is checked by program, and a "
               .. "verdict says how far the check goes: proved, certified, measured, or refuted with a counterexample.",
        counts = "%d claims are settled here: %d hold, %d were wrong as written and are mended. ", data = "%d need a trained model. ",
        lessons = "Lessons", more = "To look things up",
        glossary = "the terms in English and Chinese", atlas = "every encoding against every law",
        ledger = "every claim of the three sources, and where it is settled", report = "what each check found, with its counterexamples",
        teacher = "This is the teacher's copy: it has the solutions."},
  zh = {title = "phasor：位置编码的数学",
        lead = "一个词站在哪里？这些课把告诉模型位置的各种编码重新推导一遍。每条论断都由程序验证，"
               .. "判定写明验证到什么程度：已证明、已严格验证、实测，"
               .. "或者给出反例而反驳。",
        counts = "这里验证了 %d 条论断：%d 条成立，%d 条原文有误、已更正。", data = "%d 条需要训练好的模型。",
        lessons = "课程", more = "查阅",
        glossary = "中英术语", atlas = "每种编码对照每条性质", ledger = "三份资料的全部论断，以及各在哪一课验证",
        report = "每项验证的结果与反例", teacher = "这是教师版，含有解答。"},
}

local function lessons(site)
  local out = {}
  for i, lesson in ipairs(site.lessons) do
    out[i] = ('<li%s><div><a href="%s.html">%s</a><p class="faint">%s</p></div></li>'):format(
      lesson.name == site_of.APPENDIX and ' class="appendix"' or "", lesson.name, html.inline(site:title(lesson)), page_lesson.summary(site, lesson))
  end
  return '<ol class="lessons">\n' .. table.concat(out, "\n") .. "\n</ol>\n"
end

local function lists(site, w)
  local out = {}
  for i, name in ipairs(site_of.LISTS) do
    out[i] = ('<li><div><a href="%s.html">%s</a><p class="faint">%s</p></div></li>'):format(name, site.words[name], w[name])
  end
  return '<ul class="lessons lists">\n' .. table.concat(out, "\n") .. "\n</ul>\n"
end

function M.write(site, found)
  local w, n = said[site.lang], report.count(found.results, found.errors)
  local counts = w.counts:format(n.checked, n.holds, n.mended) .. (n.data > 0 and messages.counted(w.data, n.data) or "")
  local body = ('<h1>%s</h1>\n<p class="lead">%s</p>\n<p>%s</p>\n%s<h2>%s</h2>\n%s<h2>%s</h2>\n%s'):format(
    w.title, w.lead, counts, site.teacher and '<p class="faint">' .. w.teacher .. "</p>\n" or "", w.lessons, lessons(site), w.more, lists(site, w))
  return site:page("index.html", {title = w.title, body = body})
end

-- The file beside the folders of the languages.
function M.door()
  return [[<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>phasor</title>
<style>
:root { color-scheme: light dark; }
body { display: grid; place-content: center; min-height: 90vh; margin: 0; font: 1.3rem/1.6 system-ui, sans-serif; text-align: center; }
</style></head><body>
<main><h1>phasor</h1>
<p><a href="en/index.html">The mathematics of positional encodings</a></p>
<p lang="zh-Hans"><a href="zh/index.html">位置编码的数学</a></p></main>
</body></html>
]]
end

return M
