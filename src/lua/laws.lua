-- The laws of positional encodings: what is asked of every one of them, and how it is decided, from its descriptor alone.
-- Receives the laboratory's table, C's ways to write a verdict down, shapes.lua, subject.lua, try, tried.lua, contradiction and places.lua, not run
-- yet; returns the laws and the judge.
--
-- An encoding is seen through three things: its formula (exact), its function (f64), and the score of a query at m with a key
-- at n that follows from either:
--     additive vectors       P_m . P_n                     score bias      b(m, n)
--     rotation, factor       f(q, m) . f(k, n)             relative        the score it gives for q and k
-- A law is proved on the formula: by statements that the prover decides, of which it is no stronger than the weakest; or refuted by
-- numbers that the function shows and balls confirm on the formula. How a formula is built says which statements are worth a try.
-- A contextual encoding has a formula of p, the position that its keys count; what p depends on is seen in the function alone, which
-- is measured.
local lab, verdicts, shapes, subject_of, try, make_tried, contradiction, read_places = ...
local follows, refuted, open, ends = verdicts.follows, verdicts.refuted, verdicts.open, verdicts.ends

local T, D, H = subject_of.T, subject_of.d, subject_of.H

local m, n, s, c, k, p = lab.sym "m n s c k p"
local step = lab.sym("t", "positive")

local each, is_constant, integer, is_zero = shapes.each, shapes.is_constant, shapes.integer, shapes.is_zero
local simplify, has, replace, shift, fill = shapes.simplify, shapes.has, shapes.replace, shapes.shift, shapes.fill
local abstract, concrete, sign_of = shapes.abstract, shapes.concrete, shapes.sign_of
local divergence, settle, without_shares = shapes.divergence, shapes.settle, shapes.without_shares
local q_mixed, k_mixed, rows, unit = subject_of.q_mixed, subject_of.k_mixed, subject_of.rows, subject_of.unit
local fractions, exact, frequency = subject_of.fractions, subject_of.exact, subject_of.frequency
local at, value_at = subject_of.at, subject_of.value_at

-- ---- verdicts --------------------------------------------------------------------------------------------------------

-- follows(because, conditions [, method, statement]): what verdicts that hold amount to; refuted(witness, method).
local function undefined(why) return open("undefined", why) end
local function unknown(why) return open("unknown", why) end

