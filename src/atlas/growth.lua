-- The laws that ask how scores and vectors go on with the distance: whether they stay bounded, whether they fall, what is left far away.
local lab, subject_of, shapes = require "phasor", require "phasor.atlas.subject", require "phasor.atlas.asymptotics"
local say, noise = require "phasor.atlas.say", require "phasor.atlas.tried".noise
local follows, refuted, unknown, shown, held_between = say.follows, say.refuted, say.unknown, say.shown, say.held_between
local apart, two_scores, BALLS = say.apart, say.two_scores, say.BALLS
local q_mixed, k_mixed, unit, fractions = subject_of.q_mixed, subject_of.k_mixed, subject_of.unit, subject_of.fractions
local at, norm_square, T = subject_of.at, subject_of.norm_square, subject_of.T
local simplify, has, replace, shift, fill = shapes.simplify, shapes.has, shapes.replace, shapes.shift, shapes.fill
local divergence, without_shares = shapes.divergence, shapes.without_shares

local m, n, s, p = lab.sym "m n s p"
local step = lab.sym("t", "positive")

-- What the keys after the query do not share, where they are hidden.
local function seen(subject) return subject:is_causal() and "hidden" end

-- ---- bounded -----------------------------------------------------------------------------------------------------------

-- |f(x, m)|^2 = a r^m, r not 1: a growth that only a proof sees. The finding, or nil.
local function geometric(subject, side)
    local N = norm_square(subject:images(side, unit(1)))
    local v = lab.prove(shift(N, m, lab.rat(1)) * replace(N, m, lab.rat(0)), replace(N, m, lab.rat(1)) * N)
    if v.strength ~= "proved" then return nil end
    local zero, one = at(N, 0, 0), at(N, 1, 0)
    if not (zero.lower > 0 and one.lower > zero.upper) then return nil end
    return {"multiplied", vector = side == "k" and "f(k, n)" or "f(q, m)", factor = one.mid / zero.mid}, v.method
end

local up_to_query = {lab.ge(s, 0), lab.le(s, m)} -- s = m - n, n >= 0

-- Is every quotient proved to be between 0 and 1 for keys up to the query?
local function shares_proved(list, found)
    for _, e in next, found do
        local over, under = e.args[1], e.args[2]
        if not (shown(list, lab.ge(over, 0), nil, up_to_query) and shown(list, lab.gt(under, 0), nil, up_to_query)
            and shown(list, lab.le(over, under), nil, up_to_query)) then return false end
    end
    return true
end

local function bounded(subject)
    if subject.vector_kind then
        local all, because = true, {}
        local images = subject:images("q", fractions(q_mixed))
        for _, f in ipairs(images) do all = all and held_between(because, f) end
        if all then return follows(because, "every_position") end
        for _, f in ipairs(images) do
            local g = replace(f, m, s)
            local way = divergence(g)
            if way then
                return refuted({"far_position", value = at(f, 1000000000, 0)}, "the formula, by its growth")
            end
        end
        for _, side in ipairs(subject.acts and {"k", "q"} or {}) do
            local witness, method = geometric(subject, side)
            if witness then return refuted(witness, method) end
        end
        return unknown "growth_unseen"
    end
    local counted, because = subject:counted(), {}
    if counted and held_between(because, fill(fill(counted, "q", fractions(q_mixed)), "k", fractions(k_mixed)), {lab.ge(p, 0)}) then
        return follows(because, "scored_keys")
    end
    local f = subject:score_of(q_mixed, k_mixed)
    if not f then return unknown "growth_unseen" end
    if held_between(because, f) then
        return follows(because, {"every_place", seen(subject), subject.any and "one_content"})
    end
    for _, pair in ipairs{{m, n}, {n, m}} do
        local g = simplify(replace(replace(f, pair[2], lab.rat(0)), pair[1], s))
        if has(g, "s") then
            if divergence(g) then
                return refuted({"far_distance", value = lab.enclose(replace(g, s, lab.rat(1000000000)))},
                    "the formula, by its growth")
            end
        end
    end
    local rest, found = without_shares(simplify(replace(f, n, m - s)))
    if shares_proved(because, found) and held_between(because, rest) then
        return follows(because, {"up_to_query", subject.any and "one_content"},
            "positions enter by quotients, from 0 to 1 where 0 <= n <= m")
    end
    return unknown "growth_unseen"
