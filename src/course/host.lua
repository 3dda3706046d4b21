-- host.lua: what the course needs of the session it runs in; no other file of the course knows the session.

local lab = require "phasor"
local session = require "phasor.session"
local words = require "phasor.course.words"

local M = {}

-- Runs code as a cell: true and its first value; or false, a message "file:line: …" and the fault, with its name, line and
-- message. env nil: the student's globals.
function M.eval(code, name, env)
  local ok, value = session.cell(code, name, env)
  if ok then return true, value end
  return false, tostring(value), value
end

-- Fresh globals over the laboratory's names.
function M.env() return session.env() end

-- Runs f() in a copy of this process: "ok" and its string, "error" and a message, "time", "died" or "stopped".
M.apart = session.apart

-- Writes a file whole or not at all: true, or nil and why not. The fingerprint of a text.
M.save, M.sha256 = session.save, session.sha256

-- Fresh globals in which nothing is shown: what a check runs in.
function M.silent()
  local function nothing() end
  local env = session.env()
  local file = setmetatable({write = function(self) return self end}, {__index = io.stdout})
  rawset(env, "print", nothing)
  rawset(env, "display", nothing)
  rawset(env, "progress", nothing)
  rawset(env, "io", setmetatable({write = function() return file end, stdout = file}, {__index = io}))
  return env
end

function M.write(text) io.write(text) end

-- A line the student types, without its end; nil when there is no one (left).
function M.read(prompt)
  io.write(prompt)
  session.flush()
  local line = io.read("l")
  if not line then io.write("\n") end
  return line
end

-- Is there someone to ask? A front end that does not say is asked; the end of its input answers then. Lines of a pipe are
-- meant for the prompt: a lesson leaves them alone.
function M.interactive()
  local settings = session.settings
  return settings.interactive ~= false and settings.terminal ~= false
end

function M.columns() return session.settings.columns or 80 end

function M.show(value) lab.display(value) end

-- The language asked for, else the session's, else the locale's.
function M.language() return words.language(session.settings.lang) or words.language() end

return M
