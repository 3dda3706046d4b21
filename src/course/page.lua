-- page.lua: what a check found, as one HTML file that needs nothing else: formulas in MathML, pictures in SVG, light and dark.

local host = require "phasor.course.host"
local mathml = require "phasor.document.mathml"
local judge = require "phasor.course.judge"
local lab = require "phasor"
local report = require "phasor.course.report"
local words = require "phasor.course.words"

local M = {}

local escape = mathml.escape

local style = [[
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfb; --faint: #6b7076; --line: #d9dbd6; --soft: #f2f2ee;
  --good: #1d6f42; --mend: #8a5a00; --bad: #b3261e; --open: #5b5f66; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e4e0; --paper: #17191b; --faint: #9a9fa5; --line: #34383c; --soft: #202326;
  --good: #6fcf97; --mend: #e5b567; --bad: #ff8a80; --open: #a9adb3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 2rem 1rem 4rem; font: 16px/1.55 system-ui, "Noto Sans CJK SC", sans-serif;
  color: var(--ink); background: var(--paper); }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .4rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
.faint { color: var(--faint); font-size: .86rem; }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; margin: 1rem 0; padding: 0; list-style: none; }
.counts b { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
article { padding: .9rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
article h3 { display: flex; flex-wrap: wrap; gap: .1rem .8rem; align-items: baseline; margin: 0; font-size: 1rem; }
article h3 a { color: inherit; text-decoration: none; font-family: ui-monospace, monospace; }
article p { margin: .3rem 0; }
.verdict { font-weight: 600; font-size: .9rem; }
.holds { color: var(--good); } .mended { color: var(--mend); } .failed { color: var(--bad); }
.unknown, .unsettled { color: var(--open); }
.formula { overflow-x: auto; overflow-y: hidden; padding: .45rem 0; } math { font-size: 1.08rem; }
.line, li { overflow-wrap: anywhere; font-size: .92rem; }
details { font-size: .9rem; } summary { cursor: pointer; color: var(--faint); }
figure { margin: .8rem 0; padding: .4rem; border: 1px solid var(--line); border-radius: 4px; overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; margin: auto; }
.errors { background: var(--soft); border-left: 4px solid var(--bad); padding: .5rem 1rem; overflow-wrap: anywhere; }
.script { font-family: "Latin Modern Math", cursive; } .bold { font-weight: bold; } .bold-italic { font-weight: bold; }
.sans-serif { font-family: sans-serif; } .boxed { border: 1px solid; padding: .2em; }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } summary { display: none; } }
]]

local said = {
  en = {title = "What was checked", checked = "claim(s) checked", holds = "hold[s]", mended = "wrong as written, and mended",
        failed = "failed", unknown = "unknown", data = "need[s] a trained model", unsettled = "unsettled", weaker = "weaker than demanded",
        errors = "error(s)", demanded = "demanded", cell = "settled at", time = "%.2f s", statements = "%d statement(s)",
        pictures = "Other pictures of the lessons", written = "as the source has it", with = "Reached with"},
  zh = {title = "验证结果", checked = "条论断已验证", holds = "条成立", mended = "条原文有误，已更正", failed = "条不成立",
        unknown = "条未定", data = "条须有训练好的模型", unsettled = "条尚无验证", weaker = "条弱于要求", errors = "处出错",
        demanded = "要求", cell = "验证于", time = "%.2f 秒", statements = "%d 条陈述", pictures = "各课的其他图",
        written = "原文如此", with = "所用版本"},
}

-- Names inside a picture are its own: two pictures on one page must not share them.
local function picture(svg, n)
  svg = svg:gsub("^%s*<%?xml.-%?>%s*", ""):gsub("^%s*<!DOCTYPE.->%s*", "")
  svg = svg:gsub('(%sid=")([^"]*")', "%1p" .. n .. "-%2"):gsub("url%(#", "url(#p" .. n .. "-")
           :gsub('(href="#)', "%1p" .. n .. "-")
  return "<figure>" .. svg .. "</figure>"
end

local function formula(claim)
  return ('<div class="formula" title="%s">%s</div>'):format(escape(claim.formula),
    mathml.mathml(claim.formula, true) or "<code>" .. escape(claim.formula) .. "</code>")
end

