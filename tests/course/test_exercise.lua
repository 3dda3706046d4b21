-- Programs of test_exercise.c, which it names by what stands behind the @.

-- @prelude
-- trial(answer): what the checks of the lesson `ours` say to it in English ("right" when they say nothing).
-- faults(text): what `check` has against the exercises of a lesson.
parser, linter, exercise = require 'phasor.course.parse', require 'phasor.course.lint', require 'phasor.course.exercise'
run, host, ledger, same = require 'phasor.course.run', require 'phasor.course.host', require 'phasor.ledger', require 'phasor.course.equivalent'
do local inside, lines = false, {}
  for line in io.lines 'CONTRIBUTING.md' do
    if line == '```lua' then inside = true elseif line == '```' then inside = false
    elseif inside then lines[#lines + 1] = line end
  end
  example = table.concat(lines, '\n')
end
function faults(text)
  local l = assert(parser.parse(text, 'l.lua'))
  local list = linter.lint(l, ledger)
  if #list == 0 then _, list = run.lesson(l, ledger, host.eval, host.silent(), nil, host) end
  return table.concat(list, '; ')
end
function spoiled(from, to)
  local a, b = example:find(from, 1, true)
  assert(a, 'not there: ' .. from)
  return faults(example:sub(1, a - 1) .. to .. example:sub(b + 1))
end
ours = exercise.of(assert(parser.parse(example, 'l.lua')))[1]
-- An exercise of a lesson that is shipped.
function shipped(name, ref)
  for _, l in ipairs(require 'phasor.course.shipped') do
    if l.name == name then return exercise.of(assert(parser.parse(l.text, name .. '.lua')))[ref] end
  end
end
function trial(answer, lang, other)
  local r = exercise.try_apart(other or ours, host, host.env(), {{code = answer, name = 'answer'}}, 1, {seconds = 1, megabytes = 64})
  return r.right and 'right' or r.feedback[lang or 'en'], r.ended
end
-- A trial of an answer whose process says that much, or nothing, and ends as `how`.
function forged(text, how)
  local function process(channel) if text then channel:send(text); channel:receive() end end
  local desk = {open = function() return host.beside(process, 1, 64) end, close = function() return how or 'ok' end}
  local r = exercise.try_apart(ours, host, host.env(), {{code = 'turn = 1', name = 'answer'}}, 1, {seconds = 1, megabytes = 64}, desk)
  return r.ended, r.right, r.passed, r.feedback.en
end
function silent(how) return forged(nil, how) end
-- The same for one that says these values.
function saying(v)
  local _, other = require 'phasor.course.talk'.pair()
  return forged(other.write(v))
end
thread = coroutine.create(print)
function told(x, y, o) local ok, why = same.same(x, y, o); return ok or why.en .. ' / ' .. why.zh end
