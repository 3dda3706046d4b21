-- experiments.lua: `phasor experiment`: which experiments there are, what their results say of a claim, a report. Their runs are done in
-- runs.lua.

local entries = require "phasor.course.entries"
local host = require "phasor.course.host"
local lab = require "phasor"
local nearest = require "phasor.course.nearest"
local plan = require "phasor.train.experiment"
local runs = require "phasor.course.runs"
local statistics = require "phasor.train.statistics"

local M = {}

local PLACE = "lessons/experiments/"

-- ---- which there are ------------------------------------------------------------------------------------------------

local function shipped(name)
  for _, f in ipairs(require "phasor.embedded" (PLACE)) do if f.path == PLACE .. name then return f.text end end
end

function M.names()
  local out = {}
  for _, f in ipairs(require "phasor.embedded" (PLACE)) do out[#out + 1] = f.path:match "([%w_-]+)%.lua$" end
  return out
end

-- What an experiment's file sees: the laboratory, the statistics, and the texts beside it.
local function names_of(read_beside, data)
  local env = {statistics = statistics, text = lab.corpus} -- the first experiments were written when corpus was called so
  function env.beside(file)
    local text = read_beside(file)
    if not text then error(("no file %s beside the experiment"):format(file), 0) end
    data[#data + 1] = file .. " " .. host.sha256(text)
    return text
  end
  function env.progress() end
  return setmetatable(env, {__index = host.env()})
end

-- The experiment called so, shipped or in a file: with its text's fingerprint (blanks, line ends and the pictures, which stand last, do not
-- count) and those of its data. Or nil and a message.
function M.open(name)
  local file = name:find "%.lua$"
  local text, why
  if file then text, why = host.contents(name) else text = shipped(name .. ".lua") end
  if not text then
    return nil, why or ("no experiment \"%s\"%s"):format(name, nearest.among(name, M.names(), "there are"))
  end
  local folder, data = file and (name:match "^(.*/)" or "") or nil, {}
  local env = names_of(function(f) return folder and (host.contents(folder .. f)) or not folder and shipped(f) end, data)
  local chunk, fault = load(text, "=" .. (file and name or PLACE .. name .. ".lua"), "t", env)
  if not chunk then return nil, fault end
  local short = file and name:match "([^/]+)%.lua$" or name
  local ok, made = pcall(function() return plan.read(short, chunk()) end)
  if not ok then return nil, tostring(made) end
  made.text, made.data = host.sha256((text:gsub("\n  pictures = .*$", ""):gsub("%s+", " "))), #data > 0 and table.concat(data, "; ") or "none"
  return made
end

-- The text of its results: those that travel with the program, or those beside an experiment's file; nil: there are none.
local function results_of(name)
  if not name:find "%.lua$" then return shipped(name .. ".csv") end
  local text, why, missing = host.contents((name:gsub("lua$", "csv")))
  if not text and not missing then error({message = "experiment: " .. why}, 0) end
  return text
end

-- ---- findings -------------------------------------------------------------------------------------------------------

local function percent(level) return ("%.4g"):format(100 * level) end

local SAYS = {en = " (mean %s, %s %% interval %s to %s, %d seeds)", zh = "（均值 %s，%s %% 区间 %s 至 %s，%d 个种子）"}

local function words_of(words, f)
  local out = {}
  for lang, text in pairs(SAYS) do
    out[lang] = words[lang] .. text:format(("%.3g"):format(f.mean), percent(f.level), ("%.3g"):format(f.low), ("%.3g"):format(f.high), f.size)
  end
  return out
end

-- A finding as an entry: the interval ends before the threshold, or holds it; which of the two is what was found.
local function verdict_of(words, f)
  local gap = math.abs(f.mean - f.threshold)
  local apart = f.side ~= "around"
  local v = lab.measure {
    claim = words_of(words, f).en, samples = f.size, value = apart and f.half or gap, bound = apart and gap or f.half,
    why = ("half the %s %% t interval of %d seeds against the distance of their mean from %.4g; the rule was written before the runs"):format(
      percent(f.level), f.size, f.threshold),
  }
  return entries.found(words_of(words, f), v, not apart)
end

-- What the rows of an experiment say: a list of entries. more: what each of them says besides, {en =, zh =}; optional.
function M.findings(experiment, rows, more)
  local out = {}
  for k, found in ipairs(experiment.findings(plan.results(experiment, rows))) do
    local words = {en = found.words.en .. (more and more.en or ""), zh = found.words.zh .. (more and more.zh or "")}
    out[k] = verdict_of(words, found.finding)
  end
  return out
end

local LACKS = {en = "%s Unknown: %s. `phasor experiment run %s` does the runs.", zh = "%s 未定：%s。`phasor experiment run %s` 会跑这些实验。"}
local NONE = {en = "there are no results here that fit it", zh = "这里没有与之相符的结果"}
local MISSING = {en = "run %d is missing", zh = "缺第 %d 次运行"}

-- fault: the number of a run that is missing; nil: there are no results.
local function unknown(experiment, fault)
  local words = {}
  for lang, text in pairs(LACKS) do
    words[lang] = text:format(experiment.title[lang], fault and MISSING[lang]:format(fault) or NONE[lang], experiment.name)
  end
  local v = lab.measure {claim = words.en, value = {}, bound = 0, why = "to be judged by the rule of the experiment"}
  return {entries.found(words, v, true)}
end

local AGREES = {en = ", done anew and as in the results that travel with the program", zh = "，重新跑过，与随程序发布的结果一致"}

-- The runs of `check --train` are done anew, here, and must lead to the findings of the results that travel with the program.
local anew = false
function M.anew(yes) anew = yes end

local function rerun(experiment)
  local rows, n = {}, #plan.plan(experiment)
  for k = 1, n do
    host.progress({en = ("%s: run %d of %d"):format(experiment.name, k, n), zh = ("%s：第 %d 次运行，共 %d 次"):format(experiment.name, k, n)}, k / n)
    rows[k] = plan.run(experiment, k)
  end
  return rows
end

-- Runs done anew against the shipped ones: what the findings say besides; an error where they differ.
local function compared(experiment, rows, text)
  local kept = text and runs.read(experiment, text)
  if not kept then return nil end
  local differs = plan.disagreement(experiment, kept, rows)
  if differs then error(("experiment: %s: done anew it says otherwise: in the results that travel with the program %s anew"):format(experiment.name, differs), 0) end
  return AGREES
end

-- The findings, or nil and which run is missing: every run that the rule looks at must be there.
local function judged(experiment, rows, more)
  local ok, found = pcall(M.findings, experiment, rows, more)
  if ok then return found end
  local missing = math.tointeger(tonumber(tostring(found):match "run (%d+) is missing"))
  if not missing then error(found, 0) end
  return nil, missing
end

-- For the cell of a claim: what the shipped results of an experiment say; unknown where they are missing.
function M.experiment(name, only)
  local experiment, why = M.open(name)
  if not experiment then error("experiment: " .. why, 0) end
  local text = results_of(name)
  local rows, found, fault, more
  if anew then
    rows = rerun(experiment)
    more = compared(experiment, rows, text)
  elseif text then rows = runs.read(experiment, text) end
  if rows then found, fault = judged(experiment, rows, more) end
  if not found then return unknown(experiment, fault) end
  if not only then return found end
  local out = {}
  for _, k in ipairs(type(only) == "table" and only or {only}) do out[#out + 1] = found[k] end
  return out
end

-- The results as a table of numbers for a lesson: R:values(measure, {factor = value}).
function M.results(name)
  local experiment, why = M.open(name)
  if not experiment then error("experiment: " .. why, 0) end
  local rows, fault = runs.read(experiment, results_of(name) or "")
  if not rows then error(("experiment: %s: %s"):format(name, fault), 0) end
  return plan.results(experiment, rows)
end

-- ---- a report -------------------------------------------------------------------------------------------------------

-- Means by all factors but the seed, as lines of a table.
local function means(experiment, rows)
  local groups, order = {}, {}
  for k, f in ipairs(plan.plan(experiment)) do
    local names = {}
    for _, factor in ipairs(experiment.factors) do if factor[1] ~= "seed" then names[#names + 1] = tostring(f[factor[1]]) end end
    local key = table.concat(names, ", ")
    if not groups[key] then
      groups[key] = {}
      order[#order + 1] = key
    end
    if rows[k] then table.insert(groups[key], rows[k]) end
  end
  return order, groups
end

local function cell_text(group, m)
  local x = {}
  for k, row in ipairs(group) do x[k] = row[m] end
  if #x < 2 then return x[1] and ("%.4g"):format(x[1]) or "-" end
  local mean, half = statistics.t_interval(x, 0.95)
  return ("%.4g ± %.2g"):format(mean, half)
end

-- The table of means with 95 % intervals: a list of rows of texts, the first the titles.
function M.means(experiment, rows)
  local order, groups = means(experiment, rows)
  local out = {{""}}
  table.move(experiment.measures, 1, #experiment.measures, 2, out[1])
  for _, key in ipairs(order) do
    local line = {key}
    for _, m in ipairs(experiment.measures) do line[#line + 1] = cell_text(groups[key], m) end
    out[#out + 1] = line
  end
  return out
end

local function aligned(rows)
  local wide, out = {}, {}
  for _, r in ipairs(rows) do for k, c in ipairs(r) do wide[k] = math.max(wide[k] or 0, utf8.len(c)) end end
  for i, r in ipairs(rows) do
    local cells = {}
    for k, c in ipairs(r) do cells[k] = k == 1 and c .. (" "):rep(wide[k] - utf8.len(c)) or (" "):rep(wide[k] - utf8.len(c)) .. c end
    out[i] = table.concat(cells, "  ")
  end
  return table.concat(out, "\n") .. "\n"
end

local function escaped(text) return (text:gsub("[&<>]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"})) end

local PAGE = [[
<!doctype html><html lang="%s"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%s</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse;font-size:.85rem}
td,th{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}svg{max-width:100%%;height:auto}
.wide{overflow-x:auto}footer{color:#666;font-size:.8rem;overflow-wrap:anywhere}</style>
<h1>%s</h1><p>%s</p><ul>%s</ul>%s<div class="wide"><table>%s</table></div><footer>%s</footer></html>
]]

local function html_table(rows)
  local out = {}
  for i, r in ipairs(rows) do
    local tag, cells = i == 1 and "th" or "td", {}
    for k, c in ipairs(r) do cells[k] = ("<%s>%s</%s>"):format(tag, escaped(c), tag) end
    out[i] = "<tr>" .. table.concat(cells) .. "</tr>"
  end
  return table.concat(out, "\n")
end

local function pictures(experiment, rows)
  local out = {}
  for _, p in ipairs(experiment.pictures and experiment.pictures(plan.results(experiment, rows)) or {}) do
    out[#out + 1] = ("<h2>%s</h2>\n%s\n"):format(escaped(p.title), p.figure:svg())
  end
  return table.concat(out)
end

local function page(experiment, rows, found, lang)
  local list, head, says = {}, {}, runs.head(experiment)
  for k, e in ipairs(found) do list[k] = "<li>" .. escaped(e:line(lang)) .. "</li>" end
  for _, key in ipairs {"experiment", "data", "code", "versions", "cpu"} do head[#head + 1] = key .. ": " .. escaped(says[key]) end
  local title = escaped(experiment.title[lang])
  return PAGE:format(lang, title, title, escaped(experiment.rule), table.concat(list, "\n"), pictures(experiment, rows),
                     html_table(M.means(experiment, rows)), table.concat(head, "<br>"))
end

-- Table and findings as text; the page goes to o.page. o: {folder, parts, page, lang}.
function M.report(experiment, o)
  local rows = o.folder and runs.collect(experiment, o.folder, o.parts)
  if not rows then
    local why
    rows, why = runs.read(experiment, shipped(experiment.name .. ".csv") or "")
    if not rows then runs.fail("%s: %s", experiment.name, why) end
  end
  local open = plan.missing(experiment, rows)
  host.write(experiment.title[o.lang] .. "\n\n" .. aligned(M.means(experiment, rows)))
  if open > 0 then
    host.write(("\n%d runs are not done; nothing is concluded before\n"):format(open))
    return 1
  end
  local found = M.findings(experiment, rows)
  host.write("\n")
  for _, e in ipairs(found) do host.write(e:line(o.lang) .. "\n") end
  if o.page then runs.save(o.page, page(experiment, rows, found, o.lang)) end
  return 0
end

return M
