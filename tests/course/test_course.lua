-- Programs of test_course.c, which it names by what stands behind the @.

-- @prelude
-- In Lua: parse(text) gives "ok" or the message; a lesson's text is written with | for a line's end.
parser, linter = require 'phasor.course.parse', require 'phasor.course.lint'
prose, judge, nearest = require 'phasor.document.prose', require 'phasor.course.judge', require 'phasor.course.nearest'
ledger = require 'phasor.ledger'
function parsed(text)
  local lesson, message = parser.parse(text:gsub('|', '\n'), 'l.lua')
  return lesson or error(message, 0)
end
function lint(text) return table.concat(linter.lint(parsed(text), ledger), '; ') end
A = '-- %% [markdown] ref="a" lang="en"|-- # A $x$|-- %% [markdown] ref="a" lang="zh"|-- # A $x$|'
good = measure{value=0, bound=0, why='exact', claim='zero'}
bad = measure{value=1, bound=0, why='exact', claim='nothing'}
open = measure{value={}, bound=0, why='exact'}

-- @stepping
-- A front end that answers with the given lines; what is shown comes back.
host = require 'phasor.course.host'
stepper, words = require 'phasor.course.step', require 'phasor.course.messages'
L = '-- %% [markdown] ref="a" lang="en"|-- # One|-- %% [markdown] ref="a" lang="zh"|-- # 一|'
  .. '-- %%|n = (n or 0) + 1|-- %% [markdown] ref="b" lang="en"|-- Two|-- %% [markdown] ref="b" lang="zh"|-- 二|'
  .. '-- %%|m = (m or 0) + 1 return m|-- %% claim="pe/pi"|return measure{value=1, bound=0, why="exact"}|'
function walk(lang)
  n, m = nil, nil
  local out = {}
  local fake = setmetatable({write = function(s) out[#out + 1] = s end, show = function(v) out[#out + 1] = tostring(v) end}, {__index = host})
  failed = stepper.walk(parsed(L), ledger, fake, lang, words.of(lang))
  return table.concat(out)
end

-- @long_code_is_folded_where_it_can_be_read
for _, line in ipairs {('x'):rep(300), ('中'):rep(99), ('(a b'):rep(90), (' '):rep(99) .. 'x', ('é '):rep(80), ('a -- b '):rep(40)} do
  for columns = 20, 100, 7 do
    local pieces, text = prose.pieces(line, columns), ''
    for i, p in ipairs(pieces) do
      if prose.width(p) > columns then print(columns, p) end
      text = text .. p
    end
    if text:gsub(' ', '') ~= line:gsub(' ', '') then print('lost', columns) end
  end
end

-- @long_sentences_are_counted
counts = require 'phasor.course.counts'
function long(text, lang)
  return #counts.long {cells = {{kind = 'markdown', prose = true, lang = lang or 'en', line = 1, text = text}}}
end
forty, ninety = ('word '):rep(40), ('字'):rep(90)

-- @the_lessons_are_within_their_bounds
counts, catalogue = require 'phasor.course.counts', require 'phasor.course.catalogue'
for _, name in ipairs(catalogue.names()) do
  local lesson = catalogue.open(name)
  for _, line in ipairs(counts.table {{name, counts.of(lesson)}}) do if line:find '%*' then print(line) end end
  for _, s in ipairs(counts.long(lesson)) do print(s[1], s[2]) end
  for _, line in ipairs(counts.english(lesson)) do print(line[1], line[2]) end
end

-- @printed_verdicts_are_folded_1
session.settings.columns = 30
session.speak 'en'
print(v)
print('much before it', v)
print(tostring(v))

-- @printed_verdicts_are_folded_2
session.settings.columns = 30
session.speak 'zh'
print(v)
display(v)
session.speak()
print(v)
