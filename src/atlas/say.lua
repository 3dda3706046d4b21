-- How the laws say what they found: verdicts that follow from proofs, refutations with numbers, open questions. Of what holds the prover
-- alone says how strongly; C writes it down (lua/atlas.c), as data: which phrases, and what stands in their gaps.
local lab, subject_of, verdicts = require "phasor", require "phasor.atlas.subject", require "phasor.verdicts"
local phrases = require "phasor.atlas.phrases"
local open, ends, at = verdicts.open, verdicts.ends, subject_of.at

local function number(b) return type(b) == "number" and ("%.8g"):format(b) or b:digits(8) end

-- A finding is a phrase's name, or a table of names (false ones are left out) with the values of the gaps: {"positions", last = 7}.
-- What it says: the forms of the phrases in both languages and the gaps' values as texts, in order; and what it needs, as statements.
local function said(finding)
    if type(finding) == "string" then finding = {finding} end
    local en, zh, out, needs, filled = {}, {}, {}, {}, {}
    for i = 1, #finding do
        local phrase = finding[i] and (phrases[finding[i]] or error("atlas: no phrase '" .. finding[i] .. "'"))
        if phrase then
            en[#en + 1], zh[#zh + 1] = phrase.en, phrase.zh
            for name in phrase.en:gmatch "{([%w_]+)}" do
                local value = finding[name]
                if value == nil then error(("atlas: %s: nothing for its gap '%s'"):format(finding[i], name)) end
                if type(value) ~= "string" then value = math.type(value) == "integer" and tostring(value) or number(value) end
                if not filled[name] then out[#out + 1] = {name, value} end
                filled[name] = true
            end
            for _, s in ipairs(phrase.needs and phrase.needs(finding) or {}) do needs[#needs + 1] = s end
        end
    end
    out.en, out.zh = table.concat(en, ", "), table.concat(zh, "，")
    return out, needs
end

-- What verdicts that hold amount to, whose statement is made of theirs.
local function follows(because, finding, method)
    local told, needs = said(finding)
    return verdicts.follows(because, told, needs, method)
end
-- witness: a finding, or a verdict whose witness it is.
local function refuted(witness, method) return verdicts.refuted(type(witness) == "userdata" and witness or said(witness), method) end
local function undefined(why) return open("undefined", (said(why))) end
local function unknown(why) return open("unknown", (said(why))) end

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

-- The finding that score(m, n) is a and score(m2, n2) is b.
local function two_scores(m, n, a, m2, n2, b) return {"two_scores", m = m, n = n, score = a, m2 = m2, n2 = n2, score2 = b} end

-- That, when these differ for certain (the second greater when `rises`); else nil.
local function apart(f, m1, n1, m2, n2, rises)
    local a, b = at(f, m1, n1), at(f, m2, n2)
    if not (b.lower > a.upper or not rises and a.lower > b.upper) then return nil end
    return two_scores(m1, n1, a, m2, n2, b)
end

return {
    follows = follows, refuted = refuted, undefined = undefined, unknown = unknown, shown = shown, held_between = held_between,
    number = number, two_scores = two_scores, apart = apart, BALLS = BALLS,
}
