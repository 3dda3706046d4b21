-- AdamW on one vector, with a schedule of rates and clipped gradients.
local lab, tools = require "phasor", require "phasor.tools"
local guarded, values = require "phasor.guard", require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local M = {}

local function share(v) return v >= 0 and v < 1 end
local function positive(v) return v > 0 and v < math.huge end
local function at_least_0(v) return v >= 0 and v < math.huge end
local function count(v) return math.tointeger(v) ~= nil and v >= 0 end

-- name -> {default, what it may be, in words}
M.OPTIONS = {
    rate = {3e-3, positive, "a number above 0"}, warmup = {0, count, "a whole number of steps"},
    last = {0.1, share, "a share from 0, below 1"}, beta1 = {0.9, share, "a share from 0, below 1"},
    beta2 = {0.99, share, "a share from 0, below 1"}, eps = {1e-8, positive, "a number above 0"},
    shrink = {0.01, at_least_0, "a number of at least 0"}, clip = {1.0, positive, "a number above 0"},
}

-- The part of the rate that is in force at step t of n, both from 1.
local SCHEDULES = {
    constant = function() return 1 end,
    linear = function(share_done, last) return 1 - (1 - last) * share_done end,
    cosine = function(share_done, last) return last + (1 - last) * (1 + math.cos(math.pi * share_done)) / 2 end,
}
require("phasor.lib.option_words").declare("schedule", SCHEDULES, "trainer", "train")

-- The options of an optimiser out of a table, checked, with their defaults.
function M.read(who, given)
    local out = {}
    for name, rule in next, M.OPTIONS do
        local v = given[name]
        if v == nil then v = rule[1] end
        if type(v) ~= "number" or not rule[2](v) then raise(("%s: %s is %s; wanted %s"):format(who, name, seen(v), rule[3])) end
        out[name] = v
    end
    out.schedule = given.schedule == nil and "cosine" or given.schedule
    if type(out.schedule) ~= "string" or not SCHEDULES[out.schedule] then
        raise(("%s: schedule is %s; wanted one of %s"):format(who, seen(out.schedule), values.list(SCHEDULES)))
    end
    return out
end

function M.rate(o, t, steps)
    if t <= o.warmup then return o.rate * t / o.warmup end
    local rest = math.max(1, steps - o.warmup)
    return o.rate * SCHEDULES[o.schedule](math.min(1, (t - o.warmup) / rest), o.last)
end

function M.start(x) return {x = x, m = 0 * x, v = 0 * x, t = 0} end

-- One step from state s with gradient g at that rate: the next state, and the gradient's norm before clipping. `heavy`: 1 where weights decay.
--   m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2, x <- x - rate (m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + eps) + shrink x)
-- (Loshchilov and Hutter 2019, algorithm 2)
function M.step(o, s, g, rate, heavy)
    local squares <close> = g * g
    local norm = math.sqrt(lab.sum(squares))
    local cut = norm > o.clip and o.clip / norm or 1
    local t = s.t + 1
    local x, m, v = guarded.adamw_step(s.x, s.m, s.v, g, heavy, {
        keep_m = o.beta1, add_m = (1 - o.beta1) * cut, keep_v = o.beta2, add_v = (1 - o.beta2) * cut * cut,
        step = rate / (1 - o.beta1^t), grow = 1 / (1 - o.beta2^t), eps = o.eps, shrink = rate * o.shrink,
    })
    return {x = x, m = m, v = v, t = t}, norm
end

return M
