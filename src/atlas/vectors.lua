-- The laws of vectors: whether they keep their length, whether a step is one linear map.
local lab, subject_of, shapes = require "phasor", require "phasor.atlas.subject", require "phasor.atlas.asymptotics"
local say, try = require "phasor.atlas.say", require "phasor.verdicts".try
local follows, refuted, undefined, unknown, shown = say.follows, say.refuted, say.undefined, say.unknown, say.shown
local BALLS = say.BALLS
local q_mixed, rows, unit, fractions, exact = subject_of.q_mixed, subject_of.rows, subject_of.unit, subject_of.fractions, subject_of.exact
local at, norm_square, T, D = subject_of.at, subject_of.norm_square, subject_of.T, subject_of.d
local each, is_constant, is_zero, simplify = shapes.each, shapes.is_constant, shapes.is_zero, shapes.simplify
local replace, shift, abstract, concrete = shapes.replace, shapes.shift, shapes.abstract, shapes.concrete

local m, c, k = lab.sym "m c k"

local function norm_keeping(subject)
    if not subject.vector_kind then return undefined "no_vector" end
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
                    return refuted({"lengths", value = a, value2 = b, m = place}, BALLS)
                end
            end
            return unknown "undecided"
        end
        because[#because + 1] = v
    end
    return follows(because, subject.acts and "every_vector" or "all_positions")
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
                return {"relation", last = count, value = ball, column = i, step = step}
            end
        end
    end
end

local function shift_linear(subject)
    if not subject.vector_kind then return undefined "no_vector" end
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
                if v.strength ~= "proved" then return unknown{"not_composed", row = i, column = l} end
                because[#because + 1] = v
            end
        end
        for i = 1, D do -- R_0 has an inverse: it is a multiple of the identity
            for h = 1, D do
                local e = simplify(replace(R[i][h], m, lab.rat(0)))
                e = concrete(e, subject.constants)
                if not (h == i and shown(because, lab.gt(e, 0)) or h ~= i and shown(because, e, lab.rat(0))) then
                    return unknown "no_multiple"
                end
            end
        end
        return follows(because, "composed")
    end
    if not subject.acts then
        local because = follows_linear_ode(subject:images("q"), subject.constants)
        if because then return follows(because, "generated") end
    end
    local witness = broken_relation(subject, "q")
    if witness then return refuted(witness, "exact null space, then balls") end
    return unknown "undecided"
end

return {norm_keeping = norm_keeping, shift_linear = shift_linear}
