-- What models are trained on: streams of characters or words from a file, and tasks that are made. Tokens are whole numbers from 1.
--
-- A source of data is a table {name, vocab, batch(g, B, T) -> batch, held (another source, for testing; or nil)}. A batch is
-- {inputs (B, T), targets (one for each row that counts), rows (which rows of (B T) count; nil: all), count}. What is drawn comes from the
-- generator that is passed in, and from nothing else.
local lab, tools = require "phasor", require "phasor.tools"
local values, option_words = require "phasor.lib.values", require "phasor.lib.option_words"
local raise, seen = tools.raise, tools.seen
local check_int = require("phasor.lib.attention").check_int

local M = {}

local UNITS = option_words.declare("unit", {"characters", "words"}, "corpus")

-- ---- batches -------------------------------------------------------------------------------------------------------------

-- A batch of B sequences all of whose targets count.
local function whole_batch(B, T, draw)
    local inputs, targets = {}, {}
    for b = 0, B - 1 do
        local x, y = draw()
        table.move(x, 1, T, b * T + 1, inputs)
        table.move(y, 1, T, b * T + 1, targets)
    end
    return {inputs = lab.reshape(lab.array(inputs), B, T), targets = lab.array(targets), count = B * T}
end

-- A batch of B sequences; draw() gives inputs and targets, two lists of T, with 0 where a target does not count.
local function batch_of(B, T, draw)
    local inputs, targets, rows, n = {}, {}, {}, 0
    for b = 0, B - 1 do
        local x, y = draw()
        for t = 1, T do
            inputs[b * T + t] = x[t]
            if y[t] ~= 0 then
                n = n + 1
                targets[n], rows[n] = y[t], b * T + t
            end
        end
    end
    return {inputs = lab.reshape(lab.array(inputs), B, T), targets = lab.array(targets), rows = n < B * T and lab.array(rows) or nil, count = n}
end

local MOST = 2^24 -- tokens of a batch: they are drawn one by one

local function check_batch(who, g, B, T)
    if type(g) ~= "userdata" then
        raise(("%s: g is %s; wanted a generator, rng(seed)"):format(who, seen(g)))
    end
    B, T = check_int(who, "B", B, 1), check_int(who, "T", T, 1)
    if B * T > MOST then raise(("%s: a batch of %d by %d tokens; wanted at most %d"):format(who, B, T, MOST)) end
    return B, T
end

-- ---- streams ---------------------------------------------------------------------------------------------------------------

local ROOM = 16 * 1024 * 1024 -- bytes of text

-- The prose that travels with the program.
local function shipped()
    local at = "lessons/experiments/prose.txt"
    for _, f in ipairs(require "phasor.embedded"(at)) do if f.path == at then return f.text end end
    raise("corpus: this program came without its prose; wanted {file=PATH}")
end

local function contents(who, path)
    if type(path) ~= "string" then raise(("%s: the file is %s; wanted a path"):format(who, seen(path))) end
    local text, fault = tools.contents(path, ROOM)
    if not text then raise(("%s: %s"):format(who, fault)) end
    if text == "" then raise(("%s: %s is empty"):format(who, path)) end
    return text
end

