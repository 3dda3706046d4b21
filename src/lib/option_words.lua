-- option_words.lua: the options that are one of some words, by function and option. Whoever checks such an option puts the list here that it checks;
-- Tab offers it (offers.lua). Many files are read at the first call of their functions: who opens them says how.
local values = require "phasor.lib.values"

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

return {declare = declare, from = from, of = of}
