-- What a string that is being typed as an argument may become: offers(function's name) -> names, or nil where it may be a path.
local lab, tools = require "phasor", require "phasor.tools"

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

return function(name) return kinds[name] and kinds[name]() end
