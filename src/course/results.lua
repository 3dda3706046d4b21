-- results.lua: what a step's verdicts say, in a terminal: the claim as a sentence, then a line for each statement that has a caption or is a
-- short formula, with its strength in front; the others are counted. why() has all of one: its formulas typeset, its conditions.

local display = require "phasor.document.display"
local entries = require "phasor.course.entries"
local judge = require "phasor.course.judge"
local prose = require "phasor.document.prose"
local tex = require "phasor.document.tex"
local messages = require "phasor.course.messages"

local M = {}

local FORMULAS = 6 -- statements without a caption that are shown as formulas
local SHORT = 60 -- columns of one that is
local ROUNDING = 2^-20 -- a bound below this leaves room for nothing else, in f64 and in f32 near 1
local FIGURES = 2 -- printed figures that are told one by one; more of them are counted

local function padded(text, columns) return text .. (" "):rep(columns - prose.width(text)) end

local strengths = {"proved", "certified", "measured", "refuted", "unknown"}

-- Columns of the strengths' words.
local function widest(host, lang)
  local most = 0
  for _, s in ipairs(strengths) do most = math.max(most, prose.width(host.strength(s, lang))) end
  return most
end

-- The statement as a line of mathematics, where it is one short formula and says something; else nil.
local function formula(v)
  local list = v.formulas
  if #list ~= 1 or #list[1]:symbols() == 0 then return nil end
  local ok, text = pcall(function() return tex.unicode(list[1]:latex()) end)
  return ok and prose.width(text) <= SHORT and text or nil
end

local function two_digits(x) return (x < 10 and "%.2g" or "%.0f"):format(x) end

-- How near a measurement came to its bound. Where only rounding lies between, figures say nothing to a student: words do, and why() has the
-- figures; none where the sentence says so itself. A bound of 1 is that of shares. Else "0.0012 ≤ 0.0050".
local function nearness(e, w, text)
  local v = e.verdict
  if v.strength ~= "measured" or not v.bound or v.bound == 0 or e.beside == "figure" then return "" end
  local rounding = rawget(e, "apart") or v.bound < ROUNDING
  local shares = math.abs(v.bound - 1) < ROUNDING
  if (rounding or shares) and v.value == 0 then return w.in_brackets:format(w.exact) end
  if rounding then return text:find(w.rounding, 1, true) and "" or w.in_brackets:format(w.to_rounding) end
  if shares then return w.in_brackets:format(w.share:format(two_digits(100 * v.value / v.bound))) end
  return w.in_brackets:format(("%.2g ≤ %.2g%s"):format(v.value, v.bound, v.unit and " " .. v.unit or ""))
end

-- What is said of an entry in a line; nil where there are no words.
local function sentence(e, w)
  local text, v = e:caption(w.lang), e.verdict
  if not text then return v.strength == "measured" and not v.statement and w.deviation:format(v.value, v.bound) or nil end
  local source = e:cited_in(w.lang)
  return prose.line(text) .. (e.fails and w.as_it_should or "") .. nearness(e, w, text) .. (source and w.cited:format(source) or "")
end

