-- page_report.lua: what a check found, as a page that needs nothing else (check --report), or as pages of the book: report.html has a line
-- for each claim, report-su.html all that was found about those of a source.

local frame = require "phasor.document.frame"
local html = require "phasor.document.html"
local host = require "phasor.course.host"
local lab = require "phasor"
local ledger = require "phasor.ledger"
local page_ledger = require "phasor.course.page_ledger"
local report = require "phasor.course.report"
local site_of = require "phasor.course.site"
local verdict_html = require "phasor.course.verdict_html"
local messages = require "phasor.course.messages"

local M = {}

local escape = html.escape

local said = {
  en = {title = "What was checked", checked = "claim(s) checked", holds = "hold[s]", measured = "measured in runs of training", mended = "wrong as written, and mended",
        failed = "failed", unknown = "unknown", data = "need[s] a trained model", unsettled = "unsettled", weaker = "weaker than demanded",
        errors = "error(s)", lead = "A claim leads to all that was found about it, on a page for each source.",
        demanded = "demanded", cell = "settled at", time = "%.2f s", pictures = "Other pictures of the lessons",
        with = "Reached with", find = "words of a claim", legend = "What the words mean",
        legends = {{"proved", "exact algebra decides it, for all values"}, {"certified", "rigorous bounds hold on the whole range"},
                   {"measured", "computed in floating point, within a bound that was derived"}, {"refuted", "false: a counterexample is named"},
                   {"unknown", "not decided; the reason is given"}, {"holds", "the source is right"},
                   {"mended", "the source is wrong as written: that is refuted, and what it should say is established"},
                   {"runs", "about trained models: runs of an experiment decide it at their size"}}},
  zh = {title = "验证结果", checked = "条论断已验证", holds = "条成立", measured = "条由多次训练测得", mended = "条原文有误，已更正", failed = "条不成立",
        unknown = "条未定", data = "条须有训练好的模型", unsettled = "条尚无验证", weaker = "条弱于要求", errors = "处出错",
        lead = "点一条论断，可见对它的全部验证；每份资料各占一页。",
        demanded = "要求", cell = "验证于", time = "%.2f 秒", pictures = "各课的其他图", with = "所用版本", find = "论断中的字词",
        legend = "这些词的意思",
        legends = {{"proved", "由精确代数判定，对一切取值成立"}, {"certified", "严格的界在整个范围上成立"}, {"measured", "浮点计算，误差在推导出的界内"},
                   {"refuted", "为假：给出反例"}, {"unknown", "未能判定，并写明原因"}, {"holds", "原文正确"},
                   {"mended", "原文有误：反驳原来的写法，并验证更正后的说法"},
                   {"runs", "关于训练好的模型：由一批训练运行来判定，只就其规模而言"}}},
}

local function word_for(kind, site) return site.words[kind] or messages.of(site.lang).outcomes[kind] or host.strength(kind, site.lang) end

local function legend(w, site)
  local out = {}
  for i, l in ipairs(w.legends) do out[i] = ('<dt class="%s">%s</dt><dd>%s</dd>'):format(l[1], word_for(l[1], site), l[2]) end
  return ('<details class="said"><summary>%s</summary>\n<dl class="legend">%s</dl></details>\n'):format(w.legend, table.concat(out, "\n"))
end

local function entry(site, r, w, pictures, timed)
  local c, lang = r.claim, site.lang
  local place = r.lesson and (" · %s %s%s"):format(w.cell,
    site:lesson_link(r.lesson.name, "<code>" .. escape(report.place(r.lesson.file, r.cell.line)) .. "</code>", r.cell.ref), timed and " · " .. w.time:format(r.time) or "") or ""
  return ('<article id="%s" data-kinds="%s">%s\n<p>%s</p>\n%s\n%s\n%s<p class="faint">%s: %s%s</p></article>\n'):format(
    c.id, page_ledger.kinds(r), page_ledger.head(site, r, "#" .. c.id), html.inline(c[lang]), html.display(c.formula),
    r.verdicts and verdict_html.result(r, lang) or '<p class="faint">' .. escape(r.line) .. "</p>", pictures, w.demanded,
    host.strength(c.strength, lang), place)
end

-- The file that has all about the claims of a source.
local function file_of(source) return ("report-%s.html"):format(source) end

