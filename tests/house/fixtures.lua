-- fixtures.lua FILE...: names the places in C where a program in Lua of more than three lines stands in strings. Strings that stand
-- together are one text; it is a program when Lua can read it, with a name for each %s and %d.
local MOST = 3

local ESCAPED = {n = "\n", t = "\t", r = "\r", a = "\a", b = "\b", f = "\f", v = "\v"}
local function unescaped(s)
    return (s:gsub("\\(x?%x?%x?)(.?)", function(hex, rest)
        if hex:find "^x%x" then return string.char(tonumber(hex:sub(2), 16)) .. rest end
    end):gsub("\\([0-7][0-7]?[0-7]?)", function(digits) return string.char(tonumber(digits, 8) % 256) end)
        :gsub("\\(.)", function(c) return ESCAPED[c] or c end))
end

-- The texts of a C file, each with its line.
local function texts(code)
    local out, at, line, open = {}, 1, 1, nil
    local function go(to)
        line = line + select(2, code:sub(at, to):gsub("\n", ""))
        at = to + 1
    end
    while at <= #code do
        local two, c = code:sub(at, at + 1), code:sub(at, at)
        if two == "/*" then
            go(select(2, code:find("*/", at, true)))
        elseif c == "'" then
            go(select(2, code:find("^'\\?.[^']*'", at)) or at)
            open = nil
        elseif c == '"' then
            local last = at + 1
            while code:sub(last, last) ~= '"' do last = last + (code:sub(last, last) == "\\" and 2 or 1) end
            if not open then
                open = {line = line, text = ""}
                out[#out + 1] = open
            end
            open.text = open.text .. unescaped(code:sub(at + 1, last - 1))
            go(last)
        else
            if not c:find "[%s\\]" then open = nil end
            go(at)
        end
    end
    return out
end

local function is_program(text)
    text = text:gsub("%%[sd]", "x")
    return load("return " .. text, "t", "t") or load(text, "t", "t")
end

for _, name in ipairs(arg) do
    local f = assert(io.open(name))
    for _, t in ipairs(texts(f:read "a")) do
        local body = t.text:gsub("^\n+", ""):gsub("\n+$", "")
        local lines = select(2, body:gsub("\n", "")) + 1
        if lines > MOST and is_program(t.text) then
            print(("%s:%d: a program of %d lines; it belongs in the .lua file beside it (tests/fixture.h)"):format(name, t.line, lines))
        end
    end
    f:close()
end
