-- The verdicts of the laws against the function, at contents and places that no law has looked at: what the function shows is beyond
-- dispute, so a verdict that it belies is an error of this program.
local lab, subject_of, contradiction = require "phasor", require "phasor.atlas.subject", require "phasor.verdicts".contradiction
local T, D, rows = subject_of.T, subject_of.d, subject_of.rows

local function number(b) return ("%.8g"):format(b) end

-- What T d products and sums of numbers up to `most` can have lost: each of some 4 (T + d) steps errs by 2^-53 of a partial
-- sum, and the function exp of a gate by a few units more; 2^-40 leaves room for both at T = 32, d = 8.
local function noise(S) return 2^-40 * math.max(1, lab.max(lab.abs(lab.where(lab.isfinite(S), S, 0)))) end

local TRIED = {{31, 32}, {33, 34}, {35, 36}} -- seeds of the contents

-- |a - b|, where two hidden keys are alike, and a hidden one is like no other.
local function off(a, b) return a == b and 0 or math.abs(a - b) end

local function each_place(S, use)
    for a = 1, T do for b = 1, T do use(a, b, S(a, b)) end end
end

local against = {}

-- The greatest difference of a score from the one on its diagonal that comes first, with the place.
local function diagonals(S)
    local worst, text = 0, nil
    each_place(S, function(a, b, score)
        local first = math.min(a, b) - 1
        local far = off(score, S(a - first, b - first))
        if far > worst then worst, text = far, ("score(%d, %d) = %s, score(%d, %d) = %s"):format(a - 1, b - 1, number(score),
            a - first - 1, b - first - 1, number(S(a - first, b - first))) end
    end)
    return worst, text
end

function against.relative(S, v) if v.holds then return diagonals(S) end end
function against.toeplitz(S, v, subject, alike)
    if not alike or not v.holds then return 0 end
    if subject.kind == "contextual" then S = lab.where(lab.causal_mask(T), S, 0) end
    return diagonals(S)
end
local function mirrored(S, place)
    local worst, text = 0, nil
    each_place(S, function(a, b, score)
        local c, d = place(a, b)
        if c < 1 or d < 1 or c > T or d > T then return end
        local far = off(score, S(c, d))
        if far > worst then worst, text = far, ("score(%d, %d) = %s, score(%d, %d) = %s"):format(a - 1, b - 1, number(score),
            c - 1, d - 1, number(S(c, d))) end
    end)
    return worst, text
end
function against.even(S, v) if v.holds then return mirrored(S, function(a, b) return b, a end) end end
function against.direction_aware(S, v)
    if v.strength == "refuted" then return mirrored(S, function(a, b) return a, 2 * a - b end) end
end
-- A hidden key has no score: it is no number out of bounds where the verdict speaks of keys up to the query.
function against.bounded(S, v, subject)
    local worst, text = 0, nil
    if not v.holds or subject.vector_kind then return 0 end
    each_place(S, function(a, b, score)
        local hidden = b > a and (v.conditions or ""):find("keys up to the query", 1, true)
        if not hidden and not (math.abs(score) < math.huge) then worst, text = math.huge, ("score(%d, %d) = %s"):format(a - 1, b - 1, number(score)) end
    end)
    return worst, text
end
function against.decaying(S, v, subject, alike)
    local worst, text = 0, nil
    if not alike or not v.holds then return 0 end
    each_place(S, function(a, b, score)
        local near = b < a and b + 1 or b - 1
        if b == a or near < 1 or near > T then return end
        local rise = score - S(a, near)
        if rise > worst then worst, text = rise, ("score(%d, %d) = %s, score(%d, %d) = %s"):format(a - 1, near - 1, number(S(a, near)),
            a - 1, b - 1, number(score)) end
    end)
    return worst, text
end
function against.norm_keeping(_, v, subject, _, q)
    local worst, text = 0, nil
    if not v.holds then return 0 end
    for _, side in ipairs(subject.two_sided and {"q", "k"} or {"q"}) do
        local P = subject:run(side, T, rows(q, T), rows(q, T))
        local first = lab.sum(P[1]^2)
        for r = 2, T do
            local far = off(lab.sum(P[r]^2), first)
            if far > worst then worst, text = far, ("squares of lengths at 0 and %d: %s, %s"):format(r - 1, number(first), number(first + far)) end
        end
    end
    return worst, text
end

-- Every verdict that says something of all contents and places is tried on the function; what it shows is beyond dispute.
local function run(subject, done, laws)
    for _, seeds in ipairs(TRIED) do
        local q, key = subject_of.vector(seeds[1], D), subject_of.vector(seeds[2], D)
        for _, content in ipairs{key, q} do
            local S = subject:constant_scores(T, q, content)
            for _, law in ipairs(laws) do
                local look, v = against[law.key], done[law.key]
                local far, place = 0, nil
                if look then far, place = look(S, v, subject, content == q, q) end
                if far and far > 4 * noise(S) then
                    contradiction(("atlas: %s of %s is %s, yet the function gives %s"):format(law.key, subject.name, v.strength, place))
                end
            end
        end
    end
end

return {noise = noise, run = run}
