-- about.lua: what a verdict is about, for people: the sentence that was said of it, its statement in TeX; and what became of mutants, in words.
local M = {}

-- What is said of a verdict as a sentence, in one language: `words` (a text, or one for each language), else the verdict's caption; of a
-- measurement, in English, its claim. nil: nothing is.
function M.caption(v, words, lang)
    local own = words or v.caption
    if type(own) == "table" then own = own[lang] end
    return own or lang == "en" and v.why and v.statement or nil
end

M.LONG_TEX = 400 -- bytes of TeX; what is longer nobody reads beside a verdict that is told in words

local TALL = 4 -- formulas of one statement
local LONGEST = 2000 -- bytes of TeX that are set

-- Are these words the statement itself, said otherwise in the other language? Then it is a sentence, even where it could be read as a formula: "to ≈ 3".
local function is_sentence(words, statement)
    return type(words) == "table" and words.en == statement and words.zh ~= statement
end

-- The TeX of what a verdict is about: as it is printed where that reads as a formula, else from its formulas. A list, maybe empty. words: what is
-- said of it, as for M.caption.
function M.formulas(v, words)
    local sentence = is_sentence(words or v.caption, v.statement)
    local printed = v.statement and not sentence and require("phasor.document.formula").tex(v.statement)
    if printed then return {printed} end
    local out, bytes = {}, 0
    for i, f in ipairs(v.formulas) do
        local ok, tex = pcall(f.latex, f)
        bytes = bytes + (ok and #tex or LONGEST)
        if i > TALL or bytes > LONGEST then return {} end
        out[i] = tex
    end
    return out
end

-- Is it a verdict, or one under a statement of its own (the course's named, fails and figure)?
function M.is_verdict(v)
    local meta = debug.getmetatable(v)
    return type(meta) == "table" and (meta.__name == "Verdict" or meta.__name == "Entry")
end

-- Is it what mutants() reports?
function M.is_mutants(t)
    return type(t) == "table" and math.type(rawget(t, "total")) == "integer" and math.type(rawget(t, "undecided")) == "integer"
end

local said = {
    en = {one = "1 mutant: %d refuted, %d equivalent", all = "%d mutants: %d refuted, %d equivalent", undecided = ", %d undecided"},
    zh = {all = "%d 个变异体：驳倒 %d 个，等价 %d 个", undecided = "，未定 %d 个"},
}

-- "37 mutants: 35 refuted, 2 equivalent"; more: what stands before those that are undecided.
function M.mutants(m, lang, more)
    local w = said[lang]
    local text = m.total == 1 and w.one and w.one:format(m.refuted, m.equivalent) or w.all:format(m.total, m.refuted, m.equivalent)
    return text .. (more or "") .. (m.undecided > 0 and w.undecided:format(m.undecided) or "")
end

return M