-- The entries but those that guard a bound (why() has them), and but the printed figures where there are too many; and how many these are.
local function without_figures(list)
  local bare, told = {}, {}
  for _, e in ipairs(list) do
    if e.beside ~= "figure" then bare[#bare + 1] = e end
    if not e.guard then told[#told + 1] = e end
  end
  if #told - #bare <= FIGURES then return told, 0 end
  return bare, #told - #bare
end

-- The entries as lines {strength, text}, and how many of each strength are left, in the order of `strengths`.
local function sorted(list, w)
  local lines, left, formulas = {}, {}, 0
  for _, e in ipairs(list) do
    local strength, text = e.verdict.strength, sentence(e, w)
    if not text and not e.fails and formulas < FORMULAS then
      text = formula(e.verdict)
      formulas = formulas + (text and 1 or 0)
    end
    local last = lines[#lines]
    if text and last and last[1] == strength and last[2] == text then last.times = last.times + 1
    elseif text then lines[#lines + 1] = {strength, text, times = 1} else left[strength] = (left[strength] or 0) + 1 end
  end
  return lines, left
end

-- Shows the result of a cell (judge.lua). told: what has been explained in this lesson.
function M.show(host, result, w, columns, told)
  local room = widest(host, w.lang)
  local function line(strength, text)
    host.write(prose.fill(text, columns, "  " .. padded(strength, room) .. "  ", (" "):rep(room + 4)) .. "\n")
  end
  if result.claim then
    host.write(prose.fill(prose.line(w.outcomes[result.outcome] .. w.colon .. (result.claim[w.lang] or result.claim.id)), columns) .. "\n")
  end
  if #result.verdicts == 0 or result.outcome == "failed" then return host.write(prose.fill(result.lines[w.lang], columns, "  ", "  ") .. "\n") end
  local list, counted = without_figures(result.verdicts)
  local lines, left = sorted(list, w)
  for _, l in ipairs(lines) do line(host.strength(l[1], w.lang), l[2] .. (l.times > 1 and " (×" .. l.times .. ")" or "")) end
  for _, s in ipairs(strengths) do
    if left[s] then line(host.strength(s, w.lang), messages.counted(#lines > 0 and w.more_statements or w.bare_statements, left[s])) end
  end
  if counted > 0 then host.write(prose.fill(w.figures_hold:format(counted), columns, "  ", "    ") .. "\n") end
  if result.mutants then
    host.write(prose.fill(judge.mutants_text(result.mutants, w.lang), columns, "  ", "    ") .. "\n")
    if not told.mutants then host.write(prose.fill(w.mutants_are, columns, "    ", "    ") .. "\n") end
    told.mutants = true
  end
  if not told.why then host.write(prose.fill(w.why_shows, columns, "  ", "  ") .. "\n") end
  told.why = true
end

-- ---- why ------------------------------------------------------------------------------------------------------------

local LONGEST = 2000 -- bytes of a formula's TeX that are typeset; a longer one would fill screens
local MOST = 4 -- formulas of one statement

-- The lines of one verdict: what it says, its formulas in two dimensions, the verdict whole, how it was reached.
local function about(e, w, columns)
  local out, v = {}, e.verdict
  local said = e:caption(w.lang)
  if said then out[1] = prose.fill(prose.line(said), columns) end
  for i, f in ipairs(v.formulas) do
    local ok, source = pcall(f.latex, f)
    if i > MOST or not ok or #source > LONGEST then
      out[#out + 1] = "    …"
      break
    end
    local fine, text = pcall(display.render, source, columns)
    out[#out + 1] = fine and text or "    " .. tex.unicode(source)
  end
  if #v.formulas == 0 and v.statement and not (said and w.lang == "en" and said == v.statement) then
    out[#out + 1] = prose.fill(v.statement, columns, "  ", "  ")
  end
  out[#out + 1] = prose.fill((e.fails and w.refuted_as or "") .. v:text(w.lang), columns, "  ", "      ")
  local apart = rawget(e, "apart")
  if apart and apart > 0 then out[#out + 1] = prose.fill(w.apart:format(two_digits(apart), two_digits(100 * v.value)), columns, "  ", "      ") end
  if w.lang == "en" then -- the authors' English
    if v.method then out[#out + 1] = prose.fill(w.method .. w.colon .. v.method, columns, "  ", "      ") end
  end
  if v.why and (w.lang == "en" or v.why:find "[\xE3-\xE9]") then
    out[#out + 1] = prose.fill(w.bound_from .. w.colon .. v.why, columns, "  ", "      ")
  end
  return table.concat(out, "\n")
end

-- What stands behind a verdict, or an entry (entries.lua), as text.
function M.why(v, w, columns) return about(entries.is(v) and v or entries.of(v), w, columns) end

-- The same for all verdicts of a result, numbered.
function M.why_all(result, w, columns)
  local out = {}
  for i, e in ipairs(result.verdicts) do
    out[i] = (#result.verdicts > 1 and ("%d.\n"):format(i) or "") .. about(e, w, columns)
  end
  return table.concat(out, "\n\n")
end

return M