local function characters_of(text)
    local out = {}
    if utf8.len(text) then for c in text:gmatch(utf8.charpattern) do out[#out + 1] = c end
    else for c in text:gmatch "." do out[#out + 1] = c end end
    return out
end

local function words_of(text)
    local out = {}
    for w in text:gmatch "%S+" do
        local head, word, tail = w:match "^(%p*)(.-)(%p*)$"
        for _, piece in ipairs{head, word, tail} do if piece ~= "" then out[#out + 1] = piece end end
    end
    return out
end

-- The `most` most frequent pieces, of equals the first in order; the others are one token, the last.
local function vocabulary(pieces, most)
    local count, list = {}, {}
    for _, p in ipairs(pieces) do
        if not count[p] then list[#list + 1] = p end
        count[p] = (count[p] or 0) + 1
    end
    table.sort(list, function(a, b) return count[a] > count[b] or count[a] == count[b] and a < b end)
    local id, rest = {}, most and #list > most
    for k = 1, rest and most or #list do id[list[k]] = k end
    for k = rest and most + 1 or #list + 1, #list do
        id[list[k]], list[k] = most + 1, nil
    end
    if rest then list[most + 1] = "<other>" end
    return id, list
end

local function window(ids, first, last, g, n)
    local from = first + g:below(last - first + 2 - n)
    return table.move(ids, from, from + n - 1, 1, {})
end

-- Targets of a causal stream: the token that comes next.
local function next_tokens(ids, first, last)
    return function(g, T)
        local piece = window(ids, first, last, g, T + 1)
        local y = table.move(piece, 2, T + 1, 1, {})
        piece[T + 1] = nil
        return piece, y
    end
end

-- Targets of a masked stream: a share of the tokens is hidden, 8 of 10 behind the mask, one behind any token, one as it is (BERT).
local function hidden_tokens(ids, first, last, vocab, share)
    return function(g, T)
        local x, y = window(ids, first, last, g, T), {}
        for t = 1, T do
            y[t] = 0
            if lab.rand(g) < share then
                y[t] = x[t]
                local how = lab.rand(g)
                if how < 0.8 then x[t] = vocab elseif how < 0.9 then x[t] = 1 + g:below(vocab - 1) end
            end
        end
        if lab.sum(lab.array(y)) == 0 then y[1], x[1] = x[1], vocab end -- a batch without a target has no loss
        return x, y
    end
end

local function part(name, vocab, list, ids, first, last, draw_of)
    local source = {name = name, vocab = vocab, tokens = list, size = last - first + 1}
    local draw, make = draw_of(ids, first, last), draw_of == next_tokens and whole_batch or batch_of
    function source.batch(g, B, T)
        B, T = check_batch(name, g, B, T)
        if T + 1 > source.size then raise(("%s: T is %d, and the text has %d tokens"):format(name, T, source.size)) end
        return make(B, T, function() return draw(g, T) end)
    end
    return source
end

-- corpus{file=, unit=, ...}: a stream with its last tenth held out.
function M.corpus(given)
    local who = "corpus"
    if type(given) == "string" then given = {file = given} end
    local o = tools.check_options(who, given, {"file", "text", "unit", "most", "hold", "mask"})
    if o.unit ~= nil then option_words.check(who, "unit", o.unit, UNITS) end
    local text = o.text or o.file ~= nil and contents(who, o.file) or o.text == nil and shipped()
    if type(text) ~= "string" then raise(("%s: text is %s; wanted a string"):format(who, seen(text))) end
    local pieces = (o.unit == "words" and words_of or characters_of)(text)
    if #pieces < 20 then raise(("%s: %d tokens; wanted 20 or more"):format(who, #pieces)) end
    local id, list = vocabulary(pieces, o.most and check_int(who, "most", o.most, 2))
    for k, p in ipairs(pieces) do pieces[k] = id[p] end
    local vocab, draw_of = #list, next_tokens
    if o.mask ~= nil then
        if type(o.mask) ~= "number" or not (o.mask > 0 and o.mask < 1) then raise(("%s: mask is %s; wanted a share between 0 and 1"):format(who, seen(o.mask))) end
        vocab = vocab + 1
        list[vocab] = "<mask>"
        draw_of = function(ids, first, last) return hidden_tokens(ids, first, last, vocab, o.mask) end
    end
    local hold = o.hold == nil and 0.1 or o.hold
    if type(hold) ~= "number" or not (hold >= 0 and hold < 0.9) then raise(("%s: hold is %s; wanted a share from 0, below 0.9"):format(who, seen(hold))) end
    local cut = #pieces - math.floor(#pieces * hold)
    local source = part(who, vocab, list, pieces, 1, cut, draw_of)
    if cut < #pieces then source.held = part(who, vocab, list, pieces, cut + 1, #pieces, draw_of) end
    return source
end

-- ---- tasks -----------------------------------------------------------------------------------------------------------------
-- Each gives {vocab, draw(g, T) -> inputs, targets}; symbols are 1 .. V, marks come behind them.

local TASKS = {}

local function symbols(g, V, n)
    local x = {}
    for k = 1, n do x[k] = 1 + g:below(V) end
    return x
end

local function zeros(n)
    local y = {}
    for k = 1, n do y[k] = 0 end
    return y
end

local function need(name, T, least) if T < least then raise(("task: %s wants a length of at least %d, not %d"):format(name, least, T)) end end

-- a b c | a b c: the second half is asked for.
function TASKS.copy(V)
    return V + 1, function(g, T)
        need("copy", T, 3)
        local n = (T - 1) // 2
        local x, y = symbols(g, V, n), zeros(T)
        x[n + 1] = V + 1
        for k = 1, T - n - 1 do x[n + 1 + k] = x[(k - 1) % n + 1] end
        for k = 1, n do y[n + k] = x[k] end
        return x, y
    end
end

-- ... a b ... a: b. The last symbol occurred once before; what came behind it is asked for.
function TASKS.induction(V)
    return V, function(g, T)
        need("induction", T, 4)
        local cue = 1 + g:below(V)
        local x, y = {}, zeros(T)
        for k = 1, T do x[k] = (cue + g:below(V - 1)) % V + 1 end
        local at = 1 + g:below(T - 2)
        x[at], x[T] = cue, cue
        y[T] = x[at + 1]
        return x, y
    end
end

-- The token `offset` back, at every place that has one.
function TASKS.offset(V, o)
    local back = check_int("task", "offset", o.offset == nil and 3 or o.offset, 1)
    return V, function(g, T)
        need("offset", T, back + 1)
        local x, y = symbols(g, V, T), {}
        for t = 1, T do y[t] = t > back and x[t - back] or 0 end
        return x, y
    end
end

-- c a b | a b c
function TASKS.sort(V)
    return V + 1, function(g, T)
        need("sort", T, 3)
        local n = (T - 1) // 2
        local x, y = symbols(g, V, n), zeros(T)
        local sorted = table.move(x, 1, n, 1, {})
        table.sort(sorted)
        x[n + 1] = V + 1
        for k = 1, n do y[n + k] = sorted[k] end
        for k = n + 2, T do x[k] = sorted[k - n - 1] or V + 1 end
        return x, y
    end
end

-- Of ones and twos: 1 when the twos so far are even, 2 when they are odd.
function TASKS.parity()
    return 2, function(g, T)
        local x, y, odd = symbols(g, 2, T), {}, 0
        for t = 1, T do
            odd = (odd + x[t] - 1) % 2
            y[t] = odd + 1
        end
        return x, y
    end
end

-- a + b = c in digits, the lowest first, all with the same number of digits; digits are 1 .. 10, + is 11, = is 12.
function TASKS.addition()
    return 12, function(g, T)
        need("addition", T, 6)
        local n = (T - 2) // 3
        local a, b, x, y, carry = symbols(g, 10, n), symbols(g, 10, n), {}, zeros(T), 0
        for k = 1, n do x[k], x[n + 1 + k] = a[k], b[k] end
        x[n + 1], x[2 * n + 2] = 11, 12
        for k = 1, n do
            local sum = a[k] + b[k] - 2 + carry
            carry = sum // 10
            y[2 * n + 1 + k], x[2 * n + 2 + k] = sum % 10 + 1, sum % 10 + 1
        end
        for k = 1, T do x[k] = x[k] or 12 end
        for k = T + 1, #x do x[k] = nil end
        return x, y
    end
end

-- A key stands somewhere behind a mark; at the end the mark asks for it.
function TASKS.passkey(V)
    return V + 1, function(g, T)
        need("passkey", T, 4)
        local x, y = symbols(g, V, T), zeros(T)
        local at = 1 + g:below(T - 2)
        x[at], x[T] = V + 1, V + 1
        y[T] = x[at + 1]
        return x, y
    end
end

option_words.declare("name", TASKS, "task")
option_words.declare(1, TASKS, "task")

-- task{name=, vocab=16, ...}
function M.task(given)
    local who = "task"
    if type(given) == "string" then given = {name = given} end
    local o = tools.check_options(who, given, {"name", "vocab", "offset"})
    local make = type(o.name) == "string" and TASKS[o.name]
    if not make then raise(("%s: name is %s; wanted one of %s"):format(who, seen(o.name), values.list(TASKS))) end
    local vocab, draw = make(check_int(who, "vocab", o.vocab == nil and 16 or o.vocab, 2), o)
    return {name = o.name, vocab = vocab, batch = function(g, B, T)
        B, T = check_batch(o.name, g, B, T)
        return batch_of(B, T, function() return draw(g, T) end)
    end}
end

return M
