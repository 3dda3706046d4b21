-- report.lua: the lines and the JSON of `check` and `claims`.

local judge = require "phasor.course.judge"
local prose = require "phasor.document.prose"
local messages = require "phasor.course.messages"
local host = require "phasor.course.host"
local width = require "phasor.document.width"

local M = {}

-- ---- JSON -----------------------------------------------------------------------------------------------------------

local function quote(text)
  if not utf8.len(text) then text = text:gsub("[\x80-\xff]", "\u{FFFD}") end
  text = text:gsub('[%c"\\]', function(c)
    return (c == '"' or c == "\\") and "\\" .. c or ("\\u%04x"):format(c:byte())
  end)
  return '"' .. text .. '"'
end

-- `fields` = {{"key", value}, …}: order is kept, nil values are left out. A table with .json is text that is JSON already.
local function object(fields)
  local out = {}
  for i = 1, #fields do
    local key, value = fields[i][1], fields[i][2]
    local kind = type(value)
    if kind == "string" then value = quote(value)
    elseif kind == "table" then value = value.json
    elseif kind == "number" then value = math.type(value) == "integer" and ("%d"):format(value) or ("%.6g"):format(value)
    elseif kind ~= "nil" then value = tostring(value) end
    if value then out[#out + 1] = quote(key) .. ":" .. value end
  end
  return "{" .. table.concat(out, ",") .. "}"
end

local function array(list) return {json = "[" .. table.concat(list, ",") .. "]"} end

-- Where a claim is settled, as an editor finds it.
function M.place(file, line) return ("%s:%d"):format(file, line) end

-- ---- check ----------------------------------------------------------------------------------------------------------

-- columns: of the screen that it is for; nil: it stays one line.
local function entry_line(r, with_time, columns)
  local weak = (r.outcome == "holds" or r.outcome == "mended") and judge.weaker(r.strength, r.claim.strength)
  local head = ("%-27s %-9s "):format(r.claim.id, r.outcome)
  local text = ("%s%s%s%s"):format(r.line, weak and (" [demanded: %s]"):format(r.claim.strength) or "",
    r.astray and (" [listed: %s]"):format(r.astray) or "", with_time and (" [%.2f s]"):format(r.time) or "")
  return columns and prose.fill(text, columns - 1, head, "      ") or head .. text
end

-- How a result was reached, as fields: those of the verdict that speaks for it, and what became of the mutants.
local function how(r)
  local v, m = r and r.spokesman, r and r.mutants
  return {"method", v and v.method}, {"conditions", v and v.conditions}, {"size", v and v.size > 0 and v.size or nil},
         {"mutants", m and {json = object {{"total", m.total}, {"refuted", m.refuted}, {"equivalent", m.equivalent},
                                           {"undecided", m.undecided}}} or nil}
end

local function entry_json(r, with_time)
  local verdicts = {}
  for i, v in ipairs(r.verdicts or {}) do verdicts[i] = v:json(with_time and {time = true} or nil) end
  return object {{"id", r.claim.id}, {"verdict", r.outcome}, {"strength", r.strength}, {"demanded", r.claim.strength},
                 {"stance", r.claim.stance}, {"lesson", r.lesson and r.lesson.name},
                 {"cell", r.lesson and M.place(r.lesson.file, r.cell.line)}, {"text", r.line},
                 {"time", with_time and r.time or nil}, {"listed", r.astray}, {"verdicts", array(verdicts)}, how(r)}
end

-- Counts of a check: {checked, holds, measured, mended, failed, unknown, data, unsettled, weaker, astray, errors}; astray: what is stated is not what is
-- listed (stated.lua). Claims about trained models that
-- could not be looked into for lack of one are counted apart, as data: no lesson can settle them.
function M.count(results, errors)
  local n = {checked = 0, holds = 0, measured = 0, mended = 0, failed = 0, unknown = 0, data = 0, unsettled = 0, weaker = 0, astray = 0, errors = #errors}
  for _, r in ipairs(results) do
    local kind = r.outcome == "unknown" and r.claim.stance == "empirical" and "data" or r.outcome
    n[kind] = n[kind] + 1
    if r.outcome ~= "unsettled" then n.checked = n.checked + 1 end
    if (r.outcome == "holds" or r.outcome == "mended") and judge.weaker(r.strength, r.claim.strength) then
      n.weaker = n.weaker + 1
    end
    if r.astray then n.astray = n.astray + 1 end
  end
  return n
end

local function summary(n, beside)
  local parts = {messages.counted("%d claim(s) checked: %d hold[s]", n.checked, n.holds)}
  for _, p in ipairs {{"measured", "%d measured in runs"}, {"mended", "%d mended"}, {"failed", "%d failed"}, {"unknown", "%d unknown"}, {"data", "%d need[s] a model's data"},
                      {"weaker", "%d weaker than demanded"},
                      {"astray", "%d state[s] something else than lessons/stated"}, {"unsettled", "%d unsettled"}, {"errors", "%d error(s)"}} do
    if n[p[1]] > 0 or p[1] == "failed" then parts[#parts + 1] = messages.counted(p[2], n[p[1]]) end
  end
  local text = table.concat(parts, ", ")
  local others, exercises = beside.others, beside.exercises
  if others > 0 then text = text .. messages.counted("; %d other verdict(s) hold[s]", others) end
  return exercises > 0 and text .. messages.counted("; %d exercise(s) tested", exercises) or text
end

-- `beside`: {others = verdicts beside the claims that hold, exercises = how many were tested}. Unsettled claims get a line of their own when they were asked for by
-- name (`named`), else only their count.
function M.check_text(results, errors, beside, named, with_time, columns)
  local out = {}
  for _, e in ipairs(errors) do out[#out + 1] = e end
  for _, r in ipairs(results) do
    if r.outcome ~= "unsettled" or named then out[#out + 1] = entry_line(r, with_time, columns) end
  end
  local said = summary(M.count(results, errors), beside)
  out[#out + 1] = columns and prose.fill(said, columns - 1) or said
  return table.concat(out, "\n")
end

function M.check_json(results, errors, beside, with_time)
  local claims, faults = {}, {}
  for i, r in ipairs(results) do claims[i] = entry_json(r, with_time) end
  for i, e in ipairs(errors) do faults[i] = quote(e) end
  local n, counts = M.count(results, errors), {}
  for _, key in ipairs {"checked", "holds", "measured", "mended", "failed", "unknown", "data", "unsettled", "weaker", "astray", "errors"} do
    counts[#counts + 1] = {key, n[key]}
  end
  counts[#counts + 1] = {"others", beside.others}
  counts[#counts + 1] = {"exercises", beside.exercises}
  return object {{"claims", array(claims)}, {"errors", array(faults)}, {"summary", {json = object(counts)}}}
end

-- ---- claims ---------------------------------------------------------------------------------------------------------

-- `lesson_of`: id -> {name, file, line} of the lesson and cell that check it. `known`: id -> result, of what has been checked in this session.
local function status(claim, lesson_of, known, w)
  local r = known[claim.id]
  if r then return w.outcomes[r.outcome] .. (w.lang == "zh" and "，" or ", ") .. host.strength(r.strength, w.lang) end
  return lesson_of[claim.id] and w.in_lesson:format(lesson_of[claim.id].name) or w.outcomes.unsettled
end

local function padded(text, columns) return text .. (" "):rep(columns - width.of(text)) end

function M.claims_text(ledger, lesson_of, known, lang)
  local out, source, open, w = {}, nil, 0, messages.of(lang)
  for _, c in ipairs(ledger.claims) do
    if c.source ~= source then
      source = c.source
      out[#out + 1] = ("%s%s"):format(#out > 0 and "\n" or "", ledger.sources[source][lang])
    end
    local text = status(c, lesson_of, known, w)
    if text == w.outcomes.unsettled then open = open + 1 end
    out[#out + 1] = ("  %-27s %s %s  %s"):format(c.id, padded(w.stances[c.stance], 9), padded(host.strength(c.strength, lang), 10), text)
    out[#out + 1] = prose.fill(prose.line(c[lang]), 79, "      ", "      ")
  end
  out[#out + 1] = messages.counted(w.all_claims, #ledger.claims, open)
  return table.concat(out, "\n")
end

function M.claims_json(ledger, lesson_of, known)
  local out = {}
  for i, c in ipairs(ledger.claims) do
    local source, r, place = ledger.sources[c.source], known[c.id], lesson_of[c.id]
    out[i] = object {{"id", c.id}, {"source", source.en}, {"section", source.sections[c.section].en}, {"stance", c.stance},
                     {"demanded", c.strength}, {"status", r and r.outcome or place and "registered" or "unsettled"},
                     {"strength", r and r.strength}, {"lesson", place and place.name}, {"cell", place and M.place(place.file, place.line)},
                     {"formula", c.formula}, {"en", c.en}, {"zh", c.zh}, how(r)}
  end
  return array(out).json
end

return M
