-- audit.lua: runs what `check` was asked for, a lesson at a time, each in a process of its own, and puts the results in the
-- order of the ledger.

local about = require "phasor.lib.about"
local catalogue = require "phasor.course.catalogue"
local pool = require "phasor.course.pool"
local host = require "phasor.course.host"
local ledger = require "phasor.ledger"
local recheck = require "phasor.course.recheck"
local record = require "phasor.course.record"
local run = require "phasor.course.run"
local stranger = require "phasor.course.stranger"
local messages = require "phasor.course.messages"

local M = {}

local place = {} -- id -> where it stands in the ledger
for i, c in ipairs(ledger.claims) do place[c.id] = i end

local long = {} -- name of a lesson -> how many take less long
for i, name in ipairs(ledger.longest) do long[name] = #ledger.longest + 1 - i end

-- What to run: lessons in order, each with the set of claims wanted from it (false: all of it); the ids asked for by
-- name that no lesson checks; and the lessons that had to be read for that, by name.
local function plan(names)
  local order, wanted, open = {}, {}, {}
  local claimed = #names == 0
  for _, name in ipairs(names) do claimed = claimed or ledger.by_id[name] ~= nil end
  local lesson_of, read = {}, {}
  if claimed then lesson_of, read = catalogue.lesson_of() end
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
      if lesson_of[name] then want(lesson_of[name].name, name) else open[#open + 1] = name end
    else
      want(name)
    end
  end
  return order, wanted, open, read
end

-- ---- what crosses from one process to another -----------------------------------------------------------------------

local function flat(r, extras)
  local verdicts, v = {}, r.spokesman
  for i, e in ipairs(r.verdicts) do
    verdicts[i] = {lines = {en = e:line "en", zh = e:line "zh"}, plain = e:json(), timed = e:json {time = true}, fails = e.fails,
                   says = {en = e:statement_in "en", zh = e:statement_in "zh"}, captions = {en = e:caption "en", zh = e:caption "zh"},
                   sources = {en = e:cited_in "en", zh = e:cited_in "zh"},
                   tex = extras.tex and about.formulas(e.verdict, e.words or nil), verdict = {strength = e.verdict.strength,
                   texts = {en = e.verdict:text "en", zh = e.verdict:text "zh"}}}
  end
  return {id = r.claim.id, outcome = r.outcome, strength = r.strength, line = r.line, lines = r.lines, time = r.time, at = r.cell.line,
          ref = r.cell.ref, mutants = r.mutants, verdicts = verdicts, stated = r.stated, astray = r.astray,
          spokesman = v and {method = v.method, conditions = v.conditions, size = v.size}}
end

-- An entry (entries.lua) and its verdict, as far as they are written down.
local entry_class = {__index = {json = function(e, options) return options and e.timed or e.plain end,
                                line = function(e, lang) return e.lines[lang] end,
                                caption = function(e, lang) return e.captions[lang] end,
                                cited_in = function(e, lang) return e.sources[lang] end,
                                statement_in = function(e, lang) return e.says[lang] end}}
local verdict_class = {__index = {text = function(v, lang) return v.texts[lang] end}}

local function restored(r, lesson)
  for _, e in ipairs(r.verdicts) do
    setmetatable(e, entry_class)
    setmetatable(e.verdict, verdict_class)
  end
  r.claim, r.lesson, r.cell = ledger.by_id[r.id], lesson, {line = r.at, ref = r.ref}
  return r
end

-- ---- in the process of a lesson -------------------------------------------------------------------------------------

-- The picture that a value is, as SVG; nil: it is none.
local function picture(value)
  local meta = debug.getmetatable(value)
  local mime = type(meta) == "table" and rawget(meta, "__mime")
  local forms = mime and mime(value, {"image/svg+xml"})
  return forms and forms["image/svg+xml"]
end

local function keep(pictures, cell, value)
  local svg = picture(value)
  if svg then pictures[#pictures + 1] = {ref = cell and cell.ref, at = cell and cell.line, svg = svg} end
end

-- Fresh globals for a lesson; what it shows goes to the recorder, if there is one.
local function globals(lesson, extras, recorder)
  local env = host.silent()
  if stranger.is(lesson, extras) then stranger.guard(env) end
  for name, f in pairs(recorder and recorder:names() or {}) do rawset(env, name, f) end
  return env
end

-- A lesson with faults does not run.
local function work(lesson, wanted, extras)
  local faults = catalogue.lint(lesson, ledger)
  if #faults > 0 then return {faults = faults} end
  local pictures, proofs, running = {}, {}, nil
  if stranger.is(lesson, extras) then stranger.confine(lesson, extras) end
  local recorder = extras.record and record.new()
  local env = globals(lesson, extras, recorder)
  if extras.pictures then rawset(env, "display", function(value) keep(pictures, running, value) end) end
  local watch = {before = function(cell)
    running = cell
    if recorder then recorder:before(cell) end
  end, after = function(cell, value, result)
    if recorder then recorder:after(cell, value, result) end
    if extras.pictures then keep(pictures, cell, value) end
    if extras.proofs then recheck.gather(proofs, lesson, cell, value) end
  end, failed = function(cell, message)
    if recorder then recorder:failed(message) end
  end}
  local done, messages, others, tested = run.lesson(lesson, ledger, host.eval, env, wanted, host, watch)
  if extras.record == "both" then recorder:retell(lesson, host.eval, function(again) return globals(lesson, extras, again) end) end
  for i, r in ipairs(done) do done[i] = flat(r, extras) end
  return {done = done, messages = messages, others = others, tested = tested, pictures = pictures, proofs = proofs,
          outputs = recorder and recorder.outputs}
end

-- ---- here -----------------------------------------------------------------------------------------------------------

local WIDTH = 30 -- of the bar

local function bar(fraction, text)
  local full = math.floor(fraction * WIDTH + 0.5)
  return ("[%s%s] %s"):format(("#"):rep(full), ("."):rep(WIDTH - full), text)
end

local function missing(id, line, outcome)
  return {claim = ledger.by_id[id], outcome = outcome or "unsettled", strength = "unknown", line = line, time = 0}
end

-- The results of a lesson, and those of its claims that it did not come to.
local function collect(out, lesson, wanted, share, why)
  local seen = {}
  if not share then
    out.errors[#out.errors + 1] = ("%s: %s"):format(lesson.file, why)
  else
    for _, r in ipairs(share.done) do
      seen[r.id] = true
      out.results[#out.results + 1] = restored(r, lesson)
    end
    table.move(share.messages, 1, #share.messages, #out.errors + 1, out.errors)
    for _, p in ipairs(share.pictures) do
      p.lesson = lesson
      out.pictures[#out.pictures + 1] = p
    end
    table.move(share.proofs, 1, #share.proofs, #out.proofs + 1, out.proofs)
    out.outputs[lesson.file] = share.outputs
    out.others, out.exercises = out.others + share.others, out.exercises + share.tested
  end
  for _, id in ipairs(catalogue.claims(lesson)) do
    if ledger.by_id[id] and not seen[id] and (not wanted or wanted[id]) then
      out.results[#out.results + 1] = missing(id, share and "its lesson ended before it" or why)
    end
  end
end

-- Runs what `names` (ids, lessons, files) ask for, in `jobs` processes. open(name) gives a lesson, or nil and a message, or raises.
-- Returns {results, errors (messages of what went wrong beside them), others (how many verdicts beside the claims hold), exercises
-- (how many were tested), and where `extras` says so pictures, the TeX of what verdicts are about,
-- proofs (recheck.lua) and outputs (by file, record.lua; "both": as they are in both languages)}. extras.trust: lessons from files run as they are.
function M.run(names, open, jobs, extras)
  local order, wanted, unsettled, read = plan(names)
  local out = {results = {}, errors = {}, others = 0, exercises = 0, pictures = {}, proofs = {}, outputs = {}}
  local lessons, sets, shares, total, finished, ended = {}, {}, {}, 0, 0, 0
  local early, where = {}, {} -- messages of what cannot be run, and where each lesson stands in `order`
  for k, name in ipairs(order) do -- every name is looked up before anything runs
    local lesson, message = read[name], nil
    if not lesson then lesson, message = open(name) end
    early[k] = {message}
    if lesson then
      lessons[#lessons + 1], sets[#sets + 1], where[#where + 1] = lesson, wanted[name], k
      total = total + #lesson.cells
    end
  end
  stranger.warn(lessons, extras, function(text) io.stderr:write("phasor: ", text, "\n") end)
  pool.run(host, #lessons, jobs, function(i) return 1000 * (long[lessons[i].name] or 0) + #lessons[i].cells end, function(i)
    return work(lessons[i], sets[i] or nil, extras)
  end, function(i, share, why)
    shares[i] = {share = share, why = why}
    finished = finished + #lessons[i].cells
    ended = ended + 1
    local part = finished / total
    host.progress({en = bar(part, messages.counted("%d of %d lesson(s)", ended, #lessons)), zh = bar(part, ("%d / %d 课"):format(ended, #lessons))}, part)
  end)
  for i in ipairs(lessons) do early[where[i]] = shares[i].share and shares[i].share.faults or early[where[i]] end
  for _, messages in ipairs(early) do table.move(messages, 1, #messages, #out.errors + 1, out.errors) end
  for i, lesson in ipairs(lessons) do
    if not (shares[i].share and shares[i].share.faults) then collect(out, lesson, sets[i], shares[i].share, shares[i].why) end
  end
  for _, id in ipairs(unsettled) do out.results[#out.results + 1] = missing(id, "no lesson checks it yet") end
  table.sort(out.results, function(a, b) return place[a.claim.id] < place[b.claim.id] end)
  return out
end

return M
