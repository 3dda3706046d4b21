-- The laws that ask whether positions are told apart, and whether later ones bring anything new.
local lab, subject_of, shapes = require "phasor", require "phasor.atlas.subject", require "phasor.atlas.asymptotics"
local say, growth, noise = require "phasor.atlas.say", require "phasor.atlas.growth", require "phasor.atlas.tried".noise
local try = require "phasor.verdicts".try

local T, D, H, q_mixed, rows, fractions = subject_of.T, subject_of.d, subject_of.H, subject_of.q_mixed, subject_of.rows, subject_of.fractions
local at, value_at, frequency = subject_of.at, subject_of.value_at, subject_of.frequency
local simplify, has, replace = shapes.simplify, shapes.has, shapes.replace
local follows, refuted, unknown, shown, number = say.follows, say.refuted, say.unknown, say.shown, say.number
local settled_from, spanned, seen, BALLS = growth.settled_from, growth.spanned, growth.seen, say.BALLS

local m, n, s, p = lab.sym "m n s p"
local step, natural = lab.sym("t", "positive"), lab.sym("k", "natural")

-- ---- phases: injective, extrapolates -----------------------------------------------------------------------------------

-- Scores at distances first .. last from query `top`, keys before it (way 1) or after.
local function distances(subject, way, first, last, top)
    local f = subject:score_of(q_mixed, q_mixed)
    local list = lab.range(first, last)
    local from, to = list * 0 + top, top - way * list
    local values = {}
    for _, x in ipairs(f:symbols()) do
        local name = x.op == "at" and x.args[1].name or x.name
        values[tostring(x)] = name == "m" and from or to
    end
    local v = lab.evaluate(f, values)
    return type(v) == "number" and list * 0 + v or v, f
end

local MOST_BALLS = 4096 -- distances that balls look at: some 0.4 s

-- The certificate that the N scores of query N - 1, v in f64, are apart; or nil. Each lies within 2^(e-1) of 0. With 2^e added they are between
-- 2^(e-1) and 2^(e+1), where balls hold each sum within 2^10 units of at most 2^(e-52): two that are 2^(e-40) apart differ.
local function balls_apart(f, v, N)
    local e = math.max(0, math.ceil(math.log(lab.max(lab.abs(v)), 2)) + 1)
    if e > 60 then return nil end
    local j = lab.sym("j", "integer")
    local g = simplify(replace(replace(f, n, N - 1 - j), m, lab.rat(N - 1))) + lab.rat(1 << e)
    local sums = v + 2.0^e
    local verdict = lab.certify_table(g, {{j, 0, N - 1}}, sums, {ulp = 2^10})
    if not verdict.holds then return nil end
    local order = lab.sort(sums)
    return lab.min(order[{{2, N}}] - order[{{1, N - 1}}]) > 2.0^(e - 40) and verdict or nil
end

-- Proofs that the rows of a table at whole positions, as formulas, differ from each other; or nil.
local function rows_differ(subject, count)
    local images, because = subject:images("q", fractions(q_mixed)), {}
    for a = 0, count - 1 do
        for b = a + 1, count - 1 do
            local differ
            for _, f in ipairs(images) do
                differ = differ or shown(because, lab.ne(value_at(f, a, 0), value_at(f, b, 0)))
            end
            if not differ then return nil end
        end
    end
    return because
end

