-- spoil.lua: spoils the cells that settle claims, a token at a time, and lists what a check does not notice.
--
--   build/phasor tests/lessons/spoil.lua
--
-- Settings, in the environment: SPOIL_EACH (how many of each claim; 30), SPOIL_SEED (1), SPOIL_ONLY (a lesson or a claim), SPOIL_KIND (constant,
-- factor, sign, operator, operand, index, function or figure), SPOIL_JOBS (2).
-- Each spoiled cell runs in a copy of the process that has come to it, so nothing it wrecks is felt by the next. It is killed when it raises,
-- does not end in time, or is judged false. What is still true may be another statement than the one that lessons/stated lists for the claim:
-- `check --strict` complains of that too, and it is counted apart. All else passes unnoticed, unless survivors.lua says why nothing is spoiled.

local folder = os.getenv "TEST_SOURCES" or "tests"
local function part(name) return assert(loadfile(folder .. "/lessons/" .. name .. ".lua", "t"))() end

local crew = require "phasor.course.crew"
local host = require "phasor.course.host"
local judge = require "phasor.course.judge"
local ledger = require "phasor.ledger"
local catalogue = require "phasor.course.catalogue"
local run = require "phasor.course.run"
local tokens, excused = part "tokens", part "survivors"

local each = tonumber(os.getenv "SPOIL_EACH" or 30)
local seed = tonumber(os.getenv "SPOIL_SEED" or 1)
local only = os.getenv "SPOIL_ONLY"
local kind = os.getenv "SPOIL_KIND"
local jobs = tonumber(os.getenv "SPOIL_JOBS" or 2)
local LEAST = 2 -- seconds that a cell has at least
local MEGABYTES = 8192

-- All of the wanted kind.
local function of_kind(list)
  if not kind then return list end
  local out = {}
  for _, s in ipairs(list) do if s.kind == kind then out[#out + 1] = s end end
  return out
end

-- What `check --strict` says of a result.
local function passes(r)
  return (r.outcome == "holds" or r.outcome == "mended") and not judge.weaker(r.strength, r.claim.strength)
end

-- `n` of a list, drawn by a seed that belongs to the claim, so that another claim's cell does not change the draw.
local function drawn(list, n, id)
  local state = seed
  for i = 1, #id do state = (state * 31 + id:byte(i)) % 2147483647 end
  local function random(k)
    state = state * 48271 % 2147483647
    return state % k + 1
  end
  for i = 1, math.min(n, #list) do
    local k = i + random(#list - i + 1) - 1
    list[i], list[k] = list[k], list[i]
  end
  return table.move(list, 1, math.min(n, #list), 1, {})
end

-- The line of the cell's code at a place, without its indentation.
local function line_at(code, at)
  local before = code:sub(1, at - 1)
  local first = #(before:match "^.*\n" or "") + 1
  local _, number = before:gsub("\n", "")
  return code:sub(first):match "^%s*([^\n]*)", number + 1
end

local function spoiled(lesson, cell, env, s, limit)
  local code = cell.code:sub(1, s.first - 1) .. s.with .. cell.code:sub(s.last + 1)
  local how, said = host.apart(function()
    local done = run.cell(lesson, setmetatable({code = code}, {__index = cell}), ledger, host.eval, env, true)
    if not done.ok then return "raised" end
    return not passes(done.result) and done.result.outcome or done.result.astray and "other" or "passed"
  end, limit, MEGABYTES)
  return how == "ok" and said or how
end

-- Runs a lesson up to its end; at each cell of a claim, its spoiled versions first.
local function walk(lesson)
  local env, out = host.silent(), {}
  for _, cell in ipairs(lesson.cells) do
    local claim = cell.claim and ledger.by_id[cell.claim]
    if run.runs(cell) then
      local began, all = os.clock(), nil
      if claim and claim.stance ~= "empirical" and (not only or only == claim.id or only == lesson.name) then
        all = drawn(of_kind(tokens.spoils(cell.code)), each, claim.id)
        local how, time = "ok", "0"
        if #all > 0 then how, time = host.apart(function()
          local done = run.cell(lesson, cell, ledger, host.eval, env, true)
          return passes(done.result) and tostring(done.time) or "?"
        end, 600, MEGABYTES) end
        local limit = math.max(LEAST, 10 * (tonumber(time) or 60))
        for _, s in ipairs(all) do
          local text, line = line_at(cell.code, s.first)
          out[#out + 1] = {id = claim.id, kind = s.kind, was = s.was, with = s.with, text = text,
                           at = ("%s:%d"):format(lesson.file, cell.line + line), fate = how == "ok" and spoiled(lesson, cell, env, s, limit) or "?"}
        end
      end
      local done = run.cell(lesson, cell, ledger, host.eval, env, true)
      if not done.ok then error(done.message, 0) end
    end
  end
  return out
end

local function wanted(lesson)
  if not only or lesson.name == only then return #catalogue.claims(lesson) > 0 end
  for _, id in ipairs(catalogue.claims(lesson)) do if id == only then return true end end
end

local lessons, tried, killed, others, reasons, left = {}, 0, 0, 0, {}, {}
for _, name in ipairs(catalogue.names()) do
  local lesson = catalogue.open(name)
  if wanted(lesson) then lessons[#lessons + 1] = lesson end
end
local kinds = {}
crew.run(host, #lessons, jobs, function(i) return #lessons[i].cells end, function(i) return walk(lessons[i]) end,
  function(i, found, why)
    if not found then error(lessons[i].file .. ": " .. why, 0) end
    for _, f in ipairs(found) do
      local k = kinds[f.kind] or {0, 0, 0, 0}
      kinds[f.kind] = k
      tried, k[1] = tried + 1, k[1] + 1
      local reason = f.fate == "passed" and excused(f)
      if f.fate == "other" then others, k[3] = others + 1, k[3] + 1
      elseif f.fate ~= "passed" then killed, k[2] = killed + 1, k[2] + 1
      elseif reason then reasons[reason], k[4] = (reasons[reason] or 0) + 1, k[4] + 1
      else left[#left + 1] = f end
    end
  end)

table.sort(left, function(a, b) if a.id ~= b.id then return a.id < b.id end return a.at < b.at end)
for _, f in ipairs(left) do print(("%s %s: %s -> %s (%s)\n    %s"):format(f.at, f.id, f.was, f.with, f.kind, f.text)) end
print(("%-12s %6s %6s %6s %9s"):format("kind", "tried", "false", "other", "explained"))
local names = {}
for kind in pairs(kinds) do names[#names + 1] = kind end
table.sort(names)
for _, kind in ipairs(names) do print(("%-12s %6d %6d %6d %9d"):format(kind, table.unpack(kinds[kind]))) end
local explained, why = 0, {}
for reason, n in pairs(reasons) do
  explained = explained + n
  why[#why + 1] = ("%6d  %s"):format(n, reason)
end
table.sort(why)
if #why > 0 then print(table.concat(why, "\n")) end
print(("%d tried: %d judged false, %d true but another statement than listed, %d explained, %d not noticed (%.2f %% of what spoils is noticed)"):format(
  tried, killed, others, explained, #left, 100 * (killed + others) / math.max(1, tried - explained)))
spoil_left = #left
