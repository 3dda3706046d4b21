-- Programs of test_tutor.c, which it names by what stands behind the @.

-- @prelude
-- go(inputs…): opens the lesson and types; what is shown is the result. again(inputs…): types on in the lesson that is open.
course, session = require 'phasor.course', require 'phasor.session'
host, json = require 'phasor.course.host', require 'phasor.lib.json'
handin, exercise = require 'phasor.course.handin', require 'phasor.course.exercise'
FILE, STATE = os.getenv 'TEST_DIR' .. '/tutored.lua', os.getenv 'PHASOR_PROGRESS'
options = {}
function again(...)
  session.settings.dialogue, session.settings.terminal = true, true
  for _, text in ipairs {...} do course.input(text, 'typed') end
end
function go(...)
  session.settings.dialogue, session.settings.terminal = true, true
  course.main('lesson', FILE, '--trust', table.unpack(options))
  again(...)
end
function fresh() os.remove(STATE); again ':quit' end
function saved()
  local f = io.open(STATE); if not f then return nil end
  local t = json.read(f:read 'a'); f:close(); return t.lessons.tutored
end
function write_file(path, text) local f = io.open(path, 'w'); f:write(text); f:close() end
lesson_text = [==[
-- %% [markdown] ref="one" lang="en"
-- # Tutored $x$
-- First words.
-- %% [markdown] ref="one" lang="zh"
-- # 辅导 $x$
-- 开头的话。
-- %% ref="one"
A = array{1, 2, 3}
list = {5}
print('sum ' .. sum(A))
return 3 * 4
-- %% [markdown] ref="double" lang="en"
-- Double it: write `twice(x)`.
-- %% [markdown] ref="double" lang="zh"
-- 加倍：写 `twice(x)`。
-- %% role="exercise" ref="double" points=2
function twice(x)
  --- BEGIN SOLUTION
  return x + x
  --- END SOLUTION
end
-- %% role="hint" ref="double" lang="en"
-- Think of $2x$.
-- %% role="hint" ref="double" lang="zh"
-- 想想 $2x$。
-- %% role="hint" ref="double" lang="en"
-- Add.
-- %% role="hint" ref="double" lang="zh"
-- 相加。
-- %% role="check" ref="double"
feedback(not same(twice(3), 9), {en = 'That squares.', zh = '这是平方。'})
feedback(same(twice, function(x) return 2 * x end, {what = 'twice', at = {{1}, {A(2)}, {-7}}}))
-- %% role="wrong" ref="double" expect="squares"
function twice(x) return x * x end
-- %% role="wrong" ref="double" expect="twice(1)"
function twice(x) return x end
-- %% ref="double"
result = twice(21) + A(1) + list[1]
return result
-- %% [markdown] ref="own" lang="en"
-- Give `answer`, three times `given`.
-- %% [markdown] ref="own" lang="zh"
-- 给出 `answer`，即 `given` 的三倍。
-- %% role="exercise" ref="own" points=1 variants=50
given = 10 * variant
--- BEGIN SOLUTION
answer = 3 * given
--- END SOLUTION
-- %% role="hint" ref="own" lang="en"
-- A.
-- %% role="hint" ref="own" lang="zh"
-- 甲。
-- %% role="hint" ref="own" lang="en"
-- B.
-- %% role="hint" ref="own" lang="zh"
-- 乙。
-- %% role="check" ref="own"
feedback(same(answer, 30 * variant, {what = 'answer'}))
-- %% role="wrong" ref="own" expect="twice"
answer = 6 * given
-- %% role="wrong" ref="own" expect="half"
answer = 1.5 * given
-- %% [markdown] ref="end" lang="en"
-- That is all.
-- %% [markdown] ref="end" lang="zh"
-- 完了。
]==]
write_file(FILE, lesson_text)

-- @a_damaged_file_is_set_aside
function damaged(text)
  write_file(STATE, text) go ':quit'
end
function aside(n) return io.open(STATE .. '.damaged' .. (n or '')):read 'a' end

-- @a_students_copy_takes_answers
fresh()
parse, pack = require 'phasor.course.parse', require 'phasor.course.pack'
whole = parse.parse(lesson_text, FILE); whole.text = lesson_text
copy = pack.text(whole, {double = 'twice()', own = 'answer'}, false)
assert(not copy:find('x + x', 1, true) and not copy:find('That squares', 1, true) and not copy:find('expect', 1, true))
write_file(FILE, copy)

-- @a_name_gives_variants
fresh()
function own(name) local parse = require 'phasor.course.parse'
  local l = parse.parse(lesson_text, FILE); return exercise.variant(exercise.of(l).own, host, name, 'tutored') end
assert(own 'Ann' ~= 1 and own 'Ann' ~= own 'Bob' and own 'Bob' ~= 1)