local function vectors_apart(subject, N)
    local angles, told = subject:turning()
    for i, angle in ipairs(angles) do
        local ball, theta = frequency(angle)
        local because = {told[i]}
        if ball and theta.op == "rat" and shown(because, lab.ne(lab.sin(theta * natural / 2), 0)) then
            return follows(because, "whole_positions", "a pair of rational frequency: no multiple of pi but 0 is rational")
        end
    end
    for i, angle in ipairs(angles) do
        local ball, theta = frequency(angle)
        local because = {told[i]}
        if ball and shown(because, lab.gt(theta, 0)) and shown(because, lab.lt(theta * N, 2 * lab.Pi)) then
            return follows(because, {"positions", last = N - 1},
                ("a pair of wavelength %s has not come round; its frequency enclosed by balls"):format(number(2 * math.pi / ball.mid)))
        end
    end
    local count = math.min(N, T)
    local P = subject:run("q", T, rows(q_mixed, T), rows(q_mixed, T))[{{1, count}}]
    local margin, i, l = lab.injectivity_margin(P)
    if margin == 0 then return refuted({"one_vector", m = i - 1, m2 = l - 1}, "the function") end
    if not subject:angles() then
        local because = rows_differ(subject, count)
        if because then return follows(because, {"rows", count = count}, "rows of a table, each pair; least distance " .. number(margin)) end
    end
    return lab.measure{claim = "positions are apart", value = 0, bound = margin, why = "least distance of two vectors"}
end

local function contextual_apart(subject, N)
    local count = math.min(N, T)
    local S = subject:constant_scores(count, q_mixed, q_mixed)
    local row, least, place = S[count], math.huge, nil
    for a = 1, count do
        for b = a + 1, count do
            local gap = math.abs(row(a) - row(b))
            if gap < least then least, place = gap, {count - a, count - b} end
        end
    end
    if least <= noise(S) then
        return refuted({"within", s = place[2], s2 = place[1], gap = ("%.1e"):format(least)}, "the function")
    end
    return lab.measure{claim = ("at equal content the %d distances score apart"):format(count), value = noise(S), bound = least,
        why = "rounding of sums of T d products, against the least gap"}
end

local function injective(subject, done, N)
    if subject:limit() then N = math.min(N, T) end -- it has no more
    if subject.vector_kind then return vectors_apart(subject, N) end
    if not subject:score() then return contextual_apart(subject, N) end
    local g, because = subject:side_of(1), {}
    for _, compare in ipairs(g and has(g, "s") and {lab.lt, lab.gt} or {}) do
        if shown(because, compare(replace(g, s, s + step), g), nil, {lab.ge(s, 0)}) then
            return follows(because, {"earlier_keys", subject.any and "tried_content"}, "the score is strictly monotone")
        end
    end
    local v, f = distances(subject, 1, 0, N - 1, N - 1)
    local order = lab.argsort(v)
    local least, place = math.huge, nil
    for i = 1, N - 1 do
        local a, b = order(i) // 1 | 0, order(i + 1) // 1 | 0
        local gap = v(b) - v(a)
        if gap < least or gap == least and math.max(a, b) < math.max(place[1], place[2]) then least, place = gap, {a, b} end
    end
    local a, b = math.min(place[1], place[2]) - 1, math.max(place[1], place[2]) - 1
    local function back(distance) return simplify(replace(replace(f, n, lab.rat(N - 1 - distance)), m, lab.rat(N - 1))) end
    local fa, fb = back(a), back(b)
    if lab.prove(fa, fb).strength == "proved" then
        return refuted({"one_score", s = a, s2 = b, score = lab.enclose(fa)}, "proved equal on the formula")
    end
    local tolerance = 2^-40 * math.max(1, lab.max(lab.abs(v)))
    local apart_for_certain = N <= MOST_BALLS and balls_apart(f, v, N)
    if apart_for_certain then
        return follows({apart_for_certain}, {"distances", subject.any and "tried_content", last = N - 1}, "balls at every distance; least gap " .. number(least))
    elseif N > MOST_BALLS and least > tolerance then
        return lab.measure{claim = ("distances 0 to %d score apart"):format(N - 1), value = tolerance, bound = least,
            why = "rounding of the formula in f64, against the least gap"}
    end
    return unknown "narrow_gap"
end

