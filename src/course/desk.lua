-- desk.lua: where graded answers are worked on: a process that was started anew, with nothing of the grader's in its memory. It gets the cells
-- of a lesson one by one, and never a check, nor an answer, nor the solution of an exercise before it is done with. Each answer runs in a
-- contained copy of it, to which the grader sends it.
--
-- The module is the other process's side: its function is called there. open() is this side.

local host = require "phasor.course.host"
local parcel = require "phasor.course.parcel"
local room = require "phasor.course.room"

local PLAIN = parcel.side(function() error "a desk calls nothing" end, false) -- for data without functions

-- What the laboratory's Lua asks of C, and what an answer's side of the talk does.
local bound = {["phasor.tools"] = true, ["phasor.guard"] = true, ["phasor.tapes"] = true, ["phasor.fused"] = true, ["phasor.figure"] = true, ["phasor.parcel"] = true}

local match = string.match -- an answer may change the library's table, which every string's methods are in

local function of_laboratory(name)
  local room = match(name, "^phasor%.(%l+)")
  return bound[name] or room == "lib" or room == "train" or room == "atlas" or room == "document"
end

-- In the process of an answer: no library is there by its name but the laboratory's own, and none can be opened but those. Of the texts in
-- the binary, which lessons are among, it has the prose that `corpus` reads. The raw tables of names are within an answer's reach, as the
-- metatable of its variables: what decides here asks nothing in them.
local function put_away()
  local loaded, searchers, embedded = package.loaded, package.searchers, require "phasor.embedded"
  local search = searchers[2] -- of what travels in the binary
  for i = #searchers, 1, -1 do searchers[i] = nil end
  searchers[1] = function(name) return of_laboratory(name) and search(name) or "not for answers" end
  package.preload, package.path, package.cpath, package.loadlib = {}, "", "", nil
  for name in pairs(loaded) do
    local library = name:find "^phasor%." and not of_laboratory(name) or name == "debug" or name == "io" or name == "os" or name == "package"
    if library then loaded[name] = nil end
  end
  loaded["phasor.embedded"] = function(place) return place == "lessons/experiments/prose.txt" and embedded(place) or {} end
  room.without_debug()
end

return function(channel)
  local official, handle = host.silent(), nil
  local work = {
    -- From here on of all files only those in that folder can be read.
    confine = function(q) return host.confine(q.folder) end,
    -- A cell of the lesson: true, or false and a message.
    cell = function(q)
      if q.variants then rawset(official, "variant", 1) end
      local ok, message = host.eval(q.code, q.file, official)
      return ok, not ok and message or nil
    end,
    -- The process of an answer, which is sent over its channel; the channel goes to who asked.
    try = function(q)
      handle = channel:fork(function(c)
        put_away()
        room.serve(c, host, official, parcel.read(PLAIN, c:receive())[1])
      end, q.seconds, q.megabytes)
    end,
    -- How the last answer's process ended.
    close = function()
      local how = handle and handle:close() or "ok"
      handle = nil
      return how
    end,
  }
  for text in function() return channel:receive() end do
    local q = parcel.read(PLAIN, text)[1]
    local reply = table.pack(work[q.verb](q))
    if q.verb ~= "try" then channel:send(parcel.write(PLAIN, table.unpack(reply, 1, reply.n))) end
  end
end
