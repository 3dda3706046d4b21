-- spoil.lua: spoils the cells that settle claims, a token at a time, and lists what a check does not notice.
--
--   build/phasor tests/lessons/spoil.lua
--
-- Settings, in the environment: SPOIL_EACH (how many of each claim; 30), SPOIL_SEED (1), SPOIL_ONLY (lessons and claims, apart by blanks), SPOIL_KIND (constant,
-- factor, sign, operator, operand, index, function or figure), SPOIL_JOBS (2).
-- SPOIL_LIST=1 lists what is true or listed otherwise, too.
-- SPOIL_LOG=FILE: what becomes of each is written there as soon as it is known, a line each, and what stands there already is not tried again: a long
-- run may be ended at any time and gone on with. It is of one program: begin another file when something but the lessons was changed.
-- SPOIL_SECONDS=N: begins no further one after that time; the table is of those that were tried, and the last line counts the others.
-- Each spoiled cell runs in a copy of the process that has come to it, so nothing it wrecks is felt by the next. What becomes of it:
--
--   false      it raises, does not end in time (how many do not, stands below the table), or is judged false
--   true       it states something else, and all that it states otherwise was proved, certified or refuted anew: a true variation, judged as such
--   listed     it states something else that was only measured: `check --strict` complains, as that is not what lessons/stated lists for the claim
--   explained  it states the same as before, and survivors.lua says for this very change why nothing was spoiled
--   left       it passes unnoticed

local folder = os.getenv "TEST_SOURCES" or "tests"
local function part(name) return assert(loadfile(folder .. "/lessons/" .. name .. ".lua", "t"))() end

local pool = require "phasor.course.pool"
local host = require "phasor.course.host"
local judge = require "phasor.course.judge"
local ledger = require "phasor.ledger"
local catalogue = require "phasor.course.catalogue"
local run = require "phasor.course.run"
local stated = require "phasor.course.stated"
local tokens, excused = part "tokens", part "survivors"

local each = tonumber(os.getenv "SPOIL_EACH" or 30)
local seed = tonumber(os.getenv "SPOIL_SEED" or 1)
local only -- a set of lessons and claims; nil: all
for name in (os.getenv "SPOIL_ONLY" or ""):gmatch "%S+" do
  only = only or {}
  only[name] = true
end
local kind = os.getenv "SPOIL_KIND"
local jobs = tonumber(os.getenv "SPOIL_JOBS" or 2)
local log = os.getenv "SPOIL_LOG"
local until_when = os.time() + (tonumber(os.getenv "SPOIL_SECONDS") or math.huge)
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

-- Is everything that a cell states now, and did not state before, more than measured?
local function judged_anew(id, now)
  local before = {}
  for _, line in ipairs(stated.listed(id)) do before[line] = (before[line] or 0) + 1 end
  for _, line in ipairs(now) do
    local kind = line:match " :: (%a+)"
    if (before[line] or 0) > 0 then before[line] = before[line] - 1
    elseif kind == "measured" then return false end
  end
  return true
end

local function spoiled(lesson, cell, env, s, limit)
  local code = cell.code:sub(1, s.first - 1) .. s.with .. cell.code:sub(s.last + 1)
  local how, said = host.apart(function()
    local done = run.cell(lesson, setmetatable({code = code}, {__index = cell}), ledger, host.eval, env, true)
    if not done.ok then return "raised" end
    if not passes(done.result) then return done.result.outcome end
    return not done.result.astray and "passed" or judged_anew(cell.claim, done.result.stated) and "true" or "listed"
  end, limit, MEGABYTES)
  return how == "ok" and said or how
end

-- ---- what is known from the log ---------------------------------------------------------------------------------------

local fates = {} -- all there are
for fate in ("raised failed unknown passed true listed died time memory error"):gmatch "%a+" do fates[fate] = true end
local known = {} -- key -> fate
do
  local file = log and io.open(log)
  for line in file and file:lines() or function() end do
    local key, fate = line:match "^(%x+ %d+ %d+ %S+)\t.*\t(%S+)$"
    if key and fates[fate] then known[key] = fate end -- a line that was cut off is of none
  end
  if file then file:close() end
end

local function note(f)
  if not log then return end
  local file = assert(io.open(log, "a"))
  assert(file:write(("\n%s\t%s\t%s:%d\t%s -> %s\t%s"):format(f.key, f.id, f.at, f.column, f.was, f.with, f.fate)))
  assert(file:close())
end

