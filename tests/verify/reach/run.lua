-- Judges every line of statements.lua, or of the files named in STATEMENTS. Prints a table of how many per group are decided, then what is open, and what is
-- wrong. SHOW: a file for what the verdict of each line says, and of what is proved the fingerprint of its certificate for Coq, or why it has none; COQ: a
-- folder for the certificates, sNUMBER.v by the number of the statement; ONLY: lines that begin so, and no others. A line calls holds or
-- fails with what prove takes; sure or unsure, proved, refuted or open with a verdict; value with an integral and what it is.
local paths = os.getenv("STATEMENTS") or "tests/verify/reach/statements.lua"
local only = os.getenv("ONLY") or ""
local shown, folder = os.getenv("SHOW") and io.open(os.getenv("SHOW"), "w"), os.getenv("COQ")
local recheck = shown and require "phasor.course.recheck"

local kinds = {real = "a b c t u x y θ φ δ", positive = "p q s α β", integer = "i j k m n", natural = "N d h", complex = "z w"}
local function symbols()
    local lab = setmetatable({}, {__index = _G})
    for kind, names in pairs(kinds) do
        for name in names:gmatch("%S+") do load(name .. " = ...", name, "t", lab)(sym(name, kind)) end
    end
    return lab
end

local verdict
local function judge(want)
    return function(...)
        verdict = prove(...)
        return want
    end
end

local function given(want)
    return function(v)
        verdict = v
        return want
    end
end

local function value(ball, constant)
    verdict = ball.verdict
    if verdict.strength == "certified" and not ball:contains(constant) then error("wrong: " .. tostring(ball)) end
    return "certified"
end

local judges = {
    holds = {"proved", judge}, fails = {"refuted", judge}, sure = {"certified", given}, unsure = {"refuted", given},
    proved = {"proved", given}, refuted = {"refuted", given}, open = {"unknown", given},
}

-- Of what is proved; a refusal by the line that reports it, without the place.
local function certificate(v, number)
    local ok, text = pcall(v.coq, v)
    if not ok then return "no certificate: " .. tostring(text):gsub("^.-coq: ", "") end
    if folder then
        local file = assert(io.open(("%s/s%04d.v"):format(folder, number), "w"))
        file:write(text)
        file:close()
    end
    return "coq " .. recheck.fingerprint(text):sub(1, 32)
end

local count = 0
local function show(line, ok, v)
    count = count + 1
    if not shown then return end
    shown:write(line, "\n    ", ok and tostring(v) or "error", "\n")
    if ok and v.strength == "proved" then shown:write("    ", certificate(v, count), "\n") end
end

local groups, order, wrong, group = {}, {}, {}, nil
local function lines()
    for path in paths:gmatch("%S+") do
        for line in io.lines(path) do coroutine.yield(line) end
    end
end

for line in coroutine.wrap(lines) do
    local title, own = line:match("^%-%- ## (.*)$"), line:match("^%-%- Symbols: (.*)$")
    if own then kinds = load("return " .. own)()
    elseif title then
        group = {name = title, total = 0, decided = 0, open = {}}
        groups[title], order[#order + 1] = group, group
    elseif line:match("^%a") and line:sub(1, #only) == only then
        local env = symbols()
        for name, j in pairs(judges) do env[name] = j[2](j[1]) end
        env.value, verdict = value, nil
        local kind = line:match("^%a+")
        local want = kind == "value" and "certified" or judges[kind][1]
        local f, message = load(line, "=" .. line, "t", env)
        local ok, why = false, message
        if f then ok, why = pcall(f) end
        local strength = ok and verdict.strength or "error"
        group.total = group.total + 1
        if strength == want or (strength == "proved" and want == "certified") or (ok and want == "unknown") then group.decided = group.decided + 1
        elseif strength == "unknown" or (strength == "error" and not tostring(why):find("wrong:", 1, true) and not tostring(why):find("error of phasor", 1, true)) then
            group.open[#group.open + 1] = line .. "\n        " .. (ok and tostring(verdict.reason) or tostring(why))
        else wrong[#wrong + 1] = line .. "\n        " .. tostring(ok and verdict or why) end
        if ok and strength ~= "unknown" and verdict.reason then wrong[#wrong + 1] = line .. "\n        decided, with the reason " .. verdict.reason end
        show(line, ok, verdict)
    end
end
if shown then shown:close() end
local total, decided = 0, 0
for _, g in ipairs(order) do
    print(("%-30s %3d of %3d"):format(g.name, g.decided, g.total))
    total, decided = total + g.total, decided + g.decided
end
print(("%-30s %3d of %3d, %d wrong"):format("all", decided, total, #wrong))
for _, g in ipairs(order) do for _, l in ipairs(g.open) do print("open:  " .. l) end end
for _, l in ipairs(wrong) do print("WRONG: " .. l) end
