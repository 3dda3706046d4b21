-- verdict_html.lua: verdicts for a page, in one language: strength in colour, what it is about as a formula, the conditions.

local about = require "phasor.lib.about"
local html = require "phasor.document.html"
local judge = require "phasor.course.judge"
local mathml = require "phasor.document.mathml"
local tex = require "phasor.document.tex"
local typed = require "phasor.document.typed"
local values = require "phasor.lib.values"
local messages = require "phasor.course.messages"

local M = {}

local escape = html.escape
local MANY = 4 -- verdicts; more are folded
local SHOWN = 8 -- of those, with a caption, that stand before

local said = {
  en = {all = "All %d statement(s)", rest = "%d further statement(s)", fails = "not so:"},
  zh = {all = "全部 %d 条命题", rest = "另有 %d 条命题", fails = "应被驳倒："},
}

-- "proved for all real a": the strength stands out.
local function line(text)
  local strength, rest = values.strength_first(text)
  return "<b>" .. escape(strength) .. "</b><span>" .. html.light(typed.marked(rest, true)) .. "</span>"
end

local function bare(text) return (text:gsub("%s", "")) end

-- Does a caption say what the formula beside it says?
local function repeats(caption, source) return caption ~= nil and bare(tex.unicode(source)) == bare(caption) end

-- What an entry says: its caption, its formulas, its statement as printed where there is neither. nil: nobody said.
local function said_of(e, lang)
  local caption, out = e:caption(lang), {}
  if caption and not repeats(caption, e.tex[1] or "") then out[1] = html.inline(typed.marked(caption)) end
  for _, source in ipairs(e.tex) do
    local set = #source <= (caption and about.LONG_TEX or math.huge) and mathml.display(source)
    if set then out[#out + 1] = html.wide(set, "formula") end
  end
  local text = e:statement_in(lang)
  if #out == 0 and text and text:find("%S") then
    local sentence = typed.sentence(text)
    out[1] = sentence and html.inline(sentence) or "<code>" .. escape(text) .. "</code>"
  end
  return #out > 0 and table.concat(out, " ") or nil
end

-- One entry: what it says, then its verdict.
local function entry(e, lang)
  local says = said_of(e, lang)
  local head = says and ('<div class="says">%s%s</div>'):format(e.fails and "<i>" .. said[lang].fails .. "</i> " or "", says) or ""
  local source = e:cited_in(lang)
  return ('<div class="verdict %s">%s%s</div>'):format(e.verdict.strength, head,
    line(e.verdict:text(lang) .. (source and messages.of(lang).cited:format(source) or "")))
end

-- Entries written out; equal ones in a row stand once.
local function written(list, lang)
  local out = {}
  for _, e in ipairs(list) do
    local text = entry(e, lang)
    if text ~= out[#out] then out[#out + 1] = text end
  end
  return table.concat(out, "\n")
end

-- The first entries with a caption that are news for a reader, and the others.
local function parted(list, lang)
  local first, rest = {}, {}
  for _, e in ipairs(list) do
    local to = not e.guard and e:caption(lang) and #first < SHOWN and first or rest
    to[#to + 1] = e
  end
  return first, rest
end

-- The entries of a result (judge.lua), as far as a page shows them; record.lua's and audit.lua's alike. e.tex is a list of formulas.
function M.entries(r)
  local out = {}
  for i, e in ipairs(r.verdicts) do
    out[i] = rawget(e, "tex") and e or setmetatable({tex = about.formulas(e.verdict, e.words or nil)}, {__index = function(_, key)
      local value = e[key]
      if type(value) ~= "function" then return value end
      return function(_, ...) return value(e, ...) end
    end})
  end
  return out
end

-- All of a result. Where they are many, those with a caption stand first, or the line that speaks for all, and the others are folded.
function M.result(r, lang)
  local list = M.entries(r)
  local mutants = r.mutants and '\n<p class="faint">' .. escape(judge.mutants_text(r.mutants, lang)) .. "</p>" or ""
  local spoken = ('<div class="verdict %s">%s</div>'):format(r.strength, line(r.lines[lang]))
  if #list == 0 then return spoken end
  if #list <= MANY then return written(list, lang) .. mutants end
  local first, rest = parted(list, lang)
  if #rest == 0 then return written(first, lang) .. mutants end
  return ('%s\n<details class="said"><summary>%s</summary>\n%s\n</details>'):format(
    #first > 0 and written(first, lang) .. mutants or spoken, messages.counted(said[lang][#first > 0 and "rest" or "all"], #rest),
    written(rest, lang) .. (#first == 0 and mutants or ""))
end

return M
