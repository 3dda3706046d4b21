-- Judges every line of statements.lua. Prints a table of how many per group are decided, then what is open, and what is wrong.
local path = os.getenv("STATEMENTS") or "tests/verify/reach/statements.lua"
local verbose = os.getenv("SHOW")

local function symbols()
    local lab = setmetatable({}, {__index = _G})
    for kind, names in pairs{real = "a b c t u x y θ φ δ", positive = "p q s α β", integer = "i j k m n", natural = "N d h", complex = "z w"} do
        for name in names:gmatch("%S+") do load(name .. " = ...", name, "t", lab)(sym(name, kind)) end
    end
    return lab
end

local verdict
local function judge(want)
    return function(l, r, options)
        verdict = prove(l, r, options)
        return want
    end
end

local groups, order, wrong, group = {}, {}, {}, nil
for line in io.lines(path) do
    local title = line:match("^%-%- ## (.*)$")
    if title then
        group = {name = title, total = 0, decided = 0, open = {}}
        groups[title], order[#order + 1] = group, group
    elseif line:match("^holds") or line:match("^fails") then
        local env = symbols()
        env.holds, env.fails = judge("proved"), judge("refuted")
        verdict = nil
        local want = line:match("^holds") and "proved" or "refuted"
        local f, message = load(line, "=" .. line, "t", env)
        local ok, why = false, message
        if f then ok, why = pcall(f) end
        local strength = ok and verdict.strength or "error"
        group.total = group.total + 1
        if strength == want then group.decided = group.decided + 1
        elseif strength == "unknown" or strength == "error" then
            group.open[#group.open + 1] = line .. "\n        " .. (ok and tostring(verdict.reason) or tostring(why))
        else wrong[#wrong + 1] = line .. "\n        " .. tostring(verdict) end
        if verbose and ok then print(line, tostring(verdict)) end
    end
end
local total, decided = 0, 0
for _, g in ipairs(order) do
    print(("%-30s %3d of %3d"):format(g.name, g.decided, g.total))
    total, decided = total + g.total, decided + g.decided
end
print(("%-30s %3d of %3d, %d wrong"):format("all", decided, total, #wrong))
for _, g in ipairs(order) do for _, l in ipairs(g.open) do print("open:  " .. l) end end
for _, l in ipairs(wrong) do print("WRONG: " .. l) end
