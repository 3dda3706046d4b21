-- What an experiment is judged by: intervals of Student's t, sign-flip permutations, families of tests.
local tools = require "phasor.tools"
local raise, seen = tools.raise, tools.seen

local M = {}

local function numbers(who, x, least)
    if tools.is_array(x) then x = x:totable() end
    if type(x) ~= "table" or #x < least then raise(("%s: x is %s; wanted %d numbers or more"):format(who, seen(x), least)) end
    for k = 1, #x do
        if type(x[k]) ~= "number" or x[k] ~= x[k] or math.abs(x[k]) == math.huge then
            raise(("%s: x[%d] is %s; wanted a finite number"):format(who, k, seen(x[k])))
        end
    end
    return x
end

function M.mean(x)
    local sum = 0.0
    for k = 1, #x do sum = sum + x[k] end
    return sum / #x
end

function M.deviation(x)
    local m, sum = M.mean(x), 0.0
    for k = 1, #x do sum = sum + (x[k] - m)^2 end
    return math.sqrt(sum / (#x - 1))
end

-- ---- Student's t -----------------------------------------------------------------------------------------------------------

-- ln Gamma(x), x > 0: Stirling's series from 10 on, below by Gamma(x + 1) = x Gamma(x). Off by less than 1e-13.
local function log_gamma(x)
    local below = 0.0
    while x < 10 do
        below = below + math.log(x)
        x = x + 1
    end
    local r = 1 / (x * x)
    return (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r / 1680))) / x - below
end

-- The continued fraction of the incomplete beta function, by Lentz (Numerical Recipes 6.4).
local function fraction(a, b, x)
    local function kept(v) return math.abs(v) < 1e-300 and 1e-300 or v end
    local c, d = 1.0, 1 / kept(1 - (a + b) * x / (a + 1))
    local h = d
    for m = 1, 500 do
        local up = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / kept(1 + up * d), kept(1 + up / c)
        h = h * d * c
        local down = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / kept(1 + down * d), kept(1 + down / c)
        h = h * d * c
        if math.abs(d * c - 1) < 1e-15 then break end
    end
    return h
end

local function beta_part(a, b, x)
    if x <= 0 then return 0.0 elseif x >= 1 then return 1.0 end
    local front = math.exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2) then return front * fraction(a, b, x) / a end
    return 1 - front * fraction(b, a, 1 - x) / b
end

-- P(|t| > x) with n degrees of freedom.
function M.t_beyond(x, n) return beta_part(n / 2, 0.5, n / (n + x * x)) end

-- The t with P(|t| > x) = 1 - level.
function M.t_quantile(level, n)
    local lo, hi = 0.0, 1.0
    while M.t_beyond(hi, n) > 1 - level do hi = 2 * hi end
    for _ = 1, 200 do
        local mid = (lo + hi) / 2
        if M.t_beyond(mid, n) > 1 - level then lo = mid else hi = mid end
    end
    return (lo + hi) / 2
end

-- The two-sided interval of a mean: mean, half its width.
function M.t_interval(x, level)
    x = numbers("t_interval", x, 2)
    if type(level) ~= "number" or not (level > 0 and level < 1) then raise(("t_interval: level is %s; wanted a share between 0 and 1"):format(seen(level))) end
    return M.mean(x), M.t_quantile(level, #x - 1) * M.deviation(x) / math.sqrt(#x)
end

-- The level of each of n intervals that hold together with `level` (Bonferroni).
function M.family(level, n) return 1 - (1 - level) / n end

-- ---- permutations ------------------------------------------------------------------------------------------------------------

-- The share of sign changes of x whose mean is as far from 0 as that of x: all 2^n of them. n is at most 20.
function M.sign_flips(x)
    x = numbers("sign_flips", x, 1)
    if #x > 20 then raise(("sign_flips: %d numbers; wanted 20 or fewer"):format(#x)) end
    local seen_sum, as_far = math.abs(M.mean(x) * #x), 0
    local slack = seen_sum * 1e-12
    for mask = 0, (1 << #x) - 1 do
        local sum = 0.0
        for k = 1, #x do sum = sum + (mask >> (k - 1) & 1 == 0 and x[k] or -x[k]) end
        if math.abs(sum) >= seen_sum - slack then as_far = as_far + 1 end
    end
    return as_far / (1 << #x)
end

-- ---- decisions -----------------------------------------------------------------------------------------------------------------

-- Where does the interval of the mean of x lie: above the threshold, below it, or around it? A finding.
--   {side, mean, half, low, high, threshold, level, size}
function M.decide(x, threshold, level)
    local mean, half = M.t_interval(x, level)
    local side = mean - half > threshold and "above" or mean + half < threshold and "below" or "around"
    return {side = side, mean = mean, half = half, low = mean - half, high = mean + half, threshold = threshold, level = level, size = #x}
end

return M
