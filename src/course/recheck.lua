-- recheck.lua: what the lessons prove, as files for a second judge (Coq), and the list that scripts/recheck goes by.

local host = require "phasor.course.host"

local M = {}

local DEPTH = 5 -- of lists in lists

-- Calls f(verdict) for each proved verdict in a cell's value.
local function each_proved(value, f, depth)
  if type(value) == "userdata" and getmetatable(value) == "Verdict" then
    if value.strength == "proved" then f(value) end
  elseif type(value) == "table" and depth < DEPTH then
    for _, key in ipairs {"written", "mended", "verdict"} do each_proved(rawget(value, key), f, depth + 1) end
    for i = 1, rawlen(value) do each_proved(rawget(value, i), f, depth + 1) end
  end
end

-- Adds what a cell proved to `out`: {place, statement, coq (the file's text) or why (there is none)}; of a cell's {refused = text},
-- a text that Coq must refuse, {place, wrong = text}.
function M.gather(out, lesson, cell, value)
  local wrong = type(value) == "table" and rawget(value, "refused")
  if type(wrong) == "string" then out[#out + 1] = {place = ("%s:%d"):format(lesson.file, cell.line), wrong = wrong} end
  each_proved(value, function(v)
    local ok, text = pcall(v.coq, v)
    local item = {place = ("%s:%d"):format(lesson.file, cell.line), claim = cell.claim, statement = v.statement or "in words"}
    if ok then item.coq = text
    else item.why = tostring(type(text) == "table" and text.message or text):gsub("^.-coq: ", "") end
    out[#out + 1] = item
  end, 1)
end

-- The fingerprint of a text as lessons/rechecked has it (verify/coq_known.c): 16 digits of what it states, 48 of the whole.
function M.fingerprint(text)
  local statement = text:match "\n(Lemma statement :\n.-\n)Proof%.\n" or text
  return host.sha256(statement):sub(1, 16) .. host.sha256(text):sub(1, 48)
end

-- Writes one file for each text, named by its fingerprint (wrong_… when Coq must refuse it), and `list`: a line for each verdict,
--   "file fingerprint place statement"  or  "none why place statement", separated by tabs.
-- Returns nil and a message when that fails.
function M.save(folder, items)
  local lines, seen = {}, {}
  for _, item in ipairs(items) do
    local text = item.coq or item.wrong
    local sum = text and M.fingerprint(text)
    if sum and not seen[sum] then
      seen[sum] = true
      local ok, message = host.save(("%s/%s%s.v"):format(folder, item.coq and "p" or "wrong_", sum:sub(1, 16)), text)
      if not ok then return nil, message end
    end
    if not item.wrong then
      local place = item.place .. (item.claim and " " .. item.claim or "")
      lines[#lines + 1] = table.concat({sum and "file" or "none", sum or item.why, place, (item.statement:gsub("%s+", " "))}, "\t")
    end
  end
  return host.save(folder .. "/list", table.concat(lines, "\n") .. "\n")
end

return M
