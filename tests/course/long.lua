-- long.lua: names the texts of a lesson whose reading takes the square of their length. Each is made once with 40 KB and once with 160 KB: four times
-- the time is fine, sixteen times is not, nor are three seconds.
local parse, spoken, fold = require 'phasor.course.parse', require 'phasor.course.spoken', require 'phasor.course.fold'
local prose, trim = require 'phasor.document.prose', require 'phasor.document.trim'

local function lesson(code) return parse.parse('-- %% ref="a"\n' .. code .. '\n', 'l.lua') end
local function page(text) return prose.render(text, 76) end
local function line(code) return prose.pieces(code, 76) end
local function both(code) return spoken.reading(code, 'zh'), spoken.code(code, 'en') end
local function variant(code) return spoken.variant(code, 2) end

local texts = {
    {'a line of code without a blank', line, function(n) return ('x'):rep(n) end},
    {'a line of code with blanks', line, function(n) return ('a '):rep(n // 2) end},
    {'blanks in a line of code', line, function(n) return 'x' .. (' '):rep(n) .. 'y' end},
    {'blanks in a line of a cell', lesson, function(n) return 'x' .. (' '):rep(n) .. 'y' end},
    {'empty lines in a cell', trim.right, function(n) return 'x' .. ('\n'):rep(n) .. 'y' end},
    {'blanks alone', trim.both, function(n) return (' '):rep(n) end},
    {'blanks in an aside', page, function(n) return '> ' .. (' '):rep(n) .. 'x' end},
    {'lines of a paragraph', page, function(n) return ('a\n'):rep(n // 2) end},
    {'tables of texts, open', both, function(n) return ('{en='):rep(n // 4) end},
    {'tables of texts, nested', both, function(n) return ('{en='):rep(n // 5) .. ('}'):rep(n // 5) end},
    {'a text without end', both, function(n) return '"' .. ('\\"'):rep(n // 2) end},
    {'variants, open', variant, function(n) return ('({'):rep(n // 2) end},
}
local function seconds(read, text)
    local began = os.clock()
    read(text)
    return os.clock() - began
end
for _, t in ipairs(texts) do
    local name, read, make = table.unpack(t)
    local once, more = seconds(read, make(40000)), seconds(read, make(160000))
    if more > 3 or more > .5 and more > 9 * once then print(('%s: %.2f s, then %.2f s'):format(name, once, more)) end
end
-- the same answers as ever
assert(trim.both ' \t a b \n' == 'a b' and trim.both '' == '' and trim.both '  ' == '' and trim.right ' a ' == ' a')
assert(spoken.reading('named({en = "a", zh = "b"}, says{en = "c(", zh = "d"})', 'zh') == 'named("b", "d")')
assert(spoken.variant('n = ({1, {2, 3}, "},"})[variant]', 3) == 'n = "},"')
assert(table.concat(prose.pieces('x = f(1, 2) -- a word', 12), '|') == 'x = f(1, 2)|    -- a|    word')
