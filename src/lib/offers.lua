-- What a string that is being typed may become. As an argument: offers(function's name, nil, place) -> names, or nil where it may be a path. As
-- an option's value: offers(function's name, option) -> its words, or nil where it is not one of some words.
local lab, tools = require "phasor", require "phasor.tools"
local option_words = require "phasor.lib.option_words"

local function lessons()
    local out = {}
    for _, f in ipairs(require "phasor.embedded" "lessons/") do
        local name = f.path:match("^lessons/([%w_-]+)%.lua$")
        if name and name ~= "ledger" then out[#out + 1] = name end
    end
    return out
end

-- The first word of each line of picture()'s list.
local function pictures()
    local out = {}
    for line in (tools.shown(lab.picture()) .. "\n"):gmatch("(.-)\n") do out[#out + 1] = line:match("^%s*([%a_]%w*)%s") end
    return out
end

local function topics()
    local out = {}
    for name in pairs(tools.names()) do out[#out + 1] = name end
    return out
end

local kinds = {lesson = lessons, check = lessons, picture = pictures, help = topics, search = topics}

-- Those that a function checks: a function of an encoding by its descriptor, others by what they declared.
local function words_of(name, option)
    for _, e in pairs(lab.encodings()) do
        if e.words[name] then return e.words[name][option] end
    end
    return option_words.of(name, option)
end

return function(name, option, place)
    if option then return words_of(name, option) end
    return place == 1 and kinds[name] and kinds[name]() or option_words.of(name, place)
end