-- A claim in a few lines, which lead to its entry.
local function brief(site, r)
  local c = r.claim
  return ('<article id="%s" data-kinds="%s">%s\n<p>%s</p>\n<p class="faint">%s</p></article>\n'):format(c.id, page_ledger.kinds(r),
    page_ledger.head(site, r, file_of(c.source) .. "#" .. c.id), html.inline(c[site.lang]), escape(r.lines and r.lines[site.lang] or r.line))
end

local function counts(n, w)
  local out = {messages.counted("<li><b>%d</b> " .. w.checked .. "</li>", n.checked)}
  for _, key in ipairs {"holds", "measured", "mended", "failed", "unknown", "data", "weaker", "unsettled", "errors"} do
    if n[key] > 0 or key == "failed" then out[#out + 1] = messages.counted("<li><b>%d</b> " .. w[key] .. "</li>", n[key]) end
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
    local list = id and (of[id] or {}) or rest
    if id then of[id] = list end
    list[#list + 1] = (id and "" or ('<p class="faint"><code>%s</code></p>'):format(escape(report.place(p.lesson.file, p.at)))) .. frame.picture(p.svg, n)
  end
  return of, rest
end

local function faults(errors)
  local out = {}
  for i, e in ipairs(errors) do out[i] = "<p>" .. escape(e) .. "</p>" end
  return #out > 0 and '<div class="errors">' .. table.concat(out, "\n") .. "</div>\n" or ""
end

-- Under a title: the counts, what the words mean, what went wrong.
local function head(site, found, results, lead)
  local w = said[site.lang]
  return ("<h1>%s</h1>\n%s%s%s%s%s"):format(w.title, lead, counts(report.count(results, found.errors), w), legend(w, site), faults(found.errors),
                                          site:filters(page_ledger.groups(site, results), w.find))
end

local function foot(w) return ('<p class="faint">%s: %s</p>\n'):format(w.with, versions()) end

-- What audit.run found as one page, in one language.
-- found.timed: also how long each claim took; without it the page is the same whenever it is made.
function M.alone(found, lang)
  local site, w = site_of.new({}, {lang = lang}), said[lang]
  local pictures, rest = assigned(found)
  local body, places = page_ledger.by_source(site, found.results, function(r) return entry(site, r, w, table.concat(pictures[r.claim.id] or {}), found.timed) end)
  if #rest > 0 then
    body = body .. ('<h2 id="pictures">%s</h2>\n%s'):format(w.pictures, table.concat(rest))
    places[#places + 1] = {id = "pictures", html = w.pictures}
  end
  return site:page("report.html", {title = "phasor: " .. w.title, body = head(site, found, found.results, "") .. body .. foot(w), places = places})
end

-- The results of each source, in order: lists with their source.
local function by_source(results)
  local out, of = {}, {}
  for _, r in ipairs(results) do
    local source = r.claim.source
    if not of[source] then
      of[source] = {source = source}
      out[#out + 1] = of[source]
    end
    table.insert(of[source], r)
  end
  return out
end

-- The same as pages of a book: file -> text. One page with all formulas would be twice as large as a page may be.
function M.pages(site, found)
  local w, out, groups = said[site.lang], {}, by_source(found.results)
  local body, places = page_ledger.by_source(site, found.results, function(r) return brief(site, r) end)
  out["report.html"] = site:page("report.html", {title = "phasor: " .. w.title, places = places,
                                                 body = head(site, found, found.results, "<p>" .. w.lead .. "</p>\n") .. body .. foot(w)})
  local function link(group) return group and {href = file_of(group.source), html = escape(ledger.sources[group.source][site.lang])} end
  for i, group in ipairs(groups) do
    local text, claims = {}, {}
    for k, r in ipairs(group) do text[k], claims[k] = entry(site, r, w, ""), {id = r.claim.id, html = r.claim.id} end
    local name = link(group).html
    out[file_of(group.source)] = site:page(file_of(group.source), {title = "phasor: " .. ledger.sources[group.source][site.lang], of = "report.html",
      body = head(site, {errors = {}}, group, "<p>" .. name .. "</p>\n") .. table.concat(text), places = claims,
      before = link(groups[i - 1]), after = link(groups[i + 1])})
  end
  return out
end

return M
