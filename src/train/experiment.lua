-- An experiment as data: a file that returns
--
--   title     {en =, zh =}
--   claim     the claim of the ledger that it settles, or nil
--   factors   a list of {name, {value, ...}}: every combination is a run, the last factor varies fastest
--   measures  the names of the numbers that a run gives
--   run       function(f): the run with the factors f, a table of these numbers
--   rule      in words, as it was written before the runs
--   findings  function(R): what the results say, a list of {words = {en =, zh =}, finding = (statistics.decide)}
--   pictures  function(R): a list of {title =, figure =}; optional
--   data      the texts that the runs read, by name; optional
--
-- A run is a pure function of its factors, so it can be done anywhere, in any order, and again.
local tools = require "phasor.tools"
local values = require "phasor.lib.values"
local raise, seen = tools.raise, tools.seen

local M = {}

local WANTED = {title = "table", factors = "table", measures = "table", run = "function", findings = "function", rule = "string"}

local function label(v) return math.type(v) == "float" and ("%.17g"):format(v) or tostring(v) end

local function check_factors(name, factors)
    for k, f in ipairs(factors) do
        if type(f) ~= "table" or type(f[1]) ~= "string" or type(f[2]) ~= "table" or #f[2] == 0 then
            raise(("%s: factor %d is %s; wanted {name, {value, ...}}"):format(name, k, seen(f)))
        end
        for _, v in ipairs(f[2]) do
            if type(v) ~= "number" and (type(v) ~= "string" or v:find '[,"\n\r#]') then
                raise(("%s: %s has the value %s; wanted numbers, or words without commas"):format(name, f[1], seen(v)))
            end
        end
    end
end

-- Checks what a file returned; name: how it is called.
function M.read(name, given)
    if type(given) ~= "table" then raise(("%s: the file returns %s; wanted a table, an experiment"):format(name, seen(given))) end
    for key, kind in next, WANTED do
        if type(given[key]) ~= kind then raise(("%s: %s is %s; wanted a %s"):format(name, key, seen(given[key]), kind)) end
    end
    if not given.rule:find "%S" then raise(name .. ": rule is empty; wanted the decision in words, written before the runs") end
    check_factors(name, given.factors)
    local out = {name = name}
    for key, value in next, given do out[key] = value end
    return out
end

