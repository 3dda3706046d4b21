-- faults.lua: what is said of an error, in Chinese. A message is "WHO: SENTENCE; more; more", where WHO may go on ("rope: scaling "pi":").
-- Each sentence is made from phrases (fault_phrases.lua) by a row of fault_sentences.lua or fault_sentences_more.lua. A message of which
-- one sentence has no Chinese stays English as a whole, with the Chinese line of the function that said it (chinese.lua): none is half.
--
-- A row is a pattern and its Chinese. In the pattern @ is any text, s? an s or none, %? and %% these signs, all else stands for itself. In the
-- Chinese %1 is the first @ as it stands (a name, a value, code), %s1 what was seen there, %w1 what was wanted, %p1 a phrase for a part of
-- the call. Where one of these has no Chinese the row does not count, and the next is tried.
local chinese, hints = require "phasor.lib.chinese", require "phasor.lib.hints_chinese"
local M = {}

-- ---- rows --------------------------------------------------------------------------------------------------------------

-- The texts between the @ of a row, for each way to read what may be left out.
local function ways_of(row, out)
    local before, after = row:match "^(.-)%w%?(.*)$"
    if before then
        ways_of(before .. after, out)
        return ways_of(row:gsub("(%w)%?", "%1", 1), out)
    end
    local texts = {}
    for text in (row:gsub("%%(.)", "%1") .. "@"):gmatch "(.-)@" do texts[#texts + 1] = text end
    out[#out + 1] = texts
    return out
end

-- The rows of lists, in their order: those without @ by their text, the others by the texts between.
local function ready(...)
    local exact, patterns = {}, {}
    for _, list in ipairs {...} do
        for _, row in ipairs(list) do
            for _, texts in ipairs(ways_of(row[1], {})) do
                if #texts == 1 then exact[texts[1]] = row[2] else patterns[#patterns + 1] = {texts, row[2]} end
            end
        end
    end
    return {exact = exact, patterns = patterns}
end

-- What stands for the @ between `texts`: each as short as it can be, the last to the end. In time that grows with the text only.
local function captured(texts, text)
    if text:sub(1, #texts[1]) ~= texts[1] then return nil end
    local out, at, tail = {}, #texts[1] + 1, texts[#texts]
    for k = 2, #texts - 1 do
        local first, last = text:find(texts[k], at, true)
        if not first then return nil end
        out[k - 1], at = text:sub(at, first - 1), last + 1
    end
    local stop = #text - #tail
    if stop + 1 < at or text:sub(stop + 1) ~= tail then return nil end
    out[#texts - 1] = text:sub(at, stop)
    return out
end

local small = {} -- words that stand in no name, value or code
for word in ([[a an the is are of in on by no as at with its it from that than has have to for and or not what one two this there nothing
    neither none each all]]):gmatch "%a+" do small[word] = true end

-- Is a text a name, a value or code, which stays as it is? Not where English words stand in it outside quotes and brackets.
local function literal(text)
    local bare = text:gsub('"[^"]*"', '""'):gsub("'[^']*'", "''"):gsub("%b{}", "{}")
    bare = bare:gsub('(%a+) ""', function(name) return not small[name] and '""' or nil end) -- search "matrix"
    if bare:find ": " or bare:find ":$" or bare:find "%f[%w']%a%l+ %a%l+%f[^%w_]" then return false end
    if not bare:find " " then return true end
    local listed = false -- does the word follow a comma?
    for word in bare:gmatch "[^%s]+" do
        if small[word] or word:find "^%l%l%l%l+$" and not listed then return false end
        listed = word:find ",$"
    end
    return true
end

local plain = {["nil"] = true, ["true"] = true, ["false"] = true, nan = true, inf = true, bool = true}
local function value(text) return text ~= "" and literal(text) and (plain[text] or not text:find "^%-?%l%l%l+$") end

local filled

-- What the rows make of a text; nil where there is none.
local function by(rows, text)
    if rows.exact[text] then return rows.exact[text] end
    for _, row in ipairs(rows.patterns) do
        local captures = captured(row[1], text)
        local out = captures and filled(row[2], captures)
        if out then return out end
    end
end

-- ---- phrases -----------------------------------------------------------------------------------------------------------

local kinds, parts, seens, wants, sentences, heads

-- Read when the first error is told: most who load this file tell none.
local function read_rows()
    local phrases = require "phasor.lib.fault_phrases"
    kinds, parts, seens, heads = phrases.kinds, ready(phrases.parts), ready(phrases.seen), ready(phrases.heads)
    wants = ready(phrases.wanted, require "phasor.lib.fault_encodings")
    sentences = ready(require "phasor.lib.fault_sentences", require "phasor.lib.fault_sentences_more", phrases.last)
end

-- What a value is: the string "x", an array of shape (2, 3). nil of words that have no Chinese.
local function seen(text)
    return kinds[text] or kinds[text:gsub("^an? ", "")] or by(seens, text) or value(text) and text or nil
end

local pointing = {nothing = true, neither = true, this = true, that = true, it = true, there = true, what = true} -- no names

-- A part of the call, or the name of an argument.
local function part(text)
    local said = by(parts, text)
    if said or text == "" or pointing[text] or text:find " " then return said end
    return literal(text) and text or nil
end

local wanted
local left = 0 -- how many times more a text may be cut in this message: what is in no phrase could be cut without end

-- A text whose quotes and brackets show no blanks, so that it is cut outside them; and as it was.
local function veil(text)
    local function hide(inside) return (inside:gsub(" ", "\1")) end
    return (text:gsub('"[^"]*"', hide):gsub("%b()", hide):gsub("%b{}", hide))
end
local function bare(text) return (text:gsub("\1", " ")) end

-- A text cut at the first `mark` that leaves both sides with their Chinese.
local function cut(text, mark, between)
    local veiled, from = veil(text), 1
    while true do
        local first, last = veiled:find(mark, from, true)
        if not first then return nil end
        local a = wanted(text:sub(1, first - 1))
        local b = a and wanted(text:sub(last + 1))
        if b then return a .. between .. b end
        from = last + 1
    end
end

-- A, B or C, each in Chinese.
local function listed(text)
    local before, last = veil(text):match "^(.+, .-),? or (.-)$"
    if not before then return nil end
    local out = {}
    for item in (before .. ", "):gmatch "(.-), " do
        out[#out + 1] = wanted(bare(item))
        if not out[#out] then return nil end
    end
    last = wanted(bare(last))
    return last and table.concat(out, "、") .. "或" .. last
end

-- What was wanted; nil where there is no Chinese for it.
function wanted(text)
    local said = by(wants, text)
    if said then return said end
    left = left - 1
    if left < 0 then return nil end
    if value(text) then return text:find "^[%w_\"., ]+$" and text:gsub(", ", "、") or text end
    for _, how in ipairs {", as in ", ", such as ", " such as "} do
        local base, example = text:match("^(.-)" .. how .. "(.+)$")
        local out = base and literal(example) and wanted(base)
        if out then return out .. "，例如 " .. example end
    end
    said = cut(text, ": ", "：") or listed(text) or cut(text, ", or ", "，或") or cut(text, " or ", "或") or cut(text, ", ", "，")
    if said then return said end
    local base, more = text:match "^(.-) (%b())$"
    local a, b = base and wanted(base), more and wanted(more:sub(2, -2))
    return a and b and a .. "（" .. b .. "）" or nil
end

-- ---- sentences ---------------------------------------------------------------------------------------------------------

local ways = {s = seen, p = part, w = wanted, [""] = function(text) return literal(text) and text end}

function filled(template, captures)
    local fine = true
    local out = template:gsub("%%([spw]?)(%d)", function(how, k)
        local text = ways[how](captures[tonumber(k)] or "")
        fine = fine and text
        return text or ""
    end)
    -- A blank between Chinese and what is not, none elsewhere.
    out = out:gsub("([\xE4-\xE9][\x80-\xBF][\x80-\xBF])([%w_\"'({[.#<-])", "%1 %2"):gsub("([%w_\"')}%]>])([\xE4-\xE9][\x80-\xBF][\x80-\xBF])", "%1 %2")
    return fine and (out:gsub("的一个数", "的数"):gsub("的有限的数", "的有限数")) or nil
end

-- A number that was wanted behind a number of things counts them too: 1 argument given; wanted 2.
local function sentence(text, before)
    local asked, call = text:match "^(.-), as in ([%w_]+%b())$"
    local count = (asked or text):match "^wanted (%d+)$" or (asked or text):match "^wanted (%d+ to %d+)$"
    local counts = before and (before:find " given$" or before:find " has %S+ %l+$" or before:find "^%d+ ")
    if count and counts then return "应为 " .. count:gsub(" to ", " 到 ") .. " 个" .. (call and "，例如 " .. call or "") end
    return hints[text] or by(sentences, text)
end

-- Every sentence in Chinese, or nil.
local function whole(text)
    local out, before = {}, nil
    for veiled in (veil(text) .. "; "):gmatch "(.-); " do
        local piece = bare(veiled)
        local said = sentence(piece, before)
        if not said then return nil end
        out[#out + 1], before = said, piece
    end
    return table.concat(out, "；")
end

local HEADS, LONGEST = 6, 3000 -- those who speak, bytes of a message: more is a text of somebody else's, which stays as it is

-- The same of what begins with the names of those who speak.
local function spoken(text, heads_left)
    local said = whole(text)
    if said or heads_left == 0 then return said end
    local head, rest = text:match "^(.-): (.*)$"
    local who = head and (by(heads, head) or not head:find " " and literal(head) and head)
    said = who and spoken(rest, heads_left - 1)
    return said and who .. "：" .. said
end

-- The message in Chinese.
function M.told(message)
    left = 1000
    if not sentences then read_rows() end
    local said = message ~= "" and #message <= LONGEST and spoken(message, HEADS)
    if said then return said end
    local who = message:match "^([%a_][%w_.:]*): "
    local line = who and chinese.names[who]
    return line and ("%s（%s：%s）"):format(message, who, (line:gsub("。$", ""))) or message
end

-- The same with "FILE:LINE: " in front of it, which stays.
function M.placed(message)
    local place, rest = message:match "^([^\n]-:%d+: )(.*)$"
    return (place or "") .. M.told(rest or message)
end

return M
