-- judge.lua: what the value of a cell says about its claim.
--
--   a verdict, or what mutants() reports   or a list of these, lists in it as well
--                                          every one must hold; the weakest strength counts
--   {written = …, mended = …}              an erratum: what the source has is refuted, what it should be holds
--   named(…), fails(…), also(…), figure(…), cited(…)  in a list, like a verdict: entries.lua
--
-- Every verdict of a claim says what it is about, and not that something equals itself: one that does not is a broken cell. So is a measurement
-- whose bound is so far from what was measured that it could not have failed.
-- A report of mutants holds when the formula itself was proved, some were refuted and none is undecided: then the proof beside it
-- could have failed. What a claim's cell proves without reporting its mutants is put to them here, of many to an even spread.
-- Outcomes: "holds", "mended", "unknown" (a verdict that could not be reached), "failed"; and "measured" where runs of an experiment decide what
-- is so at their size, whichever way: that is not the claim itself, and its line says which.

local about = require "phasor.lib.about"
local entries = require "phasor.course.entries"
local host = require "phasor.course.host"
local lab = require "phasor"
local messages = require "phasor.course.messages"

local M = {}

local rank = {unknown = 0, refuted = 1, measured = 2, certified = 3, proved = 4}

local function is_verdict(v) return type(v) == "userdata" and getmetatable(v) == "Verdict" end

-- Adds one report to another.
local function add(sum, report)
  for _, key in ipairs {"total", "refuted", "equivalent", "undecided"} do sum[key] = (sum[key] or 0) + report[key] end
  local original = rawget(report, "original")
  if original and original ~= "proved" then sum.unproved = original end
end

local DEPTH = 4 -- of lists in lists; a table may hold itself