-- Every run of an experiment, a list of tables factor -> value.
function M.plan(experiment)
    local out = {{}}
    for _, factor in ipairs(experiment.factors) do
        local wider = {}
        for _, so_far in ipairs(out) do
            for _, v in ipairs(factor[2]) do
                local f = {}
                for key, value in next, so_far do f[key] = value end
                f[factor[1]] = v
                wider[#wider + 1] = f
            end
        end
        out = wider
    end
    return out
end

-- Nothing is concluded from nan or an infinity, so neither is a result.
local function is_result(v) return type(v) == "number" and v - v == 0 end

-- Does run k with its factors, and checks what it gives.
function M.run(experiment, k)
    local given, out = experiment.run(M.plan(experiment)[k]), {}
    for _, m in ipairs(experiment.measures) do
        local v = nil
        if type(given) == "table" then v = given[m] end
        if not is_result(v) then raise(("%s: run %d gives %s for %s; wanted a finite number"):format(experiment.name, k, seen(v), m)) end
        out[m] = v + 0.0
    end
    return out
end

-- ---- results as text ---------------------------------------------------------------------------------------------------------

local function columns(experiment)
    local out = {}
    for _, f in ipairs(experiment.factors) do out[#out + 1] = f[1] end
    return table.move(experiment.measures, 1, #experiment.measures, #out + 1, out)
end

local function row_text(experiment, f, row)
    local cells = {}
    for _, factor in ipairs(experiment.factors) do cells[#cells + 1] = label(f[factor[1]]) end
    for _, m in ipairs(experiment.measures) do cells[#cells + 1] = ("%.17g"):format(row[m]) end
    return table.concat(cells, ",")
end

-- The results of all runs that are done, as lines of a .csv under lines "# key: value". rows: run -> its numbers.
function M.text(experiment, rows, head)
    local out = {}
    for _, key in ipairs(values.sorted_keys(head)) do out[#out + 1] = ("# %s: %s"):format(key, head[key]) end
    out[#out + 1] = table.concat(columns(experiment), ",")
    for k, f in ipairs(M.plan(experiment)) do if rows[k] then out[#out + 1] = row_text(experiment, f, rows[k]) end end
    return table.concat(out, "\n") .. "\n"
end

local function cells_of(line)
    local out = {}
    for cell in (line .. ","):gmatch "(.-)," do out[#out + 1] = cell end
    return out
end

local function read_row(experiment, cells, index, rows)
    local n, row = #experiment.factors, {}
    local names, label_of = columns(experiment), table.concat(cells, ",", 1, math.min(n, #cells))
    local k, which = index[label_of], table.concat(names, ",", 1, n)
    if #cells ~= #names then return ("%d columns; wanted %d: %s"):format(#cells, #names, table.concat(names, ","):sub(1, 80)) end
    if not k then return ("%s is %s; wanted a run of the experiment"):format(which, seen(label_of)) end
    if rows[k] then return ("%s is %s for the second time; wanted each run once"):format(which, seen(label_of)) end
    for i, m in ipairs(experiment.measures) do
        local v = tonumber(cells[n + i])
        if not is_result(v) then return ("%s is %s; wanted a finite number"):format(m, seen(cells[n + i])) end
        row[m] = v + 0.0
    end
    rows[k] = row
end

-- rows and head of such a text; nil and what is wrong with it.
function M.parse(experiment, text)
    local rows, head, index, titled = {}, {}, {}, false
    for k, f in ipairs(M.plan(experiment)) do
        local names = {}
        for _, factor in ipairs(experiment.factors) do names[#names + 1] = label(f[factor[1]]) end
        index[table.concat(names, ",")] = k
    end
    local n = 0
    for line in text:gmatch "[^\n]+" do
        n = n + 1
        local key, value = line:match "^# ([^:]+): (.*)$"
        if key then head[key] = value
        elseif not titled then
            local wanted = table.concat(columns(experiment), ",")
            if line ~= wanted then return nil, ("line %d: the columns are %s; wanted %s"):format(n, seen(line), wanted:sub(1, 80)) end
            titled = true
        else
            local fault = read_row(experiment, cells_of(line), index, rows)
            if fault then return nil, ("line %d: %s"):format(n, fault) end
        end
    end
    if not titled then return nil, ("no line names the columns; wanted %s"):format(table.concat(columns(experiment), ","):sub(1, 80)) end
    return rows, head
end

-- ---- results as a table --------------------------------------------------------------------------------------------------------

local Results = {}
Results.__index = Results

-- The numbers in the plan of the runs with these factors.
local function runs_like(R, where)
    local out = {}
    for k, f in ipairs(R.plan) do
        local fits = true
        for key, value in next, where or {} do
            if f[key] == nil then raise(("%s: no factor is called %s"):format(R.name, tostring(key))) end
            fits = fits and f[key] == value
        end
        if fits then out[#out + 1] = k end
    end
    if #out == 0 then raise(("%s: no run is like that"):format(R.name)) end
    return out
end

-- R:values("within", {position = "rope"}): that number of every such run, in the order of the plan. Where one of them is missing there is no answer.
function Results:values(measure, where)
    local out = {}
    for i, k in ipairs(runs_like(self, where)) do
        if not self.rows[k] then raise(("%s: run %d is missing"):format(self.name, k)) end
        out[i] = self.rows[k][measure]
        if out[i] == nil then raise(("%s: no number is called %s"):format(self.name, tostring(measure))) end
    end
    return out
end

-- Are all such runs done?
function Results:complete(where)
    for _, k in ipairs(runs_like(self, where)) do if not self.rows[k] then return false end end
    return true
end

-- The difference of two such lists, run by run.
function Results:difference(measure, where, other, there)
    local a, b = self:values(measure, where), self:values(other, there)
    if #a ~= #b then raise(("%s: %d runs against %d"):format(self.name, #a, #b)) end
    for k = 1, #a do a[k] = a[k] - b[k] end
    return a
end

function M.results(experiment, rows) return setmetatable({name = experiment.name, plan = M.plan(experiment), rows = rows}, Results) end

-- Where two rows of results lead the rule to different ends, the first such finding in words; nil: they agree.
function M.disagreement(experiment, rows, others)
    local a, b = experiment.findings(M.results(experiment, rows)), experiment.findings(M.results(experiment, others))
    if #a ~= #b then return ("%d findings against %d"):format(#a, #b) end
    for k = 1, #a do
        if a[k].finding.side ~= b[k].finding.side then
            return ("finding %d lies %s %g, and %s it"):format(k, a[k].finding.side, a[k].finding.threshold, b[k].finding.side)
        end
    end
end

-- How many runs are not done.
function M.missing(experiment, rows)
    local n = 0
    for k = 1, #M.plan(experiment) do if not rows[k] then n = n + 1 end end
    return n
end

return M
