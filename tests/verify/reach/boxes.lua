-- Says of each line of the files named in STATEMENTS what it gives: a verdict, with its boxes; a ball, to 15 digits; a refusal, in its words.
local lab = setmetatable({}, {__index = _G})
for kind, names in pairs {real = "x y t a", positive = "p", integer = "n m i j", natural = "N"} do
    for name in names:gmatch("%S+") do lab[name] = sym(name, kind) end
end

-- On one line: a ball, and why it has no more digits; a table of balls, with its verdict. How far from 0 a value may be that is not told from it is left out: another
-- FLINT may know it better.
local function text(v)
    if type(v) ~= "table" or getmetatable(v) then
        local is_ball, digits = pcall(function() return v:digits(15) end)
        local told, statement = pcall(function() return v.statement end)
        local way = told and statement and statement:match("%a+ %a+creasing$") -- which monotone found
        if not is_ball then return (way and way .. ": " or "") .. tostring(v):gsub("\n *", " ") end
        local whole, verdict = pcall(function() return v.verdict end) -- none of a bound or a root
        local reason = whole and verdict and verdict.strength ~= "certified" and (" (%s)"):format(verdict.reason) or ""
        return digits:gsub("^0e%-%d+$", "near 0") .. reason
    end
    if v.min then return ("min %s, max %s; %s"):format(text(v.min), text(v.max), text(v.verdict)) end
    local parts = {}
    for i, r in ipairs(v) do parts[i] = text(r) end
    return ("{%s}; %s"):format(table.concat(parts, ", "), text(v.verdict))
end

for path in os.getenv("STATEMENTS"):gmatch("%S+") do
    for line in io.lines(path) do
        if line:find("^%a") then
            local said = table.pack(pcall(assert(load("return " .. line, "=line", "t", lab))))
            for i = 2, said.n do said[i] = said[1] and text(said[i]) or "error: " .. tostring(said[i]):gsub("^line:1: ", "") end
            print(line .. "\n    " .. table.concat(said, " and ", 2))
        end
    end
end
