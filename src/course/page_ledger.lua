-- page_ledger.lua: every claim of the three sources as a page of the book, where #claim/su/decay leads to one of them.

local html = require "phasor.document.html"
local ledger = require "phasor.ledger"
local site_of = require "phasor.course.site"

local M = {}

local said = {
  en = {title = "Ledger of claims", lead = "What the three sources say, one claim an entry: what became of it, and where.", find = "words of a claim",
        settled = "settled in", demanded = "wanted", stance = {holds = "right as the source has it", erratum = "wrong as the source has it",
        empirical = "about trained models"}, said = {hedge = "a hedge in the source", reply = "a reply of the author", comment = "a reader's comment",
        question = "a reader's question"}, sections = "%s, section “%s”"},
  zh = {title = "论断总表", lead = "三份资料里的论断，一条一项：结果如何，在哪一课验证。", find = "论断中的字词",
        settled = "验证于", demanded = "要求", stance = {holds = "原文正确", erratum = "原文有误", empirical = "关于训练好的模型"},
        said = {hedge = "原文语气不肯定", reply = "作者的回复", comment = "读者评论", question = "读者提问"}, sections = "%s，“%s”一节"},
}

-- What a claim is filtered by: what became of it, and its strength; what runs decide has none of its own.
local function strength(r) return site_of.kind(r) ~= "runs" and r.strength or nil end
local function kinds(r) return site_of.kind(r) .. (strength(r) and " " .. strength(r) or "") end

-- The id of a claim, which leads to `link`, what became of it, and its strength: the head of an entry.
function M.head(site, r, link)
  return ('<h3><a href="%s"><code>%s</code></a> %s%s</h3>'):format(link, r.claim.id, site:outcome(r), strength(r) and " " .. site:strength(strength(r)) or "")
end

local function entry(site, r, w)
  local c = r.claim
  local lesson = r.lesson and site:lesson_link(r.lesson.name, html.inline(site:title(r.lesson)), r.cell.ref)
  local place = ledger.sources[c.source].sections[c.section][site.lang]
  local about = {html.escape(place), w.stance[c.stance]}
  if w.said[c.said] then about[#about + 1] = w.said[c.said] end
  if lesson then about[#about + 1] = w.settled .. " " .. lesson end
  return ('<article id="claim/%s" data-kinds="%s">%s\n<p>%s</p>\n%s\n<p class="faint">%s</p></article>\n'):format(
    c.id, kinds(r), M.head(site, r, "#claim/" .. c.id), html.inline(c[site.lang]), html.display(c.formula), table.concat(about, " · "))
end

-- The buttons: outcomes that occur, then strengths that occur.
local function groups(site, results)
  local outcomes, strengths, seen = {}, {}, {}
  for _, r in ipairs(results) do
    local outcome = kinds(r):match("^%S+")
    if not seen[outcome] then outcomes[#outcomes + 1], seen[outcome] = {outcome, (site:outcome(r):gsub("<.->", ""))}, true end
    local s = strength(r)
    if s and not seen[s .. "!"] and s ~= "unknown" then
      strengths[#strengths + 1], seen[s .. "!"] = {s, (site:strength(s):gsub("<.->", ""))}, true
    end
  end
  return {outcomes, strengths}
end
M.groups, M.kinds = groups, kinds

-- Entries under the headings of their sources: add(r) gives each. Returns the HTML and the places.
function M.by_source(site, results, add)
  local out, places, open = {}, {}, nil
  for _, r in ipairs(results) do
    local source = r.claim.source
    if source ~= open then
      if open then out[#out + 1] = "</section>\n" end
      local name = html.escape(ledger.sources[source][site.lang])
      out[#out + 1] = ('<section class="group" id="source/%s">\n<h2>%s</h2>\n'):format(source, name)
      places[#places + 1], open = {id = "source/" .. source, html = name}, source
    end
    out[#out + 1] = add(r)
  end
  if open then out[#out + 1] = "</section>\n" end
  return table.concat(out), places
end

function M.write(site, found)
  local w = said[site.lang]
  local body, places = M.by_source(site, found.results, function(r) return entry(site, r, w) end)
  local head = ("<h1>%s</h1>\n<p>%s</p>\n%s"):format(w.title, w.lead, site:filters(groups(site, found.results), w.find))
  return site:page("ledger.html", {title = "phasor: " .. w.title, body = head .. body, places = places})
end

return M