end

-- ---- far away: what is left of the distance ----------------------------------------------------------------------------

-- Proofs that from this distance on, both ways, every score is that of the distance itself; nil when there are none.
local function settled_from(subject, from)
    local g, because = subject:by_distance(), {}
    if not g then return nil end
    for _, way in ipairs{1, -1} do
        local function at_distance(value)
            local f = g
            for _, x in ipairs(g:symbols()) do
                if x.name == "s" or x.op == "at" and x.args[1].name == "s" then f = lab.subst(f, x, way * value) end
            end
            return f
        end
        if not shown(because, at_distance(s), at_distance(lab.rat(from)), {lab.ge(s, from)}) then return nil end
    end
    return because
end

-- Proofs that positions enter by quotients from 0 to 1 alone, for keys up to the query, and query N - 1 has both 0 and 1; or nil.
local function spanned(subject, N)
    local because = {}
    local rest, found = without_shares(simplify(replace(subject:score_of(q_mixed, q_mixed), n, m - s)))
    if has(rest, "s") or has(rest, "m") or not next(found) or not shares_proved(because, found) then return nil end
    for _, e in next, found do
        local over, under = e.args[1], e.args[2]
        local function at_last(part, distance) return replace(replace(part, s, lab.rat(distance)), m, lab.rat(N - 1)) end
        if not (shown(because, at_last(over, 0), lab.rat(0)) and shown(because, at_last(over, N - 1), at_last(under, N - 1))) then return nil end
    end
    return because
end

-- ---- decaying ----------------------------------------------------------------------------------------------------------

-- The greatest rise of a score, at equal content q, from one key to the next one farther away, both before or both after the query: as a
-- finding that balls confirm, or nil; the rise; all scores.
local function risen(subject, q)
    local S = subject:constant_scores(T, q, q)
    local worst, place = 0, nil
    for a = 1, T do
        for b = 1, T - 1 do
            local near, far = b, b + 1
            if b < a then near, far = b + 1, b end
            local rise = S(a, far) - S(a, near)
            if rise > worst and rise < math.huge then worst, place = rise, {a - 1, near - 1, far - 1} end
        end
    end
    if not place then return nil, 0, S end
    local f = subject:score_of(q, q)
    if f then return apart(f, place[1], place[2], place[1], place[3], true), worst, S end
    if worst <= noise(S) then return nil, worst, S end
    return two_scores(place[1], place[2], S(place[1] + 1, place[2] + 1), place[1], place[3], S(place[1] + 1, place[3] + 1)), worst, S
end

-- Proofs that no score is above the one a step nearer: at every distance up to one from which nothing changes.
local function falls_step_by_step(subject)
    local because = settled_from(subject, T)
    if not because then return nil end
    for _, way in ipairs{1, -1} do
        local g, near = subject:side_of(way), nil
        for distance = 0, T do
            local far = simplify(replace(g, s, lab.rat(distance)))
            if near and tostring(near) ~= tostring(far) and not shown(because, lab.le(far, near)) then return nil end
            near = far
        end
    end
    return because
end

-- Proofs that the score never rises as s does, from 0 on.
local function falls_throughout(subject)
    local because = {}
    for _, way in ipairs{1, -1} do
        local g = subject:side_of(way)
        if not g or not shown(because, lab.le(replace(g, s, s + step), g), nil, {lab.ge(s, 0)}) then return nil end
    end
    return because
end

local function decaying(subject)
    local rises, bounds = {}, {}
    for i, q in ipairs(subject_of.contents) do
        local witness, rise, S = risen(subject, q)
        if witness then return refuted(witness, subject:score() and BALLS or "the function; far beyond rounding") end
        rises[i], bounds[i] = rise, noise(S)
        if not subject.any and subject.kind ~= "contextual" then break end -- a bias has no content
    end
    local because = falls_step_by_step(subject)
    if because then
        return follows(because, {"every_distance", seen(subject)}, ("distances 0 to %d one by one; from there on the formula is constant"):format(T))
    end
    because = falls_throughout(subject)
    if because then return follows(because, {"every_distance", seen(subject)}) end
    return lab.measure{claim = "at equal content no score is above the one a step nearer", value = rises, bound = bounds,
        why = "rounding of sums of T d products"}
end

return {bounded = bounded, decaying = decaying, settled_from = settled_from, spanned = spanned, seen = seen}