-- Joins the prover's verdict to the list when it is `proved`: of l = r, or of a statement l.
local function shown(list, l, r, where)
    local v
    if r ~= nil then v = lab.prove(l, r, where and {where = where}) else v = lab.prove(l, where and {where = where}) end
    if v.strength ~= "proved" then return nil end
    list[#list + 1] = v
    return v
end

-- Two numbers between which the formula always is; nil when none are seen.
local function held_between(list, f, where)
    local low, high = ends(f, where)
    if not (low > -2^53 and high < 2^53) then return nil end
    return shown(list, lab.ge(f, math.floor(low)), nil, where) and shown(list, lab.le(f, math.ceil(high)), nil, where)
end

local BALLS = "numbers found with the function, confirmed by balls on the formula"

local tried = make_tried(lab, subject_of, contradiction)
local noise, try_on_function = tried.noise, tried.run

local function number(b) return type(b) == "number" and ("%.8g"):format(b) or b:digits(8) end

-- "score(3, 1) = 0.5, score(4, 2) = 0.25" when these differ for certain (the second greater when `rises`); else nil.
local function apart(f, m1, n1, m2, n2, rises)
    local a, b = at(f, m1, n1), at(f, m2, n2)
    if not (b.lower > a.upper or not rises and a.lower > b.upper) then return nil end
    return ("score(%d, %d) = %s, score(%d, %d) = %s"):format(m1, n1, number(a), m2, n2, number(b))
end

-- ---- relative ----------------------------------------------------------------------------------------------------------

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
    return ("score(%d, %d) = %s, score(%d, %d) = %s"):format(place[1] - 1, place[2] - 1, number(S(place[1], place[2])),
        place[3] - 1, place[4] - 1, number(S(place[3], place[4])))
end

-- A contextual score at m = 20, n = 18 and at m = 28, n = 26, the same q and k at both, other keys elsewhere.
local function other_context(subject)
    local K = lab.randn(lab.rng(21), T, D)
    for _, r in ipairs{19, 27} do K[r] = lab.array(k_mixed) end
    local S = subject:table_of_scores(T, rows(q_mixed, T), K)
    local a, b = S(21, 19), S(29, 27)
    if math.abs(a - b) <= noise(lab.array{a, b}) then return nil end
    return ("the same q and k, other keys around: score(20, 18) = %s, score(28, 26) = %s"):format(number(a), number(b))
end

-- What the keys after the query do not share, where they are hidden.
local function seen(subject) return subject:is_causal() and ", keys up to the query" or "" end

local function relative(subject)
    local f = subject:score()
    if not f then
        local witness = other_context(subject)
        if witness then return refuted(witness, "the function; far beyond rounding") end
        return unknown("no formula, and no example against it was found")
    end
    local general = abstract(f, subject.constants)
    local v = lab.prove(general, shift(shift(general, m, c), n, c))
    if v.strength == "proved" then
        return follows({v}, "for all m, n and steps c" .. subject.any, v.method, "score(m + c, n + c) = score(m, n)")
    end
    local witness = moved(subject, q_mixed, k_mixed) or moved(subject, q_mixed, q_mixed)
    if witness then return refuted(witness, BALLS) end
    return unknown("neither the formula nor numbers decide")
end

-- ---- even, direction-aware -------------------------------------------------------------------------------------------

-- score(m, m - a) against score(m, m + a): the farthest apart, as a text, with the proof or the measurement that they differ; nil when
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
    local witness = ("score(%d, %d) = %s, score(%d, %d) = %s"):format(at_m, at_m - a, number(S(at_m + 1, at_m - a + 1)), at_m,
        at_m + a, number(S(at_m + 1, at_m + a + 1)))
    return witness, lab.measure{claim = "keys before and after the query score differently: " .. witness, value = noise(S), bound = worst,
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
        if v.strength == "refuted" then return refuted(v.witness, v.method) end
        return unknown("whether it is relative is open")
    end
    if subject:is_causal() then
        local S = subject:constant_scores(4, q_mixed, k_mixed)
        return refuted(("score(2, 1) = %s, score(1, 2) = -inf: keys after the query are hidden"):format(number(S(3, 2))), "the function")
    end
    local v = symmetric(subject)
    if v then return follows({v}, "for all m and n" .. subject.any, v.method, "score(m, n) = score(n, m)") end
    local witness = sides(subject)
    if witness then return refuted(witness, BALLS) end
    return unknown("neither the formula nor numbers decide")
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
            return refuted("score(m, m - s) = score(m, m + s) for all m and s (proved)", v.method)
        elseif not has(f, "n") and not has(f, "n[0]") then
            return refuted("score(m, m - s) = score(m, m + s) for all m and s", "n does not stand in the formula")
        end
    end
    if done.even.strength == "proved" then
        return refuted("score(m, n) = score(n, m) for all m and n (proved)", done.even.method)
    end
    local witness, v = sides(subject)
    if witness and v.strength == "proved" then return follows({v}, "by example: " .. witness, BALLS) end
    if witness and v.holds then return v end
    return unknown("no two keys on either side were found to differ")
end

-- ---- bounded -----------------------------------------------------------------------------------------------------------

local function norm_square(images)
    local sum
    for _, f in ipairs(images) do sum = sum and sum + f^2 or f^2 end
    return sum
end

-- |f(x, m)|^2 = a r^m, r not 1: a growth that only a proof sees. The text, or nil.
local function geometric(subject, side)
    local N = norm_square(subject:images(side, unit(1)))
    local v = lab.prove(shift(N, m, lab.rat(1)) * replace(N, m, lab.rat(0)), replace(N, m, lab.rat(1)) * N)
    if v.strength ~= "proved" then return nil end
    local zero, one = at(N, 0, 0), at(N, 1, 0)
    if not (zero.lower > 0 and one.lower > zero.upper) then return nil end
    return ("|%s|^2 is multiplied by %s at every step"):format(side == "k" and "f(k, n)" or "f(q, m)", number(one.mid / zero.mid)), v.method
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
        if all then return follows(because, "at every position") end
        for _, f in ipairs(images) do
            local g = replace(f, m, s)
            local way = divergence(g)
            if way then
                return refuted(("%s at position 10^9, and it grows on"):format(number(at(f, 1000000000, 0))), "the formula, by its growth")
            end
        end
        for _, side in ipairs(subject.acts and {"k", "q"} or {}) do
            local witness, method = geometric(subject, side)
            if witness then return refuted(witness, method) end
        end
        return unknown("the formula's growth is not seen from its shape")
    end
    local counted, because = subject:counted(), {}
    if counted and held_between(because, fill(fill(counted, "q", fractions(q_mixed)), "k", fractions(k_mixed)), {lab.ge(p, 0)}) then
        return follows(because, "for keys up to the query, which alone have a score, and any one q and k")
    end
    local f = subject:score_of(q_mixed, k_mixed)
    if not f then return unknown("the formula's growth is not seen from its shape") end
    if held_between(because, f) then
        return follows(because, "at every m and n" .. seen(subject) .. (subject.any ~= "" and ", for any one q and k" or ""))
    end
    for _, pair in ipairs{{m, n}, {n, m}} do
        local g = simplify(replace(replace(f, pair[2], lab.rat(0)), pair[1], s))
        if has(g, "s") then
            if divergence(g) then
                return refuted(("%s at distance 10^9, and it grows on"):format(number(lab.enclose(replace(g, s, lab.rat(1000000000))))),
                    "the formula, by its growth")
            end
        end
    end
    local rest, found = without_shares(simplify(replace(f, n, m - s)))
    if shares_proved(because, found) and held_between(because, rest) then
        return follows(because, "for keys up to the query" .. (subject.any ~= "" and ", for any one q and k" or ""),
            "positions enter by quotients, from 0 to 1 where 0 <= n <= m")
    end
    return unknown("the formula's growth is not seen from its shape")
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

-- The greatest rise of a score from one key to the next one farther away, both before or both after the query: as a text that balls
-- confirm, or nil; the rise; all scores.
local function risen(subject)
    local f, S = subject:score_of(q_mixed, q_mixed), subject:constant_scores(T, q_mixed, q_mixed)
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
    if f then return apart(f, place[1], place[2], place[1], place[3], true), worst, S end
    if worst <= noise(S) then return nil, worst, S end
    return ("score(%d, %d) = %s, score(%d, %d) = %s"):format(place[1], place[2], number(S(place[1] + 1, place[2] + 1)),
        place[1], place[3], number(S(place[1] + 1, place[3] + 1))), worst, S
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
    local witness, rise, S = risen(subject)
    if witness then return refuted(witness, subject:score() and BALLS or "the function; far beyond rounding") end
    local because = falls_step_by_step(subject)
    if because then
        return follows(because, "at every distance, equal content" .. seen(subject), ("distances 0 to %d one by one; from there on the formula is constant"):format(T))
    end
    because = falls_throughout(subject)
    if because then return follows(because, "at every distance, equal content" .. seen(subject)) end
    return lab.measure{claim = "at equal content no score is above the one a step nearer", value = rise, bound = noise(S),
        why = "rounding of sums of T d products"}
end

-- ---- norms and shifts --------------------------------------------------------------------------------------------------

local NO_VECTOR = "it changes scores, no vector has a length or is carried along by a step"

local function norm_keeping(subject)
    if not subject.vector_kind then return undefined(NO_VECTOR) end
    local because = {}
    for _, side in ipairs(subject.two_sided and {"q", "k"} or {"q"}) do
        local N = norm_square(subject.acts and subject:vectors(side) or subject:images(side))
        local general = abstract(N, subject.constants)
        local v = lab.prove(general, shift(general, m, c))
        if v.strength ~= "proved" then
            local fixed = norm_square(subject:images(side, fractions(q_mixed)))
            local worst, place = 0, nil
            local P = subject:run(side, T, rows(q_mixed, T), rows(q_mixed, T))
            for r = 2, T do
                local far = math.abs(lab.sum(P[r]^2) - lab.sum(P[1]^2))
                if far > worst then worst, place = far, r - 1 end
            end
            if place then
                local a, b = at(fixed, 0, 0), at(fixed, place, 0)
                if b.lower > a.upper or b.upper < a.lower then
                    return refuted(("square of the length %s at position 0, %s at position %d"):format(number(a), number(b), place), BALLS)
                end
            end
            return unknown("neither the formula nor numbers decide")
        end
        because[#because + 1] = v
    end
    return follows(because, subject.acts and "for every x and all positions" or "for all positions", nil, "|f(m)|^2 = |f(m + c)|^2")
end

-- P' = A P with a constant A gives P(m + k) = e^(kA) P(m). Each P_i' is sought as one constant times one column.
local smooth = {["+"] = true, ["-"] = true, ["*"] = true, sin = true, cos = true, exp = true, sym = true, rat = true}

local function follows_linear_ode(images, constants)
    for _, f in ipairs(images) do -- a derivative away from kinks and jumps says nothing of them
        local ok = true
        each(f, function(e) ok = ok and (smooth[e.op] or is_constant(e)) end)
        if not ok then return nil end
    end
    local columns, derivatives, because = {}, {}, {}
    for i, f in ipairs(images) do
        columns[i] = abstract(f, constants)
        derivatives[i] = simplify(lab.derivative(columns[i], m))
    end
    images = columns
    for i, d in ipairs(derivatives) do
        local found = is_zero(d) and shown(because, d, lab.rat(0))
        for l = 1, #images do
            if found then break end
            -- where column l is not 0: at m = 0, or, when it starts at 0, its derivative there
            local function start(e) return simplify(replace(e, m, lab.rat(0))) end
            local a, b = start(d), start(images[l])
            if is_zero(b) then a, b = start(lab.derivative(d, m)), start(derivatives[l]) end
            found = shown(because, lab.ne(concrete(b, constants), 0)) and shown(because, d * b, a * images[l])
        end
        if not found then return nil end
    end
    return because
end

-- d + 1 vectors of d numbers have a relation sum a_i P(i) = 0; a linear step would carry it on.
local function broken_relation(subject, side)
    local x = fractions(q_mixed)
    local images = subject:images(side, x)
    local entry, basis, count = {}, nil, nil
    for i = 1, #images do entry[i] = {} end
    for r = 0, #images do -- until the vectors at 0 .. r are dependent
        for i = 1, #images do
            local e = simplify(replace(images[i], m, lab.rat(r)))
            local ball = lab.enclose(e)
            if e.op ~= "rat" and ball.radius ~= 0 then return nil end
            entry[i][r + 1] = e.op == "rat" and e or exact(ball.mid)
        end
        local ok, found, size = try(lab.null_space, lab.matrix(entry))
        if not ok then return nil end
        if size > 0 then
            basis, count = found, r
            break
        end
    end
    if not basis then return nil end
    for step = 1, T - count - 1 do
        for i = 1, #images do
            local sum
            for r = 0, count do
                local term = basis:at(r + 1, 1) * images[i]
                term = replace(term, m, lab.rat(r + step))
                sum = sum and sum + term or term
            end
            local ball = lab.enclose(simplify(sum))
            if ball.lower > 0 or ball.upper < 0 then
                return ("a relation of the vectors at 0 to %d, exactly 0 there, gives %s in column %d after a step of %d"):format(
                    count, number(ball), i, step)
            end
        end
    end
end

local function shift_linear(subject)
    if not subject.vector_kind then return undefined(NO_VECTOR) end
    if subject.acts and subject.kind:match("^rotation") then
        -- R_(m+k) R_0 = R_m R_k, entry by entry: the step is R_k / R_0
        local R, because = {}, {}
        for i = 1, D do
            R[i] = {}
            for h, f in ipairs(subject:images("q", unit(i))) do R[i][h] = abstract(f, subject.constants) end
        end
        for i = 1, D do
            for l = 1, D do
                local left, right
                for h = 1, D do
                    local a = shift(R[h][i], m, k) * replace(R[l][h], m, lab.rat(0))
                    local b = R[h][i] * replace(R[l][h], m, k)
                    left, right = left and left + a or a, right and right + b or b
                end
                local v = lab.prove(simplify(left), simplify(right))
                if v.strength ~= "proved" then return unknown("R_(m+k) R_0 = R_m R_k was not decided: " .. (v.reason or v.strength)) end
                because[#because + 1] = v
            end
        end
        for i = 1, D do -- R_0 has an inverse: it is a multiple of the identity
            for h = 1, D do
                local e = simplify(replace(R[i][h], m, lab.rat(0)))
                e = concrete(e, subject.constants)
                if not (h == i and shown(because, lab.gt(e, 0)) or h ~= i and shown(because, e, lab.rat(0))) then
                    return unknown("R_0 is no multiple of the identity")
                end
            end
        end
        return follows(because, "for all m and k: R_(m+k) R_0 = R_m R_k")
    end
    if not subject.acts then
        local because = follows_linear_ode(subject:images("q"), subject.constants)
        if because then return follows(because, "for all m and k: P' = A P, so P(m+k) = exp(kA) P(m)") end
    end
    local witness = broken_relation(subject, "q")
    if witness then return refuted(witness, "exact null space, then balls") end
    return unknown("neither the formula nor numbers decide")
end

-- ---- Toeplitz ----------------------------------------------------------------------------------------------------------

local function toeplitz(subject, done)
    if done.relative.strength == "proved" then return follows({done.relative}, "for all m and n, at equal content", "follows from relative") end
    local witness = moved(subject, q_mixed, q_mixed)
    if witness then return refuted(witness, subject:score() and BALLS or "the function; far beyond rounding") end
    if subject:score() then return unknown("neither the formula nor numbers decide") end
    local S = subject:constant_scores(T, q_mixed, q_mixed)
    S = lab.where(lab.causal_mask(T), S, 0)
    local _, spread = lab.relativity_deviation(S, {causal = true})
    return lab.measure{claim = "at equal content every diagonal has one value (keys up to the query)", value = spread, bound = noise(S),
        why = "rounding of sums of T d products"}
end

local places = read_places(lab, shapes, subject_of, try, {follows = follows, refuted = refuted, unknown = unknown, shown = shown, number = number,
    noise = noise, settled_from = settled_from, spanned = spanned, seen = seen, BALLS = BALLS})

-- ---- the laws, in the order in which they are asked --------------------------------------------------------------------

local laws = {
    {key = "relative", head = "rel", name = "relative", ask = relative, what = "a score depends on q, k and m - n only"},
    {key = "even", head = "even", name = "even", ask = even, what = "... on |m - n| only"},
    {key = "direction_aware", head = "dir", ask = direction_aware,
        what = "keys before and after a query score differently"},
    {key = "bounded", head = "bnd", name = "bounded", ask = bounded, what = "its numbers stay in one interval at every position"},
    {key = "decaying", head = "dec", name = "decaying", ask = decaying, what = "at equal content no score grows with |m - n|"},
    {key = "norm_keeping", head = "norm", name = "norm-keeping", ask = norm_keeping,
        what = "vectors keep their length, or all have one"},
    {key = "shift_linear", head = "lin", name = "shift-linear", ask = shift_linear,
        what = "a step of k is one linear map, wherever it starts"},
    {key = "toeplitz", head = "toep", ask = toeplitz, what = "at equal content the diagonals of the scores are constant"},
    {key = "injective", head = "inj", ask = places.injective, what = "positions (in scores: distances back) below N are told apart"},
    {key = "extrapolates", head = "ext", ask = places.extrapolates, what = "positions N to 2N-1 bring no new phase or value"},
    {key = "parameters", head = "par", ask = places.parameters, what = "how many numbers are learned"},
}

-- Every law's verdict on a subject, by key; and the claims that it does not bear out.
local function judge(subject, N)
    local done, broken = {}, {}
    for _, law in ipairs(laws) do
        local v = law.ask(subject, done, N)
        done[law.key] = v
        if law.name and subject.claims[law.name] and not v.holds then broken[#broken + 1] = law.key end
    end
    try_on_function(subject, done, laws)
    return done, broken
end

return {list = laws, subjects = subject_of.list, judge = judge, T = T, d = D, H = H}
