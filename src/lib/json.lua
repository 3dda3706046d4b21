-- json.lua: texts of JSON: what the course keeps and hands in, the atlas as a text. Written in one fixed form, so that a fingerprint can be
-- taken; read strictly: one value, no key twice, nothing behind it.
--
-- Objects are tables with string keys, written in the order of the alphabet; arrays are tables made by M.list, or read.

local M = {}

local list_class = {__name = "list"}

-- What nothing is written as, in the formats of others.
M.null = setmetatable({}, {__name = "null"})

-- Marks a table as an array, also an empty one.
function M.list(t) return setmetatable(t or {}, list_class) end
function M.is_list(t) return getmetatable(t) == list_class end

local short = {['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r"}

local function quoted(text)
    if not utf8.len(text) then text = text:gsub("[\x80-\xff]", "\u{FFFD}") end
    return '"' .. text:gsub('[%c"\\\x7f]', function(c) return short[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

M.text = quoted

local write

local function object(t, indent)
    local keys, out = {}, {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    if #keys == 0 then return "{}" end
    local inner = indent .. "  "
    for i, key in ipairs(keys) do out[i] = inner .. quoted(key) .. ": " .. write(t[key], inner) end
    return "{\n" .. table.concat(out, ",\n") .. "\n" .. indent .. "}"
end

local function list(t, indent)
    local out, inner = {}, indent .. "  "
    for i, v in ipairs(t) do out[i] = inner .. write(v, inner) end
    return #out == 0 and "[]" or "[\n" .. table.concat(out, ",\n") .. "\n" .. indent .. "]"
end

function write(v, indent)
    local kind = type(v)
    if kind == "string" then return quoted(v) end
    if kind == "boolean" then return tostring(v) end
    if kind == "number" then
        if v ~= v or v == math.huge or v == -math.huge then error("json: " .. v .. " cannot be written") end
        return math.type(v) == "integer" and ("%d"):format(v) or ("%.17g"):format(v)
    end
    if v == M.null then return "null" end
    if kind ~= "table" then error("json: a " .. kind .. " cannot be written") end
    return M.is_list(v) and list(v, indent) or object(v, indent)
end

function M.write(v) return write(v, "") .. "\n" end

-- ---- reading --------------------------------------------------------------------------------------------------------

local DEPTH = 32

local function fail(p, text) error({json = ("byte %d: %s"):format(p.at, text)}, 0) end

local function blanks(p) p.at = p.text:match("^[ \n\r\t]*()", p.at) end

local function expect(p, char)
    blanks(p)
    if p.text:sub(p.at, p.at) ~= char then fail(p, ("wanted `%s`"):format(char)) end
    p.at = p.at + 1
end

local long = {['"'] = '"', ["\\"] = "\\", ["/"] = "/", n = "\n", t = "\t", r = "\r", b = "\b", f = "\f"}

local function escape(p)
    local char = p.text:sub(p.at, p.at)
    p.at = p.at + 1
    if long[char] then return long[char] end
    local code = char == "u" and p.text:match("^%x%x%x%x", p.at)
    if not code then fail(p, "no such escape") end
    p.at = p.at + 4
    code = tonumber(code, 16)
    if code >= 0xD800 and code < 0xDC00 then
        local low = p.text:match("^\\u([dD][c-fC-F]%x%x)", p.at)
        if not low then fail(p, "half of a surrogate pair") end
        p.at = p.at + 6
        return utf8.char(0x10000 + (code - 0xD800) * 1024 + tonumber(low, 16) - 0xDC00)
    elseif code >= 0xDC00 and code < 0xE000 then fail(p, "half of a surrogate pair") end
    return utf8.char(code)
end

local function string_at(p)
    expect(p, '"')
    local out = {}
    while true do
        local piece, stop = p.text:match('^([^"\\%c]*)()', p.at)
        out[#out + 1], p.at = piece, stop
        local char = p.text:sub(p.at, p.at)
        if char == "" then fail(p, "a string without an end") end
        if char:find("%c") then fail(p, "a control character in a string") end
        p.at = p.at + 1
        if char == '"' then return table.concat(out) end
        out[#out + 1] = escape(p)
    end
end

local value

local function members(p, close, each)
    p.at = p.at + 1
    p.depth = p.depth + 1
    if p.depth > DEPTH then fail(p, "nested too deeply") end
    blanks(p)
    if p.text:sub(p.at, p.at) ~= close then
        repeat
            each()
            blanks(p)
            local char = p.text:sub(p.at, p.at)
            if char ~= "," and char ~= close then fail(p, ("wanted `,` or `%s`"):format(close)) end
            p.at = p.at + 1
        until char == close
    else
        p.at = p.at + 1
    end
    p.depth = p.depth - 1
end

-- What is read can be written: a number beyond all doubles is none.
local function number_at(p)
    local stop = p.text:match("^%-?[1-9]%d*()", p.at) or p.text:match("^%-?0()", p.at)
    if not stop then fail(p, "wanted a value") end
    stop = p.text:match("^%.%d+()", stop) or stop
    stop = p.text:match("^[eE][+-]?%d+()", stop) or stop
    local number = tonumber(p.text:sub(p.at, stop - 1))
    if number == math.huge or number == -math.huge then fail(p, "a number beyond all doubles") end
    p.at = stop
    return number
end

local words = {["true"] = true, ["false"] = false}

function value(p)
    blanks(p)
    local char = p.text:sub(p.at, p.at)
    if char == "{" then
        local out = {}
        members(p, "}", function()
            local key = string_at(p)
            if out[key] ~= nil then fail(p, ("the key %q stands there twice"):format(key)) end
            expect(p, ":")
            out[key] = value(p)
        end)
        return out
    elseif char == "[" then
        local out = M.list()
        members(p, "]", function() out[#out + 1] = value(p) end)
        return out
    elseif char == '"' then return string_at(p) end
    local word = p.text:match("^%a+", p.at)
    if words[word] ~= nil then
        p.at = p.at + #word
        return words[word]
    end
    if p.nulls and word == "null" then
        p.at = p.at + #word
        return M.null
    end
    return number_at(p)
end

-- The value of a text; or nil and what is wrong with it. null is refused, unless `nulls` says that the format has it: then it is M.null.
function M.read(text, nulls)
    if not utf8.len(text) then return nil, "not UTF-8 text" end
    local p = {text = text, at = 1, depth = 0, nulls = nulls}
    local ok, result = pcall(function()
        local v = value(p)
        blanks(p)
        if p.at <= #text then fail(p, "something stands behind the end") end
        return v
    end)
    if ok then return result end
    if type(result) == "table" and result.json then return nil, result.json end
    error(result, 0)
end

-- ---- what was read, held against what is wanted ---------------------------------------------------------------------

local function is(kind) return function(v) return type(v) == kind end end

local KINDS = {
    text = {"a text", is "string"}, number = {"a number", is "number"}, boolean = {"true or false", is "boolean"},
    count = {"a count from 0 to 1000000", function(v) return math.type(v) == "integer" and v >= 0 and v <= 1000000 end},
    list = {"a list", M.is_list}, object = {"an object", function(v) return type(v) == "table" and not M.is_list(v) end},
}

local function seen(v)
    if v == nil then return "missing" end
    if type(v) == "table" then return M.is_list(v) and "a list" or "an object" end
    if type(v) ~= "string" then return tostring(v) end
    local cut = utf8.offset(v, 31)
    return "the text " .. quoted(cut and v:sub(1, cut - 1) .. "…" or v)
end

-- The first field of t, by the alphabet, that is not of its kind, in words: "hints is -1; wanted a count from 0 to 1000000"; nil: all are.
-- wanted: key -> kind, or {words, f}, for values of which f(v) is true.
function M.astray(t, wanted)
    if not KINDS.object[2](t) then return ("it is %s; wanted an object"):format(seen(t)) end
    local keys = {}
    for key in pairs(wanted) do keys[#keys + 1] = key end
    table.sort(keys)
    for _, key in ipairs(keys) do
        local words, fits = table.unpack(KINDS[wanted[key]] or wanted[key])
        if not fits(t[key]) then return ("%s is %s; wanted %s"):format(key, seen(t[key]), words) end
    end
end

return M
