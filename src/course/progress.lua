-- progress.lua: how far a student has come, kept between sessions in one file, saved whole at every step.
--
--   {phasor = "progress", version = 1, seal = sha256 of the lessons as written, lessons = {NAME = record}}
--   record: {hash = (of the lesson's text), step = , of = , ref = (of the step), finished = , student = ,
--            name = , skipped = [key, …], exercises = {REF = {state = "open" | "right" | "given" | "skipped" | "shown", attempts = , hints = ,
--            points = (earned), answer = }}}
--
-- A file that is not what was written (cut short, edited, of a later version) is set aside under a name of its own and said;
-- nothing is ever written over it.

local json = require "phasor.lib.json"

local M = {}

local VERSION = 1
local ROOM = 64 * 1024 * 1024 -- bytes of all records

-- The file; nil where there is no home to keep it in.
function M.path()
  local own, state, home = os.getenv "PHASOR_PROGRESS", os.getenv "XDG_STATE_HOME", os.getenv "HOME"
  if own then return own ~= "" and own or nil end
  if state and state:find("^/") then return state .. "/phasor/progress.json" end
  return home and home ~= "" and home .. "/.local/state/phasor/progress.json" or nil
end

function M.new(hash, of) return {hash = hash, step = 1, of = of, ref = "", finished = false, skipped = json.list(), exercises = {}} end

local states = {open = true, right = true, given = true, skipped = true, shown = true}
local may_lack = {"a text", function(v) return v == nil or type(v) == "string" end}
local function texts(v)
  if not json.is_list(v) then return false end
  for _, key in ipairs(v) do if type(key) ~= "string" then return false end end
  return true
end
local fields = {hash = "text", step = "count", of = "count", ref = "text", finished = "boolean", skipped = {"a list of texts", texts}, exercises = "object",
                student = may_lack, name = may_lack}
local exercise_fields = {state = {"open, right, given, skipped or shown", function(v) return states[v] == true end}, attempts = "count", hints = "count",
                         points = {"a number from 0 to 99", function(v) return type(v) == "number" and v >= 0 and v <= 99 end}, answer = "text"}

-- Calls f with each name and value in the order of the names, until it gives something: that.
local function first(t, f)
  local names = {}
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local found = f(name, t[name])
    if found then return found end
  end
end

-- The first field that is not of its kind, with where it stands; nil: all are.
local function astray(lessons)
  return first(lessons, function(name, r)
    local why = json.astray(r, fields) or first(r.exercises, function(ref, e)
      local fault = json.astray(e, exercise_fields)
      return fault and ("exercise %s: %s"):format(ref, fault)
    end)
    return why and ("lesson %s: %s"):format(name, why)
  end)
end

-- The lessons in a text; or nil and what is wrong with it.
local function understood(text, host)
  local t, message = json.read(text)
  if not t then return nil, message end
  if type(t) ~= "table" or t.phasor ~= "progress" then return nil, "no progress of phasor" end
  if t.version ~= VERSION then return nil, ("version %s; this phasor reads %d"):format(tostring(t.version), VERSION) end
  local fault = json.astray(t, {lessons = "object", seal = "text"}) or astray(t.lessons)
  if fault then return nil, fault end
  if host.sha256(json.write(t.lessons)) ~= t.seal then return nil, "its seal does not fit: it was changed or cut" end
  return t.lessons
end

-- Moves a damaged file out of the way. Returns its new name; or nil and why not.
local function set_aside(path, host)
  local name = path .. ".damaged"
  for i = 2, 1000 do
    if not host.exists(name) then break end
    name = ("%s.damaged-%d"):format(path, i)
  end
  if host.exists(name) then return nil, "too many damaged ones are kept" end
  local ok, message = host.rename(path, name)
  return ok and name or nil, message
end

-- All records: name -> record; empty when there is no file. say(key, …) takes what has to be told (messages.lua). Returns nil when
-- there is a file that can neither be read nor set aside: then nothing may be written.
function M.load(host, say)
  local path = M.path()
  if not path then return {} end
  local text, why, missing = host.contents(path, ROOM)
  if missing then return {} end
  if not text then
    say("progress_unreadable", why)
    return nil
  end
  local lessons, message = understood(text, host)
  if lessons then return lessons end
  local aside, trouble = set_aside(path, host)
  if aside then
    say("progress_damaged", path, message, aside)
    return {}
  end
  say("progress_stuck", path, message, trouble)
  return nil
end

-- Saves one record beside those of the other lessons, which another session may have written meanwhile. true, or false when
-- it could not be saved (said).
function M.save(host, name, record, say)
  local path = M.path()
  if not path then return false end
  local lessons = M.load(host, say)
  if not lessons then return false end
  lessons[name] = record
  local text = json.write {phasor = "progress", version = VERSION, seal = host.sha256(json.write(lessons)), lessons = lessons}
  local ok, message = host.save(path, text)
  if not ok then say("progress_unsaved", message) end
  return ok or false
end

return M
