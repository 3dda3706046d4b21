-- option_words.lua: the arguments that are one of some words, by function and option, or by function and place (1 is the first). Whoever checks
-- one puts the list here that it checks; Tab offers it (offers.lua). Many files are read at the first call of their functions: who opens
-- them says how.
local tools, values = require "phasor.tools", require "phasor.lib.values"

local words, readers = {}, {}

-- These, a list or the keys of a table, are the words of an option of each of the functions; returns them.
local function declare(option, list, ...)
    for _, name in ipairs{...} do
        words[name] = words[name] or {}
        words[name][option] = #list > 0 and list or values.sorted_keys(list)
    end
    return list
end

-- `read` reads the file that declares those of the functions.
local function from(read, ...)
    for _, name in ipairs{...} do readers[name] = read end
end

-- The words of an option of a function; nil: it is not one of some words.
local function of(name, option)
    if readers[name] then readers[name]() end
    return words[name] and words[name][option]
end

-- '"a", "b" or "c"'
local function quoted(list)
    local last = #list
    return (last > 1 and '"' .. table.concat(list, '", "', 1, last - 1) .. '" or ' or "") .. '"' .. list[last] .. '"'
end

-- Raises unless v is one of the words of a list; returns it.
local function check(who, option, v, list)
    for _, word in ipairs(list) do
        if v == word then return v end
    end
    tools.raise(("%s: %s is %s; wanted %s"):format(who, option, tools.seen(v), quoted(list)))
end

-- What C checks. tests/lua/test_words.lua holds each list to what the function's error says.
declare("dtype", {"f64", "f32", "c128", "bool"}, "array", "zeros", "ones", "full", "eye")
declare("dtype", {"f64", "f32"}, "range", "linspace", "rand", "randn")
declare("dtype", {"f64", "f32", "f16", "bf16", "bool", "c128"}, "write")
declare(2, {"f64", "f32", "c128", "bool"}, "astype")
declare(2, {"f32", "f16", "bf16"}, "quantize")
declare(2, {"f16", "bf16"}, "halves")
declare(2, {"thin", "full"}, "qr", "svd")
declare(2, {"real", "positive", "integer", "natural", "complex"}, "sym")

return {declare = declare, from = from, of = of, check = check}
