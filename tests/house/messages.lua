-- messages.lua FILE...: the errors that the tests in these files expect, told in Chinese. Prints how many are wholly Chinese, and what is not:
-- "english: MESSAGE" (with nothing but the Chinese line of the function behind it) and "half: what is told".
-- An expected error is a text that begins with "error: t:1: ". One that ends in a blank is a beginning only, of which nothing is known.
local told = require "phasor.lib.faults".told

-- Each text in a file that begins so, to the end of its first line, with the strings of C that adjoin it.
local function expected(path, seen)
    local f <close> = assert(io.open(path, "rb"))
    local source = f:read("a"):gsub("\\(.)", function(c) return ("\1%d\2"):format(c:byte()) end)
    for at in source:gmatch '()"error: t:1: ' do
        local text = ""
        repeat
            local more, after = source:match('^%s*"([^"\n]*)"()', at)
            text, at = text .. (more or ""), after
        until not more
        text = text:gsub("\1" .. ("n"):byte() .. "\2.*$", ""):gsub("\1(%d+)\2", function(b) return string.char(tonumber(b)) end)
        seen[text:sub(#"error: t:1: " + 1)] = true
    end
end

local small = {}
for word in ("an the is are of or and to for with by has have no not its it as in on wanted"):gmatch "%a+" do small[word] = true end

-- Is there English in it, outside quotes, braces and code? Two words that follow each other, or one that is in every sentence.
local function english(text)
    local bare = text:gsub('"[^"]*"', ""):gsub("'[^']*'", ""):gsub("%b{}", ""):gsub("[%w_.:]+%b()", "")
    if bare:find "%f[%a]%l%l+ %l%l+%f[%A]" then return true end
    for word in bare:gmatch "%f[%w_]%l+%f[^%w_]" do
        if small[word] then return true end
    end
    return false
end

local seen, list, whole = {}, {}, 0
for _, path in ipairs(arg) do expected(path, seen) end
for text in pairs(seen) do
    if text ~= "" and not text:find " $" then list[#list + 1] = text end
end
table.sort(list)
for _, text in ipairs(list) do
    local said = told(text)
    local rest = said:sub(1, #text) == text and said:sub(#text + 1)
    if rest and (rest == "" or rest:find "^（.*）$" and not english(rest)) then print("english: " .. text)
    elseif english(said) or not said:find "[\xE4-\xE9][\x80-\xBF][\x80-\xBF]" then print("half: " .. said)
    else whole = whole + 1 end
end
print("whole: " .. whole)
