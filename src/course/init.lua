-- course: `lesson`, `check`, `claims`, `grade` and `glossary`, as functions at the prompt and as commands.
--
-- main(command, …) takes the command's arguments and returns the exit status: 0 fine, 1 a check failed, 2 usage.

local audit = require "phasor.course.audit"
local book = require "phasor.course.book"
local catalogue = require "phasor.course.catalogue"
local classroom = require "phasor.course.classroom"
local entries = require "phasor.course.entries"
local experiments = require "phasor.course.experiments"
local training = require "phasor.course.training"
local glossary = require "phasor.course.glossary"
local grade = require "phasor.course.grade"
local host = require "phasor.course.host"
local ledger = require "phasor.ledger"
local model = require "phasor.course.model"
local nearest = require "phasor.course.nearest"
local json = require "phasor.lib.json"
local notebook = require "phasor.course.notebook"
local pack = require "phasor.course.pack"
local plan = require "phasor.course.plan"
local page_report = require "phasor.course.page_report"
local recheck = require "phasor.course.recheck"
local report = require "phasor.course.report"
local results = require "phasor.course.results"
local runs = require "phasor.course.runs"
local selfcheck = require "phasor.course.selfcheck"
local stated = require "phasor.course.stated"
local totals = require "phasor.course.totals"
local tutor = require "phasor.course.tutor"
local usages = require "phasor.course.usage"
local messages = require "phasor.course.messages"

local M = {}

-- What has been checked in this session: id -> result (run.lua).
local known = {}

local spoken -- the language that a command was asked to speak

local function usage(text, ...)
  error({usage = usages.text(spoken or host.language(), text, ...)}, 0)
end

-- ---- check ----------------------------------------------------------------------------------------------------------

