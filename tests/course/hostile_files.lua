-- hostile_files.lua: results of experiments, progress and students' copies of lessons that somebody made by hand, their seals and fingerprints right:
-- run in an empty folder with PHASOR_PROGRESS in it, it prints what is wrong. Each is refused in words that name the file, the field, what it holds
-- and what was wanted.
local catalogue, host, json = require "phasor.course.catalogue", require "phasor.course.host", require "phasor.lib.json"
local plan, progress, runs = require "phasor.train.experiment", require "phasor.course.progress", require "phasor.course.runs"

local bad = 0
local function wrong(...) bad = bad + 1; print(...) end
local function put(name, text) assert(host.save(name, text)) end
-- message: what was said of the i-th file of a kind, or nil
local function holds(kind, i, message, ...)
    if not message then return wrong(("%s %d: taken"):format(kind, i)) end
    for _, word in ipairs{...} do
        if not message:find(word, 1, true) then wrong(("%s %d: no \"%s\" in: %s"):format(kind, i, word, message:sub(1, 300))) end
    end
    if #message > 700 then wrong(("%s %d: %d bytes of error"):format(kind, i, #message)) end
    if message:find "[\0-\8\11-\31\127]" then wrong(("%s %d: a control character is said"):format(kind, i)) end
    if message:find("phasor:src/", 1, true) then wrong(("%s %d: %s"):format(kind, i, message:sub(1, 200))) end
end

-- ---- results of an experiment -----------------------------------------------------------------------------------------

local e = plan.read("few", {title = {en = "a", zh = "b"}, factors = {{"code", {"x", "y"}}, {"seed", {1, 2}}}, measures = {"loss", "other"}, rule = "r",
                            run = function(f) return {loss = f.seed / 3, other = 1} end, findings = function() return {} end})
e.text, e.data = host.sha256 "few", "none"
local rows = {}
for k = 1, 4 do rows[k] = plan.run(e, k) end
local whole = plan.text(e, rows, runs.head(e))
local function sealed(text) return ("# fingerprint: %s\n%s"):format(host.sha256(text), text) end
local function instead(a, b)
    local at, last = whole:find(a, 1, true)
    return sealed(whole:sub(1, at - 1) .. b .. whole:sub(last + 1))
end
local function collected(text)
    put("results/results.csv", text)
    local ok, fault = pcall(runs.collect, e, "results")
    return not ok and (type(fault) == "table" and fault.message or tostring(fault)) or nil, ok and fault
end
local _, taken = collected(sealed(whole))
if not taken or taken[4].loss ~= 2 / 3 then wrong "what is in order is not taken" end

local FILE = "results/results.csv"
for i, row in ipairs{
    {"", "no line \"# fingerprint"}, {whole, "no line \"# fingerprint"}, {sealed(whole) .. "x,1,2,3\n", "fingerprint is", "wanted " .. host.sha256(whole .. "x,1,2,3\n"):sub(1, 16)},
    {"# fingerprint: 0\n" .. whole, "fingerprint is the string \"0\""}, {sealed(whole):sub(1, -9), "fingerprint is"}, {sealed "", "no line names the columns", "wanted code,seed,loss,other"},
    {instead("code,seed,loss,other", "seed,code,loss,other"), "the columns are", "\"seed,code,loss,other\"", "wanted code,seed,loss,other"},
    {instead("code,seed,loss,other", ("x,"):rep(100000)), "the columns are", "wanted code,seed,loss,other"},
    {instead("x,1,", "z,1,"), "code,seed is", "\"z,1\"", "wanted a run of the experiment"}, {instead("x,1,", "x,1.0,"), "code,seed is", "\"x,1.0\""},
    {instead("x,2,", "x,1,"), "code,seed is", "\"x,1\"", "second time"}, {instead("x,1,", "\27[31m,1,"), "code,seed is", "wanted a run of the experiment"},
    {instead("x,1,0.33333333333333331,", "x,1,nan,"), "loss is", "\"nan\"", "wanted a finite number"},
    {instead("x,1,0.33333333333333331,", "x,1,-1e999,"), "loss is", "\"-1e999\"", "wanted a finite number"},
    {instead("x,1,0.33333333333333331,", "x,1,,"), "loss is", "wanted a finite number"}, {instead("x,1,0.33333333333333331,", "x,1,os.exit(),"), "loss is", "\"os.exit()\""},
    {instead("x,1,0.33333333333333331,", "x,1,"), "3 columns", "wanted 4: code,seed,loss,other"}, {instead("x,1,", "x,1," .. ("1,"):rep(100000)), "100004 columns", "wanted 4"},
    {instead("# experiment: few", "# experiment: other"), "another experiment", "\"other ", "wanted few "}, {instead("# experiment:", "# experiments:"), "another experiment", "nil"},
    {instead("# data: none", "# data: \27]0;title\7"), "another data", "wanted none"}, {instead("# data: none", "# data: " .. ("none"):rep(100000)), "another data", "wanted none"},
} do holds("results", i, (collected(row[1])), FILE, table.unpack(row, 2)) end

-- ---- progress -----------------------------------------------------------------------------------------------------------

local PATH = progress.path()
local function record(more)
    local r = progress.new("h", 10)
    r.step = 3
    for key, v in pairs(more) do r[key] = v end
    return r
