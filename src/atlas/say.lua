-- How the laws say what they found: verdicts that follow from proofs, refutations with numbers, open questions. Of what holds the prover
-- alone says how strongly; C writes it down (lua/atlas.c).
local lab, subject_of, verdicts = require "phasor", require "phasor.atlas.subject", require "phasor.verdicts"
local open, ends, at = verdicts.open, verdicts.ends, subject_of.at

-- follows(because, conditions [, method]): what verdicts that hold amount to, whose statement is made of theirs; refuted(witness, method).
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

local function number(b) return type(b) == "number" and ("%.8g"):format(b) or b:digits(8) end

-- "score(3, 1) = 0.5, score(4, 2) = 0.25" when these differ for certain (the second greater when `rises`); else nil.
local function apart(f, m1, n1, m2, n2, rises)
    local a, b = at(f, m1, n1), at(f, m2, n2)
    if not (b.lower > a.upper or not rises and a.lower > b.upper) then return nil end
    return ("score(%d, %d) = %s, score(%d, %d) = %s"):format(m1, n1, number(a), m2, n2, number(b))
end

return {
    follows = verdicts.follows, refuted = verdicts.refuted, undefined = undefined, unknown = unknown, shown = shown, held_between = held_between,
    number = number, apart = apart, BALLS = BALLS,
}
