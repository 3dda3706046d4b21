-- Programs of test_proof.c, which it names by what stands behind the @.

-- @prelude
parser, linter = require 'phasor.course.parse', require 'phasor.course.lint'
runner, host, ledger = require 'phasor.course.run', require 'phasor.course.host', require 'phasor.ledger'
for _, l in ipairs(require 'phasor.course.shipped') do if l.name == 'proof' then source = l.text end end
ours = assert(parser.parse(source, 'proof.lua'))
env = host.silent()
results, messages, others = runner.lesson(ours, ledger, host.eval, env)
function cell_of(ref)
  for _, c in ipairs(ours.cells) do if not c.prose and c.ref == ref then return c end end
end
-- Replaces one place of a cell and runs it: how its verdicts fare, or its error.
function spoil(ref, from, to)
  local cell = cell_of(ref)
  local a, b = cell.code:find(from, 1, true)
  assert(a and not cell.code:find(from, b + 1, true), 'not there once: ' .. from)
  local copy = setmetatable({code = cell.code:sub(1, a - 1) .. to .. cell.code:sub(b + 1)}, {__index = cell})
  local done = runner.cell(ours, copy, ledger, host.eval, env)
  if not done.ok then return 'error' end
  return done.result.outcome .. ' ' .. done.result.strength
end
