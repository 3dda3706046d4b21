-- The laws that ask what a score depends on: the distance alone, its size alone, its sign.
local lab, subject_of, shapes = require "phasor", require "phasor.atlas.subject", require "phasor.atlas.asymptotics"
local say, noise = require "phasor.atlas.say", require "phasor.atlas.tried".noise
local follows, refuted, unknown, apart, two_scores = say.follows, say.refuted, say.unknown, say.apart, say.two_scores
local BALLS = say.BALLS
local q_mixed, k_mixed, rows, value_at, T, D = subject_of.q_mixed, subject_of.k_mixed, subject_of.rows, subject_of.value_at, subject_of.T, subject_of.d
local has, replace, shift, abstract = shapes.has, shapes.replace, shapes.shift, shapes.abstract

local m, n, s, c = lab.sym "m n s c"

-- ---- relative, Toeplitz ------------------------------------------------------------------------------------------------

-- Two places on one diagonal where the scores differ, at the given content.
local function moved(subject, q, key)
    local f, S = subject:score_of(q, key), subject:constant_scores(T, q, key)
    local worst, place = 0, nil
    for a = 2, T do
        for b = 1, T - a + 1 do
            for _, pair in ipairs{{b, 1, b + a - 1, a}, {1, b, a, b + a - 1}} do
                local far = math.abs(S(pair[1], pair[2]) - S(pair[3], pair[4]))
                if far > worst and far < math.huge then worst, place = far, pair end
            end
        end
    end
    if not place then return nil end
    if f then return apart(f, place[1] - 1, place[2] - 1, place[3] - 1, place[4] - 1) end
    if worst <= noise(S) then return nil end
    return two_scores(place[1] - 1, place[2] - 1, S(place[1], place[2]), place[3] - 1, place[4] - 1, S(place[3], place[4]))
end

-- A contextual score at m = 20, n = 18 and at m = 28, n = 26, the same q and k at both, other keys elsewhere.
local function other_context(subject)
    local K = lab.randn(lab.rng(21), T, D)
    for _, r in ipairs{19, 27} do K[r] = lab.array(k_mixed) end
    local S = subject:table_of_scores(T, rows(q_mixed, T), K)
    local a, b = S(21, 19), S(29, 27)
    if math.abs(a - b) <= noise(lab.array{a, b}) then return nil end
    return {"other_context", m = 20, n = 18, score = a, m2 = 28, n2 = 26, score2 = b}
end

local function relative(subject)
    local f = subject:score()
    if not f then
        local witness = other_context(subject)
        if witness then return refuted(witness, "the function; far beyond rounding") end
        return unknown "no_formula"
    end
    local general = abstract(f, subject.constants)
    local v = lab.prove(general, shift(shift(general, m, c), n, c))
    if v.strength == "proved" then
        return follows({v}, {"steps", subject.any and "any_content"}, v.method)
    end
    local witness = moved(subject, q_mixed, k_mixed) or moved(subject, q_mixed, q_mixed)
    if witness then return refuted(witness, BALLS) end
    return unknown "undecided"
end

local function toeplitz(subject, done)
    if done.relative.strength == "proved" then return follows({done.relative}, "all_places_alike", "follows from relative") end
    local witness = moved(subject, q_mixed, q_mixed)
    if witness then return refuted(witness, subject:score() and BALLS or "the function; far beyond rounding") end
    if subject:score() then return unknown "undecided" end
    local S = subject:constant_scores(T, q_mixed, q_mixed)
    S = lab.where(lab.causal_mask(T), S, 0)
    local _, spread = lab.relativity_deviation(S, {causal = true})
    return lab.measure{claim = "at equal content every diagonal has one value (keys up to the query)", value = spread, bound = noise(S),
        why = "rounding of sums of T d products"}
end

-- ---- even, direction-aware -------------------------------------------------------------------------------------------

-- score(m, m - a) against score(m, m + a): the farthest apart, as a finding, with the proof or the measurement that they differ; nil when
-- no difference is seen.
local function sides(subject)
    local f, S = subject:score_of(q_mixed, k_mixed), subject:constant_scores(T, q_mixed, k_mixed)
    local worst, place = 0, nil
    for mid = 2, T - 1 do
        for a = 1, math.min(mid - 1, T - mid) do
            local far = math.abs(S(mid, mid - a) - S(mid, mid + a))
            if far > worst then worst, place = far, {mid - 1, a} end
        end
    end
    if not place then return nil end
    local at_m, a = place[1], place[2]
    if f then
        return apart(f, at_m, at_m - a, at_m, at_m + a), lab.prove(lab.ne(value_at(f, at_m, at_m - a), value_at(f, at_m, at_m + a)))
    end
    if worst <= noise(S) or worst == math.huge then return nil end
    local witness = two_scores(at_m, at_m - a, S(at_m + 1, at_m - a + 1), at_m, at_m + a, S(at_m + 1, at_m + a + 1))
    local claim = ("score(%d, %d) and score(%d, %d), before and after the query, differ"):format(at_m, at_m - a, at_m, at_m + a)
    return witness, lab.measure{claim = claim, value = noise(S), bound = worst,
        why = "rounding of sums of T d products, against the difference"}
end

-- The proof that m and n may change places; together with relativity that is evenness. Or nil.
local function symmetric(subject)
    local f = subject:score()
    if not f then return nil end
    local general = abstract(f, subject.constants)
    local v = lab.prove(general, replace(replace(replace(general, m, c), n, m), c, n))
    return v.strength == "proved" and v or nil
end

local function even(subject, done)
    local v = done.relative
    if v.strength ~= "proved" then
        if v.strength == "refuted" then return refuted(v, v.method) end
        return unknown "relative_open"
    end
    if subject:is_causal() then
        local S = subject:constant_scores(4, q_mixed, k_mixed)
        return refuted({"hidden_key", m = 2, n = 1, score = S(3, 2), m2 = 1, n2 = 2}, "the function")
    end
    local v = symmetric(subject)
    if v then return follows({v}, {"all_places", subject.any and "any_content"}, v.method) end
    local witness = sides(subject)
    if witness then return refuted(witness, BALLS) end
    return unknown "undecided"
end

local function direction_aware(subject, done)
    if subject:is_causal() then
        return lab.measure{claim = "keys before and after the query score differently", value = 0, bound = 0,
            why = "keys after the query are hidden: score(1, 2) = -inf, score(2, 1) is finite"}
    end
    local f = subject:score()
    if f then -- also where the score is not relative: n = m - s against n = m + s
        local v = not has(f, "m[0]") and has(f, "n") and lab.prove(replace(f, n, m - s), replace(f, n, m + s))
        if v and v.strength == "proved" then
            return refuted("both_sides", v.method)
        elseif not has(f, "n") and not has(f, "n[0]") then
            return refuted("no_key_position", "n does not stand in the formula")
        end
    end
    if done.even.strength == "proved" then
        return refuted("exchanged", done.even.method)
    end
    local witness, v = sides(subject)
    if witness and v.strength == "proved" then
        witness[1] = "by_example"
        return follows({v}, witness, BALLS)
    end
    if witness and v.holds then return v end
    return unknown "no_two_keys"
end

return {relative = relative, toeplitz = toeplitz, even = even, direction_aware = direction_aware}
