-- stranger.lua: a lesson from a file is a program that somebody wrote: it runs where of all files it can read only those beside it, and
-- can start nothing and send nothing. The kernel sees to that (worker/contain.h), for the rest of the process; that the libraries lack
-- what would be refused is for clear errors. --trust runs one's own lesson as it is.

local host = require "phasor.course.host"
local room = require "phasor.course.room"
local messages = require "phasor.course.messages"

local M = {}

-- Is it a lesson that must be confined?
function M.is(lesson, options) return lesson.folder ~= nil and not options.trust end

-- What this system cannot forbid such a lesson, said once by say(text).
function M.warn(lessons, options, say)
  local lacks = host.lacks()
  for _, lesson in ipairs(lacks and lessons or {}) do
    if M.is(lesson, options) then return say(messages.of(options.lang).not_confined:format(lacks, lesson.file)) end
  end
end

-- Confines this process: true where the system could. Says so, or what is missing, by say(text), which may be nil.
function M.confine(lesson, options, say)
  local confined = host.confine and host.confine(lesson.folder)
  if say and confined then say(messages.of(options.lang).confined:format(lesson.file, lesson.folder))
  elseif say then M.warn({lesson}, options, say) end
  return confined
end

-- The variables that such a lesson begins with.
function M.guard(env)
  room.guard(env)
  return env
end

return M
