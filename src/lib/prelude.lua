-- The part of the laboratory that is better said in Lua: help, search, how values are shown, arrays from functions.
-- Returns the functions that C calls.
local lab, tools = require "phasor", require "phasor.tools"
local values = require "phasor.lib.values"
-- What only help needs is read when somebody asks for it: every start would pay for it.
local function prose() return require "phasor.document.prose" end
local function chinese() return require "phasor.lib.chinese" end
local ranking = require "phasor.lib.search"
local raise = tools.raise
local WIDTH = 80

-- ---- how values are shown ----------------------------------------------------------------------------------------

local DEPTH, ENTRIES = 4, 20 -- a table shows so many levels and entries, then "..."
local show

local function quoted(s)
    return '"' .. s:gsub('[%c"\\]', function(c)
        return ({['\n'] = '\\n', ['\t'] = '\\t', ['"'] = '\\"', ['\\'] = '\\\\'})[c] or ('\\%d'):format(c:byte())
    end) .. '"'
end

local function show_key(k, seen)
    if type(k) == "string" and k:match("^[%a_][%w_]*$") then return k end
    return "[" .. show(k, seen) .. "]"
end

-- The keys behind the list 1 .. n that can be ordered; the rest keeps no order, so it is only counted.
local function keys_behind(t, n)
    local out, keys, others = {}, values.sorted_keys(t)
    for i = 1, #keys - others do
        local k = keys[i]
        if not (math.type(k) == "integer" and k >= 1 and k <= n) then out[#out + 1] = k end
    end
    return out, others
end

local function show_table(t, seen)
    if seen[t] or seen.depth >= DEPTH then return "{...}" end
    seen[t], seen.depth = true, seen.depth + 1
    local parts, n = {}, rawlen(t)
    for i = 1, math.min(n, ENTRIES) do parts[i] = show(rawget(t, i), seen) end
    local keys, others = keys_behind(t, n)
    for _, k in ipairs(keys) do
        if #parts >= ENTRIES then break end
        parts[#parts + 1] = show_key(k, seen) .. " = " .. show(rawget(t, k), seen)
    end
    if n + #keys + others > #parts then parts[#parts + 1] = "..." end
    seen[t], seen.depth = nil, seen.depth - 1
    return "{" .. table.concat(parts, ", ") .. "}"
end

local function plain(v) -- tostring without an address
    if io.type(v) then return "a " .. io.type(v) end
    local meta = debug.getmetatable(v)
    if type(meta) == "table" and rawget(meta, "__tostring") then return tostring(v) end
    local name = type(meta) == "table" and rawget(meta, "__name")
    return "a " .. (type(name) == "string" and name or type(v))
end

function show(v, seen)
    local t = type(v)
    if t == "string" then return quoted(v) end
    if t == "nil" or t == "boolean" or t == "number" then return tostring(v) end
    if t == "function" then
        local name = tools.name_of(v)
        return name and "function " .. name or "function"
    end
    local meta = debug.getmetatable(v)
    if t == "table" and not (meta and rawget(meta, "__tostring")) then return show_table(v, seen) end
    return plain(v)
end

-- A text as it is, but for what a terminal would obey beyond lines, tabs and colours.
local function harmless(text)
    if not text:find("[%c\x7F\xC2]") then return text end
    local kept = {}
    text = text:gsub("%z", "\\0"):gsub("\27%[[%d;]*m", function(colour)
        kept[#kept + 1] = colour
        return "\0"
    end)
    local i = 0
    text = text:gsub("\xC2([\x80-\x9F])", function(c) return ("\\u{%x}"):format(c:byte()) end) -- those of eight bits
    return (text:gsub("[%c\x7F]", function(c)
        if c == "\n" or c == "\t" then return c end
        if c == "\0" and kept[i + 1] then
            i = i + 1
            return kept[i]
        end
        return ("\\%d"):format(c:byte())
    end))
end

local function display(v)
    return harmless(type(v) == "string" and v or show(v, {depth = 0}))
end

-- ---- help ----------------------------------------------------------------------------------------------------------

-- Breaks text into lines of at most WIDTH columns (bytes that start a character), each indented; a line that is itself further in stays so,
-- and what is left of it stands two columns further.
local function wrap(text, indent, out)
    for line in (text .. "\n"):gmatch("(.-)\n") do
        local lead = indent .. line:match("^ *")
        local hang = #lead > #indent and lead .. "  " or indent
        local now, width, first = lead, #lead, #lead
        for word in line:gmatch("%S+") do
            local w = utf8.len(word) or #word
            if width + w > WIDTH - 1 and width > first then
                out[#out + 1], now, width, first = now, hang, #hang, #hang
            end
            if width > first then now, width = now .. " ", width + 1 end
            now, width = now .. word, width + w
        end
        out[#out + 1] = now
    end
end

-- How it is called: matmul(A, B), A:copy(), A.shape.
local function usage(name, args)
    local class, sep, member = name:match("^(%a+)([:.])(.+)$")
    if not class then
        return type(rawget(lab, name)) == "function" and name .. "(" .. args .. ")" or args ~= "" and args or name
    end
    local object = class:sub(1, 1) == "A" and "A" or class:lower():sub(1, 1)
    return object .. sep .. member .. (sep == ":" and "(" .. args .. ")" or "")
end

-- What this file says itself, in the language of the session.
local said = {
    en = {example = "Example", overview = 'help(f) or help "name" explains one; search "word" finds more.',
          none = 'nothing mentions "%s"', instead = 'nothing mentions "%s"; this mentions "%s":',
          more = "and %d more; another word makes it fewer", elsewhere = "nothing is called '%s'; this mentions it:\n\n%s",
          unknown = "help: nothing is called '%s'%s", try_search = '; search "word" looks through all help'},
    zh = {example = "示例", overview = 'help(f) 或 help "名字" 说明一个名字；search "词" 查找更多。',
          none = "没有哪里提到“%s”", instead = "没有哪里提到“%s”；提到“%s”的有：",
          more = "还有 %d 条；换一个词可以少些", elsewhere = "没有叫“%s”的名字；提到它的有：\n\n%s",
          unknown = "help：没有叫“%s”的名字%s", try_search = '；search "词" 查找全部说明'},
}
local function words() return said[tools.language()] end

-- The first line of a row's help in a language, and the rest; where there is no Chinese line the English one.
local function summary_of(name, help, lang)
    local summary, rest = help:match("^([^\n]*)\n?(.*)$")
    local line = lang == "zh" and chinese().names[name]
    return line or summary, rest, line and summary
end

local function help_text(name, detail, lang)
    local _, args, help, example = tools.row(tools.find(name))
    local summary, rest, english = summary_of(name, help, lang)
    local out = {}
    wrap(usage(name, args), "", out)
    out[#out + 1] = english and prose().fill(summary, WIDTH - 1, "  ", "  ") or nil
    if not english then wrap(summary, "  ", out) end
    if detail and english then wrap(english, "  ", out) end
    if detail and rest ~= "" then
        out[#out + 1] = ""
        wrap(rest, "  ", out)
    end
    if detail and example ~= "" then
        out[#out + 1] = ""
        out[#out + 1] = "  " .. said[lang].example
        for line in (example .. "\n"):gmatch("(.-)\n") do out[#out + 1] = "    " .. line end
    end
    return table.concat(out, "\n")
end

local function each_row()
    local i = 0
    return function()
        i = i + 1
        return tools.row(i)
    end
end

local function overview()
    local topics, names = {}, {}
    for name, _, _, _, topic in each_row() do
        if not names[topic] then
            topics[#topics + 1], names[topic] = topic, {}
        end
        table.insert(names[topic], name)
    end
    local out, zh = {words().overview, ""}, tools.language() == "zh"
    for _, topic in ipairs(topics) do
        out[#out + 1] = zh and chinese().topics[topic] or topic
        wrap(table.concat(names[topic], " "), "  ", out)
    end
    return table.concat(out, "\n")
end

local SEARCH_LINES = 20 -- of a search; more is counted

local function search_entries()
    local out = {}
    for name, args, text in each_row() do
        local line = summary_of(name, text, tools.language())
        out[#out + 1] = {title = name, name = name, line = line, text = args .. "\n" .. line .. "\n" .. text}
    end
    return table.move(tools.course_entries(), 1, #tools.course_entries(), #out + 1, out)
end

local function add_found(out, e)
    local first, indent = #out + 1, (" "):rep(17)
    for line in (prose().fill(e.line, WIDTH - 1, indent, indent) .. "\n"):gmatch("(.-)\n") do out[#out + 1] = line end
    if #out > first + 1 then
        for i = #out, first + 2, -1 do out[i] = nil end
        out[#out] = out[#out] .. " ..."
    end
    if prose().width(e.name) > 16 then table.insert(out, first, e.name)
    else out[first] = ("%-16s %s"):format(e.name, out[first]:sub(18)) end
end

local function search(word)
    if type(word) ~= "string" or not word:find("%S") then
        raise("search: word is " .. show(word, {depth = DEPTH - 1}):sub(1, 60) .. '; wanted a string, as in search "matrix"')
    end
    local found, instead = ranking.rank(word, search_entries())
    if #found == 0 then return words().none:format(word:sub(1, 60)) end
    local out = {}
    if instead then out[1] = words().instead:format(word:sub(1, 60), instead) end
    for i = 1, math.min(#found, SEARCH_LINES) do add_found(out, found[i]) end
    if #found > SEARCH_LINES then out[#out + 1] = words().more:format(#found - SEARCH_LINES) end
    return table.concat(out, "\n")
end

-- Of a word that no name is near but a member's, the name that it begins with: sym of "symbol", not Expr:symbols.
local function begun(what)
    local near, best = tools.nearest(what, tools.names()), nil
    for name in each_row() do
        if #name >= 3 and what:sub(1, #name) == name and #name > #(best or "") then best = name end
    end
    return (not near or near:find "[.:]") and best
end

local function unknown(what)
    local name = begun(what)
    local hint = name and values.hint(name, {[name] = true}) or values.hint(what, tools.names())
    raise(words().unknown:format(what:sub(1, 60), hint or words().try_search))
end

-- Of a word that is no name: what mentions it, under a line that says so.
local function help_elsewhere(what)
    local found = ranking.rank(what, search_entries())
    if #found == 0 or tools.nearest(what, tools.names()) then return nil end
    return words().elsewhere:format(what:sub(1, 60), search(what))
end

local function help_name(what)
    if type(what) ~= "string" then return tools.name_of(what) end
    if tools.find(what) then return what end
    for name in each_row() do -- "shape" finds Array.shape
        if name:match("[:.](.+)$") == what then return name end
    end
    return nil
end

local function help(...)
    local what = ...
    if select("#", ...) == 0 then return overview() end
    local name = help_name(what)
    if not name and type(what) == "string" then return help_elsewhere(what) or unknown(what) end
    if not name then
        raise("help: no help for " .. show(what, {depth = DEPTH - 1}):sub(1, 60) ..
            '; wanted a function of the laboratory or a name in quotes')
    end
    return help_text(name, true, tools.language())
end

-- help is a table that can be called: help.rows lists every row for programs.
local help_object = setmetatable({}, {
    __call = tools.wrap(function(_, ...) return help(...) end),
    __tostring = overview,
    __index = function(_, key)
        if key ~= "rows" then raise(("unknown field '%s' of help; did you mean 'rows'?"):format(tostring(key):sub(1, 60))) end
        local rows = {}
        for name, args, text, example, topic in each_row() do
            rows[#rows + 1] = {name = name, args = args, help = text, example = example, topic = topic}
        end
        return rows
    end,
    __newindex = function() raise("help: its fields cannot be set") end,
    __metatable = "help",
})

-- ---- arrays from functions -------------------------------------------------------------------------------------------

local callable = values.callable

local function check_sizes(who, dims)
    if #dims == 0 then raise(who .. ": no shape given; wanted sizes, as in 3, 4 or {3, 4}") end
    if #dims > 8 then raise(("%s: %d sizes given; wanted at most 8"):format(who, #dims)) end
    local total = 1
    for i = 1, #dims do
        local n = dims[i] or nil
        local k = math.tointeger(n)
        if type(n) ~= "number" or not k or k < 0 then
            raise(("%s: a size is %s; wanted an integer of at least 0"):format(who, show(n, {depth = DEPTH - 1}):sub(1, 60)))
        end
        total = total * n * 1.0
    end
    if total > 2^31 then raise(("%s: %g elements are too many; wanted at most 2^31"):format(who, total)) end
end

local function fromfunction(f, ...)
    if not callable(f) then
        raise("fromfunction: f is " .. show(f, {depth = DEPTH - 1}):sub(1, 60) .. "; wanted a function of the indices")
    end
    local dims = {...}
    for i = 1, select("#", ...) do dims[i] = dims[i] or false end -- a nil among them is a size too, a wrong one
    if #dims == 1 and type(dims[1]) == "table" then dims = table.move(dims[1], 1, rawlen(dims[1]), 1, {}) end
    check_sizes("fromfunction", dims)
    local values, index, n = {}, {}, #dims
    local function walk(d)
        if d > n then
            local v = f(table.unpack(index, 1, n))
            local t = type(v)
            local class = t == "userdata" and debug.getmetatable(v).__name
            if t ~= "number" and t ~= "boolean" and class ~= "Complex" and not (class == "Traced" and v.ndim == 0) then
                raise(("fromfunction: f(%s) gave %s; wanted a number"):format(
                    table.concat(index, ", ", 1, n), show(v, {depth = DEPTH - 1}):sub(1, 60)))
            end
            values[#values + 1] = v
            return
        end
        for i = 1, dims[d] do
            index[d] = i
            walk(d + 1)
        end
    end
    walk(1)
    return lab.reshape(lab.array(values), dims)
end

-- e^{ix} = cos x + i sin x, for a number, a complex number or an array
local function cis(x)
    if type(x) == "number" then return lab.complex(lab.cos(x), lab.sin(x)) end
    return lab.cos(x) + lab.I * lab.sin(x)
end

-- ---- rows --------------------------------------------------------------------------------------------------------------

tools.register{topic = "making arrays", name = "fromfunction", fn = tools.wrap(fromfunction), args = "f, n, m, ...",
    help = "The array with A(i, j) = f(i, j).\nf: a function of the indices, which count from 1, to a number, boolean or" ..
        " complex number.\nn, m, ...: the sizes, one by one or as one table.",
    example = "function f(i, j) return 10*i + j end\nfromfunction(f, 2, 2):totable()  --> {{11.0, 12.0}, {21.0, 22.0}}"}
tools.register{topic = "complex numbers", name = "cis", fn = tools.wrap(cis), args = "x",
    help = "cos x + i sin x: the unit complex number of phase x.\nx: radians; a number, complex number or array.",
    example = "cis(0)  --> 1 + 0i\nabs(cis(0.7) - exp(0.7*I)) < 1e-15  --> true"}
tools.register{topic = "help", name = "help", fn = help_object, args = "[f]",
    help = "Explains a function, a method or a topic.\nf: a function or a name in quotes (\"sum\", \"Array:copy\", \"shape\")." ..
        " Without it: an overview. At the prompt also: ? name\nhelp.rows is the list of everything there is help for.",
    example = 'help "Array.ndim"  --> A.ndim\n--|   The number of dimensions.\n--| \n--|   Example\n' ..
        '--|     zeros(3, 4).ndim  --> 2\nhelp "zeross"  --> error: did you mean'}
tools.register{topic = "help", name = "search", fn = tools.wrap(search), args = "word",
    help = "What is said of some words: in help, lessons and the glossary, best first.\nword: one or several; case does not matter." ..
        " At the prompt also: ??? words",
    example = '(search "number of dimensions"):sub(1, 10)  --> Array.ndim'}

return {display = display, help_text = help_text}
