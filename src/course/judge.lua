-- judge.lua: what the value of a claim's cell says about the claim.
--
--   verdict | {verdict, …}                 every one must hold; the weakest strength counts
--   {written = …, mended = …}              an erratum: what the source has is refuted, what it should be holds
--
-- Outcomes: "holds", "mended", "unknown" (a verdict that could not be reached), "failed".

local M = {}

local rank = {unknown = 0, refuted = 1, measured = 2, certified = 3, proved = 4}

local function is_verdict(v) return type(v) == "userdata" and getmetatable(v) == "Verdict" end

-- The verdicts of a value as a list, or nil and what was seen instead.
local function list_of(value)
  if is_verdict(value) then return {value} end
  if type(value) ~= "table" then return nil, value == nil and "nothing" or "a " .. type(value) end
  if #value == 0 then return nil, "a table without verdicts" end
  for i, v in ipairs(value) do
    if not is_verdict(v) then return nil, ("a list with a %s at %d"):format(type(v), i) end
  end
  return value
end

local function holds(v) return rank[v.strength] >= rank.measured end

-- How much of its bound a measurement uses up; the closest call is the figure to show.
local function used(v) return v.bound and v.bound > 0 and v.value / v.bound or 0 end

-- The verdict that speaks for a list: the first that does not hold, else the weakest, of equals the closest call.
local function spokesman(list)
  local best
  for _, v in ipairs(list) do
    if not holds(v) then
      if not best or holds(best) or rank[v.strength] > rank[best.strength] then best = v end
    elseif not best or (holds(best) and (rank[v.strength] < rank[best.strength]
           or (rank[v.strength] == rank[best.strength] and used(v) > used(best)))) then
      best = v
    end
  end
  return best
end

local function line_of(list)
  local text = tostring(spokesman(list))
  return #list > 1 and ("%s; the closest of %d checks"):format(text, #list) or text
end

local function outcome_of(list)
  local v = spokesman(list)
  if holds(v) then return "holds", v.strength end
  return v.strength == "unknown" and "unknown" or "failed", v.strength
end

local function broken(text, ...) return {outcome = "failed", strength = "unknown", line = text:format(...), verdicts = {}} end

local function erratum(value)
  if type(value) ~= "table" or not value.written or not value.mended then
    return broken("the cell's value must be {written = …, mended = …}: the claim is an erratum")
  end
  local written, seen = list_of(value.written)
  if not written then return broken("written is %s; wanted a refuted verdict", seen) end
  local mended
  mended, seen = list_of(value.mended)
  if not mended then return broken("mended is %s; wanted a verdict that holds", seen) end
  local all = table.move(mended, 1, #mended, #written + 1, table.move(written, 1, #written, 1, {}))
  for _, v in ipairs(written) do
    if v.strength ~= "refuted" then
      return {outcome = v.strength == "unknown" and "unknown" or "failed", strength = v.strength, verdicts = all,
              line = "the written form was not refuted: " .. tostring(v)}
    end
  end
  local outcome, strength = outcome_of(mended)
  return {outcome = outcome == "holds" and "mended" or outcome, strength = strength, verdicts = all,
          line = line_of(mended) .. "; as written " .. tostring(written[1])}
end

-- {outcome, strength, line, verdicts} for the value of a cell that checks `claim` (an entry of the ledger).
function M.judge(claim, value)
  if claim.stance == "erratum" then return erratum(value) end
  local list, seen = list_of(value)
  if not list then return broken("the cell's value is %s; wanted a verdict or a list of them", seen) end
  local outcome, strength = outcome_of(list)
  return {outcome = outcome, strength = strength, line = line_of(list), verdicts = list}
end

-- Is `strength` less than what the ledger demands?
function M.weaker(strength, demanded) return rank[strength] < rank[demanded] end

return M
