-- runs.lua: the runs of an experiment (train/experiment.lua) done, and their results in a folder.
--
-- A folder holds results.csv, written anew, whole, after every run, so a run that is killed loses itself only. Its head says of which experiment,
-- code and data the results are: others are refused, not mixed.
--
-- Several processes may share a folder, on one machine or many: the ranks of mpirun, srun or another that numbers its processes in the
-- environment. No message passes between them. Run K belongs to the rank that holds the lock runs/K.lock; when it is done it lies in
-- runs/K.csv, sealed as results are. The system lets go of a lock when its process ends, however it ends, so what a dead rank began
-- another one does. In the end results.csv has all of them, the same bytes as one process writes, and runs/ goes.
-- Invariant: runs/K.lock goes only after run K is in results.csv, so who takes a lock and then looks never does a run twice.

local pool = require "phasor.course.pool"
local host = require "phasor.course.host"
local lab = require "phasor"
local plan = require "phasor.train.experiment"
local tools = require "phasor.tools"

local M = {}

-- ---- results as they are kept -----------------------------------------------------------------------------------------

local function code_print()
  local all = {}
  for _, f in ipairs(require "phasor.embedded" "src/train/") do all[#all + 1] = f.text end
  return host.sha256(table.concat(all, "\0"))
end

-- What the head of results says. Versions and code say where they came from; the experiment and its data must be the same. How many threads
-- there were is not said: their number changes no bit.
function M.head(experiment)
  local v = lab.version
  return {experiment = experiment.name .. " " .. experiment.text, data = experiment.data, code = code_print(),
          versions = ("phasor %s, Lua %s, BLAS %s"):format(v.phasor, tostring(v.lua), tostring(v.blas)), cpu = (tostring(v.cpu):gsub(", %d+ threads?$", ""))}
end

local MUST = {"experiment", "data"}

-- Results as they are kept: under the fingerprint of all that follows, so that a damaged or edited file is no result.
local function sealed(text) return ("# fingerprint: %s\n%s"):format(host.sha256(text), text) end

-- rows and head of results that fit the experiment; or nil and what is wrong.
function M.read(experiment, kept)
  local print, text = kept:match "^# fingerprint: (%x+)\n(.*)$"
  if not text then return nil, "they were changed or damaged after the runs: no line \"# fingerprint: …\" stands first" end
  if print ~= host.sha256(text) then
    return nil, ("they were changed or damaged after the runs: fingerprint is %s; wanted %s"):format(tools.seen(print), host.sha256(text):sub(1, 16))
  end
  local rows, head = plan.parse(experiment, text)
  if not rows then return nil, head end
  local wanted = M.head(experiment)
  for _, key in ipairs(MUST) do
    if head[key] ~= wanted[key] then
      return nil, ("they are of another %s: %s; wanted %s"):format(key, tools.seen(head[key]), wanted[key]:sub(1, 60))
    end
  end
  return rows, head
end

function M.fail(...) error({message = select("#", ...) > 1 and string.format(...) or (...)}, 0) end

function M.save(path, text)
  local ok, why = host.save(path, text)
  if not ok then M.fail("%s", why) end
end

local function results_in(experiment, path)
  local text, why, missing = host.contents(path)
  if missing then return {} end
  if not text then M.fail("%s", why) end
  local rows
  rows, why = M.read(experiment, text)
  if not rows then M.fail("%s: these are no results to go on from: %s", path, why) end
  return rows
end

local function path_of(folder, only)
  return only and ("%s/results-%d-of-%d.csv"):format(folder, only.i, only.n) or folder .. "/results.csv"
end

local function run_path(folder, k, ending) return ("%s/runs/%d.%s"):format(folder, k, ending) end

local function merge(rows, more)
  for k, row in pairs(more) do rows[k] = row end
  return rows
end

-- Those of ranks that have not come to their end, then those of results.csv: a rank's file goes only when its row is there.
local function all_results(experiment, folder)
  local rows = {}
  for k = 1, #plan.plan(experiment) do merge(rows, results_in(experiment, run_path(folder, k, "csv"))) end
  return merge(rows, results_in(experiment, path_of(folder)))
end

-- All rows in a folder, of one process or of n shares.
function M.collect(experiment, folder, n)
  local rows = all_results(experiment, folder)
  for i = 1, n or 0 do merge(rows, results_in(experiment, path_of(folder, {i = i, n = n}))) end
  return rows
end

-- "2/8": the second of eight shares of the runs.
function M.share(text)
  local i, n = text:match "^(%d+)/(%d+)$"
  i, n = math.tointeger(tonumber(i)), math.tointeger(tonumber(n))
  if not i or i < 1 or i > n then return nil end
  return {i = i, n = n}
end

-- ---- one process --------------------------------------------------------------------------------------------------------

local function described(experiment, k)
  local f, out = plan.plan(experiment)[k], {}
  for _, factor in ipairs(experiment.factors) do out[#out + 1] = ("%s %s"):format(factor[1], tostring(f[factor[1]])) end
  return table.concat(out, ", ")
end

local function say(...)
  host.write(string.format(...))
  host.flush()
end

-- Does these runs, `jobs` at a time; landed(k, row, fault) as each ends.
local function do_runs(experiment, todo, jobs, landed)
  pool.run(host, #todo, jobs, function() return 1 end, function(i) return plan.run(experiment, todo[i]) end,
    function(i, row, fault) landed(todo[i], row, fault) end)
end

local function missing_in(experiment, rows)
  local out = {}
  for k = 1, #plan.plan(experiment) do if not rows[k] then out[#out + 1] = k end end
  return out
end

-- What is done goes into results.csv; when that has all, the ranks' own files go.
local function gather(experiment, folder)
  local lock, why = host.lock(folder .. "/runs/all.lock", "wait")
  if not lock then M.fail("%s: %s", folder, why) end
  local before, rows = results_in(experiment, path_of(folder)), all_results(experiment, folder)
  local text = plan.text(experiment, rows, M.head(experiment))
  if text ~= plan.text(experiment, before, M.head(experiment)) then M.save(path_of(folder), sealed(text)) end
  local open = #missing_in(experiment, rows)
  if open == 0 then
    for k = 1, #plan.plan(experiment) do
      os.remove(run_path(folder, k, "csv"))
      os.remove(run_path(folder, k, "lock"))
    end
    host.sweep(folder .. "/runs") -- all are done: nobody writes there
    os.remove(folder .. "/runs/all.lock")
    os.remove(folder .. "/runs") -- stays while another rank's lock is in it
  end
  host.unlock(lock)
  return open
end

-- Were there ranks that did not come to their end?
local function left_by_ranks(experiment, folder)
  for k = 1, #plan.plan(experiment) do if host.exists(run_path(folder, k, "lock")) then return true end end
  return host.exists(folder .. "/runs/all.lock")
end

local function alone(experiment, o, path)
  local rows, todo, head = o.only and results_in(experiment, path) or all_results(experiment, o.folder), {}, M.head(experiment)
  for k = 1, #plan.plan(experiment) do
    if not rows[k] and (not o.only or (k - 1) % o.only.n == o.only.i - 1) then todo[#todo + 1] = k end
  end
  say("%s: %d runs, %d to do\n", experiment.name, #plan.plan(experiment), #todo)
  local faults, done = 0, 0
  do_runs(experiment, todo, o.jobs, function(k, row, fault)
    done = done + 1
    if row then
      rows[k] = row
      M.save(path, sealed(plan.text(experiment, rows, head)))
    else faults = faults + 1 end
    say("%d of %d: %s%s\n", done, #todo, described(experiment, k), row and "" or ": " .. tostring(fault))
  end)
  if not o.only and left_by_ranks(experiment, o.folder) then gather(experiment, o.folder) end
  return faults == 0 and 0 or 1
end

-- ---- ranks --------------------------------------------------------------------------------------------------------------

-- How launchers number their processes: Open MPI, MPICH and Intel, srun.
local NUMBERED = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}

-- {i, n}: the i-th of n processes, from 0, as the launcher numbers them; nil: there is one.
function M.rank(getenv)
  for _, names in ipairs(NUMBERED) do
    local i, n = math.tointeger(tonumber(getenv(names[1]))), math.tointeger(tonumber(getenv(names[2])))
    if i and n and n > 1 then return {i = i, n = n} end
  end
end

-- Does run k if it is free and not done. how: nil, or "wait" until it is free. Gives its row, however it came about; or nil, and why it failed.
local function claim(experiment, o, k, how)
  local path = run_path(o.folder, k, "lock")
  local lock, why, taken = host.lock(path, how)
  if not lock and not taken then M.fail("%s: %s", path, why) end
  if not lock then return nil end
  local row, fault = all_results(experiment, o.folder)[k], nil
  if not row then
    do_runs(experiment, {k}, 1, function(_, made, failed) row, fault = made, failed end)
    if row then M.save(run_path(o.folder, k, "csv"), sealed(plan.text(experiment, {[k] = row}, M.head(experiment)))) end
    say("rank %d: %s%s\n", o.rank.i, described(experiment, k), row and "" or ": " .. tostring(fault))
  end
  host.unlock(lock)
  return row, fault
end

-- First every run that is free; then, one after another, those that others hold: done when they are let go of, or to be done here.
local function as_rank(experiment, o)
  local rows, tried = all_results(experiment, o.folder), {}
  say("%s: rank %d of %d: %d runs, %d to do\n", experiment.name, o.rank.i, o.rank.n, #plan.plan(experiment), #missing_in(experiment, rows))
  for _, how in ipairs {"free", "wait"} do
    for _, k in ipairs(missing_in(experiment, rows)) do
      if not tried[k] then
        local row, fault = claim(experiment, o, k, how == "wait" and how or nil)
        rows[k], tried[k] = row, fault ~= nil
      end
    end
  end
  return gather(experiment, o.folder) == 0 and 0 or 1
end

-- Does the runs that are not done yet, in `jobs` processes, and writes each down as it ends. o: {folder, jobs, only, rank}.
function M.run(experiment, o)
  local path = path_of(o.folder, o.only)
  local lock, why = host.lock(path .. ".lock", o.rank and "shared" or nil)
  if not lock then M.fail("%s: %s", path, why) end
  if not o.rank then return alone(experiment, o, path) end
  return as_rank(experiment, o)
end

return M
