-- variables.lua: the two sets of variables of a lesson that is open.
--
-- The *official* ones are changed by the lesson's own cells and solutions only; the student's are a copy, which they may do with as they
-- like. `T` is the open lesson (tutor.lua): official, mine, synced (what of the official ones the student's copy has seen), host.

local exercise = require "phasor.course.exercise"
local lab = require "phasor"

local M = {}

local copied

-- A value the student may change without changing the lesson's: arrays and plain tables are copied.
local function own(value, seen)
  if type(value) == "userdata" and getmetatable(value) == "Array" then return value:copy() end
  if type(value) == "table" and getmetatable(value) == nil then return copied(value, seen or {}) end
  return value
end

function copied(t, seen)
  if not seen[t] then
    local out = {}
    seen[t] = out
    for key, value in next, t do out[key] = own(value, seen) end
  end
  return seen[t]
end

-- Brings what the official cells have changed since into the student's variables.
function M.sync(T)
  for name, value in next, T.official do
    if name ~= "_G" and not rawequal(T.synced[name], value) then
      rawset(T.mine, name, own(value))
      T.synced[name] = value
    end
  end
end

function M.fresh(T)
  T.mine, T.synced = exercise.workshop(T.host), {}
  M.sync(T)
  T.host.focus(T.mine)
end

function M.snapshot(T)
  local out = {}
  for name, value in next, T.official do if name ~= "_G" then out[name] = value end end
  return out
end

-- In place: functions of the lesson look into this very table.
function M.restore(T, names)
  for name in next, M.snapshot(T) do rawset(T.official, name, nil) end
  for name, value in next, names do rawset(T.official, name, value) end
end

-- A copy of the student's variables, to play with.
function M.playground(T)
  local copy = exercise.workshop(T.host)
  for name, value in next, T.mine do if name ~= "_G" and not exercise.is_library(name) then rawset(copy, name, own(value)) end end
  return copy
end

-- Of the official variables, what differs from `before` is taken as seen: the student keeps their own.
function M.keep_own(T, before)
  for name, value in next, T.official do
    if name ~= "_G" and not rawequal(before[name], value) then T.synced[name] = value end
  end
end

-- ---- when the lesson is left ----------------------------------------------------------------------------------------

local handed = {} -- what the prompt has from a lesson and has not changed: a later lesson may put its own there

-- Lua's own names, such as `require`, which a confined lesson has others for. A name that is none raises.
local function is_of_lua(globals, name)
  local known, value = pcall(function() return globals[name] end)
  return known and value ~= nil
end

-- Gives the student's variables to the prompt, but for those whose names stand for something there; the names of those.
function M.hand_over(T)
  local globals, kept = T.host.globals(), {}
  for name, value in next, T.mine do
    if (name:sub(1, 1) ~= "_" or name:find("^_u%x")) and not exercise.is_library(name) and rawget(lab, name) == nil then
      local there = rawget(globals, name)
      if there == nil and is_of_lua(globals, name) then
        if not T.stranger then kept[#kept + 1] = name end
      elseif there == nil or rawequal(there, handed[name]) then globals[name], handed[name] = value, value
      elseif not rawequal(there, value) then kept[#kept + 1] = name end
    end
  end
  table.sort(kept)
  return kept
end

return M
