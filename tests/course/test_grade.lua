-- Programs of test_grade.c, which it names by what stands behind the @.

-- @prelude
course, host, json = require 'phasor.course', require 'phasor.course.host', require 'phasor.lib.json'
handin, exercise, parse = require 'phasor.course.handin', require 'phasor.course.exercise', require 'phasor.course.parse'
DIR = os.getenv 'TEST_DIR'
LESSON = DIR .. '/turns.lua'
function put(name, text) local f = io.open(DIR .. '/' .. name, 'w'); f:write(text); f:close(); return DIR .. '/' .. name end
put('turns.lua', [==[
-- %% [markdown] ref="one" lang="en"
-- # Turns
-- %% [markdown] ref="one" lang="zh"
-- # 圈
-- %%
base = 2
-- %% role="exercise" ref="one" points=4
function f(x)
  --- BEGIN SOLUTION
  return base * x
  --- END SOLUTION
end
-- %% role="check" ref="one"
feedback(same(f, function(x) return 2 * x end, {what = 'f', at = {{1}, {2}}}))
-- %% role="check" ref="one"
--- BEGIN HIDDEN TESTS
feedback(same(f, function(x) return 2 * x end, {what = 'f', at = {{-3}}}))
--- END HIDDEN TESTS
-- %% role="exercise" ref="two" points=1 variants=30
given = variant
--- BEGIN SOLUTION
answer = given + 1
--- END SOLUTION
-- %% role="check" ref="two"
feedback(same(answer, variant + 1, {what = 'answer'}))
]==])
turns = parse.parse(io.open(LESSON):read 'a', LESSON); turns.text = io.open(LESSON):read 'a'
-- A hand-in with these answers.
function by(student, one, two, seed)
  local r = {student = seed, finished = true, exercises = {
    one = {state = 'right', attempts = 3, hints = 1, points = 4, answer = one or ''},
    two = {state = 'open', attempts = 0, hints = 0, points = 0, answer = two or ''}}}
  local named = setmetatable({name = LESSON}, {__index = turns})
  return put(student .. '.json', handin.write(named, r, student, host))
end
-- The fields of the row of exercise i, without the file and the lesson.
function graded(...)
  course.main('grade', '--lesson', LESSON, '--seconds', '1', '--memory', '64', ...)
end

-- @the_glossary_speaks_both_languages
G, tex, seen = require('phasor.course.glossary').terms, require 'phasor.document.tex', {}
for _, t in ipairs(G) do
  assert(not seen[t.en] and not seen[t.zh], t.en); seen[t.en], seen[t.zh] = true, true
  for _, text in pairs(t.text) do for m in text:gmatch '%$([^$]+)%$' do assert(not tex.unknown(m), m) end end
  local place; for _, n in ipairs(require('phasor.ledger').order) do place = place or n == t.lesson end
  assert(place, t.lesson)
end; return #G > 40