-- The changes of every claim of a lesson, cell by cell, those whose fate is known with it. A change is known by the code up to the end of its cell,
-- what is listed for the claim, and its place.
local function changes(lesson)
  local out, all, before = {}, {}, ""
  for i, cell in ipairs(lesson.cells) do
    local claim = cell.claim and ledger.by_id[cell.claim]
    if run.runs(cell) then before = host.sha256(before .. cell.code) end
    if run.runs(cell) and claim and claim.stance ~= "empirical" and (not only or only[claim.id] or only[lesson.name]) then
      local state = host.sha256(before .. table.concat(stated.listed(claim.id), "\n")):sub(1, 16)
      out[i] = {}
      for k, s in ipairs(drawn(of_kind(tokens.spoils(cell.code)), each, claim.id)) do
        local text, line, column = tokens.line_at(cell.code, s.first)
        local key = ("%s %d %d %s"):format(state, s.first, s.last, host.sha256(s.with):sub(1, 8))
        local f = {id = claim.id, kind = s.kind, was = s.was, with = s.with, text = text, column = column, key = key,
                   at = ("%s:%d"):format(lesson.file, cell.line + line), fate = known[key]}
        out[i][k], all[#all + 1] = {s = s, f = f}, f
      end
    end
  end
  return out, all
end

-- How many of a list have no fate yet.
local function open_of(list)
  local n = 0
  for _, f in ipairs(list) do if not (f.f or f).fate then n = n + 1 end end
  return n
end

-- Seconds that a spoiled version of a cell has; the cell as it is must pass.
local function limit_of(lesson, cell, env)
  local how, time = host.apart(function()
    local done = run.cell(lesson, cell, ledger, host.eval, env, true)
    return passes(done.result) and tostring(done.time) or "?"
  end, 600, MEGABYTES)
  if how ~= "ok" or time == "?" then error(("%s:%d: not spoiled, the cell does not pass: %s"):format(lesson.file, cell.line, how), 0) end
  return math.max(LEAST, 10 * tonumber(time))
end

-- Runs a lesson up to the last cell with anything to try; at each cell of a claim, its spoiled versions first. All changes, with their fates.
local function walk(lesson)
  local env, todo, all = host.silent(), changes(lesson)
  local left = open_of(all)
  for i, cell in ipairs(lesson.cells) do
    if left == 0 or os.time() >= until_when then break end
    if todo[i] and open_of(todo[i]) > 0 then
      local limit = limit_of(lesson, cell, env)
      for _, one in ipairs(todo[i]) do
        if not one.f.fate and os.time() < until_when then
          one.f.fate, left = spoiled(lesson, cell, env, one.s, limit), left - 1
          note(one.f)
        end
      end
    end
    if run.runs(cell) then
      local done = run.cell(lesson, cell, ledger, host.eval, env, true)
      if not done.ok then error(done.message, 0) end
    end
  end
  return all
end

local function wanted(lesson)
  if not only or only[lesson.name] then return #catalogue.claims(lesson) > 0 end
  for _, id in ipairs(catalogue.claims(lesson)) do if only[id] then return true end end
end

local lessons, all, untried = {}, {}, 0
for _, name in ipairs(catalogue.names()) do
  local lesson = catalogue.open(name)
  if wanted(lesson) then lessons[#lessons + 1] = lesson end
end
pool.run(host, #lessons, jobs, function(i) return #lessons[i].cells end, function(i) return walk(lessons[i]) end,
  function(i, found, why)
    if not found then error(lessons[i].file .. ": " .. why, 0) end
    for _, f in ipairs(found) do
      if f.fate then all[#all + 1] = f else untried = untried + 1 end
    end
  end)
table.sort(all, function(a, b)
  if a.id ~= b.id then return a.id < b.id end
  if a.at ~= b.at then return a.at < b.at end
  if a.column ~= b.column then return a.column < b.column end
  return a.with < b.with
end)

-- ---- the table -------------------------------------------------------------------------------------------------------

local columns = {"false", "true", "listed", "explained", "left"}
local kinds, sums, reasons, late = {}, {}, {}, 0
for _, c in ipairs(columns) do sums[c] = 0 end

local function count(f, column)
  kinds[f.kind] = kinds[f.kind] or {}
  kinds[f.kind][column] = (kinds[f.kind][column] or 0) + 1
  sums[column] = sums[column] + 1
end

for _, f in ipairs(all) do
  local reason = f.fate == "passed" and excused(f)
  local column = f.fate == "passed" and (reason and "explained" or "left") or (f.fate == "true" or f.fate == "listed") and f.fate or "false"
  count(f, column)
  if f.fate == "time" then late = late + 1 end
  if reason then reasons[reason] = (reasons[reason] or 0) + 1 end
  if column == "left" or os.getenv "SPOIL_LIST" and column ~= "false" then
    print(("%s:%d %s: %s -> %s (%s%s)\n    %s"):format(f.at, f.column, f.id, f.was, f.with, f.kind, column == "left" and "" or ", " .. column, f.text))
  end
end

local function row(name, counts)
  local tried, cells = 0, {}
  for i, c in ipairs(columns) do
    tried, cells[i] = tried + (counts[c] or 0), ("%10d"):format(counts[c] or 0)
  end
  print(("%-10s%7d%s"):format(name, tried, table.concat(cells)))
end
print(("%-10s%7s%10s%10s%10s%10s%10s"):format("kind", "tried", table.unpack(columns)))
local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do row(name, kinds[name]) end
row("all", sums)
local why = {}
for reason, n in pairs(reasons) do why[#why + 1] = ("%6d  %s"):format(n, reason) end
table.sort(why, function(a, b) return a > b end)
if #why > 0 then print(table.concat(why, "\n")) end
local spoilt = #all - sums.explained
if late > 0 then print(("%6d  of the false ones did not end in time"):format(late)) end
if untried > 0 then print(("%6d  were not tried: SPOIL_SECONDS were over"):format(untried)) end
print(("%d tried, %d explained; of the other %d, %.2f %% noticed, %.2f %% by the judge, %d not noticed"):format(
  #all, sums.explained, spoilt, 100 * (1 - sums.left / math.max(1, spoilt)), 100 * (sums["false"] + sums["true"]) / math.max(1, spoilt), sums.left))