local function verdicts(r, w, lang)
  if #(r.verdicts or {}) == 0 then return "" end
  local out = {}
  for _, v in ipairs(r.verdicts) do
    out[#out + 1] = "<li>" .. escape(v:line(lang)) .. "</li>"
  end
  if r.mutants then out[#out + 1] = "<li>" .. escape(judge.mutants_text(r.mutants, lang)) .. "</li>" end
  return ("<details><summary>%s</summary><ul>%s</ul></details>"):format(words.counted(w.statements, #r.verdicts), table.concat(out))
end

local function entry(r, ledger, lang, pictures)
  local w, c = said[lang], r.claim
  local section = ledger.sources[c.source].sections[c.section][lang]
  local where = r.lesson and (" · %s <code>%s</code> · %s"):format(w.cell, escape(report.place(r.lesson.file, r.cell.line)),
                                                                  w.time:format(r.time)) or ""
  return ('<article id="%s"><h3><a href="#%s">%s</a><span class="verdict %s">%s · %s</span></h3>\n<p>%s</p>\n%s\n'
          .. '<p class="line">%s</p>\n%s%s<p class="faint">%s · %s: %s%s</p></article>\n'):format(
    c.id, c.id, c.id, r.outcome, words.of(lang).outcomes[r.outcome], host.strength(r.strength, lang), escape(c[lang]), formula(c),
    escape(r.lines and r.lines[lang] or r.line), verdicts(r, w, lang), pictures, escape(section), w.demanded, host.strength(c.strength, lang), where)
end

local function counts(n, w)
  local out = {words.counted("<li><b>%d</b> " .. w.checked .. "</li>", n.checked)}
  for _, key in ipairs {"holds", "mended", "failed", "unknown", "data", "weaker", "unsettled", "errors"} do
    if n[key] > 0 or key == "failed" then out[#out + 1] = words.counted("<li><b>%d</b> " .. w[key] .. "</li>", n[key]) end
  end
  return '<ul class="counts">' .. table.concat(out) .. "</ul>\n"
end

local function versions()
  local keys, out = {}, {}
  for key in pairs(lab.version) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do out[i] = escape(key .. " " .. tostring(lab.version[key])) end
  return table.concat(out, " · ")
end

-- Which pictures stand with which claim: those of its lesson with the same ref go to the first of its claims there.
local function assigned(found)
  local of, rest, owner = {}, {}, {}
  for _, r in ipairs(found.results) do
    local key = r.lesson and r.cell.ref and r.lesson.file .. "#" .. r.cell.ref
    if key and not owner[key] then owner[key] = r.claim.id end
  end
  for n, p in ipairs(found.pictures) do
    local id = p.ref and owner[p.lesson.file .. "#" .. p.ref]
    local list = rest
    if id then
      of[id] = of[id] or {}
      list = of[id]
    end
    list[#list + 1] = picture(p.svg, n)
    if not id then list[#list] = ('<p class="faint"><code>%s</code></p>'):format(
      escape(report.place(p.lesson.file, p.at))) .. list[#list] end
  end
  return of, rest
end

-- The page, in one language, of what audit.run found.
function M.write(found, ledger, lang)
  local w = said[lang]
  local pictures, rest = assigned(found)
  local out = {('<!DOCTYPE html>\n<html lang="%s"><head><meta charset="utf-8">\n<meta name="viewport" '
                .. 'content="width=device-width, initial-scale=1">\n<title>phasor: %s</title>\n<style>\n%s</style></head><body>\n'
                .. "<h1>phasor: %s</h1>\n"):format(lang == "zh" and "zh-Hans" or "en", w.title, style, w.title),
               counts(report.count(found.results, found.errors), w)}
  if #found.errors > 0 then
    out[#out + 1] = '<div class="errors">'
    for _, e in ipairs(found.errors) do out[#out + 1] = "<p>" .. escape(e) .. "</p>" end
    out[#out + 1] = "</div>\n"
  end
  local source
  for _, r in ipairs(found.results) do
    if r.claim.source ~= source then
      source = r.claim.source
      out[#out + 1] = "<h2>" .. escape(ledger.sources[source][lang]) .. "</h2>\n"
    end
    out[#out + 1] = entry(r, ledger, lang, table.concat(pictures[r.claim.id] or {}))
  end
  if #rest > 0 then out[#out + 1] = ("<h2>%s</h2>\n%s"):format(w.pictures, table.concat(rest)) end
  out[#out + 1] = ('<p class="faint">%s: %s</p>\n</body></html>\n'):format(w.with, versions())
  return table.concat(out)
end

return M
