-- Ranked search by words over texts of several kinds: help, lessons, glossary.
--
-- An entry is {title = how it is called, text = all that is said of it, line = what a list shows behind the title, names = whole titles}.
local tools = require "phasor.tools"

local M = {}

local NAMED = 1000
local TITLE, WHOLE, BEGINS, PART = 8, 4, 2, 1 -- a word in a title counts as much as TITLE in a text; a whole word as WHOLE parts

-- What other programs call things.
local SAME = {float16 = "f16", fp16 = "f16", bfloat16 = "bf16", float32 = "f32", float64 = "f64", double = "f64", dtype = "f32",
              convert = "layout", neox = "half", gptj = "interleaved", checkpoint = "safetensors", multiplication = "matmul"}

-- Words of a query: rope_scaling and config.json are two each. Of a long word its beginning is looked for: positional finds position.
local function words_of(query)
    local out = {}
    for word in query:lower():gmatch("[%w\128-\255]+") do
        word = SAME[word] or word
        out[#out + 1] = word:find("^%a+$") and word:sub(1, math.max(5, #word - 3)) or word
    end
    return out
end

local function weight(text, word)
    local from, best = 1, 0
    while true do
        local a, b = text:find(word, from, true)
        if not a then return best end
        local before, after = text:sub(a - 1, a - 1):find("^[%w]$"), text:sub(b + 1, b + 1):find("^[%w]$")
        if not before or a == 1 then
            best = math.max(best, after and BEGINS or WHOLE)
        else
            best = math.max(best, PART)
        end
        from = b + 1
    end
end

local function prepare(entries)
    for _, e in ipairs(entries) do
        e.low_title, e.low_text = e.low_title or e.title:lower(), e.low_text or e.text:lower()
    end
end

local function score(entry, words, query)
    local total, matched = 0, 0
    for _, word in ipairs(words) do
        local w = TITLE * weight(entry.low_title, word) + weight(entry.low_text, word)
        if w > 0 then matched = matched + 1 end
        total = total + w
    end
    if entry.low_title:find(query, 1, true) or entry.low_text:find(query, 1, true) then total = total + TITLE end
    for _, name in ipairs(entry.names or {}) do
        if name:lower() == query then total = total + NAMED end -- what is called just that comes first
    end
    return total, matched
end

-- The word of all texts that was probably meant.
local function mended(word, entries)
    local seen = {}
    for _, e in ipairs(entries) do
        for other in e.low_title:gmatch("[%w\128-\255]+") do seen[other] = true end
    end
    return tools.nearest(word, seen)
end

local function ranked(words, query, entries)
    local out = {}
    for order, e in ipairs(entries) do
        local total, matched = score(e, words, query)
        if total > 0 then out[#out + 1] = {entry = e, total = total, matched = matched, order = order} end
    end
    table.sort(out, function(a, b)
        if a.matched ~= b.matched then return a.matched > b.matched end
        if a.total ~= b.total then return a.total > b.total end
        return a.order < b.order
    end)
    return out
end

-- The entries that fit, best first: those with most of the words. Where no word is found, the nearest words are
-- looked for instead; those come second.
function M.rank(query, entries)
    local words = words_of(query)
    prepare(entries)
    local found, instead = ranked(words, query:lower(), entries), nil
    if #found == 0 then
        instead = {}
        local i = 0
        for word in query:lower():gmatch("[%w\128-\255]+") do
            i = i + 1
            instead[i] = mended(word, entries) or word
        end
        found = ranked(instead, table.concat(instead, " "), entries)
        instead = #found > 0 and table.concat(instead, " ") or nil
    end
    local out = {}
    for i, f in ipairs(found) do out[i] = f.entry end
    return out, instead
end

return M