-- What was given instead, in words; nil when `value` holds only verdicts, entries and reports. They are gathered into `out`: what counts
-- in its list, what stands beside it in .beside, all of them in .all.
local function gather(value, out, depth)
  if is_verdict(value) then value = entries.of(value) end
  if entries.is(value) then
    local list = value.beside and out.beside or out
    list[#list + 1] = value
    out.all[#out.all + 1] = value
  elseif value == nil then return "nothing"
  elseif type(value) ~= "table" then return "a " .. type(value)
  elseif about.is_mutants(value) then
    out.mutants = out.mutants or {}
    add(out.mutants, value)
    local one = rawget(value, "statement")
    for _, text in ipairs(rawget(value, "statements") or {one}) do out.reported[text] = true end
  elseif rawlen(value) == 0 or depth == DEPTH then return "a table without verdicts"
  else
    for key in next, value do -- what nobody looks at could be refuted
      if math.type(key) ~= "integer" or key < 1 or key > rawlen(value) then return ("a list with the key %s"):format(tostring(key)) end
    end
    for i = 1, rawlen(value) do
      local seen = gather(rawget(value, i), out, depth + 1)
      if seen then return ("a list with %s at %d"):format(seen, i) end
    end
  end
end

-- The entries of a value as a list, with the sum of its reports as .mutants; or nil and what was seen instead. alone: figures and
-- counterexamples may stand without a statement.
local function list_of(value, alone)
  local out = {beside = {}, all = {}, reported = {}}
  local seen = gather(value, out, 1)
  if not seen and #out == 0 and not (alone and #out.all > 0) then seen = #out.beside > 0 and "figures without a statement" or "mutants without a verdict" end
  if seen then return nil, seen end
  return out
end

-- Puts what a list proves and does not report on to its mutants; .unspoilt: the first proof that none of them would have failed.
local function put_to_mutants(list)
  if list.mutants and list.mutants.refuted == 0 then return end -- it fails already
  for i, e in ipairs(list.all) do
    if not e.fails and e.verdict.strength == "proved" then
      local report = lab.mutants(e.verdict, {but = list.reported})
      if report.refuted == 0 and report.undecided == 0 and report.others == 0 then list.unspoilt = list.unspoilt or i end
      if report.total > 0 then
        list.mutants = list.mutants or {}
        add(list.mutants, report)
      end
      for _, text in ipairs(report.statements) do list.reported[text] = true end
    end
  end
end

local function holds(v) return rank[v.strength] >= rank.measured end

-- Does it say nothing: no statement, or one side twice?
local function is_empty(e)
  local text = e:statement_in "en"
  return not text or not text:find "%S" or entries.side_twice(text) ~= nil
end

-- The first entry that says nothing, as a fault in words; nil when each says something.
local function empty_one(all)
  for i, e in ipairs(all) do
    if is_empty(e) then
      return ("verdict %d of the cell says nothing: %s; wanted a statement (see named)"):format(i, tostring(e))
    end
  end
end

-- The first proof that no change of its statement would have made fail, as a fault in words.
local function unspoilt_one(list)
  local i = list.unspoilt
  return i and ("verdict %d of the cell could not have failed: none of its mutants is refuted: %s"):format(i, tostring(list.all[i]))
end

local ROOM = 1e6 -- a bound so many times what was measured could not have been missed

-- The first measurement that could not have failed, as a fault in words.
local function vacuous_one(all)
  for i, e in ipairs(all) do
    local v = e.verdict
    if v.strength == "measured" and v.bound > 0 and v.value ~= 0 and math.abs(v.value) * ROOM < v.bound then
      return ("verdict %d of the cell could not have failed: %s; wanted a bound that is near"):format(i, tostring(e))
    end
  end
end

-- The first entry that is not what it should be.
local function wrong_one(list)
  for _, e in ipairs(list) do if not e:right() then return e end end
end

-- Of measurements the one with the widest bound speaks: bounds are derived, the same on every processor; what is measured is not, and which
-- comes closest to its bound is decided by its last digits.
local function wider(v, than) return (v.bound or 0) > (than.bound or 0) end

-- The verdict that speaks for a list: the first that does not hold, else the weakest, of equals the one with the widest bound.
local function spokesman(list)
  local best
  for _, e in ipairs(#list > 0 and list or list.beside) do
    local v = e.verdict
    if not holds(v) then
      if not best or holds(best) or rank[v.strength] > rank[best.strength] then best = v end
    elseif not best or (holds(best) and (rank[v.strength] < rank[best.strength]
           or (rank[v.strength] == rank[best.strength] and wider(v, best)))) then
      best = v
    end
  end
  return best
end

-- What became of all mutants, and whether a formula was not proved itself.
function M.mutants_text(m, lang)
  return about.mutants(m, lang, m.unproved and messages.of(lang).unproved:format(host.strength(m.unproved, lang)))
end

-- "; cited: …", with every source once; "" when nothing is cited.
local function sources_in(lang, all)
  local out, seen = {}, {}
  for _, e in ipairs(all) do
    local source = e:cited_in(lang)
    if source and not seen[source] then out[#out + 1], seen[source] = source, true end
  end
  return #out > 0 and messages.of(lang).cited:format(table.concat(out, "; ")) or ""
end

-- A line about a list, in one language.
local function line_in(lang, list)
  local w, v = messages.of(lang), spokesman(list)
  local text = v:text(lang)
  if #list > 1 then text = text .. messages.counted(v.strength == "measured" and w.widest or w.statements, #list) end
  for _, kind in ipairs {"fails", "also", "figure"} do
    local n = 0
    for _, e in ipairs(list.beside) do if e.beside == kind then n = n + 1 end end
    if n > 0 then text = text .. messages.counted(w.besides[kind], n) end
  end
  if list.mutants then text = text .. w.beside:format(M.mutants_text(list.mutants, lang)) end
  return text .. sources_in(lang, list.all)
end

-- What f(lang) gives, in both.
local function in_both(f) return {en = f "en", zh = f "zh"} end

-- What stands beside the statement and is not what it should be makes the claim fail, or leaves it open.
local function outcome_of(list)
  local v, m, wrong = spokesman(list), list.mutants, wrong_one(list.beside)
  if #list > 0 and not holds(v) then return v.strength == "unknown" and "unknown" or "failed", v.strength end
  if wrong then return wrong.verdict.strength == "unknown" and "unknown" or "failed", wrong.verdict.strength, wrong end
  if m and (m.unproved or m.refuted == 0) then return "failed", v.strength end -- nothing could have failed
  if m and m.undecided > 0 then return "unknown", v.strength end
  return "holds", v.strength
end

-- What is handed back, for verdicts of which `list` counts; line(lang) says it.
local function result(outcome, strength, line, list, all, wrong)
  local lines = in_both(line)
  return {outcome = outcome, strength = strength, line = lines.en, lines = lines, verdicts = all or list.all, mutants = list.mutants,
          spokesman = wrong and wrong.verdict or spokesman(list)}
end

local function broken(text, ...)
  text = text:format(...)
  return result("failed", "unknown", function() return text end, {all = {}, beside = {}})
end

-- What is said of an entry that is not what it should be.
local function wrong_line(e, lang)
  local w = messages.of(lang)
  local text = (e:statement_in(lang) or "") .. w.colon .. e.verdict:text(lang)
  return e.fails and w.not_refuted:format(text) or text
end

-- The written form of an erratum as counterexamples; a figure beside them must be so.
local function as_counterexamples(written)
  local all = {}
  for i, e in ipairs(written.all) do all[i] = e.beside and e or entries.fails(e.verdict, e.words or nil) end
  return all
end

local function erratum(value, quick)
  if type(value) ~= "table" or not value.written or not value.mended then
    return broken("the cell's value must be {written = …, mended = …}: the claim is an erratum")
  end
  for key in next, value do
    if key ~= "written" and key ~= "mended" then return broken("the cell's value has the key %s beside written and mended", tostring(key)) end
  end
  local written, seen = list_of(value.written)
  if not written then return broken("written is %s; wanted a refuted verdict", seen) end
  local mended
  mended, seen = list_of(value.mended)
  if not mended then return broken("mended is %s; wanted a verdict that holds", seen) end
  if not quick then put_to_mutants(mended) end
  local all = as_counterexamples(written)
  local wrong = wrong_one(all)
  table.move(mended.all, 1, #mended.all, #all + 1, all)
  if wrong then
    local strength = wrong.verdict.strength
    return result(strength == "unknown" and "unknown" or "failed", strength,
                  function(lang) return wrong_line(wrong, lang) end, mended, all)
  end
  local outcome, strength, beside = outcome_of(mended)
  local fault = outcome == "holds" and (empty_one(all) or vacuous_one(all) or unspoilt_one(mended))
  if fault then return broken("%s", fault) end
  return result(outcome == "holds" and "mended" or outcome, strength, function(lang)
    if beside then return wrong_line(beside, lang) end
    return line_in(lang, mended) .. messages.of(lang).as_written:format(written[1].verdict:text(lang))
  end, mended, all, beside)
end

-- What became of a list that an experiment's findings make, and all of them in words; nil of others.
local function found(list)
  local decided, any = false, false
  for _, e in ipairs(list.all) do
    local how = rawget(e, "found")
    any, decided = any or how ~= nil, decided or how == "decided"
  end
  if not any then return nil end
  return decided and "measured" or "unknown", function(lang)
    local out = {}
    for k, e in ipairs(list.all) do out[k] = e:statement_in(lang) end
    return table.concat(out, messages.of(lang).semicolon)
  end
end

local function plain(value, must_say, quick)
  local list, seen = list_of(value, not must_say)
  if not list then return nil, seen end
  if must_say and not quick then put_to_mutants(list) end
  local outcome, strength, beside = outcome_of(list)
  local fault = must_say and outcome == "holds" and (empty_one(list.all) or vacuous_one(list.all) or unspoilt_one(list))
  if fault then return broken("%s", fault) end
  local seen_in_runs, said
  if must_say then seen_in_runs, said = found(list) end
  if seen_in_runs and (outcome == "holds" or outcome == "unknown") then return result(seen_in_runs, seen_in_runs, said, list) end
  return result(outcome, strength, function(lang)
    return beside and wrong_line(beside, lang) or line_in(lang, list)
  end, list, nil, beside)
end

-- The result for the value of a cell that checks `claim` (an entry of the ledger):
-- {outcome, strength, line, lines (the line in English and in both languages), verdicts (entries, of all), mutants (or nil), spokesman
-- (the verdict that counts, or nil)}. quick: no mutants but those reported.
function M.judge(claim, value, quick)
  if claim.stance == "erratum" then return erratum(value, quick) end
  local out, seen = plain(value, true, quick)
  return out or broken("the cell's value is %s; wanted a verdict or a list of them", seen)
end

-- The same for a cell without a claim; nil when its value has nothing to do with verdicts.
function M.value(value) return (plain(value)) end

-- Is `strength` less than what the ledger demands?
function M.weaker(strength, demanded) return rank[strength] < rank[demanded] end

return M
