-- talk.lua: the conversation of a check with an answer, which lives in another process: functions called there, what they return here.
--
-- Each request is answered by one reply, and while it waits for its reply a side answers the other's requests, so that a function may
-- be handed over and called back. What arrives is data (parcel.lua).

local lab = require "phasor"
local parcel = require "phasor.course.parcel"

local M = {}

local GONE = "the process of the answer has ended"
local LONGEST = 2000 -- bytes of an error's message

local function text_of(message)
  return type(message) == "string" and message:sub(1, LONGEST) or "an error of kind " .. type(message)
end

-- ---- derivatives ----------------------------------------------------------------------------------------------------
--
-- A traced number cannot leave its process. What f makes of one is put together here from the derivatives that f has there: of a
-- single number the first four, else the first.

local function is_traced(v) return getmetatable(v) == "Traced" end

local function any_traced(args)
  for i = 1, args.n do if is_traced(args[i]) then return true end end
  return false
end

local function along_one(ask, id, x)
  local at = lab.stop_gradient(x)
  local c = table.pack(ask("taylor", id, at))
  local h, y = x - at, 0
  for k = c.n, 1, -1 do y = y * h + c[k] end
  return y
end

local function along_all(ask, id, args)
  local plain = {n = args.n}
  for i = 1, args.n do plain[i] = is_traced(args[i]) and lab.stop_gradient(args[i]) or args[i] end
  local got = table.pack(ask("gradient", id, table.unpack(plain, 1, args.n)))
  local y = got[1]
  for i = 1, args.n do
    if is_traced(args[i]) then y = y + lab.sum(got[i + 1] * (args[i] - plain[i])) end
  end
  return y
end

local asked = {
  call = function(f, ...) return f(...) end,
  taylor = function(f, x)
    local c = lab.taylor(f, x, 1, 4)
    return table.unpack(c, 0, 4)
  end,
  gradient = function(f, ...) return lab.value_and_grad(f)(...) end,
}

-- ---- a side ---------------------------------------------------------------------------------------------------------

-- exchange(request): its reply, or nil when there is nobody. asks: this is the side that checks. Has .gone when the other is not
-- there, and .raised, the last error of its functions.
function M.side(exchange, asks)
  local side, self = nil, {gone = false}
  local function ask(verb, ...)
    local reply = exchange(parcel.write(side, verb, ...))
    local ok, got = pcall(parcel.read, side, reply or "")
    if not ok or (got[1] ~= "ok" and got[1] ~= "error") then
      self.gone = true
      error(GONE, 0)
    end
    if got[1] == "error" then
      self.raised = text_of(got[2])
      error(self.raised, 0)
    end
    return table.unpack(got, 2, got.n)
  end
  side = parcel.side(function(id, ...)
    local args = table.pack(...)
    if not any_traced(args) then return ask("call", id, ...) end
    if args.n == 1 and type(lab.stop_gradient(args[1])) == "number" then return along_one(ask, id, args[1]) end
    return along_all(ask, id, args)
  end, asks)

  self.ask = ask

  -- The reply to a request of the other side.
  function self.answer(request)
    local made, reply = pcall(function()
      local q = parcel.read(side, request)
      local work, f = asked[q[1]], side.own[q[2]]
      if not work or not f then error("no such function", 0) end
      return parcel.write(side, "ok", work(f, table.unpack(q, 3, q.n)))
    end)
    return made and reply or parcel.write(side, "error", text_of(reply))
  end

  -- Values as a text, and back, in the names that both sides have for functions.
  function self.write(...) return parcel.write(side, ...) end
  function self.read(text) return parcel.read(side, text) end
  return self
end

-- ---- over a channel -------------------------------------------------------------------------------------------------

-- A side that talks over a channel. `heard`: what the first text of the other side is handed to.
function M.over(channel, asks)
  local side
  side = M.side(function(request)
    if not channel:send("?" .. request) then return nil end
    for text in function() return channel:receive() end do
      if text:sub(1, 1) == "!" then return text:sub(2) end
      channel:send("!" .. side.answer(text:sub(2)))
    end
  end, asks)
  return side
end

-- Answers until nobody asks any more.
function M.serve(channel, side)
  for text in function() return channel:receive() end do channel:send("!" .. side.answer(text:sub(2))) end
end

-- ---- in one process -------------------------------------------------------------------------------------------------

-- Two sides that reach each other at once: for trials of what is trusted. The checking one first.
function M.pair()
  local check, answer
  check = M.side(function(request) return answer.answer(request) end, true)
  answer = M.side(function(request) return check.answer(request) end, false)
  return check, answer
end

return M
