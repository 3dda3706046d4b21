-- train: a whole run with its progress shown, the best model kept, whatever ends it.
local lab, tools = require "phasor", require "phasor.tools"
local guarded, trainers, values = require "phasor.guard", require "phasor.train.trainer", require "phasor.lib.values"
local check_int = require("phasor.lib.attention").check_int
local raise, seen = tools.raise, tools.seen

local M = {}

local WHO = "train"
local OWN = {"test_every", "save_every", "checkpoint", "csv", "resume"}

-- A name that cannot be written is said before the first step, not after the last. What stands there stays.
local function check_path(key, path, suffix)
    if type(path) ~= "string" then raise(("%s: %s is %s; wanted a path"):format(WHO, key, seen(path))) end
    if path:sub(-#suffix) ~= suffix then raise(("%s: %s is %s; wanted a name that ends in %s"):format(WHO, key, seen(path), suffix)) end
    if key == "resume" then return end
    local can, fault = tools.writable(path)
    if not can then raise(("%s: %s: %s"):format(WHO, key, fault)) end
end

-- A run that goes on has its own settings.
local function check_names(given)
    local known = {}
    for _, list in ipairs{OWN, given.resume ~= nil and {"model", "data"} or trainers.OPTIONS} do
        for _, name in ipairs(list) do known[name] = true end
    end
    for key in next, given do if not known[key] then tools.unknown_option(WHO, key, known) end end
end

local function split(given)
    if not values.is_plain_table(given) then raise(("%s: the options are %s; wanted a table such as {model=, data=, steps=}"):format(WHO, seen(given))) end
    check_names(given)
    local own, rest = {}, {}
    for key, value in next, given do rest[key] = value end
    for _, key in ipairs(OWN) do own[key], rest[key] = rest[key], nil end
    for key, suffix in next, {checkpoint = ".safetensors", csv = ".csv", resume = ".safetensors"} do
        if own[key] ~= nil then check_path(key, own[key], suffix) end
    end
    own.test_every = check_int(WHO, "test_every", own.test_every == nil and 100 or own.test_every, 1)
    own.save_every = check_int(WHO, "save_every", own.save_every == nil and 200 or own.save_every, 1)
    if own.save_every ~= 200 and not own.checkpoint then raise(WHO .. ": save_every without a checkpoint to write") end
    return own, rest
end

-- ---- what is shown -----------------------------------------------------------------------------------------------------------

local BARS = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

-- The losses so far as a line of blocks, each the mean of its share.
function M.curve(losses, n, wide)
    local means, low, high = {}, math.huge, -math.huge
    for k = 1, math.min(wide, n) do
        local first, last = (k - 1) * n // math.min(wide, n) + 1, k * n // math.min(wide, n)
        local sum = 0.0
        for i = first, last do sum = sum + losses[i] end
        means[k] = sum / (last - first + 1)
        low, high = math.min(low, means[k]), math.max(high, means[k])
    end
    for k, v in ipairs(means) do means[k] = BARS[high > low and math.floor((v - low) / (high - low) * 7 + 0.5) + 1 or 1] end
    return table.concat(means)
end

local LINE = {en = "step %d of %d  loss %.4f  %s  %.0f tokens/s  %.0f %s left", zh = "第 %d 步，共 %d 步  损失 %.4f  %s  每秒 %.0f 个词元  还要 %.0f %s"}

local function show(run, began, from)
    if not guarded.due() then return end
    local t, now = run.step, guarded.clock()
    local each = (now - began) / math.max(1, t - from)
    local left = each * (run.steps - t)
    local long, said = left >= 90, {}
    for lang, line in pairs(LINE) do
        said[lang] = line:format(t, run.steps, run.loss, M.curve(run.history, t, 16), run.batch * run.length / each, long and left / 60 or left,
            lang == "zh" and (long and "分钟" or "秒") or long and "min" or "s")
    end
    guarded.say(said, t / run.steps)
end

-- ---- the best so far -----------------------------------------------------------------------------------------------------------

-- Mean loss of the last steps; a single batch says little.
local function recent(run)
    local n, sum = math.min(run.step, 25), 0.0
    for k = run.step - n + 1, run.step do sum = sum + run.history[k] end
    return sum / n
end

local function take_stock(run, kept)
    local loss = run.data.held and run:test() or recent(run)
    kept.tests[#kept.tests + 1] = {run.step, loss}
    if not kept.best or loss < kept.best.loss then kept.best = {loss = loss, step = run.step, state = run.now} end
end

local function walk(run, own, kept)
    local began, from = guarded.clock(), run.step
    while run:advance() do
        show(run, began, from)
        if run.step % own.test_every == 0 or run.step == run.steps then take_stock(run, kept) end
        if own.checkpoint and (run.step % own.save_every == 0 or run.step == run.steps) then run:save(own.checkpoint) end
    end
end

local Result = {__name = "a training result"}
Result.__index = function(t, key) values.unknown_field(key, "a training result", t) end
Result.__tostring = function(t) return ("train: %s after %d steps; best %s loss %.4f at step %d"):format(t.reason, t.steps, t.on, t.loss, t.step) end

local function table_of(list)
    return #list > 0 and lab.array(list) or lab.zeros(0, 2)
end

local function write_csv(path, run)
    local rows = {}
    for k = 1, run.step do rows[k] = {k, run.history[k]} end
    lab.write(path, table_of(rows), {header = {"step", "loss"}})
end

local function open(own, rest)
    if not own.resume then return trainers.new(rest) end
    return trainers.resume(own.resume, rest.data, rest.model)
end

-- train{model=, data=, ...}: what was learned, and how it went.
function M.train(given)
    local own, rest = split(given)
    local run, kept = open(own, rest), {tests = {}}
    guarded.begin()
    local ended = guarded.guard(function() walk(run, own, kept) end)
    if run.step == 0 then raise("interrupted") end
    if not kept.best then kept.best = {loss = recent(run), step = run.step, state = run.now} end
    if own.checkpoint and not ended then run:save(own.checkpoint) end
    if own.csv then write_csv(own.csv, run) end
    return setmetatable({model = run:model_at(kept.best.state), run = run, loss = kept.best.loss, step = kept.best.step, steps = run.step,
        on = run.data.held and "held-out" or "training", losses = run.losses, tests = table_of(kept.tests),
        reason = ended and "done" or "interrupted"}, Result)
end

return M
