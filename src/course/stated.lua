-- stated.lua: what each claim of the ledger states, as it was last written down (lessons/stated): a line for each verdict of its cell, of
--
--   claim, kind, statement, conditions (of what is refuted: the witness), bound      separated by " :: "
--
-- kind: certified, measured, proved, refuted.
--
-- A cell that was changed may state something else that is true as well: another formula, a smaller box, a wider bound. Nothing fails then; so
-- the statements themselves are held against the list. `phasor check --stated lessons/stated` writes it anew.

local entries = require "phasor.course.entries"
local host = require "phasor.course.host"
local ledger = require "phasor.ledger"
local shipped = require "phasor.course.shipped"
local trim = require "phasor.document.trim"

local M = {}

local FILE = "lessons/stated"
local GAP = " :: "
local LONG = 200 -- a statement beyond this is kept by its beginning and its fingerprint

local head = {
  "# What each claim of the ledger states: claim, kind, statement, conditions (of what is refuted: the witness), bound.",
  "# Written by `phasor check --stated lessons/stated`; read every line that changes.",
}

local function short(text)
  text = text:gsub("%s+", " ")
  if #text <= LONG then return text end
  local cut = LONG - 40
  while text:byte(cut + 1) & 0xC0 == 0x80 do cut = cut - 1 end
  return text:sub(1, cut) .. " ... " .. host.sha256(text):sub(1, 16)
end

-- Under which conditions it stands, or where it is refuted: of a measurement only where nothing is rounded, then with what was said there.
local function place_of(v)
  if v.strength ~= "refuted" then return v.strength ~= "measured" and v.conditions or "" end
  local place = (not v.value or v.bound == 0) and v.witness and v.witness:gsub("^%S+:%d+: ", "") or v.conditions or ""
  return place ~= "the value" and place or ""
end

-- What an entry states; how hard was tried (samples, seeds) is no part of it, nor is what was seen.
local function line_of(id, e)
  local v = e.verdict
  local said, own = e:statement_in "en", v.statement
  own = said and own and entries.side_twice(own) or own
  local text = said and own and said ~= own and said .. " | " .. own or said or own or ""
  local source = e:cited_in "en"
  if source then text = text .. " (cited: " .. source .. ")" end
  local measured = v.strength == "measured"
  local uneven = measured and v:text "en":find "worst deviation" -- bounds of which rounding says which is nearest
  local bound = v.bound and not uneven and ("%.3g"):format(v.bound) or ""
  return trim.right(table.concat({id, e.fails and "refuted" or v.strength, short(text), short(place_of(v)), bound}, GAP))
end

-- The lines of a result (judge.lua), in order.
function M.lines(id, result)
  local out = {}
  for i, e in ipairs(result.verdicts) do out[i] = line_of(id, e) end
  return out
end

local listed -- claim -> lines

local function read()
  listed = {}
  for _, f in ipairs(require "phasor.embedded" "lessons/") do
    if f.path == FILE then
      for line in f.text:gmatch "[^\n]+" do
        local id = line:match "^([^# ]+) :: "
        if id then
          listed[id] = listed[id] or {}
          table.insert(listed[id], line)
        end
      end
    end
  end
end

-- What the list has of a claim, line by line.
function M.listed(id)
  if not listed then read() end
  return listed[id] or {}
end

local ours = {}
for _, lesson in ipairs(shipped) do ours[lesson.name] = true end

-- The first line that is listed and not stated, or stated and not listed; nil when there is none, or the lesson is none of ours: another
-- lesson may settle a claim in another way.
function M.astray(lesson, result)
  if not ours[lesson.name] or result.claim.stance == "empirical" then return nil end
  local wanted, now = M.listed(result.claim.id), result.stated
  for i = 1, math.max(#wanted, #now) do
    if wanted[i] ~= now[i] then return wanted[i] and wanted[i]:match " :: (.*)" or "nothing more" end
  end
end

-- The list, of all results of a check; nil and a message when a claim is missing.
function M.text(results)
  local out = table.move(head, 1, #head, 1, {})
  local lines = {}
  for _, r in ipairs(results) do if r.stated then lines[r.claim.id] = r.stated end end
  for _, c in ipairs(ledger.claims) do
    if c.stance ~= "empirical" then
      if not lines[c.id] then return nil, ("--stated: %s was not checked; wanted a check of everything"):format(c.id) end
      table.move(lines[c.id], 1, #lines[c.id], #out + 1, out)
    end
  end
  return table.concat(out, "\n") .. "\n"
end

return M