end
local function exercise(more)
    local x = {state = "right", attempts = 1, hints = 0, points = 1, answer = "x = 1"}
    for key, v in pairs(more) do x[key] = v end
    return record{exercises = {turn = x}}
end
local function loaded(lessons)
    put(PATH, json.write{phasor = "progress", version = 1, seal = host.sha256(json.write(lessons)), lessons = lessons})
    local said
    local found = progress.load(host, function(key, path, message, aside) said = path == PATH and key == "progress_damaged" and host.exists(aside) and message or key end)
    if said and next(found or {true}) ~= nil then wrong("something is taken of a damaged file: " .. said) end
    return said
end
local fine = {rope = exercise{points = 99}, sinusoids = record{name = "Ada", student = "Ada", skipped = json.list{"first", "first-2"}}}
if loaded(fine) then wrong("what is in order is not taken: " .. loaded(fine)) end
for i, row in ipairs{
    {exercise{points = 1e308}, "exercise turn: points is 1e+308", "wanted a number from 0 to 99"}, {exercise{points = -5}, "points is -5", "from 0 to 99"},
    {exercise{points = "6"}, "points is the text \"6\"", "from 0 to 99"}, {exercise{state = "banana"}, "state is the text \"banana\"", "wanted open, right, given, skipped or shown"},
    {exercise{state = true}, "state is true", "wanted open"}, {exercise{hints = 1e15 // 1 | 0}, "hints is 1000000000000000", "wanted a count"},
    {exercise{attempts = 0.5}, "attempts is 0.5", "wanted a count"}, {exercise{answer = json.list()}, "answer is a list", "wanted a text"},
    {record{step = 2^53 // 1 | 0}, "lesson rope: step is 9007199254740992", "wanted a count"}, {record{of = -1}, "of is -1", "wanted a count"},
    {record{student = 5}, "student is 5", "wanted a text"}, {record{name = json.list()}, "name is a list", "wanted a text"},
    {record{name = {}}, "name is an object", "wanted a text"}, {record{skipped = json.list{"a", 1}}, "skipped is a list", "wanted a list of texts"},
    {record{skipped = {}}, "skipped is an object", "wanted a list of texts"}, {record{exercises = json.list()}, "exercises is a list", "wanted an object"},
    {record{finished = "yes"}, "finished is the text \"yes\"", "wanted true or false"}, {record{ref = 1}, "ref is 1", "wanted a text"},
    {record{exercises = {turn = "x"}}, "exercise turn: it is the text \"x\"", "wanted an object"}, {"x", "lesson rope: it is the text \"x\"", "wanted an object"},
} do holds("progress", i, loaded{rope = row[1]}, table.unpack(row, 2)) end

-- ---- a student's copy of a lesson ---------------------------------------------------------------------------------------

local HEAD = "-- A student's copy, without solutions, of the lesson with the fingerprint %s.\n"
local COPY = HEAD:format(("a"):rep(64)) .. "-- %% [markdown] ref=\"one\" lang=\"en\"\n-- # One\n-- %% role=\"exercise\" ref=\"one\" points=1 asks=\"f() x\"\n-- …\n"
local function opened(text)
    put("copy.lua", text)
    local lesson, message = catalogue.open "copy.lua"
    return not lesson and message or nil, lesson
end
local _, copy = opened(COPY)
if not copy or copy.original ~= ("a"):rep(64) then wrong "a copy is not taken" end
local function asks(text) return (COPY:gsub('asks="[^"]*"', function() return text end)) end
for i, row in ipairs{
    {asks 'asks=""', "4", "asks=\"\"", "wanted names of functions"}, {asks 'asks="f.g()"', "asks=\"f.g()\"", "wanted names"}, {asks "asks=\"os.execute('x')\"", "asks=\"os.execute", "wanted names"},
    {asks 'asks="f() " asks="x"', "`asks` is given twice"}, {asks "asks=3 asks", "cannot read `asks`"}, {asks 'asks="()"', "asks=\"()\"", "wanted names"},
    {asks 'asks="a\27[31m"', "asks=\"a?[31m\"", "wanted names"}, {asks 'asks="1 f()"', "asks=\"1 f()\"", "wanted names"},
    {asks('asks="' .. ("f() "):rep(100000) .. '1."'), "asks=\"f() f()", "wanted names"}, {asks(("x"):rep(100000)), "cannot read `xxx", "wanted key="},
    {COPY .. "--%% " .. ("\27]0;t\7"):rep(30000), "a cell starts with"}, {("\27[2J"):rep(50000) .. "\n" .. COPY, "before the first cell", "wanted a comment"},
    {asks 'solves="f"', "unknown key `solves`"}, {COPY .. "-- %% asks=\"f()\"\nx = 1\n", "a code cell has no asks"}, {COPY:gsub("points=1 ", ""), "needs points"},
    {COPY .. "--- BEGIN SOLUTION\n", "is never closed"}, {COPY:gsub("…", "\xff"), "not UTF-8"}, {HEAD:format "0", "no cell"}, {COPY:gsub("\n%-%- …\n", "\n"), "the cell is empty"},
} do holds("copy", i, (opened(row[1])), "copy.lua:", table.unpack(row, 2)) end

if bad == 0 then print "all refused" end
