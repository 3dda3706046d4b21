-- room.lua: an answer's side of a trial: what it runs in, and the requests of the check, which it answers. Nothing here knows a check
-- or a solution: this is what the process of an answer has of the course.

local lab = require "phasor"
local talk = require "phasor.course.talk"

local M = {}

-- A copy of an environment's variables, over the laboratory's own names.
function M.copy(host, env)
  local out = host.env()
  for name, value in next, env do if name ~= "_G" then rawset(out, name, value) end end
  return out
end

-- The libraries that an answer may use; copies, so that what it does to them stays with it.
local libraries = {"math", "string", "table", "utf8", "coroutine"}
local forbidden = {"debug", "require", "package", "io", "os", "dofile", "loadfile", "phasor", "lesson", "check", "claims",
                   "read", "write", "savefig"}

local function shut(name, whom)
  whom = whom or "answers"
  return setmetatable({}, {__index = function(_, key)
    error(("%s.%s is not for %s"):format(name, tostring(key), whom), 2)
  end, __call = function() error(("%s is not for %s"):format(name, whom), 2) end})
end

local function with_libraries(env)
  for _, name in ipairs(libraries) do
    local copy = {}
    for key, value in pairs(_G[name]) do copy[key] = value end
    rawset(env, name, copy)
  end
  return env
end

-- What a student works in during a lesson: fresh globals, whose libraries are copies.
function M.workshop(host) return with_libraries(host.env()) end

function M.is_library(name)
  for _, n in ipairs(libraries) do if n == name then return true end end
  return false
end

-- Names of the laboratory may be hidden without a warning: it is said by the tutor, once, and not at every trial.
local function without_warnings(env)
  local class = getmetatable(env)
  local set = class.__newindex
  function class.__newindex(t, name, value)
    if rawget(lab, name) ~= nil then rawset(t, name, value) else set(t, name, value) end
  end
end

-- Of the library that reaches what any function holds, the texts of lessons and the channel among it, what the laboratory itself asks is left.
function M.without_debug()
  for name in pairs(debug) do if name ~= "getmetatable" then debug[name] = nil end end
end

-- The one thing that all strings share is out of an answer's reach.
local function lock_strings()
  local strings = getmetatable("")
  if type(strings) == "table" then strings.__metatable = "string" end -- where there are no processes, it is done already
end

-- A finalizer would run where nobody asked for it.
local function without_finalizers(t, class)
  if type(class) == "table" and rawget(class, "__gc") ~= nil then error("setmetatable: __gc is not for answers, nor for a lesson from a file", 2) end
  return setmetatable(t, class)
end

-- What a stranger's lesson has of the libraries: nothing that starts a program or opens another library.
function M.guard(env)
  for _, name in ipairs {"debug", "package"} do rawset(env, name, shut(name, "a lesson from a file")) end
  local files, system = {popen = false, tmpfile = false}, {time = os.time, clock = os.clock, date = os.date, getenv = os.getenv}
  for name, value in pairs(io) do if files[name] == nil then files[name] = value end end
  files.popen, files.tmpfile = nil, nil
  rawset(env, "io", setmetatable(files, getmetatable(shut("io", "a lesson from a file"))))
  rawset(env, "os", setmetatable(system, getmetatable(shut("os", "a lesson from a file"))))
  rawset(env, "setmetatable", without_finalizers)
  rawset(env, "require", function(name)
    if name == "phasor" or type(name) == "string" and name:find "^phasor%.lib%." then return require(name) end
    error(("require: \"%s\" is not for a lesson from a file"):format(tostring(name)), 2)
  end)
  rawset(env, "load", function(text, name, _, into) return load(text, name, "t", into or env) end)
  lock_strings()
  M.without_debug()
end

-- What an answer runs in: the lesson's variables as they stand, nothing shown, no way out of the trial.
function M.room(host, official, variant)
  local env = M.copy(host, official)
  without_warnings(env)
  with_libraries(env)
  for _, name in ipairs(forbidden) do rawset(env, name, shut(name)) end
  rawset(env, "os", setmetatable({time = os.time, clock = os.clock, date = os.date}, getmetatable(shut "os")))
  rawset(env, "setmetatable", without_finalizers)
  rawset(env, "load", function(text, name, _, into) return load(text, name, "t", into or env) end)
  for _, name in ipairs {"print", "display", "progress", "clear"} do rawset(env, name, function() end) end
  rawset(env, "io", {write = function() end})
  rawset(env, "variant", variant)
  return env
end

local spelling -- walks through a table of names as they were written

-- A name as it was written: a raw table holds those beyond ASCII as Lua can spell them.
function M.written(host, name)
  spelling = spelling or getmetatable(host.env()).__pairs
  for key in spelling {[name] = true} do return key end
end

-- The variables of an environment as they stand, for who looks at them and runs nothing there.
function M.snapshot(env)
  local out = {}
  for name, value in next, env do out[name] = value end
  return out
end

-- ---- an answer ------------------------------------------------------------------------------------------------------

-- The first name of the laboratory that an answer hides: the likely cause of what is odd.
local function hidden(host, room)
  local shown = {print = true, display = true, progress = true, clear = true}
  for _, name in ipairs(forbidden) do shown[name] = true end
  local first
  for name, value in next, room do
    local hides = type(name) == "string" and rawget(lab, name) ~= nil and not shown[name] and not rawequal(lab[name], value)
    if hides and (not first or name < first) then first = name end
  end
  return first and M.written(host, first)
end

local MOST = 20 -- names that are told

-- The names that an answer has given values to and that had none.
local function defined(host, before, env)
  local out = {}
  for name in next, env do
    if type(name) == "string" and #name <= 60 and name ~= "_G" and rawget(before, name) == nil and #out < MOST then out[#out + 1] = name end
  end
  table.sort(out)
  for i, name in ipairs(out) do out[i] = M.written(host, name) end
  return out
end

-- Runs an answer in a room of its own. task: {stub, pieces = {{code, name}, …}, file, names (asked for), variant}. What became of it:
-- {values, untouched (names that are as they were), given (names that are as the stub has them), hides (a name), defined (new names)}; or {fault = message}.
function M.run(host, official, task)
  local env = M.room(host, official, task.variant)
  lock_strings()
  host.eval(task.stub, task.file, env)
  local before = M.snapshot(env)
  for _, piece in ipairs(task.pieces) do
    local ok, message = host.eval(piece.code, piece.name, env)
    if not ok then return {fault = tostring(message)} end
  end
  local out = {values = {}, untouched = {}, given = {}, hides = hidden(host, env), defined = defined(host, before, env)}
  for _, name in ipairs(task.names) do
    out.values[name] = rawget(env, name)
    out.untouched[name] = rawequal(rawget(env, name), rawget(official, name))
    out.given[name] = rawget(env, name) ~= nil and rawequal(rawget(env, name), rawget(before, name))
  end
  return out
end

-- In the process of the answer: runs it, says what became of it, and answers what is asked.
function M.serve(channel, host, official, task)
  local side = talk.over(channel, false)
  local ok, text = pcall(function() return side.write(M.run(host, official, task)) end)
  channel:send(ok and text or side.write {fault = tostring(text)})
  talk.serve(channel, side)
end

return M
