-- The verdicts of the laws against the function, at contents and places that no law has looked at: what the function shows is beyond
-- dispute, so a verdict that it belies is an error of this program.
local lab, subject_of, contradiction = require "phasor", require "phasor.atlas.subject", require "phasor.verdicts".contradiction
local T, D, rows = subject_of.T, subject_of.d, subject_of.rows

local function number(b) return ("%.8g"):format(b) end

-- What T d products and sums of numbers up to `most` can have lost: each of some 4 (T + d) steps errs by 2^-53 of a partial
-- sum, and the function exp of a gate by a few units more; 2^-40 leaves room for both at T = 32, d = 8.
local function noise(S) return 2^-40 * math.max(1, lab.max(lab.abs(lab.where(lab.isfinite(S), S, 0)))) end

local EARLIER = tostring(lab.le(lab.sym "n", lab.sym "m")) -- as a condition: keys up to the query

local TRIED = {{31, 32}, {33, 34}, {35, 36}} -- seeds of the contents

-- The places of all scores, and those that `place` sets beside them, as indices into the scores one after another.
local function beside(place)
    local here, there = {}, {}
    for a = 1, T do
        for b = 1, T do
            local c, d = place(a, b)
            if c >= 1 and d >= 1 and c <= T and d <= T then
                here[#here + 1], there[#there + 1] = (a - 1) * T + b, (c - 1) * T + d
            end
        end
    end
    return {here = lab.array(here), there = lab.array(there)}
end
local DIAGONAL = beside(function(a, b) local first = math.min(a, b) - 1 return a - first, b - first end)
local MIRRORED = beside(function(a, b) return b, a end)
local OTHER_SIDE = beside(function(a, b) return a, 2 * a - b end)
local NEARER = beside(function(a, b) return a, a == b and 0 or b < a and b + 1 or b - 1 end)

-- How far a score is off the one beside it at most, by off, with their places. Two hidden keys are alike, and no number is off.
local function worst(S, places, off)
    local flat = lab.reshape(S, T * T)
    local far = off(lab.take(flat, places.here) - lab.take(flat, places.there))
    far = lab.where(lab.gt(far, 0), far, 0)
    local i = lab.argmax(far) // 1 | 0
    local function score(index)
        local at = index(i) // 1 | 0
        return ("score(%d, %d) = %s"):format((at - 1) // T, (at - 1) % T, number(flat(at)))
    end
    return far(i), score(places.here) .. ", " .. score(places.there)
end
local function same(x) return x end

local against = {}

function against.relative(S, v) if v.holds then return worst(S, DIAGONAL, lab.abs) end end
function against.toeplitz(S, v, subject, alike)
    if not alike or not v.holds then return 0 end
    return worst(subject.kind == "contextual" and lab.where(lab.causal_mask(T), S, 0) or S, DIAGONAL, lab.abs)
end
function against.even(S, v) if v.holds then return worst(S, MIRRORED, lab.abs) end end
function against.direction_aware(S, v) if v.strength == "refuted" then return worst(S, OTHER_SIDE, lab.abs) end end
-- A hidden key has no score: it is no number out of bounds where the verdict speaks of keys up to the query.
function against.bounded(S, v, subject)
    if not v.holds or subject.vector_kind then return 0 end
    local up_to_query = false
    for _, s in ipairs(v.requires) do up_to_query = up_to_query or tostring(s) == EARLIER end
    local finite = lab.isfinite(up_to_query and lab.where(lab.causal_mask(T), S, 0) or S)
    return lab.all(finite) and 0 or math.huge, "a score that is no finite number"
end
function against.decaying(S, v, _, alike)
    if not alike or not v.holds then return 0 end
    return worst(S, NEARER, same)
end
function against.norm_keeping(_, v, subject, _, q)
    local worst, text = 0, nil
    if not v.holds then return 0 end
    for _, side in ipairs(subject.two_sided and {"q", "k"} or {"q"}) do
        local P = subject:run(side, T, rows(q, T), rows(q, T))
        local first = lab.sum(P[1]^2)
        for r = 2, T do
            local far = math.abs(lab.sum(P[r]^2) - first)
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
            local tolerance = 4 * noise(S)
            for _, law in ipairs(laws) do
                local look, v = against[law.key], done[law.key]
                local far, place = 0, nil
                if look then far, place = look(S, v, subject, content == q, q) end
                if far and far > tolerance then
                    contradiction(("atlas: %s of %s is %s, yet the function gives %s"):format(law.key, subject.name, v.strength, place))
                end
            end
        end
    end
end

return {noise = noise, run = run}
