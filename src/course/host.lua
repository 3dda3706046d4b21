-- host.lua: what the course needs of the session it runs in; no other file of the course knows the session.

local lab = require "phasor"
local session = require "phasor.session"
local messages = require "phasor.course.messages"

local M = {}

local function nothing() end
local silent_file = setmetatable({write = function(self) return self end}, {__index = io.stdout})

-- What stands for the names that show something, where nothing is to be shown.
M.mute = {print = nothing, display = nothing, progress = nothing,
          io = setmetatable({write = function() return silent_file end, stdout = silent_file}, {__index = io})}

-- Runs code as a cell: true and its first value; or false, a message "file:line: …" and the fault, with its name, line and
-- message. env nil: the student's globals.
function M.eval(code, name, env)
  local ok, value = session.cell(code, name, env)
  if ok then return true, value end
  return false, tostring(value), value
end

-- Fresh globals over the laboratory's names.
function M.env() return session.env() end

-- Runs f() in a copy of this process that can do nothing but compute: "ok" and its string, "error" and a message, "time", "died"
-- or "stopped". lacks(): what this system cannot forbid such a copy, in words, or nil.
M.apart, M.lacks = session.apart, session.lacks

-- The other process of a conversation (channel.c): a contained copy of this one, or one with a state of its own; nil without processes.
M.beside, M.fresh = session.beside, session.fresh

-- From here on this process opens no file but to read those in that folder, and runs no other program: true, or nil and what is missing.
M.confine = session.confine

-- Several of them: start(f, seconds, MB, n) gives a child, one of n at work at once, with its share of the threads; wait(children) the
-- place of the first that ended, how, and its string.
M.start, M.wait, M.cores = session.start, session.wait, session.cores

-- save(path, text, public): writes a file whole or not at all: true, or nil and why not. Folders that it lacks are made, the user's own
-- unless `public`; "program": public, and to be run. contents(path, most): the text of a file (no device, no pipe,
-- none beyond 16 MB or so many bytes), or nil, why not, and whether there is none. The
-- fingerprint of a text. The file that runs, or nil and why it is not known.
M.save, M.contents, M.sha256, M.program = session.save, session.contents, session.sha256, session.program

-- A file under another name: true, or nil and why not.
M.rename = os.rename

-- Is something of that name there? What cannot be opened is, so that nothing is put in its place.
function M.exists(path)
  local _, _, missing = M.contents(path, 0)
  return not missing
end

-- Keeps a file to this process until it ends or unlocks it: a handle; or nil, why not, and whether another one has it. lock(path, "shared"): with
-- all who take it so; lock(path, "wait"): waits until it is free.
M.lock, M.unlock = session.lock, session.unlock
-- Removes from a folder what processes that were killed were writing; nobody may be writing there.
M.sweep = session.sweep

-- The student's own globals.
function M.globals()
  local _, globals = session.cell("return _G", "globals")
  return globals
end

-- Runs code as a cell in env and shows nothing: true, or false and a message.
function M.quietly(code, name, env)
  local kept = {}
  for _, key in ipairs {"print", "display", "progress", "io"} do
    kept[key] = rawget(env, key)
    rawset(env, key, rawget(M.mute, key))
  end
  local ok, fault = session.cell(code, name, env)
  for key in pairs(M.mute) do rawset(env, key, kept[key]) end
  return ok, not ok and tostring(fault) or nil
end

-- As a cell with all its values: true and them, or false and the fault; which report() shows as the prompt does.
M.cell, M.report = session.cell, session.report

-- What the front end asks with while a lesson is open (nil: as ever), and the variables it completes from.
M.prompt, M.focus = session.prompt, session.focus

-- speak(lang, columns): until the input ends verdicts are shown in that language, in lines as wide as the screen or as many columns (0: on
-- one line); nil: as outside lessons.
M.speak = session.speak

-- The language in which verdicts are shown now.
function M.spoken() return session.settings.verdicts or "en" end

-- A strength's word: strength("proved", "zh").
M.strength = session.strength

function M.progress(text, fraction) lab.progress(text, fraction) end

-- Fresh globals in which nothing is shown: what a check runs in.
function M.silent()
  local env = session.env()
  for key, value in pairs(M.mute) do rawset(env, key, value) end
  return env
end

function M.write(text) io.write(text) end
function M.flush() session.flush() end

-- What is shown from here on comes in pages, where there is someone to turn them; the line stands at the top of each.
function M.heading(line) session.page(line) end

-- The user has chosen a language; it is kept.
function M.prefer(lang) session.prefer(lang) end

-- So many lines that follow are better not parted by a page's end.
function M.keep(lines) session.page(nil, lines) end

-- Is there someone to answer, over many inputs? Then a lesson stays open between them; else it runs through.
function M.interactive()
  local settings = session.settings
  return settings.dialogue == true and settings.terminal ~= false
end

-- Does what is written go to a terminal (in colour)?
function M.coloured() return session.settings.colour == true end

function M.columns() return session.settings.columns or 80 end

function M.show(value) lab.display(value) end

-- The language asked for, else the session's, else the locale's.
function M.language() return messages.language(session.settings.lang) or messages.language() end

return M
