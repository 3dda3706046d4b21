-- Programs of test_audit.c, which it names by what stands behind the @.

-- @prelude
course = require 'phasor.course'
DIR = os.getenv 'TEST_DIR'
function with(name, ...)
  local f <close> = assert(io.open(DIR .. '/' .. name .. '.lua', 'w'))
  f:write('-- %% [markdown] ref="a" lang="en"\n-- # A\n-- %% [markdown] ref="a" lang="zh"\n-- # A\n')
  for i, text in ipairs {...} do f:write((text:gsub('|', '\n')), '\n') end
  return DIR .. '/' .. name .. '.lua'
end
function page(...)
  course.main('check', '--report', DIR .. '/out.html', ...)
  local f <close> = assert(io.open(DIR .. '/out.html'))
  return f:read 'a'
end
good = 'return measure{claim="it", value=0, bound=1, why="r"}'
one = with('one', '-- %% claim="pe/shaw"', good)
two = with('two', '-- %% claim="pe/absolute-lookup"', good, '-- %% claim="su/taylor"', good)
stop = with('stop', '-- %%|error("oh")', '-- %% claim="sa/mask"', good)

-- @what_an_entry_holds_is_rechecked
-- proofs(lesson): the statements that Coq is to judge, as the list beside its files has them.
function proofs(lesson)
  course.main('check', lesson, '--coq', DIR)
  local out = {}
  for line in io.lines(DIR .. '/list') do out[#out + 1] = line:match '^(%a+)\t.*:%d+' .. ' ' .. line:match '[^\t]*$' end
  return table.concat(out, '\n')
end
return proofs(with('entries', '-- %% claim="pe/shaw"|x = sym "x"|return {prove(x + x, 2*x), named("in words", prove(x*x, x^2)),\n' ..
                              '  cited("someone", prove(x + x + x, 3*x)), also("and", prove(x - x, 0)), fails(prove(x, 2*x))}'))