local function all_names()
  local out = catalogue.names()
  for _, c in ipairs(ledger.claims) do out[#out + 1] = c.id end
  return out
end

local function open_lesson(name)
  local lesson, message = catalogue.open(name)
  if lesson or message then return lesson, message end
  local close = nearest.names(name, all_names(), 3)
  local lead = (spoken or host.language()) == "zh" and "；最接近的：" or "; the nearest: "
  usage("no claim or lesson \"%s\"%s", name, #close > 0 and lead .. table.concat(close, ", ") or "")
end

-- How many processes: as asked, else one for each processor.
local function jobs_of(command, text)
  local n = text and math.tointeger(tonumber(text))
  if text and not (n and n >= 1 and n <= 64) then usage("%s: --jobs %s; wanted a whole number from 1 to 64", command, text) end
  return n or math.min(host.cores(), 64)
end

local function save(path, text)
  local ok, message = host.save(path, text)
  if not ok then error({message = message}, 0) end
end

local function check_status(results, errors, strict)
  local n = report.count(results, errors)
  if n.failed + n.errors > 0 then return 1 end
  return strict and n.unsettled + n.unknown + n.weaker + n.astray > 0 and 1 or 0
end

-- ---- the commands ---------------------------------------------------------------------------------------------------

-- Splits arguments into options and the rest. `known`: option -> false (a flag) or what its value is called; --lang is always
-- among them.
local function arguments(command, known, ...)
  local options, rest, i = {}, {}, 1
  local args, names = table.pack(...), {}
  spoken = nil
  known["--lang"] = "en or zh"
  for name in pairs(known) do names[#names + 1] = name end
  table.sort(names)
  while i <= args.n do
    local a = args[i] == "-o" and known["--out"] and "--out" or args[i]
    local name, value = a:match("^(%-%-[%a-]+)=(.*)$")
    name = name or a
    if known[name] then
      if not value then i, value = i + 1, args[i + 1] end
      if not value and name ~= "--lang" then usage("%s: %s wants %s", command, name, known[name]) end
      options[name:sub(3)] = value or ""
    elseif known[name] == false and not value then
      options[name:sub(3)] = true
    elseif a:find("^%-") then
      usage("%s: no option %s%s", command, a, nearest.hint(name, names, host.language()))
    else
      rest[#rest + 1] = a
    end
    i = i + 1
  end
  if options.lang and not messages.language(options.lang) then usage("%s: --lang %s; wanted en or zh", command, options.lang) end
  options.asked, options.lang = options.lang, options.lang or host.language()
  spoken = options.lang
  return options, rest
end

-- A number above 0 given as an option's value.
local function positive(command, options, name, otherwise)
  local text = options[name]
  local n = text and tonumber(text) or not text and otherwise
  if not n or not (n > 0 and n < math.huge) then usage("%s: --%s %s; wanted a number above 0", command, name, text) end
  return n
end

local commands = {}

function commands.check(...)
  local options, names = arguments("check", {["--json"] = false, ["--strict"] = false, ["--time"] = false, ["--model"] = "a value",
                                             ["--word"] = "a value", ["--position"] = "a value", ["--jobs"] = "a number",
                                             ["--report"] = "a file", ["--coq"] = "a folder", ["--stated"] = "a file",
                                             ["--trust"] = false, ["--train"] = false}, ...)
  experiments.anew(options.train)
  local fault = model.fault(options)
  if fault then usage("check: %s", fault) end
  model.use(options)
  if #names == 1 then
    local lesson, ref = selfcheck.split(names[1])
    if lesson then return selfcheck.check(lesson, ref, options.lang, options.trust) end
  end
  local found = audit.run(names, open_lesson, jobs_of("check", options.jobs), {pictures = options.report, tex = options.report, proofs = options.coq,
                                                           trust = options.trust, lang = options.lang})
  for _, r in ipairs(found.results) do if r.outcome ~= "unsettled" then known[r.claim.id] = r end end
  local timed = options.time or host.coloured()
  host.write((options.json and report.check_json(found.results, found.errors, found, timed)
              or report.check_text(found.results, found.errors, found, #names > 0, timed, host.coloured() and host.columns() or nil)) .. "\n")
  found.timed = options.time
  if options.report then save(options.report, page_report.alone(found, options.lang)) end
  if options.coq then
    local ok, message = recheck.save(options.coq, found.proofs)
    if not ok then error({message = message}, 0) end
  end
  if options.stated then
    local text, message = stated.text(found.results)
    if not text then usage("check: %s", message) end
    save(options.stated, text)
  end
  return check_status(found.results, found.errors, options.strict)
end

-- What may follow `lesson` instead of a lesson's name.
local verbs = {
  plan = function(names, options)
    if #names > 0 then usage("lesson plan: takes no names") end
    host.write(plan.text(options.lang))
    return 0
  end,
  new = function(names, options)
    if #names ~= 1 then usage("lesson new: wanted one name") end
    return classroom.new(names[1], usage)
  end,
  lint = function(names, options) return classroom.lint(names, options.lang, usage) end,
  export = function(names, options)
    if #names ~= 1 then usage("lesson export: wanted the name of a lesson") end
    return classroom.export(names[1], options, usage)
  end,
}

function commands.lesson(...)
  local options, names = arguments("lesson", {["--seed"] = "a student's name", ["--restart"] = false, ["--out"] = "a file",
                                              ["--student"] = "a name", ["--trust"] = false}, ...)
  local verb = verbs[names[1]]
  if verb then return verb(table.move(names, 2, #names, 1, {}), options) end
  if #names > 1 then usage("lesson: %d names given; wanted one", #names) end
  if names[1] then return classroom.open(names[1], options, usage) end
  classroom.map(options.lang)
  return 0
end

function commands.grade(...)
  local options, files = arguments("grade", {["--out"] = "a file", ["--lesson"] = "a lesson", ["--seed"] = "a student's name",
                                             ["--seconds"] = "a number", ["--memory"] = "a number of MB", ["--weak"] = false,
                                             ["--trust"] = false,
                                             ["--accept-broken"] = false, ["--students"] = "a file", ["--questions"] = "a file",
                                             ["--feedback"] = "a folder", ["--overview"] = false}, ...)
  if host.lacks() and not options.weak then
    usage("grade: this system has no %s, so nothing keeps an answer from your files; --weak grades all the same", host.lacks())
  end
  if #files == 0 then usage("grade: no files; wanted hand-ins (phasor lesson export) or Lua files with answers") end
  options.limits = {seconds = positive("grade", options, "seconds", 10), megabytes = positive("grade", options, "memory", 1024)}
  local csv, unread, rows = grade.grade(files, options)
  if options.out then save(options.out, csv) elseif not options.overview then host.write(csv) end
  if options.overview then host.write(totals.overview(rows, options.lang, math.min(host.columns(), 96))) end
  if options.students then save(options.students, grade.csv(totals.STUDENT, totals.students(rows))) end
  if options.questions then save(options.questions, grade.csv(totals.QUESTION, totals.questions(rows))) end
  for _, f in ipairs(options.feedback and totals.feedback(rows, options.lang) or {}) do save(options.feedback .. "/" .. f.name, f.text) end
  return unread > 0 and 1 or 0
end

local function open_experiment(name)
  local experiment, message = experiments.open(name)
  if not experiment then usage("experiment: %s", message) end
  return experiment
end

-- How the shares of several machines are called: --only I/N, --parts N.
local function share_of(options)
  local share = options.only and runs.share(options.only)
  if options.only and not share then usage("experiment: --only %s; wanted I/N, such as 2/8", options.only) end
  return share
end

function commands.train(...)
  local options, names = arguments("train", {["--steps"] = "a number", ["--seed"] = "a number", ["--out"] = "a folder", ["--resume"] = false}, ...)
  if #names ~= 1 then usage("train: wanted a file that ends in .lua, or a recipe: %s", training.recipes()) end
  return training.train(names[1], options, usage)
end

local deeds = {
  list = function()
    for _, name in ipairs(experiments.names()) do host.write(("%-16s %s\n"):format(name, open_experiment(name).title.en)) end
    return 0
  end,
  run = function(experiment, options)
    local only, jobs = share_of(options), jobs_of("experiment", options.jobs or "1")
    local rank = not only and runs.rank(os.getenv) or nil
    if rank and jobs > 1 then usage("experiment: --jobs %d under a launcher; every rank does one run at a time, so start more of them", jobs) end
    return runs.run(experiment, {folder = options.out or experiment.name, jobs = jobs, only = only, rank = rank})
  end,
  report = function(experiment, options)
    return experiments.report(experiment, {folder = options.out, page = options.page, lang = options.lang,
                                           parts = options.parts and math.tointeger(tonumber(options.parts))})
  end,
}

function commands.experiment(...)
  local options, names = arguments("experiment", {["--jobs"] = "a number", ["--only"] = "I/N", ["--out"] = "a folder", ["--parts"] = "a number",
                                                  ["--page"] = "a file"}, ...)
  local deed = deeds[names[1]]
  if not deed then usage("experiment: %s; wanted list, run NAME or report NAME", names[1] or "nothing asked for") end
  if names[1] == "list" then return deed() end
  if #names ~= 2 then usage("experiment %s: wanted one name; phasor experiment list", names[1]) end
  return deed(open_experiment(names[2]), options)
end

function commands.glossary(...)
  local options, terms = arguments("glossary", {}, ...)
  local text, found = glossary.text(table.concat(terms, " "), options.lang)
  host.write(text)
  return found and 0 or 1
end

function commands.notebook(...)
  local options, names = arguments("notebook", {["--student"] = false, ["--out"] = "a file"}, ...)
  if #names ~= 1 then usage("notebook: wanted one lesson") end
  local lesson, message = open_lesson(names[1])
  if not lesson then error({message = message}, 0) end
  if options.asked and lesson.language and lesson.language ~= options.lang then catalogue.refuse_language(lesson) end
  options.lang = lesson.language or options.lang
  local text = json.write(notebook.make(lesson, options))
  if not options.out then
    host.write(text)
    return 0
  end
  local ok, why = host.save(options.out, text)
  if not ok then error({message = why}, 0) end
  return 0
end

function commands.page(...)
  local options, names = arguments("page", {["--all"] = false, ["--teacher"] = false, ["--teachers"] = "a folder", ["--out"] = "a folder",
                                            ["--jobs"] = "a number", ["--trust"] = false}, ...)
  if (#names == 0) ~= (options.all == true) then usage("page: wanted the names of lessons, or --all") end
  if not options.out or options.out == "" then usage("page: wanted -o and a folder to write into") end
  local errors = book.write(names, open_lesson, {out = options.out, teacher = options.teacher, teachers = options.teachers,
                                                 jobs = jobs_of("page", options.jobs), trust = options.trust, languages = options.asked and {options.lang} or {"en", "zh"}})
  for _, e in ipairs(errors) do io.stderr:write("phasor: ", e, "\n") end
  return #errors > 0 and 1 or 0
end

function commands.course(...)
  local options, names = arguments("course", {["--student"] = false, ["--checks"] = false, ["--out"] = "a folder", ["--jobs"] = "a number"}, ...)
  if #names == 0 then return verbs.plan(names, options) end
  if names[1] ~= "pack" or #names > 1 or not options.student then usage("course: wanted pack --student -o DIR, or nothing for the plan") end
  if not options.out or options.out == "" then usage("course pack: wanted -o and a folder to write into") end
  local packed = pack.write(options.out, {checks = options.checks, jobs = jobs_of("course pack", options.jobs)})
  host.write(messages.counted("%s/phasor: %d lesson(s) without solutions\n", options.out, #packed))
  return 0
end

function commands.claims(...)
  local options, names = arguments("claims", {["--json"] = false}, ...)
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
M.experiment_verdicts, M.experiment_results = experiments.experiment, experiments.results
M.named, M.fails, M.also, M.figure, M.says = entries.named, entries.fails, entries.also, entries.figure, entries.says
M.cited, M.in_bounds = entries.cited, entries.in_bounds

-- What stands behind a verdict, on the screen.
function M.why(v)
  if not (entries.is(v) or entries.is_verdict(v)) then
    error(("why: v is %s; wanted a verdict, as prove, certify and measure give it"):format(v == nil and "nothing" or "a " .. type(v)), 0)
  end
  host.write(results.why(v, messages.of(host.spoken()), math.min(host.columns(), 96)) .. "\n")
end

-- What is typed while a lesson is open (session.h, "prompt").
M.input = tutor.input

-- As functions at the prompt: a mistake is an error there, and nothing is returned.
for name in pairs(commands) do
  M[name] = function(...) guarded(function(text) error(text, 0) end, name, ...) end
end

return M
