-- course: `lesson`, `check` and `claims`, as functions at the prompt and as commands.
--
-- main(command, …) takes the command's arguments and returns the exit status: 0 fine, 1 a check failed, 2 usage.

local catalogue = require "phasor.course.catalogue"
local host = require "phasor.course.host"
local ledger = require "phasor.ledger"
local model = require "phasor.course.model"
local nearest = require "phasor.course.nearest"
local report = require "phasor.course.report"
local run = require "phasor.course.run"
local step = require "phasor.course.step"
local words = require "phasor.course.words"

local M = {}

-- What has been checked in this session: id -> result (run.lua).
local known = {}

local function usage(text, ...)
  error({usage = text:format(...)}, 0)
end

-- ---- check ----------------------------------------------------------------------------------------------------------

-- What to run: lessons in order, each with the set of claims wanted from it (nil: all of it); and the ids asked for by
-- name that no lesson checks.
local function plan(names)
  local order, wanted, open = {}, {}, {}
  local lesson_of = catalogue.lesson_of()
  local function want(lesson, id)
    if wanted[lesson] == nil then
      order[#order + 1] = lesson
      wanted[lesson] = id and {} or false
    end
    if not id then wanted[lesson] = false end
    if wanted[lesson] then wanted[lesson][id] = true end
  end
  if #names == 0 then
    for _, name in ipairs(catalogue.names()) do want(name) end
    for _, c in ipairs(ledger.claims) do if not lesson_of[c.id] then open[#open + 1] = c.id end end
  end
  for _, name in ipairs(names) do
    if ledger.by_id[name] then
      if lesson_of[name] then want(lesson_of[name], name) else open[#open + 1] = name end
    else
      want(name)
    end
  end
  return order, wanted, open
end

local function all_names()
  local out = catalogue.names()
  for _, c in ipairs(ledger.claims) do out[#out + 1] = c.id end
  return out
end

local function open_lesson(name)
  local lesson, message = catalogue.open(name)
  if lesson or message then return lesson, message end
  local close = nearest.names(name, all_names(), 3)
  usage("no claim or lesson \"%s\"%s", name, #close > 0 and "; the nearest: " .. table.concat(close, ", ") or "")
end

-- Runs what `names` (ids, lessons, files) ask for. Returns results in order, messages of what went wrong beside them, how
-- many verdicts beside the claims hold, and how many exercises were tested.
local function check(names)
  local order, wanted, open = plan(names)
  local results, errors, lessons, others, exercises = {}, {}, {}, 0, 0
  for i, name in ipairs(order) do -- every name is looked up before anything runs
    local lesson, message = open_lesson(name)
    lessons[i] = lesson or false
    errors[#errors + 1] = message
  end
  for i, lesson in ipairs(lessons) do
    if lesson then
      local faults = catalogue.lint(lesson, ledger)
      table.move(faults, 1, #faults, #errors + 1, errors)
      if #faults == 0 then
        local done, messages, n, tested = run.lesson(lesson, ledger, host.eval, host.silent(), wanted[order[i]] or nil, host)
        others, exercises = others + n, exercises + tested
        table.move(done, 1, #done, #results + 1, results)
        table.move(messages, 1, #messages, #errors + 1, errors)
      end
    end
  end
  for _, r in ipairs(results) do known[r.claim.id] = r end
  for _, id in ipairs(open) do
    results[#results + 1] = {claim = ledger.by_id[id], outcome = "unsettled", strength = "unknown",
                             line = "no lesson checks it yet", time = 0}
  end
  return results, errors, others, exercises
end

local function check_status(results, errors, strict)
  local n = report.count(results, errors)
  if n.failed + n.errors > 0 then return 1 end
  return strict and n.unsettled + n.unknown + n.weaker > 0 and 1 or 0
end

-- ---- lesson ---------------------------------------------------------------------------------------------------------

local function list_lessons(lang)
  local w = words.of(lang)
  host.write(w.lessons .. "\n")
  for _, name in ipairs(catalogue.names()) do
    local lesson, message = catalogue.open(name)
    if lesson then
      local n = #catalogue.claims(lesson)
      local settles = n > 0 and (" (%s)"):format(w.settles:format(n)) or ""
      host.write(("  %-14s %s%s\n"):format(name, catalogue.title(lesson, lang), settles))
    else
      host.write("  " .. message .. "\n")
    end
  end
end

local function walk(name, lang)
  local lesson, message = catalogue.open(name)
  if not lesson then
    if message then error({message = message}, 0) end
    usage(words.of(lang).no_lesson, name, catalogue.hint(name))
  end
  return step.walk(lesson, ledger, host, lang, words.of(lang)) > 0 and 1 or 0
end

-- ---- the commands ---------------------------------------------------------------------------------------------------

-- Splits arguments into options (flags named in `flags`, those that end in "=" and --lang take a value) and the rest.
local function arguments(command, flags, ...)
  local options, rest, i = {}, {}, 1
  local args = table.pack(...)
  local known_options = {"--lang"}
  local takes = {}
  for _, flag in ipairs(flags) do
    local name = flag:gsub("=$", "")
    known_options[#known_options + 1] = name
    takes[name] = name ~= flag
  end
  while i <= args.n do
    local a = args[i]
    local value = a:match("^%-%-lang=(.*)$")
    local name = a:match("^(%-%-%a+)=?")
    if a == "--lang" or value then
      if not value then i, value = i + 1, args[i + 1] end
      options.lang = value and words.language(value) or usage("%s: --lang %s; wanted en or zh", command, value or "")
    elseif name and takes[name] then
      value = a:match("=(.*)$")
      if not value then i, value = i + 1, args[i + 1] end
      options[name:sub(3)] = value or usage("%s: %s wants a value", command, name)
    elseif a:find("^%-") then
      local known_flag
      for _, flag in ipairs(flags) do known_flag = known_flag or a == flag end
      if not known_flag then usage("%s: no option %s%s", command, a, nearest.hint(a, known_options)) end
      options[a:sub(3)] = true
    else
      rest[#rest + 1] = a
    end
    i = i + 1
  end
  options.lang = options.lang or host.language()
  return options, rest
end

local commands = {}

function commands.check(...)
  local options, names = arguments("check", {"--json", "--strict", "--time", "--model=", "--word=", "--position="}, ...)
  local fault = model.fault(options)
  if fault then usage("check: %s", fault) end
  model.use(options)
  local results, errors, others, exercises = check(names)
  local beside = {others = others, exercises = exercises}
  host.write((options.json and report.check_json(results, errors, beside, options.time)
              or report.check_text(results, errors, beside, #names > 0, options.time)) .. "\n")
  return check_status(results, errors, options.strict)
end

function commands.lesson(...)
  local options, names = arguments("lesson", {}, ...)
  if #names > 1 then usage("lesson: %d names given; wanted one", #names) end
  if not names[1] then
    list_lessons(options.lang)
    return 0
  end
  return walk(names[1], options.lang)
end

function commands.claims(...)
  local options, names = arguments("claims", {"--json"}, ...)
  if #names > 0 then usage("claims: takes no names; `check %s` checks one", names[1]) end
  local lesson_of = catalogue.lesson_of()
  host.write((options.json and report.claims_json(ledger, lesson_of, known)
              or report.claims_text(ledger, lesson_of, known, options.lang)) .. "\n")
  return 0
end

-- Runs a command; a mistake in its use or its files is said on `complain` and becomes the exit status.
local function guarded(complain, command, ...)
  local ok, result = xpcall(commands[command], function(e)
    return type(e) == "table" and e or {fault = e}
  end, ...)
  if ok then return result end
  if result.fault then error(result.fault, 0) end
  complain(result.usage or result.message)
  return result.usage and 2 or 1
end

function M.main(command, ...)
  if not commands[command] then error("course: no command " .. tostring(command)) end
  return guarded(function(text) io.stderr:write("phasor: ", text, "\n") end, command, ...)
end

M.trained = model.trained

-- As functions at the prompt: a mistake is an error there, and nothing is returned.
for name in pairs(commands) do
  M[name] = function(...) guarded(function(text) error(text, 0) end, name, ...) end
end

return M
