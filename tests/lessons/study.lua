-- For study.h: one lesson, lesson_name, read, linted and run.
parser, linter = require 'phasor.course.parse', require 'phasor.course.lint'
runner, host, ledger = require 'phasor.course.run', require 'phasor.course.host', require 'phasor.ledger'
course = require 'phasor.course'
for _, l in ipairs(require 'phasor.course.shipped') do if l.name == lesson_name then source = l.text end end
ours = assert(parser.parse(source, lesson_name .. '.lua'))
env = host.silent()
-- Every verdict in full: a lesson shows its caption and its strength.
entries, lines = require 'phasor.course.entries', {}
function keep(v)
  if type(v) == 'userdata' and getmetatable(v) == 'Verdict' then v = entries.of(v) end
  if entries.is(v) then lines[#lines + 1] = v:line 'en'
  elseif type(v) == 'table' then for _, inner in pairs(v) do keep(inner) end end
end
results, messages, others = runner.lesson(ours, ledger, host.eval, env, nil, nil, {before = function() end,
  after = function(_, value) keep(value) end})
-- The cell with this claim, or this ref.
function cell_of(key)
  for _, c in ipairs(ours.cells) do if not c.prose and (c.claim == key or (not c.claim and c.ref == key)) then return c end end
end
function run_with(cell, code)
  local done = runner.cell(ours, setmetatable({code = code}, {__index = cell}), ledger, host.eval, env, true)
  assert(done.ok, done.message)
  return done.result
end
-- Spoils one place of a cell: "failed", then "with a witness" when a verdict that should hold is refuted. A cell that defines functions is
-- run again as it was. where: the place is in that cell, which is run before.
function spoil(key, from, to, where)
  local cell = cell_of(where or key)
  local a, b = cell.code:find(from, 1, true)
  assert(a and not cell.code:find(from, b + 1, true), 'not there once: ' .. from)
  local r = run_with(cell, cell.code:sub(1, a - 1) .. to .. cell.code:sub(b + 1))
  if where then r = run_with(cell_of(key), cell_of(key).code) end
  if where or ('\n' .. cell.code):find('\nfunction ') then run_with(cell, cell.code) end
  local v = r.spokesman
  return r.outcome .. (v and v.witness and ' with a witness' or '')
end
-- id outcome strength, … of every claim
function told()
  local out = {}
  for i, r in ipairs(results) do out[i] = r.claim.id .. ' ' .. r.outcome .. ' ' .. r.strength end
  return table.concat(out, ', ')
end
-- What is said of a verdict on request is read along with the rest.
shown = require 'phasor.course.results'
sentences = shown.show
function shown.show(host, r, w, ...)
  sentences(host, r, w, ...)
  if r.claim then host.write(r.claim.id .. ': ' .. r.outcome .. '\n') end
  for _, e in ipairs(r.verdicts) do host.write('  ' .. e:line(w.lang) .. '\n') end
end
-- No mutant undecided, some refuted; and how many claims have any.
function mutants_decided()
  local n = 0
  for _, r in ipairs(results) do local m = r.mutants if m then
    assert(m.undecided == 0 and m.refuted > 0 and m.total == m.refuted + m.equivalent, r.claim.id)
    n = n + 1 end end
  return n
end