-- Does every pair of a sine and a cosine come round within N positions? A verdict; nil where angles are no multiples of the position.
local function come_round(angles, N)
    local slowest, because = nil, {}
    for _, a in next, angles do
        local ball, theta = frequency(a.angle)
        if not ball then return nil end -- a distance that is cut off, say: its values are looked at
        if not shown(because, lab.ge(theta * N, 2 * lab.Pi)) and not lab.prove(theta, lab.rat(0)).holds
            and (not slowest or ball.mid < slowest.mid) then slowest = ball end
    end
    if slowest then
        if not (slowest.upper * N * (1 + 2^-40) < lab.enclose(2 * lab.Pi).lower) then return unknown "near_round" end
        return refuted({"new_phase", m = N, phase = slowest.mid * N, wavelength = 2 * math.pi / slowest.mid},
            "frequencies enclosed by balls")
    end
    if #because == 0 then return nil end
    return follows(because, {"trained", count = N}, "every pair has turned fully")
end

local function new_vectors(subject, N)
    if not subject.acts then
        local args = subject:arguments("q", T)
        args[args.n] = T + 1
        if not try(lab[subject.encoding], table.unpack(args, 1, args.n)) then return refuted({"refused", m = T, last = T - 1}, "the function") end
    end
    local f = subject:images("q", fractions(q_mixed))[1]
    local a, b = at(f, N - 1, 0), at(f, N, 0)
    if b.lower > a.upper or b.upper < a.lower then
        return refuted({"new_value", value = a, m = N - 1, value2 = b, m2 = N}, "balls on the formula")
    end
    return unknown "no_phases"
end

-- Scores at distances N to 2N - 1 against those of trained positions.
local function new_scores(subject, N)
    for _, way in ipairs{1, -1} do
        local v, f = distances(subject, way, 0, 2 * N - 1, 2 * N - 1)
        local old, later = v[{{1, N}}], v[{{N + 1, 2 * N}}]
        if not subject:by_distance() then old = lab.reshape(subject:constant_scores(N, q_mixed, q_mixed), N * N) end
        if lab.max(lab.abs(later - v(N))) ~= 0 then
            local fresh, gap = nil, 0
            for i = 1, N, math.max(1, N // 64) do -- some of them: one that is new is enough
                local far = lab.min(lab.abs(old - later(i)))
                if far > gap then gap, fresh = far, i end
            end
            local tolerance = 2^-40 * math.max(1, lab.max(lab.abs(v)))
            if fresh and gap > tolerance then
                local far = N + fresh - 1
                return refuted({way > 0 and "score_back" or "score_ahead", s = far, score = at(f, 2 * N - 1, 2 * N - 1 - way * far),
                    gap = ("%.1e"):format(gap)}, BALLS)
            end
            return unknown "not_anew"
        end
    end
    return lab.measure{claim = ("distances %d to %d score as %d does"):format(N, 2 * N - 1, N - 1), value = 0, bound = 0,
        why = "exact: entries of a table, looked up"}
end

local function extrapolates(subject, done, N)
    if subject:limit() then return refuted({"refused", m = T, last = T - 1}, "the function") end
    local counted = subject:counted()
    if counted then -- p grows by less than 1 a key: N keys reach every p below N
        local because = {}
        if shown(because, counted, replace(counted, p, lab.rat(N - 1)), {lab.ge(p, N - 1)}) then
            return follows(because, {"every_count", last = N - 1})
        end
        return unknown "counts_on"
    end
    local because = not subject.vector_kind and settled_from(subject, N - 1)
    if because then return follows(because, {"from_distance", subject.any and "any_content", seen(subject), first = N - 1}) end
    local angles = subject:angles()
    local verdict_of_angles = angles and come_round(angles, N)
    if verdict_of_angles then return verdict_of_angles end
    if subject.vector_kind then return new_vectors(subject, N) end
    because = spanned(subject, N)
    if because then
        return follows(because, "up_to_query", ("positions enter by quotients from 0 to 1, which query %d has both"):format(N - 1))
    end
    return new_scores(subject, N)
end

local function parameters(subject)
    subject:arguments("q", T, rows(q_mixed, T), rows(q_mixed, T))
    return lab.measure{claim = ("%d learned numbers at T = %d, d = %d, H = %d"):format(subject.parameters, T, D, H), value = 0, bound = 0,
        why = "counted as the arguments are made"}
end

return {injective = injective, extrapolates = extrapolates, parameters = parameters}
