-- ranges.lua: the values that a parameter can be moved through, from what was declared of it:
--
--   {lo, hi [, step =, log =, default =]}     numbers; logarithmic where hi is 100 times lo or more
--   {v1, v2, v3, ...} or {choices = {...}}    these, numbers or texts
--
-- play = true: the parameter moves by itself. label = "…": how it is called where it is shown; its name when absent.
local tools = require "phasor.tools"
local values = require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local M = {}

local MOST = 200 -- values of one parameter
local STEPS = 10 -- of a range that says nothing else
local DECADES = 100 -- a range over so much is logarithmic
local EACH = 20 -- integers no farther apart are all taken

local KNOWN = {step = true, log = true, default = true, choices = true, play = true, label = true}

local function fault(name, text, ...) raise(("vary: %s: " .. text):format(name, ...)) end

local function number(name, what, v)
    if type(v) ~= "number" or v ~= v or v == math.huge or v == -math.huge then fault(name, "%s is %s; wanted a finite number", what, seen(v)) end
    return v
end

-- 1, 2, 5, 10, 20, ... between two positive numbers, and these.
local function decades(lo, hi)
    local out = {lo}
    for e = math.floor(math.log(lo, 10)), math.ceil(math.log(hi, 10)) do
        for _, m in ipairs{1, 2, 5} do
            local v = m * 10.0 ^ e
            if v > lo * (1 + 1e-9) and v < hi * (1 - 1e-9) then out[#out + 1] = v end
        end
    end
    out[#out + 1] = hi
    return out
end

local function count(name, n)
    if n + 1 > MOST then fault(name, "%d values; wanted at most %d: give a larger step", math.floor(n + 1), MOST) end
    return math.floor(n + 1e-9)
end

local function logarithmic(name, lo, hi, step)
    if lo <= 0 then fault(name, "a logarithmic range begins at %s; wanted a positive number", tostring(lo)) end
    if step == nil then return decades(lo, hi) end
    if step <= 1 then fault(name, "step is %s; wanted a factor above 1, since the range is logarithmic", tostring(step)) end
    local out = {}
    for k = 0, count(name, math.log(hi / lo) / math.log(step)) do out[k + 1] = lo * step ^ k end
    return out
end

local function linear(name, lo, hi, step)
    local whole = math.type(lo) == "integer" and math.type(hi) == "integer"
    whole = whole and (step == nil or math.tointeger(step) ~= nil)
    if step == nil then step = whole and hi - lo <= EACH and 1 or (hi - lo) / STEPS end
    if step <= 0 then fault(name, "step is %s; wanted a number above 0", tostring(step)) end
    local out = {}
    for k = 0, count(name, (hi - lo) / step) do
        local v = lo + k * step
        out[k + 1] = whole and (math.tointeger(v) or math.floor(v + 0.5)) or v
    end
    return out
end

-- The numbers that have an integer's value are integers: 100 and not 100.0.
local function tidy(list)
    for i, v in ipairs(list) do list[i] = math.type(v) == "float" and math.tointeger(v) or v end
    return list
end

local function range(name, spec)
    local lo, hi = number(name, "the begin", spec[1]), number(name, "the end", spec[2])
    if lo >= hi then fault(name, "the range goes from %s to %s; wanted the lower end first", tostring(lo), tostring(hi)) end
    if spec.step ~= nil then number(name, "step", spec.step) end
    if spec.log ~= nil and type(spec.log) ~= "boolean" then fault(name, "log is %s; wanted true or false", seen(spec.log)) end
    local log = spec.log
    if log == nil then log = lo > 0 and hi / lo >= DECADES and spec.step == nil end
    return tidy((log and logarithmic or linear)(name, lo, hi, spec.step)), log
end

local function choices(name, list)
    if not values.is_plain_table(list) or #list == 0 then fault(name, "the choices are %s; wanted a list", seen(list)) end
    if #list > MOST then fault(name, "%d choices; wanted at most %d", #list, MOST) end
    local out = {}
    for i, v in ipairs(list) do
        if type(v) ~= "number" and type(v) ~= "string" and type(v) ~= "boolean" then
            fault(name, "choice %d is %s; wanted a number, text, true or false", i, seen(v))
        end
        out[i] = v
    end
    return out
end

-- The place of a value in a list: equal, or of numbers the nearest.
local function place(name, list, wanted, log)
    for i, v in ipairs(list) do if v == wanted then return i end end
    local numbers = type(wanted) == "number" and type(list[1]) == "number"
    if not numbers or wanted < list[1] or wanted > list[#list] then
        fault(name, "default is %s; wanted a value between %s and %s", seen(wanted), seen(list[1]), seen(list[#list]))
    end
    local best, least = 1, math.huge
    for i, v in ipairs(list) do
        local d = log and math.abs(math.log(v / wanted)) or math.abs(v - wanted)
        if d < least then best, least = i, d end
    end
    return best
end

-- {name =, label =, values = {...}, at = (the place of the default), play =} of what was declared of a parameter.
function M.read(name, spec)
    if not values.is_plain_table(spec) then fault(name, "%s; wanted a range such as {1, 10}, or choices", seen(spec)) end
    for key in pairs(spec) do
        if type(key) ~= "number" and not KNOWN[key] then tools.unknown_option("vary: " .. name, key, KNOWN) end
    end
    if spec.label ~= nil and (type(spec.label) ~= "string" or spec.label == "") then fault(name, "label is %s; wanted a text", seen(spec.label)) end
    local is_range = spec.choices == nil and #spec == 2 and type(spec[1]) == "number" and type(spec[2]) == "number"
    local list, log
    if is_range then list, log = range(name, spec) else list = choices(name, spec.choices or spec) end
    local middle = is_range and (#list + 1) // 2 or 1
    return {name = name, label = spec.label or name, values = list, play = spec.play == true,
            at = spec.default ~= nil and place(name, list, spec.default, log) or spec.play and 1 or middle}
end

return M
