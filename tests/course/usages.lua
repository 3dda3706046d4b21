-- usages.lua FILE...: names the sentences of wrong usage that have no Chinese.
local knows = require("phasor.course.usage").knows
for _, path in ipairs(arg) do
    local f <close> = io.open(path, "rb")
    for text in f:read("a"):gmatch '[^%w_]usage(%b())' do
        local format = load("return " .. (text:match '^%(("[^"\\]*")' or text:match '^%((".-[^\\]")' or "nil"))()
        if format and not knows(format) then print(path .. ": " .. format) end
    end
end
