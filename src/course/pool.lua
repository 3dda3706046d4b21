-- pool.lua: work done in several processes at once, each a copy of this one; what one of them wrecks costs its own share only.
--
-- What comes back is a table of strings, numbers, booleans and tables of these, written as the text of a Lua table.

local M = {}

-- Checks do not end by themselves when they take long: these are far beyond what any lesson needs.
local SECONDS, MEGABYTES = 3600, 65536

local function written(v)
  if type(v) ~= "table" then return ("%q"):format(v) end
  local out = {}
  for key, value in pairs(v) do out[#out + 1] = ("[%q]=%s"):format(key, written(value)) end
  return "{" .. table.concat(out, ",") .. "}"
end

local function read(text) return assert(load("return " .. text, "=pool", "t", {}))() end

-- What became of a share that did not come back, in words.
local words = {
  died = "the process that checked it died",
  time = ("the process that checked it was ended after %d s"):format(SECONDS),
  memory = "the process that checked it said too much",
}

-- Does work(i) for i = 1 … n, `jobs` at a time, taking up the heaviest first; weight(i) is in any unit. landed(i, value, why) is
-- called as they end: with what work returned, or nil and why there is none.
function M.run(host, n, jobs, weight, work, landed)
  local waiting, running, share = {}, {}, {}
  for i = 1, n do waiting[i] = i end
  table.sort(waiting, function(a, b)
    local x, y = weight(a), weight(b)
    if x ~= y then return x > y end
    return a < b
  end)
  while #waiting + #running > 0 do
    while #running < jobs and #waiting > 0 do
      local i = table.remove(waiting, 1)
      running[#running + 1] = host.start(function() return written(work(i)) end, SECONDS, MEGABYTES, math.min(jobs, n))
      share[#running] = i
    end
    local k, how, text = host.wait(running)
    local i = table.remove(share, k)
    table.remove(running, k)
    if how == "stopped" then error({message = "interrupted"}, 0) end
    landed(i, how == "ok" and read(text) or nil, how == "error" and text or words[how])
  end
end

return M
